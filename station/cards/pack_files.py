"""Read files of cards, printed series and the station's own packs, all or nothing.

Other forms become tables first. Some programs write JSON: a list of cards, or an object with a card
under each serial. Others print a title such as `Ticket 1001` and the three rows of the card below
it.

What parts the cells is found by `station.cards.pack_text`, what a cell means by
`station.cards.pack_cells`, which columns have the serials and the numbers by
`station.cards.pack_shapes`. The numbers of a column may stand in any order, as on old cards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from station.base import nouns
from station.base.errors import Unreadable
from station.base.nouns import CARD_SERIAL, KNOBS, LONGEST_SERIAL, ROW_LENGTH, ROWS, Card, Columns
from station.base.tongue import key, tr
from station.base.untrusted import json_from
from station.cards.card_arrays import U8, are_cards, faulty, repeats
from station.cards.finding import read_alike
from station.cards.pack_cells import NOTHING, PLAIN, is_scientific, is_whole, number_in, text_of
from station.cards.pack_layouts import HEADER, SERIALS, gathered
from station.cards.pack_sample import Wanted, part_cells
from station.cards.pack_shapes import FileLook, Shape
from station.cards.pack_text import SAMPLE, NotCSV, Record, body_of, records, separators_of

MOST_BYTES = 1 << 26  # of JSON: about 200,000 cards
LEAST_NUMBERS = 4  # of a row under a title; a wrong one has its own fault
LONGEST_TITLE = 80  # characters; the pattern takes the square of their number
_TITLE = re.compile(r"[^\W\d][^\d,;|\t]*?([^\W\d]?[\w./-]*\d)[\s,;|\t]*")


def as_table(text: str) -> str:
    """Return the text of a card file as a table. A table is returned unchanged.

    >>> as_table('[{"id": 7, "numbers": [5, 11, 33, 50, 76]}]').splitlines()
    ['sep=\\t', 'id\\tnumbers', '7\\t5 11 33 50 76']

    Raises:
        Unreadable: the text starts like JSON but cannot be parsed.
    """
    if re.match(r'\s*(?:\[\s*[\[{]|\{\s*")', text):
        return _table_of(json_from(text, MOST_BYTES))
    return _without_titles(text)


def _table_of(told: Any) -> str:
    """Return a JSON value as lines, one for each card."""
    while isinstance(told, dict) and len(told) == 1 and _is_nest(*told.values()):
        (told,) = told.values()
    if isinstance(told, dict):
        lists = [value for value in told.values() if isinstance(value, list) and _is_nest(value)]
        cards = lists[0] if len(lists) == 1 else [[name, value] for name, value in told.items()]
    else:
        cards = told
    names = [*dict.fromkeys(name for card in cards if isinstance(card, dict) for name in card)]
    lines = ["sep=\t", *(["\t".join(map(_cell, names))] if names else [])]
    for card in cards:
        cells = [card.get(name) for name in names] if isinstance(card, dict) else card
        lines.append("\t".join(map(_cell, cells if isinstance(cells, list) else [cells])))
    return "".join(f"{line}\n" for line in lines)


def _is_nest(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(one, dict | list) for one in value)
    )


def _cell(value: Any) -> str:
    """Return a value as the text of one cell. Nested lists become one list of numbers."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        return " ".join(str(one) if one not in (None, "") else "0" for one in _flat(value))
    return "" if value is None else " ".join(str(value).split())


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list):
            yield from _flat(value)
        else:
            yield value


