"""My Bird Sings: songs, how cards go on, exchanges, idle rounds, tricks; beside a second, plain
statement of a song."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from random import Random

import pytest

from station.base.errors import IllegalAction, Unreadable
from station.base.nouns import PACK, SHORT_PACK, SUITS
from station.games.my_bird_sings.bot import at_the_deal
from station.games.my_bird_sings.play import GAME
from station.games.my_bird_sings.rules import broken
from station.games.my_bird_sings.state import (
    IDLE_ROUNDS,
    MOST_SEATS,
    ROUNDS_BEFORE,
    DealBirds,
    GamePhase,
    Listen,
    Passing,
    PassOn,
    Pick,
    PutOut,
    Reason,
    Setup,
    Sing,
    Song,
    State,
    TurnHand,
)
from station.night.table.practice import TableLuck
from station.rules.game import Ending
from station.rules.seen import Viewer, Watching
from tests.plain_bird import plain_has_song, plain_shares, plain_song

LONG = 20_000  # actions: no game is so long
DRAW = Passing.DRAW


def dealt(*hands: str, stock: str = "", dealer: int = 0, **agreed: object) -> State:
    """A game with these hands, each a row of cards, and this stock; the pack has just these."""
    held = [hand.split() for hand in hands]
    pack = tuple(card for hand in held for card in hand) + tuple(stock.split())
    setup = Setup((9,) * len(hands), pack=pack, **agreed)
    state = GAME.start(setup)
    state = replace(state, dealer=dealer or state.dealer)
    rows = zip(*(held[seat - 1] for seat in state.order), strict=True)
    cards = tuple(card for one in rows for card in one) + tuple(stock.split())
    state = GAME.apply(state, DealBirds(cards))
    assert state.hands == tuple(map(tuple, held))
    return state


def quiet(state: State) -> State:
    """Nobody who is asked has a song, or says so."""
    while state.asked:
        state = GAME.apply(state, Listen(state.asked[0]))
    return state


def passed(state: State, *cards: str) -> State:
    for card in cards:
        state = GAME.apply(state, PassOn(state.turn, (card,)))
    return state


def refused(state: State, action: object) -> Reason:
    with pytest.raises(IllegalAction) as error:
        GAME.apply(state, action)
    return Reason(error.value.reason)


# -- songs ---------------------------------------------------------------------------------------


def test_a_song_is_found_as_by_the_plain_test_in_every_hand_by_its_suits():
    """Every way in which four cards can have suits, each with the number of such hands: together
    270,725, of them 2,860 of one suit and 28,561 of four; three cards and flushes likewise."""
    for of, flushes, songs in ((4, False, 2860 + 28561), (4, True, 2860), (3, True, 4 * 286)):
        setup = Setup((9, 9), flushes=flushes and of == 4, three_cards=of == 3)
        hands = found = 0
        for suits in combinations_with_replacement(SUITS, of):
            count = Counter(suits)
            cards = [f"{rank}{suit}" for suit in count for rank in range(2, 2 + count[suit])]
            ways = prod(comb(13, many) for many in count.values())
            assert setup.sings(cards) is plain_song(cards, flushes=flushes, of=of)
            hands += ways
            found += ways * setup.sings(cards)
        assert (hands, found) == (comb(52, of), songs)


@pytest.mark.long
def test_a_song_is_found_as_by_the_plain_test_in_all_hands():
    """All 270,725 hands of four cards; and what a hand of one card more has in it."""
    setup, chance = Setup((9, 9)), Random(8)
    for hand in combinations(PACK, 4):
        assert setup.sings(hand) is plain_song([*hand], flushes=False, of=4)
    for of, flushes in ((4, False), (4, True), (3, True)):
        setup = Setup((9, 9), flushes=flushes and of == 4, three_cards=of == 3)
        for _ in range(2000):
            hand = chance.sample(PACK, of + 1)
            assert bool(setup.songs(hand)) is plain_has_song(hand, flushes=flushes, of=of)


def test_the_chance_of_a_song_at_the_deal():
    """As counted over all deals of eight cards to two; of one hand as the plain numbers say it; and
    the more players, the likelier."""
    pack = ("AS", "2S", "3S", "4S", "AH", "2H", "AD", "AC")
    setup = Setup((9, 9), pack=pack)
    deals = [*combinations(pack, 4)]
    sung = sum(
        plain_song([*one], flushes=False, of=4)
        or plain_song([card for card in pack if card not in one], flushes=False, of=4)
        for one in deals
    )
    assert at_the_deal(setup, 2) == Fraction(sung, len(deals))
    assert at_the_deal(Setup((9, 9), flushes=True), 1) == Fraction(2860, 270725)
    rising = [at_the_deal(Setup((9, 9)), players) for players in range(1, 14)]
    assert rising == sorted(rising)


# -- the deal ------------------------------------------------------------------------------------


def test_each_puts_one_in_the_pool_and_the_dealer_two():
    """The last seat deals first; his left has the first card, and four each."""
    state = GAME.start(Setup((5, 6, 7)))
    assert (state.pool, state.purses, state.dealer, state.leader) == (4, (4, 5, 5), 3, 1)
    state = GAME.apply(state, DealBirds(PACK))
    assert state.hands[0] == ("AS", "4S", "7S", "10S")
    assert len(state.stock) == 52 - 12
    assert state.asked == (1, 2, 3)
    for cards in (PACK[1:], (*PACK[1:], PACK[1]), ()):
        assert refused(GAME.start(Setup((5, 5))), DealBirds(cards)) is Reason.NOT_THE_PACK


def test_of_several_who_sing_at_the_deal_the_first_from_the_dealers_left_has_the_pool():
    """Whoever sits before a singer is still asked, whoever sits behind him is not."""
    flush, rainbow, none = "AS 2S 3S 4S", "AH AD AC 5S", "2H 3H 2D 3D"
    state = dealt(none, flush, rainbow, dealer=3)
    state = GAME.apply(state, Sing(3, tuple(rainbow.split())))
    assert (state.over, state.asked) == (False, (1, 2))
    state = GAME.apply(state, Sing(2, tuple(flush.split())))
    assert (state.over, state.asked) == (False, (1,))
    over = GAME.apply(state, Listen(1))
    assert (over.winners, over.pool, over.purses) == ((2,), 0, (8, 12, 7))
    outcome = GAME.outcome(over)
    assert outcome is not None
    assert (outcome.ending, outcome.winners) == (Ending.WON, ("2",))
    # The same hands with another dealer: seat 3 is the first.
    again = dealt(none, flush, rainbow, dealer=2)
    again = GAME.apply(again, Sing(2, tuple(flush.split())))
    assert GAME.apply(again, Sing(3, tuple(rainbow.split()))).winners == (3,)


def test_nobody_has_to_sing():
    """Who missed it at the deal waits for his next card: the leader passes one on before."""
    state = quiet(dealt("AS 2S 3S 4S", "AH 2H 3D 4D"))
    assert refused(state, Sing(1, ("AS", "2S", "3S", "4S"))) is Reason.NOT_NOW
    assert refused(state, Sing(2, ("AH", "2H", "3D", "4D"))) is Reason.NOT_NOW
    state = passed(state, "4S", "3D")
    assert refused(state, Sing(1, ("AS", "2S", "3S", "3D"))) is Reason.NO_SONG


# -- a card goes round ---------------------------------------------------------------------------


def test_a_card_is_thrown_out_to_the_left_and_a_round_ends_with_the_leader():
    """The leader holds three, each other five in his turn and four after it."""
    state = quiet(dealt("AS 2S 3H 4H", "5S 6S 7H 8H", "9S 10S JH QH", stock="KC KD KS"))
    state = passed(state, "AS")
    assert [*map(len, state.hands)] == [3, 5, 4]
    assert (state.turn, state.rounds) == (2, 0)
    assert refused(state, PassOn(1, ("2S",))) is Reason.NOT_HIS_TURN
    assert refused(state, PassOn(2, ("2S",))) is Reason.NOT_IN_HAND
    assert refused(state, PassOn(2, ("5S", "6S"))) is Reason.NOT_IN_HAND
    assert refused(state, TurnHand(2)) is Reason.NOT_NOW
    assert refused(state, Pick(("5S",))) is Reason.NOT_NOW
    assert refused(state, DealBirds(PACK)) is Reason.NOT_NOW
    state = passed(state, "5S", "9S")
    assert [*map(len, state.hands)] == [4, 4, 4]
    assert (state.turn, state.rounds) == (1, 1)


def test_who_has_had_a_card_sings_on_any_four_of_five():
    """Not on cards that he has not, or on one twice; then all is paid."""
    state = passed(quiet(dealt("AS 2S 3H 4H", "5S 6S 7S 8H")), "AS")
    assert refused(state, Sing(2, ("AS", "5S", "6S", "8H"))) is Reason.NO_SONG
    assert refused(state, Sing(2, ("AS", "AS", "5S", "6S"))) is Reason.NOT_IN_HAND
    assert refused(state, Sing(2, ("2S", "5S", "6S", "7S"))) is Reason.NOT_IN_HAND
    assert refused(state, Sing(1, ("2S", "3H", "4H", "5S"))) is Reason.NOT_NOW
    state = GAME.apply(state, Sing(2, ("7S", "6S", "5S", "AS")))
    assert (state.winners, state.purses, state.hands[1]) == ((2,), (8, 10), ("8H",))
    assert refused(state, Listen(1)) is Reason.OVER


def test_the_hand_is_turned_to_the_next_who_takes_one():
    """The leader, who has nothing to decide yet, turns his at once; then each sings or turns."""
    state = quiet(dealt("AS 2S 3H 4H", "5S 6S 7S 8H", passing=DRAW))
    assert (state.turn, state.turned) == (1, True)
    assert refused(state, Pick(("5S",))) is Reason.NOT_IN_HAND
    state = GAME.apply(state, Pick(("AS",)))
    assert (state.turn, state.turned) == (2, False)
    assert Sing(2, ("5S", "6S", "7S", "AS")) in {*GAME.legal_actions(state)} | {
        Sing(2, ("5S", "6S", "7S", "AS"))
    }
    assert refused(state, PassOn(2, ("8H",))) is Reason.NOT_NOW
    state = GAME.apply(GAME.apply(state, TurnHand(2)), Pick(("8H",)))
    assert (state.turn, state.turned, state.rounds) == (1, False, 1)
    assert GAME.apply(state, TurnHand(1)).turned


# -- cards of the stock --------------------------------------------------------------------------

STUCK = ("AS 2S 3H 4H", "5S 6S 7H 8H")


def round_of(state: State) -> State:
    """One round in which the same card goes round; nobody sings."""
    card = state.hands[state.turn - 1][0]
    for _ in range(state.setup.seats):
        state = passed(state, card)
    return state


def after_rounds(state: State, count: int) -> State:
    for _ in range(count):
        state = round_of(state)
    return state


def test_after_three_rounds_the_leader_takes_a_card_of_another_suit():
    """One of the suit that he put out is rejected; once a round; he may sing on it."""
    state = quiet(dealt(*STUCK, stock="9S 10S JC QD KD"))
    assert refused(after_rounds(state, 2), PutOut(1, ("2S",))) is Reason.NO_EXCHANGE
    state = after_rounds(state, ROUNDS_BEFORE)
    assert refused(state, PutOut(1, ("5S",))) is Reason.NOT_IN_HAND
    state = GAME.apply(state, PutOut(1, ("2S",)))
    assert sorted(state.hands[0]) == ["3H", "4H", "AS", "JC"]
    assert (state.aside, state.stock) == (("2S", "9S", "10S"), ("QD", "KD"))
    assert refused(state, PutOut(1, ("3H",))) is Reason.NO_EXCHANGE
    state = passed(state, "JC")
    assert refused(state, PutOut(2, ("JC",))) is Reason.NO_EXCHANGE
    state = GAME.apply(passed(state, "JC"), PutOut(1, ("4H",)))
    assert GAME.apply(state, Sing(1, ("AS", "3H", "JC", "QD"))).winners == (1,)


def test_where_the_stock_ends_he_takes_his_own_card_back():
    """What was rejected is laid aside; then there is no exchange any more."""
    state = after_rounds(quiet(dealt(*STUCK, stock="9S 10S")), ROUNDS_BEFORE)
    after = GAME.apply(state, PutOut(1, ("2S",)))
    assert (after.hands, after.stock, after.aside) == (state.hands, (), ("9S", "10S"))
    assert after.since == state.since
    assert refused(round_of(after), PutOut(1, ("2S",))) is Reason.NO_EXCHANGE


def test_ten_idle_rounds_end_a_deal():
    """The leader may sing or put a card out with the last card; the next dealer alone pays."""
    state = after_rounds(quiet(dealt(*STUCK, stock="9C 10C")), ROUNDS_BEFORE + IDLE_ROUNDS - 1)
    assert not state.spent
    assert refused(state, Listen(1)) is Reason.NOT_NOW
    state = round_of(state)
    assert state.spent
    assert refused(state, PassOn(1, ("2S",))) is Reason.NOT_NOW
    dead = GAME.apply(state, Listen(1))
    assert (dead.deal, dead.dealer, dead.leader, dead.hands) == (2, 1, 2, ())
    assert (dead.pool, dead.purses) == (4, (7, 7))
    on = GAME.apply(state, PutOut(1, ("2S",)))
    assert (on.spent, on.idle) == (False, 0)
    assert after_rounds(on, IDLE_ROUNDS).spent
    poor = replace(state, purses=(0, 7), setup=replace(state.setup, purses=(1, 9)))
    assert GAME.apply(poor, Listen(1)).pool == poor.pool


# -- variations ----------------------------------------------------------------------------------


def test_flushes_only():
    """Four suits are no song then."""
    state = dealt("AS 2H 3D 4C", "5S 6S 7S 8S", flushes=True)
    assert refused(state, Sing(1, ("AS", "2H", "3D", "4C"))) is Reason.NO_SONG
    state = GAME.apply(GAME.apply(state, Sing(2, ("5S", "6S", "7S", "8S"))), Listen(1))
    assert state.winners == (2,)


def test_three_cards():
    """Any three of one suit of the four in hand; the leader's three and four are two and three."""
    state = quiet(dealt("AS 2H 3D", "5S 6S 7H", three_cards=True))
    assert [len(hand) for hand in passed(state, "AS").hands] == [2, 4]
    state = GAME.apply(passed(state, "AS"), Sing(2, ("AS", "5S", "6S")))
    assert state.winners == (2,)
    assert refused(
        dealt("AS 2H 3D", "5S 6S 7H", three_cards=True), Sing(1, ("AS", "2H", "3D"))
    ) is (Reason.NO_SONG)


