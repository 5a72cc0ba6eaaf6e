"""Frames of a dice tower: bytes in, what the tower says out. Pure.

    !  S S S S  C C  W  F…  K K K K K K K K  0A             17 to 25 bytes, 115200 8N1

A checked line (`drivers.readers.checked`). S are four hex digits, another number each time the
tower starts; C two, the count of its throws, one more each throw and 00 after FF, capitals both; W
is what came of the last throw, and F the faces that lie on top, a character each, at most eight:

    N  nothing was thrown since the start
    D  dice lie still: 1 to 6, the spots of each
    M  cubes lie still that are marked on one face: 1 to 6, B (bell) or H (hammer), 0 for a blank
    C  one lies askew           F  one has fallen off            T  they were touched while they lay

The tower says so after each throw, and again at least every half second; and at once when it is
asked: `?` and `0A`. So a frame that is lost is asked for, and one that comes again is no new throw.

    >>> frame = encode(TowerState(start=0x1C0F, count=2, what=Lies.DICE, faces="36"))
    >>> frame
    b'!1C0F02D36BE72140B\\n'
    >>> TowerDecoder().feed(frame)
    [TowerState(start=7183, count=2, what=<Lies.DICE: 'D'>, faces='36')]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from drivers import BadOption, Refusal
from drivers.readers.checked import CheckedLines, checked

BAUD = 115_200
STARTS = 1 << 16
COUNTS = 1 << 8
MOST = 8  # dice or cubes
ASK = b"?\n"
LONGEST = 26  # bytes of a frame, with `0D`
_SAID = re.compile(rb"([0-9A-F]{4})([0-9A-F]{2})([NCFT]|D[1-6]{1,8}|M[0-6BH]{1,8})")


class Lies(StrEnum):
    """What came of a throw."""

    NOTHING = "N"
    DICE = "D"
    CUBES = "M"
    ASKEW = "C"
    FALLEN = "F"
    TOUCHED = "T"


@dataclass(frozen=True, slots=True)
class TowerState:
    """The content of one frame.

    Attributes:
        start: another number, from 0 to 65535, each time the tower starts.
        count: of its throws, from 0 to 255 and again.
        what: what came of the last one.
        faces: those on top, a character each, where dice or cubes lie still.
    """

    start: int
    count: int
    what: Lies
    faces: str = ""


Found: TypeAlias = TowerState | Refusal


def encode(state: TowerState) -> bytes:
    """Return the frame with this content.

    Raises:
        BadOption: a start of more than 16 bits, a count of more than 8, or faces that no such dice
            or cubes have.
    """
    if 0 <= state.start < STARTS and 0 <= state.count < COUNTS:
        said = f"{state.start:04X}{state.count:02X}{state.what}{state.faces}".encode()
        if _SAID.fullmatch(said):
            return checked(said)
    raise BadOption(f"{state} cannot be sent: no tower is like that")


def _read(said: bytes) -> Found:
    shape = _SAID.fullmatch(said)
    if shape is None:
        return Refusal.FORM
    lies = shape[3].decode("ascii")
    return TowerState(int(shape[1], 16), int(shape[2], 16), Lies(lies[0]), lies[1:])


class TowerDecoder(CheckedLines[TowerState]):
    """A decoder of frames from a stream of bytes, however it is cut."""

    def __init__(self) -> None:
        super().__init__(_read, LONGEST)
