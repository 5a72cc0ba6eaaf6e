"""Decide which characters a name may hold, and show a sign for each that nobody would see. Pure.

A reader must see all of a name: what turns its letters round, hides, clears the screen or stacks
marks over three lines makes one person look like another. New names with such characters are
refused; every reader sees a sign in their place, as «U+202E». Joiners stay where the scripts that
need them have them (Hindi, Persian, families of emoji).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from unicodedata import category, name

from station.base.tongue import tr

MOST_MARKS = 4  # accents over one letter; no language writes more

# Kinds that no new name has: controls, halves, private and unassigned characters. Which are
# assigned depends on Python's version, so what was written is shown by the table below alone.
_UNSEEN = frozenset({"Cc", "Cs", "Co", "Cn"})
_BLANK = "\U00016fe4\U0001d159"  # letters and notes that are drawn as nothing
# Controls, halves of characters, ends of lines and paragraphs, what turns text round, private
# characters, all that has no width and is not itself a letter, and blanks that are not spaces.
_FOUL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ue000-\uf8ff\ufe00-\ufe0d\ufeff\uffa0"
    "\ufff0-\ufffb\U00013430-\U00013440\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
# What most names and nearly all words are written with, of which none is foul: Latin, Greek and
# Cyrillic letters, and the marks of printed text.
_PLAIN = re.compile(
    "[ -~\u00a0-\u00ac\u00ae-\u02ff\u038e-\u03a1\u03a3-\u0482\u048a-\u052f\u2010-\u2027]*"
)
_JOINERS = "\u200c\u200d"
# how an emoji is drawn; after a letter they are invisible and change nothing
_SELECTORS = "\ufe0e\ufe0f"
# Arabic and its relatives, the scripts of India and its neighbours, and what emoji are put together
# from.
_JOINED = re.compile(
    "[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff\u1800-\u18af\u2190-\u21ff\u2600-\u27bf"
    "\u2b00-\u2bff\ufb50-\ufdff"
    "\ufe0f\ufe70-\ufefc\U0001f000-\U0001faff]"
)


def sign(letter: str) -> str:
    """Return the visible sign for a character.

    >>> sign("\x1b")
    '«U+001B»'
    """
    return f"«{_code(letter)}»"


def shown(text: str, keep: str = "", by: Callable[[str], str] = sign) -> str:
    """Return the text with a sign for each character that could not be seen for what it is.

    >>> shown("Ben\\u202e"), shown("two\\nlines"), shown("two\\nlines", keep="\\n")
    ('Ben«U+202E»', 'two«U+000A»lines', 'two\\nlines')

    Args:
        keep: characters that stay, where the caller lays the text out in lines.
        by: what stands in such a character's place.
    """
    if text.isascii() and text.isprintable():
        return text
    wrong = {place for place in _foul(text) if text[place] not in keep}
    return "".join(by(letter) if place in wrong else letter for place, letter in enumerate(text))


def is_unseen(letter: str) -> bool:
    """Return whether nobody sees a character, wherever it stands.

    >>> is_unseen("\u3164"), is_unseen("\u200d"), is_unseen("é")
    (True, True, False)
    """
    return (
        letter in _JOINERS
        or letter in _SELECTORS
        or letter in _BLANK
        or category(letter) in _UNSEEN
        or _FOUL.match(letter) is not None
    )


def unfit(text: str, keep: str = "") -> str | None:
    """Return why a text is not fit to be a name, as the end of a sentence; None if it is fit.

    >>> unfit("Anna"), unfit("neB\\u202e")
    (None, 'holds U+202E (right-to-left override), which nobody would see: write it without')
    """
    for place in _foul(text):
        letter = text[place]
        if letter not in keep:
            is_mark = category(letter) in ("Mn", "Me") and letter not in _SELECTORS
            if is_mark and not _FOUL.match(letter):
                return tr(
                    "holds more than {most} accents on one letter: write it with fewer",
                    most=MOST_MARKS,
                )
            said = name(letter, tr("a control") if category(letter) == "Cc" else "")
            what = f"{_code(letter)} ({said.lower()})" if said else _code(letter)
            return tr("holds {what}, which nobody would see: write it without", what=what)
    for letter in text if not _PLAIN.fullmatch(text) else "":
        if letter not in keep and (letter in _BLANK or category(letter) in _UNSEEN):
            return tr("holds {what}, which nobody would see: write it without", what=_code(letter))
    return None


def texts_in(told: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield each text in nested lists and tables, keys too, with its place: `players.0.name`."""
    if isinstance(told, str):
        yield place, told
    elif isinstance(told, Mapping):
        for key, value in told.items():
            yield place, str(key)
            yield from texts_in(value, f"{place}.{key}" if place else str(key))
    elif isinstance(told, list | tuple):
        for number, value in enumerate(told):
            yield from texts_in(value, f"{place}.{number}")


def _foul(text: str) -> Iterator[int]:
    if _PLAIN.fullmatch(text):
        return
    marks = 0
    for place, letter in enumerate(text):
        marks = marks + 1 if letter > "\u02ff" and category(letter) in ("Mn", "Me") else 0
        if letter in _JOINERS:
            before, after = text[place - 1 : place] if place else "", text[place + 1 : place + 2]
            if not (_JOINED.match(before) and _JOINED.match(after)):
                yield place
        elif letter in _SELECTORS:
            if not (text[max(0, place - 1)] >= "\u2000" or text[place + 1 : place + 2] == "\u20e3"):
                yield place
        elif marks > MOST_MARKS or _FOUL.match(letter):
            yield place


def _code(letter: str) -> str:
    return f"U+{ord(letter):04X}"
