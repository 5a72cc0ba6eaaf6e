"""What `loto drill` does: some drills, side by side where they may, with bars; then their table."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

from station.base.disk import keep_file
from station.base.errors import EXIT_DONE, EXIT_NO, SettingsError
from station.base.terminal import bar, out
from tests.drill.course import Took
from tests.drill.courses import DRILLS
from tests.drill.report import means, table
from tests.drill.report import page as as_page
from tests.drill.tally import Part, Runner, Tally

EXIT_INTERRUPTED = 130  # as a shell says of Ctrl-C


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for.

    Attributes:
        folder: where the tally is kept; None for the quick part of each drill, which nobody keeps.
        only: the drills that are wanted, or the first words of families of them; all where none is
            named.
        seed: where all luck comes from.
        case: one case of one drill.
        minutes: no longer than this for each drill.
        page: where the table is written, as Markdown.
    """

    folder: Path | None
    only: tuple[str, ...]
    seed: int
    case: int | None
    minutes: float
    page: Path | None


def run(asked: Asked) -> int:
    """Run the drills, print their table and what was broken; return the exit code."""
    chosen = _chosen(asked)
    if asked.case is not None:
        _one_case(chosen, asked.seed, asked.case)
        return EXIT_DONE
    tally = Tally(asked.seed) if asked.folder is None else Tally.load(asked.folder, asked.seed)
    cases = {one.name: one.cases(asked.seed) for one in chosen}
    whole = _run_all(asked, chosen, tally, cases)
    out.print(table(tally, chosen, cases))
    for one in chosen:
        for note in [*tally.row(one).notes, *(means(tally.row(one)) if asked.folder else ())]:
            out.print(f"{one.name}: {note}")
        for failure in tally.row(one).failures:
            out.print(failure)
    if not whole:
        how = "." if asked.folder is None else ": type the same, and it goes on from here."
        out.print(f"Ended before its time{how}")
        return EXIT_INTERRUPTED
    if asked.page is not None:
        all_cases = {one.name: cases.get(one.name) or one.cases(asked.seed) for one in DRILLS}
        keep_file(asked.page, as_page(tally, DRILLS, all_cases).encode())
        out.print(f"{asked.page} is written.")
    return EXIT_DONE if all(tally.row(one).kept(one) for one in chosen) else EXIT_NO


def _chosen(asked: Asked) -> Sequence[Any]:
    names = [one.name for one in DRILLS]
    meant = {
        name: [one for one in names if one == name or one.startswith(f"{name}-")]
        for name in asked.only
    }
    if unknown := [name for name, some in meant.items() if not some]:
        raise SettingsError(
            "--only",
            [f"there is no drill {name!r}: there are {', '.join(names)}" for name in unknown],
        )
    wanted = {one for some in meant.values() for one in some}
    chosen = [one for one in DRILLS if not asked.only or one.name in wanted]
    if asked.case is not None and len(chosen) != 1:
        raise SettingsError("--case", ["say with --only which drill's case is meant"])
    return chosen


def _one_case(chosen: Sequence[Any], seed: int, case: int) -> None:
    [one] = chosen
    outcome = one.check(seed, case)
    took = outcome if isinstance(outcome, Took) else Took(outcome, 0.0)
    kept = f"{one.name}, seed {seed}, case {case}: kept ({took.units} {one.unit})."
    out.print(f"{kept} {took.note}".rstrip(". "))


def _run_all(asked: Asked, chosen: Sequence[Any], tally: Tally, cases: Mapping[str, int]) -> bool:
    """Run the drills, those beside each other that may; return whether they came to their end."""
    quick = asked.folder is None
    until = {
        one.name: min(one.quick, cases[one.name]) if quick else cases[one.name] for one in chosen
    }
    together = [one for one in chosen if quick and not one.alone]
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with bar(*columns, what="{task.description:14}", on=out) as progress:
        bars = {
            one.name: progress.add_task(
                one.name, total=until[one.name], completed=tally.row(one).cases
            )
            for one in chosen
        }
        runner = Runner(
            tally,
            asked.folder,
            os.cpu_count() or 1,
            lambda one, row: progress.update(bars[one.name], completed=row.cases),
        )
        try:
            for beside in [together, *([one] for one in chosen if one not in together)]:
                runner.run(
                    *(
                        Part(one, cases[one.name], until[one.name], 60 * asked.minutes)
                        for one in beside
                    )
                )
        except KeyboardInterrupt:
            return False
    return True
