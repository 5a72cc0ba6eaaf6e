"""The plan of a self-test: each device once, in order, with the event that proves it; a fault says
what to do about the device."""

from __future__ import annotations

from typing import Any

import pytest

from drivers import Buzzed, Pressed, Scanned, TagRead, Thrown, Turned
from station.checkup.findings import NOTHING
from station.checkup.selftest import NO_DEVICES, Bench, TrialKind, TrialStep, plan

ALL = Bench(
    lamps=("next", "claim"),
    buttons=("next",),
    turners=("pace",),
    readers=("reader", "reader-2"),
    scanners=("scanner",),
    buzzers={"buzzers": (1, 2)},
    tower=True,
    board=True,
    voice=True,
)


def steps(bench: Bench = ALL) -> dict[str, TrialStep]:
    return {step.part: step for step in plan(bench)}


def test_everything_is_tried_in_the_order_of_the_hand() -> None:
    """First what is seen and heard, then what a person presses, lays and shows, then the
    machine."""
    assert list(steps()) == [
        *("screen", "voice", "lamp next", "lamp claim", "board"),
        *("button next", "knob pace", "reader", "reader-2", "scanner", "tower", "buzzers"),
        *("disk", "clock"),
    ]
    assert list(steps(NO_DEVICES)) == ["screen", "voice", "disk", "clock"]


def test_only_readers_and_the_disk_can_keep_a_game_from_opening() -> None:
    """A fault of any other part is advice."""
    faults = [step.failed("broken") for step in plan(ALL)]
    assert [one.part for one in faults if not one.advice] == ["reader", "reader-2", "disk"]


@pytest.mark.parametrize(
    ("part", "event", "other"),
    [
        ("button next", Pressed("next", 0.0), Pressed("claim", 0.0)),
        ("knob pace", Turned("pace", 1, 0.0), Pressed("pace", 0.0)),
        ("reader-2", TagRead("reader-2", 1, 0.0), TagRead("reader-3", 1, 0.0)),
        ("scanner", Scanned("scanner", "0001", 0.0), Scanned("scanner-till", "0001", 0.0)),
        ("tower", Thrown("tower", (1,), (), 0.0), Pressed("next", 0.0)),
        ("buzzers", Buzzed("buzzers", 1, 0.0), Buzzed("buzzers-left", 1, 0.0)),
    ],
)
def test_an_input_is_proved_by_its_own_event(part: str, event: Any, other: Any) -> None:
    """An event of another device proves nothing."""
    step = steps()[part]
    assert (step.proves(event), step.proves(other)) == (True, False)


@pytest.mark.parametrize(
    ("part", "todo"),
    [
        ("voice", "see to the loudspeaker, and whether there is a voice pack"),
        ("board", "see to its plug, its cable and its own supply"),
        ("lamp next", "see to its plug, its cable and its own supply"),
        ("reader", "see to its plug and its cable"),
        ("button next", "see to its plug and its cable"),
        ("disk", ""),
    ],
)
def test_a_fault_says_what_to_do(part: str, todo: str) -> None:
    """In the words of the list that all check-ups share; a device that works needs none."""
    step = steps()[part]
    assert str(step.failed("broken").todo) == todo
    assert step.passed().todo == NOTHING


def test_each_kind_has_its_words() -> None:
    """A step that passed says by what; the buzzers that stay silent are named."""
    assert all(str(step.passed().say) for step in plan(ALL))
    assert {step.kind for step in plan(ALL)} == {*TrialKind}
    assert str(steps()["buzzers"].without({3, 1}).say) == "silent: 1 and 3"
    assert steps()["buzzers"].without(()).result == "good"
