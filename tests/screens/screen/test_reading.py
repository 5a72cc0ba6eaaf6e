"""Every number, read back from the pixels by the reader, which knows neither our font nor our
layout."""

import random

import numpy as np
import pygame
import pytest
from PIL import Image, ImageDraw, ImageFont

from station.screens.screen import ink
from station.screens.screen.app import Painter
from station.screens.screen.ink import BOARD
from tests.screens.screen import reader
from tests.screens.screen.boards import FULL_HD, board


@pytest.mark.long
def test_a_whole_game_is_read_off_the_screen(labels):
    """Each of the 90 as last number and among the last ten after every call; the board after every
    ninth and at the end."""
    order = random.Random(90).sample(range(1, 91), 90)
    painter, surface = Painter(FULL_HD, labels), pygame.Surface(FULL_HD)
    read = []
    for count in range(91):
        view = board(called=tuple(order[:count]), test=True)
        painter.paint(surface, view, False)
        seen = reader.grey_of(surface)
        last = reader.read_last(seen)
        assert reader.read_last_ten(seen) == order[max(0, count - 10) : count][::-1]
        if count % 9 == 0:
            assert reader.read_called(seen) == set(order[:count])
        if last is not None:
            read.append(last)
    assert read == order


@pytest.mark.parametrize(
    ("one", "other"), ["68", "36", "17", "58", "09", "39", "25", "14"], ids=lambda digit: digit
)
def test_a_renderer_that_swaps_two_digits_is_caught(labels, monkeypatch, one, other):
    """The reader reads what is there: with two digits swapped in the font, every place gives the
    wrong number."""
    honest = ink.Renderer._digit
    swap = {one: other, other: one}
    monkeypatch.setattr(
        ink.Renderer,
        "_digit",
        lambda self, digit, *rest: honest(self, swap.get(digit, digit), *rest),
    )
    surface = pygame.Surface(FULL_HD)
    called = {"0": (90,)}.get(one, (int(one + one),))
    Painter(FULL_HD, labels).paint(surface, board(called=called), False)
    wrong = int("".join(swap.get(digit, digit) for digit in str(called[-1])))
    assert reader.read_last(surface) == wrong != called[-1]
    assert reader.read_last_ten(surface) == [wrong]
    with pytest.raises(reader.NotLegible):
        reader.read_called(surface)


def test_a_board_that_lights_the_wrong_cell_is_caught(labels):
    """What is lit is found by reading it, so a board painted for other numbers gives those."""
    surface = pygame.Surface(FULL_HD)
    Painter(FULL_HD, labels).paint(surface, board(called=(6, 19, 88)), False)
    assert reader.read_called(surface) == {6, 19, 88}


def test_nothing_called_reads_as_nothing(labels):
    """Before the first number there is none to read, and no cell is lit."""
    surface = pygame.Surface(FULL_HD)
    Painter(FULL_HD, labels).paint(surface, board(called=()), False)
    assert reader.read_last(surface) is None
    assert reader.read_last_ten(surface) == []
    assert reader.read_called(surface) == set()


@pytest.mark.parametrize(("ground", "digits"), [(20, 235), (240, 15), (90, 250)])
def test_a_number_is_read_from_any_crop(ground, digits):
    """The reader's core: a number in our font, in other sizes and tones, also inside a frame, or
    none at all."""
    for size in (40, 90, 200):
        font = ImageFont.truetype(str(BOARD), size)
        for number in range(1, 91):
            picture = Image.new("L", (3 * size, 2 * size), ground)
            drawing = ImageDraw.Draw(picture)
            drawing.rectangle((1, 1, 3 * size - 2, 2 * size - 2), outline=digits, width=2)
            drawing.text((size // 2, size // 4), str(number), fill=digits, font=font)
            assert reader.read_number(np.asarray(picture)) == number
    assert reader.read_number(np.full((50, 80), ground)) is None


def test_letters_are_no_number():
    """A crop with a letter that resembles no digit reads as nothing."""
    font = ImageFont.truetype(str(BOARD), 90)
    for letter in "WMKHX":
        picture = Image.new("L", (200, 180), 10)
        ImageDraw.Draw(picture).text((40, 30), letter, fill=240, font=font)
        assert reader.read_number(np.asarray(picture)) is None


def test_the_halls_logo_stands_before_its_name(labels, tmp_path):
    """In its own shape, as high as the header; the name stands beside it. One that is gone by now
    leaves the header as it is without."""
    file = tmp_path / "hall.png"
    Image.new("RGB", (60, 20), (1, 200, 3)).save(file)

    def header(logo):
        painter, surface = Painter(FULL_HD, labels, None, logo), pygame.Surface(FULL_HD)
        painter.paint(surface, board(called=(6,)), False)
        box = painter.layout.header
        return pygame.surfarray.array3d(surface.subsurface(box))

    shown, plain = header(file), header(None)
    of_logo = (shown == (1, 200, 3)).all(axis=2)
    across, down = of_logo.any(axis=1).sum(), of_logo.any(axis=0).sum()
    assert down == shown.shape[1]
    assert abs(across - 3 * down) <= 1
    assert of_logo[:across].all()
    assert not np.array_equal(shown, plain)
    assert np.array_equal(header(tmp_path / "gone.png"), plain)
