"""Lay out reports on paper: headings, tables over several pages, cards, and a foot on every page.

What is printed is laid out twice: once to learn how many pages there are, once to print them with
"page 2 of 5" at the foot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from station.base.errors import Unreadable
from station.base.nouns import COLUMNS, ROWS, Columns
from station.base.tongue import tr
from station.base.typed import shown, sign
from station.paper.pen import Point
from station.paper.prints.paper import GREY, INK, LIGHT, MM, SHADE, Paper, broken, text_width
from station.paper.reports.sheets import Kind, Table
from station.views.money_text import Currency

Cells: TypeAlias = Sequence[str]  # of a row
Widths: TypeAlias = Sequence[float]  # of the columns, points
MARGIN = 14 * MM
FOOT = 12 * MM
SIZE = 8.5  # points, of a table's letters
STEP = 1.25  # from line to line, in letters
PAD = 4.0
KEPT_WHOLE = 14  # rows of a table that is not broken over pages
LEAST_TEXT = 40.0  # a text's column is never narrower, points


@dataclass
class Sheet:
    """A report being laid out: a place that moves down the page, and on to the next one.

    Args:
        paper: what is printed on.
        foot: stands at the foot of each page.
        pages: how many there are; nothing before that is known.
    """

    paper: Paper
    currency: Currency
    foot: str = ""
    pages: int = 0
    y: float = MARGIN

    @property
    def width(self) -> float:
        """Return the printable width, in points."""
        return self.paper.width - 2 * MARGIN

    @property
    def room(self) -> float:
        """Return the height left on this page, in points."""
        return self.paper.height - MARGIN - FOOT - self.y

    def need(self, height: float) -> None:
        """Go on to the next page if `height` does not fit on this one."""
        if self.room < height and self.y > MARGIN:
            self.end_page()
            self.paper.next_page()
            self.y = MARGIN

    def end_page(self) -> None:
        """Print the foot."""
        number = self.paper.pages
        page = tr("page {number}", number=number)
        if self.pages:
            page = tr("page {number} of {count}", number=number, count=self.pages)
        y = self.paper.height - MARGIN
        self.paper.words((MARGIN, y), legible(self.foot), 7.5, colour=GREY)
        right = self.paper.width - MARGIN
        self.paper.words((right, y), page, 7.5, colour=GREY, anchor="end")

    def title(self, text: str, below: str = "") -> None:
        """Print the report's heading."""
        place = MARGIN, self.y + 20
        self.y = self.paper.paragraph(place, legible(text), 20, self.width, bold=True) - 20
        if below:
            self.text(below, size=10)
        self.y += 4

    def heading(self, text: str, size: float = 13, keep: float = 40, right: str = "") -> None:
        """Print a heading, never alone at the end of a page.

        Args:
            keep: points that must follow on the same page.
            right: stands at the other end of its line.
        """
        self.need(size * 2 + keep)
        self.y += size * 1.6
        self.paper.words((self.paper.width - MARGIN, self.y), right, size * 0.8, anchor="end")
        place, width = (MARGIN, self.y), self.width - 90
        after = self.paper.paragraph(place, legible(text), size, width, bold=True)
        self.y = after - size * 0.9

    def text(self, text: str, size: float = 9.5, *, colour: str = INK, left: float = 0) -> None:
        """Print a paragraph."""
        for line in wrapped(legible(text), size, self.width - left):
            self.need(size * STEP)
            self.y += size * STEP
            self.paper.words((MARGIN + left, self.y), line, size, colour=colour)
        self.y += size * 0.35

    def table(self, shown: Table) -> None:
        """Print a table under its title; only a long one is broken, with its head on each page."""
        texts = [[legible(text) for text in shown.texts(row, self.currency)] for row in shown.rows]
        heads = [column.title for column in shown.columns]
        right = [column.kind is not Kind.TEXT for column in shown.columns]
        widths = _widths(heads, texts, right, self.width) if texts else []
        kept = (heads, *(texts if len(texts) <= KEPT_WHOLE else texts[:2]))
        keep = sum(_height(row, widths) for row in kept) if texts else SIZE * 2
        self.heading(shown.title, 11, keep=keep)
        if texts:
            self._row(heads, widths, right, bold=True)
        for row in texts:
            tall = _height(row, widths)
            if self.room < tall:
                self.need(tall)
                self._row(heads, widths, right, bold=True)
            self._row(row, widths, right)
        if shown.note:
            self.text(shown.note, 8.5, colour=GREY)
        self.y += 4

    def _row(
        self, cells: Cells, widths: Widths, right: Sequence[bool], *, bold: bool = False
    ) -> None:
        tall, x = _height(cells, widths, bold=bold), MARGIN
        if bold:
            self.paper.box((MARGIN, self.y), (sum(widths), tall), fill=SHADE, edge="none")
        for cell, width, ends in zip(cells, widths, right, strict=True):
            left, anchor = (x + width - PAD, "end") if ends else (x + PAD, "start")
            for number, line in enumerate(wrapped(cell, SIZE, width - 2 * PAD, bold=bold)):
                at = left, self.y + PAD + SIZE * (0.8 + STEP * number)
                self.paper.words(at, line, SIZE, bold=bold, anchor=anchor)
            x += width
        self.y += tall
        self.paper.line((MARGIN, self.y), (x, self.y), colour=LIGHT, thick=0.5)

    def signatures(self, labels: Iterable[str]) -> None:
        """Print lines to sign on, side by side."""
        listed = [*labels]
        self.need(60)
        self.y += 44
        step = self.width / len(listed)
        for place, label in enumerate(listed):
            x = MARGIN + place * step
            self.paper.line((x, self.y), (x + step - 12, self.y), thick=0.8)
            self.paper.words((x, self.y + 11), label, 8.5, colour=GREY)
        self.y += 16


