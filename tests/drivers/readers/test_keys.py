"""Hands that type: keys are buttons, digits a number; over a pipe that the real driver reads as a
keyboard, and with evdev over uinput where a machine has it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import (
    BadOption,
    DeviceFound,
    DeviceLost,
    Held,
    Keyed,
    Pressed,
    ReadRefused,
    Refusal,
    Released,
)
from drivers.making import make_driver
from drivers.readers.keys import NAMES, Keys, Typing, key_code
from drivers.simulated.lines import SimulatedKeys
from tests.drivers.clockwork import LIMIT_S, HandClock, Inbox
from tests.drivers.readers.test_rfid import Watched

PEDAL = {"b": "draw", "pad-plus": "claim"}


class Rig:
    """A device that types, the driver, and what it told."""

    def __init__(self, folder, **options):
        self.hand, self.clock, self.inbox = SimulatedKeys(folder), HandClock(), Inbox()
        self.connect = Watched(self.hand.connect)
        self.driver = Keys(
            device=self.hand.port,
            connect=self.connect,
            clock=self.clock,
            sleeper=self.clock.sleeper,
            **options,
        )
        self.driver.open(self.inbox)
        self.connect.next()

    def type(self, text):
        self.hand.send(text.encode())

    def close(self):
        self.driver.close()
        self.hand.close()


@pytest.fixture
def pedal(tmp_path):
    rig = Rig(tmp_path, keys=PEDAL)
    yield rig
    rig.close()


@pytest.fixture
def pad(tmp_path):
    rig = Rig(tmp_path, numbers=True, keys={"pad-plus": "repeat"})
    yield rig
    rig.close()


def keyed(number, done=False, at=1000.0):
    return Keyed("keys", number, done, at)


def test_a_key_is_a_button(pedal):
    """Down is pressed, held is said once, up is let go; a key that repeats while it is held is no
    further press; one that is mapped to nothing is nothing."""
    pedal.type("x")
    pedal.hand.down(key_code("b"))
    assert pedal.inbox.next() == Pressed("draw", 1000)
    pedal.hand._stroke(1, key_code("b"), 2)
    pedal.clock.advance(3.5)
    assert pedal.inbox.next() == Held("draw", 3, 1003)
    pedal.hand.down(key_code("pad-plus"))
    assert pedal.inbox.next() == Pressed("claim", 1003.5)
    pedal.hand.up(key_code("b"))
    assert pedal.inbox.next() == Released("draw", 3.5, 1003.5)


def test_a_key_that_is_stuck_is_a_fault(pedal):
    """As a button is: named, and found again when it has been up for a second."""
    pedal.hand.down(key_code("b"))
    assert isinstance(pedal.inbox.next(), Pressed)
    pedal.clock.advance(6)
    assert isinstance(pedal.inbox.next(), Held)
    lost = pedal.inbox.next()
    assert lost.device == "button draw"
    assert "key 48 of the keys" in lost.reason
    pedal.hand.up(key_code("b"))
    pedal.hand.down(key_code("pad-plus"))
    assert pedal.inbox.next().button == "claim"
    pedal.clock.advance(1)
    assert pedal.inbox.next() == DeviceFound("button draw", 1007)


def test_a_number_is_seen_and_then_called(pad):
    """Each digit is told, Enter ends it; the pad's other keys are buttons."""
    pad.type("42\n")
    assert pad.inbox.take(3) == [keyed(4), keyed(42), keyed(42, done=True)]
    pad.hand.down(key_code("pad-plus"))
    assert pad.inbox.next() == Pressed("repeat", 1000)


def test_a_digit_is_taken_back(pad):
    """Backspace takes the last one, Esc all of them; Enter on nothing is nothing."""
    pad.type("47")
    pad.hand.down(14)
    pad.type("2")
    assert pad.inbox.take(4) == [keyed(4), keyed(47), keyed(4), keyed(42)]
    pad.hand.down(1)
    assert pad.inbox.next() == keyed(None)
    pad.type("\n7\n")
    assert pad.inbox.take(2) == [keyed(7), keyed(7, done=True)]


@pytest.mark.parametrize("text", ["0", "00", "91", "427"])
def test_a_number_that_is_none(pad, text):
    """It is shown as it stands and refused at its end; nothing is made of a part of it."""
    pad.type(f"{text}\n")
    events = [pad.inbox.next()]
    while not isinstance(events[-1], ReadRefused):
        events.append(pad.inbox.next())
    assert events[-2:] == [keyed(None), ReadRefused("keys", Refusal.FORM, 1000)]
    assert not [event for event in events[:-1] if event.done]