def _without_titles(text: str) -> str:
    """Return the text with each card's serial before its rows, in place of the title above them.
    Line numbers stay the same."""
    lines = text.splitlines()
    full = [place for place, line in enumerate(lines) if line.strip()]
    titles = full[:: 1 + ROWS]
    serials = [_serial_in(lines[title].strip()) for title in titles]
    if not full or len(full) % (1 + ROWS) or "" in serials:
        return text
    below = [place for at, place in enumerate(full) if at % (1 + ROWS)]
    separator = separators_of("".join(f"{lines[place]}\n" for place in below))[0]
    if any(_numbers(lines[row], separator) < LEAST_NUMBERS for row in below):
        return text
    for title in titles:
        lines[title] = ""
    for at, row in enumerate(below):
        lines[row] = f"{serials[at // ROWS]}{separator}{lines[row]}"
    return "".join(f"{line}\n" for line in lines)


def _serial_in(title: str) -> str:
    """Return the serial in a title; empty if the line is no title."""
    found = _TITLE.fullmatch(title) if len(title) <= LONGEST_TITLE else None
    return found[1] if found else ""


def _numbers(line: str, separator: str) -> int:
    return sum(number_in(cell) > 0 for cell in line.split(separator))


# -- what is read ----------------------------------------------------------------------------------

AT_ONCE = 1 << 15  # lines read between two signs of progress
PIECE = 1 << 20  # characters of a plain text read together: little memory, and a core's own
MOST_BELOW = 3  # filled cells of a line under the last card
MOST_FAULTS = 20  # told, a screenful; more are counted

_NUMBER = re.compile(r"[0-9]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]{3}")

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class CardsRead:
    """The cards of a file.

    Attributes:
        serials: one for each card.
        numbers: uint8, shape (cards, 3, 5).
        columns: in which column each number stands.
        left_out: the names of the file's columns that were left out; else their numbers.
        named: the name of the column of the serials; empty where it has none.
        below: the lines under the last card that were left out, such as a total.
    """

    serials: list[str]
    numbers: U8
    columns: Columns = Columns.TENS_FIRST
    left_out: tuple[str, ...] = ()
    named: str = ""
    below: tuple[int, ...] = ()


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


def read_cards(
    text: str,
    source: str = "cards",
    wanted: Wanted | None = None,
    progress: Progress | None = None,
) -> CardsRead:
    """Read cards, all or nothing.

    Args:
        source: the text's name in a fault.
        wanted: what a person says about the file; all else is found out.
        progress: called with the lines read and the lines in all.

    Raises:
        Unreadable: the file has faults, each named with its line, or its columns can be read in no
            way or in several.
    """
    wanted = wanted or Wanted()
    if wanted == Wanted():
        quick = _read_plain(text)
        if quick is not None and _is_sound(quick):
            return quick
    faults = _Faults(source)
    try:
        body, separator = body_of(as_table(text))
    except Unreadable as error:
        raise Unreadable(f"{source}: {error}") from error
    shape, separator = _shape_of(body, separator, source, wanted)
    reader = _CardReader(shape, faults)
    total, header = body.count("\n"), [*shape.header]
    try:
        for place, (line, cells) in enumerate(records(body, separator)):
            if progress is not None and place % AT_ONCE == 0:
                progress(place, total)
            if place >= shape.skip and (not header or [*map(text_of, cells)] != header):
                reader.take(line, cells)
    except NotCSV as error:
        faults.add(error.line, tr("not CSV: {why}", why=error))
    if progress is not None:
        progress(total, total)
    return reader.finish()


def _may_stand_below(cells: Sequence[str]) -> bool:
    """Return whether a line may stand under the last card: a word or a sentence, with a total."""
    if sum(map(bool, cells)) > MOST_BELOW:
        return False
    filled = [text for text in map(text_of, cells) if text]
    in_cells = [len(_NUMBER.findall(text)) for text in filled]
    if not filled or sum(in_cells[1:]) >= ROW_LENGTH or in_cells[0] >= ROWS * ROW_LENGTH:
        return False
    return not CARD_SERIAL.fullmatch(filled[0]) or _WORD.search(filled[0]) is not None


def _form(serial: str) -> str:
    """Return how a serial is written: its signs, with one mark for each word and each number."""
    return _NUMBER.sub("0", _LETTERS.sub("a", serial.strip()))


