"""Read the translations of what the command line says, and choose the language that is spoken.

The texts of a language are `station/base/words/CODE.json`, one object:
`"English": "translation"`. English is in the code and has no file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import MappingProxyType

from station.base.errors import Unreadable
from station.base.tongue import ENGLISH, Tongue, tr
from station.base.untrusted import read_json

FOLDER = Path(__file__).parent / "words"
LONGEST_TEXT = 1000  # of what a command is for, which is a key there


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


def tr_in(code: str, text: str, /, **values: object) -> str:
    """Return a text in a language: what stands beside a sentence that is in this one."""
    return texts_of(code).get(text, text).format(**values)