def print_sheet(
    title: str, currency: Currency, foot: str, lay: Callable[[Sheet], None], size: str = "a4"
) -> bytes:
    """Return a whole report as a PDF. It is laid out twice; the first time counts its pages.

    Args:
        lay: puts everything on the sheet.
        size: of the paper, as `station.paper.prints.paper.SIZES` names it.
    """
    pages = 0
    for trial in (True, False):
        paper = Paper(title, size, trial=trial)
        sheet = Sheet(paper, currency, foot, pages)
        lay(sheet)
        sheet.end_page()
        pages = paper.pages
    return paper.save()


def draw_card(
    paper: Paper,
    at: Point,
    width: float,
    rows: Iterable[Sequence[int]],
    calls: Sequence[int],
    columns: Columns = Columns.TENS_FIRST,
) -> float:
    """Draw a card with its counters, each with its number's place among the calls.

    Returns:
        The card's height.

    Args:
        at: its upper left corner.
        rows: three of five numbers.
        calls: the numbers called, in order.
        columns: in which column each number stands.
    """
    side = width / COLUMNS
    order = {number: place for place, number in enumerate(calls, 1)}
    for row, numbers in enumerate(rows):
        y = at[1] + row * side
        for column in range(COLUMNS):
            paper.box((at[0] + column * side, y), (side, side), edge=LIGHT, thick=0.5)
        for number in numbers:
            x = at[0] + columns.of(number) * side
            middle = x + side / 2
            if place := order.get(number):
                paper.ring((middle, y + side * 0.46), side * 0.38, fill=SHADE, thick=0.9)
                corner = x + side * 0.95, y + side * 0.95
                paper.words(corner, str(place), side * 0.22, colour=GREY, anchor="end")
            on = middle, y + side * 0.6
            paper.words(on, str(number), side * 0.4, bold=True, anchor="middle")
    paper.box(at, (width, ROWS * side), thick=1.2)
    return ROWS * side


def legible(text: str) -> str:
    """Return the text with a number in place of each letter that no font of the station has.

    A name must not stop a report, nor look like another.

    >>> legible("Zoë"), legible("漢")
    ('Zoë', '«U+6F22»')
    """
    if _can_be_set(text):
        return text
    letters = (letter if _can_be_set(letter) else sign(letter) for letter in shown(text))
    return shown("".join(letters))  # once more: between two numbers a joiner has nothing to join


def _can_be_set(text: str) -> bool:
    try:
        text_width(text, SIZE)
    except Unreadable:
        return False
    return True


def _widths(
    heads: Cells, rows: Sequence[Cells], right: Sequence[bool], width: float
) -> list[float]:
    """Return each column's width: numbers as wide as they are; texts share the rest by need."""
    wanted = []
    for place, head in enumerate(heads):
        cells = (text_width(row[place], SIZE) for row in rows)
        wanted.append(max(text_width(head, SIZE, bold=True), *cells) + 2 * PAD + 0.5)
    if (spare := width - sum(wanted)) >= 0:
        return [each + spare / len(wanted) if len(wanted) > 3 else each for each in wanted]
    fixed = [ends or each <= LEAST_TEXT for each, ends in zip(wanted, right, strict=True)]
    texts = sum(each for each, is_fixed in zip(wanted, fixed, strict=True) if not is_fixed)
    left = width - (sum(wanted) - texts)
    return [
        each if is_fixed else max(LEAST_TEXT, each * left / texts)
        for each, is_fixed in zip(wanted, fixed, strict=True)
    ]


def _height(cells: Cells, widths: Widths, *, bold: bool = False) -> float:
    pairs = zip(cells, widths, strict=True)
    lines = [wrapped(cell, SIZE, width - 2 * PAD, bold=bold) for cell, width in pairs]
    return max(1, *map(len, lines)) * SIZE * STEP + 2 * PAD - 1


def wrapped(text: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """Return a text as lines no wider than `width`, broken between words; a wider word is cut."""
    pieces = [piece for word in text.split() for piece in _pieces(word, size, width, bold=bold)]
    return broken(" ".join(pieces), size, width, bold=bold)


def _pieces(word: str, size: float, width: float, *, bold: bool) -> Iterator[str]:
    while len(word) > 1 and text_width(word, size, bold=bold) > width:
        end = next(
            end
            for end in range(len(word) - 1, 0, -1)
            if end == 1 or text_width(word[:end], size, bold=bold) <= width
        )
        yield word[:end]
        word = word[end:]
    yield word
