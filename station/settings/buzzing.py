"""Tell whose the buzzers are: boxes of buzzers, and the seat of each line. Pure.

A station may have any number of boxes: `[devices.buzzers]`, and `[devices.buzzers-NAME]` for each
one more. Their tables hold the driver's options, and of the station's:

    seats = { 1 = 13, 2 = 14 }      the seat of each line that is used; without it line 1 is seat
                                    1's, and so on

Several boxes must say it, each: two buzzers must not be one seat's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.night.fields import MOST_SEATS

BUZZERS = "buzzers"


def is_buzzers(device: str) -> bool:
    """Return whether a device of that name is a box of buzzers.

    >>> is_buzzers("buzzers"), is_buzzers("buzzers-left"), is_buzzers("buzzer")
    (True, True, False)
    """
    return device == BUZZERS or device.startswith(f"{BUZZERS}-")


def buzzer_seats(devices: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[int, int]]:
    """Return the seats that checked settings give to lines, by box."""
    return {
        device: {int(line): seat for line, seat in table.get("seats", {}).items()}
        for device, table in devices.items()
        if is_buzzers(device)
    }


def seat_of(seats: Mapping[str, Mapping[int, int]], box: str, line: int) -> int | None:
    """Return the seat whose buzzer is at this line; None if the settings give it to nobody.

    >>> seats = {"buzzers": {1: 13}}
    >>> seat_of(seats, "buzzers", 1), seat_of(seats, "buzzers", 2), seat_of({}, "buzzers", 2)
    (13, None, 2)
    """
    given = seats.get(box)
    return given.get(line) if given else line


def buzzer_lines(devices: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[int, ...]]:
    """Return the lines that have a buzzer, by box, as far as the settings say.

    >>> boxes = {"buzzers-left": {"lines": 3}, "buzzers-right": {"seats": {"7": 1}}}
    >>> buzzer_lines({"buzzers": {"pins": {"1": 5, "2": 6}}, **boxes})
    {'buzzers': (1, 2), 'buzzers-left': (1, 2, 3), 'buzzers-right': (7,)}
    """
    return {device: _lines(table) for device, table in devices.items() if is_buzzers(device)}


def _lines(table: Mapping[str, Any]) -> tuple[int, ...]:
    named = table.get("seats") or table.get("pins")
    return tuple(sorted(map(int, named or range(1, table.get("lines", MOST_SEATS) + 1))))


def buzzer_faults(devices: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the boxes' tables, each fault with its place."""
    boxes = {
        device: table
        for device, table in devices.items()
        if is_buzzers(device) and isinstance(table, dict)
    }
    taken: dict[int, str] = {}
    for device, table in boxes.items():
        seats, as_in = table.get("seats", {}), "as { 1 = 13, 2 = 14 }"
        if not isinstance(seats, dict):
            yield f"devices.{device}: seats must be a table of lines and seats, such {as_in}"
            continue
        if len(boxes) > 1 and not seats:
            what = "seats is missing: of several boxes each says whose its lines are"
            yield f"devices.{device}: {what}, {as_in}"
        for line, seat in seats.items():
            place = f"devices.{device}:"
            if line not in _LINES:
                yield f"{place} seats has the line {line!r}; lines are called 1 to {MOST_SEATS}"
            elif not (type(seat) is int and 1 <= seat <= MOST_SEATS):
                yield f"{place} line {line} is seat {seat!r}; seats go from 1 to {MOST_SEATS}"
            elif seat in taken:
                yield f"{place} seat {seat} of line {line} has {taken[seat]} already"
            else:
                taken[seat] = f"line {line} of {device}"


_LINES = frozenset(str(line) for line in range(1, MOST_SEATS + 1))