def test_tricks_at_the_deal_all_lay_down_and_have_new_cards():
    """From the dealer's left on; new cards are a chance to sing at once."""
    state = dealt("AS 2S 3S 4S", "AH 2H 3H 4H", stock="5S 6S 5H 6H 7S 8S 9S 10S 5D 6D", tricks=True)
    state = GAME.apply(state, Sing(2, ("AH", "2H", "3H", "4H")))
    assert state.asked == (1,)
    state = GAME.apply(state, Sing(1, ("AS", "2S", "3S", "4S")))
    assert state.laid == (Song(1, ("AS", "2S", "3S", "4S")), Song(2, ("AH", "2H", "3H", "4H")))
    assert state.hands == (("5S", "6S", "5H", "6H"), ("7S", "8S", "9S", "10S"))
    assert state.asked == (1, 2)
    # Two are left: the next song counts, and ends the game.
    state = GAME.apply(GAME.apply(state, Sing(2, ("7S", "8S", "9S", "10S"))), Listen(1))
    assert (state.tricks, state.winners, state.purses) == ((1, 2), (2,), (8, 10))


def test_tricks_a_fifth_card_goes_on_first():
    """Then the singer takes four, and may sing at once; the next player has his turn after that."""
    hands = ("AS 2S 3H 4H", "5S 6S 7S 8H", "9D 10D JC QC")
    state = passed(quiet(dealt(*hands, stock="KS KH KD KC 2C 2D 2H", tricks=True)), "AS")
    state = GAME.apply(state, Sing(2, ("AS", "5S", "6S", "7S")))
    assert state.hands[1:] == (("KS", "KH", "KD", "KC"), ("9D", "10D", "JC", "QC", "8H"))
    assert (state.turn, state.asked, state.tricks) == (3, (2,), (0, 1, 0))
    assert refused(state, PassOn(3, ("8H",))) is Reason.NOT_NOW
    quieter = GAME.apply(state, Listen(2))
    assert quieter.may_sing(3)
    assert quieter.idle == 0
    # Three are left in the stock: his second song is the last.
    over = GAME.apply(state, Sing(2, ("KS", "KH", "KD", "KC")))
    assert (over.tricks, over.phase) == ((0, 2, 0), GamePhase.WON)


