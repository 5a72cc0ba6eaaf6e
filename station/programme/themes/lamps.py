"""Draw a theme's pictures for the ten-cavity board: each with 14 × 12 lamps, on or off.

So few lamps show a shape and nothing else: a star and a hammer are known by it, two animals on four
legs may not be. A picture is shown only where it is apart from every other of its theme; its number
stays where it is not. A theme that loses more than a third of its pictures that way keeps its
numbers: of flags hardly anything is left without their colours. So do boards whose cavities are 8
lamps wide: seven columns show no shape. Of pictures in a frame, as history's are with their years,
the theme names the part that is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from station.base.nouns import KNOBS
from station.programme.themes import Theme, picture_name

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
