"""Draw the tag readers: one on the header's serial pins, or any number on USB serial adapters.

Source of the RDM6300's plugs: Seeed's page of the 125 kHz RFID module (P1: TX, RX, -, GND, +5V; P2:
coil; P3: a lamp). Of the PN532's: the manual of the Elechouse module V3, revision B (switches), and
Fran314/papyrus-decoder (its four wires on a Pi 4).
"""

from __future__ import annotations

from station.machine.wiring import pins
from station.machine.wiring.parts import centred, draw_header, draw_terminal, sheet
from station.paper.pen import AMBER, BLACK, BLUE, EDGE, GREEN, INK, PAPER, RED, SOFT, Point, SvgPen

DRAWN_FAMILIES = ("rdm6300", "grove")
PN532 = "pn532"
LEGS = {1: "TX", 2: "RX", 3: "not used", 4: "GND", 5: "+5V (DC)"}


def draw_header_reader(devices: pins.Devices) -> SvgPen:
    """Draw the reader on the header: an RDM6300 with its divider, or a PN532.

    Raises:
        CannotDraw: the reader is of another family, or there is none.
    """
    name = pins.header_reader(devices)
    if name is None:
        raise pins.CannotDraw("no reader is on the header's serial pins: there is nothing to draw")
    if devices[name].get("family") == PN532:
        return _draw_pn532(devices)
    _known_family(name, pins.readers(devices)[name])
    five, ground, receive = terminals = pins.reader_terminals(devices)
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


def _draw_pn532(devices: pins.Devices) -> SvgPen:
    five, ground, heard, asked = terminals = pins.reader_terminals(devices)
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


def draw_usb_readers(devices: pins.Devices) -> SvgPen:
    """Draw the readers on USB serial adapters: one adapter's wires, and each reader's port.

    Raises:
        CannotDraw: there is none, or one is of another family.
    """
    on_header = pins.header_reader(devices)
    found = {name: options for name, options in pins.readers(devices).items() if name != on_header}
    if not found:
        raise pins.CannotDraw("no reader is on a USB plug: there is nothing to draw")
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


def _known_family(name: str, options: pins.Options) -> None:
    family = options.get("family", "rdm6300")
    if options.get("driver") != "rfid" or family not in DRAWN_FAMILIES:
        what = f"{options.get('driver')} {family}"
        raise pins.CannotDraw(
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
