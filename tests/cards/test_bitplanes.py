"""Counters of many cards at once: every value they can have, on integers and on words."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.cards.marking import (
    at_least,
    cover,
    covered,
    full_rows,
    of_three,
    places_of,
    size_of,
    tally,
    uncover,
    untally,
    within,
)


def planes(values, bits=3):
    """Values of cards as sets, one for each bit."""
    return tuple(
        sum((value >> bit & 1) << place for place, value in enumerate(values))
        for bit in range(bits)
    )


def words(sets):
    """The same sets as words, each its own."""
    return tuple(np.array([one & (1 << 64) - 1, one >> 64], np.uint64) for one in sets)


def test_every_card_there_can_be():
    """All 216 ways in which three rows can be covered, at once: who has won, who wants one or two,
    what is covered."""
    every = [*product(range(6), repeat=3)]
    rows = [planes([card[row] for card in every]) for row in range(3)]
    full = full_rows(rows)
    for wanted in (1, 2, 3):
        best = [sum(sorted(card, reverse=True)[:wanted]) for card in every]
        assert places_of(full[wanted - 1], 216).tolist() == [
            n for n, value in enumerate(best) if value == 5 * wanted
        ]
        for most, cards in enumerate(within(rows, full, wanted)):
            assert places_of(cards, 216).tolist() == [
                n for n, value in enumerate(best) if value >= 5 * wanted - most
            ]
        total = covered(rows, wanted)
        for value in range(-1, 18):
            enough = at_least(total, value, (1 << 216) - 1)
            assert places_of(enough, 216).tolist() == [
                n for n, have in enumerate(best) if have >= value
            ]


def test_one_more_and_one_less():
    """From each number of covered places, with the called number or without; sixteen counts at
    once, as integers and words."""
    for have, bears in product(range(6), (0, 1)):
        row = planes([have])
        if have + bears <= 5:
            assert cover(row, bears) == planes([have + bears])
            assert uncover(cover(row, bears), bears) == row
    fewer, more = range(15), range(1, 16)
    bearing = (1 << 15) - 1
    assert tally(planes(fewer, 4), bearing) == planes(more, 4)
    assert untally(planes(more, 4), bearing) == planes(fewer, 4)
    assert tally(planes(fewer, 4), 0) == untally(planes(fewer, 4), 0) == planes(fewer, 4)
    assert of_three(0b0001111, 0b0110011, 0b1010101) == (0b1111111, 0b0010111, 0b0000001)


@given(st.lists(st.integers(0, 14), min_size=1, max_size=128), st.integers(0, 2**128 - 1))
def test_words_are_counted_as_integers_are(values, bearing):
    """One more on some of the cards and one less again: the same lines, the same cards."""
    count = planes(values, 4)
    [others] = words([bearing])
    more = tally(count, bearing)
    as_words = tally(words(count), others)
    assert [one.tolist() for one in as_words] == [one.tolist() for one in words(more)]
    assert [one.tolist() for one in untally(as_words, others)] == [
        one.tolist() for one in words(count)
    ]
    assert more == planes(
        [
            value + (bearing >> place & 1)
            for place, value in enumerate([*values, *[0] * (128 - len(values))])
        ],
        4,
    )


@given(st.integers(0, 2**200 - 1), st.integers(0, 200))
def test_sets_are_listed_alike(cards, count):
    """An integer and words with the same bits have the same cards; what stands past the last card
    is none."""
    as_words = np.frombuffer(cards.to_bytes(32, "little"), "<u8").astype(np.uint64)
    expected = [place for place in range(200) if cards >> place & 1]
    assert size_of(cards) == size_of(as_words) == len(expected)
    assert (
        places_of(cards, count).tolist()
        == places_of(as_words, count).tolist()
        == [place for place in expected if place < count]
    )


@pytest.mark.parametrize("change", [cover, uncover, tally, untally])
def test_words_are_changed_in_place(change):
    """No new planes are made for a call: a million cards' counters stay where they are."""
    count = words(planes([3, 5, 0], 4 if change in (tally, untally) else 3))
    changed = change(count, words([0b011])[0])
    assert all(before is after for before, after in zip(count, changed, strict=True))
