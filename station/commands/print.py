"""Define `loto print …`, which makes a PDF and says how to print it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from station.base.terminal import out
from station.base.tongue import tr
from station.commands.options import HERE, SETTINGS, Commands, argument, option
from station.commands.tools import Where, keep_output
from station.views.table.lesson import known
from station.wire.wording import Wording

commands = Commands(
    "print",
    "Make pages to print: the procedure for faults, the wiring, labels, the count of the knobs,"
    " score sheets, the rules of the games.",
)

Saved: TypeAlias = dict[str, str]  # what is told to programs
OUT: TypeAlias = Annotated[
    Path | None, option("The PDF to write; else its name in this folder.", "--out")
]
SIZE: TypeAlias = Annotated[Literal["a4", "letter"], option("The size of the paper.", "--paper")]
LANG: TypeAlias = Annotated[str | None, option("The language; else the hall's.", "--lang")]


@commands.command("procedure", says=True)
def procedure(
    lang: LANG = None, target: OUT = None, size: SIZE = "a4", where: SETTINGS = HERE
) -> Saved:
    """Print what to do when something fails, in large letters, to hang on the wall.

    Example: loto print procedure
    Example: loto print procedure --lang it --out wall.pdf
    """
    from station.machine.wiring.printing import print_procedure

    return _keep(target, "procedure", print_procedure(*_of_hall(where, lang), size))


@commands.command("census", says=True)
def census(
    lang: LANG = None, target: OUT = None, size: SIZE = "a4", where: SETTINGS = HERE
) -> Saved:
    """Print ninety boxes to tick when the knobs go into the bag.

    Example: loto print census
    """
    from station.machine.wiring.printing import print_census

    return _keep(target, "census", print_census(*_of_hall(where, lang), size))


@commands.command("rules", says=True)
def rules(
    games: Annotated[list[str], argument("Which games, by their names in a programme.")],
    told: Annotated[bool, option("Print an example of each, too.", "--example")] = False,
    lang: LANG = None,
    target: OUT = None,
    size: SIZE = "a4",
    where: SETTINGS = HERE,
) -> Saved:
    """Print the rules of games in short, to lay on the tables; and an example, step by step.

    Example: loto print rules loto-first
    Example: loto print rules spoil-five tontine --example --lang fr
    """
    from station.paper.prints.rules_paper import print_rules

    hall, words, names = where.settings().hall, where.wording(lang), [*map(known, games)]
    pdf = print_rules(names, words, hall.name, size, told=told, currency=hall.money)
    return _keep(target, "rules", pdf)


@commands.command("score", says=True)
def score(
    copies: Annotated[int, option("How many sheets: one for each game.", min=1, max=500)] = 1,
    lang: LANG = None,
    target: OUT = None,
    size: SIZE = "a4",
    where: SETTINGS = HERE,
) -> Saved:
    """Print sheets for calling without power: ten cavities a row for the numbers in order, the 90
    board to tick, the winners.

    Example: loto print score --copies 12
    """
    from station.paper.prints.score_sheet import print_score

    return _keep(target, "score", print_score(*_of_hall(where, lang), size, copies=copies))


@commands.command("labels", says=True)
def labels(
    diameter: Annotated[float, option("Of a label, in mm.", min=15, max=60)] = 22,
    target: OUT = None,
    size: SIZE = "a4",
) -> Saved:
    """Print round labels for the ninety knobs; those that read otherwise upside down have a bar
    beneath.

    Example: loto print labels --diameter 20
    """
    from station.machine.wiring.printing import print_labels

    return _keep(target, "labels", print_labels(diameter, size))


@commands.command("wiring", says=True)
def wiring(target: OUT = None, size: SIZE = "a4", where: SETTINGS = HERE) -> Saved:
    """Print what to buy, and every drawing of your own station's wiring, with the pins of the
    settings in force.

    Example: loto print wiring --profile hall
    """
    from station.machine.wiring.overview import drawings
    from station.machine.wiring.printing import print_wiring
    from station.machine.wiring.shopping import shopping

    settings = where.settings()
    if settings.simulated:
        why = tr("simulated devices have no wires: name a profile, such as --profile hall")
        raise typer.BadParameter(why, param_hint="--profile")
    named = f"the profile {where.profile}" if where.profile else "the settings"
    source = str(where.file) if where.file is not None else named
    parts, pens = shopping(settings.devices), drawings(settings.devices)
    return _keep(target, "wiring", print_wiring(parts, pens, source, size))


@commands.command("plate", says=True)
def plate(
    board: Annotated[Literal["desk", "lamps", "ten-readers"], option("Which plate.")] = "desk",
    target: OUT = None,
    size: SIZE = "a4",
) -> Saved:
    """Print the plate of the ten cavities: a dimensioned drawing, and the drilling template at its
    real size on several pages.

    Example: loto print plate --board ten-readers
    """
    from station.machine.wiring.cutting import load_plate, print_plate

    return _keep(target, "plate", print_plate(load_plate(board), size))


def _of_hall(where: Where, lang: str | None) -> tuple[Wording, str]:
    """Return the words of a page, and the hall's name."""
    hall = where.settings().hall
    return where.wording(lang), hall.name


def _keep(given: Path | None, name: str, pdf: bytes) -> Saved:
    target = given or Path(f"{name}.pdf")
    keep_output(target, pdf)
    out.print(
        tr("{target} is ready.", target=target)
        + " "
        + tr("Print at real size (100 %), not fitted to the page.")
    )
    return {"file": str(target)}
