"""Bell and Hammer: the book's payments case by case, the two auctions, debts, the dividing of
receipts, and whole games held to a second, plain statement of the rules."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import IllegalAction, Unreadable
from station.games.bell_and_hammer.play import GAME
from station.games.bell_and_hammer.rules import broken, settled
from station.games.bell_and_hammer.state import (
    BLANKS,
    CARDS,
    CUBES,
    Bid,
    GamePhase,
    KeepThrow,
    KnockDown,
    OfferThrow,
    PassBid,
    SellThrow,
    Setup,
    SoldCard,
    State,
    TakeBack,
    ThrowCubes,
)
from station.rules.game import Ending, Outcome
from tests.drill.plain_hammer import POOL, PlainTable, divided
from tests.examples import examples

PLAIN_NAMES = dict(
    zip(CARDS, ("white horse", "inn", "bell", "hammer", "bell and hammer"), strict=True)
)
VARIATIONS = {
    "counters": {},
    "three dozen": {"start": 36},
    "receipts": {"price": 7},
    "nuts": {"nuts": True},
}


def table(*held: int, players: int = 4, pool: int = 0, **more) -> State:
    """A game in which the cards have these holders; the pool may be made smaller."""
    state = GAME.start(Setup((1000,) * players, held=held or (1, 2, 3, 4, 4), **more))
    left = state.pool - pool if pool else 0
    while left:
        shown = next(
            one
            for one in (
                ("1", "2", "3", "4", "5", "6"),
                ("6",),
                ("5",),
                ("4",),
                ("3",),
                ("2",),
                ("1",),
            )
            if sum(map(int, one)) <= left
        )
        state = GAME.apply(state, ThrowCubes(shown))
        left = state.pool - pool
    return state


def changes(state: State, *shown: str) -> tuple[int, ...]:
    """What a throw brings each player, and last the pool."""
    after = GAME.apply(state, ThrowCubes(shown or BLANKS))
    had, has = state.hands, after.final or after.hands
    return (*(now - was for was, now in zip(had, has, strict=True)), after.pool - state.pool)


# -- what the cubes pay ----------------------------------------------------------------------------

# Anna holds the white horse, Bruno the inn, Carla the bell, Dario the hammer and the double card;
# Anna throws.
THROWS = [
    ((), (2, 0, -1, -1, 0)),  # three pay her one, and she pays one to the inn: Bruno is even
    (("bell",), (1, 0, -1, 0, 0)),
    (("hammer",), (1, 0, 0, -1, 0)),
    (("bell", "hammer"), (1, 0, 0, -1, 0)),
    (("2", "5"), (7, 0, 0, 0, -7)),
    (("1", "2", "3", "4", "5", "6"), (21, 0, 0, 0, -21)),
    (("2", "5", "bell"), (0, 0, 7, 0, -7)),
    (("3", "hammer"), (0, 0, 0, 3, -3)),
    (("3", "bell", "hammer"), (0, 0, 0, 3, -3)),
]


@pytest.mark.parametrize(("shown", "pays"), THROWS)
def test_what_a_throw_pays_while_the_pool_is_full(shown, pays):
    """The book's table, one row a case."""
    assert changes(table(), *shown) == pays


def test_the_books_example_of_an_overplus():
    """Four are in the pool, and ten are thrown: six to the inn, and the pool keeps its four; if two
    are thrown, those two are paid from the pool."""
    state = table(pool=4)
    thrower = state.thrower
    pays = changes(state, "4", "6")
    assert (pays[thrower - 1], pays[1], pays[4]) == ((0, 0, 0) if thrower == 2 else (-6, 6, 0))
    two = changes(state, "2")
    assert (two[thrower - 1], two[4]) == (2, -2)


INN_RECEIVES = [
    ((), (-1, 1, 0, 0, 0)),  # the players pay nothing, but the white horse pays the inn
    (("bell",), (0, 1, -1, 0, 0)),
    (("bell", "hammer"), (0, 1, 0, -1, 0)),
    (("2", "5", "bell"), (0, 3, -3, 0, 0)),
    (("4", "bell"), (0, 0, 4, 0, -4)),
    (("5",), (0, 1, -1, 0, 0)),  # Carla throws
]


