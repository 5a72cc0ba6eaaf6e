"""Time a pause of the programme: when it began, and when it ends.

It is the station's own clock that counts, which only grows; the time of day is told only where the
network has set it, for a Pi has no clock chip. After a start nobody knows when the pause began.
"""

from __future__ import annotations

from datetime import datetime

from station.base.clock import Clock
from station.night.acts import Act, Break, CloseGame
from station.night.hall import Hall

MINUTE_S = 60


class PauseClock:
    """The time of the pause after the last game, where it has one.

    Attributes:
        until: when it ends, by the hall's clock, "20:40"; empty where that is not known.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ends: float | None = None
        self.until = ""

    def recorded(self, act: Act, hall: Hall) -> None:
        """Take note of an act and of the night after it: the end of a game begins its pause."""
        if not isinstance(act, CloseGame | Break):
            return
        self._ends, self.until = None, ""
        pause = hall.plan.pause if hall.plan is not None else None
        if pause is None or not pause.minutes:
            return
        takes = pause.minutes * MINUTE_S
        self._ends = self._clock.mono() + takes
        if self._clock.trusted():
            self.until = f"{datetime.fromtimestamp(self._clock.wall() + takes):%H:%M}"

    def left_s(self) -> float | None:
        """Return the seconds that it still takes, fewer than none when it is over; None where that
        is not known."""
        return None if self._ends is None else round(self._ends - self._clock.mono(), 1)
