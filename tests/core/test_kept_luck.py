"""Secrets that outlive a crash and no power cut: at each moment of a game the program is killed, or
the power goes, and the game goes on."""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from station.base.errors import LotoError
from station.core.daemon import MISFIT, Core
from station.core.environment import NAME, KeptLuck, Machine, await_luck
from station.people.roles import STATION
from station.programme.programme import GamePlan, Programme
from station.proof.leaves import LEAVES, SECRET, Binding, Secrets, Way
from station.record import audit
from station.record.journal import FILE
from station.record.requests import Command, Done, RenewLuck, SeeNext, read_act
from station.record.session import Session
from station.settings.config import Settings
from tests.company import PACK
from tests.drill.evening import CLOCK, HOST, STATE, empty_disk, record, start
from tests.drill.memory_disk import MemoryDisk
from tests.drill.sender import certain
from tests.support import PROGRAMME, Told, night_in, play, run
from tests.table_nights import SIT, play_on, sent

WORDS = {"act": "mix", "words": "green horse 17"}
UNDO = {"act": "undo", "why": "misread"}
BEGUN: list[Any] = ["draw", "draw", "see", "draw", "draw", UNDO, UNDO]
CALLS: list[Any] = [*BEGUN, "draw", "draw", "see", "draw", UNDO, "draw", "draw"]
ACTS = {Way.COMMITTED: ["open", *CALLS], Way.SHARED: ["open", WORDS, *CALLS]}


@dataclass
class Holder:
    """Who starts the core, and holds its files for the next one: names, and what is in them."""

    files: list[tuple[str, bytes]] = field(default_factory=list)
    after: Callable[[], None] = lambda: None

    def keep(self, name: str, number: int) -> bool:
        self.files.append((name, os.pread(number, 1 << 20, 0)))
        self.after()
        return True

    def forget(self, name: str) -> bool:
        self.files = [one for one in self.files if one[0] != name]
        self.after()
        return True

    def opened(self) -> list[tuple[str, int]]:
        found = []
        for name, data in self.files:
            number = os.memfd_create(name)
            os.write(number, data)
            found.append((name, number))
        return found

    def keeper(self) -> KeptLuck:
        return KeptLuck(self.opened, self.keep, self.forget)


@dataclass(frozen=True)
class Moment:
    """After one call to the disk or to the holder: what both have, how many bytes of the record
    somebody was answered for, and how many acts were done."""

    disk: MemoryDisk
    files: Sequence[tuple[str, bytes]]
    answered: int
    done: int


def command(place: int, wanted: Any) -> Command:
    if wanted == "see":
        return Command(f"act-{place}", SeeNext(), HOST, "wire")
    act = {"act": wanted} if isinstance(wanted, str) else wanted
    return Command(f"act-{place}", read_act(act), HOST, "wire")


async def played(
    disk: MemoryDisk,
    holder: Holder,
    way: Way,
    seed: int,
    moments: list[Moment] | None = None,
) -> tuple[Session, int]:
    """Starts, and does all acts of the script, those that were done already, too: the session at
    the end, and how many lines the start found."""
    answered = done = 0

    def look() -> None:
        if moments is not None:
            moments.append(Moment(disk.copy(), tuple(holder.files), answered, done))

    disk.after = holder.after = look
    night = start(disk)
    found = night.journal.head.seq
    session = Session(night, Told(), CLOCK, Random(seed), None, way, holder.keeper())
    if session.lost_luck:
        await session.submit(Command(f"renew-{seed}", RenewLuck(), STATION, "start"))
        if session.hall.fair is not None and session.hall.fair.wants_words:
            await session.submit(Command(f"words-{seed}", read_act(WORDS), HOST, "wire"))
    for place, wanted in enumerate(ACTS[way]):
        answered = len(record(disk)) if moments is not None else 0
        answer = await session.submit(certain(session, command(place, wanted)))
        assert isinstance(answer, Done) or wanted is WORDS, answer  # said already in this epoch
        done += 1
    disk.after = holder.after = lambda: None
    night.journal.close()
    return session, found


def acts_of(disk: MemoryDisk) -> list[dict[str, Any]]:
    return [json.loads(line)["do"] for line in record(disk).splitlines()]


def called_in(acts: Sequence[dict[str, Any]]) -> list[int]:
    """The calls that stand."""
    called: list[int] = []
    for do in acts:
        if do["act"] == "draw":
            called.append(do["number"])
        elif do["act"] == "undo":
            called.pop()
    return called


def leaves_in(acts: Sequence[dict[str, Any]]) -> list[int]:
    """The numbers that were opened, seen or called, in order, each once."""
    return [do["number"] for do in acts if do.get("leaf")]


