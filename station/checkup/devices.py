"""Check the devices that the settings name: readers and their knobs, pins, board, sound, screen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from drivers.given import PACKAGES
from drivers.making import DRIVERS
from station.base.errors import LotoError, Unreadable
from station.base.nouns import KNOBS, Style, number_list
from station.base.tongue import key, number_of, tr
from station.checkup.findings import PartFinding, fault
from station.checkup.inventory import Inventory, Port
from station.programme.check import load_programme
from station.programme.themes import cached_theme
from station.record.folders import is_open, night_folders
from station.record.nights import tags_name
from station.settings.buzzing import is_buzzers
from station.settings.config import OVER_THE_AIR, TOWER, Settings
from station.settings.hands import is_expander, is_keys
from station.settings.readers import is_reader
from station.settings.scan import is_scanner
from station.settings.tags import TagTable, load_table, missing_knobs, to_toml
from station.settings.voices import lacking, names_maker, pack_folders, voice_folders
from station.wire.wording import hall_wording, own_folder

# a picture of 80 × 16 lamps goes out in one piece, or the lamps take the pause for its end
WS2812_BUFFER = 32768
MISSING_NAMED = 10
NAMED = 3  # of many words
SPEECH = "speech"  # every laptop has a sound card, so it alone makes no station
TYPING = ("wedge", "keyboard-scanner", "keys")  # drivers of what types as a keyboard does
PINNED = ("button", "lamps", "knob")  # and buzzers that are on pins
ENABLE = "sudo raspi-config, Interface Options"
SERIAL_PORT = key("{menu}, Serial Port: login shell no, serial hardware yes; then start again")
# only a Pi 5 has it, and calls it serial0: Raspberry Pi documentation, configuration/uart
DEBUG_PLUG = "/dev/ttyAMA10"


Denied: TypeAlias = Callable[[Inventory, Iterable[str]], Sequence[str]]


def nothing_denied(_: Inventory, __: Iterable[str]) -> Sequence[str]:
    """Return no device: no unit of the system keeps the drivers from theirs."""
    return ()


@dataclass(frozen=True)
class Patient:
    """A machine, and what is to run on it.

    Attributes:
        state: the state folder.
        denied: returns the devices that shipped drivers need and the installed service may not
            open: `station.machine.own_drivers.denied`.
    """

    machine: Inventory
    settings: Settings
    state: Path
    denied: Denied = nothing_denied

    @property
    def real(self) -> bool:
        """Return whether the devices are real ones."""
        return not self.settings.simulated

    def devices(self) -> dict[str, Mapping[str, Any]]:
        """Return the tables of the real devices."""
        return dict(self.settings.devices) if self.real else {}


def check_readers(patient: Patient) -> Iterator[PartFinding]:
    """Check that the port of each reader, scanner, buzzer box, dice tower and device that types is
    there, free, and accessible."""
    for device, table in patient.devices().items():
        cabled = device == TOWER or is_reader(device) or is_scanner(device) or is_keys(device)
        if cabled or (is_buzzers(device) and "port" in table):
            check = _check_wedge if table.get("driver") in TYPING else _check_port
            yield from check(patient, device, table)


def absent(patient: Patient) -> tuple[str, ...]:
    """Return the settings' devices that are not on this machine; whether others work is not asked.

    A driver of the hall's own is taken to know its device.
    """
    return tuple(
        device
        for device, table in patient.devices().items()
        if ":" not in str(table.get("driver")) and not _is_there(patient, device, table)
    )


def nothing_here(settings: Settings, lacking: Collection[str]) -> bool:
    """Return whether all devices by which a hall plays are missing; the voice counts if alone."""
    named = {str(device) for device in settings.devices}
    wanted = named - {SPEECH} or named
    return bool(wanted) and wanted <= set(lacking)


def _is_there(patient: Patient, device: str, table: Mapping[str, Any]) -> bool:
    machine = patient.machine
    if _on_pins(device, table):
        return bool(machine.chips)
    if device == SPEECH:
        return bool(machine.cards)
    if is_expander(device):
        return machine.there(_i2c_of(table))
    if device == "matrix":
        bus = _bus_of(table)
        return not bus or machine.there(bus)
    name = str(table.get("device" if table.get("driver") in TYPING else "port", ""))
    named_only = not name or name.startswith(OVER_THE_AIR)
    return named_only or machine.port(name) is not None or machine.there(name)


def _bus_of(table: Mapping[str, Any]) -> str:
    """Return the board's device file, if its bus is a file."""
    bus = str(table.get("bus", "spi:0.0" if table else ""))
    return f"/dev/spidev{bus.removeprefix('spi:')}" if bus.startswith("spi:") else ""


