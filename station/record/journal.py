"""Write the journal: what happened, a line each, on disk before anybody hears of it.

Each line is one canonical JSON object (keys sorted, no spaces, UTF-8): `seq`, `id` (of the
command), `at` (wall clock and how far it is trusted), `mono`, `by`, `via`, `do`, `then`, `prev`
(the signature of the line before; across nights, of the last night's) and `signature` (over the
tree of all lines up to this one: `station.record.heads`).
One thread writes; `append` returns after `fdatasync`. A write that fails halts the journal for
good: it is never tried again, for after a failed sync nobody knows what the disk holds.

What a power cut may do is known: lines before the last `append` that returned stay as they are, and
the one line that was being written may be there, not be there, or have left anything at all in its
place, newlines and zeros too. So damage behind the last good line is a torn tail, put aside by the
next start, as long as it can be that one line: no other line begins in it, and nothing in it
follows another line than the last good one. Any other damage stops with file and line.

A line that is read back was not always answered for: the process may have ended between write and
sync, or the sync failed. A start that believes it says it aloud, so `open` writes it once more
where it stands and syncs before anybody hears of it.

Limits: a tail that is cut off at a line's end leaves a whole record, and a last line that somebody
damages looks like a torn one, as do the last two when one damage takes the end of the first and the
beginning and the middle of the second. Only a head kept elsewhere (`loto journal verify --head`)
shows any of them. A file system that shows blocks of deleted files after a power cut (ext4 does
not, unless mounted with `data=writeback`) may show whole lines of an older journal in a torn tail;
the start stops then, though nothing was lost.
"""

from __future__ import annotations

import errno
import logging
import re
from asyncio import get_running_loop
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from station.base.disk import Disk, keep_file, keep_more
from station.base.errors import Damaged, Halted, StoreError, Unreadable
from station.base.tongue import key, tr
from station.proof.merkle import Edge, GrowingTree
from station.record.chain import (
    NO_END,
    SIGNATURE,
    START,
    Head,
    canonical,
    first_unsigned,
    seal,
    unseal,
)
from station.record.heads import Signer

log = logging.getLogger(__name__)

FILE = "journal.jsonl"
_KEY = re.compile("[0-9a-f]{64}").fullmatch
UNREAD = key("{file}: cannot be read ({why})")


@contextmanager
def disk_errors(path: Path, told: str = UNREAD) -> Iterator[None]:
    """Turn an error of the disk meanwhile into a sentence about `path`.

    Args:
        told: the sentence, with a place for `file` and `why`.

    Raises:
        StoreError: the disk refused.
    """
    try:
        yield
    except StoreError:
        raise
    except OSError as error:
        raise StoreError(tr(told, file=path, why=error.strerror)) from error


@dataclass(frozen=True)
class JournalContent:
    """What a journal file holds.

    Attributes:
        lines: the good lines in order.
        head: the end of the good lines.
        length: bytes of the good lines.
        torn: what the power cut left of the one line after them that was being written, else empty.
        leaves: the hash of each line's entry in the night's tree.
    """

    lines: tuple[dict[str, Any], ...]
    head: Head
    length: int
    torn: bytes
    leaves: tuple[bytes, ...] = ()


def read(path: Path, previous: str = "", disk: Disk | None = None) -> JournalContent:
    """Read a journal file and verify it with the key that its opening line names.

    Whether that key is the station's is another question: see `station.record.station_key`.

    Args:
        previous: the last signature of the night before.

    Raises:
        Damaged: damage that no power cut leaves; names file and line.
        StoreError: the file cannot be read.
    """
    lines: list[dict[str, Any]] = []
    leaves: list[bytes] = []
    ends = [0]  # where each line ends
    head = Head(signature=previous)
    rest, why = b"", ""
    with disk_errors(path):
        found = iter((disk or Disk()).lines(path, LONGEST_LINE))
        for raw in found:
            try:
                if len(raw) > LONGEST_LINE:
                    raise ValueError(tr("it has more than {most} bytes", most=LONGEST_LINE))
                if not raw.endswith(b"\n"):
                    raise ValueError(tr(NO_END))
                line, head, leaf = unseal(raw[:-1], head)
            except (ValueError, RecursionError) as error:
                rest, why = _rest(raw, found), str(error)
                break
            lines.append(line)
            leaves.append(leaf)
            ends.append(ends[-1] + len(raw))
    if unsigned := first_unsigned(lines, leaves, *_signer_in(lines)):
        rest = b"".join(canonical(line) + b"\n" for line in lines[unsigned - 1 :]) + rest
        why = tr(NOT_SIGNED)
        del lines[unsigned - 1 :], leaves[unsigned - 1 :], ends[unsigned:]
        head = Head(Edge.over(leaves), lines[-1][SIGNATURE] if lines else previous)
    if rest and not can_be_one_line(rest, head):
        advice = tr("Stop here: keep a copy of the folder, play on paper")
        raise Damaged(f"{path}:{len(lines) + 1}: {why}. {advice}")
    return JournalContent(tuple(lines), head, ends[-1], rest, tuple(leaves))


