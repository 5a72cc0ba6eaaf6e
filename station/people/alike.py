"""Decide whether two names are one person's: pure.

Whoever answers for money with a second person must not be both. So names are compared by what a
reader sees: without case, without accents on Latin, Greek and Cyrillic letters, without blanks and
characters that nobody sees, and with one sign for letters that look alike, such as the Latin and
the Cyrillic a, or 0 and O, 1, I and l. Two people whose names look alike write more of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from unicodedata import category, combining, decimal, name, normalize

from station.base.typed import is_unseen

# What Unicode calls a letter's script, as the first word of its name. Those together are written in
# one word: Japanese.
TOGETHER = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC"})
_ACCENTED = frozenset({"LATIN", "GREEK", "CYRILLIC"})
_SIGNS = {"l": "i", "1": "i", "|": "i", "0": "o"}
_PAIRS = (("rn", "m"), ("vv", "w"))


def person_of(written: str) -> str:
    """Return a name as names are compared, so that one person spelt differently is not two.

    >>> person_of("Anna  Lee") == person_of("ANNA LEE") == person_of("Anna\u200b Lee")
    True
    >>> person_of("José") == person_of("Jose"), person_of("Bob") == person_of("B0b")
    (True, True)
    >>> person_of("Ann") == person_of("Anna"), person_of("राम") == person_of("रमा")
    (False, False)
    """
    signs, known = [], _lookalikes()
    accented = False
    for letter in normalize("NFD", normalize("NFKC", written).casefold()):
        if combining(letter) and accented:
            continue
        kind = category(letter)
        if kind[0] in "CZ" or is_unseen(letter):
            continue
        accented = _script(letter) in _ACCENTED
        sign = known.get(letter, letter)
        sign = str(decimal(sign)) if kind == "Nd" else sign
        signs.append(_SIGNS.get(sign, sign))
    skeleton = "".join(signs)
    for pair, one in _PAIRS:
        skeleton = skeleton.replace(pair, one)
    return skeleton or written


def mixed(written: str) -> tuple[str, str, str] | None:
    """Return a word whose letters are of two alphabets, and both; None if there is none.

    >>> mixed("Anna Петрова"), mixed("Аnna")
    (None, ('Аnna', 'Cyrillic', 'Latin'))
    """
    for word in normalize("NFKC", written).split():
        found: list[str] = []
        for letter in word:
            is_letter = category(letter) in ("Lu", "Ll", "Lt", "Lo") and not is_unseen(letter)
            script = _script(letter) if is_letter else ""
            if script and script not in found:
                found.append(script)
        if len(found) > 1 and not TOGETHER.issuperset(found):
            return word, found[0].capitalize(), found[1].capitalize()
    return None


def _script(letter: str) -> str:
    return name(letter, "").partition(" ")[0]


@cache
def _lookalikes() -> Mapping[str, str]:
    """Return the sign for each letter that looks like it."""
    text = (files("station.people") / "lookalikes.txt").read_text(encoding="utf-8")
    lines = [line.split(" ") for line in text.splitlines() if not line.startswith("#")]
    return {letter: sign for sign, letters in lines for letter in letters}
