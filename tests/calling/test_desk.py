"""The desk: what a press, a knob and the clock mean, and that a change is heard, lit and shown, in
this order."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from drivers import (
    SHORT,
    Cavity,
    Cure,
    DeviceFound,
    DeviceLost,
    DeviceStarting,
    Light,
    Misread,
    Pressed,
    ReadRefused,
    Refusal,
    Released,
    SoundEnded,
    TagConfirmed,
    TagLeft,
    TagRead,
)
from station.base.disk import Disk
from station.base.nouns import Style
from station.calling.caller_state import CALL_LIMIT_S
from station.calling.questions import look_at_card
from station.calling.trouble import SCOLD_PAUSE_S
from station.cards.marking import Marks
from station.people.roles import Person, Role
from station.record.journal import read
from station.record.requests import Done, Refused
from station.rules.patterns import ROW
from station.views.telling import teller
from station.wire.board_view import Phase, SignView
from station.wire.wording import load_wording
from tests.support import (
    ADMIN,
    BROKEN,
    NO_ROOM,
    MemoryDisk,
    Table,
    pass_time,
    run_by_hand,
    settle,
    table_in,
)

Work = Callable[[Table], Coroutine[Any, Any, None]]
WORDING = load_wording("en")
DRAW, CLAIM, NEXT = (Pressed(button, 0.0) for button in ("draw", "claim", "next"))


@pytest.fixture
def at_table(tmp_path: Path) -> Callable[..., None]:
    """Runs a test at a table whose first game is open and whose opening words were heard."""

    def run_it(
        work: Work, *, opened: bool = True, disk: Disk | None = None, **settings: Any
    ) -> None:
        async def whole(table: Table) -> None:
            if opened:
                await table.wish("sell", serials=["0001", "0002"], to="Anna")
                await table.wish("open")
                await table.heard()
                table.outputs.log.clear()
            await work(table)
            await settle()
            await table.desk.close()

        with table_in(tmp_path, disk, **settings) as table:
            run_by_hand(whole(table))

    return run_it


def reason(answer: Any) -> str:
    assert isinstance(answer, Refused), answer
    return answer.reason


# -- the order out ---------------------------------------------------------------------------------


def test_a_call_is_heard_then_lit_then_shown(at_table: Any) -> None:
    """After a press: voice, board, screens, each with the same number; the lamp of the button goes
    out until it was heard."""

    async def work(table: Table) -> None:
        await table.receive(DRAW)
        [number] = table.calls
        assert [kind for kind, _ in table.outputs.log] == ["say", "light", "view"]
        assert table.outputs.said == [(f"number.{number}",)]
        assert table.outputs.log[1] == ("light", (Cavity(number, newest=True), *[None] * 9))
        view = table.outputs.view
        assert (view.called, view.calling, view.last) == ((number,), True, number)
        assert view.say is not None
        assert view.say.clips == (f"number.{number}",)
        assert table.outputs.lamps["draw"] is Light.OFF
        await table.heard()
        assert table.outputs.view.calling is False
        assert table.outputs.lamps["draw"] is Light.ON

    at_table(work)


def test_a_change_is_shown_once_and_after_it_was_recorded(at_table: Any) -> None:
    """A knob, a press, a claim, a wish: no screen is sent anything on the way to the record, and
    one view of each change after it; but where an undo ends automatic calling, which is said
    besides."""

    async def work(table: Table) -> None:
        shown: list[tuple[int, int]] = []
        table.outputs.on_view = lambda view: shown.append((len(table.told), view.seq))
        for does in (
            lambda: table.read(42),
            lambda: table.wish("undo"),
            lambda: table.receive(DRAW),
            lambda: table.receive(CLAIM),
            lambda: table.wish("claim", serial="0001"),
            lambda: table.receive(NEXT),
            lambda: table.wish("sell", serials=["0003"]),
            lambda: table.wish("close"),
        ):
            recorded = len(table.told)
            shown.clear()
            await does()
            assert shown == [(recorded + 1, table.session.seq)]
            await table.heard()
        await table.wish("open")
        await table.read(42)
        await table.heard()
        await table.wish("auto", on=True)
        shown.clear()
        await table.wish("undo")
        assert len(shown) == 2

    at_table(work)


@pytest.mark.parametrize(
    ("settings", "clips"),
    [
        ({"style": Style.DIGITS}, ("number.42", "number.4", "number.2")),
        ({"chime": True}, ("chime", "number.42")),
    ],
)
def test_a_call_in_the_halls_style(
    at_table: Any, settings: dict[str, Any], clips: tuple[str, ...]
) -> None:
    """Digits after the number, or a chime before it, as the settings say."""

    async def work(table: Table) -> None:
        await table.read(42)
        assert table.outputs.said == [clips]

    at_table(work, **settings)


def test_a_night_begins_with_a_welcome_and_a_restart_with_the_last_number(tmp_path: Path) -> None:
    """What is on disk is lit and said again after a start; a game without numbers, or no game, says
    nothing again."""

    async def first(table: Table) -> None:
        table.desk.begin(resumed=False)
        assert table.outputs.said == [("welcome",)]
        await table.wish("open")
        await table.read(37)

    async def again(table: Table) -> None:
        table.desk.begin(resumed=True)
        assert table.outputs.said == [("last-number", "number.37")]
        assert table.outputs.log[0] == ("light", (Cavity(37, newest=True), *[None] * 9))
        assert table.outputs.view.called == (37,)
        assert table.outputs.view.say is not None
        assert table.outputs.view.say.text == "The last number was thirty-seven"
        await table.wish("close")

    async def between(table: Table) -> None:
        table.desk.begin(resumed=True)
        assert table.outputs.said == []
        assert table.outputs.view.phase is Phase.BETWEEN

    for work in (first, again, between):
        with table_in(tmp_path) as table:
            run_by_hand(work(table))


# -- presses ---------------------------------------------------------------------------------------


def test_a_press_during_a_call_is_refused_and_never_queued(at_table: Any) -> None:
    """However often the button is pressed while a number is recorded or said: one press, one call;
    none comes later."""

    async def work(table: Table) -> None:
        await table.receive(DRAW, DRAW, DRAW)
        await table.receive(DRAW)
        assert len(table.calls) == 1
        await table.heard()
        await pass_time(60)
        assert len(table.calls) == 1
        await table.receive(DRAW)
        assert len(table.calls) == 2

    at_table(work)


def test_a_busy_answer_is_remembered_and_a_done_one_too(at_table: Any) -> None:
    """The same id gets the same answer during the call, and after it."""

    async def work(table: Table) -> None:
        done = await table.wish("draw", "one")
        assert isinstance(done, Done)
        busy = await table.wish("draw", "two")
        assert reason(busy) == "busy"
        assert await table.wish("draw", "one") == done
        await table.heard()
        assert await table.wish("draw", "two") == busy
        assert await table.wish("draw", "one") == done
        assert len(table.calls) == 1

    at_table(work)


@pytest.mark.parametrize(
    ("acts", "press", "follows"),
    [
        ([], "draw", "draw"),
        ([], "claim", "stop"),
        (["stop"], "draw", None),
        (["stop"], "claim", None),
        (["stop"], "next", "play-on"),
        (["close"], "draw", "open"),
        (["close"], "next", "open"),
        (["close"], "claim", None),
        ([], "next", None),
        ([], "dance", None),
    ],
)
def test_what_a_press_means(
    at_table: Any, acts: list[str], press: str, follows: str | None
) -> None:
    """Each button does the one thing that can be done now, or nothing, and then a line says why."""

    async def work(table: Table) -> None:
        # for the next game: one without cards is asked about
        await table.wish("sell", serials=["0001"])
        for act in acts:
            await table.wish(act)
        await table.heard()
        before = table.session.seq
        log = len(table.outputs.log)
        await table.receive(Pressed(press, 0.0), Released(press, 0.1, 0.1))
        assert table.session.seq == before + (follows is not None)
        if follows is None and press != "dance":
            assert table.outputs.log[log:], "a refused press is answered on the screen"
            assert table.outputs.view.notice
        elif follows is not None:
            assert table.told[-1].act.act == follows

    at_table(work)


# -- knobs -----------------------------------------------------------------------------------------


def test_a_knob_is_called(at_table: Any) -> None:
    """A knob that is read is the number called, by the reader."""

    async def work(table: Table) -> None:
        await table.read(42)
        assert table.calls == (42,)
        assert table.outputs.called == [42]
        assert table.told[-1].via == "reader"

    at_table(work)


def test_a_knob_during_a_call_is_drawn_not_called_and_called_after_it(at_table: Any) -> None:
    """It is not lost and not spoken over: the screen says so, and it is called when the number
    before it was heard."""

    async def work(table: Table) -> None:
        await table.read(42)
        await table.read(7)
        assert table.calls == (42,)
        assert table.outputs.view.notice == "7: drawn, not called"
        await table.heard()
        assert table.calls == (42, 7)
        assert table.outputs.view.notice == ""
        assert table.outputs.called == [42, 7]

    at_table(work)


def test_a_knob_while_a_claim_is_open_waits_for_play_to_go_on(at_table: Any) -> None:
    """It stays drawn, not called, through the check; a press does not call another one instead."""

    async def work(table: Table) -> None:
        await table.read(42)
        await table.heard()
        await table.wish("claim", serial="0001")
        await table.read(7)
        await table.heard()
        await pass_time(30)
        assert table.calls == (42,)
        assert table.outputs.view.notice == "7: drawn, not called"
        await table.wish("play-on")
        await settle()
        assert table.calls == (42, 7)

    at_table(work)


def test_a_knob_that_meets_a_claim_being_recorded_waits(at_table: Any) -> None:
    """The claim button was faster by a moment: the knob is drawn all the same, and called after the
    check."""

    async def work(table: Table) -> None:
        await table.receive(CLAIM, TagRead("reader", 7007, 0.0))
        assert table.calls == ()
        assert table.outputs.view.notice == "7: drawn, not called"
        await table.wish("play-on")
        await settle()
        assert table.calls == (7,)

    at_table(work)


def test_a_knob_that_meets_a_press_waits(at_table: Any) -> None:
    """The button was faster by a moment: its number is called first, the knob's after it."""

    async def work(table: Table) -> None:
        await table.receive(DRAW, TagRead("reader", 7007, 0.0))
        if 7 in table.calls and len(table.calls) == 1:
            return  # the virtual bag drew the same: nothing to show
        assert len(table.calls) == 1
        await table.heard()
        assert table.calls[1:] == (7,)

    at_table(work)


