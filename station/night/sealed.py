"""What of a move nobody may see until the hand is over: a card passed face down, a deal. Pure.

The journal's line holds a salted digest in its place. The content stands in a file of its owner
alone (`station.record.hidden`) until the hand is over, then in the line that ends it, where
anybody can hold it against the digests.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from station.base.errors import Unreadable

SEALED = "sealed"  # the field of a move that stands for those that are hidden
SALT = r"^[0-9a-f]{32}$"


class _Written(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    salt: Annotated[str, Field(pattern=SALT)]
    fields: dict[str, Any]


@dataclass(frozen=True)
class Sealed:
    """The hidden fields of one move.

    Attributes:
        salt: 128 bits of chance, in hex: without it the few hands that are possible could be tried
            out on the digest.
        fields: by name, as the move says them.
    """

    salt: str
    fields: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """Return what stands for the fields in the journal: SHA-256 of salt and content, in hex."""
        text = json.dumps(self.fields, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(f"{self.salt}\n{text}".encode()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """Return the content as the file and the line that opens it keep it."""
        return {"salt": self.salt, "fields": dict(self.fields)}


def read_sealed(data: Any, place: str) -> Sealed:
    """Return the inverse of `Sealed.to_json`.

    Args:
        place: file and line, for the sentence.

    Raises:
        Unreadable: it is none.
    """
    try:
        written = _Written.model_validate(data, strict=True)
    except ValidationError as error:
        raise Unreadable(f"{place}: no sealed part of a move stands here") from error
    return Sealed(written.salt, written.fields)


def by_digest(parts: Iterable[Sealed]) -> dict[str, Sealed]:
    """Return sealed parts by what stands for them."""
    return {part.digest: part for part in parts}


def seal(
    move: Mapping[str, Any], hidden: Iterable[str], salt: str
) -> tuple[dict[str, Any], Sealed]:
    """Return a move as the journal keeps it, and what is hidden of it.

    >>> said, part = seal({"do": "pass", "seat": 2, "card": "5H"}, {"card"}, "0" * 32)
    >>> said["do"], said["seat"], said["sealed"] == part.digest, dict(part.fields)
    ('pass', 2, True, {'card': '5H'})
    """
    names = frozenset(hidden)
    part = Sealed(salt, {name: said for name, said in move.items() if name in names})
    shown = {name: said for name, said in move.items() if name not in names}
    return {**shown, SEALED: part.digest}, part


def unsealed(move: Mapping[str, Any], part: Sealed | None) -> dict[str, Any]:
    """Return a move whole, its hidden fields in their places.

    Raises:
        Unreadable: the part is not there, or it is another move's.
    """
    if SEALED not in move:
        return dict(move)
    if part is None or part.digest != move[SEALED]:
        raise Unreadable(
            f"{move.get('do')}: what was sealed of this move is not here; it is in no copy that was"
            " made before its hand was over"
        )
    return {**{name: said for name, said in move.items() if name != SEALED}, **part.fields}
