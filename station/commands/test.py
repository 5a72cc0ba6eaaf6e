"""What `./loto test` does: style, format, layers, types, every test, a part of each drill; how long each took, what was left out.

Groups that need more than Python are pytest markers; `tests/conftest.py` says for each the one line that enables it.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import typer

from station.base.errors import EXIT_DONE, EXIT_NO, EXIT_USAGE

PROJECT = Path(__file__).resolve().parents[2]
CHECKS = {
    "style": ["-m", "ruff", "check", "."],
    "format": ["-m", "ruff", "format", "--check", "."],
    "layers": ["-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-logo", "--no-cache"],
    "types": ["-m", "mypy"],
}
# Each worker has one half of the tests, so that what a module builds is built once; who is done first helps the other.
TESTS = ["-m", "pytest", "-n", "2", "--dist", "worksteal"]
# After the tests, alone on the machine: seconds are measured there.
DRILLS = {"drills": ["-m", "station", "drill", "--quick"]}


def run(argv: Sequence[str]) -> int:
    """Run the checks and the tests; 0 when all of them passed.

    Args:
        argv: `--no-skip` makes any skipped test a failure, as `CI=true` in the environment does; anything else goes to pytest,
            and then the tests alone are run (`./loto test -k journal`).
    """
    if not (PROJECT / "tests").is_dir():
        typer.echo(f"The tests come with the checkout, and {PROJECT} is not one.", err=True)
        return EXIT_USAGE
    chosen = [word for word in argv if word != "--no-skip"]
    environ = {**os.environ, "CI": "true"} if "--no-skip" in argv else dict(os.environ)
    tests = {"tests": [*TESTS, *chosen]}
    parts = tests if chosen else CHECKS | tests | DRILLS
    outcomes = {name: timed(name, command, environ) for name, command in parts.items()}
    typer.echo()
    for name, (code, taken) in outcomes.items():
        typer.echo(f"{name:8}{'passed' if code == 0 else 'FAILED'}{taken:8.1f} s")
    return EXIT_NO if any(code for code, _ in outcomes.values()) else EXIT_DONE


def timed(name: str, command: Sequence[str], environ: Mapping[str, str]) -> tuple[int, float]:
    """Run one part where the person can read it; its exit code and the seconds it took."""
    typer.echo(f"\n{name}: {shlex.join(command[1:] if command[0] == '-m' else command)}")
    began = time.monotonic()
    code = subprocess.run([sys.executable, *command], cwd=PROJECT, env=environ, check=False).returncode
    return code, time.monotonic() - began


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
