"""Draw zones into a box: pictures as large as there is room for, under them labelled lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from station.screens.in_letters import points_text
from station.screens.screen.captions import LEGIBLE
from station.screens.screen.ink import Colour
from station.screens.screen.layout import Box
from station.screens.screen.pen import Align, ScreenPen
from station.screens.screen.things import (
    ThingLook,
    amount,
    draw,
    is_seen,
    least_wide,
    letters,
    lies_there,
    pieces,
    places,
    wide,
)
from station.wire.looks import Look
from station.wire.zones import CaptionThing, PileThing, ScoreThing, Thing, ZoneView

LINE_HIGH, LINE_ALONE = 3.2, 4.2  # u: of a line, at most; where there are no pictures
SHARES = (0.28, 0.42, 0.55)  # of the height that lines take: no more than is needed to read them
COLUMNS = 4  # of lines, at most
COLUMN_WIDE, COLUMN_GAP = 24.0, 2.0  # u: of a line, where no more is wanted; between two
LABEL_HIGH = 2.2  # u: of a line over pictures
LABEL = 0.85  # of a line's letters, those of its label


class ZoneLine(NamedTuple):
    """A line of text about a zone, with its label."""

    label: str
    thing: Thing


def spread(
    pen: ScreenPen,
    box: Box,
    zones: Sequence[ZoneView],
    look: ThingLook,
    owed: str,
    *,
    middle: bool = False,
) -> None:
    """Draw zones into a box.

    Args:
        owed: the word for a debt.
        middle: they lie in the middle of the table: lines are centred.
    """
    pictures = [
        (zone.label, seen) for zone in zones if (seen := tuple(filter(is_seen, zone.things)))
    ]
    lines = tuple(lines_of(zones, owed))
    cells: tuple[Box, ...] = ()
    if lines:
        for share in SHARES if pictures else (1.0,):
            cells, cap = _cells(pen, box, lines, share, LINE_HIGH if pictures else LINE_ALONE)
            if cap >= LEGIBLE * pen.u:
                break
    for line, cell in zip(lines, cells, strict=True):
        _line(pen, cell, line, middle=middle)
    if pictures:
        end = min((cell.y for cell in cells), default=box.bottom)
        above = box.head(end - box.y - (round(0.4 * pen.u) if cells else 0))
        for (label, things), place in zip(pictures, _beside(pen, above, pictures), strict=True):
            rooms = places(pen, _under_label(pen, place, label), things)
            if label:
                top = min(room.y for room in rooms)
                high = min(round(LABEL_HIGH * pen.u), top - place.y)
                head = place.under(top - high).head(high)
                pen.text(head, label, 1.4, pen.look.ivory if middle else pen.look.soft, "centre")
            for thing, room in zip(things, rooms, strict=True):
                draw(pen, room, thing, look)


def lines_of(zones: Iterable[ZoneView], owed: str) -> Iterator[ZoneLine]:
    """Yield what is told in letters, each line with its label; a debt is called one."""
    for zone in zones:
        labelled = any(map(is_seen, zone.things))  # the label stands with the pictures
        for thing in zone.things:
            if is_seen(thing):
                continue
            own = thing.label if isinstance(thing, ScoreThing) else ""
            label = own or ("" if labelled else zone.label)
            debt = owed if isinstance(thing, PileThing) and thing.units < 0 else ""
            yield ZoneLine(", ".join(part for part in (label, debt) if part), thing)


# -- pictures --------------------------------------------------------------------------------------


def _beside(
    pen: ScreenPen, box: Box, pictures: Sequence[tuple[str, tuple[Thing, ...]]]
) -> tuple[Box, ...]:
    """Return a box for each zone, in a row or a column: whichever makes the least sign larger."""

    def smallest(boxes: tuple[Box, ...]) -> float:
        return min(
            letters(thing, place)
            for (label, things), room in zip(pictures, boxes, strict=True)
            for thing, place in zip(
                things, places(pen, _under_label(pen, room, label), things), strict=True
            )
        )

    gap = pen.u
    across = box.split(*(wide(things) for _, things in pictures), gap=gap)
    return max((across, box.rows(len(pictures), gap)), key=smallest)


def _under_label(pen: ScreenPen, box: Box, label: str) -> Box:
    if not label:
        return box
    return box.under(box.y + min(round(LABEL_HIGH * pen.u), box.h // 2))


# -- lines -----------------------------------------------------------------------------------------


def _cells(
    pen: ScreenPen, box: Box, lines: Sequence[ZoneLine], share: float, most: float
) -> tuple[tuple[Box, ...], float]:
    """Return places for lines at the foot of a box, in as many columns as make them largest; and
    their capitals' height in pixels."""

    def laid(columns: int) -> tuple[tuple[Box, ...], float]:
        rows = -(-len(lines) // columns)
        high = max(1, min(round(most * pen.u), round(share * box.h / rows)))
        one = Box(0, 0, 1, high)
        widest = max(COLUMN_WIDE * pen.u, *(sum(_widths(pen, one, line)) for line in lines))
        width = min(box.w, round(columns * widest + (columns - 1) * COLUMN_GAP * pen.u))
        top = box.bottom - rows * high if share < 1 else box.y + (box.h - rows * high) // 2
        foot = Box(box.x + (box.w - width) // 2, top, width, rows * high)
        cells = tuple(
            cell for row in foot.rows(rows) for cell in row.columns(columns, COLUMN_GAP * pen.u)
        )[: len(lines)]
        return cells, min(_fits(pen, cell, line) for cell, line in zip(cells, lines, strict=True))

    return max(map(laid, range(min(len(lines), COLUMNS), 0, -1)), key=lambda found: found[1])


def _fits(pen: ScreenPen, cell: Box, line: ZoneLine) -> float:
    """Return how high a line's capitals are in its place."""
    cap = cell.h / 1.6
    return cap * min(1.0, cell.w / max(1.0, sum(_widths(pen, cell, line))))


def _widths(pen: ScreenPen, cell: Box, line: ZoneLine) -> tuple[float, float]:
    """Return how many pixels a line's label and its text take at full size."""
    thing, cap = line.thing, cell.h / 1.6
    label = pen.ink.width(line.label, LABEL * cap) + cap if line.label else 0.0
    if isinstance(thing, PileThing) and lies_there(thing):
        return label, least_wide(pen, cell, thing)
    return label, pen.ink.width(_value(thing), cap)


def _value(thing: Thing) -> str:
    match thing:
        case PileThing():
            return amount(thing)
        case ScoreThing():
            return points_text(thing)
        case CaptionThing():
            return thing.text
    return ""


def _line(pen: ScreenPen, cell: Box, line: ZoneLine, *, middle: bool) -> None:
    thing, align = line.thing, _align(line, middle)
    if line.label:
        label, value = _widths(pen, cell, line)
        fits = min(1.0, cell.w / (label + value))
        spare = max(0.0, cell.w - label - value)
        # in the middle of the table the two stand together, at a seat at the plate's edges
        share = fits * label + spare * (0.5 if middle else 0.2)
        left, right = cell.split(share, cell.w - share)
        cap = fits * cell.h / 1.6
        side: Align = "right" if middle else "left"
        left = left.first(left.w - round(0.5 * cap))
        pen.text(left, line.label, LABEL * cap / pen.u, pen.look.soft, side)
        cell = right
    if isinstance(thing, PileThing) and lies_there(thing):
        pieces(pen, cell, thing, pen.look.ivory, align)
    else:
        pen.paragraph(cell, _value(thing), cell.h / 1.6 / pen.u, _colour(pen.look, thing), align)


def _align(line: ZoneLine, middle: bool) -> Align:
    if not line.label:
        return "centre"
    return "left" if middle else "right"


def of_mood(look: Look, mood: str, otherwise: Colour) -> Colour:
    """Return the colour of words that are meant well, badly or faintly; else the other one."""
    return {"good": look.mint, "bad": look.rose, "faint": look.soft}.get(mood, otherwise)


def _colour(look: Look, thing: Thing) -> Colour:
    match thing:
        case CaptionThing():
            return of_mood(look, thing.mood, look.ivory)
        case PileThing() if thing.units < 0:
            return look.rose
        case ScoreThing() if thing.marked:
            return look.gold
    return look.ivory
