"""Draw the pieces of the calling picture, and the other pictures of the screen.

The calling picture has the header, the last number, the 90 board, the last ten, what is played for
and the footer. The others are a card checked, a claim that waits, a halt, the calm, and STALE over
all. Each function draws one piece from plain values. The newest number is gold *and* in another
form (framed); a called number is a light plate with dark digits, the others are light digits on
dark: no meaning depends on colour alone.
"""

from __future__ import annotations

from enum import Enum, auto

import pygame

from station.base.nouns import Columns
from station.screens.screen.captions import captioned, pictured
from station.screens.screen.ink import Colour
from station.screens.screen.layout import Box
from station.screens.screen.pen import Picture, ScreenPen
from station.wire.board_view import ClaimView, SignView, StageView, Verdict
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


# -- the other pictures ----------------------------------------------------------------------------

SIGN_OF = {
    Verdict.VALID: "✓",
    Verdict.NOT_COMPLETE: "✗",
    Verdict.LATE: "✗",
    Verdict.ALREADY: "=",
    Verdict.NOT_SOLD: "✗",
    Verdict.ALREADY_WON: "✗",
}
CHIPS = 4  # cards of this stop named under the one being checked
LINES = 5  # between games: when it goes on, what comes later, who has won
CODE_SIDE, CODE_SHARE = 44, 0.32  # u, and of the width: at most so large a code is
VEIL = 190  # of 255: how much the old picture is dimmed


def checked_card(
    pen: ScreenPen,
    claim: ClaimView,
    last: int | None,
    title: str,
    holder: str,
    word: str,
    missing: str,
    others: tuple[str, ...],
    symbols: tuple[Picture, ...],
) -> None:
    """Draw the card, its marks, serial and holder, and the verdict with its reason."""
    u = pen.u
    pen.plate(pen.box, pen.look.panel, 2.4)
    inner = pen.box.inset(2.6 * u, 2.0 * u)
    head, card, foot, verdict = inner.stack(0.13, 0.52, 0.08, 0.27, gap=round(0.8 * u))
    left, right = head.split(0.6, 0.4, gap=2 * u)
    pen.text(left, title, 3.6, pen.look.ivory)
    pen.text(right, holder, 2.5, pen.look.soft, "right")
    if any(claim.rows) or claim.numbers:
        _card(pen, card, claim, last, {one.number: one for one in symbols})
    else:
        pen.plate(card, pen.look.ground, 1.6, pen.look.edge, 0.4)
        pen.text(card, "?", 12, pen.look.soft, "centre")
    first, second = foot.split(0.55, 0.45, gap=2 * u)
    pen.text(first, missing, 2.1, pen.look.ivory)
    pen.text(second, "   ".join(others), 1.8, pen.look.soft, "right")
    _verdict(pen, verdict, claim, word)


def places(
    rows: tuple[tuple[int, ...], ...], columns: Columns = Columns.TENS_FIRST
) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """Return how many columns a card has, and the column of each number.

    Nine columns by tens, as Loto cards are, if no two numbers of a row meet there; otherwise the
    numbers stand side by side.

    >>> places(((5, 11, 33, 50, 90),))
    (9, ((0, 1, 3, 5, 8),))
    >>> places(((1, 2, 3),))
    (3, ((0, 1, 2),))
    """
    by_tens = tuple(tuple(map(columns.of, row)) for row in rows)
    if all(len(set(row)) == len(row) for row in by_tens):
        return 9, by_tens
    return max(len(row) for row in rows), tuple(tuple(range(len(row))) for row in rows)


