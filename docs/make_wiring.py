"""Draws `hw/drawings/*.svg` from the profiles, so that a drawing cannot show another pin than the program uses.

    python -m docs.make_wiring

Sources: data sheets of MAX7219 (logic high 3.5 V at least; 40 mA a segment with 10 kΩ; 8 mA for itself; brightness n lights
(2n + 1)/32 of the time), 74AHCT125 and RDM6300 (pins).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from docs.pen import AMBER, BLACK, BLUE, EDGE, GREEN, INK, PANEL, PAPER, PURPLE, RED, SOFT, TEAL, Pen, Point
from docs.pins import BUTTON_GND, HEADER, LAMP_5V, Terminal, button_terminals, load, matrix_terminals, reader_terminals
from drivers import Cavity
from drivers.matrix import draw_board

DRAWINGS = Path(__file__).parents[1] / "hw" / "drawings"

BLOCKS = 20
SEGMENT_A = 0.040
CHIP_A = 0.008
EXAMPLE = (7, 42, 90, 13, 30, 68, 1, 55, 24, 81)


def board_current(brightness: int) -> float:
    """Amperes that the board draws with every lamp lit: a chip lights one row of eight at a time."""
    return BLOCKS * (8 * SEGMENT_A * (2 * brightness + 1) / 32 + CHIP_A)


def draw_header(pen: Pen, at: Point, used: Sequence[Terminal]) -> None:
    """The 2 × 20 pins as they lie on the Pi, the used ones in the colours of their wires."""
    x, y = at
    colours = {terminal.pin: terminal.colour for terminal in used}
    pen.box((x, y), (92, 464), fill="#e4efe6", edge=GREEN, round_=10)
    pen.words((x + 46, y + 20), "Raspberry Pi", size=11, bold=True, colour=GREEN, anchor="middle")
    for pin in HEADER:
        column, row = (pin - 1) % 2, (pin - 1) // 2
        px, py = x + 22 + column * 26, y + 28 + row * 20.5
        colour = colours.get(pin)
        pen.box((px, py), (22, 18), fill=colour or PAPER, edge=colour or EDGE, round_=3 if pin > 1 else 0, thick=1)
        pen.words((px + 11, py + 13), str(pin), size=10, bold=bool(colour), colour=PAPER if colour else SOFT, anchor="middle")
    pen.words((x + 46, y + 455), "USB sockets ↓", size=10, colour=GREEN, anchor="middle")
    pen.words((x + 46, y + 480), "edge of the board →", size=9, colour=SOFT, anchor="middle")


def draw_terminal(pen: Pen, at: Point, terminal: Terminal, note: str = "") -> Point:
    """A pin as a plate 150 wide, `at` the middle of its left edge; gives the point where its wire begins."""
    x, y = at
    what = HEADER[terminal.pin]
    pen.begin(role=terminal.role, pin=terminal.pin, gpio=what)
    pen.box((x, y - 14), (150, 28), fill=PAPER, edge=terminal.colour, round_=6, thick=2)
    pen.box((x, y - 14), (44, 28), fill=terminal.colour, edge=terminal.colour, round_=6, thick=2)
    pen.words((x + 22, y + 5), str(terminal.pin), bold=True, colour=PAPER, anchor="middle")
    pen.words((x + 54, y + 5), f"{terminal.name}{note and ' '}{note}", size=13)
    pen.end()
    return (x + 150, y)


def heading(pen: Pen, title: str, text: str) -> None:
    """The picture's name, and what it is for."""
    pen.words((30, 40), title, size=22, bold=True)
    pen.words((30, 64), text, size=13, colour=SOFT)


