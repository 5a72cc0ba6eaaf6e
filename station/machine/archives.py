"""Read archives, alone of all modules: each is checked whole before anything of it is written.

    with opened(file, rules) as archive:      # read once to its end: names, kinds, sizes, digests
        ...                                   # manifest, list of digests, signature: whoever
                                                  asked decides
        archive.unpack(draft, places, disk)       # read again, into a new folder, and only as it
                                                  was the first time

An archive may be anybody's, and what unpacks it is often root. So it holds plain files and folders
with plain names and nothing else; it chooses neither where a file goes nor who may do what with it.
A stick may give other bytes the second time: each file is compared with what was found the first
time. What fails leaves no draft behind.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, TypeAlias

from station.base.disk import Disk
from station.base.errors import Damaged, StoreError, Unreadable
from station.base.tongue import key, tr
from station.machine.tar_members import ByteSource, Hashed, Member, Members, quoted, unread

Refuse: TypeAlias = Callable[[str, str], Unreadable]

LONGEST_NAME, LONGEST_PART, DEEPEST = 1000, 200, 32
MOST_KEPT = 32 << 20  # bytes that stay in memory
BOTH = key("is there as a file and as a folder")


@dataclass(frozen=True, slots=True)
class Rules:
    """What an archive of one kind may hold.

    Attributes:
        what: its name for a person, as `a backup of the station`.
        kinds: of `station.machine.tar_members`.
        most_files: members, folders too.
        most_bytes: all of them together, unpacked.
        keeps: how many bytes of a file are kept before anything is unpacked; 0 for none. A longer
            file is refused.
        hidden: names that may begin with a dot. They may be in the archive; they are never
            unpacked.
    """

    what: str
    kinds: frozenset[str]
    most_files: int
    most_bytes: int
    keeps: Callable[[str], int]
    hidden: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A file of an archive: its bytes, their SHA-256, and as a hint its rights when packed."""

    size: int
    sha256: str
    mode: int


def fault_of(name: str, hidden: frozenset[str] = frozenset()) -> str:
    """Return what is wrong with a name in an archive; empty if it means one place on all systems.

    >>> fault_of("state/nights/0001/journal.jsonl"), fault_of("state//etc"), fault_of("state/../x")
    ('', 'is not written plainly', 'leads outside')
    """
    parts = name.split("/")
    if name.startswith("/"):
        return tr("is a place of the whole machine")
    if ".." in parts:
        return tr("leads outside")
    if not name or PurePosixPath(name).as_posix() != name:
        return tr("is not written plainly")
    # nor half characters, nor those that turn the direction of writing
    if "\\" in name or not name.isprintable():
        return tr("has a character that no name of the station has")
    if any(part.startswith(".") and part not in hidden for part in parts):
        return tr("is hidden")
    longest = max(len(part.encode()) for part in parts)
    if len(name.encode()) > LONGEST_NAME or len(parts) > DEEPEST or longest > LONGEST_PART:
        return tr("is too long")
    return ""


@contextmanager
def opened(
    file: Path, rules: Rules, told: Callable[[int], None] = lambda _: None
) -> Iterator[Archive]:
    """Open an archive: read it to its end and check it.

    Args:
        told: after each file, how many bytes of them were read.

    Raises:
        Unreadable: it is not of that kind, or holds what that kind never does; names the member.
        Damaged: it is not whole.
        StoreError: the medium cannot be read.
    """
    try:
        # Reading a pipe could wait for ever.
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise Unreadable(tr("{file}: there is no such file", file=file)) from error
    except OSError as error:
        raise unread(file, error) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        what = tr("this is no file, but a folder, a device or a pipe")
        raise Unreadable(
            tr("{file}: {what}: name {wanted}", file=file, what=what, wanted=tr(rules.what))
        )
    with os.fdopen(descriptor, "rb") as source:
        yield Archive(file, source, rules, told)


