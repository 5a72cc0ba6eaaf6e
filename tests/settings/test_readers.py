"""Several readers: what each is for, where the knobs rest, which one is lost; every kind of them
under one core."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from drivers import Cavity, DeviceFound, DeviceLost, Light, ReadRefused, Refusal, TagLeft, TagRead
from station.core.daemon import Core
from station.record.journal import FILE, read
from station.settings.config import Settings, driver_table
from station.settings.readers import ReaderUse, Resting, Use, reader_faults, reader_uses
from station.wire.board_view import BoardView
from station.wire.wire import HANDS_SOCKET, SOCKET, Client
from tests.support import LIMIT_S, Table, run, run_by_hand, table_in, tag_of

# -- pure ------------------------------------------------------------------------------------------

TABLES: dict[str, dict[str, Any]] = {
    "button": {"driver": "button", "pins": {"draw": 17}},
    "reader": {"driver": "rfid", "port": "/dev/serial0"},
    "reader-tray": {"driver": "wedge", "device": "/dev/input/event0", "use": "tray"},
    "reader-3": {"driver": "rfid", "port": "/dev/ttyUSB1", "cavity": 3},
}


def test_what_the_readers_are_for() -> None:
    """Only readers have a use; by default knobs are called there, and one under a cavity is a
    tray."""
    assert reader_uses(TABLES) == {
        "reader": ReaderUse(kind="rfid"),
        "reader-tray": ReaderUse(Use.TRAY, kind="wedge"),
        "reader-3": ReaderUse(Use.TRAY, 3, kind="rfid"),
    }


def test_a_driver_is_told_its_name_and_nothing_of_the_hall() -> None:
    """The first reader is named by its driver, each one more by its table; other devices' tables
    are as they were."""
    assert driver_table("reader", TABLES["reader"]) == TABLES["reader"]
    assert driver_table("reader-tray", TABLES["reader-tray"]) == {
        "driver": "wedge",
        "device": "/dev/input/event0",
        "name": "reader-tray",
    }
    assert driver_table("button", TABLES["button"]) == TABLES["button"]


FAULTS: list[tuple[dict[str, dict[str, Any]], list[str]]] = [
    (TABLES, []),
    ({"reader": {"use": "bag"}}, ["devices.reader: use is 'bag'; there are call, tray"]),
    ({"reader-1": {"cavity": 11}}, ["devices.reader-1: cavity is 11; cavities go from 1 to 10"]),
    ({"reader-1": {"cavity": 0}}, ["devices.reader-1: cavity is 0; cavities go from 1 to 10"]),
    (
        {"reader-1": {"cavity": True}},
        ["devices.reader-1: cavity is True; cavities go from 1 to 10"],
    ),
    (
        {"reader-1": {"cavity": "one"}},
        ["devices.reader-1: cavity is 'one'; cavities go from 1 to 10"],
    ),
    (
        {"reader-1": {"cavity": 1, "use": "call"}},
        ["devices.reader-1: a reader under a cavity has no other use: leave use out"],
    ),
    (
        {"reader-1": {"cavity": 2}, "reader-2": {"cavity": 2}},
        ["devices.reader-2: cavity 2 is taken by reader-1 already"],
    ),
    ({"button": {"use": "bag"}}, []),
]


@pytest.mark.parametrize(("tables", "faults"), FAULTS)
def test_faults_of_the_tables(tables: dict[str, dict[str, Any]], faults: list[str]) -> None:
    """Each fault is one sentence with its place."""
    assert list(reader_faults(tables)) == faults


Moves = list[tuple[str, str, int]]
MOVES: list[tuple[str, Moves, dict[int, int]]] = [
    ("nothing", [], {}),
    ("laid in the first and the tenth", [("lay", "a", 5), ("lay", "b", 6)], {5: 0, 6: 9}),
    ("lifted", [("lay", "a", 5), ("leave", "a", 5)], {}),
    ("another left: too late", [("lay", "a", 5), ("lay", "a", 6), ("leave", "a", 5)], {6: 0}),
    (
        "moved, and the first reader did not see it leave",
        [("lay", "a", 5), ("lay", "b", 5)],
        {5: 9},
    ),
    ("taken to the bag", [("lay", "a", 5), ("lay", "reader", 5)], {}),
    ("read where there is no cavity", [("lay", "reader", 5)], {}),
]


def moved(resting: Resting, move: str, reader: str, knob: int, at: float = 0.0) -> Resting:
    """Where the knobs rest after one was laid, or left."""
    if move == "leave":
        return resting.leave(reader, knob, at)
    return resting.lay(reader, knob, at)[0]


@pytest.mark.parametrize(("what", "moves", "placement"), MOVES, ids=[row[0] for row in MOVES])
def test_where_the_knobs_rest(what: str, moves: Moves, placement: dict[int, int]) -> None:
    """A knob lies in one place, a cavity has one knob; which, say the readings and leavings in
    their order."""
    resting = Resting(
        {"reader": ReaderUse(), "a": ReaderUse(Use.TRAY, 1), "b": ReaderUse(Use.TRAY, 10)}
    )
    for move, reader, knob in moves:
        resting = moved(resting, move, reader, knob)
    assert resting.placement == placement


Timed = list[tuple[str, str, int, float]]
SURELY: list[tuple[str, Timed, set[int]]] = [
    ("never seen to notice", [("lay", "reader", 5, 1)], set()),
    (
        "only the next one showed that it was gone",
        [("lay", "reader", 5, 1), ("leave", "reader", 5, 2), ("lay", "reader", 6, 2)],
        set(),
    ),
    (
        "it notices",
        [("lay", "reader", 5, 1), ("leave", "reader", 5, 2), ("lay", "reader", 6, 3)],
        {6},
    ),
    ("and is empty", [("lay", "reader", 5, 1), ("leave", "reader", 5, 2)], set()),
    (
        "another of its kind notices",
        [("lay", "a", 5, 1), ("lay", "b", 6, 1), ("leave", "a", 5, 2)],
        {6},
    ),
    (
        "another kind does",
        [("lay", "a", 5, 1), ("lay", "reader", 6, 1), ("leave", "a", 5, 2)],
        set(),
    ),
    ("it is lost", [("lay", "b", 5, 1), ("lay", "lost", 6, 1), ("leave", "b", 5, 2)], set()),
]


@pytest.mark.parametrize(("what", "moves", "lying"), SURELY, ids=[row[0] for row in SURELY])
def test_which_knobs_surely_lie_there(what: str, moves: Timed, lying: set[int]) -> None:
    """Only a reader of a kind that notices when a knob is gone, and that is not lost, says for sure
    that one is there."""
    cavities = {
        reader: ReaderUse(Use.TRAY, place, "rfid pn532")
        for place, reader in enumerate(("a", "b", "lost"), 1)
    }
    resting = Resting({"reader": ReaderUse(kind="wedge"), **cavities})
    for move, reader, knob, at in moves:
        resting = moved(resting, move, reader, knob, at)
    assert resting.surely({"lost"}) == lying


COUNTED: list[tuple[str, list[tuple[str, int]], bool]] = [
    ("read again where it lies", [("reader", 5)], False),
    ("and once more", [("reader", 5), ("reader", 5)], True),
    ("another knob", [("reader", 6)], True),
    ("again, after another", [("reader", 6), ("reader", 5)], True),
    ("somewhere else", [("a", 5)], True),
    ("again, after it was somewhere else", [("a", 5), ("reader", 5)], True),
    ("the last one of the other reader", [("b", 7)], False),
    ("there too, after another elsewhere", [("reader", 6), ("b", 7)], False),
]


@pytest.mark.parametrize(("what", "laid", "drawn"), COUNTED, ids=[row[0] for row in COUNTED])
@pytest.mark.parametrize("noticed", [False, True])
def test_the_last_knob_of_a_count(
    what: str, laid: list[tuple[str, int]], drawn: bool, noticed: bool
) -> None:
    """It is of the bag, though its reader reads it again, with or without having missed it: once,
    and before anything else."""
    resting = Resting({"reader": ReaderUse(), "a": ReaderUse(), "b": ReaderUse()})
    for reader, knob in (("b", 7), ("reader", 5)):
        resting, was_drawn = resting.lay(reader, knob)
        assert was_drawn, "before any count all are"
    resting = resting.count()
    if noticed:
        resting = resting.leave("reader", 5, 2.0).leave("b", 7, 2.0)
    for reader, knob in laid:
        resting, was_drawn = resting.lay(reader, knob, 3.0)
    assert was_drawn is drawn


def test_without_cavities_there_is_no_placement() -> None:
    """The board then places the knobs by its own rule."""
    resting = Resting({"reader": ReaderUse(), "reader-tray": ReaderUse(Use.TRAY)})
    resting, _ = resting.lay("reader-tray", 5)
    assert resting.placement is None


# -- at the desk -----------------------------------------------------------------------------------

TEN = {f"reader-{place}": ReaderUse(Use.TRAY, place) for place in range(1, 11)}
MOUTH_AND_TRAY = {"reader": ReaderUse(), "reader-tray": ReaderUse(Use.TRAY)}


@pytest.fixture
def at_table(tmp_path: Path) -> Callable[..., None]:
    """Runs a test at a table with these readers, whose first game is open."""

    def run_it(
        work: Callable[[Table], Any], readers: dict[str, ReaderUse], **settings: Any
    ) -> None:
        async def whole(table: Table) -> None:
            await table.wish("open")
            await table.heard()
            table.outputs.log.clear()
            await work(table)
            await table.desk.close()

        with table_in(tmp_path, readers=readers, **settings) as table:
            run_by_hand(whole(table))

    return run_it


def laid(reader: str, knob: int) -> TagRead:
    return TagRead(reader, tag_of(knob), 0.0)


def lifted(reader: str, knob: int) -> TagLeft:
    return TagLeft(reader, tag_of(knob), 0.0)


def lit(table: Table) -> dict[int, tuple[int, bool, bool]]:
    """The cavities that are lit now, from 1: number, newest, called."""
    knobs: tuple[Cavity | None, ...] = [
        shown for kind, shown in table.outputs.log if kind == "light"
    ][-1]
    return {
        place: (knob.number, knob.newest, knob.called)
        for place, knob in enumerate(knobs, 1)
        if knob is not None
    }


def test_ten_cavities_with_a_reader_each(at_table: Any) -> None:
    """A knob laid in a cavity is called, and lit there; laid in another it is lit there without a
    word; lifted it goes out."""

    async def work(table: Table) -> None:
        await table.receive(laid("reader-7", 42))
        assert table.calls == (42,)
        assert lit(table) == {7: (42, True, True)}
        await table.heard()
        await table.receive(laid("reader-2", 17))
        await table.heard()
        assert lit(table) == {7: (42, False, True), 2: (17, True, True)}
        said = len(table.outputs.said)
        await table.receive(lifted("reader-7", 42), laid("reader-3", 42))
        assert lit(table) == {3: (42, False, True), 2: (17, True, True)}
        await table.receive(lifted("reader-3", 42))
        assert lit(table) == {2: (17, True, True)}
        assert len(table.outputs.said) == said
        assert table.calls == (42, 17)

    at_table(work, TEN)


def test_a_knob_that_must_wait_is_lit_where_it_lies(at_table: Any) -> None:
    """During a call another cavity's knob is drawn and not called, lit so; it is called when the
    first was heard, even lifted."""

    async def work(table: Table) -> None:
        await table.receive(laid("reader-1", 5), laid("reader-4", 6))
        assert lit(table) == {1: (5, True, True), 4: (6, False, False)}
        await table.receive(lifted("reader-4", 6))
        await table.heard()
        assert table.calls == (5, 6)

    at_table(work, TEN)


def test_the_bags_mouth_and_the_tray(at_table: Any) -> None:
    """Called at the mouth, a knob comes to rest without a word; one that slipped past is called in
    the tray."""

    async def work(table: Table) -> None:
        await table.receive(laid("reader", 42))
        await table.heard()
        await table.receive(laid("reader-tray", 42))
        assert table.outputs.said == [("number.42",)]
        await table.receive(laid("reader-tray", 17))
        await table.heard()
        assert table.calls == (42, 17)
        await table.receive(laid("reader", 42))
        assert table.outputs.said[-1] == ("already-drawn",)

    at_table(work, MOUTH_AND_TRAY)


@pytest.mark.parametrize(
    ("why", "times", "phrase"),
    [
        (Refusal.TWO, 1, "two-knobs"),
        (Refusal.CHECK, 1, "two-knobs"),
        (Refusal.FORM, 2, "unknown-knob"),
    ],
)
def test_what_is_no_tag_is_never_a_call(
    at_table: Any, why: Refusal, times: int, phrase: str
) -> None:
    """The hall hears what to do, after strange bytes the second time only; nothing is drawn, and no
    foreign tag has a place (H13)."""

    async def work(table: Table) -> None:
        await table.receive(
            *[ReadRefused("reader-1", why, 0.0)] * times,
            TagRead("reader-2", 1, 0.0),
            TagLeft("reader-2", 1, 0.0),
        )
        assert table.outputs.said == [(phrase,)]
        assert table.calls == ()

    at_table(work, TEN)


def test_which_reader_is_lost(at_table: Any) -> None:
    """The sign names it, the journal too; the others go on; what it knew still stands; back, the
    sign is down (H38)."""

    async def work(table: Table) -> None:
        await table.receive(laid("reader-3", 42))
        await table.heard()
        await table.receive(DeviceLost("reader-3", "the reader-3 does not answer", 0.0))
        [sign] = table.outputs.view.signs
        assert (sign.device, sign.text) == ("reader-3", "the reader-3 does not answer")
        assert table.outputs.said[-1] == ("reader-lost",)
        assert table.outputs.lamps["fault"] is Light.ON
        await table.receive(laid("reader-4", 17))
        await table.heard()
        assert lit(table) == {3: (42, False, True), 4: (17, True, True)}
        await table.receive(DeviceFound("reader-3", 0.0))
        assert table.outputs.view.signs == ()
        assert table.outputs.lamps["fault"] is Light.OFF
        notes = [
            change.act for change in table.told if getattr(change.act, "about", "") == "reader-3"
        ]
        assert [getattr(note, "what", "") for note in notes] == [
            "lost: the reader-3 does not answer",
            "works again",
        ]

    at_table(work, TEN)


# -- all kinds under one core ----------------------------------------------------------------------

KINDS: dict[str, dict[str, Any]] = {
    "reader": {"driver": "rfid", "family": "id12la", "port": "simulated"},
    "reader-2": {"driver": "rfid", "family": "parallax", "port": "simulated", "cavity": 2},
    "reader-3": {"driver": "rfid", "family": "pn532", "port": "simulated", "cavity": 3},
    "reader-4": {"driver": "wedge", "device": "simulated", "cavity": 4},
}


class Seen:
    """A hall with readers of all kinds: its screens, and the hands on its readers."""

    def __init__(self, client: Client, hands: Client) -> None:
        self.client = client
        self._hands = hands
        self._view: BoardView | None = None

    async def hand(self, hand: str, **arguments: Any) -> None:
        answer = await self._hands.request({"hand": hand, **arguments})
        assert answer.get("ok"), answer

    async def until(self, wanted: Callable[[BoardView], bool]) -> BoardView:
        """The first view that is as wanted; the last one known counts too."""
        async with asyncio.timeout(LIMIT_S):
            while self._view is None or not wanted(self._view):
                message = await anext(aiter(self.client))
                if "view" in message:
                    self._view = BoardView.model_validate(message["view"])
        return self._view


@contextlib.asynccontextmanager
async def hall_at(state: Path) -> AsyncIterator[Seen]:
    core = Core(Settings(simulated=True, devices=KINDS), state, state / "run")
    await core.open()
    try:
        async with (
            await Client.open(core.run / SOCKET, "admin") as client,
            await Client.open(core.run / HANDS_SOCKET) as hands,
        ):
            yield Seen(client, hands)
    finally:
        await core.close()


def test_readers_of_every_kind_call(tmp_path: Path) -> None:
    """A knob on each of four kinds of reader is called; two at once never; an unplugged one is
    named, comes back, and calls."""

    state = tmp_path / "state"
    state.mkdir()

    async def work() -> None:
        async with hall_at(state) as hall:
            assert (await hall.client.do("open")).get("ok")
            for knob, reader in enumerate(KINDS, 41):
                await hall.until(lambda view: not view.calling)
                await hall.hand("drop", knob=knob, reader=reader)
                await hall.until(lambda view, knob=knob: view.last == knob)
            await hall.hand("two", knobs=[1, 2], reader="reader-3")
            await hall.until(lambda view: "Two balls" in view.notice)
            await hall.hand("unplug", reader="reader-3")
            lost = await hall.until(lambda view: bool(view.signs))
            assert [sign.device for sign in lost.signs] == ["reader-3"]
            await hall.hand("lift", reader="reader-3")
            await hall.hand("plug", reader="reader-3")
            await hall.until(lambda view: not view.signs and not view.calling)
            await hall.hand("drop", knob=50, reader="reader-3")
            view = await hall.until(lambda view: view.last == 50)
            assert view.called == (41, 42, 43, 44, 50)
            refused = await hall._hands.request({"hand": "drop", "knob": 1, "reader": "reader-9"})
            assert "there are reader, reader-2, reader-3, reader-4" in refused["refused"]["say"]

    run(work())
    [journal] = state.rglob(FILE)
    draws = [line["via"] for line in read(journal).lines if line["do"]["act"] == "draw"]
    assert draws == ["reader", "reader-2", "reader-3", "reader-4", "reader-3"]
