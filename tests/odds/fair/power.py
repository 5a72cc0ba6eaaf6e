"""Work out how surely the battery catches each twin, from the twin's own law: how far the test that
catches it is off in each bag, and what that comes to in many.

The level is that of the whole family (`LEVEL` over all its tests): Holm's is never stricter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np

from station.base.nouns import KNOBS
from station.odds.fair.battery import LEVEL, TESTS, ascents, chi_square_tail

N = KNOBS
ALONE = LEVEL / (len(TESTS) + 1)
PLACES = "at which call each number comes"
STARTS = "which number begins after the last of the game before"
HIGHER = "how often a call is higher than the one before"
LIGHT = 41  # the place of the light knob in the rising list
MOST_ALIKE = 6  # equal keys in a bag: seven are met once in 10^10
NORMAL = NormalDist()


@dataclass(frozen=True)
class Law:
    """How a twin differs: the test that catches it, and how much each bag adds to its
    chi-square."""

    test: str
    each: float

    def freedom(self, bags: int) -> int:
        """Return the test's degrees of freedom: with few bags, rare counts share a cell."""
        test = TESTS[self.test, ""]
        if self.test != HIGHER:
            return test.judge(np.full(test.cells, bags))[1]
        return test.judge(np.rint(np.array(ascents(N)) * bags).astype(int))[1]

    def power(self, bags: int) -> float:
        """Return how likely the test fails over so many bags: of a chi-square that is moved by
        `each` a bag, in Sankaran's normal form."""
        moved = self.each * bags
        k, m = self.freedom(bags), moved
        limit = critical(k)
        h = 1 - 2 * (k + m) * (k + 3 * m) / (3 * (k + 2 * m) ** 2)
        p = (k + 2 * m) / (k + m) ** 2
        first = (h - 1) * (1 - 3 * h)
        centre = 1 + h * p * (h - 1 - 0.5 * (2 - h) * first * p)
        spread = h * math.sqrt(2 * p * (1 + 0.5 * first * p))
        return 1 - NORMAL.cdf(((limit / (k + m)) ** h - centre) / spread)


@cache
def critical(freedom: int) -> float:
    """Return the chi-square that a fair bag exceeds with the chance `ALONE`."""
    low, high = 0.0, freedom + 100.0 + 20 * math.sqrt(2 * freedom)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if chi_square_tail(middle, freedom) > ALONE else (low, middle)
    return high


def _by_places(table: np.ndarray) -> Law:
    """Return the law of a twin by how likely each number is at each call."""
    return Law(PLACES, float(((table - 1 / N) ** 2).sum() * (N - 1)))


def naive_swaps() -> Law:
    """Mix rows: here stands what stood anywhere, elsewhere now and then what stood here."""
    table = np.eye(N)
    for here in range(N):
        mixed = table.mean(axis=0)
        table = (1 - 1 / N) * table + table[here] / N
        table[here] = mixed
    return _by_places(table)


def by_remainder() -> Law:
    """As swaps with what is left, by how often a byte has each remainder."""
    table = np.eye(N)
    for here in range(N - 1):
        left = N - here
        taken = np.bincount(np.arange(256) % left, minlength=left) / 256
        rest = table[here:]
        first = taken @ rest
        moved = (1 - taken)[:, None] * rest + taken[:, None] * rest[0]
        table[here:] = moved
        table[here] = first
    return _by_places(table)


def light_calls(weight: float = 0.9) -> list[float]:
    """Return how likely a knob of this weight comes at each call, the others being of 1."""
    still, light = 1.0, []
    for left in range(N, 0, -1):
        now = weight / (left - 1 + weight)
        light.append(still * now)
        still *= 1 - now
    return light


def one_knob_light() -> Law:
    """Draw by weights: where the light knob comes; the others share what is left evenly."""
    light = np.array(light_calls())
    table = np.tile((1 - light)[:, None] / (N - 1), (1, N))
    table[:, LIGHT] = light
    return _by_places(table)


def never_the_last_first() -> Law:
    """One of the ninety cells of each row is empty, the others have its share."""
    cells = N * N
    off = N * (1 / cells) ** 2 + (cells - N) * (1 / cells / (N - 1)) ** 2
    return Law(STARTS, off * cells)


def sorted_by_float() -> Law:
    """Numbers with equal keys stand side by side and rise: k of them k - 1 times, where half do.
    What stands before them is lower than all of them in one of k + 1 cases, where half are; so is
    what stands after them higher; but for the first and the last. A key is rounded to half
    precision: ever finer towards 0, below 2⁻¹⁴ in even steps."""
    keys = np.array(
        [(1 + part / 1024) * 2.0**-power for power in range(14, 0, -1) for part in range(1024)]
    )
    keys = np.concatenate((np.arange(1024) / 1024 * 2.0**-14, keys, [1.0]))
    edges = np.concatenate(([0.0], (keys[1:] + keys[:-1]) / 2, [1.0]))
    share, below, above = np.diff(edges), edges[:-1], 1 - edges[1:]
    more = 0.0
    for alike in range(2, MOST_ALIKE + 1):
        likely = math.comb(N, alike) * share**alike * (1 - share) ** (N - alike)
        beside = 2 - sum((side / (1 - share)) ** (N - alike) for side in (below, above))
        more += float((likely * ((alike - 1) / 2 - beside * (1 / 2 - 1 / (alike + 1)))).sum())
    return Law(HIGHER, more**2 / ((N + 1) / 12))


def seed_of_16_bits(bags: int) -> float:
    """Return how likely one of its seeds comes twice: birthdays."""
    return -math.expm1(-bags * (bags - 1) / 2 / 2**16)


def used_again(bags: int) -> float:
    """Return how likely one of the bags after the first is taken from those before."""
    return 1 - 0.99 ** (bags - 1)


LAWS = {
    "naive swaps": naive_swaps(),
    "a byte's remainder": by_remainder(),
    "one knob at weight 0.9": one_knob_light(),
    "never the last called first": never_the_last_first(),
    "sorted by a half-precision float": sorted_by_float(),
}

# What comes twice needs no chi-square: how likely by so many bags.
BIRTHDAYS = {"a seed of 16 bits": seed_of_16_bits, "a bag used again": used_again}
