"""Decide what the caller does next: state and event give the next state and the effects. Pure.

`step` knows no clock, no device and no file: seconds come in with the night, words and lights go
out as effects, and a timer is an effect (`Wind`) that comes back as an event (`Rang`). A request to
record is an effect, too (`Record`); its result is an event (the `Change`, then `CommandAnswered`).
So a number is called only once it is on disk.

A press during a call is refused, never kept for later. A knob is another matter: it *is* drawn. One
that is read during a call, or while a claim is open, is pending and is called as soon as play
allows; a second one meanwhile is refused.

See it before the hall hears it (H8, a setting): a press of the draw button shows the virtual bag's
next number as pending, and its release calls it; a knob on the reader is shown, and a press calls
it. No number is called by itself then: a pending one waits for the caller, even through a claim.
A number of the virtual bag is recorded before anybody sees it (`SeeNext`), so that a power cut in
between does not change it; a knob lies on the reader. The call has a line of its own, as always.

A person who may draw does the same over the wire (`Hold`, `Release`): the number is in the answer
to that person and nowhere else until it is called. One at a time holds it, for no longer than a
button may be held: a connection may be lost meanwhile. Then it waits, as one that a button has
shown, until somebody draws; a button that is pressed shows it to the hall.

An act that cannot be taken back, asked for by a button, is questioned aloud and needs a second
press of the same button. The answer counts once the question was heard, for five seconds. A press
before that, or so soon after the first that it may be the same one, is no answer. Any other act, or
another button, ends the question, and so do the five seconds.

To switch off safely, the station begins no further act, lets the words end, then asks the machine
to end; the night stays open, and the next start goes on with it. If the machine is still on after a
while, the station shows that and goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, assert_never

from drivers import Held, Keyed, Pressed, Rank, Released, Turned
from station.base.said import said, verbatim
from station.calling import wishes
from station.calling.button_meaning import act_of, kind_of
from station.calling.signals import (
    AwaitedWords,
    CommandAnswered,
    Do,
    Effect,
    Ended,
    Event,
    Hint,
    Laid,
    Notice,
    Rang,
    Record,
    RecordNote,
    Refuse,
    Reply,
    Say,
    Sign,
    Signal,
    Silenced,
    Tell,
    Timer,
    Try,
    Wind,
)
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
from station.night.hall import Hall
from station.night.hall_state import HallReason
from station.night.losses import loss_of, mark_of
from station.night.table.luck import DiceFrom, awaited_throw, dice_from
from station.people.joining import VIA as JOINING
from station.people.roles import DEVICE, STATION
from station.record.requests import (
    Answer,
    Change,
    Command,
    Done,
    DrawNext,
    HeldNumber,
    Refused,
    SeeNext,
    SessionWish,
    Unread,
)
from station.record.session import Session
from station.rules.play import Luck
from station.views.announcing import last_number_again, question
from station.wire.board_view import AutoView

BUTTON = "button:"  # before a button's name, as the input of what its press asked for
BY_ITSELF = "auto"  # the input of what the station does unasked
MUTED = "sound"  # the sign of a hall that is muted: the caller's own wish, no fault
# a net under the voice driver, which ends every announcement by itself, a hung one after 4 s (H18)
CALL_LIMIT_S = 15.0
ANSWER_S, HASTY_S = 5.0, 0.5
WORDS_LIMIT_S = 6.0  # a voice that never says that it was heard does not keep the machine on
OFF_LIMIT_S = 30.0
HOLD_LIMIT_S = 5.0  # as long as a button may be held before it counts as stuck
NOT_DONE = "not-done"
KEYED = "keyed"  # how a number came that a person typed, and no reader read (H14)
SWITCHING_OFF = "switching-off"
STILL_ON = (
    "this machine was asked to switch off and is still on: the service loto-off is missing or"
    " failed; between games switch it off with: sudo poweroff"
)
STILL_THERE = (
    "{} was counted last, and lies on the reader: put it into the bag; if it was drawn, lay it"
    " there once more"
)
BUSY = Refused("busy", said("a number is being called: wait until it was heard"))
LEAVING = Refused(
    "station-ending", said("the station is being switched off: switch it on again, then do this")
)
NOTHING_CALLED = Refused(
    "nothing-called", said("nothing has been called yet: there is nothing to repeat")
)
BUSY_OFF = Refused(
    "busy", said("a number is being called: wait until it was heard, then switch off")
)
NOT_SEEN_FIRST = Refused(
    "not-seen-first",
    said(
        "no number is seen here before it is called: draw it; see_first in the settings changes"
        " that"
    ),
)
HELD = Refused(
    "held", said("somebody holds the next number, and sees it: wait until it is called, then go on")
)
CLAIM_FIRST = Refused("claim-open", said("the game is stopped for a claim: settle it, then draw"))
NOTHING_NEXT = Refused(
    "nothing-next", said("no number can be drawn now: look what comes next, and do that first")
)
NO_SUCH_DICE = {
    DiceFrom.STATION: Refused(
        "no-such-dice", said("real dice are thrown here: throw them, or key in what they show")
    ),
    DiceFrom.TOWER: Refused(
        "no-such-dice", said("a tower reads no dice here: dice in the settings says who does")
    ),
    DiceFrom.KEYED: Refused(
        "no-such-dice",
        said("nobody keys in here what dice show: dice in the settings says who may"),
    ),
}
NOT_HELD = Refused("not-held", said("no number is held: hold it once more, or draw"))
CLAIM_OFF = Refused("claim-open", said("a claim is open: settle it, then switch off"))


class CallProgress(StrEnum):
    """The stages of calling a number."""

    NONE = "none"
    RECORDING = "recording"
    HEARD = "being heard"


# -- the state -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pending:
    """A number that is drawn and not called.

    Attributes:
        reader: the reader on which its knob was laid; empty for the virtual bag's next number,
            which is shown first.
        private: only whoever asked was told; the hall does not see it.
    """

    number: int
    reader: str = ""
    private: bool = False


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A press that needs a confirmation.

    Attributes:
        at: when the button was pressed first.
        seen: the state that the question was about.
        since: when the spoken question ended, or failed; None before.
    """

    button: str
    command: Command
    at: float
    seen: str
    since: float | None = None