@pytest.mark.long
@pytest.mark.parametrize("way", ACTS)
def test_at_every_moment_a_crash_costs_nothing_and_a_cut_an_epoch(way: Way) -> None:
    """After each call to the disk or to the holder of the secrets. Killed: the very numbers come
    that would have come, and nothing is committed to anew. Cut off: what stands is a beginning of
    what was done, what was opened stays in its order, so what was seen or taken back comes next;
    the rest is of one epoch more. Both records are proven, and no number is there twice."""
    moments: list[Moment] = []
    disk, chance = empty_disk(), Random(5)
    run(played(disk, Holder(), way, 1, moments))
    whole = acts_of(disk)
    epochs = set()
    for place, moment in enumerate(moments):
        for cut in (False, True):
            found = moment.disk.crash(chance) if cut else moment.disk.copy()
            answered = record(moment.disk)[: moment.answered]
            holder = Holder([] if cut else [*moment.files])
            session, lines = run(played(found, holder, way, 100 + place))
            acts = acts_of(found)
            assert record(found).startswith(answered)
            assert not session.misfit
            assert acts[:lines] == whole[:lines]
            assert len(set(leaves_in(acts))) == len(leaves_in(acts))
            assert called_in(acts) == list(session.hall.called)
            assert len(set(session.hall.called)) == len(session.hall.called) == 6
            opened = any(do["act"] == "open" for do in whole[:lines])
            renewed = [do["epoch"] for do in acts if do["act"] == "renew"]
            assert renewed == ([2] if cut and opened else [])
            if opened:
                known = leaves_in(whole[:lines])
                assert leaves_in(acts)[: len(known)] == known
            if opened and not cut:
                assert acts == whole
            audit.verify(STATE, disk=found)
            epochs.add((cut, len(renewed)))
    assert epochs == {(False, 0), (True, 0), (True, 1)}
    assert len(moments) > 2 * len(ACTS[way])


