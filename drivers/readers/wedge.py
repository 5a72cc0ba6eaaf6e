"""Readers that are a keyboard: they type a tag's number, mostly as ten digits, and Enter.

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

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from drivers import BadOption, Event, Misread, Refusal
from drivers.readers.cable import check_gone
from drivers.readers.frames import Found, Habit
from drivers.readers.keyboard import (
    CHARACTERS,
    DIGITS,
    ENTERS,
    TAB,
    WITH_SHIFT,
    AtKeyboard,
    Heard,
    Key,
    TypedLines,
)
from drivers.readers.strange import TIMES, Shapes
from drivers.readers.tray import Tray
from drivers.readers.typed import TypedShape, bare, cure_of, meant, shape_of

log = logging.getLogger(__name__)


LONGEST = 24  # characters of a line that is shown to a person
KEYS = MappingProxyType(
    DIGITS | {code: sign for code, sign in CHARACTERS.items() if sign in "abcdef,;"}
)
SHIFTED = MappingProxyType({code: sign for code, sign in WITH_SHIFT.items() if sign in "ABCDEF?"})


class Typed:
    """A decoder of tags from keys, however they are cut. Pure. Enter or Tab ends a line; an empty
    line is nothing, since some readers press both, or Enter twice.

    Args:
        reader: what events call it.
        shape: what it types; see `drivers.readers.typed`.

    >>> class Press:
    ...     def __init__(self, code): self.type, self.code, self.value = 1, code, 1
    >>> Typed().feed(Press(code) for code in (11, 11, 11, 7, 6, 5, 8, 9, 9, 7, 28))
    [Tag(number=6547886, version=0)]
    """

    def __init__(self, shape: TypedShape = TypedShape.AUTO, reader: str = "reader") -> None:
        self._lines = TypedLines(KEYS, LONGEST, SHIFTED, (*ENTERS, TAB))
        self._shape = shape
        self._reader = reader
        self._shapes = Shapes()
        self._hex: set[int] = set()  # the lengths of lines that had a hex letter in them
        self._strange: list[str] = []

    def feed(self, keys: Iterable[Key]) -> list[Found]:
        """Return the tags and refusals that these keys complete, in order."""
        return [self._meant(line) for line in self._lines.feed(keys) if line != ""]

    def silence(self) -> list[Found]:
        """Note a pause in typing: a number that has begun will not end. Return its refusal."""
        return [Refusal.FORM] if self._lines.silence() else []

    def told(self, at: float) -> list[Misread]:
        """Return what is to be told of lines that came since this was asked for last."""
        lines, self._strange = self._strange, []
        return [told for line in lines if (told := self._look(line, at)) is not None]

    def _meant(self, line: str | None) -> Found:
        if line is None:
            return Refusal.FORM
        text = bare(line)
        if self._shape is TypedShape.AUTO and shape_of(text) in (TypedShape.H8, TypedShape.H10):
            if len(text) == 10 and 10 not in self._hex:
                self._strange += [line] * TIMES  # until it is set, digits alone mean another tag
            self._hex.add(len(text))
        found = meant(line, self._shape)
        if found is Refusal.FORM or self._in_doubt(text):
            self._strange.append(line)
            return Refusal.FORM
        return found

    def _in_doubt(self, text: str) -> bool:
        """Return whether ten digits come from a reader that types hex digits."""
        return (
            self._shape is TypedShape.AUTO and shape_of(text) is TypedShape.D10 and 10 in self._hex
        )

    def _look(self, line: str, at: float) -> Misread | None:
        text = bare(line)
        kind = "h" if len(text) in self._hex else "d" if text.isdecimal() else "x"
        if not self._shapes.third(f"{len(text)} {kind}", at):
            return None
        cure, setting = cure_of(line, self._shape, len(text) in self._hex)
        log.warning("%s: it types %d characters: %r", self._reader, len(text), line)
        return Misread(self._reader, line, len(text), cure, setting, at, typed=True)


@dataclass(kw_only=True, eq=False)
class Wedge(AtKeyboard):
    """One keyboard reader.

    Args:
        name: what its events call it; default "reader".
        firmware: what it does while a tag rests, a name in `drivers.readers.frames.Habit`; default
            "entry": it types a tag when it comes.
        gone_s: seconds after which the same tag has been away; default 1.
        shape: what it types, a name in `drivers.readers.typed.TypedShape`; default "auto": what can
            mean one thing only.
        others: as of `AtKeyboard`.

    Raises:
        BadOption: an option that cannot be used.
        DeviceMissing: evdev is not installed.
    """

    name: str = "reader"
    firmware: str = Habit.ENTRY.value
    gone_s: float = 1.0
    shape: str = TypedShape.AUTO.value

    def __post_init__(self) -> None:
        if self.shape not in [*TypedShape]:
            known = ", ".join(TypedShape)
            raise BadOption(f"{self.name}: no shape is called {self.shape!r}: there are {known}")
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
        self._typed = Typed(TypedShape(self.shape), self.name)

    def hearing(self) -> Heard:
        """Return what makes readings of the keys."""
        typed = self._typed
        typed.silence()  # half a line before it was plugged in

        def heard(keys: Iterable[Key] | None) -> Sequence[Event]:
            now = self.clock()
            found = typed.silence() if keys is None else typed.feed(keys)
            return [*self._tray.hear(found, now, silent=keys is None), *typed.told(now)]

        return heard
