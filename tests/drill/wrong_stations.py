"""Stations whose desk or drivers are built wrong, each in one way: what the drill of the devices is
there to find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

from drivers import DeviceFound, Event, Released, Turned
from drivers.board.matrix import Matrix
from drivers.pins.buzzers import Arrivals, BoxLine, Judge
from drivers.readers.cable import Line, Listening
from station.base.clock import Jumps
from station.calling import knobs
from station.calling.caller_state import CallProgress, Pending
from station.calling.desk import Desk
from station.calling.machine import MachineStep
from station.calling.outputs import Moment, OutputSender
from station.calling.signals import Say
from station.calling.turn import CallerTurn
from station.calling.wishes import Mute
from station.night.acts import DrawKnob
from station.people.roles import DEVICE
from station.record.requests import Answer, Command, DrawNext
from station.wire.board_view import BoardView

Built = Callable[..., Any]


def calls_before_it_is_on_disk(
    turn: MachineStep, command: Command, laid: Pending | None, build: Built
) -> None:
    """The number of a knob is announced when it is read."""
    if isinstance(command.act, DrawKnob):
        turn.out(Say((f"number.{command.act.number}",)))
    build(turn, command, laid)


def forgets_the_waiting_knob(turn: MachineStep, build: Built) -> None:
    """A knob that was read during a call is not called after it."""
    turn.put(pending=None)
    build(turn)


def draws_again_when_the_reader_is_back(desk: Desk, event: Event, build: Built) -> None:
    """What was wished last is done once more."""
    build(desk, event)
    if isinstance(event, DeviceFound) and event.device == "reader":
        desk._errands.start(desk._asked(DrawNext(), DEVICE, "reader"))


def never_says_it_again(turn: MachineStep, build: Built) -> None:
    """A number that nobody heard stays unheard."""


def does_not_record_faults(desk: Desk, about: str, what: str, build: Built) -> None:
    """What failed is seen, and not written down."""


def overlooks_a_clock_that_was_set(jumps: Jumps, build: Built) -> str:
    """The wall clock jumps by years, and the record says nothing of it."""
    return ""


def shows_no_sign(sender: OutputSender, moment: Moment, build: Built) -> BoardView:
    """What failed is written down, and not seen."""
    view: BoardView = build(sender, moment)
    return view.model_copy(update={"signs": ()})


def leaves_signs_up(sender: OutputSender, device: str, build: Built) -> bool:
    """A device that works again looks lost for ever."""
    return device in sender._signs


def paints_once(matrix: Matrix, now: float, build: Built) -> None:
    """The board is written when a number comes, and not refreshed."""
    build(matrix, now)


def gives_the_reader_up(listening: Listening, error: Exception, build: Built) -> None:
    """A port that was lost is not tried again."""
    build(listening, error)


def draws_for_a_press_in_a_call(
    turn: MachineStep, command: Command, laid: Pending | None, build: Built
) -> None:
    """A press is kept for later instead of refused."""
    turn.put(call=CallProgress.NONE)
    build(turn, command, laid)


def calls_a_knob_that_is_to_be_seen_first(turn: CallerTurn, build: Built) -> None:
    """A knob is called as soon as play allows, whatever the hall has set."""
    turn.night = replace(turn.night, manners=replace(turn.night.manners, see_first=False))
    build(turn)


def never_calls_what_was_seen(desk: Desk, event: Event, build: Built) -> None:
    """The button comes up, and nothing follows."""
    if not isinstance(event, Released):
        build(desk, event)


def knows_one_button_of_a_kind(turn: MachineStep, button: str, build: Built) -> None:
    """The second button for claims is another word."""
    if not button.endswith("-2"):
        build(turn, button)


def mutes_for_ever(desk: Desk, command: Command, build: Built) -> Answer:
    """The second press does what the first did."""
    on = isinstance(command.act, Mute) and command.act.on is None
    answer: Answer = build(desk, replace(command, act=Mute(True)) if on else command)
    return answer


def does_not_turn(desk: Desk, event: Event, build: Built) -> None:
    """The knob for the pace is turned, and the pace stays."""
    if not isinstance(event, Turned):
        build(desk, event)


def takes_what_is_held_for_a_press(judge: Judge, build: Built) -> None:
    """A buzzer that is held when the box is plugged in was not pressed then."""


def hears_every_bounce(
    judge: Judge, box: str, lines: int, deaf_s: float, *times: float, build: Built
) -> None:
    """A contact that opens for less than a thousandth of a second was up."""
    build(judge, box, lines, 0.0, *times)


def waits_for_a_silent_box_for_ever(stream: BoxLine, build: Built) -> Sequence[Event] | None:
    """A box that says nothing more is nothing to be told of."""
    try:
        events: Sequence[Event] | None = build(stream)
    except TimeoutError:
        return ()
    return events


def tells_presses_too_early(
    arrivals: Arrivals, micros: Sequence[int], arrived: float, build: Built
) -> list[float]:
    """By five thousandths: a whole race."""
    return [at - 0.005 for at in build(arrivals, micros, arrived)]


def gives_a_box_up_for_a_damaged_frame(stream: BoxLine, build: Built) -> Sequence[Event] | None:
    """What is damaged is no box."""
    before = stream.judge.damaged
    events: Sequence[Event] | None = build(stream)
    if stream.judge.damaged > before:
        raise OSError("a damaged frame")
    return events


def believes_the_time_before_a_box_started_again(
    arrivals: Arrivals, *frames: Any, build: Built
) -> list[float]:
    """What comes after a start is told in the time of the frame before it, and catches up by and
    by."""
    before = arrivals._before
    times: list[float] = build(arrivals, *frames)
    if before is not None and times and frames[0][-1] < before[0]:
        arrivals._before = frames[0][-1], before[1]
    return times


def stays_deaf_when_it_is_plugged_in_again(listening: Listening, line: Line, build: Built) -> None:
    """The port is opened, and the sign goes; what comes then is dropped."""
    if listening._pause is None or not isinstance(line, BoxLine):
        build(listening, line)


# What is built wrong: how, whose, which method; and what the drill says of it.
BUILT_WRONG: list[tuple[Built, type | ModuleType, str, str]] = [
    (calls_before_it_is_on_disk, MachineStep, "_draw", "is called, and it is not on disk"),
    (
        forgets_the_waiting_knob,
        MachineStep,
        "_call_over",
        "is shown as drawn, not called|knob .* 0 called",
    ),
    (draws_again_when_the_reader_is_back, Desk, "receive", "nobody drew"),
    (never_says_it_again, MachineStep, "_voice_back", "was not heard, and not said again"),
    (does_not_record_faults, Desk, "_note", r"was \['lost'.*the journal has \[\]"),
    (overlooks_a_clock_that_was_set, Jumps, "look", "the clock jumped by .* and nothing says so"),
    (shows_no_sign, OutputSender, "_view", "no sign for the|the sound was not switched"),
    (leaves_signs_up, OutputSender, "unsign", "its sign stays|the sound was not switched"),
    (paints_once, Matrix, "_turn", "the board shows"),
    (gives_the_reader_up, Listening, "_lose", "does not come back"),
    (draws_for_a_press_in_a_call, MachineStep, "_draw", "called 1 numbers, not 0"),
    (calls_a_knob_that_is_to_be_seen_first, knobs, "call_waiting", "nobody drew"),
    (never_calls_what_was_seen, Desk, "receive", "the button let go, and it is not called"),
    (knows_one_button_of_a_kind, MachineStep, "_counts", "claim-2.* did not stop the game"),
    (mutes_for_ever, Desk, "_mute", "the sound was not switched"),
    (does_not_turn, Desk, "receive", "the pace is not"),
    (takes_what_is_held_for_a_press, Judge, "start", "is heard 1 times, not 0"),
    (hears_every_bounce, Judge, "__init__", "is heard 2 times, not 1"),
    (waits_for_a_silent_box_for_ever, BoxLine, "look", "the buzzers was .*, the journal has"),
    (tells_presses_too_early, Arrivals, "of", "and nobody pressed it"),
    (
        gives_a_box_up_for_a_damaged_frame,
        BoxLine,
        "look",
        "the buzzers was .*, the journal has|was not heard",
    ),
    (believes_the_time_before_a_box_started_again, Arrivals, "of", "and nobody pressed it"),
    (
        stays_deaf_when_it_is_plugged_in_again,
        Listening,
        "_look",
        "does not come back|the journal has",
    ),
]
