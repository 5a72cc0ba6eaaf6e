"""Read the text of a file of cards: its code, what parts its cells, its lines as cells.

Spreadsheets write UTF-8, UTF-16 or Windows' Latin letters, with commas, semicolons or tabs, and
sometimes `sep=;` as the first line; databases write bars between cells, and lines of signs under
their headings; programs write columns with blanks between.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from itertools import islice

from station.base.errors import Unreadable
from station.base.tongue import tr

BLANK_SPACE = " "  # any number of blanks parts two cells
SEPARATORS = (",", ";", "\t", "|", "~", "^", ":", "/", BLANK_SPACE)
SAMPLE = 120  # lines that tell what a file looks like
_SEP = re.compile(r'\s*"?sep=(.)"?\s*', re.IGNORECASE)
_RULE = re.compile(r"[\s|+:=_-]*[-=]{2,}[\s|+:=_-]*")  # |---|---|
_BOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # .xlsx and .ods, .xls
_WINDOWS = "cp1252"  # Latin-1 and the dashes and quotes that Windows has in it

Record = tuple[int, list[str]]  # the line on which it ends, its cells


def decode(data: bytes, source: str) -> str:
    """Decode a file's bytes: UTF-8, UTF-16, or Windows' Latin letters.

    Raises:
        Unreadable: it is none of them, or not text; the message names the line.
    """
    if data.startswith(_BOOKS):
        why = tr("this is a spreadsheet's own file: open it there and save it as CSV")
        raise Unreadable(f"{source}: {why}")
    wide = _wide(data)
    code = wide or "utf-8-sig"
    try:
        text = data.decode(code)
    except UnicodeDecodeError as error:
        latin = None if wide else _latin(data)
        if latin is not None:
            return latin
        # A count of line ends only; the bytes before the fault are sound.
        line = data[: error.start].count(b"\n") + 1
        why = tr(
            "not {code} at byte {byte}: save the file as CSV in UTF-8, or fetch it once more",
            code="UTF-16" if wide else "UTF-8",
            byte=error.start,
        )
        raise Unreadable(f"{source}:{line}: {why}") from error
    text = text.removeprefix("\ufeff")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        why = tr("zero bytes: the file is damaged or not text; save it as CSV in UTF-8")
        raise Unreadable(f"{source}:{line}: {why}")
    return text


def _wide(data: bytes) -> str | None:
    """Return which UTF-16 the bytes are in; None for none.

    Without a byte order mark, every second byte of figures and commas is zero.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    head = data[:400]
    for first, code in ((1, "utf-16-le"), (0, "utf-16-be")):
        zeros = head[first::2]
        if (
            len(zeros) > 1
            and zeros.count(0) * 10 >= len(zeros) * 9
            and 0 not in head[1 - first :: 2]
        ):
            return code
    return None


def _latin(data: bytes) -> str | None:
    """Return the text in Windows' code; None where bytes have no letter there, or the file is
    UTF-8 that was damaged: then parts of it are sound UTF-8 beyond ASCII."""
    if data.startswith(codecs.BOM_UTF8):
        return None
    if len(data.decode("utf-8", "ignore")) > sum(byte < 0x80 for byte in data):
        return None
    try:
        return data.decode(_WINDOWS)
    except UnicodeDecodeError:
        return None


def body_of(text: str) -> tuple[str, str | None]:
    """Return the text with an empty line instead of Excel's `sep=;`, and the sign it names."""
    line, end, rest = _first_line(text)
    found = _SEP.fullmatch(line)
    return (end + rest, found[1]) if found else (text, None)


def _first_line(text: str) -> tuple[str, str, str]:
    found = re.search(r"\r\n|\r|\n", text)
    if found is None:
        return text, "", ""
    return text[: found.start()], found[0], text[found.end() :]


def separators_of(text: str) -> list[str]:
    """Return what may part the cells of a text: the likelier sign first."""
    lines = [*islice((line for line in io.StringIO(text) if line.strip()), SAMPLE)]
    head = "".join(lines)
    there = [sign for sign in SEPARATORS if sign in head]
    most = sorted(there, key=lambda sign: -min(line.count(sign) for line in lines[-3:]))
    # Blanks stand beside other signs; a text that has such is not parted by blanks.
    others = [sign for sign in most if sign != BLANK_SPACE]
    return [*others, *(sign for sign in most if sign == BLANK_SPACE)] or [","]


class NotCSV(Exception):
    """The text stops being CSV.

    Attributes:
        line: where it does.
    """

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def records(text: str, separator: str) -> Iterator[Record]:
    """Yield the lines as cells, without those that are blank or only rule a line.

    Raises:
        NotCSV: a quoted cell has no end.
    """
    lines = io.StringIO(text, newline="")
    blanks = separator == BLANK_SPACE
    if blanks:
        for number, line in enumerate(text.splitlines(), 1):
            if (cells := line.split()) and not _RULE.fullmatch(line):
                yield number, cells
        return
    reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)
    try:
        for cells in reader:
            if any(map(str.strip, cells)) and not _is_rule(cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise NotCSV(reader.line_num, str(error)) from error


def _is_rule(cells: list[str]) -> bool:
    return (
        len(cells[0]) > 1
        and _RULE.fullmatch("".join(cells)) is not None
        and not any(letter.isalnum() for letter in "".join(cells))
    )
