"""A short evening in memory: two nights played through the real session, with a picture of the disk
after each of its calls.

What the drills crash, cut and damage. The evening is the same for the same seed, down to the last
byte, so a start that goes on with it after a fault must have written a beginning of the very same
bytes.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from station.base.clock import Clock
from station.base.disk import Disk
from station.base.errors import LotoError
from station.base.nouns import KNOBS
from station.cards.pack import Pack, make_pack
from station.games.loto_first.game import Stakes
from station.night.acts import Act, CloseNight, Open, act_to_json, parse_act
from station.night.hall import Hall, apply, followed
from station.night.table.game import next_step
from station.night.table.leaves import NO_DRAWING
from station.people.roles import Person, Role
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.proof.leaves import SECRET, Binding, Source
from station.record import audit
from station.record.folders import is_open
from station.record.heads import Signer
from station.record.journal import FILE
from station.record.nights import Night, StateFolder, begin, resume
from station.record.requests import Change, Command, Done
from station.record.session import Session
from station.rules.prizes import ClaimVerdict
from tests.drill.memory_disk import DiskKind, Folder, MemoryDisk
from tests.drill.sender import certain

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
SIGNER = Signer.of(KEY, 1)
LUCK = 17  # the deal and the order of a bag must be the same again, whenever a start goes on
STATE = Path("/state")
CLOCK = Clock(wall=lambda: 1_700_000_000.0, mono=lambda: 5.0, trusted=lambda: False)
HOST = Person("host", Role.ADMIN)
PACK: Pack = make_pack(1, Random(1))
PROGRAMME = Programme(
    name="Drill",
    games=(
        GamePlan(name="First", stakes=Stakes.QUARTERS, price=7),
        GamePlan(name="Second", stakes=Stakes.WHOLE, price=5),
        GamePlan(name="At the table", method="loto-second", table=TablePlan(cards=6)),
    ),
)


class AtOnce(Executor):
    """Does the journal's writing where it is asked for: one thread, one order of things."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Does it now."""
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - it is handed on, to whoever asks for the result
            done.set_exception(error)
        return done


AT_ONCE = AtOnce()


def empty_disk(kind: DiskKind = MemoryDisk) -> MemoryDisk:
    """A disk with a folder for the state, and nothing in it."""
    state = {STATE.name: Folder()}
    return kind(Folder(state, state))


def start(disk: Disk, programme: Programme = PROGRAMME, pack: Pack = PACK) -> Night:
    """What a start of the station does: goes on with the open night, or begins the next with this
    programme and pack.

    Raises:
        LotoError: as the station's own start.
    """
    folder = StateFolder(STATE, disk=disk)
    try:
        last = folder.last_night()
        if last is not None and is_open(last, disk):
            return resume(last, KEY, disk, AT_ONCE)
        number = int(last.name) + 1 if last is not None else 1
        entry = {"id": f"opening-{number}", **CLOCK.stamp(), "by": "station", "via": "start"}
        return begin(folder, pack, programme, entry, test=True, writer=AT_ONCE, key=KEY)
    finally:
        folder.close()


def record(disk: Disk) -> bytes:
    """All journals there are, one after the other, as they can be seen."""
    nights = STATE / "nights"
    names = sorted(disk.names(nights)) if disk.is_folder(nights) else []
    return b"".join(
        disk.read(nights / name / FILE) for name in names if disk.is_file(nights / name / FILE)
    )


def refused(disk: Disk) -> str:
    """Why the audit refuses the record, signed by the station's key; nothing if it is whole."""
    try:
        audit.verify(STATE, (SIGNER.public,), disk=disk)
    except LotoError as error:
        return str(error)
    return ""


