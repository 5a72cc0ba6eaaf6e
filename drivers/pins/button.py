"""Push buttons on GPIO pins: one press, one event, however the contacts bounce.

    button "draw"                 Raspberry Pi, 40-pin header (BCM number / header pin)
        ┌──o o──┐
        │       └──────────────── GPIO 17 / pin 11     pulled up inside the Pi: no resistor
        └──────────────────────── GND     / pin 9

    Every further button: its own GPIO, any GND. A foot switch or a big arcade button is wired the
    same.

    >>> from drivers.simulated.pins import SimulatedPins
    >>> hand = SimulatedPins()                     # on a Pi leave pin_factory out
    >>> buttons = Buttons(pins={"draw": 17}, pin_factory=hand)
    >>> buttons.open(deliver=print)                # Pressed(button='draw', at=…), Released(…)
    >>> buttons.close(); hand.close()

Parameters: see `Buttons`. A press is a line that was down for `sure_ms` without a break; its time
is that of its first edge. What is shorter, as a lamp's switching beside the wire makes it, is
counted in the log and is no press. The pin library lgpio hands on when each edge was, as the kernel
took it in its interrupt. A press that lasts is taken when the line itself was read again and again
over a millisecond, and was down; so an edge that is still under way makes no press. With another
library the time is when Python came to hear of an edge, and nothing but this reading tells a spike
from a press; a press that ended before it was read counts only if its edges were heard `deaf_ms`
apart.

A button comes up when the line has been quiet for `deaf_ms`; until then every edge is a bounce of
the same press. One still down after `hold_s` is a long press: `Held`. A button held at the start,
or longer than `stuck_s`, is a fault (H7): `DeviceLost`, no `Released`, and nothing of it counts
until it has been up for `freed_s`; then `DeviceFound`.
"""

from __future__ import annotations

import logging
import math
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any

import gpiozero

from drivers import (
    BadOption,
    Deliver,
    DeviceFound,
    DeviceLost,
    Event,
    Held,
    Pressed,
    Released,
    Spiked,
)
from drivers.pins.gpio import PinDevice, free_device, taking, times_edges
from drivers.sleeper import Turns, hand_over

log = logging.getLogger(__name__)

SURE_MS = 1.0
LOOKS = 4  # at a line that went down, before it is a press
# an edge that the kernel says is older than this, or not yet, was timed by another clock
LATEST_S = 1.0
TOLD_S = 60.0  # spikes stand in the log once in so long


def edge_time(ticks: float, now: float) -> float:
    """Return when an edge was: the kernel's time if it is of our clock, else now.

    Early kernels time edges by the wall clock (lgpio's documentation of `callback`), and not every
    pin library hands times on.

    >>> edge_time(99.998, 100.0), edge_time(1.6e9, 100.0), edge_time(3.0, 100.0)
    (99.998, 100.0, 100.0)
    """
    return ticks if now - LATEST_S <= ticks <= now else now


class _Is(Enum):
    UP = "up"
    DOWN = "down"
    STUCK = "stuck"


