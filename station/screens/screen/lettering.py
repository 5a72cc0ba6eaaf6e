"""Set letters of one size in every script of the board: each run of a text in the font that has it,
all on one line."""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from pathlib import Path

import pygame

FONTS = Path(__file__).parents[2] / "base" / "fonts"
BOARD = FONTS / "board.ttf"
# Runs of Devanagari, with the two joiners that shape its conjuncts.
DEVANAGARI = re.compile("([\u0900-\u097f\u200c\u200d]+)")
# Its signs stand above and below the letters; at this share of the size they keep within the line
# of the other scripts.
SHARE = 0.82

Colour = tuple[int, int, int]


class ScreenLettering:
    """The station's faces at one size.

    Args:
        size: the font's size in pixels; its height on the screen is measured with `board`.
    """

    def __init__(self, size: int) -> None:
        self.board = _open(BOARD, size)
        self._size = size
        self._devanagari: pygame.font.Font | None = None

    def width(self, text: str) -> int:
        """Return how many pixels the text takes."""
        return sum(font.size(run)[0] for font, run in self._runs(text))

    def render(self, text: str, colour: Colour) -> tuple[pygame.Surface, int]:
        """Return the text on one line, and how far below the upper edge its baseline is."""
        runs = [
            (font.render(run, True, colour), font.get_ascent()) for font, run in self._runs(text)
        ]
        if len(runs) == 1:
            return runs[0]
        above = max(ascent for _, ascent in runs)
        below = max(picture.get_height() - ascent for picture, ascent in runs)
        line = pygame.Surface(
            (sum(picture.get_width() for picture, _ in runs), above + below), pygame.SRCALPHA
        )
        x = 0
        for picture, ascent in runs:
            line.blit(picture, (x, above - ascent))
            x += picture.get_width()
        return line, above

    def _runs(self, text: str) -> list[tuple[pygame.font.Font, str]]:
        parts = DEVANAGARI.split(text)
        runs = [
            (self._shaped() if index % 2 else self.board, part)
            for index, part in enumerate(parts)
            if part
        ]
        # A joiner of emoji stands alone among letters of other scripts: pygame draws nothing that
        # has no width.
        return [(font, run) for font, run in runs if font.size(run)[0]] or [(self.board, "")]

    def _shaped(self) -> pygame.font.Font:
        if self._devanagari is None:
            size = max(2, round(SHARE * self._size))
            self._devanagari = _open(FONTS / "devanagari.ttf", size)
        return self._devanagari


def _open(path: Path, size: int) -> pygame.font.Font:
    """Return a face at a size. A font that is opened by its path keeps its file open as long as it
    lives: there are hundreds of sizes, and a serial port above 1,023 open files cannot be read."""
    return pygame.font.Font(BytesIO(_read(path)), size)


@cache
def _read(path: Path) -> bytes:
    return path.read_bytes()
