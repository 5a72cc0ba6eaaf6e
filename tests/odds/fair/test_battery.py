"""A fair bag passes the battery, and each bag that is not fair is caught, as surely as its law
says."""

from __future__ import annotations

import numpy as np
import pytest

from station.base.catalogues import speaking
from station.base.tongue import tr
from station.odds.fair.battery import AGAIN, TESTS, Battery, failed
from tests.odds.fair.__main__ import caught, predicted, small
from tests.odds.fair.power import BIRTHDAYS, HIGHER, LAWS, PLACES
from tests.odds.fair.twins import TWINS, fair


def _failed(twin, bags, seed="1"):
    battery = Battery()
    battery.add(twin(np.random.default_rng(int(seed)), bags))
    return {one.key for one in failed(battery.findings())}


def test_fair_bags_pass():
    """As with any luck once in a hundred seeds they would not: this seed's do."""
    assert _failed(fair, 4000) == set()


def test_it_does_not_matter_in_which_heaps_bags_are_added():
    """The last bag of a heap is the one before the next heap's first."""
    orders = fair(np.random.default_rng(3), 500)
    whole, parts = Battery(), Battery()
    whole.add(orders)
    for begin in range(0, 500, 99):
        parts.add(orders[begin : begin + 99])
    assert whole.findings() == parts.findings()


@pytest.mark.parametrize(
    ("name", "bags", "test"),
    [
        ("naive swaps", 1500, PLACES),
        ("a byte's remainder", 4000, PLACES),
        ("sorted by a half-precision float", 8000, HIGHER),
        ("a seed of 16 bits", 1500, AGAIN),
        ("a bag used again", 2000, AGAIN),
    ],
)
def test_a_twin_is_caught_in_a_few_bags(name, bags, test):
    """By the test that is made for it, among others."""
    assert test in _failed(TWINS[name], bags)


def test_every_twin_is_caught_at_a_million():
    """By its law: 999 of 1,000 batteries of a million bags, and more."""
    assert {name for name, law in LAWS.items() if law.power(10**6) < 0.999} == set()
    assert {name for name, law in BIRTHDAYS.items() if law(10**6) < 0.999} == set()
    assert {*TWINS} == {*LAWS, *BIRTHDAYS}


def test_two_stations_with_one_source_are_found():
    """As if one card had been copied and both had started from its luck: their bags as one list."""
    one = fair(np.random.default_rng(7), 50)
    battery = Battery()
    battery.add(one)
    assert battery.twice == 0
    battery.add(one[20:30])
    assert battery.twice == 10


@pytest.mark.parametrize("wrong", [[[1] * 90], [[*range(90)]], [[*range(1, 90)]]])
def test_what_is_no_bag_is_refused(wrong):
    """A number twice, one that is none, one that lacks."""
    with pytest.raises(ValueError, match="each of the 90 numbers once"):
        Battery().add(wrong)
    assert len(TESTS) == 34


@pytest.mark.parametrize("name", ["a bag used again", "never the last called first"])
def test_a_twin_is_caught_as_often_as_its_law_says(name):
    """A slice of `python -m tests.odds.fair`: within four standard errors."""
    runs, bags = 60, small(name)
    chance = np.random.default_rng(90)
    seen = sum(caught(name, chance, bags) for _ in range(runs)) / runs
    law = predicted(name, bags)
    assert abs(seen - law) < 4 * (law * (1 - law) / runs) ** 0.5
    assert 0.75 < law < 0.9


def test_every_test_has_its_words_in_a_language():
    """With the numbers that it looks at, where it looks at some."""
    battery = Battery()
    battery.add(fair(np.random.default_rng(1), 10))
    with speaking("de"):
        told = [tr(one.key, numbers=one.numbers) for one in battery.findings()]
    assert "wann 86-90 alle aufgerufen sind" in told
    assert len({*told}) == len(told) == 35