@dataclass(slots=True)
class Contact:
    """A button's contact as a pure machine: levels and times in, events out. Times are seconds.

    The outcome depends on the levels and their times alone: `tick` may be called at any other time,
    often or late. Before it is called pressed, held, or stuck, `still_down` asks the pin itself:
    the edge of its release may be under way, or may have been lost in the kernel.

    Attributes:
        sure: how long the line must be down without a break to be a press; 0 takes the first edge.
        what: what sentences call it.
        place: where it is wired; by default its GPIO number.
        spikes: how often the line was down, but for shorter than that; what bounces into a press
            is none.
    """

    name: str
    pin: int
    deaf: float = 0.05
    hold: float = 3.0
    stuck: float = 5.0
    freed: float = 1.0
    sure: float = SURE_MS / 1000
    still_down: Callable[[], bool] = lambda: True
    what: str = "button"
    place: str = ""
    spikes: int = field(default=0, init=False)
    _is: _Is = field(default=_Is.UP, init=False)
    _since: float = field(default=0.0, init=False)
    _long: bool = field(default=False, init=False)  # this press was said to be a long one
    # when the line went up, if it is up while we are not
    _quiet: float | None = field(default=None, init=False)
    # while we are up: when the line went down, and is for all we know; since when it was found so,
    # and how often; when a shorter time down ended, which may be the first bounce of a press; the
    # first edge of all that; when to look
    _low: float | None = field(default=None, init=False)
    _seen: float | None = field(default=None, init=False)
    _looks: int = field(default=0, init=False)
    _rose: float | None = field(default=None, init=False)
    _first: float = field(default=0.0, init=False)
    _ask: float = field(default=0.0, init=False)

    def start(self, down: bool, at: float) -> list[Event]:
        """Take the level found when watching begins; return its events."""
        return [self._stick(at, "is held down since the start")] if down else []

    def edge(
        self, down: bool, at: float, heard: float | None = None, still: bool = True
    ) -> list[Event]:
        """Take a change of the line to this level; return its events.

        Args:
            at: when it was, by the kernel; or when we heard of it, if the kernel does not say.
            heard: when we heard of it; None for at once.
            still: whether the line was down when we heard of it.
        """
        events = self.tick(at, look=False)
        if self._is is _Is.UP and down:
            return events + self._fall(at, at if heard is None else heard, still)
        if self._is is _Is.UP:
            # Two edges may be heard long after each other that were close together.
            return events + self._rise(at, self.deaf if heard == at else self.sure)
        if down:
            self._quiet = None
        elif self._quiet is None:
            self._quiet = at
        return events

    def tick(self, at: float, *, look: bool = True) -> list[Event]:
        """Take the passing of time; return its events.

        Args:
            at: until when.
            look: whether the pin may be asked if a line that went down is still so. It may not
                while edges wait that were heard: the pin is as it is after them.
        """
        due = self.due()
        if due is None or at < due:
            return []
        if self._is is _Is.UP:
            return self._look(at) if look or self._low is None else []
        if self._is is _Is.DOWN and self._quiet is None:
            return self._lasts(at, due)
        up = at if self._quiet is None else self._quiet
        was, self._is, self._quiet = self._is, _Is.UP, None
        if was is _Is.DOWN:
            return [Released(self.name, up - self._since, up)]
        return [DeviceFound(f"{self.what} {self.name}", at)]

    def _fall(self, at: float, heard: float, still: bool) -> list[Event]:
        if self._rose is not None and at >= self._rose + self.sure:
            self._forget_spike()
        if self._low is None and self._rose is None:
            self._first = at
        self._low, self._rose, self._seen = at, None, heard if still else None
        self._looks, self._ask = int(still), heard + self.sure / LOOKS
        return self.tick(at)

    def _rise(self, at: float, least: float) -> list[Event]:
        low, self._low = self._low, None
        if low is None:
            return []
        if at - low < least:
            self._rose = at
            return []
        events = self._press() + self.tick(at)
        if self._quiet is None:
            self._quiet = at
        return events

    def _look(self, at: float) -> list[Event]:
        """Look whether what the line did while we are up is a press by now.

        The edge that ended it may be under way, however late: so the line must have been found down
        again and again, in time, over as long as no spike lasts; on a machine too busy to look in
        time, so often that no chance would do that.
        """
        if self._low is None:
            return self._forget_spike()
        if not self.still_down():
            self._seen, self._looks, self._ask = None, 0, at + self.sure
            # after so long its other edge was lost
            return self._forget_spike() if at >= self._low + self.deaf else []
        self._looks += 1
        late = at > self._ask + self.sure  # it may have been up in between
        if self._seen is None or (late and self._looks <= LOOKS):
            self._seen = at
        if at >= self._seen + self.sure:
            return self._press() + self.tick(at)
        self._ask = min(at + self.sure / LOOKS, self._seen + self.sure)
        return []

    def _forget_spike(self) -> list[Event]:
        self.spikes += 1
        self._low = self._rose = None
        return []

    def _press(self) -> list[Event]:
        self._is, self._since, self._quiet, self._long = _Is.DOWN, self._first, None, False
        self._low = self._rose = None
        return [Pressed(self.name, self._first)]

    def _lasts(self, at: float, due: float) -> list[Event]:
        """Call a press that lasts a long one, and then a fault."""
        if not self.still_down():
            self._quiet = at
            return []
        if self._long:
            return [self._stick(at, f"has been held down for {self.stuck:g} s")]
        self._long = True
        return [Held(self.name, self.hold, due), *self.tick(at)]

    def due(self) -> float | None:
        """Return when `tick` will have an event, if no edge comes before; None if it has none."""
        if self._is is _Is.UP:
            if self._low is not None:
                return self._ask
            return None if self._rose is None else self._rose + self.deaf
        if self._quiet is not None:
            return self._quiet + (self.deaf if self._is is _Is.DOWN else self.freed)
        if self._is is not _Is.DOWN:
            return None
        return self._since + (self.stuck if self._long else self.hold)

    def _stick(self, at: float, what: str) -> DeviceLost:
        self._is, self._quiet = _Is.STUCK, None
        place = self.place or f"GPIO {self.pin}"
        reason = (
            f"the {self.what} {self.name!r} ({place}) {what}: free it; it counts again after"
            f" {self.freed:g} s up"
        )
        return DeviceLost(f"{self.what} {self.name}", reason, at)


