"""Screens and pages draw a table from its zones: none of them names a game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from station.games import GAMES

PROJECT = Path(__file__).resolve().parents[2]
FILES = sorted(
    path
    for room in ("screens", "web")
    for ending in ("py", "js")
    for path in (PROJECT / "station" / room).rglob(f"*.{ending}")
)
NAMES = sorted({name for key in GAMES for name in (key, key.replace("-", "_"))})


@pytest.mark.parametrize("page", FILES, ids=lambda path: path.name)
def test_no_screen_names_a_game(page: Path) -> None:
    """Neither by its key nor by its module."""
    text = page.read_text(encoding="utf-8")
    assert [name for name in NAMES if re.search(rf"\b{re.escape(name)}\b", text)] == []
