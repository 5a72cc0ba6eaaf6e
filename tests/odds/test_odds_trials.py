"""Trials beside the exact chances: within four standard errors, the same for the same seed, refused
where they make no sense."""

from __future__ import annotations

import io
from fractions import Fraction
from itertools import pairwise
from math import comb, sqrt

import numpy as np
import pytest
from PIL import Image

from station.base.errors import Unreadable
from station.cards.pack import draw_numbers
from station.odds.answers_second import second_odds
from station.odds.first import crowd, first_odds, race_odds, real_crowd
from station.odds.programmes import programme_odds
from station.odds.second import lasting, mean_from_pool, row_chances, rows_with, variance, winnings
from station.odds.telling import COLOURS, HEIGHT, WIDTH, Bar, Curve, bars, curves, plain
from station.odds.trials import AT_ONCE, drawings_until_short, first_calls, laid_on_rows, races
from station.programme.programme import Programme
from station.rules.patterns import PATTERNS
from station.rules.terms import Terms

ROWS_AND_FULL = {key: PATTERNS[key] for key in ("row", "two-rows", "full")}
SHORT = {key: PATTERNS[key] for key in ("early-five", "corners")}


@pytest.mark.parametrize(("cards", "away"), [(6, 0), (1, 0), (2, 30), (24, 0)])
def test_drawings_agree(cards, away):
    """Every class, and what a card wins, within four standard errors of four thousand drawings."""
    told = second_odds(cards, away, 4_000, "a hall")
    assert [row.chance for row in told.rows] == [*row_chances(away=away)]
    for seen in (*(row.seen for row in told.rows), told.seen):
        assert seen is not None
        assert seen.off is None or 0 < abs(seen.off) < 4
    quinterne = told.rows[5].seen
    assert quinterne is not None
    assert quinterne.off is None, (
        "a thing that does not come once in four thousand drawings tells nothing"
    )
    assert sum(row.seen.off is not None for row in told.rows if row.seen is not None) >= 4
    assert sum(row.seen.mean for row in told.rows if row.seen is not None) == pytest.approx(1)


def test_rows_of_a_card_and_of_all_cards():
    """A card has a quinterne on one of its rows, counted once where it has two; all cards have
    their rows' share."""
    told = second_odds(24)
    one, both = row_chances()[5], Fraction(1, comb(90, 10))
    assert told.rows[5].on_a_card == 3 * one - 3 * both
    assert [row.among for row in told.rows] == [72 * chance for chance in row_chances()]


def test_the_standard_error_is_that_of_a_row_and_of_a_card():
    """From the exact variance of what comes to the eighteen rows of six cards in one drawing."""
    told = second_odds(6, drawings=100)
    assert told.seen is not None
    assert told.rows[2].seen is not None
    assert told.seen.error == pytest.approx(sqrt(variance(winnings(rows=18)) / 100) / 6)
    assert told.rows[2].seen.error == pytest.approx(
        sqrt(variance(rows_with(2, rows=18)) / 100) / 18
    )


def test_the_pool_of_a_strip_agrees():
    """Four thousand games of six real cards run short when it was worked out that they do."""
    told = second_odds(6, drawings=4_000).pool
    assert told.exact == lasting().mean
    assert told.seen.off is not None
    assert 0 < abs(told.seen.off) < 4
    assert 5 <= told.soonest < told.seen.mean < told.latest < 37


def test_pools_of_other_cards_are_only_seen():
    """Of cards that share numbers, or leave numbers out, nothing exact is claimed; a drawing's
    means are exact all the same."""
    for cards, away in ((24, 0), (2, 0), (2, 60)):
        pool = second_odds(cards, away).pool
        assert (pool.exact, pool.deviation, pool.seen.off, pool.games) == (None, None, None, 2000)
        assert pool.laid == Fraction(cards * 150, 90 - away)
        assert pool.won == cards * mean_from_pool(away=away)
        assert (pool.table, pool.pool) == (15 * cards, 45 * cards)
    # A table of 24 cards has nothing to vary but what is won: on average it is short in the drawing
    # that the means say.
    assert second_odds(24).pool.seen.mean == pytest.approx(9 + (1080 - 9 * 48.67) / 88.67, abs=1.5)


def test_knobs_that_are_put_away_are_not_drawn():
    """Nothing is laid for them, and one that stands on a card cannot be put away."""
    numbers = draw_numbers(1, "1")
    (laid,) = laid_on_rows(
        numbers[:1], 500, "1", away=sorted({*range(1, 91)} - {*numbers[:1].ravel().tolist()})
    )
    assert (laid.sum(axis=(0, 1)) == 10).all()
    with pytest.raises(Unreadable, match=r"\d+ stands on a card: its knob is not put away"):
        next(laid_on_rows(numbers, 1, "1", away=[5]))
    with pytest.raises(Unreadable, match="60 numbers stand on none of 2 cards, and no more can be"):
        second_odds(2, 61)


