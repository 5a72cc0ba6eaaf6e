"""What `./loto test` does: style, format, layers, types, every test that does not take long, a part
of each drill; how long each took, what was left out.

Groups that need more than Python are pytest markers; `tests/conftest.py` says for each the one line
that enables it.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePath

import typer

from station.base.errors import EXIT_DONE, EXIT_NO, Unreadable

PROJECT = Path(__file__).resolve().parents[1]
CHECKS = {
    "style": ["-m", "ruff", "check", "."],
    "format": ["-m", "ruff", "format", "--check", "."],
    "layers": [
        "-c",
        "from importlinter.cli import lint_imports_command; lint_imports_command()",
        "--no-logo",
    ],
    "types": ["-m", "mypy"],
}
# Each worker has a third of the tests, so that a module's fixtures are built once; the first to
# finish helps the others. Three share two cores: whole evenings and drills wait more than they
# compute.
# What makes requests from a schema has a plugin that loads half a second; it is called by name.
TESTS = ["-m", "pytest", "-p", "no:schemathesis", "-n", "3", "--dist", "worksteal"]
# Markers that have a command of their own, which CI runs before all else: `./loto test root` makes
# whole machines, with a network and from nothing; `./loto test long` plays whole evenings, on
# browsers and in real time, and whatever else takes seconds a test.
OWN = {"root": ["-m", "root"], "long": ["-m", "long and not root"]}
AT_HOME = ["-m", "not root and not long"]
# After the tests, with nothing else running: these measure seconds.
DRILLS = {"drills": ["-m", "station", "drill", "--quick"]}

# The rooms at the bottom of the house, and its texts: their faults show everywhere.
FAST_ROOMS = (
    "base",
    "proof",
    "rules",
    "games",
    "cards",
    "programme",
    "people",
    "night",
    "views",
    "wire",
)
# The habits of the whole house, and what translations lack.
FAST_FILES = ("tests/test_*.py", "tests/commands/test_words.py")
# Without what is marked as long, and with few examples of each property.
FAST = ["-m", "not long", "--hypothesis-profile=few"]
# Of those a file's tests stay together: the habits read every module once, not once in each worker.
BY_FILE = ["-n", "2", "--dist", "loadfile"]
# Without its cache mypy alone takes longer than all fast tests.
SLOW_CHECKS = {"types"}


def run(argv: Sequence[str], *, fast: bool = False, no_skip: bool = False) -> int:
    """Run the checks and the tests; 0 when all of them passed. Where a check fails, nothing is run
    after the checks.

    Args:
        argv: as for `parts`.
        fast: as for `parts`.
        no_skip: makes any skipped test a failure, as `CI=true` in the environment does.
    """
    environ = {**os.environ, "CI": "true"} if no_skip else dict(os.environ)
    todo = parts(argv, fast=fast)
    checks = [name for name in todo if name in CHECKS]
    with ThreadPoolExecutor(max_workers=len(CHECKS)) as side_by_side:
        found = side_by_side.map(
            lambda name: timed(name, todo[name], environ, at_once=True), checks
        )
        outcomes = dict(zip(checks, found, strict=True))
    if not any(code for code, _ in outcomes.values()):
        for name in [name for name in todo if name not in outcomes]:
            outcomes[name] = timed(name, todo[name], environ)
    typer.echo()
    for name in todo:
        code, taken = outcomes.get(name, (None, 0.0))
        typer.echo(
            f"{name:8}not run"
            if code is None
            else f"{name:8}{'passed' if code == 0 else 'FAILED'}{taken:8.1f} s"
        )
    return EXIT_NO if any(code for code, _ in outcomes.values()) else EXIT_DONE


def parts(argv: Sequence[str], *, fast: bool = False) -> dict[str, list[str]]:
    """Return what is to be run, in its order: each part's name, and the words for Python.

    Args:
        argv: first `root` or `long`, the rooms whose tests are wanted, or both; then what goes to
            pytest as it is. With any of them no checks are run.
        fast: the checks that take seconds, and of the tests those of the rooms at the bottom of the
            house; with rooms, theirs. What is marked as `long` is left out.

    Raises:
        Unreadable: there is no such room.
    """
    words = list(argv)
    marked, where = list[str](), list[str]()
    while words and not words[0].startswith("-"):
        name = words.pop(0)
        if name in OWN:
            marked = OWN[name]
        else:
            where += places(name)
    quick = [*BY_FILE, *FAST] if fast else []
    if marked or where or words:
        return {"tests": [*TESTS, *quick, *marked, *where, *words]}
    if fast:
        files = [
            str(path.relative_to(PROJECT))
            for wanted in FAST_FILES
            for path in sorted(PROJECT.glob(wanted))
        ]
        folders = [place for room in FAST_ROOMS for place in places(room)]
        checks = {name: command for name, command in CHECKS.items() if name not in SLOW_CHECKS}
        return checks | {"tests": [*TESTS, *quick, *files, *folders]}
    return CHECKS | {"tests": [*TESTS, *AT_HOME]} | DRILLS


def places(name: str) -> list[str]:
    """Return where the tests of a room stand, and its doctests; a folder without tests has those of
    the room around it.

    Args:
        name: a room or a folder in it, `rules` or `screens/screen`; or a path from the project,
            as pytest takes it.

    Raises:
        Unreadable: there is neither.
    """
    folder = PurePath(name)
    code = [
        str(place)
        for place in (PurePath("station") / folder, folder)
        if (PROJECT / place / "__init__.py").is_file()
    ]
    tests = [
        str("tests" / near)
        for near in (folder, *folder.parents[:-1])
        if any((PROJECT / "tests" / near).rglob("test_*.py"))
    ]
    if code or (tests and tests[0] == str("tests" / folder)):
        return [*tests[:1], *code]
    if (PROJECT / name.partition("::")[0]).exists():
        return [name]
    known = sorted(
        {path.relative_to(PROJECT).parts[1] for path in (PROJECT / "tests").rglob("*/test_*.py")}
    )
    raise Unreadable(
        f"No tests stand in {name!r}. They stand in {', '.join(known)}, in folders of those"
        " (screens/screen), and in files."
    )


def timed(
    name: str, command: Sequence[str], environ: Mapping[str, str], *, at_once: bool = False
) -> tuple[int, float]:
    """Run one part with its output visible; return its exit code and the seconds it took.

    Args:
        name: what it is called.
        command: the words for Python.
        environ: the environment it gets.
        at_once: show the output when it has ended, since others run beside it.
    """
    said = f"\n{name}: {shlex.join(command[1:] if command[0] == '-m' else command)}\n"
    began = time.monotonic()
    if not at_once:
        typer.echo(said, nl=False)
    done = subprocess.run(
        [sys.executable, *command],
        cwd=PROJECT,
        env=environ,
        check=False,
        text=True,
        stdout=subprocess.PIPE if at_once else None,
        stderr=subprocess.STDOUT if at_once else None,
    )
    if at_once:
        typer.echo(said + done.stdout, nl=False)
    return done.returncode, time.monotonic() - began
