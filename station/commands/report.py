"""Define `loto report`: a night in words, on paper, in tables; and receipts that prove a prize."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer
from rich.table import Table as Shown

from station.base.disk import file_part, keep_file
from station.base.errors import EXIT_DONE, EXIT_NO, SettingsError
from station.base.terminal import out, styled
from station.base.tongue import tr
from station.base.typed import shown as in_line
from station.commands.journal import KEY, parse_kept, parse_keys
from station.commands.options import HERE, JSON, STATION_NIGHTS, Commands, argument, option
from station.commands.print import SIZE
from station.commands.tools import Where, keep_output, print_json, progress_bar
from station.paper.reports.report import NightReport, make_report
from station.paper.reports.report_source import read_source
from station.paper.reports.sheets import (
    CONTINENTAL,
    ENGLISH,
    Kind,
    Table,
    spelling_of,
    to_csv,
    to_json,
)
from station.record.audit import is_here, is_signed
from station.record.coded import read_code as read_head
from station.views.money_text import Currency
from station.wire.wording import Wording

if TYPE_CHECKING:
    from station.paper.prints.receipts import Code

commands = Commands("report", no_args_is_help=False)

PDF: TypeAlias = Annotated[Path | None, option("Write a PDF there.", "--out")]
NIGHT: TypeAlias = Annotated[
    int | None, option("Which night; the last that counts by default.", "--night", min=1)
]
OF_HALL = ("summary", "games", "stages", "wins")
OF_MONEY = ("sellers", "owed", "accounts", "sleepers", "corrections", "events")
# shown where a company sat down
OF_TABLES = ("companies", "evenings", "drawings", "shares", "doings")
MARK = "loto-report.txt"  # marks a folder of CSV files as ours


@commands.callback(invoke_without_command=True)
def report(
    context: typer.Context,
    night: NIGHT = None,
    target: PDF = None,
    folder: Annotated[Path | None, option("A folder for CSV files, one a table.", "--csv")] = None,
    style: Annotated[
        Literal["comma", "semicolon"] | None,
        option(
            "12.50 between commas, or 12,50 between semicolons; else as the hall's language"
            " has it.",
            "--csv-style",
        ),
    ] = None,
    size: SIZE = "a4",
    where: STATION_NIGHTS = HERE,
    key: KEY = None,
    as_json: JSON = False,
) -> None:
    """Report a night, also while it is open: games, winners, sellers, payments, the balance of
    every account, sleepers, faults.

    It is made from the journal alone, which is verified first. Exit code 4 when that is damaged;
    file and line are named.

    Example: loto report
    Example: loto report --night 3 --out report.pdf
    Example: loto report --csv night-3
    """
    if context.invoked_subcommand is not None:
        return
    hall = where.settings().hall
    language = "en" if as_json else None
    made = _report(where.nights, night, where.wording(), parse_keys(key), language)
    if as_json:
        print_json({"facts": {**made.facts, **made.proofs}, **to_json(made.tables.values())})
    elif target is None and folder is None:
        _print_facts(made.facts)
        sat = [name for name in OF_TABLES if made.tables[name].rows]
        for name in (*OF_HALL, *sat, *OF_MONEY):
            show_table(made.short(name), hall.money)
        out.print(styled(f"\n{tr('How to check this report')}", "bold"))
        _print_facts(made.proofs)
    if target is not None:
        from station.paper.prints.report_paper import print_report

        with progress_bar(tr("laying out")) as progress:
            pdf = print_report(made, hall.money, hall.name, size, progress, _pages(where))
        keep_pdf(target, pdf)
    if folder is not None:
        spellings = {"comma": ENGLISH, "semicolon": CONTINENTAL}
        spelling = spellings[style] if style else spelling_of(where.wording().base)
        tables = made.tables.items()
        _keep_csv(folder, {key: to_csv(one, hall.decimals, spelling) for key, one in tables})


def _print_facts(facts: Mapping[str, str]) -> None:
    widest = max(11, *map(len, facts))
    for name, text in facts.items():
        out.print(f"{name + ':':<{widest + 1}} {text}")


@commands.command("receipt")
def receipt(
    serial: str,
    game: Annotated[
        int | None, option("Of which game; the last that the card won in by default.", min=1)
    ] = None,
    night: NIGHT = None,
    target: PDF = None,
    where: STATION_NIGHTS = HERE,
    as_json: JSON = False,
) -> None:
    """Print the receipt of a card's prizes (A6): the card with its counters, sums, and a QR code
    that can be checked later.

    Example: loto report receipt 0007
    Example: loto report receipt 0007 --game 2 --out prize.pdf
    """
    from station.paper.prints.receipts import (
        code_text,
        find_receipt,
        print_receipt,
        winner_meant,
    )

    hall = where.settings().hall
    report = _report(where.nights, night, where.wording())
    found = find_receipt(report, winner_meant(report, serial), game)
    if as_json:
        told = ("stage", "amount", "thing", "calls")
        wins = [{key: getattr(win, key) for key in told} for win in found.wins]
        of = {"card": found.serial, "game": found.game, "holder": found.holder}
        head_code = found.report.source.head_code(_pages(where), found.game)
        print_json({**of, "wins": wins, "code": code_text(found.code, head_code)})
        return
    pdf = print_receipt(found, hall.money, hall.name, _pages(where))
    keep_pdf(target or Path(f"receipt-{file_part(found.serial)}.pdf"), pdf)


@commands.command("check")
def check(
    code: Annotated[
        str, argument('The text of the receipt\'s QR code, in quotes: "LOTO1 N3 G2 …".')
    ],
    where: STATION_NIGHTS = HERE,
    as_json: JSON = False,
) -> None:
    """Say whether a receipt is genuine.

    The text of its QR code is compared with the journal: does the prize stand, and is each number
    there as it was printed? Exit code 0 yes, 1 no, 4 when the journal is damaged.

    Example: loto report check "LOTO1 N3 G2 S0007 C41 D1A33… K0522… B4507… H0003:212:806A…"
    """
    from station.paper.prints.receipts import read_code

    read = read_code(code)
    report = _report(where.nights, read.night, where.wording())
    faults = receipt_faults(code, read, report, where.nights)
    if as_json:
        of = {"night": read.night, "game": read.game, "card": read.serial}
        print_json({**of, "same": not faults, "differs": faults})
    elif faults:
        out.print("\n".join(faults))
    else:
        prize = tr(
            "night {night}, game {game}, card {serial}",
            night=read.night,
            game=read.game,
            serial=read.serial,
        )
        out.print(tr("{prize}: all of it is in the journal as the receipt has it", prize=prize))
    raise typer.Exit(EXIT_NO if faults else EXIT_DONE)


def receipt_faults(text: str, read: Code, report: NightReport, nights: Path) -> list[str]:
    """Return in words what is wrong with the text of a receipt's code; empty if nothing is.

    Args:
        read: what the text says.
        report: of its night.
    """
    from station.paper.prints.receipts import unlike

    name, seq, root = parse_kept(read.head)
    faults, source = unlike(read, report), report.source
    if int(name) != read.night or not is_here(nights, name, seq, root, source.head.seq):
        faults.append(
            tr(
                "line {line} of night {night} is not in the journal with that root: a tail was cut"
                " off or rewritten",
                line=seq,
                night=name,
            )
        )
    coded = None if text.startswith("LOTO1") else read_head(text)
    if coded is not None:
        fits = (coded.head.night, coded.game, coded.bag) == (read.night, read.game, "")
        if not fits or not is_signed(nights, coded, source.head.seq, source.key):
            faults.append(tr("the signed head before the receipt is not this night's and game's"))
    return faults


def _pages(where: Where) -> str:
    """Return where telephones find the pages; empty where nobody knows."""
    from station.core.launch import own_pages

    return own_pages(where.settings().web)


def _report(
    nights: Path,
    night: int | None,
    wording: Wording,
    keys: Collection[str] = (),
    language: str | None = None,
) -> NightReport:
    with progress_bar(tr("verifying")) as progress:
        source = read_source(nights, night, progress, keys)
    return make_report(source, wording, language)


# -- what comes out --------------------------------------------------------------------------------


def show_table(shown: Table, currency: Currency) -> None:
    """Show a table on the terminal, under its title; of an empty one its note alone."""
    out.print(styled(f"\n{shown.title}", "bold"))
    if shown.rows:
        drawn = Shown(box=None, pad_edge=False, header_style="dim")
        rows = [[in_line(text) for text in shown.texts(row, currency)] for row in shown.rows]
        for place, column in enumerate(shown.columns):
            text = column.kind is Kind.TEXT
            # A sum broken over two lines would be misread.
            widest = None if text else max(len(row[place]) for row in rows)
            side: Literal["left", "right"] = "left" if text else "right"
            drawn.add_column(column.title, justify=side, overflow="fold", min_width=widest)
        for row in rows:
            drawn.add_row(*row)
        out.print(drawn)
    if shown.note:
        out.print(shown.note)


def keep_pdf(target: Path, pdf: bytes) -> None:
    """Write a PDF, whole or not at all."""
    keep_output(target, pdf)
    out.print(tr("{target} is ready.", target=target))


def _keep_csv(folder: Path, files: dict[str, bytes]) -> None:
    """Write a folder of CSV files anew; overwrite only what this program made."""
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    ours = names <= {MARK, *(f"{key}.csv" for key in files)} and (MARK in names or not names)
    if folder.exists() and not (folder.is_dir() and ours):
        why = tr("something else stands here, which would be lost: choose another name")
        raise SettingsError(str(folder), [why])
    folder = folder.absolute()
    draft, old = (folder.with_name(f".{folder.name}.{end}") for end in ("new", "old"))
    try:
        for rest in (draft, old):
            shutil.rmtree(rest, ignore_errors=True)
        draft.mkdir()
        for key, data in files.items():
            keep_file(draft / f"{key}.csv", data)
        keep_file(draft / MARK, b"Made by loto report --csv. The files are made anew each time.\n")
        if folder.exists():
            folder.rename(old)
        draft.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise SettingsError(
            str(folder), [tr("cannot be written here: {why}", why=error.strerror)]
        ) from error
    out.print(f"{folder}: {', '.join(sorted(files))}")