def test_a_second_knob_meanwhile_is_refused(at_table: Any) -> None:
    """While one knob waits, another on the reader is said to be one too many; the first is called,
    the second never."""

    async def work(table: Table) -> None:
        await table.read(42)
        await table.read(7)
        await table.read(8)
        assert ("two-knobs",) in table.outputs.said
        await table.read(7)  # the one that waits, seen again, is no second one
        assert table.outputs.said.count(("two-knobs",)) == 1
        await table.heard()
        await table.heard()
        assert table.calls == (42, 7)

    at_table(work)


def test_a_knob_that_was_drawn_already_is_named_and_not_called(at_table: Any) -> None:
    """A knob put back by mistake is no call, and nothing is recorded."""

    async def work(table: Table) -> None:
        await table.read(42)
        await table.heard()
        seq = table.session.seq
        await table.read(42)
        assert table.outputs.said[-1] == ("already-drawn",)
        assert (table.calls, table.session.seq) == ((42,), seq)

    at_table(work)


def test_a_knob_between_games_is_not_called_in_the_next(at_table: Any) -> None:
    """Knobs that pass the reader while they are put back are not drawn: the next game begins
    without a number."""

    async def work(table: Table) -> None:
        await table.read(42)
        await table.heard()
        await table.wish("close")
        await table.read(42)
        await table.read(17)
        assert "drawn, not called" not in table.outputs.view.notice
        await table.wish("open")
        await table.heard()
        await pass_time(30)
        assert table.calls == ()

    at_table(work)


