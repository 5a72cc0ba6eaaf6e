"""Define `loto pack …`: make, import, export, check and show packs."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from station.base.disk import Disk, give_to_owner, keep_file, keep_folder
from station.base.errors import SettingsError, StoreError, Unreadable
from station.base.nouns import Columns, number_list
from station.base.terminal import out
from station.base.tongue import number_of, tr
from station.cards.card_arrays import STRIP, whole_strips
from station.cards.cards_key import KEY_FILE, load_key, load_numbering, make_key
from station.cards.pack import (
    Pack,
    are_distinct,
    beside,
    draw_pack,
    load_cards,
    named,
    pack_bytes,
)
from station.cards.pack_files import CardsRead
from station.cards.pack_layouts import PackLayout
from station.cards.pack_shapes import Wanted
from station.cards.serials import Numbering, is_keyed, series_of
from station.commands.options import HERE, JSON, STATE, Commands, argument, option
from station.commands.tools import Where, draw_card, print_json, progress_bar
from station.record.state_check import pack_in_use
from station.settings.scan import card_looked_at

commands = Commands("pack", "Make, import, export, check and show packs of cards.")

MOST_STRIPS = 200_000
SEED_BYTES = 16
HEAD_BYTES = 4096  # of a pack's file: its first card is in them

LAYOUT: TypeAlias = Annotated[
    Literal["auto", "numbers", "rows", "cells", "grid"],
    option(
        "numbers: a line a card, 15 numbers. rows: three lines a card, 5 "
        "numbers. cells: a line a card, 27 cells. grid: three lines a card, 9 "
        "cells. auto: found from the file."
    ),
]
COLUMN: TypeAlias = Annotated[
    str | None, option("The column of the serials: its name or number.", "--serial-column")
]
LEAVE_OUT: TypeAlias = Annotated[
    list[str] | None,
    option(
        ("Columns with neither serials nor numbers, by name or number: Book,Page."),
        "--leave-out",
    ),
]
BLANK: TypeAlias = Annotated[
    list[str] | None,
    option("A sign for cells without a number, besides the usual ones.", "--blank"),
]
STANDING: TypeAlias = Annotated[
    Literal["auto", "tens-first", "tens-last"],
    option(
        "tens-first: 1-9, 10-19, … 80-90. tens-last: 1-10, 11-20, … 81-90. auto: tens-last where"
        " only that fits.",
        "--columns",
    ),
]
REPLACE: TypeAlias = Annotated[
    bool, option("Give up the pack in use; its cards are worthless then.", "--replace")
]


def load_pack(where: Where) -> Pack:
    """Return the pack in use.

    Raises:
        Unreadable: there is none.
    """
    return Pack.load(_in_use(where))


@commands.command("make", says=True)
def pack_make(
    strips: Annotated[int, option("Strips of six cards.", min=1, max=MOST_STRIPS)] = 4,
    seed: Annotated[
        str | None, option("Any text: the same one makes the same cards again.")
    ] = None,
    series: Annotated[
        str | None, option("Up to four capital letters before each card's number; else A.")
    ] = None,
    first: Annotated[int, option("The number of the first card.", min=0)] = 1,
    plain: Annotated[
        bool, option("Serials are numbers alone, which anybody can guess.", "--plain")
    ] = False,
    target: Annotated[
        Path | None, option("Write the CSV there instead of using it.", "--out")
    ] = None,
    replace: REPLACE = False,
    where: STATE = HERE,
) -> Mapping[str, Any]:
    """Make a pack of cards in strips of six, and use it from the next night on.

    Serials end in four check characters, made with the hall's key (cards.key in the state folder).

    Example: loto pack make --strips 20
    Example: loto pack make --strips 100 --series B --first 1001
    """
    if plain and series is not None:
        why = tr("plain serials have no series; leave out one of --plain and --series")
        raise Unreadable(f"--series {series}: {why}")
    path = _free(target or _in_use(where), replace)
    key = b"" if plain else _key(where, lost=replace and target is None)
    numbering = Numbering(key, "A" if series is None else series) if key else None
    said = seed if seed is not None else secrets.token_hex(SEED_BYTES)
    with progress_bar(tr("making cards"), on=out) as told:
        pack = draw_pack(strips, said, numbering, first=first, progress=told)
    _keep(pack, path, where if target is None else None)
    first_last = tr("{first} to {last}", first=pack.serials[0], last=pack.serials[-1])
    out.print(
        tr(
            "{cards} in {strips}, {first_last}: {file}",
            cards=number_of(len(pack), "card"),
            strips=number_of(strips, "strip"),
            first_last=first_last,
            file=path,
        )
    )
    if target is None:
        out.print(
            tr(
                "They serve from the next night on; a night that is open goes on with the"
                " cards that it began with."
            )
        )
    if seed is None:
        out.print(f"{tr('The same cards again:')} --seed {said} --strips {strips}")
    return {"file": str(path), "seed": said, **_described(pack)}


@commands.command("import", says=True)
def pack_import(
    file: Path,
    layout: LAYOUT = "auto",
    column: COLUMN = None,
    leave_out: LEAVE_OUT = None,
    blank: BLANK = None,
    columns: STANDING = "auto",
    series: Annotated[
        str | None, option("A name for these cards: with B, card 0017 becomes B 0017.")
    ] = None,
    add: Annotated[
        bool, option("Add these cards to the pack in use instead of replacing it.", "--add")
    ] = False,
    replace: REPLACE = False,
    where: STATE = HERE,
) -> Mapping[str, Any]:
    """Use a printed series from a CSV file, from the next night on; all of it or nothing.

    Example: loto pack import series-7.csv
    Example: loto pack import series-7.csv --layout rows --serial-column Ticket
    Example: loto pack import books.csv --leave-out Book,Page --columns tens-last
    Example: loto pack import second.csv --series B --add
    """
    if add and replace:
        raise Unreadable(
            tr("use either {first} or {second}, not both", first="--add", second="--replace")
        )
    path = _in_use(where) if add else _free(_in_use(where), replace)
    pack = _load(file, _wanted(layout, column, leave_out, blank, columns))
    if add:
        pack = _beside(load_pack(where), pack, series)
    elif series is not None:
        pack = named(pack, series)
    _keep(pack, path, where)
    out.print(f"{_summary(pack)}: {path}")
    return {"file": str(path), **_described(pack)}


@commands.command("export", says=True)
def pack_export(
    file: Annotated[Path, argument("The CSV to write.")],
    layout: Annotated[
        Literal["numbers", "rows", "cells", "grid"], option("As for loto pack import.")
    ] = "numbers",
    replace: Annotated[bool, option("Write over a file that is there.", "--replace")] = False,
    where: STATE = HERE,
) -> Mapping[str, Any]:
    """Write the pack in use as CSV, for a printer or another program.

    Example: loto pack export series-7.csv
    Example: loto pack export for-the-printer.csv --layout grid
    """
    pack = load_pack(where)
    if file.exists() and not replace:
        why = tr("there is such a file already: add --replace to write over it")
        raise SettingsError(str(file), [why])
    _write(file, pack.to_bytes(PackLayout(layout)))
    out.print(f"{number_of(len(pack), 'card')}: {file}")
    return {"file": str(file), "cards": len(pack)}


@commands.command("check")
def pack_check(
    file: Path,
    layout: LAYOUT = "auto",
    column: COLUMN = None,
    leave_out: LEAVE_OUT = None,
    blank: BLANK = None,
    columns: STANDING = "auto",
    as_json: JSON = False,
) -> None:
    """Check a CSV of cards; every fault is named with its line.

    Example: loto pack check series-7.csv
    """
    wanted = _wanted(layout, column, leave_out, blank, columns)
    pack = _load(file, wanted, silent=as_json)
    if as_json:
        print_json(_described(pack))
    else:
        out.print(tr("{file}: {summary}; all good", file=file, summary=_summary(pack)))


@commands.command("show")
def pack_show(
    serial: Annotated[
        str | None, argument("A serial, or a QR code's text; none tells of the pack.")
    ] = None,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Show a card of the pack in use as it is printed; or say how many cards there are.

    Example: loto pack show
    Example: loto pack show A000007-V7GT
    """
    pack = load_pack(where)
    if serial is None and as_json:
        print_json(_described(pack))
        return
    if serial is None:
        out.print(_summary(pack))
        return
    found = pack.find_counted(serial)
    if found is None:
        numbering = load_numbering(pack.serials, where.state_folder)
        found = card_looked_at(pack, serial, numbering)
    card = pack.card(found)
    if as_json:
        print_json({"serial": found, "rows": card.rows})
    else:
        out.print(draw_card(tr("card {serial}", serial=found), card.rows, columns=card.columns))


