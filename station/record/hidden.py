"""Keep the sealed parts of a hand until it is over: in a file of its owner, that no copy takes.

Each part is durable here before the line that refers to it is written. When the line is durable
that ends the hand and holds all parts, the file goes. One that is still there after a power cut
holds what is known already, and goes with the next hand that ends.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from station.base.disk import Disk
from station.base.errors import Damaged, Unreadable
from station.base.tongue import tr
from station.base.untrusted import json_from
from station.night.acts import Act, MakeMove
from station.night.sealed import SEALED, Sealed, by_digest, read_sealed
from station.record.journal import disk_errors

# A name with a dot before it: backups and copies of nights leave such files out.
FILE = ".sealed.jsonl"
UNSEALED = "unsealed"  # what the line that ends a hand calls them in its `then`


def with_part(act: Act, parts: Mapping[str, Sealed]) -> Act:
    """Return an act that was read from the journal, a move with what is sealed of it."""
    if not isinstance(act, MakeMove) or SEALED not in act.move:
        return act
    return act.with_part(parts.get(str(act.move[SEALED])))


def line_of(part: Sealed) -> bytes:
    """Return the line that keeps one part."""
    return (json.dumps(part.to_json(), sort_keys=True, separators=(",", ":")) + "\n").encode()


def parts_of(folder: Path, lines: Iterable[Mapping[str, Any]], disk: Disk) -> dict[str, Sealed]:
    """Return all sealed parts of a night by their digest.

    Those of hands that are over stand in its lines, those of the hand that is on in the file.

    Raises:
        Damaged: what stands there is none.
        StoreError: the file cannot be read.
    """
    return {**_in_file(folder / FILE, disk), **by_digest(_in_lines(lines))}


def _in_lines(lines: Iterable[Mapping[str, Any]]) -> Iterable[Sealed]:
    for number, line in enumerate(lines, 1):
        then = line["then"]
        if UNSEALED in then:
            try:
                yield from (
                    read_sealed(part, tr("line {number}", number=number)) for part in then[UNSEALED]
                )
            except Unreadable as error:
                raise Damaged(str(error)) from error


def _in_file(path: Path, disk: Disk) -> dict[str, Sealed]:
    data = b""
    with disk_errors(path), suppress(FileNotFoundError):
        data = disk.read(path)
    try:
        lines = enumerate(data.decode().splitlines(), 1)
        return by_digest(read_sealed(json_from(line), f"{path}:{at}") for at, line in lines)
    except (UnicodeDecodeError, Unreadable) as error:
        why = tr("what is sealed of the hand is damaged: {why}", why=error)
        raise Damaged(f"{path}: {why}") from error
