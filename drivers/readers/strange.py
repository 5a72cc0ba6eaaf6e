"""Notice what a reader sends again and again that its settings cannot read. Pure.

A wrong setting looks like damage, but damage has another shape each time. So what was refused is
counted by its shape, in which all hex digits are alike; the third of one shape within ten minutes
is told of, once, with its bytes for the log and with the setting that would read it.

    >>> strange = Strange("reader", FAMILIES["rdm6300"])
    >>> frame = FAMILIES["id20la"].encode(Tag(6547886, 1))
    >>> told = [strange.hear(frame, refused=True, at=n) or strange.pause(n) for n in range(3)]
    >>> [(one.cure.value, one.setting, one.length) for one in told[2]]
    [('family', 'id20la', 16)]
"""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Iterator, Sequence

from drivers import Cure, Misread, Refusal
from drivers.readers.frames import FAMILIES, Family, Tag

log = logging.getLogger(__name__)

TIMES, WITHIN_S = 3, 600.0
MOST_SHAPES = 32
MOST_BYTES = 96  # looked at together: a reader that repeats leaves no pause
LEAST_BYTES = 8  # less is noise on a line: the log has it, and nobody else hears of it
# of the names of one family, the one that is told
_NAMES = ("rdm6300", "id20la", "parallax")
_FRAMES = re.compile(rb"(?=\x02)|(?<=\r)(?=\n[0-9A-F])")


class Shapes:
    """A count of what was refused, by its shape."""

    def __init__(self) -> None:
        self._seen: dict[str, deque[float]] = {}
        self._told: set[str] = set()

    def third(self, shape: str, at: float) -> bool:
        """Note one of this shape; return whether it is the third lately, and not told of yet."""
        if shape in self._told:
            return False
        seen = self._seen.setdefault(shape, deque(maxlen=TIMES))
        seen.append(at)
        if len(seen) < TIMES or at - seen[0] > WITHIN_S:
            while len(self._seen) > MOST_SHAPES:
                self._seen.pop(next(iter(self._seen)))
            return False
        if len(self._told) < MOST_SHAPES:
            self._told.add(shape)
        return True


class Strange:
    """What a serial reader sends that its family cannot read.

    Args:
        reader: what events call it.
        family: as its settings say.
    """

    def __init__(self, reader: str, family: Family) -> None:
        self._reader = reader
        self._family = family
        self._shapes = Shapes()
        self._bytes = b""
        self._refused = False

    def hear(self, data: bytes, *, refused: bool, at: float) -> list[Misread]:
        """Take what came; `refused` if it was no frame. Return what is told."""
        self._bytes += data
        self._refused |= refused
        if len(self._bytes) <= MOST_BYTES:
            return []
        *whole, begun = _FRAMES.split(self._bytes)
        if len(begun) > MOST_BYTES:
            whole, begun = [begun], b""
        return self._take(whole, begun, at)

    def pause(self, at: float) -> list[Misread]:
        """Take a pause, after which another frame begins. Return what is told."""
        return self._take(_FRAMES.split(self._bytes), b"", at)

    def _take(self, frames: Sequence[bytes], rest: bytes, at: float) -> list[Misread]:
        refused, self._bytes, self._refused = self._refused, rest, False
        if not refused:
            return []
        return [told for frame in frames if frame for told in self._look(frame, at)]

    def _look(self, frame: bytes, at: float) -> Iterator[Misread]:
        # also a damaged frame of its own family is no other's
        if self._family.decode(frame) is not Refusal.FORM:
            return
        if not self._shapes.third(shape_of(frame), at):
            return
        family = family_of(frame, self._family.baud)
        sample = frame[:MOST_BYTES].hex(" ").upper()
        fits = f'family = "{family}" reads them' if family else "no family reads them"
        log.warning("%s: it sends %d bytes: %s; %s", self._reader, len(frame), sample, fits)
        if family or len(frame) >= LEAST_BYTES:
            cure = Cure.FAMILY if family else Cure.NONE
            yield Misread(self._reader, sample, len(frame), cure, family, at)


def shape_of(frame: bytes) -> str:
    """Return the shape of a frame: any hex digit is as good as another."""
    return re.sub(rb"[0-9A-Fa-f]", b"h", frame).hex()


def family_of(frame: bytes, baud: int) -> str:
    """Return the name of the family whose frame this is; empty if there is none at this speed: at
    another one its frames come as other bytes."""
    for name in _NAMES:
        family = FAMILIES[name]
        if family.baud == baud and isinstance(family.decode(frame), Tag):
            return name
    return ""
