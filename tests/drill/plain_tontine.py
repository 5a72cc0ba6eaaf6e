"""Tontine as it goes on a table: every counter is a thing of its own, and is put from one heap on
another by hand.

Nothing of `station` is used here.
"""

from __future__ import annotations

from collections.abc import Sequence

LOOK_IN_THE_BOOK = {
    "K": ("takes", 3),
    "Q": ("takes", 2),
    "J": ("takes", 1),
    "10": ("nothing", 0),
    "A": ("gives", 1),
    "2": ("gives", 2),
    "3": ("gives", 3),
    "4": ("puts", 2),
    "5": ("puts", 1),
    "6": ("puts", 2),
    "7": ("puts", 1),
    "8": ("puts", 2),
    "9": ("puts", 1),
}


class Player:
    """Somebody at the table, with his neighbours and his heap."""

    def __init__(self, name: int, counters: int) -> None:
        self.name = name
        self.heap = [f"{name}'s counter {number}" for number in range(counters)]
        self.left: Player = self
        self.right: Player = self
        self.alive = True


class Table:
    """The players in a ring, the box in the middle, and somebody who has the cards.

    Args:
        stake: counters that each takes, three of which he puts into the box.
    """

    def __init__(self, players: int, stake: int) -> None:
        self.players = [Player(number, stake) for number in range(1, players + 1)]
        for place, player in enumerate(self.players):
            player.left = self.players[(place + 1) % players]
            player.left.right = player
        self.box: list[str] = []
        for player in self.players:
            for _ in range(3):
                self.box.append(player.heap.pop())
        self.dealer = self.players[-1]
        self.winner: Player | None = None
        self.emptied_last: Player | None = None

    def who_has_cards(self) -> list[Player]:
        """Go round to the right, from the dealer's neighbour to himself."""
        found, player = list[Player](), self.dealer.right
        while True:
            if player.alive:
                found.append(player)
            if player is self.dealer:
                return found
            player = player.right

    def deal(self, cards: Sequence[str]) -> None:
        """Turn up the cards, one after the other; then see who is dead, and pass the cards on."""
        players = self.who_has_cards()
        assert len(cards) == len(players)
        for player, card in zip(players, cards, strict=True):
            self.turn(player, card)
        for player in self.players:
            player.alive = len(player.heap) > 0
        living = [player for player in self.players if player.alive]
        if len(living) == 1:
            self.winner = living[0]
        if not living:
            self.winner = self.emptied_last
        if self.winner is not None:
            while self.box:
                self.winner.heap.append(self.box.pop())
            return
        self.dealer = self.dealer.right
        while not self.dealer.alive:
            self.dealer = self.dealer.right

    def turn(self, player: Player, card: str) -> None:
        """Do what a card says, counter by counter."""
        rank = card[:-1]
        what, times = LOOK_IN_THE_BOOK[rank]
        other = player
        if what == "gives":
            for _ in range(times):
                other = other.left
            if other is player:
                return
        for _ in range(times):
            if what == "takes" and self.box:
                player.heap.append(self.box.pop())
            elif what in ("puts", "gives") and player.heap:
                heap = self.box if what == "puts" else other.heap
                heap.append(player.heap.pop())
                if not player.heap:
                    self.emptied_last = player
