"""The command line's printed cards: `loto pack print …`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
import typer
from rich.console import Console
from rich.progress import Progress as Bar

from station.cards import Deck, Pack
from station.commands.pack import load_pack
from station.commands.tools import CONFIG, PROFILE, STATE, Where
from station.disk import keep_file
from station.errors import Unreadable
from station.packs.cards_key import load_numbering
from station.packs.serials import Numbering, qr_text

out = Console(highlight=False, soft_wrap=True)


def register(packs: typer.Typer) -> None:
    """Adds the command to the group `pack`."""
    packs.command("print")(pack_print)


def pack_print(
    cards: Annotated[
        list[str] | None,
        typer.Argument(help="Serials and ranges, FIRST-LAST, with or without check characters; all cards if left out."),
    ] = None,
    per_page: Annotated[int, typer.Option(help="Cards on a page: 1, 2, 3, 6 (a strip) or 12.")] = 6,
    size: Annotated[Literal["a4", "letter"], typer.Option("--paper", "--size", help="The size of the paper.")] = "a4",
    large: Annotated[bool, typer.Option("--large", help="Digits as large as their cells allow, and heavier.")] = False,
    contrast: Annotated[bool, typer.Option("--contrast", help="Black on white, the blanks black.")] = False,
    colours: Annotated[
        Literal["none", "strip", "series"], typer.Option(help="A colour for each strip, or for each series.")
    ] = "none",
    logo: Annotated[Path | None, typer.Option(help="The hall's picture on each card: PNG or JPEG.")] = None,
    title: Annotated[str | None, typer.Option(help="What stands on each card; else the hall's name.")] = None,
    qr: Annotated[bool, typer.Option("--qr/--no-qr", help="Whether each card has its QR.")] = True,
    target: Annotated[Path, typer.Option("--out", help="The PDF to write.")] = Path("cards.pdf"),
    state: STATE = None,
    file: CONFIG = None,
    profile: PROFILE = None,
) -> None:
    """Make a PDF of the cards of the pack in use, each with its serial and a QR for the scanner.

    More than 1,000 pages become several files.

    \b
    Example: loto pack print
    Example: loto pack print A000001-A000060 --large --out front-rows.pdf
    Example: loto pack print --per-page 12 --colours strip --logo hall.png --title "Village Hall"
    """
    from station.prints.card_layouts import Look
    from station.prints.cardprint import PAGES, load_logo, page_count, print_cards

    where = Where(state, file, profile)
    pack = load_pack(where)
    numbering = load_numbering(pack.serials, where.state_folder) if qr else None
    deck = chosen(pack, cards or (), numbering)
    name = where.settings().hall.name if title is None else title
    look = Look(per_page, size, large, contrast, colours, name, qr)
    picture = load_logo(logo) if logo is not None else None
    pages = page_count(len(deck), look)
    targets = _targets(target, -(-pages // PAGES))
    with Bar(console=out, transient=True) as bar:
        task = bar.add_task("printing cards", total=pages)
        made = print_cards(
            deck,
            look,
            code=lambda serial: qr_text(serial, numbering),
            logo=picture,
            progress=lambda done, _: bar.update(task, completed=done),
        )
        for path, pdf in zip(targets, made, strict=True):
            _keep(path, pdf)
    files = str(targets[0]) if len(targets) == 1 else f"{targets[0]} to {targets[-1].name}"
    many = f"{len(deck)} {'card' if len(deck) == 1 else 'cards'} on {pages} {'page' if pages == 1 else 'pages'}"
    out.print(f"{many}: {files}. Print at real size (100 %), not fitted to the page.")


def chosen(pack: Pack, words: Sequence[str], numbering: Numbering | None = None) -> Deck:
    """The cards that words of a command line mean, in the pack's order, each once; all of them without words.

    A word is a serial, with or without its check characters, a QR's text, or two of them with a hyphen between.

    Raises:
        Unreadable: a word that means no card of the pack, or a range that runs backwards.
    """
    if not words:
        return pack.deck(np.arange(len(pack)))
    heads = {head: serial for serial in pack.serials if (head := serial.rpartition("-")[0])}
    if len(heads) < len(pack):
        heads = {}  # without its end a serial is no longer one card's

    def meant(word: str) -> str | None:
        return pack.find(word, numbering) or heads.get(word.upper())

    return pack.deck(np.unique(np.concatenate([_places(pack, word, meant) for word in words])))


def _places(pack: Pack, word: str, meant: Callable[[str], str | None]) -> npt.NDArray[np.int64]:
    serial = meant(word)
    if serial is not None:
        return np.array([pack.place(serial)])
    # A serial may have hyphens of its own: the one that stands between two cards of the pack is the range's.
    for place in (place for place, letter in enumerate(word) if letter == "-"):
        first, last = meant(word[:place]), meant(word[place + 1 :])
        if first is not None and last is not None:
            pack.between(first, last)
            return np.arange(pack.place(first), pack.place(last) + 1)
    raise Unreadable(f"{word}: no card of this pack, and no range of it; it has {pack.serials[0]} to {pack.serials[-1]}")


def _targets(target: Path, files: int) -> list[Path]:
    """One name, or names that count: cards-01.pdf, cards-02.pdf, …"""
    width = len(str(files))
    return [target] if files == 1 else [target.with_stem(f"{target.stem}-{n:0{width}d}") for n in range(1, files + 1)]


def _keep(path: Path, pdf: bytes) -> None:
    try:
        keep_file(path, pdf)
    except OSError as error:
        raise Unreadable(f"{path} cannot be written ({error.strerror}): name another file with --out") from error
