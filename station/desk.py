"""The caller's desk: what a press, a knob, a wish and the clock mean.

Device events and wishes from the wire come in, commands go to the session; changes come back from the session and go out by the
front. The desk runs on the event loop only.

A press during a call is refused, never kept for later. A knob is another matter: it *is* drawn. One that is read during a call,
or while a claim is open, stays "drawn, not called" and is called as soon as play allows; a second one meanwhile is refused.
"""

from __future__ import annotations

import asyncio
import logging
import math
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from drivers import (
    BoardShown,
    DeviceFound,
    DeviceLost,
    Event,
    Pressed,
    ReadRefused,
    Refusal,
    Released,
    SoundEnded,
    SoundStarted,
    TagRead,
)
from station.access import DEVICE, STATION, Person
from station.boardview import AutoView, BoardView, SignView
from station.clock import Clock
from station.errors import NotAllowed
from station.front import DeskSettings, Front, Moment, Outputs
from station.hall import Close, Draw, Open, PlayOn, Undo
from station.rules.loto_first import Reason as GameReason
from station.session import Answer, Change, Command, Done, Refused, Session
from station.views import announcement, last_number_again

log = logging.getLogger(__name__)

CALL_LIMIT_S = 15.0  # a net under the voice driver, which ends every announcement by itself, a hung one after 4 s (H18)
SCOLD_PAUSE_S = 3.0  # a reader that sends garbage all the time is scolded once in so long
CABLE_PAUSE_S = 15.0  # and one with a loose cable is lost and found aloud once in so long: the calls come first
LEAST_PACE_S, MOST_PACE_S = 2, 60

BUSY = Refused("busy", "a number is being called: wait until it was heard")


