"""Put into words what the station says and shows: one data file a language, and the voice packs
that speak it.

`station/wire/wording/en.toml` is the reference: another language has the same keys, with the same
`{names}` to be filled in. The words of one game alone lie in its folder, one file a language
(`station/games/GAME/words/en.toml`); its short rules are there, too.
`station/wire/wording/sayings/` has the traditional calls of a language, as far as a source shows
them, with the source.

`station/wire/wording/regions/` has what some countries say otherwise, `fr-CH` above `fr`: a base,
and the lines that differ. A hall's own words are files of the same form in its state folder,
`wording/fr-CH.toml`, and lie above both.
"""

from __future__ import annotations

import difflib
import logging
import re
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from station.base.errors import Unreadable
from station.base.nouns import PACK, RANKS, SUITS, rank_of, suit_of
from station.base.tongue import tr
from station.base.untrusted import read_toml

FOLDER = Path(__file__).parent
# Of a language, in each game's folder: data alone is read there.
WORDS_OF_GAMES = "games/*/words"
VOICES = FOLDER / "voices"
REGIONS = FOLDER / "regions"
OWN = "wording"  # in the state folder: a hall's own words, which an update leaves alone
SAYINGS = "sayings"
CARD = "card."  # before a playing card's face: the clip that names it
TITLE = "title-"  # before a game's name, among the words of rules
REFERENCE = "en"
SENTENCE_ENDS = (".", "?", "!", "।")  # the last is the full stop of Devanagari
# phrases that go on with what a number began
FOLLOWING = ("not-called", "has-bag", "joins-table", "answers-first", "has-won", "nought", "and")

SMALL = {"Eén": "één"}  # Dutch: a capital goes without its accent

_KEYED = ("phrases", "screen", "rules")
_NUMBERED = {"numbers": 90, "procedure": None}
_OVER = ("language", *_NUMBERED, *_KEYED, SAYINGS, "letters")  # what a file above another may have
_CODE = re.compile(r"[a-z]{2,3}(-[a-zA-Z0-9]{2,8})*")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Wording:
    """All words of one language.

    Attributes:
        code: of the language, as in the file's name ("en").
        name: of the language, in itself ("English").
        numbers: 1 to 90 in words.
        phrases: what the caller's voice says; each key is also a clip.
        screen: labels and signs of the boards.
        rules: the rules of the games, a sentence each; a key begins with its game's name.
        procedure: how to go on with paper when the record cannot be written, step by step.
        sayings: number to its traditional call as it is spoken, the number at its end; a number
            without one is absent.
        base: the language that it is a region's form of, whose voice, pages and refusals serve it,
            too; else its own code.
        changed: labels of `screen` that the hall has changed, or its own language has: what nobody
            knows who has only the words that ship.
        letters: what this region writes otherwise, letter by letter: "ß" is "ss" in Switzerland.
    """

    code: str
    name: str
    numbers: Mapping[int, str]
    phrases: Mapping[str, str]
    screen: Mapping[str, str]
    rules: Mapping[str, str]
    procedure: tuple[str, ...]
    sayings: Mapping[int, str]
    base: str = ""
    changed: Mapping[str, str] = field(default_factory=dict)
    letters: Mapping[str, str] = field(default_factory=dict)

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
            | {f"{CARD}{face}": _large(self.card(face)) for face in PACK}
            | dict(self.phrases)
        )

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        return self.clips("sayings")

    def title_of(self, game: str) -> str:
        """Return what a game of the house is called; empty for a game of somebody's own.

        >>> load_wording("de").title_of("dice-keno")
        'Würfel-Keno'
        """
        return self.rules.get(f"{TITLE}{game}", "")

    def rules_of(self, game: str) -> tuple[str, ...]:
        """Return the rules of a game in short, a sentence each, in their order.

        >>> load_wording("en").rules_of("keno")[0]
        'Keno is Loto for one prize: the first full line.'
        """
        return tuple(text for key, text in self.rules.items() if key.startswith(f"{game}-"))

    def card(self, face: str) -> str:
        """Return what a playing card is called.

        >>> load_wording("en").card("QH"), load_wording("de").card("10S")
        ('queen of hearts', 'Pik Zehn')
        """
        rank, suit = RANKS[rank_of(face)], SUITS[suit_of(face)]
        words = self.screen
        return words["card-named"].format(rank=words[f"rank-{rank}"], suit=words[f"suit-{suit}"])

    def sentence(self, clips: tuple[str, ...] | list[str]) -> str:
        """Return what a list of clips says, as text. A clip without words, such as the chime, adds
        nothing.

        >>> load_wording("en").sentence(["chime", "number.37", "not-called"])
        'Thirty-seven was not called.'
        """
        spoken = [clip for clip in clips if clip in self._texts]
        words = [self._texts[clip] for clip in spoken]
        # "The last number was" + "Forty-two" + "Play on.": a number goes on with what stands before
        # it, a phrase begins anew.
        for place in range(1, len(words)):
            before, clip = words[place - 1], spoken[place]
            if before.endswith(SENTENCE_ENDS):
                continue
            if clip.startswith(CARD) or (clip in self.phrases and clip not in FOLLOWING):
                words[place - 1] += "" if before.endswith(":") else self.full_stop
            else:
                words[place] = _small(words[place])
        return " ".join(words)

    def written(self, text: str) -> str:
        """Return a text of the base as this region writes it."""
        for letter, instead in self.letters.items():
            text = text.replace(letter, instead)
        return text

    def labelled(self, changed: Mapping[str, str]) -> Wording:
        """Return these words with the labels that a hall has changed."""
        return replace(self, screen={**self.screen, **changed}) if changed else self

    @property
    def full_stop(self) -> str:
        """Return the mark that ends a sentence of this language."""
        return self.phrases["play-on"][-1]


