"""Find from the settings which wire goes to which pin of the Pi, and draw its tag readers.

Readers are drawn on the header's serial pins, or on USB serial adapters.

Source: the 40-pin header as every Raspberry Pi since the B+ has it; SPI 0 and the serial port in
their places.

Source of the RDM6300's plugs: Seeed's page of the 125 kHz RFID module (P1: TX, RX, -, GND, +5V; P2:
coil; P3: a lamp). Of the PN532's: the manual of the Elechouse module V3, revision B (switches), and
Fran314/papyrus-decoder (its four wires on a Pi 4).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from station.base.errors import LotoError
from station.paper.pen import (
    AMBER,
    BLACK,
    BLUE,
    EDGE,
    GREEN,
    INK,
    PAPER,
    PINK,
    PURPLE,
    RED,
    SOFT,
    TEAL,
    Point,
    SvgPen,
)
from station.settings.buzzing import is_buzzers
from station.settings.readers import is_reader

Options: TypeAlias = Mapping[str, Any]
Devices: TypeAlias = Mapping[str, Options]

# The header as it lies, two pins a row: a GPIO (BCM) number, or a supply.
_ROWS = """
    3V3 5V   2 5V   3 GND  4 14   GND 15  17 18  27 GND  22 23  3V3 24  10 GND
    9 25     11 8   GND 7  0 1    5 GND   6 12   13 GND  19 16  26 20   GND 21
"""
HEADER: dict[int, int | str] = {
    pin: int(name) if name.isdecimal() else name for pin, name in enumerate(_ROWS.split(), start=1)
}
PIN_OF = {name: pin for pin, name in HEADER.items() if isinstance(name, int)}
SPI0 = {"MOSI": 10, "SCLK": 11}
SPI0_SELECT = (8, 7)
SERIAL_TX, SERIAL_RX = 14, 15
# the same two pins: the first on a Pi 3 and 4, the second on a Pi 5
HEADER_PORTS = ("/dev/serial0", "/dev/ttyAMA0")

COLOURS = (BLUE, GREEN, PURPLE, AMBER, TEAL, PINK)


class CannotDraw(LotoError):
    """A device is wired in a way that the drawings do not know."""


@dataclass(frozen=True, slots=True)
class HeaderPin:
    """One pin of the header that a wire goes to."""

    role: str
    pin: int
    colour: str

    @property
    def name(self) -> str:
        """Return what is printed beside the pin: GPIO 17, 5V or GND."""
        what = HEADER[self.pin]
        return f"GPIO {what}" if isinstance(what, int) else what


OWN_PULLED = (2, 3)  # GPIO with a resistor to 3V3 on the Pi itself: its I²C pins

BUTTON_3V3 = HeaderPin("buttons 3V3", 1, AMBER)
BUTTON_GND = HeaderPin("buttons and lamps GND", 20, BLACK)
LAMP_5V = HeaderPin("lamps 5V", 4, RED)
SIGN_GND = HeaderPin("signs and knob GND", 30, BLACK)
MATRIX_GND = HeaderPin("matrix GND", 25, BLACK)
BUZZER_GND = HeaderPin("buzzers GND", 34, BLACK)


def pins_of(devices: Devices, name: str) -> Mapping[str, int]:
    """Return the GPIO numbers of a device by what is on them; none without that device."""
    pins: Mapping[str, int] = devices.get(name, {}).get("pins", {})
    return pins


def button_terminals(devices: Devices) -> list[tuple[HeaderPin, HeaderPin | None]]:
    """Return each button, with the lamp of its name if there is one."""
    lamps = pins_of(devices, "lamps")
    pairs: list[tuple[HeaderPin, HeaderPin | None]] = []
    for index, (name, gpio) in enumerate(pins_of(devices, "button").items()):
        button = HeaderPin(f"button {name}", PIN_OF[gpio], COLOURS[2 * index % 6])
        colour, lamp = COLOURS[(2 * index + 1) % 6], lamps.get(name)
        lit = None if lamp is None else HeaderPin(f"lamp {name}", PIN_OF[lamp], colour)
        pairs.append((button, lit))
    return pairs


def desk_terminals(devices: Devices) -> list[HeaderPin]:
    """Return the terminals of all buttons and of the lamps in them, in the order of the drawing."""
    return [pin for pair in button_terminals(devices) for pin in pair if pin is not None]


def own_pulled(terminal: HeaderPin) -> bool:
    """Return whether the Pi itself has a resistor from that pin to 3V3."""
    return HEADER[terminal.pin] in OWN_PULLED


def button_supplies(devices: Devices) -> list[HeaderPin]:
    """Return what the buttons and their lamps are fed from: 3V3 where the Pi has no resistor of its
    own, GND, and 5 V for lamps; nothing without buttons."""
    pairs = button_terminals(devices)
    supplies = [BUTTON_3V3] if any(not own_pulled(button) for button, _ in pairs) else []
    supplies += [BUTTON_GND] if pairs else []
    return supplies + ([LAMP_5V] if devices.get("lamps") else [])


def sign_terminals(devices: Devices) -> list[HeaderPin]:
    """Return the lamps that are in no button: the claim beacon, the fault lamp."""
    lamps, buttons = pins_of(devices, "lamps"), pins_of(devices, "button")
    alone = [name for name in lamps if name not in buttons]
    return [
        HeaderPin(f"lamp {name}", PIN_OF[lamps[name]], COLOURS[index % 6])
        for index, name in enumerate(alone)
    ]


def knob_terminals(devices: Devices) -> list[HeaderPin]:
    """Return the contacts A and B of the rotary knob; none without one."""
    options = devices.get("knob")
    if options is None:
        return []
    name, pins = options.get("knob", "pace"), options["pins"]
    return [
        HeaderPin(f"knob {name} A", PIN_OF[pins["a"]], PURPLE),
        HeaderPin(f"knob {name} B", PIN_OF[pins["b"]], TEAL),
    ]


def buzzer_terminals(devices: Devices) -> list[HeaderPin]:
    """Return each buzzer on a pin of the header, line after line; none for those on a box."""
    pins = [
        (f"{'buzzer' if name == 'buzzers' else name} {line}", gpio)
        for name, options in devices.items()
        if is_buzzers(name)
        for line, gpio in sorted(options.get("pins", {}).items(), key=lambda pin: int(pin[0]))
    ]
    return [
        HeaderPin(role, PIN_OF[gpio], COLOURS[index % 6]) for index, (role, gpio) in enumerate(pins)
    ]


def readers(devices: Devices) -> dict[str, Options]:
    """Return every reader's options by its name."""
    return {name: options for name, options in devices.items() if is_reader(name)}


