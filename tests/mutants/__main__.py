"""`python -m tests.mutants [ROOM or number …]`: put each fault of the table into a copy of the
project and run its room's own tests there, first the fast ones; say which of them found it.

A room whose tests fail without any fault stops everything: nothing would be known there. The exit
code is 1 where a fault survived.
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

import typer

from station.commands.test import FAST, TESTS, places
from station.machine.bundle import project_files
from tests.mutants import PROJECT, Mutant, table

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


def found_by(copy: Path, room: str, options: Sequence[str]) -> str:
    """Return the first test of a room that fails in the copy; nothing where all of them pass."""
    done = subprocess.run(
        [*PYTEST, *options, *places(room)],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    if not done.returncode:
        return ""
    return next(iter(FAILED.findall(done.stdout)), done.stdout[-500:] + done.stderr[-500:])


def tried(copy: Path, mutant: Mutant) -> tuple[str, str]:
    """Return when a fault was found (`fast`, `room`), and by which test; empty where it was not."""
    path = copy / mutant.file
    text, was = path.read_text(encoding="utf-8"), path.stat()
    path.write_text(mutant.mutated(text), encoding="utf-8")
    # Python takes a file of the same size and second for the one whose bytecode it has.
    os.utime(path, (was.st_atime, was.st_mtime + 10 + len(mutant.so)))
    try:
        for when, options in (("fast", FAST), ("room", ())):
            if test := found_by(copy, mutant.room, options):
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
        copy, sound = copied(Path(folder)), set[str]()
        for number, mutant in chosen:
            if mutant.room not in sound:
                if test := found_by(copy, mutant.room, FAST):
                    typer.echo(f"{mutant.room}: fails without any fault: {test}")
                    return 2
                sound.add(mutant.room)
            began = time.monotonic()
            when, test = tried(copy, mutant)
            survived += not when
            typer.echo(
                f"{number:3} {mutant.room:11}{when or 'SURVIVED':9}"
                f"{time.monotonic() - began:6.1f} s  {test or mutant.so}",
            )
    typer.echo(f"{len(chosen) - survived} of {len(chosen)} were found")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
