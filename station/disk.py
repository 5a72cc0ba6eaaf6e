"""The disk: the few system calls that durability hangs on, in one place, so that a rehearsal can fail them."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path


class Disk:
    """The few system calls that durability hangs on, in one place, so that a rehearsal can fail them."""

    def create(self, path: Path) -> int:
        """Opens a file to append to, making it where needed."""
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o640)

    def write(self, descriptor: int, data: bytes) -> int:
        """Writes; gives the number of bytes taken."""
        return os.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        """Returns when the file's bytes are on the medium."""
        if sys.platform == "darwin":
            import fcntl

            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        else:
            os.fdatasync(descriptor)

    def sync_folder(self, folder: Path) -> None:
        """Returns when the folder's entries are on the medium."""
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def truncate(self, descriptor: int, length: int) -> None:
        """Cuts the file."""
        os.ftruncate(descriptor, length)

    def close(self, descriptor: int) -> None:
        """Closes the file."""
        os.close(descriptor)


def keep_file(path: Path, data: bytes, disk: Disk | None = None) -> None:
    """Writes a whole file durably, replacing what stood there only when all of it is on disk."""
    disk = disk or Disk()
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    descriptor = disk.create(draft)
    try:
        if disk.write(descriptor, data) != len(data):
            raise OSError(errno.ENOSPC, "no room", str(path))
        disk.sync(descriptor)
    finally:
        disk.close(descriptor)
    draft.replace(path)
    disk.sync_folder(path.parent)
