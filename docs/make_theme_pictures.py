"""Make the pictures of the themes of Picture Loto; in `docs/pictures/` a page of each, printed
cards, and the ten-cavity board.

.venv/bin/python docs/make_theme_pictures.py draw FOLDER  (the 450 pictures; FOLDER: see below)
.venv/bin/python docs/make_theme_pictures.py pages        (the pages, the cards, the board)

`draw` reads each entry's `art` and needs `rsvg-convert` (Debian's librsvg2-bin) and, made by `npm
install --prefix FOLDER`, @discordapp/twemoji 16.0.1 and @iconify-json/game-icons 1.2.4:

    twemoji:1f415                    a drawing of Twemoji by its code points
    game-icons:fern:#2f7d32          one of game-icons.net by its name, in a colour
    own:eiffel-tower                 a drawing of our own, below
    year:1969:twemoji:1f315          any of them, on a coat of arms above its year
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pypdfium2
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from drivers import Cavity
from drivers.board.matrix import Matrix
from station.cards.pack import draw_pack
from station.cards.serials import Numbering, qr_text
from station.paper.prints.card_layouts import CardLook
from station.paper.prints.card_pictures import Pictured
from station.paper.prints.cardprint import print_cards
from station.programme.themes import (
    Theme,
    load_theme,
    picture_name,
    read_theme,
    shipped,
    theme_folder,
)
from station.programme.themes.pictures import drawings

SIDE = 160
MARGIN = 6
FONTS = Path(__file__).resolve().parent.parent / "station" / "base" / "fonts"
# in turn: neighbours in time differ
GROUNDS = ("#f3ead3", "#dcebf5", "#e4f0dc", "#f6dfd8", "#ebe3f4", "#fdf3c4")
INK = "#2b2b33"
EDGE = "#7d838c"
CARDS_HIGH = 1100  # dots of a printed page
SEEN = 10  # of 255: what a colour may change by

EIFFEL_TOWER = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" fill="#5a4632">
<path d="M250 12h12v34h8l4 84q6 66 14 104h12v20h-8q8 40 22 78h16v22h-7q24 58 63 100h16v34H300
q-4-62-44-62t-44 62H110v-34h16q39-42 63-100h-7v-22h16q14-38 22-78h-8v-20h12q8-38 14-104l4-84h8z"/>
<path fill="#f3ead3" d="M256 150l9 84h-18zm0 116l17 66h-34z"/></svg>"""
OWN = {"eiffel-tower": EIFFEL_TOWER}


class Artist:
    """An artist who draws pictures from the packages in a folder."""

    def __init__(self, folder: Path) -> None:
        """Take the folder that the two packages were installed into."""
        modules = folder / "node_modules"
        self._twemoji = modules / "@discordapp" / "twemoji" / "dist" / "svg"
        self._icons = json.loads(
            (modules / "@iconify-json" / "game-icons" / "icons.json").read_text(encoding="utf-8")
        )

    def draw(self, art: str, number: int) -> Image.Image:
        """Return the picture that an entry's `art` means."""
        kind, _, rest = art.partition(":")
        if kind == "year":
            year, _, inner = rest.partition(":")
            return coat_of_arms(self.draw(inner, number), year, GROUNDS[number % len(GROUNDS)])
        if kind == "twemoji":
            return outlined(
                centred(self._rendered((self._twemoji / f"{rest}.svg").read_text(encoding="utf-8")))
            )
        if kind == "game-icons":
            name, _, colour = rest.partition(":")
            body = self._icons["icons"][name]["body"].replace("currentColor", colour)
            return centred(
                self._rendered(
                    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">{body}</svg>'
                )
            )
        if kind == "own":
            return centred(self._rendered(OWN[rest]))
        raise SystemExit(f"{art}: nobody knows how to draw this")

    @staticmethod
    def _rendered(svg: str) -> Image.Image:
        command = ["rsvg-convert", "--width", "320", "--height", "320", "--keep-aspect-ratio"]
        done = subprocess.run(command, input=svg.encode(), capture_output=True, check=True)
        return Image.open(io.BytesIO(done.stdout)).convert("RGBA")