def draw_buttons(profile: str) -> str:
    """Push buttons with a lamp in each."""
    devices = load(profile)
    pairs = button_terminals(devices)
    bottom = 120 + 140 * len(pairs)
    pen = Pen(1000, bottom + 180, "Buttons with lamps")
    heading(pen, "Buttons with lamps", "Numbers in colour are the counted pins of the header. Switch the Pi off before you wire.")
    draw_header(pen, (30, 90), [*(terminal for pair in pairs for terminal in pair), BUTTON_GND, LAMP_5V])
    ground_x, five_x = 850, 920
    pen.wire((ground_x, 130), (ground_x, bottom + 20), colour=BLACK)
    pen.wire((five_x, 172), (five_x, bottom + 65), colour=RED)
    for index, (button, lamp) in enumerate(pairs):
        y, name = 130 + 140 * index, button.role.removeprefix("button ")
        start = draw_terminal(pen, (160, y), button)
        pen.wire(start, (ground_x, y), colour=button.colour)
        pen.wire((600, y), (ground_x, y), colour=BLACK)
        pen.switch((560, y))
        pen.words((612, y - 12), "contacts COM and NO", size=11, colour=SOFT)
        pen.words((400, y - 12), f"button “{name}”", bold=True)
        pen.joint((ground_x, y), BLACK)
        ly = y + 66
        start = draw_terminal(pen, (160, ly), lamp)
        pen.wire(start, (536, ly), colour=lamp.colour)
        pen.resistor((420, ly), "1 kΩ")
        pen.transistor((560, ly))
        pen.wire((570, ly - 24), (five_x, ly - 24), colour=RED)
        pen.hop((ground_x, ly - 24), RED)
        pen.joint((five_x, ly - 24), RED)
        pen.lamp((720, ly - 24))
        pen.words((744, ly - 32), f"lamp “{name}”", size=12, bold=True)
        pen.wire((570, ly + 24), (ground_x, ly + 24), colour=BLACK)
        pen.joint((ground_x, ly + 24), BLACK)
    start = draw_terminal(pen, (160, bottom + 20), BUTTON_GND)
    pen.wire(start, (ground_x, bottom + 20), colour=BLACK)
    start = draw_terminal(pen, (160, bottom + 65), LAMP_5V)
    pen.wire(start, (five_x, bottom + 65), colour=RED)
    pen.lines(
        (160, bottom + 108),
        (
            "Transistor: BC337 (NPN). Flat side towards you, legs down: collector, base, emitter, from left to right.",
            "Lamps: 5 V, with their own resistor, 50 mA each at most. For 12 V lamps the red wire goes to + of a 12 V supply",
            "instead of the pin, and − of that supply to the black wire. The buttons' third contact, NC, stays free.",
            "The buttons need no resistor.",
        ),
        size=12,
    )
    return pen.svg()


def draw_reader(profile: str) -> str:
    """The RDM6300 and its divider."""
    five, ground, receive = terminals = reader_terminals(load(profile))
    pen = Pen(1000, 600, "RDM6300 reader")
    heading(pen, "Tag reader RDM6300", "A 5 V device: its TX must never go straight to a pin of the Pi, which stands 3.3 V only.")
    draw_header(pen, (30, 90), terminals)
    x, y = 740, 140
    pen.box((x, y), (220, 250), fill="#e3eaf6", edge=BLUE)
    pen.words((x + 110, y + 26), "RDM6300", size=17, bold=True, anchor="middle")
    pen.words((x + 12, y + 50), "plug P1, pin", size=11, colour=SOFT)
    legs = {1: "TX", 2: "RX", 3: "not used", 4: "GND", 5: "+5V (DC)"}
    rows = {leg: y + 40 + 34 * leg for leg in legs}
    for leg, name in legs.items():
        pen.box((x - 9, rows[leg] - 9), (18, 18), fill=PAPER, edge=INK, round_=3)
        pen.words((x, rows[leg] + 4), str(leg), size=11, bold=True, anchor="middle")
        pen.words((x + 18, rows[leg] + 5), name, size=13, colour=INK if leg in (1, 4, 5) else SOFT)
    pen.words((x + 120, y + 110), "P2", size=11, colour=SOFT)
    pen.path(f"M{x + 140} {y + 106} h14 M{x + 140} {y + 130} h14", thick=2)
    for radius in (16, 21, 26):
        pen.ring((x + 178, y + 118), radius, fill="none", edge=AMBER, thick=2)
    pen.words((x + 178, y + 164), "coil", size=12, colour=SOFT, anchor="middle")
    node = (470.0, rows[1])
    start = draw_terminal(pen, (160, rows[1]), receive, "RXD")
    pen.wire(start, (x - 9, rows[1]), colour=BLUE)
    pen.resistor((600, rows[1]), "1 kΩ")
    start = draw_terminal(pen, (160, rows[4]), ground)
    pen.wire(start, (x - 9, rows[4]), colour=BLACK)
    pen.wire(node, (node[0], rows[4]), colour=BLUE)
    pen.resistor((node[0], (rows[1] + rows[4]) / 2), "2 kΩ", upright=True)
    pen.joint(node, BLUE)
    pen.joint((node[0], rows[4]), BLACK)
    start = draw_terminal(pen, (160, rows[5]), five)
    pen.wire(start, (x - 9, rows[5]), colour=RED)
    pen.lines(
        (160, 445),
        (
            "The resistors divide: of 5 V at TX, 5 V × 2 / (1 + 2) = 3.3 V reach pin 10. Measure first, with the blue wire",
            "not yet on the pin: between the joint and GND there must be 3.3 V at most. Is TX itself only 3.3 V? Then leave the",
            "2 kΩ resistor out. Plug P3 (for a lamp of the module's own) stays free. The coil lies flat under the tray,",
            "away from metal. On a Pi 5 the port in the profile is /dev/ttyAMA0.",
            "With no wire to the header: a USB serial adapter set to 5 V (reader's TX to its RX, GND, 5V), and its name",
            "under /dev/serial/by-id/ as the port in the profile.",
        ),
    )
    return pen.svg()


