"""Define the actions and the state of Loto, Second Method, and why an action is refused.

`station.games.loto_second.rules` says what may happen next, and writes a game on one line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from station.base.nouns import Card
from station.base.tongue import key
from station.rules.box import PieceExchange
from station.rules.patterns import ROW_NAMES
from station.rules.terms import BOOK, Terms


class Reason(StrEnum):
    """Why an action is not legal."""

    OVER = "game-over"
    DRAWING = "drawing"
    DRAWN = "already-drawn"
    AWAY = "put-away"
    NO_KNOB = "no-such-knob"
    FULL_BOARD = "board-full"
    NOT_FULL = "board-not-full"
    NOTHING_DRAWN = "nothing-drawn"
    NOT_DRAWN = "not-drawn"
    NO_SEAT = "no-such-seat"
    NO_SEAT_LEFT = "no-seat-left"
    NO_CARD = "no-such-card"
    NOT_HELD = "not-held"
    NOT_FREE = "not-free"
    NO_CARDS_LEFT = "no-cards-left"
    NO_CHANGES = "no-changes"
    NOT_PAID = "stake-not-paid"
    ON_A_CARD = "on-a-card"
    BAG_LOW = "bag-low"
    RESOLVED = "resolved-already"
    NO_DRAWINGS = "no-drawings"
    NOT_SHORT = "not-short"
    SHORT = "pool-short"
    OFFERED = "offer-stands"
    NOT_OFFERED = "no-offer"
    NOT_AN_ACTION = "not-an-action"


@dataclass(frozen=True, slots=True)
class Agree:
    """Agree, as the other player, to the exchange that was offered; it is made."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline the exchange that was offered, or take the offer back."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Take a knob out of the bag, as the drawer; counters are laid on its number."""

    number: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """Exchange a card for one that nobody has, or for another player's.

    Attributes:
        seat, serial: the player's seat, and the card that is given.
        other: the other player's seat; 0 for a card that nobody has.
        wanted: the card that is got for it.
    """

    seat: int
    serial: str
    other: int
    wanted: str


@dataclass(frozen=True, slots=True)
class Finish:
    """Finish the game, since nobody adds to the pool; what is not paid stays unpaid."""


@dataclass(frozen=True, slots=True)
class Join:
    """Join the company in the seat after the last, without a card; the player takes one afterwards.

    Attributes:
        purse: what he can pay, in counters.
    """

    purse: int


@dataclass(frozen=True, slots=True)
class PutAway:
    """Put away a knob of the last drawing, whose number stands on no card taken."""

    number: int


@dataclass(frozen=True, slots=True)
class Replenish:
    """Add to the pool, every player by the cards he has."""


@dataclass(frozen=True, slots=True)
class Resolve:
    """Have only this many drawings more, as the players agree."""

    drawings: int


@dataclass(frozen=True, slots=True)
class Settle:
    """Settle the drawing: laid counters are kept, rows are paid, the knobs go back."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take one more card, the next of those that nobody has, and pay for it."""

    seat: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the last knob of this drawing, which was wrong, with the counters on its number."""


@dataclass(frozen=True, slots=True)
class ThrowUp:
    """Throw up a card, and get its share back."""

    seat: int
    serial: str


Action: TypeAlias = (
    Agree
    | Decline
    | Draw
    | Exchange
    | Finish
    | Join
    | PutAway
    | Replenish
    | Resolve
    | Settle
    | Take
    | TakeBack
    | ThrowUp
)


# -- the state: cards, counters, drawing, what is owed ---------------------------------------------

TITLE = key("Loto, Second Method")
# cards at the start: none for who looks on at first, half a stake, one, double, treble
TAKES = (0, 1, 2, 4, 6)


class GamePhase(StrEnum):
    """Where the game stands."""

    BETWEEN = "between"  # before a drawing: cards may change hands
    DRAWING = "drawing"
    # the pool could not give enough: the players add, or the game is finished
    SHORT = "short"
    OVER = "over"


@dataclass(frozen=True)
class Setup:
    """What is frozen when the company sits down.

    Attributes:
        cards: the pack, by serial, in the order in which the shuffled cards are drawn. Never part
            of a notation: `register` stands for it.
        takes: how many cards each seat takes at the start, from the eldest hand leftwards; 0 for
            one who looks on at first.
        purses: what each seat can pay, in counters; without those who join later (`State.joined`).
        changes: whether cards may be exchanged, thrown up and taken before each drawing and
            replenishment, not only before the first drawing.
        confirm: whether an exchange between two players waits until the other one agrees.
        in_money: whether prizes are paid at once in money, at the counters' value.
        by_card: whether a settled drawing is told row by row, not as a total. It does not change
            the game, and is not part of a notation.
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
        laid: how many counters lie on its number, over all cards.
        lent: how many counters the table took from the pool when it was drawn.
    """

    number: int
    laid: int
    lent: int


@dataclass(frozen=True, slots=True)
class Due:
    """What is owed to a row of a card, from the top (0 to 2), and is not paid yet, in counters."""

    seat: int
    serial: str
    row: int
    counters: int


@dataclass(frozen=True, slots=True)
class Row:
    """The result of one row in a drawing.

    Attributes:
        laid: how many counters lie on it, which its player keeps.
        won: how many more it wins from the pool.
    """

    seat: int
    serial: str
    row: int
    laid: int
    won: int


@dataclass(frozen=True, slots=True)
class SettledRow(Row):
    """A row in a settled drawing.

    Attributes:
        paid: how many of the counters that it won were paid so far.
    """

    paid: int


@dataclass(frozen=True, slots=True)
class Payment:
    """How a seat is paid where the bank cannot lay the sum down piece by piece.

    Attributes:
        counters: how many it is paid.
        change: what the bank gives, and what the player gives back for it; None: the box has no
            change, and the sum is written down.
    """

    seat: int
    counters: int
    change: PieceExchange | None


@dataclass(frozen=True, slots=True)
class Settlement:
    """A drawing that was settled.

    Attributes:
        drawing: the drawing's place in the game, from 1.
        numbers: its knobs, in the order in which they were drawn.
        classes: how many rows have no counter, one, two, … five.
        rows: the rows with a counter, in the order of paying.
        payments: where the bank must change for what was paid last: as the drawing was settled, or
            later, when the pool had more.
    """

    drawing: int
    numbers: tuple[int, ...]
    classes: tuple[int, ...]
    rows: tuple[SettledRow, ...]
    payments: tuple[Payment, ...] = ()

    @property
    def laid(self) -> int:
        """Return how many counters players keep from their cards."""
        return sum(row.laid for row in self.rows)

    @property
    def won(self) -> int:
        """Return how many counters were won from the pool."""
        return sum(row.won for row in self.rows)

    @property
    def paid(self) -> int:
        """Return how many of the counters won were paid so far."""
        return sum(row.paid for row in self.rows)


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
        drawings: how many drawings were finished.
        left: how many drawings are still to be made, once the players resolved on it; None before.
        drawn: the knobs of this drawing.
        came: the knobs of the drawing before, in the order in which they were drawn, now in the bag
            again or put away.
        uncovered: cards that bear the last knob's number without a counter on it, for the table had
            none left.
        away: the knobs put away, ascending; their numbers stand on no card that is taken.
        dues: what is still owed to this drawing's rows, in the order of paying.
        unpaid: what stays unpaid: the Bankruptcy.
        joined: what each player who joined later came with, in counters; these have the last seats.
        offer: an exchange that waits for the other player's answer; None without one.
        settlement: how the last drawing was settled; None before the first. It follows from the
            states before, and is not a part of the notation.
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
    phase: GamePhase = GamePhase.BETWEEN
    drawn: tuple[Drawn, ...] = ()
    came: tuple[int, ...] = ()
    uncovered: tuple[str, ...] = ()
    away: tuple[int, ...] = ()
    dues: tuple[Due, ...] = ()
    unpaid: tuple[Due, ...] = ()
    joined: tuple[int, ...] = ()
    offer: Exchange | None = None
    settlement: Settlement | None = field(default=None, compare=False)

    @property
    def seats(self) -> int:
        """Return how many seats there are."""
        return len(self.taken)

    @property
    def came_with(self) -> tuple[int, ...]:
        """Return what each seat came with, in counters."""
        return (*self.setup.purses, *self.joined)

    @property
    def last(self) -> bool:
        """Return whether this is the last drawing."""
        return self.left == 1

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the knobs on the board, in the order in which they were drawn."""
        return tuple(one.number for one in self.drawn)

    @property
    def laid(self) -> int:
        """Return how many counters lie on cards."""
        return sum(one.laid for one in self.drawn)

    @property
    def reserve(self) -> int:
        """Return the sum that redeems counters at the end: those on table, cards and in hands."""
        return self.table + self.laid + sum(self.hands)

    @property
    def in_play(self) -> int:
        """Return how many cards are taken."""
        return sum(map(len, self.taken))

    @property
    def bag(self) -> frozenset[int]:
        """Return the knobs in the bag, for the census: each is drawn, in the bag, or put away."""
        return frozenset(range(1, self.setup.terms.knobs + 1)).difference(self.numbers, self.away)

    def held(self) -> Iterator[tuple[int, str]]:
        """Yield every card that is taken, with its seat, from the eldest hand leftwards."""
        for seat, cards in enumerate(self.taken, 1):
            for serial in cards:
                yield seat, serial

    def bearing(self, number: int) -> tuple[str, ...]:
        """Return the taken cards that bear a number, from the eldest hand leftwards."""
        return tuple(
            serial for _, serial in self.held() if number in self.setup.cards[serial].numbers
        )

    def covered(self, serial: str) -> frozenset[int]:
        """Return the numbers of a card that have a counter."""
        found = self.setup.cards[serial].numbers.intersection(self.numbers)
        return found - {self.numbers[-1]} if serial in self.uncovered else found

    def rows(self) -> tuple[Row, ...]:
        """Return every row of every card that is taken, in the order of paying.

        That order goes from the drawer leftwards, in the last drawing from the eldest hand; card by
        card, each from the top.
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
    """Return how many rows of a drawing have no counter, one (an abstract), two, … five."""
    found = Counter(row.laid for row in rows)
    return tuple(found[laid] for laid in range(len(ROW_NAMES)))