@dataclass(frozen=True, slots=True)
class CallerState:
    """The caller at one moment; times are seconds on the loop's clock.

    Attributes:
        laid: the knob whose call is being recorded, if its reader began it.
        began: when the last call began.
        said: the announcement of the last number; None if there was none since the start.
        unheard: the voice failed during that announcement.
        auto: whether the station calls by itself, and how fast; `due`: the time of the next call
            has come.
        down: the pressed buttons that switch off when they are held.
        shows: the button that is held to see a number before it is called.
        looking: that number is being recorded: nobody has seen it yet.
        holder: the person who holds that number over the wire; empty for nobody.
        pressed: when a button was pressed last.
        order: who switched the station off; empty while it stays on. `parting`: the last words
            are being said.
        halted: the hall was told that the record cannot be written.
    """

    auto: AutoView
    call: CallProgress = CallProgress.NONE
    laid: Pending | None = None
    began: float | None = None
    said: AwaitedWords | None = None
    unheard: bool = False
    pending: Pending | None = None
    due: bool = False
    down: frozenset[str] = frozenset()
    shows: str = ""
    looking: bool = False
    holder: str = ""
    pressed: float = 0.0
    question: PendingQuestion | None = None
    muted: bool = False
    order: str = ""
    parting: bool = False
    halted: bool = False

    @property
    def calling(self) -> bool:
        """Return whether a number is being called: no other call may begin."""
        return self.call is not CallProgress.NONE

    @property
    def waiting(self) -> int | None:
        """Return the number that is drawn, not called, and shown to the hall, or None."""
        return None if self.pending is None or self.pending.private else self.pending.number

    @property
    def by_hand(self) -> AutoView:
        """Return the same pace with calls by hand."""
        return AutoView(on=False, pace=self.auto.pace)

    def following(self) -> CallerState:
        """Return the next night's state while the station runs: hands, pace, sound, switch stay."""
        hands = CallerState(self.by_hand, down=self.down, shows=self.shows)
        return replace(hands, muted=self.muted, order=self.order, parting=self.parting)


