"""Run the screen's process: a window, the feed, and a loop that paints what is new.

    run(Path("var/run/station.sock"))

Without a desktop SDL's kmsdrm driver takes the HDMI output itself; a TV that is off has none, so
opening is tried again until it is on. A TV that was off has forgotten its picture, so everything is
painted again each second.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pygame

from station.base.errors import EXIT_DEVICE, EXIT_DONE
from station.screens.screen.feed import ScreenFeed
from station.screens.screen.painter import Painter
from station.wire.looks import Look
from station.wire.wording import REFERENCE, load_wording, shipped_for

log = logging.getLogger(__name__)

TICK_S = 0.1  # keys, the window and the silence of the station are looked at this often
WHOLE_S = 1.0
WINDOW = (1280, 720)
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 15.0


def choose_video() -> None:
    """Tell SDL how to reach the screen, unless the environment has done so already."""
    if os.environ.get("DISPLAY"):
        # Under X11 SDL would send every small change through the graphics card: 13 ms instead of
        # less than one.
        os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
    elif (
        not os.environ.get("WAYLAND_DISPLAY")
        and os.environ.setdefault("SDL_VIDEODRIVER", "kmsdrm") == "kmsdrm"
    ):
        # Of itself SDL draws with desktop OpenGL: where there is no libGL every picture is black,
        # and no error says so.
        os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "opengles2")


class Window:
    """The surface on the screen; opened again and again until there is one.

    Args:
        size: the size in pixels; None for the desktop's, or the usual size in a window.
        windowed: in a window, not on the full screen.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        size: tuple[int, int] | None,
        windowed: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.windowed = windowed
        self._size = size
        self._clock = clock
        self._next_try = clock()
        self._pause = FIRST_PAUSE_S

    def surface(self) -> pygame.Surface | None:
        """Return the surface to paint on; None while there is no screen."""
        if pygame.display.get_init() and (surface := pygame.display.get_surface()) is not None:
            return surface
        if self._clock() < self._next_try:
            return None
        try:
            surface = self._open()
        except pygame.error as error:
            log.warning(
                "no screen yet (%s): is the TV on and plugged in? Trying again in %g s",
                error,
                self._pause,
            )
            pygame.display.quit()
            self._next_try = self._clock() + self._pause
            self._pause = min(2 * self._pause, LONGEST_PAUSE_S)
            return None
        log.info("screen of %d x %d, %s", *surface.get_size(), pygame.display.get_driver())
        self._pause = FIRST_PAUSE_S
        return surface

    def leave_fullscreen(self) -> None:
        """Change from the full screen to a window, if there is a desktop for one."""
        if not self.windowed and pygame.display.get_driver() != "kmsdrm":
            self.windowed = True
            self._size = None
            pygame.display.quit()

    def _open(self) -> pygame.Surface:
        pygame.display.init()
        if self.windowed:
            surface = pygame.display.set_mode(self._size or WINDOW, pygame.RESIZABLE)
        else:
            surface = pygame.display.set_mode(self._size or (0, 0), pygame.FULLSCREEN)
        pygame.display.set_caption("Loto")
        pygame.display.set_allow_screensaver(False)
        pygame.mouse.set_visible(False)
        return surface


class Screen:
    """The screen's feed, window and painter; `step` is one turn of the loop."""

    def __init__(
        self,
        feed: ScreenFeed,
        window: Window,
        clock: Callable[[], float] = time.monotonic,
        alive: Callable[[], None] = lambda: None,
        look: Look | None = None,
        logo: Path | None = None,
    ) -> None:
        self.ended = False
        self._look = look
        self._logo = logo
        self._feed = feed
        self._window = window
        self._clock = clock
        self._alive = alive
        self._painter: Painter | None = None
        self._painted_for: tuple[tuple[int, int], str, Mapping[str, str]] | None = None
        self._whole_at = clock()

    def step(self, limit_s: float = TICK_S) -> None:
        """Wait for a new view, for at most `limit_s` seconds; then handle keys, then paint."""
        self._feed.wait(limit_s)
        self._alive()
        surface = self._window.surface()
        if surface is None:
            self._painter = self._painted_for = None
            return
        self._look_at_events()
        surface = self._window.surface()
        if surface is not None and not self.ended:
            self._paint(surface)

    def _look_at_events(self) -> None:
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                self.ended = True
            elif event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
                self._window.leave_fullscreen()
            elif event.type == pygame.VIDEOEXPOSE:
                self._whole_at = self._clock()

    def _paint(self, surface: pygame.Surface) -> None:
        heard = self._feed.heard()
        language = heard.view.language if heard.view else REFERENCE
        own = heard.view.words if heard.view else {}
        now = self._clock()
        whole = now >= self._whole_at
        if self._painter is None or self._painted_for != (surface.get_size(), language, own):
            labels = {**_labels(language), **own}
            self._painter = Painter(surface.get_size(), labels, self._look, self._logo)
            self._painted_for = (surface.get_size(), language, own)
            whole = True
        changed = self._painter.paint(surface, heard.view, heard.stale, whole=whole)
        if whole:
            self._whole_at = now + WHOLE_S
            pygame.display.flip()
        elif changed:
            pygame.display.update(changed)


def _labels(language: str) -> dict[str, str]:
    known = shipped_for(language)
    if known == REFERENCE != language.partition("-")[0]:
        log.warning("no wording for language %r; the screen is labelled in %r", language, known)
    return dict(load_wording(known).screen)


def run(
    socket_path: Path,
    *,
    size: tuple[int, int] | None = None,
    windowed: bool = False,
    alive: Callable[[], None] = lambda: None,
    look: Look | None = None,
    logo: Path | None = None,
) -> int:
    """Show the board until SIGTERM, SIGINT or the window is closed. Call it from the main thread.

    Args:
        socket_path: the station's socket; it need not be there yet.
        size: the screen's size in pixels; None takes the desktop's or the TV's.
        windowed: in a window; else on the full screen, which `Esc` leaves.
        alive: called on each turn of the loop, several times a second (a watchdog's pat).
        look: the colours; the standard ones when None.
        logo: the hall's, before its name.

    Returns:
        0; or `EXIT_DEVICE` if listening failed, which is logged: start again.
    """
    choose_video()
    feed = ScreenFeed(socket_path)
    screen = Screen(feed, Window(size, windowed), alive=alive, look=look, logo=logo)

    def end(*_: object) -> None:
        screen.ended = True

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    feed.open()
    try:
        while not screen.ended and feed.running:
            screen.step()
    finally:
        feed.close()
        pygame.display.quit()
        for number, handler in before.items():
            signal.signal(number, handler)
    return EXIT_DONE if screen.ended else EXIT_DEVICE