def header_reader(devices: Devices) -> str | None:
    """Return the name of the reader on the header's serial pins, if there is one.

    Raises:
        CannotDraw: two readers need the same pins.
    """
    ports = {name: options.get("port") for name, options in readers(devices).items()}
    found = [name for name, port in ports.items() if port in HEADER_PORTS]
    if len(found) > 1:
        both = " and ".join(found)
        raise CannotDraw(f"{both} are on the same serial port: give each a port of its own")
    return found[0] if found else None


def reader_terminals(devices: Devices) -> list[HeaderPin]:
    """Return the terminals of the reader on the header: 5 V, ground, the serial input, for a PN532
    the output too; none without a reader."""
    name = header_reader(devices)
    if name is None:
        return []
    five, ground = HeaderPin(f"{name} 5V", 2, RED), HeaderPin(f"{name} GND", 6, BLACK)
    heard = HeaderPin(f"{name} RXD", PIN_OF[SERIAL_RX], BLUE)
    asked = HeaderPin(f"{name} TXD", PIN_OF[SERIAL_TX], GREEN)
    fast = devices[name].get("family") == "pn532"
    return [five, ground, heard, asked] if fast else [five, ground, heard]


def matrix_terminals(devices: Devices) -> list[HeaderPin]:
    """Return the board's terminals: data, select, clock and ground of a MAX7219, data and ground of
    a WS2812; none without a board.

    Raises:
        CannotDraw: the bus is not SPI 0, whose pins are the only ones drawn.
    """
    options = devices.get("matrix")
    if options is None:
        return []
    found = re.fullmatch(r"spi:0\.([01])", str(options.get("bus", "spi:0.0")))
    if not found:
        raise CannotDraw(
            f"the board's bus {options['bus']!r} cannot be drawn: only spi:0.0 and spi:0.1 are on"
            " the header"
        )
    data = HeaderPin("matrix MOSI", PIN_OF[SPI0["MOSI"]], BLUE)
    if options.get("driver") == "ws2812":
        return [data, MATRIX_GND]
    select = HeaderPin(f"matrix CE{found[1]}", PIN_OF[SPI0_SELECT[int(found[1])]], GREEN)
    return [data, select, HeaderPin("matrix SCLK", PIN_OF[SPI0["SCLK"]], PURPLE), MATRIX_GND]


