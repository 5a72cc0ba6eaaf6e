"""Habits of the whole house, held by tests: libraries, parsers and writers in their rooms,
docstrings, commands, examples.

What a room may import of the others is a contract of its own: `tool.importlinter` in
pyproject.toml.
"""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from station import __version__
from station.commands.app import app
from station.games import GAMES
from station.machine import bundle

PROJECT = Path(__file__).resolve().parent.parent


def modules(*folders: str) -> dict[str, Path]:
    """The modules of packages by dotted name."""
    found = {}
    for folder in folders:
        for path in sorted((PROJECT / folder).rglob("*.py")):
            parts = path.relative_to(PROJECT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


CODE = modules("station", "drivers")
TESTS = modules("tests")
# Without the tests of them, and the wrong stations that those build.
DRILLS = {
    name: path
    for name, path in modules("tests/drill").items()
    if not path.name.startswith(("test_", "mutants", "wrong_"))
}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


# What the habits look at; all other nodes of a file are left out of its list.
KINDS = {
    ast.Attribute,
    ast.Call,
    ast.ClassDef,
    ast.Compare,
    ast.Expr,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Import,
    ast.ImportFrom,
    ast.Match,
    ast.Name,
    ast.Subscript,
}
GAME_NAMES = set(GAMES)


def looked_at(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes that some habit looks at: of these kinds, and the names of games."""
    for node in ast.walk(tree):
        if type(node) in KINDS or (isinstance(node, ast.Constant) and node.value in GAME_NAMES):
            yield node


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """The same of a file; to walk takes longer than to look."""
    return tuple(looked_at(parsed(path)))


def imports(path: Path) -> set[str]:
    """All that a module imports, also inside functions; `from station.wire import wire` is
    `station.wire.wire`."""
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            inside = {f"{node.module}.{alias.name}" for alias in node.names} & CODE.keys()
            # A package whose only imported names are modules of it is not itself used.
            found |= inside if len(inside) == len(node.names) else inside | {str(node.module)}
    return found - {"__future__"}


# Libraries that belong to one room.
LIBRARIES = {
    "cryptography": (
        "station.record.station_key",
        "station.record.heads",
        "station.machine.signing",
        "station.core.proofs",
        "station.screens.web.certificate",
    ),
    "fastapi": ("station.screens.web",),
    "gpiozero": ("drivers",),
    "luma": ("drivers",),
    "msgspec": ("station.record.chain",),
    "pygame": (
        "station.screens.screen",
        "drivers.voice.worker",
        "drivers.voice.outputs",
        "drivers.voice.sound",
    ),
    "pyttsx3": ("drivers",),
    "reportlab": ("station.paper.prints.paper",),
    "serial": ("drivers",),
    "starlette": ("station.screens.web",),
    "tomlkit": ("station.machine.setup.file",),
    "typer": ("station.commands", "station.commands"),
    "uvicorn": ("station.screens.web",),
}


def in_room(module: str, room: str) -> bool:
    return module == room or module.startswith(f"{room}.")


def test_a_library_stays_in_its_room():
    """Devices are the drivers', pygame the screen's and the voice's, typer the command line's, and
    so on."""
    imported = {name: imports(path) for name, path in CODE.items()}
    for library, rooms in LIBRARIES.items():
        users = {
            module
            for module, names in imported.items()
            if any(name.partition(".")[0] == library for name in names)
        }
        assert users, f"nobody uses {library} any more"
        assert not {user for user in users if not any(in_room(user, room) for room in rooms)}, (
            library
        )


def test_the_house_is_its_rooms():
    """Beside the rooms there is only what starts the program; each room says what it is for."""
    beside = {
        path.name
        for path in (PROJECT / "station").iterdir()
        if path.name != "__pycache__" and not path.is_dir()
    }
    assert beside == {"__init__.py", "__main__.py"}


@pytest.mark.long
def test_the_drills_stand_by_themselves():
    """Beside the station they use nothing of the tests: what was found is counted for their code
    and the station's."""
    used = {
        name
        for path in DRILLS.values()
        for name in imports(path)
        if name.partition(".")[0] == "tests"
    }
    assert {name for name in used if not any(in_room(name, drill) for drill in DRILLS)} == set()


# Where else TOML and JSON are parsed, and why that is not what somebody else wrote.
PARSES_ITSELF = {
    "station.base.untrusted": "it is the place",
    "station.record.chain": (
        "lines of the journal, whose sums are checked; a faster parser, with the same bounds of"
        " its own"
    ),
    "station.machine.setup.file": (
        "a text that the strict rules have read before; what comes of it they read again"
    ),
    "station.night.table.game": (
        "a move that was read and checked already, once more by the strict rules for JSON"
    ),
    "drivers.board.picture": "a table of this program's own",
    "drivers.given": "the drivers' own place: they import nothing of the station",
    "drivers.voice.pack": (
        "drivers import nothing of the station; pydantic's parser has bounds, and the file is"
        " measured"
    ),
    "setup.prepare": (
        "before there is an environment; what cannot be read there is read again, and told, by the"
        " station"
    ),
    "setup.check_wheels": "what the installer of packages wrote",
}
PARSERS = {
    ("json", "load"),
    ("json", "loads"),
    ("tomllib", "load"),
    ("tomllib", "loads"),
    ("tomlkit", "parse"),
}


def parses(nodes: Iterable[ast.AST]) -> bool:
    """Whether a module reads TOML or JSON by itself, by whatever name it knows the parser."""
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=library), attr=name) if (library, name) in PARSERS:
                return True
            case ast.Attribute(attr="model_validate_json" | "raw_decode" | "validate_json"):
                return True
            case ast.ImportFrom(
                module="json" | "tomllib" | "msgspec" | "pickle" | "marshal" | "shelve" | "yaml"
            ):
                return True
            case ast.Import(names=names) if {alias.name for alias in names} & {
                "msgspec",
                "pickle",
                "marshal",
                "shelve",
                "yaml",
            }:
                return True
            case ast.Import(names=names) if any(
                alias.asname and alias.name in ("json", "tomllib") for alias in names
            ):
                return True
    return False


