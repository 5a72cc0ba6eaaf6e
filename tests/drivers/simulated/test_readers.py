"""The shipped hands: what the simulated reader does to the real driver."""

import os
import select
from pathlib import Path

import pytest

from drivers import BadOption, DriverError, ReadRefused, Refusal, TagLeft, TagRead
from drivers.readers.frames import encode
from drivers.readers.rfid import Reader
from drivers.simulated.readers import FOREIGN, SimulatedReader
from tests.drivers.clockwork import LIMIT_S, HandClock, Inbox
from tests.drivers.readers.test_rfid import A, B, Watched


class Desk:
    """A driver on a simulated reader, on one hand-moved clock, or the driver on a second one."""

    def __init__(self, folder, second=None, **options):
        self.clock = HandClock()
        self.hand = SimulatedReader(folder, clock=self.clock, sleeper=self.clock.sleeper, **options)
        self.inbox = Inbox()
        self.connect = Watched()
        self.reader = Reader(
            port=self.hand.port,
            family=options.get("family", "rdm6300"),
            clock=second or self.clock,
            sleeper=(second or self.clock).sleeper,
            connect=self.connect,
        )
        self.reader.open(self.inbox)
        self.connect.next()

    def close(self):
        self.reader.close()
        self.hand.close()


@pytest.fixture(
    params=[(family, repeat) for family in ("rdm6300", "id12la") for repeat in (True, False)],
    ids=str,
)
def desk(tmp_path, request):
    family, repeat = request.param
    desk = Desk(tmp_path, family=family, repeat=repeat)
    yield desk
    desk.close()


def test_every_hand_on_the_reader(desk):
    """Each hand gives what a real reader gives, in every family and firmware: one event, in order,
    none more."""
    hand, inbox = desk.hand, desk.inbox
    hand.drop(A.number)
    assert inbox.next() == TagRead("reader", A.number, 1000)
    assert hand.resting == (A.number,)
    desk.clock.advance(0.5)
    hand.two(A.number, B.number)
    assert inbox.next() == ReadRefused("reader", Refusal.CHECK, 1000.5)
    assert hand.resting == (A.number, B.number)
    desk.clock.advance(0.5)
    hand.foreign()
    assert inbox.take(2) == [TagLeft("reader", A.number, 1001), TagRead("reader", FOREIGN, 1001)]
    hand.lift()
    assert hand.resting == ()
    desk.clock.advance(2)
    hand.damage(B.number)
    assert inbox.next() == ReadRefused("reader", Refusal.CHECK, 1003)
    hand.drop(B.number)
    assert inbox.take(2) == [TagLeft("reader", FOREIGN, 1003), TagRead("reader", B.number, 1003)]
    assert inbox.empty()


def test_a_reader_without_a_check(tmp_path):
    """A Parallax reader is believed at the second equal frame; two knobs, and a damaged one, are
    frames without an end."""
    desk = Desk(tmp_path, family="parallax")
    desk.hand.drop(A.number)
    desk.clock.advance(0.05)
    assert desk.inbox.next() == TagRead("reader", A.number, 1000.05)
    desk.hand.two(A.number, B.number)
    assert desk.inbox.next() == ReadRefused("reader", Refusal.FORM, 1000.05)
    desk.hand.lift()
    desk.clock.advance(1.5)
    assert desk.inbox.next() == TagLeft("reader", A.number, 1001.55)
    desk.hand.damage(B.number)
    assert desk.inbox.next() == ReadRefused("reader", Refusal.FORM, 1001.55)
    desk.close()


def test_a_resting_knob_is_repeated_and_read_once(tmp_path):
    """A firmware that repeats sends a frame every 50 ms while the knob rests; all of them are one
    reading."""
    clock = HandClock()  # the driver's stands still: however late it reads, nothing has been away
    desk = Desk(tmp_path, clock)
    desk.hand.drop(A.number)
    assert desk.inbox.next() == TagRead("reader", A.number, 1000)
    for _ in range(40):
        while desk.clock.asked.get(timeout=LIMIT_S) is None:
            pass
        desk.clock.advance(0.05)
    desk.hand.drop(B.number)
    assert desk.inbox.take(2) == [
        TagLeft("reader", A.number, 1000),
        TagRead("reader", B.number, 1000),
    ]
    desk.hand.lift()
    clock.advance(2)
    # it has learnt that this one repeats
    assert desk.inbox.next() == TagLeft("reader", B.number, 1002)
    desk.close()