def test_tricks_who_sang_on_just_four_takes_four_and_passes_one_of_these():
    """The leader, when the card is back with him."""
    hands = ("AS 2S 3S 4H", "5S 6S 7H 8H")
    state = passed(quiet(dealt(*hands, stock="KS KH QS QH 2C", tricks=True)), "4H", "5S")
    state = GAME.apply(state, Sing(1, ("AS", "2S", "3S", "5S")))
    assert (state.turn, state.hands[0], state.may_sing(1)) == (1, ("KS", "KH", "QS", "QH"), True)
    assert passed(state, "KS").turn == 2


def test_tricks_draw_the_next_player_takes_the_fifth():
    """And then sings, or turns his hand."""
    hands = ("AS 2S 3H 4H", "5S 6S 7S 8H")
    state = quiet(dealt(*hands, stock="KS KH QS QH 2C", passing=DRAW, tricks=True))
    state = GAME.apply(state, Pick(("AS",)))
    state = quiet(GAME.apply(state, Sing(2, ("AS", "5S", "6S", "7S"))))
    assert state.hands == (("2S", "3H", "4H", "8H"), ("KS", "KH", "QS", "QH"))
    assert (state.turn, state.turned, state.rounds) == (1, False, 1)


def test_tricks_a_round_with_a_song_is_not_idle_and_ten_idle_ones_end_the_game():
    """Nobody has a trick: all divide; an odd counter goes to the dealer's left."""
    state = after_rounds(quiet(dealt(*STUCK, tricks=True)), ROUNDS_BEFORE + IDLE_ROUNDS)
    over = GAME.apply(state, Listen(1))
    assert (over.phase, over.winners, over.purses) == (GamePhase.WON, (1, 2), (10, 8))
    hands = ("AS 2S 3S 4H", "5S 6S 7H 8H")
    stock = "KS KH QS QH 2C 3C"
    state = after_rounds(quiet(dealt(*hands, stock=stock, tricks=True)), ROUNDS_BEFORE + 1)
    assert state.idle == 1
    state = GAME.apply(passed(state, "4H", "5S"), Sing(1, ("AS", "2S", "3S", "5S")))
    assert state.idle == 0
    # In the midst of a round: the whole of it counts.
    hands, stock = ("AS 2S 3H 4H", "5S 6S 7S 8H", "9D 10D JC QC"), "KS KH QS QH 2C 2D 2H"
    state = after_rounds(quiet(dealt(*hands, stock=stock, tricks=True)), ROUNDS_BEFORE + 1)
    assert state.idle == 1
    state = quiet(GAME.apply(passed(state, "AS"), Sing(2, ("AS", "5S", "6S", "7S"))))
    assert (state.turn, state.idle) == (3, 0)
    state = passed(state, "8H")
    assert (state.turn, state.idle) == (1, 0)


