"""Exact chances of a drawing: the known fractions, every drawing of small bags, and a simulation."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np
import pytest

from station.odds import mean_from_pool, mean_kept, row_chances
from station.rules.loto_second_state import BOOK, Terms

KNOWN = (
    Fraction(546364, 998847),
    Fraction(359450, 998847),
    Fraction(102700, 1220813),
    Fraction(31600, 3662439),
    Fraction(1400, 3662439),
    Fraction(7, 1220813),
)


def test_the_chances_of_a_row():
    """None, abstract, ambo, terne, quaterne, quinterne of ten knobs out of ninety, as fractions."""
    assert row_chances() == KNOWN
    assert sum(row_chances()) == 1


def test_what_a_card_keeps_on_average():
    """The counters laid are 15 numbers by 10 of 90 knobs; the rest comes from the pool."""
    assert mean_kept() == Fraction(13531315, 3662439)
    assert mean_kept() - mean_from_pool() == Fraction(15 * 10, 90)
    assert round(float(mean_kept()), 4) == 3.6946


@pytest.mark.parametrize("away", [0, 1, 2])
@pytest.mark.parametrize("here", [0, 1, 2, 3])
def test_every_drawing_of_a_small_bag(here, away):
    """Counted one by one; a knob put away is on no row."""
    terms = Terms(prizes=(0, 1, 5, 25), cavities=3, knobs=8)
    ways = [*combinations(range(8 - away), 3)]
    met = [sum(knob < here for knob in way) for way in ways]
    chances = row_chances(terms, here, away)
    assert chances == tuple(Fraction(met.count(laid), len(ways)) for laid in range(here + 1))
    assert mean_from_pool(terms, here, 2, away) == 2 * Fraction(sum(terms.prizes[laid] for laid in met), len(ways))
    assert mean_kept(terms, here, 1, away) == Fraction(sum(laid + terms.prizes[laid] for laid in met), len(ways))


def test_a_simulation_agrees():
    """Each class, and what a row keeps, within four standard errors of a hundred thousand drawings."""
    many = 100_000
    order = np.random.default_rng(20).random((many, 90)).argpartition(BOOK.cavities, axis=1)[:, : BOOK.cavities]
    laid = (order < 5).sum(axis=1)
    for counters, chance in enumerate(map(float, row_chances())):
        error = sqrt(chance * (1 - chance) / many)
        assert abs((laid == counters).mean() - chance) <= 4 * error
    kept = laid + np.array(BOOK.prizes)[laid]
    assert abs(kept.mean() - float(mean_kept(rows=1))) <= 4 * kept.std() / sqrt(many)
