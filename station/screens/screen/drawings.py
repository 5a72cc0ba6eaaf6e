"""Draw the pieces of the calling picture: header, last number, the 90 board, the last ten, what is
played for, the footer.

Each function draws one piece from plain values. The newest number is gold *and* in another form
(framed); a called number is a light plate with dark digits, the others are light digits on dark: no
meaning depends on colour alone.
"""

from __future__ import annotations

from enum import Enum, auto

from station.screens.screen.captions import captioned, pictured
from station.screens.screen.layout import Box
from station.screens.screen.pen import Picture, ScreenPen
from station.wire.board_view import SignView, StageView
from station.wire.looks import sizes

CODE_TEXT = 4.0  # u: how high the line under a code is
COVERED = "#"  # in a pattern's picture
OPEN_MOST = 6  # prizes that are named where several can be won at once


class Lit(Enum):
    """The looks of a number on the 90 board or among the last ten."""

    NOT = auto()
    CALLED = auto()
    NEWEST = auto()


def header(pen: ScreenPen, hall: str, game: str, test: str, test_why: str) -> None:
    """Draw the hall's logo and name, and the game; at the right the TEST banner, if `test` is not
    empty."""
    u, room = pen.u, pen.box
    pen.wipe()
    if test:
        width = min(round(46 * u), room.w // 3)
        test_banner(pen, room.beyond(room.right - width), test, test_why)
        room = room.first(room.w - width - round(3 * u))
    left, right = pen.logo(room).split(0.45, 0.55, gap=2 * u)
    pen.text(left, hall, 2.7, pen.look.ivory)
    pen.text(right, game, 2.3, pen.look.soft, "right")


def test_banner(pen: ScreenPen, box: Box, test: str, why: str) -> None:
    """Draw the sign of simulated devices: between two lengths of barrier tape, on every picture."""
    u = pen.u
    tape = max(3, round(0.7 * u))
    pen.canvas.fill(pen.look.ink, box)
    for edge in (box.head(tape), box.under(box.bottom - tape)):
        pen.hatch(edge, pen.look.gold, pen.look.ink)
    first, second = box.inset(u, tape).split(0.28, 0.72, gap=1.2 * u)
    pen.text(first, test, 2.6, pen.look.gold, "centre")
    pen.paragraph(second, why, 1.5, pen.look.ivory)


def last_number(
    pen: ScreenPen, number: int | None, label: str, call: str, before: str, symbol: Picture | None
) -> None:
    """Draw the number just called, or its picture and word; before the first, what is said."""
    u, box = pen.u, pen.box
    if number is None:
        pen.plate(box, pen.look.panel, sizes().last_round, pen.look.edge, 0.4)
        pen.paragraph(box.inset(5 * u), before, 7, pen.look.ivory, "centre", 3)
        return
    pen.plate(box, pen.look.gold, sizes().last_round)
    inner = box.inset(3.2 * u, 2.2 * u)
    top = inner.head(round(5 * u))
    left, right = top.split(0.6, 0.4, gap=u)
    pen.text(left, label, 2.4, pen.look.ink)
    pen.text(right, call, 3.0, pen.look.ink, "right")
    below = inner.under(top.bottom)
    if symbol is None:
        pen.number(below, number, 0.72 * box.h / u, pen.look.ink)
    else:
        captioned(pen, below, symbol, 4.4, pen.look.ink, numbered=True)


def first_number(pen: ScreenPen, before: str, text: str, code: str) -> None:
    """Draw what is said before the first number, over the code of the record's newest head."""
    u, box = pen.u, pen.box
    pen.plate(box, pen.look.panel, sizes().last_round, pen.look.edge, 0.4)
    upper, lower = box.inset(2 * u).stack(0.2, 0.8, gap=round(u))
    pen.paragraph(upper, before, 5, pen.look.ivory, "centre")
    code_cell(pen, lower, text, code)


def code_cell(pen: ScreenPen, box: Box, text: str, code: str) -> None:
    """Draw a code, and under it what it is for."""
    high = round(CODE_TEXT * pen.u)
    box = box.middle(box.w, min(box.h, box.w + high))
    pen.code(box.head(box.h - high), code)
    pen.text(box.under(box.bottom - high), text, 2.1, pen.look.ivory, "centre")


def code_aside(pen: ScreenPen, text: str, code: str) -> None:
    """Draw a code in a place of its own."""
    pen.wipe()
    code_cell(pen, pen.box, text, code)


def board_cell(pen: ScreenPen, number: int, lit: Lit, symbol: Picture | None) -> None:
    """Draw one of the 90; with a theme, number at the left, and its picture once it is called."""
    box = pen.box
    high, rounded = box.h / pen.u, sizes().cell_round
    if symbol is not None and lit is not Lit.NOT:
        pen.plate(box, pen.look.gold if lit is Lit.NEWEST else pen.look.ivory, rounded)
        left, right = box.inset(0.5 * pen.u).split(0.34, 0.66)
        pen.number(left, number, 0.36 * high, pen.look.ink)
        pictured(pen, right, symbol)
        return
    if lit is Lit.NEWEST:
        _framed(pen, box, rounded)
        pen.number(box.inset(0.8 * pen.u), number, 0.64 * high, pen.look.ink)
    elif lit is Lit.CALLED:
        pen.plate(box, pen.look.ivory, rounded)
        pen.number(box.inset(0.5 * pen.u), number, 0.74 * high, pen.look.ink)
    else:
        pen.plate(box, pen.look.panel, rounded)
        pen.number(box.inset(0.5 * pen.u), number, 0.7 * high, pen.look.soft)


def _framed(pen: ScreenPen, box: Box, radius: float) -> None:
    pen.plate(box, pen.look.gold, radius)
    inner = box.inset(sizes().ring_in * pen.u)
    pen.plate(inner, pen.look.gold, radius - 0.3, pen.look.ink, sizes().ring)


def ten_cell(pen: ScreenPen, number: int | None, newest: bool, symbol: Picture | None) -> None:
    """Draw one of the last ten, its picture with a theme; an empty place while there are fewer."""
    box, u, rounded = pen.box, pen.u, sizes().ten_round
    if number is None:
        pen.plate(box, pen.look.ground, rounded, pen.look.panel, 0.4)
        return
    if newest:
        _framed(pen, box, rounded)
    else:
        pen.plate(box, pen.look.panel, rounded)
    inner = box.inset(1.2 * u, 1.2 * u)
    if symbol is None:
        pen.number(inner, number, 9.8, pen.look.ink if newest else pen.look.ivory, 0.78)
        return
    captioned(pen, inner, symbol, 1.7, pen.look.ink if newest else pen.look.ivory, numbered=False)


def stage_cell(pen: ScreenPen, label: str, stage: StageView) -> None:
    """Draw what is played for, in words and as a card with the wanted places filled in."""
    u = pen.u
    inner = _info_plate(pen)
    picture_w = min(round(15 * u), inner.w // 3)
    words = inner.first(inner.w - picture_w - round(2 * u))
    _label_and_value(pen, words, f"{label} · {stage.index}/{stage.of}", stage.name)
    _pattern(pen, inner.beyond(inner.right - picture_w).inset(0, 0.6 * u), stage.picture, 0.5)


def open_cell(pen: ScreenPen, stages: tuple[StageView, ...]) -> None:
    """Draw what can be won at once, as far as there is room: small picture, name and prize."""
    u = pen.u
    shown = stages[:OPEN_MOST]
    rows = _info_plate(pen).inset(0, 0.2 * u).rows(2, 0.8 * u)
    places = [place for row in rows for place in row.columns(-(-len(shown) // 2), 2 * u)]
    for stage, place in zip(shown, places, strict=False):
        picture = place.first(min(round(1.6 * place.h), place.w // 3))
        _pattern(pen, picture.inset(0, 0.2 * u), stage.picture, 0.3)
        hidden = len(stages) - len(shown) if stage is shown[-1] else 0
        more = f" (+{hidden})" if hidden else ""
        text = f"{stage.name} · {stage.prize.text}{more}" if stage.prize else stage.name
        pen.text(place.beyond(picture.right + round(u)), text, 2.2, pen.look.ivory)


def _pattern(pen: ScreenPen, box: Box, picture: tuple[str, ...], gap: float) -> None:
    if not picture:
        return
    for line, row in zip(picture, box.rows(len(picture), gap * pen.u), strict=True):
        for sign, spot in zip(line, row.columns(len(line), gap * pen.u), strict=True):
            covered = sign == COVERED
            fill, ring = (pen.look.ivory, None) if covered else (pen.look.panel, pen.look.soft)
            pen.plate(spot, fill, 1.2 * gap, ring, 0.5 * gap)


def fact_cell(pen: ScreenPen, label: str, value: str) -> None:
    """Draw a label with its value: the prize, the cards in play."""
    _label_and_value(pen, _info_plate(pen), label, value)


def near_cell(pen: ScreenPen, lines: tuple[str, ...]) -> None:
    """Draw how near the hall is to a win; one line or two, both in letters of one size."""
    places = _info_plate(pen).rows(len(lines))
    wished, most = (1.9, 1) if len(lines) > 1 else (2.4, 2)
    fits = min(
        pen.broken(place, line, wished, most)[1] for line, place in zip(lines, places, strict=True)
    )
    for line, place in zip(lines, places, strict=True):
        pen.paragraph(place, line, fits / pen.u, pen.look.ivory, most=most)


def wins_cell(pen: ScreenPen, label: str, lines: tuple[str, ...], more: int) -> None:
    """Draw the newest prizes won in this game."""
    upper, lower = _upper_and_lower(_info_plate(pen))
    pen.text(upper, f"{label} +{more}" if more else label, 1.7, pen.look.soft)
    for place, line in zip(lower.rows(len(lines)), lines, strict=True):
        pen.text(place, f"✓ {line}", 2.4, pen.look.ivory)


def _info_plate(pen: ScreenPen) -> Box:
    pen.plate(pen.box, pen.look.panel, sizes().plate_round)
    return pen.box.inset(1.8 * pen.u, 1.3 * pen.u)


def _label_and_value(pen: ScreenPen, box: Box, label: str, value: str) -> None:
    upper, lower = _upper_and_lower(box)
    pen.text(upper, label, 1.7, pen.look.soft)
    pen.text(lower, value, 3.3, pen.look.ivory)


def _upper_and_lower(box: Box) -> tuple[Box, Box]:
    upper = box.head(round(0.36 * box.h))
    return upper, box.under(upper.bottom)


def footer(pen: ScreenPen, notice: str, signs: tuple[SignView, ...]) -> None:
    """Draw the notice, and as many devices in trouble as there is room for, with a triangle."""
    u, box = pen.u, pen.box
    pen.wipe()
    if not signs:
        pen.paragraph(box, notice, 2.5, pen.look.ivory, "centre")
        return
    sign_box, *notice_box = box.split(0.64, 0.36, gap=2 * u) if notice else (box,)
    shown = signs[: 2 if sign_box.w >= 20 * box.h else 1]
    for index, (sign, place) in enumerate(zip(shown, sign_box.columns(len(shown), u), strict=True)):
        hidden = len(signs) - len(shown) if index == len(shown) - 1 else 0
        _sign(pen, place, sign, hidden)
    for place in notice_box:
        pen.paragraph(place, notice, 2.2, pen.look.ivory, "centre")


def _sign(pen: ScreenPen, box: Box, sign: SignView, hidden: int) -> None:
    u, look = pen.u, pen.look
    fill, ink = (look.red, look.ivory) if sign.colour == "red" else (look.gold, look.ink)
    pen.plate(box, fill, 1.2)
    inner = box.inset(1.4 * u, 0.7 * u)
    pen.warning(inner, ink, fill)
    text = f"{sign.text} (+{hidden})" if hidden else sign.text
    pen.text(inner.beyond(inner.x + inner.h + round(u)), text, 1.9, ink)
