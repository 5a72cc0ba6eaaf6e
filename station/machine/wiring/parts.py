"""Draw what all drawings share: the heading, the Pi's header, the plates where wires begin."""

from __future__ import annotations

from collections.abc import Sequence

from station.machine.wiring.pins import HEADER, HeaderPin
from station.paper.pen import EDGE, GREEN, INK, PAPER, SOFT, Point, SvgPen

WIDTH = 1000.0
PLATE = 150.0


def sheet(height: float, title: str, text: str, name: str = "") -> SvgPen:
    """Return a sheet with a title and what it is for; a screen reader may say another name."""
    pen = SvgPen(WIDTH, height, name or title)
    pen.words((30, 40), title, size=22, bold=True)
    pen.words((30, 64), text, size=13, colour=SOFT)
    return pen


def centred(
    pen: SvgPen, x: float, y: float, text: str, size: float, colour: str = INK, bold: bool = False
) -> None:
    """Write one line of text to both sides of x."""
    pen.words((x, y), text, size=size, bold=bold, colour=colour, anchor="middle")


def draw_header(pen: SvgPen, at: Point, used: Sequence[HeaderPin]) -> None:
    """Draw the 2 × 20 pins as they lie on the Pi, the used ones in the colours of their wires."""
    x, y = at
    colours = {terminal.pin: terminal.colour for terminal in used}
    pen.box((x, y), (92, 464), fill="#e4efe6", edge=GREEN, round_=10)
    centred(pen, x + 46, y + 20, "Raspberry Pi", 11, GREEN, bold=True)
    for pin in HEADER:
        column, row = (pin - 1) % 2, (pin - 1) // 2
        px, py = x + 22 + column * 26, y + 28 + row * 20.5
        used_in = colours.get(pin)
        fill, edge, ink = (used_in, used_in, PAPER) if used_in else (PAPER, EDGE, SOFT)
        pen.box((px, py), (22, 18), fill=fill, edge=edge, round_=3 if pin > 1 else 0, thick=1)
        centred(pen, px + 11, py + 13, str(pin), 10, ink, bold=bool(used_in))
    centred(pen, x + 46, y + 455, "USB sockets ↓", 10, GREEN)
    centred(pen, x + 46, y + 480, "edge of the board →", 9, SOFT)


def draw_terminal(pen: SvgPen, at: Point, terminal: HeaderPin, note: str = "") -> Point:
    """Draw a pin as a plate 150 wide, its left edge's middle `at`; return where its wire begins."""
    x, y = at
    _begin(pen, terminal)
    pen.box((x, y - 14), (PLATE, 28), fill=PAPER, edge=terminal.colour, round_=6, thick=2)
    pen.box((x, y - 14), (44, 28), fill=terminal.colour, edge=terminal.colour, round_=6, thick=2)
    pen.words((x + 22, y + 5), str(terminal.pin), bold=True, colour=PAPER, anchor="middle")
    pen.words((x + 54, y + 5), f"{terminal.name}{note and ' '}{note}", size=12 if note else 13)
    pen.end()
    return (x + PLATE, y)


def _begin(pen: SvgPen, terminal: HeaderPin) -> None:
    pen.begin(role=terminal.role, pin=terminal.pin, gpio=HEADER[terminal.pin], wire=terminal.colour)


def draw_pins(pen: SvgPen, at: Point, terminals: Sequence[HeaderPin]) -> None:
    """Draw a list of pins: number, name, what it is for."""
    for index, terminal in enumerate(terminals):
        x, y = at[0], at[1] + 22 * index
        _begin(pen, terminal)
        pen.box((x, y - 13), (30, 18), fill=terminal.colour, edge=terminal.colour, round_=4)
        centred(pen, x + 15, y + 1, str(terminal.pin), 12, PAPER, bold=True)
        pen.words((x + 40, y + 1), terminal.name, size=12)
        pen.words((x + 100, y + 1), terminal.role, size=12, colour=SOFT)
        pen.end()


def draw_part(pen: SvgPen, at: Point, height: float, title: str, text: str, fill: str) -> None:
    """Draw a part of the station as a box."""
    pen.box(at, (310, height), fill=fill)
    pen.words((at[0] + 16, at[1] + 26), title, size=15, bold=True)
    pen.words((at[0] + 16, at[1] + 45), text, size=11, colour=SOFT)
