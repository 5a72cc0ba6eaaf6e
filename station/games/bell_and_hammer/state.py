"""Define the actions and the state of Bell and Hammer, and why an action is refused.

`station.games.bell_and_hammer.rules` says what may happen next, and writes a game on one line.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

from station.base.tongue import key


class Reason(StrEnum):
    """Why an action is not legal."""

    OVER = "game-over"
    NO_SALE = "nothing-is-sold"
    NOT_YOUR_TURN = "not-your-turn"
    TOO_LOW = "bid-too-low"
    TOO_HIGH = "bid-too-high"
    STILL_BIDDING = "still-bidding"
    NO_BID = "no-bid"
    OFFERED = "already-offered"
    NO_THROW = "no-throw-now"
    WRONG_CUBES = "no-such-cubes"
    NOTHING_THROWN = "nothing-thrown"
    NOT_AN_ACTION = "not-an-action"


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid so many counters for the card, or for the throw, that is being sold.

    Attributes:
        counters: as a listed action, the least that may be bid; all above it up to the highest bid
            of the game may be bid, too.
    """

    seat: int
    counters: int


@dataclass(frozen=True, slots=True)
class KeepThrow:
    """Refuse the best bid for the throw, and throw yourself."""

    seat: int


@dataclass(frozen=True, slots=True)
class KnockDown:
    """Knock the card down to the highest bidder: going, going, gone."""


@dataclass(frozen=True, slots=True)
class OfferThrow:
    """Offer your throw to the highest bidder, before the cubes fall."""

    seat: int


@dataclass(frozen=True, slots=True)
class PassBid:
    """Bid no more for what is being sold."""

    seat: int


@dataclass(frozen=True, slots=True)
class SellThrow:
    """Sell your throw at the best bid; its bidder throws."""

    seat: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the throw that fell last, which was read wrongly, with what was paid for it."""


@dataclass(frozen=True, slots=True)
class ThrowCubes:
    """Throw the eight cubes.

    Attributes:
        shown: the marks that show, in any order; `BLANKS` where none does. As a pattern,
            `ANYTHING` stands for all that the cubes can show.
    """

    shown: tuple[str, ...]


Action: TypeAlias = (
    Bid | KeepThrow | KnockDown | OfferThrow | PassBid | SellThrow | TakeBack | ThrowCubes
)
BLANKS = ("blank",)
ANYTHING: tuple[str, ...] = ()


# -- the state: counters, holders, what is being sold, the last throw ------------------------------

TITLE = key("Bell and Hammer")
DOZEN = 12
BELL, HAMMER = "bell", "hammer"
CUBES = ("1", "2", "3", "4", "5", "6", BELL, HAMMER)
POOL = 0  # in place of a seat, where the pool pays


class SoldCard(StrEnum):
    """The five cards, in the order in which they are sold."""

    HORSE = "white-horse"
    INN = "inn"
    BELL = "bell"
    HAMMER = "hammer"
    BOTH = "bell-with-hammer"


CARDS = tuple(SoldCard)


class GamePhase(StrEnum):
    """Where the game stands."""

    CARDS = "cards"  # are being sold
    THROWS = "throws"
    WON = "won"  # over: a throw has cleared the pool
    BROKEN = "broken"  # over: broken off


@dataclass(frozen=True)
class Setup:
    """What is frozen when the company sits down.

    Attributes:
        purses: what each seat has outside the game: in counters where these are redeemed at their
            value, in minor units of money where the receipts are divided.
        start: how many counters each player is given.
        stake: how many of them each puts into the pool.
        price: of a dozen counters, in minor units, where the receipts are divided; 0 where each
            counter is redeemed at its value.
        nuts: whether counters are shown as nuts.
        cubes: the marks, one on each cube; smaller games are for tests that count every case.
        held: the seats that hold the first cards, in the order of `CARDS`, where a company has
            agreed on them; the others are sold.
    """

    purses: tuple[int, ...]
    start: int = 2 * DOZEN
    stake: int = DOZEN
    price: int = 0
    nuts: bool = False
    cubes: tuple[str, ...] = CUBES
    held: tuple[int, ...] = ()

    @property
    def seats(self) -> int:
        """Return how many seats there are."""
        return len(self.purses)

    @property
    def highest(self) -> int:
        """Return the highest bid that is allowed: all counters with which the game began."""
        return self.seats * self.start

    @property
    def paid(self) -> int:
        """Return what each player pays for his counters, in units of the purses."""
        return self.price * self.start // DOZEN if self.price else self.start

    @cached_property
    def throws(self) -> tuple[tuple[str, ...], ...]:
        """Return all that the cubes can show, in the order of the words."""
        sizes = range(1, len(self.cubes) + 1)
        return tuple(sorted((BLANKS, *(one for n in sizes for one in combinations(self.cubes, n)))))


@dataclass(frozen=True, slots=True)
class Auction:
    """The sale of a card, or of a throw.

    Attributes:
        bid, bidder: the best bid, and whose it is; both 0 where there is none.
        turn: who is asked; 0 where nobody is: all others have passed.
        out: who bids no more, in the order of the seats.
    """

    turn: int
    bid: int = 0
    bidder: int = 0
    out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Payment:
    """Counters that went from one to another.

    Attributes:
        source: the seat that pays, or `POOL`.
    """

    source: int
    target: int
    counters: int


@dataclass(frozen=True, slots=True)
class Fall:
    """A throw as it fell, and what was paid for it.

    Attributes:
        inn, offered: whether the inn had begun before, and whether the throw had been offered.
    """

    thrower: int
    shown: tuple[str, ...]
    payments: tuple[Payment, ...]
    inn: bool = False
    offered: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """A game at one moment.

    Attributes:
        purses: what each seat has outside the game; below zero he owes it to the cashier.
        hands: the counters of each seat; below zero they are owed, and later receipts pay them.
        receipts: the money paid for counters, where the receipts are divided.
        owners: the seats that hold the cards sold so far, in the order of `CARDS`.
        turn: whose turn it is to throw; 0 while cards are being sold, and at the end.
        thrower: who throws: he, or who has bought his throw.
        offered: whether this turn's throw has been offered.
        inn: whether the inn has begun to receive.
        throws: how many throws have fallen.
        last: the last of them; None where it was taken back.
        final: the counters of each seat at the end, before they were redeemed.
    """

    setup: Setup
    purses: tuple[int, ...]
    hands: tuple[int, ...]
    pool: int
    phase: GamePhase = GamePhase.CARDS
    receipts: int = 0
    owners: tuple[int, ...] = ()
    auction: Auction | None = None
    turn: int = 0
    thrower: int = 0
    offered: bool = False
    inn: bool = False
    throws: int = 0
    last: Fall | None = None
    final: tuple[int, ...] = ()

    @property
    def over(self) -> bool:
        """Return whether the game has ended and all is redeemed."""
        return self.phase in (GamePhase.WON, GamePhase.BROKEN)

    @property
    def lot(self) -> SoldCard | None:
        """Return the card that is being sold."""
        return CARDS[len(self.owners)] if self.phase is GamePhase.CARDS else None

    def holder(self, card: SoldCard) -> int:
        """Return the seat that holds a card."""
        return self.owners[CARDS.index(card)]

    @property
    def can_take_back(self) -> bool:
        """Return whether the last throw may be taken back: nothing has followed it."""
        return (
            self.phase is GamePhase.THROWS
            and self.auction is None
            and not self.offered
            and self.last is not None
        )

    def left_of(self, seat: int) -> int:
        """Return the next seat leftwards round the table."""
        return seat % self.setup.seats + 1
