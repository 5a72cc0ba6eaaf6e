# mypy: allow-subclassing-any
"""Simulate the Pi's pins and an MCP23017: buttons to press, lamps to see.

    >>> hand = SimulatedPins()                     # Buttons(pins={"draw": 17}, pin_factory=hand)
    >>> hand.press(17); hand.release(17)
    >>> hand.close()

The drivers do not notice.

    >>> chip = SimulatedChip()                     # Mcp23017(…, connect=chip.connect)
    >>> chip.press("A0"); chip.release("A0")

Hands may be used from any thread.
"""

from __future__ import annotations

import errno
import os
import threading
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

from drivers import BadOption
from drivers.pins.expander import GPIO, GPPU, IODIR, LINES, OLAT

REMEMBERED = 1000  # levels of each pin


class SimulatedPin(MockPin):
    """A pin with a push button, or a lamp, soldered to it."""

    def __init__(self, factory: SimulatedPins, info: Any) -> None:
        self.pressed = False
        super().__init__(factory, info)

    def settle(self) -> None:
        """Set the line by its pull, and by the button, which connects it to the other side."""
        if (self._pull == "up") is not self.pressed:
            self.drive_high()
        else:
            self.drive_low()

    def _set_state(self, value: bool) -> None:
        self.factory.check_drive()
        super()._set_state(value)

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self.settle()

    def _change_state(self, value: bool) -> bool:
        changed = bool(super()._change_state(value))
        del self.states[:-REMEMBERED]  # a lamp that blinks all night must not fill the memory
        return changed


class SimulatedPins(MockFactory):
    """A gpiozero pin factory whose buttons can be pressed and whose lamps can be seen, and fail.

    Every hand moves in a thread of its own, as a real edge does, and returns when the pin has
    moved.

    Args:
        hand: what moves the pins, instead of that thread.

    Attributes:
        refused: how often a driver tried to set an output while outputs failed.
    """

    times_edges = True  # a pin is heard while the hand moves it

    def __init__(self, hand: Executor | None = None) -> None:
        # a Pi 3B: the same header as all later ones
        super().__init__(revision="a02082", pin_class=SimulatedPin)
        self._hand = hand or ThreadPoolExecutor(1, "hand")
        self._failing = False
        self.refused = 0

    def press(self, pin: int) -> None:
        """Press the button on this GPIO number and hold it."""
        self._move([(pin, True)])

    def release(self, pin: int) -> None:
        """Release the button."""
        self._move([(pin, False)])

    def bounce(self, pin: int, times: int = 10) -> None:
        """Press the button so that its contacts bounce `times` times, and hold it."""
        self._move([(pin, True), *[(pin, False), (pin, True)] * times])

    def turn(self, pin_a: int, pin_b: int, steps: int) -> None:
        """Turn the rotary knob on these two GPIO numbers; clockwise is above 0."""
        first, second = (pin_a, pin_b) if steps > 0 else (pin_b, pin_a)
        cycle = [(first, True), (second, True), (first, False), (second, False)]
        self._move(cycle * abs(steps))

    def fail(self) -> None:
        """Make every output fail until `heal`; the lamps stay as they are."""
        self._failing = True

    def heal(self) -> None:
        """Let outputs be driven again."""
        self._failing = False

    def check_drive(self) -> None:
        """Allow a pin to be driven.

        Raises:
            OSError: outputs fail now.
        """
        if self._failing:
            self.refused += 1
            raise OSError(5, "simulated pin error")

    def is_pressed(self, pin: int) -> bool:
        """Return whether the button is held."""
        return bool(self.pin(pin).pressed)

    def lit(self, pin: int) -> bool:
        """Return whether the output on this GPIO number is high."""
        line = self.pin(pin)
        return line.function == "output" and bool(line.state)

    def levels(self, pin: int) -> list[bool]:
        """Return the last thousand levels of the line, oldest first."""
        return [bool(was.state) for was in self.pin(pin).states]

    def close(self) -> None:
        """Close the pins and end the thread of the hands."""
        self._hand.shutdown()
        super().close()

    def _move(self, moves: list[tuple[int, bool]]) -> None:
        for number, _ in moves:
            if self.pin(number).function != "input":
                raise BadOption(f"GPIO {number} is a lamp: it has no button to press")

        def move() -> None:
            for number, pressed in moves:
                pin = self.pin(number)
                pin.pressed = pressed
                pin.settle()

        self._hand.submit(move).result()


# -- an MCP23017 -----------------------------------------------------------------------------------

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
