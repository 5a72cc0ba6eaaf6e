"""Read tags from a reader that is a keyboard: it types a tag's number, and Enter.

What a line means is pure. A reader is set to one of these shapes with its maker's card. All of them
are parts of the same five bytes: the version, and the four of the number (V N N N N).

    10d    0006547886      N N N N as a decimal number: as readers come from the maker
    13d    0004301515182   V N N N N as a decimal number
    8h     0063E9AE        N N N N in hex digits
    10h    010063E9AE      V N N N N in hex digits
    5d5d   00099,59822     N N and N N, each as a decimal number
    3d5d   099,59822       only the last three bytes: N, and N N
    8d     06547886        only the last three bytes, as a decimal number

The same tag must have the same identity in all of them. So a shape is read unasked (`auto`) where a
line can mean nothing else: ten digits, thirteen, those with a comma, and hex digits with a letter
among them. Eight digits alone may be 8d, 3d5d or 8h, so they are refused until the settings name
the shape. Once a reader has typed ten hex digits with a letter, ten digits alone are refused, too.

Three bytes do not tell every tag from every other: they are read as such (`drivers.SHORT`), and the
station's table says which tag it is, if exactly one there ends so.

    >>> meant("0006547886"), meant("0063e9ae"), meant(";010063E9AE?")
    (Tag(number=6547886, version=0), Tag(number=6547886, version=0), Tag(number=6547886, version=1))
    >>> meant("06547886"), meant("06547886", TypedShape.D8).number - SHORT
    (<Refusal.FORM: 'form'>, 6547886)

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
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from drivers import SHORT, BadOption, Cure, Event, Misread, Refusal
from drivers.readers.cable import check_gone
from drivers.readers.frames import Found, Habit, Tag
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


class TypedShape(StrEnum):
    """How a reader types a tag's number."""

    AUTO = "auto"
    D10 = "10d"
    D13 = "13d"
    H8 = "8h"
    H10 = "10h"
    D5D5 = "5d5d"
    D3D5 = "3d5d"
    D8 = "8d"


def _number(base: int) -> Callable[[re.Match[str]], int]:
    return lambda line: int(line[0], base)


def _pair(line: re.Match[str]) -> int:
    high, low = int(line[1]), int(line[2])
    return high << 16 | low if low < 1 << 16 else -1


# Of each shape what a line looks like, how many bytes it has, and their number.
_FORMS: Mapping[TypedShape, tuple[re.Pattern[str], int, Callable[[re.Match[str]], int]]] = {
    TypedShape.D10: (re.compile(r"[0-9]{10}"), 4, _number(10)),
    TypedShape.D13: (re.compile(r"[0-9]{13}"), 5, _number(10)),
    TypedShape.H8: (re.compile(r"[0-9A-Fa-f]{8}"), 4, _number(16)),
    TypedShape.H10: (re.compile(r"[0-9A-Fa-f]{10}"), 5, _number(16)),
    TypedShape.D5D5: (re.compile(r"([0-9]{5}),([0-9]{5})"), 4, _pair),
    TypedShape.D3D5: (re.compile(r"([0-9]{3}),?([0-9]{5})"), 3, _pair),
    TypedShape.D8: (re.compile(r"[0-9]{8}"), 3, _number(10)),
}
_LETTER = re.compile(r"[A-Fa-f]")
_SENTINELS = re.compile(r";?(.*?)\??")  # of a magnetic card, which some readers copy


def shape_of(line: str) -> TypedShape | None:
    """Return the only shape that a line can have; None if there is none, or more than one."""
    if len(line) == 8 and "," not in line and not _LETTER.search(line):
        return None
    order = (
        TypedShape.D10,
        TypedShape.D13,
        TypedShape.H8,
        TypedShape.H10,
        TypedShape.D5D5,
        TypedShape.D3D5,
    )
    return next((shape for shape in order if _FORMS[shape][0].fullmatch(line)), None)


def meant(line: str, shape: TypedShape = TypedShape.AUTO) -> Found:
    """Return the tag that a typed line means, in a shape or in the only one that it can have."""
    text = bare(line)
    known = shape_of(text) if shape is TypedShape.AUTO else shape
    if known is None:
        return Refusal.FORM
    form, size, number = _FORMS[known]
    match = form.fullmatch(text)
    value = number(match) if match is not None else -1
    if not 0 <= value < 1 << 8 * size:
        return Refusal.FORM
    version, rest = divmod(value, 1 << 32)
    if not value or not (rest or version):
        return Refusal.ZERO
    return Tag(SHORT | rest if size == 3 else rest, version)


def bare(line: str) -> str:
    """Return a typed line without the signs around it."""
    text = _SENTINELS.fullmatch(line.strip())
    return text[1] if text is not None else line


def cure_of(line: str, shape: TypedShape, hexadecimal: bool) -> tuple[Cure, str]:
    """Return what helps against lines like this one, and the value of the setting.

    Args:
        hexadecimal: the reader has typed hex digits with a letter before.
    """
    text = bare(line)
    other = shape_of(text)
    if shape is not TypedShape.AUTO and other is not None and other is not shape:
        return Cure.SHAPE, other.value
    if re.fullmatch("[0-9A-Fa-f]{10}", text):
        return Cure.SHAPE, TypedShape.H10.value
    if re.fullmatch("[0-9A-Fa-f]{8}", text) and hexadecimal:
        return Cure.SHAPE, TypedShape.H8.value
    return Cure.TEN, ""


# -- the keyboard ----------------------------------------------------------------------------------

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
        shape: what it types; see `drivers.readers.wedge`.

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
        shape: what it types, a name in `drivers.readers.wedge.TypedShape`; default "auto": what can
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
