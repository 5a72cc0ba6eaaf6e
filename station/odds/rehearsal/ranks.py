"""Simulate games by the ranks of their knobs, and count exactly the calls that a card takes.

No game is played: from the ranks, the knobs' order in the calls, follows when each card has what. A
number's rank is the call at which it comes, 1 to 90. A row is full at the largest of its five
ranks; a part of a pattern of which `need` places do, at the need-th smallest rank of its places; a
pattern at the smallest of its parts. Games lie side by side in memory, so that one operation does a
row of numbers in many games.

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

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, reduce
from math import comb

import numpy as np
import numpy.typing as npt

from station.base.errors import Unreadable
from station.base.nouns import CARD_LENGTH, KNOBS, ROW_LENGTH, ROWS
from station.base.tongue import tr
from station.rules.patterns import Pattern, PatternPart

VERSION = 1  # another one draws other games of the same seed
NEVER = 255  # a call that does not come
AT_ONCE = 256  # rows worked on together: they stay in the processor's own memory
_NUMBER = np.uint64(127)

U8 = npt.NDArray[np.uint8]
U64 = npt.NDArray[np.uint64]


def stream(seed: str, chunk: int) -> np.random.Philox:
    """Return the luck of one chunk of games: of a seed always the same, in any order of asking.

    The bit generator is Philox4x64-10 (Salmon et al. 2011); NumPy promises that its raw words stay
    as they are.
    """
    key = hashlib.sha256(f"loto rehearsal {VERSION}\n{seed}".encode()).digest()[:16]
    return np.random.Philox(key=int.from_bytes(key, "little"), counter=chunk << 64)


def shuffled(luck: np.random.Philox, games: int) -> U8:
    """Return the ranks of the knobs in independent games, all 90! orders equally likely.

    Returns:
        uint8, shape (91, games): row n has the rank of number n; row 0 is unused.
    """
    keys = luck.random_raw(games * KNOBS).reshape(games, KNOBS)
    alike = sorted_ranks(keys)
    while len(alike):
        again = luck.random_raw(len(alike) * KNOBS).reshape(-1, KNOBS)
        still = sorted_ranks(again)
        keys[alike] = again
        alike = alike[still]
    ranks = np.zeros((KNOBS + 1, games), np.uint8)
    ranks[1:] = (keys & _NUMBER).astype(np.uint8).T
    return ranks


def sorted_ranks(keys: U64) -> npt.NDArray[np.intp]:
    """Sort each row of random words in place: their last seven bits are 1 to n in random order.

    Returns:
        The rows in which two words were alike but for those bits: their order is not even, they are
            to be drawn again.
    """
    keys &= ~_NUMBER
    keys |= np.arange(1, keys.shape[1] + 1, dtype=np.uint64)
    keys.sort(axis=1)
    return np.flatnonzero(((keys[:, 1:] ^ keys[:, :-1]) <= _NUMBER).any(axis=1))


class TrialCards:
    """Some cards in some games, to tell when each is complete.

    Attributes:
        numbers: uint8, shape (cards, 3, 5).
        ranks: uint8, shape (91, games), as `shuffled` gives them.
        rows: uint8, shape (cards, 3, games): the call that completes each row.
    """

    def __init__(self, numbers: U8, ranks: U8, rows: U8 | None = None) -> None:
        self.numbers = numbers
        self.ranks = ranks
        self.rows = self._full_rows() if rows is None else rows

    def _full_rows(self) -> U8:
        games = self.ranks.shape[1]
        columns = np.ascontiguousarray(self.numbers.reshape(-1, ROW_LENGTH).T.astype(np.intp))
        rows = np.empty((columns.shape[1], games), np.uint8)
        other = np.empty((AT_ONCE, games), np.uint8)
        for first in range(0, len(rows), AT_ONCE):
            largest = rows[first : first + AT_ONCE]
            next_one = other[: len(largest)]
            # "clip" spares a copy; no number is outside.
            first_column, *others = columns[:, first : first + AT_ONCE]
            np.take(self.ranks, first_column, axis=0, out=largest, mode="clip")
            for column in others:
                np.take(self.ranks, column, axis=0, out=next_one, mode="clip")
                np.maximum(largest, next_one, out=largest)
        return rows.reshape(len(self.numbers), ROWS, games)

    def some(self, games: npt.NDArray[np.intp]) -> TrialCards:
        """Return the same cards in some of the games."""
        return TrialCards(self.numbers, self.ranks[:, games], self.rows[:, :, games])

    def complete(self, pattern: Pattern, since: U8 | None = None) -> U8:
        """Return the call that first completes a part of the pattern; with `since`, not before it.

        Args:
            pattern: what must be covered.
            since: uint8, shape (games,).

        Returns:
            uint8, shape (cards, games), a new array; `NEVER` where no part is completed since then.
        """
        first = np.full((len(self.numbers), self.ranks.shape[1]), NEVER, np.uint8)
        for part in pattern.parts:
            calls = self._part(part)
            if since is not None:
                calls = np.where(calls >= since, calls, np.uint8(NEVER))
            np.minimum(first, calls, out=first)
        return first

    def _part(self, part: PatternPart) -> U8:
        if part.need < len(part.places):
            return _smallest(map(self._place, part.places), part.need)
        rows = {place // ROW_LENGTH for place in part.places}
        if len(part.places) == ROW_LENGTH * len(rows):
            largest, *others = (self.rows[:, row] for row in sorted(rows))
        else:
            largest, *others = map(self._place, part.places)
        for calls in others:
            largest = np.maximum(largest, calls)
        return largest

    def _place(self, place: int) -> U8:
        return self.ranks.take(self.numbers.reshape(-1, CARD_LENGTH)[:, place], axis=0)


def _smallest(ranks: Iterable[U8], need: int) -> U8:
    """Return the need-th smallest of some ranks, card by card, game by game."""
    kept: list[U8] = []
    for rank in ranks:
        larger = rank
        for place, smaller in enumerate(kept):
            kept[place], larger = np.minimum(smaller, larger), np.maximum(smaller, larger)
        if len(kept) < need:
            kept.append(larger)
    return kept[-1]


# -- exact counts for one card or a strip ----------------------------------------------------------


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
