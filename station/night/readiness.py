"""Decide whether a game may open: by the census of the knobs, the self-test, and what somebody
waived. Pure.

The real night of a hall with a reader is strict: no game opens before all ninety knobs were
counted, or somebody said, with name and reason, that the hall plays all the same (H1, H2). TEST
nights, and halls that draw from the virtual bag alone, are free.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from station.base.nouns import KNOBS, number_list
from station.night.acts import Census, SelfTest, Waive

ALL_KNOBS = frozenset(range(1, KNOBS + 1))


class Outcome(StrEnum):
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


@dataclass(frozen=True, slots=True)
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
    census: Outcome = Outcome.NONE
    away: frozenset[int] = frozenset()
    self_test: Outcome = Outcome.NONE
    faults: tuple[str, ...] = ()
    faults_waived: bool = False

    def notation(self) -> str:
        """Return the readiness on one line; empty where none of these checks was ever made, as in
        older journals."""
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
                return replace(
                    self,
                    census=Outcome.FAULTY if census_faults(act) else Outcome.GOOD,
                    away=ALL_KNOBS - {*act.found},
                )
            case SelfTest():
                faults = tuple(
                    part.what for part in act.parts if part.result == "fault" and part.blocks
                )
                outcome = (
                    Outcome.FAULTY
                    if any(part.result == "fault" for part in act.parts)
                    else Outcome.GOOD
                )
                return replace(self, self_test=outcome, faults=faults, faults_waived=False)
            case Waive(about="census"):
                return replace(self, census=Outcome.WAIVED)
        return replace(self, faults_waived=True)

    def without(self, away: frozenset[int]) -> Readiness:
        """Return the readiness after a game at the table that ended with these knobs put away,
        although the census had found them."""
        if not away or self.census is not Outcome.GOOD:
            return self
        return replace(self, census=Outcome.NONE, away=away)

    def count(self, drawn: Iterable[int]) -> KnobCount:
        """Return where the knobs are while these are drawn: bag + drawn + put away are always
        90."""
        out = frozenset(drawn)
        away = self.away - out  # a knob that was missed and is drawn after all has been found
        return KnobCount(ALL_KNOBS - out - away, out, away)

    @property
    def wants_census(self) -> str:
        """Return why no game opens until the knobs were counted; empty if one may open."""
        if not self.strict or self.census in (Outcome.GOOD, Outcome.WAIVED):
            return ""
        if self.census is Outcome.FAULTY:
            found = "the last census found faults: count"
        elif self.away:
            found = (
                f"put away at the table since the last census: {number_list(sorted(self.away))};"
                " put them back and count"
            )
        else:
            found = "the knobs were not counted tonight: count"
        return (
            f"{found} them with ./loto census, or say who plays without it, and why, with ./loto"
            " census --waive"
        )

    @property
    def unfit(self) -> str:
        """Return why no game opens with a fault that the self-test found; empty if one may open."""
        if not self.strict or self.faults_waived or not self.faults:
            return ""
        return (
            f"the self-test found a fault in {', '.join(self.faults)}: mend it and test again with"
            " ./loto selftest, or say who plays all the same, and why, with ./loto selftest"
            " --waive"
        )


def census_faults(act: Census, bag: frozenset[int] = ALL_KNOBS) -> tuple[str, ...]:
    """Return what is wrong with the knobs, one sentence for each fault; empty for ninety of ninety.

    >>> from station.night.acts import Census
    >>> census_faults(Census(found=tuple(range(1, 90)), twice=(7,)))
    ('missing: 90', 'two knobs with one number: 7')

    Args:
        bag: the knobs that must be there, where some are put away.
    """
    faults = []
    if missing := bag - {*act.found}:
        faults.append(f"missing: {number_list(sorted(missing))}")
    if away := {*act.found} - bag:
        faults.append(f"put away, and among them: {number_list(sorted(away))}")
    if act.twice:
        faults.append(f"two knobs with one number: {number_list(act.twice)}")
    if act.foreign:
        faults.append(f"foreign tags: {', '.join(f'{tag:010d}' for tag in act.foreign)}")
    return tuple(faults)
