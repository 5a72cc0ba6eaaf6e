"""The doctor: on machines made of files, each fault has its sentence and what to do; a healthy
machine has none."""

from __future__ import annotations

import errno
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from station.base.catalogues import speaking
from station.base.disk import Disk
from station.checkup import inventory
from station.checkup.doctor import DoctorReport, examine, facts
from station.checkup.findings import PartFinding
from station.checkup.inventory import has_library, system_has
from station.machine.own_drivers import DROP_IN, denied, drop_in
from station.record.nights import tags_name
from station.record.state_check import pack_in_use
from station.settings.config import Settings, load_settings
from station.settings.tags import FILE, save_tags
from station.settings.voices import built_folder
from station.wire.wording import VOICES
from tests.machines import Pi
from tests.support import night_in

STATE = Path("/var/lib/loto-station")


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path / "root")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder with ninety knobs enrolled, and cards."""
    folder = tmp_path / "state"
    folder.mkdir()
    save_tags(folder, {1000 + knob: knob for knob in range(1, 91)})
    pack_in_use(folder).parent.mkdir()
    pack_in_use(folder).touch()
    return folder


def seen(pi: Pi, state: Path, profile: str = "hall", **over: object) -> DoctorReport:
    return examine(
        pi.inventory, load_settings(profile, over={"devices": over} if over else None), state
    )


def only(report: DoctorReport) -> PartFinding:
    """The one fault there is."""
    (fault,) = report.faults
    assert not fault.advice
    return fault


@pytest.mark.parametrize("profile", ["simulated", "button", "rfid", "hall"])
def test_a_healthy_pi_has_no_fault(pi: Pi, state: Path, profile: str) -> None:
    """Everything that these settings need is there: nothing to mend, nothing advised, good for
    programs, too."""
    report = seen(pi, state, profile)
    assert (report.faults, report.advice) == ((), ())
    assert report.to_json()["good"] is True


def test_the_halls_own_words_are_looked_at(pi: Pi, state: Path) -> None:
    """A fault is told with file and key; words that the voice has not are advised; a file that says
    nothing new is nothing."""
    file = state / "wording" / "en.toml"
    file.parent.mkdir()
    for text, faults, advice in (
        ("[phrases]\nstop = 7", ["[phrases] stop: needs a text in quotes, has 7"], []),
        ("[phrases]\nstop = 'Hold it.'", [], ["or says others: stop"]),
        ("[numbers]\n1 = 'Wan'\n2 = 'Twa'", [], ["or says others: number.1, number.2"]),
        ("[screen]\nfull = 'House!'", [], []),
    ):
        file.write_text(text, encoding="utf-8")
        report = seen(pi, state, "hall")
        found = ([str(one.say) for one in report.faults], [str(one.say) for one in report.advice])
        for whats, wanted in zip(found, (faults, advice), strict=True):
            assert len(whats) == len(wanted)
            assert all(part in what for what, part in zip(whats, wanted, strict=True))


def test_a_bare_machine_is_good_for_a_simulated_station(tmp_path: Path) -> None:
    """No pins, no ports, no sound: none of it is missed where every device is simulated; all of it
    is told."""
    pi = Pi(tmp_path / "root")
    for name in (
        "dev/gpiochip0",
        "dev/spidev0.0",
        "dev/ttyAMA0",
        "dev/serial0",
        "proc/asound/cards",
        "dev/watchdog0",
    ):
        pi.remove(name)
    pi.commands.clear()
    report = seen(pi, tmp_path / "not" / "there", "simulated")
    assert (report.faults, report.advice) == ((), ())
    assert (
        report.facts["GPIO chips"]
        == report.facts["sound cards"]
        == report.facts["serial ports"]
        == "none"
    )


def no_ports(pi: Pi) -> None:
    pi.remove("dev/serial0")
    pi.remove("dev/ttyAMA0")


def debug_plug(pi: Pi) -> None:
    pi.remove("dev/serial0")
    pi.write("dev/ttyAMA10")
    pi.link("dev/serial0", "ttyAMA10")


def cut_supply(bits: str) -> Callable[[Pi], None]:
    return lambda pi: pi.commands.update({"vcgencmd get_throttled": f"throttled={bits}\n"})


FAULTS: list[tuple[str, Callable[[Pi], object], str, str, str]] = [
    (
        "32 bits",
        lambda pi: pi.commands.update({"getconf LONG_BIT": "32\n"}),
        "system",
        "this is a 32-bit system",
        "64-bit",
    ),
    (
        "an old Python",
        lambda pi: setattr(pi, "python", (3, 9)),
        "system",
        "this Python is 3.9",
        "Debian 12",
    ),
    (
        "a full disk",
        lambda pi: setattr(pi, "room", 5 << 20),
        "disk",
        "only 5 MiB are free",
        "16 MiB",
    ),
    ("no voltage", cut_supply("0x50005"), "power", "has too little voltage now", "power supply"),
    (
        "no voltage before",
        cut_supply("0x50000"),
        "power",
        "had too little voltage since it was",
        "power supply",
    ),
    (
        "hot",
        cut_supply("0x8"),
        "power",
        "the Pi is slowed down: soft temperature limit",
        "heat sink",
    ),
    (
        "serial off",
        no_ports,
        "reader",
        "reader: the serial port /dev/serial0 is not there",
        "raspi-config, Interface Options, Serial",
    ),
    (
        "a console",
        lambda pi: pi.write("proc/cmdline", "console=serial0,115200 console=tty1"),
        "reader",
        "a login shell sits on /dev/serial0",
        "login shell no",
    ),
    (
        "a getty",
        lambda pi: pi.commands.update(
            {"systemctl is-active serial-getty@ttyAMA0.service": "active\n"}
        ),
        "reader",
        "a login shell sits on /dev/serial0",
        "login shell no",
    ),
    (
        "a held port",
        lambda pi: pi.runs(77, "ModemManager", "/dev/null", "/dev/ttyAMA0"),
        "reader",
        "/dev/serial0 is held by ModemManager (77)",
        "end that program",
    ),
    (
        "no pins",
        lambda pi: pi.remove("dev/gpiochip0"),
        "pins",
        "lamps, knob: this machine has no GPIO chip",
        "--profile simulated",
    ),
    (
        "the other plug of a Pi 5",
        debug_plug,
        "reader",
        "/dev/serial0 is the small plug between the HDMI sockets",
        'port = "/dev/ttyAMA0"',
    ),
    (
        "no lgpio",
        lambda pi: pi.libraries.discard("lgpio"),
        "pins",
        "the library lgpio is missing",
        "apt-get install python3-lgpio",
    ),
    (
        "no SPI",
        lambda pi: pi.remove("dev/spidev0.0"),
        "board",
        "bus /dev/spidev0.0 is not there",
        "Interface Options, SPI",
    ),
    (
        "no spidev",
        lambda pi: pi.libraries.discard("spidev"),
        "board",
        "the library spidev is missing",
        "python3-spidev",
    ),
    (
        "no sound",
        lambda pi: pi.write("proc/asound/cards", "--- no soundcards ---"),
        "sound",
        "no sound card is there",
        "USB sound",
    ),
    (
        "a desktop",
        lambda pi: pi.runs(90, "labwc"),
        "desktop",
        "a desktop is running (labwc)",
        "OS Lite",
    ),
]


def test_words_that_the_voice_has_not_are_told(pi: Pi, state: Path) -> None:
    """A pack built here that says other words than the wording, in front of the one that ships:
    which, and the command that mends it."""
    pack = shutil.copytree(VOICES / "it", built_folder(state, "it"))
    manifest = json.loads((pack / "manifest.json").read_text())
    for name in ("number.7", "saying.88"):
        manifest["clips"][name]["text"] = "Sette?"
    (pack / "manifest.json").write_text(json.dumps(manifest))
    over = {"hall": {"language": "it"}, "calling": {"style": "sayings"}}
    [advice] = examine(pi.inventory, load_settings("simulated", over=over), state).advice
    assert (advice.part, "or says others: number.7, saying.88" in str(advice.say)) == (
        "voice",
        True,
    )
    assert "./loto voice build --lang it" in str(advice.todo)


def test_a_theme_that_nobody_speaks_is_told(
    pi: Pi, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no maker is installed the words of a programme's theme cannot be spoken: what to
    install; nothing is said where the hall wants no names."""
    monkeypatch.setenv("PATH", str(tmp_path))
    programme = tmp_path / "pictures.toml"
    programme.write_text('name = "Night"\n[[games]]\nname = "Pictures"\ntheme = "spelling"\n')
    over = {"hall": {"language": "it"}, "game": {"programme": programme}}
    [advice] = examine(pi.inventory, load_settings("simulated", over=over), state).advice
    assert (advice.part, "apt-get install espeak-ng" in str(advice.todo)) == ("voice", True)
    over["calling"] = {"names": False}
    assert examine(pi.inventory, load_settings("simulated", over=over), state).advice == ()


