"""Simulated players and a simulated host: whole games by themselves, over the wire like anybody else.

The players look at the board view and at their cards, and claim when one of theirs wins; the host opens games, draws, ends
checks, pays and closes. `loto run --simulate --auto` uses both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from station.boardview import BoardView, Phase, WinView
from station.errors import WireError
from station.rules.loto_first import ROWS_WANTED, Stage, full_rows
from station.table import KNOBS, Card
from station.wire import Client


@dataclass
class GameResult:
    """One game as it was played."""

    number: int
    name: str
    calls: tuple[int, ...]
    wins: tuple[WinView, ...]


@dataclass
class Players:
    """The people who hold the cards. They claim at once and never wrongly."""

    cards: dict[str, Card] = field(default_factory=dict)

    def claims(self, view: BoardView) -> list[str]:
        """The cards that win the present stage on the last number called."""
        if view.stage is None or view.last is None:
            return []
        wanted = ROWS_WANTED[Stage(view.stage.key)]
        found = []
        for serial, card in self.cards.items():
            if view.last in card.numbers:
                rows = full_rows(card, view.called)
                if len(rows) >= wanted and any(view.last in row for row in rows):
                    found.append(serial)
        return found


class Host:
    """Leads games to their end.

    Args:
        client: a connection as admin.
        pace: seconds from a call to the next; 0 waits only until the last one was heard.
        told: called with each view, for a progress display.
    """

    def __init__(self, client: Client, *, pace: float = 0.0, told: Callable[[BoardView], None] = lambda _: None) -> None:
        self._client = client
        self._pace = pace
        self._told = told
        self._view: BoardView | None = None
        self._changed = asyncio.Event()
        self._watching = asyncio.ensure_future(self._watch())

    async def close(self) -> None:
        """Stops watching."""
        self._watching.cancel()
        await asyncio.gather(self._watching, return_exceptions=True)

    async def _watch(self) -> None:
        async for message in self._client:
            if "view" in message:
                self._view = BoardView.model_validate(message["view"])
                self._told(self._view)
                self._changed.set()
        self._view = None
        self._changed.set()

    async def _until(self, wanted: Callable[[BoardView], bool], limit_s: float = 60.0) -> BoardView:
        async with asyncio.timeout(limit_s):
            while True:
                if self._watching.done():
                    raise WireError("the station went away in the middle of a game; start it again: the game goes on")
                self._changed.clear()
                if self._view is not None and wanted(self._view):
                    return self._view
                await self._changed.wait()

    async def play(self, games: int) -> list[GameResult]:
        """Plays so many games to their end, the open one first.

        Raises:
            WireError: the station went away, or refused what it should not.
        """
        return [await self._game() for _ in range(games)]

    async def _do_and_see(self, act: str, **arguments: Any) -> BoardView:
        """Does something and waits for the view that shows it."""
        answer = await self._client.do(act, **arguments)
        if "refused" in answer:
            raise WireError(f"the station refused {act}: {answer['refused']['say']}")
        seq = int(answer["seq"])
        return await self._until(lambda view: view.seq >= seq)

    async def _game(self) -> GameResult:
        view = await self._until(lambda _: True)
        if view.phase is Phase.BETWEEN:
            view = await self._do_and_see("open")
        players = Players(await self._register())
        while view.stage is not None and (view.phase is Phase.STOPPED or len(view.called) < KNOBS):
            if view.phase is Phase.STOPPED:
                view = await self._do_and_see("play-on")
                continue
            await asyncio.sleep(self._pace)
            await self._until(lambda view: not view.calling)
            view = await self._do_and_see("draw")
            for serial in players.claims(view):
                view = await self._do_and_see("claim", serial=serial)
        for serial in dict.fromkeys(win.serial for win in view.wins if not win.paid):
            view = await self._do_and_see("pay", serial=serial)
        view = await self._do_and_see("close")
        number, name = (view.game.number, view.game.name) if view.game is not None else (0, "?")
        return GameResult(number, name, view.called, view.wins)

    async def _register(self) -> dict[str, Card]:
        answer = await self._client.request({"ask": {"about": "register"}})
        if "answer" not in answer:
            raise WireError(f"the station does not show its register: {answer}")
        return {card["serial"]: _card(card) for card in answer["answer"]["cards"]}


def _card(data: dict[str, Any]) -> Card:
    return Card(str(data["serial"]), tuple(tuple(row) for row in data["rows"]))
