"""Throw dice, or marked cubes, into the simulated tower, with all that can go wrong with them.

{"hand": "throw"}                               what is due now, by chance; else one die
{"hand": "throw", "faces": "36"}                dice that show these; "cubes": true for cubes,
                                                B for the bell, H for the hammer, 0 for a blank
{"hand": "throw", "fault": "askew"}             one leans; "fallen", one fell off; "missing", one
                                                fell off unseen; "touched", they were moved
{"hand": "unplug-tower"}                        its cable; "plug-tower"
{"hand": "garble-tower"}                        rubbish on its line
{"hand": "hang-tower", "on": true}              it falls silent; or false
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from drivers.readers.tower import MARKS
from drivers.simulated.tower import SimulatedTower
from station.base.errors import Unreadable
from station.rules.play import Chance, Luck
from station.settings.config import TOWER

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
