"""The reader: which frames are a new reading, and a cable that is pulled in the middle."""

import queue
import termios
import threading

import pytest
import serial

from drivers import BadOption, DeviceFound, DeviceLost, ReadRefused, Refusal, TagLeft, TagRead
from drivers.readers.cable import LONGEST_PAUSE_S
from drivers.readers.frames import Tag, encode
from drivers.readers.rfid import Reader
from drivers.simulated.readers import SimulatedReader
from tests.drivers.clockwork import LIMIT_S, HandClock, Inbox

A, B = Tag(6547886, 1), Tag(13530444, 0x3C)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"family": "rdm"}, "'rdm'.*grove, id12la, id20la, id2la, parallax, pn532, rdm6300"),
        ({"firmware": "new"}, "'new'.*auto, repeats, entry, once, learn"),
        ({"family": "pn532", "firmware": "once"}, "asked.*leave firmware='once' out"),
        ({"gone_s": 0}, "gone_s"),
        ({"port": "usb://reader"}, "'usb://reader'"),
    ],
)
def test_options_that_cannot_be_used(options, message):
    """Each wrong option is refused when the driver is made."""
    with pytest.raises(BadOption, match=message):
        Reader(**{"port": "loop://", **options})


class Watched:
    """A `connect` that tells when the port is open, and can make what comes of it fail."""

    def __init__(self, connect=serial.serial_for_url):
        self.connect = connect
        self.opened = queue.Queue()
        self.failing = None

    def __call__(self, *args, **kwargs):
        if self.failing is not None:
            raise self.failing
        line = self.connect(*args, **kwargs)
        self.opened.put(line)
        return line

    def next(self):
        return self.opened.get(timeout=LIMIT_S)


@pytest.fixture
def bench(tmp_path):
    """A simulated reader that sends once, and the driver on it."""

    class Bench:
        hand = SimulatedReader(tmp_path, repeat=False)
        clock = HandClock()
        inbox = Inbox()
        connect = Watched()
        reader = Reader(port=hand.port, clock=clock, sleeper=clock.sleeper, connect=connect)

    yield Bench
    Bench.reader.close()
    Bench.hand.close()


def test_a_pulled_cable_is_said_once_and_the_reader_comes_back(bench):
    """Unplugged: one `DeviceLost` with the port in it, however often it is tried; plugged:
    `DeviceFound`, and knobs are read."""
    bench.reader.open(bench.inbox)
    bench.connect.next()
    bench.hand.drop(A.number)
    assert bench.inbox.next() == TagRead("reader", A.number, 1000)
    bench.hand.unplug()
    lost = bench.inbox.next()
    assert lost == DeviceLost("reader", lost.reason, 1000)
    assert bench.hand.port in lost.reason
    assert "check its cable" in lost.reason
    for _ in range(3):
        assert bench.clock.asked.get(timeout=LIMIT_S) > 0
        bench.clock.advance(LONGEST_PAUSE_S)
    assert bench.inbox.empty()
    bench.hand.lift()
    bench.hand.plug()
    bench.clock.advance(LONGEST_PAUSE_S)
    bench.connect.next()
    found = bench.inbox.next()
    assert found == DeviceFound("reader", found.at)
    bench.hand.drop(B.number)
    assert bench.inbox.next_of(TagRead) == TagRead("reader", B.number, found.at)


def test_a_port_that_is_not_there_at_first(bench):
    """A reader that is plugged in after the start is lost first, and found when it comes."""
    bench.hand.unplug()
    bench.reader.open(bench.inbox)
    assert isinstance(bench.inbox.next(), DeviceLost)
    bench.hand.plug()
    bench.clock.advance(LONGEST_PAUSE_S)
    assert isinstance(bench.inbox.next(), DeviceFound)


@pytest.mark.parametrize(
    "error",
    [
        serial.SerialException("gone"),
        OSError(5, "gone"),
        termios.error(5, "gone"),
        RuntimeError("gone"),
    ],
)
def test_whatever_the_port_raises_is_a_lost_reader(bench, error, caplog):
    """No error of the port ends the driver's thread: it is lost, tried again, and found; the log
    has the error's own words."""
    bench.connect.failing = error
    bench.reader.open(bench.inbox)
    assert "does not answer on" in bench.inbox.next().reason
    assert "gone" in caplog.text
    bench.connect.failing = None
    bench.clock.advance(LONGEST_PAUSE_S)
    assert isinstance(bench.inbox.next(), DeviceFound)


def test_the_pauses_grow_up_to_a_limit(bench):
    """A lost port is tried after 0.25 s, then twice as long each time, and at most every four
    seconds."""
    bench.hand.unplug()
    bench.reader.open(bench.inbox)
    pauses = []
    for _ in range(7):
        pauses.append(bench.clock.asked.get(timeout=LIMIT_S))
        bench.clock.advance(pauses[-1])
    assert pauses == [0.25, 0.5, 1, 2, 4, 4, 4]


def test_close_while_the_port_is_lost(bench):
    """Closing does not wait for the pause to end: the clock here never moves."""
    bench.hand.unplug()
    bench.reader.open(bench.inbox)
    assert isinstance(bench.inbox.next(), DeviceLost)
    bench.clock.asked.get(timeout=LIMIT_S)
    before = threading.active_count()
    bench.reader.close()
    assert threading.active_count() == before - 1


def test_a_frame_torn_by_the_cable_does_not_spoil_the_next(bench):
    """Half a frame before the cable was pulled is forgotten: the knob laid afterwards is read, and
    nothing is refused."""
    bench.reader.open(bench.inbox)
    bench.connect.next()
    bench.hand.send(encode(B.number) + encode(A.number)[:7])
    assert isinstance(bench.inbox.next(), TagRead)  # so the half frame behind it has been read too
    bench.hand.unplug()
    assert isinstance(bench.inbox.next(), DeviceLost)
    bench.hand.plug()
    bench.clock.advance(LONGEST_PAUSE_S)
    bench.connect.next()
    assert isinstance(bench.inbox.next(), DeviceFound)
    bench.hand.drop(A.number)
    assert bench.inbox.next() == TagLeft("reader", B.number, bench.clock.now)
    assert bench.inbox.next() == TagRead("reader", A.number, bench.clock.now)


def test_a_torn_frame_is_refused_when_nothing_follows(bench):
    """A frame that stops is refused although no byte comes after it."""
    bench.reader.open(bench.inbox)
    bench.connect.next()
    bench.hand.send(encode(A.number)[:7])
    assert bench.inbox.next() == ReadRefused("reader", Refusal.FORM, 1000)
