"""Show the help of the command line by purpose, and the meaning of its exit codes; load of the
commands the one that is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import typer.main
from typer.core import TyperGroup

from station.base.errors import EXIT_DAMAGED, EXIT_DEVICE, EXIT_DONE, EXIT_NO, EXIT_USAGE
from station.base.tongue import tr
from station.base.untrusted import read_json
from station.commands.options import Commands
from station.commands.tongue import put_in_the_language

EXIT_CODES = {
    EXIT_DONE: "done; what was asked about is so",
    EXIT_NO: "refused, or not so: a claim that is not valid, a fault that was found in a file",
    EXIT_USAGE: "typed wrongly, no station answers, or settings and files that cannot be read",
    EXIT_DEVICE: "a device or this machine has a fault",
    EXIT_DAMAGED: "the record is damaged, or cannot be written",
}
# A sentence ends before what a dash, a colon or a semicolon only adds.
_ADDED = re.compile(r"[.:;।](?=\s|$)")


# What each command is for, so that no module is loaded to list them.
ABOUT = Path(__file__).with_name("about.json")


class CommandsOf(Mapping[str, Any]):
    """Commands by their names, each made when it is asked for.

    Args:
        groups: as `GroupedHelp` has them; a module is loaded for the first of its commands.
    """

    def __init__(self, groups: Mapping[str, Mapping[str, ModuleType]]) -> None:
        self._modules = {name: one for group in groups.values() for name, one in group.items()}
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            group = Commands()
            group.add_typer(self._modules[name].commands)
            self._made |= typer.main.get_group(group).commands
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


class GroupedHelp(TyperGroup):
    """The commands of the program, listed by what they are for.

    Attributes:
        groups: by purpose, the names of the commands, each with its module.
    """

    groups: ClassVar[Mapping[str, Mapping[str, ModuleType]]] = {}

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        vars(self)["commands"] = CommandsOf(self.groups)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        return [*self.commands]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, with its help in the language that is spoken; None if it is none."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            put_in_the_language(command)
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands of each purpose, one line each, then what the exit codes mean."""
        about = read_json(ABOUT)
        for title, names in self.groups.items():
            with formatter.section(title):
                formatter.write_dl([(name, first_words(tr(about[name]))) for name in names])
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), text) for code, text in EXIT_CODES.items()])


def first_words(text: str) -> str:
    """Return the beginning of a help text that says what a command does.

    >>> first_words("Take sold cards back before their game opens: their price is given back.")
    'Take sold cards back before their game opens'
    >>> first_words("Say it again.  Example: loto repeat")
    'Say it again'
    """
    flat = " ".join(text.split("\b", maxsplit=1)[0].split())
    found = _ADDED.search(flat)
    return flat[: found.start()] if found else flat