def _i2c_of(table: Mapping[str, Any]) -> str:
    return str(table.get("bus", "/dev/i2c-1"))


def check_expanders(patient: Patient) -> Iterator[PartFinding]:
    """Check that the bus of each expander is on. Whether a chip answers is seen when it is used."""
    for device, table in patient.devices().items():
        bus = _i2c_of(table)
        if is_expander(device) and not patient.machine.there(bus):
            todo = tr(
                "switch it on: {how}, then sudo loto install, and start again", how=f"{ENABLE}, I2C"
            )
            what = tr("{device}: the bus {bus} is not there", device=device, bus=bus)
            yield fault("pins", what, todo)
        elif is_expander(device):
            yield from _want_group(patient, "pins", device, "i2c")


def check_rights(patient: Patient) -> Iterator[PartFinding]:
    """Check that the installed core's unit lets through what the shipped drivers need. A driver of
    the hall's own is not loaded here."""
    if not patient.machine.installed:
        return
    named = {str(table.get("driver")) for table in patient.devices().values()}
    shipped = sorted(driver for driver in named if driver in DRIVERS)
    if denied := patient.denied(patient.machine, shipped):
        devices = ", ".join(denied)
        what = tr("the service may not open {devices}, which the settings need", devices=devices)
        yield fault("pins", what, "sudo loto install")


def _check_wedge(patient: Patient, device: str, table: Mapping[str, Any]) -> Iterator[PartFinding]:
    name, machine = str(table.get("device", "")), patient.machine
    if not machine.there(name):
        others = ", ".join(machine.keyboards)
        there = tr("plug it in; there are: {names}", names=others)
        todo = there if others else tr("plug it in: no keyboard is there at all")
        yield fault(
            "reader",
            tr("{device}: the keyboard {name} is not there", device=device, name=name),
            todo,
        )
    yield from _want_library(patient, "reader", device, "evdev")
    yield from _want_group(patient, "reader", device, "input")


def _check_port(patient: Patient, device: str, table: Mapping[str, Any]) -> Iterator[PartFinding]:
    name, machine = str(table.get("port", "")), patient.machine
    area = "buzzers" if is_buzzers(device) else TOWER if device == TOWER else "reader"
    if name.startswith(OVER_THE_AIR):
        return
    port = machine.port(name)
    if port is None and not machine.there(name):
        todo = _where_to_look(name, machine.ports)
        yield fault(
            area,
            tr("{device}: the serial port {name} is not there", device=device, name=name),
            todo,
        )
        return
    serial = port or Port(name)
    if serial.name == DEBUG_PLUG:
        plug = tr("the small plug between the HDMI sockets, not pins 8 and 10")
        write = tr('write port = "/dev/ttyAMA0" in the settings, and start again')
        todo = tr("add dtparam=uart0=on to /boot/firmware/config.txt, {write}", write=write)
        yield fault(
            area,
            tr("{device}: on this Pi {name} is {plug}", device=device, name=name, plug=plug),
            todo,
        )
    if _login_shell(patient, serial):
        what = tr(
            "{device}: a login shell sits on {name} and takes what the reader sends",
            device=device,
            name=name,
        )
        yield fault(area, what, tr(SERIAL_PORT, menu=ENABLE))
    if others := [who for who in serial.holders if not _is_ours(who)]:
        todo = tr("end that program, or remove it: two cannot read")
        yield fault(
            area,
            tr(
                "{device}: {name} is held by {others}",
                device=device,
                name=name,
                others=", ".join(others),
            ),
            todo,
        )
    if "/by-id/" not in name and serial.name.startswith(("/dev/ttyUSB", "/dev/ttyACM")):
        what = tr(
            "{device}: {name} may be another plug after the next start", device=device, name=name
        )
        yield fault(
            area, what, tr("write port = {port!r} in the settings", port=serial.best), advice=True
        )
    yield from _want_group(patient, area, device, "dialout")


def _where_to_look(name: str, ports: list[Port]) -> str:
    if name.startswith(("/dev/serial0", "/dev/ttyAMA", "/dev/ttyS")):
        return tr("switch it on: {where}", where=tr(SERIAL_PORT, menu=ENABLE))
    if ports:
        there = tr("there are: {ports}", ports=", ".join(port.best for port in ports))
        return tr(
            "plug it in, or change port in the settings (./loto setup asks for it); {there}",
            there=there,
        )
    return tr("plug it in: no serial port is there at all")


