"""Draw the controls at the desk: buttons with their lamps, the signs, the rotary knob."""

from __future__ import annotations

from station.paper.pen import BLACK, INK, PAPER, RED, SOFT, SvgPen, number
from station.wiring import pins
from station.wiring.parts import centred, draw_header, draw_terminal, sheet

GROUND_X, FIVE_X = 850.0, 920.0
PLATE_X = 160.0
PITCH = 132.0  # from one button with a lamp to the next


def draw_buttons(devices: pins.Devices) -> SvgPen:
    """Draw the push buttons, with a lamp in each that has one."""
    pairs = pins.button_terminals(devices)
    lit = any(lamp is not None for _, lamp in pairs)
    bottom = 130 + sum(66 if lamp is None else PITCH for _, lamp in pairs)
    pen = sheet(
        max(bottom + (180 if lit else 110), 590),
        "Buttons with lamps",
        "Numbers in colour are the counted pins of the header. Switch the Pi off before you wire.",
    )
    supplies = [pins.BUTTON_GND, pins.LAMP_5V] if lit else [pins.BUTTON_GND]
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
    notes = "The buttons need no resistor. Their third contact, NC, stays free."
    if lit:
        _draw_rail(pen, bottom + 45, pins.LAMP_5V, FIVE_X)
        notes += (
            "\nTransistor: BC337 (NPN). Flat side towards you, legs down: collector, base, emitter,"
            " from left to right.\nLamps: 5 V, with their own resistor, 50 mA each at most. For 12"
            " V lamps the red wire goes to + of\na 12 V supply instead of the pin, and − of that"
            " supply to the black wire."
        )
    pen.lines((PLATE_X, bottom + (88 if lit else 48)), notes.split("\n"), size=12)
    return pen


def _draw_rail(pen: SvgPen, y: float, terminal: pins.HeaderPin, x: float) -> None:
    """Draw a supply's plate, and the wire from it to its rail."""
    pen.wire(draw_terminal(pen, (PLATE_X, y), terminal), (x, y), colour=terminal.colour)


def _draw_button(pen: SvgPen, y: float, button: pins.HeaderPin) -> None:
    start = draw_terminal(pen, (PLATE_X, y), button)
    pen.wire(start, (GROUND_X, y), colour=button.colour)
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
