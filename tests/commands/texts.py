"""Every text of the command line by its English: of the code, and of the commands as they are
built. `python -m tests.commands.texts` writes them where translators find them, and what each
command is for where the help finds it."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from station.base.tongue import FOLDER
from station.commands.app import app
from station.commands.grouped import ABOUT, EXIT_CODES, GROUPS
from station.commands.tongue import every, flat, in_english

STATION = Path(__file__).parents[2] / "station"
SETUP = STATION.parent / "setup"
ENGLISH = FOLDER / "en.json"
OF_THE_CODE = {"tr": 0, "tr_in": 1, "key": 0}  # which argument is a text


def of_the_code() -> Iterator[str]:
    """Every text that the code gives to `tr`, `tr_in`, `heads`, `key` and `number_of`."""
    rooms = [STATION / room for room in ("base", "web", "machine", "orders", "commands")]
    for file in sorted(file for room in (*rooms, SETUP) for file in room.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield from _of_a_call(node.func.id, node.args)


def _of_a_call(name: str, arguments: list[ast.expr]) -> Iterator[str]:
    if name in OF_THE_CODE:
        arguments = arguments[OF_THE_CODE[name] :][:1]
    elif name == "number_of":
        arguments = arguments[1:]
    elif name != "heads":
        return
    for argument in arguments:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            one = argument.value
            yield from (f"1 {one}", f"{{count}} {one}s") if name == "number_of" else (one,)


def of_the_commands() -> Iterator[str]:
    """The help of every command, option and argument that can be seen, and of their groups."""
    tree: Any = typer.main.get_command(app)
    yield from (*GROUPS, "Exit codes", *EXIT_CODES.values())
    for command in every(tree):
        if not command.hidden:
            yield flat(in_english(command))
            for one in command.params:
                if not getattr(one, "hidden", False):
                    yield flat(in_english(one))


def keys() -> list[str]:
    """All of them, each once, in order."""
    return sorted({*of_the_code(), *of_the_commands()} - {""})


def about() -> dict[str, str]:
    """What each command is for, by its name."""
    tree: Any = typer.main.get_command(app)
    return {name: flat(in_english(one)) for name, one in tree.commands.items()}


def written(data: object) -> str:
    """Data as a file of texts has them."""
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    ENGLISH.write_text(written([{"en": one} for one in keys()]), "utf-8")
    ABOUT.write_text(written(about()), "utf-8")
