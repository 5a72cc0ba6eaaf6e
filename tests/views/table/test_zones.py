"""The zones of the games that were there before zones say what their older fields say."""

from __future__ import annotations

import pytest

from station.night.acts import parse_act
from station.night.hall import apply
from station.views.table.telling import Telling
from station.views.table.view import table_view
from station.wire.wording import load_wording
from tests.tables_of_before import PLANS, hall_of, kept
from tests.zoned import zoned

WORDS = load_wording("en")


@pytest.mark.long
@pytest.mark.parametrize("plan", PLANS)
def test_zones_say_what_the_older_fields_say(plan: str) -> None:
    """After each act of a kept night, also while a settlement is told row by row."""
    hall = hall_of(plan)
    for act, *_ in kept()[plan]:
        hall = apply(hall, parse_act(act))
        for row in (None, 0) if hall.table is not None else ():
            view = table_view(hall.table, Telling(WORDS, lambda minor: f"{minor / 100:.2f}", row))
            if row == 0 and not (view.settlement and view.settlement.rows):
                continue
            expected = zoned(view, hall.table.board, WORDS.screen)
            assert (view.zones, view.turn, view.leads) == (
                expected.zones,
                expected.turn,
                expected.leads,
            ), f"after {act}"
