"""All drills that need no machine but memory, in the order of the table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from station.drill import crash, cut, damage, fail, frames, machine
from station.drill.course import Drill

MILLION = 1_000_000


def _so_many(cases: int) -> Callable[[int], int]:
    return lambda _: cases


DRILLS = (
    Drill(
        crash.NAME,
        "power cut or kill at any call to the disk, and again in the start after it: nothing that was answered for is lost",
        "crashes",
        crash.check,
        _so_many(340_000),  # about three crashes each
        quick=4000,
        counts=MILLION,
    ),
    Drill(
        cut.NAME,
        "the journal cut at any byte of a game or line of a night, zeros or garbage behind: nothing lost, no start refused",
        "cuts",
        cut.check,
        cut.cases,
        quick=1200,
        chunk=200,
    ),
    Drill(
        cut.TAIL,
        "the tail alone, cut at random: what stood before it stays, what is torn is put aside, the chain goes on",
        "tails",
        cut.check_tail,
        _so_many(MILLION),
        quick=8000,
    ),
    Drill(
        fail.NAME,
        "any call to the disk fails (EIO, ENOSPC, EROFS, short write), once or for ever, in game or start: durable or halted",
        "faults",
        fail.check,
        fail.cases,
        quick=1500,
        chunk=100,
    ),
    Drill(
        damage.NAME,
        "any bit, byte or line of the journal changed, lost, doubled, out of place: found, and the line named",
        "harms",
        damage.check,
        damage.cases,
        quick=4000,
    ),
    *(
        Drill(
            f"{frames.NAME}-{family}",
            f"bytes to the {family} decoder, random, changed, spliced: nothing raised, no tag but those the makers' table finds",
            "frames",
            partial(frames.check, family),
            _so_many(-(-5 * MILLION // frames.FRAMES)),
            quick=2000,
            counts=5 * MILLION,
        )
        for family in frames.TABLES
    ),
    Drill(
        machine.NAME,
        "acts at random, with power cuts, failing disks, starts, repeats: all comes to what a night on paper comes to",
        "steps",
        machine.check,
        _so_many(-(-MILLION // machine.STEPS)),
        quick=250,
        chunk=25,
        counts=MILLION,
    ),
    Drill(
        machine.YEAR,
        "a hall's year: whole games, night after night, with faults at random: every ledger balances, the memory stays flat",
        "games",
        machine.check_year,
        _so_many(-(-100_000 // (machine.NIGHTS * machine.GAMES))),
        quick=24,
        chunk=4,
        counts=100_000,
        flat=True,
    ),
)
