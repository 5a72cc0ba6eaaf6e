"""Two clocks: wall time for people to read, and monotonic time that orders events."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

SYNCED = Path("/run/systemd/timesync/synchronized")
JUMP_S = 2.0  # a network clock that is only slewed moves by less between two lines


@dataclass(frozen=True)
class Clock:
    """Where the time comes from; tests give their own.

    Attributes:
        wall: seconds since 1970; may jump, may be years off (a Pi has no clock chip).
        mono: seconds that only grow.
        trusted: whether the wall clock was set by the network.
    """

    wall: Callable[[], float] = time.time
    mono: Callable[[], float] = time.monotonic
    trusted: Callable[[], bool] = SYNCED.exists

    def stamp(self) -> dict[str, object]:
        """Return the `at` and `mono` of a journal line; lines are never ordered by them."""
        return {
            "at": {"wall": _text(self.wall()), "trust": "network" if self.trusted() else "none"},
            "mono": round(self.mono(), 6),
        }


def _text(wall: float) -> str:
    text = datetime.fromtimestamp(wall, UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


class Jumps:
    """A watch on the wall clock: tells when somebody set it, and nothing depends on that.

    Args:
        last: the `at` of the last line before a start. Nobody knows how long the station was off,
            so there only a clock that went back is noticed.
    """

    def __init__(self, clock: Clock, last: Mapping[str, Any] | None = None) -> None:
        self._clock = clock
        self._last = _time(last or {})
        self._offset = clock.wall() - clock.mono()

    def look(self) -> str:
        """Return a sentence about a jump since the last call; empty if there was none."""
        wall, last = self._clock.wall(), self._last
        offset = wall - self._clock.mono()
        moved, self._offset, self._last = offset - self._offset, offset, None
        if abs(moved) > JUMP_S:
            way = "forward" if moved > 0 else "back"
            return f"the clock jumped {way} by {abs(moved):.1f} s, to {_text(wall)}"
        if last is not None and wall < last - JUMP_S:
            return f"the clock stands before the last line: at {_text(wall)}, after {_text(last)}"
        return ""


def _time(at: Mapping[str, Any]) -> float | None:
    """Parse the `at` of a journal line to seconds since 1970; return None if it is malformed."""
    try:
        return datetime.fromisoformat(at["wall"]).timestamp()
    except (KeyError, TypeError, ValueError):
        return None
