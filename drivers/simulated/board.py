"""Simulate chains of MAX7219 chips and WS2812 lamps, and the lamps that a person would see.

They take the place of luma's serial interface, and remember the bytes written to them.
`RecordingBus` is a chain of MAX7219 chips and follows the chip's data sheet (Maxim 19-4452),
register by register. `RecordingPixels` is a chain of WS2812 lamps and decodes the bits on their
line as their data sheet says. Neither knows anything of the driver that writes to it.
"""

from __future__ import annotations

import logging
import string
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from drivers.board.geometry import find_geometry, wire_order
from drivers.board.spi import seen

log = logging.getLogger(__name__)

DECODE_MODE, INTENSITY, SCAN_LIMIT, SHUTDOWN, DISPLAY_TEST = 0x09, 0x0A, 0x0B, 0x0C, 0x0F
LAST_DIGIT = 0x08
RED = (255, 32, 24)
SIGNS = "#" + string.ascii_lowercase

# Data sheet, table 5: Code B, characters 0-9 - E H L P and blank, as segments DP A B C D E F G (bit
# 7 to bit 0).
CODE_B = bytes.fromhex("7E 30 6D 79 33 5B 5F 70 7F 7B 01 4F 37 0E 67 00")

Picture = list[str]


class SimulatedBus(ABC):
    """A bus with lamps on it, methods to disturb it, and a memory.

    Attributes:
        writes: the bytes of the last 4096 writes.
        frames: the last 4096 different pictures, oldest first.
        refused: how many writes failed.
        on_change: called with each new frame, from the writer's thread.
    """

    def __init__(self) -> None:
        self._failing = False
        self._changed = threading.Condition()
        self.refused = 0
        self.writes: deque[bytes] = deque(maxlen=4096)
        self.frames: deque[Picture] = deque([self.picture()], maxlen=4096)
        self.on_change: Callable[[Picture], None] | None = None
        self._painted: tuple[bytes, tuple[Picture, dict[str, str]]] | None = None

    # luma's serial interface

    def command(self, *command: int) -> None:
        """Take commands as data: these chips have no data/command line."""
        self.data(command)

    def data(self, data: Iterable[int]) -> None:
        """Take the bytes of one write.

        Raises:
            OSError: the bus is failing.
        """
        with self._changed:
            if self._failing:
                self.refused += 1
                raise OSError(5, "simulated bus error")
            sent = bytes(data)
            self.writes.append(sent)
            look = self._take(sent)
        if look:
            self._look()

    def cleanup(self) -> None:
        """Log that the bus was closed; the chips keep their state."""
        log.debug("the bus is let go")

    @abstractmethod
    def _take(self, sent: bytes) -> bool:
        """Put bytes into the chips; return whether the picture may have changed."""

    # What a person sees

    @abstractmethod
    def colours(self) -> NDArray[np.uint8]:
        """Return red, green, blue of each lamp: shape height × width × 3."""

    def lamps(self) -> Image.Image:
        """Return the lamps, mode "RGB", one pixel each."""
        return Image.fromarray(self.colours())

    def picture(self) -> Picture:
        """Return the lamps, row by row from the top: `#` lit, `.` dark."""
        return ["".join("#" if lamp else "." for lamp in row) for row in self.colours().max(axis=2)]

    def painting(self) -> tuple[Picture, dict[str, str]]:
        """Return the lamps with a sign for each colour (`#`, then letters), dark ones `.`; and the
        colours, as CSS writes them.

        A colour is given as it is seen: the brightest lamp bright, however dim the board is. It is
        painted again only when the chips hold something else.
        """
        held = self._held()
        if self._painted is None or self._painted[0] != held:
            self._painted = held, self._paint()
        return self._painted[1]

    @abstractmethod
    def _held(self) -> bytes:
        """Return what the chips hold: all that decides the lamps and their colours."""

    def _paint(self) -> tuple[Picture, dict[str, str]]:
        lamps = self.colours()
        numbered = lamps.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
        found = [int(colour) for colour in np.unique(numbered) if colour]
        signs = dict(zip(found, SIGNS, strict=False))
        signed = {0: ".", **signs}
        rows = ["".join(signed.get(lamp, SIGNS[-1]) for lamp in row) for row in numbered.tolist()]
        brightest = max(1, int(lamps.max()))
        css = {}
        for colour, sign in signs.items():
            red, green, blue = seen((colour >> 16, colour >> 8 & 0xFF, colour & 0xFF), brightest)
            css[sign] = f"#{red:02x}{green:02x}{blue:02x}"
        return rows, css

    def wait_for(self, seen: Callable[[Picture], bool], limit_s: float) -> bool:
        """Wait until the newest frame satisfies `seen`; return False after `limit_s` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: seen(self.frames[-1]), limit_s)

    def _look(self) -> None:
        with self._changed:
            picture = self.picture()
            if picture == self.frames[-1]:
                return
            self.frames.append(picture)
            self._changed.notify_all()
        if self.on_change is not None:
            self.on_change(picture)

    # Hands

    def fail(self) -> None:
        """Make every write raise `OSError` until `heal`."""
        with self._changed:
            self._failing = True

    def heal(self) -> None:
        """Make writes work again."""
        with self._changed:
            self._failing = False


class RecordingBus(SimulatedBus):
    """A chain of MAX7219 chips.

    Chip 0 is nearest to the Pi and lights the upper left module; the upper row goes on to the
    right, then the next one, from the left again or, when the chain is `serpentine`, back from the
    right with its modules on their heads. A module shows digit register 1 to 8 as its columns from
    the left, bit 0 on top; mounted with `block_orientation` (degrees, as the driver's option), it
    is turned the other way. A write is what goes from CS low to CS high; a frame is complete with a
    write of the eighth digit register or of any control register: what lies between lasts 2 ms on a
    real bus and is seen by nobody.
    """

    def __init__(
        self, size: tuple[int, int] = (80, 16), block_orientation: int = 0, chain: str = "rows"
    ) -> None:
        width, height = size
        self._across, self._down = width // 8, height // 8
        self._turns = (block_orientation // 90) % 4
        self._serpentine = chain == "serpentine"
        self._chips = self._across * self._down
        # as after power-up: shut down
        self._registers: NDArray[np.uint8] = np.zeros((self._chips, 16), np.uint8)
        self._shift = bytes(2 * self._chips)
        self._seen = False  # whether the newest frame shows what the registers hold
        super().__init__()

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Return the board that a driver with these options expects."""
        size = find_geometry(options.get("geometry", "80x16")).size
        return cls(size, options.get("block_orientation", 0), options.get("chain", "rows"))

    def _take(self, sent: bytes) -> bool:
        self._shift = (self._shift + sent)[-2 * self._chips :]
        # The bytes sent last are in the chip nearest to the sender.
        words = np.frombuffer(self._shift, np.uint8).reshape(-1, 2)[::-1]
        register = words[:, 0] & 0x0F
        chips = np.flatnonzero(register)  # 0 is no-operation
        changed = self._registers[chips, register[chips]] != words[chips, 1]
        self._registers[chips, register[chips]] = words[chips, 1]
        # brightness is no part of a picture
        self._seen = self._seen and not changed[register[chips] != INTENSITY].any()
        return bool((register >= LAST_DIGIT).any()) and not self._seen

    def _look(self) -> None:
        self._seen = True
        super()._look()

    def _held(self) -> bytes:
        return self._registers.tobytes()

    def colours(self) -> NDArray[np.uint8]:
        """Return the lamps, in red, as bright as their chips make them."""
        shares = (2 * np.array(self.brightness()) + 1) / 32  # data sheet, table 7
        light = self._put_together([np.full((8, 8), share) for share in shares]) * self._lit()
        red: NDArray[np.uint8] = np.ceil(light[:, :, None] * np.array(RED)).astype(np.uint8)
        return red

    def picture(self) -> Picture:
        """Return the lamps, row by row from the top: `#` lit, `.` dark."""
        signs = np.frombuffer(b".#", np.uint8)[self._lit()]
        return [row.tobytes().decode("ascii") for row in signs]

    def _lit(self) -> NDArray[Any]:
        return self._put_together([_lamps(registers) for registers in self._registers])

    def _put_together(self, modules: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """Return the board of 8 × 8 modules in the order of the chain, each as its chip has it."""
        rows = np.zeros((8 * self._down, 8 * self._across), modules[0].dtype)
        for chip, module in enumerate(modules):
            down, across = divmod(chip, self._across)
            turns = self._turns
            if self._serpentine and down % 2:
                across, turns = self._across - 1 - across, turns + 2
            rows[8 * down : 8 * down + 8, 8 * across : 8 * across + 8] = np.rot90(module, -turns)
        return rows

    def brightness(self) -> list[int]:
        """Return the intensity of each chip, 0 to 15, nearest first."""
        return [int(value) & 0x0F for value in self._registers[:, INTENSITY]]

    def glitch(self, chip: int = 0, register: int = SHUTDOWN, value: int = 0) -> None:
        """Change a register of a chip, as a spark on the wire does; by default it goes dark."""
        with self._changed:
            self._registers[chip, register] = value
        self._look()

    def power_cut(self) -> None:
        """Cut the chips' supply and restore it: they come back dark."""
        with self._changed:
            self._registers[:] = 0
        self._look()


def _lamps(register: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the 8 × 8 lamps of one chip, rows from the top."""
    if register[DISPLAY_TEST] & 1:
        return np.ones((8, 8), np.uint8)
    if not register[SHUTDOWN] & 1:
        return np.zeros((8, 8), np.uint8)
    columns = register[1:9].copy()
    for digit in range(8 if register[DECODE_MODE] else 0):
        if register[DECODE_MODE] >> digit & 1:
            columns[digit] = CODE_B[columns[digit] & 0x0F] | columns[digit] & 0x80
    columns[(register[SCAN_LIMIT] & 0x07) + 1 :] = 0
    return np.unpackbits(columns[:, None], axis=1, bitorder="little").T


# -- WS2812 lamps ----------------------------------------------------------------------------------

BIT_S = 1 / 2.4e6
LATCH_S = 280e-6
# Data sheet WS2812B: how long the line is high in a nought (0.4 µs) and in a one (0.8 µs), each
# give or take 150 ns.
NOUGHT_S = (250e-9, 550e-9)
ONE_S = (650e-9, 950e-9)


class RecordingPixels(SimulatedBus):
    """A chain of WS2812 lamps.

    A bit is how long the line stays high. Low for 280 µs ends a frame: each lamp shows what it
    took. The first lamp takes the first 24 bits and hands the rest on; a frame that breaks off
    leaves the other lamps as they were. After a pulse that is neither a nought nor a one nothing
    can be trusted: the frame is counted in `garbled`, and not shown.

    Args:
        size: lamps, width and height.
        places: for each lamp on the wire its place in the picture, counted row by row; None: row by
            row.
    """

    def __init__(
        self, *, size: tuple[int, int] = (80, 16), places: NDArray[np.intp] | None = None
    ) -> None:
        width, height = size
        self._size = size
        self._places = np.arange(width * height) if places is None else places
        self._lamps: NDArray[np.uint8] = np.zeros((width * height, 3), np.uint8)
        self.garbled = 0
        super().__init__()

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Return the board that a driver with these options expects."""
        size = find_geometry(options.get("geometry", "80x16")).size
        wide, high = options.get("panel") or size
        order, serpentine = options.get("order", "rows"), options.get("serpentine", True)
        return cls(size=size, places=wire_order(size, (wide, high), order, serpentine))

    def _take(self, sent: bytes) -> bool:
        line = np.unpackbits(np.frombuffer(sent, np.uint8))
        edges = np.flatnonzero(np.diff(np.concatenate([[0], line, [0]])))
        rises, falls = edges[::2], edges[1::2]
        if not rises.size:
            return False
        high = (falls - rises) * BIT_S
        ones = (ONE_S[0] <= high) & (high <= ONE_S[1])
        noughts = (NOUGHT_S[0] <= high) & (high <= NOUGHT_S[1])
        if not (ones | noughts).all() or (line.size - falls[-1]) * BIT_S < LATCH_S:
            self.garbled += 1
            return False
        whole = min(ones.size // 24, len(self._lamps))
        green_red_blue = np.packbits(ones[: 24 * whole].reshape(whole, 24), axis=1)
        self._lamps[self._places[:whole]] = green_red_blue[:, (1, 0, 2)]
        return True

    def _held(self) -> bytes:
        return self._lamps.tobytes()

    def colours(self) -> NDArray[np.uint8]:
        """Return red, green, blue of each lamp."""
        width, height = self._size
        return self._lamps.reshape(height, width, 3).copy()

    def glitch(self, lamp: int = 0, colour: tuple[int, int, int] = (255, 255, 255)) -> None:
        """Change a lamp's colour, as a spark on the wire does; by default the first gets white."""
        with self._changed:
            self._lamps[lamp] = colour
        self._look()

    def power_cut(self) -> None:
        """Cut the lamps' supply and restore it: they come back dark."""
        with self._changed:
            self._lamps[:] = 0
        self._look()
