"""Define `loto drill`."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

from station.base.disk import keep_file
from station.base.errors import EXIT_DONE, EXIT_NO, LotoError, SettingsError
from station.base.terminal import bar, out
from station.machine.bundle import PROJECT
from station.orders.tools import STATE, Where

EXIT_INTERRUPTED = 130  # as a shell says of Ctrl-C


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("drill")(drill)


def drill(
    quick: Annotated[
        bool, typer.Option("--quick", help="A part of each, in less than 90 seconds on two cores.")
    ] = False,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="This drill; may be given several times.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Where all luck comes from.")] = 1,
    case: Annotated[
        int | None,
        typer.Option(min=0, help="One case of the drill named by --only, as a failure tells it."),
    ] = None,
    minutes: Annotated[
        float, typer.Option(min=0, help="No longer than this for each drill; go on another time.")
    ] = math.inf,
    page: Annotated[
        Path | None, typer.Option("--out", help="Write the table there, as Markdown.")
    ] = None,
    state: STATE = None,
) -> None:
    """Try what power cuts, failing disks, damaged files and noisy readers do to the station.
    Nothing real is touched.

    The drills come with the checkout. The full figures take hours; the tally is kept in the state
    folder, and the next run goes on from there.

    \b
    Example: loto drill --quick
    Example: loto drill --only crash --minutes 30
    Example: loto drill --out docs/drill.md
    """
    if not (PROJECT / "tests" / "drill").is_dir():
        raise LotoError(
            f"the drills come with the checkout, and {PROJECT} is not one: go to yours, or unpack"
            " an archive that `./loto bundle` made of it, and type `./loto drill` there"
        )
    try:
        from tests.drill.courses import DRILLS
    except ModuleNotFoundError as error:
        fault = (
            f"the library {error.name!r} is missing: ./loto drill in a checkout puts it there by"
            " itself"
        )
        raise SettingsError("the drills", [fault]) from error
    from tests.drill.course import Took
    from tests.drill.report import page as as_page
    from tests.drill.report import table
    from tests.drill.tally import Part, Runner, Tally

    names = [one.name for one in DRILLS]
    if unknown := [name for name in only or () if name not in names]:
        raise SettingsError(
            "--only",
            [f"there is no drill {name!r}: there are {', '.join(names)}" for name in unknown],
        )
    chosen = [one for one in DRILLS if not only or one.name in only]
    if case is not None:
        if len(chosen) != 1:
            raise SettingsError("--case", ["say with --only which drill's case is meant"])
        [one] = chosen
        outcome = one.check(seed, case)
        took = outcome if isinstance(outcome, Took) else Took(outcome, 0.0)
        kept = f"{one.name}, seed {seed}, case {case}: kept ({took.units} {one.unit})."
        out.print(f"{kept} {took.note}".rstrip(". "))
        return
    folder = None if quick else Where(state).state_folder
    tally = Tally(seed) if folder is None else Tally.load(folder, seed)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    cases = {one.name: one.cases(seed) for one in chosen}
    until = {
        one.name: min(one.quick, cases[one.name]) if quick else cases[one.name] for one in chosen
    }
    together = [one for one in chosen if quick and not one.alone]
    ended = False
    with bar(*columns, what="{task.description:14}", on=out) as progress:
        bars = {
            one.name: progress.add_task(
                one.name, total=until[one.name], completed=tally.row(one).cases
            )
            for one in chosen
        }
        runner = Runner(
            tally,
            folder,
            os.cpu_count() or 1,
            lambda one, row: progress.update(bars[one.name], completed=row.cases),
        )
        try:
            for beside in [together, *([one] for one in chosen if one not in together)]:
                runner.run(
                    *(Part(one, cases[one.name], until[one.name], 60 * minutes) for one in beside)
                )
        except KeyboardInterrupt:
            ended = True
    out.print(table(tally, chosen, cases))
    for one in chosen:
        for note in tally.row(one).notes:
            out.print(f"{one.name}: {note}")
        for failure in tally.row(one).failures:
            out.print(failure)
    if ended:
        out.print(
            "Ended before its time."
            if folder is None
            else "Ended before its time: type the same, and it goes on from here."
        )
        raise typer.Exit(EXIT_INTERRUPTED)
    if page is not None:
        keep_file(
            page,
            as_page(
                tally, DRILLS, {one.name: cases.get(one.name) or one.cases(seed) for one in DRILLS}
            ).encode(),
        )
        out.print(f"{page} is written.")
    raise typer.Exit(EXIT_DONE if all(tally.row(one).kept(one) for one in chosen) else EXIT_NO)
