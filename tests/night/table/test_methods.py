"""A way to play at the table is known to programmes, and tried by the companies of these tests."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from station.games import PLAYS
from station.programme.programme import GamePlan
from station.rules.play import Need
from tests.company import QUARTERS, SECOND, at_table, table_of


def test_a_programme_names_each_method() -> None:
    """What a programme may name are the plays, and nothing else; their rules are games, by the same
    names. Cards are sold for those that no company plays."""
    for name, play in PLAYS.items():
        assert GamePlan(name="Game", method=name).play is play
        assert (play.seats is None) is (play.sold is not None)
    with pytest.raises(ValidationError, match="it is one of 'loto-first', "):
        GamePlan(name="Game", method="whist")
    assert [*PLAYS] == [play.game.name for play in PLAYS.values()]


@pytest.mark.parametrize("plan", [SECOND, QUARTERS], ids=lambda plan: plan.method)
def test_the_companies_tried_play_all_methods_with_knobs(plan: GamePlan) -> None:
    """Bag, cards and purses come from each game through its door."""
    table = table_of(at_table(plan))
    assert (len(table.bag), len(table.taken), len(table.purses)) == (90, 3, 3)
    assert {SECOND.method, QUARTERS.method} == {
        name for name, play in PLAYS.items() if play.seats is not None and Need.BAG in play.needs
    }
