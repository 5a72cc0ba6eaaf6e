"""Define `loto config`: check and show the settings."""

from __future__ import annotations

from typing import Any

import typer

from station.base.terminal import out
from station.orders.tools import CONFIG, JSON, PROFILE, Where, command_group, print_json
from station.settings.config import SYSTEM_FILE
from station.wire.wording import load_wording

config_app = command_group("Check and show the settings.")


def register(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    app.add_typer(config_app, name="config")


# -- settings --------------------------------------------------------------------------------------


@config_app.command("check")
def config_check(file: CONFIG = None, profile: PROFILE = None, as_json: JSON = False) -> None:
    """Check the settings, and say from which file they are; all faults are named at once. Exit code
    0 good, 2 faulty.

    \b
    Example: loto config check --config /etc/loto-station/station.toml
    """
    settings = _checked(Where(None, file, profile))
    there = file or (SYSTEM_FILE if SYSTEM_FILE.exists() else None)
    if as_json:
        print_json({"good": True, "file": there and str(there), "simulated": settings.simulated})
        return
    out.print(
        "the settings are good:"
        f" {there or f'there is no {SYSTEM_FILE}, so the profile and the defaults'}"
    )


@config_app.command("show")
def config_show(file: CONFIG = None, profile: PROFILE = None) -> None:
    """Show the settings in force: profile, file and defaults together.

    \b
    Example: loto config show --profile rfid
    """
    print_json(_checked(Where(None, file, profile)).model_dump(mode="json"))


def _checked(where: Where) -> Any:
    from station.programme.check import load_programme

    settings = where.settings()
    load_wording(settings.hall.language)
    load_programme(settings.game.programme)
    return settings
