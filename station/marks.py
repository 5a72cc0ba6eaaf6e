"""What is covered on every card in play, for all cards at once.

Each row of a card counts its covered numbers, 0 to 5, in three bits. These bits are not kept card by card but in *planes*: nine
sets of cards, one for each row and bit. A called number has three sets, the cards that bear it on their first, second, third
row; it is added to the counters as on paper, with a carry, a handful of AND and XOR for all cards together. A row is full where
its counter is 5; a card has a row where one of three is full, two rows where two are, and is full where all are.

A set is a Python integer in a small pack and NumPy words in a large one: the same lines do for both. Winners stay sets, and
are listed when they are asked for. Source: Knuth, The Art of Computer Programming, 7.1.3, on counting bitwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from station.table import CARD_LENGTH, KNOBS, ROW_LENGTH, ROWS, Card

Words = npt.NDArray[np.uint64]
Set = TypeVar("Set", int, Words)
Counter = tuple[Set, Set, Set]  # a row's bits: ones, twos, fours

SMALL = 16384  # up to so many cards integers are faster
WORD = 64
BLOCK = 16384 * WORD  # cards worked on together: their planes stay in a core's own memory
SCATTER = 2048  # cards laid out together when a pack is taken in
NEAREST = 10


# -- the same lines for integers and for words -------------------------------------------------------------------------


def cover(row: Counter[Set], bearing: Set) -> Counter[Set]:
    """One more is covered on the rows of these cards. Words are changed in place, the counter given is used up.

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
    """One less is covered on the rows of these cards: the inverse of `cover`."""
    ones, twos, fours = row
    ones ^= bearing
    # One that was not there is there now, and is borrowed; so with the twos.
    borrow = ones & bearing
    twos ^= borrow
    more = twos & borrow
    fours ^= more
    return ones, twos, fours


def of_three(a: Set, b: Set, c: Set) -> tuple[Set, Set, Set]:
    """The cards in one at least of three sets, in two at least, in all three."""
    either, both = a | b, a & b
    return either | c, both | (either & c), both & c


def won(first: Counter[Set], second: Counter[Set], third: Counter[Set]) -> tuple[Set, Set, Set]:
    """The cards with a full row, with two, with three: where the counters are 5, ones and fours."""
    return of_three(first[0] & first[2], second[0] & second[2], third[0] & third[2])


def within(rows: Sequence[Counter[Set]], full: tuple[Set, Set, Set], wanted: int) -> tuple[Set, Set, Set]:
    """The cards that want no number, at most one, at most two for their nearest `wanted` rows, 1 to 3.

    What is lacking is shared out: for two rows and two numbers, one lacks none and the other at most 2, or both lack at most 1.

    Args:
        full: what `won` says of the same rows.
    """
    first, second, third = rows
    # A row lacks at most one from 4 on, the fours; at most two from 3 on, which is twos and ones.
    one = of_three(first[2], second[2], third[2])
    if wanted == 1:
        return full[0], one[0], one[0] | first[0] & first[1] | second[0] & second[1] | third[0] & third[1]
    two = of_three(first[2] | first[0] & first[1], second[2] | second[0] & second[1], third[2] | third[0] & third[1])
    if wanted == 2:
        return full[1], full[0] & one[1], full[0] & two[1] | one[1]
    return full[2], full[1] & one[2], full[1] & two[2] | full[0] & one[2]


def covered(rows: Sequence[Counter[Set]], wanted: int) -> tuple[Set, Set, Set, Set]:
    """How many are covered on the best `wanted` rows of each card, as four planes: ones, twos, fours, eights."""
    empty = rows[0][0] ^ rows[0][0]
    total = (empty, empty, empty, empty)
    for least in range(1, ROW_LENGTH + 1):
        # The best row has so many if any has, the second best if two have, the third if all have.
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


def equal(planes: Sequence[Set], value: int) -> Set:
    """The cards at which the planes, lowest first, make this value."""
    found = planes[0] if value & 1 else ~planes[0]
    for place, plane in enumerate(planes[1:], 1):
        found = found & (plane if value >> place & 1 else ~plane)
    return found


