"""Proof that the drill of the straits would notice; two of them are done here, all by `loto drill
--only straits`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.drill import straits
from tests.drill.rig import SPIN, DrillFailed

# Stations that are built wrong: one that asks whether its file is there of nobody, one that takes a
# write that fails for done.
BLIND = """
from station.base.disk import Disk
Disk.stands = lambda self, descriptor, path: True
"""
SHRUGGING = """
from station.base.disk import Disk
def write(self, descriptor, data, write=Disk.write):
    try:
        return write(self, descriptor, data)
    except OSError:
        return len(data)
Disk.write, Disk.sync = write, lambda self, descriptor: None
"""


def case_of(name: str) -> int:
    return straits.straits().index(name)


@pytest.mark.long
@pytest.mark.parametrize("name", ["locked", "moved"])
def test_a_strait_is_passed(name: str) -> None:
    """The disk locked by the kernel, and the state folder moved away: it halts, and all that was
    acknowledged is there again."""
    assert straits.check(4, case_of(name)) == 1


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "mutant"), [("moved", BLIND), ("removed", BLIND), ("locked", SHRUGGING)]
)
def test_a_faulty_station_is_found_out(
    name: str, mutant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that goes on calling where nothing is recorded any more."""
    monkeypatch.setattr("tests.drill.rig.SPIN", SPIN + mutant)
    with pytest.raises(DrillFailed, match=f"{name}: .* was answered .*'ok'") as caught:
        straits.check(4, case_of(name))
    kept = Path(str(caught.value).rpartition(": ")[2])
    shutil.rmtree(kept, ignore_errors=True)
