"""Read the copies of pack, programme and tags beside a night's journal, by digest in their name."""

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
    disk = disk or Disk()
    texts = {name.partition("-")[0]: _copy(folder / name, disk) for name in opening.copies}
    try:
        programme = Programme.model_validate_json(texts["programme"])
        return Pack.from_copy(texts["pack"]), programme, texts.get("tags", "")
    except (KeyError, ValueError) as error:
        place = f"{folder / FILE}:1"
        raise Damaged(f"{place}: a copy that the night needs is damaged: {error}") from error


def _copy(path: Path, disk: Disk) -> str:
    try:
        data = disk.read(path)
    except OSError as error:
        raise Damaged(f"{path}: this copy is gone or cannot be read ({error.strerror})") from error
    if not hashlib.sha256(data).hexdigest().startswith(path.stem.partition("-")[2]):
        raise Damaged(f"{path}: this copy was altered: its digest is not the one in its name")
    return data.decode()
