"""Print cards of Picture Loto: in each cell a picture, its name beneath, its number in a corner.

A cell is drawn once for a file, as a stamp, and each picture is in the file once however often it
is shown. Names are broken between words and made smaller, then narrower, until they fit. Where one
of a theme does not fit even so, none is printed: a cell without its name among others would look
like a fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from PIL import Image

from station.base.nouns import KNOBS, Columns
from station.paper.prints.card_layouts import DIGIT_HEIGHT, Area, CardLook, Face, TextPlace
from station.paper.prints.paper import Paper, broken, text_width
from station.programme.themes import Theme

FINE = 300 / 72  # dots of a printed picture for each point
EDGE = 1.2  # points that stay free around all that is in a cell
NUMBER_LEAST, NUMBER_MOST, NUMBER_SHARE = 6.0, 16.0, 0.2  # points, and of a cell's height
NAME_LEAST, NAME_MOST = 5.0, 13.0
STEP = 0.5  # points by which a name is made smaller
NAME_SPREAD = 1.5  # how many times larger the largest name of a theme is than the smallest
# of a cell's height, for all lines of a name; more only at the least size
NAME_SHARE, NAME_SHARE_LARGE = 0.28, 0.42
NAME_ROOM = 0.5  # of a cell's height: so much the picture always leaves
NARROWEST = 0.75  # of a letter's width
# line to line, over the first base line (É) and under the last (g): of the type's size
LEADING, OVER, UNDER = 1.12, 0.9, 0.25


@dataclass(frozen=True)
class Pictured:
    """Which pictures and words stand for the numbers.

    Attributes:
        words: whether the words are printed, too.
    """

    theme: Theme
    language: str
    words: bool = True


@dataclass(frozen=True)
class Name:
    """How a name is set: its lines, the type size, and the share of their width letters keep."""

    lines: tuple[str, ...]
    size: float
    narrowed: float

    @property
    def height(self) -> float:
        """Return the height of all lines."""
        return (LEADING * (len(self.lines) - 1) + OVER + UNDER) * self.size


@dataclass(frozen=True)
class CellContent:
    """The content of one cell.

    Attributes:
        cell: its place in the first row of the first card.
        number: where the number stands, in the upper left corner.
        picture: a square.
        name: beneath it; None where the names of the theme do not fit.
    """

    cell: Area
    number: TextPlace
    picture: Area
    name: Name | None


def figures(
    face: Face, look: CardLook, pictured: Pictured, columns: Columns = Columns.TENS_FIRST
) -> Mapping[int, CellContent]:
    """Return the cells of all ninety numbers, measured; with names if every one fits."""
    cell, numbers = face.cell(0, 0), range(1, KNOBS + 1)
    share = NAME_SHARE_LARGE if look.large else NAME_SHARE
    words = [pictured.theme.name(number, pictured.language) for number in numbers]

    def set_in(most: float) -> list[Name | None]:
        room = cell.width - 2 * EDGE
        return [fitted(text, room, cell.height, share=share, most=most) for text in words]

    sizes = [name.size for name in set_in(NAME_MOST) if name is not None]
    fits = len(sizes) == KNOBS and pictured.words
    names = set_in(NAME_SPREAD * min(sizes)) if fits else [None] * KNOBS
    return {
        number: _figure(face.cell(0, columns.of(number)), look, number, name)
        for number, name in zip(numbers, names, strict=True)
    }


def fitted(
    text: str, width: float, height: float, *, share: float, most: float = NAME_MOST
) -> Name | None:
    """Return a name as large as a cell allows; None if it would be too small to read.

    Args:
        width: what its lines may take, in points.
        height: of the whole cell.
        share: of that height, what all lines may take together.
        most: the largest size of the type.

    >>> fitted("dog", 50, 30, share=0.25)
    Name(lines=('dog',), size=6.5, narrowed=1.0)
    >>> fitted("American Declaration of Independence", 27, 25, share=0.25) is None
    True
    """
    size = min(most, share * height)
    while size > NAME_LEAST:
        name = _set(text, size, width, 1.0)
        if name is not None and name.height <= share * height:
            return name
        size -= STEP
    for narrowed in (1.0, 0.9, 0.8, NARROWEST):
        name = _set(text, NAME_LEAST, width, narrowed)
        if name is not None and name.height <= (1 - NAME_ROOM) * height:
            return name
    return None


def _set(text: str, size: float, width: float, narrowed: float) -> Name | None:
    lines = broken(text, size, width / narrowed)
    if max(text_width(line, size) for line in lines) * narrowed > width:
        return None
    return Name(tuple(lines), size, narrowed)


def _figure(cell: Area, look: CardLook, number: int, name: Name | None) -> CellContent:
    size = min(NUMBER_MOST, max(NUMBER_LEAST, NUMBER_SHARE * cell.height))
    tall, wide = DIGIT_HEIGHT * size, text_width("88", size, bold=look.bold)
    corner = TextPlace((cell.x + EDGE, cell.y + EDGE + tall), "start", size)
    right, below = cell.right - EDGE, cell.bottom - EDGE - (name.height if name is not None else 0)
    beside = min(cell.width - 3 * EDGE - wide, below - cell.y - EDGE)
    under = min(cell.width - 2 * EDGE, below - cell.y - 2 * EDGE - tall)
    side = max(beside, under)
    # Beside the number it stands in the middle of the cell if it can, else as far from the number
    # as it goes.
    left = (cell.x + right + EDGE - side) / 2
    if beside >= under:
        left = max(left, cell.x + 2 * EDGE + wide)
    top = cell.y + EDGE if beside >= under else cell.y + 2 * EDGE + tall
    square = Area(left, top + max(0.0, below - top - side) / 2, side, side)
    return CellContent(cell, corner, square, name)


class PictureCells:
    """The cells of one file, ready to be laid on its cards.

    Args:
        numbers: those that stand on the cards.
        columns: in which column each number stands.
    """

    def __init__(
        self,
        paper: Paper,
        face: Face,
        look: CardLook,
        pictured: Pictured,
        numbers: Iterable[int],
        columns: Columns = Columns.TENS_FIRST,
    ) -> None:
        self._rows = [face.cell(row, 0).y - face.cell(0, 0).y for row in range(3)]
        measured = figures(face, look, pictured, columns)
        for number in numbers:
            with paper.stamp(_stamp(number)):
                _lay(paper, look, number, measured[number], pictured)

    def lay(self, paper: Paper, rows: Iterable[Iterable[int]]) -> None:
        """Lay the numbers of a card at the place to which the page was moved."""
        for down, row in zip(self._rows, rows, strict=True):
            paper.raw(f"q 1 0 0 1 0 {-down:.3f} cm")
            for number in row:
                paper.stamped(_stamp(number))
            paper.raw("Q")


def _stamp(number: int) -> str:
    return f"cell-{number}"


def _lay(
    paper: Paper, look: CardLook, number: int, figure: CellContent, pictured: Pictured
) -> None:
    place, name = figure.picture, figure.name
    with Image.open(pictured.theme.entries[number].picture) as opened:
        picture = on_paper(opened, round(place.width * FINE), grey=look.contrast)
    paper.picture(picture, (place.x, place.y), (place.width, place.height))
    paper.words(figure.number.at, str(number), figure.number.size, bold=look.bold)
    if name is None:
        return
    middle = figure.cell.x + figure.cell.width / 2
    with paper.narrowed(middle, name.narrowed):
        for below, line in zip(reversed(range(len(name.lines))), name.lines, strict=True):
            base = figure.cell.bottom - EDGE - (UNDER + LEADING * below) * name.size
            paper.words((middle, base), line, name.size, anchor="middle")


def on_paper(picture: Image.Image, side: int, *, grey: bool) -> Image.Image:
    """Return a picture on white, no more than `side` dots wide."""
    ink = picture.convert("RGBA")
    whole = Image.alpha_composite(Image.new("RGBA", ink.size, "white"), ink)
    flat = whole.convert("L" if grey else "RGB")
    return flat if side >= flat.width else flat.resize((side, side), Image.Resampling.LANCZOS)