def languages(folder: Path = FOLDER) -> tuple[str, ...]:
    """Return the codes of the languages that have a wording of their own, whole, in order.

    >>> languages()
    ('de', 'en', 'es', 'fr', 'hi', 'it', 'nl', 'pt', 'ru')
    """
    return tuple(sorted(path.stem for path in folder.glob("*.toml")))


def regions() -> tuple[str, ...]:
    """Return the codes of the regions that ship, in order.

    >>> regions()
    ('de-CH', 'en-IE', 'fr-BE', 'fr-CH', 'pt-BR')
    """
    return languages(REGIONS)


def own_folder(state: Path) -> Path:
    """Return the folder of a hall's own words in its state folder."""
    return state / OWN


def own_file(own: Path | None, language: str) -> Path | None:
    """Return a hall's file of its own words for a language; None where it has none, or where it may
    not be seen, as by the services that have no business in the state folder."""
    if own is None:
        return None
    try:
        (file := own / f"{language}.toml").lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        log.info("%s: not visible; the words that ship are used here", own)
        return None
    return file


def shipped_for(language: str) -> str:
    """Return the language or region that ships and is nearest to a code.

    >>> shipped_for("pt-BR"), shipped_for("fr-CA"), shipped_for("eo")
    ('pt-BR', 'fr', 'en')
    """
    root = language.partition("-")[0]
    known = {*languages(), *regions()}
    return language if language in known else root if root in known else REFERENCE


def base_of(language: str, own: Path | None = None) -> str:
    """Return the language that a code is a form of: what its file names as its base, or the code.

    >>> base_of("pt-BR"), base_of("pt")
    ('pt', 'pt')
    """
    if language in languages():
        return language
    file = REGIONS / f"{language}.toml" if language in regions() else own_file(own, language)
    try:
        named = _named_base(file) if file is not None else None
    except Unreadable:  # whoever reads its words says so
        named = None
    return named if named in languages() else language


def _named_base(file: Path) -> Any:
    table = _tables(file).get("language")
    return table.get("base") if isinstance(table, dict) else None


def to_make(texts: Mapping[str, str], spoken: Mapping[str, str]) -> dict[str, str]:
    """Return the clips that a voice pack wants made, with their texts: those that it has not, and
    those that say other words.

    Args:
        texts: every clip that is wanted, as `Wording.clips` gives them.
        spoken: what the pack's clips say, by their names.

    >>> to_make({"stop": "Stop.", "card": "Card"}, {"stop": "Halt.", "card": "Card", "x": "X"})
    {'stop': 'Stop.'}
    """
    return {clip: text for clip, text in texts.items() if spoken.get(clip) != text}


