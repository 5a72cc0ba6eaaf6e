"""Helpers of the tests of the core: a disk that remembers and fails, a loop whose time is ours, a
night, a front with memory."""

from __future__ import annotations

import asyncio
import errno
import os
import selectors
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from drivers import Cavity, Light, Rank, SoundEnded, TagRead
from station.base.clock import Clock
from station.base.disk import Disk
from station.base.nouns import KNOBS
from station.calling.desk import Desk
from station.calling.outputs import DeskSettings
from station.cards.pack import Pack, make_pack
from station.people.roles import Person, Role
from station.programme.programme import GamePlan, Programme
from station.record import audit
from station.record.nights import Night, StateFolder, begin, resume
from station.record.requests import Answer, Change, Command
from station.record.session import Session
from station.record.station_key import KEY_FILE, has_key, key_of
from station.settings.tags import TagTable
from station.wire.board_view import BoardView
from station.wire.wording import load_wording
from tests.drill.sender import certain

T = TypeVar("T")

LIMIT_S = 60.0  # real seconds after which a test that waits has failed
CLOCK = Clock(wall=lambda: 1_700_000_000.0, mono=lambda: 5.0, trusted=lambda: False)
ADMIN = Person("admin", Role.ADMIN)
OPENING = {"id": "opening", **CLOCK.stamp(), "by": "station", "via": "start"}
PROGRAMME = Programme(
    name="Two games", games=(GamePlan(name="First", price=100), GamePlan(name="Second", price=50))
)


@cache
def small_pack() -> Pack:
    """Twelve cards, always the same."""
    return make_pack(2, Random(7))


def between(pack: Pack, first: str, last: str) -> tuple[str, ...]:
    """The serials of a range, both ends included, in the pack's order."""
    return pack.serials[pack.place(first) : pack.place(last) + 1]


class MemoryDisk(Disk):
    """A real disk that remembers every call, and fails the n-th call of one kind.

    Attributes:
        calls: each call's name, in order; a write's with its bytes.
        fails: for "write", "sync", "create" …: which calls fail (counted from 1) and how; a number
            instead of an error is a short write that takes so many bytes.
    """

    def __init__(self) -> None:
        self.calls: list[tuple[str, bytes]] = []
        self.fails: dict[str, dict[int, OSError | int]] = {}

    def count(self, name: str) -> int:
        return sum(called == name for called, _ in self.calls)

    def fail_next(self, name: str, fault: OSError | int) -> None:
        self.fails[name] = {self.count(name) + 1: fault}

    def _called(self, name: str, data: bytes = b"") -> OSError | int | None:
        self.calls.append((name, data))
        fault = self.fails.get(name, {}).get(self.count(name))
        if isinstance(fault, OSError):
            raise fault
        return fault

    def create(self, path: Path) -> int:
        self._called("create")
        return super().create(path)

    def write(self, descriptor: int, data: bytes) -> int:
        short = self._called("write", data)
        return super().write(descriptor, data if short is None else data[: int(str(short))])

    def sync(self, descriptor: int) -> None:
        self._called("sync")
        super().sync(descriptor)

    def sync_folder(self, folder: Path) -> None:
        self._called("sync_folder")
        super().sync_folder(folder)

    def truncate(self, descriptor: int, length: int) -> None:
        self._called("truncate")
        super().truncate(descriptor, length)


class BadSector(Disk):
    """A real disk on which one file, or folder, cannot be read: in any way, or in one of them."""

    def __init__(self, path: Path, way: str = "") -> None:
        self.path = path
        self.way = way

    def _look(self, path: Path, way: str) -> None:
        if path == self.path and self.way in ("", way):
            raise BROKEN

    def read(self, path: Path, last: int | None = None) -> bytes:
        self._look(path, "read" if last is None else "read last")
        return super().read(path, last)

    def lines(self, path: Path, longest: int) -> Iterator[bytes]:
        self._look(path, "read")
        return super().lines(path, longest)

    def read_first(self, path: Path, most: int) -> bytes:
        self._look(path, "read first")
        return super().read_first(path, most)

    def names(self, folder: Path) -> list[str]:
        self._look(folder, "names")
        return super().names(folder)


NO_ROOM = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
BROKEN = OSError(errno.EIO, os.strerror(errno.EIO))


