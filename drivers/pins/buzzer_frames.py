"""Frames of a buzzer box: bytes in, what the box says out. Pure.

    !  C C  T T T T T T T T  L L L L L L  K K K K K K K K  0A            26 bytes, 115200 8N1

A checked line (`drivers.readers.checked`) of hex digits, capitals, the highest first: the frame's
count (8 bits, one more each frame), the microseconds of the box's own clock (32 bits, from any
start, over and over), the 24 lines (line 1 is the lowest bit; 1 while it is held down), and the
check of the sixteen digits before it. There is one kind of frame: the box sends one whenever a line
changes, and one at least every 100 ms, and each says all there is to say; so a frame that is lost
costs its moment, and nothing else.

    >>> frame = encode(BoxState(count=7, micros=1_000_000, lines=0b101))
    >>> frame
    b'!07000F4240000005FCAB8E47\\n'
    >>> decoder = BoxDecoder()
    >>> decoder.feed(frame[:9])                    # the first part of a frame
    []
    >>> decoder.feed(frame[9:])                    # and the second
    [BoxState(count=7, micros=1000000, lines=5)]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from drivers import BadOption, Refusal
from drivers.readers.checked import CheckedLines, checked

BAUD = 115_200
LINES = 24
COUNTS = 1 << 8
MICROS = 1 << 32
LONGEST = 27  # bytes of a frame, with `0D`
_SAID = re.compile(rb"([0-9A-F]{2})([0-9A-F]{8})([0-9A-F]{6})")


@dataclass(frozen=True, slots=True)
class BoxState:
    """The content of one frame.

    Attributes:
        count: of the frame, from 0 to 255 and again.
        micros: of the box's own clock, from 0 to 2³² - 1 and again: when the lines became what they
            are, or were found unchanged.
        lines: which are held down; line 1 is the lowest bit.
    """

    count: int
    micros: int
    lines: int


Found: TypeAlias = BoxState | Refusal


def encode(state: BoxState) -> bytes:
    """Return the frame with this content.

    Raises:
        BadOption: a count of more than 8 bits, microseconds of more than 32, lines of more than 24.
    """
    if not (
        0 <= state.count < COUNTS and 0 <= state.micros < MICROS and 0 <= state.lines < 1 << LINES
    ):
        raise BadOption(
            f"{state} cannot be sent: 8 bits of count, 32 of microseconds, {LINES} of lines"
        )
    digits = f"{state.count:02X}{state.micros:08X}{state.lines:06X}"
    return checked(digits.encode("ascii"))


def _read(said: bytes) -> Found:
    shape = _SAID.fullmatch(said)
    return BoxState(*(int(digits, 16) for digits in shape.groups())) if shape else Refusal.FORM


class BoxDecoder(CheckedLines[BoxState]):
    """A decoder of frames from a stream of bytes, however it is cut."""

    def __init__(self) -> None:
        super().__init__(_read, LONGEST)
