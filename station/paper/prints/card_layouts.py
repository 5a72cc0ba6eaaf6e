"""Place everything on a page of printed cards, and on a card: in points from the upper left corner.

A page has 1, 2, 3, 6 (a strip) or 12 cards (two strips). A card has a head (serial, title, the
hall's logo), a QR, and a grid of three rows and nine columns. The QR stands at the head's end, or
beside the grid: whichever leaves room for the larger digits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Literal, TypeAlias

from station.base.errors import Unreadable
from station.base.nouns import COLUMNS, ROWS
from station.base.tongue import tr
from station.paper.prints.paper import MM, SIZES, text_width

Colours: TypeAlias = Literal["none", "strip", "series"]
Size: TypeAlias = Literal["a4", "letter"]

# cards a page: columns and rows of them
FORMS = {1: (1, 1), 2: (1, 2), 3: (1, 3), 6: (1, 6), 12: (2, 6)}
SIDE, FOOT, GAP = 10 * MM, 14 * MM, 4 * MM
# a cut mark's two ends, from the paper's edge: printers reach no further out
CUT = (4.5 * MM, 8 * MM)
PAD = 1.5 * MM
# with its quiet zone: at least this, or this share of the card's height
QR_SIDE, QR_SHARE = 15 * MM, 0.17
QR_EDGE = 1.0  # from the lines around it, so that they leave the quiet zone alone
HEAD, HEAD_SHARE = 7 * MM, 0.12
# of the size of the type: what a digit of the station's faces takes above the base line
DIGIT_HEIGHT = 0.729
NARROWEST = 0.85  # large digits grow in height to where this share of their width fills the cell
SMALLEST = 6.0  # points: nothing on a card is set smaller
MARK, LONGEST_MARK = 8.0, "99999-6"  # a strip's number and the card's in it
TWO_LINES = 11 * MM  # a head as high as this has two
LOGO_WIDE = 2.5  # times as wide as high, at most
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class CardLook:
    """How cards are printed.

    Attributes:
        per_page: 1, 2, 3, 6 or 12.
        size: of the paper.
        large: digits as large as their cells allow, and heavier.
        contrast: black on white, the blanks black, no colour at all.
        colours: each strip, or each series, has a colour of its own; a strip's number then stands
            on the card too.
        title: the hall's name, or what else stands on each card.
        qr: whether each card has its code.
    """

    per_page: int = 6
    size: Size = "a4"
    large: bool = False
    contrast: bool = False
    colours: Colours = "none"
    title: str = ""
    qr: bool = True

    def __post_init__(self) -> None:
        """Check that there is such a form.

        Raises:
            Unreadable: there is none.
        """
        if self.per_page not in FORMS:
            forms = ", ".join(map(str, FORMS))
            raise Unreadable(
                tr("{count} cards a page: there are {forms}", count=self.per_page, forms=forms)
            )
        if self.size not in SIZES:
            known = ", ".join(SIZES)
            raise Unreadable(tr("paper {size!r}: there are {sizes}", size=self.size, sizes=known))

    @property
    def landscape(self) -> bool:
        """Return whether the page lies along its long edge, as it does for a single card."""
        return self.per_page == 1

    @property
    def bold(self) -> bool:
        """Return whether the digits are set in the heavier face."""
        return self.large or self.contrast


@dataclass(frozen=True)
class Area:
    """A rectangle; y grows downwards."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Return the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Return the lower edge."""
        return self.y + self.height


@dataclass(frozen=True)
class TextPlace:
    """The place of a text: a point on its base line, which end is there, and the type size."""

    at: Point
    anchor: Literal["start", "end"]
    size: float


@dataclass(frozen=True)
class Face:
    """The places on a card.

    Attributes:
        head: what a series' colour fills.
        code: the QR with its quiet zone; None without.
        logo: where the hall's picture may stand; None without.
        digits: the size of their type.
        narrowed: the share of their width that they keep, for the sake of their height.
    """

    head: Area
    grid: Area
    code: Area | None
    logo: Area | None
    serial: TextPlace
    title: TextPlace
    mark: TextPlace
    digits: float
    narrowed: float

    def cell(self, row: int, column: int) -> Area:
        """Return the place of one number."""
        width, height = self.grid.width / COLUMNS, self.grid.height / ROWS
        return Area(self.grid.x + column * width, self.grid.y + row * height, width, height)


@dataclass(frozen=True)
class CardPage:
    """A page: its size, its cards in order (down a column, then the next), its cut marks."""

    width: float
    height: float
    cards: tuple[Area, ...]
    cuts: tuple[tuple[Point, Point], ...]