class HandLoop(asyncio.SelectorEventLoop):
    """An event loop whose time jumps to the next timer when nothing else is to do, but never while
    a thread is at work."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.at_work = 0
        super().__init__(_Jumping(self))

    def time(self) -> float:
        return self.now

    def run_in_executor(
        self, executor: Any, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        future = super().run_in_executor(executor, func, *args)
        self.at_work += 1
        future.add_done_callback(self._done)
        return future

    async def shutdown_default_executor(self, *limit: Any) -> None:
        self.at_work += 1  # it waits for a thread that ends the others
        try:
            await super().shutdown_default_executor(*limit)
        finally:
            self.at_work -= 1

    def _done(self, _: object) -> None:
        self.at_work -= 1


class _Jumping(selectors.DefaultSelector):
    def __init__(self, loop: HandLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> Any:
        if self._loop.at_work:
            return super().select(LIMIT_S if timeout is None or timeout > 0 else 0)
        if timeout is None:
            raise AssertionError("nothing will ever happen any more, and the test still waits")
        self._loop.now += max(0.0, timeout)
        return super().select(0)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs it in real time, with a limit."""

    async def limited() -> T:
        async with asyncio.timeout(LIMIT_S):
            return await work

    return _apart(asyncio.Runner, limited())


def run_by_hand(work: Coroutine[Any, Any, T]) -> T:
    """Runs it on a loop whose time is ours."""
    return _apart(lambda: asyncio.Runner(loop_factory=HandLoop), work)


def _apart(made: Callable[[], asyncio.Runner], work: Coroutine[Any, Any, T]) -> T:
    """Runs it on a loop of its own; in another thread where a test's browser has this one's."""

    def whole() -> T:
        with made() as runner:
            return runner.run(work)

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return whole()
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(whole).result()


async def settle() -> None:
    """Returns when everything that can happen now has happened; time stands still."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, HandLoop)
    idle = 0
    while idle < 20:
        await asyncio.sleep(0)
        idle = 0 if loop.at_work else idle + 1


async def pass_time(seconds: float) -> None:
    """Lets so many of the loop's seconds pass, and everything in them happen."""
    await settle()
    await asyncio.sleep(seconds)
    await settle()


STATION_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def station_key(state: Path) -> Ed25519PrivateKey:
    """The key of a state folder; `STATION_KEY` becomes it where there is none."""
    if not has_key(state):
        (key := state / KEY_FILE).write_text(f"{STATION_KEY.private_bytes_raw().hex()}\n")
        key.chmod(0o600)
    return key_of(state)


# -- nights ----------------------------------------------------------------------------------------


@contextmanager
def night_in(
    state: Path, disk: Disk | None = None, programme: Programme = PROGRAMME, **options: Any
) -> Iterator[Night]:
    """The night in this state folder resumed; a new one if there is none, or with `new=True`. The
    station ends after it. The folder's own key signs, if no `key` is given."""
    folder = StateFolder(state, least_room=0)
    new, pack = options.pop("new", False), options.pop("pack", None)
    key = options.pop("key", None) or station_key(state)
    try:
        last = folder.last_night()
        if last is not None and not new:
            night = resume(last, key, disk)
        else:
            night = begin(
                folder,
                small_pack() if pack is None else pack,
                programme,
                OPENING,
                key=key,
                disk=disk,
                **options,
            )
        try:
            yield night
        finally:
            night.journal.close()
    finally:
        folder.close()


def verify(state: Path) -> list[audit.AuditedNight]:
    """What the audit finds in a state folder, when every night was played again to the same end."""
    assert not any(differs for _, _, differs in audit.replay_all(state))
    return audit.verify(state)


@dataclass
class Told:
    """A hall that hears: the changes told, in order."""

    changes: list[Change] = field(default_factory=list)

    def __call__(self, change: Change) -> None:
        self.changes.append(change)

    @property
    def acts(self) -> list[str]:
        return [change.act.act for change in self.changes]


async def submit(
    session: Session, act: str, command_id: str = "", by: Person = ADMIN, **arguments: Any
) -> Answer:
    """One command with an id of its own, of somebody who is sure; with `sure=False` the station may
    ask."""
    expect, seen, sure = (
        arguments.pop("expect", None),
        arguments.pop("seen", None),
        arguments.pop("sure", True),
    )
    command = Command.read(
        command_id or os.urandom(8).hex(), {"act": act, **arguments}, by, "wire", expect, seen
    )
    return await session.submit(certain(session, command) if sure else command)


async def play(session: Session, acts: Iterable[str | dict[str, Any]]) -> list[Answer]:
    """Several commands, one after the other."""
    answers = []
    for wanted in acts:
        act = {"act": wanted} if isinstance(wanted, str) else dict(wanted)
        answers.append(await submit(session, act.pop("act"), **act))
    return answers


