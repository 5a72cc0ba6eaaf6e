"""Decide whether a game may open: by the census, the self-test, and what was waived. Pure.

The real night of a hall with a reader is strict: no game opens before all ninety knobs were
counted, or somebody said, with name and reason, that the hall plays all the same (H1, H2). TEST
nights, and halls that draw from the virtual bag alone, are free.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from station.base.nouns import KNOBS
from station.base.said import Sentence, Value, listed, row, said
from station.night.acts import Census, SelfTest, Waive

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
