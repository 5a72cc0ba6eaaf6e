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
LOOK_S = 0.5  # from one look at the players to the next, where nothing happens at the table
PATIENCE_S = 60.0  # with players who are about to act
QUICK_S = 2.0  # a player may be this much quicker than the host's hand


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
    """A host who leads one game at the table. The host does only what a host must do: simulated
    players act for themselves, and the host waits while any of them is about to act.

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
                    view = await self._draw(view)
                case "settle" | "share":
                    view = await self._unless_quicker(view, "move", move={"do": step})
                case "answer":
                    view = await self._answer(view)
                case "add":
                    view = await self._add(view)
                case "close":
                    view = await self._unless_quicker(view, "close")
                case _:
                    view = await self._any(view, step)
        return tuple(self._calls), view

    async def _any(self, view: BoardView, step: str) -> BoardView:
        """Do what comes next in a game of which this host knows only what the station tells:
        let the players act, then chance, then make a move that the table waits for."""
        if (now := await self._waited(view)) is not None:
            return now
        told = await self.station.asked("table")
        if told["chance"] is not None:
            return await self._unless_quicker(view, "move", move={"do": told["chance"]["do"]})
        playing = {seat["seat"] for seat in told["seats"] if seat["simulated"]}
        moves = [
            move
            for move in told["moves"]
            if move["may"] and not move.get("aside") and move["seat"] not in playing
        ]
        if not moves:
            with suppress(TimeoutError):  # a player's act may have come between the two questions
                return await self.station.until(lambda now: now.seq > view.seq, QUICK_S)
            raise WireError(
                f"the table wants {step!r}, and there is no move that the host must make"
            )
        move = self.chance.choice(moves)
        said = {"do": move["do"], **move["fields"]}
        for slot in move["slots"]:
            said |= self._chosen(slot)
        return await self._unless_quicker(view, "move", move=said)

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
        told = await self.station.asked("table")
        if told["left"] is None and told["drawing"] > DRAWINGS:
            move = {"do": "resolve", "drawings": LAST_DRAWINGS}
            view = await self._unless_quicker(view, "move", move=move)
        for choice in (await self.station.asked("table"))["choices"]:
            if choice["may"] and choice["move"]["do"] == "put-away":
                # The knob put away before may have been the last possible one: then this one is
                # refused, and stays in the bag.
                view = await self.station.tried("move", move=dict(choice["move"])) or view
        if _table(view).step != "shake":
            return view
        told = await self.station.asked("table")
        return await self._unless_quicker(view, "shake", counted=told["in_bag"])

    async def _draw(self, view: BoardView) -> BoardView:
        if (now := await self._waited(view)) is not None:
            return now  # those who have the last number answer first
        await asyncio.sleep(self.pace)
        await self.station.until(lambda view: not view.calling)
        now = await self._unless_quicker(view, "draw")
        if now.called != view.called:
            self._calls.append(now.called[-1])
        return now

    async def _unless_quicker(self, view: BoardView, act: str, **said: Any) -> BoardView:
        """Do an act. Where it is refused, a player may have been quicker, with an offer: then
        return what the table shows now."""
        try:
            return await self.station.do(act, **said)
        except WireError:
            with suppress(TimeoutError):
                return await self.station.until(lambda now: now.seq > view.seq, QUICK_S)
            raise

    async def _add(self, view: BoardView) -> BoardView:
        told = await self.station.asked("table")
        if any(choice["may"] for choice in told["choices"] if choice["move"]["do"] == "replenish"):
            do = "replenish" if self.chance.random() < ADDS else "finish"
            move = {"do": do}
            return await self._unless_quicker(view, "move", move=move, seen=told["seen"])
        return await self._once_waited(view, "finish")

    async def _answer(self, view: BoardView) -> BoardView:
        return await self._once_waited(view, "decline")

    async def _once_waited(self, view: BoardView, do: str) -> BoardView:
        """Make a move of the host's once no player is about to act."""
        now = await self._waited(view)
        return now or await self._unless_quicker(view, "move", move={"do": do})

    async def _waited(self, view: BoardView) -> BoardView | None:
        """Wait while simulated players are about to act; return the view after one did, or None
        if none of them is about to.

        Raises:
            WireError: they were about to act for too long.
        """
        for _ in range(int(PATIENCE_S / LOOK_S)):
            if not (await self.station.asked("players"))["thinking"]:
                return None
            with suppress(TimeoutError):
                return await self.station.until(lambda now: now.seq > view.seq, LOOK_S)
        raise WireError(f"the simulated players did not act for {PATIENCE_S:g} seconds")


def _table(view: BoardView) -> TableView:
    """Return the table of a view.

    Raises:
        WireError: there is none any more.
    """
    if view.table is None:
        raise WireError("the game at the table is gone: somebody else leads this station too")
    return view.table
