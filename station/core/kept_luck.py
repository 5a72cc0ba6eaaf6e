"""Keep a bag's secrets, and a table's, where a crash does not reach and a power cut does: in files
without a name and without a disk, which whoever started this process holds for the next one.

Each is a memfd, sealed: nobody changes it any more. systemd keeps it (or `loto run`), so that
after a crash, or after the watchdog, the same bag goes on. It is in no folder and no backup.
"""

from __future__ import annotations

import fcntl
import logging
import os
import sys
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress

from station.proof.leaves import LEAVES, SECRET, Secrets
from station.record.luck import LuckKeeper
from station.wire import notify

log = logging.getLogger(__name__)

NAME = "luck-"  # and the root


def await_luck(
    draw: Callable[..., bytes] | None = None, clock: Callable[[], float] = time.monotonic
) -> float:
    """Wait until the kernel's random numbers cannot be foreseen; return for how many seconds.

    After a first boot, of a copied card above all, they could be: two stations would share a bag.
    """
    if sys.platform != "linux":
        return 0.0  # there it never begins before
    draw = draw or os.getrandom
    try:
        draw(1, os.GRND_NONBLOCK)
    except BlockingIOError:
        began = clock()
        draw(1)
        return clock() - began
    return 0.0


class KeptLuck(LuckKeeper):
    """Keeps secrets with whoever started this process.

    Args:
        files: what the process before this one had kept: names, and numbers of open files.
        keep: hands over an open file by a name.
        forget: has those of a name closed.
    """

    def __init__(
        self,
        files: Callable[[], Sequence[tuple[str, int]]] = notify.kept,
        keep: Callable[[str, int], bool] = notify.keep,
        forget: Callable[[str], bool] = notify.forget,
    ) -> None:
        self._keep, self._forget = keep, forget
        self._names: set[str] = set()
        self._handed: list[bytes] = []
        for name, number in files():
            self._names.add(name)
            self._handed.append(_read(number))

    def handed(self) -> Sequence[bytes]:
        """Return what the process before this one had kept; once."""
        handed, self._handed = self._handed, []
        return handed

    def keep(self, secrets: Secrets) -> None:
        """Keep secrets, beside those that are kept."""
        name = NAME + secrets.root
        if sys.platform != "linux":
            return
        seals = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SEAL
        try:
            number = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
            try:
                os.write(number, secrets.packed)
                fcntl.fcntl(number, fcntl.F_ADD_SEALS, seals)
                if self._keep(name, number):
                    self._names.add(name)
            finally:
                os.close(number)
        except OSError as error:
            log.warning("the bag's secrets would be lost in a crash: %s", error)

    def keep_only(self, roots: Collection[str]) -> None:
        """Forget all secrets but those of these roots."""
        for name in self._names - {NAME + root for root in roots}:
            self._forget(name)
            self._names.discard(name)


def _read(number: int) -> bytes:
    """Return what a file holds, and close it; nothing if it cannot be read."""
    try:
        with suppress(OSError):
            return os.pread(number, LEAVES * SECRET + 1, 0)
        return b""
    finally:
        os.close(number)
