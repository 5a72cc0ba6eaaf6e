"""What a person at the back of the hall must be able to read: sizes and contrast, measured on the
pixels (H19)."""

import numpy as np
import pygame
import pytest

from station.screens.screen.app import Painter
from station.wire.board_view import Phase, SignView, Verdict
from tests.screens.screen import reader
from tests.screens.screen.boards import FULL_HD, PROCEDURE, board, claim

LANDSCAPE = [(1920, 1080), (1280, 720), (1024, 768)]


def paint(labels, view, size=FULL_HD, *, stale=False):
    surface = pygame.Surface(size)
    Painter(size, labels).paint(surface, view, stale)
    return surface


def rgb_of(surface):
    width, height = surface.get_size()
    return np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8).reshape(height, width, 3)


def luminance(rgb):
    """Relative luminance of sRGB colours (WCAG 2)."""
    share = np.asarray(rgb, dtype=float) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def tones_of(colours):
    """The different colours, and how many pixels have each."""
    packed, counts = np.unique(
        colours.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32), return_counts=True
    )
    return np.stack([packed >> 16, packed >> 8 & 255, packed & 255], axis=1), counts


def contrast(rgb, one):
    """Between the two colours that a number's box holds most of: its plate and its digits."""
    crop = rgb[one.y : one.y + one.h, one.x : one.x + one.w].reshape(-1, 3)
    tones, counts = tones_of(crop)
    first, second = (luminance(tones[index]) for index in np.argsort(counts)[:-3:-1])
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)


@pytest.mark.parametrize("size", LANDSCAPE, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(
    "called", [(1,), (11,), (88,), (71,), (40,)], ids=lambda called: str(called[0])
)
def test_the_last_number_is_a_third_of_the_height(labels, size, called):
    """The glyph's own pixels are at least 35 % of the screen high, whatever the digits."""
    (last,) = reader.numbers_of(paint(labels, board(called=called), size), reader.LAST)
    assert last.number == called[-1]
    assert last.h >= 0.35 * size[1]


def test_the_last_ten_are_nine_hundredths_of_the_height(labels):
    """The lowest digit of the last ten is at least 9 % of the screen high."""
    for called in [
        tuple(range(1, 12)),
        (10, 17, 71, 47, 14, 74, 41, 77, 11, 1),
        tuple(range(90, 79, -1)),
    ]:
        found = reader.numbers_of(paint(labels, board(called=called)), reader.TEN)
        assert len(found) == 10
        assert min(one.h for one in found) >= 0.09 * FULL_HD[1]


def test_the_board_has_rows_of_a_twentysecond_and_large_digits(labels):
    """Rows are 4.5 % apart or more; digits fill most of a row, lit or not, newest or not."""
    found = reader.read_board(paint(labels, board()))
    middles = [one.y + one.h / 2 for one in found]
    assert (
        min(below - above for above, below in zip(middles, middles[10:], strict=False))
        >= 0.045 * FULL_HD[1]
    )
    assert min(one.h for one in found) >= 0.034 * FULL_HD[1]


def test_every_number_has_a_contrast_of_seven(labels):
    """Last number, last ten and all 90 of the board: plate against digits at least 7:1, on the
    pixels."""
    for view in (board(), board(phase=Phase.HALTED, procedure=PROCEDURE)):
        surface = paint(labels, view)
        rgb = rgb_of(surface)
        found = [
            *reader.numbers_of(surface, reader.LAST),
            *reader.numbers_of(surface, reader.TEN),
            *reader.read_board(surface),
        ]
        assert len(found) == (101 if view.phase is Phase.PLAYING else 91)
        for one in found:
            assert contrast(rgb, one) >= 7, one


@pytest.mark.parametrize("verdict", Verdict)
def test_texts_have_a_contrast_of_seven(labels, verdict):
    """The two main tones of every text's place differ by 7:1: header, facts, footer, signs,
    verdicts, procedure, STALE."""
    amber = SignView(
        device="reader", colour="amber", text="The reader does not answer: check its cable."
    )
    red = SignView(device="journal", colour="red", text="No room on the disk.")
    painter = Painter(FULL_HD, labels)
    places = painter.layout
    card = claim(verdict)
    stop = board(
        phase=Phase.STOPPED, claim=card, claims=(card,), test=True, signs=(amber, red), notice=""
    )
    pictures = [(stop, [places.header, places.footer, *places.facts, places.board])]
    pictures.append(
        (
            board(phase=Phase.HALTED, procedure=PROCEDURE, signs=(red,)),
            [places.header, places.below],
        )
    )
    surface = pygame.Surface(FULL_HD)
    for view, boxes in pictures:
        painter.paint(surface, view, False)
        rgb = rgb_of(surface)
        for box in boxes:
            tones, counts = tones_of(rgb[box.y : box.bottom, box.x : box.right].reshape(-1, 3))
            # plates and letters, not the edges between them
            main = luminance(tones[counts > 0.002 * counts.sum()])
            assert (main.max() + 0.05) / (main.min() + 0.05) >= 7
            # Every tone of letters must stand out against the plate that covers most.
            plate = luminance(tones[counts.argmax()])
            assert (
                max((main.max() + 0.05) / (plate + 0.05), (plate + 0.05) / (main.min() + 0.05)) >= 7
            )


def test_the_newest_is_marked_without_colour(labels):
    """In shades of grey the newest of the last ten is the only dark one, and the newest of the
    board the only framed one."""
    surface = paint(labels, board())
    ten = sorted(reader.numbers_of(surface, reader.TEN), key=lambda one: one.x)
    assert [one.light for one in ten] == [False] + [True] * 9
    grey = reader.grey_of(surface)
    framed = []
    for one in reader.read_board(surface):
        if not one.light:
            above = grey[one.y - 7 : one.y - 1, one.x + one.w // 2]
            framed.append((one.number, (above < reader.MIDDLE).any()))
    assert [number for number, frame in framed if frame] == [42]


def test_called_and_not_called_differ_in_grey(labels):
    """A called number's plate is at least five times as bright as that of one not called."""
    surface = paint(labels, board())
    light = luminance(rgb_of(surface))
    plates = {True: [], False: []}
    for one in reader.read_board(surface):
        plates[one.light].append(light[one.y - 2, one.x + one.w // 2])
    assert (min(plates[False]) + 0.05) / (max(plates[True]) + 0.05) >= 5