def with_bit(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def of_another(**changed: int) -> bytes:
    """The secrets of a bag that is bound elsewhere."""
    chance = Random(9)
    binding = Binding("", **{"night": 1, "game": 1, **changed})
    return Secrets(binding, [chance.randbytes(SECRET) for _ in range(LEAVES)]).packed


WRONG: dict[str, Callable[[bytes], bytes]] = {
    "first bit": lambda kept: with_bit(kept, 0),
    "last bit": lambda kept: with_bit(kept, len(kept) - 1),
    "swapped": lambda kept: kept[SECRET : 2 * SECRET] + kept[:SECRET] + kept[2 * SECRET :],
    "short": lambda kept: kept[:-1],
    "long": lambda kept: kept + b"0",
    "empty": lambda kept: b"",
    "another game's": lambda kept: of_another(game=2),
    "another night's": lambda kept: of_another(night=2),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_does_not_fit_the_record_is_refused(tmp_path: Path, wrong: str) -> None:
    """It counts as lost, and nothing of it is kept any longer; what fits is taken among others."""
    holder = Holder()
    with night_in(tmp_path) as night:
        first = Session(night, Told(), CLOCK, Random(1), keeper=holder.keeper())
        run(play(first, ["open", "draw"]))
    [(name, kept)] = holder.files
    assert len(kept) == LEAVES * SECRET
    other = (NAME + "00" * 32, WRONG[wrong](kept))
    with night_in(tmp_path) as night:
        holder.files = [other, (name, kept)]
        again = Session(night, Told(), CLOCK, Random(2), keeper=holder.keeper())
        assert (again.lost_luck, again.misfit, holder.files) == (False, False, [(name, kept)])
        holder.files = [other]
        again = Session(night, Told(), CLOCK, Random(2), keeper=holder.keeper())
        assert (again.lost_luck, again.misfit, holder.files) == (True, True, [])
        run(play(again, ["draw"]))
        assert again.hall.fair is not None
        assert again.hall.fair.binding.epoch == 2
        assert [name for name, _ in holder.files] == [NAME + again.hall.fair.root]


def test_what_a_table_is_bound_to_goes_on_after_a_crash(tmp_path: Path) -> None:
    """The next throw opens the next leaf of the same tree; cut off, the table is bound anew, and
    what was kept of before is forgotten."""
    keno = Programme(name="Keno", games=(GamePlan(name="Keno", method="dice-keno"),))
    holder = Holder()
    opened = []
    for event in ("new", "crash", "cut"):
        holder.files = [] if event == "cut" else holder.files
        with night_in(tmp_path, programme=keno, pack=PACK) as night:
            session = Session(night, Told(), CLOCK, Random(1), keeper=holder.keeper())
            if event == "new":
                sent(session, SIT)
                sent(session, {"act": "open"})
            assert (session.lost_table, session.misfit) == (event == "cut", False)
            play_on(session, Random(1), 3)
            leaves = session.hall.leaves
            assert leaves is not None
            assert [name for name, _ in holder.files] == [NAME + leaves.root]
            opened.append((leaves.binding.epoch, leaves.used))
    assert [epoch for epoch, _ in opened] == [1, 1, 2]
    assert 0 < opened[0][1] < opened[1][1]


def test_secrets_are_kept_while_their_bag_is_open_and_no_longer(tmp_path: Path) -> None:
    """One bag's at a time; none between games, and none of a bag that makes each at its call."""
    for way, kept in ((Way.COMMITTED, 1), (Way.FRESH, 0)):
        holder = Holder()
        with night_in(tmp_path / way, new=True) as night:
            session = Session(night, Told(), CLOCK, Random(1), way=way, keeper=holder.keeper())
            for act, files in (("open", kept), ("draw", kept), ("break", 0), ("open", kept)):
                run(play(session, [{"act": act, "why": "x"} if act == "break" else act]))
                assert len(holder.files) == files


def test_a_file_that_is_handed_over_can_be_changed_by_nobody(tmp_path: Path) -> None:
    """It has no name in any folder, and is sealed against writing, growing, shrinking."""
    kept: list[int] = []

    def keep(_: str, number: int) -> bool:
        kept.append(os.dup(number))
        return True

    with night_in(tmp_path) as night:
        keeper = KeptLuck(list, keep, lambda _: True)
        run(play(Session(night, Told(), CLOCK, Random(1), keeper=keeper), ["open"]))
    [number] = kept
    try:
        assert os.fstat(number).st_nlink == 0
        for change in (
            lambda: os.pwrite(number, b"0", 0),
            lambda: os.truncate(number, 1),
            lambda: os.truncate(number, 1 << 20),
            lambda: fcntl.fcntl(number, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE),
        ):
            with pytest.raises(OSError, match=os.strerror(errno.EPERM)):
                change()
    finally:
        os.close(number)


def test_a_file_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    """A pipe in its place holds nothing up; it is closed."""
    reader, writer = os.pipe()
    os.close(writer)
    assert list(KeptLuck(lambda: [("luck-", reader)]).handed()) == [b""]
    with pytest.raises(OSError, match=os.strerror(errno.EBADF)):
        os.fstat(reader)


def notes_of(state: Path, machine: Machine) -> list[dict[str, Any]]:
    """What a core has in its journal after a start."""

    async def work() -> None:
        core = Core(Settings(), state, state / "run", programme=PROGRAMME, machine=machine)
        await core.open()
        await core.close()

    run(work())
    lines = (state / "nights" / "0001" / FILE).read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["do"] for line in lines][1:]


def test_what_is_refused_stands_in_the_record(tmp_path: Path) -> None:
    """Before the new root: somebody had put other secrets there."""
    holder = Holder([("luck-x", b"0" * LEAVES * SECRET)])
    with night_in(tmp_path) as night:
        run(play(Session(night, Told(), CLOCK, Random(1)), ["open", "draw"]))
    machine = Machine(keeper=holder.keeper, await_luck=lambda: 0.0)
    acts = notes_of(tmp_path, machine)
    noted = next(place for place, do in enumerate(acts) if do.get("about") == "luck")
    assert acts[noted] == {"act": "note", "about": "luck", "what": MISFIT}
    assert (acts[noted + 1]["act"], acts[noted + 1]["epoch"]) == ("renew", 2)


# -- the kernel's pool -----------------------------------------------------------------------------


def test_the_seconds_that_a_start_waits_for_luck_are_told() -> None:
    """None where the kernel has enough; else until it has, asked so that it waits."""
    asked: list[int] = []
    times = iter([10.0, 12.5])

    def draw(count: int, flags: int = 0) -> bytes:
        asked.append(flags)
        if flags & os.GRND_NONBLOCK:
            raise BlockingIOError
        return bytes(count)

    assert await_luck(draw, lambda: next(times)) == 2.5
    assert asked == [os.GRND_NONBLOCK, 0]
    assert await_luck() == 0.0


def test_nothing_is_drawn_before_the_kernel_is_ready(tmp_path: Path) -> None:
    """The wait is over before there is a key, a night or a bag; what it took stands in the
    record."""

    def wait() -> float:
        assert not (tmp_path / "nights").exists()
        assert list(tmp_path.glob("*.key")) == []
        return 2.54

    noted = [do for do in notes_of(tmp_path, Machine(await_luck=wait)) if do["act"] == "note"]
    what = "The start waited 2.5 s for random numbers from the system."
    assert noted == [{"act": "note", "about": "luck", "what": what}]

    def fail() -> float:
        raise LotoError("no luck")

    with pytest.raises(LotoError, match="no luck"):
        notes_of(tmp_path / "other", Machine(await_luck=fail))
    assert not (tmp_path / "other" / "nights").exists()
