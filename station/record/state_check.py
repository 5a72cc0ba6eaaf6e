"""Check before each start that the state folder is on a real disk, can be written, and has room.

The promise "what was heard is on disk" is worth what lies under the folder. A Raspberry Pi with its
overlay file system switched on writes to memory and looks well until the power goes; a card at its
end is made read-only by the kernel. Linux says what is mounted where in /proc/self/mountinfo
(proc(5)); `hw/readonly.md` shows how to lay a machine out well.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from station.base.errors import StoreError, Unreadable
from station.base.tongue import key, tr
from station.cards import PACK_FILE

log = logging.getLogger(__name__)

MOUNTS = Path("/proc/self/mountinfo")
NIGHT_ROOM = 16 << 20  # bytes to begin a night with; one needs well under one MiB
# to resume an open night: an evening must not end because the disk is nearly full
START_ROOM = 1 << 20
LEAST_FILES = 64
IN_MEMORY = frozenset({"tmpfs", "ramfs", "devtmpfs"})
# Mount options of ext4, f2fs and overlay under which a sync returns before the bytes are safe.
UNSAFE = frozenset({"nobarrier", "barrier=0", "fsync_mode=nobarrier", "volatile"})
PROBE = ".probe"
PAPER = key("Until then play on paper.")

TO_OPEN = (
    key("{free} MiB are free, {needed} are needed to open a night: make room on this disk"),
    key("its disk has no room for more files to open a night: remove some that are not needed"),
)
TO_GO_ON = (
    key("{free} MiB are free, {needed} are needed to go on: make room on this disk"),
    key("its disk has no room for more files to go on: remove some that are not needed"),
)


@dataclass(frozen=True, slots=True)
class Mount:
    """One line of mountinfo.

    Attributes:
        options: of this mount and of the file system in it, together.
    """

    number: int
    point: str
    kind: str
    source: str
    options: frozenset[str]

    @property
    def name(self) -> str:
        """Return how a person finds the mount in `findmnt`."""
        return tr("{kind} on {point}", kind=self.kind, point=self.point)


def parse_mounts(text: str) -> dict[int, Mount]:
    """Parse the kernel's table of mounts; return them by number.

    Raises:
        Unreadable: a line is not one of mountinfo.
    """
    mounts = {}
    for line in text.splitlines():
        try:
            left, right = line.split(" - ", 1)
            number, _, _, _, point, options, *_ = left.split(" ")
            kind, source, more = right.split(" ", 2)
            found = frozenset({*options.split(","), *map(_plain, more.strip().split(","))})
            mount = Mount(int(number), _plain(point), kind, _plain(source), found)
        except ValueError as error:
            unread = tr("this line of the table of mounts cannot be read: {line!r}", line=line)
            raise Unreadable(unread) from error
        mounts[mount.number] = mount
    return mounts


def _plain(word: str) -> str:
    """Replace the kernel's escapes: a space is written \040."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), word)


def fault_of(mount: Mount, upper: Mount | None = None) -> str:
    """Return why the record of a real night must not be kept on this mount; empty if it may.

    Args:
        upper: for an overlay, what its upper folder lies on, if that can be seen.
    """
    if mount.kind in IN_MEMORY:
        return tr("it is kept in memory ({mount}) and gone when the power goes", mount=mount.name)
    if upper is not None and upper.kind in IN_MEMORY:
        return tr(
            "it lies on an overlay ({point}) that writes to memory ({upper}): gone when the power"
            " goes",
            point=mount.point,
            upper=upper.name,
        )
    if unsafe := sorted(mount.options & UNSAFE):
        return tr(
            "it is mounted with {options} ({mount}): what was synced may be lost when the power"
            " goes",
            options=", ".join(unsafe),
            mount=mount.name,
        )
    return ""


