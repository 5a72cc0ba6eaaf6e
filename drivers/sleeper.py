"""The thread of a driver: it sleeps until something is due, takes a turn, and never dies of an error."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TypeAlias

from drivers import Clock, Deliver, Event

log = logging.getLogger(__name__)

Wait: TypeAlias = Callable[[threading.Condition, float | None], object]


def wait_on(condition: threading.Condition, seconds: float | None) -> None:
    """Wait until the condition is notified or the seconds are over; tests give a wait with their own time instead."""
    condition.wait(seconds)


def hand_over(deliver: Deliver, event: Event) -> None:
    """Deliver, and keep the driver's thread alive if the receiver fails."""
    try:
        deliver(event)
    except Exception:
        log.exception("nobody took %r", event)


class Sleeper:
    """A thread that sleeps until it is due or woken, then takes a turn.

    `turn(now)` returns the time at which it wants to be called again, or None to sleep until woken. It begins with one.
    """

    def __init__(
        self, name: str, turn: Callable[[float], float | None], *, clock: Clock = time.monotonic, wait: Wait = wait_on
    ) -> None:
        self._turn = turn
        self._clock = clock
        self._wait = wait
        self._condition = threading.Condition()
        self._woken = True
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin with the first turn."""
        self._thread.start()

    def wake(self) -> None:
        """Take a turn now; from any thread, and while a turn runs too."""
        with self._condition:
            self._woken = True
            self._condition.notify()

    @property
    def alive(self) -> bool:
        """Whether the thread is there."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """End after the turn that runs, and wait for it."""
        with self._condition:
            self._stopped = True
            self._condition.notify()
        if self._thread is not threading.current_thread() and self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        due: float | None = None
        while self._sleep_until(due):
            try:
                due = self._turn(self._clock())
            except Exception:
                log.exception("%s: a turn failed; waiting for the next", self._thread.name)
                due = None

    def _sleep_until(self, due: float | None) -> bool:
        with self._condition:
            while not (self._stopped or self._woken):
                left = None if due is None else due - self._clock()
                if left is not None and left <= 0:
                    break
                self._wait(self._condition, left)
            self._woken = False
            return not self._stopped
