"""What may be done in a game of Loto, First Method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Draw:
    """A knob comes out of the bag and is called."""

    number: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Somebody claims, or the caller holds the game: nothing further begins."""


@dataclass(frozen=True, slots=True)
class Check:
    """A card is checked; stops the game if it was not. As a pattern, `ANY_CARD` stands for every
    serial."""

    serial: str


@dataclass(frozen=True, slots=True)
class CheckTicket:
    """A card that the station does not know is checked by its numbers; stops the game if it was
    not.

    Attributes:
        numbers: just those of the pattern, or of the whole ticket; as a pattern, `ANY_TICKET`
            stands for all.
        name: who holds it; nothing for a player of its own.
        stage: which it claims, by key; may be left out where its numbers can stand for only one.
    """

    numbers: tuple[int, ...]
    name: str = ""
    stage: str = ""


@dataclass(frozen=True, slots=True)
class PlayOn:
    """The check is over: what was won is awarded, and play goes on."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last call was wrong: it is taken back with all that followed from it."""


@dataclass(frozen=True, slots=True)
class DecideLots:
    """Each of those who won a thing has drawn a knob: the highest has it. As a pattern, no knobs
    stand for any."""

    stage: str
    knobs: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Close:
    """The game ends."""


Action: TypeAlias = Draw | Stop | Check | CheckTicket | PlayOn | TakeBack | DecideLots | Close
ANY_CARD = "*"
ANY_TICKET: tuple[int, ...] = ()
