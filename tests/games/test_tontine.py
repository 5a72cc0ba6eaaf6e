"""Tontine: its cards, deaths and revivals, how it ends; beside a second, plain statement of it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from station.base.errors import IllegalAction, Unreadable
from station.base.nouns import PACK
from station.games.tontine.play import GAME
from station.games.tontine.rules import (
    Deal,
    GamePhase,
    Reason,
    Setup,
    State,
    TakeBack,
    Turn,
    broken,
)
from station.rules.game import Ending
from station.rules.play import Played
from station.rules.seen import Watching
from tests.drill.plain_tontine import Table

LONG = 4000  # deals: no game of a few players is so long


def game(seats: int, stake: int = 12) -> State:
    return GAME.start(Setup((stake + 5,) * seats, stake))


def lying(*hands: int, box: int = 0, dealer: int = 0) -> State:
    """A later deal of a game: what lies before each seat, and in the box."""
    seats = len(hands)
    stake, odd = divmod(sum(hands) + box, seats)
    assert not odd
    state = GAME.start(Setup((stake,) * seats, stake))
    return replace(state, lay=hands, box_lay=box, dealer=dealer or seats, deal=2)


def after(state: State, *cards: str) -> State:
    for face in cards:
        state = GAME.apply(state, Turn((face,)))
    return state


# Seat 1 of four deals last; the first card is for seat 4, who has five counters as all have.
CARDS = [
    ("KS", (5, 5, 5, 8), 5),
    ("QH", (5, 5, 5, 7), 6),
    ("JD", (5, 5, 5, 6), 7),
    ("10C", (5, 5, 5, 5), 8),
    ("AS", (6, 5, 5, 4), 8),
    ("2H", (5, 7, 5, 3), 8),
    ("3D", (5, 5, 8, 2), 8),
    ("4C", (5, 5, 5, 3), 10),
    ("5S", (5, 5, 5, 4), 9),
    ("6H", (5, 5, 5, 3), 10),
    ("7D", (5, 5, 5, 4), 9),
    ("8C", (5, 5, 5, 3), 10),
    ("9S", (5, 5, 5, 4), 9),
]


@pytest.mark.parametrize(("face", "hands", "box"), CARDS, ids=[card[0] for card in CARDS])
def test_each_rank_pays_what_the_book_says(face, hands, box):
    """From the box, to the first, second, third on the left, into the box, or nothing."""
    state = after(lying(5, 5, 5, 5, box=8, dealer=1), face)
    assert (state.hands, state.pool) == (hands, box)


def test_a_stake_is_taken_and_three_go_into_the_box():
    """Each has the rest before him; the last seat deals first, to his right, himself last."""
    state = game(3, 15)
    assert (state.hands, state.pool, state.purses) == ((12, 12, 12), 9, (5, 5, 5))
    assert (state.dealer, state.to_come) == (3, (2, 1, 3))


def test_who_has_fewer_pays_what_he_has_and_a_short_box_gives_what_is_there():
    """Nobody owes, the box does not either."""
    assert after(lying(5, 5, 1, 9, dealer=4), "8C").hands == (5, 5, 0, 9)
    assert after(lying(5, 5, 1, 9, dealer=4), "3C").hands == (5, 6, 0, 9)
    short = after(lying(6, 6, 6, box=2 * 3, dealer=3), "KS", "KH", "KD")
    assert (short.hands, short.pool) == ((9, 9, 6), 0)


@pytest.mark.parametrize(
    ("seats", "face", "hands"),
    [
        (2, "AS", (6, 4)),
        (2, "2S", (5, 5)),
        (2, "3S", (8, 2)),
        (3, "3S", (5, 5, 5)),
        (3, "2S", (7, 3, 5)),
    ],
)
def test_gifts_count_on_round_a_small_table(seats, face, hands):
    """Second and third on the left may be the neighbour once more, or oneself: then nothing."""
    state = after(lying(*(5,) * seats, dealer=1 if seats == 2 else 3), face)
    assert state.turned[0].seat == 2
    assert state.hands == hands


def test_the_dead_have_no_card_and_no_deal_and_a_gift_revives_them():
    """They keep their seats: the gift counts them. Who is revived plays from the next deal on."""
    state = lying(5, 0, 5, 6, dealer=4)
    assert state.order == (3, 1, 4)
    state = after(state, "10S", "AS")
    assert state.hands == (4, 1, 5, 6)
    assert (state.to_come, state.revived, state.died) == ((4,), (2,), ())
    state = after(state, "10H")
    assert state.following.dealer == 3
    assert state.to_come == (2, 1, 4, 3)
    assert lying(5, 0, 0, 11, dealer=4).following.dealer == 1


def test_death_is_judged_after_the_whole_deal():
    """Who stands at nought still has his card, and may draw; who has none left then is dead."""
    state = after(lying(1, 1, 5, 5, box=4, dealer=4), "10S", "5S")
    assert (state.hands, state.died) == ((1, 0, 5, 5), ())
    drawn = after(lying(1, 1, 5, 5, box=4, dealer=2), "5S", "10S")
    assert drawn.hands == (0, 1, 5, 5)
    assert drawn.living == (1, 2, 3, 4)
    dead = after(drawn, "10H", "10C")
    assert (dead.died, dead.living, dead.order) == ((1,), (2, 3, 4), (1, 4, 3, 2))
    saved = after(lying(1, 2, 9, box=0, dealer=2), "5S", "AS", "10S")
    assert saved.hands == (1, 2, 8)
    assert saved.died == ()


def test_who_outlives_all_the_rest_has_the_box():
    """He keeps what he has, and takes it besides; nobody else takes anything home."""
    state = after(lying(3, 1, box=8, dealer=1), "9S", "10H")
    assert state.winner == 1
    assert (state.hands, state.pool, state.purses) == ((0, 0), 0, (12, 0))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.ending, outcome.winners) == (Ending.WON, ("1",))


def test_where_nobody_is_left_who_was_emptied_last_wins():
    """The latest payment decides."""
    state = after(lying(1, 1, 0, box=10, dealer=1), "9S", "4H")
    assert (state.winner, state.purses) == (1, (12, 0, 0))
    state = after(lying(1, 1, 0, box=10, dealer=2), "9S", "4H")
    assert (state.winner, state.purses) == (2, (0, 12, 0))


def test_a_game_broken_off_is_shared_by_the_living():
    """Odd counters go to the eldest hands; who is dead has nothing of it; at the start all goes
    back."""
    state = broken(lying(5, 0, 6, 4, box=5, dealer=4))
    assert (state.purses, state.winner) == ((7, 0, 8, 5), None)
    assert broken(game(3)).purses == (17, 17, 17)
    # In the middle of a deal a player without counters still has his card.
    state = broken(after(lying(1, 1, 6, box=4, dealer=3), "9S"))
    assert state.purses == (3, 2, 7)
    with pytest.raises(IllegalAction):
        broken(state)


def test_each_deal_has_a_whole_pack_and_as_many_as_the_company_needs():
    """A card is out until the deal is over; over 52 players there are two of each, and so on."""
    state = after(game(2), "QH")
    assert "QH" not in state.stock
    assert sorted(after(state, "QD").stock) == sorted(PACK)
    with pytest.raises(IllegalAction, match="QH was turned up") as refused:
        after(state, "QH")
    assert refused.value.reason is Reason.OUT
    others = tuple(face for face in PACK if face != "10S")
    many = GAME.apply(game(53), Deal(("10S", "10S", *others)))
    assert many.dealt
    with pytest.raises(IllegalAction, match="10S was turned up"):
        GAME.apply(game(53), Deal(("10S", "10S", "10S", *others[:50])))
    assert len(game(105).stock) == 156


def test_a_card_keyed_in_is_taken_back_and_one_of_the_stations_stays():
    """What it paid goes back, over the end of a deal as well."""
    state = after(game(2), "KS", "QS")
    assert TakeBack() in [*GAME.legal_actions(state)]
    one = GAME.apply(state, TakeBack())
    assert one == after(game(2), "KS")
    assert GAME.apply(one, TakeBack()) == game(2)
    dealt = GAME.apply(after(game(3), "KS"), Deal(("QS", "JS")))
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(dealt, TakeBack())
    assert refused.value.reason is Reason.NOTHING_KEYED
    begun = after(dealt, "AS")
    back = GAME.apply(begun, TakeBack())
    assert (back.deal, back.cards, back.hands) == (2, (), dealt.hands)


def test_who_cannot_play_is_refused():
    """One player, a stake that is only for the box, a purse that is too small."""
    for setup, why in (
        (Setup((20,)), "two or more"),
        (Setup((20, 20), 3), "at least 4"),
        (Setup((20, 11)), "seat 2"),
        (Setup((20, 20), pack=()), "empty pack"),
    ):
        with pytest.raises(Unreadable, match=why):
            GAME.start(setup)


# -- beside the plain table ------------------------------------------------------------------------


def played(seats: int, stake: int, chance: Random, *, keyed: bool = False) -> State:
    """Play a whole game on both tables; after every deal they stand alike."""
    state, table = game(seats, stake), Table(seats, stake)
    total = sum(GAME.funds(state).values())
    for _ in range(LONG):
        assert [player.name for player in table.who_has_cards()] == [*state.to_come]
        cards = chance.sample(state.stock, len(state.to_come))
        state = after(state, *cards) if keyed else GAME.apply(state, Deal(tuple(cards)))
        table.deal(cards)
        assert sum(GAME.funds(state).values()) == total
        heaps = tuple(len(player.heap) for player in table.players)
        if state.over:
            assert table.winner is not None
            assert (state.winner, state.redeemed) == (table.winner.name, heaps)
            return state
        assert (state.lies, state.in_box) == (heaps, len(table.box))
        assert [player.name for player in table.players if player.alive] == [*state.living]
    raise AssertionError("it never ends")


@pytest.mark.long
@pytest.mark.parametrize("keyed", [False, True])
def test_it_is_settled_as_on_the_plain_table(keyed):
    """300 games at random, of 2 to 15 players and more, with stakes of 4 to 20, end and are settled
    alike."""
    chance = Random(16 + keyed)
    for _ in range(150):
        state = played(chance.choice((2, 2, 3, 3, 4, 5, 7, 12)), chance.randint(4, 12), chance)
        assert state.phase is GamePhase.WON
    played(15, 20, chance, keyed=keyed)
    played(60, 4, chance)


def test_only_the_cards_of_a_deal_are_told_one_by_one():
    """Three dealt at once are three steps; one keyed in after them is none, and takes no step from
    the last deal."""
    start = game(3)
    deal = Deal(("KS", "QS", "JS"))
    dealt = GAME.apply(start, deal)
    assert len(GAME.recital(Played(start, deal, dealt))) == 3
    assert GAME.view(dealt, Watching.EVERYBODY, 0) != GAME.view(dealt, Watching.EVERYBODY, 2)
    turn = Turn(("10S",))
    turned = GAME.apply(dealt, turn)
    assert GAME.recital(Played(dealt, turn, turned)) == ()
    assert GAME.recital(Played(turned, TakeBack(), GAME.apply(turned, TakeBack()))) == ()
