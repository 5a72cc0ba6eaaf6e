"""Read a sample of the lines of a file of cards: where the cards begin, which columns there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from station.base.errors import Unreadable
from station.base.nouns import ROW_LENGTH, Columns, number_list
from station.base.tongue import tr
from station.cards.pack_cells import blanks_with, fold_name, number_in, parts_of, text_of
from station.cards.pack_layouts import PackLayout
from station.cards.pack_text import Record

WIDE = 0.75  # of the lines are as wide as the file, or narrower
LONGEST_NAME = 24  # of a column, in a sentence
MOST_NAMES = 8


@dataclass(frozen=True)
class Wanted:
    """What a person says about a file of cards; all else is found out.

    Attributes:
        layout: how a card's lines are laid out.
        serial_column: the name of the column with the serials, or its number from 1.
        leave_out: names or numbers of columns that are neither serial nor numbers.
        blanks: more signs of a cell without a number.
        columns: in which column a number stands.
    """

    layout: PackLayout | None = None
    serial_column: str | None = None
    leave_out: tuple[str, ...] = ()
    blanks: tuple[str, ...] = ()
    columns: Columns | None = None


@dataclass
class PackSample:
    """A sample of a file's lines, whose cells were parted by one sign: its header and its columns.

    Args:
        source: the file's name in a fault.
        sample: its first lines.
        wanted: what the person says.
    """

    source: str
    sample: Sequence[Record]
    wanted: Wanted
    together: dict[int, int] = field(init=False)
    names: list[str] = field(init=False)

    def __post_init__(self) -> None:
        """Find the header, and the columns with several numbers in a cell."""
        cells = [[*map(text_of, row)] for _, row in self.sample]
        self.blanks = blanks_with(self.wanted.blanks)
        first = next((place for place, row in enumerate(cells) if self._is_body(row)), None)
        counted = first is not None and _is_counted(cells[first])
        self.skip = len(cells) if first is None else first + counted
        header = self._header(cells, first, counted=counted)
        self.header = tuple(header)
        self.lines = [line for line, _ in self.sample[self.skip :]]
        raw = [row for row in cells[self.skip :] if row != header]
        self.together = _together(raw)
        self.rows = [part_cells(row, self.together) for row in raw]
        self.width, self.names = self._columns(header)

    def _is_body(self, row: Sequence[str]) -> bool:
        numbers = [number for cell in row for number in _numbers_of(cell, self.blanks)]
        return sum(number > 0 for number in numbers) >= ROW_LENGTH - 1

    def _header(self, cells: list[list[str]], first: int | None, *, counted: bool) -> list[str]:
        """Return the cells of the line above the first card, where they name its columns."""
        if first is None:
            return []
        if counted:
            return cells[first]
        if not first:
            return []
        above = cells[first - 1]
        named = sum(map(bool, above))
        return above if named > 1 and 2 * named >= len(_trimmed(cells[first])) else []

    def _columns(self, header: list[str]) -> tuple[int, list[str]]:
        """Return how many columns there are, and their names."""
        widths = sorted(len(_trimmed(row)) for row in self.rows)
        body = widths[int(WIDE * (len(widths) - 1))] if widths else 0
        named = _trimmed(header)
        if not named:
            raw = Counter(map(len, self.rows)).most_common(1)[0][0] if self.rows else 0
            width = max(body, raw)
            return width, [""] * width
        names = [
            name for place, name in enumerate(named) for _ in range(self.together.get(place, 1))
        ]
        wider = sum(width == len(names) + 1 for width in widths)
        if 4 * wider >= len(widths) > 0 and names[0]:
            names.insert(0, "")  # R names no column of row names
        width = body if body > len(names) + 1 else len(names)
        return width, names + [""] * (width - len(names))

    def place(self, wanted: str, option: str) -> int:
        """Return a column by its name, or by its number from 1.

        Raises:
            Unreadable: there is no such column.
        """
        folded = [fold_name(name) for name in self.names]
        name = wanted.strip()
        exact = [at for at, one in enumerate(self.names) if one.casefold() == name.casefold()]
        alike = [at for at, one in enumerate(folded) if one and one == fold_name(name)]
        for found in (exact, alike):
            if len(found) == 1 or (found and len({self.names[at] for at in found}) == 1):
                return found[0]
        if name.isdecimal() and 1 <= int(name) <= self.width:
            return int(name) - 1
        there = number_list([self.name_of(at) for at in range(self.width)][:MOST_NAMES])
        why = tr(
            (
                "no column is called {name!r}: give {option} a name from the first "
                "line, or a number from 1; there are {columns}"
            ),
            name=wanted,
            option=option,
            columns=there,
        )
        raise Unreadable(f"{self.source}: {why}")

    def name_of(self, at: int) -> str:
        """Return how a column is called in a sentence: by its name, or by its number from 1."""
        name = self.names[at][:LONGEST_NAME]
        return quoted(name) if name else tr("column {number}", number=at + 1)


def part_cells(row: Sequence[str], together: dict[int, int]) -> list[str]:
    """Return a line's cells, those with several numbers parted."""
    if not together:
        return [*row]
    cells: list[str] = []
    for place, cell in enumerate(row):
        many = together.get(place)
        if many is None:
            cells.append(cell)
        else:
            cells += parts_of(cell) or ([""] * many if not cell else [cell])
    return cells


def _numbers_of(cell: str, blanks: frozenset[str]) -> list[int]:
    return [number_in(part, blanks) for part in parts_of(cell) or (cell,)]


def _together(rows: Sequence[Sequence[str]]) -> dict[int, int]:
    """Return the columns in whose cells several numbers stand, and how many."""
    found = {}
    for place in range(max(map(len, rows), default=0)):
        cells = [row[place] for row in rows if place < len(row) and row[place]]
        many = Counter(len(parts) for cell in cells if (parts := parts_of(cell)))
        if many and 2 * many.total() >= len(cells):
            found[place] = many.most_common(1)[0][0]
    return found


def _trimmed(row: Sequence[str]) -> list[str]:
    """Return a line without the empty cells at its end."""
    cells = [*row]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _is_counted(row: Sequence[str]) -> bool:
    """Return whether a line is a header of counted columns: 0 to 26, 01 to 27, 1 to 9 three times.
    No card has them: 1 and 2 stand in one column."""
    numbers = [(place, int(cell)) for place, cell in enumerate(row) if cell.isdecimal()]
    if len(numbers) < ROW_LENGTH or numbers[0][1] > 1:
        return False
    first = numbers[0][1]
    return all(
        after[0] == before[0] + 1 and after[1] in (before[1] + 1, first)
        for before, after in pairwise(numbers)
    )


def quoted(name: str) -> str:
    """Return a name as it is typed at the command line."""
    return f'"{name}"' if " " in name else name
