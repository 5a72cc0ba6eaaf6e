"""Check the pictures of a theme, and draw them for the ten-cavity board.

On the board a picture has 14 × 12 lamps, each on or off. So few lamps show a shape and nothing
else: a star and a hammer are known by it, two animals on four legs may not be. A picture is shown
only where it is apart from every other of its theme; its number stays where it is not. A theme that
loses more than a third of its pictures that way keeps its numbers: of flags hardly anything is left
without their colours. So do boards whose cavities are 8 lamps wide: seven columns show no shape. Of
pictures in a frame, as history's are with their years, the theme names the part that is drawn.

All pictures of a theme are square PNGs of one size, and no two look alike. Two pictures are alike
when their shapes and their colours are. The shape is a difference hash: the picture in grey, shrunk
to 9 × 8 and 8 × 9, one bit for each neighbour that is brighter, 128 bits in all. The colours are
the picture shrunk to 8 × 8; how far those of two pictures are apart is the root of the mean square,
0 to 255. Flags of three stripes have one shape and differ by colour; a blue door and a blue book
differ by shape; so both must be near.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from station.base.nouns import KNOBS
from station.base.tongue import tr
from station.base.untrusted import file_bytes
from station.programme.fields import Remark
from station.programme.themes import LARGEST, Theme, absent, picture_name, place

WIDTH, HEIGHT = 14, 12  # lamps: what a cavity of 16 × 16 has room for
# of 168 lamps: by which two pictures differ at least, also when one is moved by a lamp
APART = 16
LEAST = 12  # lit: what has thin lines alone is lost
MOST_NUMBERS = KNOBS // 3
CONTRAST = 0.25  # of full light: from here on, light and dark parts of one thing are told apart
GROUND = 12  # of 255: a colour so near to the ground's is ground
LARGER = 0.7  # the light parts are lit, unless the dark ones are this much larger

Lamps: TypeAlias = NDArray[np.bool_]
Drawing: TypeAlias = tuple[str, ...]
Part: TypeAlias = tuple[int, int, int, int]  # left, top, right, bottom, in pixels


def drawings(theme: Theme) -> Mapping[int, Drawing]:
    """Return the drawing of each number that has one, twelve rows of fourteen lamps, `#` a lit one;
    none for a theme of numbers.

    Reads the theme's pictures the first time.

    Raises:
        OSError: a picture cannot be read.
    """
    return _drawings(theme.entries[1].picture.parent, theme.board)


@lru_cache(maxsize=8)
def _drawings(folder: Path, part: Part | None) -> Mapping[int, Drawing]:
    drawn = []
    for number in range(1, KNOBS + 1):
        with Image.open(folder / picture_name(number)) as picture:
            drawn.append(lamps(picture if part is None else without_ground(picture, part)))
    shown = np.stack(drawn)
    alone = (nearest(shown) >= APART) & (shown.sum(axis=(1, 2)) >= LEAST)
    if np.count_nonzero(~alone) > MOST_NUMBERS:
        return MappingProxyType({})
    return MappingProxyType(
        {place + 1: _rows(picture) for place, picture in enumerate(drawn) if alone[place]}
    )


def lamps(picture: Image.Image) -> Lamps:
    """Return a picture as lamps: its shape, and what stands out, large and in the middle."""
    ink = picture.convert("RGBA")
    ink = ink.crop(ink.getchannel("A").getbbox())
    scale = min(WIDTH / ink.width, HEIGHT / ink.height)
    size = max(1, round(ink.width * scale)), max(1, round(ink.height * scale))
    cover = _shrunk(ink.getchannel("A"), size)
    light = _shrunk(
        Image.alpha_composite(Image.new("RGBA", ink.size, "black"), ink).convert("L"), size
    )
    shape = cover >= 0.5
    shown = _standing_out(shape, light / np.maximum(cover, 0.5))
    board = np.zeros((HEIGHT, WIDTH), dtype=np.bool_)
    top, left = (HEIGHT - size[1]) // 2, (WIDTH - size[0]) // 2
    board[top : top + size[1], left : left + size[0]] = shown
    return board


def without_ground(picture: Image.Image, part: Part) -> Image.Image:
    """Return a part of a picture without its ground: the colour of most of the part's edge."""
    ink = np.array(picture.convert("RGBA").crop(part))
    edge = np.concatenate([ink[0], ink[-1], ink[:, 0], ink[:, -1]])[:, :3]
    colours, counts = np.unique(edge, axis=0, return_counts=True)
    away = np.abs(ink[..., :3].astype(np.int16) - colours[counts.argmax()]).max(axis=2)
    ink[away < GROUND] = 0
    return Image.fromarray(ink)


def nearest(pictures: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return by how many lamps each picture differs from the one most like it, moved by a lamp.

    Args:
        pictures: one after the other, each as rows of lamps.

    >>> dots = np.zeros((3, HEIGHT, WIDTH), dtype=np.bool_)
    >>> dots[0, 5, 5] = dots[1, 5, 6] = dots[2, 9, 9] = True
    >>> nearest(dots).tolist()
    [0, 0, 2]
    """
    count = len(pictures)
    flat = pictures.reshape(count, -1).astype(np.int32)
    lit = flat.sum(axis=1)
    moved = (
        np.roll(pictures, step, (1, 2)).reshape(count, -1).astype(np.int32)
        for step in product((-1, 0, 1), repeat=2)
    )
    differ = np.min([lit[:, None] + lit[None, :] - 2 * flat @ other.T for other in moved], axis=0)
    np.fill_diagonal(differ, pictures[0].size)
    return np.asarray(differ.min(axis=1), dtype=np.intp)


def _shrunk(channel: Image.Image, size: tuple[int, int]) -> NDArray[np.float64]:
    return np.asarray(channel.resize(size, Image.Resampling.BOX), dtype=np.float64) / 255


def _standing_out(shape: Lamps, light: NDArray[np.float64]) -> Lamps:
    """Return the light parts of a shape, or its dark parts where those are much larger; all of it
    where it has one brightness."""
    limit = _parting(light[shape])
    bright, dark = shape & (light >= limit), shape & (light < limit)
    if not dark.any() or light[bright].mean() - light[dark].mean() <= CONTRAST:
        return shape
    return bright if bright.sum() >= LARGER * dark.sum() else dark


def _parting(values: NDArray[np.float64]) -> float:
    """Return the value that parts light from dark with the least variance within either (Otsu's);
    below all if there is one value."""
    limits = np.unique(values)
    if len(limits) < 2:
        return -1.0
    between = [
        np.count_nonzero(values < limit)
        * np.count_nonzero(values >= limit)
        * (values[values >= limit].mean() - values[values < limit].mean()) ** 2
        for limit in limits[1:]
    ]
    return float(limits[1 + int(np.argmax(between))])


def _rows(picture: Lamps) -> Drawing:
    return tuple("".join("#" if lamp else "." for lamp in row) for row in picture)


# -- checks of the pictures ------------------------------------------------------------------------

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
