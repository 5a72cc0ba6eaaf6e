"""Read devices that are a keyboard: grab them, so that no key goes elsewhere, and read by lines.

Such a reader or scanner types what it has read and presses Enter. Keys are told by their place: the
device must be set to a keyboard of the United States, as they all are when they are new. Needs the
library evdev, which comes from Debian (python3-evdev), and a user in the group input.
"""

from __future__ import annotations

import select
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol, TypeAlias

from drivers import BadOption, DeviceMissing, Event
from drivers.given import missing_library
from drivers.readers.cable import Cabled, Line

QUIET_S = 0.2

# linux/input-event-codes.h: kinds of events, values of a key, and the keys.
EV_SYN, EV_KEY, SYN_DROPPED = 0, 1, 3
UP, DOWN = 0, 1
ENTERS = (28, 96)
TAB = 15
SHIFTS = (42, 54)
# Shift, Caps Lock, Num Lock: a reader that is set to another country's keyboard presses them around
# its digits.
SILENT = (*SHIFTS, 58, 69)


def _row(first: int, characters: str) -> dict[int, str]:
    return dict(enumerate(characters, first))


# Above the letters and at the right, where the numbers are in another order.
DIGITS = _row(2, "1234567890") | dict(
    zip((82, 79, 80, 81, 75, 76, 77, 71, 72, 73), "0123456789", strict=True)
)
CHARACTERS = MappingProxyType(
    DIGITS
    | _row(12, "-=")
    | _row(16, "qwertyuiop[]")
    | _row(30, "asdfghjkl;'`")
    | _row(43, "\\zxcvbnm,./")
    | {57: " "}
)
WITH_SHIFT = MappingProxyType(
    _row(2, "!@#$%^&*()_+")
    | _row(16, "QWERTYUIOP{}")
    | _row(30, 'ASDFGHJKL:"~')
    | _row(43, "|ZXCVBNM<>?")
    | {57: " "}
)


class Key(Protocol):
    """An event of a keyboard, as the kernel and evdev have it."""

    @property
    def type(self) -> int:
        """Return the kind of event."""

    @property
    def code(self) -> int:
        """Return which key it is."""

    @property
    def value(self) -> int:
        """Return 0 for up, 1 for down, 2 for held."""


class Keyboard(Protocol):
    """An open input device, as `evdev.InputDevice` is one."""

    def fileno(self) -> int:
        """Return a descriptor that is readable when keys have come."""

    def grab(self) -> None:
        """Take the keyboard's keys for this program alone.

        Raises:
            OSError: another program has done that.
        """

    def read(self) -> Iterable[Key]:
        """Return the events that have come.

        Raises:
            BlockingIOError: none have.
            OSError: it was unplugged.
        """

    def close(self) -> None:
        """Close the device."""


Connect: TypeAlias = Callable[[str], Keyboard]
Heard: TypeAlias = Callable[[Iterable[Key] | None], Sequence[Event]]


class TypedLines:
    """A decoder of lines from keys, however they are cut. Pure.

    Args:
        characters: what each key types; any other spoils its line.
        most: characters of a line that could mean something; a longer one is spoilt.
        shifted: what keys type while Shift is down, where that is another character.
        ends: the keys that end a line.

    >>> class Press:
    ...     def __init__(self, code): self.type, self.code, self.value = EV_KEY, code, DOWN
    >>> TypedLines(CHARACTERS, 10).feed(Press(code) for code in (11, 30, 12, 2, 28, 1, 28))
    ['0a-1', None]
    """

    def __init__(
        self,
        characters: Mapping[int, str],
        most: int,
        shifted: Mapping[int, str] = MappingProxyType({}),
        ends: Collection[int] = ENTERS,
    ) -> None:
        self._characters = characters
        self._shifted = shifted
        self._most = most
        self._ends = ends
        self._shift: set[int] = set()
        self._text = ""
        self._spoilt = False

    def feed(self, keys: Iterable[Key]) -> list[str | None]:
        """Return the lines that these keys end, in order; None for a spoilt one."""
        lines: list[str | None] = []
        for key in keys:
            if key.type == EV_SYN and key.code == SYN_DROPPED:
                self._spoilt = True  # the kernel lost keys: what was typed is not whole
                self._shift.clear()
            elif key.type != EV_KEY:
                continue
            elif key.code in SHIFTS:
                self._hold(key)
            elif key.value != DOWN or key.code in SILENT:
                continue
            elif key.code in self._ends:
                lines.append(None if self._spoilt else self._text)
                self._forget()
            else:
                self._type(key.code)
        return lines

    def silence(self) -> bool:
        """Note a pause in typing: a line that has begun will not end. Return whether one had."""
        torn = self._spoilt or bool(self._text)
        self._forget()
        return torn

    def _hold(self, key: Key) -> None:
        if key.value == UP:
            self._shift.discard(key.code)
        else:
            self._shift.add(key.code)

    def _type(self, code: int) -> None:
        plain = self._characters.get(code)
        character = self._shifted.get(code, plain) if self._shift else plain
        if character is None or len(self._text) == self._most:
            self._spoilt = True
        else:
            self._text += character

    def _forget(self) -> None:
        self._text, self._spoilt = "", False


class KeyLine:
    """A grabbed keyboard as a line of `drivers.readers.cable`.

    Args:
        keyboard: an open one; it is closed again if it cannot be grabbed.
        heard: returns the events of these keys, or of a silence if there are none.

    Raises:
        OSError: another program has grabbed it.
    """

    rest_s = 0.0  # the look itself waits for keys

    def __init__(self, keyboard: Keyboard, heard: Heard) -> None:
        self._keyboard = keyboard
        self._heard = heard
        try:
            keyboard.grab()
        except BaseException:
            keyboard.close()
            raise

    def look(self) -> Sequence[Event]:
        """Return the events of what was typed, or left meanwhile."""
        ready, _, _ = select.select([self._keyboard.fileno()], [], [], QUIET_S)
        return self._heard(self._keyboard.read() if ready else None)

    def cancel(self) -> None:
        """Do nothing: the look ends by itself, soon enough."""

    def hang_up(self) -> None:
        """Release the keyboard; it types for everybody again."""
        self._keyboard.close()


@dataclass(kw_only=True, eq=False)
class AtKeyboard(Cabled):
    """A driver whose device is a keyboard.

    Args:
        device: its path, best the name under /dev/input/by-id/ that ends in "-event-kbd".
        connect: what opens the device; by default evdev.
        others: as of `Cabled`.

    Raises:
        BadOption: the device is no path, whether it is there or not.
        DeviceMissing: evdev is not installed.
    """

    device: str
    connect: Connect | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.where = self.device
        if not self.device.startswith("/"):
            raise BadOption(
                f"{self.name}: device={self.device!r} is no path: ls /dev/input/by-id/*-event-kbd"
                " shows those there are"
            )
        self._connect = self.connect or evdev(self.name)

    def plug_in(self) -> Line:
        """Grab the keyboard."""
        return KeyLine(self._connect(self.device), self.hearing())

    def hearing(self) -> Heard:
        """Return what makes events of keys, or of a silence (None); anew at each plugging in."""
        raise NotImplementedError


def evdev(name: str) -> Connect:
    """Return the function that opens a real keyboard.

    Raises:
        DeviceMissing: the library is not there.
    """
    try:
        from evdev import InputDevice
    except ImportError as error:
        raise DeviceMissing(missing_library(f"the {name}", "evdev")) from error
    connect: Connect = InputDevice
    return connect