def test_a_knob_that_waited_when_the_game_closed_is_not_called_in_the_next(at_table: Any) -> None:
    """Drawn during the last call of a game that was closed then: it goes back into the bag with all
    the others."""

    async def work(table: Table) -> None:
        await table.read(42)
        await table.read(17)
        await table.wish("close")
        await table.heard()
        await table.wish("open")
        await table.heard()
        assert table.calls == ()

    at_table(work)


def test_a_knob_that_is_put_back_while_the_last_number_is_said_is_not_called(at_table: Any) -> None:
    """The game was closed over its last call: what passes the reader on its way into the bag waits
    for no other game."""

    async def work(table: Table) -> None:
        await table.read(42)
        await table.wish("close")
        await table.read(17)
        assert "drawn, not called" not in table.outputs.view.notice
        await table.heard()
        await table.wish("open")
        await table.heard()
        assert table.calls == ()

    at_table(work)


def test_what_is_no_knob_is_said_once_in_a_while(at_table: Any) -> None:
    """A foreign tag, two tags at once, damaged frames: never a call; a reader that sends them all
    the time is scolded once."""

    async def work(table: Table) -> None:
        await table.receive(TagRead("reader", 1, 0.0), TagConfirmed("reader", 1, 0.1))
        assert table.outputs.said == [("unknown-knob",)]
        garbage = [ReadRefused("reader", why, 0.0) for why in Refusal]
        await table.receive(*garbage * 10)
        assert len(table.outputs.said) == 1
        for why, said in (
            (Refusal.CHECK, "two-knobs"),
            (Refusal.ZERO, "unknown-knob"),
            (Refusal.FORM, "unknown-knob"),
        ):
            await pass_time(SCOLD_PAUSE_S)
            await table.receive(*[ReadRefused("reader", why, 0.0)] * 5)
            assert table.outputs.said[-1] == (said,)
        assert len(table.outputs.said) == 4
        assert table.calls == ()
        assert table.session.seq == 4, "one note, and no more than one a minute"

    at_table(work)


