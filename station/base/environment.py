"""Hold the Python environment that a command runs in, so that no set-up changes it meanwhile."""

from __future__ import annotations

import fcntl
import os
import sys
from contextlib import suppress
from pathlib import Path


def hold_environment(folder: Path | None = None) -> None:
    """Take a shared lock on the environment's folder until this process ends.

    `setup/prepare.py` takes the lock alone before it changes a library.
    """
    with suppress(OSError):  # a read-only or foreign environment is not set up here
        descriptor = os.open(folder or Path(sys.prefix), os.O_RDONLY | os.O_CLOEXEC)
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
