"""Work out exact chances of Loto, First Method: the calls to any pattern, on one card, a strip or a
hall's cards, and in the race. Pure.

A card's fifteen places have 32,768 sets, few enough to look at each: those that leave a pattern
incomplete are counted by their size, and from there on `station.odds.rehearsal.exact` counts calls.
It is exact for cards that share no number: one card, and up to the six of a strip.

More cards than six share numbers, and how depends on the cards. A *crowd* takes each strip to be
laid out quite at random, apart from the others. Then the strips' calls are independent, each with
the exact chances of a strip, whatever the order of the knobs, and the crowd is exact. Real strips
have an order: low numbers on the left, and on top of a column. `station.odds.laid_out` reckons with
those.

In the *race* only the first to answer covers (answering `first`). It is taken that each number
stands on one card of each of some players, who are equally quick and miss nothing: then a number
called is covered with the chance 1/players, each by itself.

>>> print(calls_for(PATTERNS["early-five"]).mean.limit_denominator(1000))
455/16
>>> print(race(PATTERNS["full"], 4)[90])
1/1073741824
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, prod, sqrt

import numpy as np

from station.base.errors import Unreadable
from station.base.nouns import CARD_LENGTH, KNOBS
from station.base.tongue import tr
from station.odds.rehearsal.exact import Wait, product, waiting
from station.odds.second import STRIP_CARDS, Chances
from station.rules.patterns import PATTERNS, Pattern

__all__ = ["PATTERNS", "Crowd", "calls_for", "covers", "crowd", "race", "short_sets"]


@cache
def short_sets(pattern: Pattern, places: int = CARD_LENGTH) -> tuple[int, ...]:
    """Return how many sets of 0, 1, … all places of a card leave the pattern incomplete."""
    sets = np.arange(1 << places, dtype=np.uint32)
    complete = np.zeros(len(sets), np.bool_)
    for part in pattern.parts:
        bits = np.uint32(sum(1 << place for place in part.places))
        complete |= np.bitwise_count(sets & bits) >= part.need
    sizes = np.bitwise_count(sets)[~complete]
    return tuple(np.bincount(sizes, minlength=places + 1).tolist())


@cache
def calls_for(
    pattern: Pattern, cards: int = 1, places: int = CARD_LENGTH, knobs: int = KNOBS
) -> Wait:
    """Return the calls until the first of some cards, that share no number, has the pattern.

    Args:
        pattern: what must be covered.
        cards: 1 for one card, 6 for a strip.
        places: numbers on a card.
        knobs: knobs in the bag.

    Raises:
        Unreadable: the bag has too few knobs for these cards.
    """
    return waiting(short_sets(pattern, places), cards=cards, places=places, knobs=knobs)


@dataclass(frozen=True)
class Crowd:
    """The calls until the first of many cards has a pattern, everyone answering.

    Attributes:
        beyond: the chance that it takes more than 0, 1, 2, … calls.
        shared: the chance that several cards have it on the same call.
        exact: whether this holds for any such cards; else for strips laid out at random.
        error: the standard error of the mean, where it was averaged over orders of the knobs.
    """

    beyond: tuple[float, ...]
    shared: float
    exact: bool
    error: float = 0.0

    @property
    def mean(self) -> float:
        """Return the calls it takes on average."""
        return sum(self.beyond)

    @property
    def deviation(self) -> float:
        """Return the standard deviation of the calls."""
        squares = sum((2 * calls + 1) * chance for calls, chance in enumerate(self.beyond))
        return sqrt(max(0.0, squares - self.mean**2))

    @property
    def median(self) -> int:
        """Return the first call by which at least half of the games have it."""
        return next(calls for calls, chance in enumerate(self.beyond) if chance <= 0.5)

    def within(self, calls: int) -> float:
        """Return the chance that this number of calls is enough."""
        return 1 - self.beyond[min(calls, len(self.beyond) - 1)]


@cache
def crowd(pattern: Pattern, cards: int) -> Crowd:
    """Return the odds of `cards` cards in whole strips, the last one cut short; exact up to six.

    Raises:
        Unreadable: there is no card.
    """
    if cards < 1:
        raise Unreadable(tr("{cards} cards in play: it is one at least", cards=cards))
    strips, rest = divmod(cards, STRIP_CARDS)
    # The cards of a strip share no number, so that a call completes one of them at most: of a strip
    # there is one winner.
    chances = [
        (count, [*map(float, calls_for(pattern, size).beyond)])
        for count, size in ((strips, STRIP_CARDS), (1, rest))
        if count and size
    ]
    beyond = [prod(waits[calls] ** count for count, waits in chances) for calls in range(KNOBS + 1)]
    alone = 0.0
    for calls in range(1, KNOBS + 1):
        for count, waits in chances:
            # One strip of these has it on this call, and all others later.
            others = prod(their[calls] ** many for many, their in chances if their is not waits)
            now = waits[calls - 1] - waits[calls]
            alone += count * now * waits[calls] ** (count - 1) * others
    exact = cards <= STRIP_CARDS
    return Crowd(tuple(beyond), 0.0 if exact else max(0.0, 1 - alone), exact)


@cache
def race(
    pattern: Pattern, holders: int, places: int = CARD_LENGTH, knobs: int = KNOBS
) -> tuple[Fraction, ...]:
    """Return the chance of the pattern on one card within 0, 1, … all calls, in the race.

    Args:
        pattern: what must be covered.
        holders: how many players hold each number, this card's among them: four when all 24 cards
            are out, one to a player.
        places: numbers on a card.
        knobs: knobs in the bag.

    Raises:
        Unreadable: nobody holds a number.
    """
    if holders < 1:
        raise Unreadable(
            tr("{holders} players hold a number: the card's own is one of them", holders=holders)
        )
    # A number is called and covered, 1 part of `holders`; or called and lost, the other parts; or
    # not called.
    lost = [holders, holders - 1]
    terms = [
        product([[0] * size + [count], *([lost] * (places - size))])
        for size, count in enumerate(short_sets(pattern, places))
    ]
    card = [sum(coefficients) for coefficients in zip(*terms, strict=True)]
    short = product([card, *([[1, 1]] * (knobs - places))])
    whole = holders**places
    ways = enumerate(short)
    return tuple(1 - Fraction(many, whole * comb(knobs, called)) for called, many in ways)


def covers(holders: int) -> Chances:
    """Return how many numbers a card has covered when the bag is empty, in the race."""
    whole = holders**CARD_LENGTH
    return {
        count: Fraction(comb(CARD_LENGTH, count) * (holders - 1) ** (CARD_LENGTH - count), whole)
        for count in range(CARD_LENGTH + 1)
    }
