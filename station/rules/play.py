"""Define the values that games and the house exchange: settings, chance, what was done. Pure.

Sums are in the game's own units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Generic, Protocol, TypeAlias, TypeVar

from station.base.nouns import Card
from station.rules.patterns import Pattern
from station.rules.seen import (
    ALL,
    Amount,
    CardName,
    KnobName,
    Move,
    SeatName,
    Slot,
    SlotKind,
    Viewer,
    Watching,
)
from station.rules.terms import Terms

COMPANY = ALL  # in place of a seat: what all seats agree on, or the host for them
T = TypeVar("T")
State = TypeVar("State")
Action = TypeVar("Action")
# What the voice says, in order: the key of a phrase, a number, a player, a knob, a playing card, a
# sum.
Saying: TypeAlias = tuple[str | int | SeatName | KnobName | CardName | Amount, ...]
# How a report calls the player in a seat.
NameOf: TypeAlias = Callable[[int], str]


class Agreed(dict[str, bool | int | str]):
    """What a company has agreed on: `stake`, `cards`, and the game's own settings by name."""

    def count(self, name: str) -> int:
        """Return a number."""
        return int(self[name])

    def word(self, name: str) -> str:
        """Return one of a few words."""
        return str(self[name])

    def flag(self, name: str) -> bool:
        """Return whether this was agreed on."""
        return bool(self[name])


# -- what a game takes -------------------------------------------------------------


