"""The two clocks: one that orders nothing but is fit to read, and one that only runs forward."""

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
        """`at` and `mono` of a journal line: order never depends on them."""
        return {
            "at": {"wall": _text(self.wall()), "trust": "network" if self.trusted() else "none"},
            "mono": round(self.mono(), 6),
        }


def _text(wall: float) -> str:
    return (
        datetime.fromtimestamp(wall, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    )


class Jumps:
    """Sees that the wall clock was set: it moved by more than the time that passed. Nothing depends
    on it; it is recorded.

    Args:
        last: the `at` of the last line before a start. How long the station was off nobody knows,
            so only a clock that has gone back is seen there.
    """

    def __init__(self, clock: Clock, last: Mapping[str, Any] | None = None) -> None:
        self._clock = clock
        self._last = _time(last or {})
        self._offset = clock.wall() - clock.mono()

    def look(self) -> str:
        """A sentence about the jump since it was looked last, or nothing."""
        wall, last = self._clock.wall(), self._last
        offset = wall - self._clock.mono()
        moved, self._offset, self._last = offset - self._offset, offset, None
        if abs(moved) > JUMP_S:
            return (
                f"the clock jumped {'forward' if moved > 0 else 'back'} by {abs(moved):.1f} s, to"
                f" {_text(wall)}"
            )
        if last is not None and wall < last - JUMP_S:
            return f"the clock stands before the last line: at {_text(wall)}, after {_text(last)}"
        return ""


def _time(at: Mapping[str, Any]) -> float | None:
    """The inverse of a stamp's `at`, or None of anything else."""
    try:
        return datetime.fromisoformat(at["wall"]).timestamp()
    except (KeyError, TypeError, ValueError):
        return None
