"""Find the pictures of Picture Loto: where the picture of a number lies, and its word."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from station.wire.board_view import ThemeView

SHIPPED = Path(__file__).parents[2] / "programme" / "themes"


class Picture(NamedTuple):
    """The picture and word in a number's place."""

    number: int
    file: Path
    word: str


def picture(theme: ThemeView | None, number: int | None) -> Picture | None:
    """Return a number's picture; None in a game with numbers, and while nobody may see it."""
    if theme is None or number is None or not theme.words[number - 1]:
        return None
    folder = Path(theme.folder) if theme.folder else SHIPPED / theme.key
    return Picture(number, folder / f"{number:02}.png", theme.words[number - 1])


def pictures(theme: ThemeView | None, numbers: Iterable[int]) -> tuple[Picture, ...]:
    """Return the pictures of some numbers; empty in a game with numbers."""
    return tuple(found for number in numbers if (found := picture(theme, number)) is not None)