def _is_sound(read: CardsRead) -> bool:
    return (
        len(set(read.serials)) == len(read.serials)
        and are_cards(read.numbers, read.columns)
        and not len(repeats(read.numbers))
        and not any(read_alike(read.serials))
    )


def _shape_of(text: str, separator: str | None, source: str, wanted: Wanted) -> tuple[Shape, str]:
    """Return where the file has what, and what parts its cells.

    Raises:
        Unreadable: there are no cards, nothing fits, or several ways do.
    """
    looks: list[tuple[FileLook, str]] = []
    broken: list[NotCSV] = []
    for sign in [separator] if separator is not None else separators_of(text):
        sample: list[Record] = []
        try:
            sample += islice(records(text, sign), SAMPLE)
        except NotCSV as error:
            broken.append(error)
        looks.append((FileLook(source, sample, wanted), sign))
    fitting: list[tuple[float, Shape, str]] = []
    asking: list[Unreadable] = []
    for look, sign in looks:
        try:
            fitting += [(*found, sign) for found in look.shapes]
        except Unreadable as error:
            asking.append(error)
    if fitting:
        _, shape, sign = max(fitting, key=itemgetter(0))
        return shape, sign
    if asking:
        raise asking[0]
    look, sign = max(looks, key=lambda one: (bool(one[0].rows), one[0].width))
    if not look.rows and broken:
        why = tr("not CSV: {why}", why=broken[0])
        raise Unreadable(f"{source}:{broken[0].line}: {why}")
    if not look.rows:
        line = look.sample[0][0] if look.sample else 1
        why = tr(
            "no cards were found: put the serial and the numbers of a card on one line, or on three"
        )
        raise Unreadable(f"{source}:{line}: {why}")
    return look.by_width(), sign