def load_wording(
    language: str = REFERENCE, folder: Path = FOLDER, own: Path | None = None
) -> Wording:
    """Read a language's words; those that ship once in a process.

    Args:
        language: the code of a language or a region.
        own: the folder of a hall's own words; what its file says stands above all others.

    Raises:
        Unreadable: no such language, or a file with faults; every fault is named with file and key.
    """
    shipped = own is None and folder == FOLDER
    return _kept(language) if shipped else _loaded(language, folder, own)


@cache
def _kept(language: str) -> Wording:
    return _loaded(language, FOLDER, None)


def _loaded(language: str, folder: Path, own: Path | None) -> Wording:
    tables = _layers(language, folder, own)
    numbers = {int(number): word for number, word in tables["numbers"].items()}
    sayings = {int(number): text for number, text in tables[SAYINGS].items() if text.strip()}
    shipped = shipped_for(language)
    screen = MappingProxyType(tables["screen"])
    return Wording(
        code=tables["language"]["code"],
        name=tables["language"]["name"],
        numbers=MappingProxyType(numbers),
        phrases=MappingProxyType(tables["phrases"]),
        screen=screen,
        rules=MappingProxyType(tables["rules"]),
        procedure=tuple(tables["procedure"].values()),
        sayings=MappingProxyType(
            {number: _ending_in(numbers[number], text) for number, text in sayings.items()}
        ),
        base=tables["language"].get("base", language),
        changed=MappingProxyType(_changed(screen, shipped, own)),
        letters=MappingProxyType(tables.get("letters", {})),
    )


def hall_wording(language: str, own: Path | None) -> tuple[Wording, str]:
    """Return a hall's words, and what is wrong with its own file, if anything: then the words that
    ship stand in for it, for an evening must not wait for a word.

    Raises:
        Unreadable: no such language, and the hall has no file of it.
    """
    try:
        return load_wording(language, own=own), ""
    except Unreadable as error:
        if own_file(own, language) is None:
            raise
        return load_wording(shipped_for(language)), str(error)


@dataclass(frozen=True, slots=True)
class WordingLine:
    """One text of a wording, by its table and key.

    Attributes:
        text: as it is in force; empty where it is switched off.
        shipped: as it ships.
    """

    table: str
    key: str
    text: str
    shipped: str


def lines_of(language: str, own: Path | None = None) -> list[WordingLine]:
    """Return every text of a language that a hall may change, in the order of the files.

    Raises:
        Unreadable: no such language, or a file with faults.
    """
    tables = _layers(language, FOLDER, own)
    shipped = _layers(shipped_for(base_of(language, own)), FOLDER, None)
    shipped = _layers(language, FOLDER, None) if language in regions() else shipped
    return [
        WordingLine(name, key, tables[name].get(key, ""), shipped[name].get(key, ""))
        for name in (*_NUMBERED, *_KEYED, SAYINGS)
        for key in {**shipped[name], **tables[name]}
    ]


def _changed(screen: Mapping[str, str], shipped: str, own: Path | None) -> dict[str, str]:
    """Return the labels that differ from those that everybody has."""
    if own is None:
        return {}
    known = _layers(shipped, FOLDER, None)["screen"]
    return {key: text for key, text in screen.items() if known.get(key) != text}


def _layers(language: str, folder: Path, own: Path | None) -> dict[str, Any]:
    """Return a language's tables as they lie above each other: the language, its region, the hall's
    own words."""
    over = own_file(own, language)
    whole = folder / f"{language}.toml"
    region = folder / REGIONS.name / f"{language}.toml"
    if not _CODE.fullmatch(language) or not (whole.is_file() or region.is_file() or over):
        every = (*languages(folder), *languages(folder / REGIONS.name))
        known = ", ".join(sorted(every)) or tr("none")
        raise Unreadable(
            tr("no wording for language {code!r}: there is {known}", code=language, known=known)
        )
    if whole.is_file():
        tables = _whole(whole, language, folder)
    elif region.is_file():
        tables = _above(region, folder)
    elif _named_base(over or whole) is not None:
        return _above(over or whole, folder)
    else:
        return _whole(over or whole, language, folder)
    return _laid(tables, over) if over is not None else tables


