"""The code of the record's head on the hall's screen: read from its dots, in quiet moments, and
never while something is played."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from station.screens.screen.app import Painter
from station.wire.board_view import BoardView, PauseView, Phase
from tests.codes import codes_in
from tests.screens.screen.boards import FULL_HD, board

DIGITS = "2" + "0123456789" * 40
CODE = "http://192.168.178.123:8090/check#" + DIGITS[:335]
WITH_ROOT = "http://192.168.178.123:8090/check#" + DIGITS + "0123456789"
PAUSE = PauseView(text="Tea", minutes=10, follows="At nine.", title="Loto", rules=("A rule.",) * 6)
QUIET = {
    "before the first": board(called=(), code=WITH_ROOT),
    "between": board(phase=Phase.BETWEEN, code=CODE, coming=("One", "Two")),
    "in a pause": board(phase=Phase.BETWEEN, code=CODE, pause=PAUSE),
    "closed": board(phase=Phase.CLOSED, code=CODE),
}


def dots(labels: Any, view: BoardView, size: tuple[int, int]) -> Any:
    """What the screen shows: rows of red, green and blue."""
    surface = pygame.Surface(size)
    Painter(size, labels).paint(surface, view, stale=False)
    return pygame.surfarray.array3d(surface).swapaxes(0, 1)


@pytest.mark.parametrize("size", [FULL_HD, (1280, 720), (1024, 768), (1080, 1920), (640, 480)])
@pytest.mark.parametrize("moment", QUIET)
def test_it_is_read_off_the_screen(labels: Any, moment: str, size: tuple[int, int]) -> None:
    """Of every usual size, with the bag's whole root, too."""
    assert codes_in(dots(labels, QUIET[moment], size)) == [QUIET[moment].code]


@pytest.mark.parametrize("moment", QUIET)
def test_a_module_is_large(labels: Any, moment: str) -> None:
    """The code is at least a fifth of the height: a telephone reads it from the rows in front."""
    shown, bare = (
        dots(labels, QUIET[moment].model_copy(update={"code": code}), FULL_HD)
        for code in (QUIET[moment].code, "")
    )
    white = ((shown == 255).all(axis=2) & ~(bare == 255).all(axis=2)).any(axis=1)
    assert white.sum() > FULL_HD[1] / 5


def test_nothing_lies_over_a_number(labels: Any) -> None:
    """A view with numbers called shows none, whatever it says; nor does a halted one."""
    for view in (board(code=CODE), board(phase=Phase.HALTED, code=CODE, called=())):
        assert codes_in(dots(labels, view, FULL_HD)) == []
