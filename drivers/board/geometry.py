"""The shapes of the digits on the ten-cavity board, as data.

Where a cavity is 8 lamps wide, two digits have three columns each, and stems of one lamp; where it
is 16 wide, five columns and stems of two. Any two shapes of a set differ in at least six lamps: one
dead lamp never turns a number into another. That is why the 0 is round, the 3 and the 8 have a
waist, and the bar of the 5 lies higher than those of the 6 and the 9.

digits can be read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from drivers import BadOption

_THIN = """
    .#.  .#.  ###  ###  #.#  ###  ###  ###  ###  ###
    #.#  ##.  ..#  ..#  #.#  #..  #..  ..#  #.#  #.#
    #.#  .#.  ..#  ..#  #.#  #..  #..  ..#  #.#  #.#
    #.#  .#.  ..#  ..#  #.#  #..  #..  ..#  #.#  #.#
    #.#  .#.  ..#  ..#  #.#  ###  #..  ..#  ###  #.#
    #.#  .#.  .#.  .#.  #.#  ..#  ###  .#.  .#.  ###
    #.#  .#.  #..  ..#  ###  ..#  #.#  .#.  ###  ..#
    #.#  .#.  #..  ..#  ..#  ..#  #.#  .#.  #.#  ..#
    #.#  .#.  #..  ..#  ..#  ..#  #.#  .#.  #.#  ..#
    #.#  .#.  #..  ..#  ..#  ..#  #.#  .#.  #.#  ..#
    .#.  ###  ###  ###  ..#  ###  ###  .#.  ###  ###
"""

_BOLD = """
    .###.  ..##.  .###.  .###.  ##.##  #####  .####  #####  .###.  .###.
    #####  .###.  #####  #####  ##.##  #####  #####  #####  #####  #####
    ##.##  ####.  ##.##  ##.##  ##.##  ##...  ##...  ...##  ##.##  ##.##
    ##.##  ..##.  ...##  ...##  ##.##  ##...  ##...  ...##  ##.##  ##.##
    ##.##  ..##.  ...##  ...##  ##.##  ####.  ##...  ..##.  ##.##  ##.##
    ##.##  ..##.  ..##.  .###.  ##.##  #####  ####.  ..##.  .###.  #####
    ##.##  ..##.  .##..  .###.  #####  ...##  #####  ..##.  .###.  .####
    ##.##  ..##.  .##..  ...##  #####  ...##  ##.##  ..##.  ##.##  ...##
    ##.##  ..##.  ##...  ...##  ...##  ...##  ##.##  .##..  ##.##  ...##
    ##.##  ..##.  ##...  ##.##  ...##  ##.##  ##.##  .##..  ##.##  ...##
    #####  #####  #####  #####  ...##  #####  #####  .##..  #####  #####
    .###.  #####  #####  .###.  ...##  .###.  .###.  .##..  .###.  ####.
