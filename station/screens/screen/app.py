"""Run the screen's process: a window, the feed, and a loop that paints what is new.

A thread listens to the station: it keeps the newest view, and when anything was heard last.

    run(Path("var/run/station.sock"))

Without a desktop SDL's kmsdrm driver takes the HDMI output itself; a TV that is off has none, so
opening is tried again until it is on. The picture is painted when it changes. A TV that was off has
forgotten it, so everything is painted again every ten seconds.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pygame
from pydantic import ValidationError

from station.base.errors import EXIT_DEVICE, EXIT_DONE, WireError
from station.screens.screen import drawings
from station.screens.screen.ink import Renderer
from station.screens.screen.layout import lay_out
from station.screens.screen.pen import Piece, ScreenPen
from station.screens.screen.scene import DISPLAY, SETTING, Labels, Scene, compose, headline
from station.screens.screen.television import (
    AS_IT_IS,
    HallDisplay,
    connected,
    display_index,
    display_name,
)
from station.wire.board_view import BoardView
from station.wire.looks import Look, load_look
from station.wire.wire import STALE_S, Client, Message
from station.wire.wording import REFERENCE, load_wording, shipped_for

log = logging.getLogger(__name__)

FEED_PAUSE_S = 0.2
LONGEST_FEED_PAUSE_S = 3.0
# A little before the limit, so that the picture says it within the limit.
SILENCE_S = STALE_S - 0.3


@dataclass(frozen=True, slots=True)
class FeedState:
    """The screen's knowledge of the station.

    Attributes:
        view: the newest; None if there was none yet.
        stale: no message came for `SILENCE_S` seconds.
    """

    view: BoardView | None
    stale: bool


class ScreenFeed:
    """A watcher of the station's socket, which connects again by itself.

    Args:
        path: the station's socket; it need not be there yet.
        clock: monotonic seconds.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = path
        self._clock = clock
        self._news = threading.Condition()
        self._fresh = False
        self._view: BoardView | None = None
        self._heard_at = clock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listening: asyncio.Task[None] | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="feed", daemon=True)

    def open(self) -> None:
        """Start to listen."""
        self._thread.start()

    def close(self) -> None:
        """Hang up and wait until the thread has ended. May be called twice."""
        if not self.running:
            return
        self._ready.wait()
        if self._loop is not None and self._listening is not None:
            self._loop.call_soon_threadsafe(self._listening.cancel)
        self._thread.join()

    @property
    def running(self) -> bool:
        """Return whether it listens: from `open` to `close`, unless its thread failed."""
        return self._thread.is_alive()

    def heard(self) -> FeedState:
        """Return what is known now."""
        with self._news:
            return FeedState(self._view, self._clock() - self._heard_at >= SILENCE_S)

    def fresh_for(self) -> float:
        """Return in how many seconds what is known becomes stale; `inf` if it is stale already."""
        left = self._heard_at + SILENCE_S - self._clock()
        return left if left > 0 else math.inf

    def wait(self, limit_s: float) -> bool:
        """Wait for a view, `limit_s` seconds at most; return whether one came since the last."""
        with self._news:
            self._news.wait_for(lambda: self._fresh, limit_s)
            fresh, self._fresh = self._fresh, False
            return fresh

    def _run(self) -> None:
        asyncio.run(self._listen())

    async def _listen(self) -> None:
        pause = FEED_PAUSE_S
        reported = ""
        self._loop = asyncio.get_running_loop()
        self._listening = asyncio.current_task()
        self._ready.set()
        try:
            while True:
                try:
                    async with await Client.open(self.path, kind="screen") as client:
                        log.info("%s: joined the station", self.path)
                        async for message in client:
                            pause, reported = FEED_PAUSE_S, ""
                            self._take(message)
                    problem = f"{self.path}: the station hung up; joining again"
                except WireError as error:
                    problem = str(error)
                if problem != reported:
                    log.warning("%s", problem)
                    reported = problem
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_FEED_PAUSE_S)
        except asyncio.CancelledError:
            log.debug("the feed is closed")

    def _take(self, message: Message) -> None:
        view: BoardView | None = None
        if "view" in message:
            try:
                view = BoardView.model_validate(message["view"])
            except ValidationError as error:
                # Not counted as heard: what is shown gets STALE, instead of looking up to date.
                log.error(
                    "the station sends a view this screen cannot read; update both to one"
                    " version: %s",
                    error,
                )
                return
        with self._news:
            self._heard_at = self._clock()
            if view is not None:
                self._view, self._fresh = view, True
                self._news.notify_all()


