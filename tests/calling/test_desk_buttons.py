"""The desk's buttons as fingers use them: misfires (H7), a number seen first (H8), lamps, mute, the
pace, the switch (H43)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from drivers import Cavity, DeviceFound, DeviceLost, Light, Pressed, Released, TagRead, Turned
from drivers.pins.button import Contact
from station.calling.pace import OFF_LIMIT_S, STILL_ON, WORDS_LIMIT_S
from station.people.roles import Person, Role
from station.record.requests import Done, HeldNumber, Refused
from station.wire.board_view import SignView
from station.wire.wording import load_wording
from tests.support import (
    ADMIN,
    NO_ROOM,
    MemoryDisk,
    Table,
    pass_time,
    run_by_hand,
    settle,
    table_in,
    tag_of,
)

Work = Callable[["Panel"], Coroutine[Any, Any, None]]
DRAW, DRAWN = Pressed("draw", 0.0), Released("draw", 0.1, 0.1)


class Panel:
    """A table, and the contacts of its buttons: lines that go down and come up, in the loop's own
    time."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.outputs = table.outputs
        self.contacts: dict[str, Contact] = {}

    def _contact(self, button: str) -> Contact:
        return self.contacts.setdefault(button, Contact(button, 17, sure=0.0))

    async def line(self, button: str, down: bool) -> None:
        """The line of a button goes down, or up."""
        await self.table.receive(*self._contact(button).edge(down, self.now))

    async def found_down(self, button: str) -> None:
        """A button is held when the station starts."""
        await self.table.receive(*self._contact(button).start(True, self.now))

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    async def wait(self, seconds: float) -> None:
        """So much time passes, in which a contact says what it has to say."""
        until = self.now + seconds
        while due := min(
            (
                at
                for each in self.contacts.values()
                if (at := each.due()) is not None and at <= until
            ),
            default=None,
        ):
            await pass_time(due - self.now)
            for contact in self.contacts.values():
                await self.table.receive(*contact.tick(self.now))
        await pass_time(until - self.now)

    async def play(self, script: str) -> None:
        """Words: "draw+" down, "draw-" up, "draw*" down since the start, a number of seconds,
        "heard", or an act wished for."""
        for word in script.split():
            if word[-1] in "+-":
                await self.line(word[:-1], word[-1] == "+")
            elif word[-1] == "*":
                await self.found_down(word[:-1])
            elif word == "heard":
                await self.table.heard()
            elif word[0] in ".0123456789":
                await self.wait(float(word))
            else:
                await self.table.wish(word)

    @property
    def notes(self) -> list[str]:
        """What was recorded of devices, and of the desk."""
        return [
            f"{change.act.about}: {change.act.what}"
            for change in self.table.told
            if change.act.act == "note"
        ]

    def lit(self, lamp: str) -> bool:
        """Whether a lamp is lit, or blinks."""
        return self.outputs.lamps[lamp] is not Light.OFF

    @property
    def signs(self) -> list[SignView]:
        """What every screen warns of."""
        return list(self.outputs.view.signs)

    @property
    def acts(self) -> list[str]:
        return [change.act.act for change in self.table.told if change.act.act != "note"]

    @property
    def cavity(self) -> Cavity | None:
        """The first cavity of the board."""
        lit: Cavity | None = [lit for kind, lit in self.outputs.log if kind == "light"][-1][0]
        return lit


@pytest.fixture
def at_panel(tmp_path: Path) -> Callable[..., None]:
    """Runs a test at a table whose first game is open and whose opening words were heard."""

    def run_it(work: Work, *, opened: bool = True, **settings: Any) -> None:
        async def whole(table: Table) -> None:
            if opened:
                await table.wish("open")
                await table.heard()
                table.outputs.log.clear()
                table.told.clear()
            await work(Panel(table))
            await settle()
            await table.desk.close()

        with table_in(tmp_path, **settings) as table:
            run_by_hand(whole(table))

    return run_it


# -- misfires (H7) ---------------------------------------------------------------------------------

