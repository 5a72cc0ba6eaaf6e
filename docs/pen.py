"""Draws SVG pictures: boxes, wires, words and the few signs of a circuit, in one manner for all pictures of the project."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias
from xml.sax.saxutils import escape, quoteattr

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


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


class Pen:
    """A picture of `width` × `height` user units on white paper; `svg()` is its text.

    Every method adds to the picture at the given place; y grows downwards.
    """

    def __init__(self, width: int, height: int, title: str) -> None:
        """A blank sheet; `title` is what a screen reader says of it."""
        size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        font = 'font-family="\'DejaVu Sans\', Verdana, Arial, sans-serif" font-size="14"'
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font} fill="{INK}">',
            f"<title>{escape(title)}</title>",
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="14" fill="{PAPER}" stroke="{EDGE}"/>',
        ]

    def svg(self) -> str:
        """The whole picture."""
        return "\n".join([*self._parts, "</svg>"]) + "\n"

    def begin(self, **data: object) -> None:
        """Opens a group with data-… attributes, by which a test finds what was drawn."""
        marks = "".join(f" data-{name}={quoteattr(str(value))}" for name, value in data.items())
        self._parts.append(f"<g{marks}>")

    def end(self) -> None:
        """Closes the group."""
        self._parts.append("</g>")

    def words(
        self, at: Point, text: str, *, size: float = 14, bold: bool = False, colour: str = INK, anchor: str = "start"
    ) -> None:
        """One line of text; `anchor` is start, middle or end."""
        weight = ' font-weight="700"' if bold else ""
        self._parts.append(
            f'<text x="{_number(at[0])}" y="{_number(at[1])}" font-size="{_number(size)}"{weight} fill="{colour}" '
            f'text-anchor="{anchor}">{escape(text)}</text>'
        )

    def lines(self, at: Point, texts: Iterable[str], *, size: float = 13, colour: str = SOFT, anchor: str = "start") -> None:
        """Lines of text, one under the other."""
        for index, text in enumerate(texts):
            self.words((at[0], at[1] + index * size * 1.45), text, size=size, colour=colour, anchor=anchor)

    def box(self, at: Point, size: Point, *, fill: str = PANEL, edge: str = EDGE, round_: float = 8, thick: float = 1.5) -> None:
        """A rectangle with round corners."""
        self._parts.append(
            f'<rect x="{_number(at[0])}" y="{_number(at[1])}" width="{_number(size[0])}" height="{_number(size[1])}" '
            f'rx="{_number(round_)}" fill="{fill}" stroke="{edge}" stroke-width="{_number(thick)}"/>'
        )

    def ring(self, at: Point, radius: float, *, fill: str = PAPER, edge: str = INK, thick: float = 2) -> None:
        """A circle."""
        self._parts.append(
            f'<circle cx="{_number(at[0])}" cy="{_number(at[1])}" r="{_number(radius)}" fill="{fill}" '
            f'stroke="{edge}" stroke-width="{_number(thick)}"/>'
        )

    def path(self, d: str, *, colour: str = INK, thick: float = 2.5, fill: str = "none", dash: str = "") -> None:
        """Any path, in SVG's own letters."""
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<path d="{d}" fill="{fill}" stroke="{colour}" stroke-width="{_number(thick)}" stroke-linejoin="round" '
            f'stroke-linecap="round"{dashes}/>'
        )

    def wire(self, *points: Point, colour: str = INK, thick: float = 3, dash: str = "") -> None:
        """A wire through the points."""
        d = "M" + " L".join(f"{_number(x)} {_number(y)}" for x, y in points)
        self.path(d, colour=colour, thick=thick, dash=dash)

    def arrow(self, *points: Point, colour: str = SOFT, thick: float = 2.5, both: bool = False) -> None:
        """A line through the points with a head at its end, or at both."""
        self.wire(*points, colour=colour, thick=thick)
        self._head(points[-2], points[-1], colour)
        if both:
            self._head(points[1], points[0], colour)

    def _head(self, start: Point, tip: Point, colour: str) -> None:
        dx, dy = tip[0] - start[0], tip[1] - start[1]
        length = (dx * dx + dy * dy) ** 0.5
        ux, uy = dx / length * 9, dy / length * 9
        corners = [tip, (tip[0] - ux - uy * 0.6, tip[1] - uy + ux * 0.6), (tip[0] - ux + uy * 0.6, tip[1] - uy - ux * 0.6)]
        self.path("M" + " L".join(f"{_number(x)} {_number(y)}" for x, y in corners) + " Z", colour=colour, thick=1, fill=colour)

    def joint(self, at: Point, colour: str = INK) -> None:
        """Wires that meet here are joined."""
        self.ring(at, 4.5, fill=colour, edge=colour, thick=1)

    def hop(self, at: Point, colour: str) -> None:
        """A level wire passes over an upright one without touching it."""
        x, y = at
        self.wire((x - 7, y), (x + 7, y), colour=PAPER, thick=5)
        self.path(f"M{_number(x - 7)} {_number(y)} a7 7 0 0 1 14 0", colour=colour, thick=3)

    def resistor(self, at: Point, value: str, *, upright: bool = False) -> None:
        """A resistor of 60 × 18, its middle at `at`."""
        x, y = at
        width, height = (18, 60) if upright else (60, 18)
        self.box((x - width / 2, y - height / 2), (width, height), fill="#f4e3c1", edge=INK, round_=3)
        where = (x + 16, y + 5) if upright else (x, y - 15)
        self.words(where, value, size=13, bold=True, anchor="start" if upright else "middle")

    def lamp(self, at: Point) -> None:
        """A lamp: a circle with a cross."""
        x, y = at
        self.ring(at, 17, fill="#fff3c4")
        self.path(f"M{_number(x - 12)} {_number(y - 12)} l24 24 M{_number(x + 12)} {_number(y - 12)} l-24 24", thick=2)

    def switch(self, at: Point) -> None:
        """An open push button, 70 wide, its middle at `at`."""
        x, y = at
        self.wire((x - 35, y), (x + 35, y), colour=PAPER, thick=6)
        self.ring((x - 30, y), 5)
        self.ring((x + 30, y), 5)
        self.path(f"M{_number(x - 30)} {_number(y - 14)} L{_number(x + 30)} {_number(y - 14)}", thick=3)
        self.path(f"M{_number(x)} {_number(y - 14)} V{_number(y - 26)} M{_number(x - 12)} {_number(y - 26)} h24", thick=3)

    def transistor(self, at: Point) -> None:
        """An NPN transistor: base at the left (x - 24), collector at (x + 10, y - 24), emitter at (x + 10, y + 24)."""
        x, y = at
        self.ring(at, 24)
        self.path(f"M{_number(x - 24)} {_number(y)} H{_number(x - 7)} M{_number(x - 7)} {_number(y - 13)} v26", thick=2.5)
        self.path(f"M{_number(x - 7)} {_number(y - 5)} L{_number(x + 10)} {_number(y - 16)} V{_number(y - 24)}", thick=2)
        self.path(f"M{_number(x - 7)} {_number(y + 5)} L{_number(x + 10)} {_number(y + 16)} V{_number(y + 24)}", thick=2)
        self._head((x - 7, y + 5), (x + 9, y + 15.5), INK)
