"""Define `loto first-start`: what the units of a flashed card run; nobody types it."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from station.base.catalogues import speak
from station.base.system import System
from station.base.terminal import ask, out
from station.base.tongue import tr
from station.base.untrusted import read_json
from station.commands.options import Commands, option
from station.settings.config import SYSTEM_FILE

commands = Commands("first-start", "What a flashed card runs at its first start.", hidden=True)
OFFERED = "button"  # the profile that is offered first: the least that a hall has
EVERYWHERE = "0.0.0.0"  # noqa: S104 - the page is for the hall


def _kept() -> Mapping[str, Any]:
    """Return what was written into the card when it was made: its code, the sheet's language."""
    from station.machine.first_start.finishing import MARK

    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    kept: Mapping[str, Any] = read_json(Path(folder) / Path(MARK).name if folder else Path(MARK))
    return kept


@commands.command(hidden=True)
def page(
    port: Annotated[int, option("Where the page is served.", min=0, max=65_535)] = 80,
    host: Annotated[str, option("The address to listen on.")] = EVERYWHERE,
) -> None:
    """Serve the page that asks the questions of the set-up.

    Example: loto first-start page --port 8080
    """
    from station.commands.setup import MACHINE, _outputs
    from station.core.launch import hide_memory
    from station.machine.first_start.finishing import TOLD, ask_by_form
    from station.screens.web.first import FirstPage, Questions, serve_first_page

    def ask_again(answers: Mapping[str, str], given: Mapping[str, Any]) -> Questions:
        return ask_by_form(answers, MACHINE, _outputs, given, OFFERED)

    hide_memory()
    folder = Path(os.environ.get("RUNTIME_DIRECTORY", "/run/loto-first-page"))
    serve_first_page(FirstPage(str(_kept()["code"]), ask_again, folder, Path(TOLD)), host, port)


@commands.command("do", hidden=True)
def do_it() -> None:
    """Do what the page asks for, with the rights that it has not.

    Example: loto first-start do
    """
    from station.machine.first_start.finishing import Doing, pair_by_command
    from station.machine.install import Installation

    system = System()
    Doing(system, Installation(system, out.print).install, pair_by_command(system)).do()


@commands.command(hidden=True)
def screen() -> None:
    """Say on the screen how a telephone sets this station up; ask here after Enter.

    Example: loto first-start screen
    """
    from station.commands.setup import setup
    from station.machine.first_start.finishing import finish
    from station.machine.hotspot import ADDRESS, Hotspot
    from station.machine.install import Installation

    speak(str(_kept().get("language", "")))
    system = System()
    out.print(f"\n  {tr('The first start')}\n")
    if (wifi := Hotspot(system).wifi()) is not None:
        text = io.StringIO()
        wifi.qr.terminal(text, compact=True)
        out.print(text.getvalue())
        joined = tr("With a telephone: join the Wi-Fi {name}, passphrase {passphrase}.")
        out.print(f"  {joined.format(name=wifi.ssid, passphrase=wifi.passphrase)}")
    out.print("  " + tr("Then open {page}", page=f"http://{ADDRESS}"))
    ask("  " + tr("Or press Enter to answer here"), "")
    setup(file=SYSTEM_FILE)
    finish(system, Installation(system, out.print).install)
    system.tell("systemctl", "--no-block", "stop", "loto-first-page.service")
    out.print(
        tr("Let the first device in with: {command}", command="sudo loto pair 123456 --as admin")
    )
    raise typer.Exit
