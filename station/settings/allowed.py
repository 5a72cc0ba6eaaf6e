"""Keep the list of packages that may bring drivers. The hall names each once, at the terminal.

The list is a file of its own, one name a line, that belongs to the program and not to the settings:
`/etc/loto-station/allowed-drivers` for an installed station, else a file of the Python environment
that runs. No settings file names it, and no backup contains it.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from drivers import making
from drivers.making import DRIVERS, NAME, DriverNotAllowed, normal, package_of
from station.base.disk import Disk, keep_file, keep_folder
from station.base.errors import Unreadable
from station.base.tongue import key, tr
from station.base.untrusted import named_bytes
from station.settings.places import INSTALLED, SYSTEM_SETTINGS

NAMED = "allowed-drivers"
SYSTEM_LIST = SYSTEM_SETTINGS / NAMED
MOST_PACKAGES = 100
LONGEST_NAME = 100  # characters of one that is repeated
MOST_WHEEL = 1 << 26  # bytes
NO_NAME = key("{name!r} is no name of a package: write it as pip does, such as hall-pads")


def allowed_list() -> Path:
    """Return the file that lists the packages for the program that runs."""
    environment = Path(sys.prefix)
    of_the_system = sys.prefix == sys.base_prefix or environment.is_relative_to(INSTALLED)
    return SYSTEM_LIST if of_the_system else environment / NAMED


def package_name(name: str) -> str:
    """Return a package's name as the list has it.

    >>> package_name("Hall_Pads")
    'hall-pads'

    Raises:
        Unreadable: it is no name of a package, or one of Python's own modules.
    """
    if not NAME.fullmatch(name):
        raise Unreadable(tr(NO_NAME, name=name[:LONGEST_NAME]))
    if name in sys.stdlib_module_names:
        raise Unreadable(
            tr("{name} is a part of Python, and brings no drivers of a hall's own", name=name)
        )
    return normal(name)


def allowed_packages(file: Path | None = None) -> tuple[str, ...]:
    """Return the packages that the hall has allowed, sorted.

    Raises:
        Unreadable: the file holds something else, or may not be read.
    """
    file = file or allowed_list()
    if not os.path.lexists(file):
        return ()
    data = named_bytes(file)
    names = data.decode("utf-8", "replace").split("\n")
    names = [name for name in names if name and not name.startswith("#")]
    if len(names) > MOST_PACKAGES:
        most = tr("{count} packages; {most} are the most", count=len(names), most=MOST_PACKAGES)
        raise Unreadable(f"{file}: {most}")
    try:
        return tuple(sorted({package_name(name) for name in names}))
    except Unreadable as error:
        raise Unreadable(f"{file}: {error}") from error


def write_allowed(names: Iterable[str], file: Path | None = None, disk: Disk | None = None) -> None:
    """Write the list durably; everybody may read it, and only its owner may change it."""
    file = file or allowed_list()
    head = (
        "# Packages that may bring drivers. Change it with: loto driver allow, loto driver forget\n"
    )
    keep_folder(file.parent, disk or Disk())
    keep_file(file, (head + "".join(f"{one}\n" for one in names)).encode(), disk, public=True)


def wheel_digest(file: Path) -> str:
    """Return the SHA-256 of a wheel.

    Raises:
        Unreadable: it is missing, no regular file, or too large.
    """
    return hashlib.sha256(named_bytes(file, MOST_WHEEL)).hexdigest()


def foreign_drivers(devices: Any) -> list[str]:
    """Return the drivers in the tables of devices that do not ship with the station, sorted.

    >>> foreign_drivers({"matrix": {"driver": "hall_panels:Hub75"}, "lamps": {"driver": "lamps"}})
    ['hall_panels:Hub75']
    """
    tables = devices.values() if isinstance(devices, Mapping) else ()
    named = [table.get("driver") for table in tables if isinstance(table, Mapping)]
    return sorted({one for one in named if isinstance(one, str) and one not in DRIVERS})


def came_from(driver: str, allowed: Iterable[str]) -> str:
    """Return the package that brings a driver, with its version; nothing is imported for it.

    Raises:
        DriverNotAllowed: no allowed package brings it; says what to do, in the hall's language.
    """
    try:
        found = package_of(driver, allowed)
    except DriverNotAllowed as error:
        raise DriverNotAllowed(tr(NOT_ALLOWED, driver=driver)) from error
    return f"{normal(found.name)} {found.version}"


NOT_ALLOWED = key(
    "driver {driver!r} comes from no package that this station allows; install the package, then"
    " type: loto driver allow PACKAGE"
)


def make_driver(name: str, /, **options: Any) -> Any:
    """Make a driver that ships, or one of a package on the list.

    Raises:
        BadOption, DriverError: as `drivers.making.make_driver`.
        DriverNotAllowed: no package on the list brings it, or the list cannot be read.
    """
    try:
        allowed = () if name in DRIVERS else allowed_packages()
    except (OSError, Unreadable) as error:
        raise DriverNotAllowed(str(error)) from error
    return making.make_driver(name, allowed, **options)
