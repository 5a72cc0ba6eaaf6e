"""Examine the machine: what is there, needed, wrong, and what to do, most important first.

It looks at system, disk, power, desktop, clock and watchdog. Nothing is changed and no device is
opened, so it may be asked while the station runs. On a simulated profile no device is missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from station.base.errors import Unreadable
from station.base.nouns import MAKE_CARDS
from station.base.tongue import key, tr
from station.checkup import devices
from station.checkup.devices import Denied, Patient, nothing_denied
from station.checkup.findings import MORE_AIR, STRONGER_SUPPLY, PartFinding, fault, spoken
from station.checkup.inventory import (
    GRAPHICAL,
    PIPED_SOUND,
    SINCE_START,
    THROTTLED,
    Inventory,
    Port,
)
from station.record.state_check import NIGHT_ROOM, fault_of, has_no_cards
from station.settings.config import Settings
from station.wire.wording import hall_wording, own_folder

OLDEST_PYTHON = (3, 11)
LITE = key("use Raspberry Pi OS Lite, or start without the desktop")


def check_system(patient: Patient) -> Iterator[PartFinding]:
    """Check for 64 bits and a Python that the station supports."""
    machine = patient.machine
    if machine.bits not in ("64", ""):
        what = tr("this is a {bits}-bit system; the station needs 64 bits", bits=machine.bits)
        todo = tr("write the 64-bit Raspberry Pi OS Lite on the card")
        yield fault("system", what, tr("{todo} (any Pi from the Pi 3 on can run it)", todo=todo))
    if machine.python < OLDEST_PYTHON:
        version = ".".join(map(str, machine.python))
        todo = tr("update the system to Debian 12 or later")
        yield fault(
            "system",
            tr("this Python is {version}; the station needs 3.11 or later", version=version),
            todo,
        )


def check_disk(patient: Patient) -> Iterator[PartFinding]:
    """Check that the state folder is on a real, writable disk with room for a night."""
    machine, state = patient.machine, patient.state
    try:
        mount = machine.mount_of(state)
    except Unreadable as error:
        todo = tr("look with: findmnt")
        yield fault(
            "disk",
            tr("what {state} lies on cannot be told ({error})", state=state, error=error),
            todo,
            advice=True,
        )
        return
    if mount is not None:
        if "ro" in mount.options:
            todo = tr(
                "if this is the right disk the system has locked it after an error: copy what"
                " is on it, then change the card"
            )
            yield fault(
                "disk",
                tr(
                    "the disk of {state} cannot be written ({device})",
                    state=state,
                    device=mount.name,
                ),
                todo,
            )
        if patient.real and (why := fault_of(mount)):
            todo = tr("give --state a folder on a disk, or switch the overlay file system off")
            yield fault("disk", f"{state}: {why}", todo)
    place = next((folder for folder in (state, *state.parents) if folder.exists()), state)
    try:
        room = machine.room(place)
    except OSError as error:
        todo = tr("check that the disk is there: findmnt")
        yield fault(
            "disk",
            tr("{place} cannot be asked for its room ({why})", place=place, why=error.strerror),
            todo,
        )
        return
    if room < NIGHT_ROOM:
        todo = tr("make room: a night needs {room} MiB free", room=NIGHT_ROOM >> 20)
        yield fault(
            "disk", tr("only {room} MiB are free for {state}", room=room >> 20, state=state), todo
        )


def check_power(patient: Patient) -> Iterator[PartFinding]:
    """Check that the supply holds its voltage, and the processor is not too hot."""
    bits = patient.machine.throttled or 0
    now = [name for bit, name in THROTTLED.items() if bits >> bit & 1]
    before = [name for bit, name in THROTTLED.items() if bits >> (bit + SINCE_START) & 1]
    if "under-voltage" in now or "under-voltage" in before:
        since = tr("the Pi had too little voltage since it was switched on")
        when = tr("the Pi has too little voltage now") if "under-voltage" in now else since
        what = tr("{when}: it may write wrong to its card, or stop", when=when)
        yield fault("power", what, spoken(STRONGER_SUPPLY))
    elif now or before:
        why = ", ".join(map(tr, now or before))
        what = tr("the Pi was slowed down: {why}", why=why)
        what = tr("the Pi is slowed down: {why}", why=why) if now else what
        yield fault("power", what, spoken(MORE_AIR), advice=not now)


def check_desktop(patient: Patient) -> Iterator[PartFinding]:
    """Check that no desktop holds the sound or the screen."""
    programs = patient.machine.programs if patient.real else frozenset()
    if desktop := sorted(programs & GRAPHICAL):
        what = tr(
            "a desktop is running ({desktop}): it holds the screen", desktop=", ".join(desktop)
        )
        how = tr("sudo raspi-config, System Options, Boot, Console")
        yield fault("desktop", what, f"{tr(LITE)}: {how}")
    if sound := sorted(programs & PIPED_SOUND):
        what = tr("{sound} may hold the sound card", sound=", ".join(sound))
        yield fault("sound", what, tr(LITE), advice=not desktop)


def check_clock(patient: Patient) -> Iterator[PartFinding]:
    """Check that something sets the clock. The record's times depend on it, its order does not."""
    machine = patient.machine
    if patient.real and not machine.clock_set and not machine.clock_chip:
        what = tr("nobody sets the clock: no network has, and there is no clock chip")
        todo = tr(
            "connect the network for a minute before the evening, or fit a clock chip;"
            " the games' order is right all the same"
        )
        yield fault("clock", what, todo, advice=True)


