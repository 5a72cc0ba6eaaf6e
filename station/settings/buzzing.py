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

from station.base.tongue import tr
from station.night.fields import MOST_DEALT

BUZZERS = "buzzers"
AS_IN = {"as_in": "{ 1 = 13, 2 = 14 }"}


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
    return tuple(sorted(map(int, named or range(1, table.get("lines", MOST_DEALT) + 1))))


def buzzer_faults(devices: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the boxes' tables, each fault with its place."""
    boxes = {
        device: table
        for device, table in devices.items()
        if is_buzzers(device) and isinstance(table, dict)
    }
    taken: dict[int, str] = {}
    for device, table in boxes.items():
        seats, place = table.get("seats", {}), f"devices.{device}:"
        if not isinstance(seats, dict):
            what = tr("seats must be a table of lines and seats, such as {as_in}", **AS_IN)
            yield f"{place} {what}"
            continue
        if len(boxes) > 1 and not seats:
            what = tr(
                "seats is missing: of several boxes each says whose its lines are, as {as_in}",
                **AS_IN,
            )
            yield f"{place} {what}"
        for line, seat in seats.items():
            if fault := _fault(line, seat, taken):
                yield f"{place} {fault}"
            else:
                taken[seat] = tr("line {line} of {device}", line=line, device=device)


def _fault(line: str, seat: Any, taken: Mapping[int, str]) -> str:
    """Return why a line cannot be that seat's; empty if it can."""
    if line not in _LINES:
        return tr(
            "seats has the line {line!r}; lines are called 1 to {most}", line=line, most=MOST_DEALT
        )
    if not (type(seat) is int and 1 <= seat <= MOST_DEALT):
        return tr(
            "line {line} is seat {seat!r}; seats go from 1 to {most}",
            line=line,
            seat=seat,
            most=MOST_DEALT,
        )
    if seat in taken:
        return tr(
            "seat {seat} of line {line} has {other} already",
            seat=seat,
            line=line,
            other=taken[seat],
        )
    return ""


_LINES = frozenset(str(line) for line in range(1, MOST_DEALT + 1))
