"""A way to play at the table is known to programmes, and tried by the companies of these tests."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from station.games import GAMES
from station.programme.programme import GamePlan
from station.rules.abilities import SellsCards
from station.rules.play import Need
from tests.company import QUARTERS, SECOND, at_table, table_of


def test_a_programme_names_each_method() -> None:
    """A programme may name each game, and nothing else."""
    for name, rules in GAMES.items():
        assert GamePlan(name="Game", method=name).rules is rules
    with pytest.raises(ValidationError, match="it is one of 'loto-first', "):
        GamePlan(name="Game", method="whist")
    assert [*GAMES] == [play.name for play in GAMES.values()]


@pytest.mark.parametrize("plan", [SECOND, QUARTERS], ids=lambda plan: plan.method)
def test_the_companies_tried_play_all_methods_with_knobs(plan: GamePlan) -> None:
    """Bag, cards and purses come from each game through its door."""
    table = table_of(at_table(plan))
    assert (len(table.bag), len(table.taken), len(table.purses)) == (90, 3, 3)
    assert {SECOND.method, QUARTERS.method} == {
        name
        for name, play in GAMES.items()
        if play.ability(SellsCards) is None and Need.BAG in play.needs
    }
