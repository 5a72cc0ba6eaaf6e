"""Seal what nobody may see until the hand is over: a card passed face down, a deal. Pure.

The journal's line holds a salted digest in their place. The content is in a file that only its
owner may read (`station.record.hidden`) until the hand is over, then in the line that ends the
hand, where anybody can check it against the digests.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from station.base.errors import Unreadable
from station.base.tongue import key, tr
from station.rules.law import Decided

SEALED = "sealed"  # the field of a move that stands for those that are hidden
NO_PART = key("no sealed part of a move stands here")
SALT = r"^[0-9a-f]{32}$"


class _Written(BaseModel, frozen=True, extra="forbid"):
    salt: Annotated[str, Field(pattern=SALT)]
    fields: dict[str, Any]
    chance: Decided | None = None


@dataclass(frozen=True)
class Sealed:
    """The hidden fields of one move.

    Attributes:
        salt: 128 random bits, in hex: without them, the few possible hands could be tried out on
            the digest.
        fields: the hidden fields by name, as the move has them.
        chance: the leaf that has decided one of them, and by which law; it would tell them.
    """

    salt: str
    fields: Mapping[str, Any]
    chance: Decided | None = None

    @property
    def digest(self) -> str:
        """Return what the journal has for the fields: SHA-256 of salt and content, in hex."""
        content = [self.fields, *([self.chance.to_json()] if self.chance is not None else [])]
        texts = (json.dumps(part, sort_keys=True, separators=(",", ":")) for part in content)
        return hashlib.sha256("\n".join([self.salt, *texts]).encode()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """Return the content as the file and the line that opens it have it."""
        chance = {"chance": self.chance.to_json()} if self.chance is not None else {}
        return {"salt": self.salt, "fields": dict(self.fields), **chance}


def read_sealed(data: Any, place: str) -> Sealed:
    """Return the content that `Sealed.to_json` wrote.

    Args:
        place: file and line, for the error.

    Raises:
        Unreadable: the data is not a sealed part.
    """
    try:
        written = _Written.model_validate(data)
    except ValidationError as error:
        raise Unreadable(f"{place}: {tr(NO_PART)}") from error
    part = Sealed(written.salt, written.fields, written.chance)
    if part.to_json() != data:
        raise Unreadable(f"{place}: {tr(NO_PART)}")
    return part


def by_digest(parts: Iterable[Sealed]) -> dict[str, Sealed]:
    """Return sealed parts by the digests that stand for them."""
    return {part.digest: part for part in parts}


def seal(
    move: Mapping[str, Any], hidden: Iterable[str], salt: str, chance: Decided | None = None
) -> tuple[dict[str, Any], Sealed]:
    """Return a move as the journal keeps it, and its hidden part.

    >>> said, part = seal({"do": "pass", "seat": 2, "card": "5H"}, {"card"}, "0" * 32)
    >>> said["do"], said["seat"], said["sealed"] == part.digest, dict(part.fields)
    ('pass', 2, True, {'card': '5H'})
    """
    names = frozenset(hidden)
    part = Sealed(salt, {name: said for name, said in move.items() if name in names}, chance)
    shown = {name: said for name, said in move.items() if name not in names}
    return {**shown, SEALED: part.digest}, part


def unsealed(move: Mapping[str, Any], part: Sealed | None) -> dict[str, Any]:
    """Return a move with its hidden fields in their places.

    Raises:
        Unreadable: the part is missing, or it is another move's.
    """
    if SEALED not in move:
        return dict(move)
    if part is None or part.digest != move[SEALED]:
        why = tr(
            "what was sealed of this move is not here; it is in no copy that was made before its"
            " hand was over"
        )
        raise Unreadable(f"{move.get('do')}: {why}")
    return {**{name: said for name, said in move.items() if name != SEALED}, **part.fields}
