"""Which wire goes to which pin of the Pi: the header, and what the profiles in `hw/profiles` put on it.

Source: the 40-pin header as every Raspberry Pi since the B+ has it; SPI 0 and the serial port in their places.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docs.pen import AMBER, BLACK, BLUE, GREEN, PINK, PURPLE, RED, TEAL

PROFILES = Path(__file__).parents[1] / "hw" / "profiles"

# The header as it lies, two pins a row: a GPIO (BCM) number, or a supply.
_ROWS = """
    3V3 5V   2 5V   3 GND  4 14   GND 15  17 18  27 GND  22 23  3V3 24  10 GND
    9 25     11 8   GND 7  0 1    5 GND   6 12   13 GND  19 16  26 20   GND 21
"""
HEADER: dict[int, int | str] = {pin: int(name) if name.isdecimal() else name for pin, name in enumerate(_ROWS.split(), start=1)}
PIN_OF = {name: pin for pin, name in HEADER.items() if isinstance(name, int)}
SPI0 = {"MOSI": 10, "SCLK": 11}
SPI0_SELECT = (8, 7)
SERIAL_RX = 15

COLOURS = (BLUE, GREEN, PURPLE, AMBER, TEAL, PINK)


@dataclass(frozen=True, slots=True)
class Terminal:
    """One pin of the header that a wire goes to."""

    role: str
    pin: int
    colour: str

    @property
    def name(self) -> str:
        """What is printed beside it: GPIO 17, 5V or GND."""
        what = HEADER[self.pin]
        return f"GPIO {what}" if isinstance(what, int) else what


def load(profile: str) -> Mapping[str, Any]:
    """The devices of a profile."""
    devices: Mapping[str, Any] = tomllib.loads((PROFILES / f"{profile}.toml").read_text(encoding="utf-8"))["devices"]
    return devices


def matrix_terminals(devices: Mapping[str, Any]) -> list[Terminal]:
    """MOSI, SCLK, chip select and ground of the board.

    Raises:
        ValueError: the bus is not SPI 0, whose pins are the only ones drawn.
    """
    found = re.fullmatch(r"spi:0\.([01])", devices["matrix"]["bus"])
    if not found:
        raise ValueError(f"bus {devices['matrix']['bus']!r}: only spi:0.0 and spi:0.1 can be drawn")
    select = int(found[1])
    return [
        Terminal("matrix MOSI", PIN_OF[SPI0["MOSI"]], BLUE),
        Terminal(f"matrix CE{select}", PIN_OF[SPI0_SELECT[select]], GREEN),
        Terminal("matrix SCLK", PIN_OF[SPI0["SCLK"]], PURPLE),
        Terminal("matrix GND", 25, BLACK),
    ]


def reader_terminals(devices: Mapping[str, Any]) -> list[Terminal]:
    """5 V, ground and the serial input.

    Raises:
        ValueError: the reader is not on the header's serial pins.
    """
    if devices["reader"]["port"] != "/dev/serial0":
        raise ValueError(f"port {devices['reader']['port']!r}: only /dev/serial0 is on the header")
    return [Terminal("reader 5V", 2, RED), Terminal("reader GND", 6, BLACK), Terminal("reader RXD", PIN_OF[SERIAL_RX], BLUE)]


def button_terminals(devices: Mapping[str, Any]) -> list[tuple[Terminal, Terminal]]:
    """Each button with the lamp in it."""
    lamps = devices["lamps"]["pins"]
    return [
        (
            Terminal(f"button {name}", PIN_OF[gpio], COLOURS[2 * index]),
            Terminal(f"lamp {name}", PIN_OF[lamps[name]], COLOURS[2 * index + 1]),
        )
        for index, (name, gpio) in enumerate(devices["button"]["pins"].items())
    ]


BUTTON_GND = Terminal("buttons and lamps GND", 20, BLACK)
LAMP_5V = Terminal("lamps 5V", 4, RED)