@pytest.mark.parametrize(
    ("harm", "area", "what", "todo"),
    [fault[1:] for fault in FAULTS],
    ids=[fault[0] for fault in FAULTS],
)
def test_each_fault_has_its_sentence(
    pi: Pi, state: Path, harm: Callable[[Pi], object], area: str, what: str, todo: str
) -> None:
    """One thing is wrong: one fault, in plain words, and what to do; on a simulated profile what is
    a device's is none."""
    harm(pi)
    fault = only(seen(pi, state))
    assert fault.part == area
    assert what in str(fault.say)
    assert todo in str(fault.todo)
    simulated = seen(pi, state, "simulated").faults
    assert simulated == ((fault,) if area in ("system", "disk", "power") else ())


@pytest.mark.parametrize(
    ("group", "area"),
    [("dialout", "reader"), ("gpio", "pins"), ("spi", "board"), ("audio", "sound")],
)
def test_a_user_without_a_devices_group(pi: Pi, state: Path, group: str, area: str) -> None:
    """Each device's group is missed by name; the installed service, and root, have them all."""
    pi.commands["id -nG"] = pi.commands["id -nG"].replace(group, "")
    fault = only(seen(pi, state))
    assert (fault.part, str(fault.todo)) == (
        area,
        f"sudo usermod -aG {group} $USER, then log in again",
    )
    pi.write("etc/systemd/system/loto-core.service")
    assert not seen(pi, state).faults
    pi.remove("etc/systemd/system/loto-core.service")
    pi.commands["id -nG"] = "root\n"
    assert not seen(pi, state).faults


