"""Draw pages of PDF: words in every language, boxes and lines, and whole drawings; y grows
downwards from the upper edge.

Letters are set in the station's own two faces. A script that they lack, and that must be shaped
(Devanagari), is set by Pillow with another face of `station/base/fonts` and laid on the page as a
fine picture.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from itertools import groupby
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont, features
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from station.base.errors import Unreadable
from station.base.tongue import tr
from station.base.typed import shown
from station.paper.pen import Path as Line
from station.paper.pen import Point, Ring, RoundedBox, SvgPen, TextLine

FONTS = Path(__file__).parents[2] / "base" / "fonts"
FACES = {False: "page", True: "page-bold"}
MM = 72 / 25.4
SIZES = {"a4": (210 * MM, 297 * MM), "letter": (8.5 * 72, 11 * 72)}
SLIPS = {"a6": (105 * MM, 148 * MM)}  # small pages, for what is handed out
FINE = 450 / 72  # dots of a laid-on picture for each point
INK, GREY, LIGHT, SHADE = "#000000", "#666666", "#bbbbbb", "#e8e8e8"


class Paper:
    """A PDF in the making; `save()` gives its bytes. Lengths are points of 1/72 inch.

    Args:
        title: what the reader's window says.
        size: "a4" or "letter", or "a6" for a slip.
        landscape: whether the long edge lies.
        trial: words are measured and not set, to find out how much room they take.
    """

    def __init__(
        self, title: str, size: str = "a4", *, landscape: bool = False, trial: bool = False
    ) -> None:
        short, long = (SIZES | SLIPS)[size]
        self.width, self.height = (long, short) if landscape else (short, long)
        self._bytes = BytesIO()
        # Without a time in it, the same words give the same file.
        self._canvas = Canvas(self._bytes, pagesize=(self.width, self.height), invariant=1)
        self._canvas.setTitle(title)
        self._canvas.setAuthor("loto-station")
        self.pages = 1
        self._trial = trial

    def save(self) -> bytes:
        """Return the whole file."""
        self._canvas.save()
        return self._bytes.getvalue()

    def next_page(self) -> None:
        """Begin a new page."""
        self._canvas.showPage()
        self.pages += 1

    def words(
        self,
        at: Point,
        text: str,
        size: float,
        *,
        bold: bool = False,
        colour: str = INK,
        anchor: str = "start",
    ) -> None:
        """Draw one line of text on the base line `at`; `anchor` is start, middle or end.

        Raises:
            Unreadable: no face has its letters.
        """
        if self._trial:
            return
        left = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        x = at[0] - left * text_width(text, size, bold=bold)
        for run, ours in _runs(shown(text), bold):
            if ours:
                self._canvas.setFont(_face(bold), size)
                self._canvas.setFillColor(colour)
                self._canvas.drawString(x, self.height - at[1], run)
            else:
                picture, before, above = _shaped(run, size, colour)
                width, height = picture.width / FINE, picture.height / FINE
                corner = (x + before, self.height - at[1] + above - height)
                self._canvas.drawImage(ImageReader(picture), *corner, width, height, mask="auto")
            x += _run_width(run, size, bold=bold, ours=ours)

    def paragraph(
        self,
        at: Point,
        text: str,
        size: float,
        width: float,
        *,
        bold: bool = False,
        colour: str = INK,
    ) -> float:
        """Draw text in lines no wider than `width`; return the base line after the last one."""
        x, y = at
        for line in broken(text, size, width, bold=bold):
            self.words((x, y), line, size, bold=bold, colour=colour)
            y += size * 1.35
        return y

    def box(
        self,
        at: Point,
        size: Point,
        *,
        fill: str = "none",
        edge: str = INK,
        round_: float = 0,
        thick: float = 1,
    ) -> None:
        """Draw a rectangle, `at` its upper left corner."""
        filled, edged = self._pens(fill, edge, thick)
        y = self.height - at[1] - size[1]
        self._canvas.roundRect(at[0], y, size[0], size[1], round_, stroke=edged, fill=filled)

    def ring(
        self, at: Point, radius: float, *, fill: str = "none", edge: str = INK, thick: float = 1
    ) -> None:
        """Draw a circle."""
        filled, edged = self._pens(fill, edge, thick)
        self._canvas.circle(at[0], self.height - at[1], radius, stroke=edged, fill=filled)

    def line(self, start: Point, end: Point, *, colour: str = INK, thick: float = 1) -> None:
        """Draw a straight line."""
        self._pens("none", colour, thick)
        self._canvas.line(start[0], self.height - start[1], end[0], self.height - end[1])

    @contextmanager
    def clipped(self, at: Point, size: Point) -> Iterator[None]:
        """Show of what is drawn meanwhile only what lies in that rectangle."""
        self._canvas.saveState()
        path = self._canvas.beginPath()
        path.rect(at[0], self.height - at[1] - size[1], *size)
        self._canvas.clipPath(path, stroke=0, fill=0)
        yield
        self._canvas.restoreState()

    def drawing(self, pen: SvgPen, at: Point, scale: float) -> None:
        """Draw a whole drawing, its upper left corner `at`, `scale` points for each unit."""

        def place(point: Point) -> Point:
            return at[0] + point[0] * scale, at[1] + point[1] * scale

        for mark in pen.marks:
            match mark:
                case TextLine(on, text, size, bold, colour, anchor):
                    self.words(
                        place(on), text, size * scale, bold=bold, colour=colour, anchor=anchor
                    )
                case RoundedBox(corner, sides, fill, edge, round_, thick):
                    wide, high = (side * scale for side in sides)
                    pens = {
                        "round_": min(round_ * scale, wide / 2, high / 2),
                        "thick": thick * scale,
                    }
                    self.box(place(corner), (wide, high), fill=fill, edge=edge, **pens)
                case Ring(middle, radius, fill, edge, thick):
                    thick *= scale
                    self.ring(place(middle), radius * scale, fill=fill, edge=edge, thick=thick)
                case Line():
                    self._path(mark, at, scale)

    def picture(self, image: Image.Image, at: Point, size: Point) -> None:
        """Draw a picture stretched to `size`, its upper left corner `at`."""
        y = self.height - at[1] - size[1]
        self._canvas.drawImage(ImageReader(image), at[0], y, *size, mask="auto")

    @contextmanager
    def narrowed(self, x: float, share: float) -> Iterator[None]:
        """Narrow what is drawn meanwhile to that share of its width; the position `x` stays."""
        self._canvas.saveState()
        self._canvas.transform(share, 0, 0, 1, x * (1 - share), 0)
        yield
        self._canvas.restoreState()

    @contextmanager
    def stamp(self, name: str) -> Iterator[None]:
        """Keep what is drawn meanwhile once in the file; `stamped` prints it as often as wanted."""
        self._canvas.beginForm(name)
        yield
        self._canvas.endForm()

    def stamped(self, name: str) -> None:
        """Print a stamp where it was drawn, or where `raw` has moved the page to."""
        self._canvas.doForm(name)

    def raw(self, operators: str) -> None:
        """Add PDF's own operators, for thousands of words; their y grows from the lower edge."""
        self._canvas.addLiteral(operators)

    def raw_face(self, *, bold: bool = False) -> str:
        """Return a face's name for a Tf in `raw`; in a Tj, ASCII letters stand for themselves."""
        text = self._canvas.beginText()
        text.setFont(_face(bold), 1)
        text.textOut("0")
        (name,) = re.findall(r"(/\S+) 1 Tf", text.getCode())
        return str(name)

    def _path(self, line: Line, at: Point, scale: float) -> None:
        filled, edged = self._pens(line.fill, line.colour, line.thick * scale)
        canvas = self._canvas
        canvas.saveState()
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        if line.dash:
            canvas.setDash([float(part) * scale for part in line.dash.split()])
        path = canvas.beginPath()
        for step, points in path_steps(line.d):
            flat: list[float] = []
            for x, y in points:
                flat += at[0] + x * scale, self.height - at[1] - y * scale
            getattr(path, {"M": "moveTo", "L": "lineTo", "C": "curveTo", "Z": "close"}[step])(*flat)
        canvas.drawPath(path, stroke=edged, fill=filled)
        canvas.restoreState()

    def _pens(self, fill: str, edge: str, thick: float) -> tuple[int, int]:
        if fill != "none":
            self._canvas.setFillColor(fill)
        if edge != "none":
            self._canvas.setStrokeColor(edge)
        self._canvas.setLineWidth(thick)
        return int(fill != "none"), int(edge != "none" and thick > 0)


