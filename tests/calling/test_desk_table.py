"""The desk with a company at the table: one button leads the evening; pictures are called, lit and
shown in place of numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from drivers import Cavity, DeviceFound, DeviceLost, Light, Pressed, Released, TagLeft, TagRead
from station.night.table.game import next_step
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.programme.themes import load_theme
from station.programme.themes.pictures import drawings
from station.record.requests import Done, Refused
from station.settings.readers import ReaderUse, Use
from tests.company import table_of
from tests.support import Table, run_by_hand, settle, table_in, tag_of

DRAW = Pressed("draw", 0.0)
TWELVE = TablePlan(cards=12)
PARLOUR = Programme(
    name="GameInPlay", games=(GamePlan(name="Second Method", method="loto-second", table=TWELVE),)
)
PLAYERS = [{"name": "Anna"}, {"name": "Bruno"}]


def pictured(theme: str) -> Programme:
    return Programme(name="Pictures", games=(GamePlan(name="Pictures", theme=theme),))


@pytest.fixture
def desk(tmp_path: Path) -> Any:
    """Runs a test at a desk with this programme."""

    def run_it(programme: Programme, work: Any, **settings: Any) -> None:
        async def whole(table: Table) -> None:
            await work(table)
            await settle()
            await table.desk.close()

        with table_in(tmp_path, programme=programme, **settings) as table:
            run_by_hand(whole(table))

    return run_it


async def done(table: Table, act: str, **arguments: Any) -> None:
    assert isinstance(await table.wish(act, **arguments), Done)
    await table.heard()


def test_one_button_leads_a_drawing(desk: Any) -> None:
    """It counts, draws ten times, settles: each knob heard and lit in its cavity; before it in
    letters whose turn it is."""

    async def work(table: Table) -> None:
        await done(table, "sit", players=PLAYERS)
        for press in range(13):
            if press == 1:
                assert table.outputs.messages[-1] == "Anna counts the balls: 90"
            await table.receive(DRAW)
            await table.heard()
        assert len(table.outputs.called) == 10
        lit = [cavities for kind, cavities in table.outputs.log if kind == "light"]
        assert [
            knob and knob.number for knob in max(lit, key=lambda one: sum(map(bool, one)))
        ] == table.outputs.called
        assert table.outputs.messages[-1] == "Bruno counts the balls: 90"
        shown = table.outputs.view.table
        assert shown is not None
        assert shown.step == "shake"
        assert table.outputs.said[-1][0] == "drawing-settled"

    desk(PARLOUR, work)


ENDINGS = [
    ("settle", GamePlan(name="Drawings", method="loto-second", table=TWELVE)),
    (
        "close",
        GamePlan(name="Quarters", method="loto-parlour", table=TablePlan(stake=200, cards=12)),
    ),
]


@pytest.mark.parametrize(("step", "plan"), ENDINGS, ids=[step for step, _ in ENDINGS])
@pytest.mark.parametrize("button", ["draw", "next"])
def test_a_press_while_the_last_number_is_said_ends_nothing(
    desk: Any, step: str, plan: GamePlan, button: str
) -> None:
    """Whoever presses then means to draw on: no drawing is settled and no game closed before the
    hall has heard its number."""
    press = (Pressed(button, 0.0), Released(button, 0.1, 0.1))

    async def work(table: Table) -> None:
        await done(table, "sit", players=PLAYERS)
        await done(table, "open")
        await done(table, "shake", counted=90)
        while True:
            assert isinstance(await table.wish("draw"), Done)
            assert table.session.hall.at_table is not None
            if next_step(table.session.hall.at_table) == step:
                break
            await table.heard()
        before = table.session.seq
        await table.receive(*press)
        assert table.session.seq == before
        await table.heard()
        await table.receive(*press)
        act = table.told[-1].act
        assert (act.move["do"] if act.act == "move" else act.act) == step

    desk(Programme(name="t", games=(plan,)), work, buttons=("draw", "next", "off"))


async def drawing(table: Table, knobs: range, notices_s: float) -> None:
    """Each knob is laid on the reader, a second after the other; after so many the reader notices
    that one is gone."""
    for at, knob in enumerate(knobs):
        await table.receive(TagRead("reader", tag_of(knob), at))
        await table.heard()
        if knob != knobs[-1]:
            await table.receive(TagLeft("reader", tag_of(knob), at + notices_s))


def test_a_knob_that_lies_on_the_reader_is_not_in_the_bag(desk: Any) -> None:
    """Nobody counts it there by hand, from page or button, whose lamp is dark; lifted, or from a
    reader that is lost, he does."""
    refusal = "10 lies on the reader: put it into the bag, then count"

    async def work(table: Table) -> None:
        await done(table, "sit", players=PLAYERS)
        await done(table, "open")
        await done(table, "shake", counted=90)
        await drawing(table, range(1, 11), notices_s=0.5)
        await done(table, "move", move={"do": "settle"})
        refused = await table.wish("shake", counted=90)
        assert isinstance(refused, Refused)
        assert (refused.reason, refused.say) == ("bag-not-whole", refusal)
        assert table.outputs.lamps["draw"] is Light.OFF
        await table.receive(DRAW)
        assert table.outputs.view.notice == refusal
        assert table.outputs.view.table.step == "shake"
        lost = DeviceLost("reader", "the reader does not answer", 20.0)
        await table.receive(lost)
        assert table.outputs.lamps["draw"] is Light.ON
        await table.receive(DeviceFound("reader", 21.0), TagLeft("reader", tag_of(10), 22.0))
        assert table.outputs.lamps["draw"] is Light.ON
        await done(table, "shake", counted=90)

    desk(PARLOUR, work)


def test_a_knob_before_the_count_asks_for_the_count(desk: Any) -> None:
    """Aloud and on the screens, in the hall's own words; nothing is drawn."""

    async def work(table: Table) -> None:
        await done(table, "sit", players=PLAYERS)
        await done(table, "open")
        await drawing(table, range(5, 6), notices_s=0.5)
        assert table.outputs.said[-1] == ("count-knobs",)
        assert table.outputs.view.notice == "Count the balls, and shake the bag."
        assert table.session.hall.out_of_bag == ()

    desk(PARLOUR, work)


