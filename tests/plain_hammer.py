"""Bell and Hammer's payments and its dividing of receipts once more: slowly, counter by counter, in
the words of the book, to hold the rules to. It shares no code with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

POOL = "pool"


class PlainTable:
    """A table on which counters are moved one by one.

    Args:
        cards: who holds "white horse", "inn", "bell", "hammer", "bell and hammer".
        counters: what lies before each player, by seat, and in the pool.
        inn_receives: whether the inn has begun to receive.
    """

    def __init__(
        self, cards: Mapping[str, int], counters: Mapping[Any, int], *, inn_receives: bool
    ) -> None:
        self.cards = dict(cards)
        self.counters = dict(counters)
        self.inn_receives = inn_receives

    def pay(self, payer: Any, receiver: Any, how_many: int) -> None:
        """Moves counters, one after the other; nobody pays himself."""
        for _ in range(how_many):
            if payer == receiver:
                return
            self.counters[payer] -= 1
            self.counters[receiver] += 1

    def throw(self, thrower: int, up: Sequence[str]) -> None:
        """What the book says of a throw, by the marks that lie up."""
        numbers = [mark for mark in up if mark in list("123456")]
        figures = [mark for mark in up if mark in ("bell", "hammer")]
        which = " and ".join(sorted(figures))
        if not numbers and not figures:
            self._all_blanks()
        elif not numbers:
            receiver = "inn" if self.inn_receives else "white horse"
            self.pay(self.cards[which], self.cards[receiver], 1)
        else:
            whose = self.cards[which] if figures else thrower
            total = 0
            for mark in numbers:
                total = total + int(mark)
            if total > self.counters[POOL]:
                self.inn_receives = True
                over = total - self.counters[POOL]
                self.pay(whose, self.cards["inn"], over)
            else:
                self.pay(POOL, whose, total)

    def _all_blanks(self) -> None:
        horse = self.cards["white horse"]
        if not self.inn_receives:
            for player in self.counters:
                if player != POOL:
                    self.pay(player, horse, 1)
        self.pay(horse, self.cards["inn"], 1)


def divided(price: int, players_paid: int, held: Mapping[int, int]) -> dict[int, int]:
    """What each gets of the receipts, or pays, penny by penny.

    Args:
        price: of a dozen.
        players_paid: all receipts.
        held: the counters of each seat at the end.
    """
    got = dict.fromkeys(held, 0)
    chest = players_paid
    for seat, counters in held.items():
        owed = Fraction(price, 12) * max(-counters, 0)
        while owed > 0:  # a whole penny each time, the last for a part of one
            owed -= 1
            got[seat] -= 1
            chest += 1
    holders = {seat: counters for seat, counters in held.items() if counters > 0}
    together = sum(holders.values())
    left = chest
    for seat, counters in holders.items():
        due = Fraction(chest * counters, together)
        while due >= 1:
            due -= 1
            got[seat] += 1
            left -= 1
    richest = sorted(holders, key=lambda seat: (-holders[seat], seat))[0]
    got[richest] += left
    return got
