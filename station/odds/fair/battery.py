"""Look for a bias in many bags: each test says how unlikely its count is for a fair bag.

Exact laws say what a fair bag does: each of its orders of `n` knobs is as likely as any other. Each
test counts something over all bags, and says how unlikely a fair bag is to count so far from what
its law lets expect.

The laws are those of the books on permutations: Knuth, The Art of Computer Programming, volume 3,
section 5.1 (inversions, runs), and Riordan, An Introduction to Combinatorial Analysis, chapters 3
and 4 (matches, cycles).

What the licensing texts for drawing machines ask about the permutations that a game uses (25 CFR
547.14, 11 VAC 15-40) is here: places, sets, pairs, runs, gaps, the coupon collector's wait, what
hangs together within a game and from one to the next. All tests are one family: a fair bag fails
any of them once in a hundred batteries (`LEVEL`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from station.base.nouns import KNOBS
from station.base.tongue import key
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


# -- a battery and its findings --------------------------------------------------------------------

LEVEL = 0.01
FIRST = 5  # calls in which a row can be full
ROW = 5
LEAST_EXPECTED = 10.0  # in each cell that is counted alone
MOST_AT_ONCE = 20_000
LIKEST = KNOBS * (KNOBS + 1) * (2 * KNOBS + 1) // 6  # of products of calls: a game as the last one

Bags: TypeAlias = NDArray[np.int64]  # bags × calls, the numbers from 1
Name: TypeAlias = tuple[str, str]  # the key of a test's words, and what numbers they name, if any
_MULTIPLIERS = np.random.default_rng(90).integers(1, 2**63, KNOBS, dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one test found.

    Attributes:
        key: what the test looks at, to be translated; `{numbers}` stands in some.
        numbers: what stands there.
        chance: how likely a fair bag is to differ as much.
        level: the same in the family of all tests.
        freedom: degrees of freedom; 0 where a single figure is looked at.
    """

    key: str
    numbers: str
    chance: float
    level: float
    freedom: int


@dataclass
class Battery:
    """Tests over bags that are added bit by bit, in the order in which they were made.

    Attributes:
        tests: all, or those that are asked for. That no bag comes twice is always looked at.
        bags: how many were added.
    """

    tests: Mapping[Name, Test] = field(default_factory=lambda: TESTS)
    bags: int = 0
    _counts: dict[Name, NDArray[np.int64]] = field(default_factory=dict)
    _last: Bags | None = None
    _digests: list[NDArray[np.uint64]] = field(default_factory=list)

    def add(self, orders: Sequence[Sequence[int]] | Bags) -> None:
        """Count more bags.

        Args:
            orders: bags × 90: the numbers of each in the order of their calls.

        Raises:
            ValueError: one of them is no order of the 90 numbers.
        """
        some: Bags = np.asarray(orders, dtype=np.int64)
        whole = some.ndim == 2 and some.shape[1] == KNOBS
        if not whole or (np.sort(some) != np.arange(1, KNOBS + 1)).any():
            raise ValueError("a bag has each of the 90 numbers once")
        for begin in range(0, len(some), MOST_AT_ONCE):
            self._add(some[begin : begin + MOST_AT_ONCE])

    def _add(self, some: Bags) -> None:
        called = np.argsort(some) + 1  # the call of each number
        before = some if self._last is None else np.concatenate((self._last, some))
        seen = Some(some, called, before, np.arange(self.bags, self.bags + len(some)))
        for name, test in self.tests.items():
            counted = np.bincount(test.count(seen), minlength=test.cells)
            self._counts[name] = self._counts.get(name, 0) + counted
        self._digests.append((some.astype(np.uint64) * _MULTIPLIERS).sum(axis=1, dtype=np.uint64))
        self.bags += len(some)
        self._last = some[-1:]

    @property
    def twice(self) -> int:
        """Return how many bags came before: of 90! orders a fair one does not come again."""
        digests = np.concatenate(self._digests) if self._digests else np.zeros(0, np.uint64)
        return len(digests) - len(np.unique(digests))

    def findings(self) -> list[Finding]:
        """Return what each test found, in order."""
        found = [(name, *test.judge(self._counts[name])) for name, test in self.tests.items()]
        found.append(((AGAIN, ""), float(not self.twice), 0))
        levels = holm([chance for _, chance, _ in found])
        return [
            Finding(*name, chance, level, freedom)
            for (name, chance, freedom), level in zip(found, levels, strict=True)
        ]


def failed(findings: Iterable[Finding]) -> list[Finding]:
    """Return the tests that a fair bag does not fail."""
    return [one for one in findings if one.level < LEVEL]


# -- the tests ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Some:
    """Some bags as they are counted: the number of each call, the call of each number, the bags
    with the one before them in front, which bag from the first."""

    orders: Bags
    calls: Bags
    with_last: Bags
    index: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Test:
    """Cells that bags are counted into, and how the counts are judged: the chance of a fair bag,
    and the degrees of freedom."""

    cells: int
    count: Callable[[Some], NDArray[np.int64]]
    judge: Callable[[NDArray[np.int64]], tuple[float, int]]


