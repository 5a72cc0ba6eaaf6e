"""Define `loto doctor` and `loto setup`: examine the machine, and write its settings."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.syntax import Syntax
from rich.table import Table

from drivers import DriverError
from station.base.catalogues import speak
from station.base.errors import EXIT_DEVICE, EXIT_NO, LotoError, SettingsError, Unreadable
from station.base.system import System
from station.base.terminal import ask, confirmed, out, styled
from station.base.tongue import number_of, tr
from station.checkup.doctor import DoctorReport, examine
from station.checkup.findings import PartFinding, fault
from station.checkup.inventory import Inventory
from station.commands import tools
from station.commands.options import CONFIG, HERE, JSON, STATION, Commands, option
from station.commands.tools import Where, cards_hint, print_json
from station.machine.own_drivers import denied
from station.machine.releases import CURRENT
from station.machine.setup.file import checked, over_file, save, to_toml
from station.machine.setup.questions import Defaults, ask_all
from station.programme.programme import read_toml
from station.settings import config
from station.settings.readers import reader_misread

log = logging.getLogger(__name__)
commands = Commands()
MACHINE = Inventory(System())


@commands.command()
def doctor(where: STATION = HERE, as_json: JSON = False) -> None:
    """Look at this machine: what is there, what the settings need, what is wrong and what to do
    about it.

    Changes nothing, opens no device. Exit code 0 good, 3 with faults.

    Example: loto doctor
    Example: loto doctor --profile hall --json
    """
    if as_json:
        speak("en")
    report = _examine(where)
    if as_json:
        print_json(report.to_json())
    else:
        _show(report)
    raise typer.Exit(EXIT_DEVICE if report.faults else 0)


def _examine(where: Where) -> DoctorReport:
    try:
        report = _examined(where.settings(), where.state_folder)
        return replace(report, faults=(*report.faults, *_of_running(where)))
    except SettingsError as error:
        return examine(MACHINE, None, where.state_folder, str(error))


def _examined(settings: config.Settings, state: Path) -> DoctorReport:
    return examine(MACHINE, settings, state, denied=denied)


def _of_running(where: Where) -> list[PartFinding]:
    """Return what the running station has found out about its readers' settings; nothing if none
    runs."""
    try:
        items = tools.ask(where, "health")["items"]
    except (LotoError, OSError):
        return []
    return [
        fault(
            "reader",
            tr("{device}: its settings do not fit what it sends", device=device),
            item["say"],
        )
        for item in items
        if (device := reader_misread(item["key"])) is not None
    ]


def _show(report: DoctorReport) -> None:
    table = Table(show_header=False, box=None)
    for name, fact in report.facts.items():
        table.add_row(tr(name), fact)
    out.print(table)
    for title, found in ((tr("faults"), report.faults), (tr("worth doing"), report.advice)):
        if found:
            out.print(styled(f"\n{title}", "bold"))
        for number, one in enumerate(found, 1):
            out.print(f"{number:3}. {one.say}\n     → {one.todo}")
    if not report.faults:
        out.print(styled(f"\n{tr('No faults found.')}", "bold"))


class Prompts:
    """An asker in the terminal."""

    def text(self, question: str, default: str) -> str:
        """Ask for a text; Enter takes the default."""
        return ask(question, default)

    def choice(self, question: str, choices: Mapping[str, str], default: str) -> str:
        """Ask for one of these, by its number or its name."""
        out.print()
        table = Table(show_header=False, box=None, padding=(0, 1))
        for number, (choice, what) in enumerate(choices.items(), 1):
            table.add_row(f"{number:3}", tr(choice), styled(tr(what), "dim"))
        out.print(table)
        numbered = {str(number): choice for number, choice in enumerate(choices, 1)}
        named = numbered | {tr(choice): choice for choice in choices}
        answer = ask(question, tr(default), [*choices, *named])
        return named.get(answer, answer)

    def yes(self, question: str, *, default: bool) -> bool:
        """Ask yes or no."""
        return confirmed(question, default=default)


@commands.command()
def setup(
    file: CONFIG = None,
    name: Annotated[str | None, option("What the hall is called.", "--hall")] = None,
    language: Annotated[str | None, option("Its language: en, it, fr …")] = None,
    currency: Annotated[str | None, option("What stands before a sum of money.")] = None,
    profile: Annotated[str | None, option("Which devices there are.", "--profile")] = None,
    reader: Annotated[str | None, option("The kind of reader, if not the profile's.")] = None,
    port: Annotated[str | None, option("Where the reader is plugged in.")] = None,
    buzzers: Annotated[
        str | None, option("The players' buzzers, if not the profile's: box, or pins.")
    ] = None,
    buzzer_port: Annotated[str | None, option("Where the buzzer box is plugged in.")] = None,
    buzzer_count: Annotated[int | None, option("How many buzzers there are.")] = None,
    sound: Annotated[str | None, option("The output that speaks.")] = None,
    style: Annotated[str | None, option("plain, digits, sayings or double.")] = None,
    screen: Annotated[str | None, option("Dots of the public screen: 1920x1080.")] = None,
    lan: Annotated[
        bool | None, option("Whether phones on this network see the board.", "--lan/--no-lan")
    ] = None,
    yes: Annotated[
        bool,
        option("Ask nothing: take what is given, and for the rest what is there.", "--yes", "-y"),
    ] = False,
) -> None:
    """Write the settings by asking. Shows the file before it is written; Ctrl-C at any time writes
    nothing.

    What is not asked for is kept, comments too, and the old file stays beside it as .old.

    Example: loto setup
    Example: loto setup --config my.toml --hall "St Mary's" --profile rfid --yes
    """
    target = file or config.SYSTEM_FILE
    _refuse_unwritable(target)
    old, written, before = {}, "", None
    if os.path.lexists(target):
        old, written = read_toml(target), target.read_text(encoding="utf-8")
        before = config.load_settings(file=target)
    before = before or config.load_settings("simulated")
    hall = {"name": name, "language": language, "currency": currency}
    buzzing = {"buzzers": buzzers, "buzzer_port": buzzer_port, "buzzer_count": buzzer_count}
    devices = {"profile": profile, "reader": reader, "port": port, **buzzing}
    shown = {"sound": sound, "style": style, "screen": screen, "lan": lan}
    given = {**hall, **devices, **shown}
    try:
        asker = Defaults() if yes else Prompts()
        chosen = str(old.get("profile", "simulated"))
        ours = target.absolute() == config.SYSTEM_FILE
        answers = ask_all(asker, MACHINE, before, given, _outputs, chosen, installed=ours)
        text = to_toml(over_file(old, answers), written)
        settings = checked(text, target)
        out.print()
        out.print(Syntax(text, "toml", background_color="default", word_wrap=True))
        if not yes and not confirmed(tr("Write this to {target}?", target=target), default=True):
            raise KeyboardInterrupt
    except (KeyboardInterrupt, EOFError):
        out.print(f"\n{tr('Nothing was written.')}")
        raise typer.Exit(EXIT_NO) from None
    kept = save(text, target)
    said = tr("{target} is written.", target=target)
    former = tr("The old one is {file}.", file=kept.name) if kept else ""
    out.print(f"{said} {former}".rstrip())
    if ours:
        _refit(MACHINE.system)
    where = Where(None, file, None)
    if not settings.simulated and (cards := cards_hint(where.state_folder)):
        out.print(cards)
    faults = len(_examined(settings, where.state_folder).faults)
    if faults:
        hint = f" --config {file}" if file is not None else ""
        out.print(
            tr(
                "The doctor found {faults}: ./loto doctor{hint}",
                faults=number_of(faults, "fault"),
                hint=hint,
            )
        )


def _refit(system: System) -> None:
    """Fit the installed station to its new settings, if there is one."""
    from station.machine.install import Installation
    from station.machine.update import TARGET

    installation = Installation(system)
    if installation.releases.linked(CURRENT) is None:
        return
    try:
        installation.refit()
    except LotoError as error:
        again = tr("The settings are written, but the station is not fitted to them yet")
        todo = tr("put that right, then type: sudo loto install")
        raise type(error)(f"{again}: {error}\n{todo}") from error
    if system.runs:
        start = f"sudo systemctl restart {TARGET}"
        out.print(tr("They apply from the station's next start: {command}", command=start))


def _refuse_unwritable(target: Path) -> None:
    """Check that the file can be written, before anything is asked."""
    folder = next(folder for folder in target.absolute().parents if folder.exists())
    if not os.access(folder, os.W_OK):
        raise Unreadable(
            tr(
                "{target}: may not be written: put sudo before the command, or name another"
                " file with --config",
                target=target,
            )
        )


def _outputs() -> Sequence[str]:
    from drivers.voice.outputs import sound_outputs

    try:
        return sound_outputs().names
    except DriverError as error:
        log.info("no sound outputs: %s", error)
        return ()
