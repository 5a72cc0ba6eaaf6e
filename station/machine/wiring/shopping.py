"""List what to buy for a station: the parts of `hw/parts.toml`, counted from its settings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from station.base.untrusted import toml_from
from station.machine.wiring.board import (
    block_count,
    board_load,
    geometry_of,
    panel_count,
    supply_size,
    wire_and_fuse,
)
from station.machine.wiring.controls import boxes
from station.machine.wiring.pins import (
    Devices,
    button_terminals,
    header_reader,
    own_pulled,
    pins_of,
    readers,
)
from station.settings.buzzing import buzzer_lines
from station.settings.config import TOWER


@dataclass(frozen=True, slots=True)
class ShoppingItem:
    """Something to buy.

    Attributes:
        name: as it is asked for in a shop.
        count: how many.
        purpose: what it is for.
        look: what to look for.
        cents: the price of one, or None where nobody has written one down.
        currency: of that price, in three letters.
        priced: where the price is from, and of when.
    """

    name: str
    count: int
    purpose: str
    look: str
    cents: int | None = None
    currency: str = ""
    priced: str = ""

    @property
    def price(self) -> str:
        """Return the price of one, with its currency; "look up" without one."""
        return "look up" if self.cents is None else money(self.cents, self.currency)


def money(cents: int, currency: str) -> str:
    """Return a sum as it is printed.

    >>> money(1799, "EUR")
    '17.99 EUR'
    """
    return f"{cents // 100}.{cents % 100:02d} {currency}"


def sums(parts: Iterable[ShoppingItem]) -> tuple[dict[str, int], int]:
    """Return what the parts with a price cost, in cents by currency; and how many kinds of parts
    have none."""
    found: Counter[str] = Counter()
    unknown = 0
    for part in parts:
        if part.cents is None:
            unknown += 1
        else:
            found[part.currency] += part.count * part.cents
    return dict(sorted(found.items())), unknown


def shopping(devices: Devices) -> list[ShoppingItem]:
    """Return everything that a station needs, in the order of `hw/parts.toml`.

    Raises:
        CannotDraw: the board needs a larger supply than the tables know.
        BadOption: the geometry is not known.
    """
    units, sizes = part_units(devices), _sizes(devices)
    found = []
    for entry in toml_from((files("hw") / "parts.toml").read_bytes())["part"]:
        count = math.ceil(entry.get("each", 1) * units[entry["per"]])
        if count:
            name = entry["name"].format_map(sizes)
            priced = {key: entry[key] for key in ("cents", "currency", "priced") if key in entry}
            found.append(ShoppingItem(name, count, entry["for"], entry["look"], **priced))
    return found


def part_units(devices: Devices) -> dict[str, int]:
    """Return how many of each countable thing a station has."""
    matrix = devices.get("matrix")
    colour = matrix is not None and matrix.get("driver") == "ws2812"
    own = sum(own_pulled(button) for button, _ in button_terminals(devices))
    reading, on_header = readers(devices), header_reader(devices)
    fast = sum(options.get("family") == "pn532" for options in reading.values())
    asked = on_header is not None and devices[on_header].get("family") == "pn532"
    return {
        "station": 1,
        "button": len(pins_of(devices, "button")),
        "pulled-button": len(pins_of(devices, "button")) - own,
        "own-pulled-button": own,
        "lamp": len(pins_of(devices, "lamps")),
        "knob": int("knob" in devices),
        "rdm6300": int(on_header is not None and not asked),
        "pn532": int(asked),
        "usb-reader": len(reading) - (on_header is not None),
        "tags-125-khz": int(len(reading) > fast),
        "tags-13-mhz": int(fast > 0),
        "buzzer": sum(map(len, buzzer_lines(devices).values())),
        "buzzer-box": len(boxes(devices)),
        "tower": int(TOWER in devices),
        "board": int(matrix is not None),
        "max7219": int(matrix is not None and not colour),
        "ws2812": int(colour),
        "block": 0 if matrix is None or colour else block_count(matrix),
        "panel": panel_count(matrix) if matrix is not None and colour else 0,
        "bar": 0 if matrix is None else len(geometry_of(matrix).bars),
        "speech": int("speech" in devices),
    }


def _sizes(devices: Devices) -> Mapping[str, Any]:
    if "matrix" not in devices:
        return {"supply": "", "fuse": "", "wire": ""}
    amperes = board_load(devices["matrix"]).amperes
    wire, fuse = wire_and_fuse(amperes)
    return {"supply": supply_size(amperes), "fuse": f"{fuse:g}", "wire": f"{wire:g}"}
