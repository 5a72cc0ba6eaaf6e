"""Give the caller's machine (`station.calling.machine`) its devices and its clock: a thin shell.

Events of devices and wishes from the wire go in; what comes out is done here: acts are recorded,
words said, lamps lit, timers wound. The session's changes go in again. Runs on the event loop only.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, replace
from typing import Any, TypeAlias, assert_never

import drivers
from station.base.clock import Clock
from station.base.errors import NotAllowed
from station.base.said import Sentence, said
from station.calling import signals
from station.calling.button_meaning import KINDS, OPENING, kind_of, sent
from station.calling.caller_state import BUTTON, KEYED, CallerState, Manners, NightSnapshot
from station.calling.machine import step
from station.calling.outputs import DeskSettings, Errands, Moment, Outputs, OutputSender, Spoken
from station.calling.preparing import answers, refuses
from station.calling.selftest import Trial
from station.calling.table.players import Minds, TablePlayers
from station.calling.wishes import Mute, read_wish
from station.checkup.selftest import NO_DEVICES, Bench
from station.night.acts import Act, CloseNight, DrawKnob, MakeMove, Open, Undo
from station.night.losses import mark_of
from station.night.table.game import GameInPlay
from station.night.table.luck import DiceFrom, awaited_throw, dice_from
from station.people.roles import STATION, Person
from station.record.requests import (
    Answer,
    Change,
    Command,
    Done,
    HeldNumber,
    NextNight,
    Refused,
    SessionWish,
    read_act,
)
from station.record.session import Session, no_next_night
from station.settings.readers import Resting
from station.settings.tags import TagTable
from station.views.nearness import NEAREST_CARDS, WorkedOut
from station.wire.board_view import AutoView, BoardView, SignView
from station.wire.wording import Wording

log = logging.getLogger(__name__)

CLOSING = "closing"  # asked about before the night closes
PAUSE = "pause"  # asked about while the hall has one
HOLD_ON = "keep this button pressed to switch the station off"
NO_VOICE = Refused("no-voice", said("there is no voice to mute: look at the signs"))
Given: TypeAlias = Answer | asyncio.Task[Answer]  # the answer to a wish, or who will have it


class Desk:
    """One desk for one open night.

    Args:
        session: the open night.
        knobs: the hall's tags.
        bench: what a self-test tries; by default no device.
        new_id: the id of a command that begins here.
        taught_since: whether knobs were taught since the night began with its own.
        power_off: asks for the end of the machine, and returns at once.
        next_night: begins the night after this one, which is closed, or says why not.
        before: the desk of the night before, if the station kept running: hands, pace, sound and
            devices in trouble are carried over.
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
        bench: Bench = NO_DEVICES,
        taught_since: Callable[[], bool] = lambda: False,
        next_night: Callable[[Command], Awaitable[Answer]] = no_next_night,
        before: Desk | None = None,
    ) -> None:
        self._session = session
        self._outputs = outputs
        self._settings = settings
        self._new_id = new_id
        self._power_off = power_off
        self._next_night = next_night
        self._manners = Manners(
            settings.see_first,
            settings.stop_won,
            settings.dice,
            "off" if any(kind_of(button) == "off" for button in settings.buttons) else "next",
            settings.wording.screen,
            knobs,
            settings.scanning,
            settings.buzzers,
        )
        by_hand = AutoView(on=False, pace=settings.pace)
        self._state = CallerState(by_hand, resting=Resting(settings.readers))
        self._tokens: dict[signals.AwaitedWords, int] = {}
        if before is not None:
            self._state = before._state.following()
            self._tokens = dict(before._tokens)
        self._timers: dict[tuple[signals.Timer, str], asyncio.Handle] = {}
        self._errands = Errands()
        self._after: Desk | None = None
        left = before._sender if before is not None else None
        self._sender: OutputSender = OutputSender(
            session, outputs, settings, self._moment, clock or Clock(), left
        )
        self._bench = bench
        self._taught_since = taught_since
        self._trial: Trial | None = None
        self._testing: asyncio.Task[Any] | None = None
        self._draw = asyncio.Event()  # a draw that waits may be recorded
        minds, start = Minds(hurry=settings.hurry), self._errands.start
        self._players = TablePlayers(session, self._asked, self.receive, start, minds)
        self._players.look()

    def _moment(self) -> Moment:
        state, hall, signs = self._state, self._session.hall, self._sender.signs
        unready = refuses(state, hall, signs, "open") or refuses(
            state, hall, signs, "shake", BUTTON
        )
        refused = frozenset(KINDS) if state.order else OPENING if unready else frozenset()
        if DiceFrom.STATION not in self._settings.dice and awaited_throw(self._table):
            refused |= {"draw"}
        return Moment(state, refused)

    @property
    def _table(self) -> GameInPlay | None:
        return self._session.hall.open_game

    def answers(self, tell: Callable[[Sentence], str] = str) -> Mapping[str, dict[str, Any]]:
        """Return what the desk itself answers on the wire, by what is asked about."""
        return {
            **answers(self._state.preparing, self._session.hall, self._trial, tell),
            "currency": asdict(self._settings.currency),
            "refused": self._sender.refused,
            "dice": {"from": [str(one) for one in DiceFrom if one in self._settings.dice]},
        }

    def questions(
        self,
        more: Mapping[str, dict[str, Any]],
        tell: Callable[[Sentence], str] = str,
        wording: Wording | None = None,
    ) -> Mapping[str, dict[str, Any]]:
        """Return `answers`, what draw and next ask for, whether simulated players are about to act,
        the cards nearest a prize, what the end of the night would lose, how long the pause still
        takes, `more`.

        Args:
            wording: the words of the person who asks; the hall's by default.
        """
        words = wording or self._settings.wording
        press = {
            "do": sent(self._sender.press()),
            "next": sent(self._sender.press("next")),
            "sees_first": self._settings.see_first,
            "out": sorted(self._session.hall.out_of_bag),
        }
        return WorkedOut(
            {
                **self.answers(tell),
                "press": press,
                "players": {"thinking": self._players.thinking},
                **more,
            },
            {
                NEAREST_CARDS: lambda: self._sender.nearness.nearest(words),
                CLOSING: lambda: self._closing(tell),
                PAUSE: lambda: {"left_s": self._session.pause.left_s()},
            },
        )

    @property
    def busy(self) -> bool:
        """Return whether a census or a self-test is under way."""
        return self._state.preparing.busy

    def _closing(self, tell: Callable[[Sentence], str]) -> dict[str, Any]:
        """Return what the night would lose if it was closed now, and the mark of that state."""
        act, session = CloseNight(), self._session
        loss = session.loss(act)
        say = tell(loss.said) if loss is not None else ""
        return {"say": say, "seen": mark_of(session.hall, act.act, session.seq)}

    def view(self) -> BoardView:
        """Return what every screen shows now."""
        return self._sender.view()

    def begin(self, resumed: bool) -> None:
        """Light the board and say the last number again, after a start."""
        self._take(signals.Signal.RESUMED if resumed else signals.Signal.STARTED)

    def sign(self, sign: SignView) -> None:
        """Put up a sign that stays."""
        self._sender.sign(sign)

    def unsign(self, device: str) -> None:
        """Take a sign down."""
        self._sender.unsign(device)

    def hand_over(self, after: Desk) -> None:
        """Leave everything to the next night's desk; its journal notes the devices in trouble."""
        self._after = after
        self._sender.silence()
        self._wind(signals.Wind(signals.Timer.OFF, None))
        after._take(signals.Signal.TOOK_OVER)

    async def close(self) -> None:
        """Stop all timers, and wait for tasks under way."""
        for timer, of in tuple(self._timers):
            if timer is not signals.Timer.GRACE:  # a draw waits for it
                self._wind(signals.Wind(timer, None, of))
        self._players.stop()
        self._stop_test()
        self._take(signals.Signal.ENDING)
        await self._errands.over()

    # -- in: devices -------------------------------------------------------------------------------

    def receive(self, event: drivers.Event) -> None:
        """Take one event of a device. Call it on the event loop."""
        self._take(event)
        if isinstance(event, drivers.SoundEnded):
            for words in [words for words, said in self._tokens.items() if said == event.token]:
                self._take(signals.Ended(words, event.heard))

    # -- in: wishes, and what came of them ---------------------------------------------------------

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
        """Do what is asked for in JSON, or say why not; other arguments as in `Command`."""
        act = read_wish(do)
        # What a person keys is told from what a device read, for good (H14).
        given = KEYED if via == "wire" and self._keys_in(act) else via
        return await self.ask(Command(wish_id, act, by, given, expect, seen, sure))

    def _keys_in(self, act: Act | SessionWish) -> bool:
        """Return whether a person says with this which knob was drawn, or what dice show."""
        move = act.move if isinstance(act, MakeMove) else {}
        return isinstance(act, DrawKnob) or dice_from(self._table, move) is DiceFrom.KEYED

    async def ask(self, command: Command) -> Answer:
        """Do what is asked for, or say why not; one that comes again gets its first answer."""
        if self._after is not None:
            return await self._after.ask(command)
        try:
            command.by.require(command.act.act)
        except NotAllowed as error:
            return Refused(error.reason, error.said)
        if (known := self._session.known(command)) is not None:
            return known
        given = self._take(command)
        if given is None:
            raise AssertionError(f"{command.act.act} was not answered")
        return given if isinstance(given, Done | Refused) else await asyncio.shield(given)

    async def _asked(self, act: Act | SessionWish, by: Person, via: str) -> Answer:
        return await self.ask(Command(self._new_id(), act, by, via))

    def tell(self, change: Change) -> None:
        """Announce a change that is durable and adopted."""
        self._take(change)

    def _take(self, event: signals.Event) -> Given | None:
        """Let the machine take an event, do its effects, show once; return a command's answer."""
        night = NightSnapshot(
            self._session,
            asyncio.get_running_loop().time(),
            self._manners,
            self._sender.signs,
            self._sender.nearness.completed,
            self._taught_since,
        )
        before = self._state
        self._state, effects = step(before, event, night)
        if isinstance(event, drivers.Pressed) and not effects and self._state.down == before.down:
            why = (
                "it has no meaning now" if before.question is None else "a question is being asked"
            )
            log.info("the button %s was pressed, and nothing was done: %s", event.button, why)
        with self._sender.together():
            given = [(effect, self._carry_out(effect)) for effect in effects]
        return next((answer for effect, answer in given if _answers(effect, event)), None)

    # -- out: what the machine wants done ----------------------------------------------------------

    def _carry_out(self, effect: signals.Effect) -> Given | None:  # noqa: C901 - a case for each
        match effect:
            case signals.Record():
                return self._record(effect)
            case signals.Try():
                return self._try(effect)
            case signals.Reply():
                return self._reply(effect)
            case signals.Refuse(answer, aloud=aloud):
                self._sender.refuse(answer, aloud=aloud)
            case signals.Tell():
                self._tell(effect)
            case signals.Say():
                self._say(effect)
            case signals.Notice(text, key):
                self._sender.show(self._told(text), key)
            case signals.Hint():
                self._hint(effect)
            case signals.Sign():
                self._sign(effect)
            case signals.RecordNote(about, what):
                self._note(about, what)
            case signals.Log(text):
                log.info("%s", text)
            case signals.Wind():
                self._wind(effect)
            case signals.BeginTest():
                self._begin_test(effect)
            case signals.Examine(event):
                if self._trial is not None:
                    self._trial.take(event)
            case signals.Do():
                self._do(effect)
            case _:
                assert_never(effect)
        return None

    def _record(self, effect: signals.Record) -> Given:
        command = effect.command
        if not command.id:
            command = replace(command, id=self._new_id())
        if effect.waits:
            self._draw.clear()
        return self._errands.start(self._recorded(command, effect.asked, waits=effect.waits))

    async def _recorded(self, command: Command, asked: Command | None, *, waits: bool) -> Answer:
        if self._after is not None:  # it was begun here, in the moment of the hand-over
            return await self._after.ask(command)
        answer = None
        try:
            if waits:
                await self._draw.wait()
            begins = isinstance(command.act, NextNight)
            answer = await (self._next_night(command) if begins else self._submit(command))
        finally:
            if isinstance(answer, Refused):
                self._log(command, answer)
            keeps = isinstance(answer, Refused | HeldNumber)
            if answer is not None and keeps and asked is not None and asked.id:
                self._session.remember(asked, answer)  # as it came
            self._take(signals.CommandAnswered(command, answer))
        return answer

    async def _submit(self, command: Command) -> Answer:
        answer = await self._session.submit(command)
        if self._session.halted:
            if not self._state.halted:
                log.critical("halted: %s", self._session.halted)
            self._take(signals.Signal.HALTED)
        return answer

    @staticmethod
    def _log(command: Command, answer: Refused) -> None:
        asked = f"{command.act.act} by {command.by.name} via {command.via}"
        log.info("refused (%s): %s", asked, answer.say)

    async def _keep(self, act: Act | SessionWish, via: str, by: Person = STATION) -> Answer:
        """Record a device's act in the journal; nobody waits for the answer."""
        return await self._submit(Command(self._new_id(), act, by, via))

    def _note(self, about: str, what: str) -> None:
        """Record a note. A device's words are untrusted, as the wire's are."""
        note = {"act": "note", "about": about[:60], "what": what[:400]}
        self._errands.start(self._noted(note))

    async def _noted(self, note: Mapping[str, Any]) -> None:
        answer = await self._keep(read_act(note), "station")
        if isinstance(answer, Refused):  # as after the night's end
            log.warning("not in the journal: %s: %s (%s)", note["about"], note["what"], answer.say)

    def _reply(self, effect: signals.Reply) -> Given:
        command, answer = effect.command, effect.answer
        if isinstance(answer, Refused):
            self._log(command, answer)
        if command.id and effect.keep:
            self._session.remember(command, answer)
        return answer

    def _try(self, effect: signals.Try) -> Given:
        command = effect.command
        answer = self._mute(command)
        if command.id:
            self._session.remember(command, answer)
        self._take(signals.CommandAnswered(command, answer))
        return answer

    def _mute(self, command: Command) -> Answer:
        on = command.act.on if isinstance(command.act, Mute) else None
        muted = not self._state.muted if on is None else on
        if not self._outputs.volume(0.0 if muted else self._settings.volume):
            return NO_VOICE
        self._take(signals.Silenced(muted, f"by {command.by.name} via {command.via}"))
        return Done(self._session.seq)

    def _tell(self, effect: signals.Tell) -> None:
        """Announce a change: voice first, then the board, then whatever follows the night."""
        change, sender = effect.change, self._sender
        said = sender.announce(change)
        if said is not None and effect.words is not None:
            self._spoken(effect.words, said)
        if isinstance(change.act, DrawKnob | Undo | Open):
            sender.light()
        sender.nearness.follow(change)
        self._players.look()

    def _say(self, effect: signals.Say) -> None:
        said = self._sender.tell(effect.clips, effect.rank, adds=effect.adds)
        if effect.words is not None:
            self._spoken(effect.words, said)

    def _spoken(self, words: signals.AwaitedWords, said: Spoken) -> None:
        self._tokens[words] = said.token
        if not said.heard:
            asyncio.get_running_loop().call_soon(self._take, signals.Ended(words, None))

    def _hint(self, effect: signals.Hint) -> None:
        button = effect.button
        if kind_of(button) == "off":
            self._sender.show(HOLD_ON)
        elif (table := self._sender.view().table) is not None and table.text:
            self._sender.show(table.text)  # where the players decide first, it says what
        elif kind_of(button) not in KINDS:
            log.warning(
                "the button %r means nothing: its name in the settings must begin with one of %s",
                button,
                ", ".join(KINDS),
            )

    def _sign(self, effect: signals.Sign) -> None:
        if effect.text is not None:
            text = self._told(effect.text)
            self._sender.sign(SignView(device=effect.device, colour=effect.colour, text=text))
        else:
            self._sender.unsign(effect.device)

    def _told(self, text: str | Sentence) -> str:
        return text if isinstance(text, str) else self._sender.told(text)

    def _wind(self, effect: signals.Wind) -> None:
        timer = effect.timer, effect.of
        if (before := self._timers.pop(timer, None)) is not None:
            before.cancel()
        if effect.at is not None:
            loop = asyncio.get_running_loop()
            self._timers[timer] = loop.call_at(effect.at, self._due, *timer)

    def _due(self, timer: signals.Timer, of: str) -> None:
        # A wish that came in the same moment goes first: it may set this timer anew.
        self._timers[timer, of] = asyncio.get_running_loop().call_soon(self._rang, timer, of)

    def _rang(self, timer: signals.Timer, of: str) -> None:
        del self._timers[timer, of]
        self._take(signals.Rang(timer, of))

    def _begin_test(self, effect: signals.BeginTest) -> None:
        sender, outputs, hands = self._sender, self._outputs, effect.hands
        self._trial = Trial(sender, outputs, self._bench, hands=hands, who=effect.who)
        self._testing = self._errands.start(self._test(self._trial))

    async def _test(self, trial: Trial) -> None:
        result = None
        try:
            result = await trial.run()
        finally:
            if self._trial is trial:
                self._trial = None
                self._take(signals.SelfTestEnded(result))

    def _stop_test(self) -> None:
        if self._testing is not None:
            self._testing.cancel()  # it may not have begun

    def _do(self, effect: signals.Do) -> None:
        match effect:
            case signals.Do.WELCOME:
                self._sender.greet(resumed=False)
            case signals.Do.SAY_WHERE:
                if (said := self._sender.greet(resumed=True)) is not None:
                    self._spoken(signals.AwaitedWords.AGAIN, said)
            case signals.Do.LIGHT:
                self._sender.light()
            case signals.Do.PUBLISH:
                self._sender.publish()
            case signals.Do.POWER_OFF:
                self._power_off()
            case signals.Do.STOP_TEST:
                self._trial = None
                self._stop_test()
            case signals.Do.DRAW:
                self._draw.set()


def _answers(effect: signals.Effect, event: signals.Event) -> bool:
    """Return whether this effect answers this command."""
    match effect:
        case signals.Record(command, asked):
            return event is command or event is asked
        case signals.Try(command) | signals.Reply(command):
            return event is command
    return False