def _described(pack: Pack) -> Mapping[str, Any]:
    return {
        "cards": len(pack),
        "first": pack.serials[0],
        "last": pack.serials[-1],
        "series": pack.series,
        "strips": len(pack) // STRIP,
        "whole": whole_strips(pack.numbers),
        "digest": pack.digest,
    }


def _summary(pack: Pack) -> str:
    series = ", ".join(
        tr("{count} of series {series}", count=many, series=name)
        if name
        else tr("{count} without a series", count=many)
        for name, many in pack.series.items()
    )
    whole, (strips, over) = whole_strips(pack.numbers), divmod(len(pack), STRIP)
    if not whole:
        told = tr("not in strips of six")
    elif whole < strips:
        told = tr("{whole} of {strips} strips whole", whole=whole, strips=strips)
    else:
        told = number_of(whole, "whole strip")
        if over:
            told = tr("{strips} and {cards}", strips=told, cards=number_of(over, "card"))
    first_last = tr("{first} to {last}", first=pack.serials[0], last=pack.serials[-1])
    cards = f"{number_of(len(pack), 'card')}, {first_last} ({series})"
    return tr(
        "{cards}, {strips}, digest {digest}", cards=cards, strips=told, digest=pack.digest[:16]
    )


def _beside(own: Pack, other: Pack, series: str | None) -> Pack:
    """Return the pack in use with another series beside it; where both have the same serials the
    cards in use get a series, too.

    Raises:
        Unreadable: serials or cards of the two are alike.
    """
    if are_distinct(own, other.serials):
        return beside(own, other if series is None else named(other, series))
    if series is None:
        raise Unreadable(
            tr(
                (
                    "some serials are also in the pack in use, for example {first}: name "
                    "the new series with --series B"
                ),
                first=other.serials[0],
            )
        )
    if not all(map(series_of, own.serials)):
        first = "A" if series.upper() != "A" else "B"
        own = named(own, first)
        out.print(
            tr(
                (
                    "From the next night on, the cards already in use are series {series}, "
                    "{first} to {last}. Where both series have a number, the station asks "
                    "which card is meant."
                ),
                series=first,
                first=own.serials[0],
                last=own.serials[-1],
            )
        )
    return beside(own, named(other, series))


