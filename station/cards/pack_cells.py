"""Read one cell of a file of cards: a number, a blank, a serial, or several numbers in one cell.

Spreadsheets and data tools write a number as `7`, `07`, `7.0`, `7,0` or `="7"`; a cell without a
number is empty, or has one of many signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from unicodedata import normalize

from station.base.nouns import CARD_LENGTH, COLUMNS, KNOBS, ROW_LENGTH, ROWS

NOTHING = -1  # of a cell that is neither a number nor blank
_SIGNS = (
    "0 00 0.0 0,0 -1 - -- --- \u2010 \u2013 \u2014 \u2212 * ** . .. ... \u2026 _ __ / // \\ ~ + = #"
    " \u00d7 \u2715 \u2716 \u00b7 \u2022 \u25cf \u25cb \u25a0 \u25a1 \u2588 \u2605 \u2606 \\n () []"
    " {} <> ?"
)
_WORDS = (
    "x xx xxx null (null) nil nul none nan nat na n/a #n/a n.a. <na> nd n.d. undef undefined false"
    " free blank empty void frei leer libre vide vac\u00edo vacio vuoto vuota libero vazio leeg"
)
BLANK_SIGNS = frozenset(["", *_SIGNS.split(), *_WORDS.split()])  # of a cell without a number
PLAIN = {str(number): number for number in range(1, KNOBS + 1)} | {
    f"0{number}": number for number in range(1, 10)
}
_NUMBER = re.compile(r"0*(\d{1,4})(?:[.,]0*)?\.?")
_SCIENTIFIC = re.compile(r"[+-]?\d+(?:[.,]\d+)?E[+-]\d+", re.IGNORECASE)
_WHOLE = re.compile(r"\d+[.,]0")
_EXCEL_TEXT = re.compile(r'="([^"]+)"')
_BRACKETS = str.maketrans("", "", "[](){}\"'")
_PARTS = re.compile(r"\s*[,;|/:\n]\s*|\s+-\s+")
TOGETHER = frozenset({ROW_LENGTH, COLUMNS, CARD_LENGTH, ROWS * COLUMNS})  # numbers in one cell
LONGEST_TOGETHER = 400


@lru_cache(maxsize=4096)
def text_of(cell: str) -> str:
    """Return a cell's text: composed, single blanks, without a spreadsheet's signs of a text.

    >>> text_of(' ="0017" '), text_of("'0017"), text_of("No.\\u00a0 6")
    ('0017', '0017', 'No. 6')
    """
    text = " ".join(normalize("NFC", cell).split())
    found = _EXCEL_TEXT.fullmatch(text)
    if found:
        text = found[1]
    return text.removeprefix("'") if text != "'" else text


@lru_cache(maxsize=4096)
def number_in(cell: str, blanks: frozenset[str] = BLANK_SIGNS) -> int:
    """Return a cell's number, 0 for a blank, `NOTHING` for anything else.

    >>> number_in("07"), number_in("27.0"), number_in("7,0"), number_in("NaN"), number_in("7.5")
    (7, 27, 7, 0, -1)
    """
    text = text_of(cell)
    if text.casefold() in blanks:
        return 0
    found = _NUMBER.fullmatch(text)
    return int(found[1]) if found else NOTHING


def blanks_with(more: Iterable[str]) -> frozenset[str]:
    """Return the signs of a blank cell, with some more."""
    return BLANK_SIGNS.union(text_of(sign).casefold() for sign in more)


@lru_cache(maxsize=4096)
def parts_of(cell: str) -> tuple[str, ...]:
    """Return the numbers and blanks that stand in one cell together; none for any other cell.

    >>> parts_of("5, 11, 33, 50, 76"), parts_of("[5 11 33 50 76]"), parts_of("No. 6")
    (('5', '11', '33', '50', '76'), ('5', '11', '33', '50', '76'), ())
    """
    if not ROW_LENGTH * 2 - 1 <= len(cell) <= LONGEST_TOGETHER:
        return ()
    text = cell.translate(_BRACKETS).strip()
    parts: list[str] = []
    for part in _PARTS.split(text):
        parts += part.split() or [""]
    if len(parts) == 1:
        parts = text.split("-")
    if len(parts) not in TOGETHER or sum(number_in(part) > 0 for part in parts) < ROW_LENGTH - 1:
        return ()
    return tuple(parts) if all(number_in(part) != NOTHING for part in parts) else ()


def is_scientific(text: str) -> bool:
    """Return whether a spreadsheet has shortened a long number: `1.23457E+12`."""
    return _SCIENTIFIC.fullmatch(text) is not None


def is_whole(text: str) -> bool:
    """Return whether a data tool has written a whole number with a decimal: `17.0`."""
    return _WHOLE.fullmatch(text) is not None


def fold_name(name: str) -> str:
    """Return a column's name to be compared: its letters and digits, without accents.

    >>> fold_name("Serial No."), fold_name("Série")
    ('serialno', 'serie')
    """
    return "".join(letter for letter in normalize("NFKD", name).casefold() if letter.isalnum())
