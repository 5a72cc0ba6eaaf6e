"""Draw texts, plates and the pictures of Picture Loto into one rectangle of the board.

The colours are the board's. A picture is found by its number, with its word.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import Literal, NamedTuple

import pygame

from station.screens.screen.ink import LEAST_SHRINK, Colour, Renderer
from station.screens.screen.layout import Box
from station.wire.board_view import ThemeView
from station.wire.codes import QUIET, qr_rows
from station.wire.looks import Look

SHIPPED = Path(__file__).parents[2] / "programme" / "themes"


class Picture(NamedTuple):
    """The picture and word in a number's place."""

    number: int
    file: Path
    word: str


def picture(theme: ThemeView | None, number: int | None) -> Picture | None:
    """Return a number's picture; None in a game with numbers, and while nobody may see it."""
    if theme is None or number is None or not theme.words[number - 1]:
        return None
    folder = Path(theme.folder) if theme.folder else SHIPPED / theme.key
    return Picture(number, folder / f"{number:02}.png", theme.words[number - 1])


def pictures(theme: ThemeView | None, numbers: Iterable[int]) -> tuple[Picture, ...]:
    """Return the pictures of some numbers; empty in a game with numbers."""
    return tuple(found for number in numbers if (found := picture(theme, number)) is not None)


# -- the pen ---------------------------------------------------------------------------------------

WIDEST = 1.84  # two digits' width, of their height
NARROWEST = 0.6  # digits narrower than this are hard to read: rather less high

Align = Literal["left", "centre", "right"]


class Piece(NamedTuple):
    """A rectangle of the picture. `args` are all that it depends on: equal pieces look alike."""

    box: Box
    draw: Callable[..., None]  # draw(pen, *args)
    args: tuple[Hashable, ...] = ()