# -- files -----------------------------------------------------------------------------------------


def _wanted(
    layout: str,
    column: str | None,
    leave_out: list[str] | None,
    blank: list[str] | None,
    columns: str,
) -> Wanted:
    return Wanted(
        None if layout == "auto" else PackLayout(layout),
        column,
        tuple(leave_out or ()),
        tuple(blank or ()),
        None if columns == "auto" else Columns(columns),
    )


def _load(file: Path, wanted: Wanted, *, silent: bool = False) -> Pack:
    with progress_bar(tr("reading cards"), on=out) as told:
        read = load_cards(file, pack_bytes, wanted, told)
    if not silent:
        _say_how(read)
    return Pack.from_read(read)


def _say_how(read: CardsRead) -> None:
    """Say what in a file's columns nobody may expect."""
    if read.left_out:
        out.print(
            tr(
                "Serials: {serials}. Left out: {columns}.",
                serials=read.named or tr("the unnamed column"),
                columns=number_list(read.left_out),
            )
        )
    if read.below:
        out.print(tr("Left out below the last card: line {lines}.", lines=number_list(read.below)))
    if read.columns is Columns.TENS_LAST:
        out.print(tr("The columns of these cards are 1-10, 11-20, … 81-90."))


def _in_use(where: Where) -> Path:
    return pack_in_use(where.state_folder)


def _free(path: Path, replace: bool) -> Path:
    """Return a place for a pack.

    Raises:
        SettingsError: there is one already that is not to be replaced.
    """
    if path.exists() and not replace:
        worthless = tr("a pack is in use here; its printed cards would be worthless")
        raise SettingsError(str(path), [tr("{what}: add --replace if you mean it", what=worthless)])
    return path


def _key(where: Where, *, lost: bool) -> bytes:
    """Return the hall's key; with `lost` a new one may take the place of a lost one.

    Raises:
        StoreError: the key cannot be read, or is lost while cards numbered with it are in use.
    """
    state, path = where.state_folder, _in_use(where)
    if load_key(state) is None and not lost and path.is_file():
        first = Disk().read_first(path, HEAD_BYTES).partition(b"\n")[2].partition(b",")[0]
        if is_keyed(first.decode("ascii", "replace")):
            raise StoreError(
                tr(
                    "{file}: lost, and the pack in use was numbered with it: put it back from"
                    " your last backup, or give up that pack with --replace, or make plain"
                    " serials with --plain",
                    file=state / KEY_FILE,
                )
            )
    return make_key(state)


def _keep(pack: Pack, path: Path, where: Where | None) -> None:
    """Write a pack; with a station, as the one in use."""
    _write(path, pack.to_bytes())
    if where is not None:
        give_to_owner(where.state_folder)


def _write(path: Path, data: bytes) -> None:
    try:
        keep_folder(path.parent.absolute())
        keep_file(path, data)
    except OSError as error:
        raise SettingsError(
            str(path), [tr("cannot be written: {why}", why=error.strerror)]
        ) from error
