"""Lines of text that carry their own check, from a box or a tower: bytes in, lines out. Pure.

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
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable
from typing import Generic, TypeVar
from zlib import crc32

from drivers import Refusal

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