@dataclass(kw_only=True, eq=False)
class Buttons(PinDevice):
    """All push buttons of the station.

    Args:
        pins: GPIO (BCM) number of each button by its name, such as {"draw": 17}.
        pull_up: True (default) for a button between pin and GND; False for one between pin and 3V3,
            pulled down.
        sure_ms: milliseconds that a line must be down without a break to be a press; default 1.
        deaf_ms: quiet time in milliseconds after which a button is up again; default 50.
        hold_s: seconds after which a press is a long one; default 3.
        stuck_s: seconds a button may be held before it is a fault; default 5.
        freed_s: seconds a stuck button must be up before it counts again; default 1.
        others: as of `PinDevice`.

    Raises:
        BadOption: an option that cannot be used.
    """

    pull_up: bool = True
    sure_ms: float = SURE_MS
    deaf_ms: float = 50
    hold_s: float = 3.0
    stuck_s: float = 5.0
    freed_s: float = 1.0

    _what = "button"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.deaf_ms / 1000 < min(self.hold_s, self.freed_s):
            raise BadOption(
                f"{self._what}: deaf_ms={self.deaf_ms:g} must be above 0 and shorter than"
                f" hold_s={self.hold_s:g} and freed_s={self.freed_s:g}"
            )
        if not 0 < self.sure_ms < self.deaf_ms:
            raise BadOption(
                f"{self._what}: sure_ms={self.sure_ms:g} must be above 0 and shorter than"
                f" deaf_ms={self.deaf_ms:g}"
            )
        if not self.hold_s < self.stuck_s:
            raise BadOption(
                f"{self._what}: hold_s={self.hold_s:g} must be shorter than"
                f" stuck_s={self.stuck_s:g}, or no press is a long one"
            )

    def edge_time(self, ticks: float, now: float) -> float:
        """Return when an edge was: as its time was taken, unless a test has its own clock."""
        return edge_time(ticks, now) if self.clock is time.monotonic else now

    def _take(self, factory: Any, deliver: Deliver, stack: ExitStack) -> Turns:
        watch = _Watch(self, deliver, timed=times_edges(factory))
        times = (self.deaf_ms / 1000, self.hold_s, self.stuck_s, self.freed_s, self.sure_ms / 1000)
        for name, pin in self.pins.items():
            with taking(self._what, name, pin):
                device = gpiozero.InputDevice(pin, pull_up=self.pull_up, pin_factory=factory)
                stack.callback(free_device, device)
                down = partial(_is_down, device)
                watch.add(device, Contact(name, pin, *times, still_down=down, what=self._what))
        return watch.turns


def _is_down(device: Any) -> bool:
    return bool(device.is_active)


class Spikes:
    """The spikes on buttons' wires, logged and told: the first at once, then all of a minute
    together."""

    def __init__(self) -> None:
        self._due = -math.inf
        self._told: dict[str, int] = {}

    def look(self, contacts: Iterable[Contact], now: float) -> list[Event]:
        """Take the counts of the contacts; return what is to be told of them."""
        if now < self._due:
            return []
        told: list[Event] = []
        for contact in contacts:
            more = contact.spikes - self._told.get(contact.name, 0)
            if more:
                log.warning(
                    "the %s %r: %d times down for less than %g ms, not taken: twist its wire with"
                    " one of GND, and keep it from lamps and mains",
                    *(contact.what, contact.name, more, contact.sure * 1000),
                )
                self._due = now + TOLD_S
                self._told[contact.name] = contact.spikes
                told.append(Spiked(f"{contact.what} {contact.name}", contact.spikes, now))
        return told


class _Watch:
    """The open buttons: edges are queued by the pin library's thread and judged in ours."""

    def __init__(self, buttons: Buttons, deliver: Deliver, *, timed: bool) -> None:
        self._buttons = buttons
        self._timed = timed
        self._deliver = deliver
        self._contacts: list[Contact] = []
        self._first: list[Event] = []
        # gpiozero holds handlers by weak reference only
        self._handlers: list[Callable[[Any, Any], None]] = []
        self._edges: deque[tuple[Contact, bool, float, float, bool]] = deque()
        self._spikes = Spikes()
        self.turns = buttons.sleeper("buttons", self._turn, clock=buttons.clock)

    def add(self, device: Any, contact: Contact) -> None:
        self._contacts.append(contact)
        active = not device.pull_up

        def edge(ticks: Any, state: Any) -> None:
            now = self._buttons.clock()
            at = self._buttons.edge_time(ticks, now) if self._timed else now
            self._edges.append((contact, bool(state) is active, at, now, _is_down(device)))
            self.turns.wake()

        self._handlers.append(edge)
        device.pin.edges = "both"
        device.pin.when_changed = edge
        self._first += contact.start(_is_down(device), self._buttons.clock())

    def _turn(self, now: float) -> float | None:
        self._hand_over(self._first)
        self._first = []
        while self._edges:
            contact, down, at, heard, still = self._edges.popleft()
            self._tick(at, look=False)
            self._hand_over(contact.edge(down, at, heard, still))
        self._tick(now, look=not self._edges)
        self._hand_over(self._spikes.look(self._contacts, now))
        return min(
            (due for contact in self._contacts if (due := contact.due()) is not None), default=None
        )

    def _tick(self, at: float, *, look: bool) -> None:
        for contact in self._contacts:
            self._hand_over(contact.tick(at, look=look))

    def _hand_over(self, events: list[Event]) -> None:
        for event in events:
            hand_over(self._deliver, event)
