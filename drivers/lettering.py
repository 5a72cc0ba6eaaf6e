"""Texts on the ten-cavity board: one line of letters as high as the board, which stands still or runs through.

The shipped font has Latin and Cyrillic letters. A hall that writes otherwise names a font of its own in the board's
settings, for example `font = "/usr/share/fonts/truetype/lohit-devanagari/Lohit-Devanagari.ttf"` (Debian's fonts-deva); letters
that join are put together by Pillow's library raqm, which its wheels have. A word with letters that the font has no shape for is
shown as a dash.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from PIL import Image, ImageDraw, ImageFont

from drivers import BadOption
from drivers.geometry import Geometry
from drivers.picture import Ink

COLUMNS_PER_S = 25.0
"""How fast a text runs."""

LONGEST = 200
"""Letters of a text that are shown."""

# By the height of the board: of the font, and of its base line. Both have room for an accent above and a tail below.
_SIZE = {16: 14, 32: 20}
_BASELINE = {16: 13, 32: 23}
_DASH = "\N{EM DASH}"
_NO_LETTER = "\U0010fffe"  # no font has it: what it looks like is what a missing letter looks like


class Lettering:
    """Sets texts for one board.

    Args:
        font: the file of a TrueType font; "" for the shipped one.

    Raises:
        BadOption: the font cannot be read.
    """

    def __init__(self, geometry: Geometry, font: str = "") -> None:
        self._size = geometry.size
        height = self._size[1]
        self._baseline = _BASELINE[height]
        try:
            self._font = ImageFont.truetype(font or str(files("drivers") / "fonts" / "led.ttf"), _SIZE[height])
        except OSError as error:
            raise BadOption(
                f"the font {font!r} of the ten-cavity board cannot be read ({error}): name a TrueType file"
            ) from error
        self._none = self._shape(_NO_LETTER)
        self.strip = lru_cache(8)(self._strip)

    def _strip(self, text: str) -> Image.Image:
        """The whole line, as wide as it has to be and as high as the board, mode "L", in `Ink.TEXT`."""
        text = " ".join(self._known(word) for word in text[:LONGEST].split())
        height = self._size[1]
        line = Image.new("1", (int(self._font.getlength(text)) + 2 * height, height))
        draw = ImageDraw.Draw(line)
        draw.fontmode = "1"  # lamps are on or off
        draw.text((height, self._baseline), text, fill=1, font=self._font, anchor="ls")
        left, _, right, _ = line.getbbox() or (0, 0, 1, 0)
        mask = line.crop((left, 0, right, height))
        strip = Image.new("L", mask.size)
        strip.paste(int(Ink.TEXT), (0, 0), mask)
        return strip

    def runs(self, text: str) -> bool:
        """Whether the text is too long to stand still."""
        return self.strip(text).width > self._size[0]

    def frames(self, text: str) -> int:
        """How many columns a running text goes until it begins again; 1 for one that stands."""
        return self.strip(text).width + self._size[0] if self.runs(text) else 1

    def frame(self, text: str, column: int) -> Image.Image:
        """The board when the text has run so many columns, from the right edge in; a short text stands in the middle."""
        strip, board = self.strip(text), Image.new("L", self._size)
        width = self._size[0]
        left = width - column % self.frames(text) if self.runs(text) else (width - strip.width) // 2
        board.paste(strip, (left, 0))
        return board

    def _known(self, word: str) -> str:
        return word if all(self._shape(letter) != self._none for letter in word) else _DASH

    def _shape(self, letter: str) -> tuple[tuple[int, int], bytes]:
        mask = self._font.getmask(letter, mode="1")
        return mask.size, bytes(mask)
