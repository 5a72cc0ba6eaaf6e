"""Stations whose desk or drivers are built wrong, each in one way: what the drill of the devices is
there to find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from drivers import DeviceFound, Event
from drivers.board.matrix import Matrix
from drivers.pins.buzzer_box import Arrivals, BoxLine, Judge
from drivers.readers.cable import Line, Listening
from station.base.clock import Jumps
from station.calling.call_in_progress import Heard
from station.calling.desk import Desk
from station.calling.knobs import Knobs
from station.calling.outputs import Front
from station.calling.press_timing import Fingers
from station.calling.switches import Switches
from station.people.roles import DEVICE, Person
from station.record.session import Answer, Command, Refused
from station.wire.board_view import BoardView

Built = Callable[..., Any]


def calls_before_it_is_on_disk(desk: Desk, command: Command, build: Built) -> Any:
    """The number of a knob is announced when it is read."""
    if "number" in command.do:
        desk._front.speak((f"number.{command.do['number']}",))
    return build(desk, command)


def forgets_the_waiting_knob(desk: Desk, build: Built) -> None:
    """A knob that was read during a call is not called after it."""
    desk._drawn.drop()
    build(desk)


def draws_again_when_the_reader_is_back(desk: Desk, event: Event, build: Built) -> None:
    """What was wished last is done once more."""
    build(desk, event)
    if isinstance(event, DeviceFound) and event.device == "reader":
        desk._start(desk.wish(desk._new_id(), {"act": "draw"}, DEVICE, "reader"))


def never_says_it_again(heard: Heard, clips: tuple[str, ...], build: Built) -> None:
    """A number that nobody heard stays unheard."""


def does_not_record_faults(desk: Desk, about: str, what: str, build: Built) -> None:
    """What failed is seen, and not written down."""


def overlooks_a_clock_that_was_set(jumps: Jumps, build: Built) -> str:
    """The wall clock jumps by years, and the record says nothing of it."""
    return ""


def shows_no_sign(front: Front, build: Built) -> BoardView:
    """What failed is written down, and not seen."""
    view: BoardView = build(front)
    return view.model_copy(update={"signs": ()})


def leaves_signs_up(front: Front, device: str, build: Built) -> bool:
    """A device that works again looks lost for ever."""
    return device in front._signs


def paints_once(matrix: Matrix, now: float, build: Built) -> None:
    """The board is written when a number comes, and not refreshed."""
    build(matrix, now)


def gives_the_reader_up(listening: Listening, error: Exception, build: Built) -> None:
    """A port that was lost is not tried again."""
    build(listening, error)


async def draws_for_a_press_in_a_call(desk: Desk, command: Command, build: Built) -> Answer:
    """A press is kept for later instead of refused."""
    desk._heard._token = None
    answer: Answer = await build(desk, command)
    return answer


def calls_a_knob_that_is_to_be_seen_first(
    knobs: Knobs, *parts: Any, build: Built, **settings: Any
) -> None:
    """A knob is called when it is read, whatever the hall has set."""
    build(knobs, *parts, **{**settings, "see_first": False})


def never_calls_what_was_seen(fingers: Fingers, button: str, build: Built) -> bool:
    """The button comes up, and nothing follows."""
    return False


def knows_one_button_of_a_kind(desk: Desk, button: str, build: Built) -> None:
    """The second button for claims is another word."""
    if not button.endswith("-2"):
        build(desk, button)


def mutes_for_ever(
    switches: Switches, on: object, by: Person, via: str, build: Built
) -> Refused | None:
    """The second press does what the first did."""
    refused: Refused | None = build(switches, True if on is None else on, by, via)
    return refused


def does_not_turn(desk: Desk, steps: int, build: Built) -> None:
    """The knob for the pace is turned, and the pace stays."""


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
    before = stream._judge.damaged
    events: Sequence[Event] | None = build(stream)
    if stream._judge.damaged > before:
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
BUILT_WRONG: list[tuple[Built, type, str, str]] = [
    (calls_before_it_is_on_disk, Desk, "_draw", "is called, and it is not on disk"),
    (
        forgets_the_waiting_knob,
        Desk,
        "_call_over",
        "is shown as drawn, not called|knob .* 0 called",
    ),
    (draws_again_when_the_reader_is_back, Desk, "receive", "nobody drew"),
    (never_says_it_again, Heard, "mend", "was not heard, and not said again"),
    (does_not_record_faults, Desk, "_note", r"was \['lost'.*the journal has \[\]"),
    (overlooks_a_clock_that_was_set, Jumps, "look", "the clock jumped by .* and nothing says so"),
    (shows_no_sign, Front, "view", "no sign for the|the sound was not switched"),
    (leaves_signs_up, Front, "unsign", "its sign stays|the sound was not switched"),
    (paints_once, Matrix, "_turn", "the board shows"),
    (gives_the_reader_up, Listening, "_lose", "does not come back"),
    (draws_for_a_press_in_a_call, Desk, "_draw", "called 1 numbers, not 0"),
    (calls_a_knob_that_is_to_be_seen_first, Knobs, "__init__", "nobody drew"),
    (never_calls_what_was_seen, Fingers, "hides", "the button let go, and it is not called"),
    (knows_one_button_of_a_kind, Desk, "_press", "claim-2.* did not stop the game"),
    (mutes_for_ever, Switches, "mute", "the sound was not switched"),
    (does_not_turn, Desk, "_turn", "the pace is not"),
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
