"""The caller's machine, walked: every state that a few events lead to, and what holds in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import reduce
from typing import Any, TypeAlias

import pytest

from drivers import Held, Pressed, Released, TagRead
from station.base.errors import SURE_FIRST, NotAllowed
from station.base.nouns import KNOBS
from station.base.said import verbatim
from station.calling.button_meaning import KINDS, kind_of
from station.calling.caller_state import (
    BUTTON,
    CallerState,
    CallProgress,
    Manners,
    NightSnapshot,
    claim_open,
)
from station.calling.machine import step
from station.calling.signals import (
    AwaitedWords,
    BeginTest,
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
    Tell,
    Timer,
    Try,
    Wind,
)
from station.calling.turn import BUSY, CLAIM_OFF
from station.calling.wishes import Hold, Off, Release
from station.night.acts import Act, Break, CloseGame, DrawKnob, Open, SelfTest, Sell, Tried, Undo
from station.night.hall import Hall, apply
from station.night.losses import loss_of, mark_of
from station.people.roles import Person, Role
from station.record.requests import (
    Answer,
    Change,
    Command,
    Done,
    DrawNext,
    HeldNumber,
    Refused,
    SessionWish,
)
from station.settings.readers import Resting
from station.settings.tags import TagTable
from station.wire.board_view import AutoView, SignView
from tests.company import at_table
from tests.support import ADMIN, PROGRAMME, small_pack

Effects: TypeAlias = tuple[Effect, ...]
BY_HAND = CallerState(AutoView(on=False, pace=6))
HALL = Manners(tags=TagTable({knob: knob for knob in range(1, KNOBS + 1)}))
LAID_42, LAID_7 = (TagRead("reader", knob, 0.0) for knob in (42, 7))
BAG = (42, 7, 9, 11)  # the virtual bag's order
RESULT = SelfTest(parts=(Tried(what="clock", result="good", say="set"),), who=None)
OPENED = (Sell(serials=("0001",)), Open())


def night(acts: tuple[Act, ...], hall: Hall | None = None) -> Hall:
    return reduce(apply, acts, hall or Hall(small_pack(), PROGRAMME))


# -- a world that is all values: machine, hall, and a record of one thing after the other ----------


@dataclass(frozen=True)
class World:
    """One moment of a station.

    Attributes:
        wanted: what is to be recorded, in order; `answers` what is to be told to the machine of it.
        saying: the words whose end is waited for; `wound` the timers.
        fails: the disk takes nothing more.
        signs: the devices whose sign is up.
        noting: the devices that have a timer for their notes.
        waits: a draw waits until the machine lets it be recorded.
        testing: the self-test runs.
    """

    state: CallerState
    hall: Hall
    manners: Manners
    seq: int = 1
    wanted: tuple[Command, ...] = ()
    answers: tuple[tuple[Command, Answer], ...] = ()
    saying: frozenset[AwaitedWords] = frozenset()
    wound: frozenset[Timer] = frozenset()
    halted: str = ""
    fails: bool = False
    now: float = 100.0
    signs: frozenset[str] = frozenset()
    noting: frozenset[str] = frozenset()
    waits: bool = False
    testing: bool = False

    @property
    def gives(self) -> bool:
        """Whether it gives one."""
        return self.upcoming() is not None

    def upcoming(self) -> int | None:
        """What the virtual bag gives next."""
        hall = self.hall
        free = hall.takes_knobs and not claim_open(hall) and not self.halted
        return next((n for n in BAG if n not in hall.out_of_bag), None) if free else None

    def take(self, event: Event) -> tuple[World, Effects]:
        """The world after the machine took an event, and what it wanted done."""
        shown = {name: SignView(device=name, colour="amber", text="?") for name in self.signs}
        night = NightSnapshot(self, self.now, self.manners, shown)
        state, effects = step(self.state, event, night)
        wanted, saying, wound = list(self.wanted), set(self.saying), set(self.wound)
        signs, noting = set(self.signs), set(self.noting)
        waits, testing = self.waits, self.testing
        for effect in effects:
            match effect:
                case Record(command=command):
                    wanted.append(command)
                    waits = waits or effect.waits
                case Tell(words=AwaitedWords() as words) | Say(words=AwaitedWords() as words):
                    saying.add(words)
                case Wind(timer=Timer.NOTES, of=device):
                    noting.add(device)
                case Wind(timer=timer, at=None):
                    wound.discard(timer)
                case Wind(timer=timer):
                    wound.add(timer)
                case Sign(device=device, text=text):
                    (signs.discard if text is None else signs.add)(device)
                case BeginTest() | Do.STOP_TEST:
                    testing = isinstance(effect, BeginTest)
                case Do.DRAW:
                    waits = False
        after = replace(
            self,
            state=state,
            wanted=tuple(wanted),
            saying=frozenset(saying),
            wound=frozenset(wound),
            signs=frozenset(signs),
            noting=frozenset(noting),
            waits=waits,
            testing=testing,
        )
        return after, effects

    @property
    def key(self) -> object:
        """The same for two moments that differ in the seconds alone: a step takes longer than a
        hasty finger."""
        asked = self.state.question
        if asked is not None:
            since = None if asked.since is None else 0.0
            asked = replace(asked, at=0.0, since=since, seen="")
        state = replace(self.state, began=None, pressed=0.0, question=asked, resting=Resting())
        return (
            state,
            self.hall.digest(),
            *(repr(part) for part in (self.wanted, self.answers)),
            (
                self.saying,
                self.wound,
                self.halted,
            ),
        )


ALPHABET: tuple[Event, ...] = (
    *(Pressed(button, 0.0) for button in ("draw", "claim", "next", "undo", "auto")),
    Released("draw", 0.1, 0.1),
    LAID_42,
    LAID_7,
    Command("w", DrawKnob(number=9), ADMIN, "keyed"),
    Command("c", CloseGame(), ADMIN, "wire", sure=True),
)
ANNA, BEN = Person("Anna", Role.CALLER), Person("Ben", Role.CALLER)
HANDS: tuple[Event, ...] = (
    Command("a", Hold(), ANNA, "wire"),
    Command("b", Hold(on=False), ANNA, "wire"),
    Command("c", Release(), ANNA, "wire"),
    Command("d", Hold(), BEN, "wire"),
    Command("e", Release(), BEN, "wire"),
    Command("f", DrawNext(), BEN, "wire"),
    Command("g", DrawKnob(number=9), BEN, "keyed"),
    Command("h", Break(why="no light"), ANNA, "wire", sure=True),
    *(Pressed(button, 0.0) for button in ("draw", "claim", "undo", "next")),
    Released("draw", 0.1, 0.1),
    LAID_7,
)
FEW: tuple[Event, ...] = (
    Pressed("draw", 0.0),
    Pressed("claim", 0.0),
    LAID_42,
    LAID_7,
)


def moves(world: World, alphabet: tuple[Event, ...]) -> Iterator[tuple[World, Event]]:
    """All that may happen now: fingers and knobs, the record, the voice and the clock."""
    if len(world.wanted) < 2:  # no finger is so fast
        for event in alphabet:
            yield world, event
    for words in sorted(world.saying):
        yield replace(world, saying=world.saying - {words}), Ended(words, True)
    for timer in sorted(world.wound):
        yield replace(world, wound=world.wound - {timer}), Rang(timer)
    for device in sorted(world.noting):
        yield replace(world, noting=world.noting - {device}), Rang(Timer.NOTES, device)
    if world.testing:
        yield replace(world, testing=False), SelfTestEnded(RESULT)
    if world.wanted and not (world.waits and len(world.wanted) == len(draws(world.wanted))):
        yield recorded(world)
    if world.answers:
        (command, answer), *rest = world.answers
        yield replace(world, answers=tuple(rest)), CommandAnswered(command, answer)


def recorded(world: World) -> tuple[World, Event]:
    """The first that is wanted is adopted, as the session does; or refused, which is told next."""
    wanted = [*world.wanted]
    at = next(at for at, one in enumerate(wanted) if not (world.waits and draws((one,))))
    command = wanted.pop(at)
    world = replace(world, wanted=tuple(wanted))
    if world.fails:
        told = (*world.answers, (command, Refused("halted", verbatim("no room"))))
        return replace(world, answers=told, halted="no room"), Signal.HALTED
    act = command.act
    if isinstance(act, DrawNext):
        act = DrawKnob(number=world.upcoming() or 1)
    answer: Answer
    try:
        assert not isinstance(act, SessionWish), act
        if command.expect not in (None, world.hall.calls):
            raise NotAllowed("changed-meanwhile", "another call came between")
        after = apply(world.hall, act)
        if not command.sure and loss_of(world.hall, act) is not None:
            raise NotAllowed(SURE_FIRST, "something is lost")
    except NotAllowed as error:
        seen = mark_of(world.hall, command.act.act, world.seq)
        answer = Refused(error.reason, error.said, seen)
        return world, CommandAnswered(command, answer)
    seq = world.seq + 1
    change = Change(seq, act, command.via, world.hall, after)
    told = (*world.answers, (command, Done(seq)))
    return replace(world, hall=after, seq=seq, answers=told), change


# -- what holds ------------------------------------------------------------------------------------


def draws(commands: tuple[Command, ...]) -> list[Command]:
    return [command for command in commands if isinstance(command.act, DrawKnob | DrawNext)]


def number_of(command: Command) -> int | None:
    return command.act.number if isinstance(command.act, DrawKnob) else None


def waiting(world: World) -> int | None:
    pending = world.state.pending
    return pending.number if pending is not None else None


def one_number_at_a_time(before: World, event: Any, after: World, effects: Effects) -> None:
    """While a number is being recorded it is the only one; while one is being heard there is
    none."""
    refused = tuple(command for command, answer in after.answers if isinstance(answer, Refused))
    wanted = len(draws(after.wanted + refused))
    assert wanted == (after.state.call is CallProgress.RECORDING)
    assert (after.state.call is CallProgress.HEARD) <= (Timer.CALL in after.wound)


def only_what_is_recorded_is_told(
    before: World, event: Any, after: World, effects: Effects
) -> None:
    """A change is told when it came, once; no number is spoken that is not on the board."""
    told = [effect.change for effect in effects if isinstance(effect, Tell)]
    assert told == ([event] if isinstance(event, Change) else [])
    for effect in effects:
        if isinstance(effect, Say):
            spoken = {int(c[7:]) for c in effect.clips if c.startswith("number.")}
            assert spoken <= {*after.hall.out_of_bag} or effect.words is AwaitedWords.QUESTION


def a_pending_knob_is_called_or_told(
    before: World, event: Any, after: World, effects: Effects
) -> None:
    """It is wanted, called, back in the bag with all the others, or nobody knows of it any more but
    the record."""
    knob = before.state.pending
    if knob is None or waiting(after) == knob.number:
        return
    if isinstance(event, Change):
        act = event.act
        if isinstance(act, DrawKnob) and act.number == knob.number:
            return
        if isinstance(act, CloseGame | Break):
            assert knob.reader or any(isinstance(effect, RecordNote) for effect in effects)
            return
        if isinstance(act, Undo) and not knob.reader:
            return
    wanted = [number_of(command) for command in draws(after.wanted)]
    assert knob.number in wanted, (knob, event)


def no_knob_is_lost(before: World, event: Any, after: World, effects: Effects) -> None:
    """One that is read is wanted, pending, or spoken of; where play takes none the hall says so.
    One that met a claim waits until play goes on."""
    knob = None
    if isinstance(event, TagRead) and before.hall.takes_knobs and not before.state.order:
        knob = event.tag
    elif isinstance(event, CommandAnswered) and isinstance(event.answer, Refused):
        met = event.answer.reason == CLAIM_OFF.reason and before.state.laid
        knob = met.number if met else None
    spoken = any(isinstance(effect, Say) for effect in effects)
    known = (None, waiting(after), *map(number_of, draws(after.wanted)))
    assert spoken or knob in known


def a_press_during_a_call_is_refused(
    before: World, event: Any, after: World, effects: Effects
) -> None:
    """And kept nowhere: nothing more is wanted than before, and nothing more waits."""
    if not isinstance(event, Pressed) or kind_of(event.button) != "draw":
        return
    playing = before.hall.game_open and not before.state.order and before.state.question is None
    if before.state.calling and playing and before.hall.takes_knobs:
        assert after.wanted == before.wanted
        assert after.state.pending == before.state.pending
        assert Refuse(BUSY, aloud=False) in effects


def who_asks_is_answered_once(before: World, event: Any, after: World, effects: Effects) -> None:
    """By the record, by a try, or at once."""
    if isinstance(event, Command):
        given = [effect for effect in effects if isinstance(effect, Record | Reply | Try)]
        assert len(given) == 1


def a_change_is_shown_once(before: World, event: Any, after: World, effects: Effects) -> None:
    """At the end of all else; on the way to the record nothing is."""
    shown = [place for place, effect in enumerate(effects) if effect is Do.PUBLISH]
    assert shown in ([], [len(effects) - 1])
    assert bool(shown) or not isinstance(event, Change)
    if {type(effect) for effect in effects} <= {Record, Do} and isinstance(
        event, Pressed | TagRead
    ):
        assert not (shown and len(effects) > 1)


def who_leaves_begins_nothing(before: World, event: Any, after: World, effects: Effects) -> None:
    """Nothing is wanted any more once the station is being switched off."""
    if before.state.order and after.state.order:
        assert not any(isinstance(effect, Record | Try) for effect in effects)


def nothing_by_itself_where_it_is_seen_first(
    before: World, event: Any, after: World, effects: Effects
) -> None:
    """A number is wanted by a finger, by somebody who asks, or by the pace."""
    refused = (
        isinstance(event, TagRead) and not before.hall.takes_knobs
    )  # by the hall, which says why
    asked = refused or isinstance(event, Pressed | Released | Command | Rang)
    if before.manners.see_first and not asked:
        assert len(draws(after.wanted)) <= len(draws(before.wanted))


def timers_and_state_agree(before: World, event: Any, after: World, effects: Effects) -> None:
    """The pace is wound just when a call is due; a question is waited for."""
    assert (Timer.PACE in after.wound) == after.state.due
    assert not after.state.due or after.state.auto.on
    assert (Timer.ANSWER in after.wound) == (after.state.question is not None)
    assert (Timer.OFF in after.wound) == bool(after.state.order)


def one_person_holds_and_nobody_else_knows(
    before: World, event: Any, after: World, effects: Effects
) -> None:
    """For a while, and only what waits; the number is in the answer to whoever holds it, and in
    nothing that the hall sees or hears."""
    state = after.state
    assert (Timer.HOLD in after.wound) == bool(state.holder)
    assert not state.holder or state.pending is not None
    told = [effect for effect in effects if isinstance(getattr(effect, "answer", None), HeldNumber)]
    for effect in told:
        assert isinstance(effect, Reply)
        assert isinstance(effect.answer, HeldNumber)
        assert (effect.command.by.name, effect.answer.number) == (state.holder, waiting(after))
        assert before.state.holder in ("", state.holder)
    if state.pending is not None and state.pending.private:
        assert state.waiting is None
        shown = [effect for effect in effects if effect not in told]
        shown = [effect for effect in shown if not isinstance(effect, Record | Tell)]
        assert str(state.pending.number) not in re.findall("[0-9]+", repr(shown))


HOLDS = (
    one_number_at_a_time,
    only_what_is_recorded_is_told,
    a_pending_knob_is_called_or_told,
    no_knob_is_lost,
    a_press_during_a_call_is_refused,
    who_asks_is_answered_once,
    a_change_is_shown_once,
    who_leaves_begins_nothing,
    nothing_by_itself_where_it_is_seen_first,
    timers_and_state_agree,
    one_person_holds_and_nobody_else_knows,
)


class Standing(Enum):
    """What the caller is at; if several apply, the first one listed."""

    LEAVING = "leaving"
    RECORDING = "recording"
    HEARD = "being heard"
    ASKING = "asking"
    CLAIM_OPEN = "claim open"
    PENDING = "knob pending"
    IDLE = "idle"


def standing(world: World) -> Standing:
    state = world.state
    at = {
        Standing.LEAVING: bool(state.order),
        Standing.RECORDING: state.call is CallProgress.RECORDING,
        Standing.HEARD: state.call is CallProgress.HEARD,
        Standing.ASKING: state.question is not None,
        Standing.CLAIM_OPEN: claim_open(world.hall),
        Standing.PENDING: state.pending is not None,
    }
    return next((standing for standing, so in at.items() if so), Standing.IDLE)


def walk(
    first: World, alphabet: tuple[Event, ...], depth: int
) -> tuple[list[int], Counter[Standing]]:
    """All worlds that so many steps lead to: how many are new at each, and what he is at."""
    known, now, counts = {first.key}, [first], [1]
    at = Counter([standing(first)])
    for _ in range(depth):
        following = []
        for world in now:
            for before, event in moves(world, alphabet):
                after, effects = replace(before, now=before.now + 1).take(event)
                for holds in HOLDS:
                    holds(before, event, after, effects)
                if after.key not in known:
                    known.add(after.key)
                    following.append(after)
                    at[standing(after)] += 1
        now = following
        counts.append(len(now))
    return counts, at


BEFORE, PLAYING = World(BY_HAND, night(()), HALL), World(BY_HAND, night(OPENED), HALL)
SEEN_FIRST = replace(PLAYING, manners=replace(HALL, see_first=True))
AUTO = replace(BY_HAND, auto=AutoView(on=True, pace=6), due=True)
BY_ITSELF = replace(PLAYING, state=AUTO, wound=frozenset({Timer.PACE}))
OFF = (Pressed("off", 0.0), Held("off", 3.0, 3.0), *FEW)
# Where it begins, what may happen, and how many moments are new at each step.
WALKS: list[tuple[str, World, tuple[Event, ...], list[int]]] = [
    ("between games", BEFORE, ALPHABET, [1, 9, 69, 99, 205, 338, 335, 578]),
    ("in a game", PLAYING, ALPHABET, [1, 9, 75, 184, 521, 1488]),
    (
        "a few things, for longer",
        PLAYING,
        FEW,
        [1, 4, 17, 27, 56, 108, 122, 147, 178, 158, 146, 132, 128],
    ),
    ("seen first", SEEN_FIRST, ALPHABET, [1, 9, 57, 221, 556, 1402]),
    ("held over the wire", SEEN_FIRST, HANDS, [1, 10, 72, 269, 475, 1576]),
    ("by itself", BY_ITSELF, ALPHABET, [1, 10, 86, 231, 565, 1820]),
    (
        "at the table",
        replace(BEFORE, hall=at_table()),
        ALPHABET,
        [1, 9, 63, 81, 200, 387, 860],
    ),
    ("switched off", PLAYING, OFF, [1, 5, 22, 50, 98, 197, 314, 429]),
    ("the disk fails", replace(PLAYING, fails=True), ALPHABET, [1, 9, 77, 185, 566, 1240]),
]


@pytest.mark.parametrize(("what", "first", "alphabet", "counts"), WALKS, ids=[w for w, *_ in WALKS])
def test_what_holds_wherever_it_goes(
    what: str, first: World, alphabet: tuple[Event, ...], counts: list[int]
) -> None:
    """Every state that so many events lead to; as many as were counted."""
    assert walk(first, alphabet, len(counts) - 1)[0] == counts


def test_the_caller_is_at_everything_once() -> None:
    """The walks come by every standing that has a name."""
    walks = ((SEEN_FIRST, ALPHABET, 4), (PLAYING, OFF, 4))
    at = [walk(first, alphabet, depth)[1] for first, alphabet, depth in walks]
    assert {standing for counter in at for standing in counter} == {*Standing}


# -- fingers ---------------------------------------------------------------------------------------

# What the fingers do, and what follows: "+" down, "-" up, "=" held for long; "!" a press that
# counts, "off" the switch.
GESTURES = [
    ("any button counts with the first edge", KINDS, "draw+ draw-", "draw!"),
    ("where there is an off button, next too", KINDS, "next+ next= next-", "next!"),
    ("the off button is held", KINDS, "off+ off= off-", "off! off"),
    ("each of several off buttons", ("off-2",), "off-2+ off-2=", "off-2! off"),
    ("without one, next counts when it comes up", ("draw", "next"), "next+ next-", "next!"),
    ("not before", ("draw", "next"), "next+", ""),
    ("and not when it was held", ("draw", "next"), "next+ next= next- next-", "off"),
    ("any next then", ("next", "next-2"), "next-2+ next+ next-2= next-", "off next!"),
    ("draw never switches off", ("draw", "next"), "draw+ draw= draw-", "draw!"),
    ("a release without its press is nothing", ("draw", "next"), "next- draw-", ""),
]
HOW = {
    "+": lambda button: Pressed(button, 0.0),
    "-": lambda button: Released(button, 0.0, 0.0),
    "=": lambda button: Held(button, 0.0, 0.0),
}


def asked_for(effects: Effects) -> list[str]:
    """What a finger has asked for: the switch, or whatever its button is for."""
    came = []
    for effect in effects:
        if isinstance(effect, Record | Reply | Try):
            by = effect.command.via.removeprefix(BUTTON)
            came.append("off" if isinstance(effect.command.act, Off) else f"{by}!")
        elif isinstance(effect, Hint):
            came.append(f"{effect.button}!")
    return came


@pytest.mark.parametrize(
    ("what", "buttons", "gestures", "follows"), GESTURES, ids=[what for what, *_ in GESTURES]
)
def test_when_a_press_counts(
    what: str, buttons: tuple[str, ...], gestures: str, follows: str
) -> None:
    """A press counts once: down, or up where its long press switches off; a long press does nothing
    else."""
    off = "off" if any(kind_of(button) == "off" for button in buttons) else "next"
    world, came = replace(PLAYING, manners=replace(HALL, off=off)), []
    for gesture in gestures.split():
        world, effects = world.take(HOW[gesture[-1]](gesture[:-1]))
        came += asked_for(effects)
    assert came == follows.split()


def test_the_button_that_shows_a_number_calls_it_once() -> None:
    """Only the one that was held for it, and only when it comes up for the first time."""
    world, came = SEEN_FIRST, []
    for gesture in ("draw+", "claim-", "draw-2-", "draw-", "draw-"):
        world, _ = world.take(HOW[gesture[-1]](gesture[:-1]))
        came.append([number_of(command) for command in draws(world.wanted)])
    assert came == [[], [], [], [42], [42]]
    assert world.state.waiting == 42, "it waits until it is called"


def test_a_knob_that_is_put_back_during_a_call_waits_for_nothing() -> None:
    """Where play takes no knob, one that is read while the last number is said is not kept for the
    next game."""
    world, _ = PLAYING.take(LAID_42)
    world, event = recorded(world)
    world, _ = world.take(event)
    closed = replace(world, hall=apply(world.hall, CloseGame()))
    world, effects = closed.take(LAID_7)
    assert (world.state.pending, world.wanted) == (None, ())
    assert Refuse(BUSY, aloud=False) in effects
