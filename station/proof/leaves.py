"""Commit to luck with secrets, and open them one by one, so that anybody can check. Pure.

The root of a tree over the secrets (`station.proof.merkle`) is recorded before the first of them is
opened: then none can be exchanged any more. An opened secret, its leaf, stands in a line with its
path to the root; what chance decides follows from it.

What is hashed, in bytes; whole numbers are unsigned, the first byte is the highest:

    binding    32 bytes  the station's public key; zeros where nothing is signed
               4 each    night, game, drawing (1 but at a table), epoch (from 1), place (from 0)
    leaf       "loto-station leaf 1\\n", binding, the secret (32 bytes); hashed as RFC 6962 does
    number     HMAC-SHA256 with the secret as key, of: "loto-station draw 1\\n" (or "dice",
               "shuffle"), binding, 2 bytes length and text in UTF-8 of the words that the hall
               added (none: length 0), 4 bytes step (0 for a knob), 4 bytes try (from 0)

The words are hashed as they stand in the line that added them; the station writes them in
Unicode's normal form C, without blanks at their ends.

The first eight bytes of a number's hash, below the largest multiple of n that 64 bits hold, are
taken modulo n; else the next try is. For a knob, n is how
many lie in the bag, and the result is the place, from 0, in the rising list of them. A throw has a
step for each die, and for each cube; a shuffle one for each place that is filled.
"""

from __future__ import annotations

import hmac
from base64 import b32encode
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from struct import Struct
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, Field

from station.base.nouns import KNOBS
from station.proof.merkle import HASH, Tree, leaf_hash, root_by

LEAVES = KNOBS  # of a tree; a game's bag opens no more, for each is a knob
SECRET = 32  # bytes
SHORT_ROOT = 20  # signs of base 32
HEX = r"^[0-9a-f]{64}$"
_LEAF, _DRAW, _DICE, _SHUFFLE = (
    f"loto-station {what} 1\n".encode() for what in ("leaf", "draw", "dice", "shuffle")
)
_WIDE = 1 << 64
_NUMBERS = Struct(">5I").pack
T = TypeVar("T")


class Way(StrEnum):
    """How a bag is committed to.

    Attributes:
        COMMITTED: the root is recorded before the first call.
        FRESH: only a random name of the bag is; each secret is made at its call.
        SHARED: as COMMITTED, and the hall adds words after the root was recorded.
        SEALED: somebody drew the luck for many halls (`station.night.sealed_play`).
    """

    COMMITTED = "committed"
    FRESH = "fresh"
    SHARED = "shared"
    SEALED = "sealed"


class OpenedLeaf(BaseModel, frozen=True, extra="forbid"):
    """A leaf as a line opens it.

    Attributes:
        at: its place in the tree, from 0.
        secret: 64 hex digits.
        path: the hashes up to the root, 64 hex digits each, without a space; empty if there is
            no root.
    """

    at: Annotated[int, Field(strict=True, ge=0, lt=1 << 32)]
    secret: Annotated[str, Field(pattern=HEX)]
    path: Annotated[str, Field(pattern=r"^([0-9a-f]{64})*$", max_length=64 * 16)] = ""


def _whole(value: object) -> object:
    if type(value) is not int:  # `false` is equal to 0
        raise ValueError(value)
    return value


class Commitment(BaseModel, frozen=True, extra="forbid"):
    """What the line that opens a game, or shakes a bag, says of its luck, beside the root.

    Attributes:
        station: the public key, 64 hex digits; empty where nothing is signed.
        leaves: how many the tree has; 0 where there is none.
    """

    way: Way
    station: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")]
    # Of a larger tree the same paths would lead to the same root.
    leaves: Annotated[Literal[0, 90], BeforeValidator(_whole)]


@dataclass(frozen=True, slots=True)
class Binding:
    """What a leaf is bound to, so that it can stand nowhere else.

    Attributes:
        station: the public key, 64 hex digits; empty where nothing is signed.
        drawing: which bag of the game it is, from 1.
        epoch: how often the bag was committed to, from 1.
    """

    station: str
    night: int
    game: int
    drawing: int = 1
    epoch: int = 1

    def at(self, place: int) -> bytes:
        """Return the binding of the leaf at a place, from 0, as it is hashed."""
        key = bytes.fromhex(self.station) if self.station else bytes(SECRET)
        return key + _NUMBERS(self.night, self.game, self.drawing, self.epoch, place)


