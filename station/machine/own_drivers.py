"""Let the drivers that the settings name reach what they need: their packages in the release, and a
drop-in for the core's unit.

A driver says what it needs in its class, `needs = ("gpiomem",)`; the settings name the wheel of its
package with its digest. `install` writes the drop-in and the device rule; `install` and `update`
put the wheels into the release, each of a package that the hall has allowed
(`station.settings.allowed`). `python -m station.machine.own_drivers NAME…` prints what drivers
need: it runs on the release's own Python, where their packages are.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from drivers import DriverError
from drivers.making import DRIVERS, load_class
from station.base.errors import Unreadable
from station.base.system import System
from station.base.tongue import key, tr
from station.checkup.inventory import Inventory
from station.machine.releases import HOME
from station.programme.programme import read_toml
from station.settings.allowed import SYSTEM_LIST, allowed_packages, wheel_digest
from station.settings.config import SYSTEM_FILE, Wheel, wheels_of

DROP_IN = "/etc/systemd/system/loto-core.service.d/50-drivers.conf"
RULES = "/etc/udev/rules.d/71-loto-drivers.rules"
DERIVED = (DROP_IN, RULES)  # every file of an installed station that is made from its settings
MADE = "# Made by `loto install` for the drivers in {file}; made anew by the next one.\n"
# Nothing that was tested with the station is replaced: a driver's own libraries are named too.
PIP = (
    *("--no-deps", "--no-index", "--no-input", "--disable-pip-version-check", "--progress-bar=off"),
    "--root-user-action=ignore",
)


@dataclass(frozen=True)
class Grant:
    """Something of the machine that the core's unit forbids, and what lets it through.

    Attributes:
        devices: as `DeviceAllow=` takes them.
        groups: whose the device files are.
        module: of the kernel, to be loaded before: `char-…` knows only kinds that the kernel knows.
        rule: gives the device files to the group, where the system does not.
    """

    devices: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    module: str = ""
    rule: str = ""


# The first row is in the unit as it ships. What Raspberry Pi OS gives to which group stands in its
# 99-com.rules (raspberrypi-sys-mods); a Pi 5 has several gpiomem.
NEEDS: Mapping[str, Grant] = {
    **dict.fromkeys(("gpio", "spi", "serial", "input", "sound"), Grant()),
    "gpiomem": Grant(
        ("/dev/gpiomem", *(f"/dev/gpiomem{number}" for number in range(5))),
        ("gpio",),
        rule='SUBSYSTEM=="*gpiomem*", GROUP="gpio", MODE="0660"',
    ),
    "i2c": Grant(
        ("char-i2c",), ("i2c",), "i2c_dev", 'SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"'
    ),
    "hidraw": Grant(
        ("char-hidraw",), ("input",), rule='SUBSYSTEM=="hidraw", GROUP="input", MODE="0660"'
    ),
    "cec": Grant(("char-cec",), ("video",)),
}
NO_NETWORK = key(
    "driver {driver!r} needs the network, and the process that has the devices has none: write a"
    " client of the wire for it, as docs/contracts.md says"
)


def check_needs(driver: str, needs: Sequence[str]) -> tuple[str, ...]:
    """Return what a driver needs, each of it known.

    Raises:
        Unreadable: it is not, or cannot be given.
    """
    for need in needs:
        if need == "network":
            raise Unreadable(tr(NO_NETWORK, driver=driver))
        if need not in NEEDS:
            known = ", ".join(NEEDS)
            told = {"driver": driver, "need": need, "known": known}
            raise Unreadable(tr("driver {driver!r} needs {need!r}: there are {known}", **told))
    return tuple(needs)


def needs_of(driver: str) -> tuple[str, ...]:
    """Return what a driver's class says that it needs.

    >>> needs_of("button")
    ()

    Raises:
        Unreadable: it cannot be loaded, or needs what is not known.
    """
    try:
        if driver in DRIVERS:
            module, attribute = DRIVERS[driver]
            made = getattr(import_module(module), attribute)
        else:
            made = load_class(driver, allowed_packages())
    except (DriverError, ImportError) as error:
        why = tr("driver {driver!r} cannot be loaded: {error}", driver=driver, error=error)
        raise Unreadable(why) from error
    needs = getattr(made, "needs", ())
    if not isinstance(needs, tuple | list) or not all(isinstance(need, str) for need in needs):
        raise Unreadable(tr("driver {driver!r}: needs is no list of words", driver=driver))
    return check_needs(driver, needs)


def drop_in(needs: Iterable[str]) -> str:
    """Return the drop-in for the core's unit that lets through what is needed; empty for nothing.

    >>> print(drop_in(["i2c", "spi"]).partition("\\n")[2], end="")
    [Unit]
    Wants=modprobe@i2c_dev.service
    After=modprobe@i2c_dev.service
    [Service]
    DeviceAllow=char-i2c rw
    SupplementaryGroups=i2c
    """
    wanted = [NEEDS[need] for need in sorted({*needs})]
    unit, service = [], []
    for need in wanted:
        if need.module:
            unit += [f"{word}=modprobe@{need.module}.service" for word in ("Wants", "After")]
        service += [f"DeviceAllow={device} rw" for device in need.devices]
        service += [f"SupplementaryGroups={group}" for group in need.groups]
    if not service:
        return ""
    lines = [*(["[Unit]", *unit] if unit else []), "[Service]", *service]
    return MADE.format(file=SYSTEM_FILE) + "".join(f"{line}\n" for line in lines)


def denied(inventory: Inventory, drivers: Iterable[str]) -> list[str]:
    """Return the devices that the installed core's unit does not open to shipped drivers that need
    them."""
    wanted = drop_in(need for driver in drivers for need in needs_of(driver)).splitlines()
    there = inventory.read(DROP_IN).splitlines()
    lacking = [line for line in wanted if line.startswith("DeviceAllow=") and line not in there]
    return [line.removeprefix("DeviceAllow=") for line in lacking]


def rules(needs: Iterable[str]) -> str:
    """Return the device rules that go with it; empty for none."""
    lines = [NEEDS[need].rule for need in sorted({*needs}) if NEEDS[need].rule]
    return MADE.format(file=SYSTEM_FILE) + "".join(f"{line}\n" for line in lines) if lines else ""


class OwnDrivers:
    """The drivers that a machine's settings name, in a release of it.

    Raises:
        Unreadable: the settings cannot be read.
    """

    def __init__(self, system: System, release: str) -> None:
        self._system = system
        self._programs = f"{HOME}/releases/{release}/.venv/bin"
        path = system.at(str(SYSTEM_FILE))
        tables = read_toml(path).get("devices") if os.path.lexists(path) else {}
        tables = tables.values() if isinstance(tables, dict) else ()
        self._tables: list[dict[str, Any]] = [one for one in tables if isinstance(one, dict)]

    @property
    def wheels(self) -> list[Wheel]:
        """Return the wheels that the settings name."""
        return [wheel for table in self._tables for wheel in wheels_of(table)]

    def bring(self) -> None:
        """Put the wheels into the release, after the check of each package and digest.

        Raises:
            Unreadable: a package is not allowed, or its wheel is missing or another one.
            CommandFailed: with pip's words.
        """
        files = [str(self._checked(wheel)) for wheel in self.wheels]
        if files:
            self._system.command(f"{self._programs}/pip", "install", *PIP, *files)

    def _checked(self, wheel: Wheel) -> Path:
        place = SYSTEM_FILE.parent / wheel.path
        if wheel.package not in allowed_packages(self._system.at(str(SYSTEM_LIST))):
            todo = tr(
                "read where it comes from, then type: sudo loto driver allow {name}",
                name=wheel.package,
            )
            what = tr("the settings bring a package that is not allowed")
            raise Unreadable(f"{place}: {what}: {todo}")
        found = wheel_digest(self._system.at(str(place)))
        if found != wheel.sha256:
            raise Unreadable(
                tr(
                    "{file}: its SHA-256 digest is {found}, not that of the settings: use the wheel"
                    " that was meant, or type loto driver allow {file} for its line",
                    file=place,
                    found=found,
                )
            )
        return place

    def files(self) -> dict[str, str]:
        """Return the files that let the drivers reach what they need, with their texts.

        Raises:
            CommandFailed: a driver cannot be loaded, or needs what cannot be given.
        """
        drivers = sorted({str(table["driver"]) for table in self._tables if "driver" in table})
        if not drivers:
            return {}
        ask = ("-P", "-m", "station.machine.own_drivers", *drivers)
        said = self._system.command(f"{self._programs}/python", *ask)
        told = said.strip().rpartition("\n")[2].split()  # above it may stand a library's warnings
        needs = check_needs(", ".join(drivers), told)
        found = {DROP_IN: drop_in(needs), RULES: rules(needs)}
        return {path: text for path, text in found.items() if text}


def main(names: Sequence[str]) -> int:
    """Print what these drivers need, on one line; return the exit code."""
    try:
        needs = sorted({need for name in names for need in needs_of(name)})
    except Unreadable as error:
        sys.stdout.write(f"{error}\n")
        return error.exit_code
    sys.stdout.write(f"{' '.join(needs)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
