"""Decode lines that carry their own check, and frames of 125 kHz readers. Pure.

A box or a tower sends lines that carry their own check:

    !  what is said  K K K K K K K K  0A

All of it is ASCII. K is the CRC-32 (that of Ethernet and of zlib) of what is said, as it stands
there, in hex digits, capitals, the highest first. `0D` may stand before `0A`. The first byte and
the last stand nowhere but there; so whatever came before, the next whole line is read.

    >>> checked(b"07")
    b'!0726228103\\n'
    >>> reader = CheckedLines(lambda said: said, longest=12)
    >>> reader.feed(b"!072622")                    # the first part of a line
    []
    >>> reader.feed(b"8103\\n!0726228104\\n")         # the second; and one that was damaged
    [b'07', <Refusal.CHECK: 'check'>]

A reader sends frames:

    RDM6300, RDM630, Grove     02  V V  N N N N N N N N  C C  03           14 bytes, 9600 8N1
    ID-2LA, ID-12LA, ID-20LA   02  V V  N N N N N N N N  C C  0D 0A  03    16 bytes, 9600 8N1
    Parallax 28140, 28340      0A  V V  N N N N N N N N  0D                12 bytes, 2400 8N1

V, N and C are ASCII hex digits, capitals: version byte, four number bytes, and the XOR of these
five (the makers' data sheets). Parallax sends no check: there a tag is one only when two frames,
one after the other, are the same.

    >>> decoder = FrameDecoder(FAMILIES["rdm6300"])
    >>> decoder.feed(bytes.fromhex("02 30 31 30 30 36 33 45"))     # the first half of a frame
    []
    >>> decoder.feed(bytes.fromhex("39 41 45 32 35 03"))                   # and the second
    [Tag(number=6547886, version=1)]
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import xor
from typing import Generic, TypeAlias, TypeVar
from zlib import crc32

from drivers import BadOption, Refusal

log = logging.getLogger(__name__)

TOLD_S = 60.0  # lines that were lost or damaged stand in the log once in so long
START, END = b"!", b"\n"
_CHECKED = re.compile(rb"(.*)([0-9A-F]{8})", re.DOTALL)

T = TypeVar("T")


def checked(said: bytes) -> bytes:
    """Return the line that says this."""
    return START + said + b"%08X" % crc32(said) + END


class CheckedLines(Generic[T]):
    """A reader of such lines from a stream of bytes, however it is cut.

    Args:
        read: returns the content of what is said, or a refusal for what has not its form.
        longest: how many bytes a line has at most, with `0D`.
    """

    def __init__(self, read: Callable[[bytes], T | Refusal], longest: int) -> None:
        self._read = read
        self._longest = longest
        self._rest = b""

    def feed(self, data: bytes) -> list[T | Refusal]:
        """Return the lines that these bytes complete, in order; a refusal for any other line."""
        *ended, rest = (self._rest + data).split(END)
        # a longer one is no line, whatever follows; it is longer still with one byte more
        self._rest = rest[-self._longest :]
        found: list[T | Refusal] = []
        for line in ended:
            before, start, body = line.rpartition(START)
            if before or not start:
                found.append(Refusal.FORM)
            if start:
                found.append(self._said(body.removesuffix(b"\r")))
        return found

    def _said(self, body: bytes) -> T | Refusal:
        shape = _CHECKED.fullmatch(body)
        if shape is None:
            return Refusal.FORM
        content = self._read(shape[1])
        if not isinstance(content, Refusal) and crc32(shape[1]) != int(shape[2], 16):
            return Refusal.CHECK
        return content


class Losses:
    """A log of lost and damaged frames: the first at once, then all of a minute together."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._due = -math.inf
        self._told = (0, 0)

    def look(self, lost: int, damaged: int, now: float) -> None:
        """Take the counts of lost and damaged frames since the start."""
        if (lost, damaged) != self._told and now >= self._due:
            more = self._device, lost - self._told[0], damaged - self._told[1]
            advice = "check its cable, and keep it from mains wires"
            log.warning("the %s: %d frames lost, %d damaged: %s", *more, advice)
            self._due, self._told = now + TOLD_S, (lost, damaged)


