"""Make the QR codes that telephones read: off a screen, off paper."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import segno

QUIET = 4  # modules that stay white around a code: ISO/IEC 18004
# from this many digits on they are worth a part of their own, in which three take ten bits
_DIGITS = re.compile(r"(\d{20,})", re.ASCII)


def qr_code(text: str) -> Any:
    """Return the `segno.QRCode` of a text; long rows of digits in it are packed as such.

    Of a text of an address and digits it is a fifth smaller by that.
    """
    parts: Any = [part for part in _DIGITS.split(text) if part]
    return segno.make(parts, error="l", micro=False, boost_error=False)


@lru_cache(maxsize=4)  # the same one is drawn again and again
def qr_rows(text: str) -> tuple[tuple[bool, ...], ...]:
    """Return the modules of a text's code, row by row, True for a dark one; without the quiet ring
    that belongs around it."""
    return tuple(tuple(map(bool, row)) for row in qr_code(text).matrix)
