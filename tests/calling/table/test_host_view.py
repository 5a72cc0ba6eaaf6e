"""What is told of a table to those who lead it."""

from __future__ import annotations

import pytest

from station.calling.table.host_view import plain_moves
from station.games.loto_second import game as loto_second
from station.night.table.game import Parlour
from tests.tables import company, drawn, played, settled


def offered() -> Parlour:
    """An exchange that waits for an answer."""
    table = company(6)
    (mine, *_), (theirs, *_), *_ = table.state.taken
    return played(table, loto_second.Exchange(1, mine, 2, theirs))


@pytest.mark.parametrize(
    ("table", "verbs"),
    [
        (None, []),
        (company(6), []),  # cards may be taken and thrown up: whose is to be chosen
        (drawn(company(6), 3), []),
        (drawn(company(6), 10), ["settle"]),
        (settled(company(6)), []),
        (offered(), ["agree", "decline"]),
        (drawn(company(6, "loto-parlour", stake=100, answering="first"), 3), []),
    ],
)
def test_a_plain_move_needs_nothing_but_a_button(table: Parlour | None, verbs: list[str]) -> None:
    """Only what has no player, no card and no number to be chosen, and may be done now."""
    assert plain_moves(table) == verbs
