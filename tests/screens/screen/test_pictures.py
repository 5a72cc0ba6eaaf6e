"""The pictures in the documentation are the program's own, and small."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from docs.make_screen_pictures import CALLED, COLOURFUL, SIZE, main, views
from tests.screens.screen import reader

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"


@pytest.mark.parametrize("name", sorted(views()))
def test_a_shipped_picture_is_small(name):
    """1920 x 1080, under 120 kB."""
    file = PICTURES / f"{name}.png"
    assert file.stat().st_size < 120_000
    with Image.open(file) as picture:
        assert picture.size == SIZE


@pytest.mark.parametrize("name", sorted(views().keys() - {*COLOURFUL, "screen-code"}))
def test_a_shipped_picture_shows_what_it_says(name):
    """The last number that its game has, large; those of a table, of a theme and of a pause
    show other things."""
    picture = Image.open(PICTURES / f"{name}.png")
    assert reader.read_last(np.asarray(picture.convert("RGB"))) == CALLED[-1]


@pytest.mark.long
def test_the_pictures_can_be_made_anew(tmp_path):
    """The script writes the same set again, each within a few grey levels of the shipped one."""
    main(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(
        f"{name}.png" for name in (*views(), "looks", "screen-frame")
    )
    for file in tmp_path.iterdir():
        made, shipped = (
            np.asarray(Image.open(one).convert("L"), dtype=float)
            for one in (file, PICTURES / file.name)
        )
        assert np.abs(made - shipped).mean() < 2
