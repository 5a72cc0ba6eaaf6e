"""How stakes become prizes, and where what nobody won goes: tables by hand, and the sums of any
programme."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.nouns import Card, Ledger
from station.night.register import (
    NOTHING_DIVIDED,
    DividedStakes,
    at_break,
    at_close,
    lay_out,
    stages_of,
)
from station.programme.programme import GamePlan, JackpotPlan, Programme, Shares
from station.rules.patterns import FULL, JACKPOT, ROW, TWO_ROWS
from station.rules.prizes import PrizeSetup, PrizeState, Stage, Win
from tests.oracles import FIG_1
from tests.programmes import all_shares, game, plans

CARD = Card.parse(FIG_1)


QUARTERS, WHOLE = GamePlan(name="Quarters"), GamePlan(name="Whole", stakes="whole")
PERCENT = game(
    {"pattern": "row", "share": 33.33}, {"pattern": "two-rows", "share": 33.33}, {"share": 33.34}
)
NO_SHARES = Shares()


@pytest.mark.parametrize(
    ("plan", "shares", "stakes", "carried", "jackpot", "wanted"),
    [
        (QUARTERS, NO_SHARES, 28, 5, 0, DividedStakes(28, 0, 0, 0, 5, 0, (8, 8, 17))),
        (WHOLE, NO_SHARES, 7, 0, 0, DividedStakes(7, 0, 0, 0, 0, 0, (7,))),
        # Each share is rounded down, by itself; what is left is the fund.
        (
            WHOLE,
            Shares(house=20, charity=10.5, jackpot=3),
            999,
            0,
            0,
            DividedStakes(999, 199, 104, 29, 0, 0, (667,)),
        ),
        (WHOLE, Shares(house=100), 999, 7, 0, DividedStakes(999, 999, 0, 0, 7, 0, (7,))),
        # Shares only: the odd units are the last share's.
        (PERCENT, NO_SHARES, 100, 0, 0, DividedStakes(100, 0, 0, 0, 0, 0, (33, 33, 34))),
        (PERCENT, NO_SHARES, 2, 0, 0, DividedStakes(2, 0, 0, 0, 0, 0, (0, 0, 2))),
        # The house makes up to the least sum, of a share and of the rest.
        (
            game({"share": 10, "least": 50}, {"least": 80}),
            NO_SHARES,
            100,
            0,
            0,
            DividedStakes(100, 0, 0, 0, 0, 40, (50, 90)),
        ),
        (
            game({"share": 10, "least": 5}, {"least": 95}),
            NO_SHARES,
            100,
            0,
            0,
            DividedStakes(100, 0, 0, 0, 0, 5, (10, 95)),
        ),
        # A fixed prize comes from the house, whatever the fund; a thing is worth nothing here.
        (
            game({"prize": 50}, {}, {"thing": "ham"}),
            NO_SHARES,
            10,
            0,
            0,
            DividedStakes(10, 0, 0, 0, 0, 50, (50, 10, 0)),
        ),
        # Fixed prizes alone: the house keeps the stakes, and what was carried waits.
        (
            game({"prize": 50}, {"prize": 5}),
            Shares(charity=10),
            99,
            3,
            0,
            DividedStakes(99, 90, 9, 0, 0, 55, (50, 5)),
        ),
        (game({"thing": "ham"}), NO_SHARES, 99, 0, 0, DividedStakes(99, 99, 0, 0, 0, 0, (0,))),
        # The jackpot with this game's share; made up to its least sum.
        (
            WHOLE.model_copy(update={"jackpot": JackpotPlan(within=45, least=100)}),
            Shares(jackpot=10),
            200,
            0,
            30,
            DividedStakes(200, 0, 0, 20, 0, 0, (180,), played_for=100, made_up=50),
        ),
        (
            WHOLE.model_copy(update={"jackpot": JackpotPlan(within=45, least=100)}),
            NO_SHARES,
            200,
            0,
            130,
            DividedStakes(200, 0, 0, 0, 0, 0, (200,), played_for=130),
        ),
    ],
)
def test_how_the_money_is_laid_out(plan, shares, stakes, carried, jackpot, wanted):
    """Stakes, what was carried, and what comes of it, worked out by hand."""
    assert lay_out(plan, shares, stakes, carried, jackpot) == wanted


def test_what_is_plain():
    """Stakes and what was carried are the prizes: then nothing more is to be told."""
    plain = DividedStakes(28, 0, 0, 0, 5, 0, (8, 8, 17))
    assert plain.plain
    assert NOTHING_DIVIDED.plain
    assert not any(
        replace(plain, **{taken: 1}).plain
        for taken in ("house", "charity", "jackpot", "added", "played_for")
    )


UNITS = st.integers(0, 10**6)


@given(plans(), all_shares(), UNITS, UNITS, UNITS)
def test_nothing_is_lost_and_nothing_made(plan, shares, stakes, carried, saved):
    """For any programme: what came in is what went out; shares are at most exact and miss less than
    a unit; the movements lead from what was there to just these sums, with no account below zero
    that may not be."""
    layout = lay_out(plan, shares, stakes, carried, saved)
    assert (
        layout.stakes + layout.carried + layout.added
        == layout.house + layout.charity + layout.jackpot + layout.pool
    )
    assert min(layout.added, layout.made_up, layout.house, *layout.amounts) >= 0
    for took, share in ((layout.charity, shares.charity), (layout.jackpot, shares.jackpot)):
        assert 0 <= stakes * Fraction(round(share * 100), 10_000) - took < 1
    fund = (
        stakes
        + carried
        - layout.charity
        - layout.jackpot
        - stakes * round(shares.house * 100) // 10_000
    )
    for amount, stage in zip(layout.amounts, plan.plans, strict=True):
        if stage.share is not None:
            exact = fund * Fraction(round(stage.share * 100), 10_000)
            assert (
                amount == stage.least
                or 0 <= exact - amount < 1
                or 0 <= amount - exact < len(layout.amounts)
            )
        assert stage.prize is None or amount == stage.prize
        assert amount >= stage.least
    if plan.jackpot is not None:
        assert layout.played_for == max(saved + layout.jackpot, plan.jackpot.least)
    before = Ledger(
        {
            "purses": -stakes - carried - saved,
            "game:3": stakes,
            "carried": carried,
            "jackpot": saved,
        }
    )
    after = before.after(layout.moves(3))
    assert after.sound
    assert after.of("game:3") == layout.pool + layout.played_for
    assert after.of("house") == layout.house - layout.added - layout.made_up
    assert after.of("carried") == (0 if plan.has_fund else carried)


def played(
    amounts: tuple[int, ...], *wins: Win, cards: int = 0, tickets: int = 0, jackpot: int = 0
) -> PrizeState:
    """A game for a row, two rows and a full card that has come to these wins."""
    stages = tuple(map(Stage, ("row", "two-rows", "full"), (ROW, TWO_ROWS, FULL), amounts))
    setup = PrizeSetup(
        {f"c{n}": CARD for n in range(cards)}, stages, tickets=tickets, jackpot=jackpot, within=45
    )
    return PrizeState(setup, wins=wins)


def won(stage: str, amount: int) -> Win:
    return Win(stage, "c0", amount, 30)


EVERY = (won("row", 8), won("two-rows", 8), won("full", 16))


@pytest.mark.parametrize(
    ("wins", "left", "rules", "moved"),
    [
        # All won, one unit odd: it stays by the rule of odd units, the jackpot goes back.
        (EVERY, 101, {"odd": "house", "unwon": "charity"}, {"jackpot": 100, "house": 1}),
        (EVERY, 101, {"odd": "charity", "unwon": "house"}, {"jackpot": 100, "charity": 1}),
        (EVERY, 100, {"odd": "lowest"}, {"jackpot": 100}),
        # The jackpot was won, one unit of it odd.
        ((*EVERY, won(JACKPOT, 99)), 1, {"odd": "house"}, {"house": 1}),
        # Something is not won: what is left goes by the rule for that.
        (EVERY[:2], 117, {"odd": "house", "unwon": "carry"}, {"jackpot": 100, "carried": 17}),
        (EVERY[:2], 117, {"odd": "house", "unwon": "charity"}, {"jackpot": 100, "charity": 17}),
        ((), 133, {"unwon": "house"}, {"jackpot": 100, "house": 33}),
    ],
)
def test_where_what_is_left_goes_at_the_close(wins, left, rules, moved):
    """Nobody's prizes, odd units and the jackpot, each by its rule."""
    layout = DividedStakes(133, 0, 0, 0, 0, 0, (8, 8, 17), played_for=100)
    programme = Programme(name="Night", games=(QUARTERS,), **rules)
    moves = at_close(programme, layout, played((8, 8, 17), *wins), 2, left)
    ledger = Ledger({"purses": -left, "game:2": left}).after(moves)
    assert {
        account: units for account, units in ledger.balances.items() if account != "purses"
    } == moved


