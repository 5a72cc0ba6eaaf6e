"""Into a machine and out of it again: every file in its place, nothing changed twice, and
afterwards everything as before."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from random import Random

import pytest

from station.base.disk import Disk
from station.base.errors import Damaged, StoreError, Unreadable
from station.base.system import CommandFailed, NotPossibleNow, System, run_command
from station.machine.hotspot import FILE
from station.machine.install import PLACES, Choices, Installation
from station.machine.releases import PROGRAM, Releases
from station.machine.tv_off import WORD, add_word
from station.machine.update import Patience
from station.record.session import Session
from station.settings.tags import load_table, save_tags
from tests.installing import Machine, PowerCut, program
from tests.support import CLOCK, Told, night_in, play, run

SETTINGS = "etc/loto-station/station.toml"
CMDLINE = "boot/firmware/cmdline.txt"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine that knows nothing of the station."""
    return Machine(tmp_path / "root")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The program to install."""
    return program(tmp_path / "project")


def put(machine: Machine, path: str, text: str) -> Path:
    """A file that stood on the machine before."""
    place = machine.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    return place


def test_everything_is_put_in_place(machine: Machine, source: Path) -> None:
    """Each unit is linked by way of `current`, wanted by its target; program, command, settings and
    users are there; it runs."""
    machine.install(source)
    units = {path.name for path in (source / "systemd" / "system").iterdir()}
    for name in units:
        link = machine.root / "etc/systemd/system" / name
        assert os.readlink(link) == f"/opt/loto-station/current/systemd/system/{name}"
    wants = {
        path.name
        for path in (machine.root / "etc/systemd/system/loto-station.target.wants").iterdir()
    }
    assert wants == {
        "loto-core.service",
        "loto-web.service",
        "loto-screen.service",
        "loto-off.path",
        "loto-portal.socket",
    }
    assert os.readlink(machine.root / "usr/local/bin/loto") == PROGRAM
    release = machine.root / "opt/loto-station/releases" / machine.current
    assert (release / "setup/prepare.py").is_file()
    assert not (release / "tests").exists()
    launcher = release / ".venv/bin/loto"
    assert launcher.stat().st_mode & 0o111
    assert f"/opt/loto-station/releases/{machine.current}/.venv/bin/python" in launcher.read_text()
    assert 'profile = "simulated"' in (machine.root / SETTINGS).read_text()
    assert "loto-web:" in (machine.root / "etc/passwd").read_text()
    assert machine.running == machine.current


def test_done_again_nothing_changes(machine: Machine, source: Path) -> None:
    """The second time every file is as after the first, and nothing is said to be linked."""
    machine.install(source)
    before = machine.files()
    assert not [line for line in machine.install(source) if line.startswith("link")]
    assert machine.files() == before


def test_knobs_that_were_taught_come_along(machine: Machine, source: Path) -> None:
    """Ninety knobs are laid once: tried in a checkout, they are known in the machine; a table that
    is there already stays."""
    (source / "var").mkdir()
    save_tags(source / "var", {4711: 7})
    assert any(
        "var/tags.toml" in line
        for line in Installation(machine.system).plan(Choices("simulated"), source)
    )
    machine.install(source)
    state = machine.root / "var/lib/loto-station"
    assert load_table(state).knobs == {4711: 7}
    save_tags(source / "var", {815: 9})
    machine.install(source)
    assert load_table(state).knobs == {4711: 7}


@pytest.mark.parametrize("stood", [None, "my own\n"], ids=["nothing", "a file"])
def test_out_again_everything_is_as_before(
    machine: Machine, source: Path, stood: str | None
) -> None:
    """After install and uninstall with --purge every file, link, folder, user and mode is as
    before; also a file in our place."""
    put(machine, CMDLINE, "console=tty1 root=/dev/mmcblk0p2 rootwait\n")
    if stood is not None:
        put(machine, "etc/systemd/system/loto-core.service", stood).chmod(0o600)
        put(machine, "etc/tmpfiles.d/other.conf", "d /x\n")
    before = machine.files()
    machine.install(source, "hall", tv_off=True)
    assert machine.files() != before
    (machine.root / "var/lib/loto-station/nights").mkdir(parents=True)
    hotspot = put(machine, FILE.lstrip("/"), "psk=secret\n")
    machine.uninstall(purge=True)
    assert not hotspot.exists()
    shutil.rmtree(machine.root / "etc/NetworkManager")  # made by this test
    left = machine.files()
    for folder in ("var", "var/lib"):
        left.pop(folder)  # made by this test
    assert left == before
    assert machine.running is None


def test_the_nights_and_the_settings_are_kept(machine: Machine, source: Path) -> None:
    """Without --purge both stay, and the nights become root's: the next user of that number must
    not own them. The pages' key, which that user could read, goes."""
    machine.install(source)
    put(machine, "var/lib/loto-station/nights/0001/journal.jsonl", "{}\n")
    put(machine, "var/lib/loto-web/tls/station.pem", "a key\n")
    (machine.root / SETTINGS).write_text('profile = "hall"\n')
    machine.uninstall()
    assert (machine.root / "var/lib/loto-station/nights/0001/journal.jsonl").read_text() == "{}\n"
    assert (machine.root / SETTINGS).read_text() == 'profile = "hall"\n'
    assert "chown -R root:root /var/lib/loto-station" in machine.ran
    assert not (machine.root / "opt/loto-station").exists()
    assert not (machine.root / "var/lib/loto-web").exists()


