"""Print the rules of games in short, and an example of a game, told step by step.

What lies at a table is drawn as zones with their things, side by side, wrapped to lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from station.base.catalogues import speaking
from station.base.nouns import COLUMNS, ROWS, Columns, rank_of, suit_of
from station.base.tongue import tr
from station.games import GAMES
from station.paper.pen import Point, SvgPen
from station.paper.prints.paper import GREY, INK, LIGHT, SHADE, Paper, text_width
from station.paper.prints.sheet_paper import MARGIN, Sheet, draw_card, legible, print_sheet
from station.views.money_text import Currency
from station.views.table.lesson import LessonStep, lesson
from station.wire.board_view import TableView
from station.wire.wording import TITLE, Wording
from station.wire.zones import (
    SPOTS,
    CheckCardThing,
    CubeThing,
    DieThing,
    KnobThing,
    NumberCardThing,
    PictureCardThing,
    PileThing,
    PlayingCardThing,
    ScoreThing,
    Thing,
    ZoneView,
)

TEXT = 8.5  # points, of letters
GAP = 4.0
CARD, DIE, SQUARE = (17.0, 24.0), 13.0, 13.0
CELL = 13.0  # of a card of numbers
RED = "#b3001b"
SUITS = {  # ten units wide and high
    "D": "M5 0 L9 5 L5 10 L1 5 Z",
    "H": "M5 10 L1 5 c-2 -3 0 -5 2 -5 c1 0 2 1 2 2 c0 -1 1 -2 2 -2 c2 0 4 2 2 5 Z",
    "S": "M5 0 L9 5 c2 3 -2 4 -3.5 2.5 L6.5 10 L3.5 10 L4.5 7.5 c-1.5 1.5 -5.5 0.5 -3.5 -2.5 Z",
    "C": (
        "M4 4.5 c-3 -4.5 5 -4.5 2 0 c4 -2.5 5 4 -0.5 2.5 L6.5 10 L3.5 10 L4.5 7 c-5.5 1.5 -4.5 -5"
        " -0.5 -2.5 Z"
    ),
}


@dataclass(frozen=True, slots=True)
class PaperThing:
    """A thing on paper: its size in points, and how it is drawn at its upper left corner."""

    width: float
    height: float
    draw: Callable[[Paper, Point], None]


Line: TypeAlias = Sequence[PaperThing]


def lines_of(table: TableView, wording: Wording, width: float) -> Iterator[Line]:
    """Yield what lies at a table as lines no wider than `width`: the middle, then each seat."""
    middle = [zone for zone in table.zones if not zone.seat]
    yield from _wrapped(_of_zones(middle, wording), width)
    for seat in table.seats:
        leads = "> " if seat.seat == table.leads else ""
        name = _label(f"{leads}{seat.name}", bold=True, least=70)
        own = [zone for zone in table.zones if zone.seat == seat.seat]
        yield from _wrapped([name, *_of_zones(own, wording)], width)


def height_of(line: Line) -> float:
    """Return the height of a line of things, with the gap below it."""
    return max(piece.height for piece in line) + GAP


def lay(paper: Paper, line: Line, at: Point) -> None:
    """Draw a line of things, its upper left corner `at`."""
    x, y = at
    for piece in line:
        piece.draw(paper, (x, y))
        x += piece.width + GAP


def _wrapped(pieces: Iterable[PaperThing], width: float) -> Iterator[Line]:
    line: list[PaperThing] = []
    taken = 0.0
    for piece in pieces:
        if line and taken + piece.width > width:
            yield line
            line, taken = [], 0.0
        line.append(piece)
        taken += piece.width + GAP
    if line:
        yield line


def _of_zones(zones: Iterable[ZoneView], wording: Wording) -> Iterator[PaperThing]:
    for zone in zones:
        if zone.label and zone.things:
            yield _label(f"{zone.label}:", colour=GREY)
        yield from (_piece(thing, wording) for thing in zone.things)


def _piece(thing: Thing, wording: Wording) -> PaperThing:
    words = wording.screen
    match thing:
        case PlayingCardThing(face=face):
            return PaperThing(*CARD, partial(_playing_card, face))
        case DieThing(spots=spots):
            return PaperThing(DIE, DIE, partial(_die, spots))
        case KnobThing(number=number):
            return PaperThing(2 * DIE, DIE + 3, partial(_knob, number, thing.newest))
        case NumberCardThing():
            return PaperThing(COLUMNS * CELL, ROWS * CELL, partial(_number_card, thing))
        case CheckCardThing():
            across = len(thing.faces[0]) * SQUARE
            return PaperThing(across, len(thing.faces) * SQUARE, partial(_check_card, thing))
        case CubeThing(mark=mark):
            return _label(words.get(f"emblem-{mark}", mark) or " ", boxed=True)
        case PictureCardThing(name=name):
            return _label(name, boxed=True)
        case PileThing():
            return _label(f"{words['owed']} –{thing.text}" if thing.units < 0 else thing.text)
        case ScoreThing():
            return _label(f"{thing.label} {thing.points}".strip())
    return _label(thing.text, colour=GREY if thing.mood == "faint" else INK)


# -- each kind of thing ----------------------------------------------------------------


def _label(
    text: str, *, bold: bool = False, boxed: bool = False, colour: str = INK, least: float = 0
) -> PaperThing:
    said = legible(text)
    around = 6.0 if boxed else 2.0
    width = max(least, text_width(said, TEXT, bold=bold) + around)

    def draw(paper: Paper, at: Point) -> None:
        if boxed:
            paper.box(at, (width, TEXT + 6), edge=GREY, round_=2, thick=0.7)
        place = at[0] + around / 2, at[1] + TEXT + 1.5
        paper.words(place, said, TEXT, bold=bold, colour=colour)

    return PaperThing(width, TEXT + 6, draw)


def _playing_card(face: str, paper: Paper, at: Point) -> None:
    paper.box(at, CARD, edge=GREY, fill="none" if face else SHADE, round_=2, thick=0.7)
    if not face:
        return
    suit = suit_of(face)
    ink = RED if suit in "HD" else INK
    middle = at[0] + CARD[0] / 2
    paper.words((middle, at[1] + 10.5), rank_of(face), 9, bold=True, colour=ink, anchor="middle")
    pen = SvgPen(10, 10, suit)
    pen.path(SUITS[suit], colour=ink, fill=ink, thick=0.3)
    paper.drawing(pen, (middle - 4, at[1] + 13.5), 0.8)


def _die(spots: int, paper: Paper, at: Point) -> None:
    paper.box(at, (DIE, DIE), edge=INK, round_=2.5, thick=0.8)
    third = DIE / 3.6
    for column, row in SPOTS[spots]:
        place = at[0] + DIE / 2 + (column - 1) * third, at[1] + DIE / 2 + (row - 1) * third
        paper.ring(place, 1.2, fill=INK, thick=0.1)


def _knob(number: int, newest: bool, paper: Paper, at: Point) -> None:
    middle = at[0] + DIE, at[1] + DIE / 2 + 1.5
    paper.ring(middle, DIE / 2 + 1, fill=SHADE if newest else "none", thick=0.8)
    on = middle[0], middle[1] + 3
    paper.words(on, str(number), TEXT, bold=newest, anchor="middle")


def _number_card(card: NumberCardThing, paper: Paper, at: Point) -> None:
    columns = Columns.TENS_LAST if card.tens_last else Columns.TENS_FIRST
    for row, numbers in enumerate(card.rows):
        for number in card.covered:
            if number in numbers:
                x = at[0] + columns.of(number) * CELL
                paper.box((x, at[1] + row * CELL), (CELL, CELL), fill=LIGHT, edge="none")
    draw_card(paper, at, COLUMNS * CELL, card.rows, (), columns)


def _check_card(card: CheckCardThing, paper: Paper, at: Point) -> None:
    across = len(card.faces[0])
    for place, face in enumerate(face for row in card.faces for face in row):
        row, column = divmod(place, across)
        x, y = at[0] + column * SQUARE, at[1] + row * SQUARE
        fill = LIGHT if place in card.checked else "none"
        paper.box((x, y), (SQUARE, SQUARE), fill=fill, edge=GREY, thick=0.6)
        on = x + SQUARE / 2, y + SQUARE * 0.7
        paper.words(on, str(face), TEXT, anchor="middle", bold=place in card.checked)


# -- rules and examples on paper -------------------------------------------------------------------

BLUE = "#1a4f8b"  # of the rule that decides
LEFT = 14.0  # points, from the margin to what happened


def print_rules(
    games: Iterable[str],
    wording: Wording,
    hall: str,
    size: str = "a4",
    *,
    told: bool = False,
    currency: Currency,
) -> bytes:
    """Return the rules of some games as a PDF, to lay on the tables.

    Args:
        games: by the names of their rules.
        told: print after each game its example, with the table at every step.
        currency: of the sums in an example.
    """
    listed = [*games]

    def lay_all(sheet: Sheet) -> None:
        sheet.title(wording.rules["title"], hall)
        for name in listed:
            _lay_rules(sheet, name, wording)
            if told and GAMES[name].example is not None:
                _lay_example(sheet, lesson(name, wording, currency), wording)

    with speaking(wording.base):
        foot = ", ".join(wording.rules[f"{TITLE}{name}"] for name in listed)
        return print_sheet(wording.rules["title"], currency, foot, lay_all, size)


def _lay_rules(sheet: Sheet, name: str, wording: Wording) -> None:
    sheet.heading(wording.rules[f"{TITLE}{name}"], 14, keep=40)
    sheet.y += 3
    for number, sentence in enumerate(wording.rules_of(name), 1):
        sheet.text(f"{number}. {sentence}", 10.5)


def _lay_example(sheet: Sheet, steps: list[LessonStep], wording: Wording) -> None:
    sheet.heading(tr("An example"), 12, keep=80)
    sheet.y += 3
    for number, step in enumerate(steps, 1):
        _lay_step(sheet, number, step, wording)


def _lay_step(sheet: Sheet, number: int, step: LessonStep, wording: Wording) -> None:
    """Put a step on the sheet, never parted by the end of a page."""
    lines = [*lines_of(step.table, wording, sheet.width - LEFT)]
    texts = len(step.told) + bool(step.rule) * 2 + 1
    sheet.need(texts * 14 + sum(map(height_of, lines)) + 12)
    top = sheet.y
    for said in step.told or (step.table.text,):
        sheet.text(said, 9.5, left=LEFT)
    if step.rule:
        sheet.text(f"→ {step.rule}", 9, colour=BLUE, left=LEFT)
    sheet.paper.words((MARGIN, top + 11), str(number), 9.5, bold=True)
    sheet.y += 4
    for line in lines:
        lay(sheet.paper, line, (MARGIN + LEFT, sheet.y))
        sheet.y += height_of(line)
    sheet.y += 6
