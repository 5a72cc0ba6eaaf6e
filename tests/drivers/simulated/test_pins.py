"""The shipped hands: simulated pins."""

import pytest

from drivers import BadOption
from drivers.simulated.pins import SimulatedPins


@pytest.fixture
def pins():
    pins = SimulatedPins()
    yield pins
    pins.close()
    pins.close()


def test_a_button_stays_held(pins):
    """A button pressed before anybody looks is down when they do."""
    pins.press(17)
    line = pins.pin(17)
    line.pull = "up"
    assert not line.state
    assert pins.is_pressed(17)
    pins.release(17)
    assert line.state
    assert not pins.is_pressed(17)


def test_a_bounce_is_many_edges_and_ends_down(pins):
    """Three bounces are seven edges; the button is held after them."""
    pins.pin(17).pull = "up"
    pins.bounce(17, 3)
    assert pins.levels(17)[-7:] == [False, True] * 3 + [False]
    assert pins.is_pressed(17)


def test_a_lamp_is_no_button(pins):
    """A lamp cannot be pressed, is lit only while it is driven, and goes out when its pin is let
    go."""
    lamp = pins.pin(23)
    lamp.function = "output"
    lamp.state = 1
    assert pins.lit(23)
    with pytest.raises(BadOption, match="GPIO 23 is a lamp"):
        pins.press(23)
    lamp.state = 0
    lamp.function = "input"
    assert not pins.lit(23)
    assert pins.levels(23)[-2:] == [True, False]


def test_levels_are_forgotten_in_the_end(pins):
    """A lamp that blinks all night keeps its last thousand levels."""
    lamp = pins.pin(23)
    lamp.function = "output"
    for n in range(3000):
        lamp.state = n % 2
    assert len(pins.levels(23)) == 1000
