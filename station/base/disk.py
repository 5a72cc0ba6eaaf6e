"""Do every file operation that a night's record depends on, so that a rehearsal can fail each."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from unicodedata import normalize

from station.base.tongue import tr

# bytes of a file read as a whole; no pack, bag or table is near it. Journals are read by lines
LARGEST_FILE = 1 << 28


def file_part(text: str) -> str:
    """Return a text, a card's serial for instance, as a part of a file's name on any system.

    >>> file_part("A000123-K7QX"), file_part("12/3"), file_part("../Série 1")
    ('A000123-K7QX', '12-3', 'Serie-1')
    """
    plain = normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^0-9A-Za-z]+", "-", plain).strip("-") or "card"


def open_regular(path: Path) -> int:
    """Open a regular file for reading; no link, nor a pipe or device, which may never end.

    Raises:
        OSError: there is no such file, or it is not a regular one.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, tr("a link stands there, not a file"), str(path)) from error
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, tr("it is no regular file"), str(path))
    return descriptor


class Disk:
    """The machine's own disk. Each method raises `OSError` where the system does."""

    def create(self, path: Path) -> int:
        """Open a file for appending; create it if it is missing."""
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o640)

    def only_owner(self, descriptor: int) -> None:
        """Let nobody but its owner read or write a file."""
        os.fchmod(descriptor, 0o600)

    def for_all(self, descriptor: int) -> None:
        """Let everybody read a file."""
        os.fchmod(descriptor, 0o644)

    def write(self, descriptor: int, data: bytes) -> int:
        """Append bytes; return how many of them were written."""
        return os.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        """Wait until the file's bytes are on the medium."""
        if sys.platform == "darwin":
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        else:
            os.fdatasync(descriptor)

    def truncate(self, descriptor: int, length: int) -> None:
        """Cut the file to `length` bytes."""
        os.ftruncate(descriptor, length)

    def close(self, descriptor: int) -> None:
        """Close the file, which also releases a lock on it."""
        os.close(descriptor)

    def write_again(self, path: Path, start: int, data: bytes) -> None:
        """Write bytes of a file again at their place, and wait until they are on the medium."""
        # Not opened for appending: Linux would write at the end, whatever place is given.
        descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            if os.pwrite(descriptor, data, start) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
            self.sync(descriptor)
        finally:
            os.close(descriptor)

    def read(self, path: Path, last: int | None = None) -> bytes:
        """Return the bytes of a regular file; with `last`, about that many bytes from its end."""
        with os.fdopen(open_regular(path), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if last is not None:
                file.seek(max(0, size - last))
                return file.read(2 * last)  # it may have grown meanwhile
            if size > LARGEST_FILE:
                what = tr("it has {size} bytes, {most} are the most", size=size, most=LARGEST_FILE)
                raise OSError(errno.EFBIG, what, str(path))
            return file.read(LARGEST_FILE)

    def read_first(self, path: Path, most: int) -> bytes:
        """Return at most the first `most` bytes of a regular file."""
        with os.fdopen(open_regular(path), "rb") as file:
            return file.read(most)

    def lines(self, path: Path, longest: int) -> Iterator[bytes]:
        """Yield a regular file's lines with their newlines; of a longer one `longest` + 1 bytes."""
        with os.fdopen(open_regular(path), "rb") as file:
            yield from iter(partial(file.readline, longest + 1), b"")

    def is_file(self, path: Path) -> bool:
        """Return whether a regular file of this name is visible."""
        return path.is_file() and not path.is_symlink()

    def size(self, path: Path) -> int:
        """Return the size of a regular file in bytes; 0 if there is none of this name."""
        return path.stat().st_size if self.is_file(path) else 0

    def is_link(self, path: Path) -> bool:
        """Return whether a link of this name is visible."""
        return path.is_symlink()

    def is_folder(self, path: Path) -> bool:
        """Return whether a folder of this name is visible."""
        return path.is_dir()

    def stands(self, descriptor: int, path: Path) -> bool:
        """Return whether an open file still has this name: not removed, moved away or replaced."""
        try:
            return os.path.samestat(os.fstat(descriptor), path.stat())
        except FileNotFoundError:
            return False

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder, in no order."""
        return os.listdir(folder)

    def replace(self, source: Path, target: Path) -> None:
        """Rename a file in one step; a file that had the new name is replaced."""
        source.replace(target)

    def remove(self, path: Path) -> None:
        """Remove a file, if it is there."""
        path.unlink(missing_ok=True)

    def make_folder(self, path: Path) -> None:
        """Make a folder, if it is not there; the folder above it must exist."""
        path.mkdir(exist_ok=True)

    def sync_folder(self, folder: Path) -> None:
        """Wait until the folder's entries are on the medium."""
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def lock(self, path: Path) -> int:
        """Lock a file, created if missing, or a folder, until `close` or the process's end.

        Raises:
            BlockingIOError: another process holds the lock.
        """
        kind = os.O_RDONLY | os.O_DIRECTORY if path.is_dir() else os.O_RDWR | os.O_CREAT
        descriptor = os.open(path, kind | os.O_CLOEXEC, 0o640)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    def room(self, folder: Path) -> int:
        """Return how many bytes are free on the folder's medium."""
        return shutil.disk_usage(folder).free

    def locked(self, folder: Path) -> bool:
        """Return whether the folder's medium can only be read."""
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def keep_file(
    path: Path,
    data: bytes,
    disk: Disk | None = None,
    *,
    private: bool = False,
    public: bool = False,
) -> None:
    """Write a whole file durably, replacing what stood there only when all of it is on disk.

    Args:
        private: nobody but its owner may read it, from its first byte on.
        public: everybody may read it, whatever its writer's own files are like.
    """
    disk = disk or Disk()
    draft = path.with_name(f".{path.name}.new")
    disk.remove(draft)
    descriptor = disk.create(draft)
    try:
        if private:
            disk.only_owner(descriptor)
        if public:
            disk.for_all(descriptor)
        if disk.write(descriptor, data) != len(data):
            raise OSError(errno.ENOSPC, tr("no room"), str(path))
        disk.sync(descriptor)
    finally:
        disk.close(descriptor)
    disk.replace(draft, path)
    disk.sync_folder(path.parent)


def keep_more(path: Path, data: bytes, disk: Disk | None = None, *, private: bool = False) -> None:
    """Add to the end of a small file durably: all of it is written anew, so that a power cut
    leaves no part of it torn; `private` as in `keep_file`."""
    disk = disk or Disk()
    before = disk.read(path) if disk.is_file(path) else b""
    keep_file(path, before + data, disk, private=private)


def keep_folder(path: Path, disk: Disk | None = None) -> None:
    """Make a folder durably, with the missing folders above it."""
    disk = disk or Disk()
    if not disk.is_folder(path):
        keep_folder(path.parent, disk)
        disk.make_folder(path)
        disk.sync_folder(path.parent)


def give_to_owner(folder: Path) -> None:
    """Give what root made in a state folder to its owner, or the station's user could not read it.

    Follow no link, and go down by open folders: their owner cannot lead root out of there.
    """
    if os.geteuid() != 0 or not folder.is_dir():
        return
    owner = folder.stat()
    for _, folders, files, opened in os.fwalk(folder):
        for name in (*folders, *files):
            if os.stat(name, dir_fd=opened, follow_symlinks=False).st_uid == 0 != owner.st_uid:
                os.chown(name, owner.st_uid, owner.st_gid, dir_fd=opened, follow_symlinks=False)
