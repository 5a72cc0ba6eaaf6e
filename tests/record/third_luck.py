"""The third verifier's luck: what follows from the leaves of a commitment, or of a sealed game."""

import hmac
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from tests.record import third_values as form
from tests.record.third_values import canonical, cut, fits, need, root, sha, signed

Fields = Mapping[str, Any]


def leaf_hash(binding: bytes, secret: bytes) -> bytes:
    """Return the hash of a leaf."""
    return sha(b"\0loto-station leaf 1\n", binding, secret)


class Luck(NamedTuple):
    """A commitment and what its leaves are bound to."""

    way: str
    station: str
    leaves: int
    root: str
    epoch: int
    night: int
    game: int
    drawing: int

    def binding(self, place: int) -> bytes:
        """Return the binding of the leaf at a place."""
        numbers = (self.night, self.game, self.drawing, self.epoch, place)
        key = bytes.fromhex(self.station or "00" * 32)
        return key + b"".join(number.to_bytes(4, "big") for number in numbers)

    def holds(self, leaf: Fields) -> bool:
        """Return whether the path of a leaf leads to the root (RFC 9162, 2.1.3.2)."""
        need(leaf.get("path", "") is not None)
        path, a, b = cut(leaf.get("path", "")), leaf["at"], self.leaves - 1
        if self.way == "fresh" or a > b:
            return self.way == "fresh" and not path
        own = leaf_hash(self.binding(a), bytes.fromhex(leaf["secret"]))
        for other in path:
            if b == 0:
                return False
            right = a % 2 == 1 or a == b
            own = sha(b"\1", other, own) if right else sha(b"\1", own, other)
            while right and a and a % 2 == 0:
                a, b = a // 2, b // 2
            a, b = a // 2, b // 2
        return b == 0 and own.hex() == self.root

    def below(self, label: str, leaf: Fields, n: int, step: int, words: str = "") -> int:
        """Return the number below `n` that a leaf gives."""
        added, secret = words.encode(), bytes.fromhex(leaf["secret"])
        start = f"loto-station {label} 1\n".encode() + self.binding(leaf["at"])
        start += len(added).to_bytes(2, "big") + added + step.to_bytes(4, "big")
        answers = (hmac.digest(secret, start + i.to_bytes(4, "big"), "sha256") for i in count())
        numbers = (int.from_bytes(answer[:8], "big") for answer in answers)
        return next(h % n for h in numbers if h < 2**64 - 2**64 % n)

    def shuffle(self, leaf: Fields, things: Sequence[str]) -> list[str]:
        """Return things in the order that a leaf gives them."""
        mixed = list(things)
        for step, last in enumerate(range(len(mixed) - 1, 0, -1)):
            place = self.below("shuffle", leaf, last + 1, step)
            mixed[place], mixed[last] = mixed[last], mixed[place]
        return mixed

    def check(self, chance: Fields, fields: Fields) -> None:
        """Check that the leaf holds, and that the fields have what the law gives."""
        leaf, law = chance["leaf"], chance["law"]
        things = law.get("things") or []
        die = partial(self.below, "dice", leaf, law.get("faces") or 1)
        if law["kind"] == "shuffle":
            result: Any = self.shuffle(leaf, things)[: law.get("count")]
        elif law["kind"] == "dice":
            result = [1 + die(step) for step in range(law.get("dice") or 0)]
        else:
            shown = [each for step, each in enumerate(things) if die(step) == 0]
            result = shown or [law.get("blank") or ""]
        need(self.holds(leaf) and canonical(fields.get(law["field"])) == canonical(result))


class SealedGame:
    """A sealed game that its organiser has signed."""

    def __init__(self, game: Any) -> None:
        """Check the object's form and signature."""
        need(fits(game, form.SEALED))
        text = canonical({name: each for name, each in game.items() if name != "signature"})
        signature = bytes.fromhex(game["signature"])
        need(signed(game["organiser"], signature, b"loto-station sealed game 1\n" + text))
        self.begins = datetime.fromisoformat(game["begins"])
        self.until = datetime.fromisoformat(game["until"])
        need(self.begins < self.until)
        self.leaves, self.sealed = cut(game["leaves"]), cut(game["sealed"])
        self.digest = sha(canonical(game), b"\n").hex()
        self.luck = Luck("sealed", game["organiser"], 90, root(self.leaves).hex(), 1, 0, 0, 1)

    def check_opening(self, do: Fields, wall: str) -> None:
        """Check the `open` of this game, and its time."""
        luck = {"way": "sealed", "station": self.luck.station, "leaves": 90}
        need((do.get("sealed"), do.get("bag")) == (self.digest, self.luck.root))
        need(canonical(do.get("luck")) == canonical(luck))
        need(fits(wall, rf"{form.SECONDS}(\.\d+)?(Z|{form.ZONE})"))
        need(self.begins <= datetime.fromisoformat(wall) < self.until)

    def check_keys(self, first: Any, keys: Any) -> None:
        """Check that each key opens its place."""
        need(fits(first, range(1, 91)) and fits(keys, f"([0-9a-f]{{32}}){{1,{91 - first}}}"))
        for place, key in enumerate(cut(keys, 32), first - 1):
            binding = self.luck.binding(place)
            mask = hmac.digest(key, b"loto-station seal 1\n" + binding, "sha256")
            secret = bytes(a ^ b for a, b in zip(self.sealed[place], mask, strict=True))
            need(leaf_hash(binding, secret) == self.leaves[place])
