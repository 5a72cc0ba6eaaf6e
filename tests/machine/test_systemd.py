"""The units, users, folders and device rules, checked by systemd's own tools."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from station.machine.hotspot import ADDRESS, FILE

pytestmark = pytest.mark.systemd

FOLDER = Path(__file__).parents[2] / "systemd"
SERVICES = ("loto-core", "loto-web", "loto-screen")
HELPERS = ("loto-off", "loto-back", "loto-hotspot")  # they do one thing and end
PROGRAM = "/opt/loto-station/current/.venv/bin/loto"


class Unit:
    """A unit file as systemd reads it: `all` holds each setting as Section.Name, as often as it
    stands there."""

    def __init__(self, path: Path) -> None:
        self.all: dict[str, list[str]] = {}
        section = ""
        for line in path.read_text().splitlines():
            if found := re.fullmatch(r"\[(\w+)\]", line):
                section = found[1]
            elif line and not line.startswith("#"):
                name, _, value = line.partition("=")
                self.all.setdefault(f"{section}.{name}", []).append(value)

    def words(self, name: str) -> list[str]:
        """All the words of a setting, such as `Service.DeviceAllow`."""
        return " ".join(self.all.get(name, [])).split()


def unit(name: str) -> Unit:
    return Unit(FOLDER / "system" / f"{name}.service")


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_the_units_are_free_of_faults(tmp_path: Path) -> None:
    """`systemd-analyze verify` has nothing to say about any unit, all of them together."""
    copies = []
    for path in sorted((FOLDER / "system").iterdir()):
        text = path.read_text()
        if path.stem in SERVICES:
            assert f"ExecStart={PROGRAM} " in text
        copies.append(tmp_path / path.name)
        # The program is not installed here; systemd looks whether the file can be run.
        copies[-1].write_text(text.replace(PROGRAM, "/bin/true"))
    done = run("systemd-analyze", "verify", "--man=no", *copies)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


LIMITS = {
    "loto-core": 1.0,
    "loto-web": 1.5,
    "loto-screen": 1.0,
    "loto-off": 1.0,
    "loto-back": 1.0,
    "loto-hotspot": 1.0,
}


def test_every_service_has_a_limit() -> None:
    """No service is left out of the table above."""
    assert (
        {path.stem for path in (FOLDER / "system").glob("*.service")}
        == LIMITS.keys()
        == {*SERVICES, *HELPERS}
    )


@pytest.mark.parametrize(("name", "limit"), LIMITS.items())
def test_the_exposure_is_small(name: str, limit: float) -> None:
    """What `systemd-analyze security` adds up stays below what the design asks (2.0), with room."""
    done = run(
        "systemd-analyze",
        "security",
        "--offline=true",
        "--no-pager",
        FOLDER / "system" / f"{name}.service",
    )
    found = re.search(rf"exposure level for {name}\.service: ([0-9.]+)", done.stdout)
    assert found, done.stdout + done.stderr
    assert float(found[1]) <= limit


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_tries_for_ever_and_is_watched(name: str) -> None:
    """No start limit leaves the hall dark, a hang is found, and a refused system call does not
    kill."""
    settings = unit(name).all
    wanted = {
        "Unit.StartLimitIntervalSec": ["0"],
        "Unit.PartOf": ["loto-station.target"],
        "Service.Type": ["notify"],
        "Service.Restart": ["always"],
        "Service.SystemCallErrorNumber": ["EPERM"],
        "Install.WantedBy": ["loto-station.target"],
    }
    assert {key: settings.get(key) for key in wanted} == wanted
    assert "Service.WatchdogSec" in settings


def test_a_hung_core_is_back_in_time() -> None:
    """Until a hang is seen and ended at most 4 s may pass: half of the 8 is for starting and
    reading the night."""
    settings = unit("loto-core").all
    assert (
        float(settings["Service.WatchdogSec"][0]) + float(settings["Service.TimeoutAbortSec"][0])
        <= 4
    )
    assert settings["Service.RestartSec"] == ["200ms"]


def test_the_core_has_devices_and_no_network() -> None:
    """The one with the journal speaks through its socket only, and has only the kinds of device it
    uses."""
    core = unit("loto-core")
    assert core.words("Service.RestrictAddressFamilies") == ["AF_UNIX"]
    assert core.words("Service.PrivateNetwork") == ["yes"]
    kinds = {word for word in core.words("Service.DeviceAllow") if word != "rw"}
    assert kinds == {
        f"char-{kind}"
        for kind in ("gpiochip", "ttyUSB", "ttyACM", "ttyAMA", "ttyS", "spi", "alsa", "input")
    }
    # In a user namespace every peer of the socket would be "nobody", and roles would be lost.
    assert "Service.PrivateUsers" not in core.all
    # gpiozero finds out which board it is on from /proc.
    assert "Service.ProcSubset" not in core.all


@pytest.mark.parametrize("name", ["loto-web", "loto-screen"])
def test_what_shows_the_game_cannot_take_it_down(name: str) -> None:
    """It waits for the core and does not die with it, may not see the night's folder, and makes no
    run folder of its own."""
    shown = unit(name)
    assert "Unit.Requires" not in shown.all
    assert "Unit.BindsTo" not in shown.all
    assert "loto-core.service" in shown.words("Unit.Wants")
    assert "loto-core.service" in shown.words("Unit.After")
    assert shown.words("Service.InaccessiblePaths") == ["-/var/lib/loto-station"]
    assert "Service.RuntimeDirectory" not in shown.all
    assert "RUNTIME_DIRECTORY=/run/loto-station" in shown.words("Service.Environment")


def test_the_web_has_no_devices_and_the_hall_only() -> None:
    """The one that strangers talk to has nothing to touch, and no address outside private
    networks."""
    web = unit("loto-web")
    assert web.words("Service.PrivateDevices") == ["yes"]
    assert web.words("Service.IPAddressDeny") == ["any"]
    assert "any" not in web.words("Service.IPAddressAllow")


# The settings by which a sandbox lets something through; all others forbid.
LETS = (
    "DeviceAllow",
    "SupplementaryGroups",
    "RestrictAddressFamilies",
    "IPAddressAllow",
    "ReadWritePaths",
    "CapabilityBoundingSet",
    "AmbientCapabilities",
    "StateDirectory",
    "RuntimeDirectory",
)


def let_through() -> Iterator[tuple[str, str, list[str]]]:
    """The table of `systemd/README.md`: unit, setting, its words."""
    for line in (FOLDER / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and re.fullmatch("`loto-[a-z]+`", cells[0]):
            found = re.findall(r"`([A-Za-z]+)=([^`]*)`", cells[3])
            assert found, line
            yield from ((cells[0].strip("`"), name, value.split()) for name, value in found)


@pytest.mark.parametrize("name", [*SERVICES, *HELPERS])
def test_a_unit_lets_through_what_its_program_reaches_and_nothing_else(name: str) -> None:
    """Each row of the table stands in the unit: no device or socket of a program is forbidden.
    Nothing else is let through."""
    settings, rows = (
        unit(name),
        [(setting, words) for of, setting, words in let_through() if of == name],
    )
    for setting, words in rows:
        assert set(words) <= set(settings.words(f"Service.{setting}")), (
            f"{name}: {setting} lacks {words}"
        )
    for setting in LETS:
        named = {word for of, words in rows if of == setting for word in words}
        assert set(settings.words(f"Service.{setting}")) - {"rw"} == named, f"{name}: {setting}"


# What a sandbox line breaks, per service, and the one that may have it all the same.
TRAPS = {
    "ProcSubset": "gpiozero finds out which board it is on from /proc",
    "PrivateUsers": "every peer of the socket would be nobody, and roles would be lost",
    "PrivateDevices": "it is the one with the devices",
}


@pytest.mark.parametrize("setting", TRAPS)
def test_the_core_avoids_the_trap(setting: str) -> None:
    """What would take its board, its peers or its devices from the core is not in its unit, and the
    unit says why."""
    core = unit("loto-core")
    assert f"Service.{setting}" not in core.all
    assert setting in (FOLDER / "system" / "loto-core.service").read_text()


@pytest.mark.parametrize("name", [*SERVICES, *HELPERS])
def test_a_filtered_call_is_an_error_and_no_death(name: str) -> None:
    """Every system call filter says EPERM: without it a library that asks for more than it needs
    ends the process."""
    settings = unit(name)
    assert "Service.SystemCallFilter" in settings.all
    assert settings.all["Service.SystemCallErrorNumber"] == ["EPERM"]


def test_the_wish_to_be_switched_off_is_the_cores_alone() -> None:
    """The path unit watches the file that the core leaves in its run folder, which outlives the
    core's restart; the service takes it away before it switches off: a machine that stays on is not
    switched off again and again.
    """
    path, service, core = (
        Unit(FOLDER / "system" / "loto-off.path"),
        unit("loto-off"),
        unit("loto-core"),
    )
    (watched,) = path.all["Path.PathExists"]
    assert watched == "/run/loto-station/off"
    assert core.all["Service.RuntimeDirectory"] == ["loto-station"]
    assert core.all["Service.RuntimeDirectoryMode"] == ["0750"]  # its group may not write
    assert core.all["Service.RuntimeDirectoryPreserve"] == ["restart"]
    assert service.all["Service.ExecStart"] == [
        f"/bin/rm -f {watched}",
        "/bin/systemctl poweroff --no-block",
    ]
    assert path.all["Install.WantedBy"] == ["loto-station.target"]


def test_a_trial_that_the_power_ended_is_undone_before_the_station_starts() -> None:
    """One rename, by nothing that belongs to a release; at the machine's start only: the target
    starts within a trial, too."""
    back = unit("loto-back")
    assert back.all["Service.ExecStart"] == [
        "/bin/mv -T /opt/loto-station/back /opt/loto-station/current"
    ]
    assert back.all["Unit.ConditionPathIsSymbolicLink"] == ["/opt/loto-station/back"]
    assert set(back.words("Unit.Before")) == {f"{name}.service" for name in SERVICES}
    assert back.all["Install.WantedBy"] == ["multi-user.target"]


def test_the_television_never_shows_a_login() -> None:
    """The screen's unit ends the login prompt of the first console, for as long as the station is
    meant to run; other consoles keep theirs."""
    screen = unit("loto-screen")
    assert screen.words("Unit.Conflicts") == ["getty@tty1.service"]
    assert "getty@tty1.service" in screen.words("Unit.After")
    for name in (*SERVICES, *HELPERS):
        assert not {word for word in unit(name).words("Unit.Conflicts") if "tty1" not in word}


def test_port_80_is_opened_in_the_own_wifi_alone() -> None:
    """On its address only, and only where there is such a Wi-Fi; the pages take it."""
    port = Unit(FOLDER / "system" / "loto-portal.socket")
    assert port.all["Socket.ListenStream"] == [f"{ADDRESS}:80"]
    assert port.all["Unit.ConditionPathExists"] == [FILE]
    assert port.all["Socket.Service"] == ["loto-web.service"]
    assert unit("loto-web").words("Service.Sockets") == ["loto-portal.socket"]


def test_the_hotspot_waits_only_where_there_is_one() -> None:
    """Without NetworkManager's file the unit does nothing; the command that it runs is one, and its
    wait can be changed."""
    hotspot = unit("loto-hotspot")
    assert hotspot.all["Unit.ConditionPathExists"] == [FILE]
    assert hotspot.all["Service.ExecStart"] == [f"{PROGRAM} hotspot boot"]
    assert "LOTO_HOTSPOT_WAIT=30" in hotspot.words("Service.Environment")


def test_every_user_and_group_is_made(tmp_path: Path) -> None:
    """Each name that a unit or a rule uses is declared, on a machine that has none of them, and
    systemd can read it."""
    (tmp_path / "etc").mkdir()
    declared = (FOLDER / "sysusers.d" / "loto-station.conf").read_text()
    done = run(
        "systemd-sysusers", f"--root={tmp_path}", FOLDER / "sysusers.d" / "loto-station.conf"
    )
    assert done.returncode == 0, done.stderr
    users = {line.split(":")[0] for line in (tmp_path / "etc/passwd").read_text().splitlines()}
    groups = {line.split(":")[0] for line in (tmp_path / "etc/group").read_text().splitlines()}
    members = {
        line.split(":")[0]: line.split(":")[3]
        for line in (tmp_path / "etc/group").read_text().splitlines()
    }
    for service in map(unit, SERVICES):
        assert set(service.words("Service.User")) <= users, declared
        assert {
            *service.words("Service.Group"),
            *service.words("Service.SupplementaryGroups"),
        } <= groups
    rules = (FOLDER / "udev" / "70-loto-station.rules").read_text()
    assert set(re.findall(r'GROUP="(\w+)"', rules)) <= groups
    assert set(members["loto"].split(",")) == {"loto-web", "loto-screen"}


def test_the_settings_folder_is_made(tmp_path: Path) -> None:
    """systemd-tmpfiles reads the file and makes /etc/loto-station, readable by all, written by
    root."""
    text = (FOLDER / "tmpfiles.d" / "loto-station.conf").read_text()
    assert "0755 root root" in text
    mine = tmp_path / "mine.conf"
    # Only root can give a folder to root.
    mine.write_text(text.replace("root root", f"{os.getuid()} {os.getgid()}"))
    done = run("systemd-tmpfiles", "--create", f"--root={tmp_path}", mine)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "etc/loto-station").stat().st_mode & 0o777 == 0o755


def test_device_rules_are_well_formed() -> None:
    """Every rule is a list of KEY, operator, "value"; udev's own checker agrees where there is one
    (systemd 254 and later)."""
    path = FOLDER / "udev" / "70-loto-station.rules"
    part = r'[A-Z]+(==|!=|=|\+=|:=)"[^"]*"'
    for line in path.read_text().splitlines():
        assert not line or line.startswith("#") or re.fullmatch(rf"{part}(, {part})*", line), line
    if "verify" in run("udevadm", "--help").stdout:
        done = run("udevadm", "verify", "--resolve-names=never", path)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_machine_watchdog_is_one_that_a_pi_has() -> None:
    """Above 15 s a Raspberry Pi's watchdog may not be set at all."""
    text = (FOLDER / "system.conf.d" / "loto-station.conf").read_text()
    found = re.search(r"^RuntimeWatchdogSec=(\d+)$", text, re.MULTILINE)
    assert found
    assert int(found[1]) < 15


def test_the_page_says_where_every_file_goes() -> None:
    """`systemd/README.md` has a row for each file that is to be installed."""
    table = (FOLDER / "README.md").read_text()
    files = [path for path in FOLDER.rglob("*") if path.is_file() and path.name != "README.md"]
    assert len(files) == 13
    for path in files:
        assert f"| `{path.relative_to(FOLDER)}` |" in table