def sheet(look: CardLook) -> CardPage:
    """Return the places on a page of this look."""
    short, long = SIZES[look.size]
    width, height = (long, short) if look.landscape else (short, long)
    columns, rows = FORMS[look.per_page]
    across = (width - 2 * SIDE + GAP) / columns
    down = (height - SIDE - FOOT + GAP) / rows
    places = product(range(columns), range(rows))
    cards = tuple(
        Area(SIDE + column * across, SIDE + row * down, across - GAP, down - GAP)
        for column, row in places
    )
    lefts = [SIDE - GAP / 2 + column * across for column in range(columns + 1)]
    tops = [SIDE - GAP / 2 + row * down for row in range(rows + 1)]
    near, far = CUT
    upright = [
        ((x, a), (x, b)) for x in lefts for a, b in ((near, far), (height - near, height - far))
    ]
    lying = [((a, y), (b, y)) for y in tops for a, b in ((near, far), (width - near, width - far))]
    return CardPage(width, height, cards, (*upright, *lying))


def face(card: Area, look: CardLook, serial: float, *, logo: float = 0) -> Face:
    """Return the places on a card.

    Args:
        card: the whole of it.
        serial: how wide the longest serial is: `widest`.
        logo: how many times as wide as high the hall's picture is; 0 without one.

    Raises:
        Unreadable: the title is too long.
    """
    low = max(HEAD, HEAD_SHARE * card.height)
    if not look.qr:
        return _face(card, look, serial, logo, low, None, 0)
    side = max(QR_SIDE, QR_SHARE * card.height)
    left, taken = card.right - QR_EDGE - side, side + 2 * QR_EDGE
    above = _face(card, look, serial, logo, taken, Area(left, card.y + QR_EDGE, side, side), 0)
    # In the panel beside the grid the picture has room above the QR.
    free = card.height - side
    picture = Area(left + PAD, card.y + PAD, side - 2 * PAD, free - 2 * PAD) if logo else None
    down = Area(left, card.y + (free - QR_EDGE if logo else free / 2), side, side)
    beside = replace(_face(card, look, serial, 0, low, down, taken), logo=picture)
    return max(above, beside, key=lambda one: one.digits)


def widest(serials: Iterable[str]) -> float:
    """Return the width of the longest serial in type of one point."""
    width = cache(lambda letter: text_width(letter, 1, bold=True))
    return max(sum(map(width, serial)) for serial in serials)


def _face(
    card: Area,
    look: CardLook,
    serial: float,
    logo: float,
    tall: float,
    code: Area | None,
    panel: float,
) -> Face:
    """Return the places on a card, with a head that tall, and a panel that wide at the right."""
    head = Area(card.x, card.y, (code.x - QR_EDGE if code else card.right) - card.x, tall)
    grid = Area(card.x, card.y + tall, card.width - panel, card.height - tall)
    inner = tall - 2 * PAD
    wide = inner * min(logo, LOGO_WIDE)
    picture = Area(head.x + PAD, head.y + PAD, wide, inner) if logo else None
    left = (picture.right if picture else head.x) + PAD
    marked = text_width(LONGEST_MARK, MARK) + PAD if look.colours == "strip" else 0
    right = head.right - PAD - marked
    if tall > TWO_LINES:  # the title above the serial
        high = head.y + PAD + 0.36 * inner
        size = min(0.42 * inner, (head.right - PAD - left) / serial)
        serials = TextPlace((left, head.bottom - PAD - 0.1 * inner), "start", size)
        title = TextPlace((left, high), "start", _fitting(look.title, 0.36 * inner, right - left))
    else:
        high = head.bottom - 0.3 * tall
        serials = TextPlace((left, high), "start", min(0.62 * tall, 0.6 * (right - left) / serial))
        room = right - left - serials.size * serial - 2 * PAD
        title = TextPlace((right, high), "end", _fitting(look.title, 0.5 * tall, room))
    mark = TextPlace((head.right - PAD, high), "end", MARK)
    return Face(head, grid, code, picture, serials, title, mark, *_digits(grid, look))


def _fitting(text: str, size: float, width: float) -> float:
    """Return the type size, or a smaller one in which a text is no wider than `width`."""
    fits = min(size, width / (text_width(text, 1, bold=False) or 1))
    if fits < SMALLEST:
        raise Unreadable(
            tr(
                "the title {title!r} is too long for the cards: give a shorter one with --title",
                title=text,
            )
        )
    return fits


def _digits(grid: Area, look: CardLook) -> tuple[float, float]:
    """Return the digits' type size, and the share of their width that they keep."""
    wide, high, least = (0.9, 0.8, NARROWEST) if look.large else (0.8, 0.66, 1.0)
    pair = text_width("88", 1, bold=look.bold)
    across, down = wide * grid.width / COLUMNS, high * grid.height / ROWS
    size = min(across / (least * pair), down / DIGIT_HEIGHT)
    return size, min(1.0, across / (pair * size))
