"""Say what to do about a library that a device needs and this Python does not find."""

from __future__ import annotations

from pathlib import Path

DEBIAN = Path("/usr/lib/python3/dist-packages")
PACKAGES = {"evdev": "python3-evdev", "lgpio": "python3-lgpio", "spidev": "python3-spidev"}


def missing_library(device: str, library: str, debian: Path = DEBIAN) -> str:
    """Return what is missing and the command that helps.

    Args:
        device: what needs it, as the subject of the sentence.
        debian: where Debian's packages put their modules.

    >>> print(missing_library("The board", "spidev", Path("/nowhere")))
    The board needs the library 'spidev': sudo apt-get install python3-spidev, then start again
    >>> print(missing_library("The board", "panels"))
    The board needs the library 'panels': install it, then start again
    """
    needs = f"{device} needs the library {library!r}"
    package = PACKAGES.get(library)
    if package is None:
        return f"{needs}: install it, then start again"
    if not any(debian.glob(f"{library}*")):
        return f"{needs}: sudo apt-get install {package}, then start again"
    return (
        f"{needs}. Debian's {package} is installed, but the station's Python does not see it:"
        " sudo loto install (in a checkout: start the station with ./loto)"
    )
