"""Check whether the profile's devices are here, before `loto run` starts or opens anything."""

from __future__ import annotations

import sys
from dataclasses import replace

import typer

from station.base.errors import SettingsError
from station.base.later import later
from station.base.system import System
from station.base.terminal import beside
from station.base.tongue import tr
from station.checkup.inventory import Inventory
from station.commands.tools import Where

with later():
    from station.checkup import devices
    from station.record import halves
    from station.settings import config

MACHINE = Inventory(System())


def absent_devices(where: Where, settings: config.Settings) -> tuple[str, ...]:
    """Return the devices of a real profile that are not on this machine; none if simulated."""
    return devices.absent(devices.Patient(MACHINE, settings, where.state_folder))


def station_to_start(where: Where) -> Where:
    """Return the station to start for a person at a terminal: the one meant, or the simulated one
    if none of its devices is here.

    A service starts in any case, and so does a night that is open: devices come back, and amber
    signs name them until then.

    Raises:
        SettingsError: none of the devices is there, and the person refused the simulated station;
            the message says what to do.
    """
    settings = where.settings()
    if settings.simulated or not sys.stdin.isatty() or halves.real_night_open(where.state_folder):
        return where
    lacking = absent_devices(where, settings)
    if not devices.nothing_here(settings, lacking):
        return where
    profile = f" --profile {where.profile}" if where.profile else ""
    typer.echo(
        tr(
            "None of this profile's devices is on this machine: {devices}.",
            devices=", ".join(lacking),
        ),
        err=True,
    )
    doctor, simulated = f"./loto doctor{profile}", f"./loto run --simulate{where.hint()}"
    named = (
        tr("What is missing, and what to do about each:"),
        tr("The same station on simulated devices:"),
    )
    typer.echo(beside(*zip(named, (doctor, simulated), strict=True)), err=True)
    if typer.confirm(
        tr("Start the simulated station now? No money is taken there"), default=False, err=True
    ):
        return replace(where, profile="simulated")
    todo = tr("plug its devices in, or choose another profile with --profile")
    raise SettingsError(tr("the station is not started"), [todo])
