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

Parameters: see `Buttons`. The first edge is the press, with no delay. A button comes up when the
line has been quiet for `deaf_ms`; until then every edge is a bounce of the same press. One still
down after `hold_s` is a long press: `Held`. A button held at the start, or longer than `stuck_s`,
is a fault (H7): `DeviceLost`, no `Released`, and nothing of it counts until it has been up for
`freed_s`; then `DeviceFound`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any

import gpiozero

from drivers import BadOption, Deliver, DeviceFound, DeviceLost, Event, Held, Pressed, Released
from drivers.pins.gpio import PinDevice, free_device, taking
from drivers.sleeper import Turns, hand_over


class _Is(Enum):
    UP = "up"
    DOWN = "down"
    STUCK = "stuck"


@dataclass(slots=True)
class Contact:
    """A button's contact as a pure machine: levels and times in, events out. Times are seconds.

    The outcome depends on the levels and their times alone: `tick` may be called at any other time,
    often or late. Before it is called held, or stuck, `still_down` asks the pin itself: the edge of
    its release may have been lost in the kernel.

    Attributes:
        what: what sentences call it.
        place: where it is wired; by default its GPIO number.
    """

    name: str
    pin: int
    deaf: float = 0.05
    hold: float = 3.0
    stuck: float = 5.0
    freed: float = 1.0
    still_down: Callable[[], bool] = lambda: True
    what: str = "button"
    place: str = ""
    _is: _Is = field(default=_Is.UP, init=False)
    _since: float = field(default=0.0, init=False)
    _long: bool = field(default=False, init=False)  # this press was said to be a long one
    # when the line went up, if it is up while we are not
    _quiet: float | None = field(default=None, init=False)

    def start(self, down: bool, at: float) -> list[Event]:
        """Take the level found when watching begins; return its events."""
        return [self._stick(at, "is held down since the start")] if down else []

    def edge(self, down: bool, at: float) -> list[Event]:
        """Take a change of the line to this level; return its events."""
        events = self.tick(at)
        if self._is is not _Is.UP:
            if down:
                self._quiet = None
            elif self._quiet is None:
                self._quiet = at
        elif down:
            self._is, self._since, self._quiet, self._long = _Is.DOWN, at, None, False
            events.append(Pressed(self.name, at))
        return events

    def tick(self, at: float) -> list[Event]:
        """Take the passing of time; return its events."""
        due = self.due()
        if due is None or at < due:
            return []
        if self._is is _Is.DOWN and self._quiet is None:
            if not self.still_down():
                self._quiet = at
                return []
            if self._long:
                return [self._stick(at, f"has been held down for {self.stuck:g} s")]
            self._long = True
            return [Held(self.name, self.hold, due), *self.tick(at)]
        up = at if self._quiet is None else self._quiet
        was, self._is, self._quiet = self._is, _Is.UP, None
        if was is _Is.DOWN:
            return [Released(self.name, up - self._since, up)]
        return [DeviceFound(f"{self.what} {self.name}", at)]

    def due(self) -> float | None:
        """Return when `tick` will have an event, if no edge comes before; None if it has none."""
        if self._is is _Is.UP:
            return None
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
        deaf_ms: quiet time in milliseconds after which a button is up again; default 50.
        hold_s: seconds after which a press is a long one; default 3.
        stuck_s: seconds a button may be held before it is a fault; default 5.
        freed_s: seconds a stuck button must be up before it counts again; default 1.
        others: as of `PinDevice`.

    Raises:
        BadOption: an option that cannot be used.
    """

    pull_up: bool = True
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
        if not self.hold_s < self.stuck_s:
            raise BadOption(
                f"{self._what}: hold_s={self.hold_s:g} must be shorter than"
                f" stuck_s={self.stuck_s:g}, or no press is a long one"
            )

    def edge_time(self, ticks: float) -> float:
        """Return when an edge was, that the pin library times so: now, by the clock."""
        del ticks
        return self.clock()

    def _take(self, factory: Any, deliver: Deliver, stack: ExitStack) -> Turns:
        watch = _Watch(self, deliver)
        times = (self.deaf_ms / 1000, self.hold_s, self.stuck_s, self.freed_s)
        for name, pin in self.pins.items():
            with taking(self._what, name, pin):
                device = gpiozero.InputDevice(pin, pull_up=self.pull_up, pin_factory=factory)
                stack.callback(free_device, device)
                down = partial(_is_down, device)
                watch.add(device, Contact(name, pin, *times, still_down=down, what=self._what))
        return watch.turns


def _is_down(device: Any) -> bool:
    return bool(device.is_active)


class _Watch:
    """The open buttons: edges are queued by the pin library's thread and judged in ours."""

    def __init__(self, buttons: Buttons, deliver: Deliver) -> None:
        self._buttons = buttons
        self._deliver = deliver
        self._contacts: list[Contact] = []
        self._first: list[Event] = []
        # gpiozero holds handlers by weak reference only
        self._handlers: list[Callable[[Any, Any], None]] = []
        self._edges: deque[tuple[Contact, bool, float]] = deque()
        self.turns = buttons.sleeper("buttons", self._turn, clock=buttons.clock)

    def add(self, device: Any, contact: Contact) -> None:
        self._contacts.append(contact)
        active = not device.pull_up

        def edge(ticks: Any, state: Any) -> None:
            self._edges.append((contact, bool(state) is active, self._buttons.edge_time(ticks)))
            self.turns.wake()

        self._handlers.append(edge)
        device.pin.edges = "both"
        device.pin.when_changed = edge
        self._first += contact.start(_is_down(device), self._buttons.clock())

    def _turn(self, now: float) -> float | None:
        self._hand_over(self._first)
        self._first = []
        while self._edges:
            contact, down, at = self._edges.popleft()
            self._tick(at)
            self._hand_over(contact.edge(down, at))
        self._tick(now)
        return min(
            (due for contact in self._contacts if (due := contact.due()) is not None), default=None
        )

    def _tick(self, at: float) -> None:
        for contact in self._contacts:
            self._hand_over(contact.tick(at))

    def _hand_over(self, events: list[Event]) -> None:
        for event in events:
            hand_over(self._deliver, event)
