"""Devices on a cable: plugged, looked at until they fail, lost in a sentence, and tried again with
growing pauses.

What is at the other end is a `Line`; a driver says how to plug one in. Nothing that a line raises
ends the driver's thread.
"""

from __future__ import annotations

import errno
import logging
import os
import threading
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

import serial

from drivers import BadOption, Clock, Deliver, DeviceFound, DeviceLost, DriverError, Event
from drivers.sleeper import MakeTurns, hand_over

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 4.0

# What the system's error means for whoever stands before the machine; anything else does not
# answer.
REASONS = {
    errno.EACCES: (
        "may not be opened by this user: put the user into the groups dialout and input, then start"
        " again"
    ),
    errno.EAGAIN: (
        "is held by another program: end that one (sudo fuser {where} names it), or choose another"
        " port"
    ),
    errno.EBUSY: (
        "is held by another program: end that one (sudo fuser {where} names it), or choose another"
        " port"
    ),
}


class Line(Protocol):
    """A device that is plugged in.

    Attributes:
        rest_s: seconds from one look to the next.
    """

    rest_s: float

    def look(self) -> Sequence[Event] | None:
        """Wait a moment for what comes, and say what it is; None while nothing shows that the
        device is there.

        Raises anything at all when it is gone.
        """

    def cancel(self) -> None:
        """A look that waits in another thread returns, or raises, soon."""

    def hang_up(self) -> None:
        """Let go of the device."""


Plug: TypeAlias = Callable[[], Line]
OpenPort: TypeAlias = Callable[..., serial.Serial]


class PortLine:
    """What each `Line` at an open serial port has; what its bytes mean, a kind of it says
    (`look`)."""

    rest_s = 0.0  # the read itself waits for bytes

    def __init__(self, line: serial.Serial, clock: Clock) -> None:
        self._line = line
        self._clock = clock

    def cancel(self) -> None:
        """The read that waits ends."""
        cancel: Callable[[], None] | None = getattr(self._line, "cancel_read", None)
        if cancel is not None:
            cancel()

    def hang_up(self) -> None:
        """Close the port."""
        self._line.close()

    def _read(self) -> bytes:
        """What has come, or comes in a moment; nothing when the line stays quiet."""
        data: bytes = self._line.read(max(1, self._line.in_waiting))
        return data


def check_port(name: str, port: str) -> None:
    """Raises `BadOption` for what can be no serial port, whether it is there or not."""
    try:
        serial.serial_for_url(port, do_not_open=True)
    except ValueError as error:
        raise BadOption(f"{name}: {port!r} is not a port: {error}") from error


def check_gone(name: str, gone_s: float) -> None:
    """Raises `BadOption` for a time after which nothing could have been away."""
    if gone_s <= 0:
        raise BadOption(f"{name}: gone_s={gone_s:g} must be above 0")


class Cabled:
    """A driver whose device is on a cable. A kind of it says how it is plugged in (`_plug_in`).

    Args:
        name: what its events call it.
        where: the port, as sentences name it.
        meanwhile: what people do without it, as the end of the sentence that says it is lost.
    """

    def __init__(
        self, name: str, where: str, clock: Clock, sleeper: MakeTurns, meanwhile: str = ""
    ) -> None:
        self._name = name
        self._where = where
        self._clock = clock
        self._make_turns = sleeper
        self._meanwhile = meanwhile
        self._open_lock = threading.Lock()
        self._listening: Listening | None = None

    @property
    def running(self) -> bool:
        """Whether the port is read, or tried again."""
        listening = self._listening
        return listening is not None and listening.alive

    def open(self, deliver: Deliver) -> None:
        """Read from now on. A port that is not there is a `DeviceLost`, and is tried again.

        Raises:
            DriverError: open already.
        """
        with self._open_lock:
            if self._listening is not None:
                raise DriverError(f"the {self._name} is open already: close it first")
            self._begin()
            self._listening = Listening(
                self._name,
                self._where,
                self._plug_in,
                deliver,
                self._clock,
                self._make_turns,
                self._meanwhile,
            )
            self._listening.start()

    def close(self) -> None:
        """Let go of the port."""
        with self._open_lock:
            listening, self._listening = self._listening, None
        if listening is not None:
            listening.close()

    def _begin(self) -> None:
        """It is being opened: forget what was known of the device."""

    def _plug_in(self) -> Line:
        """Make a line; called for each try."""
        raise NotImplementedError