@pytest.mark.parametrize(
    ("layout", "wins", "cards", "tickets", "others", "each", "moved"),
    [
        # Nothing taken, nothing won: everybody gets all back.
        (DividedStakes(40, 0, 0, 0, 0, 0, (10, 10, 20)), (), 4, 0, {}, 10, {"refund:2": 40}),
        # The row is won, a quarter of all prizes: three quarters of the price of 7, rounded down;
        # what is odd is carried.
        (
            DividedStakes(28, 0, 0, 0, 0, 0, (7, 7, 14)),
            (won("row", 7),),
            4,
            0,
            {},
            5,
            {"refund:2": 20, "carried": 1},
        ),
        # House, charity and jackpot give their part back (15 of 20, 8 of 10, 4 of 5, rounded up);
        # tickets in one sum.
        (
            DividedStakes(100, 20, 10, 5, 0, 0, (16, 16, 33)),
            (won("row", 16),),
            6,
            4,
            {"house": 20, "charity": 10, "jackpot": 5},
            7,
            {
                "refund:2": 42,
                "owed:tickets-2": 28,
                "house": 4,
                "charity": 2,
                "jackpot": 1,
                "carried": 7,
            },
        ),
        # What the house added and what was carried go back to them, in the same part; the jackpot
        # first, and the house's part.
        (
            DividedStakes(40, 0, 0, 0, 20, 60, (30, 30, 60), played_for=100, made_up=30),
            (won("row", 30), won("two-rows", 30)),
            4,
            0,
            {"house": -90},
            5,
            {"refund:2": 20, "house": -30, "carried": 10, "jackpot": 70},
        ),
        # Charity has banked its share: the house puts it up.
        (
            DividedStakes(100, 0, 50, 0, 0, 0, (12, 12, 26)),
            (),
            10,
            0,
            {"charity": 20},
            10,
            {"refund:2": 100, "house": -30},
        ),
        # All is won: nothing is given back.
        (
            DividedStakes(40, 0, 0, 0, 0, 0, (10, 10, 20)),
            (won("row", 10), won("two-rows", 10), won("full", 20)),
            4,
            0,
            {},
            0,
            {},
        ),
        # No prize is money: by the number of stages.
        (
            DividedStakes(40, 40, 0, 0, 0, 0, (0, 0, 0)),
            (won("row", 0),),
            4,
            0,
            {"house": 40},
            6,
            {"refund:2": 24, "house": 13, "carried": 3},
        ),
        # Nobody plays, or for nothing.
        (DividedStakes(0, 0, 0, 0, 30, 0, (7, 7, 16)), (), 0, 0, {}, 0, {"carried": 30}),
    ],
)
def test_a_broken_game(layout, wins, cards, tickets, others, each, moved):
    """What each card gets back, and where every unit lies then."""
    state = played(layout.amounts, *wins, cards=cards, tickets=tickets, jackpot=layout.played_for)
    left = layout.pool + layout.played_for - sum(win.amount for win in wins)
    balances = {"game:2": left, **others}
    ledger = Ledger({**balances, "purses": -sum(balances.values())})
    broken = at_break(layout, state, 2, ledger)
    after = ledger.after(broken.moves)
    assert broken.each == each
    assert {
        account: units for account, units in after.balances.items() if account != "purses"
    } == moved
    assert after.sound