def script(chance: Random) -> list[dict[str, Any]]:
    """The acts of an evening: sold, called, taken back, claimed rightly and wrongly, paid, closed;
    and another night begun."""
    serials = chance.sample(PACK.serials, 4)
    rows = PACK.card(serials[0]).rows
    wrong = chance.choice([number for number in range(1, 91) if number not in rows[0]])
    row = [{"act": "draw", "number": number} for number in chance.sample(rows[0], len(rows[0]))]
    return [
        {"act": "sell", "serials": serials[:3], "to": "Anna", "games": 2},
        {"act": "open"},
        *row[:2],
        {"act": "draw", "number": wrong},
        {"act": "undo", "why": "misread"},
        *row[2:],
        {"act": "claim", "serial": serials[3]},
        {"act": "claim", "serial": serials[0]},
        {"act": "play-on"},
        {"act": "pay", "serial": serials[0]},
        {"act": "close"},
        {"act": "close-night"},
        {"act": "open"},
        {"act": "draw"},
        {"act": "draw"},
    ]


def at_the_table(chance: Random) -> list[dict[str, Any]]:
    """The acts of an evening at the table: the company sits down, a drawing that the pool cannot
    pay is settled, they add and go on, one of them throws his card up, the game is resolved and
    played to its end; and another night begun.
    """
    acts: list[dict[str, Any]] = [{"act": "open"}, {"act": "break", "why": "a drill"}] * 2
    acts.append(
        {"act": "sit", "players": [{"name": name, "takes": 1} for name in ("Anna", "Ben", "Carla")]}
    )
    hall = Hall(PACK, PROGRAMME)
    for act in acts:
        hall = apply(hall, parse_act(act))
    acts.append({"act": "open"})
    # as the session will: with the first secret that it makes when they sit down
    binding = Binding(SIGNER.public, hall.night, hall.opened, NO_DRAWING)
    secret = Random(LUCK).randbytes(SECRET)
    deal = Source(secret, binding.at(0)).shuffled(sorted(PACK.serials))
    hall = apply(hall, Open(deal=tuple(deal)))
    while (table := hall.at_table) is not None:
        serials = [serial for cards in table.state.taken for serial in cards]
        lucky = [
            number
            for serial in serials
            for number in PACK.card(serial).rows[0]
            if number in table.state.bag
        ]
        steps: dict[str, list[dict[str, Any]]] = {
            "shake": [{"act": "shake", "counted": KNOBS}],
            "draw": [{"act": "draw", "number": chance.choice(lucky or sorted(table.state.bag))}],
            "settle": [{"act": "move", "move": {"do": "settle"}}],
            "add": [{"act": "move", "move": {"do": "replenish"}}],
        }
        now = steps[next_step(table)]
        if (
            table.calls == 10
            and not table.shaken
            and len(serials) == 3
            and next_step(table) == "shake"
        ):
            now = [{"act": "move", "move": {"do": "throw-up", "seat": 3, "serial": serials[2]}}]
            now.append({"act": "move", "move": {"do": "resolve", "drawings": 1}})
        for act in now:
            acts.append(act)
            hall = apply(hall, parse_act(act))
    return [*acts, {"act": "close-night"}, {"act": "open"}, {"act": "draw"}]


def _would_win(hall: Hall, serial: str) -> bool:
    game = hall.sold
    return game is not None and hall.prizes.judge(game, serial).verdict is ClaimVerdict.VALID


def whole_night(chance: Random, games: int = 2) -> list[dict[str, Any]]:
    """The acts of a night of whole games: the cards sold, every knob called until all is won, every
    winner paid."""
    acts: list[dict[str, Any]] = []
    hall = Hall(PACK, PROGRAMME)

    def do(act: str, **arguments: Any) -> Hall:
        acts.append({"act": act, **arguments})
        return apply(hall, parse_act(acts[-1]))

    hall = do("sell", serials=PACK.serials[:3], to="Anna", games=games)
    hall = do("sell", serials=PACK.serials[3:], games=games)
    for _ in range(games):
        hall = do("open")
        for number in chance.sample(range(1, KNOBS + 1), KNOBS):
            hall = do("draw", number=number)
            for serial in PACK.serials:
                if _would_win(hall, serial):
                    hall = do("claim", serial=serial)
            if hall.sold is not None and hall.sold.stopped:
                hall = do("play-on")
            if hall.sold is not None and hall.sold.stage is None:
                break
        for serial in sorted(
            {win.serial for win in hall.last_sold.wins} if hall.last_sold is not None else ()
        ):
            hall = do("pay", serial=serial)
        hall = do("close")
    do("close-night")
    return acts


