"""The shapes of the digits on the ten-cavity board, as data.

A cavity is 8 lamps wide and 16 high, so that two digits have three columns each. Any two shapes differ in at least six lamps:
one dead lamp never turns a number into another. That is why the 0 is round, the 3 and the 8 have a waist, and the bar of the 5
lies higher than those of the 6 and the 9.
"""

from __future__ import annotations

WIDTH = 3
HEIGHT = 11

_ROWS = """
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

DIGITS: tuple[tuple[str, ...], ...] = tuple(zip(*(line.split() for line in _ROWS.split("\n") if line.strip()), strict=True))
"""`DIGITS[7]` are the eleven rows of the 7, top first, `#` for a lit lamp."""
