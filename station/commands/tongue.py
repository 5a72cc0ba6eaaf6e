"""Put the help of the command line into the language that is spoken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import typer
import typer.core

from station.base.tongue import Tongue, key, tr

USAGE = key("Usage: ")
# What the command line's library says in every help.
LIBRARY = (
    key("Arguments"),
    key("Options"),
    key("Commands"),
    key("default: {default}"),
    key("required"),
    key("env var: {var}"),
    key("Show this message and exit."),
)
# What the command line's library says of what is typed wrongly.
REFUSED = (
    key("Error: {what}"),
    key("Try '{command}' for help."),
    key("Missing command."),
    key("No such command {name}."),
    key("No such option: {name} (Possible options: {names})"),
    key("No such option: {name}"),
    key("Missing argument {name}."),
    key("Missing argument {name}. {more}"),
    key("Missing option {name}."),
    key("Missing option {name}. {more}"),
    key("Choose from:"),
    key("Invalid value for {name}: {why}"),
    key("Invalid value: {why}"),
    key("Got unexpected extra argument(s) ({words})"),
    key("Option {name} does not take a value."),
    key("Option {name} requires an argument."),
    key("Option {name} requires {count} arguments."),
    key("Argument {name} takes {count} values."),
    key("File {file} does not exist."),
    key("File {file} is a directory."),
    key("Directory {file} does not exist."),
    key("Directory {file} is a file."),
    key("Path {file} does not exist."),
    key("Could not open file {file}: {why}"),
)
# What the reader of values says, and what a person is told in its place.
READ = {
    "Input should be a valid integer, unable to parse string as an integer": key(
        "it must be a whole number"
    ),
    "Input should be a valid number, unable to parse string as a number": key(
        "it must be a number"
    ),
    "Input should be a finite number": key("it must be a finite number"),
    "Input should be a valid boolean, unable to interpret input": key("it must be yes or no"),
    "Input should be greater than or equal to {least}": key("it must be at least {least}"),
    "Input should be less than or equal to {most}": key("it must be at most {most}"),
    "Input should be greater than {below}": key("it must be more than {below}"),
    "Input should be less than {above}": key("it must be less than {above}"),
    "Value error, {value} is not one of {these}.": key("{value} is not one of {these}"),
}
TEMPLATES = {**{text: text for text in REFUSED}, **READ}
IN_ENGLISH = "in_english"
_CONTEXT: Any = typer.Context.__mro__[1]


class _Formatter(_CONTEXT.formatter_class):  # type: ignore[misc] # the library's own is not exported
    """The library's writer of help, with its headings in the language that is spoken."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is typed."""
        super().write_usage(prog, args, prefix or tr(USAGE))

    def write_heading(self, heading: str) -> None:
        """Write the heading of a part."""
        super().write_heading(tr(heading))

    def write_dl(self, rows: Sequence[tuple[str, str]], *given: Any, **named: Any) -> None:
        """Write words with what they mean."""
        super().write_dl([(word, tr(text)) for word, text in rows], *given, **named)


def told_in_the_language(app: typer.Typer) -> Any:
    """Return the commands that are typed, with their help in the language that is spoken."""
    _CONTEXT.formatter_class = _Formatter
    vars(typer.core)["_"] = tr
    root = typer.main.get_command(app)
    _put(root)
    return root


def put_in_the_language(command: Any) -> None:
    """Put the help of a command, and of all below it, into the language that is spoken."""
    for one in every(command):
        _put(one)


def _put(command: Any) -> None:
    # The library keeps what it has built: a second language begins with the English, too.
    if Tongue.texts or IN_ENGLISH in vars(command):
        command.help = _translated(in_english(command))
        for one in command.params:
            if about := in_english(one):
                one.help = tr(flat(about))


def retold(text: str) -> str:
    """Return what the library says, each line in the language that is spoken; as it is where that
    is not known.

    >>> retold("Error: No such command 'blah'.")
    "Error: No such command 'blah'."
    """
    return "\n".join(map(_retold, text.splitlines()))


def _retold(text: str) -> str:
    for template, said in TEMPLATES.items():
        parts = re.split(r"\{(\w+)\}", template)
        pattern = "".join(
            f"(?P<{part}>.+)" if place % 2 else re.escape(part) for place, part in enumerate(parts)
        )
        if found := re.fullmatch(pattern, text):
            return tr(said, **{name: _retold(one) for name, one in found.groupdict().items()})
    return text


def in_english(told: Any) -> str:
    """Return the help of a command or an option as it stands in the code."""
    return str(vars(told).setdefault(IN_ENGLISH, getattr(told, "help", None) or ""))


def every(command: Any) -> Iterator[Any]:
    """Yield a command, and all below it."""
    yield command
    for one in getattr(command, "commands", {}).values():
        yield from every(one)


def flat(text: str) -> str:
    """Return a help text with a paragraph a line, and a line between; without its examples.

    >>> flat("Say it\\nagain.\\n\\nOr not.\\n\\n\\b\\nExample: loto repeat")
    'Say it again.\\n\\nOr not.'
    """
    paragraphs = text.partition("\b")[0].strip().split("\n\n")
    return "\n\n".join(" ".join(one.split()) for one in paragraphs)


def _translated(text: str) -> str:
    _, mark, examples = text.partition("\b")
    return f"{tr(flat(text))}\n\n{mark}{examples}" if mark else tr(flat(text))