UNKNOWN = ("unknown-knob",)


@pytest.mark.parametrize(
    ("heard", "announced"),
    [
        pytest.param([("reader", 1, 0.0)], 0, id="one frame"),
        pytest.param([("reader", n, n) for n in range(1, 9)], 0, id="eight tags of noise"),
        pytest.param([("reader", 1, 0.0), ("reader", 1, 20.0)], 1, id="laid again"),
        pytest.param([("reader", 1, 0.0), ("reader", 2, 3.0), ("reader", 1, 9.0)], 1,
                     id="laid again after another"),
        pytest.param([("reader", 1, 0.0), ("reader", 1, 31.0)], 0, id="again, much later"),
        pytest.param([("reader", 1, 0.0), ("reader-2", 1, 1.0)], 0, id="on two readers"),
        pytest.param([("reader", Refusal.FORM, 0.0)], 0, id="bytes once"),
        pytest.param([("reader", Refusal.FORM, 0.0), ("reader", Refusal.ZERO, 1.0)], 0,
                     id="bytes of two kinds"),
        pytest.param([("reader", Refusal.FORM, 0.0), ("reader", Refusal.FORM, 2.0)], 1,
                     id="bytes twice"),
        pytest.param([("reader", Refusal.CHECK, 0.0)], 1, id="two at once are told at once"),
    ],
)  # fmt: skip
def test_what_was_heard_once_is_not_announced(
    at_table: Any, heard: list[tuple[str, Any, float]], announced: int
) -> None:
    """An unknown tag in one frame is shown under the board and noted; heard twice it is said."""

    async def work(table: Table) -> None:
        before = table.session.seq
        for reader, what, at in heard:
            event = ReadRefused if isinstance(what, Refusal) else TagRead
            await table.receive(event(reader, what, at))
        await settle()
        assert len(table.outputs.said) == announced
        assert table.outputs.view.notice
        notes = table.session.seq - before
        assert notes == len({reader for reader, what, _ in heard if what is not Refusal.CHECK})
        assert table.calls == ()

    at_table(work)


def test_a_reader_that_is_set_wrongly_is_named(at_table: Any) -> None:
    """A sign and a note say what to set, and the hall hears nothing more of it. The first knob
    that is read takes the sign down."""
    frames = "02 30 31 30 30 36 33 45 39 41 45 32 35 0D 0A 03"

    async def work(table: Table) -> None:
        misread = Misread("reader", frames, 16, Cure.FAMILY, "id20la", 9.0)
        await table.receive(*(ReadRefused("reader", Refusal.FORM, at) for at in (0.0, 2.0)))
        assert table.outputs.said == [UNKNOWN]
        await table.receive(misread)
        await table.receive(*(ReadRefused("reader", Refusal.FORM, at) for at in (10.0, 20.0, 29.0)))
        await settle()
        assert table.outputs.said == [UNKNOWN]
        [sign] = table.outputs.view.signs
        assert (sign.device, 'write family = "id20la"' in sign.text) == ("bytes of reader", True)
        await table.receive(TagRead("reader", 7007, 30.0))
        assert (table.calls, table.outputs.view.signs) == ((7,), ())

    at_table(work)


def test_a_reader_that_sends_three_bytes(at_table: Any) -> None:
    """They are the one knob that ends so, and no knob where two do."""

    async def work(table: Table) -> None:
        await table.receive(TagRead("reader", SHORT | 7007, 0.0))
        assert table.calls == (7,)
        await table.heard()
        await table.receive(TagRead("reader", SHORT | 12345, 1.0))
        assert table.calls == (7,)

    at_table(work)


def test_a_voice_that_is_slow_to_start(at_table: Any) -> None:
    """A sign tells for how long, until it works; then the last number is said again. The journal
    has one line about it, not one for each look."""

    async def work(table: Table) -> None:
        before = table.session.seq
        for seconds in (10.0, 20.0, 40.2):
            await table.receive(DeviceStarting("speech", seconds, 0.0))
        await settle()
        [sign] = table.outputs.view.signs
        assert sign.text == "The voice is starting (40 s). Look at the board."
        assert table.session.seq == before + 1
        await table.receive(DRAW)
        await table.receive(SoundEnded(table.outputs.unheard[-1], False, 0.0))
        said = len(table.outputs.said)
        await table.receive(DeviceFound("speech", 0.0))
        assert (table.outputs.view.signs, len(table.outputs.said)) == ((), said + 1)

    at_table(work)