class Archive:
    """The content of a checked archive; see `opened`.

    Attributes:
        entries: its files by name.
        kept: the bytes of those that the rules keep.
        sha256: of the archive itself, as it was read.
    """

    def __init__(
        self, file: Path, source: BinaryIO, rules: Rules, told: Callable[[int], None]
    ) -> None:
        self.file, self.entries, self.kept = file, dict[str, ArchiveEntry](), dict[str, bytes]()
        self._source, self._rules = source, rules
        # What was just written is still cached in memory: reading that proves nothing about the
        # stick.
        os.posix_fadvise(source.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        whole, folders, done = Hashed(source), set[str](), 0
        for member, chunks, refuse in self._walk(whole):
            if fault := self._place_fault(member, folders):
                raise refuse(member.name, fault)
            if member.is_folder:
                continue
            most, kept, digest = rules.keeps(member.name), list[bytes](), hashlib.sha256()
            if most and member.size > most:
                fault = tr(
                    "is {size:,} bytes long, and {most:,} is the most", size=member.size, most=most
                )
                raise refuse(member.name, fault)
            if most and member.size + sum(map(len, self.kept.values())) > MOST_KEPT:
                raise refuse(member.name, tr("is one too many of its kind"))
            for chunk in chunks:
                digest.update(chunk)
                kept += [chunk] if most else []
            self.entries[member.name] = ArchiveEntry(member.size, digest.hexdigest(), member.mode)
            if most:
                self.kept[member.name] = b"".join(kept)
            told(done := done + member.size)
        self.sha256 = whole.finish()

    def unpack(
        self,
        draft: Path,
        places: Mapping[str, str],
        disk: Disk,
        mode_of: Callable[[int], int],
        *,
        durable: bool = True,
    ) -> None:
        """Write files into a new folder, which is removed again if anything fails.

        Args:
            places: the files to unpack, and the path of each below the folder.
            mode_of: returns the station's own rights for a file that had these where it was packed.
            durable: whether everything is synced to the medium at the end; else the caller does
                that.

        Raises:
            Damaged: the second reading gave something else than the first.
            StoreError: no room.
        """
        need, room = sum(self.entries[name].size + 4096 for name in places), disk.room(draft.parent)
        if need > room:
            few = tr("{folder} has only {room} MB", folder=draft.parent, room=room // 10**6)
            todo = tr("make room, then type the same again. Nothing was unpacked")
            takes = tr("unpacked it takes {need} MB", need=need // 10**6 + 1)
            raise StoreError(
                tr(
                    "{file}: {takes}, but {few}: {todo}",
                    file=self.file,
                    takes=takes,
                    few=few,
                    todo=todo,
                )
            )
        left, folders = dict(self.entries), {draft}
        draft.mkdir(mode=0o700)
        try:
            self._source.seek(0)
            for member, chunks, refuse in self._walk(self._source):
                if member.is_folder:
                    continue
                entry, place = left.pop(member.name, None), places.get(member.name)
                path = _way(draft, place, folders, refuse) if place is not None else None
                if entry is None or entry.size != member.size:
                    raise self._unreliable(member.name)
                if _write(path, chunks, disk, durable) != entry.sha256:
                    raise self._unreliable(member.name)
                if path is not None:
                    path.chmod(mode_of(entry.mode))
            if left:
                raise self._unreliable(next(iter(left)))
            for folder in sorted(folders) if durable else ():
                disk.sync_folder(folder)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise

    def _walk(self, source: ByteSource) -> Iterator[tuple[Member, Iterator[bytes], Refuse]]:
        """Yield each possible member, its bytes, and what to raise if it is wrong after all."""
        rules = self._rules
        members = Members(source, self.file, tr(rules.what), rules.kinds)
        count = total = 0
        for member, chunks in members:
            count, total = count + 1, total + member.size
            if fault := fault_of(member.name, rules.hidden):
                raise members.foreign(member.name, fault)
            if count > rules.most_files:
                raise members.foreign(
                    member.name,
                    tr("is one more than {most:,} files", most=rules.most_files),
                )
            if total > rules.most_bytes:
                most = f"{rules.most_bytes // 10**6:,} MB"
                raise members.foreign(member.name, tr("makes it larger than {most}", most=most))
            yield member, chunks, members.foreign

    def _place_fault(self, member: Member, folders: set[str]) -> str:
        """Return what is wrong with a member's place beside the others; remember its folders."""
        parts = member.name.split("/")
        its = {"/".join(parts[:deep]) for deep in range(1, len(parts) + member.is_folder)}
        if its & self.entries.keys():
            return tr(BOTH)
        folders |= its
        if member.is_folder:
            return ""
        if member.name in self.entries:
            return tr("is there twice")
        return tr(BOTH) if member.name in folders else ""

    def _unreliable(self, name: str) -> Damaged:
        todo = tr("take another stick, or another copy")
        return Damaged(
            tr(
                "{file}: {name} cannot be read reliably: {todo}",
                file=self.file,
                name=quoted(name),
                todo=todo,
            )
        )


def _way(draft: Path, place: str, folders: set[Path], refuse: Refuse) -> Path:
    """Return the path of a file below the draft; make its folders, none of which existed before."""
    path = draft / place
    if fault_of(place) or not path.is_relative_to(draft):
        raise refuse(place, fault_of(place) or tr("leads outside"))
    for folder in reversed(path.parents):
        if folder.is_relative_to(draft) and folder not in folders:
            folder.mkdir(mode=0o755)
            folders.add(folder)
    return path


def _write(path: Path | None, chunks: Iterable[bytes], disk: Disk, durable: bool) -> str:
    """Write a new file, or only read the bytes; return the digest."""
    digest = hashlib.sha256()
    descriptor = disk.create(path) if path is not None else None
    try:
        for chunk in chunks:
            digest.update(chunk)
            if descriptor is not None and disk.write(descriptor, chunk) != len(chunk):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        if descriptor is not None and durable:
            disk.sync(descriptor)
    finally:
        if descriptor is not None:
            disk.close(descriptor)
    return digest.hexdigest()
