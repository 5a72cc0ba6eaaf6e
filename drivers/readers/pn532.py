"""Read tags with an NXP PN532 on its serial line (HSU, 115200 8N1): frames and the chip.

The frames are pure: bytes in; answers, tags, refusals out.

    00  00 FF  LEN LCS  TFI CODE DATA…  DCS  00      LEN + LCS = 0 and
                                                     TFI + CODE + DATA… + DCS = 0 (modulo 256)
    00  00 FF  00 FF  00                             acknowledged
    00  00 FF  FF 00  00                             say it again
    00  00 FF  01 FF  7F  81  00                     the chip did not understand the command

TFI is D4 from the host and D5 from the chip, whose CODE is the command's and one more (NXP,
UM0701-02, 6.2). The 00 before and behind a frame may come in any number. The longer frames of that
manual are not used here.

    >>> command(LIST, b"\\x01\\x00").hex(" ")
    '00 00 ff 04 fc d4 4a 01 00 e1 00'

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
from enum import Enum
from typing import Final, TypeAlias

from drivers import Event, Refusal
from drivers.readers.cable import PortLine
from drivers.readers.frames import Found, Tag
from drivers.readers.tray import Tray

HOST, CHIP, CHIP_ERROR = 0xD4, 0xD5, 0x7F
SAM, RF, LIST = 0x14, 0x32, 0x4A  # SAMConfiguration, RFConfiguration, InListPassiveTarget

START = b"\x00\xff"
ISO_14443_4 = 0x20  # in SEL_RES: the chip asks such a tag for its ATS, and lists it behind the UID
UIDS = (4, 7, 10)  # bytes that a UID may have (ISO/IEC 14443-3)


class ControlFrame(Enum):
    """Frames without content."""

    ACK = b"\x00\x00\xff\x00\xff\x00"
    NACK = b"\x00\x00\xff\xff\x00\x00"
    ERROR = b"\x00\x00\xff\x01\xff\x7f\x81\x00"


@dataclass(frozen=True, slots=True)
class Said:
    """A frame with content: the chip's answer to a command, or a command."""

    code: int
    data: bytes = b""
    sender: int = CHIP


Item: TypeAlias = ControlFrame | Said | Refusal


def command(code: int, data: bytes = b"", sender: int = HOST) -> bytes:
    """Return the frame of a command with up to 253 bytes; of an answer, if the chip sends it."""
    body = bytes([sender, code]) + data
    head = bytes([0x00, *START, len(body), -len(body) & 0xFF])
    return head + body + bytes([-sum(body) & 0xFF, 0x00])


class Frames:
    """A decoder of frames from a stream of bytes, however it is cut.

    A damaged frame is `Refusal.CHECK`, and what may be a frame inside it is read all the same: its
    length cannot be trusted. What stands between frames is passed over: on this line the chip
    speaks only when it is asked.
    """

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> list[Item]:
        """Return the frames and refusals that these bytes complete, in order."""
        self._bytes += data
        items: list[Item] = []
        while (size := self._whole()) is not None:
            items += self._take(size)
        return items

    def silence(self) -> list[Item]:
        """Note that the line was quiet: a begun frame will not end. Return what is inside it."""
        items: list[Item] = []
        while self._bytes[:2] == START:
            del self._bytes[:2]
            items += [Refusal.FORM, *self.feed(b"")]
        self._bytes.clear()
        return items

    def _whole(self) -> int | None:
        """Return the length of the frame at the beginning of the buffer, after dropping what came
        before; None while more bytes must come."""
        start = self._bytes.find(START)
        if start < 0:
            del self._bytes[: len(self._bytes) - (self._bytes[-1:] == START[:1])]
            return None
        del self._bytes[:start]
        if len(self._bytes) < 4:
            return None
        length, check = self._bytes[2:4]
        # An acknowledgement, a request to repeat, or a wrong header needs only these four bytes.
        size = 5 + length if length and not (length + check) & 0xFF else 4
        return size if len(self._bytes) >= size else None

    def _take(self, size: int) -> list[Item]:
        frame = bytes(self._bytes[:size])
        item = _meant(frame)
        del self._bytes[: 2 if isinstance(item, Refusal) else size]
        return [item]


def _meant(frame: bytes) -> Item:
    header, body = frame[2:4], frame[4:]
    if not body:
        return {b"\x00\xff": ControlFrame.ACK, b"\xff\x00": ControlFrame.NACK}.get(
            header, Refusal.CHECK
        )
    if sum(body) & 0xFF:
        return Refusal.CHECK
    if body == bytes([CHIP_ERROR, 0x81]):
        return ControlFrame.ERROR
    return Said(body[1], body[2:-1], body[0]) if len(body) > 2 else Refusal.FORM


def tags(data: bytes) -> list[Found]:
    """Return the tags in an answer to `LIST` (type A, 106 kbit/s); one refusal if it is unreadable.

    For each: its number in the list, SENS_RES (two bytes), SEL_RES, the UID's length, the UID, and
    where SEL_RES says so the ATS, whose first byte is its own length (UM0701-02, 7.3.5).
    """
    if not data:
        return [Refusal.FORM]
    count, rest = data[0], data[1:]
    found: list[Found] = []
    for number in range(1, count + 1):
        if len(rest) < 5 or rest[0] != number or rest[4] not in UIDS or len(rest) < 5 + rest[4]:
            return [Refusal.FORM]
        uid, ats = rest[5 : 5 + rest[4]], rest[5 + rest[4] :]
        size = ats[0] if rest[3] & ISO_14443_4 and ats else 0
        if size > len(ats) or (rest[3] & ISO_14443_4 and size == 0):
            return [Refusal.FORM]
        found.append(Tag(int.from_bytes(uid, "big")) if any(uid) else Refusal.ZERO)
        rest = ats[size:]
    return [Refusal.FORM] if rest else found


# -- the chip: wake it, then ask which tags lie on it ----------------------------------------------

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
        found = tags(self._ask(LIST, MAX_TWO_TYPE_A))
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
            self.line.write(wake + command(code, data))
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
