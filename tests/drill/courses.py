"""All drills, in the order of the table: first what memory can show, then the real machine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tests.drill import (
    answers,
    boxes,
    crash,
    cut,
    damage,
    devices,
    fail,
    frames,
    games,
    keys,
    live_devices,
    machine,
    real,
    seat_lines,
    settle_kill,
    straits,
    table_machine,
    unseen,
    web_flood,
    year,
)
from tests.drill.companies import NAMES, REAL_CARDS, SMALL
from tests.drill.course import Drill
from tests.drill.plain_games import BESIDE

MILLION = 1_000_000
# Games of Tontine are long: the many that lie beside the plain table are of few players.
HOW_MANY = {"tontine": 10_000}
EACH = 100_000
PAIRS = 17  # in a case, on average at least


def _so_many(cases: int) -> Callable[[int], int]:
    return lambda _: cases


DRILLS = (
    Drill(
        crash.NAME,
        "power cut or kill at any call to the disk, and again in the start after it: nothing that"
        " was answered for is lost",
        "crashes",
        crash.check,
        _so_many(340_000),  # about three crashes each
        quick=400,
        counts=MILLION,
    ),
    Drill(
        cut.NAME,
        "the journal cut at any byte of a game or line of a night, zeros or garbage behind: nothing"
        " lost, no start refused",
        "cuts",
        cut.check,
        cut.cases,
        quick=500,
        chunk=200,
    ),
    Drill(
        cut.TAIL,
        "the tail alone, cut at random: what stood before it stays, what is torn is put aside, the"
        " chain goes on",
        "tails",
        cut.check_tail,
        _so_many(MILLION),
        quick=2000,
    ),
    Drill(
        fail.NAME,
        "any call to the disk fails (EIO, ENOSPC, EROFS, short write), once or for ever, in game or"
        " start: durable or halted",
        "faults",
        fail.check,
        fail.cases,
        quick=400,
        chunk=100,
    ),
    Drill(
        damage.NAME,
        "any bit, byte or line of the journal changed, lost, doubled, out of place: found, and the"
        " line named",
        "harms",
        damage.check,
        damage.cases,
        quick=1500,
    ),
    *(
        Drill(
            f"{frames.NAME}-{family}",
            f"bytes to the {family} decoder, random, changed, spliced: nothing raised, no tag but"
            " those the makers' table finds",
            "frames",
            partial(frames.check, family),
            _so_many(-(-5 * MILLION // frames.FRAMES)),
            quick=400,
            counts=5 * MILLION,
        )
        for family in frames.TABLES
    ),
    Drill(
        answers.NAME,
        "bytes of a PN532, random, changed, torn, within each other: nothing raised, no list of"
        " tags but those the tables find",
        "frames",
        answers.check,
        _so_many(-(-5 * MILLION // answers.FRAMES)),
        quick=800,
        counts=5 * MILLION,
    ),
    Drill(
        keys.NAME,
        "keys of a keyboard reader, too few, too many, held, lost: nothing raised, no tag but the"
        " lines of ten digits",
        "lines",
        keys.check,
        _so_many(-(-5 * MILLION // keys.LINES)),
        quick=400,
        counts=5 * MILLION,
    ),
    Drill(
        boxes.NAME,
        "bytes of a buzzer box, random, changed, spliced, torn: nothing raised, no frame but those"
        " the box has sent",
        "frames",
        boxes.check,
        _so_many(-(-MILLION // boxes.FRAMES)),
        quick=1000,
        counts=MILLION,
    ),
    *(
        Drill(
            f"{games.NAME}-{name}",
            "whole games by players who do anything legal, every tenth by simulated ones: none is"
            " stuck, every ledger balances, all is read back"
            + (", a plain table has the same" if name in BESIDE else ""),
            "games",
            partial(games.check, name),
            _so_many(HOW_MANY.get(name, EACH)),
            quick=20,
            chunk=50,
        )
        for name in NAMES
    ),
    *(
        Drill(
            f"{games.SETTLED}-{name}",
            "the same of few players with few counters: a plain table has the same to the end",
            "games",
            partial(games.check_settled, name),
            _so_many(EACH),
            quick=100,
        )
        for name in SMALL
    ),
    *(
        Drill(
            f"{games.REAL}-{name}",
            "whole games with real cards on a reader, by players who do anything, faults declared:"
            " none is stuck, every ledger balances, all is read back",
            "games",
            partial(games.check_real, name),
            _so_many(HOW_MANY.get(name, EACH)),
            quick=20,
            chunk=50,
        )
        for name in REAL_CARDS
    ),
    Drill(
        f"{games.LEGAL}-spoil-five",
        "hands, trumps, leads, tricks at random: a plain statement lets the same cards be played,"
        " and gives the trick to the same one",
        "positions",
        games.check_legal,
        _so_many(MILLION // games.POSITIONS),
        quick=30,
        counts=MILLION,
    ),
    *(
        Drill(
            f"{kind}-{name}",
            "pairs of states, played, that differ only in what a viewer cannot see: shown, allowed,"
            " wanted, said and recorded is the same",
            "pairs",
            partial(check, name),
            _so_many(EACH // PAIRS),
            quick=20,
            chunk=50,
            counts=EACH,
        )
        for kind, check, names in (
            (unseen.NAME, unseen.check, NAMES),
            (unseen.REAL, unseen.check_real, REAL_CARDS),
        )
        for name in names
    ),
    Drill(
        machine.NAME,
        "acts that Hypothesis chooses, power cuts, failing disks, starts, repeats: all comes to"
        " what a night on paper comes to",
        "steps",
        machine.check,
        _so_many(300),  # about 4,000 steps each
        quick=1,
        chunk=1,
        counts=MILLION,
    ),
    Drill(
        table_machine.NAME,
        "the same at a table: knobs, settlements, short pools, last drawings; every counter is"
        " where it is on paper",
        "steps",
        table_machine.check,
        _so_many(1100),  # about 930 steps each
        quick=2,
        chunk=1,
        counts=MILLION,
    ),
    Drill(
        year.NAME,
        "a hall's year: whole games, night after night, with faults at random: every ledger"
        " balances, the memory stays flat",
        "games",
        year.check,
        _so_many(-(-100_000 // (year.NIGHTS * year.GAMES))),
        quick=8,
        chunk=4,
        counts=100_000,
        flat=True,
    ),
    Drill(
        devices.NAME,
        "the whole core in virtual time, all faults of a hall at random and at once: all comes"
        " back, no call lost or doubled",
        "faults",
        devices.check,
        _so_many(100),  # evenings of about 300 faults
        quick=2,
        chunk=1,
        counts=20_000,
    ),
    Drill(
        live_devices.NAME,
        "the core in real time on its threads: cables pulled, the voice killed, the board cut off"
        " and garbled; the same",
        "faults",
        live_devices.check,
        _so_many(200 // live_devices.ROUNDS),
        quick=1,
        chunk=1,
        counts=200,
        waits=True,
    ),
    *(
        Drill(
            f"{seat_lines.NAME}-{name}",
            "two games on two cores that differ in what a seat cannot see: its phone gets equal"
            " bytes, digests and line numbers apart",
            "games",
            partial(seat_lines.check, name),
            _so_many(300),
            quick=1,
            chunk=2,
            waits=True,
        )
        for name in seat_lines.NAMES
    ),
    Drill(
        real.CORE,
        "SIGKILL of the core at any moment, its start too: nothing acknowledged is lost, the same"
        " game goes on and is heard",
        "kills",
        real.kill_core,
        _so_many(5000 // real.CORE_KILLS),
        quick=1,
        chunk=1,
        counts=5000,
        waits=True,
    ),
    Drill(
        real.STATION,
        "SIGKILL of launcher, core, voice and web at once: the same",
        "kills",
        real.kill_station,
        _so_many(500 // real.STATION_KILLS),
        quick=1,
        chunk=1,
        counts=500,
        waits=True,
    ),
    Drill(
        settle_kill.NAME,
        "SIGKILL of the core in a settlement, its pool often too small: settled once, every counter"
        " right, the same game goes on",
        "kills",
        settle_kill.kill_settle,
        _so_many(500 // settle_kill.KILLS),
        quick=1,
        chunk=1,
        counts=500,
        waits=True,
    ),
    Drill(
        straits.NAME,
        "the disk locked, moved, removed under it; no memory, a flood of presses, 10,000 cards, 20"
        " command lines: nothing lost",
        "straits",
        straits.check,
        _so_many(10 * len(straits.STRAITS)),
        quick=2,
        chunk=1,
        waits=True,
    ),
    Drill(
        real.HANG,
        "the core stopped, the core busy for ever, the voice stopped, in turn: announcing again"
        " within 8 s, in the same game",
        "hangs",
        real.hang,
        _so_many(20 * len(real.TROUBLES)),
        quick=len(real.TROUBLES),
        chunk=1,
        waits=True,
        alone=True,
    ),
    Drill(
        web_flood.NAME,
        "thousands of connections that ask nothing, half of something, or never read: desk and"
        " board within 1 s, calls as ever",
        "visitors",
        web_flood.web_flood,
        _so_many(len(web_flood.CROWDS)),
        quick=1,
        chunk=1,
        counts=sum(crowd.count for crowd in web_flood.CROWDS),
        alone=True,
        single=True,
    ),
)
