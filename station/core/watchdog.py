"""Report the core as alive to whoever watches the process, but only after a check of itself.

The event loop that calls the numbers runs `Watchdog.keep`, so a loop that hangs says nothing. Nor
does one that is found ill: its own beat comes late, or one of the checks names a fault. Who watches
(systemd, or `loto run`) ends a process that was silent for too long and starts it again. So a check
must fail only for what a restart repairs: a device that is unplugged is not such a fault, nor is a
journal that halted, for then the paper procedure must stay on the screens.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, TypeAlias

log = logging.getLogger(__name__)

BEAT_S = 0.25
LATE_S = 1.5  # twice in a row, and whoever watches starts the station again
FEED_S = 1.0  # where nobody watches, the checks are made all the same: the log has what they find

Check: TypeAlias = Callable[[], str]


class Watchdog:
    """The feeder of the watchdog, on the running event loop.

    Args:
        checks: by what is checked, a function that returns its fault, or an empty text; called on
            the loop, and must not wait.
        feed: reports "alive" to whoever watches.
        interval_s: seconds from one turn to the next; None if nobody watches.
    """

    def __init__(
        self, checks: Mapping[str, Check], feed: Callable[[], Any], interval_s: float | None
    ) -> None:
        self._checks = dict(checks)
        self._feed = feed
        self._interval_s = FEED_S if interval_s is None else interval_s
        self._lag = 0.0
        self._faults: list[str] = []

    async def keep(self, stop: asyncio.Event) -> None:
        """Take the loop's beat, check and feed until `stop` is set."""
        loop = asyncio.get_running_loop()
        fed_at = loop.time()
        self.turn()
        while not stop.is_set():
            due = loop.time() + BEAT_S
            try:
                async with asyncio.timeout_at(due):
                    await stop.wait()
            except TimeoutError:
                self.beat(loop.time() - due)
            if loop.time() - fed_at >= self._interval_s:
                fed_at = loop.time()
                self.turn()

    def beat(self, lag: float) -> None:
        """Note by how many seconds the loop's own beat came late."""
        self._lag = max(self._lag, lag)

    def turn(self) -> bool:
        """Check everything; feed if all is well, and return so. Log a fault once, and its end."""
        found = {name: check() for name, check in self._checks.items()}
        faults = [f"{name}: {fault}" for name, fault in found.items() if fault]
        if self._lag > LATE_S:
            faults.insert(0, f"event loop: {self._lag:.1f} s late")
        self._lag = 0.0
        for fault in faults:
            if fault not in self._faults:
                why = f"({fault}): the station starts again unless this ends"
                log.critical("the watchdog is not fed %s", why)
        if self._faults and not faults:
            log.warning("the watchdog is fed again")
        self._faults = faults
        if not faults:
            self._feed()
        return not faults


class LivenessCheck:
    """A check that a thread answers: what is asked is small, and due by one of the next turns.

    Args:
        ask: gives the thread a task that takes no time, without waiting for it.
        limit_s: seconds that an answer may take. The thread's earlier tasks count, too.
    """

    def __init__(
        self,
        ask: Callable[[], Future[Any]],
        limit_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ask = ask
        self._limit_s = limit_s
        self._clock = clock
        self._asked: Future[Any] | None = None
        self._asked_at = 0.0

    def __call__(self) -> str:
        """Return the fault; empty if there is none."""
        if self._asked is not None and not self._asked.done():
            silent = self._clock() - self._asked_at
            return f"no answer for more than {self._limit_s:g} s" if silent > self._limit_s else ""
        self._asked, self._asked_at = self._ask(), self._clock()
        return ""
