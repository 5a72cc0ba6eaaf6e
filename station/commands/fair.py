"""Define `loto fair`: look for a bias in what is drawn."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from station.base.disk import Disk, keep_file
from station.base.errors import EXIT_NO
from station.base.system import writing
from station.base.terminal import out
from station.base.tongue import heads, number_of, tr
from station.commands.options import HERE, NIGHTS, Commands, option
from station.commands.tools import counting_bar, progress_bar
from station.odds.fair.battery import Finding, failed
from station.odds.fair.knobs import drawn_findings, judge_knobs, told
from station.paper.export import drawn_by_hand
from station.screens.web.checking import check_file

commands = Commands(
    "fair", "Look for a bias in what is drawn: in many bags, in a hall's own knobs."
)

MOST_BAGS, LEAST_BAGS = 10_000_000, 1000


@commands.command("test", says=True)
def fair_test(
    bags: Annotated[
        int, option("How many bags are drawn.", min=LEAST_BAGS, max=MOST_BAGS)
    ] = 20_000,
    cores: Annotated[int, option("Cores of this machine to use.", min=1, max=1024)] = 1,
) -> None:
    """Draw bags as the station draws them, and put them to the tests.

    Nothing is recorded. The tests are one family: fair bags fail any of them once in a hundred
    times.

    Example: loto fair test
    Example: loto fair test --bags 1000000 --cores 4
    """
    with counting_bar(tr("bags"), bags) as more:
        findings = drawn_findings(bags, cores, more)
    table = Table(*heads("what is looked at", "chance", "in the family"), box=None)
    for one in findings:
        table.add_row(_looks_at(one), f"{one.chance:.4f}", f"{one.level:.2f}")
    out.print(table)
    wrong = failed(findings)
    for one in wrong:
        out.print(tr("Failed: {test}.", test=_looks_at(one)))
    if wrong:
        out.print(tr("Fair bags fail once in a hundred times: run it again before you worry."))
        raise typer.Exit(EXIT_NO)
    drawn, tests = number_of(bags, "bag"), number_of(len(findings), "test")
    out.print(tr("{bags}, {tests}: no bias that they could see.", bags=drawn, tests=tests))


def _looks_at(one: Finding) -> str:
    return tr(one.key, numbers=one.numbers)


@commands.command("knobs", says=True)
def fair_knobs(where: NIGHTS = HERE) -> None:
    """Look through all nights for knobs of the hall's own that come too early or too late.

    Games count whose calls were all keyed or read from a tag. It is said how light or heavy a knob
    would have to be to show by now.

    Example: loto fair knobs
    """
    with progress_bar(tr("reading the nights")) as progress:
        found = judge_knobs(drawn_by_hand(where.nights, progress))
    for sentence in told(found):
        out.print(sentence)
    if found.off:
        raise typer.Exit(EXIT_NO)


@commands.command("page", says=True)
def fair_page(
    file: Annotated[Path, option("Where to write it.", "--out")] = Path("check.html"),
) -> None:
    """Write the page with which anybody checks a game, as one file that needs nothing else.

    Give it to players from elsewhere than the station, and publish its SHA-256, which is printed.

    Example: loto fair page
    Example: loto fair page --out check.html
    """
    data = check_file()
    with writing(file):
        keep_file(file, data, Disk())
    out.print(f"{file}: SHA-256 {hashlib.sha256(data).hexdigest()}")
