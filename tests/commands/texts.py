"""Every text of the command line by its English: of the code, and of the commands as they are
built. `python -m tests.commands.texts` puts those that a language lacks into its file, without
their translation, and so the refusals, and writes what each command is for where the help finds it;
with the code of a new language it begins both files."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import typer.main

from station.base.catalogues import FOLDER
from station.commands.app import GROUPS, app
from station.commands.grouped import ABOUT, EXIT_CODES
from station.commands.tongue import every, flat, in_english
from station.wire.wording.refusals import FOLDER as REFUSALS
from tests.translated import complete, written
from tests.wire.test_refusals import templates

STATION = Path(__file__).parents[2] / "station"
SETUP = STATION.parent / "setup"
LANGUAGES = sorted(file.stem for file in FOLDER.glob("*.json"))
ROOMS = (
    *("base", "proof", "commands", "checkup", "machine", "odds"),
    *("cards", "night", "paper", "programme", "record", "rules", "settings", "views", "wire"),
)
OF_GAMES = ("games",)
BESIDES = ("screens/web", "../setup", *OF_GAMES)  # the first start's page, and who makes its card
OF_THE_CODE = {"tr": 0, "tr_in": 1, "key": 0}  # which argument is a text

HELPING = {"option", "Option", "argument", "Argument", "Commands", "command"}
# How many first arguments of these are texts that have their place in a language's file.
SAID = {
    **dict.fromkeys(("tr", "key", "said"), 1),
    **dict.fromkeys(("tr_in", "number_of", "NotAllowed", "IllegalAction", "Refused"), 2),
    **dict.fromkeys(("heads", "right", *HELPING), 99),
}
WORDS = re.compile(r"[A-Za-z]{2,} |[ ][A-Za-z]{2,}")
FOR_MACHINES = re.compile(
    r"\n?#|\.board |:root |import sys|\n\[web\]|(?:(?:10|[2-9AJQK])[CDHS] ?)+\Z"
)  # how a file or a script begins; a row of playing cards
# Files with words that nobody of a hall reads on a terminal.
OTHERS = {
    "cards/pack_cells.py": "what other programs write in an empty cell",
    "checkup/selftest.py": "what the journal keeps, in English; what it asks for are refusals",
    "commands/app.py": "names of commands; `of_the_commands` has the help",
    "commands/completion.py": "a script for a shell",
    "commands/drill.py": "for developers",
    "commands/grouped.py": "`of_the_commands` has them",
    "commands/tongue.py": "what the library says, and beside it what a person is told: keys",
    **dict.fromkeys(
        (
            "machine/wiring/board.py",
            "machine/wiring/controls.py",
            "machine/wiring/cutting.py",
            "machine/wiring/overview.py",
            "machine/wiring/pins.py",
            "machine/wiring/printing.py",
            "machine/wiring/shopping.py",
        ),
        "on drawings for the builder, in English",
    ),
    "odds/rehearsal/plot.py": "in a picture",
    "paper/export.py": "names of tables and columns, for programs",
    "paper/pen.py": "how a picture is written",
    "paper/prints/card_pictures.py": "how a page of PDF is written",
    "paper/prints/card_pieces.py": "how a page of PDF is written",
    "wire/notify.py": "for the log, and for systemd",
}
# Words that nobody of a hall reads, or that are typed so in every language.
NOT_SAID = {
    # what a library says, what other programs write, settings, the log
    "failed to map segment",
    "cannot allocate memory",
    "can't start new thread",
    'package = { wheel = "{}", sha256 = "{}" }',
    "odds of strips as they are laid out",
    "serial (tens last)",
    ", table",
    ", table, purse",
    "bytes of ",
    "a line with too many values: {} are the most",
    "a line of more than {} bytes: send less at once",
    "only %d open files are allowed: few screens and tools can connect",
    # what is meant, in front of a fault: as it is typed
    "bundle key",
    "journal verify",
    "journal export",
    "loto-station {}",
    "loto-station {} 1\n",
    "loto-station game 1",
    "loto-station opening 1",
    "the head after game %d is not kept: %s",
    "taken back at the table",
    "{}: SHA-256 {}",
    "format = ",
    "a bag has each of the 90 numbers once",
    "sudo loto pair 123456 --as admin",
    "./loto voice build --lang {}",
    "sudo apt-get install espeak-ng",
    '<!doctype html><html lang="{}"><meta charset="utf-8">',
    '<audio controls preload="none" src="data:audio/wav;base64,{}"></audio>',
    "./loto wording check",
    "./loto watch{}",
    "./loto doctor{}",
    "./loto run --simulate{}",
    "./loto table shake",
    "./loto table {}",
    "./loto draw",
    "./loto run",
    "./loto close",
    " --config {}",
    " --profile {}",
    " --state {}",
    "{} --seed {} --strips {}",
    "--series {}: {}",
    "sudo raspi-config, Interface Options",
    "sudo apt-get install {}",
    "sudo loto install",
    r"-- ([0-9.]+)\n\s+/32 host LOCAL",
    "sudo systemctl restart {}",
    "--buzzers {}",
    "--buzzers {}|{}",
    "journalctl -u loto-core -b",
    "{}\n\nExample: loto {}",
    "{}\n\nExample: loto table {}",
    "{}\n\nExample: loto odds {} --seats 6",
    # names, and figures
    "{} mm",
    "{} MB",
    "{} via {}",
    "{}; Python {}",
    "{}, {} {}, Python {}",
    "13.56 MHz",
    "125 kHz",
    "Raspberry Pi",
    # names of a file's settings, and a sample
    "[language] base: {}",
    ", jackpot",
    ", shares",
    "{}, letters",
    "{}, theme",
    "{ share = 10 }",
    # for programs that say an act wrongly
    " (it is {})",
    "Value error, ",
    # files, and names that the hall changes
    "{}format = {}\n\n[tags]\n{}{}{}",
    "Village Hall",
    # for the log, for systemd, for developers
    "{}: nobody decides what comes next",
    "%s: not visible; the pack that ships is used there",
    "%s stays where it is: %s",
    "%s: an overlay whose upper folder %s cannot be seen from here: %s",
    "%s: what it is mounted on cannot be found in %s; is it a disk?",
    "%s: %s; allowed, for this is a TEST",
    "see to it that it is a disk",
    "the end of game %d is not signed: %s",
    "the opening of night %d is not signed: %s",
    "a picture of the theme %r cannot be read, the board shows numbers in its place: %s",
    "the theme %r cannot be read, numbers are shown in its place: %s",
    "places {}: name their pattern when the marks are made",
    # in files for programs
    "loto journal export",
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA application_id = {}",
    "PRAGMA user_version = {}",
    "CREATE TABLE {} ({})",
    "INSERT INTO {} VALUES ({})",
    "{} {} {} rg",
    "1 0 0 1 {} {} cm",
    "(/\\S+) 1 Tf",
    "the path {} has the letter {}, which no drawing uses",
    # of types, and of states in one line
    "Pair | Unpair | Rename",
    "pack={} programme={}",
    " register={}",
    "ledger={} paid={} bag={}",
    " more={}",
    " ready={}",
    "night={} {} opened={} closed={} {}{} game={}",
    "shaken={} shakings={} calls={}",
    # commands, and what draws luck
    "./loto pack make --strips 4 --plain",
    "loto strips {}\n",
    "%s: not visible; the words that ship are used here",
    "%s: a connection of uid %d is refused, there are %d already",
    "a connection of uid %d left its lines unread for %g s; cut off",
    "a connection of uid %d said no hello for %g s; cut off",
    "a connection ended: %s",
    "a connection ended by a fault of the station",
    "the station's line ended: %s",
    # for programs that say a line wrongly
    "a line that cannot be read ({}): send one JSON object a line",
    "a line that is not a JSON object: send {...}",
    # for the journal, which is in English
    "the clock jumped {} by {} s, to {}",
    "the clock stands before the last line: at {}, after {}",
    "line {} of night {} was not signed when the station ended",
    "{}: this start has signed it",
    "%s: an unfinished backup could not be removed: %s",
    "no sound outputs: %s",
    "showing the board",
    "the tests come with the checkout, and {} is not one: go to yours",
    'SUBSYSTEM=="*gpiomem*", GROUP="gpio", MODE="0660"',
    'SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"',
    'SUBSYSTEM=="hidraw", GROUP="input", MODE="0660"',
    "DeviceAllow={} rw",
    # on paper
    "the profile {}",
    "the settings",
    # what draws luck
    "{}\none strip",
    "{}\nodds of drawings",
    "{}\nodds of games",
    "{}\nodds of pools",
    "{}\nodds of races",
    "loto rehearsal {}\n{}",
}


def of_the_code() -> Iterator[str]:
    """Every text that the code gives to `tr`, `tr_in`, `key`, `number_of`, `heads` and `right`."""
    for room in (*ROOMS, *BESIDES):
        for file in sorted((STATION / room).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    yield from _of_a_call(node.func.id, node.args)


def _of_a_call(name: str, arguments: list[ast.expr]) -> Iterator[str]:
    if name in OF_THE_CODE:
        arguments = arguments[OF_THE_CODE[name] :][:1]
    elif name == "number_of":
        arguments = arguments[1:]
    elif name not in ("heads", "right"):
        return
    for argument in arguments:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            one = argument.value
            yield from (f"1 {one}", f"{{count}} {one}s") if name == "number_of" else (one,)


def untold(source: str) -> Iterator[tuple[int, str]]:
    """Every sentence of a source that no language has, with its line: words that stand neither in a
    call of `SAID` nor where nobody of a hall reads them. A value that is put in is {}."""
    tree = ast.parse(source)
    passed: set[ast.AST] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in SAID:
                others = [one.value for one in node.keywords if name in HELPING]
                texts = node.args if name in HELPING else node.args[: SAID[name]]
                passed.update(part for one in texts + others for part in ast.walk(one))
            case ast.Expr(value=ast.Constant() as docstring):
                passed.add(docstring)
            case ast.JoinedStr():
                passed.update(one for one in ast.iter_child_nodes(node) if not _has_code(one))
    for node in ast.walk(tree):
        if node not in passed and isinstance(node, ast.Constant | ast.JoinedStr):
            told = _literal(node)
            if WORDS.search(told) and not _is_for_others(told):
                yield node.lineno, told


def _is_for_others(told: str) -> bool:
    return told in NOT_SAID or FOR_MACHINES.match(told) is not None


def _has_code(part: ast.AST) -> bool:
    return isinstance(part, ast.FormattedValue)


def _literal(node: ast.Constant | ast.JoinedStr) -> str:
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(str(getattr(part, "value", "")) if _is_text(part) else "{}" for part in parts)


def _is_text(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and isinstance(part.value, str)


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


@cache
def keys() -> list[str]:
    """All of them, each once, in order."""
    return sorted({*of_the_code(), *of_the_commands()} - {""})


def about() -> dict[str, str]:
    """What each command is for, by its name."""
    tree: Any = typer.main.get_command(app)
    return {name: flat(in_english(one)) for name, one in tree.commands.items()}


if __name__ == "__main__":
    ABOUT.write_text(written(about()), "utf-8")
    for code in {*LANGUAGES, *sys.argv[1:]}:
        complete(FOLDER / f"{code}.json", keys())
        complete(REFUSALS / f"{code}.json", templates())
