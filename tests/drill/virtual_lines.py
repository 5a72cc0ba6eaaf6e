"""Devices on serial lines in memory, in virtual time: a cable to pull, the real driver at its other
end.

Each keeps its own account of what it was to its driver, `Health`: what the journal says of it must
be the same.
"""

from __future__ import annotations

import asyncio
import errno
import math
import os
from collections.abc import Callable
from typing import Any

from drivers import Clock
from drivers.pins.buzzers import FIRST_S, SILENT_S
from drivers.simulated.buzzers import BoxHand
from drivers.simulated.readers import ReaderHand
from drivers.sleeper import Turn
from tests.drill.virtual_devices import Health
from tests.drill.virtual_time import VirtualSleeper


class VirtualCable:
    """A cable, and the driver's end of it while the driver has it open.

    Attributes:
        on_bytes: called when whoever waits at the line would go on: bytes came, or the cable was
            pulled.
    """

    def __init__(self) -> None:
        self._plugged = False
        self.line: VirtualLine | None = None
        self.health = Health()
        self.on_bytes: Callable[[], None] = lambda: None

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""
        return self._plugged

    def send(self, data: bytes) -> None:
        """Any bytes at all over the line; lost when the cable is out, or nobody reads."""
        if self.line is not None and data:
            self.line.bytes += data
            self.on_bytes()

    def unplug(self) -> None:
        """Pull the cable: whoever reads is told."""
        self._plugged = False
        self.line = None
        self.on_bytes()

    def _connect(self) -> None:
        self._plugged = True

    def connect(self, port: str, **_options: Any) -> VirtualLine:
        """What the driver opens. Raises `OSError` while the cable is out."""
        if not self._plugged:
            self.health.fell()
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), port)
        self.line = VirtualLine(self)
        return self.line

    def looked(self) -> None:
        """The driver looks what has come."""

    def took(self) -> None:
        """The driver has taken what had come."""
        self.health.did()


class VirtualLine:
    """The driver's end of the line."""

    def __init__(self, cable: VirtualCable) -> None:
        self._cable = cable
        self.bytes = b""

    @property
    def in_waiting(self) -> int:
        """How many bytes came. Raises `OSError` when the cable was pulled."""
        self._look()
        return len(self.bytes)

    def read(self, size: int) -> bytes:
        """What came, at most so many bytes, at once. Raises `OSError` when the cable was pulled."""
        self._look()
        taken, self.bytes = self.bytes[:size], self.bytes[size:]
        self._cable.took()
        return taken

    def _look(self) -> None:
        if self._cable.line is not self:
            self._cable.health.fell()
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self._cable.looked()

    def close(self) -> None:
        """The driver lets go of it."""
        if self._cable.line is self:
            self._cable.line = None


class VirtualReader(VirtualCable, ReaderHand):
    """An RFID reader."""

    def __init__(self) -> None:
        VirtualCable.__init__(self)
        ReaderHand.__init__(self, clock=asyncio.get_running_loop().time, sleeper=VirtualSleeper)


class VirtualBox(VirtualCable, BoxHand):
    """A buzzer box.

    Attributes:
        heard_since: since when every change of its buzzers has reached the driver at once; infinity
            while it does not.
    """

    def __init__(self) -> None:
        self._whole = False  # a frame that can be read is on the line
        self._limit = math.inf  # when its driver has waited long enough for one
        self.heard_since = math.inf
        self._spoke = False
        VirtualCable.__init__(self)
        BoxHand.__init__(self, clock=asyncio.get_running_loop().time, sleeper=_Lookers)

    @property
    def known(self) -> bool:
        """Whether its driver has read a frame since it opened the line."""
        return self._spoke and self.line is not None

    def connect(self, port: str, **options: Any) -> VirtualLine:
        """See `VirtualCable`."""
        self.heard_since, self._limit = math.inf, self._clock() + FIRST_S
        self._spoke = self._whole = False
        return super().connect(port, **options)

    def unplug(self) -> None:
        """See `VirtualCable`."""
        self.heard_since = math.inf
        super().unplug()

    def hang(self, silent: bool = True) -> None:
        """See `BoxHand`."""
        self.heard_since = math.inf
        super().hang(silent)

    def restart(self) -> None:
        """See `BoxHand`."""
        self.heard_since = math.inf
        super().restart()

    def press_unheard(self, line: int) -> None:
        """Press a buzzer; the frame that says so is lost."""
        self._silent = True
        self.press(line)
        self._silent = False

    def press_damaged(self, line: int) -> None:
        """Press a buzzer; the frame that says so is damaged."""
        self.press_unheard(line)
        self.damage()

    def looked(self) -> None:
        """The frame that is due has come meanwhile: nobody need be woken for it."""
        wake, self.on_bytes = self.on_bytes, _nobody
        self._turn(self._clock())
        self.on_bytes = wake

    def took(self) -> None:
        """One who reads no whole frame in time takes the box for lost."""
        now = self._clock()
        if self._whole:
            self._whole, self._spoke, self._limit = False, True, now + SILENT_S
            self.heard_since = min(self.heard_since, now)
            self.health.did()
        elif now >= self._limit:
            self.health.fell()

    def _say(self, frames: bytes) -> None:
        self._whole = self._whole or (self.line is not None and not self._silent)
        super()._say(frames)


def _nobody() -> None:
    pass


class _Lookers:
    """No turns of its own: a box sends what is due when its driver looks, which is as often."""

    alive = True

    def __init__(self, name: str, turn: Turn, *, clock: Clock) -> None:
        pass

    def start(self) -> None:
        """Nothing begins."""

    def wake(self, within_s: float = 0.0) -> None:
        """Nothing is waiting."""

    def stop(self, limit_s: float | None = None) -> None:
        """Nothing ends."""
