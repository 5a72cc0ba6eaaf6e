"""Show the help of the command line by purpose, and the meaning of its exit codes."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperGroup

from station.base.errors import EXIT_DAMAGED, EXIT_DEVICE, EXIT_DONE, EXIT_NO, EXIT_USAGE

# Each command stands under one of these; the order is that of an evening.
GROUPS = {
    "Start and look": "run watch report core web screen",
    "Before a game": "census selftest health programme theme wording pack print rehearse odds",
    "Sale and money": "sell return count money pay approve recover redeem bank",
    "Lead a game": "open draw next auto pause repeat undo stop play-on close close-night break do",
    "Claims": "check claim near lots",
    "At the table": "table",
    "People": "pair people",
    "The machine": "setup config doctor enrol voice matrix hotspot backup install update bundle"
    " uninstall completion",
    "The record": "journal",
    "For developers": "test drill",
}
EXIT_CODES = {
    EXIT_DONE: "done; what was asked about is so",
    EXIT_NO: "refused, or not so: a claim that is not valid, a fault that was found in a file",
    EXIT_USAGE: "typed wrongly, no station answers, or settings and files that cannot be read",
    EXIT_DEVICE: "a device or this machine has a fault",
    EXIT_DAMAGED: "the record is damaged, or cannot be written",
}
# A sentence ends before what a dash, a colon or a semicolon only adds.
_ADDED = re.compile(r"[.:;।](?=\s|$)")


class GroupedHelp(TyperGroup):
    """The commands of the program, listed by what they are for."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands of each purpose, one line each, then what the exit codes mean."""
        for title, names in GROUPS.items():
            rows = [
                (name, first_words(command.help or ""))
                for name in names.split()
                if (command := self.get_command(ctx, name)) is not None and not command.hidden
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)
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
