"""Examine the machine: what is there, needed, wrong, and what to do, most important first.

Nothing is changed and no device is opened, so it may be asked while the station runs. On a
simulated profile no device is missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from station.base.tongue import key, tr
from station.checkup import devices, machine
from station.checkup.findings import Fault, Patient
from station.machine.inventory import Inventory, Port
from station.settings.config import Settings

# In the order of importance: what ends a game or loses its record first.
CHECKS: tuple[Callable[[Patient], Iterator[Fault]], ...] = (
    machine.check_system,
    machine.check_disk,
    machine.check_power,
    devices.check_readers,
    devices.check_knobs,
    devices.check_gpio,
    devices.check_expanders,
    devices.check_rights,
    devices.check_board,
    devices.check_sound,
    devices.check_voice,
    devices.check_screen,
    devices.check_displays,
    machine.check_desktop,
    machine.check_clock,
    machine.check_watchdog,
    machine.check_words,
    machine.check_cards,
)


@dataclass(frozen=True)
class DoctorReport:
    """What the doctor found.

    Attributes:
        facts: what is there, by name.
        faults: faults, most important first.
        advice: what would be better, but stops no game.
    """

    facts: dict[str, str]
    faults: tuple[Fault, ...]
    advice: tuple[Fault, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the report for programs."""
        return {
            "good": not self.faults,
            "facts": self.facts,
            "faults": [asdict(fault) for fault in self.faults],
            "advice": [asdict(fault) for fault in self.advice],
        }


def examine(
    inventory: Inventory, settings: Settings | None, state: Path, settings_fault: str = ""
) -> DoctorReport:
    """Examine the machine for these settings.

    Args:
        settings: None if they are faulty: then what needs them is not checked.
        state: the state folder.
        settings_fault: what is wrong with them.
    """
    patient = Patient(inventory, settings or Settings(), state)
    checks = CHECKS if settings is not None else CHECKS[:1]
    found = [fault for check in checks for fault in check(patient)]
    if settings_fault:
        todo = tr("correct the file, or write a new one with ./loto setup")
        found.insert(0, Fault("settings", settings_fault, todo))
    faults = tuple(fault for fault in found if not fault.advice)
    return DoctorReport(facts(inventory), faults, tuple(fault for fault in found if fault.advice))


def facts(there: Inventory) -> dict[str, str]:
    """Return what is there, in words."""
    unknown, python = tr("unknown"), ".".join(map(str, there.python))
    clock = {tr("set by the network"): there.clock_set, tr("a clock chip"): there.clock_chip}
    at_once = tr(", {buffer} bytes at once", buffer=buffer) if (buffer := there.spi_buffer) else ""
    screens = there.displays.items()
    throttled = there.throttled
    power = (
        f"throttled={throttled:#x}" if throttled else unknown if throttled is None else tr("good")
    )
    connected, empty = tr("connected"), tr("empty")
    return {
        key("board"): there.model or unknown,
        key("system"): tr(
            "{system}, {bits} bits, Python {python}",
            system=there.os or unknown,
            bits=there.bits or "?",
            python=python,
        ),
        key("GPIO chips"): _list(there.chips),
        key("serial ports"): _list([_port(port) for port in there.ports]),
        key("SPI"): f"{_list(there.spi)}{at_once}",
        key("sound cards"): _list(there.cards),
        key("screens"): _list([f"{name} {connected if on else empty}" for name, on in screens]),
        key("keyboards"): _list(there.keyboards),
        key("groups"): _list(sorted(there.groups)),
        key("clock"): _list([what for what, so in clock.items() if so]),
        key("power"): power,
        key("watchdog"): tr("there") if there.watchdog else tr("none"),
    }


def _port(port: Port) -> str:
    name = port.best if port.best == port.name else f"{port.best} → {port.name}"
    return (
        tr("{name}, held by {holders}", name=name, holders=", ".join(port.holders))
        if port.holders
        else name
    )


def _list(names: list[str]) -> str:
    return ", ".join(names) or tr("none")
