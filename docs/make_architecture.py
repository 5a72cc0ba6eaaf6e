"""Draw `docs/pictures/architecture.svg`: which process does what, and how a call goes through the
station.

python -m docs.make_architecture
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from docs.svg import svg
from station.paper.pen import (
    AMBER,
    BLUE,
    EDGE,
    GREEN,
    INK,
    PANEL,
    PAPER,
    PURPLE,
    RED,
    SOFT,
    TEAL,
    Point,
    SvgPen,
)

PICTURE = Path(__file__).parent / "pictures" / "architecture.svg"


def block(
    pen: SvgPen,
    at: Point,
    size: Point,
    title: str,
    lines: Sequence[str],
    *,
    fill: str = PAPER,
    edge: str = EDGE,
) -> None:
    """Draw a box with a name and what it does."""
    (x, y), (width, _) = at, size
    pen.box(at, size, fill=fill, edge=edge, thick=2)
    pen.words((x + width / 2, y + 24), title, size=14, bold=True, anchor="middle")
    pen.lines((x + width / 2, y + 44), lines, size=11.5, anchor="middle")


def draw() -> str:
    """Return the picture."""
    pen = SvgPen(1000, 640, "How the station is built")
    pen.words((30, 40), "How the station is built", size=22, bold=True)
    pen.words(
        (30, 64),
        "Nothing is heard, lit or shown that is not on disk. A stuck browser cannot delay a call.",
        size=13,
        colour=SOFT,
    )
    pen.box((210, 90), (580, 330), fill="#f2f7f2", edge=GREEN, round_=14, thick=2)
    pen.words((230, 116), "loto core", size=16, bold=True, colour=GREEN)
    pen.words((770, 116), "devices, no network", size=12, colour=SOFT, anchor="end")
    for index, name in enumerate(("Buttons", "Tag reader", "Card scanner", "Buzzers")):
        block(pen, (30, 150 + 74 * index), (140, 54), name, ("drivers/",), fill=PANEL)
        pen.wire((170, 177 + 74 * index), (190, 177 + 74 * index), colour=BLUE, thick=2.5)
    pen.wire((190, 399), (190, 177), colour=BLUE, thick=2.5)
    pen.arrow((170, 177), (238, 177), colour=BLUE)
    steps = (
        ("1 check", "rules: pure", BLUE),
        ("2 record", "durably", RED),
        ("3 adopt", "next state", PURPLE),
        ("4 announce", "one list of changes", AMBER),
    )
    for index, (title, text, colour) in enumerate(steps):
        x = 240 + 137 * index
        block(pen, (x, 145), (118, 64), title, (text,), edge=colour)
        if index:
            pen.arrow((x - 19, 177), (x - 1, 177), colour=INK)
    block(
        pen,
        (240, 245),
        (255, 72),
        "Session",
        ("rules, cards, hall, table, money:", "frozen; no clock, no chance, no files"),
        edge=PURPLE,
    )
    block(
        pen,
        (514, 245),
        (255, 72),
        "Journal",
        ("one line an action, chained by SHA-256;", "a start replays it"),
        edge=RED,
    )
    pen.arrow((299, 209), (299, 244), colour=BLUE, both=True)
    pen.arrow((436, 209), (436, 226), (560, 226), (560, 244), colour=RED)
    for index, (title, text) in enumerate(
        (
            ("Voice", "a worker process"),
            ("Ten-cavity board", "MAX7219"),
            ("Lamps", "in the buttons"),
        )
    ):
        block(pen, (830, 130 + 70 * index), (140, 54), title, (text,), fill=PANEL)
        pen.arrow(
            (770, 177), (800, 177), (800, 157 + 70 * index), (829, 157 + 70 * index), colour=AMBER
        )
    block(
        pen,
        (240, 345),
        (529, 56),
        "The wire",
        ("a Unix socket: JSON lines out (the board view), commands in",),
        edge=TEAL,
    )
    pen.arrow((650, 209), (650, 226), (782, 226), (782, 373), (770, 373), colour=AMBER)
    pen.arrow((225, 373), (225, 195), (238, 195), colour=TEAL)
    pen.wire((240, 373), (225, 373), colour=TEAL, thick=2.5)
    clients = (
        (30, "loto screen", ("the public screen", "pygame, HDMI; no network")),
        (270, "loto web", ("phones, board, bench, desk, table", "network; no devices")),
        (510, "loto watch", ("the board in a terminal", "over SSH")),
        (750, "loto sell, pay, table …", ("the command line", "over the same wire")),
    )
    for x, title, lines in clients:
        block(pen, (x, 500), (220, 84), title, lines, fill="#eaf5f6", edge=TEAL)
        centre = x + 110
        pen.arrow((centre, 458), (centre, 499), colour=TEAL, both=False)
    pen.wire((140, 458), (860, 458), colour=TEAL, thick=2.5)
    pen.arrow((504, 458), (504, 402), colour=TEAL, both=True)
    pen.words(
        (514, 440), "every client is a process of its own; each may die alone", size=12, colour=SOFT
    )
    for y, text in (
        (
            606,
            (
                "Reports, receipts and replays are made from the journal alone; a rehearsal from"
                " the programme alone."
            ),
        ),
        (626, "Simulated, the same drivers speak to buses played by the program."),
    ):
        pen.words((500, y), text, size=12, colour=SOFT, anchor="middle")
    return svg(pen)


def main() -> None:
    """Write the picture."""
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(draw(), encoding="utf-8")
    sys.stdout.write(f"{PICTURE.relative_to(PICTURE.parents[2])}\n")


if __name__ == "__main__":
    main()
