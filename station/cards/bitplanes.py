"""Count on many cards at once: a small counter's bits are *planes*, each a set of cards.

A card is in a counter's first plane when its count is odd, in the second when the twos are in it,
and so on. One more is added as on paper, with a carry: a handful of AND and XOR for all cards
together. A set is a Python integer for few cards and NumPy words for many: the same lines do for
both. Source: Knuth, The Art of Computer Programming, 7.1.3, on counting bitwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from station.base.nouns import ROW_LENGTH

Words = npt.NDArray[np.uint64]
Set = TypeVar("Set", int, Words)
Counter = tuple[Set, Set, Set]  # of a row, 0 to 5: ones, twos, fours
Rows = tuple[Counter[Set], Counter[Set], Counter[Set]]  # of a card
Tally = tuple[Set, Set, Set, Set]  # of a card, 0 to 15: ones, twos, fours, eights

WORD = 64


def cover(row: Counter[Set], bearing: Set) -> Counter[Set]:
    """Count one more covered number on the rows of these cards.

    Arrays are changed in place; the counter given must not be used again.

    >>> cover((0b11, 0b10, 0b00), 0b11)  # card 0 had 1 covered, card 1 had 3
    (0, 1, 2)
    """
    ones, twos, fours = row
    carry = ones & bearing
    more = twos & carry
    ones ^= bearing
    twos ^= carry
    fours ^= more
    return ones, twos, fours


def uncover(row: Counter[Set], bearing: Set) -> Counter[Set]:
    """Count one covered number less on the rows of these cards: the inverse of `cover`."""
    ones, twos, fours = row
    ones ^= bearing
    # A one that was missing is set now and must be borrowed; so with the twos.
    borrow = ones & bearing
    twos ^= borrow
    more = twos & borrow
    fours ^= more
    return ones, twos, fours


def tally(count: Tally[Set], bearing: Set) -> Tally[Set]:
    """Count one more on these cards, up to 15; as `cover`."""
    ones, twos, fours, eights = count
    carry = ones & bearing & twos
    fourth = carry & fours
    ones, twos, fours = cover((ones, twos, fours), bearing)
    eights ^= fourth
    return ones, twos, fours, eights


def untally(count: Tally[Set], bearing: Set) -> Tally[Set]:
    """Count one less on these cards: the inverse of `tally`."""
    ones, twos, fours, eights = count
    ones, twos, fours = uncover((ones, twos, fours), bearing)
    eights ^= ones & twos & fours & bearing
    return ones, twos, fours, eights


def of_three(a: Set, b: Set, c: Set) -> Counter[Set]:
    """Return the cards in at least one of three sets, in at least two, in all three."""
    either, both = a | b, a & b
    return either | c, both | (either & c), both & c


def full_rows(rows: Rows[Set]) -> Counter[Set]:
    """Return the cards with at least one full row (its counter is 5), with two, with three."""
    a, b, c = rows
    return of_three(a[0] & a[2], b[0] & b[2], c[0] & c[2])


def within(rows: Rows[Set], full: Counter[Set], wanted: int) -> Counter[Set]:
    """Return the cards that want no number, at most one, at most two for `wanted` rows (1 to 3).

    These are their nearest rows. What is lacking is shared out: for two rows and two numbers, one
    lacks none and the other at most 2, or both lack at most 1.

    Args:
        full: what `full_rows` returns for the same rows.
    """
    a, b, c = rows
    # A row lacks at most one from 4 on, the fours; at most two from 3 on, which is twos and ones.
    one = of_three(a[2], b[2], c[2])
    if wanted == 1:
        return full[0], one[0], one[0] | a[0] & a[1] | b[0] & b[1] | c[0] & c[1]
    two = of_three(a[2] | a[0] & a[1], b[2] | b[0] & b[1], c[2] | c[0] & c[1])
    if wanted == 2:
        return full[1], full[0] & one[1], full[0] & two[1] | one[1]
    return full[2], full[1] & one[2], full[1] & two[2] | full[0] & one[2]


def covered(rows: Rows[Set], wanted: int) -> Tally[Set]:
    """Count the covered numbers on the best `wanted` rows of each card."""
    empty = rows[0][0] ^ rows[0][0]
    total = (empty, empty, empty, empty)
    for least in range(1, ROW_LENGTH + 1):
        # The best row has a count if any row has it, the second best if two have, the third if all
        # have.
        for plane in of_three(*(_at_least(row, least) for row in rows))[:wanted]:
            ones, twos, fours, eights = total
            carry = ones & plane
            more = twos & carry
            total = ones ^ plane, twos ^ carry, fours ^ more, eights ^ (fours & more)
    return total


def _at_least(row: Counter[Set], least: int) -> Set:
    ones, twos, fours = row
    if least == 5:
        return fours & ones
    if least == 4:
        return fours
    return fours | ((twos & ones) if least == 3 else twos if least == 2 else (twos | ones))


def at_least(planes: Sequence[Set], least: int, every: Set) -> Set:
    """Return the cards whose count is `least` or more.

    Args:
        every: all cards: the answer for `least` 0.

    >>> at_least((0b0101, 0b0011), 2, 0b1111)  # cards 0 to 3 have 3, 2, 1, 0
    3
    """
    if least <= 0:
        return every
    if least >= 1 << len(planes):
        return every ^ every
    found = every
    # From the ones up: a card has enough if this bit says more, or says the same and those below do
    # not say less.
    for place, plane in enumerate(planes):
        found = plane & found if least >> place & 1 else plane | found
    return found


def size_of(cards: int | Words) -> int:
    """Return how many cards are in a set."""
    if isinstance(cards, int):
        return cards.bit_count()
    return int(np.bitwise_count(cards).sum(dtype=np.int64))


def places_of(cards: int | Words, count: int) -> npt.NDArray[np.int64]:
    """Return the places of a set's cards, ascending; places from `count` on are no cards."""
    if isinstance(cards, int):
        raw = (cards & ((1 << count) - 1)).to_bytes(-(-count // 8), "little")
        return np.flatnonzero(np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little"))
    some = np.flatnonzero(cards)  # most words have no winner
    bits = np.unpackbits(cards[some].view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    word, bit = np.nonzero(bits)
    places = some[word] * WORD + bit
    return places[places < count]
