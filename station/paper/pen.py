"""Draw pictures in one style for the whole project: boxes, wires, words, symbols of a circuit.

A `SvgPen` keeps what was drawn as plain marks. `station.paper.prints.paper` puts them on a page;
`docs/svg.py` writes the same ones as an SVG.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from station.base.typed import shown

Point: TypeAlias = tuple[float, float]

INK = "#1d2733"
SOFT = "#5b6876"
PAPER = "#ffffff"
PANEL = "#f3f5f7"
EDGE = "#c6cfd8"
RED = "#c62828"
BLACK = "#20262c"
BLUE = "#1565c0"
GREEN = "#2e7d32"
PURPLE = "#6a1b9a"
AMBER = "#d97706"
TEAL = "#00838f"
PINK = "#ad1457"


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of text; `at` is on its base line, `anchor` is start, middle or end."""

    at: Point
    text: str
    size: float
    bold: bool
    colour: str
    anchor: str


@dataclass(frozen=True, slots=True)
class RoundedBox:
    """A rectangle with round corners; `at` is its upper left corner."""

    at: Point
    size: Point
    fill: str
    edge: str
    round: float
    thick: float


@dataclass(frozen=True, slots=True)
class Ring:
    """A circle."""

    at: Point
    radius: float
    fill: str
    edge: str
    thick: float


@dataclass(frozen=True, slots=True)
class Path:
    """A line in SVG's letters M L H V l h v c Z, no others; `fill` and `colour` may be "none"."""

    d: str
    colour: str
    thick: float
    fill: str
    dash: str


@dataclass(frozen=True, slots=True)
class Group:
    """The beginning of a group, which ends with `None`; by `data` a test finds what was drawn."""

    data: tuple[tuple[str, str], ...]


Mark: TypeAlias = TextLine | RoundedBox | Ring | Path | Group | None


