"""Tell what each reader of the hall is for, and where the knobs rest. Pure.

A station may have any number of readers: `[devices.reader]`, and `[devices.reader-NAME]` for each
one more. Their tables hold the driver's options, and of the station's:

    use = "call"        (default) a knob laid there is called; one that is called already is told
                        so: at the bag's mouth
    use = "tray"        where called knobs come to rest: one that is called already is silence, one
                        that slipped past is called
    cavity = 3          the reader under the third of the board's ten cavities: as a tray, and the
                        board shows the knob there

Ten cavities with a reader each need no other reader; a bag and a tray need one at its mouth and, to
miss none, one in the tray.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from drivers import Cure, Misread
from station.base.nouns import CAVITIES
from station.base.said import Sentence, said
from station.base.tongue import tr

READER = "reader"


class Use(StrEnum):
    """What a reader is for."""

    CALL = "call"
    TRAY = "tray"


@dataclass(frozen=True, slots=True)
class ReaderUse:
    """What one reader is for.

    Attributes:
        cavity: which of the board's cavities it lies under, from 1; None for none of them.
        kind: what it is: readers of one kind have the same habits.
    """

    use: Use = Use.CALL
    cavity: int | None = None
    kind: str = ""


def is_reader(device: str) -> bool:
    """Return whether a device of that name is a reader.

    >>> is_reader("reader"), is_reader("reader-3"), is_reader("readers")
    (True, True, False)
    """
    return device == READER or device.startswith(f"{READER}-")


def reader_uses(devices: Mapping[str, Mapping[str, Any]]) -> dict[str, ReaderUse]:
    """Return what each reader among the devices of checked settings is for, by name."""
    return {device: _use(table) for device, table in devices.items() if is_reader(device)}


def _use(table: Mapping[str, Any]) -> ReaderUse:
    cavity = table.get("cavity")
    use = Use.CALL if cavity is None and table.get("use") != Use.TRAY else Use.TRAY
    kind = " ".join(str(table[key]) for key in ("driver", "family", "firmware") if key in table)
    return ReaderUse(use, cavity, kind)


def reader_faults(devices: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the readers' tables, each fault with its place."""
    taken: dict[int, str] = {}
    for device, table in devices.items():
        if not is_reader(device) or not isinstance(table, dict):
            continue
        use, cavity = table.get("use", Use.CALL), table.get("cavity")
        if use not in [*Use]:
            known = tr("use is {use!r}; there are {uses}", use=use, uses=", ".join(Use))
            yield f"devices.{device}: {known}"
        if cavity is not None and not (type(cavity) is int and 1 <= cavity <= CAVITIES):
            told = tr(
                "cavity is {cavity!r}; cavities go from 1 to {most}", cavity=cavity, most=CAVITIES
            )
            yield f"devices.{device}: {told}"
        if cavity is not None and "use" in table:
            todo = tr("a reader under a cavity has no other use: leave use out")
            yield f"devices.{device}: {todo}"
        elif isinstance(cavity, int) and taken.setdefault(cavity, device) != device:
            told = tr(
                "cavity {cavity} is taken by {other} already", cavity=cavity, other=taken[cavity]
            )
            yield f"devices.{device}: {told}"


MISREAD = "bytes of "


def misread_by(reader: str) -> str:
    """Return the name of the sign about what a reader sends. It is not the reader's own: a reader
    that is lost stops the opening of a game, one that is set wrongly need not."""
    return f"{MISREAD}{reader}"


def reader_misread(sign: str) -> str | None:
    """Return the reader that such a sign is about; None for any other sign.

    >>> reader_misread(misread_by("reader-3")), reader_misread("reader-3")
    ('reader-3', None)
    """
    return sign.removeprefix(MISREAD) if sign.startswith(MISREAD) else None


