"""Buzzers in the station: whose a line is, the hands of a simulated table, the self-test, and a
race over a box's own bytes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from drivers import Buzzed, DeviceLost
from drivers.making import make_driver
from drivers.simulated.pins import SimulatedPins
from station.base.errors import Unreadable
from station.calling.selftest import FRAME_S
from station.checkup.selftest import HANDS_LIMIT_S, Bench
from station.core.daemon import Core
from station.core.simulation.hands import BuzzerHands
from station.programme.programme import GamePlan, Programme, TablePlan
from station.record.journal import FILE, read
from station.settings.buzzing import buzzer_faults, buzzer_lines, buzzer_seats, seat_of
from station.settings.config import Settings, driver_table
from station.wire.board_view import BoardView
from station.wire.wire import HANDS_SOCKET, SOCKET, Client
from tests.drivers.clockwork import Inbox
from tests.support import LIMIT_S, Table, night_in, pass_time, run, run_by_hand
from tests.zone_things import things

WHOSE = "of several boxes each says whose its lines are"
BOX: dict[str, Any] = {"driver": "buzzer-box", "port": "/dev/ttyACM0"}
PINS: dict[str, Any] = {
    "driver": "buzzers",
    "pins": {"1": 5, "2": 6, "7": 12},
    "pin_factory": "simulated",
}
TWO = {
    "buzzers": {**BOX, "seats": {"1": 1, "2": 2}},
    "buzzers-left": {**PINS, "seats": {"1": 13, "7": 14}},
}


def answers(view: BoardView) -> int:
    """Return how many have answered the last number."""
    return len(things(view.table, "answer")) if view.table is not None else 0


def test_whose_the_lines_are() -> None:
    """By default the seat of the same number; where the settings say it, those that they name, and
    nobody else's."""
    assert buzzer_seats({"buzzers": BOX, "button": {"driver": "button"}}) == {"buzzers": {}}
    seats = buzzer_seats(TWO)
    assert seats == {"buzzers": {1: 1, 2: 2}, "buzzers-left": {1: 13, 7: 14}}
    cases = {
        ("buzzers", 2): 2,
        ("buzzers-left", 1): 13,
        ("buzzers-left", 7): 14,
        ("buzzers-left", 2): None,
        ("buzzers", 3): None,
    }
    assert {case: seat_of(seats, *case) for case in cases} == cases
    assert buzzer_lines(TWO) == {"buzzers": (1, 2), "buzzers-left": (1, 7)}
    assert buzzer_lines({"buzzers": BOX}) == {"buzzers": tuple(range(1, 25))}


def test_a_driver_is_told_its_name_and_nothing_of_the_seats() -> None:
    """The first box is named by its driver, each one more by its table; and every option is one
    that its driver takes."""
    assert driver_table("buzzers", {**BOX, "seats": {"1": 2}}) == BOX
    assert driver_table("buzzers-left", TWO["buzzers-left"]) == {**PINS, "name": "buzzers-left"}
    for device, table in TWO.items():
        options = driver_table(
            device, {**table, **({"pin_factory": "mock"} if "pins" in table else {})}
        )
        assert make_driver(options.pop("driver"), **options)


