"""Before a game, at the desk: the census ticks off and calls nothing, the self-test tries
everything, no game opens meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from typing import Any

import pytest

from drivers import (
    BoardShown,
    Deliver,
    DeviceFound,
    DeviceLost,
    Event,
    Held,
    Light,
    Pressed,
    Rank,
    ReadRefused,
    Refusal,
    Scanned,
    SoundEnded,
    SoundStarted,
    TagConfirmed,
    TagRead,
    Thrown,
    Turned,
)
from station.base.errors import EXIT_DEVICE, EXIT_DONE, EXIT_NO, EXIT_USAGE
from station.cards import PACK_FILE
from station.checkup.selftest import HANDS_LIMIT_S, Bench
from station.core.daemon import Core
from station.core.environment import Machine
from station.core.simulation.server import simulated_tag
from station.night.acts import MOST_FOREIGN, Census, SelfTest
from station.night.readiness import CheckOutcome
from station.programme.programme import Programme
from station.record.halves import half
from station.record.requests import Done, Refused
from station.settings.config import load_settings
from tests.commands.test_app import Loto, loto, one_sentence
from tests.support import (
    CLOCK,
    LIMIT_S,
    Table,
    night_in,
    pass_time,
    run,
    run_by_hand,
    settle,
    small_pack,
    tag_of,
)

__all__ = ["loto"]  # the fixture, of this file too

ALL = tuple(range(1, 91))
BENCH = Bench(
    lamps=("draw", "beacon"),
    buttons=("draw", "claim"),
    turners=("pace",),
    readers=("reader",),
    scanners=("scanner",),
    tower=True,
    board=True,
    voice=True,
)


def at_table(
    work: Callable[[Table], Coroutine[Any, Any, None]],
    folder: Path,
    *,
    strict: bool = True,
    **settings: Any,
) -> None:
    """Runs it at a desk whose time is ours."""

    async def evening() -> None:
        with night_in(folder, strict=strict) as night:
            table = Table(night, **settings)
            try:
                await work(table)
            finally:
                await table.desk.close()

    run_by_hand(evening())


def said(table: Table) -> list[str]:
    return [clip for kind, clips in table.outputs.log if kind == "say" for clip in clips]


def recorded(table: Table, kind: type) -> list[Any]:
    return [change.act for change in table.told if isinstance(change.act, kind)]


# -- census ----------------------------------------------------------------------------------------


def test_ninety_of_ninety(tmp_path: Path) -> None:
    """Each knob is ticked off and none is called; the ninetieth ends it; it is recorded, said, and
    the game opens."""

    async def work(table: Table) -> None:
        refused = await table.wish("open")
        assert isinstance(refused, Refused)
        assert refused.reason == "no-census"
        assert isinstance(await table.wish("census-begin"), Done)
        for knob in reversed(ALL):
            assert not recorded(table, Census)
            await table.read(knob)
        assert recorded(table, Census) == [Census(found=ALL, who="admin")]
        assert said(table)[0] == "census-begin"
        assert said(table)[-1] == "census-good"
        assert isinstance(await table.wish("open"), Done)
        await table.read(7)
        assert table.calls == (7,), "the census is over: a knob is called again"

    at_table(work, tmp_path)


def test_what_is_wrong_is_said_and_named(tmp_path: Path) -> None:
    """Again, a second knob with the number, a stranger, two at once: each has its words at once;
    the end names them all."""

    async def work(table: Table) -> None:
        await table.wish("census-begin")
        for tag in (tag_of(1), tag_of(1), 99, 12345):
            await table.receive(TagRead("reader", tag, 0.0))
        await table.receive(
            ReadRefused("reader", Refusal.CHECK, 0.0), ReadRefused("reader", Refusal.TWO, 0.0)
        )
        assert said(table) == [
            "census-begin",
            "census-double",
            "census-two",
            "census-foreign",
            "two-knobs",
        ]
        asked = table.desk.answers()["census"]
        assert (asked["active"], asked["found"], asked["twice"], asked["foreign"]) == (
            True,
            [1],
            [1],
            [12345],
        )
        assert table.desk.view().notice == "Two balls on the reader. Take one away."
        await table.wish("census-end")
        await settle()
        assert recorded(table, Census) == [
            Census(found=(1,), twice=(1,), foreign=(12345,), unreadable=2, who="admin")
        ]
        assert said(table)[-3:] == ["census-missing", "census-two", "census-foreign"]
        asked = table.desk.answers()["census"]
        assert (asked["active"], asked["state"], asked["missing"]) == (
            False,
            "faulty",
            [*range(2, 91)],
        )
        assert len(asked["faults"]) == 3
        # The right knob 1 is laid again, and all the others for the first time.
        await table.wish("census-begin", go_on=True)
        for knob in ALL:
            await table.read(knob)
        assert table.session.hall.ready.census is CheckOutcome.GOOD

    at_table(work, tmp_path, spares={99: 1})


def test_noise_on_a_reader_that_repeats_is_no_stranger(tmp_path: Path) -> None:
    """A reader that confirms what rests on it is believed when it confirms a stranger, not sooner;
    one frame of noise spoils no census."""

    async def work(table: Table) -> None:
        await table.wish("census-begin")
        await table.receive(TagRead("reader", tag_of(1), 0.0), TagConfirmed("reader", tag_of(1), 0))
        await table.receive(TagRead("reader", 12345, 1.0))
        await table.receive(TagRead("reader", tag_of(1), 1.1, back=True))
        assert said(table) == ["census-begin"]
        await table.receive(TagRead("reader", 777, 2.0), TagConfirmed("reader", 777, 2.1))
        assert said(table)[-1] == "census-foreign"
        await table.receive(TagRead("reader-2", 888, 3.0))  # of that reader nothing is known yet
        assert table.desk.answers()["census"]["foreign"] == [777, 888]

    at_table(work, tmp_path)


def test_a_census_goes_on_where_it_ended(tmp_path: Path) -> None:
    """What was found counts; when only a stranger was wrong it is good at once; without --go-on all
    begins anew."""

    async def work(table: Table) -> None:
        await table.wish("census-begin")
        await table.receive(TagRead("reader", 12345, 0.0))
        for knob in ALL:
            await table.read(knob)
        assert not recorded(table, Census), "with a stranger it does not end by itself"
        await table.wish("census-end")
        await settle()
        await table.wish("census-begin", go_on=True)
        await settle()
        assert [bool(act.foreign) for act in recorded(table, Census)] == [True, False]
        assert said(table)[-1] == "census-good"
        await table.wish("census-begin")
        assert table.desk.answers()["census"]["found"] == []

    at_table(work, tmp_path)


@pytest.mark.parametrize(
    ("wishes", "reason"),
    [
        (["census-end"], "no-census"),
        (["self-test-end"], "no-test"),
        (["census-begin", "census-begin"], "preparing"),
        (["census-begin", "self-test-begin"], "preparing"),
        (["self-test-begin", "census-begin"], "preparing"),
        (["census-begin", "open"], "preparing"),
        (["self-test-begin", "open"], "preparing"),
        (["open", "census-begin"], "game-open"),
        (["open", "self-test-begin"], "game-open"),
        (["census", "x"], "not-your-role"),
    ],
)
def test_one_thing_at_a_time(tmp_path: Path, wishes: list[str], reason: str) -> None:
    """Between games, one after the other; nothing to end is said; what was found is the station's
    word alone."""

    async def work(table: Table) -> None:
        answers = [await table.wish(wish) for wish in wishes]
        refused = next(answer for answer in answers if isinstance(answer, Refused))
        assert refused.reason == reason

    at_table(work, tmp_path, strict=False)


@pytest.mark.parametrize("what", ["census", "self-test"])
def test_a_game_that_was_being_opened_ends_what_has_begun(tmp_path: Path, what: str) -> None:
    """It began between the wish to open and its line in the journal: from then on every press and
    every knob is the game's."""

    async def work(table: Table) -> None:
        opening = asyncio.ensure_future(table.wish("open"))
        await asyncio.sleep(0)
        assert isinstance(await table.wish(f"{what}-begin"), Done)
        assert isinstance(await opening, Done)
        assert not table.desk.answers()[what]["active"]
        await table.heard()
        await table.read(42)
        assert table.calls == (42,)
        await table.receive(Pressed("claim", 0.0))
        assert table.session.hall.sold is not None
        assert table.session.hall.sold.stopped

    at_table(work, tmp_path, strict=False, bench=BENCH)


