"""Check the pictures of a theme: each a square PNG of the theme's one size, no two that look alike.

Two pictures are alike when their shapes and their colours are. The shape is a difference hash: the
picture in grey, shrunk to 9 × 8 and 8 × 9, one bit for each neighbour that is brighter, 128 bits in
all. The colours are the picture shrunk to 8 × 8; how far those of two pictures are apart is the
root of the mean square, 0 to 255. Flags of three stripes have one shape and differ by colour; a
blue door and a blue book differ by shape; so both must be near.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from station.base.nouns import KNOBS
from station.base.tongue import tr
from station.base.untrusted import file_bytes
from station.programme.fields import Remark
from station.programme.themes import LARGEST, Theme, absent, picture_name, place

# pixels a side: sharp on a card of 20 mm; no more than `LARGEST`, and it is quick to draw
SMALLEST = 128
HEAVIEST = 1_000_000  # bytes
# Pictures are alike if at most this many of 128 bits differ, and colours are at most so far apart.
SHAPE_BITS, COLOURS = 10, 22.0


@dataclass(frozen=True, slots=True)
class PictureLook:
    """How a picture looks from afar.

    Attributes:
        shape: 128 bits, as truth values.
        colours: 8 × 8 × 3, 0 to 255.
    """

    shape: NDArray[np.bool_]
    colours: NDArray[np.float64]

    def apart(self, other: PictureLook) -> tuple[int, float]:
        """Return how many bits of shape differ, and how far the colours are apart."""
        bits = int(np.count_nonzero(self.shape != other.shape))
        return bits, float(np.sqrt(np.mean((self.colours - other.colours) ** 2)))

    def is_like(self, other: PictureLook) -> bool:
        """Return whether one could be taken for the other."""
        bits, colours = self.apart(other)
        return bits <= SHAPE_BITS and colours <= COLOURS


def look(picture: Image.Image) -> PictureLook:
    """Return how a picture looks on white paper."""
    paper = Image.new("RGBA", picture.size, "white")
    flat = Image.alpha_composite(paper, picture.convert("RGBA")).convert("RGB")
    grey, box = flat.convert("L"), Image.Resampling.BOX
    across = np.asarray(grey.resize((9, 8), box), dtype=np.int16)
    down = np.asarray(grey.resize((8, 9), box), dtype=np.int16)
    shape = np.concatenate(
        [(np.diff(across, axis=1) > 0).ravel(), (np.diff(down, axis=0) > 0).ravel()]
    )
    return PictureLook(shape, np.asarray(flat.resize((8, 8), box), dtype=np.float64))


def check_pictures(folder: Path, theme: Theme | None = None) -> tuple[Remark, ...]:
    """Return all faults of a theme's pictures, in the order of their numbers, those of pairs last.

    Args:
        folder: where the theme is.
        theme: names the entries in the faults; None where its words have faults.
    """
    found = [*absent(folder, theme)]
    pictures: dict[int, Image.Image] = {}
    for number in range(1, KNOBS + 1):
        file = folder / picture_name(number)
        if file.is_file():
            opened = _opened(file)
            if isinstance(opened, str):
                found.append(Remark(place(number, theme), f"{file.name} {opened}"))
            else:
                pictures[number] = opened
    found += _of_another_size(pictures, theme)
    found += _alike({number: look(picture) for number, picture in pictures.items()}, theme)
    return tuple(found)


def _opened(file: Path) -> Image.Image | str:
    """Return the picture, or what is wrong with its file."""
    size = file.stat().st_size
    if size > HEAVIEST:
        return tr("has {size:,} bytes; {most:,} is the most", size=size, most=HEAVIEST)
    try:
        with Image.open(io.BytesIO(file_bytes(file, HEAVIEST)), formats=["PNG"]) as picture:
            across, down = picture.size
            if across != down or not SMALLEST <= across <= LARGEST:
                return tr(
                    "is {across} × {down}; a picture is square, {least} to {most} pixels a side",
                    across=across,
                    down=down,
                    least=SMALLEST,
                    most=LARGEST,
                )
            picture.load()
            return picture.copy()
    except UnidentifiedImageError:
        return tr("is no PNG file")
    except (OSError, SyntaxError, ValueError) as error:  # all that Pillow raises for a damaged PNG
        return tr("cannot be read: {why}", why=error)


def _of_another_size(pictures: Mapping[int, Image.Image], theme: Theme | None) -> Iterator[Remark]:
    """Yield a fault for each picture that differs in size from most of them."""
    sizes = [picture.width for picture in pictures.values()]
    usual = max(sizes, key=sizes.count, default=0)
    for number, picture in pictures.items():
        if picture.width != usual:
            text = tr(
                "{file} is {size} pixels a side; the others are {usual}",
                file=picture_name(number),
                size=picture.width,
                usual=usual,
            )
            yield Remark(place(number, theme), text)


def _alike(looks: Mapping[int, PictureLook], theme: Theme | None) -> Iterator[Remark]:
    for one, other in combinations(looks, 2):
        if looks[one].is_like(looks[other]):
            bits, colours = looks[one].apart(looks[other])
            yield Remark(
                place(other, theme),
                tr(
                    "its picture looks like that of {other}: {bits} of 128 bits of shape and"
                    " {colours:.0f} of 255 in colour apart; more than {more_bits} or more than"
                    " {more_colours:.0f} can be told apart",
                    other=place(one, theme),
                    bits=bits,
                    colours=colours,
                    more_bits=SHAPE_BITS,
                    more_colours=COLOURS,
                ),
            )
