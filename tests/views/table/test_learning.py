"""Every game at a table has an example, which its own rules play to its end."""

from __future__ import annotations

import pytest

from station.base.errors import IllegalAction, Unreadable
from station.games import GAMES
from station.night.table.game import next_step
from station.rules.abilities import SellsCards
from station.rules.example import Example, step
from station.views.table.lesson import known, learnable, moments
from station.wire.wording import TITLE, load_wording
from tests.altered import altered

AT_TABLE = [name for name, play in GAMES.items() if play.ability(SellsCards) is None]


def test_every_game_at_a_table_has_an_example():
    """So has Loto itself, in both its methods."""
    assert [*learnable()] == AT_TABLE
    assert {"loto-parlour", "loto-second"} <= {*AT_TABLE}


@pytest.mark.parametrize("game", AT_TABLE)
def test_an_example_is_a_legal_game_to_its_end(game):
    """Each step is allowed by the rules; nothing is lost on the way; the last one ends the game."""
    told = [*moments(game)]
    last = told[-1].table
    assert last.over or next_step(last) == "close"
    for moment in told:
        before = sum(seat.purse for seat in moment.table.seats)
        assert sum(moment.table.purses) + moment.table.at_stake == before
    assert not any(moment.table.over for moment in told[:-1])


@pytest.mark.parametrize("game", AT_TABLE)
def test_the_rules_of_an_example_are_the_games_own(game):
    """What it quotes is one of the short rules of this game; it quotes several, and begins so."""
    rules = load_wording().rules
    quoted = [moment.rule for moment in moments(game)]
    own = {key for key in rules if key.startswith(f"{game}-")}
    assert {rule for rule in quoted if rule} <= own
    assert quoted[0]
    assert len({*quoted}) > 5


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_title_and_short_rules(game):
    """Ten to twenty sentences each, in a wording that knows no other game."""
    wording = load_wording()
    assert wording.rules[f"{TITLE}{game}"]
    assert 10 <= len(wording.rules_of(game)) <= 20


def test_every_rule_is_a_games_own():
    """Its key begins with the game's name: what does not is nobody's."""
    of_games = {key for name in GAMES for key in load_wording().rules if key.startswith(f"{name}-")}
    assert {*load_wording().rules} - of_games == {"title", *(f"{TITLE}{name}" for name in GAMES)}


def test_an_example_that_the_rules_refuse_is_none(monkeypatch):
    """A step out of turn ends it with the rules' own refusal."""
    wrong = Example(("Anna", "Bruno"), (step("deal", cards=("KS",)),), {"stake": 4, "each": 4})
    play = GAMES["tontine"]
    monkeypatch.setitem(GAMES, "tontine", altered(play, example=wrong))
    with pytest.raises(IllegalAction):
        [*moments("tontine")]


def test_what_has_no_example_says_what_has():
    """A game that cards are sold for, and one that nobody knows."""
    with pytest.raises(Unreadable, match="spoil-five"):
        next(moments("keno"))
    with pytest.raises(Unreadable, match="tontine"):
        known("whist")