def test_a_stranger_without_end(tmp_path: Path) -> None:
    """A reader that makes tags up: as many as a census can name are kept, all are spoken of, and
    none makes it whole."""

    async def work(table: Table) -> None:
        await table.wish("census-begin")
        for tag in range(300):
            await table.receive(TagRead("reader", tag, 0.0))
        for knob in ALL:
            await table.read(knob)
        await table.wish("census-end")
        await settle()
        (act,) = recorded(table, Census)
        assert (act.foreign, act.found) == (tuple(range(MOST_FOREIGN)), ALL)
        assert said(table).count("census-foreign") == 301

    at_table(work, tmp_path)


def test_no_knob_was_ever_enrolled(tmp_path: Path) -> None:
    """There is nothing to count: what to do first is said. A button pressed meanwhile is not
    swallowed."""

    async def work(table: Table) -> None:
        await table.wish("census-begin")
        await table.receive(Pressed("draw", 0.0))
        assert table.desk.view().notice == "A census or a self-test is under way: end it first"

    at_table(work, tmp_path)


def test_a_lost_reader_keeps_a_strict_game_from_opening(tmp_path: Path) -> None:
    """Back again, or waived with a name: then it opens. In a TEST, and for a lost voice, it opens
    at once."""

    async def strict(table: Table) -> None:
        await table.wish("waive", about="census", who="Anna", why="counted by hand")
        await table.receive(DeviceLost("reader-2", "unplugged: plug it in", 0.0))
        refused = await table.wish("open")
        assert isinstance(refused, Refused)
        assert (refused.reason, refused.say.startswith("unplugged: plug it in; or say who")) == (
            "unfit",
            True,
        )
        await table.receive(DeviceFound("reader-2", 0.0), DeviceLost("speech", "gone", 0.0))
        assert isinstance(await table.wish("open"), Done)
        await table.receive(DeviceLost("reader-2", "unplugged", 0.0))
        assert isinstance(await table.wish("close"), Done)
        assert isinstance(await table.wish("open"), Refused)
        await table.wish("waive", about="faults", who="Anna", why="we key the numbers")
        assert isinstance(await table.wish("open"), Done)

    async def free(table: Table) -> None:
        await table.receive(DeviceLost("reader", "unplugged", 0.0))
        assert isinstance(await table.wish("open"), Done)

    at_table(strict, tmp_path / "strict")
    at_table(free, tmp_path / "free", strict=False)


