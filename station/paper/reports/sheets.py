"""Model tables for people: one model, which is printed on paper, shown in a terminal, opened in a
spreadsheet, read by programs. Pure.

Sums are whole minor units (pence, cents) everywhere. A spreadsheet gets each of them twice: as the
hall writes money, to be added up, and in minor units, to be compared with the record.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from station.paper.spreadsheet import NumberCell, SheetWriter
from station.views.views import Currency

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
    """A column: its key for programs, its title for people."""

    key: str
    title: str
    kind: Kind = Kind.TEXT


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
        return [
            _text(column, value, currency) for column, value in zip(self.columns, row, strict=True)
        ]

    def data(self) -> list[dict[str, Value]]:
        """Return the rows for programs."""
        return [
            dict(zip((column.key for column in self.columns), row, strict=True))
            for row in self.rows
        ]

    def column(self, key: str) -> tuple[Value, ...]:
        """Return one column from top to bottom."""
        place = [column.key for column in self.columns].index(key)
        return tuple(row[place] for row in self.rows)


def table(
    key: str, title: str, columns: str, rows: Iterable[Sequence[Value]], note: str = ""
) -> Table:
    """Return a table whose columns are written as `key:title`, with `#` before the key of a
    number's, `$` before that of a sum's.

    >>> columns = "serial:card | #calls:calls | $amount:prize"
    >>> table("prizes", "Prizes", columns, [("0007", 41, 250)]).columns[2].kind.value
    'money'
    """
    kinds = {"#": Kind.NUMBER, "$": Kind.MONEY}
    parsed = []
    for text in columns.split("|"):
        name, _, heading = text.strip().partition(":")
        parsed.append(SheetColumn(name.lstrip("#$"), heading, kinds.get(name[0], Kind.TEXT)))
    return Table(key, title, tuple(parsed), tuple(tuple(row) for row in rows), note)


def _text(column: SheetColumn, value: Value, currency: Currency) -> str:
    if value is None:
        return ""
    return (
        currency.text(value)
        if column.kind is Kind.MONEY and isinstance(value, int)
        else " ".join(str(value).split())
    )


# -- for spreadsheets ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spelling:
    """The CSV format that a country's spreadsheets want: the separator of cells, and the decimal
    sign."""

    between: str
    point: str


ENGLISH, CONTINENTAL = Spelling(",", "."), Spelling(";", ",")
# of those that the station speaks; the others write a decimal comma
POINT_LANGUAGES = frozenset({"en", "hi"})


def spelling_of(language: str) -> Spelling:
    """Return the CSV format that a spreadsheet in this language opens correctly by a double
    click."""
    return ENGLISH if language in POINT_LANGUAGES else CONTINENTAL


def to_csv(shown: Table, decimals: int, spelling: Spelling) -> bytes:
    """Return a table as a CSV file: UTF-8 with a byte order mark, lines ended CR LF, the keys of
    the columns in the first line.

    A sum is given twice: `amount` as the hall writes it, without its sign, and `amount_minor` in
    whole minor units. A text that a spreadsheet would take for a formula has an apostrophe before
    it (`station.paper.spreadsheet`).
    """
    file = io.StringIO(newline="")
    writer = SheetWriter(file, spelling.between, "\r\n")
    writer.row(key for column in shown.columns for key in _keys(column))
    for row in shown.rows:
        pairs = zip(shown.columns, row, strict=True)
        writer.row(
            cell
            for column, value in pairs
            for cell in _cells(column, value, decimals, spelling.point)
        )
    return (MARK + file.getvalue()).encode()


def _keys(column: SheetColumn) -> tuple[str, ...]:
    return (column.key, f"{column.key}_minor") if column.kind is Kind.MONEY else (column.key,)


def _cells(column: SheetColumn, value: Value, decimals: int, point: str) -> tuple[Value, ...]:
    if column.kind is Kind.MONEY:
        return (
            (NumberCell(Currency("", decimals).text(value).replace(".", point)), value)
            if isinstance(value, int)
            else (None, None)
        )
    return (value,)


def to_json(tables: Iterable[Table]) -> Mapping[str, Any]:
    """Return tables for programs, by key."""
    return {shown.key: shown.data() for shown in tables}
