"""Each drill on stations that are built wrong: it must find every one. On the station as it is,
`loto drill --quick` does a part of each, after all tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.drill import (
    answers,
    boxes,
    crash,
    cut,
    damage,
    fail,
    frames,
    keys,
    machine,
    mutants,
    year,
)
from tests.drill.course import Broken, Check, Drill, stride
from tests.drill.courses import DRILLS

SEED = 5


def cases_of(drill: Drill, count: int) -> list[int]:
    """The first so many cases of a drill, in its own order."""
    cases = drill.cases(SEED)
    return [place * stride(cases) % cases for place in range(min(count, cases))]


ONCE_FAILED = [
    tuple(line.split()[:3])
    for line in (Path(__file__).parent / "once_failed.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "seed", "case"), ONCE_FAILED, ids=["-".join(row) for row in ONCE_FAILED]
)
def test_what_once_failed_keeps_its_promise(name: str, seed: str, case: str) -> None:
    """Each case that a drill once told of, for good."""
    [drill] = [drill for drill in DRILLS if drill.name == name]
    drill.check(int(seed), int(case))


def with_disk(kind: type, check: Callable[..., int]) -> Check:
    return partial(check, kind=kind)


def with_session(kind: type, check: Callable[..., int]) -> Check:
    return partial(check, session=kind)


DISKS: list[tuple[str, type, Callable[..., int]]] = [
    ("crash", mutants.NoSync, crash.check),
    ("crash", mutants.LateSync, crash.check),
    ("crash", mutants.NoFolderSync, crash.check),
    ("crash", mutants.TrustingStart, crash.check),
    ("crash", mutants.CutsTooMuch, crash.check),
    ("fail", mutants.DeafToFaults, fail.check),
    ("fail", mutants.BlindToShortWrites, fail.check),
    ("fail", mutants.TrustingStart, fail.check),
]
SESSIONS: list[tuple[str, type, Callable[..., int]]] = [
    ("fail", mutants.Retries, fail.check),
    ("fail", mutants.SpeaksFirst, fail.check),
    ("machine", mutants.ForgetsAnswers, machine.check),
    ("machine", mutants.SkipsUndo, machine.check),
    ("machine", mutants.SpeaksFirst, machine.check),
    ("year", mutants.SkipsUndo, year.check),
]
CHIPS = (mutants.Deceived, mutants.Swallows, mutants.Forgets)
BOXES = (
    mutants.Unchecked,
    mutants.SmallLetters,
    mutants.LooseEnd,
    mutants.Forgetful,
    mutants.Stumbles,
)
KEYBOARDS = (mutants.Sticky, mutants.DeafToLosses, mutants.ShortSighted)
OTHERS: list[tuple[str, str, Check]] = [
    ("damage", "sees nothing", partial(damage.check, verify=mutants.sees_nothing)),
    ("damage", "names another line", partial(damage.check, verify=mutants.names_another_line)),
    *(
        (f"frames-{family}", flaw, partial(frames.check, family, decoder=mutants.lax_decoder(flaw)))
        for family in frames.TABLES
        for flaw in ("no check", "zero", "small letters", "raises")
        if (family, flaw) != ("parallax", "no check")
    ),
    (
        "frames-parallax",
        "one is enough",
        partial(frames.check, "parallax", decoder=mutants.Gullible),
    ),
    *((answers.NAME, kind.__name__, partial(answers.check, frames=kind)) for kind in CHIPS),
    *(
        (answers.NAME, tags.__name__, partial(answers.check, listed=tags))
        for tags in (mutants.first_of_many, mutants.loosely)
    ),
    *((boxes.NAME, kind.__name__, partial(boxes.check, decoder=kind)) for kind in BOXES),
    *((keys.NAME, kind.__name__, partial(keys.check, typed=kind)) for kind in KEYBOARDS),
    *(
        (f"frames-{family}", "impatient", partial(frames.check, family, decoder=mutants.Impatient))
        for family in frames.TABLES
    ),
]
BUILT_WRONG = [
    *((name, kind.__name__, with_disk(kind, check)) for name, kind, check in DISKS),
    *((name, kind.__name__, with_session(kind, check)) for name, kind, check in SESSIONS),
    *OTHERS,
]


def finds(name: str, check: Check, most: int) -> str:
    """The first scenario that a drill finds in so many cases, or nothing."""
    [drill] = [drill for drill in DRILLS if drill.name == name]
    for case in cases_of(drill, most):
        try:
            check(SEED, case)
        except Broken as error:
            return str(error)
    return ""


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "flaw", "check"), BUILT_WRONG, ids=[f"{name}-{flaw}" for name, flaw, _ in BUILT_WRONG]
)
def test_a_drill_finds_what_is_built_wrong(name: str, flaw: str, check: Check) -> None:
    """Within the cases that `loto drill --quick` does, the fault is found and told with its
    scenario."""
    [drill] = [drill for drill in DRILLS if drill.name == name]
    assert finds(name, check, drill.quick)


JUDGES = [
    ("cut", mutants.old_tail, cut.check),
    ("tail", mutants.old_tail, cut.check_tail),
    ("crash", mutants.old_tail, crash.check),
    ("damage", mutants.any_tail, damage.check),
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "judge", "check"),
    JUDGES,
    ids=[f"{name}-{judge.__name__}" for name, judge, _ in JUDGES],
)
def test_a_wrong_judge_of_torn_tails_is_found(
    name: str, judge: Any, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it takes a torn tail for damage or damage for a torn tail."""
    monkeypatch.setattr("station.record.journal.can_be_one_line", judge)
    [drill] = [drill for drill in DRILLS if drill.name == name]
    assert finds(name, check, drill.quick)


def test_a_tail_cut_too_short_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One byte of the line before goes with the torn tail: the chain does not go on."""
    monkeypatch.setattr(cut, "MemoryDisk", mutants.CutsTooMuch)
    assert finds("tail", cut.check_tail, 500)


@pytest.mark.parametrize(("name", "check"), [("machine", machine.check), ("year", year.check)])
def test_money_that_goes_astray_is_found(
    name: str, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The odd units of a share that is split are given to nobody: paper has it otherwise."""
    monkeypatch.setattr(
        "station.games.loto_first.claims.split", lambda amount, ways: (amount // (ways + 1), 0)
    )
    assert "do not agree" in finds(name, check, 40)


def test_a_failing_case_is_told_so_that_it_can_be_done_again() -> None:
    """The same seed and number come to the same scenario, word for word."""
    check = with_disk(mutants.NoSync, crash.check)
    first = finds("crash", check, 100)
    assert first
    assert finds("crash", check, 100) == first
