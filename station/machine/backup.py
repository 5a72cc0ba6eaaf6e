"""Back up everything that a new machine needs to one file on a stick, and restore it.

A tar archive that any computer opens: `state/…` (nights, packs, tags, keys), `settings/…`, and last
of all `manifest.json` with the digest of each. The station may run meanwhile: a journal only grows,
and is copied up to its last whole line; other files are replaced whole. The manifest says which
head each night has (`loto journal verify --head` knows it again).

The signing key is in it: only its maker may read the file, where the medium knows of rights (a
stick with FAT does not), and the stick is kept where the cash box is.

A backup is checked as a whole before it is put in place. A state folder that knows a night, or a
line of one, that the backup does not is not replaced unless that is asked for; and what stood there
is kept in `aside/`, beside the nights, in any case. The nights change in one step, so that a power
cut cannot leave a station that finds none and begins again with night 1; done again, an interrupted
way back is completed.
"""

from __future__ import annotations

import ctypes
import errno
import hashlib
import io
import json
import logging
import os
import re
import shutil
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from station import __version__
from station.base.disk import Disk, give_to_owner, keep_file, keep_folder
from station.base.errors import Damaged, LotoError, StoreError, Unreadable
from station.base.system import NotPossibleNow, writing
from station.base.tongue import key, tr
from station.base.untrusted import MOST_TOML, table_from, toml_from
from station.machine.archives import TAR, Archive, Rules, fault_of, opened
from station.programme.programme import read_toml
from station.proof.merkle import Edge
from station.record import audit
from station.record.chain import leaf_in
from station.record.folders import NIGHT, is_open, night_folders
from station.record.halves import held
from station.record.journal import FILE
from station.record.traces import HEADS, heads_up_to
from station.settings.allowed import foreign_drivers

log = logging.getLogger(__name__)

Progress: TypeAlias = Callable[[int, int], None]

FORMAT = 1
MANIFEST = "manifest.json"
STATE, SETTINGS = "state", "settings"
# Not data: the lock, the sockets, what a restoration put aside; nor TEST nights.
LEFT_OUT = frozenset({"lock", "run", "aside", "test", "tls"})
LONGEST_MANIFEST = 16 << 20
LONGEST_SETTINGS = MOST_TOML
OF_SETTINGS = (".toml", ".png")  # settings, programme, look; the hall's logo


def _keeps(name: str) -> int:
    if name == MANIFEST:
        return LONGEST_MANIFEST
    return LONGEST_SETTINGS if name.startswith(f"{SETTINGS}/") and name.endswith(".toml") else 0


RULES = Rules(key("a backup of the station"), frozenset({TAR}), 50_000, 8 << 30, _keeps)
_HEAD = re.compile(rf"{NIGHT.pattern}:[0-9]{{1,12}}:[0-9a-f]{{64}}")
# Known by the whole path: a copy of a night may stand anywhere, and its folder has the same name.
_OF_NIGHT = re.compile(
    rf"{STATE}/nights/({NIGHT.pattern})/(?:{re.escape(FILE)}|{re.escape(HEADS)})"
)


@dataclass(frozen=True, slots=True)
class Kept:
    """A file in a backup: its place, as `state/tags.toml`; bytes; SHA-256; who may read it."""

    name: str
    size: int
    sha256: str
    mode: int


