"""Work out Tontine between two players: how many deals it lasts, and who wins how often. Pure.

A game of two is a walk through what lies before each, and who deals: at the beginning of a deal the
box has the rest. From each such state a deal leads on by two cards of one pack, the first to the
one who does not deal; the means are those of a system of linear equations. Of three players there
are so many states that such a system takes minutes; more are only tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from station.base.nouns import RANKS, SUITS
from station.games.tontine.rules import State, turned_up
from station.rules.play import Exact

# Each pair of ranks, and how many of the ordered pairs of two cards have it.
SUIT = next(iter(SUITS))
PAIRS = {
    (one + SUIT, other + SUIT): len(SUITS) * (len(SUITS) - (one == other))
    for one, other in product(RANKS, repeat=2)
}
ALL = sum(PAIRS.values())


def two(start: State) -> Exact:
    """Return the expected length of a game of two from its start, and each player's chance."""
    total = 2 * start.setup.stake
    moments = (
        ((first, second), dealer)
        for first in range(1, total)
        for second in range(1, total - first + 1)
        for dealer in (1, 2)
    )
    places: Mapping[tuple[tuple[int, ...], int], int]
    places = {moment: place for place, moment in enumerate(moments)}
    leads = np.eye(len(places))
    known = np.ones((len(places), 2))  # one deal more each time; who has won at once
    known[:, 1] = 0
    for (hands, dealer), place in places.items():
        for after, winner, ways in _dealt(hands, total - sum(hands), dealer):
            if winner:
                known[place, 1] += ways / ALL * (winner == 1)
            else:
                leads[place, places[(after, 3 - dealer)]] -= ways / ALL
    length, first = map(float, np.linalg.solve(leads, known)[places[(start.lay, start.dealer)]])
    return Exact(length, (first, 1 - first))


def _dealt(
    hands: tuple[int, ...], box: int, dealer: int
) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Yield what lies before both after each pair of ranks, who has won then, 0 for nobody, and in
    how many ways the pair comes."""
    order = (3 - dealer, dealer)
    for cards, ways in PAIRS.items():
        lies, left, emptied = hands, box, 0
        for seat, face in zip(order, cards, strict=True):
            one = turned_up(lies, left, seat, face)
            left += sum(lies) - sum(one.hands)
            lies = one.hands
            emptied = one.giver if one.empties else emptied
        living = [seat for seat in (1, 2) if lies[seat - 1]]
        yield lies, 0 if len(living) == 2 else next(iter(living), emptied), ways