def _by_law(law: Sequence[float], counts: NDArray[np.int64]) -> tuple[float, int]:
    """Judge counts by a law: a chi-square over cells that are wide enough."""
    bags = int(counts.sum())
    expected, seen = [0.0], [0]
    for likely, count in zip(law, counts, strict=True):
        if expected[-1] >= LEAST_EXPECTED:
            expected.append(0.0)
            seen.append(0)
        expected[-1] += likely * bags
        seen[-1] += int(count)
    if len(expected) > 1 and expected[-1] < LEAST_EXPECTED:
        tail, last = expected.pop(), seen.pop()
        expected[-1] += tail
        seen[-1] += last
    if len(expected) < 2:
        return 1.0, 0
    off = sum((a - b) ** 2 / b for a, b in zip(seen, expected, strict=True))
    return chi_square_tail(off, len(expected) - 1), len(expected) - 1


def _places(counts: NDArray[np.int64]) -> tuple[float, int]:
    """Judge how often each number came at each call. Rows and columns have fixed sums, and within
    a bag a place that is taken is taken: (n - 1)/n of the usual sum has (n - 1)² degrees."""
    mean = counts.sum() / KNOBS / KNOBS
    off = float(((counts - mean) ** 2).sum() / mean) * (KNOBS - 1) / KNOBS
    return chi_square_tail(off, (KNOBS - 1) ** 2), (KNOBS - 1) ** 2


def _in_first(counts: NDArray[np.int64]) -> tuple[float, int]:
    """Judge how often each number was among the first."""
    share, bags = FIRST / KNOBS, counts.sum() / FIRST
    spread = bags * share * (1 - share) * KNOBS / (KNOBS - 1)
    return chi_square_tail(
        float(((counts - bags * share) ** 2).sum() / spread), KNOBS - 1
    ), KNOBS - 1


def _pairs_in_first(counts: NDArray[np.int64]) -> tuple[float, int]:
    """Judge how often each pair was among the first, beyond what its numbers alone explain."""
    table = counts.reshape(KNOBS, KNOBS)
    table = table + table.T
    bags = table.sum() / FIRST / (FIRST - 1)
    alone = table.sum(axis=1)
    mean = table.sum() / KNOBS / (KNOBS - 1)
    single = (alone - alone.mean()) / (KNOBS - 2)
    rest = table - mean - single[:, None] - single[None, :]
    upper = np.triu_indices(KNOBS, 1)
    freedom = KNOBS * (KNOBS - 3) // 2
    off = float((rest[upper] ** 2).sum() / bags / pairs_among(KNOBS, FIRST))
    return chi_square_tail(off, freedom), freedom


def _together(orders: Bags) -> NDArray[np.int64]:
    """Return the pairs among the first calls, the lower number first."""
    first = np.sort(orders[:, :FIRST]) - 1
    return np.concatenate(
        [first[:, a] * KNOBS + first[:, b] for b in range(FIRST) for a in range(b)]
    )


def _next_pair(counts: NDArray[np.int64]) -> tuple[float, int]:
    """Judge which number follows which: all pairs of two numbers alike."""
    table = counts.reshape(KNOBS, KNOBS)
    seen = table[~np.eye(KNOBS, dtype=bool)]
    return _alike(seen)


def _alike(counts: NDArray[np.int64]) -> tuple[float, int]:
    mean = counts.sum() / len(counts)
    off = float(((counts - mean) ** 2).sum() / mean) if mean else 0.0
    return chi_square_tail(off, len(counts) - 1), len(counts) - 1


def _touching(counts: NDArray[np.int64]) -> tuple[float, int]:
    """Judge how many calls touch the number before, on the average."""
    mean, variance = touching(KNOBS)
    return _average(counts, mean, variance)


def _average(counts: NDArray[np.int64], mean: float, variance: float) -> tuple[float, int]:
    bags = int(counts.sum())
    whole = float((counts * np.arange(len(counts))).sum())
    return normal_tails((whole - bags * mean) / (bags * variance) ** 0.5 if bags else 0), 0


def _alike_to_last(counts: NDArray[np.int64]) -> tuple[float, int]:
    """Judge whether numbers come early that came early in the game before: the sum over all
    numbers of the product of their calls (Spearman; its variance has n - 1 below)."""
    middle = (KNOBS + 1) / 2
    squares = KNOBS * (KNOBS * KNOBS - 1) / 12
    return _average(counts, KNOBS * middle * middle, squares * squares / (KNOBS - 1))


def _products(seen: Some) -> NDArray[np.int64]:
    calls = np.argsort(seen.with_last) + 1
    products: NDArray[np.int64] = (calls[1:] * calls[:-1]).sum(axis=1)
    return products


def _rises(orders: Bags) -> NDArray[np.int64]:
    """Return the length of the longest rising row of each bag: piles of patience."""
    tops = np.full((len(orders), len(longest_rise()) - 1), KNOBS + 1, dtype=np.uint8)
    every, numbers = np.arange(len(orders)), orders.astype(np.uint8)
    for call in range(KNOBS):
        pile = (tops < numbers[:, call, None]).sum(axis=1)
        tops[every, np.minimum(pile, tops.shape[1] - 1)] = numbers[:, call]
    piles: NDArray[np.int64] = (tops <= KNOBS).sum(axis=1)
    return piles


