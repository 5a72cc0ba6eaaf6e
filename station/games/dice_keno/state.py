"""Define the actions, the cards and the state of Dice Keno, and why an action is refused.

The eight cards are data: `docs/make_dice_keno_cards.py` chose them, and prints them again. It makes
them so that none is better than another.

`station.games.dice_keno.rules` says what may happen next.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from typing import TypeAlias

from station.base.tongue import key


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


# -- the eight cards, and the lines of a card ------------------------------------------------------

# The faces of the dice on a card, row by row. A place is counted from 0, row by row.
Faces: TypeAlias = tuple[tuple[int, ...], ...]

CARDS: Mapping[str, Faces] = {
    "1": ((2, 6, 5, 3), (3, 4, 6, 5), (4, 5, 1, 2), (1, 3, 4, 6)),
    "2": ((1, 5, 2, 4), (4, 2, 6, 3), (5, 1, 3, 6), (3, 6, 4, 5)),
    "3": ((1, 4, 3, 5), (5, 6, 4, 3), (6, 3, 2, 1), (2, 5, 6, 4)),
    "4": ((2, 3, 1, 6), (6, 1, 4, 5), (3, 2, 5, 4), (5, 4, 6, 3)),
    "5": ((1, 2, 6, 4), (6, 5, 1, 3), (4, 3, 2, 5), (5, 4, 3, 6)),
    "6": ((1, 3, 6, 4), (5, 2, 3, 1), (4, 6, 5, 3), (2, 5, 4, 6)),
    "7": ((1, 2, 3, 6), (3, 4, 1, 5), (6, 5, 2, 4), (4, 6, 5, 3)),
    "8": ((1, 2, 4, 5), (4, 3, 1, 6), (5, 6, 2, 3), (3, 5, 6, 4)),
}


@cache
def lines(size: int) -> tuple[frozenset[int], ...]:
    """Return the places of each line of a card: rows, columns, the two diagonals.

    >>> [sorted(line) for line in lines(2)]
    [[0, 1], [2, 3], [0, 2], [1, 3], [0, 3], [1, 2]]
    """
    each = range(size)
    return (
        *(frozenset(size * row + column for column in each) for row in each),
        *(frozenset(size * row + column for row in each) for column in each),
        frozenset(size * place + place for place in each),
        frozenset(size * place + size - 1 - place for place in each),
    )


# -- the state: who has which card, what is covered, whose turn it is ------------------------------

TITLE = key("Dice Keno")
GOAL = 500  # points
FACES = 6
FIVES = 5  # who covers his card first takes the totals of others that this divides


class Variation(StrEnum):
    """What is played for."""

    ROW = "row"
    COVER = "cover"
    POINTS = "points"


class GamePhase(StrEnum):
    """Where the game stands."""

    DEALING = "dealing"
    LEADING = "leading"  # all throw: the highest leads
    THROWING = "throwing"
    COVERING = "covering"  # the thrower chooses a square
    WON = "won"
    CLOSED = "closed"  # broken off


@dataclass(frozen=True)
class Setup:
    """What is agreed on when the company sits down.

    Attributes:
        purses: what each seat can pay, in units.
        stake: what each seat puts into the pool, in units.
        in_money: whether sums are told as money; else as counters.
        value: what a unit is worth, in minor units.
        cards: by name; all have as many rows as columns, and the same sum.
        faces: of a die.
        goal: the points that win.
    """

    purses: tuple[int, ...]
    variation: Variation = Variation.ROW
    stake: int = 0
    in_money: bool = False
    value: int = 1
    cards: Mapping[str, Faces] = field(default_factory=lambda: CARDS)
    faces: int = FACES
    goal: int = GOAL

    @property
    def seats(self) -> int:
        """Return how many play."""
        return len(self.purses)

    @cached_property
    def size(self) -> int:
        """Return how many rows a card has, and columns."""
        return len(next(iter(self.cards.values())))

    @cached_property
    def total(self) -> int:
        """Return the sum of a card's spots."""
        return sum(map(sum, next(iter(self.cards.values()))))

    @cached_property
    def flat(self) -> Mapping[str, tuple[int, ...]]:
        """Return the faces of each card by place."""
        return {
            name: tuple(face for row in rows for face in row) for name, rows in self.cards.items()
        }


@dataclass(frozen=True)
class State:
    """A game at one moment.

    Attributes:
        cards: all cards, in the order of the deal; each seat has one, the rest lie aside.
        rivals: the seats that throw for the lead in this round.
        sums: what those of them have thrown who had their turn.
        turn: the seat whose turn it is, and at the end the last one's; 0 before the deal.
        checked: of each seat's card the places with checks, ascending.
        dice: the last throw, as long as it lies there.
        laid: the places that it covered.
        points: of each seat.
        counted: what each seat got when the card was counted just before; empty in mid-card.
        fresh: whether the last throw can be taken back.
        misread: whether it was: its dice are to be read again, and not thrown.
        winner: the seat that has won; 0 for none.
    """

    setup: Setup
    phase: GamePhase = GamePhase.DEALING
    cards: tuple[str, ...] = ()
    rivals: tuple[int, ...] = ()
    sums: tuple[int, ...] = ()
    turn: int = 0
    checked: tuple[tuple[int, ...], ...] = ()
    dice: tuple[int, ...] = ()
    laid: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    counted: tuple[int, ...] = ()
    fresh: bool = False
    misread: bool = False
    winner: int = 0

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.phase in (GamePhase.WON, GamePhase.CLOSED)

    @property
    def thrown(self) -> int:
        """Return how many dice are to be thrown now; 0 where none are."""
        if self.phase is GamePhase.LEADING:
            return 2
        if self.phase is GamePhase.THROWING:
            return 2 if self.setup.variation is Variation.POINTS else 1
        return 0

    @property
    def pool(self) -> int:
        """Return what lies in the pool."""
        return 0 if self.over else self.setup.stake * self.setup.seats

    @property
    def purses(self) -> tuple[int, ...]:
        """Return what each seat has outside the game."""
        if self.phase is GamePhase.CLOSED:
            return self.setup.purses
        stake, pool = self.setup.stake, self.setup.stake * self.setup.seats
        return tuple(
            purse - stake + pool * (seat == self.winner)
            for seat, purse in enumerate(self.setup.purses, 1)
        )

    def faces(self, seat: int) -> tuple[int, ...]:
        """Return the faces on a seat's card by place."""
        return self.setup.flat[self.cards[seat - 1]]

    def free(self, seat: int, face: int) -> tuple[int, ...]:
        """Return the places with this face on a seat's card that have no check."""
        checked = self.checked[seat - 1]
        return tuple(
            place
            for place, one in enumerate(self.faces(seat))
            if one == face and place not in checked
        )

    def spots(self, seat: int) -> int:
        """Return the sum of the spots that a seat has covered."""
        faces = self.faces(seat)
        return sum(faces[place] for place in self.checked[seat - 1])

    def complete(self, seat: int) -> bool:
        """Return whether a seat has covered what is played for: any line, or all."""
        checked, size = self.checked[seat - 1], self.setup.size
        if self.setup.variation is Variation.ROW:
            return any(line.issubset(checked) for line in lines(size))
        return len(checked) == size * size

    def after(self, seat: int, steps: int = 1) -> int:
        """Return the seat so many places to the left."""
        return (seat - 1 + steps) % self.setup.seats + 1