# What fingers and contacts do; the acts that follow; what is noted; what the screen answers.
MISFIRES = [
    ("a press", "draw+ .1 draw-", "draw", "", ""),
    (
        "bounces at both ends",
        "draw+ .01 draw- .01 draw+ .5 draw- .01 draw+ .02 draw- 1",
        "draw",
        "",
        "",
    ),
    ("a long press", "draw+ 4.9 draw- 1", "draw", "", ""),
    ("a long press that was heard meanwhile", "draw+ 1 heard 3.9 draw- 1", "draw", "", ""),
    ("two at once, draw first", "draw+ claim+ .1 claim- draw- 1 heard", "draw stop", "", ""),
    (
        "two at once, claim first",
        "claim+ draw+ .1 claim- draw- 1 heard",
        "stop",
        "",
        "The game is stopped for a claim",
    ),
    (
        "two at once of one kind",
        "claim+ claim-2+ .1 claim- claim-2-",
        "stop",
        "",
        "The game is stopped already",
    ),
    (
        "during an announcement",
        "draw+ .1 draw- .2 draw+ .1 draw- .2 draw+ .1 draw- heard 60",
        "draw",
        "",
        "",
    ),
    ("after it", "draw+ .1 draw- .1 heard draw+ .1 draw-", "draw draw", "", ""),
    (
        "while a claim is open",
        "stop draw+ .1 draw- heard 60",
        "stop",
        "",
        "The game is stopped for a claim",
    ),
    ("held when it ended", "stop draw+ .1 play-on heard 1 draw- heard 60", "stop play-on", "", ""),
    ("stuck at the start", "draw* 60 draw- .9 draw+ .1 draw-", "", "lost", ""),
    ("freed", "draw* 2 draw- 1.1 draw+ .1 draw-", "draw", "lost works", ""),
    ("over five seconds", "draw+ heard 60", "draw", "lost", ""),
    ("and let go for less than one", "draw+ heard 6 draw- .9 draw+ 60", "draw", "lost", ""),
    ("and let go for one", "draw+ heard 6 draw- 1.1 draw+ .1 draw-", "draw draw", "lost works", ""),
    ("one that is stuck, and another", "draw+ heard 6 claim+ .1 claim-", "draw stop", "lost", ""),
]


@pytest.mark.parametrize(
    ("what", "script", "acts", "noted", "says"), MISFIRES, ids=[what for what, *_ in MISFIRES]
)
def test_inputs_never_misfire(
    at_panel: Any, what: str, script: str, acts: str, noted: str, says: str
) -> None:
    """One press, at most one act; none is kept for later; a stuck button is a fault, and ignored
    until it was up for a second."""

    async def work(panel: Panel) -> None:
        await panel.play(script)
        assert panel.acts == acts.split()
        assert [note.split(": ")[1].split()[0] for note in panel.notes] == noted.split()
        assert panel.outputs.view.notice.startswith(says)
        assert panel.outputs.called == [
            change.act.number for change in panel.table.told if change.act.act == "draw"
        ]

    at_panel(work)


def test_which_button_it_was_is_recorded(at_panel: Any) -> None:
    """Every claim button stops the game; the journal says which."""

    async def work(panel: Panel) -> None:
        await panel.play("claim-2+ .1 claim-2-")
        assert [(change.act.act, change.via) for change in panel.table.told] == [
            ("stop", "button:claim-2")
        ]

    at_panel(work)


# -- a number that is seen first (H8) --------------------------------------------------------------


def test_hold_shows_and_release_calls(at_panel: Any) -> None:
    """Down: its leaf is recorded, then it is lit and shown as drawn, not called; nothing is said.
    Up: its call is recorded, said, lit, shown."""

    async def work(panel: Panel) -> None:
        table, seq = panel.table, panel.table.session.seq
        await panel.play("draw+ 2")
        number = table.session.upcoming()
        assert panel.cavity == Cavity(number or 0, called=False)
        assert panel.outputs.view.notice == f"{number}: drawn, not called"
        assert (table.session.seq, panel.outputs.said) == (seq + 1, [])
        await panel.play("draw-")
        assert table.session.seq == seq + 1
        await panel.play(".1")
        assert table.calls == (number,)
        assert panel.outputs.called == [number]
        assert panel.cavity == Cavity(number or 0, newest=True)
        assert panel.outputs.view.notice == ""
        told = [(change.act.act, change.via) for change in table.told]
        assert told == [("see", "button:draw"), ("draw", "button:draw")]

    at_panel(work, see_first=True)


