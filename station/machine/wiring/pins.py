"""Tell which wire goes to which pin of the Pi, from the settings.

Source: the 40-pin header as every Raspberry Pi since the B+ has it; SPI 0 and the serial port in
their places.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from station.base.errors import LotoError
from station.paper.pen import AMBER, BLACK, BLUE, GREEN, PINK, PURPLE, RED, TEAL
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
