"""Tell which buttons and lamps the settings give, wherever they are wired. Pure.

Buttons are on pins (`[devices.button]`), on what types (`[devices.keys]`, `[devices.keys-NAME]`)
and on expanders (`[devices.expander]`, …); lamps are on pins and on expanders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

KEYS, EXPANDER = "keys", "expander"


def is_keys(device: str) -> bool:
    """Return whether a device of that name is one that types.

    >>> is_keys("keys"), is_keys("keys-pedal"), is_keys("keyboard")
    (True, True, False)
    """
    return device.partition("-")[0] == KEYS


def is_expander(device: str) -> bool:
    """Return whether a device of that name is an expander."""
    return device.partition("-")[0] == EXPANDER


def button_names(devices: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the buttons, each once, those on pins first.

    >>> keys = {"keys": {"b": "claim", "c": "draw"}}
    >>> button_names({"button": {"pins": {"draw": 17}}, "keys-pedal": keys})
    ('draw', 'claim')
    """
    return tuple(dict.fromkeys(_buttons(devices)))


def lamp_names(devices: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the lamps, those on pins first."""
    lamps = [*_names(devices.get("lamps", {}).get("pins"))]
    for device, table in devices.items():
        lamps += _names(table.get("lamps")) if is_expander(device) else ()
    return tuple(dict.fromkeys(lamps))


def _buttons(devices: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield from _names(devices.get("button", {}).get("pins"))
    for device, table in devices.items():
        if is_keys(device) and isinstance(table.get("keys"), Mapping):
            yield from table["keys"].values()
        elif is_expander(device):
            yield from _names(table.get("buttons"))


def _names(table: object) -> tuple[str, ...]:
    return tuple(map(str, table)) if isinstance(table, Mapping) else ()
