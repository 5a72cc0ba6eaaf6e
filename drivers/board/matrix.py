"""The ten-cavity board on MAX7219 chips: red modules of 8 × 8 lamps, twenty of them for 80 × 16.

Wiring: the modules in rows, the upper row first, each row from left to right; DIN to MOSI (pin 19),
CLK to SCLK (pin 23), CS to CE0 (pin 24), 5 V from its own supply with a common ground.

    board = Matrix(bus="spi:0.0", block_orientation=-90)
    board.open(print)
    board.show([Cavity(13), Cavity(30, newest=True)])
    board.close()

A MAX7219 is write-only and long wires are noisy: picture and configuration are sent again every
second, at 1 MHz.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Any, Literal

from luma.led_matrix.const import max7219 as registers
from luma.led_matrix.device import max7219
from PIL import Image

from drivers import BadOption, Clock
from drivers.board.board import TenCavities
from drivers.board.geometry import Geometry, find_geometry
from drivers.board.spi import BUS_ERRORS, SpiLink, open_in_words
from drivers.sleeper import MakeTurns, Sleeper

BUS_SPEED_HZ = 1_000_000
ORIENTATIONS = (0, 90, -90, 180)
MOST_BRIGHTNESS = 15
Chain = Literal["rows", "serpentine"]


class Matrix(TenCavities):
    """Ten cavities on a chain of MAX7219 chips.

    Args:
        bus: `spi:PORT.DEVICE`, or an object with luma's serial interface (`command`, `data`,
            `cleanup`).
        geometry: `80x16` (twenty modules), `160x16` or `two-rows` (forty; the latter is 80 × 32).
        block_orientation: how the modules are mounted: 0, 90, -90 (the usual FC-16 modules) or 180
            degrees.
        chain: `rows`: each row of modules begins at the left; `serpentine`: every second one runs
            back from the right, its modules standing on their heads, so that the wire between two
            rows is short.
        brightness: 0 (dim) to 15.
        refresh_s: picture and configuration are sent again this often, in seconds; a lost bus is
            tried as often.
        font: for messages: the file of a TrueType font, "" for the shipped one.
        text_fps: columns a second of a running message; fewer steps where the wire is slower, but
            its speed stays the same.
        clock: monotonic seconds.
        sleeper: what takes its turns; by default a thread.

    Raises:
        BadOption: an option is out of range.
    """

    def __init__(
        self,
        *,
        bus: Any = "spi:0.0",
        geometry: str = "80x16",
        block_orientation: int = 0,
        chain: Chain = "rows",
        brightness: int = 4,
        refresh_s: float = 1.0,
        font: str = "",
        text_fps: float = 25.0,
        clock: Clock = time.monotonic,
        sleeper: MakeTurns = Sleeper,
    ) -> None:
        if block_orientation not in ORIENTATIONS:
            raise BadOption(
                f"block_orientation {block_orientation} is not possible: use one of {ORIENTATIONS},"
                " for FC-16 modules -90"
            )
        if chain not in ("rows", "serpentine"):
            raise BadOption(f"chain {chain!r} is not possible: use rows, or serpentine")
        if not 0 <= brightness <= MOST_BRIGHTNESS:
            raise BadOption(
                f"brightness {brightness} is not possible: use 0 (dim) to {MOST_BRIGHTNESS}"
            )
        shape = find_geometry(geometry)
        panel = _Chips(bus, shape, block_orientation, chain, brightness)
        super().__init__(
            panel,
            shape,
            refresh_s=refresh_s,
            font=font,
            text_fps=text_fps,
            clock=clock,
            sleeper=sleeper,
        )


class _Chips:
    """A chain of MAX7219."""

    foreseen = BUS_ERRORS
    frame_s = 0.01  # 320 to 640 bytes at 1 MHz, and some rest

    def __init__(
        self, bus: Any, geometry: Geometry, orientation: int, chain: Chain, brightness: int
    ) -> None:
        self._geometry = geometry
        self._orientation = orientation
        self._order: Chain = chain
        self._brightness = brightness
        self._link = SpiLink(bus, partial(open_in_words, speed_hz=BUS_SPEED_HZ))
        self._device: Any = None
        self._posing: Any = None  # a simulated bus and luma's device on it, for photographs

    def connect(self) -> None:
        if self._device is None:
            # what luma writes while it is made is discarded
            self._device = self._make_device(self._link)
        self._link.connect()

    def configure(self) -> None:
        self._configure(self._device)

    def display(self, picture: Image.Image) -> None:
        self._display(self._device, picture)

    def let_go(self) -> None:
        self._link.let_go()

    def blank(self) -> None:
        try:
            self._device.cleanup()
        finally:
            self._link.cleanup()

    def photograph(self, picture: Image.Image) -> Image.Image:
        from drivers.board.photograph import photograph
        from drivers.simulated.board import RecordingBus

        if self._posing is None:
            bus = RecordingBus(
                size=self._geometry.size, block_orientation=self._orientation, chain=self._order
            )
            self._posing = bus, self._make_device(bus)
            self._configure(self._posing[1])
        bus, device = self._posing
        self._display(device, picture)
        return photograph(bus.lamps(), self._geometry)

    def _make_device(self, link: Any) -> Any:
        width, height = self._geometry.size
        return max7219(link, width=width, height=height, block_orientation=self._orientation)

    def _display(self, device: Any, picture: Image.Image) -> None:
        lamps = picture.point([0] + 255 * [255], "1")
        if self._order == "serpentine":
            for top in range(8, lamps.height, 16):
                row = (0, top, lamps.width, top + 8)
                lamps.paste(lamps.crop(row).transpose(Image.Transpose.ROTATE_180), row)
        device.display(lamps)

    def _configure(self, device: Any) -> None:
        for register, value in (
            (registers.DISPLAYTEST, 0),
            (registers.DECODEMODE, 0),
            (registers.SCANLIMIT, 7),
        ):
            device.data([register, value] * device.cascaded)
        device.contrast(self._brightness << 4)
        device.show()
