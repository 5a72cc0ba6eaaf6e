"""Decide what the caller does next: state and event give the next state and the effects. Pure.

`step` knows no clock, no device and no file. The snapshot of the night brings the seconds, effects
carry out the words and lights, and a timer is an effect (`Wind`) that comes back as an event
(`Rang`). A request to record is an effect, too (`Record`); its result is an event (the `Change`,
then `CommandAnswered`). So a number is called only once it is on disk.

The caller has one state (`caller_state`). This module takes each event to the one that has the job:

    knobs          what readers read, and what people key
    pace           automatic calling
    holding        a number that one person sees first
    confirming     a press that is asked about
    preparing      the census and the self-test: they keep devices' events for themselves
    trouble        devices that come and go
    counter        codes that scanners read
    switching_off  the end of the machine
    table          at the table: buzzers, real cards, thrown dice, a result told row by row

A press during a call is refused, never kept for later.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

import drivers
from drivers import (
    Buzzed,
    DeviceFound,
    DeviceLost,
    DeviceStarting,
    Held,
    Keyed,
    Misread,
    Pressed,
    Rank,
    ReadRefused,
    Released,
    Scanned,
    TagConfirmed,
    TagLeft,
    TagRead,
    Thrown,
    ThrowRefused,
    Turned,
)
from station.base.said import verbatim
from station.calling import confirming, counter, holding, knobs, pace, preparing, trouble, wishes
from station.calling.button_meaning import act_of, kind_of
from station.calling.caller_state import (
    BUTTON,
    BY_ITSELF,
    CALL_LIMIT_S,
    MUTED,
    CallerState,
    CallProgress,
    NightSnapshot,
    Pending,
    claim_open,
)
from station.calling.signals import (
    AwaitedWords,
    CommandAnswered,
    Do,
    Effect,
    Ended,
    Event,
    Hint,
    Rang,
    Record,
    RecordNote,
    Refuse,
    Reply,
    Say,
    SelfTestEnded,
    Sign,
    Signal,
    Silenced,
    Tell,
    Timer,
    Try,
    Wind,
)
from station.calling.table import answering, laying, recital, throwing
from station.calling.turn import BUSY, LEAVING, NO_SUCH_DICE, NOTHING_CALLED, CallerTurn
from station.night.acts import (
    Break,
    CloseGame,
    DrawKnob,
    MakeMove,
    Open,
    PlayOn,
    See,
    Shake,
    StopGame,
    Undo,
)
from station.night.table.luck import DiceFrom, dice_from
from station.people.joining import VIA as JOINING
from station.people.roles import DEVICE, STATION
from station.record.requests import (
    Answer,
    Change,
    Command,
    Done,
    DrawNext,
    Refused,
    SeeNext,
    Unread,
)
from station.views.announcing import last_number_again
from station.wire.board_view import AutoView


def step(
    state: CallerState, event: Event, night: NightSnapshot
) -> tuple[CallerState, tuple[Effect, ...]]:
    """Return the state after this event, and the effects in the order of their carrying out."""
    turn = MachineStep(state, night)
    turn.take(event)
    return turn.state, (*turn.effects, *((Do.PUBLISH,) if turn.shown else ()))


class MachineStep(CallerTurn):
    """One step being made; its changes are seen only once it is complete."""

    def take(self, event: Event) -> None:  # noqa: C901 - a case for each kind
        """Take an event."""
        match event:
            case Command():
                if (chosen := laying.chosen(self, event)) is not None:
                    self.out(Reply(event, chosen))
                else:
                    self.want(event)
            case Change():
                self._changed(event)
            case CommandAnswered():
                self._answered(event)
            case Ended():
                self._ended(event)
            case Rang():
                self._rang(event)
            case Silenced():
                self._silenced(event)
            case SelfTestEnded():
                preparing.tested(self, event)
            case Signal():
                self._signal(event)
            case drivers.Event():
                self._device(event)
            case _:
                assert_never(event)

    def _device(self, event: drivers.Event) -> None:  # noqa: C901 - a case for each kind
        """Take an event of a device, unless the count or the self-test keeps it for itself."""
        if isinstance(event, TagRead | TagConfirmed | TagLeft):
            event = replace(event, tag=self.night.manners.tags.known_as(event.tag))
        if preparing.takes(self, event):
            return
        match event:
            case Pressed():
                self._press(event)
            case Released():
                self._release(event)
            case Held():
                self._hold(event)
            case Turned():
                pace.turned(self, event)
            case Keyed():
                knobs.keyed(self, event)
            case TagRead():
                knobs.read(self, event)
            case TagConfirmed():
                knobs.confirmed(self, event)
            case TagLeft():
                knobs.left(self, event)
            case ReadRefused():
                knobs.refused(self, event)
            case Misread():
                trouble.misread(self, event)
            case Scanned():
                counter.scanned(self, event)
            case Buzzed():
                answering.buzzed(self, event)
            case Thrown() | ThrowRefused():
                throwing.thrown(self, event)
            case DeviceLost(device=device, reason=reason):
                trouble.lost(self, device, reason)
            case DeviceStarting():
                trouble.starting(self, event)
            case DeviceFound(device=device):
                if trouble.found(self, device) and device == "speech":
                    self._voice_back()

    # -- buttons -----------------------------------------------------------------------------------

    def _press(self, event: Pressed) -> None:
        """Take a button that went down. If a long press of it switches off and a short one has
        another meaning, wait until it comes up."""
        off = self.night.manners.off
        if kind_of(event.button) == off:
            self.put(down=self.state.down | {event.button})
            if off != "off":
                return
        self._counts(event.button)

    def _release(self, event: Released) -> None:
        """Take a button that came up: count its press now, or call the number that it has shown."""
        button, shows = event.button, self.state.shows
        if button in self.state.down:
            self.put(down=self.state.down - {button})
            if self.night.manners.off != "off":
                self._counts(button)
                return
        if button == shows:
            self.put(shows="")
            pending, looking = self.state.pending, self.state.looking
            # another input may have called it meanwhile
            if looking or (pending is not None and not pending.reader):
                self.want(Command("", DrawNext(), DEVICE, f"{BUTTON}{button}"))

    def _hold(self, event: Held) -> None:
        """Switch the station off after a long press, unless it has counted for something else."""
        if event.button in self.state.down:
            self.put(down=self.state.down - {event.button})
            self.want(Command("", wishes.Off(), DEVICE, f"{BUTTON}{event.button}"))

    def _counts(self, button: str) -> None:
        """Count this press now."""
        if confirming.confirms(self, button):
            return
        confirming.drop(self)
        self.put(pressed=self.night.now)
        act = act_of(button, self.hall, self.state.auto.on)
        if act is None:
            self.out(Hint(button))
        elif not (
            isinstance(act, DrawNext)
            and self.night.manners.see_first
            and holding.shows(self, button)
        ):
            self.want(Command("", act, DEVICE, f"{BUTTON}{button}"))

    # -- wishes ------------------------------------------------------------------------------------

    def want(self, command: Command, laid: Pending | None = None) -> Answer | None:
        """Do what a command asks for. Return its answer; None while it is being recorded."""
        act = command.act
        if self.state.order:
            self.out(Reply(command, LEAVING, keep=False))
            return LEAVING
        if isinstance(act, wishes.DeskWish):
            return self._do_here(command, act)
        if isinstance(act, Unread) and act.act in wishes.OF_THE_DESK:
            return self._reply(command, Refused("unreadable", verbatim(str(act.error))))
        if isinstance(act, DrawKnob | DrawNext):
            return self._draw(command, laid)
        signs = self.night.signs
        if refused := preparing.refuses(self.state, self.hall, signs, act.act, command.via):
            return self._reply(command, refused)
        if (dice := self._dice_of(command)) is not None and dice not in self.night.manners.dice:
            return self._reply(command, NO_SUCH_DICE[dice])
        if isinstance(act, Undo) and self.state.auto.on:
            pace.wind(self)  # the next call, the same number again, must not overtake it
        self.out(Record(command))
        return None

    def _dice_of(self, command: Command) -> DiceFrom | None:
        """Return where the dice come from, if it is a throw that is asked for."""
        act = command.act
        found = dice_from(self.hall.open_game, act.move) if isinstance(act, MakeMove) else None
        by_tower = found is not None and command.via == DiceFrom.TOWER
        return DiceFrom.TOWER if by_tower else found

    def _draw(self, command: Command, laid: Pending | None) -> Answer | None:
        """Begin a call; without a number, of the pending one."""
        refused = BUSY if self.state.calling else None
        if refused is None and isinstance(command.act, wishes.Release):
            refused = holding.not_held(self, command)
        if refused is not None:
            return self._reply(command, refused)
        pending, asked = self.state.pending, None
        if pending is not None and isinstance(command.act, DrawNext):
            holding.let_go(self)
            ordered = self.hall.fair is None
            act = DrawKnob(number=pending.number) if pending.reader or ordered else DrawNext()
            via = pending.reader or command.via
            asked, command = command, replace(command, act=act, via=via)
        self.put(call=CallProgress.RECORDING, laid=laid)
        self.out(Record(command, asked, waits=answering.holds_draw(self)))
        return None

    def _reply(self, command: Command, answer: Answer) -> Answer:
        """Answer a command that is not recorded; return the answer."""
        self.out(Reply(command, answer))
        self._tell_answer(command, answer)
        return answer

    def _tell_answer(self, command: Command, answer: Answer) -> None:
        """Tell whoever asked at a device: a question to confirm, or why it is refused."""
        if isinstance(answer, Done):
            if isinstance(command.act, wishes.DeskWish):
                confirming.drop(self)
                self.show()
        elif answer.asks and command.via.startswith(BUTTON):
            confirming.ask(self, command, answer)
        elif command.via not in ("wire", BY_ITSELF, JOINING):
            self.out(Refuse(answer, aloud=answer is not BUSY))

    def _answered(self, event: CommandAnswered) -> None:
        """Take the answer to a command; forget a call that was refused."""
        if preparing.answered(self, event):
            return
        command, answer, laid = event.command, event.answer, self.state.laid
        if answer is not None:
            self._tell_answer(command, answer)
        laying.answered(self, event)
        answering.answered(self, event)
        if isinstance(command.act, DrawKnob | DrawNext):
            answering.draw_answered(self)
        if isinstance(command.act, SeeNext) and not isinstance(answer, Done):
            holding.not_recorded(self)
        if isinstance(answer, Done) or not isinstance(command.act, DrawKnob | DrawNext):
            return
        if self.state.call is not CallProgress.RECORDING:
            return
        self.put(call=CallProgress.NONE, laid=None)
        if not self.state.due:
            pace.wind_from(self, self.night.now)
        if laid is not None and answer is not None:
            knobs.not_called(self, laid, answer.reason)
        knobs.call_waiting(self)
        self.show()

    def _do_here(self, command: Command, act: wishes.DeskWish) -> Answer | None:
        """Do a wish of the desk's own, which the journal does not record; return its answer."""
        answer: Answer | None = None
        match act:
            case wishes.Auto():
                auto = self.state.auto
                on = auto.on if act.on is None else act.on
                speed = auto.pace if act.pace is None else act.pace
                pace.set_auto(self, AutoView(on=on, pace=speed))
            case wishes.Repeat():
                answer = self._repeat(act.count)
            case wishes.Hold():
                answer = holding.hold(self, command) if act.on else holding.waits(self, command)
                if answer is None:
                    return None
            case wishes.Off():
                order = f"switched off by {command.by.name} via {command.via}"
                answer = pace.switch_off(self, order)
            case wishes.Mute():
                self.out(Try(command))
                return None
            case _:
                answer = preparing.wish(self, command, act)
        return self._reply(command, answer or Done(self.night.adopted.seq))

    def _repeat(self, count: int) -> Refused | None:
        clips = last_number_again(self.hall, count)
        if not clips:
            return NOTHING_CALLED
        if self.state.calling:
            return BUSY
        if count == 1:
            self._again(clips)
        else:  # a list is long: the next call does not wait for it
            self.out(Say(clips))
        return None

    def _again(self, clips: tuple[str, ...]) -> None:
        """Say the last number once more."""
        self.put(said=AwaitedWords.AGAIN)
        self.out(Say(clips, Rank.NUMBER, AwaitedWords.AGAIN))

    # -- a call ------------------------------------------------------------------------------------

    def _changed(self, change: Change) -> None:
        """Announce, light and show a durable change, in this order; then let play go on."""
        act = change.act
        confirming.follow(self, change)
        self._settle_pending(change)
        if isinstance(act, See):
            holding.seen(self, act.number)
        if isinstance(act, DrawKnob):
            self.put(
                call=CallProgress.HEARD, laid=None, said=AwaitedWords.CALL, began=self.night.now
            )
            self.out(Wind(Timer.CALL, self.night.now + CALL_LIMIT_S))
        if isinstance(act, DrawKnob):
            self.out(Tell(change, AwaitedWords.CALL))
        else:
            tells = recital.follow(self, change)
            self.out(Tell(change, AwaitedWords.ROW if tells else None))
        answering.look(self)
        preparing.follow(self, change)
        counter.follow(self, change)
        if isinstance(act, Open | PlayOn):
            self.out(Sign("journal"))  # the hall has confirmed where it is, and goes on
        if isinstance(act, Undo) and self.state.auto.on:
            # Whoever takes back has something to put right, and is not overtaken: the next number
            # would be the same one again, and the hall would hear that it was called and that it
            # was not.
            pace.set_auto(self, self.state.by_hand, adds=True)
        elif isinstance(act, Open | PlayOn | Undo | Shake):
            pace.wind(self)
        knobs.call_waiting(self)
        self.show()

    def _settle_pending(self, change: Change) -> None:
        """Forget the pending number if this change has called it or put it back into the bag."""
        pending, act = self.state.pending, change.act
        if pending is None:
            return
        seen = not pending.reader
        # After a game it goes back with all the others. A call that is taken back lies before it in
        # the virtual bag again.
        called = isinstance(act, DrawKnob) and act.number == pending.number
        over = {CloseGame: "closed", Break: "broken off"}.get(type(act), "")
        if called or over or (isinstance(act, Undo) and seen):
            self.put(pending=None)
            holding.let_go(self)
        if over and seen:
            why = f"was shown to the caller and not called: the game was {over}"
            self.out(RecordNote("bag", f"{pending.number} {why}"))

    def _ended(self, event: Ended) -> None:
        if event.words is self.state.said and event.heard is not None:
            self.put(unheard=not event.heard)
        if event.words is AwaitedWords.CALL:
            self._call_over()
        elif event.words is AwaitedWords.QUESTION:
            confirming.await_answer(self)
        elif event.words is AwaitedWords.LAST:
            pace.words_ended(self)
        elif event.words is AwaitedWords.ROW:
            recital.ended(self, event)

    def _call_over(self) -> None:
        """End the call that was heard, or failed; the next may begin unless a card has won."""
        if self.state.call is not CallProgress.HEARD:
            return
        self.put(call=CallProgress.NONE)
        self.out(Wind(Timer.CALL, None))
        self._stop_if_won()
        pace.wind_from(self, self.state.began)
        knobs.call_waiting(self)
        self.show()

    def _stop_if_won(self) -> None:
        """Stop the game if the hall wants that and a card in play has won (H30)."""
        playing = self.hall.sold is not None and not claim_open(self.hall)
        if self.night.manners.stop_won and playing and self.night.won():
            # What is asked for after this is recorded after it: a number that waits is refused, and
            # goes on waiting.
            self.want(Command("", StopGame(), STATION, BY_ITSELF))

    # -- sound, start and disk ---------------------------------------------------------------------

    def _voice_back(self) -> None:
        """Repeat the last number if the voice failed over it, unless another is being called."""
        clips = last_number_again(self.hall)
        if self.state.unheard and not self.state.calling and clips:
            self.put(unheard=False)
            self._again(clips)
            self.show()

    def _silenced(self, event: Silenced) -> None:
        if event.muted == self.state.muted:
            return
        self.put(muted=event.muted)
        self.out(RecordNote(MUTED, f"{'muted' if event.muted else 'on again'}, {event.who}"))
        if event.muted:
            self.out(Sign(MUTED, self.word("muted")))
        else:
            self.out(Sign(MUTED), Say(("unmuted",)))

    def _halt(self) -> None:
        """Tell the hall, once, that nothing more can be recorded."""
        if self.state.halted:
            return
        self.put(halted=True, auto=self.state.by_hand)
        pace.wind(self)
        self.out(Sign("journal", self.night.adopted.halted, "red"))
        self.out(Say(("halted", *last_number_again(self.hall)), Rank.STOP))
        self.show()

    def _begin(self, *, resumed: bool) -> None:
        """Light the board and say the last number again, unless the station is switched off."""
        answering.look(self)
        self.out(Do.LIGHT)
        if not self.state.order and resumed:
            self.put(said=AwaitedWords.AGAIN)
            self.out(Do.SAY_WHERE)
            self._stop_if_won()
        elif not self.state.order:
            self.out(Do.WELCOME)
        self.show()

    def _signal(self, event: Signal) -> None:
        match event:
            case Signal.TOOK_OVER:
                trouble.carry_on(self)
                if self.state.muted:
                    self.out(RecordNote(MUTED, "muted since before this night"))
                pace.take_over(self)
            case Signal.ENDING:
                trouble.write_all(self)
            case Signal.HALTED:
                self._halt()
            case _:
                self._begin(resumed=event is Signal.RESUMED)

    def _rang(self, event: Rang) -> None:
        match event.timer:
            case Timer.CALL:
                self._call_over()
            case Timer.PACE:
                pace.due(self)
            case Timer.ANSWER:
                confirming.unanswered(self)
            case Timer.OFF:
                pace.rang(self)
            case Timer.HOLD:
                holding.let_go(self)
            case Timer.ROW:
                recital.tell_next(self)
            case Timer.TIE:
                answering.record_due(self)
            case Timer.GRACE:
                answering.grace_over(self)
            case Timer.NOTES:
                trouble.write_held(self, event.of)
            case _:
                assert_never(event.timer)
