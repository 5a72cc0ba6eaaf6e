"""Tell the order of the cards in Spoil-Five, which of them may be played, and which one wins. Pure.

Source: the rule book's four orders, "Reneging", and what it says of the ace of hearts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from station.base.playing_cards import RANKS, SUITS, rank_of, suit_of

RED = "HD"
BEST_HEART = "AH"  # always a trump, never a heart
# Highest first, by whether the suit is red.
PLAIN = {
    True: ("K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2", "A"),
    False: ("K", "Q", "J", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10"),
}
# Of trumps, behind the five, the knave, the ace of hearts, the ace.
TRUMPS = {
    True: ("K", "Q", "10", "9", "8", "7", "6", "4", "3", "2"),
    False: ("K", "Q", "2", "3", "4", "6", "7", "8", "9", "10"),
}
NATURAL = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")


@cache
def trumps(suit: str, natural: bool = False) -> tuple[str, ...]:
    """Return the trumps, highest first.

    >>> trumps("C")[:6]
    ('5C', 'JC', 'AH', 'AC', 'KC', 'QC')
    """
    if natural:
        return tuple(rank + suit for rank in NATURAL)
    first = (f"5{suit}", f"J{suit}", BEST_HEART, f"A{suit}")
    ranked = (*first, *(rank + suit for rank in TRUMPS[suit in RED]))
    return tuple(dict.fromkeys(ranked))  # if hearts are trumps, there is only one ace


@cache
def plain(suit: str, natural: bool = False) -> tuple[str, ...]:
    """Return the cards of a suit that is not trumps, highest first.

    >>> plain("H")[-2:]
    ('3H', '2H')
    """
    ranked = NATURAL if natural else PLAIN[suit in RED]
    return tuple(rank + suit for rank in ranked if natural or rank + suit != BEST_HEART)


@cache
def _strengths(trump: str, natural: bool) -> dict[str, int]:
    """Return how high each card is: trumps above all, the others within their suits."""
    of_plain = {
        face: len(RANKS) - place
        for suit in SUITS
        if suit != trump
        for place, face in enumerate(plain(suit, natural))
    }
    ranked = trumps(trump, natural)
    return of_plain | {face: 100 - place for place, face in enumerate(ranked)}


def is_trump(face: str, trump: str, natural: bool = False) -> bool:
    """Return whether a card is a trump."""
    return suit_of(face) == trump or (face == BEST_HEART and not natural)


def may_renege(face: str, led: str, trump: str, natural: bool = False) -> bool:
    """Return whether a trump need not be played to a trump that was led: one of the three highest,
    to a lower one."""
    ranked = trumps(trump, natural)
    return not natural and face in ranked[:3] and ranked.index(face) < ranked.index(led)


def playable(hand: Sequence[str], led: str, trump: str, natural: bool = False) -> tuple[str, ...]:
    """Return the cards of a hand that may be played, in its order.

    Args:
        led: the card that was led to this trick; empty where none was.
        trump: the suit of trumps.
        natural: whether the cards have their ordinary order.
    """
    held = [face for face in hand if is_trump(face, trump, natural)]
    if not led:
        return tuple(hand)
    if suit_of(led) == trump:
        bound = any(not may_renege(face, led, trump, natural) for face in held)
        return tuple(held if bound else hand)
    # The ace of hearts is led as a heart where another suit is trumps.
    suit = [face for face in hand if suit_of(face) == suit_of(led) and face not in held]
    return tuple(face for face in hand if face in suit or face in held) if suit else tuple(hand)


def strength(face: str, led: str, trump: str, natural: bool = False) -> int:
    """Return how high a card counts in a trick; 0 where it neither follows nor trumps."""
    if is_trump(face, trump, natural) or suit_of(face) == suit_of(led):
        return _strengths(trump, natural)[face]
    return 0


def winning(cards: Sequence[str], trump: str, natural: bool = False) -> int:
    """Return the place, from 0, of the card that wins a trick, or has it so far.

    >>> winning(("AH", "KH", "5S"), "S"), winning(("AH", "KH", "AS"), "S")
    (2, 0)
    """
    return max(
        range(len(cards)), key=lambda place: strength(cards[place], cards[0], trump, natural)
    )


def in_order(hand: Iterable[str], trump: str, natural: bool = False) -> tuple[str, ...]:
    """Return cards as a player sorts them: trumps first, then suit by suit, highest first."""
    suits = [trump, *(suit for suit in SUITS if suit != trump)]
    high = _strengths(trump, natural)
    return tuple(
        sorted(
            hand,
            key=lambda face: (
                0 if is_trump(face, trump, natural) else suits.index(suit_of(face)),
                -high[face],
            ),
        )
    )


def ace_of(suit: str) -> str:
    """Return the ace of a suit."""
    return f"A{suit}"


def is_ace(face: str) -> bool:
    """Return whether a card is an ace."""
    return rank_of(face) == "A"
