"""Make the players' buzzers a table of the settings: a box at a port, or free pins of the Pi. Pure.

>>> box_table("/dev/ttyACM0", 2)
{'driver': 'buzzer-box', 'port': '/dev/ttyACM0', 'lines': 2}
>>> pin_table((5, 6))
{'driver': 'buzzers', 'pins': {'1': 5, '2': 6}}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from station.base.tongue import tr
from station.settings.buzzing import buzzer_lines, is_buzzers

# As docs/buzzers.md has them, those of lamps and more buttons last; never those of SPI 0, of the
# serial port, of the identity chips of add-on boards, nor GPIO 3, which wakes the Pi.
SPARE = (5, 6, 12, 13, 16, 26, 20, 21, 18, 19, 4, 2, 23, 24, 25, 27, 22, 17)
SPI1 = frozenset(range(16, 22))


def spare_pins(devices: Mapping[str, Mapping[str, Any]]) -> tuple[int, ...]:
    """Return the GPIO numbers left for buzzers, in the order in which lines get them.

    >>> lamps = {"pins": {"draw": 5, "claim": 6}}
    >>> spare_pins({"button": {"pins": {"draw": 17}}, "lamps": lamps})[:4]
    (12, 13, 16, 26)
    """
    others = [table for device, table in devices.items() if not is_buzzers(device)]
    used = {pin for table in others for pin in table.get("pins", {}).values()}
    if any(str(table.get("bus", "")).startswith("spi:1.") for table in others):
        used |= SPI1
    return tuple(pin for pin in SPARE if pin not in used)


def box_table(port: str, count: int) -> dict[str, Any]:
    """Return the table of a box with `count` buzzers, from its first line."""
    return {"driver": "buzzer-box", "port": port, "lines": count}


def pin_table(pins: Sequence[int]) -> dict[str, Any]:
    """Return the table of buzzers on these pins, line after line."""
    return {"driver": "buzzers", "pins": {str(line): pin for line, pin in enumerate(pins, 1)}}


def box_ports(devices: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the ports of the buzzer boxes in these settings."""
    boxes = [table for device, table in devices.items() if is_buzzers(device) and "port" in table]
    return tuple(str(table["port"]) for table in boxes)


def buzzer_count(devices: Mapping[str, Mapping[str, Any]]) -> int:
    """Return how many buzzers these settings have."""
    return sum(map(len, buzzer_lines(devices).values()))


def buzzers_told(devices: Mapping[str, Mapping[str, Any]]) -> str:
    """Return what buzzers these settings have, in a few words.

    >>> buzzers_told({"buzzers": box_table("/dev/ttyACM0", 12)})
    '12, on a box at /dev/ttyACM0'
    >>> buzzers_told({"buzzers": pin_table((5, 6))}), buzzers_told({})
    ('2, on pins', 'none')
    """
    ports = box_ports(devices)
    on_pins = any(is_buzzers(device) and "pins" in table for device, table in devices.items())
    places = [
        *(tr("on a box at {port}", port=port) for port in ports),
        *([tr("on pins")] if on_pins else []),
    ]
    return f"{buzzer_count(devices)}, {', '.join(places)}" if places else tr("none")