# -- who can play, and a game broken off -----------------------------------------------------------


def test_who_cannot_play_is_refused():
    """Too many for the pack, too few counters, three cards with tricks."""
    for setup, why in (
        (Setup((9,)), "2 to 13"),
        (Setup((9,) * 14), "2 to 13"),
        (Setup((9,) * 9, pack=SHORT_PACK), "enough for 8"),
        (Setup((9, 1)), "seat 2"),
        (Setup((0, 2)), "seat 1"),
        (Setup((9, 9), three_cards=True, tricks=True), "leave out three_cards or tricks"),
    ):
        with pytest.raises(Unreadable, match=why):
            GAME.start(setup)
    assert GAME.start(Setup((9,) * 13)).pool == 14
    assert GAME.start(Setup((9,) * 8, pack=SHORT_PACK)).pool == 9


def test_a_game_broken_off_is_shared():
    """Odd counters go to the eldest hands."""
    state = broken(quiet(dealt(*STUCK)))
    assert (state.pool, state.purses) == (0, (10, 8))
    with pytest.raises(IllegalAction):
        broken(state)


# -- at random -----------------------------------------------------------------------------------


def games(setup: Setup, chance: Random) -> Iterator[tuple[State, State]]:
    """Each two states that follow one another in a game played at random to its end; who has a song
    mostly sings."""
    state = GAME.start(setup)
    for _ in range(LONG):
        legal = [*GAME.legal_actions(state)]
        songs = [one for one in legal if isinstance(one, Sing)]
        action = chance.choice(songs if songs and chance.random() < 0.75 else legal)
        if isinstance(action, DealBirds):
            action = DealBirds(tuple(chance.sample(setup.pack, len(setup.pack))))
        before, state = state, GAME.apply(state, action)
        yield before, state
        if state.over:
            return
    raise AssertionError("it never ends")


