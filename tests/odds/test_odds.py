"""Exact chances of both methods of Loto: the known fractions, every drawing, order and race of
small games, sums to one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import Unreadable
from station.base.nouns import Card
from station.games.loto_second.play import GAME
from station.games.loto_second.rules import Draw, GamePhase, Settle, Setup
from station.games.loto_second.state import State
from station.odds.first import calls_for, covers, crowd, race, short_sets
from station.odds.rehearsal.ranks import calls_to
from station.odds.second import (
    lasting,
    mean,
    mean_from_pool,
    mean_kept,
    row_chances,
    rows_with,
    variance,
    winnings,
)
from station.rules.patterns import PATTERNS, Pattern, PatternPart, drawn
from station.rules.terms import Terms

KNOWN = (
    Fraction(546364, 998847),
    Fraction(359450, 998847),
    Fraction(102700, 1220813),
    Fraction(31600, 3662439),
    Fraction(1400, 3662439),
    Fraction(7, 1220813),
)
SMALL = Terms(prizes=(0, 1, 5, 25), cavities=3, knobs=8)


# -- the Second Method -----------------------------------------------------------------------------


def test_the_chances_of_a_row():
    """None, abstract, ambo, terne, quaterne, quinterne of ten knobs out of ninety, as fractions."""
    assert row_chances() == KNOWN
    assert sum(row_chances()) == 1


def test_what_a_card_keeps_on_average():
    """The counters laid are 15 numbers by 10 of 90 knobs; the rest comes from the pool."""
    assert mean_kept() == Fraction(13531315, 3662439)
    assert mean_kept() - mean_from_pool() == Fraction(15 * 10, 90)
    assert round(float(mean_kept()), 4) == 3.6946


def test_what_a_card_wins():
    """From nothing to two quinternes, for which all ten knobs must lie on two of its three rows."""
    wins = winnings()
    assert (min(wins), max(wins)) == (0, 500)
    assert wins[500] == Fraction(3, comb(90, 10))
    assert mean(wins) == mean_from_pool()


@pytest.mark.parametrize("away", [0, 1, 2])
@pytest.mark.parametrize("here", [0, 1, 2, 3])
def test_every_drawing_of_a_small_bag(here, away):
    """Counted one by one; a knob put away is on no row."""
    ways = [*combinations(range(8 - away), 3)]
    met = [sum(knob < here for knob in way) for way in ways]
    chances = row_chances(SMALL, here, away)
    assert chances == tuple(Fraction(met.count(laid), len(ways)) for laid in range(here + 1))
    assert mean_from_pool(SMALL, here, 2, away) == 2 * Fraction(
        sum(SMALL.prizes[laid] for laid in met), len(ways)
    )
    assert mean_kept(SMALL, here, 1, away) == Fraction(
        sum(laid + SMALL.prizes[laid] for laid in met), len(ways)
    )


@pytest.mark.parametrize(
    ("here", "rows", "away"), [(2, 3, 0), (3, 2, 0), (3, 2, 2), (1, 5, 2), (2, 4, 0), (3, 1, 1)]
)
def test_rows_together_in_every_drawing(here, rows, away):
    """What rows without a common number win, and how many of a class there are: over every drawing
    of a small bag."""
    bag = range(8 - away)
    laid = [
        [sum(knob // here == row for knob in way) for row in range(rows)]
        for way in combinations(bag, 3)
    ]
    won = Counter(sum(SMALL.prizes[counters] for counters in way) for way in laid)
    assert winnings(SMALL, here, rows, away) == {
        sum_: Fraction(count, len(laid)) for sum_, count in won.items()
    }
    each = [sum(SMALL.prizes[counters] for counters in way) for way in laid]
    expected = Fraction(sum(each), len(each))
    assert (
        variance(winnings(SMALL, here, rows, away))
        == Fraction(sum(sum_**2 for sum_ in each), len(each)) - expected**2
    )
    for counters in range(here + 1):
        many = Counter(way.count(counters) for way in laid)
        assert rows_with(counters, SMALL, here, rows, away) == {
            size: Fraction(count, len(laid)) for size, count in many.items()
        }


@given(st.integers(0, 45), st.integers(1, 9), st.integers(0, 5))
def test_chances_sum_to_one_and_means_add_up(away, rows, laid):
    """Whatever is put away: no drawing is lost or counted twice, and the mean of several rows is
    that of one, times them."""
    wins, classes = winnings(rows=rows, away=away), rows_with(laid, rows=rows, away=away)
    assert sum(row_chances(away=away)) == sum(wins.values()) == sum(classes.values()) == 1
    assert mean(wins) == mean_from_pool(rows=rows, away=away)
    assert mean(classes) == rows * row_chances(away=away)[laid]
    assert variance(wins) > 0


@pytest.mark.parametrize("wrong", [{"rows": 19}, {"rows": 0}, {"away": 76}, {"away": 90}])
def test_a_drawing_that_cannot_be_is_refused(wrong):
    """More numbers than knobs are in the bag, or no rows: with what to do."""
    with pytest.raises(Unreadable, match=r"there is no such drawing; put fewer"):
        winnings(**wrong)


def small_company(terms: Terms, cards: int, rows: int, here: int) -> State:
    """Cards that bear each knob once, one to a seat, when the game begins."""
    numbers = iter(range(1, terms.knobs + 1))
    pack = {
        str(card): Card(
            str(card), tuple(tuple(next(numbers) for _ in range(here)) for _ in range(rows))
        )
        for card in range(cards)
    }
    return GAME.start(Setup(pack, (1,) * cards, (terms.a_card,) * cards, terms=terms))


def short_by_the_rules(state: State, way: tuple[int, ...]) -> State:
    """A drawing as the rules play it: settled, or short of counters."""
    for number in way:
        state = GAME.apply(state, Draw(number))
        if state.phase is GamePhase.SHORT:
            return state
    return GAME.apply(state, Settle())


@pytest.mark.parametrize(
    ("terms", "cards", "rows", "here"),
    [
        (Terms(2, 3, (0, 0, 2), 2, 4, 1), 1, 2, 2),
        (Terms(1, 4, (0, 1, 3), 3, 4, 1), 1, 2, 2),
        (Terms(3, 4, (0, 0, 1, 6), 3, 6, 1), 2, 1, 3),
        (Terms(0, 5, (0, 0, 3), 2, 6, 1), 3, 1, 2),
    ],
)
def test_how_long_counters_last_by_the_rules(terms, cards, rows, here):
    """Every drawing after every other, through the real rules: the same chance of each drawing to
    run short."""
    ways = [*combinations(range(1, terms.knobs + 1), terms.cavities)]
    # What is in hands matters to nothing here: games that have the same table and pool are one.
    open_games: dict[tuple[int, int], tuple[State, Fraction]] = {}
    start = small_company(terms, cards, rows, here)
    open_games[start.table, start.pool] = start, Fraction(1)
    beyond = [Fraction(1)]
    while open_games:
        after: dict[tuple[int, int], tuple[State, Fraction]] = {}
        for state, chance in open_games.values():
            for way in ways:
                if (found := short_by_the_rules(state, way)).phase is GamePhase.BETWEEN:
                    key = found.table, found.pool
                    after[key] = found, after.get(key, (found, Fraction()))[1] + chance / len(ways)
        open_games = after
        beyond.append(sum((chance for _, chance in after.values()), Fraction()))
    assert lasting(terms, here, rows, cards).beyond == tuple(beyond)


def test_how_long_a_strip_lasts():
    """Six cards: never short while more is there than a drawing can take, and at an end when the
    table has taken the pool."""
    wait = lasting()
    assert float(wait.mean) == pytest.approx(16.9986, abs=1e-4)
    assert len(wait.beyond) - 1 <= (6 * 60) // 10 + 1
    with pytest.raises(Unreadable, match="each must stand on one card"):
        lasting(cards=5)


# -- the First Method ------------------------------------------------------------------------------

TWO_OF_THREE = Pattern("two-of-three", (PatternPart((0, 1, 2), 2),))
ENDS = Pattern("ends", (PatternPart((0, 1), 2), PatternPart((2, 3), 2)))
EITHER = Pattern("either", (PatternPart((0,), 1), PatternPart((1, 2), 2)))


def complete_at(pattern: Pattern, ranks: Sequence[int]) -> int:
    """The call that completes a pattern, from those on which its places are covered."""
    return min(
        sorted(ranks[place] for place in part.places)[part.need - 1] for part in pattern.parts
    )


@pytest.mark.parametrize(("rows", "key"), [(1, "row"), (2, "two-rows"), (3, "full")])
def test_patterns_of_rows_are_those_counted_by_rows(rows, key):
    """Sets looked at one by one, and rows multiplied out, come to the same fractions for one to six
    cards."""
    for cards in range(1, 7):
        assert calls_for(PATTERNS[key], cards) == calls_to(rows, cards=cards)


@pytest.mark.parametrize(
    ("pattern", "places", "cards", "knobs"),
    [
        (TWO_OF_THREE, 3, 1, 6),
        (TWO_OF_THREE, 3, 2, 6),
        (ENDS, 4, 1, 6),
        (EITHER, 3, 2, 7),
        (EITHER, 3, 1, 3),
    ],
)
def test_every_order_of_a_small_game(pattern, places, cards, knobs):
    """The calls to any pattern, over every order of the knobs."""
    counts: Counter[int] = Counter()
    for order in permutations(range(1, knobs + 1)):
        # the calls on which a card's numbers come
        held = [order[card * places : (card + 1) * places] for card in range(cards)]
        counts[
            min(
                min(
                    sorted(ranks[place] for place in part.places)[part.need - 1]
                    for part in pattern.parts
                )
                for ranks in held
            )
        ] += 1
    wait = calls_for(pattern, cards, places, knobs)
    whole = sum(counts.values())
    for calls in range(knobs + 1):
        assert wait.within(calls) == Fraction(
            sum(count for at, count in counts.items() if at <= calls), whole
        )


def test_a_pattern_of_ones_own_with_several_pictures():
    """Any one of the pictures will do: sets that hold one of them are not short."""
    pattern = drawn(
        "steps",
        [("##...", ".....", "....."), (".....", "..#..", "....#"), ("....#", "....#", "....#")],
    )
    wanted = [{0, 1}, {7, 14}, {4, 9, 14}]
    for size in (2, 3):
        sets = [set(found) for found in combinations(range(15), size)]
        assert short_sets(pattern)[size] == sum(
            not any(part <= found for part in wanted) for found in sets
        )
    assert sum(short_sets(PATTERNS["early-five"])) == sum(comb(15, size) for size in range(5))


@given(st.sampled_from(sorted(PATTERNS)), st.integers(1, 400))
def test_more_cards_are_sooner(key, cards):
    """A crowd's chances fall from one to nothing, six more cards are never later, and up to a strip
    they are the exact ones."""
    one, more = crowd(PATTERNS[key], cards), crowd(PATTERNS[key], cards + 6)
    assert one.beyond[0] == 1
    assert one.beyond[-1] == 0
    assert all(before >= after for before, after in zip(one.beyond, one.beyond[1:], strict=False))
    assert all(sooner <= later for sooner, later in zip(more.beyond, one.beyond, strict=True))
    assert 0 <= one.shared <= 1
    assert one.within(one.median) >= 0.5 > one.within(one.median - 1)
    assert one.exact is (cards <= 6)
    if one.exact:
        wait = calls_for(PATTERNS[key], cards)
        assert one.mean == pytest.approx(float(wait.mean))
        assert one.deviation == pytest.approx(sqrt(wait.variance))
        assert one.shared == 0


def random_strips(
    luck: np.random.Generator, games: int, cards: int
) -> tuple[np.ndarray, np.ndarray]:
    """Games of strips laid out at random: the first call that fills a row, and on how many
    cards."""
    ranks = np.concatenate(
        [luck.random((games, 90)).argsort(axis=1) + 1 for _ in range(-(-cards // 6))], axis=1
    )
    rows = ranks[:, : 15 * cards].reshape(games, cards, 3, 5).max(axis=3).min(axis=2)
    first = rows.min(axis=1)
    return first, (rows == first[:, None]).sum(axis=1)


@pytest.mark.parametrize("cards", [8, 24])
def test_strips_laid_out_at_random_are_a_crowd(cards):
    """Calls and shared calls of ten thousand games lie within four standard errors."""
    games, many = 10_000, crowd(PATTERNS["row"], cards)
    calls, winners = random_strips(np.random.default_rng(8), games, cards)
    assert abs(calls.mean() - many.mean) <= 4 * many.deviation / sqrt(games)
    assert abs((winners > 1).mean() - many.shared) <= 4 * sqrt(
        many.shared * (1 - many.shared) / games
    )


def test_no_cards_are_refused():
    """A crowd has one card at least, and somebody holds a number."""
    with pytest.raises(Unreadable, match="0 cards in play"):
        crowd(PATTERNS["row"], 0)
    with pytest.raises(Unreadable, match="0 players hold a number"):
        race(PATTERNS["row"], 0)


@pytest.mark.parametrize(("pattern", "places", "knobs"), [(TWO_OF_THREE, 3, 4), (EITHER, 3, 5)])
@pytest.mark.parametrize("holders", [1, 2, 3])
def test_every_race_of_a_small_game(pattern, places, knobs, holders):
    """Every order of the knobs, and at each number of the card every player who may be first."""
    found = Counter()
    for order in permutations(range(1, knobs + 1), places):
        for firsts in product(range(holders), repeat=places):
            ranks = [
                call if first == 0 else knobs + 1 for call, first in zip(order, firsts, strict=True)
            ]
            found[complete_at(pattern, ranks)] += 1
    whole = sum(found.values())
    chances = race(pattern, holders, places, knobs)
    assert chances == tuple(
        Fraction(sum(count for at, count in found.items() if at <= calls), whole)
        for calls in range(knobs + 1)
    )


@pytest.mark.parametrize("key", sorted(PATTERNS))
def test_a_race_alone_is_none(key):
    """Where nobody else holds a number, its owner covers it as soon as it is called."""
    assert race(PATTERNS[key], 1) == tuple(1 - chance for chance in calls_for(PATTERNS[key]).beyond)


@given(st.integers(1, 24))
def test_what_the_race_leaves_covered(holders):
    """Chances sum to one, fifteen numbers are shared evenly, and the last of them is the full
    card."""
    chances = covers(holders)
    assert sum(chances.values()) == 1
    assert mean(chances) == Fraction(15, holders)
    assert chances[15] == race(PATTERNS["full"], holders)[90] == Fraction(1, holders**15)