def test_the_disk_is_a_disk(pi: Pi, state: Path) -> None:
    """Kept in memory, or on a disk that cannot be written: both named; a TEST may be kept in
    memory."""
    assert (
        str(seen(pi, Path("/data/loto")).faults[0].say)
        == "the disk of /data/loto cannot be written (ext4 on /data)"
    )
    report = seen(pi, Path("/run/loto"))
    assert "kept in memory (tmpfs on /run) and gone when the power goes" in str(
        report.faults[0].say
    )
    assert not seen(pi, Path("/run/loto"), "simulated").faults
    pi.write("proc/self/mountinfo", "not a table")
    (advice,) = seen(pi, state).advice
    assert "cannot be told" in str(advice.say)


def test_a_reader_on_a_usb_plug(pi: Pi, state: Path) -> None:
    """Missing: the others that are there are named by their lasting names. Found by a passing name:
    the lasting is advised."""
    pi.plug("ttyUSB0", "usb-FTDI_FT232R-if00-port0")
    fault = only(seen(pi, state, reader={"port": "/dev/ttyUSB1"}))
    assert str(fault.todo).endswith(
        "there are: /dev/serial0, /dev/serial/by-id/usb-FTDI_FT232R-if00-port0"
    )
    report = seen(pi, state, reader={"port": "/dev/ttyUSB0"})
    assert not report.faults
    assert (
        str(report.advice[0].todo)
        == "write port = '/dev/serial/by-id/usb-FTDI_FT232R-if00-port0' in the settings"
    )
    assert (
        seen(pi, state, reader={"port": "/dev/serial/by-id/usb-FTDI_FT232R-if00-port0"}).advice
        == ()
    )
    pi.remove("dev/ttyUSB0")  # the link leads nowhere now
    assert "is not there" in str(
        only(seen(pi, state, reader={"port": "/dev/serial/by-id/usb-FTDI_FT232R-if00-port0"})).say
    )
    assert seen(pi, state, reader={"port": "socket://10.0.0.5:4000"}).faults == ()
    no_ports(pi)
    assert (
        str(only(seen(pi, state, reader={"port": "/dev/ttyUSB1"})).todo)
        == "plug it in: no serial port is there at all"
    )


