"""Buttons and lamps on an MCP23017: two looks make a press, one a spike; lamps as they were set;
the chip is lost, found, and right again."""

import os
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import BadOption, DeviceFound, DeviceLost, Held, Light, Pressed, Released
from drivers.pins import expander
from drivers.pins.expander import GPIO, GPPU, IODIR, OLAT, I2cChip, Looks, Mcp23017
from drivers.simulated.pins import SimulatedChip
from tests.drivers.clockwork import LIMIT_S, HandClock, Inbox

LINES = {"buttons": {"draw": "A0", "claim": "B6"}, "lamps": {"draw": "A1", "beacon": "B7"}}
POLL_S = 0.005


class Rig:
    """A chip, its driver, and looks that are taken one at a time."""

    def __init__(self, **options):
        self.chip, self.now, self.events = SimulatedChip(), 1000.0, []
        self.driver = Mcp23017(
            **{**LINES, **options}, connect=self.chip.connect, clock=lambda: self.now
        )
        self.line = self.driver.plug_in()
        self.look()

    def look(self, seconds=0.0):
        """What came of so many seconds of looks, and of one at least."""
        came, until = [], self.now + seconds
        while True:
            came += self.line.look()
            if self.now >= until:
                return came
            self.now += POLL_S


@pytest.fixture
def rig():
    return Rig()


def test_two_looks_make_a_press(rig):
    """The press is at the first of them; it is let go at the first look that finds it up."""
    rig.now += POLL_S
    rig.chip.press("A0")
    first = rig.now
    assert rig.look() == []
    rig.now += POLL_S
    assert rig.look() == [Pressed("draw", first)]
    rig.now += 0.25
    rig.chip.release("A0")
    up = rig.now
    assert rig.look(0.1) == [Released("draw", up - first, up)]


def test_what_one_look_finds_is_a_spike(rig):
    """However often: shorter than from look to look, it is no press, and is counted."""
    for _ in range(50):
        rig.now += POLL_S
        rig.chip.press("B6")
        assert rig.look() == []
        rig.now += POLL_S
        rig.chip.release("B6")
        assert rig.look() == []
    looks, _ = rig.line._lines[14]
    assert looks.spikes == 50


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 100), st.integers(1, 99)), max_size=60))
def test_no_spike_is_a_press(spikes):
    """Lines that are down for less than the time between two looks, whenever they come: two looks
    never find the same one, and spikes are further apart."""
    looks, at, now = Looks(), 0, 0
    for gap, long in spikes:
        start = at + 100 + gap
        at = start + long
        while now < at + 100:
            assert looks.look(start <= now < at, now) is None
            now += 100


def test_held_stuck_and_held_at_the_start():
    """A long press is said, a stuck button named with its line, one that is held at the start
    too."""
    rig = Rig()
    rig.chip.press("A0")
    pressed, held, lost = rig.look(6)
    assert (type(pressed), type(held), type(lost)) == (Pressed, Held, DeviceLost)
    assert "line A0 of the expander" in lost.reason
    rig.chip.release("A0")
    assert [type(event) for event in rig.look(1.1)] == [DeviceFound]
    chip = SimulatedChip()
    chip.press("A0")
    line = Mcp23017(**LINES, connect=chip.connect, clock=lambda: 5.0).plug_in()
    [lost] = line.look()
    assert "held down since the start" in lost.reason


def test_lamps_are_as_they_were_set(rig):
    """On, off, blinking together; inputs are never driven."""
    rig.driver.set("beacon", Light.ON)
    rig.driver.set("draw", Light.BLINK)
    rig.look()
    assert (rig.chip.lit("B7"), rig.chip.lit("A1")) == (True, True)
    rig.now += 0.5
    rig.look()
    assert (rig.chip.lit("B7"), rig.chip.lit("A1")) == (True, False)
    rig.driver.set("draw", Light.OFF)
    rig.driver.set("beacon", Light.OFF)
    rig.now += 0.5
    rig.look()
    assert not rig.chip.lit("B7")
    assert not rig.chip.lit("A1")
    with pytest.raises(BadOption, match="no lamp is called 'fault'"):
        rig.driver.set("fault", Light.ON)


