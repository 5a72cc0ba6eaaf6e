"""Find the numbered nights of a state folder: which should be there, how each follows another."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from station.base.disk import Disk
from station.base.errors import Damaged
from station.base.tongue import key, tr
from station.night.opening import Opening, closes, opening_of
from station.record.chain import SIGNATURE, alone
from station.record.journal import FILE, LONGEST_LINE, disk_errors, read
from station.record.traces import HEADS

NIGHT = re.compile("[0-9]{4}")
KEEP_A_COPY = key("keep a copy, play on paper")


def night_folders(state: Path, disk: Disk | None = None) -> list[Path]:
    """Return the folders of the nights that have begun, oldest first.

    The last folder may be one whose opening line never became durable: it is no night yet, and its
    number is used again.

    Raises:
        StoreError: the folder cannot be read.
        Damaged: a night that should be there is not, or its journal is not.
    """
    disk = disk or Disk()
    folders = numbered_folders(state, disk)
    for folder in folders[:-1]:
        if not disk.size(folder / FILE):
            gone = tr("the journal is gone, and a night after it is there")
            raise Damaged(f"{folder / FILE}:1: {gone}: {tr(KEEP_A_COPY)}")
    return folders if not folders or _begun(folders[-1], disk) else folders[:-1]


def numbered_folders(state: Path, disk: Disk) -> list[Path]:
    """Return the folders of all nights, oldest first, whatever is in them.

    Raises:
        StoreError: the folder cannot be read.
        Damaged: a number is missing, or no folder has it.
    """
    nights = state / "nights"
    with disk_errors(nights):
        found = disk.names(nights) if disk.is_folder(nights) else []
    names = sorted(filter(NIGHT.fullmatch, found))
    for number, name in enumerate(names, 1):
        if int(name) != number:
            gone = tr("this night is gone, and night {night} is there", night=int(name))
            raise Damaged(f"{nights / f'{number:04d}'}: {gone}: {tr(KEEP_A_COPY)}")
        if disk.is_link(nights / name) or not disk.is_folder(nights / name):
            other = tr("a night is a folder, and something else stands here")
            raise Damaged(f"{nights / name}: {other}: {tr(KEEP_A_COPY)}")
    return [nights / name for name in names]


def check_unbegun(folder: Path, names: Iterable[str], disk: Disk) -> None:
    """Check that nothing in a folder without a journal line shows that its night had begun.

    Raises:
        Damaged: something shows that, or its journal is no file.
    """
    path = folder / FILE
    if path.name in names and not disk.is_file(path):
        other = tr("a link, a pipe or a folder stands here, where the journal should be")
        raise Damaged(f"{path}: {other}: {tr(KEEP_A_COPY)}")
    if HEADS in names:
        gone = tr("the journal is gone, and {file} of this night is there", file=HEADS)
        raise Damaged(f"{path}:1: {gone}: {tr(KEEP_A_COPY)}")


def _begun(folder: Path, disk: Disk) -> bool:
    """Return whether a night's first line is there. It must be, if a head was kept."""
    if disk.is_file(folder / FILE) and read(folder / FILE, prev_for(folder, disk), disk).lines:
        return True
    check_unbegun(folder, names_in(folder, disk), disk)
    return False


def names_in(folder: Path, disk: Disk) -> frozenset[str]:
    """Return the names of the files in a night's folder.

    Raises:
        StoreError: the folder cannot be read.
    """
    with disk_errors(folder):
        return frozenset(disk.names(folder))


def first_line(folder: Path, disk: Disk) -> dict[str, Any]:
    """Return a night's first line, without reading the others.

    Raises:
        StoreError: it cannot be read.
        Damaged: it is not what was written.
    """
    path = folder / FILE
    try:
        with disk_errors(path):
            return alone(disk.read_first(path, LONGEST_LINE).partition(b"\n")[0])
    except ValueError as error:
        raise Damaged(f"{path}:1: {error}") from error


def opening_in(folder: Path, disk: Disk) -> Opening:
    """Return a night's opening. Raises as `first_line`."""
    return opening_of(first_line(folder, disk), f"{folder / FILE}:1")


def is_test(folder: Path, disk: Disk | None = None) -> bool:
    """Return whether a night that has begun is a TEST night. Raises as `first_line`."""
    return opening_in(folder, disk or Disk()).test


def is_open(folder: Path, disk: Disk | None = None) -> bool:
    """Return whether the night in this folder is still open.

    Raises:
        Damaged: its journal is damaged.
    """
    disk = disk or Disk()
    reading = read(folder / FILE, prev_for(folder, disk), disk)
    return bool(reading.lines) and not closes(reading.lines[-1])


def prev_for(folder: Path, disk: Disk) -> str:
    """Return the `prev` of a night's first line: the last signature of the night before."""
    closing = closing_before(folder, disk)
    return str(closing[SIGNATURE]) if closing is not None else ""


def closing_before(folder: Path, disk: Disk) -> dict[str, Any] | None:
    """Return the line that closed the night before this one; None for the first night.

    It is read from the end of its file. That night is not verified here, so that a start takes the
    same time after five hundred nights; `verify` does that.
    """
    before = folder.with_name(f"{int(folder.name) - 1:04d}") / FILE
    if not disk.is_file(before):
        return None
    try:
        with disk_errors(before):
            return alone(disk.read(before, LONGEST_LINE)[:-1].rpartition(b"\n")[2])
    except ValueError as error:
        what = tr("the last line, which closed that night, is damaged")
        raise Damaged(f"{before}: {what}: {error}") from error
