"""Share what the boards on an SPI bus have in common, and draw their lamps for people.

Boards share options, how a panel speaks through luma, and a link that outlives the bus. The drawing
has round LEDs on black, and the bars of the board's plate before them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from luma.core.error import Error as LumaError
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from drivers import BadOption, Clock, DeviceMissing
from drivers.board.board import Panel, TenCavities
from drivers.board.geometry import Geometry, find_geometry
from drivers.given import missing_library
from drivers.sleeper import MakeTurns, Sleeper

DARK = (34, 20, 19)
WOOD = (150, 110, 60)
PITCH = 12  # pixels of the picture from lamp to lamp
_SHARP = 4  # drawn larger, then reduced: smooth edges
_EXPOSURE = 1 / 2.2  # an eye sees dim lamps brighter than their share of full light


def photograph(lamps: Image.Image, geometry: Geometry, *, bare: bool = False) -> Image.Image:
    """Draw lamps ("RGB", a pixel each) as round LEDs; dark ones faintly.

    The brightest lamp is bright in the picture, however dim the board is: a camera does the same.
    The plate's bars are before them where the shape has any; a `bare` board has no plate.
    """
    colours = np.asarray(lamps)
    brightest = max(1, int(colours.max()))
    found, which = np.unique(colours.reshape(-1, 3), axis=0, return_inverse=True)
    shown = np.array(
        [seen((red, green, blue), brightest) for red, green, blue in found.tolist()], np.uint8
    )
    lit = shown[which.ravel()].reshape(colours.shape).repeat(PITCH, axis=0).repeat(PITCH, axis=1)
    dots = np.tile(_dot(), (lamps.height, lamps.width))[:, :, None] * lit
    image = Image.fromarray(
        np.pad(dots.astype(np.uint8), [(PITCH // 2, PITCH // 2)] * 2 + [(0, 0)])
    )
    draw = ImageDraw.Draw(image)
    for column in () if bare else geometry.bars:
        left = column * PITCH + PITCH // 2
        draw.rectangle([(left, 0), (left + PITCH - 1, image.height)], fill=WOOD)
    return image


def _dot() -> NDArray[np.float64]:
    """Return how much of each pixel of a lamp's square is lit: 0 to 1."""
    sharp = Image.new("L", (PITCH * _SHARP, PITCH * _SHARP))
    middle = (sharp.width - 1) / 2
    ImageDraw.Draw(sharp).circle((middle, middle), 0.42 * sharp.width, fill=255)
    return np.asarray(sharp.reduce(_SHARP)) / 255


def seen(colour: tuple[int, int, int], brightest: int) -> tuple[int, int, int]:
    """Return a lamp's colour as seen: its hue, brighter than its share of the brightest light."""
    light = max(colour)
    if not light:
        return DARK
    shown = 255 * (light / brightest) ** _EXPOSURE / light
    red, green, blue = colour
    return round(shown * red), round(shown * green), round(shown * blue)


# -- boards on an SPI bus --------------------------------------------------------------------------

BUS_ERRORS: tuple[type[Exception], ...] = (OSError, LumaError)
MOST_BRIGHTNESS = 15

BUFFER = Path("/sys/module/spidev/parameters/bufsiz")


