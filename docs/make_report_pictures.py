"""Make the pictures of report, receipt and evening in `docs/pictures/`, drawn by a PDF reader. From
the project's folder:

.venv/bin/python -m docs.make_report_pictures [FOLDER]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pypdfium2
from PIL import Image, ImageDraw

from station.paper.prints.programme_paper import print_programme
from station.paper.prints.receipts import find_receipt, print_receipt
from station.paper.prints.report_paper import print_report
from station.paper.reports.report import make_report
from station.paper.reports.report_source import read_source
from station.programme.check import load_programme
from station.programme.programme import SHIPPED
from station.views.money_text import Currency
from station.wire.wording import load_wording
from tests.report_night import play

HALL = "Village Hall"
PAGES = "http://loto.local:8090"
POUNDS = Currency("£", 2)
DESK, EDGE, GAP = "#8a8f98", "#5b5f66", 24


def drawn(pdf: bytes, page: int, height: int) -> Image.Image:
    """Return a page, `height` dots high."""
    with pypdfium2.PdfDocument(pdf) as document:
        return document[page].render(scale=height / document[page].get_height()).to_pil()


def desk(pages: list[Image.Image]) -> Image.Image:
    """Return pages side by side on a desk."""
    width = sum(one.width + GAP for one in pages) + GAP
    whole = Image.new("RGB", (width, max(one.height for one in pages) + 2 * GAP), DESK)
    x = GAP
    for one in pages:
        whole.paste(one, (x, GAP))
        ImageDraw.Draw(whole).rectangle(
            (x - 1, GAP - 1, x + one.width, GAP + one.height), outline=EDGE
        )
        x += one.width + GAP
    return whole


def main(folder: Path) -> None:
    """Play the night of the tests, and draw what is printed of it."""
    wording = load_wording()
    with tempfile.TemporaryDirectory() as state:
        report = make_report(
            read_source(play(Path(state)), None, lambda done, total: None), wording
        )
    pdf = print_report(report, POUNDS, HALL, pages=PAGES)
    receipt = print_receipt(find_receipt(report, "0001", 2), POUNDS, HALL, PAGES)
    desk([drawn(pdf, 0, 900), drawn(pdf, 1, 900), drawn(receipt, 0, 540)]).save(
        folder / "report.png", optimize=True
    )
    bingo = print_programme(load_programme(SHIPPED / "hall-bingo.toml"), POUNDS, wording, HALL, 120)
    shapes = print_programme(
        load_programme(SHIPPED / "own-patterns.toml"), POUNDS, wording, HALL, 120
    )
    desk([drawn(bingo, 0, 900), drawn(shapes, 0, 900)]).save(
        folder / "programme.png", optimize=True
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures")
