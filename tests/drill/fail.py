"""Each call to the disk fails in its turn, once or from then on, in a whole game and in the start
after a crash.

What was told to the hall is durable, or the station has halted: then it asks the disk nothing more,
whoever asks it. A start that meets a fault is refused with a name, or has done its work; a start
without faults afterwards finds everything.
"""

from __future__ import annotations

import asyncio
import errno
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from station.base.errors import LotoError
from station.record.requests import Change, Command, Done
from station.record.session import Session
from tests.drill.course import Broken, luck, must
from tests.drill.evening import (
    CLOCK,
    HOST,
    LUCK,
    Evening,
    empty_disk,
    evening,
    night_of_whole_games,
    play_on,
    record,
    refused,
    start,
)
from tests.drill.memory_disk import DiskKind, Failing, MemoryDisk
from tests.drill.sender import certain

NAME = "fail"
ERRORS = (errno.EIO, errno.ENOSPC, errno.EROFS, None)
FAULTS = tuple((error, ever) for error in ERRORS for ever in (False, True))
TORN_DISKS = 40
START_CALLS = 64  # a start has fewer


@lru_cache(maxsize=4)
def calls(seed: int) -> int:
    """How many calls to the disk a whole game takes, its night's beginning included."""
    disk = empty_disk()
    asyncio.run(play_on(disk, _game(seed)))
    return len(disk.calls)


def _game(seed: int) -> list[dict[str, object]]:
    acts = night_of_whole_games(seed).acts
    return acts[: 1 + next(place for place, act in enumerate(acts) if act["act"] == "close")]


def cases(seed: int) -> int:
    """How many cases there are: each call of the game, then each call of the starts after crashes,
    with each fault."""
    return (calls(seed) + TORN_DISKS * START_CALLS) * len(FAULTS)


def check(
    seed: int, case: int, kind: DiskKind = MemoryDisk, session: type[Session] = Session
) -> int:
    """One call that fails."""
    place, fault = divmod(case, len(FAULTS))
    error, ever = FAULTS[fault]
    game = calls(seed)
    chance = luck(NAME, seed, case)
    what = (
        f"{errno.errorcode[error] if error else 'a short write'}{' from then on' if ever else ''}"
    )
    if place < game:
        failing = Failing(place + 1, error, ever, lost=chance.random() < 0.5)
        return _in_game(
            seed,
            failing,
            kind,
            session,
            chance,
            f"night {seed}: disk call {place + 1} fails: {what}",
        )
    torn, call = divmod(place - game, START_CALLS)
    failing = Failing(call + 1, error, ever, lost=chance.random() < 0.5)
    return _in_start(
        evening(1000 * seed + torn % 8),
        torn,
        failing,
        kind,
        chance,
        f"disk call {call + 1} fails: {what}",
    )


@dataclass
class _Hall:
    """Who hears the station: what was told, and what was answered."""

    told: list[Change]
    opened: bool = False
    session: Session | None = None


def _in_game(
    seed: int, failing: Failing, kind: DiskKind, session: type[Session], chance: Random, story: str
) -> int:
    disk = empty_disk(kind)
    disk.failing = failing
    hall = _Hall([])
    try:
        asyncio.run(_play(disk, seed, hall, session, story))
    except LotoError as error:
        if isinstance(error, Broken):
            raise
        must(not hall.opened, "the station ended in mid-game", story, repr(error))
    whole = night_of_whole_games(seed)
    lines = hall.told[-1].seq if hall.told else int(hall.opened)
    _found_again(disk, whole, whole.ends[lines - 1] if lines else 0, chance, story)
    return 1


async def _play(disk: MemoryDisk, seed: int, hall: _Hall, kind: type[Session], story: str) -> None:
    night = start(disk)
    hall.opened = True
    # the same bag again
    hall.session = session = kind(night, hall.told.append, CLOCK, Random(LUCK))
    acts = _game(seed)
    for number, act in enumerate(acts):
        if isinstance(
            await session.submit(
                certain(session, Command.read(f"act-{number}", act, HOST, "wire"))
            ),
            Done,
        ):
            continue
        must(
            bool(session.halted),
            "a failed write was refused, and the station has not halted",
            story,
        )
        asked, told = len(disk.calls), len(hall.told)
        for again in (f"act-{number}", "another", "a third"):
            answer = await session.submit(certain(session, Command.read(again, act, HOST, "wire")))
            must(
                not isinstance(answer, Done),
                "after it halted, the station accepted something",
                story,
            )
        must(
            len(disk.calls) == asked,
            "after it halted, the station asked the disk again",
            story,
            disk.calls[asked:],
        )
        must(len(hall.told) == told, "after it halted, the station told the hall something", story)
        return


def _in_start(
    played: Evening, torn: int, failing: Failing, kind: DiskKind, chance: Random, story: str
) -> int:
    place = torn * 37 % len(played.moments)
    moment = played.moments[place]
    found = moment.disk.crash(luck(NAME, torn, place))
    disk = kind(found.root)
    disk.failing = failing
    answered = moment.answered
    story = f"after disk call {place} the power goes; in the start {story}"
    try:
        start(disk)
    except LotoError:
        pass
    else:
        disk.failing = None
        answered = max(answered, len(record(disk)))
    _found_again(disk, played, answered, chance, story)
    return 1


def _found_again(
    disk: MemoryDisk, played: Evening, answered: int, chance: Random, story: str
) -> None:
    """The disk is well again, its process or its machine was started anew: all is there, and
    stays."""
    disk.failing = None
    if chance.random() < 0.5:
        story += "; the process is started again"
        disk = disk.copy()
        answered = _started(disk, played, answered, story)
    story += "; the power goes"
    _started(disk.crash(chance), played, answered, story)


def _started(disk: MemoryDisk, played: Evening, answered: int, story: str) -> int:
    try:
        start(disk)
    except LotoError as error:
        raise Broken(f"the start after the fault was refused\n  {story}\n  {error!r}") from error
    found = record(disk)
    must(
        played.record.startswith(found),
        "something else is on disk than was done",
        story,
        found[-600:],
    )
    must(
        len(found) >= answered,
        f"{answered - len(found)} bytes that the hall had heard of are lost",
        story,
    )
    must(not refused(disk), "the audit refuses the record after the start", story, refused(disk))
    return len(found)
