"""Calls to a row, two rows, the full card, exactly: against every order of small games, closed
formulas, and rehearsed games."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import comb

import pytest

from station.base.errors import Unreadable
from station.odds.rehearsal.outlook import CHECKED, compared
from station.odds.rehearsal.ranks import calls_to

# Cards, rows of each, length of a row, knobs.
SMALL = [(1, 2, 2, 5), (2, 2, 1, 5), (3, 1, 2, 7), (1, 3, 2, 7), (2, 1, 3, 6), (1, 1, 3, 3)]


@pytest.mark.parametrize(("cards", "rows", "length", "knobs"), SMALL)
def test_every_order_of_a_small_game_counts(cards, rows, length, knobs):
    """Mean, variance and every chance are those of all orders, played one by one."""
    for wanted in range(1, rows + 1):
        counts = []
        for order in permutations(range(knobs)):
            ranks = [
                order[start : start + length] for start in range(0, cards * rows * length, length)
            ]
            full = [
                sorted(max(row) + 1 for row in ranks[card * rows : (card + 1) * rows])
                for card in range(cards)
            ]
            counts.append(min(of_card[wanted - 1] for of_card in full))
        wait = calls_to(wanted, cards=cards, rows=rows, length=length, knobs=knobs)
        mean = Fraction(sum(counts), len(counts))
        assert wait.mean == mean
        assert wait.variance == Fraction(sum(count**2 for count in counts), len(counts)) - mean**2
        for calls in range(knobs + 1):
            assert wait.within(calls) == Fraction(
                sum(count <= calls for count in counts), len(counts)
            )


def test_a_row_is_inclusion_and_exclusion():
    """The chance that none of a strip's 18 rows is full is the sum with changing signs over rows
    that are."""
    beyond = calls_to(1, cards=6).beyond
    for calls in range(91):
        full = range(min(18, calls // 5) + 1)
        assert beyond[calls] == sum(
            Fraction(
                (-1) ** rows * comb(18, rows) * comb(90 - 5 * rows, calls - 5 * rows),
                comb(90, calls),
            )
            for rows in full
        )


def test_one_card_is_a_closed_formula():
    """All fifteen among k calls: C(75, k - 15) / C(90, k); on average 15 · 91 / 16 calls."""
    wait = calls_to(3)
    assert wait.mean == Fraction(15 * 91, 16)
    for calls in range(15, 91):
        assert wait.within(calls) == Fraction(comb(75, calls - 15), comb(90, calls))
    assert wait.within(14) == 0
    assert wait.within(1000) == 1


@pytest.mark.parametrize(
    "game",
    [
        {"wanted": 0},
        {"wanted": 4},
        {"wanted": 1, "cards": 0},
        {"wanted": 1, "cards": 7},
        {"wanted": 1, "length": 0},
    ],
)
def test_a_game_that_cannot_be_is_refused(game):
    """More rows than a card has, no cards, more numbers than knobs: named."""
    with pytest.raises(Unreadable, match="there is no such game"):
        calls_to(**game)


@pytest.mark.parametrize("seed", ["1", "2", "a hall"])
def test_rehearsed_games_of_a_strip_agree(seed):
    """The means of twenty thousand rehearsed games lie within four standard errors of the exact
    ones, and are not these."""
    for one, (rows, figure) in zip(
        compared(seed), ((1, 46.5641), (2, 65.3828), (3, 77.5349)), strict=True
    ):
        exact = calls_to(rows, cards=6)
        assert one.exact == pytest.approx(figure, abs=1e-4) == float(exact.mean)
        assert one.card == float(calls_to(rows).mean)
        assert 0 < abs(one.off) < 4
        assert one.rehearsed - one.exact == pytest.approx(
            one.off * float(exact.variance) ** 0.5 / CHECKED**0.5
        )
