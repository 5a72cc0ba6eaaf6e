"""Share what all drivers on the Pi's pins need: reach pins, take all or none, free them.

Pins come from a gpiozero pin factory that is given, or named and built here; gpiozero's global
default is never used, because it falls back silently to another library when the right one fails.
"""

from __future__ import annotations

import logging
import os
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, chdir, contextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

from gpiozero import Factory

from drivers import BadOption, Clock, Deliver, DeviceMissing, DriverError
from drivers.libraries import missing_library
from drivers.sleeper import MakeTurns, Sleeper, Turning, Turns

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
