"""Keep the tag set: which tag sits in which knob, as a TOML file that people may read and correct.

A knob may have several tags. A spare is another knob, kept in the drawer: its tag is known, and it
may be given the number of one that was lost; so a census can tell two tags of one knob from two
knobs with one number.

A table without spares is written as it always was, so that an older version of the program reads it
after a way back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from station.base.disk import Disk, give_to_owner, keep_file, keep_folder
from station.base.errors import Unreadable
from station.base.nouns import KNOBS
from station.base.tongue import tr
from station.base.untrusted import toml_from

FILE = "tags.toml"
FORMAT = 2  # the first with spares
HEAD = (
    "# Which tag sits in which knob: the tag's number, ten digits as printed on it = the knob. Made"
    " by: loto enrol\n\n"
)
SPARES = (
    "\n# Spare knobs: the tag's number = the knob it stands in for; 0 for none yet.\n[spares]\n"
)
# 125 kHz tags have 32 bits; the longest identity of a 13.56 MHz tag is ten bytes (ISO/IEC 14443-3).
LONGEST_TAG = 80


@dataclass(frozen=True)
class TagTable:
    """All the tags of a hall.

    Attributes:
        tags: tag → knob, of the set of ninety.
        spares: tag → the knob that a spare stands in for, or 0.
    """

    tags: Mapping[int, int] = field(default_factory=dict)
    spares: Mapping[int, int] = field(default_factory=dict)

    @property
    def knobs(self) -> dict[int, int]:
        """Return the knob of each tag, for all knobs that have a number."""
        return {**self.tags, **{tag: knob for tag, knob in self.spares.items() if knob}}


def to_toml(tags: Mapping[int, int], spares: Mapping[int, int] | None = None) -> str:
    """Return the tags as text, ordered by knob.

    >>> print(to_toml({6547886: 42}).splitlines()[-1])
    "0006547886" = 42
    """
    if not spares:
        return f"{HEAD}[tags]\n{_lines(tags)}"
    return f"{HEAD}format = {FORMAT}\n\n[tags]\n{_lines(tags)}{SPARES}{_lines(spares)}"


def _lines(tags: Mapping[int, int]) -> str:
    by_knob = sorted((knob, tag) for tag, knob in tags.items())
    return "".join(f'"{tag:010d}" = {knob}\n' for knob, tag in by_knob)


def table_from(text: str, source: str = FILE) -> TagTable:
    """Parse what `to_toml` writes. A knob may have several tags, a tag has one knob.

    Raises:
        Unreadable: names every fault.
    """
    try:
        data = toml_from(text)
    except Unreadable as error:
        raise Unreadable(f"{source}: {error}") from error
    version = data.pop("format", 1)
    if version not in (1, FORMAT) or type(version) is not int:
        told = tr(
            "this table has the format {version!r}; this version of the program knows 1 and {ours}",
            version=version,
            ours=FORMAT,
        )
        raise Unreadable(f"{source}: {told}")
    tags, spares = data.pop("tags", {}), data.pop("spares", {})
    if data or not isinstance(tags, dict) or not isinstance(spares, dict):
        what = tr(
            'there must be a table, [tags], with lines such as "0006547886" = 42, perhaps one more,'
            " [spares], and nothing else"
        )
        raise Unreadable(f"{source}: {what}")
    faults: list[str] = []
    known = _read(tags, 1, {}, faults)
    spare = _read(spares, 0, known, faults)
    if faults:
        raise Unreadable("\n".join(f"{source}: {fault}" for fault in faults))
    return TagTable(known, spare)


def _read(
    table: Mapping[str, Any], least: int, taken: Mapping[int, int], faults: list[str]
) -> dict[int, int]:
    tags: dict[int, int] = {}
    for written, knob in table.items():
        if not (written.isascii() and written.isdigit() and int(written) < 1 << LONGEST_TAG):
            faults.append(tr("tag {tag!r} is not a tag's number in decimal digits", tag=written))
        elif type(knob) is not int or not least <= knob <= KNOBS:
            faults.append(
                tr(
                    "tag {tag}: there is no knob {knob!r}; knobs are 1 to {most}",
                    tag=written,
                    knob=knob,
                    most=KNOBS,
                )
            )
        elif int(written) in tags or int(written) in taken:
            faults.append(tr("tag {tag} stands twice", tag=written))
        else:
            tags[int(written)] = knob
    return tags


def load_table(state: Path, disk: Disk | None = None) -> TagTable:
    """Load the state folder's tags; empty if no knob was enrolled.

    Raises:
        Unreadable: names every fault.
    """
    path, disk = state / FILE, disk or Disk()
    try:
        return table_from(disk.read(path).decode(), str(path))
    except FileNotFoundError:
        return TagTable()
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(
            tr(
                "{file}: cannot be read ({error}); enrol the knobs again with ./loto enrol",
                file=path,
                error=error,
            )
        ) from error


def save_tags(
    state: Path, tags: Mapping[int, int], spares: Mapping[int, int] | None = None
) -> None:
    """Write the tags durably, all or nothing."""
    keep_file(state / FILE, to_toml(tags, spares).encode())


def missing_knobs(tags: Mapping[int, int]) -> tuple[int, ...]:
    """Return the knobs that have no tag yet.

    >>> missing_knobs({tag: tag for tag in range(1, 90)})
    (90,)
    """
    return tuple(sorted(set(range(1, KNOBS + 1)) - set(tags.values())))


def table_to_bring(here: Path, there: Path) -> Path | None:
    """Return one state folder's file of tags if the other has none: nobody lays 90 knobs again."""
    taught = here / FILE
    return taught if taught.is_file() and not (there / FILE).exists() else None


def bring_table(taught: Path, there: Path, disk: Disk | None = None) -> None:
    """Copy a file of tags into another state folder, and give it to the folder's owner."""
    keep_folder(there, disk)
    keep_file(there / FILE, taught.read_bytes(), disk)
    give_to_owner(there)
