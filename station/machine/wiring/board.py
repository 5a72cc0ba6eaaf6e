"""Draw the ten-cavity board: level shifter, chain of blocks, supply and its load.

The load is computed from `hw/power.toml`: amperes, the supply to buy, wire and fuse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from drivers.board.geometry import CAVITIES, CAVITY_HEIGHT, Geometry, find_geometry
from station.base.untrusted import toml_from
from station.machine.wiring.cutting import WOOD
from station.machine.wiring.pins import (
    CannotDraw,
    Devices,
    HeaderPin,
    Options,
    centred,
    draw_header,
    draw_terminal,
    matrix_terminals,
    sheet,
)
from station.paper.pen import BLACK, BLUE, INK, PAPER, PURPLE, RED, SOFT, TEAL, SvgPen

POWER_BLOCK = 8  # lamps in a row, and in a column, of one block


@cache
def facts() -> Mapping[str, Mapping[str, Any]]:
    """Return `hw/power.toml`: every figure, with its source."""
    return toml_from((files("hw") / "power.toml").read_bytes())


@dataclass(frozen=True, slots=True)
class Load:
    """What a part on a supply takes.

    Attributes:
        formula: how `amperes` was computed, with its figures.
        amperes: at most.
    """

    formula: str
    amperes: float


def max7219_amperes(blocks: int, brightness: int) -> float:
    """Return the current of a chain of blocks with every lamp lit, at a brightness of 0 to 15."""
    known = facts()["max7219"]
    return float(
        blocks * (POWER_BLOCK * known["segment_a"] * (2 * brightness + 1) / 32 + known["chip_a"])
    )


def ws2812_amperes(lamps: int) -> float:
    """Return the current of lamps that are all full white: no picture of numbers takes more."""
    known = facts()["ws2812"]
    return float(lamps * (3 * known["colour_a"] + known["idle_a"]))


def board_load(options: Options) -> Load:
    """Return the load of the ten-cavity board; the driver limits a WS2812 one to its `max_amps`.

    Raises:
        BadOption: the geometry is not known.
    """
    columns, rows = find_geometry(options.get("geometry", "80x16")).size
    if options.get("driver") == "ws2812":
        most = ws2812_amperes(columns * rows)
        held = float(options.get("max_amps", most))
        white = f"all white: {columns * rows} × 61 mA = {most:.0f} A"
        return Load(f"held to {held:g} A by the driver ({white})", held)
    blocks = columns * rows // POWER_BLOCK**2
    brightness = int(options.get("brightness", 4))
    amperes = max7219_amperes(blocks, brightness)
    return Load(f"{blocks} × (8 × 40 mA × {2 * brightness + 1}/32 + 8 mA)", amperes)


def supply_size(amperes: float) -> int:
    """Return the smallest usual supply that gives this current, and a reserve.

    Raises:
        CannotDraw: it is more than the largest supply gives.
    """
    known = facts()["supply"]
    wanted = amperes * (1 + known["reserve"])
    for size in known["sizes_a"]:
        if size >= wanted:
            return int(size)
    raise CannotDraw(
        f"{amperes:.1f} A want more than one supply of {max(known['sizes_a'])} A: make the board"
        " darker"
    )


def lost_volts(amperes: float, metres: float, mm2: float) -> float:
    """Return the voltage that a pair of copper wires, there and back, loses."""
    return float(amperes * 2 * metres * facts()["wire"]["ohm_mm2_per_m"] / mm2)


def wire_and_fuse(amperes: float) -> tuple[float, float]:
    """Return the thinnest wire (mm²) and the fuse (A) between the supply and the board.

    The fuse is the wire's: the largest that the wire carries, and larger than the supply, which
    limits itself before a fuse of its own size melts. The wire loses no more than it may.

    Raises:
        CannotDraw: no supply is large enough, or no wire of the table thick enough.
    """
    known, supply = facts()["wire"], supply_size(amperes)
    for name, carries in known["carries_a"].items():
        fuse = max((fuse for fuse in known["fuses_a"] if fuse <= carries), default=0)
        lost = lost_volts(amperes, known["metres"], float(name))
        if fuse > supply and lost <= known["lost_v"]:
            return float(name), float(fuse)
    raise CannotDraw(
        f"no wire of the table carries {amperes:.1f} A: feed the board from both ends, with a fuse"
        " each"
    )


# -- the drawing -----------------------------------------------------------------------------------

LEFT, SPAN = 170.0, 736.0  # where the board lies in the drawing, and how wide
GAP = 62.0  # between its rows, for the wires
BLOCK = (8, 8)
TINTS = ("#fdebd3", "#dfeaf7")

Unit: TypeAlias = tuple[int, int]


def geometry_of(options: Options) -> Geometry:
    """Return the board's geometry.

    Raises:
        BadOption: it is not known.
    """
    return find_geometry(options.get("geometry", "80x16"))


def block_count(options: Options) -> int:
    """Return the number of blocks of 8 × 8 lamps in a MAX7219 board."""
    width, height = geometry_of(options).size
    return width * height // 64


def panel_count(options: Options) -> int:
    """Return the number of panels in a WS2812 board."""
    width, height = geometry_of(options).size
    panel = _panel(options)
    return width * height // (panel[0] * panel[1])


def _panel(options: Options) -> Unit:
    width, height = options.get("panel") or geometry_of(options).size
    return width, height


def draw_matrix(devices: Devices) -> SvgPen:
    """Draw the board of the settings.

    Raises:
        CannotDraw: the drawings do not know the driver.
        BadOption: the geometry is not known.
    """
    options = devices["matrix"]
    if options.get("driver") == "ws2812":
        return _draw_ws2812(devices)
    if options.get("driver") != "matrix":
        raise CannotDraw(
            f"the board's driver {options.get('driver')!r} cannot be drawn: only matrix and"
            " ws2812 can"
        )
    return _draw_max7219(devices)


def _draw_max7219(devices: Devices) -> SvgPen:
    options = devices["matrix"]
    geometry = geometry_of(options)
    data, select, clock, ground = terminals = matrix_terminals(devices)
    top = 560.0
    below = top + _board_height(geometry, BLOCK)
    count = block_count(options)
    pen = sheet(
        below + 110,
        "Ten-cavity board",
        f"{count} blocks of 8 × 8 lamps with MAX7219 in one chain, row after row, from left to"
        " right.",
    )
    draw_header(pen, (30, 90), terminals)
    ground_y = 370.0
    _draw_shifter(pen, ground_y, "1, 4, 7, 10, 12, 13")
    # Input and output of three of its four gates; the fourth is unused.
    gates = (
        (select, select.role[-3:], 9, 8, "CS"),
        (data, "MOSI", 2, 3, "DIN"),
        (clock, "SCLK", 5, 6, "CLK"),
    )
    for index, (terminal, note, leg_in, leg_out, name) in enumerate(gates):
        y, inner = 160.0 + 60 * index, 2 - index
        _draw_gate(pen, y, terminal, note, leg_in, leg_out)
        entry = top + SPAN / geometry.size[0] * 8 * (0.22 + 0.28 * index)
        turn, level, edge = 660 + 14 * inner, 430 + 14 * inner, 126 + 12 * inner
        way = ((turn, y), (turn, level), (edge, level), (edge, entry), (LEFT, entry))
        pen.wire((610, y), *way, colour=terminal.colour)
        pen.words((617, y - 8), name, size=13, bold=True)
    pen.wire(draw_terminal(pen, (160, ground_y), ground), (764, ground_y), colour=BLACK)
    for index in range(3):
        pen.hop((660 + 14 * index, ground_y), BLACK)
    pen.joint((540, ground_y), BLACK)
    levels = {"as set": int(options.get("brightness", 4))}
    levels |= {f"at brightness {level}": level for level in (8, 15)}
    taken = [f"{what}: {max7219_amperes(count, level):.1f} A" for what, level in levels.items()]
    _draw_supply(pen, board_load(options), ["every lamp lit:", *taken])
    _draw_rails(pen, ground_y, top)
    back = options.get("chain") == "serpentine"
    _draw_chain(pen, top, geometry, BLOCK, 4, turns_back=back)
    row = ", five in a row."
    if geometry.size[0] // 8 % 4:
        row = ": two and a half make a row (cut one in the middle, join its wires again)."
    notes = (
        f"Modules have four blocks{row}\nThe arrow on a module points from DIN to DOUT, as the"
        f" chain goes{'; modules of every second row stand on their heads.' if back else '.'}\nA"
        " field of one colour is a cavity: the number of one knob. 5 V and GND go to every module"
        " with thick wire.\n74AHCT125: 100 nF close to it, from 14 to 7; 11 stays free. Short wires"
        f" to the first block.{_bars(geometry)}"
    )
    pen.lines((LEFT, below + 24), notes.split("\n"), size=12)
    return pen


def _draw_ws2812(devices: Devices) -> SvgPen:
    options = devices["matrix"]
    geometry = geometry_of(options)
    data, ground = terminals = matrix_terminals(devices)
    top = 560.0
    panel = _panel(options)
    below = top + _board_height(geometry, panel)
    text = (
        f"{panel_count(options)} panels of {panel[0]} × {panel[1]} lamps WS2812B in one chain, row"
        " after row, from left to right."
    )
    pen = sheet(below + 120, "Ten-cavity board in colour", text)
    draw_header(pen, (30, 90), terminals)
    ground_y, y = 370.0, 220.0
    _draw_shifter(pen, ground_y, "1, 4, 5, 7, 9, 10, 12, 13")
    _draw_gate(pen, y, data, "MOSI", 2, 3)
    entry = top + SPAN / geometry.size[0] * panel[1] / 2
    pen.wire((610, y), (674, y), (674, 430), (138, 430), (138, entry), (LEFT, entry), colour=BLUE)
    pen.resistor((300, 430), "470 Ω")
    pen.words((617, y - 8), "DIN", size=13, bold=True)
    pen.wire(draw_terminal(pen, (160, ground_y), ground), (764, ground_y), colour=BLACK)
    pen.hop((674, ground_y), BLACK)
    pen.joint((540, ground_y), BLACK)
    load = board_load(options)
    held = f"held to {load.amperes:g} A by the driver:"
    _draw_supply(pen, load, [held, "it makes a picture darker", "that would want more"])
    _draw_rails(pen, ground_y, top)
    _draw_chain(pen, top, geometry, panel, 1)
    notes = (
        "A field of one colour is a cavity: the number of one knob. DOUT of a panel goes to DIN of"
        " the next.\n5 V and GND go to every panel with thick wire, not through the chain's thin"
        " ones. 470 Ω close to the first panel.\n74AHCT125: 100 nF close to it, from 14 to 7; 6, 8"
        " and 11 stay free. Its wire to the first panel is 1 m at most.\nSwitch on the board's"
        f" supply before the Pi.{_bars(geometry)}"
    )
    pen.lines((LEFT, below + 24), notes.split("\n"), size=12)
    return pen


def _bars(geometry: Geometry) -> str:
    return " The bars are those of the plate." if geometry.barred else ""


def _draw_gate(pen: SvgPen, y: float, pin: HeaderPin, note: str, leg_in: int, leg_out: int) -> None:
    """Draw a pin of the Pi with its wire to a gate of the shifter, whose two legs are numbered."""
    pen.wire(draw_terminal(pen, (160, y), pin, note), (470, y), colour=pin.colour)
    pen.words((478, y + 5), str(leg_in), size=12, bold=True)
    pen.words((602, y + 5), str(leg_out), size=12, bold=True, anchor="end")


def _draw_shifter(pen: SvgPen, ground_y: float, grounded: str) -> None:
    """Draw the 74AHCT125 with its supply wires, from (470, 125) to (610, 325)."""
    pen.box((470, 125), (140, 200), fill="#ece7f6", edge=PURPLE)
    centred(pen, 540, 251, "74AHCT125", 14, bold=True)
    centred(pen, 540, 269, "3.3 V → 5 V", 11, SOFT)
    pen.wire((540, 325), (540, ground_y), colour=BLACK)
    pen.words((532, 345), grounded, size=12, bold=True, anchor="end")
    pen.wire((540, 125), (540, 105), (804, 105), (804, 150), colour=RED)
    pen.words((548, 120), "14", size=12, bold=True)


def _draw_supply(pen: SvgPen, load: Load, notes: list[str]) -> None:
    """Draw the board's own 5 V supply with its load; − at 764, + at 804, from 150 to 330."""
    wire, fuse = wire_and_fuse(load.amperes)
    size = supply_size(load.amperes)
    pen.begin(supply=size, fuse=f"{fuse:g}", wire=f"{wire:g}")
    pen.box((740, 150), (230, 180), fill="#fdeceb", edge=RED)
    centred(pen, 855, 176, f"5 V supply, {size} A", 15, bold=True)
    texts = [*notes, f"fuse {fuse:g} A, wire {wire:g} mm²", "1000 µF across + and −"]
    pen.lines((754, 197), texts, size=12, colour=INK)
    pen.end()
    centred(pen, 764, 322, "−", 18, bold=True)
    centred(pen, 804, 322, "+", 18, RED, bold=True)


