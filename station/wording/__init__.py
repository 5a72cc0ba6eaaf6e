"""What the station says and shows, in words: one data file a language, and the voice packs that speak it.

`station/wording/en.toml` is the reference: another language has the same keys, with the same `{names}` to be filled in.
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from station.errors import Unreadable

FOLDER = Path(__file__).parent
VOICES = FOLDER / "voices"
REFERENCE = "en"

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
    """

    code: str
    name: str
    numbers: Mapping[int, str]
    phrases: Mapping[str, str]
    screen: Mapping[str, str]
    procedure: tuple[str, ...]

    def clips(self) -> dict[str, str]:
        """Every clip of a voice pack of this language, with the text it speaks.

        >>> load_wording("en").clips()["number.42"]
        'Forty-two'
        """
        return {f"number.{number}": word for number, word in self.numbers.items()} | dict(self.phrases)

    def sentence(self, clips: tuple[str, ...] | list[str]) -> str:
        """What a list of clips says, as text. A clip without words, such as the chime, says nothing.

        >>> load_wording("en").sentence(["chime", "number.37", "not-called"])
        'Thirty-seven was not called.'
        """
        texts = self.clips()
        words = [texts[clip] for clip in clips if clip in texts]
        # "The last number was" + "Forty-two": a capital only where a sentence begins.
        for place in range(1, len(words)):
            if not words[place - 1].endswith((".", "?", "!")):
                words[place] = words[place][:1].lower() + words[place][1:]
        return " ".join(words)


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
    return Wording(
        code=tables["language"]["code"],
        name=tables["language"]["name"],
        numbers=MappingProxyType({int(number): word for number, word in tables["numbers"].items()}),
        phrases=MappingProxyType(tables["phrases"]),
        screen=MappingProxyType(tables["screen"]),
        procedure=tuple(tables["procedure"].values()),
    )


def _read(language: str, folder: Path) -> dict[str, Any]:
    file = folder / f"{language}.toml"
    if not re.fullmatch(r"[a-z]{2,3}(-[a-zA-Z0-9]+)*", language) or not file.is_file():
        known = ", ".join(sorted(path.stem for path in folder.glob("*.toml"))) or "none"
        raise Unreadable(f"no wording for language {language!r}: there is {known}")
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # not TOML, or not UTF-8
        raise Unreadable(f"{file}: {error}") from error


def _form_faults(tables: Mapping[str, Any]) -> list[str]:
    faults = [f"[{name}] is not known here" for name in tables.keys() - {"language", *_KEYED, *_NUMBERED}]
    for name in ("language", *_NUMBERED, *_KEYED):
        table = tables.get(name)
        if not isinstance(table, dict):
            faults.append(f"[{name}] is missing")
            continue
        for key, text in table.items():
            if not isinstance(text, str) or not text.strip():
                faults.append(f"[{name}] {key}: wants a text in quotes, has {text!r}")
            elif (reason := _unfillable(text)) is not None:
                faults.append(f"[{name}] {key}: {reason}")
        if name == "language":
            faults += [f"[language] {key} is missing" for key in ("code", "name") if key not in table]
        elif name in _NUMBERED:
            expected = [str(number) for number in range(1, (_NUMBERED[name] or len(table)) + 1)]
            faults += [f"[{name}] {key} is missing" for key in expected if key not in table]
            faults += [f"[{name}] {key} is not a number from 1 to {len(expected)}" for key in table if key not in expected]
    return faults


def _unfillable(text: str) -> str | None:
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
                faults.append(f"[{name}] {key}: its {{names}} differ from those of {REFERENCE}.toml: {wanted}")
    return faults


def _names(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def _listed(file: Path, faults: list[str]) -> str:
    return f"{file}: {len(faults)} {'fault' if len(faults) == 1 else 'faults'}\n" + "\n".join(f"  - {fault}" for fault in faults)
