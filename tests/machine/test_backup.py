"""The backup and the way back: all is in it, it is read again, a running station does not spoil it,
and nothing is lost."""

from __future__ import annotations

import errno
import json
import os
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from station.base.disk import Disk
from station.base.errors import StateInUse, StoreError, Unreadable
from station.base.system import NotPossibleNow
from station.core.proofs import PINS_FILE
from station.machine import backup
from station.machine import sticks as usb
from station.machine.backup import MANIFEST, BackupManifest, back_up, check
from station.machine.backup import restore as put_back
from station.machine.sticks import NoStick, sticks, the_stick
from station.record import audit, hidden
from station.record.heads import parse_heads
from station.record.journal import FILE
from station.record.session import Session
from station.record.station_key import make_key
from tests.support import CLOCK, MemoryDisk, Told, night_in, play, run

NAMING = 'profile = "hall"\n[game]\nprogramme = "evening.toml"\n'


def played(state: Path, *acts: str, new: bool = False) -> None:
    """Does that in the night of a state folder."""
    with night_in(state, test=True, new=new) as night:
        run(play(Session(night, Told(), CLOCK, Random(3)), acts))


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder with a closed night, packs, tags and keys; what is not data, too."""
    folder = tmp_path / "state"
    played(folder, "open", "draw", "close", "close-night")
    for name in ("packs/pack.csv", "tags.toml", "station.pub.old"):
        (folder / name).write_text(f"{name}\n")
    (folder / "run").mkdir()
    (folder / "run" / "token").write_text("not data\n")
    (folder / ".probe").write_text("not data\n")
    return folder


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """A settings file, and the programme that it names; beside them files of others."""
    folder = tmp_path / "etc"
    folder.mkdir()
    (folder / "evening.toml").write_text("# a programme\n")
    (folder / "strangers.toml").write_text("# with a secret\n")
    (folder / "station.toml").write_text(NAMING)
    return folder / "station.toml"


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    """Where a stick is mounted."""
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a state folder that is data."""
    skipped = ("lock", "run", "aside")
    files = (path for path in folder.rglob("*") if path.is_file())
    inside = {path.relative_to(folder): path for path in files}
    return {
        str(name): path.read_bytes()
        for name, path in inside.items()
        if name.parts[0] not in skipped and name.name[0] != "."
    }


def test_there_and_back(state: Path, settings: Path, stick: Path, tmp_path: Path) -> None:
    """What is put back on a new machine is the state folder byte for byte, with its modes, and the
    settings."""
    file = back_up(state, settings, stick)
    assert [path.name for path in stick.iterdir()] == [file.name]
    new = tmp_path / "new"
    done = put_back(file, new / "state", new / "etc")
    assert tree(new / "state") == tree(state)
    assert (new / "state/station.key").stat().st_mode & 0o777 == 0o600
    assert {path.name: path.read_text() for path in done.settings} == {
        "evening.toml": "# a programme\n",
        "station.toml": NAMING,
    }
    assert done.aside is None
    assert not (new / "state" / backup.DRAFT).exists()


def test_it_says_which_head_it_has(state: Path, stick: Path) -> None:
    """The manifest's head is the one that verify prints, and the file is named after it, for a Pi
    has no clock."""
    (night,) = audit.verify(state)
    file = back_up(state, None, stick)
    assert check(file).heads == (f"{night.night}:{night.head.seq}:{night.head.root}",)
    assert file.name == f"loto-backup-night-{night.night}-line-{night.head.seq}.tar"


def test_any_computer_opens_it(state: Path, settings: Path, stick: Path) -> None:
    """It is a plain tar archive, the manifest last; nothing in it that is no data."""
    with tarfile.open(back_up(state, settings, stick)) as tar:
        names = tar.getnames()
        opened = tar.extractfile(MANIFEST)
        assert opened is not None
        manifest = json.load(opened)
    assert names[-1] == MANIFEST
    assert names[:-1] == [one["name"] for one in manifest["files"]]
    assert {"settings/station.toml", "state/station.key", f"state/nights/0001/{FILE}"} <= set(names)
    assert not [name for name in names if "lock" in name or "run/" in name or "probe" in name]


def test_no_secret_of_people_is_in_a_backup(state: Path, stick: Path) -> None:
    """Whoever has the stick reads no hand that is being played, and guesses nobody's PIN."""
    (state / "nights/0001" / hidden.FILE).write_bytes(b"the cards of everybody")
    (state / PINS_FILE).write_bytes(b"{}")
    with tarfile.open(back_up(state, None, stick)) as tar:
        names = tar.getnames()
    assert not [name for name in names if hidden.FILE in name or PINS_FILE in name]


