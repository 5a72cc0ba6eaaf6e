"""Readers that are a keyboard: they type a tag's number as ten decimal digits and Enter.

    USB plug into any socket of the Pi; its name stands in /dev/input/by-id/ and ends in "-event-kbd"

    reader = Wedge(device="/dev/input/by-id/usb-…-event-kbd")
    reader.open(deliver=print)                     # TagRead(reader='reader', tag=6547886, at=…)
    reader.close()

The keyboard is grabbed: what the reader types comes here and nowhere else, so digits never reach the console or a page. Needs the
library evdev, which comes from Debian (python3-evdev), and a user in the group input.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeAlias

from drivers import BadOption, Clock, Deliver, DeviceMissing, Event, Refusal
from drivers.cable import Cabled, Line
from drivers.frames import Found, Habit, Tag
from drivers.sleeper import MakeTurns, Sleeper
from drivers.tray import Tray

QUIET_S = 0.2
DIGITS = 10

# linux/input-event-codes.h: kinds of events, values of a key, and the keys of the digits, above the letters and at the right.
EV_SYN, EV_KEY, SYN_DROPPED = 0, 1, 3
DOWN = 1
KEYS = {code: str(digit) for digit, code in enumerate((11, *range(2, 11)))}
KEYS |= dict(zip((82, 79, 80, 81, 75, 76, 77, 71, 72, 73), "0123456789", strict=True))
ENTERS = (28, 96)
# Shift, Caps Lock, Num Lock: a reader that is set to another country's keyboard presses them around its digits.
SILENT = (42, 54, 58, 69)


class Key(Protocol):
    """An event of a keyboard, as the kernel and evdev have it."""

    @property
    def type(self) -> int:
        """What kind of event it is."""

    @property
    def code(self) -> int:
        """Which key."""

    @property
    def value(self) -> int:
        """0 up, 1 down, 2 held."""


class Keyboard(Protocol):
    """An open input device, as `evdev.InputDevice` is one."""

    def fileno(self) -> int:
        """Readable when keys have come."""

    def grab(self) -> None:
        """Nobody else gets its keys. Raises `OSError` when another program has done that."""

    def read(self) -> Iterable[Key]:
        """The events that have come. Raises `BlockingIOError` when none have, `OSError` when it was unplugged."""

    def close(self) -> None:
        """Let go of it."""


Connect: TypeAlias = Callable[[str], Keyboard]


class Typed:
    """Tags out of keys, however they are cut. Pure.

    >>> class Press:
    ...     def __init__(self, code): self.type, self.code, self.value = EV_KEY, code, DOWN
    >>> Typed().feed(Press(code) for code in (11, 11, 11, 7, 6, 5, 8, 9, 9, 7, 28))
    [Tag(number=6547886, version=0)]
    """

    def __init__(self) -> None:
        self._text = ""

    def feed(self, keys: Iterable[Key]) -> list[Found]:
        """What these keys complete, in order."""
        found: list[Found] = []
        for key in keys:
            if key.type == EV_SYN and key.code == SYN_DROPPED:
                self._text = "?"  # the kernel lost keys: what was typed is not whole
            elif key.type != EV_KEY or key.value != DOWN or key.code in SILENT:
                continue
            elif key.code in ENTERS:
                text, self._text = self._text, ""
                found.append(_meant(text))
            elif len(self._text) <= DIGITS:
                self._text += KEYS.get(key.code, "?")
        return found

    def silence(self) -> list[Found]:
        """Nothing has been typed for a while: a number that has begun will not end."""
        torn, self._text = bool(self._text), ""
        return [Refusal.FORM] if torn else []


def _meant(text: str) -> Found:
    if len(text) != DIGITS or "?" in text or int(text) >= 1 << 32:
        return Refusal.FORM
    return Tag(int(text)) if int(text) else Refusal.ZERO


class Wedge(Cabled):
    """One keyboard reader.

    Args:
        device: its path, best the name under /dev/input/by-id/ that ends in "-event-kbd".
        name: what its events call it; default "reader".
        firmware: what it does while a tag rests, a name in `drivers.frames.Habit`; default "entry": it types a tag when it comes.
        gone_s: seconds after which the same tag has been away; default 1.
        clock: monotonic seconds.
        sleeper: what takes its turns; by default a thread.
        connect: what opens the device; by default evdev.

    Raises:
        BadOption: an option that cannot be used.
        DeviceMissing: evdev is not installed.
    """

    def __init__(
        self,
        *,
        device: str,
        name: str = "reader",
        firmware: str = Habit.ENTRY.value,
        gone_s: float = 1.0,
        clock: Clock = time.monotonic,
        sleeper: MakeTurns = Sleeper,
        connect: Connect | None = None,
    ) -> None:
        if not device.startswith("/"):
            raise BadOption(f"{name}: device={device!r} is no path: ls /dev/input/by-id/*-event-kbd shows those there are")
        if firmware not in [*Habit]:
            raise BadOption(f"{name}: no firmware is called {firmware!r}: there are {', '.join(Habit)}")
        if gone_s <= 0:
            raise BadOption(f"{name}: gone_s={gone_s:g} must be above 0")
        super().__init__(name, device, self._plug_in, clock, sleeper)
        self._device = device
        self._habit = Habit(firmware)
        self._gone = gone_s
        self._connect = connect or evdev(name)
        self._tray = Tray(name, gone_s, self._habit)

    def open(self, deliver: Deliver) -> None:
        """Read from now on, as of an empty reader. A device that is not there is a `DeviceLost`, and is tried again.

        Raises:
            DriverError: open already.
        """
        if not self.running:
            self._tray = Tray(self._name, self._gone, self._habit)
        super().open(deliver)

    def _plug_in(self) -> Line:
        keyboard = self._connect(self._device)
        try:
            keyboard.grab()
        except BaseException:
            keyboard.close()
            raise
        return Typing(keyboard, self._tray, self._clock)


class Typing:
    """A reader that types by itself, at a grabbed keyboard."""

    rest_s = 0.0  # the look itself waits for keys

    def __init__(self, keyboard: Keyboard, tray: Tray, clock: Clock) -> None:
        self._keyboard = keyboard
        self._typed = Typed()
        self._tray = tray
        self._clock = clock

    def look(self) -> Sequence[Event]:
        """What has been typed, or has left meanwhile."""
        ready, _, _ = select.select([self._keyboard.fileno()], [], [], QUIET_S)
        found = self._typed.feed(self._keyboard.read()) if ready else self._typed.silence()
        events = [event for one in found for event in self._tray.judge(one, self._clock())]
        return events if ready else [*events, *self._tray.quiet(self._clock())]

    def cancel(self) -> None:
        """The look ends by itself, soon enough."""

    def hang_up(self) -> None:
        """Let go of the keyboard; it types for everybody again."""
        self._keyboard.close()


def evdev(name: str) -> Connect:
    """What opens a real keyboard.

    Raises:
        DeviceMissing: the library is not there.
    """
    try:
        from evdev import InputDevice
    except ImportError as error:
        fault = f"the {name} needs the library evdev: sudo apt-get install python3-evdev, then start again"
        raise DeviceMissing(fault) from error
    connect: Connect = InputDevice
    return connect
