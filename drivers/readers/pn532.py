"""Talk with a PN532 over its serial line (HSU, 115200 8N1): wake it, then ask which tags lie on it.

    PN532 module, its switches on HSU             Raspberry Pi, 40-pin header (BCM number / pin)
        VCC ───────────────────────────────────── 3V3 / pin 1
        GND ───────────────────────────────────── GND / pin 6
        TXD ───────────────────────────────────── GPIO 15, RXD / pin 10
        RXD ───────────────────────────────────── GPIO 14, TXD / pin 8
    or to a USB serial adapter of 3.3 V, and its name under /dev/serial/by-id/ as the port.

It is chosen as a family of the driver "rfid": `Reader(port=…, family="pn532")`. Each question asks
for up to two tags, so that two knobs at once are seen as two. Between two questions the field is
switched off: a tag that has answered once would be silent to the next question.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from drivers import Event, Refusal
from drivers.readers import pn532_frames as pn532
from drivers.readers.cable import PortLine
from drivers.readers.frames import Tag
from drivers.readers.pn532_frames import HOST, LIST, RF, SAM, ControlFrame, Frames, Item, Said
from drivers.readers.tray import Tray

log = logging.getLogger(__name__)

BAUD: Final = 115200
REST_S = 0.1
TRIES = 3
MOST_BYTES = 1024  # unanswered; the longest answer has 262
WAKE = b"\x55\x55" + bytes(12)
NORMAL_MODE = b"\x01"
MAX_TWO_TYPE_A = b"\x02\x00"
FIELD_OFF = b"\x01\x00"
# How often it looks for a tag before it says that there is none: by default for ever. The first two
# are the chip's own defaults.
FEW_RETRIES = b"\x05\xff\x01\x02"


class NoAnswer(OSError):
    """The chip did not answer as it must."""


@dataclass(eq=False)
class Chip(PortLine):
    """A PN532 at an open serial line, whose reads wait a moment at most.

    Args:
        tray: judges what lies there.
    """

    tray: Tray

    rest_s = REST_S

    def __post_init__(self) -> None:
        self._frames = Frames()
        self._came: deque[Item] = deque()
        self._awake = False
        self._cancelled = False

    def look(self) -> Sequence[Event]:
        """Return the events of what lies on the reader now.

        Raises:
            NoAnswer: it did not answer, asked several times.
        """
        if not self._awake:
            self._ask(SAM, NORMAL_MODE, WAKE)
            self._ask(RF, FEW_RETRIES)
            self._awake = True
        found = pn532.tags(self._ask(LIST, MAX_TWO_TYPE_A))
        self._ask(RF, FIELD_OFF)
        at = self.clock()
        lying = [one.number for one in found if isinstance(one, Tag)]
        refused = [one for one in found if isinstance(one, Refusal)]
        return self.tray.judge(refused[0], at) if refused else self.tray.look(lying, at)

    def cancel(self) -> None:
        """Make a look that waits raise `NoAnswer` now."""
        self._cancelled = True
        super().cancel()

    def _ask(self, code: int, data: bytes, wake: bytes = b"") -> bytes:
        """Send a command; return the data of the answer."""
        for _ in range(TRIES):
            self.line.reset_input_buffer()  # what is left there answers none of our commands
            self._frames, self._came = Frames(), deque()
            self.line.write(wake + pn532.command(code, data))
            if self._next(waits=1) is ControlFrame.ACK:
                answer = self._answer(code)
                if answer is not None:
                    return answer
        raise NoAnswer(f"the chip does not answer the command {HOST:02X} {code:02X}")

    def _answer(self, code: int) -> bytes | None:
        for _ in range(TRIES):
            item = self._next(waits=5)
            if isinstance(item, Said) and item == Said(code + 1, item.data):
                return item.data
            log.debug("the chip answered %02X with %s", code, item)
            if not isinstance(item, Refusal):
                return None
            self.line.write(ControlFrame.NACK.value)  # damaged on the way: ask for it again
            self._came.clear()
        return None

    def _next(self, waits: int) -> Item | None:
        """Return the next frame; None if the line was quiet for `waits` reads, or sent none."""
        heard = 0
        while not self._came:
            data = self._read()
            if self._cancelled:
                raise NoAnswer("the reader is being closed")
            self._came.extend(self._frames.feed(data) if data else self._frames.silence())
            heard += len(data)
            waits -= not data
            if not self._came and (waits <= 0 or heard > MOST_BYTES):
                return None
        return self._came.popleft()