def path_steps(d: str) -> Iterator[tuple[str, list[Point]]]:
    """Yield a path in absolute steps: M and L with one point, C with three, Z with none.

    >>> list(path_steps("M1 2 h3 v-1 l1 1 Z"))
    [('M', [(1.0, 2.0)]), ('L', [(4.0, 2.0)]), ('L', [(4.0, 1.0)]), ('L', [(5.0, 2.0)]), ('Z', [])]

    Raises:
        Unreadable: a letter that the drawings do not use.
    """
    x = y = 0.0
    for letter, text in re.findall(r"([A-Za-z])([^A-Za-z]*)", d):
        given = [float(part) for part in re.findall(r"-?[\d.]+", text)]
        if letter in "Zz":
            yield "Z", []
            continue
        if letter in "Hh":
            points = [(given[0] + (x if letter == "h" else 0), y)]
        elif letter in "Vv":
            points = [(x, given[0] + (y if letter == "v" else 0))]
        elif letter in "MLlc":
            start = (x, y) if letter.islower() else (0, 0)
            pairs = zip(given[::2], given[1::2], strict=True)
            points = [(start[0] + right, start[1] + down) for right, down in pairs]
        else:
            raise Unreadable(f"the path {d!r} has the letter {letter}, which no drawing uses")
        x, y = points[-1]
        if letter in "Cc":
            yield "C", points
        else:
            yield from (("M" if letter == "M" else "L", [point]) for point in points)


