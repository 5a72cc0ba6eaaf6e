"""Move the buzzers of a simulated table, on pins or on a box, whose cable can be pulled.

    {"hand": "buzz", "lines": [3]}                          pressed and let go
    {"hand": "buzz", "lines": [3, 7], "apart": 400}         7 is pressed 400 microseconds after 3
    {"hand": "buzz-down", "lines": [3]}                     and held, until "buzz-up"
    {"hand": "unplug-buzzers"}                              the box's cable; "plug-buzzers"
    {"hand": "garble-buzzers"}                              rubbish on its line
    {"hand": "hang-buzzers", "on": true}                    or false

"box" names one of several; without it it is the first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from drivers.simulated.buzzers import SimulatedBox
from drivers.simulated.pins import SimulatedPins
from station.base.errors import Unreadable
from station.settings.buzzing import buzzer_lines

PRESS_S = 0.08
MOST_APART_US = 1_000_000
PRESSES = ("buzz", "buzz-down", "buzz-up")
BUZZER_HANDS = (*PRESSES, "unplug-buzzers", "plug-buzzers", "garble-buzzers", "hang-buzzers")


class BuzzerHands:
    """All buzzers of a simulated station.

    Args:
        run: the run folder; the boxes' ports stand there.
        devices: the settings' device tables.
        pins: where buzzers on pins are soldered.

    Attributes:
        boxes: those at a serial port, by name.
    """

    def __init__(
        self, run: Path, devices: Mapping[Any, Mapping[str, Any]], pins: SimulatedPins
    ) -> None:
        self._lines = buzzer_lines(devices)
        self._pins = pins
        self._soldered: dict[str, Mapping[str, int]] = {
            box: devices[box]["pins"] for box in self._lines if "pins" in devices[box]
        }
        self.boxes = {
            box: SimulatedBox(run, box) for box in self._lines if box not in self._soldered
        }

    def look(self) -> dict[str, Any]:
        """Return what a person in front of the machine sees of the buzzers."""
        looks = {}
        for box, lines in self._lines.items():
            plugged = box in self._soldered or self.boxes[box].plugged
            looks[box] = {"lines": list(lines), "down": self._down(box), "plugged": plugged}
        return looks

    async def move(self, hand: str, message: Mapping[str, Any]) -> None:
        """Do what one message asks for.

        Raises:
            Unreadable: there is no such box, or it has no such line or cable.
        """
        box = message.get("box", next(iter(self._lines), None))
        if box not in self._lines:
            known = f"there are {', '.join(self._lines)}" if self._lines else "there are no buzzers"
            raise Unreadable(f"there is no box of buzzers {box!r}: {known}")
        if hand in PRESSES:
            lines, apart_us = self._named(box, message.get("lines")), message.get("apart", 0)
            await self._press(hand, box, lines, _apart(apart_us))
        elif box in self._soldered:
            raise Unreadable(f"the {box} are on pins: they have no cable to pull or to spoil")
        elif hand == "unplug-buzzers":
            self.boxes[box].unplug()
        elif hand == "plug-buzzers":
            self.boxes[box].plug()
        elif hand == "garble-buzzers":
            self.boxes[box].garble()
        else:
            self.boxes[box].hang(bool(message.get("on", True)))

    def _named(self, box: str, lines: Any) -> list[int]:
        if (
            not isinstance(lines, list)
            or not lines
            or any(type(line) is not int or line not in self._lines[box] for line in lines)
        ):
            raise Unreadable(
                f"lines is {lines!r}: give a list of some of those that the {box} have:"
                f" {list(self._lines[box])}"
            )
        return lines

    async def _press(self, hand: str, box: str, lines: list[int], apart_us: int) -> None:
        if hand != "buzz-up":
            if box in self.boxes:
                self.boxes[box].press(*lines, apart_us=apart_us)
            else:
                for line in lines:  # one after another, as quickly as it goes
                    self._pins.press(self._soldered[box][str(line)])
        if hand == "buzz":
            await asyncio.sleep(PRESS_S)
        if hand != "buzz-down":
            if box in self.boxes:
                self.boxes[box].release(*lines)
            else:
                for line in lines:
                    self._pins.release(self._soldered[box][str(line)])

    def _down(self, box: str) -> list[int]:
        if box in self.boxes:
            return list(self.boxes[box].down)
        pins = self._soldered[box]
        return [line for line in self._lines[box] if self._pins.is_pressed(pins[str(line)])]


def _apart(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= MOST_APART_US:
        raise Unreadable(f"apart is {value!r}: give microseconds from 0 to {MOST_APART_US}")
    return value
