"""The shapes of the digits on the ten-cavity board, as data.

Where a cavity is 8 lamps wide, two digits have three columns each, and stems of one lamp; where it
is 16 wide, five columns and stems of two. Any two shapes of a set differ in at least six lamps: one
dead lamp never turns a number into another. That is why the 0 is round, the 3 and the 8 have a
waist, and the bar of the 5 lies higher than those of the 6 and the 9.
"""

from __future__ import annotations

from dataclasses import dataclass

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
