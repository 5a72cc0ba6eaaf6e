"""List every pattern of a card, and every way to share a column's numbers among six cards.

Both are complete lists, so that an even choice of a place in a list is an even choice of what it
lists.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from station.base.nouns import COLUMNS, ROW_LENGTH
from station.cards.strip_tables import CARDS, CHOICES

WIDEST = 11  # numbers in the last column, 80 to 90
DIGIT = 5  # bits for one number in an arrangement
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Patterns:
    """All 735,210 patterns of a card: five numbers on each row, no empty column; by its excess.

    Attributes:
        masks: uint32, shape (735210,): bit 3 * column + row is set where a number stands.
        start: uint32, for each place in `CHOICES`: its first pattern.
        size: uint32, for each place in `CHOICES`: how many there are.
    """

    masks: U32
    start: U32
    size: U32


@cache
def patterns() -> Patterns:
    """Return every pattern: five numbers on each of three rows, one to three in each column."""
    bits = [1 << 3 * column for column in range(COLUMNS)]
    rows = np.array([*map(sum, combinations(bits, ROW_LENGTH))], np.uint32)
    masks = (rows[:, None, None] | rows[:, None] << 1 | rows << 2).reshape(-1)
    every = np.uint32(sum(bits))
    masks = masks[(masks | masks >> 1 | masks >> 2) & every == every]
    code = np.zeros(len(masks), np.uint32)
    for column in range(COLUMNS):
        code = code * 3 + np.bitwise_count(masks >> np.uint32(3 * column) & 7).astype(np.uint32) - 1
    codes = np.array(CHOICES) @ 3 ** np.arange(COLUMNS)[::-1]
    order = np.argsort(code, kind="stable")
    code = code[order]
    start, end = np.searchsorted(code, codes), np.searchsorted(code, codes, side="right")
    return Patterns(masks[order], start.astype(np.uint32), (end - start).astype(np.uint32))


def arrangements(counts: tuple[int, ...]) -> U64:
    """Return every way to give a column's numbers 0, 1, 2, … to cards, `counts` of them to each.

    Returns:
        uint64, one for each way: five bits for each number, lowest first; the first card's numbers
            ascending, then the next's.
    """
    total = sum(counts)
    taken = np.zeros((1, 0), np.uint64)
    rest = np.arange(total, dtype=np.uint64)[None]
    for count in counts:
        left = rest.shape[1]
        picks = [*combinations(range(left), count)]
        others = [[place for place in range(left) if place not in pick] for pick in picks]
        chosen = rest[:, np.array(picks)].reshape(-1, count)
        taken = np.concatenate((np.repeat(taken, len(picks), axis=0), chosen), axis=1)
        kept = np.array(others, dtype=np.intp).reshape(len(picks), left - count)
        rest = rest[:, kept].reshape(len(taken), left - count)
    packed = np.zeros(len(taken), np.uint64)
    for place in range(total):
        packed |= taken[:, place] << np.uint64(DIGIT * place)
    return packed


@dataclass(frozen=True)
class Arrangements:
    """The arrangements of columns of one length, and how a column of any shares is read from them.

    A column's *history* is the excess of its six cards, two bits each, the first card lowest.
    Arrangements are listed for histories with falling excess only; for another one the same numbers
    are read in another order.

    Attributes:
        ways: uint64, the lists, one after another.
        start: uint32, shape (4096,), by history.
        size: uint32, shape (4096,), by history; 0 where a history is of another length.
        shifts: uint64, shape (4096, length): how far to shift for each number of the column from
            the top.
    """

    ways: U64
    start: U32
    size: U32
    shifts: U64

    @property
    def length(self) -> int:
        """Return how many numbers the column has."""
        return int(self.shifts.shape[1])


@cache
def shares(length: int) -> Arrangements:
    """Return the arrangements of a column of 9, 10 or 11 numbers.

    In the one of 11 the last card in falling order has a single number. It is drawn apart, so that
    the lists stay short: the others' numbers are listed as they would be without it, doubled and
    one more, to be compared with twice the single one.
    """
    single = length == WIDEST
    lists: dict[tuple[int, ...], tuple[int, int]] = {}
    ways: list[U64] = []
    start, size = np.zeros(4**CARDS, np.uint32), np.zeros(4**CARDS, np.uint32)
    shifts = np.zeros((4**CARDS, length), np.uint64)
    for excess in product(range(3), repeat=CARDS):
        if sum(excess) != length - CARDS:
            continue
        history = sum(more << 2 * card for card, more in enumerate(excess))
        falling = sorted(range(CARDS), key=lambda card: -excess[card])
        counts = tuple(excess[card] + 1 for card in falling)
        if counts not in lists:
            listed = arrangements(counts[:-1] if single else counts)
            lists[counts] = sum(map(len, ways)), len(listed)
            ways.append(_doubled(listed, length - 1) if single else listed)
        start[history], size[history] = lists[counts]
        first = {card: sum(counts[:place]) for place, card in enumerate(falling)}
        places = [first[card] + place for card in range(CARDS) for place in range(excess[card] + 1)]
        shifts[history] = [DIGIT * place for place in places]
    return Arrangements(np.concatenate(ways), start, size, shifts)


def _doubled(listed: U64, length: int) -> U64:
    ones = np.uint64(sum(1 << DIGIT * place for place in range(length)))
    return listed << np.uint64(1) | ones
