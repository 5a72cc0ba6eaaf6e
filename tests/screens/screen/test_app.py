"""The screen's process: joins, follows, says STALE, joins again, waits for a TV, and ends when told
to."""

import logging
import os
import signal
import subprocess
import sys
import threading
from itertools import pairwise

import numpy as np
import pygame
import pytest

from station.screens.screen import app
from station.screens.screen.app import SILENCE_S, Painter, Screen, ScreenFeed, Window
from station.wire.wire import SOCKET, STALE_S
from station.wire.wording import load_wording
from tests.screens.screen import reader
from tests.screens.screen.boards import CALLED, FULL_HD, SMALL, board
from tests.screens.screen.station_stub import LIMIT_S, Station


class Clock:
    """Monotonic seconds that pass when told to."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def pixels(surface):
    width, height = surface.get_size()
    return np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8).reshape(height, width, 3)


def painted(labels, view, size=SMALL, *, stale=False):
    surface = pygame.Surface(size)
    Painter(size, labels).paint(surface, view, stale)
    return pixels(surface)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def path(tmp_path):
    return tmp_path / SOCKET


@pytest.fixture
def feed(path, clock):
    feed = ScreenFeed(path, clock)
    feed.open()
    yield feed
    feed.close()


def screen_of(feed, clock, size=SMALL, **options):
    return Screen(feed, Window(size, True, clock), clock, **options)


def until_news(feed):
    assert feed.wait(LIMIT_S), "the station's view did not come"


def test_it_waits_for_the_station_and_shows_its_first_view(labels, path, feed, clock):
    """Without a station there is a friendly picture; as soon as one is there, its view."""
    screen = screen_of(feed, clock)
    screen.step(0)
    assert (pixels(pygame.display.get_surface()) == painted(labels, None)).all()
    with Station(path, board()):
        until_news(feed)
        screen.step(0)
        assert (pixels(pygame.display.get_surface()) == painted(labels, board())).all()


def test_calls_follow_each_other_on_the_screen(path, feed, clock):
    """Each view that the station pushes is on the screen at the next turn, read off the pixels."""
    screen = screen_of(feed, clock, FULL_HD)
    with Station(path, board(called=())) as station:
        until_news(feed)
        for count in (1, 2, 12):
            station.show(board(called=CALLED[:count]))
            until_news(feed)
            screen.step(0)
            assert reader.read_last(pygame.display.get_surface()) == CALLED[count - 1]


def test_silence_is_stale_within_the_limit_and_one_line_ends_it(labels, path, feed, clock):
    """A station that says nothing makes the picture STALE before three seconds are over; any line
    makes it fresh."""
    assert SILENCE_S < STALE_S
    screen = screen_of(feed, clock)
    with Station(path, board()) as station:
        until_news(feed)
        clock.now += SILENCE_S - 0.01
        screen.step(0)
        assert (pixels(pygame.display.get_surface()) == painted(labels, board())).all()
        clock.now += 0.02
        screen.step(0)
        assert (pixels(pygame.display.get_surface()) == painted(labels, board(), stale=True)).all()
        station.show(board(seq=62))
        until_news(feed)
        screen.step(0)
        assert (pixels(pygame.display.get_surface()) == painted(labels, board())).all()


class Counting(ScreenFeed):
    """A feed that lets the test wait until a line has been taken."""

    def __init__(self, path, clock):
        super().__init__(path, clock)
        self.taken = threading.Semaphore(0)

    def _take(self, message):
        super()._take(message)
        self.taken.release()

    def until_taken(self):
        assert self.taken.acquire(timeout=LIMIT_S), "the line did not come"


@pytest.fixture
def counting(path, clock):
    feed = Counting(path, clock)
    feed.open()
    yield feed
    feed.close()


def test_a_sign_of_life_counts_as_heard(path, counting, clock):
    """The station's heartbeat alone, without a new view, keeps the picture fresh."""
    with Station(path, board()) as station:
        counting.until_taken()
        clock.now += SILENCE_S + 1
        assert counting.heard().stale
        station.say({"alive": 7})
        counting.until_taken()
        assert not counting.heard().stale


def test_it_joins_again_by_itself(path, feed, clock):
    """The station goes and comes back: the screen has its new view without being touched."""
    screen = screen_of(feed, clock, FULL_HD)
    for last in (5, 6):
        with Station(path, board(called=(last,))):
            until_news(feed)
            screen.step(0)
            assert reader.read_last(pygame.display.get_surface()) == last


