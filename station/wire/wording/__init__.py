"""Put into words what the station says and shows: one data file a language, and the voice packs
that speak it.

`station/wire/wording/en.toml` is the reference: another language has the same keys, with the same
`{names}` to be filled in. The words of one game alone lie in its folder, one file a language
(`station/rules/GAME/words/en.toml`). `station/wire/wording/sayings/` has the traditional calls of a
language, as far as a source shows them, with the source.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from station.base.errors import Unreadable
from station.base.untrusted import read_toml

FOLDER = Path(__file__).parent
GAMES = FOLDER.parents[1] / "games"  # data alone is read there: words, in each game's folder
VOICES = FOLDER / "voices"
SAYINGS = "sayings"
REFERENCE = "en"
SENTENCE_ENDS = (".", "?", "!", "।")  # the last is the full stop of Devanagari
# phrases that go on with what a number began
FOLLOWING = ("not-called", "has-bag", "joins-table", "answers-first", "has-won", "nought", "and")

_KEYED = ("phrases", "screen")
_NUMBERED = {"numbers": 90, "procedure": None}


@dataclass(frozen=True, slots=True)
class Wording:
    """All words of one language.

    Attributes:
        code: of the language, as in the file's name ("en").
        name: of the language, in itself ("English").
        numbers: 1 to 90 in words.
        phrases: what the caller's voice says; each key is also a clip.
        screen: labels and signs of the boards.
        procedure: how to go on with paper when the record cannot be written, step by step.
        sayings: number to its traditional call as it is spoken, the number at its end; a number
            without one is absent.
    """

    code: str
    name: str
    numbers: Mapping[int, str]
    phrases: Mapping[str, str]
    screen: Mapping[str, str]
    procedure: tuple[str, ...]
    sayings: Mapping[int, str]

    def clips(self, style: str = "plain") -> dict[str, str]:
        """Return every clip of this language's voice pack with its text; the sayings only in the
        style "sayings".

        >>> load_wording("en").clips()["number.42"]
        'Forty-two'
        >>> load_wording("en").clips("sayings")["saying.42"]
        'Winnie the Pooh, forty-two'
        """
        sayings = self.sayings if style == "sayings" else {}
        return (
            {f"number.{number}": word for number, word in self.numbers.items()}
            | {f"saying.{number}": text for number, text in sayings.items()}
            | dict(self.phrases)
        )

    def sentence(self, clips: tuple[str, ...] | list[str]) -> str:
        """Return what a list of clips says, as text. A clip without words, such as the chime, adds
        nothing.

        >>> load_wording("en").sentence(["chime", "number.37", "not-called"])
        'Thirty-seven was not called.'
        """
        texts = self.clips("sayings")
        spoken = [clip for clip in clips if clip in texts]
        words = [texts[clip] for clip in spoken]
        # "The last number was" + "Forty-two" + "Play on.": a number goes on with what stands before
        # it, a phrase begins anew.
        for place in range(1, len(words)):
            before, clip = words[place - 1], spoken[place]
            if before.endswith(SENTENCE_ENDS):
                continue
            if clip in self.phrases and clip not in FOLLOWING:
                words[place - 1] += "" if before.endswith(":") else self.full_stop
            else:
                words[place] = _small(words[place])
        return " ".join(words)

    @property
    def full_stop(self) -> str:
        """Return the mark that ends a sentence of this language."""
        return self.phrases["play-on"][-1]


def languages(folder: Path = FOLDER) -> tuple[str, ...]:
    """Return the codes of the languages that have a wording, in order.

    >>> languages()
    ('de', 'en', 'es', 'fr', 'hi', 'it', 'nl', 'pt', 'ru')
    """
    return tuple(sorted(path.stem for path in folder.glob("*.toml")))


def load_wording(language: str = REFERENCE, folder: Path = FOLDER) -> Wording:
    """Read a language's words.

    Raises:
        Unreadable: no such language, or a file with faults; every fault is named with file and key.
    """
    tables = _read(language, folder)
    faults = _form_faults(tables)
    if language != REFERENCE and not faults:
        faults = _difference_faults(tables, _read(REFERENCE, FOLDER))
    if faults:
        raise Unreadable(_listed(folder / f"{language}.toml", faults))
    numbers = {int(number): word for number, word in tables["numbers"].items()}
    sayings = {int(number): text for number, text in _read_sayings(language, folder).items()}
    return Wording(
        code=tables["language"]["code"],
        name=tables["language"]["name"],
        numbers=MappingProxyType(numbers),
        phrases=MappingProxyType(tables["phrases"]),
        screen=MappingProxyType(tables["screen"]),
        procedure=tuple(tables["procedure"].values()),
        sayings=MappingProxyType(
            {number: _ending_in(numbers[number], text) for number, text in sayings.items()}
        ),
    )


def _read(language: str, folder: Path) -> dict[str, Any]:
    """Return a language's tables, and in them the words of all games: the language's own file goes
    before, and a game that has no words of a hall's own language keeps the reference's."""
    tables = _own(language, folder)
    for known in sorted(GAMES.glob(f"*/words/{REFERENCE}.toml")):
        file = known.with_name(f"{language}.toml")
        file = file if file.is_file() else known
        words = _tables(file)
        if wrong := sorted(words.keys() - {*_KEYED}):
            raise Unreadable(f"{file}: {', '.join(wrong)}: it has {' and '.join(_KEYED)} alone")
        for name, said in words.items():
            if isinstance(tables.get(name), dict):
                tables[name] = {**said, **tables[name]}
    return tables


def _own(language: str, folder: Path) -> dict[str, Any]:
    file = folder / f"{language}.toml"
    if not re.fullmatch(r"[a-z]{2,3}(-[a-zA-Z0-9]+)*", language) or not file.is_file():
        raise Unreadable(
            f"no wording for language {language!r}: there is"
            f" {', '.join(languages(folder)) or 'none'}"
        )
    return _tables(file)


def _tables(file: Path) -> dict[str, Any]:
    try:
        return read_toml(file)
    except OSError as error:
        raise Unreadable(f"{file}: cannot be read: {error.strerror}") from error


def _read_sayings(language: str, folder: Path) -> dict[str, str]:
    file = folder / SAYINGS / f"{language}.toml"
    if not file.is_file():
        return {}
    tables = _tables(file)
    faults = [f"{key} is not known here" for key in tables.keys() - {"sources", "sayings"}]
    sources, sayings = tables.get("sources"), tables.get("sayings")
    if (
        not isinstance(sources, list)
        or not sources
        or not all(isinstance(source, str) and source.strip() for source in sources)
    ):
        say = "sources: needs a list of texts in quotes that say where the calls were found"
        faults.append(say)
    if not isinstance(sayings, dict):
        faults.append("[sayings] is missing")
    else:
        numbers = {str(number) for number in range(1, 91)}
        faults += [
            f"[sayings] {key} is not a number from 1 to 90" for key in sayings if key not in numbers
        ]
        faults += [
            f"[sayings] {key}: {fault}"
            for key, text in sayings.items()
            if (fault := _text_fault(text)) is not None
        ]
    if faults:
        raise Unreadable(_listed(file, faults))
    return dict(tables["sayings"])


def _ending_in(number: str, saying: str) -> str:
    """Return a saying with its number at the end, added unless there already ("Legs eleven")."""
    ended = re.search(rf"(^|\s){re.escape(number)}$", saying, re.IGNORECASE)
    return saying if ended else f"{saying}, {_small(number)}"


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


def _form_faults(tables: Mapping[str, Any]) -> list[str]:
    faults = [
        f"[{name}] is not known here" for name in tables.keys() - {"language", *_KEYED, *_NUMBERED}
    ]
    for name in ("language", *_NUMBERED, *_KEYED):
        table = tables.get(name)
        if not isinstance(table, dict):
            faults.append(f"[{name}] is missing")
            continue
        for key, text in table.items():
            if (fault := _text_fault(text)) is not None:
                faults.append(f"[{name}] {key}: {fault}")
        if name == "language":
            faults += [
                f"[language] {key} is missing" for key in ("code", "name") if key not in table
            ]
        elif name in _NUMBERED:
            expected = [str(number) for number in range(1, (_NUMBERED[name] or len(table)) + 1)]
            faults += [f"[{name}] {key} is missing" for key in expected if key not in table]
            faults += [
                f"[{name}] {key} is not a number from 1 to {len(expected)}"
                for key in table
                if key not in expected
            ]
    return faults


def _text_fault(text: object) -> str | None:
    if not isinstance(text, str) or not text.strip():
        return f"needs a text in quotes, has {text!r}"
    try:
        names = [field for _, field, _, _ in string.Formatter().parse(text) if field is not None]
    except ValueError as error:
        return f"{error}: write {{name}}, or {{{{ for a brace"
    return next((f"{{{name}}} is not a name" for name in names if not name.isidentifier()), None)


def _difference_faults(tables: Mapping[str, Any], reference: Mapping[str, Any]) -> list[str]:
    faults: list[str] = []
    for name in _KEYED:
        here, there = tables[name], reference[name]
        faults += [f"[{name}] {key} is missing" for key in there if key not in here]
        faults += [f"[{name}] {key} is not in {REFERENCE}.toml" for key in here if key not in there]
        for key in here.keys() & there.keys():
            if _names(here[key]) != _names(there[key]):
                wanted = ", ".join(sorted(_names(there[key]))) or "none"
                faults.append(
                    f"[{name}] {key}: its {{names}} differ from those of {REFERENCE}.toml: {wanted}"
                )
    return faults


def _names(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def _listed(file: Path, faults: list[str]) -> str:
    return f"{file}: {len(faults)} {'fault' if len(faults) == 1 else 'faults'}\n" + "\n".join(
        f"  - {fault}" for fault in faults
    )