def _card(
    pen: ScreenPen, box: Box, claim: ClaimView, last: int | None, symbols: dict[int, Picture]
) -> None:
    """Draw the card, its pictures too; of a ticket unknown here its numbers, side by side."""
    u = pen.u
    rows = claim.rows or tuple(
        claim.numbers[start : start + 5] for start in range(0, len(claim.numbers), 5)
    )
    box = box.middle(box.w, box.h * len(rows) // max(3, len(rows)))
    pen.plate(box, pen.look.ivory, 1.6)
    standing = Columns.TENS_LAST if claim.tens_last else Columns.TENS_FIRST
    columns, where = (
        places(claim.rows, standing)
        if claim.rows
        else (5, tuple(tuple(range(len(row))) for row in rows))
    )
    marked, missing, winning = set(claim.marked), set(claim.missing), set(claim.winning)
    gap = 0.5 * u
    for row, spots, line in zip(rows, where, box.inset(1.2 * u).rows(len(rows), gap), strict=True):
        cells = line.columns(columns, gap)
        for cell in set(range(columns)) - set(spots):
            pen.plate(cells[cell], pen.look.ivory, 0.9, (214, 205, 184), 0.25)
        for number, spot in zip(row, spots, strict=True):
            cell_box = cells[spot]
            digits: Colour = pen.look.ink
            if number in winning:  # a frame, too: not everybody tells the colours apart
                pen.plate(cell_box, pen.look.green, 0.9, pen.look.gold, 0.9)
                digits = pen.look.gold if number == last else pen.look.ivory
            elif number in marked:
                pen.plate(cell_box, pen.look.ink, 0.9)
                digits = pen.look.gold if number == last else pen.look.ivory
            elif number in missing:
                pen.plate(cell_box, pen.look.gold, 0.9, pen.look.ink, 0.6)
            else:
                pen.plate(cell_box, pen.look.ivory, 0.9, (150, 142, 124), 0.25)
            numbered = cell_box.inset(0.6 * u)
            if number in symbols:
                upper, numbered = numbered.rows(2)
                pen.plate(upper, pen.look.ivory, 0.6)
                pictured(pen, upper, symbols[number])
            pen.number(numbered, number, min(5.2, 0.62 * cell_box.h / u), digits)


def _verdict(pen: ScreenPen, box: Box, claim: ClaimView, word: str) -> None:
    u, look = pen.u, pen.look
    of_verdict = {Verdict.VALID: (look.green, look.ivory), Verdict.ALREADY: (look.gold, look.ink)}
    fill, ink = of_verdict.get(claim.verdict, (look.red, look.ivory))
    pen.plate(box, fill, 1.6)
    inner = box.inset(2.2 * u, 1.2 * u)
    side = min(inner.h, round(10 * u))
    pen.text(inner.first(side), SIGN_OF[claim.verdict], 6.2, ink, "centre")
    words = inner.beyond(inner.x + side + round(1.5 * u))
    if claim.text and claim.text != word:
        upper, lower = words.rows(2)
        pen.text(upper, word, 4.2, ink)
        pen.paragraph(lower, claim.text, 2.4, ink)
    else:
        pen.text(words, word, 4.8, ink)


def test_frame(pen: ScreenPen, text: str, notice: str, display: str) -> None:
    """Draw the edges of the picture, marks in its corners and the text: what a television crops is
    missing there. With two televisions each shows the name of its display."""
    pen.wipe()
    u, box, look = pen.u, pen.box, pen.look
    line, long = max(2, round(0.5 * u)), round(14 * u)
    for edge in (
        box.head(line),
        box.under(box.bottom - line),
        box.first(line),
        box.beyond(box.right - line),
    ):
        pen.canvas.fill(look.soft, edge)
    for x in (0, box.w - long):
        for y in (0, box.h - 3 * line):
            pen.canvas.fill(look.gold, Box(x, y, long, 3 * line))
    for x in (0, box.w - 3 * line):
        for y in (0, box.h - long):
            pen.canvas.fill(look.gold, Box(x, y, 3 * line, long))
    inner = box.inset(12 * u, 24 * u)
    if display:
        name, inner = inner.stack(0.2, 0.8, gap=round(2 * u))
        pen.text(name, display, 8, look.gold, "centre")
    upper, lower = inner.stack(0.6, 0.4, gap=round(3 * u))
    pen.paragraph(upper, text, 5, look.ivory, "centre", 4)
    pen.paragraph(lower, notice, 3.4, look.gold, "centre", 3)


def waiting_claim(pen: ScreenPen, title: str, text: str, others: tuple[str, ...]) -> None:
    """Draw a claim with no card on the table yet."""
    u = pen.u
    pen.plate(pen.box, pen.look.panel, 2.4, pen.look.ivory, 0.6)
    upper, middle, lower = pen.box.inset(4 * u).stack(0.5, 0.35, 0.15, gap=round(u))
    pen.text(upper, title, 10, pen.look.ivory, "centre")
    pen.paragraph(middle, text, 3.2, pen.look.ivory, "centre", 3)
    pen.text(lower, "   ".join(others), 2.2, pen.look.soft, "centre")


def halted_banner(pen: ScreenPen, title: str, what: str, hall: str, test: str) -> None:
    """Draw the banner over the halted picture."""
    u = pen.u
    pen.plate(pen.box, pen.look.red, 1.2)
    inner = pen.box.inset(2 * u, 0.8 * u)
    pen.warning(inner, pen.look.ivory, pen.look.red)
    beside = inner.beyond(inner.x + inner.h + round(1.5 * u))
    left, middle, right = beside.split(0.6, 0.1, 0.3, gap=2 * u)
    used = pen.text(left, title, 3.4, pen.look.ivory) + round(2 * u)
    pen.text(left.beyond(left.x + used), what, 2.7, pen.look.ivory)
    pen.text(middle, test, 2.8, pen.look.ivory, "centre")
    pen.text(right, hall, 2.2, pen.look.ivory, "right")


def paper_procedure(pen: ScreenPen, why: tuple[str, ...], steps: tuple[str, ...]) -> None:
    """Draw what happened, and how the hall goes on with paper, step by step."""
    u = pen.u
    pen.plate(pen.box, pen.look.red, 1.8)
    lines = [("", text) for text in why[:1]]
    lines += [(str(index), step) for index, step in enumerate(steps, 1)]
    rows = pen.box.inset(2.6 * u, 1.6 * u).rows(max(5, len(lines)))
    for place, (mark, line) in zip(rows, lines, strict=False):
        pen.text(place.first(round(3 * u)), mark, 2.4, pen.look.ivory)
        indent = round(4 * u) if mark else 0
        pen.text(place.beyond(place.x + indent), line, 2.4, pen.look.ivory)


def rules(
    pen: ScreenPen,
    lead: str,
    title: str,
    sentences: tuple[str, ...],
    follows: str,
    code: tuple[str, str],
    test: tuple[str, str],
) -> None:
    """Draw the rules of the next game in short, in two columns, while there is a pause."""
    u, box = pen.u, pen.box
    pen.wipe()
    upper, middle, foot = box.inset(4 * u, 3 * u).stack(0.16, 0.77, 0.07, gap=round(u))
    pen.text(upper.head(round(3.5 * u)), lead, 2.4, pen.look.soft)
    pen.text(upper.under(upper.y + round(4 * u)), title, 5, pen.look.gold)
    if code[1]:
        right = _code_place(pen, middle)
        code_cell(pen, right, *code)
        middle = middle.first(right.x - middle.x - round(4 * u))
    half = (len(sentences) + 1) // 2
    for place, column in enumerate(middle.split(1.0, 1.0, gap=3 * u)):
        told = sentences[half * place : half * (place + 1)]
        rows = column.rows(half) if half else ()
        for number, (sentence, row) in enumerate(zip(told, rows, strict=False), half * place + 1):
            pen.text(row.first(round(3 * u)), str(number), 2.0, pen.look.soft)
            pen.paragraph(row.beyond(row.x + round(4 * u)), sentence, 2.0, pen.look.ivory, most=4)
    pen.text(foot, follows, 2.5, pen.look.soft)
    _test_corner(pen, test)


def calm(
    pen: ScreenPen,
    lead: str,
    title: str,
    facts: tuple[tuple[str, str], ...],
    lines: tuple[str, ...],
    notice: str,
    code: tuple[str, str],
    test: tuple[str, str],
) -> None:
    """Draw a pause: whose hall, or what it is for; what comes next; who has won; free space."""
    u, box = pen.u, pen.box
    pen.wipe()
    _knobs(pen)
    upper, middle, lower, foot = box.inset(8 * u).stack(0.32, 0.27, 0.27, 0.14, gap=round(u))
    if code[1]:
        right = _code_place(pen, middle._replace(h=foot.bottom - middle.y))
        code_cell(pen, right, *code)
        middle, lower, foot = (
            one.first(right.x - one.x - round(4 * u)) for one in (middle, lower, foot)
        )
    over = Box(upper.x, upper.y - round(4 * u), upper.w // 2, round(5 * u))
    pen.text(over, lead, 3.0, pen.look.soft)
    pen.paragraph(upper, title, 7.5, pen.look.ivory, "left", 2)
    pen.canvas.fill(pen.look.gold, (upper.x, upper.bottom, round(14 * u), max(2, round(0.7 * u))))
    wide = middle.w if code[1] else middle.w * 4 // 5
    below = middle.first(wide).under(middle.y + round(3 * u))
    shares = (2.2, *[1.0] * (len(facts) - 1)) if facts else (1.0,)
    for (label, value), place in zip(facts, below.split(*shares, gap=3 * u), strict=False):
        head = place.head(place.h // 3 if label else 1)
        pen.text(head, label, 2.0, pen.look.soft)
        pen.text(place.under(head.bottom), value, 4.4, pen.look.ivory)
    for line, row in zip(lines, lower.rows(LINES), strict=False):
        pen.text(row.first(wide), line, 2.5, pen.look.soft)
    pen.text(foot, notice, 3.2, pen.look.ivory)
    _test_corner(pen, test)


def _code_place(pen: ScreenPen, room: Box) -> Box:
    """Return where a code stands in a room: at its right end."""
    side = round(min(CODE_SIDE * pen.u, room.h - CODE_TEXT * pen.u, CODE_SHARE * room.w))
    high = side + round(CODE_TEXT * pen.u)
    return room.beyond(room.right - side).under(room.y + (room.h - high) // 2).head(high)


def _test_corner(pen: ScreenPen, test: tuple[str, str]) -> None:
    """Draw the sign of a TEST in the upper right corner, if there is one."""
    u, box = pen.u, pen.box
    if test[0]:
        width, margin = min(round(46 * u), box.w // 2), round(sizes().margin * u)
        left, high = box.right - width - margin, round(sizes().header * u)
        test_banner(pen, Box(left, margin, width, high), *test)


def _knobs(pen: ScreenPen) -> None:
    # Barrels seen from above, at the right edge: the only ornament.
    u, box = pen.u, pen.box
    for x, y, radius in ((1.0, 0.74, 38), (0.83, 1.03, 19)):
        for share, of in ((1.0, "panel"), (0.86, "ground"), (0.82, "panel"), (0.6, "ground")):
            colour = getattr(pen.look, of)
            pen.disc(round(x * box.w), round(y * box.h), max(1, round(radius * share * u)), colour)


def stale(pen: ScreenPen, title: str, why: str) -> None:
    """Dim the last known picture, and write across it that it may be old."""
    veil = pygame.Surface(pen.canvas.get_size(), pygame.SRCALPHA)
    veil.fill((*pen.look.ground, VEIL))
    pen.canvas.blit(veil, (0, 0))
    u, box = pen.u, pen.box
    band = Box(0, round(0.38 * box.h), box.w, round(24 * u))
    edge = round(2.4 * u)
    pen.canvas.fill(pen.look.ground, band)
    for tape in (band.head(edge), band.under(band.bottom - edge)):
        pen.hatch(tape, pen.look.ivory, pen.look.ground)
    upper, lower = band.inset(6 * u, 3.4 * u).rows(2)
    pen.text(upper, title, 6.2, pen.look.ivory, "centre")
    pen.text(lower, why, 3.0, pen.look.ivory, "centre")
