"""Reads numbers off a picture as a person does: from its pixels, with digits that our renderer
never drew.

The templates are Pillow's built-in typeface (Aileron) at several weights, and a hand-drawn 1 with a
foot. A glyph is a connected patch of light or of dark; it is scaled to one size and compared with
every template by correlation. Nothing here knows the board's layout, only what a viewer is told:
the huge number is the last one, the row of large ones are the last ten (newest first), and on the
90 board a called number is dark on a light plate.

    read_last(frame), read_last_ten(frame), read_called(frame)    of a whole 1920 x 1080 picture
    read_number(crop)                                             of any crop that holds one number

Pictures are pygame surfaces, or arrays: H x W x 3 (RGB) or H x W (grey), 0-255.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from PIL import Image, ImageDraw, ImageFont

Array: TypeAlias = Any  # numpy array

GRID = (16, 24)  # templates' width and height
HOLES = (1, 0, 0, 0, 1, 0, 1, 0, 2, 1)  # of each digit
SURE = 0.5  # a patch that resembles no digit so far is not one
MIDDLE = 112.0  # grey between light and dark on a board of high contrast
LAST = (0.30, 0.60)  # heights of digits, of the picture's height
TEN = (0.085, 0.16)
BOARD = (0.026, 0.065)
# pixels of height that a digit needs to be read: larger ones are read off a smaller picture
ENOUGH = 40


class NotLegible(AssertionError):
    """What should be there cannot be read."""


@dataclass(frozen=True)
class Glyph:
    """A patch of one tone; `light` if it is light on dark. `digit` is None for what is no digit."""

    x: int
    y: int
    w: int
    h: int
    light: bool
    digit: int | None
    score: float


@dataclass(frozen=True)
class Written:
    """A number on the picture, with the box around its digits."""

    number: int
    x: int
    y: int
    w: int
    h: int
    light: bool


# ---- whole pictures ------------------------------------------------------------------------------


def grey_of(picture: Any) -> Array:
    """Luma of a surface or an array, as floats."""
    if hasattr(picture, "get_size"):
        import pygame

        width, height = picture.get_size()
        picture = np.frombuffer(pygame.image.tobytes(picture, "RGB"), np.uint8).reshape(
            height, width, 3
        )
    array = np.asarray(picture, dtype=np.float32)
    return (
        array
        if array.ndim == 2
        else array[..., :3] @ np.array([0.299, 0.587, 0.114], dtype=np.float32)
    )


def read_last(frame: Any) -> int | None:
    """The huge number, or None when there is none."""
    found = numbers_of(frame, LAST)
    if len(found) > 1:
        raise NotLegible(f"more than one huge number: {found}")
    return found[0].number if found else None


def read_last_ten(frame: Any) -> list[int]:
    """The row of large numbers, left to right."""
    found = sorted(numbers_of(frame, TEN), key=lambda one: one.x)
    if found and max(one.y for one in found) - min(one.y for one in found) > found[0].h / 2:
        raise NotLegible(f"the large numbers do not stand in one row: {found}")
    return [one.number for one in found]


def read_called(frame: Any) -> set[int]:
    """The numbers that are dark on light on the 90 board.

    Raises:
        NotLegible: the 90 numbers do not all stand there, once each and in order.
    """
    return {one.number for one in read_board(frame) if not one.light}


def read_board(frame: Any) -> list[Written]:
    """The 90 numbers of the board, in the order of reading."""
    grey = grey_of(frame)
    found = numbers_of(grey, BOARD)
    # The board is the block of numbers in the right part, between the header and the last ten.
    height, width = grey.shape
    found = [one for one in found if one.x > 0.38 * width and 0.08 * height < one.y < 0.66 * height]
    rows: list[list[Written]] = []
    for one in sorted(found, key=lambda one: one.y + one.h / 2):
        if rows and abs(one.y + one.h / 2 - rows[-1][0].y - rows[-1][0].h / 2) < 0.02 * height:
            rows[-1].append(one)
        else:
            rows.append([one])
    in_order = [one for row in rows for one in sorted(row, key=lambda one: one.x)]
    if [one.number for one in in_order] != list(range(1, 91)) or [len(row) for row in rows] != [
        10
    ] * 9:
        raise NotLegible(f"the 90 board reads {[one.number for one in in_order]}")
    return in_order


def numbers_of(frame: Any, heights: tuple[float, float]) -> list[Written]:
    """All numbers whose digits are that high, of the picture's height."""
    grey = grey_of(frame)
    shrink = max(1, int(heights[0] * grey.shape[0] / ENOUGH))
    rows, columns = grey.shape[0] // shrink, grey.shape[1] // shrink
    small = (
        grey[: rows * shrink, : columns * shrink]
        .reshape(rows, shrink, columns, shrink)
        .mean(axis=(1, 3))
    )
    low, high = (share * grey.shape[0] / shrink for share in heights)
    # Larger ones are looked at too: the hole of a larger digit is not a digit.
    glyphs = glyphs_of(small, low, LAST[1] * grey.shape[0] / shrink)
    found = _join([glyph for glyph in glyphs if glyph.digit is not None and glyph.h <= high])
    return [
        Written(one.number, *(shrink * side for side in (one.x, one.y, one.w, one.h)), one.light)
        for one in found
    ]


