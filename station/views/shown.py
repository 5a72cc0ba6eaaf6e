"""Prepare the theme of a game of Picture Loto for screens and the voice. It is read once; a game
whose theme cannot be read goes on with numbers."""

from __future__ import annotations

import logging
from collections.abc import Container, Mapping
from functools import lru_cache

from station.base.errors import LotoError
from station.base.nouns import KNOBS
from station.night.hall import Hall
from station.night.readiness import ALL_KNOBS
from station.programme.programme import GamePlan
from station.programme.themes import Theme, cached_theme, shipped, theme_folder
from station.programme.themes.pictures import drawings
from station.wire.board_view import ThemeView

log = logging.getLogger(__name__)


def theme_of(plan: GamePlan | None) -> Theme | None:
    """Return the theme of a game; None without one, or if it cannot be read, which is logged."""
    return _read(plan.theme) if plan is not None and plan.theme is not None else None


def open_to_all(hall: Hall) -> frozenset[int]:
    """Return the numbers whose picture and word everybody may see: all of them; where only letters
    are said, those before the newest, until the game has ended."""
    letters = hall.plan is not None and hall.plan.letters and hall.game_open
    return frozenset(hall.out_of_bag[:-1]) if letters else ALL_KNOBS


def theme_shown(hall: Hall, theme: ThemeView | None, own: Container[int] = ()) -> ThemeView | None:
    """Return what is shown of a theme now. The word of a number that may not be seen is blank, and
    screens then hide its picture too.

    Args:
        own: for a player with a screen of his own, the numbers that he has covered.
    """
    seen = open_to_all(hall)
    if theme is None or seen == ALL_KNOBS:
        return theme
    words = (
        word if number in seen or number in own else ""
        for number, word in enumerate(theme.words, 1)
    )
    return theme.model_copy(update={"words": tuple(words)})


def lamps_shown(hall: Hall) -> Mapping[int, tuple[str, ...]]:
    """Return what the ten-cavity board shows now in place of numbers."""
    if not hall.game_open:
        return {}
    seen = open_to_all(hall)
    return {number: rows for number, rows in lamps_of(hall.plan).items() if number in seen}


def lamps_of(plan: GamePlan | None) -> Mapping[int, tuple[str, ...]]:
    """Return what the ten-cavity board shows in place of numbers: rows of lamps, for those pictures
    that it can tell apart."""
    return _lamps(plan.theme) if plan is not None and plan.theme is not None else {}


@lru_cache(8)
def _lamps(given: str) -> Mapping[int, tuple[str, ...]]:
    theme = _read(given)
    try:
        return drawings(theme) if theme is not None else {}
    except OSError as error:
        log.error(
            "a picture of the theme %r cannot be read, the board shows numbers in its place: %s",
            given,
            error,
        )
        return {}


@lru_cache(8)
def _read(given: str) -> Theme | None:
    try:
        return cached_theme(given)
    except LotoError as error:
        log.error("the theme %r cannot be read, numbers are shown in its place: %s", given, error)
        return None


def theme_view(plan: GamePlan | None, language: str) -> ThemeView | None:
    """Return what screens show of a game's theme in a language; None for a game with numbers."""
    return _shown(plan.theme, language) if plan is not None and plan.theme is not None else None


@lru_cache(8)
def _shown(given: str, language: str) -> ThemeView | None:
    theme = _read(given)
    if theme is None:
        return None
    return ThemeView(
        key=theme.key,
        folder="" if given in shipped() else str(theme_folder(given).resolve()),
        name=theme.names.get(language, theme.names[theme.languages[0]]),
        words=tuple(theme.name(number, language) for number in range(1, KNOBS + 1)),
    )