def test_a_known_knob_is_called_by_its_first_frame(at_table: Any) -> None:
    """A call does not wait for the second frame, which changes nothing; nor does a knob that an
    unknown frame has interrupted count as laid again."""

    async def work(table: Table) -> None:
        await table.receive(TagRead("reader", 7007, 0.0))
        assert table.calls == (7,)
        await table.heard()
        said = len(table.outputs.said)
        await table.receive(
            TagConfirmed("reader", 7007, 0.1),
            TagLeft("reader", 7007, 0.2),
            TagRead("reader", 1, 0.2),
            TagLeft("reader", 1, 0.3),
            TagRead("reader", 7007, 0.3, back=True),
        )
        assert (table.calls, len(table.outputs.said)) == ((7,), said)
        await table.receive(TagRead("reader", 7007, 5.0))
        assert table.outputs.said[-1] == ("already-drawn",)

    at_table(work)


def test_all_ninety_knobs_of_a_game(at_table: Any) -> None:
    """Every knob of the bag is called once, in the order it came; then the bag is empty, and a
    press says so."""

    async def work(table: Table) -> None:
        order = [n * 37 % 91 for n in range(1, 91)]
        for knob in order:
            await table.read(knob)
            await table.heard()
        assert table.calls == tuple(order)
        assert table.outputs.called == order
        await table.receive(DRAW)
        assert "The bag is empty" in table.outputs.view.notice
        assert table.calls == tuple(order)

    at_table(work)


# -- the voice -------------------------------------------------------------------------------------


def test_without_a_voice_the_game_goes_on(at_table: Any) -> None:
    """Nobody speaks: each call is over at once, lit and shown."""

    async def work(table: Table) -> None:
        table.outputs.voice = False
        for number in (5, 6, 7):
            await table.read(number)
        assert table.calls == (5, 6, 7)
        assert table.outputs.view.calling is False
        assert table.outputs.view.say is not None  # pages speak with their own voice

    at_table(work)


def test_a_voice_that_never_ends_is_not_waited_for(at_table: Any) -> None:
    """When nobody says that the call was heard, it is over after the limit, not before; its late
    end ends no other call."""

    async def work(table: Table) -> None:
        await table.receive(DRAW)
        lost, table.outputs.unheard = table.outputs.unheard, []
        await pass_time(CALL_LIMIT_S - 0.5)
        assert table.outputs.view.calling is True
        await pass_time(1)
        assert table.outputs.view.calling is False
        await table.receive(DRAW)
        await table.receive(SoundEnded(lost[0], False, 0.0))
        assert table.outputs.view.calling is True
        await pass_time(CALL_LIMIT_S - 0.5)
        assert table.outputs.view.calling is True

    at_table(work)


def test_other_words_do_not_hold_up_a_call(at_table: Any) -> None:
    """The end of another announcement does not end a call, and no call waits for it."""

    async def work(table: Table) -> None:
        await table.wish("repeat")
        await table.receive(TagRead("reader", 1, 0.0), TagConfirmed("reader", 1, 0.1))
        await table.receive(DRAW)
        assert len(table.calls) == 1
        words, call = table.outputs.unheard[:-1], table.outputs.unheard[-1]
        await table.receive(*(SoundEnded(token, True, 0.0) for token in words))
        assert table.outputs.view.calling is True
        await table.receive(SoundEnded(call, True, 0.0))
        assert table.outputs.view.calling is False

    at_table(work)


def test_a_number_that_is_keyed_is_recorded_so(at_table: Any, tmp_path: Path) -> None:
    """What a person says was drawn is told from what a reader read and from what the virtual bag
    gave (H14)."""

    async def work(table: Table) -> None:
        for ask in ({"number": 42}, {}):
            await table.wish("draw", **ask)
            await table.heard()
        await table.read(
            next(number for number in range(1, 91) if number not in table.session.hall.sold.called)
        )

    at_table(work)
    lines = read(next(tmp_path.rglob("journal.jsonl"))).lines
    assert [line["via"] for line in lines if line["do"]["act"] == "draw"] == [
        "keyed",
        "wire",
        "reader",
    ]


