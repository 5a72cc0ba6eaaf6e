"""Make the pictures of printed cards in `docs/pictures/`: pages as `loto pack print` writes them,
drawn by a PDF reader.

.venv/bin/python docs/make_card_pictures.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pypdfium2
from PIL import Image, ImageDraw

from station.cards.pack import Pack, draw_pack
from station.cards.serials import Numbering, qr_text
from station.paper.prints.card_layouts import CardLook
from station.paper.prints.cardprint import print_cards
from station.paper.prints.score_sheet import print_score
from station.wire.wording import load_wording

TITLE = "Village Hall"
NUMBERING = Numbering(b"a key for pictures only", "A")
DESK, EDGE, GAP = "#8a8f98", "#5b5f66", 24


def page(pack: Pack, look: CardLook, logo: Image.Image | None = None, first: int = 0) -> bytes:
    """Return a PDF of one page of cards."""
    deck = pack.deck(np.arange(first, first + look.per_page))
    return b"".join(
        print_cards(deck, look, code=lambda serial: qr_text(serial, NUMBERING), logo=logo)
    )


def drawn(pdf: bytes, height: int) -> Image.Image:
    """Return the first page, `height` dots high."""
    first = pypdfium2.PdfDocument(pdf)[0]
    return first.render(scale=height / first.get_height()).to_pil()


def desk(pages: list[Image.Image]) -> Image.Image:
    """Return pages side by side on a desk."""
    width = sum(one.width + GAP for one in pages) + GAP
    whole = Image.new("RGB", (width, max(one.height for one in pages) + 2 * GAP), DESK)
    x = GAP
    for one in pages:
        y = (whole.height - one.height) // 2
        whole.paste(one, (x, y))
        ImageDraw.Draw(whole).rectangle((x - 1, y - 1, x + one.width, y + one.height), outline=EDGE)
        x += one.width + GAP
    return whole


def hall_logo() -> Image.Image:
    """Return a picture of a house with a red roof."""
    picture = Image.new("RGBA", (600, 480))
    pen = ImageDraw.Draw(picture)
    pen.polygon([(300, 20), (580, 240), (20, 240)], fill="#b3261e")
    pen.rectangle((90, 240, 510, 460), fill="#2b3a67")
    pen.rectangle((250, 320, 350, 460), fill="#ffffff")
    return picture


def make(folder: Path) -> None:
    """Write all pictures."""
    pack = draw_pack(4, "pictures", NUMBERING)
    logo = hall_logo()
    strip = page(pack, CardLook(6, title=TITLE))
    colour = page(pack, CardLook(6, title=TITLE, colours="strip"), logo, 6)
    forms = [page(pack, CardLook(many, title=TITLE)) for many in (1, 2, 3, 12)]
    large = [
        page(pack, CardLook(6, title=TITLE, large=True)),
        page(pack, CardLook(6, title=TITLE, large=True, contrast=True)),
    ]
    pictures = {
        "cards-strip.png": desk([drawn(pdf, 900) for pdf in (strip, colour)]),
        "cards-forms.png": desk([drawn(forms[0], 330), *(drawn(pdf, 466) for pdf in forms[1:])]),
        "cards-large.png": desk([drawn(pdf, 700) for pdf in large]),
        "score-sheet.png": desk([drawn(print_score(load_wording("en"), TITLE), 900)]),
    }
    for name, picture in pictures.items():
        shades = 250 if name == "cards-strip.png" else 16
        picture.quantize(shades, dither=Image.Dither.NONE).save(folder / name, optimize=True)


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures")
