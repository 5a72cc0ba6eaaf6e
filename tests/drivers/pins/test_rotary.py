"""The rotary knob: steps to the left and to the right, contacts that bounce, on every backend of
the pins."""

import threading

import gpiozero
import pytest

from drivers import BadOption, DeviceMissing, DriverError, Turned
from drivers.pins.gpio import Rotary
from drivers.simulated.pins import SimulatedPins
from tests.drivers.benches import BENCHES
from tests.drivers.clockwork import LIMIT_S, HandClock, Inbox

A, B = 5, 6
PINS = {"a": A, "b": B}


class Rig:
    """A rotary knob on a bench."""

    def __init__(self, bench="simulated"):
        self.bench = BENCHES[bench]()
        self.clock = HandClock()
        self.inbox = Inbox()
        self.driver = Rotary(
            pins=PINS, pin_factory=self.bench.factory, clock=self.clock, sleeper=self.clock.sleeper
        )

    def steps(self, wanted):
        """The steps of the next events, added up until there are so many in that direction."""
        total = 0
        while abs(total) < abs(wanted):
            event = self.inbox.next()
            assert event == Turned("pace", event.steps, self.clock.now)
            total += event.steps
        return total


@pytest.fixture(params=BENCHES)
def rig(request):
    rig = Rig(request.param)
    yield rig
    rig.driver.close()
    rig.bench.close()


def test_steps_are_counted_both_ways(rig):
    """Each detent is a step, clockwise above 0; none is lost, and a knob that rests says
    nothing."""
    rig.driver.open(rig.inbox)
    for steps in (1, -1, 5, -3, -4):
        rig.bench.turn(A, B, steps)
        assert rig.steps(steps) == steps
        rig.clock.advance(1)
    assert rig.inbox.empty()


# Moves of the two contacts, and the steps that must come of them. A step to the right follows, so
# that one can wait for the sum.
WIGGLES = [
    (
        "a bounces while it closes",
        [(A, True), (A, False), (A, True), (B, True), (A, False), (B, False)],
        1,
    ),
    (
        "b bounces while it opens",
        [(A, True), (B, True), (A, False), (B, False), (B, True), (B, False)],
        1,
    ),
    ("half a step and back is none", [(A, True), (B, True), (B, False), (A, False)], 0),
    ("a touch is none", [(B, True), (B, False)], 0),
    ("both at once, and open again, is none", [(A, True), (A, False), (B, True), (B, False)], 0),
]


@pytest.mark.parametrize(("what", "moves", "steps"), WIGGLES)
def test_contacts_that_bounce(rig, what, moves, steps):
    """A step is a whole cycle in one direction, however the contacts bounce in it; anything less is
    none."""
    rig.driver.open(rig.inbox)
    for pin, down in moves:
        (rig.bench.press if down else rig.bench.release)(pin)
    rig.bench.turn(A, B, 1)
    assert rig.steps(steps + 1) == steps + 1
    assert rig.inbox.empty()


def test_closed_is_closed_and_it_opens_again(rig):
    """Close may come before open and twice; afterwards nothing is delivered and no thread is left;
    it opens again, once."""
    before = set(threading.enumerate())
    rig.driver.close()
    for _ in range(2):
        rig.driver.open(rig.inbox)
        with pytest.raises(DriverError, match="open already"):
            rig.driver.open(Inbox())
        assert rig.driver.running
        rig.bench.turn(A, B, 2)
        assert rig.steps(2) == 2
        rig.driver.close()
        rig.driver.close()
        assert not rig.driver.running
        assert {
            thread
            for thread in set(threading.enumerate()) - before
            if not thread.name.startswith("hand")
        } == set()
    assert rig.inbox.empty()


def test_half_open_closes_itself(rig):
    """When one of the pins is taken, `open` names them, gives the other back, and works when the
    pin is free."""
    other = gpiozero.OutputDevice(B, pin_factory=rig.bench.factory)
    with pytest.raises(DeviceMissing, match="'pace': GPIO 5 and GPIO 6 cannot be used"):
        rig.driver.open(rig.inbox)
    gpiozero.OutputDevice(A, pin_factory=rig.bench.factory).close()
    other.close()
    rig.driver.open(rig.inbox)


def test_steps_that_come_while_nobody_takes_them_are_one_event():
    """Turned quickly while the receiver is busy, the steps arrive together and none is lost: no
    burst of events follows."""
    rig, busy = Rig(), threading.Event()

    def slow(event):
        rig.inbox(event)
        busy.wait(LIMIT_S)

    rig.driver.open(slow)
    rig.bench.turn(A, B, 1)
    assert rig.steps(1) == 1
    rig.bench.turn(A, B, 7)
    rig.bench.turn(A, B, -2)
    busy.set()
    assert rig.inbox.next() == Turned("pace", 5, 1000)
    rig.driver.close()
    rig.bench.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pins": {}}, "no pins"),
        ({"pins": {"a": A}}, "'pace'.*must be a and b"),
        ({"pins": {"a": A, "c": B}}, "called a, c"),
        ({"pins": {"a": A, "b": A}}, "belongs to 'a'"),
        ({"pins": PINS, "pin_factory": "gpio"}, "'gpio'.*lgpio"),
    ],
)
def test_options_that_cannot_be_used(options, message):
    """Each wrong option is refused when the driver is made, with what is wrong and with what."""
    with pytest.raises(BadOption, match=message):
        Rotary(**options)


def test_a_lamp_cannot_be_turned():
    """The simulated hand refuses to turn what is no input."""
    with SimulatedPins() as hand:
        hand.pin(A).function = "output"
        with pytest.raises(BadOption, match="GPIO 5 is a lamp"):
            hand.turn(A, B, 1)