def test_a_number_that_was_seen_survives_a_power_cut(tmp_path: Path) -> None:
    """The power goes while a number is shown: the next start shows, and calls, the same."""
    seen: list[str] = []

    async def look(table: Table) -> None:
        if table.session.hall.sold is None:
            await table.wish("open")
        await table.receive(DRAW)
        seen.append(table.outputs.view.notice)

    async def call(table: Table) -> None:
        await table.receive(DRAW, DRAWN)
        assert table.calls == (int(seen[0].partition(":")[0]),)

    for work in (look, look, call):
        with table_in(tmp_path, see_first=True) as table:
            run_by_hand(work(table))
    assert len(set(seen)) == 1


# What is done, the number of calls that come of it, and whether a number waits at the end.
SEEN = [
    ("held, never let go", "draw+ 4", 0, True),
    ("stuck: it is lost, the number waits", "draw+ 60", 0, True),
    ("freed, then pressed again", "draw+ 6 draw- 1.1 draw+ .1 draw- 1 heard 60", 1, False),
    ("a claim while it is held", "draw+ claim+ .1 draw- claim- heard 60", 0, True),
    (
        "which is settled: nothing is called by itself",
        "draw+ claim+ .1 draw- claim- .1 heard play-on heard 60",
        0,
        True,
    ),
    (
        "and then called by a press",
        "draw+ claim+ .1 draw- claim- play-on heard draw+ .1 draw- heard 60",
        1,
        False,
    ),
    ("called by another input while it is held", "draw+ draw heard .1 draw- heard 60", 1, False),
    ("pressed during a call", "draw+ .1 draw- 1 draw+ .1 draw- heard 60", 1, False),
    ("during a claim", "stop draw+ 1 draw- heard 60", 0, False),
    (
        "a second finger on another draw button calls it",
        "draw+ draw-2+ .1 draw- draw-2- heard 60",
        1,
        False,
    ),
    ("let go in the moment of a claim", "draw+ 1 draw- claim+ .2 claim- heard 60", 0, True),
]


@pytest.mark.parametrize(
    ("what", "script", "calls", "waits"), SEEN, ids=[what for what, *_ in SEEN]
)
def test_what_was_seen_is_called_once_or_waits(
    at_panel: Any, what: str, script: str, calls: int, waits: bool
) -> None:
    """The number that was shown is the one that is called, once, when the caller lets go or presses
    again; else it waits."""

    async def work(panel: Panel) -> None:
        first = panel.table.session.upcoming()
        await panel.play(script)
        assert panel.table.calls == (first,) * calls
        assert panel.outputs.view.notice.startswith(f"{first}: drawn") == waits

    at_panel(work, see_first=True)


def test_automatic_calling_calls_what_was_seen(at_panel: Any) -> None:
    """A number that is shown when the next is due is that next one; letting go does not call
    another."""

    async def work(panel: Panel) -> None:
        await panel.table.wish("auto", on=True, pace=4)
        await panel.play("3 draw+ 2")
        [number] = panel.table.calls
        assert panel.outputs.called == [number]
        await panel.play("draw- 1 heard")
        assert len(panel.table.calls) == 1

    at_panel(work, see_first=True)


def test_a_release_calls_only_what_the_press_has_shown(at_panel: Any) -> None:
    """Another input has called it while the button was held, and a knob was laid down since: that
    waits for its own press."""

    async def work(panel: Panel) -> None:
        table = panel.table
        await panel.play("draw+ .1 draw heard")
        (first,) = table.calls
        await table.read(first % 90 + 1)
        await panel.play("draw- 1")
        assert table.calls == (first,)
        await panel.play("draw+ .1 draw-")
        assert table.calls == (first, first % 90 + 1)

    at_panel(work, see_first=True)


def test_a_knob_is_seen_first_too(at_panel: Any) -> None:
    """Laid on the reader it is shown, not called, however long; a second one is too many; a press
    calls it, by the reader."""

    async def work(panel: Panel) -> None:
        table = panel.table
        await table.read(42)
        await table.read(17)
        await panel.play("30")
        assert (table.calls, panel.cavity) == ((), Cavity(42, called=False))
        assert panel.outputs.said == [("two-knobs",)]
        await panel.play("draw+ .1 draw-")
        assert table.calls == (42,)
        assert [(change.act.act, change.via) for change in table.told] == [("draw", "reader")]

    at_panel(work, see_first=True)


