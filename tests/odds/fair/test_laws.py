"""The laws of a fair bag, against all orders of a few knobs counted one by one; the tails against
tables in print."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections import Counter

import pytest

from station.base.nouns import KNOBS
from station.odds.fair import battery
from tests.odds.fair import rising

N = 6
ALL = tuple(itertools.permutations(range(1, N + 1)))


def _share(counted):
    counts = Counter(counted)
    return [counts[k] / len(ALL) for k in range(max(counts) + 1)]


def _rise(order):
    tops = []
    for number in order:
        tops[(pile := bisect_left(tops, number)) : pile + 1] = [number]
    return len(tops)


def _cycles(order):
    left, found = set(order), 0
    while left:
        found, number = found + 1, min(left)
        while number in left:
            left.remove(number)
            number = order[number - 1]
    return found


COUNTED = {
    "ascents": (battery.ascents(N), lambda order: sum(a < b for a, b in itertools.pairwise(order))),
    "cycles": (battery.cycles(N), _cycles),
    "matches": (battery.matches(N), lambda order: sum(a == b for a, b in enumerate(order, 1))),
    "inversions": (
        battery.inversions(N),
        lambda order: sum(a > b for a, b in itertools.combinations(order, 2)),
    ),
    "ranked": (battery.ranked(N, 3, 2), lambda order: sorted(order[:3])[1]),
    "apart": (battery.apart(N), lambda order: abs(order.index(2) - order.index(3))),
    "rising": (rising.law(N, N), _rise),
}


@pytest.mark.parametrize(("law", "count"), COUNTED.values(), ids=COUNTED)
def test_a_law_is_what_all_orders_of_six_do(law, count):
    """Counted one by one."""
    found = _share(map(count, ALL))
    assert [*law] == pytest.approx(found + [0.0] * (len(law) - len(found)))


def test_touching_is_what_all_orders_of_six_do():
    """Mean and variance."""
    seen = [sum(abs(a - b) == 1 for a, b in itertools.pairwise(order)) for order in ALL]
    mean = sum(seen) / len(ALL)
    assert battery.touching(N) == pytest.approx(
        (mean, sum((x - mean) ** 2 for x in seen) / len(ALL))
    )


def test_pairs_among_the_first_vary_as_in_all_orders_of_six():
    """A contrast of pairs that no single number explains: two pairs for, two against."""
    contrast = {(1, 2): 1, (3, 4): 1, (1, 3): -1, (2, 4): -1}
    seen = [sum(contrast.get(p, 0) for p in itertools.combinations(sorted(o[:4]), 2)) for o in ALL]
    assert sum(x * x for x in seen) / len(ALL) == pytest.approx(4 * battery.pairs_among(N, 4))


@pytest.mark.parametrize(
    ("value", "freedom", "chance"),
    # Abramowitz and Stegun, table 26.8, and for one degree the normal tail of 1.96.
    [(3.84146, 1, 0.05), (11.0705, 5, 0.05), (23.2093, 10, 0.01), (124.342, 100, 0.05)],
)
def test_a_chi_square_has_the_tails_of_the_tables(value, freedom, chance):
    """And of nothing off it is sure."""
    assert battery.chi_square_tail(value, freedom) == pytest.approx(chance, rel=1e-4)
    assert battery.chi_square_tail(0, freedom) == 1


def test_thousands_of_degrees_are_no_matter():
    """Half lies above the middle, and next to nothing six deviations above."""
    freedom = (KNOBS - 1) ** 2
    spread = math.sqrt(2 * freedom)
    assert battery.chi_square_tail(freedom, freedom) == pytest.approx(0.5, abs=0.01)
    assert 0 < battery.chi_square_tail(freedom + 6 * spread, freedom) < 1e-7


def test_the_family_is_stricter_than_each():
    """Holm's own steps: three times the least, twice the next, never less than one before."""
    assert battery.holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert battery.holm([0.9, 0.8]) == [1.0, 1.0]


@pytest.mark.long
def test_the_longest_rise_of_ninety_is_kept_as_it_is_reckoned():
    """As far as a hundredth of a second per row lets check it: ten rows, and the sum of all."""
    kept = battery.longest_rise()
    assert [*kept[:10]] == pytest.approx(rising.law(KNOBS, 10)[:10], rel=1e-12)
    assert math.fsum(kept) == pytest.approx(1)