def short_root(root: str) -> str:
    """Return a root for people who compare it: 100 bits of it in groups of four letters and digits.

    >>> short_root("00" * 31 + "ff")
    'AAAA AAAA AAAA AAAA AAAA'
    """
    signs = b32encode(bytes.fromhex(root)).decode()[:SHORT_ROOT]
    return " ".join(signs[start : start + 4] for start in range(0, SHORT_ROOT, 4))


def bound_leaf(binding: bytes, secret: bytes) -> bytes:
    """Return the hash of the leaf that holds a secret."""
    return leaf_hash(_LEAF + binding + secret)


def holds(way: Way, root: str, leaves: int, binding: Binding, leaf: OpenedLeaf) -> bool:
    """Return whether a leaf is one of a tree of so many; without a tree it need not be."""
    if way is Way.FRESH:
        return not leaf.path
    path = bytes.fromhex(leaf.path)
    hashes = [path[start : start + HASH] for start in range(0, len(path), HASH)]
    hashed = bound_leaf(binding.at(leaf.at), bytes.fromhex(leaf.secret))
    found = root_by(hashes, hashed, leaf.at, leaves)
    return found is not None and found.hex() == root


def taken(hashed: int, count: int, wide: int = _WIDE) -> int | None:
    """Return the number from 0 to below a count that a hash stands for, each for as many hashes;
    None for the few that are left over.

    Args:
        hashed: from 0 to below `wide`.
    """
    return hashed % count if hashed < wide - wide % count else None


def exchanged(things: Sequence[T], place: Callable[[int, int], int]) -> list[T]:
    """Return things in another order: from the last place down to the second, each is exchanged
    with one of the places up to it (Fisher and Yates).

    Args:
        place: returns which of so many, from 0; also told the step, from 0.
    """
    row = list(things)
    for step, last in enumerate(range(len(row) - 1, 0, -1)):
        other = place(last + 1, step)
        row[last], row[other] = row[other], row[last]
    return row


@dataclass(frozen=True, slots=True)
class Source:
    """The luck of one leaf.

    Attributes:
        binding: as it is hashed.
        words: what the hall has added.
    """

    secret: bytes
    binding: bytes
    words: str = ""

    def knob(self, bag: Collection[int]) -> int:
        """Return the knob that comes out of a bag with these in it; one at least."""
        return sorted(bag)[self._below(len(bag), _DRAW, 0)]

    def die(self, faces: int, step: int) -> int:
        """Return what a die of a throw shows: 1 to `faces`; `step` is its place in it, from 0."""
        return 1 + self._below(faces, _DICE, step)

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Return things in another order."""
        return exchanged(things, lambda count, step: self._below(count, _SHUFFLE, step))

    def _below(self, count: int, label: bytes, step: int) -> int:
        """Return a whole number from 0 to below a count, each as likely as any other."""
        words = self.words.encode()
        asked = label + self.binding + len(words).to_bytes(2, "big") + words
        asked += step.to_bytes(4, "big")
        trying = 0
        while True:
            told = hmac.digest(self.secret, asked + trying.to_bytes(4, "big"), "sha256")
            if (number := taken(int.from_bytes(told[:8], "big"), count)) is not None:
                return number
            trying += 1


class Secrets:
    """The secrets of one tree, which are in memory and nowhere else until they are opened.

    Args:
        secrets: of 32 bytes each, from a source that nobody can foresee.
    """

    def __init__(self, binding: Binding, secrets: Sequence[bytes]) -> None:
        self._secrets = tuple(secrets)
        self._tree = Tree(
            [bound_leaf(binding.at(place), secret) for place, secret in enumerate(secrets)]
        )
        self.root = self._tree.root.hex()

    @property
    def packed(self) -> bytes:
        """Return all secrets, one behind the other."""
        return b"".join(self._secrets)

    @classmethod
    def of(cls, binding: Binding, root: str, packed: bytes) -> Secrets | None:
        """Return the secrets of a tree; None if these are not: its root says so, for each leaf is
        bound to station, night, game, drawing and epoch."""
        if len(packed) != LEAVES * SECRET:
            return None
        parts = [packed[start : start + SECRET] for start in range(0, len(packed), SECRET)]
        found = cls(binding, parts)
        return found if found.root == root else None

    def open(self, at: int) -> OpenedLeaf:
        """Return the leaf at a place, from 0, as a line opens it."""
        path = b"".join(self._tree.path(at)).hex()
        return OpenedLeaf(at=at, secret=self._secrets[at].hex(), path=path)