def test_a_command_means_what_was_seen(at_panel: Any) -> None:
    """A draw without a number calls what is drawn already; refused, it is answered the same when it
    comes again."""

    async def work(panel: Panel) -> None:
        table = panel.table
        await table.read(42)
        await table.wish("stop")
        refused = await table.wish("draw", "one")
        assert isinstance(refused, Refused)
        assert await table.wish("draw", "one") == refused
        await table.wish("play-on")
        assert isinstance(await table.wish("draw", "two", number=7), Done)
        await table.heard()
        done = await table.wish("draw", "three")
        assert await table.wish("draw", "three") == done
        assert table.calls == (7, 42)

    at_panel(work, see_first=True)


def test_a_call_taken_back_comes_before_what_was_seen(at_panel: Any) -> None:
    """The bag's order stands: after an undo the number that was taken back is the next one, and
    what was seen comes after it."""

    async def work(panel: Panel) -> None:
        table = panel.table
        await panel.play("draw+ .1 draw- 1 heard draw+ 1")
        [called], seen = table.calls, int(panel.outputs.view.notice.partition(":")[0])
        await panel.play("undo draw- 1 heard draw+ .1 draw- 1 heard draw+ .1 draw- 1 heard")
        assert table.calls == (called, seen)

    at_panel(work, see_first=True)


def test_a_number_that_was_seen_and_never_called_is_noted(at_panel: Any) -> None:
    """A game closed over a number that was shown says so in its record, and the board has it no
    more."""

    async def work(panel: Panel) -> None:
        number = panel.table.session.upcoming()
        await panel.play("draw+ 1 close draw- 1")
        assert panel.notes == [
            f"bag: {number} was shown to the caller and not called: the game was closed"
        ]
        assert panel.outputs.messages, "the board runs its words again"
        assert panel.table.calls == ()

    at_panel(work, see_first=True)


# -- a number that a person sees first, over the wire ----------------------------------------------

ANNA, BEN = Person("Anna", Role.CALLER), Person("Ben", Role.HOST)


async def asked(panel: Panel, word: str) -> list[str]:
    """What a finger does; or what somebody asks for ("Anna:hold"; "wait" lets what is held wait),
    and what he is answered."""
    who, _, act = word.rpartition(":")
    if not who:
        await panel.play(word)
        return []
    wish = {"act": "hold", "on": False} if act == "wait" else {"act": act}
    wish |= {"why": "no light"} if act in ("undo", "break") else {}
    by = {"Anna": ANNA, "Ben": BEN}.get(who, ADMIN)
    answer = await panel.table.wish(str(wish.pop("act")), by=by, **wish)
    if isinstance(answer, Refused):
        return [answer.reason]
    return [str(answer.number) if isinstance(answer, HeldNumber) else "ok"]


def test_a_person_sees_a_number_and_nobody_else(at_panel: Any) -> None:
    """It is in the answer, and its leaf in the record; nothing is lit, said or shown before it is
    let go: then its call is recorded, said, lit, shown. The same wish gets the same answer, from
    its sender alone."""

    async def work(panel: Panel) -> None:
        table, seq = panel.table, panel.table.session.seq
        number, shown = table.session.upcoming(), table.desk.view()
        seen = await table.wish("hold", "one", ANNA)
        assert seen.to_json() == {"ok": True, "seq": seq + 1, "number": number}
        assert await table.wish("hold", "one", ANNA) == seen
        assert isinstance(await table.wish("hold", "one", BEN), Refused)
        before = {"seq": seq, "head": shown.head}  # the line has its own
        assert table.desk.view().model_copy(update=before) == shown
        assert [change.act.act for change in table.told] == ["see"]
        assert (table.session.seq, panel.outputs.said) == (seq + 1, [])
        assert "light" not in [kind for kind, _ in panel.outputs.log]
        done = await table.wish("release", "two", ANNA)
        assert table.calls == tuple(panel.outputs.called) == (number,)
        assert panel.cavity == Cavity(number or 0, newest=True)
        told = [(change.act.act, change.via) for change in table.told]
        assert told == [("see", "wire"), ("draw", "wire")]
        await table.heard()
        assert await table.wish("release", "two", ANNA) == done
        assert table.calls == (number,)

    at_panel(work, see_first=True)


