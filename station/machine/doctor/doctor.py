"""Examine the machine: what is there, what the settings need, what is wrong, and what to do, most
important first.

Nothing is changed and no device is opened, so it may be asked while the station runs. On a
simulated profile no device is missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from station.machine.doctor.devices import (
    check_board,
    check_gpio,
    check_knobs,
    check_readers,
    check_screen,
    check_sound,
)
from station.machine.doctor.findings import Fault, Patient
from station.machine.doctor.machine import (
    check_cards,
    check_clock,
    check_desktop,
    check_disk,
    check_power,
    check_system,
    check_watchdog,
)
from station.machine.inventory import Inventory, Port
from station.settings.config import Settings

# In the order of importance: what ends a game or loses its record first.
CHECKS: tuple[Callable[[Patient], Iterator[Fault]], ...] = (
    check_system,
    check_disk,
    check_power,
    check_readers,
    check_knobs,
    check_gpio,
    check_board,
    check_sound,
    check_screen,
    check_desktop,
    check_clock,
    check_watchdog,
    check_cards,
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
    found = (
        [fault for check in CHECKS for fault in check(patient)]
        if settings is not None
        else [*check_system(patient)]
    )
    if settings_fault:
        found.insert(
            0,
            Fault(
                "settings", settings_fault, "correct the file, or write a new one with ./loto setup"
            ),
        )
    faults = tuple(fault for fault in found if not fault.advice)
    return DoctorReport(facts(inventory), faults, tuple(fault for fault in found if fault.advice))


def facts(machine: Inventory) -> dict[str, str]:
    """Return what is there, in words."""
    throttled = machine.throttled
    clock = [
        *(["set by the network"] if machine.clock_set else []),
        *(["a clock chip"] if machine.clock_chip else []),
    ]
    ports = [_port(port) for port in machine.ports]
    return {
        "board": machine.model or "unknown",
        "system": (
            f"{machine.os or 'unknown'}, {machine.bits or '?'} bits, Python"
            f" {'.'.join(map(str, machine.python))}"
        ),
        "GPIO chips": _list(machine.chips),
        "serial ports": _list(ports),
        "SPI": (
            _list(machine.spi)
            + (f", {buffer} bytes at once" if (buffer := machine.spi_buffer) else "")
        ),
        "sound cards": _list(machine.cards),
        "screens": _list(
            [f"{name} {'connected' if on else 'empty'}" for name, on in machine.displays.items()]
        ),
        "keyboards": _list(machine.keyboards),
        "groups": _list(sorted(machine.groups)),
        "clock": _list(clock),
        "power": (
            "unknown"
            if throttled is None
            else "good"
            if not throttled
            else f"throttled={throttled:#x}"
        ),
        "watchdog": "there" if machine.watchdog else "none",
    }


def _port(port: Port) -> str:
    name = port.best if port.best == port.name else f"{port.best} → {port.name}"
    return f"{name}, held by {', '.join(port.holders)}" if port.holders else name


def _list(names: list[str]) -> str:
    return ", ".join(names) or "none"