def _above(file: Path, folder: Path) -> dict[str, Any]:
    """Return the tables of a file that names its base, laid on that base's."""
    base = _named_base(file)
    if base not in languages(folder):
        say = tr("{code!r} is none of {known}", code=base, known=", ".join(languages(folder)))
        raise Unreadable(_listed(file, [f"[language] base: {say}"]))
    tables = _whole(folder / f"{base}.toml", base, folder)
    sayings = _read_sayings(file.stem, folder)
    return _laid({**tables, SAYINGS: {**tables[SAYINGS], **sayings}}, file)


def _whole(file: Path, language: str, folder: Path) -> dict[str, Any]:
    """Return the tables of a language that stands for itself, checked against the reference."""
    tables = _with_games(_tables(file), language)
    own_sayings = tables.pop(SAYINGS, {})
    faults = _form_faults(tables)
    if language != REFERENCE:
        reference = _with_games(_tables(FOLDER / f"{REFERENCE}.toml"), REFERENCE)
        faults += _difference_faults(tables, reference)
    if faults:
        raise Unreadable(_listed(file, faults))
    return {**tables, SAYINGS: {**_read_sayings(language, folder), **own_sayings}}


def _with_games(tables: dict[str, Any], language: str) -> dict[str, Any]:
    """Return a language's tables, and in them the words of all games: the language's own file goes
    before, and a game that has no words of a hall's own language keeps the reference's."""
    for known in sorted(FOLDER.parents[1].glob(f"{WORDS_OF_GAMES}/{REFERENCE}.toml")):
        file = known.with_name(f"{language}.toml")
        file = file if file.is_file() else known
        words = _tables(file)
        if wrong := sorted(words.keys() - {*_KEYED}):
            why = tr("it has {tables} alone", tables=", ".join(_KEYED))
            raise Unreadable(f"{file}: {', '.join(wrong)}: {why}")
        for name, said in words.items():
            if isinstance(tables.get(name), dict):
                tables[name] = {**said, **tables[name]}
    return tables


def _laid(tables: Mapping[str, Any], file: Path) -> dict[str, Any]:
    """Return tables with those of a file above them, line by line.

    Raises:
        Unreadable: the file has faults: all of them, each with its key.
    """
    over = _tables(file)
    if faults := [*_over_faults(over, tables)]:
        raise Unreadable(_listed(file, faults))
    letters = over.get("letters", {})

    def written(text: str) -> str:
        for letter, instead in letters.items():
            text = text.replace(letter, instead)
        return text

    laid = {
        name: {key: written(text) for key, text in table.items()} | over.get(name, {})
        for name, table in tables.items()
        if name != "letters"
    }
    laid["language"] |= {"code": file.stem}
    return {**laid, "letters": {**tables.get("letters", {}), **letters}}


def _over_faults(over: Mapping[str, Any], tables: Mapping[str, Any]) -> Iterator[str]:
    for name, table in over.items():
        known = ", ".join(f"[{one}]" for one in _OVER)
        if not isinstance(table, dict):
            yield f"{name}: {tr('it stands below no table: there are {tables}', tables=known)}"
        elif name not in _OVER:
            yield f"[{name}] {tr('is not known here: there are {tables}', tables=known)}"
        else:
            for key, text in table.items():
                if (fault := _over_fault(name, key, text, tables)) is not None:
                    yield f"[{name}] {key}: {fault}"


def _over_fault(name: str, key: str, text: object, tables: Mapping[str, Any]) -> str | None:
    """Return what is wrong with one line of a file that lies above others, if anything."""
    if name in ("letters", SAYINGS):
        if name == SAYINGS and not re.fullmatch("[1-9]|[1-8][0-9]|90", key):
            return tr("is not a number from 1 to {most}", most=90)
        # empty: this saying is switched off
        return None if text == "" else _text_fault(text)
    known = ("code", "name", "base") if name == "language" else (*tables[name],)
    if key not in known:
        near = difflib.get_close_matches(key, known, 1)
        meant = near and tr("there is no such key; did you mean {key}?", key=near[0])
        return meant or tr("there is no such key")
    if (fault := _text_fault(text)) is not None or name not in _KEYED:
        return fault
    if _names(str(text)) != (wanted := _names(tables[name][key])):
        return tr("its {{names}} must be {wanted}", wanted=", ".join(sorted(wanted)) or tr("none"))
    return None