def test_calls_agree():
    """Of one card and of a strip, in five thousand games; and the strips' cards never share a
    call."""
    told = first_odds(ROWS_AND_FULL | SHORT, 24, within=20, games=5_000, seed="a hall")
    for pattern in told.patterns:
        one, strip, all_cards = pattern.calls
        assert (one.cards, strip.cards, all_cards.cards) == (1, 6, 24)
        for calls in (one, strip):
            assert calls.seen is not None
            assert calls.seen.off is not None
            assert 0 < abs(calls.seen.off) < 4
            assert calls.seen_shared == 0
            assert 0 <= calls.shared < 1e-9
        assert all_cards.exact is None
        assert all_cards.seen is not None
        assert all_cards.seen.off is not None
        assert abs(all_cards.seen.off) < 4
        # Many cards are reckoned by simulation, which does not see the rarest chances.
        rarest = 1e-6
        assert 0 <= (one.within or 0) < (strip.within or 0)
        assert (strip.within or 0) < (all_cards.within or 0) + rarest <= 1 + rarest


@pytest.mark.parametrize("cards", [7, 25, 60, 600])
def test_every_pattern_agrees_with_its_games(cards):
    """Each pattern that ships, for cards that share numbers: calls and shared calls of real cards
    lie within four standard errors of those that are reckoned, which are small."""
    games = 500 if cards > 100 else 1_500
    told = first_odds(PATTERNS, cards, games=games, seed=f"hall of {cards}")
    for pattern in told.patterns:
        calls = pattern.calls[-1]
        assert calls.cards == cards
        assert calls.seen is not None
        assert calls.seen.off is not None
        assert abs(calls.seen.off) < 4, pattern.key
        assert 0 < calls.error < 0.1
        assert calls.seen_shared is not None
        spread = sqrt(calls.shared * (1 - calls.shared) / games)
        assert abs(calls.seen_shared - calls.shared) < 4 * spread + 0.02, pattern.key


def test_corners_of_a_hall():
    """Of 600 cards they take 19.6 calls, as in 20,000 games, and not the 18.2 of strips that are
    laid out at random."""
    found = real_crowd(PATTERNS["corners"], 600)
    assert found.mean == pytest.approx(19.55, abs=0.25)
    assert found.shared == pytest.approx(0.175, abs=0.02)
    assert crowd(PATTERNS["corners"], 600).mean == pytest.approx(18.235, abs=0.001)


def test_races_agree():
    """Each pattern on one of 24 cards, and how many numbers are covered: within four standard
    errors of five thousand races."""
    told = race_odds(ROWS_AND_FULL | SHORT, 4, within=60, many=5_000)
    for pattern in told.patterns:
        assert pattern.seen is not None
        assert pattern.within is not None
        assert pattern.seen.off is None or 0 < abs(pattern.seen.off) < 4
        assert pattern.within < pattern.ever
    assert {
        pattern.key
        for pattern in told.patterns
        if pattern.seen is not None and pattern.seen.off is None
    } == {
        "two-rows",
        "full",
    }
    few = race_odds({"row": PATTERNS["row"]}, 4, many=100).patterns[0].seen
    assert few is not None
    assert few.mean > 0
    assert few.off is None, "seven rows are to be expected: too few to tell"
    assert told.best is not None
    assert 15 / 4 < told.best.mean < 15


def test_each_number_of_a_race_is_covered_once():
    """Whoever is first: ninety numbers are covered on all cards together, and a card alone has all
    of its own."""
    numbers = draw_numbers(3, "1")
    found = races({"row": PATTERNS["row"]}, numbers, 50, "1")
    assert (found.covered.sum(axis=0) == 90).all()
    alone = races(ROWS_AND_FULL, numbers[:6], 50, "1")
    assert (alone.covered == 15).all()
    assert (alone.had["full"] == 6).all()
    with pytest.raises(Unreadable, match="5 cards in the race: take whole strips of 6"):
        races({}, numbers[:5], 1, "1")


