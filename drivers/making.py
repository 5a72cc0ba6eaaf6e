"""Make drivers by their names: the station's own, and those of packages that the hall has allowed.

A foreign driver is named `package.module:Class`. Its module must belong to an installed
distribution whose name the caller passes as allowed, and its class must declare itself a driver: as
a subclass of `drivers.Driver`, or as an entry point of the group `loto_station.drivers` in that
distribution. Nothing is imported before the distribution is known.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from inspect import signature
from typing import Any

from drivers import BadOption, DeviceMissing, Driver, DriverError
from drivers.given import missing_library

GROUP = "loto_station.drivers"
NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?")
_OURS = frozenset({"drivers", "station", "tests", "docs"})


class DriverNotAllowed(DriverError):
    """A driver comes from no package that the hall has allowed."""


def normal(package: str) -> str:
    """Return a distribution's name as all its spellings are compared (PEP 503).

    >>> normal("Hall_Panels"), normal("hall.panels")
    ('hall-panels', 'hall-panels')
    """
    return re.sub(r"[-_.]+", "-", package).lower()


def split_name(name: str) -> tuple[str, str] | None:
    """Return the module and the class of `package.module:Class`; None for any other name.

    >>> split_name("hall_panels.hub75:Board"), split_name("matrix"), split_name("os:")
    (('hall_panels.hub75', 'Board'), None, None)
    """
    module, _, attribute = name.partition(":")
    parts = (attribute, *module.split("."))
    return (module, attribute) if all(map(str.isidentifier, parts)) else None


def modules_of(found: Distribution) -> frozenset[str]:
    """Return the top-level modules that a distribution brings, none of Python's or of ours."""
    told = (found.read_text("top_level.txt") or "").split()
    told += [
        file.parts[0].removesuffix(".py") for file in found.files or () if file.suffix == ".py"
    ]
    told += [name.partition(":")[0].partition(".")[0] for name in declared(found)]
    return frozenset(filter(str.isidentifier, told)) - sys.stdlib_module_names - _OURS


def declared(found: Distribution) -> frozenset[str]:
    """Return the drivers that a distribution declares as entry points: `package.module:Class`."""
    return frozenset(point.value for point in found.entry_points if point.group == GROUP)


def package_of(name: str, allowed: Iterable[str]) -> Distribution:
    """Return the allowed and installed distribution that brings a driver. Import nothing.

    Raises:
        BadOption: the name is not of the form `package.module:Class`.
        DriverNotAllowed: no allowed package brings the module.
    """
    parts = split_name(name)
    if parts is None:
        raise BadOption(f"{name!r} names no driver: write package.module:Class")
    top = parts[0].partition(".")[0]
    for package in allowed:
        try:
            found = distribution(package)
        except (PackageNotFoundError, ValueError):
            continue
        if top in modules_of(found):
            return found
    raise DriverNotAllowed(
        f"driver {name!r} comes from no package that this station allows: install the package,"
        " then type loto driver allow PACKAGE"
    )


def load_class(name: str, allowed: Iterable[str]) -> type[Driver]:
    """Import and return the class of a driver.

    Raises:
        BadOption: no such class, or it is not declared as a driver.
        DriverNotAllowed: no allowed package brings it.
        DeviceMissing: a library that it imports is not installed.
        DriverError: its module fails while it is imported.
    """
    found = package_of(name, allowed)
    module, _, attribute = name.partition(":")
    try:
        made = getattr(import_module(module), attribute)
    except ImportError as error:
        raise DeviceMissing(
            f"driver {name!r} needs the library {error.name!r}: install it, then start again"
        ) from error
    except AttributeError as error:
        raise BadOption(f"driver {name!r}: {error}") from error
    except (Exception, SystemExit) as error:
        raise DriverError(
            f"driver {name!r} fails while it is imported ({type(error).__name__}: {error}):"
            " ask its maker"
        ) from error
    if not isinstance(made, type) or (Driver not in made.__mro__ and name not in declared(found)):
        raise BadOption(
            f"{name!r} is no driver: its class must be a subclass of drivers.Driver, or an entry"
            f" point in the group {GROUP} of its package"
        )
    return made


# Which module and class serves a driver's name; loaded only when chosen.
DRIVERS: dict[str, tuple[str, str]] = {
    "button": ("drivers.pins.button", "Buttons"),
    "rfid": ("drivers.readers.rfid", "Reader"),
    "wedge": ("drivers.readers.wedge", "Wedge"),
    "scanner": ("drivers.readers.scanner", "Scanner"),
    "keys": ("drivers.readers.keys", "Keys"),
    "keyboard-scanner": ("drivers.readers.scanner", "KeyScanner"),
    "matrix": ("drivers.board.matrix", "Matrix"),
    "ws2812": ("drivers.board.ws2812", "Ws2812"),
    "speech": ("drivers.voice.speech", "Speech"),
    "cec": ("drivers.television", "Television"),
    "lamps": ("drivers.pins.gpio", "GpioLamps"),
    "mcp23017": ("drivers.pins.expander", "Mcp23017"),
    "rotary": ("drivers.pins.gpio", "Rotary"),
    "buzzers": ("drivers.pins.buzzers", "Buzzers"),
    "buzzer-box": ("drivers.pins.buzzers", "BuzzerBox"),
    "dice-tower": ("drivers.readers.tower", "Tower"),
}


def make_driver(name: str, allowed: Iterable[str] = (), /, **options: Any) -> Any:
    """Make the driver of that name with its options; it is not opened yet.

    Args:
        name: one of `DRIVERS`, or a class of an allowed package as `package.module:Class`.
        allowed: the packages that may bring drivers.

    Raises:
        BadOption: no such driver, an option it does not have, or one it lacks.
        DriverError: it may not be loaded, or its library is not installed.
    """
    maker = _maker(name, allowed)
    known = signature(maker).parameters.values()
    named = {one.name for one in known if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)}
    if all(one.kind is not one.VAR_KEYWORD for one in known) and (more := options.keys() - named):
        told = f"{', '.join(sorted(more))}: its options are {', '.join(sorted(named))}"
        raise BadOption(f"driver {name!r} has no option {told}")
    needed = {one.name for one in known if one.default is one.empty} & named
    if lacks := needed - options.keys():
        raise BadOption(f"driver {name!r} needs the option {', '.join(sorted(lacks))}")
    return maker(**options)


def _maker(name: str, allowed: Iterable[str]) -> Callable[..., Any]:
    if name in DRIVERS:
        module, attribute = DRIVERS[name]
        try:
            maker: Callable[..., Any] = getattr(import_module(module), attribute)
        except ImportError as error:
            raise DeviceMissing(missing_library(f"driver {name!r}", str(error.name))) from error
        return maker
    if split_name(name) is None:
        known = ", ".join(sorted(DRIVERS))
        raise BadOption(
            f"no driver is called {name!r}: there are {known}, or your own as package.module:Class"
        )
    return load_class(name, allowed)
