"""Prepare a game: the census and the self-test, and why no game opens yet.

    census-begin      knobs on the readers are ticked off, and not called; `go_on`: those found last
                      time count, the faulty do not
    census-end        what was found is recorded; the ninetieth knob does so by itself at the table:
                      what must be in the bag was found, or the end is refused with what is wrong
    self-test-begin   the station tries itself; `hands` false does not wait for presses and knobs
    self-test-end     gives it up

The journal does not record these wishes, but their results: the acts `census` and `self-test`, by
the station. While a table waits for its bag to be counted, the same count becomes the act `shake`
once there is no fault, with what was found, by whoever began it. A bag that is counted by hand
meanwhile counts as counted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from drivers import Event, ReadRefused, Refusal, TagConfirmed, TagRead
from station.base.said import Sentence, listed, row, said
from station.calling.caller_state import BUTTON
from station.calling.outputs import Outputs, OutputSender
from station.calling.refusals import BUSY as CALLING
from station.calling.selftest import Bench, Trial
from station.calling.trouble import Trouble
from station.calling.wishes import CensusBegin, CensusEnd, SelfTestBegin
from station.night.acts import NEXT_NIGHT, Act, DrawKnob, Open, SelfTest, act_to_json
from station.night.census import Counting, Tick
from station.night.hall import Hall
from station.night.readiness import ALL_KNOBS, CheckOutcome, census_faults
from station.night.table.game import next_step
from station.people.roles import STATION, Person
from station.record.requests import Answer, Change, Command, Done, Refused, SessionWish, read_act
from station.record.session import Session
from station.settings.readers import Resting
from station.settings.tags import TagTable
from station.views.announcing import census_told

log = logging.getLogger(__name__)

# what a press does at the table, apart from a draw; a call comes to its end first
PRESSED = frozenset({"shake", "move", "close"})
MOST_SAID = 18  # knobs of one fault in a sentence: a list of ninety numbers helps nobody
NO_KNOBS = Refused(
    "no-knobs",
    said("no ball is enrolled here: teach the station its balls first, with {loto} enrol"),
)
TAUGHT_LATE = Refused(
    "no-knobs",
    said(
        "the balls were taught after this night had begun, and something has happened in it: it"
        " keeps the table that it began with. Close it with {loto} close-night and begin the next"
        " one with {loto} next"
    ),
)
NOT_NOW = Refused(
    "game-open", said("a game is open: balls are counted and the station is tested between games")
)
NOT_WAITING = Refused(
    "not-waiting",
    said(
        "no bag waits to be counted now: at the table it is counted once, before the first ball"
        " of a drawing"
    ),
)
COUNTING = Refused(
    "preparing",
    said(
        "the bag is being counted over the reader: lay the rest of its balls; or count by hand,"
        " and say so on the page /table or with {loto} table shake"
    ),
)
NO_CENSUS = Refused(
    "no-census", said("no census is under way: begin one on the page /caller or with {loto} census")
)
NO_TEST = Refused("no-test", said("no self-test is under way"))
BUSY = Refused("preparing", said("a census or a self-test is under way: end it first"))

_TICKS = {
    Tick.AGAIN: "census-double",
    Tick.TWICE: "census-two",
    Tick.FOREIGN: "census-foreign",
    Tick.AWAY: "put-away",
}
_SCOLDED = {Refusal.CHECK: "two-knobs", Refusal.TWO: "two-knobs"}


def bag_to_count(hall: Hall) -> frozenset[int] | None:
    """Return the knobs that a count must find now; None if the game waits for no count."""
    table = hall.at_table
    if table is not None:
        return table.bag if next_step(table) == "shake" else None
    return None if hall.game_open else ALL_KNOBS


class Preparing:
    """The census and the self-test of one desk.

    Args:
        table: the hall's tags.
        record: records an act in the journal; takes the act, its input, and who says so.
        start: runs a task in the background.
        resting: where the knobs rest.

    Attributes:
        taught_since: whether knobs were taught since the night began with `table`.
    """

    def __init__(
        self,
        session: Session,
        sender: OutputSender,
        outputs: Outputs,
        trouble: Trouble,
        table: TagTable,
        bench: Bench,
        record: Callable[[Act | SessionWish, str, Person], Awaitable[Answer]],
        start: Callable[[Any], asyncio.Task[Any]],
        resting: Resting,
    ) -> None:
        self._session = session
        self._sender = sender
        self._outputs = outputs
        self._trouble = trouble
        self._table = table
        self._bench = bench
        self._record = record
        self._start = start
        self._resting = resting
        self.taught_since: Callable[[], bool] = lambda: False
        self._counting: Counting | None = None
        self._counted: Counting | None = None  # for who asks what came of it
        self._last: Counting | None = None  # which may be gone on with
        self._host = STATION  # who had them counted
        self._repeating: set[str] = set()  # the readers that have confirmed a tag
        self._recording = False  # the knobs are counted, and the line is not written yet
        self._trial: Trial | None = None
        self._task: asyncio.Task[Any] | None = None
        self._tried: SelfTest | None = None

    @property
    def busy(self) -> bool:
        """Return whether a census or a self-test is under way."""
        return self._counting is not None or self._recording or self._trial is not None

    def stop(self) -> None:
        """Give up a self-test: the station is ending."""
        if self._task is not None:
            self._task.cancel()

    @property
    def counts_bag(self) -> bool:
        """Return whether the bag of a game at the table is being counted over the readers."""
        counts = self._counting is not None or self._recording
        return counts and self._session.hall.at_table is not None

    @property
    def _lying(self) -> list[int]:
        """Return the knobs on readers that must be in the bag, while it waits to be counted."""
        hall = self._session.hall
        bag = bag_to_count(hall) if hall.at_table is not None else None
        return sorted(self._resting.surely(self._sender.signs) & bag) if bag is not None else []

    def follow(self, change: Change) -> None:
        """Give up what a change has overtaken; go on counting a bag that has changed."""
        before, after, bag = change.before, change.after, bag_to_count(change.after)
        if isinstance(change.act, Open):
            self._give_up()
        moved = (before.at_table is None) != (after.at_table is None)
        if bag is None or isinstance(change.act, Open) or moved:
            self._counting = self._last = None
        elif self._last is not None:
            self._last = replace(self._last, bag=bag)
        if after.at_table is not None and isinstance(change.act, Open | DrawKnob):
            self._counted = None
        if self._counting is not None and bag is not None:
            self._counting = replace(self._counting, bag=bag)
            self._end_if_whole()

    def takes(self, event: Event) -> bool:
        """Take an event before the desk does; return whether the desk must ignore it."""
        if self._trial is not None:
            return self._trial.take(event)
        if self._counting is None:
            return False
        match event:
            case TagRead(back=True):
                pass  # it never left
            case TagRead(reader=reader, tag=tag, at=at):
                if (knob := self._table.knobs.get(tag)) is not None:
                    self._resting.lay(reader, knob, at)
                # A reader that repeats would say it twice: what it says once is noise.
                if knob is not None or reader not in self._repeating:
                    self._tick(tag)
            case TagConfirmed(reader=reader, tag=tag):
                if reader in self._repeating and tag not in self._table.knobs:
                    self._tick(tag)
                self._repeating.add(reader)
            case ReadRefused(why=why):
                self._counting = self._counting.refused()
                self._trouble.scold(_SCOLDED.get(why, "unknown-knob"))
            case _:
                return False
        return True

    def refuses(self, act: object, via: str = "", calling: bool = False) -> Refused | None:
        """Return why an act cannot be done now, but for the night's own reasons; None if it can.

        No game opens and no night begins while something is under way; no game while a reader is
        lost. At the table no bag is counted by hand while one of its knobs lies on a reader: it
        would be drawn as soon as it is read again. And no button settles a drawing while its last
        number is being called, nor says that the bag was counted while it is counted over the
        readers: whoever pressed meant to draw.
        """
        if act in PRESSED and via.startswith(BUTTON) and self._session.hall.at_table is not None:
            if calling:
                return CALLING
            if act == "shake" and self.counts_bag:
                return COUNTING
        if act == "shake" and (lying := self._lying):
            one = said("{number} lies on the reader: put it into the bag", number=lying[0])
            them = listed(lying)
            more = said("{numbers} lie on the readers: put them into the bag", numbers=them)
            return Refused(
                "bag-not-whole", said("{lying}, then count", lying=one if len(lying) == 1 else more)
            )
        if act not in ("open", NEXT_NIGHT) or self._session.hall.game_open:
            return None
        if self.busy:
            return BUSY
        if act == NEXT_NIGHT:
            return None
        ready = self._session.hall.ready
        signs = self._sender.signs.items()
        lost = [sign.text for device, sign in signs if device.partition("-")[0] == "reader"]
        if ready.strict and lost and not ready.faults_waived:
            return Refused(
                "unfit",
                said(
                    "{sign}; or say who plays all the same, and why, on the page /caller or with"
                    " {loto} selftest --waive",
                    sign=lost[0],
                ),
            )
        return None

    def wish(self, command: Command) -> Answer:
        """Begin or end a census or a self-test."""
        hall, act = self._session.hall, command.act
        begins = isinstance(act, CensusBegin | SelfTestBegin)
        if isinstance(act, CensusBegin) and hall.at_table is not None:
            if bag_to_count(hall) is None:
                return NOT_WAITING
        elif begins and hall.game_open:
            return NOT_NOW
        if begins and self.busy:
            return BUSY
        match act:
            case CensusBegin(go_on=go_on):
                refused = self._begin_census(command.by, go_on=go_on)
            case CensusEnd():
                refused = self._end_census()
            case SelfTestBegin(hands=hands):
                refused = self._begin_test(command.by.name, hands=hands)
            case _:
                refused = self._give_up()
        return refused or Done(self._session.seq)

    # -- census ------------------------------------------------------------------------------------

    def _begin_census(self, host: Person, *, go_on: bool) -> Refused | None:
        if not self._table.knobs:
            return TAUGHT_LATE if self.taught_since() else NO_KNOBS
        begun = Counting(self._table.knobs, frozenset(self._table.spares))
        if go_on and self._last is not None:
            begun = self._last.mended()
        bag = bag_to_count(self._session.hall) or ALL_KNOBS
        self._counting = replace(begun, who=host.name, bag=bag)
        self._counted, self._host = None, host
        if not self._end_if_whole():  # all that was wrong may have been taken out of the bag
            self._sender.tell(("census-begin",))
        return None

    def _tick(self, tag: int) -> None:
        if self._counting is None:
            return
        self._counting, tick = self._counting.read(tag)
        if phrase := _TICKS.get(tick):
            which = (f"number.{self._counting.last}",) if tick is Tick.AWAY else ()
            self._trouble.scold(phrase, f"census {tick}", 0.0, which)
        self._sender.notice = f"{len(self._counting.found)} / {len(self._counting.bag)}"
        self._sender.publish()
        self._end_if_whole()

    def _end_if_whole(self) -> bool:
        if self._counting is None or not self._counting.whole:
            return False
        self._end_census()
        return True

    def _end_census(self) -> Refused | None:
        if self._counting is None:
            return NO_CENSUS
        self._last = self._counted = counted = self._counting
        self._counting = None
        at_table = self._session.hall.at_table is not None
        if at_table and not counted.whole:
            self._sender.tell(census_told(counted.act(), counted.bag))
            return Refused(
                "bag-not-whole",
                said(
                    "the bag is not as it must be; {faults}. Put that right, then go on with the"
                    " count, on the page /table or with {loto} census --go-on; or count by hand:"
                    " {loto} table shake",
                    faults=row(census_faults(counted.act(), counted.bag, MOST_SAID), "; "),
                ),
            )
        if at_table:
            self._resting.count()
        self._recording = True
        act, by = (counted.shake(), self._host) if at_table else (counted.act(), STATION)
        self._start(self._record_census(act, by))
        return None

    async def _record_census(self, act: Act, by: Person) -> None:
        try:
            answer = await self._record(act, "reader", by)
            if isinstance(answer, Refused):
                log.warning("what was counted is not recorded: %s", answer.say)
                self._sender.notice = self._sender.told(answer.said)
        finally:
            self._recording = False
            self._sender.publish()

    # -- self-test ---------------------------------------------------------------------------------

    def _begin_test(self, who: str, *, hands: bool) -> Refused | None:
        self._trial = Trial(self._sender, self._outputs, self._bench, hands=hands, who=who)
        self._tried = None
        self._task = self._start(self._test(self._trial))
        return None

    async def _test(self, trial: Trial) -> None:
        try:
            self._tried = await trial.run()
            # What it says of devices are their own words, as foreign as what the wire brings.
            await self._record(read_act(act_to_json(self._tried)), "self-test", STATION)
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
        """Forget the ended test: presses are the desk's, lamps and board show the night again."""
        self._trial, self._task = None, None
        self._sender.light()
        self._sender.publish()

    @property
    def _state(self) -> CheckOutcome:
        """Return what came of the last census; at the table of the last count of the bag."""
        table = self._session.hall.at_table
        if table is None:
            return self._session.hall.ready.census
        if self._counted is None:
            return CheckOutcome.NONE
        return CheckOutcome.GOOD if table.shaken else CheckOutcome.FAULTY

    # -- what is asked -----------------------------------------------------------------------------

    def answers(self, tell: Callable[[Sentence], str] = str) -> Mapping[str, dict[str, Any]]:
        """Return what the wire answers about `census` and `self-test`; what must be done as
        `tell` writes it."""
        counted = self._counting or self._counted
        active = self._counting is not None or self._recording
        census: dict[str, Any] = {"active": active, "state": self._state}
        if counted is not None:
            missing, away = list(counted.missing), sorted(ALL_KNOBS - counted.bag)
            census |= act_to_json(counted.act()) | {"missing": missing, "away": away}
            census["faults"] = list(counted.faults)
        trial = self._trial
        tried = trial or self._tried
        parts = tried.parts if tried is not None else ()
        test = {
            "active": trial is not None,
            "asks": tell(trial.asks) if trial is not None and trial.asks is not None else "",
            "parts": [part.model_dump(mode="json") for part in parts],
            "state": self._session.hall.ready.self_test,
        }
        return {"census": census, "self-test": test}