def test_a_number_that_nobody_ended_is_forgotten(pad):
    """Half a minute later another one may be at the pad."""
    pad.type("4")
    assert pad.inbox.next() == keyed(4)
    pad.clock.advance(30)
    assert pad.inbox.next() == keyed(None, at=1030)
    pad.type("2\n")
    assert pad.inbox.take(2) == [keyed(2, at=1030), keyed(2, done=True, at=1030)]


def test_keys_that_the_kernel_lost(pad):
    """What was typed is not whole: it is forgotten, and no button stays pressed."""
    pad.type("4")
    pad.hand.down(key_code("pad-plus"))
    assert pad.inbox.take(2) == [keyed(4), Pressed("repeat", 1000)]
    pad.hand.lose()
    assert pad.inbox.take(2) == [keyed(None), Released("repeat", 0.0, 1000)]


def test_it_is_unplugged_and_plugged_in(pad):
    """It is lost, and found again by itself; digits from before are gone."""
    pad.type("4")
    assert pad.inbox.next() == keyed(4)
    pad.hand.unplug()
    assert isinstance(pad.inbox.next(), DeviceLost)
    while pad.clock.asked.get(timeout=LIMIT_S) != 0.25:
        pass  # until the driver waits for its next try
    pad.hand.plug()
    pad.clock.advance(4)
    pad.connect.next()
    assert isinstance(pad.inbox.next(), DeviceFound)
    pad.type("2\n")
    assert pad.inbox.next() == keyed(2, at=1004)


@given(st.lists(st.sampled_from([*range(10), "back", "escape", "enter"]), max_size=40))
def test_what_is_called_was_seen(keys):
    """Whatever is typed: a number that is ended is the one that was told last, and from 1 to 90."""
    typing, seen = Typing("keys", 30.0), None
    codes = {"back": 14, "escape": 1, "enter": 96, 0: 11} | {n: n + 1 for n in range(1, 10)}
    for key in keys:
        for event in typing.key(codes[key], 5.0):
            if isinstance(event, Keyed) and event.done:
                assert event.number == seen
                assert 1 <= event.number <= 90
                seen = None
            elif isinstance(event, Keyed):
                seen = event.number


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "no keys.*numbers = true"),
        ({"keys": {"pedal": "draw"}}, "no key is called 'pedal'.*page-down"),
        ({"keys": {"b": "draw", "048": "claim"}}, "'048' is there twice"),
        ({"keys": {"pad-enter": "draw"}, "numbers": True}, "'pad-enter' makes numbers"),
        ({"keys": {"b": "draw"}, "hold_s": 5}, "hold_s=5.*shorter than"),
        ({"keys": {"b": "draw"}, "device": "pedal"}, "no path"),
    ],
)
def test_options_that_cannot_be_used(options, message):
    """Each is refused when the driver is made, with what there is instead."""
    with pytest.raises(BadOption, match=message):
        Keys(**{"device": "/dev/input/event0", "connect": lambda _: None, **options})


def test_every_name_is_another_key():
    """No code has two names, and no name looks like a code."""
    assert len({*NAMES.values()}) == len(NAMES)
    assert not [name for name in NAMES if len(name) == 3 and name.isdecimal()]


@pytest.mark.hardware
def test_a_real_keyboard_of_the_kernel():
    """A keyboard that uinput makes is grabbed through evdev, and its keys are buttons."""
    evdev = pytest.importorskip("evdev")
    wanted = {evdev.ecodes.EV_KEY: [NAMES["b"], NAMES["pad-7"], NAMES["pad-enter"]]}
    with evdev.UInput(wanted, name="loto pedal") as device:
        inbox = Inbox()
        driver = make_driver("keys", device=device.device.path, keys={"b": "draw"})
        driver.open(inbox)
        while not isinstance(event := _typed(device, inbox), Pressed):
            assert isinstance(event, DeviceFound | DeviceLost)
        assert event.button == "draw"
        driver.close()


def _typed(device, inbox):
    until = time.monotonic() + 20
    while inbox.empty() and time.monotonic() < until:
        for value in (1, 0):
            device.write(1, NAMES["b"], value)
            device.syn()
    return inbox.next()
