"""Define the actions of Spoil-Five, and the order of its cards: which may be played, which wins.

Source: the rule book's four orders, "Reneging", and what it says of the ace of hearts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TypeAlias

from station.base.nouns import RANKS, SUITS, rank_of, suit_of
from station.rules.play import DeclareFault


class Reason(StrEnum):
    """Why an action is not legal."""

    OVER = "game-over"
    NOT_NOW = "not-now"
    NOT_YOUR_TURN = "not-your-turn"
    NOT_THE_PACK = "not-the-pack"
    NOT_IN_HAND = "not-in-hand"
    OUT = "card-is-out"
    NO_FAULT = "no-such-fault"
    MUST_FOLLOW = "must-follow"
    NO_ACE = "no-ace-of-trumps"
    NOT_AN_ACTION = "not-an-action"


@dataclass(frozen=True, slots=True)
class AgreeFive:
    """Agree to five it: the trump card is put away, and another suit is turned up."""

    seat: int


@dataclass(frozen=True, slots=True)
class AskFive:
    """Ask the dealer to five it."""

    seat: int


@dataclass(frozen=True, slots=True)
class KeepTrumps:
    """Be content with the trump card, and do not ask to five it."""

    seat: int


@dataclass(frozen=True, slots=True)
class DealCard:
    """Lay the next real card of the pack on the reader: for the player whose turn of the deal it
    is, or to be turned up.

    Attributes:
        card: the one card, such as KS or 10H.
    """

    card: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealHands:
    """Deal five cards to each player, and turn up the next for trumps.

    Attributes:
        cards: the whole pack in its order, from the dealer's left on two and then three to each; as
            a pattern, `ANY_CARDS` stands for any order.
    """

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealAgain:
    """Deal again after a misdeal, for a second stake for dealing."""

    seat: int


@dataclass(frozen=True, slots=True)
class Jink:
    """Go on after the first three tricks, for all five."""

    seat: int


@dataclass(frozen=True, slots=True)
class LeaveAce:
    """Leave the ace that was turned up lying."""

    seat: int


@dataclass(frozen=True, slots=True)
class Misdeal:
    """Declare that the deal is lost: a misdeal, a deal out of order, an exposed card."""


@dataclass(frozen=True, slots=True)
class PassDeal:
    """Let the deal pass to the left after a misdeal."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card.

    Attributes:
        card: the one card, such as KS or 10H.
    """

    seat: int
    card: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RefuseFive:
    """Refuse to five it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Rob:
    """Lay a card out face down, and take the trump card that was turned up.

    Attributes:
        card: the one card that is laid out.
    """

    seat: int
    card: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakePool:
    """Take the pool for the first three tricks, and do not go on."""

    seat: int


OfHand: TypeAlias = (
    AgreeFive | AskFive | KeepTrumps | Jink | LeaveAce | PlayCard | RefuseFive | Rob | TakePool
)
OfTable: TypeAlias = DealCard | DealHands | DealAgain | DeclareFault | Misdeal | PassDeal
Action: TypeAlias = OfHand | OfTable
ANY_CARDS: tuple[str, ...] = ()


# -- the four orders of cards, and reneging --------------------------------------------------------

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