def test_what_others_wrote_is_parsed_in_one_place():
    """TOML and JSON from outside come in through `station.base.untrusted`; each other module that
    parses has its reason above."""
    found = {
        name for name, path in modules("station", "drivers", "setup").items() if parses(nodes(path))
    }
    assert {
        name for name in found if not any(in_room(name, place) for place in PARSES_ITSELF)
    } == set()


@pytest.mark.parametrize(
    "line",
    [
        "import json\njson.loads('')",
        "import tomllib\ntomllib.load(file)",
        "import json as j",
        "from tomllib import loads",
        "Manifest.model_validate_json(text)",
        "import pickle",
        "read = json.loads",
    ],
)
def test_a_parser_of_one_s_own_would_be_found(line):
    """The check above is one."""
    assert parses(ast.walk(ast.parse(line)))
    assert not parses(ast.walk(ast.parse("import json\njson.dumps({})")))


# The one writer of each way out on which what people typed goes: whoever else had one could read
# markup or formulas in a name.
WRITERS = {
    ("rich.console", "Console"): {"station.base.terminal"},
    ("rich.text", "*"): {"station.base.terminal"},
    ("rich.panel", "*"): {"station.base.terminal"},
    ("rich.prompt", "*"): {"station.base.terminal"},
    ("rich.markup", "*"): set(),
    ("rich", "print"): set(),
    # as a type
    ("rich.progress", "Progress"): {"station.base.terminal", "station.commands.enrol"},
    ("rich.progress", "TextColumn"): {"station.base.terminal"},
    ("rich.progress", "track"): set(),
    ("csv", "*"): {"station.paper.reports.sheets", "station.cards.pack_text"},  # the latter reads
    ("reportlab.platypus", "*"): set(),
    ("reportlab.pdfgen.canvas", "Canvas"): {"station.paper.prints.paper"},
}


