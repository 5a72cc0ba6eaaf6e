"""A way to play at the table is known wherever one is seen, said and led: whoever adds one is told
what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from station.calling.table.host_view import DETAILS
from station.calling.table.players import WISHES_OF
from station.programme.programme import GamePlan
from station.rules import GAMES, PLAYS
from station.views.table.announcing import SAID
from tests.company import QUARTERS, SECOND, at_table, table_of

COMPANIES = {name for name, play in PLAYS.items() if play.seats is not None}

KNOWN: dict[str, Mapping[str, Any]] = {
    "what is said": SAID,
    "what the host is told": DETAILS,
    "what simulated players want": WISHES_OF,
}


@pytest.mark.parametrize("known", KNOWN.values(), ids=KNOWN)
def test_each_method_is_known(known: Mapping[str, Any]) -> None:
    """No table of functions lacks a method, or has one that nobody plays."""
    assert known.keys() == COMPANIES


def test_a_programme_names_each_method() -> None:
    """What a programme may name are the plays, and nothing else; their rules are games, by the same
    names. Cards are sold for those that no company plays."""
    for name, play in PLAYS.items():
        assert GamePlan(name="Game", method=name).play is play
        assert (play.seats is None) is (play.sold is not None)
    with pytest.raises(ValidationError, match="it is one of 'loto-first', "):
        GamePlan(name="Game", method="whist")
    assert {name: play.game for name, play in PLAYS.items()} == {game.name: game for game in GAMES}


@pytest.mark.parametrize("plan", [SECOND, QUARTERS], ids=lambda plan: plan.method)
def test_the_companies_tried_play_all_methods(plan: GamePlan) -> None:
    """Bag, cards and purses come from each game through its door."""
    table = table_of(at_table(plan))
    assert (len(table.bag), len(table.taken), len(table.purses)) == (90, 3, 3)
    assert {SECOND.method, QUARTERS.method} == COMPANIES
