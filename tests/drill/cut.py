"""The journal ends anywhere, and zeros or anything else stand behind: what was answered for is
there, the start goes on.

`check` starts the whole station on such a journal; `check_tail` does the tail's recovery alone,
many more times.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from random import Random

from station.base.disk import keep_file
from station.base.errors import LotoError
from station.night.acts import Note
from station.record.journal import FILE, Journal, read
from station.record.traces import HEADS, heads_up_to
from tests.drill.course import Broken, luck, must
from tests.drill.evening import (
    AT_ONCE,
    CLOCK,
    SIGNER,
    STATE,
    Evening,
    evening,
    next_line,
    night_of_whole_games,
    record,
    start,
)
from tests.drill.memory_disk import File, Folder, MemoryDisk, scribble

NAME, TAIL = "cut", "tail"
TAILS = ("cut", "zeros", "garbage")
BLOCK = 4096
EVENINGS = 16
JOURNAL = STATE / "nights" / "0001" / FILE


@lru_cache(maxsize=4)
def places(seed: int) -> tuple[int, ...]:
    """Every byte of the night's first game, and every line's end of the rest of the night."""
    played = night_of_whole_games(seed)
    closed = next(place for place, act in enumerate(played.acts, 1) if act["act"] == "close")
    end = played.ends[closed]
    return (*range(end + 1), *(place for place in played.ends if place > end))


def cases(seed: int) -> int:
    """How many cases there are: each place with each kind of tail."""
    return len(places(seed)) * len(TAILS)


def tail(kind: str, rest: int, chance: Random) -> bytes:
    """What stands behind the cut, in place of the `rest` bytes of the line that was cut."""
    size = chance.choice((max(1, rest), chance.randint(1, BLOCK)))
    match kind:
        case "cut":
            return b""
        case "zeros":
            return bytes(size)
        case _:
            return chance.randbytes(size) if chance.random() < 0.5 else scribble(size, chance)


def cut(played: Evening, place: int, kind: str, chance: Random) -> tuple[bytes, int]:
    """The night's journal cut at a place, with its tail, and how many bytes of it had been answered
    for."""
    line = bisect_right(played.ends, place)
    end = played.ends[line] if line < len(played.ends) else place
    return played.record[:place] + tail(kind, end - place, chance), (
        played.ends[line - 1] if line else 0
    )


def check(seed: int, case: int) -> int:
    """One cut of a night of whole games, and the station's start on it."""
    chance = luck(NAME, seed, case)
    played = night_of_whole_games(seed)
    place = places(seed)[case // len(TAILS)]
    kind = TAILS[case % len(TAILS)]
    data, answered = cut(played, place, kind, chance)
    story = (
        f"night {seed}, cut at byte {place} of {len(played.record)}, {kind}",
        data[answered:][:600],
    )
    disk = played.moments[-1].disk.copy()
    _put(disk, data)
    line = bisect_right(played.ends, place)
    _forget_later(disk, line)
    try:
        night = start(disk)
    except LotoError as error:
        raise Broken(
            "\n  ".join(["the start was refused", *map(str, story), repr(error)])
        ) from error
    found = record(disk)
    must(found[:answered] == played.record[:answered], "what was answered for is lost", *story)
    must(
        played.record.startswith(found) or found.startswith(played.record),
        "something else is on disk than was done",
        *story,
    )
    night.journal.append_now(next_line(night, Note(about="drill", what="goes on"), "goes-on"))
    must(
        record(disk.crash(chance)).startswith(record(disk)),
        "the line after the start is lost",
        *story,
    )
    return 1


def check_tail(seed: int, case: int) -> int:
    """One cut at random, and the recovery of the tail alone: read, put aside, cut off, go on."""
    chance = luck(TAIL, seed, case)
    played = evening(1000 * seed + case % EVENINGS)
    night = next(place for place, act in enumerate(played.acts, 1) if act["act"] == "close-night")
    place = chance.randrange(played.ends[night] + 1)
    kind = chance.choice(TAILS)
    data, answered = cut(played, place, kind, chance)
    story = (
        f"evening {1000 * seed + case % EVENINGS}, cut at byte {place}, {kind}",
        data[answered:][:600],
    )
    folder = Folder({FILE: File(data, data)}, {FILE: File(data, data)})
    disk = MemoryDisk(Folder(None, {STATE.name: folder}))
    path = STATE / FILE
    try:
        reading = read(path, disk=disk)
        journal = Journal(path, SIGNER, reading.head, reading.length, disk, AT_ONCE)
        aside = journal.open(reading.torn)
        # A night's first line names who signs.
        do = {} if reading.lines else {"key": SIGNER.public, "night": SIGNER.night}
        journal.append_now(
            {"id": "on", **CLOCK.stamp(), "by": "x", "via": "x", "do": do, "then": {}}
        )
    except LotoError as error:
        raise Broken(
            "\n  ".join(["the tail was refused", *map(str, story), repr(error)])
        ) from error
    must(reading.length >= answered, "what was answered for is lost", *story)
    must(
        disk.read(path)[: reading.length] == played.record[: reading.length],
        "something else is on disk than was done",
        *story,
    )
    must(
        aside is None or disk.read(aside) == data[reading.length :],
        "the torn tail was not kept",
        *story,
    )
    again = read(path, disk=disk)
    must(
        (again.head, again.head.seq, again.torn) == (journal.head, reading.head.seq + 1, b""),
        "the record does not go on",
        *story,
    )
    return 1


def _forget_later(disk: MemoryDisk, lines: int) -> None:
    """Remove the heads that were kept after the last line."""
    heads = JOURNAL.parent / HEADS
    kept = disk.read(heads) if disk.is_file(heads) else b""
    disk.remove(heads)
    if kept := heads_up_to(kept, lines):
        keep_file(heads, kept, disk)


def _put(disk: MemoryDisk, data: bytes) -> None:
    """The journal of the first night holds these bytes."""
    disk.file(JOURNAL).medium = disk.file(JOURNAL).cache = data
