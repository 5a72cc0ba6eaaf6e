"""Keep what is covered on every card in play, for all cards at once.

It counts on many cards at once: a small counter's bits are *planes*, each a set of cards. A card is
in a counter's first plane when its count is odd, in the second when the twos are in it, and so on.
One more is added as on paper, with a carry: a handful of AND and XOR for all cards together. A set
is a Python integer for few cards and NumPy words for many: the same lines do for both. Source:
Knuth, The Art of Computer Programming, 7.1.3, on counting bitwise.

Each row of a card counts its covered numbers, 0 to 5. These counters are kept not card by card but
in nine planes: a called number has three sets, the cards that bear it on their first, second, third
row, and they are added to the counters of all cards together. A row is full where its counter is 5;
a card has a row where one of three is full, two rows where two are, and is full where all are; the
early five come from the three counters' sum. A pattern of other places, such as the corners, has a
counter of its own, from 0 to 15, made only when a game plays for it.

A set is a Python integer in a small pack and NumPy words in a large one. Winners stay sets, and are
listed when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from station.base.nouns import CARD_LENGTH, KNOBS, ROW_LENGTH, ROWS, Card
from station.cards.pack import Deck
from station.rules.patterns import FULL, ROW, TWO_ROWS, Pattern, PatternPart

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


# -- the marks of the cards in play ----------------------------------------------------------------

Places = tuple[int, ...]  # of a card, 0 to 14
U8 = npt.NDArray[np.uint8]

SMALL = 16384  # cards, up to which integers are faster
BLOCK = 16384 * WORD  # cards worked on together: their planes stay in a core's own memory
SCATTER = 2048  # cards laid out together when a pack is taken in
NEAREST = 10

_ROWS_OF = {frozenset(pattern.parts): rows for rows, pattern in enumerate((ROW, TWO_ROWS, FULL), 1)}
_CARD: Places = tuple(range(CARD_LENGTH))
_LINES: tuple[Places, ...] = tuple(_CARD[ROW_LENGTH * row :][:ROW_LENGTH] for row in range(ROWS))


def _rows_of(pattern: Pattern) -> int:
    """Return how many rows a pattern asks for, wherever they are; 0 for another kind of pattern."""
    return _ROWS_OF.get(frozenset(pattern.parts), 0)


def _three(like: Set) -> Counter[Set]:
    return like ^ like, like ^ like, like ^ like


def _four(like: Set) -> Tally[Set]:
    return like ^ like, like ^ like, like ^ like, like ^ like


def _any_of(first: Set, *others: Set) -> Set:
    for other in others:
        first = first | other  # into a new set: this one may be a plane
    return first


class _Own(Generic[Set]):
    """Counters for places that are not rows.

    Args:
        bearing: for each number from 0, the cards that bear it in each of some groups of places.
        groups: for each counter, the groups that make up its places.
        empty: a set of no cards.
    """

    def __init__(
        self, bearing: Sequence[Sequence[Set]], groups: Mapping[Places, Sequence[int]], empty: Set
    ) -> None:
        self._bearing: Sequence[Sequence[Set]] = bearing
        self._groups = groups
        # Each plane is a set of its own: it is changed in place.
        self.counts: dict[Places, Tally[Set]] = {places: _four(empty) for places in groups}

    def bearing(self, places: Places, number: int) -> Set:
        """Return the cards that bear the number in one of these places, which do not overlap."""
        first, *others = self._groups[places]
        sets = self._bearing[number]
        return _any_of(sets[first], *(sets[group] for group in others))

    def call(self, number: int) -> None:
        for places, count in self.counts.items():
            self.counts[places] = tally(count, self.bearing(places, number))

    def take_back(self, number: int) -> None:
        for places, count in self.counts.items():
            self.counts[places] = untally(count, self.bearing(places, number))

    def sets(self) -> Iterator[Set]:
        for number in self._bearing:
            yield from number
        for count in self.counts.values():
            yield from count


class _Block(Generic[Set]):
    """Some of the pack's cards: which bear each number on each row, and their counters."""

    def __init__(
        self,
        bearing: Sequence[Counter[Set]],
        own: _Own[Set] | None,
        every: Set,
        first: int,
        count: int,
    ) -> None:
        self.bearing: Sequence[Counter[Set]] = bearing
        self.own: _Own[Set] | None = own
        self.every: Set = every
        self.first = first
        self.count = count
        self.rows: Rows[Set] = _three(every), _three(every), _three(every)
        self.full: Counter[Set] = _three(every)

    def call(self, number: int) -> None:
        (one, two, three), (a, b, c) = self.rows, self.bearing[number]
        self.rows = cover(one, a), cover(two, b), cover(three, c)
        self.full = full_rows(self.rows)
        if self.own is not None:
            self.own.call(number)

    def take_back(self, number: int) -> None:
        (one, two, three), (a, b, c) = self.rows, self.bearing[number]
        self.rows = uncover(one, a), uncover(two, b), uncover(three, c)
        self.full = full_rows(self.rows)
        if self.own is not None:
            self.own.take_back(number)

    def _counts(self, pattern: Pattern) -> list[tuple[Sequence[Set], int]]:
        """Return of each way to complete a pattern what is covered, and how much it takes."""
        if rows := _rows_of(pattern):
            return [(covered(self.rows, rows), rows * ROW_LENGTH)]
        return [(self._count(part), part.need) for part in pattern.parts]

    def _count(self, part: PatternPart) -> Sequence[Set]:
        if part.places in _LINES:
            return self.rows[_LINES.index(part.places)]
        if part.places == _CARD:
            return covered(self.rows, ROWS)
        if self.own is None or part.places not in self.own.counts:
            raise KeyError(f"places {part.places}: name their pattern when the marks are made")
        return self.own.counts[part.places]

    def _bears(self, part: PatternPart, number: int) -> Set:
        if part.places in _LINES:
            return self.bearing[number][_LINES.index(part.places)]
        if part.places == _CARD or self.own is None:
            return _any_of(*self.bearing[number])
        return self.own.bearing(part.places, number)

    def levels(self, pattern: Pattern, most: int) -> Iterator[Set]:
        """Yield the cards that want no number, at most one, … at most `most`."""
        ways = self._counts(pattern)
        for wanting in range(most + 1):
            yield _any_of(*(at_least(count, need - wanting, self.every) for count, need in ways))

    def won(self, pattern: Pattern) -> Set:
        rows = _rows_of(pattern)
        return self.full[rows - 1] if rows else next(self.levels(pattern, 0))

    def fresh(self, pattern: Pattern, number: int) -> Set:
        if rows := _rows_of(pattern):
            pairs = zip(self.bearing[number], self.rows, strict=True)
            full = (bearing & row[0] & row[2] for bearing, row in pairs)
            return _any_of(*full) & self.full[rows - 1]
        # A part that is just complete with this number was incomplete before.
        just = (
            self._bears(part, number)
            & at_least(count, need, self.every)
            & ~at_least(count, need + 1, self.every)
            for part, (count, need) in zip(pattern.parts, self._counts(pattern), strict=True)
        )
        return _any_of(*just)

    def wanting(self, pattern: Pattern) -> tuple[int, int, int]:
        rows = _rows_of(pattern)
        levels = within(self.rows, self.full, rows) if rows else self.levels(pattern, 2)
        none, one, two = map(size_of, levels)
        return none, one - none, two - one

    def near(self, patterns: Sequence[Pattern]) -> tuple[int, int]:
        if len(patterns) == 1:
            return self.wanting(patterns[0])[1:]
        ones = twos = self.every ^ self.every
        for pattern in patterns:
            none, one, two = self.levels(pattern, 2)
            ones = ones | (none ^ one)
            twos = twos | (one ^ two)
        return size_of(ones), size_of(twos & ~ones)

    def by_wanting(self, pattern: Pattern) -> Iterator[npt.NDArray[np.int64]]:
        """Yield the places of the cards that want no number, exactly one, two, …"""
        before = self.every ^ self.every
        for level in self.levels(pattern, pattern.length):
            yield places_of(level ^ before, self.count)
            before = level

    def bytes(self) -> int:
        sets: list[int | Words] = [one for number in self.bearing for one in number]
        sets += [one for row in (*self.rows, self.full) for one in row]
        sets += self.own.sets() if self.own is not None else ()
        return sum(_bytes(one) for one in sets)


