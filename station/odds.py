"""Exact chances of Loto, Second Method, as fractions: what a row, a card or a pack may expect of one drawing. Pure.

A row's numbers meet a drawing as in any draw without return: of `bag` knobs `drawn` are drawn, and `here` of the bag's knobs
stand on the row; so many of them come with the hypergeometric chance.

>>> print(row_chances()[2], mean_kept())
102700/1220813 13531315/3662439
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from station.rules.loto_second_state import BOOK, Terms
from station.table import ROW_LENGTH, ROWS


def row_chances(terms: Terms = BOOK, here: int = ROW_LENGTH, away: int = 0) -> tuple[Fraction, ...]:
    """The chance of 0, 1, … counters on a row after one whole drawing.

    Args:
        here: how many numbers the row has; all of them are in the bag.
        away: knobs put away, none of them on this row.
    """
    bag = terms.knobs - away
    whole = comb(bag, terms.cavities)
    return tuple(Fraction(comb(here, laid) * comb(bag - here, terms.cavities - laid), whole) for laid in range(here + 1))


def mean_kept(terms: Terms = BOOK, here: int = ROW_LENGTH, rows: int = ROWS, away: int = 0) -> Fraction:
    """The counters that a card keeps of one drawing on average: those laid, and what its rows win from a pool that can pay."""
    chances = row_chances(terms, here, away)
    return rows * sum((chance * (laid + terms.prizes[laid]) for laid, chance in enumerate(chances)), Fraction())


def mean_from_pool(terms: Terms = BOOK, here: int = ROW_LENGTH, rows: int = ROWS, away: int = 0) -> Fraction:
    """The counters that a card wins from the pool in one drawing on average."""
    chances = row_chances(terms, here, away)
    return rows * sum((chance * terms.prizes[laid] for laid, chance in enumerate(chances)), Fraction())
