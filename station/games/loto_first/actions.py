"""Define what may be done in a game of Loto, First Method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw a knob out of the bag and call it."""

    number: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop the game, for a claim or because the caller holds it: nothing is drawn meanwhile."""


@dataclass(frozen=True, slots=True)
class Check:
    """Check a card; this stops the game. As a pattern, `ANY_CARD` stands for every serial."""

    serial: str


@dataclass(frozen=True, slots=True)
class CheckTicket:
    """Check by its numbers a card that the station does not know; this stops the game.

    Attributes:
        numbers: exactly the numbers of the pattern, or of the whole ticket; as a pattern,
            `ANY_TICKET` stands for all.
        name: who holds it; empty for a player of its own.
        stage: the key of the stage it claims; may be left out where its numbers fit only one open
            stage.
    """

    numbers: tuple[int, ...]
    name: str = ""
    stage: str = ""


@dataclass(frozen=True, slots=True)
class Award:
    """Award what was won at this stop, and play on."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the last call, which was wrong, with all that followed from it."""


@dataclass(frozen=True, slots=True)
class DecideLots:
    """Give a thing to one of its winners: each has drawn a knob, and the highest gets it. As a
    pattern, no knobs stand for any."""

    stage: str
    knobs: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Close:
    """End the game."""


Action: TypeAlias = Draw | Stop | Check | CheckTicket | Award | TakeBack | DecideLots | Close
ANY_CARD = "*"
ANY_TICKET: tuple[int, ...] = ()
