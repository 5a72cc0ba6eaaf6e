"""Spikes on a button's wire are no presses, and presses are: over the real driver and gpiozero's
real lgpio backend, with edges that are heard late. A million: python -m benchmarks.spikes."""

import logging
from random import Random

import pytest

from drivers import Pressed, Spiked
from drivers.pins.button import Buttons
from tests.drivers.benches import BENCHES
from tests.drivers.clockwork import SURE_S, HandClock, Inbox
from tests.drivers.spikes import PIN, Wire, presses, spikes


@pytest.fixture
def wire():
    wire = Wire(Random(11))
    yield wire
    wire.close()


def test_spikes_call_nothing(wire, caplog):
    """Of some thousands, 1 to 900 microseconds long, none is a press; the log counts them, once a
    minute."""
    assert spikes(Random(12), 3000, wire) == 0
    told = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert len(told) == len(wire.spiked) == 1 + int(wire.now - 1000) // 60
    assert wire.spiked[0].times == 1
    assert 2000 < wire.spiked[-1].times <= 3000
    assert "the button 'draw'" in caplog.text
    assert "down for less than 1 ms, not taken" in caplog.text


def test_presses_are_taken(wire):
    """Of some hundreds of 2 ms and more, some with bounces before them, each is one press, at its
    first edge."""
    assert presses(Random(13), 500, wire) == 0


def test_a_spike_whose_end_is_lost_is_none(wire):
    """The kernel may lose an edge: the line itself is asked."""
    line = wire.bench.chip.line(PIN)
    wire.hold(wire.now, 0.0001)
    wire.run()
    line.pressed = True
    line.settle()
    listener, line.listener = line.listener, None
    line.pressed = False
    line.settle()
    listener(PIN, 0)
    wire.run()
    assert wire.pressed == []


@pytest.mark.parametrize("bench", BENCHES)
def test_a_line_that_came_up_again_is_no_press_with_any_library(bench):
    """Whoever times the edges: a spike that is over when it is looked at is none, and the next
    press is one."""
    bench, clock, inbox = BENCHES[bench](), HandClock(), Inbox()
    buttons = Buttons(
        pins={"draw": PIN}, pin_factory=bench.factory, clock=clock, sleeper=clock.sleeper
    )
    buttons.open(inbox)
    bench.press(PIN)
    bench.release(PIN)
    for _ in range(4):
        clock.advance(0.02)
    bench.press(PIN)
    down = clock.now
    clock.advance(SURE_S)
    heard = [inbox.next() for _ in range(2)]
    assert Pressed("draw", down) in heard
    assert [(one.device, one.times) for one in heard if isinstance(one, Spiked)] == [
        ("button draw", 1)
    ]
    buttons.close()
    bench.close()
