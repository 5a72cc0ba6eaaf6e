"""Sleepers found for all cards at once are those found card by card, call by call."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.cards import sleepers as module
from station.cards.pack import make_pack
from station.cards.sleepers import NEVER, Span, completed, sleepers
from station.rules.patterns import PATTERNS, Pattern, drawn

OWN = (
    drawn("kite", [("..#..", ".###.", "#.#.#")]),
    drawn("half", [("##...",) * 3, ("...##",) * 3]),
)
EVERY = {pattern.key: pattern for pattern in (*PATTERNS.values(), *OWN)}
PACK = make_pack(10, Random(5))
CARDS = PACK.cards()
CALLS = st.permutations(range(1, 91)).flatmap(
    lambda order: st.integers(0, 90).map(lambda count: tuple(order[:count]))
)


def plainly(pattern: Pattern, called: tuple[int, ...]) -> list[int]:
    """Card by card and call by call: when each had the pattern."""
    return [
        next(
            (
                count
                for count in range(1, len(called) + 1)
                if pattern.complete(card, called[:count])
            ),
            NEVER,
        )
        for card in CARDS[:6]
    ]


@given(st.sampled_from(sorted(EVERY)), CALLS)
def test_the_call_that_completed_a_card_is_the_rules(key: str, called: tuple[int, ...]) -> None:
    """As the pattern itself says, call after call; never, where it never was."""
    assert completed(PACK.numbers[:6], EVERY[key], called).tolist() == plainly(EVERY[key], called)


def test_blocks_join_without_a_seam() -> None:
    """More cards than are looked at together: each has its own answer at its own place."""
    times = module.BLOCK // len(PACK) + 2
    called = tuple(Random(1).sample(range(1, 91), 60))
    many = completed(np.tile(PACK.numbers, (times, 1, 1)), PATTERNS["two-rows"], called)
    assert (many.reshape(times, -1) == completed(PACK.numbers, PATTERNS["two-rows"], called)).all()


# Card 0 has its first row at call 5, the second at 10. When was the stage open, who is awake, what
# is found with the rule of the last number and without it?
ROWS = PACK.card(PACK.serials[0]).rows
TWICE = (*ROWS[0], *ROWS[1])
SPANS = [
    ((0, 5), {}, 5, 5),
    ((0, 4), {}, None, None),
    ((5, 5), {}, 5, 5),
    ((5, 9), {}, 5, 5),
    ((6, 9), {}, None, 5),
    ((6, 10), {}, 10, 5),  # its first row was too early, its second was in time
    ((0, 10), {0}, None, None),
]


@pytest.mark.parametrize(("span", "awake", "with_rule", "without"), SPANS)
def test_who_could_have_claimed_and_did_not(
    span: tuple[int, int], awake: set[int], with_rule: int | None, without: int | None
) -> None:
    """A part must be complete while the stage is open, both ends included; one that is awake does
    not sleep."""
    for last_number, call in ((True, with_rule), (False, without)):
        slept = sleepers(
            PACK.numbers[:1],
            Span("row", PATTERNS["row"], *span),
            TWICE,
            awake,
            9,
            last_number=last_number,
        )
        assert slept.cards == (((0, call),) if call is not None else ())


def test_many_sleepers_are_counted_and_some_listed() -> None:
    """All of them, and the first by the pack's order."""
    every = tuple(range(1, 91))
    span = Span("full", PATTERNS["full"], 0, 90)
    slept = sleepers(PACK.numbers, span, every, {1}, 3, last_number=True)
    assert slept.count == len(PACK) - 1
    assert [place for place, _ in slept.cards] == [0, 2, 3]


@pytest.mark.parametrize("key", EVERY)
def test_without_cards_nobody_sleeps(key: str) -> None:
    """A game for which nothing was sold."""
    span = Span(key, EVERY[key], 0, 5)
    assert sleepers(PACK.numbers[:0], span, (1, 2, 3, 4, 5), (), 9, last_number=True).count == 0
