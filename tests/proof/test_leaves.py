"""What follows from a leaf: each number for as many hashes, each order for one row of choices."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.proof.leaves import Binding, Source, exchanged, taken

FACES = st.integers(2, 99)
SMALL = 256  # hashes, in place of 2**64


def even(counts: Counter[object], wanted: int) -> bool:
    """Whether so many different things came, each as often."""
    return len(counts) == wanted and len({*counts.values()}) == 1


@pytest.mark.parametrize("count", range(1, 91))
def test_each_number_stands_for_as_many_hashes(count: int) -> None:
    """Exactly, of all hashes of one byte; a remainder alone would not do, unless it fits."""
    numbers = Counter(taken(hashed, count, SMALL) for hashed in range(SMALL))
    assert numbers.pop(None, 0) < count
    assert even(numbers, count)
    biased = Counter(hashed % count for hashed in range(SMALL))
    assert even(biased, count) == (SMALL % count == 0)


@pytest.mark.parametrize("things", ["", "a", "ab", "abc", "abcd", "abcdef"])
def test_each_order_comes_of_one_row_of_choices(things: str) -> None:
    """All orders can come, and none oftener than another; the naive twin, which exchanges each
    place with any other, prefers some."""
    sizes = range(len(things), 1, -1)
    rows = [*product(*map(range, sizes))]
    orders = Counter("".join(exchanged(things, lambda _, step, row=row: row[step])) for row in rows)
    assert even(orders, factorial(len(things)))
    if len(things) in (3, 4):
        places = range(len(things))
        naive = Counter(naively(things, row) for row in product(places, repeat=len(things)))
        assert not even(naive, factorial(len(things)))


def naively(things: str, row: tuple[int, ...]) -> str:
    out = list(things)
    for place, other in enumerate(row):
        out[place], out[other] = out[other], out[place]
    return "".join(out)


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(), max_size=60), FACES)
def test_a_leaf_gives_the_same_again(secret: bytes, things: list[int], faces: int) -> None:
    """A shuffle has all things, a die no face too many; the same leaf gives them again."""
    one, other = (Source(secret, Binding("", 1, 1).at(0)) for _ in range(2))
    assert sorted(one.shuffled(things)) == sorted(things)
    assert one.shuffled(things) == other.shuffled(things)
    assert 1 <= one.die(faces, 3) == other.die(faces, 3) <= faces
