"""A cable: what is said of each error of a port, and that nothing of a line outlives it."""

import errno
import os
import termios
import threading

import pytest
import serial

from drivers import DeviceFound, DeviceLost
from drivers.readers.cable import Cabled, lost_because
from drivers.readers.rfid import Reader
from drivers.readers.scanner import Scanner
from drivers.readers.wedge import Wedge
from drivers.simulated.lines import SimulatedScanner
from drivers.simulated.readers import SimulatedPn532, SimulatedReader, SimulatedWedge
from tests.drivers.clockwork import LIMIT_S, HandClock, Inbox
from tests.drivers.readers.test_rfid import Watched

PORT = "/dev/serial/by-id/usb-reader"
SAID = [
    (
        OSError(errno.ENOENT, ""),
        (
            "the reader-3 does not answer on {port} (No such file or directory): check its cable"
            " and its port"
        ),
    ),
    (
        serial.SerialException(errno.EAGAIN, ""),
        "{port}, the port of the reader-3, is held by another program",
    ),
    (
        OSError(errno.EBUSY, ""),
        (
            "{port}, the port of the reader-3, is held by another program: end that one (sudo fuser"
            " {port}"
        ),
    ),
    (
        PermissionError(errno.EACCES, ""),
        "{port}, the port of the reader-3, may not be opened by this user: put the user into",
    ),
    (
        termios.error(errno.EIO, ""),
        "the reader-3 does not answer on {port} (Input/output error): check",
    ),
    (RuntimeError("odd"), "the reader-3 does not answer on {port}: check"),
]


@pytest.mark.parametrize(("error", "said"), SAID)
def test_each_error_has_its_sentence(error, said):
    """Which reader, which port, what happened, what to do."""
    assert lost_because("reader-3", PORT, error).startswith(said.format(port=PORT))


def test_the_buzzers_are_many() -> None:
    """A box is spoken of as its buzzers are, by any name."""
    for name in ("buzzers", "buzzers-left"):
        said = f"the {name} do not answer on /dev/ttyACM0: check their cable and their port"
        assert lost_because(name, "/dev/ttyACM0", RuntimeError("odd")) == said


def test_a_port_that_another_program_holds(tmp_path):
    """A second reader on a port says that it is held, names how to find by whom, and the first goes
    on."""
    hand, clock = SimulatedReader(tmp_path, repeat=False), HandClock()
    opened = Watched()
    first, second = (
        Reader(port=hand.port, clock=clock, sleeper=clock.sleeper, connect=opened) for _ in range(2)
    )
    inbox, other = Inbox(), Inbox()
    first.open(inbox)
    opened.next()
    hand.drop(5)
    assert inbox.next().tag == 5
    second.open(other)
    assert other.next().reason.startswith(
        f"{hand.port}, the port of the reader, is held by another program"
    )
    hand.drop(6)
    assert inbox.take(2)[1].tag == 6
    second.close()
    first.close()
    hand.close()


class Deaf:
    """A line at which nothing comes: a look waits until it is called back."""

    rest_s = 0.0

    def __init__(self):
        self.looks = threading.Semaphore(0)
        self.called_back = threading.Event()
        self.hung_up = threading.Event()

    def look(self):
        self.looks.release()
        assert self.called_back.wait(LIMIT_S)
        raise OSError("called back")

    def cancel(self):
        self.called_back.set()

    def hang_up(self):
        self.hung_up.set()


class AtDeaf(Cabled):
    """A driver of that device."""

    def __init__(self, line):
        super().__init__(name="reader")
        self.line = line

    def plug_in(self):
        return self.line


def test_a_look_is_called_back_when_its_driver_is_closed():
    """Closing waits for no silence: the look that waits is called back, the line is let go, and
    nothing is said to be lost."""
    line, inbox = Deaf(), Inbox()
    driver = AtDeaf(line)
    driver.open(inbox)
    assert line.looks.acquire(timeout=LIMIT_S)
    driver.close()
    assert line.called_back.is_set()
    assert line.hung_up.is_set()
    assert inbox.empty()


UNPLUGS = 10


class Hurry(HandClock):
    """A clock on which every pause is over at once."""

    def wait(self, condition, seconds):
        if seconds is None:
            condition.wait(LIMIT_S)
        else:
            self.now += seconds


@pytest.mark.long
@pytest.mark.parametrize(
    "kind", [SimulatedReader, SimulatedPn532, SimulatedWedge, SimulatedScanner]
)
def test_a_loose_plug_all_night(tmp_path, kind):
    """However often the cable comes out, it is lost and found once each time, and no file is left
    open."""
    hand, clock, inbox = kind(tmp_path), Hurry(), Inbox()
    times = {"clock": clock, "sleeper": clock.sleeper}
    if kind is SimulatedScanner:
        reader = Scanner(port=hand.port, **times)
    elif kind is SimulatedWedge:
        reader = Wedge(device=hand.port, connect=hand.connect, **times)
    else:
        reader = Reader(
            port=hand.port, family="pn532" if kind is SimulatedPn532 else "rdm6300", **times
        )
    reader.open(inbox)
    if kind is not SimulatedScanner:
        hand.drop(5)
    files = []
    for _ in range(UNPLUGS):
        hand.unplug()
        inbox.next_of(DeviceLost)
        hand.plug()
        inbox.next_of(DeviceFound)
        files.append(len(os.listdir("/proc/self/fd")))
    reader.close()
    hand.close()
    assert len(set(files)) == 1