def _draw_rails(pen: SvgPen, ground_y: float, top: float) -> None:
    """Draw the wires from the supply to the right of the board, with the fuse in the plus."""
    pen.wire((764, 330), (764, top - 40), (930, top - 40), (930, top), colour=BLACK)
    pen.joint((764, ground_y), BLACK)
    pen.wire((804, 330), (804, top - 60), (952, top - 60), (952, top), colour=RED)
    pen.box((792, 400), (24, 44), fill=PAPER, edge=RED, round_=4, thick=2)
    pen.wire((804, 400), (804, 444), colour=RED, thick=1.5)
    pen.words((824, 427), "fuse", size=12, bold=True, colour=RED)


def _board_height(geometry: Geometry, unit: Unit) -> float:
    rows = geometry.size[1] // unit[1]
    return rows * (SPAN / geometry.size[0] * unit[1] + GAP)


def _draw_chain(
    pen: SvgPen, top: float, geometry: Geometry, unit: Unit, module: int, turns_back: bool = False
) -> None:
    """Draw the board from the front: its units by their place in the chain, its cavities in two
    tints, 5 V to every module.

    Args:
        unit: lamps of a block or panel.
        module: how many units hang together on one strip.
        turns_back: whether every second row of the chain runs from right to left.
    """
    scale = SPAN / geometry.size[0]
    wide, high = scale * unit[0], scale * unit[1]
    columns, rows = geometry.size[0] // unit[0], geometry.size[1] // unit[1]
    levels = [top + row * (high + GAP) for row in range(rows)]
    _draw_cavities(pen, levels, geometry, unit, scale)
    for row, y in enumerate(levels):
        back = turns_back and row % 2 == 1
        for column in range(columns):
            place = row * columns + (columns - column if back else column + 1)
            x, (lower, size) = LEFT + column * wide, (4, 14) if high > 40 else (0, 12)
            pen.begin(block=place)
            pen.box((x, y), (wide, high), fill="none", edge=INK, round_=2, thick=1.2)
            centred(pen, x + wide / 2, y + high / 2 + lower, str(place), size, bold=True)
            pen.end()
        begins = [LEFT + column * wide for column in range(0, columns, module)]
        _draw_feed(pen, y + high, wide, begins)
        pen.wire((930, top), (930, y + high + 12), colour=BLACK)
        pen.wire((952, top), (952, y + high + 26), colour=RED)
        if row + 1 < rows:
            _draw_link(pen, (y, levels[row + 1]), high, (row + 1) * columns, turns_back, back)
    pen.arrow((LEFT, top - 12), (LEFT + 90, top - 12), colour=TEAL)
    pen.words((LEFT + 98, top - 8), "way of the chain, seen from the front", size=11, colour=TEAL)