def test_the_last_number_is_repeated(at_table: Any) -> None:
    """On demand, as often as wanted, but not into a call; before the first number there is nothing
    to repeat."""

    async def work(table: Table) -> None:
        assert reason(await table.wish("repeat")) == "nothing-called"
        await table.read(42)
        assert reason(await table.wish("repeat")) == "busy"
        await table.heard()
        seq = table.session.seq
        for _ in range(2):
            await table.receive(Pressed("repeat", 0.0))
            await table.heard()
        assert table.outputs.said[-2:] == [("last-number", "number.42")] * 2
        assert table.session.seq == seq
        assert (
            reason(await table.wish("repeat", by=Person("phone", Role.WATCHER))) == "not-your-role"
        )
        for number in (7, 90):
            await table.read(number)
            await table.heard()
        await table.wish("repeat", count=2)
        assert table.outputs.said[-1] == ("last-number", "number.90", "number.7")
        await table.wish("repeat", count=90)
        assert table.outputs.said[-1] == ("last-number", "number.90", "number.7", "number.42")
        assert [
            reason(await table.wish("repeat", count=wrong)) for wrong in (0, 91, "2", None)
        ] == ["unreadable"] * 4

    at_table(work)


def test_a_call_taken_back_is_said_unlit_and_unmarked(at_table: Any) -> None:
    """An undo is announced with its number, its cavity goes dark, and the boards have it no
    more."""

    async def work(table: Table) -> None:
        for number in (42, 43):
            await table.read(number)
            await table.heard()
        await table.wish("undo", why="it was 34")
        assert table.outputs.said[-1] == ("number.43", "not-called")
        assert table.outputs.view.notice == WORDING.sentence(("number.43", "not-called"))
        assert table.outputs.view.called == (42,)
        lit = [lit for kind, lit in table.outputs.log if kind == "light"][-1]
        assert lit == (Cavity(42, newest=True), *[None] * 9)

    at_table(work)


# -- a claim ---------------------------------------------------------------------------------------


def test_how_near_the_hall_is(at_table: Any) -> None:
    """The number of cards that want one number follows every call and every correction, as counted
    card by card."""

    async def work(table: Table) -> None:
        game = table.session.hall.last_sold
        assert game is not None
        card = game.setup.cards["0001"]
        for number in card.rows[0][:4]:
            await table.read(number)
            await table.heard()
        marks = Marks(game.setup.cards)
        for number in table.calls:
            marks.call(number)
        assert (table.outputs.view.near, table.outputs.view.near_two) == marks.near([ROW])
        assert table.outputs.view.near >= 1
        await table.wish("undo")
        marks.take_back(card.rows[0][3])
        assert (table.outputs.view.near, table.outputs.view.near_two) == marks.near([ROW])

    at_table(work, near=True)


def test_a_claim_is_shown_with_its_verdict(at_table: Any) -> None:
    """A card that has its row on the last number is valid, is paid its share at play-on, and the
    next stage is announced."""

    async def work(table: Table) -> None:
        game = table.session.hall.last_sold
        assert game is not None
        for number in game.setup.cards["0001"].rows[0]:
            await table.read(number)
            await table.heard()
        await table.wish("claim", serial="0001")
        view = table.outputs.view
        assert (view.phase, view.claim is not None and view.claim.verdict) == (
            Phase.STOPPED,
            "valid",
        )
        assert table.outputs.said[-1] == ("valid", "any-more")
        await table.receive(NEXT)
        assert table.outputs.said[-1] == ("won-row", "playing-two-rows")
        assert [(win.serial, win.paid) for win in table.outputs.view.wins] == [("0001", False)]

    at_table(work)


def test_prizes_have_their_names_in_the_askers_words(at_table: Any) -> None:
    """What a card won and what it still wants is told to whoever asks as his language calls it."""

    async def work(table: Table) -> None:
        game = table.session.hall.last_sold
        assert game is not None
        for number in game.setup.cards["0001"].rows[0]:
            await table.read(number)
            await table.heard()
        await table.wish("claim", serial="0001")
        await table.receive(NEXT)
        hall, wording = table.session.hall, load_wording("it")
        tell = teller(hall, wording, str)
        card = look_at_card(hall, "0001", tell=tell)
        assert [win["name"] for win in card["won"]] == [wording.screen["row"]]
        assert card["stages"][0]["name"] == wording.screen["two-rows"]

    at_table(work)


# -- automatic calling -----------------------------------------------------------------------------