def _signer_in(lines: Sequence[Mapping[str, Any]]) -> tuple[str, int]:
    """Return the public key and the night that a night's first line names; no key if it has
    another form: then nothing is signed."""
    do = lines[0]["do"] if lines else {}
    public, night = do.get("key"), do.get("night")
    if not isinstance(public, str) or not _KEY(public) or type(night) is not int or night < 1:
        return "", 0
    return public, night


def _rest(raw: bytes, found: Iterator[bytes]) -> bytes:
    """Return the bytes from here to the end, up to a little more than one line may have."""
    rest = bytearray(raw)
    while len(rest) <= LONGEST_LINE and (more := next(found, b"")):
        rest += more
    return bytes(rest)


LONGEST_LINE = 2 << 20  # bytes; what comes over the wire is at most half of it
# The beginning and the middle of every journal line. Inside a text neither can occur: quotes are
# escaped there.
LINE_START = b'{"at":{"trust":"'
LINK = re.compile(rb'"prev":"([A-Za-z0-9+/=]{88}|)","seq":')
NOT_SIGNED = key("the station's key has not signed this line: it was rewritten")


UNKEPT = key("{file} cannot be kept")
UNWRITTEN = key("{file} cannot be written")


def can_be_one_line(torn: bytes, head: Head) -> bool:
    """Return whether the bytes after the last good line can be the rest of one being written.

    They cannot when they are longer than any line, when a line begins behind their beginning, or
    when anything in them follows another line than the last good one: then a line was confirmed
    that is no longer good.
    """
    if len(torn) > LONGEST_LINE or torn.find(LINE_START, 1) >= 0:
        return False
    return all(last == head.signature.encode() for last in LINK.findall(torn))


def settle(path: Path, length: int, disk: Disk) -> None:
    """Make durable what a start has read: write the last line once more, and sync the file.

    After a failed sync the system may call pages clean that never reached the medium; written again
    they are not. Every line before the last one was synced before the last one was begun.

    Args:
        length: bytes of good lines in the file, which has no others.
    """
    if length:
        last = disk.read(path, LONGEST_LINE)
        last = last[last.rfind(b"\n", 0, -1) + 1 :]
        disk.write_again(path, length - len(last), last)
    disk.sync_folder(path.parent)


