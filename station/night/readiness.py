"""Count the knobs, and decide whether a game may open: census, self-test, waivers. Pure.

The real night of a hall with a reader is strict: no game opens before all ninety knobs were
counted, or somebody said, with name and reason, that the hall plays all the same (H1, H2). TEST
nights, and halls that draw from the virtual bag alone, are free.

A census begins empty, takes one tag at a time, and ends as the act that the journal keeps: `census`
before an evening; at the table `shake`, for the bag of a drawing, which may have fewer knobs than
ninety.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from station.base.nouns import KNOBS, number_list
from station.base.said import Sentence, Value, listed, row, said
from station.base.tongue import tr
from station.night.acts import MOST_FOREIGN, Census, SelfTest, Shake, Waive

ALL_KNOBS = frozenset(range(1, KNOBS + 1))


class CheckOutcome(StrEnum):
    """The result of a check, the last one of the night."""

    NONE = "none"  # not checked yet
    GOOD = "good"
    FAULTY = "faulty"
    WAIVED = "waived"


@dataclass(frozen=True, slots=True)
class KnobCount:
    """Where the ninety knobs are; each is in exactly one of the three sets."""

    bag: frozenset[int]
    drawn: frozenset[int]
    away: frozenset[int]


@dataclass(frozen=True)
class Readiness:
    """How ready the hall is for a game.

    Attributes:
        strict: whether a game opens only after a good census, and without a fault; else all this is
            only recorded.
        away: the knobs that the last census missed, or that were put away at the table since: they
            lie aside, or are lost.
        faults: what failed in the last self-test and could affect a game.
        faults_waived: whether somebody decided that the games go on with faults.
    """

    strict: bool = False
    census: CheckOutcome = CheckOutcome.NONE
    away: frozenset[int] = frozenset()
    self_test: CheckOutcome = CheckOutcome.NONE
    faults: tuple[str, ...] = ()
    faults_waived: bool = False

    @cached_property
    def notation(self) -> str:
        """Return the readiness on one line; empty if never checked."""
        if self == Readiness():
            return ""
        away = ",".join(map(str, sorted(self.away))) or "-"
        faults = ",".join(self.faults) or "-"
        checks = f"{self.census}:{away}:{self.self_test}:{faults}"
        return f"{int(self.strict)}:{checks}:{int(self.faults_waived)}"

    def after(self, act: Census | SelfTest | Waive) -> Readiness:
        """Return the readiness after this act."""
        match act:
            case Census():
                outcome = CheckOutcome.FAULTY if census_faults(act) else CheckOutcome.GOOD
                return replace(self, census=outcome, away=ALL_KNOBS - {*act.found})
            case SelfTest():
                failed = [part for part in act.parts if part.result == "fault"]
                faults = tuple(part.what for part in failed if part.blocks)
                outcome = CheckOutcome.FAULTY if failed else CheckOutcome.GOOD
                return replace(self, self_test=outcome, faults=faults, faults_waived=False)
            case Waive(about="census"):
                return replace(self, census=CheckOutcome.WAIVED)
        return replace(self, faults_waived=True)

    def without(self, away: frozenset[int]) -> Readiness:
        """Return the readiness after a game at the table that put these knobs away."""
        if not away or self.census is not CheckOutcome.GOOD:
            return self
        return replace(self, census=CheckOutcome.NONE, away=away)

    def count(self, drawn: Iterable[int]) -> KnobCount:
        """Return where the knobs are while these are drawn: bag + drawn + away are always 90."""
        out = frozenset(drawn)
        away = self.away - out  # a knob that was missed and is drawn after all has been found
        return KnobCount(ALL_KNOBS - out - away, out, away)

    @property
    def wants_census(self) -> Sentence | None:
        """Return why no game opens until the knobs were counted; None if one may open."""
        if not self.strict or self.census in (CheckOutcome.GOOD, CheckOutcome.WAIVED):
            return None
        if self.census is CheckOutcome.FAULTY:
            found = said("the last census found faults: count them")
        elif self.away:
            found = said(
                "put away at the table since the last census: {numbers}; put them back and count"
                " them",
                numbers=listed(sorted(self.away)),
            )
        else:
            found = said("the balls were not counted tonight: count them")
        return said(
            "{found} on the page /caller or with {loto} census, or say who plays without it, and"
            " why, there or with {loto} census --waive",
            found=found,
        )

    @property
    def unfit(self) -> Sentence | None:
        """Return why no game opens with a fault that the self-test found; None if one may open."""
        if not self.strict or self.faults_waived or not self.faults:
            return None
        return said(
            "the self-test found a fault in {parts}: mend it and test again on the page /caller"
            " or with {loto} selftest, or say who plays all the same, and why, there or with"
            " {loto} selftest --waive",
            parts=row(self.faults),
        )


def census_faults(
    act: Census, bag: frozenset[int] = ALL_KNOBS, most: int = KNOBS
) -> tuple[Sentence, ...]:
    """Return what is wrong with the knobs, one sentence for each fault; empty for ninety of ninety.

    >>> from station.night.acts import Census
    >>> [str(fault) for fault in census_faults(Census(found=tuple(range(1, 90)), twice=(7,)))]
    ['missing: 90', 'two balls with one number: 7']

    Args:
        bag: the knobs that must be there, where some are put away.
        most: how many knobs of one fault are named.
    """

    def named(all_of_them: Iterable[int | str]) -> Value:
        first, more = tuple(all_of_them)[:most], tuple(all_of_them)[most:]
        return said("{numbers} and more", numbers=row(first)) if more else listed(first)

    faults = []
    if missing := bag - {*act.found}:
        faults.append(said("missing: {numbers}", numbers=named(sorted(missing))))
    if away := {*act.found} - bag:
        faults.append(said("put away, and among them: {numbers}", numbers=named(sorted(away))))
    if act.twice:
        faults.append(said("two balls with one number: {numbers}", numbers=named(act.twice)))
    if act.foreign:
        tags = row(f"{tag:010d}" for tag in act.foreign)
        faults.append(said("foreign tags: {tags}", tags=tags))
    return tuple(faults)


# -- a census --------------------------------------------------------------------------------------


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
