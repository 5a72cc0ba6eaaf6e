"""The wheel: the three packages and the unit files, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from station.machine import bundle

PROJECT = bundle.PROJECT


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The files in a wheel built from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("loto_station-*-py3-none-any.whl")
    return set(zipfile.ZipFile(wheel).namelist())


def below(*folders: str) -> set[str]:
    """The project's files in some of its folders."""
    files = (path.relative_to(PROJECT) for path in bundle.project_files(PROJECT))
    return {path.as_posix() for path in files if path.parts[0] in folders}


@pytest.mark.long
def test_it_holds_every_file_of_the_three_packages(names: set[str]) -> None:
    """Code and data of station, drivers and hw are all in it, and no other file."""
    packed = {
        name for name in names if ".dist-info/" not in name and not name.startswith("hw/systemd/")
    }
    assert packed == below("station", "drivers", "hw")


def test_it_holds_the_unit_files(names: set[str]) -> None:
    """What stands in systemd/ is found as hw/systemd/ in the wheel."""
    units = below("systemd")
    assert units
    assert {name for name in names if name.startswith("hw/systemd/")} == {
        f"hw/{unit}" for unit in units
    }


def test_its_particulars_name_the_command_and_the_licence(names: set[str]) -> None:
    """Beside the packages there is one dist-info with the entry point and the licence."""
    particulars = {Path(name).name for name in names if ".dist-info/" in name}
    assert {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "LICENSE"} == particulars
