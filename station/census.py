"""The census: every knob passes the reader once and is ticked off, nothing is called. Pure.

It begins empty, takes one tag at a time, and ends as the act that the journal keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from station.acts import MOST_FOREIGN, Census
from station.readiness import ALL_KNOBS
from station.table import number_list


class Tick(StrEnum):
    """What one tag was."""

    NEW = "new"
    AGAIN = "again"  # this very knob has passed already
    TWICE = "twice"  # another knob with this number has
    FOREIGN = "foreign"  # no knob of this hall, or a spare without a number


@dataclass(frozen=True)
class Counting:
    """A census under way.

    Attributes:
        knobs: tag → knob, of all that have a number.
        spares: those of the tags that sit in spare knobs: two tags of one knob are one body, a spare is another.
        found: by number, which bodies passed; 0 is that of the set of ninety, a spare's is its tag.
        foreign: tags that are no knob's, as many as can be named.
        unreadable: how often something could not be read.
        last: the number that passed last.
    """

    knobs: Mapping[int, int]
    spares: frozenset[int] = frozenset()
    who: str = ""
    found: Mapping[int, frozenset[int]] = field(default_factory=dict)
    foreign: frozenset[int] = frozenset()
    unreadable: int = 0
    last: int | None = None

    def read(self, tag: int) -> tuple[Counting, Tick]:
        """With this tag ticked off, and what it was."""
        number = self.knobs.get(tag)
        if number is None:
            foreign = self.foreign | {tag} if len(self.foreign) < MOST_FOREIGN else self.foreign
            return replace(self, foreign=foreign), Tick.FOREIGN
        body, bodies = tag if tag in self.spares else 0, self.found.get(number, frozenset())
        tick = Tick.AGAIN if body in bodies else Tick.TWICE if bodies else Tick.NEW
        return replace(self, found={**self.found, number: bodies | {body}}, last=number), tick

    def refused(self) -> Counting:
        """With one thing more that could not be read."""
        return replace(self, unreadable=self.unreadable + 1)

    def mended(self) -> Counting:
        """Begun again for what is wrong: doubles and foreign knobs are forgotten, for the caller takes them out."""
        kept = {number: bodies for number, bodies in self.found.items() if len(bodies) == 1}
        return replace(self, found=kept, foreign=frozenset())

    @property
    def missing(self) -> tuple[int, ...]:
        """The numbers that did not pass yet."""
        return tuple(sorted(ALL_KNOBS - self.found.keys()))

    @property
    def twice(self) -> tuple[int, ...]:
        """The numbers of which two knobs passed."""
        return tuple(sorted(number for number, bodies in self.found.items() if len(bodies) > 1))

    @property
    def whole(self) -> bool:
        """Ninety of ninety, each once, and no stranger among them."""
        return not self.missing and not self.twice and not self.foreign

    def act(self) -> Census:
        """What is recorded."""
        return Census(
            found=tuple(sorted(self.found)),
            twice=self.twice,
            foreign=tuple(sorted(self.foreign)),
            unreadable=self.unreadable,
            who=self.who or None,
        )


def sheet(found: tuple[int, ...], lines: tuple[str, ...] = ()) -> str:
    """The census on paper: ninety boxes, those found ticked, and what stands below.

    >>> sheet((1,)).splitlines()[0]
    '[x]  1  [ ]  2  [ ]  3  [ ]  4  [ ]  5  [ ]  6  [ ]  7  [ ]  8  [ ]  9  [ ] 10'
    """
    rows = [
        "  ".join(f"[{'x' if number in found else ' '}] {number:2}" for number in range(first, first + 10))
        for first in range(1, len(ALL_KNOBS), 10)
    ]
    count = f"{len(found)} of {len(ALL_KNOBS)} knobs"
    missing = sorted(ALL_KNOBS - {*found})
    below = [count, *([f"missing: {number_list(missing)}"] if missing else []), *lines]
    return "\n".join([*rows, "", *below]) + "\n"
