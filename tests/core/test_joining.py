"""Players join the next game at the table over the wire, while its host holds it open."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from station.base.clock import Clock
from station.cards import PACK_FILE
from station.core.daemon import Core
from station.core.environment import Machine
from station.core.joining import seats_of_next
from station.night.acts import Act, Sit
from station.people.pairings import key_of
from station.people.roles import MAY, Person, Role
from station.programme.programme import GamePlan, Programme
from station.record.requests import Answer
from station.settings.config import Settings
from station.wire.wire import SOCKET, Client, Message
from tests.company import QUARTERS, hall_of
from tests.support import run, small_pack, verify

HAND = GamePlan(name="Hand", method="spoil-five")
LOTO = GamePlan(name="Loto", price=100)
SEATS = 10  # of Spoil-Five
HOST = "the host's device"


class Table:
    """A running core, and whoever sends something there."""

    def __init__(self, state: Path, *games: GamePlan) -> None:
        self.state, self.now = state, 100.0
        clock = Clock(lambda: 1_700_000_000.0, lambda: self.now, lambda: False)
        machine = Machine(clock=clock, chance=Random(5), check_ground=lambda folder, *, test: None)
        programme = Programme(name="An evening", games=games or (HAND, HAND, LOTO))
        self.core = Core(Settings(), state, state / "run", programme=programme, machine=machine)

    async def say(self, hello: str = "admin", **message: Any) -> Message:
        async with await Client.open(self.core.run / SOCKET, hello) as client:
            return await client.request(message)

    async def does(self, act: str, **more: Any) -> None:
        answer = await self.say(do={"act": act, **more})
        if refused := answer.get("refused"):
            assert refused["reason"] == "sure?", answer
            do = {"act": act, **more}
            answer = await self.say(do=do, sure=True, seen=refused["seen"])
        assert answer.get("ok"), answer

    async def hold(self, do: str = "open", **more: Any) -> Message:
        answer: Message = (await self.say(join={"do": do}, **more))["answer"]
        return answer

    async def enter(self, name: object, phone: str = "") -> Message:
        """What a phone is answered, through a web that only watches."""
        key = key_of(phone or f"{name}'s phone")
        return await self.say("watcher", join={"do": "enter", "name": name, "key": key})

    async def hand(self, phone: str) -> Message:
        return await self.say("watcher", ask={"about": "hand"}, secret=phone)

    async def me(self, phone: str) -> Message:
        return await self.say("watcher", ask={"about": "me"}, secret=phone)

    async def pair(self, role: str, secret: str, **more: Any) -> None:
        asked = await self.say(pair={"do": "ask", "name": role, "key": key_of(secret)})
        confirm = {"do": "confirm", "digits": asked["answer"]["digits"], "role": role, **more}
        assert (await self.say(pair=confirm)).get("ok")

    def board(self) -> Any:
        return self.core._desk.view().joining

    def company(self) -> list[tuple[str, int]]:
        return [(seat.name, seat.purse) for seat in self.core._session.hall.company]

    def lines(self) -> list[Any]:
        text = (self.state / "nights/0001/journal.jsonl").read_text()
        return [json.loads(line) for line in text.splitlines()]

    def acts(self) -> list[tuple[str, str]]:
        return [(line["do"]["act"], line["by"]) for line in self.lines()]


@asynccontextmanager
async def running(state: Path, *games: GamePlan) -> AsyncIterator[Table]:
    (state / "packs").mkdir(parents=True, exist_ok=True)
    (state / "packs" / PACK_FILE).write_text(small_pack().to_csv())
    table = Table(state, *games)
    await table.core.open()
    try:
        yield table
    finally:
        await table.core.close()


def reason(answer: Message) -> object:
    return answer["refused"]["reason"]


def test_three_phones_join_and_hold_their_hands(tmp_path: Path) -> None:
    """Each by one name; in the next game each phone is shown its own hand, and no other."""

    async def work() -> None:
        async with running(tmp_path) as table:
            assert table.board() is None
            assert await table.hold() == {"seconds": 60, "joined": [], "taken": 0, "seats": SEATS}
            assert table.board().seconds == 60
            for seat, name in enumerate(("Anna", "Bruno", "Carla"), 1):
                told = await table.enter(name)
                assert (told["ok"], told["answer"]) == (True, {"name": name, "seat": seat})
            table.now += 0.5
            shown = await table.hold("show")
            assert shown["joined"] == ["Anna", "Bruno", "Carla"]
            purse = HAND.agreed.stake * 10
            assert table.company() == [("Anna", purse), ("Bruno", purse), ("Carla", purse)]
            await table.does("open")
            assert table.board() is None
            chance = (await table.say(ask={"about": "table"}))["answer"]["chance"]
            await table.does("move", move={"do": chance["do"]})
            held = []
            for seat, name in enumerate(("Anna", "Bruno", "Carla"), 1):
                told = (await table.hand(f"{name}'s phone"))["answer"]
                assert told["seat"] == seat
                own = [zone for zone in told["zones"] if zone["seat"] == seat]
                hand = [zone for zone in own if zone["key"] in told["held"]]
                things = [thing for zone in hand for thing in zone["things"]]
                held.append({thing["face"] for thing in things if "face" in thing})
                assert len(held[-1]) == 5
            assert len(set.union(*held)) == sum(map(len, held)) > 0

    run(work())
    verify(tmp_path)


def test_it_is_recorded_as_a_company_and_as_pairings(tmp_path: Path) -> None:
    """The company under the host's name, the pairing as the station's; the window itself is not
    recorded. A pairing is listed with the people, and can be ended."""

    async def work() -> None:
        async with running(tmp_path) as table:
            await table.pair("host", HOST, name="Hanna")
            before = len(table.lines())
            await table.hold(secret=HOST)
            assert len(table.lines()) == before
            await table.enter("Anna")
            assert table.acts()[before:] == [("pair", "station"), ("sit", "Hanna")]
            pair, sit = (line["do"] for line in table.lines()[before:])
            assert {**pair, "key": ""} == {
                "act": "pair",
                "key": "",
                "name": "Anna",
                "role": "seat",
                "seat": 1,
                "by_name": True,
            }
            assert [player["name"] for player in sit["players"]] == ["Anna"]
            people = (await table.say(ask={"about": "people"}))["answer"]["people"]
            [anna] = [one for one in people if one["role"] == "seat"]
            assert (anna["name"], anna["seat"]) == ("Anna", 1)
            await table.does("unpair", key=anna["key"])
            assert reason(await table.me("Anna's phone")) == "not-paired"

    run(work())
    verify(tmp_path)


def test_the_others_keep_what_they_have(tmp_path: Path) -> None:
    """Purses, wishes and simulated players stay as the host has seated them."""

    async def work() -> None:
        async with running(tmp_path, QUARTERS) as table:
            players = [
                {"name": "Bruno", "purse": 4321, "takes": 4},
                {"name": "Carla", "simulated": True},
            ]
            await table.does("sit", players=players)
            await table.hold()
            await table.enter("Anna")
            seats = table.core._session.hall.company
            assert [(one.name, one.purse, one.takes, one.simulated) for one in seats] == [
                ("Bruno", 4321, 4, False),
                ("Carla", 2000, None, True),
                ("Anna", 2000, None, False),
            ]

    run(work())


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.STATION])
def test_only_a_host_holds_it_open(role: Role, tmp_path: Path) -> None:
    """That is, whoever may seat a company."""

    async def work() -> None:
        async with running(tmp_path) as table:
            more: dict[str, Any] = {"hello": "watcher"}
            if role is not Role.WATCHER:
                await table.pair(role, HOST, **({"seat": 1} if role is Role.SEAT else {}))
                more = {"secret": HOST}
            for do in ("open", "show", "shut"):
                answer = await table.say(join={"do": do}, **more)
                assert ("answer" in answer) is ("sit" in MAY[role]), answer

    run(work())


def test_who_comes_late_twice_or_too_many(tmp_path: Path) -> None:
    """Is refused with a sentence, and nothing is recorded."""

    async def work() -> None:
        async with running(tmp_path) as table:
            assert reason(await table.enter("Anna")) == "table-shut"
            await table.hold()
            await table.enter("Anna")
            before = len(table.lines())
            for name in ("anna", "Аnna", "Anna\u200b", "#7", " "):
                assert reason(await table.enter(name, "another")) in ("name-taken", "no-name")
            strange = await table.say("watcher", join={"do": "enter", "name": "x", "key": "short"})
            assert reason(strange) == "unreadable"
            assert len(table.lines()) == before
            for number in range(2, SEATS + 1):
                assert (await table.enter(f"Player {'x' * number}"))["answer"]["seat"] == number
            assert reason(await table.enter("Zoe")) == "table-full"
            assert reason(await table.say(join={"do": "open"})) == "table-full"
            table.now += 60
            assert table.board() is None
            assert reason(await table.enter("Zoe")) == "table-shut"

    run(work())
    verify(tmp_path)


def test_the_host_shuts_and_renews_it(tmp_path: Path) -> None:
    """Early, or for a minute more."""

    async def work() -> None:
        async with running(tmp_path) as table:
            await table.hold()
            await table.enter("Anna")
            table.now += 50
            assert (await table.hold()) | {"seats": 0} == {
                "seconds": 60,
                "joined": ["Anna"],
                "taken": 1,
                "seats": 0,
            }
            told = await table.hold("shut")
            assert (told["seconds"], told["joined"]) == (0, ["Anna"])
            assert table.board() is None
            assert reason(await table.enter("Bruno")) == "table-shut"

    run(work())


def test_a_game_that_opens_shuts_it_for_good(tmp_path: Path) -> None:
    """Also where that game is over within the minute; and no hall's game is joined."""

    async def work() -> None:
        async with running(tmp_path) as table:
            await table.hold()
            for name in ("Anna", "Bruno"):
                await table.enter(name)
            await table.does("open")
            assert reason(await table.enter("Carla")) == "table-shut"
            assert reason(await table.say(join={"do": "open"})) == "not-now"
            await table.does("break", why="it is late")
            assert reason(await table.enter("Carla")) == "table-shut"
            await table.hold()
            await table.does("skip", why="it is late")
            assert table.board() is None
            assert reason(await table.enter("Carla")) == "table-shut"
            assert reason(await table.say(join={"do": "open"})) == "not-now"

    run(work())