# -- self-test -------------------------------------------------------------------------------------


class Hands:
    """Does what the test asks for, as soon as it asks; hears the voice and watches the board."""

    def __init__(self, table: Table, missing: tuple[str, ...] = ()) -> None:
        self._table = table
        self._missing = missing
        self.lit: list[set[str]] = []
        table.outputs.on_view = lambda _: self._look()
        lamp, light, say = table.outputs.lamp, table.outputs.light, table.outputs.say

        def watch_lamp(name: str, how: Light) -> None:
            lamp(name, how)
            self.lit.append(
                {name for name in BENCH.lamps if table.outputs.lamps.get(name) is Light.ON}
            )

        def watch_board(lit: Any, token: int) -> None:
            light(lit, token)
            self._happens("board", BoardShown(token, 0.0))

        def listen(clips: tuple[str, ...], token: int, rank: Rank) -> bool:
            self._happens("voice", SoundEnded(token, True, 0.0))
            return say(clips, token, rank)

        table.outputs.lamp, table.outputs.light, table.outputs.say = watch_lamp, watch_board, listen

    def _happens(self, what: str, event: Event) -> None:
        if what not in self._missing:
            asyncio.get_running_loop().call_soon(self._table.desk.receive, event)

    def _look(self) -> None:
        asked: dict[str, Event] = {
            "press the button draw": Pressed("draw", 0.0),
            "press the button claim": Pressed("claim", 0.0),
            "turn the knob pace": Turned("pace", 1, 0.0),
            "lay a ball on the reader": TagRead("reader", tag_of(5), 0.0),
            "show a card to the scanner": Scanned("scanner", "0001", 0.0),
            "throw a die into the tower": Thrown("tower", (3,), (), 0.0),
        }
        asks = self._table.desk.answers()["self-test"]["asks"]
        if asks:
            self._happens(asks.rpartition(" ")[2], asked[asks])


