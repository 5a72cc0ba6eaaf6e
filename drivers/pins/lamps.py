"""Lamps in buttons and beacons on GPIO pins: on, off, or blinking together.

    Raspberry Pi, 40-pin header (BCM number / header pin)             small LED: directly
    GPIO 23 / pin 16 ───[ 330 Ω ]───▷|──┐                             lamp "draw"
    GND     / pin 14 ───────────────────┘

    lamp of more than a few mA, 5 V or 12 V: through a transistor     lamp "claim"
    GPIO 24 / pin 18 ───[ 1 kΩ ]─── base     supply + ──(lamp)── collector
    GND     / pin 20 ─── emitter ─── supply −

    >>> from drivers.simulated.pins import SimulatedPins
    >>> hand = SimulatedPins()                     # on a Pi leave pin_factory out
    >>> lamps = GpioLamps(pins={"draw": 23, "claim": 24}, pin_factory=hand)
    >>> lamps.open(deliver=print)
    >>> lamps.set("draw", Light.BLINK)
    >>> lamps.close(); hand.close()

Parameters: see `GpioLamps`.
"""

from __future__ import annotations

import logging
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

import gpiozero

from drivers import BadOption, Deliver, DeviceFound, DeviceLost, Light
from drivers.pins.gpio import PinDevice, free_device, taking
from drivers.sleeper import Turns, hand_over

log = logging.getLogger(__name__)


@dataclass(kw_only=True, eq=False)
class GpioLamps(PinDevice):
    """All lamps of the station.

    What is set before `open`, or after `close`, is remembered and lit at the next `open`.

    Args:
        pins: GPIO (BCM) number of each lamp by its name, such as {"draw": 23}.
        active_high: True (default) when the lamp is lit by a high pin, False when by a low one.
        blink_s: seconds a blinking lamp is lit, and then dark; default 0.5. All blinking lamps
            blink together.
        others: as of `PinDevice`.

    Raises:
        BadOption: an option that cannot be used.
    """

    active_high: bool = True
    blink_s: float = 0.5

    _what = "lamp"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.blink_s <= 0:
            raise BadOption(f"lamps: blink_s={self.blink_s:g} must be above 0")
        self._lights = dict.fromkeys(self.pins, Light.OFF)
        self._since = 0.0  # when blinking began
        self._lost = False

    def set(self, lamp: str, light: Light) -> None:
        """Light one lamp.

        Raises:
            BadOption: no lamp has that name.
        """
        with self._lock:
            if lamp not in self._lights:
                raise BadOption(
                    f"no lamp is called {lamp!r}: there are {', '.join(sorted(self._lights))}"
                )
            if light == Light.BLINK and Light.BLINK not in self._lights.values():
                self._since = self.clock()  # a blink begins with light
            self._lights[lamp] = Light(light)
            if self._turns is not None:
                self._turns.wake()

    def _take(self, factory: Any, deliver: Deliver, stack: ExitStack) -> Turns:
        devices: dict[str, Any] = {}
        for name, pin in self.pins.items():
            with taking("lamp", name, pin):
                devices[name] = gpiozero.DigitalOutputDevice(
                    pin, active_high=self.active_high, pin_factory=factory
                )
                stack.callback(_put_out, name, devices[name])
        self._since, self._lost = self.clock(), False
        return self.sleeper("lamps", partial(self._turn, devices, deliver), clock=self.clock)

    # Only this writes to the pins, in a thread of its own: a slow pin delays nobody.
    def _turn(self, devices: dict[str, Any], deliver: Deliver, now: float) -> float | None:
        lights = dict(self._lights)
        half, _ = divmod(now - self._since, self.blink_s)
        was_lost = self._lost
        try:
            for name, light in lights.items():
                devices[name].value = light is Light.ON or (light is Light.BLINK and half % 2 == 0)
        # lgpio's own error and gpiozero's have no common parent but this
        except Exception as error:
            self._lost = True
            if not was_lost:
                log.exception("a lamp could not be lit")
                reason = (
                    f"the lamps cannot be lit ({error}): check the GPIO wiring; they are tried"
                    " again by themselves"
                )
                hand_over(deliver, DeviceLost("lamps", reason, now))
        else:
            self._lost = False
            if was_lost:
                hand_over(deliver, DeviceFound("lamps", now))
        if self._lost or Light.BLINK in lights.values():
            return self._since + (half + 1) * self.blink_s
        return None


def _put_out(name: str, lamp: Any) -> None:
    try:
        lamp.off()
    except Exception:
        log.exception("lamp %r could not be put out", name)
    free_device(lamp)
