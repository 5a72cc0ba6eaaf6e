"""Ranks in place of games: even orders, the same for everybody, patterns complete at the very call
that does it in play."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import permutations
from random import Random

import numpy as np
import pytest

from station.base.nouns import KNOBS, Card
from station.cards.strips import draw
from station.odds.rehearsal.ranks import NEVER, TrialCards, shuffled, sorted_ranks, stream
from station.rules.patterns import PATTERNS, Pattern, PatternPart, drawn

OWN = (
    drawn("kite", [("..#..", ".###.", "..#.."), ("#...#", "..#..", "#...#")]),
    Pattern(
        "any-three-of-a-row", (PatternPart((0, 1, 2, 3, 4), 3), PatternPart((5, 6, 7, 8, 9), 3))
    ),
    Pattern(
        "two-of-corners-or-a-row", (PatternPart((0, 4, 10, 14), 2), PatternPart((5, 6, 7, 8, 9), 5))
    ),
)


class Words:
    """A bit generator that gives these words, and knows how many are left."""

    def __init__(self, words: np.ndarray) -> None:
        self.left = words

    def random_raw(self, count: int) -> np.ndarray:
        given, self.left = self.left[:count], self.left[count:]
        return given


def chi_square(counts: np.ndarray) -> float:
    """How far from even, in standard deviations."""
    expected = counts.mean()
    freedom = counts.size - 1
    return float((((counts - expected) ** 2 / expected).sum() - freedom) / (2 * freedom) ** 0.5)


def test_ranks_are_a_shuffle_of_the_calls():
    """In every game each call from 1 to 90 is one number's; nobody's row is 0."""
    ranks = shuffled(stream("a", 0), 50)
    assert ranks.shape == (KNOBS + 1, 50)
    assert ranks.dtype == np.uint8
    assert not ranks[0].any()
    assert (np.sort(ranks[1:], axis=0) == np.arange(1, KNOBS + 1)[:, None]).all()


def test_a_chunk_of_a_seed_is_the_same_everywhere():
    """These very orders, on every machine and with every NumPy; another chunk and another seed have
    others."""
    made = [
        shuffled(stream(seed, chunk), 100).tobytes()
        for seed, chunk in (("1", 0), ("1", 0), ("1", 1), ("2", 0))
    ]
    assert made[0] == made[1]
    assert len(set(made)) == 3
    assert hashlib.sha256(made[2]).hexdigest()[:16] == "1912fce0548031fd"


def test_orders_are_even():
    """Of four words all 24 orders come equally often, and of ninety each number at each call; a
    lazy generator is caught."""
    words = stream("even", 0).random_raw(4 * 24_000).reshape(-1, 4)
    lazy = words & ~np.uint64((1 << 62) - 1)  # two bits of luck
    for keys, even in ((words.copy(), True), (lazy, False)):
        alike = sorted_ranks(keys)
        found = Counter(map(tuple, (keys & np.uint64(127)).tolist()))
        counts = np.array([found[order] for order in permutations(range(1, 5))])
        assert (chi_square(counts) < 4) is even
        assert (len(alike) == 0) is even
    ranks = shuffled(stream("even", 1), 20_000)
    assert chi_square(np.stack([np.bincount(row, minlength=91)[1:] for row in ranks[1:]])) < 4


def test_an_order_that_ties_is_drawn_again():
    """Two words alike but for the bits that hold the number decide nothing: that game takes new
    words, the others keep theirs."""
    words = stream("tie", 0).random_raw(5 * KNOBS)
    words[KNOBS + 7] = words[KNOBS + 80] ^ np.uint64(5)
    words[3 * KNOBS + 1] = words[3 * KNOBS + 2]  # and once more
    luck = Words(words.copy())
    ranks = shuffled(luck, 3)
    assert not len(luck.left)
    fresh = [
        shuffled(Words(words[start : start + KNOBS].copy()), 1)[:, 0]
        for start in (0, 4 * KNOBS, 2 * KNOBS)
    ]
    assert (ranks == np.stack(fresh, axis=1)).all()


@pytest.mark.parametrize("pattern", [*PATTERNS.values(), *OWN], ids=lambda pattern: pattern.key)
def test_a_pattern_is_complete_when_it_is_in_play(pattern):
    """The call found for each card is that after which `Pattern.complete` says so first; with
    `since`, `complete_on_last`."""
    chance = Random(pattern.key)
    numbers = draw("cards", 1)[0]
    ranks = shuffled(stream("orders", 0), 6)
    since = np.array([chance.randint(0, 90) for _ in range(6)], np.uint8)
    sheet = TrialCards(numbers, ranks)
    first, later = sheet.complete(pattern), sheet.complete(pattern, since)
    some = sheet.some(np.array([4, 1])).complete(pattern)
    assert (some == first[:, [4, 1]]).all()
    for game in range(6):
        order = (np.argsort(ranks[1:, game]) + 1).tolist()
        for place, rows in enumerate(numbers.tolist()):
            card = Card("1", tuple(map(tuple, rows)))
            calls = range(1, KNOBS + 1)
            on_last = [call for call in calls if pattern.complete_on_last(card, order[:call])]
            assert first[place, game] == on_last[0]
            assert pattern.complete(card, order[: on_last[0]])
            assert later[place, game] == next(
                (call for call in on_last if call >= since[game]), NEVER
            )