def check_state_folder(folder: Path, *, test: bool, mounts: Path = MOUNTS) -> None:
    """Make the folder if it is missing, and check whether a night can be kept in it.

    Args:
        test: no money is taken: the folder may lie in memory, which is logged.
        mounts: the kernel's table of mounts.

    Raises:
        StoreError: one sentence for a person: what is wrong, and what to do.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if sys.platform == "linux":
            _check_mount(folder, test, mounts)
        _probe(folder)
    except StoreError:
        raise
    except OSError as error:
        why = tr(
            "the state folder cannot be written ({why}). Give --state a folder on a disk that can"
            " be written; if it is the right one, its disk is full, read-only or worn out.",
            why=error.strerror,
        )
        raise StoreError(f"{folder}: {why} {tr(PAPER)}") from error
    check_room(folder, START_ROOM, TO_GO_ON)


def check_room(folder: Path, least: int = NIGHT_ROOM, told: tuple[str, str] = TO_OPEN) -> None:
    """Check whether the folder's disk has room.

    Args:
        told: what is said if bytes are lacking, and if the disk has no room for more files.

    Raises:
        StoreError: it has too little.
    """
    found = os.statvfs(folder)
    room = found.f_bavail * found.f_frsize
    if room < least:
        why = tr(told[0], free=room >> 20, needed=least >> 20)
        raise StoreError(f"{folder}: {why}. {tr(PAPER)}")
    if found.f_files and found.f_favail < LEAST_FILES:  # some file systems count no files
        raise StoreError(f"{folder}: {tr(told[1])}. {tr(PAPER)}")


def _check_mount(folder: Path, test: bool, mounts: Path) -> None:
    table = parse_mounts(mounts.read_text(encoding="utf-8", errors="surrogateescape"))
    mount = table.get(_mount_number(folder))
    if mount is None:
        unknown = "%s: what it is mounted on cannot be found in %s; is it a disk?"
        log.warning(unknown, folder, mounts)
        return
    if "ro" in mount.options:
        why = tr(
            "the state folder is on a read-only file system ({mount}). Give --state a folder on the"
            " data partition; if this is the one, the kernel has locked it after an error: copy it"
            " and change the disk.",
            mount=mount.name,
        )
        raise StoreError(f"{folder}: {why} {tr(PAPER)}")
    fault = fault_of(mount, _upper(mount, table))
    if fault and test:
        log.info("%s: %s; allowed, for this is a TEST", folder, fault)
    elif fault:
        advice = tr("Give --state a folder on a disk, or switch the overlay off.")
        raise StoreError(f"{folder}: {fault}. {advice} {tr(PAPER)}")


def _mount_number(path: Path) -> int:
    """Return the number of the mount that a path is on, as the kernel sees it through links."""
    descriptor = os.open(path, os.O_PATH)
    try:
        text = Path(f"/proc/self/fdinfo/{descriptor}").read_text(encoding="ascii")
    finally:
        os.close(descriptor)
    found = re.search(r"^mnt_id:\s*(\d+)$", text, re.MULTILINE)
    return int(found[1]) if found is not None else -1


def _upper(mount: Mount, table: dict[int, Mount]) -> Mount | None:
    """Return the mount that an overlay writes to; None if it is out of sight, as in a container."""
    if mount.kind != "overlay":
        return None
    uppers = [option for option in mount.options if option.startswith("upperdir=")]
    upper = uppers[0].removeprefix("upperdir=") if uppers else ""
    try:
        found = table.get(_mount_number(Path(upper))) if upper else None
    except OSError:
        found = None
    if found is None:
        unseen = "%s: an overlay whose upper folder %s cannot be seen from here: %s"
        log.warning(unseen, mount.name, upper, "see to it that it is a disk")
    return found


def _probe(folder: Path) -> None:
    """Write and sync a file as the journal will: a worn-out card may mount well and fail then."""
    path = folder / PROBE
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o640)
    try:
        os.write(descriptor, bytes(4096))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    path.unlink()


def pack_in_use(state: Path) -> Path:
    """Return the path of a state folder's pack, which may not exist yet."""
    return state / "packs" / PACK_FILE


def has_no_cards(state: Path) -> bool:
    """Return whether there is no pack; False if the folder cannot be read."""
    path = pack_in_use(state)
    try:
        return path.name not in os.listdir(path.parent)
    except FileNotFoundError:
        return True
    except OSError:
        return False
