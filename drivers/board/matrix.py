"""The ten-cavity board on MAX7219 chips: red modules of 8 × 8 lamps, twenty of them for 80 × 16.

Wiring: the modules in rows, the upper row first, each row from left to right; DIN to MOSI (pin 19),
CLK to SCLK (pin 23), CS to CE0 (pin 24), 5 V from its own supply with a common ground.

    board = Matrix(bus="spi:0.0", block_orientation=-90)
    board.open(print)
    board.show([Cavity(13), Cavity(30, newest=True)])
    board.close()

A MAX7219 is write-only and long wires are noisy: picture and configuration are sent again every
second, at 1 MHz. Its brightness is that of a whole chip, so the chips of a dimmed number have a
lower one; at brightness 0 there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from luma.led_matrix.const import max7219 as registers
from luma.led_matrix.device import max7219
from numpy.typing import NDArray
from PIL import Image

from drivers import BadOption
from drivers.board.board import Panel
from drivers.board.geometry import Geometry
from drivers.board.picture import DIMMED_SHARE, Ink
from drivers.board.spi import SpiBoard, SpiLink, SpiPanel, open_in_words
from drivers.simulated.board import RecordingBus

BUS_SPEED_HZ = 1_000_000
ORIENTATIONS = (0, 90, -90, 180)
Chain = Literal["rows", "serpentine"]


@dataclass(kw_only=True, eq=False)
class Matrix(SpiBoard):
    """Ten cavities on a chain of MAX7219 chips: twenty modules for `80x16`, else forty.

    Args:
        block_orientation: how the modules are mounted: 0, 90, -90 (the usual FC-16 modules) or 180
            degrees.
        chain: `rows`: each row of modules begins at the left; `serpentine`: every second one runs
            back from the right, its modules standing on their heads, so that the wire between two
            rows is short.
        others: as of `SpiBoard`.

    Raises:
        BadOption: an option is out of range.
    """

    block_orientation: int = 0
    chain: Chain = "rows"

    def _make_panel(self, shape: Geometry) -> Panel:
        if self.block_orientation not in ORIENTATIONS:
            raise BadOption(
                f"block_orientation {self.block_orientation} is not possible: use one of"
                f" {ORIENTATIONS}, for FC-16 modules -90"
            )
        if self.chain not in ("rows", "serpentine"):
            raise BadOption(f"chain {self.chain!r} is not possible: use rows, or serpentine")
        return SpiPanel(
            shape,
            SpiLink(self.bus, partial(open_in_words, speed_hz=BUS_SPEED_HZ)),
            make_device=partial(_Chips, self, shape.size),
            make_bus=partial(RecordingBus, shape.size, self.block_orientation, self.chain),
            frame_s=0.01,  # 320 to 640 bytes at 1 MHz, and some rest
        )


class _Chips(max7219):  # type: ignore[misc] # luma has no types
    """A chain of MAX7219, as luma has it, that takes our pictures."""

    def __init__(self, board: Matrix, size: tuple[int, int], link: Any) -> None:
        super().__init__(link, *size, block_orientation=board.block_orientation)
        self._board = board
        self._dimmed: NDArray[np.bool_] = np.zeros(self.cascaded, bool)

    def light(self, picture: Image.Image) -> None:
        inks = self._along_chain(np.asarray(picture))
        dimmed = (inks == Ink.CALLED_DIMMED).any(axis=(1, 2))
        if not np.array_equal(dimmed, self._dimmed):
            self._dimmed = dimmed
            self._send_brightness()  # before the picture: it is seen only as it is meant
        columns = np.packbits(inks != Ink.DARK, axis=1, bitorder="little")[::-1, 0].T
        digits = registers.DIGIT_0 + np.arange(8)[:, None]
        for write in np.dstack(np.broadcast_arrays(digits, columns)).reshape(8, -1).tolist():
            self.data(write)  # one digit of each chip, the far end first

    def configure(self) -> None:
        for register, value in (
            (registers.DISPLAYTEST, 0),
            (registers.DECODEMODE, 0),
            (registers.SCANLIMIT, 7),
        ):
            self.data([register, value] * self.cascaded)
        self._send_brightness()
        self.show()

    def _along_chain(self, inks: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the inks of each chip along the chain, 8 × 8 each, as it is mounted."""
        height, width = inks.shape
        blocks = inks.reshape(height // 8, 8, width // 8, 8).swapaxes(1, 2).copy()
        if self._board.chain == "serpentine":
            blocks[1::2] = np.rot90(blocks[1::2, ::-1], 2, axes=(2, 3))
        turned = np.rot90(blocks, self._board.block_orientation // 90, axes=(2, 3))
        return turned.reshape(-1, 8, 8)

    def _send_brightness(self) -> None:
        bright = self._board.brightness
        levels = np.where(self._dimmed, dimmed_level(bright), bright)[::-1]  # the far end first
        self.data([byte for level in levels.tolist() for byte in (registers.INTENSITY, level)])


def dimmed_level(brightness: int) -> int:
    """Return the brightness of a dimmed chip: the one nearest to its share of the light.

    >>> [dimmed_level(brightness) for brightness in (0, 1, 4, 8, 15)]
    [0, 0, 1, 3, 6]
    """
    return max(0, round(((2 * brightness + 1) * DIMMED_SHARE - 1) / 2))
