"""Readers that are a keyboard: they type a tag's number as ten decimal digits and Enter.

    USB plug into any socket of the Pi; its name stands in /dev/input/by-id/ and ends in
    "-event-kbd"

    reader = Wedge(device="/dev/input/by-id/usb-…-event-kbd")
    reader.open(deliver=print)                     # TagRead(reader='reader', tag=6547886, at=…)
    reader.close()

The keyboard is grabbed: what the reader types comes here and nowhere else, so digits never reach
the console or a page. Needs the library evdev, which comes from Debian (python3-evdev), and a user
in the group input.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial

from drivers import BadOption, Clock, Event, Refusal
from drivers.readers.cable import Cabled, Line, check_gone
from drivers.readers.frames import Found, Habit, Tag
from drivers.readers.keyboard import DIGITS, Connect, Key, KeyLine, TypedLines, check_device, evdev
from drivers.readers.tray import Tray
from drivers.sleeper import MakeTurns, Sleeper

LENGTH = 10


class Typed:
    """A decoder of tags from keys, however they are cut. Pure.

    >>> class Press:
    ...     def __init__(self, code): self.type, self.code, self.value = 1, code, 1
    >>> Typed().feed(Press(code) for code in (11, 11, 11, 7, 6, 5, 8, 9, 9, 7, 28))
    [Tag(number=6547886, version=0)]
    """

    def __init__(self) -> None:
        self._lines = TypedLines(DIGITS, LENGTH)

    def feed(self, keys: Iterable[Key]) -> list[Found]:
        """Return the tags and refusals that these keys complete, in order."""
        return [_meant(line) for line in self._lines.feed(keys)]

    def silence(self) -> list[Found]:
        """Note a pause in typing: a number that has begun will not end. Return its refusal."""
        return [Refusal.FORM] if self._lines.silence() else []


def _meant(line: str | None) -> Found:
    text = line or ""
    if len(text) != LENGTH or int(text) >= 1 << 32:
        return Refusal.FORM
    return Tag(int(text)) if int(text) else Refusal.ZERO


class Wedge(Cabled):
    """One keyboard reader.

    Args:
        device: its path, best the name under /dev/input/by-id/ that ends in "-event-kbd".
        name: what its events call it; default "reader".
        firmware: what it does while a tag rests, a name in `drivers.readers.frames.Habit`; default
            "entry": it types a tag when it comes.
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
        check_device(name, device)
        if firmware not in [*Habit]:
            raise BadOption(
                f"{name}: no firmware is called {firmware!r}: there are {', '.join(Habit)}"
            )
        check_gone(name, gone_s)
        super().__init__(name, device, clock, sleeper)
        self._connect = connect or evdev(name)
        self._make_tray = partial(Tray, name, gone_s, Habit(firmware))

    def _begin(self) -> None:
        self._tray = self._make_tray()  # empty, as far as known

    def _plug_in(self) -> Line:
        typed = Typed()

        def heard(keys: Iterable[Key] | None) -> Sequence[Event]:
            found = typed.silence() if keys is None else typed.feed(keys)
            events = [event for one in found for event in self._tray.judge(one, self._clock())]
            return events if keys is not None else [*events, *self._tray.quiet(self._clock())]

        return KeyLine(self._connect(self._where), heard)