def test_settings_that_are_there_stay(machine: Machine, source: Path) -> None:
    """The hall's settings are never written over."""
    put(machine, SETTINGS, 'profile = "rfid"\n')
    machine.install(source, "hall")
    assert (machine.root / SETTINGS).read_text() == 'profile = "rfid"\n'


@pytest.mark.parametrize(("profile", "open_to_the_hall"), [("simulated", False), ("hall", True)])
def test_simulated_pages_are_not_open_to_the_hall(
    machine: Machine, source: Path, profile: str, open_to_the_hall: bool
) -> None:
    """The first settings let phones in with real devices only: the bench could play the whole
    station."""
    machine.install(source, profile)
    assert ('host = "0.0.0.0"' in (machine.root / SETTINGS).read_text()) is open_to_the_hall


def test_without_a_screen_it_is_not_started(machine: Machine, source: Path) -> None:
    """With --no-screen, also when it was there before, the target does not want it."""
    wanted = machine.root / "etc/systemd/system/loto-station.target.wants/loto-screen.service"
    machine.install(source)
    assert wanted.is_symlink()
    machine.install(source, screen=False)
    assert not wanted.is_symlink()


@pytest.mark.parametrize(
    ("model", "there"), [("Raspberry Pi 4 Model B Rev 1.4\0", True), ("", False)]
)
def test_the_machine_watchdog_is_a_pis(
    machine: Machine, source: Path, model: str, there: bool
) -> None:
    """What is set for the Pi's watchdog is set on a Pi only."""
    if model:
        put(machine, "proc/device-tree/model", model)
    machine.install(source)
    assert (machine.root / "etc/systemd/system.conf.d/loto-station.conf").is_symlink() is there


def test_the_plan_changes_nothing_and_leaves_nothing_out(machine: Machine, source: Path) -> None:
    """--show names every link that install then makes and every command that it then runs, and
    changes no byte."""
    before = machine.files()
    told = "\n".join(Installation(machine.system).plan(Choices("hall"), source))
    assert machine.files() == before
    assert machine.ran == []
    machine.install(source, "hall")
    for place in PLACES.values():
        for path in (machine.root / place.lstrip("/")).rglob("*"):
            if path.is_symlink():
                assert f"/{path.relative_to(machine.root)} -> " in told
    for line in machine.ran:
        assert f"run: {line}" in told or line.startswith(("env ", "/opt/", "timeout "))