def test_a_view_of_another_version_is_not_shown_and_does_not_look_fresh(
    path, counting, clock, caplog
):
    """What this screen cannot read is logged, and the old picture grows stale instead of looking up
    to date."""
    with caplog.at_level(logging.ERROR), Station(path, board()) as station:
        counting.until_taken()
        clock.now += SILENCE_S + 1
        station.say({"view": {"v": 99}})
        counting.until_taken()
        assert counting.heard().stale
        assert counting.heard().view == board()
        station.show(board(called=(8,)))
        counting.until_taken()
        assert counting.heard().view == board(called=(8,))
        assert not counting.heard().stale
    assert "update both to one version" in caplog.text


def test_closing_a_feed_twice_or_unopened_is_nothing(path, clock):
    """`close` never hangs and never complains."""
    feed = ScreenFeed(path, clock)
    feed.close()
    feed.open()
    feed.close()
    feed.close()
    assert not feed.running


def test_a_picture_that_is_the_same_is_not_composed_again(labels, path, feed, clock, monkeypatch):
    """Any number of turns without news paint nothing; a new view, a silent station and the whole
    repaint do. The loop rests until one of them is due."""
    screen, painted = screen_of(feed, clock), []
    paint = Painter.paint
    monkeypatch.setattr(
        Painter,
        "paint",
        lambda self, *given, **more: painted.append(1) or paint(self, *given, **more),
    )
    with Station(path, board()) as station:
        until_news(feed)
        for _ in range(20):
            screen.step(0)
        assert len(painted) == 1
        assert 0 < screen.rest() <= min(app.ALONE_S, SILENCE_S)
        station.show(board(seq=62))
        until_news(feed)
        screen.step(0)
        screen.step(0)
        assert len(painted) == 2
        clock.now += SILENCE_S - 0.5
        assert screen.rest() <= 0.5
        clock.now += 0.5
        screen.step(0)
        screen.step(0)
        assert len(painted) == 3
        clock.now += app.WHOLE_S
        assert screen.rest() == 0
        screen.step(0)
        assert len(painted) == 4


def test_a_wiped_screen_is_whole_again(labels, path, feed, clock):
    """The TV was off and has forgotten its picture: the next whole repaint, ten seconds later at
    most, brings it back."""
    screen = screen_of(feed, clock)
    with Station(path, board()) as station:
        until_news(feed)
        screen.step(0)
        pygame.display.get_surface().fill((0, 0, 0))
        clock.now += app.WHOLE_S
        station.show(board())  # the same picture, and a station that is not silent
        until_news(feed)
        screen.step(0)
        assert (pixels(pygame.display.get_surface()) == painted(labels, board())).all()


def test_a_tv_that_is_off_is_waited_for(feed, clock, monkeypatch, caplog):
    """No screen at the start: said in the log, tried again after growing pauses, and the watchdog
    is patted meanwhile."""
    tries, pats = [], []
    honest = pygame.display.set_mode

    def no_connector(*_, **__):
        tries.append(clock.now)
        if len(tries) < 4:
            raise pygame.error("No available displays")
        return honest(SMALL)

    monkeypatch.setattr(pygame.display, "set_mode", no_connector)
    screen = screen_of(feed, clock, alive=lambda: pats.append(clock.now))
    with caplog.at_level(logging.WARNING):
        for _ in range(20):
            screen.step(0)
            assert pygame.display.get_surface() is not None or screen.rest() == 0.5
            clock.now += 0.5
    assert tries == [100.0, 101.0, 103.0, 107.0]
    assert len(pats) == 20
    assert "is the TV on and plugged in?" in caplog.text
    assert pygame.display.get_surface() is not None


def test_pauses_between_tries_are_capped(feed, clock, monkeypatch):
    """However long the TV is off, it is looked for at least every quarter of a minute."""
    tries = []

    def no_connector(*_, **__):
        tries.append(clock.now)
        raise pygame.error("No available displays")

    monkeypatch.setattr(pygame.display, "set_mode", no_connector)
    screen = screen_of(feed, clock)
    for _ in range(200):
        screen.step(0)
        clock.now += 0.5
    assert max(later - earlier for earlier, later in pairwise(tries)) == app.LONGEST_PAUSE_S


