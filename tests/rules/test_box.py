"""Sums in contracts, fish and counters, and whether the bank has change."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import Unreadable
from station.rules.box import BOX, PieceExchange, Pieces, exactly, in_pieces, paid_out


@pytest.mark.parametrize(("cards", "times_ten"), [(24, 144), (18, 108), (12, 72), (6, 36)])
def test_the_books_table_of_counters(cards, times_ten):
    """Sixty a card; for 24 cards it is just what the box holds."""
    assert 10 * times_ten == 60 * cards
    assert exactly(BOX, 60 * cards) is not None
    assert (exactly(BOX, 60 * cards) == BOX) == (cards == 24)


@pytest.mark.parametrize(
    ("counters", "words"),
    [
        (0, "nothing"),
        (1, "1 counter"),
        (10, "1 fish"),
        (25, "2 fish, 5 counters"),
        (100, "1 contract"),
        (112, "1 contract, 1 fish, 2 counters"),
        (250, "2 contracts, 5 fish"),
        (1440, "14 contracts, 4 fish"),
    ],
)
def test_a_sum_is_told_in_pieces(counters, words):
    """The book's worked example among them."""
    assert str(in_pieces(counters)) == words


@given(st.integers(0, 10**6))
def test_pieces_are_worth_the_sum(counters):
    """Never ten of what a larger piece stands for."""
    pieces = in_pieces(counters)
    assert pieces.worth == counters
    assert 0 <= pieces.fish < 10
    assert 0 <= pieces.counters < 10


def test_what_is_no_sum_is_refused():
    """A sum below zero has no pieces; pieces that are not there cannot be taken."""
    with pytest.raises(Unreadable, match="-1 counters"):
        in_pieces(-1)
    with pytest.raises(Unreadable, match="1 fish cannot be taken from 9 counters"):
        Pieces(0, 0, 9) - Pieces(0, 1, 0)


def some(pieces: Pieces) -> list[Pieces]:
    """Every handful out of some pieces."""
    return [
        Pieces(*few)
        for few in product(
            *(range(many + 1) for many in (pieces.contracts, pieces.fish, pieces.counters))
        )
    ]


small_boxes = st.builds(Pieces, st.integers(0, 3), st.integers(0, 12), st.integers(0, 13))


@given(box=small_boxes, counters=st.integers(0, 450))
def test_a_box_pays_exactly_with_the_fewest_pieces(box, counters):
    """As every handful shows that there is; None where none makes the sum."""
    fits = [few.count for few in some(box) if few.worth == counters]
    found = exactly(box, counters)
    assert (found is None) == (not fits)
    if found is not None:
        assert (found.worth, found.count) == (counters, min(fits))
        assert box - found + found == box


@given(
    bank=st.builds(Pieces, st.integers(0, 2), st.integers(0, 3), st.integers(0, 4)),
    player=st.builds(Pieces, st.integers(0, 1), st.integers(0, 11), st.integers(0, 11)),
    counters=st.integers(0, 150),
)
def test_the_bank_finds_change_where_there_is_any(bank, player, counters):
    """Beside every handful that the player could give back: the fewest pieces move, and each has
    what he gives."""
    ways = []
    for back in some(player):
        given_ = exactly(bank, counters + back.worth)
        if given_ is not None:
            ways.append(given_.count + back.count)
    found = paid_out(bank, player, counters)
    assert (found is None) == (not ways)
    if found is not None:
        assert found.given.worth - found.back.worth == counters
        assert found.given.count + found.back.count == min(ways)
        assert (bank - found.given).worth >= 0
        assert (player - found.back).worth >= 0


def test_change_with_many_small_pieces():
    """A bank of contracts alone wants half a contract in counters back; it has no change for who
    has none."""
    bank = Pieces(3, 0, 0)
    assert paid_out(bank, Pieces(0, 0, 50), 50) == PieceExchange(Pieces(1, 0, 0), Pieces(0, 0, 50))
    assert paid_out(bank, Pieces(0, 4, 19), 50) == PieceExchange(Pieces(1, 0, 0), Pieces(0, 4, 10))
    assert paid_out(bank, Pieces(0, 0, 49), 50) is None
    assert paid_out(bank, Pieces(2, 0, 0), 50) is None