@dataclass(frozen=True, slots=True)
class Manners:
    """The hall's settings for the caller.

    Attributes:
        see_first: a number is shown to the caller, and called when the caller asks for it (H8).
        stop_won: the station stops by itself when a card in play wins (H30).
        dice: where throws at the table may come from.
        off: the kind of button that switches off when it is held.
        pace: the words on the screens for the pace; `muted`: those for the sound being off;
            `keyed`: those for a number that is being keyed.
    """

    see_first: bool = False
    stop_won: bool = False
    dice: Collection[DiceFrom] = frozenset(DiceFrom)
    off: str = "off"
    pace: str = "{seconds}"
    muted: str = "muted"
    keyed: str = "{number}"


@dataclass(frozen=True, slots=True)
class NightSnapshot:
    """The machine's knowledge of the night when an event comes.

    Attributes:
        adopted: the night as it is recorded. The step only looks: at the hall, at the last line's
            sequence number, whether lines are taken, and what the virtual bag gives.
        now: seconds on the loop's clock.
        won: whether a card in play has won on the last number.
        unready: returns why an act, but a draw, cannot be done now, for reasons outside the hall's
            state; takes its name, its input, and whether a number is being called.
    """

    adopted: Session
    now: float
    manners: Manners
    won: Callable[[], bool] = lambda: False
    unready: Callable[[str, str, bool], Refused | None] = lambda *_: None


def claim_open(hall: Hall) -> bool:
    """Return whether play is stopped for a claim."""
    return (game := hall.sold) is not None and game.stopped


def _bag_empty(hall: Hall) -> bool:
    return (game := hall.sold) is not None and len(game.called) == game.setup.knobs


# -- the step --------------------------------------------------------------------------------------


def step(
    state: CallerState, event: Event, night: NightSnapshot
) -> tuple[CallerState, tuple[Effect, ...]]:
    """Return the state after this event, and the effects in the order of their carrying out."""
    turn = MachineStep(state, night)
    turn.take(event)
    return turn.state, (*turn.effects, *((Do.PUBLISH,) if turn.shown else ()))


