"""Play a seat of Spoil-Five: from its own hand and from what lies open, and nothing else. Pure.

A card is weighed by how likely it takes the trick, with so many players still to come and so many
better cards unseen, against what it would be worth later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from station.base.playing_cards import SUITS
from station.games.spoil_five.cards import is_trump, strength, winning
from station.games.spoil_five.hand import CARDS, HandStage, SpoilHand
from station.games.spoil_five.state import State
from station.rules.play import Choose, Wish

SPARES = 0.55  # what a card's later worth counts against this trick
SURE = 1.4  # what the last two cards must be worth, to go on for all five


def bot(state: State, seat: int, choose: Choose, simulated: frozenset[int]) -> Wish | None:
    """Return what the simulated player of a seat wants now."""
    if state.misdealt:
        return Wish({"do": "deal-again", "seat": seat}) if seat == state.dealer else None
    hand = state.playing
    if hand is None or hand.turn != seat:
        return None
    return Wish({**_wanted(hand, seat), "seat": seat})


def _wanted(hand: SpoilHand, seat: int) -> Mapping[str, Any]:
    mine = hand.held[seat - 1]
    match hand.stage:
        case HandStage.ASKING:
            return {"do": "ask-five" if wants_five(hand, seat) else "keep-trumps"}
        case HandStage.ANSWERING:
            return {"do": "agree-five" if wants_five(hand, seat) else "refuse-five"}
        case HandStage.JINKING:
            return {"do": "jink" if worth(hand, seat, hand.suit) > SURE else "take-pool"}
    if hand.may_take:
        out = min(mine, key=lambda face: (later(hand, seat, face), mine.index(face)))
        return {"do": "rob", "card": [out]}
    return {"do": "play-card", "card": [best(hand, seat)]}


def wants_five(hand: SpoilHand, seat: int) -> bool:
    """Return whether a hand is better on average with other trumps. This compares a hand with
    itself, so it needs no threshold that depends on how many play."""
    others = [suit for suit in SUITS if suit != hand.suit]
    return sum(worth(hand, seat, suit) for suit in others) > len(others) * worth(
        hand, seat, hand.suit
    )


def worth(hand: SpoilHand, seat: int, trumps: str) -> float:
    """Return how many tricks a hand takes with these trumps, roughly."""
    return sum(later(hand, seat, face, trumps) for face in hand.held[seat - 1])


def best(hand: SpoilHand, seat: int) -> str:
    """Return the card that is played."""
    return max(hand.playable, key=lambda face: _value(hand, seat, face))


def _value(hand: SpoilHand, seat: int, face: str) -> float:
    """Return what it is worth to play a card now."""
    return _need(hand, seat) * takes(hand, seat, face) - SPARES * later(hand, seat, face)


def _need(hand: SpoilHand, seat: int) -> float:
    """Return how much this trick matters: more where it decides the hand."""
    mine, enough = hand.side(seat), hand.how.enough
    has = hand.side_tricks
    if has[mine] == enough - 1:
        return 3
    if any(tricks == enough - 1 for side, tricks in enumerate(has) if side != mine):
        return 2
    return 1


def takes(hand: SpoilHand, seat: int, face: str) -> float:
    """Return how likely the trick is the side's if this card is played."""
    cards = (*hand.on_table, face)
    natural = hand.how.natural
    wins = winning(cards, hand.suit, natural)
    holder = (hand.leader - 1 + wins) % hand.seats + 1
    if hand.side(holder) != hand.side(seat):
        return 0
    behind = hand.seats - len(cards)
    against = behind if not hand.how.sides else behind * (hand.how.sides - 1) / hand.how.sides
    return _holds(hand, seat, cards[0], cards[wins], against)


def _holds(hand: SpoilHand, seat: int, led: str, face: str, against: float) -> float:
    """Return how likely so many players, who are to come, have nothing better, or keep it."""
    unseen = _unseen(hand, seat)
    high = strength(face, led, hand.suit, hand.how.natural)
    better = sum(strength(one, led, hand.suit, hand.how.natural) > high for one in unseen)
    left = CARDS - len(hand.played) // hand.seats
    return float((1 - better / max(len(unseen), 1)) ** (left * against))


def later(hand: SpoilHand, seat: int, face: str, trumps: str = "") -> float:
    """Return how likely a card takes a later trick, roughly: by how many unseen cards beat it.

    Args:
        trumps: their suit, if not that of the hand.
    """
    suit = trumps or hand.suit
    unseen = _unseen(hand, seat)
    natural = hand.how.natural
    high = strength(face, face, suit, natural)
    better = sum(strength(one, face, suit, natural) > high for one in unseen)
    chance = (1 - better / max(len(unseen), 1)) ** (2 * (hand.seats - 1))
    return float(chance + (0.15 if is_trump(face, suit, natural) else 0))


def _unseen(hand: SpoilHand, seat: int) -> Sequence[str]:
    """Return the cards of which a seat does not know where they are."""
    out = hand.laid_out if hand.robber == seat else ""
    known = {*hand.held[seat - 1], *hand.played, *hand.turned, out}
    return [face for face in hand.cards if face not in known]
