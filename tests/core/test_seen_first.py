"""A number that is held over the wire (H8): who is told of it, and that nobody else is, on the
socket of a running core."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

from station.base.disk import keep_file
from station.cards import PACK_FILE
from station.core.daemon import Core
from station.core.environment import Machine
from station.people.pairings import key_of
from station.record.station_key import KEY_FILE
from station.settings.config import CallingSettings, Settings
from station.wire.wire import SOCKET, Client, Message, decode, encode
from tests.support import CLOCK, LIMIT_S, PROGRAMME, run, small_pack

SEE_FIRST = Settings(calling=CallingSettings(see_first=True))
ROLES = {"Anna": "caller", "Ben": "host", "Carla": "cashier", "Dora": "auditor"}
ASKED = ("night", "claims", "sales", "money", "press", "nearest", "refused", "currency")


class Watcher:
    """All that is sent to whoever watches."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.views: list[Message] = []
        writer.write(encode({"hello": {"as": "watcher"}}))

    async def looks(self) -> None:
        """Read what was sent so far: what was pushed before a first question comes before the
        answer to a second one."""
        for wish_id in ("one", "two"):
            self._writer.write(encode({"id": wish_id, "do": {"act": "hold"}}))
            message: Message = {}
            while message.get("id") != wish_id:
                async with asyncio.timeout(LIMIT_S):
                    message = decode(await self._reader.readline())
                if "view" in message and message["view"] != (self.views or [None])[-1]:
                    self.views.append(message["view"])
            assert message["refused"]["reason"] == "not-your-role"

    def close(self) -> None:
        self._writer.close()


class House:
    """A core that runs, and people whose devices are paired."""

    def __init__(self, client: Client, watcher: Watcher) -> None:
        self.client, self.watcher = client, watcher

    async def begin(self) -> None:
        """Sell a card, and let everybody's device in."""
        assert (await self.client.do("sell", serials=["0001"]))["ok"]
        for name, role in ROLES.items():
            ask = {"do": "ask", "name": name, "key": key_of(name)}
            digits = (await self.client.request({"pair": ask}))["answer"]["digits"]
            confirm = {"do": "confirm", "digits": digits, "role": role}
            assert (await self.client.request({"pair": confirm}))["ok"]

    async def do(self, who: str, act: str, **arguments: Any) -> Message:
        """What somebody does, and is answered; without the ids."""
        answer = await self.client.request({"secret": who, "do": {"act": act, **arguments}})
        await self.watcher.looks()
        return {key: value for key, value in answer.items() if key != "id"}

    async def asks(self, who: str) -> list[Message]:
        """All that somebody can ask about."""
        asked = [
            await self.client.request({"secret": who, "id": about, "ask": {"about": about}})
            for about in ASKED
        ]
        assert all("answer" in answer for answer in asked)
        return asked


OF_THE_RECORD = ("seq", "head", "code", "key")


def without_seq(told: Any) -> Any:
    """What somebody was told, without the numbers of lines, the heads over them with their codes,
    and the key: a number that is seen has a line of its own, which does not say to anybody which it
    was. Nor does its hash: the leaf in it has 256 bits that nobody can guess."""
    if isinstance(told, dict):
        return {key: without_seq(one) for key, one in told.items() if key not in OF_THE_RECORD}
    return [without_seq(one) for one in told] if isinstance(told, list | tuple) else told


def once_each(told: list[Any]) -> list[Any]:
    """The same without what was the same as before it."""
    return [one for one, before in zip(told, [None, *told[:-1]], strict=True) if one != before]


@asynccontextmanager
async def house(state: Path) -> AsyncIterator[House]:
    """A station on which the next number may be seen first."""
    if not (state / "packs").exists():
        (state / "packs").mkdir(parents=True)
        (state / "packs" / PACK_FILE).write_text(small_pack().to_csv())
        keep_file(
            state / KEY_FILE, f"{'17' * 32}\n".encode(), private=True
        )  # leaves are bound to it
    machine = Machine(clock=CLOCK, chance=Random(3), check_ground=lambda folder, *, test: None)
    core = Core(SEE_FIRST, state, state / "run", programme=PROGRAMME, machine=machine)
    await core.open()
    path = state / "run" / SOCKET
    try:
        watcher = Watcher(*await asyncio.open_unix_connection(path))
        async with await Client.open(path, "admin") as client:
            yield House(client, watcher)
        watcher.close()
    finally:
        await core.close()


# What is done while somebody holds a number; and what a twin, in which nobody does, is without.
ONLY_HELD = ("hold", "wait", "refused")
EVENING = (
    *("Anna open", "Anna hold", "Ben refused", "Anna release", "Ben hold", "Anna stop"),
    *("Anna claim", "Anna play-on", "Ben wait", "Anna hold", "Anna auto", "Ben refused"),
    *("Anna undo", "Ben hold", "Ben wait", "Anna hold", "Anna release", "Ben hold", "Ben release"),
)
MORE: dict[str, dict[str, Any]] = {
    "claim": {"serial": "0001"},
    "auto": {"on": False, "pace": 9},
    "undo": {"why": "misread"},
    "wait": {"on": False},
}


def test_nobody_but_the_holder_learns_the_number(tmp_path: Path) -> None:
    """Of two evenings that differ in nothing but that numbers are held, watchers are sent the same
    views, and who may ask is answered the same; who holds one is told which is called then."""

    async def evening(folder: Path, *, held: bool) -> tuple[list[Message], list[object]]:
        told: list[object] = []
        async with house(folder) as station:
            await station.begin()
            await station.watcher.looks()
            seen = 0
            for word in EVENING:
                who, act = word.split()
                if act in ONLY_HELD and not held:
                    continue
                name = {"wait": "hold", "refused": "hold"}.get(act, act)
                name = "draw" if act == "release" and not held else name
                answer = await station.do(who, name, **MORE.get(act, {}))
                if act == "refused":
                    assert answer["refused"]["reason"] == "held"
                elif act == "hold":
                    seen = answer["number"]
                    assert station.watcher.views[-1]["called"].count(seen) == 0
                    told.append(word)
                else:
                    assert answer["ok"], word
                    assert "number" not in answer
                if act == "release" and held:
                    assert station.watcher.views[-1]["called"][-1] == seen
                if act not in ONLY_HELD:
                    told.append((word, answer, await station.asks("Dora")))
            return station.watcher.views, told

    async def work() -> None:
        with_it, told = await evening(tmp_path / "held", held=True)
        without, other = await evening(tmp_path / "plain", held=False)
        assert once_each(without_seq(with_it)) == once_each(without_seq(without))
        assert [without_seq(one) for one in told if isinstance(one, tuple)] == without_seq(other)

    run(work())


def test_a_number_that_was_held_is_the_same_after_a_power_cut(tmp_path: Path) -> None:
    """Its leaf is recorded before it is told, nobody holds it after the start, and it is what is
    called next."""

    async def work() -> None:
        async with house(tmp_path) as station:
            await station.begin()
            await station.do("Anna", "open")
            seen = (await station.do("Anna", "hold"))["number"]
        async with house(tmp_path) as station:
            assert (await station.do("Ben", "hold"))["number"] == seen
            assert (await station.do("Ben", "release"))["ok"]
            assert station.watcher.views[-1]["called"] == [seen]

    run(work())
