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

from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

import gpiozero

from drivers import BadOption, Deliver, Turned
from drivers.pins.gpio import PinDevice, free_device, taking
from drivers.sleeper import Turns, hand_over


@dataclass(kw_only=True, eq=False)
class Rotary(PinDevice):
    """One rotary knob.

    Args:
        pins: GPIO (BCM) numbers of its two contacts, {"a": …, "b": …}.
        knob: its name in the events; default "pace".
        others: as of `PinDevice`.

    Raises:
        BadOption: an option that cannot be used.
    """

    knob: str = "pace"

    _what = "knob"

    def __post_init__(self) -> None:
        super().__post_init__()
        if set(self.pins) != {"a", "b"}:
            called = ", ".join(sorted(self.pins))
            raise BadOption(
                f"knob {self.knob!r}: its pins are called {called}: they must be a and b"
            )

    def _open_already(self) -> str:
        return f"the knob {self.knob!r} is open already: close it first"

    def _take(self, factory: Any, deliver: Deliver, stack: ExitStack) -> Turns:
        steps: deque[int] = deque()  # counted by the pin library's thread, handed over by ours
        turns = self.sleeper(
            f"knob {self.knob}", partial(self._turn, steps, deliver), clock=self.clock
        )

        def count(step: int) -> None:
            steps.append(step)
            turns.wake()

        with taking("knob", self.knob, *self.pins.values()):
            device = gpiozero.RotaryEncoder(
                self.pins["a"], self.pins["b"], max_steps=0, pin_factory=factory
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
            hand_over(deliver, Turned(self.knob, steps, now))