def test_a_chip_that_lost_its_settings_says_nothing(rig):
    """A dip of its supply: without its pull-ups all lines are down; no button is pressed by it, and
    it is plugged in anew, with its lamps."""
    rig.driver.set("beacon", Light.ON)
    rig.look()
    rig.chip.unplug()
    rig.chip.plug()
    with pytest.raises(OSError, match="lost its settings"):
        rig.look()
    rig.line = rig.driver.plug_in()
    assert rig.look(0.1) == []
    assert rig.chip.lit("B7")


def test_its_registers(rig):
    """Byte for byte: pull-ups at the buttons, the lamps' lines alone are outputs, nothing is lit
    before it is asked for."""
    registers = rig.chip._registers
    assert registers[IODIR : IODIR + 2] == bytes([0b0111_1101, 0b0111_1111])
    assert registers[GPPU : GPPU + 2] == bytes([0b0000_0001, 0b0100_0000])
    assert registers[OLAT : OLAT + 2] == b"\0\0"
    assert (IODIR, GPPU, GPIO, OLAT) == (0x00, 0x0C, 0x12, 0x14)


def test_it_is_lost_and_found():
    """Its cable is out: a sentence with bus and address; back, its lamps are lit again; closed,
    they are dark."""
    chip, clock, inbox = SimulatedChip(), HandClock(), Inbox()
    driver = Mcp23017(**LINES, connect=chip.connect, clock=clock, sleeper=clock.sleeper)
    driver.set("beacon", Light.ON)
    driver.open(inbox)
    clock.asked.get(timeout=LIMIT_S)
    assert chip.lit("B7")
    chip.unplug()
    clock.advance(POLL_S)
    lost = inbox.next()
    assert "the expander does not answer on /dev/i2c-1, address 0x20" in lost.reason
    while clock.asked.get(timeout=LIMIT_S) != 0.25:
        pass
    chip.plug()
    clock.advance(0.25)
    assert isinstance(inbox.next(), DeviceFound)
    assert chip.lit("B7")
    driver.close()
    assert not chip.lit("B7")


def test_the_kernels_bus(tmp_path, monkeypatch):
    """The address goes by the kernel's own call, a register before its bytes; a bus on which
    another driver has the chip is closed again."""
    bus, calls = tmp_path / "i2c-1", []
    bus.write_bytes(b"")
    monkeypatch.setattr(expander.fcntl, "ioctl", lambda _, *what: calls.append(what))
    chip = I2cChip(str(bus), 0x21)
    chip.write(OLAT, b"\1\2")
    chip.close()
    assert calls == [(0x0703, 0x21)]
    assert bus.read_bytes() == struct.pack("BBB", OLAT, 1, 2)

    def busy(*_):
        raise OSError(16, "Device or resource busy")

    monkeypatch.setattr(expander.fcntl, "ioctl", busy)
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(OSError, match="busy"):
        I2cChip(str(bus), 0x21)
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"buttons": {}, "lamps": {}}, "no lines"),
        ({"buttons": {"draw": "C0"}}, "button 'draw' is on line 'C0'; there are A0 to A7"),
        ({"buttons": {"draw": "A1"}}, "line A1 of lamp 'draw' belongs to button 'draw'"),
        ({"buttons": {"draw": "A7"}}, "line A7.*lamps only"),
        ({"address": 0x48}, "address=72: this chip has 32 to 39"),
        ({"poll_ms": 0}, "poll_ms=0"),
        ({"hold_s": 9}, "hold_s=9 must be shorter"),
    ],
)
def test_options_that_cannot_be_used(options, message):
    """Each is refused when the driver is made, with what there is instead."""
    with pytest.raises(BadOption, match=message):
        Mcp23017(**{**LINES, **options})
