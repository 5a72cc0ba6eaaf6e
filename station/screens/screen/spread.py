"""Draw zones and labelled lines into a box, and the pieces of a game at the table.

Pictures are as large as there is room for, with labelled lines under them. At the table there are
each player, and the felt with its middle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import pygame

from station.screens.in_letters import points_text
from station.screens.screen.captions import LEGIBLE, captioned, pictured
from station.screens.screen.ink import Colour
from station.screens.screen.layout import Box
from station.screens.screen.pen import Align, Picture, ScreenPen
from station.screens.screen.things import (
    ThingLook,
    amount,
    draw,
    is_seen,
    knob,
    least_wide,
    letters,
    lies_there,
    pieces,
    places,
    wide,
)
from station.wire.looks import Look
from station.wire.zones import CaptionThing, KnobThing, PileThing, ScoreThing, Thing, ZoneView

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


# -- a game at the table ---------------------------------------------------------------------------

CAVITIES = 10
ANSWERS = 3  # the last of them are told at the side


class Sitting(NamedTuple):
    """A player at the table, as drawn.

    Attributes:
        leads: the player has the bag, the dice or the deal.
        bag: there is a bag in this game.
        awaited: the game waits for the player.
        zones: what lies before the player, with as many cards as there is room for.
        hidden: how many more cards the player has.
        won: the winnings, at the right of the name.
        answer: the player's last answer.
        outcome: how the game ended for the player.
        owed: the word for a debt.
    """

    seat: int
    name: str
    leads: bool
    bag: bool
    awaited: bool
    zones: tuple[ZoneView, ...]
    hidden: int
    won: PileThing | None
    answer: CaptionThing | None
    outcome: CaptionThing | None
    owed: str


class Middle(NamedTuple):
    """The middle of the table, as drawn.

    Attributes:
        newest: the number that was drawn last.
        text: what comes next.
        line: the text below everything else.
        sums: the sums at the side, each with its label.
        answers: who answered what.
        knobs: the knobs in the ten cavities; None if the game has none.
        settlement: how the last drawing was settled, while it is being told.
        zones: everything else.
        owed: the word for a debt.
    """

    newest: int | None
    text: str
    line: str
    sums: tuple[tuple[str, PileThing], ...]
    answers: tuple[str, ...]
    knobs: tuple[KnobThing, ...] | None
    settlement: ZoneView | None
    zones: tuple[ZoneView, ...]
    owed: str


def seat(
    pen: ScreenPen, player: Sitting, newest: int | None, pictures: tuple[Picture, ...]
) -> None:
    """Draw a player: name, winnings, last answer, and what lies before the player."""
    u = pen.u
    answer = player.answer
    mood = of_mood(pen.look, answer.mood if answer is not None else "", pen.look.edge)
    ring = pen.look.gold if player.leads else pen.look.mint if player.awaited else mood
    pen.plate(pen.box, pen.look.panel, 1.2, ring, 0.3)
    inner = pen.box.inset(0.9 * u, 0.7 * u)
    head = inner.head(min(round(4 * u), inner.h // 4))
    rest = inner.under(head.bottom + round(0.4 * u))
    _head(pen, head, player)
    said = answer if answer is not None else player.outcome
    if said is not None:
        line = rest.head(min(round(2.8 * u), rest.h // 4))
        if pen.broken(line, said.text, 1.4, 1)[1] < LEGIBLE * u:
            line = rest.head(min(round(4.4 * u), rest.h // 3))
        pen.paragraph(line, said.text, 1.4, of_mood(pen.look, said.mood, pen.look.gold))
        rest = rest.under(line.bottom)
    look = ThingLook(newest, {one.number: one for one in pictures})
    spread(pen, rest, player.zones, look, player.owed)


def _head(pen: ScreenPen, box: Box, player: Sitting) -> None:
    """Draw a player's name, how many cards more than those shown, and the winnings."""
    won = player.won
    if won is None:
        left = box
    else:
        several = bool(won.contracts or won.fish)
        left, right = box.split(0.5 if several else 0.56, 0.5 if several else 0.44, gap=pen.u)
        pieces(pen, right, won, pen.look.ivory if lies_there(won) else pen.look.soft)
    if player.leads:
        (_bag if player.bag else _arrow)(pen, left.first(left.h).inset(0.12 * left.h))
        left = left.beyond(left.x + left.h)
    if player.hidden:
        more = left.beyond(left.right - round(0.7 * left.h))
        pen.text(more, f"+{player.hidden}", 1.4, pen.look.soft, "right")
        left = left.first(more.x - left.x)
    pen.text(left, player.name, 1.7, pen.look.gold if player.leads else pen.look.ivory)


