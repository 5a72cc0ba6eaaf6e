"""Simulate devices' lines: a pseudo-terminal, a keyboard that types; both with a cable to pull."""

from __future__ import annotations

import errno
import logging
import os
import struct
import threading
import tty
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from drivers import DriverError
from drivers.readers.keyboard import (
    CHARACTERS,
    DOWN,
    ENTERS,
    EV_KEY,
    EV_SYN,
    SHIFTS,
    SYN_DROPPED,
    UP,
    WITH_SHIFT,
)

log = logging.getLogger(__name__)

EVENT = struct.Struct("HHi")  # type, code, value
ESCAPE = 1
# The keys above the letters come last, so that they win over those of the number pad.
CODES = {character: code for code, character in sorted(CHARACTERS.items(), reverse=True)}
SHIFTED = {character: code for code, character in WITH_SHIFT.items()}


class SerialLine(ABC):
    """The device's end of a cable, of any kind."""

    @property
    @abstractmethod
    def plugged(self) -> bool:
        """Return whether the cable is in."""

    @abstractmethod
    def send(self, data: bytes) -> None:
        """Send any bytes over the line; they are lost if the cable is out, or nobody reads."""

    def heard(self) -> bytes:
        """Return the bytes that have come from the other end since the last time: none to a device
        that only talks."""
        return b""

    @abstractmethod
    def unplug(self) -> None:
        """Pull the cable: the port is gone."""

    @abstractmethod
    def _connect(self) -> None:
        """Put the cable back; raise as `plug`."""

    def plug(self) -> None:
        """Put the cable back, if it is out.

        Raises:
            DriverError: the port cannot be made.
        """
        if not self.plugged:
            self._connect()

    def close(self) -> None:
        """Close the device. May be called again."""
        self.unplug()


class PseudoTerminal(SerialLine):
    """A serial line of the system.

    Args:
        path: where the port is made; it stays the same when the cable is pulled and put back.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ends_lock = threading.RLock()
        self._master: int | None = None
        self._slave: int | None = None

    @property
    def port(self) -> str:
        """Return the port for the driver."""
        return str(self._path)

    @property
    def plugged(self) -> bool:
        """Return whether the cable is in."""
        return self._master is not None

    def send(self, data: bytes) -> None:
        """Send any bytes over the line; they are lost if the cable is out, or nobody reads."""
        with self._ends_lock:
            if self._master is None:
                return
            try:
                os.write(self._master, data)
            except BlockingIOError:
                log.debug("nobody reads %s: %d bytes are lost", self.port, len(data))

    def heard(self) -> bytes:
        """Return the bytes that have come from the other end since the last time."""
        with self._ends_lock:
            if self._master is None:
                return b""
            try:
                return os.read(self._master, 4096)
            except BlockingIOError:
                return b""

    def unplug(self) -> None:
        """Pull the cable: the port is gone."""
        with self._ends_lock:
            self._path.unlink(missing_ok=True)
            for end in (self._master, self._slave):
                if end is not None:
                    os.close(end)
            self._master = self._slave = None

    def _connect(self) -> None:
        master, slave = os.openpty()
        try:
            # Our own hold on the far end keeps the line up, and raw, while no driver has it open.
            tty.setraw(slave)
            os.set_blocking(master, False)
            self._path.unlink(missing_ok=True)
            self._path.symlink_to(os.ttyname(slave))
        except OSError as error:
            os.close(master)
            os.close(slave)
            raise DriverError(
                f"the simulated device cannot make its port {self._path}: {error}"
            ) from error
        with self._ends_lock:
            self._master, self._slave = master, slave


@dataclass(frozen=True, slots=True)
class Stroke:
    """One event of a keyboard."""

    type: int
    code: int
    value: int


class SimulatedKeyboard:
    """An opened keyboard with the methods of `evdev.InputDevice`.

    Attributes:
        grabbed: whether its keys come here only.
    """

    def __init__(self) -> None:
        self._keys, self._wire = os.pipe()
        os.set_blocking(self._keys, False)
        self.grabbed = False

    def fileno(self) -> int:
        """Return a descriptor that is readable when keys have come, or the cable was pulled."""
        return self._keys

    def grab(self) -> None:
        """Take the keyboard's keys for one program alone."""
        self.grabbed = True

    def read(self) -> Iterator[Stroke]:
        """Yield the keys that have come.

        Raises:
            BlockingIOError: none have.
            OSError: the cable was pulled.
        """
        data = os.read(self._keys, 64 * EVENT.size)
        if not data:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return (Stroke(*event) for event in EVENT.iter_unpack(data))

    def close(self) -> None:
        """Close the device."""
        end, self._keys = self._keys, -1
        os.close(end)

    def press(self, code: int, shift: bool = False) -> None:
        """Press and release a key, with Shift if `shift`; lost if nobody listens."""
        strokes = [(code, DOWN), (code, UP)]
        if shift:
            strokes = [(SHIFTS[0], DOWN), *strokes, (SHIFTS[0], UP)]
        for key, value in strokes:
            self.stroke(EV_KEY, key, value)

    def stroke(self, kind: int, code: int, value: int) -> None:
        """Send one event; lost if nobody listens."""
        try:
            os.write(self._wire, EVENT.pack(kind, code, value))
        except (BrokenPipeError, BlockingIOError):
            log.debug("nobody hears the key %d", code)

    def unplug(self) -> None:
        """Pull the cable."""
        end, self._wire = self._wire, -1
        os.close(end)