def _read_plain(text: str) -> CardsRead | None:
    """Read a text that is exactly as `write_cards` writes it; return None for any other."""
    heads = {columns: ",".join((name, *HEADER[1:])) + "\n" for columns, name in SERIALS.items()}
    head, columns = next(
        ((head, columns) for columns, head in heads.items() if text.startswith(head)), ("", None)
    )
    plain = text.endswith("\n") and text.isascii()
    if columns is None or not plain or len(text) == len(head):
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
    return CardsRead(serials, np.concatenate(parts), columns)


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

    def __init__(self, shape: Shape, faults: _Faults) -> None:
        self.shape, self.layout, self.faults = shape, shape.layout, faults
        self.names = self.layout.header[1:]
        self.values = dict(PLAIN)
        if self.layout.has_blanks:
            self.values |= dict.fromkeys(("", "0", "-"), 0)
        self.straight = shape.numbers == tuple(range(shape.numbers[0], shape.numbers[-1] + 1))
        self.below: list[Record] = []  # lines that may stand below the last card
        self.first: dict[str, int] = {}  # the line on which a serial stood first
        # Of the cards read so far: their serials, lines and cells.
        self.serials: list[str] = []
        self.lines: list[list[int]] = []
        self.cells = bytearray()
        # Of the card being read; a faulty line gives no cells.
        self.serial = ""
        self.open: list[int] = []
        self.read: list[tuple[str, list[int]]] = []

    def take(self, line: int, cells: list[str]) -> None:
        """Take the next line. One that may stand below the last card waits for what follows."""
        if _may_stand_below(cells):
            self.below.append((line, cells))
            return
        self._take_waiting()
        self._take(line, cells)

    def _take_waiting(self) -> None:
        for line, cells in self.below:
            self._take(line, cells)
        self.below.clear()

    def _take(self, line: int, cells: list[str]) -> None:
        shape = self.shape
        if shape.together:
            cells = part_cells(cells, shape.together)
        serial = text_of(cells[shape.serial]) if shape.serial < len(cells) else ""
        if len(self.open) == self.layout.lines or (self.open and serial not in ("", self.serial)):
            self.close()
        if not self.open:
            self.serial = serial
            if not serial and self.layout.lines == ROWS:
                missing = tr(
                    "the serial is missing, or this line is one too many for the card above"
                )
                self.faults.add(line, missing)
            else:
                self.check_serial(line, serial)
        self.open.append(line)
        row = cells[shape.row] if shape.row is not None and shape.row < len(cells) else ""
        self.read.append((row, self.numbers(line, cells)))

    def check_serial(self, line: int, serial: str) -> None:
        """Note what is wrong with a serial."""
        if is_scientific(serial):
            why = tr(
                (
                    "serial {serial!r}: a spreadsheet shortened this number; format the "
                    "column as text, enter the serials again and save the file"
                ),
                serial=serial,
            )
            self.faults.add(line, why)
        elif not CARD_SERIAL.fullmatch(serial):
            shown = serial if len(serial) <= LONGEST_SERIAL else f"{serial[:LONGEST_SERIAL]}…"
            told = tr(nouns.NO_CARD_SERIAL, serial=shown, most=LONGEST_SERIAL)
            self.faults.add(line, told)

    def numbers(self, line: int, cells: Sequence[str]) -> list[int]:
        """Return the numbers of a line; none, with a fault noted, if they are faulty."""
        shape = self.shape
        last = shape.numbers[-1]
        if len(cells) <= last or any(map(str.strip, cells[shape.width :])):
            return self.odd_width(line, cells)
        if self.straight:
            own = cells[shape.numbers[0] : last + 1]
        else:
            own = [cells[at] for at in shape.numbers]
        numbers = [self.values.get(cell, NOTHING) for cell in own]
        return self.spell(line, own) if NOTHING in numbers else numbers

    def odd_width(self, line: int, cells: Sequence[str]) -> list[int]:
        """Return the numbers of a line that is not as wide as the others. Blank cells at its end
        may be missing; more cells than there are columns are a fault."""
        own = [cells[at] for at in self.shape.numbers if at < len(cells)]
        extra = [cell for cell in cells[self.shape.width :] if cell.strip()]
        if self.layout.has_blanks and not extra and len(own) >= ROW_LENGTH:
            return self.spell(line, own + [""] * (len(self.names) - len(own)))
        many = {"count": len(own) + len(extra), "wanted": len(self.names)}
        if self.layout.has_blanks:
            fault = tr("{count} cells instead of {wanted}", **many)
        else:
            fault = tr("{count} numbers instead of {wanted}", **many)
        self.faults.add(line, f"{_named(self.serial)}: {fault}")
        return []

    def spell(self, line: int, cells: Sequence[str]) -> list[int]:
        """Return the numbers of a line that is not plain; none, with a fault noted, if faulty."""
        numbers = []
        for name, cell in zip(self.names, cells, strict=True):
            number = self.values.get(cell, NOTHING)
            if number == NOTHING:
                number = number_in(cell, self.shape.blanks)
                if number == 0 and not self.layout.has_blanks and "0" not in cell:
                    number = NOTHING
                if 0 <= number <= KNOBS:
                    self.values[cell] = number
            if number == NOTHING:
                shown = text_of(cell)[:LONGEST_SERIAL]
                fault = tr("{name} is {cell!r}, not a number", name=name, cell=shown)
                if self.layout.has_blanks and not any(map(str.isdigit, shown)):
                    said = tr("if it stands for a blank, add --blank {cell}", cell=shown)
                    fault = f"{fault}; {said}"
                self.faults.add(line, f"{_named(self.serial)}: {fault}")
            else:
                numbers.append(number)
        return numbers if len(numbers) == len(cells) else []

    def close(self, *, end: bool = False) -> None:
        """End the current card; with `end`, the last one."""
        serial, lines, read = self.serial, self.open, self.read
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
        if self.shape.row is not None:
            order = sorted(range(len(read)), key=lambda place: read[place][0])
            read, lines = [read[place] for place in order], [lines[place] for place in order]
        cells = [number for _, numbers in read for number in numbers]
        if len(cells) < len(lines) * len(self.names):
            return
        if max(cells) > KNOBS:
            self.explain(serial, lines, cells, self.shape.columns or Columns.TENS_FIRST)
            return
        self.serials.append(serial)
        self.lines.append(lines)
        self.cells += bytes(cells)

    def explain(
        self, serial: str, lines: Sequence[int], cells: Sequence[int], columns: Columns
    ) -> None:
        """Note what is wrong with a card, each fault on the line of its row."""
        length = len(cells) // ROWS
        rows = [cells[start : start + length] for start in range(0, len(cells), length)]
        where = [lines[0]] * ROWS if len(lines) == 1 else lines
        if self.layout.has_blanks:
            for row, line in enumerate(where):
                for column, number in enumerate(rows[row], 1):
                    if 1 <= number <= KNOBS and columns.of(number) != column - 1:
                        fault = tr(
                            "row {row}, column {column}: {number} belongs in column {right}",
                            row=row + 1,
                            column=column,
                            number=number,
                            right=columns.of(number) + 1,
                        )
                        self.faults.add(line, f"{_named(serial)}: {fault}")
            # A number in a wrong column is told once; the other faults do not depend on the order.
            rows = [sorted(filter(None, row), key=columns.of) for row in rows]
        card = Card(serial, tuple(map(tuple, rows)), columns)
        for named, fault in nouns.faults_by_row(card):
            line = where[named - 1] if named else lines[0]
            if named or CARD_SERIAL.fullmatch(serial):  # its serial's fault is told already
                self.faults.add(line, f"{_named(serial)}: {fault}")

    def finish(self) -> CardsRead:
        """Return the cards.

        Raises:
            Unreadable: the file had faults.
        """
        if self.below:
            forms = set(map(_form, self.serials))
            if not forms.isdisjoint(_form(cells[0]) for _, cells in self.below):
                self._take_waiting()  # one of them is a card that was cut off
        if self.open:
            self.close(end=True)
        cells = np.frombuffer(self.cells, np.uint8).reshape(-1, len(self.names) * self.layout.lines)
        columns, numbers, bad = self.standing(cells)
        for place in bad.tolist():
            one = cells[place].tolist()
            self.explain(self.serials[place], self.lines[place], one, columns)
        self.compare(np.delete(np.arange(len(numbers)), bad), numbers)
        if not self.faults.found and all(map(is_whole, self.serials)):
            self.serials = [serial[:-2] for serial in self.serials]  # a data tool's 17.0
        self.compare_serials()
        self.faults.refuse()
        left, named = self.shape.left_out, self.shape.named
        below = tuple(line for line, _ in self.below)
        return CardsRead(self.serials, numbers, columns, left, named, below)

    def standing(self, cells: U8) -> tuple[Columns, U8, npt.NDArray[np.int64]]:
        """Return how the numbers stand in the columns, the numbers, and the places of bad cards:
        with the tens last where only that fits, or fits more cards."""
        wanted = self.shape.columns
        found = []
        for columns in [*Columns] if wanted is None else [wanted]:
            numbers = (
                gathered(cells, columns)
                if self.layout.has_blanks
                else cells.reshape(-1, ROWS, ROW_LENGTH)
            )
            bad = faulty(numbers, columns)
            found.append((columns, numbers, bad))
            if not len(bad):
                break
        return min(found, key=lambda one: len(one[2]))

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

    def compare_serials(self) -> None:
        """Note which serials people would read out alike."""
        for places in read_alike(self.serials):
            before, *more = places
            for place in more:
                fault = tr(
                    (
                        "it reads the same as card {other} on line {line}: give one of them "
                        "another serial"
                    ),
                    other=self.serials[before],
                    line=self.lines[before][0],
                )
                self.faults.add(self.lines[place][0], f"{_named(self.serials[place])}: {fault}")