@dataclass(frozen=True)
class Moment:
    """After one call to the disk.

    Attributes:
        disk: as it was.
        answered: bytes of the record that somebody had been answered for.
        acts: how many acts of the script were done.
    """

    disk: MemoryDisk
    answered: int
    acts: int


@dataclass
class Evening:
    """An evening as it was played.

    Attributes:
        acts: the script, every command's id being its place in it.
        moments: one for each call to the disk.
        record: the whole record at its end.
        ends: the places in it where its lines end.
    """

    acts: list[dict[str, Any]]
    moments: list[Moment] = field(default_factory=list)
    record: bytes = b""
    ends: list[int] = field(default_factory=list)


async def play_on(
    disk: MemoryDisk, acts: list[dict[str, Any]], evening: Evening | None = None, done: int = 0
) -> list[Change]:
    """Starts the station and does what is left of the acts, one after the other, until it refuses
    one.

    Returns:
        What was told: heard, lit and shown.
    """
    told: list[Change] = []
    answered = 0

    def look() -> None:
        if evening is not None:
            evening.moments.append(Moment(disk.copy(), answered, done))

    disk.after = look
    night = start(disk)
    while done < len(acts):
        luck = Random(LUCK)
        session = Session(night, told.append, CLOCK, luck)
        while done < len(acts):
            luck.seed(LUCK)
            answered = len(record(disk)) if evening is not None else 0
            answer = await session.submit(
                certain(session, Command.read(f"act-{done}", acts[done], HOST, "wire"))
            )
            if not isinstance(answer, Done):
                return told
            done += 1
            if acts[done - 1]["act"] == CloseNight().act:
                break
        night.journal.close()
        answered = len(record(disk)) if evening is not None else 0
        if done < len(acts):
            night = start(disk)
    look()
    return told


@lru_cache(maxsize=32)
def evening(seed: int, kind: DiskKind = MemoryDisk) -> Evening:
    """The evening of this seed, played on a disk of this kind; every fourth is one at the table."""
    wanted = at_the_table if seed % 4 == 3 else script
    return _played(Evening(wanted(Random(seed))), empty_disk(kind), watched=True)


@lru_cache(maxsize=4)
def night_of_whole_games(seed: int) -> Evening:
    """A closed night of whole games; its one moment is its end."""
    return _played(Evening(whole_night(Random(seed))), empty_disk(), watched=False)


def _played(played: Evening, disk: MemoryDisk, watched: bool) -> Evening:
    asyncio.run(play_on(disk, played.acts, played if watched else None))
    disk.after = lambda: None
    played.record = record(disk)
    played.ends = [place + 1 for place, byte in enumerate(played.record) if byte == 0x0A]
    if not watched:
        played.moments.append(Moment(disk, len(played.record), len(played.acts)))
    if b'"id":"act-%d"' % (len(played.acts) - 1) not in played.record:
        raise LotoError(f"an evening was not played to its end: {played.record[-400:]!r}")
    return played


def next_line(night: Night, act: Act, command_id: str) -> dict[str, Any]:
    """The entry of an act, as the session makes it."""
    after = apply(night.hall, act)
    then = followed(night.hall, after)
    return {
        "id": command_id,
        **CLOCK.stamp(),
        "by": HOST.name,
        "via": "wire",
        "do": act_to_json(act),
        "then": then,
    }
