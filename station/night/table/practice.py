"""Play a game at the table without a station, for one person or none. Pure.

Chance and simulated players decide, or somebody who is asked; a person sits in seat 1. Games with
knobs and with cards of Loto are not played so: bag and cards are the hall's.

Nobody hosts such a game. A host's acts, deals and throws happen by themselves, one at a time; the
shell decides how long each one waits. Only the person's own throws wait for the person.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Protocol, TypeAlias, TypeVar

from station.base.errors import NotAllowed, Unreadable
from station.base.nouns import Card
from station.base.tongue import tr
from station.games import GAMES, AnyRules
from station.night.acts import DrawKnob, MakeMove
from station.night.table.choices import may_ask, tried
from station.night.table.game import (
    STAKES_IN_A_PURSE,
    Deed,
    GameInPlay,
    Seat,
    broken_off,
    dealt,
    done_by,
    drawn,
    next_step,
    parse_move,
    played,
    shaken,
)
from station.night.table.luck import thrower
from station.programme.programme import GamePlan
from station.programme.table import TablePlan
from station.rules.abilities import Auctions, SellsCards
from station.rules.law import Chances, came
from station.rules.play import COMPANY, Actor, Choose, Luck, Need
from station.rules.seen import Move, Watching

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


# -- a game for one person -------------------------------------------------------------------------

PERSON = 1  # the person's seat
USUAL_SEATS = 4
KEPT = 4  # deeds that a page can still tell
CARDS_DEALT = 24  # of Loto, where a game needs them

Cards: TypeAlias = Mapping[str, Card]


class PracticeReason(StrEnum):
    """Why something is refused in a game of practice."""

    NOT_YOURS = "not-your-seat"


class Coming(StrEnum):
    """What comes next in a game of practice."""

    OVER = "over"
    MOVE = "move"  # the person decides
    THROW = "throw"  # the person throws, or decides to do something else
    BY_ITSELF = "by-itself"


@dataclass(frozen=True)
class PracticeGame:
    """A game of practice at one moment.

    Attributes:
        table: the game as it stands now.
        count: how many deeds were done; it grows by one with each.
        deeds: the last ones, oldest first.
    """

    table: GameInPlay
    count: int = 0
    deeds: tuple[Deed, ...] = ()


def practised() -> dict[str, tuple[int, int]]:
    """Return the games that one person may play, by name, with the fewest and the most players.

    >>> practised()["spoil-five"]
    (2, 10)
    """
    return {
        name: (max(2, rules.seats[0]), rules.seats[1])
        for name, rules in GAMES.items()
        if rules.ability(SellsCards) is None
    }


def needs_cards(method: str) -> bool:
    """Return whether cards of Loto are dealt for a game."""
    return method in practised() and Need.CARDS in GAMES[method].needs


def begun(method: str, names: Sequence[str], cards: Cards | None = None) -> PracticeGame:
    """Return a game with its stakes paid, by its usual rules. A unit of the rules is worth as
    little as can be: nobody plays for money here.

    Args:
        names: the players, the person first.
        cards: cards of Loto, for a game that needs them.

    Raises:
        Unreadable: nobody plays this game at a table, or it is not for so many players.
    """
    if method not in practised():
        games = ", ".join(practised())
        raise Unreadable(
            tr("{game} is not played at a table: {games} are", game=method, games=games)
        )
    rules, given = GAMES[method], cards or {}
    parts, _ = rules.parts(TablePlan().of(rules))
    agreed = TablePlan(stake=parts, cards=len(given)) if given else TablePlan(stake=parts)
    plan = GamePlan(name=rules.title, method=rules.name, table=agreed)
    purse = STAKES_IN_A_PURSE * parts
    seats = [Seat(name, purse, simulated=seat != PERSON) for seat, name in enumerate(names, 1)]
    table = dealt(plan, seats, given, "")
    return PracticeGame(table, 0, (Deed(None, table),))


def coming(game: PracticeGame) -> Coming:
    """Return what comes next."""
    table = game.table
    if table.over:
        return Coming.OVER
    if thrower(table) == PERSON:
        return Coming.THROW
    awaited = {one for one in table.rules.to_act(table.state) if isinstance(one, int)}
    waits = awaited == {PERSON} and table.rules.chance(table.state) is None
    return Coming.MOVE if waits else Coming.BY_ITSELF


def may_speak(game: PracticeGame) -> bool:
    """Return whether the person may do something before the game continues by itself."""
    rules, state = game.table.rules, game.table.state
    return any(tried(rules, state, move).legal for move in rules.actions(state, PERSON))


def company_moves(game: PracticeGame) -> tuple[Move, ...]:
    """Return the moves that the company agrees on, which the person may ask for here: there is no
    host. Left out are those of chance, the gavel, and declarations."""
    table, auction = game.table, game.table.rules.ability(Auctions)
    rules, law = table.rules, table.rules.chance(table.state)
    if table.over:
        return ()
    return tuple(
        move
        for move in rules.actions(table.state, Watching.HOST)
        if move.seat == COMPANY
        and not move.aside
        and not (auction is not None and move.do == auction.gavel)
        and not (law is not None and (move.do == law.do or law.kind is not Luck.KNOB))
        and tried(rules, table.state, move).legal
    )


def gone_on(game: PracticeGame, luck: TableLuck) -> PracticeGame:
    """Return the game after the next deed that happens by itself: a simulated player's, chance's,
    or what a host would do. The same game where it waits for the person, or is over.
    """
    if coming(game) is not Coming.BY_ITSELF:
        return game
    table, step = game.table, next_step(game.table)
    if step == "shake":
        return _told(game, shaken(table, anew=True))
    if step == "close":
        return _told(game, broken_off(table))
    law = table.rules.chance(table.state)
    if law is not None and law.kind is Luck.KNOB:
        number = luck.one(sorted(law.numbers))
        after = drawn(table, number)
        done = done_by(DrawKnob(number=number), table, after)
        return _told(game, after, Deed(done, after, number))
    if law is None and step in table.rules.moves and not _seats_awaited(table):
        return _moved(game, {"do": step})
    act = decided(table, luck, {PERSON})
    return game if act is None else _moved(game, act.move)


def moved(game: PracticeGame, move: Mapping[str, Any], luck: TableLuck) -> PracticeGame:
    """Return the game after a move of the person; the results of a throw come from `luck`.

    Raises:
        NotAllowed: the rules refuse the move, or it is not the person's.
        Unreadable: the move is malformed.
    """
    table, do = game.table, move.get("do")
    law = table.rules.chance(table.state)
    if law is not None and thrower(table) == PERSON and move == {"do": law.do}:
        return _moved(game, {**move, law.field: came(law, luck.source)})
    company = {one.do for one in company_moves(game)}
    if not may_ask(table, PERSON, move) and not (isinstance(do, str) and do in company):
        raise NotAllowed(
            PracticeReason.NOT_YOURS, "that is not yours to do now: wait for your turn"
        )
    return _moved(game, move)


def _seats_awaited(table: GameInPlay) -> bool:
    return any(isinstance(one, int) for one in table.rules.to_act(table.state))


def _moved(game: PracticeGame, move: Mapping[str, Any]) -> PracticeGame:
    before = game.table
    after = played(before, parse_move(before.method, move))
    return _told(game, after, Deed(done_by(MakeMove(move=dict(move)), before, after), after))


def _told(game: PracticeGame, table: GameInPlay, deed: Deed | None = None) -> PracticeGame:
    """Return the game with one more deed. The game before a deed is forgotten: nobody takes
    anything back here."""
    table = replace(table, before=None)
    deeds = (*game.deeds, replace(deed, table=table))[-KEPT:] if deed is not None else game.deeds
    return PracticeGame(table, game.count + 1, deeds)