@dataclass(frozen=True, slots=True)
class BackupManifest:
    """What a backup holds.

    Attributes:
        version: of the program that made it.
        heads: for each night its number of lines and root, as `0003:212:9f86d0…`.
        files: in the order in which they stand.
    """

    version: str
    heads: tuple[str, ...]
    files: tuple[Kept, ...]

    @property
    def name(self) -> str:
        """Return the name of a backup with this manifest. The same nights have the same name; there
        is no date in it, as a Pi has no clock."""
        night, _, rest = self.heads[-1].partition(":") if self.heads else ("0000", "", "0:")
        return f"loto-backup-night-{night}-line-{rest.partition(':')[0]}.tar"

    def to_json(self) -> bytes:
        """Return the manifest as it stands in the archive."""
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False, indent=1).encode()

    @classmethod
    def from_json(cls, data: bytes, source: str) -> BackupManifest:
        """Parse a manifest.

        Raises:
            Unreadable: it is none, or of a newer kind.
        """
        none = tr("{source}: this is no backup of the station", source=source)
        try:
            told = table_from(data, len(data))
            if told["format"] != FORMAT:
                newer = tr("this backup was made by a newer station")
                raise Unreadable(
                    tr(
                        "{source}: {newer}: update this one first (loto update)",
                        source=source,
                        newer=newer,
                    )
                )
            version, kept = told["version"], tuple(Kept(**one) for one in told["files"])
            heads = [(head, head.isprintable() and _HEAD.fullmatch(head)) for head in told["heads"]]
        except Unreadable:
            raise
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise Unreadable(f"{none}: {_short(error)}") from error
        for one in kept:
            if fault := _fault(one):
                raise Unreadable(
                    tr(
                        "{none}: it has a file {name}, which {fault}",
                        none=none,
                        name=_short(repr(one.name)),
                        fault=fault,
                    )
                )
        if len({one.name for one in kept}) < len(kept):
            raise Unreadable(tr("{none}: it has a file twice", none=none))
        if not isinstance(version, str) or not version.isprintable() or len(version) > 40:
            raise Unreadable(tr("{none}: its version cannot be read", none=none))
        if not all(found for _, found in heads):
            raise Unreadable(tr("{none}: its heads cannot be read", none=none))
        return cls(version, tuple(head for head, _ in heads), kept)


def _short(said: object) -> str:
    text = str(said)
    return text if len(text) <= 160 else f"{text[:159]}…"


def _fault(one: Kept) -> str:
    """Return why a backup may not hold this file; empty if it may."""
    described = one.name, one.size, one.sha256, one.mode
    if [type(value) for value in described] != [str, int, str, int]:
        return tr("is not described as files are")
    if fault := fault_of(one.name):
        return fault
    room, *inside = one.name.split("/")
    if not 0 <= one.mode <= 0o777:
        return tr("has rights that no file has")
    if room == STATE and inside:
        return tr("is not data") if inside[0] in LEFT_OUT else ""
    # Beside the settings are files that no backup may change, such as the builder's key.
    if room == SETTINGS and len(inside) == 1 and inside[0].endswith(OF_SETTINGS):
        return ""
    return tr("belongs to neither state nor settings")


def no_progress(_done: int, _total: int) -> None:
    """Ignore the progress, where nobody watches it."""


