"""A chain of MAX7219 chips that remembers: the bytes written to it, and the lamps a person would see.

It takes the place of luma's serial interface and follows the chip's data sheet (Maxim 19-4452), register by register; of the
driver that writes to it, it knows nothing.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

log = logging.getLogger(__name__)

DECODE_MODE, INTENSITY, SCAN_LIMIT, SHUTDOWN, DISPLAY_TEST = 0x09, 0x0A, 0x0B, 0x0C, 0x0F
LAST_DIGIT = 0x08
CAVITIES = 10

# Data sheet, table 5: Code B, characters 0-9 - E H L P and blank, as segments DP A B C D E F G (bit 7 to bit 0).
CODE_B = (0x7E, 0x30, 0x6D, 0x79, 0x33, 0x5B, 0x5F, 0x70, 0x7F, 0x7B, 0x01, 0x4F, 0x37, 0x0E, 0x67, 0x00)

Picture = list[str]


class RecordingBus:
    """The chips, their lamps, hands to disturb them, and a memory.

    Chip 0 is nearest to the Pi and lights the upper left module; the upper row goes on to the right, then the lower one. A module
    shows digit register 1 to 8 as its columns from the left, bit 0 on top; mounted with `block_orientation` (degrees, as the
    driver's option), it is turned the other way.

    Attributes:
        writes: the bytes of the last 4096 writes, each from CS low to CS high.
        frames: the last 1024 different pictures, oldest first. A frame is complete with a write of the eighth digit register
            or of any control register; what lies between lasts 2 ms on a real bus and is seen by nobody.
        refused: how many writes failed.
        on_change: called with each new frame, from the writer's thread.
    """

    def __init__(self, *, width: int = 80, height: int = 16, block_orientation: int = 0) -> None:
        self._across, self._down = width // 8, height // 8
        self._turns = (block_orientation // 90) % 4
        self._chips = self._across * self._down
        self._registers: NDArray[np.uint8] = np.zeros((self._chips, 16), np.uint8)  # as after power-up: shut down
        self._shift = bytes(2 * self._chips)
        self._failing = False
        self._seen = False  # whether the newest frame shows what the registers hold
        self._changed = threading.Condition()
        self.refused = 0
        self.writes: deque[bytes] = deque(maxlen=4096)
        self.frames: deque[Picture] = deque([self.picture()], maxlen=1024)
        self.on_change: Callable[[Picture], None] | None = None

    # luma's serial interface

    def command(self, *command: int) -> None:
        """A MAX7219 has no data/command line: commands are bytes like all others."""
        self.data(command)

    def data(self, data: Iterable[int]) -> None:
        """CS low, shift the bytes in, CS high: every chip takes the 16 bits it holds.

        Raises:
            OSError: the bus is failing.
        """
        with self._changed:
            if self._failing:
                self.refused += 1
                raise OSError(5, "simulated bus error")
            sent = bytes(data)
            self.writes.append(sent)
            self._shift = (self._shift + sent)[-2 * self._chips :]
            # What was sent last is in the chip nearest to the sender.
            words = np.frombuffer(self._shift, np.uint8).reshape(-1, 2)[::-1]
            register = words[:, 0] & 0x0F
            chips = np.flatnonzero(register)  # 0 is no-operation
            before = self._registers[chips, register[chips]]
            self._registers[chips, register[chips]] = words[chips, 1]
            self._seen = self._seen and bool((before == words[chips, 1]).all())
            complete = bool((register >= LAST_DIGIT).any())
        if complete and not self._seen:
            self._look()

    def cleanup(self) -> None:
        """The bus is let go; the chips keep what they have."""

    # What a person sees

    def picture(self) -> Picture:
        """The lamps, row by row from the top: `#` lit, `.` dark."""
        rows = np.zeros((8 * self._down, 8 * self._across), np.uint8)
        for chip in range(self._chips):
            down, across = divmod(chip, self._across)
            block = np.rot90(_lamps(self._registers[chip]), -self._turns)
            rows[8 * down : 8 * down + 8, 8 * across : 8 * across + 8] = block
        return ["".join(".#"[lamp] for lamp in row) for row in rows]

    def brightness(self) -> list[int]:
        """The intensity of each chip, 0 to 15, nearest first."""
        return [int(value) & 0x0F for value in self._registers[:, INTENSITY]]

    def wait_for(self, seen: Callable[[Picture], bool], limit_s: float) -> bool:
        """Wait until the newest frame satisfies `seen`; False when `limit_s` has passed."""
        with self._changed:
            return self._changed.wait_for(lambda: seen(self.frames[-1]), limit_s)

    def _look(self) -> None:
        with self._changed:
            self._seen = True
            picture = self.picture()
            if picture == self.frames[-1]:
                return
            self.frames.append(picture)
            self._changed.notify_all()
        if self.on_change is not None:
            self.on_change(picture)

    # Hands

    def fail(self) -> None:
        """Every write raises `OSError` until `heal`."""
        with self._changed:
            self._failing = True

    def heal(self) -> None:
        """Writes work again."""
        with self._changed:
            self._failing = False

    def glitch(self, chip: int = 0, register: int = SHUTDOWN, value: int = 0) -> None:
        """A spark on the wire: one register of one chip takes another value. Without arguments the first module goes dark."""
        with self._changed:
            self._registers[chip, register] = value
        self._look()

    def power_cut(self) -> None:
        """The chips lose their supply and come back as after power-up: dark."""
        with self._changed:
            self._registers[:] = 0
        self._look()


def _lamps(register: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The 8 × 8 lamps of one chip, rows from the top."""
    if register[DISPLAY_TEST] & 1:
        return np.ones((8, 8), np.uint8)
    if not register[SHUTDOWN] & 1:
        return np.zeros((8, 8), np.uint8)
    columns = register[1:9].copy()
    for digit in range(8):
        if register[DECODE_MODE] >> digit & 1:
            columns[digit] = CODE_B[columns[digit] & 0x0F] | columns[digit] & 0x80
    columns[(register[SCAN_LIMIT] & 0x07) + 1 :] = 0
    return np.unpackbits(columns[:, None], axis=1, bitorder="little").T


def photograph(picture: Picture, pitch: int = 12) -> Image.Image:
    """A picture's lamps as round red LEDs on black, `pitch` pixels from one to the next; dark lamps faintly.

    Fine lines part the ten cavities, as the frame before the board does.
    """
    width, height = len(picture[0]), len(picture)
    sharp = 4  # drawn larger, then reduced: smooth edges
    image = Image.new("RGB", ((width + 1) * pitch * sharp, (height + 1) * pitch * sharp), "black")
    draw = ImageDraw.Draw(image)
    radius = 0.42 * pitch * sharp
    for cavity in range(1, CAVITIES):
        # Between the lamps of neighbours: half a pitch before the first column of the next.
        across = (width * cavity / CAVITIES + 0.5) * pitch * sharp
        draw.line([(across, 0), (across, image.height)], fill=(150, 110, 60), width=sharp)
    for y, row in enumerate(picture):
        for x, lamp in enumerate(row):
            at = ((x + 1) * pitch * sharp, (y + 1) * pitch * sharp)
            draw.circle(at, radius, fill=(255, 32, 24) if lamp == "#" else (38, 8, 8))
    return image.reduce(sharp)