def test_it_shuts_when_its_host_is_nobody_any_more(tmp_path: Path) -> None:
    """A device whose pairing has ended holds nothing open."""

    async def work() -> None:
        async with running(tmp_path) as table:
            await table.pair("host", HOST)
            await table.hold(secret=HOST)
            await table.does("unpair", key=key_of(HOST))
            assert table.board() is None
            assert reason(await table.enter("Anna")) == "table-shut"

    run(work())


def test_a_phone_follows_its_player(tmp_path: Path) -> None:
    """Whatever the order in which the host seats the company; in a game that is over it is still
    shown the hand that it had, and a player who is gone sees nobody's."""

    async def work() -> None:
        async with running(tmp_path) as table:
            await table.hold()
            for name in ("Anna", "Bruno"):
                await table.enter(name)
            await table.does("sit", players=[{"name": "Bruno"}, {"name": "Anna"}])
            assert (await table.me("Anna's phone"))["answer"]["seat"] == 2
            await table.does("open")
            assert (await table.hand("Anna's phone"))["answer"]["seat"] == 2
            await table.does("break", why="it is late")
            await table.does("sit", players=[{"name": "Anna"}, {"name": "Dora"}])
            assert (await table.me("Anna's phone"))["answer"]["seat"] == 1
            assert (await table.hand("Anna's phone"))["answer"]["seat"] == 2
            assert (await table.me("Bruno's phone"))["answer"]["seat"] == 0
            await table.does("open")
            assert reason(await table.hand("Bruno's phone")) == "not-at-table"
            lost = await table.say("watcher", do={"act": "move"}, secret="Bruno's phone")  # noqa: S106
            assert "refused" in lost

    run(work())
    verify(tmp_path)


