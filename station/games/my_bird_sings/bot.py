"""Play My Bird Sings for a simulated player, and work out how likely a song is. Pure.

At the deal only suits matter: hands are dealt one after the other from what is left of each suit,
and those are counted in which nobody has a song. No hand depends on the order of the seats.

A simulated player sings when he can. Otherwise he keeps the cards with which most of the cards that
he has not seen would be a song; where none would, those with most of one suit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod

from station.base.nouns import SUITS, suit_of
from station.games.my_bird_sings.state import Passing, Setup, State
from station.rules.play import Choose, Wish


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


# -- what a simulated player does ------------------------------------------------------------------


def bot(state: State, seat: int, choose: Choose, _: frozenset[int]) -> Wish | None:
    """Return what the player of a seat wants now; he looks at his own hand alone."""
    setup = state.setup
    if not state.may_sing(seat) and not (state.moving and seat == state.turn):
        return None
    hand = sorted(state.hands[seat - 1])
    songs = setup.songs(hand) if state.may_sing(seat) else []
    if songs:
        return Wish({"do": "sing", "seat": seat, "cards": [*songs[0]]})
    if state.may_put_out and not state.asked:
        return Wish({"do": "put-out", "seat": seat, "card": [_exchanged(setup, hand, choose)]})
    if state.asked or state.spent:
        return Wish({"do": "listen", "seat": seat})
    if setup.passing is Passing.DRAW:
        return Wish({"do": "turn-hand", "seat": seat})
    return Wish({"do": "pass-on", "seat": seat, "card": [_passed(setup, hand, choose)]})


def _passed(setup: Setup, hand: Sequence[str], choose: Choose) -> str:
    """Return the card with which the player parts most easily."""
    unseen = _unseen(setup, hand)

    def worth(card: str) -> tuple[int, int]:
        return _promise(setup, [one for one in hand if one != card], unseen)

    best = max(map(worth, hand))
    return choose.one([card for card in hand if worth(card) == best])


def _exchanged(setup: Setup, hand: Sequence[str], choose: Choose) -> str:
    """Return the card for which another suit would best come from the stock."""
    unseen = _unseen(setup, hand)

    def worth(card: str) -> tuple[int, int]:
        others = {suit: count for suit, count in unseen.items() if suit != suit_of(card)}
        return _promise(setup, [one for one in hand if one != card], others)

    best = max(map(worth, hand))
    return choose.one([card for card in hand if worth(card) == best])


def _unseen(setup: Setup, hand: Sequence[str]) -> Counter[str]:
    """Return how many cards of each suit the player does not see."""
    return Counter(map(suit_of, setup.pack)) - Counter(map(suit_of, hand))


def _promise(setup: Setup, rest: Sequence[str], unseen: Mapping[str, int]) -> tuple[int, int]:
    """Return how many cards would make a song with these, and how many are of one suit."""
    wanted = (suit for suit in SUITS if setup.songs((*rest, suit)))
    most = max(Counter(map(suit_of, rest)).values(), default=0)
    return sum(unseen.get(suit, 0) for suit in wanted), most