def draw_lights(pen: Pen, at: Point, pitch: float, numbers: Sequence[int], rows: range) -> None:
    """Rows of the 80 × 16 board as the driver lights them."""
    picture = draw_board([Cavity(number, newest=number == numbers[-1]) for number in numbers])
    dots = {"#54231d": "", "#ff6a45": ""}
    for row in rows:
        for column in range(picture.width):
            x, y = at[0] + (column + 0.5) * pitch, at[1] + (row - rows.start + 0.5) * pitch
            dots["#ff6a45" if picture.getpixel((column, row)) else "#54231d"] += f"M{x:.1f} {y:.1f}h0"
    pen.box(at, (80 * pitch, len(rows) * pitch), fill="#24110e", edge=INK, round_=3)
    for colour, d in dots.items():
        pen.path(d, colour=colour, thick=0.78 * pitch)


def draw_matrix(profile: str) -> str:
    """The ten-cavity board: level shifter, chain, supply."""
    devices = load(profile)
    data, select, clock, ground = terminals = matrix_terminals(devices)
    pen = Pen(1000, 965, "Ten-cavity board")
    heading(
        pen,
        "Ten-cavity board",
        "Twenty 8 × 8 blocks with MAX7219 in one chain: the upper row from left to right, then the lower row.",
    )
    draw_header(pen, (30, 90), terminals)
    top = 640.0
    ground_y, shifter = 370.0, (470.0, 125.0)
    pen.box(shifter, (140, 200), fill="#ece7f6", edge=PURPLE)
    pen.words((540, 243), "74AHCT125", bold=True, anchor="middle")
    pen.words((540, 261), "3.3 V → 5 V", size=11, colour=SOFT, anchor="middle")
    # Input, output and enable of three of its four gates; the fourth rests.
    gates = ((select, select.role[-3:], 9, 8, "CS"), (data, "MOSI", 2, 3, "DIN"), (clock, "SCLK", 5, 6, "CLK"))
    for index, (terminal, note, leg_in, leg_out, name) in enumerate(gates):
        y, inner = 160.0 + 60 * index, 2 - index
        start = draw_terminal(pen, (160, y), terminal, note)
        pen.wire(start, (470, y), colour=terminal.colour)
        pen.words((478, y + 5), str(leg_in), size=12, bold=True)
        pen.words((602, y + 5), str(leg_out), size=12, bold=True, anchor="end")
        turn, level, edge, entry = 660 + 14 * inner, 430 + 14 * inner, 126 + 12 * inner, top + 20 + 16 * index
        wire = ((610, y), (turn, y), (turn, level), (edge, level), (edge, entry), (170, entry))
        pen.wire(*wire, colour=terminal.colour)
        pen.words((617, y - 8), name, size=13, bold=True)
    pen.wire((540, 325), (540, ground_y), colour=BLACK)
    start = draw_terminal(pen, (160, ground_y), ground)
    pen.wire(start, (764, ground_y), colour=BLACK)
    for index in range(3):
        pen.hop((660 + 14 * index, ground_y), BLACK)
    pen.joint((540, ground_y), BLACK)
    pen.words((532, 345), "1, 4, 7, 10, 12, 13", size=12, bold=True, anchor="end")
    pen.wire((540, 125), (540, 105), (804, 105), (804, 150), colour=RED)
    pen.words((548, 120), "14", size=12, bold=True)
    draw_supply(pen, (740, 150), devices["matrix"]["brightness"])
    pen.wire((764, 330), (764, 520), (930, 520), (930, top + 212), colour=BLACK)
    pen.joint((764, ground_y), BLACK)
    pen.wire((804, 330), (804, 500), (950, 500), (950, top + 226), colour=RED)
    draw_chain(pen, (170, top))
    pen.lines(
        (170, top + 262),
        (
            "Five modules of four blocks: two and a half in each row (the fifth is cut in the middle, its wires joined again).",
            "The arrow on a module points from DIN to DOUT, as the chain goes. A cavity is two blocks, one above the other.",
            "74AHCT125: 100 nF close to it, from 14 to 7; 11 stays free. Keep its wires to the first block short.",
        ),
        size=12,
    )
    return pen.svg()