class Desk:
    """One desk for one open night.

    Args:
        session: the open night.
        knobs: tag → knob.
        new_id: the id of a command that begins here.
    """

    def __init__(
        self,
        session: Session,
        outputs: Outputs,
        settings: DeskSettings,
        knobs: Mapping[int, int],
        *,
        new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
        clock: Clock | None = None,
    ) -> None:
        self._session = session
        self._settings = settings
        self._knobs = knobs
        self._new_id = new_id
        self._auto = AutoView(on=False, pace=settings.pace)
        self._auto_timer: asyncio.TimerHandle | None = None
        self._called_at: float | None = None  # when the last call began, on the loop's clock
        self._calling: int | None = None  # the token of the call being heard; -1 while it is being recorded
        self._call_limit: asyncio.TimerHandle | None = None
        self._last_said: int | None = None  # the token of what said the last number, as a call or again
        self._unheard = False  # the voice failed over that
        self._waiting: int | None = None  # the knob drawn, not called
        self._scolded: dict[str, float] = {}  # for each kind of trouble, when it was spoken of
        self._said_halted = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self._front = Front(session, outputs, settings, self._moment, clock or Clock())

    def _moment(self) -> Moment:
        return Moment(self._calling is not None, self._waiting, self._auto)

    def view(self) -> BoardView:
        """What every screen shows now."""
        return self._front.view()

    def begin(self, resumed: bool) -> None:
        """Lights the board and says the last number again, after a start."""
        self._last_said = self._front.begin(resumed)

    def sign(self, sign: SignView) -> None:
        """Puts up a sign that stays."""
        self._front.sign(sign)

    async def close(self) -> None:
        """Stops automatic calling and waits for what was begun."""
        for timer in (self._auto_timer, self._call_limit):
            if timer is not None:
                timer.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # -- in: devices ---------------------------------------------------------------------------------------------------

    def receive(self, event: Event) -> None:
        """Takes one event of a device; on the event loop."""
        match event:
            case Pressed(button=button):
                self._press(button)
            case TagRead(tag=tag):
                self._read(tag)
            case ReadRefused(why=why):
                self._scold("two-knobs" if why is Refusal.CHECK else "unknown-knob")
            case DeviceLost(device=device, reason=reason):
                self._front.sign(SignView(device=device, colour="amber", text=reason))
                self._note(device, f"lost: {reason}")
                if device == "reader":
                    self._scold("reader-lost", "lost", CABLE_PAUSE_S)
            case DeviceFound(device=device):
                if self._front.unsign(device):
                    self._note(device, "works again")
                    if device == "reader":
                        self._scold("reader-back", "found", CABLE_PAUSE_S)
                    if device == "speech":
                        self._say_unheard()
            case SoundEnded(token=token, heard=heard):
                if token == self._last_said:
                    self._unheard = not heard
                if token == self._calling:
                    self._call_over()
            case SoundStarted() | BoardShown() | Released():
                pass

    def _press(self, button: str) -> None:
        hall = self._session.hall
        acts: dict[str, dict[str, Any]] = {
            "draw": {"act": "draw"} if hall.playing is not None else {"act": "open"},
            "claim": {"act": "stop"},
            "next": self._next_act(),
            "undo": {"act": "undo", "why": "button"},
            "repeat": {"act": "repeat"},
        }
        act = acts.get(button)
        if act is None:
            log.warning("button %s has no meaning here: its name in the settings must be one of %s", button, ", ".join(acts))
            return
        self._start(self.wish(self._new_id(), act, DEVICE, f"button:{button}"))

    def _next_act(self) -> dict[str, Any]:
        """What "next" means now: end the check, close the game that is won, or open the next."""
        game = self._session.hall.playing
        if game is None:
            return {"act": "open"}
        return {"act": "play-on"} if game.stopped or game.stage is not None else {"act": "close"}

    def _read(self, tag: int) -> None:
        knob = self._knobs.get(tag)
        game = self._session.hall.playing
        if knob is None:
            self._scold("unknown-knob")
        elif game is None or game.stage is None:
            self._start(self._call_knob(knob))  # the hall says why not; a knob that is put back is not drawn
        elif knob in game.called:
            self._front.tell_hall(("already-drawn",))
        elif self._waiting not in (None, knob):
            self._front.tell_hall(("two-knobs",))
        else:
            self._waiting = knob
            self._call_waiting()

    def _call_waiting(self) -> None:
        """Calls the knob that is drawn and not called, if there is one and play allows."""
        game = self._session.hall.playing
        if self._waiting is not None and self._calling is None and game is not None and not game.stopped:
            knob, self._waiting = self._waiting, None
            self._start(self._call_knob(knob))
        self._front.publish()

    async def _call_knob(self, knob: int) -> None:
        answer = await self.wish(self._new_id(), {"act": "draw", "number": knob}, DEVICE, "reader")
        # A claim or a press was faster by a moment: the knob is drawn all the same.
        if isinstance(answer, Refused) and answer.reason in (BUSY.reason, GameReason.CLAIM_OPEN) and self._waiting is None:
            self._waiting = knob
            self._call_waiting()

    def _say_unheard(self) -> None:
        """The voice is back: the number that nobody heard is said again, unless another is being called."""
        clips = last_number_again(self._session.hall)
        if self._unheard and self._calling is None and clips:
            self._unheard = False
            self._last_said = self._front.tell_hall(clips)

    def _scold(self, phrase: str, kind: str = "knob", pause_s: float = SCOLD_PAUSE_S) -> None:
        """Says what the caller must see to; of each kind once in a while only, or it would drown the calls."""
        now = asyncio.get_running_loop().time()
        if now - self._scolded.get(kind, -math.inf) >= pause_s:
            self._scolded[kind] = now
            self._front.tell_hall((phrase,))

    def _note(self, about: str, what: str) -> None:
        do = {"act": "note", "about": about[:60], "what": what[:400]}
        self._start(self._submit(Command(self._new_id(), do, STATION, "station")))

    # -- in: wishes ----------------------------------------------------------------------------------------------------

    async def wish(self, wish_id: str, do: Mapping[str, Any], by: Person, via: str, expect: int | None = None) -> Answer:
        """Does what somebody asks for, or says why not."""
        act = do.get("act")
        try:
            by.require(str(act))
        except NotAllowed as error:
            return Refused(str(error.reason), str(error))
        command = Command(wish_id, do, by, via, expect)
        if act in ("auto", "repeat"):
            known = self._session.known(command)
            return known or self._session.remember(command, self._set_auto(do) if act == "auto" else self._repeat())
        answer = await (self._draw(command) if act == "draw" else self._submit(command))
        if isinstance(answer, Refused):
            log.info("refused (%s by %s via %s): %s", act, by.name, via, answer.say)
            if via not in ("wire", "auto") and answer is not BUSY:
                self._front.notice = answer.say
                self._front.publish()
        return answer

    async def _draw(self, command: Command) -> Answer:
        known = self._session.known(command)
        if known is not None:
            return known
        if self._calling is not None:
            return self._session.remember(command, BUSY)
        self._calling = -1
        try:
            return await self._submit(command)
        finally:
            if self._calling == -1:  # refused: nothing is being called
                self._calling = None
                if self._auto_timer is None:
                    self._wind()
                self._call_waiting()

    async def _submit(self, command: Command) -> Answer:
        answer = await self._session.submit(command)
        if self._session.halted and not self._said_halted:
            self._said_halted = True
            log.critical("halted: %s", self._session.halted)
            self._set_auto({"on": False})
            self._front.sign(SignView(device="journal", colour="red", text=self._session.halted))
            self._front.tell_hall(("halted", *last_number_again(self._session.hall)))
        return answer

    def _repeat(self) -> Answer:
        clips = last_number_again(self._session.hall)
        if not clips:
            return Refused("nothing-called", "nothing has been called yet: there is nothing to repeat")
        if self._calling is not None:
            return BUSY
        self._last_said = self._front.tell_hall(clips)
        return Done(self._session.seq)

    # -- automatic calling ---------------------------------------------------------------------------------------------

    def _set_auto(self, do: Mapping[str, Any]) -> Answer:
        on, pace = do.get("on", self._auto.on), do.get("pace", self._auto.pace)
        if not isinstance(on, bool) or not isinstance(pace, int | float) or not LEAST_PACE_S <= pace <= MOST_PACE_S:
            return Refused(
                "unreadable", f"automatic calling wants on or off, and a pace from {LEAST_PACE_S} to {MOST_PACE_S} seconds"
            )
        changed = on != self._auto.on
        self._auto = AutoView(on=on, pace=float(pace))
        self._wind()
        if changed and not self._said_halted:
            self._front.tell_hall(("auto-on" if on else "auto-off",))
        self._front.publish()
        return Done(self._session.seq)

    def _wind(self, since: float | None = None) -> None:
        """The next automatic call comes a pace after the last one began, or after a pause a whole pace from now: no burst."""
        if self._auto_timer is not None:
            self._auto_timer.cancel()
            self._auto_timer = None
        if self._auto.on and self._calling is None:
            loop = asyncio.get_running_loop()
            self._auto_timer = loop.call_at((loop.time() if since is None else since) + self._auto.pace, self._tick)

    def _tick(self) -> None:
        self._auto_timer = None
        game = self._session.hall.playing
        if game is None or game.stopped or game.stage is None or self._calling is not None:
            return  # wound again by the change that lets play go on
        if len(game.called) == game.setup.knobs:
            self._set_auto({"on": False})
            self._front.tell_hall(("bag-empty",))
            return
        self._start(self.wish(self._new_id(), {"act": "draw"}, STATION, "auto"))

    # -- the session's changes -----------------------------------------------------------------------------------------

    def tell(self, change: Change) -> None:
        """The session's change is durable and adopted: it is heard, lit and shown now, in this order."""
        front = self._front
        clips = announcement(change.act, change.before, change.after, self._settings.style)
        if isinstance(change.act, Draw):
            self._call(("chime", *clips) if self._settings.chime else clips)
        elif clips:
            front.speak(clips)
            front.notice = self._settings.wording.sentence(clips)
        if isinstance(change.act, Draw | Undo | Open):
            front.light()
        front.mark(change)
        if isinstance(change.act, Open | PlayOn):
            front.unsign("journal")  # the hall has confirmed where it is, and goes on
        if isinstance(change.act, Open | PlayOn | Undo):
            self._wind()
        elif isinstance(change.act, Close):
            self._waiting = None  # it goes back into the bag with all the others
        self._call_waiting()

    def _call(self, clips: tuple[str, ...]) -> None:
        loop = asyncio.get_running_loop()
        self._calling, heard = self._front.speak(clips)
        self._last_said = self._calling
        self._front.notice = ""
        self._called_at = loop.time()
        self._call_limit = loop.call_later(CALL_LIMIT_S, self._call_over)
        if not heard:
            loop.call_soon(self._call_over)

    def _call_over(self) -> None:
        """The number was heard, or nobody will ever hear it: the next may come."""
        if self._call_limit is not None:
            self._call_limit.cancel()
            self._call_limit = None
        self._calling = None
        self._wind(self._called_at)
        self._call_waiting()

    def _start(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a command failed", exc_info=error)
