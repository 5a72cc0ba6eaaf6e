"""Reads printed cards back as a hall does: letters where they stand, dots as they are printed, QR
codes by a camera's decoder."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pypdfium2
import zxingcpp
from PIL import Image

DOTS = 200 / 72  # for each point


@dataclass(frozen=True)
class Box:
    """Left, top, right and lower edge in points, from the upper left corner."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def of(cls, area) -> Box:
        return cls(area.x, area.y, area.right, area.bottom)

    def holds(self, other: Box, slack: float = 0.5) -> bool:
        return (
            self.left - slack <= other.left
            and self.top - slack <= other.top
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )

    def moved(self, right: float, down: float) -> Box:
        return Box(self.left + right, self.top + down, self.right + right, self.bottom + down)


class PrintedPage:
    """A page: `letters` with their boxes, blanks left out; `dots`, the page as an array of grey;
    `codes`, its QR codes."""

    def __init__(self, page: pypdfium2.PdfPage, *, draw: bool = True) -> None:
        self.width, self.height = page.get_size()
        text = page.get_textpage()
        whole = text.get_text_range()
        self.letters: list[tuple[str, Box]] = []
        for index, letter in enumerate(whole):
            if not letter.isspace():
                left, low, right, high = text.get_charbox(index)
                self.letters.append(
                    (letter, Box(left, self.height - high, right, self.height - low))
                )
        self.picture = page.render(scale=DOTS).to_pil() if draw else Image.new("RGB", (1, 1))
        self.dots = np.asarray(self.picture.convert("L"))
        found = (
            zxingcpp.read_barcodes(self.dots, formats=zxingcpp.BarcodeFormat.QRCode) if draw else []
        )
        self.codes: dict[str, Box] = {}
        for code in found:
            corners = (
                code.position.top_left,
                code.position.top_right,
                code.position.bottom_left,
                code.position.bottom_right,
            )
            across, down = (
                [corner.x / DOTS for corner in corners],
                [corner.y / DOTS for corner in corners],
            )
            assert code.text not in self.codes
            self.codes[code.text] = Box(min(across), min(down), max(across), max(down))

    def inside(self, box: Box) -> str:
        """The letters whose middles stand in a box, in the order of the file."""
        return "".join(
            letter
            for letter, at in self.letters
            if box.left < (at.left + at.right) / 2 < box.right
            and box.top < (at.top + at.bottom) / 2 < box.bottom
        )

    def cut(self, box: Box, edge: float = 0.0) -> np.ndarray:
        """The dots of a box without `edge` points at each side."""
        rows = slice(round((box.top + edge) * DOTS), round((box.bottom - edge) * DOTS))
        return self.dots[rows, round((box.left + edge) * DOTS) : round((box.right - edge) * DOTS)]


def read_pages(pdf: bytes, *, draw: bool = True) -> list[PrintedPage]:
    """All pages of a file."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [PrintedPage(page, draw=draw) for page in document]
    finally:
        document.close()
