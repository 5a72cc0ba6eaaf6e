"""Draw pictures of Picture Loto with captions, and choose a screen's QR code and its text.

A caption is a whole word or the number, never half a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from station.screens.screen.ink import Colour
from station.screens.screen.layout import Box
from station.screens.screen.pen import Picture, ScreenPen
from station.wire.board_view import BoardView

LABELS = ("code", "join-here")  # {address} {seconds}


def code_of(labels: Mapping[str, str], view: BoardView) -> tuple[str, str]:
    """Return the text and the code: where players join while the table is open, else the record's
    newest head. The code is empty where the screen shows none."""
    if view.joining is not None and view.pages:
        address = f"{view.pages}/join"
        return labels["join-here"].format(address=address, seconds=view.joining.seconds), address
    return labels["code"], view.code


# -- captions of pictures --------------------------------------------------------------------------

LEGIBLE = 1.1  # u: capitals lower than this are not read in the hall
LEGIBLE_PX = 6  # nor are those of fewer pixels, however small the screen
SMALLEST = 16  # pixels of a picture that can still be told from others
# How much of the height the word may take with so many lines: only as many as make it readable.
SHARES = ((1, 0.24), (2, 0.34), (3, 0.44))
NUMBER = 0.3  # of the height, where it stands alone
LARGE = 0.6  # of the height that the capitals are wished for: with this no line more is taken
WIDE = 1.3  # a place so much wider than high has its number at the picture's left


def pictured(pen: ScreenPen, box: Box, symbol: Picture) -> None:
    """Draw a picture, as large as the box carries."""
    side = max(4, min(box.w, box.h))
    pen.picture(box.middle(side, side), symbol.file)


def captioned(
    pen: ScreenPen, box: Box, symbol: Picture, cap: float, colour: Colour, *, numbered: bool
) -> None:
    """Draw a picture and its word under it, smaller or in more lines if it is long; its number if
    the word could not be read.

    Args:
        cap: how many u high the word's capitals are, or less.
        numbered: write the number after the word.
    """
    text = f"{symbol.word} · {symbol.number}" if numbered else symbol.word
    readable = _readable(pen, box, text, cap)
    place, most = readable or (_foot(box, NUMBER), 1)
    pictured(pen, box.head(round(place.y - 0.03 * box.h) - box.y), symbol)
    if readable is None:
        pen.text(place, str(symbol.number), cap, colour, "centre")
    else:
        pen.paragraph(place, text, cap, colour, "centre", most)


def _readable(pen: ScreenPen, box: Box, text: str, cap: float) -> tuple[Box, int] | None:
    """Return where a text stands, and in how many lines; None if there is no room to read it."""
    least = max(LEGIBLE * pen.u, LEGIBLE_PX)
    found = []
    for most, share in SHARES:
        place = _foot(box, share)
        lines, high = pen.broken(place, text, cap, most)
        found.append((high, place, len(lines)))
        if high >= max(least, LARGE * cap * pen.u):
            break
    high, place, count = max(found, key=lambda one: one[0])
    return (place, count) if high >= least else None


def _foot(box: Box, share: float) -> Box:
    return box.under(box.bottom - round(share * box.h))


class Parts(NamedTuple):
    """The parts of a card's place for picture and number, relative to the place's corner."""

    picture: Box
    number: Box


def parted(cells: Iterable[Box]) -> Parts | None:
    """Return how the places of a card are divided, all of them alike; None if pictures would be too
    small to recognize: then numbers stand alone."""
    sizes = [(cell.w, cell.h) for cell in cells]
    w, h = min(w for w, _ in sizes), min(h for _, h in sizes)
    if w > WIDE * h:
        number, picture = Box(0, 0, w, h).split(0.4, 0.6)
    else:
        side = min(w, h - round(0.34 * h))
        high = min(side, h - side)
        top = (h - side - high) // 2
        picture, number = Box(0, top, w, side), Box(0, top + side, w, high)
    picture = picture.inset(max(1, round(0.04 * picture.h)))
    return Parts(picture, number) if min(picture.w, picture.h) >= SMALLEST else None


def on_a_card(pen: ScreenPen, cell: Box, parts: Parts, symbol: Picture) -> Box:
    """Draw a picture and its number, apart; return the picture's box, for a counter on it."""
    picture, number = (Box(cell.x + part.x, cell.y + part.y, part.w, part.h) for part in parts)
    pictured(pen, picture, symbol)
    pen.number(
        number.inset(0.06 * number.w, 0.06 * number.h),
        symbol.number,
        0.8 * number.h / pen.u,
        pen.look.ink,
        0.9,
    )
    return picture