class MachineStep:
    """One step being made; its changes are seen only once it is complete."""

    def __init__(self, state: CallerState, night: NightSnapshot) -> None:
        self.state = state
        self.night = night
        self.hall = night.adopted.hall
        self.effects: list[Effect] = []
        self.shown = False

    def out(self, *effects: Effect) -> None:
        """Add effects."""
        self.effects.extend(effects)

    def show(self) -> None:
        """Show the result, once, after all other effects."""
        self.shown = True

    def put(self, **changes: Any) -> None:
        """Change the state."""
        self.state = replace(self.state, **changes)

    def take(self, event: Event) -> None:  # noqa: C901 - a case for each kind
        """Take an event."""
        match event:
            case Pressed():
                self._press(event)
            case Released():
                self._release(event)
            case Held():
                self._hold(event)
            case Turned():
                self._turned(event)
            case Keyed():
                self._keyed(event)
            case Laid():
                self._lay(event)
            case Command():
                self._want(event)
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
            case Signal():
                self._signal(event)
            case _:
                assert_never(event)

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
                self._want(Command("", DrawNext(), DEVICE, f"{BUTTON}{button}"))

    def _hold(self, event: Held) -> None:
        """Switch the station off after a long press, unless it has counted for something else."""
        if event.button in self.state.down:
            self.put(down=self.state.down - {event.button})
            self._want(Command("", wishes.Off(), DEVICE, f"{BUTTON}{event.button}"))

    def _counts(self, button: str) -> None:
        """Count this press now."""
        asked = self.state.question
        if asked is not None and asked.button == button:
            if asked.since is not None and self.night.now - asked.at >= HASTY_S:
                self.put(question=None)
                self.out(Wind(Timer.ANSWER, None))
                self._want(replace(asked.command, id="", seen=asked.seen, sure=True))
            return
        self._drop_question()
        self.put(pressed=self.night.now)
        act = act_of(button, self.hall, self.state.auto.on)
        if act is None:
            self.out(Hint(button))
        elif not (
            isinstance(act, DrawNext) and self.night.manners.see_first and self._sees(button)
        ):
            self._want(Command("", act, DEVICE, f"{BUTTON}{button}"))

    def _sees(self, button: str) -> bool:
        """Show what the virtual bag gives next, until the button comes up, unless a person holds
        it; return False if there is nothing to show now."""
        state = self.state
        shown = state.looking or (state.pending is not None and not state.pending.private)
        if not self.night.adopted.gives or shown or state.calling or state.order:
            return False
        if state.holder:
            self.out(Refuse(HELD, aloud=True))
            return True
        self.put(shows=button)
        if (number := self._recorded_next()) is None:
            self._look(Command("", SeeNext(), DEVICE, f"{BUTTON}{button}"))
        else:
            self.put(pending=Pending(number))
            self.show()
        return True

    def _recorded_next(self) -> int | None:
        """Return the number that the virtual bag gives next, if it may be seen now: a bag's order
        is on the disk, a leaf must have been recorded."""
        fair = self.hall.fair
        return fair.next_due if fair is not None else self.night.adopted.upcoming()

    def _look(self, command: Command, asked: Command | None = None) -> None:
        """Have the next number recorded before it is seen."""
        self.put(looking=True)
        self.out(Record(command, asked))

    def _seen(self, number: int) -> None:
        """Show a number that is recorded now to whoever still wants to see it."""
        state = self.state
        if state.looking and state.pending is None and (state.shows or state.holder):
            self.put(pending=Pending(number, private=not state.shows))
        self.put(looking=False)

    def _turned(self, event: Turned) -> None:
        """Call faster or slower, by one second a step, within the bounds."""
        pace = min(max(self.state.auto.pace + event.steps, wishes.LEAST_PACE_S), wishes.MOST_PACE_S)
        self.put(auto=AutoView(on=self.state.auto.on, pace=pace))
        self._wind()
        self.out(Notice(self.night.manners.pace.format(seconds=f"{pace:g}")))
        self.show()

    # -- knobs -------------------------------------------------------------------------------------

    def _lay(self, event: Laid) -> None:
        """Take a knob that was read: call it, keep it pending, or refuse it."""
        pending, knob = self.state.pending, Pending(event.knob, event.reader)
        if not event.drawn:
            self.out(Notice(STILL_THERE.format(event.knob)))
            self.show()
        elif not self.hall.takes_knobs:
            self._call(knob)  # the hall says why not; a knob that is put back is not drawn
        elif event.knob in self.hall.out_of_bag:
            # In a tray it may lie in another cavity now.
            self.out(*(() if event.tray else (Say(("already-drawn",)),)))
            self.show()
        elif pending is not None and pending.number != event.knob:
            self.out(Say(("two-knobs",)))
            self.show()
        elif self._unhindered(seen=event.seen):
            self._call(knob)
        else:
            self.put(pending=knob)
            self.show()

    def _keyed(self, event: Keyed) -> None:
        """Show a number that is being keyed; take it for a knob that was drawn when it is ended."""
        if event.done and event.number is not None:
            self._take_keyed(event.number)
            return
        number = event.number
        text = "" if number is None else self.night.manners.keyed.format(number=number)
        self.out(Notice(text))
        self.show()

    def _take_keyed(self, number: int) -> None:
        """Take a number for what dice show, digit by digit, where dice are thrown; else for a knob
        that was drawn."""
        law = awaited_throw(self.hall.open_game)
        if law is not None and law.kind is Luck.DICE:
            act = MakeMove(move={"do": law.do, law.field: [int(digit) for digit in str(number)]})
            self._want(Command("", act, DEVICE, KEYED))
        else:
            self._lay(Laid(number, KEYED, seen=True))

    def _unhindered(self, *, seen: bool) -> bool:
        """Return whether a knob of the game is called as soon as it is drawn."""
        shown_first = self.night.manners.see_first and not seen
        busy = self.state.calling or self.state.order or shown_first
        return not busy and not claim_open(self.hall)

    def _call(self, knob: Pending) -> None:
        """Ask for the call of a knob, by its reader."""
        self._want(Command("", DrawKnob(number=knob.number), DEVICE, knob.reader), laid=knob)

    def _call_waiting(self) -> None:
        """Call the knob that is pending, if there is one and play allows."""
        knob = self.state.pending
        if knob is not None and self._unhindered(seen=False) and self.hall.takes_knobs:
            self.put(pending=None)
            self._call(knob)

    # -- wishes ------------------------------------------------------------------------------------

    def _want(self, command: Command, laid: Pending | None = None) -> None:
        """Do what somebody asks for, or say why not."""
        act = command.act
        if self.state.order:
            self.out(Reply(command, LEAVING, keep=False))
        elif isinstance(act, wishes.DeskWish):
            self._do_here(command, act)
        elif isinstance(act, Unread) and act.act in wishes.OF_THE_DESK:
            self._reply(command, Refused("unreadable", verbatim(str(act.error))))
        elif isinstance(act, DrawKnob | DrawNext):
            self._draw(command, laid)
        elif (refused := self.night.unready(act.act, command.via, self.state.calling)) is not None:
            self._reply(command, refused)
        elif (dice := self._dice_of(command)) is not None and dice not in self.night.manners.dice:
            self._reply(command, NO_SUCH_DICE[dice])
        else:
            if isinstance(act, Undo) and self.state.auto.on:
                self._wind()  # the next call, the same number again, must not overtake it
            self.out(Record(command))

    def _dice_of(self, command: Command) -> DiceFrom | None:
        """Return where the dice come from, if it is a throw that is asked for."""
        act = command.act
        found = dice_from(self.hall.open_game, act.move) if isinstance(act, MakeMove) else None
        by_tower = found is not None and command.via == DiceFrom.TOWER
        return DiceFrom.TOWER if by_tower else found

    def _draw(self, command: Command, laid: Pending | None) -> None:
        """Begin a call; without a number, of the pending one."""
        refused = BUSY if self.state.calling else None
        if refused is None and isinstance(command.act, wishes.Release):
            refused = self._not_held(command)
        if refused is not None:
            self._reply(command, refused)
            return
        pending, asked = self.state.pending, None
        if pending is not None and isinstance(command.act, DrawNext):
            self._let_go()
            ordered = self.hall.fair is None
            act = DrawKnob(number=pending.number) if pending.reader or ordered else DrawNext()
            via = pending.reader or command.via
            asked, command = command, replace(command, act=act, via=via)
        self.put(call=CallProgress.RECORDING, laid=laid)
        self.out(Record(command, asked))

    # -- a number that a person sees first ---------------------------------------------------------

    def _see(self, command: Command) -> Answer | None:
        """Tell one person which number is next, and keep it for that person; None: once it is
        recorded."""
        state, pending = self.state, self.state.pending
        if (refused := self._not_seen(command)) is not None:
            return refused
        number = pending.number if pending is not None else self._recorded_next()
        if pending is None and not self.night.adopted.gives:
            return NOTHING_NEXT
        if pending is None and number is not None:
            pending = Pending(number, private=True)
        if state.holder:
            self._let_go()
        self.put(holder=command.by.name, pending=pending)
        self.out(Wind(Timer.HOLD, self.night.now + HOLD_LIMIT_S))
        if number is not None:
            return HeldNumber(self.night.adopted.seq, number)
        self._look(Command("", SeeNext(), command.by, command.via), command)
        return None

    def _not_seen(self, command: Command) -> Refused | None:
        """Return why this person cannot see a number now, whichever it would be."""
        state = self.state
        button = state.shows and state.pending is not None and not state.pending.reader
        reasons = {
            NOT_SEEN_FIRST: not self.night.manners.see_first,
            BUSY: state.calling or state.looking,
            HELD: button or state.holder not in ("", command.by.name),
            CLAIM_FIRST: claim_open(self.hall),
        }
        return next((refused for refused, so in reasons.items() if so), None)

    def _not_held(self, command: Command) -> Refused | None:
        """Return why this person cannot call what was held."""
        if not self.night.manners.see_first:
            return NOT_SEEN_FIRST
        if self.state.holder not in ("", command.by.name):
            return HELD
        return NOT_HELD if self.state.pending is None else None

    def _waits(self, command: Command) -> Answer:
        """Let a number wait that this person has held."""
        if self.state.holder == command.by.name:
            self._let_go()
        return Done(self.night.adopted.seq)

    def _let_go(self) -> None:
        """Let another person hold what is next."""
        if self.state.holder:
            self.put(holder="")
            self.out(Wind(Timer.HOLD, None))

    def _reply(self, command: Command, answer: Answer) -> None:
        """Answer a command that is not recorded."""
        self.out(Reply(command, answer))
        self._tell_answer(command, answer)

    def _tell_answer(self, command: Command, answer: Answer) -> None:
        """Tell whoever asked at a device: a question to confirm, or why it is refused."""
        if isinstance(answer, Done):
            if isinstance(command.act, wishes.DeskWish):
                self._drop_question()
                self.show()
        elif answer.asks and command.via.startswith(BUTTON):
            self._ask(command, answer)
        elif command.via not in ("wire", BY_ITSELF, JOINING):
            self.out(Refuse(answer, aloud=answer is not BUSY))

    def _answered(self, event: CommandAnswered) -> None:
        """Take the answer to a command; forget a call that was refused."""
        command, answer, laid = event.command, event.answer, self.state.laid
        if answer is not None:
            self._tell_answer(command, answer)
        if isinstance(command.act, SeeNext) and not isinstance(answer, Done):
            self.put(looking=False, shows="")
            self._let_go()
        if isinstance(answer, Done) or not isinstance(command.act, DrawKnob | DrawNext):
            return
        if self.state.call is not CallProgress.RECORDING:
            return
        self.put(call=CallProgress.NONE, laid=None)
        if not self.state.due:
            self._wind_from(self.night.now)
        if laid is not None and answer is not None:
            self._keep_refused(laid, answer.reason)
        self._call_waiting()
        self.show()

    def _keep_refused(self, laid: Pending, reason: str) -> None:
        """Decide what becomes of a knob whose call was refused, and say so."""
        if reason == HallReason.BAG_NOT_COUNTED:
            self.out(Say(("count-knobs",)))  # in the hall's language, in place of what a host types
        elif reason == CLAIM_OFF.reason:
            # Lost a race with a claim. The knob is out of the bag, so keep it pending.
            if self.state.pending in (None, laid):
                self.put(pending=laid)
            else:
                self.out(Say(("two-knobs",)))

    def _halt(self) -> None:
        """Tell the hall, once, that nothing more can be recorded."""
        if self.state.halted:
            return
        self.put(halted=True, auto=self.state.by_hand)
        self._wind()
        self.out(Sign("journal", self.night.adopted.halted, "red"))
        self.out(Say(("halted", *last_number_again(self.hall)), Rank.STOP))
        self.show()

    # -- what the desk does by itself --------------------------------------------------------------

    def _do_here(self, command: Command, act: wishes.DeskWish) -> None:
        """Do a wish of the desk's own, which the journal does not record."""
        match act:
            case wishes.Auto():
                auto = self.state.auto
                on = auto.on if act.on is None else act.on
                self._set_auto(AutoView(on=on, pace=auto.pace if act.pace is None else act.pace))
                refused = None
            case wishes.Repeat():
                refused = self._repeat(act.count)
            case wishes.Hold():
                answer = self._see(command) if act.on else self._waits(command)
                if answer is not None:
                    self._reply(command, answer)
                return
            case wishes.Off():
                refused = self._switch_off(f"switched off by {command.by.name} via {command.via}")
            case _:
                self.out(Try(command))
                return
        self._reply(command, refused or Done(self.night.adopted.seq))

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
        self.put(said=AwaitedWords.AGAIN)
        self.out(Say(clips, Rank.NUMBER, AwaitedWords.AGAIN))

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
            self.out(Sign(MUTED, self.night.manners.muted))
        else:
            self.out(Sign(MUTED), Say(("unmuted",)))

    # -- a call ------------------------------------------------------------------------------------

    def _changed(self, change: Change) -> None:
        """Announce, light and show a durable change, in this order; then let play go on."""
        act = change.act
        self._follow_question(change)
        self._settle_pending(change)
        if isinstance(act, See):
            self._seen(act.number)
        if isinstance(act, DrawKnob):
            self.put(
                call=CallProgress.HEARD, laid=None, said=AwaitedWords.CALL, began=self.night.now
            )
            self.out(Wind(Timer.CALL, self.night.now + CALL_LIMIT_S))
        self.out(Tell(change))
        if isinstance(act, Open | PlayOn):
            self.out(Sign("journal"))  # the hall has confirmed where it is, and goes on
        if isinstance(act, Undo) and self.state.auto.on:
            # Whoever takes back has something to put right, and is not overtaken: the next number
            # would be the same one again, and the hall would hear that it was called and that it
            # was not.
            self._set_auto(self.state.by_hand, adds=True)
        elif isinstance(act, Open | PlayOn | Undo | Shake):
            self._wind()
        self._call_waiting()
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
            self._let_go()
        if over and seen:
            why = f"was shown to the caller and not called: the game was {over}"
            self.out(RecordNote("bag", f"{pending.number} {why}"))

    def _ended(self, event: Ended) -> None:
        if event.words is self.state.said and event.heard is not None:
            self.put(unheard=not event.heard)
        if event.words is AwaitedWords.CALL:
            self._call_over()
        elif event.words is AwaitedWords.QUESTION:
            self._listen()
        elif event.words is AwaitedWords.LAST and self.state.parting:
            self._power_off()

    def _call_over(self) -> None:
        """End the call that was heard, or failed; the next may begin unless a card has won."""
        if self.state.call is not CallProgress.HEARD:
            return
        self.put(call=CallProgress.NONE)
        self.out(Wind(Timer.CALL, None))
        self._stop_if_won()
        self._wind_from(self.state.began)
        self._call_waiting()
        self.show()

    def _stop_if_won(self) -> None:
        """Stop the game if the hall wants that and a card in play has won (H30)."""
        playing = self.hall.sold is not None and not claim_open(self.hall)
        if self.night.manners.stop_won and playing and self.night.won():
            # What is asked for after this is recorded after it: a number that waits is refused, and
            # goes on waiting.
            self._want(Command("", StopGame(), STATION, BY_ITSELF))

    # -- automatic calling -------------------------------------------------------------------------

    def _set_auto(self, auto: AutoView, *, adds: bool = False) -> None:
        """Call by itself or by hand, at this pace; say so."""
        changed = auto.on != self.state.auto.on
        self.put(auto=auto)
        self._wind()
        if changed and not self.night.adopted.halted:
            self.out(Say(("auto-on" if auto.on else "auto-off",), adds=adds))

    def _wind(self) -> None:
        """Set the next call a whole pace from now, or from the end of one that is being said."""
        if self.state.calling:
            self._unwind()
        else:
            self._wind_from(self.night.now)

    def _wind_from(self, since: float | None) -> None:
        """Set the next call a pace after this second."""
        auto = self.state.auto
        if not auto.on:
            self._unwind()
            return
        self.put(due=True)
        self.out(Wind(Timer.PACE, (self.night.now if since is None else since) + auto.pace))

    def _unwind(self) -> None:
        if self.state.due:
            self.put(due=False)
            self.out(Wind(Timer.PACE, None))

    def _due(self) -> None:
        """Call by itself, if play allows; stop doing so when the bag is empty."""
        self.put(due=False)
        if not self.hall.takes_knobs or claim_open(self.hall) or self.state.calling:
            return  # wound again by the change that lets play go on
        if _bag_empty(self.hall):
            self._set_auto(self.state.by_hand)
            self.out(Say(("bag-empty",)))
            self.show()
            return
        # Not after a correction that is being recorded just now: it would be the same number again.
        self._want(Command("", DrawNext(), STATION, BY_ITSELF, expect=self.hall.calls))

    # -- a question --------------------------------------------------------------------------------

    def _ask(self, command: Command, refused: Refused) -> None:
        """Ask aloud whether a press was meant."""
        if self.state.question is not None or isinstance(command.act, SessionWish):
            return  # its wish was under way already
        loss = loss_of(self.hall, command.act)
        clips = question(command.act.act, loss.count if loss is not None else 0)
        button = command.via.removeprefix(BUTTON)
        self.put(question=PendingQuestion(button, command, self.state.pressed, refused.seen))
        self.out(Say(clips, Rank.VERDICT, AwaitedWords.QUESTION))
        self.out(Wind(Timer.ANSWER, self.night.now + CALL_LIMIT_S))
        self.show()

    def _follow_question(self, change: Change) -> None:
        """Drop the question when something was done; a note changes nothing, and leaves it."""
        asked = self.state.question
        if asked is None:
            return
        if change.after is change.before:
            mark = mark_of(change.after, asked.command.act.act, change.seq)
            self.put(question=replace(asked, seen=mark))
        else:
            self._drop_question()

    def _drop_question(self) -> None:
        """Drop the question, as something else was done or pressed; show that."""
        if self.state.question is not None:
            self.put(question=None)
            self.out(Wind(Timer.ANSWER, None), Notice(key=NOT_DONE))
            self.show()

    def _listen(self) -> None:
        """Accept an answer from now on: the question was heard, or its words have failed."""
        asked = self.state.question
        if asked is not None and asked.since is None:
            self.put(question=replace(asked, since=self.night.now))
            self.out(Wind(Timer.ANSWER, self.night.now + ANSWER_S))

    def _unanswered(self) -> None:
        if self.state.question is not None and self.state.question.since is None:
            self._listen()
        elif self.state.question is not None:
            self.put(question=None)
            self.out(Say((NOT_DONE,)))
            self.show()

    # -- the switch --------------------------------------------------------------------------------

    def _switch_off(self, order: str) -> Refused | None:
        """Begin to switch off, unless a number is being called or a claim is open."""
        if self.state.calling:
            return BUSY_OFF
        # else such a claim can never be settled
        if claim_open(self.hall) and not self.night.adopted.halted:
            return CLAIM_OFF
        self.put(order=order, parting=True, auto=self.state.by_hand)
        self._unwind()
        self.out(RecordNote("station", order), Say((SWITCHING_OFF,), Rank.STOP, AwaitedWords.LAST))
        self.out(Wind(Timer.OFF, self.night.now + WORDS_LIMIT_S))
        return None

    def _power_off(self) -> None:
        self.put(parting=False)
        self.out(Wind(Timer.OFF, self.night.now + OFF_LIMIT_S), Do.POWER_OFF)

    def _off_rang(self) -> None:
        """Switch off without waiting longer for the words; or go on, if the machine still runs."""
        if self.state.parting:
            self._power_off()
        elif self.state.order:
            self.put(order="")
            self.out(RecordNote("station", "was not switched off"))
            self.out(Sign("station", STILL_ON))
            self.show()

    # -- the beginning -----------------------------------------------------------------------------

    def _begin(self, *, resumed: bool) -> None:
        """Light the board and say the last number again, unless the station is switched off."""
        self.out(Do.LIGHT)
        if not self.state.order and resumed:
            self.put(said=AwaitedWords.AGAIN)
            self.out(Do.SAY_WHERE)
            self._stop_if_won()
        elif not self.state.order:
            self.out(Do.WELCOME)
        self.show()

    def _take_over(self) -> None:
        """Note in this journal what the night before left, and its own, closed, could not take."""
        if self.state.muted:
            self.out(RecordNote(MUTED, "muted since before this night"))
        if self.state.order:
            limit = WORDS_LIMIT_S if self.state.parting else OFF_LIMIT_S
            self.out(RecordNote("station", self.state.order), Notice(key=SWITCHING_OFF))
            self.out(Wind(Timer.OFF, self.night.now + limit))

    def _signal(self, event: Signal) -> None:
        match event:
            case Signal.TOOK_OVER:
                self._take_over()
            case Signal.VOICE_BACK:
                self._voice_back()
            case Signal.HALTED:
                self._halt()
            case _:
                self._begin(resumed=event is Signal.RESUMED)

    def _rang(self, event: Rang) -> None:
        match event.timer:
            case Timer.CALL:
                self._call_over()
            case Timer.PACE:
                self._due()
            case Timer.ANSWER:
                self._unanswered()
            case Timer.OFF:
                self._off_rang()
            case Timer.HOLD:
                self._let_go()
            case _:
                assert_never(event.timer)
