"""Lay out the public screen: rectangles from a size, and nothing else.

Heights are given in hundredths of the screen's height (`u`), because they are read from far away: a
person at distance d needs digits of d / 200. The smallest sizes (the last number 35 u, the last ten
9 u, a row of the 90 board 4.5 u) hold on every landscape screen from 4:3 on; on a portrait screen
the width decides and they are as large as fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from station.wire.looks import sizes

LANDSCAPE_FROM = 1.2  # width / height


class Box(NamedTuple):
    """A rectangle in whole pixels: left, top, width, height."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """Return the first column after it."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """Return the first row after it."""
        return self.y + self.h

    def inset(self, dx: float, dy: float | None = None) -> Box:
        """Return the same box, smaller on every side; never less than one pixel.

        >>> Box(0, 0, 100, 50).inset(10)
        Box(x=10, y=10, w=80, h=30)
        """
        left, top = round(dx), round(dx if dy is None else dy)
        return Box(self.x + left, self.y + top, max(1, self.w - 2 * left), max(1, self.h - 2 * top))

    def head(self, high: int) -> Box:
        """Return its uppermost rows, so many of them; never less than one."""
        return self._replace(h=max(1, high))

    def under(self, row: int) -> Box:
        """Return the part from a row on, down to its end; never less than one pixel.

        >>> Box(0, 0, 100, 50).under(20), Box(0, 0, 100, 50).beyond(70)
        (Box(x=0, y=20, w=100, h=30), Box(x=70, y=0, w=30, h=50))
        """
        return self._replace(y=row, h=max(1, self.bottom - row))

    def first(self, wide: int) -> Box:
        """Return its leftmost columns, so many of them; never less than one."""
        return self._replace(w=max(1, wide))

    def beyond(self, column: int) -> Box:
        """Return the part from a column on, to its right end; never less than one pixel."""
        return self._replace(x=column, w=max(1, self.right - column))

    def middle(self, wide: int, high: int) -> Box:
        """Return a box of this size in its middle."""
        return Box(self.x + (self.w - wide) // 2, self.y + (self.h - high) // 2, wide, high)

    def stack(self, *weights: float, gap: float = 0) -> tuple[Box, ...]:
        """Return boxes one under the other, heights in proportion to the weights, as `split`."""
        turned = Box(self.y, self.x, self.h, self.w).split(*weights, gap=gap)
        return tuple(Box(row.y, row.x, row.h, row.w) for row in turned)

    def columns(self, count: int, gap: float = 0) -> tuple[Box, ...]:
        """Return boxes side by side, equally wide, left to right."""
        return self.split(*([1.0] * count), gap=gap)

    def rows(self, count: int, gap: float = 0) -> tuple[Box, ...]:
        """Return boxes one under the other, equally high, top to bottom."""
        return self.stack(*([1.0] * count), gap=gap)

    def split(self, *weights: float, gap: float = 0) -> tuple[Box, ...]:
        """Return boxes side by side, widths in proportion to the weights; whole pixels, no overlap,
        ending at the right edge.

        >>> Box(0, 0, 100, 10).split(1, 3)
        (Box(x=0, y=0, w=25, h=10), Box(x=25, y=0, w=75, h=10))
        """
        unit = (self.w - gap * (len(weights) - 1)) / sum(weights)
        boxes = []
        left = float(self.x)
        for weight in weights:
            right = left + weight * unit
            boxes.append(Box(round(left), self.y, max(1, round(right) - round(left)), self.h))
            left = right + gap
        return tuple(boxes)


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    """The rectangles of one screen size. `u` is a hundredth of the height, in pixels (on a portrait
    screen, of the height that its width allows)."""

    size: tuple[int, int]
    u: float
    everything: Box
    header: Box
    last: Box
    board: Box
    strip: Box  # the last ten
    info: Box
    footer: Box

    @property
    def cells(self) -> tuple[Box, ...]:
        """Return the 90 cells of the board, 1 to 90: nine rows of ten."""
        gap = sizes().cell_gap * self.u
        return tuple(cell for row in self.board.rows(9, gap) for cell in row.columns(10, gap))

    @property
    def ten(self) -> tuple[Box, ...]:
        """Return the last ten's places, newest first: one row, or two of five if too narrow."""
        gap = sizes().ten_gap * self.u
        if self.strip.w >= 8 * self.strip.h:
            return self.strip.columns(10, gap)
        return tuple(cell for row in self.strip.rows(2, gap) for cell in row.columns(5, gap))

    @property
    def facts(self) -> tuple[Box, ...]:
        """Return rows for the facts of the game: one, or two if one would be too narrow."""
        return (self.info,) if self.info.w >= 8 * self.info.h else self.info.rows(2, self.u)

    @property
    def below(self) -> Box:
        """Return all that is under the last number and the board, as one box."""
        return self.strip.head(self.footer.bottom - self.strip.y)


def lay_out(size: tuple[int, int]) -> ScreenLayout:
    """Return the layout for a screen of this size in pixels (width, height)."""
    width, height = max(1, size[0]), max(1, size[1])
    if width >= LANDSCAPE_FROM * height:
        return _landscape(width, height)
    return _portrait(width, height)


def _landscape(width: int, height: int) -> ScreenLayout:
    u, size = height / 100, sizes()
    inner = Box(0, 0, width, height).inset(size.margin * u)
    others = size.header + size.strip + size.info + size.footer
    main = 100 - 2 * size.margin - others - 4 * size.gap
    heights = (size.header, main, size.strip, size.info, size.footer)
    header, middle, strip, info, footer = _stack(inner, u, heights)
    last = middle.first(round(min(size.last_share * width, size.last_widest * u)))
    board = middle.beyond(last.right + round(size.gap * u))
    everything = Box(0, 0, width, height)
    return ScreenLayout((width, height), u, everything, header, last, board, strip, info, footer)


def _portrait(width: int, height: int) -> ScreenLayout:
    # A portrait sheet is laid out as if it were 16:10 high, then the rest of the height goes to the
    # last number and the board.
    u, size = min(height / 160, width / 100), sizes()
    everything = Box(0, 0, width, height)
    inner = everything.inset(size.margin * u)
    strip_h, info_h = 2 * size.strip, 2 * size.info
    spare = inner.h / u - size.header - strip_h - info_h - size.footer - 5 * size.gap
    heights = (size.header, spare * 0.45, strip_h, spare * 0.55, info_h, size.footer)
    header, last, strip, board, info, footer = _stack(inner, u, heights)
    return ScreenLayout((width, height), u, everything, header, last, board, strip, info, footer)


def _stack(inner: Box, u: float, heights: tuple[float, ...]) -> tuple[Box, ...]:
    boxes = []
    top = float(inner.y)
    for height in heights:
        bottom = top + height * u
        boxes.append(Box(inner.x, round(top), inner.w, max(1, round(bottom) - round(top))))
        top = bottom + sizes().gap * u
    return tuple(boxes)
