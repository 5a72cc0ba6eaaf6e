"""Loto, First Method, at the table: stakes, answering, the empty bag, each refusal, and whole games
beside a plain table."""

from __future__ import annotations

import copy
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import IllegalAction, Unreadable
from station.base.nouns import Card
from station.cards.pack import make_pack
from station.games.loto_parlour.play import GAME
from station.games.loto_parlour.rules import (
    ANYONE,
    MOVES,
    Answer,
    Close,
    Draw,
    GamePhase,
    Reason,
    Setup,
    Share,
    Stakes,
    State,
    TakeBack,
)
from station.games.loto_parlour.state import Answering, ShareWon
from station.games.loto_second import rules as loto_second
from station.night.table.game import broken_off
from station.rules.game import Ending
from station.rules.seating import by_card
from tests.examples import examples
from tests.games.samples import SAMPLES
from tests.oracles import FIG_1
from tests.plain_parlour import Refused, Table
from tests.tables import company as table_company
from tests.tables import drawn

# Fig. 1, and two cards that share 5 and 11 with it; 90 stands on none.
PACK = {
    card.serial: card
    for card in map(
        Card.parse,
        (
            FIG_1,
            "2: 5 11 20 30 40 / 12 23 41 51 60 / 6 24 36 61 80",
            "3: 3 13 21 31 42 / 5 14 25 44 52 / 4 26 37 53 81",
        ),
    )
}
FIRST, EVERYONE = Answering.FIRST, Answering.EVERYONE
ROWS = PACK["1"].rows
ALL_OF_1 = tuple(number for row in ROWS for number in row)


def company(*actions, takes=(1, 1, 1), purses=None, **more) -> State:
    """Three players with a card each, unless it is said otherwise, after these actions; a card's
    stake is 10."""
    stakes = {} if "stakes" in more else {"stakes": Stakes.QUARTERS}
    paid = {} if {"stake", "each"} & more.keys() else {"stake": 10}
    setup = Setup(
        PACK, takes, purses or (100,) * len(takes), register="r", **stakes, **paid, **more
    )
    return after(GAME.start(setup), *actions)


def after(state: State, *actions) -> State:
    for action in actions:
        state = GAME.apply(state, action)
    return state


def refusal(state: State, action) -> IllegalAction:
    before = GAME.notation(state)
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(state, action)
    assert GAME.notation(state) == before
    return caught.value


def quick(seat: int, *numbers: int) -> list:
    """These knobs, each answered by one seat."""
    return [action for number in numbers for action in (Draw(number), Answer((seat,)))]


def rest_of_the_bag(state: State) -> State:
    """Every knob that is left is called, and nobody answers."""
    return after(state, *map(Draw, sorted(state.bag)))


# -- stakes ----------------------------------------------------------------------------------------


def test_whole_goes_to_the_first_full_card():
    """Nothing is won before: neither by a row nor by two."""
    state = company(*map(Draw, ALL_OF_1[:-1]), stakes=Stakes.WHOLE)
    assert (state.pool, state.wins, state.phase) == (30, (), GamePhase.PLAYING)
    state = after(state, Draw(ALL_OF_1[-1]))
    assert state.wins == (ShareWon("full", 1, ("1",), 30, 15),)
    assert (state.phase, state.pool, state.hands, state.purses) == (
        GamePhase.WON,
        0,
        (30, 0, 0),
        (90, 90, 90),
    )
    over = after(state, Close())
    assert (over.phase, over.hands, over.purses) == (GamePhase.CLOSED, (0, 0, 0), (120, 90, 90))
    assert GAME.outcome(over).ending is Ending.WON
    assert GAME.outcome(over).winners == ("1",)


@pytest.mark.parametrize(
    ("stake", "row", "two", "full"),
    [(10, 7, 7, 16), (8, 6, 6, 12), (1, 0, 0, 3), (0, 0, 0, 0), (7, 5, 5, 11)],
)
def test_quarters(stake, row, two, full):
    """A quarter, rounded down, for the first row and for two rows on one card; the rest for the
    full card."""
    state = company(stake=stake)
    won = []
    for numbers in ROWS:
        state = after(state, *map(Draw, numbers))
        won.append([(win.stage, win.amount) for win in state.wins])
    assert won == [
        [("row", row)],
        [("row", row), ("two-rows", two)],
        [("row", row), ("two-rows", two), ("full", full)],
    ]
    assert state.phase is GamePhase.WON


def test_two_rows_are_of_one_card():
    """A row on each of two cards wins no second quarter."""
    state = company(*map(Draw, ROWS[1]), *map(Draw, PACK["3"].rows[0]), takes=(0, 3))
    assert [(win.stage, win.cards) for win in state.wins] == [("row", ("1",))]


