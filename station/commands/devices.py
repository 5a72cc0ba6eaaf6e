"""Define `loto config`: check and show the settings."""

from __future__ import annotations

from typing import Any

from station.base.errors import SettingsError
from station.base.terminal import out
from station.base.tongue import tr
from station.commands.options import HERE, JSON, SETTINGS, Commands
from station.commands.tools import Where, print_json
from station.settings.allowed import allowed_packages, came_from, foreign_drivers
from station.settings.config import SYSTEM_FILE, driver_faults

commands = Commands("config", "Check and show the settings.")


# -- the commands ----------------------------------------------------------------------------------


@commands.command("check")
def config_check(where: SETTINGS = HERE, as_json: JSON = False) -> None:
    """Check the settings, and say from which file they are; all faults are named at once. Drivers
    from packages of yours are listed, and not loaded. Exit code 0 good, 2 faulty.

    Example: loto config check --config /etc/loto-station/station.toml
    """
    settings = _checked(where)
    there = where.file or (SYSTEM_FILE if SYSTEM_FILE.exists() else None)
    if faults := [*driver_faults(settings.devices)]:
        raise SettingsError(str(there or tr("the settings")), faults)
    own = {one: came_from(one, allowed_packages()) for one in foreign_drivers(settings.devices)}
    if as_json:
        told = {"good": True, "file": there and str(there), "simulated": settings.simulated}
        print_json(told | {"own_drivers": own})
        return
    for driver, package in own.items():
        out.print(tr("driver {driver} of the package {package}", driver=driver, package=package))
    none = tr("there is no {file}, so the profile and the defaults", file=SYSTEM_FILE)
    out.print(tr("the settings are good: {there}", there=there or none))


@commands.command("show")
def config_show(where: SETTINGS = HERE) -> None:
    """Show the settings in force: profile, file and defaults together.

    Example: loto config show --profile rfid
    """
    print_json(_checked(where).model_dump(mode="json"))


def _checked(where: Where) -> Any:
    from station.programme.check import load_programme

    settings = where.settings()
    where.wording()
    load_programme(settings.game.programme)
    return settings