# -- paint what has changed ------------------------------------------------------------------------


class Painter:
    """A painter for one screen size and one language, which knows what it painted last.

    Args:
        size: the surface's size in pixels (width, height).
        labels: the `[screen]` section of the wording.
        look: the colours; the standard ones when None.
        logo: the hall's, before its name.
    """

    def __init__(
        self,
        size: tuple[int, int],
        labels: Labels,
        look: Look | None = None,
        logo: Path | None = None,
    ) -> None:
        self._look = look or load_look()
        self._logo = logo
        self.layout = lay_out(size)
        self._labels = labels
        self._ink = Renderer()
        self._painted: Scene | None = None

    def paint(
        self, surface: pygame.Surface, view: BoardView | None, stale: bool, *, whole: bool = False
    ) -> list[pygame.Rect]:
        """Bring the surface to the view; return the rectangles that changed (none if the picture is
        the same).

        Args:
            surface: as large as the painter was made for; the same one each time, else pass
                `whole`.
            view: what to show; None while waiting for the station.
            stale: no message came from the station for too long.
            whole: paint everything again: a screen that was off has forgotten its picture.
        """
        scene = compose(self.layout, self._labels, view, stale=stale)
        before, self._painted = self._painted, scene
        if not whole and before is not None and before.shape == scene.shape:
            if before == scene:
                return []
            if not scene.stale:
                changed = [
                    new for old, new in zip(before.pieces, scene.pieces, strict=True) if old != new
                ]
                return [self._draw(surface, scene, piece) for piece in changed]
        surface.fill(getattr(self._look, scene.ground))
        for piece in scene.pieces:
            self._draw(surface, scene, piece)
        if scene.stale:
            drawings.stale(self._pen(surface, scene), *headline(self._labels["stale"]))
        return [surface.get_rect()]

    def _draw(self, surface: pygame.Surface, scene: Scene, piece: Piece) -> pygame.Rect:
        area = pygame.Rect(piece.box).clip(surface.get_rect())
        if area.w and area.h:
            piece.draw(self._pen(surface.subsurface(area), scene), *piece.args)
        return area

    def _pen(self, canvas: pygame.Surface, scene: Scene) -> ScreenPen:
        ground = getattr(self._look, scene.ground)
        return ScreenPen(self._ink, canvas, self.layout.u, ground, self._look, self._logo)


# -- the window and the loop -----------------------------------------------------------------------


TICK_S = 0.1  # how often keys and the window are looked at, where there is a desktop
ALONE_S = 2.0  # how often the loop turns where there is none
WITHOUT_SCREEN_S = 0.5  # while there is nothing to paint, or nothing to paint on
WITHOUT_KEYS = frozenset({"kmsdrm", "dummy", "offscreen"})
WHOLE_S = 10.0
LOOK_S = 10.0  # how often two televisions are counted
WINDOW = (1280, 720)
CENTRED = 0x2FFF0000  # SDL's place for the middle of a display, whose number is added
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


@dataclass(frozen=True, slots=True)
class Shown:
    """A television that has the board now.

    Attributes:
        surface: what is painted on.
        name: of the display, as people find it on the computer.
        window: another window than pygame's own; None for that.
    """

    television: HallDisplay
    surface: pygame.Surface
    name: str
    window: pygame.Window | None = None

    def show(self, parts: list[pygame.Rect] | None = None) -> None:
        """Show what was painted: these parts, or everything."""
        if self.window is not None:
            self.window.flip()
        elif parts is None:
            pygame.display.flip()
        else:
            pygame.display.update(parts)


def found(display: str) -> int | None:
    """Return the number of a display, from 0; None while SDL has none such."""
    index = display_index(display) if display else 0
    return index if index is not None and index < pygame.display.get_num_displays() else None


