"""The journal is changed: every bit flipped, every byte and line lost or doubled, any two lines in
each other's place.

Each is found and the line named; so is a line cut off at the end, for the end is signed. What
stands behind the last line looks like a power cut: it is named as torn, and nothing before it is
touched.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from station.base.errors import Damaged
from station.record import audit
from station.record.journal import FILE, read
from tests.drill.course import Broken, must
from tests.drill.evening import STATE, evening

NAME = "damage"
BITS = 8

Verify = Callable[[Path], Sequence[audit.AuditedNight]]


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
    """How many cases there are, each on the closed night and on the same night while it was the
    last one."""
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
            return (
                f"bit {kind} of byte {place}",
                data[:place] + bytes([data[place] ^ 1 << kind]) + data[place + 1 :],
            )
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
    lines, _ = _lines(seed)
    what, data = harm(lines, case // 2)
    whole = b"".join(lines)
    if data == whole:
        return 0
    same = bisect_left(
        range(len(whole)), True, key=lambda place: whole[: place + 1] != data[: place + 1]
    )
    line = 1 + whole.count(b"\n", 0, same)
    last = bool(case % 2)
    state = _state(seed, 1 if last else 2)
    (_folder(state, 1) / FILE).write_bytes(data)
    (_last if last else _closed)(state, lines, line, what, verify)
    return 1


@lru_cache(maxsize=4)
def _state(seed: int, nights: int) -> Path:
    """A state folder with the evening's first nights: all that stands beside their journals."""
    state = Path(_bench().name) / f"{seed}-{nights}"
    disk = evening(1000 * seed).moments[-1].disk.copy()
    for night in range(1, nights + 1):
        folder, source = _folder(state, night), _folder(STATE, night)
        folder.mkdir(parents=True)
        for name in disk.names(source):
            (folder / name).write_bytes(disk.read(source / name))
    return state


def _folder(state: Path, night: int) -> Path:
    return state / "nights" / f"{night:04d}"


def _closed(state: Path, lines: Sequence[bytes], line: int, what: str, verify: Verify) -> None:
    """In a night after which another began, everything is found, what stands behind its last line,
    too."""
    try:
        found = verify(state)
    except Damaged as error:
        named = re.search(rf"(\d{{4}})/{FILE}:(\d+): ", str(error))
        place = (int(named[1]), int(named[2])) if named else None
        must(place == (1, line), f"{what}: line {line} of {len(lines)} should be named", error)
    else:
        raise Broken(f"{what}: it was not found: {found}")


def _last(state: Path, lines: Sequence[bytes], line: int, what: str, verify: Verify) -> None:
    """In the last night what stands behind the last line is torn, and all else is found: its end is
    signed. The reader by itself, which knows no signatures, takes for torn what is left of the last
    line, and nothing before it.
    """
    with contextlib.suppress(Damaged):
        reading = read(_folder(state, 1) / FILE)
        torn = not reading.torn or len(reading.lines) + 1 == line >= len(lines)
        must(torn, f"{what}: line {line} was taken for torn", len(reading.lines))
    try:
        night = verify(state)[0]
    except Damaged as error:
        must(f"/{FILE}:{line}: " in str(error), f"{what}: line {line} should be named", error)
    else:
        torn = night.torn > 0 and night.lines + 1 == line > len(lines)
        must(torn, f"{what}: line {line} should be named", night)
