"""Draw what all drawings share: the heading, the Pi's header, the plates where wires begin."""

from __future__ import annotations

from collections.abc import Sequence

from station.paper.pen import EDGE, GREEN, PANEL, PAPER, SOFT, Point, SvgPen
from station.wiring.pins import HEADER, HeaderPin

WIDTH = 1000.0
PLATE = 150.0


def heading(pen: SvgPen, title: str, text: str) -> None:
    """Write the picture's name, and what it is for."""
    pen.words((30, 40), title, size=22, bold=True)
    pen.words((30, 64), text, size=13, colour=SOFT)


def draw_header(pen: SvgPen, at: Point, used: Sequence[HeaderPin]) -> None:
    """Draw the 2 × 20 pins as they lie on the Pi, the used ones in the colours of their wires."""
    x, y = at
    colours = {terminal.pin: terminal.colour for terminal in used}
    pen.box((x, y), (92, 464), fill="#e4efe6", edge=GREEN, round_=10)
    pen.words((x + 46, y + 20), "Raspberry Pi", size=11, bold=True, colour=GREEN, anchor="middle")
    for pin in HEADER:
        column, row = (pin - 1) % 2, (pin - 1) // 2
        px, py = x + 22 + column * 26, y + 28 + row * 20.5
        colour = colours.get(pin)
        pen.box(
            (px, py),
            (22, 18),
            fill=colour or PAPER,
            edge=colour or EDGE,
            round_=3 if pin > 1 else 0,
            thick=1,
        )
        pen.words(
            (px + 11, py + 13),
            str(pin),
            size=10,
            bold=bool(colour),
            colour=PAPER if colour else SOFT,
            anchor="middle",
        )
    pen.words((x + 46, y + 455), "USB sockets ↓", size=10, colour=GREEN, anchor="middle")
    pen.words((x + 46, y + 480), "edge of the board →", size=9, colour=SOFT, anchor="middle")


def draw_terminal(pen: SvgPen, at: Point, terminal: HeaderPin, note: str = "") -> Point:
    """Draw a pin as a plate 150 wide, `at` the middle of its left edge; return the point where its
    wire begins."""
    x, y = at
    pen.begin(role=terminal.role, pin=terminal.pin, gpio=HEADER[terminal.pin], wire=terminal.colour)
    pen.box((x, y - 14), (PLATE, 28), fill=PAPER, edge=terminal.colour, round_=6, thick=2)
    pen.box((x, y - 14), (44, 28), fill=terminal.colour, edge=terminal.colour, round_=6, thick=2)
    pen.words((x + 22, y + 5), str(terminal.pin), bold=True, colour=PAPER, anchor="middle")
    pen.words((x + 54, y + 5), f"{terminal.name}{note and ' '}{note}", size=12 if note else 13)
    pen.end()
    return (x + PLATE, y)


def draw_pins(pen: SvgPen, at: Point, terminals: Sequence[HeaderPin]) -> None:
    """Draw a list of pins: number, name, what it is for."""
    for index, terminal in enumerate(terminals):
        x, y = at[0], at[1] + 22 * index
        pen.begin(
            role=terminal.role, pin=terminal.pin, gpio=HEADER[terminal.pin], wire=terminal.colour
        )
        pen.box((x, y - 13), (30, 18), fill=terminal.colour, edge=terminal.colour, round_=4)
        pen.words(
            (x + 15, y + 1), str(terminal.pin), size=12, bold=True, colour=PAPER, anchor="middle"
        )
        pen.words((x + 40, y + 1), terminal.name, size=12)
        pen.words((x + 100, y + 1), terminal.role, size=12, colour=SOFT)
        pen.end()


def draw_part(
    pen: SvgPen,
    at: Point,
    height: float,
    title: str,
    text: str,
    fill: str = PANEL,
    width: float = 310,
) -> None:
    """Draw a part of the station as a box."""
    pen.box(at, (width, height), fill=fill)
    pen.words((at[0] + 16, at[1] + 26), title, size=15, bold=True)
    pen.words((at[0] + 16, at[1] + 45), text, size=11, colour=SOFT)