class Journal:
    """The writer of a journal: one at a time, by the state folder's lock, with one thread.

    Args:
        path: the journal file; new or read before with `read`.
        signer: signs each line.
        head: the end of the lines in it.
        length: bytes of good lines in it; what lies behind is cut off by `open`.
        writer: does the writing of `append` and `keep`, one after the other; by default a thread.
        leaves: the hashes of the lines in it, for the tree.

    Attributes:
        head: the end of all durable lines.
        tree: over all durable lines, for proofs.
    """

    def __init__(
        self,
        path: Path,
        signer: Signer,
        head: Head = START,
        length: int = 0,
        disk: Disk | None = None,
        writer: Executor | None = None,
        leaves: Iterable[bytes] = (),
    ) -> None:
        self.path = path
        self.signer = signer
        self.head = head
        self.tree = GrowingTree(leaves)
        self.halted: str = ""
        self._length = length
        self._disk = disk or Disk()
        self._descriptor: int | None = None
        self._writer = writer or ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")

    @property
    def signed_head(self) -> str:
        """Return the signed head of the tree over all durable lines, of which there is one."""
        return self.head.note(self.signer.public, self.signer.night)

    def open(self, torn: bytes = b"") -> Path | None:
        """Open the file and make durable what was read from it.

        A torn tail is copied to a file beside it, then cut off.

        Returns:
            Where the torn tail was put, if there was one.

        Raises:
            Halted: the file cannot be opened or made safe.
        """
        aside = None
        try:
            if torn:
                aside = _free_name(self.path, self._disk)
                keep_file(aside, torn, self._disk)
            self._descriptor = self._disk.create(self.path)
            if torn:
                self._disk.truncate(self._descriptor, self._length)
                self._disk.sync(self._descriptor)
            settle(self.path, self._length, self._disk)
        except OSError as error:
            raise self._halt(tr("{file} cannot be opened", file=self.path.name), error) from error
        return aside

    def close(self) -> None:
        """Wait for pending writes, then close the file."""
        self._writer.shutdown(wait=True)
        if self._descriptor is not None:
            self._disk.close(self._descriptor)
            self._descriptor = None

    async def append(self, entry: Mapping[str, Any]) -> Head:
        """Write a line; return its head when it is durable.

        Raises:
            Halted: it could not be written, now or before. It is not tried again.
            ValueError: it is too long, or not valid text. Nothing was written, the journal goes on.
        """
        return await get_running_loop().run_in_executor(self._writer, self._append, entry)

    def append_now(self, entry: Mapping[str, Any]) -> Head:
        """Append a line without an event loop, at a start or in tools, by the only user."""
        return self._append(entry)

    def ping(self) -> Future[None]:
        """Return a future that is done after all earlier work of the thread: it is alive."""
        return self._writer.submit(lambda: None)

    async def keep_more(self, name: str, data: bytes, *, private: bool = False) -> None:
        """Append to a small file beside the journal, durably; a private one for its owner alone.

        Raises:
            Halted: it could not be written.
        """
        if self.halted:
            raise Halted(self.halted)
        path, run = self.path.with_name(name), get_running_loop().run_in_executor
        try:
            how = partial(keep_more, private=private)
            await run(self._writer, how, path, data, self._disk)
        except OSError as error:
            raise self._halt(tr(UNKEPT, file=name), error) from error

    async def drop(self, name: str) -> None:
        """Remove a file beside the journal that is of no use any more; it may stay without harm."""
        path = self.path.with_name(name)
        try:
            await get_running_loop().run_in_executor(self._writer, self._disk.remove, path)
        except OSError as error:
            log.warning("%s stays where it is: %s", path, error.strerror)

    def keep_more_now(self, name: str, data: bytes) -> None:
        """Append to a small file without an event loop, by the only user of the journal."""
        try:
            keep_more(self.path.with_name(name), data, self._disk)
        except OSError as error:
            raise self._halt(tr(UNKEPT, file=name), error) from error

    def _append(self, entry: Mapping[str, Any]) -> Head:
        # Signed here, on the writer's thread: a line follows the one before even if its sender was
        # cancelled.
        if self.halted or self._descriptor is None:
            raise Halted(self.halted or tr("{file}: the journal is not open", file=self.path))
        line, head, leaf = seal(entry, self.head, self.signer)
        if len(line) > LONGEST_LINE:
            raise Unreadable(
                tr(
                    "a line of {size} bytes was asked for, {most} are the most: do less at once",
                    size=len(line),
                    most=LONGEST_LINE,
                )
            )
        try:
            taken = self._disk.write(self._descriptor, line)
            if taken != len(line):
                why = tr("only {taken} of {size} bytes were taken", taken=taken, size=len(line))
                raise OSError(errno.ENOSPC, why)
            self._disk.sync(self._descriptor)
            # A removed file accepts every line, and nobody can read them later.
            if not self._disk.stands(self._descriptor, self.path):
                gone = tr("it was removed, or its folder moved away, while the night is open")
                raise OSError(errno.ENOENT, gone)
            self.tree.grow(leaf)
            self.head = head
        except OSError as error:
            raise self._halt(tr(UNWRITTEN, file=self.path.name), error) from error
        except MemoryError as error:
            # Nobody knows whether the line was written: the next one could follow the wrong line.
            no_memory = OSError(errno.ENOMEM, tr("there is no memory left"))
            raise self._halt(tr(UNWRITTEN, file=self.path.name), no_memory) from error
        return head

    def _halt(self, what: str, error: OSError) -> Halted:
        why = f"{what}: {error.strerror or error}"
        self.halted = tr("{why}. The game is halted: go on with paper", why=why)
        return Halted(self.halted)


def _free_name(path: Path, disk: Disk) -> Path:
    number = 1
    while disk.is_file(aside := path.with_name(f"{path.name}.torn-{number}")):
        number += 1
    return aside
