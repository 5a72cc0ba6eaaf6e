"""Simulate an MCP23017: its registers, buttons between its lines and GND, lamps that can be seen.

    >>> chip = SimulatedChip()                     # Mcp23017(…, connect=chip.connect)
    >>> chip.press("A0"); chip.release("A0")

Hands may be used from any thread.
"""

from __future__ import annotations

import errno
import os
import threading

from drivers.pins.expander import GPIO, GPPU, IODIR, LINES, OLAT

REGISTERS = 0x16


class SimulatedChip:
    """One chip, whose cable can be pulled; it has lost all its registers when it is back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pressed = 0
        self._plugged = True
        self._forget()

    def _forget(self) -> None:
        self._registers = bytearray(REGISTERS)
        self._registers[IODIR : IODIR + 2] = b"\xff\xff"  # as after its reset

    def connect(self, bus: str, address: int) -> SimulatedChip:
        """Open it, for the driver.

        Raises:
            OSError: the cable is out.
        """
        del bus, address
        self._check()
        return self

    def press(self, line: str) -> None:
        """Press the button between this line and GND."""
        with self._lock:
            self._pressed |= 1 << LINES.index(line)

    def release(self, line: str) -> None:
        """Release it."""
        with self._lock:
            self._pressed &= ~(1 << LINES.index(line))

    def lit(self, line: str) -> bool:
        """Return whether the lamp at this line is lit."""
        with self._lock:
            high = self._word(OLAT) & ~self._word(IODIR)
            return self._plugged and bool(high >> LINES.index(line) & 1)

    def unplug(self) -> None:
        """Pull its cable."""
        self._plugged = False

    def plug(self) -> None:
        """Put it back."""
        self._forget()
        self._plugged = True

    def write(self, register: int, data: bytes) -> None:
        """Write bytes from this register on."""
        self._check()
        with self._lock:
            self._registers[register : register + len(data)] = data

    def read(self, register: int, count: int) -> bytes:
        """Return so many bytes from this register on."""
        self._check()
        with self._lock:
            inputs = self._word(IODIR)
            # A line without a pull-up floats; here it is low then, so that a forgotten one is seen.
            levels = self._word(GPPU) & ~self._pressed & inputs | self._word(OLAT) & ~inputs
            self._registers[GPIO : GPIO + 2] = levels.to_bytes(2, "little")
            return bytes(self._registers[register : register + count])

    def close(self) -> None:
        """Leave the bus."""

    def _word(self, register: int) -> int:
        return int.from_bytes(self._registers[register : register + 2], "little")

    def _check(self) -> None:
        if not self._plugged:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
