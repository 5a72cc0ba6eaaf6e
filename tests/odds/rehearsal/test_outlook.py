"""What is said of the nights: figures that can be worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from station.base.errors import Unreadable
from station.cards.strips import draw
from station.odds.rehearsal.night import Nights, Rehearsal
from station.odds.rehearsal.outlook import Pace, Spread, lengths, outlook
from station.odds.rehearsal.ranks import NEVER
from station.odds.rehearsal.stages import Cards
from station.programme.programme import Programme

FULL = {"pattern": "full"}
TWO_GAMES = [
    {"name": "One", "price": 1, "jackpot": {"within": 44}, "pause": {"text": "tea", "minutes": 15}},
    {"name": "Two", "price": 1, "stages": [{**FULL, "name": "House"}, {**FULL, "thing": "a ham"}]},
]
CALLS = [
    [20, 40, 60, 50, 55],
    [20, 40, 44, 50, 50],
    [10, 30, 45, 58, NEVER],
    [15, 35, 55, NEVER, NEVER],
]


def rehearsed(games: list[dict[str, Any]], calls: list[list[int]]) -> tuple[Rehearsal, Nights]:
    """Nights in which the stages were won on these calls, each by one player for one unit, by two
    on call 50."""
    programme = Programme.model_validate({"name": "A night", "games": games})
    made = np.array(calls, np.uint8)
    count = len(made)
    players = np.where(made == NEVER, 0, 1 + (made == 50)).astype(np.int32)
    sums = np.arange(count, dtype=np.int64)
    jackpots = np.zeros((count, len(games)), np.int64)
    jackpots[0, 0] = 100
    nights = Nights(
        made, players, (players > 0).astype(np.int64), jackpots, 10 - sums, sums, 2 * sums, 3 * sums
    )
    return Rehearsal(programme, Cards(draw("outlook", 1)[0], 2), count, "seed"), nights


def test_a_night_lasts_as_long_as_its_parts():
    """Calls, one stop for each call that wins something, the pause in place of a change; a game
    that is not won goes to 90."""
    rehearsal, nights = rehearsed(TWO_GAMES, CALLS)
    pace = Pace(call=6, claim=60, change=1000)
    after = 15 * 60
    assert lengths(rehearsal, nights, pace).tolist() == [
        6 * 60 + 3 * 60 + after + 6 * 55 + 2 * 60,
        6 * 44 + 3 * 60 + after + 6 * 50 + 60,
        6 * 45 + 3 * 60 + after + 6 * 90 + 60,
        6 * 55 + 3 * 60 + after + 6 * 90,
    ]
    unpaused = [{key: value for key, value in game.items() if key != "pause"} for game in TWO_GAMES]
    rehearsal, nights = rehearsed(unpaused, CALLS[:1])
    assert lengths(rehearsal, nights, pace).tolist() == [6 * 60 + 3 * 60 + 1000 + 6 * 55 + 2 * 60]


def test_the_figures_of_a_night():
    """Sums, spreads and chances by stage are those of the nights."""
    rehearsal, nights = rehearsed(TWO_GAMES, CALLS)
    told = outlook(rehearsal, nights, Pace())
    assert (told.nights, told.sold, told.per_player, told.seed) == (4, 6, 2, "seed")
    assert told.prizes == Spread(mean=(105 + 5 + 4 + 3) / 4, low=3, high=105, least=3, most=105)
    assert told.house == Spread(mean=8.5, low=7, high=10, least=7, most=10)
    assert (told.charity, told.carried, told.jackpot) == (1.5, 3, 4.5)
    assert [(stage.number, stage.game, stage.stage, stage.name) for stage in told.stages] == [
        (1, "One", "row", "row"),
        (1, "One", "two-rows", "two-rows"),
        (1, "One", "full", "full"),
        (2, "Two", "full", "House"),
        (2, "Two", "full-2", "full-2"),
    ]
    full, second = told.stages[3:]
    assert full.calls == Spread(mean=(50 + 50 + 58) / 3, low=50, high=58, least=50, most=58)
    assert (full.won, full.shared, full.players, full.prize) == (0.75, 0.5, 1.25, 0.75)
    assert second.calls == Spread(mean=52.5, low=50, high=55, least=50, most=55)
    assert second.won == 0.5
    rehearsal, nights = rehearsed(TWO_GAMES, [[1, 2, 3, 4, NEVER]])
    assert outlook(rehearsal, nights, Pace()).stages[4].calls is None


def test_spreads_are_of_values_that_were_seen():
    """Of a hundred values five are at or below the low one, and 95 at or below the high one."""
    assert Spread.of(np.arange(100, 0, -1)) == Spread(mean=50.5, low=5, high=95, least=1, most=100)
    assert Spread.of(np.array([7])) == Spread(7, 7, 7, 7, 7)


@pytest.mark.parametrize(
    ("calls", "one_in", "night", "advice", "advised"),
    [
        ([[44], [45], [46], [47], [50]], 5, 0.2, 44, 0.2),
        ([[44], [45], [46], [47], [50]], 4, 0.2, 44, 0.2),
        ([[44], [45], [46], [47], [50]], 2, 0.2, 45, 0.4),
        ([[44], [45], [46], [47], [50]], 6, 0.2, 43, 0.0),
        ([[44], [45], [46], [47], [50]], 1, 0.2, 90, 1.0),
        ([[NEVER], [NEVER]], 20, 0.0, 90, 0.0),
        ([[45]], 20, 0.0, 44, 0.0),
    ],
)
def test_advice_is_the_most_calls_that_keep_to_the_wish(calls, one_in, night, advice, advised):
    """Within so many calls it falls in one of so many nights at most; with one call more,
    oftener."""
    game = {"name": "Last", "price": 1, "stakes": "whole", "jackpot": {"within": 44}}
    rehearsal, nights = rehearsed([game], calls)
    jackpots = outlook(rehearsal, nights, Pace(), one_in).jackpots
    assert (jackpots.night, jackpots.advice, jackpots.advised, jackpots.one_in) == (
        night,
        advice,
        advised,
        one_in,
    )
    [game] = jackpots.games
    assert (game.game, game.within, game.chance) == ("Last", 44, night)
    assert game.error == pytest.approx((night * (1 - night) / len(calls)) ** 0.5)
    assert len(jackpots.by_calls) == 90


def test_two_jackpots_fall_in_one_night():
    """The chance a night is that of any of the games; games without a jackpot are left out, unless
    none has one."""
    own = {"price": 1, "stakes": "whole"}
    games = [
        {"name": "A", **own, "jackpot": {"within": 50}},
        {"name": "B", **own, "jackpot": {"within": 40}},
        {"name": "C", **own},
    ]
    calls = [[50, 40, 30], [60, 41, 30], [49, 60, 30], [60, 40, 30]]
    told = outlook(*rehearsed(games, calls), Pace(), 2).jackpots
    assert [(game.game, game.chance) for game in told.games] == [("A", 0.5), ("B", 0.5)]
    assert told.night == 0.75
    assert (told.advice, told.advised) == (40, 0.5)
    plain = [{key: value for key, value in game.items() if key != "jackpot"} for game in games]
    told = outlook(*rehearsed(plain, calls), Pace(), 2).jackpots
    assert (told.games, told.night, told.advice) == ((), 0.0, 29)


@pytest.mark.parametrize(
    "pace", [{"call": -1}, {"claim": -0.5}, {"change": float("nan")}, {"call": float("inf")}]
)
def test_time_does_not_run_backwards(pace):
    """No time is below zero, and each is a number and has an end."""
    with pytest.raises(Unreadable, match="zero or more"):
        Pace(**pace)


def test_one_in_no_nights_is_refused():
    """A chance is one in one or more."""
    with pytest.raises(Unreadable, match="1 or more"):
        outlook(*rehearsed(TWO_GAMES, CALLS), Pace(), 0)
