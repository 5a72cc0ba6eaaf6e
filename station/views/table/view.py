"""From a game at the table to what is seen of it: the company, its cards and counters, the drawing,
what it came to. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from station.night.table.game import Parlour, next_step
from station.views.table.first_view import first_view
from station.views.table.second_view import second_view
from station.views.table.telling import Telling
from station.wire.board_view import TableView
from station.wire.wording import Wording

# Of each method: the game, its state, what comes next, how it is told.
VIEWS: Mapping[str, Callable[[Parlour, Any, str, Telling], TableView]] = {
    "loto-second": second_view,
    "loto-parlour": first_view,
}


def table_view(parlour: Parlour, telling: Telling) -> TableView:
    """All that the hall may see of a game at the table: cards lie open there."""
    return VIEWS[parlour.method](parlour, parlour.state, next_step(parlour), telling)


def turn(parlour: Parlour, wording: Wording) -> str:
    """What comes next at the table, in the hall's language: "Carla counts the knobs: 90"."""
    return table_view(parlour, Telling(wording, str)).text
