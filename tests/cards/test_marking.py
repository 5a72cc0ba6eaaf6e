"""Marks on all cards at once agree with counting by hand, for every pattern, on integers and on
words, forwards and back."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.nouns import KNOBS
from station.cards.marking import Marks, size_of
from station.cards.pack import make_pack
from station.cards.strips import draw
from station.rules.patterns import (
    FULL,
    PATTERNS,
    ROW,
    TWO_ROWS,
    Pattern,
    PatternPart,
    all_of,
    drawn,
)
from tests.examples import examples

PACK = make_pack(23, Random(9))  # 138 cards: two words and a part of a third
CARDS = PACK.cards()
WAYS = [{}, {"small": 0}, {"small": 0, "block": 64}]  # integers, words, words in several blocks
CORNERS = PATTERNS["corners"]
SEVERAL = drawn(
    "several",
    [("..#..", ".#.#.", "#.#.#"), ("#...#", "..#..", "#...#"), ("#####", ".....", ".....")],
)
OWN = [
    SEVERAL,
    all_of("one", [7]),
    Pattern("some", (PatternPart((0, 2, 7, 11, 13), 3), PatternPart((5, 6, 7, 8, 9), 4))),
]

parts = st.sets(st.integers(0, 14), min_size=1).flatmap(
    lambda places: st.builds(
        PatternPart, st.just(tuple(sorted(places))), st.integers(1, len(places))
    )
)
patterns = st.builds(Pattern, st.just("any"), st.lists(parts, min_size=1, max_size=4).map(tuple))


def play(marks, order, begun, steps):
    """Calls and takes back; gives what is called then."""
    called = list(order[:begun])
    for number in called:
        marks.call(number)
    for forward in steps:
        if forward and len(called) < KNOBS:
            called.append(order[len(called)])
            marks.call(called[-1])
        elif not forward and called:
            marks.take_back(called.pop())
    return called


def agrees(marks, pattern, called):
    """All that marks say of a pattern is what its rules say card by card."""
    wanted = [pattern.wants(card, called).many for card in CARDS]
    assert dict(marks.nearest(pattern, len(CARDS))) == {
        card.serial: n for card, n in zip(CARDS, wanted, strict=True)
    }
    assert (*marks.having(pattern),) == tuple(
        card.serial for card, n in zip(CARDS, wanted, strict=True) if n == 0
    )
    assert [*marks.places(pattern)] == [place for place, n in enumerate(wanted) if n == 0]
    assert sum(map(size_of, marks.won(pattern))) == wanted.count(0)
    none, one, two = marks.wanting(pattern)
    assert (none, one, two) == (wanted.count(0), wanted.count(1), wanted.count(2))
    nearest = sorted(range(len(CARDS)), key=lambda place: wanted[place])[:10]
    assert marks.nearest(pattern) == [(CARDS[place].serial, wanted[place]) for place in nearest]
    fresh = [card.serial for card in CARDS if called and pattern.complete_on_last(card, called)]
    assert [*marks.fresh(pattern, called[-1])] == fresh if called else not fresh


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS, ids=["integers", "words", "blocks"])
@given(
    st.permutations(range(1, KNOBS + 1)),
    st.integers(0, KNOBS),
    st.lists(st.booleans(), max_size=60),
)
@examples(10)
def test_marks_agree_with_counting_by_hand(way, order, begun, steps):
    """After any calls and any taken back: what each wants, which are complete, since when, how many
    are near."""
    marks = Marks.of(PACK.serials, PACK.numbers, [*PATTERNS.values(), *OWN], **way)
    called = play(marks, order, begun, steps)
    for pattern in (*PATTERNS.values(), *OWN):
        agrees(marks, pattern, called)


@pytest.mark.long
@given(
    st.lists(patterns, min_size=1, max_size=3),
    st.permutations(range(1, KNOBS + 1)),
    st.integers(0, KNOBS),
    st.sampled_from(WAYS),
)
@examples(40)
def test_any_pattern_there_can_be(played, order, begun, way):
    """Any places, any need, several parts that overlap, several patterns that share places."""
    marks = Marks.of(PACK.serials, PACK.numbers, played, **way)
    called = play(marks, order, begun, [True, False, True])
    for pattern in played:
        agrees(marks, pattern, called)
    wants = [{pattern.wants(card, called).many for pattern in played} for card in CARDS]
    assert marks.near(played) == (
        sum(1 in many for many in wants),
        sum(2 in many and 1 not in many for many in wants),
    )


def test_a_card_that_had_a_part_before_completes_another():
    """Two rows a call apart: the second row is completed on its last number, although the card had
    a row already."""
    card = CARDS[0]
    called = [number for row in card.rows[:2] for number in row]
    marks = Marks({card.serial: card})
    for number in called:
        marks.call(number)
    assert [*marks.fresh(ROW, called[-1])] == [*marks.fresh(TWO_ROWS, called[-1])] == [card.serial]
    other = next(number for number in range(1, KNOBS + 1) if number not in card.numbers)
    marks.call(other)
    assert [*marks.fresh(ROW, other)] == []


@pytest.mark.parametrize(
    "cards",
    [{card.serial: card for card in CARDS[:7]}, PACK.deck(np.arange(7))],
    ids=["dict", "deck"],
)
def test_marks_of_cards_by_serial(cards):
    """The hall's ways to make them: cards in play by their serials, and a deck of a pack."""
    marks = Marks(cards, [CORNERS])
    for number in range(1, KNOBS + 1):
        marks.call(number)
    assert (
        (*marks.having(FULL),)
        == (*marks.having(CORNERS),)
        == tuple(card.serial for card in CARDS[:7])
    )
    assert marks.nearest(FULL) == [(card.serial, 0) for card in CARDS[:7]]


