"""A rotary knob on two GPIO pins: a number of steps to the left or to the right.

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

Parameters: see `Rotary`. For encoders that go through a whole cycle of their contacts from one
detent to the next, as nearly all do; at each detent both contacts are open. Contacts that bounce do
not count: a step is a whole cycle in one direction. Steps that come faster than they are handed
over are one event.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from typing import Any

import gpiozero

from drivers import BadOption, Clock, Deliver, Turned
from drivers.pins.gpio import PinDevice, free_device, taking
from drivers.sleeper import MakeTurns, Sleeper, Turns, hand_over


class Rotary(PinDevice):
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
        super().__init__(
            "knob",
            pins,
            pin_factory,
            clock,
            sleeper,
            f"the knob {knob!r} is open already: close it first",
        )
        if set(self._pins) != {"a", "b"}:
            raise BadOption(
                f"knob {knob!r}: its pins are called {', '.join(sorted(self._pins))}: they must be"
                " a and b"
            )
        self._knob = knob

    def _take(self, factory: Any, deliver: Deliver, stack: ExitStack) -> Turns:
        steps: deque[int] = deque()  # counted by the pin library's thread, handed over by ours
        turns = self._make_turns(
            f"knob {self._knob}", partial(self._turn, steps, deliver), clock=self._clock
        )

        def count(step: int) -> None:
            steps.append(step)
            turns.wake()

        with taking("knob", self._knob, *self._pins.values()):
            device = gpiozero.RotaryEncoder(
                self._pins["a"], self._pins["b"], max_steps=0, pin_factory=factory
            )
            stack.callback(free_device, device)
            device.when_rotated_clockwise = partial(count, 1)
            device.when_rotated_counter_clockwise = partial(count, -1)
        return turns

    def _turn(self, counted: deque[int], deliver: Deliver, now: float) -> None:
        steps = 0
        while counted:
            steps += counted.popleft()
        if steps:
            hand_over(deliver, Turned(self._knob, steps, now))
