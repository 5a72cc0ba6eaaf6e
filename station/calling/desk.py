"""The caller's desk: what a press, a knob, a wish and the clock mean.

Device events and wishes from the wire come in, commands go to the session; changes come back from
the session and go out by the front. The desk runs on the event loop only.

A press during a call is refused, never kept for later. A knob is another matter: it *is* drawn. One
that is read during a call, or while a claim is open, stays "drawn, not called" and is called as
soon as play allows; a second one meanwhile is refused.

See it before the hall hears it (H8, a setting): a press of the draw button shows the virtual bag's
next number as "drawn, not called", and its release calls it; a knob on the reader is shown, and a
press calls it. Nothing is called by itself then: what is shown waits for the caller, through a
claim too. The line in the journal is written at the call, as always. A power cut in between changes
nothing that was seen: the bag's order is on the disk since the game opened, and a knob lies on the
reader.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from drivers import (
    Buzzed,
    DeviceFound,
    DeviceLost,
    Event,
    Held,
    Pressed,
    Rank,
    ReadRefused,
    Released,
    Scanned,
    SoundEnded,
    TagLeft,
    TagRead,
    Turned,
)
from station.base.clock import Clock
from station.base.errors import NotAllowed
from station.calling.asking import Asking
from station.calling.automatic import Automatic
from station.calling.button_meaning import KINDS, OPENING, act_of, kind_of
from station.calling.call_in_progress import Heard
from station.calling.counter import Counter
from station.calling.errands import Errands
from station.calling.knobs import BUSY, Knobs
from station.calling.outputs import BY_ITSELF, DeskSettings, Front, Moment, Outputs
from station.calling.pending_knob import Drawn
from station.calling.preparing import BUTTON, WISHES, Preparing
from station.calling.press_timing import Fingers
from station.calling.selftest import Bench
from station.calling.switches import LEAVING, Switches
from station.calling.table.answering import Answers
from station.calling.table.recital import Recital
from station.calling.trouble import Trouble
from station.night.acts import NEXT_NIGHT
from station.night.hall import Draw, Open, PlayOn, Undo
from station.people.roles import DEVICE, STATION, Person
from station.record.session import Answer, Change, Command, Done, Refused, Session, no_next_night
from station.settings.readers import Resting
from station.settings.tags import TagTable
from station.views.announcing import last_number_again
from station.views.nearness import WithNearest
from station.wire.board_view import BoardView, SignView

log = logging.getLogger(__name__)

HOLD_ON = "keep this button pressed to switch the station off"
OF_THE_DESK = frozenset({"auto", "repeat", "mute", "off"})  # acts that are no lines of the journal


class Desk:
    """One desk for one open night.

    Args:
        session: the open night.
        knobs: the hall's tags.
        bench: what a self-test tries; nothing by default.
        new_id: the id of a command that begins here.
        power_off: asks for the end of the machine, and returns at once.
        next_night: begins the night after this one, which is closed, or says why not.
        before: of the night before, where the station ran on: hands, pace, sound and devices in
            trouble are as they were.
    """

    def __init__(
        self,
        session: Session,
        outputs: Outputs,
        settings: DeskSettings,
        knobs: TagTable,
        *,
        new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
        clock: Clock | None = None,
        power_off: Callable[[], None] = lambda: None,
        bench: Bench | None = None,
        next_night: Callable[[Command], Awaitable[Answer]] = no_next_night,
        before: Desk | None = None,
    ) -> None:
        self._session = session
        self._settings = settings
        self._new_id = new_id
        # each other act goes straight to the session
        self._recorded = {"draw": self._draw, NEXT_NIGHT: next_night}
        self._fingers: Fingers = Fingers(settings.buttons) if before is None else before._fingers
        self._said_halted = False
        self._errands = Errands()
        self._start = self._errands.start
        self._after: Desk | None = None
        self._resting: Resting = Resting(settings.readers) if before is None else before._resting
        left = None if before is None else before._front
        self._front: Front = Front(session, outputs, settings, self._moment, clock or Clock(), left)
        self._drawn = Drawn()
        self._heard = Heard(self._front, self._call_over)
        pace = settings.pace if before is None else before._auto.view.pace
        self._auto: Automatic = Automatic(
            session, self._front, self._heard, pace, self._call_by_itself
        )
        self._asking = Asking(session, self._front, self._sure)
        self._recital = Recital(self._front)
        self._trouble = Trouble(self._front, self._note)
        self._knobs = Knobs(
            session,
            self._front,
            self._drawn,
            self._trouble,
            knobs.knobs,
            self._resting,
            see_first=settings.see_first,
            calling=lambda: self._heard.calling or self._switches.leaving,
            draw=lambda knob, reader: self._asked({"act": "draw", "number": knob}, DEVICE, reader),
            start=self._start,
        )
        self._preparing = Preparing(
            session,
            self._front,
            outputs,
            self._trouble,
            knobs,
            bench or Bench(),
            self._record,
            self._start,
            self._resting,
        )
        self._counter = Counter(session, self._front, settings, self._asked, self._start)
        self._answers = Answers(
            session, self._front, settings.wording, settings.buzzers, self._asked, self._start
        )
        switched = None if before is None else before._switches
        self._switches: Switches = Switches(
            self._front, outputs, settings, self._note, power_off, switched
        )

    def _moment(self) -> Moment:
        heard, switches = self._heard, self._switches
        preparing = self._preparing.refuses("open") or self._preparing.refuses(
            "shake", BUTTON, calling=heard.calling
        )
        refused = frozenset(KINDS) if switches.leaving else OPENING if preparing else frozenset()
        lying, row = self._resting.placement, self._recital.row
        asked = self._asking.button
        return Moment(
            heard.calling,
            self._drawn.number,
            self._auto.view,
            switches.muted,
            lying,
            refused,
            row,
            asked,
        )

    def answers(self) -> Mapping[str, dict[str, Any]]:
        """What the desk itself answers on the wire, by what is asked about."""
        return {
            **self._preparing.answers(),
            **self._counter.answers(),
            "refused": self._front.refused,
        }

    def questions(self) -> Mapping[str, dict[str, Any]]:
        """The same, and which cards are nearest to a prize."""
        return WithNearest(
            self.answers(), lambda: self._front.nearness.nearest(self._settings.wording)
        )

    def view(self) -> BoardView:
        """What every screen shows now."""
        return self._front.view()

    def begin(self, resumed: bool) -> None:
        """Lights the board and says the last number again, after a start."""
        if self._switches.leaving:  # since before this night: nobody is greeted
            self._front.light()
            self._front.publish()
            return
        self._heard.said_by(self._front.begin(resumed))
        if resumed:
            self._stop_if_won()

    def sign(self, sign: SignView) -> None:
        """Puts up a sign that stays."""
        self._front.sign(sign)

    def hand_over(self, after: Desk) -> None:
        """Leaves all to the desk of the next night, what is still asked for here too; its journal
        is told of the troubles."""
        self._after = after
        self._front.silence()
        self._switches.stop()
        after._trouble.carry_on()
        after._switches.carry_on()

    async def close(self) -> None:
        """Stops automatic calling and waits for what was begun."""
        parts = (self._auto, self._asking, self._switches, self._preparing)
        for part in (*parts, self._heard, self._recital, self._answers, self._trouble):
            part.stop()
        await self._errands.over()

    # -- in: devices -------------------------------------------------------------------------------

    def receive(self, event: Event) -> None:
        """Takes one event of a device; on the event loop."""
        if self._preparing.takes(event):
            return
        match event:
            case Pressed(button=button):
                if self._fingers.press(button):
                    self._press(button)
            case Released(button=button):
                self._release(button)
            case Held(button=button):
                if self._fingers.hold(button):
                    self._ask({"act": "off"}, button)
            case Turned(steps=steps):
                self._turn(steps)
            case TagRead(reader=reader, tag=tag, at=at):
                self._knobs.read(reader, tag, at)
            case TagLeft(reader=reader, tag=tag, at=at):
                self._knobs.left(reader, tag, at)
            case Scanned(scanner=scanner, text=text):
                self._counter.scanned(scanner, text)
            case Buzzed():
                self._answers.buzzed(event)
            case ReadRefused(reader=reader) if self._counter.has(reader):
                self._counter.refused()
            case ReadRefused(why=why):
                self._knobs.refused(why)
            case DeviceLost(device=device, reason=reason):
                self._trouble.lost(device, reason)
            case DeviceFound(device=device):
                if self._trouble.found(device) and device == "speech":
                    self._heard.mend(last_number_again(self._session.hall))
            case SoundEnded(token=token, heard=heard):
                self._heard.ended(token, heard)
                self._asking.ended(token)
                self._recital.ended(token)
                self._switches.ended(token)

    def _press(self, button: str) -> None:
        if self._asking.takes(button):
            return
        act = act_of(button, self._session.hall, self._auto.view.on)
        table = self._front.view().table  # where the players decide first, it says what
        if act is None and (
            waiting := (
                HOLD_ON if kind_of(button) == "off" else table.text if table is not None else ""
            )
        ):
            self._front.notice = waiting
            self._front.publish()
        elif act is None:
            log.warning(
                "the button %r means nothing: its name in the settings must begin with one of %s",
                button,
                ", ".join(KINDS),
            )
        elif not (act["act"] == "draw" and self._settings.see_first and self._see(button)):
            self._ask(act, button)

    def _release(self, button: str) -> None:
        if self._fingers.release(button):
            self._press(button)
        # another input may have called it meanwhile
        elif self._fingers.hides(button) and self._drawn.seen:
            self._ask({"act": "draw"}, button)

    def _ask(self, act: Mapping[str, Any], button: str) -> None:
        self._start(self.wish(self._new_id(), act, DEVICE, f"button:{button}"))

    def _sure(self, act: Mapping[str, Any], button: str, seen: str) -> None:
        self._start(
            self.wish(self._new_id(), act, DEVICE, f"{BUTTON}{button}", seen=seen, sure=True)
        )

    def _see(self, button: str) -> bool:
        """Shows what the virtual bag gives next, until the button comes up; False when there is
        nothing to be shown now."""
        number = self._session.upcoming()
        if (
            number is None
            or self._drawn.number is not None
            or self._heard.calling
            or self._switches.leaving
        ):
            return False
        self._fingers.shows = button
        self._drawn.put(number)
        self._front.publish()
        return True

    def _turn(self, steps: int) -> None:
        self._auto.turn(steps)
        self._front.notice = self._settings.wording.screen["pace"].format(
            seconds=f"{self._auto.view.pace:g}"
        )
        self._front.publish()

    def _note(self, about: str, what: str) -> None:
        self._start(self._keep({"act": "note", "about": about[:60], "what": what[:400]}))

    async def _keep(self, note: Mapping[str, Any]) -> None:
        """Has the journal keep a note; where it takes none any more, as after the night's end, the
        log has it."""
        answer = await self._record(note, "station")
        if isinstance(answer, Refused):
            log.warning("not in the journal: %s: %s (%s)", note["about"], note["what"], answer.say)

    async def _record(self, do: Mapping[str, Any], via: str, by: Person = STATION) -> Answer:
        return await self._submit(Command(self._new_id(), do, by, via))

    # -- in: wishes --------------------------------------------------------------------------------

    async def wish(
        self,
        wish_id: str,
        do: Mapping[str, Any],
        by: Person,
        via: str,
        expect: int | None = None,
        seen: str | None = None,
        *,
        sure: bool = False,
    ) -> Answer:
        """Does what somebody asks for, or says why not; `expect`, `seen`, `sure` as of a
        `Command`."""
        act = do.get("act")
        if self._after is not None:  # it was begun here, in the moment of the hand-over
            return await self._after.wish(wish_id, do, by, via, expect, seen, sure=sure)
        try:
            by.require(str(act))
        except NotAllowed as error:
            return Refused(str(error.reason), str(error))
        # A number that a person keys is told from one that a reader read, for good (H14).
        given = "keyed" if (via, act) == ("wire", "draw") and do.get("number") else via
        command = Command(wish_id, do, by, given, expect, seen, sure)
        if self._switches.leaving:
            return self._session.known(command) or LEAVING
        if act in OF_THE_DESK | WISHES:
            answer = self._session.known(command) or self._session.remember(
                command, self._do_here(command)
            )
        elif (
            refused := self._preparing.refuses(act, via, calling=self._heard.calling)
        ) is not None:
            answer = self._session.known(command) or self._session.remember(command, refused)
        else:
            answer = await self._recorded.get(str(act), self._submit)(command)
        if isinstance(answer, Refused):
            log.info("refused (%s by %s via %s): %s", act, by.name, via, answer.say)
            if answer.asks and via.startswith(BUTTON):
                self._asking.begin(via.removeprefix(BUTTON), command, answer)
            elif via not in ("wire", BY_ITSELF):
                self._front.refuse(answer, aloud=answer is not BUSY)
        elif act in OF_THE_DESK | WISHES:
            self._asking.drop()
        return answer

    async def _draw(self, command: Command) -> Answer:
        if (known := self._session.known(command)) is not None:
            return known
        if self._heard.calling:
            return self._session.remember(command, BUSY)
        meant = self._drawn.meant(command)
        self._heard.record()
        try:
            async with self._answers.drawing():
                answer = await self._submit(meant)
            if meant is not command and isinstance(answer, Refused):
                self._session.remember(command, answer)  # as it came
            return answer
        finally:
            if self._heard.refused():
                self._auto.go_on()
                self._knobs.call_waiting()

    async def _asked(self, do: Mapping[str, Any], by: Person, via: str) -> Answer:
        return await self.wish(self._new_id(), do, by, via)

    async def _submit(self, command: Command) -> Answer:
        answer = await self._session.submit(command)
        if self._session.halted and not self._said_halted:
            self._said_halted = True
            log.critical("halted: %s", self._session.halted)
            self._auto.set({"on": False})
            self._front.sign(SignView(device="journal", colour="red", text=self._session.halted))
            self._front.tell_hall(("halted", *last_number_again(self._session.hall)), Rank.STOP)
        return answer

    def _do_here(self, command: Command) -> Answer:
        """What the desk does by itself, at once."""
        do, by, via = command.do, command.by, command.via
        if do["act"] in WISHES:
            return self._preparing.wish(command)
        game = self._session.hall.playing
        match do["act"]:
            case "auto":
                return self._auto.set(do)
            case "repeat":
                return self._heard.repeat(do.get("count", 1), self._session)
            case "mute":
                refused = self._switches.mute(do.get("on"), by, via)
            case _:
                # such a claim can never be settled
                stopped = game is not None and game.stopped and not self._session.halted
                refused = self._switches.off(
                    calling=self._heard.calling, stopped=stopped, by=by, via=via
                )
                if refused is None:
                    self._auto.end()
        self._front.publish()
        return refused or Done(self._session.seq)

    def _call_by_itself(self) -> None:
        # Not after a correction that is being recorded just now: it would be the same number again.
        self._start(
            self.wish(
                self._new_id(), {"act": "draw"}, STATION, BY_ITSELF, expect=self._session.hall.calls
            )
        )

    # -- the session's changes ---------------------------------------------------------------------

    def tell(self, change: Change) -> None:
        """The session's change is durable and adopted: it is heard, lit and shown now, in this
        order."""
        front = self._front
        self._asking.follow(change)
        if note := self._drawn.settle(change):
            self._note("bag", note)
        if isinstance(change.act, Draw):
            self._heard.say(front.call(change, change.act.number))
        else:
            self._recital.follow(change, front.announce(change))
        if isinstance(change.act, Draw | Undo | Open):
            front.light()
        front.nearness.follow(change)
        self._answers.look()
        if isinstance(change.act, Open | PlayOn):
            front.unsign("journal")  # the hall has confirmed where it is, and goes on
        self._preparing.follow(change)
        self._auto.follow(change)
        self._knobs.call_waiting()

    def _call_over(self) -> None:
        """The number was heard, or nobody will ever hear it: the next may come, unless somebody has
        won on this one."""
        self._stop_if_won()
        self._auto.wind(self._heard.began)
        self._knobs.call_waiting()

    def _stop_if_won(self) -> None:
        """Stops the game where the hall wants that and a card in play has won (H30)."""
        game = self._session.hall.playing
        if (
            self._settings.stop_won
            and game is not None
            and not game.stopped
            and self._front.nearness.completed()
        ):
            # What is asked for after this is recorded after it: a number that waits is refused, and
            # goes on waiting.
            self._start(self.wish(self._new_id(), {"act": "stop"}, STATION, BY_ITSELF))
