"""My Bird Sings stated a second time, as plainly as can be: what a song is, and how cards move."""

from __future__ import annotations


def plain_song(cards: list[str], *, flushes: bool, of: int) -> bool:
    """Whether cards are a song: counted suit by suit."""
    if len(cards) != of:
        return False
    count = {"S": 0, "H": 0, "D": 0, "C": 0}
    for card in cards:
        count[card[-1]] += 1
    if of in count.values():
        return True
    return not flushes and of == 4 and list(count.values()) == [1, 1, 1, 1]


def plain_has_song(hand: list[str], *, flushes: bool, of: int) -> bool:
    """Whether there is a song among the cards of a hand."""
    suits = [card[-1] for card in hand]
    if any(suits.count(suit) >= of for suit in "SHDC"):
        return True
    return not flushes and of == 4 and len(set(suits)) == 4


def plain_shares(pool: int, among: list[int]) -> dict[int, int]:
    """What each of some players has of the pool, counter by counter, from the first on."""
    has = dict.fromkeys(among, 0)
    while pool >= len(among):
        for one in among:
            has[one] += 1
        pool -= len(among)
    for one in among[:pool]:
        has[one] += 1
    return has