"""


@dataclass(frozen=True, slots=True)
class Digits:
    """A set of ten shapes of one size.

    Attributes:
        shapes: `shapes[7]` are the rows of the 7, top first, `#` for a lit lamp.
        gap: dark columns between two digits.
    """

    shapes: tuple[tuple[str, ...], ...]
    gap: int

    @property
    def width(self) -> int:
        """Return the columns of a digit."""
        return len(self.shapes[0][0])

    @property
    def height(self) -> int:
        """Return the rows of a digit."""
        return len(self.shapes[0])


def _shapes(drawing: str) -> tuple[tuple[str, ...], ...]:
    return tuple(zip(*(line.split() for line in drawing.split("\n") if line.strip()), strict=True))


THIN = Digits(_shapes(_THIN), gap=1)
"""3 × 11, stems of one lamp."""

BOLD = Digits(_shapes(_BOLD), gap=2)
"""5 × 12, stems of two lamps."""


# -- geometry --------------------------------------------------------------------------------------

Order = Literal["rows", "columns"]

CAVITIES = 10
CAVITY_HEIGHT = 16

FC16_PITCH_MM = 4.0
"""From lamp to lamp on an FC-16 module: blocks of 32 mm with eight lamps a side."""

READING_RATIO = 200
"""A digit of usual proportions is read from 200 times its height, as on the screens
(docs/screens.md)."""

USUAL_WIDTH = 0.55
"""The least width of a sign's letters for their height (ADA Standards 2010, 703.5.4: an O is 55 %
as wide as an I is high, or more). That a narrower digit reads like a lower one of this width is our
own reckoning."""

CLEAR_GAP = 2
"""Dark columns between two numbers, for each inside one: with fewer, a bar must part them."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """A board's lamps and the places of its ten cavities, from the upper left, row after row.

    Attributes:
        name: as in the settings.
        across: how many cavities stand side by side; the others stand below.
        cavity_width: lamps; a cavity is always 16 high.
        digits: their shapes.
    """

    name: str
    across: int
    cavity_width: int
    digits: Digits

    @property
    def number_gap(self) -> int:
        """Return the dark columns between two numbers of two digits, side by side.

        >>> [shape.number_gap for shape in GEOMETRIES.values()]
        [1, 4, 4]
        """
        return self.cavity_width - 2 * self.digits.width - self.digits.gap

    @property
    def barred(self) -> bool:
        """Return whether the plate has a bar over each gap, for the gap alone parts too little."""
        return self.number_gap < CLEAR_GAP * self.digits.gap

    @property
    def bars(self) -> tuple[int, ...]:
        """Return the column of lamps, dark in every number, that each bar of the plate covers."""
        if not self.barred:
            return ()
        return tuple(self.cavity_width * place - 1 for place in range(1, self.across))

    @property
    def size(self) -> tuple[int, int]:
        """Return the lamps of the whole board: width, height.

        >>> GEOMETRIES["two-rows"].size
        (80, 32)
        """
        return self.across * self.cavity_width, CAVITIES // self.across * CAVITY_HEIGHT

    def corner(self, cavity: int) -> tuple[int, int]:
        """Return the upper left lamp of a cavity, counted from 0.

        >>> GEOMETRIES["two-rows"].corner(6)
        (16, 16)
        """
        down, right = divmod(cavity, self.across)
        return right * self.cavity_width, down * CAVITY_HEIGHT

    def is_second(self, cavity: int) -> bool:
        """Return whether a cavity, counted from 0, is a dark field of the chessboard that they are.

        >>> [place for place in range(10) if GEOMETRIES["two-rows"].is_second(place)]
        [1, 3, 5, 7, 9]
        """
        return sum(divmod(cavity, self.across)) % 2 == 1

    def reading_distance_m(self, pitch_mm: float = FC16_PITCH_MM) -> float:
        """Return from how many metres the digits can be read, with lamps `pitch_mm` apart: by their
        height, or by their width where that is less than usual for it.

        >>> GEOMETRIES["80x16"].reading_distance_m()
        4.4
        >>> GEOMETRIES["two-rows"].reading_distance_m(10.0)
        18.2
        """
        lamps = min(self.digits.height, self.digits.width / USUAL_WIDTH)
        return round(lamps * pitch_mm * READING_RATIO / 1000, 1)


_GEOMETRIES = (
    Geometry("80x16", across=10, cavity_width=8, digits=THIN),
    Geometry("160x16", across=10, cavity_width=16, digits=BOLD),
    Geometry("two-rows", across=5, cavity_width=16, digits=BOLD),
)
GEOMETRIES = {geometry.name: geometry for geometry in _GEOMETRIES}


def find_geometry(name: str) -> Geometry:
    """Return the geometry of that name.

    Raises:
        BadOption: there is none.
    """
    try:
        return GEOMETRIES[name]
    except (KeyError, TypeError):
        raise BadOption(
            f"geometry {name!r} of the ten-cavity board is not known: use {', '.join(GEOMETRIES)}"
        ) from None


def wire_order(
    size: tuple[int, int], panel: tuple[int, int], order: Order, serpentine: bool
) -> NDArray[np.intp]:
    """Return the place in the picture, counted row by row, of each lamp along the wire.

    Args:
        size: lamps of the board, width and height.
        panel: of each panel; they are chained row by row, each row from the left.
        order: whether the wire follows the rows of a panel, or its columns; from the upper left.
        serpentine: whether every second of them is run through backwards.

    >>> wire_order((4, 2), (2, 2), "columns", True).tolist()
    [0, 4, 5, 1, 2, 6, 7, 3]
    """
    width, height = size
    wide, high = panel
    places = np.arange(width * height).reshape(height, width)
    chain = []
    for top in range(0, height, high):
        for left in range(0, width, wide):
            tile = places[top : top + high, left : left + wide]
            lines = (tile if order == "rows" else tile.T).copy()
            if serpentine:
                lines[1::2] = lines[1::2, ::-1]
            chain.append(lines.ravel())
    return np.concatenate(chain)
