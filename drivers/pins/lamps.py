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
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

import gpiozero

from drivers import BadOption, Clock, Deliver, DeviceFound, DeviceLost, DeviceMissing, DriverError, Light
from drivers.pins.gpio import check_factory, check_pins, free_device, opened_factory
from drivers.pins.sleeper import MakeTurns, Sleeper, hand_over

log = logging.getLogger(__name__)


class GpioLamps:
    """All lamps of the station.

    What is set before `open`, or after `close`, is remembered and lit at the next `open`.

    Args:
        pins: GPIO (BCM) number of each lamp by its name, such as {"draw": 23}.
        pin_factory: a gpiozero pin factory, or the name of one to build; default "lgpio".
        active_high: True (default) when the lamp is lit by a high pin, False when by a low one.
        blink_s: seconds a blinking lamp is lit, and then dark; default 0.5. All blinking lamps blink together.
        clock: monotonic seconds.
        sleeper: what takes its turns; by default a thread.

    Raises:
        BadOption: an option that cannot be used.
    """

    def __init__(
        self,
        *,
        pins: Mapping[str, int],
        pin_factory: Any = "lgpio",
        active_high: bool = True,
        blink_s: float = 0.5,
        clock: Clock = time.monotonic,
        sleeper: MakeTurns = Sleeper,
    ) -> None:
        self._pins = check_pins("lamp", pins)
        check_factory("lamp", pin_factory)
        if blink_s <= 0:
            raise BadOption(f"lamps: blink_s={blink_s:g} must be above 0")
        self._factory = pin_factory
        self._active_high = active_high
        self._blink = blink_s
        self._clock = clock
        self._sleeper = sleeper
        self._wished = dict.fromkeys(self._pins, Light.OFF)
        self._lock = threading.Lock()
        self._opened = ExitStack()
        self._shown: _Shown | None = None

    @property
    def running(self) -> bool:
        """Whether lamps are lit as they are set."""
        shown = self._shown
        return shown is not None and shown.alive

    def open(self, deliver: Deliver) -> None:
        """Take the pins and light what was set.

        Raises:
            DeviceMissing: the pins cannot be reached.
            DriverError: open already.
        """
        with self._lock, ExitStack() as stack:
            if self._shown is not None:
                raise DriverError("the lamps are open already: close them first")
            factory = stack.enter_context(opened_factory(self._factory))
            shown = _Shown(self._blink, self._clock, self._sleeper, deliver)
            stack.callback(shown.close)
            for name, pin in self._pins.items():
                try:
                    shown.add(name, gpiozero.DigitalOutputDevice(pin, active_high=self._active_high, pin_factory=factory))
                except Exception as error:  # each pin library has errors of its own, without a common parent
                    raise DeviceMissing(
                        f"lamp {name!r}: GPIO {pin} cannot be used ({error}): is the pin used by something else?"
                    ) from error
            for name, light in self._wished.items():
                shown.set(name, light)
            shown.start()
            self._opened = stack.pop_all()
            self._shown = shown

    def close(self) -> None:
        """Put all lamps out and free the pins."""
        with self._lock:
            self._shown = None
            self._opened.close()

    def set(self, lamp: str, light: Light) -> None:
        """Light one lamp.

        Raises:
            BadOption: no lamp has that name.
        """
        with self._lock:
            if lamp not in self._wished:
                raise BadOption(f"no lamp is called {lamp!r}: there are {', '.join(sorted(self._wished))}")
            self._wished[lamp] = Light(light)
            if self._shown is not None:
                self._shown.set(lamp, self._wished[lamp])


class _Shown:
    """The lamps while they are open. Only its own thread writes to the pins, so a slow pin delays nobody."""

    def __init__(self, blink: float, clock: Clock, sleeper: MakeTurns, deliver: Deliver) -> None:
        self._blink = blink
        self._clock = clock
        self._deliver = deliver
        self._devices: dict[str, Any] = {}
        self._lights: dict[str, Light] = {}
        self._since = 0.0
        self._lost = False
        self._sleeper = sleeper("lamps", self._turn, clock=clock)

    def add(self, name: str, device: Any) -> None:
        self._devices[name] = device

    @property
    def alive(self) -> bool:
        return self._sleeper.alive

    def start(self) -> None:
        self._sleeper.start()

    def close(self) -> None:
        self._sleeper.stop()
        for name, device in self._devices.items():
            try:
                device.off()
            except Exception:
                log.exception("lamp %r could not be put out", name)
            free_device(device)

    def set(self, lamp: str, light: Light) -> None:
        if light is Light.BLINK and Light.BLINK not in self._lights.values():
            self._since = self._clock()  # a blink begins with light
        self._lights[lamp] = light
        self._sleeper.wake()

    def _turn(self, now: float) -> float | None:
        lights = dict(self._lights)
        half, _ = divmod(now - self._since, self._blink)
        try:
            for name, light in lights.items():
                lit = light is Light.ON or (light is Light.BLINK and half % 2 == 0)
                self._devices[name].value = lit
        except Exception as error:  # lgpio's own error and gpiozero's have no common parent but this
            if not self._lost:
                log.exception("a lamp could not be lit")
                reason = f"the lamps cannot be lit ({error}): check the GPIO wiring; they are tried again by themselves"
                hand_over(self._deliver, DeviceLost("lamps", reason, now))
            self._lost = True
        else:
            if self._lost:
                hand_over(self._deliver, DeviceFound("lamps", now))
            self._lost = False
        if self._lost or Light.BLINK in lights.values():
            return self._since + (half + 1) * self._blink
        return None
