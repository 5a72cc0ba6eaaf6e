"""Define what can be done in Spoil-Five, and why an action is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from station.rules.play import DeclareFault


class Reason(StrEnum):
    """Why an action is not legal."""

    OVER = "game-over"
    NOT_NOW = "not-now"
    NOT_YOUR_TURN = "not-your-turn"
    NOT_THE_PACK = "not-the-pack"
    NOT_IN_HAND = "not-in-hand"
    OUT = "card-is-out"
    NO_FAULT = "no-such-fault"
    MUST_FOLLOW = "must-follow"
    NO_ACE = "no-ace-of-trumps"
    NOT_AN_ACTION = "not-an-action"


@dataclass(frozen=True, slots=True)
class AgreeFive:
    """Agree to five it: the trump card is put away, and another suit is turned up."""

    seat: int


@dataclass(frozen=True, slots=True)
class AskFive:
    """Ask the dealer to five it."""

    seat: int


@dataclass(frozen=True, slots=True)
class KeepTrumps:
    """Be content with the trump card, and do not ask to five it."""

    seat: int


@dataclass(frozen=True, slots=True)
class DealCard:
    """Lay the next real card of the pack on the reader: for the player whose turn of the deal it
    is, or to be turned up.

    Attributes:
        card: the one card, such as KS or 10H.
    """

    card: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealHands:
    """Deal five cards to each player, and turn up the next for trumps.

    Attributes:
        cards: the whole pack in its order, from the dealer's left on two and then three to each; as
            a pattern, `ANY_CARDS` stands for any order.
    """

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealAgain:
    """Deal again after a misdeal, for a second stake for dealing."""

    seat: int


@dataclass(frozen=True, slots=True)
class Jink:
    """Go on after the first three tricks, for all five."""

    seat: int


@dataclass(frozen=True, slots=True)
class LeaveAce:
    """Leave the ace that was turned up lying."""

    seat: int


@dataclass(frozen=True, slots=True)
class Misdeal:
    """Declare that the deal is lost: a misdeal, a deal out of order, an exposed card."""


@dataclass(frozen=True, slots=True)
class PassDeal:
    """Let the deal pass to the left after a misdeal."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card.

    Attributes:
        card: the one card, such as KS or 10H.
    """

    seat: int
    card: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RefuseFive:
    """Refuse to five it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Rob:
    """Lay a card out face down, and take the trump card that was turned up.

    Attributes:
        card: the one card that is laid out.
    """

    seat: int
    card: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakePool:
    """Take the pool for the first three tricks, and do not go on."""

    seat: int


OfHand: TypeAlias = (
    AgreeFive | AskFive | KeepTrumps | Jink | LeaveAce | PlayCard | RefuseFive | Rob | TakePool
)
OfTable: TypeAlias = DealCard | DealHands | DealAgain | DeclareFault | Misdeal | PassDeal
Action: TypeAlias = OfHand | OfTable
ANY_CARDS: tuple[str, ...] = ()
