"""Tell how the station is, its parts, its record and its people: for each a sentence, what to do.

Files are read in a thread, at most once in five seconds, and a disk that hangs is not waited for:
nothing here delays a call, and nothing is written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from drivers import DeviceFound, DeviceLost, Event
from station import __version__
from station.base.clock import Clock
from station.base.disk import Disk
from station.calling.machine import MUTED
from station.record.state_check import NIGHT_ROOM

Result: TypeAlias = Literal["good", "fault", "unknown"]

FRESH_S = 5.0  # what was read is good for so long
PATIENCE_S = 1.0  # a file of the system answers at once, or something is wrong
TOO_HOT = 80.0  # a Pi slows itself down from there on: its documentation, config.txt, temp_limit
USUAL = ("reader", "speech", "matrix", "button", "lamps", "scanner")  # told of where missing, too
NO_FAULT = "no fault known"  # a dark lamp tells nobody: the self-test finds it
SUPPLY = "rpi_volt"  # the kernel's name for the Pi's own watch on its voltage


@dataclass(frozen=True, slots=True)
class Sensors:
    """What the machine says of itself; None where it cannot.

    Attributes:
        heat: of the processor, in degrees Celsius.
        low_voltage: whether the supply gives too little now.
    """

    heat: float | None = None
    low_voltage: bool | None = None


@dataclass(frozen=True, slots=True)
class Readings:
    """What was read from files.

    Attributes:
        room: bytes that are free on the state folder's disk; None if it cannot be asked.
        locked: whether that disk can only be read.
        silent: it does not answer.
    """

    room: int | None = None
    locked: bool = False
    sensors: Sensors = Sensors()
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that may be well or not: what, how it is, and a sentence for people."""

    key: str
    result: Result
    say: str


@dataclass(frozen=True)
class Facts:
    """All that health is told from.

    Attributes:
        devices: the settings' devices.
        signs: the signs that are up, by device.
        lost_s: for how many seconds a device has been lost.
        halted: why no more is recorded; empty if it is.
        written_s: how long ago the last line was written; None if none was since the start.
        watching: how many programs only watch.
        people: who is paired, as the wire's answer about `people` has them.
    """

    readings: Readings
    devices: Collection[str] = ()
    signs: Mapping[str, str] = field(default_factory=dict)
    lost_s: Mapping[str, float] = field(default_factory=dict)
    halted: str = ""
    clock_set: bool = True
    seq: int = 0
    written_s: float | None = None
    up_s: float = 0.0
    watching: int = 0
    people: Sequence[Mapping[str, Any]] = ()


# -- pure ------------------------------------------------------------------------------------------


def items_of(facts: Facts) -> tuple[Item, ...]:
    """Return each thing with its state: devices first, then the machine, then who is there."""
    return (
        *_devices(facts),
        *_other_signs(facts),
        Item("disk", *_disk(facts.readings)),
        Item("journal", *_journal(facts)),
        Item("clock", *_clock(facts.clock_set)),
        Item("temperature", *_heat(facts.readings.sensors.heat)),
        Item("power", *_power(facts.readings.sensors.low_voltage)),
        Item("program", "good", f"loto-station {__version__}, up for {lasting(facts.up_s)}"),
        Item("screens", *_screens(facts.watching)),
        Item("people", "good", f"paired devices: {len(facts.people)}"),
    )


def lasting(seconds: float) -> str:
    """Return a length of time as people say it.

    >>> lasting(0.4), lasting(90), lasting(7300), lasting(200_000)
    ('0 s', '1 min', '2 h', '2 days')
    """
    for size, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= size * (2 if unit == "days" else 1):
            return f"{seconds // size:.0f} {unit}"
    return f"{max(0, seconds):.0f} s"


def _devices(facts: Facts) -> list[Item]:
    kinds = {device.partition("-")[0] for device in facts.devices}
    missing = [device for device in USUAL if device not in kinds]
    none = "not there: the settings have none"
    found = [_device(device, facts) for device in facts.devices]
    return found + [Item(device, "unknown", none) for device in missing]


def _is_of(sign: str, device: str) -> bool:
    """Return whether a sign is about a device, or about one of its parts: `button next`."""
    return sign == device or sign.startswith(f"{device} ")


def _device(device: str, facts: Facts) -> Item:
    faults = [
        f"lost for {lasting(facts.lost_s[sign])}: {text}" if sign in facts.lost_s else text
        for sign, text in facts.signs.items()
        if _is_of(sign, device)
    ]
    if faults:
        return Item(device, "fault", "; ".join(faults))
    if device == "speech" and MUTED in facts.signs:
        return Item(device, "good", f"{NO_FAULT}; {facts.signs[MUTED]}")
    return Item(device, "good", NO_FAULT)


def _other_signs(facts: Facts) -> list[Item]:
    """Return the signs that no device and no item below accounts for, so that none is missing."""
    told = {MUTED, "journal"}
    return [
        Item(sign, "fault", text)
        for sign, text in facts.signs.items()
        if sign not in told and not any(_is_of(sign, device) for device in facts.devices)
    ]


