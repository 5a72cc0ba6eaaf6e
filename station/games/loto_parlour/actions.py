"""What can be done in Loto, First Method, at the table, and why something is refused."""

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
    """Players answered the number called, so close together that they are tied.

    Attributes:
        seats: in the order in which they were heard; as a pattern, `ANYONE` stands for all who are
            silent still.
        micros: how long after the first each was heard, in microseconds, 0 to `TIE_US`, beginning
            with the first one's 0; may be left out.
    """

    seats: tuple[int, ...]
    micros: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Close:
    """The game ends: all is won and is redeemed, or the host breaks it off and what is not won goes
    back."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The dealer takes a knob out of the bag and calls it."""

    number: int


@dataclass(frozen=True, slots=True)
class Share:
    """The bag is empty and something is not won: it is shared out by the numbers covered, and the
    game ends."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last knob was wrong: it goes back, with its answers, its counters and what was won on
    it."""


Action: TypeAlias = Answer | Close | Draw | Share | TakeBack
ANYONE: tuple[int, ...] = ()
