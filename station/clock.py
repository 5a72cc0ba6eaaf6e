"""The two clocks: one that orders nothing but is fit to read, and one that only runs forward."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

SYNCED = Path("/run/systemd/timesync/synchronized")


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
        wall = datetime.fromtimestamp(self.wall(), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return {"at": {"wall": wall, "trust": "network" if self.trusted() else "none"}, "mono": round(self.mono(), 6)}
