"""Time that a test moves by hand, and an inbox that waits for events with a limit."""

import contextlib
import queue
import threading

from drivers import TagConfirmed
from drivers.sleeper import Sleeper

SURE_S = 17 / 16384  # a little longer than a button must be down to be pressed; exact in binary
LOOK_S = 0.05
LIMIT_S = 60.0  # only a broken driver is waited for that long


class HandClock:
    """A clock and a wait for drivers: both stand still until `advance`."""

    def __init__(self, now=1000.0):
        self.now = now
        self._seen = threading.local()
        self._lock = threading.Lock()
        self._conditions = set()
        self.asked = queue.Queue()  # every number of seconds somebody began to wait for

    def __call__(self):
        self._seen.now = self.now
        return self.now

    def wait(self, condition, seconds):
        with self._lock:
            self._conditions.add(condition)
        self.asked.put(seconds)
        # Time that moved after the driver looked at the clock must not be slept through.
        if seconds is None or self._seen.now == self.now:
            condition.wait(LIMIT_S)

    def sleeper(self, name, turn, *, clock):
        """What drivers are given, so that their threads wait for this clock."""
        return Sleeper(name, turn, clock=clock, wait=self.wait)

    def advance(self, seconds):
        self.now += seconds
        with self._lock:
            conditions = list(self._conditions)
        for condition in conditions:
            with condition:
                condition.notify_all()


class Inbox:
    """A `deliver` that keeps events in order; which tags were confirmed it keeps apart."""

    def __init__(self):
        self._events = queue.Queue()
        self.confirmed = []

    def __call__(self, event):
        if isinstance(event, TagConfirmed):
            self.confirmed.append(event)
        else:
            self._events.put(event)

    def next(self):
        try:
            return self._events.get(timeout=LIMIT_S)
        except queue.Empty:
            raise AssertionError("no event came") from None

    def next_as(self, clock, seconds):
        """The next event; while none comes, time goes on by so many seconds again and again: who
        waits for it may not have begun to."""
        for _ in range(int(LIMIT_S / LOOK_S)):
            clock.advance(seconds)
            with contextlib.suppress(queue.Empty):
                return self._events.get(timeout=LOOK_S)
        raise AssertionError("no event came")

    def next_of(self, kind):
        """The next event of this kind; those before it are dropped."""
        while not isinstance(event := self.next(), kind):
            pass
        return event

    def take(self, count):
        return [self.next() for _ in range(count)]

    def empty(self):
        return self._events.empty()


class Levels:
    """An `on_change` that lets a test wait until an output has a level."""

    def __init__(self):
        self._condition = threading.Condition()
        self._changes = []

    def __call__(self, pin, level):
        with self._condition:
            self._changes.append((pin, bool(level)))
            self._condition.notify_all()

    def wait_for(self, *changes):
        """Wait until exactly these (pin, level) changes have come since the last call."""
        with self._condition:
            arrived = self._condition.wait_for(lambda: len(self._changes) >= len(changes), LIMIT_S)
            came, self._changes = self._changes, []
        assert arrived, f"came: {came}, wanted: {changes}"
        assert came == list(changes)
