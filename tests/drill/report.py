"""The tally as a table for the terminal and as a page for the documents."""

from __future__ import annotations

import math
import os
import platform
from collections.abc import Mapping, Sequence

from rich.box import SIMPLE
from rich.table import Table

from tests.drill.course import Drill
from tests.drill.tally import FLAT, Row, Tally, commit, program


def result(drill: Drill, row: Row) -> str:
    """What came of it, in two words."""
    if not row.cases:
        return "not done"
    if row.broken:
        return f"{row.broken} broken"
    return "all kept" if row.kept(drill) else f"memory grew {row.growth or 0:.0%}"


def of_all(drill: Drill, cases: int) -> int:
    """The full figure in the drill's unit."""
    return drill.counts or cases


def duration(seconds: float) -> str:
    """Hours, minutes, seconds.

    >>> duration(4000)
    '1:06:40'
    """
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def slowest(row: Row) -> str:
    """The seconds of the slowest, where a promise is about that."""
    return f"{row.slowest:.1f} s" if row.slowest else ""


def means(row: Row) -> list[str]:
    """The mean of each length that was measured, with its standard error: a line for each name
    before the colon."""
    lines: dict[str, tuple[list[str], int]] = {}
    for name, (count, total, squares) in sorted(row.lengths.items()):
        about, _, what = name.rpartition(": ")
        mean = total / count
        error = math.sqrt(max(squares / count - mean * mean, 0.0) / max(count - 1, 1))
        told, _ = lines.get(about, ([], 0))
        lines[about] = [*told, f"{mean:,.2f} ± {error:.2f} {what}"], count
    return [f"{about}: {', '.join(told)}, of {count:,}" for about, (told, count) in lines.items()]


def table(tally: Tally, drills: Sequence[Drill], cases: Mapping[str, int]) -> Table:
    """For the terminal."""
    shown = Table(
        title=f"seed {tally.seed}, program {program()}, commit {commit()}",
        box=SIMPLE,
        padding=(0, 1, 0, 0),
    )
    for name in ("drill", "done", "of", "", "result", "slowest", "work"):
        shown.add_column(
            name, justify="left" if name in ("drill", "", "result") else "right", no_wrap=True
        )
    for drill in drills:
        row = tally.row(drill)
        shown.add_row(
            drill.name,
            f"{row.units:,}",
            f"{of_all(drill, cases[drill.name]):,}",
            drill.unit,
            result(drill, row),
            slowest(row),
            duration(row.seconds),
        )
    return shown


def page(tally: Tally, drills: Sequence[Drill], cases: Mapping[str, int]) -> str:
    """For the documents, in Markdown."""
    lines = [
        "# Fault drills",
        "",
        (
            "Written by `loto drill --out docs/drill.md`; do it again and compare. What each drill"
            " does is told at the top of its"
        ),
        (
            "module in `tests/drill`; the tests beside it show that it finds stations that are"
            " built wrong. A case that fails"
        ),
        (
            "is told with its drill, seed and number, and `loto drill --only NAME --seed N --case"
            " M` does it again."
        ),
        "",
        (
            f"Seed {tally.seed}. Python {platform.python_version()} on {platform.machine()},"
            f" {os.cpu_count()} cores. *Work* is the"
        ),
        "time that the drill's processes took, added up, in hours, minutes and seconds.",
        "",
        "| drill | promise | done | full figure | result | slowest | work | commit |",
        "|---|---|--:|--:|---|--:|--:|---|",
    ]
    for drill in drills:
        row = tally.row(drill)
        full = of_all(drill, cases[drill.name])
        done = f"{row.units:,} {drill.unit}"
        lines.append(
            f"| {drill.name} | {drill.promise} | {done} | {full:,} | {result(drill, row)} |"
            f" {slowest(row)} | {duration(row.seconds)} | {row.commit} |"
        )
    flat = [(drill, tally.row(drill)) for drill in drills if drill.flat]
    lines += [
        "",
        *(
            (
                f"Own memory in `{drill.name}`: no process grew by more than {row.growth:.1%} once"
                f" it was warm (allowed: {FLAT:.0%})."
                if row.growth is not None
                else f"Memory in `{drill.name}`: not measured, no process became warm."
            )
            for drill, row in flat
        ),
        "",
    ]
    for drill in drills:
        if notes := [*tally.row(drill).notes, *means(tally.row(drill))]:
            lines += [f"Measured in `{drill.name}`:", "", *(f"- {note}" for note in notes), ""]
    for drill in drills:
        if failures := tally.row(drill).failures:
            lines += [
                f"## {drill.name}: the first that were broken",
                "",
                "```",
                *failures,
                "```",
                "",
            ]
    return "\n".join(lines)