def test_automatic_calling_keeps_its_pace(at_table: Any) -> None:
    """A call a pace, counted from the beginning of the last, however long each is heard."""

    async def work(table: Table) -> None:
        assert isinstance(await table.wish("auto", on=True, pace=5), Done)
        assert (table.outputs.view.auto.on, table.outputs.view.auto.pace) == (True, 5)
        await pass_time(4.9)
        assert len(table.calls) == 0
        await pass_time(0.1)
        for number in range(1, 5):
            assert len(table.calls) == number
            await pass_time(number)  # so long was it heard
            await table.heard()
            await pass_time(4.9 - number)
            assert len(table.calls) == number
            await pass_time(0.1)

    at_table(work)


def test_a_call_that_is_heard_longer_than_the_pace_is_not_cut(at_table: Any) -> None:
    """The next comes as soon as it was heard, and only one of them."""

    async def work(table: Table) -> None:
        await table.wish("auto", on=True, pace=2)
        await pass_time(2)
        await pass_time(9)
        assert len(table.calls) == 1
        await table.heard()
        await pass_time(0.1)
        assert len(table.calls) == 2

    at_table(work)


def test_no_burst_after_a_pause(at_table: Any) -> None:
    """A claim that took five minutes is followed by one call, a whole pace after play went on; off
    means off."""

    async def work(table: Table) -> None:
        await table.wish("auto", on=True, pace=6)
        await pass_time(6)
        await table.heard()
        await table.wish("stop")
        await pass_time(300)
        assert len(table.calls) == 1
        await table.wish("play-on")
        await pass_time(5.9)
        assert len(table.calls) == 1
        await pass_time(0.1)
        assert len(table.calls) == 2
        await table.heard()
        await table.wish("auto", on=False)
        await pass_time(300)
        assert len(table.calls) == 2
        assert table.outputs.said[-1] == ("auto-off",)
        await table.wish("auto", on=True)
        await pass_time(5.9)
        assert len(table.calls) == 2

    at_table(work)


def test_a_refused_draw_does_not_hurry_automatic_calling(at_table: Any) -> None:
    """Somebody's draw that is refused after a long pause does not bring the next call before its
    whole pace."""

    async def work(table: Table) -> None:
        await table.wish("auto", on=True, pace=6)
        await pass_time(6)
        await table.heard()
        await table.wish("stop")
        await pass_time(100)
        await table.wish("play-on")
        await pass_time(1)
        assert reason(await table.wish("draw", expect=7)) == "changed-meanwhile"
        await pass_time(4.9)
        assert len(table.calls) == 1
        await pass_time(0.1)
        assert len(table.calls) == 2

    at_table(work)


def test_what_does_not_touch_the_draw_does_not_delay_automatic_calling(at_table: Any) -> None:
    """A device that comes and goes, and a sale for the next game, leave the pace alone."""

    async def work(table: Table) -> None:
        await table.wish("auto", on=True, pace=6)
        for _ in range(3):
            await pass_time(1)
            await table.receive(DeviceLost("reader", "unplugged", 0.0), DeviceFound("reader", 0.0))
            await table.wish("sell", serials=["0005"])
        await pass_time(3)
        assert len(table.calls) == 1

    at_table(work)


def test_the_pace_changes_live(at_table: Any) -> None:
    """A new pace counts at once, for the call that is waited for too; one out of bounds is refused
    and changes nothing."""

    async def work(table: Table) -> None:
        await table.wish("auto", on=True, pace=60)
        await pass_time(10)
        await table.wish("auto", pace=2)
        await pass_time(2)
        assert len(table.calls) == 1
        for wrong in (1.9, 60.1, "fast", None, float("nan")):
            assert reason(await table.wish("auto", pace=wrong)) == "unreadable"
        assert reason(await table.wish("auto", on="yes")) == "unreadable"
        assert table.outputs.view.auto.pace == 2
        assert (
            reason(await table.wish("auto", by=Person("phone", Role.WATCHER), on=True))
            == "not-your-role"
        )

    at_table(work)


def test_automatic_calling_goes_on_by_hand_and_from_game_to_game(at_table: Any) -> None:
    """A press between two calls counts as a call: the next comes a pace after it. Between games
    nothing is called."""

    async def work(table: Table) -> None:
        await table.wish("auto", on=True, pace=6)
        await pass_time(6)
        await table.heard()
        await pass_time(3)
        await table.receive(DRAW)
        await table.heard()
        await pass_time(5.9)
        assert len(table.calls) == 2
        await pass_time(0.1)
        assert len(table.calls) == 3
        await table.heard()
        await table.wish("close")
        await pass_time(100)
        assert len(table.calls) == 3
        await table.wish("open")
        await pass_time(5.9)
        assert len(table.calls) == 0
        await pass_time(0.1)
        assert len(table.calls) == 1

    at_table(work)