def check_watchdog(patient: Patient) -> Iterator[PartFinding]:
    """Check that a chip restarts a machine that hangs."""
    if patient.real and patient.machine.is_pi and not patient.machine.watchdog:
        what = tr("the watchdog chip is not there: a Pi that hangs stays so")
        todo = tr("add the line dtparam=watchdog=on to /boot/firmware/config.txt and start again")
        yield fault("watchdog", what, todo, advice=True)


def check_words(patient: Patient) -> Iterator[PartFinding]:
    """Check the hall's own words."""
    language, own = patient.settings.hall.language, own_folder(patient.state)
    try:
        _, wrong = hall_wording(language, own)
    except Unreadable as error:
        todo = tr("correct [hall] language in the settings")
        yield fault("words", str(error), todo)
        return
    if wrong:
        todo = tr("correct the file; until then the words that ship are used: ./loto wording check")
        yield fault("words", wrong, todo)


def check_cards(patient: Patient) -> Iterator[PartFinding]:
    """Check that there is a pack of cards to sell."""
    if patient.real and has_no_cards(patient.state):
        what = tr("no cards are here: only tickets from elsewhere can be sold")
        todo = tr(
            "make the parlour's 24 with {command}, or use a printed series with ./loto"
            " pack import, from the next night on; a hall that plays with bought tickets"
            " needs none",
            command=MAKE_CARDS,
        )
        yield fault("cards", what, todo, advice=True)


# -- the report ------------------------------------------------------------------------------------

# In the order of importance: what ends a game or loses its record first.
CHECKS: tuple[Callable[[Patient], Iterator[PartFinding]], ...] = (
    check_system,
    check_disk,
    check_power,
    devices.check_readers,
    devices.check_knobs,
    devices.check_gpio,
    devices.check_expanders,
    devices.check_rights,
    devices.check_board,
    devices.check_sound,
    devices.check_voice,
    devices.check_screen,
    devices.check_displays,
    check_desktop,
    check_clock,
    check_watchdog,
    check_words,
    check_cards,
)


@dataclass(frozen=True)
class DoctorReport:
    """What the doctor found.

    Attributes:
        facts: what is there, by name.
        faults: faults, most important first.
        advice: what would be better, but stops no game.
    """

    facts: dict[str, str]
    faults: tuple[PartFinding, ...]
    advice: tuple[PartFinding, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the report for programs."""
        return {
            "good": not self.faults,
            "facts": self.facts,
            "faults": [_to_json(one) for one in self.faults],
            "advice": [_to_json(one) for one in self.advice],
        }


def _to_json(found: PartFinding) -> dict[str, Any]:
    return {
        "area": found.part,
        "what": str(found.say),
        "todo": str(found.todo),
        "advice": found.advice,
    }


def examine(
    inventory: Inventory,
    settings: Settings | None,
    state: Path,
    settings_fault: str = "",
    denied: Denied = nothing_denied,
) -> DoctorReport:
    """Examine the machine for these settings.

    Args:
        settings: None if they are faulty: then what needs them is not checked.
        state: the state folder.
        settings_fault: what is wrong with them.
        denied: as in `Patient`.
    """
    patient = Patient(inventory, settings or Settings(), state, denied)
    checks = CHECKS if settings is not None else CHECKS[:1]
    found = [one for check in checks for one in check(patient)]
    if settings_fault:
        todo = tr("correct the file, or write a new one with ./loto setup")
        found.insert(0, fault("settings", settings_fault, todo))
    faults = tuple(one for one in found if not one.advice)
    return DoctorReport(facts(inventory), faults, tuple(one for one in found if one.advice))


def facts(there: Inventory) -> dict[str, str]:
    """Return what is there, in words."""
    unknown, python = tr("unknown"), ".".join(map(str, there.python))
    clock = {tr("set by the network"): there.clock_set, tr("a clock chip"): there.clock_chip}
    at_once = tr(", {buffer} bytes at once", buffer=buffer) if (buffer := there.spi_buffer) else ""
    screens = there.displays.items()
    throttled = there.throttled
    power = (
        f"throttled={throttled:#x}" if throttled else unknown if throttled is None else tr("good")
    )
    connected, empty = tr("connected"), tr("empty")
    return {
        key("board"): there.model or unknown,
        key("system"): tr(
            "{system}, {bits} bits, Python {python}",
            system=there.os or unknown,
            bits=there.bits or "?",
            python=python,
        ),
        key("GPIO chips"): _list(there.chips),
        key("serial ports"): _list([_port(port) for port in there.ports]),
        key("SPI"): f"{_list(there.spi)}{at_once}",
        key("sound cards"): _list(there.cards),
        key("screens"): _list([f"{name} {connected if on else empty}" for name, on in screens]),
        key("keyboards"): _list(there.keyboards),
        key("groups"): _list(sorted(there.groups)),
        key("clock"): _list([what for what, so in clock.items() if so]),
        key("power"): power,
        key("watchdog"): tr("there") if there.watchdog else tr("none"),
    }


def _port(port: Port) -> str:
    name = port.best if port.best == port.name else f"{port.best} → {port.name}"
    return (
        tr("{name}, held by {holders}", name=name, holders=", ".join(port.holders))
        if port.holders
        else name
    )


def _list(names: list[str]) -> str:
    return ", ".join(names) or tr("none")
