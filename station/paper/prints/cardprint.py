"""Print cards as PDF: any cards of a pack, 1 to 12 on a page, each with its serial and its QR.

What all cards of a file have alike (lines, title, picture) is drawn once and stamped; the rest is
put together from ready pieces of PDF: hundreds of pages a second of one core. The same cards with
the same look are the same bytes.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from unicodedata import normalize

import numpy as np
from PIL import Image, ImageOps

from station.base.errors import Unreadable
from station.base.nouns import COLUMNS, ROWS
from station.base.tongue import key, tr
from station.base.untrusted import file_bytes, read_toml
from station.cards.card_arrays import COLUMN_OF, STRIP
from station.cards.pack import Deck
from station.cards.serials import series_of
from station.paper.prints.card_layouts import GAP, SIDE, Area, CardLook, Face, face, sheet, widest
from station.paper.prints.card_pictures import PictureCells, Pictured, figures
from station.paper.prints.card_pieces import CardPieces
from station.paper.prints.paper import MM, Paper
from station.paper.prints.sheet_paper import legible

PAGES = 1000  # of one file: so it is made in little memory, and a shop prints it in one go
COLOURS = Path(__file__).parent / "card_colours.toml"
COLOUR = re.compile("#[0-9a-fA-F]{6}")
BLANK, BLACK, GREY = "#e4e4e4", "#000000", "#555555"
LOGO_BYTES, LOGO_DOTS, LOGO_KEPT = 20_000_000, 50_000_000, (1200, 600)
THIN, HEAVY = 0.7, 1.4

Code = Callable[[str], str]
Logo = Image.Image | None
Progress = Callable[[int, int], None]


def print_cards(
    deck: Deck,
    look: CardLook,
    *,
    code: Code = str,
    logo: Image.Image | None = None,
    pictured: Pictured | None = None,
    pages_per_file: int = PAGES,
    progress: Progress | None = None,
) -> Iterator[bytes]:
    """Yield the cards as one PDF, or as several of `pages_per_file` pages.

    Args:
        deck: which cards of the pack; printed in its order.
        code: what the QR of a serial holds.
        logo: as `load_logo` gives it.
        pictured: the pictures and words that stand for the numbers; None for numbers.
        progress: called after each page with the pages done and the pages in all.

    Raises:
        Unreadable: there are no cards, or the title is too long.
    """
    if not len(deck):
        raise Unreadable(tr("no cards to print: name serials of the pack"))
    printer = _Printer(deck, look, code, logo, pictured)
    pages = page_count(len(deck), look)
    for first in range(0, pages, pages_per_file):
        paper = Paper(look.title or "Cards", look.size, landscape=look.landscape)
        printer.begin(paper)
        for page in range(first, min(first + pages_per_file, pages)):
            if page > first:
                paper.next_page()
            printer.page(paper, page, pages)
            if progress is not None:
                progress(page + 1, pages)
        yield paper.save()


def page_count(cards: int, look: CardLook) -> int:
    """Return how many pages the cards take."""
    return -(-cards // look.per_page)


def has_names(
    deck: Deck, look: CardLook, pictured: Pictured, logo: Image.Image | None = None
) -> bool:
    """Return whether the names of a theme fit beneath its pictures on these cards."""
    measured = figures(_face_of(deck, look, logo), look, pictured)
    return all(figure.name is not None for figure in measured.values())


def _face_of(deck: Deck, look: CardLook, logo: Image.Image | None) -> Face:
    wide = logo.width / logo.height if logo else 0
    return face(sheet(look).cards[0], look, widest(map(_set, deck.serials)), logo=wide)


def _set(serial: str) -> str:
    return serial if serial.isascii() else legible(normalize("NFKC", serial))


class _Printer:
    """A deck being printed in one look."""

    def __init__(
        self, deck: Deck, look: CardLook, code: Code, logo: Logo, pictured: Pictured | None
    ) -> None:
        self._deck, self._look, self._code, self._pictured = deck, look, code, pictured
        self._logo = logo.convert("LA") if logo is not None and look.contrast else logo
        self._sheet = sheet(look)
        self._face = _face_of(deck, look, logo)
        self._tints = _Tints(deck, look)

    def begin(self, paper: Paper) -> None:
        """Draw what is alike on all cards and all pages of a file."""
        columns = self._deck.pack.columns
        self._pieces = CardPieces(paper, self._face, self._look, columns)
        with paper.stamp("cuts"):
            for start, end in self._sheet.cuts:
                paper.line(start, end, thick=0.4)
        with paper.stamp("card"):
            self._lay_card(paper)
        self._cells: PictureCells | None = None
        if self._pictured is not None:
            numbers = np.unique(self._deck.numbers).tolist()
            self._cells = PictureCells(
                paper, self._face, self._look, self._pictured, numbers, columns
            )

    def _lay_card(self, paper: Paper) -> None:
        look, places, whole = self._look, self._face, self._sheet.cards[0]
        grid, thick = places.grid, HEAVY if look.contrast else THIN
        for row in range(1, ROWS):
            y = places.cell(row, 0).y
            paper.line((grid.x, y), (grid.right, y), thick=thick)
        for column in range(1, COLUMNS):
            x = places.cell(0, column).x
            paper.line((x, grid.y), (x, grid.bottom), thick=thick)
        paper.box((grid.x, grid.y), (grid.width, grid.height), thick=HEAVY)
        paper.box((whole.x, whole.y), (whole.width, whole.height), thick=THIN)
        if look.title:
            paper.words(places.title.at, look.title, places.title.size, anchor=places.title.anchor)
        if self._logo is not None and places.logo is not None:
            paper.picture(self._logo, *_within(places.logo, self._logo))

    def page(self, paper: Paper, page: int, pages: int) -> None:
        """Print one page: its cut marks, its cards, its foot."""
        look, home = self._look, self._sheet.cards[0]
        paper.stamped("cuts")
        some = slice(page * look.per_page, (page + 1) * look.per_page)
        numbers = self._deck.numbers[some]
        taken = (
            (1 << COLUMN_OF[self._deck.pack.columns].take(numbers).astype(np.int64))
            .sum(axis=2)
            .tolist()
        )
        serials, places = self._deck.serials[some], self._deck.places[some].tolist()
        cards = zip(self._sheet.cards, serials, places, numbers.tolist(), taken, strict=False)
        for area, serial, place, rows, bits in cards:
            moved = f"1 0 0 1 {area.x - home.x:.3f} {home.y - area.y:.3f} cm"
            blanks = self._pieces.blanks(bits, head=self._tints.coloured)
            paper.raw(f"q {moved} {self._tints.of(serial, place)} {blanks}")
            paper.stamped("card")
            if self._cells is not None:
                self._cells.lay(paper, rows)
            mark = f"{place // STRIP + 1}-{place % STRIP + 1}" if look.colours == "strip" else ""
            words = self._pieces.words(rows if self._cells is None else None, serial, mark)
            paper.raw(f"{words} {self._pieces.code(self._code(serial))} Q")
            if not serial.isascii():
                (x, y), size = self._face.serial.at, self._face.serial.size
                at = x + area.x - home.x, y + area.y - home.y
                paper.words(at, _set(serial), size, bold=True)
        foot = tr(
            "printed by loto-station - pack {pack} - page {number} of {count}",
            pack=self._deck.pack.digest[:16],
            number=page + 1,
            count=pages,
        )
        paper.words((SIDE + GAP, paper.height - 6 * MM), foot, 7, colour=GREY)


def _within(area: Area, picture: Image.Image) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return a picture's place in an area, as large as it fits: upper left corner, and size."""
    scale = min(area.width / picture.width, area.height / picture.height)
    width, height = picture.width * scale, picture.height * scale
    return (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2), (width, height)


