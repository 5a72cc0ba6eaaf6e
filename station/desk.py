"""The caller's desk: what a press, a knob and the clock mean, and what a change is heard, lit and shown as.

Device events and wishes from the wire come in, commands go to the session; changes come back from the session and go out in this
order: voice, board, lamps, screens. The desk runs on the event loop only and holds nothing that is not derived from the session's
state, but for what a restart may forget: automatic calling, signs of devices in trouble, the knob that lies on the reader
uncalled.

A press during a call is refused, never kept for later. A knob is another matter: it *is* drawn. One that is read during a call,
or while a claim is open, stays "drawn, not called" and is called as soon as play allows; a second one meanwhile is refused.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from drivers import (
    BoardShown,
    Cavity,
    DeviceFound,
    DeviceLost,
    Event,
    Light,
    Pressed,
    ReadRefused,
    Refusal,
    Released,
    SoundEnded,
    SoundStarted,
    TagRead,
)
from station.access import DEVICE, STATION, Person
from station.boardview import AutoView, BoardView, SayView, SignView
from station.cards import Marks
from station.errors import NotAllowed
from station.hall import Draw, Open, Undo
from station.rules.loto_first import ROWS_WANTED
from station.session import Answer, Change, Command, Done, Refused, Session
from station.views import Currency, Scene, Style, announcement, board, cavities, last_number_again
from station.wording import Wording

log = logging.getLogger(__name__)

CALL_LIMIT_S = 15.0  # a net under the voice driver, which ends every announcement by itself, a hung one after 4 s (H18)
NOTICE_PAUSE_S = 3.0  # a reader that sends garbage all the time is scolded once in so long

NO_CURRENCY = Currency()
BUSY = Refused("busy", "a number is being called: wait until it was heard")


class Outputs(Protocol):
    """Where a change goes. None of these wait."""

    def say(self, clips: tuple[str, ...], token: int) -> bool:
        """Speaks; False when there is no voice."""

    def light(self, lit: tuple[Cavity | None, ...], token: int) -> None:
        """Lights the board."""

    def lamp(self, name: str, light: Light) -> None:
        """Lights a lamp, if there is one of that name."""

    def publish(self, view: BoardView) -> None:
        """Sends the view to all screens."""


@dataclass(frozen=True)
class DeskSettings:
    """What the desk must know of the settings."""

    wording: Wording
    hall_name: str
    currency: Currency = NO_CURRENCY
    style: Style = Style.PLAIN
    chime: bool = False
    near: bool = False
    test: bool = False
    pace: float = 6.0


class Desk:
    """One desk for one open night.

    Args:
        session: the open night.
        knobs: tag → knob.
    """

    def __init__(self, session: Session, outputs: Outputs, settings: DeskSettings, knobs: Mapping[int, int]) -> None:
        self._session = session
        self._outputs = outputs
        self._settings = settings
        self._knobs = knobs
        self._tokens = itertools.count(time.time_ns() // 1_000_000)
        self._say: SayView | None = None
        self._notice = ""
        self._signs: dict[str, SignView] = {}
        self._auto = AutoView(on=False, pace=settings.pace)
        self._auto_timer: asyncio.TimerHandle | None = None
        self._called_at: float | None = None  # when the last call began, on the loop's clock
        self._calling: int | None = None  # the token of the call being heard; -1 while it is being recorded
        self._call_limit: asyncio.TimerHandle | None = None
        self._waiting: int | None = None  # the knob drawn, not called
        self._scolded = -NOTICE_PAUSE_S
        self._said_halted = False
        self._marks: Marks | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._remark()

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
                self._lost(device, reason)
            case DeviceFound(device=device):
                self._found(device)
            case SoundEnded(token=token):
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
        self._start(self.wish(uuid.uuid4().hex, act, DEVICE, f"button:{button}"))

    def _next_act(self) -> dict[str, Any]:
        """What "next" means now: end the check, close the game that is won, or open the next."""
        game = self._session.hall.playing
        if game is None:
            return {"act": "open"}
        return {"act": "play-on"} if game.stopped or game.stage is not None else {"act": "close"}

    def _read(self, tag: int) -> None:
        knob = self._knobs.get(tag)
        if knob is None:
            self._scold("unknown-knob")
            return
        hall = self._session.hall
        game = hall.playing
        if game is not None and knob in game.called:
            self._tell_hall(("already-drawn",))
        elif self._waiting not in (None, knob):
            self._tell_hall(("two-knobs",))
        else:
            self._waiting = knob
            self._call_waiting()

    def _call_waiting(self) -> None:
        game = self._session.hall.playing
        if self._waiting is None or self._calling is not None or game is None or game.stopped:
            self._publish()
            return
        knob, self._waiting = self._waiting, None
        self._start(self.wish(uuid.uuid4().hex, {"act": "draw", "number": knob}, DEVICE, "reader"))

    def _scold(self, phrase: str) -> None:
        now = time.monotonic()
        if now - self._scolded >= NOTICE_PAUSE_S:
            self._scolded = now
            self._tell_hall((phrase,))

    def _lost(self, device: str, reason: str) -> None:
        self._signs[device] = SignView(device=device, colour="amber", text=reason)
        self._note(device, f"lost: {reason}")
        if device == "reader":
            self._tell_hall(("reader-lost",))
        self._publish()

    def _found(self, device: str) -> None:
        if self._signs.pop(device, None) is not None:
            self._note(device, "works again")
            if device == "reader":
                self._tell_hall(("reader-back",))
            self._publish()

    def sign(self, sign: SignView) -> None:
        """Puts up a sign that stays."""
        self._signs[sign.device] = sign
        self._publish()

    def _note(self, about: str, what: str) -> None:
        do = {"act": "note", "about": about[:60], "what": what[:400]}
        self._start(self._submit(Command(uuid.uuid4().hex, do, STATION, "station")))

    # -- in: wishes ----------------------------------------------------------------------------------------------------

    async def wish(self, wish_id: str, do: Mapping[str, Any], by: Person, via: str, expect: int | None = None) -> Answer:
        """Does what somebody asks for, or says why not."""
        act = do.get("act")
        if act in ("auto", "repeat"):
            try:
                by.require(act)
            except NotAllowed as error:
                return Refused(str(error.reason), str(error))
            return self._set_auto(do) if act == "auto" else self._repeat()
        if act != "draw":
            answer = await self._submit(Command(wish_id, do, by, via, expect))
        elif self._calling is not None:
            answer = BUSY
        else:
            self._calling = -1
            answer = await self._submit(Command(wish_id, do, by, via, expect))
            if self._calling == -1:  # refused, or a repeated command: nothing is being called
                self._call_over()
        if isinstance(answer, Refused):
            log.info("refused (%s by %s via %s): %s", act, by.name, via, answer.say)
            if via != "wire" and via != "auto" and answer is not BUSY:
                self._notice = answer.say
                self._publish()
        return answer

    async def _submit(self, command: Command) -> Answer:
        answer = await self._session.submit(command)
        if self._session.halted and not self._said_halted:
            self._said_halted = True
            log.critical("halted: %s", self._session.halted)
            self._set_auto({"on": False})
            self._signs["journal"] = SignView(device="journal", colour="red", text=self._session.halted)
            self._tell_hall(("halted", *last_number_again(self._session.hall)))
        return answer

    def _repeat(self) -> Answer:
        clips = last_number_again(self._session.hall)
        if not clips:
            return Refused("nothing-called", "nothing has been called yet: there is nothing to repeat")
        if self._calling is not None:
            return BUSY
        self._tell_hall(clips)
        return Done(self._session.seq)

    # -- automatic calling ---------------------------------------------------------------------------------------------

    def _set_auto(self, do: Mapping[str, Any]) -> Answer:
        on, pace = do.get("on", self._auto.on), do.get("pace", self._auto.pace)
        if (
            not isinstance(on, bool)
            or not isinstance(pace, int | float)
            or not (2 <= pace <= 60 or pace == 0 == self._settings.pace)
        ):
            return Refused("unreadable", "automatic calling wants on (true or false) and a pace from 2 to 60 seconds")
        changed = on != self._auto.on
        self._auto = AutoView(on=on, pace=float(pace))
        self._wind()
        if changed and not self._said_halted:
            self._tell_hall(("auto-on" if on else "auto-off",))
        self._publish()
        return Done(self._session.seq)

    def _wind(self, since: float | None = None) -> None:
        """The next automatic call comes a pace after the last one began, or after a pause a whole pace from now: no burst."""
        if self._auto_timer is not None:
            self._auto_timer.cancel()
            self._auto_timer = None
        if self._auto.on and self._calling is None:
            loop = asyncio.get_running_loop()
            self._auto_timer = loop.call_at((since or loop.time()) + self._auto.pace, self._tick)

    def _tick(self) -> None:
        self._auto_timer = None
        game = self._session.hall.playing
        if game is None or game.stopped or game.stage is None or self._calling is not None:
            return  # wound again by the change that lets play go on
        if len(game.called) == game.setup.knobs:
            self._set_auto({"on": False})
            self._tell_hall(("bag-empty",))
            return
        self._start(self.wish(uuid.uuid4().hex, {"act": "draw"}, STATION, "auto"))

    # -- out -----------------------------------------------------------------------------------------------------------

    def tell(self, change: Change) -> None:
        """The session's change is durable and adopted: it is heard, lit and shown now, in this order."""
        clips = announcement(change.act, change.before, change.after, self._settings.style)
        if isinstance(change.act, Draw):
            if self._settings.chime:
                clips = ("chime", *clips)
            self._calling = self._speak(clips)
            loop = asyncio.get_running_loop()
            self._called_at = loop.time()
            self._call_limit = loop.call_later(CALL_LIMIT_S, self._call_over)
            self._notice = ""
        elif clips:
            self._speak(clips)
            self._notice = self._settings.wording.sentence(clips)
        if isinstance(change.act, Draw | Undo | Open):
            self._light()
        self._mark(change)
        self._publish()
        if not isinstance(change.act, Draw):
            self._wind()
            self._call_waiting()

    def begin(self, resumed: bool) -> None:
        """Lights the board and says the last number again, after a start."""
        self._light()
        clips = last_number_again(self._session.hall) if resumed else ("welcome",)
        if clips:
            self._tell_hall(clips)
        self._publish()

    def _speak(self, clips: tuple[str, ...]) -> int:
        """Says clips; gives the token of what is said, which is over at once when there is no voice."""
        token = next(self._tokens)
        self._say = SayView(token=token, clips=clips, text=self._settings.wording.sentence(clips))
        if not self._outputs.say(clips, token):
            asyncio.get_running_loop().call_soon(self.receive, SoundEnded(token, False, time.monotonic()))
        return token

    def _tell_hall(self, clips: tuple[str, ...]) -> None:
        self._speak(clips)
        self._notice = self._settings.wording.sentence(clips)
        self._publish()

    def _call_over(self) -> None:
        if self._call_limit is not None:
            self._call_limit.cancel()
            self._call_limit = None
        self._calling = None
        self._wind(self._called_at)
        self._call_waiting()

    def _light(self) -> None:
        game = self._session.hall.game
        lit = cavities(game.called if game is not None else ())
        self._outputs.light(tuple(Cavity(*knob) if knob is not None else None for knob in lit), next(self._tokens))

    def _lamps(self) -> None:
        """A lamp says whether its button would do anything now."""
        game = self._session.hall.playing
        halted = bool(self._session.halted)
        would = {
            "draw": not halted and self._calling is None and (game is None or (not game.stopped and game.stage is not None)),
            "claim": not halted and game is not None and not game.stopped and game.stage is not None,
            "next": not halted and (game is None or game.stopped or game.stage is None),
        }
        for name, on in would.items():
            self._outputs.lamp(name, Light.ON if on else Light.OFF)

    def _publish(self) -> None:
        self._lamps()
        self._outputs.publish(self.view())

    def view(self) -> BoardView:
        """What every screen shows now."""
        hall = self._session.hall
        game = hall.playing
        settings = self._settings
        near = None
        if settings.near and game is not None and game.stage is not None and self._marks is not None:
            near = self._marks.near(ROWS_WANTED[game.stage])
        waiting = f"{self._waiting}: drawn, not called" if self._waiting is not None else ""
        scene = Scene(
            wording=settings.wording,
            hall_name=settings.hall_name,
            currency=settings.currency,
            test=settings.test,
            seq=self._session.seq,
            near=near,
            calling=self._calling is not None,
            signs=tuple(self._signs.values()),
            auto=self._auto,
            say=self._say,
            notice=waiting or self._notice,
            halted=self._session.halted,
        )
        return board(hall, scene)

    def _remark(self) -> None:
        """Makes the marks on all cards in play anew from the numbers called."""
        game = self._session.hall.game
        self._marks = None
        if game is not None and self._settings.near:
            self._marks = Marks(game.setup.cards)
            for number in game.called:
                self._marks.call(number)

    def _mark(self, change: Change) -> None:
        if isinstance(change.act, Open):
            self._remark()
        elif self._marks is not None and isinstance(change.act, Draw):
            self._marks.call(change.act.number)
        elif self._marks is not None and isinstance(change.act, Undo) and change.before.game is not None:
            self._marks.take_back(change.before.game.called[-1])

    def _start(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a command failed", exc_info=error)

    async def close(self) -> None:
        """Stops automatic calling and waits for what was begun."""
        for timer in (self._auto_timer, self._call_limit):
            if timer is not None:
                timer.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
