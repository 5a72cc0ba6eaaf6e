"""The ten-cavity board in colour: WS2812 lamps, their one data line driven by the SPI bus.

Wiring: MOSI (pin 19) through a 74AHCT125 level shifter to DIN of the first lamp; 5 V from its own
supply with a common ground. In config.txt `dtparam=spi=on`, and a core clock that stays as it is,
for the bus's hangs on it: on a Pi 3 `core_freq=250`, on a Pi 4 `core_freq=500` and
`core_freq_min=500`; in cmdline.txt `spidev.bufsiz=32768`, for a picture must go out in one piece
(all three from the README of rpi_ws281x). No other driver may use that bus: the lamps do not look
at its select line.

    board = Ws2812(bus="spi:0.0", geometry="two-rows", panel=(16, 16), max_amps=8)
    board.open(print)
    board.show([Cavity(13), Cavity(30, newest=True)])
    board.close()

On the wire: each bit of a colour is three bits of the bus at 2.4 MHz, `110` for a one and `100` for
a nought (0.83 or 0.42 µs high of 1.25); green, red, blue, the highest bit first; then the line is
low for 280 µs or more and the lamps take what they have (data sheet WS2812B-V4, Worldsemi).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from luma.core.device import device
from numpy.typing import NDArray
from PIL import Image, ImageColor

from drivers import BadOption
from drivers.board.board import Panel
from drivers.board.geometry import Geometry, Order, wire_order
from drivers.board.picture import DIMMED_SHARE, Ink
from drivers.board.spi import SpiBoard, SpiLink, SpiPanel, WholeFrames
from drivers.simulated.board import RecordingPixels

BUS_SPEED_HZ = 2_400_000
LATCH_S = 300e-6
LATCH = bytes(round(LATCH_S * BUS_SPEED_HZ / 8))

FULL_AMPS = 0.020
"""What one colour of one lamp takes at 255. Adafruit's NeoPixel guide reckons 60 mA for white; PJRC
measured 33 to 53 mA."""
IDLE_AMPS = 0.001
"""What a dark lamp takes: just under 1 mA (measured by PJRC, "How much current do WS2812 LEDs
really use?")."""

COLOURS = {
    Ink.CALLED: "#901800",
    Ink.NEWEST: "#ffd020",
    Ink.WAITING: "#0050ff",
    Ink.TEXT: "#ffa000",
}
"""Of each ink, as CSS writes colours. Called numbers are darker than the newest, so that it is seen
first."""


def amps(colours: NDArray[np.uint8]) -> float:
    """Return the ampere of lamps of these colours (any shape of red, green, blue), at most."""
    return float(colours.sum(dtype=np.int64)) / 255 * FULL_AMPS + colours.size / 3 * IDLE_AMPS


def within(colours: NDArray[np.uint8], max_amps: float | None) -> NDArray[np.uint8]:
    """Return the colours, all dimmed alike until they take no more than `max_amps`."""
    idle = colours.size / 3 * IDLE_AMPS
    if max_amps is None or amps(colours) <= max_amps:
        return colours
    share = (max_amps - idle) / (amps(colours) - idle)
    dimmed: NDArray[np.uint8] = np.floor(colours * share).astype(np.uint8)
    return dimmed


def encode(colours: NDArray[np.uint8]) -> bytes:
    """Return the bytes for the bus: colours (lamp × red, green, blue) as wired, between two pauses.

    The pause before them ends whatever a line that was not low at rest may have begun.

    >>> encode(np.array([[0, 255, 0]], np.uint8)).strip(b"\\0").hex()
    'db6db6924924924924'
    """
    return LATCH + _BITS[colours[:, (1, 0, 2)]].tobytes() + LATCH


def _bits_of_bytes() -> NDArray[np.uint8]:
    """Return the three bytes of the bus for each byte of a colour: shape 256 × 3."""
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
    on_the_bus = np.stack([np.ones_like(bits), bits, np.zeros_like(bits)], axis=2)
    table: NDArray[np.uint8] = np.packbits(on_the_bus.reshape(256, 24), axis=1)
    return table


_BITS = _bits_of_bytes()


class _Lamps(device):  # type: ignore[misc] # luma has no types
    """luma's view of the lamps: a device that shows pictures of mode "RGB"."""

    def __init__(
        self,
        places: NDArray[np.intp],
        palette: NDArray[np.uint8],
        size: tuple[int, int],
        max_amps: float | None,
        link: Any,
    ) -> None:
        super().__init__(serial_interface=link)
        self.capabilities(*size, rotate=0, mode="RGB")
        self._places = places
        self._palette = palette
        self._max_amps = max_amps

    def display(self, image: Image.Image) -> None:
        colours = np.asarray(image, np.uint8).reshape(-1, 3)
        self.data(encode(within(colours, self._max_amps)[self._places]))

    def light(self, picture: Image.Image) -> None:
        self.display(Image.fromarray(self._palette[np.asarray(picture)]))

    def configure(self) -> None:
        """Do nothing: lamps know only the picture."""

    def show(self) -> None:
        """Do nothing: lamps are on as soon as they have a colour."""

    def hide(self) -> None:
        """Do nothing: lamps have no switch; `clear` makes them dark."""


@dataclass(kw_only=True, eq=False)
class Ws2812(SpiBoard):
    """Ten cavities on a chain of WS2812 lamps.

    Args:
        panel: lamps of each panel, width and height; None when the whole board is one.
        order: whether the wire follows a panel's `rows` or its `columns`.
        serpentine: whether every second row or column runs backwards.
        brightness: 0 (dim) to 15, the share of full light being (2 n + 1) / 32 as on a MAX7219.
        max_amps: what the supply gives; a picture that would take more is dimmed. None: no limit.
        colours: of `called`, `newest`, `waiting` (drawn, not called) and `text`, as CSS writes
            them; those left out stay.
        others: as of `SpiBoard`.

    Raises:
        BadOption: an option is out of range.
    """

    panel: Sequence[int] | None = None
    order: Order = "rows"
    serpentine: bool = True
    max_amps: float | None = None
    colours: Mapping[str, str] | None = None

    def _make_panel(self, shape: Geometry) -> Panel:
        width, height = shape.size
        if self.order not in ("rows", "columns"):
            raise BadOption(f"order {self.order!r} is not possible: use rows or columns")
        wide, high = self.panel or shape.size
        if wide <= 0 or high <= 0 or width % wide or height % high:
            raise BadOption(
                f"panels of {wide} × {high} lamps do not fill a board of {width} × {height}"
            )
        idle = width * height * IDLE_AMPS
        if self.max_amps is not None and self.max_amps <= idle:
            raise BadOption(
                f"max_amps {self.max_amps} is too low: {width * height} dark lamps take"
                f" {idle:.1f} A already"
            )
        palette = _palette(self.colours or {}, (2 * self.brightness + 1) / 32)
        places = wire_order(shape.size, (wide, high), self.order, self.serpentine)
        frame = 9 * places.size + 2 * len(LATCH)
        return SpiPanel(
            shape,
            SpiLink(self.bus, partial(WholeFrames, speed_hz=BUS_SPEED_HZ, longest=frame)),
            make_device=partial(_Lamps, places, palette, shape.size, self.max_amps),
            make_bus=partial(RecordingPixels, size=shape.size, places=places),
            frame_s=1.3 * 8 * frame / BUS_SPEED_HZ,
        )


def _palette(colours: Mapping[str, str], light: float) -> NDArray[np.uint8]:
    """Return red, green, blue of each ink: shape inks × 3."""
    names = {ink.name.lower(): ink for ink in COLOURS}
    palette = np.zeros((len(Ink), 3), np.uint8)
    for name, colour in (
        {ink.name.lower(): colour for ink, colour in COLOURS.items()} | dict(colours)
    ).items():
        if name not in names:
            raise BadOption(
                f"colours: {name!r} is not lit on the ten-cavity board: there are"
                f" {', '.join(names)}"
            )
        try:
            red_green_blue = ImageColor.getrgb(str(colour))[:3]
        except ValueError as error:
            raise BadOption(
                f"colours: {name} cannot be {colour!r}: write a colour as #ffd020, or its English"
                " name"
            ) from error
        palette[names[name]] = np.ceil(np.array(red_green_blue) * light)
    palette[Ink.CALLED_DIMMED] = np.ceil(palette[Ink.CALLED] * DIMMED_SHARE)
    return palette
