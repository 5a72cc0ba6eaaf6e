"""An evening of the Second Method as it goes on a table: counters are moved one by one.

Nothing of `station` is used here but its words for actions. Where the station works with sums and
quotients, somebody here takes a single counter and puts it somewhere.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from station.games.loto_second import state as rules

Square: TypeAlias = tuple[str, int]  # a card's serial, and a number on it


class Refused(Exception):
    """The company does not do that."""


def need(right: bool) -> None:
    """Raises `Refused` where it is not so."""
    if not right:
        raise Refused


@dataclass
class Player:
    """His cards, the money he has with him, and the counters he has won."""

    purse: int
    hand: int = 0
    cards: list[str] = field(default_factory=list)


class GameInPlay:
    """The table, the players and their cards.

    Args:
        cards: rows by serial, as the shuffled cards are drawn.
        a_table, a_pool: counters that a card gives for each.
    """

    def __init__(
        self,
        cards: Mapping[str, Sequence[Sequence[int]]],
        takes: Sequence[int],
        purses: Sequence[int],
        *,
        consent: bool,
        confirm: bool,
        money: bool,
        a_table: int,
        a_pool: int,
        prizes: Sequence[int],
        cavities: int,
        knobs: int,
        again: int,
    ) -> None:
        self.cards, self.consent, self.confirm, self.money = cards, consent, confirm, money
        self.a_table, self.a_pool, self.prizes, self.again = a_table, a_pool, prizes, again
        self.cavities, self.knobs = cavities, set(range(1, knobs + 1))
        self.players = {seat: Player(purse) for seat, purse in enumerate(purses, 1)}
        self.pack = list(cards)
        self.table = self.pool = 0
        self.board: list[int] = []
        self.lying: list[Square] = []
        self.bare: list[Square] = []
        self.borrowed: list[int] = []
        self.owing: list[list[Any]] = []  # seat, serial, row, counters
        self.unpaid: list[list[Any]] = []
        self.came: list[int] = []
        self.away: set[int] = set()
        self.finished, self.over = 0, False
        self.more: int | None = None
        self.offer: Any = None
        self.bag_at = next(seat for seat, count in enumerate(takes, 1) if count)
        for seat, count in enumerate(takes, 1):
            for _ in range(count):
                self._buy(seat)

    # -- what hands do -----------------------------------------------------------------------------

    def _pay(self, seat: int) -> None:
        """One counter out of a player's hand, or bought for one out of his purse."""
        player = self.players[seat]
        if player.hand:
            player.hand -= 1
        else:
            need(player.purse > 0)
            player.purse -= 1

    def _buy(self, seat: int) -> None:
        need(bool(self.pack))
        for _ in range(self.a_table):
            self._pay(seat)
            self.table += 1
        for _ in range(self.a_pool):
            self._pay(seat)
            self.pool += 1
        self.players[seat].cards.append(self.pack.pop(0))

    def _numbers(self, serial: str) -> set[int]:
        return {number for row in self.cards[serial] for number in row}

    def _in_play(self) -> list[tuple[int, str]]:
        return [
            (seat, serial) for seat in sorted(self.players) for serial in self.players[seat].cards
        ]

    def _borne(self) -> set[int]:
        return {number for _, serial in self._in_play() for number in self._numbers(serial)}

    def _last(self) -> bool:
        return self.more == 1

    def short(self) -> bool:
        """Whether the pool owes something, and nothing is drawn before it was added to."""
        return not self.over and (bool(self.owing) or (bool(self.bare) and not self._last()))

    def _cover(self) -> None:
        while self.bare:
            if not self.table and self.pool and not self._last():
                self.pool -= 1
                self.table += 1
                self.borrowed[-1] += 1
            if not self.table:
                return
            self.table -= 1
            self.lying.append(self.bare.pop(0))

    def _go_round(self, first: int) -> list[int]:
        seats = sorted(self.players)
        return seats[seats.index(first) :] + seats[: seats.index(first)]

    @property
    def hands(self) -> list[int]:
        """The counters that each player has won."""
        return [player.hand for player in self.players.values()]

    def staked(self) -> int:
        """What is in the game: every counter that no purse has."""
        return self.pool + self.table + len(self.lying) + sum(self.hands)

    def _look_at_rows(self) -> None:
        """Counters go to hands, and what each row won is written down in the order of paying."""
        for seat in self._go_round(1 if self._last() else self.bag_at):
            for serial in self.players[seat].cards:
                for place, row in enumerate(self.cards[serial]):
                    on_it = [
                        square for square in self.lying if square[0] == serial and square[1] in row
                    ]
                    self.players[seat].hand += len(on_it)
                    if self.prizes[len(on_it)]:
                        self.owing.append([seat, serial, place, self.prizes[len(on_it)]])
        self.came, self.board, self.lying, self.bare, self.borrowed = self.board, [], [], [], []

    def _pay_rows(self) -> None:
        while self.owing and self.pool:
            self.pool -= 1
            winner = self.players[self.owing[0][0]]
            if self.money:
                winner.purse += 1
            else:
                winner.hand += 1
            self.owing[0][3] -= 1
            if not self.owing[0][3]:
                self.owing.pop(0)
        if self.owing and not self._last():
            return
        self.finished += 1
        if self._last():
            self.end()
            return
        if self.more:
            self.more -= 1
        self._pass_bag()

    def _pass_bag(self) -> None:
        for seat in self._go_round(self.bag_at)[1:]:
            if self.players[seat].cards:
                self.bag_at = seat
                return

    def end(self) -> None:
        """All is redeemed: counters for money, and what lies on the table and in the pool, one a
        card and round again."""
        self.unpaid, self.owing, self.over = self.owing, [], True
        for player in self.players.values():
            player.purse += player.hand
            player.hand = 0
        while self.table + self.pool and self._in_play():
            for seat, _ in self._in_play():
                if self.table:
                    self.table -= 1
                elif self.pool:
                    self.pool -= 1
                else:
                    break
                self.players[seat].purse += 1

    def _may_change(self) -> None:
        need(not self.board)
        need(self.consent or (not self.finished and not self.short()))

    def _return_knobs(self) -> None:
        self.away -= self._borne()

    # -- what the company does ---------------------------------------------------------------------

    def do(self, action: Any) -> None:
        """Raises `Refused`, and then nothing has changed."""
        before = {
            name: copy.deepcopy(value) for name, value in vars(self).items() if name != "cards"
        }
        try:
            need(not self.over)
            need(self.offer is None or isinstance(action, rules.Agree | rules.Decline))
            getattr(self, re.sub("([A-Z])", r"_\1", type(action).__name__).lower())(action)
        except Refused:
            vars(self).update(before)
            raise

    def _draw(self, action: Any) -> None:
        number = action.number
        need(
            not self.short()
            and number in self.knobs - set(self.board) - self.away
            and len(self.board) < self.cavities
        )
        self.borrowed.append(0)
        if self._last() and not self.board and not self.table:
            for _ in range(self.again * len(self._in_play())):
                if self.pool:
                    self.pool -= 1
                    self.table += 1
                    self.borrowed[-1] += 1
        need(not self._last() or self.table > 0)
        self.board.append(number)
        self.bare = [
            (serial, number) for _, serial in self._in_play() if number in self._numbers(serial)
        ]
        self._cover()

    def _take_back(self, _: Any) -> None:
        need(bool(self.board))
        number = self.board.pop()
        self.table += sum(square[1] == number for square in self.lying)
        self.lying = [square for square in self.lying if square[1] != number]
        self.bare = []
        for _ in range(self.borrowed.pop()):
            if self.table:
                self.table -= 1
                self.pool += 1
        if not self.board and not self.players[self.bag_at].cards:
            self._pass_bag()

    def _settle(self, _: Any) -> None:
        need(not self.short())
        nothing_left = not self.table and (bool(self.board) or not self.pool or not self.again)
        need(len(self.board) == self.cavities or (self._last() and nothing_left))
        self._look_at_rows()
        self._pay_rows()

    def _replenish(self, _: Any) -> None:
        need(self.short() or (not self.board and not self.pool and not self._last()))
        short = self.short()
        for seat, _ in self._in_play():
            for _ in range(self.a_pool):
                self._pay(seat)
                self.pool += 1
        if short:
            self._go_on()

    def _go_on(self) -> None:
        if self.bare:
            self._cover()
        elif not self.board:
            self._pay_rows()

    def _finish(self, _: Any) -> None:
        need(self.short())
        if self.board:
            self._look_at_rows()
        self.finished += 1
        self.end()

    def _resolve(self, action: Any) -> None:
        need(not self.board and not self.short() and self.more is None and action.drawings >= 1)
        self.more = action.drawings

    def _take(self, action: Any) -> None:
        need(action.seat in self.players)
        self._may_change()
        short = self.short()
        self._buy(action.seat)
        self._return_knobs()
        if short:
            self._go_on()

    def _join(self, action: Any) -> None:
        self._may_change()
        need(
            len(self.players) < 24
            and bool(self.pack)
            and action.purse >= self.a_table + self.a_pool
        )
        self.players[len(self.players) + 1] = Player(action.purse)

    def _throw_up(self, action: Any) -> None:
        need((action.seat, action.serial) in self._in_play())
        short = self.short()
        if not short:
            self._may_change()
        player, cards = self.players[action.seat], len(self._in_play())
        # Table and pool are dealt out, one a card, as long as there is one for each; this card's
        # heap goes to its player.
        table, pool = self.table, self.pool
        while table >= cards:
            table -= cards
            self.table -= 1
            player.hand += 1
        while pool >= cards:
            pool -= cards
            self.pool -= 1
            player.hand += 1
        player.hand += sum(square[0] == action.serial for square in self.lying)
        self.lying = [square for square in self.lying if square[0] != action.serial]
        self.bare = [square for square in self.bare if square[0] != action.serial]
        player.cards.remove(action.serial)
        self.pack.append(action.serial)
        if not self._in_play():
            self.board, self.lying, self.bare = [], [], []
            self.finished += bool(self.owing)
            self.end()
        elif short:
            self._go_on()
        elif not self.players[self.bag_at].cards:
            self._pass_bag()

    def _exchange(self, action: Any) -> None:
        need((action.seat, action.serial) in self._in_play() and action.seat != action.other)
        self._may_change()
        if action.other:
            need((action.other, action.wanted) in self._in_play())
            self.offer = action
            if not self.confirm:
                self._agree(None)
        else:
            need(action.wanted in self.pack)
            mine = self.players[action.seat].cards
            mine[mine.index(action.serial)] = action.wanted
            self.pack.remove(action.wanted)
            self.pack.append(action.serial)
            self._return_knobs()

    def _agree(self, _: Any) -> None:
        need(self.offer is not None)
        mine, theirs = self.players[self.offer.seat].cards, self.players[self.offer.other].cards
        mine[mine.index(self.offer.serial)] = self.offer.wanted
        theirs[theirs.index(self.offer.wanted)] = self.offer.serial
        self.offer = None

    def _decline(self, _: Any) -> None:
        need(self.offer is not None)
        self.offer = None

    def _put_away(self, action: Any) -> None:
        number = action.number
        need(
            not self.board
            and not self.short()
            and number in self.came
            and number not in self.away | self._borne()
        )
        need(len(self.knobs) - len(self.away) > self.cavities)
        self.away.add(number)

    # -- what can be seen --------------------------------------------------------------------------

    def looks(self) -> dict[str, Any]:
        """This moment, in plain values."""
        return {
            "cards": [player.cards for player in self.players.values()],
            "purses": [player.purse for player in self.players.values()],
            "hands": self.hands,
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
