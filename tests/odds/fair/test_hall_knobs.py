"""Months of a hall's own knobs: a light one is found as soon as it can be, fair ones are not, and
what could not be seen yet is said."""

from __future__ import annotations

import math

import numpy as np
import pytest

from station.odds.fair.knobs import detectable, information, judge_knobs, told
from tests.odds.fair.twins import fair, one_knob_light

LIGHT = 42


def _games(twin, games, calls=60, **how):
    return twin(np.random.default_rng(5), games, **how)[:, :calls].tolist()


def test_a_knob_of_half_the_weight_is_found_in_eight_nights():
    """Of twenty games of sixty calls each: that knob, too late, and no other."""
    found = judge_knobs(_games(one_knob_light, 160, weight=0.5))
    assert (found.games, found.calls) == (160, 9600)
    assert [one.number for one in found.off] == [LIGHT]
    assert found.off[0].deviations < -4
    assert found.off[0].weight == pytest.approx(0.5, abs=0.15)
    assert any(sentence.startswith("42 comes too late") for sentence in told(found))


def test_a_heavy_knob_comes_too_early():
    """And no other does."""
    found = judge_knobs(_games(one_knob_light, 160, weight=2.0))
    assert [one.number for one in found.off] == [LIGHT]
    assert any(sentence.startswith("42 comes too early") for sentence in told(found))


def test_fair_knobs_are_not_accused():
    """None is told, and that is said."""
    found = judge_knobs(_games(fair, 160))
    assert found.off == ()
    assert [*told(found)][1] == "No knob comes too early or too late."


@pytest.mark.parametrize(
    ("games", "least", "most"), [(160, 0.5, 0.65), (1000, 0.78, 0.84), (5200, 0.9, 0.93)]
)
def test_what_weight_can_be_found_by_now(games, least, most):
    """By games of 60 calls; what is heavier is seen sooner, since it comes more often."""
    light, heavy = detectable({60: games})
    assert least <= light <= most
    assert 1 < heavy < 1 / light


@pytest.mark.long
def test_what_can_be_found_by_now_is_found_nine_times_in_ten():
    """Two hundred times eight nights, with a knob of just that weight: within three errors."""
    chance, (light, _) = np.random.default_rng(6), detectable({60: 160})
    months = (one_knob_light(chance, 160, light)[:, :60].tolist() for _ in range(200))
    found = sum(LIGHT in [one.number for one in judge_knobs(games).off] for games in months)
    assert 0.9 - 3 * 0.021 <= found / 200 <= 0.9 + 3 * 0.021


@pytest.mark.parametrize("calls", [1, 10, 60, 90])
def test_a_score_varies_as_its_information_says(calls):
    """Over 4,000 fair games, of all 90 knobs: as wide as one."""
    found = judge_knobs(_games(fair, 4000, calls))
    spread = sum(one.deviations**2 for one in found.knobs) / 89
    assert spread == pytest.approx(1, abs=0.6)
    assert information(calls) > 0


def test_without_games_nothing_is_known():
    """Any weight could be there."""
    found = judge_knobs([])
    assert (found.games, found.light, found.heavy, found.off) == (0, 0.0, math.inf, ())
    assert [*told(found)] == ["No game was played with the hall's own knobs."]


@pytest.mark.parametrize("games", [[[], [7]], [[7], [7]]])
def test_few_calls_accuse_nobody(games):
    """One number first in two games running happens once in ninety times."""
    found = judge_knobs(games)
    assert (found.games, found.off) == (2, ())


def test_the_same_knob_first_every_time_is_found():
    """Five times running: once in 90⁴ times of a fair bag."""
    assert [one.number for one in judge_knobs([[7]] * 5).off] == [7]
