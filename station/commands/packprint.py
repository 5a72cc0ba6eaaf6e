"""Define `loto pack print …`: cards on paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from station.base.terminal import out
from station.base.tongue import number_of, tr
from station.cards.cards_key import load_numbering
from station.cards.pack import Deck, Pack
from station.cards.serials import Numbering, qr_text
from station.commands.options import HERE, STATION, argument, option
from station.commands.pack import commands, load_pack
from station.commands.programme import programme_file
from station.commands.tools import Where, keep_output, progress_bar
from station.programme.check import load_programme
from station.settings.scan import run_meant


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
