"""Try the program itself: its tests and its drills, which come with the checkout."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from station.base.errors import LotoError, SettingsError
from station.base.later import later
from station.commands.options import HERE, STATE, Commands, argument, option

with later():
    from station.machine import bundle

commands = Commands()


@commands.command()
def drill(
    names: Annotated[
        list[str] | None,
        argument("The drills; a word stands for all whose names begin with it, as games."),
    ] = None,
    quick: Annotated[
        bool, option("A part of each, in less than 90 seconds on two cores.", "--quick")
    ] = False,
    only: Annotated[
        list[str] | None, option("The same; may be given several times.", "--only")
    ] = None,
    seed: Annotated[int, option("Where all luck comes from.", min=0)] = 1,
    case: Annotated[
        int | None, option("One case of the drill named by --only, as a failure tells it.", min=0)
    ] = None,
    minutes: Annotated[
        float, option("No longer than this for each drill; go on another time.", min=0)
    ] = math.inf,
    page: Annotated[Path | None, option("Write the table there, as Markdown.", "--out")] = None,
    where: STATE = HERE,
) -> None:
    """Try what power cuts, failing disks, damaged files and noisy readers do to the station.
    Nothing real is touched.

    The drills come with the checkout. The full figures take hours; the tally is kept in the state
    folder, and the next run goes on from there.

    Example: loto drill --quick
    Example: loto drill games
    Example: loto drill --only crash --minutes 30
    Example: loto drill --out docs/drill.md
    """
    if not (bundle.PROJECT / "tests" / "drill").is_dir():
        raise LotoError(
            f"the drills come with the checkout, and {bundle.PROJECT} is not one: go to yours, or"
            " unpack an archive that `./loto bundle` made of it, and type `./loto drill` there"
        )
    try:
        from tests.drill.command import Asked, run
    except ModuleNotFoundError as error:
        there = "./loto drill in a checkout puts it there by itself"
        fault = f"the library {error.name!r} is missing: {there}"
        raise SettingsError("the drills", [fault]) from error
    folder = None if quick else where.state_folder
    raise typer.Exit(run(Asked(folder, (*(names or ()), *(only or ())), seed, case, minutes, page)))


@commands.command(
    "test", context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)
def run_tests(
    context: typer.Context,
    fast: Annotated[
        bool,
        option(
            "In seconds: no types, no drills, no long tests, no rooms with clocks and disks.",
            "--fast",
        ),
    ] = False,
    no_skip: Annotated[bool, option("Any skipped test is a failure.", "--no-skip")] = False,
) -> None:
    """Run the checks, and every test but those of `root`, which make whole machines, and of `long`,
    which take seconds each; or the tests of either, or of rooms that are named. What follows the
    names goes to pytest.

    Style, format, layers and types come first; where one of them fails, nothing comes after them.

    Example: loto test
    Example: loto test --fast
    Example: loto test rules web
    Example: loto test root
    Example: loto test long
    Example: loto test night -k money
    """
    if not (bundle.PROJECT / "tests").is_dir():
        here = bundle.PROJECT
        raise LotoError(f"the tests come with the checkout, and {here} is not one: go to yours")
    from tests.running import run

    raise typer.Exit(run(context.args, fast=fast, no_skip=no_skip))
