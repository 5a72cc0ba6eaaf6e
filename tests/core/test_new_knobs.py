"""Knobs that are taught after a night began: an untouched night gives way to one that has them, at
a start and while the station runs; one in which something happened keeps its own, and says so."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from drivers import Driver, TagRead
from station.cards import PACK_FILE
from station.core.daemon import Core
from station.core.environment import Machine
from station.record import audit
from station.record.folders import night_folders
from station.record.journal import FILE
from station.settings.config import GameSettings, Settings
from station.settings.tags import save_tags
from station.wire.wire import SOCKET, Client, Message
from tests.support import CLOCK, LIMIT_S, run, small_pack

TAUGHT = {1000 + knob: knob for knob in range(1, 91)}
OTHERS = {2000 + knob: knob for knob in range(1, 91)}
PROGRAMME = "name = 'Monday'\n[[games]]\nname = 'One'\nprice = 100\n"


class Quiet:
    """A reader that lies still: the hall's hand lays knobs on it."""

    running = True

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def open(self, deliver: Callable[[Any], None]) -> None:
        self._hall.deliver = deliver

    def close(self) -> None:
        pass


@dataclass
class Hall:
    """A station with a reader, and a connection to it while it runs."""

    state: Path
    deliver: Callable[[Any], None] = lambda _: None
    client: Client | None = None
    views: list[dict[str, Any]] = field(default_factory=list)

    @contextlib.asynccontextmanager
    async def runs(self) -> AsyncIterator[Hall]:
        def driver(name: str, /, **options: Any) -> Driver:
            made: Any = Quiet(self)
            return made

        core = Core(
            Settings(
                devices={"reader": {"driver": "rfid", "family": "rdm6300", "port": "/dev/x"}},
                game=GameSettings(programme=self.state / "programme.toml"),
            ),
            self.state,
            self.state / "run",
            machine=Machine(
                clock=CLOCK, check_ground=lambda folder, *, test: None, make_driver=driver
            ),
        )
        await core.open()
        try:
            async with await Client.open(self.state / "run" / SOCKET, "admin") as self.client:
                yield self
        finally:
            await core.close()

    async def do(self, act: str, **arguments: Any) -> Message:
        assert self.client is not None
        return await self.client.do(act, sure=True, **arguments)

    async def census(self, tags: dict[int, int]) -> Message:
        """Count all knobs over the reader; the answer to its beginning."""
        async with asyncio.timeout(LIMIT_S):
            # one that was ended just now is still being recorded
            while (begun := await self.do("census-begin")).get("refused", {}).get(
                "reason"
            ) == "preparing":
                pass
        if begun.get("ok"):
            for number, tag in enumerate(tags):
                self.deliver(TagRead("reader", tag, float(number)))
        return begun

    @property
    def nights(self) -> list[int]:
        return [int(folder.name) for folder in night_folders(self.state)]

    def acts(self, night: int) -> list[str]:
        text = (self.state / "nights" / f"{night:04d}" / FILE).read_text()
        return [json.loads(line)["do"]["act"] for line in text.splitlines()]

    async def counted(self, night: int) -> dict[str, Any]:
        """The census that this night's journal comes to have."""
        async with asyncio.timeout(LIMIT_S):
            while "census" not in self.acts(night):
                assert self.client is not None
                await self.client.request({"ask": {"about": "money"}})
        text = (self.state / "nights" / f"{night:04d}" / FILE).read_text()
        acts = [json.loads(line)["do"] for line in text.splitlines()]
        return next(act for act in acts if act["act"] == "census")


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """A state folder with a pack, a programme, and no knob."""
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / PACK_FILE).write_text(small_pack().to_csv())
    (tmp_path / "programme.toml").write_text(PROGRAMME)
    return Hall(tmp_path)


