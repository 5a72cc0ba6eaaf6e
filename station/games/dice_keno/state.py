"""Hold a game of Dice Keno: who has which card, what is covered, whose turn it is.

What may happen next is in `station.games.dice_keno.game`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from station.base.tongue import key
from station.games.dice_keno.cards import CARDS, Faces, lines

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