def _disk(readings: Readings) -> tuple[Result, str]:
    if readings.silent:
        return "fault", "it does not answer: play on paper, start again, change the card"
    if readings.locked:
        todo = "copy what is on it, then change the card"
        return "fault", f"it can only be read: the system has locked it after an error; {todo}"
    if readings.room is None:
        return "unknown", "it cannot be asked for its room: look with df -h"
    free = f"{readings.room >> 20} MiB free"
    if readings.room < NIGHT_ROOM:
        return "fault", f"only {free}: make room, a night needs {NIGHT_ROOM >> 20} MiB"
    return "good", free


def _journal(facts: Facts) -> tuple[Result, str]:
    if fault := facts.halted or facts.signs.get("journal"):
        return "fault", fault
    if facts.written_s is None:
        return "good", f"line {facts.seq}, none written since the start"
    return "good", f"line {facts.seq}, written {lasting(facts.written_s)} ago"


def _clock(clock_set: bool) -> tuple[Result, str]:
    if clock_set:
        return "good", "set by the network"
    rough = "not set by the network: times in the record are rough, its order is right"
    return "unknown", f"{rough}; connect the network for a minute"


def _heat(heat: float | None) -> tuple[Result, str]:
    if heat is None:
        return "unknown", "this machine has no thermometer that can be read"
    if heat >= TOO_HOT:
        slow = f"{heat:.0f} °C, too hot: the machine slows down"
        return "fault", f"{slow}; give it air, or a heat sink"
    return "good", f"{heat:.0f} °C"


def _power(low: bool | None) -> tuple[Result, str]:
    if low is None:
        return "unknown", "this machine cannot tell whether its voltage holds"
    if low:
        supply = "use the Pi's own power supply and a short, thick cable"
        lamps = "LEDs and lamps need a supply of their own (hw/wiring.md)"
        return "fault", f"too little voltage now: {supply}; {lamps}"
    return "good", "the voltage holds"


def _screens(watching: int) -> tuple[Result, str]:
    if watching:
        return "good", f"watching now: {watching} (each screen, and the web for all its pages)"
    return "unknown", "nobody watches: no screen and no web is connected to the station"


# -- what is read ----------------------------------------------------------------------------------


def read_sensors(system: Path = Path("/sys")) -> Sensors:
    """Return what the kernel's files say; None for what is not there.

    Source: the kernel's documentation, driver-api/thermal/sysfs-api and hwmon/sysfs-interface.
    """
    heat = _number(system / "class/thermal/thermal_zone0/temp")
    return Sensors(heat=None if heat is None else heat / 1000, low_voltage=_low_voltage(system))


def _low_voltage(system: Path) -> bool | None:
    for chip in sorted(system.glob("class/hwmon/hwmon*")):
        if _text(chip / "name") == SUPPLY:
            alarm = _number(chip / "in0_lcrit_alarm")
            return None if alarm is None else bool(alarm)
    return None


def _number(path: Path) -> int | None:
    try:
        return int(_text(path))
    except ValueError:
        return None


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def read_machine(state: Path, disk: Disk, sensors: Callable[[], Sensors]) -> Readings:
    """Return what files say of the machine and of the state folder's disk."""
    known = sensors()
    try:
        return Readings(disk.room(state), disk.locked(state), known)
    except OSError:
        return Readings(sensors=known)


# -- what is kept ----------------------------------------------------------------------------------


class HealthKeeper:
    """The keeper of what nobody else keeps: when devices were lost, a line written, files read.

    Args:
        read: reads the files; called in a thread.
    """

    def __init__(self, clock: Clock, read: Callable[[], Readings]) -> None:
        self._clock = clock
        self._read = read
        self._began = clock.mono()
        self._lost: dict[str, float] = {}
        self._written: float | None = None
        self._reading: asyncio.Future[Readings] | None = None
        self._read_at = 0.0

    def receive(self, event: Event) -> None:
        """Note since when a device is lost."""
        if isinstance(event, DeviceLost):
            self._lost.setdefault(event.device, self._clock.mono())
        elif isinstance(event, DeviceFound):
            self._lost.pop(event.device, None)

    def written(self) -> None:
        """Note that a line of the journal was written now."""
        self._written = self._clock.mono()

    async def readings(self) -> Readings:
        """Return what the files say, or said up to `FRESH_S` ago; wait for no disk that hangs."""
        now = self._clock.mono()
        if self._reading is None or (self._reading.done() and now - self._read_at >= FRESH_S):
            self._reading = asyncio.ensure_future(asyncio.to_thread(self._read))
            self._read_at = now
        await asyncio.wait({self._reading}, timeout=PATIENCE_S)
        return self._reading.result() if self._reading.done() else Readings(silent=True)

    def told(self, known: Facts) -> dict[str, Any]:
        """Return the wire's answer about `health`: from what is known, and what is kept here."""
        now = self._clock.mono()
        facts = replace(
            known,
            lost_s={device: now - at for device, at in self._lost.items()},
            clock_set=self._clock.trusted(),
            written_s=None if self._written is None else now - self._written,
            up_s=now - self._began,
        )
        items = items_of(facts)
        shown = ("name", "role", "seat", "unused_s")  # not their keys
        return {
            "good": not any(item.result == "fault" for item in items),
            "items": [asdict(item) for item in items],
            "people": [{key: one[key] for key in shown} for one in facts.people],
        }
