"""Draw what the ten-cavity board shows as inks; a chip makes lamps of them, in one colour or many.

A cavity is told from the others by its mark as well as by its colour: nothing under a number that
was called, two solid rows under the newest, a broken row that walks under one that is drawn and not
called yet, no lamp at all in an empty cavity. Of the numbers that were called each second cavity
has an ink of its own: dimmed, so that it does not run together with its neighbours.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from importlib.resources import files

from PIL import Image

from drivers import BadOption, Cavity
from drivers.board.geometry import CAVITIES, GEOMETRIES, Digits, Geometry

BEAT_S = 0.5
"""How long the broken row of a knob that is drawn and not called stays before it goes one step
on."""

BEATS = 4
"""The number of steps after which the broken row repeats."""

_NUMBER_TOP = 1
_SYMBOL_ROWS = (1, 13)  # from, to: it is put in the middle of these
_DRAWING = (14, 12)  # lamps at most, across and down, of a game's own picture
_MARK_ROWS = (14, 16)
_DASH = 2


class Ink(IntEnum):
    """The reason why a lamp is lit; the value of a pixel in a picture of mode "L"."""

    DARK = 0
    CALLED = 1
    NEWEST = 2
    WAITING = 3  # drawn, not called
    TEXT = 4
    CALLED_DIMMED = 5  # called, in every second cavity


DIMMED_SHARE = 0.4
"""The light of `Ink.CALLED_DIMMED` for that of `Ink.CALLED`: numbers side by side differ, and both
are read."""


def draw_board(
    cavities: Sequence[Cavity | None],
    geometry: Geometry = GEOMETRIES["80x16"],
    beat: int = 0,
    *,
    dims: bool = False,
) -> Image.Image:
    """Draw ten cavities as large as the geometry, mode "L", each pixel an `Ink`.

    A symbol that is not known is shown as its number, and so is a drawing where the cavity is too
    narrow for it.

    Args:
        beat: counts on every `BEAT_S` seconds; only a cavity that is drawn and not called looks
            different then.
        dims: whether the lamps have a light for `Ink.CALLED_DIMMED`.

    Raises:
        BadOption: there are more than ten cavities, a number is not 1 to 90, or a drawing is
            malformed or too large.
    """
    if len(cavities) > CAVITIES:
        raise BadOption(
            f"{len(cavities)} cavities for a board of {CAVITIES}: show the last {CAVITIES}"
        )
    picture = Image.new("L", geometry.size)
    for index, cavity in enumerate(cavities):
        if cavity is None:
            continue
        if not 1 <= cavity.number <= 90:
            raise BadOption(f"cavity {index + 1} cannot show {cavity.number}: knobs are 1 to 90")
        if not _is_drawing(cavity.drawing):
            width, height = _DRAWING
            raise BadOption(
                f"cavity {index + 1} cannot show its drawing: {height} rows of {width} lamps, # and"
                " . alone, are the most"
            )
        ink = ink_of(cavity, second=dims and geometry.is_second(index))
        picture.paste(_draw_cavity(cavity, ink, geometry, beat % BEATS), geometry.corner(index))
    return picture


def ink_of(cavity: Cavity, *, second: bool = False) -> Ink:
    """Return the ink of a cavity; of each second one it is dimmed, unless it has a mark."""
    if not cavity.called:
        return Ink.WAITING
    if cavity.newest:
        return Ink.NEWEST
    return Ink.CALLED_DIMMED if second else Ink.CALLED


def symbols() -> tuple[str, ...]:
    """Return the names of the pictures."""
    return tuple(_drawings())


@cache
def _draw_cavity(cavity: Cavity, ink: Ink, geometry: Geometry, beat: int) -> Image.Image:
    width = geometry.cavity_width
    shown = width - 1  # the last column of a cavity parts it from the next
    cell = Image.new("L", (width, _MARK_ROWS[1]))
    symbol = _symbol(cavity.symbol, width)
    if cavity.drawing and width > _DRAWING[0]:
        symbol = _mask(cavity.drawing)
    if symbol is not None:
        top, bottom = _SYMBOL_ROWS
        cell.paste(
            int(ink), ((shown - symbol.width + 1) // 2, (top + bottom - symbol.height) // 2), symbol
        )
    else:
        digits = geometry.digits
        figures, step = [int(figure) for figure in str(cavity.number)], digits.width + digits.gap
        left = (shown - len(figures) * step + digits.gap + 1) // 2
        for place, figure in enumerate(figures):
            at = (left + place * step, _NUMBER_TOP)
            cell.paste(int(ink), at, _glyphs(digits)[figure])
    if cavity.newest or not cavity.called:
        for x in range(shown):
            if ink is Ink.NEWEST or (x + beat) % (2 * _DASH) < _DASH:
                cell.paste(int(ink), (x, _MARK_ROWS[0], x + 1, _MARK_ROWS[1]))
    return cell


@cache
def _glyphs(digits: Digits) -> tuple[Image.Image, ...]:
    return tuple(_mask(rows) for rows in digits.shapes)


def _is_drawing(rows: tuple[str, ...]) -> bool:
    """Return whether rows are lamps of one length that fit into a cavity; so are no rows."""
    width, height = _DRAWING
    return len(rows) <= height and all(
        0 < len(row) <= width and len(row) == len(rows[0]) and set(row) <= set("#.") for row in rows
    )


def _symbol(name: str, cavity_width: int) -> Image.Image | None:
    drawing, size = _drawings().get(name), "small" if cavity_width == 8 else "large"
    return None if drawing is None else _mask(drawing[size].split())


@cache
def _drawings() -> dict[str, dict[str, str]]:
    return tomllib.loads((files("drivers.board") / "symbols.toml").read_text(encoding="utf-8"))


def _mask(rows: Sequence[str]) -> Image.Image:
    mask = Image.new("1", (len(rows[0]), len(rows)))
    mask.putdata([255 * (lamp == "#") for row in rows for lamp in row])
    return mask
