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

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from station.proof.leaves import LEAVES, Binding, Commitment, OpenedLeaf, Way, bound_leaf
from station.proof.sealed_game import SealedGame

KEY = 16  # bytes
_SEAL = b"loto-station seal 1\n"


def binding_of(organiser: str) -> Binding:
    """Return what the leaves of a sealed game are bound to: no hall's night has number 0."""
    return Binding(organiser, 0, 0)


def commitment_of(game: SealedGame) -> Commitment:
    """Return what the line that opens a sealed game says of its luck."""
    return Commitment(way=Way.SEALED, station=game.organiser, leaves=LEAVES)


def padded(secret: bytes, opener: bytes, bound: bytes) -> bytes:
    """Return a secret sealed with a key, or a sealed one opened.

    Args:
        bound: the binding of its leaf, as it is hashed.
    """
    pad = hmac.digest(opener, _SEAL + bound, "sha256")
    return bytes(one ^ other for one, other in zip(secret, pad, strict=True))


def leaf_by(game: SealedGame, at: int, opener: str) -> OpenedLeaf | None:
    """Return the leaf of a call, from 0, that a key opens, 32 hex digits; None if it does not."""
    bound = binding_of(game.organiser).at(at)
    secret = padded(game.secret(at), bytes.fromhex(opener), bound)
    if bound_leaf(bound, secret) != game.leaf(at):
        return None
    return OpenedLeaf(at=at, secret=secret.hex(), path=game.path(at))


def wrong_key(game: SealedGame, first: int, keys: Sequence[str]) -> int | None:
    """Return the first call, from 0, whose key does not open it; None if all do.

    Args:
        first: the call of the first key, from 0; the others follow one by one.
    """
    calls = enumerate(keys, first)
    return next((at for at, key in calls if at >= LEAVES or leaf_by(game, at, key) is None), None)


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
        return leaf_by(self.game, at, self.keys[at]) if at in self.keys else None

    def with_keys(self, first: int, keys: Sequence[str]) -> SealedPlay:
        """Return the play with the keys of calls from `first` on, which open them."""
        return replace(self, keys={**self.keys, **dict(enumerate(keys, first))})

    def notation(self) -> list[Any]:
        """Return it as the night's notation has it."""
        keys = json.dumps(sorted(self.keys.items()))
        return [self.number, self.game.digest, hashlib.sha256(keys.encode()).hexdigest()[:16]]
