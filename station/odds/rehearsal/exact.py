"""Work out exactly how many calls a row, two rows, the full card take: for one card or a strip.

The numbers of a strip's rows are all different, so the sets of called numbers that leave every card
short can be counted. Let a row of five be x to the power of how many of it are called: (1 + x)^5 in
all, of which x^5 is the full row, and q the rest. A card with fewer than r full rows is the sum of
C(3, i) x^(5i) q^(3-i) for i < r, a strip is that to the sixth, and a number on no card is 1 + x.
The coefficient of x^k counts the sets of k called numbers; out of C(90, k) that is the chance that
k calls are not enough. Written out for a row, it is inclusion and exclusion over the 18 rows of a
strip: the chance that none is full after k calls is the sum of (-1)^j C(18, j) C(90 - 5j, k - 5j) /
C(90, k).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, reduce
from math import comb

from station.base.errors import Unreadable
from station.base.nouns import CARD_LENGTH, KNOBS, ROW_LENGTH, ROWS
from station.base.tongue import tr


@dataclass(frozen=True)
class Wait:
    """The distribution of how many calls something takes.

    Attributes:
        beyond: the chance that it takes more than 0, 1, 2, … calls; the last one is 0.
    """

    beyond: tuple[Fraction, ...]

    @cached_property
    def mean(self) -> Fraction:
        """Return the calls it takes on average."""
        return sum(self.beyond, Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        """Return the variance of the calls."""
        return (
            sum(((2 * calls + 1) * chance for calls, chance in enumerate(self.beyond)), Fraction(0))
            - self.mean**2
        )

    def within(self, calls: int) -> Fraction:
        """Return the chance that this number of calls is enough."""
        return 1 - self.beyond[min(calls, len(self.beyond) - 1)]


@cache
def calls_to(
    wanted: int, *, cards: int = 1, rows: int = ROWS, length: int = ROW_LENGTH, knobs: int = KNOBS
) -> Wait:
    """Return the calls until the first of some cards, that share no number, has `wanted` full rows.

    >>> [round(float(calls_to(rows, cards=6).mean), 2) for rows in (1, 2, 3)]
    [46.56, 65.38, 77.53]

    Args:
        wanted: how many rows of one card.
        cards: 1 for one card, 6 for a strip.
        rows: rows of a card.
        length: numbers in a row.
        knobs: knobs in the bag.

    Raises:
        Unreadable: a card has fewer rows, or the bag has too few knobs for these cards.
    """
    if not 1 <= wanted <= rows or cards < 1 or length < 1 or cards * rows * length > knobs:
        raise Unreadable(
            tr(
                "{wanted} rows on one of {cards} cards of {rows} rows of {length}, {knobs}"
                " knobs: there is no such game",
                wanted=wanted,
                cards=cards,
                rows=rows,
                length=length,
                knobs=knobs,
            )
        )
    short_row = [comb(length, called) for called in range(length)]
    short_card = [0] * (rows * length + 1)
    for full in range(wanted):
        for called, ways in enumerate(product([short_row] * (rows - full))):
            short_card[called + full * length] += comb(rows, full) * ways
    return waiting(short_card, cards=cards, places=rows * length, knobs=knobs)


def waiting(
    short_card: Sequence[int], *, cards: int = 1, places: int = CARD_LENGTH, knobs: int = KNOBS
) -> Wait:
    """Return the calls until the first of some cards, that share no number, is complete.

    Args:
        short_card: the number of sets of 0, 1, 2, … of a card's numbers that leave it incomplete.
        cards: 1 for one card, 6 for a strip.
        places: numbers on a card.
        knobs: knobs in the bag.

    Raises:
        Unreadable: the bag has too few knobs for these cards.
    """
    if cards < 1 or cards * places > knobs:
        raise Unreadable(
            tr(
                "{cards} cards of {places} numbers, {knobs} knobs: there is no such game",
                cards=cards,
                places=places,
                knobs=knobs,
            )
        )
    short = product([short_card] * cards + [[1, 1]] * (knobs - cards * places))
    return Wait(
        tuple(Fraction(ways, comb(knobs, called)) for called, ways in enumerate(short[: knobs + 1]))
    )


def product(factors: Sequence[Sequence[int]]) -> list[int]:
    """Multiply polynomials; each is given by its coefficients, lowest first."""
    return reduce(_times, factors, [1])


def _times(one: Sequence[int], other: Sequence[int]) -> list[int]:
    made = [0] * (len(one) + len(other) - 1)
    for place, factor in enumerate(one):
        for at, coefficient in enumerate(other, place):
            made[at] += factor * coefficient
    return made
