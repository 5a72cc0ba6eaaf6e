"""A drawing of the Second Method settled for a hall's cards at once: how many rows of each class,
and what every card wins.

Each row counts its counters, 0 to 5, in planes (`station.cards.bitplanes`). The ten knobs are drawn
before anything is counted, so they are added in a tree and not one after the other: three sets of
equal weight become one of that weight and one of twice it, five operations for all cards together.

No night uses it: the rules seat 24 players at the most, whose cards they settle themselves, row by
row, as the journal tells it. This is the same for a pack of a hall's size, for whoever would play
the Second Method with one: `benchmarks/settling.py` says what it would take, and a test holds it
beside the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from station.base.nouns import KNOBS, ROW_LENGTH, ROWS
from station.cards.bitplanes import WORD, Words
from station.rules.loto_second.state import BOOK, Terms

BLOCK = 4096 * WORD  # cards worked on together: their planes stay in a core's own memory

U8 = npt.NDArray[np.uint8]
I32 = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Totals:
    """What a drawing came to over all cards.

    Attributes:
        classes: how many rows have no counter, one (abstract), two (ambo), … five (quinterne).
        laid: counters that lie on cards.
        won: counters that rows win from the pool besides.
    """

    classes: tuple[int, ...]
    laid: int
    won: int


class Settling:
    """The cards in play, by number and row, ready for any drawing.

    Args:
        numbers: uint8, shape (cards, 3, 5): the rows of each card.
        terms: what a row wins.
        block: cards worked on together; a multiple of 64.
    """

    def __init__(self, numbers: U8, terms: Terms = BOOK, block: int = BLOCK) -> None:
        self.cards = len(numbers)
        self._step = block
        self.terms = terms
        # For each block: shape (knobs + 1, rows, words); the set of a number's cards, for each row.
        # Number 0 is on no card.
        self._blocks = [
            _bearing(numbers[first : first + block]) for first in range(0, self.cards, block)
        ]
        # A card's three counters are nine bits; what it keeps and wins is looked up by them.
        self._kept = _kept(terms)

    def totals(self, drawn: Sequence[int]) -> Totals:
        """The classes and totals of a drawing, over all cards.

        Args:
            drawn: the knobs, all different; some drawings end before the tenth.
        """
        found = np.zeros(5, np.int64)
        for ones, twos, fours in self._counted(drawn):
            found += [
                _size(ones),
                _size(twos),
                _size(fours),
                _size(ones & twos),
                _size(ones & fours),
            ]
        odd, twos_in, fours_in, three, five = map(int, found)
        two, four = twos_in - three, fours_in - five
        one = odd - three - five
        some = (one, two, three, four, five)
        classes = (ROWS * self.cards - sum(some), *some)
        laid = sum(counters * rows for counters, rows in enumerate(classes))
        return Totals(
            classes,
            laid,
            sum(self.terms.prizes[counters] * rows for counters, rows in enumerate(classes)),
        )

    def kept(self, drawn: Sequence[int]) -> I32:
        """What every card keeps of a drawing: counters laid on it, and won by its rows from a pool
        that can pay.

        Returns:
            int32, shape (cards,).
        """
        kept = np.empty(self.cards, np.int32)
        for first, planes in zip(
            range(0, self.cards, self._step), self._counted(drawn), strict=True
        ):
            part = kept[first : first + self._step]
            code = np.zeros(len(part), np.uint16)
            for place, plane in enumerate(planes):
                for row in range(ROWS):
                    bits = np.unpackbits(
                        plane[row].view(np.uint8), count=len(part), bitorder="little"
                    )
                    code |= bits.astype(np.uint16) << np.uint16(ROWS * row + place)
            np.take(self._kept, code, out=part)
        return kept

    def _counted(self, drawn: Sequence[int]) -> Iterator[tuple[Words, Words, Words]]:
        """For each block the counters of all rows: ones, twos, fours, each of shape (rows,
        words)."""
        for bearing in self._blocks:
            ones, twice = _added([bearing[number] for number in drawn], bearing[0])
            twos, fourfold = _added(twice, bearing[0])
            fours, _ = _added(fourfold, bearing[0])
            yield ones, twos, fours


def _added(sets: list[Words], none: Words) -> tuple[Words, list[Words]]:
    """Sets of one weight become one of it, and some of twice the weight."""
    waiting, carries = list(sets), []
    while len(waiting) > 2:
        a, b, c = waiting.pop(), waiting.pop(), waiting.pop()
        unlike = a ^ b
        carries.append(a & b | unlike & c)
        waiting.append(unlike ^ c)
    if len(waiting) == 2:
        a, b = waiting
        return a ^ b, [*carries, a & b]
    return (waiting[0] if waiting else none), carries


def _bearing(numbers: U8) -> Words:
    """Which cards bear each number on each row: shape (knobs + 1, rows, words)."""
    count = len(numbers)
    flags = np.zeros((KNOBS + 1, ROWS, -(-count // WORD) * WORD), np.bool_)
    cards = np.arange(count)
    for row in range(ROWS):
        for column in range(ROW_LENGTH):
            flags[numbers[:, row, column], row, cards] = True
    return np.packbits(flags, axis=2, bitorder="little").view(np.uint64)


def _kept(terms: Terms) -> I32:
    """What a card keeps, by its three counters, three bits each."""
    row = np.zeros(8, np.int32)
    row[: len(terms.prizes)] = [laid + won for laid, won in enumerate(terms.prizes)]
    return np.add.outer(np.add.outer(row, row), row).ravel()


def _size(cards: Words) -> int:
    return int(np.bitwise_count(cards).sum(dtype=np.int64))
