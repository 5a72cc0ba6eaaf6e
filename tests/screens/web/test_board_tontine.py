"""Tontine on the public board in a real browser: cards, counters, and what each card moved stand
whole and apart, at each card of a deal and when all is over."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from station.night.table.practice import TableLuck, after, decided, to_the_end
from tests.conftest import CHROMIUM
from tests.screens.web.conftest import Hall, Visit
from tests.screens.web.test_board_table import OUTSIDE, OVERLAP, PHONE, TELEVISION, shown
from tests.screens.web.test_board_things import CUT, SMALL, THINGS_OVERLAP
from tests.tables import company, view

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def chromium() -> str:
    """What is drawn is measured to the pixel: by the browser that people have."""
    return CHROMIUM


@pytest.mark.long
def test_a_deal_and_the_end_stand_whole_and_apart(visit: Visit, hall: Hall) -> None:
    """Of a few, of the fifteen of the book with some dead, of a full table, of a whole pack; in the
    language with the longest words."""
    luck = TableLuck(Random(4))
    for players, deals in ((6, 9), (15, 30), (24, 3), (52, 3)):
        table = company(players, "tontine", stake=1200, each=12)
        for _ in range(deals):
            act = decided(table, luck)
            assert act is not None
            table = after(table, act)
        views = [view(table, language="de", telling=len(table.state.cards) - 2)]
        if players == 6:
            views.append(view([*to_the_end(table, luck)][-1], language="de"))
        for one, size in product(views, (TELEVISION, SMALL, PHONE)):
            page = shown(visit, hall, one, size)
            for wrong in (OVERLAP, OUTSIDE, THINGS_OVERLAP, CUT):
                assert page.evaluate(wrong) == [], (players, size)
