"""Audit a state folder: each night, each line, the chain across nights, signatures; replay it.

One judge for `loto journal verify`, `replay`, `show`, `export`, the reports and the restoring of
backups; the start asks the same of the last night (`station.record.examining`). It goes by folders:
a night that should be there and is not is damage. Nothing is written, and the station may run
meanwhile. Lines are read, not kept: a million take seconds and no memory.

A night that no signature stands for is played again here, too: nothing but the rules can tell
whether it was written anew.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

from station import __version__
from station.base.disk import Disk
from station.base.errors import Damaged, LotoError, Unreadable
from station.base.tongue import tr
from station.base.untrusted import table_from
from station.night.opening import Carrying, closes
from station.record import checkpoint
from station.record.chain import GENESIS, Head, JournalLine, canonical, follow, line_of
from station.record.checkpoint import Checkpoint, Keys
from station.record.coded import CodedHead
from station.record.examining import NEVER_SIGNED, NOT_CARRIED
from station.record.folders import KEEP_A_COPY, check_unbegun, numbered_folders
from station.record.heads import Heads, TreeHead, first_unlike, follow_heads, leaf_of
from station.record.journal import FILE, LONGEST_LINE, JournalContent, disk_errors, read
from station.record.nights import replay
from station.record.traces import Traces, check_before, compare, look_beside, uncovered

BLOCK = 20_000  # lines between two steps of the progress bar

Progress = Callable[[int, int], None]
Tick = Callable[[int], None]


def _no_progress(done: int, total: int) -> None:
    """Ignore the progress, where nobody watches it."""


@dataclass(frozen=True, slots=True)
class AuditedNight:
    """What the audit found in one night.

    Attributes:
        night: the folder's name.
        lines: how many good lines there are.
        torn: damaged bytes behind them, which the next start puts aside.
        point: its newest checkpoint, or None where it has none.
        vouched: whether its opening carries the checkpoint before it: then every signature that was
            due is there. Nights of older versions do not.
        test: no money was taken in it.
        by: the first night, this one or a later one, whose signature stands for all of its lines;
            None where none does yet.
    """

    night: str
    lines: int
    head: Head
    torn: int
    point: Checkpoint | None
    vouched: bool = False
    by: int | None = None
    test: bool = False

    @property
    def unsigned(self) -> int:
        """Return how many of the night's last lines no signature covers."""
        if self.by is not None:
            return 0
        return self.lines - (self.point.seq if self.point is not None else 0)


def verify(
    state: Path, keys: Keys = (), progress: Progress = _no_progress, disk: Disk | None = None
) -> list[AuditedNight]:
    """Verify every night: its lines, the chain, the money carried over, signatures, copies.

    Args:
        keys: the public keys that may have signed; the state folder's own when empty, any where
            that has none.
        progress: called with the bytes read and the bytes in all.

    Raises:
        Damaged: names file and line, or what is missing.
        StoreError: a file cannot be read.
    """
    disk = disk or Disk()
    if not keys and (own := checkpoint.load_public_key(state)) is not None:
        keys = (own,)
    going = _Going(keys, disk)
    for folder, last, tick in _steps(state, progress, disk):
        if not going.take(folder, tick, last=last):
            break
    nights = _vouched_by(going.found)
    previous = GENESIS
    for night in nights:
        if night.by is None:
            folder = state / "nights" / night.night
            replay(folder, read(folder / FILE, previous, disk), disk)
        previous = night.head.sum
    return nights


