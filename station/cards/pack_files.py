"""Read files of cards, printed series and the station's own packs, all or nothing.

Which of the layouts (`station.cards.pack_layouts`) a file has is told by how many cells its lines
have. A cell without a number is empty, 0 or `-`. Where a card has three lines its serial stands on
each, or on the first alone. A header may be there or not; cells are parted by commas, semicolons or
tabs, in quotes or without; a file is UTF-8 with a byte order mark or without, or UTF-16 with one.
The numbers of a column may stand in any order, as on old cards.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from station.base import nouns
from station.base.errors import Unreadable
from station.base.nouns import CARD_SERIAL, KNOBS, NUMBER, ROW_LENGTH, ROWS, Card, column_of
from station.base.tongue import key, tr
from station.cards.card_arrays import U8, are_cards, faulty, repeats
from station.cards.pack_layouts import BLANKS, HEADER, LAYOUTS, PackLayout, gathered

AT_ONCE = 1 << 15  # lines read between two signs of progress
PIECE = 1 << 20  # characters of a plain text read together: little memory, and a core's own
SAMPLE = 100  # lines that tell the layout of a file without a header
MOST_FAULTS = 50  # told; more are counted
SEPARATORS = ",;\t"
PLAIN = {str(number): number for number in range(1, KNOBS + 1)} | {
    f"0{number}": number for number in range(1, 10)
}

Progress = Callable[[int, int], None]
Record = tuple[int, list[str]]  # the line on which it ends, its cells


class _Faults:
    """The faults of a file, by line."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.found: list[tuple[int, str]] = []

    def add(self, line: int, fault: str) -> None:
        self.found.append((line, fault))

    def _more(self, count: int) -> str:
        return f"{self.source}: {tr('and {count} more faults', count=count)}"

    def refuse(self) -> None:
        """Refuse the file if it has faults.

        Raises:
            Unreadable: names the first faults, in the order of their lines.
        """
        by_line = sorted(self.found, key=itemgetter(0))
        told = [f"{self.source}:{line}: {fault}" for line, fault in by_line]
        if len(told) > MOST_FAULTS:
            told[MOST_FAULTS:] = [self._more(len(told) - MOST_FAULTS)]
        if told:
            raise Unreadable("\n".join(told))


# -- reading ---------------------------------------------------------------------------------------


def decode(data: bytes, source: str) -> str:
    """Decode a file's bytes: UTF-8, or UTF-16 with its byte order mark.

    Raises:
        Unreadable: it is neither; the message names the line.
    """
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        # A count of line ends only; the bytes before the fault are sound.
        line = data[: error.start].count(b"\n") + 1
        code = "UTF-16" if wide else "UTF-8"
        why = tr(
            "not {code} at byte {byte}: save the file as CSV in UTF-8, or fetch it once more",
            code=code,
            byte=error.start,
        )
        raise Unreadable(f"{source}:{line}: {why}") from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        why = tr("zero bytes, as in UTF-16 without its mark: save the file as CSV in UTF-8")
        raise Unreadable(f"{source}:{line}: {why}")
    return text


def read_cards(
    text: str,
    source: str = "cards",
    layout: PackLayout | None = None,
    serial_column: str | None = None,
    progress: Progress | None = None,
) -> tuple[list[str], U8]:
    """Read cards, all or nothing.

    Args:
        source: the text's name in a fault.
        layout: how it is laid out; None finds out.
        serial_column: the header's name of the column with the serials, or its number from 1.
            Without, the one called `serial`, else the first.
        progress: called with the lines read and the lines in all.

    Returns:
        The serials; and the numbers, uint8, shape (cards, 3, 5).

    Raises:
        Unreadable: the file has faults, each named with its line, or an unknown layout.
    """
    if layout in (None, PackLayout.NUMBERS) and serial_column is None:
        quick = _read_plain(text)
        if (
            quick is not None
            and len(set(quick[0])) == len(quick[0])
            and are_cards(quick[1])
            and not len(repeats(quick[1]))
        ):
            return quick
    faults = _Faults(source)
    records = _records(text, faults, progress)
    sample = [(line, [*map(str.strip, cells)]) for line, cells in islice(records, SAMPLE)]
    header = sample.pop(0) if sample and _is_header(sample[0][1]) else None
    if not sample:
        faults.add(1, tr("no cards: one a line, or three lines each"))
        faults.refuse()
    layout = layout or _layout_of(source, header, sample)
    at = _serial_place(source, header, serial_column)
    if header is not None:
        _check_header(source, header, layout, at)
    reader = _CardReader(layout, at, faults)
    for line, cells in chain(sample, records):
        reader.take(line, cells)
    return reader.finish()


