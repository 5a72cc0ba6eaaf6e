"""A command holds its environment: no set-up changes the libraries of a station that runs."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
HOLDS = """
import sys
from pathlib import Path
from station.base.addresses import hold_environment
hold_environment(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_process_holds_its_environment_until_it_ends(tmp_path: Path) -> None:
    """Others may hold it too; nobody takes it alone before the last one has ended."""
    command = [sys.executable, "-c", HOLDS, str(tmp_path)]
    folder = os.open(tmp_path, os.O_RDONLY)
    with subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        fcntl.flock(folder, fcntl.LOCK_SH | fcntl.LOCK_NB)
        with pytest.raises(BlockingIOError):
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        process.communicate()
    fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(folder)


def test_a_folder_that_is_not_there_is_no_fault(tmp_path: Path) -> None:
    """A program that was not set up here starts all the same."""
    command = [sys.executable, "-c", HOLDS, str(tmp_path / "none")]
    done = subprocess.run(
        command, cwd=PROJECT, capture_output=True, text=True, input="", check=True
    )
    assert done.stdout == "held\n"
