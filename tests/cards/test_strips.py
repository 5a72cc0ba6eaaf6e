"""Strips are drawn exactly evenly: the tables' chances as fractions, small ones counted completely,
large ones by chi-square."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from fractions import Fraction
from functools import cache
from itertools import groupby, permutations
from math import comb, factorial, prod, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.nouns import COLUMN_RANGES, ROWS
from station.cards import strip_tables, strips
from station.cards.strip_tables import (
    CARDS,
    CHOICES,
    ROW_WAYS,
    START,
    WEIGHTS,
    alias,
    orbits,
    reachable,
    ways,
)
from station.cards.strips import arrangements, patterns, shares
from tests.examples import examples
from tests.oracles import is_card
from tests.plain_strips import INDEX, plain_strip, strip_words

CARD_PATTERNS = 735_210
STRIP_PATTERNS = 1_957_451_954_498_053_454_453_778_914_400
# the excess of three cards in a column is a digit of base seven
CODES = np.array(CHOICES) @ 7 ** np.arange(9)
WEIGHT = np.array([WEIGHTS[choice.count(2)] for choice in CHOICES])


def ways_of(counts: tuple[int, ...]) -> int:
    """How many arrangements there are for these counts."""
    found, left = 1, sum(counts)
    for count in counts:
        found *= comb(left, count)
        left -= count
    return found


# -- the yardsticks --------------------------------------------------------------------------------


@pytest.mark.long
def test_there_are_so_many_patterns_of_a_card():
    """735,210, all different, each with five a row and one to three a column; by columns of three
    as the weights say."""
    found = patterns()
    assert len(np.unique(found.masks)) == len(found.masks) == CARD_PATTERNS
    bits = found.masks[:, None] >> np.arange(27, dtype=np.uint32) & 1
    grid = bits.reshape(-1, 9, 3)
    assert (grid.sum(axis=1) == 5).all()
    for place, (choice, start, size) in enumerate(
        zip(CHOICES, found.start, found.size, strict=True)
    ):
        assert size == ROW_WAYS[choice.count(2)]
        if place % 97 == 0:
            assert (grid[start : start + size].sum(axis=2) == np.array(choice) + 1).all()
    assert found.size.sum() == CARD_PATTERNS


@pytest.mark.long
def test_there_are_so_many_patterns_of_a_strip():
    """The published count, to the last digit; and the weights make of it the count of finished
    strips, a whole number."""

    @cache
    def count(cards, state):
        if cards == 0:
            return 1
        return sum(
            len(orbit.members)
            * ROW_WAYS[CHOICES[orbit.members[0]].count(2)]
            * count(cards - 1, orbit.leads_to)
            for orbit in orbits(cards, state)
        )

    assert count(CARDS, START) == STRIP_PATTERNS
    fillings = prod(factorial(span.last - span.first + 1) for span in COLUMN_RANGES)
    assert ways(CARDS, START) * fillings % (2**6 * 3**3) ** CARDS == 0
    assert len(reachable()) == len(set(reachable())) == 1181


@pytest.mark.long
def test_the_shipped_tables_are_those_that_are_built():
    """Array by array, type by type."""
    built, shipped = strip_tables.build(), strip_tables.load()
    for field in fields(built):
        one, other = getattr(built, field.name), getattr(shipped, field.name)
        assert one.dtype == other.dtype, field.name
        assert np.array_equal(one, other), field.name


def test_tables_come_back_from_their_file(tmp_path, monkeypatch):
    """What is saved is what is loaded, and it is no more than a megabyte."""
    path = tmp_path / "tables.npz"
    strip_tables.save(strip_tables.load(), path)
    monkeypatch.setattr(strip_tables, "FILE", path)
    again = strip_tables.load.__wrapped__()
    assert all(
        np.array_equal(getattr(again, field.name), getattr(strip_tables.load(), field.name))
        for field in fields(again)
    )
    assert path.stat().st_size < 2**20


# -- exact chances ---------------------------------------------------------------------------------


@pytest.mark.long
def test_every_choice_has_exactly_its_chance():
    """In each state the buckets give every orbit the share of the strips that it leads to, as
    fractions, with nothing over."""
    for cards, state in reachable():
        table, choices = alias(cards, state), orbits(cards, state)
        given_to = [0] * len(table.cuts)
        for bucket, (cut, other) in enumerate(zip(table.cuts, table.others, strict=True)):
            assert 0 <= cut <= table.total
            given_to[bucket] += cut
            given_to[other] += table.total - cut
        chances = [Fraction(units, table.total << table.bits) for units in given_to]
        assert chances[: len(choices)] == [
            Fraction(orbit.ways, ways(cards, state)) for orbit in choices
        ]
        assert not any(chances[len(choices) :])


@pytest.mark.long
def test_the_shipped_borders_are_the_exact_ones_rounded_down():
    """Less than one unit of the last bit below, and whole where the bucket is."""
    tables = strip_tables.load()
    for place, at in enumerate(reachable()):
        table = alias(*at)
        first, unit = int(tables.base[place]), 1 << int(tables.bits[place])
        for cut, exact in zip(tables.cut[first : first + unit].tolist(), table.cuts, strict=True):
            if exact == table.total:
                assert cut == 2**64 - 1
            else:
                assert cut % unit == 0
                assert 0 <= Fraction(exact << 64, table.total) - cut < unit


def left_over(state):
    first, middle, last = state
    return (first, *middle, last)


@pytest.mark.long
def test_the_members_of_an_orbit_are_all_and_only_those_that_look_alike():
    """With equal columns exchanged a choice stays in its orbit; and no choice is in two."""
    for cards, state in reachable()[::37]:
        runs = [len([*run]) for _, run in groupby(state[1])]
        seen = Counter(member for orbit in orbits(cards, state) for member in orbit.members)
        assert set(seen.values()) == {1}
        for orbit in orbits(cards, state):
            shapes = set()
            for member in orbit.members:
                choice, at, shape = CHOICES[member], 1, []
                for run in runs:
                    shape += sorted(choice[at : at + run])
                    at += run
                shapes.add((choice[0], *shape, choice[8]))
                rest = [have - take for have, take in zip(left_over(state), choice, strict=True)]
                assert (rest[0], tuple(sorted(rest[1:8], reverse=True)), rest[8]) == orbit.leads_to
            assert len(shapes) == 1


@pytest.mark.long
def test_small_strips_are_counted_completely():
    """Strips of one, two and three cards: every deal is listed, and each choice has as many as the
    tables say."""
    pairs = Counter()
    for code, weight in zip(CODES.tolist(), WEIGHT.tolist(), strict=True):
        for both, more in zip((CODES + code).tolist(), (WEIGHT * weight).tolist(), strict=True):
            pairs[both] += more
    rest_of = {1: {0: 1}, 2: dict(zip(CODES.tolist(), WEIGHT.tolist(), strict=True)), 3: pairs}
    for cards, state in reachable():
        if cards not in rest_of:
            continue
        code = int(np.array(left_over(state)) @ 7 ** np.arange(9))
        listed = {}
        for place, choice in enumerate(CHOICES):
            if all(have >= take for have, take in zip(left_over(state), choice, strict=True)):
                count = int(WEIGHT[place]) * rest_of[cards].get(code - int(CODES[place]), 0)
                if count:
                    listed[place] = count
        assert {
            member: orbit.ways // len(orbit.members)
            for orbit in orbits(cards, state)
            for member in orbit.members
        } == listed
        assert sum(listed.values()) == ways(cards, state)


def deals(cards, left):
    """Every way to deal so many cards the excess that is left, and the chance that it is dealt
    so."""
    if cards == 0:
        yield (), Fraction(1)
        return
    falling = sorted(range(1, 8), key=lambda column: -left[column])
    state = (left[0], tuple(left[column] for column in falling), left[8])
    for orbit in orbits(cards, state):
        for member in orbit.members:
            choice = CHOICES[member]
            excess = [choice[0], *[0] * 7, choice[8]]
            for more, column in zip(choice[1:8], falling, strict=True):
                excess[column] = more
            chance = Fraction(orbit.ways, ways(cards, state) * len(orbit.members))
            for others, rest in deals(
                cards - 1, [have - take for have, take in zip(left, excess, strict=True)]
            ):
                yield (excess, *others), chance * rest


@pytest.mark.long
@pytest.mark.parametrize("cards", [1, 2, 3])
def test_every_finished_small_strip_has_the_same_chance(cards):
    """Strips of one, two, three cards, exhaustively: deal, patterns and numbers together give each
    one chance in their number."""
    states = [left_over(state) for many, state in reachable() if many == cards]
    for left in states if cards < 3 else sorted(states, key=lambda left: left.count(0))[-3:]:
        chances, total = set(), 0
        for excess, chance in deals(cards, left):
            finished = prod(ROW_WAYS[one.count(2)] for one in excess)
            for column in zip(*excess, strict=True):
                finished *= ways_of(tuple(more + 1 for more in column))
            chances.add(chance / finished)
            total += finished
        assert chances == {Fraction(1, total)}


@pytest.mark.parametrize("counts", [(1,), (2, 1), (1, 1, 1), (3, 2, 1), (2, 2, 2), (3, 1, 1, 1)])
def test_a_columns_arrangements_are_all_there_are(counts):
    """Every way to share out the numbers is listed, once: as many as shuffles of the cards' names
    give."""
    total = sum(counts)
    labels = [card for card, count in enumerate(counts) for _ in range(count)]
    by_hand = {
        tuple(sorted(range(total), key=lambda number: (order[number], number)))
        for order in set(permutations(labels))
    }
    listed = [
        tuple(way >> 5 * place & 31 for place in range(total))
        for way in arrangements(counts).tolist()
    ]
    assert set(listed) == by_hand
    assert len(listed) == len(by_hand) == ways_of(counts)


@pytest.mark.long
@pytest.mark.parametrize("length", [9, 10, 11])
def test_every_history_reads_an_arrangement_of_its_own(length):
    """All ways of a column differ, are as many as there must be, and each card's numbers ascend."""
    table = shares(length)
    looked_at = set()
    for history in np.flatnonzero(table.size).tolist():
        excess = [history >> 2 * card & 3 for card in range(CARDS)]
        counts = tuple(more + 1 for more in excess)
        assert sum(counts) == table.length == length
        if length == 11:
            assert int(table.size[history]) * 11 == ways_of(counts)
        else:
            assert int(table.size[history]) == ways_of(counts)
        start = int(table.start[history])
        ways_here = table.ways[start : start + int(table.size[history])]
        if start not in looked_at:  # cards that exchange their counts share their ways
            assert len(np.unique(ways_here)) == len(ways_here)
            looked_at.add(start)
        some = ways_here[::997, None] >> table.shifts[history] & np.uint64(31)
        if length != 11:
            assert (np.sort(some, axis=1) == np.arange(length)).all()
        at = 0
        for count in counts:
            assert (np.diff(some[:, at : at + count].astype(int), axis=1) > 0).all()
            at += count
    assert np.count_nonzero(table.size) == {9: 50, 10: 90, 11: 126}[length]


