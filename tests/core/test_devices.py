"""A device that cannot be used is a sign on the board; the others are opened, and the game goes
on."""

from __future__ import annotations

import pytest

from drivers import BadOption, DeviceLost, Event, Light, making
from station.core.devices import Devices
from tests.support import run_by_hand, settle


def test_a_driver_without_its_library_is_a_lost_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library is named, nothing is raised, and what would go to that device goes nowhere."""
    monkeypatch.setitem(
        making.DRIVERS, "matrix", ("drivers.matrix_of_a_library_that_is_not_there", "Matrix")
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


def test_a_driver_that_fails_in_its_own_way_is_a_lost_device(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A driver of the hall's own raised what no driver should: the others go on, its name and its
    words are told."""

    class Own:
        running = False

        def open(self, deliver: object) -> None:
            raise PermissionError(13, "Permission denied", "/dev/i2c-1")

        def close(self) -> None:
            self.running = False

    async def work() -> None:
        events: list[Event] = []
        devices = Devices(events.append, lambda _: None, lambda _: Own())
        devices.open("matrix", {"driver": "hall:Own"})
        await settle()
        (lost,) = events
        assert isinstance(lost, DeviceLost)
        assert "the matrix does not start, by a fault of its driver" in lost.reason
        assert "/dev/i2c-1" in lost.reason
        devices.close()

    run_by_hand(work())


def test_lamps_of_two_drivers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each lamp is lit by the driver that has it; a name that none has is dark, and no fault."""

    class Lit:
        running = True

        def __init__(self) -> None:
            self.lit: list[tuple[str, Light]] = []

        def open(self, deliver: object) -> None:
            """Begins."""

        def close(self) -> None:
            """Ends."""

        def set(self, lamp: str, light: Light) -> None:
            self.lit.append((lamp, light))

    async def work() -> None:
        made = [Lit(), Lit()]
        left = iter(made)
        devices = Devices(lambda _: None, lambda _: None, lambda *_, **__: next(left))
        devices.open("lamps", {"driver": "lamps", "pins": {"draw": 23}})
        devices.open("expander-hall", {"driver": "expander", "lamps": {"beacon": "B0"}})
        devices.lamp("draw", Light.ON)
        devices.lamp("beacon", Light.BLINK)
        devices.lamp("fault", Light.ON)
        assert [one.lit for one in made] == [[("draw", Light.ON)], [("beacon", Light.BLINK)]]
        devices.close()

    run_by_hand(work())


FAULTS = (
    KeyError("x"),
    RuntimeError("a fault"),
    SystemExit("bye"),
    OSError(5, "broken"),
    TypeError(),
)
CALLS = {
    "matrix": ("show", lambda devices: devices.light((None,), 1)),
    "lamps": ("set", lambda devices: devices.lamp("draw", Light.ON)),
    "tv": ("power", lambda devices: devices.television(on=True)),
    "speech": ("say", lambda devices: devices.say(("stop",), 1)),
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
@pytest.mark.parametrize("device", CALLS)
def test_a_driver_that_fails_at_any_call_is_a_lost_device(
    device: str, fault: BaseException
) -> None:
    """Told once, however often it is asked; the core goes on, and closes."""

    def fails(*_: object, **__: object) -> None:
        raise fault

    methods = ("show", "message", "set", "power", "say", "volume", "named", "close")
    own = type(
        "Own", (), {"running": True, "open": lambda *_: None} | dict.fromkeys(methods, fails)
    )

    async def work() -> None:
        events: list[Event] = []
        devices = Devices(events.append, lambda _: None, lambda _, **__: own())
        devices.open(device, {"driver": "hall:Own", "pins": {"draw": 17}})
        for _ in range(3):
            assert not CALLS[device][1](devices)
        await settle()
        [lost] = events
        assert isinstance(lost, DeviceLost)
        assert lost.device == device
        assert "by a fault of its driver" in lost.reason
        devices.close()

    run_by_hand(work())


@pytest.mark.parametrize("lacks", ["close", "running", "show", "message"])
def test_a_driver_that_lacks_what_it_promises_does_not_start(lacks: str) -> None:
    """A sign says what it lacks, and nothing is asked of it."""
    methods = dict.fromkeys(("open", "close", "show", "message"), lambda *_: None)
    own = type("Own", (), {name: one for name, one in methods.items() if name != lacks})
    if lacks != "running":
        own.running = True

    async def work() -> None:
        events: list[Event] = []
        devices = Devices(events.append, lambda _: None, lambda _, **__: own())
        devices.open("matrix", {"driver": "hall:Own"})
        await settle()
        [lost] = events
        assert isinstance(lost, DeviceLost)
        assert f"'{lacks}'" in lost.reason
        devices.light((None,), 1)
        assert devices.fault() == ""
        devices.close()

    run_by_hand(work())