@dataclass(kw_only=True, eq=False)
class SpiBoard(TenCavities):
    """Ten cavities on an SPI bus. A subclass makes the panel of its chips (`_make_panel`).

    Args:
        bus: `spi:PORT.DEVICE`, or an object with luma's serial interface (`command`, `data`,
            `cleanup`).
        geometry: `80x16`, `160x16` or `two-rows` (80 × 32).
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

    bus: Any = "spi:0.0"
    geometry: str = "80x16"
    brightness: int = 4
    refresh_s: float = 1.0
    font: str = ""
    text_fps: float = 25.0
    clock: Clock = time.monotonic
    sleeper: MakeTurns = Sleeper

    def __post_init__(self) -> None:
        if not 0 <= self.brightness <= MOST_BRIGHTNESS:
            raise BadOption(
                f"brightness {self.brightness} is not possible: use 0 (dim) to {MOST_BRIGHTNESS}"
            )
        shape = find_geometry(self.geometry)
        super().__init__(
            self._make_panel(shape),
            shape,
            refresh_s=self.refresh_s,
            font=self.font,
            text_fps=self.text_fps,
            clock=self.clock,
            sleeper=self.sleeper,
        )

    def _make_panel(self, shape: Geometry) -> Panel:
        raise NotImplementedError


@dataclass(eq=False)
class SpiPanel:
    """A `Panel` of chips that luma has a device for, or we: `light` and `configure` are ours in it.

    Args:
        make_device: makes the device on a link, or on a bus.
        make_bus: makes a simulated bus, for photographs.
        frame_s: as of `Panel`.
    """

    geometry: Geometry
    link: SpiLink
    make_device: Callable[[Any], Any]
    make_bus: Callable[[], Any]
    frame_s: float

    foreseen = BUS_ERRORS
    dims = True
    _device: Any = None
    _posing: Any = None  # a simulated bus and a device on it

    def connect(self) -> None:
        """Open the bus, if it is not open."""
        if self._device is None:
            # what luma writes while it is made is discarded
            self._device = self.make_device(self.link)
        self.link.connect()

    def configure(self) -> None:
        """Send the chips everything but the picture."""
        self._device.configure()

    def display(self, picture: Image.Image) -> None:
        """Send a picture of `Ink`s."""
        self._device.light(picture)

    def let_go(self) -> None:
        """Close the bus, so that `connect` opens it anew."""
        self.link.let_go()

    def blank(self) -> None:
        """Leave the board dark and close the bus."""
        try:
            self._device.cleanup()
        finally:
            self.link.cleanup()

    def photograph(self, picture: Image.Image, *, bare: bool = False) -> Image.Image:
        """Return what a person would see: the bytes for the bus, decoded; `bare` without plate."""
        if self._posing is None:
            bus = self.make_bus()
            self._posing = bus, self.make_device(bus)
            self._posing[1].configure()
        bus, device = self._posing
        device.light(picture)
        return photograph(bus.lamps(), self.geometry, bare=bare)


class SpiLink:
    """A link that luma writes to: the bus, or nothing while there is none.

    luma keeps each device it makes until the program ends, so there is one for the driver's life,
    whatever happens to the bus.
    """

    def __init__(self, bus: Any, open_bus: Callable[[int, int], Any]) -> None:
        """Take `spi:PORT.DEVICE`, which `open_bus` opens, or an object that is a bus for good.

        Raises:
            BadOption: it is neither.
        """
        self._address = _port_and_device(bus) if isinstance(bus, str) else None
        self._given = bus
        self._open_bus = open_bus
        self._bus: Any = None

    def connect(self) -> None:
        """Open the bus, if it is not open.

        Raises:
            DeviceMissing: it is not there.
        """
        if self._bus is None:
            self._bus = (
                self._given if self._address is None else _opened(self._open_bus, *self._address)
            )

    def command(self, *command: int) -> None:
        """Send commands, as luma's serial interfaces do."""
        if self._bus is not None:
            self._bus.command(*command)

    def data(self, data: Sequence[int] | bytes) -> None:
        """Send data, as luma's serial interfaces do."""
        if self._bus is not None:
            self._bus.data(data)

    def let_go(self) -> None:
        """Close a bus that can be opened anew."""
        if self._address is not None:
            self.cleanup()

    def cleanup(self) -> None:
        """Close the bus."""
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.cleanup()


def open_in_words(port: int, device: int, speed_hz: int) -> Any:
    """Open luma's own interface, for chips that take a few bytes at a time."""
    from luma.core.interface.serial import noop, spi

    return spi(
        port=port, device=device, bus_speed_hz=speed_hz, gpio=noop(), gpio_DC=None, gpio_RST=None
    )


class WholeFrames:
    """A bus that sends each frame in one piece: the lamps would take a pause for the frame's end.

    Args:
        spi: of the library spidev, not open yet.
        longest: bytes of a frame.
        buffer: where the kernel says how much it takes in one piece.

    Raises:
        DeviceMissing: the kernel's buffer is too small.
    """

    def __init__(
        self,
        port: int,
        device: int,
        speed_hz: int,
        longest: int,
        spi: Any = None,
        buffer: Path = BUFFER,
    ) -> None:
        size = int(buffer.read_text()) if buffer.exists() else longest
        if size < longest:
            raise DeviceMissing(
                f"the SPI buffer takes {size} bytes and a picture of the ten-cavity board has"
                f" {longest}: add spidev.bufsiz=32768 to the one line of /boot/firmware/cmdline.txt"
                " and start the Pi again"
            )
        if spi is None:
            spi = import_module("spidev").SpiDev()
        spi.open(port, device)
        spi.max_speed_hz = speed_hz
        spi.mode = 0
        self._spi = spi

    def command(self, *command: int) -> None:
        """Send a command as data: this bus has no commands."""
        self.data(bytes(command))

    def data(self, data: Sequence[int] | bytes) -> None:
        """Send bytes in one piece."""
        self._spi.writebytes2(bytes(data))

    def cleanup(self) -> None:
        """Close the bus."""
        self._spi.close()


def _opened(open_bus: Callable[[int, int], Any], port: int, device: int) -> Any:
    try:
        return open_bus(port, device)
    except ImportError as error:
        raise DeviceMissing(missing_library("the ten-cavity board", "spidev")) from error
    except DeviceMissing:
        raise
    except BUS_ERRORS as error:
        raise DeviceMissing(
            f"the ten-cavity board's bus /dev/spidev{port}.{device} cannot be opened ({error}): "
            "turn SPI on (raspi-config) and put the user into the group spi"
        ) from error


def _port_and_device(bus: str) -> tuple[int, int]:
    found = re.fullmatch(r"spi:(\d+)\.(\d+)", bus)
    if found is None:
        raise BadOption(
            f"the ten-cavity board's bus {bus!r} cannot be read: write spi:PORT.DEVICE, for example"
            " spi:0.0"
        )
    return int(found[1]), int(found[2])
