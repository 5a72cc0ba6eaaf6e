"""The journal is changed: every bit flipped, every byte and line lost or doubled, any two lines in each other's place.

Each is found and the line named. What is left of the last line looks like a power cut: it is named as torn, and nothing before it
is touched. Lines cut off at the end leave a whole chain: a head kept elsewhere finds that, and nothing else can.
"""

from __future__ import annotations

import re
import tempfile
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from station import audit
from station.drill.course import Broken, must
from station.drill.evening import evening
from station.errors import Damaged
from station.journal import FILE

NAME = "damage"
BITS = 8

Verify = Callable[[Path], Sequence[audit.Night]]


@lru_cache(maxsize=4)
def _lines(seed: int) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """The lines of an evening's first night, which is closed, and of the second."""
    lines = evening(1000 * seed).record.splitlines(keepends=True)
    closed = 1 + next(place for place, line in enumerate(lines) if b'"act":"close-night"' in line)
    return tuple(lines[:closed]), tuple(lines[closed:])


@lru_cache(maxsize=1)
def _bench() -> tempfile.TemporaryDirectory[str]:
    """A folder for the damaged journals; gone with the process."""
    return tempfile.TemporaryDirectory(prefix="loto-drill-")


def cases(seed: int) -> int:
    """How many cases there are, each on the closed night and on the same night while it was the last one."""
    lines, _ = _lines(seed)
    size, count = sum(map(len, lines)), len(lines)
    return 2 * (size * (BITS + 2) + count + count * count + count * (count + 1))


def harm(lines: tuple[bytes, ...], case: int) -> tuple[str, bytes]:
    """The journal with one harm done to it, and what was done."""
    data = b"".join(lines)
    size, count = len(data), len(lines)
    if case < size * (BITS + 2):
        place, kind = divmod(case, BITS + 2)
        if kind < BITS:
            return f"bit {kind} of byte {place}", data[:place] + bytes([data[place] ^ 1 << kind]) + data[place + 1 :]
        if kind == BITS:
            return f"byte {place} is gone", data[:place] + data[place + 1 :]
        return f"byte {place} twice", data[:place] + data[place : place + 1] + data[place:]
    case -= size * (BITS + 2)
    left = list(lines)
    if case < count:
        del left[case]
        return f"line {case + 1} is gone", b"".join(left)
    case -= count
    if case < count * count:
        one, other = divmod(case, count)
        left[one], left[other] = left[other], left[one]
        return f"lines {one + 1} and {other + 1} in each other's place", b"".join(left)
    one, place = divmod(case - count * count, count + 1)
    left.insert(place, lines[one])
    return f"line {one + 1} once more before line {place + 1}", b"".join(left)


def check(seed: int, case: int, verify: Verify = audit.verify) -> int:
    """One harm; 0 when it changed nothing."""
    lines, after = _lines(seed)
    what, data = harm(lines, case // 2)
    whole = b"".join(lines)
    if data == whole:
        return 0
    same = bisect_left(range(len(whole)), True, key=lambda place: whole[: place + 1] != data[: place + 1])
    line = 1 + whole.count(b"\n", 0, same)
    state = Path(_bench().name) / f"{'last' if case % 2 else 'closed'}"
    _put(state, 1, data)
    if case % 2:
        _last(state, lines, line, what, verify)
    else:
        _put(state, 2, b"".join(after))
        _closed(state, line, what, verify)
    return 1


def _put(state: Path, night: int, data: bytes) -> None:
    folder = state / "nights" / f"{night:04d}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_bytes(data)


def _closed(state: Path, line: int, what: str, verify: Verify) -> None:
    """In a night after which another began, everything is found, a cut too: the next night's first line follows another sum."""
    try:
        found = verify(state)
    except Damaged as error:
        named = re.search(rf"(\d{{4}})/{FILE}:(\d+): ", str(error))
        place = (int(named[1]), int(named[2])) if named else None
        cut = (state / "nights" / "0001" / FILE).read_bytes().count(b"\n") < line
        must(place == (1, line) or (cut and place == (2, 1)), f"{what}: line {line} should be named", error)
    else:
        raise Broken(f"{what}: it was not found: {found}")


def _last(state: Path, lines: Sequence[bytes], line: int, what: str, verify: Verify) -> None:
    """In the last night nothing stands behind a cut; only a head kept elsewhere tells of it."""
    try:
        night = verify(state)[0]
    except Damaged as error:
        must(f"/{FILE}:{line}: " in str(error), f"{what}: line {line} should be named", error)
        return
    if night.torn:
        must(night.lines + 1 == line >= len(lines), f"{what}: line {line} should be named", night)
        return
    kept = kept_sum(lines[-1])
    must(audit.line_sum(state / "nights" / "0001", len(lines)) != kept, f"{what}: not even the head kept elsewhere tells", night)


def kept_sum(line: bytes) -> str:
    """The sum that stands in a line: the head that somebody keeps."""
    found = re.search(rb'"sum":"([0-9a-f]{64})"', line)
    if found is None:
        raise Broken(f"a line without a sum: {line!r}")
    return found[1].decode()