def test_counters_that_lie_are_kept_and_the_winner_has_the_rest():
    """Each player puts the same number in, whatever his cards; covering takes one from the pool for
    every square."""
    start = company(stakes=Stakes.COUNTERS, each=30, takes=(1, 2, 0))
    assert (start.pool, start.purses) == (60, (70, 70, 100))
    state = after(start, Draw(5))
    # 5 stands on all three cards.
    assert (state.pool, state.laid, GAME.funds(state)["cards"]) == (57, 3, 3)
    state = after(state, *map(Draw, ALL_OF_1[1:]))
    # Card 2 has 5 and 11, card 3 has 5: the winner takes 60 - 15 - 2 - 1.
    assert state.wins == (ShareWon("full", 1, ("1",), 42, 15),)
    assert (state.pool, state.laid, state.hands) == (0, 18, (42, 0, 0))
    over = after(state, Close())
    assert (over.purses, over.laid) == ((70 + 42 + 15, 70 + 3, 100), 0)


def test_several_winners_split_what_remains():
    """Once each, the odd counter to the one nearest the dealer's left; each keeps his own
    fifteen."""
    twins = {serial: Card(serial, ROWS) for serial in "abc"}
    setup = Setup(twins, (2, 1), (50, 50), Stakes.COUNTERS, each=33)
    state = after(GAME.start(setup), *map(Draw, ALL_OF_1))
    # 66 - 45 = 21 for two players, of whom the first has two full cards.
    assert [(win.seat, win.cards, win.amount) for win in state.wins] == [
        (1, ("a", "b"), 11),
        (2, ("c",), 10),
    ]
    assert after(state, Close()).purses == (17 + 11 + 30, 17 + 10 + 15)


@pytest.mark.parametrize(
    ("stake", "shares"),
    [(9, [(3, 3), (3, 3), (8, 7)]), (10, [(3, 3), (4, 4), (8, 8)]), (7, [(2, 2), (3, 3), (6, 5)])],
)
def test_an_odd_remainder_waits_for_the_next_share(stake, shares):
    """In the last share it goes to the winner nearest the dealer's left."""
    twins = {"a": Card("a", ROWS), "b": PACK["2"], "c": Card("c", ROWS)}
    state = GAME.start(Setup(twins, (1, 1, 1), (100,) * 3, Stakes.QUARTERS, stake=stake))
    for numbers, share in zip(ROWS, shares, strict=True):
        state = after(state, *map(Draw, numbers))
        assert [(win.seat, win.amount) for win in state.wins[-2:]] == [
            *zip((1, 3), share, strict=True)
        ]
        assert sum(GAME.funds(state).values()) == 300
    assert len(state.wins) == 6


def test_one_player_with_several_cards_shares_once():
    """However many of his cards complete on the same number."""
    twins = {serial: Card(serial, ROWS) for serial in "abcd"}
    state = GAME.start(Setup(twins, (3, 1), (100, 100), stake=5))
    state = after(state, *map(Draw, ALL_OF_1))
    assert state.wins == (
        ShareWon("full", 1, ("a", "b", "c"), 10, 15),
        ShareWon("full", 2, ("d",), 10, 15),
    )


# -- answering -------------------------------------------------------------------------------------


def test_everyone_covers_who_holds_the_number():
    """On every card that bears it, and nobody needs to answer."""
    state = company(Draw(5), Draw(11), Draw(90))
    assert [sorted(state.covered(serial)) for serial in "123"] == [[5, 11], [5, 11], [5]]
    assert [call.covers for call in state.calls] == [(1, 2, 3), (1, 2), ()]
    assert state.silent == ()


# Card 1 is seat 2's, cards 2 and 3 seat 3's, seat 1 looks on: who answers 11, which stands on cards
# 1 and 2; who covers it.
HEARD = {
    "nobody": ([], None, []),
    "who holds it": ([Answer((2,))], 2, [(2, "covers", False)]),
    "who does not hold it": ([Answer((1,))], None, [(1, "wrong", False)]),
    "first a wrong one": (
        [Answer((1,)), Answer((3,))],
        3,
        [(1, "wrong", False), (3, "covers", False)],
    ),
    "one after the other": (
        [Answer((3,)), Answer((2,))],
        3,
        [(3, "covers", False), (2, "late", False)],
    ),
    "a wrong one when it is covered": (
        [Answer((2,)), Answer((1,))],
        2,
        [(2, "covers", False), (1, "wrong", False)],
    ),
    "a tie": ([Answer((2, 3), (0, 1000))], 2, [(2, "covers", True), (3, "tied", True)]),
    "a tie, the nearer one heard later": (
        [Answer((3, 2), (0, 999))],
        2,
        [(3, "tied", True), (2, "covers", True)],
    ),
    "a tie to the microsecond": ([Answer((3, 2))], 2, [(3, "tied", True), (2, "covers", True)]),
    "a tie with a wrong one": (
        [Answer((1, 3), (0, 5))],
        3,
        [(1, "wrong", False), (3, "covers", False)],
    ),
    "a tie of three": (
        [Answer((3, 1, 2), (0, 7, 9))],
        2,
        [(3, "tied", True), (1, "wrong", False), (2, "covers", True)],
    ),
    "late, after a wrong one": (
        [Answer((2,)), Answer((1,)), Answer((3,))],
        2,
        [(2, "covers", False), (1, "wrong", False), (3, "late", False)],
    ),
    "a late tie": (
        [Answer((2,)), Answer((3, 1), (0, 5))],
        2,
        [(2, "covers", False), (3, "late", False), (1, "wrong", False)],
    ),
}


