"""The tally as a table for the terminal and as a page for the documents."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence

from rich.table import Table

from station.drill.course import Drill
from station.drill.tally import FLAT, Row, Tally

NOT_IN_MEMORY = (
    "real SIGKILL of the whole station and of the core alone",
    "each device fault, by the simulated device",
    "a hung main loop: stopped process, busy loop, blocked voice",
)


def result(drill: Drill, row: Row) -> str:
    """What came of it, in two words."""
    if not row.cases:
        return "not done"
    if row.broken:
        return f"{row.broken} broken"
    return "all kept" if row.kept(drill) else f"memory grew {row.growth:.0%}"


def of_all(drill: Drill, cases: int) -> int:
    """The full figure in the drill's unit."""
    return drill.counts or cases


def table(tally: Tally, drills: Sequence[Drill], cases: Mapping[str, int]) -> Table:
    """For the terminal."""
    shown = Table("drill", "done", "of", "result", "seconds", "a second", title=f"seed {tally.seed}, commit {tally.commit}")
    for drill in drills:
        row = tally.row(drill)
        speed = f"{row.units / row.seconds:,.0f}" if row.seconds else "-"
        done, full = f"{row.units:,} {drill.unit}", f"{of_all(drill, cases[drill.name]):,}"
        shown.add_row(drill.name, done, full, result(drill, row), f"{row.seconds:,.0f}", speed)
    return shown


def page(tally: Tally, drills: Sequence[Drill], cases: Mapping[str, int]) -> str:
    """For the documents, in Markdown."""
    lines = [
        "# Fault drills",
        "",
        "Written by `loto drill --out docs/drill.md`; do it again and compare. What each drill does is told at the top of its",
        "module in `station/drill`; `tests/drill` shows for each that it finds a station that is built wrong.",
        "",
        f"Commit {tally.commit}, seed {tally.seed}, Python {platform.python_version()} on {platform.machine()}.",
        "Seconds are of work on one core, added up.",
        "",
        "| drill | promise | done | full figure | result | seconds |",
        "|---|---|--:|--:|---|--:|",
    ]
    for drill in drills:
        row = tally.row(drill)
        full = of_all(drill, cases[drill.name])
        done = f"{row.units:,} {drill.unit}"
        lines.append(f"| {drill.name} | {drill.promise} | {done} | {full:,} | {result(drill, row)} | {row.seconds:,.0f} |")
    flat = [(drill, tally.row(drill)) for drill in drills if drill.flat]
    lines += [
        "",
        *(
            f"Memory in `{drill.name}`: no process grew by more than {row.growth:.1%} once it was warm (allowed: {FLAT:.0%})."
            for drill, row in flat
        ),
        "",
        "Not in this table, because they need a real machine: " + "; ".join(NOT_IN_MEMORY) + ".",
        "",
    ]
    for drill in drills:
        if failures := tally.row(drill).failures:
            lines += [f"## {drill.name}: the first that were broken", "", "```", *failures, "```", ""]
    return "\n".join(lines)