class Marks:
    """What is covered on every card in play, kept beside the game's state: the calls make it.

    Args:
        cards: the cards in play by serial.
        patterns: what is played for. Rows and the early five can always be asked about, others when
            they are named here.
    """

    def __init__(self, cards: Mapping[str, Card], patterns: Iterable[Pattern] = ()) -> None:
        if isinstance(cards, Deck):
            self._take_in(cards.serials, cards.numbers, patterns)
        else:
            numbers = np.array([card.rows for card in cards.values()], dtype=np.uint8)
            self._take_in(tuple(cards), numbers, patterns)

    @classmethod
    def of(
        cls,
        serials: Sequence[str],
        numbers: U8,
        patterns: Iterable[Pattern] = (),
        small: int = SMALL,
        block: int = BLOCK,
    ) -> Marks:
        """Make marks of cards in arrays.

        Args:
            serials: one for each card.
            numbers: uint8, shape (cards, 3, 5).
            small: number of cards up to which sets are integers.
            block: cards worked on together in a larger pack; a multiple of 64.
        """
        marks = cls.__new__(cls)
        marks._take_in(serials, numbers, patterns, small, block)
        return marks

    def _take_in(
        self,
        serials: Sequence[str],
        numbers: U8,
        patterns: Iterable[Pattern],
        small: int = SMALL,
        block: int = BLOCK,
    ) -> None:
        self.serials = serials
        numbers = numbers.reshape(-1, CARD_LENGTH)
        pieces, groups = _pieces(patterns)
        self._blocks: list[_Block[int] | _Block[Words]] = []
        step = max(1, len(numbers)) if len(numbers) <= small else block
        for first in range(0, len(numbers), step):
            part = numbers[first : first + step]
            rows, own = _bearing(part, _LINES), _bearing(part, pieces) if pieces else None
            if len(numbers) <= small:
                other = _Own(_integers(own), groups, 0) if own is not None else None
                lines = [(a, b, c) for a, b, c in _integers(rows)]
                self._blocks.append(_Block(lines, other, (1 << len(part)) - 1, first, len(part)))
            else:
                every = np.full(rows.shape[2], ~np.uint64(0))
                if spare := -len(part) % WORD:
                    every[-1] >>= np.uint64(spare)
                empty = every ^ every
                others = _Own([*map(list, own)], groups, empty) if own is not None else None
                sets = [(a, b, c) for a, b, c in rows]
                self._blocks.append(_Block(sets, others, every, first, len(part)))

    def call(self, number: int) -> None:
        """Cover a number on every card that bears it."""
        for block in self._blocks:
            block.call(number)

    def take_back(self, number: int) -> None:
        """Uncover a number on every card that bears it."""
        for block in self._blocks:
            block.take_back(number)

    def wanting(self, pattern: Pattern) -> tuple[int, int, int]:
        """Return how many cards want no number for a pattern, how many want one, how many two."""
        none = one = two = 0
        for block in self._blocks:
            here = block.wanting(pattern)
            none, one, two = none + here[0], one + here[1], two + here[2]
        return none, one, two

    def near(self, patterns: Sequence[Pattern]) -> tuple[int, int]:
        """Return how many cards want one number for any of these patterns, and how many two."""
        found = [block.near(patterns) for block in self._blocks]
        return sum(one for one, _ in found), sum(two for _, two in found)

    def won(self, pattern: Pattern) -> list[int | Words]:
        """Return the cards that have a pattern, as sets, one for each block of cards."""
        return [block.won(pattern) for block in self._blocks]

    def places(self, pattern: Pattern) -> Iterator[int]:
        """Yield the places of the cards that have a pattern, ascending."""
        for block in self._blocks:
            for place in places_of(block.won(pattern), block.count).tolist():
                yield block.first + place

    def having(self, pattern: Pattern) -> Iterator[str]:
        """Yield the cards that have a pattern, in the pack's order; each serial when asked for."""
        return map(self.serials.__getitem__, self.places(pattern))

    def fresh(self, pattern: Pattern, number: int) -> Iterator[str]:
        """Yield the cards that the last number called completed, as `Pattern.complete_on_last`."""
        for block in self._blocks:
            for place in places_of(block.fresh(pattern, number), block.count).tolist():
                yield self.serials[block.first + place]

    def nearest(self, pattern: Pattern, most: int = NEAREST) -> list[tuple[str, int]]:
        """Return the cards that want the fewest numbers for a pattern, each with that count.

        The nearest come first, then it goes by the pack's order.
        """
        blocks = [(block.first, block.by_wanting(pattern)) for block in self._blocks]
        found: list[tuple[str, int]] = []
        for wanting in range(pattern.length + 1):
            for first, places in blocks:
                some = next(places)[: most - len(found)].tolist()
                found += [(self.serials[first + place], wanting) for place in some]
            if len(found) == most:
                break
        return found

    def wanting_just(self, pattern: Pattern, many: int, most: int) -> tuple[str, ...]:
        """Return at most `most` cards that want `many` numbers for a pattern, in pack's order."""
        found: list[str] = []
        for block in self._blocks:
            places = next(islice(block.by_wanting(pattern), many, None))[: most - len(found)]
            found += [self.serials[block.first + place] for place in places.tolist()]
            if len(found) == most:
                break
        return tuple(found)

    @property
    def bytes(self) -> int:
        """Return the memory of sets and counters in bytes, without Python's own headers."""
        return sum(block.bytes() for block in self._blocks)


