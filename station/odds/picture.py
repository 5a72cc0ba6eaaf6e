"""Draw pictures of odds: how rare something is, as bars; how a chance grows from call to call, as
curves. PNG, drawn by Pillow."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from math import floor, log10
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from station.base.tongue import tr
from station.odds.telling import one_in

WIDTH, HEIGHT = 1100, 620
ROW = 34  # pixels of a bar
MARGIN, LEFT, TOP = 40, 190, 96
FINE = 2  # drawn so many times larger and shrunk: edges come out smooth
PAPER, INK, GREY, GRID = "#ffffff", "#1d2630", "#5d6875", "#dfe4ea"
# Okabe and Ito's colours, which people who see red and green alike tell apart; the yellow is too
# light for lines.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#4d4d4d")
DEVANAGARI = re.compile("[\u0900-\u097f]")
FONTS = Path(__file__).parents[1] / "base" / "fonts"


class Bar(NamedTuple):
    """The text of a bar, and the chance it shows."""

    name: str
    chance: float


class Curve(NamedTuple):
    """The text of a curve, and its chance within 0, 1, 2, … calls."""

    name: str
    chances: Sequence[float]


class _Canvas:
    """Paper with a title; lengths are in pixels of the finished picture."""

    def __init__(self, height: int, title: str, below: str) -> None:
        self.height = height
        self._image = Image.new("RGB", (WIDTH * FINE, height * FINE), PAPER)
        self._draw = ImageDraw.Draw(self._image)
        self.words((MARGIN, 44), title, 24, bold=True)
        self.words((MARGIN, 72), below, 15, colour=GREY)

    def words(
        self,
        at: tuple[float, float],
        text: str,
        size: int,
        *,
        bold: bool = False,
        colour: str = INK,
        by: str = "ls",
    ) -> None:
        name = (
            "devanagari.ttf" if DEVANAGARI.search(text) else "page-bold.ttf" if bold else "page.ttf"
        )
        font = ImageFont.truetype(FONTS / name, size * FINE)
        self._draw.text((at[0] * FINE, at[1] * FINE), text, colour, font, anchor=by)

    def line(self, points: Sequence[tuple[float, float]], colour: str, width: float = 1) -> None:
        fine = [(x * FINE, y * FINE) for x, y in points]
        self._draw.line(fine, colour, round(width * FINE), joint="curve")

    def box(self, left: float, top: float, right: float, bottom: float, colour: str) -> None:
        self._draw.rectangle((left * FINE, top * FINE, right * FINE, bottom * FINE), colour)

    def png(self) -> bytes:
        whole = io.BytesIO()
        small = self._image.resize((WIDTH, self.height), Image.Resampling.BOX)
        small.quantize(256, dither=Image.Dither.NONE).save(whole, "PNG", optimize=True)
        return whole.getvalue()


def bars(title: str, below: str, shown: Sequence[Bar]) -> bytes:
    """Return a picture of how rare things are, a step ten times rarer; without what never comes."""
    rows = [bar for bar in shown if bar.chance > 0]
    lowest = min([-1, *(floor(log10(bar.chance)) for bar in rows)])
    bottom = TOP + ROW * len(rows)
    canvas = _Canvas(bottom + MARGIN + 20, title, below)
    right = WIDTH - MARGIN - 130  # behind the longest bar stands its figure

    def across(chance: float) -> float:
        return LEFT + (right - LEFT) * (1 - log10(chance) / lowest)

    for power in range(lowest, 1):
        x = across(10.0**power)
        canvas.line([(x, TOP), (x, bottom)], GRID)
        if power % (1 if lowest >= -8 else 2) == 0:
            canvas.words((x, bottom + 22), _step(power), 12, by="ms")
    for place, bar in enumerate(rows):
        y = TOP + ROW * place
        end, line = max(LEFT + 2, across(bar.chance)), y + ROW / 2 + 5
        canvas.box(LEFT, y + 5, end, y + ROW - 5, COLOURS[0])
        canvas.words((LEFT - 10, line), bar.name, 15, by="rs")
        canvas.words((end + 8, line), one_in(bar.chance), 13, colour=GREY)
    return canvas.png()


def _step(power: int) -> str:
    times = f"{10**-power:,}" if power >= -6 else f"10^{-power}"
    return tr("1 in {times}", times=times) if power else tr("always")


def curves(title: str, below: str, shown: Sequence[Curve], across: str) -> bytes:
    """Return a picture of how chances grow.

    Args:
        title, below: what stands above.
        shown: the curves; if there are more of them than colours, the rest are thin.
        across: what the lower axis counts.
    """
    canvas = _Canvas(HEIGHT, title, below)
    left, right, bottom = MARGIN + 50, WIDTH - MARGIN - 150, HEIGHT - 70
    steps = max((len(curve.chances) for curve in shown), default=2) - 1

    def at(step: int, chance: float) -> tuple[float, float]:
        return left + (right - left) * step / steps, bottom - (bottom - TOP) * chance

    for percent in range(0, 101, 20):
        canvas.line([at(0, percent / 100), at(steps, percent / 100)], GRID)
        line = at(0, percent / 100)[1] + 5
        canvas.words((left - 10, line), f"{percent} %", 13, colour=GREY, by="rs")
    for step in range(0, steps + 1, 10 if steps > 40 else 5):
        canvas.line([at(step, 0), at(step, 1)], GRID)
        canvas.words((at(step, 0)[0], bottom + 20), str(step), 13, colour=GREY, by="ms")
    canvas.words(((left + right) / 2, bottom + 46), across, 14, colour=GREY, by="ms")
    for place, curve in enumerate(shown):
        colour = COLOURS[place % len(COLOURS)]
        points = [at(step, chance) for step, chance in enumerate(curve.chances)]
        width = 2.5 if place < len(COLOURS) else 1.2
        canvas.line(points, colour, width)
        y = TOP + 12 + 22 * place
        canvas.line([(right + 20, y - 5), (right + 44, y - 5)], colour, 2 * width)
        canvas.words((right + 52, y), curve.name, 14)
    return canvas.png()
