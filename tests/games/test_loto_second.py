"""Loto, Second Method: the book's tables, each refusal, and whole evenings beside a table where
counters are moved one by one."""

from __future__ import annotations

import copy
from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import IllegalAction, Unreadable
from station.base.nouns import Card
from station.cards.pack import make_pack
from station.games.loto_second.drawing import broken
from station.games.loto_second.play import GAME
from station.games.loto_second.rules import (
    Agree,
    Decline,
    Draw,
    Exchange,
    Finish,
    GamePhase,
    Join,
    PutAway,
    Reason,
    Replenish,
    Resolve,
    Settle,
    Setup,
    State,
    Take,
    TakeBack,
    ThrowUp,
    counter_value,
)
from station.games.loto_second.state import Due, classes
from station.odds.second import mean_kept
from station.rules.box import in_pieces
from station.rules.game import Ending
from station.rules.patterns import ROW_NAMES
from station.rules.seating import takes
from station.rules.terms import Terms
from tests.drill.counters import GameInPlay, Refused
from tests.examples import examples
from tests.games.samples import SAMPLES
from tests.oracles import FIG_1

# Fig. 1 and five cards of a strip's numbers that it has not: 1 stands on card 2, 3 and 4 on none of
# the first two.
PACK = {
    card.serial: card
    for card in map(
        Card.parse,
        (
            FIG_1,
            "2: 1 10 20 30 40 / 12 23 41 51 60 / 6 24 36 61 80",
            "3: 3 13 21 31 42 / 14 25 44 52 62 / 4 26 37 53 81",
            "4: 7 15 27 34 45 / 16 29 46 54 63 / 8 32 47 64 82",
        ),
    )
}
EXAMPLE = (11, 33, 17, 22, 43, 65, 2, 90, 1, 3)
NOBODYS = (83, 84, 85, 86, 87, 88, 90, 9, 18, 19)  # on no card of the pack


def company(*actions, takes=(1, 1), purses=None, **more) -> State:
    """A company of the book's size after these actions."""
    setup = Setup(PACK, takes, purses or (1000,) * len(takes), register="r", **more)
    return after(GAME.start(setup), *actions)


def after(state: State, *actions) -> State:
    for action in actions:
        state = GAME.apply(state, action)
    return state


def drawing(*numbers) -> list:
    """A whole drawing: these knobs, and others up to ten that are on no card."""
    fill = [number for number in NOBODYS if number not in numbers]
    return [*map(Draw, (*numbers, *fill)[:10]), Settle()]


def refusal(state: State, action) -> IllegalAction:
    before = GAME.notation(state)
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(state, action)
    assert GAME.notation(state) == before
    return caught.value


# -- stakes and cards ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "cards", "wanted"),
    [
        (1, 24, (2,)),
        (12, 24, (2,) * 12),
        (13, 24, (2,) * 11 + (1,) * 2),
        (24, 24, (1,) * 24),
        (9, 18, (2,) * 9),
        (10, 18, (2,) * 8 + (1,) * 2),
        (18, 18, (1,) * 18),
        (1, 1, (1,)),
    ],
)
def test_two_cards_each_and_the_last_seats_one(players, cards, wanted):
    """The stake is for two cards; with more than half as many players as cards the last seats take
    one; no card too many."""
    assert takes(players, cards) == wanted


@pytest.mark.parametrize(("players", "cards"), [(0, 24), (25, 24), (19, 18), (25, 30), (1, 0)])
def test_more_players_than_cards_are_refused(players, cards):
    """So are more than the 24 of a parlour, and nobody at all."""
    with pytest.raises(Unreadable, match=f"{players} player"):
        takes(players, cards)


@pytest.mark.parametrize(("stake", "value"), [(120, 1), (240, 2), (1200, 10)])
def test_a_stake_gives_each_counter_its_value(stake, value):
    """The stake for two cards is divided by their 120 counters."""
    assert counter_value(stake) == value


@pytest.mark.parametrize("stake", [0, -120, 60, 119, 121, 1000])
def test_a_stake_that_gives_no_whole_value_is_refused(stake):
    """It is said which stakes do."""
    with pytest.raises(Unreadable, match="multiple of 120"):
        counter_value(stake)


@pytest.mark.parametrize(("cards", "issued"), [(1, 60), (2, 120), (4, 240)])
def test_sixty_counters_are_issued_for_a_card(cards, issued):
    """Fifteen of them on the table, with their money in the reserve, forty-five in the pool; half,
    double stakes follow."""
    state = company(takes=(cards,), purses=(500,))
    assert (state.table, state.pool, state.purses) == (15 * cards, 45 * cards, (500 - issued,))
    assert state.reserve == 15 * cards
    assert state.taken == (tuple("1234"[:cards]),)