@pytest.mark.parametrize(
    "more", [b"", b'{"half a li', b"\0\0\0"], ids=["whole", "being written", "torn"]
)
def test_a_line_that_is_being_written_is_left_out(
    state: Path, stick: Path, tmp_path: Path, more: bytes
) -> None:
    """The copy of a journal ends with its last whole line, and is whole."""
    journal = state / "nights/0001" / FILE
    whole = journal.read_bytes()
    journal.write_bytes(whole + more)
    put_back(back_up(state, None, stick), tmp_path / "new", tmp_path / "etc")
    assert (tmp_path / "new/nights/0001" / FILE).read_bytes() == whole
    assert audit.verify(tmp_path / "new")


def test_a_journal_that_grows_meanwhile_is_a_good_copy(state: Path, stick: Path) -> None:
    """Lines that are written while the backup runs are in it or not; what is in it is a chain."""
    journal = state / "nights/0002" / FILE
    played(state, new=True)
    grew = 0

    def grow(*_: int) -> None:
        nonlocal grew
        if grew < 2:
            grew += 1
            played(state, *(("open",) if grew == 1 else ("draw",)))

    manifest = check(back_up(state, None, stick, grow))
    assert grew == 2
    copied = next(one for one in manifest.files if one.name.endswith(f"0002/{FILE}"))
    assert journal.read_bytes()[: copied.size].endswith(b"\n")
    assert copied.size < journal.stat().st_size


def test_a_head_that_is_kept_meanwhile_is_left_out(stick: Path, tmp_path: Path) -> None:
    """The game ends while the backup runs, its journal copied already: the copy has the heads up to
    its own alone."""
    state, ended = tmp_path / "signed", False
    state.mkdir()
    key = make_key(state)

    def go_on(*acts: str) -> None:
        with night_in(state, key=key) as night:
            run(play(Session(night, Told(), CLOCK, Random(3)), acts))

    def end(*_: int) -> None:
        nonlocal ended
        if not ended:
            ended = True
            go_on("close", "close-night")

    go_on("open", "draw")
    put_back(back_up(state, None, stick, end), tmp_path / "new", tmp_path / "etc")
    assert ended
    (night,) = audit.verify(tmp_path / "new")
    assert night.lines == 3
    assert not (tmp_path / "new/nights/0001/heads.txt").exists()
    assert audit.verify(state)[0].lines == 5
    assert len(parse_heads((state / "nights/0001/heads.txt").read_text(encoding="utf-8"))) == 2


COPIES = [
    "night-0001-of-a-trial",
    "copy/0001",
    "old/nights/0001",
    "nights/copy of 0001",
    "nights/0001/copy",
    "packs/0001",
]


@pytest.mark.parametrize("place", COPIES)
def test_a_copy_of_a_night_is_no_night(place: str, tmp_path: Path, stick: Path) -> None:
    """Put aside by an update, or copied by hand in the midst of the evening: what is backed up is
    the night itself, whole and signed, and the copy as it is."""
    state = tmp_path / "signed"
    state.mkdir()
    key = make_key(state)
    for acts in (("open", "draw"), ("close", "close-night")):
        with night_in(state, key=key) as night:
            run(play(Session(night, Told(), CLOCK, Random(3)), acts))
        if acts[0] == "open":
            shutil.copytree(state / "nights/0001", tmp_path / "kept")
    shutil.copytree(tmp_path / "kept", state / place)
    (night_found,) = audit.verify(state)
    file = back_up(state, None, stick)
    assert check(file).heads == (f"0001:{night_found.head.seq}:{night_found.head.root}",)
    put_back(file, tmp_path / "new", tmp_path / "etc")
    assert tree(tmp_path / "new") == tree(state)
    assert audit.verify(tmp_path / "new") == [night_found]


@pytest.mark.parametrize(
    "heads",
    [
        [3],
        [None],
        ["0001"],
        ["0001:1:x"],
        [f"night-2:1:{'b' * 64}"],
        [f"\x1b[2J:1:{'a' * 64}"],
        3,
        [[]],
    ],
)
def test_heads_that_no_station_wrote_are_refused(heads: object) -> None:
    """A head names a night, a line and a sum."""
    told = {"format": 1, "version": "1", "heads": heads, "files": []}
    with pytest.raises(Unreadable, match="is no backup"):
        BackupManifest.from_json(json.dumps(told).encode(), "x")


