"""One line to the station, copied to many: what an outbox keeps, and what happens when the station
goes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import WireError
from station.screens.web.feed import PULSE, WOKEN_AT_ONCE, Outbox, WebFeed
from station.wire.wire import encode
from tests.screens.web import canned
from tests.screens.web.fakes import LIMIT_S, FakeCore, FakeHands, Loop


@contextlib.asynccontextmanager
async def followed(path: Path, kind: str = "view", **options: Any) -> AsyncIterator[WebFeed]:
    feed = WebFeed(path, kind, **options)
    line = asyncio.create_task(feed.run())
    try:
        async with asyncio.timeout(LIMIT_S):
            yield feed
    finally:
        line.cancel()
        await asyncio.gather(line, return_exceptions=True)


async def heard(outbox: Outbox, key: str) -> Any:
    """Reads lines until one has this key; gives its value."""
    while True:
        for line in await outbox.take():
            message = json.loads(line)
            if key in message:
                return message[key]


async def heard_view(outbox: Outbox, calls: int) -> dict[str, Any]:
    """Reads views until one with so many calls comes."""
    while True:
        view = await heard(outbox, "view")
        if len(view["called"]) == calls:
            return view


@given(st.lists(st.tuples(st.sampled_from(["view", PULSE]), st.integers()), min_size=1))
def test_an_outbox_keeps_the_newest_of_each_kind(puts: list[tuple[str, int]]) -> None:
    """However much is put before it is taken, one line of each kind is left, the last one."""

    async def scene() -> None:
        outbox = Outbox()
        for kind, value in puts:
            outbox.put(kind, f"{kind} {value}")
        outbox.wake()
        assert sorted(await outbox.take()) == sorted(
            f"{kind} {value}" for kind, value in dict(puts).items()
        )

    asyncio.run(scene())


def test_every_browser_gets_the_present_view_and_every_later_one(tmp_path: Path) -> None:
    """Two outboxes, one of them late, end with the same view; the core has one watcher only."""

    async def scene() -> None:
        core = FakeCore(tmp_path / "s", canned.playing((1,)))
        await core.open()
        async with followed(core.path) as feed:
            with feed.joined() as early:
                await heard_view(early, 1)
                core.show(canned.playing((1, 2)))
                await heard_view(early, 2)
                with feed.joined() as late:
                    assert (await heard_view(late, 2))["called"] == [1, 2]
                    core.show(canned.playing((1, 2, 3)))
                    assert await heard_view(early, 3) == await heard_view(late, 3)
                    assert (feed.browsers, core.watchers) == (2, 1)
            assert feed.browsers == 0
        await core.close()

    asyncio.run(scene())


def test_a_station_that_goes_is_stale_and_one_that_comes_back_is_not(tmp_path: Path) -> None:
    """The core ends: stale. Another one starts on the same socket: its view comes, and a pulse that
    says alive."""

    async def scene() -> None:
        first = FakeCore(tmp_path / "s", canned.playing((1,)))
        await first.open()
        async with followed(first.path) as feed:
            with feed.joined() as outbox:
                await heard_view(outbox, 1)
                await first.close()
                while not await heard(outbox, "stale"):
                    pass
                assert feed.stale
                second = FakeCore(tmp_path / "s", canned.playing((1, 2)))
                await second.open()
                assert (await heard_view(outbox, 2))["called"] == [1, 2]
                await heard(outbox, "alive")
                assert not feed.stale
        await second.close()

    asyncio.run(scene())


def test_a_station_that_hangs_is_stale(tmp_path: Path) -> None:
    """A core that holds the line and says nothing more, or nothing at all, is stale after the
    limit, and is dialled again."""

    async def scene() -> None:
        dialled = 0

        async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal dialled
            dialled += 1
            if dialled == 1:
                writer.write(encode({"view": canned.playing((1,)).model_dump(mode="json")}))
            await reader.read()
            writer.close()

        server = await asyncio.start_unix_server(hang, tmp_path / "s")
        async with followed(tmp_path / "s", silence_s=0.05) as feed:
            with feed.joined() as outbox:
                await heard_view(outbox, 1)
                for _ in range(2):
                    while not await heard(outbox, "stale"):
                        pass
        assert dialled >= 2
        server.close()

    asyncio.run(scene())


def test_a_request_is_answered_by_the_other_end(tmp_path: Path) -> None:
    """What is asked reaches the hands, and their answer comes back."""

    async def scene() -> None:
        hands = FakeHands(tmp_path / "h", canned.bench())
        await hands.open()
        async with followed(hands.path, "bench") as feed:
            with feed.joined() as outbox:
                await heard(outbox, "bench")
                answer = await feed.request({"hand": "lift"})
        assert answer["ok"] is True
        assert hands.asked.get_nowait() == {"hand": "lift"}
        await hands.close()

    asyncio.run(scene())


def test_a_request_without_a_station_fails_at_once(tmp_path: Path) -> None:
    """With nobody there the answer is an error that says what to do, not a wait."""
    with pytest.raises(WireError, match="start it"):
        asyncio.run(WebFeed(tmp_path / "nobody", "bench").request({"hand": "lift"}))


def test_a_web_that_was_busy_itself_does_not_take_the_core_for_silent(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The core speaks every second; whoever did not listen for longer than a silence may last,
    hears that first."""
    elsewhere = Loop()
    core = FakeCore(tmp_path / "s", canned.playing((1,)))
    elsewhere.run(core.open())

    async def scene() -> None:
        async with followed(core.path, silence_s=1.5) as feed:
            with feed.joined() as outbox:
                await heard_view(outbox, 1)
                busy = time.monotonic() + 2.0
                while time.monotonic() < busy:
                    pass
                await heard(outbox, "alive")
                assert not feed.stale

    asyncio.run(scene())
    elsewhere.run(core.close())
    elsewhere.close()
    assert "silent" not in caplog.text


def test_a_crowd_of_browsers_is_told_by_and_by(tmp_path: Path) -> None:
    """All get the newest view, and other work of the loop is done between them."""

    async def scene() -> None:
        feed = WebFeed(tmp_path / "s", "view")
        core = FakeCore(feed.path, canned.playing((1,)))
        with contextlib.ExitStack() as stack:
            outboxes = [stack.enter_context(feed.joined()) for _ in range(10 * WOKEN_AT_ONCE)]
            await core.open()
            line = asyncio.create_task(feed.run())
            told: list[int] = []

            async def browse(outbox: Outbox) -> None:
                await heard_view(outbox, 1)
                told.append(turns)

            turns = 0
            browsing = [asyncio.create_task(browse(outbox)) for outbox in outboxes]
            async with asyncio.timeout(LIMIT_S):
                while not all(task.done() for task in browsing):
                    turns += 1
                    await asyncio.sleep(0)
            assert len(set(told)) >= 10
            line.cancel()
            await asyncio.gather(line, return_exceptions=True)
            await core.close()

    asyncio.run(scene())