def centred(drawn: Image.Image) -> Image.Image:
    """Return a drawing cut to what is on it, as large as fits, in the middle of a picture."""
    cut = drawn.crop(drawn.getchannel("A").getbbox())
    room = SIDE - 2 * MARGIN
    scale = room / max(cut.size)
    cut = cut.resize(
        (round(cut.width * scale), round(cut.height * scale)), Image.Resampling.LANCZOS
    )
    picture = Image.new("RGBA", (SIDE, SIDE))
    picture.alpha_composite(cut, ((SIDE - cut.width) // 2, (SIDE - cut.height) // 2))
    return picture


def outlined(picture: Image.Image) -> Image.Image:
    """Return a picture with a thin line round it: a swan, a ghost and the flag of Japan need an
    edge on white paper."""
    edge = Image.new("RGBA", picture.size, EDGE)
    edge.putalpha(
        picture.getchannel("A")
        .filter(ImageFilter.MaxFilter(5))
        .filter(ImageFilter.GaussianBlur(0.7))
    )
    edge.alpha_composite(picture)
    return edge


def coat_of_arms(emblem: Image.Image, year: str, ground: str) -> Image.Image:
    """Return an emblem on a ground, with its year below it."""
    large = 4 * SIDE  # drawn large and shrunk: smooth edges
    picture = Image.new("RGBA", (large, large))
    pen = ImageDraw.Draw(picture)
    pen.rounded_rectangle(
        (8, 8, large - 8, large - 8), radius=72, fill=ground, outline=INK, width=12
    )
    font = ImageFont.truetype(FONTS / "page-bold.ttf", 176)
    pen.text((large / 2, large - 104), year, font=font, fill=INK, anchor="mm")
    picture = picture.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
    picture.alpha_composite(
        emblem.resize((96, 96), Image.Resampling.LANCZOS), ((SIDE - 96) // 2, 11)
    )
    return picture


def in_few_colours(picture: Image.Image) -> Image.Image:
    """Return the picture with 256 colours, a third of the bytes; unchanged where a colour would
    suffer: a flag's orange stays orange."""
    few = picture.quantize(256, method=Image.Quantize.FASTOCTREE)
    before, after = (np.asarray(image.convert("RGBA"), dtype=np.int16) for image in (picture, few))
    solid = before[..., 3] == 255
    error = np.abs(before - after)[solid].max(axis=-1)
    return few if np.quantile(error, 0.95) <= SEEN else picture


def draw_all(folder: Path) -> None:
    """Write the pictures of every theme."""
    artist = Artist(folder)
    for key in shipped():
        target = theme_folder(key)
        for number, entry in read_theme(target)["entries"].items():
            picture = artist.draw(entry["art"], int(number))
            in_few_colours(picture).save(target / picture_name(int(number)), optimize=True)


def page(theme: Theme) -> Image.Image:
    """Return all pictures of a theme with their numbers and English names, ten in a row as on the
    table of the numbers."""
    across, down, width, height = 10, 9, 128, 138
    sheet = Image.new("RGB", (across * width, down * height), "white")
    pen = ImageDraw.Draw(sheet)
    small, bold = (
        ImageFont.truetype(FONTS / name, size)
        for name, size in (("page.ttf", 12), ("page-bold.ttf", 13))
    )
    for number, entry in theme.entries.items():
        x, y = (number - 1) % across * width, (number - 1) // across * height
        with Image.open(entry.picture) as picture:
            shown = picture.convert("RGBA").resize((88, 88), Image.Resampling.LANCZOS)
        sheet.paste(shown, (x + (width - 88) // 2, y + 8), shown)
        pen.text((x + 3, y + 2), str(number), font=bold, fill="#888888")
        for row, text in enumerate(wrapped(theme.name(number, "en"), width - 6, small)):
            pen.text(
                (x + width / 2, y + 97 + 13 * row), text, font=small, fill="black", anchor="ma"
            )
    return sheet


def wrapped(text: str, width: int, font: ImageFont.FreeTypeFont) -> list[str]:
    """Return a text in lines no wider than `width`."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def make_pages(folder: Path) -> None:
    """Write the page of every theme."""
    for key in shipped():
        page(load_theme(key)).quantize(256, method=Image.Quantize.FASTOCTREE).save(
            folder / f"theme-{key}.png", optimize=True
        )


def make_cards(folder: Path) -> None:
    """Write a strip of Picture Loto, and history on larger cards in high contrast."""
    numbering = Numbering(b"a key for pictures only", "A")
    pack = draw_pack(1, "themes", numbering)
    sheets = []
    for key, look in (
        ("picture", CardLook(6, title="Village Hall")),
        ("historical", CardLook(3, contrast=True, title="Village Hall")),
    ):
        deck = pack.deck(np.arange(look.per_page))
        pictured = Pictured(load_theme(key), "en")
        (pdf,) = print_cards(
            deck, look, code=lambda serial: qr_text(serial, numbering), pictured=pictured
        )
        sheet = pypdfium2.PdfDocument(pdf)[0]
        sheets.append(sheet.render(scale=CARDS_HIGH / sheet.get_height()).to_pil())
    desk = Image.new(
        "RGB", (sum(sheet.width + 24 for sheet in sheets) + 24, CARDS_HIGH + 48), "#8a8f98"
    )
    for place, sheet in enumerate(sheets):
        desk.paste(sheet, (24 + place * (sheet.width + 24), 24))
    desk.quantize(256, method=Image.Quantize.FASTOCTREE).save(
        folder / "cards-themes.png", optimize=True
    )


def make_board(folder: Path) -> None:
    """Write the ten-cavity board with words of Spelling Loto, among them a number that looks like
    another word; and with events."""
    for key, name, called in (
        ("spelling", "board-themes", (3, 13, 8, 23, 20, 6, 69, 50, 45, 1)),
        ("historical", "board-history", (13, 18, 34, 41, 48, 4, 59, 64, 67, 68)),
    ):
        lamps = drawings(load_theme(key))
        knobs = [
            Cavity(number, newest=number == called[-1], drawing=lamps.get(number, ()))
            for number in called
        ]
        Matrix(geometry="160x16", block_orientation=-90).preview(knobs).save(
            folder / f"{name}.png", optimize=True
        )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["draw", given]:
            draw_all(Path(given))
        case ["pages"]:
            for make in (make_pages, make_cards, make_board):
                make(Path(__file__).parent / "pictures")
        case _:
            raise SystemExit(__doc__)
