"""Work out the chances of a drawing of Loto, Second Method: a row, a card, a strip. Pure.

A row's numbers meet a drawing as in any draw without return: of `bag` knobs `drawn` are drawn, and
`here` of the bag's knobs stand on the row; how many of these come is hypergeometric.

Rows that share no number are counted together. Let a row be the sum of C(5, i) x^i y^w(i), where
w(i) is what i counters on it are worth, and a number that stands on none of the rows 1 + x. In the
product of them all the coefficient of x^10 y^w counts the drawings that are worth w; out of C(90,
10) that is the chance.

>>> print(row_chances()[2], mean_kept())
102700/1220813 13531315/3662439
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import comb
from typing import TypeAlias

from station.base.errors import Unreadable
from station.base.nouns import CARD_LENGTH, KNOBS, ROW_LENGTH, ROWS
from station.base.tongue import tr
from station.odds.rehearsal.ranks import Wait
from station.rules.terms import BOOK, Terms

Chances: TypeAlias = Mapping[int, Fraction]  # of each number that may come; they sum to one
STRIP_CARDS = KNOBS // CARD_LENGTH


def row_chances(terms: Terms = BOOK, here: int = ROW_LENGTH, away: int = 0) -> tuple[Fraction, ...]:
    """Return the chance of 0, 1, … counters on a row after one whole drawing.

    Args:
        terms: how many knobs there are and are drawn.
        here: how many numbers the row has; all of them are in the bag.
        away: knobs put away, none of them on this row.
    """
    bag = terms.knobs - away
    whole = comb(bag, terms.cavities)
    return tuple(
        Fraction(comb(here, laid) * comb(bag - here, terms.cavities - laid), whole)
        for laid in range(here + 1)
    )


def mean_kept(
    terms: Terms = BOOK, here: int = ROW_LENGTH, rows: int = ROWS, away: int = 0
) -> Fraction:
    """Return the counters that a card keeps of one drawing on average: those laid, and what its
    rows win from a pool that can pay."""
    chances = enumerate(row_chances(terms, here, away))
    return rows * sum(
        (chance * (laid + terms.prizes[laid]) for laid, chance in chances), Fraction()
    )


def mean_from_pool(
    terms: Terms = BOOK, here: int = ROW_LENGTH, rows: int = ROWS, away: int = 0
) -> Fraction:
    """Return the counters that a card wins from the pool in one drawing on average."""
    chances = enumerate(row_chances(terms, here, away))
    return rows * sum((chance * terms.prizes[laid] for laid, chance in chances), Fraction())


def winnings(
    terms: Terms = BOOK, here: int = ROW_LENGTH, rows: int = ROWS, away: int = 0
) -> Chances:
    """Return the chances of what the rows win together from the pool in one drawing.

    >>> winnings()[500]  # two quinternes on one card: all ten knobs on it
    Fraction(1, 1906881827301)

    Args:
        terms: the prizes among them.
        here: how many numbers each row has.
        rows: those of a card, or of several cards; no number stands on two of them.
        away: knobs put away, none of them on these rows.

    Raises:
        Unreadable: the bag has fewer knobs.
    """
    return _worth(terms.prizes[: here + 1], terms, here, rows, away)


def rows_with(
    laid: int, terms: Terms = BOOK, here: int = ROW_LENGTH, rows: int = ROWS, away: int = 0
) -> Chances:
    """Return how many rows have `laid` counters after one drawing; the rest as for `winnings`."""
    return _worth([int(counters == laid) for counters in range(here + 1)], terms, here, rows, away)


def _worth(worth: Sequence[int], terms: Terms, here: int, rows: int, away: int) -> Chances:
    return _counted(tuple(worth), here, rows, terms.cavities, terms.knobs - away)


@cache
def _counted(worth: tuple[int, ...], here: int, rows: int, cavities: int, bag: int) -> Chances:
    if rows < 1 or bag < max(here * rows, cavities):
        raise Unreadable(
            tr(
                "{bag} knobs in the bag, {rows} rows of {here} numbers, {cavities} are drawn:"
                " there is no such drawing; put fewer knobs away, or take fewer cards",
                bag=bag,
                rows=rows,
                here=here,
                cavities=cavities,
            )
        )
    ways = {(0, 0): 1}  # by counters laid so far, and what they are worth
    for _ in range(rows):
        more: dict[tuple[int, int], int] = {}
        for (laid, sum_), count in ways.items():
            for counters in range(min(here, cavities - laid) + 1):
                at = laid + counters, sum_ + worth[counters]
                more[at] = more.get(at, 0) + count * comb(here, counters)
        ways = more
    free, whole = bag - here * rows, comb(bag, cavities)
    found: dict[int, int] = {}
    for (laid, sum_), count in ways.items():
        found[sum_] = found.get(sum_, 0) + count * comb(free, cavities - laid)
    return {sum_: Fraction(count, whole) for sum_, count in sorted(found.items()) if count}


def mean(chances: Chances) -> Fraction:
    """Return the mean."""
    return sum((value * chance for value, chance in chances.items()), Fraction())


def variance(chances: Chances) -> Fraction:
    """Return the variance."""
    squares = sum((value**2 * chance for value, chance in chances.items()), Fraction())
    return squares - mean(chances) ** 2


def lasting(
    terms: Terms = BOOK, here: int = ROW_LENGTH, rows: int = ROWS, cards: int = STRIP_CARDS
) -> Wait:
    """Return the drawings until the counters of a whole strip's cards run short: the table and the
    pool, or a prize that the pool owes.

    In each drawing as many counters leave the table as knobs are drawn, for each number stands on
    one card; an empty table takes them from the pool. So only the sums won make the pool of one
    game differ from another's, and they are counted drawing by drawing.

    Returns:
        What a call is in `Wait` is a drawing here; the one that runs short is counted.

    Raises:
        Unreadable: some knob does not stand on exactly one of the cards.
    """
    if cards * rows * here != terms.knobs:
        raise Unreadable(
            tr(
                "{cards} cards of {rows} rows of {here}, {knobs} knobs: each must stand on"
                " one card",
                cards=cards,
                rows=rows,
                here=here,
                knobs=terms.knobs,
            )
        )
    won = winnings(terms, here, rows * cards)
    pools, table = {terms.in_pool * cards: Fraction(1)}, terms.on_table * cards
    beyond = [Fraction(1)]
    while pools:
        lent = max(0, terms.cavities - table)
        table = max(0, table - terms.cavities)
        after: dict[int, Fraction] = {}
        for pool, chance in pools.items():
            for counters, share in won.items():
                if (left := pool - lent - counters) >= 0:
                    after[left] = after.get(left, Fraction()) + chance * share
        pools = after
        beyond.append(sum(pools.values(), Fraction()))
    return Wait(tuple(beyond))
