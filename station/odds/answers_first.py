"""Answer questions about the First Method: calls and races, exact, and trials beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import hypot, sqrt
from typing import Any

from station.base.nouns import KNOBS
from station.cards.pack import draw_numbers
from station.odds.first import Crowd, calls_for, covers, race
from station.odds.laid_out import real_crowd
from station.odds.rehearsal.ranks import U8
from station.odds.second import STRIP_CARDS, Chances, mean
from station.odds.trials import FEW, Firsts, More, TrialFigure, first_calls, races
from station.rules.patterns import Pattern


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
