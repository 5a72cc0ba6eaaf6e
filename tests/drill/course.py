"""What a drill is: cases by number, each the same for the same seed, so that one that fails can be
told and done again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import gcd
from random import Random
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from station.base.errors import EXIT_NO, LotoError


class Took(NamedTuple):
    """What a case comes to where more counts than units: seconds of the slowest, what else was
    measured, if any, and lengths of which the means are told, each by its name."""

    units: int
    seconds: float
    note: str = ""
    lengths: Mapping[str, int] = MappingProxyType({})


class Broken(LotoError):
    """A promise was not kept; the message is the whole scenario."""

    exit_code = EXIT_NO


Check: TypeAlias = Callable[[int, int], "int | Took"]


@dataclass(frozen=True)
class Drill:
    """One row of the table.

    Attributes:
        name: what `--only` takes.
        promise: what must be true, and what is done to it.
        unit: what is counted.
        check: does the case of this seed and number; gives how many units it was, and how long they
            took where a promise is about that. Raises `Broken`.
        cases: how many cases the full figure takes; for a drill of every place there is, asked of
            the seed.
        quick: how many of them `--quick` does; spread over all of them.
        chunk: how many are done between two looks at the tally.
        counts: how many units the full figure is, where a case has more or less than one.
        flat: whether the memory of the process must stay within 5 %.
        waits: whether a case mostly waits for other processes: twice as many are done at a time as
            there are cores, or beside others that work.
        alone: whether nothing else may be done meanwhile, for a promise is about seconds.
        single: whether one case may not be done beside another either.
    """

    name: str
    promise: str
    unit: str
    check: Check
    cases: Callable[[int], int]
    quick: int
    chunk: int = 500
    counts: int | None = None
    flat: bool = False
    waits: bool = False
    alone: bool = False
    single: bool = False


def stride(cases: int) -> int:
    """How far it is from each case to the one that is done next: all are done, each once, any
    beginning of them well spread.

    >>> [place * stride(10) % 10 for place in range(10)]
    [0, 7, 4, 1, 8, 5, 2, 9, 6, 3]
    """
    step = max(1, round(cases * 0.618))
    while gcd(step, cases) != 1:
        step += 1
    return step


def luck(name: str, seed: int, case: int) -> Random:
    """The chance of one case of a drill."""
    return Random(f"{name}/{seed}/{case}")


def must(kept: bool, promise: str, *scenario: object) -> None:
    """Raises `Broken` with the scenario when a promise was not kept."""
    if not kept:
        raise Broken("\n".join([promise, *(f"  {part}" for part in scenario)]))