async def tried(table: Table, **how: Any) -> dict[str, str]:
    """A whole self-test: what it found of each."""
    assert isinstance(await table.wish("self-test-begin", **how), Done)
    await pass_time(6 * HANDS_LIMIT_S)
    (act,) = recorded(table, SelfTest)
    return {part.what: part.result for part in act.parts}


LIT = ("voice", "lamp draw", "lamp beacon", "board")
EVERYTHING = (
    "screen",
    *LIT,
    "button draw",
    "button claim",
    "knob pace",
    "reader",
    "scanner",
    "tower",
    "disk",
    "clock",
)


def test_all_is_tried(tmp_path: Path) -> None:
    """Each lamp alone, each cavity alone, the word, each input as it comes: all good; and nothing
    was drawn, opened or called."""

    async def work(table: Table) -> None:
        hands = Hands(table)
        assert await tried(table) == dict.fromkeys(EVERYTHING, "good")
        assert {"draw"} in hands.lit
        assert {"beacon"} in hands.lit
        assert {"draw", "beacon"} not in hands.lit
        pictures = [
            lit
            for kind, lit in table.outputs.log
            if kind == "light" and sum(cavity is not None for cavity in lit) == 1
        ]
        assert [next(c.number for c in lit if c is not None) for lit in pictures] == [*range(1, 11)]
        assert said(table)[:2] == ["self-test-begin", "test-word"]
        assert said(table)[-1] == "self-test-good"
        assert table.session.hall.last_sold is None
        assert table.desk.answers()["self-test"]["state"] == "good"
        await table.receive(Pressed("claim", 0.0))
        assert table.desk.view().notice.startswith("No game is open"), (
            "presses are the desk's again"
        )

    at_table(work, tmp_path, bench=BENCH)


@pytest.mark.parametrize("ended", [False, True])
def test_the_screens_show_their_edges(tmp_path: Path, *, ended: bool) -> None:
    """As long as the self-test runs, and no longer, however it ends."""

    async def work(table: Table) -> None:
        Hands(table)
        assert not table.desk.view().frame
        await table.wish("self-test-begin")
        await settle()
        assert table.outputs.view.frame
        if ended:
            await table.wish("self-test-end")
        await pass_time(6 * HANDS_LIMIT_S)
        assert not table.outputs.view.frame
        for act in recorded(table, SelfTest):
            assert act.parts[0].what == "screen"
            assert "[screen] inset" in act.parts[0].say

    at_table(work, tmp_path, bench=BENCH)


def test_a_button_that_is_tried_does_nothing_else(tmp_path: Path) -> None:
    """The one for switching off is held for long, as the hand knows it: the test has its press, and
    the station stays on."""

    async def work(table: Table) -> None:
        async with asyncio.timeout(LIMIT_S):
            await table.wish("self-test-begin")
            await settle()
            await table.receive(Pressed("off", 0.0))
            await table.receive(Held("off", 3.0, 3.0))
        await pass_time(HANDS_LIMIT_S)
        (act,) = recorded(table, SelfTest)
        assert [part.result for part in act.parts if part.what == "button off"] == ["good"]
        assert "switching-off" not in said(table)
        await table.receive(Pressed("off", 8.0))
        await table.receive(Held("off", 3.0, 11.0))
        assert "switching-off" in said(table), "afterwards it is the desk's again"

    at_table(work, tmp_path, bench=Bench(buttons=("off",)), buttons=("off",))


@pytest.mark.parametrize(
    ("missing", "what", "blocks"),
    [
        ("draw", "button draw", False),
        ("pace", "knob pace", False),
        ("reader", "reader", True),
        ("board", "board", False),
        ("voice", "voice", False),
    ],
)
def test_what_does_not_come_is_a_fault(
    tmp_path: Path, missing: str, what: str, *, blocks: bool
) -> None:
    """Waited for and not come in its time: named; a reader's keeps a strict game from opening, the
    others' do not."""

    async def work(table: Table) -> None:
        Hands(table, (missing,))
        await table.wish("waive", about="census", who="Anna", why="counted by hand")
        found = await tried(table)
        assert [name for name, result in found.items() if result == "fault"] == [what]
        assert said(table)[-1] == "self-test-fault"
        assert isinstance(await table.wish("open"), Refused if blocks else Done)

    at_table(work, tmp_path, bench=BENCH)