class Window:
    """The surfaces on the screens; opened again and again until there is one.

    With two televisions one process has a window on each: the graphics chip of a computer belongs
    to one process at a time. One that is missing is left out. When a display comes or goes, all
    windows are opened again.

    Args:
        size: the size in pixels; None for the desktop's, or the usual size in a window.
        windowed: in a window, not on the full screen.
        clock: monotonic seconds.
        televisions: where the board is shown; the first is shown anywhere rather than nowhere.
        there: returns which displays are connected.
        find: returns the number of the display that is meant, from 0; None while it is not there.
    """

    def __init__(
        self,
        size: tuple[int, int] | None,
        windowed: bool,
        clock: Callable[[], float] = time.monotonic,
        televisions: Sequence[HallDisplay] = (HallDisplay(),),
        there: Callable[[], tuple[str, ...]] = connected,
        find: Callable[[str], int | None] = found,
    ) -> None:
        self.windowed = windowed
        self._televisions = tuple(televisions)
        self._there = there
        self._find = find
        self._size = size
        self._clock = clock
        self._next_try = clock()
        self._pause = FIRST_PAUSE_S
        self._first: tuple[HallDisplay, str] = (self._televisions[0], "")
        self._others: list[Shown] = []
        self._seen: tuple[int, tuple[str, ...]] = (0, ())
        self._looked_at = clock()

    def shown(self) -> tuple[Shown, ...]:
        """Return the televisions to paint on; none while there is no screen."""
        if pygame.display.get_init() and (surface := pygame.display.get_surface()) is not None:
            if not self._changed():
                television, name = self._first
                return Shown(television, surface, name), *self._others
            log.info("a display came or went: the screens are opened again")
            self.close()
        if self._clock() < self._next_try:
            return ()
        try:
            shown = self._open()
        except pygame.error as error:
            log.warning(
                "no screen yet (%s): is the TV on and plugged in? Trying again in %g s",
                error,
                self._pause,
            )
            self.close()
            self._next_try = self._clock() + self._pause
            self._pause = min(2 * self._pause, LONGEST_PAUSE_S)
            return ()
        for one in shown:
            size, driver = one.surface.get_size(), pygame.display.get_driver()
            log.info("screen %s of %d x %d, %s", one.name, *size, driver)
        self._pause = FIRST_PAUSE_S
        return shown

    def leave_fullscreen(self) -> None:
        """Change from the full screen to a window, if there is a desktop for one."""
        if not self.windowed and pygame.display.get_driver() != "kmsdrm":
            self.windowed = True
            self._size = None
            self.close()

    def close(self) -> None:
        """Close all windows."""
        for one in self._others:
            if one.window is not None:
                one.window.destroy()
        self._others = []
        pygame.display.quit()

    def _open(self) -> tuple[Shown, ...]:
        pygame.display.init()
        self._seen, self._looked_at = self._now(), self._clock()
        (television, index), *others = self._placed()
        if self.windowed:
            surface = pygame.display.set_mode(self._size or WINDOW, pygame.RESIZABLE, display=index)
        else:
            size = self._size or pygame.display.get_desktop_sizes()[index]
            surface = pygame.display.set_mode(size, pygame.FULLSCREEN, display=index)
        pygame.display.set_caption("Loto")
        pygame.display.set_allow_screensaver(False)
        pygame.mouse.set_visible(False)
        self._first = (television, display_name(index))
        for other, place in others:
            try:
                self._others.append(self._other(other, place))
            except (pygame.error, AttributeError) as error:  # `pygame` has no such windows
                log.warning("display %s has no board (%s)", other.display, error)
        return Shown(television, surface, self._first[1]), *self._others

    def _other(self, television: HallDisplay, index: int) -> Shown:
        at = CENTRED | index
        if self.windowed:
            window = pygame.Window("Loto", self._size or WINDOW, (at, at), resizable=True)
        else:
            size = self._size or pygame.display.get_desktop_sizes()[index]
            window = pygame.Window("Loto", size, (at, at), fullscreen_desktop=True)
        return Shown(television, window.get_surface(), display_name(index), window)

    def _placed(self) -> list[tuple[HallDisplay, int]]:
        """Return each television that is there with its display's number."""
        placed: dict[int, HallDisplay] = {}
        for television in self._televisions:
            index = self._find(television.display)
            if index is None:
                instead = "the screen is on the first one" if self._alone else "it has no board"
                log.warning("there is no display %s: %s", television.display, instead)
            elif index in placed:
                log.warning("display %s has the board already", television.display)
            else:
                placed[index] = television
        return [(one, index) for index, one in placed.items()] or [(self._televisions[0], 0)]

    @property
    def _alone(self) -> bool:
        return len(self._televisions) == 1

    def _changed(self) -> bool:
        if self._alone or self._clock() < self._looked_at + LOOK_S:
            return False
        self._looked_at = self._clock()
        return self._now() != self._seen

    def _now(self) -> tuple[int, tuple[str, ...]]:
        return (0, ()) if self._alone else (pygame.display.get_num_displays(), self._there())


