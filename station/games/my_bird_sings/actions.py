"""Define what can be done in My Bird Sings, and why an action is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from station.rules.play import DeclareFault


class Reason(StrEnum):
    """Why an action is not legal."""

    OVER = "game-over"
    NOT_NOW = "not-now"
    NOT_HIS_TURN = "not-his-turn"
    NOT_THE_PACK = "not-the-pack"
    NOT_IN_HAND = "not-in-hand"
    NO_SONG = "no-song"
    NO_EXCHANGE = "no-exchange"
    OUT = "card-is-out"
    NO_FAULT = "no-such-fault"
    NOT_AN_ACTION = "not-an-action"


@dataclass(frozen=True, slots=True)
class DealBirds:
    """Deal the whole pack, shuffled: a hand for each, the rest is the stock.

    Attributes:
        cards: in the order of the deal; as a pattern, `ANY_CARDS` stands for any order.
    """

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealCard:
    """Lay the next real card of the pack on the reader: for the player whose turn it is to have
    one.

    Attributes:
        card: the one card, such as KS or 10H.
    """

    card: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listen:
    """Say that one's bird does not sing, when all are asked; or that the leader has no song in the
    last round of a deal, which ends it."""

    seat: int


@dataclass(frozen=True, slots=True)
class PassOn:
    """Pass a card on to the left, face down.

    Attributes:
        card: the one card.
    """

    seat: int
    card: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """Take a card, unseen, from the hand that is turned to the player.

    Attributes:
        card: the one card.
    """

    card: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PutOut:
    """Put a card out for the next one of the stock that is of another suit.

    Attributes:
        card: the one card.
    """

    seat: int
    card: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sing:
    """Say "My bird sings", and show the cards that sing."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnHand:
    """Turn one's hand, unseen, to the next player, who takes a card of it."""

    seat: int


Action: TypeAlias = (
    DealBirds | DealCard | DeclareFault | Listen | PassOn | Pick | PutOut | Sing | TurnHand
)
ANY_CARDS: tuple[str, ...] = ()
