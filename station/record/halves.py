"""Choose between the halves of a state folder: real nights in it itself, TEST nights in `test/`.

    <state>/nights/, station.key, lock         real nights
    <state>/test/nights/, station.key, lock    TEST nights: a whole state folder of its own
    <state>/packs/, cards.key, tags.toml, …    serve both; a pack in `test/packs/` goes before for
                                               TEST nights

No night is written here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from station.base.disk import Disk
from station.base.errors import LotoError, StateInUse
from station.base.later import later
from station.base.tongue import tr
from station.cards import PACK_FILE

with later():
    from station.record import folders

TEST = "test"
LOCK = "lock"


def half(state: Path, *, test: bool) -> Path:
    """Return the half of a state folder for nights of this kind."""
    return state / TEST if test else state


def real_night_open(state: Path) -> bool:
    """Return whether a real night is open here, or cannot be read: the start must name that."""
    try:
        return any(folders.is_open(one) for one in folders.night_folders(state)[-1:])
    except LotoError:
        return True


def pack_home(state: Path, *, test: bool, disk: Disk | None = None) -> Path:
    """Return the half whose `packs/` and `cards.key` a night of this kind uses."""
    own = half(state, test=test)
    return own if (disk or Disk()).is_file(own / "packs" / PACK_FILE) else state


def is_used(folder: Path) -> bool:
    """Return whether a station holds this half now."""
    disk, lock = Disk(), folder / LOCK
    if not lock.exists():  # not made here: it would belong to root
        return False
    try:
        disk.close(disk.lock(lock))
    except BlockingIOError:
        return True
    return False


@contextmanager
def held(state: Path, disk: Disk) -> Iterator[None]:
    """Hold both halves of the folder, so that no station uses it meanwhile; leave no lock file.

    Raises:
        StateInUse: a station runs on one of them.
        OSError: a lock cannot be taken.
    """
    with ExitStack() as until:
        for folder in (state, state / TEST):
            if folder.is_dir():
                until.enter_context(_locked(folder / LOCK, disk))
        yield


@contextmanager
def _locked(path: Path, disk: Disk) -> Iterator[None]:
    there = path.exists()
    try:
        lock = disk.lock(path)
    except BlockingIOError:
        why = tr("the station runs: stop it first (systemctl stop loto-station.target)")
        raise StateInUse(f"{path.parent}: {why}") from None
    try:
        yield
    finally:
        disk.close(lock)
        if not there:
            path.unlink()  # root's file would keep the station out


@dataclass(frozen=True, slots=True)
class Meant:
    """The half that a command reads.

    Attributes:
        folder: a state folder with nights of its own.
        aside: where nights of the other kind are, which are not read; None if there are none.
        test: whether it is the half of TEST nights.
    """

    folder: Path
    aside: Path | None
    test: bool


def to_read(state: Path, *, simulated: bool, wanted: bool | None = None) -> Meant:
    """Return the half to read: the one asked for, else the profile's, else the only one begun.

    Args:
        simulated: whether the profile in force has simulated devices.
        wanted: True for TEST nights, False for real ones; None where nothing was said.
    """
    begun = {test: _has_nights(half(state, test=test)) for test in (True, False)}
    test = simulated if wanted is None else wanted
    if wanted is None and not begun[test] and begun[not test]:
        test = not test
    aside = half(state, test=not test) if begun[not test] else None
    return Meant(half(state, test=test), aside, test)


def _has_nights(folder: Path) -> bool:
    """Return whether there are folders of nights, damaged ones too: the audit names them."""
    return (folder / "nights").is_dir() and any((folder / "nights").glob("[0-9][0-9][0-9][0-9]"))
