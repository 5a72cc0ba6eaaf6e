"""Work out how likely a song is when the cards are dealt, for a number of players. Pure.

Only suits matter: hands are dealt one after the other from what is left of each suit, and those
are counted in which nobody has a song. No hand depends on the order of the seats.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod

from station.base.playing_cards import SUITS, suit_of
from station.games.my_bird_sings.state import Setup


def at_the_deal(setup: Setup, players: int) -> Fraction:
    """Return the chance that somebody has a song when so many players have their cards.

    >>> at_the_deal(Setup((1, 1)), 1)
    Fraction(2417, 20825)
    """
    size, pack = setup.size, len(setup.pack)
    silent = [
        suits
        for suits in product(range(size + 1), repeat=len(SUITS))
        if sum(suits) == size and not setup.sings(_cards(suits))
    ]

    @cache
    def ways(left: tuple[int, ...], hands: int) -> int:
        if not hands:
            return 1
        return sum(
            prod(map(comb, left, suits))
            * ways(
                tuple(sorted(has - out for has, out in zip(left, suits, strict=True))), hands - 1
            )
            for suits in silent
            if all(out <= has for has, out in zip(left, suits, strict=True))
        )

    count = Counter(map(suit_of, setup.pack))
    every = prod(comb(pack - size * hand, size) for hand in range(players))
    return 1 - Fraction(ways(tuple(sorted(count[suit] for suit in SUITS)), players), every)


def _cards(suits: tuple[int, ...]) -> list[str]:
    return [suit for suit, many in zip(SUITS, suits, strict=True) for _ in range(many)]