@given(
    plans(),
    all_shares(),
    st.integers(1, 300),
    st.integers(0, 90),
    st.integers(0, 30),
    UNITS,
    UNITS,
    st.data(),
)
def test_a_broken_game_gives_back_what_it_promised(
    plan, shares, price, cards, tickets, carried, saved, data
):
    """For any programme and any stages won: each card gets its part of the price, rounded down; no
    account is short."""
    stakes = price * (cards + tickets)
    layout = lay_out(plan, shares, stakes, carried, saved)
    before = Ledger(
        {
            "purses": -stakes - carried - saved,
            "game:3": stakes,
            "carried": carried,
            "jackpot": saved,
        }
    )
    ledger = before.after(layout.moves(3))
    stages = stages_of(plan, layout)
    gone = data.draw(st.sets(st.sampled_from(stages)))
    wins = [Win(stage.key, "c0", stage.amount, 30) for stage in stages if stage in gone]
    if stages[-1] in gone and layout.played_for and data.draw(st.booleans()):
        wins.append(Win(JACKPOT, "c0", layout.played_for, 30))
    if data.draw(st.booleans()):
        ledger = ledger.move("charity", "purses", ledger.of("charity"))
    ledger = ledger.after([("game:3", "owed:c0", win.amount) for win in wins])
    setup = PrizeSetup(
        {f"c{n}": CARD for n in range(cards)},
        stages,
        tickets=tickets,
        jackpot=layout.played_for,
        within=45,
    )
    broken = at_break(layout, PrizeState(setup, wins=tuple(wins)), 3, ledger)
    after = ledger.after(broken.moves)
    assert after.sound
    assert after.of("game:3") == 0
    lost = sum(stage.amount for stage in stages if stage not in gone)
    part = (
        Fraction(lost, layout.pool)
        if layout.pool
        else Fraction(len(stages) - len(gone), len(stages))
    )
    assert broken.each == (int(price * part) if cards + tickets else 0)
    assert (after.of("refund:3"), after.of("owed:tickets-3")) == (
        broken.each * cards,
        broken.each * tickets,
    )