@pytest.mark.parametrize("name", HEARD)
def test_the_first_to_answer_covers(name):
    """If he holds the number; of those tied the one nearest the dealer's left."""
    answers, covers, told = HEARD[name]
    state = company(Draw(11), *answers, takes=(0, 1, 2), answering=FIRST)
    assert [(one.seat, one.verdict, one.tied) for one in state.answered] == told
    assert state.calls[-1].covers == ((covers,) if covers else ())
    assert [bool(state.covered(serial)) for serial in "123"] == [covers == 2, covers == 3, False]
    assert state.silent == tuple(seat for seat in (1, 2, 3) if seat not in [one[0] for one in told])


def test_those_who_are_late_are_not_tied():
    """However close together they answer: nothing is decided between them."""
    state = company(Draw(5), Answer((1,)), Answer((3, 2), (0, 1)), answering=FIRST)
    assert [(one.seat, one.verdict, one.tied) for one in state.answered] == [
        (1, "covers", False),
        (3, "late", False),
        (2, "late", False),
    ]


def test_micros_are_kept():
    """And are nothing where they were left out."""
    state = company(Draw(11), Answer((3,)), Answer((2, 1), (0, 640)), answering=FIRST)
    assert [one.micros for one in state.answered] == [0, 0, 640]


def test_an_answer_counts_until_the_next_knob():
    """Then it is for the new number: the one before stays uncovered."""
    state = company(Draw(11), Draw(5), Answer((1,)), answering=FIRST)
    assert state.covered("1") == frozenset({5})
    assert state.silent == (2, 3)


def test_he_covers_on_all_his_cards():
    """That bear the number; and takes a counter for each from the pool."""
    state = company(
        Draw(5), Answer((2,)), takes=(1, 2), answering=FIRST, stakes=Stakes.COUNTERS, each=30
    )
    assert [sorted(state.covered(serial)) for serial in "123"] == [[], [5], [5]]
    assert (state.laid, state.pool) == (2, 58)


def test_the_quickest_wins():
    """A card that bears all the numbers called wins nothing if others were quicker."""
    state = company(*quick(1, *ROWS[0][:4]), answering=FIRST)
    state = after(state, Draw(76), Answer((2,)))
    assert state.wins == ()
    state = after(state, Answer((1,)))
    assert [(win.stage, win.seat, win.amount) for win in state.wins] == [("row", 1, 7)]


# -- the end ---------------------------------------------------------------------------------------


def test_an_empty_bag_is_shared_by_the_numbers_covered():
    """The most on one card: all shares that are not won; a player with two such cards is one
    player."""
    state = rest_of_the_bag(
        company(
            *quick(2, *ROWS[0], *ROWS[1][:2]),
            *quick(3, 3, 13, 21),
            takes=(0, 1, 2),
            answering=FIRST,
        )
    )
    assert (state.phase, state.bag, state.pool) == (GamePhase.PLAYING, frozenset(), 23)
    assert refusal(state, Close()).reason is Reason.BAG_EMPTY
    over = after(state, Share())
    assert [(win.stage, win.seat, win.cards, win.amount) for win in over.wins] == [
        ("row", 2, ("1",), 7),
        ("two-rows", 2, ("1",), 7),
        ("full", 2, ("1",), 16),
    ]
    assert (over.phase, over.purses) == (GamePhase.SHARED, (100, 90 + 30, 80))
    assert GAME.outcome(over).ending is Ending.WON


def test_an_empty_bag_is_split_by_those_with_as_many():
    """Share by share, the odd remainder going on, and the last one to the seat nearest the dealer's
    left."""
    state = rest_of_the_bag(company(*quick(1, 33), *quick(3, 3), answering=FIRST, stake=11))
    over = after(state, Share())
    # 33: 8, 8 and 17 for two.
    assert [(win.stage, win.seat, win.amount) for win in over.wins] == [
        ("row", 1, 4),
        ("row", 3, 4),
        ("two-rows", 1, 4),
        ("two-rows", 3, 4),
        ("full", 1, 9),
        ("full", 3, 8),
    ]
    assert GAME.outcome(over).winners == ("1", "3")


def test_an_empty_bag_with_counters():
    """Everybody keeps what lies on his cards; who has the most on one takes what remains."""
    state = rest_of_the_bag(
        company(*quick(1, 11, 33), *quick(2, 5), answering=FIRST, stakes=Stakes.COUNTERS, each=15)
    )
    assert after(state, Share()).purses == (85 + 42 + 2, 85 + 1, 85)


@pytest.mark.parametrize("stakes", Stakes)
def test_nobody_covered_anything(stakes):
    """The stakes go back, and nobody has won."""
    paid = {"each": 30} if stakes is Stakes.COUNTERS else {"stake": 10}
    state = after(
        rest_of_the_bag(company(takes=(2, 0, 1), answering=FIRST, stakes=stakes, **paid)), Share()
    )
    assert (state.phase, state.purses, state.wins) == (GamePhase.SHARED, (100, 100, 100), ())
    assert GAME.outcome(state).ending is Ending.CLOSED
    assert GAME.outcome(state).winners == ()


