"""Read the record of a game at the table from a night's lines, and tell it as sentences. Pure.

No game is played again: shares, drawings and purses stand in the lines as they were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from station.base.tongue import number_of, tr
from station.games import GAMES
from station.rules.abilities import DrawsKnobs

Line = Mapping[str, Any]


def table_sentence(do: Line, then: Line, names: Sequence[str] = (), method: str = "") -> str | None:
    """Return what one line tells of the table; None if it tells nothing of it.

    >>> move = {"do": "throw-up", "seat": 2, "serial": "0007"}
    >>> table_sentence({"act": "move", "move": move}, {}, ("Anna", "Bruno"))
    'Bruno throws up card 0007'

    Args:
        do: what was done.
        then: what it led to.
        names: who sits where, from seat 1.
        method: the game's method; by default the first that has such a move.
    """
    match do:
        case {"act": "sit", "players": players}:
            names = ", ".join(map(_player, players))
            if len(players) == 1:
                return tr("{name} sits down", name=names)
            return tr("{names} sit down", names=names)
        case {"act": "join"}:
            return tr("{name} joins the company", name=_player(do))
        case {"act": "open"} if "seats" in then.get("opening", {}):
            return _dealt(then["opening"])
        case {"act": "shake", "counted": counted}:
            return tr("{count} knobs counted, the bag shaken", count=counted)
        case {"act": "undo"} if method in GAMES and not GAMES[method].ability(DrawsKnobs):
            why = f" ({do['why']})" if do.get("why") else ""
            return tr("what was done last is taken back") + why
        case {"act": "move", "move": {"do": str()} as move}:
            said = _move(move, then, names, method)
            if unpaid := then.get("ended", {}).get("unpaid", 0):
                counters = number_of(unpaid, "counter")
                said += f"; {tr('Bankruptcy: {counters}, never paid', counters=counters)}"
            return said
    return None


def _player(player: Line) -> str:
    name = str(player["name"])
    if player.get("takes") is not None:
        cards = number_of(player["takes"], "card")
        name = tr("{name} with {cards}", name=name, cards=cards)
    return tr("{name} (simulated)", name=name) if player.get("simulated") else name


def _dealt(opening: Line) -> str:
    none = tr("no card")
    seats = (f"{name} {', '.join(cards) or none}" for name, _, cards in opening["seats"])
    return tr("dealt: {seats}", seats="; ".join(seats))


def _name(seat: object, names: Sequence[str]) -> str:
    if isinstance(seat, int) and 1 <= seat <= len(names):
        return names[seat - 1]
    return tr("seat {number}", number=seat)


def _move(move: Line, then: Line, names: Sequence[str], method: str) -> str:
    having = (rules for rules in GAMES.values() if move["do"] in rules.moves)
    rules = GAMES.get(method) or next(having, None)
    if rules is None:
        return str(move["do"])
    return rules.report(move, then, lambda seat: _name(seat, names))


def covered_alone(do: Line, then: Line, names: Sequence[str]) -> str | None:
    """Return who covered the last knob, if nobody else answered on that line; None if not so."""
    match do, then:
        case {"act": "move", "move": {"do": "answer"}}, {"answers": [[seat, _, "covers"]]}:
            return _name(seat, names)
    return None


# -- the record ------------------------------------------------------------------------------------


@dataclass
class SeatRecord:
    """The record of a seat in a game.

    Attributes:
        cards: as they were dealt.
        came: what the player had at the start of the game, or when joining it, in minor units.
        staked: what the player put in of it when the cards were dealt.
        purse: what the player has outside the game, by the last line that tells it.
        hand: what the player has won and not taken home yet, in the game's units.
        joined: the line with which the player joined after the deal; 0 for those who were there.
    """

    name: str
    cards: tuple[str, ...]
    came: int
    staked: int
    purse: int
    hand: int = 0
    joined: int = 0


@dataclass
class Drawing:
    """A drawing of the Second Method as it was settled; its sums are counters.

    Attributes:
        line: the line that settled it.
        classes: how many rows have no counter, one, … five.
        laid: counters that players kept from their cards.
        won: counters won from the pool.
        paid: counters paid of those up to now.
    """

    line: int
    number: int
    knobs: tuple[int, ...]
    classes: tuple[int, ...]
    laid: int
    won: int
    paid: int


@dataclass
class RecordedShare:
    """A share of the pool, won at the table.

    Attributes:
        line: the line in which it was won.
        seat: who won it, from 1.
        units: how much, in the game's units.
        calls: how many knobs had been called.
        most: nobody had won it when the bag was empty, so whoever had covered most on one card got
            it.
        back: the line that took it back with its knob; 0 while it stands.
    """

    line: int
    stage: str
    seat: int
    units: int
    calls: int
    most: bool
    back: int = 0


@dataclass
class TableRecord:
    """A game at the table.

    Attributes:
        method: the method of play, by the name of its rules.
        value: what one of the game's units is worth, in minor units.
        seats: the seats from the eldest hand leftwards; those who joined later are the last.
        unpaid: counters that stayed unpaid at the end: the Bankruptcy.
    """

    method: str
    value: int
    seats: tuple[SeatRecord, ...]
    drawings: list[Drawing] = field(default_factory=list)
    shares: list[RecordedShare] = field(default_factory=list)
    unpaid: int = 0
    over: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Return who sits where."""
        return tuple(seat.name for seat in self.seats)

    @property
    def staked(self) -> int:
        """Return what all put in when the cards were dealt, in minor units."""
        return sum(seat.staked for seat in self.seats)

    def take(self, line: int, do: Mapping[str, Any], then: Mapping[str, Any]) -> None:
        """Add what one more line of the game led to."""
        most = do.get("move", {}).get("do") == "share"
        if settled := then.get("settled"):
            self._settle(line, settled)
        for stage, seat, _ in then.get("lost", ()):
            lost = stage, seat, 0
            next(one for one in self.shares if (one.stage, one.seat, one.back) == lost).back = line
        self.shares += [
            RecordedShare(line, stage, seat, units, then["calls"], most)
            for stage, seat, units in then.get("won", ())
        ]
        joined = then.get("joined", ())
        self.seats += tuple(SeatRecord(name, (), came, 0, came, 0, line) for name, came in joined)
        hands, purses = then.get("hands", ()), then.get("purses", ())
        for seat, hand, purse in zip(self.seats, hands, purses, strict=False):
            seat.hand, seat.purse = hand, purse
        if "ended" in then:
            self.unpaid, self.over = then["ended"]["unpaid"], True

    def _settle(self, line: int, settled: Mapping[str, Any]) -> None:
        if self.drawings and self.drawings[-1].number == settled["drawing"]:
            # Paying went on after the pool was replenished.
            self.drawings[-1].paid = settled["paid"]
            return
        knobs, classes = tuple(settled["numbers"]), tuple(settled["classes"])
        counters = (settled[name] for name in ("laid", "won", "paid"))
        self.drawings.append(Drawing(line, settled["drawing"], knobs, classes, *counters))


def open_table(opening: Mapping[str, Any]) -> TableRecord | None:
    """Return the record of a game at the table when its cards are dealt; None if the opening line
    froze no company."""
    if "seats" not in opening:
        return None
    seats = tuple(
        SeatRecord(name, tuple(cards), came, staked, came - staked)
        for (name, came, cards), staked in zip(opening["seats"], opening["staked"], strict=True)
    )
    return TableRecord(opening["method"], opening["value"], seats)
