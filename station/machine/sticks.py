"""Find USB sticks and where they are mounted, from /proc and /sys."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from station.base.errors import LotoError
from station.base.tongue import tr
from station.record.state_check import parse_mounts

# Where people and desktops mount what they plug in.
PLACES = ("/media/", "/run/media/", "/mnt")


class NoStick(LotoError):
    """There is no USB stick to write to, or more than one; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Stick:
    """A partition of a removable disk.

    Attributes:
        device: as `/dev/sda1`.
        place: where it is mounted; None when it is not.
        read_only: whether it is mounted read-only.
    """

    device: str
    place: Path | None
    read_only: bool


def sticks(root: Path = Path("/")) -> list[Stick]:
    """Return the sticks that are plugged in, by device.

    Args:
        root: where /proc and /sys are.
    """
    text = (root / "proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
    mounts = {mount.source: mount for mount in parse_mounts(text).values()}
    found = []
    for disk in sorted((root / "sys/block").glob("*")):
        if not _can_be_taken_out(disk):
            continue
        # A stick may be formatted as a whole, without partitions.
        parts = sorted(path.name for path in disk.glob(f"{disk.name}*") if path.is_dir())
        names = parts or [disk.name]
        mounted = {name: mounts[f"/dev/{name}"] for name in names if f"/dev/{name}" in mounts}
        if any(not mount.point.startswith(PLACES) for mount in mounted.values()):
            continue  # the machine itself lives on it
        for name in names:
            mount = mounted.get(name)
            place = root / mount.point.lstrip("/") if mount is not None else None
            found.append(Stick(f"/dev/{name}", place, mount is not None and "ro" in mount.options))
    return found


def _can_be_taken_out(disk: Path) -> bool:
    try:
        removable = (disk / "removable").read_text(encoding="ascii").strip() == "1"
    except OSError:
        return False
    return removable or "/usb" in str(disk.resolve())  # a USB disk may say that it is fixed


def the_stick(root: Path = Path("/")) -> Path:
    """Return where the only writable stick is mounted.

    Raises:
        NoStick: there is none, there are several, or it is not mounted or not writable.
    """
    found = sticks(root)
    ready = [stick.place for stick in found if stick.place is not None and not stick.read_only]
    if len(ready) == 1:
        return ready[0]
    if ready:
        raise NoStick(
            tr("there are several sticks: name one of {places}", places=", ".join(map(str, ready)))
        )
    if locked := [stick for stick in found if stick.place is not None and stick.read_only]:
        todo = tr("slide its switch, or take another")
        raise NoStick(
            tr("the stick in {place} is read-only: {todo}", place=locked[0].place, todo=todo)
        )
    if waiting := [stick.device for stick in found if stick.place is None]:
        todo = tr("Type: sudo mount {stick} /mnt and then: sudo loto backup /mnt", stick=waiting[0])
        raise NoStick(
            tr(
                "the stick {stick} is plugged in and not mounted. {todo}",
                stick=waiting[0],
                todo=todo,
            )
        )
    todo = tr("plug one in and type the same again, or name a folder")
    raise NoStick(tr("no USB stick is plugged in: {todo}", todo=todo))