def _login_shell(patient: Patient, port: Port) -> bool:
    names = {name.removeprefix("/dev/") for name in (port.name, *port.links)}
    console = {
        word.removeprefix("console=").partition(",")[0]
        for word in patient.machine.read("/proc/cmdline").split()
    }
    return bool(names & console) or any(
        patient.machine.service(f"serial-getty@{name}.service") == "active"
        for name in sorted(names)
        if "/" not in name
    )


def _is_ours(holder: str) -> bool:
    return holder.startswith(("loto", "python"))


def check_knobs(patient: Patient) -> Iterator[PartFinding]:
    """Check that each of the ninety knobs has a known tag, where there is a reader."""
    if not any(map(is_reader, patient.devices())):
        return
    try:
        table = load_table(patient.state)
        missing = missing_knobs(table.knobs)
    except Unreadable as error:
        if isinstance(error.__cause__, PermissionError):
            what = tr("this user may not see which knobs are enrolled")
            yield fault("knobs", what, tr("put sudo before the command"), advice=True)
            return
        todo = tr("correct the file by hand, or remove it and enrol the knobs again")
        yield fault("knobs", str(error), todo)
        return
    if missing:
        which = tr("no knob is enrolled")
        if len(missing) < KNOBS:
            which = tr("not enrolled: {knobs}", knobs=number_of(len(missing), "knob"))
        named = f" ({number_list(missing)})" if len(missing) <= MISSING_NAMED else ""
        todo = tr("teach the station its knobs: ./loto enrol")
        yield fault("knobs", f"{which}{named}", todo)
    if table.knobs and (night := _night_before(patient.state, table)):
        what = tr("night {night} began before these knobs were taught", night=night)
        todo = tr(
            "start the station: an untouched night takes them; else loto close-night and loto next"
        )
        yield fault("knobs", what, todo, advice=True)


def _night_before(state: Path, table: TagTable) -> str:
    """Return the open night that has another table of tags than the one in force; empty for
    none."""
    nights = state / "nights"
    try:
        last = night_folders(state)[-1:] if nights.is_dir() else []
        if not last or not is_open(last[0]):
            return ""
    except (LotoError, OSError):
        return ""  # whoever may not look is told elsewhere
    copy = last[0] / tags_name(to_toml(table.tags, table.spares, table.packs))
    return "" if copy.exists() else last[0].name


def check_gpio(patient: Patient) -> Iterator[PartFinding]:
    """Check that the pins of buttons and lamps can be used."""
    names = ", ".join(
        device for device, table in patient.devices().items() if _on_pins(device, table)
    )
    if not names:
        return
    if not patient.machine.chips:
        todo = tr("run this on a Raspberry Pi, or choose --profile simulated")
        yield fault("pins", tr("{names}: this machine has no GPIO chip", names=names), todo)
        return
    yield from _want_library(patient, "pins", names, "lgpio")
    yield from _want_group(patient, "pins", names, "gpio")


def _on_pins(device: str, table: Mapping[str, Any]) -> bool:
    return device in PINNED or (is_buzzers(device) and "pins" in table)


def check_board(patient: Patient) -> Iterator[PartFinding]:
    """Check that the board's bus is on, and takes a whole picture in one transfer."""
    table = patient.devices().get("matrix", {})
    name, machine = _bus_of(table), patient.machine
    if not name:
        return
    if not machine.there(name):
        todo = tr("switch it on: {menu}, SPI; then start again", menu=ENABLE)
        yield fault("board", tr("the board's bus {name} is not there", name=name), todo)
        return
    yield from _want_library(patient, "board", tr("the board"), "spidev")
    buffer = machine.spi_buffer
    if table.get("driver") == "ws2812" and buffer is not None and buffer < WS2812_BUFFER:
        what = tr(
            "only {buffer} bytes go over SPI at once; the WS2812 board needs {needed}",
            buffer=buffer,
            needed=WS2812_BUFFER,
        )
        todo = tr(
            "add {word} to the one line of /boot/firmware/cmdline.txt and start again",
            word=f"spidev.bufsiz={WS2812_BUFFER}",
        )
        yield fault("board", what, todo)
    yield from _want_group(patient, "board", tr("the board"), "spi")