class PseudoKeyboard(SerialLine):
    """A keyboard's cable.

    Args:
        path: where its device would stand; nothing is made there.

    Attributes:
        keyboard: as the driver has opened it, or None.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ends_lock = threading.RLock()
        self._plugged = False
        self.keyboard: SimulatedKeyboard | None = None

    @property
    def port(self) -> str:
        """Return the device for the driver."""
        return str(self._path)

    @property
    def plugged(self) -> bool:
        """Return whether the cable is in."""
        return self._plugged

    def connect(self, device: str) -> SimulatedKeyboard:
        """Open the keyboard, for the driver.

        Raises:
            OSError: the cable is out.
        """
        with self._ends_lock:
            if not self._plugged:
                raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), device)
            self._forget()
            self.keyboard = SimulatedKeyboard()
            return self.keyboard

    def send(self, data: bytes) -> None:
        """Type these characters, a new line as Enter; a character without a key as Esc."""
        with self._ends_lock:
            if self.keyboard is None:
                return
            for character in data.decode("latin-1"):
                plain = ENTERS[0] if character == "\n" else CODES.get(character)
                if plain is not None:
                    self.keyboard.press(plain)
                else:
                    self.keyboard.press(SHIFTED.get(character, ESCAPE), shift=character in SHIFTED)

    def unplug(self) -> None:
        """Pull the cable: the keyboard is gone."""
        with self._ends_lock:
            self._plugged = False
            self._forget()

    def _forget(self) -> None:
        keyboard, self.keyboard = self.keyboard, None
        if keyboard is not None:
            keyboard.unplug()

    def _connect(self) -> None:
        with self._ends_lock:
            self._plugged = True


class SimulatedScanner(PseudoTerminal):
    """A scanner at a serial port: `Scanner` reads what is held before it.

    Args:
        folder: where the port is made, as `name`.
        end: what it sends behind a code.

    Raises:
        DriverError: the port cannot be made.
    """

    def __init__(self, folder: Path, name: str = "scanner", end: bytes = b"\r") -> None:
        super().__init__(folder / name)
        self._end = end
        self.plug()

    def scan(self, text: str) -> None:
        """Hold a code before the scanner."""
        self.send(text.encode() + self._end)


class SimulatedKeys(PseudoKeyboard):
    """A number pad, a pedal or the like: Keys(device=hand.port, connect=hand.connect)."""

    def __init__(self, folder: Path, name: str = "keys") -> None:
        super().__init__(folder / name)
        self.plug()

    def down(self, code: int) -> None:
        """Press a key and hold it."""
        self._stroke(EV_KEY, code, DOWN)

    def up(self, code: int) -> None:
        """Let a key go."""
        self._stroke(EV_KEY, code, UP)

    def lose(self) -> None:
        """Let the kernel lose keys."""
        self._stroke(EV_SYN, SYN_DROPPED, 0)

    def _stroke(self, kind: int, code: int, value: int) -> None:
        with self._ends_lock:
            if self.keyboard is not None:
                self.keyboard.stroke(kind, code, value)


class SimulatedKeyScanner(PseudoKeyboard):
    """A scanner that is a keyboard: KeyScanner(device=hand.port, connect=hand.connect)."""

    def __init__(self, folder: Path, name: str = "scanner") -> None:
        super().__init__(folder / name)
        self.plug()

    def scan(self, text: str) -> None:
        """Hold a code before the scanner."""
        self.send(text.encode() + b"\n")