@pytest.mark.long
def test_an_install_that_was_cut_off_is_completed(tmp_path: Path, source: Path) -> None:
    """Whatever step the power goes at, installing again completes it, and uninstall leaves the
    machine as it was."""
    whole = Machine(tmp_path / "whole")
    whole.install(source)
    total, after = whole.power.steps, whole.files()
    # a third of them, for time; which, changes with each unit that is added
    for cut in range(0, total, 3):
        machine = Machine(tmp_path / str(cut))
        before = machine.files()
        machine.power.left = cut
        with pytest.raises(PowerCut):
            machine.install(source)
        machine.power.left = None
        machine.install(source)
        assert machine.files() == after
        machine.uninstall(purge=True)
        assert machine.files() == before


def test_an_uninstall_that_was_cut_off_is_completed(tmp_path: Path, source: Path) -> None:
    """Whatever step the power goes at, uninstalling again completes it."""
    whole = Machine(tmp_path / "whole")
    before = whole.files()
    whole.install(source)
    first = whole.power.steps
    whole.uninstall(purge=True)
    for cut in range(0, whole.power.steps - first, 3):
        machine = Machine(tmp_path / str(cut))
        machine.install(source)
        machine.power.left = cut
        with pytest.raises(PowerCut):
            machine.uninstall(purge=True)
        machine.power.left = None
        machine.uninstall(purge=True)
        assert machine.files() == before


def test_what_failed_is_said_and_can_be_done_again(machine: Machine, source: Path) -> None:
    """A command that fails stops with its words; done again when it is mended, everything is in
    place."""
    machine.fails.add("systemd-sysusers")
    with pytest.raises(CommandFailed, match="systemd-sysusers"):
        machine.install(source)
    machine.fails.clear()
    machine.install(source)
    machine.uninstall()
    with pytest.raises(Unreadable, match="nothing was installed"):
        machine.uninstall()


def test_a_night_that_is_played_keeps_its_release(
    machine: Machine, source: Path, tmp_path: Path
) -> None:
    """Another build is not installed over an evening; the same one is in nobody's way."""
    machine.install(source)
    with night_in(machine.root / "var/lib/loto-station", test=True) as night:
        run(play(Session(night, Told(), CLOCK, Random(3)), ["open"]))
    running = machine.current
    with pytest.raises(NotPossibleNow, match="night 0001 is open"):
        machine.install(program(tmp_path / "other", "0.2.0"))
    assert machine.current == running
    machine.install(source)


@pytest.mark.parametrize(
    ("broken", "said"), [(False, "the station answers"), (True, "journalctl -u loto-core")]
)
def test_it_says_whether_the_station_answers(
    machine: Machine, source: Path, broken: bool, said: str
) -> None:
    """Settings that are wrong do not hold the installation up for ever: after its patience it says
    where to look."""
    if broken:
        machine.broken.add(Releases(machine.system).place(source))
    now = 0.0

    def pause(seconds: float) -> None:
        nonlocal now
        now += seconds

    lines: list[str] = []
    Installation(machine.system, lines.append, Patience(20, lambda: now, pause)).install(
        Choices("simulated"), source
    )
    assert said in lines[-1]


def test_a_first_install_that_failed_early_is_taken_out_too(machine: Machine, source: Path) -> None:
    """Where the libraries could not be had there is a program and no record yet: uninstall leaves
    the machine as it was."""
    before = machine.files()
    machine.fails.add("env LOTO_VENV")
    with pytest.raises(CommandFailed):
        machine.install(source)
    assert machine.files() != before
    machine.uninstall()
    assert machine.files() == before


def test_what_stands_beside_the_program_is_not_removed(machine: Machine, source: Path) -> None:
    """Who unpacked the project into /opt/loto-station itself finds it there after uninstall."""
    put(machine, "opt/loto-station/README.md", "mine\n")
    before = machine.files()
    machine.install(source)
    machine.uninstall(purge=True)
    assert machine.files() == before


def test_a_night_that_begins_in_this_moment_keeps_its_release(
    machine: Machine, source: Path, tmp_path: Path
) -> None:
    """Between the first look and the stop a game was opened: the station goes on, with the release
    that it has."""
    machine.install(source)
    running = machine.current

    def play_a_night(_: object) -> None:
        with night_in(machine.root / "var/lib/loto-station", test=True) as night:
            run(play(Session(night, Told(), CLOCK, Random(3)), ["open"]))

    machine.then["systemctl stop"] = play_a_night
    with pytest.raises(NotPossibleNow, match="night 0001 is open"):
        machine.install(program(tmp_path / "other", "0.2.0"))
    assert machine.running == machine.current == running


