"""Buzzers on pins: a press is one buzz, at the time that the kernel took where it is ours; options;
a simulated box's hands."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from drivers import BadOption, Buzzed, DeviceFound, DeviceLost
from drivers.pins.button import LATEST_S, edge_time
from drivers.pins.buzzers import STUCK_S, Buzzers, buzzer_title
from drivers.simulated.buzzers import SimulatedBox
from drivers.simulated.pins import SimulatedPins
from tests.drivers.benches import LGPIO, LGPIO_FACTORY, ChipBench
from tests.drivers.clockwork import SURE_S, HandClock, Inbox

PINS = {"1": 5, "2": 6, "24": 13}


@pytest.fixture
def rig():
    """Three buzzers on simulated pins; time stands still until it is moved."""

    class Rig:
        hand = SimulatedPins()
        clock = HandClock()
        inbox = Inbox()
        buzzers = Buzzers(pins=PINS, pin_factory=hand, clock=clock, sleeper=clock.sleeper)

    yield Rig
    Rig.buzzers.close()
    Rig.hand.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pins": {}}, "no pins"),
        ({"pins": {"0": 5}}, "no line '0'"),
        ({"pins": {"25": 5}}, "no line '25'"),
        ({"pins": {"01": 5}}, "no line '01'"),
        ({"pins": {"Anna": 5}}, "no line 'Anna'.*1 to 24"),
        ({"pins": {"1": 28}}, "GPIO.*0 to 27"),
        ({"pins": {"1": 5, "2": 5}}, "already belongs to '1'"),
        ({"pin_factory": "wires"}, "'wires'"),
        ({"deaf_ms": 2000}, "buzzer: deaf_ms=2000"),
        ({"name": ""}, "empty"),
    ],
)
def test_options_that_cannot_be_used(options: dict[str, object], message: str) -> None:
    """Each wrong option is refused when the driver is made, in the words of the buzzers."""
    with pytest.raises(BadOption, match=message):
        Buzzers(**{"pins": {"1": 5}, "pin_factory": "mock", **options})


def test_a_press_is_one_buzz(rig) -> None:
    """However it bounces and however long it is held; and again only after it was let go."""
    rig.buzzers.open(rig.inbox)
    rig.hand.bounce(13, 7)
    rig.clock.advance(SURE_S)
    assert rig.inbox.next() == Buzzed("buzzers", 24, 1000)
    rig.clock.advance(10 - SURE_S)
    rig.hand.press(5)
    rig.clock.advance(SURE_S)
    assert rig.inbox.next() == Buzzed("buzzers", 1, 1010)
    rig.hand.release(13)
    rig.clock.advance(0.125 - SURE_S)
    rig.hand.press(13)
    rig.clock.advance(SURE_S)
    assert rig.inbox.next() == Buzzed("buzzers", 24, 1010.125)
    assert rig.inbox.empty()


def test_a_stuck_one_is_told_and_found_again(rig) -> None:
    """Held for half a minute it is a fault, in the words of the buzzers, until it has been let
    go."""
    rig.buzzers.open(rig.inbox)
    rig.hand.press(6)
    rig.clock.advance(SURE_S)
    rig.inbox.next()
    rig.clock.advance(STUCK_S / 2 - SURE_S)
    rig.clock.advance(STUCK_S / 2)
    lost = rig.inbox.next()
    assert lost == DeviceLost("buzzer 2", lost.reason, 1000 + STUCK_S)
    assert "the buzzer '2' (GPIO 6) has been held down for 30 s" in lost.reason
    rig.hand.release(6)
    rig.clock.advance(1.5)
    assert rig.inbox.next() == DeviceFound("buzzer 2", 1000 + STUCK_S + 1.5)


def test_boxes_with_names_are_told_apart() -> None:
    """The name is in the events and in the sentences."""
    hand, clock, inbox = SimulatedPins(), HandClock(), Inbox()
    buzzers = Buzzers(
        pins=PINS, name="buzzers-left", pin_factory=hand, clock=clock, sleeper=clock.sleeper
    )
    hand.pin(6).pressed = True
    buzzers.open(inbox)
    assert inbox.next().device == f"{buzzer_title('buzzers-left')} 2"
    hand.press(5)
    clock.advance(SURE_S)
    assert inbox.next() == Buzzed("buzzers-left", 1, 1000)
    buzzers.close()
    hand.close()


TIMES = [
    ("the kernel's own", 99.9975, 99.9975),
    ("now", 100.0, 100.0),
    ("from before a second", 100.0 - LATEST_S - 0.001, 100.0),
    ("not yet", 100.001, 100.0),
    ("the wall clock's", 1_700_000_000.0, 100.0),
    ("a library without one", 0.0, 100.0),
]


@pytest.mark.parametrize(("what", "ticks", "at"), TIMES, ids=[what for what, *_ in TIMES])
def test_whose_time_of_an_edge_counts(what: str, ticks: float, at: float) -> None:
    """The kernel's where it is of our clock, and else now."""
    assert edge_time(ticks, 100.0) == at


def test_the_kernels_time_reaches_the_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through gpiozero's lgpio backend: what the interrupt took is the event's time, not when
    Python came to hear of it."""
    bench, inbox = ChipBench(LGPIO_FACTORY), Inbox()
    taken = time.monotonic() - 0.25
    listen = LGPIO.callback
    monkeypatch.setattr(
        LGPIO,
        "callback",
        lambda handle, gpio, edge, func: listen(
            handle, gpio, edge, lambda *its: func(*its[:3], taken * 1e9)
        ),
    )
    buzzers = Buzzers(pins={"1": 5}, pin_factory=bench.factory)
    buzzers.open(inbox)
    bench.press(5)
    assert inbox.next() == Buzzed("buzzers", 1, pytest.approx(taken, abs=1e-6))
    buzzers.close()
    bench.close()


def test_the_hands_of_a_simulated_box(tmp_path: Path) -> None:
    """They press what there is, let go of what is named or of all, refuse other lines, and may be
    put down twice."""
    box = SimulatedBox(tmp_path)
    box.press(3, 24)
    box.press(1)
    assert box.down == (1, 3, 24)
    box.release(3, 3)
    assert box.down == (1, 24)
    for wrong in (0, 25, True, "1"):
        with pytest.raises(BadOption, match="no buzzer"):
            box.press(wrong)
    box.release()
    assert box.down == ()
    box.close()
    box.close()
    assert not box.plugged
