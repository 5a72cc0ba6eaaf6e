"""The pace of automatic calling: on or off, how many seconds from call to call, and when the next
one is due."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from station.base.errors import Unreadable
from station.wire.board_view import AutoView

LEAST_PACE_S, MOST_PACE_S = 2, 60


class Pace:
    """When the station calls by itself. It is wound after every call, and after whatever lets play
    go on.

    Args:
        pace: seconds from one call to the next.
        due: called on the event loop when a call is due; nothing more is due before it is wound
            again.
    """

    def __init__(self, pace: float, due: Callable[[], None]) -> None:
        self._view = AutoView(on=False, pace=pace)
        self._due = due
        self._timer: asyncio.TimerHandle | None = None

    @property
    def view(self) -> AutoView:
        """As every screen shows it."""
        return self._view

    @property
    def wound(self) -> bool:
        """Whether a call will be due."""
        return self._timer is not None

    def set(self, do: Mapping[str, Any]) -> bool:
        """Takes over `on` and `pace`, where they are given; gives whether it was turned on or off.

        Raises:
            Unreadable: neither is such a thing; nothing has changed.
        """
        on, pace = do.get("on", self._view.on), do.get("pace", self._view.pace)
        if (
            not isinstance(on, bool)
            or not isinstance(pace, int | float)
            or not LEAST_PACE_S <= pace <= MOST_PACE_S
        ):
            raise Unreadable(
                f"automatic calling wants on or off, and a pace from {LEAST_PACE_S} to"
                f" {MOST_PACE_S} seconds"
            )
        changed = on != self._view.on
        self._view = AutoView(on=on, pace=float(pace))
        return changed

    def turn(self, steps: int) -> None:
        """The knob for the pace was turned: a second a step, clockwise more of them, as far as the
        bounds."""
        self.set({"pace": min(max(self._view.pace + steps, LEAST_PACE_S), MOST_PACE_S)})

    def wind(self, since: float | None = None) -> None:
        """A call is due a pace after the last one began (`since`, the loop's time), or a whole pace
        from now: no burst."""
        self.stop()
        if self._view.on:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(
                (loop.time() if since is None else since) + self._view.pace, self._now
            )

    def stop(self) -> None:
        """Nothing is due before it is wound again."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _now(self) -> None:
        self._timer = None
        self._due()
