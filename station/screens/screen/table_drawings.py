"""The pieces of a game at the table: a player with his cards and counters, and the felt with the
board of ten.

Contracts are bars, fish have a tail, counters are round: their shapes tell them apart, not their
colours alone.
"""

from __future__ import annotations

import pygame

from station.screens.screen.captions import LEGIBLE, captioned, on_a_card, parted, pictured
from station.screens.screen.ink import Colour
from station.screens.screen.layout import Box
from station.screens.screen.pen import GOLD, INK, IVORY, LINE, PANEL, SOFT, Align, Pen
from station.screens.screen.pictures import Picture
from station.wire.board_view import (
    AnswerView,
    SeatView,
    SettlementView,
    SumView,
    TableCardView,
    TableView,
)

FELT: Colour = (14, 66, 45)
WOOD: Colour = (96, 62, 30)
HOLE: Colour = (8, 40, 28)
PAPER: Colour = (252, 246, 230)
TOLD: Colour = (176, 226, 192)
MINT: Colour = (140, 228, 172)
ROSE: Colour = (255, 205, 198)
BAR: Colour = (143, 208, 255)
SCALES: Colour = (255, 157, 138)
VERDICTS: dict[str, Colour] = {"covers": MINT, "wrong": ROSE, "tied": SOFT, "late": SOFT}
CAVITIES = 10
PILE = 4  # pieces of one kind that are drawn; the number beside them says how many there are
HIGH = 2.5  # u: of a piece, where there is room
WIDTHS = {"contract": 1.5, "fish": 1.4, "counter": 0.9}  # of a piece that is 1 high
OVER = 0.24  # of a piece's width, that of one under another is seen
BETWEEN = 0.45  # of a piece's height, from one kind to the next