# What is done, what is answered ("it" is the number that was next), and how many calls come of it.
HELD = [
    ("looked at twice", "Anna:hold Anna:hold Anna:release", "it it ok", 1),
    ("another person", "Anna:hold Ben:hold Ben:release Anna:release", "it held held ok", 1),
    ("it waits", "Anna:hold Anna:wait Ben:hold Ben:release", "it ok it ok", 1),
    ("nobody lets another's wait", "Anna:hold Ben:wait Ben:hold", "it ok held", 0),
    ("the line is lost", "Anna:hold 4 Ben:hold 2 Ben:hold Ben:release", "it held it ok", 1),
    ("held for long", "Anna:hold 20 Anna:release", "it ok", 1),
    ("called by another", "Anna:hold Ben:draw heard Anna:release", "it ok not-held", 1),
    ("not held at all", "Anna:release Anna:draw", "not-held ok", 1),
    ("a button before", "draw+ Anna:hold .1 draw- .1 heard", "held", 1),
    ("a button meanwhile", "Anna:hold draw+ .1 draw- .1 Anna:release", "it ok", 1),
    ("a button afterwards", "Anna:hold Anna:wait draw+ .1 draw- .1 heard", "it ok", 1),
    ("a stuck button", "draw+ 60 Anna:hold Anna:draw heard", "held ok", 1),
    ("during a call", "Anna:draw Ben:hold", "ok busy", 1),
    ("at a claim", "?:stop Anna:hold", "ok claim-open", 0),
    (
        "a claim meanwhile",
        "Anna:hold ?:stop Anna:release Anna:hold ?:play-on heard 60 Ben:hold Ben:release",
        "it ok claim-open claim-open ok it ok",
        1,
    ),
    (
        "a call that is taken back comes before it",
        "Anna:draw heard Ben:hold ?:undo heard Ben:release Ben:hold Ben:release",
        "ok another ok not-held it ok",
        1,
    ),
    ("between games", "?:close Anna:hold", "ok nothing-next", 0),
]


@pytest.mark.parametrize(
    ("what", "script", "answers", "calls"), HELD, ids=[what for what, *_ in HELD]
)
def test_what_a_person_has_seen_is_called_once_or_waits(
    at_panel: Any, what: str, script: str, answers: str, calls: int
) -> None:
    """One person at a time holds it, for no longer than a button may be held; what was seen is the
    next number, whoever calls it."""

    async def work(panel: Panel) -> None:
        first = panel.table.session.upcoming()
        said = [word for part in script.split() for word in await asked(panel, part)]
        names = {str(first): "it"}
        said = [names.get(word, "another" if word.isdecimal() else word) for word in said]
        assert said == answers.split()
        assert panel.table.calls == (first,) * calls

    at_panel(work, see_first=True)


def test_a_button_shows_the_hall_what_waits(at_panel: Any) -> None:
    """While a person holds the number a press is refused, and says why; once that one lets it wait,
    a press shows it, as ever."""

    async def work(panel: Panel) -> None:
        number = panel.table.session.upcoming()
        await panel.table.wish("hold", by=ANNA)
        await panel.play("draw+ .1")
        assert panel.outputs.view.notice.startswith("Somebody holds the next number")
        await panel.play("draw- .1")
        await panel.table.wish("hold", by=ANNA, on=False)
        await panel.play("draw+ .1")
        assert panel.outputs.view.notice == f"{number}: drawn, not called"
        assert panel.cavity == Cavity(number or 0, called=False)

    at_panel(work, see_first=True)


def test_nobody_sees_first_where_the_hall_does_not_want_it(at_panel: Any) -> None:
    """Neither hold nor release does anything without the setting; each says so."""

    async def work(panel: Panel) -> None:
        for act in ("hold", "release"):
            refused = await panel.table.wish(act, by=ANNA)
            assert isinstance(refused, Refused)
            assert (refused.reason, "see_first" in refused.say) == ("not-seen-first", True)
        assert panel.table.calls == ()

    at_panel(work)


@pytest.mark.parametrize("held", ["draw+ 1", "Anna:hold"])
def test_a_number_of_a_game_that_was_broken_off_is_none_of_the_next(
    at_panel: Any, held: str
) -> None:
    """What was seen and not called goes back with all the others, and the record says so; the next
    game calls what its own bag gives."""

    async def work(panel: Panel) -> None:
        table, number = panel.table, panel.table.session.upcoming()
        for word in f"{held} ?:break heard ?:open heard".split():
            await asked(panel, word)
        assert panel.notes == [
            f"bag: {number} was shown to the caller and not called: the game was broken off"
        ]
        following = table.session.upcoming()
        assert following != number
        await table.wish("draw")
        assert table.calls == (following,)

    at_panel(work, see_first=True)


# -- the lamps -------------------------------------------------------------------------------------