def test_a_game_broken_off_gives_back_what_is_not_won():
    """Equally by card, odd ones one each from the eldest hand; what was won stays won."""
    state = after(company(*map(Draw, ROWS[1]), takes=(1, 2), stake=11), Close())
    # 33: a quarter of 8 is seat 1's; 25 are left for three cards, and the odd one is the eldest
    # hand's.
    assert state.purses == (89 + 8 + 9, 78 + 16)
    assert GAME.outcome(state).ending is Ending.CLOSED
    assert GAME.outcome(state).winners == ()


def test_who_has_won_is_known_to_the_end():
    """The last number wins; the game that is closed after it keeps its winners."""
    parlour = table_company(2, "loto-parlour", takes=1)
    while parlour.state.phase is not GamePhase.WON:
        parlour = drawn(parlour, 1)
    won, wins = parlour.won, parlour.wins
    assert won
    closed = broken_off(parlour)
    assert (closed.over, closed.won, closed.wins) == (True, won, wins)
    assert broken_off(table_company(2, "loto-parlour", takes=1)).won == ()


def test_counters_go_back_whole_when_the_game_is_broken_off():
    """Nobody has won them: those on cards are put together again with the others."""
    state = company(Draw(5), Draw(11), takes=(1, 2, 0), stakes=Stakes.COUNTERS, each=30)
    assert (state.laid, state.pool) == (5, 55)
    assert after(state, Close()).purses == (100, 100, 100)


def test_what_is_won_can_be_taken_back_until_the_game_is_closed():
    """The last knob with its answers, counters and shares; the one before can then be answered
    again."""
    state = company(*quick(1, *ALL_OF_1), answering=FIRST)
    assert (state.phase, state.silent) == (GamePhase.WON, ())
    back = after(state, TakeBack())
    assert (back.phase, [win.stage for win in back.wins], len(back.calls)) == (
        GamePhase.PLAYING,
        ["row", "two-rows"],
        14,
    )
    assert back.silent == (2, 3)
    assert after(back, Draw(74), Answer((1,))) == state
    assert refusal(after(state, Close()), TakeBack()).reason is Reason.OVER


@given(numbers=st.permutations(range(1, 91)), count=st.integers(0, 90), data=st.data())
@examples(25)
def test_taking_back_is_as_if_nothing_was_drawn(numbers, count, data):
    """Knob by knob, whoever had answered and won on it."""
    stakes = data.draw(st.sampled_from(Stakes))
    paid = {"each": 15} if stakes is Stakes.COUNTERS else {"stake": 7}
    passed = [company(answering=data.draw(st.sampled_from(Answering)), stakes=stakes, **paid)]
    for number in numbers[:count]:
        if passed[-1].phase is GamePhase.WON:
            break
        state = after(passed[-1], Draw(number))
        if state.silent and number in ALL_OF_1:
            state = after(state, Answer(data.draw(st.sampled_from([(1,), (2, 1), (3,)]))))
        passed.append(state)
    while len(passed) > 1:
        assert GAME.apply(passed.pop(), TakeBack()) == passed[-1]


# -- what is refused -------------------------------------------------------------------------------