def tables(
    chance: Random, agreed: dict[str, bool], passing: Passing, count: int
) -> Iterator[Setup]:
    """Companies of 2 to 13 with 52 cards, and of 2 to 8 with 32."""
    for _ in range(count):
        pack = chance.choice((PACK, SHORT_PACK))
        seats = chance.randint(2, min(MOST_SEATS, len(pack) // 4))
        yield Setup((20,) * seats, passing, pack=pack, **agreed)


def check_all_is_there(state: State) -> None:
    """Each card once, and hands of as many as can be."""
    laid = [card for song in state.laid for card in song.cards]
    held = [card for hand in state.hands for card in hand]
    assert sorted([*held, *state.stock, *state.aside, *laid]) == sorted(state.setup.pack)
    size = state.setup.size
    assert state.over or {*map(len, state.hands)} <= {size - 1, size, size + 1}


VARIATIONS = [{}, {"flushes": True}, {"three_cards": True}, {"tricks": True}]
VARIATIONS.append({"flushes": True, "tricks": True})
every_variation = pytest.mark.parametrize(
    "agreed", VARIATIONS, ids=lambda one: "+".join(one) or "plain"
)


@pytest.mark.long
@pytest.mark.parametrize("passing", [*Passing])
@every_variation
def test_games_at_random_end_and_are_paid(passing, agreed):
    """300 of each variation: cards and counters are conserved, what may be sung is what the plain
    test finds, the pool is shared as counter by counter."""
    chance = Random(len(str(agreed)))
    for setup in tables(chance, agreed, passing, 300):
        total = sum(setup.purses)
        for before, state in games(setup, chance):  # noqa: B007 - the last one is the end
            assert sum(GAME.funds(state).values()) == total
            if not state.hands:
                continue
            check_all_is_there(state)
            sings = {one.seat for one in GAME.legal_actions(state) if isinstance(one, Sing)}
            flushes = setup.flushes or setup.three_cards
            assert sings == {
                seat
                for seat, hand in enumerate(state.hands, 1)
                if state.may_sing(seat) and plain_has_song([*hand], flushes=flushes, of=setup.size)
            }
        assert state.phase is GamePhase.WON
        shares = plain_shares(before.pool, [*state.winners])
        gains = {seat: state.purses[seat - 1] - before.purses[seat - 1] for seat in shares}
        assert gains == shares


# -- what nobody sees ----------------------------------------------------------------------------


def mixed(state: State, viewer: Viewer, chance: Random) -> State:
    """The same state with all cards that a viewer cannot see in other places."""
    shown = {card for song in state.sung for card in song.cards}
    shown |= {*state.hands[viewer - 1]} if isinstance(viewer, int) else set()
    rows = (*state.hands, state.stock, state.aside)
    unseen = [card for row in rows for card in row if card not in shown]
    others = iter(chance.sample(unseen, len(unseen)))
    *hands, stock, aside = (
        tuple(card if card in shown else next(others) for card in row) for row in rows
    )
    return replace(state, hands=tuple(hands), stock=stock, aside=aside)


@pytest.mark.long
@pytest.mark.parametrize("passing", [*Passing])
@every_variation
def test_views_and_moves_hang_on_ones_own_hand_alone(passing, agreed):
    """In random games, wherever the other cards are: screens, the host, the caller and each seat
    see the same, and may do the same; a simulated player wants the same."""
    chance = Random(6)
    for setup in tables(chance, agreed, passing, 3):
        for _, state in games(setup, chance):
            for viewer in (*Watching, *range(1, setup.seats + 1)) if state.hands else ():
                other = mixed(state, viewer, chance)
                assert GAME.view(state, viewer) == GAME.view(other, viewer)
                assert [*GAME.actions(state, viewer)] == [*GAME.actions(other, viewer)]
                if isinstance(viewer, int):
                    luck, again = TableLuck(Random(1)), TableLuck(Random(1))
                    wish = GAME.bot(state, viewer, luck, frozenset())
                    assert wish == GAME.bot(other, viewer, again, frozenset())


# -- simulated players ---------------------------------------------------------------------------


def won_by_bot(setup: Setup, seat: int, chance: Random) -> bool:
    """Whether a simulated player wins against others who sing when they can, and else do anything
    that is legal."""
    state, luck = GAME.start(setup), TableLuck(chance)
    while not state.over:
        legal = [*GAME.legal_actions(state)]
        action = chance.choice([one for one in legal if isinstance(one, Sing)] or legal)
        if isinstance(action, DealBirds):
            action = DealBirds(tuple(chance.sample(setup.pack, len(setup.pack))))
        elif getattr(action, "seat", 0) == seat:
            wish = GAME.bot(state, seat, luck, frozenset({seat}))
            assert wish is not None
            move = {key: said for key, said in wish.move.items() if key != "do"}
            lists = {key: tuple(said) for key, said in move.items() if isinstance(said, list)}
            action = GAME.moves[wish.move["do"]](**(move | lists))
        state = GAME.apply(state, action)
    return seat in state.winners


@pytest.mark.long
@pytest.mark.parametrize(
    ("agreed", "seats", "least"), [({}, 2, 0.56), ({"flushes": True}, 4, 0.45)]
)
def test_a_simulated_player_beats_players_who_pass_anything_on(agreed, seats, least):
    """In all seats by turns he wins clearly more than one of two; and of four, where little is won
    at the deal."""
    chance, played = Random(2), 400
    setup = Setup((20,) * seats, **agreed)
    wins = sum(won_by_bot(setup, game % seats + 1, chance) for game in range(played))
    assert wins / played > least
