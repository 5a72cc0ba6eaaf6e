"""Drive a dice tower on a serial port, which reads what dice, or marked cubes, show.

The frames are pure: bytes in, what the tower says out.

    !  S S S S  C C  W  F…  K K K K K K K K  0A             17 to 25 bytes, 115200 8N1

A checked line (`drivers.readers.frames`). S are four hex digits, another number each time the tower
starts; C two, the count of its throws, one more each throw and 00 after FF, capitals both; W is
what came of the last throw, and F the faces that lie on top, a character each, at most eight:

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

    USB plug into any socket of the Pi; its name stands under /dev/serial/by-id/. How one is built:
    docs/dice.md.

    >>> tower = Tower(port="loop://")              # "/dev/serial/by-id/…", "socket://host:port"
    >>> tower.open(deliver=print)                  # Thrown(tower='tower', spots=(3, 6), …)
    >>> tower.close()

Parameters: see `Tower`. A frame that comes again is no new throw; one that cannot be read, or does
not come, is asked for once more. What lies in the tower when it is plugged in, or starts again, is
no throw: nobody knows what it was thrown for, and it may have been keyed in meanwhile. A tower that
is silent is lost: `DeviceLost`, until it is heard again.
"""

from __future__ import annotations

import errno
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from drivers import BadOption, Event, Misthrow, Refusal, Thrown, ThrowRefused
from drivers.readers.cable import AtPort, Line, PortLine, check_baud
from drivers.readers.frames import CheckedLines, Losses, checked

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


# -- the tower on its port -------------------------------------------------------------------------

QUIET_S = 0.1  # the longest wait for a byte; a frame takes 2.2 ms
FIRST_S = 3.0  # many a board starts anew when its port is opened, and takes two seconds for it
SILENT_S = 2.0  # four frames that did not come
MARKS = {"B": "bell", "H": "hammer", "0": ""} | {str(spots): str(spots) for spots in range(1, 7)}
_WHY = {
    Lies.ASKEW: Misthrow.ASKEW,
    Lies.FALLEN: Misthrow.FALLEN,
    Lies.TOUCHED: Misthrow.TOUCHED,
}


class ThrowJudge:
    """A judge of what a tower says, frame by frame: each throw is one event. Pure.

    Args:
        tower: what its events call it.

    Attributes:
        lost: how many throws were not heard of, by the gaps in their counts.
        damaged: how many lines came that could not be read, over all cables.
    """

    def __init__(self, tower: str) -> None:
        self._tower = tower
        self._before: TowerState | None = None  # none when it was plugged in
        self.lost = 0
        self.damaged = 0

    def plugged_in(self) -> None:
        """Forget what was thrown last: what lies there now is no throw."""
        self._before = None

    def hear(self, state: TowerState, at: float) -> Event | None:
        """Return the event of a frame; None if it tells of no new throw."""
        before, self._before = self._before, state
        if before is None or before.start != state.start or before.count == state.count:
            return None
        self.lost += (state.count - before.count - 1) % COUNTS
        if state.what is Lies.DICE:
            return Thrown(self._tower, tuple(map(int, state.faces)), (), at)
        if state.what is Lies.CUBES:
            return Thrown(self._tower, (), tuple(MARKS[face] for face in state.faces), at)
        why = _WHY.get(state.what)
        return ThrowRefused(self._tower, why, at) if why is not None else None


@dataclass(kw_only=True, eq=False)
class Tower(AtPort):
    """A dice tower at a serial port.

    Args:
        name: what its events call it; default "tower".
        baud: bits a second, 8N1; default 115200. A tower with a USB plug of its own takes any.
        others: as of `AtPort`.

    Raises:
        BadOption: an option that cannot be used.
    """

    name: str = "tower"
    baud: int = BAUD

    meanwhile = "until then the host keys in what the dice show"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_baud(self.name, self.baud, f"a tower sends {BAUD}")

    def begin(self) -> None:
        """Take what lies in the tower for no throw."""
        self._judge = ThrowJudge(self.name)
        self._losses = Losses(self.name)

    def plug_in(self) -> Line:
        """Open the port."""
        speed = {"baudrate": self.baud, "timeout": QUIET_S, "write_timeout": SILENT_S}
        line = self.connect(self.port, **speed, exclusive=True)
        self._judge.plugged_in()
        return TowerLine(line, self.clock, self._judge, self._losses)


@dataclass(eq=False)
class TowerLine(PortLine):
    """A tower at an open serial line."""

    judge: ThrowJudge
    losses: Losses
    decoder: TowerDecoder = field(default_factory=TowerDecoder)

    def __post_init__(self) -> None:
        self._heard = False
        self._limit = self.clock() + FIRST_S
        self._late = False  # the limit has passed, but bytes were waiting
        self._asks_at = math.inf  # when a frame is missed, unless it was asked for already

    def look(self) -> Sequence[Event] | None:
        """Return the events of what the tower says; None until then, for an open port is no tower
        yet.

        Raises:
            TimeoutError: it has been silent too long.
        """
        found = self.decoder.feed(self._read())
        now = self.clock()
        states = [one for one in found if isinstance(one, TowerState)]
        events = [self.judge.hear(state, now) for state in states]
        # The beginning of what waits in a port when it is opened may be lost.
        damaged = len(found) - len(states) if self._heard else 0
        self.judge.damaged += damaged
        if states:
            self._heard, self._late, self._limit = True, False, now + SILENT_S
            self._asks_at = now + SILENT_S / 2
        if damaged or now >= self._asks_at:
            self.line.write(ASK)
            self._asks_at = math.inf
        self.losses.look(self.judge.lost, self.judge.damaged, now)
        if now >= self._limit:
            # As with a buzzer box: a machine that was busy finds the frames waiting.
            if self._late or not self.line.in_waiting:
                raise TimeoutError(errno.ETIMEDOUT, "no frame came")
            self._late = True
        return [event for event in events if event is not None] if self._heard else None