class _Going:
    """A walk through the nights, oldest first."""

    def __init__(self, keys: Keys, disk: Disk) -> None:
        self.found: list[AuditedNight] = []
        self._keys, self._disk = keys, disk
        self._previous = GENESIS
        self._newest: Checkpoint | None = None
        self._carrying = Carrying()

    def take(self, folder: Path, tick: Tick, *, last: bool) -> bool:
        """Verify the next night; return whether it has begun. Raises as `verify`."""
        path = folder / FILE
        was = look_beside(folder, self._keys, self._disk)
        if path.name not in was.names and last:
            check_unbegun(folder, was.names, self._disk)
            return False
        keys = self._keys or {point.key for point in was.points}

        def walk(heads: Heads) -> tuple[Traces, Head, int]:
            traces = Traces(path, was.points)
            return traces, *_walk(path, self._previous, tick, traces, heads, self._disk)

        traces, head, torn = follow_heads(path, int(folder.name), keys, walk)
        if not last and (torn or not head.seq):
            when = tr("it was damaged after the night was closed")
            raise Damaged(f"{path}:{head.seq + 1}: {when}: {tr(KEEP_A_COPY)}")
        if (opening := traces.opening) is None or traces.first is None or traces.newest is None:
            check_unbegun(folder, was.names, self._disk)
            return False
        now = compare(folder, opening, traces, head, was, self._keys, self._disk, last=last)
        point, end = now.points[-1] if now.points else None, _entry(traces.newest)
        self._carrying.take(str(path), _entry(traces.first), None if last else end)
        if opening.vouched:
            check_before(opening, self._newest, self._previous, f"{path}:1")
        elif self.found and self.found[-1].vouched:
            raise Damaged(f"{path}:1: {tr(NOT_CARRIED)}: {tr(KEEP_A_COPY)}")
        elif last and self._keys:
            before = self.found[-1].point if self.found else None
            signed = point.seq if point is not None else 0
            if fault := uncovered(int(folder.name), traces, head, signed, before, self._previous):
                raise Damaged(f"{path}: {fault}: {tr(NEVER_SIGNED)}")
        end_of = folder.name, head.seq, head, torn, point, opening.vouched
        self.found.append(AuditedNight(*end_of, test=opening.test))
        self._previous, self._newest = head.sum, point or self._newest
        return True


def _entry(line: JournalLine) -> dict[str, object]:
    return {"seq": line.seq, "do": line.do, "then": line.then}


def _vouched_by(nights: Sequence[AuditedNight]) -> list[AuditedNight]:
    """Return the nights, each with the first signature that covers it: its own or a later one's."""
    told: list[AuditedNight] = []
    later: int | None = None
    for night in reversed(nights):
        own = night.point is not None and night.point.head == night.head
        told.append(replace(night, by=int(night.night) if own else later))
        later = int(night.night) if night.point is not None else later
    return told[::-1]


def insist(nights: Sequence[AuditedNight], *, strict: bool = False) -> None:
    """Check that a signature covers every line of every night.

    Args:
        strict: check too that no older night is covered only by a later night's signature.

    Raises:
        Damaged: some lines are not signed; the message names them.
    """
    for night in nights:
        if night.by is None:
            first = night.lines - night.unsigned + 1
            raise Damaged(
                tr(
                    "night {night}: lines {first} to {last} are not signed yet: until the game, or"
                    " the night, is closed the key cannot vouch for them; if it was closed,"
                    " somebody took its signature away",
                    night=night.night,
                    first=first,
                    last=night.lines,
                )
            )
        if strict and not night.vouched and night.point is None:
            only = tr("vouched for only by the signature of night {night}", night=night.by)
            raise Damaged(f"{tr('night {night}', night=night.night)}: {only}")


def readings(
    state: Path,
    progress: Progress = _no_progress,
    keys: Collection[str] = (),
    disk: Disk | None = None,
    *,
    signed: bool = False,
) -> Iterator[tuple[Path, JournalContent, AuditedNight]]:
    """Verify all nights, then yield the folder, lines and audit result of each, oldest first.

    Args:
        keys: as in `verify`.
        signed: a signature must stand for every line.

    Raises:
        Damaged: names file and line.
        StoreError: a file cannot be read.
    """
    disk = disk or Disk()
    nights = verify(state, keys, lambda done, total: progress(done, 2 * total), disk)
    if signed:
        insist(nights)
    sizes = [disk.size(state / "nights" / night.night / FILE) for night in nights]
    previous, done, total = GENESIS, sum(sizes), 2 * sum(sizes)
    for night, size in zip(nights, sizes, strict=True):
        folder = state / "nights" / night.night
        reading = read(folder / FILE, previous, disk)
        yield folder, reading, night
        done, previous = done + size, reading.head.sum
        progress(done, total)


def replay_all(
    state: Path,
    progress: Progress = _no_progress,
    keys: Collection[str] = (),
    disk: Disk | None = None,
    *,
    signed: bool = False,
) -> Iterator[tuple[str, int, str]]:
    """Apply every act of every night again, and compare what followed with what was recorded.

    Args:
        keys: as in `verify`.
        signed: as in `readings`.

    Yields:
        The night, its lines, and how it differs; empty for a night that does not. Only a closed,
            signed night of another version of the program may differ: what it says is what
            happened.

    Raises:
        Damaged: names file and line.
    """
    for folder, reading, _ in readings(state, progress, keys, disk, signed=signed):
        differs = ""
        try:
            replay(folder, reading, disk)
        except Damaged as error:
            version = reading.lines[0]["do"]["version"]
            if version == __version__ or not closes(reading.lines[-1]):
                raise
            differs = tr("played by version {version}: {why}", version=version, why=error)
        yield folder.name, len(reading.lines), differs