def writers(nodes: Iterable[ast.AST]) -> set[tuple[str, str]]:
    """Which of the writers a module names."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            names = {(str(node.module), alias.name) for alias in node.names} | {
                (str(node.module), "*")
            }
            names |= {(f"{node.module}.{alias.name}", "*") for alias in node.names}
            found |= names & WRITERS.keys()
        elif isinstance(node, ast.Import):
            found |= {(alias.name, "*") for alias in node.names} & WRITERS.keys()
            # By its whole name a library could have any of them.
            found |= {
                key
                for key in WRITERS
                for alias in node.names
                if alias.name.split(".")[0] in ("rich", "reportlab")
            }
    return found


def test_each_way_out_has_one_writer():
    """Nobody makes a console, a panel, a prompt, a CSV writer or a paragraph of his own."""
    wrong = {
        (name, *key)
        for name, path in (CODE | DRILLS).items()
        for key in writers(nodes(path))
        if key[1] and name not in WRITERS[key]
    }
    assert wrong == set()


@pytest.mark.parametrize(
    "line",
    [
        "from rich.console import Console",
        "import rich.console",
        "from rich import print",
        "from rich.text import Text",
        "from rich import markup",
        "import csv",
        "from csv import writer",
        "from reportlab.platypus import Paragraph",
    ],
)
def test_a_writer_of_one_s_own_would_be_found(line):
    """The check above is one."""
    assert writers(ast.walk(ast.parse(line)))


def test_nobody_turns_markup_on():
    """No call says markup=True or emoji=True, and nothing is written to a terminal beside the two
    consoles and typer."""
    found = []
    for name, path in CODE.items():
        for node in nodes(path):
            if isinstance(node, ast.Call):
                on = {
                    keyword.arg
                    for keyword in node.keywords
                    if isinstance(keyword.value, ast.Constant) and keyword.value.value
                }
                found += [f"{name}:{node.lineno}"] * bool(on & {"markup", "emoji"})
            if isinstance(node, ast.Attribute) and node.attr == "from_markup":
                found.append(f"{name}:{node.lineno}")
    assert found == []


PAGE_FILES = sorted((PROJECT / "station" / "screens" / "web" / "pages").rglob("*.js")) + sorted(
    (PROJECT / "station" / "screens" / "web" / "pages").rglob("*.html")
)
READS_HTML = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new"
    r" Function|DOMParser|createContextualFragment|srcdoc"
    r"|javascript:|setHTML|\son[a-z]+=\"",
)
SETS_TEXT = re.compile(
    r"textContent\s*=[^=]|innerText|createTextNode|nodeValue|document\.title = (?!shown\()"
)


@pytest.mark.parametrize("page", PAGE_FILES, ids=lambda path: path.name)
def test_pages_set_text_and_never_html(page):
    """What a page shows it sets as text: no file of the pages has a word that reads HTML or code
    out of a string.

    One file sets it, with signs for what nobody would see.
    """
    script = page.read_text(encoding="utf-8")
    assert READS_HTML.findall(script) == []
    assert page.name == "line.js" or SETS_TEXT.findall(script) == []


def test_secrets_are_the_systems_luck():
    """Nothing that decides who is let in draws from a luck that can be foreseen: digits, PINs,
    cookies and the token come of `secrets`."""
    deciding = {
        name
        for name in CODE
        if in_room(name, "station.people")
        or in_room(name, "station.screens.web")
        or name in ("station.core.doorkeeper", "station.core.proofs", "station.core.launch")
    }
    for name in deciding:
        assert not {one.partition(".")[0] for one in imports(CODE[name])} & {"random", "numpy"}
    assert CODE["station.core.daemon"].read_text(encoding="utf-8").count("secrets.randbelow") == 2
    for name in (
        "station.screens.web.guard",
        "station.screens.web.people_pages",
        "station.core.launch",
    ):
        assert "secrets.token_urlsafe(" in CODE[name].read_text(encoding="utf-8"), name


# What typer reads a command's options with; it comes with every command.
OF_TYPER = {"pydantic"}


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        (["--help"], set()),
        (["--version"], set()),
        (["draw", "--help"], OF_TYPER),
        (["draw", "42"], OF_TYPER),
        (["sell", "0001-0004"], OF_TYPER),
        (["health", "--json"], OF_TYPER),
    ],
    ids=" ".join,
)
@pytest.mark.long
def test_the_command_line_starts_light(words, allowed, tmp_path):
    """Help, and orders to the running station, load nothing of a night, and no device's, screen's,
    web's or number library's weight: those come with the command that needs them."""
    heavy = [
        "numpy",
        "pydantic",
        "PIL",
        "cryptography",
        "tomlkit",
        "rich.syntax",
        "station.games.keno",
        "station.night.hall",
        "station.core",
        "station.machine",
        "pygame",
        "fastapi",
        "uvicorn",
        "gpiozero",
        "serial",
        "luma",
        "pyttsx3",
        "reportlab",
        "matplotlib",
        "distributed",
    ]
    code = (
        f"import sys; sys.argv = ['loto', *{words}]\n"
        "from station.commands.app import main\n"
        "try: main()\n"
        f"finally: print('loaded', *[name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=PROJECT,
        env={"STATE_DIRECTORY": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    said, *loaded = done.stdout.splitlines()[-1].split()
    assert said == "loaded"
    assert set(loaded) <= allowed


def undocumented(body: list[ast.stmt], where: str) -> Iterator[str]:
    for node in body:
        if isinstance(
            node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        ) and not node.name.startswith("_"):
            if ast.get_docstring(node) is None:
                yield f"{where}.{node.name}"
            if isinstance(node, ast.ClassDef):
                yield from undocumented(node.body, f"{where}.{node.name}")


def test_every_public_thing_is_explained():
    """A module's first sentence says what it is for; each public class, function and method has a
    docstring."""
    for module, path in (CODE | DRILLS).items():
        tree = parsed(path)
        text = ast.get_docstring(tree)
        assert text, f"{module} does not say what it is for"
        first = text.partition("\n\n")[0].strip()
        assert first.endswith((".", ":", "?")), f"{module}: it does not begin with a sentence"
        assert [*undocumented(tree.body, module)] == []


def named_twice(classes: Iterable[tuple[str, str]]) -> set[str]:
    """The names of classes, each with its module, that say more than one thing; games mirror each
    other, so that each of them may have a name once."""
    found: dict[str, list[str]] = {}
    for module, name in classes:
        game = re.match(r"station\.games\.\w+", module)
        found.setdefault(name, []).append(game[0] if game else "")
    return {
        name
        for name, homes in found.items()
        if len(homes) > len(set(homes)) or ("" in homes and len(homes) > 1)
    }


def test_one_name_is_one_class():
    """Who reads a class's name anywhere knows which one is meant."""
    assert not named_twice(
        (module, node.name)
        for module, path in CODE.items()
        for node in nodes(path)
        if isinstance(node, ast.ClassDef)
    )


