"""What the desk does before a game: the census and the self-test, and why no game opens yet.

    census-begin      knobs on the readers are ticked off, and not called; `go_on`: those found last time count, the faulty do not
    census-end        what was found is recorded; the ninetieth knob does so by itself
    self-test-begin   the station tries itself; `hands` false does not wait for presses and knobs
    self-test-end     gives it up

Neither is a line of the journal; what comes of them is: the acts `census` and `self-test`, by the station.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from drivers import Event, ReadRefused, Refusal, TagRead
from station.acts import Census, SelfTest, act_to_json
from station.census import Counting, Tick
from station.front import Front, Outputs
from station.readiness import ALL_KNOBS, census_faults
from station.selftest import Bench, Trial
from station.session import Answer, Command, Done, Refused, Session
from station.tags import TagTable
from station.trouble import Trouble

WISHES = frozenset({"census-begin", "census-end", "self-test-begin", "self-test-end"})
NO_KNOBS = Refused("no-knobs", "no knob is enrolled here: teach the station its knobs first, with ./loto enrol")
NOT_NOW = Refused("game-open", "a game is open: knobs are counted and the station is tested between games")
NO_CENSUS = Refused("no-census", "no census is under way: begin one with ./loto census")
NO_TEST = Refused("no-test", "no self-test is under way")
BUSY = Refused("preparing", "a census or a self-test is under way: end it first")

_TICKS = {Tick.AGAIN: "census-double", Tick.TWICE: "census-two", Tick.FOREIGN: "census-foreign"}
_SCOLDED = {Refusal.CHECK: "two-knobs", Refusal.TWO: "two-knobs"}


class Preparing:
    """The census and the self-test of one desk.

    Args:
        table: the hall's tags.
        record: has the journal keep an act of the station's own.
        start: lets work run by itself.
    """

    def __init__(
        self,
        session: Session,
        front: Front,
        outputs: Outputs,
        trouble: Trouble,
        table: TagTable,
        bench: Bench,
        record: Callable[[dict[str, Any], str], Awaitable[Answer]],
        start: Callable[[Any], asyncio.Task[Any]],
    ) -> None:
        self._session = session
        self._front = front
        self._outputs = outputs
        self._trouble = trouble
        self._table = table
        self._bench = bench
        self._record = record
        self._start = start
        self._counting: Counting | None = None
        self._counted: Census | None = None
        self._last: Counting | None = None
        self._recording = False  # the knobs are counted, and the line is not written yet
        self._trial: Trial | None = None
        self._task: asyncio.Task[Any] | None = None
        self._tried: SelfTest | None = None

    @property
    def busy(self) -> bool:
        """Whether one of the two is under way."""
        return self._counting is not None or self._recording or self._trial is not None

    def stop(self) -> None:
        """Gives up a self-test: the station ends."""
        if self._task is not None:
            self._task.cancel()

    def game_opened(self) -> None:
        """Gives up what began while the opening was being recorded; the knobs found until now are in the game."""
        self._counting = self._last = None
        self._give_up()

    def takes(self, event: Event) -> bool:
        """Hears an event first; gives whether that was all: the desk does nothing more with it."""
        if self._trial is not None:
            return self._trial.take(event)
        if self._counting is None:
            return False
        match event:
            case TagRead(tag=tag):
                self._tick(tag)
            case ReadRefused(why=why):
                self._counting = self._counting.refused()
                self._trouble.scold(_SCOLDED.get(why, "unknown-knob"))
            case _:
                return False
        return True

    def refuses(self, act: object) -> Refused | None:
        """Why no game opens now, for what the state of the night does not know: something is under way, or a reader is lost."""
        if act != "open" or self._session.hall.playing is not None:
            return None
        if self.busy:
            return BUSY
        ready = self._session.hall.ready
        lost = [sign.text for device, sign in self._front.signs.items() if device.partition("-")[0] == "reader"]
        if ready.strict and lost and not ready.faults_waived:
            return Refused("unfit", f"{lost[0]}; or say who plays all the same, and why, with ./loto selftest --waive")
        return None

    def wish(self, command: Command) -> Answer:
        """One of `WISHES`."""
        act = command.do["act"]
        if act.endswith("-begin") and self._session.hall.playing is not None:
            return NOT_NOW
        if act.endswith("-begin") and self.busy:
            return BUSY
        match act:
            case "census-begin":
                refused = self._begin_census(command.by.name, go_on=command.do.get("go_on") is True)
            case "census-end":
                refused = self._end_census()
            case "self-test-begin":
                refused = self._begin_test(command.by.name, hands=command.do.get("hands") is not False)
            case _:
                refused = self._give_up()
        return refused or Done(self._session.seq)

    # -- census --------------------------------------------------------------------------------------------------------

    def _begin_census(self, who: str, *, go_on: bool) -> Refused | None:
        if not self._table.knobs:
            return NO_KNOBS
        begun = (
            self._last.mended()
            if go_on and self._last is not None
            else Counting(self._table.knobs, frozenset(self._table.spares))
        )
        self._counting, self._counted = replace(begun, who=who), None
        if self._counting.whole:  # all that was wrong has been taken out of the bag
            return self._end_census()
        self._front.tell_hall(("census-begin",))
        return None

    def _tick(self, tag: int) -> None:
        if self._counting is None:
            return
        self._counting, tick = self._counting.read(tag)
        if phrase := _TICKS.get(tick):
            self._trouble.scold(phrase, f"census {tick}", 0.0)
        self._front.notice = f"{len(self._counting.found)} / {len(ALL_KNOBS)}"
        self._front.publish()
        if self._counting.whole:
            self._end_census()

    def _end_census(self) -> Refused | None:
        if self._counting is None:
            return NO_CENSUS
        self._last, self._counted, self._counting = self._counting, self._counting.act(), None
        self._recording = True
        self._start(self._record_census(self._counted))
        return None

    async def _record_census(self, counted: Census) -> None:
        try:
            await self._record(act_to_json(counted), "reader")
        finally:
            self._recording = False
            self._front.publish()

    # -- self-test -----------------------------------------------------------------------------------------------------

    def _begin_test(self, who: str, *, hands: bool) -> Refused | None:
        self._trial = Trial(self._front, self._outputs, self._bench, hands=hands, who=who)
        self._tried = None
        self._task = self._start(self._test(self._trial))
        return None

    async def _test(self, trial: Trial) -> None:
        try:
            self._tried = await trial.run()
            await self._record(act_to_json(self._tried), "self-test")
        finally:
            if self._trial is trial:
                self._over()

    def _give_up(self) -> Refused | None:
        if self._task is None:
            return NO_TEST
        self._task.cancel()  # it may not have begun
        self._over()
        return None

    def _over(self) -> None:
        """No test is under way: presses are the desk's again, lamps and board show the night."""
        self._trial, self._task = None, None
        self._front.light()
        self._front.publish()

    # -- what is asked -------------------------------------------------------------------------------------------------

    def answers(self) -> Mapping[str, dict[str, Any]]:
        """What the wire answers about `census` and `self-test`."""
        counting = self._counting
        act = counting.act() if counting is not None else self._counted
        census: dict[str, Any] = {"active": counting is not None or self._recording, "state": self._session.hall.ready.census}
        if act is not None:
            missing = sorted(ALL_KNOBS - {*act.found})
            census |= act_to_json(act) | {"missing": missing, "faults": list(census_faults(act))}
        trial = self._trial
        parts = trial.parts if trial is not None else self._tried.parts if self._tried is not None else ()
        test = {
            "active": trial is not None,
            "asks": trial.asks if trial is not None else "",
            "parts": [part.model_dump(mode="json") for part in parts],
            "state": self._session.hall.ready.self_test,
        }
        return {"census": census, "self-test": test}
