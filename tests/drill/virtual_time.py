"""Time that is counted and not waited for: an event loop whose clock jumps, and drivers whose turns
that loop takes.

All is done by one thread, in an order that depends on nothing but what is done: the same work is
done the same way again.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import math
import selectors
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeVar, TypeVarTuple

from drivers import Clock
from drivers.sleeper import Turn
from station.base.errors import LotoError

log = logging.getLogger(__name__)

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class NothingMore(LotoError):
    """Everybody waits, and nothing will ever happen any more."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop that is never late: when nothing is left to do, its time is that of the next
    timer.

    Sockets between two ends in this process are served before time moves.
    """

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now
        super().__init__(_Jumping(self))
        self._clock_resolution = 0.0  # no timer is due a hair too early

    def time(self) -> float:
        """Virtual seconds."""
        return self.now

    def call_soon_threadsafe(
        self,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: contextvars.Context | None = None,
    ) -> asyncio.Handle:
        """There is one thread: `call_soon`."""
        return self.call_soon(callback, *args, context=context)

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """There is one thread: the work is done soon, and takes no virtual time."""

        async def work() -> T:
            return func(*args)

        return self.create_task(work())


class _Jumping(selectors.DefaultSelector):
    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is None:
            raise NothingMore("everybody waits, and nothing will ever happen any more")
        if not ready and timeout is not None:
            # By a hair more: due is what lies before now, for asyncio as for a turn that looks at
            # the clock.
            self._loop.now = math.nextafter(self._loop.now + timeout, math.inf)
        return ready


class VirtualSleeper:
    """A driver's turns, taken by the event loop when they are due; see `drivers.sleeper.Turns`.

    Args:
        waits_s: how long a turn waits inside when nothing comes. One that asks to come again at
            once is such a turn: it comes again when it is woken, or after so many seconds.
    """

    def __init__(self, name: str, turn: Turn, *, clock: Clock, waits_s: float = 0.0) -> None:
        self._name = name
        self._turn = turn
        self._clock = clock
        self._waits_s = waits_s
        self._loop = asyncio.get_running_loop()
        self._handle: asyncio.Handle | None = None
        self._woken = False
        self.alive = False

    def start(self) -> None:
        """Begin with the first turn."""
        self.alive = True
        self.wake()

    def wake(self, within_s: float = 0.0) -> None:
        """Take a turn soon."""
        if self.alive and not self._woken:
            self._woken = True
            self._put(self._loop.call_soon(self._take))

    def stop(self, limit_s: float | None = None) -> None:
        """No more turns. None is running, but the one that calls this."""
        self.alive = False
        self._put(None)

    def _put(self, handle: asyncio.Handle | None) -> None:
        if self._handle is not None:
            self._handle.cancel()
        self._handle = handle

    def _take(self) -> None:
        self._handle, self._woken = None, False
        try:
            due = self._turn(self._clock())
        except Exception:
            log.exception("%s: a turn failed; waiting for the next", self._name)
            due = None
        if due is not None and self.alive and not self._woken:
            self._put(self._loop.call_at(max(due, self._loop.time() + self._waits_s), self._take))