FAULTS: list[tuple[dict[str, Any], list[str]]] = [
    ({"buzzers": BOX}, []),
    (TWO, []),
    (
        {"buzzers": {**BOX, "seats": [1, 2]}},
        ["devices.buzzers: seats must be a table of lines and seats, such as { 1 = 13, 2 = 14 }"],
    ),
    (
        {"buzzers": {**BOX, "seats": {"0": 1}}},
        ["devices.buzzers: seats has the line '0'; lines are called 1 to 24"],
    ),
    (
        {"buzzers": {**BOX, "seats": {"Anna": 1}}},
        ["devices.buzzers: seats has the line 'Anna'; lines are called 1 to 24"],
    ),
    (
        {"buzzers": {**BOX, "seats": {"1": 25}}},
        ["devices.buzzers: line 1 is seat 25; seats go from 1 to 24"],
    ),
    (
        {"buzzers": {**BOX, "seats": {"1": True}}},
        ["devices.buzzers: line 1 is seat True; seats go from 1 to 24"],
    ),
    (
        {"buzzers": {**BOX, "seats": {"1": 3, "2": 3}}},
        ["devices.buzzers: seat 3 of line 2 has line 1 of buzzers already"],
    ),
    (
        {"buzzers": {**BOX, "seats": {"1": 3}}, "buzzers-left": {**PINS, "seats": {"1": 3}}},
        ["devices.buzzers-left: seat 3 of line 1 has line 1 of buzzers already"],
    ),
    (
        {"buzzers": BOX, "buzzers-left": {**PINS, "seats": {"1": 3}}},
        [f"devices.buzzers: seats is missing: {WHOSE}, as {{ 1 = 13, 2 = 14 }}"],
    ),
    ({"buzzers": "two", "reader": 3}, []),
]


@pytest.mark.parametrize(("tables", "faults"), FAULTS)
def test_faults_of_the_tables(tables: dict[str, Any], faults: list[str]) -> None:
    """Each fault is one sentence with its place."""
    assert list(buzzer_faults(tables)) == faults


# -- the self-test ---------------------------------------------------------------------------------


def trial(
    tmp_path: Path, presses: list[Buzzed | DeviceLost], *, hands: bool = True
) -> dict[str, tuple[str, str]]:
    """What the self-test says of each part, when these things happen while it asks for the
    buzzers."""

    async def evening() -> dict[str, tuple[str, str]]:
        with night_in(tmp_path) as night:
            table = Table(night, bench=Bench(buzzers={"buzzers": (1, 2, 3)}))
            await table.receive(*(event for event in presses if isinstance(event, DeviceLost)))
            await table.wish("self-test-begin", hands=hands)
            await pass_time(FRAME_S + 0.1)
            await table.receive(*(event for event in presses if isinstance(event, Buzzed)))
            await pass_time(HANDS_LIMIT_S + 1)
            [test] = [change.act for change in table.told if change.act.act == "self-test"]
            await table.desk.close()
            return {part.what: (part.result, part.say) for part in test.parts}

    return run_by_hand(evening())


LOST = DeviceLost("buzzers", "the buzzers do not answer on the port", 0.0)
TESTS: list[tuple[str, list[Any], bool, tuple[str, str]]] = [
    (
        "all of them",
        [Buzzed("buzzers", line, 0.0) for line in (3, 1, 1, 2)],
        True,
        ("good", "all of them came"),
    ),
    (
        "one is silent",
        [Buzzed("buzzers", line, 0.0) for line in (3, 1)],
        True,
        ("fault", "silent: 2; see to its plug and its cable"),
    ),
    (
        "another box",
        [Buzzed("buzzers-left", line, 0.0) for line in (1, 2, 3)],
        True,
        ("fault", "silent: 1, 2 and 3; see to its plug and its cable"),
    ),
    ("nobody is there", [], False, ("skipped", "nobody was there to try it")),
    ("lost", [LOST], True, ("fault", LOST.reason)),
]


@pytest.mark.parametrize(
    ("what", "presses", "hands", "outcome"), TESTS, ids=[what for what, *_ in TESTS]
)
def test_every_buzzer_is_tried(
    tmp_path: Path, what: str, presses: list[Any], hands: bool, outcome: tuple[str, str]
) -> None:
    """In any order; those that stay silent are named."""
    assert trial(tmp_path, presses, hands=hands)["buzzers"] == outcome