def misread_told(event: Misread) -> Sentence:
    """Return what is wrong with a reader whose bytes its settings cannot read, and what to do."""
    values: dict[str, str | int] = {"reader": event.reader, "count": event.length}
    match event.cure:
        case Cure.FAMILY:
            return said(
                'the {reader} sends {count} bytes at a time, as the family "{setting}" does: write'
                ' family = "{setting}" in its settings',
                **values,
                setting=event.setting,
            )
        case Cure.SHAPE:
            return said(
                "the {reader} types {count} characters for a tag, in another shape than its"
                ' settings say: write shape = "{setting}" in them',
                **values,
                setting=event.setting,
            )
        case Cure.TEN:
            return said(
                "the {reader} types {count} characters for a tag: set it to ten digits (10D) with"
                " its maker's card, or say in its settings which shape they have",
                **values,
            )
    return said(
        "the {reader} sends {count} bytes at a time, as no known family does: check its cable and"
        " its settings; the log has the bytes",
        **values,
    )


@dataclass(frozen=True, slots=True)
class Resting:
    """Where the knobs rest, as far as readers can tell: a knob lies in one place, one on a reader.

    Many a reader never notices that it is empty: the last knob seems to lie on it for ever. Which
    kinds of reader do notice shows in time: a knob left one of them, and the next was not laid
    there at that very moment.

    Attributes:
        uses: what the readers are for.
        knobs: the knob on each reader.
        left: when a knob left, for each reader on which none was read since.
        noticing: the kinds of reader that notice that they are empty.
        counted: the last knob of a count on each reader, until something else is read.
    """

    uses: Mapping[str, ReaderUse] = field(default_factory=dict)
    knobs: Mapping[str, int] = field(default_factory=dict)
    left: Mapping[str, float] = field(default_factory=dict)
    noticing: frozenset[str] = frozenset()
    counted: Mapping[str, int] = field(default_factory=dict)

    def lay(self, reader: str, knob: int, at: float = 0.0) -> tuple[Resting, bool]:
        """Return where the knobs rest after one was read on a reader at that second.

        Returns:
            Also whether it was drawn, as far as can be told. The knob with which the count of the
                bag ended on that reader was not: a faltering reader reads it again while it still
                lies there. That holds once; laid there once more it was drawn.
        """
        noticed = self.left.get(reader, at) != at
        after = replace(
            self,
            left={other: when for other, when in self.left.items() if other != reader},
            noticing=self.noticing | ({self._kind(reader)} if noticed else frozenset()),
            counted=_without(self.counted, reader, knob),
            knobs=_without(self.knobs, reader, knob) | {reader: knob},
        )
        return after, self.counted.get(reader) != knob

    def count(self) -> Resting:
        """Return the same after a count of the bag: knobs on readers go into it, and were not
        drawn."""
        return replace(self, counted=self.knobs)

    def leave(self, reader: str, knob: int, at: float = 0.0) -> Resting:
        """Return where the knobs rest after one left a reader at that second."""
        gone = self.knobs.get(reader) == knob
        knobs = _without(self.knobs, reader, knob) if gone else self.knobs
        return replace(self, left={**self.left, reader: at}, knobs=knobs)

    def surely(self, lost: Collection[str] = ()) -> frozenset[int]:
        """Return the knobs that surely lie on readers: on those that would have noticed them leave.

        Args:
            lost: readers that notice nothing now.
        """
        noticing = self.noticing | {self._kind(reader) for reader in self.left}
        sure = {one for one in self.knobs if self._kind(one) in noticing and one not in lost}
        return frozenset(self.knobs[reader] for reader in sure)

    def _kind(self, reader: str) -> str:
        return self.uses.get(reader, ReaderUse()).kind

    def is_tray(self, reader: str) -> bool:
        """Return whether a called knob may be laid there without an announcement."""
        return self.uses.get(reader, ReaderUse()).use is Use.TRAY

    @property
    def placement(self) -> Mapping[int, int] | None:
        """Return the cavity, 0 to 9, of each knob that lies in one; None if none has a reader."""
        places = {name: use.cavity - 1 for name, use in self.uses.items() if use.cavity}
        knobs = self.knobs.items()
        return {knob: places[at] for at, knob in knobs if at in places} if places else None


def _without(places: Mapping[str, int], reader: str, knob: int) -> dict[str, int]:
    """Return the places of the other knobs, on the other readers."""
    return {other: lying for other, lying in places.items() if other != reader and lying != knob}
