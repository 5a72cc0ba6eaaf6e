"""Which code a screen shows, and what stands under it."""

from __future__ import annotations

import pytest

from station.screens.screen.captions import LABELS, code_of
from station.wire.board_view import JoiningView
from station.wire.wording import languages, load_wording
from tests.screens.web import canned

QUIET = canned.playing().model_copy(update={"code": "1234", "pages": "http://10.0.0.5:8090"})
OPEN = QUIET.model_copy(update={"joining": JoiningView(seconds=45)})


def test_the_newest_head_in_quiet_moments() -> None:
    """With the question that it answers."""
    assert code_of(load_wording("en").screen, QUIET) == ("Is the draw fair?", "1234")


@pytest.mark.parametrize("code", languages())
def test_while_the_table_is_open_it_is_where_to_join(code: str) -> None:
    """In words, too, with the seconds that are left."""
    text, shown = code_of(load_wording(code).screen, OPEN)
    assert shown == "http://10.0.0.5:8090/join"
    assert shown in text
    assert "45" in text


def test_no_code_leads_nowhere() -> None:
    """Where no telephone finds the pages, the other one stays."""
    assert code_of(load_wording("en").screen, OPEN.model_copy(update={"pages": ""}))[1] == "1234"
    assert {*LABELS} <= load_wording("en").screen.keys()
