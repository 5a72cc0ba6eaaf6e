"""Hands that type: a number pad, a presenter, a foot pedal, big switches; whatever a computer takes
for a keyboard.

    USB plug into any socket of the Pi, or the plug of its radio; its name stands in
    /dev/input/by-id/ and ends in "-event-kbd" (a pedal that is a mouse: "-event-mouse")

    keys = Keys(device="/dev/input/by-id/usb-…-event-kbd", keys={"page-down": "draw"})
    keys.open(deliver=print)                       # Pressed(button='draw', at=…), Released(…)
    keys.close()

    pad = Keys(device="/dev/input/by-id/usb-…-event-kbd", numbers=True)
    pad.open(deliver=print)                        # Keyed(keys='keys', number=4, done=False, at=…)
    pad.close()

Parameters: see `Keys`. The device is grabbed, so what it types comes here and nowhere else. A key
is the button that it is mapped to: down is pressed, up is let go, still down after `hold_s` is a
long press. With `numbers` the digits make a number, which is told with each of them; Enter ends it,
Backspace takes a digit back, Esc and a rest of `forget_s` take all of them. A number that is none
of 1 to 90 is `ReadRefused` at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from drivers import BadOption, Event, Keyed, ReadRefused, Refusal
from drivers.pins.button import Contact
from drivers.readers.keyboard import (
    CHARACTERS,
    DIGITS,
    DOWN,
    ENTERS,
    EV_KEY,
    EV_SYN,
    SYN_DROPPED,
    UP,
    AtKeyboard,
    Heard,
    Key,
)

BACKSPACE, ESCAPE = 14, 1
MOST_NUMBER = 90
LONGEST = 3  # digits; a number that is too long is to be seen so

_NAMES = (
    {"escape": ESCAPE, "backspace": BACKSPACE, "tab": 15, "enter": 28, "space": 57}
    | {"left-control": 29, "left-shift": 42, "left-alt": 56, "left-meta": 125}
    | {f"f{number}": 58 + number for number in range(1, 11)}
    | {"f11": 87, "f12": 88}
    | {"home": 102, "up": 103, "page-up": 104, "left": 105, "right": 106}
    | {"end": 107, "down": 108, "page-down": 109, "insert": 110, "delete": 111}
    | {"pad-star": 55, "pad-minus": 74, "pad-plus": 78, "pad-dot": 83, "pad-enter": 96}
    | {"pad-slash": 98, "mute": 113, "volume-down": 114, "volume-up": 115}
    | {"next-song": 163, "play-pause": 164, "previous-song": 165}
    | {"mouse-left": 272, "mouse-right": 273, "mouse-middle": 274}
    | {f"pad-{digit}": code for code, digit in DIGITS.items() if code > ENTERS[0]}
    | {text: code for code, text in CHARACTERS.items() if text != " " and code < 54}
)
# By linux/input-event-codes.h: what a key is called in the settings, and its code.
NAMES: Mapping[str, int] = MappingProxyType(_NAMES)


def key_code(name: str) -> int:
    """Return the code of a key by its name, or by the code itself, which `evtest` shows.

    >>> key_code("page-down"), key_code("b"), key_code("304")
    (109, 48, 304)

    Raises:
        BadOption: no key is called so.
    """
    if name in NAMES:
        return NAMES[name]
    if name.isdecimal() and len(name) == 3:
        return int(name)
    raise BadOption(
        f"no key is called {name!r}: a letter, or {', '.join(n for n in NAMES if len(n) > 1)}, or"
        " its code of three digits"
    )


class Typing:
    """A number as it is typed, key by key. Pure.

    Args:
        keys: what its events call the device.
        forget_s: seconds without a key after which it is forgotten.

    >>> typing = Typing("keys", 30.0)
    >>> [typing.key(code, 1.0)[0].number for code in (80, 76, 14, 79)]    # 2, 5, back, 1
    [2, 25, 2, 21]
    >>> typing.key(96, 1.0)
    [Keyed(keys='keys', number=21, done=True, at=1.0)]
    """

    def __init__(self, keys: str, forget_s: float) -> None:
        self._keys = keys
        self._forget = forget_s
        self._text = ""
        self._at = 0.0

    def takes(self, code: int) -> bool:
        """Return whether a key belongs to numbers."""
        return code in DIGITS or code in ENTERS or code in (BACKSPACE, ESCAPE)

    def key(self, code: int, at: float) -> list[Event]:
        """Take a key that went down; return its events."""
        before, self._at = self._text, at
        if code in ENTERS:
            return self._ended(at)
        if code in DIGITS:
            self._text = (before + DIGITS[code])[:LONGEST]
        else:
            self._text = before[:-1] if code == BACKSPACE else ""
        return self._told(at) if self._text != before else []

    def rest(self, at: float) -> list[Event]:
        """Take the passing of time: forget a number that nobody ended."""
        return self.clear(at) if at - self._at >= self._forget else []

    def clear(self, at: float) -> list[Event]:
        """Forget the digits."""
        had, self._text = bool(self._text), ""
        return self._told(at) if had else []

    def _told(self, at: float) -> list[Event]:
        return [Keyed(self._keys, int(self._text) if self._text else None, False, at)]

    def _ended(self, at: float) -> list[Event]:
        text, self._text = self._text, ""
        if not text:
            return []
        if not 1 <= int(text) <= MOST_NUMBER:
            return [Keyed(self._keys, None, False, at), ReadRefused(self._keys, Refusal.FORM, at)]
        return [Keyed(self._keys, int(text), True, at)]


@dataclass(kw_only=True, eq=False)
class Keys(AtKeyboard):
    """One device that types.

    Args:
        name: what its events call it; default "keys".
        keys: the button of each key, such as {"page-down": "draw"}: see `NAMES`.
        numbers: whether digits make a number; default False.
        hold_s: seconds after which a press is a long one; default 3.
        stuck_s: seconds a key may be held before it is a fault; default 5.
        freed_s: seconds a stuck key must be up before it counts again; default 1.
        forget_s: seconds after which a number that nobody ended is forgotten; default 30.
        others: as of `AtKeyboard`.

    Raises:
        BadOption: an option that cannot be used.
        DeviceMissing: evdev is not installed.
    """

    name: str = "keys"
    keys: Mapping[str, str] = field(default_factory=dict)
    numbers: bool = False
    hold_s: float = 3.0
    stuck_s: float = 5.0
    freed_s: float = 1.0
    forget_s: float = 30.0

    def __post_init__(self) -> None:
        if not self.keys and not self.numbers:
            raise BadOption(
                f"{self.name}: no keys: give one and its button, or numbers = true for a number pad"
            )
        if not 0 < self.hold_s < self.stuck_s or self.freed_s <= 0 or self.forget_s <= 0:
            raise BadOption(
                f"{self.name}: hold_s={self.hold_s:g} must be above 0 and shorter than"
                f" stuck_s={self.stuck_s:g}; freed_s and forget_s must be above 0"
            )
        self._codes: dict[int, str] = {}
        for key, button in self.keys.items():
            code = key_code(key)
            if self.numbers and self._typing().takes(code):
                raise BadOption(f"{self.name}: the key {key!r} makes numbers: choose another one")
            if code in self._codes:
                raise BadOption(f"{self.name}: the key {key!r} is there twice: name it once")
            self._codes[code] = button
        super().__post_init__()

    def _typing(self) -> Typing:
        return Typing(self.name, self.forget_s)

    def hearing(self) -> Heard:
        """Return what makes presses and numbers of the keys."""
        typing = self._typing() if self.numbers else None
        times = (0.0, self.hold_s, self.stuck_s, self.freed_s, 0.0)
        contacts = {
            code: Contact(button, code, *times, place=f"key {code} of the {self.name}")
            for code, button in self._codes.items()
        }
        hand = _Hand(typing, contacts)

        def heard(keys: Iterable[Key] | None) -> Sequence[Event]:
            now = self.clock()
            events = [event for key in keys or () for event in hand.take(key, now)]
            return events + hand.rest(now)

        return heard


@dataclass
class _Hand:
    """What the keys of an open device are: a number, and buttons."""

    typing: Typing | None
    contacts: Mapping[int, Contact]

    def take(self, key: Key, at: float) -> list[Event]:
        """Take one event of the device."""
        if key.type == EV_SYN and key.code == SYN_DROPPED:
            # The kernel lost keys: no number may be made of the rest, and no button be held.
            cleared = self.typing.clear(at) if self.typing else []
            return cleared + [e for one in self.contacts.values() for e in self._up(one, at)]
        if key.type != EV_KEY:
            return []
        if (contact := self.contacts.get(key.code)) is not None:
            if key.value == UP:
                return self._up(contact, at)
            return contact.edge(True, at) if key.value == DOWN else []
        if self.typing is None or key.value != DOWN or not self.typing.takes(key.code):
            return []
        return self.typing.key(key.code, at)

    def rest(self, at: float) -> list[Event]:
        """Take the passing of time."""
        events = self.typing.rest(at) if self.typing else []
        return events + [event for one in self.contacts.values() for event in one.tick(at)]

    @staticmethod
    def _up(contact: Contact, at: float) -> list[Event]:
        return contact.edge(False, at) + contact.tick(at)
