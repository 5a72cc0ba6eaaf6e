"""The ten-cavity board: a row of LED matrices behind MAX7219 chips, 80 × 16 lamps.

Wiring: twenty 8 × 8 modules in two rows of ten, the upper row first, each row from left to right; DIN to MOSI (pin 19), CLK to
SCLK (pin 23), CS to CE0 (pin 24), 5 V from its own supply with a common ground.

    board = Matrix(bus="spi:0.0", block_orientation=-90)
    board.open(print)
    board.show([Cavity(13), Cavity(30, newest=True)])
    board.close()

A MAX7219 is write-only and long wires are noisy: picture and configuration are sent again every second, at 1 MHz.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Sequence
from typing import Any

from luma.core.error import Error as LumaError
from luma.led_matrix.const import max7219 as registers
from luma.led_matrix.device import max7219
from PIL import Image

from drivers import BadOption, BoardShown, Cavity, Clock, Deliver, DeviceFound, DeviceLost, DeviceMissing
from drivers.digits import DIGITS, HEIGHT, WIDTH
from drivers.sleeper import MakeTurns, Sleeper, Turns, hand_over

log = logging.getLogger(__name__)

DEVICE = "matrix"
CAVITIES = 10
CAVITY_WIDTH = 8
BOARD_SIZE = (CAVITIES * CAVITY_WIDTH, 16)
BUS_SPEED_HZ = 1_000_000
ORIENTATIONS = (0, 90, -90, 180)
CLOSE_LIMIT_S = 2.0

_DIGITS_TOP = 1
_MARK_ROWS = (14, 15)
_SHOWN_WIDTH = 2 * WIDTH + 1  # the eighth column of a cavity parts it from the next

BusErrors = (OSError, LumaError)


def draw_board(cavities: Sequence[Cavity | None]) -> Image.Image:
    """The picture of ten cavities, 80 × 16, mode "1".

    The newest number stands on two solid rows; an empty cavity is dark.

    Raises:
        BadOption: more than ten cavities, or a number that is not 1 to 90.
    """
    if len(cavities) > CAVITIES:
        raise BadOption(f"{len(cavities)} cavities for a board of {CAVITIES}: show the last {CAVITIES}")
    picture = Image.new("1", BOARD_SIZE)
    for index, cavity in enumerate(cavities):
        if cavity is None:
            continue
        if not 1 <= cavity.number <= 90:
            raise BadOption(f"cavity {index + 1} cannot show {cavity.number}: knobs are 1 to 90")
        digits = [int(digit) for digit in str(cavity.number)]
        left = index * CAVITY_WIDTH + (_SHOWN_WIDTH - len(digits) * (WIDTH + 1) + 1) // 2
        for place, digit in enumerate(digits):
            picture.paste(_GLYPHS[digit], (left + place * (WIDTH + 1), _DIGITS_TOP))
        if cavity.newest:
            mark_left = index * CAVITY_WIDTH
            picture.paste(1, (mark_left, _MARK_ROWS[0], mark_left + _SHOWN_WIDTH, _MARK_ROWS[-1] + 1))
    return picture


def _glyph(rows: Sequence[str]) -> Image.Image:
    glyph = Image.new("1", (WIDTH, HEIGHT))
    glyph.putdata([255 * (lamp == "#") for row in rows for lamp in row])
    return glyph


_GLYPHS = tuple(_glyph(rows) for rows in DIGITS)


class Matrix:
    """Ten cavities on a chain of MAX7219 chips.

    Args:
        bus: `spi:PORT.DEVICE`, or an object with luma's serial interface (`command`, `data`, `cleanup`).
        width, height: lamps of the whole board: 80 × 16, or a whole multiple of both (160 × 32 shows the same, twice as large).
        block_orientation: how the modules are mounted: 0, 90, -90 (the usual FC-16 modules) or 180 degrees.
        brightness: 0 (dim) to 15.
        refresh_s: picture and configuration are sent again this often, in seconds; a lost bus is tried as often.
        clock: monotonic seconds.
        sleeper: what takes its turns; by default a thread.

    Raises:
        BadOption: an option is out of range.
    """

    def __init__(
        self,
        *,
        bus: Any = "spi:0.0",
        width: int = BOARD_SIZE[0],
        height: int = BOARD_SIZE[1],
        block_orientation: int = 0,
        brightness: int = 4,
        refresh_s: float = 1.0,
        clock: Clock = time.monotonic,
        sleeper: MakeTurns = Sleeper,
    ) -> None:
        if width <= 0 or width % BOARD_SIZE[0] or width * BOARD_SIZE[1] != height * BOARD_SIZE[0]:
            raise BadOption(f"a board of {width} × {height} lamps cannot be used: ten cavities need 80 × 16, 160 × 32 …")
        if block_orientation not in ORIENTATIONS:
            raise BadOption(f"block_orientation {block_orientation} cannot be: use one of {ORIENTATIONS}, for FC-16 modules -90")
        if not 0 <= brightness <= 15:
            raise BadOption(f"brightness {brightness} cannot be: use 0 (dim) to 15")
        if refresh_s <= 0:
            raise BadOption(f"refresh_s {refresh_s} cannot be: use seconds above 0, for example 1.0")
        if isinstance(bus, str):
            _port_and_device(bus)
        self._bus = bus
        self._size = (width, height)
        self._orientation = block_orientation
        self._brightness = brightness
        self._refresh_s = refresh_s
        self._clock = clock
        self._make_turns = sleeper
        self._lock = threading.Lock()
        self._cavities: tuple[Cavity | None, ...] = ()
        self._tokens: list[int] = []
        self._sleeper: Turns | None = None
        self._link = _Link()

    @property
    def running(self) -> bool:
        """Whether the board is kept fresh, or its bus tried again."""
        sleeper = self._sleeper
        return sleeper is not None and sleeper.alive

    def open(self, deliver: Deliver) -> None:
        """Open the bus, blank the board and keep it fresh.

        Raises:
            DeviceMissing: the bus, or the library for it, is not there.
        """
        self._chain = self._make_chain(self._link)  # what luma writes while it makes it goes nowhere
        self._link.bus = self._open_bus()
        self._deliver = deliver
        self._known = False  # whether the chips have their configuration
        self._retry_at: float | None = None  # while the bus is lost
        self._sleeper = self._make_turns(DEVICE, self._turn, clock=self._clock)
        self._sleeper.start()

    def show(self, cavities: Sequence[Cavity | None], token: int = 0) -> None:
        """Light exactly these cavities. Only the newest picture goes out, but every token gets its `BoardShown`, in order.

        While the bus is lost the tokens wait; `close` drops them.

        Raises:
            BadOption: as of `draw_board`.
        """
        draw_board(cavities)  # whoever asks hears of a mistake, not the thread
        with self._lock:
            self._cavities = tuple(cavities)
            self._tokens.append(token)
        sleeper = self._sleeper
        if sleeper is not None:
            sleeper.wake()

    def close(self) -> None:
        """Blank the board and free the bus."""
        sleeper, self._sleeper = self._sleeper, None
        if sleeper is None:
            return
        sleeper.stop(CLOSE_LIMIT_S)
        if sleeper.alive:
            log.error("matrix: its bus has not answered for %g s: left as it is", CLOSE_LIMIT_S)
            return
        try:
            self._chain.cleanup()
        except BusErrors as error:
            log.warning("matrix: could not be blanked: %s", error)
            self._let_go()

    def preview(self, cavities: Sequence[Cavity | None]) -> Image.Image:
        """A photograph of the board with these cavities: the bytes for the bus, decoded, as round red lamps.

        Raises:
            BadOption: as of `draw_board`.
        """
        from drivers.simulated_board import RecordingBus, photograph

        bus = RecordingBus(width=self._size[0], height=self._size[1], block_orientation=self._orientation)
        chain = self._make_chain(bus)
        self._configure(chain)
        self._display(chain, cavities)
        return photograph(bus.picture())

    def _turn(self, now: float) -> float | None:
        if self._retry_at is not None and now < self._retry_at:
            return self._retry_at  # a new picture does not make a lost bus better
        with self._lock:
            cavities, tokens = self._cavities, len(self._tokens)
        try:
            if self._link.bus is None:
                self._link.bus = self._open_bus()
            if not self._known:
                self._configure(self._chain)
            self._display(self._chain, cavities)
            if self._retry_at is not None:
                hand_over(self._deliver, DeviceFound(DEVICE, self._clock()))
            self._retry_at, self._known = None, True
            self._shown(tokens)
            # After the picture: the hall waits for the number, not for this.
            self._configure(self._chain)
        except Exception as error:  # a bus error as a rule; but nothing may leave the board dark unsaid
            log.debug("matrix: %s", error, exc_info=True)
            return self._lose(error)
        return self._clock() + self._refresh_s

    def _lose(self, error: Exception) -> float:
        self._known = False
        if self._retry_at is None:
            log.warning("matrix: %s", error, exc_info=None if isinstance(error, BusErrors) else error)
            reason = f"the ten-cavity board does not take data ({error}): check its plug and supply; the game goes on"
            hand_over(self._deliver, DeviceLost(DEVICE, reason, self._clock()))
        self._retry_at = self._clock() + self._refresh_s
        if isinstance(self._bus, str):
            self._let_go()
        return self._retry_at

    def _let_go(self) -> None:
        try:
            self._link.cleanup()
        except BusErrors as error:
            log.debug("matrix: its bus does not close: %s", error)  # it is gone, or opened anew

    def _shown(self, count: int) -> None:
        with self._lock:
            tokens, self._tokens = self._tokens[:count], self._tokens[count:]
        for token in tokens:
            hand_over(self._deliver, BoardShown(token, self._clock()))

    def _display(self, chain: Any, cavities: Sequence[Cavity | None]) -> None:
        picture = draw_board(cavities)
        chain.display(picture if picture.size == self._size else picture.resize(self._size, Image.Resampling.NEAREST))

    def _configure(self, chain: Any) -> None:
        for register, value in ((registers.DISPLAYTEST, 0), (registers.DECODEMODE, 0), (registers.SCANLIMIT, 7)):
            chain.data([register, value] * chain.cascaded)
        chain.contrast(self._brightness << 4)
        chain.show()

    def _make_chain(self, link: Any) -> Any:
        return max7219(link, width=self._size[0], height=self._size[1], block_orientation=self._orientation)

    def _open_bus(self) -> Any:
        if not isinstance(self._bus, str):
            return self._bus
        from luma.core.interface.serial import noop, spi

        port, device = _port_and_device(self._bus)
        try:
            return spi(port=port, device=device, bus_speed_hz=BUS_SPEED_HZ, gpio=noop(), gpio_DC=None, gpio_RST=None)
        except ImportError as error:
            raise DeviceMissing("the ten-cavity board needs the library spidev: apt install python3-spidev") from error
        except BusErrors as error:
            raise DeviceMissing(
                f"the ten-cavity board's bus /dev/spidev{port}.{device} cannot be opened ({error}): "
                "turn SPI on (raspi-config) and put the user into the group spi"
            ) from error


class _Link:
    """What luma writes to: the bus, or nothing while there is none.

    luma keeps each device it makes until the program ends, so there is one for the driver's life, whatever happens to the bus.
    """

    def __init__(self) -> None:
        self.bus: Any = None

    def command(self, *command: int) -> None:
        if self.bus is not None:
            self.bus.command(*command)

    def data(self, data: Sequence[int]) -> None:
        if self.bus is not None:
            self.bus.data(data)

    def cleanup(self) -> None:
        bus, self.bus = self.bus, None
        if bus is not None:
            bus.cleanup()


def _port_and_device(bus: str) -> tuple[int, int]:
    found = re.fullmatch(r"spi:(\d+)\.(\d+)", bus)
    if found is None:
        raise BadOption(f"the ten-cavity board's bus {bus!r} cannot be read: write spi:PORT.DEVICE, for example spi:0.0")
    return int(found[1]), int(found[2])
