"""Choose the eight cards of Dice Keno, and print them as they stand in
`station/games/dice_keno/state.py`.

.venv/bin/python -m docs.make_dice_keno_cards

The book says of them that each has four by four sections, three of which bear six spots, and that
all together come to sixty. One layout is drawn in which each of the ten lines has four different
faces. The eight are images of it: faces that come equally often are exchanged, and rows and columns
are put into another order that keeps all ten lines. So no card is better than another. Of all
images those are taken that are least alike, turned or mirrored as one likes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import TypeAlias

Card: TypeAlias = tuple[tuple[int, ...], ...]

SIZE, CARDS, SEED = 4, 8, 1930  # the year of the book
HOW_OFTEN = {6: 3, 5: 3, 4: 3, 3: 3, 2: 2, 1: 2}  # sixty spots
PLACES = range(SIZE)


def chosen() -> tuple[Card, ...]:
    """Return the eight cards, the same on every machine."""
    chance = Random(SEED)  # noqa: S311 - the cards are chosen once, for all to see
    first = drawn(chance)
    found, left = [first], sorted(images(first))
    while len(found) < CARDS:
        found.append(max(left, key=lambda card: min(unlike(card, other) for other in found)))
    return tuple(found)


def drawn(chance: Random) -> Card:
    """Return a layout whose ten lines have four different faces each."""
    faces = [face for face, many in HOW_OFTEN.items() for _ in range(many)]
    while True:
        chance.shuffle(faces)
        card = tuple(tuple(faces[SIZE * row : SIZE * (row + 1)]) for row in PLACES)
        if all(len(set(line)) == SIZE for line in lines(card)):
            return card


def lines(card: Card) -> Iterator[tuple[int, ...]]:
    """Yield the faces of rows, columns and diagonals."""
    yield from card
    yield from zip(*card, strict=True)
    yield tuple(card[place][place] for place in PLACES)
    yield tuple(card[place][SIZE - 1 - place] for place in PLACES)


def images(card: Card) -> set[Card]:
    """Return the layouts that are as good as this one, for best play and for any other: equally
    frequent faces are exchanged, and rows and columns are reordered alike, mirror places staying
    such."""
    orders = [
        order
        for order in permutations(PLACES)
        if all(order[SIZE - 1 - place] == SIZE - 1 - order[place] for place in PLACES)
    ]
    return {
        tuple(tuple(face[card[row][column]] for column in order) for row in order)
        for order in orders
        for often in permutations((6, 5, 4, 3))
        for seldom in permutations((2, 1))
        for face in [dict(zip((6, 5, 4, 3, 2, 1), (*often, *seldom), strict=True))]
    }


def turned(card: Card) -> Iterator[Card]:
    """Yield a card as it may lie on a table: turned, and mirrored."""
    for _ in range(SIZE):
        card = tuple(zip(*card[::-1], strict=True))
        yield card
        yield tuple(row[::-1] for row in card)


def unlike(card: Card, other: Card) -> int:
    """Return in how many places two cards differ, laid as they are most alike."""
    return min(
        sum(
            one != two
            for row, with_ in zip(card, way, strict=True)
            for one, two in zip(row, with_, strict=True)
        )
        for way in turned(other)
    )


if __name__ == "__main__":
    for name, card in enumerate(chosen(), 1):
        sys.stdout.write(f'    "{name}": {card},\n')