def test_a_reader_that_never_notices_hinders_nobody(desk: Any) -> None:
    """Where only the next knob shows that the one before is gone, the last one may lie in the bag:
    the host is believed."""

    async def work(table: Table) -> None:
        await done(table, "sit", players=PLAYERS)
        await done(table, "open")
        await done(table, "shake", counted=90)
        await drawing(table, range(1, 11), notices_s=1.0)
        await done(table, "move", move={"do": "settle"})
        await done(table, "shake", counted=90)

    desk(PARLOUR, work)


def test_knobs_left_in_the_cavities_are_not_in_the_bag(desk: Any) -> None:
    """All are named; one that is put away lies where it wants."""
    cavities = {f"reader-{place}": ReaderUse(Use.TRAY, place, "rfid") for place in range(1, 11)}

    async def work(table: Table) -> None:
        await done(
            table, "sit", players=[{"name": "Anna", "takes": 1}, {"name": "Bruno", "takes": 1}]
        )
        await done(table, "open")
        state: Any = table_of(table.session.hall).state
        taken = {
            number
            for serials in state.taken
            for serial in serials
            for number in state.setup.cards[serial].numbers
        }
        one, two, *others = sorted({*range(1, 91)} - taken)[:10]
        await done(table, "shake", counted=90)
        for reader, knob in zip(cavities, (one, two, *others), strict=True):
            await table.receive(TagRead(reader, tag_of(knob), 0.0))
            await table.heard()
        await done(table, "move", move={"do": "settle"})
        await table.receive(
            *(
                TagLeft(reader, tag_of(knob), 1.0)
                for reader, knob in zip(list(cavities)[2:], others, strict=True)
            )
        )
        refused = await table.wish("shake", counted=90)
        assert isinstance(refused, Refused)
        assert (
            refused.say == f"{one} and {two} lie on the readers: put them into the bag, then count"
        )
        await done(table, "move", move={"do": "put-away", "number": one})
        refused = await table.wish("shake", counted=89)
        assert isinstance(refused, Refused)
        assert refused.say == f"{two} lies on the reader: put it into the bag, then count"
        await table.receive(TagLeft("reader-2", tag_of(two), 2.0))
        await done(table, "shake", counted=89)

    desk(PARLOUR, work, readers=cavities)


