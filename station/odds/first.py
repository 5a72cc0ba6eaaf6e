"""Work out the chances of Loto, First Method: calls on cards, strips, a hall; the race. Pure.

A card's fifteen places have 32,768 sets, few enough to look at each: those that leave a pattern
incomplete are counted by their size, and from there on `station.odds.rehearsal.ranks` counts calls.
It is exact for cards that share no number: one card, and up to the six of a strip.

More cards than six share numbers, and how depends on the cards. A *crowd* takes each strip to be
laid out quite at random, apart from the others. Then the strips' calls are independent, each with
the exact chances of a strip, whatever the order of the knobs, and the crowd is exact. Real strips
have an order: low numbers on the left, and on top of a column. `real_crowd` reckons with those.

In the *race* only the first to answer covers (answering `first`). It is taken that each number
stands on one card of each of some players, who are equally quick and miss nothing: then a number
called is covered with the chance 1/players, each by itself.

>>> print(calls_for(PATTERNS["early-five"]).mean.limit_denominator(1000))
455/16
>>> print(race(PATTERNS["full"], 4)[90])
1/1073741824

Strips laid out quite at random are independent of each other, and `crowd` counts them exactly. In
real strips low numbers stand on the left and high ones on the right, so the corners of all cards
want the same few numbers, and a row never has two numbers of a column. So their calls depend on
each other through the order of the knobs. Here that order is averaged over a fixed sample of
orders. For each of them, a fixed sample of strips says which part of all strips is complete after
each call, and the chance that none of so many strips is follows without further luck. The answer
carries its own standard error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, hypot, prod, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from station.base.errors import Unreadable
from station.base.nouns import CARD_LENGTH, KNOBS
from station.base.tongue import tr
from station.cards.pack import draw_numbers
from station.odds.rehearsal.ranks import U8, TrialCards, Wait, product, shuffled, stream, waiting
from station.odds.second import STRIP_CARDS, Chances, mean
from station.odds.trials import FEW, Firsts, More, TrialFigure, first_calls, races
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


# -- many cards, from strips as the station lays them out ------------------------------------------

SEED = "odds of strips as they are laid out"
STRIPS, ORDERS, AT_ONCE = 360, 4096, 256
F64 = npt.NDArray[np.float64]
Counts = npt.NDArray[np.intp]


@cache
def real_crowd(pattern: Pattern, cards: int) -> Crowd:
    """Return the odds of `cards` cards in whole strips as the station lays them out, the last one
    cut short. Up to six cards, which share no number, they are exact.

    Raises:
        Unreadable: there is no card.
    """
    if cards <= STRIP_CARDS:
        return crowd(pattern, cards)
    strips, rest = divmod(cards, STRIP_CARDS)
    parts = [_of_orders(pattern, strips, rest, chunk) for chunk in range(ORDERS // AT_ONCE)]
    beyond = np.concatenate([part[0] for part in parts], axis=1)  # shape (91, ORDERS)
    alone = np.concatenate([part[1] for part in parts])
    means = beyond.sum(axis=0)
    return Crowd(
        tuple(beyond.mean(axis=1).tolist()),
        max(0.0, 1 - float(alone.mean())),
        exact=False,
        error=float(means.std(ddof=1)) / sqrt(len(means)),
    )


def _of_orders(pattern: Pattern, strips: int, rest: int, chunk: int) -> tuple[F64, F64]:
    """Return, for some orders of the knobs, the chance that no card is complete after 0, 1, … all
    calls, shape (91, orders), and the chance that one card alone is first, shape (orders,)."""
    many = max(STRIPS, 2 * strips)
    sheet = TrialCards(draw_numbers(many, SEED), shuffled(stream(SEED, chunk), AT_ONCE))
    calls = sheet.complete(pattern).reshape(many, STRIP_CARDS, AT_ONCE)
    left = _left(calls.min(axis=1))
    log = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, many + 1)))])

    def part(of: Counts, count: int) -> F64:
        """Return in what part of all choices of the strips so many of these are taken."""
        every = log[many] - log[strips] - log[many - strips]
        enough = np.maximum(of, count)
        ways = log[enough] - log[count] - log[enough - count]
        return np.where(of < count, 0.0, np.exp(ways - every))

    none = part(left, strips)
    cut = _left(calls[:, :rest].min(axis=1)) / many if rest else np.ones_like(none)
    # The cards of a strip share no number, so one of them at most is complete by a call.
    one_strip = (left[:-1] - left[1:]) * part(left[1:], strips - 1)
    alone = one_strip * cut[1:] + none[1:] * (cut[:-1] - cut[1:])
    return none * cut, alone.sum(axis=0)


def _left(calls: npt.NDArray[np.uint8]) -> Counts:
    """Return how many are not complete after 0, 1, … all calls; shape (91, orders)."""
    after = np.arange(KNOBS + 1, dtype=np.uint8)[:, None, None]
    return np.asarray((calls[None] > after).sum(axis=1))


# -- answers: calls and races, exact, and trials beside them ---------------------------------------


@dataclass(frozen=True)
class CallOdds:
    """The calls until the first of some cards has a pattern.

    Attributes:
        cards: how many.
        exact: the calls on average as a fraction; None if cards share numbers: then the figures are
            those of strips laid out at random, or, for a pattern of places, of real strips.
        mean, deviation: the calls on average, and their standard deviation.
        error: the standard error of that mean; 0 where it was counted and not averaged.
        median: the call by which it is had in half of the games.
        within: the chance that the calls asked for are enough.
        shared: the chance that several cards have it on the same call.
        seen: the calls on average in games with real cards; its distance is in standard errors of
            both figures.
        seen_shared: the part of them in which several cards had it on the same call.
    """

    cards: int
    exact: Fraction | None
    mean: float
    deviation: float
    error: float
    median: int
    within: Fraction | float | None
    shared: float
    seen: TrialFigure | None
    seen_shared: float | None


@dataclass(frozen=True)
class PatternOdds:
    """A pattern's calls, for one card, a strip, and all cards in play."""

    key: str
    calls: tuple[CallOdds, ...]


