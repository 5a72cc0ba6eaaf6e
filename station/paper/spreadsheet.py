"""Write CSV files for spreadsheets, in one place only: text stays text, numbers stay numbers. Pure.

A spreadsheet works out a cell that begins like a formula, and so would run what somebody typed as a
name. Such a text gets an apostrophe before it, which spreadsheets take for "this is text". A
program gets the text back if it takes away exactly one apostrophe where apostrophes stand before
what begins a formula; "'t Hooft" stays as it is.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import TextIO

# =, +, - and @ in either width, and the blanks before which a spreadsheet looks further.
_BEGINS = "[=+\\-@\t\r\n＝＋－＠]"
_FORMULA = re.compile(f"'*{_BEGINS}")


class NumberCell(str):
    """A number as a country writes it, "-12,50": a cell to add up, not a text."""

    __slots__ = ()


class SheetWriter:
    """A writer of rows of cells to a text file.

    Args:
        file: opened with `newline=""`.
        between: what stands between two cells.
        end: of a line.
    """

    def __init__(self, file: TextIO, between: str = ",", end: str = "\n") -> None:
        self._writer = csv.writer(file, delimiter=between, lineterminator=end)

    def row(self, cells: Iterable[str | float | None]) -> None:
        """Write one row: numbers as they are, an empty cell for None, texts that stay texts."""
        row = [text_cell(cell) if isinstance(cell, str) else cell for cell in cells]
        self._writer.writerow(row)


def text_cell(text: str) -> str:
    """Return a text as a cell that no spreadsheet takes for a formula.

    >>> text_cell("=1+1"), text_cell("'=1"), text_cell("'t Hooft")
    ("'=1+1", "''=1", "'t Hooft")
    >>> text_cell(NumberCell("-12.50"))
    '-12.50'
    """
    return f"'{text}" if not isinstance(text, NumberCell) and _FORMULA.match(text) else text
