"""`python -m tests.mutants [ROOM or number …]`: put each fault of the table into a copy of the
project and run its room's own tests there, first the fast ones; say which of them found it.

The test that fails must pass without the fault. The exit code is 1 where a fault survived.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
import typer

from station.machine.bundle import project_files
from tests.mutants import PROJECT, Mutant, table
from tests.running import FAST, TESTS, places

# One after the other, up to the first that fails.
PYTEST = [sys.executable, *TESTS[:2], "-q", "-x", "-p", "no:xdist", "-p", "no:cacheprovider"]
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", re.MULTILINE)


def copied(folder: Path) -> Path:
    """Return a copy of the project, as far as git knows it, in this folder."""
    for path in project_files(PROJECT):
        target = folder / path.relative_to(PROJECT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    # The habits of the house read what git lists.
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    subprocess.run(["git", "-C", folder, "add", "--all"], check=True)
    return folder


def near(mutant: Mutant) -> list[str]:
    """Return the room's files of tests that name the module: they find most faults, and soon."""
    module = mutant.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    room, _, name = module.rpartition(".")
    named = re.compile(rf"{re.escape(module)}\b|from {re.escape(room)} import .*\b{name}\b")
    return [
        str(path.relative_to(PROJECT))
        for path in sorted((PROJECT / "tests" / (mutant.by or mutant.room)).rglob("test_*.py"))
        if named.search(path.read_text(encoding="utf-8"))
    ]


def found_by(copy: Path, options: Sequence[str], where: Sequence[str]) -> str:
    """Return the first of these tests that fails in the copy; nothing where all of them pass."""
    if not where:
        return ""
    done = subprocess.run(
        [*PYTEST, *options, *where],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return ""
    if done.returncode == pytest.ExitCode.USAGE_ERROR:
        raise RuntimeError(f"pytest does not take these options: {done.stderr[-500:]}")
    return next(iter(FAILED.findall(done.stdout)), done.stdout[-500:] + done.stderr[-500:])


def tried(copy: Path, mutant: Mutant) -> tuple[str, str]:
    """Return when a fault was found (`fast`, `room`), and by which test; empty where it was not."""
    path = copy / mutant.file
    text, was = path.read_text(encoding="utf-8"), path.stat()
    path.write_text(mutant.mutated(text), encoding="utf-8")
    # Python takes a file of the same size and second for the one whose bytecode it has.
    os.utime(path, (was.st_atime, was.st_mtime + 10 + len(mutant.so)))
    try:
        room = places(mutant.by or mutant.room)
        for when, options, where in (
            ("fast", FAST, near(mutant)),
            ("fast", FAST, room),
            ("room", (), room),
        ):
            if test := found_by(copy, options, where):
                return when, test
    finally:
        path.write_text(text, encoding="utf-8")
        os.utime(path, (was.st_atime, was.st_mtime))
    return "", ""


def main(words: Sequence[str]) -> int:
    """Try the faults of the rooms or numbers that are named, or all; return the exit code."""
    chosen = [
        (number, mutant)
        for number, mutant in enumerate(table(), 1)
        if not words or mutant.room in words or str(number) in words
    ]
    survived = 0
    with tempfile.TemporaryDirectory(prefix="loto-mutants-") as folder:
        copy = copied(Path(folder))
        for number, mutant in chosen:
            began = time.monotonic()
            when, test = tried(copy, mutant)
            # What fails without the fault, too, has found nothing.
            if test and found_by(copy, (), [test.partition("[")[0]]):
                when = ""
            survived += not when
            typer.echo(
                f"{number:3} {mutant.room:11}{when or 'SURVIVED':9}"
                f"{time.monotonic() - began:6.1f} s  {test or mutant.so}"
            )
    typer.echo(f"{len(chosen) - survived} of {len(chosen)} were found")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
