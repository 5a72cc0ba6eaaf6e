"""Simulate players and hosts who play whole games by themselves, over the wire.

A host at the table leads a company's game to its end. In the hall the players look at the board
view and at their cards, and claim when one of theirs wins; the host opens games, draws, ends
checks, pays and closes. `loto run --simulate --auto` uses both.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random, SystemRandom
from typing import Any, Protocol

from station.base.errors import WireError
from station.base.nouns import KNOBS, Card
from station.night.hall_state import HallReason
from station.rules.patterns import COVERED, Pattern, PatternPart
from station.rules.seen import SlotKind
from station.wire.board_view import BoardView, Phase, StageView, TableView, WinView
from station.wire.wire import Client
from station.wire.zones import CaptionThing

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
    _drawings: int = 0  # whose bag this host has counted

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
        if self._drawings >= DRAWINGS and await self._may("resolve"):
            move = {"do": "resolve", "drawings": LAST_DRAWINGS}
            view = await self._unless_quicker(view, "move", move=move)
        for one in await self._may("put-away"):
            # The knob put away before may have been the last possible one: then this one is
            # refused, and stays in the bag.
            move = {"do": one["do"], **one["fields"]}
            view = await self.station.tried("move", move=move) or view
        if _table(view).step != "shake":
            return view
        told = await self.station.asked("table")
        self._drawings += 1
        return await self._unless_quicker(view, "shake", counted=told["in_bag"])

    async def _may(self, do: str) -> list[Mapping[str, Any]]:
        """Return the moves of this name that may be made now."""
        moves = (await self.station.asked("table"))["moves"]
        return [move for move in moves if move["do"] == do and move["may"]]

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
        if any(move["may"] for move in told["moves"] if move["do"] == "replenish"):
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


# -- the hall: players, and the host who calls -----------------------------------------------------

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
