"""Define `loto print …`, which makes a PDF and says how to print it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from station.base.terminal import out
from station.orders.tools import CONFIG, PROFILE, Where, command_group, keep_output, option
from station.wire.wording import load_wording

print_app = command_group(
    "Make pages to print: the procedure for faults, the wiring, labels, the count of the knobs,"
    " score sheets."
)

OUT: TypeAlias = Annotated[
    Path | None, option("The PDF to write; else its name in this folder.", "--out")
]
SIZE: TypeAlias = Annotated[Literal["a4", "letter"], option("The size of the paper.", "--paper")]
LANG: TypeAlias = Annotated[str | None, option("The language; else the hall's.", "--lang")]


def register(app: typer.Typer) -> None:
    """Add these commands to the command line."""
    app.add_typer(print_app, name="print")


@print_app.command("procedure")
def procedure(
    lang: LANG = None,
    target: OUT = None,
    size: SIZE = "a4",
    file: CONFIG = None,
    profile: PROFILE = None,
) -> None:
    """Print what to do when something fails, in large letters, to hang on the wall.

    \b
    Example: loto print procedure
    Example: loto print procedure --lang it --out wall.pdf
    """
    from station.wiring.printing import print_procedure

    hall = Where(None, file, profile).settings().hall
    _keep(
        target or Path("procedure.pdf"),
        print_procedure(load_wording(lang or hall.language), hall.name, size),
    )


@print_app.command("census")
def census(
    lang: LANG = None,
    target: OUT = None,
    size: SIZE = "a4",
    file: CONFIG = None,
    profile: PROFILE = None,
) -> None:
    """Print ninety boxes to tick when the knobs go into the bag.

    \b
    Example: loto print census
    """
    from station.wiring.printing import print_census

    hall = Where(None, file, profile).settings().hall
    _keep(
        target or Path("census.pdf"),
        print_census(load_wording(lang or hall.language), hall.name, size),
    )


@print_app.command("score")
def score(
    copies: Annotated[int, option("How many sheets: one for each game.", min=1, max=500)] = 1,
    lang: LANG = None,
    target: OUT = None,
    size: SIZE = "a4",
    file: CONFIG = None,
    profile: PROFILE = None,
) -> None:
    """Print sheets for calling without power: ten cavities a row for the numbers in order, the 90
    board to tick, the winners.

    \b
    Example: loto print score --copies 12
    """
    from station.prints.score_sheet import print_score

    hall = Where(None, file, profile).settings().hall
    _keep(
        target or Path("score.pdf"),
        print_score(load_wording(lang or hall.language), hall.name, size, copies=copies),
    )


@print_app.command("labels")
def labels(
    diameter: Annotated[float, option("Of a label, in mm.", min=15, max=60)] = 22,
    target: OUT = None,
    size: SIZE = "a4",
) -> None:
    """Print round labels for the ninety knobs; those that read otherwise upside down have a bar
    beneath.

    \b
    Example: loto print labels --diameter 20
    """
    from station.wiring.printing import print_labels

    _keep(target or Path("labels.pdf"), print_labels(diameter, size))


@print_app.command("wiring")
def wiring(
    target: OUT = None, size: SIZE = "a4", file: CONFIG = None, profile: PROFILE = None
) -> None:
    """Print what to buy, and every drawing of your own station's wiring, with the pins of the
    settings in force.

    \b
    Example: loto print wiring --profile hall
    """
    from station.wiring.overview import drawings
    from station.wiring.printing import print_wiring
    from station.wiring.shopping import shopping

    settings = Where(None, file, profile).settings()
    if settings.simulated:
        raise typer.BadParameter(
            "simulated devices have no wires: name a profile, such as --profile hall",
            param_hint="--profile",
        )
    source = (
        str(file) if file is not None else f"the profile {profile}" if profile else "the settings"
    )
    parts, pens = shopping(settings.devices), drawings(settings.devices)
    _keep(target or Path("wiring.pdf"), print_wiring(parts, pens, source, size))


@print_app.command("plate")
def plate(
    board: Annotated[Literal["desk", "ten-readers"], option("Which plate.")] = "desk",
    target: OUT = None,
    size: SIZE = "a4",
) -> None:
    """Print the plate of the ten cavities: a dimensioned drawing, and the drilling template at its
    real size on several pages.

    \b
    Example: loto print plate --board ten-readers
    """
    from station.wiring.cutting import load_plate, print_plate

    _keep(target or Path("plate.pdf"), print_plate(load_plate(board), size))


def _keep(target: Path, pdf: bytes) -> None:
    keep_output(target, pdf)
    out.print(
        f"{target} is ready. Print it at its real size (100 %), not fitted to the page.",
        soft_wrap=True,
    )
