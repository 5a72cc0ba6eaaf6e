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

    def as_it_lies(self) -> PlainTable:
        """Another table on which all lies alike."""
        return PlainTable(self.cards, self.counters, inn_receives=self.inn_receives)

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


IN_ORDER = ("white horse", "inn", "bell", "hammer", "bell and hammer")


class PlainGame:
    """A whole game as a host would lead it with cards, a hammer and heaps of counters: who bids
    when, who has which card, whose throw it is, and what lies where. It looks at no throw before it
    has fallen, and checks nothing: whoever plays must play by the rules.

    Args:
        players: how many sit round the table.
        each: counters that each was given; a dozen of them, or all, go into the pool.
        stake: how many go into the pool.
    """

    def __init__(self, players: int, each: int, stake: int = 12) -> None:
        self.players = [*range(1, players + 1)]
        self.table = PlainTable({}, dict.fromkeys(self.players, each), inn_receives=False)
        self.table.counters[POOL] = 0
        for player in self.players:
            self.table.pay(player, POOL, stake)
        self.highest_that_may_be_bid = players * each
        self.whose_throw = 0
        self.seller = 0  # whose throw was put up, or was bought
        self.over = False
        self._put_up(self.players)

    def _put_up(self, bidders: Sequence[int]) -> None:
        """Something goes under the hammer; these may bid, in this order, round and round."""
        self.still_in = [*bidders]
        self.best, self.best_bidder = 0, 0
        self.asked = self.still_in[0] if self.still_in else 0

    def leftwards_from(self, player: int) -> list[int]:
        """All players, beginning with one, in the order in which they sit."""
        place = self.players.index(player)
        return [*self.players[place:], *self.players[:place]]

    @property
    def for_sale(self) -> str:
        """The card that is under the hammer; nothing when all five are sold."""
        unsold = [card for card in IN_ORDER if card not in self.table.cards]
        return unsold[0] if unsold else ""

    def bid(self, counters: int) -> None:
        """Who is asked bids."""
        self.best, self.best_bidder = counters, self.asked
        self._ask_the_next()

    def does_not_bid(self) -> None:
        """Who is asked passes, and is out."""
        out = self.asked
        self._ask_the_next()
        self.still_in.remove(out)
        if self.asked == out:
            self.asked = 0

    def _ask_the_next(self) -> None:
        round_the_table = [*self.leftwards_from(self.asked)[1:], self.asked]
        for player in round_the_table:
            if player in self.still_in and player != self.best_bidder:
                self.asked = player
                return
        self.asked = 0

    def going_going_gone(self) -> None:
        """The card is knocked down; the next one is put up, or the throwing begins."""
        card, before = self.for_sale, [*self.table.cards.values()][-1:]
        if self.best_bidder:
            owner = self.best_bidder
        elif before:
            owner = self.leftwards_from(before[0])[1]
        else:
            owner = self.players[0]
        self.table.pay(owner, POOL, self.best)
        self.table.cards[card] = owner
        if self.for_sale:
            self._put_up(self.players)
        else:
            self.asked = 0
            self.whose_throw = self.table.cards["white horse"]

    def offers_his_throw(self) -> None:
        """Who is to throw puts his throw up; the others may bid, from his left on."""
        self.seller = self.whose_throw
        self._put_up(self.leftwards_from(self.seller)[1:])

    def sells_it(self) -> None:
        """The best bidder pays the seller, and throws in his place."""
        self.table.pay(self.best_bidder, self.seller, self.best)
        self.whose_throw = self.best_bidder

    def throws(self, up: Sequence[str]) -> None:
        """The cubes fall; the next throw is that of who sits on the left of whose turn it was."""
        whose_turn = self.seller or self.whose_throw
        self.table.throw(self.whose_throw, up)
        self.over = self.table.counters[POOL] == 0
        self.whose_throw = self.leftwards_from(whose_turn)[1]
        self.seller = 0
