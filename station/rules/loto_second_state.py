"""A game of Loto, Second Method, at one moment: cards, counters, the drawing, what is still owed, and the one line it is written on.

What may happen next is in `station.rules.loto_second`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from station.errors import Unreadable
from station.table import CAVITIES, KNOBS, Card

TITLE = "Loto, Second Method"
SEATS = 24
TAKES = (1, 2, 4, 6)  # cards that a player may take at the start: half a stake, one, double, treble


class Phase(StrEnum):
    """Where the game stands."""

    BETWEEN = "between"  # before a drawing: cards may change hands
    DRAWING = "drawing"
    SHORT = "short"  # the pool could not give what is owed: the players add, or the game is finished
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Terms:
    """The sizes of the game, and what a row wins; the book's, unless a small one is counted.

    Attributes:
        on_table: counters that each card gives for covering.
        in_pool: counters that each card gives for the prizes, also when the pool is replenished.
        prizes: what a row wins from the pool, by the counters on it, from none on.
        cavities: knobs in one drawing.
        knobs: in the bag.
        again: counters a card that an empty table takes from the pool before the last drawing.
    """

    on_table: int = 15
    in_pool: int = 45
    prizes: tuple[int, ...] = (0, 0, 5, 25, 100, 250)
    cavities: int = CAVITIES
    knobs: int = KNOBS
    again: int = 2

    @property
    def a_card(self) -> int:
        """The counters that a card contributes."""
        return self.on_table + self.in_pool


BOOK = Terms()


@dataclass(frozen=True)
class Setup:
    """What is frozen when the company sits down.

    Attributes:
        cards: the pack, by serial, in the order in which the shuffled cards are drawn. Never part of a notation: `register` stands
            for it.
        takes: how many cards each seat takes at the start, from the eldest hand leftwards.
        purses: what each seat can pay, in counters.
        changes: cards may be exchanged, thrown up and taken before each drawing too, not only before the first.
        in_money: prizes are paid at once in money, at the counters' value.
        register: a digest of the cards in their order.
    """

    cards: Mapping[str, Card]
    takes: tuple[int, ...]
    purses: tuple[int, ...]
    changes: bool = True
    in_money: bool = False
    register: str = ""
    terms: Terms = BOOK

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.takes)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A knob of this drawing, with what lay on the table's way.

    Attributes:
        laid: counters that were laid on it, over all cards.
        lent: how many of them the table had taken from the pool for it.
    """

    number: int
    laid: int
    lent: int


@dataclass(frozen=True, slots=True)
class Due:
    """What a row has won: whose, on which card, which row from the top (0 to 2), and how many counters are not paid yet."""

    seat: int
    serial: str
    row: int
    counters: int


@dataclass(frozen=True)
class State:
    """A game at one moment. Seats count from 1, leftwards; seat 1 is the eldest hand and stays so while the bag moves.

    Attributes:
        taken: the cards of each seat, in the order in which they came.
        rest: the cards that nobody has, in the order in which they are drawn.
        purses, hands: counters' worth outside the game, and counters won, of each seat.
        table, pool: counters for covering that lie free, and for prizes.
        drawer: the seat that has the bag.
        drawings: how many were finished.
        left: how many drawings are still to be made, once that was resolved; None before.
        drawn: the knobs of this drawing.
        uncovered: cards that bear the last knob and have no counter on it, for the table had none left.
        away: knobs put away, ascending: their numbers stand on no card that is taken.
        dues: what this drawing's rows won and has not been paid, in the order of paying.
        unpaid: what stays unpaid: the Bankruptcy.
    """

    setup: Setup
    taken: tuple[tuple[str, ...], ...]
    rest: tuple[str, ...]
    purses: tuple[int, ...]
    hands: tuple[int, ...]
    table: int
    pool: int
    drawer: int = 1
    drawings: int = 0
    left: int | None = None
    phase: Phase = Phase.BETWEEN
    drawn: tuple[Drawn, ...] = ()
    uncovered: tuple[str, ...] = ()
    away: tuple[int, ...] = ()
    dues: tuple[Due, ...] = ()
    unpaid: tuple[Due, ...] = field(default=())

    @property
    def last(self) -> bool:
        """Whether this is the last drawing."""
        return self.left == 1

    @property
    def numbers(self) -> tuple[int, ...]:
        """The knobs on the board, in the order in which they were drawn."""
        return tuple(one.number for one in self.drawn)

    @property
    def laid(self) -> int:
        """Counters that lie on cards."""
        return sum(one.laid for one in self.drawn)

    @property
    def in_play(self) -> int:
        """How many cards are taken."""
        return sum(map(len, self.taken))

    @property
    def bag(self) -> frozenset[int]:
        """The knobs in the bag: drawn + bag + put away is all there are."""
        return frozenset(range(1, self.setup.terms.knobs + 1)).difference(self.numbers, self.away)

    def held(self) -> Iterator[tuple[int, str]]:
        """Every card that is taken, with its seat, from the eldest hand leftwards."""
        for seat, cards in enumerate(self.taken, 1):
            for serial in cards:
                yield seat, serial

    def on_row(self, serial: str, row: int) -> int:
        """How many counters lie on a row of a card."""
        numbers = self.numbers
        bare = numbers[-1] if serial in self.uncovered else None
        return sum(number in numbers and number != bare for number in self.setup.cards[serial].rows[row])

    def on_card(self, serial: str) -> int:
        """How many counters lie on a card."""
        return sum(self.on_row(serial, row) for row in range(len(self.setup.cards[serial].rows)))


