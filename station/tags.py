"""The tag table: which tag sits in which knob, as a TOML file that people may read and mend."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from station.disk import Disk, keep_file
from station.errors import Unreadable
from station.table import KNOBS

FILE = "tags.toml"
HEAD = "# Which tag sits in which knob: the tag's number, ten digits as printed on it = the knob. Made by: loto enrol\n\n[tags]\n"


def to_toml(tags: Mapping[int, int]) -> str:
    """The table as text, by knob.

    >>> print(to_toml({6547886: 42}).splitlines()[-1])
    "0006547886" = 42
    """
    return HEAD + "".join(f'"{tag:010d}" = {knob}\n' for tag, knob in sorted(tags.items(), key=lambda pair: (pair[1], pair[0])))


def from_toml(text: str, source: str = FILE) -> dict[int, int]:
    """The inverse of `to_toml`. A knob may have several tags, a tag has one knob.

    Raises:
        Unreadable: names every fault.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"{source}: not TOML: {error}") from error
    table = data.pop("tags", {})
    if data or not isinstance(table, dict):
        raise Unreadable(f'{source}: there must be one table, [tags], with lines such as "0006547886" = 42, and nothing else')
    tags: dict[int, int] = {}
    faults = []
    for written, knob in table.items():
        if not (written.isascii() and written.isdigit() and int(written) < 1 << 32):
            faults.append(f"{source}: tag {written!r} is not a 32-bit number in decimal digits")
        elif type(knob) is not int or not 1 <= knob <= KNOBS:
            faults.append(f"{source}: tag {written}: there is no knob {knob!r}; knobs are 1 to {KNOBS}")
        elif int(written) in tags:
            faults.append(f"{source}: tag {written} stands twice")
        else:
            tags[int(written)] = knob
    if faults:
        raise Unreadable("\n".join(faults))
    return tags


def load_tags(state: Path, disk: Disk | None = None) -> dict[int, int]:
    """The state folder's table; empty when no knob was enrolled.

    Raises:
        Unreadable: names every fault.
    """
    path, disk = state / FILE, disk or Disk()
    try:
        return from_toml(disk.read(path).decode(), str(path))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{path}: cannot be read ({error}); enrol the knobs again with ./loto enrol") from error


def save_tags(state: Path, tags: Mapping[int, int]) -> None:
    """Writes the table durably, all or nothing."""
    keep_file(state / FILE, to_toml(tags).encode())


def missing_knobs(tags: Mapping[int, int]) -> tuple[int, ...]:
    """The knobs that have no tag yet.

    >>> missing_knobs({tag: tag for tag in range(1, 90)})
    (90,)
    """
    return tuple(sorted(set(range(1, KNOBS + 1)) - set(tags.values())))
