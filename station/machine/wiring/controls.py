"""Draw the controls at the desk and the players' buzzers: buttons, lamps, signs, knob.

Buzzers are on pins of the Pi, each with its wire, or on a box at a USB plug. The desk has buttons
with their lamps, the signs, and the rotary knob.
"""

from __future__ import annotations

from station.machine.wiring import pins
from station.machine.wiring.board import facts
from station.machine.wiring.pins import (
    BUZZER_GND,
    CannotDraw,
    Devices,
    Options,
    buzzer_terminals,
    centred,
    draw_header,
    draw_terminal,
    sheet,
)
from station.paper.pen import BLACK, BLUE, EDGE, GREEN, INK, PAPER, RED, SOFT, Point, SvgPen, number
from station.settings.buzzing import buzzer_lines, buzzer_seats, is_buzzers

BUZZER_PLATE_X, BUZZER_GROUND_X = 160.0, 850.0
BUZZER_PITCH = 40.0
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
    bottom = 130 + BUZZER_PITCH * len(wired)
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
    pen.wire((BUZZER_GROUND_X, 120), (BUZZER_GROUND_X, bottom), colour=BLACK)
    for index, terminal in enumerate(buzzer_terminals(devices)):
        y = 120 + BUZZER_PITCH * index
        name, line = terminal.role.rsplit(" ", 1)
        box = "buzzers" if name == "buzzer" else name
        start = draw_terminal(pen, (BUZZER_PLATE_X, y), terminal)
        pen.wire(start, (BUZZER_GROUND_X, y), colour=terminal.colour)
        pen.wire((600, y), (BUZZER_GROUND_X, y), colour=BLACK)
        pen.switch((560, y))
        text = f"{terminal.role}: {_seat(devices, box, int(line))}"
        pen.words((340, y - 5), text, size=12, bold=True)
        pen.joint((BUZZER_GROUND_X, y), BLACK)
    pen.wire(
        draw_terminal(pen, (BUZZER_PLATE_X, bottom), BUZZER_GND),
        (BUZZER_GROUND_X, bottom),
        colour=BLACK,
    )
    text = (
        "No resistor. Each wire is twisted with its own black one, and keeps away from mains: else"
        " it would buzz by itself."
    )
    pen.words((BUZZER_PLATE_X, bottom + 40), text, size=12, colour=SOFT)


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


# -- the controls at the desk ----------------------------------------------------------------------

GROUND_X, FIVE_X = 850.0, 920.0
PLATE_X = 160.0
PITCH = 132.0  # from one button with a lamp to the next


def draw_buttons(devices: pins.Devices) -> SvgPen:
    """Draw the push buttons, with a lamp in each that has one, and what keeps spikes from their
    pins."""
    pairs = pins.button_terminals(devices)
    supplies = pins.button_supplies(devices)
    lit = pins.LAMP_5V in supplies and any(lamp is not None for _, lamp in pairs)
    supplies = [supply for supply in supplies if lit or supply is not pins.LAMP_5V]
    bottom = 130 + sum(66 if lamp is None else PITCH for _, lamp in pairs)
    notes = _button_notes(lit)
    below = bottom + 45 * len(supplies) + 20 + 17.4 * len(notes)
    pen = sheet(
        max(below + 220, 590),
        "Buttons with lamps",
        "Numbers in colour are the counted pins of the header. Switch the Pi off before you wire.",
    )
    draw_header(pen, (30, 90), [*pins.desk_terminals(devices), *supplies])
    pen.wire((GROUND_X, 130), (GROUND_X, bottom), colour=BLACK)
    if lit:
        pen.wire((FIVE_X, 172), (FIVE_X, bottom + 45), colour=RED)
    y = 130.0
    for button, lamp in pairs:
        _draw_button(pen, y, button)
        if lamp is not None:
            _draw_lamp(pen, y + 66, lamp)
        y += 66 if lamp is None else PITCH
    _draw_rail(pen, bottom, pins.BUTTON_GND, GROUND_X)
    if lit:
        _draw_rail(pen, bottom + 45, pins.LAMP_5V, FIVE_X)
    if pins.BUTTON_3V3 in supplies:
        y = bottom + 45 * (len(supplies) - 1)
        _draw_rail(pen, y, pins.BUTTON_3V3, PLATE_X + 200)
        pen.words((PLATE_X + 208, y + 5), "to 3V3 of each RC", size=12, colour=SOFT)
    pen.lines((PLATE_X, below - 17.4 * len(notes)), notes, size=12)
    own = [pins.own_pulled(button) for button, _ in pairs]
    for place, kind in enumerate(sorted(set(own))):
        _draw_filter(pen, (PLATE_X + 400 * place, below + 110), own=kind)
    return pen