def draw_supply(pen: Pen, at: Point, brightness: int) -> None:
    """The board's own 5 V supply, with what it has to give; − at x + 24, + at x + 64, 180 high."""
    x, y = at
    pen.box((x, y), (230, 180), fill="#fdeceb", edge=RED)
    pen.words((x + 115, y + 26), "5 V supply, 4 A", size=15, bold=True, anchor="middle")
    levels = (brightness, 8, 15)
    needs = [f"brightness {level}: {board_current(level):.1f} A" for level in levels]
    pen.lines(
        (x + 14, y + 50), ("with every lamp lit:", *needs, "(above 8 take 8 A)", "1000 µF across + and −"), size=12, colour=INK
    )
    pen.words((x + 24, y + 172), "−", size=18, bold=True, anchor="middle")
    pen.words((x + 64, y + 172), "+", size=18, bold=True, colour=RED, anchor="middle")


def draw_chain(pen: Pen, at: Point) -> None:
    """Two rows of ten blocks with the picture they show, the way of the chain, and 5 V to every module."""
    (x, top), pitch, gap = at, 9.2, 28
    block, right = 8 * pitch, at[0] + 80 * pitch
    lower = top + block + gap
    for row, y in enumerate((top, lower)):
        draw_lights(pen, (x, y), pitch, EXAMPLE, range(8 * row, 8 * row + 8))
        black_y, red_y = (top - 36, top - 50) if row == 0 else (lower + block + 36, lower + block + 50)
        near, far = (y, y) if row == 0 else (y + block, y + block)
        pen.wire((930, black_y), (x + 24, black_y), colour=BLACK)
        pen.wire((950, red_y), (x + 10, red_y), colour=RED)
        for module in (0, 4, 8):
            mx = x + module * block
            pen.hop((mx + 10, black_y), BLACK) if module else None
            pen.wire((mx + 10, red_y), (mx + 10, far), colour=RED)
            pen.wire((mx + 24, black_y), (mx + 24, near), colour=BLACK)
            blocks = min(4, 10 - module)
            pen.box((mx, y), (blocks * block, block), fill="none", edge="#e8c39e", round_=3, thick=2.5)
        for index in range(10):
            label = (x + (index + 0.5) * block, top - 10 if row == 0 else lower + block + 20)
            pen.words(label, str(10 * row + index + 1), size=13, bold=True, anchor="middle")
    pen.hop((930, top - 50), RED)
    middle = top + block + gap / 2
    pen.arrow(
        (right, top + 0.5 * block),
        (right + 12, top + 0.5 * block),
        (right + 12, middle),
        (x - 14, middle),
        (x - 14, lower + block / 2),
        (x, lower + block / 2),
        colour=TEAL,
        thick=3,
    )
    pen.box((right - 330, middle - 10), (250, 20), fill=PAPER, edge=PAPER, round_=2)
    pen.words((right - 205, middle + 5), "DOUT, CS, CLK, 5 V, GND: block 10 to 11", size=11, colour=TEAL, anchor="middle")


