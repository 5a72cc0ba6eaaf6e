"""The state folder's ground: mounts as the kernel writes them, and as they really are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from station.base.errors import StoreError, Unreadable
from station.record import state_check
from station.record.state_check import Mount, check_room, check_state_folder, fault_of, parse_mounts

PROJECT = Path(__file__).parents[2]

TABLE = r"""21 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 ro
30 21 179:3 / /data rw,noatime shared:2 master:1 - ext4 /dev/mmcblk0p3 rw
31 21 0:30 / /media/my\040stick rw - vfat /dev/sda1 rw,errors=remount-ro
32 21 0:31 / /media/root-rw rw shared:9 - tmpfs tmpfs-root rw,size=1024k
33 1 0:32 / / rw shared:1 - overlay overlayroot rw,lowerdir=/,upperdir=/media/root-rw/overlay
"""


def test_the_table_of_mounts_is_read() -> None:
    """Number, place, kind and source of each, options of the mount and of its file system together,
    blanks unescaped."""
    mounts = parse_mounts(TABLE)
    assert mounts[21] == Mount(
        21, "/", "ext4", "/dev/mmcblk0p2", frozenset({"rw", "noatime", "ro"})
    )
    assert mounts[30].options == {"rw", "noatime"}
    assert mounts[31].point == "/media/my stick"
    assert "upperdir=/media/root-rw/overlay" in mounts[33].options
    assert mounts[32].name == "tmpfs on /media/root-rw"


@pytest.mark.parametrize(
    "line",
    ["", "x", "21 1 179:2 / / rw", "a 1 1:1 / / rw - ext4 /dev/a rw", "21 1 - ext4 /dev/a rw"],
)
def test_a_strange_line_is_named(line: str) -> None:
    """What is no line of mountinfo is said, not guessed at."""
    with pytest.raises(Unreadable, match="this line of the table of mounts cannot be read"):
        parse_mounts(f"{TABLE}{line}\n")


def mount(kind: str, *options: str) -> Mount:
    return Mount(1, "/data", kind, "source", frozenset(options))


@pytest.mark.parametrize(
    ("lies_on", "upper", "fault"),
    [
        (mount("ext4", "rw", "noatime", "commit=5"), None, ""),
        (mount("btrfs", "rw"), None, ""),
        (mount("overlay", "rw"), None, ""),
        (mount("overlay", "rw"), mount("ext4", "rw"), ""),
        (
            mount("tmpfs", "rw"),
            None,
            "kept in memory (tmpfs on /data) and gone when the power goes",
        ),
        (mount("ramfs", "rw"), None, "kept in memory"),
        (
            mount("overlay", "rw"),
            mount("tmpfs", "rw"),
            "an overlay (/data) that writes to memory (tmpfs on /data)",
        ),
        (mount("overlay", "rw", "volatile"), mount("ext4", "rw"), "mounted with volatile"),
        (
            mount("ext4", "rw", "nobarrier"),
            None,
            "mounted with nobarrier (ext4 on /data): what was synced may be lost",
        ),
        (mount("ext4", "rw", "barrier=0"), None, "mounted with barrier=0"),
        (mount("f2fs", "rw", "fsync_mode=nobarrier"), None, "mounted with fsync_mode=nobarrier"),
    ],
)
def test_what_is_no_disk_is_known(lies_on: Mount, upper: Mount | None, fault: str) -> None:
    """Memory, an overlay over memory, and mounts whose syncs mean nothing; any other is taken for a
    disk."""
    found = fault_of(lies_on, upper)
    assert (fault in found) if fault else found == ""


def table_for(folder: Path, kind: str, options: str, more: str = "") -> Path:
    """A table of mounts in which this folder lies on a file system of that kind."""
    number = state_check._mount_number(folder)  # the kernel's own, as the check will find it
    table = folder / "mountinfo"
    table.write_text(f"{number} 1 0:1 / /data {options} - {kind} source rw{more}\n")
    return table


@pytest.mark.parametrize(
    ("kind", "options", "more", "said"),
    [
        ("tmpfs", "rw", "", "kept in memory"),
        ("ext4", "ro", "", r"on a read-only file system \(ext4 on /data\)"),
        ("ext4", "rw", ",nobarrier", "mounted with nobarrier"),
    ],
)
def test_a_real_night_is_refused_there(
    tmp_path: Path, kind: str, options: str, more: str, said: str
) -> None:
    """In one sentence that names the folder and says what to do; a test night may be kept in
    memory, not where none can be."""
    mounts = table_for(tmp_path, kind, options, more)
    with pytest.raises(
        StoreError, match=f"{tmp_path}.*{said}.*Give --state a folder on .*Until then play on paper"
    ):
        check_state_folder(tmp_path, test=False, mounts=mounts)
    if options == "ro":
        with pytest.raises(StoreError, match=said):
            check_state_folder(tmp_path, test=True, mounts=mounts)
    else:
        check_state_folder(tmp_path, test=True, mounts=mounts)


def test_a_disk_is_found_good_and_left_clean(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The folder is made where it was not, nothing is left in it, and nothing is said."""
    mounts = table_for(tmp_path, "ext4", "rw")
    check_state_folder(tmp_path / "deep" / "state", test=False, mounts=mounts)
    assert list((tmp_path / "deep" / "state").iterdir()) == []
    assert caplog.records == []


@pytest.mark.parametrize(
    ("kind", "more", "said"),
    [
        ("overlay", ",upperdir=/no/such/folder", "/no/such/folder cannot be seen from here"),
        ("overlay", "", "cannot be seen"),
    ],
)
def test_an_overlay_that_cannot_be_judged_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str, more: str, said: str
) -> None:
    """In a container nobody can say what lies below: the log says so, and the night may be
    opened."""
    check_state_folder(tmp_path, test=False, mounts=table_for(tmp_path, kind, "rw", more))
    assert said in caplog.text


