"""Number cards: serials that count, check characters that nobody can guess, a short code for QRs.

A serial is a series, a number and four check characters: `A000123-K7QX`. The number counts, so that
cards are sold by range. The check characters are twenty bits of SHAKE-256 over the hall's key and
the number: whoever has every other card of the pack still finds this one's with chance 1 in
1,048,576 at a try, and a slip of the pen is found as surely.

The short code is ten characters, which the smallest QR symbol holds with its strongest correction.
It is the number and twenty zero bits, enciphered as one: a Feistel network of ten rounds (as in
NIST SP 800-38G) keyed by BLAKE2b. It neither shows where a card stands in the pack nor can one be
made up: deciphered, the zeros must come back.

Characters are Crockford's thirty-two, without I, L, O, U; what a person reads wrongly (O for 0, I
or L for 1) is understood.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from station.base.errors import Unreadable
from station.base.tongue import tr

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
VALUES = {letter: value for value, letter in enumerate(ALPHABET)}
MISREAD = str.maketrans("OIL", "011")
CHECK = 4  # characters of five bits
CHECK_BITS = 5 * CHECK
BATCH = 256  # numbers whose check characters are drawn together
SHORT = 10  # characters of the short code
SHORT_BITS = 5 * SHORT
HALF_BITS = SHORT_BITS // 2
ROUNDS = 10
MOST = 1 << (SHORT_BITS - CHECK_BITS)  # numbers that a short code can hold
SHORTEST_KEY = 16
_SERIES = re.compile(r"[^\W\d_]*")
SERIAL = re.compile(r"([A-Z]{0,4})([0-9]{4,10})-([0-9A-Z]{4})")


@dataclass(frozen=True)
class Numbering:
    """How a hall numbers the cards of one series.

    Attributes:
        key: the hall's secret, at least 16 bytes; another key makes other check characters.
        series: up to four letters before the number.
        width: digits of the number, at least.

    >>> numbering = Numbering(b"sixteen bytes or more", "A", 6)
    >>> numbering.number_of(numbering.serial(123)), numbering.number_of_short(numbering.short(123))
    (123, 123)
    """

    key: bytes
    series: str = ""
    width: int = 6

    def __post_init__(self) -> None:
        """Check key and series.

        Raises:
            Unreadable: the key is too short, or the series is not up to four capital letters.
        """
        if (size := len(self.key)) < SHORTEST_KEY:
            raise Unreadable(
                tr(
                    "a key of {size} bytes can be guessed; it needs {least} or more",
                    size=size,
                    least=SHORTEST_KEY,
                )
            )
        if not re.fullmatch("[A-Z]{0,4}", series := self.series):
            raise Unreadable(
                tr("series {series!r} is not up to four capital letters from A to Z", series=series)
            )
        if not 4 <= self.width <= 10:
            raise Unreadable(tr("a number of {width} digits; it has 4 to 10", width=self.width))

    def serial(self, number: int) -> str:
        """Return the serial of one number."""
        return self.serials(number, 1)[0]

    def serials(self, first: int, count: int) -> list[str]:
        """Return the serials of `count` numbers, all of one length.

        Raises:
            Unreadable: a number below 0, or more than a short code can hold.
        """
        self.check_range(first, count)
        last = first + count - 1
        width = max(self.width, len(str(last)))
        numbers = np.arange(first, last + 1, dtype=np.int64)
        drawn = b"".join(self._batch(batch) for batch in range(first // BATCH, last // BATCH + 1))
        skipped = first % BATCH
        words = np.frombuffer(drawn, ">u4")[skipped : skipped + count]
        head = self.series.encode()
        lines = np.empty((count, len(head) + width + 1 + CHECK), np.uint8)
        lines[:, : len(head)] = np.frombuffer(head, np.uint8)
        for place in range(width):
            lines[:, len(head) + place] = numbers // 10 ** (width - 1 - place) % 10 + ord("0")
        lines[:, len(head) + width] = ord("-")
        letters = np.frombuffer(ALPHABET.encode(), np.uint8)
        for place in range(CHECK):
            lines[:, -1 - place] = letters[words >> (5 * place) & 31]
        text, length = lines.tobytes().decode("ascii"), lines.shape[1]
        return [text[start : start + length] for start in range(0, len(text), length)]

    def check_range(self, first: int, count: int) -> None:
        """Check that all numbers of a range can have serials.

        Raises:
            Unreadable: a number is below 0, or more than a short code can hold.
        """
        if first < 0 or first + count > MOST:
            raise Unreadable(
                tr(
                    "serials count from 0 to {most}, not from {first} to {last}",
                    most=MOST - 1,
                    first=first,
                    last=first + count - 1,
                )
            )

    def number_of(self, serial: str) -> int:
        """Return the number of a serial that was printed, keyed or scanned.

        Raises:
            Unreadable: it is no serial, of another series, or its check characters are not this
                hall's.
        """
        typed = serial.strip().upper()
        head, dash, check = typed.rpartition("-")
        found = SERIAL.fullmatch(f"{head}{dash}{check.translate(MISREAD)}")
        if found is None:
            raise Unreadable(
                tr(
                    "{serial!r} is not a serial like {sample}",
                    serial=serial,
                    sample=self.serial(123),
                )
            )
        if found[1] != self.series:
            other, own = (series or tr("without letters") for series in (found[1], self.series))
            raise Unreadable(
                tr("{serial} is of series {other}, not {own}", serial=typed, other=other, own=own)
            )
        number = int(found[2])
        if number >= MOST or not hmac.compare_digest(found[3], self.serial(number)[-CHECK:]):
            raise Unreadable(
                tr("{serial}: the check characters are wrong; read the serial again", serial=typed)
            )
        return number

    def short(self, number: int) -> str:
        """Return the short code of a number: ten characters for a QR.

        Raises:
            Unreadable: a number below 0, or more than a short code can hold.
        """
        if not 0 <= number < MOST:
            raise Unreadable(
                tr("serials count from 0 to {most}, not {number}", most=MOST - 1, number=number)
            )
        left, right = divmod(number << CHECK_BITS, 1 << HALF_BITS)
        for turn in range(ROUNDS):
            left, right = right, left ^ self._round(turn, right)
        whole = left << HALF_BITS | right
        return "".join(ALPHABET[whole >> (5 * place) & 31] for place in reversed(range(SHORT)))

    def number_of_short(self, code: str) -> int:
        """Return the number of a short code.

        Raises:
            Unreadable: it is no short code, or not of this key and series.
        """
        typed = code.strip().upper().translate(MISREAD)
        if len(typed) != SHORT or not set(typed) <= VALUES.keys():
            raise Unreadable(
                tr("{code!r} is not a code of {size} letters and digits", code=code, size=SHORT)
            )
        whole = 0
        for letter in typed:
            whole = whole << 5 | VALUES[letter]
        left, right = divmod(whole, 1 << HALF_BITS)
        for turn in reversed(range(ROUNDS)):
            left, right = right ^ self._round(turn, left), left
        number, zeros = divmod(left << HALF_BITS | right, 1 << CHECK_BITS)
        if zeros:
            raise Unreadable(
                tr(
                    "{code} is not a code of this pack; read it again, or key the serial",
                    code=typed,
                )
            )
        return number

    def _batch(self, batch: int) -> bytes:
        """Return the check words of 256 numbers: a keyed digest, every part with its length."""
        parts = (b"loto serials 1", self.key, self.series.encode(), str(batch).encode())
        said = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        return hashlib.shake_256(said).digest(4 * BATCH)

    def _round(self, turn: int, half: int) -> int:
        key = hashlib.blake2b(self.key, person=b"loto short 1").digest()
        said = self.series.encode() + b":%d:%d" % (turn, half)
        digest = hashlib.blake2b(said, key=key, digest_size=8).digest()
        return int.from_bytes(digest, "big") % (1 << HALF_BITS)


def numbering_of(serials: Sequence[str], key: bytes) -> Numbering | None:
    """Return how the cards of one series are numbered with this key; None if they are not.

    The first serial and the last of its series are checked: both fit by luck once in 2^40 times.
    Cards of other series may follow.
    """
    found = SERIAL.fullmatch(serials[0]) if serials else None
    if found is None:
        return None
    numbering = Numbering(key, found[1], len(found[2]))
    own = (one for one in reversed(serials) if is_keyed(one) and series_of(one) == found[1])
    try:
        numbering.number_of(serials[0])
        numbering.number_of(next(own))
    except Unreadable:
        return None
    return numbering


def series_of(serial: str) -> str:
    """Return the letters before a serial's number; empty without.

    >>> series_of("A000123-K7QX"), series_of("0001"), series_of("B 0017")
    ('A', '', 'B')
    """
    found = _SERIES.match(serial)
    return found[0] if found else ""


def is_keyed(serial: str) -> bool:
    """Return whether a serial has the form of one with check characters, whosesoever key it is."""
    return SERIAL.fullmatch(serial) is not None


def qr_text(serial: str, numbering: Numbering | None) -> str:
    """Return what a card's QR code holds: its short code, or the serial where the pack has no key
    or the card is of another series.

    >>> qr_text("0007", None)
    '0007'
    """
    if numbering is None:
        return serial
    try:
        return numbering.short(numbering.number_of(serial))
    except Unreadable:
        return serial
