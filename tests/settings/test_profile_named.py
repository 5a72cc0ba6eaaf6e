"""The hardware profile is named by a word, a variable or the settings file: set-up and station hear
the same."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from station.commands.app import app

PROJECT = Path(__file__).parents[2]
prepare: dict[str, Any] = runpy.run_path(str(PROJECT / "setup" / "prepare.py"))


def shown(*words: str, **variables: str) -> bool:
    """Whether the settings in force are simulated, as the command line shows them."""
    done = CliRunner(env=variables).invoke(app, ["config", "show", *words])
    assert done.exit_code == 0, done.output
    return '"simulated": true' in done.stdout


@pytest.mark.parametrize(
    ("words", "variable", "written", "hardware"),
    [
        ([], "", "", False),
        ([], "", "rfid", True),
        ([], "", "simulated", False),
        ([], "hall", "", True),
        ([], "simulated", "rfid", False),
        (["--profile", "button"], "simulated", "simulated", True),
        (["--profile=simulated"], "hall", "rfid", False),
    ],
)
def test_set_up_and_station_agree_on_the_profile(
    tmp_path: Path, words: list[str], variable: str, written: str, hardware: bool
) -> None:
    """A word outweighs the variable, the variable the file; what set-up prepares for is what the
    station then runs with."""
    file = tmp_path / "station.toml"
    file.write_text(f'profile = "{written}"\n' if written else "")
    words = [*words, "--config", str(file)]
    variables = {"LOTO_PROFILE": variable} if variable else {}
    assert prepare["need_of"](["run", *words], variables).debian is hardware
    assert shown(*words, **variables) is not hardware


@pytest.mark.parametrize("text", ["profile = ", "profile = 3", "\xff", None])
def test_a_settings_file_that_cannot_be_read_is_not_set_ups_affair(
    tmp_path: Path, text: str | None
) -> None:
    """Set-up goes on as without one: what is wrong with the file, the station itself says."""
    file = tmp_path / "station.toml"
    if text is not None:
        file.write_bytes(text.encode("latin-1"))
    assert prepare["profile_in"](file) == ""
