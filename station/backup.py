"""The backup: one file on a stick with everything that a new machine needs to go on. The way back from it: `station.restore`.

A tar archive that any computer opens: `state/…` (nights, packs, tags, keys), `settings/…`, and last of all `manifest.json` with
the digest of each. The station may run meanwhile: a journal only grows, and is copied up to its last whole line; other files are
replaced whole. The manifest says which head each night has (`loto journal verify --head` knows it again).

The signing key is in it: only its maker may read the file, where the medium knows of rights (a stick with FAT does not), and the
stick is kept where the cash box is.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import logging
import os
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from station import __version__
from station.chain import alone
from station.disk import Disk
from station.errors import Damaged, StoreError, Unreadable
from station.journal import FILE

log = logging.getLogger(__name__)

Progress: TypeAlias = Callable[[int, int], None]

FORMAT = 1
MANIFEST = "manifest.json"
STATE, SETTINGS = "state", "settings"
# Not data: the lock, the sockets, what a way back has put aside. Nor is play: TEST nights count for nothing.
LEFT_OUT = frozenset({"lock", "run", "aside", "test"})


@dataclass(frozen=True, slots=True)
class Kept:
    """One file in a backup: its place, as `state/nights/0001/journal.jsonl`; its bytes; their SHA-256; who may read it."""

    name: str
    size: int
    sha256: str
    mode: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds.

    Attributes:
        version: of the program that made it.
        heads: for each night its last line's number and sum, as `0003:212:9f86d0…`.
        files: in the order in which they stand.
    """

    version: str
    heads: tuple[str, ...]
    files: tuple[Kept, ...]

    @property
    def name(self) -> str:
        """What a backup with this manifest is called: the same nights, the same name. No date: a Pi has no clock."""
        night, _, rest = self.heads[-1].partition(":") if self.heads else ("0000", "", "0:")
        return f"loto-backup-night-{night}-line-{rest.partition(':')[0]}.tar"

    def to_json(self) -> bytes:
        """As it stands in the archive."""
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False, indent=1).encode()

    @classmethod
    def from_json(cls, data: bytes, source: str) -> Manifest:
        """Raises `Unreadable` when it is not one, or of a newer kind."""
        try:
            told = json.loads(data)
            if told.pop("format") != FORMAT:
                raise Unreadable(f"{source}: this backup was made by a newer station: update this one first (loto update)")
            kept = tuple(Kept(**one) for one in told["files"])
            manifest = cls(told["version"], tuple(told["heads"]), kept)
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, Unreadable):
                raise
            raise Unreadable(f"{source}: this is no backup of the station: {error}") from error
        for one in kept:
            if not _is_kept(one):
                raise Unreadable(f"{source}: this is no backup of the station: it has a file {one.name!r}")
        return manifest


def _is_kept(one: Kept) -> bool:
    """Whether a backup may hold this; its manifest may be anybody's."""
    if [type(value) for value in (one.name, one.size, one.sha256, one.mode)] != [str, int, str, int] or "\0" in one.name:
        return False
    room, *inside = PurePosixPath(one.name).parts or ("",)
    if not inside or any(part.startswith(".") for part in inside) or not 0 <= one.mode <= 0o777:
        return False
    return inside[0] not in LEFT_OUT if room == STATE else room == SETTINGS and len(inside) == 1


def no_progress(done: int, total: int) -> None:
    """Nobody watches."""


def back_up(state: Path, settings: Path | None, target: Path, progress: Progress = no_progress, disk: Disk | None = None) -> Path:
    """Copies state folder and settings into one file, reads it again from the medium, and only then gives it its name.

    Args:
        settings: the settings file; the files beside it, such as the programme's, are copied too. None where there is none.
        target: the folder to put it into, or with a name that ends in `.tar` the file itself.
        progress: told how many bytes of how many were written and read again.

    Returns:
        The file.

    Raises:
        Unreadable: there is nothing to back up, or no such folder to put it into.
        StoreError: it cannot be read or written; nothing is left behind.
        Damaged: what was read again is not what was written.
    """
    disk = disk or Disk()
    sources = _sources(state, settings)
    folder = target.parent if target.suffix == ".tar" else target
    if not folder.is_dir():
        raise Unreadable(f"{folder}: there is no such folder: name the place where the stick is mounted")
    draft = folder / ".loto-backup.tar.new"
    try:
        total = sum(map(_size, sources.values()))
        if disk.room(folder) < total + 4096 * (len(sources) + 4):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))
        manifest = _write(draft, sources, disk, lambda done: progress(done, 2 * total))
        check(draft, lambda done, _: progress(total + done, 2 * total))
        file = target if target.suffix == ".tar" else folder / manifest.name
        disk.replace(draft, file)
        disk.sync_folder(folder)
    except StoreError:
        _forget(draft)
        raise
    except OSError as error:
        _forget(draft)
        raise _told(folder, error) from error
    progress(2 * total, 2 * total)
    return file