# What an evening had when it was taught: knobs before, and acts that leave it untouched.
BEFORE: dict[str, tuple[dict[int, int], tuple[tuple[str, dict[str, Any]], ...]]] = {
    "nothing": ({}, ()),
    "a refused census": ({}, (("census-begin", {}),)),
    "other knobs": (OTHERS, ()),
    "one knob less": ({tag: knob for tag, knob in TAUGHT.items() if knob != 37}, ()),
    "an aborted census": (OTHERS, (("census-begin", {}), ("census-end", {}))),
    "a refused opening": ({}, (("open", {}),)),
}
TOUCHED: dict[str, tuple[str, dict[str, Any]]] = {
    "a card sold": ("sell", {"serials": ["0001"], "to": "Anna"}),
    "the way waived": ("waive", {"why": "we count by hand", "who": "Anna"}),
}


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("restarted", [True, False], ids=["restarted", "running"])
def test_an_untouched_night_takes_the_knobs(hall: Hall, before: str, restarted: bool) -> None:
    """They are taught after it began, and the next census finds ninety of ninety, without anybody
    closing a night; the record is whole."""
    knobs, acts = BEFORE[before]
    if knobs:
        save_tags(hall.state, knobs)

    async def early() -> None:
        for act, arguments in acts:
            await hall.do(act, **arguments)
        assert hall.nights == [1]
        save_tags(hall.state, TAUGHT)

    async def late() -> None:
        begun = await hall.census(TAUGHT)
        assert begun.get("ok"), begun
        found = await hall.counted(hall.nights[-1])
        assert len(found["found"]) == 90

    async def running() -> None:
        async with hall.runs():
            await early()
            await late()

    async def twice() -> None:
        async with hall.runs():
            await early()
        async with hall.runs():
            await late()

    run(twice() if restarted else running())
    assert hall.nights == [1, 2]
    assert hall.acts(1)[-2:] == ["note", "close-night"]
    assert [night.night for night in audit.verify(hall.state)] == ["0001", "0002"]
    assert [differs for _, _, differs in audit.replay_all(hall.state)] == ["", ""]


@pytest.mark.parametrize("what", TOUCHED)
@pytest.mark.parametrize("restarted", [True, False], ids=["restarted", "running"])
def test_a_night_in_which_something_happened_keeps_its_table(
    hall: Hall, what: str, restarted: bool
) -> None:
    """A card that was sold stays sold: the census says what to do, and after it the next night has
    the knobs."""
    act, arguments = TOUCHED[what]

    async def early() -> None:
        answer = await hall.do(act, **arguments)
        assert answer.get("ok"), answer
        save_tags(hall.state, TAUGHT)

    async def late() -> None:
        refused = (await hall.do("census-begin"))["refused"]
        assert refused["reason"] == "no-knobs"
        assert "close-night" in refused["say"]
        assert hall.nights == [1]
        assert (await hall.do("close-night")).get("ok")
        assert (await hall.do("next-night")).get("ok")
        assert (await hall.census(TAUGHT)).get("ok")

    async def work() -> None:
        async with hall.runs():
            await early()
            if not restarted:
                await late()
        if restarted:
            async with hall.runs():
                await late()

    run(work())


def test_knobs_that_were_taught_before_change_no_night(hall: Hall) -> None:
    """A start, and another one, go on with the same night."""
    save_tags(hall.state, TAUGHT)

    async def work() -> None:
        async with hall.runs():
            assert (await hall.do("census-begin")).get("ok")
        async with hall.runs():
            assert (await hall.census(TAUGHT)).get("ok")
            await hall.counted(1)

    run(work())
    assert hall.nights == [1]


def test_a_table_that_cannot_be_read_keeps_the_night(hall: Hall) -> None:
    """A damaged file is no new table, and no reason not to start."""
    save_tags(hall.state, TAUGHT)

    async def work() -> None:
        async with hall.runs():
            (hall.state / "tags.toml").write_text("[tags")
            assert (await hall.do("census-begin")).get("ok")
        async with hall.runs():
            assert hall.nights == [1]

    run(work())


def test_without_knobs_the_census_asks_for_them(hall: Hall) -> None:
    """Nothing was taught at all: the sentence names the command that teaches."""

    async def work() -> None:
        async with hall.runs():
            refused = (await hall.do("census-begin"))["refused"]
            assert "enrol" in refused["say"]

    run(work())
    assert hall.nights == [1]
