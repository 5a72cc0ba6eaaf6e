"""A button's question (H45): what cannot be taken back is asked aloud and shown, and answered by a
second press in time."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from drivers import Light, Pressed, Released, SoundEnded
from station.night.losses import ASKED
from station.people.roles import STATION
from station.record.requests import Done, Refused
from station.views.announcing import question
from station.wire.wording import VOICES, languages, load_wording
from tests.support import NO_ROOM, MemoryDisk, Table, pass_time, run_by_hand, settle, table_in

BUTTONS = ("draw", "draw-2", "claim", "next", "undo", "repeat", "auto", "mute", "off")
NOTE = {"act": "note", "about": "reader", "what": "lost", "by": STATION}
Work = Callable[[Table], Awaitable[None]]


async def play(table: Table, script: str) -> None:
    """Words: a button's name is a press of it, a number so many seconds, "heard" its end, "wire:…"
    a wish of others."""
    for word in script.split():
        if word[0] in ".0123456789":
            await pass_time(float(word))
        elif word == "heard":
            await table.heard()
        elif word == "failed":
            tokens, table.outputs.unheard = table.outputs.unheard, []
            await table.receive(*(SoundEnded(token, False, 0.0) for token in tokens))
        elif word == "wire:sell":
            await table.wish("sell", serials=["0001"])
        elif word == "wire:auto":
            await table.wish("auto", on=True)
        elif word == "wire:note":
            await table.wish(**NOTE)
        elif word.startswith("wire:"):
            await table.wish(word.removeprefix("wire:"), sure=False)
        else:
            await table.receive(Pressed(word, 0.0), Released(word, 0.0, 0.0))


def at_desk(folder: Path, work: Work, disk: MemoryDisk | None = None, **settings: Any) -> None:
    async def whole(table: Table) -> None:
        await work(table)
        await settle()
        await table.desk.close()

    with table_in(folder, disk, **{"buttons": BUTTONS, **settings}) as table:
        run_by_hand(whole(table))


# No card is sold for the game that a press would open: what happens then, whether there is a voice,
# and whether it is open.
TIMES: list[tuple[str, str, bool, bool]] = [
    ("asked, and left", "draw heard 60", True, False),
    ("0.4 s after the first press", "draw heard .4 draw", True, False),
    ("0.4 s, and once more", "draw heard .4 draw .2 draw", True, True),
    ("0.6 s after it", "draw heard .6 draw", True, True),
    ("before it was heard", "draw 2 draw", True, False),
    ("before it was heard, twice", "draw 2 draw 2 draw heard", True, False),
    ("before it was heard, and after", "draw 2 draw heard draw", True, True),
    ("4.9 s after it was heard", "draw 3 heard 4.9 draw", True, True),
    ("5.1 s after it was heard", "draw 3 heard 5.1 draw", True, False),
    ("5.1 s after it, and asked anew", "draw 3 heard 5.1 draw 2 heard 1 draw", True, True),
    ("bounces of one finger", "draw .05 draw .05 draw .05 draw heard 60", True, False),
    ("the voice failed over it", "draw 1 failed 1 draw", True, True),
    ("a voice that never ends, soon", "draw 14.9 draw", True, False),
    ("a voice that never ends, late", "draw 15.1 draw", True, True),
    ("a voice that never ends, too late", "draw 20.1 draw", True, False),
    ("no voice, 0.4 s", "draw .4 draw", False, False),
    ("no voice, 0.6 s", "draw .6 draw", False, True),
    ("no voice, 4.9 s", "draw 4.9 draw", False, True),
    ("no voice, 5.1 s", "draw 5.1 draw", False, False),
    ("another button of its kind", "draw heard 1 draw-2", True, False),
    ("another button that opens, too", "draw heard 1 next", True, False),
    ("another button between", "draw heard 1 claim draw", True, False),
    ("the sound switched between", "draw heard 1 mute draw", True, False),
    ("the sound switched elsewhere", "draw heard 1 wire:mute draw", True, False),
    ("automatic calling switched elsewhere", "draw heard 1 wire:auto draw", True, False),
    ("somebody else is refused", "draw heard 1 wire:undo draw", True, True),
    ("somebody else is asked the same", "draw heard 1 wire:open draw", True, True),
    ("a device was lost", "draw heard 1 wire:note draw", True, True),
    ("a card was sold: it is not asked any more", "draw heard 1 wire:sell draw", True, True),
    ("a card was sold, and nobody presses", "draw heard 1 wire:sell 60", True, False),
]


@pytest.mark.parametrize(
    ("what", "script", "voice", "opened"), TIMES, ids=[what for what, *_ in TIMES]
)
def test_a_second_press_in_time(
    tmp_path: Path, what: str, script: str, voice: bool, opened: bool
) -> None:
    """Of the same button, half a second after the first or later, for five seconds from when the
    question was heard."""

    async def work(table: Table) -> None:
        table.outputs.voice = voice
        await play(table, script)
        assert table.session.hall.game_open is opened

    at_desk(tmp_path, work)


@pytest.mark.parametrize("voice", [True, False])
@pytest.mark.parametrize("button", ["draw", "draw-2", "next"])
def test_a_press_after_a_broken_game_leaves_its_trace(
    tmp_path: Path, voice: bool, button: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is sold for the game after one that was broken off: the press is no line in the
    journal, but a question on every screen and a line in the log; the second press opens."""
    caplog.set_level(logging.INFO)

    async def work(table: Table) -> None:
        table.outputs.voice = voice
        await table.wish("sell", serials=["0001"], games=1)
        await play(table, "draw heard draw heard")
        assert table.session.hall.game_open
        await table.wish("break", why="the bag fell", sure=True)
        await play(table, "heard 32")
        seq = table.session.seq
        await play(table, button)
        assert table.session.seq == seq
        assert table.outputs.view.notice.startswith("No card is sold for this game.")
        assert "refused (open by" in caplog.text
        caplog.clear()
        await play(table, f".1 {button}")
        assert f"the button {button} was pressed, and nothing was done" in caplog.text
        await play(table, f"heard 1 {button}")
        assert table.session.hall.game_open

    at_desk(tmp_path, work)


