"""Read the copies of pack, programme and tags beside a night's journal, by digest in their name."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from station.base.disk import Disk
from station.base.errors import Damaged
from station.base.tongue import tr
from station.base.untrusted import json_from
from station.cards.pack import Pack
from station.night.opening import Opening
from station.programme.programme import Programme
from station.record.journal import FILE

COPY = re.compile(r"(?:pack|programme|tags)-([0-9a-f]{16})\.(?:csv|json|toml)")


def read_copies(
    folder: Path, opening: Opening, disk: Disk | None = None
) -> tuple[Pack, Programme, str]:
    """Return a night's pack, programme and tag table (as text).

    Raises:
        Damaged: a copy is gone, or was altered.
    """
    disk = disk or Disk()
    copies = {name: read_copy(folder / name, disk) for name in opening.copies}
    try:
        texts = {name.partition("-")[0]: data.decode() for name, data in copies.items()}
        programme = Programme.model_validate(json_from(texts["programme"]))
        return Pack.from_copy(texts["pack"]), programme, texts.get("tags", "")
    except (KeyError, ValueError) as error:
        place = f"{folder / FILE}:1"
        why = tr("a copy that the night needs is damaged: {why}", why=error)
        raise Damaged(f"{place}: {why}") from error


def read_copy(path: Path, disk: Disk) -> bytes:
    """Return a copy, compared with the digest in its name.

    Raises:
        Damaged: it is gone, or was altered.
    """
    try:
        data = disk.read(path)
    except OSError as error:
        why = tr("this copy is gone or cannot be read ({why})", why=error.strerror)
        raise Damaged(f"{path}: {why}") from error
    named = COPY.fullmatch(path.name)
    if named is None or not hashlib.sha256(data).hexdigest().startswith(named[1]):
        why = tr("this copy was altered: its digest is not the one in its name")
        raise Damaged(f"{path}: {why}")
    return data
