"""What can be done in Loto, Second Method, and why something is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


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
    """The other player agrees to the exchange that was offered; it is made."""


@dataclass(frozen=True, slots=True)
class Decline:
    """The other player keeps his card, or the one who offered thinks better of it."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The drawer takes a knob out of the bag; counters are laid on its number."""

    number: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A card is exchanged for one that nobody has, or for another player's.

    Attributes:
        seat, serial: whose card, and which.
        other: the other player's seat; 0 for a card that nobody has.
        wanted: the card that comes for it.
    """

    seat: int
    serial: str
    other: int
    wanted: str


@dataclass(frozen=True, slots=True)
class Finish:
    """Nobody adds to the pool: the game is finished, and what is not paid stays unpaid."""


@dataclass(frozen=True, slots=True)
class Join:
    """Somebody joins the company: he has the seat after the last, without a card, which he takes
    then.

    Attributes:
        purse: what he can pay, in counters.
    """

    purse: int


@dataclass(frozen=True, slots=True)
class PutAway:
    """A knob of the last drawing, whose number stands on no card taken, is put away."""

    number: int


@dataclass(frozen=True, slots=True)
class Replenish:
    """Every player adds to the pool, by the cards he has."""


@dataclass(frozen=True, slots=True)
class Resolve:
    """The players agree to have only so many drawings more."""

    drawings: int


@dataclass(frozen=True, slots=True)
class Settle:
    """The drawing is over: laid counters are kept, rows are paid, the knobs go back."""


@dataclass(frozen=True, slots=True)
class Take:
    """A player takes one card more, the next of those that nobody has, and pays for it."""

    seat: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last knob of this drawing was wrong: it goes back, and so do the counters on its
    number."""


@dataclass(frozen=True, slots=True)
class ThrowUp:
    """A player throws a card up, and gets its share back."""

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
