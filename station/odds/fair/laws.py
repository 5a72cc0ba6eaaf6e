"""Work out what a fair bag does: exact laws of orders of `n` knobs, each as likely as any other,
and how unlikely it is that a fair bag differs so much from them.

The laws are those of the books on permutations: Knuth, The Art of Computer Programming, volume 3,
section 5.1 (inversions, runs), and Riordan, An Introduction to Combinatorial Analysis, chapters 3
and 4 (matches, cycles).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

from station.base.untrusted import read_json

LONGEST = Path(__file__).parent / "longest_rise.json"


def chi_square_tail(value: float, freedom: int) -> float:
    """Return how likely a chi-square of so many degrees of freedom is to be at least `value`.

    The closed sums for even and odd degrees (Abramowitz and Stegun 26.4.4 and 26.4.5); terms are
    added from their logarithms, so that thousands of degrees are no matter.

    Examples:
        >>> round(chi_square_tail(18.307, 10), 4), round(chi_square_tail(3.841, 1), 4)
        (0.05, 0.05)
    """
    if value <= 0:
        return 1.0
    half, odd = value / 2, freedom % 2
    terms = (
        (count + odd / 2) * math.log(half) - half - math.lgamma(count + 1 + odd / 2)
        for count in range((freedom - odd) // 2)
    )
    first = math.erfc(math.sqrt(half)) if odd else 0.0
    return min(1.0, first + math.fsum(map(math.exp, terms)))


def normal_tails(deviation: float) -> float:
    """Return how likely a normal figure is to be at least so many deviations off, either way."""
    return math.erfc(abs(deviation) / math.sqrt(2))


def holm(chances: Sequence[float]) -> list[float]:
    """Return the chances of several tests as one family: each is the level at which the family
    would reject it (Holm, 1979).

    Examples:
        >>> holm([0.01, 0.5, 0.02])
        [0.03, 0.5, 0.04]
    """
    ranked = sorted(range(len(chances)), key=lambda one: chances[one])
    found, least = [0.0] * len(chances), 0.0
    for rank, one in enumerate(ranked):
        least = max(least, min(1.0, (len(chances) - rank) * chances[one]))
        found[one] = least
    return found


# -- laws of one order of n knobs --------------------------------------------------------


@cache
def ascents(n: int) -> tuple[float, ...]:
    """Return how likely 0, 1, … calls are higher than the call before (Euler's numbers)."""
    row = [1]
    for size in range(2, n + 1):
        row = [
            (k + 1) * (row[k] if k < len(row) else 0) + (size - k) * (row[k - 1] if k else 0)
            for k in range(size)
        ]
    return _likely(row)


@cache
def cycles(n: int) -> tuple[float, ...]:
    """Return how likely an order has 0, 1, … cycles (Stirling's numbers of the first kind)."""
    row = [1]
    for size in range(n):
        row = [
            (row[k - 1] if k else 0) + size * (row[k] if k < len(row) else 0)
            for k in range(len(row) + 1)
        ]
    return _likely(row)


@cache
def matches(n: int) -> tuple[float, ...]:
    """Return how likely 0, 1, … knobs come at the call of their own number."""
    astray = [1, 0]  # orders without any
    for size in range(2, n + 1):
        astray.append((size - 1) * (astray[-1] + astray[-2]))
    return _likely([math.comb(n, k) * astray[n - k] for k in range(n + 1)])


@cache
def inversions(n: int) -> tuple[float, ...]:
    """Return how likely 0, 1, … pairs are called the higher before the lower."""
    row = [1]
    for size in range(2, n + 1):
        wider, running = [], 0
        for k in range(len(row) + size - 1):
            running += row[k] if k < len(row) else 0
            running -= row[k - size] if k >= size else 0
            wider.append(running)
        row = wider
    return _likely(row)


@cache
def ranked(n: int, first: int, rank: int) -> tuple[float, ...]:
    """Return how likely 0, 1, … n is the number of this rank, from 1, among the first calls."""
    return _likely(
        [
            math.comb(k - 1, rank - 1) * math.comb(n - k, first - rank) if k else 0
            for k in range(n + 1)
        ]
    )


@cache
def apart(n: int) -> tuple[float, ...]:
    """Return how likely two knobs are called 0, 1, … n - 1 calls apart."""
    return _likely([n - k if k else 0 for k in range(n)])


@cache
def longest_rise() -> tuple[float, ...]:
    """Return how likely the longest rising row of calls of 90, not side by side, has 0, 1, … of
    them: worked out once, by Gessel's determinants."""
    return tuple(read_json(LONGEST))


def _likely(counts: Sequence[int]) -> tuple[float, ...]:
    """Return counts as shares of their sum."""
    whole = sum(counts)
    return tuple(float(Fraction(count, whole)) for count in counts)


def touching(n: int) -> tuple[float, float]:
    """Return of the calls whose number touches the one before (12 after 11 or after 13) how many
    there are in a game on the average, and the variance."""
    places, pairs = n - 1, n - 1
    one = Fraction(2 * pairs, n * (n - 1))
    # Two places that share a call need three numbers in a row; two that do not, two pairs apart.
    row = Fraction(2 * (n - 2), n * (n - 1) * (n - 2))
    both = Fraction(4 * (pairs * pairs - pairs - 2 * (n - 2)), n * (n - 1) * (n - 2) * (n - 3))
    beside = 2 * (places - 1)
    mean = places * one
    square = mean + beside * row + (places * (places - 1) - beside) * both
    return float(mean), float(square - mean * mean)


def pairs_among(n: int, first: int) -> float:
    """Return the variance of a pair of knobs among the first calls, once what the single knobs
    explain is taken out: of the scheme of pairs, the eigenvalue with n(n - 3)/2 dimensions."""

    def all_in(count: int) -> Fraction:
        return Fraction(math.perm(first, count), math.perm(n, count))

    return float(all_in(2) - 2 * all_in(3) + all_in(4))
