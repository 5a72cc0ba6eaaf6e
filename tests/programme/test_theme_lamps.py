"""Pictures of a theme on the ten-cavity board: only those that can be told apart, and only where a
cavity has room for them."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from drivers import BadOption, Cavity
from drivers.board.geometry import GEOMETRIES
from drivers.board.picture import Ink, draw_board
from station.programme.themes import load_theme, shipped
from station.programme.themes.pictures import (
    APART,
    HEIGHT,
    LEAST,
    MOST_NUMBERS,
    WIDTH,
    drawings,
    lamps,
    nearest,
    without_ground,
)

THEMES = {key: load_theme(key) for key in shipped()}
# Those with drawings on the board.
DRAWN = ("botanical", "historical", "picture", "spelling")
STEPS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
WIDE = [name for name, geometry in GEOMETRIES.items() if geometry.cavity_width == 16]


@cache
def lit(key: str) -> dict[int, np.ndarray]:
    found = {}
    part = THEMES[key].board
    for number, entry in THEMES[key].entries.items():
        with Image.open(entry.picture) as picture:
            found[number] = lamps(picture if part is None else without_ground(picture, part))
    return found


def differ(one: np.ndarray, other: np.ndarray) -> int:
    """Lamps that differ, at the least, when one is moved by a lamp: counted plainly."""
    return min(int((one != np.roll(other, step, (0, 1))).sum()) for step in STEPS)


@pytest.mark.long
@pytest.mark.parametrize("key", THEMES)
def test_only_what_can_be_told_apart_is_drawn(key):
    """A drawing differs from every other picture of its theme by 16 lamps and more, and has twelve
    at the least; each that has none is nearer to another, or thinner."""
    pictures = lit(key)
    near = nearest(np.stack([*pictures.values()])).tolist()
    alone = {
        number
        for (number, picture), lamps_apart in zip(pictures.items(), near, strict=True)
        if lamps_apart >= APART and picture.sum() >= LEAST
    }
    assert set(drawings(THEMES[key])) == (alone if len(alone) >= 90 - MOST_NUMBERS else set())


@pytest.mark.long
def test_the_nearest_is_found():
    """The same as counted plainly, pair by pair and step by step."""
    pictures = [*lit("picture").values()][:30]
    near = [WIDTH * HEIGHT] * len(pictures)
    for one, other in combinations(range(len(pictures)), 2):
        lamps_apart = differ(pictures[one], pictures[other])
        near[one], near[other] = min(near[one], lamps_apart), min(near[other], lamps_apart)
    assert nearest(np.stack(pictures)).tolist() == near


@pytest.mark.long
def test_flags_keep_their_numbers():
    """The themes of shapes are drawn, two of three numbers at the least; the one whose pictures
    live by colour is not."""
    assert {key for key, theme in THEMES.items() if drawings(theme)} == {*DRAWN}
    assert all(len(drawings(THEMES[key])) >= 60 for key in DRAWN)


@pytest.mark.long
@pytest.mark.parametrize("key", DRAWN)
def test_a_drawing_fills_its_place_and_is_no_number(key):
    """Twelve rows of fourteen lamps, a good part of them lit, over half the height or width; no
    drawing is like any number."""
    numbers = np.stack([cell(Cavity(number), "160x16")[1:13, 1:15] for number in range(1, 91)])
    for rows in drawings(THEMES[key]).values():
        board = np.array([[lamp == "#" for lamp in row] for row in rows])
        assert board.shape == (HEIGHT, WIDTH)
        assert 12 <= board.sum() <= 160
        down, across = board.nonzero()
        assert np.ptp(down) >= HEIGHT // 2 or np.ptp(across) >= WIDTH // 2
        moved = (np.roll(board, step, (0, 1)) for step in STEPS)
        assert min((numbers != one).sum(axis=(1, 2)).min() for one in moved) >= APART


@pytest.mark.long
def test_the_page_counts_them():
    """docs/themes.md says of each theme how many of its pictures the board shows."""
    text = (Path(__file__).parents[2] / "docs" / "themes.md").read_text(encoding="utf-8")
    for key, theme in THEMES.items():
        drawn = drawings(theme)
        assert f"| `{key}` | {len(drawn)} of 90 |" in text or (
            not drawn and f"| `{key}` | none: " in text
        )


def test_of_a_framed_picture_the_part_inside_is_drawn():
    """Neither frame nor ground nor year; a part of plain ground is nothing, and so is what lies
    outside the picture."""
    framed = Image.new("RGBA", (160, 160), "navy")
    pen = ImageDraw.Draw(framed)
    pen.rectangle((6, 6, 153, 153), fill="#fffbe8")
    pen.ellipse((50, 20, 109, 79), fill="gold")
    pen.rectangle((20, 120, 139, 150), fill="black")
    disc = Image.new("RGBA", (160, 160))
    ImageDraw.Draw(disc).ellipse((50, 20, 109, 79), fill="gold")
    assert (lamps(without_ground(framed, (8, 8, 152, 110))) == lamps(disc)).all()
    assert not (lamps(framed) == lamps(disc)).all()
    for empty in ((8, 84, 152, 110), (200, 200, 220, 220)):
        assert not lamps(without_ground(framed, empty)).any()


def cell(cavity: Cavity, geometry: str) -> np.ndarray:
    """The lamps of a cavity on a board, as truth values."""
    shape = GEOMETRIES[geometry]
    board = np.asarray(draw_board([cavity], shape)) != Ink.DARK
    return board[:16, : shape.cavity_width]


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_a_drawing_is_shown_where_there_is_room(geometry):
    """In a cavity of 16 lamps it stands in place of the number, its marks below; one of 8 lamps
    shows the number as ever."""
    rows = drawings(THEMES["spelling"])[3]  # a star
    for cavity in (Cavity(3), Cavity(3, newest=True), Cavity(3, called=False)):
        drawn = Cavity(3, cavity.newest, cavity.called, drawing=rows)
        shown, number = cell(drawn, geometry), cell(cavity, geometry)
        if geometry in WIDE:
            assert "\n".join("".join("#" if lamp else "." for lamp in row) for row in shown).count(
                "#" * 6
            )
            found = np.array([[lamp == "#" for lamp in row] for row in rows])
            assert (shown[1:13, 1:15] == found).all()
            assert (shown[13:] == number[13:]).all()
            assert not (shown[:13] == number[:13]).all()
        else:
            assert (shown == number).all()


@pytest.mark.parametrize("rows", [("#" * 15,), ("#",) * 13, ("##", "#"), ("#x",), ("",)])
def test_a_drawing_that_is_none_is_refused(rows):
    """Too wide, too high, uneven, of other letters, empty rows: the cavity is named, nothing is
    drawn."""
    with pytest.raises(BadOption, match="cavity 2 cannot show its drawing"):
        draw_board([None, Cavity(3, drawing=rows)], GEOMETRIES["160x16"])


def test_a_shape_is_drawn_as_it_is():
    """A disc is a disc; a dark thing is lit all the same; eyes in a face stay dark; a wide thing is
    as wide as the board."""
    disc = Image.new("RGBA", (160, 160))
    ImageDraw.Draw(disc).ellipse((20, 20, 139, 139), fill="gold")
    black = Image.new("RGBA", (160, 160))
    ImageDraw.Draw(black).ellipse((0, 0, 159, 159), fill="black")
    assert (lamps(disc) == lamps(black)).all()
    assert lamps(disc).sum() > 90
    assert lamps(disc)[0, 1:3].sum() == 0
    face = disc.copy()
    for x in (50, 90):
        ImageDraw.Draw(face).ellipse((x, 50, x + 20, 70), fill="black")
    assert 2 <= (lamps(disc) & ~lamps(face)).sum() <= 12
    bar = Image.new("RGBA", (160, 160))
    ImageDraw.Draw(bar).rectangle((0, 70, 159, 89), fill="green")
    assert lamps(bar).any(axis=0).all()
    assert lamps(bar).any(axis=1).sum() <= 2
