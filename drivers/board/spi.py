"""Open the SPI buses that light the ten-cavity board, by their names in the settings, and keep a
link that outlives them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from luma.core.error import Error as LumaError

from drivers import BadOption, DeviceMissing

BUS_ERRORS: tuple[type[Exception], ...] = (OSError, LumaError)

BUFFER = Path("/sys/module/spidev/parameters/bufsiz")


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
        raise DeviceMissing(
            "the ten-cavity board needs the library spidev: apt install python3-spidev"
        ) from error
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