_STATE = re.compile(
    r"register=(?P<register>\S+) terms=(?P<terms>\S+) drawer=(?P<drawer>\d+) drawings=(?P<drawings>\d+) left=(?P<left>-|\d+) (?P<phase>[a-z]+) "
    r"table=(?P<table>\d+) pool=(?P<pool>\d+) purses=(?P<purses>\S+) hands=(?P<hands>\S+) taken=(?P<taken>\S+) rest=(?P<rest>\S+) "
    r"drawn=(?P<drawn>\S+) uncovered=(?P<uncovered>\S+) away=(?P<away>\S+) dues=(?P<dues>\S+) unpaid=(?P<unpaid>\S+)"
)


def terms_text(setup: Setup) -> str:
    """The setup's sizes and settings, as they stand in a notation."""
    terms = setup.terms
    sizes = f"{terms.on_table}+{terms.in_pool}:{'/'.join(map(str, terms.prizes))}:{terms.cavities}of{terms.knobs}:{terms.again}"
    return f"{sizes}:{'changes' if setup.changes else 'fixed'}:{'money' if setup.in_money else 'counters'}"


def notation(state: State) -> str:
    """The state on one line; the cards' numbers stand in it as the register's digest."""
    taken = "/".join(",".join(cards) or "-" for cards in state.taken)
    drawn = ",".join(f"{one.number}:{one.laid}:{one.lent}" for one in state.drawn) or "-"
    return (
        f"register={state.setup.register or '-'} terms={terms_text(state.setup)} drawer={state.drawer} "
        f"drawings={state.drawings} left={'-' if state.left is None else state.left} {state.phase} table={state.table} pool={state.pool} "
        f"purses={_numbers(state.purses)} hands={_numbers(state.hands)} taken={taken} rest={','.join(state.rest) or '-'} "
        f"drawn={drawn} uncovered={','.join(state.uncovered) or '-'} away={_numbers(state.away)} "
        f"dues={_dues(state.dues)} unpaid={_dues(state.unpaid)}"
    )


def _numbers(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers)) or "-"


def _dues(dues: tuple[Due, ...]) -> str:
    return ",".join(f"{due.seat}:{due.serial}:{due.row}:{due.counters}" for due in dues) or "-"


def parse(setup: Setup, text: str) -> State:
    """The inverse of `notation`.

    Raises:
        Unreadable: the text is not a state, or not one that a game with this setup can be in.
    """
    match = _STATE.fullmatch(text)
    if match is None:
        raise Unreadable(f"not a state of {TITLE}: {text!r}")
    if (match["register"], match["terms"]) != (setup.register or "-", terms_text(setup)):
        raise Unreadable(f"a state of another game's setup: {text!r}")
    try:
        state = State(
            setup,
            tuple(tuple(_listed(cards)) for cards in match["taken"].split("/")),
            tuple(_listed(match["rest"])),
            _ints(match["purses"]),
            _ints(match["hands"]),
            int(match["table"]),
            int(match["pool"]),
            int(match["drawer"]),
            int(match["drawings"]),
            None if match["left"] == "-" else int(match["left"]),
            Phase(match["phase"]),
            tuple(Drawn(*map(int, one.split(":"))) for one in _listed(match["drawn"])),
            tuple(_listed(match["uncovered"])),
            _ints(match["away"]),
            _read_dues(match["dues"]),
            _read_dues(match["unpaid"]),
        )
    except (ValueError, TypeError) as error:
        raise Unreadable(f"not a state of {TITLE} ({error}): {text!r}") from error
    if not _possible(state) or notation(state) != text:
        raise Unreadable(f"no game of {TITLE} can be in this state: {text!r}")
    return state


def _listed(text: str) -> list[str]:
    return [] if text == "-" else text.split(",")


def _ints(text: str) -> tuple[int, ...]:
    return tuple(map(int, _listed(text)))


def _read_dues(text: str) -> tuple[Due, ...]:
    parts = (one.split(":") for one in _listed(text))
    return tuple(Due(int(seat), serial, int(row), int(counters)) for seat, serial, row, counters in parts)


def _possible(state: State) -> bool:
    """Each card once, each knob once, no counter made or lost, and nothing below zero."""
    setup = state.setup
    cards = [serial for _, serial in state.held()] + list(state.rest)
    knobs = [*state.numbers, *state.away]
    seats = range(1, setup.seats + 1)
    owed = [*state.dues, *state.unpaid]
    return (
        len(state.taken) == len(state.purses) == len(state.hands) == setup.seats
        and state.drawer in seats
        and sorted(cards) == sorted(setup.cards)
        and len(set(knobs)) == len(knobs)
        and all(1 <= knob <= setup.terms.knobs for knob in knobs)
        and list(state.away) == sorted(state.away)
        and len(state.drawn) <= setup.terms.cavities
        and all(one.laid >= 0 and one.lent >= 0 for one in state.drawn)
        and all(units >= 0 for units in (*state.purses, *state.hands))
        and sum(state.purses) + sum(state.hands) + state.table + state.pool + state.laid == sum(setup.purses)
        and all(due.seat in seats and due.serial in setup.cards and due.counters > 0 for due in owed)
        and all(0 <= due.row < len(setup.cards[due.serial].rows) for due in owed)
        and set(state.uncovered) <= {serial for _, serial in state.held()}
        and (not state.uncovered or bool(state.drawn))
    )
