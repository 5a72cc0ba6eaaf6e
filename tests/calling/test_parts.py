"""The parts of the caller's one state, walked: counting, testing, trouble, cards, buzzers, recital.

Each walk begins at one moment and takes a few events in every order, with all that may follow: what
is recorded, timers, the ends of words. At every step the same few things must hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from random import Random
from typing import Any, TypeAlias

import pytest

from drivers import (
    Buzzed,
    DeviceFound,
    DeviceLost,
    DeviceStarting,
    Event,
    Misread,
    Pressed,
    ReadRefused,
    Refusal,
    Released,
    TagConfirmed,
    TagLeft,
    TagRead,
)
from drivers import Cure as MisreadCure
from station.calling.caller_state import (
    CallerState,
    DrawWait,
    Preparing,
    SelfTestStage,
    Story,
    Trouble,
)
from station.calling.preparing import HELD_BACK
from station.calling.signals import Do, Examine, Record, Signal
from station.calling.wishes import CensusBegin, CensusEnd, SelfTestBegin, SelfTestEnd
from station.core.simulation.server import simulated_card, simulated_packs
from station.night.acts import Act, Break, DrawKnob, MakeMove, Open, Shake
from station.night.hall import Hall, apply
from station.night.readiness import ALL_KNOBS, Counting
from station.programme.programme import GamePlan, TablePlan
from station.record.requests import Command, SessionWish
from station.settings.readers import Resting
from station.settings.tags import TagTable
from tests.calling.test_machine import BY_HAND, HALL, World, draws, moves, night
from tests.company import RACE, at_table, sitting, table_of
from tests.support import ADMIN

Given: TypeAlias = Event | Command
STRANGE = 9999  # a tag of nothing here


def asks(act: Act | SessionWish) -> Command:
    """Somebody asks for it over the wire."""
    return Command(act.act, act, ADMIN, "wire", sure=True)


def left_to_find(*numbers: int) -> Counting:
    """A count of all knobs but these."""
    found = {number: frozenset({0}) for number in ALL_KNOBS.difference(numbers)}
    return Counting(HALL.tags.knobs, found=found)


# -- the stages of each part -----------------------------------------------------------------------


def counting(state: CallerState) -> str:
    """How far the census is."""
    preparing = state.preparing
    if preparing.recording:
        return "recording"
    if preparing.counting is not None:
        return "counting"
    return "nothing" if preparing.counted is None else "counted"


def self_testing(state: CallerState) -> str:
    """How far the self-test is."""
    return str(state.preparing.test)


def noting(state: CallerState) -> str:
    """Whether notes about the reader are written, or held back."""
    story = state.trouble.stories.get("reader")
    return "nothing" if story is None else "held back" if story.held else "written"


def laying(state: CallerState) -> str:
    """What the cards on the reader wait for."""
    if state.laying.asked is None:
        return "nothing"
    return "the record, and more cards wait" if state.laying.read else "the record"


def answering(state: CallerState) -> str:
    """How far the answers to a number are."""
    answers = state.answers
    if answers.draw is not DrawWait.NONE:
        return f"draw: {answers.draw}"
    if answers.recording:
        return "recording"
    return "nothing" if answers.number is None else "waiting" if answers.race.late else "open"


def reciting(state: CallerState) -> str:
    """Which row is told."""
    return "nothing" if state.recital is None else f"row {state.recital.row}"


# -- what holds ------------------------------------------------------------------------------------


def an_event_goes_one_way(before: World, event: Any, after: World, effects: Any) -> None:
    """What a part keeps for itself begins no call, presses no button and leaves no knob pending."""
    preparing = before.state.preparing
    tests = preparing.test is not SelfTestStage.NONE
    examined = [effect for effect in effects if isinstance(effect, Examine)]
    assert examined == ([Examine(event)] if tests and isinstance(event, Event) else [])
    if tests and isinstance(event, HELD_BACK):
        assert (after.state, effects) == (before.state, tuple(examined))
    elif preparing.counting is not None and isinstance(event, TagRead | TagConfirmed | ReadRefused):
        assert draws(after.wanted) == draws(before.wanted)
        assert after.state == replace(
            before.state,
            preparing=after.state.preparing,
            resting=after.state.resting,
            trouble=after.state.trouble,
        )


def who_asks_is_answered(before: World, event: Any, after: World, effects: Any) -> None:
    """Once, whatever else the command sets going."""
    if isinstance(event, Command):
        given = [getattr(effect, "command", None) for effect in effects]
        asked = [getattr(effect, "asked", None) for effect in effects]
        assert sum(one is event for one in (*given, *asked)) == 1


def it_comes_to_rest(before: World, event: Any, after: World, effects: Any) -> None:
    """Left alone, with nobody who presses or asks, every part ends what it has begun; a count ends
    when somebody ends it."""
    world = at_rest(after)
    if world.state.preparing.counting is not None:
        world = at_rest(world.take(asks(CensusEnd()))[0])
    state = world.state
    assert counting(state) in ("nothing", "counted")
    assert self_testing(state) == SelfTestStage.NONE
    assert noting(state) != "held back"
    assert laying(state) == reciting(state) == "nothing"
    assert answering(state) in ("nothing", "open")


def at_rest(world: World) -> World:
    """The world after all that is under way has ended, in one order."""
    for _ in range(100):
        following = next(moves(world, ()), None)
        if following is None:
            return world
        before, event = following
        world, _ = replace(before, now=before.now + 1).take(event)
    raise AssertionError("it goes on for ever")


def answers_come_before_the_draw(before: World, event: Any, after: World, effects: Any) -> None:
    """While a number may be answered, a draw waits until all that was pressed before it is
    recorded."""
    for effect in effects:
        if isinstance(effect, Record) and draws((effect.command,)):
            assert effect.waits == (before.state.answers.number is not None)
    if Do.DRAW in effects:
        answers = after.state.answers
        assert answers.race.due is None
        assert not answers.recording


HOLDS = (
    an_event_goes_one_way,
    who_asks_is_answered,
    answers_come_before_the_draw,
    it_comes_to_rest,
)


# -- the walks -------------------------------------------------------------------------------------


def key(world: World) -> object:
    """The same for two moments that differ in the seconds alone."""
    state = world.state
    stories = {
        device: replace(story, at=0.0, room=float(story.room >= 1))
        for device, story in state.trouble.stories.items()
    }
    race = replace(state.answers.race, since=None, waiting=state.answers.race.late)
    race = replace(race, until=None if race.until is None else 0.0)
    state = replace(
        state,
        began=None,
        pressed=0.0,
        question=None,
        resting=Resting(),
        trouble=Trouble(stories, dict.fromkeys(state.trouble.scolded, 0.0)),
        answers=replace(state.answers, race=race, noticed=0.0),
    )
    parts = (state, world.wanted, world.answers, world.signs)
    sets = (world.saying, world.wound, world.noting, world.waits, world.testing)
    return (world.hall.digest(), *map(repr, parts), sets)


@dataclass(frozen=True)
class PartWalk:
    """One walk.

    Attributes:
        stage: tells at which stage of its part a state is.
        stages: all that the walk must come by.
    """

    name: str
    first: World
    alphabet: tuple[Given, ...]
    depth: int
    stage: Callable[[CallerState], str]
    stages: set[str]


def after(hall: Hall, *acts: Act) -> Hall:
    """The hall after these acts."""
    return reduce(apply, acts, hall)


def settling() -> Hall:
    """A drawing of the Second Method, told card by card, that may be settled."""
    agreed = TablePlan(cards=12, settling="cards")
    sit = sitting(2, takes=(6, 6))
    hall = at_table(GamePlan(name="Second", method="loto-second", table=agreed), sit=sit)
    hall = after(hall, Shake(counted=90))
    numbers = Random(3).sample(sorted(table_of(hall).bag), 10)
    return after(hall, *(DrawKnob(number=number) for number in numbers))


def racing() -> World:
    """A number that one seat has, and nobody has answered yet."""
    hall = after(at_table(RACE), Shake(counted=90))
    state = table_of(hall).state
    number = next(one for one in sorted(state.bag) if state.holders(one))
    world = World(BY_HAND, after(hall, DrawKnob(number=number)), HALL)
    return world.take(Signal.RESUMED)[0]


def cards() -> World:
    """A game with real cards, two of them dealt."""
    agreed = TablePlan(stake=12, purse=200, playing_cards="real")
    hall = at_table(GamePlan(name="A", method="tontine", table=agreed), sit=sitting(2))
    tags = TagTable(HALL.tags.tags, packs=simulated_packs())
    return World(BY_HAND, hall, replace(HALL, tags=tags))


def lost(*devices: str) -> tuple[Given, ...]:
    """These are lost, and found."""
    pairs = ((DeviceLost(one, "no", 0.0), DeviceFound(one, 0.0)) for one in devices)
    return tuple(event for pair in pairs for event in pair)


READ: tuple[Given, ...] = (
    TagRead("reader", 42, 0.0),
    TagRead("reader", STRANGE, 0.0),
    TagConfirmed("reader", STRANGE, 0.0),
    ReadRefused("reader", Refusal.CHECK, 0.0),
    Pressed("draw", 0.0),
)
BEFORE = World(BY_HAND, night(()), HALL)
ALMOST = replace(BY_HAND, preparing=Preparing(left_to_find(42, 7)))
LOOSE = replace(BY_HAND, trouble=Trouble({"reader": Story(100.0, 1.5)}))
TO_COUNT = at_table(RACE)
SWEEPS = [
    PartWalk(
        "a census before a game",
        BEFORE,
        (*READ, asks(CensusBegin()), asks(CensusBegin(go_on=True)), asks(CensusEnd())),
        4,
        counting,
        {"nothing", "counting", "recording", "counted"},
    ),
    PartWalk(
        "the last knobs of a count",
        replace(BEFORE, state=ALMOST),
        (*READ, TagRead("reader", 7, 0.0), asks(CensusEnd()), asks(Open())),
        4,
        counting,
        {"counting", "recording", "counted"},
    ),
    PartWalk(
        "the bag of a table",
        World(replace(BY_HAND, preparing=Preparing(left_to_find(42))), TO_COUNT, HALL),
        (*READ, asks(CensusEnd()), asks(Shake(counted=90)), asks(CensusBegin(go_on=True))),
        4,
        counting,
        {"counting", "recording", "counted", "nothing"},
    ),
    PartWalk(
        "a self-test",
        BEFORE,
        (*READ, TagLeft("reader", 42, 0.0), asks(SelfTestBegin()), asks(SelfTestEnd())),
        4,
        self_testing,
        {*SelfTestStage},
    ),
    PartWalk(
        "a loose contact",
        replace(BEFORE, state=LOOSE),
        (*lost("reader", "speech"), DeviceStarting("speech", 3.0, 0.0)),
        4,
        noting,
        {"written", "held back"},
    ),
    PartWalk(
        "a reader that is set wrongly",
        BEFORE,
        (*lost("reader"), Misread("reader", "00", 1, MisreadCure.TEN, "", 0.0), *READ),
        3,
        noting,
        {"nothing", "written"},
    ),
    PartWalk(
        "real cards",
        cards(),
        (
            TagRead("reader", simulated_card("AS", "blue"), 0.0),
            TagRead("reader", simulated_card("KH", "red"), 0.0),
            TagRead("reader", 42, 0.0),
            asks(MakeMove(move={"do": "turn"})),
        ),
        4,
        laying,
        {"nothing", "the record", "the record, and more cards wait"},
    ),
    PartWalk(
        "buzzers",
        racing(),
        (
            Buzzed("buzzers", 1, 99.0),
            *(Buzzed("buzzers", line, 100.5) for line in (1, 2, 9)),
            Pressed("draw", 0.0),
            asks(DrawKnob(number=90)),
            asks(Break(why="no light")),
        ),
        5,
        answering,
        {"open", "waiting", "recording", "draw: grace", "draw: answers", "nothing"},
    ),
    PartWalk(
        "a result told row by row",
        World(BY_HAND, settling(), HALL),
        (asks(MakeMove(move={"do": "settle"})), Pressed("draw", 0.0), Released("draw", 0.1, 0.1)),
        6,
        reciting,
        {"nothing", "row 0", "row 1"},
    ),
]


@pytest.mark.parametrize("sweep", SWEEPS, ids=[sweep.name for sweep in SWEEPS])
def test_what_holds_at_every_stage(sweep: PartWalk) -> None:
    """A walk comes by every stage of its part, and what must hold does so at each step."""
    known, now, stages = {key(sweep.first)}, [sweep.first], {sweep.stage(sweep.first.state)}
    for _ in range(sweep.depth):
        following = []
        for world in now:
            for before, event in moves(world, sweep.alphabet):
                then, effects = replace(before, now=before.now + 1).take(event)
                for holds in HOLDS:
                    holds(before, event, then, effects)
                if (told := key(then)) not in known:
                    known.add(told)
                    following.append(then)
                    stages.add(sweep.stage(then.state))
        now = following
    assert stages == sweep.stages