# -- the hands -------------------------------------------------------------------------------------


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("buzz", {}, "lines is None"),
    ("buzz", {"lines": []}, "lines is []"),
    ("buzz", {"lines": [0]}, "lines is [0]"),
    ("buzz", {"lines": [25]}, "lines is [25]"),
    ("buzz", {"lines": [True]}, "lines is [True]"),
    ("buzz", {"lines": ["1"]}, "lines is ['1']"),
    ("buzz", {"lines": [1], "apart": -1}, "apart is -1"),
    ("buzz", {"lines": [1], "apart": 0.5}, "apart is 0.5"),
    (
        "buzz",
        {"lines": [1], "box": "buzzers-right"},
        "no box of buzzers 'buzzers-right': there are buzzers, buzzers-left",
    ),
    ("buzz", {"lines": [2], "box": "buzzers-left"}, "[1, 7]"),
    ("unplug-buzzers", {"box": "buzzers-left"}, "no cable"),
]


@pytest.fixture
def pins():
    """Simulated pins."""
    pins = SimulatedPins()
    yield pins
    pins.close()


@pytest.mark.parametrize(("hand", "message", "said"), WRONG)
def test_a_wrong_hand_is_refused_with_a_sentence(
    tmp_path: Path, pins: SimulatedPins, hand: str, message: dict[str, Any], said: str
) -> None:
    """It says what there is, and presses nothing."""
    hands = BuzzerHands(tmp_path, {**TWO, "buzzers": BOX}, pins)
    before = hands.look()
    with pytest.raises(Unreadable) as caught:
        run(hands.move(hand, message))
    assert said in str(caught.value)
    assert hands.look() == before
    hands.boxes["buzzers"].close()


def test_without_buzzers_there_is_nothing_to_press(tmp_path: Path, pins: SimulatedPins) -> None:
    """The sentence says so."""
    hands = BuzzerHands(tmp_path, {}, pins)
    with pytest.raises(Unreadable, match="there are no buzzers"):
        run(hands.move("buzz", {"lines": [1]}))
    assert hands.look() == {}


def test_hands_on_pins_and_on_a_box(tmp_path: Path, pins: SimulatedPins) -> None:
    """Both kinds go down and come up; both are the same event; a box's cable is pulled and put
    back."""

    async def work() -> None:
        hands = BuzzerHands(tmp_path, {**TWO, "buzzers": BOX}, pins)
        inbox = Inbox()
        driver = make_driver("buzzers", pins=PINS["pins"], pin_factory=pins, name="buzzers-left")
        driver.open(inbox)
        await hands.move("buzz-down", {"box": "buzzers-left", "lines": [7]})
        await hands.move("buzz-down", {"lines": [3, 4]})
        look = hands.look()
        assert (look["buzzers"]["down"], look["buzzers-left"]["down"]) == ([3, 4], [7])
        event = await asyncio.to_thread(inbox.next)
        assert (event.box, event.line) == ("buzzers-left", 7)
        await hands.move("buzz-up", {"box": "buzzers-left", "lines": [7]})
        await hands.move("buzz", {"lines": [4]})
        look = hands.look()
        assert (look["buzzers"]["down"], look["buzzers-left"]["down"]) == ([3], [])
        await hands.move("unplug-buzzers", {})
        assert not hands.look()["buzzers"]["plugged"]
        await hands.move("plug-buzzers", {})
        assert hands.look()["buzzers"]["plugged"]
        driver.close()
        hands.boxes["buzzers"].close()

    run(work())


# -- a race under a whole core ---------------------------------------------------------------------


class Hall:
    """A whole core with a simulated box: its screens, and the hands of its players."""

    def __init__(self, client: Client, hands: Client) -> None:
        self.client = client
        self._hands = hands
        self._view: BoardView | None = None

    async def hand(self, hand: str, **arguments: Any) -> None:
        answer = await self._hands.request({"hand": hand, **arguments})
        assert answer.get("ok"), answer

    async def act(self, act: str, **arguments: Any) -> None:
        answer = await self.client.do(act, **arguments)
        assert answer.get("ok"), answer

    async def until(self, wanted: Callable[[BoardView], bool]) -> BoardView:
        """The first view that is as wanted; the last one known counts too."""
        async with asyncio.timeout(LIMIT_S):
            while self._view is None or not wanted(self._view):
                message = await anext(aiter(self.client))
                if "view" in message:
                    self._view = BoardView.model_validate(message["view"])
        return self._view


