"""A device that cannot be used is a sign on the board; the others are opened, and the game goes
on."""

from __future__ import annotations

import pytest

import drivers
from drivers import BadOption, DeviceLost, Event
from station.core.devices import Devices
from tests.support import run_by_hand, settle


def test_a_driver_without_its_library_is_a_lost_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library is named, nothing is raised, and what would go to that device goes nowhere."""
    monkeypatch.setitem(
        drivers.DRIVERS, "matrix", ("drivers.matrix_of_a_library_that_is_not_there", "Matrix")
    )

    async def work() -> None:
        events: list[Event] = []
        devices = Devices(events.append, lambda _: None)
        devices.open("matrix", {"driver": "matrix"})
        await settle()
        (lost,) = events
        assert isinstance(lost, DeviceLost)
        assert lost.device == "matrix"
        assert "matrix_of_a_library_that_is_not_there" in lost.reason
        devices.light((None,) * 10, 1)
        devices.close()

    run_by_hand(work())


def test_an_option_that_no_driver_has_is_a_fault_of_the_settings() -> None:
    """It cannot mend itself, so it is not shown as a lost device."""

    async def work() -> None:
        devices = Devices(lambda _: None, lambda _: None)
        with pytest.raises(BadOption, match="colour"):
            devices.open("matrix", {"driver": "matrix", "colour": "red"})
        devices.close()

    run_by_hand(work())
