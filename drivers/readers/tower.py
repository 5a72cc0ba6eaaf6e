"""Drive a dice tower on a serial port: it reads what dice, or marked cubes, show when they lie.

    USB plug into any socket of the Pi; its name stands under /dev/serial/by-id/. What the tower
    says: `drivers.readers.tower_frames`; how one is built: docs/dice.md.

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
from collections.abc import Sequence
from dataclasses import dataclass, field

from drivers import Event, Misthrow, Thrown, ThrowRefused
from drivers.readers.cable import AtPort, Line, PortLine, check_baud
from drivers.readers.checked import Losses
from drivers.readers.tower_frames import ASK, BAUD, COUNTS, Lies, TowerDecoder, TowerState

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
