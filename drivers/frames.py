"""Serial frames of 125 kHz readers: bytes in, tags and refusals out. Pure.

    RDM6300, RDM630, Grove     02  V V  N N N N N N N N  C C  03           14 bytes, 9600 8N1
    ID-2LA, ID-12LA, ID-20LA   02  V V  N N N N N N N N  C C  0D 0A  03    16 bytes, 9600 8N1

V, N and C are ASCII hex digits, capitals: version byte, four number bytes, and the XOR of these five (the makers' data sheets).

    >>> decoder = Decoder(FAMILIES["rdm6300"])
    >>> decoder.feed(bytes.fromhex("02 30 31 30 30 36 33 45"))             # the first half of a frame
    []
    >>> decoder.feed(bytes.fromhex("39 41 45 32 35 03"))                   # and the second
    [Tag(number=6547886, version=1)]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import TypeAlias

from drivers import BadOption, Refusal

STX = 0x02
ETX = 0x03


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag as a reader sends it.

    Attributes:
        number: the last four bytes as a 32-bit number: the tag's identity, the same on every 125 kHz reader.
        version: the byte before; keyboard readers do not send it, so it identifies nothing.
    """

    number: int
    version: int = 0

    @property
    def printed(self) -> str:
        """The ten decimal digits that are printed on most tags."""
        return f"{self.number:010d}"


Found: TypeAlias = Tag | Refusal


@dataclass(frozen=True, slots=True)
class Family:
    """Readers that send the same frames.

    Attributes:
        baud: bits a second; all families send 8N1.
        tail: what stands between the check digits and the last byte.
    """

    baud: int
    tail: bytes = b""

    @property
    def length(self) -> int:
        """Bytes in a frame."""
        return 14 + len(self.tail)

    def decode(self, frame: bytes) -> Found:
        """What a whole frame of `length` bytes says."""
        shape = re.fullmatch(rb"\x02([0-9A-F]{12})" + re.escape(self.tail) + rb"\x03", frame)
        if shape is None:
            return Refusal.FORM
        version, *number, check = bytes.fromhex(shape[1].decode("ascii"))
        if reduce(xor, number, version) != check:
            return Refusal.CHECK
        if not version and not any(number):
            return Refusal.ZERO
        return Tag(int.from_bytes(number, "big"), version)

    def encode(self, tag: Tag) -> bytes:
        """The frame of a tag.

        Raises:
            BadOption: a number of more than 32 bits, or a version of more than 8.
        """
        if not (0 <= tag.number < 1 << 32 and 0 <= tag.version < 1 << 8):
            raise BadOption(f"{tag} cannot be sent: a tag has a number of 32 bits and a version of 8")
        body = bytes([tag.version]) + tag.number.to_bytes(4, "big")
        digits = (body + bytes([reduce(xor, body)])).hex().upper().encode("ascii")
        return bytes([STX]) + digits + self.tail + bytes([ETX])


FAMILIES: dict[str, Family] = {
    "rdm6300": Family(baud=9600),
    "id12la": Family(baud=9600, tail=b"\r\n"),
}


def family_named(name: str) -> Family:
    """The family of that name.

    Raises:
        BadOption: there is none.
    """
    try:
        return FAMILIES[name]
    except KeyError:
        raise BadOption(f"no reader family is called {name!r}: there are {', '.join(sorted(FAMILIES))}") from None


def encode(tag: int, family: str = "rdm6300", version: int = 1) -> bytes:
    """The frame that a reader of the family sends for a tag's 32-bit number.

    >>> encode(6547886).hex(" ")
    '02 30 31 30 30 36 33 45 39 41 45 32 35 03'

    Raises:
        BadOption: no such family, or a number that no tag has.
    """
    return family_named(family).encode(Tag(tag, version))


class Decoder:
    """Frames out of a stream of bytes, however it is cut.

    02 stands nowhere but at the start of a frame, so it always begins one: what came before unfinished is refused once, and the
    next whole frame is read.
    """

    def __init__(self, family: Family) -> None:
        self._family = family
        self._frame = bytearray()
        self._astray = False

    def feed(self, data: bytes) -> list[Found]:
        """What these bytes complete, in order."""
        found: list[Found] = []
        for byte in data:
            if byte == STX:
                found += self.silence()
                self._frame.append(byte)
            elif self._frame:
                self._frame.append(byte)
                if len(self._frame) == self._family.length:
                    found.append(self._family.decode(bytes(self._frame)))
                    self._astray = found[-1] is Refusal.FORM  # what follows belongs to the same damage
                    self._frame.clear()
            elif not self._astray:
                self._astray = True
                found.append(Refusal.FORM)
        return found

    def silence(self) -> list[Found]:
        """The line has been quiet: a frame that has begun will not end."""
        torn = bool(self._frame)
        self._frame.clear()
        self._astray = False
        return [Refusal.FORM] if torn else []