def test_closing_the_window_ends_and_escape_leaves_the_full_screen(feed, clock):
    """Esc makes a window of the full screen, and nothing of a window; the window's cross ends the
    program."""
    window = Window(SMALL, False, clock)
    screen = Screen(feed, window, clock)
    screen.step(0)
    assert not window.windowed
    for _ in range(2):
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE))
        screen.step(0)
        assert window.windowed
        assert pygame.display.get_surface().get_size() == app.WINDOW
    assert not screen.ended
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    screen.step(0)
    assert screen.ended


def test_labels_that_the_hall_changed_come_with_the_view(labels, path, feed, clock):
    """The screen may not look into the state folder."""
    own = {"game-of": "Runde {number} / {of}", "calls": "Heard"}
    with Station(path, board(words=own)):
        screen = screen_of(feed, clock)
        until_news(feed)
        screen.step(0)
        shown = pixels(pygame.display.get_surface())
    assert (shown == painted({**labels, **own}, board())).all()
    assert (shown != painted(labels, board())).any()


def test_a_region_is_labelled_by_its_own_words_and_an_unknown_one_by_its_languages(
    path, feed, clock
):
    """fr-CH has a file; fr-CA has none, and is French."""
    for language, known in (("fr-CH", "fr-CH"), ("fr-CA", "fr")):
        with Station(path, board(language=language)):
            screen = screen_of(feed, clock)
            until_news(feed)
            screen.step(0)
            labels = dict(load_wording(known).screen)
            shown = pixels(pygame.display.get_surface())
            assert (shown == painted(labels, board(language=language))).all()


def test_a_language_without_wording_is_labelled_in_english(labels, path, feed, clock, caplog):
    """An unknown language is no reason for a dark screen: English labels, and a line in the log,
    once."""
    screen = screen_of(feed, clock)
    with caplog.at_level(logging.WARNING), Station(path, board(language="xx")):
        until_news(feed)
        screen.step(0)
        screen.step(0)
        assert (pixels(pygame.display.get_surface()) == painted(labels, board())).all()
    assert caplog.text.count("no wording for language 'xx'") == 1


@pytest.mark.parametrize(
    ("surroundings", "chosen"),
    [
        ({}, {"SDL_VIDEODRIVER": "kmsdrm", "SDL_FRAMEBUFFER_ACCELERATION": "opengles2"}),
        (
            {"SDL_VIDEODRIVER": "kmsdrm"},
            {"SDL_VIDEODRIVER": "kmsdrm", "SDL_FRAMEBUFFER_ACCELERATION": "opengles2"},
        ),
        ({"DISPLAY": ":0"}, {"SDL_FRAMEBUFFER_ACCELERATION": "0"}),
        ({"WAYLAND_DISPLAY": "wayland-0"}, {}),
        ({"SDL_VIDEODRIVER": "dummy"}, {"SDL_VIDEODRIVER": "dummy"}),
        (
            {"DISPLAY": ":0", "SDL_FRAMEBUFFER_ACCELERATION": "1"},
            {"SDL_FRAMEBUFFER_ACCELERATION": "1"},
        ),
    ],
)
def test_how_the_screen_is_reached(monkeypatch, surroundings, chosen):
    """Without a desktop kmsdrm with OpenGL ES; under X11 no detour through the graphics card; what
    is set already stays."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "SDL_FRAMEBUFFER_ACCELERATION"):
        monkeypatch.setenv(name, surroundings.get(name, ""))
        if name not in surroundings:
            monkeypatch.delenv(name)
    app.choose_video()
    for name in ("SDL_VIDEODRIVER", "SDL_FRAMEBUFFER_ACCELERATION"):
        assert os.environ.pop(name, None) == chosen.get(name)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_process_ends_on_a_signal(path, number):
    """A real process joins a real socket; told to end, it ends with 0 and lets go of the
    station."""
    program = (
        "import sys; from pathlib import Path; from station.screens.screen.app import run;"
        "sys.exit(run(Path(sys.argv[1]), size=(640, 360)))"
    )
    with Station(path, board()) as station:
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(path)],
            env={**os.environ, "SDL_VIDEODRIVER": "dummy", "PYTHONPATH": os.getcwd()},
            stdout=subprocess.DEVNULL,
        )
        assert station.joined.acquire(timeout=LIMIT_S)
        process.send_signal(number)
        assert process.wait(LIMIT_S) == 0
