"""A game of Loto, Second Method, at one moment: cards, counters, the drawing, and what is still
owed.

What may happen next is in `station.games.loto_second.game`; the line it is written on in
`station.games.loto_second.notation`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from station.base.nouns import Card
from station.games.loto_second.actions import Exchange
from station.rules.patterns import ROW_NAMES
from station.rules.terms import BOOK, Terms

TITLE = "Loto, Second Method"
# cards at the start: none for who looks on at first, half a stake, one, double, treble
TAKES = (0, 1, 2, 4, 6)


class Phase(StrEnum):
    """Where the game stands."""

    BETWEEN = "between"  # before a drawing: cards may change hands
    DRAWING = "drawing"
    # the pool could not give what is wanted: the players add, or the game is finished
    SHORT = "short"
    OVER = "over"


@dataclass(frozen=True)
class Setup:
    """What is frozen when the company sits down.

    Attributes:
        cards: the pack, by serial, in the order in which the shuffled cards are drawn. Never part
            of a notation: `register` stands for it.
        takes: how many cards each seat takes at the start, from the eldest hand leftwards; none for
            one who looks on at first.
        purses: what each seat can pay, in counters. Who joins later is not among them
            (`State.joined`).
        changes: cards may be exchanged, thrown up and taken before each drawing and replenishment,
            not only before the first drawing.
        confirm: an exchange between two players waits until the other one agrees.
        in_money: prizes are paid at once in money, at the counters' value.
        by_card: a drawing that was settled is told row by row, not as a total. It changes nothing
            of the game, and is no part of a notation.
        value: what a counter is worth, in minor units.
        register: a digest of the cards in their order.
    """

    cards: Mapping[str, Card]
    takes: tuple[int, ...]
    purses: tuple[int, ...]
    changes: bool = True
    confirm: bool = True
    in_money: bool = False
    by_card: bool = False
    value: int = 1
    register: str = ""
    terms: Terms = BOOK


@dataclass(frozen=True, slots=True)
class Drawn:
    """A knob of this drawing, and the counters it moved.

    Attributes:
        laid: counters that lie on it, over all cards.
        lent: what the table took from the pool when it was drawn.
    """

    number: int
    laid: int
    lent: int


@dataclass(frozen=True, slots=True)
class Due:
    """What a row has won: whose, on which card, which row from the top (0 to 2), and how many
    counters are not paid yet."""

    seat: int
    serial: str
    row: int
    counters: int


@dataclass(frozen=True, slots=True)
class Row:
    """What one row came to in a drawing.

    Attributes:
        laid: counters on it, which its player keeps.
        won: what it wins from the pool besides.
    """

    seat: int
    serial: str
    row: int
    laid: int
    won: int

    @property
    def name(self) -> str:
        """Abstract, ambo, terne, quaterne, quinterne, or a dash for a row without a counter."""
        return ROW_NAMES[self.laid]


@dataclass(frozen=True)
class State:
    """A game at one moment. Seats count from 1, leftwards; seat 1 is the eldest hand and stays so
    while the bag moves.

    Attributes:
        taken: the cards of each seat, in the order in which they came.
        rest: the cards that nobody has, in the order in which they are drawn.
        purses, hands: counters' worth outside the game, and counters won, of each seat.
        table, pool: counters for covering that lie free, and for prizes.
        drawer: the seat that has the bag.
        drawings: how many were finished.
        left: how many drawings are still to be made, once that was resolved; None before.
        drawn: the knobs of this drawing.
        came: the knobs of the drawing before, in the order in which they were drawn: they are in
            the bag again, or put away.
        uncovered: cards that bear the last knob and have no counter on it, for the table had none
            left.
        away: knobs put away, ascending: their numbers stand on no card that is taken.
        dues: what this drawing's rows won and has not been paid, in the order of paying.
        unpaid: what stays unpaid: the Bankruptcy.
        joined: what each of those who joined later came with, in counters; they have the last
            seats.
        offer: an exchange that waits for the other player's answer.
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
    came: tuple[int, ...] = ()
    uncovered: tuple[str, ...] = ()
    away: tuple[int, ...] = ()
    dues: tuple[Due, ...] = ()
    unpaid: tuple[Due, ...] = ()
    joined: tuple[int, ...] = ()
    offer: Exchange | None = None

    @property
    def seats(self) -> int:
        """How many are at the table."""
        return len(self.taken)

    @property
    def came_with(self) -> tuple[int, ...]:
        """What each seat came with, in counters."""
        return (*self.setup.purses, *self.joined)

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
    def reserve(self) -> int:
        """The sum reserved to redeem counters at the end, in counters: as many as are out on the
        table, on cards and in hands."""
        return self.table + self.laid + sum(self.hands)

    @property
    def in_play(self) -> int:
        """How many cards are taken."""
        return sum(map(len, self.taken))

    @property
    def bag(self) -> frozenset[int]:
        """The knobs in the bag, for the census: drawn + bag + put away is all there are."""
        return frozenset(range(1, self.setup.terms.knobs + 1)).difference(self.numbers, self.away)

    def held(self) -> Iterator[tuple[int, str]]:
        """Every card that is taken, with its seat, from the eldest hand leftwards."""
        for seat, cards in enumerate(self.taken, 1):
            for serial in cards:
                yield seat, serial

    def bearing(self, number: int) -> tuple[str, ...]:
        """The taken cards that bear a number, from the eldest hand leftwards."""
        return tuple(
            serial for _, serial in self.held() if number in self.setup.cards[serial].numbers
        )

    def covered(self, serial: str) -> frozenset[int]:
        """The numbers of a card that have a counter."""
        found = self.setup.cards[serial].numbers.intersection(self.numbers)
        return found - {self.numbers[-1]} if serial in self.uncovered else found

    def rows(self) -> tuple[Row, ...]:
        """Every row of every card that is taken, in the order of paying.

        That is from the drawer leftwards, in the last drawing from the eldest hand; card by card,
        from the top.
        """
        prizes = self.setup.terms.prizes
        first = 0 if self.last else self.drawer - 1
        found = []
        for seat in (*range(first, self.seats), *range(first)):
            for serial in self.taken[seat]:
                covered = self.covered(serial)
                for place, numbers in enumerate(self.setup.cards[serial].rows):
                    laid = len(covered.intersection(numbers))
                    found.append(Row(seat + 1, serial, place, laid, prizes[laid]))
        return tuple(found)


def classes(rows: Iterable[Row]) -> tuple[int, ...]:
    """A drawing told as a total: how many rows came to nothing, to an abstract, an ambo, a terne, a
    quaterne, a quinterne."""
    found = Counter(row.laid for row in rows)
    return tuple(found[laid] for laid in range(len(ROW_NAMES)))
