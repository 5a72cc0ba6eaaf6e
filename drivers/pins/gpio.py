"""Drive lamps and rotary knobs on the Pi's pins, and share what all drivers on pins need.

Shared are reaching pins, taking all or none, and freeing them.

Pins come from a gpiozero pin factory that is given, or named and built here; gpiozero's global
default is never used, because it falls back silently to another library when the right one fails.

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

import logging
import os
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import entry_points
from typing import Any

import gpiozero
from gpiozero import Factory

from drivers import (
    BadOption,
    Clock,
    Deliver,
    DeviceFound,
    DeviceLost,
    DeviceMissing,
    DriverError,
    Light,
    Turned,
)
from drivers.given import missing_library
from drivers.sleeper import MakeTurns, Sleeper, Turning, Turns, hand_over

log = logging.getLogger(__name__)

HEADER_PINS = range(28)  # GPIO 0 to 27 are what the 40-pin header brings out


def check_pins(driver: str, pins: Mapping[str, int]) -> dict[str, int]:
    """Return the pins by name, each a BCM number of its own.

    Raises:
        BadOption: there are none, a number is not on the header, or one is used twice.
    """
    if not pins:
        raise BadOption(f"{driver}: no pins: give at least one name and its GPIO number")
    seen: dict[int, str] = {}
    for name, pin in pins.items():
        if isinstance(pin, bool) or not isinstance(pin, int) or pin not in HEADER_PINS:
            raise BadOption(
                f"{driver} {name!r}: pin {pin!r} is not on the header: use a GPIO (BCM) number from"
                " 0 to 27"
            )
        if pin in seen:
            raise BadOption(
                f"{driver} {name!r}: GPIO {pin} already belongs to {seen[pin]!r}: give each its"
                " own pin"
            )
        seen[pin] = name
    return dict(pins)


# gpiozero keeps one table of local pins for the whole process, and closing any factory closes all
# of them: so drivers that name the same factory share one, and the last to leave closes it.
_shared: dict[str, Any] = {}
_users: Counter[str] = Counter()
_shared_lock = threading.Lock()


@contextmanager
def opened_factory(which: Any) -> Iterator[Any]:
    """Open the pin factory of that name until its last user leaves; one that is given stays open.

    Raises:
        DeviceMissing: the library is not installed, or the pins cannot be reached.
    """
    if not isinstance(which, str):
        yield which
        return
    with _shared_lock:
        if which not in _shared:
            _shared[which] = _build_factory(which)
        _users[which] += 1
    try:
        yield _shared[which]
    finally:
        with _shared_lock:
            _users[which] -= 1
            if not _users[which]:
                _shared.pop(which).close()


def _build_factory(name: str) -> Any:
    # lgpio makes a FIFO in LG_WD at import, and stays in that folder: go back, or every relative
    # path of the station breaks.
    folder = os.environ.setdefault(
        "LG_WD", os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0] or tempfile.gettempdir()
    )
    (point,) = entry_points(group="gpiozero_pin_factories", name=name)
    try:
        with chdir(folder):
            maker = point.load()
        return maker()
    except ImportError as error:
        raise DeviceMissing(missing_library("a GPIO pin", str(error.name))) from error
    except Exception as error:  # lgpio's own error and gpiozero's have no common parent but this
        raise DeviceMissing(
            f"the GPIO pins cannot be reached through {name!r} ({error}): is this a Raspberry Pi, "
            "and is the user in the group 'gpio'?"
        ) from error


def times_edges(factory: Any) -> bool:
    """Return whether a pin factory tells when an edge was, not when it came to hear of it.

    Of gpiozero's own that is lgpio's alone; RPi.GPIO's takes the time in Python.
    """
    kinds = type(factory).__mro__
    own: bool = getattr(factory, "times_edges", False)
    return own or any(kind.__name__ == "LGPIOFactory" for kind in kinds)


@dataclass(kw_only=True, eq=False)
class PinDevice(Turning):
    """A driver on pins. A subclass says what sentences call one of its parts (`_what`), how it
    takes them (`_take`), and what its thread does with them.

    Args:
        pins: GPIO (BCM) numbers by name.
        pin_factory: a gpiozero pin factory, or the name of one to build; default "lgpio".
        clock: monotonic seconds.
        sleeper: what takes its turns; by default a thread.

    Raises:
        BadOption: pins or a factory that cannot be used.
    """

    pins: Mapping[str, int]
    pin_factory: Any = "lgpio"
    clock: Clock = time.monotonic
    sleeper: MakeTurns = Sleeper

    _what = "part"

    def __post_init__(self) -> None:
        self.pins = check_pins(self._what, self.pins)
        if not isinstance(self.pin_factory, Factory):
            known = sorted(point.name for point in entry_points(group="gpiozero_pin_factories"))
            if self.pin_factory not in known:
                raise BadOption(
                    f"{self._what}: no pin factory is called {self.pin_factory!r}: there are"
                    f" {', '.join(known)}"
                )
        self._lock = threading.Lock()
        self._opened = ExitStack()

    def open(self, deliver: Deliver) -> None:
        """Take the pins and begin.

        Raises:
            DeviceMissing: the pins cannot be reached.
            DriverError: open already.
        """
        with self._lock, ExitStack() as stack:
            if self._turns is not None:
                raise DriverError(self._open_already())
            factory = stack.enter_context(opened_factory(self.pin_factory))
            turns = self._take(factory, deliver, stack)
            stack.callback(turns.stop)  # before the pins are freed: its turns use them
            turns.start()
            self._opened, self._turns = stack.pop_all(), turns

    def close(self) -> None:
        """Free the pins. May be called again."""
        with self._lock:
            self._turns = None
            self._opened.close()

    def _open_already(self) -> str:
        return f"the {self._what}s are open already: close them first"

    def _take(self, factory: Any, deliver: Deliver, stack: ExitStack) -> Turns:
        """Take the pins, push what frees them onto the stack; return what will serve them."""
        raise NotImplementedError


@contextmanager
def taking(what: str, name: str, *pins: int) -> Iterator[None]:
    """Turn any error of a pin library into a sentence: these pins cannot be taken.

    Raises:
        DeviceMissing: the pin library raised an error.
    """
    try:
        yield
    except Exception as error:  # each pin library has errors of its own, without a common parent
        numbers = " and ".join(f"GPIO {pin}" for pin in pins)
        which = "a" if len(pins) > 1 else "the"
        raise DeviceMissing(
            f"{what} {name!r}: {numbers} cannot be used ({error}): is {which} pin used by something"
            " else?"
        ) from error


def free_device(device: Any) -> None:
    """Close a gpiozero device; log a failure, so that the others are closed too."""
    try:
        device.close()
    except Exception:
        log.exception("%r could not be closed", device)


# -- lamps in buttons and beacons ------------------------------------------------------------------


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


# -- a rotary knob ---------------------------------------------------------------------------------


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
