"""The bag of a game at the table, counted over the reader: ticked off, recorded once it is whole,
refused while it is not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any

import pytest

from drivers import Event, Light, Pressed, ReadRefused, Refusal, Released, TagRead
from drivers.making import make_driver
from drivers.readers.rfid import QUIET_S
from station.base.errors import EXIT_DONE, EXIT_NO
from station.cards.pack import make_pack
from station.core.simulation.server import simulated_tag
from station.games.loto_second.rules import State as Second
from station.night.acts import Census, DrawKnob, Shake
from station.night.table.game import next_step
from station.people.roles import Person, Role
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.record.journal import read
from station.record.nights import StateFolder, begin
from station.record.requests import Done, Refused
from tests.calling.test_preparing import ALL, core_with, recorded, said
from tests.commands.test_app import Loto, loto, one_sentence
from tests.company import table_of
from tests.drill.evening import AT_ONCE
from tests.drill.virtual_lines import VirtualReader
from tests.drill.virtual_time import VirtualLoop, VirtualSleeper
from tests.support import (
    OPENING,
    STATION_KEY,
    Table,
    pass_time,
    run_by_hand,
    settle,
    table_in,
    tag_of,
)

__all__ = ["loto"]  # the fixture, of this file too

SECOND = GamePlan(name="Second Method", method="loto-second", table=TablePlan(stake=240, cards=6))
PARLOUR = GamePlan(name="Whole stakes", method="loto-parlour", table=TablePlan(stake=100, cards=6))
PROGRAMME = Programme(name="At the table", games=(SECOND, PARLOUR))
PLAYERS = [{"name": "Dora", "takes": 1}, {"name": "Emil", "takes": 1}]
ANNA = Person("Anna", Role.CALLER)
SPARE = 99  # the tag of another knob 1
STRANGE = 12345


def at_the_table(
    work: Callable[[Table], Coroutine[Any, Any, None]],
    folder: Path,
    programme: Programme = PROGRAMME,
) -> None:
    """Runs it at a desk whose time is ours, at a table whose cards are dealt."""

    async def evening() -> None:
        with table_in(
            folder, programme=programme, spares={SPARE: 1}, buttons=("draw", "next")
        ) as table:
            if not table.session.hall.game_open:
                await table.wish("sit", players=PLAYERS)
                await table.wish("open")
            await quiet(table)
            try:
                await work(table)
            finally:
                await table.desk.close()

    run_by_hand(evening())


async def quiet(table: Table) -> None:
    """All that is said is heard."""
    while table.outputs.unheard:
        await table.heard()


async def lay(table: Table, *knobs: int) -> None:
    """These knobs, one after the other."""
    for knob in knobs:
        await table.read(knob)


def counting(table: Table) -> dict[str, Any]:
    """What the station tells of the count."""
    return dict(table.desk.answers()["census"])


async def refused(table: Table, act: str, **arguments: Any) -> Refused:
    answer = await table.wish(act, **arguments)
    assert isinstance(answer, Refused), (act, answer)
    return answer


async def one_put_away(table: Table) -> int:
    """A whole drawing, after which the company puts a knob away that stands on nobody's card; gives
    it."""
    state: Any = table_of(table.session.hall).state
    assert isinstance(state, Second)
    taken = {
        number
        for serials in state.taken
        for serial in serials
        for number in state.setup.cards[serial].numbers
    }
    strange = [number for number in ALL if number not in taken]
    await table.wish("shake", counted=90)
    for number in strange[:10]:
        await table.wish("draw", number=number)
        await quiet(table)
    await table.wish("move", move={"do": "settle"})
    assert isinstance(await table.wish("move", move={"do": "put-away", "number": strange[0]}), Done)
    await quiet(table)
    return strange[0]


# -- through the reader ----------------------------------------------------------------------------


def test_a_bag_passes_the_reader(tmp_path: Path) -> None:
    """Byte by byte through the real decoder, a cable pulled half-way: counted to the ninetieth,
    recorded, and none is drawn."""

    async def evening() -> None:
        folder = StateFolder(tmp_path, least_room=0)
        pack = make_pack(2, Random(7))
        night = begin(folder, pack, PROGRAMME, OPENING, key=STATION_KEY, writer=AT_ONCE)
        table, hand = Table(night), VirtualReader()
        clock = asyncio.get_running_loop().time
        sleeper = VirtualSleeper("line", lambda _: None, clock=clock)

        def at_the_line(name: str, turn: Any, *, clock: Any) -> VirtualSleeper:
            nonlocal sleeper
            sleeper = VirtualSleeper(name, turn, clock=clock, waits_s=QUIET_S)
            return sleeper

        reader = make_driver(
            "rfid", port="/dev/reader", clock=clock, sleeper=at_the_line, connect=hand.connect
        )
        hand.on_bytes = lambda: sleeper.wake()
        reader.open(table.desk.receive)
        await table.wish("sit", players=PLAYERS)
        await table.wish("open")
        await table.wish("census-begin", by=ANNA)
        for count, knob in enumerate(reversed(ALL), 1):
            hand.drop(tag_of(knob))
            await asyncio.sleep(0.2)
            if count < 90:  # the last one still lies there when the game goes on
                hand.lift()
            await asyncio.sleep(1.2)
            if count == 40:
                assert table.desk.view().notice == "40 / 90"
                hand.unplug()
                await asyncio.sleep(1.0)
                assert [sign.device for sign in table.desk.view().signs] == ["reader"]
                hand.plug()
                await asyncio.sleep(10.0)
                assert not table.desk.view().signs
                assert counting(table)["active"]
        await asyncio.sleep(1.0)
        change = table.told[-1]
        assert isinstance(change.act, Shake)
        assert (change.act.counted, change.act.found) == (90, ALL)
        line = read(night.journal.path).lines[-1]
        assert (line["by"], line["via"]) == ("Anna", "reader")
        assert sorted(said(table)[-2:]) == ["knobs-in-bag", "number.90"]
        hand.unplug()
        await asyncio.sleep(2.0)
        hand.plug()
        await asyncio.sleep(10.0)
        assert not recorded(table, DrawKnob), (
            "the reader has read it again, and nobody has drawn it"
        )
        assert table.desk.view().notice.startswith(
            "1 was counted last, and lies on the reader: put it into the bag"
        )
        hand.lift()
        await asyncio.sleep(2.0)
        hand.drop(tag_of(17))
        await asyncio.sleep(1.0)
        assert table.session.hall.out_of_bag == (17,), "it is counted: a knob is drawn again"
        reader.close()
        hand.close()
        await table.desk.close()
        night.journal.close()
        folder.close()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(evening())


def test_the_last_knob_may_be_the_first_one_drawn(tmp_path: Path) -> None:
    """Laid once it may only have been read again: what to do is said; laid once more it is drawn,
    and after another at once."""

    def drawn(table: Table) -> list[int]:
        return list(table.session.hall.out_of_bag)

    async def work(table: Table) -> None:
        await table.wish("census-begin")
        await lay(table, *ALL)
        await quiet(table)
        lines = table.session.seq
        await lay(table, 90)
        assert (drawn(table), table.session.seq) == ([], lines)
        assert "90 was counted last" in table.desk.view().notice
        await lay(table, 90)
        assert drawn(table) == [90]
        await quiet(table)
        await table.wish("undo", why="misread")
        await lay(table, 4)
        await quiet(table)
        await lay(table, 90)
        assert drawn(table) == [4, 90]

    at_the_table(work, tmp_path)


def test_before_the_first_knob_of_the_first_method(tmp_path: Path) -> None:
    """Once, before the first knob; afterwards no bag waits to be counted."""

    async def work(table: Table) -> None:
        assert isinstance(await table.wish("census-begin"), Done)
        await lay(table, *ALL)
        assert table_of(table.session.hall).shaken
        await quiet(table)
        await lay(table, 3)
        assert table.session.hall.out_of_bag == (3,)
        assert "found" not in counting(table), "what was counted is of no interest any more"
        assert (await refused(table, "census-begin")).reason == "not-waiting"

    at_the_table(work, tmp_path, Programme(name="x", games=(PARLOUR,)))


# -- what is wrong ---------------------------------------------------------------------------------

GOOD = tuple(TagRead("reader", tag_of(knob), 0.0) for knob in ALL)


@pytest.mark.parametrize(
    ("events", "says", "spoken"),
    [
        (GOOD[:-2], "missing: 89 and 90", ("census-missing", "number.89", "number.90")),
        (
            (*GOOD[:-1], TagRead("reader", SPARE, 0.0)),
            "two balls with one number: 1",
            ("census-missing", "number.90", "census-two"),
        ),
        (
            (TagRead("reader", STRANGE, 0.0), *GOOD),
            f"foreign tags: {STRANGE:010}",
            ("census-foreign",),
        ),
        (
            (ReadRefused("reader", Refusal.CHECK, 0.0), *GOOD[1:]),
            "missing: 1.",
            ("census-missing", "number.1"),
        ),
        (
            GOOD[:50],
            (
                "missing: 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68"
                " and more."
            ),
            ("census-missing",),
        ),
    ],
    ids=["missing", "twice", "foreign", "unreadable", "few"],
)
def test_a_bag_that_is_not_as_it_must_be(
    tmp_path: Path, events: tuple[Event, ...], says: str, spoken: tuple[str, ...]
) -> None:
    """Its count is refused with what is wrong, said and told; nothing is recorded; only what was
    wrong is laid again."""

    async def work(table: Table) -> None:
        lines = table.session.seq
        await table.wish("census-begin")
        await table.receive(*events)
        why = await refused(table, "census-end")
        assert why.reason == "bag-not-whole"
        assert says in why.say
        assert table.outputs.said[-1] == spoken
        told = counting(table)
        assert (told["active"], told["state"], table.session.seq) == (False, "faulty", lines)
        assert all(fault[:70] in why.say for fault in told["faults"])
        await table.wish("census-begin", go_on=True)
        await lay(table, *counting(table)["missing"])
        await settle()
        act = table.told[-1].act
        assert isinstance(act, Shake)
        assert (act.counted, act.found) == (90, ALL)
        assert counting(table)["state"] == "good"

    at_the_table(work, tmp_path)


def test_a_knob_that_is_put_away_is_not_expected(tmp_path: Path) -> None:
    """Eighty-nine make the bag whole. The one that was put away is named as soon as it comes, and
    must be taken out."""

    async def work(table: Table) -> None:
        away = await one_put_away(table)
        others = [knob for knob in ALL if knob != away]
        await table.wish("census-begin")
        await lay(table, *others[:-1])
        assert table.desk.view().notice == "88 / 89"
        assert f"; missing: {others[-1]}. Put" in (await refused(table, "census-end")).say
        assert table.outputs.said[-1] == ("census-missing", f"number.{others[-1]}")
        await table.wish("census-begin", go_on=True)
        await lay(table, away)
        assert table.outputs.said[-1] == ("put-away", f"number.{away}")
        await lay(table, others[-1])
        told = counting(table)
        assert (told["missing"], told["away"], told["faults"]) == (
            [],
            [away],
            [f"put away, and among them: {away}"],
        )
        assert f"among them: {away}" in (await refused(table, "census-end")).say
        # it has been taken out, and nothing else was wrong
        await table.wish("census-begin", go_on=True)
        await settle()
        act = table.told[-1].act
        assert isinstance(act, Shake)
        assert (act.counted, act.found, act.away) == (89, tuple(others), (away,))

    at_the_table(work, tmp_path)


# -- meanwhile -------------------------------------------------------------------------------------


@pytest.mark.parametrize("button", ["draw", "next"])
def test_a_button_does_not_say_that_the_bag_was_counted(tmp_path: Path, button: str) -> None:
    """While it is being counted the press does nothing and says why, and the button's lamp is dark;
    the count goes on."""

    async def work(table: Table) -> None:
        assert table.outputs.lamps[button] is Light.ON
        await table.wish("census-begin")
        await lay(table, 1, 2)
        await quiet(table)
        told = len(table.told)
        assert table.outputs.lamps[button] is Light.OFF
        await table.receive(Pressed(button, 0.0), Released(button, 0.1, 0.1))
        await pass_time(1.0)
        assert "being counted over the reader" in table.desk.view().notice
        assert (len(table.told), counting(table)["found"]) == (told, [1, 2])
        await lay(table, *ALL[2:])
        assert table_of(table.session.hall).shaken
        assert table.outputs.lamps["draw"] is Light.ON

    at_the_table(work, tmp_path)


def test_counted_by_hand_meanwhile(tmp_path: Path) -> None:
    """Somebody says that he counted them: that is the count, and a knob that comes to the reader
    then is drawn."""

    async def work(table: Table) -> None:
        await table.wish("census-begin")
        await lay(table, 1, 2, 3)
        assert isinstance(await table.wish("shake", counted=90), Done)
        assert (await refused(table, "census-end")).reason == "no-census"
        assert not counting(table)["active"]
        await quiet(table)
        await lay(table, 3)
        assert table.session.hall.out_of_bag == (3,)
        assert "found" not in counting(table)

    at_the_table(work, tmp_path)


def test_the_last_one_is_put_away_meanwhile(tmp_path: Path) -> None:
    """The company puts away the one knob that has not come: then the bag is whole."""

    async def work(table: Table) -> None:
        first = await one_put_away(table)
        state: Any = table_of(table.session.hall).state
        second = next(number for number in state.came if number != first)
        await table.wish("census-begin")
        await lay(table, *(knob for knob in ALL if knob not in (first, second)))
        assert counting(table)["missing"] == [second]
        await table.wish("move", move={"do": "put-away", "number": second})
        await settle()
        assert isinstance(table.told[-1].act, Shake)
        assert table.told[-1].act.counted == 88

    at_the_table(work, tmp_path)


def test_a_game_that_is_broken_off_meanwhile(tmp_path: Path) -> None:
    """No bag waits any more: the count is given up, and is no census of the hall's; the next one
    begins anew."""

    async def work(table: Table) -> None:
        await table.wish("census-begin")
        await lay(table, *ALL[:-1])
        assert isinstance(await table.wish("break", why="no light"), Done)
        assert not counting(table)["active"]
        await lay(table, 90)
        assert not recorded(table, Census)
        await table.wish("census-begin", go_on=True)
        assert counting(table)["found"] == []
        await lay(table, *ALL)
        assert recorded(table, Census) == [Census(found=ALL, who="admin")]

    at_the_table(work, tmp_path)


def test_a_start_in_the_middle(tmp_path: Path) -> None:
    """Nothing was recorded: the bag waits as before, and the count begins with the first knob."""

    async def before(table: Table) -> None:
        await table.wish("census-begin")
        await lay(table, *ALL[:50])

    async def after(table: Table) -> None:
        assert next_step(table_of(table.session.hall)) == "shake"
        assert not counting(table)["active"]
        await table.wish("census-begin", go_on=True)
        assert counting(table)["found"] == []
        await lay(table, *ALL)
        assert table_of(table.session.hall).shaken

    at_the_table(before, tmp_path)
    at_the_table(after, tmp_path)


@pytest.mark.parametrize(
    ("acts", "act", "reason"),
    [
        ([{"act": "shake", "counted": 90}], "census-begin", "not-waiting"),
        ([{"act": "shake", "counted": 90}, {"act": "draw"}], "census-begin", "not-waiting"),
        ([{"act": "census-begin"}], "census-begin", "preparing"),
        ([{"act": "census-begin"}], "draw", "bag-not-counted"),
        ([], "census-end", "no-census"),
        ([], "self-test-begin", "game-open"),
    ],
)
def test_only_while_the_bag_waits(
    tmp_path: Path, acts: list[dict[str, Any]], act: str, reason: str
) -> None:
    """Before the first knob of a drawing, once; the machine is tested between games as ever."""

    async def work(table: Table) -> None:
        for done in acts:
            arguments = dict(done)
            assert isinstance(await table.wish(arguments.pop("act"), **arguments), Done)
        assert (await refused(table, act)).reason == reason

    at_the_table(work, tmp_path)


# -- the command -----------------------------------------------------------------------------------


def test_the_bag_by_command(loto: Loto, tmp_path: Path) -> None:
    """The same command counts the bag: followed to its end on the sheet, with its exit code; then
    no bag waits."""
    laid: list[Event] = [TagRead("reader", simulated_tag(knob), 0.0) for knob in ALL]
    with core_with(tmp_path, {"census-begin": laid}, PROGRAMME):
        where = ("--state", tmp_path)
        assert loto("table", "sit", "Dora", "Emil", *where).code == EXIT_DONE
        assert loto("do", "open", *where).code == EXIT_DONE
        done = loto("census", *where)
        assert (done.code, done.out.count("[x]"), "ninety of ninety" in done.out) == (
            EXIT_DONE,
            90,
            True,
        )
        assert "(./loto draw)" in loto("table", "show", *where).out
        one_sentence(loto("census", *where), EXIT_NO, "no bag waits")