class ScreenPen:
    """A pen that draws into one rectangle; `box` is the whole of it, from (0, 0). Sizes are in `u`,
    hundredths of the screen's height.

    A drawing starts by covering its whole rectangle, with `wipe` or with a plate.
    """

    def __init__(
        self,
        ink: Renderer,
        canvas: pygame.Surface,
        u: float,
        ground: Colour,
        look: Look,
        logo: Path | None = None,
    ) -> None:
        self.ink = ink
        self.canvas = canvas
        self.u = u
        self.look = look
        self._logo = logo
        self._ground = ground
        self.box = Box(0, 0, *canvas.get_size())

    def wipe(self) -> None:
        """Cover the rectangle with the background."""
        self.canvas.fill(self._ground)

    def plate(
        self,
        box: Box,
        fill: Colour,
        radius: float = 1.2,
        ring: Colour | None = None,
        thick: float = 0.4,
    ) -> None:
        """Draw a plate with round corners, and a ring inside its edge if a colour is given."""
        corner = round(radius * self.u)
        if ring is None:
            self._rounded(box, fill, corner)
            return
        edge = max(1, round(thick * self.u))
        self._rounded(box, ring, corner)
        self._rounded(box.inset(edge), fill, corner - edge)

    def disc(self, x: int, y: int, radius: int, colour: Colour) -> None:
        """Draw a disc around a point."""
        self.canvas.blit(self.ink.disc(radius, colour), (x - radius, y - radius))

    def _rounded(self, box: Box, fill: Colour, radius: int) -> None:
        radius = max(0, min(radius, box.w // 2, box.h // 2))
        for y in (box.y, box.bottom - radius):
            self.canvas.fill(fill, (box.x + radius, y, box.w - 2 * radius, radius))
        self.canvas.fill(fill, (box.x, box.y + radius, box.w, box.h - 2 * radius))
        if radius == 0:
            return
        disc = self.ink.disc(radius, fill)
        for x, left in ((box.x, 0), (box.right - radius, radius)):
            for y, top in ((box.y, 0), (box.bottom - radius, radius)):
                if box == self.box:
                    self.canvas.fill(self._ground, (x, y, radius, radius))
                self.canvas.blit(disc, (x, y), (left, top, radius, radius))

    def text(self, box: Box, text: str, cap: float, colour: Colour, align: Align = "left") -> int:
        """Draw one line in the middle of the box's height, its capitals `cap` u high or less;
        return its width in pixels."""
        picture = self.ink.text(text, min(cap * self.u, box.h / 1.6), box.w, colour)
        self._put(picture, box, align)
        return picture.get_width()

    def paragraph(
        self, box: Box, text: str, cap: float, colour: Colour, align: Align = "left", most: int = 2
    ) -> None:
        """Draw a text at mid-height, in as many lines, at most `most`, as make it largest."""
        lines, cap_px = self.broken(box, text, cap, most)
        cap_px = max(cap_px, LEAST_SHRINK * min(cap * self.u, box.h / 1.6 / max(1, len(lines))))
        step = round(1.75 * cap_px)
        top = box.y + (box.h - step * len(lines)) // 2
        for index, line in enumerate(lines):
            self._put(
                self.ink.text(line, cap_px, box.w, colour),
                Box(box.x, top + index * step, box.w, step),
                align,
            )

    def broken(self, box: Box, text: str, cap: float, most: int) -> tuple[tuple[str, ...], float]:
        """Return the lines, at most `most`, with which a whole text is largest in a box; and their
        capitals' height in pixels."""
        counts = range(1, most + 1)
        tried = [
            self.ink.lines(text, min(cap * self.u, box.h / 1.6 / count), box.w, count)
            for count in counts
        ]
        return max(tried, key=lambda found: found[1])

    def number(
        self, box: Box, number: int, height: float, colour: Colour, narrow: float = 0.86
    ) -> None:
        """Draw a number in the middle, digits `height` u high, or as high as the box carries."""
        tall = max(2, round(min(height * self.u, box.h, box.w / (WIDEST * NARROWEST))))
        squeeze = self.ink.squeeze(tall, box.w, narrow)
        digits = [self.ink.digit(digit, tall, squeeze, colour) for digit in str(number)]
        left = box.x + (box.w - sum(digit.get_width() for digit in digits)) // 2
        for digit in digits:
            self.canvas.blit(digit, (left, box.y + (box.h - tall) // 2))
            left += digit.get_width()

    def warning(self, box: Box, colour: Colour, mark: Colour) -> None:
        """Draw a triangle with an exclamation mark, as high as the box, at its left."""
        self.canvas.blit(self.ink.triangle(box.h, colour, mark), (box.x, box.y))

    def hatch(self, box: Box, colour: Colour, ground: Colour) -> None:
        """Draw slanted stripes, as on a barrier."""
        self.canvas.blit(self.ink.stripes((box.w, box.h), colour, ground), (box.x, box.y))

    def code(self, box: Box, text: str) -> None:
        """Draw a QR code with its quiet ring, as large as whole pixels allow, in the middle of the
        box; nothing where a module would be less than a pixel."""
        rows = qr_rows(text)
        size = len(rows) + 2 * QUIET
        side = min(box.w, box.h) // size
        if not side:
            return
        place = box.middle(size * side, size * side)
        self.canvas.fill((255, 255, 255), place)
        for at, row in enumerate(rows, QUIET):
            for along, dark in enumerate(row, QUIET):
                if dark:
                    corner = place.x + along * side, place.y + at * side
                    self.canvas.fill((0, 0, 0), (*corner, side, side))

    def sign(self, box: Box, name: str, colour: Colour) -> None:
        """Draw a suit (S, H, D, C), or a picture of a card or a cube, in the middle of the box."""
        side = max(2, min(box.w, box.h))
        sign = self.ink.sign(name, side, colour)
        self.canvas.blit(sign, (box.x + (box.w - side) // 2, box.y + (box.h - side) // 2))

    def picture(self, box: Box, file: Path) -> None:
        """Draw a picture from a file as large as the box; none if unreadable, which is logged."""
        shown = self.ink.picture(file, box.w)
        if shown is not None:
            self.canvas.blit(shown, (box.x, box.y))

    def logo(self, box: Box) -> Box:
        """Draw the hall's logo at the left of a box, as high as that; return the rest of it: all of
        it where there is none, or one that cannot be read."""
        shown = self.ink.logo(self._logo, box.h) if self._logo is not None else None
        if shown is None:
            return box
        self.canvas.blit(shown, (box.x, box.y))
        taken = shown.get_width() + round(1.6 * self.u)
        return Box(box.x + taken, box.y, box.w - taken, box.h)

    def _put(self, picture: pygame.Surface, box: Box, align: Align) -> None:
        spare = box.w - picture.get_width()
        left = {"left": 0, "centre": spare // 2, "right": spare}[align]
        self.canvas.blit(picture, (box.x + left, box.y + (box.h - picture.get_height()) // 2))
