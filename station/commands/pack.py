"""Define `loto pack …`: make, import, export, check, show and print packs."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from station.base.disk import Disk, give_to_owner, keep_file, keep_folder
from station.base.errors import SettingsError, StoreError, Unreadable
from station.base.nouns import Columns, number_list
from station.base.terminal import out
from station.base.tongue import number_of, tr
from station.cards.card_arrays import STRIP, whole_strips
from station.cards.cards_key import KEY_FILE, load_key, load_numbering, make_key
from station.cards.pack import (
    Deck,
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
from station.cards.pack_sample import Wanted
from station.cards.serials import Numbering, is_keyed, qr_text, series_of
from station.commands.options import HERE, JSON, STATE, STATION, Commands, argument, option
from station.commands.programme import programme_file
from station.commands.tools import Where, draw_card, keep_output, print_json, progress_bar
from station.programme.check import load_programme
from station.record.state_check import pack_in_use
from station.settings.scan import card_looked_at, run_meant

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


# -- cards on paper --------------------------------------------------------------------------------


@commands.command("print", says=True)
def pack_print(
    cards: Annotated[
        list[str] | None,
        argument(
            "Serials and ranges, FIRST-LAST, with or without check characters; all cards if"
            " left out."
        ),
    ] = None,
    per_page: Annotated[int, option("Cards on a page: 1, 2, 3, 6 (a strip) or 12.")] = 6,
    size: Annotated[
        Literal["a4", "letter"], option("The size of the paper.", "--paper", "--size")
    ] = "a4",
    large: Annotated[
        bool, option("Digits as large as their cells allow, and heavier.", "--large")
    ] = False,
    contrast: Annotated[bool, option("Black on white, the blanks black.", "--contrast")] = False,
    colours: Annotated[
        Literal["none", "strip", "series"], option("A colour for each strip, or for each series.")
    ] = "none",
    logo: Annotated[
        Path | None, option("The hall's picture on each card: PNG or JPEG; else [hall] logo.")
    ] = None,
    title: Annotated[str | None, option("What stands on each card; else the hall's name.")] = None,
    qr: Annotated[bool, option("Whether each card has its QR.", "--qr/--no-qr")] = True,
    theme: Annotated[
        Path | None,
        option(
            "Pictures in place of the numbers: a theme's name (loto theme list), or its folder."
        ),
    ] = None,
    lang: Annotated[
        str | None, option("The language of the theme's words; else the hall's.", "--lang")
    ] = None,
    no_words: Annotated[
        bool,
        option(
            "Pictures without words, as where the programme in force says letters alone.",
            "--no-words",
        ),
    ] = False,
    target: Annotated[Path, option("The PDF to write.", "--out")] = Path("cards.pdf"),
    where: STATION = HERE,
) -> dict[str, Any]:
    """Make a PDF of the cards of the pack in use, each with its serial and a QR for the scanner.

    More than 1,000 pages become several files.

    Example: loto pack print
    Example: loto pack print A000001-A000060 --large --out front-rows.pdf
    Example: loto pack print --per-page 12 --colours strip --logo hall.png --title "Village Hall"
    Example: loto pack print --theme picture --lang fr --per-page 3
    """
    from station.paper.prints.card_layouts import CardLook
    from station.paper.prints.card_pictures import Pictured
    from station.paper.prints.cardprint import PAGES, has_names, load_logo, page_count, print_cards
    from station.programme.themes import load_theme
    from station.wire.wording import base_of

    pack = load_pack(where)
    numbering = load_numbering(pack.serials, where.state_folder) if qr else None
    deck = chosen(pack, cards or (), numbering)
    name = where.settings().hall.name if title is None else title
    look = CardLook(per_page, size, large, contrast, colours, name, qr)
    shown = logo or where.settings().hall.logo
    picture = load_logo(shown) if shown is not None else None
    pictured = None
    if theme is not None:
        words = not (no_words or _is_spelt(where, theme))
        spoken = lang or where.settings().hall.language
        pictured = Pictured(load_theme(theme), base_of(spoken, where.words), words)
    pages = page_count(len(deck), look)
    targets = _targets(target, -(-pages // PAGES))
    with progress_bar(tr("printing cards"), on=out) as told:
        made = print_cards(
            deck,
            look,
            code=lambda serial: qr_text(serial, numbering),
            logo=picture,
            pictured=pictured,
            progress=told,
        )
        for path, pdf in zip(targets, made, strict=True):
            keep_output(path, pdf)
    files = (
        str(targets[0])
        if len(targets) == 1
        else tr("{first} to {last}", first=targets[0], last=targets[-1].name)
    )
    made_of = tr(
        "{cards} on {pages}", cards=number_of(len(deck), "card"), pages=number_of(pages, "page")
    )
    out.print(f"{made_of}: {files}. {tr('Print at real size (100 %), not fitted to the page.')}")
    if pictured is not None and not pictured.theme.has(pictured.language):
        lacking = tr(
            "The theme has no words in the language {language}: they are in {other}.",
            language=pictured.language,
            other=pictured.theme.languages[0],
        )
        out.print(lacking)
    if pictured is not None and pictured.words and not has_names(deck, look, pictured, picture):
        out.print(
            tr(
                "The theme's words are too long for cards so small: pictures and numbers"
                " only. Fewer cards a page have them."
            )
        )
    return {"files": [str(path) for path in targets], "cards": len(deck), "pages": pages}


def _is_spelt(where: Where, theme: Path) -> bool:
    """Whether a game of the programme in force says the letters alone of this theme's words."""
    programme = load_programme(programme_file(None, where))
    return any(game.letters and Path(game.theme or "") == theme for game in programme.games)


def chosen(pack: Pack, words: Sequence[str], numbering: Numbering | None = None) -> Deck:
    """Return the cards that some words mean, in the pack's order, each once; without words, all.

    A word is a serial, with or without its check characters, a QR's text, or two of them with a
    hyphen between.

    Raises:
        Unreadable: a word that means no card of the pack, is half a range, or a range that runs
            backwards.
    """
    if not words:
        return pack.deck(np.arange(len(pack)))
    runs = [run_meant(pack, word, numbering) for word in words]
    return pack.deck(np.unique(np.concatenate([np.arange(start, end + 1) for start, end in runs])))


def _targets(target: Path, files: int) -> list[Path]:
    """Return one name, or numbered names: cards-01.pdf, cards-02.pdf, …"""
    if files == 1:
        return [target]
    width = len(str(files))
    return [target.with_stem(f"{target.stem}-{n:0{width}d}") for n in range(1, files + 1)]
