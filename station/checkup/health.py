"""Collect what the running core knows of its parts, its record and its people, as findings.

Files are read in a thread, at most once in five seconds, and a disk that hangs is not waited for:
nothing here delays a call, and nothing is written.
"""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from drivers import DeviceFound, DeviceLost, Event, Spiked
from drivers.voice.pack import MANIFEST
from station import __version__
from station.base.clock import Clock
from station.base.disk import Disk
from station.base.errors import LotoError
from station.base.said import Sentence, Term, Value, row, said, verbatim
from station.base.untrusted import json_from
from station.checkup.findings import MORE_AIR, STRONGER_SUPPLY, PartFinding, Result, todo_for
from station.checkup.tail import TailLine, read_tail
from station.record.state_check import NIGHT_ROOM

FRESH_S = 5.0  # what was read is good for so long
PATIENCE_S = 1.0  # a file of the system answers at once, or something is wrong
TOO_HOT = 80.0  # a Pi slows itself down from there on: its documentation, config.txt, temp_limit
USUAL = ("reader", "speech", "matrix", "button", "lamps", "scanner")  # told of where missing, too
NO_FAULT = said("no fault is known")  # a dark lamp tells nobody: the self-test finds it
NONE_SET = said("not there: the settings have none")
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
        tail: the newest lines of the record.
        voice: the voice pack.
    """

    room: int | None = None
    locked: bool = False
    sensors: Sensors = Sensors()
    silent: bool = False
    tail: tuple[TailLine, ...] = ()
    voice: Sentence | None = None


@dataclass(frozen=True)
class Facts:
    """All that health is told from.

    Attributes:
        devices: the settings' devices.
        signs: the signs of faults that are up, by device.
        muted: whether the caller has muted the voice.
        lost_s: for how many seconds a device has been lost.
        spikes: how often a line was down for less than a press, since it was opened.
        halted: why no more is recorded; empty if it is.
        written_s: how long ago the last line was written; None if none was since the start.
        watching: how many programs only watch, by what they say they are.
        people: who is paired, as the wire's answer about `people` has them.
    """

    readings: Readings
    devices: Collection[str] = ()
    signs: Mapping[str, str] = field(default_factory=dict)
    muted: bool = False
    lost_s: Mapping[str, float] = field(default_factory=dict)
    spikes: Mapping[str, int] = field(default_factory=dict)
    halted: str = ""
    clock_set: bool = True
    seq: int = 0
    written_s: float | None = None
    up_s: float = 0.0
    watching: Mapping[str, int] = field(default_factory=dict)
    people: Sequence[Mapping[str, Any]] = ()


# -- pure ------------------------------------------------------------------------------------------


def findings_of(facts: Facts) -> tuple[PartFinding, ...]:
    """Return each thing with its state: devices first, then the machine, then who is there."""
    program = said(
        "loto-station {version}, running for {time}", version=__version__, time=lasting(facts.up_s)
    )
    people = said("paired devices: {count}", count=len(facts.people))
    return (
        *_devices(facts),
        *_other_signs(facts),
        PartFinding("disk", *_disk(facts.readings)),
        PartFinding("journal", *_journal(facts)),
        PartFinding("clock", *_clock(facts.clock_set)),
        PartFinding("temperature", *_heat(facts.readings.sensors.heat)),
        PartFinding("power", *_power(facts.readings.sensors.low_voltage)),
        PartFinding("program", "good", program),
        PartFinding("system", "good", _system()),
        PartFinding("voice", *_voice(facts.readings.voice)),
        PartFinding("screens", *_screens(facts.watching)),
        PartFinding("people", "good", people),
    )


def lasting(seconds: float) -> Sentence:
    """Return a length of time as people say it.

    >>> [str(lasting(time)) for time in (0.4, 90, 7300, 200_000)]
    ['0 s', '1 min', '2 h', '2 days']
    """
    if seconds >= 2 * 86_400:
        return said("{count} days", count=int(seconds // 86_400))
    if seconds >= 3_600:
        return said("{count} h", count=int(seconds // 3_600))
    if seconds >= 60:
        return said("{count} min", count=int(seconds // 60))
    return said("{count} s", count=max(0, int(seconds)))


def sized(many: int) -> Sentence:
    """Return a number of bytes as people say it, and as it is printed on cards: in thousands.

    >>> [str(sized(many)) for many in (15_900_000, 81_142_000_000)]
    ['15 MB', '81 GB']
    """
    if many >= 10**9:
        return said("{count} GB", count=many // 10**9)
    return said("{count} MB", count=many // 10**6)


def _devices(facts: Facts) -> list[PartFinding]:
    kinds = {device.partition("-")[0] for device in facts.devices}
    missing = [device for device in USUAL if device not in kinds]
    found = [_device(device, facts) for device in facts.devices]
    return found + [PartFinding(device, "unknown", NONE_SET) for device in missing]


def _is_of(sign: str, device: str) -> bool:
    """Return whether a sign is about a device, or about one of its parts: `button next`."""
    return sign == device or sign.startswith(f"{device} ")


def _device(device: str, facts: Facts) -> PartFinding:
    todo = todo_for(device)
    faults: list[Value] = [
        _lost(facts.lost_s.get(sign), todo, text)
        for sign, text in facts.signs.items()
        if _is_of(sign, device)
    ]
    if faults:
        return PartFinding(device, "fault", said("{faults}", faults=row(faults, "; ")))
    if device == "speech" and facts.muted:
        return PartFinding(device, "good", said("no fault is known; {why}", why=Term("muted")))
    # One of several is told of in the singular: a buzzer of the buzzers.
    names = (device, device.removesuffix("s"))
    spikes: list[Value] = [
        verbatim(f"{line} {times} ×")
        for line, times in facts.spikes.items()
        if any(_is_of(line, name) for name in names)
    ]
    if spikes:
        say = said(
            "no fault is known; down for less than a press, and not taken: {spikes}; twist such a"
            " wire with one of GND, and keep it from lamps and mains",
            spikes=row(spikes, ", "),
        )
        return PartFinding(device, "good", say)
    return PartFinding(device, "good", NO_FAULT)


def _lost(seconds: float | None, todo: Sentence, text: str) -> Sentence:
    """Return what is to be done about a lost device, then its driver's own words: they name what
    only the driver knows, a port or a pin, and have no other language."""
    if seconds is None:
        return said("{todo}; it says: {fault}", todo=todo, fault=text)
    lost = lasting(seconds)
    return said("lost for {time}: {todo}; it says: {fault}", time=lost, todo=todo, fault=text)


def _other_signs(facts: Facts) -> list[PartFinding]:
    """Return the signs that no device and no item below accounts for, so that none is missing."""
    return [
        PartFinding(sign, "fault", said("the board says of it: {sign}", sign=text))
        for sign, text in facts.signs.items()
        if sign != "journal" and not any(_is_of(sign, device) for device in facts.devices)
    ]


def _disk(readings: Readings) -> tuple[Result, Sentence]:
    if readings.silent:
        return "fault", said("it does not answer: play on paper, start again, change the card")
    if readings.locked:
        return "fault", said(
            "it can only be read: the system has locked it after an error; copy what is on it, then"
            " change the card"
        )
    if readings.room is None:
        return "unknown", said("it cannot be asked for its room: look with df -h")
    size = sized(readings.room)
    if readings.room < NIGHT_ROOM:
        needed = sized(NIGHT_ROOM + 10**6)  # as much is enough, to the last byte
        return "fault", said(
            "only {size} free: make room, a night needs {needed}", size=size, needed=needed
        )
    return "good", said("{size} free", size=size)


def _journal(facts: Facts) -> tuple[Result, Sentence]:
    if facts.halted:
        return "fault", said(
            "nothing more is recorded: play on with paper; it says: {fault}", fault=facts.halted
        )
    if fault := facts.signs.get("journal"):
        return "fault", said("the board says of it: {sign}", sign=fault)
    if facts.written_s is None:
        return "good", said("line {line}, none written since the start", line=facts.seq)
    time = lasting(facts.written_s)
    return "good", said("line {line}, written {time} ago", line=facts.seq, time=time)


def _clock(clock_set: bool) -> tuple[Result, Sentence]:
    if clock_set:
        return "good", said("set by the network")
    return "unknown", said(
        "not set by the network: times in the record are rough, its order is right; connect the"
        " network for a minute"
    )


def _heat(heat: float | None) -> tuple[Result, Sentence]:
    if heat is None:
        return "unknown", said("this machine has no thermometer that can be read")
    degrees = f"{heat:.0f} °C"
    if heat >= TOO_HOT:
        return "fault", said(
            "{heat}, too hot: the machine slows down; {todo}", heat=degrees, todo=MORE_AIR
        )
    return "good", said("{heat}", heat=degrees)


def _power(low: bool | None) -> tuple[Result, Sentence]:
    if low is None:
        return "unknown", said("this machine cannot tell whether its voltage holds")
    if low:
        return "fault", said("too little voltage now: {todo}", todo=STRONGER_SUPPLY)
    return "good", said("the voltage holds")


def _system() -> Sentence:
    kernel, python = platform.release(), platform.python_version()
    return verbatim(f"{_system_name()}, {platform.system()} {kernel}, Python {python}")


@cache
def _system_name() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.system()


def _voice(voice: Sentence | None) -> tuple[Result, Sentence]:
    if voice is None:
        return "unknown", said("there is no voice pack for the language of this hall")
    return "good", voice


def _screens(watching: Mapping[str, int]) -> tuple[Result, Sentence]:
    kinds = [
        (said("hall screens: {count}", count=watching.get("screen", 0)), "screen"),
        (said("terminals: {count}", count=watching.get("terminal", 0)), "terminal"),
        (said("the web, for all its pages: {count}", count=watching.get("web", 0)), "web"),
        (said("other programs: {count}", count=watching.get("", 0)), ""),
    ]
    there: list[Value] = [sentence for sentence, kind in kinds if watching.get(kind)]
    if there:
        return "good", said("{watching}", watching=row(there, "; "))
    return "unknown", said("nobody watches: no screen and no web is connected to the station")


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


def read_machine(
    state: Path, disk: Disk, sensors: Callable[[], Sensors], journal: Path, voice: Path | None
) -> Readings:
    """Return what files say of the machine, of the state folder's disk, of the record's newest
    lines, and of the voice pack in a folder."""
    said_of_voice = None if voice is None else read_voice(voice, disk)
    known = Readings(sensors=sensors(), tail=read_tail(journal, disk), voice=said_of_voice)
    try:
        return replace(known, room=disk.room(state), locked=disk.locked(state))
    except OSError:
        return known


def read_voice(pack: Path, disk: Disk) -> Sentence | None:
    """Return a voice pack in a few words; None where it cannot be read."""
    try:
        manifest = json_from(disk.read(pack / MANIFEST))
        language, maker, clips = (manifest[key] for key in ("language", "maker", "clips"))
    except (OSError, LotoError, LookupError, TypeError):
        return None
    return said(
        "{language}: {count} clips, made with {maker}",
        language=str(language),
        count=len(clips),
        maker=str(maker).partition(",")[0],
    )


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
        self._spikes: dict[str, int] = {}
        self._written: float | None = None
        self._reading: asyncio.Future[Readings] | None = None
        self._read_at = 0.0

    def receive(self, event: Event) -> None:
        """Note since when a device is lost, and how often a line was down too short."""
        if isinstance(event, DeviceLost):
            self._lost.setdefault(event.device, self._clock.mono())
        elif isinstance(event, DeviceFound):
            self._lost.pop(event.device, None)
        elif isinstance(event, Spiked):
            self._spikes[event.device] = event.times

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

    def told(self, known: Facts, tell: Callable[[Sentence], str] = str) -> dict[str, Any]:
        """Return the wire's answer about `health`: from what is known, and what is kept here; each
        sentence as `tell` writes it."""
        now = self._clock.mono()
        facts = replace(
            known,
            lost_s={device: now - at for device, at in self._lost.items()},
            spikes=self._spikes,
            clock_set=self._clock.trusted(),
            written_s=None if self._written is None else now - self._written,
            up_s=now - self._began,
        )
        items = findings_of(facts)
        shown = ("name", "role", "seat", "unused_s")  # not their keys
        return {
            "good": not any(one.result == "fault" for one in items),
            "items": [
                {"key": one.part, "result": one.result, "say": tell(one.say)} for one in items
            ],
            "newest": [line.told(tell) for line in facts.readings.tail],
            "people": [{key: one[key] for key in shown} for one in facts.people],
        }
