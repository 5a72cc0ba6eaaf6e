"""The audit of a state folder: every line, the chain across nights and the checkpoints; and, more slowly, the replay of all.

Nothing is written, and the station may run meanwhile. Lines are only looked at, not kept: a million take seconds and no memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from station import __version__, checkpoint
from station.chain import GENESIS, Head, follow
from station.checkpoint import Checkpoint
from station.disk import Disk
from station.errors import Damaged, StoreError
from station.journal import FILE, LONGEST_LINE, Reading, read
from station.nights import replay
from station.opening import Carrying, closes

BLOCK = 20_000  # lines between two steps of the progress bar

Progress = Callable[[int, int], None]


def _no_progress(done: int, total: int) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class Night:
    """What the audit found in one night.

    Attributes:
        night: the folder's name.
        lines: how many good ones there are.
        torn: damaged bytes behind them, which the next start puts aside.
        point: its newest checkpoint, or None before the end of its first game.
    """

    night: str
    lines: int
    head: Head
    torn: int
    point: Checkpoint | None


def verify(state: Path, keys: Collection[str] = (), progress: Progress = _no_progress) -> list[Night]:
    """Verifies every line of every night, the chain across nights, the money carried from night to night, and the checkpoints.

    Args:
        keys: the public keys that may have signed; the state folder's own when empty, any where that has none.
        progress: told how many bytes of how many were read.

    Raises:
        Damaged: names file and line, or the checkpoint.
        StoreError: a file cannot be read.
    """
    if not keys and (own := checkpoint.load_public_key(state)) is not None:
        keys = (own,)
    found = []
    previous, carrying = GENESIS, Carrying()
    for folder, last, tick in _steps(state, progress):
        head, torn = _walk(folder / FILE, previous, tick)
        if not _begun(folder / FILE, head.seq, torn, last):
            break
        carrying.take(str(folder / FILE), json.loads(_line(folder / FILE, 1)), None if last else _last_line(folder / FILE))
        found.append(Night(folder.name, head.seq, head, torn, _checkpoint(folder, head, keys)))
        previous = head.sum
    return found


def readings(state: Path, progress: Progress = _no_progress) -> Iterator[tuple[Path, Reading]]:
    """Every night's folder and its lines, verified, oldest night first.

    Raises:
        Damaged: names file and line.
        StoreError: a file cannot be read.
    """
    previous = GENESIS
    for folder, last, tick in _steps(state, progress):
        reading = read(folder / FILE, previous)
        if not _begun(folder / FILE, len(reading.lines), len(reading.torn), last):
            break
        yield folder, reading
        tick(reading.length)
        previous = reading.head.sum


def replay_all(state: Path, progress: Progress = _no_progress) -> Iterator[tuple[str, int, str]]:
    """Applies every act of every night again, and compares what followed with what was recorded.

    Yields:
        The night, its lines, and how it differs; nothing for a night that does not. Only a closed night of another version of the
        program may differ: what it says is what happened.

    Raises:
        Damaged: names file and line.
    """
    carrying = Carrying()
    for folder, reading in readings(state, progress):
        differs = ""
        carrying.take(str(folder / FILE), reading.lines[0], reading.lines[-1])
        try:
            replay(folder, reading)
        except Damaged as error:
            version = reading.lines[0]["do"]["version"]
            if version == __version__ or not closes(reading.lines[-1]):
                raise
            differs = f"played by version {version}: {error}"
        yield folder.name, len(reading.lines), differs


def line_sum(folder: Path, seq: int) -> str | None:
    """The sum on that line of a night that was verified before; None when it has no such line.

    Raises:
        StoreError: the file cannot be read.
    """
    line = _line(folder / FILE, seq)
    return str(json.loads(line)["sum"]) if line else None


def _line(path: Path, seq: int) -> bytes:
    """That line of a journal; nothing where there is none."""
    try:
        with path.open("rb") as file:
            return next(islice(file, seq - 1, seq), b"") if seq > 0 else b""
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror})") from error


def _steps(state: Path, progress: Progress) -> Iterator[tuple[Path, bool, Callable[[int], None]]]:
    """Each night's folder, whether it is the last, and what to tell how far its journal was read."""
    folders = sorted(path.parent for path in (state / "nights").glob(f"[0-9][0-9][0-9][0-9]/{FILE}"))
    sizes = [(folder / FILE).stat().st_size for folder in folders]
    before, total = 0, sum(sizes)
    for folder, size in zip(folders, sizes, strict=True):
        yield folder, folder == folders[-1], partial(_tick, progress, before, total)
        before += size
    progress(total, total)


def _begun(path: Path, lines: int, torn: int, last: bool) -> bool:
    """Whether this is a night. The last folder may hold none yet, and a torn tail; the others were closed, line by line."""
    if not last and (torn or not lines):
        raise Damaged(f"{path}:{lines + 1}: it was damaged after the night was closed: keep a copy of the folder")
    return lines > 0


def _tick(progress: Progress, before: int, total: int, done: int) -> None:
    progress(before + done, total)


def _walk(path: Path, previous: str, tick: Callable[[int], None]) -> tuple[Head, int]:
    """The end of a journal's chain, and how many torn bytes are behind it."""
    head = Head(0, previous)
    try:
        with path.open("rb") as file:
            while (after := follow(islice(file, BLOCK), head)) != head:
                head = after
                tick(file.tell())
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError):
        # One judge of what is torn and what is damaged: the reader that the start uses.
        reading = read(path, previous)
        return reading.head, len(reading.torn)
    return head, 0


def _last_line(path: Path) -> dict[str, Any]:
    """The last line of a journal that was verified to its end."""
    try:
        end = Disk().read(path, LONGEST_LINE)
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror})") from error
    return dict(json.loads(end[:-1].rpartition(b"\n")[2]))


def _checkpoint(folder: Path, head: Head, keys: Collection[str]) -> Checkpoint | None:
    path = folder / checkpoint.FILE
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({error.strerror})") from error
    point = checkpoint.parse(data, str(path))
    if keys:
        checkpoint.trusted(point, keys, str(path))
    if point.night != int(folder.name):
        raise Damaged(f"{path}: it was signed for night {point.night}, and stands in another's folder")
    if point.seq > head.seq or line_sum(folder, point.seq) != point.sum:
        raise checkpoint.missing(point, str(path))
    return point