def _draw_cavities(
    pen: SvgPen, levels: list[float], geometry: Geometry, unit: Unit, scale: float
) -> None:
    """Draw the field of each cavity over the rows of units that it covers."""
    height = min(unit[1], CAVITY_HEIGHT)
    for cavity in range(CAVITIES):
        right, down = geometry.corner(cavity)
        tint = TINTS[geometry.is_second(cavity)]
        for lamp in range(down, down + CAVITY_HEIGHT, height):
            row, within = divmod(lamp, unit[1])
            at = (LEFT + right * scale, levels[row] + within * scale)
            size = (geometry.cavity_width * scale, height * scale)
            pen.box(at, size, fill=tint, edge=PAPER, round_=0, thick=0)
            behind = scale if geometry.barred else 0  # of a bar
            where = (at[0] + size[0] - 3 - behind, at[1] + size[1] - 5)
            small = 9 if size[1] > 40 else 7
            pen.words(where, f"cavity {cavity + 1}", size=small, colour=SOFT, anchor="end")
    for column in geometry.bars:
        for level in levels:
            at = (LEFT + column * scale, level - 4)
            pen.begin(bar=column)
            pen.box(at, (scale, unit[1] * scale + 8), fill=WOOD, edge=INK, round_=0, thick=0.5)
            pen.end()