@pytest.mark.parametrize(
    ("modules", "wrong"),
    [
        (("station.night.acts", "station.rules.seen"), True),
        (("station.night.acts", "drivers.readers.rfid"), True),
        (("station.night.acts", "station.games.keno.play"), True),
        (("station.games.keno.play", "station.games.keno.state"), True),
        (("station.games.keno.state", "station.games.loto_first.state"), False),
    ],
)
def test_a_name_of_two_classes_would_be_found(modules, wrong):
    """In rooms, between a room and a game, and in one game; not in two games."""
    assert named_twice((module, "Move") for module in modules) == ({"Move"} if wrong else set())


# The name of each test, and behind it where its docstring begins, if it has one: the text is
# formatted, so that nobody has to parse all of the tests for it.
TOLD = re.compile(
    r"^( *)(?:async )?def (test_\w+)"
    r'(?:\((?:.*|\n(?:\1 +.*\n)+\1)\)(?: -> .+)?:(?:  # .+)?\n\1 +(""")(?!"""))?',
    re.MULTILINE,
)


def silent(text: str) -> list[str]:
    """The tests of a file that do not say what must be true; the file itself, if it does not."""
    found = [name for _, name, begins in TOLD.findall(text) if not begins]
    return found if re.match(r'"""(?!""")', text) else ["the file", *found]