def seat(
    pen: Pen,
    player: SeatView,
    cards: tuple[TableCardView, ...],
    newest: int | None,
    told: tuple[str, int] | None,
    answer: AnswerView | None,
    pictures: tuple[Picture, ...],
) -> None:
    """A player: name, what he has won, and the cards that there is room for."""
    u = pen.u
    ring = (
        GOLD
        if player.drawer
        else MINT
        if player.asked
        else VERDICTS[answer.verdict]
        if answer is not None
        else LINE
    )
    pen.plate(pen.box, PANEL, 1.2, ring, 0.3)
    inner = pen.box.inset(0.9 * u, 0.7 * u)
    head = Box(inner.x, inner.y, inner.w, min(round(4 * u), inner.h // 4))
    rest = Box(
        inner.x,
        head.bottom + round(0.4 * u),
        inner.w,
        max(1, inner.bottom - head.bottom - round(0.4 * u)),
    )
    _head(pen, head, player, len(player.cards) - len(cards))
    text = answer.text if answer is not None else player.text
    if text:
        line = Box(rest.x, rest.y, rest.w, min(round(2.8 * u), rest.h // 4))
        if pen.broken(line, text, 1.4, 1)[1] < LEGIBLE * u:
            line = Box(rest.x, rest.y, rest.w, min(round(4.4 * u), rest.h // 3))
        pen.paragraph(line, text, 1.4, VERDICTS[answer.verdict] if answer is not None else GOLD)
        rest = Box(rest.x, line.bottom, rest.w, max(1, rest.bottom - line.bottom))
    symbols = {one.number: one for one in pictures}
    for card, place in zip(cards, _places(rest, len(cards), 0.9 * u), strict=True):
        width = min(place.w, round(2.5 * place.h))
        box = Box(place.x + (place.w - width) // 2, place.y, width, place.h)
        _card(
            pen,
            box,
            card,
            newest,
            told[1] if told is not None and told[0] == card.serial else 0,
            symbols,
        )


def _places(box: Box, count: int, gap: float) -> tuple[Box, ...]:
    """Room for so many cards, in as many rows as make the places of their numbers largest."""

    def laid(rows: int) -> tuple[Box, ...]:
        return tuple(
            place for row in box.rows(rows, gap) for place in row.columns(-(-count // rows), gap)
        )[:count]

    return max(
        map(laid, range(1, count + 1)),
        key=lambda places: min(places[0].w / 5, places[0].h / 3),
        default=(),
    )


def _head(pen: Pen, box: Box, player: SeatView, hidden: int) -> None:
    """Who it is, how many cards more than those shown, and what he has won; at the end all of that
    is redeemed."""
    several = player.hand.singles < player.hand.counters
    left, right = box.split(0.5 if several else 0.56, 0.5 if several else 0.44, gap=pen.u)
    if player.text:
        left = box
    else:
        _pieces(pen, right, player.hand, IVORY if player.hand.counters else SOFT)
    if player.drawer:
        _bag(pen, Box(left.x, left.y, left.h, left.h).inset(0.12 * left.h))
        left = Box(left.x + left.h, left.y, max(1, left.w - left.h), left.h)
    if hidden:
        more = Box(left.right - round(0.7 * left.h), left.y, round(0.7 * left.h), left.h)
        pen.text(more, f"+{hidden}", 1.4, SOFT, "right")
        left = Box(left.x, left.y, max(1, more.x - left.x), left.h)
    pen.text(left, player.name, 1.7, GOLD if player.drawer else IVORY)


def _card(
    pen: Pen,
    box: Box,
    card: TableCardView,
    newest: int | None,
    told: int,
    symbols: dict[int, Picture],
) -> None:
    u = pen.u
    pen.plate(box, PAPER, 0.8)
    gap = max(1, round(0.15 * u))
    cells = [
        line.columns(len(row), gap)
        for row, line in zip(card.rows, box.inset(0.4 * u).rows(len(card.rows), gap), strict=True)
    ]
    parts = parted(cell for line in cells for cell in line) if symbols else None
    for place, (row, line) in enumerate(zip(card.rows, cells, strict=True), 1):
        for number, cell in zip(row, line, strict=True):
            pen.canvas.fill(TOLD if place == told else (255, 252, 244), cell)
            picture = on_a_card(pen, cell, parts, symbols[number]) if parts is not None else None
            if number in card.covered:
                _counter(
                    pen, cell if picture is None else picture, 0.48 if picture is None else 0.36
                )
            if number == newest:
                pygame.draw.rect(pen.canvas, (160, 24, 40), cell, max(2, round(0.25 * u)))
            if picture is None:
                pen.number(
                    cell.inset(0.1 * cell.w, 0.16 * cell.h), number, 0.56 * cell.h / u, INK, 0.9
                )


def _counter(pen: Pen, cell: Box, share: float) -> None:
    """A counter on a number, or on a picture, which it leaves free at its edges."""
    radius = max(2, round(share * min(cell.w, cell.h)))
    centre = (cell.x + cell.w // 2, cell.y + cell.h // 2)
    pen.disc(*centre, radius, (150, 98, 0))
    pen.disc(*centre, max(1, radius - max(1, radius // 9)), GOLD)


def _bag(pen: Pen, box: Box) -> None:
    radius = max(2, round(0.38 * box.w))
    pen.disc(box.x + box.w // 2, box.bottom - radius, radius, GOLD)
    neck = max(2, box.w // 4)
    pygame.draw.polygon(
        pen.canvas,
        GOLD,
        [
            (box.x + box.w // 2 - neck, box.y),
            (box.x + box.w // 2 + neck, box.y),
            (box.x + box.w // 2 + neck // 2, box.y + box.h // 3),
            (box.x + box.w // 2 + neck, box.y + box.h // 2),
            (box.x + box.w // 2 - neck, box.y + box.h // 2),
            (box.x + box.w // 2 - neck // 2, box.y + box.h // 3),
        ],
    )


def _pieces(pen: Pen, box: Box, shown: SumView, colour: Colour, align: Align = "right") -> None:
    """A sum: pieces of each kind, a few one over the other where there is room, and how many there
    are."""
    kinds = [
        (kind, n)
        for kind, n in (
            ("contract", shown.contracts),
            ("fish", shown.fish),
            ("counter", shown.singles),
        )
        if n
    ]
    if not kinds:
        pen.text(box, shown.text, 1.5, colour, align)
        return
    most = min(0.62 * box.h, HIGH * pen.u)
    piles = (
        (pile, [_long(kind, count, pile) for kind, count in kinds]) for pile in range(PILE, 0, -1)
    )
    pile, long = next(one for one in piles if one[0] == 1 or box.w >= 0.8 * most * sum(one[1]))
    whole = sum(long) + BETWEEN * (len(long) - 1)
    high = min(most, box.w / whole)
    left = box.x + {"left": 0.0, "centre": 0.5, "right": 1.0}[align] * (box.w - high * whole)
    for (kind, count), room in zip(kinds, long, strict=True):
        wide = WIDTHS[kind] * high
        for turn in range(min(count, pile)):
            _piece(
                pen,
                kind,
                Box(
                    round(left + turn * OVER * wide),
                    round(box.y + (box.h - high) / 2),
                    round(wide),
                    round(high),
                ),
            )
        digits = high * len(str(count))
        label = Box(round(left + room * high - digits), box.y, round(digits), box.h)
        pen.text(label, str(count), 0.78 * high / pen.u, colour, "right")
        left += (room + BETWEEN) * high


def _long(kind: str, count: int, pile: int) -> float:
    """How long a pile is with its number, where a piece is 1 high."""
    return WIDTHS[kind] * (1 + OVER * (min(count, pile) - 1)) + 0.25 + len(str(count))


def _piece(pen: Pen, kind: str, box: Box) -> None:
    if kind == "counter":
        radius = max(2, round(0.45 * box.h))
        centre = (box.x + box.w // 2, box.y + box.h // 2)
        pen.disc(*centre, radius, INK)
        pen.disc(*centre, max(1, radius - 1), GOLD)
        pen.disc(*centre, max(1, radius // 2), (190, 132, 20))
    elif kind == "contract":
        pygame.draw.rect(pen.canvas, INK, box, border_radius=max(1, box.h // 6))
        pygame.draw.rect(pen.canvas, BAR, box.inset(1), border_radius=max(1, box.h // 6))
    else:
        x, y, w, h = box
        outline = [
            (0, 0.5),
            (0.16, 0.14),
            (0.42, 0.02),
            (0.7, 0.34),
            (1, 0),
            (0.9, 0.5),
            (1, 1),
            (0.7, 0.66),
            (0.42, 0.98),
        ]
        points = [(x + w * dx, y + h * dy) for dx, dy in (*outline, (0.16, 0.86))]
        pygame.draw.polygon(pen.canvas, SCALES, points)
        pygame.draw.polygon(pen.canvas, INK, points, 1)


# -- the middle ------------------------------------------------------------------------------------


def felt(
    pen: Pen,
    newest: int | None,
    knobs: tuple[int, ...],
    table: TableView,
    settlement: SettlementView | None,
    line: str,
    sums: tuple[tuple[str, SumView], ...],
    pictures: tuple[Picture, ...],
) -> None:
    """The last knob or whose turn it is, the board of ten or how the drawing was settled, pool and
    table."""
    u = pen.u
    pen.plate(pen.box, WOOD, 9)
    pen.plate(pen.box.inset(0.8 * u), FELT, 8.2)
    narrow = pen.box.w < 3.2 * pen.box.h
    inner = pen.box.inset(3 * u if narrow else 5 * u, 1.8 * u)
    foot = Box(inner.x, inner.bottom - round(3.4 * u), inner.w, round(3.4 * u))
    pen.text(foot.inset(2 * u, 0), line, 1.7, IVORY, "centre")
    body = Box(inner.x, inner.y, inner.w, foot.y - inner.y)
    symbols = {one.number: one for one in pictures}
    if narrow:
        below = Box(body.x, body.bottom - round(0.24 * body.h), body.w, round(0.24 * body.h))
        now, board = Box(body.x, body.y, body.w, below.y - body.y).split(0.3, 0.7, gap=u)
        _sums(pen, below, sums, table, columns=True)
    else:
        now, board, beside = body.split(0.27, 0.43, 0.3, gap=2 * u)
        _sums(pen, beside, sums, table, columns=False)
    if newest is None:
        pen.paragraph(now, table.text, 3.4, GOLD, "centre", 3)
    elif newest in symbols:
        captioned(pen, now, symbols[newest], 3, IVORY, numbered=True)
    else:
        pen.number(now, newest, 0.86 * now.h / u, IVORY)
    if settlement is not None:
        _settled(pen, board, settlement, symbols)
        return
    text = Box(board.x, board.bottom - round(0.2 * board.h), board.w, round(0.2 * board.h))
    _cavities(pen, Box(board.x, board.y, board.w, text.y - board.y), knobs, newest, symbols)
    if newest is not None:
        pen.paragraph(text, table.text, 2, IVORY, "centre")


def _cavities(
    pen: Pen, box: Box, knobs: tuple[int, ...], newest: int | None, symbols: dict[int, Picture]
) -> None:
    """The ten cavities in the order of the draws; of more knobs the last ten, newest first."""
    side = min(box.h // 2, box.w // 5)
    left, top = box.x + (box.w - 5 * side) // 2, box.y + (box.h - 2 * side) // 2
    radius = round(0.46 * side)
    for place in range(CAVITIES):
        cell = Box(left + side * (place % 5), top + side * (place // 5), side, side)
        centre = (cell.x + side // 2, cell.y + side // 2)
        if place >= len(knobs):
            pen.disc(*centre, radius, HOLE)
            continue
        number = knobs[place]
        pen.disc(*centre, radius, (255, 255, 255) if number == newest else (200, 168, 102))
        pen.disc(*centre, max(1, radius - max(2, side // 16)), GOLD if number == newest else IVORY)
        if number in symbols:
            pictured(pen, cell.inset(0.2 * side), symbols[number])
        else:
            pen.number(cell.inset(0.2 * side, 0.2 * side), number, 0.48 * side / pen.u, INK, 0.9)


def _settled(pen: Pen, box: Box, settlement: SettlementView, symbols: dict[int, Picture]) -> None:
    """The classes and how many rows came to each, the row that is told, and the knobs."""
    u = pen.u
    told = settlement.rows[settlement.telling] if settlement.telling is not None else None
    head, middle, foot = (
        Box(box.x, box.y, box.w, round(0.36 * box.h)),
        Box(box.x, box.y + round(0.38 * box.h), box.w, round(0.4 * box.h)),
        Box(box.x, box.y + round(0.82 * box.h), box.w, round(0.18 * box.h)),
    )
    pen.paragraph(head, told.text if told is not None else settlement.text, 2.1, IVORY, "centre", 2)
    for kind, place in zip(
        settlement.classes, middle.columns(len(settlement.classes), 0.8 * u), strict=True
    ):
        pen.plate(place, HOLE, 1, GOLD if told is not None and told.laid == kind.laid else None)
        upper, lower = place.inset(0.5 * u).rows(2)
        pen.text(upper, str(kind.rows), 3, IVORY, "centre")
        pen.text(lower, kind.name, 1.4, IVORY, "centre")
    for number, place in zip(
        settlement.numbers, foot.columns(max(CAVITIES, len(settlement.numbers))), strict=False
    ):
        radius = max(2, round(0.46 * min(place.w, place.h)))
        pen.disc(place.x + place.w // 2, place.y + place.h // 2, radius, IVORY)
        if number in symbols:
            pictured(pen, place, symbols[number])
        else:
            pen.number(
                Box(place.x, place.y, place.w, place.h).inset(0, 0.2 * place.h),
                number,
                1.1 * radius / u,
                INK,
                0.9,
            )


def _sums(
    pen: Pen, box: Box, sums: tuple[tuple[str, SumView], ...], table: TableView, *, columns: bool
) -> None:
    if columns:
        for (label, shown), place in zip(sums, box.columns(len(sums), pen.u), strict=True):
            upper, lower = place.rows(2)
            pen.text(upper, label, 1.4, IVORY, "centre")
            _pieces(pen, lower, shown, GOLD if shown is sums[0][1] else IVORY, "centre")
        return
    lines = [f"{answer.name}: {answer.text}" for answer in table.answers[-3:]]
    rows = box.rows(max(3, len(sums) + len(lines)), 0.6 * pen.u)
    for (label, shown), row in zip(sums, rows, strict=False):
        left, right = row.split(0.36, 0.64, gap=0.5 * pen.u)
        pen.text(left, label, 1.7, IVORY)
        _pieces(pen, right, shown, GOLD if shown is sums[0][1] else IVORY)
    for text, row in zip(lines, rows[len(sums) :], strict=False):
        pen.text(row, text, 2, IVORY)