def back_up(
    state: Path,
    settings: Path | None,
    target: Path,
    progress: Progress = no_progress,
    disk: Disk | None = None,
) -> Path:
    """Copy state folder and settings into one file; it gets its name once it was read again whole.

    Args:
        settings: the settings file, copied with the files that it names (`named_files`). None where
            there is none.
        target: the folder to put it into, or with a name that ends in `.tar` the file itself.
        progress: called with the bytes written and read again, and the bytes in all.

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
        todo = tr("name the place where the stick is mounted")
        raise Unreadable(tr("{folder}: there is no such folder: {todo}", folder=folder, todo=todo))
    draft = folder / ".loto-tar.new"
    try:
        total = sum(map(_size, sources.values()))
        if disk.room(folder) < total + 4096 * (len(sources) + 4):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))
        manifest = _write(draft, sources, disk, lambda done: progress(done, 2 * total))
        check(draft, lambda done, _: progress(total + min(done, total), 2 * total))
        file = target if target.suffix == ".tar" else folder / manifest.name
        disk.replace(draft, file)
        disk.sync_folder(folder)
    except BaseException as error:  # any error: the signing key is in the draft
        _forget(draft)
        if isinstance(error, OSError) and not isinstance(error, LotoError):
            raise _told(folder, error) from error
        raise
    progress(2 * total, 2 * total)
    return file


def check(file: Path, progress: Progress = no_progress) -> BackupManifest:
    """Read a whole backup from the medium and compare every file with its digest.

    Raises:
        Unreadable: it is no backup.
        Damaged: it is not whole.
        StoreError: the medium cannot be read.
    """
    with opened_backup(file, progress) as (_, manifest):
        return manifest


@contextmanager
def opened_backup(
    file: Path, progress: Progress = no_progress
) -> Iterator[tuple[Archive, BackupManifest]]:
    """Check a backup, and hold it open to unpack what was checked; raises as `check`."""
    total = file.stat().st_size if file.is_file() else 0
    with opened(file, RULES, lambda done: progress(min(done, total), total)) as archive:
        if MANIFEST not in archive.kept:
            raise Damaged(tr("{file}: its end is missing: the copy was not finished", file=file))
        manifest = BackupManifest.from_json(archive.kept[MANIFEST], str(file))
        if archive.entries.keys() - {MANIFEST} != {one.name for one in manifest.files}:
            raise Damaged(tr("{file}: it does not hold the files that it should", file=file))
        for one in manifest.files:
            entry = archive.entries[one.name]
            if (entry.size, entry.sha256) != (one.size, one.sha256):
                raise Damaged(
                    tr(
                        "{file}: {name} is not as it was copied: take another backup",
                        file=file,
                        name=one.name,
                    )
                )
        yield archive, manifest


def named_files(settings: Path) -> tuple[list[Path], list[Path]]:
    """Return the files that a backup takes of the settings, and those that it leaves out.

    Taken are the settings file, and the programme, the look and the logo that it names beside it.
    Files in other folders are left out: no backup may choose where a file goes.
    """
    tables: dict[str, Any] = {}
    with suppress(LotoError):  # a faulty file is copied as it is
        tables = read_toml(settings)
    inside: list[Path] = [settings]
    outside: list[Path] = []
    for section, option in (("game", "programme"), ("hall", "look"), ("hall", "logo")):
        table = tables.get(section)
        named = table.get(option) if isinstance(table, dict) else None
        if not isinstance(named, str):
            continue
        path = Path(os.path.normpath(settings.parent / named))
        if path.is_file() and path not in inside:
            kept = path.parent == settings.parent and path.suffix in OF_SETTINGS
            (inside if kept else outside).append(path)
    return sorted(inside), sorted(outside)


def own_drivers(archive: Archive) -> list[str]:
    """Return the drivers in a backup's settings that do not ship with the station, sorted."""
    found: set[str] = set()
    for name, data in archive.kept.items():
        if name != MANIFEST:
            with suppress(Unreadable):  # such settings load nothing
                found |= {*foreign_drivers(toml_from(data).get("devices"))}
    return sorted(found)


