"""Draw a board's lamps for people: round LEDs on black, and the bars of its plate before them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from drivers.board.geometry import Geometry

DARK = (34, 20, 19)
WOOD = (150, 110, 60)
PITCH = 12  # pixels of the picture from lamp to lamp
_SHARP = 4  # drawn larger, then reduced: smooth edges
_EXPOSURE = 1 / 2.2  # an eye sees dim lamps brighter than their share of full light


def photograph(lamps: Image.Image, geometry: Geometry, *, bare: bool = False) -> Image.Image:
    """Draw lamps ("RGB", a pixel each) as round LEDs; dark ones faintly.

    The brightest lamp is bright in the picture, however dim the board is: a camera does the same.
    The plate's bars are before them where the shape has any; a `bare` board has no plate.
    """
    colours = np.asarray(lamps)
    brightest = max(1, int(colours.max()))
    found, which = np.unique(colours.reshape(-1, 3), axis=0, return_inverse=True)
    shown = np.array(
        [seen((red, green, blue), brightest) for red, green, blue in found.tolist()], np.uint8
    )
    lit = shown[which.ravel()].reshape(colours.shape).repeat(PITCH, axis=0).repeat(PITCH, axis=1)
    dots = np.tile(_dot(), (lamps.height, lamps.width))[:, :, None] * lit
    image = Image.fromarray(
        np.pad(dots.astype(np.uint8), [(PITCH // 2, PITCH // 2)] * 2 + [(0, 0)])
    )
    draw = ImageDraw.Draw(image)
    for column in () if bare else geometry.bars:
        left = column * PITCH + PITCH // 2
        draw.rectangle([(left, 0), (left + PITCH - 1, image.height)], fill=WOOD)
    return image


def _dot() -> NDArray[np.float64]:
    """Return how much of each pixel of a lamp's square is lit: 0 to 1."""
    sharp = Image.new("L", (PITCH * _SHARP, PITCH * _SHARP))
    middle = (sharp.width - 1) / 2
    ImageDraw.Draw(sharp).circle((middle, middle), 0.42 * sharp.width, fill=255)
    return np.asarray(sharp.reduce(_SHARP)) / 255


def seen(colour: tuple[int, int, int], brightest: int) -> tuple[int, int, int]:
    """Return a lamp's colour as seen: its hue, brighter than its share of the brightest light."""
    light = max(colour)
    if not light:
        return DARK
    shown = 255 * (light / brightest) ** _EXPOSURE / light
    red, green, blue = colour
    return round(shown * red), round(shown * green), round(shown * blue)
