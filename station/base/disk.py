"""The disk: every file operation that the record of a night hangs on, in one place, so that a
rehearsal can fail each of them."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

# bytes that are read as one; no pack, bag or table is near it. Journals are read line by line
LARGEST_FILE = 1 << 28


def open_regular(path: Path) -> int:
    """Opens a file to read it, a regular one: along no link, and never a pipe or a device, which
    may wait or never end.

    Raises:
        OSError: there is none, or something else stands there.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, "a link stands there, not a file", str(path)) from error
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return descriptor


class Disk:
    """The machine's own disk. Every method raises `OSError` where the system does."""

    def create(self, path: Path) -> int:
        """Opens a file to append to, making it where needed."""
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o640)

    def only_owner(self, descriptor: int) -> None:
        """Let nobody but its owner read or write a file."""
        os.fchmod(descriptor, 0o600)

    def write(self, descriptor: int, data: bytes) -> int:
        """Appends; gives the number of bytes taken."""
        return os.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        """Returns when the file's bytes are on the medium."""
        if sys.platform == "darwin":
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        else:
            os.fdatasync(descriptor)

    def truncate(self, descriptor: int, length: int) -> None:
        """Cuts the file."""
        os.ftruncate(descriptor, length)

    def close(self, descriptor: int) -> None:
        """Closes the file; a lock on it is given back."""
        os.close(descriptor)

    def write_again(self, path: Path, start: int, data: bytes) -> None:
        """Writes bytes once more where they stand in a file, and returns when they are on the
        medium."""
        # Not opened to append: there Linux writes at the end, whatever place is asked for.
        descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            if os.pwrite(descriptor, data, start) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
            self.sync(descriptor)
        finally:
            os.close(descriptor)

    def read(self, path: Path, last: int | None = None) -> bytes:
        """The bytes of a regular file, or about its `last` ones, to its end."""
        with os.fdopen(open_regular(path), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if last is not None:
                file.seek(max(0, size - last))
                return file.read(2 * last)  # it may have grown meanwhile
            if size > LARGEST_FILE:
                raise OSError(
                    errno.EFBIG, f"it has {size} bytes, {LARGEST_FILE} are the most", str(path)
                )
            return file.read(LARGEST_FILE)

    def read_first(self, path: Path, most: int) -> bytes:
        """The first bytes of a regular file, at most so many."""
        with os.fdopen(open_regular(path), "rb") as file:
            return file.read(most)

    def lines(self, path: Path, longest: int) -> Iterator[bytes]:
        """The lines of a regular file, each with its newline; one that is too long comes as its
        first `longest` + 1 bytes."""
        with os.fdopen(open_regular(path), "rb") as file:
            yield from iter(partial(file.readline, longest + 1), b"")

    def is_file(self, path: Path) -> bool:
        """Whether a regular file of this name can be seen."""
        return path.is_file() and not path.is_symlink()

    def size(self, path: Path) -> int:
        """How many bytes the regular file of this name has; none where there is no such file."""
        return path.stat().st_size if self.is_file(path) else 0

    def is_link(self, path: Path) -> bool:
        """Whether a link of this name can be seen."""
        return path.is_symlink()

    def is_folder(self, path: Path) -> bool:
        """Whether a folder of this name can be seen."""
        return path.is_dir()

    def stands(self, descriptor: int, path: Path) -> bool:
        """Whether an open file is still the one that has this name: not removed, moved away or
        replaced."""
        try:
            return os.path.samestat(os.fstat(descriptor), path.stat())
        except FileNotFoundError:
            return False

    def names(self, folder: Path) -> list[str]:
        """What stands in a folder, in no order."""
        return os.listdir(folder)

    def replace(self, source: Path, target: Path) -> None:
        """Gives a file another name at once; what had that name is gone."""
        source.replace(target)

    def remove(self, path: Path) -> None:
        """Removes a file; one that is not there is well removed."""
        path.unlink(missing_ok=True)

    def make_folder(self, path: Path) -> None:
        """Makes a folder in one that is there; it may be there already."""
        path.mkdir(exist_ok=True)

    def sync_folder(self, folder: Path) -> None:
        """Returns when the folder's entries are on the medium."""
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def lock(self, path: Path) -> int:
        """Takes a lock on a file, made where needed, or on a folder; `close` gives it back, or the
        process's end.

        Raises:
            BlockingIOError: it is taken.
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
        """How many bytes may still be written."""
        return shutil.disk_usage(folder).free


def keep_file(path: Path, data: bytes, disk: Disk | None = None, *, private: bool = False) -> None:
    """Write a whole file durably, replacing what stood there only when all of it is on disk.

    Args:
        private: nobody but its owner may read it, from its first byte on.
    """
    disk = disk or Disk()
    draft = path.with_name(f".{path.name}.new")
    disk.remove(draft)
    descriptor = disk.create(draft)
    try:
        if private:
            disk.only_owner(descriptor)
        if disk.write(descriptor, data) != len(data):
            raise OSError(errno.ENOSPC, "no room", str(path))
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
    """Makes a folder durably, with those above it where they are missing."""
    disk = disk or Disk()
    if not disk.is_folder(path):
        keep_folder(path.parent, disk)
        disk.make_folder(path)
        disk.sync_folder(path.parent)


def give_to_owner(folder: Path) -> None:
    """Gives what root made in a state folder to whose the folder is: the station, a user without
    rights, could not read it.

    Never along a link, and from folder to folder by what is open: whoever owns them cannot lead it
    out of there.
    """
    if os.geteuid() != 0 or not folder.is_dir():
        return
    owner = folder.stat()
    for _, folders, files, opened in os.fwalk(folder):
        for name in (*folders, *files):
            if os.stat(name, dir_fd=opened, follow_symlinks=False).st_uid == 0 != owner.st_uid:
                os.chown(name, owner.st_uid, owner.st_gid, dir_fd=opened, follow_symlinks=False)
