"""Draw strips of six cards uniformly from all valid strips, a whole pack at a time.

Every pattern of a card, and every way to share a column's numbers among six cards, is listed. Both
are complete lists, so that an even choice of a place in a list is an even choice of what it lists.

A finished strip bears each of the numbers 1 to 90 once, on six cards of three rows of five; every
column of a card has one to three numbers, ascending downwards. There are
1,957,451,954,498,053,454,453,778,914,400 patterns of a strip, each filled in many ways; all
finished strips are equally likely here. Three exact choices follow one another: the excess of every
card (`station.cards.strip_tables`), each card's pattern, each column's numbers.

Strip i of a seed is a function of the seed, the algorithm's version and i: it is made of 28 words
of 64 bits, seven blocks of Philox4x64-10 (Salmon et al. 2011), whose key is the SHA-256 of version
and seed. NumPy promises that a bit generator's raw stream stays as it is. Where a word falls on a
border (for one choice in 2^45 or less) more words are drawn, from a part of the stream that belongs
to this strip alone, and the choice stays exact.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from station.base.nouns import COLUMN_RANGES, COLUMNS, KNOBS, ROW_LENGTH, ROWS
from station.cards import strip_tables
from station.cards.strip_tables import CARDS, CHOICES, START, Tables

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


# -- the stream of words, and a strip from them ----------------------------------------------------

VERSION = 1  # of the algorithm: another one makes other strips of the same seed
# of a strip: six cards' orbit, member and pattern; nine columns' arrangement; the last column's
# single number
WORDS = 28
BLOCK = 4  # words that Philox makes at once
CHUNK = 4096  # strips worked on together: what a core's own memory holds
SPARE = 1 << 128  # where the words for borders begin
CELLS = CARDS * ROWS * COLUMNS
MIDDLE = 7
FIVES = 5**MIDDLE  # a middle column has 0 to 4 left: seven digits of base five

U8 = npt.NDArray[np.uint8]
U16 = npt.NDArray[np.uint16]
Spare = Callable[[int], "WordStream"]  # more words for a strip, by its place in the chunk

LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


class WordStream:
    """More words for one strip, after its first 28."""

    def __init__(self, key: int, strip: int) -> None:
        self._philox = np.random.Philox(key=key, counter=SPARE + (strip << 64))

    def word(self) -> int:
        """Return the next word, 0 to 2^64 - 1."""
        return int(self._philox.random_raw())


def _stream(key: int, first: int, place: int) -> WordStream:
    return WordStream(key, first + place)


def key_of(seed: int | str | bytes) -> int:
    """Return the 128-bit key that a seed stands for.

    >>> key_of(7) == key_of("7") == key_of(b"7")
    True
    """
    text = seed if isinstance(seed, bytes) else str(seed).encode()
    digest = hashlib.sha256(f"loto strips {VERSION}\n".encode() + text).digest()
    return int.from_bytes(digest[:16], "little")


def draw(seed: int | str | bytes, count: int, first: int = 0) -> U8:
    """Draw strips `first` to `first + count - 1` of a seed.

    Returns:
        uint8, shape (count, 6, 3, 5): strips, cards, rows, and the numbers of a row from left to
            right.
    """
    key = key_of(seed)
    made = np.empty((count, CARDS, ROWS, ROW_LENGTH), np.uint8)
    for start in range(0, count, CHUNK):
        part = made[start : start + CHUNK]
        at = first + start
        philox = np.random.Philox(key=key, counter=at * WORDS // BLOCK)
        words = np.ascontiguousarray(philox.random_raw(len(part) * WORDS).reshape(-1, WORDS).T)
        from_words(words, partial(_stream, key, at), part)
    return made


def from_words(words: U64, spare: Spare, out: U8) -> None:
    """Make strips from random words, a choice for each word in turn.

    Args:
        words: shape (28, strips), each evenly 0 to 2^64 - 1.
        out: shape (strips, 6, 3, 5), to be filled.
    """
    excess = _deal(words, spare)
    found = patterns()
    masks = np.empty(excess.shape, np.uint32)
    for card in range(CARDS):
        one = excess[card]
        place = _even(words[3 * card + 2], found.size.take(one), spare)
        place += found.start.take(one)
        found.masks.take(place, out=masks[card], mode="clip")
    _place(masks, _columns(words[3 * CARDS :], excess, spare), out)


# -- even choices ----------------------------------------------------------------------------------


def _even(words: U64, sizes_of: U16 | U32, spare: Spare) -> U64:
    """Return an even number from 0 to size - 1, below 2^21, for each word (Lemire 2019)."""
    sizes = sizes_of.astype(np.uint64)
    high = words >> HALF
    high *= sizes
    low = words & LOW
    low *= sizes
    low_high = low >> HALF
    high += low_high
    # The product's lower 64 bits; only below `size` can they be below 2^64 mod size.
    low &= LOW
    low |= high << HALF
    border = low < sizes
    high >>= HALF
    if border.any():
        for place in np.flatnonzero(border):
            high[place] = _even_at_border(int(words[place]), int(sizes[place]), spare(int(place)))
    return high


def _even_at_border(word: int, size: int, stream: WordStream) -> int:
    while word * size % 2**64 < 2**64 % size:
        word = stream.word()
    return word * size >> 64


def _own(word_rest: int, bits: int, cut: int, total: int, stream: WordStream) -> bool:
    """Return whether a number from 0 up to 1 is below cut / total.

    Args:
        word_rest: its first 64 - `bits` bits.
    """
    share, drawn, known = Fraction(cut, total), word_rest, 64 - bits
    while True:
        border = share * 2**known
        if drawn != border.numerator // border.denominator:
            return bool(drawn < border)
        share, drawn, known = border - drawn, stream.word(), 64


# -- the excess of every card ----------------------------------------------------------------------


@dataclass(frozen=True)
class Steps:
    """Look-up tables of the deal.

    Excess left in the middle columns is one number of base five, the first of them lowest.

    Attributes:
        order: uint16, shape (5^7,): a row of `powers`, by what is left.
        powers: complex128 as sixteen bytes: eight uint16, the power of five of the column with the
            most left, of the next one …
        digits: the same for each place in `CHOICES`: its excess in the seven middle columns.
        first: uint32, for each place in `CHOICES`: 5^7 times its excess in the first column.
        found: uint16, by first + what the middle columns take: the place in `CHOICES` of that very
            excess.
    """

    order: U16
    powers: npt.NDArray[np.complex128]
    digits: npt.NDArray[np.complex128]
    first: U32
    found: U16


@cache
def _steps() -> Steps:
    fives = 5 ** np.arange(MIDDLE)
    left = np.arange(FIVES)[:, None] // fives % 5
    orders = np.argsort(-left, axis=1, kind="stable")
    kinds, order = np.unique(orders, axis=0, return_inverse=True)
    powers = np.zeros((len(kinds), 8), np.uint16)
    powers[:, :MIDDLE] = fives[kinds]
    choices = np.array(CHOICES)
    digits = np.zeros((len(CHOICES), 8), np.uint16)
    digits[:, :MIDDLE] = choices[:, 1:8]
    first = (choices[:, 0] * FIVES).astype(np.uint32)
    found = np.zeros(3 * FIVES, np.uint16)
    found[first + choices[:, 1:8] @ fives] = np.arange(len(CHOICES))
    return Steps(
        order.reshape(-1).astype(np.uint16),
        powers.view(np.complex128).reshape(-1),
        digits.view(np.complex128).reshape(-1),
        first,
        found,
    )


def _deal(words: U64, spare: Spare) -> U16:
    """Return the excess of six cards for each strip: places in `CHOICES`, shape (6, strips)."""
    tables, steps = strip_tables.load(), _steps()
    count = words.shape[1]
    excess = np.empty((CARDS, count), np.uint16)
    state = np.zeros(count, np.uint16)
    middle = np.full(count, FIVES - 1, np.uint32)  # four left in each
    first = np.full(count, START[0] * FIVES, np.uint32)
    for card in range(CARDS - 1):
        bucket = _orbit(words[3 * card], state, tables, spare)
        member = _even(words[3 * card + 1], tables.size.take(bucket), spare)
        member += tables.start.take(bucket).view(np.uint32)
        choice = tables.member.take(member.view(np.int64))
        taken = np.einsum(
            "ij,ij->i",
            steps.powers.take(steps.order.take(middle)).view(np.uint16).reshape(count, 8),
            steps.digits.take(choice).view(np.uint16).reshape(count, 8),
        )
        of_first = steps.first.take(choice)
        steps.found.take(of_first + taken, out=excess[card], mode="clip")
        middle -= taken
        first -= of_first
        state = tables.leads_to.take(bucket)
    # The last card takes what is left.
    steps.found.take(first + middle, out=excess[CARDS - 1], mode="clip")
    return excess


def _orbit(words: U64, state: U16, tables: Tables, spare: Spare) -> npt.NDArray[np.int32]:
    bits = tables.bits.take(state).astype(np.uint64)
    bucket = tables.base.take(state)
    bucket += (words >> (np.uint64(64) - bits)).astype(np.int32)
    rest = words << bits
    cut = tables.cut.take(bucket)
    chosen = np.where(rest < cut, bucket, tables.other.take(bucket))
    border = rest == cut
    if border.any():
        for place in np.flatnonzero(border):
            at = strip_tables.reachable()[state[place]]
            table = strip_tables.alias(*at)
            own = int(bucket[place])
            cut_here = table.cuts[own - int(tables.base[state[place]])]
            known, stream = int(rest[place]) >> table.bits, spare(int(place))
            if _own(known, table.bits, cut_here, table.total, stream):
                chosen[place] = own
    return chosen


# -- the numbers -----------------------------------------------------------------------------------


@cache
def _spread() -> tuple[U64, U64, U64]:
    """Return tables that spread bits.

    A card's excess in columns 0 to 4, and in 5 to 8: twelve bits apart; nine bits of a pattern:
    eighteen bits apart, by threes.
    """
    apart = np.uint64(1) << np.arange(0, 60, 12, dtype=np.uint64)
    choices = np.array(CHOICES, np.uint64)
    low, high = choices[:, :5] @ apart, choices[:, 5:] @ apart[:4]
    bits = np.array([n & 7 | (n >> 3 & 7) << 18 | (n >> 6) << 36 for n in range(512)], np.uint64)
    return low, high, bits


def _columns(words: U64, excess: U16, spare: Spare) -> U8:
    """Return the numbers of every column, from the top of the strip down: shape (strips, 90)."""
    low_bits, high_bits, _ = _spread()
    count = excess.shape[1]
    low, high = np.zeros(count, np.uint64), np.zeros(count, np.uint64)
    for card in range(CARDS):
        shift = np.uint64(2 * card)
        low |= low_bits.take(excess[card]) << shift
        high |= high_bits.take(excess[card]) << shift
    numbers = np.empty((count, KNOBS), np.uint8)
    at = 0
    for column, span in enumerate(COLUMN_RANGES):
        length = span.last - span.first + 1
        table = shares(length)
        history = ((low, high)[column > 4] >> np.uint64(12 * (column % 5))) & np.uint64(4095)
        history = history.astype(np.intp)
        place = _even(words[column], table.size.take(history), spare)
        place += table.start.take(history)
        ways = table.ways.take(place.view(np.int64))
        if length == WIDEST:
            single = _even(words[COLUMNS], np.full(count, WIDEST, np.uint32), spare)
            ways |= single << np.uint64(DIGIT * (WIDEST - 1) + 1)
        digits = ways[:, None] >> table.shifts.take(history, axis=0)
        into = numbers[:, at : at + length]
        if length == WIDEST:
            digits &= np.uint64(31)
            into[...] = (digits >> np.uint64(1)) + (digits > single[:, None] << np.uint64(1))
        else:
            into[...] = digits
            into &= 31
        into += np.uint8(span.first)
        at += length
    return numbers


def _place(masks: U32, numbers: U8, out: U8) -> None:
    """Put the numbers where the patterns have places, and read them row by row."""
    _, _, bits = _spread()
    count = masks.shape[1]
    standing = np.zeros((count, 3), np.uint64)
    for word in range(3):
        for card in range(CARDS):
            nine = masks[card] >> np.uint32(9 * word)
            nine &= np.uint32(511)
            standing[:, word] |= bits.take(nine) << np.uint64(3 * card)
    raw = standing.astype("<u8", copy=False).view(np.uint8)
    cells = np.unpackbits(raw, axis=1, bitorder="little")
    grid = np.zeros((count, 192), np.uint8)
    grid.reshape(-1)[np.flatnonzero(cells.view(np.bool_))] = numbers.reshape(-1)
    columns = grid.reshape(count, 3, 64)[:, :, :54].reshape(count, COLUMNS, CARDS * ROWS)
    by_rows = np.ascontiguousarray(columns.transpose(0, 2, 1)).reshape(-1)
    out.reshape(-1)[...] = by_rows.take(np.flatnonzero(by_rows != 0))
