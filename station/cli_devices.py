"""The command line, third part: the settings."""

from __future__ import annotations

from typing import Any

import typer
from rich.console import Console

from station.cli_tools import CONFIG, PROFILE, Where, command_group, print_json
from station.wording import load_wording

out = Console(highlight=False)

config_app = command_group("Check and show the settings.")


def register(app: typer.Typer) -> None:
    """Adds these commands to the command line."""
    app.add_typer(config_app, name="config")


# -- settings ----------------------------------------------------------------------------------------------------------


@config_app.command("check")
def config_check(file: CONFIG = None, profile: PROFILE = None) -> None:
    """Check the settings; all faults are named at once. Exit code 0 good, 2 faulty.

    \b
    Example: loto config check --config /etc/loto-station/station.toml
    """
    _checked(Where(None, file, profile))
    out.print("the settings are good")


@config_app.command("show")
def config_show(file: CONFIG = None, profile: PROFILE = None) -> None:
    """Show the settings in force: profile, file and defaults together.

    \b
    Example: loto config show --profile rfid
    """
    print_json(_checked(Where(None, file, profile)).model_dump(mode="json"))


def _checked(where: Where) -> Any:
    from station.programme import load_programme

    settings = where.settings()
    load_wording(settings.hall.language)
    load_programme(settings.game.programme)
    return settings
