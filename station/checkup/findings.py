"""Define what the doctor's checks are given, and what they return."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from station.machine.inventory import Inventory
from station.settings.config import Settings


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not as it must be.

    Attributes:
        area: what it is about, in one word.
        what: what is wrong, for a person.
        todo: what to do about it.
        advice: it stops no game.
    """

    area: str
    what: str
    todo: str
    advice: bool = False


@dataclass(frozen=True)
class Patient:
    """A machine, and what is to run on it."""

    machine: Inventory
    settings: Settings
    state: Path

    @property
    def real(self) -> bool:
        """Return whether the devices are real ones."""
        return not self.settings.simulated

    def devices(self) -> dict[str, Mapping[str, Any]]:
        """Return the tables of the real devices."""
        return dict(self.settings.devices) if self.real else {}
