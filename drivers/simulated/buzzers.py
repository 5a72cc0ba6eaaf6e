"""Simulate a buzzer box that sends its frames over a pseudo-terminal, for `BuzzerBox` to decode.

    box = SimulatedBox(folder)                     # BuzzerBox(port=box.port)
    box.press(3); box.release(3)
    box.press(5, 8, apart_us=400)                  # 8 comes 0.4 ms after 5, by the box's own clock

Hands may be used from any thread.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

from drivers import BadOption, Clock
from drivers.pins.buzzers import COUNTS, LINES, MICROS, BoxState, encode
from drivers.simulated.lines import PseudoTerminal, SerialLine
from drivers.sleeper import MakeTurns, Sleeper

BEAT_S = 0.1


class BoxHand(SerialLine):
    """The hands on a box of 24 buzzers, and its frames; a subclass says over which line.

    Args:
        clock: monotonic seconds; the box's own clock goes with it.
        sleeper: what sends a frame every 100 ms; by default a thread.
    """

    def __init__(self, *, clock: Clock = time.monotonic, sleeper: MakeTurns = Sleeper) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._began = 0.0  # when its own clock was 0
        self._count = 0
        self._lines = 0
        self._due = 0.0
        self._silent = False
        self._sleeper = sleeper("simulated buzzer box", self._turn, clock=clock)
        self.plug()
        self._sleeper.start()

    @property
    def down(self) -> tuple[int, ...]:
        """Return the lines whose buzzers are held down."""
        return tuple(line for line in range(1, LINES + 1) if self._lines >> line - 1 & 1)

    def press(self, *lines: int, apart_us: int = 0) -> None:
        """Press the buzzers of these lines and hold them: together, or `apart_us` apart.

        Raises:
            BadOption: there is no such line.
        """
        bits = [_bit(line) for line in lines]
        with self._lock:
            frames = b""
            for place, bit in enumerate(bits):
                self._lines |= bit
                if apart_us or place + 1 == len(bits):
                    frames += self._frame(place * apart_us)
            self._say(frames)  # in one piece, as USB brings them

    def release(self, *lines: int) -> None:
        """Release these buzzers, or all if none is named. Raises as `press`."""
        let_go = sum(_bit(line) for line in set(lines)) if lines else (1 << LINES) - 1
        with self._lock:
            self._lines &= ~let_go
            self._say(self._frame())

    def garble(self, data: bytes = b"!07000F42400\xff\x00garbage") -> None:
        """Send any bytes at all over the line, as of a bad cable."""
        self.send(data)

    def damage(self) -> None:
        """Send a frame with a wrong digit; the frame after it says the same again."""
        with self._lock:
            frame = bytearray(self._frame())
            frame[12] = frame[12] ^ 1
            self.send(bytes(frame))

    def lose(self) -> None:
        """Make a frame that never arrives."""
        with self._lock:
            self._frame()

    def hang(self, silent: bool = True) -> None:
        """Make the box silent with its cable in; or let it go on."""
        with self._lock:
            self._silent = silent

    def restart(self) -> None:
        """Restart the box: its count and its clock begin anew."""
        with self._lock:
            self._count, self._began = 0, self._clock()
            self._say(self._frame())

    def plug(self) -> None:
        """Put the cable back.

        Raises:
            DriverError: the port cannot be made.
        """
        if not self.plugged:
            self._connect()
            self._sleeper.wake()

    def close(self) -> None:
        """Close the box. May be called again."""
        self._sleeper.stop()
        self.unplug()

    def _frame(self, later_us: int = 0) -> bytes:
        micros = round((self._clock() - self._began) * 1e6) + later_us
        frame = encode(BoxState(self._count, micros % MICROS, self._lines))
        self._count = (self._count + 1) % COUNTS
        return frame

    def _say(self, frames: bytes) -> None:
        self._due = self._clock() + BEAT_S
        if not self._silent:
            self.send(frames)

    def _turn(self, now: float) -> float | None:
        with self._lock:
            if now >= self._due:
                self._say(self._frame())
            return self._due


class SimulatedBox(PseudoTerminal, BoxHand):
    """A box whose bytes come over a pseudo-terminal.

    Args:
        folder: where the port is made, as `name`; the path stays the same when the cable is pulled
            and put back.
        options: as of `BoxHand`.

    Raises:
        DriverError: the port cannot be made.
    """

    def __init__(self, folder: Path, name: str = "buzzers", **options: Any) -> None:
        PseudoTerminal.__init__(self, folder / name)
        BoxHand.__init__(self, **options)


def _bit(line: int) -> int:
    if isinstance(line, bool) or not isinstance(line, int) or not 1 <= line <= LINES:
        raise BadOption(f"there is no buzzer {line!r}: a box has 1 to {LINES}")
    return 1 << (line - 1)