# -- the desk --------------------------------------------------------------------------------------


class FakeOutputs:
    """A hall with memory: what was said, lit and shown, in the order it came.

    Attributes:
        log: ("say", clips), ("light", numbers), ("view", view).
        voice: False when nobody speaks.
        unheard: tokens of announcements that have not ended.
        ranks: of what was said.
        messages: the texts shown on the ten-cavity board.
        names: texts with names in them for which there is a clip.
    """

    def __init__(self) -> None:
        self.log: list[tuple[str, Any]] = []
        self.voice = True
        self.unheard: list[int] = []
        self.ranks: list[Rank] = []
        self.messages: list[str] = []
        self.names: dict[str, str] = {}
        self.lamps: dict[str, Light] = {}
        self.messages: list[str] = []
        self.on_view: Callable[[BoardView], None] = lambda _: None

    def say(self, clips: tuple[str, ...], token: int, rank: Rank) -> bool:
        if not self.voice:
            return False
        self.log.append(("say", clips))
        self.ranks.append(rank)
        self.unheard.append(token)
        return True

    def named(self, text: str) -> str | None:
        return self.names.get(text)

    def light(self, lit: tuple[Cavity | None, ...], token: int) -> None:
        self.log.append(("light", lit))

    def message(self, text: str) -> None:
        self.messages.append(text)

    def lamp(self, name: str, light: Light) -> None:
        self.lamps[name] = light

    def volume(self, level: float) -> bool:
        if self.voice:
            self.log.append(("volume", level))
        return self.voice

    def publish(self, view: BoardView) -> None:
        self.log.append(("view", view))
        self.on_view(view)

    @property
    def said(self) -> list[tuple[str, ...]]:
        return [clips for kind, clips in self.log if kind == "say"]

    @property
    def called(self) -> list[int]:
        """The numbers that were called, from the clips alone."""
        single = [clips[-1] for clips in self.said if len(clips) == 1 or clips[0] == "chime"]
        return [int(clip.removeprefix("number.")) for clip in single if clip.startswith("number.")]

    @property
    def view(self) -> BoardView:
        """What is shown now."""
        view: BoardView = [shown for kind, shown in self.log if kind == "view"][-1]
        return view


def tag_of(knob: int) -> int:
    """The tag in a knob of these tests."""
    return 7000 + knob


class Table:
    """A desk with a night, and hands."""

    def __init__(self, night: Night, **settings: Any) -> None:
        self.outputs = FakeOutputs()
        self.told: list[Change] = []
        self.session = Session(night, self._tell, CLOCK, Random(3))
        options: dict[str, Any] = {"wording": load_wording("en"), "hall_name": "Hall", **settings}
        knobs = TagTable(
            {tag_of(knob): knob for knob in range(1, KNOBS + 1)},
            options.pop("spares", {}),
            options.pop("packs", {}),
        )
        bench = options.pop("bench", None)
        off = options.pop("power_off", lambda: None)
        self.desk = Desk(
            self.session, self.outputs, DeskSettings(**options), knobs, bench=bench, power_off=off
        )

    def _tell(self, change: Change) -> None:
        self.told.append(change)
        self.desk.tell(change)

    async def wish(
        self, act: str, wish_id: str = "", by: Person = ADMIN, **arguments: Any
    ) -> Answer:
        expect, sure = arguments.pop("expect", None), arguments.pop("sure", True)
        do = {"act": act, **arguments}
        command = Command.read(wish_id or os.urandom(8).hex(), do, by, "wire", expect)
        command = certain(self.session, command) if sure else command
        return await self.desk.wish(
            command.id, do, by, "wire", expect, command.seen, sure=command.sure
        )

    async def receive(self, *events: Any) -> None:
        """Events of the devices, and what follows from them now."""
        for event in events:
            self.desk.receive(event)
        await settle()

    async def read(self, knob: int) -> None:
        await self.receive(TagRead("reader", tag_of(knob), 0.0))

    async def heard(self) -> None:
        """All that is being said comes to its end."""
        tokens, self.outputs.unheard = self.outputs.unheard, []
        await self.receive(*(SoundEnded(token, True, 0.0) for token in tokens))

    @property
    def calls(self) -> tuple[int, ...]:
        game = self.session.hall.last_sold
        return game.called if game is not None else ()


@contextmanager
def table_in(state: Path, disk: Disk | None = None, **settings: Any) -> Iterator[Table]:
    """A table with a night in this state folder."""
    with night_in(state, disk, settings.pop("programme", PROGRAMME)) as night:
        yield Table(night, **settings)