@pytest.mark.parametrize("button", ["draw", "next"])
def test_a_press_waits_for_the_tenth_number(desk: Any, button: str) -> None:
    """While it is called its lamp is dark and nothing is settled; once it was heard, the press
    settles."""

    async def work(table: Table) -> None:
        await done(table, "sit", players=PLAYERS)
        await done(table, "open")
        await done(table, "shake", counted=90)
        for number in range(1, 10):
            await done(table, "draw", number=number)
        await table.wish("draw", number=10)
        for _ in range(2):
            await table.receive(Pressed(button, 0.0))
            assert table.outputs.view.table.step == "settle"
            assert table.outputs.lamps[button] is Light.OFF
        await table.heard()
        assert table.outputs.lamps[button] is Light.ON
        await table.receive(Pressed(button, 0.0))
        assert table.outputs.view.table.step == "shake"

    desk(PARLOUR, work)


def test_a_restart_in_a_drawing_says_the_last_number(tmp_path: Path) -> None:
    """The knobs on the board are lit again, and the last number is said again."""

    async def first(table: Table) -> None:
        await done(table, "sit", players=PLAYERS)
        for act, more in (
            ("open", {}),
            ("shake", {"counted": 90}),
            ("draw", {"number": 7}),
            ("draw", {"number": 42}),
        ):
            await done(table, act, **more)
        await table.desk.close()

    async def second() -> None:
        with table_in(tmp_path) as table:
            table.desk.begin(resumed=True)
            await settle()
            assert table.outputs.said == [("last-number", "number.42")]
            [lit] = [cavities for kind, cavities in table.outputs.log if kind == "light"][:1]
            assert lit[:2] == (Cavity(7), Cavity(42, newest=True))
            await table.desk.close()

    with table_in(tmp_path, programme=PARLOUR) as table:
        run_by_hand(first(table))
    run_by_hand(second())


@pytest.mark.parametrize("chime", [True, False])
def test_a_picture_is_called_by_its_line(desk: Any, chime: bool) -> None:
    """Where the voice has it; the pages hear the number; where it has not, everybody does."""
    spoken = f"{load_theme('geographical').spoken(84, 'en')}."

    async def work(table: Table) -> None:
        before = ("chime",) if chime else ()
        await done(table, "open")
        await done(table, "draw", number=7)
        assert table.outputs.said[-1] == (*before, "number.7")
        table.outputs.names[spoken] = "name.lima"
        await done(table, "draw", number=84)
        assert table.outputs.said[-1] == (*before, "name.lima")
        view = table.outputs.view
        assert view.theme is not None
        assert view.theme.key == "geographical"
        assert view.say is not None
        assert (view.say.text, view.say.clips[-1]) == (spoken, "number.84")

    desk(pictured("geographical"), work, chime=chime)


def test_the_board_lights_pictures_that_it_has(desk: Any) -> None:
    """Those that can be told apart; of the others the number."""
    lamps = drawings(load_theme("picture"))
    number = next(iter(lamps))

    async def work(table: Table) -> None:
        await done(table, "open")
        await done(table, "draw", number=number)
        lit = [cavities for kind, cavities in table.outputs.log if kind == "light"][-1]
        assert lit[0] == Cavity(number, newest=True, drawing=lamps[number])

    desk(pictured("picture"), work)