def _records(text: str, faults: _Faults, progress: Progress | None) -> Iterator[Record]:
    """Yield the lines that are not blank. Where the text stops being CSV, note a fault and end."""
    first = next((line for line in io.StringIO(text, newline="") if line.strip()), "")
    separator = max(SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    total = text.count("\n")
    try:
        for place, cells in enumerate(reader):
            if any(map(str.strip, cells)):
                yield reader.line_num, cells
            if progress is not None and place % AT_ONCE == 0:
                progress(place, total)
    except csv.Error as error:
        faults.add(reader.line_num, tr("not CSV: {why}", why=error))
    if progress is not None:
        progress(total, total)


def _is_header(cells: Sequence[str]) -> bool:
    """Return whether a first line names columns: hardly any figure, or cells counted from 1."""
    figures = [cell for cell in cells if cell in BLANKS or NUMBER.fullmatch(cell)]
    counted = [str(number) for number in range(1, len(cells))]
    return len(cells) > ROW_LENGTH and (len(figures) <= 1 or figures == counted)


def _layout_of(source: str, header: Record | None, sample: Sequence[Record]) -> PackLayout:
    """Return the layout for the header's width, else for the width that most lines have.

    Raises:
        Unreadable: no layout has that width.
    """
    if header is not None and (named := LAYOUTS.get(len(header[1]))) is not None:
        return named
    widths = Counter(len(cells) for _, cells in sample)
    width, lines = max(widths.items(), key=lambda one: (one[0] in LAYOUTS, one[1]))
    if width not in LAYOUTS or 2 * lines < len(sample):
        known = ", ".join(f"{layout} {width}" for width, layout in LAYOUTS.items())
        why = tr(
            "the layout cannot be told from lines of {widths} cells ({known}, the serial among"
            " them): say which it is with --layout",
            widths=nouns.number_list(sorted(widths)),
            known=known,
        )
        raise Unreadable(f"{source}:{sample[0][0]}: {why}")
    return LAYOUTS[width]


def _serial_place(source: str, header: Record | None, wanted: str | None) -> int:
    names = [name.lower() for name in header[1]] if header is not None else []
    if wanted is None:
        return names.index("serial") if "serial" in names else 0
    if wanted.strip().lower() in names:
        return names.index(wanted.strip().lower())
    if wanted.isdecimal() and int(wanted) >= 1:
        return int(wanted) - 1
    why = tr(
        "no column is called {name!r}: give its name in the first line, or its number from 1",
        name=wanted,
    )
    raise Unreadable(f"{source}: {why}")


def _check_header(source: str, header: Record, layout: PackLayout, at: int) -> None:
    """Check the order of our own column names, so that no number is read to a wrong row.

    Raises:
        Unreadable: the names stand in another order.
    """
    names = [name.lower() for name in header[1]]
    others = names[:at] + names[at + 1 :]
    if sorted(others) == sorted(layout.header[1:]) and others != [*layout.header[1:]]:
        why = tr("the columns must stand in the order {order}", order=",".join(layout.header))
        raise Unreadable(f"{source}:{header[0]}: {why}")


def _read_plain(text: str) -> tuple[list[str], U8] | None:
    """Read a text that is exactly as `write_cards` writes it; return None for any other."""
    head = ",".join(HEADER) + "\n"
    plain = text.startswith(head) and text.endswith("\n") and text.isascii()
    if not plain or len(text) == len(head):
        return None
    serials: list[str] = []
    parts: list[U8] = []
    at = len(head)
    while at < len(text):
        end = text.index("\n", min(at + PIECE, len(text) - 1)) + 1
        found = _read_piece(text[at:end])
        if found is None:
            return None
        serials += found[0]
        parts.append(found[1])
        at = end
    return serials, np.concatenate(parts)


def _read_piece(text: str) -> tuple[list[str], U8] | None:
    """Read some whole lines of such a text."""
    body = np.frombuffer(text.encode("ascii"), np.uint8)
    stops: npt.NDArray[np.int64] = np.flatnonzero((body == ord(",")) | (body == ord("\n")))
    if len(stops) % len(HEADER):
        return None
    ends = body[stops := stops.reshape(-1, len(HEADER))]
    if not ((ends[:, :-1] == ord(",")).all() and (ends[:, -1] == ord("\n")).all()):
        return None
    lengths = np.diff(stops, axis=1) - 1
    last = body[stops[:, 1:] - 1]
    before = body[stops[:, 1:] - 2]
    two = lengths == 2
    good = (last >= ord("0")) & (last <= ord("9")) & (lengths <= 2)
    good &= ~two | ((before >= ord("0")) & (before <= ord("9")))
    if not good.all():
        return None
    numbers = (last - ord("0")) + np.where(two, before - ord("0"), 0).astype(np.uint8) * np.uint8(
        10
    )
    starts = [0, *(stops[:-1, -1] + 1).tolist()]
    serials = [text[start:stop] for start, stop in zip(starts, stops[:, 0].tolist(), strict=True)]
    if not all(map(CARD_SERIAL.fullmatch, serials)):
        return None
    return serials, numbers.astype(np.uint8).reshape(-1, ROWS, ROW_LENGTH)


def _named(serial: str) -> str:
    """Return a card's name for a fault's text; quoted where it is no serial: it may be anything."""
    return tr("card {serial}", serial=serial if CARD_SERIAL.fullmatch(serial) else repr(serial))


ONLY = key("{card} has only {count} of {rows} rows")
ONLY_CUT = key("{card} has only {count} of {rows} rows: the file is cut off here")


class _CardReader:
    """A reader that joins lines into cards; at its end it checks whole cards, all at once."""

    def __init__(self, layout: PackLayout, at: int, faults: _Faults) -> None:
        self.layout, self.at, self.faults = layout, at, faults
        self.names = layout.header[1:]
        self.values = PLAIN | dict.fromkeys(BLANKS, 0) if layout.has_blanks else PLAIN
        self.first: dict[str, int] = {}  # the line on which a serial stood first
        # Of the cards read so far: their serials, lines and cells.
        self.serials: list[str] = []
        self.lines: list[list[int]] = []
        self.cells = bytearray()
        # Of the card being read; a faulty line gives no cells.
        self.serial = ""
        self.open: list[int] = []
        self.read: list[int] = []

    def take(self, line: int, cells: list[str]) -> None:
        """Take the next line."""
        serial = cells.pop(self.at).strip() if self.at < len(cells) else ""
        if len(self.open) == self.layout.lines or (self.open and serial not in ("", self.serial)):
            self.close()
        if not self.open:
            self.serial = serial
            if not serial and self.layout.lines == ROWS:
                missing = tr(
                    "the serial is missing, or this line is one too many for the card above"
                )
                self.faults.add(line, missing)
            elif not CARD_SERIAL.fullmatch(serial):
                self.faults.add(line, tr(nouns.NO_CARD_SERIAL, serial=serial))
        self.open.append(line)
        numbers = [self.values.get(cell, -1) for cell in cells]
        plain = len(numbers) == len(self.names) and -1 not in numbers
        self.read += numbers if plain else self.spell(line, cells)

    def spell(self, line: int, cells: Sequence[str]) -> list[int]:
        """Return the numbers of a line that is not plain; none, with a fault noted, if faulty."""
        if len(cells) != len(self.names):
            many = {"count": len(cells), "wanted": len(self.names)}
            if self.layout.has_blanks:
                fault = tr("{count} cells instead of {wanted}", **many)
            else:
                fault = tr("{count} numbers instead of {wanted}", **many)
            self.faults.add(line, f"{_named(self.serial)}: {fault}")
            return []
        numbers = []
        for name, cell in zip(self.names, map(str.strip, cells), strict=True):
            if cell in self.values:
                numbers.append(self.values[cell])
            elif NUMBER.fullmatch(cell):
                numbers.append(int(cell))
            else:
                fault = tr("{name} is {cell!r}, not a number", name=name, cell=cell)
                self.faults.add(line, f"{_named(self.serial)}: {fault}")
        return numbers if len(numbers) == len(cells) else []

    def close(self, *, end: bool = False) -> None:
        """End the current card; with `end`, the last one."""
        serial, lines, cells = self.serial, self.open, self.read
        self.open, self.read = [], []
        if len(lines) < self.layout.lines:
            if serial:
                told = ONLY_CUT if end else ONLY
                fault = tr(told, card=_named(serial), count=len(lines), rows=ROWS)
                self.faults.add(lines[-1], fault)
            return
        if (before := self.first.setdefault(serial, lines[0])) != lines[0]:
            again = tr("this serial stands on line {line} already", line=before)
            self.faults.add(lines[0], f"{_named(serial)}: {again}")
        if len(cells) < len(lines) * len(self.names):
            return
        if max(cells) > KNOBS:
            self.explain(serial, lines, cells)
            return
        self.serials.append(serial)
        self.lines.append(lines)
        self.cells += bytes(cells)

    def explain(self, serial: str, lines: Sequence[int], cells: Sequence[int]) -> None:
        """Note what is wrong with a card, each fault on the line of its row."""
        length = len(cells) // ROWS
        rows = [cells[start : start + length] for start in range(0, len(cells), length)]
        where = [lines[0]] * ROWS if len(lines) == 1 else lines
        if self.layout.has_blanks:
            for row, line in enumerate(where):
                for column, number in enumerate(rows[row], 1):
                    if 1 <= number <= KNOBS and column_of(number) != column - 1:
                        fault = tr(
                            "row {row}, column {column}: {number} belongs in column {right}",
                            row=row + 1,
                            column=column,
                            number=number,
                            right=column_of(number) + 1,
                        )
                        self.faults.add(line, f"{_named(serial)}: {fault}")
            # A number in a wrong column is told once; the other faults do not depend on the order.
            rows = [sorted(filter(None, row), key=column_of) for row in rows]
        for named, fault in nouns.faults_by_row(Card(serial, tuple(map(tuple, rows)))):
            line = where[named - 1] if named else lines[0]
            self.faults.add(line, f"{_named(serial)}: {fault}")

    def finish(self) -> tuple[list[str], U8]:
        """Return the cards.

        Raises:
            Unreadable: the file had faults.
        """
        if self.open:
            self.close(end=True)
        cells = np.frombuffer(self.cells, np.uint8).reshape(-1, len(self.names) * self.layout.lines)
        numbers = gathered(cells) if self.layout.has_blanks else cells.reshape(-1, ROWS, ROW_LENGTH)
        bad = faulty(numbers)
        for place in bad.tolist():
            self.explain(self.serials[place], self.lines[place], cells[place].tolist())
        self.compare(np.delete(np.arange(len(numbers)), bad), numbers)
        self.faults.refuse()
        return self.serials, numbers

    def compare(self, places: npt.NDArray[np.int64], numbers: U8) -> None:
        """Note which of the cards at these places have the same numbers as an earlier one."""
        if not len(again := places[repeats(numbers[places])]):
            return
        first: dict[bytes, int] = {}
        alike = [bytes(sorted(card)) for card in numbers.reshape(-1, nouns.CARD_LENGTH).tolist()]
        for place in places.tolist():
            first.setdefault(alike[place], place)
        for place in again.tolist():
            before = self.lines[first[alike[place]]][0]
            alike_on = tr("the same numbers stand on line {line} already", line=before)
            self.faults.add(self.lines[place][0], f"{_named(self.serials[place])}: {alike_on}")