# -- the stick -------------------------------------------------------------------------------------


class Stick(Disk):
    """A stick with a fault.

    Args:
        room: bytes that are free.
        spoils: whether what is written is not what is read.
    """

    def __init__(self, room: int = 1 << 30, spoils: bool = False) -> None:
        self._room = room
        self._spoils = spoils

    def room(self, folder: Path) -> int:
        return self._room

    def sync(self, descriptor: int) -> None:
        if self._spoils:
            os.pwrite(descriptor, b"X", 600)
        super().sync(descriptor)


def failing(code: int, call: str = "sync") -> Disk:
    """A stick that gives this error."""
    disk = MemoryDisk()
    disk.fail_next(call, OSError(code, os.strerror(code)))
    return disk


@pytest.mark.parametrize(
    ("disk", "said"),
    [
        (Stick(room=1000), "it is full"),
        (failing(errno.ENOSPC), "it is full"),
        (failing(errno.EFBIG), "it is full"),
        (failing(errno.EROFS), "switch"),
        (failing(errno.EIO), "gone or broken"),
        (failing(errno.ENODEV), "gone or broken"),
        (failing(errno.EIO, "sync_folder"), "gone or broken"),
        (failing(errno.EINVAL), "cannot be written"),
        (Stick(spoils=True), "is not as it was copied"),
    ],
)
def test_a_stick_that_fails_is_said_and_left_as_it_was(
    state: Path, stick: Path, disk: Disk, said: str
) -> None:
    """Full, read-only, pulled out or forgetful: one sentence, and no unfinished file that could be
    taken for a backup."""
    with pytest.raises(StoreError, match=said):
        back_up(state, None, stick, disk=disk)
    assert not [path for path in stick.iterdir() if path.suffix != ".tar"]


@pytest.mark.parametrize(
    "fault", [KeyboardInterrupt, Unreadable, ValueError, StoreError, OSError, MemoryError]
)
@pytest.mark.parametrize(
    "late", [False, True], ids=["while it is written", "while it is read again"]
)
def test_whatever_ends_it_leaves_no_draft(
    state: Path, stick: Path, fault: type[BaseException], late: bool
) -> None:
    """The signing key is in the draft: whoever ends the backup, and with whatever, finds the stick
    as it was."""

    def fail(done: int, total: int) -> None:
        if done > total // 2 or not late:
            assert any(stick.iterdir())
            raise fault("ended")

    with pytest.raises(StoreError if fault is OSError else fault):
        back_up(state, None, stick, fail)
    assert not any(stick.iterdir())


def test_only_its_maker_reads_it(state: Path, stick: Path, tmp_path: Path) -> None:
    """The signing key is in it. A link that waits on the stick under the draft's name leads
    nowhere."""
    victim = tmp_path / "victim"
    victim.write_text("as it was")
    (stick / ".loto-backup.tar.new").symlink_to(victim)
    file = back_up(state, None, stick)
    assert file.stat().st_mode & 0o777 == 0o600
    assert victim.read_text() == "as it was"