def test_an_overlay_over_memory_is_refused(tmp_path: Path) -> None:
    """The upper folder is looked for in the same table; here it is on the same mount, which is an
    overlay on itself."""
    upper = Path("/dev/shm")  # memory, on any Linux
    number, under = state_check._mount_number(tmp_path), state_check._mount_number(upper)
    table = tmp_path / "mountinfo"
    table.write_text(
        f"{number} 1 0:1 / / rw - overlay overlayroot rw,upperdir={upper}\n{under} 1 0:2 / {upper}"
        " rw - tmpfs tmpfs rw\n"
    )
    with pytest.raises(
        StoreError,
        match=(
            r"an overlay \(/\) that writes to memory \(tmpfs on /dev/shm\).*switch the overlay off"
        ),
    ):
        check_state_folder(tmp_path, test=False, mounts=table)


def test_a_mount_that_is_not_in_the_table_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What cannot be known is no reason to send a hall home."""
    table = tmp_path / "mountinfo"
    table.write_text("")
    check_state_folder(tmp_path, test=False, mounts=table)
    assert "is it a disk?" in caplog.text


def test_a_folder_that_is_a_file_is_one_sentence(tmp_path: Path) -> None:
    """The folder cannot be made where a file stands."""
    (tmp_path / "state").write_text("")
    with pytest.raises(
        StoreError, match=r"state: the state folder cannot be written \(File exists\)"
    ):
        check_state_folder(tmp_path / "state", test=True)


def test_a_night_wants_room(tmp_path: Path) -> None:
    """More than there is cannot be promised; what is free and what is needed are said."""
    free = os.statvfs(tmp_path)
    check_room(tmp_path)
    with pytest.raises(
        StoreError, match=r"MiB are free, \d+ are needed to open a night: make room"
    ):
        check_room(tmp_path, free.f_blocks * free.f_frsize + 1)


# -- real mounts -----------------------------------------------------------------------------------

# In a mount namespace of its own; $1 is a folder that is empty.
DISK = (
    "cd $1; truncate -s {size} i; mkfs.ext4 -q -N {files} i; mkdir d; mount -o loop{options} i d; "
)
PLACES = {
    "memory": ("mount -t tmpfs memory $1; echo $1/state", "kept in memory (tmpfs on "),
    "read-only": (
        "mount --bind $1 $1; mount -o remount,ro,bind $1; echo $1",
        "is on a read-only file system (",
    ),
    "overlay over memory": (
        (
            "mount -t tmpfs m $1; cd $1; mkdir u w l o; mount -t overlay o -o"
            " lowerdir=l,upperdir=$1/u,workdir=w o; echo $1/o/state"
        ),
        "that writes to memory (tmpfs on ",
    ),
    "through a link": (
        (
            "cd $1; mkdir m; mount -t tmpfs memory m; mkdir m/state; ln -s m/state state; echo"
            " $1/state"
        ),
        "kept in memory (tmpfs on ",
    ),
    "a disk": (DISK.format(size="40M", files=200, options="") + "echo $1/d/state", ""),
    "no barriers": (
        DISK.format(size="40M", files=200, options=",nobarrier") + "echo $1/d/state",
        "mounted with nobarrier",
    ),
    "a small disk": (
        DISK.format(size="8M", files=200, options="") + "echo $1/d/state",
        "are needed to open a night",
    ),
    "a full disk": (
        DISK.format(size="8M", files=200, options="")
        + "mkdir d/state; cat /dev/zero > d/full 2> /dev/null || true; echo $1/d/state",
        "0 MiB are free, 1 are needed to go on: make room",
    ),
    "no files left": (
        DISK.format(size="40M", files=16, options="") + "echo $1/d/state",
        "no room for more files",
    ),
}

CHECK = """
import pathlib, sys
from station.base.errors import StoreError
from station.record.state_check import check_room, check_state_folder
folder = pathlib.Path(sys.stdin.readline().strip())
try:
    check_state_folder(folder, test=False)
    check_room(folder)
except StoreError as error:
    print(error)
"""


@pytest.mark.root
@pytest.mark.parametrize("place", PLACES)
def test_real_mounts(place: str, tmp_path: Path) -> None:
    """The kernel's own mounts are seen through: memory, read-only, overlays, links, no room; and a
    disk is a disk."""
    lay, said = PLACES[place]
    script = f'set -e; set -- "$1" "$2" "$3"; ({lay}) | "$2" -c "$3"'
    done = subprocess.run(
        ["unshare", "--mount", "/bin/sh", "-c", script, "sh", tmp_path, sys.executable, CHECK],
        capture_output=True,
        text=True,
        check=False,
        cwd=PROJECT,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (said in done.stdout) if said else done.stdout == ""


@pytest.mark.root
def test_a_core_on_memory_says_why_it_does_not_start(tmp_path: Path) -> None:
    """With real devices, one sentence and the exit code of data that cannot be kept; nothing is
    left behind."""
    script = (
        'mount -t tmpfs memory "$1"; "$2" -m station core --profile button --state "$1/state";'
        ' code=$?; ls "$1/state"; exit $code'
    )
    done = subprocess.run(
        ["unshare", "--mount", "/bin/sh", "-c", script, "sh", tmp_path, sys.executable],
        capture_output=True,
        text=True,
        check=False,
        cwd=PROJECT,
        timeout=60,
    )
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (4, "run\n", 1)
    assert "gone when the power goes. Give --state a folder on a disk" in done.stderr
