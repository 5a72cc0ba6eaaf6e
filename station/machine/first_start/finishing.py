"""Ask the questions of `loto setup` by a form, and do what the first start's page asks for.

All questions that are open stand on the form, each with its answer. Some questions follow from
answers: whoever says that the reader is another than the profile's is asked where it is plugged in.
So a form grows with its answers, until nothing new is asked.

The page has no rights; this has root's. The page leaves a file, `asked.json`, in its own run
folder; systemd sees it and starts `loto first-start do`, which answers with `told.json` in a folder
of root's. Everything in the file is checked as if anybody had written it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from station.base.disk import keep_file, open_regular
from station.base.errors import LotoError, Unreadable
from station.base.system import CommandFailed, System
from station.base.tongue import key, tr
from station.base.untrusted import table_from
from station.checkup.inventory import Inventory
from station.machine.install import Choices, profile_in
from station.machine.setup.file import SetupAnswers, checked, over_file, save, to_toml
from station.machine.setup.questions import ask_all
from station.screens.web.first import LARGEST, Field, FirstWish, Questions
from station.settings.config import SYSTEM_FILE, load_settings


class Form:
    """An asker whose questions are answered all at once.

    Attributes:
        fields: the questions that were asked so far.
    """

    def __init__(self, answers: Mapping[str, str]) -> None:
        self._answers = answers
        self.fields: list[Field] = []

    def text(self, question: str, default: str) -> str:
        """Return the answer; the second time, the default: the first could not be taken."""
        if self.fields and question.endswith(self.fields[-1].question):
            last = self.fields[-1]
            fault = question.removesuffix(last.question).strip().rstrip(".")
            self.fields[-1] = replace(last, fault=fault)
            return default
        answer = self._answers.get(question, default)
        self.fields.append(Field(question, answer))
        return answer

    def choice(self, question: str, choices: Mapping[str, str], default: str) -> str:
        """Return what was chosen."""
        answer = self._answers.get(question, default)
        if answer not in choices:
            answer = default
        self.fields.append(Field(question, answer, choices))
        return answer

    def yes(self, question: str, *, default: bool) -> bool:
        """Return whether it was yes."""
        yes, no = tr("yes"), tr("no")
        return self.choice(question, {yes: "", no: ""}, yes if default else no) == yes


def ask_by_form(
    answers: Mapping[str, str],
    machine: Inventory,
    sounds: Callable[[], Sequence[str]],
    given: Mapping[str, Any],
    profile: str,
) -> Questions:
    """Put the questions, with these answers.

    Args:
        answers: by question.
        sounds: the names of the outputs.
        given: what is known already, by the name of its answer, such as `language`.
        profile: what is offered first.
    """
    form, before = Form(answers), load_settings(profile)
    try:
        wanted: SetupAnswers = ask_all(form, machine, before, given, sounds, profile)
    except LotoError as error:
        return Questions(form.fields, fault=str(error))
    return Questions(form.fields, to_toml(over_file({}, wanted)))


# -- what the page asks for ------------------------------------------------------------------------

MARK = "/etc/loto-station/first-start.json"
ASKED = "/run/loto-first-page/asked.json"
TOLD = "/run/loto-first-start/told.json"
SIMULATED = "simulated"
NOTHING = key("nothing was asked for, or something that is not known here")


@dataclass(frozen=True)
class Doing:
    """What the machine does for it.

    Attributes:
        system: the machine.
        install: puts everything in place for a profile, and starts the station.
        pair: lets in the device that shows these digits, as an admin of this name; raises what
            the station refuses.
    """

    system: System
    install: Callable[[Choices], None]
    pair: Callable[[str, str], None]

    def do(self) -> None:
        """Do what is asked for, once, and tell how it came out. Never raises what may be told."""
        told: dict[str, Any] = {}
        try:
            wanted = _taken(self.system.at(ASKED))
            told["number"] = wanted.get("number")
            self._do(wanted)
        except LotoError as error:
            told["fault"] = str(error)
        path = self.system.at(TOLD)
        path.parent.mkdir(parents=True, exist_ok=True)
        keep_file(path, json.dumps(told).encode(), self.system.disk, public=True)

    def _do(self, wanted: Mapping[str, Any]) -> None:
        match wanted:
            case {"do": FirstWish.WRITE, "settings": str(text)}:
                file = self.system.at(str(SYSTEM_FILE))
                checked(text, file)
                save(text, file)
                self.system.tell("systemctl", "--no-block", "stop", "loto-first-screen.service")
                finish(self.system, self.install)
            case {"do": FirstWish.PAIR, "digits": str(digits), "name": str(name)}:
                self.pair(digits, name)
            case {"do": FirstWish.END}:
                self.system.tell("systemctl", "--no-block", "stop", "loto-first-page.service")
            case _:
                raise Unreadable(tr(NOTHING))


def finish(system: System, install: Callable[[Choices], None]) -> None:
    """Start the station with the settings that were written: the first start is over.

    Raises:
        LotoError: as `Installation.install`.
    """
    system.at(MARK).unlink(missing_ok=True)
    install(Choices(profile_in(system) or SIMULATED))


def _taken(asked: Path) -> Mapping[str, Any]:
    """Return what is asked for, and take the file away: it is not done again and again."""
    try:
        # Whoever owns the folder may put a link or a pipe there.
        number = open_regular(asked)
    except OSError as error:
        with suppress(OSError):
            asked.unlink()
        raise Unreadable(tr(NOTHING)) from error
    with os.fdopen(number, "rb") as file:
        data = file.read(LARGEST + 1)
    asked.unlink(missing_ok=True)
    try:
        return table_from(data, LARGEST)
    except ValueError as error:
        raise Unreadable(tr(NOTHING)) from error


def pair_by_command(system: System) -> Callable[[str, str], None]:
    """Return what lets a device in, as an admin, by the station's own command."""

    def pair(digits: str, name: str) -> None:
        if not (digits.isascii() and digits.isdecimal() and len(digits) == 6):
            raise Unreadable(tr("six digits are wanted, as they stand on the device"))
        try:
            system.command("loto", "pair", digits, "--as", "admin", f"--name={name}")
        except CommandFailed as error:
            raise Unreadable(str(error).partition("\n")[2].strip() or str(error)) from error

    return pair
