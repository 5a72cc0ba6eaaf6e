"""Read and write the file of a sealed game: what its organiser signs, for many halls. Pure.

`station.night.sealed_play` says what it is for, and opens it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, Field, model_validator

from station.base.nouns import KNOBS
from station.base.tongue import tr
from station.base.typed import unfit
from station.proof.merkle import HASH, Tree

MOST_HALLS = 10_000
PURPOSE = b"loto-station sealed game 1\n"
_HEX = Field(pattern=r"^[0-9a-f]{64}$")
_ALL = Field(pattern=rf"^[0-9a-f]{{{2 * HASH * KNOBS}}}$")


def _name(text: str) -> str:
    if (fault := unfit(text)) is not None:
        raise ValueError(fault)
    return text


def _moment(text: str) -> str:
    datetime.fromisoformat(text)
    return text


_Name = Annotated[str, Field(min_length=1, max_length=60), AfterValidator(_name)]
_Moment = Annotated[
    str,
    Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$"),
    AfterValidator(_moment),
]


class SealedGame(BaseModel, frozen=True, extra="forbid"):
    """A sealed game as its file has it; each list of digits stands without a space.

    Attributes:
        begins: from when on a hall may open it, in ISO 8601 with seconds and zone.
        until: before when.
        organiser: the public key that signs, 64 hex digits.
        halls: the public keys of the stations that may play it, 64 hex digits each; empty for any.
        leaves: the 90 leaves' hashes, 64 hex digits each, in order.
        sealed: the 90 secrets, sealed, 64 hex digits each, in order.
        signature: of all the others, 128 hex digits.
    """

    name: _Name
    begins: _Moment
    until: _Moment
    organiser: Annotated[str, _HEX]
    halls: Annotated[str, Field(pattern=r"^([0-9a-f]{64})*$", max_length=64 * MOST_HALLS)] = ""
    leaves: Annotated[str, _ALL]
    sealed: Annotated[str, _ALL]
    signature: Annotated[str, Field(pattern=r"^([0-9a-f]{128})?$")] = ""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if datetime.fromisoformat(self.begins) >= datetime.fromisoformat(self.until):
            raise ValueError(tr("the window ends before it begins"))
        return self

    @property
    def signed(self) -> bytes:
        """Return what the organiser signs."""
        return PURPOSE + canonical_json(self.model_dump(exclude={"signature"}))

    def to_bytes(self) -> bytes:
        """Return the file."""
        return canonical_json(self.model_dump()) + b"\n"

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of the file, in hex."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    @cached_property
    def root(self) -> str:
        """Return the root of the leaves, in hex."""
        return self._tree.root.hex()

    @cached_property
    def _tree(self) -> Tree:
        return Tree(_pieces(self.leaves))

    def leaf(self, at: int) -> bytes:
        """Return the hash of the leaf at a place, from 0."""
        return _pieces(self.leaves)[at]

    def path(self, at: int) -> str:
        """Return the hashes from a leaf up to the root, in hex."""
        return b"".join(self._tree.path(at)).hex()

    def secret(self, at: int) -> bytes:
        """Return the sealed secret of the leaf at a place, from 0."""
        return _pieces(self.sealed)[at]

    def may_play(self, station: str) -> bool:
        """Return whether the station with this public key may play it."""
        return not self.halls or station in {hall.hex() for hall in _pieces(self.halls)}

    @property
    def window(self) -> tuple[float, float]:
        """Return from when on and before when a hall may open it, in seconds since 1970."""
        begins, until = map(datetime.fromisoformat, (self.begins, self.until))
        return begins.timestamp(), until.timestamp()

    def opens(self, wall: float) -> bool:
        """Return whether a time, in seconds since 1970, is in the window."""
        begins, until = self.window
        return begins <= wall < until


def canonical_json(data: Mapping[str, Any]) -> bytes:
    """Return the only form in which an object is signed: keys sorted, no spaces, UTF-8."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _pieces(digits: str) -> list[bytes]:
    data = bytes.fromhex(digits)
    return [data[start : start + HASH] for start in range(0, len(data), HASH)]