class _Tints:
    """The colours of a card's blanks and head."""

    def __init__(self, deck: Deck, look: CardLook) -> None:
        self.coloured = look.colours != "none" and not look.contrast
        shades = load_colours() if self.coloured else (BLACK if look.contrast else BLANK,)
        self._fills = [_fill(shade) for shade in shades]
        self._by_strip = look.colours == "strip"
        self._order = sorted(deck.pack.series) if self.coloured else []

    def of(self, serial: str, place: int) -> str:
        """Return the operator that sets the colour of the card at that place in the pack."""
        if not self.coloured:
            return self._fills[0]
        at = place // STRIP if self._by_strip else self._order.index(series_of(serial))
        return self._fills[at % len(self._fills)]


def _fill(shade: str) -> str:
    red, green, blue = (int(shade[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return f"{red:.3f} {green:.3f} {blue:.3f} rg"


def load_colours(path: Path = COLOURS) -> tuple[str, ...]:
    """Read the colours of strips and series, in order, each as #rrggbb.

    Raises:
        Unreadable: the file has faults.
    """
    try:
        colours = read_toml(path).get("colours")
    except OSError as error:
        why = tr("cannot be read: {why}", why=error.strerror)
        raise Unreadable(f"{path}: {why}") from error
    if not isinstance(colours, list) or not colours:
        why = tr('wants colours = ["#ffd6d6", …], one at least')
        raise Unreadable(f"{path}: {why}")
    for colour in colours:
        if not isinstance(colour, str) or not COLOUR.fullmatch(colour):
            why = tr("{colour!r} is not a colour like #ffd6d6", colour=colour)
            raise Unreadable(f"{path}: {why}")
    return tuple(colours)


LOGO = key("logo {file}: {why}")


def load_logo(path: Path) -> Image.Image:
    """Read a picture for the cards, scaled down to what print needs.

    Raises:
        Unreadable: there is none, or it is no PNG or JPEG, or far too large.
    """
    try:
        if path.stat().st_size > LOGO_BYTES:
            most = LOGO_BYTES // 1_000_000
            raise Unreadable(tr("more than {most} MB; save it smaller", most=most))
        data = file_bytes(path, LOGO_BYTES)
    except OSError as error:
        raise Unreadable(tr(LOGO, file=path, why=error.strerror)) from error
    except Unreadable as error:
        raise Unreadable(tr(LOGO, file=path, why=error)) from error
    try:
        with warnings.catch_warnings():
            # Pillow warns of many dots before they can be counted here.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(BytesIO(data), formats=("PNG", "JPEG"))
        dots = picture.width * picture.height
        whole = ImageOps.exif_transpose(picture).convert("RGBA") if dots <= LOGO_DOTS else None
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        wrong = tr("not a PNG or JPEG picture that can be read; save it as PNG")
        raise Unreadable(tr(LOGO, file=path, why=wrong)) from error
    if whole is None:
        large = tr(
            "{width} x {height} dots; 1200 x 600 are enough, save it smaller",
            width=picture.width,
            height=picture.height,
        )
        raise Unreadable(tr(LOGO, file=path, why=large))
    whole.thumbnail(LOGO_KEPT)
    return whole
