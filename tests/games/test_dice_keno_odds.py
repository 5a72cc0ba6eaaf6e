"""What is worked out of Dice Keno: throws on a card, the lead, the length of a game, who wins; each
held to another way to get there."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random

import pytest

from station.games.dice_keno.bot import (
    LONGEST,
    covered_within,
    exact,
    game_throws,
    lead_throws,
    row_within,
)
from station.games.dice_keno.play import GAME
from station.games.dice_keno.state import CARDS, Cover, Deal, GamePhase, Setup, Throw, Variation
from station.night.table.practice import TableLuck
from station.rules.play import Agreed
from tests.keno_chances import throws_to_row, wins_by_turn

SOON = (0.0, 0.5, *[1.0] * (LONGEST - 1))  # one throw or two, each as likely


def mean(within: tuple[float, ...]) -> float:
    return sum(1 - chance for chance in within)


def test_two_players_who_need_one_throw_or_two():
    """By hand: half of the games are over at once; else half of the rest by the second throw."""
    assert game_throws(SOON, 2) == pytest.approx(0.5 * 1 + 0.25 * 2 + 0.25 * 3)
    assert wins_by_turn(SOON, 2) == pytest.approx((0.75, 0.25))
    assert game_throws(SOON, 1) == pytest.approx(1.5)


def test_the_lead_takes_as_many_throws_as_ties_make():
    """Two dice are alike in 146 of 1296 pairs of throws."""
    assert lead_throws(2) == 2 / (1 - Fraction(146, 1296))
    assert 8 < lead_throws(8) < 9


@cache
def to_cover(wanted: tuple[int, ...]) -> Fraction:
    """The mean throws until each number has come so often."""
    usable = [place for place, many in enumerate(wanted) if many]
    if not usable:
        return Fraction(0)
    rest = (
        tuple(sorted(many - (at == place) for at, many in enumerate(wanted))) for place in usable
    )
    return (6 + sum(map(to_cover, rest))) / len(usable)


def test_a_whole_card_takes_as_long_as_by_the_other_way():
    """By words of throws, and from what is still wanted: 30.56 throws."""
    assert mean(covered_within()) == pytest.approx(float(to_cover((2, 2, 3, 3, 3, 3))), abs=1e-6)
    assert covered_within()[15] == 0 < covered_within()[16]


@pytest.mark.long
def test_a_simulated_player_is_nearly_as_quick_as_can_be():
    """He needs 2 per cent more throws than the best player, who needs 8.09; at random it is
    10.80."""
    best = throws_to_row(CARDS["1"], True)
    assert 1 < mean(row_within()) / best < 1.022
    assert row_within()[3] == 0 < row_within()[4]


@pytest.mark.long
@pytest.mark.parametrize("variation", [Variation.ROW, Variation.COVER])
def test_games_are_as_long_as_was_worked_out(variation):
    """Games of four simulated players: their length, with the deal and the lead, and how often the
    one who leads wins, within four standard errors."""
    chance, games = Random(16), 400
    luck = TableLuck(chance)
    lengths, leaders = [], 0
    for _ in range(games):
        state, length, leader = GAME.start(Setup((0,) * 4, variation)), 0, 0
        while not state.over:
            length += state.phase is not GamePhase.COVERING
            if state.phase is GamePhase.DEALING:
                state = GAME.apply(state, Deal(tuple(chance.sample([*CARDS], 8))))
            elif state.thrown:
                before = state.phase
                dice = tuple(chance.randint(1, 6) for _ in range(state.thrown))
                state = GAME.apply(state, Throw(dice))
                if before is GamePhase.LEADING and state.phase is GamePhase.THROWING:
                    leader = state.turn
            else:
                wish = GAME.bot(state, state.turn, luck, frozenset())
                state = GAME.apply(state, Cover(wish.move["place"]))
        lengths.append(length)
        leaders += state.winner == leader
    found = sum(lengths) / games
    error = sqrt(sum((one - found) ** 2 for one in lengths) / games / (games - 1))
    told = exact(Agreed({"variation": variation}), 4)
    assert abs(found - told.length) < 4 * error
    assert told.wins == (0.25,) * 4
    within = row_within() if variation is Variation.ROW else covered_within()
    first, *rest = wins_by_turn(within, 4)
    assert sum((first, *rest)) == pytest.approx(1)
    assert abs(leaders / games - first) < 4 * sqrt(first * (1 - first) / games)


def test_points_are_not_worked_out():
    """They can only be tried."""
    assert exact(Agreed({"variation": "points"}), 4) is None
