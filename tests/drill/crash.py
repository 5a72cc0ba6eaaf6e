"""The power goes, or the process is killed, at any call to the disk, also while the start after it
is under way.

What was answered for is there again; what is there is a beginning of what was done; every start
starts, goes on, and what it has said aloud is not lost by the next cut.
"""

from __future__ import annotations

from station.base.errors import LotoError
from station.night.acts import Note
from station.record.nights import Night
from tests.drill.course import Broken, luck, must
from tests.drill.evening import Evening, evening, next_line, record, refused, start
from tests.drill.memory_disk import DiskKind, MemoryDisk, PowerCut

NAME = "crash"
EVENINGS = 16
MOST_CUTS = 3  # one less at most hits the starts
START_CALLS = 44  # about as many as a start has


def check(seed: int, case: int, kind: DiskKind = MemoryDisk) -> int:
    """One crash of one evening, and the crashes of the starts after it; gives how many crashes
    there were."""
    chance = luck(NAME, seed, case)
    number = 1000 * seed + case % EVENINGS
    played = evening(number, kind)
    place = case // EVENINGS % len(played.moments)
    moment = played.moments[place]
    story = [f"evening {number}, after disk call {place} of {len(played.moments)}"]
    answered, disk, crashes = moment.answered, moment.disk, 2
    if chance.random() < 0.25:
        story.append("the process is killed, and started again")
        disk = disk.copy()
        _, answered = _started(disk, played, answered, story)
    story.append("the power goes")
    disk = disk.crash(chance)
    for _ in range(chance.randrange(MOST_CUTS)):
        disk.cut_at = chance.randrange(START_CALLS)
        try:
            _, answered = _started(disk, played, answered, story)
        except PowerCut:
            story.append(f"the start comes to its disk call {len(disk.calls)}; the power goes")
        else:
            story.append("the start is done; the power goes")
        disk = disk.crash(chance)
        crashes += 1
    night, answered = _started(disk, played, answered, story)
    night.journal.append_now(next_line(night, Note(about="drill", what="goes on"), "goes-on"))
    before = record(disk)
    must(record(disk.crash(chance)).startswith(before), "the line after the start is lost", *story)
    return crashes


def _started(
    disk: MemoryDisk, played: Evening, answered: int, story: list[str]
) -> tuple[Night, int]:
    """Starts; gives the night, and how many bytes of the record are said aloud then."""
    try:
        night = start(disk)
    except LotoError as error:
        raise Broken("\n  ".join(["the start was refused", *story, repr(error)])) from error
    found = record(disk)
    must(
        played.record.startswith(found),
        "something else is on disk than was done",
        *story,
        found[-600:],
    )
    must(
        len(found) >= answered,
        f"{answered - len(found)} bytes that were answered for are lost",
        *story,
    )
    must(not refused(disk), "the audit refuses the record after the start", *story, refused(disk))
    return night, len(found)