def _bytes(cards: int | Words) -> int:
    # An integer keeps thirty bits in each four bytes.
    return -(-cards.bit_length() // 30) * 4 if isinstance(cards, int) else cards.nbytes


def _pieces(patterns: Iterable[Pattern]) -> tuple[list[Places], dict[Places, list[int]]]:
    """Cut the places of the patterns' own counters into as few pieces as they can share.

    Returns:
        The pieces, places that are always counted together; and for each counter's places, the
            pieces that make them up.
    """
    parts = (part.places for pattern in patterns if not _rows_of(pattern) for part in pattern.parts)
    counters = [places for places in dict.fromkeys(parts) if places not in (*_LINES, _CARD)]
    together: dict[Places, list[int]] = {}
    for place in _CARD:
        if used := tuple(index for index, places in enumerate(counters) if place in places):
            together.setdefault(used, []).append(place)
    return [*map(tuple, together.values())], {
        places: [piece for piece, used in enumerate(together) if index in used]
        for index, places in enumerate(counters)
    }


def _bearing(numbers: U8, groups: Sequence[Places]) -> Words:
    """Return the cards that bear each number from 0 in each group of places.

    Args:
        numbers: uint8, shape (cards, 15).

    Returns:
        Shape (91, groups, words).
    """
    count = len(numbers)
    words = -(-count // WORD)
    sets = np.zeros((KNOBS + 1, len(groups), words * 8), np.uint8)
    places = np.array([place for group in groups for place in group])
    group_of = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    for first in range(0, count, SCATTER):
        part = numbers[first : first + SCATTER, places]
        bears = np.zeros((KNOBS + 1, len(groups), len(part)), np.bool_)
        bears[part, group_of, np.arange(len(part))[:, None]] = True
        packed = np.packbits(bears, axis=2, bitorder="little")
        sets[:, :, first // 8 : first // 8 + packed.shape[2]] = packed
    # The places in a set are defined by little-endian words, on any machine.
    return sets.view("<u8").astype(np.uint64, copy=False)


def _integers(sets: Words) -> list[list[int]]:
    little = sets.astype("<u8")
    return [[int.from_bytes(group.tobytes(), "little") for group in number] for number in little]
