"""Say a sentence as a template with named values, so that it can be told in another language.

The English template is its own key, as in gettext: what is written where something is refused is
what an English reader reads, and the files of `station/wire/wording/refusals` have it in the other
languages. A value is put in as it is, but for the kinds below, which whoever tells the sentence
writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from types import MappingProxyType
from typing import TypeAlias

PROGRAM = "loto"  # a value of every template: how the program is typed where it is read
TYPED = "./loto"  # as it is typed in a checkout; a terminal prints it as it is typed there
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of money, in whole units."""

    units: int


@dataclass(frozen=True, slots=True)
class Term:
    """A name that the hall's words have under this key, such as a prize's."""

    key: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, or a part of one: a template and its values."""

    template: str
    values: tuple[tuple[str, Value], ...] = ()

    def told(
        self,
        sentences: Mapping[str, str] = _NOTHING,
        terms: Mapping[str, str] = _NOTHING,
        sums: Callable[[int], str] = str,
        program: str = TYPED,
    ) -> str:
        """Return the sentence as text.

        Args:
            sentences: a language's templates, by the English ones; what is missing is English.
            terms: the hall's words.
            sums: writes a sum of money.
            program: how the program is typed where the sentence is read.
        """

        def written(value: Value) -> str:
            match value:
                case Sentence():
                    return value.told(sentences, terms, sums, program)
                case Sum(units):
                    return sums(units)
                case Term(key):
                    return terms.get(key, key)
            return str(value)

        filled = {name: written(value) for name, value in self.values}
        template = sentences.get(self.template, self.template)
        return template.format_map({PROGRAM: program, **filled})

    def __str__(self) -> str:
        return self.told()


Value: TypeAlias = str | int | Sum | Term | Sentence


def said(template: str, /, **values: Value) -> Sentence:
    """Return a sentence of a template that stands in the language files.

    >>> str(said("card {serial} is owed nothing", serial="0007"))
    'card 0007 is owed nothing'
    """
    return Sentence(template, tuple(values.items()))


def verbatim(text: Value) -> Sentence:
    """Return a sentence that no language file has, as it is: a device's or a file's fault, or a
    name alone."""
    return Sentence("{text}", (("text", text),))


def listed(values: Iterable[Value]) -> Value:
    """Return one or more values as part of a sentence, with "and" before the last.

    >>> str(listed([3, 17, 88]))
    '3, 17 and 88'
    """
    *before, last = values
    return said("{first} and {last}", first=row(before), last=last) if before else last


def either(values: Iterable[Value]) -> Value:
    """Return one or more values as part of a sentence, with "or" before the last."""
    *before, last = values
    return said("{first} or {last}", first=row(before), last=last) if before else last


def row(values: Iterable[Value], mark: str = ", ") -> Value:
    """Return one or more values with a mark between them."""

    def joined(one: Value, other: Value) -> Value:
        return Sentence("{one}{mark}{other}", (("one", one), ("mark", mark), ("other", other)))

    return reduce(joined, values)