def test_an_answer_that_was_lost_comes_again(tmp_path: Path) -> None:
    """The same phone with the same name has joined already: nothing more is recorded. With
    another name, or as a device that was let in otherwise, it is refused."""

    async def work() -> None:
        async with running(tmp_path) as table:
            await table.hold()
            await table.enter("Anna")
            before = len(table.lines())
            await table.hold("shut")
            again = await table.enter("Anna")
            assert (again["ok"], again["answer"]["seat"]) == (True, 1)
            await table.hold()
            assert reason(await table.enter("Zoe", "Anna's phone")) == "already-paired"
            await table.pair("host", HOST)
            assert reason(await table.enter("Hanna", HOST)) == "already-paired"
            assert len(table.lines()) == before + 1
            assert table.company() == [("Anna", table.company()[0][1])]

    run(work())


def test_who_has_left_joins_again(tmp_path: Path) -> None:
    """With the same phone, under any name; and where another phone joins as this player, the first
    one ends: no two phones are shown one hand."""

    async def work() -> None:
        async with running(tmp_path) as table:
            await table.hold()
            for name in ("Anna", "Bruno"):
                await table.enter(name)
            await table.does("sit", players=[{"name": "Bruno"}])
            assert (await table.enter("Zoe", "Anna's phone"))["answer"] == {
                "name": "Zoe",
                "seat": 2,
            }
            await table.does("sit", players=[{"name": "Bruno"}])
            assert (await table.enter("Zoe", "another"))["answer"]["seat"] == 2
            assert reason(await table.me("Anna's phone")) == "not-paired"
            assert (await table.me("another"))["answer"]["seat"] == 2

    run(work())
    verify(tmp_path)


