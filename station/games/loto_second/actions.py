"""Define what can be done in Loto, Second Method, and why an action is refused."""

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
