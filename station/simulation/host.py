"""Simulate a host at the table, who leads a company's game to its end over the wire."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from station.base.errors import WireError
from station.rules.seen import SlotKind
from station.wire.board_view import BoardView, TableView

NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio")
DRAWINGS = 3  # then the company agrees on the last drawings
LAST_DRAWINGS = 2
ADDS = 0.75  # share of the times when the pool is short
THINKING_S = 6.0  # a player who is asked, or cannot add, has answered by then
REACTING_S = 2.0  # at a quicker pace the host presses for the players, who would be too slow


def company(purse: int) -> list[dict[str, Any]]:
    """Return six simulated players, each with `purse` units, as the act `sit` takes them."""
    return [{"name": name, "purse": purse, "simulated": True} for name in NAMES]


class Connection(Protocol):
    """A connection over which games are led."""

    async def do(self, act: str, **arguments: Any) -> BoardView:
        """Do an act; return the view that shows it."""

    async def tried(self, act: str, **arguments: Any) -> BoardView | None:
        """Do an act; return the view that shows it, or None if it is refused."""

    async def until(self, wanted: Any, limit_s: float = ...) -> BoardView:
        """Wait until the station shows a wanted view."""

    async def asked(self, about: str, **arguments: Any) -> dict[str, Any]:
        """Ask a question and return the answer."""


@dataclass(eq=False)
class TableHost:
    """A host who leads one game at the table.

    Args:
        pace: seconds from one knob to the next.
        chance: for what the company decides.
    """

    station: Connection
    pace: float
    chance: Random
    _calls: list[int] = field(default_factory=list)

    async def play(self, view: BoardView) -> tuple[tuple[int, ...], BoardView]:
        """Play the game of this view; return its knobs and the last view.

        Raises:
            WireError: the station went away, or refused what it should accept.
        """
        while (step := _table(view).step) != "open":
            match step:
                case "shake":
                    view = await self._shake(view)
                case "draw":
                    view = await self._draw()
                case "settle" | "share":
                    view = await self.station.do("move", move={"do": step})
                case "answer":
                    view = await self._wait(view, {"do": "decline"})
                case "add":
                    view = await self._add(view)
                case "close":
                    view = await self.station.do("close")
                case _:
                    view = await self._any(step)
        return tuple(self._calls), view

    async def _any(self, step: str) -> BoardView:
        """Let chance come, or make one of the moves that may be made, in a game that no simulated
        host has learnt."""
        told = await self.station.asked("table")
        if told["chance"] is not None:
            return await self.station.do("move", move={"do": told["chance"]["do"]})
        moves = [move for move in told["moves"] if move["may"]]
        if not moves:
            raise WireError(f"the table wants {step!r}, and no move may be made")
        move = self.chance.choice(moves)
        said = {"do": move["do"], **move["fields"]}
        for slot in move["slots"]:
            said |= self._chosen(slot)
        return await self.station.do("move", move=said)

    def _chosen(self, slot: Mapping[str, Any]) -> dict[str, Any]:
        """Return what may stand in a slot of a move."""
        names, values = slot["names"], slot["values"]
        if slot["kind"] in (SlotKind.HAND, SlotKind.CUBES):
            return {names[0]: values[: slot["least"]]}
        if slot["kind"] == SlotKind.YES_NO:
            return {names[0]: self.chance.random() < ADDS}
        if not values:
            return {names[0]: self.chance.randint(slot["least"], slot["most"])}
        chosen = self.chance.choice(values)
        return dict(zip(names, chosen if len(names) > 1 else [chosen], strict=True))

    async def _shake(self, view: BoardView) -> BoardView:
        table = _table(view)
        if table.left is None and table.drawing > DRAWINGS:
            view = await self.station.do("move", move={"do": "resolve", "drawings": LAST_DRAWINGS})
        for choice in (await self.station.asked("table"))["choices"]:
            if choice["may"] and choice["move"]["do"] == "put-away":
                # The knob put away before may have been the last possible one: then this one is
                # refused, and stays in the bag.
                view = await self._tried(choice["move"]) or view
        return await self.station.do("shake", counted=_table(view).in_bag)

    async def _draw(self) -> BoardView:
        await asyncio.sleep(self.pace)
        await self.station.until(lambda view: not view.calling)
        try:
            view = await self.station.do("draw")
        except WireError:
            # A player may have made an offer just before, which is answered first.
            with suppress(TimeoutError):
                return await self.station.until(
                    lambda view: _table(view).step != "draw", REACTING_S
                )
            raise
        self._calls.append(view.called[-1])
        return await self._press(view) if self.pace < REACTING_S else view

    async def _press(self, view: BoardView) -> BoardView:
        """Let one of the players who have the number answer first, in games played so."""
        told = await self.station.asked("table")
        last = view.called[-1]
        holders = [
            seat["seat"]
            for seat in told["seats"]
            if any(last in row for card in seat["cards"] for row in card["rows"])
        ]
        if not told["racing"] or told["step"] != "draw" or not holders:
            return view
        answer = {"do": "answer", "seats": [self.chance.choice(holders)], "micros": [0]}
        return await self._tried(answer) or view

    async def _add(self, view: BoardView) -> BoardView:
        told = await self.station.asked("table")
        if any(choice["may"] for choice in told["choices"] if choice["move"]["do"] == "replenish"):
            do = "replenish" if self.chance.random() < ADDS else "finish"
            return await self._tried({"do": do}, told["seen"]) or view
        return await self._wait(view, {"do": "finish"})

    async def _wait(self, view: BoardView, otherwise: Mapping[str, Any]) -> BoardView:
        """Give the players time to act; then act for those who did not."""

        def moved(now: BoardView) -> bool:
            return now.seq > view.seq

        try:
            return await self.station.until(moved, THINKING_S)
        except TimeoutError:
            return await self._tried(otherwise) or await self.station.until(moved)

    async def _tried(self, move: Mapping[str, Any], seen: str | None = None) -> BoardView | None:
        """Make a move; return None if a simulated player, or another host, was quicker."""
        more = {} if seen is None else {"seen": seen}
        return await self.station.tried("move", move=dict(move), **more)


def _table(view: BoardView) -> TableView:
    """Return the table of a view.

    Raises:
        WireError: there is none any more.
    """
    if view.table is None:
        raise WireError("the game at the table is gone: somebody else leads this station too")
    return view.table
