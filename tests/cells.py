"""Reads a cell of a spreadsheet back as a program of somebody else does."""

from __future__ import annotations

import re

GUARDED = re.compile("'+[=+\\-@\t\r\n＝＋－＠]")


def read_cell(cell: str) -> str:
    """Return the text of a cell that `text_cell` made.

    >>> read_cell("'=1+1"), read_cell("''=1"), read_cell("'t Hooft")
    ('=1+1', "'=1", "'t Hooft")
    """
    return cell[1:] if GUARDED.match(cell) else cell