def test_the_port_keeps_its_name(tmp_path):
    """After the cable was out and in again the port has the same path, and another terminal behind
    it."""
    hand = SimulatedReader(tmp_path)
    port = hand.port
    assert Path(port).exists()
    hand.unplug()
    assert not hand.plugged
    assert not os.path.lexists(port)
    hand.send(encode(A.number))  # goes nowhere, and harms nothing
    hand.plug()
    terminal = Path(port).readlink()
    hand.plug()
    assert hand.plugged
    assert Path(port).readlink() == terminal
    assert Path(hand.port).exists()
    assert hand.port == port
    hand.close()
    hand.close()
    assert not os.path.lexists(port)


def test_a_knob_that_rests_while_the_cable_is_out(tmp_path):
    """A resting knob is read when its repeating reader is plugged in again, and a second without it
    has passed."""
    desk = Desk(tmp_path)
    desk.hand.drop(A.number)
    desk.inbox.next()
    desk.hand.unplug()
    desk.inbox.next()
    desk.hand.plug()
    desk.clock.advance(4)
    desk.connect.next()
    desk.clock.advance(0.05)
    assert desk.inbox.next_of(TagRead).tag == A.number
    desk.close()


def bytes_of(port, count):
    """The next bytes of a terminal that a plain program has open; fewer when no more come."""
    came = b""
    while len(came) < count and select.select([port], [], [], LIMIT_S)[0]:
        came += os.read(port, count - len(came))
    return came


@pytest.mark.parametrize(
    ("repeat", "pause", "frames"), [(True, pytest.approx(0.05), 4), (False, None, 1)]
)
def test_the_firmware_repeats_or_sends_once(tmp_path, repeat, pause, frames):
    """The line carries the bare frame, byte for byte: every 50 ms while the knob rests, or once;
    after lifting none."""
    clock = HandClock()
    hand = SimulatedReader(tmp_path, repeat=repeat, clock=clock, sleeper=clock.sleeper)
    port = os.open(hand.port, os.O_RDWR | os.O_NOCTTY)
    assert clock.asked.get(timeout=LIMIT_S) is None
    hand.drop(A.number)
    assert clock.asked.get(timeout=LIMIT_S) == pause
    came = bytes_of(port, 14)
    for _ in range(frames - 1):
        clock.advance(0.05)
        came += bytes_of(port, 14)
    assert came == encode(A.number) * frames
    hand.lift()
    clock.advance(5)
    hand.send(b"end")
    assert bytes_of(port, 3) == b"end"
    os.close(port)
    hand.close()


def test_nobody_reads(tmp_path):
    """A reader that nobody reads loses what the line cannot hold, and neither blocks nor fails."""
    hand = SimulatedReader(tmp_path)
    for _ in range(2000):
        hand.send(encode(A.number))
    hand.close()


def test_what_cannot_be_done(tmp_path):
    """One knob twice, a number no tag has, a folder that is not there, a family nobody knows: each
    is refused in words."""
    files = os.listdir("/dev/fd")
    with pytest.raises(DriverError, match="nowhere"):
        SimulatedReader(tmp_path / "nowhere")
    assert os.listdir("/dev/fd") == files, "a terminal was left open"
    with pytest.raises(BadOption, match="no reader family"):
        SimulatedReader(tmp_path, family="?")
    hand = SimulatedReader(tmp_path)
    with pytest.raises(BadOption, match="twice"):
        hand.two(5, 5)
    with pytest.raises(BadOption, match="32 bits"):
        hand.drop(2**32)
    assert hand.resting == ()
    hand.close()
