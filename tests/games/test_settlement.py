"""Where the bank of the rule book's box has change for what a drawing pays, and where not; sums
counted piece by piece."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.games.loto_second.drawing import (
    LaidOut,
    Payment,
    SettledRow,
    Settlement,
    go_on,
    laid_out,
    payments,
)
from station.games.loto_second.play import GAME
from station.games.loto_second.rules import Finish, GamePhase, Replenish, Settle, State, ThrowUp
from station.games.loto_second.state import Due
from station.night.acts import Sit
from station.night.fields import Player
from station.night.hall import apply
from station.programme.table import TablePlan
from station.rules.box import BOX, PieceExchange, Pieces, exactly
from tests.company import SECOND, at_table, drawn, hall_of, opening, rows_first, table_of

# What players have won, counters on cards, what the bank can pay with, what lies before each
# player.
LAID: list[tuple[tuple[int, ...], int, Pieces, tuple[Pieces, ...]]] = [
    ((), 0, BOX, ()),
    # The worked example's player, and eight counters on cards.
    ((112,), 8, Pieces(11, 13, 90), (Pieces(1, 1, 2),)),
    ((9,) * 11, 1, Pieces(12, 14, 0), (Pieces(0, 0, 9),) * 11),
    # One counter is left for the twelfth: his nine are written down, and a fish is set aside for
    # them.
    ((9,) * 12, 0, Pieces(12, 13, 1), (*(Pieces(0, 0, 9),) * 11, Pieces())),
    ((1200, 140), 0, Pieces(0, 0, 100), (Pieces(12, 0, 0), Pieces(0, 14, 0))),
    # The second has five fish and 45 counters of what is left. Three are written down: for 285
    # three contracts are set aside.
    (
        (95,) * 5,
        0,
        Pieces(9, 0, 50),
        (Pieces(0, 9, 5), Pieces(0, 5, 45), Pieces(), Pieces(), Pieces()),
    ),
    # Thirty of 130 counters on cards the box has not.
    ((), 130, Pieces(12, 11, 0), ()),
    # More is won than the box is worth: the bank has nothing.
    ((900, 900), 0, Pieces(), (Pieces(9, 0, 0), Pieces())),
]


@pytest.mark.parametrize(("hands", "laid", "bank", "players"), LAID)
def test_where_the_pieces_lie(
    hands: tuple[int, ...], laid: int, bank: Pieces, players: tuple[Pieces, ...]
) -> None:
    """On cards, then before the players in as few pieces as can be, from the eldest hand; what is
    left is the bank's."""
    assert laid_out(hands, laid) == LaidOut(bank, players, min(laid, 100))


@given(hands=st.lists(st.integers(0, 700), max_size=24), laid=st.integers(0, 200))
def test_no_piece_lies_in_two_places(hands: list[int], laid: int) -> None:
    """Of each kind no more than the box has; with what is written down all is worth no more than
    it, or the bank is bare."""
    out = laid_out(hands, laid)
    lies = sum(out.players, out.bank + Pieces(counters=out.cards))
    assert (BOX - lies).count >= 0, "raises where there are more than the box has"
    assert all(pieces.worth in (0, hand) for pieces, hand in zip(out.players, hands, strict=True))
    assert out.bank == Pieces() or out.bank.worth + sum(hands) + laid <= BOX.worth == 1440


def rows(*won: tuple[int, int, int]) -> tuple[SettledRow, ...]:
    """Rows by seat, counters laid and counters won."""
    return tuple(
        SettledRow(seat, f"{place:04d}", 0, laid, paid, paid)
        for place, (seat, laid, paid) in enumerate(won)
    )


PAID: list[tuple[tuple[int, ...], tuple[SettledRow, ...], tuple[Payment, ...]]] = [
    # Counters enough for everybody.
    ((0, 0), rows((1, 2, 5), (2, 4, 100)), ()),
    # All single counters but four are out: five are a fish, for which the player gives five back.
    (
        (9,) * 10,
        rows((1, 2, 5), (2, 4, 0)),
        (Payment(1, 5, PieceExchange(Pieces(fish=1), Pieces(counters=5))),),
    ),
    # Two rows of a seat are one sum; the bank got five counters back, which serve the next.
    (
        (9,) * 10,
        rows((1, 2, 5), (1, 2, 5), (2, 2, 5), (3, 2, 5)),
        (Payment(2, 5, PieceExchange(Pieces(fish=1), Pieces(counters=5))),),
    ),
    # The bank lays five down, and has one single counter left.
    (
        (9,) * 10,
        rows((1, 2, 5), (2, 2, 5)),
        (Payment(2, 5, PieceExchange(Pieces(fish=1), Pieces(counters=5))),),
    ),
    # No fish is left either, and two counters: for a contract the player has not enough to give
    # back.
    ((39, 39, 39, 59, *(9,) * 6), rows((1, 4, 0), (1, 4, 5)), (Payment(1, 5, None),)),
    # The same with one contract: it is set aside for the five that are written down, and the next
    # one cannot have it.
    (
        (1100, 39, 39, 39, 59, *(9,) * 6),
        rows((2, 4, 0), (2, 4, 5), (3, 0, 100)),
        (Payment(2, 5, None), Payment(3, 100, None)),
    ),
    # Of twelve counters on his cards two lie there, for the box has no more: he has not the seven
    # to give back for a fish.
    ((9,) * 2, rows((3, 98, 0), (1, 12, 3)), (Payment(1, 3, None),)),
    # No contract is left: a hundred goes in fish.
    ((1200,), rows((1, 4, 100)), ()),
]