def test_the_stations_own_hold_is_no_fault(pi: Pi, state: Path) -> None:
    """The doctor is asked while the station runs."""
    pi.runs(88, "python3", "/dev/ttyAMA0")
    report = seen(pi, state)
    assert not report.faults
    assert report.facts["serial ports"] == "/dev/serial0 → /dev/ttyAMA0, held by python3 (88)"


def test_a_reader_that_types(pi: Pi, state: Path) -> None:
    """Its keyboard is looked for by its lasting name; with its library, and its group."""
    wedge = load_settings("rfid").model_dump()
    wedge["devices"]["reader"] = {
        "driver": "wedge",
        "device": "/dev/input/by-id/usb-Sycreader-event-kbd",
    }
    settings = Settings.model_validate(wedge)
    assert "plug it in: no keyboard is there" in str(
        only(examine(pi.inventory, settings, state)).todo
    )
    pi.plug("input/event5", "usb-Other-event-kbd")
    assert (
        str(only(examine(pi.inventory, settings, state)).todo)
        == "plug it in; there are: /dev/input/by-id/usb-Other-event-kbd"
    )
    pi.plug("input/event6", "usb-Sycreader-event-kbd")
    assert not examine(pi.inventory, settings, state).faults
    pi.libraries.discard("evdev")
    pi.commands["id -nG"] = "caller dialout gpio spi audio"
    missing, group = examine(pi.inventory, settings, state).faults
    assert "python3-evdev" in str(missing.todo)
    assert "-aG input" in str(group.todo)


def test_hands_that_type_and_expanders(pi: Pi, state: Path) -> None:
    """A number pad is looked for as a reader that types is; an expander's bus must be on, and open
    to whoever asks."""
    hall = load_settings("rfid").model_dump()
    del hall["devices"]["reader"]
    hall["devices"]["keys-pad"] = {
        "driver": "keys",
        "device": "/dev/input/by-id/usb-Pad-event-kbd",
        "numbers": True,
    }
    hall["devices"]["expander"] = {"driver": "mcp23017", "buttons": {"claim-2": "A0"}}
    settings = Settings.model_validate(hall)
    pad, bus = examine(pi.inventory, settings, state).faults
    assert str(pad.say) == "keys-pad: the keyboard /dev/input/by-id/usb-Pad-event-kbd is not there"
    assert str(bus.say) == "expander: the bus /dev/i2c-1 is not there"
    assert "I2C, then sudo loto install" in str(bus.todo)
    pi.plug("input/event5", "usb-Pad-event-kbd")
    pi.write("dev/i2c-1")
    pi.commands["id -nG"] = "caller dialout gpio spi audio input"
    [group] = examine(pi.inventory, settings, state).faults
    assert "-aG i2c" in str(group.todo)


def test_scanners_are_looked_at_as_readers_are(pi: Pi, state: Path) -> None:
    """At a serial port or as a keyboard: what is not there is named with the device's name, and
    what is there instead."""
    hall = load_settings("rfid").model_dump()
    del hall["devices"]["reader"]
    hall["devices"]["scanner"] = {"driver": "scanner", "port": "/dev/ttyACM0"}
    hall["devices"]["scanner-till"] = {
        "driver": "keyboard-scanner",
        "device": "/dev/input/by-id/usb-QR-event-kbd",
        "use": "sell",
    }
    settings = Settings.model_validate(hall)
    port, keyboard = examine(pi.inventory, settings, state).faults
    assert str(port.say) == "scanner: the serial port /dev/ttyACM0 is not there"
    assert (
        str(keyboard.say)
        == "scanner-till: the keyboard /dev/input/by-id/usb-QR-event-kbd is not there"
    )
    pi.plug("ttyACM0", "usb-QR_Scanner-if00")
    pi.plug("input/event5", "usb-QR-event-kbd")
    report = examine(pi.inventory, settings, state)
    assert not report.faults
    assert "write port = '/dev/serial/by-id/usb-QR_Scanner-if00'" in str(report.advice[0].todo)