def _bag(pen: ScreenPen, box: Box) -> None:
    radius = max(2, round(0.38 * box.w))
    pen.disc(box.x + box.w // 2, box.bottom - radius, radius, pen.look.gold)
    neck, middle = max(2, box.w // 4), box.x + box.w // 2
    tied, low, half = box.y + box.h // 3, box.y + box.h // 2, neck // 2
    right = ((neck, box.y), (half, tied), (neck, low))
    left = ((-neck, low), (-half, tied))
    points = [(middle + x, y) for x, y in ((-neck, box.y), *right, *left)]
    pygame.draw.polygon(pen.canvas, pen.look.gold, points)


def _arrow(pen: ScreenPen, box: Box) -> None:
    x, y, w, h = box
    points = [(x + w * dx, y + h * dy) for dx, dy in ((0.1, 0.1), (0.9, 0.5), (0.1, 0.9))]
    pygame.draw.polygon(pen.canvas, pen.look.gold, points)


# -- the middle ------------------------------------------------------------------------------------


def felt(pen: ScreenPen, middle: Middle, pictures: tuple[Picture, ...]) -> None:
    """Draw the last knob or whose turn it is, what lies in the middle, and the sums."""
    u = pen.u
    pen.plate(pen.box, pen.look.wood, 9)
    pen.plate(pen.box.inset(0.8 * u), pen.look.felt, 8.2)
    narrow = pen.box.w < 3.2 * pen.box.h
    inner = pen.box.inset(3 * u if narrow else 5 * u, 1.8 * u)
    foot = inner.under(inner.bottom - round(3.4 * u))
    pen.text(foot.inset(2 * u, 0), middle.line, 1.7, pen.look.ivory, "centre")
    body = inner.head(foot.y - inner.y)
    look = ThingLook(middle.newest, {one.number: one for one in pictures})
    beside = bool(middle.sums or middle.answers)
    if narrow:
        high = round(0.24 * body.h) if middle.sums else 0
        below = body.under(body.bottom - high)
        now, board = body.head(below.y - body.y).split(0.3, 0.7, gap=u)
        _sums_below(pen, below, middle)
    elif beside:
        now, board, sums = body.split(0.27, 0.43, 0.3, gap=2 * u)
        _sums_beside(pen, sums, middle)
    else:
        now, board = body.split(0.27, 0.73, gap=2 * u)
    if middle.newest is None:
        pen.paragraph(now, middle.text, 3.4, pen.look.gold, "centre", 3)
    elif middle.newest in look.symbols:
        captioned(pen, now, look.symbols[middle.newest], 3, pen.look.ivory, numbered=True)
    else:
        pen.number(now, middle.newest, 0.86 * now.h / u, pen.look.ivory)
    if middle.settlement is not None:
        _settled(pen, board, middle.settlement, look)
        return
    if middle.zones and middle.knobs is not None:
        board, others = board.split(0.5, 0.5, gap=2 * u)
        spread(pen, others, middle.zones, look, middle.owed, middle=True)
    if middle.knobs is None:
        spread(pen, board, middle.zones, look, middle.owed, middle=True)
        return
    text = board.under(board.bottom - round(0.2 * board.h))
    _cavities(pen, board.head(text.y - board.y), middle.knobs, look)
    if middle.newest is not None:
        pen.paragraph(text, middle.text, 2, pen.look.ivory, "centre")


def _cavities(pen: ScreenPen, box: Box, knobs: tuple[KnobThing, ...], look: ThingLook) -> None:
    """Draw the ten cavities with the knobs given."""
    side = min(box.h // 2, box.w // 5)
    left, top = box.x + (box.w - 5 * side) // 2, box.y + (box.h - 2 * side) // 2
    radius = round(0.46 * side)
    for place in range(CAVITIES):
        cell = Box(left + side * (place % 5), top + side * (place // 5), side, side)
        if place < len(knobs):
            knob(pen, cell, knobs[place].number, knobs[place].newest, look)
        else:
            pen.disc(cell.x + side // 2, cell.y + side // 2, radius, pen.look.hole)


def _settled(pen: ScreenPen, box: Box, settlement: ZoneView, look: ThingLook) -> None:
    """Draw what the drawing came to, how often each class came, and the knobs."""
    u = pen.u
    said = " · ".join(one.text for one in settlement.things if isinstance(one, CaptionThing))
    scores = [one for one in settlement.things if isinstance(one, ScoreThing)]
    knobs = [one for one in settlement.things if isinstance(one, KnobThing)]
    shares = ((0, 0.36), (0.38, 0.4), (0.82, 0.18))  # of the height: from where, and how high
    head, middle, foot = (
        box.under(box.y + round(top * box.h)).head(round(high * box.h)) for top, high in shares
    )
    pen.paragraph(head, said, 2.1, pen.look.ivory, "centre", 2)
    for score, place in zip(scores, middle.columns(max(1, len(scores)), 0.8 * u), strict=False):
        pen.plate(place, pen.look.hole, 1, pen.look.gold if score.marked else None)
        upper, lower = place.inset(0.5 * u).rows(2)
        pen.text(upper, points_text(score), 3, pen.look.ivory, "centre")
        pen.text(lower, score.label, 1.4, pen.look.ivory, "centre")
    for one, place in zip(knobs, foot.columns(max(CAVITIES, len(knobs))), strict=False):
        radius = max(2, round(0.46 * min(place.w, place.h)))
        pen.disc(place.x + place.w // 2, place.y + place.h // 2, radius, pen.look.ivory)
        if one.number in look.symbols:
            pictured(pen, place, look.symbols[one.number])
        else:
            digits = place.inset(0, 0.2 * place.h)
            pen.number(digits, one.number, 1.1 * radius / u, pen.look.ink, 0.9)


def _sums_below(pen: ScreenPen, box: Box, middle: Middle) -> None:
    columns = box.columns(max(1, len(middle.sums)), pen.u)
    for index, ((label, shown), place) in enumerate(zip(middle.sums, columns, strict=False)):
        upper, lower = place.rows(2)
        pen.text(upper, label, 1.4, pen.look.ivory, "centre")
        pieces(pen, lower, shown, pen.look.ivory if index else pen.look.gold, "centre")


def _sums_beside(pen: ScreenPen, box: Box, middle: Middle) -> None:
    answers = middle.answers[-ANSWERS:]
    rows = box.rows(max(3, len(middle.sums) + len(answers)), 0.6 * pen.u)
    for index, ((label, shown), row) in enumerate(zip(middle.sums, rows, strict=False)):
        left, right = row.split(0.36, 0.64, gap=0.5 * pen.u)
        pen.text(left, label, 1.7, pen.look.ivory)
        pieces(pen, right, shown, pen.look.ivory if index else pen.look.gold)
    for text, row in zip(answers, rows[len(middle.sums) :], strict=False):
        pen.text(row, text, 2, pen.look.ivory)
