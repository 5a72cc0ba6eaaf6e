"""Keep the tag set: which tag sits in which knob or playing card, as a TOML file that people may
read and correct.

A knob may have several tags. A spare is another knob, kept in the drawer: its tag is known, and it
may be given the number of one that was lost; so a census can tell two tags of one knob from two
knobs with one number. A hall may have several packs of playing cards with tags, each with a name;
a card has one tag, and no tag sits in two things.

A table without spares and cards has no format line; one with spares has format 2, one with cards 3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from drivers import SHORT
from station.base.disk import Disk, give_to_owner, keep_file, keep_folder
from station.base.errors import Unreadable
from station.base.nouns import KNOBS, PACK, SHORT_PACK
from station.base.tongue import tr
from station.base.untrusted import named_bytes, toml_from

FILE = "tags.toml"
FORMATS = SPARES_SINCE, CARDS_SINCE = 2, 3  # the first with spares, and with playing cards
HEAD = (
    "# Which tag sits in which knob: the tag's number, ten digits as printed on it = the knob. Made"
    " by: loto enrol\n\n"
)
VERSION = "format = "
SPARES = (
    "\n# Spare knobs: the tag's number = the knob it stands in for; 0 for none yet.\n[spares]\n"
)
CARDS = (
    "\n# Playing cards, pack by pack: the tag's number = rank and suit, S spades, H hearts,"
    " D diamonds, C clubs.\n"
)
PACK_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,19}")
# 125 kHz tags have 32 bits; the longest identity of a 13.56 MHz tag is ten bytes (ISO/IEC 14443-3).
LONGEST_TAG = 80
_LONGEST_125 = (1 << 32) - 1
END = (1 << 24) - 1  # the bytes that a short reading has
_SHORT_DIGITS = 8


@dataclass(frozen=True)
class TagTable:
    """All the tags of a hall.

    Attributes:
        tags: tag → knob, of the set of ninety.
        spares: tag → the knob that a spare stands in for, or 0.
        packs: tag → playing card, of each pack by its name.
    """

    tags: Mapping[int, int] = field(default_factory=dict)
    spares: Mapping[int, int] = field(default_factory=dict)
    packs: Mapping[str, Mapping[int, str]] = field(default_factory=dict)

    @cached_property
    def knobs(self) -> dict[int, int]:
        """Return the knob of each tag, for all knobs that have a number."""
        return {**self.tags, **{tag: knob for tag, knob in self.spares.items() if knob}}

    @cached_property
    def cards(self) -> dict[int, tuple[str, str]]:
        """Return the pack and the face of each tag that sits in a playing card."""
        packs = self.packs.items()
        return {tag: (name, face) for name, pack in packs for tag, face in pack.items()}

    @cached_property
    def _all(self) -> frozenset[int]:
        return frozenset(
            (*self.tags, *self.spares, *(tag for one in self.packs.values() for tag in one))
        )

    @cached_property
    def _by_end(self) -> Mapping[int, tuple[int, ...]]:
        """Return the 125 kHz tags that end in the same three bytes, by these."""
        found: dict[int, tuple[int, ...]] = {}
        for tag in self._all:
            if tag >= SHORT or tag <= _LONGEST_125:
                found[tag & END] = (*found.get(tag & END, ()), tag)
        return found

    def known_as(self, tag: int) -> int:
        """Return the identity under which a tag stands here; the tag itself if none does.

        A keyboard reader may type the last three bytes of a tag's four (`drivers.SHORT`). Such a
        reading is the one tag here that ends in them. Where two do, it is neither.
        """
        if tag in self._all or _LONGEST_125 < tag < SHORT:
            return tag
        alike = self._by_end.get(tag & END, ())
        if tag < SHORT:  # a whole one: it may be known by its end alone
            alike = tuple(one for one in alike if one >= SHORT)
        return alike[0] if len(alike) == 1 else tag

    def ends_alike(self, tag: int) -> bool:
        """Return whether another tag here ends in the same three bytes."""
        return any(one != tag for one in self._by_end.get(tag & END, ()))

    def looks_alike(self, tag: int) -> bool:
        """Return whether a tag that is not known could not be told from one that is."""
        return tag >= SHORT and bool(self._by_end.get(tag & END)) and tag not in self._all


def to_toml(
    tags: Mapping[int, int],
    spares: Mapping[int, int] | None = None,
    packs: Mapping[str, Mapping[int, str]] | None = None,
) -> str:
    """Return the tags as text, ordered by knob; cards by pack, in the order of its faces.

    >>> print(to_toml({6547886: 42}).splitlines()[-1])
    "0006547886" = 42
    """
    text = f"[tags]\n{_lines(tags)}"
    if not (spares or packs):
        return f"{HEAD}{text}"
    since = CARDS_SINCE if packs else SPARES_SINCE
    text += f"{SPARES}{_lines(spares)}" if spares else ""
    cards = sorted(packs.items()) if packs else ()
    text += CARDS * bool(cards) + "".join(_pack_lines(name, pack) for name, pack in cards)
    return f"{HEAD}{VERSION}{since}\n\n{text}"


def _lines(tags: Mapping[int, int]) -> str:
    by_knob = sorted((knob, tag) for tag, knob in tags.items())
    return "".join(f'"{_written(tag)}" = {knob}\n' for knob, tag in by_knob)


def _written(tag: int) -> str:
    """Return a tag's number as it is written: eight digits where only its end is known."""
    return f"{tag & END:08d}" if tag >= SHORT else f"{tag:010d}"