BAD: dict[str, tuple[dict, str]] = {
    "no seats": ({"takes": (), "purses": ()}, "0 seats"),
    "25 seats": ({"takes": (0,) * 24 + (1,), "purses": (60,) * 25}, "25 seats"),
    "a purse too few": ({"takes": (1, 1), "purses": (60,)}, "1 purses"),
    "more cards than there are": (
        {"takes": (3, 1), "purses": (60, 60)},
        "4 cards are wanted, the pack has 3",
    ),
    "no cards": ({"takes": (0, 0), "purses": (60, 60)}, "one at least"),
    "fewer cards than none": ({"takes": (2, -1), "purses": (60, 60)}, "seat 2 wants -1 cards"),
    "a stake not paid": (
        {"takes": (1, 2), "purses": (60, 19), "stake": 10},
        "seat 2 has 19; its stake is 20",
    ),
    "counters not paid": (
        {"stakes": Stakes.COUNTERS, "each": 61},
        "seat 1 has 60; its stake is 61",
    ),
    "a stake below zero": ({"stake": -1}, "a stake of -1"),
    "counters below zero": ({"stakes": Stakes.COUNTERS, "each": -15}, "a stake of -15"),
    "a card's stake with counters": (
        {"stakes": Stakes.COUNTERS, "each": 15, "stake": 1},
        "a card's stake of 1",
    ),
    "counters with a card's stake": (
        {"each": 15},
        "15 counters from each player: with whole stakes",
    ),
    "fewer than fifteen a card": (
        {"stakes": Stakes.COUNTERS, "each": 29, "takes": (1, 2), "purses": (60, 60)},
        "the cards of seat 2 have 30 squares",
    ),
    "a worthless unit": ({"value": 0}, "a unit worth 0"),
    "no knob": ({"knobs": 0}, "a bag of 0 knobs"),
    "91 knobs": ({"knobs": 91}, "a bag of 91 knobs"),
    "a number without a knob": ({"knobs": 88}, "card 1 bears 89"),
    "one row for quarters": (
        {"cards": {"x": Card("x", ((1, 2),))}, "stakes": Stakes.QUARTERS},
        "2 at least",
    ),
    "no row": ({"cards": {"x": Card("x", ())}}, "1 at least"),
    "a row without a number": ({"cards": {"x": Card("x", ((1,), ()))}}, "none without a number"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_company_that_cannot_play_is_refused(name):
    """With the reason; nobody is seated."""
    more, reason = BAD[name]
    with pytest.raises(Unreadable, match=reason):
        GAME.start(Setup(**{"cards": PACK, "takes": (1,), "purses": (60,), **more}))


HEARD_11 = [Draw(11), Answer((3,))]
WON = quick(1, *ALL_OF_1)
REFUSALS = {
    "knob 0": ([], Draw(0), Reason.NO_KNOB, "1 to 90"),
    "knob 91": ([], Draw(91), Reason.NO_KNOB, "1 to 90"),
    "a knob drawn twice": ([Draw(7), Draw(11)], Draw(7), Reason.DRAWN, "call 1 of this game"),
    "a knob when all is won": (WON, Draw(90), Reason.WON, "put 90 back"),
    "an answer to nothing": ([], Answer((1,)), Reason.NOTHING_CALLED, "draw a ball"),
    "nobody's answer": ([Draw(11)], Answer(ANYONE), Reason.NO_SEAT, "which seats answered 11"),
    "no seat 0": ([Draw(11)], Answer((1, 0)), Reason.NO_SEAT, "no seat 0"),
    "no seat 4": ([Draw(11)], Answer((4,)), Reason.NO_SEAT, "the seats are 1 to 3"),
    "a seat named twice": ([Draw(11)], Answer((1, 2, 1)), Reason.ANSWERED, "name each once"),
    "a second answer": (HEARD_11, Answer((3,)), Reason.ANSWERED, "seat 3 has answered 11 already"),
    "a second answer among others": (
        HEARD_11,
        Answer((1, 3)),
        Reason.ANSWERED,
        "seat 3 has answered 11 already",
    ),
    "an answer when all is won": (WON, Answer((2,)), Reason.WON, "close the game"),
    "a time too few": ([Draw(11)], Answer((1, 2), (0,)), Reason.WRONG_TIMES, "one time for each"),
    "a time too many": ([Draw(11)], Answer((1,), (0, 5)), Reason.WRONG_TIMES, "one time for each"),
    "a first that is not the first": (
        [Draw(11)],
        Answer((1, 2), (1, 5)),
        Reason.WRONG_TIMES,
        "from 0 rising",
    ),
    "times that fall": ([Draw(11)], Answer((1, 2, 3), (0, 9, 5)), Reason.WRONG_TIMES, "0, 9 and 5"),
    "a time below zero": ([Draw(11)], Answer((1,), (-1,)), Reason.WRONG_TIMES, "from 0 rising"),
    "more than a millisecond": (
        [Draw(11)],
        Answer((1, 2), (0, 1001)),
        Reason.WRONG_TIMES,
        "no tie",
    ),
    "taking back nothing": ([], TakeBack(), Reason.NOTHING_CALLED, "nothing to take back"),
    "sharing a full bag": ([], Share(), Reason.BAG_NOT_EMPTY, "90 balls are in the bag"),
    "sharing what is won": (WON, Share(), Reason.WON, "nothing is left"),
    "anything after the end": ([Close()], Draw(5), Reason.OVER, "begin another"),
    "a second end": ([Close()], Close(), Reason.OVER, "begin another"),
    "what is no action": ([], "draw", Reason.NOT_AN_ACTION, "'draw' is not an action"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_it_is_refused_with_the_reason(name):
    """And nothing has changed."""
    actions, action, reason, words = REFUSALS[name]
    error = refusal(company(*actions, answering=FIRST), action)
    assert error.reason is reason
    assert words in str(error)


def test_nobody_answers_where_everyone_covers():
    """It is said that nobody needs to."""
    assert refusal(company(Draw(11)), Answer((1,))).reason is Reason.NO_ANSWERS


def test_an_empty_bag_is_shared_not_broken_off():
    """Breaking off would give back what is to be shared; drawing on is not possible either."""
    state = rest_of_the_bag(company(*quick(1, *ROWS[0]), answering=FIRST))
    assert "two-rows and full not won" in str(refusal(state, Close()))
    assert refusal(state, Draw(90)).reason is Reason.DRAWN


# -- the line it is written on ---------------------------------------------------------------------

CALLED = [Draw(11), Answer((3, 2), (0, 250)), Answer((1,)), Draw(90)]
IMPOSSIBLE = {
    "a knob called twice": (CALLED, "90=-", "11=-"),
    "no knob 91": (CALLED, "90=-", "91=-"),
    "covered by nobody who holds it": (CALLED, "90=-", "90=1"),
    "covered by the one further off": (CALLED, "11=2:", "11=3:"),
    "an answer of no seat": (CALLED, ":1@0", ":4@0"),
    "an answer twice": (CALLED, ":1@0", ":2@0"),
    "a tie after too long": (CALLED, "2@250", "2@1001"),
    "a tie that begins late": (CALLED, "3@0/", "3@1/"),
    "an answer without a time": (CALLED, ":1@0", ":1"),
    "an answer in letters": (CALLED, ":1@0", ":one@0"),
    "a coin made": (CALLED, "pool=30", "pool=31"),
    "a coin moved": (CALLED, "purses=90,90,90", "purses=91,89,90"),
    "a hand that has won nothing": (CALLED, "hands=0,0,0", "hands=1,0,0"),
    "a card of another": (CALLED, "taken=1/2/3", "taken=2/1/3"),
    "a card that nobody has": (CALLED, "rest=-", "rest=3"),
    "won before the end": (CALLED, " playing ", " won "),
    "shared with a full bag": (CALLED, " playing ", " shared "),
    "closed, and the pool not redeemed": (CALLED, " playing ", " closed "),
    "no phase": (CALLED, " playing ", " waiting "),
    "a share of nobody's": (CALLED, "wins=-", "wins=row:1:1:7@2"),
    "a share of another's": (WON, "row:1:1:7@5", "row:2:1:7@5"),
    "a share at another call": (WON, "row:1:1:7@5", "row:1:1:7@4"),
    "a knob after the end": (WON, " wins=", ",90=- wins="),
    "another way of writing": (CALLED, "pool=30", "pool=030"),
    "other stakes": (CALLED, "quarters:10+0", "quarters:11+0"),
    "other value": (CALLED, "10+0*1", "10+0*2"),
    "other answering": (CALLED, "answering=first", "answering=everyone"),
    "other cards": (CALLED, "register=r", "register=s"),
    "something behind it": (CALLED, "wins=-", "wins=- and so on"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_line_of_no_game_is_refused(name):
    """What the rules refuse, and sums that do not follow from the calls; the line is quoted."""
    actions, right, wrong = IMPOSSIBLE[name]
    state = company(*actions, answering=FIRST)
    text = GAME.notation(state)
    assert GAME.parse(state.setup, text) == state
    assert text.count(right) == 1
    with pytest.raises(Unreadable) as caught:
        GAME.parse(state.setup, text.replace(right, wrong))
    assert repr(text.replace(right, wrong)) in str(caught.value)
    assert ("another game's setup" in str(caught.value)) == name.startswith("other")


# -- all the cards a player holds -----------------------------------------------------------------

# Seat 1 holds the first and the second card, seat 2 the third: what is called, who answers, the
# last share of 30 (`whole`), and whose it is with `all`.
NUMBERS = {
    serial: tuple(number for row in card.rows for number in row) for serial, card in PACK.items()
}
BOTH = tuple(dict.fromkeys((*NUMBERS["1"], *NUMBERS["2"])))
OF_ALL = {
    "one full card of two": (NUMBERS["1"], None),
    "both cards": (BOTH, (1, ("1", "2"))),
    "the only card of the other": (NUMBERS["3"], (2, ("3",))),
    "one full card of two, then the only one": (
        (*NUMBERS["1"], *NUMBERS["3"]),
        (2, ("3",)),
    ),
}


@pytest.mark.parametrize("name", OF_ALL)
def test_the_book_s_all_is_every_card_he_holds(name):
    """ "All the numbers on his card or cards": a full card beside another that is not wins
    nothing."""
    numbers, winner = OF_ALL[name]
    numbers = tuple(dict.fromkeys(numbers))
    state = company(*map(Draw, numbers), takes=(2, 1), stakes=Stakes.WHOLE, all_cards=True)
    assert [(win.seat, win.cards, win.amount) for win in state.wins] == (
        [] if winner is None else [(*winner, 30)]
    )
    any_card = company(*map(Draw, NUMBERS["1"]), takes=(2, 1), stakes=Stakes.WHOLE)
    assert [win.cards for win in any_card.wins] == [("1",)]


def test_with_all_rows_are_of_one_card_still():
    """A quarter for a row, one for two rows, each on one card; the half waits for all his cards."""
    state = company(*map(Draw, NUMBERS["1"]), takes=(2, 1), stakes=Stakes.QUARTERS, all_cards=True)
    assert [(win.stage, win.seat, win.cards) for win in state.wins] == [
        ("row", 1, ("1",)),
        ("two-rows", 1, ("1",)),
    ]
    state = after(state, *map(Draw, sorted(set(BOTH) - set(NUMBERS["1"]))))
    assert (state.wins[-1].stage, state.wins[-1].cards) == ("full", ("1", "2"))
    assert state.phase is GamePhase.WON


def test_with_all_and_counters_the_winner_keeps_those_on_all_his_cards():
    """Thirty lie on his two cards; the pool's rest is his besides, and the other keeps his own."""
    state = company(*map(Draw, BOTH), takes=(2, 1), stakes=Stakes.COUNTERS, each=40, all_cards=True)
    others = len(set(NUMBERS["3"]) & set(BOTH))
    assert (state.won[0], state.laid) == (80 - 30 - others, 30 + others)
    assert after(state, Close()).purses == (100 - 40 + 80 - others, 100 - 40 + others)


def test_with_all_an_empty_bag_goes_to_the_fewest_uncovered():
    """Seat 1 has covered more on one card, and on both together; but 16 of his 30 squares are bare,
    and 8 of the other's 15."""
    mine = [number for number in NUMBERS["1"] if number not in NUMBERS["3"]][:14]
    his = [number for number in NUMBERS["3"] if number not in BOTH][:7]
    quicker = [*quick(1, *mine), *quick(2, *his)]
    state = rest_of_the_bag(
        company(*quicker, takes=(2, 1), stakes=Stakes.WHOLE, answering=FIRST, all_cards=True)
    )
    assert state.uncovered(1) > state.uncovered(2)
    shared = after(state, Share())
    assert [(win.seat, win.cards) for win in shared.wins] == [(2, ("3",))]
    usual = rest_of_the_bag(company(*quicker, takes=(2, 1), stakes=Stakes.WHOLE, answering=FIRST))
    assert [win.seat for win in after(usual, Share()).wins] == [1]


# -- whole games -----------------------------------------------------------------------------------


def plain(setup: Setup) -> Table:
    return Table(
        {serial: card.rows for serial, card in setup.cards.items()},
        setup.takes,
        setup.purses,
        knobs=setup.knobs,
        stake=setup.stake,
        counters=setup.each if setup.stakes is Stakes.COUNTERS else None,
        quarters=setup.stakes is Stakes.QUARTERS,
        first=setup.answering is FIRST,
        every=setup.all_cards,
    )


def do(table: Table, action) -> None:
    match action:
        case Draw(number):
            table.draw(number)
        case Answer(seats, micros):
            table.answer(seats, micros)
        case TakeBack():
            table.take_back()
        case Share():
            table.share()
        case Close():
            table.close()


def looks(state: State) -> dict:
    """What `Table.looks` tells."""
    return {
        "cards": list(state.taken),
        "purses": list(state.purses),
        "hands": list(state.hands),
        "pool": state.pool,
        "bag": state.bag,
        "called": list(state.numbers),
        "covered": {
            serial: covered for serial in state.setup.cards if (covered := state.covered(serial))
        },
        "heard": [(one.seat, one.verdict, one.tied) for one in state.answered],
        "wins": [(win.stage, win.seat, win.cards, win.amount, win.calls) for win in state.wins],
        "phase": state.phase,
    }


def tried(state: State, table: Table, action) -> tuple[State, Table] | None:
    """Both after an action, which neither or both allow."""
    moved = copy.deepcopy(table)
    try:
        found = GAME.apply(state, action)
    except IllegalAction:
        with pytest.raises(Refused):
            do(moved, action)
        return None
    do(moved, action)
    assert looks(found) == moved.looks()
    assert sum(GAME.funds(found).values()) == sum(state.setup.purses)
    assert min(GAME.funds(found).values()) >= 0
    return found, moved


SMALL = SAMPLES["loto-first"].setups["whole"].cards


@st.composite
def companies(draw) -> Setup:
    """Up to three players, with any stakes, and cards of four numbers."""
    takes = draw(
        st.sampled_from([(1,), (2,), (1, 1), (2, 1), (1, 0), (0, 1, 1), (1, 1, 1), (0, 3)])
    )
    stakes = draw(st.sampled_from(Stakes))
    counters = stakes is Stakes.COUNTERS
    each = draw(st.integers(4 * max(takes), 14)) if counters else 0
    stake = 0 if counters else draw(st.integers(0, 9))
    purses = tuple(
        draw(st.integers(0, 9)) + (each if count else 0) + stake * count for count in takes
    )
    return Setup(
        SMALL,
        takes,
        purses,
        stakes,
        draw(st.sampled_from(Answering)),
        stake,
        each,
        draw(st.booleans()),
        register="r",
        knobs=5,
    )


@pytest.mark.long
@given(setup=companies(), data=st.data())
@examples(100)
def test_a_game_goes_as_on_the_table(setup, data):
    """Answers in any order, ties, wrong knobs taken back, empty bags: as when single coins are
    moved; the same is refused."""
    state, table = GAME.start(setup), plain(setup)
    seats = range(1, setup.seats + 1)
    assert looks(state) == table.looks()
    for _ in range(data.draw(st.integers(0, 40))):
        # Knobs come and are answered where that can be, so that games are long; anything may be
        # tried.
        likely = [Draw(number) for number in sorted(state.bag)] * (state.phase is GamePhase.PLAYING)
        choice = data.draw(st.integers(0, 9))
        if choice < 4 and state.silent:
            heard = data.draw(st.permutations(state.silent if choice else seats))
            heard = tuple(heard[: data.draw(st.integers(1, len(heard)))])
            micros = tuple(sorted(data.draw(st.integers(0, 1000)) for _ in heard[1:]))
            action = Answer(heard, (0, *micros) if choice % 2 else ())
        elif choice < 8 and likely:
            action = data.draw(st.sampled_from(likely))
        else:
            action = data.draw(
                st.sampled_from(
                    [Close(), Share(), TakeBack(), Draw(1), Draw(6), Answer((1,)), Answer((2, 4))]
                )
            )
            if action == Close() and data.draw(st.booleans()):
                action = TakeBack()
        both = tried(state, table, action)
        if both:
            state, table = both
    assert GAME.parse(setup, GAME.notation(state)) == state


ONE_ANOTHER = {
    "A": Card("A", ((1, 2), (3,))),
    "B": Card("B", ((2,), (1,))),
    "C": Card("C", ((3,), (1,))),
}
CROSSED = {"A": Card("A", ((1,), (2,))), "B": Card("B", ((2,), (1,)))}
TINY = {
    "quarters, the first": (
        Setup(CROSSED, (1, 1), (9, 9), Stakes.QUARTERS, FIRST, stake=5, knobs=2),
        202,
        101,
    ),
    "counters, the first": (
        Setup(CROSSED, (1, 1), (9, 9), Stakes.COUNTERS, FIRST, each=4, knobs=2),
        202,
        101,
    ),
    "all cards, the first": (
        Setup(CROSSED, (2,), (18,), Stakes.QUARTERS, FIRST, stake=5, all_cards=True, knobs=2),
        26,
        13,
    ),
    "quarters, everyone": (
        Setup(ONE_ANOTHER, (1, 1, 1), (9,) * 3, Stakes.QUARTERS, stake=5, knobs=3),
        24,
        12,
    ),
    "counters, everyone": (
        Setup(ONE_ANOTHER, (2, 1), (9, 9), Stakes.COUNTERS, each=5, knobs=3),
        24,
        12,
    ),
}
TRIED = (
    *map(Draw, range(1, 4)),
    Answer((1,)),
    Answer((2,)),
    Answer((1, 2), (0, 9)),
    Answer((2, 1), (0, 9)),
    Share(),
    TakeBack(),
    Close(),
)


@pytest.mark.long
@pytest.mark.parametrize("name", TINY)
def test_every_state_of_a_tiny_game(name):
    """Every state that there is, and every action in it: it is the same by the station and on the
    table."""
    setup, states, ends = TINY[name]
    start = GAME.start(setup)
    seen, open_ = {GAME.notation(start): start}, [(start, plain(setup))]
    while open_:
        state, table = open_.pop()
        for action in TRIED:
            both = tried(state, table, action)
            if both and (text := GAME.notation(both[0])) not in seen:
                seen[text] = both[0]
                open_.append(both)
                assert GAME.parse(setup, text) == both[0]
    assert (len(seen), sum(state.over for state in seen.values())) == (states, ends)


@pytest.mark.parametrize("takes", [(1, 1, 1), (2, 1), (1, 2)])
def test_every_order_of_the_knobs(takes):
    """The pool is won by those whose card has its last number first, in every one of the orders
    that there are."""
    setup = Setup(SMALL, takes, (12,) * len(takes), stake=6, knobs=5)
    start = GAME.start(setup)
    for order in permutations(range(1, 6)):
        full = {
            seat: min(
                max(order.index(number) for number in setup.cards[serial].numbers)
                for serial in cards
            )
            for seat, cards in enumerate(setup.taken, 1)
        }
        winners = [seat for seat, place in full.items() if place == min(full.values())]
        state = after(start, *map(Draw, order[: min(full.values()) + 1]))
        assert [win.seat for win in state.wins] == winners
        assert [win.amount for win in state.wins] == [18 // len(winners)] * len(winners)
        assert state.phase is GamePhase.WON


@pytest.mark.long
@pytest.mark.parametrize("stakes", Stakes)
def test_a_game_at_the_books_size(stakes):
    """Twenty-four players with a card each answer as quickly as they can, until the bag is empty;
    no coin is lost."""
    luck = Random(7)
    cards = {card.serial: card for card in make_pack(4, luck).cards()}
    paid = {"each": 20} if stakes is Stakes.COUNTERS else {"stake": 25}
    setup = Setup(cards, (1,) * 24, (40,) * 24, stakes, FIRST, **paid)
    state, table = GAME.start(setup), plain(setup)
    for number in luck.sample(range(1, 91), 90):
        heard = [seat for seat in state.holders(number) if luck.random() < 0.9] + [
            luck.randint(1, 24)
        ]
        heard = list(dict.fromkeys(luck.sample(heard, len(heard))))
        actions = [
            Draw(number),
            Answer(tuple(heard[:2]), (0, 700)[: len(heard[:2])]),
            *(Answer((seat,)) for seat in heard[2:]),
        ]
        for action in actions:
            state = GAME.apply(state, action)
            do(table, action)
    assert GAME.parse(setup, GAME.notation(state)) == state
    state = GAME.apply(state, Share())
    do(table, Share())
    assert looks(state) == table.looks()
    assert sum(state.purses) == 24 * 40


# -- what games at the table share -----------------------------------------------------------------


@given(units=st.integers(0, 99), cards=st.lists(st.integers(0, 4), min_size=1, max_size=6))
def test_what_goes_back_by_card_is_dealt_round(units, cards):
    """Like coins that are laid on the cards one by one from the eldest hand on, round and round."""
    taken = [tuple(range(count)) for count in cards]
    dealt = [seat for seat, held in enumerate(taken) for _ in held]
    back = [0] * len(taken)
    for coin in range(units if dealt else 0):
        back[dealt[coin % len(dealt)]] += 1
    assert by_card(units, taken) == tuple(back)


def test_moves_have_names():
    """A move is asked for by the name of its action; knobs come by themselves."""
    assert [*MOVES.items()] == [("answer", Answer), ("share", Share)]
    assert set(loto_second.MOVES) == {
        "agree",
        "decline",
        "exchange",
        "finish",
        "put-away",
        "replenish",
        "resolve",
        "settle",
        "take",
        "throw-up",
    }
