"""An evening of the games of cards with real ones, under one core: tags on the simulated reader
come as frames over its serial line, and every card laid there is a move."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from station.core.daemon import Core
from station.core.simulation.server import Simulation, simulated_card
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.record.audit import verify
from station.settings.config import Settings
from station.wire.wire import HANDS_SOCKET, SOCKET, Client
from tests.calling.test_desk_cards import ANNA_BRUNO, TWO
from tests.support import LIMIT_S, run

READER = {"reader": {"driver": "rfid", "port": "simulated"}}
GONE_S = 1.0  # of that reader: after so long a card that comes back counts as a new reading


def programme(*methods: str) -> Programme:
    """One game after the other, each with real cards."""
    stakes = {"spoil-five": 20, "my-bird-sings": 1}
    more: dict[str, dict[str, Any]] = {"spoil-five": {"pools": 1}}
    games = tuple(
        GamePlan(
            name=method,
            method=method,
            table=TablePlan(
                stake=stakes[method], purse=200, playing_cards="real", **more.get(method, {})
            ),
        )
        for method in methods
    )
    return Programme(name="Cards", games=games)


class Evening:
    """A station with hands on its reader."""

    def __init__(self, client: Client, hands: Client, simulation: Simulation) -> None:
        self.client = client
        self.hands = hands
        self.simulation = simulation

    async def does(self, act: str, **said: Any) -> None:
        answer = await self.client.do(act, **said)
        assert answer.get("ok"), answer

    async def table(self) -> dict[str, Any]:
        return (await self.client.request({"ask": {"about": "table"}}))["answer"]

    async def notice(self, begins: str) -> None:
        """Until the hall reads this."""
        async with asyncio.timeout(LIMIT_S):
            async for message in self.client:
                if message.get("view", {}).get("notice", "").startswith(begins):
                    return

    async def takes_up_hands(self) -> None:
        """Until the cards that were dealt have been away from the reader for long enough."""
        until = time.monotonic() + 2 * GONE_S
        while time.monotonic() < until:
            await self.table()

    async def lay(self, *faces: str) -> None:
        """Cards on the reader, one after the other, each until the table is another."""
        for face in faces:
            before = (await self.table())["seen"]
            await self.hands.request({"hand": "drop", "card": face})
            async with asyncio.timeout(LIMIT_S):
                while (await self.table())["seen"] == before:
                    pass
            await self.hands.request({"hand": "lift"})


@contextlib.asynccontextmanager
async def evening(state: Path, plan: Programme) -> AsyncIterator[Evening]:
    made: list[Simulation] = []

    def simulate(folder: Path, devices: Any) -> Simulation:
        made.append(Simulation(folder, devices))
        return made[0]

    settings = Settings(simulated=True, devices=READER)
    core = Core(settings, state, state / "run", programme=plan, simulate=simulate)
    await core.open()
    try:
        async with (
            await Client.open(core.run / SOCKET, "admin") as client,
            await Client.open(core.run / HANDS_SOCKET, "admin") as hands,
        ):
            yield Evening(client, hands, made[0])
    finally:
        await core.close()


@pytest.mark.long
def test_an_evening_with_real_cards(tmp_path: Path) -> None:
    """My Bird Sings, then Spoil-Five: two cards at once and one of another pack are told, a station
    that ends in the middle of a deal goes on with it, a renege is declared, and the record of the
    night can be replayed."""
    plan = programme("my-bird-sings", "spoil-five")

    async def birds() -> None:
        async with evening(tmp_path, plan) as hall:
            await hall.does("sit", players=ANNA_BRUNO)
            await hall.does("open")
            await hall.lay("AS", "2H", "5S")
            await hall.hands.request({"hand": "two", "cards": ["KS", "KH"]})
            await hall.notice("Two cards on the reader.")
            await hall.hands.request({"hand": "drop", "card": "AS", "pack": "red"})
            await hall.notice("That card is of the pack red")
            assert (await hall.table())["text"] == "A card for Bruno: lay it on the reader"

    async def song() -> None:
        async with evening(tmp_path, plan) as hall:
            told = await hall.table()
            assert told["text"] == "A card for Bruno: lay it on the reader"
            await hall.lay("3H", "4S", "4H", "6S", "5C")
            await hall.does("move", move={"do": "sing", "seat": 1})
            for count, face in enumerate(("AS", "5S", "4S"), 1):
                await hall.hands.request({"hand": "drop", "card": face})
                await hall.notice(f"My bird sings! {count} / 4")
            await hall.lay("6S")
            assert (await hall.table())["over"]

    async def spoil() -> None:
        async with evening(tmp_path, plan) as hall:
            await hall.does("open")
            await hall.lay(*TWO)
            await hall.takes_up_hands()
            await hall.lay("2H", "KD")
            await hall.does("move", move={"do": "declare-fault", "seat": 2, "kind": "reneged"})
            await hall.lay("3H", "KH", "5H", "4H", "AC", "KS", "QS", "QD")
            assert (await hall.table())["over"]
            await hall.does("close-night", sure=True)

    for part in (birds, song, spoil):
        run(part())
    verify(tmp_path / "test")
    journal = next((tmp_path / "test").rglob("journal.jsonl")).read_text(encoding="utf-8")
    assert journal.count('"deal-card"') == 8 + 11
    assert '"kind":"reneged"' in journal


def test_hands_lay_no_card_there_is_none(tmp_path: Path) -> None:
    """A face, or a pack, that is none is refused; a card's tag is no knob's."""

    async def work() -> None:
        async with evening(tmp_path, programme("spoil-five")) as hall:
            for wrong in ({"card": "1S"}, {"card": "AS", "pack": "green"}, {"card": 5}):
                answer = await hall.hands.request({"hand": "drop", **wrong})
                assert answer["refused"]["reason"] == "unreadable", answer
            await hall.hands.request({"hand": "drop", "card": "AS"})
            assert hall.simulation.reader.resting == (simulated_card("AS"),)

    run(work())