@dataclass(frozen=True)
class FirstOdds:
    """The odds of the First Method, everyone answering: each pattern as if played for alone.

    Attributes:
        cards: the number of cards in play.
        within: the calls that were asked for; None if none were.
        games: how many were tried; 0 for none.
    """

    cards: int
    within: int | None
    games: int
    seed: str
    patterns: tuple[PatternOdds, ...]


def first_odds(
    patterns: Mapping[str, Pattern],
    cards: int,
    within: int | None = None,
    games: int = 0,
    seed: str = "1",
    more: More | None = None,
) -> FirstOdds:
    """Return the calls to each pattern.

    Args:
        patterns: the patterns by name.
        cards: the number of cards in play; in the trials, the seed's first ones.
        within: the calls of a jackpot.
        games: how many to try; 0 for none.
        seed: where cards and luck come from.
        more: called with the number of games newly done.

    Raises:
        Unreadable: no card is in play.
    """
    counts = sorted({1, STRIP_CARDS, cards})
    tried: Mapping[tuple[str, int], Firsts] = {}
    if games:
        numbers = draw_numbers(-(-counts[-1] // STRIP_CARDS), seed)[: counts[-1]]
        tried = first_calls(patterns, numbers, counts, games, seed, more=more)
    found = tuple(
        PatternOdds(
            key, tuple(_call_odds(one, count, within, tried.get((key, count))) for count in counts)
        )
        for key, one in patterns.items()
    )
    return FirstOdds(cards, within, games, seed, found)


def _call_odds(pattern: Pattern, cards: int, within: int | None, tried: Firsts | None) -> CallOdds:
    many = real_crowd(pattern, cards)
    wait = calls_for(pattern, cards) if many.exact else None
    return CallOdds(
        cards,
        exact=None if wait is None else wait.mean,
        mean=many.mean,
        deviation=many.deviation,
        error=many.error,
        median=many.median,
        within=None if within is None else (wait or many).within(within),
        shared=many.shared,
        seen=None if tried is None else _seen(many, tried.calls),
        seen_shared=None if tried is None else tried.shared,
    )


def _seen(many: Crowd, calls: U8) -> TrialFigure:
    seen, error = float(calls.mean()), many.deviation / sqrt(len(calls))
    both = hypot(error, many.error)
    return TrialFigure(seen, error, (seen - many.mean) / both if both else None)


@dataclass(frozen=True)
class RacePattern:
    """The odds of a pattern in the race.

    Attributes:
        ever: the chance that one card has it before the bag is empty.
        within: the same within the calls that were asked for.
        seen: the part of the cards that had it in races.
        anybody: the part of the races in which any card had it; from trials alone.
    """

    key: str
    ever: Fraction
    within: Fraction | None
    seen: TrialFigure | None
    anybody: float | None


@dataclass(frozen=True)
class RaceOdds:
    """The odds of the First Method, if only the first to answer covers.

    Attributes:
        holders: how many players hold each number.
        within: the calls that were asked for; None if none were.
        races: how many were tried; 0 for none.
        covered: how many numbers a card has covered when the bag is empty, on average.
        covers: the chance of each such number.
        best: the most that any card had covered; from trials alone.
    """

    holders: int
    within: int | None
    races: int
    seed: str
    patterns: tuple[RacePattern, ...]
    covered: Fraction
    covers: Chances
    best: TrialFigure | None


def race_odds(
    patterns: Mapping[str, Pattern],
    holders: int,
    within: int | None = None,
    many: int = 0,
    seed: str = "1",
    more: More | None = None,
) -> RaceOdds:
    """Return the odds of the race: every number stands on one card of each of `holders` players; in
    trials on that many strips, with a player for each card.

    Args:
        patterns: the patterns by name.
        holders: how many players hold each number.
        within: calls.
        many: how many races to try; 0 for none.
        seed: where cards and luck come from.
        more: called with the number of races newly done.

    Raises:
        Unreadable: nobody holds a number.
    """
    exact = {key: race(pattern, holders) for key, pattern in patterns.items()}
    seen = races(patterns, draw_numbers(holders, seed), many, seed, more=more) if many else None
    found = []
    for key, chances in exact.items():
        ever, tried, anybody = chances[-1], None, None
        if seen is not None:
            had, cards = seen.had[key], len(seen.covered)
            # The cards of one race are no trials apart from one another; their spread from race to
            # race is seen, not exact.
            tried = _of_races(had / cards, float(ever), had.size * cards)
            anybody = float((had > 0).mean())
        soon = None if within is None else chances[min(within, KNOBS)]
        found.append(RacePattern(key, ever, soon, tried, anybody))
    best = None if seen is None else TrialFigure.of(seen.covered.max(axis=0))
    covered = covers(holders)
    return RaceOdds(holders, within, many, seed, tuple(found), mean(covered), covered, best)


def _of_races(parts: Any, ever: float, chances: int) -> TrialFigure:
    spread = float(parts.std(ddof=1)) if len(parts) > 1 else 0.0
    rare = min(ever, 1 - ever) * chances < FEW
    return TrialFigure.beside(float(parts.mean()), ever, spread, len(parts), rare=rare)