@pytest.mark.parametrize(("shown", "pays"), INN_RECEIVES)
def test_what_a_throw_pays_once_the_inn_receives(shown, pays):
    """From the first overplus on; four are in the pool."""
    state = table(pool=4)
    while not (state.inn and state.thrower == 3):
        state = GAME.apply(state, ThrowCubes(("6",)))
    assert changes(state, *shown) == pays


def test_blanks_do_not_begin_the_inn():
    """It was paid for blanks, and all pay the white horse again."""
    state = GAME.apply(table(), ThrowCubes(BLANKS))
    assert not state.inn
    assert changes(state) == THROWS[0][1]


def test_who_is_on_both_sides_pays_nothing():
    """One who holds all cards gets one from each, and pays himself nothing."""
    state = table(2, 2, 2, 2, 2)
    assert changes(state) == (-1, 3, -1, -1, 0)
    assert changes(state, "bell") == (0, 0, 0, 0, 0)
    low = table(2, 2, 2, 2, 2, pool=1)
    assert changes(low, "3", "hammer") == (0, 0, 0, 0, 0)


def test_the_throw_that_clears_the_pool_ends_the_game():
    """Exactly: what is more goes to the inn, and play goes on."""
    state = table(pool=3)
    over = GAME.apply(state, ThrowCubes(("5",)))
    assert GAME.outcome(over) is None
    done = GAME.apply(over, ThrowCubes(("3",)))
    assert done.phase is GamePhase.WON
    assert done.hands == (0, 0, 0, 0)
    most = max(done.final)
    assert GAME.outcome(done) == Outcome(
        Ending.WON, tuple(str(seat) for seat in (1, 2, 3, 4) if done.final[seat - 1] == most)
    )


# -- the auctions ----------------------------------------------------------------------------------


def played(state: State, *actions) -> State:
    """The state after some actions."""
    for action in actions:
        state = GAME.apply(state, action)
    return state


def refused(state: State, action) -> str:
    """Why an action is refused."""
    with pytest.raises(IllegalAction) as error:
        GAME.apply(state, action)
    return error.value.reason.value


def test_a_card_goes_to_the_highest_bidder():
    """Bids go round from the eldest hand, each tops the last; who passes is out; the price goes
    into the pool."""
    state = GAME.start(Setup((100,) * 3))
    assert (state.pool, state.hands) == (36, (12, 12, 12))
    state = played(state, Bid(1, 3), Bid(2, 5), PassBid(3), PassBid(1))
    assert refused(state, Bid(2, 6)) == "not-your-turn"
    state = played(state, KnockDown())
    assert (state.pool, state.hands, state.owners) == (41, (12, 7, 12), (2,))
    assert state.lot is SoldCard.INN
    assert refused(state, Bid(2, 1)) == "not-your-turn"
    assert refused(state, KnockDown()) == "still-bidding"
    assert refused(state, Bid(1, 0)) == "bid-too-low"
    assert refused(played(state, Bid(1, 4)), Bid(2, 4)) == "bid-too-low"
    assert refused(state, Bid(1, 73)) == "bid-too-high"
    assert refused(state, ThrowCubes(BLANKS)) == "no-throw-now"


def test_cards_without_a_bid_are_given_round():
    """The first to the eldest hand, each next to the seat after him who got the one before, bought
    or given."""
    state = GAME.start(Setup((100,) * 3))
    nobody = (PassBid(1), PassBid(2), PassBid(3), KnockDown())
    state = played(state, *nobody)
    assert state.owners == (1,)
    state = played(state, PassBid(1), PassBid(2), Bid(3, 2), KnockDown(), *nobody)
    assert state.owners == (1, 3, 1)
    state = played(state, *nobody, *nobody)
    assert state.owners == (1, 3, 1, 2, 3)
    assert state.pool == 38
    assert (state.turn, state.thrower) == (1, 1)


def test_the_cashier_advances_what_a_bidder_lacks():
    """The pool has the full price at once, the hand is below zero, and receipts fill it first."""
    state = GAME.start(Setup((100,) * 2))
    state = played(state, Bid(1, 30), PassBid(2), KnockDown())
    assert (state.hands, state.pool) == ((-18, 12), 54)
    for _ in range(4):
        state = played(state, PassBid(1), Bid(2, 1), KnockDown())
    state = played(state, ThrowCubes(("6",)), ThrowCubes(("2",)))
    assert state.hands == (-12, 10)