class Need(StrEnum):
    """What is laid out for a game."""

    BAG = "bag"  # of knobs: counted and shaken before they are drawn
    CARDS = "cards"  # of Loto, from the hall's pack
    CUBES = "cubes"  # each marked on one side
    DICE = "dice"
    PLAYING_CARDS = "playing-cards"


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting that a company agrees on before a game.

    Attributes:
        name: as a programme's `[table]` has it.
        default: true or false, a number, or one of `values`.
        least, most: the bounds of a number.
        values: what may be chosen, where it is a word.
    """

    name: str
    default: bool | int | str
    least: int = 0
    most: int = 1_000_000
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dealing:
    """Who plays, and with what.

    Attributes:
        cards: the cards of Loto, in the order of the deal; empty where the game needs none.
        takes: how many cards each seat takes.
        purses: what each seat has outside the game, in units of the rules.
        register: a digest of the deal.
    """

    cards: Mapping[str, Card]
    takes: tuple[int, ...]
    purses: tuple[int, ...]
    register: str = ""


@dataclass(frozen=True, slots=True)
class Expected:
    """What can be worked out of a game before it is played, from what was agreed on.

    Attributes:
        patterns: what is played for with the cards that are dealt, in order.
        race: whether only the first to answer covers.
        terms: the sizes of a game of drawings, in which every row wins by the counters on it.
    """

    patterns: tuple[Pattern, ...] = ()
    race: bool = False
    terms: Terms | None = None


@dataclass(frozen=True, slots=True)
class Exact:
    """What is worked out of a whole game.

    Attributes:
        length: how often chance decides on average, until the game is over.
        wins: how likely each seat is to win, from the eldest hand on.
    """

    length: float
    wins: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ThingWorth:
    """What a thing that is bought in a game is worth, as it is worked out.

    Attributes:
        key: the key of its name in the words of screens.
        units: how many units of the rules its holder has more at the end than without it.
    """

    key: str
    units: float


@dataclass(frozen=True, slots=True)
class Likely:
    """How likely something is in a game, as it is worked out.

    Attributes:
        key: the key of what may happen, in the words of screens; `{count}` in them is the number.
        count: for how many players.
    """

    key: str
    count: int
    chance: Fraction


# -- real cards --------------------------------------------------------------------

# Who deals, where a game may be played with real cards that have tags: the station, from a pack of
# its own, or the players, over the reader.
REAL = "real"
PLAYING_CARDS = Setting("playing_cards", "station", values=("station", REAL))


class FaultKind(StrEnum):
    """What a player does with real cards against the rules."""

    MISDEAL = "misdeal"  # a deal that went wrong, or out of order
    EXPOSED = "exposed"  # a card that is seen while it is dealt
    RENEGED = "reneged"  # a card that might not be played
    ROBBED = "robbed"  # without the ace of trumps, or out of turn


@dataclass(frozen=True, slots=True)
class DeclareFault:
    """Declare that a player has broken a rule with real cards, and what comes of it.

    Attributes:
        seat: who did it.
        kind: what he did, as `FaultKind`.
    """

    seat: int
    kind: str


def fault_moves(faults: Sequence[DeclareFault]) -> Iterator[Move]:
    """Yield the moves by which the host declares one of these faults: a kind, and whose it is."""
    for kind in dict.fromkeys(fault.kind for fault in faults):
        seats = tuple(fault.seat for fault in faults if fault.kind == kind)
        whose = (Slot(("seat",), SlotKind.SEAT, seats),)
        yield Move(COMPANY, "declare-fault", {"kind": kind}, whose, aside=True)


def own_moves(moves: Iterable[Move], viewer: Viewer) -> Iterator[Move]:
    """Yield the moves that a viewer may ask for if none of them hides anything: each seat its own
    ones, the host all."""
    return (move for move in moves if viewer in (Watching.HOST, move.seat))


# -- who is awaited ----------------------------------------------------------------


class Actor(StrEnum):
    """Who may be awaited, apart from the seats, which are whole numbers from 1."""

    HOST = "host"
    CHANCE = "chance"


class Luck(StrEnum):
    """What chance decides."""

    KNOB = "knob"
    DICE = "dice"
    CUBES = "cubes"
    SHUFFLE = "shuffle"
    CARD = "card"  # a real one, that is laid on the reader or keyed in


@dataclass(frozen=True, slots=True)
class Chance:
    """What is awaited from chance: what may come, how likely it is, and the move that reports it.

    Attributes:
        do, field: the verb of that move, and its field for what came: a knob's number, the spots of
            dice, the marks that cubes show, or shuffled things in their order.
        numbers: the knobs in the bag; each is as likely as any other.
        dice, faces: how many dice are thrown, and how many faces a die or a cube has.
        things: what is shuffled, or the marks of cubes, each on one face of its own cube. They are
            recorded with the move: all may know them, unless it has `hidden` fields.
        blank: what is reported where no cube shows its mark.
        count: how many of the shuffled things come, the rest being left aside; 0: all of them.
    """

    kind: Luck
    do: str
    field: str
    numbers: frozenset[int] = frozenset()
    dice: int = 0
    faces: int = 6
    things: tuple[str, ...] = ()
    blank: str = "blank"
    count: int = 0


@dataclass(frozen=True, slots=True)
class Race:
    """The seats that may answer by buzzers, where the first to answer has the right.

    Attributes:
        silent: the seats that may answer now.
        wrong: those of them whose answer would be wrong.
    """

    silent: frozenset[int] = frozenset()
    wrong: frozenset[int] = frozenset()


# -- what was done -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Played(Generic[State, Action]):
    """One action that was played, with the states before and after it."""

    before: State
    action: Action
    after: State


# -- simulated players -------------------------------------------------------------


class Choose(Protocol):
    """The source of chance for simulated players."""

    def chance(self, odds: float) -> bool:
        """Return true with this probability."""

    def one(self, some: Sequence[T], weights: Sequence[int] | None = None) -> T:
        """Return one of some things at random, by their weights if given."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a simulated player wants: a move as it is asked for, or to press his buzzer."""

    move: Mapping[str, object] = field(default_factory=dict)
    buzzes: bool = False


def in_front_of(funds: Mapping[str, int], what: str, seats: int) -> tuple[int, ...]:
    """Return what lies in the purse, or in the hand, of each seat, in units.

    >>> in_front_of({"purse:1": 7, "hand:1": -2, "pool": 3}, "hand", 2)
    (-2, 0)
    """
    return tuple(funds.get(f"{what}:{seat}", 0) for seat in range(1, seats + 1))
