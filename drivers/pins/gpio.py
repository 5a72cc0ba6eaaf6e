"""What button and lamps share: how the Pi's pins are reached.

Pins come from a gpiozero pin factory that is given, or named and built here; gpiozero's global default is never used, because
it falls back silently to another library when the right one fails.
"""

from __future__ import annotations

import logging
import os
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

from gpiozero import Factory

from drivers import BadOption, DeviceMissing

log = logging.getLogger(__name__)

HEADER_PINS = range(28)  # GPIO 0 to 27 are what the 40-pin header brings out


def check_pins(driver: str, pins: Mapping[str, int]) -> dict[str, int]:
    """The pins by name, each a BCM number of its own.

    Raises:
        BadOption: none at all, a number that the header does not have, or one used twice.
    """
    if not pins:
        raise BadOption(f"{driver}: no pins: give at least one name and its GPIO number")
    seen: dict[int, str] = {}
    for name, pin in pins.items():
        if isinstance(pin, bool) or not isinstance(pin, int) or pin not in HEADER_PINS:
            raise BadOption(f"{driver} {name!r}: pin {pin!r} is not on the header: use a GPIO (BCM) number from 0 to 27")
        if pin in seen:
            raise BadOption(f"{driver} {name!r}: GPIO {pin} already belongs to {seen[pin]!r}: give each its own pin")
        seen[pin] = name
    return dict(pins)


def check_factory(driver: str, which: object) -> None:
    """Refuse anything that is neither a factory nor the name of one.

    Raises:
        BadOption: neither.
    """
    if not isinstance(which, Factory) and which not in (names := _factory_names()):
        raise BadOption(f"{driver}: no pin factory is called {which!r}: there are {', '.join(names)}")


def _factory_names() -> list[str]:
    return sorted(point.name for point in entry_points(group="gpiozero_pin_factories"))


@dataclass(slots=True)
class _Shared:
    factory: Any
    users: int = 0


# gpiozero keeps one table of local pins for the whole process, and closing any factory closes all of them: so drivers
# that name the same factory share one, and the last to leave closes it.
_shared: dict[str, _Shared] = {}
_shared_lock = threading.Lock()


@contextmanager
def opened_factory(which: Any) -> Iterator[Any]:
    """The pin factory of that name, closed when its last user is done; a factory that is given is used, and left open.

    Raises:
        DeviceMissing: the library is not installed, or the pins cannot be reached.
    """
    if not isinstance(which, str):
        yield which
        return
    with _shared_lock:
        if which not in _shared:
            _shared[which] = _Shared(_build_factory(which))
        shared = _shared[which]
        shared.users += 1
    try:
        yield shared.factory
    finally:
        with _shared_lock:
            shared.users -= 1
            if not shared.users:
                del _shared[which]
                shared.factory.close()


def _build_factory(name: str) -> Any:
    # lgpio makes a FIFO in LG_WD at import, and stays in that folder: go back, or every relative path of the station breaks.
    folder = os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0] or tempfile.gettempdir())
    (point,) = entry_points(group="gpiozero_pin_factories", name=name)
    try:
        with chdir(folder):
            maker = point.load()
        return maker()
    except ImportError as error:
        package = "python3-lgpio" if name == "lgpio" else str(error.name)
        raise DeviceMissing(f"GPIO pins need the library {error.name!r}: install it (apt install {package})") from error
    except Exception as error:  # lgpio's own error and gpiozero's have no common parent but this
        raise DeviceMissing(
            f"the GPIO pins cannot be reached through {name!r} ({error}): is this a Raspberry Pi, "
            f"and is the user in the group 'gpio'?"
        ) from error


def free_device(device: Any) -> None:
    """Close a gpiozero device; one that cannot be closed must not keep the others from it."""
    try:
        device.close()
    except Exception:
        log.exception("%r could not be closed", device)