def test_a_test_that_says_nothing_would_be_found():
    """Whatever its signature looks like; what the next one says is not its own."""
    said = '\n    """It is so."""\n'
    heads = ("()", "(x: int = 1) -> dict[str, int]", '(\n    x,\n    y: str = ":",\n)')
    text = "".join(f"\n\ndef test_{n}{head}:{said}" for n, head in enumerate(heads))
    assert silent('"""A file."""\n' + text) == []
    for head in heads:
        wrong = f"\n\nasync def test_silent{head}:\n    assert one():\n        {text}"
        assert silent(wrong) == ["the file", "test_silent"]
    assert silent('"""A file."""\ndef test_a():\n    """"""\n') == ["test_a"]


def test_every_test_says_what_must_be_true():
    """A docstring in each test, and in the file."""
    for module, path in TESTS.items():
        if module.rpartition(".")[2].startswith("test_"):
            assert silent(path.read_text(encoding="utf-8")) == [], module


# They put stand-ins for hardware libraries, and for a board's own modules, where Python looks for
# modules.
STANDS_IN = {
    "tests.drivers.benches",
    "tests.drivers.pins.test_box_program",
    "tests.drivers.readers.test_tower_program",
    "tests.base.test_later",
}
# Its loop's time is turned by hand: nothing waits. The drills' people wait so, too; the real ones
# wait for real processes.
OWN_TIME = {
    "tests.support",
    "tests.drill.test_world",
    "tests.calling.test_faults",
    "tests.calling.test_preparing_table",
    *DRILLS,
}


def waits_or_mocks(nodes: Iterable[ast.AST]) -> list[str]:  # noqa: C901 - a case for each
    """What a test may not do, as often as it does it."""
    found = []
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="time"), attr="sleep")):
                found.append("time.sleep")
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="asyncio"), attr="sleep"),
                args=[ast.Constant(value=0)],
            ):
                pass  # lets others run; waits for nothing
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="asyncio" | "trio" | "anyio"), attr="sleep")
            ):
                found.append("asyncio.sleep")
            case ast.ImportFrom(module="time", names=names) if any(
                alias.name == "sleep" for alias in names
            ):
                found.append("time.sleep")
            case ast.ImportFrom(module="unittest") | ast.ImportFrom(module="unittest.mock"):
                found.append("unittest.mock")
            case ast.Import(names=names) if any(
                alias.name.split(".")[0] in ("unittest", "mock") for alias in names
            ):
                found.append("unittest.mock")
            case ast.Name(id="MagicMock" | "Mock" | "AsyncMock"):
                found.append("a mock")
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id="sys"), attr="modules"),
                ctx=ast.Store() | ast.Del(),
            ):
                found.append("sys.modules")
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Attribute(value=ast.Name(id="sys"), attr="modules"), attr=name
                )
            ):
                found += ["sys.modules"] * (name in ("update", "pop", "setdefault", "clear"))
            case ast.Call(
                func=ast.Attribute(attr="setitem" | "delitem"),
                args=[ast.Attribute(attr="modules"), *_],
            ):
                found.append("sys.modules")
    return found


def test_tests_neither_sleep_nor_mock():
    """Time is injected and waits have a limit; fakes have hands and memory; `sys.modules` is theirs
    who stand in for hardware, or try how modules are loaded."""
    for module, path in TESTS.items():
        allowed = {
            what
            for what, where in (("sys.modules", STANDS_IN), ("asyncio.sleep", OWN_TIME))
            if module in where
        }
        # What names none of these need not be parsed.
        if re.search(r"sleep|mock|Mock|modules", path.read_text(encoding="utf-8")):
            assert [what for what in waits_or_mocks(nodes(path)) if what not in allowed] == [], (
                module
            )


TEXTS = [
    path
    for path in bundle.project_files(PROJECT)
    if path.suffix not in (".png", ".ogg", ".whl", ".ttf", ".lock", ".npz")
]


def test_no_file_knows_the_machine_it_was_written_on():
    """No folder of a person or of a workshop, and nothing outside the project."""
    # Put together here, so that this file does not hold them.
    words = "/wor" + "k/", "../" + "shared", "bash" + "_jobs", "/ro" + "ot/"
    foreign = re.compile(
        rf"(?<![\w.-]){words[0]}|{re.escape(words[1])}|{words[2]}|(?<![\w`/]){words[3]}"
    )
    found = []
    for path in TEXTS:
        text = path.read_text(encoding="utf-8", errors="replace")
        # A plain word is found far sooner than a pattern is tried at each letter.
        if any(word in text for word in words):
            found += [
                f"{path.relative_to(PROJECT)}:{number}: {line.strip()[:80]}"
                for number, line in enumerate(text.splitlines(), 1)
                if foreign.search(line)
            ]
    assert found == []


