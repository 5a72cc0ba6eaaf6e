"""Hold the eight cards of Dice Keno, and the lines of a card.

The cards are data: `docs/make_dice_keno_cards.py` chose them, and prints them again. By their
making none is better than another.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

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
