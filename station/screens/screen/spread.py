"""Zones in a box: pictures as large as there is room for, and under them lines, each with its
label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from station.screens.screen.captions import LEGIBLE
from station.screens.screen.ink import Colour
from station.screens.screen.layout import Box
from station.screens.screen.pen import GOLD, IVORY, SOFT, Align, Pen
from station.screens.screen.things import (
    MINT,
    ROSE,
    Look,
    amount,
    draw,
    is_seen,
    letters,
    lies_there,
    pieces,
    places,
    wide,
)
from station.wire.zones import CaptionThing, PileThing, ScoreThing, Thing, ZoneView

MOODS: Mapping[str, Colour] = {"good": MINT, "bad": ROSE, "faint": SOFT}
LINE_HIGH, LINE_ALONE = 3.2, 5.5  # u: of a line, at most; where there are no pictures
SHARES = (0.28, 0.42, 0.55)  # of the height that lines take: no more than is needed to read them
COLUMNS = 4  # of lines, at most
LABEL_HIGH = 2.2  # u


class Line(NamedTuple):
    """What is told in letters, and of what."""

    label: str
    thing: Thing


def spread(
    pen: Pen, box: Box, zones: Sequence[ZoneView], look: Look, owed: str, *, middle: bool = False
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
        above = Box(box.x, box.y, box.w, max(1, end - box.y - (round(0.4 * pen.u) if cells else 0)))
        for (label, things), place in zip(pictures, _beside(pen, above, pictures), strict=True):
            body = _under_label(pen, place, label)
            if label:
                head = Box(place.x, place.y, place.w, max(1, body.y - place.y))
                pen.text(head, label, 1.4, SOFT if not middle else IVORY, "centre")
            for thing, room in zip(things, places(pen, body, things), strict=True):
                draw(pen, room, thing, look)


def lines_of(zones: Iterable[ZoneView], owed: str) -> Iterator[Line]:
    """Go through what is told in letters, each with its label; a debt is said to be one."""
    for zone in zones:
        labelled = any(map(is_seen, zone.things))  # the label stands with the pictures
        for thing in zone.things:
            if is_seen(thing):
                continue
            own = thing.label if isinstance(thing, ScoreThing) else ""
            label = own or ("" if labelled else zone.label)
            debt = owed if isinstance(thing, PileThing) and thing.units < 0 else ""
            yield Line(", ".join(part for part in (label, debt) if part), thing)


# -- pictures --------------------------------------------------------------------------------------


def _beside(
    pen: Pen, box: Box, pictures: Sequence[tuple[str, tuple[Thing, ...]]]
) -> tuple[Box, ...]:
    """A box for each zone: side by side or one under the other, as lets the smallest sign be
    largest."""

    def smallest(boxes: tuple[Box, ...]) -> float:
        return min(
            letters(thing) * place.h
            for (label, things), room in zip(pictures, boxes, strict=True)
            for thing, place in zip(
                things, places(pen, _under_label(pen, room, label), things), strict=True
            )
        )

    gap = pen.u
    across = box.split(*(wide(things) for _, things in pictures), gap=gap)
    return max((across, box.rows(len(pictures), gap)), key=smallest)


def _under_label(pen: Pen, box: Box, label: str) -> Box:
    if not label:
        return box
    head = min(round(LABEL_HIGH * pen.u), box.h // 3)
    return Box(box.x, box.y + head, box.w, max(1, box.h - head))


# -- lines -----------------------------------------------------------------------------------------


def _cells(
    pen: Pen, box: Box, lines: Sequence[Line], share: float, most: float
) -> tuple[tuple[Box, ...], float]:
    """Places for lines at the foot of a box, in as many columns as let them be largest; and their
    capitals' height in pixels."""

    def laid(columns: int) -> tuple[tuple[Box, ...], float]:
        rows = -(-len(lines) // columns)
        high = max(1, min(round(most * pen.u), round(share * box.h / rows)))
        foot = Box(box.x, box.bottom - rows * high, box.w, rows * high)
        if share == 1.0:
            foot = Box(box.x, box.y + (box.h - foot.h) // 2, foot.w, foot.h)
        cells = tuple(
            cell for row in foot.rows(rows) for cell in row.columns(columns, 1.6 * pen.u)
        )[: len(lines)]
        fits = min(
            pen.broken(cell, _measured(line), high / 1.6 / pen.u, 1)[1]
            for cell, line in zip(cells, lines, strict=True)
        )
        return cells, fits

    return max(map(laid, range(min(len(lines), COLUMNS), 0, -1)), key=lambda found: found[1])


def _measured(line: Line) -> str:
    """A text about as long as a line: of pieces a few signs for each kind."""
    thing = line.thing
    if isinstance(thing, PileThing) and lies_there(thing):
        value = "0000" * sum(map(bool, (thing.contracts, thing.fish, thing.singles)))
    else:
        value = _value(thing)
    return f"{line.label}  {value}" if line.label else value


def _value(thing: Thing) -> str:
    match thing:
        case PileThing():
            return amount(thing)
        case ScoreThing():
            return f"–{-thing.points}" if thing.points < 0 else str(thing.points)
        case CaptionThing():
            return thing.text
    return ""


def _line(pen: Pen, cell: Box, line: Line, *, middle: bool) -> None:
    thing, cap = line.thing, cell.h / 1.6 / pen.u
    if line.label:
        label, cell = _parted(pen, cell, line)
        pen.text(label, line.label, 0.85 * cap, SOFT, "right" if middle else "left")
    align: Align = "centre" if not line.label else "left" if middle else "right"
    if isinstance(thing, PileThing) and lies_there(thing):
        pieces(pen, cell, thing, IVORY, align)
    else:
        pen.text(cell, _value(thing), cap, _colour(thing), align)


def _parted(pen: Pen, cell: Box, line: Line) -> tuple[Box, Box]:
    """A line's place for its label, and that for what it says: each as it needs."""
    long, whole = len(line.label) * 0.85 + 1, len(_measured(line))
    share = min(0.7, max(0.3, long / max(1.0, whole)))
    left, right = cell.split(share, 1 - share, gap=0.8 * pen.u)
    return left, right


def _colour(thing: Thing) -> Colour:
    match thing:
        case CaptionThing():
            return MOODS.get(thing.mood, IVORY)
        case PileThing() if thing.units < 0:
            return ROSE
        case ScoreThing() if thing.marked:
            return GOLD
    return IVORY