class Listening:
    """A driver while it is open: plugs in, looks until the line fails, and plugs in again. One step
    of it is one turn."""

    def __init__(
        self,
        name: str,
        where: str,
        plug: Plug,
        deliver: Deliver,
        clock: Clock,
        sleeper: MakeTurns,
        meanwhile: str = "",
    ) -> None:
        self._name = name
        self._where = where
        self._plug = plug
        self._deliver = deliver
        self._clock = clock
        self._meanwhile = meanwhile
        self._pause: float | None = None  # none while the device answers
        self._lock = threading.Lock()
        self._line: Line | None = None
        self._closing = False
        self._sleeper = sleeper(name, self._turn, clock=clock)

    @property
    def alive(self) -> bool:
        """Whether the thread is there."""
        return self._sleeper.alive

    def start(self) -> None:
        """Begin."""
        self._sleeper.start()

    def close(self) -> None:
        """End, and let go of the device."""
        with self._lock:
            # Closed by another thread, a look ends in any error there is: it is called back first.
            self._closing = True
            if self._line is not None:
                self._line.cancel()
        self._sleeper.stop()
        self._hang_up()

    def _turn(self, now: float) -> float | None:
        try:
            line = self._line
            if line is not None:
                self._look(line)
                return now + line.rest_s
            line = self._plug()
            with self._lock:
                self._line = line
            return now
        # unplugged: SerialException, OSError or termios.error; and nothing may end this thread
        except Exception as error:
            log.debug("reading %s failed", self._where, exc_info=True)
            return None if self._closing else self._lose(error)

    def _look(self, line: Line) -> None:
        events = line.look()
        if events is None:
            return
        if self._pause is not None:
            self._pause = None
            hand_over(self._deliver, DeviceFound(self._name, self._clock()))
        for event in events:
            hand_over(self._deliver, event)

    def _lose(self, error: Exception) -> float:
        self._hang_up()
        now = self._clock()
        if self._pause is None:
            reason = "; ".join(
                filter(None, (lost_because(self._name, self._where, error), self._meanwhile))
            )
            log.warning("%s (%s)", reason, error)
            hand_over(self._deliver, DeviceLost(self._name, reason, now))
            self._pause = FIRST_PAUSE_S
        else:
            self._pause = min(2 * self._pause, LONGEST_PAUSE_S)
        return now + self._pause

    def _hang_up(self) -> None:
        with self._lock:
            line, self._line = self._line, None
        try:
            if line is not None:
                line.hang_up()
        except Exception:
            # it was pulled: nothing is left to close
            log.debug("closing %s failed", self._where, exc_info=True)


def lost_because(name: str, where: str, error: Exception) -> str:
    """What happened to a device, and what to do, in a sentence.

    >>> lost_because("reader-3", "tcp://x", OSError(errno.EIO, ""))
    'the reader-3 does not answer on tcp://x (Input/output error): check its cable and its port'
    """
    # of termios.error the first argument
    number = getattr(error, "errno", error.args[0] if error.args else None)
    if number in REASONS:
        return f"{where}, the port of the {name}, {REASONS[number].format(where=where)}"
    why = f" ({os.strerror(number)})" if isinstance(number, int) else ""
    # the buzzers are many
    does, its = ("do", "their") if name.partition("-")[0].endswith("s") else ("does", "its")
    return f"the {name} {does} not answer on {where}{why}: check {its} cable and {its} port"
