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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from drivers import BadOption, Event, Refusal
from drivers.readers.cable import check_gone
from drivers.readers.frames import Found, Habit, Tag
from drivers.readers.keyboard import DIGITS, AtKeyboard, Heard, Key, TypedLines
from drivers.readers.tray import Tray

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


@dataclass(kw_only=True, eq=False)
class Wedge(AtKeyboard):
    """One keyboard reader.

    Args:
        name: what its events call it; default "reader".
        firmware: what it does while a tag rests, a name in `drivers.readers.frames.Habit`; default
            "entry": it types a tag when it comes.
        gone_s: seconds after which the same tag has been away; default 1.
        others: as of `AtKeyboard`.

    Raises:
        BadOption: an option that cannot be used.
        DeviceMissing: evdev is not installed.
    """

    name: str = "reader"
    firmware: str = Habit.ENTRY.value
    gone_s: float = 1.0

    def __post_init__(self) -> None:
        if self.firmware not in [*Habit]:
            known = ", ".join(Habit)
            raise BadOption(
                f"{self.name}: no firmware is called {self.firmware!r}: there are {known}"
            )
        check_gone(self.name, self.gone_s)
        super().__post_init__()

    def begin(self) -> None:
        """Take the reader for empty."""
        self._tray = Tray(self.name, self.gone_s, Habit(self.firmware))

    def hearing(self) -> Heard:
        """Return what makes readings of the keys."""
        typed = Typed()

        def heard(keys: Iterable[Key] | None) -> Sequence[Event]:
            found = typed.silence() if keys is None else typed.feed(keys)
            return self._tray.hear(found, self.clock(), silent=keys is None)

        return heard
