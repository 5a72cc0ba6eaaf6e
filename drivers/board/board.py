"""Set texts for the ten-cavity board: a line as high as the board that stands or runs through.

The shipped fonts have Latin and Cyrillic letters, and Devanagari. A hall that writes otherwise
names a font of its own in the board's settings, for example `font =
"/usr/share/fonts/truetype/lohit-gujarati/Lohit-Gujarati.ttf"` (Debian's package fonts-gujr);
letters that join are put together by Pillow's library raqm, which its wheels have. A word with
letters that no font has a shape for is shown as a dash. Where the plate has bars the lines go on
behind each: no column of a letter is hidden.

`TenCavities` is the driver; a `Panel` knows one family of chips. Its thread sleeps until there is
something new to light, a text runs on, or the second is over after which all is sent again.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import groupby
from typing import Protocol

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from drivers import (
    BadOption,
    BoardShown,
    Cavity,
    Clock,
    Deliver,
    DeviceFound,
    DeviceLost,
    DriverError,
)
from drivers.board.geometry import Geometry
from drivers.board.picture import BEAT_S, Ink, draw_board
from drivers.sleeper import MakeTurns, Turning, hand_over

COLUMNS_PER_S = 25.0
"""How fast a text runs."""

LONGEST = 200
"""Letters of a text that are shown."""

# By the height of the board: of the font, and of its base line. All have room for what stands above
# and below.
_SIZE = {16: 14, 32: 20}
_BASELINE = {16: 13, 32: 23}
_DEVANAGARI_SIZE = {16: 12, 32: 22}
_DEVANAGARI_BASELINE = {16: 12, 32: 22}
_DASH = "\N{EM DASH}"
_NO_LETTER = "\U0010fffe"  # no font has it: what it looks like is what a missing letter looks like


@dataclass(frozen=True)
class _Face:
    """A font at its size, and the lamp row that its letters stand on."""

    font: ImageFont.FreeTypeFont
    baseline: int

    def has(self, word: str) -> bool:
        """Return whether the font has a shape for each letter of a word."""
        none = self._shape(_NO_LETTER)
        return all(self._shape(letter) != none for letter in word)

    def _shape(self, letter: str) -> tuple[tuple[int, int], bytes]:
        mask = self.font.getmask(letter, mode="1")
        return mask.size, bytes(mask)


class Lettering:
    """A setter of texts for one board.

    Args:
        font: the file of a TrueType font, asked first; "" for the shipped ones alone.

    Raises:
        BadOption: the font cannot be read.
    """

    def __init__(self, geometry: Geometry, font: str = "") -> None:
        width, height = self._size = geometry.size
        # Where a column that a bar hides is left out of the others that are seen.
        self._bars = [column - place for place, column in enumerate(geometry.bars)]
        self._seen = width - len(self._bars)
        shipped = files("drivers.board") / "fonts"
        try:
            first = ImageFont.truetype(font or str(shipped / "led.ttf"), _SIZE[height])
        except OSError as error:
            raise BadOption(
                f"the font {font!r} of the ten-cavity board cannot be read ({error}): name a"
                " TrueType file"
            ) from error
        second = ImageFont.truetype(str(shipped / "devanagari.ttf"), _DEVANAGARI_SIZE[height])
        self._faces = (_Face(first, _BASELINE[height]), _Face(second, _DEVANAGARI_BASELINE[height]))
        # A board shows a text for minutes, and asks about it at every turn.
        self.strip = lru_cache(32)(self._strip)
        self.pages = lru_cache(8)(self._pages)

    def _strip(self, text: str) -> Image.Image:
        """Return the whole line, as long as it is and as high as the board, "L", in `Ink.TEXT`."""
        words = [self._faced(word) for word in text[:LONGEST].split()]
        by_face = groupby(words, key=lambda faced: faced[0])
        runs = [(face, " ".join(word for _, word in run)) for face, run in by_face]
        height, blank = self._size[1], int(self._faces[0].font.getlength(" "))
        width = sum(int(face.font.getlength(run)) + blank for face, run in runs)
        line = Image.new("1", (width + 2 * height, height))
        draw, left = ImageDraw.Draw(line), height
        draw.fontmode = "1"  # lamps are on or off
        baseline = min((face.baseline for face, _ in runs), default=0)
        for face, run in runs:
            draw.text((left, baseline), run, fill=1, font=face.font, anchor="ls")
            left += int(face.font.getlength(run)) + blank
        left, _, right, _ = line.getbbox() or (0, 0, 1, 0)
        mask = line.crop((left, 0, right, height))
        strip = Image.new("L", mask.size)
        strip.paste(int(Ink.TEXT), (0, 0), mask)
        return strip

    def runs(self, text: str) -> bool:
        """Return whether the text is too long to stand still."""
        return self.strip(text).width > self._seen

    def frames(self, text: str) -> int:
        """Return after how many columns a running text begins again; 1 for a standing one."""
        return self.strip(text).width + self._seen if self.runs(text) else 1

    def _pages(self, text: str) -> list[tuple[str, int]]:
        """Return the pages of a text that is too long for the board, each as `frame` takes it: as
        many words as have room; a word that is too long alone is shown in pieces."""
        found: list[tuple[str, int]] = []
        line = ""
        for word in text[:LONGEST].split():
            longer = f"{line} {word}".strip()
            if not self.runs(longer):
                line = longer
                continue
            if line:
                found.append((line, 0))
            line = word
            if self.runs(word):
                pieces = -(-self.strip(word).width // self._seen)
                found += [(word, piece * self._seen) for piece in range(1, pieces + 1)]
                line = ""
        return [*found, (line, 0)] if line else found

    def frame(self, text: str, column: int) -> Image.Image:
        """Return the board when a text has run in `column` columns; a short one is centred."""
        strip, width = self.strip(text), self._seen
        board = Image.new("L", (width, self._size[1]))
        left = width - column % self.frames(text) if self.runs(text) else (width - strip.width) // 2
        board.paste(strip, (left, 0))
        return Image.fromarray(np.insert(np.asarray(board), self._bars, Ink.DARK, axis=1))

    def _faced(self, word: str) -> tuple[_Face, str]:
        """Return the face for a word, and the word; a dash if no face has its letters."""
        able = [face for face in self._faces if face.has(word)]
        return (able[0], word) if able else (self._faces[0], _DASH)


# -- board -----------------------------------------------------------------------------------------

log = logging.getLogger(__name__)

DEVICE = "matrix"
CLOSE_LIMIT_S = 2.0
# A picture is on its way in a millisecond, and on a long chain's wire in ten.
GIVE_WAY_S = 0.01
# A running text is a new picture every 40 ms: a board that says the same for hours need not.
RUNS = 2
PAGE_S = 3.0


class Panel(Protocol):
    """A family of chips. Where a method raises any error, the board is lost, and tried again."""

    # what a bus raises; anything else is logged with its trace
    foreseen: tuple[type[Exception], ...]
    # what a frame takes on the wire, and some rest: a running text does not move oftener
    frame_s: float
    # A panel may say `dims = True`: it has a light for `Ink.CALLED_DIMMED`. One that says nothing
    # is given `Ink.CALLED` in its place.

    def connect(self) -> None:
        """Open the bus, if it is not open.

        Raises:
            DeviceMissing: the bus, or the library for it, is not there.
        """

    def configure(self) -> None:
        """Send the chips everything but the picture."""

    def display(self, picture: Image.Image) -> None:
        """Send a picture of `Ink`s."""

    def let_go(self) -> None:
        """Close the bus, so that `connect` opens it anew."""

    def blank(self) -> None:
        """Leave the board dark and close the bus."""

    def photograph(self, picture: Image.Image, *, bare: bool = False) -> Image.Image:
        """Return what a person would see: the bytes for the bus, decoded; `bare` without plate."""


@dataclass(frozen=True)
class _Cavities:
    cavities: tuple[Cavity | None, ...]
    geometry: Geometry
    dims: bool

    def picture(self, now: float) -> Image.Image:
        return draw_board(self.cavities, self.geometry, int(now / BEAT_S), dims=self.dims)

    def next_change(self, now: float) -> float:
        walks = any(cavity is not None and not cavity.called for cavity in self.cavities)
        return (int(now / BEAT_S) + 1) * BEAT_S if walks else math.inf


@dataclass(frozen=True)
class _Text:
    """A text: a short one stands; a long one runs through `RUNS` times, then turns its pages."""

    text: str
    lettering: Lettering
    since: float
    frame_s: float

    def picture(self, now: float) -> Image.Image:
        if (page := self._page(now)) is not None:
            pages = self.lettering.pages(self.text)
            return self.lettering.frame(*pages[page % len(pages)])
        return self.lettering.frame(self.text, round((now - self.since) * COLUMNS_PER_S))

    def next_change(self, now: float) -> float:
        if not self.lettering.runs(self.text):
            return math.inf
        page = self._page(now)
        return now + self.frame_s if page is None else self._run_until + (page + 1) * PAGE_S

    @property
    def _run_until(self) -> float:
        return self.since + RUNS * self.lettering.frames(self.text) / COLUMNS_PER_S

    def _page(self, now: float) -> int | None:
        """Return which page is shown, counted on and on; None while the text runs or stands."""
        over = now - self._run_until
        return int(over / PAGE_S) if over >= 0 and self.lettering.runs(self.text) else None


class TenCavities(Turning):
    """Ten cavities on a panel.

    Args:
        refresh_s: picture and configuration are sent again this often, in seconds; a lost bus is
            tried as often.
        font: for messages: the file of a TrueType font, "" for the shipped one.
        text_fps: how often a running message moves on, in a second; the panel may want fewer.
        clock: monotonic seconds.
        sleeper: what takes its turns.

    Raises:
        BadOption: an option is out of range.
    """

    def __init__(
        self,
        panel: Panel,
        geometry: Geometry,
        *,
        refresh_s: float,
        font: str,
        text_fps: float,
        clock: Clock,
        sleeper: MakeTurns,
    ) -> None:
        if refresh_s <= 0:
            raise BadOption(
                f"refresh_s {refresh_s} is not possible: use seconds above 0, for example 1.0"
            )
        if text_fps <= 0:
            raise BadOption(
                f"text_fps {text_fps} is not possible: use moves a second above 0, for example 25"
            )
        self._panel = panel
        self._frame_s = max(1 / text_fps, panel.frame_s)
        self._geometry = geometry
        self._dims: bool = getattr(panel, "dims", False)
        self._lettering = Lettering(geometry, font)
        self._refresh_s = refresh_s
        self._clock = clock
        self._make_turns = sleeper
        self._lock = threading.Lock()
        self._scene: _Cavities | _Text = _Cavities((), geometry, self._dims)
        self._tokens: list[int] = []

    def open(self, deliver: Deliver) -> None:
        """Open the bus, blank the board and keep it fresh.

        Raises:
            DeviceMissing: the bus, or the library for it, is not there.
            DriverError: open already.
        """
        if self._turns is not None:
            raise DriverError("the ten-cavity board is open already: close it first")
        self._panel.connect()
        self._deliver = deliver
        self._known = False  # whether the chips have their configuration
        self._fresh_until = -math.inf
        self._retry_at: float | None = None  # while the bus is lost
        self._turns = self._make_turns(DEVICE, self._turn, clock=self._clock)
        self._turns.start()

    def show(self, cavities: Sequence[Cavity | None], token: int = 0) -> None:
        """Light exactly these cavities; only the newest picture is sent, but each token is told.

        While the bus is lost the tokens wait; `close` drops them.

        Raises:
            BadOption: as of `draw_board`.
        """
        scene = _Cavities(tuple(cavities), self._geometry, self._dims)
        scene.picture(0.0)  # raise mistakes to the caller, not in the thread, which has less to do
        self._set(scene, token)

    def message(self, text: str) -> None:
        """Show a text until cavities come: run it through the board, then turn its pages.

        A short text stands. The same text again does not begin anew.
        """
        scene = self._scene
        if not (isinstance(scene, _Text) and scene.text == text):
            self._set(_Text(text, self._lettering, self._clock(), self._frame_s))

    def close(self) -> None:
        """Blank the board and free the bus."""
        turns, self._turns = self._turns, None
        if turns is None:
            return
        turns.stop(CLOSE_LIMIT_S)
        if turns.alive:
            log.error("matrix: its bus has not answered for %g s: left as it is", CLOSE_LIMIT_S)
            return
        try:
            self._panel.blank()
        except self._panel.foreseen as error:
            log.warning("matrix: could not be blanked: %s", error)

    def preview(
        self, cavities: Sequence[Cavity | None], beat: int = 0, *, bare: bool = False
    ) -> Image.Image:
        """Return a photograph of the board with these cavities, of the bytes for the bus, decoded;
        of a `bare` one without the bars of its plate.

        Raises:
            BadOption: as of `draw_board`.
        """
        picture = draw_board(cavities, self._geometry, beat, dims=self._dims)
        return self._panel.photograph(picture, bare=bare)

    def preview_message(self, text: str, column: int, *, bare: bool = False) -> Image.Image:
        """Return a photograph of the board when a text has run `column` columns."""
        return self._panel.photograph(self._lettering.frame(text, column), bare=bare)

    def message_columns(self, text: str) -> int:
        """Return after how many columns a running text begins again; 1 for a standing one."""
        return self._lettering.frames(text)

    def _set(self, scene: _Cavities | _Text, *tokens: int) -> None:
        with self._lock:
            self._scene = scene
            self._tokens += tokens
        turns = self._turns
        if turns is not None:
            turns.wake(GIVE_WAY_S)

    def _turn(self, now: float) -> float | None:
        if self._retry_at is not None and now < self._retry_at:
            return self._retry_at  # a new picture does not repair a lost bus
        with self._lock:
            scene, tokens = self._scene, len(self._tokens)
        try:
            self._panel.connect()
            if not self._known:
                self._panel.configure()
            self._panel.display(scene.picture(now))
            if self._retry_at is not None:
                hand_over(self._deliver, DeviceFound(DEVICE, self._clock()))
            self._retry_at, self._known = None, True
            self._shown(tokens)
            if tokens or now >= self._fresh_until:
                # After the picture: the hall waits for the number, not for this.
                self._panel.configure()
                self._fresh_until = self._clock() + self._refresh_s
        # usually a bus error; but any error must be reported, or the board stays dark
        except Exception as error:
            log.debug("matrix: %s", error, exc_info=True)
            return self._lose(error)
        return min(self._fresh_until, scene.next_change(now))

    def _lose(self, error: Exception) -> float:
        self._known = False
        if self._retry_at is None:
            trace = None if isinstance(error, self._panel.foreseen) else error
            log.warning("matrix: %s", error, exc_info=trace)
            reason = (
                f"the ten-cavity board does not take data ({error}): check its plug and supply; the"
                " game goes on"
            )
            hand_over(self._deliver, DeviceLost(DEVICE, reason, self._clock()))
        self._retry_at = self._clock() + self._refresh_s
        self._let_go()
        return self._retry_at

    def _let_go(self) -> None:
        try:
            self._panel.let_go()
        except Exception:
            log.debug("matrix: its bus does not close", exc_info=True)  # it is gone, or opened anew

    def _shown(self, count: int) -> None:
        with self._lock:
            tokens, self._tokens = self._tokens[:count], self._tokens[count:]
        for token in tokens:
            hand_over(self._deliver, BoardShown(token, self._clock()))