@contextmanager
def telling(folder: Path, reading: JournalContent) -> Iterator[None]:
    """Turn any error while a night's lines are being told into `Damaged` with file and line.

    Raises:
        Damaged: names file and line.
    """
    path = folder / FILE
    try:
        yield
    except Unreadable as error:
        raise Damaged(f"{path}: {error}") from error
    except LotoError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        replay(folder, reading)  # which names the line that no station writes
        what = tr("a line cannot be read ({why}): was it written by another version?", why=error)
        raise Damaged(f"{path}: {what}") from error


def leaves_of(folder: Path, lines: int) -> tuple[bytes, ...]:
    """Return the hashes of a night's first lines, which were verified before, in its tree.

    Raises:
        StoreError: the file cannot be read.
    """
    with disk_errors(folder / FILE):
        return tuple(
            leaf_of(line[:-1]) for line in islice(Disk().lines(folder / FILE, LONGEST_LINE), lines)
        )


def unlike(
    state: Path, nights: Sequence[AuditedNight], kept: Sequence[TreeHead]
) -> tuple[int, int, int] | None:
    """Return where verified nights stop to be those of which somebody kept the heads.

    Args:
        kept: heads whose signatures are good.

    Returns:
        The night, and two lines as of `first_unlike`; None if the nights go on from every head.
    """
    for number in sorted({head.night for head in kept}):
        here = next((night for night in nights if int(night.night) == number), None)
        folder = state / "nights" / f"{number:04d}"
        leaves = leaves_of(folder, here.lines) if here is not None else ()
        if found := first_unlike([head for head in kept if head.night == number], leaves):
            return number, *found
    return None


def is_signed(state: Path, coded: CodedHead, lines: int, key: str) -> bool:
    """Return whether a head on paper was signed with this key, and is of a verified night's record.

    Args:
        lines: how many lines the night has.

    Raises:
        StoreError: the night cannot be read.
    """
    head = coded.head
    if coded.key != key or not head.signed_by_any([key]):
        return False
    return first_unlike([head], leaves_of(state / "nights" / f"{head.night:04d}", lines)) is None


def line_sum(folder: Path, seq: int) -> str | None:
    """Return the sum on a line of a night that was verified before; None if there is no such line.

    Raises:
        StoreError: the file cannot be read.
    """
    if seq <= 0:
        return None
    with disk_errors(folder / FILE):
        line = next(islice(Disk().lines(folder / FILE, LONGEST_LINE), seq - 1, seq), b"")
    return str(table_from(line.removesuffix(b"\n"))["sum"]) if line else None


def _steps(state: Path, progress: Progress, disk: Disk) -> Iterator[tuple[Path, bool, Tick]]:
    """Yield each night's folder, whether it is the last, and what is told how far it was read."""
    folders = numbered_folders(state, disk)
    sizes = [disk.size(folder / FILE) for folder in folders]
    before, total = 0, sum(sizes)
    for folder, size in zip(folders, sizes, strict=True):
        yield folder, folder == folders[-1], partial(_tick, progress, before, total)
        before += size
    progress(total, total)


def _tick(progress: Progress, before: int, total: int, done: int) -> None:
    progress(before + done, total)


def _walk(
    path: Path, previous: str, tick: Tick, traces: Traces, heads: Heads, disk: Disk
) -> tuple[Head, int]:
    """Return the end of a journal's chain, and how many torn bytes follow it."""
    head, read_bytes = Head(0, previous), 0

    def look(line: JournalLine, raw: bytes) -> None:
        heads.take(line, leaf_of(raw))
        traces.take(line)

    def counted() -> Iterator[bytes]:
        nonlocal read_bytes
        for raw in disk.lines(path, LONGEST_LINE):
            read_bytes += len(raw)
            yield raw

    # Line by line: of a file with an endless line only the first part is read.
    lines = counted()
    try:
        with disk_errors(path):
            while (after := follow(islice(lines, BLOCK), head, look)) != head:
                head = after
                tick(read_bytes)
    except (ValueError, RecursionError):
        # What is torn and what is damaged is decided by the same reader as at a start.
        reading = read(path, previous, disk)
        for line in reading.lines[traces.newest.seq if traces.newest is not None else 0 :]:
            look(line_of(line), canonical(line))
        return reading.head, len(reading.torn)
    return head, 0
