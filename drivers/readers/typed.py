"""Read a tag's number from what a keyboard reader types. Pure.

A reader is set to one of these shapes with its maker's card. All of them are parts of the same five
bytes: the version, and the four of the number (V N N N N).

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

Three bytes do not tell every tag from every other: they are read as such (`drivers.SHORT`), and
the station's table says which tag it is, if exactly one there ends so.

    >>> meant("0006547886"), meant("0063e9ae"), meant(";010063E9AE?")
    (Tag(number=6547886, version=0), Tag(number=6547886, version=0), Tag(number=6547886, version=1))
    >>> meant("06547886"), meant("06547886", TypedShape.D8).number - SHORT
    (<Refusal.FORM: 'form'>, 6547886)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum

from drivers import SHORT, Cure, Refusal
from drivers.readers.frames import Found, Tag


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