def _cycles(orders: Bags) -> NDArray[np.int64]:
    """Return the cycles of each bag: numbers that are the least of theirs, found by doubling."""
    step = orders - 1
    least = np.broadcast_to(np.arange(KNOBS), step.shape).copy()
    for _ in range(KNOBS.bit_length()):
        least = np.minimum(least, np.take_along_axis(least, step, axis=1))
        step = np.take_along_axis(step, step, axis=1)
    found: NDArray[np.int64] = (least == np.arange(KNOBS)).sum(axis=1)
    return found


def _inversions(orders: Bags) -> NDArray[np.int64]:
    numbers = orders.astype(np.uint8)
    found = np.zeros(len(orders), dtype=np.int64)
    for call in range(1, KNOBS):
        found += (numbers[:, :call] > numbers[:, call, None]).sum(axis=1)
    return found


def _ranked(first: int, rank: int, seen: Some) -> NDArray[np.int64]:
    lowest: NDArray[np.int64] = np.sort(seen.orders[:, :first])[:, rank - 1]
    return lowest


def _apart(seen: Some) -> NDArray[np.int64]:
    """Return how far apart two neighbouring numbers are called: another two in each bag."""
    every, one = np.arange(len(seen.calls)), seen.index % (KNOBS - 1)
    calls: NDArray[np.int64] = np.abs(seen.calls[every, one] - seen.calls[every, one + 1])
    return calls


def _full(row: int, seen: Some) -> NDArray[np.int64]:
    last: NDArray[np.int64] = seen.calls[:, row * ROW : (row + 1) * ROW].max(axis=1)
    return last


def _tests() -> Iterator[tuple[Name, Test]]:
    for words, test in _of_all_numbers():
        yield (words, ""), test
    law = ranked(KNOBS, ROW, ROW)  # the last of five calls is as the highest of five numbers
    for row in range(KNOBS // ROW):
        numbers = f"{row * ROW + 1}-{(row + 1) * ROW}"
        yield (FULL, numbers), Test(len(law), partial(_full, row), partial(_by_law, law))


def _of_all_numbers() -> Iterator[tuple[str, Test]]:
    square = KNOBS * KNOBS
    calls = np.arange(KNOBS)
    yield (
        key("at which call each number comes"),
        Test(square, lambda seen: ((seen.orders - 1) * KNOBS + calls).ravel(), _places),
    )
    yield (
        key("which numbers are among the first five"),
        Test(KNOBS, lambda seen: (seen.orders[:, :FIRST] - 1).ravel(), _in_first),
    )
    yield (
        key("which pairs are among the first five"),
        Test(square, lambda seen: _together(seen.orders), _pairs_in_first),
    )
    yield (
        key("which number follows which, at the start"),
        Test(square, lambda seen: _pair(seen.orders[:, 0], seen.orders[:, 1]), _next_pair),
    )
    yield (
        key("how often a number touches the one before"),
        Test(
            KNOBS,
            lambda seen: (np.abs(np.diff(seen.orders)) == 1).sum(axis=1),
            _touching,
        ),
    )
    yield (
        key("which number begins after the last of the game before"),
        Test(square, lambda seen: _pair(seen.with_last[:-1, -1], seen.with_last[1:, 0]), _alike),
    )
    yield (
        key("whether a game is like the game before"),
        Test(LIKEST + 1, _products, _alike_to_last),
    )
    for name, counted, law in (
        (
            key("how often a call is higher than the one before"),
            lambda seen: (np.diff(seen.orders) > 0).sum(axis=1),
            ascents(KNOBS),
        ),
        (
            key("how long the longest rising row is"),
            lambda seen: _rises(seen.orders),
            longest_rise(),
        ),
        (key("how many cycles there are"), lambda seen: _cycles(seen.orders), cycles(KNOBS)),
        (
            key("how many numbers come at their own call"),
            lambda seen: (seen.orders == calls + 1).sum(axis=1),
            matches(KNOBS),
        ),
        (
            key("how many pairs come the higher first"),
            lambda seen: _inversions(seen.orders),
            inversions(KNOBS),
        ),
        (key("how far apart neighbours are called"), _apart, apart(KNOBS)),
        (key("the lowest of the first five"), partial(_ranked, 5, 1), ranked(KNOBS, 5, 1)),
        (key("the highest of the first five"), partial(_ranked, 5, 5), ranked(KNOBS, 5, 5)),
        (
            key("the middle one of the first fifteen"),
            partial(_ranked, 15, 8),
            ranked(KNOBS, 15, 8),
        ),
    ):
        yield name, Test(len(law), counted, partial(_by_law, law))


def _pair(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    return (one - 1) * KNOBS + other - 1


FULL = key("when {numbers} are all called")
AGAIN = key("no bag comes twice")
TESTS: Mapping[Name, Test] = dict(_tests())
