"""A drawing settled for all cards at once, beside the plain way and the rules themselves."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.cards.pack import make_pack
from station.night.table.settling import Settling, Totals
from station.rules.loto_second.game import BOOK, GAME, Draw, Setup, Terms, classes

NUMBERS = make_pack(40, Random(3)).numbers  # 240 cards


def plainly(numbers: np.ndarray, drawn: list[int], terms: Terms = BOOK) -> tuple[Totals, list[int]]:
    """Card by card, row by row, number by number."""
    found, kept, laid, won = [0] * 6, [], 0, 0
    for card in numbers.tolist():
        before = laid + won
        for row in card:
            counters = sum(number in drawn for number in row)
            found[counters] += 1
            laid += counters
            won += terms.prizes[counters]
        kept.append(laid + won - before)
    return Totals(tuple(found), laid, won), kept


drawings = st.permutations(range(1, 91)).flatmap(
    lambda order: st.integers(0, 15).map(lambda count: order[:count])
)


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 127, 128, 129, 240])
@pytest.mark.parametrize("block", [64, 128, 4096])
def test_any_number_of_cards(count, block):
    """At the edges of words and blocks: classes, totals and each card are as by hand."""
    settling = Settling(NUMBERS[:count], block=block)
    for turn in range(3):
        drawn = Random(turn).sample(range(1, 91), 10)
        totals, kept = plainly(NUMBERS[:count], drawn)
        assert settling.totals(drawn) == totals
        assert settling.kept(drawn).tolist() == kept


@given(drawn=drawings)
def test_any_drawing(drawn):
    """Also one that ended before the tenth knob, or before the first; asking changes nothing."""
    totals, kept = plainly(NUMBERS, drawn)
    for _ in range(2):
        assert WHOLE.totals(drawn) == totals
        assert WHOLE.kept(drawn).tolist() == kept
    assert WHOLE.kept(drawn).dtype == np.int32


WHOLE = Settling(NUMBERS)


@pytest.mark.parametrize("row", [0, 1, 2])
@pytest.mark.parametrize("laid", range(6))
def test_every_class_on_every_row(row, laid):
    """One card, so many of a row's numbers, and what else there is on no row."""
    card = NUMBERS[7:8]
    others = [number for number in range(1, 91) if number not in card][: 10 - laid]
    settling = Settling(card, Terms(prizes=(1, 2, 4, 8, 16, 32)))
    drawn = card[0, row, :laid].tolist() + others
    found = [0] * 6
    found[0] += 2
    found[laid] += 1
    assert settling.totals(drawn) == Totals(tuple(found), laid, 2 + 2**laid)
    assert settling.kept(drawn).tolist() == [2 + laid + 2**laid]


def test_it_says_what_the_rules_say():
    """Classes and totals of a parlour's drawing are those of the game's rows."""
    cards = make_pack(4, Random(8))
    state = GAME.start(Setup({card.serial: card for card in cards.cards()}, (2,) * 12, (120,) * 12))
    settling = Settling(cards.numbers)
    for turn in range(5):
        drawn, now = Random(turn).sample(range(1, 91), 10), state
        for number in drawn:
            now = GAME.apply(now, Draw(number))
        totals = settling.totals(drawn)
        assert totals.classes == classes(now.rows())
        assert (totals.laid, totals.won) == (now.laid, sum(row.won for row in now.rows()))
        by_card = [
            sum(row.laid + row.won for row in now.rows() if row.serial == serial)
            for serial in cards.serials
        ]
        assert settling.kept(drawn).tolist() == by_card
