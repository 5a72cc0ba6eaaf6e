"""Count the knobs: each passes the reader once and is ticked off, and no number is called. Pure.

A census begins empty, takes one tag at a time, and ends as the act that the journal keeps: `census`
before an evening; at the table `shake`, for the bag of a drawing, which may have fewer knobs than
ninety.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from station.base.nouns import number_list
from station.base.tongue import tr
from station.night.acts import MOST_FOREIGN, Census, Shake
from station.night.readiness import ALL_KNOBS, census_faults


class Tick(StrEnum):
    """The result of reading one tag."""

    NEW = "new"
    AGAIN = "again"  # this very knob has passed already
    TWICE = "twice"  # another knob with this number has
    FOREIGN = "foreign"  # no knob of this hall, or a spare without a number
    AWAY = "away"  # a knob that was put away


@dataclass(frozen=True)
class Counting:
    """A census under way.

    Attributes:
        knobs: the knob's number for each tag that has one.
        spares: those of the tags that sit in spare knobs. Two tags in one knob count as one body, a
            spare as another.
        found: by number, the bodies that passed: 0 for the knob of the set of ninety, its tag for a
            spare.
        foreign: the tags that belong to no knob, as many as can be named.
        unreadable: how often the reader could not read what was on it.
        last: the number that passed last.
        bag: the knobs that must pass; the others are put away.
    """

    knobs: Mapping[int, int]
    spares: frozenset[int] = frozenset()
    who: str = ""
    found: Mapping[int, frozenset[int]] = field(default_factory=dict)
    foreign: frozenset[int] = frozenset()
    unreadable: int = 0
    last: int | None = None
    bag: frozenset[int] = ALL_KNOBS

    def read(self, tag: int) -> tuple[Counting, Tick]:
        """Return the census with this tag ticked off, and the result of reading it."""
        number = self.knobs.get(tag)
        if number is None:
            foreign = self.foreign | {tag} if len(self.foreign) < MOST_FOREIGN else self.foreign
            return replace(self, foreign=foreign), Tick.FOREIGN
        body, bodies = tag if tag in self.spares else 0, self.found.get(number, frozenset())
        first = Tick.NEW if number in self.bag else Tick.AWAY
        tick = Tick.AGAIN if body in bodies else Tick.TWICE if bodies else first
        return replace(self, found={**self.found, number: bodies | {body}}, last=number), tick

    def refused(self) -> Counting:
        """Return the census with one more unreadable thing."""
        return replace(self, unreadable=self.unreadable + 1)

    def mended(self) -> Counting:
        """Return the census to go on with after its faults: foreign tags and double numbers are
        forgotten, since the caller takes those knobs out of the bag."""
        good = self.bag.difference(self.twice)
        kept = {number: bodies for number, bodies in self.found.items() if number in good}
        return replace(self, found=kept, foreign=frozenset())

    @property
    def missing(self) -> tuple[int, ...]:
        """Return the numbers that have not passed yet."""
        return tuple(sorted(self.bag - self.found.keys()))

    @property
    def twice(self) -> tuple[int, ...]:
        """Return the numbers of which two knobs passed."""
        return tuple(sorted(number for number, bodies in self.found.items() if len(bodies) > 1))

    @property
    def whole(self) -> bool:
        """Return whether the knobs that must be there, and no others, passed once each."""
        return self.found.keys() == self.bag and not self.twice and not self.foreign

    @property
    def faults(self) -> tuple[str, ...]:
        """Return what is wrong with the knobs, one sentence for each fault."""
        return tuple(map(str, census_faults(self.act(), self.bag)))

    def act(self) -> Census:
        """Return the census as the journal records it."""
        return Census(
            found=tuple(sorted(self.found)),
            twice=self.twice,
            foreign=tuple(sorted(self.foreign)),
            unreadable=self.unreadable,
            who=self.who or None,
        )

    def shake(self) -> Shake:
        """Return the act that records the bag of a drawing, for a census that is whole."""
        return Shake(counted=len(self.found), found=tuple(sorted(self.found)))


def sheet(found: tuple[int, ...], lines: tuple[str, ...] = (), away: tuple[int, ...] = ()) -> str:
    """Return the census on paper: ninety boxes, found ticked, put away struck out, and lines below.

    >>> sheet((1,)).splitlines()[0]
    '[x]  1  [ ]  2  [ ]  3  [ ]  4  [ ]  5  [ ]  6  [ ]  7  [ ]  8  [ ]  9  [ ] 10'
    """
    marks = dict.fromkeys(away, "-") | dict.fromkeys(found, "x")
    rows = [
        "  ".join(f"[{marks.get(number, ' ')}] {number:2}" for number in range(first, first + 10))
        for first in range(1, len(ALL_KNOBS), 10)
    ]
    bag = ALL_KNOBS.difference(away)
    count = tr("{count} of {most} knobs", count=len(bag.intersection(found)), most=len(bag))
    missing = sorted(bag.difference(found))
    below = [
        count,
        *([tr("missing: {knobs}", knobs=number_list(missing))] if missing else []),
        *lines,
    ]
    return "\n".join([*rows, "", *below]) + "\n"