def test_buzzers_are_looked_at_by_how_they_are_joined(pi: Pi, state: Path) -> None:
    """A box at a serial port as a reader is; buzzers on pins as buttons are."""
    devices = load_settings("rfid").model_dump()
    devices["devices"] = {"buzzers": {"driver": "buzzer-box", "port": "/dev/ttyACM0"}}
    fault = only(examine(pi.inventory, Settings.model_validate(devices), state))
    assert (fault.part, str(fault.say)) == (
        "buzzers",
        "buzzers: the serial port /dev/ttyACM0 is not there",
    )
    assert (
        str(fault.todo)
        == "plug it in, or change port in the settings (./loto setup asks for it); there are:"
        " /dev/serial0"
    )
    pi.plug("ttyACM0", "usb-Buzzer_box-if00")
    report = examine(pi.inventory, Settings.model_validate(devices), state)
    assert not report.faults
    assert "write port = '/dev/serial/by-id/usb-Buzzer_box-if00'" in str(report.advice[0].todo)
    devices["devices"] = {"buzzers": {"driver": "buzzers", "pins": {"1": 5}}}
    assert not examine(pi.inventory, Settings.model_validate(devices), state).faults
    pi.libraries.discard("lgpio")
    assert (
        str(only(examine(pi.inventory, Settings.model_validate(devices), state)).say)
        == "buzzers: the library lgpio is missing"
    )


def test_a_dice_tower_is_looked_at_as_a_reader_is(pi: Pi, state: Path) -> None:
    """Its port is there, or what to do is said."""
    devices = load_settings("rfid").model_dump()
    devices["devices"] = {"tower": {"driver": "dice-tower", "port": "/dev/ttyACM0"}}
    settings = Settings.model_validate(devices)
    fault = only(examine(pi.inventory, settings, state))
    assert (fault.part, str(fault.say)) == (
        "tower",
        "tower: the serial port /dev/ttyACM0 is not there",
    )
    pi.plug("ttyACM0", "usb-Dice_tower-if00")
    report = examine(pi.inventory, settings, state)
    assert not report.faults
    assert "write port = '/dev/serial/by-id/usb-Dice_tower-if00'" in str(report.advice[0].todo)


def test_a_board_in_colour_wants_a_large_buffer(pi: Pi, state: Path) -> None:
    """With the kernel's own 4096 bytes a picture would go out in pieces."""
    colour = load_settings("hall").model_dump()
    colour["devices"]["matrix"] = {"driver": "ws2812"}
    settings = Settings.model_validate(colour)
    assert "spidev.bufsiz=32768" in str(only(examine(pi.inventory, settings, state)).todo)
    pi.write("sys/module/spidev/parameters/bufsiz", "32768")
    assert not examine(pi.inventory, settings, state).faults


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        (0, "no knob is enrolled"),
        (88, "not enrolled: 2 knobs (89 and 90)"),
        (70, "not enrolled: 20 knobs"),
    ],
)
def test_knobs_without_a_tag(pi: Pi, tmp_path: Path, knobs: int, says: str) -> None:
    """A hall with a reader wants all ninety; a few are named; a table that cannot be read is told
    as it is."""
    save_tags(tmp_path, {1000 + knob: knob for knob in range(1, knobs + 1)})
    assert str(only(seen(pi, tmp_path)).say) == says
    assert seen(pi, tmp_path, "button").faults == ()
    (tmp_path / FILE).write_text("5")
    assert "not TOML" in str(only(seen(pi, tmp_path)).say)