def test_the_same_seed_is_the_same_trial():
    """Another one has other figures; however many are asked for, all are done and told of, and each
    part has luck of its own."""
    numbers = draw_numbers(1, "1")
    done: list[int] = []
    one = drawings_until_short(numbers[:1], 2 * AT_ONCE, "1", more=done.append)
    assert sum(done) == len(one) == 2 * AT_ONCE
    assert (one[:AT_ONCE] != one[AT_ONCE:]).any()
    assert (one[:AT_ONCE] == drawings_until_short(numbers[:1], AT_ONCE, "1")).all()
    assert (one[:AT_ONCE] != drawings_until_short(numbers[:1], AT_ONCE, "2")).any()
    again = [
        first_calls(SHORT, numbers, (6,), 100, seed)["corners", 6].calls for seed in ("1", "1", "2")
    ]
    assert (again[0] == again[1]).all()
    assert (again[0] != again[2]).any()
    calls = first_calls(SHORT, numbers, (6,), 2 * AT_ONCE, "1")["corners", 6].calls
    assert (calls[:AT_ONCE] != calls[AT_ONCE:]).any()
    raced = races({}, draw_numbers(2, "1"), 2 * AT_ONCE, "1").covered
    assert (raced[:, :AT_ONCE] != raced[:, AT_ONCE:]).any()
    parts = [*laid_on_rows(numbers, 2 * AT_ONCE, "1", more=done.append)]
    assert sum(part.shape[-1] for part in parts) == 2 * AT_ONCE == sum(done) / 2
    assert (parts[0] != parts[1]).any()


def test_a_game_is_short_where_its_prizes_say():
    """A pool that no prize can empty before the table does is short in the drawing that finds both
    empty, in every game."""
    terms = Terms(on_table=10, in_pool=5, prizes=(0,) * 6)
    found = drawings_until_short(draw_numbers(1, "1"), 200, "1", terms=terms)
    assert (found == (60 + 30) // 10 + 1).all()


def test_a_programmes_games_have_their_odds():
    """Hall games by their patterns, each once; the Second Method by its cards; the First at the
    table by stakes and answering."""
    games = [
        {
            "name": "Houses",
            "stages": [{"pattern": "full", "share": 60}, {"pattern": "full"}],
            "jackpot": {"within": 50},
        },
        {"name": "Ten", "method": "loto-second", "table": {"cards": 6}},
        {"name": "All", "method": "loto-parlour", "table": {"cards": 12}},
        {
            "name": "Race",
            "method": "loto-parlour",
            "table": {"cards": 18, "stakes": "whole", "answering": "first"},
        },
    ]
    houses, ten, table, race = programme_odds(
        Programme.model_validate({"name": "x", "games": games}), 60
    )
    assert houses.first is not None
    assert (houses.first.within, houses.first.cards) == (50, 60)
    assert [pattern.key for pattern in houses.first.patterns] == ["full"]
    assert ten.first is ten.race is None
    assert ten.second is not None
    assert ten.second.cards == 6
    assert table.first is not None
    assert table.first.cards == 12
    assert [pattern.key for pattern in table.first.patterns] == ["row", "two-rows", "full"]
    assert race.race is not None
    assert race.race.holders == 3
    assert [pattern.key for pattern in race.race.patterns] == ["full"]


def test_an_answer_is_data():
    """Fractions stay exact in it, as text; sums stand beside their chances."""
    data = plain(second_odds(2))
    assert data["rows"][2]["chance"] == {
        "exact": "102700/1220813",
        "value": float(row_chances()[2]),
    }
    assert data["winnings"][-1] == {
        "of": 500,
        "exact": str(winnings()[500]),
        "value": float(winnings()[500]),
    }
    assert data["rows"][0]["seen"] is None


def pixels(png: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.format == "PNG"
        return np.asarray(picture.convert("RGB")).astype(int)


def test_bars_are_the_shorter_the_rarer():
    """What never comes has no bar; a tenth of the chance is a step less."""
    drawn = pixels(
        bars(
            "Title",
            "below",
            [Bar("one", 0.1), Bar("two", 0.01), Bar("never", 0), Bar("three", 0.0001)],
        )
    )
    assert drawn.shape[1] == WIDTH
    blue = (abs(drawn - (0, 0x72, 0xB2)).sum(axis=2) < 12).sum(axis=1)
    # From the top: each bar is as high as it is clear of its neighbours, so that its length stands
    # in several lines.
    one, two, three = (int(length) for before, length in pairwise(blue) if length and not before)
    assert one > two > three > 0
    assert one - two == pytest.approx((one - three) / 3, abs=2)


def test_curves_are_drawn_each_in_its_colour():
    """More of them than colours are drawn too; the picture has its size."""
    shown = [Curve(str(place), [0, place / 10, 1]) for place in range(9)]
    drawn = pixels(curves("Title", "below", shown, "calls"))
    assert drawn.shape[:2] == (HEIGHT, WIDTH)
    for colour in COLOURS:
        red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
        assert (abs(drawn - (red, green, blue)).sum(axis=2) < 12).sum() > 50