def test_a_throw_is_sold_to_the_highest_bidder():
    """The price goes to the seller; the buyer throws, receives and pays; the turn goes on from the
    seller."""
    state = played(table(), OfferThrow(1), PassBid(2), Bid(3, 2), Bid(4, 3), PassBid(3))
    assert refused(state, ThrowCubes(BLANKS)) == "no-throw-now"
    assert refused(state, SellThrow(4)) == "not-your-turn"
    sold = played(state, SellThrow(1))
    assert (sold.hands, sold.thrower, sold.turn) == ((15, 12, 12, 9), 4, 1)
    assert refused(sold, OfferThrow(4)) == "not-your-turn"
    assert refused(sold, OfferThrow(1)) == "already-offered"
    after = played(sold, ThrowCubes(("2",)))
    assert (after.hands, after.thrower, after.turn) == ((15, 12, 12, 11), 2, 2)
    kept = played(state, KeepThrow(1))
    assert (kept.hands, kept.thrower) == ((12, 12, 12, 12), 1)
    assert refused(kept, OfferThrow(1)) == "already-offered"


def test_a_throw_without_a_bid_is_thrown_by_its_seller():
    """And nothing is to be sold or kept."""
    state = played(table(), OfferThrow(1), PassBid(2), PassBid(3), PassBid(4))
    assert (state.thrower, state.auction) == (1, None)
    assert refused(state, SellThrow(1)) == refused(state, KeepThrow(1)) == "no-bid"
    assert changes(state, "4")[0] == 4


def test_a_throw_read_wrongly_is_taken_back():
    """With all that was paid, the inn's beginning, and whose throw it was; once, and before
    anything else."""
    bought = played(table(pool=4), OfferThrow(state_turn := table(pool=4).turn))
    while bought.auction.turn:
        seat = bought.auction.turn
        bid = bought.auction.bidder == 0
        bought = played(bought, Bid(seat, 2) if bid else PassBid(seat))
    bought = played(bought, SellThrow(state_turn))
    for shown in (("6", "5"), ("2", "bell"), BLANKS, ("hammer",)):
        after = played(bought, ThrowCubes(shown))
        back = played(after, TakeBack())
        assert back == replace(bought, last=None)
        assert refused(back, TakeBack()) == "nothing-thrown"
        assert refused(played(after, OfferThrow(after.turn)), TakeBack()) == "nothing-thrown"
    assert refused(played(bought, ThrowCubes(("4",))), TakeBack()) == "game-over"


@pytest.mark.parametrize(
    ("setup", "why"),
    [
        (Setup((100,)), "from 2 to 24 can play"),
        (Setup((100,) * 25), "from 2 to 24 can play"),
        (Setup((100, 23)), "seat 2 has 23; its counters cost 24"),
        (Setup((100, 100), start=6), "give out enough"),
        (Setup((100, 100), start=30), "give out whole dozens"),
        (Setup((100, 100), held=(3,)), "five seats of the table"),
        (Setup((100, 100), cubes=("2",)), "a 1 among them"),
    ],
)
def test_who_cannot_play_is_told_why(setup, why):
    """Too few or too many, a poor purse, counters that are no dozens."""
    with pytest.raises(Unreadable, match=why):
        GAME.start(setup)


# -- the end ---------------------------------------------------------------------------------------


def test_receipts_are_divided_by_the_counters_held():
    """In proportion; a debt pays its price first, rounded up; odd pence to the most, among equals
    to the eldest."""
    setup = Setup((0,) * 3, price=6)
    assert settled(setup, 36, (36, 36, 0)) == (18, 18, 0)
    assert settled(setup, 37, (36, 36, 0)) == (19, 18, 0)
    assert settled(setup, 36, (10, 63, -1)) == (5, 32, -1)
    assert settled(Setup((0,) * 3), 0, (10, 63, -1)) == (10, 63, -1)


def test_a_game_broken_off_gives_the_pool_back():
    """Equally, odd counters from the eldest hand on."""
    state = GAME.start(Setup((100,) * 3))
    state = broken(played(state, Bid(1, 2), PassBid(2), PassBid(3), KnockDown()))
    assert state.purses == (100 - 24 + 10 + 13, 100 - 24 + 12 + 13, 100 - 24 + 12 + 12)
    assert GAME.outcome(state) == Outcome(Ending.CLOSED, ())
    assert GAME.parse(state.setup, GAME.notation(state)) == state


