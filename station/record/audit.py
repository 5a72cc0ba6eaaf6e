"""Audit a state folder: each night, each line, the signatures; replay it.

One judge for `loto journal verify`, `replay`, `show`, `export`, the reports and the restoring of
backups; the start asks the same of the last night (`station.record.nights.examine`). It goes by
folders: a night that should be there and is not is damage. Nothing is written, and the station may
run meanwhile. Lines are read, not kept: a million take seconds and no memory.

Limits. The newest nights taken away together, or a tail cut off together with the heads that were
kept of it, leave a whole folder: only a newer head that was kept elsewhere shows that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from station import __version__
from station.base.disk import Disk
from station.base.errors import Damaged, LotoError, Unreadable
from station.base.tongue import tr
from station.night.opening import Carrying, closes
from station.proof.merkle import Edge
from station.record.chain import Head, JournalLine, follow, leaf_in, line_of
from station.record.coded import CodedHead
from station.record.folders import KEEP_A_COPY, check_unbegun, names_in, numbered_folders
from station.record.heads import TreeHead, first_unlike
from station.record.journal import FILE, LONGEST_LINE, JournalContent, disk_errors, read
from station.record.nights import replay
from station.record.station_key import Keys, load_public_key
from station.record.traces import Traces, compare, kept_beside

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
        head: their end.
        torn: damaged bytes behind them, which the next start puts aside.
        key: the public key that signed all lines, 64 hex digits.
        test: no money was taken in it.
    """

    night: str
    lines: int
    head: Head
    torn: int
    key: str
    test: bool = False


def verify(
    state: Path, keys: Keys = (), progress: Progress = _no_progress, disk: Disk | None = None
) -> list[AuditedNight]:
    """Verify every night: its lines, the money carried over, signatures, copies.

    Args:
        keys: the public keys that may have signed; the state folder's own when empty, that of the
            first night where it has none.
        progress: called with the bytes read and the bytes in all.

    Raises:
        Damaged: names file and line, or what is missing.
        StoreError: a file cannot be read.
    """
    disk = disk or Disk()
    if not keys and (own := load_public_key(state)) is not None:
        keys = (own,)
    found, previous, carrying = list[AuditedNight](), "", Carrying()
    for folder, last, tick in _steps(state, progress, disk):
        path, kept = folder / FILE, kept_beside(folder, disk)
        if last and not disk.size(path):
            check_unbegun(folder, names_in(folder, disk), disk)
            break
        if not last and not disk.is_file(path):
            gone = tr("the journal is gone, and a night after it is there")
            raise Damaged(f"{path}: {gone}: {tr(KEEP_A_COPY)}")
        traces, head, torn = _walk(path, previous, kept, tick, disk, last=last)
        if traces.first is None or traces.newest is None:
            check_unbegun(folder, names_in(folder, disk), disk)
            break
        opening = compare(folder, traces, head, kept, keys, disk)
        carrying.take(str(path), _fields(traces.first), None if last else _fields(traces.newest))
        found.append(AuditedNight(folder.name, head.seq, head, torn, opening.key, opening.test))
        previous, keys = head.signature, keys or (opening.key,)
    return found


def _fields(line: JournalLine) -> dict[str, object]:
    return {"seq": line.seq, "do": line.do, "then": line.then}


def readings(
    state: Path,
    progress: Progress = _no_progress,
    keys: Collection[str] = (),
    disk: Disk | None = None,
) -> Iterator[tuple[Path, JournalContent, AuditedNight]]:
    """Verify all nights, then yield the folder, lines and audit result of each, oldest first.

    Args:
        keys: as in `verify`.

    Raises:
        Damaged: names file and line.
        StoreError: a file cannot be read.
    """
    disk = disk or Disk()
    nights = verify(state, keys, lambda done, total: progress(done, 2 * total), disk)
    sizes = [disk.size(state / "nights" / night.night / FILE) for night in nights]
    previous, done, total = "", sum(sizes), 2 * sum(sizes)
    for night, size in zip(nights, sizes, strict=True):
        folder = state / "nights" / night.night
        reading = read(folder / FILE, previous, disk)
        yield folder, reading, night
        done, previous = done + size, reading.head.signature
        progress(done, total)


def replay_all(
    state: Path,
    progress: Progress = _no_progress,
    keys: Collection[str] = (),
    disk: Disk | None = None,
) -> Iterator[tuple[str, int, str]]:
    """Apply every act of every night again, and compare what followed with what was recorded.

    Args:
        keys: as in `verify`.

    Yields:
        The night, its lines, and how it differs; empty for a night that does not. Only a closed,
            signed night of another version of the program may differ: what it says is what
            happened.

    Raises:
        Damaged: names file and line.
    """
    for folder, reading, _ in readings(state, progress, keys, disk):
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
            leaf_in(line[:-1]) for line in islice(Disk().lines(folder / FILE, LONGEST_LINE), lines)
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


def is_here(state: Path, name: str, seq: int, root: str, lines: int) -> bool:
    """Return whether a night that was verified before has this root over its first lines.

    Args:
        name: of the night's folder.
        seq: how many lines.
        root: 64 hex digits.
        lines: how many lines the night has.

    Raises:
        StoreError: the night cannot be read.
    """
    if not 0 < seq <= lines:
        return False
    return Edge.over(leaves_of(state / "nights" / name, seq)).root.hex() == root


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
    path: Path, previous: str, kept: bytes, tick: Tick, disk: Disk, *, last: bool
) -> tuple[Traces, Head, int]:
    """Return what a journal's lines refer to, their end, and how many torn bytes follow it.

    Args:
        last: whether it is the journal of the last night, the only one that may be torn.

    Raises:
        Damaged: names file and line.
    """
    head, read_bytes, traces = Head(signature=previous), 0, Traces(path, kept)

    def counted() -> Iterator[bytes]:
        nonlocal read_bytes
        for raw in disk.lines(path, LONGEST_LINE):
            read_bytes += len(raw)
            if len(raw) > LONGEST_LINE:
                raise ValueError  # `read` says what is wrong
            yield raw

    # Line by line: of a file with an endless line only the first part is read.
    lines = counted()
    with suppress(Damaged, ValueError, RecursionError), disk_errors(path):
        while (after := follow(islice(lines, BLOCK), head, traces.take)) != head:
            head = after
            tick(read_bytes)
        if traces.opening is not None and head.signed_by(traces.opening.key, traces.opening.night):
            return traces, head, 0
    # The reader of a start decides what is torn and what is damaged.
    reading, traces = read(path, previous, disk), Traces(path, kept)
    if not last and (reading.torn or not reading.lines):
        when = tr("it was damaged after the night was closed")
        raise Damaged(f"{path}:{reading.head.seq + 1}: {when}: {tr(KEEP_A_COPY)}")
    for line in map(line_of, reading.lines):
        traces.take(line)
    return traces, reading.head, len(reading.torn)