@pytest.mark.parametrize(("hands", "paid", "told"), PAID)
def test_how_a_seat_is_paid(
    hands: tuple[int, ...], paid: tuple[SettledRow, ...], told: tuple[Payment, ...]
) -> None:
    """Once for all its rows; told only where the bank cannot lay the sum down piece by piece."""
    assert payments(hands, paid) == told


def test_change_always_comes_to_the_sum() -> None:
    """Over many hands and prizes: what is given less what comes back is the sum, of pieces that
    each of them has."""
    told = 0
    for hand, laid, won in product(range(80, 100, 3), (2, 3, 7), (5, 25, 30, 100, 250)):
        hands = (hand, 97, 45)
        for payment in payments(hands, rows((1, laid, won))):
            told += 1
            if payment.change is None:
                continue
            out = laid_out(hands, laid)
            bank, player = out.bank, out.players[0] + Pieces(counters=laid)
            assert exactly(bank, won) is None
            assert payment.change.given.worth - payment.change.back.worth == won == payment.counters
            assert (bank - payment.change.given).worth + payment.change.given.worth == bank.worth
            assert (player - payment.change.back).worth >= 0
    assert told > 50


def test_the_sums_of_a_settlement() -> None:
    """Over its rows: laid, won and paid."""
    some = Settlement(
        1, (5,), (0,) * 6, (SettledRow(1, "1", 0, 4, 100, 60), SettledRow(2, "2", 2, 1, 0, 0))
    )
    assert (some.laid, some.won, some.paid) == (5, 100, 60)


@pytest.mark.parametrize("in_money", [True, False])
def test_who_is_paid_in_money_needs_no_change(in_money: bool) -> None:
    """Twelve players with nine counters each, more than the box has: the next five want change,
    unless they are paid in money."""
    plan = SECOND.model_copy(update={"table": TablePlan(in_money=in_money)})
    hall = apply(
        hall_of(plan), Sit(players=tuple(Player(name=f"Player {number}") for number in range(12)))
    )
    hall = apply(hall, opening(hall))
    before = table_of(
        drawn(hall, rows_first(hall, 2) + tuple(sorted(table_of(hall).state.bag))[:8])
    ).state
    assert isinstance(before, State)
    before = replace(before, hands=(9,) * 12)
    found = GAME.apply(before, Settle()).settlement
    assert found is not None
    assert bool(found.payments) != in_money


def owing(hands: int, in_money: bool = False) -> tuple[State, Settlement]:
    """Twelve players with so many counters each; the pool has paid seat 1 an ambo and twenty of a
    terne, and five are owed."""
    plan = SECOND.model_copy(update={"table": TablePlan(in_money=in_money)})
    hall = apply(
        hall_of(plan), Sit(players=tuple(Player(name=f"Player {number}") for number in range(12)))
    )
    state = table_of(apply(hall, opening(hall))).state
    assert isinstance(state, State)
    first, second = state.taken[0]
    state = replace(
        state, phase=GamePhase.SHORT, pool=0, hands=(hands,) * 12, dues=(Due(1, second, 2, 5),)
    )
    rows = (SettledRow(1, first, 0, 2, 5, 5), SettledRow(1, second, 2, 3, 25, 20))
    return state, Settlement(
        1, tuple(range(1, 11)), (70, 0, 1, 1, 0, 0), rows, (Payment(1, 25, None),)
    )


@pytest.mark.parametrize(
    ("hands", "told"),
    [
        # Each adds ninety and has seven left: 84 single counters, and the bank has five of the
        # other sixteen.
        (97, ()),
        # Eight left, which are 96: five are a fish, for which he gives five back.
        (98, (Payment(1, 5, PieceExchange(Pieces(fish=1), Pieces(counters=5))),)),
        # Twenty left: seven of them have all fish, five all counters, and he has nothing to give
        # back for a contract.
        (110, (Payment(1, 5, None),)),
    ],
)
def test_what_a_replenishment_pays_is_changed_too(hands: int, told: tuple[Payment, ...]) -> None:
    """Just what is paid then: not what was paid with the drawing, and by what everybody has left
    when he has added."""
    before, last = owing(hands)
    found = GAME.apply(replace(before, settlement=last), Replenish()).settlement
    assert found is not None
    assert [row.paid for row in found.rows] == [5, 25]
    assert found.payments == told
    before, last = owing(hands, in_money=True)
    found = GAME.apply(replace(before, settlement=last), Replenish()).settlement
    assert found == replace(last, rows=(last.rows[0], replace(last.rows[1], paid=25)))


def test_what_pays_nothing_tells_no_other_change() -> None:
    """A card thrown up while the pool is short, and the game finished: what was told last stays."""
    before, last = owing(0)
    for action in (ThrowUp(2, before.taken[1][0]), Finish()):
        assert GAME.apply(replace(before, settlement=last), action).settlement == last


def test_a_drawing_goes_on_once_its_numbers_are_covered() -> None:
    """Knobs have been drawn and none is uncovered any more: the next one may be drawn."""
    state = table_of(drawn(at_table(SECOND), (7,))).state
    assert go_on(replace(state, uncovered=())).phase is GamePhase.DRAWING
