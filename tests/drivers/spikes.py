"""Spikes and presses on a button's wire, over the real driver and gpiozero's real lgpio backend, in
time that is only reckoned.

What is invented is the wire, and how late Python comes to hear of what happened on it: each edge by
up to 8 ms, later than the one before by up to 5 ms, and the driver's thread by up to 2 ms.
"""

import heapq
from itertools import count

from drivers import Pressed, Spiked
from drivers.pins.button import Buttons, edge_time
from tests.drivers.benches import LGPIO, LGPIO_FACTORY, ChipBench

PIN = 17
GAP_S, MORE_S = 0.002, 0.018  # the shortest time from one spike to the next, and what is added
CALM_S = 0.2


class Wire:
    """A button's wire, its driver, and what came of it; time goes on when something is due."""

    def __init__(self, chance, bench=None):
        self.now = 1000.0
        self.chance = chance
        self.pressed, self.spiked = [], []
        self._due = []
        self._order = count()
        self._heard = self.now
        self._turn = None
        self.woken = False
        self.bench = bench or ChipBench(LGPIO_FACTORY)
        self.driver = Timed(
            pins={"draw": PIN}, pin_factory=self.bench.factory, clock=lambda: self.now, sleeper=self
        )
        self.driver.open(self._deliver)

    def _deliver(self, event):
        if isinstance(event, Pressed):
            self.pressed.append(event.at)
        elif isinstance(event, Spiked):
            self.spiked.append(event)

    # -- the driver's thread -----------------------------------------------------------------------

    def __call__(self, name, turn, *, clock):
        """The driver's turns are taken here."""
        self._turn, self._asked = turn, None
        return self

    alive = True

    def start(self):
        self._take_turn()

    def stop(self, limit_s=None):
        self._due.clear()

    def wake(self):
        if not self.woken:
            self.woken = True
            self._at(self.now + self.chance.uniform(0, 0.002), self._take_turn)

    def _take_turn(self):
        self.woken, self._asked = False, None
        self._sleep_until(self._turn(self.now))

    def _sleep_until(self, due):
        if due is not None and due != self._asked:
            self._asked = due
            late = max(due, self.now) + self.chance.uniform(0, 0.002)
            self._at(late, lambda: self._asked == due and self._take_turn())

    # -- the wire ----------------------------------------------------------------------------------

    def _at(self, when, do):
        heapq.heappush(self._due, (when, next(self._order), do))

    def hold(self, start, seconds):
        """The line is down for so long."""
        self._at(start, lambda: self._edge(True))
        self._at(start + seconds, lambda: self._edge(False))

    def _edge(self, down):
        """An edge: the kernel takes its time now, and Python hears of it later."""
        line, at = self.bench.chip.line(PIN), self.now
        line.pressed = down
        line.settle()
        level = line.level
        most = self.chance.choice((0.0005, 0.0005, 0.008))
        late = min(max(self._heard, at + self.chance.uniform(0, most)), at + 0.008)
        self._heard = max(self._heard, late)

        def hear():
            LGPIO.nanoseconds = round(at * 1e9)
            line.listener(PIN, level)

        self._at(self._heard, hear)

    def run(self):
        """All that is due happens."""
        while self._due:
            self.now, _, do = heapq.heappop(self._due)
            do()

    def close(self):
        self.driver.close()
        self.bench.close()


class Timed(Buttons):
    """The driver, with edges that the kernel times by the test's clock."""

    def edge_time(self, ticks, now):
        return edge_time(ticks, now)


def width(chance):
    """A spike's, from 1 to 900 microseconds, each power of ten as often."""
    return 1e-6 * 900 ** chance.random()


def spikes(chance, many, wire):
    """So many spikes, the next one after 2 ms or more, 20 ms on the average; returns how many calls
    they made."""
    for _ in range(many):
        wide = width(chance)
        wire.hold(wire.now, wide)
        until = wire.now + wide + GAP_S + chance.expovariate(1 / MORE_S)
        wire._at(until, lambda: None)
        while wire.now < until:
            wire.now, _, do = heapq.heappop(wire._due)
            do()
    wire.run()
    return len(wire.pressed)


def presses(chance, many, wire):
    """So many presses of 2 ms to half a second, some after bounces; returns how many were not taken
    once, at their first edge."""
    missed = 0
    for _ in range(many):
        wire.pressed.clear()
        first = at = wire.now + CALM_S
        for _ in range(chance.choice((0, 0, 1, 5))):
            short = chance.uniform(1e-6, 9e-4)
            wire.hold(at, short)
            at += short + chance.uniform(1e-6, 9e-4)
        wire.hold(at, 0.002 * 250 ** chance.random())
        wire.run()
        missed += [round(1e6 * (when - first)) for when in wire.pressed] != [0]
    return missed
