"""Parse TOML and JSON that others wrote, alone of all modules, in bounded time and memory.

Python's own parsers are right, but trust whoever wrote: brackets 20,000 deep end in a traceback, a
key of 20,000 parts takes a quarter of a minute, and a pipe is waited for without end. So a text is
measured before it is parsed, in one pass, and what it holds is checked before anybody gets it.
What cannot be read is `Unreadable`, with the line where there is one.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import tomllib
from collections.abc import Iterator, Set
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from station.base.errors import Unreadable
from station.base.tongue import key, tr
from station.base.typed import shown, texts_in, unfit

MOST_TOML = 1 << 19  # bytes; the longest that ships has 25,000
MOST_JSON = 1 << 22
MOST_DEEP = 32  # brackets in brackets
MOST_PARTS = 8  # of a dotted key; tomllib's time grows with their square
MOST_DIGITS = 40  # of a whole number; the longest tag has 25
LONGEST_WORD = 64  # of TOML without quotes: keys, numbers, dates
LONGEST_KEY = 200
TOO_DEEP = key("brackets stand in brackets more than {most} deep")
TOO_MUCH = key("longer than {most:,} bytes")
LONGEST_REASON = 300  # of a parser's message, which may repeat its input

NUMBER = key("a number of {count:,} characters; {most} is the most")
WORD = key("a word without quotes of {count:,} characters; {most} is the most")

# A string of either kind, a comment, a word without quotes, or a character that has a meaning. It
# never goes back over what it has read.
_TOML = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+"*|' + r"'''(?:[^']|'(?!''))*+'*"
    r'|"(?:[^"\\\n]|\\.)*+"?|' + r"'[^'\n]*+'?|#[^\n]*+|[\w+-]++|[\[\]{}=,.\n]",
    re.DOTALL | re.ASCII,
)
_JSON = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
# JSON can spell half a character, which no encoding can write
_FOLDER = errno.EISDIR, os.strerror(errno.EISDIR)
_HALVES = frozenset(map(chr, range(0xD800, 0xE000)))
_OPENING, _CLOSING = frozenset("[{"), frozenset("]}")
_AN_END = frozenset("[]{}=,\n")  # of a key: the next begins


def file_bytes(path: Path, most: int = MOST_TOML) -> bytes:
    """Return the content of a file that a person named.

    Raises:
        Unreadable: it is a device or a pipe, which may have no end, or longer than `most` bytes.
        OSError: it is not there, or may not be read.
    """
    no_file = tr("this is a device or a pipe; name a file")
    if path.exists() and not path.is_file() and not path.is_dir():
        raise Unreadable(no_file)
    # Somebody may exchange the file after that look: a pipe must not be waited for.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(mode := os.fstat(descriptor).st_mode):
            raise IsADirectoryError(*_FOLDER) if stat.S_ISDIR(mode) else Unreadable(no_file)
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(most + 1)
    finally:
        os.close(descriptor)
    if len(data) > most:
        raise Unreadable(
            tr("longer than {most:,} bytes: check that it is the right file", most=most)
        )
    return data


def named_bytes(path: Path, most: int = MOST_TOML) -> bytes:
    """Return the content of a file that a person named; every fault is a sentence with its name.

    Raises:
        Unreadable: as `file_bytes`; or it is not there, or may not be read.
    """
    try:
        with _named(path):
            return file_bytes(path, most)
    except FileNotFoundError as error:
        raise _refused(path, error) from error


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Name the file in every sentence; that there is none is the caller's to say."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _refused(path, error) from error
    except Unreadable as error:
        raise Unreadable(f"{path}: {error}") from error


def _refused(path: Path, error: OSError) -> Unreadable:
    why = tr("cannot be read: {why}", why=error.strerror)
    return Unreadable(f"{path}: {why}")


def toml_from(data: bytes | str) -> dict[str, Any]:
    """Parse a TOML text.

    >>> toml_from("[hall]\\nname = 'Barn'")
    {'hall': {'name': 'Barn'}}
    >>> toml_from("a = " + "[" * 20_000)
    Traceback (most recent call last):
    station.base.errors.Unreadable: line 1: brackets stand in brackets more than 32 deep

    Raises:
        Unreadable: it is not TOML, or beyond what anybody would write; the message says where.
    """
    _within(data, MOST_TOML)
    text = _text(data, "TOML").replace("\r\n", "\n")
    _measure_toml(text)
    try:
        tables = tomllib.loads(text)
    except ValueError as error:  # tomllib's own errors, and those of impossible numbers and dates
        raise Unreadable(tr("not {kind}: {why}", kind="TOML", why=_cut(error))) from error
    _look_at(tables, _HALVES | {"\0"})
    for place, words in texts_in(tables):
        if (fault := unfit(words, "\n\t")) is not None:
            raise Unreadable(f"{shown(place) or tr('a name in it')} {fault}")
    return tables


def json_from(data: bytes | str, most: int = MOST_JSON, longest_key: int = LONGEST_KEY) -> Any:
    """Parse a JSON text. Unlike Python's own parser it refuses a key given twice, NaN and Infinity.

    >>> json_from(b'{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    >>> json_from('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    station.base.errors.Unreadable: not JSON: the key 'a' is given twice

    Raises:
        Unreadable: it is not JSON, or beyond what any program would send.
    """
    _within(data, most)
    text = _text(data, "JSON")
    _measure_json(text)
    try:
        told = json.loads(
            text,
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_whole,
            object_pairs_hook=_each_once,
        )
    except ValueError as error:
        raise Unreadable(tr("not {kind}: {why}", kind="JSON", why=_cut(error))) from error
    if "\\u" in text:  # other characters came as UTF-8, which has no halves
        _look_at(told, _HALVES, longest_key)
    return told


def table_from(data: bytes, most: int = MOST_JSON) -> dict[str, Any]:
    """Parse a JSON text that must be an object, for a caller with its own error messages.

    >>> table_from(b"[]")
    Traceback (most recent call last):
    ValueError: it is no table

    Raises:
        ValueError: it is not an object; never `Unreadable`, which a caller could take for its own
            error.
    """
    try:
        told = json_from(data, most)
    except Unreadable as error:
        raise ValueError(str(error)) from None
    if not isinstance(told, dict):
        raise ValueError(tr("it is no table"))
    return told


def read_toml(path: Path) -> dict[str, Any]:
    """Parse a TOML file.

    Raises:
        Unreadable: with its name, as `toml_from` and `file_bytes`; or it may not be read.
        FileNotFoundError: it is not there.
    """
    with _named(path):
        return toml_from(file_bytes(path))


def read_json(path: Path, longest_key: int = LONGEST_KEY) -> Any:
    """Parse a JSON file; raises as `read_toml`.

    Args:
        longest_key: more for a file that ships with the program, and whose keys are sentences.
    """
    with _named(path):
        told = json_from(file_bytes(path, MOST_JSON), longest_key=longest_key)
        _look_at(told, frozenset("\0"), longest_key)
        return told


# -- before it is parsed ---------------------------------------------------------------------------


def _within(data: bytes | str, most: int) -> None:
    if len(data) > most:
        raise Unreadable(tr(TOO_MUCH, most=most))


def _text(data: bytes | str, kind: str) -> str:
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable(tr("not {kind}: not UTF-8 but UTF-16: save it as UTF-8", kind=kind))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable(
            tr("not {kind}: line {line}: not UTF-8: save it as UTF-8", kind=kind, line=line)
        ) from error


def _measure_toml(text: str) -> None:
    deep = dots = 0
    for found in _TOML.finditer(text):
        mark = found[0]
        if mark == ".":
            dots += 1
            if dots >= MOST_PARTS:
                raise _at(
                    found, tr("a key of more than {most} parts between dots", most=MOST_PARTS)
                )
        elif mark in _AN_END:
            dots = 0
            deep += (mark in _OPENING) - (mark in _CLOSING)
            if deep > MOST_DEEP:
                raise _at(found, tr(TOO_DEEP, most=MOST_DEEP))
        elif len(mark) > LONGEST_WORD and mark[0] not in "\"'#":
            told = NUMBER if mark.lstrip("+-")[:1].isdigit() else WORD
            raise _at(found, tr(told, count=len(mark), most=LONGEST_WORD))


def _measure_json(text: str) -> None:
    if text.count("[") + text.count("{") <= MOST_DEEP:  # nearly every line of the wire
        return
    deep = 0
    for found in _JSON.finditer(text):
        deep += (found[0] in _OPENING) - (found[0] in _CLOSING)
        if deep > MOST_DEEP:
            raise _at(found, tr(TOO_DEEP, most=MOST_DEEP))


def _at(found: re.Match[str], fault: str) -> Unreadable:
    number = found.string.count("\n", 0, found.start()) + 1
    return Unreadable(f"{tr('line {number}', number=number)}: {fault}")


# -- while it is parsed ----------------------------------------------------------------------------


def _no_constant(name: str) -> NoReturn:
    raise ValueError(tr("{name} is no number", name=name))


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(tr("a number is larger than a computer can hold"))
    return number


def _whole(text: str) -> int:
    digits = len(text.removeprefix("-"))
    if digits > MOST_DIGITS:
        raise ValueError(
            tr("a number of {digits:,} digits; {most} is the most", digits=digits, most=MOST_DIGITS)
        )
    return int(text)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name, value in pairs:
        if name in told:
            raise ValueError(tr("the key {key} is given twice", key=_cut(repr(name))))
        told[name] = value
    return told


def _cut(reason: object) -> str:
    words = str(reason)
    return words if len(words) <= LONGEST_REASON else f"{words[: LONGEST_REASON - 1]}…"


# -- after it was parsed ---------------------------------------------------------------------------


def _look_at(told: Any, foul: Set[str], longest_key: int = LONGEST_KEY) -> None:
    """Check parsed data for what can be spelt, but not be stored, name a file, or be added up.

    Raises:
        Unreadable: such a value was found.
    """
    for place, value in _values(told, "", longest_key):
        if isinstance(value, str) and not foul.isdisjoint(value):
            what = tr("a zero character, or half of one, stands in it")
            raise Unreadable(f"{_cut(shown(place)) or tr('the text')}: {what}")
        if isinstance(value, float) and not isfinite(value):
            raise Unreadable(
                f"{_cut(shown(place))}: {tr('{value} is not a finite number', value=value)}"
            )
        if isinstance(value, int) and abs(value) >= 10**MOST_DIGITS:
            what = tr("a number of more than {most} digits", most=MOST_DIGITS)
            raise Unreadable(f"{_cut(shown(place))}: {what}")


def _values(told: Any, place: str, longest_key: int) -> Iterator[tuple[str, Any]]:
    if isinstance(told, dict):
        for name, value in told.items():
            if len(name) > longest_key:
                what = tr(
                    "a key of {count:,} characters; {most} is the most",
                    count=len(name),
                    most=longest_key,
                )
                raise Unreadable(f"{_cut(shown(place)) or tr('the text')}: {what}")
            within = f"{place}.{name}" if place else name
            yield within, name
            yield from _values(value, within, longest_key)
    elif isinstance(told, list):
        for number, value in enumerate(told):
            yield from _values(value, f"{place}.{number}", longest_key)
    else:
        yield place, told
