"""Leave out of print, pages and export the names of people who asked to be forgotten.

The lines of a night are chained and signed, so no name in them can be taken out. From now on a
pseudonym stands in its place in everything that is made of them. The list of the forgotten is a
file of the state folder, and is in a backup. It holds no name: only digests under a key of its own,
by which a name is known again.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from station.base.disk import Disk, keep_file
from station.base.errors import Damaged, Unreadable
from station.base.tongue import tr
from station.base.untrusted import json_from
from station.people.alike import person_of
from station.record.journal import JournalContent, disk_errors

FILE = "forgotten.json"
# The fields of a line that hold a person's name, and those that hold sentences with names in them.
NAMED = frozenset({"by", "to", "who", "name"})
TEXTS = frozenset({"what", "why", "say"})
NAMES = frozenset({"seats", "joined"})  # rows that begin with a name
LONGEST = 5  # words of a name, as sentences are searched for it
_Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


@dataclass(frozen=True)
class ForgottenPeople:
    """The people who are forgotten, in the order in which they were.

    Attributes:
        key: of the digests, 64 hex digits.
        people: the digest of each.
    """

    key: _Digest
    people: tuple[_Digest, ...] = ()

    def with_one(self, name: str) -> ForgottenPeople:
        """Return the list with one more; the same where that person is in it."""
        digest = self._digest(name)
        return self if digest in self.people else replace(self, people=(*self.people, digest))

    def told(self, name: str) -> str:
        """Return a name as it may be told: a forgotten person's pseudonym."""
        at = self._places.get(self._digest(name))
        return name if at is None else tr("person {number}", number=at)

    def lines(self, lines: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
        """Return journal lines as they may be told."""
        if not self.people:
            return tuple(dict(line) for line in lines)
        return tuple({**line, **self._part(line, ("by", "do", "then"))} for line in lines)

    def content(self, reading: JournalContent) -> JournalContent:
        """Return a night's lines as they may be told; they are verified already."""
        return replace(reading, lines=self.lines(reading.lines)) if self.people else reading

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {digest: at for at, digest in enumerate(self.people, 1)}

    @cached_property
    def _known(self) -> dict[str, str]:
        return {}

    def _digest(self, name: str) -> str:
        if (known := self._known.get(name)) is None:
            message = person_of(name).encode()
            known = hmac.new(bytes.fromhex(self.key), message, hashlib.sha256).hexdigest()
            self._known[name] = known
        return known

    def _part(self, part: Mapping[str, Any], names: Iterable[str] | None = None) -> dict[str, Any]:
        return {
            name: self._value(name, part[name])
            for name in (part if names is None else names)
            if name in part
        }

    def _value(self, name: str, value: Any) -> Any:
        if isinstance(value, str):
            if name in NAMED:
                return self.told(value)
            return self._text(value) if name in TEXTS else value
        if isinstance(value, dict):
            return self._part(value)
        if isinstance(value, list):
            if name in NAMES:
                return [
                    [self.told(str(row[0])), *row[1:]] if isinstance(row, list) and row else row
                    for row in value
                ]
            return [self._value(name, one) if isinstance(one, dict) else one for one in value]
        return value

    def _text(self, text: str) -> str:
        """Return a sentence with pseudonyms in it."""
        words, at, told = text.split(" "), 0, list[str]()
        while at < len(words):
            for count in range(min(LONGEST, len(words) - at), 0, -1):
                said = " ".join(words[at : at + count])
                name = said.rstrip(".,:;!?)")
                if name and (other := self.told(name)) != name:
                    told.append(other + said[len(name) :])
                    at += count
                    break
            else:
                told.append(words[at])
                at += 1
        return " ".join(told)


_FORM = TypeAdapter(ForgottenPeople)
NOBODY = ForgottenPeople("0" * 64)


def load_forgotten(state: Path, disk: Disk | None = None) -> ForgottenPeople:
    """Return who is forgotten in a state folder.

    Raises:
        Damaged: the list cannot be read. Nothing is told then, so that no name is told by mistake.
    """
    path = state / FILE
    try:
        return _FORM.validate_python(json_from((disk or Disk()).read(path)))
    except FileNotFoundError:
        return NOBODY
    except (OSError, Unreadable, ValidationError) as error:
        why = tr("the list of those who are forgotten cannot be read: put it back from a backup")
        raise Damaged(f"{path}: {why}") from error


def forget(state: Path, name: str, disk: Disk | None = None) -> ForgottenPeople:
    """Put a person on the list, durably; return it.

    Raises:
        Damaged: it cannot be read.
        StoreError: it cannot be written.
    """
    known = load_forgotten(state, disk)
    known = known if known is not NOBODY else ForgottenPeople(secrets.token_hex(32))
    known = known.with_one(name)
    data = json.dumps({"key": known.key, "people": known.people}).encode()
    with disk_errors(state / FILE, tr("{file}: cannot be written ({why})")):
        keep_file(state / FILE, data, disk, private=True)
    return known


def names_in(lines: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Return the names in the lines of a night, as names are compared."""
    parts = ({name: line[name] for name in ("by", "do", "then")} for line in lines)
    return frozenset(person_of(name) for part in parts for name in _names("", part))


def _names(place: str, value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if place in NAMED:
            yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _names(name, inner)
    elif isinstance(value, list):
        for one in value:
            if isinstance(one, dict):
                yield from _names(place, one)
            elif place in NAMES and isinstance(one, list) and one:
                yield str(one[0])
