"""Read themes of Picture Loto: for each number 1 to 90 a name in every language of the theme, a
picture, and words to say. Pure.

A theme is a folder: `theme.toml` with the words, and beside it the pictures `01.png` to `90.png`.
The engine goes on thinking in numbers; whoever prints, shows or speaks asks the theme.
`station.programme.themes.pictures` judges the pictures themselves.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeGuard

from station.base.errors import SettingsError, Unreadable
from station.base.nouns import KNOBS
from station.base.tongue import tr
from station.base.untrusted import read_toml
from station.programme.fields import Remark

SHIPPED = Path(__file__).parent
FILE = "theme.toml"
LARGEST = 512  # pixels a side of a picture
LONGEST = 60  # characters of a name, and of a line
# of both together, as they are said: with a full stop the longest clip that the voice makes
LONGEST_SPOKEN = 79
LONGEST_SPELT = 10  # letters: a clip lasts six seconds at most
VIRAMA = "\N{DEVANAGARI SIGN VIRAMA}"  # joins two consonants
TOGETHER = {"nl": ("ij",)}  # two signs that are one letter of their alphabet
CODE = re.compile(r"[a-z]{2,3}(-[a-zA-Z0-9]+)*")

_OF_A_THEME = ("name", "languages", "spelt", "facts", "credits", "board", "entries")
_OF_AN_ENTRY = ("name", "say", "source", "art")


@dataclass(frozen=True, slots=True)
class ThemeEntry:
    """What stands in place of one number.

    Attributes:
        number: 1 to 90.
        names: what it is called, by language.
        says: a line to say with the name, by language: "the capital of Peru"; empty where there is
            none.
        picture: its PNG file.
        source: where its fact can be looked up; empty where it states none.
        art: which drawing the picture was made of; empty where nobody wrote it down.
    """

    number: int
    names: Mapping[str, str]
    says: Mapping[str, str]
    picture: Path
    source: str = ""
    art: str = ""


@dataclass(frozen=True, slots=True)
class Theme:
    """A whole theme.

    Attributes:
        key: its folder's name.
        names: what it is called, by language.
        languages: the languages every name and line is there in, the first of them for whoever asks
            for another.
        entries: 1 to 90.
        spelt: whether the letters of each name are said.
        credits: whose the pictures are, under which licence.
        board: the part of each picture that a board of lamps shows, on a plain ground: its left,
            top, right and bottom, in pixels; None for all of it, on no ground.
    """

    key: str
    names: Mapping[str, str]
    languages: tuple[str, ...]
    entries: Mapping[int, ThemeEntry]
    spelt: bool = False
    credits: tuple[str, ...] = ()
    board: tuple[int, int, int, int] | None = None

    def name(self, number: int, language: str) -> str:
        """Return what a number is called."""
        return self.entries[number].names[self._known(language)]

    def line(self, number: int, language: str) -> str:
        """Return the line that is said with the name, and asked for it in a quiz, if any."""
        if self.spelt:
            return self.letters(number, language)
        return self.entries[number].says.get(self._known(language), "")

    def spoken(self, number: int, language: str) -> str:
        """Return what the caller says for a number.

        >>> load_theme("geographical").spoken(84, "en")
        'Lima, the capital of Peru'
        >>> load_theme("spelling").spoken(1, "fr")
        'Soleil: S, O, L, E, I, L'
        """
        return _together(self.name(number, language), self.line(number, language), spelt=self.spelt)

    def letters(self, number: int, language: str) -> str:
        """Return the letters of what a number is called, and nothing else.

        >>> load_theme("spelling").letters(1, "fr")
        'S, O, L, E, I, L'
        """
        return _spelling(self.name(number, language), self._known(language))

    def has(self, language: str) -> bool:
        """Return whether the theme has words in a language. A voice of another language says the
        numbers instead: it would read the words wrongly."""
        return language in self.languages

    def _known(self, language: str) -> str:
        return language if self.has(language) else self.languages[0]


def _spelling(word: str, language: str) -> str:
    return ", ".join(letters(word, language))


def _together(name: str, line: str, *, spelt: bool) -> str:
    said = name[0].upper() + name[1:]
    return f"{said}{':' if spelt else ','} {line}" if line not in ("", name) else said


def letters(word: str, language: str = "") -> tuple[str, ...]:
    """Return the letters of a word as its language spells it, as capitals where there are any.

    Accents stay; Dutch ij is one letter; in Devanagari a consonant keeps the signs that belong to
    it, and those that are written together are one.

    >>> letters("clé"), letters("wijn", "nl")
    (('C', 'L', 'É'), ('W', 'IJ', 'N'))
    >>> letters("मक्खन", "hi")
    ('म', 'क्ख', 'न')
    """
    found: list[str] = []
    for letter in unicodedata.normalize("NFC", word):
        before = found[-1] if found else ""
        joined = _is_mark(letter) or before.endswith(VIRAMA)
        if before and (joined or (before + letter).lower() in TOGETHER.get(language, ())):
            found[-1] += letter
        else:
            found.append(letter)
    return tuple(
        letter.upper() if len(letter.upper()) == len(letter) else letter for letter in found
    )


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter).startswith("M")


def picture_name(number: int) -> str:
    """Return the file of a number's picture.

    >>> picture_name(7)
    '07.png'
    """
    return f"{number:02}.png"


def shipped() -> tuple[str, ...]:
    """Return the themes that ship with the station.

    >>> shipped()
    ('botanical', 'geographical', 'historical', 'picture', 'spelling')
    """
    return tuple(sorted(path.parent.name for path in SHIPPED.glob(f"*/{FILE}")))


def theme_folder(given: Path | str) -> Path:
    """Return the folder that is meant: a path, or that of a theme that ships, by its name.

    Raises:
        SettingsError: there is no such folder.
    """
    folder = Path(given)
    if folder.is_dir():
        return folder
    if str(given) in shipped():
        return SHIPPED / str(given)
    names = ", ".join(shipped())
    raise SettingsError(
        str(given), [tr("there is no such folder; {names} ship with the station", names=names)]
    )


def read_theme(folder: Path) -> Mapping[str, Any]:
    """Read the tables of a theme's file.

    Raises:
        Unreadable: there is none, or it cannot be read; says where.
    """
    file = folder / FILE
    try:
        return read_toml(file)
    except FileNotFoundError as error:
        why = tr("there is no {file} in it; docs/themes.md says what that holds", file=FILE)
        raise Unreadable(f"{folder}: {why}") from error
    except OSError as error:
        why = tr("cannot be read: {why}", why=error.strerror)
        raise Unreadable(f"{file}: {why}") from error


def load_theme(given: Path | str) -> Theme:
    """Load a theme by its name or folder. Its pictures must be there; their content is not checked.

    Raises:
        SettingsError: no such folder, or faults: all of them, each with its place.
        Unreadable: its file cannot be read.
    """
    folder = theme_folder(given)
    theme, faults = check(read_theme(folder), folder)
    missing = tuple(absent(folder, theme))
    if theme is None or missing:
        raise SettingsError(str(folder), [str(fault) for fault in (*faults, *missing)])
    return theme


@lru_cache(maxsize=8)
def cached_theme(given: str) -> Theme:
    """Load a theme once and keep it, for callers at every call of a game."""
    return load_theme(given)


def absent(folder: Path, theme: Theme | None = None) -> Iterator[Remark]:
    """Yield a fault for each missing picture."""
    for number in range(1, KNOBS + 1):
        if not (folder / picture_name(number)).is_file():
            yield Remark(
                place(number, theme), tr("there is no picture {file}", file=picture_name(number))
            )


def place(number: int, theme: Theme | None = None) -> str:
    """Return how a fault names an entry."""
    named = f" ({theme.name(number, '')})" if theme is not None else ""
    return tr("entry {number}", number=number) + named


# -- judging the words -----------------------------------------------------------------------------


def check(data: Mapping[str, Any], folder: Path) -> tuple[Theme | None, tuple[Remark, ...]]:
    """Check a theme file's tables; return the theme, or None, and all faults of its words, in the
    order of the file."""
    languages = data.get("languages")
    if not _is_languages(languages):
        text = tr('write the codes of its languages, each once, such as languages = ["en", "it"]')
        return None, (Remark("languages", text),)
    facts, spelt = data.get("facts", False), data.get("spelt", False)
    given = data.get("entries")
    entries = given if isinstance(given, dict) else {}
    faults = [
        *_strangers("", data, _OF_A_THEME),
        *_in_all_languages("name", data.get("name"), languages),
        *(
            Remark(key, tr("write true or false"))
            for key in ("spelt", "facts")
            if not isinstance(data.get(key, False), bool)
        ),
        *_credit_faults(data.get("credits", [])),
        *_board_faults(data.get("board")),
        *_number_faults(entries),
    ]
    for number in filter(_is_number, entries):
        faults += _entry_faults(
            number, entries[number], languages, facts=facts is True, spelt=spelt is True
        )
    for key in ("name", "say"):
        faults += _twins(entries, key, languages)
    if faults:
        return None, tuple(faults)
    numbers = range(1, KNOBS + 1)
    found = {number: _entry(number, entries[str(number)], folder) for number in numbers}
    theme = Theme(
        key=folder.name,
        names=MappingProxyType(data["name"]),
        languages=tuple(languages),
        entries=MappingProxyType(found),
        spelt=spelt,
        credits=tuple(data.get("credits", [])),
        board=tuple(data["board"]) if "board" in data else None,
    )
    return theme, ()


def _entry(number: int, table: Mapping[str, Any], folder: Path) -> ThemeEntry:
    return ThemeEntry(
        number=number,
        names=MappingProxyType(table["name"]),
        says=MappingProxyType(table.get("say", {})),
        picture=folder / picture_name(number),
        source=table.get("source", ""),
        art=table.get("art", ""),
    )


def _is_languages(given: object) -> TypeGuard[list[str]]:
    if not isinstance(given, list) or not given:
        return False
    codes = [code for code in given if isinstance(code, str) and CODE.fullmatch(code)]
    return len(set(codes)) == len(given)


def _is_number(key: str) -> bool:
    return re.fullmatch(r"[1-9][0-9]?", key) is not None and int(key) <= KNOBS


def _strangers(where: str, table: Mapping[str, Any], known: tuple[str, ...]) -> Iterator[Remark]:
    for key in table:
        if key not in known:
            settings = ", ".join(known)
            text = tr("there is no such setting here; there are {settings}", settings=settings)
            yield Remark(_at(where, key), text)


def _number_faults(entries: Mapping[str, Any]) -> Iterator[Remark]:
    for key in entries:
        if not _is_number(key):
            text = tr(
                "“{given}” is no number of a knob; they are 1 to {most}, written as [entries.1]",
                given=key,
                most=KNOBS,
            )
            yield Remark("entries", text)
    missing = [str(number) for number in range(1, KNOBS + 1) if str(number) not in entries]
    if len(missing) == KNOBS:
        text = tr(
            "there are none; write {count}, each in a table of its own, as in [entries.1]",
            count=KNOBS,
        )
        yield Remark("entries", text)
    elif missing:
        text = tr(
            "there are {count} of {most}; missing: {missing}",
            count=KNOBS - len(missing),
            most=KNOBS,
            missing=", ".join(missing),
        )
        yield Remark("entries", text)


def _credit_faults(given: object) -> Iterator[Remark]:
    lines = given if isinstance(given, list) else [None]
    if not all(isinstance(line, str) and line.strip() for line in lines):
        yield Remark("credits", tr("write a list of lines in quotation marks"))


def _board_faults(given: object) -> Iterator[Remark]:
    if given is None:
        return
    sides = given if isinstance(given, list) and all(type(side) is int for side in given) else []
    if (
        len(sides) != 4
        or not 0 <= sides[0] < sides[2] <= LARGEST
        or not 0 <= sides[1] < sides[3] <= LARGEST
    ):
        yield Remark(
            "board",
            tr(
                "write left, top, right and bottom, in pixels from 0 to {most}, such as [12, 8,"
                " 148, 104]",
                most=LARGEST,
            ),
        )


def _entry_faults(
    number: str, table: object, languages: list[str], *, facts: bool, spelt: bool
) -> Iterator[Remark]:
    where = tr("entry {number}", number=number)
    if not isinstance(table, dict):
        text = tr("a table stands here, as in [entries.{number}]", number=number)
        yield Remark(where, text)
        return
    names = table.get("name")
    if isinstance(names, dict) and isinstance(name := names.get(languages[0]), str):
        where += f" ({name})"
    yield from _strangers(where, table, _OF_AN_ENTRY)
    yield from _in_all_languages(_at(where, "name"), names, languages)
    if spelt:
        yield from _unspellable(where, names)
        if "say" in table:
            text = tr("in a theme that is spelt the letters are said; take the line away")
            yield Remark(_at(where, "say"), text)
    elif facts or "say" in table:
        yield from _in_all_languages(_at(where, "say"), table.get("say"), languages)
    yield from _too_long_to_say(where, names, table.get("say"), spelt=spelt)
    for key in ("source", "art"):
        if key in table and not _is_line(table[key]):
            yield Remark(_at(where, key), tr("write words in quotation marks"))
    if facts and "source" not in table:
        text = tr("is missing; say where the fact can be looked up")
        yield Remark(_at(where, "source"), text)


def _in_all_languages(where: str, given: object, languages: list[str]) -> Iterator[Remark]:
    """Yield a fault for what is not exactly one good line in each language."""
    if not isinstance(given, dict):
        key = where.rpartition(", ")[2]
        wanted = ", ".join(f'{code} = "…"' for code in languages)
        todo = f"{key} = {{ {wanted} }}"
        if given is None:
            yield Remark(where, tr("is missing; write {todo}", todo=todo))
        else:
            yield Remark(where, tr("is no table; write {todo}", todo=todo))
        return
    for code in given:
        if code not in languages:
            text = tr("is none of the theme's languages; add it there, or take it away")
            yield Remark(_at(where, code), text)
    for code in languages:
        line = given.get(code)
        if line is None:
            yield Remark(_at(where, code), tr("is missing"))
        elif not _is_line(line):
            text = tr("write words in quotation marks, on one line, without a blank at an end")
            yield Remark(_at(where, code), text)
        elif len(line) > LONGEST:
            text = tr(
                "it has {count} characters; {most} is the most", count=len(line), most=LONGEST
            )
            yield Remark(_at(where, code), text)


def _too_long_to_say(where: str, names: object, says: object, *, spelt: bool) -> Iterator[Remark]:
    for code, name in names.items() if isinstance(names, dict) else ():
        line = says.get(code) if isinstance(says, dict) else ""
        if not _is_line(name) or not isinstance(line, str) or max(len(name), len(line)) > LONGEST:
            continue  # told already
        count = len(_together(name, _spelling(name, code) if spelt else line, spelt=spelt))
        if count > LONGEST_SPOKEN:
            text = tr(
                "what is said has {count} characters; {most} is the most that the voice says",
                count=count,
                most=LONGEST_SPOKEN,
            )
            yield Remark(_at(where, code), text)


def _is_line(given: object) -> bool:
    return isinstance(given, str) and given != "" and given == given.strip() and given.isprintable()


def _unspellable(where: str, names: object) -> Iterator[Remark]:
    for code, name in names.items() if isinstance(names, dict) else ():
        if isinstance(name, str) and not _is_of_letters(name):
            text = tr("“{name}” has more in it than letters; it cannot be spelt", name=name)
            yield Remark(_at(where, "name", code), text)
        elif isinstance(name, str) and (many := len(letters(name, code))) > LONGEST_SPELT:
            text = tr(
                "“{name}” has {count} letters; {most} is the most that is spelt",
                name=name,
                count=many,
                most=LONGEST_SPELT,
            )
            yield Remark(_at(where, "name", code), text)


def _is_of_letters(word: str) -> bool:
    whole = unicodedata.normalize("NFC", word)
    marked = whole != "" and not _is_mark(whole[0])
    return marked and all(letter.isalpha() or _is_mark(letter) for letter in whole)


def _twins(entries: Mapping[str, Any], key: str, languages: list[str]) -> Iterator[Remark]:
    """Yield a fault for entries that a player cannot tell apart by ear, in one language."""
    for code in languages:
        first: dict[str, str] = {}
        for number in filter(_is_number, entries):
            table = entries[number]
            words = table.get(key) if isinstance(table, dict) else None
            line = words.get(code) if isinstance(words, dict) else None
            if not isinstance(line, str):
                continue
            heard = unicodedata.normalize("NFC", line).casefold()
            if (other := first.setdefault(heard, number)) != number:
                text = tr("“{line}” stands at entry {other} too", line=line, other=other)
                yield Remark(_at(tr("entry {number}", number=number), key, code), text)


def _at(*steps: str) -> str:
    return ", ".join(step for step in steps if step)
