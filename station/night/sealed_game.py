"""Seal a game once, so that many halls can play it in one window of time, each call by its key.
Pure.

The organiser draws the luck of a game beforehand: 90 leaves, as a station does
(`station.night.fair`). All of it goes into one file, which anybody may have long before the game:
the leaves' hashes, of which the root follows, and each leaf's secret, sealed with a key of its own.
The file is signed, the keys stay with the organiser. A hall opens its game with the file's root and
its register of sold cards, and signs that line; only then is it given keys. Key k opens the secret
of call k, as the hash of its leaf proves, and nothing else: all halls call the same numbers in the
same order, and whoever has the keys up to k knows nothing of call k + 1.

What is hashed, in bytes:

    binding    as in `station.night.fair`: the organiser's public key, night 0, game 0, drawing 1,
               epoch 1, place; no station's own bag has night 0
    sealed     the secret XOR HMAC-SHA256 with the key (16 bytes) as key, of:
               "loto-station seal 1\\n", binding
    signed     "loto-station sealed game 1\\n", the file's object without `signature`, in
               canonical form

A key seals one secret, so the HMAC's 32 bytes are a pad that is used once: no nonce, no padding,
and every sealed secret is 32 bytes long. No tag is needed: what a wrong key opens has another hash
than the leaf. HMAC is what the draw rests on already, and both judges have it. A key of 128 bits
can be read out on the telephone.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, Field, model_validator

from station.base.errors import Unreadable
from station.base.merkle import HASH, Tree
from station.base.tongue import tr
from station.night.fair import (
    HEX,
    LEAVES,
    SECRET,
    Binding,
    Commitment,
    FairBag,
    OpenedLeaf,
    Way,
    bound_leaf,
)
from station.night.fields import Name

KEY = 16  # bytes
MOST_HALLS = 10_000
PURPOSE = b"loto-station sealed game 1\n"
_SEAL = b"loto-station seal 1\n"
_ALL = Field(pattern=rf"^[0-9a-f]{{{2 * HASH * LEAVES}}}$")


def _moment(text: str) -> str:
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError(tr("a time without its zone could be any: 2026-12-24T20:00:00+01:00"))
    return text


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

    name: Name
    begins: _Moment
    until: _Moment
    organiser: Annotated[str, Field(pattern=HEX)]
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
        return PURPOSE + _canonical(self.model_dump(exclude={"signature"}))

    def to_bytes(self) -> bytes:
        """Return the file."""
        return _canonical(self.model_dump()) + b"\n"

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

    @property
    def commitment(self) -> Commitment:
        """Return what the line that opens the game says of its luck."""
        return Commitment(way=Way.SEALED, station=self.organiser, leaves=LEAVES)

    @property
    def bag(self) -> FairBag:
        """Return its bag before the first call: the same in every hall and night."""
        return FairBag(_binding(self.organiser), Way.SEALED, self.root, LEAVES)

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

    def open(self, at: int, opener: str) -> OpenedLeaf | None:
        """Return the leaf of a call, from 0, that a key opens; None if it does not."""
        bound = _binding(self.organiser).at(at)
        secret = _padded(_pieces(self.sealed)[at], bytes.fromhex(opener), bound)
        if bound_leaf(bound, secret) != _pieces(self.leaves)[at]:
            return None
        path = b"".join(self._tree.path(at)).hex()
        return OpenedLeaf(at=at, secret=secret.hex(), path=path)

    def numbers(self, keys: Sequence[str]) -> Iterator[int]:
        """Yield the numbers of the first calls, by their keys, as far as these open them."""
        bag = self.bag
        for at, opener in enumerate(keys[:LEAVES]):
            if (leaf := self.open(at, opener)) is None:
                return
            number = bag.gives(leaf.secret)
            yield number
            bag = bag.drawn(number, leaf, again=False)


@dataclass(frozen=True)
class SealedPlay:
    """A sealed game in a hall.

    Attributes:
        number: which game of the hall's programme it is, from 1.
        keys: the keys that came, 32 hex digits each, by the place of their call, from 0.
    """

    game: SealedGame
    number: int
    keys: Mapping[int, str] = field(default_factory=dict)

    def open(self, at: int) -> OpenedLeaf | None:
        """Return the leaf of a call, from 0; None if its key is not here."""
        return self.game.open(at, self.keys[at]) if at in self.keys else None

    def with_keys(self, first: int, keys: Sequence[str]) -> tuple[SealedPlay, int | None]:
        """Return the play with the keys of calls from `first` on, and the first call, from 0, whose
        key does not open it; None if all do."""
        for at, opener in enumerate(keys, first):
            if at >= LEAVES or self.game.open(at, opener) is None:
                return self, at
        return replace(self, keys={**self.keys, **dict(enumerate(keys, first))}), None

    def notation(self) -> list[Any]:
        """Return it as the night's notation has it."""
        keys = json.dumps(sorted(self.keys.items()))
        return [self.number, self.game.digest, hashlib.sha256(keys.encode()).hexdigest()[:16]]


def seal_game(
    game: Mapping[str, str], secrets: Sequence[bytes], keys: Sequence[bytes]
) -> SealedGame:
    """Return a game that is not signed yet.

    Args:
        game: `name`, `begins`, `until`, `organiser`, `halls`.
        secrets: 90 of 32 bytes, from a source that nobody can foresee.
        keys: 90 of 16 bytes, from such a source.

    Raises:
        pydantic.ValidationError: a field cannot be so.
    """
    binding = _binding(game["organiser"])
    bound = [binding.at(place) for place in range(LEAVES)]
    leaves = b"".join(map(bound_leaf, bound, secrets)).hex()
    sealed = b"".join(map(_padded, secrets, keys, bound)).hex()
    return SealedGame(**game, leaves=leaves, sealed=sealed)


def key_text(opener: str) -> str:
    """Return a key as people read it out: 26 signs of base 32, in groups of four.

    >>> key_text("00" * 16)
    'AAAA-AAAA-AAAA-AAAA-AAAA-AAAA-AA'
    """
    signs = base64.b32encode(bytes.fromhex(opener)).decode().rstrip("=")
    return "-".join(signs[start : start + 4] for start in range(0, len(signs), 4))


def parse_key(text: str) -> str:
    """Return a key as `key_text` writes it, in hex; spaces, hyphens and small letters are free.

    Raises:
        Unreadable: it is no key.
    """
    signs = "".join(text.split()).replace("-", "").upper()
    try:
        opener = base64.b32decode(signs + "=" * (-len(signs) % 8)).hex()
    except (binascii.Error, ValueError):
        opener = ""
    if len(opener) != 2 * KEY or key_text(opener).replace("-", "") != signs:
        raise Unreadable(
            tr("{given}: a key is 26 letters and digits from 2 to 7, in groups of four", given=text)
        )
    return opener


def _binding(organiser: str) -> Binding:
    return Binding(organiser, 0, 0)


def _padded(secret: bytes, opener: bytes, bound: bytes) -> bytes:
    """Return a secret sealed, or a sealed one opened."""
    pad = hmac.digest(opener, _SEAL + bound, "sha256")
    return bytes(one ^ other for one, other in zip(secret, pad, strict=True))


def _pieces(digits: str) -> list[bytes]:
    data = bytes.fromhex(digits)
    return [data[start : start + SECRET] for start in range(0, len(data), SECRET)]


def _canonical(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
