"""A rotary knob on two GPIO pins: so many steps to the left or to the right.

    rotary encoder "pace"         Raspberry Pi, 40-pin header (BCM number / header pin)
        A  ───────────────────── GPIO 5 / pin 29     pulled up inside the Pi: no resistor
        B  ───────────────────── GPIO 6 / pin 31     turns the wrong way? change A for B
        C  ───────────────────── GND    / pin 30     the middle one of three
        its switch: as any button (`drivers.pins.button`)

    >>> from drivers.simulated.pins import SimulatedPins
    >>> hand = SimulatedPins()                     # on a Pi leave pin_factory out
    >>> knob = Rotary(pins={"a": 5, "b": 6}, pin_factory=hand)
    >>> knob.open(deliver=print)                   # Turned(knob='pace', steps=1, at=…)
    >>> knob.close(); hand.close()

Parameters: see `Rotary`. For encoders that go through a whole cycle of their contacts from one detent to the next, as nearly all
do; at each detent both contacts are open. Contacts that bounce do not count: a step is a whole cycle in one direction. Steps that
come faster than they are handed over are one event.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

import gpiozero

from drivers import BadOption, Clock, Deliver, DeviceMissing, DriverError, Turned
from drivers.pins.gpio import check_factory, check_pins, free_device, opened_factory
from drivers.pins.sleeper import MakeTurns, Sleeper, hand_over


class Rotary:
    """One rotary knob.

    Args:
        pins: GPIO (BCM) numbers of its two contacts, {"a": …, "b": …}.
        knob: its name in the events; default "pace".
        pin_factory: a gpiozero pin factory, or the name of one to build; default "lgpio".
        clock: monotonic seconds.
        sleeper: what takes its turns; by default a thread.

    Raises:
        BadOption: an option that cannot be used.
    """

    def __init__(
        self,
        *,
        pins: Mapping[str, int],
        knob: str = "pace",
        pin_factory: Any = "lgpio",
        clock: Clock = time.monotonic,
        sleeper: MakeTurns = Sleeper,
    ) -> None:
        self._pins = check_pins("knob", pins)
        if set(self._pins) != {"a", "b"}:
            raise BadOption(f"knob {knob!r}: its pins are called {', '.join(sorted(self._pins))}: they must be a and b")
        check_factory("knob", pin_factory)
        self._knob = knob
        self._factory = pin_factory
        self._clock = clock
        self._sleeper = sleeper
        self._lock = threading.Lock()
        self._opened = ExitStack()
        self._open = False
        self._watch: _Watch | None = None

    @property
    def running(self) -> bool:
        """Whether turns are heard."""
        watch = self._watch
        return watch is not None and watch.alive

    def open(self, deliver: Deliver) -> None:
        """Watch the pins from now on.

        Raises:
            DeviceMissing: the pins cannot be reached.
            DriverError: open already.
        """
        with self._lock, ExitStack() as stack:
            if self._open:
                raise DriverError(f"the knob {self._knob!r} is open already: close it first")
            factory = stack.enter_context(opened_factory(self._factory))
            watch = _Watch(self._knob, self._clock, self._sleeper, deliver)
            stack.callback(watch.close)
            try:
                watch.add(gpiozero.RotaryEncoder(self._pins["a"], self._pins["b"], max_steps=0, pin_factory=factory))
            except Exception as error:  # each pin library has errors of its own, without a common parent
                pins = " and ".join(f"GPIO {pin}" for pin in self._pins.values())
                raise DeviceMissing(
                    f"knob {self._knob!r}: {pins} cannot be used ({error}): is a pin used by something else?"
                ) from error
            watch.start()
            self._opened = stack.pop_all()
            self._watch = watch
            self._open = True

    def close(self) -> None:
        """Free the pins."""
        with self._lock:
            self._open = False
            self._opened.close()


class _Watch:
    """The knob while it is open: steps are counted by the pin library's thread and handed over by ours."""

    def __init__(self, knob: str, clock: Clock, sleeper: MakeTurns, deliver: Deliver) -> None:
        self._knob = knob
        self._deliver = deliver
        self._device: Any = None
        self._steps: deque[int] = deque()
        self._sleeper = sleeper(f"knob {knob}", self._turn, clock=clock)

    def add(self, device: Any) -> None:
        self._device = device
        device.when_rotated_clockwise = self._counted(1)
        device.when_rotated_counter_clockwise = self._counted(-1)

    def _counted(self, step: int) -> Callable[[], None]:
        def count() -> None:
            self._steps.append(step)
            self._sleeper.wake()

        return count

    @property
    def alive(self) -> bool:
        return self._sleeper.alive

    def start(self) -> None:
        self._sleeper.start()

    def close(self) -> None:
        if self._device is not None:
            free_device(self._device)
        self._sleeper.stop()

    def _turn(self, now: float) -> float | None:
        steps = 0
        while self._steps:
            steps += self._steps.popleft()
        if steps:
            hand_over(self._deliver, Turned(self._knob, steps, now))
        return None
