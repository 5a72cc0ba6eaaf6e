"""Define what can be done in Dice Keno, and why an action is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Reason(StrEnum):
    """Why an action is not legal."""

    OVER = "game-over"
    NOT_DEALT = "not-dealt"
    DEALT = "already-dealt"
    WRONG_CARDS = "wrong-cards"
    WRONG_DICE = "wrong-dice"
    TO_COVER = "to-cover"
    NOT_TO_COVER = "not-to-cover"
    WRONG_PLACE = "wrong-place"
    NO_THROW = "no-throw"
    NOT_AN_ACTION = "not-an-action"


@dataclass(frozen=True, slots=True)
class Close:
    """Break the game off: the stakes go back."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Lay the check on this square of one's card, where several have the number that was thrown.

    Attributes:
        place: from 0, row by row.
    """

    place: int


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the cards.

    Attributes:
        cards: all of them, shuffled: the eldest hand has the first. As a pattern, `ANY_ORDER`
            stands for every order.
    """

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """Say what real dice show, in place of a throw by the station.

    Attributes:
        second: 0 where one die is thrown.
    """

    first: int
    second: int = 0


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take the last throw back, which was misread, and its checks; its dice are read again."""


@dataclass(frozen=True, slots=True)
class Throw:
    """Throw the dice: two for the lead and for points, else one."""

    dice: tuple[int, ...]


Action: TypeAlias = Close | Cover | Deal | Read | TakeBack | Throw
ANY_ORDER: tuple[str, ...] = ()
