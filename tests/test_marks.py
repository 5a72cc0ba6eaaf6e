"""Marks on all cards at once agree with counting by hand, on integers and on words, forwards and back."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from station.cards import make_pack
from station.marks import Marks, cover, covered, equal, of_three, places_of, size_of, uncover, within, won
from station.strips import draw
from station.table import KNOBS

PACK = make_pack(23, Random(9))  # 138 cards: two words and a part of a third
CARDS = PACK.cards()
WAYS = [{}, {"small": 0}, {"small": 0, "block": 64}]  # integers, words, words in several blocks


def by_hand(called, rows):
    """What each card wants for its nearest rows."""
    return [sum(sorted(len(set(row) - set(called)) for row in card.rows)[:rows]) for card in CARDS]


@pytest.mark.parametrize("way", WAYS, ids=["integers", "words", "blocks"])
@given(st.permutations(range(1, KNOBS + 1)), st.integers(0, KNOBS), st.lists(st.booleans(), max_size=60))
@settings(max_examples=25, deadline=None)
def test_marks_agree_with_counting_by_hand(way, order, begun, steps):
    """After any calls and any taken back: what each wants, which are complete, how many are near, the ten nearest."""
    marks = Marks.of(PACK.serials, PACK.numbers, **way)
    called = list(order[:begun])
    for number in called:
        marks.call(number)
    for forward in steps:
        if forward and len(called) < KNOBS:
            called.append(order[len(called)])
            marks.call(called[-1])
        elif not forward and called:
            marks.take_back(called.pop())
    for rows in (1, 2, 3):
        wanted = by_hand(called, rows)
        assert marks.wanted(rows).tolist() == wanted
        assert marks.complete(rows) == tuple(card.serial for card, n in zip(CARDS, wanted, strict=True) if n == 0)
        assert [*marks.places(rows)] == [place for place, n in enumerate(wanted) if n == 0]
        assert sum(map(size_of, marks.won(rows))) == wanted.count(0)
        assert [marks.near(rows, n) for n in (0, 1, 2)] == [wanted.count(n) for n in (0, 1, 2)]
        assert marks.wanting(rows) == tuple(wanted.count(n) for n in (0, 1, 2))
        nearest = sorted(range(len(CARDS)), key=lambda place: wanted[place])[:10]
        assert marks.nearest(rows) == [(CARDS[place].serial, wanted[place]) for place in nearest]


def test_marks_of_cards_by_serial():
    """The hall's way to make them: a card in play by its serial."""
    marks = Marks({card.serial: card for card in CARDS[:7]})
    for number in range(1, KNOBS + 1):
        marks.call(number)
    assert marks.complete(3) == tuple(card.serial for card in CARDS[:7])
    assert marks.nearest(3) == [(card.serial, 0) for card in CARDS[:7]]


def test_marks_of_no_cards():
    """A game without cards in play can be called all the same."""
    for marks in (Marks({}), Marks.of((), np.zeros((0, 3, 5), np.uint8), small=-1)):
        marks.call(1)
        assert (marks.complete(1), marks.near(3), marks.nearest(1), marks.wanted(2).tolist()) == ((), 0, [], [])
        marks.take_back(1)


@pytest.mark.parametrize("count", [1, 63, 64, 65, 128, 1000, 20_000])
def test_all_ways_agree_at_every_size(count):
    """Integers, words and blocks give the same through a game; at its end every card is full, taken back all are empty."""
    numbers = draw("sizes", -(-count // 6)).reshape(-1, 3, 5)[:count]
    ways = [Marks.of(range(count), numbers, **way) for way in ({"small": count}, {"small": 0}, {"small": 0, "block": 4096})]
    order = Random(count).sample(range(1, KNOBS + 1), KNOBS)
    for turn, number in enumerate(order):
        for marks in ways:
            marks.call(number)
        if turn % 15 == 14:
            for rows in (1, 2, 3):
                assert len({(marks.wanting(rows), tuple(marks.nearest(rows)), marks.complete(rows)) for marks in ways}) == 1
    for marks in ways:
        assert marks.complete(3) == tuple(range(count))
        for number in order:
            marks.take_back(number)
        assert (marks.wanted(3) == 15).all()
        assert marks.wanting(1) == (0, 0, 0)


def planes(values):
    """Values up to 7 of cards as three sets."""
    return tuple(sum((value >> bit & 1) << place for place, value in enumerate(values)) for bit in range(3))


def test_every_card_there_can_be():
    """All 216 ways in which three rows can be covered, at once: who has won, who wants one or two, what is covered."""
    every = [*product(range(6), repeat=3)]
    rows = [planes([card[row] for card in every]) for row in range(3)]
    full = won(*rows)
    for wanted in (1, 2, 3):
        best = [sum(sorted(card, reverse=True)[:wanted]) for card in every]
        assert places_of(full[wanted - 1], 216).tolist() == [n for n, value in enumerate(best) if value == 5 * wanted]
        for most, cards in enumerate(within(rows, full, wanted)):
            assert places_of(cards, 216).tolist() == [n for n, value in enumerate(best) if value >= 5 * wanted - most]
        total = covered(rows, wanted)
        for value in range(16):
            assert places_of(equal(total, value), 216).tolist() == [n for n, have in enumerate(best) if have == value]


def test_one_more_and_one_less():
    """From each number of covered places, with the called number or without."""
    for have, bears in product(range(6), (0, 1)):
        row = planes([have])
        if have + bears <= 5:
            assert cover(row, bears) == planes([have + bears])
            assert uncover(cover(row, bears), bears) == row
    assert of_three(0b0001111, 0b0110011, 0b1010101) == (0b1111111, 0b0010111, 0b0000001)


@given(st.integers(0, 2**200 - 1), st.integers(0, 200))
def test_sets_are_listed_alike(cards, count):
    """An integer and words with the same bits have the same cards; what stands past the last card is none."""
    words = np.frombuffer(cards.to_bytes(32, "little"), "<u8").astype(np.uint64)
    expected = [place for place in range(200) if cards >> place & 1]
    assert size_of(cards) == size_of(words) == len(expected)
    assert places_of(cards, count).tolist() == places_of(words, count).tolist() == [place for place in expected if place < count]


def test_marks_take_little_room():
    """At most forty bytes a card: 270 bits for where its numbers stand, nine for its counters, three for what it has won."""
    numbers = draw("room", 4000).reshape(-1, 3, 5)
    for small in (0, len(numbers)):
        marks = Marks.of(range(len(numbers)), numbers, small=small)
        for number in range(1, KNOBS + 1):
            marks.call(number)
        assert 282 / 8 * len(numbers) <= marks.bytes <= 40 * len(numbers)
