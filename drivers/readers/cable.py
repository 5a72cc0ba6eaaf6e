"""Drive devices on a cable: plug in, look until they fail, tell of it, try again ever more slowly.

What is at the other end is a `Line`; a driver says how to plug one in. Nothing that a line raises
ends the driver's thread.
"""

from __future__ import annotations

import errno
import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import serial

from drivers import BadOption, Clock, Deliver, DeviceFound, DeviceLost, DriverError, Event
from drivers.sleeper import MakeTurns, Sleeper, Turning, hand_over

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 4.0

# What a system error means for a person at the machine; any other one means "does not answer".
_HELD = (
    "is held by another program: end that one (sudo fuser {where} names it), or choose another port"
)
REASONS = {
    errno.EACCES: (
        "may not be opened by this user: put the user into the groups dialout and input, then start"
        " again"
    ),
    errno.EAGAIN: _HELD,
    errno.EBUSY: _HELD,
}


class Line(Protocol):
    """A device that is plugged in.

    Attributes:
        rest_s: seconds from one look to the next.
    """

    rest_s: float

    def look(self) -> Sequence[Event] | None:
        """Wait a moment for input; return its events, None while nothing shows that it is there.

        Raises any error when the device is gone.
        """

    def cancel(self) -> None:
        """Make a `look` that waits in another thread return, or raise, soon."""

    def hang_up(self) -> None:
        """Close the device."""


OpenPort: TypeAlias = Callable[..., serial.Serial]


@dataclass(eq=False)
class PortLine:
    """An open serial port as a `Line`; a subclass says what its bytes mean (`look`)."""

    line: serial.Serial
    clock: Clock

    rest_s = 0.0  # the read itself waits for bytes

    def cancel(self) -> None:
        """End a read that waits."""
        cancel: Callable[[], None] | None = getattr(self.line, "cancel_read", None)
        if cancel is not None:
            cancel()

    def hang_up(self) -> None:
        """Close the port."""
        self.line.close()

    def _read(self) -> bytes:
        """Return the bytes that have come, or come in a moment; none if the line stays quiet."""
        data: bytes = self.line.read(max(1, self.line.in_waiting))
        if data and (more := self.line.in_waiting):
            data += self.line.read(more)
        return data


def check_baud(name: str, baud: int, usual: str) -> None:
    """Check the speed of a serial line; `usual` says which one such devices have.

    Raises:
        BadOption: no serial line has it.
    """
    if baud not in serial.Serial.BAUDRATES:
        raise BadOption(f"{name}: baud={baud!r} is no speed of a serial line: {usual}")


def check_gone(name: str, gone_s: float) -> None:
    """Check the seconds after which a tag counts as gone.

    Raises:
        BadOption: they are not above 0.
    """
    if gone_s <= 0:
        raise BadOption(f"{name}: gone_s={gone_s:g} must be above 0")


@dataclass(kw_only=True, eq=False)
class Cabled(Turning):
    """A driver whose device is on a cable. A subclass says where (`where`, as sentences name it)
    and how it is plugged in (`plug_in`).

    Args:
        name: what its events call it.
        clock: monotonic seconds.
        sleeper: what takes its turns; by default a thread.

    Attributes:
        meanwhile: what people do without it, as the end of the sentence that says it is lost.
    """

    name: str
    clock: Clock = time.monotonic
    sleeper: MakeTurns = Sleeper

    where = ""
    meanwhile = ""

    def __post_init__(self) -> None:
        self._open_lock = threading.Lock()
        self._listening: Listening | None = None

    def open(self, deliver: Deliver) -> None:
        """Read from now on. If the port is not there, `DeviceLost` follows, and it is tried again.

        Raises:
            DriverError: open already.
        """
        with self._open_lock:
            if self._listening is not None:
                raise DriverError(f"the {self.name} is open already: close it first")
            self.begin()
            self._listening = Listening(self, deliver)
            self._turns = self._listening.turns
            self._turns.start()

    def close(self) -> None:
        """Close the port."""
        with self._open_lock:
            listening, self._listening, self._turns = self._listening, None, None
        if listening is not None:
            listening.close()

    def begin(self) -> None:
        """Forget what was known of the device; it is being opened."""

    def plug_in(self) -> Line:
        """Make a line; called for each try."""
        raise NotImplementedError


@dataclass(kw_only=True, eq=False)
class AtPort(Cabled):
    """A driver whose device is at a serial port.

    Args:
        port: a device path, best a name under /dev/serial/by-id/, which stays the same in whichever
            socket the plug sits; or a URL of pyserial such as "socket://host:port".
        connect: what opens the port.
        others: as of `Cabled`.

    Raises:
        BadOption: the port cannot be one, whether it is there or not.
    """

    port: str
    connect: OpenPort = serial.serial_for_url

    def __post_init__(self) -> None:
        super().__post_init__()
        self.where = self.port
        try:
            serial.serial_for_url(self.port, do_not_open=True)
        except ValueError as error:
            raise BadOption(f"{self.name}: {self.port!r} is not a port: {error}") from error


class Listening:
    """An open driver: it plugs in, looks until the line fails, plugs in again; a step is a turn."""

    def __init__(self, driver: Cabled, deliver: Deliver) -> None:
        self._driver = driver
        self._deliver = deliver
        self._pause: float | None = None  # None while the device answers
        self._lock = threading.Lock()
        self._line: Line | None = None
        self._closing = False
        self.turns = driver.sleeper(driver.name, self._turn, clock=driver.clock)

    def close(self) -> None:
        """End, and close the device."""
        with self._lock:
            # Closing from another thread could end a look in any error: cancel it first.
            self._closing = True
            if self._line is not None:
                self._line.cancel()
        self.turns.stop()
        self._hang_up()

    def _turn(self, now: float) -> float | None:
        try:
            line = self._line
            if line is not None:
                self._look(line)
                return now + line.rest_s
            line = self._driver.plug_in()
            with self._lock:
                self._line = line
            return now
        # unplugged: SerialException, OSError or termios.error; and nothing may end this thread
        except Exception as error:
            log.debug("reading %s failed", self._driver.where, exc_info=True)
            return None if self._closing else self._lose(error)

    def _look(self, line: Line) -> None:
        events = line.look()
        if events is None:
            return
        if self._pause is not None:
            self._pause = None
            hand_over(self._deliver, DeviceFound(self._driver.name, self._driver.clock()))
        for event in events:
            hand_over(self._deliver, event)

    def _lose(self, error: Exception) -> float:
        self._hang_up()
        driver, now = self._driver, self._driver.clock()
        if self._pause is None:
            because = lost_because(driver.name, driver.where, error)
            reason = f"{because}; {driver.meanwhile}" if driver.meanwhile else because
            log.warning("%s (%s)", reason, error)
            hand_over(self._deliver, DeviceLost(driver.name, reason, now))
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
            # it was unplugged: nothing is left to close
            log.debug("closing %s failed", self._driver.where, exc_info=True)


def lost_because(name: str, where: str, error: Exception) -> str:
    """Return what happened to a device, and what to do, in a sentence.

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
