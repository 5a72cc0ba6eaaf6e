"""Name the playing cards: suits, ranks, the packs of 52 and of 32.

A card is its rank and its suit in letters, as it stands in the record: "QH", "10S", "AD". Jokers
are in no pack.
"""

from __future__ import annotations

from itertools import product

# The words of each are `suit-NAME` and `rank-NAME` in the wording.
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
RANKS = {
    "A": "ace",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "10": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
}
PACK = tuple(rank + suit for suit, rank in product(SUITS, RANKS))
SHORT_PACK = tuple(face for face in PACK if face[:-1] not in ("2", "3", "4", "5", "6"))


def rank_of(face: str) -> str:
    """Return the rank of a card.

    >>> rank_of("10S")
    '10'
    """
    return face[:-1]


def suit_of(face: str) -> str:
    """Return the suit of a card.

    >>> suit_of("10S")
    'S'
    """
    return face[-1:]
