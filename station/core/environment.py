"""Name what the core takes from its machine, and keep a bag's and a table's secrets.

The core takes clock, disk, luck and devices from the machine; a drill gives its own.

Secrets are kept where a crash does not reach and a power cut does: in files without a name and
without a disk, which whoever started this process holds for the next one. Each is a memfd, sealed:
nobody changes it any more. systemd keeps it (or `loto run`), so that after a crash, or after the
watchdog, the same bag continues. It is in no folder and no backup.
"""

from __future__ import annotations

import fcntl
import logging
import os
import sys
import time
import uuid
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from station.base.clock import Clock
from station.base.disk import Disk
from station.checkup.health import Sensors, read_sensors
from station.proof.leaves import LEAVES, SECRET, Secrets
from station.record.heads import Key
from station.record.luck import LuckKeeper
from station.record.state_check import check_room, check_state_folder
from station.record.station_key import key_of, settle_key
from station.settings.allowed import make_driver
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


# -- what the core takes from its machine ----------------------------------------------------------


def new_id() -> str:
    """Return an id that no command ever had."""
    return uuid.uuid4().hex


@dataclass(frozen=True)
class Machine:
    """The machine that the core runs on; by default the real one.

    Attributes:
        disk: the disk of the state folder.
        writer: writes the journal; None is a thread of its own.
        chance: the virtual bag's luck; None is the system's CSPRNG, a rehearsal's is known.
        keeper: returns what keeps the bag's secrets over a crash.
        await_luck: waits until the system's random numbers cannot be foreseen, and returns for how
            many seconds.
        new_id: the id of a command that the station itself begins; never the same twice, also after
            a restart.
        make_driver: returns the driver of a name, with its options, like
            `station.settings.allowed.make_driver`.
        check_ground: checks that the state folder lies on a disk that can keep a night.
        check_room: checks that there is room to begin a night.
        make_key: returns the key that signs the record; a new one is a draft
            (`station.record.station_key.key_of`).
        settle_key: makes a draft the station's own, once a signature by it is on record.
        sensors: what the machine says of its heat and its supply.
    """

    clock: Clock = field(default_factory=Clock)
    disk: Disk = field(default_factory=Disk)
    writer: Executor | None = None
    chance: Random | None = None
    keeper: Callable[[], LuckKeeper] = KeptLuck
    await_luck: Callable[[], float] = await_luck
    new_id: Callable[[], str] = new_id
    make_driver: Callable[..., Any] = make_driver
    check_ground: Callable[..., None] = check_state_folder
    check_room: Callable[[Path], None] = check_room
    make_key: Callable[[Path], Key] = key_of
    settle_key: Callable[[Path], None] = settle_key
    sensors: Callable[[], Sensors] = read_sensors


REAL = Machine()
