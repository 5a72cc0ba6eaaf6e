"""How the station is, on the command line, at a running core."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from station.base.disk import Disk
from station.base.errors import EXIT_DEVICE, EXIT_DONE
from tests.commands.test_app import Loto, core_in_a_thread, loto

__all__ = ["loto"]


def test_a_station_without_a_fault(loto: Loto, tmp_path: Path) -> None:
    """A line for each thing, exit code 0; the same for programs."""
    with core_in_a_thread(tmp_path):
        shown = loto("health", "--state", tmp_path)
        told = loto("health", "--json", "--state", tmp_path)
    assert (shown.code, told.code) == (EXIT_DONE, EXIT_DONE), shown
    answer = json.loads(told.out)
    assert answer["good"]
    for item in answer["items"]:
        assert item["key"] in shown.out
    assert "none written since the start" in shown.out
    assert "FAULT" not in shown.out


def test_a_fault_is_an_exit_code(
    loto: Loto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that is locked: the line says what to do, and a program sees it by the code."""
    monkeypatch.setattr(Disk, "locked", lambda _disk, _folder: True)
    with core_in_a_thread(tmp_path):
        shown = loto("health", "--state", tmp_path)
        told = loto("health", "--json", "--state", tmp_path)
    assert (shown.code, told.code) == (EXIT_DEVICE, EXIT_DEVICE)
    assert "FAULT" in shown.out
    assert "it can only be read" in " ".join(shown.out.split())
    assert not json.loads(told.out)["good"]