def _tag_of(written: str) -> int | None:
    """Return the tag that was written so; None if no tag is."""
    if not (written.isascii() and written.isdigit() and int(written) < 1 << LONGEST_TAG):
        return None
    short = len(written) == _SHORT_DIGITS and int(written) <= END
    return SHORT | int(written) if short else int(written)


def _pack_lines(name: str, pack: Mapping[int, str]) -> str:
    by_face = sorted((PACK.index(face), tag) for tag, face in pack.items())
    return f"[packs.{name}]\n" + "".join(
        f'"{_written(tag)}" = "{PACK[place]}"\n' for place, tag in by_face
    )


def table_from(text: str, source: str = FILE) -> TagTable:
    """Parse what `to_toml` writes. A knob may have several tags, a tag sits in one thing.

    Raises:
        Unreadable: names every fault.
    """
    try:
        data = toml_from(text)
    except Unreadable as error:
        raise Unreadable(f"{source}: {error}") from error
    version = data.pop("format", 1)
    if version not in (1, *FORMATS) or type(version) is not int:
        told = tr(
            "this table has the format {version!r}; this version of the program knows 1 to {ours}",
            version=version,
            ours=CARDS_SINCE,
        )
        raise Unreadable(f"{source}: {told}")
    tags, spares, packs = (data.pop(name, {}) for name in ("tags", "spares", "packs"))
    tables = (tags, spares, packs, *(packs.values() if isinstance(packs, dict) else ()))
    if data or not all(isinstance(table, dict) for table in tables):
        what = tr(
            'there must be a table, [tags], with lines such as "0006547886" = 42, perhaps [spares]'
            " and, for playing cards, [packs.NAME], and nothing else"
        )
        raise Unreadable(f"{source}: {what}")
    faults = [fault for name in packs if (fault := pack_name_fault(name)) is not None]
    taken: set[int] = set()
    known = _read(tags, partial(_knob_fault, 1), taken, faults)
    spare = _read(spares, partial(_knob_fault, 0), taken, faults)
    cards = {
        name: _read(pack, partial(_card_fault, name, set()), taken, faults)
        for name, pack in packs.items()
    }
    table = TagTable(known, spare, cards)
    faults += [
        tr("tag {tag} cannot be told from another one that ends alike", tag=_written(tag))
        for tag in sorted(taken)
        if tag >= SHORT and table.ends_alike(tag)
    ]
    if faults:
        raise Unreadable("\n".join(f"{source}: {fault}" for fault in faults))
    return table


def _read(
    table: Mapping[str, Any],
    fault_of: Callable[[str, Any], str],
    taken: set[int],
    faults: list[str],
) -> dict[int, Any]:
    """Return what each tag of one table sits in.

    Args:
        fault_of: says why a tag cannot sit in that, empty if it can.
        taken: the tags that are known, which grow.
        faults: what is wrong, which grows.
    """
    tags: dict[int, Any] = {}
    for written, thing in table.items():
        if (tag := _tag_of(written)) is None:
            faults.append(tr("tag {tag!r} is not a tag's number in decimal digits", tag=written))
        elif fault := fault_of(written, thing):
            faults.append(fault)
        elif tag in taken:
            faults.append(tr("tag {tag} stands twice", tag=written))
        else:
            taken.add(tag)
            tags[tag] = thing
    return tags


def _knob_fault(least: int, tag: str, knob: Any) -> str:
    if type(knob) is int and least <= knob <= KNOBS:
        return ""
    return tr(
        "tag {tag}: there is no knob {knob!r}; knobs are 1 to {most}",
        tag=tag,
        knob=knob,
        most=KNOBS,
    )


def _card_fault(pack: str, seen: set[str], tag: str, face: Any) -> str:
    if face not in PACK:
        return tr("tag {tag}: there is no playing card {face!r}", tag=tag, face=face)
    if face in seen:
        return tr("the pack {name} has {face} twice: a card has one tag", name=pack, face=face)
    seen.add(face)
    return ""


def pack_name_fault(name: str) -> str | None:
    """Return why a pack of playing cards cannot have that name; None if it can."""
    if PACK_NAME.fullmatch(name):
        return None
    return tr(
        "a pack cannot be called {name!r}: small letters, digits and hyphens, 20 at most", name=name
    )


def wanted_cards(pack: str | None, card: str | None, *, short: bool) -> tuple[str, ...]:
    """Return the playing cards that are to be enrolled: a pack's, or one of them.

    Raises:
        Unreadable: there is no such card, no pack was named, or it cannot have this name.
    """
    if pack is None:
        if short or card is not None:
            raise Unreadable(tr("that is for playing cards: add --pack and a name for the pack"))
        return ()
    if (fault := pack_name_fault(pack)) is not None:
        raise Unreadable(fault)
    whole = SHORT_PACK if short else PACK
    if card is not None and card not in whole:
        known = ", ".join(whole)
        raise Unreadable(
            tr("there is no playing card {card!r}: there are {known}", card=card, known=known)
        )
    return whole if card is None else (card,)


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
    state: Path,
    tags: Mapping[int, int],
    spares: Mapping[int, int] | None = None,
    packs: Mapping[str, Mapping[int, str]] | None = None,
) -> None:
    """Write the tags durably, all or nothing."""
    keep_file(state / FILE, to_toml(tags, spares, packs).encode())


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
    keep_file(there / FILE, named_bytes(taught), disk)
    give_to_owner(there)
