"""Define what can be done in Loto, First Method, at the table, and why an action is refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Reason(StrEnum):
    """Why an action is not legal."""

    OVER = "game-over"
    WON = "game-won"
    DRAWN = "already-drawn"
    NO_KNOB = "no-such-knob"
    NOTHING_CALLED = "nothing-called"
    NO_ANSWERS = "no-answers"
    NO_SEAT = "no-such-seat"
    ANSWERED = "already-answered"
    WRONG_TIMES = "wrong-times"
    BAG_EMPTY = "bag-empty"
    BAG_NOT_EMPTY = "bag-not-empty"
    NOT_AN_ACTION = "not-an-action"


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer the number called: one player, or several so close together that they are tied.

    Attributes:
        seats: in the order in which they were heard; as a pattern, `ANYONE` stands for all who have
            not answered yet.
        micros: how long after the first seat each one was heard, in microseconds, from 0 to
            `TIE_US`; the first one's is 0. May be left out.
    """

    seats: tuple[int, ...]
    micros: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Close:
    """End the game: all is redeemed; where the host breaks it off, what is not won goes back."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Take a knob out of the bag and call it, as the dealer."""

    number: int


@dataclass(frozen=True, slots=True)
class Share:
    """Share out what is not won by the numbers covered, since the bag is empty; end the game."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the last knob, which was wrong, with its answers, counters and shares won."""


Action: TypeAlias = Answer | Close | Draw | Share | TakeBack
ANYONE: tuple[int, ...] = ()
