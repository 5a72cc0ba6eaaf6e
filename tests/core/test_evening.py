"""From one night to the next: troubles are told, a machine that goes off goes off, and what fails
leaves all as it was."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from random import Random
from typing import Any

import pytest

from drivers import DeviceFound, DeviceLost, Event, SoundEnded
from station.base.errors import SettingsError
from station.calling.desk import Desk
from station.calling.outputs import DeskSettings
from station.calling.pace import OFF_LIMIT_S, WORDS_LIMIT_S
from station.calling.turn import LEAVING
from station.core.shelf import Evening, Evenings
from station.night.acts import Note
from station.record.nights import Night
from station.record.requests import Answer, Change, Done, Refused
from station.record.session import Session
from station.settings.tags import TagTable
from station.wire.wording import load_wording
from tests.core.test_next_night import shelf_on
from tests.drill.evening import HOST, empty_disk
from tests.drill.memory_disk import MemoryDisk
from tests.support import CLOCK, FakeOutputs, pass_time, run_by_hand, settle


class Slow(Executor):
    """Begins a night only when it is let: a pack of a million cards takes its seconds."""

    def __init__(self) -> None:
        self._held: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self._held.append((Future(), lambda: fn(*args, **kwargs)))
        return self._held[-1][0]

    def go(self) -> None:
        for future, work in self._held:
            try:
                future.set_result(work())
            except Exception as error:  # noqa: BLE001 - handed on to whoever waits
                future.set_exception(error)
        self._held.clear()


async def some_turns() -> None:
    """Lets happen what can while a night is being begun; no time passes."""
    for _ in range(100):
        await asyncio.sleep(0)


class House:
    """Evening after evening with one hall that hears.

    Attributes:
        notes: what the journal of each night was told.
        faults: the next evenings cannot be made, and why.
        asked: how often the machine was asked to end.
    """

    def __init__(self) -> None:
        self.disk: MemoryDisk = empty_disk()
        self.outputs = FakeOutputs()
        self.slow = Slow()
        self.notes: dict[int, list[tuple[str, str]]] = {}
        self.faults: list[Exception] = []
        self.made: list[Night] = []
        self.asked = 0
        shelf = shelf_on(self.disk)
        self.evenings = Evenings(shelf, self._make, self._begin, self.slow)
        self.evenings.open(shelf.open(self.disk))

    def _make(self, night: Night, before: Evening | None) -> Evening:
        self.made.append(night)
        earlier, left = (before.session, before.desk) if before is not None else (None, None)
        session = Session(night, self._tell, CLOCK, Random(3), before=earlier)
        settings = DeskSettings(wording=load_wording("en"), hall_name="Hall")
        desk = Desk(
            session,
            self.outputs,
            settings,
            TagTable(),
            clock=CLOCK,
            power_off=self._power_off,
            next_night=self.evenings.next,
            before=left,
        )
        if self.faults:  # as late as can be: whatever the desk took of the one before it has
            raise self.faults.pop(0)
        return Evening(night, session, desk, None, "")

    async def _begin(self) -> None:
        self.evenings.now.desk.begin(self.evenings.now.night.resumed)

    def _power_off(self) -> None:
        self.asked += 1

    def _tell(self, change: Change) -> None:
        if isinstance(change.act, Note):
            self.notes.setdefault(change.after.night, []).append(
                (change.act.about, change.act.what)
            )
        self.desk.tell(change)

    @property
    def desk(self) -> Desk:
        return self.evenings.now.desk

    async def do(self, act: str, wish_id: str = "", **arguments: Any) -> Answer:
        session, wish_id = (
            self.evenings.now.session,
            wish_id or f"{act}-{len(self.disk.calls)}-{self.asked}",
        )
        seen = str(session.seq) if act == "close-night" else None
        return await self.desk.wish(
            wish_id, {"act": act, **arguments}, HOST, "wire", seen=seen, sure=seen is not None
        )

    def begin_next(self) -> asyncio.Task[Answer]:
        return asyncio.ensure_future(self.do("next-night"))

    async def next(self) -> Answer:
        begun = self.begin_next()
        await some_turns()
        self.slow.go()
        return await begun

    def receive(self, *events: Event) -> None:
        for event in events:
            self.desk.receive(event)

    async def heard(self) -> None:
        """All that is being said comes to its end."""
        tokens, self.outputs.unheard = self.outputs.unheard, []
        self.receive(*(SoundEnded(token, True, 0.0) for token in tokens))
        await settle()


LOST, FOUND = DeviceLost("reader", "the cable is out", 0.0), DeviceFound("reader", 0.0)
SINCE = ("reader", "since before this night: the cable is out")
WELL = ("reader", "works again")
MUTED = ("sound", "muted since before this night")
# What happens in the night, after its end, in the next one; what that one's journal has.
TROUBLES: list[tuple[str, Sequence[Any], Sequence[Any], Sequence[Any], list[tuple[str, str]]]] = [
    ("nothing", [], [], [], []),
    ("lost in the night", [LOST], [], [FOUND], [SINCE, WELL]),
    ("lost after its end", [], [LOST], [FOUND], [SINCE, WELL]),
    ("lost after its end for good", [], [LOST], [], [SINCE]),
    ("back before the next", [LOST], [FOUND], [], []),
    ("lost and back after its end", [], [LOST, FOUND], [], []),
    ("muted in the night", ["mute"], [], [], [MUTED]),
    (
        "muted after its end",
        [],
        ["mute"],
        ["mute"],
        [MUTED, ("sound", "on again, by host via wire")],
    ),
    ("muted and on again", ["mute"], ["mute"], [], []),
    ("both", ["mute"], [LOST], [], [SINCE, MUTED]),
]


@pytest.mark.parametrize(
    ("what", "during", "closed", "following", "notes"), TROUBLES, ids=[row[0] for row in TROUBLES]
)
def test_what_is_so_when_a_night_begins_stands_in_its_journal(
    what: str,
    during: Any,
    closed: Any,
    following: Any,
    notes: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """No "works again" without the trouble before it; what a closed journal takes no more is in the
    log."""
    caplog.set_level(logging.WARNING)
    house = House()

    async def happen(events: Sequence[Any]) -> None:
        for event in events:
            if isinstance(event, str):
                assert isinstance(await house.do(event), Done)
            else:
                house.receive(event)
        await settle()

    async def work() -> None:
        await happen(during)
        assert isinstance(await house.do("close-night"), Done)
        caplog.clear()
        await happen(closed)
        assert sum("not in the journal" in line for line in caplog.messages) == len(closed)
        assert isinstance(await house.next(), Done)
        await settle()
        await happen(following)
        await house.evenings.close()

    run_by_hand(work())
    assert house.notes.get(2, []) == notes, what


OFF_ORDER = ("station", "switched off by host via wire")


@pytest.mark.parametrize("moment", ["while it is begun", "in the moment of the hand-over"])
@pytest.mark.parametrize("voice", [True, False], ids=["with a voice", "without"])
def test_switched_off_while_the_next_night_is_begun(voice: bool, moment: str) -> None:
    """What was answered with ok is done: the words are said to their end, then the machine is asked
    once."""
    house = House()
    house.outputs.voice = voice

    async def work() -> None:
        await house.do("close-night")
        await house.heard()
        begun = house.begin_next()
        await some_turns()
        old = house.desk
        if moment == "while it is begun":
            assert isinstance(await house.do("off"), Done)
            house.slow.go()
            assert isinstance(await begun, Done)
        else:
            house.slow.go()
            await begun
            assert isinstance(await old.wish("late", {"act": "off"}, HOST, "wire"), Done)
        await settle()
        assert house.desk is not old
        assert [await house.do(act) for act in ("open", "mute", "next-night")] == [LEAVING] * 3
        assert house.asked == (0 if voice else 1)
        assert house.outputs.view.notice == "Switching off. Good night."
        await house.heard()
        await pass_time(WORDS_LIMIT_S)
        assert house.asked == 1
        assert [clips for clips in house.outputs.said if clips == ("switching-off",)] == [
            ("switching-off",)
        ] * voice
        await pass_time(OFF_LIMIT_S)
        assert [sign.device for sign in house.outputs.view.signs] == ["station"], (
            "it is still on, and that is shown"
        )
        await house.evenings.close()

    run_by_hand(work())
    assert house.notes[2] == [OFF_ORDER, ("station", "was not switched off")]


def test_a_voice_that_fails_meanwhile_does_not_keep_the_machine_on() -> None:
    """The words are never heard: the machine is asked all the same, once."""
    house = House()

    async def work() -> None:
        await house.do("close-night")
        begun = house.begin_next()
        await some_turns()
        await house.do("off")
        house.slow.go()
        await begun
        await pass_time(WORDS_LIMIT_S + 1)
        assert house.asked == 1
        await house.evenings.close()

    run_by_hand(work())


FAULTS = [
    (OSError(13, "Permission denied", "/voices/en"), "/voices/en: Permission denied"),
    (OSError("no more"), "no more"),
    (SettingsError("bag-1.json", ["it is damaged"]), "bag-1.json: 1 fault - it is damaged"),
    (ZeroDivisionError("of nobody's"), "of nobody's"),
]


@pytest.mark.parametrize(
    ("fault", "told"), FAULTS, ids=[type(fault).__name__ for fault, _ in FAULTS]
)
def test_an_evening_that_cannot_be_made_leaves_all_as_it_was(fault: Exception, told: str) -> None:
    """Whoever asks is told why in one line; the desk before is heard and seen as ever; the next try
    begins the same night."""
    house = House()

    async def work() -> None:
        await house.do("close-night")
        await settle()
        old, house.faults = house.desk, [fault]
        answer = await house.next()
        assert isinstance(answer, Refused)
        assert (answer.reason, told in answer.say, "\n" in answer.say) == (
            "no-next-night",
            True,
            False,
        )
        assert house.desk is old
        # its journal is closed: nobody holds it while it is tried again
        with pytest.raises(OSError, match=r"."):
            await house.made[-1].journal.append({})
        house.receive(LOST)
        assert [sign.device for sign in house.outputs.view.signs] == ["reader"], (
            "the desk before has the screens"
        )
        assert house.outputs.said[-1] == ("reader-lost",), "and the voice"
        assert isinstance(await house.next(), Done)
        assert isinstance(await house.do("sell", serials=["0001"]), Done)
        await settle()
        shown = len(house.outputs.log)
        old.receive(LOST)
        assert len(house.outputs.log) == shown, "of two desks one has the hall"
        assert [night.folder.name for night in house.made] == ["0001", "0002", "0002"]
        await house.evenings.close()

    run_by_hand(work())
