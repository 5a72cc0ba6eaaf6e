"""Define `loto programme`: `check` a file, `show` its evening, and name the `kin` of Loto."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from station.base.errors import EXIT_USAGE, SettingsError
from station.base.terminal import out
from station.base.tongue import key, number_of, tr
from station.commands.options import HERE, JSON, SETTINGS, Commands, argument, option
from station.commands.print import SIZE
from station.commands.report import PDF, keep_pdf, show_table
from station.commands.tools import Where, print_json
from station.paper import programme_sheet
from station.paper.reports.sheets import NAME, SheetColumn, table
from station.programme.check import advice, check, load_programme
from station.programme.kin import kin_keys, load_kin
from station.programme.programme import SHIPPED, programme_path, read_toml
from station.rules.patterns import PATTERNS
from station.views.money_text import Currency

commands = Commands(
    "programme", "Check the programme of a night, and show the evening that it makes."
)

FILE: TypeAlias = Annotated[
    Path | None,
    argument(
        "A programme's file, or the name of one that ships; else the settings' one.",
        show_default=False,
    ),
]


@commands.command("check")
def programme_check(path: FILE = None, where: SETTINGS = HERE, as_json: JSON = False) -> None:
    """Look for faults in a programme, every one with its place, and give advice on what may not be
    meant.

    Exit code 0 when the station plays it (advice alone changes nothing), 2 when it has faults.

    Example: loto programme check my-night.toml
    Example: loto programme check hall-bingo
    """
    found = programme_file(path, where)
    programme, faults = check(read_toml(found))
    remarks = advice(programme) if programme is not None else ()
    if as_json:
        told = {"faults": [*map(asdict, faults)], "advice": [*map(asdict, remarks)]}
        print_json({"file": str(found), **told})
    elif programme is not None:
        games = number_of(len(programme.games), "game")
        out.print(
            tr(
                "{file}: “{name}”, {games}, no faults.",
                file=found,
                name=programme.name,
                games=games,
            )
        )
        for remark in remarks:
            out.print(f"  {tr('advice:')} {remark}")
    if faults and as_json:
        raise typer.Exit(EXIT_USAGE)
    if faults:
        raise SettingsError(str(found), [str(fault) for fault in faults])


@commands.command("show")
def programme_show(
    path: FILE = None,
    sold: Annotated[
        int | None,
        option("Cards sold for each game: what do the prizes come to?", min=0, max=10_000_000),
    ] = None,
    target: PDF = None,
    size: SIZE = "a4",
    where: SETTINGS = HERE,
    as_json: JSON = False,
) -> None:
    """Show the evening: games, stages, what must be covered, prizes; with --out as a page for the
    wall.

    Example: loto programme show
    Example: loto programme show hall-bingo --sold 120
    Example: loto programme show my-night.toml --out evening.pdf
    """
    programme, hall = load_programme(programme_file(path, where)), where.settings().hall
    wording, money = where.wording(), hall.money
    layouts = programme_sheet.laid_out(programme, sold) if sold is not None else ()
    if target is not None:
        from station.paper.prints.programme_paper import print_programme

        keep_pdf(target, print_programme(programme, money, wording, hall.name, sold, size))
    elif as_json:
        print_json(programme_sheet.to_json(programme, money, wording, layouts))
    else:
        show_table(programme_sheet.evening(programme, money, wording, layouts), money)
        for game in programme_sheet.games_of(programme, money, wording):
            _show_more(game)
        for rule in programme_sheet.rules_of(programme, money):
            out.print(rule)
        if sold is not None and layouts:
            show_table(programme_sheet.money(programme, sold, layouts), money)


@commands.command("kin")
def programme_kin(as_json: JSON = False) -> None:
    """Name the kin of Loto, tombola and others, that a game may be of: their prizes, and the usual
    shares.

    Example: loto programme kin
    """
    found = {name: load_kin(name) for name in kin_keys()}
    if as_json:
        told = []
        for name, kin in found.items():
            stages = [{"word": stage.word, **stage.model_dump()} for stage in kin.stages]
            told.append({"key": name, **kin.model_dump(exclude={"stages"}), "stages": stages})
        print_json(told)
        return
    rows = []
    for name, kin in found.items():
        for place, stage in enumerate(kin.stages):
            head = ("", "") if place else (name, f"{kin.title} ({kin.language})")
            covers = programme_sheet.covers(PATTERNS[stage.pattern])
            share = f"{stage.share:g} %" if stage.share is not None else tr("the rest")
            share = tr("where it is given a prize") if stage.extra else share
            rows.append((*head, stage.word, stage.name, covers, share))
    columns = (
        SheetColumn(key("kin")),
        SheetColumn(key("title")),
        SheetColumn("word", key("prizes.…")),
        NAME,
        SheetColumn("covers", key("wanted")),
        SheetColumn("share", key("usual share")),
    )
    show_table(table("kin", tr("The kin of Loto"), columns, rows), Currency())


def _show_more(game: programme_sheet.GameSheet) -> None:
    for stage in game.stages:
        for picture in stage.pictures:
            out.print(f"{game.number} {stage.name}:  {'   '.join(picture)}")
    for note in game.notes:
        out.print(f"{game.number} {game.name}: {note}")


def programme_file(path: Path | None, where: Where) -> Path:
    """Return the file that is meant: a path, one that ships, by its name, or the settings'."""
    if path is None:
        return where.settings().game.programme
    found = programme_path(path)
    if not found.exists():
        names = ", ".join(sorted(found.stem for found in SHIPPED.glob("*.toml")))
        raise SettingsError(
            str(path), [tr("there is no such file; {names} ship with the station", names=names)]
        )
    return found
