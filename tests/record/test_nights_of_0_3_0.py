"""The nights that 0.3.0 wrote (`tests/record/record_nights.py`) are read, verified and played again
by every later version."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from station.commands.app import app
from station.record import audit
from station.record.nights import resume
from station.record.station_key import public_key
from tests.support import STATION_KEY

RECORDED = Path(__file__).parent / "nights_of_0_3_0"
# The heads as `loto journal verify` printed them then.
HEADS = (
    (31, "f850b5cd23a69d57d4f5187804c68960ab1b4459fd70649abf571284fa60c330"),
    (69, "54350b40f5bd4ba09c92bd0e3fb42d215ee6121e5fcb81540c61e51212777498"),
    (28, "8414eefcf895f2cfdaee2dd914a4566fec04361a6e733c2b83092a1ff15d192e"),
)


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    return Path(shutil.copytree(RECORDED, tmp_path / "state"))


def test_they_are_whole(recorded: Path) -> None:
    """Each has the head of then, and is signed by the key of then."""
    found = audit.verify(recorded)
    assert tuple((night.lines, night.head.root) for night in found) == HEADS
    assert {night.key for night in found} == {public_key(STATION_KEY)}


def test_they_are_played_again_to_the_same_end(recorded: Path) -> None:
    """The rules of every later version lead to the same states."""
    assert [differs for _, _, differs in audit.replay_all(recorded)] == ["", "", ""]


def test_the_open_one_goes_on(recorded: Path) -> None:
    """A later version takes it up where it stopped."""
    night = resume(recorded / "nights" / "0003", STATION_KEY)
    night.journal.close()
    assert (night.journal.head.seq, night.hall.game_open) == (HEADS[-1][0], True)


@pytest.mark.parametrize("night", ["1", "2", "3"])
def test_they_are_reported(recorded: Path, night: str) -> None:
    """The report of each is printed with its head."""
    seq, root = HEADS[int(night) - 1]
    told = CliRunner().invoke(app, ["report", "--state", str(recorded), "--real", "--night", night])
    assert told.exit_code == 0, told.output
    assert f"000{night}:{seq}:{root}" in "".join(told.output.split())