# -- sets --------------------------------------------------------------------------------------------------------------


def size_of(cards: int | Words) -> int:
    """How many cards are in a set."""
    return cards.bit_count() if isinstance(cards, int) else int(np.bitwise_count(cards).sum(dtype=np.int64))


def places_of(cards: int | Words, count: int) -> npt.NDArray[np.int64]:
    """The places of a set's cards, ascending; those from `count` on are no cards."""
    if isinstance(cards, int):
        raw = (cards & ((1 << count) - 1)).to_bytes(-(-count // 8), "little")
        return np.flatnonzero(np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little"))
    some = np.flatnonzero(cards)  # most words have no winner
    bits = np.unpackbits(cards[some].view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    word, bit = np.nonzero(bits)
    places = some[word] * WORD + bit
    return places[places < count]


def _three(empty: Set) -> tuple[Set, Set, Set]:
    return empty ^ empty, empty ^ empty, empty ^ empty


class _Block(Generic[Set]):
    """Some cards of the pack: which bear each number on each row, and their counters."""

    def __init__(self, bearing: Sequence[tuple[Set, Set, Set]], empty: Set, first: int, count: int) -> None:
        self.bearing: Sequence[tuple[Set, Set, Set]] = bearing
        self.first = first
        self.count = count
        # Each plane is a set of its own: `cover` changes it.
        self.rows: tuple[Counter[Set], Counter[Set], Counter[Set]] = (_three(empty), _three(empty), _three(empty))
        self.won: tuple[Set, Set, Set] = _three(empty)

    def call(self, number: int) -> None:
        (first, second, third), (a, b, c) = self.rows, self.bearing[number]
        first, second, third = self.rows = cover(first, a), cover(second, b), cover(third, c)
        self.won = won(first, second, third)

    def take_back(self, number: int) -> None:
        (first, second, third), (a, b, c) = self.rows, self.bearing[number]
        first, second, third = self.rows = uncover(first, a), uncover(second, b), uncover(third, c)
        self.won = won(first, second, third)

    def wanting(self, rows: int) -> tuple[int, int, int]:
        none, one, two = (size_of(cards) for cards in within(self.rows, self.won, rows))
        return none, one - none, two - one

    def bytes(self) -> int:
        total = sum(_bytes(one) for sets in self.bearing for one in sets) + sum(_bytes(one) for one in self.won)
        return total + sum(_bytes(one) for row in self.rows for one in row)

    def by_wanting(self, rows: int) -> Callable[[int], npt.NDArray[np.int64]]:
        planes = covered(self.rows, rows)
        return lambda wanting: places_of(equal(planes, rows * ROW_LENGTH - wanting), self.count)

    def wanted(self, rows: int) -> npt.NDArray[np.int8]:
        total = np.full(self.count, rows * ROW_LENGTH, np.int8)
        for place, plane in enumerate(covered(self.rows, rows)):
            total[places_of(plane, self.count)] -= 1 << place
        return total


class Marks:
    """What is covered on every card in play, kept beside the game's state and derived from the numbers called.

    Args:
        cards: the cards in play by serial.
    """

    def __init__(self, cards: Mapping[str, Card]) -> None:
        numbers = np.array([card.rows for card in cards.values()], dtype=np.uint8)
        self._take_in(tuple(cards), numbers)

    @classmethod
    def of(cls, serials: Sequence[str], numbers: npt.NDArray[np.uint8], small: int = SMALL, block: int = BLOCK) -> Marks:
        """Marks of cards in arrays.

        Args:
            serials: one for each card.
            numbers: uint8, shape (cards, 3, 5).
            small: up to so many cards sets are integers.
            block: cards worked on together in a larger pack; a multiple of 64.
        """
        marks = cls.__new__(cls)
        marks._take_in(serials, numbers, small, block)
        return marks

    def _take_in(self, serials: Sequence[str], numbers: npt.NDArray[np.uint8], small: int = SMALL, block: int = BLOCK) -> None:
        self.serials = serials
        numbers = numbers.reshape(-1, ROWS, ROW_LENGTH)
        self._blocks: list[_Block[int] | _Block[Words]] = []
        step = max(1, len(numbers)) if len(numbers) <= small else block
        for first in range(0, len(numbers), step):
            part = numbers[first : first + step]
            sets = _bearing(part)
            if len(numbers) <= small:
                whole = [tuple(int.from_bytes(row.tobytes(), "little") for row in number) for number in sets]
                self._blocks.append(_Block([(a, b, c) for a, b, c in whole], 0, first, len(part)))
            else:
                views = [(number[0], number[1], number[2]) for number in sets]
                self._blocks.append(_Block(views, np.zeros(sets.shape[2], np.uint64), first, len(part)))

    def call(self, number: int) -> None:
        """A number is covered on every card that bears it."""
        for block in self._blocks:
            block.call(number)

    def take_back(self, number: int) -> None:
        """The counters on a number are lifted again."""
        for block in self._blocks:
            block.take_back(number)

    def wanting(self, rows: int) -> tuple[int, int, int]:
        """How many cards want no number for `rows` rows, how many one, how many two."""
        none = one = two = 0
        for block in self._blocks:
            here = block.wanting(rows)
            none, one, two = none + here[0], one + here[1], two + here[2]
        return none, one, two

    def near(self, rows: int, wanting: int = 1) -> int:
        """How many cards want exactly `wanting` numbers, 0 to 2, for `rows` rows."""
        return self.wanting(rows)[wanting]

    def won(self, rows: int) -> list[int | Words]:
        """The cards with at least `rows` full rows, as sets, one for each block of cards: the winners, not listed."""
        return [block.won[rows - 1] for block in self._blocks]

    def places(self, rows: int) -> Iterator[int]:
        """The places of the cards with at least `rows` full rows, ascending."""
        for block in self._blocks:
            yield from (block.first + place for place in places_of(block.won[rows - 1], block.count).tolist())

    def complete(self, rows: int) -> tuple[str, ...]:
        """The cards with at least `rows` full rows."""
        return tuple(self.serials[place] for place in self.places(rows))

    def nearest(self, rows: int, most: int = NEAREST) -> list[tuple[str, int]]:
        """The cards that want the fewest numbers for `rows` rows, with that many: the nearest first, else in the pack's order."""
        blocks = [(block.first, block.by_wanting(rows)) for block in self._blocks]
        found: list[tuple[str, int]] = []
        for wanting in range(rows * ROW_LENGTH + 1):
            for first, places in blocks:
                found += [(self.serials[first + place], wanting) for place in places(wanting)[: most - len(found)].tolist()]
                if len(found) == most:
                    return found
        return found

    def wanted(self, rows: int) -> npt.NDArray[np.int8]:
        """For each card, how many numbers it wants for its nearest `rows` rows."""
        return np.concatenate([np.zeros(0, np.int8), *(block.wanted(rows) for block in self._blocks)])

    @property
    def bytes(self) -> int:
        """What sets and counters take, without Python's own headers."""
        return sum(block.bytes() for block in self._blocks)


def _bytes(cards: int | Words) -> int:
    # An integer keeps thirty bits in each four bytes.
    return -(-cards.bit_length() // 30) * 4 if isinstance(cards, int) else cards.nbytes


def _bearing(numbers: npt.NDArray[np.uint8]) -> Words:
    """For each number from 0 and each row, the cards that bear it there: shape (91, 3, words)."""
    count = len(numbers)
    words = -(-count // WORD)
    sets = np.zeros((KNOBS + 1, ROWS, words * 8), np.uint8)
    row = np.repeat(np.arange(ROWS), ROW_LENGTH)
    for first in range(0, count, SCATTER):
        part = numbers[first : first + SCATTER].reshape(-1, CARD_LENGTH)
        bears = np.zeros((KNOBS + 1, ROWS, len(part)), np.bool_)
        bears[part, row, np.arange(len(part))[:, None]] = True
        packed = np.packbits(bears, axis=2, bitorder="little")
        sets[:, :, first // 8 : first // 8 + packed.shape[2]] = packed
    # Words of little-endian bytes are what the sets' places mean, on any machine.
    return sets.view("<u8").astype(np.uint64, copy=False)