def test_a_file_that_goes_meanwhile_is_no_fault_of_the_stick(
    state: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clip that the station throws away between the listing and the copy is in no backup, and
    stops none."""
    (state / "voices").mkdir()
    (state / "voices" / "old.wav").write_text("a name")
    listed = backup._sources

    def listed_then_gone(*where: Path) -> dict[str, Path]:
        found = listed(*where)
        (state / "voices" / "old.wav").unlink()
        return found

    monkeypatch.setattr(backup, "_sources", listed_then_gone)
    assert "state/voices/old.wav" not in {
        one.name for one in check(back_up(state, None, stick)).files
    }


def test_an_old_backup_stays_until_the_new_one_is_whole(state: Path, stick: Path) -> None:
    """A backup of the same name is replaced at once, and not by one that failed."""
    file = back_up(state, None, stick)
    before = file.read_bytes()
    (state / "tags.toml").write_text("others\n")
    with pytest.raises(StoreError):
        back_up(state, None, stick, disk=failing(errno.EIO))
    assert file.read_bytes() == before
    assert back_up(state, None, stick) == file
    assert file.read_bytes() != before


def test_a_station_that_was_only_tried_keeps_its_settings(
    settings: Path, stick: Path, tmp_path: Path
) -> None:
    """Play is no data; the settings are, and they come back."""
    tried = tmp_path / "tried"
    (tried / "test" / "nights").mkdir(parents=True)
    done = put_back(back_up(tried, settings, stick), tmp_path / "new", tmp_path / "new-etc")
    assert [path.name for path in done.settings] == ["evening.toml", "station.toml"]
    assert tree(tmp_path / "new") == {}


def test_there_must_be_something_and_somewhere(
    state: Path, settings: Path, stick: Path, tmp_path: Path
) -> None:
    """An empty folder is no station's, whatever the settings; a place that is not there is
    named."""
    (tmp_path / "empty").mkdir()
    for where in ("empty", "nowhere"):
        with pytest.raises(Unreadable, match="nothing here to back up"):
            back_up(tmp_path / where, settings, stick)
    with pytest.raises(Unreadable, match="where the stick is mounted"):
        back_up(state, None, tmp_path / "nowhere")


# -- the way back ----------------------------------------------------------------------------------


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-11_000])


def altered(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[700] ^= 1
    file.write_bytes(data)


def nonsense(file: Path) -> None:
    file.write_bytes(b"not a backup " * 1000)


def empty(file: Path) -> None:
    file.write_bytes(b"")


def gone(file: Path) -> None:
    file.unlink()


def of_a_damaged_night(file: Path) -> None:
    """Its digests are right: the night was damaged when it was copied."""
    source = file.parent / "damaged"
    played(source, "open", "draw", "draw")
    journal = source / "nights/0001" / FILE
    journal.write_bytes(journal.read_bytes().replace(b'"act":"draw"', b'"act":"drew"', 1))
    back_up(source, None, file)


@pytest.mark.parametrize("fault", [cut_off, altered, nonsense, empty, gone, of_a_damaged_night])
@pytest.mark.parametrize("force", [False, True])
def test_a_backup_that_is_not_whole_changes_nothing(
    state: Path, settings: Path, stick: Path, fault: Callable[[Path], None], force: bool
) -> None:
    """Whatever is wrong with it, it is found before anything is changed, and --force does not
    help."""
    file = back_up(state, settings, stick / "backup.tar")
    fault(file)
    before = tree(state)
    with pytest.raises((StoreError, Unreadable)):
        put_back(file, state, settings.parent, force=force)
    assert tree(state) == before
    assert not (state / backup.DRAFT).exists()


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("/etc/passwd", 0o644),
        ("state/../../outside", 0o644),
        ("elsewhere/file", 0o644),
        ("", 0o644),
        ("state", 0o644),
        ("state/a\0b", 0o644),
        ("state/run/control.sock", 0o644),
        ("state/.restored/nights", 0o644),
        ("settings/folder/file", 0o644),
        ("state/program", 0o4755),
        ("state/file", "0644"),
        (3, 0o644),
    ],
)
def test_a_backup_that_reaches_out_is_none(name: object, mode: object) -> None:
    """A manifest that names a place outside of state and settings, or rights that no file there
    has, is refused."""
    told = {
        "format": 1,
        "version": "1",
        "heads": [],
        "files": [{"name": name, "size": 0, "sha256": "", "mode": mode}],
    }
    with pytest.raises(Unreadable, match="is no backup"):
        BackupManifest.from_json(json.dumps(told).encode(), "x")


def test_a_backup_of_a_newer_kind_is_said(state: Path, stick: Path) -> None:
    """What a newer station made is not guessed at."""
    with pytest.raises(Unreadable, match="newer station"):
        BackupManifest.from_json(b'{"format": 2}', "x")


def test_a_full_disk_on_the_way_back_leaves_nothing(
    state: Path, settings: Path, stick: Path
) -> None:
    """What was unpacked so far goes again: it would keep the disk full, and the next time be taken
    for nights."""
    file = back_up(state, settings, stick)
    before = tree(state)
    with pytest.raises(StoreError, match="cannot be written"):
        put_back(file, state, settings.parent, force=True, disk=failing(errno.ENOSPC))
    assert tree(state) == before
    assert not (state / backup.DRAFT).exists()
    assert not (state / "aside").exists()


def test_what_the_backup_does_not_know_is_not_lost(
    state: Path, settings: Path, stick: Path
) -> None:
    """A night, or a line, that is here only: refused; with --force it is kept aside."""
    file = back_up(state, settings, stick)
    played(state, "open", "draw", "close", "close-night", new=True)
    before = tree(state)
    with pytest.raises(NotPossibleNow, match="0002: the backup does not hold all of this night"):
        put_back(file, state, settings.parent)
    assert tree(state) == before
    done = put_back(file, state, settings.parent, force=True)
    assert done.aside == state / "aside" / "1"
    assert sorted(path.name for path in (state / "nights").iterdir()) == ["0001"]
    assert tree(done.aside / "nights") == {
        name[7:]: data for name, data in before.items() if name.startswith("nights/")
    }


def test_an_open_night_is_not_replaced(state: Path, settings: Path, stick: Path) -> None:
    """Also where the backup has every line of it: the hall would go on with an older one."""
    played(state, "open", "draw", new=True)
    file = back_up(state, settings, stick)
    with pytest.raises(NotPossibleNow, match="this night is open"):
        put_back(file, state, settings.parent)
    put_back(file, state, settings.parent, force=True)


def test_a_running_station_is_not_replaced(state: Path, settings: Path, stick: Path) -> None:
    """While the station holds its folder nothing is put back, not even by force."""
    file = back_up(state, settings, stick)
    with night_in(state, new=True), pytest.raises(StateInUse, match="stop it first"):
        put_back(file, state, settings.parent, force=True)


def test_a_station_that_only_plays_is_not_replaced_either(
    state: Path, settings: Path, stick: Path
) -> None:
    """It holds its own half, and uses packs, card key and tags of the whole folder. Ended, its lock
    is in nobody's way."""
    file = back_up(state, settings, stick)
    before = tree(state)
    with night_in(state / "test", new=True), pytest.raises(StateInUse, match="stop it first"):
        put_back(file, state, settings.parent, force=True)
    assert {
        name: data for name, data in tree(state).items() if not name.startswith("test/")
    } == before
    (state / "test" / "lock").unlink()
    put_back(file, state, settings.parent)
    assert not (state / "test" / "lock").exists()


def test_settings_in_use_stay(state: Path, settings: Path, stick: Path) -> None:
    """Settings that differ are put beside those in use."""
    file = back_up(state, settings, stick)
    settings.write_text('profile = "rfid"\n')
    done = put_back(file, state, settings.parent)
    assert settings.read_text() == 'profile = "rfid"\n'
    assert settings.with_name("station.toml.from-backup") in done.settings


def everything(state: Path) -> set[bytes]:
    """What any file below holds."""
    return {path.read_bytes() for path in state.rglob("*") if path.is_file()}


class PowerCut(BaseException):
    """The power goes."""


class CutDisk(Disk):
    """A disk whose power goes at one rename.

    Args:
        left: renames until then; None for never.
    """

    def __init__(self, left: int | None = None) -> None:
        self.left = left
        self.renames = 0

    def replace(self, source: Path, target: Path) -> None:
        if self.renames == self.left:
            raise PowerCut
        self.renames += 1
        super().replace(source, target)

    def sync(self, descriptor: int) -> None:
        """All is on the medium: here the power goes between two steps."""

    def sync_folder(self, folder: Path) -> None:
        """All is on the medium."""


def test_the_power_may_go_on_the_way_back(
    state: Path, settings: Path, stick: Path, tmp_path: Path
) -> None:
    """At every rename: all nights are there, the old or the new ones, so that no station begins
    again with night 1; nothing of the old is lost; and done again it is completed."""
    file = back_up(state, settings, stick)
    wanted = tree(state)
    played(state, "open", "close", "close-night", new=True)
    known = {data for name, data in tree(state).items() if name.startswith("nights/")}
    whole = CutDisk()
    put_back(
        file, copied(state, tmp_path / "whole"), tmp_path / "etc-whole", force=True, disk=whole
    )
    exchanged = 0
    for left in range(whole.renames):
        there = copied(state, tmp_path / str(left))
        with pytest.raises(PowerCut):
            put_back(file, there, tmp_path / f"etc-{left}", force=True, disk=CutDisk(left))
        nights = len(audit.verify(there))
        assert nights in (1, 2)
        exchanged += nights == 1
        assert known <= everything(there)
        put_back(file, there, tmp_path / f"etc-{left}", force=True, disk=CutDisk())
        assert known <= everything(there)
        assert tree(there) == wanted
    assert 0 < exchanged < whole.renames


def copied(state: Path, to: Path) -> Path:
    """The same state folder again."""
    shutil.copytree(state, to)
    return to


# -- sticks ----------------------------------------------------------------------------------------


def machine_with(root: Path, disks: dict[str, tuple[bool, dict[str, str]]]) -> Path:
    """A machine's /proc and /sys: for each disk whether it can be taken out, and where its
    partitions are mounted, and how."""
    lines = ["1 0 179:2 / / rw - ext4 /dev/mmcblk0p2 rw"]
    for disk, (removable, partitions) in disks.items():
        folder = root / "sys/block" / disk
        for name in partitions:
            (folder / name).mkdir(parents=True, exist_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "removable").write_text("1\n" if removable else "0\n")
        for number, (name, mount) in enumerate(partitions.items(), len(lines) + 1):
            if mount:
                point, _, options = mount.partition(" ")
                lines.append(f"{number} 1 8:1 / {point} {options or 'rw'} - vfat /dev/{name} rw")
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/mountinfo").write_text("\n".join(lines) + "\n")
    (root / "sys/block").mkdir(parents=True, exist_ok=True)
    return root


CARD = {"mmcblk0": (False, {"mmcblk0p1": "/boot/firmware", "mmcblk0p2": "/"})}


@pytest.mark.parametrize(
    ("disks", "found"),
    [
        ({"sda": (True, {"sda1": "/media/pi/LOTO"})}, "/media/pi/LOTO"),
        ({"sda": (True, {"sda1": "/mnt"})}, "/mnt"),
        ({"sda": (True, {"sda1": "/media/my\\040stick"})}, "/media/my stick"),
        (
            {"sda": (False, {"sda1": "/var/lib/loto-station"}), "sdb": (True, {"sdb1": "/mnt"})},
            "/mnt",
        ),
        ({}, "no USB stick is plugged in"),
        ({"sda": (False, {"sda1": "/mnt"})}, "no USB stick is plugged in"),
        ({"sda": (True, {"sda1": "/", "sda2": ""})}, "no USB stick is plugged in"),
        ({"sda": (True, {"sda1": ""})}, "sudo mount /dev/sda1 /mnt"),
        ({"sda": (True, {"sda1": "/media/a ro"})}, "read-only"),
        (
            {"sda": (True, {"sda1": "/media/a"}), "sdb": (True, {"sdb1": "/media/b"})},
            "several sticks: name one",
        ),
    ],
)
def test_the_stick_is_found(
    tmp_path: Path, disks: dict[str, tuple[bool, dict[str, str]]], found: str
) -> None:
    """One stick that can be written to is found by itself; else it is said what is there and what
    to type."""
    root = machine_with(tmp_path, CARD | disks)
    if found.startswith("/"):
        assert the_stick(root) == root / found.lstrip("/")
    else:
        with pytest.raises(NoStick, match=found):
            the_stick(root)


def test_a_stick_without_partitions_is_one(tmp_path: Path) -> None:
    """A stick that is formatted as a whole is named by its disk."""
    root = machine_with(tmp_path, {"sdb": (True, {})})
    assert sticks(root) == [usb.Stick("/dev/sdb", None, False)]


def test_it_takes_what_the_settings_name(state: Path, settings: Path, stick: Path) -> None:
    """Programme, look and logo beside the settings; a file elsewhere is left out and named; the
    file that is named with --config is the one, whatever lies beside it."""
    folder = settings.parent
    (folder / "looks").mkdir()
    for name in ("looks/dark.toml", "logo.png", "logo.svg"):
        (folder / name).write_bytes(b"")
    (folder.parent / "away.toml").write_text("")
    hall = folder / "other.toml"
    for named, inside, outside in (
        (
            '[hall]\nlook = "looks/dark.toml"\nlogo = "logo.png"',
            ["logo.png"],
            ["dark.toml"],
        ),
        ('[hall]\nlook = "../away.toml"', [], ["away.toml"]),
        ('[hall]\nlogo = "logo.svg"', [], ["logo.svg"]),
        ('[game]\nprogramme = "./looks/../evening.toml"', ["evening.toml"], []),
        ('[game]\nprogramme = "tombola"', [], []),
        ('[game]\nprogramme = "strangers-of-none.toml"', [], []),
        ("[game]\nprogramme = 7", [], []),
        ("game = 7", [], []),
        ("[hall", [], []),
        ("", [], []),
    ):
        hall.write_text(named + "\n")
        found, left = backup.named_files(hall)
        assert [str(path.relative_to(folder)) for path in found] == sorted(["other.toml", *inside])
        assert [path.name for path in left] == outside
        with tarfile.open(back_up(state, hall, stick)) as tar:
            names = [name for name in tar.getnames() if name.startswith("settings/")]
        assert names == [f"settings/{name}" for name in sorted(["other.toml", *inside])]