@pytest.mark.parametrize("button", BUTTONS)
@pytest.mark.parametrize("before", ["", "draw heard", "draw heard draw heard", "claim", "draw"])
@pytest.mark.parametrize("sold", [True, False])
def test_no_press_is_dropped_without_a_trace(
    tmp_path: Path, button: str, before: str, sold: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever the moment: a press is a line in the journal, something on the screens, a word, or a
    line in the log."""
    caplog.set_level(logging.INFO)

    async def work(table: Table) -> None:
        if sold:
            await table.wish("sell", serials=["0001"])
        await play(table, before)
        caplog.clear()
        seq, said = table.session.seq, len(table.outputs.said)
        shown, lit = table.desk.view(), dict(table.outputs.lamps)
        await table.receive(Pressed(button, 0.0))
        if button == "off":
            await table.receive(Released(button, 0.0, 0.0))
        await settle()
        traces = (
            table.session.seq != seq,
            len(table.outputs.said) != said,
            table.desk.view() != shown,
            table.outputs.lamps != lit,
            bool(caplog.text),
        )
        assert any(traces)

    at_desk(tmp_path, work)


def test_what_is_heard_and_seen(tmp_path: Path) -> None:
    """The question is spoken and stands on all screens, its button blinks; left, the station says
    so, and the lamp is as ever."""

    async def work(table: Table) -> None:
        outputs = table.outputs
        await play(table, "draw")
        assert outputs.said[-1] == ("no-card-sold", "press-again")
        asked = "No card is sold for this game. Press the same button again if it is meant."
        assert (outputs.view.notice, outputs.view.say and outputs.view.say.text) == (asked, asked)
        assert outputs.lamps["draw"] is Light.BLINK
        await play(table, "heard 4.9")
        assert outputs.view.notice == asked
        await play(table, "2")
        assert (outputs.said[-1], outputs.view.notice) == (("not-done",), "Nothing was done.")
        assert outputs.lamps["draw"] is Light.ON
        await play(table, "heard draw heard 1 mute")
        assert outputs.lamps["draw"] is Light.ON
        before = len(table.told)
        await play(table, "heard next heard 1 next")
        assert [change.act.act for change in table.told[before:]] == ["open"]
        assert (outputs.said[-1][0], outputs.view.notice[:9]) == ("eyes-down", "Eyes down")

    at_desk(tmp_path, work)


def test_two_presses_in_one_breath_are_one_question(tmp_path: Path) -> None:
    """The second came before the first was answered: it is asked once, and not taken for an
    answer."""

    async def work(table: Table) -> None:
        presses = (Pressed("draw", 0.0), Released("draw", 0.0, 0.0)) * 2
        await table.receive(*presses)
        await play(table, "heard 1")
        assert [clips for clips in table.outputs.said if "press-again" in clips] == [
            ("no-card-sold", "press-again")
        ]
        assert not table.session.hall.game_open
        await play(table, "draw")
        assert table.session.hall.game_open

    at_desk(tmp_path, work)


def test_a_game_with_prizes_open_is_closed_by_two_presses(tmp_path: Path) -> None:
    """The bag is empty and nobody has claimed: the press that would close says how many prizes are
    not won, and waits."""

    async def work(table: Table) -> None:
        await table.wish("sell", serials=["0001"], games=2)
        await table.wish("open")
        for _ in range(90):
            await table.wish("draw")
            await table.heard()
        await play(table, "next")
        assert table.outputs.said[-1] == ("prizes-not-won", "number.3", "press-again")
        assert (
            table.outputs.view.notice
            == "Prizes that are not won: three. Press the same button again if it is meant."
        )
        assert table.outputs.lamps["next"] is Light.BLINK
        assert table.session.hall.game_open
        await play(table, "heard 1 next")
        assert not table.session.hall.game_open
        closed = table.told[-1]
        assert (closed.act.act, closed.via) == ("close", "button:next")

    at_desk(tmp_path, work)


def test_where_next_is_held_to_switch_off_its_press_still_counts(tmp_path: Path) -> None:
    """Without a button for that, a press of `next` counts when it comes up: the second one, too."""

    async def work(table: Table) -> None:
        await play(table, "next heard 1")
        await table.receive(Pressed("next", 0.0))
        assert not table.session.hall.game_open
        await table.receive(Released("next", 0.0, 0.0))
        assert table.session.hall.game_open

    at_desk(tmp_path, work, buttons=("draw", "claim", "next"))


def test_a_number_that_is_seen_first_is_no_answer(tmp_path: Path) -> None:
    """Where a press of the draw button shows the number, the question before a game is asked and
    answered as ever."""

    async def work(table: Table) -> None:
        await play(table, "draw heard 1 draw heard")
        assert table.session.hall.game_open
        await play(table, "draw")
        assert len(table.calls) == 1

    at_desk(tmp_path, work, see_first=True)


def test_a_station_that_halts_asks_no_more(tmp_path: Path) -> None:
    """The answer cannot be recorded: that is said, nothing waits for a press any more, and a sign
    says why."""
    disk = MemoryDisk()

    async def work(table: Table) -> None:
        await play(table, "draw heard 1")
        disk.fail_next("write", NO_ROOM)
        await play(table, "draw heard 1")
        assert table.outputs.said[-1][0] == "halted"
        assert not table.session.hall.game_open
        await play(table, "draw heard")
        assert any("No space left" in sign.text for sign in table.outputs.view.signs)
        assert table.outputs.lamps["draw"] is Light.OFF
        assert table.desk.view().phase == "halted"

    at_desk(tmp_path, work, disk)


def test_a_power_cut_forgets_the_question(tmp_path: Path) -> None:
    """Nothing was recorded of it; after the start a press asks anew."""
    at_desk(tmp_path, lambda table: play(table, "draw heard 1"))

    async def after(table: Table) -> None:
        await play(table, "draw")
        assert not table.session.hall.game_open
        assert table.outputs.said[-1] == ("no-card-sold", "press-again")

    at_desk(tmp_path, after)


def test_a_press_is_asked_under_an_id_and_done_under_another(tmp_path: Path) -> None:
    """What was refused once stays so; the wire is not told to press anything, and its question
    disturbs nobody in the hall."""

    async def work(table: Table) -> None:
        before = len(table.outputs.said)
        refused = await table.wish("open", "mine", sure=False)
        assert isinstance(refused, Refused)
        assert refused.asks
        assert len(table.outputs.said) == before
        await play(table, "draw heard 1 draw")
        assert await table.wish("open", "mine", sure=False) == refused
        again = await table.wish("close", "other", sure=False)
        assert isinstance(again, Done), "nobody plays in it"

    at_desk(tmp_path, work)


@pytest.mark.parametrize("language", languages())
def test_every_voice_can_ask(language: str) -> None:
    """The pack that ships has each clip of each question, as the wording says it now."""
    clips = json.loads((VOICES / language / "manifest.json").read_text(encoding="utf-8"))["clips"]
    wording = load_wording(language).clips()
    said = {clip for act in ASKED for clip in question(act, 3)} | {"not-done"}
    assert said > {"no-card-sold", "prizes-not-won", "games-not-played", "press-again", "number.3"}
    assert {clip: clips[clip]["text"] for clip in said} == {clip: wording[clip] for clip in said}


def test_a_count_that_no_clip_says_is_left_out() -> None:
    """There is a clip for 1 to 90: of another number the hall hears only how it is answered, and
    reads it on the screens."""
    assert question("close", 3) == ("prizes-not-won", "number.3", "press-again")
    assert question("close-night", 91) == question("close-night", 0) == ("press-again",)
    assert question("break", 3) == ("press-again",)