def test_automatic_calling_ends_with_the_bag(at_table: Any) -> None:
    """After the ninetieth number it turns itself off and says so, once."""

    async def work(table: Table) -> None:
        table.outputs.voice = False
        await table.wish("auto", on=True, pace=2)
        await pass_time(180)
        assert len(table.calls) == 90
        table.outputs.voice = True
        await pass_time(100)
        assert table.outputs.said == [("auto-off",), ("bag-empty",)]
        assert table.outputs.view.auto.on is False

    at_table(work)


# -- devices ---------------------------------------------------------------------------------------


def test_a_lost_device_is_a_sign_a_note_and_words(at_table: Any) -> None:
    """Amber until it is back by itself; both are in the journal; the reader is spoken of, since the
    caller must act."""

    async def work(table: Table) -> None:
        await table.receive(DeviceLost("reader", "the cable is out: put it in", 0.0))
        hall = load_wording().screen["device-fault"]
        text = "the cable is out: put it in"
        lost = SignView(device="reader", colour="amber", text=text, hall=hall)
        assert table.outputs.view.signs == (lost,)
        assert table.outputs.said == [("reader-lost",)]
        await table.receive(DRAW)
        assert len(table.calls) == 1, "a game goes on by button"
        await table.receive(
            DeviceFound("reader", 0.0), DeviceFound("reader", 0.0), DeviceFound("matrix", 0.0)
        )
        assert table.outputs.view.signs == ()
        assert table.outputs.said[-1] == ("reader-back",)
        notes = [
            (change.act.about, change.act.what) for change in table.told if change.act.act == "note"
        ]
        assert notes == [("reader", "lost: the cable is out: put it in"), ("reader", "works again")]

    at_table(work)


def test_signs_of_several_devices_stand_together(at_table: Any) -> None:
    """Each device has its own sign, the newest text of it; what is very long is shortened in the
    journal, not refused."""

    async def work(table: Table) -> None:
        await table.receive(
            DeviceLost("speech", "a", 0.0),
            DeviceLost("x" * 80, "b" * 900, 0.0),
            DeviceLost("speech", "c", 0.0),
        )
        assert [(sign.device[0], sign.text[0]) for sign in table.outputs.view.signs] == [
            ("s", "c"),
            ("x", "b"),
        ]
        assert [change.act.act for change in table.told[-3:]] == ["note"] * 3

    at_table(work)


# -- the end ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("call", "fault"), [("write", NO_ROOM), ("sync", BROKEN)])
def test_a_halt_is_heard_seen_and_final(at_table: Any, call: str, fault: OSError) -> None:
    """The number that is not on disk is not heard, lit or shown; the hall is told to go on with
    paper; nothing more is taken."""
    disk = MemoryDisk()

    async def work(table: Table) -> None:
        await table.read(42)
        await table.heard()
        await table.wish("auto", on=True, pace=2)
        disk.fail_next(call, fault)
        await table.read(7)
        assert table.outputs.said[-1] == ("halted", "last-number", "number.42")
        assert table.outputs.called == [42]
        view = table.outputs.view
        assert (view.phase, view.called, view.procedure) == (Phase.HALTED, (42,), WORDING.procedure)
        assert [(sign.device, sign.colour) for sign in view.signs] == [("journal", "red")]
        assert {name for name, light in table.outputs.lamps.items() if light is not Light.OFF} == {
            "fault",
            "repeat",
            "mute",
            "off",
        }
        said = len(table.outputs.said)
        await table.receive(DRAW, CLAIM, NEXT, DeviceLost("matrix", "gone", 0.0))
        await table.heard()
        await pass_time(100)
        assert table.calls == (42,)
        assert table.outputs.view.auto.on is False
        assert len(table.outputs.said) == said

    at_table(work, disk=disk)


def test_a_command_that_fails_does_not_hold_the_next_up(
    at_table: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """A fault of ours in the middle of a draw is in the log, and the button works again."""

    async def work(table: Table) -> None:
        with pytest.raises(UnicodeEncodeError):
            await table.wish("draw", "\ud800")
        assert table.outputs.view.calling is False
        await table.receive(DRAW)
        assert len(table.calls) == 1

    at_table(work)


def test_a_refusal_of_the_wire_is_not_shown_to_the_hall(at_table: Any) -> None:
    """Who asked over the wire gets the answer; the public screen is not written on by everybody who
    can connect."""

    async def work(table: Table) -> None:
        before = len(table.outputs.log)
        assert reason(await table.wish("open", by=Person("phone", Role.WATCHER))) == "not-your-role"
        assert reason(await table.wish("play-on", by=ADMIN)) == "not-stopped"
        assert len(table.outputs.log) == before

    at_table(work)