def test_marks_of_no_cards():
    """A game without cards in play can be called all the same."""
    for marks in (
        Marks({}, [CORNERS]),
        Marks.of((), np.zeros((0, 3, 5), np.uint8), [CORNERS], small=-1),
    ):
        marks.call(1)
        for pattern in (ROW, CORNERS):
            assert ((*marks.having(pattern),), marks.wanting(pattern), marks.nearest(pattern)) == (
                (),
                (0, 0, 0),
                [],
            )
            assert [*marks.fresh(pattern, 1)] == []
        marks.take_back(1)


def test_a_pattern_that_was_not_named_has_no_counters():
    """Asking for it is a mistake of the program, and says what to do; rows and the early five are
    always there."""
    marks = Marks({card.serial: card for card in CARDS})
    with pytest.raises(KeyError, match="when the marks are made"):
        [*marks.having(CORNERS)]
    for key in ("row", "two-rows", "full", "top-row", "middle-row", "bottom-row", "early-five"):
        assert marks.wanting(PATTERNS[key])[0] == 0


@pytest.mark.long
@pytest.mark.parametrize("count", [1, 63, 64, 65, 128, 1000, 20_000])
def test_all_ways_agree_at_every_size(count):
    """Integers, words and blocks give the same through a game; at its end every card is full, taken
    back all are empty."""
    numbers = draw("sizes", -(-count // 6)).reshape(-1, 3, 5)[:count]
    kinds = [{"small": count}, {"small": 0}, {"small": 0, "block": 4096}]
    ways = [Marks.of(range(count), numbers, [SEVERAL], **way) for way in kinds]
    order = Random(count).sample(range(1, KNOBS + 1), KNOBS)
    for turn, number in enumerate(order):
        for marks in ways:
            marks.call(number)
        if turn % 15 == 14:
            for pattern in (ROW, TWO_ROWS, FULL, SEVERAL, PATTERNS["early-five"]):
                found = {
                    (
                        marks.wanting(pattern),
                        tuple(marks.nearest(pattern)),
                        (*marks.having(pattern),),
                        (*marks.fresh(pattern, number),),
                    )
                    for marks in ways
                }
                assert len(found) == 1
    for marks in ways:
        assert (*marks.having(FULL),) == (*marks.having(SEVERAL),) == tuple(range(count))
        for number in order:
            marks.take_back(number)
        assert marks.nearest(FULL, count) == [(place, 15) for place in range(count)]
        assert marks.wanting(ROW) == marks.wanting(SEVERAL) == (0, 0, 0)


def test_marks_take_little_room():
    """At most forty bytes a card: 270 bits for where its numbers stand, nine for its counters,
    three for what it has won.

    A pattern of other places takes twelve more; many pictures share what they have in common.
    """
    numbers = draw("room", 4000).reshape(-1, 3, 5)
    for small in (0, len(numbers)):
        plain, corners = (
            Marks.of(range(len(numbers)), numbers, played, small=small)
            for played in ((), [CORNERS])
        )
        for marks, least, most in ((plain, 282, 40), (corners, 282 + 94, 52.5)):
            for number in range(1, KNOBS + 1):
                marks.call(number)
            assert least / 8 * len(numbers) <= marks.bytes <= most * len(numbers)
    rows = [
        PATTERNS[key]
        for key in ("row", "two-rows", "full", "top-row", "middle-row", "bottom-row", "early-five")
    ]
    assert (
        Marks.of(range(len(numbers)), numbers, rows).bytes
        == Marks.of(range(len(numbers)), numbers).bytes
    )
    pictures = [
        [format(turn, "015b")[row : row + 5].translate({48: ".", 49: "#"}) for row in (0, 5, 10)]
        for turn in range(1, 3000, 31)
    ]
    many = Marks.of(range(len(numbers)), numbers, [drawn("many", pictures)], small=0)
    assert many.bytes <= (282 + 15 * 91 + 4 * len(pictures)) / 8 * len(numbers)
