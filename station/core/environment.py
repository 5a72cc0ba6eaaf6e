"""Name what the core takes from its machine: clock, disk, luck, devices. A drill gives its own."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from station.base.clock import Clock
from station.base.disk import Disk
from station.core.health import Sensors, read_sensors
from station.core.kept_luck import KeptLuck, await_luck
from station.record.checkpoint import Key, has_key, key_of, settle_key
from station.record.luck import LuckKeeper
from station.record.state_check import check_room, check_state_folder
from station.settings.allowed import make_driver


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
        make_key: returns the key that signs openings and ends; a new one is a draft
            (`station.record.checkpoint.key_of`).
        has_key: whether a key has signed there before.
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
    make_key: Callable[[Path], Key | None] = key_of
    has_key: Callable[[Path], bool] = has_key
    settle_key: Callable[[Path], None] = settle_key
    sensors: Callable[[], Sensors] = read_sensors


REAL = Machine()
