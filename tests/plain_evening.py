"""An evening of the Second Method as it goes on a table: counters are moved one by one.

Nothing of `station` is used here but its words for actions. Where the station works with sums and quotients, somebody here
takes a single counter and puts it somewhere.
"""

from __future__ import annotations

import copy
import re

from station.rules.loto_second import game as rules


class Refused(Exception):
    """The company does not do that."""


def need(right: bool) -> None:
    if not right:
        raise Refused


class Parlour:
    """The table, the players and their cards.

    Args:
        cards: rows by serial, as the shuffled cards are drawn.
        a_table, a_pool: counters that a card gives for each.
    """

    def __init__(self, cards, takes, purses, *, consent, confirm, money, a_table, a_pool, prizes, cavities, knobs, again):
        self.cards, self.consent, self.confirm, self.money = cards, consent, confirm, money
        self.a_table, self.a_pool, self.prizes, self.again = a_table, a_pool, prizes, again
        self.cavities, self.knobs = cavities, set(range(1, knobs + 1))
        self.players = {seat: {"cards": [], "purse": purse, "hand": 0} for seat, purse in enumerate(purses, 1)}
        self.pack = list(cards)
        self.table = self.pool = 0
        self.board, self.lying, self.bare, self.borrowed = [], [], [], []
        self.owing, self.unpaid, self.came, self.away = [], [], [], set()
        self.finished, self.more, self.over, self.offer = 0, None, False, None
        self.bag_at = next(seat for seat, count in enumerate(takes, 1) if count)
        for seat, count in enumerate(takes, 1):
            for _ in range(count):
                self.buy(seat)

    # -- what hands do ---------------------------------------------------------------------------------------------

    def pay(self, seat):
        """One counter out of a player's hand, or bought for one out of his purse."""
        player = self.players[seat]
        if player["hand"]:
            player["hand"] -= 1
        else:
            need(player["purse"] > 0)
            player["purse"] -= 1

    def buy(self, seat):
        need(bool(self.pack))
        for _ in range(self.a_table):
            self.pay(seat)
            self.table += 1
        for _ in range(self.a_pool):
            self.pay(seat)
            self.pool += 1
        self.players[seat]["cards"].append(self.pack.pop(0))

    def numbers(self, serial):
        return {number for row in self.cards[serial] for number in row}

    def in_play(self):
        return [(seat, serial) for seat in sorted(self.players) for serial in self.players[seat]["cards"]]

    def borne(self):
        return {number for _, serial in self.in_play() for number in self.numbers(serial)}

    def last(self):
        return self.more == 1

    def short(self):
        return not self.over and (bool(self.owing) or (bool(self.bare) and not self.last()))

    def cover(self):
        while self.bare:
            if not self.table and self.pool and not self.last():
                self.pool -= 1
                self.table += 1
                self.borrowed[-1] += 1
            if not self.table:
                return
            self.table -= 1
            self.lying.append(self.bare.pop(0))

    def go_round(self, first):
        seats = sorted(self.players)
        return seats[seats.index(first) :] + seats[: seats.index(first)]

    def look_at_rows(self):
        """Counters go to hands, and what each row won is written down in the order of paying."""
        for seat in self.go_round(1 if self.last() else self.bag_at):
            for serial in self.players[seat]["cards"]:
                for place, row in enumerate(self.cards[serial]):
                    on_it = [square for square in self.lying if square[0] == serial and square[1] in row]
                    self.players[seat]["hand"] += len(on_it)
                    if self.prizes[len(on_it)]:
                        self.owing.append([seat, serial, place, self.prizes[len(on_it)]])
        self.came, self.board, self.lying, self.bare, self.borrowed = self.board, [], [], [], []

    def pay_rows(self):
        while self.owing and self.pool:
            self.pool -= 1
            self.players[self.owing[0][0]]["purse" if self.money else "hand"] += 1
            self.owing[0][3] -= 1
            if not self.owing[0][3]:
                self.owing.pop(0)
        if self.owing and not self.last():
            return
        self.finished += 1
        if self.last():
            self.end()
            return
        if self.more:
            self.more -= 1
        self.pass_bag()

    def pass_bag(self):
        for seat in self.go_round(self.bag_at)[1:]:
            if self.players[seat]["cards"]:
                self.bag_at = seat
                return

    def end(self):
        self.unpaid, self.owing, self.over = self.owing, [], True
        for player in self.players.values():
            player["purse"] += player["hand"]
            player["hand"] = 0
        while self.table + self.pool and self.in_play():
            for seat, _ in self.in_play():
                if self.table:
                    self.table -= 1
                elif self.pool:
                    self.pool -= 1
                else:
                    break
                self.players[seat]["purse"] += 1

    def may_change(self):
        need(not self.board)
        need(self.consent or (not self.finished and not self.short()))

    def return_knobs(self):
        self.away -= self.borne()

    # -- what the company does -------------------------------------------------------------------------------------

    def do(self, action):
        """Raises `Refused`, and then nothing has changed."""
        before = copy.deepcopy(self.__dict__)
        try:
            need(not self.over)
            need(self.offer is None or isinstance(action, rules.Agree | rules.Decline))
            getattr(self, re.sub("(?<!^)([A-Z])", r"_\1", type(action).__name__).lower())(action)
        except Refused:
            self.__dict__ = before
            raise

    def draw(self, action):
        number = action.number
        need(not self.short() and number in self.knobs - set(self.board) - self.away and len(self.board) < self.cavities)
        self.borrowed.append(0)
        if self.last() and not self.board and not self.table:
            for _ in range(self.again * len(self.in_play())):
                if self.pool:
                    self.pool -= 1
                    self.table += 1
                    self.borrowed[-1] += 1
        need(not self.last() or self.table > 0)
        self.board.append(number)
        self.bare = [(serial, number) for _, serial in self.in_play() if number in self.numbers(serial)]
        self.cover()

    def take_back(self, _):
        need(bool(self.board))
        number = self.board.pop()
        self.table += sum(square[1] == number for square in self.lying)
        self.lying = [square for square in self.lying if square[1] != number]
        self.bare = []
        for _ in range(self.borrowed.pop()):
            if self.table:
                self.table -= 1
                self.pool += 1
        if not self.board and not self.players[self.bag_at]["cards"]:
            self.pass_bag()

    def settle(self, _):
        need(not self.short())
        nothing_left = not self.table and (bool(self.board) or not self.pool or not self.again)
        need(len(self.board) == self.cavities or (self.last() and nothing_left))
        self.look_at_rows()
        self.pay_rows()

    def replenish(self, _):
        need(self.short() or (not self.board and not self.pool and not self.last()))
        short = self.short()
        for seat, _ in self.in_play():
            for _ in range(self.a_pool):
                self.pay(seat)
                self.pool += 1
        if short:
            self.go_on()

    def go_on(self):
        if self.bare:
            self.cover()
        elif not self.board:
            self.pay_rows()

    def finish(self, _):
        need(self.short())
        if self.board:
            self.look_at_rows()
        self.finished += 1
        self.end()

    def resolve(self, action):
        need(not self.board and not self.short() and self.more is None and action.drawings >= 1)
        self.more = action.drawings

    def take(self, action):
        need(action.seat in self.players)
        self.may_change()
        short = self.short()
        self.buy(action.seat)
        self.return_knobs()
        if short:
            self.go_on()

    def join(self, action):
        self.may_change()
        need(len(self.players) < 24 and bool(self.pack) and action.purse >= self.a_table + self.a_pool)
        self.players[len(self.players) + 1] = {"cards": [], "purse": action.purse, "hand": 0}

    def throw_up(self, action):
        need((action.seat, action.serial) in self.in_play())
        short = self.short()
        if not short:
            self.may_change()
        player, cards = self.players[action.seat], len(self.in_play())
        # Table and pool are dealt out, one a card, as long as there is one for each; this card's heap goes to its player.
        table, pool = self.table, self.pool
        while table >= cards:
            table -= cards
            self.table -= 1
            player["hand"] += 1
        while pool >= cards:
            pool -= cards
            self.pool -= 1
            player["hand"] += 1
        player["hand"] += sum(square[0] == action.serial for square in self.lying)
        self.lying = [square for square in self.lying if square[0] != action.serial]
        self.bare = [square for square in self.bare if square[0] != action.serial]
        player["cards"].remove(action.serial)
        self.pack.append(action.serial)
        if not self.in_play():
            self.board, self.lying, self.bare = [], [], []
            self.finished += bool(self.owing)
            self.end()
        elif short:
            self.go_on()
        elif not self.players[self.bag_at]["cards"]:
            self.pass_bag()

    def exchange(self, action):
        need((action.seat, action.serial) in self.in_play() and action.seat != action.other)
        self.may_change()
        if action.other:
            need((action.other, action.wanted) in self.in_play())
            self.offer = action
            if not self.confirm:
                self.agree(None)
        else:
            need(action.wanted in self.pack)
            mine = self.players[action.seat]["cards"]
            mine[mine.index(action.serial)] = action.wanted
            self.pack.remove(action.wanted)
            self.pack.append(action.serial)
            self.return_knobs()

    def agree(self, _):
        need(self.offer is not None)
        mine, theirs = self.players[self.offer.seat]["cards"], self.players[self.offer.other]["cards"]
        mine[mine.index(self.offer.serial)] = self.offer.wanted
        theirs[theirs.index(self.offer.wanted)] = self.offer.serial
        self.offer = None

    def decline(self, _):
        need(self.offer is not None)
        self.offer = None

    def put_away(self, action):
        number = action.number
        need(not self.board and not self.short() and number in self.came and number not in self.away | self.borne())
        need(len(self.knobs) - len(self.away) > self.cavities)
        self.away.add(number)

    # -- what can be seen ------------------------------------------------------------------------------------------

    def looks(self):
        """This moment, in plain values."""
        return {
            "cards": [player["cards"] for player in self.players.values()],
            "purses": [player["purse"] for player in self.players.values()],
            "hands": [player["hand"] for player in self.players.values()],
            "heaps": (self.table, len(self.lying), self.pool),
            "pack": self.pack,
            "board": self.board,
            "bare": [serial for serial, _ in self.bare],
            "came": self.came,
            "away": sorted(self.away),
            "owing": self.owing,
            "unpaid": self.unpaid,
            "bag at": self.bag_at,
            "finished": self.finished,
            "more": self.more,
            "short": self.short(),
            "over": self.over,
            "offer": self.offer,
        }