def test_a_restart_shuts_it_and_loses_nobody(tmp_path: Path) -> None:
    """Who had joined is at the table, and the phones are paired."""

    async def before() -> None:
        async with running(tmp_path) as table:
            await table.hold()
            await table.enter("Anna")

    async def after() -> None:
        async with running(tmp_path) as table:
            assert table.board() is None
            assert reason(await table.enter("Bruno")) == "table-shut"
            assert (await table.enter("Anna"))["ok"]
            assert (await table.me("Anna's phone"))["answer"]["seat"] == 1
            await table.hold()
            assert (await table.enter("Bruno"))["answer"]["seat"] == 2

    run(before())
    run(after())
    verify(tmp_path)


def test_a_game_that_opens_in_between_seats_nobody(tmp_path: Path) -> None:
    """The phone that was paired for the seat is let in no more."""

    async def work() -> None:
        async with running(tmp_path) as table:
            await table.hold()
            for name in ("Anna", "Bruno"):
                await table.enter(name)
            joining = table.core._joining
            assert joining is not None
            submit = joining._submit

            async def late(act: Act, by: Person, via: str) -> Answer:
                if isinstance(act, Sit):
                    await table.does("open")
                return await submit(act, by, via)

            joining._submit = late
            assert reason(await table.enter("Carla")) == "game-open"
            assert reason(await table.me("Carla's phone")) == "not-paired"
            assert [name for name, _ in table.company()] == ["Anna", "Bruno"]
            assert [act for act, _ in table.acts()[-3:]] == ["pair", "open", "unpair"]

    run(work())
    verify(tmp_path)


def test_the_board_is_shown_again_while_it_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the seconds that are left by then; and once more when its time is over."""
    monkeypatch.setattr("station.core.joining.SHOWN_S", 0.0)

    async def work() -> None:
        async with running(tmp_path) as table:
            shown: asyncio.Queue[Any] = asyncio.Queue()
            table.core._server.push = lambda _, message: shown.put_nowait(  # type: ignore[method-assign]
                message["view"]["joining"]
            )
            await table.hold()
            for left in (60, 41, 1):
                table.now = 160.0 - left
                while await shown.get() != {"seconds": left}:
                    pass
            table.now = 160.0
            while await shown.get() is not None:
                pass

    run(work())


def test_sixty_devices_are_the_most(tmp_path: Path) -> None:
    """Who would be one more does not sit down without a phone."""

    async def work() -> None:
        async with running(tmp_path) as table:
            for number in range(60):
                await table.does("pair", key=key_of(str(number)), name="x", role="seat", seat=1)
            await table.hold()
            assert reason(await table.enter("Anna")) == "too-many-paired"
            assert table.company() == []

    run(work())


def test_the_next_game_says_how_many_it_takes() -> None:
    """As its rules do; none in a hall's game."""
    assert seats_of_next(hall_of(HAND)) == SEATS
    assert seats_of_next(hall_of(LOTO)) == 0
    assert seats_of_next(hall_of(QUARTERS)) == 24
