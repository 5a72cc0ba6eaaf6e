"""A record that has a night of practice, as stations made them until games were played alone beside
the night, still verifies, and is read like any other."""

from __future__ import annotations

import shutil
from pathlib import Path

from typer.testing import CliRunner

from station.commands.app import app
from station.record.audit import verify

OLD = Path(__file__).parent / "practice_night"


def test_a_night_of_practice_is_verified_and_read(tmp_path: Path) -> None:
    """Its lines, its signatures, and the report with its game and players."""
    shutil.copytree(OLD, tmp_path / "test")
    nights = verify(tmp_path / "test")
    assert [night.unsigned for night in nights] == [0, 0]
    told = CliRunner().invoke(app, ["report", "--state", str(tmp_path), "--night", "2"])
    assert told.exit_code == 0, told.output
    assert "Spoil-Five" in told.output
    assert "Bruno" in told.output
