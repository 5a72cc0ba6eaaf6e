"""Define what can be done in Tontine, and why an action is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Reason(StrEnum):
    """Why an action is not legal."""

    OVER = "game-over"
    NO_CARD = "no-such-card"
    OUT = "card-is-out"
    WRONG_COUNT = "wrong-count"
    NOTHING_KEYED = "nothing-keyed"
    REAL_CARDS = "real-cards"
    NOT_AN_ACTION = "not-an-action"


@dataclass(frozen=True, slots=True)
class Deal:
    """Turn up a card to everybody who is still to have one in this deal.

    Attributes:
        cards: in the order of the deal; as a pattern, `ANY_CARDS` stands for any cards of the pack.
    """

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the last card that was keyed in, which was misread, with what it paid."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn up one real card, laid on the reader or keyed in, to the player whose turn it is.

    Attributes:
        card: the one card, such as KS or 10H.
    """

    card: tuple[str, ...]


Action: TypeAlias = Deal | TakeBack | Turn
ANY_CARDS: tuple[str, ...] = ()