def _size(path: Path) -> int:
    """Return a file's size; 0 if it was removed since it was listed, as an old clip may be."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _sources(state: Path, settings: Path | None) -> dict[str, Path]:
    """Return the files to copy by their names in the backup; journals before what they refer to."""
    if state.is_dir() and not os.access(state, os.R_OK | os.X_OK):
        raise StoreError(tr("{state}: may not be read: put sudo before the command", state=state))
    journals = sorted(state.glob(f"nights/*/{FILE}"))
    found = {f"{STATE}/{path.relative_to(state)}": path for path in journals}
    for path in sorted(state.rglob("*")):
        inside = path.relative_to(state)
        hidden = any(part.startswith(".") for part in inside.parts)
        left_out = hidden or inside.parts[0] in LEFT_OUT or path.is_symlink()
        if path.is_file() and not left_out:
            found.setdefault(f"{STATE}/{inside}", path)
    if settings is not None and settings.is_file():
        named, _ = named_files(settings)
        found |= {f"{SETTINGS}/{path.name}": path for path in named}
    # A station that has only been tried keeps its settings; an empty folder is no station's.
    if not found or not any(state.glob("*")):
        nothing = tr("there is nothing here to back up (--state names another folder)")
        raise Unreadable(f"{state}: {nothing}")
    for name, path in found.items():
        if fault := _fault(Kept(name, 0, "", 0)):
            what = tr("no backup can hold a file of this name, which {fault}", fault=fault)
            raise Unreadable(tr("{path}: {what}: give it another one", path=path, what=what))
    return found


def _write(
    draft: Path, sources: dict[str, Path], disk: Disk, told: Callable[[int], None]
) -> BackupManifest:
    """Write the archive, durably."""
    kept: list[Kept] = []
    heads: dict[str, Edge] = {}
    done = 0
    _forget(draft)
    # A new file, readable by root alone: it holds the signing key, and a link on the stick could
    # lead root anywhere.
    new = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(draft, new, 0o600), "wb") as opened:
        with tarfile.open(fileobj=opened, mode="w:", format=tarfile.PAX_FORMAT) as tar:
            for name, path in sources.items():
                try:
                    data, mode = path.read_bytes(), path.stat().st_mode & 0o777
                except FileNotFoundError:
                    continue  # removed since it was listed
                if of_night := _OF_NIGHT.fullmatch(name):
                    data = _up_to_head(of_night[1], path.name, data, heads)
                kept.append(Kept(name, len(data), hashlib.sha256(data).hexdigest(), mode))
                _add(tar, name, data, mode)
                done += len(data)
                told(done)
            told_heads = tuple(
                f"{night}:{one.size}:{one.root.hex()}" for night, one in heads.items()
            )
            manifest = BackupManifest(__version__, told_heads, tuple(kept))
            _add(tar, MANIFEST, manifest.to_json(), 0o644)
        opened.flush()
        disk.sync(opened.fileno())
    return manifest


def _up_to_head(night: str, file: str, data: bytes, heads: dict[str, Edge]) -> bytes:
    """Return a night's journal up to its last whole line, and note that line as the night's head;
    or its kept heads up to that one.

    The station may go on meanwhile. What is damaged is copied as it is, and a damaged journal has
    no head.
    """
    try:
        if file == FILE:
            data = data[: data.rfind(b"\n") + 1]  # a line may be being written just now
            leaves = [leaf_in(line) for line in data.splitlines()]
            heads[night] = Edge.over(leaves)
        elif night in heads:
            data = heads_up_to(data, heads[night].size)
    except (Damaged, ValueError):
        pass
    return data


def _add(tar: tarfile.TarFile, name: str, data: bytes, mode: int) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(data), mode
    tar.addfile(entry, io.BytesIO(data))


def _told(folder: Path, error: OSError) -> StoreError:
    """Return a stick's failure as an error with a sentence for a person."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            what = tr("it is full: remove something from the stick, or take a larger one")
        case errno.EROFS | errno.EACCES | errno.EPERM:
            todo = tr("slide the stick's switch, or put sudo before the command")
            what = tr("it is write-protected: {todo}", todo=todo)
        case errno.EIO | errno.ENODEV | errno.ENXIO | errno.ENOENT | errno.ENOTCONN:
            gone = tr("the stick is gone or broken ({why})", why=error.strerror)
            what = tr("{gone}: plug it in again, or take another", gone=gone)
        case _:
            what = tr("the backup cannot be written ({why})", why=error.strerror)
    return StoreError(f"{folder}: {what}")


def _forget(draft: Path) -> None:
    try:
        draft.unlink(missing_ok=True)
    except OSError as error:
        log.warning("%s: an unfinished backup could not be removed: %s", draft, error)


# -- to restore a backup ---------------------------------------------------------------------------

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

    manifest: BackupManifest
    aside: Path | None
    settings: tuple[Path, ...]
    drivers: tuple[str, ...] = ()


def restore(
    file: Path,
    state: Path,
    settings: Path,
    *,
    force: bool = False,
    progress: Progress = no_progress,
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
    with opened_backup(file, progress) as (archive, manifest), writing(state, inside=True):
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
        return Restored(manifest, aside, found, tuple(own_drivers(archive)))


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
