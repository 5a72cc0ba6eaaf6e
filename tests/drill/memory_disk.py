"""A disk in memory that forgets what was not synced, and fails when it is told to. All from one
seed.

Two things are remembered of everything: what can be seen now (the page cache) and what is on the
medium. `sync` brings a file's bytes to the medium, `sync_folder` a folder's entries; neither does
the other's work. `crash` gives the disk that a machine finds after its power went: of each write
that was not synced, and of each change to a folder, chance says what became of it. `copy` gives the
disk that a process finds which was killed: all that could be seen is still there, and nothing more
is on the medium.

What is taken for granted, as SQLite does: bytes that are on the medium are not harmed by a write
beside them, a change of a folder's entries is done whole or not at all, and what `sync` said is so.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from random import Random
from typing import TypeAlias

from station.base.disk import Disk

PLENTY = 1 << 40
HARMLESS = frozenset({"read", "names"})


class PowerCut(BaseException):
    """The power goes; no handler of errors may see it."""


class Fault(OSError):
    """A system call that the drill made fail."""


Change: TypeAlias = tuple[tuple[str, "File | Folder | None"], ...]


class File:
    """A file's bytes as they can be seen, as they are on the medium, and what lies between.

    That is a list of writes (where, bytes) and of lengths cut to.
    """

    __slots__ = ("cache", "medium", "unsynced")

    def __init__(
        self,
        medium: bytes = b"",
        cache: bytes = b"",
        unsynced: tuple[tuple[int, bytes] | int, ...] = (),
    ) -> None:
        self.medium = medium
        self.cache = cache
        self.unsynced = unsynced

    def copy(self) -> File:
        """The same once more."""
        return File(self.medium, self.cache, self.unsynced)

    def crash(self, chance: Random) -> File:
        """What is found of it after the power went."""
        content = bytearray(self.medium)
        for change in self.unsynced:
            if isinstance(change, int):
                if chance.random() < 0.5:
                    del content[change:]
                continue
            start, data = change
            # of bytes on the medium: the old ones or the new ones
            safe = min(max(0, len(self.medium) - start), len(data))
            done = what_became_of(data[safe:], chance)
            if chance.random() < 0.5:
                content[start : start + safe] = data[:safe]
            if done:
                content.extend(bytes(max(0, start + safe - len(content))))
                content[start + safe : start + safe + len(done)] = done
        found = bytes(content)
        return File(found, found)


def what_became_of(data: bytes, chance: Random) -> bytes:
    """The bytes that stand where a write was under way when the power went: all, none, a part of it
    and then anything."""
    size = len(data)
    kept = chance.choice((0, size, chance.randrange(size + 1)))
    rest = size - kept
    match chance.randrange(5):
        case 0:
            return data[:kept]
        case 1:
            return data[:kept] + bytes(rest)
        case 2:
            return data[:kept] + chance.randbytes(rest)
        case 3:
            return data[:kept] + scribble(rest, chance)
        case _:
            return bytes(rest) + data[rest:]  # the end of it was written first


_ALPHABET = b'\n\n\0{}":,[]at 0'
_SCRIBBLED = bytes(_ALPHABET[byte % len(_ALPHABET)] for byte in range(256))


def scribble(size: int, chance: Random) -> bytes:
    """Random bytes of the kinds that a reader of lines and of JSON could take for something."""
    return chance.randbytes(size).translate(_SCRIBBLED)


class Folder:
    """A folder's entries as they can be seen, as they are on the medium, and the changes
    between."""

    __slots__ = ("cache", "medium", "unsynced")

    def __init__(
        self,
        medium: Mapping[str, File | Folder] | None = None,
        cache: Mapping[str, File | Folder] | None = None,
        unsynced: tuple[Change, ...] = (),
    ) -> None:
        self.medium = dict(medium or {})
        self.cache = dict(cache or {})
        self.unsynced = unsynced

    def change(self, *entries: tuple[str, File | Folder | None]) -> None:
        """Sets and removes entries, all of them or none."""
        _enter(self.cache, entries)
        self.unsynced += (entries,)

    def sync(self) -> None:
        """All entries are on the medium."""
        self.medium, self.unsynced = dict(self.cache), ()

    def copy(self, copies: dict[int, File | Folder]) -> Folder:
        """The same once more, with all that is in it; `copies` has what was copied already."""

        def of(node: File | Folder) -> File | Folder:
            if id(node) not in copies:
                copies[id(node)] = node.copy() if isinstance(node, File) else node.copy(copies)
            return copies[id(node)]

        return Folder(
            {name: of(node) for name, node in self.medium.items()},
            {name: of(node) for name, node in self.cache.items()},
            tuple(
                tuple((name, of(node) if node is not None else None) for name, node in change)
                for change in self.unsynced
            ),
        )

    def crash(self, chance: Random) -> Folder:
        """What is found of it after the power went."""
        entries = dict(self.medium)
        for change in self.unsynced:
            if chance.random() < 0.5:
                _enter(entries, change)
        found = {name: node.crash(chance) for name, node in entries.items()}
        return Folder(found, found)


def _enter(entries: dict[str, File | Folder], change: Change) -> None:
    for name, node in change:
        if node is None:
            entries.pop(name, None)
        else:
            entries[name] = node


@dataclass(frozen=True, slots=True)
class Failing:
    """Which call fails, and how.

    Attributes:
        nth: counted from 1, over all calls.
        error: an `errno`; None is a short write, and no fault at a call that does not write.
        ever: every call that changes something from then on, too; else this one only.
        lost: a failed sync leaves the bytes visible, and lets the system think that they are on the
            medium.
    """

    nth: int
    error: int | None
    ever: bool = False
    lost: bool = True


class MemoryDisk(Disk):
    """See the module.

    Attributes:
        calls: the names of all calls, in order.
        failing: the call that fails, or None.
        cut_at: the power goes before the call after so many.
        after: told after each call.
    """

    def __init__(self, root: Folder | None = None) -> None:
        self.root = root or Folder()
        self.calls: list[str] = []
        self.failing: Failing | None = None
        self.cut_at: int | None = None
        self.after: Callable[[], None] = lambda: None
        self._open: dict[int, File] = {}
        self._locks: dict[int, Path] = {}
        self._next = 3

    def copy(self) -> MemoryDisk:
        """What a killed process leaves: nothing is open, nothing is locked, all can still be
        seen."""
        return type(self)(self.root.copy({}))

    def crash(self, chance: Random) -> MemoryDisk:
        """What a power cut leaves."""
        return type(self)(self.root.crash(chance))

    # -- the calls ---------------------------------------------------------------------------------

    def create(self, path: Path) -> int:
        """See `Disk`."""
        self._call("create")
        folder = self._folder(path.parent)
        file = folder.cache.get(path.name)
        if file is None:
            file = File()
            folder.change((path.name, file))
        if not isinstance(file, File):
            raise _error(errno.EISDIR, path)
        return self._opened(file)

    def only_owner(self, descriptor: int) -> None:
        """Has one owner alone."""

    def for_all(self, descriptor: int) -> None:
        """Has no rights of others."""

    def write(self, descriptor: int, data: bytes) -> int:
        """See `Disk`."""
        short = self._call("write")
        file = self._open[descriptor]
        taken = data[: len(data) // 2] if short else data
        file.unsynced += ((len(file.cache), taken),)
        file.cache += taken
        self.after()
        return len(taken)

    def sync(self, descriptor: int) -> None:
        """See `Disk`."""
        self._sync(self._open[descriptor])

    def _sync(self, file: File) -> None:
        try:
            self._call("sync")
        except Fault:
            if self.failing is not None and self.failing.lost:
                file.unsynced = ()
            raise
        self.bring(file)
        self.after()

    def bring(self, file: File) -> None:
        """Brings to the medium what was written and not synced."""
        content = bytearray(file.medium)
        for change in file.unsynced:
            if isinstance(change, int):
                del content[change:]
            else:
                start, data = change
                content.extend(bytes(max(0, start - len(content))))
                content[start : start + len(data)] = data
        file.medium, file.unsynced = bytes(content), ()

    def truncate(self, descriptor: int, length: int) -> None:
        """See `Disk`."""
        self._call("truncate")
        file = self._open[descriptor]
        file.unsynced += (length,)
        file.cache = file.cache[:length]
        self.after()

    def close(self, descriptor: int) -> None:
        """See `Disk`."""
        self._locks.pop(descriptor, None)
        self._open.pop(descriptor, None)

    def write_again(self, path: Path, start: int, data: bytes) -> None:
        """See `Disk`."""
        short = self._call("write")
        file = self.file(path)
        taken = data[: len(data) // 2] if short else data
        file.unsynced += ((start, taken),)
        file.cache = file.cache[:start] + taken + file.cache[start + len(taken) :]
        self.after()
        if len(taken) != len(data):
            raise _error(errno.ENOSPC, path)
        self._sync(file)

    def read(self, path: Path, last: int | None = None) -> bytes:
        """See `Disk`."""
        self._call("read")
        data = self.file(path).cache
        return data if last is None else data[max(0, len(data) - last) :]

    def read_first(self, path: Path, most: int) -> bytes:
        """See `Disk`."""
        self._call("read")
        return self.file(path).cache[:most]

    def lines(self, path: Path, longest: int) -> Iterator[bytes]:
        """See `Disk`."""
        self._call("read")
        rest = BytesIO(self.file(path).cache)
        return iter(lambda: rest.readline(longest + 1), b"")

    def size(self, path: Path) -> int:
        """See `Disk`."""
        return len(self.file(path).cache) if self.is_file(path) else 0

    def is_file(self, path: Path) -> bool:
        """See `Disk`."""
        return isinstance(self._find(path), File)

    def is_folder(self, path: Path) -> bool:
        """See `Disk`."""
        return isinstance(self._find(path), Folder)

    def stands(self, descriptor: int, path: Path) -> bool:
        """See `Disk`."""
        return self._open[descriptor] is self._find(path)

    def names(self, folder: Path) -> list[str]:
        """See `Disk`."""
        self._call("names")
        return list(self._folder(folder).cache)

    def replace(self, source: Path, target: Path) -> None:
        """See `Disk`; within one folder, as the station does."""
        self._call("replace")
        self._folder(source.parent).change((source.name, None), (target.name, self.file(source)))
        self.after()

    def remove(self, path: Path) -> None:
        """See `Disk`."""
        self._call("remove")
        folder = self._folder(path.parent)
        if path.name in folder.cache:
            folder.change((path.name, None))
        self.after()

    def make_folder(self, path: Path) -> None:
        """See `Disk`."""
        self._call("make_folder")
        parent = self._folder(path.parent)
        if path.name not in parent.cache:
            parent.change((path.name, Folder()))
        self.after()

    def sync_folder(self, folder: Path) -> None:
        """See `Disk`."""
        self._call("sync_folder")
        self._folder(folder).sync()
        self.after()

    def lock(self, path: Path) -> int:
        """See `Disk`."""
        descriptor = self.create(path)
        if path in self._locks.values():
            raise BlockingIOError(errno.EWOULDBLOCK, os.strerror(errno.EWOULDBLOCK), str(path))
        self._locks[descriptor] = path
        return descriptor

    def room(self, folder: Path) -> int:
        """Plenty."""
        return PLENTY

    # -- inside ------------------------------------------------------------------------------------

    def _call(self, name: str) -> bool:
        """Counts a call; gives whether it is to take half of what it is given."""
        if self.cut_at is not None and len(self.calls) >= self.cut_at:
            raise PowerCut
        self.calls.append(name)
        failing = self.failing
        if failing is None or len(self.calls) < failing.nth:
            return False
        if len(self.calls) > failing.nth and (not failing.ever or name in HARMLESS):
            return False
        if failing.error is not None:
            raise Fault(failing.error, os.strerror(failing.error))
        return name == "write"

    def _opened(self, file: File) -> int:
        self._next += 1
        self._open[self._next] = file
        self.after()
        return self._next

    def _find(self, path: Path) -> File | Folder | None:
        node: File | Folder | None = self.root
        for name in path.parts[1:]:
            node = node.cache.get(name) if isinstance(node, Folder) else None
        return node

    def file(self, path: Path) -> File:
        """The file of that name, to be looked at or damaged. Raises `OSError` where there is
        none."""
        node = self._find(path)
        if not isinstance(node, File):
            raise _error(errno.ENOENT, path)
        return node

    def _folder(self, path: Path) -> Folder:
        node = self._find(path)
        if not isinstance(node, Folder):
            raise _error(errno.ENOENT, path)
        return node


DiskKind: TypeAlias = Callable[[Folder], MemoryDisk]


def _error(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))