def _button_notes(lit: bool) -> list[str]:
    notes = (
        "RC: at the header's end of each button's wire, drawn below; its GND is the black wire."
        " The third contact, NC, stays free.\nA button metres away: a twisted pair of its own,"
        " signal and GND, as one pair of a network cable; never in one\ncable with lamps, or beside"
        " the mains."
    )
    if lit:
        notes += (
            "\nTransistor: BC337 (NPN). Flat side towards you, legs down: collector, base, emitter,"
            " from left to right.\nLamps: 5 V, with their own resistor, 50 mA each at most. For 12"
            " V lamps the red wire goes to + of\na 12 V supply instead of the pin, and − of that"
            " supply to the black wire."
        )
    return notes.split("\n")


def _draw_filter(pen: SvgPen, at: Point, *, own: bool) -> None:
    """Draw what is in a box RC, 360 wide: resistors and capacitor between a button's wire and its
    pin. `own` is the one for pins that have their resistor to 3V3 on the Pi."""
    x, y = at
    known = facts()["button"]
    title = "RC2: on pins 3 and 5 (GPIO 2 and 3)" if own else "RC: on every other pin"
    pen.begin(filter="own" if own else "pulled")
    pen.words((x, y - 84), title, bold=True)
    pen.words((x, y + 5), "pin", size=12)
    pen.wire((x + 30, y), (x + 300, y))
    pen.resistor((x + 165, y), _ohms(known["own_series_ohm" if own else "series_ohm"]))
    pen.words((x + 306, y + 5), "button", size=12)
    pen.wire((x + 80, y), (x + 80, y + 70), colour=BLACK)
    pen.joint((x + 80, y))
    pen.capacitor((x + 80, y + 32), f"{known['farad'] * 1e9:g} nF")
    pen.words((x + 90, y + 74), "GND", size=12)
    if own:
        pen.lines(
            (x + 120, y + 26), ["to 3V3: 1.8 kΩ are on", "the Pi, at these two pins"], size=11
        )
    else:
        pen.wire((x + 250, y), (x + 250, y - 76), colour=pins.BUTTON_3V3.colour)
        pen.joint((x + 250, y))
        pen.resistor((x + 250, y - 38), _ohms(known["pull_ohm"]), upright=True)
        pen.words((x + 260, y - 72), "3V3", size=12)
    pen.end()


def _ohms(value: float) -> str:
    return f"{value / 1000:g} kΩ" if value >= 1000 else f"{value:g} Ω"


def _draw_rail(pen: SvgPen, y: float, terminal: pins.HeaderPin, x: float) -> None:
    """Draw a supply's plate, and the wire from it to its rail."""
    pen.wire(draw_terminal(pen, (PLATE_X, y), terminal), (x, y), colour=terminal.colour)


def _draw_button(pen: SvgPen, y: float, button: pins.HeaderPin) -> None:
    start = draw_terminal(pen, (PLATE_X, y), button)
    pen.wire(start, (GROUND_X, y), colour=button.colour)
    name = "RC2" if pins.own_pulled(button) else "RC"
    pen.begin(rc=button.role)
    pen.box((PLATE_X + 164, y - 13), (40, 26), fill="#f4e3c1", edge=INK, round_=3)
    centred(pen, PLATE_X + 184, y + 5, name, 12, bold=True)
    pen.end()
    pen.wire((600, y), (GROUND_X, y), colour=BLACK)
    pen.switch((560, y))
    pen.words((612, y - 12), "contacts COM and NO", size=11, colour=SOFT)
    pen.words((370, y - 12), f"button “{button.role.removeprefix('button ')}”", bold=True)
    pen.joint((GROUND_X, y), BLACK)