# -- frames of 125 kHz readers ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag as a reader sends it.

    Attributes:
        number: the last four bytes as a 32-bit number: the tag's identity, the same on every 125
            kHz reader. Of a 13.56 MHz tag its whole UID, first byte first.
        version: the byte before; keyboard readers do not send it, so it identifies nothing.
    """

    number: int
    version: int = 0


Found: TypeAlias = Tag | Refusal


class Habit(StrEnum):
    """What a reader sends while a tag rests on it, and so what its silence means."""

    REPEATS = "repeats"  # sends it again and again: silence means that it has left
    # sends it when it comes: silence proves nothing, but the same tag again has been away
    ENTRY = "entry"
    # may send a resting tag again at any time: only another tag proves that it has left
    ONCE = "once"
    # as "entry", until a tag that rests is heard again and again; then as "repeats"
    LEARN = "learn"


@dataclass(frozen=True, slots=True)
class Family:
    """Readers that send the same frames.

    Attributes:
        baud: bits a second; all families send 8N1.
        habit: what they do while a tag rests.
        start: the byte that begins a frame, and stands nowhere else in it.
        tail: the bytes after the digits.
        checked: whether check digits follow the number; where none do, two equal frames are a tag.
    """

    baud: int
    habit: Habit
    start: int = 0x02
    tail: bytes = b"\x03"
    checked: bool = True

    @property
    def digits(self) -> int:
        """Return the number of hex digits in a frame."""
        return 12 if self.checked else 10

    @property
    def length(self) -> int:
        """Return the number of bytes in a frame."""
        return 1 + self.digits + len(self.tail)

    def decode(self, frame: bytes) -> Found:
        """Return the content of a whole frame of `length` bytes."""
        shape = re.fullmatch(
            b"%c([0-9A-F]{%d})%b" % (self.start, self.digits, re.escape(self.tail)), frame
        )
        if shape is None:
            return Refusal.FORM
        version, *number = bytes.fromhex(shape[1].decode("ascii"))
        # the last of these is the check of the others
        if self.checked and reduce(xor, number, version):
            return Refusal.CHECK
        if not version and not any(number[:4]):
            return Refusal.ZERO
        return Tag(int.from_bytes(number[:4], "big"), version)

    def encode(self, tag: Tag) -> bytes:
        """Return the frame of a tag.

        Raises:
            BadOption: the number has more than 32 bits, or the version more than 8.
        """
        if not (0 <= tag.number < 1 << 32 and 0 <= tag.version < 1 << 8):
            raise BadOption(
                f"{tag} cannot be sent: a tag has a number of 32 bits and a version of 8"
            )
        body = bytes([tag.version]) + tag.number.to_bytes(4, "big")
        check = bytes([reduce(xor, body)]) if self.checked else b""
        return bytes([self.start]) + (body + check).hex().upper().encode("ascii") + self.tail


# RDM6300 exists in two firmwares, one that repeats every 50 ms and one that sends once to five
# times.
_RDM = Family(baud=9600, habit=Habit.LEARN)
_ID = Family(baud=9600, habit=Habit.ENTRY, tail=b"\r\n\x03")
_PARALLAX = Family(baud=2400, habit=Habit.REPEATS, start=0x0A, tail=b"\r", checked=False)
FAMILIES = {"rdm6300": _RDM, "grove": _RDM, "id2la": _ID, "id12la": _ID, "id20la": _ID}
FAMILIES["parallax"] = _PARALLAX


def family_named(name: str) -> Family:
    """Return the family of that name.

    Raises:
        BadOption: there is none.
    """
    if name not in FAMILIES:
        known = ", ".join(sorted(FAMILIES))
        raise BadOption(f"no reader family is called {name!r}: there are {known}")
    return FAMILIES[name]


def encode(tag: int, family: str = "rdm6300", version: int = 1) -> bytes:
    """Return the frame that a reader of the family sends for a tag's 32-bit number.

    >>> encode(6547886).hex(" ")
    '02 30 31 30 30 36 33 45 39 41 45 32 35 03'

    Raises:
        BadOption: there is no such family, or no tag has that number.
    """
    return family_named(family).encode(Tag(tag, version))


class FrameDecoder:
    """A decoder of frames from a stream of bytes, however it is cut.

    The first byte of a frame stands nowhere but there, so it always begins one: what came before
    unfinished is refused once, and the next whole frame is read.
    """

    def __init__(self, family: Family) -> None:
        self._family = family
        self._frame = bytearray()
        self._astray = False
        self._doubt = _Doubt()

    def feed(self, data: bytes) -> list[Found]:
        """Return the tags and refusals that these bytes complete, in order."""
        found: list[Found] = []
        for byte in data:
            if byte == self._family.start:
                found += self._torn()
                self._frame.append(byte)
            elif self._frame:
                self._frame.append(byte)
                if len(self._frame) == self._family.length:
                    found += self._whole(self._family.decode(bytes(self._frame)))
                    self._frame.clear()
            elif not self._astray:
                self._astray = True
                found.append(Refusal.FORM)
        return found

    def silence(self) -> list[Found]:
        """Note that the line was quiet: a frame that has begun will not end. Return its refusal."""
        self._doubt.silence()
        return self._torn()

    def _torn(self) -> list[Found]:
        torn = bool(self._frame)
        self._frame.clear()
        self._astray = False
        return [Refusal.FORM] if torn else []

    def _whole(self, found: Found) -> list[Found]:
        self._astray = found is Refusal.FORM  # what follows belongs to the same damage
        if self._family.checked or not isinstance(found, Tag):
            return [found]
        return self._doubt.read(found)


class _Doubt:
    """A check for frames without a checksum: one is believed if the frame before was the same."""

    def __init__(self) -> None:
        self._last: Tag | None = None
        self._believed = True
        self._passed = False  # the line has been quiet since: the tag was only passing

    def silence(self) -> None:
        self._passed = True

    def read(self, tag: Tag) -> list[Found]:
        same = tag == self._last
        # Two different frames, one right after the other: damaged, or two tags in turn.
        refused: list[Found] = [] if same or self._believed or self._passed else [Refusal.CHECK]
        self._last, self._believed, self._passed = tag, same, False
        return [tag] if same else refused
