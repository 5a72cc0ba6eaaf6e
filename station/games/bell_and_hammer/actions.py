"""Define what can be done in Bell and Hammer, and why an action is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


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
