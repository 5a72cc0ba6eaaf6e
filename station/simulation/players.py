"""Simulate players and a host who play whole games by themselves, over the wire.

The players look at the board view and at their cards, and claim when one of theirs wins; the host
opens games, draws, ends checks, pays and closes. `loto run --simulate --auto` uses both.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random, SystemRandom
from typing import Any

from station.base.errors import WireError
from station.base.nouns import KNOBS, Card
from station.night.hall_state import HallReason
from station.rules.patterns import COVERED, Pattern, PatternPart
from station.simulation.host import TableHost, company
from station.wire.board_view import BoardView, Phase, StageView, WinView
from station.wire.wire import Client
from station.wire.zones import CaptionThing

log = logging.getLogger(__name__)

OUTCOME = "outcome"  # the zone that says how the game ended for a seat


@dataclass
class GameResult:
    """How one game was played.

    Attributes:
        calls: the knobs, in the order in which they were drawn.
        seats: of a game at the table, each player's name with what became of him.
    """

    number: int
    name: str
    calls: tuple[int, ...]
    wins: tuple[WinView, ...]
    seats: tuple[tuple[str, str], ...] = ()


@dataclass
class Players:
    """The people who hold the cards. They claim at once and never wrongly."""

    cards: dict[str, Card] = field(default_factory=dict)

    def claims(self, view: BoardView) -> list[str]:
        """Return the cards that win a prize on the last number called."""
        if view.last is None:
            return []
        played = [(stage.pattern, _pattern(stage)) for stage in view.open]
        # A card that won this pattern before cannot win its second house.
        won = {(win.serial, win.pattern) for win in view.wins}
        return [
            serial
            for serial, card in self.cards.items()
            if view.last in card.numbers
            and any(
                (serial, key) not in won and pattern.complete_on_last(card, view.called)
                for key, pattern in played
            )
        ]


def _pattern(stage: StageView) -> Pattern:
    ways = (
        ([place for place, cell in enumerate("".join(way.card)) if cell == COVERED], way.need)
        for way in stage.ways
    )
    return Pattern(stage.pattern, tuple(PatternPart(tuple(places), need) for places, need in ways))


@dataclass(eq=False)
class Host:
    """A host who leads games to their end.

    Args:
        client: a connection as admin.
        pace: seconds from a call to the next; 0 waits only until the last one was heard.
        told: called with each view, for a progress display.
        chance: for the knobs that those draw who have won the same thing.
    """

    client: Client
    pace: float = 0.0
    told: Callable[[BoardView], None] = lambda _: None
    chance: Random = field(default_factory=SystemRandom)

    def __post_init__(self) -> None:
        self._view: BoardView | None = None
        self._changed = asyncio.Event()
        self._watching = asyncio.ensure_future(self._watch())

    async def close(self) -> None:
        """Stop watching."""
        self._watching.cancel()
        await asyncio.gather(self._watching, return_exceptions=True)

    async def _watch(self) -> None:
        async for message in self.client:
            if "view" in message:
                self._view = BoardView.model_validate(message["view"])
                self.told(self._view)
                self._changed.set()
        self._view = None
        self._changed.set()

    async def until(self, wanted: Callable[[BoardView], bool], limit_s: float = 60.0) -> BoardView:
        """Wait until the station shows a wanted view.

        Raises:
            WireError: the station went away.
            TimeoutError: no such view came.
        """
        async with asyncio.timeout(limit_s):
            while True:
                if self._watching.done():
                    raise WireError(
                        "the station went away in the middle of a game; start it again: the game"
                        " goes on"
                    )
                self._changed.clear()
                if self._view is not None and wanted(self._view):
                    return self._view
                await self._changed.wait()

    async def play(self, games: int) -> list[GameResult]:
        """Play a number of games to their end, the open one first.

        Raises:
            WireError: the station went away, or refused what it should accept.
        """
        return [await self._game() for _ in range(games)]

    async def do(self, act: str, **arguments: Any) -> BoardView:
        """Do an act and wait for the view that shows it.

        Raises:
            WireError: it is refused.
        """
        return await self._seen(await self.client.do(act, **arguments), act)

    async def tried(self, act: str, **arguments: Any) -> BoardView | None:
        """Do an act; return None if it is refused because somebody else was quicker."""
        answer = await self.client.do(act, **arguments)
        if "refused" in answer:
            log.info("refused (%s): %s", act, answer["refused"]["say"])
            return None
        return await self._seen(answer, act)

    async def asked(self, about: str, **arguments: Any) -> dict[str, Any]:
        """Ask a question and return the answer.

        Raises:
            WireError: there is none.
        """
        answer = await self.client.request({"ask": {"about": about, **arguments}})
        if "answer" not in answer:
            raise WireError(f"the station does not show its {about}: {answer}")
        return dict(answer["answer"])

    async def _seen(self, answer: dict[str, Any], act: str) -> BoardView:
        if "refused" in answer:
            raise WireError(f"the station refused {act}: {answer['refused']['say']}")
        seq = int(answer["seq"])
        return await self.until(lambda view: view.seq >= seq)

    async def _game(self) -> GameResult:
        view = await self.until(lambda _: True)
        if view.phase is Phase.BETWEEN:
            view = await self._open()
        if view.table is not None:
            return await self._table_game(view)
        players = Players(await self._register())
        while view.stage is not None and (view.phase is Phase.STOPPED or len(view.called) < KNOBS):
            if view.phase is Phase.STOPPED:
                view = await self.do("play-on")
                continue
            await asyncio.sleep(self.pace)
            await self.until(lambda view: not view.calling)
            view = await self.do("draw")
            for serial in players.claims(view):
                view = await self.do("claim", serial=serial)
        for stage in dict.fromkeys(win.key for win in view.wins if win.draws):
            serials = [win.serial for win in view.wins if win.key == stage]
            view = await self._draw_lots(stage, serials)
        for serial in dict.fromkeys(win.serial for win in view.wins if not win.paid):
            view = await self._pay(serial)
        view = await self.do("close", sure=True)
        return GameResult(*_game_of(view), view.called, view.wins)

    async def _open(self) -> BoardView:
        """Open the next game. At the table a company of simulated players sits down first, again
        whenever their purses need it."""
        answer = await self.client.do("open", sure=True)
        if answer.get("refused", {}).get("reason") in (HallReason.NO_COMPANY, HallReason.NOT_PAID):
            coming = (await self.asked("table"))["next"]
            await self.do("sit", players=company(coming["purse"]))
            answer = await self.client.do("open", sure=True)
        return await self._seen(answer, "open")

    async def _table_game(self, view: BoardView) -> GameResult:
        calls, end = await TableHost(self, pace=self.pace, chance=self.chance).play(view)
        seats = end.table.seats if end.table is not None else ()
        became = {
            zone.seat: thing.text
            for zone in (end.table.zones if end.table is not None else ())
            for thing in zone.things
            if zone.key == OUTCOME and isinstance(thing, CaptionThing)
        }
        said = tuple((seat.name, became.get(seat.seat, "")) for seat in seats)
        return GameResult(*_game_of(view), calls, (), said)

    async def _draw_lots(self, stage: str, serials: list[str]) -> BoardView:
        knobs = self.chance.sample(range(1, KNOBS + 1), len(serials))
        return await self.do("lots", stage=stage, knobs=[*zip(serials, knobs, strict=True)])

    async def _pay(self, serial: str) -> BoardView:
        """Pay a card's prizes; where the sum takes two people, the second approves."""
        answer = await self.client.do("pay", serial=serial)
        if answer.get("refused", {}).get("reason") == HallReason.SECOND_PERSON:
            await self.do("approve", serial=serial, who="simulated treasurer")
            return await self.do("pay", serial=serial, who="simulated host")
        return await self._seen(answer, "pay")

    async def _register(self) -> dict[str, Card]:
        cards: dict[str, Card] = {}
        at: int | None = 0
        while at is not None:
            answer = await self.asked("register", at=at)
            cards |= {card["serial"]: _card(card) for card in answer["cards"]}
            at = answer["next"]
        return cards


def _game_of(view: BoardView) -> tuple[int, str]:
    return (view.game.number, view.game.name) if view.game is not None else (0, "?")


def _card(data: dict[str, Any]) -> Card:
    return Card(str(data["serial"]), tuple(tuple(row) for row in data["rows"]))