def number(value: float) -> str:
    """Return a length as text with at most two decimals.

    >>> number(3.0), number(0.125), number(-0.001)
    ('3', '0.12', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class SvgPen:
    """A picture of `width` × `height` user units on white paper.

    Every method adds to the picture at the given place; y grows downwards.
    """

    def __init__(self, width: float, height: float, title: str) -> None:
        """Take a blank sheet; a screen reader says `title`."""
        self.width, self.height, self.title = width, height, title
        self.marks: list[Mark] = []

    def begin(self, **data: object) -> None:
        """Open a group with data-… attributes, by which a test finds what was drawn."""
        self.marks.append(Group(tuple((name, str(value)) for name, value in data.items())))

    def end(self) -> None:
        """Close the group."""
        self.marks.append(None)

    def words(
        self,
        at: Point,
        text: str,
        *,
        size: float = 14,
        bold: bool = False,
        colour: str = INK,
        anchor: str = "start",
    ) -> None:
        """Draw one line of text; `anchor` is start, middle or end."""
        self.marks.append(TextLine(at, shown(text), size, bold, colour, anchor))

    def lines(
        self,
        at: Point,
        texts: Iterable[str],
        *,
        size: float = 13,
        colour: str = SOFT,
        anchor: str = "start",
    ) -> None:
        """Draw lines of text, one under the other."""
        for index, text in enumerate(texts):
            place = at[0], at[1] + index * size * 1.45
            self.words(place, text, size=size, colour=colour, anchor=anchor)

    def box(
        self,
        at: Point,
        size: Point,
        *,
        fill: str = PANEL,
        edge: str = EDGE,
        round_: float = 8,
        thick: float = 1.5,
    ) -> None:
        """Draw a rectangle with round corners."""
        self.marks.append(RoundedBox(at, size, fill, edge, round_, thick))

    def ring(
        self, at: Point, radius: float, *, fill: str = PAPER, edge: str = INK, thick: float = 2
    ) -> None:
        """Draw a circle."""
        self.marks.append(Ring(at, radius, fill, edge, thick))

    def path(
        self, d: str, *, colour: str = INK, thick: float = 2.5, fill: str = "none", dash: str = ""
    ) -> None:
        """Draw any line, in the letters that `Path` names."""
        self.marks.append(Path(d, colour, thick, fill, dash))

    def wire(self, *points: Point, colour: str = INK, thick: float = 3, dash: str = "") -> None:
        """Draw a wire through the points."""
        self.path("M" + " L".join(map(_pair, points)), colour=colour, thick=thick, dash=dash)

    def arrow(
        self,
        *points: Point,
        colour: str = SOFT,
        thick: float = 2.5,
        both: bool = False,
        head: float = 9,
    ) -> None:
        """Draw a line through the points, an arrowhead of length `head` at its end, or at both."""
        self.wire(*points, colour=colour, thick=thick)
        self._head(points[-2], points[-1], colour, head)
        if both:
            self._head(points[1], points[0], colour, head)

    def _head(self, start: Point, tip: Point, colour: str, length: float = 9) -> None:
        dx, dy = tip[0] - start[0], tip[1] - start[1]
        whole = (dx * dx + dy * dy) ** 0.5
        ux, uy = dx / whole * length, dy / whole * length
        left = tip[0] - ux - uy * 0.6, tip[1] - uy + ux * 0.6
        right = tip[0] - ux + uy * 0.6, tip[1] - uy - ux * 0.6
        d = "M" + " L".join(map(_pair, (tip, left, right))) + " Z"
        self.path(d, colour=colour, thick=length / 9, fill=colour)

    def joint(self, at: Point, colour: str = INK) -> None:
        """Draw the joint of wires that meet here."""
        self.ring(at, 4.5, fill=colour, edge=colour, thick=1)

    def hop(self, at: Point, colour: str) -> None:
        """Draw a horizontal wire that passes over a vertical one without touching it."""
        x, y = at
        self.wire((x - 7, y), (x + 7, y), colour=PAPER, thick=5)
        self.path(f"M{_pair((x - 7, y))} c0 -9.3 14 -9.3 14 0", colour=colour, thick=3)

    def resistor(self, at: Point, value: str, *, upright: bool = False) -> None:
        """Draw a resistor of 60 × 18, its middle at `at`."""
        x, y = at
        width, height = size = (18, 60) if upright else (60, 18)
        self.box((x - width / 2, y - height / 2), size, fill="#f4e3c1", edge=INK, round_=3)
        where = (x + 16, y + 5) if upright else (x, y - 15)
        self.words(where, value, size=13, bold=True, anchor="start" if upright else "middle")

    def capacitor(self, at: Point, value: str) -> None:
        """Draw a capacitor in an upright wire, 8 high, its middle at `at`."""
        x, y = at
        self.wire((x, y - 4), (x, y + 4), colour=PAPER, thick=6)
        for plate in (y - 4, y + 4):
            self.wire((x - 14, plate), (x + 14, plate))
        self.words((x - 20, y + 5), value, size=13, bold=True, anchor="end")

    def lamp(self, at: Point) -> None:
        """Draw a lamp: a circle with a cross."""
        x, y = at
        self.ring(at, 17, fill="#fff3c4")
        left, right = _pair((x - 12, y - 12)), _pair((x + 12, y - 12))
        self.path(f"M{left} l24 24 M{right} l-24 24", thick=2)

    def switch(self, at: Point) -> None:
        """Draw an open push button, 70 wide, its middle at `at`."""
        x, y = at
        self.wire((x - 35, y), (x + 35, y), colour=PAPER, thick=6)
        self.ring((x - 30, y), 5)
        self.ring((x + 30, y), 5)
        self.wire((x - 30, y - 14), (x + 30, y - 14))
        stem = f"M{_pair((x, y - 14))} V{number(y - 26)}"
        self.path(f"{stem} M{_pair((x - 12, y - 26))} h24", thick=3)

    def transistor(self, at: Point) -> None:
        """Draw an NPN transistor: base at x - 24, collector at x + 10, y - 24, emitter y + 24."""
        x, y = at
        self.ring(at, 24)
        self.path(f"M{_pair((x - 24, y))} H{number(x - 7)} M{_pair((x - 7, y - 13))} v26")
        for way in (-1, 1):
            leg = f"M{_pair((x - 7, y + 5 * way))} L{_pair((x + 10, y + 16 * way))}"
            self.path(f"{leg} V{number(y + 24 * way)}", thick=2)
        self._head((x - 7, y + 5), (x + 9, y + 15.5), INK)


def _pair(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"