def _tables(file: Path) -> dict[str, Any]:
    try:
        return read_toml(file)
    except OSError as error:
        why = tr("cannot be read: {why}", why=error.strerror)
        raise Unreadable(f"{file}: {why}") from error


def _read_sayings(language: str, folder: Path) -> dict[str, str]:
    file = folder / SAYINGS / f"{language}.toml"
    if not file.is_file():
        return {}
    tables = _tables(file)
    unknown = tr("is not known here")
    faults = [f"{key} {unknown}" for key in tables.keys() - {"sources", "sayings"}]
    sources, sayings = tables.get("sources"), tables.get("sayings")
    if (
        not isinstance(sources, list)
        or not sources
        or not all(isinstance(source, str) and source.strip() for source in sources)
    ):
        say = tr("needs a list of texts in quotes that say where the calls were found")
        faults.append(f"sources: {say}")
    if not isinstance(sayings, dict):
        faults.append(f"[sayings] {tr('is missing')}")
    else:
        numbers = {str(number) for number in range(1, 91)}
        no_number = tr("is not a number from 1 to {most}", most=90)
        faults += [f"[sayings] {key} {no_number}" for key in sayings if key not in numbers]
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


def _large(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small(text: str) -> str:
    for capital, small in SMALL.items():
        if text.startswith(capital):
            return small + text.removeprefix(capital)
    return text[:1].lower() + text[1:]


def _form_faults(tables: Mapping[str, Any]) -> list[str]:
    unknown, missing = tr("is not known here"), tr("is missing")
    faults = [f"[{name}] {unknown}" for name in tables.keys() - {"language", *_KEYED, *_NUMBERED}]
    for name in ("language", *_NUMBERED, *_KEYED):
        table = tables.get(name)
        if not isinstance(table, dict):
            faults.append(f"[{name}] {missing}")
            continue
        for key, text in table.items():
            if (fault := _text_fault(text)) is not None:
                faults.append(f"[{name}] {key}: {fault}")
        if name == "language":
            faults += [
                f"[language] {key} {missing}" for key in ("code", "name") if key not in table
            ]
        elif name in _NUMBERED:
            expected = [str(number) for number in range(1, (_NUMBERED[name] or len(table)) + 1)]
            no_number = tr("is not a number from 1 to {most}", most=len(expected))
            faults += [f"[{name}] {key} {missing}" for key in expected if key not in table]
            faults += [f"[{name}] {key} {no_number}" for key in table if key not in expected]
    return faults


def _text_fault(text: object) -> str | None:
    if not isinstance(text, str) or not text.strip():
        return tr("needs a text in quotes, has {given!r}", given=text)
    try:
        names = [field for _, field, _, _ in string.Formatter().parse(text) if field is not None]
    except ValueError as error:
        return tr("{why}: write {{name}}, or {{{{ for a brace", why=error)
    wrong = (name for name in names if not name.isidentifier())
    return next((tr("{{{name}}} is not a name", name=name) for name in wrong), None)


def _difference_faults(tables: Mapping[str, Any], reference: Mapping[str, Any]) -> list[str]:
    faults: list[str] = []
    for name in _KEYED:
        here, there = tables.get(name), reference[name]
        if not isinstance(here, dict):
            continue  # the form says so already
        missing, foreign = tr("is missing"), tr("is not in {file}", file=f"{REFERENCE}.toml")
        faults += [f"[{name}] {key} {missing}" for key in there if key not in here]
        faults += [f"[{name}] {key} {foreign}" for key in here if key not in there]
        for key in there:
            sound = key in here and _text_fault(here[key]) is None
            if sound and _names(here[key]) != _names(there[key]):
                differ = tr(
                    "its {{names}} differ from those of {file}: {wanted}",
                    file=f"{REFERENCE}.toml",
                    wanted=", ".join(sorted(_names(there[key]))) or tr("none"),
                )
                faults.append(f"[{name}] {key}: {differ}")
    return faults


def _names(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def _listed(file: Path, faults: list[str]) -> str:
    return f"{file}: {len(faults)} {'fault' if len(faults) == 1 else 'faults'}\n" + "\n".join(
        f"  - {fault}" for fault in faults
    )