def test_the_version_is_one():
    """It stands in the program alone: what is built, and what a paper shows, is read from there."""
    with (PROJECT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)
    assert project["project"]["dynamic"] == ["version"]
    assert "version" not in project["project"]
    assert project["tool"]["hatch"]["version"]["path"] == "station/__init__.py"
    assert bundle.version_in(PROJECT) == __version__


# -- the command line ------------------------------------------------------------------------------

ROOT = typer.main.get_command(app)


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command and group below one, by the words that call it."""
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        if not inner.hidden:
            yield from commands(inner, (*path, name))


COMMAND_LIST = [*commands(ROOT)]


def parse_line(line: str) -> None:
    """Parses a command line as `loto` would, running nothing. Raises the library's own error for a
    wrong one."""
    words = shlex.split(line.partition(" || ")[0], comments=True)
    assert words[0] in ("loto", "./loto")
    command, context, rest = ROOT, None, words[1:]
    while True:
        context = command.make_context(words[0], list(rest), parent=context)
        if not hasattr(command, "resolve_command"):
            return
        rest = [*getattr(context, "_protected_args", ()), *context.args]
        if not rest and command.invoke_without_command:
            return
        _, command, rest = command.resolve_command(context, rest)


def examples(text: str) -> list[str]:
    """The command lines of a help text, without the remark that stands behind two spaces."""
    return [
        re.split(r" {2,}", line.strip().removeprefix("Example: "))[0]
        for line in text.splitlines()
        if "Example: " in line
    ]


@pytest.mark.parametrize(
    ("path", "command"), COMMAND_LIST, ids=[" ".join(path) or "loto" for path, _ in COMMAND_LIST]
)
def test_every_command_is_explained_by_an_example(path, command):
    """A help text, in it an example of this very command, and the example can be typed."""
    assert command.help, f"loto {' '.join(path)} has no help"
    if not hasattr(command, "commands"):
        shown = examples(command.help)
        assert shown, f"loto {' '.join(path)}: its help has no example"
        for line in shown:
            assert line.startswith(" ".join(("loto", *path))), line
            parse_line(line)


def readme_lines() -> list[str]:
    """The command lines of the README's `sh` blocks."""
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^ *```sh[a-z ]*\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    parts = [part.strip().removeprefix("sudo ") for line in lines for part in line.split("&&")]
    return [part for part in parts if part.startswith("./loto")]


def test_the_readme_begins_with_two_commands():
    """Run and test are shown, first of all."""
    assert readme_lines()[:2] == ["./loto run", "./loto test"]


@pytest.mark.parametrize("line", readme_lines())
def test_every_command_of_the_readme_can_be_typed(line):
    """The command exists and takes these words."""
    parse_line(line)


def document_lines() -> list[tuple[str, str]]:
    """The command lines in the documents' code blocks, each with its document; a remark stands
    behind two spaces."""
    found = []
    for path in (path for path in TEXTS if path.suffix == ".md" and path.name != "CHANGELOG.md"):
        for block in re.findall(
            r"^ *```[a-z ]*\n(.*?)^ *```",
            path.read_text(encoding="utf-8"),
            re.MULTILINE | re.DOTALL,
        ):
            lines = [
                line.strip().removeprefix("$ ").removeprefix("sudo ") for line in block.splitlines()
            ]
            name = path.relative_to(PROJECT).as_posix()
            found += [
                (name, re.split(r" {2,}", line)[0])
                for line in lines
                if line.startswith(("loto ", "./loto "))
            ]
    return found


@pytest.mark.parametrize("document", sorted({name for name, _ in document_lines()}))
def test_every_command_of_the_documents_can_be_typed(document):
    """As for the README: the commands exist and take these words."""
    for name, line in document_lines():
        if name == document:
            parse_line(line)


@pytest.mark.parametrize(
    "line", ["loto fly", "loto run --wings", "loto pack fly", "loto do", "loto run --games 0"]
)
def test_a_wrong_line_would_be_found(line):
    """The check above is one: unknown commands, options and missing words do not pass it."""
    with pytest.raises(Exception, match=r"(?i)no such|missing|range|greater than"):
        parse_line(line)


def test_every_word_of_the_programs_texts_that_names_a_command_is_one():
    """`./loto …` in any sentence of the program, in the documents too, is a command that there
    is."""
    known = {path for path, _ in COMMAND_LIST} | {("--help",), ("--version",)}
    wrong = []
    for path in TEXTS:
        if (
            path.suffix in (".py", ".md", ".toml", ".html", ".js", ".service")
            and "tests" not in path.parts
        ):
            for words in re.findall(
                r"\./loto ((?:[a-z-]+ ?){1,2})", path.read_text(encoding="utf-8")
            ):
                first, *second = words.split()
                group = any(
                    known_path[:1] == (first,) and len(known_path) == 2 for known_path in known
                )
                # an option of the group's own is no command
                inner = bool(second) and not second[0].startswith("-")
                if (first,) not in known or (group and inner and (first, second[0]) not in known):
                    wrong.append(f"{path.relative_to(PROJECT)}: ./loto {words}")
    assert wrong == []


# -- games -----------------------------------------------------------------------------------------

GAME_FOLDERS = {path.parent.name for path in (PROJECT / "station").glob("games/*/__init__.py")}


def asks_for_a_game(node: ast.AST) -> bool:
    """Whether a line compares a method, matches on it, or looks it up anywhere but in the plays."""
    match node:
        case ast.Compare():
            asked = [node.left, *node.comparators]
        case ast.Match():
            asked = [node.subject]
        case ast.Subscript(value=value, slice=asked_for):
            asked = [] if isinstance(value, ast.Name) and value.id == "GAMES" else [asked_for]
        case _:
            asked = []
    return any(isinstance(one, ast.Attribute) and one.attr == "method" for one in asked)


def knows_games(source: Sequence[ast.AST]) -> Iterator[str]:
    """What a module, given by its nodes, knows of one game among the others."""
    # The texts that stand alone: what is said of a thing, with examples.
    told = {node.value for node in source if isinstance(node, ast.Expr)}
    for node in source:
        if isinstance(node, ast.Constant) and node not in told:
            yield f"line {node.lineno} names {node.value}"
        elif isinstance(node, ast.ImportFrom | ast.Import):
            names = [alias.name for alias in node.names]
            parts = {part for name in names for part in name.split(".")}
            parts |= {*(getattr(node, "module", None) or "").split(".")}
            if parts & GAME_FOLDERS:
                yield f"line {node.lineno} imports {', '.join(sorted(parts & GAME_FOLDERS))}"
        elif asks_for_a_game(node):
            yield f"line {getattr(node, 'lineno', 0)} asks which game is played"


def test_nobody_knows_a_game_but_itself():
    """No module outside the games imports a game's folder, holds a game's name, or asks which one
    is played: all there is of a game comes through its play."""
    assert {"loto_first", "loto_second", "keno"} <= GAME_FOLDERS
    found = {
        name: known
        for name, path in CODE.items()
        if not re.match(r"station\.games\b", name) and (known := [*knows_games(nodes(path))])
    }
    assert not found, "\n".join(f"{name}: {'; '.join(known)}" for name, known in found.items())


@pytest.mark.parametrize(
    "line",
    [
        "from station.games.loto_first.state import State",
        "from station.games import keno",
        "import station.games.loto_second.box",
        'x = {"loto-first": 1}',
        "y = game.method == z",
        "y = VIEWS[game.method]",
        "match game.method:\n    case _: pass",
    ],
)
def test_who_knows_a_game_is_found(line):
    """Each way in which a module could know one."""
    assert [*knows_games([*looked_at(ast.parse(line))])]
    fine = ast.parse('"""Of loto-first."""\nx = GAMES[game.method].title')
    assert not [*knows_games([*looked_at(fine)])]
