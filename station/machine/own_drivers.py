"""Let the drivers that the settings name reach what they need: their packages in the release, and a
drop-in for the core's unit.

A driver says what it needs in its class, `needs = ("gpiomem",)`; its package stands in the settings
as `package = "hall-panels.whl"`. `install` writes the drop-in and the device rule; `install` and
`update` put the packages into the release. `python -m station.machine.own_drivers NAME…` prints
what drivers need: it runs on the release's own Python, where their packages are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from drivers import BadOption, find_driver
from station.base.errors import Unreadable
from station.base.tongue import key, tr
from station.machine.releases import HOME
from station.machine.system import System
from station.programme.programme import read_toml
from station.settings.config import SYSTEM_FILE, packages_of

DROP_IN = "/etc/systemd/system/loto-core.service.d/50-drivers.conf"
RULES = "/etc/udev/rules.d/71-loto-drivers.rules"
MADE = "# Made by `loto install` for the drivers in {file}; made anew by the next one.\n"
# Nothing that was tested with the station is replaced: a driver's own libraries are named too.
PIP = (
    *("--no-deps", "--no-input", "--disable-pip-version-check", "--progress-bar=off"),
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
        module, attribute = find_driver(driver)
        needs = getattr(getattr(import_module(module), attribute), "needs", ())
    except (BadOption, ImportError, AttributeError) as error:
        why = tr("driver {driver!r} cannot be loaded: {error}", driver=driver, error=error)
        raise Unreadable(why) from error
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
        tables = read_toml(path).get("devices") if path.is_file() else {}
        tables = tables.values() if isinstance(tables, dict) else ()
        self._tables: list[dict[str, Any]] = [one for one in tables if isinstance(one, dict)]

    @property
    def packages(self) -> list[str]:
        """Return the packages, as pip takes them: a file lies beside the settings."""
        return [
            str(SYSTEM_FILE.parent / package) if _is_file(package) else package
            for table in self._tables
            for package in packages_of(table)
        ]

    def bring(self) -> None:
        """Put the packages into the release.

        Raises:
            CommandFailed: with pip's words.
        """
        if self.packages:
            self._system.command(f"{self._programs}/pip", "install", *PIP, *self.packages)

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


def _is_file(package: str) -> bool:
    return "/" in package or package.endswith((".whl", ".tar.gz", ".zip"))


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