def test_a_damaged_record_stops_it(machine: Machine, source: Path) -> None:
    """Without knowing what stood there before nothing is taken out."""
    machine.install(source)
    (machine.root / "opt/loto-station/installed.json").write_text("{")
    with pytest.raises(Damaged, match="what stood in this machine before"):
        machine.uninstall()


def test_a_folder_in_a_links_place_is_left_alone(machine: Machine, source: Path) -> None:
    """What is neither file nor link is not ours to replace."""
    (machine.root / "usr/local/bin/loto").mkdir(parents=True)
    with pytest.raises(StoreError, match="move it away"):
        machine.install(source)


def test_another_machines_root_runs_its_own_commands(tmp_path: Path) -> None:
    """Commands of a card that is mounted here run inside it; its services are not started here."""
    ran: list[tuple[str, ...]] = []
    system = System(tmp_path, here=False, run=lambda words: ran.append(tuple(words)) or "")
    system.command("systemd-sysusers")
    system.tell("systemctl", "restart", "loto-station.target")
    assert ran == [("chroot", str(tmp_path), "systemd-sysusers")]


def test_an_image_that_is_being_built_is_told_nothing(machine: Machine, source: Path) -> None:
    """In a root where no systemd runs nothing is told to it, going in and out, and nobody says that
    the station answers."""
    (machine.root / "run/systemd/system").rmdir()
    machine.fails = {"systemctl", "timeout"}
    said = machine.install(source)
    assert "answers" not in " ".join(said)
    assert "the station starts when the machine does" in said[-1]
    machine.uninstall()
    assert not [line for line in machine.ran if line.startswith(("systemctl", "timeout"))]
    assert [line for line in machine.ran if line.startswith("systemd-sysusers")]


def test_a_command_that_is_not_there_is_named() -> None:
    """A command that cannot be run, and one that fails, are said by name, with their own words."""
    with pytest.raises(CommandFailed, match="`no-such-command` cannot be run"):
        run_command(("no-such-command",))
    with pytest.raises(CommandFailed, match=r"(?s)failed \(3\).*sorry"):
        run_command(("sh", "-c", "echo sorry; exit 3"))
    assert run_command(("echo", "well")) == "well\n"


# -- a picture although the TV is off --------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("console=tty1 rootwait\n", f"console=tty1 rootwait {WORD}\n"),
        ("console=tty1 rootwait", f"console=tty1 rootwait {WORD}"),
        (f"console=tty1 {WORD}\n", f"console=tty1 {WORD}\n"),
        ("video=HDMI-A-1:1280x720@60 rootwait\n", "video=HDMI-A-1:1280x720@60 rootwait\n"),
        ("video=HDMI-A-2:1280x720@60\n", f"video=HDMI-A-2:1280x720@60 {WORD}\n"),
        ("one\ntwo\n", f"one {WORD}\ntwo\n"),
    ],
)
def test_the_kernels_line_gets_one_word(
    machine: Machine, source: Path, before: str, after: str
) -> None:
    """The word is added once, at the end of the line, and not where somebody chose for that output;
    and it goes again."""
    path = put(machine, CMDLINE, before)
    machine.install(source, tv_off=True)
    assert path.read_text() == after
    machine.install(source, tv_off=True)
    assert path.read_text() == after
    machine.uninstall()
    assert path.read_text() == before


class CutAtTheLine(Disk):
    """The power goes as the kernel's line is replaced."""

    def replace(self, source: Path, target: Path) -> None:
        if target.name == "cmdline.txt":
            raise PowerCut
        super().replace(source, target)


