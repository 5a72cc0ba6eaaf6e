"""The picture on a television: what crops, what hangs upright, which display."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.screens.screen.app import Painter, Screen, Window
from station.screens.screen.layout import Box
from station.screens.screen.television import (
    AS_IT_IS,
    INSET,
    HallDisplay,
    Placing,
    display_index,
)
from station.wire.wording import languages, load_wording
from tests.screens.screen.boards import board

SCREENS = ((1920, 1080), (1280, 720), (1024, 768), (1366, 768), (720, 576), (1080, 1920))
INSETS = (0, 0.5, 2, 3.3, 4, 5, 7.5, 10)
TURNS = (0, 90, 180, 270)
LABELS = dict(load_wording().screen)


def pixels(surface):
    width, height = surface.get_size()
    return np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8).reshape(height, width, 3)


def shown(placing, screen, view, *, stale=False):
    """The television with this view, painted whole."""
    television = pygame.Surface(screen)
    picture = pygame.Surface(placing.picture(screen))
    painter = Painter(picture.get_size(), LABELS)
    placing.show(picture, painter.paint(picture, view, stale, whole=True), television)
    return pixels(television), pixels(picture)


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("inset", INSETS)
def test_the_edges_stay_dark_and_the_rest_is_the_picture(screen, inset):
    """So many per cent of each side at least, alike on both sides, and not a pixel more."""
    placing = Placing(inset=inset)
    area = placing.area(screen)
    for side, before, length in ((screen[0], area.x, area.w), (screen[1], area.y, area.h)):
        assert before >= inset * side / 100 > before - 1
        assert 2 * before + length == side
    television, picture = shown(placing, screen, board())
    part = television[area.y : area.bottom, area.x : area.right]
    assert (part == picture).all()
    dark = television.copy()
    dark[area.y : area.bottom, area.x : area.right] = 0
    assert not dark.any()


@pytest.mark.parametrize(("screen", "turn"), list(product(SCREENS[:3], TURNS)))
def test_it_is_turned_clockwise(screen, turn):
    """On a television that hangs upright people read the picture as it was painted."""
    television, picture = shown(Placing(inset=4, rotate=turn), screen, board())
    area = Placing(inset=4).area(screen)
    part = television[area.y : area.bottom, area.x : area.right]
    assert (np.rot90(part, turn // 90) == picture).all()


@given(
    st.sampled_from(TURNS),
    st.floats(0, 10),
    st.tuples(st.integers(64, 700), st.integers(64, 700)),
    st.data(),
)
def test_a_part_is_where_the_whole_picture_has_it(turn, inset, screen, data):
    """Any part: it is within the area, as large as it was, and shows the same pixels there as the
    whole picture."""
    placing = Placing(inset=inset, rotate=turn)
    wide, high = placing.picture(screen)
    x, y = data.draw(st.integers(0, wide - 1)), data.draw(st.integers(0, high - 1))
    part = Box(x, y, data.draw(st.integers(1, wide - x)), data.draw(st.integers(1, high - y)))
    area, place = placing.area(screen), placing.place(part, screen)
    assert place.w * place.h == part.w * part.h
    assert area.x <= place.x < place.right <= area.right
    assert area.y <= place.y < place.bottom <= area.bottom
    picture = pygame.Surface((wide, high))
    picture.fill((255, 255, 255), part)
    television = pygame.Surface(screen)
    placing.show(picture, [picture.get_rect()], television)
    lit = pygame.mask.from_threshold(television, (255, 255, 255), (1, 1, 1)).get_bounding_rects()
    assert lit == [pygame.Rect(place)]


class Feed:
    """Whatever the station says."""

    running = True

    def __init__(self, view):
        self.view, self.stale = view, False

    def wait(self, limit_s):
        """Nothing is waited for."""

    def heard(self):
        return SimpleNamespace(view=self.view, stale=self.stale)


@pytest.mark.parametrize(("inset", "turn"), [(0, 0), (4, 0), (0, 90), (5, 270), (10, 180)])
def test_what_changes_is_painted_in_its_place(inset, turn):
    """View after view on one screen gives the picture that the last view gives alone."""
    placing = Placing(inset=inset, rotate=turn)
    numbers = (33, 7, 81, 54)
    feed = Feed(board(called=numbers[:1]))
    now = [0.0]
    window = Window((640, 360), True, lambda: now[0], [HallDisplay(placing=placing)])
    screen = Screen(feed, window, lambda: now[0])
    for count in range(1, len(numbers) + 1):
        feed.view = board(called=numbers[:count])
        screen.step(0)
    television, _ = shown(placing, (640, 360), feed.view)
    assert (pixels(pygame.display.get_surface()) == television).all()
    pygame.display.quit()


def test_without_settings_nothing_is_between():
    """The usual television: the whole of it, as it is."""
    assert AS_IT_IS.area((1920, 1080)) == Box(0, 0, 1920, 1080)
    assert AS_IT_IS.picture((1920, 1080)) == (1920, 1080)


PI = {
    "card0-HDMI-A-1": (32, "connected"),
    "card0-HDMI-A-2": (43, "connected"),
    "card0-Composite-1": (51, "disconnected"),
}
LEFT_OFF = {**PI, "card0-HDMI-A-1": (32, "disconnected")}
OLD_KERNEL = {name: (None, status) for name, (_, status) in PI.items()}


@pytest.mark.parametrize(
    ("wanted", "there", "index"),
    [
        ("1", PI, 0),
        ("2", PI, 1),
        ("3", PI, 2),
        ("HDMI-1", PI, 0),
        ("HDMI-2", PI, 1),
        ("hdmi-2", PI, 1),
        ("HDMI-A-2", PI, 1),
        ("HDMI-2", LEFT_OFF, 0),
        ("HDMI-1", LEFT_OFF, None),
        ("Composite-1", PI, None),
        ("HDMI-2", OLD_KERNEL, 1),
        ("DP-1", {"card1-DP-1": (7, "connected"), "card1-eDP-1": (5, "connected")}, 1),
        ("HDMI-1", {}, None),
        ("2", {}, 1),
    ],
)
def test_which_display_is_meant(tmp_path, wanted, there, index):
    """By number, or by the name of its connector, among those that are connected."""
    (tmp_path / "card0").mkdir()
    for name, (number, status) in there.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "status").write_text(f"{status}\n")
        if number is not None:
            (tmp_path / name / "connector_id").write_text(f"{number}\n")
    assert display_index(wanted, tmp_path) == index
    assert display_index("HDMI-1", tmp_path / "none") is None


def test_a_display_that_is_not_there_is_said_and_the_first_is_taken(caplog):
    """The hall sees the board, and the log says why it is on the other television."""
    window = Window((320, 240), True, lambda: 0.0, [HallDisplay("7")])
    assert len(window.shown()) == 1
    assert "there is no display 7" in caplog.text
    pygame.display.quit()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("size", SCREENS)
def test_the_test_frame_reaches_every_edge(language, size):
    """While the self-test runs: a mark in each corner, a line along each edge, in each language the
    words whole."""
    labels = dict(load_wording(language).screen)
    surface = pygame.Surface(size)
    Painter(size, labels).paint(surface, board(frame=True, notice="Press the button."), False)
    seen = pixels(surface).astype(int)
    gold = seen[0, 0]
    for row, column in ((0, -1), (-1, 0), (-1, -1)):
        assert (seen[row, column] == gold).all()
    line = seen[0, size[0] // 2]
    assert (line != seen[size[1] // 10, size[0] // 2]).any()
    for row, column in ((-1, size[0] // 2), (size[1] // 2, 0), (size[1] // 2, -1)):
        assert (seen[row, column] == line).all()
    assert "[screen] inset" in labels["test-frame"].format(setting=INSET)
