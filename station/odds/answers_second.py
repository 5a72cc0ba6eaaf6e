"""Answer questions about a drawing of the Second Method: exact chances, trials beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np

from station.base.errors import Unreadable
from station.base.nouns import CARD_LENGTH, KNOBS, ROWS
from station.base.tongue import tr
from station.cards.pack import draw_numbers
from station.odds.rehearsal.ranks import U8
from station.odds.second import (
    STRIP_CARDS,
    Chances,
    lasting,
    mean_from_pool,
    mean_kept,
    row_chances,
    rows_with,
    winnings,
)
from station.odds.trials import I32, More, TrialFigure, beside, drawings_until_short, laid_on_rows
from station.rules.patterns import ROW_NAMES
from station.rules.terms import BOOK

POOLS = 2000  # games played to learn how long a pool lasts, where nothing else is asked for


@dataclass(frozen=True)
class RowOdds:
    """The odds of a class of rows in one drawing.

    Attributes:
        name: abstract, ambo, …
        laid: counters on the row.
        chance: the chance of one row.
        on_a_card: the chance that a card has such a row, or several.
        among: the number of such rows on all the cards, on average; exact for any cards.
        seen: the part of the rows that were so in trials.
    """

    name: str
    laid: int
    chance: Fraction
    on_a_card: Fraction
    among: Fraction
    seen: TrialFigure | None


@dataclass(frozen=True)
class PoolOdds:
    """The number of drawings for which the counters of some cards last.

    Attributes:
        table: counters on the table when the game begins.
        pool: counters in the pool then.
        laid: counters that leave the table in a drawing, on average.
        won: counters that leave the pool as prizes in a drawing, on average.
        exact: the drawing that runs short, on average; None if it is not worked out.
        deviation: its standard deviation; None likewise.
        seen: the same in games that were played with the seed's cards.
        games: the number of these games.
        soonest, latest: the drawings by which 5 % and 95 % of these games had run short.
    """

    table: int
    pool: int
    laid: Fraction
    won: Fraction
    exact: Fraction | None
    deviation: float | None
    seen: TrialFigure
    games: int
    soonest: int
    latest: int


@dataclass(frozen=True)
class SecondOdds:
    """The odds of a drawing of the Second Method.

    Attributes:
        cards: the number of cards in play.
        away: knobs put away.
        drawings: how many were tried; 0 for none.
        seed: the seed of the cards and of all luck.
        rows: the odds of rows, by the counters on them.
        keeps: counters that a card keeps of a drawing on average, those laid and those won.
        wins: counters that a card wins from the pool on average.
        winnings: the chance of each sum that a card may win from the pool.
        seen: what a card won on average in trials.
        pool: how long the counters last.
    """

    cards: int
    away: int
    drawings: int
    seed: str
    rows: tuple[RowOdds, ...]
    keeps: Fraction
    wins: Fraction
    winnings: Chances
    seen: TrialFigure | None
    pool: PoolOdds


def second_odds(
    cards: int, away: int = 0, drawings: int = 0, seed: str = "1", more: More | None = None
) -> SecondOdds:
    """Return the odds of a drawing, and of the pool, with this number of cards.

    Args:
        cards: the number of cards in play, the seed's first ones.
        away: knobs put away; they stand on none of the cards.
        drawings: how many to try; 0 for none. As many games are played for the pool, else 2,000.
        seed: where cards and luck come from.
        more: called with the number of drawings and games newly done.

    Raises:
        Unreadable: fewer numbers than `away` stand on none of the cards.
    """
    numbers = draw_numbers(-(-max(cards, STRIP_CARDS) // STRIP_CARDS), seed)
    free = _free(numbers[:cards], away)
    # cards that share no number, and none that is put away
    apart = min(STRIP_CARDS, (KNOBS - away) // CARD_LENGTH)
    own, many = numbers[:apart], ROWS * apart
    tried = _tried(own, _free(own, away), drawings, seed, more) if drawings else None
    rows = []
    for laid, (name, chance) in enumerate(zip(ROW_NAMES, row_chances(away=away), strict=True)):
        on_a_card = 1 - rows_with(laid, away=away).get(0, Fraction())
        seen = tried and _part(tried[0][laid], rows_with(laid, rows=many, away=away), many)
        rows.append(RowOdds(name, laid, chance, on_a_card, ROWS * cards * chance, seen))
    won = tried and _part(tried[1], winnings(rows=many, away=away), apart)
    pool = _pool(numbers[:cards], free, drawings or POOLS, seed, more)
    keeps, wins = mean_kept(away=away), mean_from_pool(away=away)
    return SecondOdds(
        cards, away, drawings, seed, tuple(rows), keeps, wins, winnings(away=away), won, pool
    )


def _free(numbers: U8, away: int) -> tuple[int, ...]:
    """Return `away` numbers that stand on none of the cards."""
    free = sorted({*range(1, KNOBS + 1)}.difference(numbers.ravel().tolist()))
    if len(free) < away:
        stand = tr(
            "{free} numbers stand on none of {numbers} cards", free=len(free), numbers=len(numbers)
        )
        raise Unreadable(
            tr("{away} knobs put away: {stand}, and no more can be", away=away, stand=stand)
        )
    return tuple(free[:away])


def _tried(
    numbers: U8, away: Sequence[int], drawings: int, seed: str, more: More | None
) -> tuple[list[I32], I32]:
    """Return, for each drawing, the number of rows of each class, and what all cards won."""
    classes: list[list[I32]] = [[] for _ in ROW_NAMES]
    won, prizes = [], np.array(BOOK.prizes, np.int32)
    for laid in laid_on_rows(numbers, drawings, seed, away=away, more=more):
        for counters, found in enumerate(classes):
            found.append((laid == counters).sum(axis=(0, 1), dtype=np.int32))
        won.append(prizes[laid].sum(axis=(0, 1), dtype=np.int32))
    return [np.concatenate(found) for found in classes], np.concatenate(won)


def _part(values: I32, chances: Chances, among: int) -> TrialFigure:
    """Return the average of one row or card, from the values of all of them."""
    whole = beside(values, chances)
    return TrialFigure(whole.mean / among, whole.error / among, whole.off)


def _pool(numbers: U8, away: Sequence[int], games: int, seed: str, more: More | None) -> PoolOdds:
    cards = len(numbers)
    exact = lasting() if cards == STRIP_CARDS and not away else None
    found = drawings_until_short(numbers, games, seed, away=away, more=more)
    deviation, seen = None, TrialFigure.of(found)
    if exact is not None:
        deviation = sqrt(exact.variance)
        seen = TrialFigure.beside(float(found.mean()), float(exact.mean), deviation, games)
    soonest, latest = np.percentile(found, (5, 95), method="inverted_cdf").tolist()
    return PoolOdds(
        BOOK.on_table * cards,
        BOOK.in_pool * cards,
        Fraction(cards * CARD_LENGTH * BOOK.cavities, BOOK.knobs - len(away)),
        cards * mean_from_pool(away=len(away)),
        None if exact is None else exact.mean,
        deviation,
        seen,
        games,
        int(soonest),
        int(latest),
    )
