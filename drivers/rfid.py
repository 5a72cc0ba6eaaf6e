"""Serial readers of 125 kHz tags: a tagged knob laid on the reader is one reading.

    RDM6300 (Grove: the same)                     Raspberry Pi, 40-pin header (BCM number / header pin)
        5V(DC) ────────────────────────────────── 5V  / pin 2
        GND    ────────────────────────────────── GND / pin 6
        TX     ──[ 1 kΩ ]──┬───────────────────── GPIO 15, RXD / pin 10      the Pi's pins stand 3.3 V only:
                           └──[ 2 kΩ ]── GND                                 divide what a 5 V reader sends
    or TX, 5V and GND to a USB serial adapter, and its name under /dev/serial/by-id/ as the port.

    >>> reader = Reader(port="loop://")            # "/dev/serial0", "/dev/serial/by-id/…", "socket://host:port"
    >>> reader.open(deliver=print)                 # TagRead(reader='reader', tag=6547886, at=…)
    >>> reader.close()

Parameters: see `Reader`. A resting tag is one `TagRead`, whether the firmware repeats it every 50 ms or sends it once (H13). It
counts again after another tag was read, or after nothing came for `gone_s`. Two tags at once come as damaged frames:
`ReadRefused`, never a reading.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from typing import TypeAlias

import serial

from drivers import BadOption, Clock, Deliver, DeviceFound, DeviceLost, DriverError, Event, ReadRefused, Refusal, TagRead
from drivers.frames import Decoder, Family, Found, Tag, family_named
from drivers.sleeper import MakeTurns, Sleeper, hand_over

log = logging.getLogger(__name__)

Connect: TypeAlias = Callable[..., serial.Serial]

QUIET_S = 0.2  # a frame takes 15 ms at 9600 baud: what has not come by then will not come
FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 4.0


class Tray:
    """What lies on the reader, judged from what comes: which of many frames is a new reading. Pure; seconds."""

    def __init__(self, reader: str, gone: float) -> None:
        self._reader = reader
        self._gone = gone
        self._tag: int | None = None
        self._heard = 0.0
        self._refused: dict[Refusal, float] = {}

    def judge(self, found: Found, at: float) -> Event | None:
        """The event of this frame, or None when it repeats what was said."""
        if at - self._heard > self._gone:
            self._tag = None
        self._heard = at
        if isinstance(found, Tag):
            again = found.number == self._tag
            self._tag = found.number
            return None if again else TagRead(self._reader, found.number, at)
        before = self._refused.get(found)
        self._refused[found] = at
        return None if before is not None and at - before <= self._gone else ReadRefused(self._reader, found, at)


class Reader:
    """One serial reader.

    Args:
        port: a device path, or a URL of pyserial such as "socket://host:port".
        family: which frames it sends, a name in `drivers.frames.FAMILIES`; default "rdm6300". A Grove reader is an rdm6300.
        name: what its events call it; default "reader".
        gone_s: seconds of silence after which a tag has left; default 1.
        clock: monotonic seconds.
        sleeper: what takes its turns; by default a thread.
        connect: what opens the port.

    Raises:
        BadOption: an option that cannot be used.
    """

    def __init__(
        self,
        *,
        port: str,
        family: str = "rdm6300",
        name: str = "reader",
        gone_s: float = 1.0,
        clock: Clock = time.monotonic,
        sleeper: MakeTurns = Sleeper,
        connect: Connect = serial.serial_for_url,
    ) -> None:
        self._family = family_named(family)
        if gone_s <= 0:
            raise BadOption(f"{name}: gone_s={gone_s:g} must be above 0")
        try:
            serial.serial_for_url(port, do_not_open=True)
        except ValueError as error:
            raise BadOption(f"{name}: {port!r} is not a port: {error}") from error
        self._port = port
        self._name = name
        self._gone = gone_s
        self._clock = clock
        self._sleeper = sleeper
        self._connect = connect
        self._lock = threading.Lock()
        self._listening: _Listening | None = None

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
        with self._lock:
            if self._listening is not None:
                raise DriverError(f"the reader {self._name!r} is open already: close it first")
            tray = Tray(self._name, self._gone)
            self._listening = _Listening(
                self._name, self._port, self._family, self._connect, tray, deliver, self._clock, self._sleeper
            )
            self._listening.start()

    def close(self) -> None:
        """Let go of the port."""
        with self._lock:
            listening, self._listening = self._listening, None
        if listening is not None:
            listening.close()


class _Listening:
    """A reader while it is open: connects, reads until the port fails, and connects again. One step of it is one turn."""

    def __init__(
        self,
        name: str,
        port: str,
        family: Family,
        connect: Connect,
        tray: Tray,
        deliver: Deliver,
        clock: Clock,
        sleeper: MakeTurns,
    ) -> None:
        self._name = name
        self._port = port
        self._family = family
        self._connect = connect
        self._tray = tray
        self._deliver = deliver
        self._clock = clock
        self._pause: float | None = None  # none while the port answers
        self._lock = threading.Lock()
        self._line: serial.Serial | None = None
        self._decoder = Decoder(family)
        self._sleeper = sleeper(name, self._turn, clock=clock)

    @property
    def alive(self) -> bool:
        return self._sleeper.alive

    def start(self) -> None:
        self._sleeper.start()

    def close(self) -> None:
        with self._lock:
            # Closed by another thread, a read ends in a TypeError: it is called back first.
            cancel = getattr(self._line, "cancel_read", None)
            if cancel is not None:
                cancel()
        self._sleeper.stop()
        self._hang_up()

    def _turn(self, now: float) -> float | None:
        try:
            if self._line is None:
                self._line = self._connect(self._port, baudrate=self._family.baud, timeout=QUIET_S, exclusive=True)
                self._decoder = Decoder(self._family)
            else:
                self._read(self._line)
        except Exception as error:  # unplugged: SerialException, OSError or termios.error; and nothing may end this thread
            log.debug("reading %s failed", self._port, exc_info=True)
            return self._lose(error)
        return now  # at once: the read itself waits for bytes

    def _read(self, line: serial.Serial) -> None:
        data = line.read(max(1, line.in_waiting))
        if self._pause is not None:
            self._pause = None
            hand_over(self._deliver, DeviceFound(self._name, self._clock()))
        for found in self._decoder.feed(data) if data else self._decoder.silence():
            event = self._tray.judge(found, self._clock())
            if event is not None:
                hand_over(self._deliver, event)

    def _lose(self, error: Exception) -> float:
        self._hang_up()
        now = self._clock()
        if self._pause is None:
            number = getattr(error, "errno", None)
            why = f" ({os.strerror(number)})" if isinstance(number, int) else ""
            reason = f"the {self._name} does not answer on {self._port}{why}: check its cable and its port"
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
                    line.close()
            except Exception:
                log.debug("closing %s failed", self._port, exc_info=True)  # it was pulled: nothing is left to close