# ---- one number ----------------------------------------------------------------------------------


def read_number(crop: Any) -> int | None:
    """The one number in a crop, light on dark or dark on light; None when there is none.

    Frames and plates that touch the crop's edge are no digits, nor are specks.
    """
    grey = grey_of(crop)
    low, high = float(grey.min()), float(grey.max())
    if high - low < 24:
        return None
    stretched = (grey - low) / (high - low) * 255
    glyphs = [
        glyph
        for glyph in glyphs_of(stretched, 0.2 * grey.shape[0], grey.shape[0], 127.0)
        if glyph.digit is not None
    ]
    glyphs = [glyph for glyph in glyphs if not _at_edge(glyph, grey.shape)]
    if not glyphs:
        return None
    tallest = max(glyph.h for glyph in glyphs)
    found = _join([glyph for glyph in glyphs if glyph.h > 0.7 * tallest])
    return found[0].number if len(found) == 1 else None


def _at_edge(glyph: Glyph, shape: Sequence[int]) -> bool:
    return (
        glyph.x == 0
        or glyph.y == 0
        or glyph.x + glyph.w == shape[1]
        or glyph.y + glyph.h == shape[0]
    )


def _join(digits: list[Glyph]) -> list[Written]:
    """Digits beside each other, of one tone and one height, make a number."""
    groups: list[list[Glyph]] = []
    for digit in sorted(digits, key=lambda one: one.x):
        for group in groups:
            left = group[-1]
            gap = digit.x - left.x - left.w
            beside = abs((left.y + left.h / 2) - (digit.y + digit.h / 2)) < 0.15 * digit.h
            if (
                beside
                and left.light == digit.light
                and gap < 0.32 * digit.h
                and abs(left.h - digit.h) < 0.12 * digit.h
            ):
                group.append(digit)
                break
        else:
            groups.append([digit])
    written = []
    for group in groups:
        number = int("".join(str(glyph.digit) for glyph in group))
        x, y = min(g.x for g in group), min(g.y for g in group)
        w, h = max(g.x + g.w for g in group) - x, max(g.y + g.h for g in group) - y
        written.append(Written(number, x, y, w, h, group[0].light))
    return written


# ---- glyphs --------------------------------------------------------------------------------------


def glyphs_of(grey: Array, low: float, high: float, middle: float = MIDDLE) -> list[Glyph]:
    """Patches between two heights in pixels, shaped like a digit; holes of digits are left out."""
    light = grey > middle
    patches = [(*patch, True) for patch in _patches(light, low, high)] + [
        (*patch, False) for patch in _patches(~light, low, high)
    ]
    read = [
        Glyph(x, y, mask.shape[1], mask.shape[0], tone, *classify(mask))
        for x, y, mask, tone in patches
    ]
    sure = [glyph for glyph in read if glyph.digit is not None]
    return [glyph for glyph in read if not any(_within(glyph, other) for other in sure)]


def _within(inner: Glyph, outer: Glyph) -> bool:
    return (
        inner.light != outer.light
        and inner.x > outer.x
        and inner.y > outer.y
        and inner.x + inner.w < outer.x + outer.w
        and inner.y + inner.h < outer.y + outer.h
    )