@given(
    st.lists(st.integers(-60, 90), min_size=2, max_size=6).filter(lambda hands: max(hands) > 0),
    st.integers(1, 40),
    st.integers(0, 500),
)
@examples(200)
def test_the_receipts_are_as_in_the_plain_statement(hands, price, receipts):
    """Penny by penny the same, and nothing is lost."""
    found = settled(Setup((0,) * len(hands), price=price), receipts, tuple(hands))
    assert found == tuple(divided(price, receipts, dict(enumerate(hands, 1))).values())
    assert sum(found) == receipts


# -- whole games -----------------------------------------------------------------------------------


def any_of(state: State, luck: Random):
    """An action at random: bids mostly low, cubes as they fall."""
    listed = [*GAME.legal_actions(state)]
    match luck.choice(listed if luck.random() < 0.5 else listed[-1:]):
        case Bid(seat, least):
            return Bid(seat, min(state.setup.highest, least + int(luck.expovariate(0.4))))
        case ThrowCubes():
            return ThrowCubes(tuple(mark for mark in CUBES if not luck.randrange(6)) or BLANKS)
        case other:
            return other


def held_to_the_plain_statement(before: State, shown, after: State) -> None:
    """A throw pays what the slow table pays."""
    plain = PlainTable(
        {PLAIN_NAMES[card]: before.holder(card) for card in CARDS},
        {**dict(enumerate(before.hands, 1)), POOL: before.pool},
        inn_receives=before.inn,
    )
    plain.throw(before.thrower, shown)
    assert plain.counters.pop(POOL) == after.pool
    assert tuple(plain.counters.values()) == (after.final or after.hands)
    assert plain.inn_receives == after.inn


def a_game(setup: Setup, luck: Random, *, read_back: bool = False) -> State:
    """Plays a game at random to its end, and looks at every step of it: nothing lost, all debts
    kept, each throw as the plain statement pays it, and, if wanted, each line read back."""
    state = GAME.start(setup)
    money = sum(setup.purses)
    while GAME.outcome(state) is None:
        action = any_of(state, luck)
        before, state = state, GAME.apply(state, action)
        if isinstance(action, ThrowCubes):
            held_to_the_plain_statement(before, action.shown, state)
        assert sum(GAME.funds(state).values()) == money
        out = setup.start * setup.seats
        assert sum(state.final or state.hands) + state.pool == out
        assert not read_back or GAME.parse(setup, GAME.notation(state)) == state
    assert state.hands == (0,) * setup.seats
    assert state.pool == state.receipts == 0
    if setup.price:
        paid = setup.paid * setup.seats
        home = divided(setup.price, paid, dict(enumerate(state.final, 1))).values()
        gains = [
            now - was + setup.paid for now, was in zip(state.purses, setup.purses, strict=True)
        ]
        assert gains == [*home]
    else:
        assert sum(state.purses) == money
    return state


@pytest.mark.long
@pytest.mark.parametrize("variation", VARIATIONS)
def test_three_hundred_games_of_each_variation_end(variation):
    """With 2 to 24 players each game ends, and its ledger is balanced at every step."""
    luck = Random(f"bell and hammer {variation}")
    for number in range(300):
        players = 2 + number % 7 if number % 30 else 24
        setup = Setup((500,) * players, **VARIATIONS[variation])
        a_game(setup, luck, read_back=not number % 15)


@given(st.data())
@examples(60)
def test_counters_and_debts_are_conserved(data):
    """Whatever is bid, sold and thrown: hands, debts and pool together are what was given out."""
    price = data.draw(st.sampled_from((0, 5, 12)))
    setup = Setup((300,) * data.draw(st.integers(2, 5)), price=price)
    state = GAME.start(setup)
    for _ in range(data.draw(st.integers(0, 60))):
        listed = [*GAME.legal_actions(state)]
        if not listed:
            break
        action = data.draw(st.sampled_from(listed))
        if isinstance(action, Bid):
            counters = data.draw(st.integers(action.counters, setup.highest))
            action = Bid(action.seat, counters)
        elif isinstance(action, ThrowCubes):
            action = ThrowCubes(data.draw(st.sampled_from(setup.throws)))
        state = GAME.apply(state, action)
        assert sum(state.final or state.hands) + state.pool == setup.start * setup.seats
        assert sum(GAME.funds(state).values()) == sum(setup.purses)