NAMES = ("draw", "claim", "claim-2", "next", "undo", "repeat", "mute", "off")
LIT = [
    ("in play", "", "draw claim claim-2 mute off"),
    ("a number is said", "draw+", "claim claim-2 undo mute"),
    ("it was heard", "draw+ .1 draw- heard", "draw claim claim-2 undo repeat mute off"),
    ("somebody claims", "draw+ .1 draw- heard claim-2+", "next undo repeat mute BEACON"),
    ("play goes on", "claim+ .1 claim- heard next+ .1 next-", "draw claim claim-2 mute off"),
    ("muted", "mute+ .1 mute-", "draw claim claim-2 MUTE off"),
    ("and not", "mute+ .1 mute- 1 mute+ .1 mute-", "draw claim claim-2 mute off"),
    ("one is stuck", "claim+ .1 next+ .1 next- claim+ 6", "draw claim-2 mute off fault"),
    ("it is free", "undo+ 6 undo- 2", "draw claim claim-2 mute off"),
    ("between games", "close heard", "draw next mute off"),
    ("the night is over", "close close-night heard", "draw next mute off"),
    ("the balls are counted", "close heard census-begin", "mute off"),
    ("they were", "close heard census-begin census-end heard", "draw next mute off"),
    ("it is switched off", "off+ 3.1 off-", ""),
]


@pytest.mark.parametrize(("what", "script", "lit"), LIT, ids=[what for what, *_ in LIT])
def test_the_lamp_in_a_button_says_whether_it_would_do_something(
    at_panel: Any, what: str, script: str, lit: str
) -> None:
    """Each of several buttons has its own; blinking (in capitals) are the beacon at a claim, and
    the mute button while muted."""

    async def work(panel: Panel) -> None:
        await panel.play(script)
        words = {Light.ON: str.lower, Light.BLINK: str.upper}
        shown = {
            words[light](name) for name, light in panel.outputs.lamps.items() if light in words
        }
        assert shown == set(lit.split())
        assert panel.outputs.lamps.keys() == {*NAMES, "beacon", "fault"}

    at_panel(work, buttons=NAMES)


def test_a_lamp_is_lit_just_where_a_press_does_something(at_panel: Any) -> None:
    """In every state of the table above, pressing a dark button records nothing and pressing a lit
    one records its act."""

    async def work(panel: Panel) -> None:
        await panel.table.wish("sell", serials=["0001"])
        for script in (
            "",
            "stop",
            "play-on",
            "draw heard",
            "stop",
            "play-on",
            "close",
            "open heard",
        ):
            await panel.play(f"{script} .1")
            for name in ("draw", "claim", "next", "undo"):
                lit, before = panel.outputs.lamps[name] is Light.ON, panel.table.session.hall
                panel.table.told.clear()
                await panel.play(f"{name}+ .1 {name}- .1 heard")
                assert bool(panel.acts) == lit, (script, name)
                assert (panel.table.session.hall is not before) == lit

    at_panel(work, buttons=NAMES)


def test_a_halt_puts_the_beacon_out(tmp_path: Path) -> None:
    """Nobody settles that claim any more; what is lit is the fault, and what can still be
    pressed."""
    disk = MemoryDisk()

    async def work(table: Table) -> None:
        for act in ("open", "draw", "stop"):
            await table.wish(act)
            await table.heard()
        assert table.outputs.lamps["beacon"] is Light.BLINK
        disk.fail_next("write", NO_ROOM)
        await table.wish("play-on")
        assert {name for name, light in table.outputs.lamps.items() if light is not Light.OFF} == {
            "fault",
            "repeat",
            "mute",
            "off",
        }
        assert isinstance(await table.wish("off"), Done)

    with table_in(tmp_path, disk) as table:
        run_by_hand(work(table))


# -- faults of buttons and lamps (H38) -------------------------------------------------------------


@pytest.mark.parametrize(
    ("device", "reason"),
    [
        ("button draw", "the button 'draw' (GPIO 17) is held: free it"),
        ("lamps", "the lamps cannot be lit"),
        ("button", "no pins"),
    ],
)
def test_a_fault_of_buttons_or_lamps(at_panel: Any, device: str, reason: str) -> None:
    """Nothing is said into the game; sign and amber lamp until it is mended; both are recorded;
    play goes on."""

    async def work(panel: Panel) -> None:
        await panel.table.receive(DeviceLost(device, reason, 0.0))
        hall = load_wording().screen["device-fault"]
        assert panel.signs == [SignView(device=device, colour="amber", text=reason, hall=hall)]
        assert panel.lit("fault")
        await panel.table.wish("draw")
        await panel.table.heard()
        assert panel.outputs.said == [(f"number.{panel.table.calls[0]}",)]
        await panel.table.receive(DeviceFound(device, 0.0))
        assert panel.signs == []
        assert not panel.lit("fault")
        assert panel.notes == [f"{device}: lost: {reason}", f"{device}: works again"]

    at_panel(work)