RACE = Programme(
    name="A race",
    games=(
        GamePlan(
            name="Race",
            method="loto-parlour",
            table=TablePlan(stake=120, cards=12, stakes="whole", answering="first"),
        ),
    ),
)


@contextlib.asynccontextmanager
async def hall_at(state: Path) -> AsyncIterator[Hall]:
    seats = {"5": 1, "6": 2, "7": 3, **{str(line): line for line in range(8, 25)}}
    devices = {"buzzers": {"driver": "buzzer-box", "port": "simulated", "seats": seats}}
    core = Core(Settings(simulated=True, devices=devices), state, state / "run", programme=RACE)
    await core.open()
    try:
        async with (
            await Client.open(core.run / SOCKET, "admin") as client,
            await Client.open(core.run / HANDS_SOCKET) as hands,
        ):
            yield Hall(client, hands)
    finally:
        await core.close()


def test_a_race_over_a_boxs_own_bytes(tmp_path: Path) -> None:
    """Frames on a serial line become answers in the journal: in their order, after rubbish and a
    pulled cable; who held his buzzer since the number before, or since the cable was out, has not
    answered."""
    state = tmp_path / "state"
    state.mkdir()

    async def work() -> None:
        async with hall_at(state) as hall:
            players = [
                {"name": name, "purse": 10_000, "takes": 4} for name in ("Anna", "Bruno", "Carla")
            ]
            # The first frame that is heard says what is down already; from the next one on presses
            # are presses.
            heard = asyncio.ensure_future(
                hall.until(lambda view: "nobody plays there" in view.notice)
            )
            lines = cycle(range(8, 25))
            while not heard.done():  # the box may be heard late, on a machine that has much to do
                await hall.hand("buzz", lines=[next(lines)])
                await asyncio.wait({heard}, timeout=0.1)
            await heard
            await hall.act("sit", players=players)
            await hall.act("open")
            await hall.act("shake", counted=90)
            table = (await hall.until(lambda view: view.table is not None)).table
            assert table is not None
            # line 7's player holds it: no tie begins with a wrong answer
            [number, *_] = things(table, "cards", 3)[0].rows[0]
            await hall.act("draw", number=number)
            await hall.until(lambda view: len(view.called) == 1 and not view.calling)
            await hall.hand("buzz", lines=[7, 5], apart=400)
            await hall.hand("garble-buzzers")
            await hall.hand("buzz-down", lines=[6])
            await hall.until(lambda view: answers(view) == 3)
            await hall.act("draw")
            await hall.until(lambda view: len(view.called) == 2 and not view.calling)
            # 6 is still down: it has answered the number before, and not this one
            await hall.hand("buzz", lines=[5])
            await hall.hand("buzz-up", lines=[6])
            await hall.until(lambda view: answers(view) == 1)
            await hall.act("draw")
            await hall.until(lambda view: len(view.called) == 3 and not view.calling)
            await hall.hand("unplug-buzzers")
            await hall.until(lambda view: "buzzers" in {sign.device for sign in view.signs})
            await hall.hand("buzz-down", lines=[5])
            await hall.hand("plug-buzzers")
            await hall.until(lambda view: "buzzer 5" in {sign.device for sign in view.signs})
            await hall.hand("buzz", lines=[6])
            await hall.until(lambda view: answers(view) == 1)

    run(work())
    [journal] = state.rglob(FILE)
    lines = [line for line in read(journal).lines if line["do"]["act"] in ("draw", "move")]
    assert {line["via"] for line in lines if line["do"]["act"] == "move"} == {"buzzers"}
    heard: list[Any] = []
    for line in lines:  # a busy machine may read two frames so far apart that they are two ties
        heard += line["do"]["move"]["seats"] if line["do"]["act"] == "move" else ["draw"]
    assert heard == ["draw", 3, 1, 2, "draw", 1, "draw", 2]
