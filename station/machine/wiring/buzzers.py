"""Draw the players' buzzers: on pins of the Pi, each with its wire, or on a box at a USB plug."""

from __future__ import annotations

from station.machine.wiring.parts import centred, draw_header, draw_terminal, sheet
from station.machine.wiring.pins import BUZZER_GND, CannotDraw, Devices, Options, buzzer_terminals
from station.paper.pen import BLACK, BLUE, EDGE, GREEN, INK, PAPER, SOFT, SvgPen
from station.settings.buzzing import buzzer_lines, buzzer_seats, is_buzzers

PLATE_X, GROUND_X = 160.0, 850.0
PITCH = 40.0
KNOWN = ("buzzers", "buzzer-box")


def boxes(devices: Devices) -> dict[str, Options]:
    """Return the options of every box of buzzers at a serial port, by its name."""
    return {
        name: options
        for name, options in devices.items()
        if is_buzzers(name) and "pins" not in options
    }


def draw_buzzers(devices: Devices) -> SvgPen:
    """Draw all buzzers of a station.

    Raises:
        CannotDraw: there are no buzzers, or the drawings do not know the driver.
    """
    for name, options in devices.items():
        if is_buzzers(name) and options.get("driver") not in KNOWN:
            raise CannotDraw(
                f"{name} ({options.get('driver')}) cannot be drawn: wire it by its own sheet"
            )
    wired, at_plugs = buzzer_terminals(devices), boxes(devices)
    if not wired and not at_plugs:
        raise CannotDraw("there are no buzzers: there is nothing to draw")
    bottom = 130 + PITCH * len(wired)
    level = max(bottom + 90, 600.0) if wired else 100.0
    pen = sheet(
        level + 240 * len(at_plugs),
        "Buzzers",
        "One for each player. Numbers in colour are the counted pins; switch the Pi off before you"
        " wire.",
    )
    if wired:
        draw_header(pen, (30, 90), [*wired, BUZZER_GND])
        _draw_pins(pen, devices, bottom)
    for name, options in at_plugs.items():
        _draw_box(pen, level, name, devices, options)
        level += 240
    return pen


def _seat(devices: Devices, box: str, line: int) -> str:
    given = buzzer_seats(devices)[box]
    seat = given.get(line) if given else line
    return f"seat {seat}" if seat is not None else "nobody's"


def _draw_pins(pen: SvgPen, devices: Devices, bottom: float) -> None:
    pen.wire((GROUND_X, 120), (GROUND_X, bottom), colour=BLACK)
    for index, terminal in enumerate(buzzer_terminals(devices)):
        y = 120 + PITCH * index
        name, line = terminal.role.rsplit(" ", 1)
        box = "buzzers" if name == "buzzer" else name
        start = draw_terminal(pen, (PLATE_X, y), terminal)
        pen.wire(start, (GROUND_X, y), colour=terminal.colour)
        pen.wire((600, y), (GROUND_X, y), colour=BLACK)
        pen.switch((560, y))
        text = f"{terminal.role}: {_seat(devices, box, int(line))}"
        pen.words((340, y - 5), text, size=12, bold=True)
        pen.joint((GROUND_X, y), BLACK)
    pen.wire(draw_terminal(pen, (PLATE_X, bottom), BUZZER_GND), (GROUND_X, bottom), colour=BLACK)
    text = (
        "No resistor. Each wire is twisted with its own black one, and keeps away from mains: else"
        " it would buzz by itself."
    )
    pen.words((PLATE_X, bottom + 40), text, size=12, colour=SOFT)


def _draw_box(pen: SvgPen, y: float, name: str, devices: Devices, options: Options) -> None:
    lines = buzzer_lines(devices)[name]
    pen.begin(box=name, port=options.get("port", ""))
    pen.box((40, y), (210, 130), fill="#e4efe6", edge=GREEN)
    centred(pen, 145, y + 30, "Raspberry Pi", 16, GREEN, bold=True)
    centred(pen, 145, y + 56, "any USB socket", 12, SOFT)
    pen.wire((250, y + 65), (400, y + 65), colour=BLUE)
    centred(pen, 325, y + 54, "USB cable", 12)
    pen.box((400, y), (230, 130), fill="#e8f3ef", edge=GREEN)
    centred(pen, 515, y + 30, name, 16, bold=True)
    centred(pen, 515, y + 56, "microcontroller with USB", 12, SOFT)
    which = f"lines {lines[0]} to {lines[-1]}" if len(lines) > 1 else f"line {lines[0]}"
    centred(pen, 515, y + 80, which, 14)
    centred(pen, 515, y + 112, "each input pulled up inside", 11, SOFT)
    for place, line in enumerate((lines[0], lines[-1])[: len(lines)]):
        level = y + 30 + 70 * place
        pen.wire((630, level), (880, level), colour=INK)
        pen.switch((740, level))
        pen.words((900, level + 5), _seat(devices, name, line), size=13, bold=True)
        pen.wire((880, level), (880, y + 130), colour=BLACK)
    if len(lines) > 2:
        centred(pen, 740, y + 69, "and so on", 12, SOFT)
    pen.wire((880, y + 130), (880, y + 150), (560, y + 150), (560, y + 130), colour=BLACK)
    centred(pen, 700, y + 168, "GND of the box, joined from buzzer to buzzer", 12, SOFT)
    pen.box((40, y + 172), (920, 34), fill=PAPER, edge=EDGE, round_=4)
    pen.words((52, y + 194), f"port in the settings: {options.get('port', '')}", size=13)
    pen.end()