def _runs(mask: Array) -> tuple[Array, Array, Array, Array]:
    """Row, start and end of each horizontal run, patch by patch (connected by edges), and where
    among them each patch begins."""
    edges = np.diff(np.pad(mask.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    rows, starts = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    parent = list(range(len(rows)))

    def root(run: int) -> int:
        while parent[run] != run:
            parent[run] = parent[parent[run]]
            run = parent[run]
        return run

    first = np.searchsorted(rows, np.arange(len(mask) + 1)).tolist()
    left, right = starts.tolist(), ends.tolist()
    for row in range(1, len(mask)):
        above, below = first[row - 1], first[row]
        while above < first[row] and below < first[row + 1]:
            if left[above] < right[below] and left[below] < right[above]:
                parent[root(below)] = root(above)
            if right[above] < right[below]:
                above += 1
            else:
                below += 1
    roots = np.array([root(run) for run in range(len(rows))], dtype=np.int64)
    order = np.argsort(roots, kind="stable")
    begins = np.nonzero(np.diff(roots[order], prepend=-1))[0]
    return rows[order], starts[order], ends[order], begins


def _patches(mask: Array, low: float, high: float) -> list[tuple[int, int, Array]]:
    """The patches of a mask, as (left, top, own mask), whose height and shape could be a
    digit's."""
    rows, starts, ends, begins = _runs(mask)
    if not len(begins):
        return []
    x, y = np.minimum.reduceat(starts, begins), np.minimum.reduceat(rows, begins)
    w = np.maximum.reduceat(ends, begins) - x
    h = np.maximum.reduceat(rows, begins) - y + 1
    fits = (low <= h) & (h <= high) & (0.12 * h < w) & (w < 1.05 * h)
    until = np.append(begins[1:], len(rows))
    patches = []
    for patch in np.nonzero(fits)[0].tolist():
        left, top = int(x[patch]), int(y[patch])
        own = np.zeros((h[patch], w[patch]), dtype=bool)
        for run in range(begins[patch], until[patch]):
            own[rows[run] - top, starts[run] - left : ends[run] - left] = True
        patches.append((left, top, own))
    return patches


def _holes(mask: Array) -> int:
    """How many holes a patch has: an 8 has two, a 5 none."""
    _, starts, ends, begins = _runs(~np.pad(mask, 1))
    return int((np.add.reduceat(ends - starts, begins) > 0.004 * mask.size).sum()) - 1


def classify(mask: Array) -> tuple[int | None, float]:
    """The digit that a patch resembles most, and how much (correlation, 1 is the same)."""
    digits, holes, templates = _templates()
    scores = np.where(holes == _holes(mask), templates @ _normal(mask), -1.0)
    best = int(scores.argmax())
    score = float(scores[best])
    return (digits[best] if score >= SURE else None), score


def _normal(mask: Array) -> Array:
    scaled = Image.fromarray((mask * 255).astype(np.uint8)).resize(GRID, Image.Resampling.BOX)
    # How wide it is belongs to the shape: a stroke scaled to the full width says nothing.
    width = min(1.0, 1.2 * mask.shape[1] / mask.shape[0])
    narrow = scaled.resize((max(2, round(width * GRID[0])), GRID[1]), Image.Resampling.BILINEAR)
    whole = Image.new("L", GRID)
    whole.paste(narrow, ((GRID[0] - narrow.width) // 2, 0))
    vector = np.asarray(whole, dtype=np.float32).ravel() / 255
    vector -= vector.mean()
    return vector / (np.linalg.norm(vector) or 1.0)


@cache
def _templates() -> tuple[tuple[int, ...], Array, Array]:
    """Digits, their holes, and their shapes as rows of a matrix."""
    digits: list[int] = []
    holes: list[int] = []
    vectors: list[Array] = []
    for weight in (0, 4, 8, 12):
        drawn = [(digit, _drawn(str(digit), weight)) for digit in range(10)]
        for digit, mask in (*drawn, (1, _footed_one(weight))):
            for squeeze in (0.62, 0.8, 1.0):
                shape = _squeezed(mask, squeeze)
                # so bold that it has run together: no longer that digit
                if _holes(shape) != HOLES[digit]:
                    continue
                digits.append(digit)
                holes.append(HOLES[digit])
                vectors.append(_normal(shape))
    return tuple(digits), np.array(holes), np.stack(vectors)


def _drawn(text: str, weight: int) -> Array:
    font = ImageFont.load_default(size=160)
    picture = Image.new("L", (300, 300))
    ImageDraw.Draw(picture).text((80, 40), text, fill=255, font=font, stroke_width=weight)
    return _cropped(picture)


def _footed_one(weight: int) -> Array:
    """A 1 with a foot, drawn by hand: stem, flag and foot."""
    picture = Image.new("L", (120, 160))
    draw = ImageDraw.Draw(picture)
    half = 8 + weight
    draw.rectangle((60 - half, 6, 60 + half, 154), fill=255)
    draw.polygon([(60, 6), (60, 10 + 2 * half), (18, 24 + 2 * half), (18, 20)], fill=255)
    draw.rectangle((18, 154 - 2 * half + weight // 2, 102, 154), fill=255)
    return _cropped(picture)


def _cropped(picture: Image.Image) -> Array:
    box = picture.getbbox()
    assert box is not None
    return np.asarray(picture.crop(box)) > 127


def _squeezed(mask: Array, share: float) -> Array:
    picture = Image.fromarray((mask * 255).astype(np.uint8))
    return np.asarray(picture.resize((max(2, round(picture.width * share)), picture.height))) > 127