BAD: dict[str, tuple[dict, str]] = {
    "no seats": ({"takes": (), "purses": ()}, "0 seats"),
    "25 seats": ({"takes": (0,) * 24 + (1,), "purses": (60,) * 25}, "25 seats"),
    "a purse too few": ({"takes": (1, 1), "purses": (60,)}, "1 purses"),
    "more cards than there are": (
        {"takes": (4, 1), "purses": (600, 60)},
        "5 cards are wanted, the pack has 4",
    ),
    "no cards": ({"takes": (0, 0), "purses": (600, 60)}, "one at least"),
    "three cards": ({"takes": (3,), "purses": (600,)}, "seat 1 wants 3 cards"),
    "a stake not paid": (
        {"takes": (1, 2), "purses": (60, 119)},
        "seat 2 has 119 counters' worth; 2 cards cost 120",
    ),
    "a worthless counter": ({"value": 0}, "a counter worth 0"),
    "a prize below zero": ({"terms": Terms(prizes=(0, 0, -5, 25, 100, 250))}, "below zero"),
    "no cavity": ({"terms": Terms(cavities=0)}, "0 of 90 knobs"),
    "more cavities than knobs": ({"terms": Terms(cavities=91)}, "91 of 90"),
    "91 knobs": ({"terms": Terms(knobs=91)}, "10 of 91 knobs"),
    "a number without a knob": ({"terms": Terms(knobs=88)}, "card 1 bears 89"),
    "a row without a prize": (
        {"terms": Terms(prizes=(0, 0, 5, 25, 100))},
        "card 1 has 5 numbers in a row",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_company_that_cannot_play_is_refused(name):
    """With the reason; nobody is seated."""
    more, reason = BAD[name]
    with pytest.raises(Unreadable, match=reason):
        GAME.start(Setup(PACK, **{"takes": (1,), "purses": (60,), **more}))


# -- a drawing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("laid", "name", "won"),
    [
        (0, "-", 0),
        (1, "abstract", 0),
        (2, "ambo", 5),
        (3, "terne", 25),
        (4, "quaterne", 100),
        (5, "quinterne", 250),
    ],
)
@pytest.mark.parametrize("row", [0, 1, 2])
def test_a_row_pays_by_the_counters_on_it(row, laid, name, won):
    """The book's table, on each row: the counters laid are kept, and so many come from the pool."""
    start = company(takes=(4,), purses=(9999,))
    drawn = after(start, *drawing(*PACK["1"].rows[row][:laid])[:-1])
    told = drawn.rows()[row]
    assert (told.serial, told.row, told.laid, told.won) == ("1", row, laid, won)
    assert ROW_NAMES[told.laid] == name
    settled = after(drawn, Settle())
    assert settled.phase is (GamePhase.SHORT if won > 180 else GamePhase.BETWEEN)
    assert settled.hands == (laid + min(won, 180),)
    assert settled.table == start.table - laid


@pytest.mark.parametrize("in_money", [False, True])
def test_the_worked_example(in_money):
    """Fig. 1 and 11 33 17 22 43 65 2 90 1 3: ambo, quaterne, abstract; 112 counters, 1 contract, 1
    fish and 2 counters."""
    start = company(takes=(2, 2), purses=(400, 400), in_money=in_money)
    drawn = after(start, *map(Draw, EXAMPLE))
    first = [row for row in drawn.rows() if row.serial == "1"]
    assert [(ROW_NAMES[row.laid], row.laid, row.won) for row in first] == [
        ("ambo", 2, 5),
        ("quaterne", 4, 100),
        ("abstract", 1, 0),
    ]
    assert sum(row.laid + row.won for row in first) == 112
    assert str(in_pieces(112)) == "1 contract, 1 fish, 2 counters"
    # 1 is an abstract on card 2, which is seat 1's too, and 3 on card 3.
    assert classes(drawn.rows()) == (7, 3, 1, 0, 1, 0)
    settled = after(drawn, Settle())
    assert settled.hands == ((8, 1) if in_money else (113, 1))
    assert settled.purses == ((280 + 105, 280) if in_money else (280, 280))
    assert settled.pool == 180 - 105
    assert settled.came == EXAMPLE
    assert settled.bag == frozenset(range(1, 91))


def test_counters_are_laid_on_every_card_that_bears_the_number():
    """One each, from the table; a number on no card counts as one of the ten."""
    cards = {serial: Card(serial, PACK["1"].rows) for serial in "abc"}
    state = after(GAME.start(Setup(cards, (2, 1), (200, 200))), Draw(33), Draw(90))
    assert (state.table, state.laid, state.numbers) == (42, 3, (33, 90))
    assert GAME.funds(state)["cards"] == 3


def test_the_bag_goes_round():
    """The eldest hand has it first, then the next on the left who has a card."""
    state = company(takes=(0, 1, 0, 1, 1))
    holders = [state.drawer]
    for _ in range(4):
        state = after(state, *drawing())
        holders.append(state.drawer)
    assert holders == [2, 4, 5, 2, 4]
    assert state.drawings == 4
    assert after(state, ThrowUp(4, "2")).drawer == 5
    assert after(state, ThrowUp(5, "3")).drawer == 4


@given(
    numbers=st.permutations(sorted(PACK["1"].numbers | PACK["2"].numbers)),
    count=st.integers(0, 10),
    table=st.integers(0, 30),
)
def test_taking_back_is_as_if_nothing_was_drawn(numbers, count, table):
    """Knob by knob, also where the table had to take from the pool, and in the last drawing from
    its very start."""
    start = company(takes=(2, 2), purses=(240, 240))
    start = replace(start, table=table, hands=(60 - table, 0))
    for state in (
        start,
        replace(start, left=1),
        replace(start, left=1, pool=2, hands=(60 - table, 178)),
    ):
        passed = [state]
        for number in numbers[:count]:
            if state.last and passed[-1].drawn and not passed[-1].table:
                break
            passed.append(GAME.apply(passed[-1], Draw(number)))
        while len(passed) > 1:
            assert GAME.apply(passed.pop(), TakeBack()) == passed[-1]


def test_a_bare_table_takes_from_the_pool():
    """In an ordinary drawing covering goes on; what the table lacked the pool gives."""
    start = company(takes=(1,), purses=(60,))
    bare = replace(start, table=1, hands=(14,))
    state = after(bare, Draw(5), Draw(11), Draw(33))
    assert (state.table, state.pool, state.laid, state.phase) == (0, 43, 3, GamePhase.DRAWING)


# -- a short pool ----------------------------------------------------------------------------------

QUATERNES = (11, 33, 50, 76, 10, 20, 30, 40)  # on card 1, and on card 2


def test_a_short_pool_pays_from_the_drawer_leftwards():
    """It pays what it has, everybody adds 45 a card, and paying goes on, as often as needed."""
    state = after(company(), *drawing(), *drawing(*QUATERNES))
    assert state.drawer == 2
    # Seat 2 had the bag: card 2 first, of which the pool's 90 pay all but 10; then card 1.
    assert (state.phase, state.pool) == (GamePhase.SHORT, 0)
    assert state.hands == (4, 94)
    assert state.dues == (Due(2, "2", 0, 10), Due(1, "1", 0, 100))
    state = after(state, Replenish())
    # 45 of seat 2 come from what it has won, seat 1 has 4 counters and buys 41.
    assert state.dues == (Due(1, "1", 0, 20),)
    assert state.hands == (80, 94 - 45 + 10)
    assert state.purses == (940 - 41, 940)
    state = after(state, Replenish())
    assert (state.phase, state.dues, state.pool, state.drawer) == (GamePhase.BETWEEN, (), 70, 1)
    assert state.drawings == 2


def test_who_will_not_add_throws_up_his_cards():
    """Then he pays nothing more; what his rows have won is still due to him."""
    short = after(company(purses=(60, 1000)), *drawing(), *drawing(*QUATERNES))
    assert refusal(short, Replenish()).reason is Reason.NOT_PAID
    assert "seat 1 cannot add 45" in str(refusal(short, Replenish()))
    state = after(short, ThrowUp(1, "1"))
    assert state.hands == (4 + 11, 94)
    assert state.taken == ((), ("2",))
    assert state.dues == short.dues
    state = after(state, *[Replenish()] * 3)
    assert (state.phase, state.dues, state.pool) == (GamePhase.BETWEEN, (), 3 * 45 - 110)
    assert state.hands[0] == 15 + 100
    assert state.drawer == 2


def test_nobody_adds_and_the_game_is_finished():
    """The rest stays unpaid, which is a Bankruptcy; counters are redeemed, and what is on the table
    goes back by card."""
    short = after(company(), *drawing(), *drawing(*QUATERNES))
    assert short.table == 22
    state = after(short, Finish())
    assert state.unpaid == short.dues
    assert state.purses == (940 + 4 + 11, 940 + 94 + 11)
    assert GAME.outcome(state) is not None
    assert GAME.outcome(state).ending is Ending.CLOSED
    assert GAME.outcome(state).winners == ("2",)


def test_nothing_is_left_to_cover_with():
    """In mid-drawing the players add and go on; who will not takes his laid counters along; or the
    game is finished."""
    start = replace(company(), table=1, pool=1, hands=(60, 58))
    cards = {**PACK, "2": Card("2", PACK["1"].rows)}
    start = replace(start, setup=replace(start.setup, cards=cards))
    short = after(start, Draw(5), Draw(11))
    assert (short.phase, short.uncovered, short.laid, short.table, short.pool) == (
        GamePhase.SHORT,
        ("1", "2"),
        2,
        0,
        0,
    )
    assert short.rows()[0].laid == 1
    for action in (Draw(33), Settle()):
        assert refusal(short, action).reason is Reason.SHORT
    assert refusal(short, Take(1)).reason is Reason.DRAWING
    added = after(short, Replenish())
    assert (added.phase, added.laid, added.pool, added.hands) == (
        GamePhase.DRAWING,
        4,
        88,
        (15, 13),
    )
    thrown = after(short, ThrowUp(2, "2"))
    assert (thrown.phase, thrown.uncovered, thrown.hands) == (GamePhase.SHORT, ("1",), (60, 59))
    assert after(short, TakeBack()).numbers == (5,)
    over = after(short, Finish())
    assert over.purses == (940 + 61, 940 + 59)
    assert over.unpaid == ()


def test_a_card_thrown_up_while_the_pool_is_short_leaves_no_debt_on_the_table():
    """A knob taken back returns what was lent for it only as far as it lies there still."""
    cards = {**PACK, "2": Card("2", PACK["1"].rows)}
    start = replace(company(), table=0, pool=1, hands=(60, 59))
    short = after(replace(start, setup=replace(start.setup, cards=cards)), Draw(5))
    state = after(short, ThrowUp(1, "1"), TakeBack())
    assert (state.table, state.pool, state.hands) == (0, 0, (61, 59))


def test_who_throws_up_all_while_nothing_covers_hands_the_bag_on():
    """When the knob is taken back too, it is the next one's who has a card; in a drawing that goes
    on he draws to its end."""
    cards = {**PACK, "2": Card("2", PACK["1"].rows)}
    start = replace(company(), table=2, pool=0, hands=(60, 58))
    thrown = after(
        replace(start, setup=replace(start.setup, cards=cards)), Draw(5), Draw(11), ThrowUp(1, "1")
    )
    assert (thrown.phase, thrown.drawer) == (GamePhase.SHORT, 1)
    assert [after(thrown, *[TakeBack()] * times).drawer for times in (1, 2)] == [1, 2]


@pytest.mark.parametrize("end", ["all throw up", "nobody adds", "broken off"])
def test_a_drawing_whose_rows_are_owed_counts_however_the_game_ends(end):
    """It was settled: what it owes stays unpaid, and it is one of the drawings that were
    finished."""
    short = after(company(), *drawing(), *drawing(*QUATERNES))
    ends = {
        "all throw up": lambda: after(short, ThrowUp(1, "1"), ThrowUp(2, "2")),
        "nobody adds": lambda: after(short, Finish()),
        "broken off": lambda: broken(short),
    }
    over = ends[end]()
    assert (over.phase, over.drawings, over.unpaid) == (GamePhase.OVER, 2, short.dues)


def test_a_game_that_is_broken_off_in_mid_drawing():
    """The drawing counts for nothing: knobs and counters go back, then all is redeemed; an offer
    that stood is let be."""
    second = after(company(takes=(1, 2)), *drawing(5))
    over = broken(after(second, Draw(11), Draw(33)))
    # One counter was kept for 5; the 179 others go back to three cards, the odd two to the first
    # cards.
    assert (over.purses, over.drawings, over.bag) == (
        (940 + 1 + 60, 880 + 60 + 59),
        1,
        frozenset(range(1, 91)),
    )
    offered = broken(after(company(), Exchange(1, "1", 2, "2")))
    assert (offered.purses, offered.offer, offered.taken) == ((1000, 1000), None, (("1",), ("2",)))


def test_an_exhausted_pool_is_replenished_before_a_drawing():
    """Only when it is exhausted, and not for the last drawing: nothing is added for that."""
    state = replace(company(), pool=0, hands=(45, 45))
    assert after(state, Replenish()).pool == 90
    assert refusal(replace(state, left=1), Replenish()).reason is Reason.NOT_SHORT
    assert refusal(company(), Replenish()).reason is Reason.NOT_SHORT


# -- the end ---------------------------------------------------------------------------------------


def test_a_fixed_number_of_drawings_more():
    """They are counted down; after the last all is redeemed, pool and table by card, the odd ones
    from the eldest hand."""
    state = after(company(takes=(1, 2)), Resolve(3))
    for left in (3, 2, 1):
        assert (state.left, state.last, state.phase) == (left, left == 1, GamePhase.BETWEEN)
        state = after(state, *drawing(5))
    # 5 stands on card 1: three counters kept; 45 + 135 - 3 left for three cards, 59 each.
    assert state.phase is GamePhase.OVER
    assert state.purses == (940 + 3 + 59, 880 + 2 * 59)
    assert sum(state.purses) == 2000
    assert GAME.outcome(state).ending is Ending.WON
    assert GAME.outcome(state).winners == ("1",)


def test_odd_counters_go_to_the_eldest_hand():
    """One each, by card."""
    state = replace(company(takes=(1, 2)), pool=0, table=2, hands=(178, 0), left=1)
    over = after(state, *[Draw(number) for number in NOBODYS], Settle())
    assert over.purses == (940 + 178 + 1, 880 + 1)


def last_drawing(table, pool, takes=(1, 1)) -> State:
    """A company before its last drawing, seat 2 having the bag, with so many counters on the table
    and in the pool."""
    state = company(takes=takes)
    out = 60 * sum(takes) - table - pool
    return replace(
        state, table=table, pool=pool, hands=(out,) + (0,) * (len(takes) - 1), left=1, drawer=2
    )


def test_the_last_drawing_ends_when_the_table_is_bare():
    """No knob more can be drawn; rows are paid by what lies, the eldest hand first though another
    had the bag."""
    state = after(last_drawing(3, 100), Draw(11), Draw(10))
    assert refusal(state, Settle()).reason is Reason.NOT_FULL
    state = after(state, Draw(33))
    assert refusal(state, Draw(50)).reason is Reason.FULL_BOARD
    over = after(state, Settle())
    assert over.phase is GamePhase.OVER
    assert over.unpaid == ()
    assert over.came == (11, 10, 33)
    # 5 for seat 1's ambo, and 95 go back by card.
    assert over.purses == (940 + 17 + 2 + 5 + 48, 940 + 1 + 47)


def test_the_last_drawing_takes_ten_knobs_at_most():
    """Though counters are left on the table."""
    state = after(last_drawing(20, 90), *map(Draw, NOBODYS))
    assert refusal(state, Draw(5)).reason is Reason.FULL_BOARD
    assert after(state, Settle()).phase is GamePhase.OVER


@pytest.mark.parametrize(("pool", "table"), [(100, 4), (4, 4), (3, 3), (1, 1)])
def test_a_bare_table_before_the_last_drawing_takes_two_a_card(pool, table):
    """From the pool, as far as that goes."""
    state = after(last_drawing(0, pool), Draw(90))
    assert (state.table, state.pool) == (table, pool - table)


def test_a_last_drawing_without_any_counter_is_over_at_once():
    """Nothing is drawn."""
    state = last_drawing(0, 0)
    assert refusal(state, Draw(5)).reason is Reason.FULL_BOARD
    assert after(state, Settle()).phase is GamePhase.OVER


def test_the_eldest_hand_covers_first_in_the_last_drawing():
    """Where fewer counters are left than squares to cover; then the drawing is over, and the pool
    lends nothing."""
    cards = {serial: Card(serial, PACK["1"].rows) for serial in "abc"}
    start = GAME.start(Setup(cards, (1, 1, 1), (60, 60, 60)))
    state = after(replace(start, table=2, hands=(43, 0, 0), left=1, drawer=3), Draw(5))
    assert (state.uncovered, state.table, state.pool, state.phase) == (
        ("c",),
        0,
        135,
        GamePhase.DRAWING,
    )
    assert [row.laid for row in state.rows() if row.row == 0] == [1, 1, 0]
    assert GAME.parse(start.setup, GAME.notation(state)) == state


def test_a_bankruptcy():
    """Who is reached when the pool runs short takes what is left, the others remain unpaid, and
    nothing can be added."""
    state = after(last_drawing(15, 120), *map(Draw, (*QUATERNES, 12, 23)))
    over = after(state, Settle())
    # Seat 1 is paid its quaterne; of seat 2's the pool pays 20, and its ambo nothing.
    assert over.unpaid == (Due(2, "2", 0, 80), Due(2, "2", 1, 5))
    assert GAME.outcome(over).ending is Ending.CLOSED
    assert sum(over.purses) == 2000


def test_prizes_in_money_go_to_the_purse():
    """At once, and they can be laid down again; counters laid on cards are still redeemed at the
    end."""
    state = after(company(purses=(60, 60), in_money=True), *drawing(11, 33, 50))
    assert (state.purses, state.hands) == ((25, 0), (3, 0))


# -- cards changing hands --------------------------------------------------------------------------


def test_a_card_taken_additionally_pays_its_sixty():
    """It is the next of the pack; counters won are laid down first."""
    state = after(company(*drawing(5)), Take(1))
    assert state.taken == (("1", "3"), ("2",))
    assert (state.hands, state.purses) == ((0, 0), (940 - 59, 940))
    assert (state.table, state.pool) == (30 - 1 + 15, 90 + 45)
    assert refusal(after(state, Take(2)), Take(2)).reason is Reason.NO_CARDS_LEFT


def test_who_joins_has_the_last_seat_and_takes_a_card():
    """The eldest hand stays; he pays for his card like anybody else, and has the bag when his turn
    comes."""
    joined = after(company(*drawing(), *drawing()), Join(100))
    assert (joined.seats, joined.taken, joined.purses, joined.hands) == (
        3,
        (("1",), ("2",), ()),
        (940, 940, 100),
        (0, 0, 0),
    )
    assert (joined.table, joined.pool, joined.drawer, joined.came_with) == (
        30,
        90,
        1,
        (1000, 1000, 100),
    )
    state = after(joined, Take(3))
    assert (state.taken[2], state.purses[2], state.table, state.pool) == (("3",), 40, 45, 135)
    # 3 and 4 stand on his card, in two rows.
    settled = after(state, *drawing(3, 4), *drawing())
    assert (settled.hands, settled.drawer) == ((0, 0, 2), 3)
    assert after(joined, *drawing(), *drawing()).drawer == 1, "without a card he never has the bag"
    over = after(settled, Resolve(1), *drawing())
    assert GAME.outcome(over).winners == ("3",)
    # 178 are left for three cards: 59 each, and the odd one for the eldest hand.
    assert over.purses == (940 + 60, 940 + 59, 40 + 2 + 59)


def test_who_joins_plays_as_if_he_had_sat_there():
    """Once he has his card, it is the game of a company that he belonged to from the start."""
    joined = after(company(takes=(1,), purses=(1000,)), Join(200), Take(2))
    at_first = company(takes=(1, 1), purses=(1000, 200))
    assert replace(joined, setup=at_first.setup, joined=()) == at_first


def test_who_joins_and_takes_no_card_goes_with_what_he_brought():
    """He has neither a share of what is left, nor adds to a short pool."""
    short = after(company(), *drawing(), *drawing(*QUATERNES))
    state = after(short, Join(77), Replenish())
    assert (state.purses[2], state.hands[2]) == (77, 0)
    over = after(state, Finish())
    assert (over.purses[2], GAME.outcome(over).winners) == (77, ("2",))


def test_a_card_thrown_up_gets_its_equal_share():
    """Of table and pool, each by card and rounded down."""
    state = after(company(*drawing(5, 1, 11), takes=(1, 2)), ThrowUp(2, "2"))
    # 42 on the table and 130 in the pool, for three cards.
    assert state.hands == (2 + 5, 1 + 14 + 43)
    assert (state.table, state.pool) == (28, 87)
    assert (state.taken, state.rest) == ((("1",), ("3",)), ("4", "2"))


def test_the_last_card_thrown_up_ends_the_game():
    """All is redeemed; nobody has lost or won."""
    over = company(ThrowUp(1, "1"), ThrowUp(2, "2"))
    assert (over.phase, over.purses) == (GamePhase.OVER, (1000, 1000))


def test_a_card_taken_while_the_pool_is_short_pays_on():
    """Its sixty come in, and paying goes on with them."""
    short = after(company(), *drawing(), *drawing(*QUATERNES))
    state = after(short, Take(2))
    assert (state.table, state.dues) == (22 + 15, (Due(1, "1", 0, 65),))
    state = after(state, Take(1), Replenish())
    assert (state.phase, state.dues) == (GamePhase.BETWEEN, ())


def test_what_a_row_won_stays_with_who_had_the_card():
    """A card exchanged before the pool is replenished takes nothing along."""
    short = after(company(), *drawing(), *drawing(*QUATERNES))
    state = after(short, Exchange(1, "1", 2, "2"), Agree(), Replenish(), Replenish())
    assert state.taken == (("2",), ("1",))
    # 4, less 4 for the first adding, 80 of the 100, less 45 for the second, and the last 20.
    assert (state.dues, state.hands[0]) == ((), 80 - 45 + 20)


def test_an_exchange_with_the_pack():
    """The card comes for the other in its place, and the other lies behind the pack's."""
    state = company(Exchange(1, "1", 0, "4"))
    assert (state.taken, state.rest) == ((("4",), ("2",)), ("3", "1"))
    assert state.purses == (940, 940)


def test_an_exchange_between_players_is_confirmed():
    """It waits for the other's answer; nothing else is done meanwhile; declined, nothing has
    changed."""
    start = company()
    offered = after(start, Exchange(1, "1", 2, "2"))
    assert offered.taken == start.taken
    for action in (
        Draw(1),
        Settle(),
        Take(1),
        ThrowUp(1, "1"),
        Exchange(2, "2", 0, "3"),
        Resolve(1),
    ):
        assert refusal(offered, action).reason is Reason.OFFERED
    assert "seat 2 is asked for card 2, for card 1" in str(refusal(offered, Draw(1)))
    assert after(offered, Decline()) == start
    assert after(offered, Agree()).taken == (("2",), ("1",))
    told = company(Exchange(1, "1", 2, "2"), confirm=False)
    assert (told.taken, told.offer) == ((("2",), ("1",)), None)


@pytest.mark.parametrize(
    "action",
    [Take(1), Join(60), ThrowUp(1, "1"), Exchange(1, "1", 0, "3"), Exchange(1, "1", 2, "2")],
    ids=str,
)
def test_without_consent_cards_change_before_the_first_drawing_only(action):
    """With it before each drawing and each replenishment; in mid-drawing never."""
    for consent in (True, False):
        before = company(changes=consent)
        assert after(before, action) != before
        assert refusal(after(before, Draw(5)), action).reason is Reason.DRAWING
        between, short = after(before, *drawing()), after(before, *drawing(*QUATERNES))
        for state in (between, short):
            if consent or (state is short and isinstance(action, ThrowUp)):
                assert after(state, action) != state
            else:
                assert refusal(state, action).reason is Reason.NO_CHANGES


# -- knobs put away --------------------------------------------------------------------------------


def test_a_knob_of_nobodys_number_is_put_away():
    """It is not drawn again until a card that bears it is taken: drawn, bag and put away are all
    there are."""
    state = after(company(), *drawing(3, 4), PutAway(3), PutAway(4), PutAway(90))
    assert state.away == (3, 4, 90)
    assert len(state.bag) == 87
    error = refusal(state, Draw(3))
    assert (error.reason, "lay the ball aside and draw another" in str(error)) == (
        Reason.AWAY,
        True,
    )
    drawn = after(state, Draw(1))
    assert len(drawn.bag) + len(drawn.drawn) + len(drawn.away) == 90
    # Card 3 bears 3 and 4.
    for action in (Take(2), Exchange(1, "1", 0, "3")):
        assert after(state, action).away == (90,)
    assert after(state, Exchange(1, "1", 0, "4")).away == (3, 4, 90)


def test_only_what_came_and_nobody_has_is_put_away():
    """Not in mid-drawing, not a knob that did not come just before, not twice, not so many that too
    few are left to draw."""
    state = after(company(), *drawing(3, 5))
    assert refusal(state, PutAway(5)).reason is Reason.ON_A_CARD
    assert refusal(state, PutAway(4)).reason is Reason.NOT_DRAWN
    assert refusal(state, PutAway(91)).reason is Reason.NOT_DRAWN
    assert refusal(after(state, PutAway(3)), PutAway(3)).reason is Reason.AWAY
    assert refusal(after(state, Draw(1)), PutAway(3)).reason is Reason.DRAWING
    assert refusal(after(state, *drawing()), PutAway(3)).reason is Reason.NOT_DRAWN
    small = SAMPLES["loto-second"].setups["company"]
    low = Setup(small.cards, (1,), (5,), terms=replace(small.terms, cavities=4))
    one_less = after(GAME.start(low), *map(Draw, (1, 3, 4, 5)), Settle(), PutAway(4))
    assert refusal(one_less, PutAway(5)).reason is Reason.BAG_LOW


# -- refusals --------------------------------------------------------------------------------------

TEN = [Draw(number) for number in EXAMPLE]
REFUSALS = {
    "a throw-up in mid-drawing": ([Draw(5)], ThrowUp(1, "1"), Reason.DRAWING, "a drawing is on"),
    "a throw-up of a whole board": (TEN, ThrowUp(1, "1"), Reason.DRAWING, "when it is settled"),
    "an eleventh knob": (
        TEN,
        Draw(4),
        Reason.FULL_BOARD,
        "all 10 balls of this drawing are drawn: put 4 back, and settle",
    ),
    "a put-away knob drawn": ([*drawing(3), PutAway(3)], Draw(3), Reason.AWAY, "3 is put away"),
    "an exchange of a card not held": (
        [],
        Exchange(1, "2", 0, "3"),
        Reason.NOT_HELD,
        "seat 1 does not have card 2: it has 1",
    ),
    "an exchange for a card not held": (
        [],
        Exchange(1, "1", 2, "3"),
        Reason.NOT_HELD,
        "seat 2 does not have card 3",
    ),
    "an exchange for a card taken": (
        [],
        Exchange(1, "1", 0, "2"),
        Reason.NOT_FREE,
        "those that nobody has are 3, 4",
    ),
    "an exchange for no card": ([], Exchange(1, "1", 0, "99"), Reason.NOT_FREE, "'99' is not free"),
    "an exchange of no card": ([], Exchange(1, "99", 0, "3"), Reason.NO_CARD, "no card '99'"),
    "an exchange with oneself": ([], Exchange(1, "1", 1, "1"), Reason.NO_SEAT, "with itself"),
    "an exchange with nobody": (
        [],
        Exchange(1, "1", 3, "2"),
        Reason.NO_SEAT,
        "no seat 3: the seats are 1 to 2",
    ),
    "a throw-up of a card not held": (
        [],
        ThrowUp(2, "1"),
        Reason.NOT_HELD,
        "seat 2 does not have card 1",
    ),
    "a throw-up by nobody": ([], ThrowUp(0, "1"), Reason.NO_SEAT, "no seat 0"),
    "a card for nobody": ([], Take(3), Reason.NO_SEAT, "no seat 3"),
    "a knob drawn twice": ([Draw(7), Draw(5)], Draw(7), Reason.DRAWN, "lies in cavity 1"),
    "no knob 0": ([], Draw(0), Reason.NO_KNOB, "1 to 90"),
    "no knob 91": ([], Draw(91), Reason.NO_KNOB, "1 to 90"),
    "settling before the tenth": (TEN[:9], Settle(), Reason.NOT_FULL, "9 of 10 balls"),
    "settling nothing": ([], Settle(), Reason.NOT_FULL, "0 of 10 balls"),
    "taking back nothing": ([], TakeBack(), Reason.NOTHING_DRAWN, "stays settled"),
    "taking back what is settled": (drawing(5), TakeBack(), Reason.NOTHING_DRAWN, "stays settled"),
    "an answer to nothing": ([], Agree(), Reason.NOT_OFFERED, "no exchange waits"),
    "no answer to nothing": ([], Decline(), Reason.NOT_OFFERED, "no exchange waits"),
    "finishing a full pool": ([], Finish(), Reason.NOT_SHORT, "agree on a number"),
    "adding in mid-drawing": ([Draw(5)], Replenish(), Reason.NOT_SHORT, "it holds 90"),
    "no drawings more": ([], Resolve(0), Reason.NO_DRAWINGS, "at least"),
    "resolving twice": ([Resolve(4)], Resolve(2), Reason.RESOLVED, "4 more"),
    "resolving in mid-drawing": ([Draw(5)], Resolve(2), Reason.DRAWING, "when it is settled"),
    "joining in mid-drawing": (
        [Draw(5)],
        Join(60),
        Reason.DRAWING,
        "players join when it is settled",
    ),
    "joining with too little": (
        [],
        Join(59),
        Reason.NOT_PAID,
        "has 59 counters' worth, a card costs 60",
    ),
    "joining with less than nothing": ([], Join(-1), Reason.NOT_PAID, "a card costs 60"),
    "joining for no card": (
        [Take(1), Take(2)],
        Join(60),
        Reason.NO_CARDS_LEFT,
        "when somebody throws one up",
    ),
    "a 25th seat": ([Join(60)] * 22, Join(60), Reason.NO_SEAT_LEFT, "all 24 seats are taken"),
    "joining while somebody is asked": (
        [Exchange(1, "1", 2, "2")],
        Join(60),
        Reason.OFFERED,
        "agree or decline",
    ),
    "joining after the end": (
        [ThrowUp(1, "1"), ThrowUp(2, "2")],
        Join(60),
        Reason.OVER,
        "begin another",
    ),
    "anything after the end": (
        [ThrowUp(1, "1"), ThrowUp(2, "2")],
        Take(1),
        Reason.OVER,
        "begin another",
    ),
    "what is no action": ([], "draw", Reason.NOT_AN_ACTION, "'draw' is not an action"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_it_is_refused_with_the_reason(name):
    """And nothing has changed."""
    actions, action, reason, words = REFUSALS[name]
    error = refusal(company(*actions), action)
    assert error.reason is reason
    assert words in str(error)


def test_a_stake_not_paid_is_refused():
    """An additional card, and what is to be added, are paid by counters won and the purse together,
    or not at all."""
    state = company(*drawing(5), purses=(119, 119))
    assert after(state, Take(1)).purses[0] == 0
    error = refusal(state, Take(2))
    assert (error.reason, str(error)) == (
        Reason.NOT_PAID,
        "seat 2 has 59 counters' worth, a card costs 60",
    )


# -- the line it is written on ---------------------------------------------------------------------

DRAWN, WON = [Draw(5), Draw(10)], [*drawing(), *drawing(*QUATERNES)]
JOINED = (
    " hands=0,0,0 taken=1/2/- rest=3,4 drawn=- came=- uncovered=- away=- dues=- unpaid=- joined="
)
IMPOSSIBLE = {
    "a seat too many": ([], "taken=1/2", "taken=1/2/-"),
    "a bag at no seat": ([], "drawer=1", "drawer=3"),
    "a card twice": ([], "taken=1/2", "taken=1,2/2"),
    "a card of another pack": ([], "rest=3,4", "rest=3,9"),
    "a card lost": ([], "rest=3,4", "rest=3"),
    "a counter lost": ([], "table=30", "table=29"),
    "a counter made": ([], "pool=90", "pool=91"),
    "a debt": ([], "hands=0,0", "hands=-1,1"),
    "no knob 91": (DRAWN, "drawn=5:1:0", "drawn=91:1:0"),
    "a knob drawn twice": (DRAWN, "drawn=5:1:0,10:1:0", "drawn=5:1:0,5:1:0"),
    "a knob drawn and put away": (drawing(3), "drawn=- came=3", "drawn=3:0:0 came=3"),
    "an eleventh knob": (TEN, ",3:0:0 came", ",3:0:0,4:0:0 came"),
    "a bare card, and nothing drawn": ([], "uncovered=-", "uncovered=1"),
    "a number's counter missing": (
        DRAWN,
        "table=28 pool=90 purses=940,940 hands=0,0",
        "table=28 pool=90 purses=940,940 hands=1,0",
    ),
    "counters on no card": (DRAWN, "10:1:0", "90:1:0"),
    "knobs put away out of order": (drawing(3, 4), "away=-", "away=4,3"),
    "a knob put away that a card needs": (drawing(3), "away=-", "away=5"),
    "no such knob put away": (drawing(3), "away=-", "away=91"),
    "a knob that came twice": (drawing(3), "came=3,83", "came=3,3"),
    "an eleventh that came": (drawing(3), "came=3", "came=4,3"),
    "knobs that came before any drawing": ([], "came=-", "came=3"),
    "drawing without a knob": ([], " between ", " drawing "),
    "a knob between drawings": (DRAWN, " drawing ", " between "),
    "a card bare though the table has counters": (
        DRAWN,
        "10:1:0 came=- uncovered=-",
        "10:0:0 came=- uncovered=2",
    ),
    "short of nothing": ([], " between ", " short "),
    "short with a pool": (WON, "pool=0 purses=940,940", "pool=1 purses=939,940"),
    "short in the last drawing": (WON, "left=-", "left=1"),
    "a knob drawn while rows are owed": (WON, "drawn=-", "drawn=90:0:0"),
    "due and not short": (WON, " short ", " between "),
    "due to no seat": (WON, "dues=2:2:0:10", "dues=3:2:0:10"),
    "due for no card": (WON, "dues=2:2:0:10", "dues=2:9:0:10"),
    "due for a fourth row": (WON, "dues=2:2:0:10", "dues=2:2:3:10"),
    "nothing due": (WON, "dues=2:2:0:10", "dues=2:2:0:0"),
    "unpaid before the end": ([], "unpaid=-", "unpaid=1:1:0:5"),
    "over with counters out": ([], " between ", " over "),
    "no drawing left": ([], "left=-", "left=0"),
    "an offer of a card not held": ([Exchange(1, "1", 2, "2")], "offer=1:1:2:2", "offer=1:3:2:2"),
    "an offer for a card not held": ([Exchange(1, "1", 2, "2")], "offer=1:1:2:2", "offer=1:1:2:3"),
    "an offer of no seat": ([Exchange(1, "1", 2, "2")], "offer=1:1:2:2", "offer=3:1:2:2"),
    "an offer to no seat": ([Exchange(1, "1", 2, "2")], "offer=1:1:2:2", "offer=1:1:3:2"),
    "an offer after the end": (
        [*WON, Finish()],
        "unpaid=2:2:0:10,1:1:0:100",
        "unpaid=2:2:0:10,1:1:0:100 offer=1:1:2:2",
    ),
    "an offer to the pack": ([Exchange(1, "1", 2, "2")], "offer=1:1:2:2", "offer=1:1:0:2"),
    "an offer in mid-drawing": (DRAWN, "unpaid=-", "unpaid=- offer=1:1:2:2"),
    "one who joined with too little for a card": ([Join(60)], f"60{JOINED}60", f"59{JOINED}59"),
    "one who joined with less than is there": ([Join(61)], "joined=61", "joined=60"),
    "one who joined and has no seat": ([Join(60)], "joined=60", "joined=60,60"),
    "a seat for nobody who joined": ([Join(60)], " joined=60", ""),
    "nobody who joined": ([], "unpaid=-", "unpaid=- joined=-"),
    "another way of writing": ([], "table=30", "table=030"),
    "a word for a number": (DRAWN, "drawn=5:1:0", "drawn=five:1:0"),
    "half a knob": (DRAWN, "drawn=5:1:0", "drawn=5:1"),
    "no phase": ([], " between ", " beside "),
    "other terms": ([], "15+45", "15+46"),
    "another value": ([], "counters*1", "counters*2"),
    "other cards": ([], "register=r", "register=s"),
    "something behind it": ([], "unpaid=-", "unpaid=- and so on"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_line_of_no_game_is_refused(name):
    """A counter made or lost, a card or knob in two places, or what its phase cannot have; the line
    is quoted."""
    actions, right, wrong = IMPOSSIBLE[name]
    state = company(*actions)
    text = GAME.notation(state)
    assert GAME.parse(state.setup, text) == state
    assert text.count(right) == 1
    with pytest.raises(Unreadable) as caught:
        GAME.parse(state.setup, text.replace(right, wrong))
    assert repr(text.replace(right, wrong)) in str(caught.value)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("uncovered=1", "uncovered=2"),
        ("uncovered=1", "uncovered=1,2"),
        ("uncovered=1", "uncovered=-"),
        (" short ", " drawing "),
        (" short ", " between "),
        ("dues=-", "dues=1:1:0:5"),
        ("left=-", "left=1"),
    ],
)
def test_a_line_of_no_covering_is_refused(right, wrong):
    """A card is bare only if it bears the last number, where neither table nor pool has a counter,
    and nothing is due then."""
    state = company(Draw(5), terms=Terms(on_table=0, in_pool=0))
    text = GAME.notation(state)
    assert GAME.parse(state.setup, text) == state
    with pytest.raises(Unreadable):
        GAME.parse(state.setup, text.replace(right, wrong))


# -- whole evenings --------------------------------------------------------------------------------


def parlour(setup: Setup) -> GameInPlay:
    terms = setup.terms
    return GameInPlay(
        {serial: card.rows for serial, card in setup.cards.items()},
        setup.takes,
        setup.purses,
        consent=setup.changes,
        confirm=setup.confirm,
        money=setup.in_money,
        a_table=terms.on_table,
        a_pool=terms.in_pool,
        prizes=terms.prizes,
        cavities=terms.cavities,
        knobs=terms.knobs,
        again=terms.again,
    )


def looks(state: State) -> dict:
    """What `Parlour.looks` tells."""
    return {
        "cards": [list(cards) for cards in state.taken],
        "purses": list(state.purses),
        "hands": list(state.hands),
        "heaps": (state.table, state.laid, state.pool),
        "pack": list(state.rest),
        "board": list(state.numbers),
        "bare": list(state.uncovered),
        "came": list(state.came),
        "away": list(state.away),
        "owing": [[due.seat, due.serial, due.row, due.counters] for due in state.dues],
        "unpaid": [[due.seat, due.serial, due.row, due.counters] for due in state.unpaid],
        "bag at": state.drawer,
        "finished": state.drawings,
        "more": state.left,
        "short": state.phase is GamePhase.SHORT,
        "over": state.phase is GamePhase.OVER,
        "offer": state.offer,
    }


SMALL = SAMPLES["loto-second"].setups["company"]
companies = st.builds(
    lambda takes, purses, changes, confirm, in_money, on_table, in_pool, prize, cavities, again: (
        Setup(
            SMALL.cards,
            takes,
            tuple(
                purse + count * (on_table + in_pool)
                for purse, count in zip(purses, takes, strict=False)
            ),
            changes,
            confirm,
            in_money,
            terms=Terms(on_table, in_pool, (0, 0, prize), cavities, 5, again),
        )
    ),
    st.sampled_from([(1,), (2,), (1, 1), (2, 1), (1, 0), (0, 1, 1), (1, 1, 1), (1, 0, 2)]),
    st.tuples(*[st.integers(0, 30)] * 3),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.integers(0, 3),
    st.integers(0, 5),
    st.integers(0, 9),
    st.integers(1, 4),
    st.integers(0, 2),
)


@pytest.mark.long
@given(setup=companies, data=st.data())
@examples(100)
def test_an_evening_goes_as_on_the_table(setup, data):
    """Exchanges, throw-ups, players who join, short pools: all as when single counters are moved,
    none lost, the same refused."""
    state, table = GAME.start(setup), parlour(setup)
    for _ in range(data.draw(st.integers(0, 60))):
        assert looks(state) == table.looks()
        funds = GAME.funds(state)
        assert sum(funds.values()) == sum(state.came_with)
        assert min(funds.values()) >= 0
        assert GAME.parse(setup, GAME.notation(state)) == state
        legal = [*GAME.legal_actions(state)]
        if not legal:
            break
        # Drawings go on where they can, so that evenings are long; any action may be tried.
        drawing_on = [action for action in legal if isinstance(action, Draw | Settle | Replenish)]
        choice = data.draw(st.integers(0, 5))
        tried = (
            SAMPLES["loto-second"].universe[:-2]
            if choice == 0
            else legal
            if choice < 3 or not drawing_on
            else drawing_on
        )
        action = data.draw(st.sampled_from(tried))
        try:
            state = GAME.apply(state, action)
        except IllegalAction:
            with pytest.raises(Refused):
                table.do(action)
        else:
            table.do(action)
    assert looks(state) == table.looks()


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_evening_at_the_books_size(seed):
    """Twelve players with 24 cards add when the pool is short, throw up what they cannot pay for,
    and end with three drawings."""
    luck = Random(seed)
    cards = {card.serial: card for card in make_pack(4, luck).cards()}
    setup = Setup(
        cards,
        takes(12, 24),
        tuple(luck.choice((120, 250, 700)) for _ in range(12)),
        in_money=seed == 2,
    )
    state, table, total = (
        GAME.start(setup),
        parlour(setup),
        sum(GAME.funds(GAME.start(setup)).values()),
    )
    seen = set()
    while state.phase is not GamePhase.OVER:
        seen.add(state.phase)
        if state.phase is GamePhase.SHORT:
            means = {
                seat: state.hands[seat - 1] + state.purses[seat - 1] for seat, _ in state.held()
            }
            poor = (ThrowUp(seat, serial) for seat, serial in state.held() if means[seat] < 90)
            may = [*GAME.legal_actions(state)]
            action = Replenish() if Replenish() in may else next(poor)
        elif len(state.drawn) == 10 or (state.last and state.drawn and not state.table):
            action = Settle()
        elif state.drawings == 15 and state.left is None:
            action = Resolve(3)
        else:
            action = Draw(luck.choice(sorted(state.bag)))
        state = GAME.apply(state, action)
        table.do(action)
        assert looks(state) == table.looks()
        assert sum(GAME.funds(state).values()) == total
        # In money it is the same: what is paid out, what is in the pool, and what is reserved for
        # the counters that are out.
        assert sum(state.purses) + state.pool + state.reserve == total
    assert state.drawings == 18
    assert sum(state.purses) == total
    assert seen == {GamePhase.BETWEEN, GamePhase.DRAWING, GamePhase.SHORT}


TRIED_BESIDES = (
    Settle(),
    TakeBack(),
    Replenish(),
    Finish(),
    Take(1),
    ThrowUp(2, "B"),
    PutAway(1),
    Draw(3),
    Join(1),
    Join(2),
)
TINY = Setup(
    {"A": Card("A", ((1, 2),)), "B": Card("B", ((2,), (3,)))},
    (1, 1),
    (4, 3),
    confirm=False,
    terms=Terms(1, 1, (0, 0, 2), 2, 3, 1),
)


@pytest.mark.long
def test_every_evening_of_a_tiny_game():
    """Every state that can be reached in one drawing, and every action in it: it is the same by the
    station and on the table."""
    start = GAME.start(TINY)
    seen, open_, ends = {GAME.notation(start)}, [(start, parlour(TINY))], 0
    while open_:
        state, table = open_.pop()
        ends += state.phase is GamePhase.OVER
        legal = [
            action
            for action in GAME.legal_actions(state)
            if state.drawings < 1 and not isinstance(action, Join)
        ]
        for action in (*legal, *TRIED_BESIDES):
            try:
                found = GAME.apply(state, action)
            except IllegalAction:
                with pytest.raises(Refused):
                    table.do(action)
                continue
            moved = copy.deepcopy(table)
            moved.do(action)
            assert looks(found) == moved.looks()
            assert (
                sum(GAME.funds(found).values()) == sum(found.came_with) == 7 + 2 * len(found.joined)
            )
            if action in legal and (text := GAME.notation(found)) not in seen:
                seen.add(text)
                open_.append((found, moved))
                assert GAME.parse(TINY, text) == found
        assert looks(state) == table.looks()  # what was refused has changed nothing
    assert (len(seen), ends) == (1126, 178)


def test_every_drawing_of_a_small_game():
    """All of them, one after the other: what cards keep on average is the exact expectation."""
    setup = Setup(
        {"A": Card("A", ((1, 2), (3, 4)))}, (1,), (500,), terms=Terms(5, 400, (0, 0, 7), 3, 6)
    )
    start = GAME.start(setup)
    ways = [*permutations(range(1, 7), 3)]
    kept = sum(after(start, *map(Draw, way), Settle()).hands[0] for way in ways)
    two = mean_kept(replace(setup.terms), here=2, rows=2)
    assert two * len(ways) == kept
