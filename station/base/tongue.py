"""Say what the command line says in the language of whoever types: gettext's way, with the English
text as its own key.

What a command prints, and what it says of its errors, goes through `tr`; the heads of a table
through `heads`; a text that is made before the language is known is marked with `key`, and goes
through `tr` where it is printed. The texts of a language are `station/commands/words/CODE.json`,
one object: `"English": "translation"`. English is in the code and has no file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import MappingProxyType

FOLDER = Path(__file__).parents[1] / "commands" / "words"  # data alone is read there
ENGLISH: Mapping[str, str] = MappingProxyType({})
LONGEST_TEXT = 1000  # of what a command is for, which is a key there


class Tongue:
    """The language that is spoken.

    Attributes:
        texts: of the language, by the English ones.
        code: of the language; may be empty for English.
        chosen: whether the person who types has chosen it; else it is the hall's, once known.
    """

    texts = ENGLISH
    code = ""
    chosen = False


@cache
def translations(folder: Path, code: str) -> Mapping[str, str]:
    """Return what a folder's file of a language has, by the English texts; nothing for English, and
    for a language that has no file. A text without its translation yet is left out: it is shown in
    English.

    Raises:
        Unreadable: the file has faults.
    """
    file = folder / f"{code}.json"
    if not file.is_file():
        return ENGLISH
    from station.base.errors import Unreadable  # errors speak, too
    from station.base.untrusted import read_json

    told = read_json(file, LONGEST_TEXT)
    if not isinstance(told, dict) or not all(isinstance(one, str) for one in told.values()):
        why = tr("each English text has its translation, both in quotes")
        raise Unreadable(f"{file}: {why}")
    return MappingProxyType({english: one for english, one in told.items() if one})


def texts_of(code: str) -> Mapping[str, str]:
    """Return what the command line says in a language, by the English texts."""
    return translations(FOLDER, code)


def speak(code: str) -> None:
    """Speak the language of whoever types; empty: the hall's, as soon as it is known."""
    Tongue.texts, Tongue.code, Tongue.chosen = texts_of(code), code, bool(code)


def speak_as_the_hall(code: str) -> None:
    """Speak the hall's language, unless the person has chosen one."""
    if not Tongue.chosen:
        Tongue.texts, Tongue.code = texts_of(code), code


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language meanwhile: what a paper says is in its hall's, whoever orders it."""
    before = Tongue.texts, Tongue.code
    Tongue.texts, Tongue.code = texts_of(code), code
    try:
        yield
    finally:
        Tongue.texts, Tongue.code = before


def tr(text: str, /, **values: object) -> str:
    """Return a text in the language that is spoken, with its values.

    >>> tr("card {serial}", serial="0007")
    'card 0007'
    """
    said = Tongue.texts.get(text, text)
    return said.format(**values) if values else said


def tr_in(code: str, text: str, /, **values: object) -> str:
    """Return a text in a language: what stands beside a sentence that is in this one."""
    return texts_of(code).get(text, text).format(**values)


def number_of(number: int, what: str) -> str:
    """Return a number of things in the language that is spoken.

    >>> number_of(1, "card"), number_of(60, "card")
    ('1 card', '60 cards')
    """
    return tr(f"1 {what}") if number == 1 else tr(f"{{count}} {what}s", count=number)


def heads(*texts: str) -> tuple[str, ...]:
    """Return the heads of a table in the language that is spoken."""
    return tuple(map(tr, texts))


def key(text: str) -> str:
    """Return a text as it is: it goes through `tr` where it is printed."""
    return text
