"""Which card may be played in Spoil-Five, and which one wins, sentence by sentence as the book says
it.

Nothing of `station` is used here.
"""

from __future__ import annotations

from collections.abc import Sequence

IN_HEARTS_AND_DIAMONDS = "king queen knave 10 9 8 7 6 5 4 3 2 ace"
IN_CLUBS_AND_SPADES = "king queen knave ace 2 3 4 5 6 7 8 9 10"
IN_RED_TRUMPS = "5 knave ace-of-hearts ace king queen 10 9 8 7 6 4 3 2"
IN_BLACK_TRUMPS = "5 knave ace-of-hearts ace king queen 2 3 4 6 7 8 9 10"
ORDINARY = "ace king queen knave 10 9 8 7 6 5 4 3 2"
NAMES = {"K": "king", "Q": "queen", "J": "knave", "A": "ace"}


def counts_as_trump(card: str, trumps: str, ordinary: bool) -> bool:
    """The ace of hearts is always a trump, and never counts as a heart."""
    if card == "AH":
        return not ordinary or trumps == "H"
    return card.endswith(trumps)


def counts_as_heart(card: str, ordinary: bool) -> bool:
    """A heart is any card of the suit but the ace."""
    return card.endswith("H") and (card != "AH" or ordinary)


def is_of(card: str, suit: str, ordinary: bool) -> bool:
    """Whether a card follows a suit."""
    return counts_as_heart(card, ordinary) if suit == "H" else card.endswith(suit)


def trump_name(card: str, trumps: str) -> str:
    """What the order of trumps calls a card."""
    if card == "AH":
        return "ace-of-hearts"
    return NAMES.get(card[:-1], card[:-1])


def beats(card: str, other: str, trumps: str, ordinary: bool = False) -> bool:
    """Whether one trump is higher than another."""
    if ordinary:
        order = ORDINARY.split()
        names = [NAMES.get(one[:-1], one[:-1]) for one in (card, other)]
    else:
        order = (IN_RED_TRUMPS if trumps in "HD" else IN_BLACK_TRUMPS).split()
        names = [trump_name(one, trumps) for one in (card, other)]
    return order.index(names[0]) < order.index(names[1])


def may_play(
    card: str, hand: Sequence[str], led: str | None, trumps: str, ordinary: bool = False
) -> bool:
    """Whether a card of the hand may be played to the card that was led, if any was."""
    if led is None:
        return True  # he leads whichever of his cards he chooses
    my_trumps = [one for one in hand if counts_as_trump(one, trumps, ordinary)]
    a_trump_is_led = counts_as_trump(led, trumps, ordinary)
    if led == "AH" and trumps != "H":
        a_trump_is_led = False  # the lead is considered as made from a plain suit
    if a_trump_is_led:
        if card in my_trumps:
            return True
        # He must follow if he is able to, but the five, the knave and the ace of hearts are not
        # obliged to be played when the trump led is a lower one.
        for one in my_trumps:
            privileged = one in (f"5{trumps}", f"J{trumps}", "AH") and not ordinary
            if not (privileged and beats(one, led, trumps)):
                return False
        return True
    led_suit = led[-1]
    holds_the_suit = False
    for one in hand:
        if is_of(one, led_suit, ordinary) and one not in my_trumps:
            holds_the_suit = True
    if not holds_the_suit:
        return True  # he may discard either of the others, or play a trump
    return card in my_trumps or is_of(card, led_suit, ordinary)


def who_wins(cards: Sequence[str], trumps: str, ordinary: bool = False) -> int:
    """The place of the winning card: the highest trump, or else the highest of the suit led."""
    best_trump = None
    for card in cards:
        if counts_as_trump(card, trumps, ordinary) and (
            best_trump is None or beats(card, best_trump, trumps, ordinary)
        ):
            best_trump = card
    if best_trump is not None:
        return cards.index(best_trump)
    suit = cards[0][-1]
    order = (IN_HEARTS_AND_DIAMONDS if suit in "HD" else IN_CLUBS_AND_SPADES).split()
    order = ORDINARY.split() if ordinary else order
    best = cards[0]
    for card in cards:
        if card.endswith(suit):
            name = NAMES.get(card[:-1], card[:-1])
            if order.index(name) < order.index(NAMES.get(best[:-1], best[:-1])):
                best = card
    return cards.index(best)
