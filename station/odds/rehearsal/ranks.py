"""Simulate games without playing them: the knobs' ranks in the order of the calls, and from them
when each card has what.

A number's rank is the call at which it comes, 1 to 90. A row is full at the largest of its five
ranks; a part of a pattern of which `need` places do, at the need-th smallest rank of its places; a
pattern at the smallest of its parts. Games lie side by side in memory, so that one operation does a
row of numbers in many games.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from station.base.nouns import CARD_LENGTH, KNOBS, ROW_LENGTH, ROWS
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
