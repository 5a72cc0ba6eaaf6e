"""Find the card that people mean by what they say, key or scan.

A card is found by its serial as printed. Else signs, blanks, capitals and accents do not matter,
nor zeros before a number, nor O for 0, I or L for 1. Else its last numbers are enough: `17` for
`B 0017`, `4` for `A 12 4`. Each of these finds a card only where no other fits as well; where
several do, all are returned, for the person to be asked.

A serial with check characters (`station.cards.serials`) is found with them alone; its series may be
left out. At a sale they may be left out, too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from unicodedata import category, decimal, normalize

import numpy as np
import numpy.typing as npt

from station.cards.serials import CHECK, MISREAD, is_keyed, series_of

LONGEST_TYPED = 128
_ZEROS = re.compile(r"()(?<![0-9])0+(?=[0-9])")
_ZEROS_AT_FIRST = re.compile(r"(?m)^([A-Z]*)0+(?=[0-9])")
_NO_SIGN = re.compile(r"[^0-9A-Z\n]+")
_NUMBERS = re.compile(r"(?:[0-9]+\n)*[0-9]*")
_SIGNS = re.compile(r"[\W_]+")
_TOKEN = re.compile(r"[0-9]+|[^0-9\W_]+")
_ONE_WIDTH = re.compile(r"[A-Z]{0,4}[0-9]+(?:-[0-9A-Z]{4})?")

Words = npt.NDArray[np.bytes_]


def folded(text: str) -> str:
    """Return a text in capitals, without accents, its digits those of ASCII; signs stay.

    >>> folded("Série-0017")
    'SERIE-0017'
    """
    if text.isascii():
        return text.upper()
    parts = (
        str(decimal(letter)) if letter.isdecimal() else letter
        for letter in normalize("NFKD", text)
        if not category(letter).startswith("M")
    )
    return "".join(parts).casefold().upper()


def spoken(text: str) -> str:
    """Return what people compare: letters and digits, numbers without zeros before them.

    >>> spoken("No. 006"), spoken("12/03"), spoken("A000123-K7QX")
    ('NO6', '123', 'A123K7QX')
    """
    return _SIGNS.sub("", _ZEROS.sub("", folded(text)))


def _first(text: str) -> str:
    """Return as `spoken`, but without the zeros of the first number alone: check characters after
    it keep theirs."""
    return _SIGNS.sub("", _ZEROS.sub("", folded(text), count=1))


def read_alike(serials: Sequence[str]) -> list[list[int]]:
    """Return the places of serials that people would read out alike, in groups of two or more.

    >>> read_alike(["7", "12", "007", "1-2"])
    [[0, 2], [1, 3]]
    """
    if _of_one_width(serials) and len({*serials}) == len(serials):
        return []
    forms = [_first(serial) if is_keyed(serial) else spoken(serial) for serial in serials]
    if len({*forms}) == len(forms):
        return []
    groups: dict[str, list[int]] = defaultdict(list)
    for place, form in enumerate(forms):
        groups[form].append(place)
    return [
        places
        for places in groups.values()
        # The same serial twice is another fault.
        if len({serials[place] for place in places}) > 1
    ]


def _of_one_width(serials: Sequence[str]) -> bool:
    """Return whether all are series and number of one length: then two read alike only if equal."""
    return len({*map(len, serials)}) == 1 and all(map(_ONE_WIDTH.fullmatch, serials))


def one_of(serials: Sequence[str], text: str) -> str | None:
    """Return the one of a few serials that a text means; None if none or several fit.

    Check characters may be missing: for cards that are already known to the person who asks.
    """
    typed = text.strip()
    if typed in serials:
        return typed
    finder = Finder(serials, {series_of(serial) for serial in serials if is_keyed(serial)})
    places = (finder.places(typed) or finder.counted(typed)) if serials else []
    return serials[places[0]] if len(places) == 1 else None


class Finder:
    """The ways to find the cards of a pack.

    Args:
        serials: the pack's, in their order.
        series: the series that the pack's keyed serials begin with.
    """

    def __init__(self, serials: Sequence[str], series: Iterable[str]) -> None:
        self._serials = serials
        self._series = [name.upper() for name in series if name]

    def prepare(self) -> None:
        """Build the look-ups before players wait."""
        _ = self._printed, self._read, self._ends

    @cached_property
    def _all_keyed(self) -> bool:
        return all(map(is_keyed, self._serials))

    @cached_property
    def _joined(self) -> str | None:
        """Return all serials as one text, a line each, where they can be worked on together: for a
        million that takes a second; None where they cannot."""
        text = "\n".join(self._serials)
        alike = self._all_keyed or not any(map(is_keyed, self._serials))
        return text.upper() if text.isascii() and alike else None

    @cached_property
    def _printed(self) -> Words:
        # Thirteen bytes a card; a dict of a million would take a hundred, and a search of this
        # takes milliseconds.
        if self._joined is not None:
            return _split(_NO_SIGN.sub("", self._joined))
        forms = (_SIGNS.sub("", folded(serial)) for serial in self._serials)
        return np.array([*map(_word, forms)], np.bytes_)

    @cached_property
    def _read(self) -> Words:
        if self._joined is not None:
            zeros = _ZEROS_AT_FIRST if self._all_keyed else _ZEROS
            return _split(_NO_SIGN.sub("", zeros.sub(r"\1", self._joined)))
        forms = (_first(serial) if is_keyed(serial) else spoken(serial) for serial in self._serials)
        return np.array([*map(_word, forms)], np.bytes_)

    @cached_property
    def _ends(self) -> dict[bytes, list[int]]:
        """Return the cards by the numbers at the end of their serials, those with a key apart."""
        found: dict[bytes, list[int]] = defaultdict(list)
        if self._all_keyed or (self._joined is not None and _NUMBERS.fullmatch(self._joined)):
            return {}
        for place, serial in enumerate(self._serials):
            if is_keyed(serial):
                continue
            tokens = _tokens(serial)
            for start in range(1, len(tokens)):
                if tokens[start].isdecimal():
                    found[_word("".join(tokens[start:]))].append(place)
        return dict(found)

    def places(self, text: str) -> list[int]:
        """Return the cards that a text means; none, or several if it may mean each of them."""
        if len(text) > LONGEST_TYPED or not (form := _SIGNS.sub("", folded(text))):
            return []
        if len(found := self._equal(self._printed, [form])):
            return self._alike(found, text)
        forms = _forms(text)
        if len(found := self._equal(self._read, forms)):
            return self._alike(found, text)
        if self._series and len(
            found := self._equal(
                self._read, [name + form for name in self._series for form in forms]
            )
        ):
            return [place for place in found if is_keyed(self._serials[place])]
        ends = {place for form in forms for place in self._ends.get(_word(form), ())}
        typed = _tokens(text)
        return sorted(
            at
            for at in ends
            if len(typed) == 1 or typed == _tokens(self._serials[at])[-len(typed) :]
        )

    @cached_property
    def has_parts(self) -> bool:
        """Return whether serials have several parts, as `A 12 4`; check characters are none."""
        return bool(self._ends)

    def parts(self, text: str) -> list[int]:
        """Return as `places`, but only cards whose serials are parted as the text is: `7-12` is
        no way to write 712."""
        typed = _tokens(text)
        return [
            at
            for at in self.places(text)
            if typed == (own := _tokens(self._serials[at]))[-len(typed) :]
            or (is_keyed(self._serials[at]) and "".join(typed) == "".join(own))
        ]

    def counted(self, text: str) -> list[int]:
        """Return the cards with check characters that a text means without them."""
        if len(text) > LONGEST_TYPED:
            return []
        forms = _forms(text)
        for asked in (forms, [name + form for name in self._series for form in forms]):
            if found := sorted({place for form in asked for place in self._beginning(_word(form))}):
                return found
        return []

    def _beginning(self, head: bytes) -> list[int]:
        words = self._read
        letters = words.view(np.uint8).reshape(len(words), words.itemsize)
        wanted = np.frombuffer(head, np.uint8)
        if not 0 < len(wanted) <= letters.shape[1] - CHECK:
            return []
        alike = (letters[:, : len(wanted)] == wanted).all(axis=1) & (
            np.count_nonzero(letters, axis=1) == len(wanted) + CHECK
        )
        return [at for at in np.flatnonzero(alike).tolist() if is_keyed(self._serials[at])]

    def _equal(self, words: Words, forms: Iterable[str]) -> list[int]:
        found: set[int] = set()
        for form in forms:
            found.update(np.flatnonzero(words == _word(form)).tolist())
        return sorted(found)

    def _alike(self, places: list[int], text: str) -> list[int]:
        """Return of cards that look alike when misread the one that was written rightly, if any."""
        right = [at for at in places if spoken(self._serials[at]) == spoken(text)]
        return right if len(right) == 1 else places


def _forms(text: str) -> list[str]:
    """Return a typed text as the look-ups have it: also with O for 0 before a number."""
    misread = folded(text).translate(MISREAD)
    return [*dict.fromkeys((_first(text), spoken(text), _first(misread), spoken(misread)))]


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(_ZEROS.sub("", folded(text)))


def _split(lines: str) -> Words:
    return np.array(lines.translate(MISREAD).encode().split(b"\n"), np.bytes_)


def _word(form: str) -> bytes:
    return form.translate(MISREAD).encode()
