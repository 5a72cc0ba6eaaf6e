"""Set texts for the ten-cavity board: a line as high as the board that stands or runs through.

The shipped fonts have Latin and Cyrillic letters, and Devanagari. A hall that writes otherwise
names a font of its own in the board's settings, for example `font =
"/usr/share/fonts/truetype/lohit-gujarati/Lohit-Gujarati.ttf"` (Debian's package fonts-gujr);
letters that join are put together by Pillow's library raqm, which its wheels have. A word with
letters that no font has a shape for is shown as a dash. Where the plate has bars the lines go on
behind each: no column of a letter is hidden.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import groupby

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from drivers import BadOption
from drivers.board.geometry import Geometry
from drivers.board.picture import Ink

COLUMNS_PER_S = 25.0
"""How fast a text runs."""

LONGEST = 200
"""Letters of a text that are shown."""

# By the height of the board: of the font, and of its base line. All have room for what stands above
# and below.
_SIZE = {16: 14, 32: 20}
_BASELINE = {16: 13, 32: 23}
_DEVANAGARI_SIZE = {16: 12, 32: 22}
_DEVANAGARI_BASELINE = {16: 12, 32: 22}
_DASH = "\N{EM DASH}"
_NO_LETTER = "\U0010fffe"  # no font has it: what it looks like is what a missing letter looks like


@dataclass(frozen=True)
class _Face:
    """A font at its size, and the lamp row that its letters stand on."""

    font: ImageFont.FreeTypeFont
    baseline: int

    def has(self, word: str) -> bool:
        """Return whether the font has a shape for each letter of a word."""
        none = self._shape(_NO_LETTER)
        return all(self._shape(letter) != none for letter in word)

    def _shape(self, letter: str) -> tuple[tuple[int, int], bytes]:
        mask = self.font.getmask(letter, mode="1")
        return mask.size, bytes(mask)


class Lettering:
    """A setter of texts for one board.

    Args:
        font: the file of a TrueType font, asked first; "" for the shipped ones alone.

    Raises:
        BadOption: the font cannot be read.
    """

    def __init__(self, geometry: Geometry, font: str = "") -> None:
        width, height = self._size = geometry.size
        # Where a column that a bar hides is left out of the others that are seen.
        self._bars = [column - place for place, column in enumerate(geometry.bars)]
        self._seen = width - len(self._bars)
        shipped = files("drivers.board") / "fonts"
        try:
            first = ImageFont.truetype(font or str(shipped / "led.ttf"), _SIZE[height])
        except OSError as error:
            raise BadOption(
                f"the font {font!r} of the ten-cavity board cannot be read ({error}): name a"
                " TrueType file"
            ) from error
        second = ImageFont.truetype(str(shipped / "devanagari.ttf"), _DEVANAGARI_SIZE[height])
        self._faces = (_Face(first, _BASELINE[height]), _Face(second, _DEVANAGARI_BASELINE[height]))
        # A board shows a text for minutes, and asks about it at every turn.
        self.strip = lru_cache(32)(self._strip)
        self.pages = lru_cache(8)(self._pages)

    def _strip(self, text: str) -> Image.Image:
        """Return the whole line, as long as it is and as high as the board, "L", in `Ink.TEXT`."""
        words = [self._faced(word) for word in text[:LONGEST].split()]
        by_face = groupby(words, key=lambda faced: faced[0])
        runs = [(face, " ".join(word for _, word in run)) for face, run in by_face]
        height, blank = self._size[1], int(self._faces[0].font.getlength(" "))
        width = sum(int(face.font.getlength(run)) + blank for face, run in runs)
        line = Image.new("1", (width + 2 * height, height))
        draw, left = ImageDraw.Draw(line), height
        draw.fontmode = "1"  # lamps are on or off
        baseline = min((face.baseline for face, _ in runs), default=0)
        for face, run in runs:
            draw.text((left, baseline), run, fill=1, font=face.font, anchor="ls")
            left += int(face.font.getlength(run)) + blank
        left, _, right, _ = line.getbbox() or (0, 0, 1, 0)
        mask = line.crop((left, 0, right, height))
        strip = Image.new("L", mask.size)
        strip.paste(int(Ink.TEXT), (0, 0), mask)
        return strip

    def runs(self, text: str) -> bool:
        """Return whether the text is too long to stand still."""
        return self.strip(text).width > self._seen

    def frames(self, text: str) -> int:
        """Return after how many columns a running text begins again; 1 for a standing one."""
        return self.strip(text).width + self._seen if self.runs(text) else 1

    def _pages(self, text: str) -> list[tuple[str, int]]:
        """Return the pages of a text that is too long for the board, each as `frame` takes it: as
        many words as have room; a word that is too long alone is shown in pieces."""
        found: list[tuple[str, int]] = []
        line = ""
        for word in text[:LONGEST].split():
            longer = f"{line} {word}".strip()
            if not self.runs(longer):
                line = longer
                continue
            if line:
                found.append((line, 0))
            line = word
            if self.runs(word):
                pieces = -(-self.strip(word).width // self._seen)
                found += [(word, piece * self._seen) for piece in range(1, pieces + 1)]
                line = ""
        return [*found, (line, 0)] if line else found

    def frame(self, text: str, column: int) -> Image.Image:
        """Return the board when a text has run in `column` columns; a short one is centred."""
        strip, width = self.strip(text), self._seen
        board = Image.new("L", (width, self._size[1]))
        left = width - column % self.frames(text) if self.runs(text) else (width - strip.width) // 2
        board.paste(strip, (left, 0))
        return Image.fromarray(np.insert(np.asarray(board), self._bars, Ink.DARK, axis=1))

    def _faced(self, word: str) -> tuple[_Face, str]:
        """Return the face for a word, and the word; a dash if no face has its letters."""
        able = [face for face in self._faces if face.has(word)]
        return (able[0], word) if able else (self._faces[0], _DASH)
