"""A cable: what is said of each error of a port, and that nothing of a line outlives it."""

import errno
import termios

import pytest
import serial

from drivers.cable import lost_because
from drivers.rfid import Reader
from drivers.simulated import SimulatedReader
from tests.drivers.clockwork import HandClock, Inbox
from tests.drivers.test_rfid import Watched

PORT = "/dev/serial/by-id/usb-reader"
SAID = [
    (
        OSError(errno.ENOENT, ""),
        "the reader-3 does not answer on {port} (No such file or directory): check its cable and its port",
    ),
    (serial.SerialException(errno.EAGAIN, ""), "{port}, the port of the reader-3, is held by another program"),
    (OSError(errno.EBUSY, ""), "{port}, the port of the reader-3, is held by another program: end that one (sudo fuser {port}"),
    (PermissionError(errno.EACCES, ""), "{port}, the port of the reader-3, may not be opened by this user: put the user into"),
    (termios.error(errno.EIO, ""), "the reader-3 does not answer on {port} (Input/output error): check"),
    (RuntimeError("odd"), "the reader-3 does not answer on {port}: check"),
]


@pytest.mark.parametrize(("error", "said"), SAID)
def test_each_error_has_its_sentence(error, said):
    """Which reader, which port, what happened, what to do."""
    assert lost_because("reader-3", PORT, error).startswith(said.format(port=PORT))


def test_a_port_that_another_program_holds(tmp_path):
    """A second reader on a port says that it is held, names how to find by whom, and the first goes on."""
    hand, clock = SimulatedReader(tmp_path, repeat=False), HandClock()
    opened = Watched()
    first, second = (Reader(port=hand.port, clock=clock, sleeper=clock.sleeper, connect=opened) for _ in range(2))
    inbox, other = Inbox(), Inbox()
    first.open(inbox)
    opened.next()
    hand.drop(5)
    assert inbox.next().tag == 5
    second.open(other)
    assert other.next().reason.startswith(f"{hand.port}, the port of the reader, is held by another program")
    hand.drop(6)
    assert inbox.take(2)[1].tag == 6
    second.close()
    first.close()
    hand.close()
