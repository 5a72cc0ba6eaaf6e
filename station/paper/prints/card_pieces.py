"""Make the pieces of PDF of which cards are put together, and draw QR codes.

Pieces are the numbers and blanks of rows, and QR codes. All stand in the first card's place on a
page; the page is moved for the others. PDF counts y upwards from the lower edge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import segno

from station.base.nouns import COLUMNS, KNOBS, ROWS, Columns
from station.paper.pen import Point
from station.paper.prints.card_layouts import DIGIT_HEIGHT, Area, CardLook, Face, TextPlace
from station.paper.prints.paper import Paper, text_width

QUIET = 4  # modules that stay white around a QR: ISO/IEC 18004
# Any of the eight masks may be read. Short codes are as good as random: trying all of them gains
# nothing, for six times the work.
QR_MASK = 1
DARK = re.compile(rb"\x01+")  # a run of modules


class CardPieces:
    """The pieces from which the cards of one file are put together.

    Args:
        paper: the file.
        face: the places on its cards.
        look: how they are printed.
        columns: in which column each number stands.
    """

    def __init__(
        self, paper: Paper, face: Face, look: CardLook, columns: Columns = Columns.TENS_FIRST
    ) -> None:
        self._columns = columns
        self._face, self._height = face, paper.height
        self._light, self._bold = (paper.raw_face(bold=bold) for bold in (False, True))
        self._digits = (
            f"0 g BT {self._bold if look.bold else self._light} {face.digits:.2f} Tf"
            f" {100 * face.narrowed:.1f} Tz"
        )
        numbers, rows = range(1, KNOBS + 1), range(ROWS)
        self._numbers = [
            ["", *(self._number(row, number, bold=look.bold) for number in numbers)] for row in rows
        ]
        masks = range(1 << COLUMNS)
        self._blanks = [[self._row_blanks(row, taken) for taken in masks] for row in rows]
        self._serial = f"100 Tz {self._bold} {face.serial.size:.2f} Tf {self._at(face.serial.at)}"
        self._head = self._rectangle(face.head)

    def blanks(self, taken: Sequence[int], *, head: bool) -> str:
        """Return the fill of the cells without a number, and of the head where it is in colour.

        Args:
            taken: for each row its columns with a number, as bits.
        """
        blanks = "".join(self._blanks[row][bits] for row, bits in enumerate(taken))
        return f"{self._head if head else ''}{blanks}f"

    def words(self, rows: Iterable[Iterable[int]] | None, serial: str, mark: str = "") -> str:
        """Return the numbers (None where pictures stand for them), the serial, the strip's mark.

        A serial with letters beyond ASCII is not among them: `Paper.words` has those.
        """
        given = () if rows is None else zip(self._numbers, rows, strict=True)
        numbers = " ".join(pieces[number] for pieces, row in given for number in row)
        marked = self._mark(self._face.mark, mark) if mark else ""
        named = f"{self._serial} ({_literal(serial)}) Tj" if serial.isascii() else ""
        return f"{self._digits} {numbers} {named}{marked} ET"

    def code(self, text: str) -> str:
        """Return the QR of a text, as large as its place; empty if the look has none."""
        if self._face.code is None:
            return ""
        area, (modules, path) = self._face.code, qr_path(text)
        module = area.width / (modules + 2 * QUIET)
        left, low = area.x + QUIET * module, self._height - area.bottom + QUIET * module
        return f"{module:.4f} 0 0 {module:.4f} {left:.3f} {low:.3f} cm {path}f"

    def _number(self, row: int, number: int, *, bold: bool) -> str:
        cell = self._face.cell(row, self._columns.of(number))
        wide = self._face.narrowed * text_width(str(number), self._face.digits, bold=bold)
        left = cell.x + (cell.width - wide) / 2
        base = cell.y + (cell.height + DIGIT_HEIGHT * self._face.digits) / 2
        return f"{self._at((left, base))} ({number}) Tj"

    def _row_blanks(self, row: int, taken: int) -> str:
        free = (column for column in range(COLUMNS) if not taken >> column & 1)
        return "".join(self._rectangle(self._face.cell(row, column)) for column in free)

    def _mark(self, line: TextPlace, text: str) -> str:
        left = line.at[0] - text_width(text, line.size)
        return f" {self._light} {line.size:.2f} Tf {self._at((left, line.at[1]))} ({text}) Tj"

    def _at(self, point: tuple[float, float]) -> str:
        return f"1 0 0 1 {point[0]:.2f} {self._height - point[1]:.2f} Tm"

    def _rectangle(self, area: Area) -> str:
        corner = f"{area.x:.2f} {self._height - area.bottom:.2f}"
        return f"{corner} {area.width:.2f} {area.height:.2f} re "


def _literal(text: str) -> str:
    """Return a text as it stands between the brackets of PDF's literal strings."""
    return re.sub(r"([\\()])", r"\\\1", text)


def qr_path(text: str) -> tuple[int, str]:
    """Return a QR as a path, and how many modules it is wide.

    The path is in modules from its lower left corner, a rectangle for each run of dark ones.

    >>> modules, path = qr_path("K7QX0123AB")
    >>> modules, path.startswith("0 20 7 1 re ")
    (21, True)
    """
    matrix = segno.make_qr(text, error="m", mask=QR_MASK).matrix
    modules = len(matrix)
    runs = [
        _run(run.start(), modules - 1 - row, run.end() - run.start())
        for row, cells in enumerate(matrix)
        for run in DARK.finditer(cells)
    ]
    return modules, "".join(runs)


@cache
def _run(x: int, y: int, length: int) -> str:
    return f"{x} {y} {length} 1 re "


# -- a QR code on a page ---------------------------------------------------------------------------

SEAM = 0.05  # points by which rows of modules overlap, so that no white shows between them


def draw_code(paper: Paper, symbol: Any, at: Point, edge: float) -> None:
    """Draw a code with the quiet ring that it needs.

    Args:
        symbol: a `segno.QRCode`.
        at: its upper left corner.
        edge: how long its edge is, in points.
    """
    side = edge / symbol.symbol_size(border=QUIET)[0]
    for row, line in enumerate(symbol.matrix_iter(border=QUIET)):
        for dark in DARK.finditer(bytes(line)):
            corner = at[0] + dark.start() * side, at[1] + row * side
            sides = (dark.end() - dark.start()) * side, side + SEAM
            paper.box(corner, sides, fill="#000000", edge="none")
