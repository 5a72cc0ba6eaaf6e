"""Model tables for people, and write them as CSV for spreadsheets and as JSON. Pure.

CSV is written in one place only: text stays text, numbers stay numbers. A spreadsheet works out a
cell that begins like a formula, and so would run what somebody typed as a name. Such a text gets an
apostrophe before it, which spreadsheets take for "this is text". A program gets the text back if it
takes away exactly one apostrophe where apostrophes stand before what begins a formula; "'t Hooft"
stays as it is.

Sums are whole minor units (pence, cents) everywhere. A spreadsheet gets each of them twice: as the
hall writes money, to be added up, and in minor units, to be compared with the record.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TextIO, TypeAlias

from station.base.tongue import key, tr
from station.views.money_text import Currency

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


# -- tables ----------------------------------------------------------------------------------------

Value: TypeAlias = str | int | None
Row: TypeAlias = tuple[Value, ...]

MARK = "\ufeff"  # by it a spreadsheet knows UTF-8


class Kind(StrEnum):
    """The kinds of value in a column."""

    TEXT = "text"
    NUMBER = "number"
    MONEY = "money"  # whole minor units


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column: its key for programs, its title for people, by default the same."""

    key: str
    title: str = ""
    kind: Kind = Kind.TEXT


# Columns that several tables have.
GAME, CALLS = (
    SheetColumn(key("game"), kind=Kind.NUMBER),
    SheetColumn(key("calls"), kind=Kind.NUMBER),
)
NAME, STAGE, WHAT = SheetColumn(key("name")), SheetColumn(key("stage")), SheetColumn(key("what"))
SERIAL, HOLDER = SheetColumn("serial", key("card")), SheetColumn("holder", key("held by"))
AMOUNT = SheetColumn(key("amount"), kind=Kind.MONEY)
AT, BY, LINE = (
    SheetColumn(key("at")),
    SheetColumn(key("by")),
    SheetColumn(key("line"), kind=Kind.NUMBER),
)


@dataclass(frozen=True)
class Table:
    """A table, as people and programs read it.

    Attributes:
        key: its name in files.
        note: a sentence beneath it; for an empty table, what that means.
    """

    key: str
    title: str
    columns: tuple[SheetColumn, ...]
    rows: tuple[Row, ...]
    note: str = ""

    def texts(self, row: Row, currency: Currency) -> list[str]:
        """Return the cells of a row as a person reads them, each on one line."""
        pairs = zip(self.columns, row, strict=True)
        return [_text(column, value, currency) for column, value in pairs]

    def data(self) -> list[dict[str, Value]]:
        """Return the rows for programs."""
        keys = [column.key for column in self.columns]
        return [dict(zip(keys, row, strict=True)) for row in self.rows]

    def column(self, key: str) -> tuple[Value, ...]:
        """Return one column from top to bottom."""
        place = [column.key for column in self.columns].index(key)
        return tuple(row[place] for row in self.rows)


def table(
    key: str, title: str, columns: Iterable[SheetColumn], rows: Iterable[Row], note: str = ""
) -> Table:
    """Return a table, with the titles of its columns in the language that is spoken."""
    named = (replace(column, title=tr(column.title or column.key)) for column in columns)
    return Table(key, title, tuple(named), tuple(rows), note)


def _text(column: SheetColumn, value: Value, currency: Currency) -> str:
    if column.kind is Kind.MONEY and isinstance(value, int):
        return currency.text(value)
    return "" if value is None else " ".join(str(value).split())


# -- for spreadsheets ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spelling:
    """The CSV format that a country's spreadsheets want: what parts cells, the decimal sign."""

    between: str
    point: str


ENGLISH, CONTINENTAL = Spelling(",", "."), Spelling(";", ",")
# of those that the station speaks; the others write a decimal comma
POINT_LANGUAGES = frozenset({"en", "hi"})


def spelling_of(language: str) -> Spelling:
    """Return the CSV format that a spreadsheet in this language opens by a double click."""
    return ENGLISH if language in POINT_LANGUAGES else CONTINENTAL


def to_csv(shown: Table, decimals: int, spelling: Spelling) -> bytes:
    """Return a table as a CSV file, in UTF-8 with a byte order mark, lines ended CR LF.

    The columns' keys are in the first line. A sum is given twice: `amount` as the hall writes it,
    without its sign, and `amount_minor` in whole minor units. A text that a spreadsheet would take
    for a formula has an apostrophe before it (`station.paper.reports.sheets`).
    """
    file = io.StringIO(newline="")
    writer = SheetWriter(file, spelling.between, "\r\n")
    money = [column.kind is Kind.MONEY for column in shown.columns]
    keys: list[Value] = []
    for column, is_money in zip(shown.columns, money, strict=True):
        keys += (column.key, f"{column.key}_minor") if is_money else (column.key,)
    writer.row(keys)
    for row in shown.rows:
        cells: list[Value] = []
        for value, is_money in zip(row, money, strict=True):
            if is_money and isinstance(value, int):
                written = Currency("", decimals).text(value)
                cells.append(NumberCell(written.replace(".", spelling.point)))
            elif is_money:
                cells.append(None)
            cells.append(value)
        writer.row(cells)
    return (MARK + file.getvalue()).encode()


def to_json(tables: Iterable[Table]) -> Mapping[str, Any]:
    """Return tables for programs, by key."""
    return {shown.key: shown.data() for shown in tables}