# -- mute ------------------------------------------------------------------------------------------


def test_mute_is_seen_recorded_and_taken_back(at_panel: Any) -> None:
    """Nobody hears anything, every screen says so, the game goes on; the next press brings the
    voice back as loud as before."""

    async def work(panel: Panel) -> None:
        def volumes() -> list[float]:
            return [level for kind, level in panel.outputs.log if kind == "volume"]

        await panel.play("mute+ .1 mute- 1")
        assert volumes() == [0.0]
        assert [(sign.device, sign.text) for sign in panel.signs] == [
            ("sound", "MUTED: the sound is off")
        ]
        assert panel.outputs.lamps["fault"] is Light.OFF, "a wish of the caller is no fault"
        await panel.play("draw+ .1 draw- heard")
        assert len(panel.outputs.called) == 1
        await panel.play("mute+ .1 mute- 1")
        assert volumes() == [0.0, 0.7]
        assert panel.outputs.said[-1] == ("unmuted",)
        assert panel.signs == []
        assert panel.notes == [
            "sound: muted, by table via button:mute",
            "sound: on again, by table via button:mute",
        ]

    at_panel(work, volume=0.7)


def test_mute_over_the_wire_is_a_switch_with_two_places(at_panel: Any) -> None:
    """Told on or off it is that, however often; a double tap is one press; without a voice there is
    nothing to mute."""

    async def work(panel: Panel) -> None:
        table = panel.table
        for wish_id in ("a", "b"):
            assert isinstance(await table.wish("mute", wish_id, on=True), Done)
        await settle()
        assert len(panel.notes) == 1
        for _ in range(2):
            await table.wish("mute", "tap")
        assert panel.signs == []
        panel.outputs.voice = False
        for reason, wanted in (("no-voice", {}), ("unreadable", {"on": "off"})):
            refused = await table.wish("mute", **wanted)
            assert isinstance(refused, Refused)
            assert refused.reason == reason

    at_panel(work)


# -- the pace --------------------------------------------------------------------------------------


def test_the_knob_for_the_pace(at_panel: Any) -> None:
    """A second a step, shown at once and not spoken, from two to sixty; the call that is waited for
    comes at the new pace."""

    async def work(panel: Panel) -> None:
        table = panel.table
        for steps, pace in ((1, 7), (-2, 5), (-30, 2), (100, 60), (-50, 10)):
            await table.receive(Turned("pace", steps, 0.0))
            assert panel.outputs.view.auto.pace == pace
            assert panel.outputs.view.notice == f"Pace: {pace} s from call to call"
        assert (panel.outputs.said, panel.notes) == ([], [])
        await panel.play("auto+ .1 auto- 1")
        await table.receive(Turned("pace", -6, 0.0))
        await panel.play("3.9")
        assert panel.outputs.called == []
        await panel.play(".2")
        assert len(table.calls) == 1
        assert panel.outputs.said[0] == ("auto-on",)
        await panel.play("heard auto+ .1 auto- 60")
        assert len(table.calls) == 1

    at_panel(work)


# -- the switch ------------------------------------------------------------------------------------


def test_a_long_press_switches_off(at_panel: Any) -> None:
    """Held for three seconds: said, noted, and asked for once the words were heard; nothing begins
    any more; the night stays."""
    asked: list[float] = []

    async def work(panel: Panel) -> None:
        table = panel.table
        await panel.play("draw+ .1 draw- heard off+ 2.9")
        assert (panel.outputs.said[1:], asked) == ([], [])
        assert panel.outputs.view.notice.startswith("keep this button pressed")
        await panel.play(".2")
        assert panel.outputs.said[1:] == [("switching-off",)]
        assert panel.notes == ["station: switched off by table via button:off"]
        await panel.play("draw+ .1 draw- claim+ .1 claim- off- 1")
        answer = await table.wish("close")
        assert isinstance(answer, Refused)
        assert answer.reason == "station-ending"
        assert (panel.acts, len(asked)) == (["draw"], 0)
        await panel.play("heard 20")
        assert len(asked) == 1
        assert table.session.hall.sold is not None

    at_panel(work, power_off=lambda: asked.append(1.0))