class Wall:
    """What is painted on one television."""

    def __init__(self, television: HallDisplay, look: Look | None, logo: Path | None) -> None:
        self._placing = television.placing
        self._setting = television.setting
        self._look = look
        self._logo = logo
        self._painter: Painter | None = None
        self._picture: pygame.Surface | None = None
        self._painted_for: tuple[tuple[int, int], str, Mapping[str, str], str] | None = None
        self._shown: FeedState | None = None

    def paint(self, shown: Shown, heard: FeedState, name: str, *, whole: bool) -> bool:
        """Paint what is new; return whether everything was painted.

        Args:
            name: of the display, for the test frame; empty where there is one alone.
        """
        language = heard.view.language if heard.view else REFERENCE
        own = heard.view.words if heard.view else {}
        surface = shown.surface
        wanted = (surface.get_size(), language, own, name)
        if heard == self._shown and self._painted_for == wanted and not whole:
            return False
        if self._painter is None or self._painted_for != wanted:
            labels = {**_labels(language), **own, SETTING: self._setting, DISPLAY: name}
            size = self._placing.picture(surface.get_size())
            self._painter = Painter(size, labels, self._look, self._logo)
            self._picture = None if self._placing == AS_IT_IS else pygame.Surface(size)
            self._painted_for = wanted
            whole = True
        self._shown = heard
        picture = surface if self._picture is None else self._picture
        changed = self._painter.paint(picture, heard.view, heard.stale, whole=whole)
        if picture is not surface:
            changed = self._placing.show(picture, changed, surface)
        if whole:
            shown.show()
        elif changed:
            shown.show(changed)
        return whole


class Screen:
    """The screen's feed, windows and painters; `step` is one turn of the loop."""

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
        self._walls: dict[HallDisplay, Wall] = {}
        self._whole_at = clock()

    def step(self, limit_s: float | None = None) -> None:
        """Wait for a new view, for at most `limit_s` seconds; then handle keys, then paint.

        Args:
            limit_s: by default until something must be looked at: keys, or a silent station.
        """
        self._feed.wait(self.rest() if limit_s is None else limit_s)
        self._alive()
        if not self._window.shown():
            self._walls = {}
            return
        self._look_at_events()
        if not self.ended:
            self._paint(self._window.shown())

    def rest(self) -> float:
        """Return for how long nothing has to be done unless a view comes."""
        if not self._walls:
            return WITHOUT_SCREEN_S
        alone = pygame.display.get_init() and pygame.display.get_driver() in WITHOUT_KEYS
        rest = min(ALONE_S if alone else TICK_S, self._whole_at - self._clock())
        return max(0.0, min(rest, self._feed.fresh_for()))

    def _look_at_events(self) -> None:
        for event in pygame.event.get():
            if event.type in (pygame.QUIT, pygame.WINDOWCLOSE):
                self.ended = True
            elif event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
                self._window.leave_fullscreen()
            elif event.type in (pygame.VIDEOEXPOSE, pygame.WINDOWEXPOSED):
                self._whole_at = self._clock()

    def _paint(self, shown: Sequence[Shown]) -> None:
        heard, now = self._feed.heard(), self._clock()
        whole = now >= self._whole_at
        before, self._walls = self._walls, {}
        painted = False
        for one in shown:
            wall = before.get(one.television) or Wall(one.television, self._look, self._logo)
            self._walls[one.television] = wall
            name = one.name if len(shown) > 1 else ""
            painted |= wall.paint(one, heard, name, whole=whole)
        if painted:
            self._whole_at = now + WHOLE_S


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
    televisions: Sequence[HallDisplay] = (HallDisplay(),),
) -> int:
    """Show the board until SIGTERM, SIGINT or the window is closed. Call it from the main thread.

    Args:
        socket_path: the station's socket; it need not be there yet.
        size: the screen's size in pixels; None takes the desktop's or the TV's.
        windowed: in a window; else on the full screen, which `Esc` leaves.
        alive: called on each turn of the loop, every two seconds at least (a watchdog's pat).
        look: the colours; the standard ones when None.
        logo: the hall's, before its name.
        televisions: where it is shown, and how the picture is placed there.

    Returns:
        0; or `EXIT_DEVICE` if listening failed, which is logged: start again.
    """
    choose_video()
    feed = ScreenFeed(socket_path)
    window = Window(size, windowed, televisions=televisions)
    screen = Screen(feed, window, alive=alive, look=look, logo=logo)

    def end(*_: object) -> None:
        screen.ended = True

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    feed.open()
    try:
        while not screen.ended and feed.running:
            screen.step()
    finally:
        feed.close()
        window.close()
        for number, handler in before.items():
            signal.signal(number, handler)
    return EXIT_DONE if screen.ended else EXIT_DEVICE
