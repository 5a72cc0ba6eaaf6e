"""Read files and messages within bounds, and say what to do about a missing library.

Drivers import nothing of the station, so this is the drivers' own small `station.base.untrusted`.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any

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


# -- files and messages that a driver did not write ------------------------------------------------

LONGEST_MESSAGE = 1 << 20  # bytes; the longest order holds the names of an evening


def file_bytes(path: Path, most: int) -> bytes:
    """Return the content of a regular file.

    Raises:
        OSError: the file is missing, a folder, a pipe or a device, unreadable, or longer than
            `most` bytes.
    """
    with open(path, "rb", opener=_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "this is no regular file", str(path))
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"longer than {most:,} bytes", str(path))
    return data


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)  # a pipe is not waited for


def message_from(line: bytes) -> Any:
    """Parse a line of JSON from another process of the station.

    >>> message_from(b'{"ready": 3}')
    {'ready': 3}

    Raises:
        ValueError: the line is not JSON, is too long, or is nested too deeply.
    """
    if len(line) > LONGEST_MESSAGE:
        raise ValueError(f"a message of more than {LONGEST_MESSAGE:,} bytes")
    try:
        return json.loads(line)
    except RecursionError as error:
        raise ValueError("a message that is nested too deeply") from error