def test_without_hands(tmp_path: Path) -> None:
    """Inputs are not waited for, and that is said; a device that is known to be lost is a fault
    without a wait."""

    async def work(table: Table) -> None:
        Hands(table)
        await table.receive(
            DeviceLost("matrix", "no bus", 0.0),
            DeviceLost("lamps", "no pins", 0.0),
            DeviceLost("speech", "", 0.0),
        )
        found = await tried(table, hands=False)
        assert [name for name, result in found.items() if result == "skipped"] == [
            "button draw",
            "button claim",
            "knob pace",
            "reader",
            "scanner",
            "tower",
        ]
        assert [name for name, result in found.items() if result == "fault"] == [
            "voice",
            "lamp draw",
            "lamp beacon",
            "board",
        ]

    at_table(work, tmp_path, bench=BENCH)


def test_disk_clock_and_a_lost_reader(tmp_path: Path) -> None:
    """A disk's fault in its own words; a clock nobody sets is told and is none; a lost reader is
    not waited for."""

    async def work(table: Table) -> None:
        await table.receive(DeviceLost("reader", "unplugged: plug it in", 0.0))
        await tried(table)
        (act,) = recorded(table, SelfTest)
        parts = {part.what: part for part in act.parts}
        assert (parts["voice"].result, parts["disk"].say, parts["disk"].blocks) == (
            "skipped",
            "no room",
            True,
        )
        assert (parts["reader"].say, parts["reader"].blocks) == ("unplugged: plug it in", True)
        assert (parts["clock"].result, "rough" in parts["clock"].say) == ("good", True)

    at_table(
        work,
        tmp_path,
        bench=Bench(readers=("reader",), disk=lambda: "no room", clock_set=lambda: False),
    )


def test_a_self_test_that_is_given_up_before_it_began(tmp_path: Path) -> None:
    """Both wishes come in one breath: nothing is under way, and presses are the desk's."""

    async def work(table: Table) -> None:
        begun, ended = await asyncio.gather(
            table.wish("self-test-begin"), table.wish("self-test-end")
        )
        assert (type(begun), type(ended)) == (Done, Done)
        await settle()
        assert not table.desk.answers()["self-test"]["active"]
        await table.wish("sell", serials=["0001"])
        await table.receive(Pressed("draw", 0.0))
        assert table.session.hall.sold is not None

    at_table(work, tmp_path, strict=False, bench=BENCH)


def test_a_self_test_is_given_up(tmp_path: Path) -> None:
    """Nothing is recorded; lamps and board show the night again, and a game may open."""

    async def work(table: Table) -> None:
        await table.wish("self-test-begin")
        await pass_time(1.0)
        assert isinstance(await table.wish("self-test-end"), Done)
        await settle()
        assert not recorded(table, SelfTest)
        assert not table.desk.answers()["self-test"]["active"]
        assert isinstance(await table.wish("open"), Done)

    at_table(work, tmp_path, strict=False, bench=BENCH)


# -- the commands, over the wire -------------------------------------------------------------------


class Fake:
    """A driver of any kind, with a mouth: what is said begins what hands do then."""

    running = True

    def __init__(
        self, deliver: dict[str, Deliver], name: str, on_say: Mapping[str, list[Event]]
    ) -> None:
        self._deliver, self._name, self._on_say = deliver, name, on_say

    def open(self, deliver: Deliver) -> None:
        self._deliver[self._name] = deliver

    def close(self) -> None:
        """Nothing is open."""

    def say(self, clips: tuple[str, ...], token: int, rank: Rank = Rank.CHATTER) -> None:
        for event in (
            SoundStarted(token, 0.0),
            *self._on_say.get(clips[0], ()),
            SoundEnded(token, True, 0.0),
        ):
            self._deliver[self._name](event)

    def named(self, text: str) -> None:
        """No clip has a name in it."""

    def volume(self, level: float) -> None:
        """As it is."""