def check_sound(patient: Patient) -> Iterator[PartFinding]:
    """Check that there is a sound card. Without a voice the game goes on, but nobody hears it."""
    if "speech" not in patient.devices():
        return
    if not patient.machine.cards:
        todo = tr(
            "plug in a USB sound card or the HDMI screen; where the Pi has a headphone"
            " socket (not a Pi 5) dtparam=audio=on in /boot/firmware/config.txt switches"
            " it on"
        )
        yield fault("sound", tr("no sound card is there"), todo)
        return
    yield from _want_group(patient, "sound", tr("the voice"), "audio")


def check_voice(patient: Patient) -> Iterator[PartFinding]:
    """Check that the voice has all that the style and the games' themes want. What it has not it
    makes while the station runs, where it has a maker; until then it calls plainly."""
    settings = patient.settings
    calling = settings.calling
    if "speech" not in settings.devices or calling.style is Style.CHIME:
        return
    wording, _ = hall_wording(settings.hall.language, own_folder(patient.state))
    packs = pack_folders(patient.state, wording.code)
    maker = names_maker(packs, wording.code) if calling.names else None
    if not packs:
        todo = f"./loto voice build --lang {wording.code}"
        what = tr("there is no voice for {language}", language=wording.name)
        yield fault("voice", what, todo, advice=True)
        return
    folders = voice_folders(patient.state, wording.code, calling.own_voice)
    if missing := lacking(wording, calling.style, folders):
        clips = ", ".join(list(missing)[:NAMED]) + ", …" * (len(missing) > NAMED)
        what = tr("the voice has not these words, or says others: {clips}", clips=clips)
        build = f"./loto voice build --lang {wording.code}"
        made = tr("{command}; without it they are made while the station runs", command=build)
        yield fault("voice", what, made if maker else build, advice=True)
    if maker is None and calling.names and (themes := _themes(settings, wording.code)):
        what = tr(
            "nobody here speaks the words of {themes}: numbers are called instead",
            themes=", ".join(themes),
        )
        yield fault("voice", what, "sudo apt-get install espeak-ng", advice=True)


def _themes(settings: Settings, language: str) -> list[str]:
    """Return the names of the programme's themes that this language has words of."""
    try:
        games = load_programme(settings.game.programme).games
        themes = [cached_theme(plan.theme) for plan in games if plan.theme is not None]
    except LotoError:
        return []  # the programme's own check says it
    return sorted({theme.names[language] for theme in themes if theme.has(language)})


def check_screen(patient: Patient) -> Iterator[PartFinding]:
    """Check that a screen is plugged in."""
    displays = patient.machine.displays
    if patient.real and patient.machine.is_pi and not any(displays.values()):
        todo = tr("switch it on before the Pi; for a Pi that starts first: ./loto install --tv-off")
        yield fault(
            "screen", tr("no screen is connected, or the television is off"), todo, advice=True
        )


def check_displays(patient: Patient) -> Iterator[PartFinding]:
    """Check that something is plugged in at each output which the settings name."""
    screen, displays = patient.settings.screen, patient.machine.displays
    there = {name.upper().replace("HDMI-A-", "HDMI-") for name, one in displays.items() if one}
    for wanted in (screen.display, screen.second.display if screen.second else ""):
        name = wanted.upper().replace("HDMI-A-", "HDMI-")
        absent = int(wanted) > len(there) if wanted.isdecimal() else name not in there
        if patient.real and wanted and there and absent:
            what = tr(
                "no screen is connected to {display}, or the television is off", display=wanted
            )
            todo = tr("check the cable, or change [screen] in the settings")
            yield fault("screen", what, todo, advice=True)


def _want_library(patient: Patient, area: str, device: str, library: str) -> Iterator[PartFinding]:
    """Check that the station's Python finds a library that comes from Debian."""
    machine, package = patient.machine, PACKAGES[library]
    if machine.has(library):
        return
    if not machine.system_has(library):
        what = tr("{device}: the library {library} is missing", device=device, library=library)
        yield fault(area, what, f"sudo apt-get install {package}")
    elif machine.installed:
        what = tr(
            "{device}: {package} is installed, but the station does not use Debian's packages",
            device=device,
            package=package,
        )
        yield fault(area, what, "sudo loto install")


def _want_group(patient: Patient, area: str, device: str, group: str) -> Iterator[PartFinding]:
    """Check that who runs the station by hand is in the device's group; the service is in all."""
    groups = patient.machine.groups
    installed = patient.machine.there("/etc/systemd/system/loto-core.service")
    if groups and not groups & {group, "root"} and not installed:
        todo = tr("sudo usermod -aG {group} $USER, then log in again", group=group)
        yield fault(
            area,
            tr("{device}: this user is not in the group {group}", device=device, group=group),
            todo,
        )