def _draw_link(
    pen: SvgPen, levels: tuple[float, float], high: float, last: int, turns_back: bool, back: bool
) -> None:
    """Draw the wire from the end of a row to the beginning of the next one."""
    start, into = levels[0] + high / 2, levels[1] + high / 2
    link, end = levels[0] + high + 46, LEFT + SPAN
    if turns_back:
        near, far = (LEFT, LEFT - 16) if back else (end, end + 10)
        pen.arrow((near, start), (far, start), (far, into), (near, into), colour=TEAL)
    else:
        far, near = end + 10, LEFT - 16
        way = ((far, start), (far, link), (near, link), (near, into), (LEFT, into))
        pen.arrow((end, start), *way, colour=TEAL)
    if not back:
        pen.hop((end + 10, levels[0] + high + 12), BLACK)
        pen.hop((end + 10, levels[0] + high + 26), RED)
    pen.box((LEFT + SPAN / 2 - 120, link - 9), (240, 18), fill=PAPER, edge=PAPER, round_=2)
    words = f"the chain goes on: {last} to {last + 1}"
    centred(pen, LEFT + SPAN / 2, link + 4, words, 11, TEAL)


def _draw_feed(pen: SvgPen, y: float, side: float, modules: list[float]) -> None:
    """Draw 5 V and GND beneath a row, with a branch to each module."""
    pen.wire((930, y + 12), (modules[0] + side * 0.3, y + 12), colour=BLACK)
    pen.wire((952, y + 26), (modules[0] + side * 0.12, y + 26), colour=RED)
    for x in modules:
        black, red = x + side * 0.3, x + side * 0.12
        if x != modules[0]:
            pen.hop((red, y + 12), BLACK)
            pen.joint((red, y + 26), RED)
            pen.joint((black, y + 12), BLACK)
        pen.wire((red, y + 26), (red, y), colour=RED)
        pen.wire((black, y + 12), (black, y), colour=BLACK)
    pen.hop((930, y + 26), RED)