@contextmanager
def core_with(
    state: Path, on_say: Mapping[str, list[Event]], programme: Programme | None = None
) -> Iterator[None]:
    """A simulated core in a thread, whose reader and voice are fakes."""
    ready, loops, ends = Flag(), [], []
    delivers: dict[str, Deliver] = {}

    def make(driver: str, **options: Any) -> Fake:
        return Fake(delivers, driver, on_say)

    async def serve() -> None:
        settings = load_settings("simulated")
        devices = {name: settings.devices[name] for name in ("reader", "speech")}
        machine = Machine(clock=CLOCK, make_driver=make, check_ground=lambda folder, *, test: None)
        core = Core(
            settings.model_copy(update={"devices": devices}),
            state,
            state / "run",
            programme=programme,
            machine=machine,
        )
        await core.open()
        loops.append(asyncio.get_running_loop())
        ends.append(asyncio.Event())
        ready.set()
        try:
            await ends[0].wait()
        finally:
            await core.close()

    thread = Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert ready.wait(LIMIT_S)
        yield
    finally:
        loops[0].call_soon_threadsafe(ends[0].set)
        thread.join(LIMIT_S)


def test_the_census_by_command(loto: Loto, tmp_path: Path) -> None:
    """Followed to its end, shown as a sheet, kept in a file; then a waiver, with its name or not at
    all."""
    laid: list[Event] = [TagRead("reader", simulated_tag(knob), 0.0) for knob in ALL]
    with core_with(tmp_path, {"census-begin": laid}):
        done = loto("census", "--state", tmp_path, "--print", tmp_path / "sheet.txt")
        assert (done.code, "ninety of ninety" in done.out) == (EXIT_DONE, True)
        assert (tmp_path / "sheet.txt").read_text().count("[x]") == 90
        assert '"state": "good"' in loto("census", "--state", tmp_path, "--json").out
        one_sentence(
            loto("census", "--waive", "late", "--state", tmp_path), EXIT_USAGE, "add --who"
        )
        waived = loto("census", "--waive", "late", "--who", "Anna", "--state", tmp_path)
        assert "without a good census (line" in waived.out
        unwritable = loto("census", "--state", tmp_path, "--print", tmp_path / "no" / "sheet.txt")
        assert (unwritable.code, "the sheet cannot be written" in unwritable.err) == (
            EXIT_USAGE,
            True,
        )
        assert loto("do", "open", "--state", tmp_path).code == EXIT_DONE
        one_sentence(loto("census", "--state", tmp_path), EXIT_NO, "between games")


def test_the_self_test_by_command(loto: Loto, tmp_path: Path) -> None:
    """A table of what was tried; exit code 3 when something has a fault; as JSON for programs;
    waived."""
    with core_with(tmp_path, {"self-test-begin": []}):
        done = loto("selftest", "--no-hands", "--state", tmp_path)
        assert (done.code, "the self-test is passed" in done.out) == (EXIT_DONE, True)
        assert "nobody was there to try it" in done.out
    with core_with(
        tmp_path, {"welcome": [], "self-test-begin": [DeviceLost("reader", "unplugged", 0.0)]}
    ):
        bad = loto("selftest", "--state", tmp_path)
        assert (bad.code, "a fault in: reader" in bad.out) == (EXIT_DEVICE, True)
        assert '"result": "fault"' in loto("selftest", "--json", "--state", tmp_path).out
        waived = loto("selftest", "--waive", "x", "--who", "Anna", "--state", tmp_path).out
        assert "in spite of the faults (line" in waived


@pytest.mark.parametrize(
    ("profile", "over", "strict"),
    [
        ("rfid", {}, True),
        ("ten-readers", {}, True),
        ("rfid", {"game": {"census": "off"}}, False),
        ("button", {}, False),
        ("simulated", {}, False),
    ],
)
def test_which_nights_are_strict(
    tmp_path: Path, profile: str, over: dict[str, Any], *, strict: bool
) -> None:
    """Real ones of a hall with a reader, unless its settings say otherwise; it stands in the
    night's first line."""
    settings = load_settings(profile, over=over)
    devices = {name: table for name, table in settings.devices.items() if name.startswith("reader")}
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / PACK_FILE).write_text(small_pack().to_csv())
    delivers: dict[str, Deliver] = {}

    def make(driver: str, **options: Any) -> Fake:
        return Fake(delivers, driver, {})

    async def begun() -> None:
        machine = Machine(clock=CLOCK, make_driver=make, check_ground=lambda folder, *, test: None)
        core = Core(
            settings.model_copy(update={"devices": devices}),
            tmp_path,
            tmp_path / "run",
            machine=machine,
        )
        await core.open()
        await core.close()

    run(begun())
    with night_in(half(tmp_path, test=settings.simulated)) as night:
        assert night.hall.ready.strict is strict
        assert night.test is (profile == "simulated")
