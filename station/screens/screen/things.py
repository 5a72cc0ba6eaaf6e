"""Draw the things that lie on a table, once for all games: cards, knobs, dice, cubes, counters,
points.

Contracts are bars, fish have a tail, counters are round, suits have their shapes: these tell them
apart, not their colours alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pygame

from station.screens.screen.captions import on_a_card, parted, pictured
from station.screens.screen.ink import EMBLEMS, Colour
from station.screens.screen.layout import Box
from station.screens.screen.pen import Align, Picture, ScreenPen
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
    Thing,
)

BAR: Colour = (143, 208, 255)
SCALES: Colour = (255, 157, 138)
BONE: Colour = (200, 168, 102)  # a knob's edge, and a card's between faces of dice
HEARTS: Colour = (160, 24, 40)
BACK: tuple[Colour, Colour] = ((44, 66, 128), (30, 46, 94))  # stripes
BEECH: Colour = (226, 178, 112)  # a cube
PILE = 4  # pieces of one kind that are drawn; the number beside them says how many there are
HIGH = 2.5  # u: of a piece, where there is room
WIDTHS = {"contract": 1.5, "fish": 1.4, "counter": 0.9}  # of a piece that is 1 high
OVER = 0.24  # of a piece's width, that of one under another is seen
BETWEEN = 0.45  # of a piece's height, from one kind to the next
MINUS = 0.8  # of a piece's height, that the sign before a debt takes
CARD_WIDE = 0.72  # of a playing card's height
NUMBERS_WIDE = 2.5  # of a card with rows, at most
LARGEST = 15.0  # u: of a thing that has one size
GAP = 0.5  # u: between two of them
DIE = 0.84  # of a square's height, that a face of a die on it has
SUITS = "SHDC"


class ThingLook(NamedTuple):
    """The settings for drawing things.

    Attributes:
        newest: the number that was drawn last.
        symbols: the pictures that stand in the place of numbers.
    """

    newest: int | None
    symbols: Mapping[int, Picture]


# -- where they lie --------------------------------------------------------------------------------


def is_seen(thing: Thing) -> bool:
    """Return whether a thing is a picture; else it is a line: a pile, points, a caption."""
    return thing.kind in DRAWN


def places(pen: ScreenPen, box: Box, things: Sequence[Thing]) -> tuple[Box, ...]:
    """Return room for each of some pictures, in as many rows as make them largest."""
    if all(thing.kind == "number-card" for thing in things):
        return tuple(map(_of_numbers, _parts(box, len(things), 0.9 * pen.u)))
    wide = max(map(_wide, things))
    gap = GAP * pen.u

    def high(rows: int) -> float:
        columns = -(-len(things) // rows)
        return min(
            (box.h - gap * (rows - 1)) / rows,
            (box.w - gap * (columns - 1)) / columns / wide,
            LARGEST * pen.u,
        )

    rows = max(range(1, len(things) + 1), key=high)
    one = Box(0, 0, max(1, int(high(rows) * wide)), max(1, int(high(rows))))
    columns = -(-len(things) // rows)
    top = box.y + (box.h - rows * one.h - (rows - 1) * gap) / 2
    found: list[Box] = []
    for start in range(0, len(things), columns):
        count = len(things[start : start + columns])
        left = box.x + (box.w - count * one.w - (count - 1) * gap) / 2
        found += [
            Box(round(left + place * (one.w + gap)), round(top), one.w, one.h)
            for place in range(count)
        ]
        top += one.h + gap
    return tuple(found)


def _of_numbers(place: Box) -> Box:
    return place.middle(min(place.w, round(NUMBERS_WIDE * place.h)), place.h)


def _parts(box: Box, count: int, gap: float) -> tuple[Box, ...]:
    """Return room for `count` cards, in the rows that make the places of numbers largest."""

    def laid(rows: int) -> tuple[Box, ...]:
        return tuple(
            place for row in box.rows(rows, gap) for place in row.columns(-(-count // rows), gap)
        )[:count]

    return max(
        map(laid, range(1, count + 1)),
        key=lambda places: min(places[0].w / 5, places[0].h / 3),
        default=(),
    )


def _wide(thing: Thing) -> float:
    """Return how wide a picture is that is 1 high."""
    match thing:
        case NumberCardThing():
            return NUMBERS_WIDE
        case CheckCardThing():
            return max(map(len, thing.faces), default=1) / max(1, len(thing.faces))
        case PlayingCardThing() | PictureCardThing():
            return CARD_WIDE
    return 1.0


def letters(thing: Thing, place: Box) -> float:
    """Return how many pixels high a sign on a picture is: it must be readable in the hall."""
    match thing:
        case NumberCardThing():
            rows: tuple[tuple[int, ...], ...] = thing.rows
        case CheckCardThing():
            rows = thing.faces
        case _:
            return 0.45 * place.h
    return min(place.h / max(1, len(rows)), 0.8 * place.w / max(map(len, rows), default=1))


def wide(things: Sequence[Thing]) -> float:
    """Return how wide some pictures in one row are that are 1 high."""
    return sum(map(_wide, things))


# -- pictures --------------------------------------------------------------------------------------


def draw(pen: ScreenPen, box: Box, thing: Thing, look: ThingLook) -> None:
    """Draw a picture into its place."""
    DRAWN[thing.kind](pen, box, thing, look)


def _number_card(pen: ScreenPen, box: Box, card: NumberCardThing, look: ThingLook) -> None:
    u, symbols = pen.u, look.symbols
    pen.plate(box, pen.look.paper, 0.8)
    gap = max(1, round(0.15 * u))
    cells = [
        line.columns(len(row), gap)
        for row, line in zip(card.rows, box.inset(0.4 * u).rows(len(card.rows), gap), strict=True)
    ]
    parts = parted(cell for line in cells for cell in line) if symbols else None
    for place, (row, line) in enumerate(zip(card.rows, cells, strict=True), 1):
        for number, cell in zip(row, line, strict=True):
            pen.canvas.fill(pen.look.told if place == card.told else pen.look.place, cell)
            picture = on_a_card(pen, cell, parts, symbols[number]) if parts is not None else None
            if number in card.covered:
                _counter(pen, picture or cell, 0.36 if picture else 0.48)
            if number == look.newest:
                pygame.draw.rect(pen.canvas, pen.look.fresh, cell, max(2, round(0.25 * u)))
            if picture is None:
                digits = cell.inset(0.1 * cell.w, 0.16 * cell.h)
                pen.number(digits, number, 0.56 * cell.h / u, pen.look.ink, 0.9)


def _counter(pen: ScreenPen, cell: Box, share: float) -> None:
    """Draw a counter on a number; on a picture, leave the picture's edges free."""
    radius = max(2, round(share * min(cell.w, cell.h)))
    centre = (cell.x + cell.w // 2, cell.y + cell.h // 2)
    pen.disc(*centre, radius, (150, 98, 0))
    pen.disc(*centre, max(1, radius - max(1, radius // 9)), pen.look.gold)


def _playing_card(pen: ScreenPen, box: Box, card: PlayingCardThing, _: ThingLook) -> None:
    """Draw a card, rank above suit; the back has stripes."""
    corner = 0.1 * box.w / pen.u
    pen.plate(box, pen.look.paper, corner)
    inner = box.inset(max(1, 0.08 * box.w))
    if not card.face:
        for row in inner.rows(5):
            pen.hatch(row, *BACK)
        return
    rank, suit = card.face[:-1], card.face[-1]
    colour = HEARTS if suit in "HD" else pen.look.ink
    if suit not in SUITS or not rank:
        pen.text(inner, card.face, 0.3 * box.h / pen.u, pen.look.ink, "centre")
        return
    upper, lower = inner.rows(2)
    pen.text(upper, rank, 0.32 * box.h / pen.u, colour, "centre")
    pen.sign(lower.inset(0, 0.04 * box.h), suit, colour)


def _die(pen: ScreenPen, box: Box, die: DieThing, _: ThingLook) -> None:
    pen.plate(box, pen.look.ivory, 0.18 * box.w / pen.u)
    _pips(pen, box, die.spots)


def _pips(pen: ScreenPen, box: Box, spots: int) -> None:
    radius = max(1, round(0.095 * box.w))
    for column, row in SPOTS[spots]:
        x, y = (round((0.25 + 0.25 * place) * box.w) for place in (column, row))
        pen.disc(box.x + x, box.y + y, radius, pen.look.ink)


def _cube(pen: ScreenPen, box: Box, cube: CubeThing, _: ThingLook) -> None:
    """Draw a wooden cube from above; a blank side is empty."""
    pen.plate(box, BEECH, 0.08 * box.w / pen.u, pen.look.ink, 0.04 * box.w / pen.u)
    inner = box.inset(0.14 * box.w)
    if cube.mark in EMBLEMS:
        pen.sign(inner, cube.mark, pen.look.ink)
    else:
        pen.text(inner, cube.mark, 0.42 * box.h / pen.u, pen.look.ink, "centre")


def _picture_card(pen: ScreenPen, box: Box, card: PictureCardThing, _: ThingLook) -> None:
    """Draw a card with its picture; its name where the picture is not known."""
    pen.plate(box, pen.look.paper, 0.1 * box.w / pen.u)
    inner = box.inset(0.08 * box.w)
    if card.picture in EMBLEMS:
        pen.sign(inner, card.picture, pen.look.ink)
    else:
        pen.text(inner, card.name, 0.2 * box.h / pen.u, pen.look.ink, "centre")


def _check_card(pen: ScreenPen, box: Box, card: CheckCardThing, _: ThingLook) -> None:
    """Draw a card of squares; if all are faces of dice, with pips."""
    pips = all(face in SPOTS for faces in card.faces for face in faces)
    pen.plate(box, BONE if pips else pen.look.paper, 0.6)
    gap = max(1, round(0.12 * pen.u))
    checked, place = frozenset(card.checked), 0
    lines = box.inset(0.3 * pen.u).rows(max(1, len(card.faces)), gap)
    for faces, line in zip(card.faces, lines, strict=False):
        for face, cell in zip(faces, line.columns(len(faces), gap), strict=True):
            pen.canvas.fill(pen.look.place, cell)
            if place in checked:
                _counter(pen, cell, 0.48)
            if place in card.choice:
                pygame.draw.rect(pen.canvas, pen.look.fresh, cell, max(2, round(0.25 * pen.u)))
            if pips:
                side = round(DIE * min(cell.w, cell.h))
                _pips(pen, cell.middle(side, side), face)
            else:
                sign, cap = cell.inset(0.08 * cell.w, 0), 0.4 * cell.h / pen.u
                pen.text(sign, str(face), cap, pen.look.ink, "centre")
            place += 1


def _knob(pen: ScreenPen, box: Box, one: KnobThing, look: ThingLook) -> None:
    knob(pen, box, one.number, one.newest, look)


def knob(pen: ScreenPen, cell: Box, number: int, newest: bool, look: ThingLook) -> None:
    """Draw a knob as it lies in a cavity; the newest is gold."""
    side = cell.w
    radius = round(0.46 * side)
    centre = (cell.x + side // 2, cell.y + side // 2)
    edge, face = ((255, 255, 255), pen.look.gold) if newest else (BONE, pen.look.ivory)
    pen.disc(*centre, radius, edge)
    pen.disc(*centre, max(1, radius - max(2, side // 16)), face)
    inner = cell.inset(0.2 * side)
    if number in look.symbols:
        pictured(pen, inner, look.symbols[number])
    else:
        pen.number(inner, number, 0.48 * side / pen.u, pen.look.ink, 0.9)


# How each kind is drawn. What is not here is a line.
DRAWN: Mapping[str, Callable[[ScreenPen, Box, Any, ThingLook], None]] = {
    "number-card": _number_card,
    "playing-card": _playing_card,
    "picture-card": _picture_card,
    "die": _die,
    "cube": _cube,
    "check-card": _check_card,
    "knob": _knob,
}


# -- counters --------------------------------------------------------------------------------------


def pieces(
    pen: ScreenPen, box: Box, shown: PileThing, colour: Colour, align: Align = "right"
) -> None:
    """Draw a sum: pieces of each kind, stacked if there is room, and counts; a debt with minus."""
    owed = shown.units < 0
    colour = pen.look.rose if owed else colour
    kinds = _kinds(shown)
    if not kinds:
        pen.text(box, amount(shown), 1.5, colour, align)
        return
    most = _tallest(pen, box)
    piles = ((pile, _longs(kinds, pile)) for pile in range(PILE, 0, -1))
    pile, long = next(one for one in piles if one[0] == 1 or box.w >= 0.8 * most * sum(one[1]))
    whole = sum(long) + BETWEEN * (len(long) - 1) + (MINUS if owed else 0)
    high = min(most, box.w / whole)
    left = box.x + {"left": 0.0, "centre": 0.5, "right": 1.0}[align] * (box.w - high * whole)
    if owed:
        sign = Box(round(left), box.y, round(MINUS * high), box.h)
        pen.text(sign, "–", 0.78 * high / pen.u, colour)
        left += MINUS * high
    for (kind, count), room in zip(kinds, long, strict=True):
        wide = WIDTHS[kind] * high
        top, size = round(box.y + (box.h - high) / 2), (round(wide), round(high))
        for turn in range(min(count, pile)):
            _piece(pen, kind, Box(round(left + turn * OVER * wide), top, *size))
        digits = high * len(str(count))
        label = Box(round(left + room * high - digits), box.y, round(digits), box.h)
        pen.text(label, str(count), 0.78 * high / pen.u, colour, "right")
        left += (room + BETWEEN) * high


def _long(kind: str, count: int, pile: int) -> float:
    """Return how long a pile is with its number, if a piece is 1 high."""
    return WIDTHS[kind] * (1 + OVER * (min(count, pile) - 1)) + 0.25 + len(str(count))


def _piece(pen: ScreenPen, kind: str, box: Box) -> None:
    if kind == "counter":
        radius = max(2, round(0.45 * box.h))
        centre = (box.x + box.w // 2, box.y + box.h // 2)
        pen.disc(*centre, radius, pen.look.ink)
        pen.disc(*centre, max(1, radius - 1), pen.look.gold)
        pen.disc(*centre, max(1, radius // 2), (190, 132, 20))
    elif kind == "contract":
        pygame.draw.rect(pen.canvas, pen.look.ink, box, border_radius=max(1, box.h // 6))
        pygame.draw.rect(pen.canvas, BAR, box.inset(1), border_radius=max(1, box.h // 6))
    else:
        x, y, w, h = box
        back = ((0, 0.5), (0.16, 0.14), (0.42, 0.02), (0.7, 0.34), (1, 0), (0.9, 0.5))
        belly = ((1, 1), (0.7, 0.66), (0.42, 0.98), (0.16, 0.86))
        points = [(x + w * dx, y + h * dy) for dx, dy in (*back, *belly)]
        pygame.draw.polygon(pen.canvas, SCALES, points)
        pygame.draw.polygon(pen.canvas, pen.look.ink, points, 1)


def least_wide(pen: ScreenPen, box: Box, shown: PileThing) -> float:
    """Return how many pixels a sum takes in such a box, with one piece of each kind."""
    long = _longs(_kinds(shown), 1)
    owed = MINUS if shown.units < 0 else 0
    return _tallest(pen, box) * (sum(long) + BETWEEN * (len(long) - 1) + owed)


def _tallest(pen: ScreenPen, box: Box) -> float:
    return min(0.62 * box.h, HIGH * pen.u)


def _longs(kinds: Sequence[tuple[str, int]], pile: int) -> list[float]:
    return [_long(kind, count, pile) for kind, count in kinds]


def amount(shown: PileThing) -> str:
    """Return a sum as text, a debt with a minus."""
    return f"–{shown.text}" if shown.units < 0 else shown.text


def lies_there(shown: PileThing) -> bool:
    """Return whether pieces are drawn; money has none."""
    return bool(_kinds(shown))


def _kinds(shown: PileThing) -> list[tuple[str, int]]:
    counts = (("contract", shown.contracts), ("fish", shown.fish), ("counter", shown.singles))
    return [(kind, count) for kind, count in counts if count]