def all_terminals(devices: Devices) -> list[HeaderPin]:
    """Return every pin in use, also for supplies, in the order of the drawings."""
    buttons, buzzers = desk_terminals(devices), buzzer_terminals(devices)
    signs = [*sign_terminals(devices), *knob_terminals(devices)]
    used = [*buttons, *button_supplies(devices)]
    used += [*signs, SIGN_GND] if signs else []
    used += [*buzzers, BUZZER_GND] if buzzers else []
    return [*used, *reader_terminals(devices), *matrix_terminals(devices)]


# -- the tag readers -------------------------------------------------------------------------------

DRAWN_FAMILIES = ("rdm6300", "grove")
PN532 = "pn532"
LEGS = {1: "TX", 2: "RX", 3: "not used", 4: "GND", 5: "+5V (DC)"}


def draw_header_reader(devices: Devices) -> SvgPen:
    """Draw the reader on the header: an RDM6300 with its divider, or a PN532.

    Raises:
        CannotDraw: the reader is of another family, or there is none.
    """
    name = header_reader(devices)
    if name is None:
        raise CannotDraw("no reader is on the header's serial pins: there is nothing to draw")
    if devices[name].get("family") == PN532:
        return _draw_pn532(devices)
    _known_family(name, readers(devices)[name])
    five, ground, receive = terminals = reader_terminals(devices)
    pen = sheet(
        600,
        "Tag reader RDM6300",
        "A 5 V device: its TX must never go straight to a pin of the Pi, which stands 3.3 V only.",
        "RDM6300 reader",
    )
    draw_header(pen, (30, 90), terminals)
    x, y = 740.0, 140.0
    rows = _draw_module(pen, (x, y))
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
    notes = (
        "The resistors divide: of 5 V at TX, 5 V × 2 / (1 + 2) = 3.3 V reach pin 10. Measure first,"
        " with the blue wire\nnot yet on the pin: between the joint and GND there must be 3.3 V at"
        " most. Is TX itself only 3.3 V? Then leave the\n2 kΩ resistor out. Plug P3 (for a lamp of"
        " the module's own) stays free. The coil lies flat under the tray,\naway from metal. On a"
        " Pi 5 the port in the profile is /dev/ttyAMA0."
    )
    pen.lines((160, 445), notes.split("\n"))
    return pen


def _draw_pn532(devices: Devices) -> SvgPen:
    five, ground, heard, asked = terminals = reader_terminals(devices)
    pen = sheet(
        600,
        "Tag reader PN532",
        "Its two switches on HSU (both off on the module V3) before it has power: it reads them"
        " when it starts.",
        "PN532 reader",
    )
    draw_header(pen, (30, 90), terminals)
    x, y = 740.0, 140.0
    pen.box((x, y), (220, 220), fill="#e3eaf6", edge=BLUE)
    centred(pen, x + 110, y + 26, "PN532", 17, bold=True)
    legs = (
        (five, "", "VCC", RED),
        (ground, "", "GND", BLACK),
        (heard, "RXD", "TXD (SDA)", BLUE),
        (asked, "TXD", "RXD (SCL)", GREEN),
    )
    for index, (terminal, note, leg, colour) in enumerate(legs):
        level = y + 66 + 42 * index
        pen.wire(draw_terminal(pen, (160, level), terminal, note), (x - 9, level), colour=colour)
        pen.box((x - 9, level - 9), (18, 18), fill=PAPER, edge=INK, round_=3)
        pen.words((x + 18, level + 5), leg, size=13)
    notes = (
        "TXD goes to RXD, and RXD to TXD. On some modules the two are printed SDA and SCL.\nMeasure"
        " first, with the blue wire not yet on pin 10: between TXD and GND there must be 3.3 V at"
        " most; if there is\nmore, take the two resistors of the RDM6300 (1 kΩ in the blue wire, 2"
        " kΩ from pin 10 to GND).\nTags of 13.56 MHz only. The board itself lies flat under the"
        " tray, away from metal. On a Pi 5 the port is\n/dev/ttyAMA0."
    )
    pen.lines((160, 415), notes.split("\n"))
    return pen