def test_a_voice_that_fails_does_not_keep_the_machine_on(at_panel: Any) -> None:
    """The last words are not waited for without end; the machine is asked once."""
    asked: list[float] = []

    async def work(panel: Panel) -> None:
        await panel.play("off+ 3.1 off-")
        await panel.wait(WORDS_LIMIT_S)
        await panel.play("heard 5")
        assert len(asked) == 1

    at_panel(work, power_off=lambda: asked.append(1.0))


# What is going on; what the screen says; whether it is switched off all the same.
OFF = [
    ("a short press", "off+ 2.9 off- 10", "keep this button pressed", False),
    ("a number is being called", "draw+ off+ 3.5", "A number is being called: wait", False),
    ("a claim is open", "stop heard off+ 3.5", "A claim is open: settle it", False),
    ("between games", "close heard off+ 3.5", "Switching off", True),
    ("after the night", "close close-night heard off+ 3.5", "Switching off", True),
    ("another button is held", "undo+ 3.5", "Nothing", False),
]


@pytest.mark.parametrize(("what", "script", "says", "off"), OFF, ids=[what for what, *_ in OFF])
def test_when_it_is_not_switched_off(
    at_panel: Any, what: str, script: str, says: str, off: bool
) -> None:
    """Not into a call, not into a claim, not by a short press, not by another button; the screen
    says why."""
    asked: list[float] = []

    async def work(panel: Panel) -> None:
        await panel.play(f"{script}")
        assert panel.outputs.view.notice.startswith(says)
        await panel.play("heard 10")
        assert len(asked) == off

    at_panel(work, power_off=lambda: asked.append(1.0))


def test_without_an_off_button_next_is_held(at_panel: Any) -> None:
    """Its press counts when it comes up; held it switches off, and neither opens a game nor ends a
    check."""
    asked: list[float] = []

    async def work(panel: Panel) -> None:
        await panel.play("close heard next+ 3.1")
        assert panel.acts == ["close"]
        await panel.play("heard next- 10")
        assert (panel.acts, len(asked)) == (["close"], 1)

    at_panel(work, buttons=("draw", "claim", "next"), power_off=lambda: asked.append(1.0))

    async def short(panel: Panel) -> None:
        await panel.table.wish("sell", serials=["0001"])
        panel.table.told.clear()
        await panel.play("next+ .2")
        assert panel.acts == []
        await panel.play("next- .1")
        assert panel.acts == ["open"]

    at_panel(short, opened=False, buttons=("draw", "claim", "next"))


def test_a_machine_that_stays_on_goes_on(at_panel: Any) -> None:
    """When nobody switches it off, a sign says what to do, that is recorded, and the game can go
    on."""

    async def work(panel: Panel) -> None:
        await panel.play("off+ 3.1 off- heard")
        await panel.wait(OFF_LIMIT_S - 1)
        assert panel.signs == []
        await panel.wait(2)
        assert [sign.text for sign in panel.signs] == [STILL_ON]
        assert panel.notes[1:] == ["station: was not switched off"]
        await panel.play("draw+ .1 draw-")
        assert panel.acts == ["draw"]

    at_panel(work)


def test_what_waited_goes_on_when_the_machine_stays_on(at_panel: Any) -> None:
    """Automatic calling was turned off with the machine, and says so; the knob that was laid down
    meanwhile is called."""

    async def work(panel: Panel) -> None:
        await panel.table.wish("auto", on=True)
        await panel.play("heard off+ 3.1 off- heard")
        assert panel.outputs.view.auto.on is False
        await panel.table.read(42)
        await panel.wait(OFF_LIMIT_S - 1)
        assert (panel.table.calls, panel.outputs.view.notice) == ((), "42: drawn, not called")
        await panel.wait(60)
        assert panel.table.calls == (42,)

    at_panel(work)


def test_a_knob_read_while_it_is_switched_off_is_not_called(at_panel: Any) -> None:
    """Nothing begins in the last seconds: the knob lies on the reader, and is read again at the
    next start."""

    async def work(panel: Panel) -> None:
        await panel.play("off+ 3.1 off-")
        await panel.table.receive(TagRead("reader", tag_of(42), 0.0))
        await panel.play("heard 1")
        assert panel.table.calls == ()

    at_panel(work)
