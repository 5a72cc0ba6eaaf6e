"""Define the layouts of files of cards, and write them.

    numbers   a line a card: the serial, fifteen numbers row by row; the station's own
    rows      three lines a card: the serial, five numbers
    cells     a line a card: the serial, 27 cells, the rows of nine one after another
    grid      three lines a card: the serial, nine cells

How they are read, and what else printed series may do: `station.cards.pack_files`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from station.base.nouns import COLUMNS, KNOBS, ROW_LENGTH, ROWS, Columns
from station.cards.card_arrays import COLUMN_OF, U8

AT_ONCE = 1 << 15  # cards written together


class PackLayout(StrEnum):
    """How a file of cards is laid out."""

    NUMBERS = "numbers"
    ROWS = "rows"
    CELLS = "cells"
    GRID = "grid"

    @property
    def lines(self) -> int:
        """Return how many lines a card has."""
        return ROWS if self in (PackLayout.ROWS, PackLayout.GRID) else 1

    @property
    def has_blanks(self) -> bool:
        """Return whether the layout has cells without a number, and so shows the columns."""
        return self in (PackLayout.CELLS, PackLayout.GRID)

    @property
    def numbers(self) -> int:
        """Return how many cells with numbers a line has."""
        return len(self.header) - 1

    @property
    def header(self) -> tuple[str, ...]:
        """Return the columns' names: `r2n1` is row 2's first number, `r2c1` its first cell."""
        letter, length = ("c", COLUMNS) if self.has_blanks else ("n", ROW_LENGTH)
        rows = [""] if self.lines == ROWS else [f"r{row}" for row in range(1, ROWS + 1)]
        cells = (f"{row}{letter}{place}" for row in rows for place in range(1, length + 1))
        return "serial", *cells


LAYOUTS = {len(layout.header): layout for layout in PackLayout}
HEADER = PackLayout.NUMBERS.header
# The name of the column of the serials, which tells how the numbers stand in the columns.
SERIALS = {Columns.TENS_FIRST: "serial", Columns.TENS_LAST: "serial (tens last)"}


def write_cards(
    serials: Sequence[str],
    numbers: U8,
    layout: PackLayout = PackLayout.NUMBERS,
    columns: Columns = Columns.TENS_FIRST,
) -> bytes:
    """Return cards as a file: a header, commas, line feeds; cells without a number are empty.

    Args:
        numbers: uint8, shape (cards, 3, 5).
        columns: in which column each number stands.
    """
    parts = [",".join((SERIALS[columns], *layout.header[1:])).encode() + b"\n"]
    for first in range(0, len(serials), AT_ONCE):
        some = slice(first, first + AT_ONCE)
        parts.append(_lines(serials[some], _laid_out(numbers[some], layout, columns), layout.lines))
    return b"".join(parts)


def _laid_out(numbers: U8, layout: PackLayout, columns: Columns) -> U8:
    """Return the cells of each line, 0 where there is no number: shape (lines, cells)."""
    if not layout.has_blanks:
        return numbers.reshape(len(numbers) * layout.lines, -1)
    grid = np.zeros((len(numbers), ROWS, COLUMNS), np.uint8)
    np.put_along_axis(grid, COLUMN_OF[columns].take(numbers).astype(np.intp), numbers, axis=2)
    return grid.reshape(len(numbers) * layout.lines, -1)


def gathered(cells: U8, columns: Columns = Columns.TENS_FIRST) -> U8:
    """Return the numbers of cards from their cells; all 0 for a card whose rows are faulty.

    A row has five numbers, each in its column.

    Args:
        cells: uint8, shape (cards, 27), none above 90, 0 for a blank.
        columns: in which column each number stands.

    Returns:
        uint8, shape (cards, 3, 5).
    """
    grid = cells.reshape(-1, ROWS, COLUMNS)
    filled = grid > 0
    good = (filled.sum(axis=2) == ROW_LENGTH).all(axis=1)
    good &= (~filled | (COLUMN_OF[columns].take(grid) == np.arange(COLUMNS))).all(axis=(1, 2))
    numbers = np.zeros((len(grid), ROWS, ROW_LENGTH), np.uint8)
    numbers[good] = grid[good][filled[good]].reshape(-1, ROWS, ROW_LENGTH)
    return numbers


def _lines(serials: Sequence[str], cells: U8, lines: int) -> bytes:
    """Return each serial followed by the cells of its lines."""
    written = [serial.encode() for serial in serials]
    longest = max(map(len, written))
    # No number of a card is 0: that is an empty cell.
    words = b"".join((b",%d" % n if n else b",").ljust(3, b"\0") for n in range(KNOBS + 1))
    texts = np.frombuffer(words, np.uint8).reshape(-1, 3)
    starts = np.repeat(np.array(written, dtype=f"S{longest}"), lines)
    raw = np.full((len(cells), longest + 3 * cells.shape[1] + 1), ord("\n"), np.uint8)
    raw[:, :longest] = starts.view(np.uint8).reshape(-1, longest)
    raw[:, longest:-1] = texts.take(cells.reshape(-1), axis=0).reshape(len(cells), -1)
    # Short serials and numbers leave zero bytes behind.
    flat = raw.reshape(-1)
    return flat.take(np.flatnonzero(flat != 0)).tobytes()