def _draw_lamp(pen: SvgPen, y: float, lamp: pins.HeaderPin) -> None:
    """Draw a lamp with its transistor; the wires of both end at the rails."""
    start = draw_terminal(pen, (PLATE_X, y), lamp)
    pen.wire(start, (536, y), colour=lamp.colour)
    pen.resistor((420, y), "1 kΩ")
    pen.transistor((560, y))
    pen.wire((570, y - 24), (FIVE_X, y - 24), colour=RED)
    pen.hop((GROUND_X, y - 24), RED)
    pen.joint((FIVE_X, y - 24), RED)
    pen.lamp((690, y - 24))
    pen.words((714, y - 32), f"lamp “{lamp.role.removeprefix('lamp ')}”", size=12, bold=True)
    pen.wire((570, y + 24), (GROUND_X, y + 24), colour=BLACK)
    pen.joint((GROUND_X, y + 24), BLACK)


def draw_signs(devices: pins.Devices) -> SvgPen:
    """Draw the lamps that are in no button, and the rotary knob."""
    signs, knob = pins.sign_terminals(devices), pins.knob_terminals(devices)
    bottom = 170 + 100 * len(signs) + (130 if knob else 0)
    pen = sheet(
        max(bottom + 190, 600),
        "Signs and knob",
        "The lamps that stand alone, and the knob for the pace. Switch the Pi off before you wire.",
    )
    supplies = [pins.LAMP_5V, pins.SIGN_GND] if signs else [pins.SIGN_GND]
    draw_header(pen, (30, 90), [*signs, *knob, *supplies])
    pen.wire((GROUND_X, 130), (GROUND_X, bottom), colour=BLACK)
    y = 150.0
    if signs:
        pen.wire((FIVE_X, y - 24), (FIVE_X, bottom + 45), colour=RED)
    for lamp in signs:
        _draw_lamp(pen, y, lamp)
        y += 100
    if knob:
        _draw_knob(pen, y + 30, *knob)
    _draw_rail(pen, bottom, pins.SIGN_GND, GROUND_X)
    notes = []
    if knob:
        notes.append(
            "The knob is a bare incremental encoder: outer legs A and B, middle leg C, no resistor."
            " On a module (KY-040)\nthese are CLK, DT and GND; its + goes to pin 17 (3V3), never to"
            " 5 V. If it counts the wrong way, change A and B."
        )
    if signs:
        _draw_rail(pen, bottom + 45, pins.LAMP_5V, FIVE_X)
        notes.append(
            "The 5 V wire is the one of the buttons' lamps; transistors as there: collector, base,"
            " emitter from left to right.\nA large beacon takes more than 50 mA: give it the + of a"
            " supply of its own, its − to the black wire, and\na transistor made for its current."
        )
    pen.lines((PLATE_X, bottom + 88), "\n".join(notes).splitlines(), size=12)
    return pen


def _draw_knob(pen: SvgPen, y: float, first: pins.HeaderPin, second: pins.HeaderPin) -> None:
    name = first.role.removeprefix("knob ").removesuffix(" A")
    x = 640.0
    pen.box((x, y - 30), (120, 120), fill="#eceff1", edge=INK)
    pen.ring((x + 66, y + 30), 34, fill=PAPER)
    pen.path(f"M{number(x + 66)} {number(y + 30)} L{number(x + 88)} {number(y + 8)}", thick=4)
    centred(pen, x + 60, y - 38, f"knob “{name}”", 13, bold=True)
    for leg, level in (("A", y), ("C", y + 30), ("B", y + 60)):
        pen.words((x + 8, level + 5), leg, size=12, bold=True)
    pen.wire(draw_terminal(pen, (PLATE_X, y), first), (x, y), colour=first.colour)
    pen.wire(draw_terminal(pen, (PLATE_X, y + 60), second), (x, y + 60), colour=second.colour)
    pen.wire((x, y + 30), (x - 40, y + 30), (x - 40, y + 105), (GROUND_X, y + 105), colour=BLACK)
    pen.hop((x - 40, y + 60), second.colour)
    pen.joint((GROUND_X, y + 105), BLACK)