def test_the_kernels_line_stands_beside_while_it_is_changed(machine: Machine) -> None:
    """Whatever a power cut leaves, the line as it was is there to be named again on another
    computer; else nothing is left."""
    path = put(machine, CMDLINE, "rootwait\n")
    with pytest.raises(PowerCut):
        add_word(System(machine.root, disk=CutAtTheLine()), lambda _: None)
    assert path.with_name("cmdline.txt.before").read_text() == "rootwait\n"
    add_word(System(machine.root), lambda _: None)
    assert [file.name for file in path.parent.iterdir()] == ["cmdline.txt"]


def test_what_others_wrote_since_stays_on_the_kernels_line(machine: Machine, source: Path) -> None:
    """Uninstall takes its word away and no other."""
    path = put(machine, CMDLINE, "rootwait\n")
    machine.install(source, tv_off=True)
    path.write_text(path.read_text().replace("rootwait", "rootwait quiet"))
    machine.uninstall()
    assert path.read_text() == "rootwait quiet\n"


def test_a_machine_without_a_kernels_line_is_told(machine: Machine, source: Path) -> None:
    """--tv-off where there is no such file is refused with a sentence."""
    with pytest.raises(Unreadable, match="Raspberry Pi OS"):
        machine.install(source, tv_off=True)


# -- releases --------------------------------------------------------------------------------------


def test_a_release_that_was_altered_is_not_used(machine: Machine, source: Path) -> None:
    """A release that is there is compared with its digests before it counts as placed."""
    machine.install(source)
    (machine.root / "opt/loto-station/releases" / machine.current / "setup/prepare.py").write_text(
        "# something else\n"
    )
    with pytest.raises(Damaged, match=r"prepare\.py"):
        machine.install(source)


def test_half_a_release_that_nobody_runs_is_placed_anew(
    machine: Machine, source: Path, tmp_path: Path
) -> None:
    """Its removal was cut off; with the whole one at hand that stops nobody."""
    machine.install(source)
    releases = Releases(machine.system)
    other = program(tmp_path / "other", "0.2.0")
    name = releases.place(other)
    (releases.folder / name / "setup/prepare.py").unlink()
    assert releases.place(other) == name
    assert (releases.folder / name / "setup/prepare.py").is_file()
    (releases.folder / name / "SHA256SUMS").unlink()
    with pytest.raises(Damaged):  # its own source: as of a package that was damaged
        releases.place(releases.folder / name)


def test_installed_over_a_trial_that_was_cut_off_nothing_is_on_trial(
    machine: Machine, source: Path, tmp_path: Path
) -> None:
    """Else the next start of the machine would leave the release that was just installed."""
    machine.install(source)
    new = program(tmp_path / "new", "0.2.0")
    releases = Releases(machine.system)
    releases.prepare(releases.place(new))
    releases.begin_trial(releases.place(new))
    machine.install(new)
    installed = machine.current
    machine.boot()
    assert (machine.running, installed) == (releases.place(new), releases.place(new))


def test_two_builds_of_a_version_are_two_releases(machine: Machine, tmp_path: Path) -> None:
    """The folder's name tells builds apart, so that one never overwrites the other."""
    releases = Releases(machine.system)
    one, other = (
        releases.place(program(tmp_path / name, "0.1.0", f"# {name}\n"))
        for name in ("one", "other")
    )
    assert one != other
    assert releases.names() == sorted((one, other))


def test_the_release_before_stays_and_no_older_one(
    machine: Machine, source: Path, tmp_path: Path
) -> None:
    """Another build installed over the first leaves a way back, and no more than two on the
    card."""
    machine.install(source)
    made = []
    for version in ("0.2.0", "0.3.0"):
        machine.install(program(tmp_path / version, version))
        made.append(machine.current)
    releases = Releases(machine.system)
    assert releases.names() == sorted(made)
    assert (releases.linked("previous"), releases.linked("current"), releases.linked("back")) == (
        *made,
        None,
    )


def test_a_folder_that_is_no_program_is_refused(machine: Machine, tmp_path: Path) -> None:
    """Something else is not placed as a release."""
    (tmp_path / "else").mkdir()
    with pytest.raises(Unreadable, match="not the station's program"):
        Releases(machine.system).place(tmp_path / "else")