def draw_usb_readers(devices: Devices) -> SvgPen:
    """Draw the readers on USB serial adapters: one adapter's wires, and each reader's port.

    Raises:
        CannotDraw: there is none, or one is of another family.
    """
    on_header = header_reader(devices)
    found = {name: options for name, options in readers(devices).items() if name != on_header}
    if not found:
        raise CannotDraw("no reader is on a USB plug: there is nothing to draw")
    for name, options in found.items():
        _known_family(name, options)
    height = 420 + 34 * len(found)
    text = "One USB serial adapter for each reader; nothing goes to the header."
    pen = sheet(height + 150, "Tag readers on USB", text, "Readers on USB")
    x, y = 700.0, 100.0
    rows = _draw_module(pen, (x, y))
    pen.box((300, y), (200, 250), fill="#e8f3ef", edge=GREEN)
    centred(pen, 400, y + 26, "USB serial adapter", 15, bold=True)
    centred(pen, 400, y + 46, "set to 5 V", 12, SOFT)
    for leg, label, colour in ((1, "RX", BLUE), (4, "GND", BLACK), (5, "5V", RED)):
        pen.wire((500, rows[leg]), (x - 9, rows[leg]), colour=colour)
        pen.words((490, rows[leg] + 5), label, size=13, bold=True, anchor="end")
    pen.box((60, y + 80), (130, 60))
    centred(pen, 125, y + 105, "USB hub with", 12)
    centred(pen, 125, y + 122, "its own supply", 12)
    pen.arrow((190, y + 110), (300, y + 110), colour=GREEN, both=True)
    top = 400.0
    for place, title in ((60, "reader"), (220, "lies under"), (400, "port in the settings")):
        pen.words((place, top), title, size=12, bold=True, colour=SOFT)
    for index, (name, options) in enumerate(found.items()):
        level = top + 30 + 34 * index
        pen.begin(reader=name, port=options.get("port", ""))
        pen.box((50, level - 20), (900, 30), fill=PAPER, edge=EDGE, round_=4)
        pen.words((60, level), name, bold=True)
        cavity = options.get("cavity")
        pen.words((220, level), f"cavity {cavity}" if cavity else "the tray", size=13)
        pen.words((400, level), str(options.get("port", "")), size=13)
        pen.end()
    notes = (
        "Adapters of one make often carry one name: /dev/serial/by-id/ then shows one of them only."
        " /dev/serial/by-path/\nnames the socket and tells them apart: label every socket, and"
        " leave each plug in its own.\nOne that cannot be set to 5 V wants the two resistors of the"
        " drawing “Tag reader RDM6300” before its RX.\nCoils side by side can disturb each other:"
        " try two at the distance of the plate before you buy ten."
    )
    pen.lines((50, height + 40), notes.split("\n"))
    return pen


def _known_family(name: str, options: Options) -> None:
    family = options.get("family", "rdm6300")
    if options.get("driver") != "rfid" or family not in DRAWN_FAMILIES:
        what = f"{options.get('driver')} {family}"
        raise CannotDraw(
            f"{name} ({what}) cannot be drawn: only the RDM6300 is, and a PN532 on the header; wire"
            " it by its own sheet"
        )


def _draw_module(pen: SvgPen, at: Point) -> dict[int, float]:
    """Draw the RDM6300 with its coil, 220 × 250; return the height of each leg of plug P1, whose
    left side is 9 left of `at`."""
    x, y = at
    pen.box((x, y), (220, 250), fill="#e3eaf6", edge=BLUE)
    centred(pen, x + 110, y + 26, "RDM6300", 17, bold=True)
    pen.words((x + 12, y + 50), "plug P1, pin", size=11, colour=SOFT)
    rows = {leg: y + 40 + 34 * leg for leg in LEGS}
    for leg, name in LEGS.items():
        pen.box((x - 9, rows[leg] - 9), (18, 18), fill=PAPER, edge=INK, round_=3)
        centred(pen, x, rows[leg] + 4, str(leg), 11, bold=True)
        pen.words((x + 18, rows[leg] + 5), name, size=13, colour=INK if leg in (1, 4, 5) else SOFT)
    pen.words((x + 120, y + 110), "P2", size=11, colour=SOFT)
    pen.path(f"M{x + 140} {y + 106} h14 M{x + 140} {y + 130} h14", thick=2)
    for radius in (16, 21, 26):
        pen.ring((x + 178, y + 118), radius, fill="none", edge=AMBER, thick=2)
    centred(pen, x + 178, y + 164, "coil", 12, SOFT)
    return rows


# -- parts -----------------------------------------------------------------------------------------

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