def check(file: Path, progress: Progress = no_progress) -> Manifest:
    """Reads a whole backup, from the medium, and compares every file with its digest.

    Raises:
        Unreadable: it is no backup.
        Damaged: it is not whole.
        StoreError: the medium cannot be read.
    """
    try:
        with file.open("rb") as opened:
            # What was just written is in memory, too: that copy proves nothing about the stick.
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            with tarfile.open(fileobj=opened, mode="r:") as tar:
                members = {member.name: member for member in tar.getmembers()}
                if MANIFEST not in members:
                    raise Damaged(f"{file}: its end is missing: the copy was not finished")
                manifest = Manifest.from_json(_bytes(tar, members.pop(MANIFEST)), str(file))
                if set(members) != {one.name for one in manifest.files}:
                    raise Damaged(f"{file}: it does not hold the files that it should")
                total, done = sum(one.size for one in manifest.files), 0
                for one in manifest.files:
                    data = _bytes(tar, members[one.name])
                    if (len(data), hashlib.sha256(data).hexdigest()) != (one.size, one.sha256):
                        raise Damaged(f"{file}: {one.name} is not as it was copied: take another backup")
                    done += one.size
                    progress(done, total)
    except tarfile.TarError as error:
        raise Damaged(f"{file}: this is no backup of the station, or it is damaged ({error})") from error
    except StoreError:
        raise
    except OSError as error:
        raise StoreError(f"{file}: cannot be read ({error.strerror}): is the stick still plugged in?") from error
    return manifest


def files_in(file: Path, manifest: Manifest) -> Iterator[tuple[Kept, bytes]]:
    """The files of a backup that was checked, one at a time."""
    with tarfile.open(file, mode="r:") as tar:
        for one in manifest.files:
            data = _bytes(tar, tar.getmember(one.name))
            # Read a second time, and a worn stick may give something else now.
            if hashlib.sha256(data).hexdigest() != one.sha256:
                raise Damaged(f"{file}: {one.name} cannot be read reliably: take another stick, or another backup")
            yield one, data


def _bytes(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    opened = tar.extractfile(member) if member.isfile() else None  # never what a link leads to
    return opened.read() if opened is not None else b""


def _size(path: Path) -> int:
    """How large a file is; nothing where it was removed since it was listed, as an old clip of a name is."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _sources(state: Path, settings: Path | None) -> dict[str, Path]:
    """The files to copy, by their name in the backup. Journals first: what their lines refer to was there before them."""
    if state.is_dir() and not os.access(state, os.R_OK | os.X_OK):
        raise StoreError(f"{state}: may not be read: put sudo before the command")
    found = {f"{STATE}/{path.relative_to(state)}": path for path in sorted(state.glob(f"nights/*/{FILE}"))}
    for path in sorted(state.rglob("*")):
        inside = path.relative_to(state)
        hidden = any(part.startswith(".") for part in inside.parts)
        if not hidden and inside.parts[0] not in LEFT_OUT and path.is_file() and not path.is_symlink():
            found.setdefault(f"{STATE}/{inside}", path)
    if not found:
        raise Unreadable(f"{state}: there is nothing here to back up (--state names another folder)")
    if settings is not None and settings.is_file():
        found |= {f"{SETTINGS}/{path.name}": path for path in sorted({settings, *settings.parent.glob("*.toml")})}
    return found


def _write(draft: Path, sources: dict[str, Path], disk: Disk, told: Callable[[int], None]) -> Manifest:
    """The archive, durable on the medium."""
    kept: list[Kept] = []
    heads: list[str] = []
    done = 0
    _forget(draft)
    # Made by nobody before, for root alone: it holds the signing key, and a stick's own link would lead root anywhere.
    with os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600), "wb") as opened:
        with tarfile.open(fileobj=opened, mode="w:", format=tarfile.PAX_FORMAT) as tar:
            for name, path in sources.items():
                try:
                    data, mode = path.read_bytes(), path.stat().st_mode & 0o777
                except FileNotFoundError:
                    continue  # removed since it was listed: it is no part of the state any more
                if path.name == FILE:
                    data = data[: data.rfind(b"\n") + 1]  # a line may be just being written
                    heads += _head(path.parent.name, data)
                kept.append(Kept(name, len(data), hashlib.sha256(data).hexdigest(), mode))
                _add(tar, name, data, mode)
                done += len(data)
                told(done)
            manifest = Manifest(__version__, tuple(heads), tuple(kept))
            _add(tar, MANIFEST, manifest.to_json(), 0o644)
        opened.flush()
        disk.sync(opened.fileno())
    return manifest


def _head(night: str, data: bytes) -> list[str]:
    """The head of a night's whole lines. What is damaged is copied all the same, and has none."""
    try:
        last = alone(data[:-1].rpartition(b"\n")[2])
    except ValueError:
        return []
    return [f"{night}:{last['seq']}:{last['sum']}"]


def _add(tar: tarfile.TarFile, name: str, data: bytes, mode: int) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(data), mode
    tar.addfile(entry, io.BytesIO(data))


def _told(folder: Path, error: OSError) -> StoreError:
    """What went wrong with a stick, for a person."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            return StoreError(f"{folder}: it is full: remove something from the stick, or take a larger one")
        case errno.EROFS | errno.EACCES | errno.EPERM:
            return StoreError(f"{folder}: nothing may be written there: slide the stick's switch, or put sudo before the command")
        case errno.EIO | errno.ENODEV | errno.ENXIO | errno.ENOENT | errno.ENOTCONN:
            return StoreError(f"{folder}: the stick is gone or broken ({error.strerror}): plug it in again, or take another")
    return StoreError(f"{folder}: the backup cannot be written ({error.strerror})")


def _forget(draft: Path) -> None:
    try:
        draft.unlink(missing_ok=True)
    except OSError as error:
        log.warning("%s: an unfinished backup could not be removed: %s", draft, error)
