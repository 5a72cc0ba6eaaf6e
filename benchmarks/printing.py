"""Pages of cards a second on one core, beside the same cards as a Paragraph, a Table and a Drawing
each; and the memory it takes.

    .venv/bin/python benchmarks/printing.py [--pages 600]

Both print strips of six with serials and QR codes; fewer of them in the other way, which is slow.
Seconds are the processor's, the best of several rounds, turn about. Then ten times as many pages,
in files of 1,000, to see that memory stays; and how often codes of one fixed mask are read in worn
pictures, beside codes for which all eight masks were tried. The same pages of Picture Loto: each
picture is in a file once, so the file grows by a page as one of numbers does.
"""

from __future__ import annotations

import argparse
import io
import platform
import resource
import sys
import time
from pathlib import Path

import numpy as np
import segno
import zxingcpp
from PIL import Image, ImageFilter
from reportlab import __version__ as reportlab_version
from reportlab.graphics.barcode.qr import QrCodeWidget
from reportlab.graphics.shapes import Drawing
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from station.base.nouns import COLUMNS, column_of
from station.cards.pack import Deck, draw_pack
from station.cards.serials import Numbering, qr_text
from station.paper.prints.card_layouts import CardLook
from station.paper.prints.card_pictures import Pictured
from station.paper.prints.card_pieces import QR_MASK
from station.paper.prints.cardprint import print_cards
from station.programme.themes import load_theme

ROUNDS = 5
NAIVE_PAGES = 10
GOAL_S, GOAL_PAGES = 6.0, 600
NUMBERING = Numbering(b"a hall's key of thirty-two bytes", "A")
WORN = 200  # codes read in worn pictures


def code(serial: str) -> str:
    return qr_text(serial, NUMBERING)


def ours(deck: Deck) -> int:
    """Prints; the bytes made."""
    return sum(map(len, print_cards(deck, CardLook(title="Village Hall"), code=code)))


def pictured(deck: Deck) -> int:
    """The same cards with pictures and words in place of the numbers; the bytes made."""
    theme = Pictured(load_theme("historical"), "en")
    return sum(
        map(len, print_cards(deck, CardLook(title="Village Hall"), code=code, pictured=theme))
    )


def naive(deck: Deck) -> int:
    """The same as documents are usually put together; the bytes made."""
    style = getSampleStyleSheet()["Normal"]
    lines = [("GRID", (0, 0), (-1, -1), 0.7, "black")]
    story = []
    for place, (serial, card) in enumerate(deck.items()):
        cells = [["" for _ in range(COLUMNS)] for _ in card.rows]
        for row, numbers in zip(cells, card.rows, strict=True):
            for number in numbers:
                row[column_of(number)] = str(number)
        symbol = Drawing(45, 45)
        symbol.add(QrCodeWidget(code(serial), barWidth=45, barHeight=45, barLevel="M"))
        grid = Table(cells, colWidths=50, rowHeights=26, style=lines)
        story.append(
            Table([[Paragraph(f"<b>{serial}</b> Village Hall", style), ""], [grid, symbol]])
        )
        if place % 6 == 5:
            story.append(PageBreak())
    made = io.BytesIO()
    SimpleDocTemplate(made, pagesize=A4, topMargin=20, bottomMargin=20).build(story)
    return len(made.getvalue())


def cpu(work, *args) -> tuple[float, int]:
    began = time.process_time()
    size = work(*args)
    return time.process_time() - began, size


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def read_worn(mask: int | None) -> float:
    """The share of codes that are read though turned, blurred and noisy."""
    luck, found = np.random.default_rng(1), 0
    for number in range(WORN):
        text = NUMBERING.short(number)
        matrix = np.array(
            [[*row] for row in segno.make_qr(text, error="m", mask=mask).matrix_iter(border=4)],
            np.uint8,
        )
        picture = Image.fromarray(255 - 255 * np.kron(matrix, np.ones((8, 8), np.uint8)))
        picture = picture.rotate(
            number % 31 - 15, Image.Resampling.BICUBIC, expand=True, fillcolor=255
        )
        picture = picture.resize(
            [int(side * 0.4) for side in picture.size], Image.Resampling.BILINEAR
        )
        dots = np.asarray(picture.filter(ImageFilter.GaussianBlur(0.9))) + luck.normal(
            0, 30, picture.size[::-1]
        )
        found += any(
            one.text == text for one in zxingcpp.read_barcodes(dots.clip(0, 255).astype(np.uint8))
        )
    return found / WORN


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=GOAL_PAGES)
    pages = parser.parse_args().pages
    pack = draw_pack(10 * pages, "printing", NUMBERING)
    deck, few = pack.deck(np.arange(6 * pages)), pack.deck(np.arange(6 * NAIVE_PAGES))
    _ = pack.digest  # once for a pack; it stands on every page
    fast = slow = themed = float("inf")
    for _ in range(ROUNDS):
        seconds, size = cpu(ours, deck)
        fast = min(fast, seconds)
        seconds, picture_size = cpu(pictured, deck)
        themed = min(themed, seconds)
        seconds, naive_size = cpu(naive, few)
        slow = min(slow, seconds / NAIVE_PAGES)
    rate = pages / fast
    versions = (
        f"{platform.machine()}, Python {platform.python_version()}, reportlab {reportlab_version}"
    )
    print(f"strip pages a second of one core ({versions})")
    many = f"{pages} pages with {6 * pages:,} QR codes in {fast:.2f} s"
    print(f"ready pieces                {rate:8.0f}   {many}, {size / pages / 1e3:.1f} kB a page")
    beside = f"{picture_size / pages / 1e3:.1f} kB a page, {themed / fast:.2f} times as long"
    print(f"Picture Loto                {pages / themed:8.0f}   {beside}")
    print(
        f"a table and a drawing each  {1 / slow:8.0f}   {naive_size / NAIVE_PAGES / 1e3:.1f} kB a"
        " page"
    )
    print(f"ratio                       {slow * rate:8.0f}")
    whole = GOAL_PAGES / pages * max(fast, themed)
    share = f"{whole / GOAL_S:.0%} of the {GOAL_S:g} s allowed"
    print(f"{GOAL_PAGES} pages                   {whole:8.2f} s at the slower of the two, {share}")
    before = peak_mb()
    files = sum(1 for _ in print_cards(pack.deck(np.arange(len(pack))), CardLook(), code=code))
    print(
        f"memory at most              {before:8.0f} MB; {peak_mb():.0f} MB after {10 * pages:,}"
        f" pages more, in {files} files"
    )
    fixed, best = read_worn(QR_MASK), read_worn(None)
    print(
        f"worn codes read             {fixed:8.0%}   with mask {QR_MASK}; {best:.0%} with the best"
        " of eight"
    )
    return 0 if whole <= GOAL_S else 1


if __name__ == "__main__":
    sys.exit(main())
