"""Read what a scanner typed through the layout of another keyboard, or with marks around the code.

A scanner sends the places of keys, as on an American keyboard. A computer that is set to another
language makes other characters of them: `A000123` becomes `Qààà&é"` in France. Each layout below is
the characters that its keys write where an American keyboard writes `AMERICAN`, without Shift and
with it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache

LONGEST = 64  # characters that are worth reading

AMERICAN = (
    "1234567890-qwertyuiopasdfghjkl;zxcvbnm,./",
    "!@#$%^&*()_QWERTYUIOPASDFGHJKL:ZXCVBNM<>?",
)

# By the name of each layout: its keys at the places of `AMERICAN`.
LAYOUTS: dict[str, tuple[str, str]] = {
    "French": (
        "&é\"'(-è_çà)azertyuiopqsdfghjklmwxcvbn,;:!",
        "1234567890°AZERTYUIOPQSDFGHJKLMWXCVBN?./§",
    ),
    "Belgian": (
        "&é\"'(§è!çà)azertyuiopqsdfghjklmwxcvbn,;:=",
        "1234567890°AZERTYUIOPQSDFGHJKLMWXCVBN?./+",
    ),
    "German": (
        "1234567890ßqwertzuiopasdfghjklöyxcvbnm,.-",
        '!"§$%&/()=?QWERTZUIOPASDFGHJKLÖYXCVBNM;:_',
    ),
    "Swiss": (
        "1234567890'qwertzuiopasdfghjkléyxcvbnm,.-",
        '+"*ç%&/()=?QWERTZUIOPASDFGHJKLöYXCVBNM;:_',
    ),
    "Czech": (
        "+ěščřžýáíé=qwertzuiopasdfghjklůyxcvbnm,.-",
        '1234567890%QWERTZUIOPASDFGHJKL"YXCVBNM?:_',
    ),
    "Slovak": (
        "+ľščťžýáíé=qwertzuiopasdfghjklôyxcvbnm,.-",
        '1234567890%QWERTZUIOPASDFGHJKL"YXCVBNM?:_',
    ),
    "Hungarian": (
        "123456789öüqwertzuiopasdfghjkléyxcvbnm,.-",
        "'\"+!%/=()ÖÜQWERTZUIOPASDFGHJKLÉYXCVBNM?:_",
    ),
    "Nordic": (
        "1234567890+qwertyuiopasdfghjkløzxcvbnm,.-",
        '!"#¤%&/()=?QWERTYUIOPASDFGHJKLØZXCVBNM;:_',
    ),
    "Latin": (
        "1234567890'qwertyuiopasdfghjklñzxcvbnm,.-",
        '!"·$%&/()=?QWERTYUIOPASDFGHJKLÑZXCVBNM;:_',
    ),
    "Dutch": (
        "1234567890/qwertyuiopasdfghjkl+zxcvbnm,.-",
        "!\"#$%&_()'?QWERTYUIOPASDFGHJKL±ZXCVBNM;:=",
    ),
    "Turkish": (
        "1234567890*qwertyuıopasdfghjklşzxcvbnmöç.",
        "!'^+%&/()=?QWERTYUIOPASDFGHJKLŞZXCVBNMÖÇ:",
    ),
    "Russian": (
        "1234567890-йцукенгшщзфывапролджячсмитьбю.",
        '!"№;%:?*()_ЙЦУКЕНГШЩЗФЫВАПРОЛДЖЯЧСМИТЬБЮ,',
    ),
}

# What some scanners put before a code: marks, or "]Q3" for the kind of the symbol.
KIND = re.compile(r"^\][A-Za-z][0-9A-Za-z]")
MARKS = ";:%?*~#$!<>()[]{}'\"&+=/\\|^`_ \t\r\n\x00\x02\x03\x1d"


# What a serial or a short code may be made of, as a reading of something else.
CODE = re.compile(r"[0-9A-Za-z]([0-9A-Za-z ./_-]*[0-9A-Za-z])?")


@cache
def _tables() -> tuple[dict[int, str], ...]:
    american = "".join(AMERICAN)
    return tuple(
        dict(zip(map(ord, lower + upper), american, strict=True))
        for lower, upper in LAYOUTS.values()
    )


def bare(text: str) -> str:
    """Return a code without the marks that a scanner puts around it.

    >>> bare(";A000123-K7QX?"), bare("]Q3A000123-K7QX")
    ('A000123-K7QX', 'A000123-K7QX')
    """
    return KIND.sub("", text.strip()).strip(MARKS)


def readings(text: str) -> Iterator[str]:
    """Yield what a scanner may have sent, by layout, each reading once; never the text itself.

    >>> "A000123-K7QX" in readings('Qààà&é")Kè' + "AX")
    True
    """
    if len(text) > LONGEST:
        return
    # One character each, whatever a keyboard is made of: accents in one, digits of any script.
    plain = "".join(_digit(letter) for letter in unicodedata.normalize("NFC", text))
    seen = {text}
    for read in (plain, *(plain.translate(table) for table in _tables())):
        for one in (read, bare(read)):
            if one not in seen and CODE.fullmatch(one):
                seen.add(one)
                yield one


def one_meant(text: str, find: Callable[[str], str | None]) -> str | None:
    """Return the one card that a scanner may have sent, where exactly one fits; else None.

    Args:
        text: as it was typed; `find` has found no card for it.
        find: returns the card that a text means, or None.
    """
    found = {serial for reading in readings(text) if (serial := find(reading)) is not None}
    return found.pop() if len(found) == 1 else None


def _digit(letter: str) -> str:
    value = unicodedata.decimal(letter, None)
    return letter if value is None else str(value)
