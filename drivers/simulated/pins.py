# mypy: allow-subclassing-any
# (gpiozero has no types, and a pin factory with hands has to be one of its own)
"""Hands and memory for machines without hardware: the pins of a Pi, and an RFID reader on a pseudo-terminal.

    >>> hand = SimulatedPins()                     # Buttons(pins={"draw": 17}, pin_factory=hand)
    >>> hand.press(17); hand.release(17)
    >>> hand.close()

    reader = SimulatedReader(folder)               # Reader(port=reader.port)
    reader.drop(6547886); reader.lift()

The drivers do not know: their real decoders read what the hands here do. Hands may be used from any thread.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

from drivers import BadOption, Clock
from drivers.pins.sleeper import MakeTurns, Sleeper
from drivers.readers.frames import encode, family_named
from drivers.simulated.lines import PseudoTerminal, SerialLine

log = logging.getLogger(__name__)

REMEMBERED = 1000  # levels of each pin
FOREIGN = 0xFFFF_FFFE  # a tag that no set of knobs uses


class SimulatedPin(MockPin):
    """A pin with a push button, or a lamp, soldered to it."""

    def __init__(self, factory: SimulatedPins, info: Any) -> None:
        self.pressed = False
        super().__init__(factory, info)

    def settle(self) -> None:
        """Bring the line to what its pull and the button make of it; a button connects it to the other side."""
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
        if changed and self._function == "output":
            self.factory.lamp_changed(self._number, value)
        return changed


class SimulatedPins(MockFactory):
    """A gpiozero pin factory whose buttons can be pressed and whose lamps can be seen, and fail.

    Every hand moves in a thread of its own, as a real edge does, and returns when the pin has moved.

    Args:
        on_lamp: called with a pin's GPIO number and its level after each change of an output.
        hand: what moves the pins, instead of that thread.

    Attributes:
        refused: how often an output was to be driven while they failed.
    """

    def __init__(self, on_lamp: Callable[[int, bool], None] | None = None, hand: Executor | None = None) -> None:
        super().__init__(revision="a02082", pin_class=SimulatedPin)  # a Pi 3B: the same header as all later ones
        self._on_lamp = on_lamp
        self._hand = hand or ThreadPoolExecutor(1, "hand")
        self._failing = False
        self.refused = 0

    def press(self, pin: int) -> None:
        """Press the button on this GPIO number and hold it."""
        self._move(pin, [True])

    def release(self, pin: int) -> None:
        """Let go of the button."""
        self._move(pin, [False])

    def bounce(self, pin: int, times: int = 10) -> None:
        """Press the button with so many bounces of its contacts, and hold it."""
        self._move(pin, [True, *[False, True] * times])

    def turn(self, pin_a: int, pin_b: int, steps: int) -> None:
        """Turn the rotary knob on these two GPIO numbers; clockwise is above 0."""
        first, second = (pin_a, pin_b) if steps > 0 else (pin_b, pin_a)
        cycle = [(first, True), (second, True), (first, False), (second, False)]
        self._move_all(cycle * abs(steps))

    def fail(self) -> None:
        """No output can be driven until `heal`; the lamps stay as they are."""
        self._failing = True

    def heal(self) -> None:
        """Outputs can be driven again."""
        self._failing = False

    def check_drive(self) -> None:
        """A pin asks before it is driven. Raises `OSError` while outputs fail."""
        if self._failing:
            self.refused += 1
            raise OSError(5, "simulated pin error")

    def is_pressed(self, pin: int) -> bool:
        """Whether the button is held."""
        return bool(self.pin(pin).pressed)

    def lit(self, pin: int) -> bool:
        """Whether the output on this GPIO number is high."""
        line = self.pin(pin)
        return line.function == "output" and bool(line.state)

    def levels(self, pin: int) -> list[bool]:
        """The levels the line has had, oldest first: at most the last thousand."""
        return [bool(was.state) for was in self.pin(pin).states]

    def lamp_changed(self, pin: int, level: bool) -> None:
        """A pin tells that its level changed."""
        if self._on_lamp is not None:
            self._on_lamp(pin, level)

    def close(self) -> None:
        """Put the pins down and end the hand."""
        self._hand.shutdown()
        super().close()

    def _move(self, number: int, moves: list[bool]) -> None:
        self._move_all([(number, pressed) for pressed in moves])

    def _move_all(self, moves: list[tuple[int, bool]]) -> None:
        for number, _ in moves:
            if self.pin(number).function != "input":
                raise BadOption(f"GPIO {number} is a lamp: it has no button to press")

        def move() -> None:
            for number, pressed in moves:
                pin = self.pin(number)
                pin.pressed = pressed
                pin.settle()

        self._hand.submit(move).result()


class ReaderHand(SerialLine):
    """The hands on a serial RFID reader, and the frames it sends for what lies on it; over which line, a kind of it says.

    Args:
        family: the frames it sends; default "rdm6300".
        repeat: True (default) for a firmware that repeats while a tag rests, False for one that sends once.
        every_s: seconds between repeats; default 0.05, as the RDM6300 does.
        clock: monotonic seconds.
        sleeper: what repeats; by default a thread.

    Raises:
        BadOption: no such family.
    """

    def __init__(
        self,
        *,
        family: str = "rdm6300",
        repeat: bool = True,
        every_s: float = 0.05,
        clock: Clock = time.monotonic,
        sleeper: MakeTurns = Sleeper,
    ) -> None:
        family_named(family)
        self._family = family
        self._repeats = repeat
        self._every = every_s
        self._clock = clock
        self._lock = threading.RLock()
        self._due: float | None = None  # when the resting tag is sent again
        self._resting: tuple[int, ...] = ()
        self._frame = b""  # what it makes the reader send
        self._sleeper = sleeper("simulated reader", self._turn, clock=clock)
        self.plug()
        self._sleeper.start()

    @property
    def resting(self) -> tuple[int, ...]:
        """The tags that lie on the reader."""
        return self._resting

    def drop(self, tag: int) -> None:
        """Lay this tag on the empty reader."""
        self._rest((tag,), self._frame_of(tag))

    def two(self, tag_a: int, tag_b: int) -> None:
        """Lay two tags on the reader at once: frames that are neither's, some digits of one, some of the other, and spoilt."""
        if tag_a == tag_b:
            raise BadOption(f"tag {tag_a} cannot lie on the reader twice: give two tags")
        self._rest((tag_a, tag_b), self._spoilt(tag_a & 0xFFFF_0000 | tag_b & 0xFFFF))

    def lift(self) -> None:
        """Empty the reader."""
        self._rest((), b"")

    def foreign(self) -> None:
        """Lay a tag on the reader that no set of knobs has."""
        self.drop(FOREIGN)

    def damage(self, tag: int) -> None:
        """One frame of this tag with a wrong check, as of a tag that is only passing."""
        self.send(self._spoilt(tag))

    def _frame_of(self, tag: int) -> bytes:
        """What the reader sends for a tag."""
        return encode(tag, self._family)

    def _spoilt(self, tag: int) -> bytes:
        """The same with another check, or without its end where there is no check."""
        frame = self._frame_of(tag)
        if not family_named(self._family).checked:
            return frame[:-1] + b"0"
        return frame[:11] + b"%02X" % (int(frame[11:13], 16) ^ 0xFF) + frame[13:]

    def plug(self) -> None:
        """Put the cable back: the port is there again, and a resting tag is read.

        Raises:
            DriverError: the port cannot be made.
        """
        with self._lock:
            if self.plugged:
                return
            self._connect()
            self._send_resting()
        self._sleeper.wake()

    def close(self) -> None:
        """Put everything down. May be called again."""
        self._sleeper.stop()
        self.unplug()

    def _rest(self, tags: tuple[int, ...], frame: bytes) -> None:
        with self._lock:
            self._resting, self._frame = tags, frame
            self._send_resting()
        self._sleeper.wake()

    def _send_resting(self) -> None:
        again = self._repeats and self._frame and self.plugged
        self._due = self._clock() + self._every if again else None
        self.send(self._frame)

    def _turn(self, now: float) -> float | None:
        with self._lock:
            if self._due is not None and self._due <= now:
                self._send_resting()
            return self._due


class SimulatedReader(PseudoTerminal, ReaderHand):
    """A serial RFID reader: its bytes come over a pseudo-terminal, so `Reader` reads them with its own decoder.

    Args:
        folder: where the port is made, as `name`; the path stays the same when the cable is pulled and put back.
        options: as of `ReaderHand`.
    """

    def __init__(self, folder: Path, name: str = "reader", **options: Any) -> None:
        PseudoTerminal.__init__(self, folder / name)
        ReaderHand.__init__(self, **options)