# -- strips ----------------------------------------------------------------------------------------

MANY = strips.draw("chi", 30_000)
FIRST_CARD = [[6, 14, 46, 56, 77], [7, 18, 23, 59, 64], [19, 24, 39, 69, 84]]
SUM_OF_MANY = 10320118741


@pytest.mark.long
def test_thousands_of_strips_are_valid():
    """Each number once a strip; rows of five; each column one to three numbers a card, ascending
    downwards and in its range."""
    assert (np.sort(MANY.reshape(len(MANY), -1), axis=1) == np.arange(1, 91)).all()
    columns = np.minimum(MANY // 10, 8)
    assert (np.diff(columns.astype(int), axis=-1) > 0).all(), (
        "a row holds one number of a column, in the order of the columns"
    )
    grid = np.zeros((len(MANY) * CARDS, ROWS, 9), dtype=int)
    card, row = np.ogrid[: len(MANY) * CARDS, :ROWS]
    grid[card[..., None], row[..., None], columns.reshape(-1, 3, 5)] = MANY.reshape(-1, 3, 5)
    assert set(np.unique((grid > 0).sum(axis=1)).tolist()) == {1, 2, 3}
    for above, below in ((0, 1), (1, 2), (0, 2)):
        both = (grid[:, above] > 0) & (grid[:, below] > 0)
        assert (grid[:, above] < grid[:, below])[both].all()
    assert all(is_card(rows) for rows in MANY[:100].reshape(-1, 3, 5).tolist())


@pytest.mark.long
@given(st.integers(0, 2**64), st.integers(0, 2**40))
@examples(20)
def test_arrays_give_what_plain_python_gives(seed, first):
    """Strip by strip, number by number, from the same words."""
    drawn = strips.draw(seed, 20, first)
    assert drawn.tolist() == [plain_strip(words) for words in strip_words(seed, first, 20)]


@given(st.integers(0, 10**6), st.integers(0, 10_000), st.integers(1, 50))
@examples(20)
def test_a_strip_depends_on_its_place_only(seed, first, count):
    """A seed's strips are the same whichever of them are asked for, across the borders of what is
    worked on together."""
    assert np.array_equal(strips.draw(seed, count, first), strips.draw(seed, first + count)[first:])


def test_a_seed_makes_the_same_strips_for_ever():
    """Held by its first strip and a sum over many: another algorithm needs another version."""
    assert strips.VERSION == 1
    assert strips.draw("for ever", 1)[0, 0].tolist() == FIRST_CARD
    drawn = strips.draw("for ever", 5000).reshape(-1).astype(np.int64)
    assert int(drawn @ (np.arange(len(drawn)) % 1009)) == SUM_OF_MANY
    assert not np.array_equal(strips.draw(1, 3), strips.draw(2, 3))


# -- borders ---------------------------------------------------------------------------------------


NEXT = 0x9E3779B97F4A7C15


class Told:
    """More words, told beforehand, that notes how many were asked for."""

    def __init__(self, *words: int) -> None:
        self.words = list(words)
        self.asked = 0

    def word(self) -> int:
        self.asked += 1
        return self.words.pop(0)


def test_a_word_on_the_border_of_an_even_choice_is_drawn_again():
    """Of 2^64 words, 2^64 mod size are too many: these, and only these, are passed over."""
    even = strips._even
    for size in (3, 7, 1710, 226_800, 2**16):
        over = 2**64 % size
        told = Told(*[NEXT] * 4)
        words = np.array([0, 1, 2**64 - 1, 2**63], np.uint64)
        got = even(words, np.full(4, size, np.uint32), lambda _, told=told: told).tolist()
        redrawn = [word for word in words.tolist() if word * size % 2**64 < over]
        assert told.asked == len(redrawn)
        assert got == [(NEXT if word in redrawn else word) * size >> 64 for word in words.tolist()]
    assert 0 * 3 % 2**64 < 2**64 % 3, (
        "the first word is on a border for sizes that are no power of two"
    )


@pytest.mark.long
def test_an_orbit_on_its_border_is_decided_by_more_words():
    """A word whose bits are just those of the border needs more bits: below the exact share the
    bucket itself, else the other."""
    tables, table = strip_tables.load(), alias(CARDS, START)
    bucket = next(place for place, cut in enumerate(table.cuts) if 0 < cut < table.total)
    word = bucket << (64 - table.bits) | int(tables.cut[bucket]) >> table.bits
    exact = Fraction(table.cuts[bucket] << (64 - table.bits), table.total) % 1
    next_word = int(exact * 2**64)
    for more, chosen in (
        ([next_word - 1], bucket),
        ([next_word + 1], table.others[bucket]),
        ([next_word, int(exact * 2**128) % 2**64 - 1], bucket),
        ([next_word, int(exact * 2**128) % 2**64 + 1], table.others[bucket]),
    ):
        told = Told(*more)
        got = strips._orbit(
            np.array([word], np.uint64), np.zeros(1, np.uint16), tables, lambda _, told=told: told
        )
        assert got.tolist() == [chosen]
        assert told.asked == len(more)
    for near, chosen in ((word - 1, bucket), (word + 1, table.others[bucket])):
        none = Told()
        got = strips._orbit(
            np.array([near], np.uint64), np.zeros(1, np.uint16), tables, lambda _, none=none: none
        )
        assert got.tolist() == [chosen]


def test_more_words_are_one_strips_own():
    """They depend on the seed and the strip's place only, and are nobody else's: no other strip's,
    no other seed's."""
    key = strips.key_of("more")
    more = [strips._stream(key, 0, strip).word() for strip in range(50)]
    assert more[40:] == [strips._stream(key, 40, strip).word() for strip in range(10)]
    assert len(set(more)) == 50
    assert not set(more) & {word for words in strip_words("more", 0, 50) for word in words}
    assert strips.WordStream(strips.key_of("other"), 0).word() != more[0]
    stream = strips.WordStream(key, 3)
    assert len({stream.word() for _ in range(20)}) == 20


def test_words_of_zeros_make_a_strip():
    """The worst of luck: every word on a border, and the strip is whole, from this strip's own
    further words."""
    out = np.zeros((2, 6, 3, 5), np.uint8)
    asked = []

    def spare(place):
        asked.append(place)
        return strips.WordStream(strips.key_of("spare"), place)

    strips.from_words(np.zeros((strips.WORDS, 2), np.uint64), spare, out)
    assert set(asked) == {0, 1}
    assert (np.sort(out.reshape(2, -1), axis=1) == np.arange(1, 91)).all()


# -- chi-square ------------------------------------------------------------------------------------


def deviation(counts, shares_):
    """Chi-square as a number of standard deviations (Wilson and Hilferty)."""
    expected = np.array([float(share) for share in shares_]) * sum(counts)
    assert expected.min() > 5
    degrees = len(counts) - 1
    chi = float(((np.array(counts) - expected) ** 2 / expected).sum())
    return ((chi / degrees) ** (1 / 3) - (1 - 2 / (9 * degrees))) / sqrt(2 / (9 * degrees))


def excesses(cards):
    """The excess of each column, for cards as arrays of rows."""
    columns = np.minimum(cards.reshape(len(cards), 15) // 10, 8)
    return np.stack([(columns == column).sum(axis=1) - 1 for column in range(9)], axis=1)


def shape_of(excess):
    """What a card's excess is, but for which of the middle columns are which."""
    return int(excess[0]), tuple(sorted(excess[1:8].tolist())), int(excess[8])


def law_of_shapes():
    law = Counter()
    for orbit in orbits(CARDS, START):
        choice = CHOICES[orbit.members[0]]
        law[choice[0], tuple(sorted(choice[1:8])), choice[8]] += Fraction(
            orbit.ways, ways(CARDS, START)
        )
    return law


@pytest.mark.long
@pytest.mark.parametrize("card", range(CARDS))
def test_each_card_has_the_first_ones_law(card):
    """No card of a strip is favoured: the last, which takes what is left, has the excess that the
    first was dealt."""
    law = law_of_shapes()
    seen = Counter(map(shape_of, excesses(MANY[:, card])))
    common = [shape for shape, share in law.items() if share * len(MANY) > 10]
    rest = 1 - sum(law[shape] for shape in common)
    counts = [seen[shape] for shape in common] + [len(MANY) - sum(seen[shape] for shape in common)]
    if float(rest) * len(MANY) <= 5:
        counts, shares_ = counts[:-1], [law[shape] for shape in common]
    else:
        shares_ = [law[shape] for shape in common] + [rest]
    assert abs(deviation(counts, shares_)) < 4


@pytest.mark.long
def test_numbers_fall_evenly_on_cards_and_rows():
    """By symmetry each number is on each card with chance 1/6 and on each row with 1/3; a generator
    off by 3 % is caught."""
    place = np.argsort(MANY.reshape(len(MANY), -1), axis=1)
    for number in range(90):
        counts = np.bincount(place[:, number] // 15, minlength=6)
        assert deviation(counts, [Fraction(1, 6)] * 6) < 4.5
    columns = np.minimum(MANY // 10, 8)
    standing = np.stack([(columns == column).sum(axis=(0, 1, 3)) for column in range(9)])
    for column in standing:
        assert deviation(column, [Fraction(1, 3)] * 3) < 4.5
    biased = np.where(np.arange(len(MANY)) % 33 == 0, 0, place[:, 44] // 15)
    assert deviation(np.bincount(biased, minlength=6), [Fraction(1, 6)] * 6) > 4.5


@pytest.mark.long
def test_a_generator_that_forgets_the_weights_is_caught():
    """Every choice of the first card alike, and the law of its excess is not met any more."""
    law = law_of_shapes()
    chance = np.random.default_rng(1)
    seen = Counter(
        shape_of(np.array(CHOICES[place])) for place in chance.integers(0, len(CHOICES), len(MANY))
    )
    common = [shape for shape, share in law.items() if share * len(MANY) > 10]
    assert (
        abs(
            deviation(
                [seen[shape] for shape in common],
                [law[shape] / sum(law[one] for one in common) for shape in common],
            )
        )
        > 8
    )


@pytest.mark.long
def test_patterns_and_neighbours_are_even():
    """The two cards with 1 and 2 are independent as they must be; patterns of the commonest excess
    are used evenly."""
    owner = np.argsort(MANY.reshape(len(MANY), -1), axis=1) // 15
    # 11 and 12 stand on the same card with chance (sum of c (c - 1)) / 90, c being the column's
    # counts: 8 or 10 or 12 ninetieths.
    counts = excesses(MANY.reshape(-1, 3, 5))[:, 1].reshape(-1, CARDS) + 1
    expected = (counts * (counts - 1)).sum(axis=1) / 90
    together = (owner[:, 10] == owner[:, 11]).sum()
    spread = sqrt(float((expected * (1 - expected)).sum()))
    assert abs(together - expected.sum()) < 4 * spread
    found = patterns()
    cards = MANY.reshape(-1, 3, 5)
    columns = np.minimum(cards // 10, 8)
    masks = np.zeros(len(cards), np.int64)
    for row in range(3):
        masks |= (1 << (3 * columns[:, row].astype(np.int64) + row)).sum(axis=1)
    order = {int(mask): place for place, mask in enumerate(found.masks)}
    place = np.array([order[mask] for mask in masks.tolist()])
    one = np.searchsorted(found.start, place, side="right") - 1
    within = (place - found.start[one]) / found.size[one]
    assert abs(deviation(np.histogram(within, 30, (0, 1))[0], [Fraction(1, 30)] * 30)) < 4


def test_indices_of_choices_are_their_places():
    """The plain twin looks choices up; all are there."""
    assert len(INDEX) == len(CHOICES) == 1554
