"""Play a game at the table without a station: chance and simulated players decide, or somebody who
is asked. Pure.

Games with knobs and with cards of Loto are not played so: bag and cards are the hall's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from station.base.errors import Unreadable
from station.base.tongue import tr
from station.games import AnyRules
from station.night.acts import MakeMove
from station.night.table.choices import tried
from station.night.table.company import STAKES_IN_A_PURSE, Seat
from station.night.table.game import GameInPlay, dealt, parse_move, played
from station.programme.programme import GamePlan
from station.programme.table import TablePlan
from station.rules.abilities import SellsCards
from station.rules.law import Chances, came
from station.rules.play import Actor, Choose, Need
from station.rules.seen import Watching

T = TypeVar("T")


class Randomness(Chances, Protocol):
    """The part of `random.Random` that a whole game uses."""

    def random(self) -> float:
        """Return a number from 0 to 1."""

    def choices(self, population: Sequence[T], weights: Sequence[int] | None = None) -> list[T]:
        """Return one thing, by the weights if given, in a list."""


class TableLuck(Choose):
    """The chance of a game and of its simulated players.

    Args:
        source: where it comes from.
    """

    def __init__(self, source: Randomness) -> None:
        self.source = source

    def chance(self, odds: float) -> bool:
        """Return true with this probability."""
        return self.source.random() < odds

    def one(self, some: Sequence[T], weights: Sequence[int] | None = None) -> T:
        """Return one of some things."""
        return self.source.choices(some, weights)[0]


def alone(rules: AnyRules) -> bool:
    """Return whether a game can be played without a station."""
    sold = rules.ability(SellsCards) is not None
    return not sold and not rules.needs & {Need.BAG, Need.CARDS}


def company(
    rules: AnyRules, names: Sequence[str], settings: Mapping[str, Any] | None = None
) -> GameInPlay:
    """Return a game with its stakes paid, by simulated players; a unit of the rules is worth as
    little as can be.

    Args:
        settings: what is agreed on in this game, where it is not the usual.

    Raises:
        Unreadable: the game is not for so many, or is played with the hall's knobs or cards.
    """
    if not alone(rules):
        raise Unreadable(
            tr(
                "{game} is played with the hall's knobs and cards: {command}",
                game=tr(rules.title),
                command="./loto run",
            )
        )
    agreed = settings or {}
    parts, _ = rules.parts(TablePlan(**agreed).of(rules))
    plan = GamePlan(name=rules.title, method=rules.name, table=TablePlan(stake=parts, **agreed))
    seats = [Seat(name, STAKES_IN_A_PURSE * parts, simulated=True) for name in names]
    return dealt(plan, seats, {}, "")


def decided(table: GameInPlay, luck: TableLuck, people: Collection[int] = ()) -> MakeMove | None:
    """Return the next move; None where a person is to decide.

    The simulated players who are awaited go first, then chance, then the host for the company: he
    makes the first move that is allowed. Where chance and a person are awaited, chance decides; he
    may do something else before.
    """
    rules, state = table.rules, table.state
    to_act = rules.to_act(state)
    seats = sorted(actor for actor in to_act if isinstance(actor, int))
    simulated = frozenset(range(1, len(table.seats) + 1)) - frozenset(people)
    for seat in seats:
        if seat not in simulated:
            continue
        wish = rules.bot(state, seat, luck, simulated)
        if wish is not None and wish.move:
            return MakeMove(move=dict(wish.move))
    if (law := rules.chance(state)) is not None:
        return MakeMove(move={"do": law.do, law.field: came(law, luck.source)})
    return None if seats else by_host(table)


def by_host(table: GameInPlay) -> MakeMove | None:
    """Return what the host does for the company, the first move that is allowed; None where he is
    not awaited."""
    rules, state = table.rules, table.state
    if Actor.HOST not in rules.to_act(state):
        return None
    may = (move for move in rules.actions(state, Watching.HOST) if not move.seat)
    first = next((move for move in may if tried(rules, state, move).legal), None)
    return None if first is None else MakeMove(move={"do": first.do, **first.fields})


def after(table: GameInPlay, act: MakeMove) -> GameInPlay:
    """Return the game after a move.

    Raises:
        IllegalAction: the rules refuse it.
        Unreadable: the move is malformed.
    """
    return played(table, parse_move(table.method, act.whole))


def to_the_end(table: GameInPlay, luck: TableLuck) -> Iterator[GameInPlay]:
    """Yield the game after each move, played by chance and simulated players to its end.

    Raises:
        Unreadable: nobody decides: it would never end.
    """
    while not table.over:
        act = decided(table, luck)
        if act is None:
            raise Unreadable(f"{table.rules.title}: nobody decides what comes next")
        table = after(table, act)
        yield table
