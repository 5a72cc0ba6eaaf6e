"""Define `loto driver`: say which installed packages may bring drivers."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Annotated

from drivers.making import declared
from station.base.terminal import out
from station.base.tongue import tr
from station.commands.options import Commands, argument
from station.settings.allowed import (
    allowed_list,
    allowed_packages,
    package_name,
    wheel_digest,
    write_allowed,
)
from station.settings.config import wheels_of

commands = Commands(
    "driver", "Say which packages may bring drivers of your own; each is named here once."
)
PACKAGE = Annotated[str, argument("The package's name, or its wheel: a file that ends in .whl.")]


@commands.command("allow", says=True)
def driver_allow(package: PACKAGE) -> None:
    """Allow a package to bring drivers. Its code then runs as part of the station: allow only
    packages from people you trust. For a wheel, print the line for the settings.

    Example: loto driver allow hall-pads
    Example: loto driver allow /etc/loto-station/drivers/hall_pads-1.0-py3-none-any.whl
    """
    file = Path(package)
    wheel = file.suffix == ".whl"
    name = package_name(file.name.partition("-")[0] if wheel else package)
    if wheel:
        digest = wheel_digest(file)
        line = {"wheel": f"drivers/{file.name}", "sha256": digest}
        wheels_of({"package": line})
    known = allowed_packages()
    if name not in known:
        write_allowed(sorted({*known, name}))
    out.print(tr("{package} may bring drivers: {file}", package=name, file=allowed_list()))
    if wheel:
        out.print(tr("For the device's table in the settings, with the wheel in drivers/ there:"))
        out.print(f'package = {{ wheel = "{line["wheel"]}", sha256 = "{digest}" }}')
    elif not _version(name):
        out.print(tr("It is not installed yet. Its driver works once it is."))


@commands.command("list", says=True)
def driver_list() -> dict[str, list[str]]:
    """List the packages that may bring drivers, and the drivers that each declares. Nothing of them
    is loaded.

    Example: loto driver list
    """
    names = allowed_packages()
    for name in names:
        version = _version(name)
        found = sorted(declared(distribution(name))) if version else []
        what = " ".join([name, version or tr("(not installed)")])
        out.print(f"{what}: {', '.join(found)}" if found else what)
    if not names:
        out.print(tr("No package may bring drivers. Allow one: loto driver allow PACKAGE"))
    return {"packages": [*names]}


@commands.command("forget", says=True)
def driver_forget(package: PACKAGE) -> None:
    """Forget a package: its drivers are no longer loaded from the next start on. It stays
    installed.

    Example: loto driver forget hall-pads
    """
    name, known = package_name(package), allowed_packages()
    if name not in known:
        out.print(tr("{package} was not allowed", package=name))
        return
    write_allowed([one for one in known if one != name])
    out.print(tr("{package} may bring no drivers any more", package=name))


def _version(name: str) -> str:
    try:
        return distribution(name).version
    except PackageNotFoundError:
        return ""
