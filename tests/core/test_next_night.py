"""Night after night in one core: what is said, kept and answered; two at once; a pack that is
damaged; the power cut anywhere."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from drivers import DeviceLost, Driver, Pressed
from station.base.clock import Clock
from station.base.errors import SURE_FIRST
from station.cards import PACK_FILE
from station.cards.pack import make_pack
from station.core.daemon import Core
from station.core.environment import Machine
from station.core.shelf import Shelf
from station.people.roles import Person, Role
from station.record import audit
from station.record.folders import is_open, night_folders
from station.record.journal import FILE, read
from station.record.requests import Command, Done
from station.record.session import Session
from station.record.station_key import load_public_key
from station.settings.config import GameSettings, Settings
from station.wire.board_view import BoardView
from station.wire.wire import SOCKET, Client, Message, sure_of
from tests.drill.evening import AT_ONCE, HOST, KEY, PACK, PROGRAMME, STATE, empty_disk
from tests.drill.memory_disk import MemoryDisk, PowerCut
from tests.drill.sender import certain
from tests.support import CLOCK, LIMIT_S, run, small_pack

PROGRAMMES = "name = {name!r}\n[[games]]\nname = 'One'\nprice = 100\n"


class Quiet:
    """A driver of a device that does nothing: it counts how often it was opened and closed, and has
    a hand."""

    running = True

    def __init__(self, hall: Hall, kind: str) -> None:
        self.hall, self.kind = hall, kind

    def open(self, deliver: Callable[[Any], None]) -> None:
        self.hall.opened.append(self.kind)
        self.hall.deliver = deliver

    def close(self) -> None:
        self.hall.closed.append(self.kind)


@dataclass
class Hall:
    """A core with a button, and a connection to it."""

    state: Path
    opened: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    deliver: Callable[[Any], None] = lambda _: None
    views: list[BoardView] = field(default_factory=list)
    client: Client | None = None
    # what was sent once it had been asked first
    sure: dict[tuple[str, str], Message] = field(default_factory=dict)

    def driver(self, name: str, /, **options: Any) -> Driver:
        made: Any = Quiet(self, name)
        return made

    @contextlib.asynccontextmanager
    async def runs(self) -> AsyncIterator[Hall]:
        devices: Any = {
            "button": {"driver": "button", "pins": {"draw": 17}},
            "lamps": {"driver": "button", "pins": {}},
        }
        game = GameSettings(programme=self.state / "programme.toml")
        machine = Machine(
            clock=CLOCK, check_ground=lambda folder, *, test: None, make_driver=self.driver
        )
        core = Core(
            Settings(devices={"button": devices["button"]}, game=game),
            self.state,
            self.state / "run",
            machine=machine,
        )
        await core.open()
        try:
            async with await Client.open(self.state / "run" / SOCKET, "admin") as self.client:
                yield self
            assert all(not check() for check in core.checks.values())
        finally:
            await core.close()

    async def ask(self, wish_id: str, act: str, **arguments: Any) -> Message:
        assert self.client is not None
        wish = self.sure.get((wish_id, act), {"id": wish_id, "do": {"act": act, **arguments}})
        answer = await self.client.request(wish)
        # a question keeps the id; whoever is sure sends another
        if answer.get("refused", {}).get("reason") == SURE_FIRST:
            self.sure[wish_id, act] = {**sure_of(wish, answer), "id": f"{wish_id}, sure"}
            answer = await self.client.request(self.sure[wish_id, act])
        return answer

    async def do(self, act: str, **arguments: Any) -> Message:
        assert self.client is not None
        answer = await self.client.do(act, sure=True, **arguments)
        assert answer.get("ok"), answer
        return answer

    async def money(self) -> dict[str, Any]:
        assert self.client is not None
        return dict((await self.client.request({"ask": {"about": "money"}}))["answer"])

    async def until(self, wanted: Callable[[BoardView], bool]) -> BoardView:
        assert self.client is not None
        async with asyncio.timeout(LIMIT_S):
            async for message in self.client:
                if "view" in message:
                    self.views.append(BoardView.model_validate(message["view"]))
                    if wanted(self.views[-1]):
                        return self.views[-1]
        raise AssertionError("the station went away")


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """A state folder with a pack and a programme of one game."""
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / PACK_FILE).write_text(small_pack().to_csv())
    (tmp_path / "programme.toml").write_text(PROGRAMMES.format(name="Monday"))
    return Hall(tmp_path)


def lines(state: Path, night: int) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for line in (state / "nights" / f"{night:04d}" / FILE).read_bytes().splitlines()
    ]


def test_five_nights_in_one_core(hall: Hall) -> None:
    """Each game's unwon stakes come into the next night; no device is opened twice; all are whole,
    and play again the same."""

    async def work() -> None:
        async with hall.runs():
            for night in range(1, 6):
                view = await hall.until(
                    lambda view, night=night: view.night == night and view.phase == "between"
                )
                assert view.press == "open"
                await hall.do("sell", serials=["0001", "0002"])
                await hall.do("open")
                await hall.do("draw")
                await hall.do("close")
                money = await hall.money()
                assert money["total"] == 0
                assert money["carried"] == 200 * night
                await hall.do("close-night")
                view = await hall.until(lambda view: view.phase == "closed")
                assert view.press == "next-night"
                if night < 5:
                    assert (await hall.do("next-night"))["seq"] == 1
        assert (hall.opened, hall.closed) == (["button"], ["button"])

    run(work())
    found = audit.verify(hall.state)
    assert [int(one.night) for one in found] == [1, 2, 3, 4, 5]
    assert {one.key for one in found} == {load_public_key(hall.state)}
    assert [differs for _, _, differs in audit.replay_all(hall.state)] == [""] * 5
    assert not is_open(hall.state / "nights" / "0005")


def test_a_press_begins_it_and_the_signs_stay(hall: Hall) -> None:
    """The draw button: next night, then first game. A device that was lost before is lost still, on
    every screen."""

    async def work() -> None:
        async with hall.runs():
            hall.deliver(DeviceLost("reader", "the cable is out", 0.0))
            await hall.do("close-night")
            await hall.until(lambda view: view.phase == "closed" and bool(view.signs))
            hall.deliver(Pressed("draw", 0.0))
            view = await hall.until(lambda view: view.night == 2)
            assert [(sign.device, sign.colour) for sign in view.signs] == [("reader", "amber")]
            await hall.do("sell", serials=["0001"])
            hall.deliver(Pressed("draw", 0.0))
            await hall.until(lambda view: view.night == 2 and view.phase == "playing")

    run(work())
    assert (lines(hall.state, 2)[0]["by"], lines(hall.state, 2)[0]["via"]) == (
        "table",
        "button:draw",
    )


def test_pack_and_programme_in_force_are_read_anew(hall: Hall) -> None:
    """What was put in place during the evening is what the next one is played with; the closed
    night keeps its own."""

    async def work() -> None:
        async with hall.runs():
            (hall.state / "packs" / PACK_FILE).write_text(make_pack(3, Random(8)).to_csv())
            (hall.state / "programme.toml").write_text(PROGRAMMES.format(name="Tuesday"))
            await hall.do("close-night")
            await hall.do("next-night")
            await hall.do("sell", serials=["0018"])

    run(work())
    names = [
        sorted(path.name for path in (hall.state / "nights" / night).glob("p*"))
        for night in ("0001", "0002")
    ]
    assert all(one != other for one, other in zip(*names, strict=True))


def test_answers_by_id_stay_right(hall: Hall) -> None:
    """A command of either night that comes again is answered the same and done once; an id has one
    use; after a start too. Only `say` is of the moment: it tells where the evening stands now."""

    async def done(wish: str, act: str, **more: Any) -> Message:
        answer = await hall.ask(wish, act, **more)
        assert answer.pop("say")
        return answer

    async def work() -> None:
        asked = [
            ("s", "sell", {"serials": ["0001"]}),
            ("c", "close-night", {}),
            ("n", "next-night", {}),
            ("o", "open", {}),
        ]
        async with hall.runs():
            answers = {wish: await done(wish, act, **more) for wish, act, more in asked}
            assert all(answer["ok"] for answer in answers.values())
            assert {wish: await done(wish, act, **more) for wish, act, more in asked} == answers
            assert (await hall.ask("n", "open"))["refused"]["reason"] == "id-used"
            assert (await hall.ask("s", "next-night"))["refused"]["reason"] == "id-used"
            refused = await hall.ask("again", "next-night")
            assert refused["refused"] == {
                "reason": "night-open",
                "say": "night 2 is open: close it, then the next one can begin",
            }
            assert await hall.ask("again", "next-night") == refused
        async with hall.runs():
            assert {wish: await done(wish, act, **more) for wish, act, more in asked[1:]} == {
                wish: answers[wish] for wish in "cno"
            }

    run(work())
    assert [line["do"]["act"] for line in lines(hall.state, 2)] == [
        *("open-night", "open"),
        "renew",  # the core that began again has lost the bag's secrets
    ]


def test_two_at_once(hall: Hall) -> None:
    """Two people press in the same moment: one night begins."""

    async def work() -> None:
        async with hall.runs():
            await hall.do("close-night")
            async with contextlib.AsyncExitStack() as stack:
                # One connection's commands are done one after the other: these are five people's.
                people = [
                    await stack.enter_async_context(
                        await Client.open(hall.state / "run" / SOCKET, "admin")
                    )
                    for _ in range(5)
                ]
                answers = await asyncio.gather(*(person.do("next-night") for person in people))
            assert sorted(
                "ok" if "ok" in answer else answer["refused"]["reason"] for answer in answers
            ) == [
                *["night-open"] * 4,
                "ok",
            ]

    run(work())
    assert [night.night for night in audit.verify(hall.state)] == ["0001", "0002"]


@pytest.mark.parametrize(
    "role", [role for role in Role if role not in (Role.ADMIN, Role.CALLER, Role.STATION)]
)
def test_who_may_not(hall: Hall, role: Role) -> None:
    """Whoever may not close a night may not begin one."""

    async def work() -> None:
        async with hall.runs():
            await hall.do("close-night")
            async with await Client.open(hall.state / "run" / SOCKET, role) as client:
                assert (await client.do("next-night"))["refused"]["reason"] == "not-your-role"

    run(work())
    assert [night.night for night in audit.verify(hall.state)] == ["0001"]


@pytest.mark.parametrize("broken", ["packs/pack.csv", "programme.toml"])
def test_what_hinders_it_is_a_sentence_and_it_may_be_tried_again(hall: Hall, broken: str) -> None:
    """A damaged pack or programme: named; the closed night stays, the station goes on; mended, the
    next one begins."""

    async def work() -> None:
        async with hall.runs():
            await hall.do("close-night")
            whole = (hall.state / broken).read_bytes()
            (hall.state / broken).write_bytes(whole[: len(whole) // 2] + b"\xff")
            refused = (await hall.ask("first", "next-night"))["refused"]
            assert (
                refused["reason"],
                Path(broken).name in refused["say"],
                "\n" in refused["say"],
            ) == (
                "no-next-night",
                True,
                False,
            )
            assert (await hall.ask("x", "open"))["refused"]["reason"] == "night-closed"
            (hall.state / broken).write_bytes(whole)
            await hall.do("next-night")
            await hall.do("open")

    run(work())
    assert [night.night for night in audit.verify(hall.state)] == ["0001", "0002"]


# -- the power goes anywhere in between ------------------------------------------------------------

ENDING = [
    {"act": "sell", "serials": ["0001", "0002"], "to": "Anna"},
    {"act": "open"},
    {"act": "draw"},
    {"act": "close"},
]
BY = {"by": HOST.name, "via": "wire"}


def shelf_on(disk: MemoryDisk) -> Shelf:
    """The nights of a station on this disk, as a start finds them."""
    ids = iter(range(1000))
    machine = Machine(
        clock=Clock(wall=lambda: 1_700_000_000.0, mono=lambda: 5.0, trusted=lambda: False),
        disk=disk,
        writer=AT_ONCE,
        new_id=lambda: f"start-{len(disk.calls)}-{next(ids)}",
        check_room=lambda folder: None,
        make_key=lambda state: KEY,
    )
    return Shelf(Settings(), STATE, machine, lambda: PACK, PROGRAMME)


def told(_: object) -> None:
    """Nobody listens."""


async def end_and_begin(disk: MemoryDisk, cut: int | None) -> list[str]:
    """Plays a night, then closes it and begins the next, with the power cut after so many disk
    calls; gives what was done."""
    shelf = shelf_on(disk)
    night = shelf.open(disk)
    session = Session(night, told, chance=Random(1))
    for place, act in enumerate(ENDING):
        assert isinstance(
            await session.submit(certain(session, Command.read(f"a{place}", act, HOST, "wire"))),
            Done,
        )
    disk.cut_at = len(disk.calls) + cut if cut is not None else None
    done: list[str] = []
    with contextlib.suppress(PowerCut):
        assert isinstance(
            await session.submit(
                certain(session, Command.read("close", {"act": "close-night"}, HOST, "wire"))
            ),
            Done,
        )
        done.append("close-night")
        following = shelf.next({"id": "next", **BY})
        done.append("next-night")
        night.journal.close()
        following.journal.close()
    return done


def calls_between() -> int:
    disk = empty_disk()
    before = empty_disk()
    assert asyncio.run(end_and_begin(disk, None)) == ["close-night", "next-night"]
    assert asyncio.run(end_and_begin(before, 0)) == []
    return len(disk.calls) - len(before.calls)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_the_power_cut_at_every_write(seed: int) -> None:
    """Whatever was answered stands; one night is the last, the one before it is closed; the start
    goes on with it."""
    most = calls_between()
    assert most > 20
    ends = set()
    for cut in range(most + 1):
        disk = empty_disk()
        done = asyncio.run(end_and_begin(disk, cut))
        found = disk.crash(Random(1000 * seed + cut))
        shelf = shelf_on(found)
        night = shelf.open(found)
        folders = [folder.name for folder in night_folders(STATE, found)]
        assert folders in (["0001"], ["0001", "0002"])
        assert night.folder.name == folders[-1]
        assert [is_open(folder, found) for folder in night_folders(STATE, found)] == [
            *[False] * (len(folders) - 1),
            True,
        ]
        assert "close-night" not in done or folders == ["0001", "0002"]
        if "next-night" in done:
            assert night.answers["next"].seq == 1
        elif "close-night" in done:
            assert night.answers["close"].do == {"act": "close-night"}
        assert sum(night.hall.ledger.balances.values()) == 0
        audit.verify(STATE, found)
        shelf.close()
        ends.add((len(folders), tuple(done), night.resumed))
    assert len(ends) >= 4, ends


def test_an_unfinished_beginning_is_taken_up(tmp_path: Path) -> None:
    """The opening line was written and its sync failed: the second try goes on with that night, and
    begins no third one."""
    disk = empty_disk()
    shelf = shelf_on(disk)
    night = shelf.open(disk)
    session = Session(night, told)
    by = Person("host", Role.ADMIN)
    assert isinstance(
        asyncio.run(
            session.submit(
                certain(session, Command.read("close", {"act": "close-night"}, by, "wire"))
            )
        ),
        Done,
    )
    again = shelf.next({"id": "n1", **BY})
    again.journal.close()
    once_more = shelf.next({"id": "n2", **BY})
    assert (once_more.folder.name, once_more.resumed) == ("0002", True)
    assert [line["id"] for line in read(once_more.folder / FILE, disk_prev(disk), disk).lines] == [
        "n1"
    ]


def disk_prev(disk: MemoryDisk) -> str:
    return str(
        json.loads(disk.read(STATE / "nights" / "0001" / FILE).splitlines()[-1])["signature"]
    )
