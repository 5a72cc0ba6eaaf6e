"""Read the copies of pack, programme and tags beside a night's journal; each has its digest in its
name."""

from __future__ import annotations

import hashlib
from pathlib import Path

from station.base.disk import Disk
from station.base.errors import Damaged
from station.cards.pack import Pack
from station.night.opening import Opening
from station.programme.programme import Programme
from station.record.journal import FILE


def read_copies(
    folder: Path, opening: Opening, disk: Disk | None = None
) -> tuple[Pack, Programme, str]:
    """Return a night's pack, programme and tag table (as text).

    Raises:
        Damaged: a copy is gone, or was altered.
    """
    texts = {
        name.partition("-")[0]: _copy(folder / name, disk or Disk()) for name in opening.copies
    }
    try:
        return (
            Pack.from_copy(texts["pack"]),
            Programme.model_validate_json(texts["programme"]),
            texts.get("tags", ""),
        )
    except (KeyError, ValueError) as error:
        raise Damaged(
            f"{folder / FILE}:1: a copy that the night needs is damaged: {error}"
        ) from error


def _copy(path: Path, disk: Disk) -> str:
    try:
        data = disk.read(path)
    except OSError as error:
        raise Damaged(f"{path}: this copy is gone or cannot be read ({error.strerror})") from error
    wanted = path.stem.partition("-")[2]
    if not hashlib.sha256(data).hexdigest().startswith(wanted):
        raise Damaged(f"{path}: this copy was altered: its digest is not the one in its name")
    return data.decode()
