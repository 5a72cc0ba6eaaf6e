"""The journal: what happened, one line each, on disk before anybody hears of it.

Each line is one canonical JSON object (keys sorted, no spaces, UTF-8): `seq`, `id` (of the command), `at` (wall clock and how
far it is trusted), `mono`, `by`, `via`, `do`, `then`, `prev` (the line before's `sum`; across nights, the last night's), `sum`
(SHA-256 of the line without it). One thread writes; `append` returns after `fdatasync`. A write that fails halts the journal
for good: it is never tried again, for after a failed sync nobody knows what the disk holds.

Limit: a tail that is cut off at a line's end leaves a whole chain. Only a head kept elsewhere (`loto journal verify --head`)
shows it.
"""

from __future__ import annotations

import errno
import json
from asyncio import get_running_loop
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from station.chain import GENESIS, START, Head, seal, unseal
from station.disk import Disk, keep_file
from station.errors import Damaged, Halted, StoreError

FILE = "journal.jsonl"


@dataclass(frozen=True)
class Reading:
    """What a journal file holds.

    Attributes:
        lines: the good lines in order.
        head: the chain's end.
        length: bytes of the good lines.
        torn: damaged bytes after them, at most one line (a write that the power cut), else empty.
    """

    lines: tuple[dict[str, Any], ...]
    head: Head
    length: int
    torn: bytes


def read(path: Path, previous: str = GENESIS) -> Reading:
    """Reads and verifies a journal file.

    Args:
        previous: the last sum of the night before.

    Raises:
        Damaged: damage anywhere but in the last line; names file and line.
        StoreError: the file cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror})") from error
    lines: list[dict[str, Any]] = []
    head = Head(0, previous)
    length = 0
    for number, raw in enumerate(_split(data), 1):
        last = length + len(raw) == len(data)
        try:
            if not raw.endswith(b"\n"):
                raise ValueError("it has no end")
            line, head = unseal(raw[:-1], head)
        except (ValueError, RecursionError) as error:
            # Zeros after the good lines are one torn tail however many "lines" a cut file system made of them.
            if (last and not _two_lines(raw)) or not data[length:].strip(b"\0\n"):
                return Reading(tuple(lines), head, length, data[length:])
            raise Damaged(f"{path}:{number}: {error}. Stop here: keep a copy of the folder, play on paper") from error
        lines.append(line)
        length += len(raw)
    return Reading(tuple(lines), head, length, b"")


def _two_lines(raw: bytes) -> bool:
    """Whether a whole object stands here and another begins: no cut write, but two lines whose newline is gone."""
    text = raw.decode(errors="replace")
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return "{" in text[end:]


def _split(data: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        yield data[start:end]
        start = end


class Journal:
    """The writing end. One at a time a state folder (its lock sees to that); one thread writes.

    Args:
        path: the journal file; new or read before with `read`.
        head: the end of the chain in it.
        length: bytes of good lines in it; what lies behind is cut off by `open`.
    """

    def __init__(self, path: Path, head: Head = START, length: int = 0, disk: Disk | None = None) -> None:
        self.path = path
        self.head = head
        self.halted: str = ""
        self._length = length
        self._disk = disk or Disk()
        self._descriptor: int | None = None
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")

    def open(self, torn: bytes = b"") -> Path | None:
        """Opens the file; a torn tail is kept beside it first, then cut off.

        Returns:
            Where the torn tail was put, if there was one.

        Raises:
            Halted: the file cannot be opened or made safe.
        """
        aside = None
        try:
            if torn:
                aside = _free_name(self.path)
                self._keep(aside, torn)
            new = not self.path.exists()
            self._descriptor = self._disk.create(self.path)
            if torn:
                self._disk.truncate(self._descriptor, self._length)
                self._disk.sync(self._descriptor)
            if new or torn:
                self._disk.sync_folder(self.path.parent)
        except OSError as error:
            raise self._halt("cannot be opened", error) from error
        return aside

    def close(self) -> None:
        """Waits for what is being written, then closes."""
        self._writer.shutdown(wait=True)
        if self._descriptor is not None:
            self._disk.close(self._descriptor)
            self._descriptor = None

    async def append(self, entry: Mapping[str, Any]) -> Head:
        """Writes a line; returns its head when it is durable.

        Raises:
            Halted: it could not be written, now or before. It is not tried again.
        """
        return await get_running_loop().run_in_executor(self._writer, self._append, entry)

    def append_now(self, entry: Mapping[str, Any]) -> Head:
        """`append` for a caller without an event loop (start-up, tools)."""
        return self._writer.submit(self._append, entry).result()

    async def keep(self, name: str, data: bytes) -> None:
        """Puts a file that the next line refers to beside the journal, durably.

        Raises:
            Halted: it could not be written.
        """
        if self.halted:
            raise Halted(self.halted)
        try:
            await get_running_loop().run_in_executor(self._writer, self._keep, self.path.with_name(name), data)
        except OSError as error:
            raise self._halt(f"{name} cannot be kept", error) from error

    def _append(self, entry: Mapping[str, Any]) -> Head:
        # Sealed here, on the writer's thread: a line follows the one before it also when whoever sent that one has gone.
        if self.halted or self._descriptor is None:
            raise Halted(self.halted or f"{self.path}: the journal is not open")
        line, head = seal(entry, self.head)
        try:
            taken = self._disk.write(self._descriptor, line)
            if taken != len(line):
                raise OSError(errno.ENOSPC, f"only {taken} of {len(line)} bytes were taken")
            self._disk.sync(self._descriptor)
        except OSError as error:
            raise self._halt("cannot be written", error) from error
        self.head = head
        return head

    def _keep(self, path: Path, data: bytes) -> None:
        keep_file(path, data, self._disk)

    def _halt(self, what: str, error: OSError) -> Halted:
        self.halted = f"{self.path.name} {what}: {error.strerror or error}. The game is halted: go on with paper"
        return Halted(self.halted)


def _free_name(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.torn-{number}")).exists():
        number += 1
    return aside
