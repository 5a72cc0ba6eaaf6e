"""The First Method as it goes on a table: stakes lie in heaps, and every coin and counter is moved
by itself.

Nothing of `station` is used here. Where the station works with sums and quotients, somebody here
takes one coin from a heap and gives it to somebody; what is taken back is put as it was before.
"""

from __future__ import annotations

import copy
from itertools import pairwise


class Refused(Exception):
    """The company does not do that."""


def need(right: bool) -> None:
    if not right:
        raise Refused


class Table:
    """The dealer's table, the players and their cards.

    Args:
        cards: rows by serial, as the shuffled cards are dealt.
        counters: what each player puts in, where covering takes counters that are worth money; None
            where each card pays `stake`.
        quarters: the pool is divided in four heaps; else it is one.
        first: only the first to answer covers.
        every: the last heap is for whoever has covered every card before him.
    """

    def __init__(
        self,
        cards,
        takes,
        purses,
        *,
        knobs,
        stake=0,
        counters=None,
        quarters=False,
        first=False,
        every=False,
    ):
        self.rows, self.first, self.worth = cards, first, counters is not None
        self.every = every
        pack = list(cards)
        self.players = {
            seat: {
                "cards": [pack.pop(0) for _ in range(takes[seat - 1])],
                "purse": purse,
                "won": 0,
                "paid": 0,
            }
            for seat, purse in enumerate(purses, 1)
        }
        self.bag, self.called = set(range(1, knobs + 1)), []
        self.covered = {serial: set() for serial in cards}
        stakes = [
            seat
            for seat, player in self.players.items()
            for _ in range(
                (counters if player["cards"] else 0) if self.worth else stake * len(player["cards"])
            )
        ]
        for seat in stakes:
            self.players[seat]["purse"] -= 1
            self.players[seat]["paid"] += 1
        self.heaps = self.four_heaps(len(stakes)) if quarters else [["full", len(stakes)]]
        self.wins, self.heard, self.before, self.ended, self.returned = [], [], [], "", set()

    def four_heaps(self, coins):
        heaps = [["row", 0], ["two-rows", 0], ["full", 0]]
        while coins >= 4:
            for place in (0, 1, 2, 2):
                heaps[place][1] += 1
                coins -= 1
        heaps[2][1] += coins
        return heaps

    # -- what hands do -----------------------------------------------------------------------------

    def mine(self, seat):
        return self.players[seat]["cards"]

    def holds(self, seat, number):
        return any(number in row for serial in self.mine(seat) for row in self.rows[serial])

    def cover(self, seat, number):
        for serial in self.mine(seat):
            for row in self.rows[serial]:
                if number in row:
                    self.covered[serial].add(number)
                    if self.worth:
                        self.heaps[-1][1] -= 1

    def full_rows(self, serial):
        return [row for row in self.rows[serial] if not set(row) - self.covered[serial]]

    def has(self, serial):
        """What the first heap takes."""
        full = len(self.full_rows(serial))
        return {"row": full >= 1, "two-rows": full >= 2, "full": full == len(self.rows[serial])}[
            self.heaps[0][0]
        ]

    def look(self):
        """Who has what the first heap that is left takes; then the next heap."""
        while self.heaps:
            wanted = {
                "row": lambda _: 1,
                "two-rows": lambda _: 2,
                "full": lambda serial: len(self.rows[serial]),
            }[self.heaps[0][0]]
            having = [
                [
                    seat,
                    [
                        serial
                        for serial in self.mine(seat)
                        if len(self.full_rows(serial)) >= wanted(serial)
                    ],
                ]
                for seat in sorted(self.players)
            ]
            if self.every and self.heaps[0][0] == "full":
                having = [one for one in having if one[1] == self.mine(one[0])]
            if not self.give([one for one in having if one[1]]):
                return

    def give(self, winners):
        """The first heap, coin by coin in turn."""
        if not winners:
            return False
        stage, coins = self.heaps.pop(0)
        got = dict.fromkeys([seat for seat, _ in winners], 0)
        while coins >= len(winners):
            for seat in got:
                got[seat] += 1
                coins -= 1
        if self.heaps:
            self.heaps[0][1] += coins
        else:
            got[winners[0][0]] += coins
        for seat, cards in winners:
            self.players[seat]["won"] += got[seat]
            self.wins.append((stage, seat, tuple(cards), got[seat], len(self.called)))
        return True

    def go_home(self):
        """Coins left go back, one a card and round again; counters to whom they came from; what is
        won, and lies, is kept."""
        dealt = [seat for seat in sorted(self.players) for _ in self.mine(seat)]
        if self.heaps and self.worth:
            for player in self.players.values():
                player["purse"] += player["paid"]
        else:
            left = sum(coins for _, coins in self.heaps)
            while left:
                for seat in dealt[:left]:
                    self.players[seat]["purse"] += 1
                left -= len(dealt[:left])
            for seat, player in self.players.items():
                player["purse"] += (
                    sum(len(self.covered[serial]) for serial in self.mine(seat)) * self.worth
                )
        for player in self.players.values():
            player["purse"] += player["won"]

    def fewest_bare(self):
        """Squares without a counter are counted, card after card; those with the fewest."""
        bare = {seat: 0 for seat in sorted(self.players) if self.mine(seat)}
        for seat in bare:
            for serial in self.mine(seat):
                for row in self.rows[serial]:
                    bare[seat] += sum(1 for number in row if number not in self.covered[serial])
        return [[seat, self.mine(seat)] for seat in bare if bare[seat] == min(bare.values())]

    # -- what the company does ---------------------------------------------------------------------

    def draw(self, number):
        need(not self.ended and bool(self.heaps) and number in self.bag)
        self.before.append(
            copy.deepcopy({name: value for name, value in vars(self).items() if name != "before"})
        )
        self.bag.remove(number)
        self.called.append(number)
        self.heard = []
        for seat in () if self.first else self.players:
            self.cover(seat, number)
        self.look()

    def answer(self, seats, micros):
        need(
            not self.ended and self.first and bool(self.called) and bool(self.heaps) and bool(seats)
        )
        need(all(seat in self.players for seat in seats) and len(set(seats)) == len(seats))
        need(not {seat for seat, _, _ in self.heard} & set(seats))
        if micros:
            need(len(micros) == len(seats) and micros[0] == 0 and micros[-1] <= 1000)
            need(all(one <= other for one, other in pairwise(micros)))
        number = self.called[-1]
        late = any(what == "covers" for _, what, _ in self.heard)
        right = [seat for seat in seats if self.holds(seat, number)]
        for seat in seats:
            what = (
                "wrong"
                if seat not in right
                else "late"
                if late
                else "covers"
                if seat == min(right)
                else "tied"
            )
            self.heard.append((seat, what, what in ("covers", "tied") and len(right) > 1))
        if right and not late:
            self.cover(min(right), number)
            self.look()

    def take_back(self):
        need(not self.ended and bool(self.called))
        before = self.before.pop()
        vars(self).update(before)

    def share(self):
        need(not self.ended and bool(self.heaps) and not self.bag)
        most = max(
            len(self.covered[serial])
            for player in self.players.values()
            for serial in player["cards"]
        )
        best = [
            [seat, cards]
            for seat in sorted(self.players)
            if (
                cards := [serial for serial in self.mine(seat) if len(self.covered[serial]) == most]
            )
        ]
        while most and self.heaps:
            self.give(self.fewest_bare() if self.every and self.heaps[0][0] == "full" else best)
        self.ended = "shared"
        self.go_home()

    def close(self):
        need(not self.ended and (not self.heaps or bool(self.bag)))
        self.ended = "closed"
        self.go_home()

    # -- what can be seen --------------------------------------------------------------------------

    def looks(self):
        """This moment, in plain values."""
        return {
            "cards": [tuple(player["cards"]) for player in self.players.values()],
            "purses": [player["purse"] for player in self.players.values()],
            "hands": [0 if self.ended else player["won"] for player in self.players.values()],
            "pool": 0 if self.ended else sum(coins for _, coins in self.heaps),
            "bag": self.bag,
            "called": self.called,
            "covered": {serial: covered for serial, covered in self.covered.items() if covered},
            "heard": self.heard,
            "wins": self.wins,
            "phase": self.ended or ("playing" if self.heaps else "won"),
        }
