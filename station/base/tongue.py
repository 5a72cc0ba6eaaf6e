"""Say what the command line says in the language of whoever types: gettext's way, with the English
text as its own key.

What a command prints, and what it says of its errors, goes through `tr`; the heads of a table
through `heads`; a text that is made before the language is known is marked with `key`, and goes
through `tr` where it is printed. `station.base.catalogues` reads the translations.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ENGLISH: Mapping[str, str] = MappingProxyType({})


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


def tr(text: str, /, **values: object) -> str:
    """Return a text in the language that is spoken, with its values.

    >>> tr("card {serial}", serial="0007")
    'card 0007'
    """
    said = Tongue.texts.get(text, text)
    return said.format(**values) if values else said


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
