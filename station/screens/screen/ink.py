"""Make letters, digits, rounded plates and emblems as ready pictures, each once, and keep them.

Emblems on cards and cubes are polygons in a square of 100. The web pages have the same table
(`things.js`; a test compares them).

A text has one size in every script of the board: each run of it is set in the font that has it, all
on one line. All text is set in the station's own fonts, drawn larger and scaled down, a little
narrowed: at these sizes a bold face set wide would cost the digits their height. A text that is too
long is made smaller, then cut with an ellipsis; it never leaves its place.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path

import pygame

from station.base.typed import shown

EMBLEMS: Mapping[str, tuple[str, ...]] = {
    "white-horse": (
        (
            "26,95 28,82 40,70 46,56 42,50 30,56 22,66 12,64 7,54 14,40 26,26"
            " 34,18 38,5 48,15 62,18 74,28 83,44 87,64 87,84 85,95"
        ),
    ),
    "inn": (
        "8,44 50,10 92,44 86,52 50,23 14,52",
        "20,54 50,30 80,54 80,92 62,92 62,62 38,62 38,92 20,92",
    ),
    "bell": (
        "50,6 57,9 58,18 70,27 77,44 79,62 92,76 92,82 8,82 8,76 21,62 23,44 30,27 42,18 43,9",
        "41,86 59,86 57,93 50,97 43,93",
    ),
    "hammer": (
        "10,34 40,6 48,14 45,19 60,34 66,31 72,38 42,66 34,58 38,53 22,37 17,42",
        "53,49 60,42 95,84 86,93",
    ),
    "bell-with-hammer": (
        "26,9 30,11 30,16 37,21 41,31 42,41 50,49 50,52 2,52 2,49 10,41 11,31 15,21 22,16 22,11",
        "21,54 31,54 30,58 26,60 22,58",
        "50,57 66,41 71,46 69,49 78,57 81,55 84,59 68,75 63,70 65,68 56,59 54,62",
        "74,65 78,62 97,85 92,90",
    ),
}


def points(polygon: str, side: float) -> list[tuple[float, float]]:
    """Return the corners of a polygon in a square of this side.

    >>> points("0,50 100,100", 10)
    [(0.0, 5.0), (10.0, 10.0)]
    """
    corners = (corner.split(",") for corner in polygon.split())
    return [(int(x) * side / 100, int(y) * side / 100) for x, y in corners]


# -- letters ---------------------------------------------------------------------------------------

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


# -- pictures that are ready -----------------------------------------------------------------------

log = logging.getLogger(__name__)

_Point = tuple[float, float]

CAP = 0.729  # height of a capital letter in the font, of its size
DIGIT = 0.755  # height of a nought, overshoot included
NARROW = 0.9  # texts
LEAST_SHRINK = 0.55  # how much smaller a text may become before it is cut
LONGEST = 400  # letters of one text that are looked at
FINE = 4  # round shapes are drawn this much larger, then scaled down: smooth edges
LARGE = 64  # from this radius on half of it will do, and a large one would take much memory
ELLIPSIS = "…"

_STEM = ((0.5, 0.55), (0.68, 0.97), (0.32, 0.97))
# Of each suit: discs (x, y, radius) and polygons, in parts of its side.
SUITS: Mapping[str, tuple[Sequence[tuple[float, float, float]], Sequence[Sequence[_Point]]]] = {
    "H": (
        ((0.28, 0.3, 0.23), (0.72, 0.3, 0.23)),
        (((0.09, 0.43), (0.5, 0.2), (0.91, 0.43), (0.5, 0.95)),),
    ),
    "S": (
        ((0.28, 0.55, 0.22), (0.72, 0.55, 0.22)),
        (((0.1, 0.43), (0.5, 0.04), (0.9, 0.43), (0.5, 0.7)), _STEM),
    ),
    "D": ((), (((0.5, 0.03), (0.87, 0.5), (0.5, 0.97), (0.13, 0.5)),)),
    "C": (((0.5, 0.26, 0.22), (0.26, 0.58, 0.22), (0.74, 0.58, 0.22), (0.5, 0.5, 0.12)), (_STEM,)),
}


def printable(text: str) -> str:
    """Return the text on one line, with signs for what nobody would see, and no longer than a
    screen could hold.

    >>> printable("eyes\\ndown\\x00")
    'eyes down«U+0000»'
    """
    cut = text if len(text) <= LONGEST else text[:LONGEST] + ELLIPSIS
    return shown(" ".join(cut.split())) if not cut.isprintable() else cut


class Renderer:
    """The maker of pictures of texts and plates; equal requests share one: do not draw on it."""

    def __init__(self) -> None:
        pygame.font.init()
        self.text = lru_cache(256)(self._text)
        self.digit = lru_cache(256)(self._digit)
        self.disc = lru_cache(128)(self._disc)
        self.triangle = lru_cache(32)(self._triangle)
        self.stripes = lru_cache(32)(self._stripes)
        self.sign = lru_cache(64)(self._sign)
        self.picture = lru_cache(256)(self._picture)
        self.logo = lru_cache(4)(self._scaled_logo)
        self._font = lru_cache(256)(self._open_font)

    def _open_font(self, size: int) -> ScreenLettering:
        return ScreenLettering(max(2, size))

    def _text(self, text: str, cap: float, room: int, colour: Colour) -> pygame.Surface:
        """Return one line whose capitals are `cap` pixels high, not wider than `room` pixels; its
        height is 1.6 `cap`."""
        text = printable(text)
        size = max(2, round(2 * cap / CAP))
        natural = self._font(size).width(text) * NARROW / 2
        if natural > room:
            least = max(2, int(size * LEAST_SHRINK))
            size = max(least, int(size * room / natural))
            # Letters do not scale evenly: a pixel less may be all that is wanted.
            while size > least and self._font(size).width(text) * NARROW / 2 > room:
                size -= 1
            text = self._cut(text, size, room)
        height = max(1, round(1.6 * cap))
        font = self._font(size)
        width = round(font.width(text) * NARROW / 2)
        if width < 1:
            return pygame.Surface((1, height), pygame.SRCALPHA)
        drawn, ascent = font.render(text, colour)
        scaled = pygame.transform.smoothscale(drawn, (width, max(1, round(drawn.get_height() / 2))))
        picture = pygame.Surface((width, height), pygame.SRCALPHA)
        baseline = height / 2 + size * CAP / 4
        picture.blit(scaled, (0, round(baseline - ascent / 2)))
        return picture

    def _cut(self, text: str, size: int, room: int) -> str:
        font = self._font(size)

        def fits(part: str) -> bool:
            return font.width(part) * NARROW / 2 <= room

        if fits(text):
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if fits(text[:middle].rstrip() + ELLIPSIS):
                low = middle
            else:
                high = middle - 1
        return text[:low].rstrip() + ELLIPSIS if low else ""

    def width(self, text: str, cap: float) -> float:
        """Return how many pixels a line takes whose capitals are `cap` pixels high."""
        return self._font(max(2, round(2 * cap / CAP))).width(printable(text)) * NARROW / 2

    def lines(self, text: str, cap: float, room: int, most: int) -> tuple[tuple[str, ...], float]:
        """Break a text at blanks into at most `most` lines of `room` pixels, the last taking the
        rest.

        Return the lines, and the capitals' height at which all of them fit: `cap` or less, however
        small.
        """
        font = self._font(max(2, round(2 * cap / CAP)))
        words = printable(text).split()

        def width(line: str) -> float:
            return font.width(line) * NARROW / 2

        def broken_at(limit: float) -> list[str]:
            lines: list[str] = []
            for word in words:
                longer = f"{lines[-1]} {word}" if lines else word
                if lines and (len(lines) == most or width(longer) <= limit):
                    lines[-1] = longer
                else:
                    lines.append(word)
            return lines

        # As few lines as the room allows, and then as even as these few can be: no last line of one
        # word.
        limits = [share * room for share in (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)]
        # What is too long for all the lines is spread over them.
        limits += [share * width(" ".join(words)) / most for share in (1.0, 1.1, 1.2, 1.3, 1.5)]
        tried = [broken_at(limit) for limit in limits]
        lines, widest = min(
            (
                (lines, max(map(width, lines), default=0))
                for lines in tried
                if len(lines) == len(tried[0])
            ),
            key=lambda pair: pair[1],
        )
        return tuple(lines), cap * min(1.0, room / widest) if widest else cap

    def squeeze(self, height: int, room: int, narrow: float) -> float:
        """Return how much digits of this height are narrowed: any two stay within `room` pixels."""
        return min(narrow, room / (2 * self.digit("0", height, 1.0, (255, 255, 255)).get_width()))

    def _digit(self, digit: str, height: int, squeeze: float, colour: Colour) -> pygame.Surface:
        """Return a digit, cropped to the nought's top and bottom: all on one line, exactly high."""
        font = self._font(round(1.5 * height / DIGIT)).board
        nought = font.render("0", True, colour).get_bounding_rect()
        drawn = font.render(digit, True, colour)
        cropped = drawn.subsurface((0, nought.y, drawn.get_width(), nought.h))
        return pygame.transform.smoothscale(
            cropped, (max(1, round(cropped.get_width() * squeeze * height / nought.h)), height)
        )

    def _disc(self, radius: int, colour: Colour) -> pygame.Surface:
        """Return a smooth disc; its quarters are the corners of plates."""
        fine = FINE if radius < LARGE else FINE // 2
        large = pygame.Surface((2 * radius * fine, 2 * radius * fine), pygame.SRCALPHA)
        large.fill((*colour, 0))
        pygame.draw.circle(large, (*colour, 255), (radius * fine, radius * fine), radius * fine)
        return pygame.transform.smoothscale(large, (2 * radius, 2 * radius))

    def _picture(self, file: Path, side: int) -> pygame.Surface | None:
        """Return a square picture from a file, `side` pixels wide; None if it cannot be read, which
        is logged once."""
        whole = self._loaded(file)
        return None if whole is None else pygame.transform.smoothscale(whole, (side, side))

    def _scaled_logo(self, file: Path, height: int) -> pygame.Surface | None:
        """Return a picture from a file, `height` pixels high and in its shape; None as above."""
        whole = self._loaded(file)
        if whole is None:
            return None
        width = max(1, round(height * whole.get_width() / whole.get_height()))
        return pygame.transform.smoothscale(whole, (width, height))

    def _loaded(self, file: Path) -> pygame.Surface | None:
        try:
            loaded = pygame.image.load(file)
        except (OSError, pygame.error) as error:
            log.warning("%s cannot be shown, its place stays empty: %s", file, error)
            return None
        whole = pygame.Surface(loaded.get_size(), pygame.SRCALPHA)
        whole.blit(loaded, (0, 0))
        return whole

    def _triangle(self, side: int, colour: Colour, mark: Colour) -> pygame.Surface:
        """Return a warning triangle with an exclamation mark, `side` pixels wide and high."""
        large = side * FINE
        sign = pygame.Surface((large, large), pygame.SRCALPHA)
        sign.fill((*colour, 0))
        pygame.draw.polygon(
            sign,
            colour,
            [
                (large * 0.5, large * 0.06),
                (large * 0.99, large * 0.94),
                (large * 0.01, large * 0.94),
            ],
        )
        pygame.draw.rect(sign, mark, (large * 0.45, large * 0.36, large * 0.1, large * 0.3))
        pygame.draw.rect(sign, mark, (large * 0.45, large * 0.73, large * 0.1, large * 0.1))
        return pygame.transform.smoothscale(sign, (side, side))

    def _sign(self, name: str, side: int, colour: Colour) -> pygame.Surface:
        """Return a suit (S, H, D, C) or what is drawn on a card or a cube, `side` pixels wide and
        high."""
        large = side * FINE
        sign = pygame.Surface((large, large), pygame.SRCALPHA)
        sign.fill((*colour, 0))
        discs, corners = SUITS.get(name, ((), ()))
        for x, y, radius in discs:
            pygame.draw.circle(sign, colour, (x * large, y * large), radius * large)
        for polygon in corners:
            pygame.draw.polygon(sign, colour, [(x * large, y * large) for x, y in polygon])
        for emblem in EMBLEMS.get(name, ()):
            pygame.draw.polygon(sign, colour, points(emblem, large))
        return pygame.transform.smoothscale(sign, (side, side))

    def _stripes(self, size: tuple[int, int], colour: Colour, ground: Colour) -> pygame.Surface:
        """Return stripes of two colours leaning right, each as wide as half the height."""
        width, height = size
        large = pygame.Surface((width * 2, height * 2), pygame.SRCALPHA)
        large.fill(ground)
        step = max(4, height)
        for left in range(-2 * height, 2 * width, 2 * step):
            corners = [
                (left, 2 * height),
                (left + step, 2 * height),
                (left + step + height, 0),
                (left + height, 0),
            ]
            pygame.draw.polygon(large, colour, corners)
        return pygame.transform.smoothscale(large, size)
