"""A slice of the drill of the devices, and proof that it would notice."""

from __future__ import annotations

import pytest

from drivers.pins.button import Contact
from drivers.simulated.board import RecordingBus
from station.calling.desk import Desk
from tests.drill import live_devices as devices
from tests.drill.rig import DrillFailed


@pytest.mark.long
def test_devices_fail_while_numbers_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fault comes and goes, one number is called in each, once; the journal has both ends of
    every fault."""
    monkeypatch.setattr(devices, "ROUNDS", 4)
    assert devices.check(3, 0) == 4


@pytest.mark.long
def test_a_board_that_stays_dark_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that does not come back fails the drill, which says in which round of which seed."""
    monkeypatch.setattr(devices, "FAULTS", ("matrix",))
    monkeypatch.setattr(devices, "LIMIT_S", 2.0)
    monkeypatch.setattr(RecordingBus, "heal", lambda self: None)
    with pytest.raises(DrillFailed, match="round 1, matrix: it did not come back"):
        devices.check(5, 0)


@pytest.mark.long
def test_a_fault_that_is_not_recorded_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The amber sign alone is not enough: what failed when stands in the journal."""
    monkeypatch.setattr(devices, "FAULTS", ("matrix",))
    monkeypatch.setattr(devices, "ROUNDS", 1)
    monkeypatch.setattr(Desk, "_note", lambda self, about, what: None)
    with pytest.raises(DrillFailed, match="the matrix failed 1 times, the journal has"):
        devices.check(1, 0)


@pytest.mark.long
def test_a_press_that_is_invented_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who held his buzzer while the box was plugged in has not pressed it."""
    monkeypatch.setattr(devices, "FAULTS", (devices.BOX,))
    monkeypatch.setattr(devices, "ROUNDS", 2)
    # Not the judge's own start: a box that is out before it was first heard is started by its first
    # frame.
    monkeypatch.setattr(Contact, "start", Contact.edge)
    with pytest.raises(DrillFailed, match=r"the buzzer 4 was pressed 2 times, heard were .*3"):
        devices.check(1, 0)


def test_a_call_that_is_lost_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number whose announcement came and whose line is gone is named."""
    monkeypatch.setattr(devices, "FAULTS", ("glitch",))
    monkeypatch.setattr(devices, "ROUNDS", 1)
    whole = devices.journal_lines
    monkeypatch.setattr(devices, "journal_lines", lambda path: whole(path)[:-1])
    with pytest.raises(DrillFailed, match=r"were called, the journal has \[\]"):
        devices.check(1, 0)
