"""Restore a backup: check it as a whole, then put it in place; keep aside what was there.

A state folder that knows a night, or a line of one, that the backup does not is not replaced unless
that is asked for; and what stood there is kept in `aside/`, beside the nights, in any case. The
nights change in one step, so that a power cut cannot leave a station that finds none and begins
again with night 1; done again, an interrupted way back is completed.
"""

from __future__ import annotations

import ctypes
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from station.base.disk import Disk, give_to_owner, keep_file, keep_folder
from station.base.tongue import tr
from station.machine import backup
from station.machine.backup import LEFT_OUT, SETTINGS, STATE
from station.machine.system import NotPossibleNow, writing
from station.record import audit
from station.record.folders import is_open, night_folders
from station.record.halves import held
from station.record.journal import FILE

DRAFT = ".restored"
ASIDE = "aside"
AT_FDCWD = -100
RENAME_EXCHANGE = 2


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restoration did.

    Attributes:
        aside: where the files that were there before are; None if there were none.
        settings: the settings files, and where each is now; beside the one in use where that
            differs.
        drivers: the drivers in those settings that do not ship with the station. None of them was
            loaded, and none is before the hall allows its package.
    """

    manifest: backup.BackupManifest
    aside: Path | None
    settings: tuple[Path, ...]
    drivers: tuple[str, ...] = ()


def restore(
    file: Path,
    state: Path,
    settings: Path,
    *,
    force: bool = False,
    progress: backup.Progress = backup.no_progress,
    disk: Disk | None = None,
) -> Restored:
    """Put a backup in place.

    Args:
        state: the state folder; it need not be there.
        settings: the folder of the settings.
        force: restore even if a night is open, or if more is known here than in the backup.

    Raises:
        Unreadable: the file is no backup.
        Damaged: it is not whole, or its journals are not.
        Refused: nights would be lost.
        StateInUse: the station runs.
        StoreError: it cannot be read or written.
    """
    disk = disk or Disk()
    with backup.opened_backup(file, progress) as (archive, manifest), writing(state, inside=True):
        keep_folder(state, disk)
        with held(state, disk):
            draft = state / DRAFT
            if draft.exists():
                # From an interrupted restoration: it may hold the nights that were here.
                disk.replace(draft, _free_folder(state / ASIDE, disk))
            archive.unpack(draft, {one.name: one.name for one in manifest.files}, disk, own_mode)
            try:
                (draft / STATE / "nights").mkdir(parents=True, exist_ok=True)
                _give(draft / STATE, state)
                audit.verify(draft / STATE)
                if not force:
                    _refuse_loss(state, draft / STATE)
            except BaseException:
                shutil.rmtree(draft, ignore_errors=True)
                raise
            aside = _exchange(state, draft / STATE, disk)
            try:
                found = tuple(_settings(draft / SETTINGS, settings, disk))
            finally:
                shutil.rmtree(draft)
        return Restored(manifest, aside, found, tuple(backup.own_drivers(archive)))


def own_mode(mode: int) -> int:
    """Return the rights of a restored file: those of the station's files, or of its secrets.

    >>> oct(own_mode(0o777)), oct(own_mode(0o600))
    ('0o640', '0o600')
    """
    return 0o640 if mode & 0o040 else 0o600


def _give(folder: Path, state: Path) -> None:
    """Give what was unpacked to the state folder's owner."""
    if os.geteuid() == 0:
        owner = state.stat()
        os.chown(folder, owner.st_uid, owner.st_gid, follow_symlinks=False)
        give_to_owner(folder)


def _refuse_loss(state: Path, draft: Path) -> None:
    """Check that the state folder holds no more than what was unpacked.

    Raises:
        Refused: it holds more.
    """
    for path in sorted((state / "nights").glob(f"*/{FILE}")):
        copy = draft / "nights" / path.parent.name / FILE
        data = path.read_bytes()
        if not copy.is_file() or not copy.read_bytes().startswith(data):
            raise NotPossibleNow(
                tr(
                    "{folder}: the backup does not hold all of this night: make a backup of what"
                    " is here first (loto backup), then, if this shall be replaced, add --force;"
                    " it is kept aside all the same",
                    folder=path.parent,
                )
            )
    if (folders := night_folders(state)) and is_open(folders[-1]):
        todo = tr("close it first (loto close-night), or add --force")
        raise NotPossibleNow(
            tr("{folder}: this night is open: {todo}", folder=folders[-1], todo=todo)
        )


def _exchange(state: Path, draft: Path, disk: Disk) -> Path | None:
    """Put in place what was unpacked, nights last, in one step; return where the old files are."""
    had_nights = (state / "nights").is_dir()
    others = {path.name for path in state.iterdir()} - LEFT_OUT - {DRAFT, "nights"}
    aside = _free_folder(state / ASIDE, disk) if others or had_nights else None
    for path in sorted(draft.iterdir()):  # a state folder of its own
        if path.name != "nights":
            there = state / path.name
            if aside is not None and there.exists():
                disk.replace(there, aside / path.name)
            disk.replace(path, there)
    if not had_nights:
        disk.replace(draft / "nights", state / "nights")
    elif aside is not None:
        _swap(draft / "nights", state / "nights")
        disk.replace(draft / "nights", aside / "nights")
    draft.rmdir()
    disk.sync_folder(state)
    return aside


def _free_folder(folder: Path, disk: Disk) -> Path:
    number = 1
    while (place := folder / str(number)).exists():
        number += 1
    keep_folder(place, disk)
    return place


def _swap(one: Path, other: Path) -> None:
    """Exchange the names of two folders in one step: renameat2(2), for which Python has no name."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), str(other))


def _settings(source: Path, folder: Path, disk: Disk) -> Iterator[Path]:
    """Put the settings in place, or beside those in use; yield what was written."""
    for unpacked in sorted(source.iterdir()) if source.is_dir() else ():
        data = unpacked.read_bytes()
        keep_folder(folder, disk)
        path = folder / unpacked.name
        if path.exists() and path.read_bytes() != data:
            path = path.with_name(f"{unpacked.name}.from-backup")
        keep_file(path, data, disk, public=True)
        yield path
