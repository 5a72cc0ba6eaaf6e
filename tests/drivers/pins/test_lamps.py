"""Lamps: on, off, blinking together, and a chip that fails."""

import pytest

from drivers import BadOption, DeviceFound, DeviceLost, Light
from drivers.pins.gpio import GpioLamps
from tests.drivers.benches import BENCHES
from tests.drivers.clockwork import LIMIT_S, HandClock, Inbox, Levels

DRAW, CLAIM, FENCE = 23, 24, 25
PINS = {"draw": DRAW, "claim": CLAIM, "fence": FENCE}


class Rig:
    """Lamps on a bench, with the changes of their pins."""

    def __init__(self, bench="simulated", **options):
        self.changes = Levels()
        self.bench = BENCHES[bench](on_lamp=self.changes)
        self.clock = HandClock()
        self.inbox = Inbox()
        self.lamps = GpioLamps(
            pins=PINS,
            pin_factory=self.bench.factory,
            clock=self.clock,
            sleeper=self.clock.sleeper,
            **options,
        )


@pytest.fixture
def rig():
    rig = Rig()
    yield rig
    rig.lamps.close()
    rig.bench.close()


def test_a_blinking_lamp_begins_lit_and_keeps_its_pace(rig):
    """Blink is light, dark, light at each half period; on and off end it."""
    rig.lamps.open(rig.inbox)
    rig.lamps.set("draw", Light.BLINK)
    rig.changes.wait_for((DRAW, True))
    for level in (False, True, False):
        rig.clock.advance(0.5)
        rig.changes.wait_for((DRAW, level))
    rig.lamps.set("draw", Light.ON)
    rig.changes.wait_for((DRAW, True))
    rig.lamps.set("draw", Light.OFF)
    rig.changes.wait_for((DRAW, False))


def test_blinking_lamps_blink_together(rig):
    """A lamp that begins to blink later joins the pace of the others, which a late timer does not
    shift."""
    rig.lamps.open(rig.inbox)
    rig.lamps.set("draw", Light.BLINK)
    rig.changes.wait_for((DRAW, True))
    rig.clock.advance(0.75)
    rig.changes.wait_for((DRAW, False))
    rig.lamps.set("claim", Light.BLINK)
    rig.lamps.set("fence", Light.ON)
    rig.changes.wait_for((FENCE, True))
    rig.clock.advance(0.25)
    rig.changes.wait_for((DRAW, True), (CLAIM, True))


def test_a_late_timer_does_not_shift_the_pace(rig):
    """After a pause of many periods the lamps are where the clock says, with no burst."""
    rig.lamps.open(rig.inbox)
    rig.lamps.set("draw", Light.BLINK)
    rig.changes.wait_for((DRAW, True))
    rig.clock.advance(10.5)
    rig.changes.wait_for((DRAW, False))


def test_what_is_set_before_open_is_lit_at_open(rig):
    """A light set early, or while closed, is remembered and shown at the next open."""
    rig.lamps.set("draw", Light.ON)
    rig.lamps.open(rig.inbox)
    rig.changes.wait_for((DRAW, True))
    rig.lamps.close()
    rig.changes.wait_for((DRAW, False))
    rig.lamps.set("claim", Light.ON)
    rig.lamps.open(rig.inbox)
    rig.changes.wait_for((DRAW, True), (CLAIM, True))


def test_a_lamp_lit_by_a_low_pin():
    """With active_high=False dark is high and lit is low."""
    rig = Rig(active_high=False)
    rig.lamps.open(rig.inbox)
    rig.changes.wait_for((DRAW, True), (CLAIM, True), (FENCE, True))
    rig.lamps.set("draw", Light.ON)
    rig.changes.wait_for((DRAW, False))
    rig.lamps.close()
    rig.bench.close()


def test_a_failing_chip_is_said_once_and_comes_back_by_itself():
    """A lamp that cannot be lit is one `DeviceLost`, is tried again, and is lit and `DeviceFound`
    when the chip answers."""
    rig = Rig("lgpio")
    rig.lamps.open(rig.inbox)
    rig.bench.chip.broken = True
    rig.lamps.set("draw", Light.ON)
    lost = rig.inbox.next()
    assert lost == DeviceLost("lamps", lost.reason, 1000)
    assert "the chip is gone" in lost.reason
    for _ in range(3):
        while rig.clock.asked.get(timeout=LIMIT_S) is None:
            pass
        rig.clock.advance(0.5)
    rig.bench.chip.broken = False
    rig.clock.advance(0.5)
    rig.changes.wait_for((DRAW, True))
    found = rig.inbox.next()
    assert found == DeviceFound("lamps", found.at)
    rig.lamps.close()
    rig.bench.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pins": {}}, "no pins"),
        ({"pins": {"draw": 99}}, "'draw'.*99.*0 to 27"),
        ({"pins": PINS, "blink_s": 0}, "blink_s"),
        ({"pins": PINS, "pin_factory": "gpio"}, "'gpio'.*lgpio"),
    ],
)
def test_options_that_cannot_be_used(options, message):
    """Each wrong option is refused when the driver is made."""
    with pytest.raises(BadOption, match=message):
        GpioLamps(**options)


def test_an_unknown_lamp_names_those_there_are(rig):
    """Lighting a lamp that is not there is refused, with the names of those that are."""
    with pytest.raises(BadOption, match=r"'drawn'.*claim, draw"):
        rig.lamps.set("drawn", Light.ON)