def test_a_user_who_may_not_look_is_told_so(
    pi: Pi, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The installed station's folder is its own: asked without sudo the doctor does not say that
    the knobs are gone."""

    def closed(*_: object) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Disk, "read", closed)
    report = seen(pi, state)
    (advice,) = report.advice
    assert (report.faults, str(advice.todo)) == ((), "put sudo before the command")


@pytest.mark.parametrize(
    ("library", "area"), [("evdev", "reader"), ("lgpio", "pins"), ("spidev", "board")]
)
@pytest.mark.parametrize(
    ("debian", "installed", "todo"),
    [
        (False, True, "sudo apt-get install python3-{library}"),
        (False, False, "sudo apt-get install python3-{library}"),
        (True, True, "sudo loto install"),
        (True, False, None),
    ],
)
def test_a_library_of_debian_has_the_cure_that_helps(
    pi: Pi, state: Path, library: str, area: str, debian: bool, installed: bool, todo: str | None
) -> None:
    """A package that is missing is installed. One that is there, but that the installed station
    does not see, needs another install. A checkout shows it at its next start."""
    pi.plug("input/event5", "usb-Reader-event-kbd")
    reader = {"driver": "wedge", "device": "/dev/input/by-id/usb-Reader-event-kbd"}
    own = {"devices": {"reader": reader}}
    shipped = load_settings("hall").model_dump()
    settings = Settings.model_validate(
        {**shipped, "devices": {**shipped["devices"], **own["devices"]}}
    )
    pi.libraries.discard(library)
    pi.debian = {library} if debian else set()
    pi.installed = installed
    faults = examine(pi.inventory, settings, state).faults
    found = [(fault.part, str(fault.todo)) for fault in faults]
    assert found == ([] if todo is None else [(area, todo.format(library=library))])


def test_a_night_that_began_before_its_knobs_is_told(pi: Pi, tmp_path: Path) -> None:
    """Until the night has them; the table that it began with is none of today's."""
    with night_in(tmp_path):
        pass
    save_tags(tmp_path, {1000 + knob: knob for knob in range(1, 91)})
    pack_in_use(tmp_path).parent.mkdir(exist_ok=True)
    pack_in_use(tmp_path).touch()
    (advice,) = [fault for fault in seen(pi, tmp_path).advice if fault.part == "knobs"]
    assert "night 0001 began before these knobs were taught" in str(advice.say)
    assert "loto close-night" in str(advice.todo)
    (night,) = (tmp_path / "nights").iterdir()
    (night / tags_name((tmp_path / FILE).read_text())).touch()
    assert not [fault for fault in seen(pi, tmp_path).advice if fault.part == "knobs"]


def test_a_unit_that_was_not_fitted_to_the_settings_is_told(pi: Pi, state: Path) -> None:
    """Settings that name an expander since the installation: the core may not open its bus, and
    another install helps. A checkout has no unit."""
    pi.write("dev/i2c-1")
    pi.commands["id -nG"] += " i2c"
    expander = {"driver": "mcp23017", "buttons": {"claim-2": "A0"}}
    hall = load_settings("rfid").model_dump()
    settings = Settings.model_validate(
        {**hall, "devices": {**hall["devices"], "expander": expander}}
    )
    assert not examine(pi.inventory, settings, state, denied=denied).faults
    pi.installed = True
    fault = only(examine(pi.inventory, settings, state, denied=denied))
    assert "the service may not open char-i2c rw" in str(fault.say)
    assert str(fault.todo) == "sudo loto install"
    pi.write(DROP_IN.lstrip("/"), drop_in(["i2c"]))
    assert not examine(pi.inventory, settings, state, denied=denied).faults


def test_a_library_of_the_systems_python_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's own Python is asked apart from the station's."""
    (tmp_path / "only_there.py").touch()
    system = tmp_path / "python3"
    system.write_text(f'#!/bin/sh\nPYTHONPATH={tmp_path} exec {sys.executable} "$@"\n')
    system.chmod(0o755)
    assert not system_has("only_there")
    monkeypatch.setattr(inventory, "SYSTEM_PYTHON", str(system))
    assert system_has("only_there")
    assert not has_library("only_there")
    assert has_library("json")
    assert not system_has("nowhere")


def test_what_is_advised(pi: Pi, state: Path) -> None:
    """A clock that nobody sets, a screen that is off, no watchdog, sound that another may hold:
    told, and no game is stopped."""
    for name in ("run/systemd/timesync/synchronized", "dev/watchdog0"):
        pi.remove(name)
    pi.write("sys/class/drm/card1-HDMI-A-1/status", "disconnected")
    pi.runs(91, "pipewire")
    cut_supply("0x80000")(pi)
    report = seen(pi, state)
    assert not report.faults
    assert [fault.part for fault in report.advice] == [
        "power",
        "screen",
        "sound",
        "clock",
        "watchdog",
    ]
    pi.write("dev/rtc0")
    assert "clock" not in [fault.part for fault in seen(pi, state).advice]


@pytest.mark.parametrize(
    ("display", "second", "absent"),
    [
        ("", "2", ["2"]),
        ("", "HDMI-2", ["HDMI-2"]),
        ("HDMI-1", "HDMI-A-2", ["HDMI-A-2"]),
        ("hdmi-a-1", "1", []),
        ("HDMI-2", "HDMI-1", ["HDMI-2"]),
        ("HDMI-1", None, []),
    ],
)
def test_a_display_of_the_settings_is_not_connected(
    pi: Pi, state: Path, display: str, second: str | None, absent: list[str]
) -> None:
    """By number or by the name of its socket. The other display still shows the board."""
    table: dict[str, Any] = {"display": display}
    if second is not None:
        table["second"] = {"display": second}
    report = examine(pi.inventory, load_settings("hall", over={"screen": table}), state)
    assert not report.faults
    told = [fault for fault in report.advice if fault.part == "screen"]
    assert len(told) == len(absent)
    for one, name in zip(told, absent, strict=True):
        assert f"connected to {name}," in str(one.say)


def test_faults_stand_in_the_order_of_their_importance(pi: Pi, tmp_path: Path) -> None:
    """What may lose the record comes before what stops a game, and that before what is a pity;
    faulty settings before all."""
    for _, harm, *_ in FAULTS[2:]:
        if harm not in (no_ports, debug_plug):
            harm(pi)
    areas = [fault.part for fault in seen(pi, tmp_path / "empty").faults]
    wanted = ["disk", "power", "reader", "knobs", "pins", "board", "sound", "desktop"]
    assert [area for place, area in enumerate(areas) if area not in areas[:place]] == wanted
    report = examine(pi.inventory, None, tmp_path, "mine.toml: 1 fault")
    assert [fault.part for fault in report.faults] == ["settings"]
    assert (
        report.to_json()["faults"][0]["todo"]
        == "correct the file, or write a new one with ./loto setup"
    )


def test_what_is_there_is_told(pi: Pi) -> None:
    """Each fact in words; nothing is opened, and no command changes anything."""
    pi.write("sys/module/spidev/parameters/bufsiz", "32768")
    assert facts(pi.inventory) == {
        "board": "Raspberry Pi 4 Model B Rev 1.4",
        "system": "Debian GNU/Linux 12 (bookworm), 64 bits, Python 3.11",
        "GPIO chips": "/dev/gpiochip0",
        "serial ports": "/dev/serial0 → /dev/ttyAMA0",
        "SPI": "/dev/spidev0.0, 32768 bytes at once",
        "sound cards": "bcm2835_headpho - bcm2835 Headphones",
        "screens": "HDMI-A-1 connected, HDMI-A-2 empty",
        "keyboards": "none",
        "groups": "audio, caller, dialout, gpio, input, spi, video",
        "clock": "set by the network",
        "power": "good",
        "watchdog": "there",
    }
    assert {line.split()[0] for line in pi.asked} <= {"getconf", "id", "vcgencmd", "systemctl"}


def test_a_station_without_cards_is_told_how_they_are_made(pi: Pi, state: Path) -> None:
    """As advice, for a hall that plays with bought tickets needs none; on simulated devices there
    always are some."""
    pack_in_use(state).unlink()
    for folder in (state, state / "new"):
        [advice] = [fault for fault in seen(pi, folder).advice if fault.part == "cards"]
        assert "./loto pack make --strips 4 --plain" in str(advice.todo)
    assert seen(pi, state, "simulated").advice == ()


def test_the_doctor_speaks_the_words_that_all_check_ups_share(pi: Pi, state: Path) -> None:
    """What to do about the supply is in the language of the person who types."""
    cut_supply("0x1")(pi)
    with speaking("de"):
        assert str(only(seen(pi, state)).todo).startswith("nehmen Sie das Netzteil des Pi")
