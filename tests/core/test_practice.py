"""Somebody plays alone at the bench, under one core: a night of practice is begun and led for him,
his telephone is one of the hands, and the nights after it are as they were to be."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from station.base.errors import SURE_FIRST
from station.core.daemon import Core
from station.programme.practice import is_practice, practice, practised
from station.programme.programme import GamePlan, Programme
from station.record.audit import verify
from station.settings.config import Settings
from station.wire.wire import HANDS_SOCKET, SOCKET, Client, Message
from tests.support import LIMIT_S, run

EVENING = Programme(name="Our evening", games=(GamePlan(name="Quarters", price=100),))
NAMES = ["Zoë", "Bruno", "Carla"]
CARDS: Message = {"game": "spoil-five", "names": NAMES}


class Bench:
    """Hands before a simulated station."""

    def __init__(self, hands: Client, client: Client) -> None:
        self.hands = hands
        self.client = client

    async def move(self, hand: str, **said: Any) -> Message:
        return await self.hands.request({"hand": hand, **said})

    async def alone(self, wanted: Message | None = None) -> list[str]:
        """Somebody plays alone, and is sure of it; what he was asked."""
        order = {} if wanted is None else {"do": wanted}
        answer, asked = await self.move("alone", **order), []
        while answer.get("refused", {}).get("reason") == SURE_FIRST:
            asked.append(str(answer["refused"]["say"]))
            sure = {"seen": answer["refused"]["seen"], "sure": True}
            answer = await self.move("alone", **order, **sure)
        assert answer["ok"], answer
        return asked

    async def awaited(self) -> Message:
        """What the telephone shows once its player has to decide."""
        async with asyncio.timeout(LIMIT_S):
            while True:
                told = dict((await self.move("seat"))["answer"])
                if told["seat"] in told["turn"] and told["moves"]:
                    return told

    async def night(self) -> int:
        return int((await self.client.request({"ask": {"about": "night"}}))["answer"]["night"])


@contextlib.asynccontextmanager
async def bench(state: Path) -> AsyncIterator[Bench]:
    core = Core(Settings(simulated=True), state, state / "run", programme=EVENING)
    await core.open()
    try:
        async with (
            await Client.open(core.run / HANDS_SOCKET) as hands,
            await Client.open(core.run / SOCKET, "admin") as client,
        ):
            yield Bench(hands, client)
    finally:
        await core.close()


def test_every_game_of_a_company_may_be_played_alone() -> None:
    """Each has a programme that its rules accept, and it is known again; another is none."""
    for game in practised():
        for pack in (6, 15, 240):
            programme = practice(game, "A title", pack)
            [plan] = programme.games
            assert plan.table is not None
            assert plan.table.cards in (24, min(24, pack - pack % 6))
            assert not plan.table.fault(game)
            assert is_practice(programme)
            assert not is_practice(programme.repeated(2))
    assert not is_practice(EVENING)


def test_who_plays_alone_is_dealt_for_and_plays_from_his_telephone(tmp_path: Path) -> None:
    """What would be lost is asked first; then the cards come by themselves, the telephone shows the
    own hand alone, and its moves are in the record of a TEST night."""

    async def work() -> None:
        async with bench(tmp_path) as at:
            nobody = await at.move("seat")
            assert nobody["refused"]["say"] == (
                "nobody plays alone here: choose a game, and play it alone"
            )
            [asked] = await at.alone(CARDS)
            assert "1 game that was sold is not played" in asked
            told = await at.awaited()
            assert [seat["name"] for seat in told["seats"]] == NAMES
            assert [seat["simulated"] for seat in told["seats"]] == [False, True, True]
            assert told["held"]
            [play] = [move for move in told["moves"] if move["do"] == "play-card"]
            card = play["slots"][0]["values"][:1]
            done = await at.move(
                "seat", do={"act": "move", "move": {**play_of(play), "card": card}}
            )
            assert done["ok"], done
            refused = await at.move("seat", do={"act": "close-night"})
            assert refused["refused"]["reason"] == "not-your-role"

    run(work())
    verify(tmp_path / "test")


def play_of(move: Message) -> Message:
    return {"do": move["do"], "seat": move["seat"]}


@pytest.mark.long
def test_the_evening_goes_on_as_it_was_to_be(tmp_path: Path) -> None:
    """A station that starts again in the middle goes on with the game, though its programme is
    another; the same may be played again, once more is asked; the next night has the programme."""

    async def before() -> None:
        async with bench(tmp_path) as at:
            await at.alone(CARDS)

    async def after() -> None:
        async with bench(tmp_path) as at:
            await at.awaited()
            [asked] = await at.alone()
            assert "is not played to its end" in asked
            assert await at.night() == 3
            await at.awaited()
            await at.client.do("break", why="enough", sure=True)
            await at.client.do("close-night", sure=True)
            assert (await at.client.do("next-night"))["ok"]
            told = (await at.client.request({"ask": {"about": "table"}}))["answer"]
            assert told["step"] == "hall"
            assert (await at.move("seat"))["refused"]["reason"] == "not-at-table"

    run(before())
    run(after())
    verify(tmp_path / "test")


@pytest.mark.parametrize(
    ("wanted", "say"),
    [
        ({"game": "loto-first", "names": NAMES}, "not played at a table"),
        ({"game": ["spoil-five"], "names": NAMES}, "not played at a table"),
        ({"game": "spoil-five"}, "a list of names"),
        ({"game": "spoil-five", "names": ["Zoë"]}, "for 2 to 10 players, not for 1"),
        ({"game": "spoil-five", "names": ["Zoë", ""]}, "a name of his own"),
        ({"game": "spoil-five", "names": ["Zoë", 7]}, "a name of his own"),
        ({"game": "spoil-five", "names": ["Zoë", "ZOË"]}, "a name of his own"),
        (None, "not played at a table"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_ends(
    tmp_path: Path, wanted: Message | None, say: str
) -> None:
    """The night that is on stays as it is."""

    async def work() -> None:
        async with bench(tmp_path) as at:
            answer = await at.move("alone", **({} if wanted is None else {"do": wanted}))
            assert say in answer["refused"]["say"]
            assert await at.night() == 1

    run(work())
