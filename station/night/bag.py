"""Keep the virtual bag of older nights: all knobs in an order that was fixed before the game.

Bags of today have no order (`station.night.fair`); a game that was open during the update is played
to its end from its file, and audits check the bags of before by it.

The order was a uniform shuffle by the system's CSPRNG. Its commitment, a digest over the order and
a salt, was recorded when the game opened; anybody can check the shown bag against it. A call that
is taken back leaves its knob at its place in the order, so that nobody can take calls back until
another number comes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass

from station.base.errors import NotAllowed, Unreadable
from station.base.nouns import KNOBS
from station.base.tongue import tr
from station.base.untrusted import json_from
from station.rules.prizes import PrizeReason


def bag_empty(knobs: int) -> NotAllowed:
    """Return the refusal to draw from a bag whose knobs were all called."""
    return NotAllowed(
        PrizeReason.BAG_EMPTY,
        "the bag is empty: all {knobs} numbers are called; check claims or close the game",
        knobs=knobs,
    )


@dataclass(frozen=True)
class Bag:
    """An order of all the knobs, and the salt that keeps its commitment from being guessed."""

    order: tuple[int, ...]
    salt: str

    @property
    def commitment(self) -> str:
        """Return the SHA-256, in hex, of `salt:n,n,…,n`."""
        return hashlib.sha256(f"{self.salt}:{','.join(map(str, self.order))}".encode()).hexdigest()

    @property
    def counted(self) -> int:
        """Return how many different knobs of the hall are in the bag: all, if it is whole."""
        return len({*self.order} & {*range(1, KNOBS + 1)})

    def next(self, called: Collection[int]) -> int:
        """Return the first knob that was not called.

        Raises:
            NotAllowed: all knobs were called.
        """
        gone = frozenset(called)
        for number in self.order:
            if number not in gone:
                return number
        raise bag_empty(len(self.order))

    def to_json(self) -> str:
        """Return the bag as it is kept and shown, as one line of JSON."""
        return json.dumps({"order": self.order, "salt": self.salt}, separators=(",", ":")) + "\n"

    @classmethod
    def from_json(cls, text: str, commitment: str, source: str) -> Bag:
        """Read a kept bag.

        Raises:
            Unreadable: the text is not a bag, or not the bag of this commitment.
        """
        try:
            data = json_from(text)
            bag = cls(tuple(map(int, data["order"])), str(data["salt"]))
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            raise Unreadable(f"{source}: {tr('not a bag ({why})', why=error)}") from error
        if bag.commitment != commitment:
            why = tr("this bag is not the one that was committed to when the game opened")
            raise Unreadable(f"{source}: {why}")
        return bag