def draw_overview(profile: str) -> str:
    """The whole station of a hall on one page: what goes to which pins."""
    devices = load(profile)
    buttons = [terminal for pair in button_terminals(devices) for terminal in pair]
    reader, matrix = reader_terminals(devices), matrix_terminals(devices)
    pen = Pen(1000, 740, "The whole station")
    heading(pen, "The whole station", "Each part has a drawing of its own; the numbers are the counted pins of the header.")
    pen.box((420, 100), (160, 610), fill="#f2f7f2", edge=GREEN, round_=14)
    draw_header(pen, (454, 112), [*buttons, BUTTON_GND, LAMP_5V, *reader, *matrix])
    for (x, y), title, name, terminals in (
        ((40, 100), "Buttons and lamps", "buttons.svg", [*buttons, BUTTON_GND, LAMP_5V]),
        ((40, 380), "Tag reader RDM6300", "reader.svg", reader),
    ):
        height = 72 + 22 * len(terminals)
        draw_part(pen, (x, y), height, title, name)
        draw_pins(pen, (x + 16, y + 74), terminals)
        pen.arrow((x + 310, y + height / 2), (446, y + height / 2), colour=GREEN, both=True)
    draw_part(pen, (650, 100), 240, "Ten-cavity board", "matrix.svg")
    draw_lights(pen, (666, 160), 3.45, EXAMPLE, range(16))
    draw_pins(pen, (666, 244), matrix)
    pen.arrow((554, 250), (650, 250), colour=GREEN)
    draw_part(pen, (650, 380), 58, "5 V supply, 4 A", "for the board; − joined to pin 25, + never to the Pi", fill="#fdeceb")
    pen.arrow((690, 380), (690, 340), colour=RED)
    for left, right, socket, y, title, text in (
        (40, 350, "USB", 574, "Loudspeaker", "on USB; or the 3.5 mm socket, or the television"),
        (40, 350, "power", 642, "Power of the Pi", "its own supply"),
        (650, 650, "HDMI", 574, "Public screen", "television or projector, full HD"),
        (650, 650, "Wi-Fi", 642, "Phones and browsers", "the hall's own network"),
    ):
        near = 430 if right < 420 else 510
        draw_part(pen, (left, y), 58, title, text)
        pen.box((near, y + 37), (60, 22), fill=PAPER, edge=GREEN, round_=5)
        pen.words((near + 30, y + 52), socket, size=11, bold=True, colour=GREEN, anchor="middle")
        edge = near if right < 420 else near + 60
        ends = ((right, y + 48), (edge, y + 48))
        pen.arrow(*(ends if socket == "power" else ends[::-1]), colour=SOFT, both=socket == "Wi-Fi")
    return pen.svg()


def draw_part(pen: Pen, at: Point, height: float, title: str, text: str, fill: str = PANEL) -> None:
    """A part of the station as a box 310 wide."""
    pen.box(at, (310, height), fill=fill)
    pen.words((at[0] + 16, at[1] + 26), title, size=15, bold=True)
    pen.words((at[0] + 16, at[1] + 45), text, size=11, colour=SOFT)


def draw_pins(pen: Pen, at: Point, terminals: Sequence[Terminal]) -> None:
    """A list of pins: number, name, what it is for."""
    for index, terminal in enumerate(terminals):
        x, y = at[0], at[1] + 22 * index
        pen.begin(role=terminal.role, pin=terminal.pin, gpio=HEADER[terminal.pin])
        pen.box((x, y - 13), (30, 18), fill=terminal.colour, edge=terminal.colour, round_=4)
        pen.words((x + 15, y + 1), str(terminal.pin), size=12, bold=True, colour=PAPER, anchor="middle")
        pen.words((x + 40, y + 1), terminal.name, size=12)
        pen.words((x + 110, y + 1), terminal.role, size=12, colour=SOFT)
        pen.end()


def drawings() -> dict[str, str]:
    """Every drawing by its file's name."""
    return {
        "overview.svg": draw_overview("hall"),
        "buttons.svg": draw_buttons("hall"),
        "reader.svg": draw_reader("hall"),
        "matrix.svg": draw_matrix("hall"),
    }


def main() -> None:
    """Writes every drawing."""
    DRAWINGS.mkdir(exist_ok=True)
    for name, text in drawings().items():
        (DRAWINGS / name).write_text(text, encoding="utf-8")
        sys.stdout.write(f"hw/drawings/{name}\n")


if __name__ == "__main__":
    main()
