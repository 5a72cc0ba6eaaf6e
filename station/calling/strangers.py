"""Decide when the hall hears that something unknown lies on a reader. Pure.

One good frame may be noise: readers send tags that nobody laid. So what was heard once is noted,
and shown under the board. It is announced when it was heard twice: the reader confirms it, or it is
laid again within half a minute. A known tag needs no second frame; `docs/readers.md` says why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from types import MappingProxyType
from typing import TypeAlias

WITHIN_S = 30.0
NOTE_PAUSE_S = 60.0  # between two notes in the journal about one reader

# A tag, or why bytes were refused.
Stranger: TypeAlias = int | str


class Hearing(Enum):
    """What becomes of an unknown reading."""

    NOTED = auto()  # for the first time in a while: a line in the journal
    SHOWN = auto()
    ANNOUNCED = auto()


@dataclass(frozen=True, slots=True)
class Strangers:
    """What was heard that is not known, and when, by reader.

    Attributes:
        noted: when the journal had a note about each reader.
    """

    heard: Mapping[tuple[str, Stranger], float] = field(default_factory=lambda: _NOTHING)
    noted: Mapping[str, float] = field(default_factory=lambda: _NEVER)

    def hear(
        self, reader: str, what: Stranger, at: float, *, confirmed: bool = False
    ) -> tuple[Strangers, Hearing]:
        """Return what was heard with this reading, and what becomes of it.

        Args:
            confirmed: the reader has heard it a second time itself.
        """
        lately = {one: when for one, when in self.heard.items() if at - when <= WITHIN_S}
        again = confirmed or (reader, what) in lately
        after = replace(self, heard={**lately, (reader, what): at})
        if again:
            return after, Hearing.ANNOUNCED
        before = self.noted.get(reader)
        if before is not None and at - before < NOTE_PAUSE_S:
            return after, Hearing.SHOWN
        return replace(after, noted={**self.noted, reader: at}), Hearing.NOTED


_NOTHING: Mapping[tuple[str, Stranger], float] = MappingProxyType({})
_NEVER: Mapping[str, float] = MappingProxyType({})