def broken(text: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """Return a text as lines no wider than `width`, broken between words."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a line, in points."""
    runs = _runs(shown(text), bold)
    return sum(_run_width(run, size, bold=bold, ours=ours) for run, ours in runs)


@lru_cache(maxsize=4096)
def _run_width(run: str, size: float, *, bold: bool, ours: bool) -> float:
    if ours:
        return float(pdfmetrics.stringWidth(run, _face(bold), size))
    return _other_face(run, size).getlength(run) / FINE


@lru_cache
def _face(bold: bool) -> str:
    name = FACES[bold]
    pdfmetrics.registerFont(TTFont(name, str(FONTS / f"{name}.ttf")))
    return name


def _runs(text: str, bold: bool) -> Iterator[tuple[str, bool]]:
    """Yield the text in pieces, each with whether the station's own faces have its letters."""
    glyphs = pdfmetrics.getFont(_face(bold)).face.charToGlyph
    for ours, letters in groupby(text, key=lambda letter: ord(letter) in glyphs):
        yield "".join(letters), ours


@lru_cache
def _letters() -> dict[Path, frozenset[int]]:
    """Return the letters of each font."""
    files = sorted(FONTS.glob("*.ttf"))
    return {path: frozenset(TTFont(path.stem, str(path)).face.charToGlyph) for path in files}


def _other_face(text: str, size: float) -> ImageFont.FreeTypeFont:
    wanted = {ord(letter) for letter in text}
    for path, letters in _letters().items():
        if wanted <= letters:
            return _opened(path, round(size * FINE))
    raise Unreadable(
        tr("{text!r} cannot be printed: no font of the station has all of its letters", text=text)
    )


@lru_cache
def _opened(path: Path, dots: int) -> ImageFont.FreeTypeFont:
    if not features.check("raqm"):
        raise Unreadable(
            tr(
                "{file} cannot be used: Pillow lacks raqm here (apt install libfribidi0)",
                file=path.name,
            )
        )
    return ImageFont.truetype(path, dots, layout_engine=ImageFont.Layout.RAQM)


def _shaped(text: str, size: float, colour: str) -> tuple[Image.Image, float, float]:
    """Return the text as a picture, its left edge's offset, its upper edge above the base line."""
    font = _other_face(text, size)
    left, top, right, bottom = font.getbbox(text, anchor="ls")
    dots = max(1, math.ceil(right - left)), max(1, math.ceil(bottom - top))
    picture = Image.new("RGBA", dots, f"{colour}00")
    ImageDraw.Draw(picture).text((-left, -top), text, font=font, fill=colour, anchor="ls")
    return picture, left / FINE, -top / FINE
