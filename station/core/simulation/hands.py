"""Move the buzzers of a simulated table, and throw dice into its simulated tower.

Buzzers are on pins or on a box, whose cable can be pulled:

    {"hand": "buzz", "lines": [3]}                          pressed and let go
    {"hand": "buzz", "lines": [3, 7], "apart": 400}         7 is pressed 400 microseconds after 3
    {"hand": "buzz-down", "lines": [3]}                     and held, until "buzz-up"
    {"hand": "unplug-buzzers"}                              the box's cable; "plug-buzzers"
    {"hand": "garble-buzzers"}                              rubbish on its line
    {"hand": "hang-buzzers", "on": true}                    or false

"box" names one of several; without it it is the first.

Dice, or marked cubes, fall with all that can go wrong with them:

    {"hand": "throw"}                               what is due now, by chance; else one die
    {"hand": "throw", "faces": "36"}                dice that show these; "cubes": true for cubes,
                                                    B for the bell, H for the hammer, 0 for a blank
    {"hand": "throw", "fault": "askew"}             one leans; "fallen", one fell off; "missing",
                                                    one fell off unseen; "touched", they were moved
    {"hand": "unplug-tower"}                        its cable; "plug-tower"
    {"hand": "garble-tower"}                        rubbish on its line
    {"hand": "hang-tower", "on": true}              it falls silent; or false
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from drivers.readers.tower import MARKS
from drivers.simulated.buzzers import SimulatedBox
from drivers.simulated.pins import SimulatedPins
from drivers.simulated.tower import SimulatedTower
from station.base.errors import Unreadable
from station.rules.play import Chance, Luck
from station.settings.buzzing import buzzer_lines
from station.settings.config import TOWER

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


# -- dice ------------------------------------------------------------------------------------------

CABLE = ("unplug-tower", "plug-tower", "garble-tower", "hang-tower")
DICE_HANDS = ("throw", *CABLE)
FAULTS = ("askew", "fallen", "missing", "touched")
_LETTERS = {mark: letter for letter, mark in MARKS.items()}
_ONE_DIE = Chance(Luck.DICE, "", "", dice=1)


class DiceHands:
    """The dice of a simulated station, and its tower.

    Args:
        run: the run folder; the tower's port stands there.
        devices: the settings' device tables.
        chance: what the dice fall by; by default the system's.

    Attributes:
        towers: the tower by its name, if there is one.
    """

    def __init__(
        self,
        run: Path,
        devices: Mapping[Any, Mapping[str, Any]],
        chance: Random | None = None,
    ) -> None:
        self.towers = {TOWER: SimulatedTower(run, TOWER)} if TOWER in devices else {}
        self._chance = chance or SystemRandom()

    def look(self, due: Chance | None) -> dict[str, Any] | None:
        """Return what a person in front of the tower sees, and how many are thrown now; None where
        there is no tower."""
        if TOWER not in self.towers:
            return None
        tower = self.towers[TOWER]
        kind, count = ("", 0) if due is None else (str(due.kind), due.dice or len(due.things))
        lies = f"{tower.lies.what}{tower.lies.faces}"
        return {"plugged": tower.plugged, "lies": lies, "due": kind, "count": count}

    def move(self, hand: str, message: Mapping[str, Any], due: Chance | None) -> None:
        """Do what one message asks for.

        Args:
            due: what is thrown now.

        Raises:
            Unreadable: there is no tower, or no such fault.
            BadOption: there are no such dice.
        """
        if TOWER not in self.towers:
            raise Unreadable("there is no dice tower")
        tower = self.towers[TOWER]
        match hand:
            case "throw":
                self._throw(tower, message, due)
            case "unplug-tower":
                tower.unplug()
            case "plug-tower":
                tower.plug()
            case "garble-tower":
                tower.garble()
            case _:
                tower.hang(bool(message.get("on", True)))

    def _throw(self, tower: SimulatedTower, message: Mapping[str, Any], due: Chance | None) -> None:
        fault, said = message.get("fault"), message.get("faces")
        if fault not in (None, *FAULTS):
            raise Unreadable(f"fault is {fault!r}: there are {', '.join(FAULTS)}")
        law = due or _ONE_DIE
        cubes = message.get("cubes") is True if said is not None else law.kind is Luck.CUBES
        faces = self._fall(law) if said is None else str(said)
        if fault == "missing":
            faces = faces[1:]
        if fault == "askew":
            tower.cock()
        elif fault == "touched":
            tower.touch()
        elif fault == "fallen" or not faces:
            tower.drop()
        else:
            tower.throw(faces, cubes=cubes)

    def _fall(self, law: Chance) -> str:
        """Return the faces on top of what is thrown, by chance."""
        if law.kind is Luck.DICE:
            return "".join(str(self._chance.randint(1, law.faces)) for _ in range(law.dice))
        tops = (mark if self._chance.randint(1, law.faces) == 1 else "" for mark in law.things)
        return "".join(_LETTERS[top] for top in tops)
