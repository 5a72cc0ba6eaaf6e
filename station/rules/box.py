"""Count the box of counters: write sums in its pieces, find whether the bank has change. Pure.

A fish is ten counters, a contract ten fish. The rule book's box holds 100 counters, 14 fish and 12
contracts: 1,440 together, exactly what 24 cards need at sixty counters a card.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from itertools import product
from operator import add, sub

from station.base.errors import Unreadable

FISH = 10
CONTRACT = 100


@dataclass(frozen=True, slots=True)
class Pieces:
    """Pieces of the box: a sum as it is shown, or what lies in the bank or before a player."""

    contracts: int = 0
    fish: int = 0
    counters: int = 0

    @property
    def worth(self) -> int:
        """Return what the pieces are worth, in counters."""
        return CONTRACT * self.contracts + FISH * self.fish + self.counters

    @property
    def count(self) -> int:
        """Return how many pieces there are."""
        return self.contracts + self.fish + self.counters

    def __add__(self, other: Pieces) -> Pieces:
        return Pieces(*map(add, astuple(self), astuple(other)))

    def __sub__(self, other: Pieces) -> Pieces:
        """Return the pieces that are left when others are taken away.

        Raises:
            Unreadable: some of the others are not here.
        """
        left = Pieces(*map(sub, astuple(self), astuple(other)))
        if min(astuple(left)) < 0:
            raise Unreadable(f"{other} cannot be taken from {self}: they are not all there")
        return left

    def __str__(self) -> str:
        """Return the pieces in English, for a trace; screen and voice have their own words."""
        names = (("contract", "contracts"), ("fish", "fish"), ("counter", "counters"))
        counts = zip(names, astuple(self), strict=True)
        return ", ".join(f"{many} {name[many != 1]}" for name, many in counts if many) or "nothing"


BOX = Pieces(contracts=12, fish=14, counters=100)


@dataclass(frozen=True, slots=True)
class PieceExchange:
    """How a sum changes hands: what the bank gives, and what the player gives back for it."""

    given: Pieces
    back: Pieces


def in_pieces(counters: int) -> Pieces:
    """Return a sum in as few pieces as possible.

    >>> print(in_pieces(112))
    1 contract, 1 fish, 2 counters

    Raises:
        Unreadable: the sum is below zero.
    """
    if counters < 0:
        raise Unreadable(f"{counters} counters: a sum that is shown is not below zero")
    contracts, rest = divmod(counters, CONTRACT)
    return Pieces(contracts, *divmod(rest, FISH))


def exactly(box: Pieces, counters: int) -> Pieces | None:
    """Return the fewest pieces of a box that make up a sum; None if they cannot.

    The largest go first: each kind is a multiple of the next, so where small pieces can stand for a
    large one, the large one can stand for them.
    """
    contracts = min(counters // CONTRACT, box.contracts)
    rest = counters - CONTRACT * contracts
    fish = min(rest // FISH, box.fish)
    singles = rest - FISH * fish
    return Pieces(contracts, fish, singles) if 0 <= singles <= box.counters else None


def paid_out(bank: Pieces, player: Pieces, counters: int) -> PieceExchange | None:
    """Return how the bank pays a player with as few pieces as possible; None if it has no change.

    Where the bank cannot pay exactly, the player gives small pieces back and gets larger ones. He
    never needs to give back a contract's worth: some of those pieces would make exactly a contract,
    and the bank could keep one instead.

    Args:
        bank, player: the pieces that lie before each of them.
    """
    found = []
    for fish, singles in product(
        range(min(FISH - 1, player.fish) + 1), range(min(CONTRACT - 1, player.counters) + 1)
    ):
        back = Pieces(0, fish, singles)
        given = exactly(bank, counters + back.worth)
        if given is not None:
            found.append((given.count + back.count, back.count, fish, PieceExchange(given, back)))
    return min(found, key=lambda one: one[:3])[3] if found else None
