"""Frames of the NXP PN532 on its serial line (HSU): bytes in; answers, tags, refusals out. Pure.

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
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from drivers import Refusal
from drivers.readers.frames import Found, Tag

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
