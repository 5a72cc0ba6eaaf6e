"""Run the thread of a driver: it sleeps until something is due, takes a turn, outlives every error.

A driver is given what makes its sleeper, so that its turns can be taken by something else than a
thread.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol, TypeAlias

from drivers import Clock, Deliver, Driver, Event

log = logging.getLogger(__name__)

Turn: TypeAlias = Callable[[float], float | None]
Wait: TypeAlias = Callable[[threading.Condition, float | None], object]


def wait_on(condition: threading.Condition, seconds: float | None) -> None:
    """Wait until it is notified or the seconds are over; tests pass a wait in their own time."""
    condition.wait(seconds)


def hand_over(deliver: Deliver, event: Event) -> None:
    """Deliver an event, and keep the driver's thread alive if the receiver fails."""
    try:
        deliver(event)
    except Exception:
        log.exception("nobody took %r", event)


class Turns(Protocol):
    """The taker of a driver's turns: one at a time, when they are due or asked for.

    `turn(now)` returns the time at which it wants to be called again, or None to sleep until woken.
    It begins with one.
    """

    def start(self) -> None:
        """Begin with the first turn."""

    def wake(self, within_s: float = 0.0) -> None:
        """Take a turn soon; may be called from any thread, also during a turn.

        Args:
            within_s: how long the caller gives way to it, in seconds: he waits for its end, but no
                longer. What he would compute meanwhile would hold it up.
        """

    @property
    def alive(self) -> bool:
        """Return whether turns are taken."""

    def stop(self, limit_s: float | None = None) -> None:
        """End after the current turn, and wait for its end at most `limit_s` seconds."""


class MakeTurns(Protocol):
    """The maker of a driver's turns."""

    def __call__(self, name: str, turn: Turn, *, clock: Clock) -> Turns:
        """Return the turns of a driver, not started yet."""


class Turning(Driver):
    """A driver whose turns are taken while it is open."""

    _turns: Turns | None = None

    @property
    def running(self) -> bool:
        """Return whether the driver's thread is at work, with its device or waiting for it."""
        turns = self._turns
        return turns is not None and turns.alive


class Sleeper:
    """`Turns` in a thread of their own, which sleeps until it is due or woken."""

    def __init__(
        self, name: str, turn: Turn, *, clock: Clock = time.monotonic, wait: Wait = wait_on
    ) -> None:
        self._turn = turn
        self._clock = clock
        self._wait = wait
        self._condition = threading.Condition()
        # Wakings so far; those for which a turn was begun; those whose turn has ended.
        self._asked, self._begun, self._ended = 1, 0, 0
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin with the first turn."""
        self._thread.start()

    def wake(self, within_s: float = 0.0) -> None:
        """Take a turn now; may be called from any thread, also during a turn."""
        with self._condition:
            self._asked = asked = self._asked + 1
            self._condition.notify_all()
            if within_s > 0:
                self._condition.wait_for(lambda: self._ended >= asked or self._stopped, within_s)

    @property
    def alive(self) -> bool:
        """Return whether the thread is there."""
        return self._thread.is_alive()

    def stop(self, limit_s: float | None = None) -> None:
        """End after the current turn, and wait for its end at most `limit_s` seconds."""
        with self._condition:
            self._stopped = True
            self._condition.notify_all()
        if self._thread is not threading.current_thread() and self._thread.ident is not None:
            self._thread.join(limit_s)

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
            if self._ended != self._begun:
                self._ended = self._begun
                self._condition.notify_all()  # whoever gives way to the turn
            while not (self._stopped or self._begun < self._asked):
                left = None if due is None else due - self._clock()
                if left is not None and left <= 0:
                    break
                self._wait(self._condition, left)
            self._begun = self._asked
            return not self._stopped
