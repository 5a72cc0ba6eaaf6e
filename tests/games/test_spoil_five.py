"""Spoil-Five: the order of the cards, following, reneging, robbing, spoils, and every variation;
beside a second, plain statement of what may be played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from station.base.errors import IllegalAction, Unreadable
from station.base.nouns import PACK, SUITS
from station.games.spoil_five import hand as of_hand
from station.games.spoil_five.cards import (
    Action,
    AgreeFive,
    AskFive,
    DealAgain,
    DealHands,
    Jink,
    KeepTrumps,
    LeaveAce,
    Misdeal,
    PassDeal,
    PlayCard,
    Reason,
    RefuseFive,
    Rob,
    TakePool,
    plain,
    playable,
    trumps,
    winning,
)
from station.games.spoil_five.hand import (
    CARDS,
    HandStage,
    Result,
    Robbing,
    SpoilHand,
    Variation,
    Wins,
)
from station.games.spoil_five.play import GAME
from station.games.spoil_five.rules import MOVES, Setup, State, broken
from station.night.table.practice import TableLuck, company, to_the_end
from station.rules.game import Ending
from station.rules.play import Dealing, Played
from station.rules.seen import Caption, CardName, SeatName, Viewer, Watching
from station.wire.wording import load_wording
from tests.drill.plain_spoil_five import may_play, who_wins

BARE = Variation(robbing=Robbing.OFF)


# -- the order, and what may be played -------------------------------------------------------------


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ORDERS = [
    (plain("H"), "KH QH JH 10H 9H 8H 7H 6H 5H 4H 3H 2H"),
    (plain("D"), "KD QD JD 10D 9D 8D 7D 6D 5D 4D 3D 2D AD"),
    (plain("C"), "KC QC JC AC 2C 3C 4C 5C 6C 7C 8C 9C 10C"),
    (plain("S"), "KS QS JS AS 2S 3S 4S 5S 6S 7S 8S 9S 10S"),
    (trumps("H"), "5H JH AH KH QH 10H 9H 8H 7H 6H 4H 3H 2H"),
    (trumps("D"), "5D JD AH AD KD QD 10D 9D 8D 7D 6D 4D 3D 2D"),
    (trumps("C"), "5C JC AH AC KC QC 2C 3C 4C 6C 7C 8C 9C 10C"),
    (trumps("S"), "5S JS AH AS KS QS 2S 3S 4S 6S 7S 8S 9S 10S"),
]


@pytest.mark.parametrize(("found", "book"), ORDERS)
def test_cards_run_as_the_book_has_them(found, book):
    """Its four orders: red and black, plain and trumps."""
    assert found == cards(book)


# Trumps are spades; what was led, the hand, what of it may be played.
FOLLOWING = [
    ("a trump is followed by a trump", "7S", "2S KD 3C", "2S"),
    ("who has none plays anything", "7S", "KD 3C", "KD 3C"),
    ("the five need not follow a lower trump", "7S", "5S KD", "5S KD"),
    ("nor the knave", "7S", "JS KD", "JS KD"),
    ("nor the ace of hearts", "7S", "AH KD", "AH KD"),
    ("nor all three together", "AS", "5S JS AH KD", "5S JS AH KD"),
    ("the ace of trumps must", "7S", "AS KD", "AS"),
    ("who has another trump must play one, the five if he likes", "7S", "5S 10S KD", "5S 10S"),
    ("the knave led draws the ace of hearts", "JS", "AH KD", "AH"),
    ("but not the five", "JS", "5S KD", "5S KD"),
    ("the five led draws them both", "5S", "JS AH KD", "JS AH"),
    ("a plain suit is followed or trumped", "7D", "2D 3S 4C", "2D 3S"),
    ("the ace of hearts is a trump there, too", "7D", "2D AH 4C", "2D AH"),
    ("who has not the suit plays anything", "7D", "3S 4C", "3S 4C"),
    ("the ace of hearts is no heart to follow with", "7H", "AH 4C", "AH 4C"),
    ("nor binds it beside a heart", "7H", "AH 2H 4C", "AH 2H"),
    ("the ace of hearts led is a heart led", "AH", "2H 3S 4C", "2H 3S"),
    ("and calls for no trump", "AH", "3S 4C", "3S 4C"),
    ("who leads, leads what he likes", "", "2S KD AH", "2S KD AH"),
]


@pytest.mark.parametrize(("led", "hand", "may"), [case[1:] for case in FOLLOWING])
def test_what_may_be_played(led, hand, may):
    """All cases of following, reneging, and of the ace of hearts."""
    assert playable(cards(hand), led, "S") == cards(may)


def test_the_ace_of_hearts_is_a_plain_trump_lead_when_hearts_are_trumps():
    """It draws the others; five and knave may be held back."""
    assert playable(cards("2H 4C"), "AH", "H") == ("2H",)
    assert playable(cards("5H JH 4C"), "AH", "H") == cards("5H JH 4C")


def test_nothing_is_held_back_in_natural_order():
    """The five follows, and the ace of hearts is a heart."""
    assert playable(cards("5S KD"), "7S", "S", natural=True) == ("5S",)
    assert playable(cards("AH KD 2S"), "7H", "S", natural=True) == cards("AH 2S")
    assert winning(cards("5S AS"), "S", natural=True) == 1


WINNING = [
    ("the highest of the suit led", "9D QD 10D", 1),
    ("in black the low ones are high", "9C 4C 10C", 1),
    ("another plain suit takes nothing", "2D KC KH", 0),
    ("a trump beats them", "KD 10S QD", 1),
    ("the higher trump", "KD 10S 2S", 2),
    ("the ace of hearts beats the ace of trumps", "KD AS AH", 2),
    ("and is beaten by knave and five alone", "AH JS 5S", 2),
    ("also when it was led", "AH KS KH", 0),
]


@pytest.mark.parametrize(("trick", "place"), [case[1:] for case in WINNING])
def test_who_wins_a_trick(trick, place):
    """Trumps are spades."""
    assert winning(cards(trick), "S") == place


def beside_the_plain_statement(positions: int, seed: int) -> None:
    chance = Random(seed)
    pack, suits = list(PACK), list(SUITS)
    for _ in range(positions):
        some = chance.sample(pack, chance.randint(2, CARDS + 1))
        suit, natural = chance.choice(suits), chance.random() < 0.25
        led, hand = some[0], some[1:]
        may = tuple(face for face in hand if may_play(face, hand, led, suit, natural))
        assert playable(hand, led, suit, natural) == may, (hand, led, suit, natural)
        assert winning(some, suit, natural) == who_wins(some, suit, natural), (some, suit, natural)


def test_what_may_be_played_is_what_the_plain_statement_says():
    """Random hands, leads, trumps, tricks; a quarter of them in natural order."""
    beside_the_plain_statement(3000, 5)


# -- a game ----------------------------------------------------------------------------------------


def pack_for(seats: int, dealer: int, hands: dict[int, str], turned: str) -> tuple[str, ...]:
    """A pack from which these seats are dealt these cards, and that card is turned up; the others
    have what is left."""
    given = {seat: list(cards(text)) for seat, text in hands.items()}
    taken = {turned, *(face for some in given.values() for face in some)}
    rest = [face for face in PACK if face not in taken]
    for seat in range(1, seats + 1):
        some = given.setdefault(seat, [])
        while len(some) < CARDS:
            some.append(rest.pop())
    order = [(dealer + place) % seats + 1 for place in range(seats)]
    first = [face for seat in order for face in given[seat][:2]]
    then = [face for seat in order for face in given[seat][2:]]
    return (*first, *then, turned, *rest)


def game(seats: int, how: Variation = BARE, **more: int) -> State:
    return GAME.start(Setup((50,) * seats, how=how, **more))


def dealt(state: State, hands: dict[int, str], turned: str) -> State:
    seats, dealer = state.setup.seats, state.following.dealer
    return GAME.apply(state, DealHands(pack_for(seats, dealer, hands, turned)))


def after(state: State, *actions: Action) -> State:
    for action in actions:
        state = GAME.apply(state, action)
    return state


def hand_of(state: State) -> SpoilHand:
    assert state.hand is not None
    return state.hand


def play(state: State, faces: str) -> State:
    """Each card by whoever is awaited."""
    for face in cards(faces):
        state = GAME.apply(state, PlayCard(hand_of(state).turn, (face,)))
    return state


def refused(state: State, action: Action) -> str:
    with pytest.raises(IllegalAction) as error:
        GAME.apply(state, action)
    return str(error.value.reason)


# Of two, seat 2 deals first, seat 1 leads.
TWO = {1: "KD QD 10D 9D 8D", 2: "KC QC JC 2C 3C"}


def test_three_tricks_take_the_pool():
    """Each puts in three, the dealer one more; the hand ends, and a new pool is full again."""
    state = dealt(game(2), TWO, "7S")
    assert (state.hands, state.pool) == ((17, 16), 7)
    state = play(state, "KD KC QD QC 10D JC")
    assert hand_of(state).result is Result.WON
    assert (state.hands, state.pool, state.winners) == ((24, 16), 0, (1,))
    state = dealt(state, TWO, "7S")
    assert (state.dealer, state.hands, state.pool, state.won) == (1, (20, 13), 7, 1)


# Of four, seat 4 deals first; each takes one trick, and seat 1 the last.
FOUR = {1: "KD 6D 10C 8C KH", 2: "2D QD 2C 7C 3H", 3: "3D 7D KC 3C 4H", 4: "4D 8D 9C QC 2H"}
SPOILT = "KD 2D 3D 4D 6D QD 7D 8D 2C KC 9C 10C 3C QC 8C 7C 2H KH 3H 4H"


def test_nobody_has_three_and_the_pool_stays():
    """One each the next time, and the dealer's extra; the first pool was full."""
    state = dealt(game(4), FOUR, "7S")
    assert state.pool == 13
    state = play(state, SPOILT)
    assert (hand_of(state).result, hand_of(state).won) == (Result.SPOILT, (2, 1, 1, 1))
    assert (state.pool, state.winners) == (13, ())
    state = dealt(state, FOUR, "7S")
    assert (state.dealer, state.pool, state.hands) == (1, 18, (15, 16, 16, 15))


def test_the_dealer_may_rob_the_ace_that_he_turned_up():
    """Before the first card; he need not; nobody else may; an ace that is left is nobody's."""
    state = dealt(game(2, Variation()), TWO, "AS")
    assert hand_of(state).stage is HandStage.ROBBING
    assert refused(state, PlayCard(1, ("KD",))) == Reason.NOT_NOW
    assert refused(state, Rob(1, ("KD",))) == Reason.NOT_YOUR_TURN
    robbed = after(state, Rob(2, ("3C",)))
    assert hand_of(robbed).held[1] == ("KC", "QC", "JC", "2C", "AS")
    assert (hand_of(robbed).laid_out, hand_of(robbed).suit) == ("3C", "S")
    left = after(state, LeaveAce(2))
    assert refused(left, Rob(1, ("KD",))) == Reason.NO_ACE
    assert hand_of(play(left, "KD KC")).barred == ()


ROBS = {1: "KD QD 10D AS 8D", 2: "KC QC JC 2C 3C"}


# Of two: what is turned up, the dealer's hand and the other's, who asks, whether he may rob, and
# whether he is barred who may and plays on. What the dealer has turned up he takes before all else.
ROBBING = [
    ("the dealer may take the ace that he turned up", "AS", "KD", "KC", 2, True, False),
    ("who is not the dealer may not", "AS", "KD", "KC", 1, False, False),
    ("though he holds another ace", "AS", "AD", "KC", 1, False, False),
    ("the ace of hearts is one that is turned up, too", "AH", "KD", "KC", 2, True, False),
    ("who holds the ace of trumps must", "7S", "AS", "KC", 1, True, True),
    ("the dealer as well, in his turn", "7S", "KD", "AS", 2, True, True),
    ("who holds it not may not", "7S", "KD", "AS", 1, False, False),
    ("the ace of another suit does not rob", "7S", "AD", "KC", 1, False, False),
    ("nor the ace of hearts, though it is a trump", "7S", "AH", "KC", 1, False, False),
    ("but where hearts are trumps", "7H", "AH", "KC", 1, True, True),
    ("no five robs, and no knave", "7S", "5S JS", "KC", 1, False, False),
]


@pytest.mark.parametrize(
    ("turned", "eldest", "dealer", "seat", "may", "barred"), [case[1:] for case in ROBBING]
)
def test_who_may_rob(turned, eldest, dealer, seat, may, barred):
    """All cases of robbing, at a player's first turn; and what comes of it that he plays on."""
    hands = {}
    for one, some, others in ((1, eldest, "8D 6D 4D 3D"), (2, dealer, "8C 6C 4C 3C")):
        hands[one] = " ".join([*some.split(), *others.split()][:CARDS])
    state = dealt(game(2, Variation()), hands, turned)
    ace = hand_of(state).stage is HandStage.ROBBING
    assert ace == turned.startswith("A")
    if ace and seat == 1:
        state = after(state, LeaveAce(2))
    elif seat == 2 and not ace:
        state = play(state, hand_of(state).playable[0])
    card = hand_of(state).held[seat - 1][-1:]
    assert (Rob(seat, card) in {*GAME.legal_actions(state)}) == may
    if may:
        robbed = hand_of(after(state, Rob(seat, card)))
        assert (robbed.held[seat - 1][-1], robbed.suit) == (turned, turned[-1])
    else:
        assert refused(state, Rob(seat, card)) == Reason.NO_ACE
    if hand_of(state).stage is HandStage.PLAYING:
        on = play(state, hand_of(state).playable[0])
        assert hand_of(on).barred == ((seat,) if barred else ())


def test_who_holds_the_ace_of_trumps_robs_before_he_plays():
    """He takes the card that was turned up; the suit stays trumps; then it is too late."""
    state = dealt(game(2, Variation()), ROBS, "7S")
    robbed = after(state, Rob(1, ("8D",)))
    assert hand_of(robbed).held[0] == ("KD", "QD", "10D", "AS", "7S")
    assert hand_of(robbed).turn == 1
    assert refused(robbed, Rob(1, ("KD",))) == Reason.NO_ACE
    later = play(state, "KD")
    assert refused(later, Rob(2, ("2C",))) == Reason.NO_ACE
    assert refused(play(later, "KC"), Rob(1, ("QD",))) == Reason.NO_ACE


def test_who_omits_to_rob_is_barred_and_the_pool_stays():
    """His three tricks end the hand as if it were spoilt; the other player may still win."""
    state = play(dealt(game(2, Variation()), ROBS, "7S"), "KD KC QD QC 10D JC")
    assert (hand_of(state).barred, hand_of(state).result) == ((1,), Result.BARRED)
    assert (state.hands, state.pool) == ((17, 16), 7)
    assert dealt(state, TWO, "7S").pool == 10


@pytest.mark.parametrize("robbing", [Robbing.OPTIONAL, Robbing.OFF])
def test_robbing_may_be_optional_or_off(robbing):
    """No penalty; and off, no robbing at all."""
    how = Variation(robbing=robbing)
    state = dealt(game(2, how), ROBS, "7S")
    assert play(state, "KD KC QD QC 10D JC").winners == (1,)
    may = [action for action in GAME.legal_actions(state) if isinstance(action, Rob)]
    assert bool(may) == (robbing is Robbing.OPTIONAL)
    turned = hand_of(dealt(game(2, how), TWO, "AS")).stage
    assert (turned is HandStage.ROBBING) == (robbing is Robbing.OPTIONAL)


def test_the_ace_of_hearts_robs_only_when_hearts_are_trumps():
    """Else the ace of the suit does."""
    hands = {1: "KD QD 10D AH 8D", 2: "KC QC JC 2C 3C"}
    assert refused(dealt(game(2, Variation()), hands, "7S"), Rob(1, ("8D",))) == Reason.NO_ACE
    assert hand_of(after(dealt(game(2, Variation()), hands, "7H"), Rob(1, ("8D",)))).robber == 1
    turned = dealt(game(2, Variation()), TWO, "AH")
    assert hand_of(turned).stage is HandStage.ROBBING


def test_a_misdeal_passes_the_deal_and_nobody_pays_again():
    """The next dealer pays his extra; or, as agreed, the same one a second extra."""
    state = after(dealt(game(3), {}, "7S"), Misdeal())
    assert (state.dealer, state.pool, state.hand) == (1, 10, None)
    state = dealt(state, {}, "7S")
    assert (state.pool, state.hands) == (11, (16, 17, 16))
    again = after(dealt(game(3, Variation(deals_again=True)), {}, "7S"), Misdeal())
    assert refused(again, DealHands(PACK)) == Reason.NOT_NOW
    assert refused(again, DealAgain(1)) == Reason.NOT_YOUR_TURN
    second = dealt(after(again, DealAgain(3)), {}, "7S")
    assert (second.dealer, second.pool, second.hands) == (3, 11, (17, 17, 15))
    assert after(again, PassDeal(3)).dealer == 1
    played = dealt(game(2), TWO, "7S")
    assert refused(play(played, "KD"), Misdeal()) == Reason.NOT_NOW


def test_who_has_fewer_counters_puts_in_what_he_has():
    """Nobody owes; the pool is what lies in it."""
    state = game(2, counters=4)
    state = dealt(play(dealt(state, TWO, "7S"), "KD KC QD QC 10D JC"), TWO, "7S")
    assert (state.paid, state.pool, state.hands) == ((4, 0), 4, (4, 0))


# -- variations ------------------------------------------------------------------------------------


def test_two_tricks_win_among_five():
    """The first to two takes the pool."""
    hands = {1: "KS QS 8S 2D 3D", 2: "3S 4S 2C 3C 4C", 3: "6S 7S 2H 3H 4H"}
    state = dealt(game(5, Variation(Wins.TWO, robbing=Robbing.OFF)), hands, "9S")
    state = by_turn(after(state), {1: ["KS", "QS"]}, 10)
    assert (hand_of(state).result, state.winners) == (Result.WON, (1,))


def by_turn(state: State, wishes: dict[int, list[str]], count: int) -> State:
    """So many cards: the wished ones, else the first that may be played."""
    wishes = {seat: list(faces) for seat, faces in wishes.items()}
    for _ in range(count):
        hand = hand_of(state)
        face = wishes[hand.turn].pop(0) if wishes.get(hand.turn) else hand.playable[0]
        state = GAME.apply(state, PlayCard(hand.turn, (face,)))
    return state


SIDES = {1: "5S 2D 3D 4D 6D", 2: "2C 3C 4C 6C 7C", 3: "KS QS 6S 3H 4H", 4: "8C 9C 10C 9H 10H"}


def test_partners_count_their_tricks_together_and_share():
    """Seats 1 and 3 against 2 and 4; the odd counter goes to the dealer's left."""
    state = dealt(game(4, Variation(sides=2, robbing=Robbing.OFF)), SIDES, "7S")
    state = by_turn(state, {1: ["5S", "2D"], 3: ["KS", "QS"]}, 8)
    assert (hand_of(state).side_tricks, hand_of(state).turn) == ((2, 0), 3)
    state = by_turn(state, {3: ["6S"]}, 4)
    assert (state.winners, state.prize, state.gains) == ((1, 3), 13, (7, 0, 6, 0))


def test_three_sides_of_six_can_spoil_and_a_bar_holds_for_the_side():
    """Opposite seats are partners."""
    state = dealt(game(6, Variation(sides=3)), {1: "AS KS QS 5S JS"}, "7S")
    assert [hand_of(state).side(seat) for seat in range(1, 7)] == [0, 1, 2, 0, 1, 2]
    state = by_turn(state, {1: ["5S", "JS", "AS"]}, 18)
    assert (hand_of(state).result, hand_of(state).barred) == (Result.BARRED, (1,))


def test_a_bar_holds_for_the_partner_too():
    """Seat 1 omits to rob; the third trick of the side is seat 3's, and the pool stays."""
    hands = SIDES | {1: "AS 2D 3D 4D 6D"}
    state = dealt(game(4, Variation(sides=2)), hands, "7S")
    state = by_turn(state, {1: ["AS", "2D"], 3: ["KS", "QS", "6S"]}, 12)
    hand = hand_of(state)
    assert (hand.barred, hand.winner, hand.side_tricks) == ((1,), 3, (3, 0))
    assert (hand.result, state.winners) == (Result.BARRED, ())


FIVING = Variation(fiving=True)


def test_the_non_dealer_may_ask_to_five_it_and_the_dealer_may_refuse():
    """Once a hand, before robbing; cards are turned up until another suit comes."""
    pack = list(pack_for(2, 2, TWO, "7S"))
    at = CARDS * 2
    pack[at + 1 : at + 4] = ["8S", "AH", "2H"]
    rest = [face for face in PACK if face not in pack]
    pack[at + 4 :] = [*rest, *(face for face in pack[at + 4 :] if face not in ("8S", "AH", "2H"))]
    state = GAME.apply(game(2, FIVING), DealHands(tuple(dict.fromkeys(pack))))
    assert hand_of(state).stage is HandStage.ASKING
    assert refused(state, AskFive(2)) == Reason.NOT_YOUR_TURN
    assert hand_of(after(state, KeepTrumps(1))).stage is HandStage.PLAYING
    asked = after(state, AskFive(1))
    assert hand_of(after(asked, RefuseFive(2))).suit == "S"
    five = hand_of(after(asked, AgreeFive(2)))
    assert (five.turned, five.trump, five.stage) == (("7S", "8S", "AH"), "AH", HandStage.ROBBING)


def test_where_no_other_suit_is_left_the_first_card_counts_again():
    """Ten players in two sides: one card is left, and it is of the same suit."""
    pack = (*(face for face in PACK if face not in ("7S", "8S")), "7S", "8S")
    state = game(10, Variation(fiving=True, sides=2, robbing=Robbing.OFF))
    state = after(GAME.apply(state, DealHands(pack)), AskFive(1), AgreeFive(10))
    assert (hand_of(state).turned, hand_of(state).trump) == (("7S", "8S"), "7S")


JINK = Variation(jinking=True, robbing=Robbing.OFF)


def test_who_jinks_has_each_opponents_stake_besides():
    """He says so after the first three tricks; or takes the pool; or loses it with the next
    trick."""
    hands = {1: "5S JS AH KS QS", 2: "2C 3C 4C 6C 7C"}
    three = play(dealt(game(2, JINK), hands, "7S"), "5S 2C JS 3C KS 4C")
    assert hand_of(three).stage is HandStage.JINKING
    assert refused(three, PlayCard(1, ("AH",))) == Reason.NOT_NOW
    assert after(three, TakePool(1)).hands == (24, 16)
    jinked = play(after(three, Jink(1)), "AH 6C QS 7C")
    assert hand_of(jinked).result is Result.JINKED
    assert (jinked.hands, jinked.pool) == ((27, 13), 0)
    weak = {1: "5S JS AH 8D KS", 2: "2C 3C 4C 6D 9D"}
    three = play(dealt(game(2, JINK), weak, "7S"), "5S 2C JS 3C KS 4C")
    failed = play(after(three, Jink(1)), "8D 9D")
    assert (hand_of(failed).result, failed.pool) == (Result.FAILED, 7)
    assert dealt(failed, TWO, "7S").pool == 10


def test_to_twenty_five_every_trick_scores_five():
    """One pool, the dealer's extra alone every deal, all five tricks; the first there takes it,
    also in the middle of a hand."""
    state = dealt(game(2, Variation(Wins.TO_25, robbing=Robbing.OFF), pools=1), TWO, "7S")
    state = by_turn(state, {}, 10)
    assert (state.winners, state.over) == ((1,), True)  # all five tricks
    hands = {1: "KD QD 10D 2C 4C", 2: "KC QC JC 7D 6D"}
    state = dealt(game(2, Variation(Wins.TO_25, robbing=Robbing.OFF), pools=1), hands, "7S")
    state = play(state, "KD 7D QD 6D 10D KC 2C QC JC 4C")
    assert (hand_of(state).result, state.score) == (Result.COUNTED, (15, 10))
    state = dealt(state, hands, "7S")
    assert (state.pool, state.hands) == (8, (16, 16))
    state = play(state, "KC 2C QC 4C JC KD")
    assert (hand_of(state).result, state.winners, state.over) == (Result.WON, (2,), True)
    assert state.purses == (46, 54)


def test_to_forty_five_all_five_tricks_win_at_once_and_a_bar_scores_nothing():
    """Whatever the points are; not for who is barred."""
    state = by_turn(dealt(game(2, Variation(Wins.TO_45)), TWO, "7S"), {}, 10)
    assert (hand_of(state).result, state.score, state.winners) == (Result.JINKED, (25, 0), (1,))
    state = by_turn(dealt(game(2, Variation(Wins.TO_45)), ROBS, "7S"), {}, 10)
    assert (hand_of(state).result, state.score) == (Result.COUNTED, (0, 0))


# -- the end, and who may play ---------------------------------------------------------------------


def test_a_game_is_so_many_pools():
    """Then all is redeemed; the winners are of the last pool."""
    state = play(dealt(game(2, pools=1), TWO, "7S"), "KD KC QD QC 10D JC")
    assert (state.over, state.purses, state.pool, state.hands) == (True, (54, 46), 0, (0, 0))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.ending, outcome.winners) == (Ending.WON, ("1",))


def test_a_game_broken_off_shares_the_pool():
    """Odd counters from the eldest hand on."""
    state = broken(dealt(game(3), {}, "7S"))
    assert state.purses == (51, 50, 49)
    with pytest.raises(IllegalAction):
        broken(state)


CANNOT = [
    (Setup((50,)), "2 to 10"),
    (Setup((50,) * 11), "2 to 10"),
    (Setup((50, 50), 3), "do not fill"),
    (Setup((50, 10)), "seat 2"),
    (Setup((50, 50), pack=PACK[:10]), "10 cards"),
    (Setup((50,) * 4, how=Variation(Wins.TWO)), "with 5 players"),
    (Setup((50,) * 6, how=Variation(Wins.TWO, sides=2)), "without sides"),
    (Setup((50,) * 6, how=Variation(Wins.TWO, jinking=True)), "jinking"),
    (Setup((50,) * 4, how=Variation(Wins.TO_25, jinking=True)), "jinking does not go"),
    (Setup((50,) * 5, how=Variation(sides=2)), "two sides are of"),
    (Setup((50,) * 9, how=Variation(sides=3)), "three sides of 6"),
    (Setup((50,) * 3, how=Variation(fiving=True)), "two players or two sides"),
]


@pytest.mark.parametrize(("setup", "why"), CANNOT)
def test_who_cannot_play_so_is_refused(setup, why):
    """Too few, too many, too poor, and variations that do not go together."""
    with pytest.raises(Unreadable, match=why):
        GAME.start(setup)


VARIATIONS = [
    *((seats, Variation()) for seats in (2, 3, 4, 5, 6)),
    (4, Variation(natural=True)),
    (4, Variation(robbing=Robbing.OPTIONAL)),
    (4, Variation(robbing=Robbing.OFF)),
    (5, Variation(Wins.TWO)),
    (4, Variation(sides=2)),
    (6, Variation(sides=3)),
    (2, Variation(fiving=True)),
    (10, Variation(fiving=True, sides=2)),
    (3, Variation(jinking=True)),
    (4, Variation(jinking=True, sides=2)),
    (4, Variation(deals_again=True)),
    (3, Variation(Wins.TO_25)),
    (4, Variation(Wins.TO_45, sides=2)),
]


def at_random(seats: int, how: Variation, chance: Random) -> State:
    """A game for one pool played at random to its end; nothing is lost on the way."""
    state = GAME.start(Setup((30,) * seats, pools=1, how=how))
    total = sum(GAME.funds(state).values())
    while GAME.outcome(state) is None:
        may = [one for one in GAME.legal_actions(state) if not isinstance(one, Misdeal)]
        action = chance.choice(may if chance.random() < 0.99 else [*GAME.legal_actions(state)])
        if isinstance(action, DealHands):
            action = DealHands(tuple(chance.sample(PACK, len(PACK))))
            assert GAME.parse(state.setup, GAME.notation(state)) == state
        state = GAME.apply(state, action)
        funds: Iterable[int] = GAME.funds(state).values()
        assert sum(funds) == total
        assert min(funds) >= 0
    assert GAME.parse(state.setup, GAME.notation(state)) == state
    return state


@pytest.mark.long
@pytest.mark.parametrize(("seats", "how"), VARIATIONS)
def test_games_at_random_end_and_lose_nothing(seats, how):
    """300 of each variation; those that have one pool have one winner, or one side."""
    chance = Random(seats)
    for _ in range(300):
        state = at_random(seats, how, chance)
        assert len(state.winners) == (seats // how.sides if how.sides else 1)


# -- at the table ----------------------------------------------------------------------------------


def otherwise(state: State, viewer: int, chance: Random) -> State:
    """The same game with the cards that a viewer does not know lying otherwise."""
    hand = hand_of(state)
    seats = [seat for seat in range(1, hand.seats + 1) if seat != viewer]
    hidden = [face for seat in seats for face in hand.held[seat - 1]]
    hidden += hand.stock
    chance.shuffle(hidden)
    held = list(hand.held)
    for seat in seats:
        held[seat - 1] = tuple(hidden.pop() for _ in held[seat - 1])
    order = (*(face for face in PACK if face not in hidden), *hidden)
    barred = tuple(seat for seat in hand.barred if seat == viewer)
    return replace(state, hand=replace(hand, held=tuple(held), cards=order, barred=barred))


@pytest.mark.long
@pytest.mark.parametrize(
    "how", [Variation(), Variation(sides=2, fiving=True, jinking=True)], ids=["usual", "agreed"]
)
def test_a_seat_sees_and_may_do_what_its_own_hand_says(how):
    """In 150 games: however the other hands and the stock lie, the view, the moves, and what a
    simulated player wants are the same; the host and the hall see no hand."""
    chance = Random(9)
    for _ in range(150):
        state = GAME.start(Setup((30,) * 4, pools=1, how=how))
        state = GAME.apply(state, DealHands(tuple(chance.sample(PACK, len(PACK)))))
        for _ in range(chance.randint(0, 14)):
            if state.playing is None:
                break
            state = GAME.apply(state, chance.choice([*GAME.legal_actions(state)]))
        if state.playing is None or state.playing.barred:
            continue
        for viewer in (1, 2, 3, 4, *Watching):
            other = otherwise(state, viewer if isinstance(viewer, int) else 0, chance)
            assert told(other, viewer) == told(state, viewer)


def told(state: State, viewer: Viewer) -> object:
    """What a viewer is shown, may ask for, and as a simulated player wants."""
    wants = GAME.bot(state, viewer, None, frozenset()) if isinstance(viewer, int) else None
    return GAME.view(state, viewer), [*GAME.actions(state, viewer)], wants


def test_only_who_omitted_to_rob_knows_it_until_the_end():
    """Then it is told to all."""
    state = play(dealt(game(2, Variation()), ROBS, "7S"), "KD KC")

    def captions(seen: State, viewer: Viewer) -> list[str]:
        zones = GAME.view(seen, viewer).of(1)
        things = [thing for zone in zones for thing in zone.things]
        return [thing.text.key for thing in things if isinstance(thing, Caption)]

    assert "spoil-five-is-barred" in captions(state, 1)
    assert "spoil-five-is-barred" not in captions(state, 2)
    over = play(state, "QD QC 10D JC")
    assert "spoil-five-is-barred" in captions(over, Watching.EVERYBODY)


SETTINGS = [
    (4, {}),
    (5, {"wins": "two-tricks"}),
    (4, {"sides": "two", "jinking": True, "fiving": True}),
    (6, {"sides": "three", "natural_order": True}),
    (3, {"wins": "forty-five", "robbing": "optional"}),
]


@pytest.mark.parametrize(("seats", "agreed"), SETTINGS)
def test_simulated_players_play_what_was_agreed_on(seats, agreed):
    """To the end, by moves that are allowed; all that is said has its words."""
    phrases = load_wording().phrases
    table = company(GAME, [str(seat) for seat in range(seats)], {"pools": 1, **agreed})
    assert table.state.setup.how == GAME.setup(table.agreed, dealing(seats)).how
    for after_move in to_the_end(table, TableLuck(Random(3))):
        said = GAME.opens(table.state)
        assert {one for one in said if isinstance(one, str)} <= phrases.keys()
        table = after_move
    assert len(table.state.winners) == (2 if "sides" in agreed else 1)


def dealing(seats: int) -> Dealing:
    return Dealing({}, (0,) * seats, (1000,) * seats)


@pytest.mark.long
def test_a_simulated_player_wins_more_than_a_random_one():
    """Of 150 pools among four, one for a seat in turn: clearly more than a quarter."""
    chance, wins = Random(4), 0
    for number in range(150):
        seat = number % 4 + 1
        state = GAME.start(Setup((30,) * 4, pools=1))
        while not state.over:
            hand = state.playing
            if hand is None:
                state = GAME.apply(state, DealHands(tuple(chance.sample(PACK, len(PACK)))))
            elif hand.turn == seat:
                wish = GAME.bot(state, seat, None, frozenset({seat}))
                move = {key: said for key, said in wish.move.items() if key != "do"}
                card = {"card": tuple(move["card"])} if "card" in move else {}
                state = GAME.apply(state, MOVES[wish.move["do"]](**{**move, **card}))
            else:
                state = GAME.apply(state, chance.choice([*of_hand.actions(hand)]))
        wins += seat in state.winners
    assert wins > 50


def test_what_happens_is_said_and_reported():
    """Trumps, robbing, a trick, the pool; the deal itself and the card laid out are hidden."""
    before = game(2, Variation(), pools=1)
    steps = [
        (DealHands(pack_for(2, 2, ROBS, "7S")), {}),
        (Rob(1, ("8D",)), {"seat": 1}),
        (PlayCard(1, ("AS",)), {"seat": 1, "card": ["AS"]}),
        (PlayCard(2, ("KC",)), {"seat": 2, "card": ["KC"]}),
    ]
    said, lines = [], []
    for action, fields in steps:
        done = Played(before, action, GAME.apply(before, action))
        verb = next(name for name, kind in MOVES.items() if kind is type(action))
        said.append(GAME.say(done))
        came = GAME.then(done.before, done.after)
        lines.append(GAME.report({"do": verb, **fields}, came, ("", "Ann", "Ben").__getitem__))
        before = done.after
    assert said[0] == ("spoil-five-turns-up", CardName("7S"), "spoil-five-to-lead", SeatName(1))
    assert said[1][:3] == (SeatName(1), "spoil-five-robs", CardName("7S"))
    assert said[3] == (SeatName(2), CardName("KC"), "spoil-five-trick", SeatName(1))
    assert lines[0] == "five cards each; 7S is turned up"
    assert lines[1] == "Ann robs the trump card: 7S"
    assert lines[3] == "Ben KC; the trick: Ann"
    won = play(before, "7S QC KD JC") if not hand_of(before).over else before
    assert GAME.comes(won) == ()
    assert GAME.then(before, won)["result"] == "won"
    sealed = {"deal-card": "card", "deal-hands": "cards", "rob": "card"}
    assert GAME.hidden == {do: frozenset({field}) for do, field in sealed.items()}
    assert GAME.hand_over(won)
    assert not GAME.hand_over(before)


@pytest.mark.parametrize(("seats", "sides"), [(2, "none"), (4, "two"), (6, "two"), (10, "two")])
def test_simulated_players_five_with_any_number(seats: int, sides: str) -> None:
    """Over 300 deals some hands ask for other trumps and some keep them; of the dealers who are
    asked some agree and some refuse."""
    luck = Random(5)
    said = GAME.agreed({"stake": 60, "fiving": True, "sides": sides})
    begun = GAME.start(GAME.setup(said, dealing(seats)))
    counts: Counter[str] = Counter()
    for _ in range(300):
        pack = list(begun.setup.pack)
        luck.shuffle(pack)
        state = GAME.apply(begun, DealHands(tuple(pack)))
        for _ in range(2):
            seat = state.playing.turn
            wish = GAME.bot(state, seat, None, frozenset({seat}))
            do = wish.move["do"]
            if do not in ("ask-five", "keep-trumps", "agree-five", "refuse-five"):
                break
            counts[do] += 1
            state = GAME.apply(state, GAME.moves[do](seat))
    asked = counts["ask-five"]
    assert asked + counts["keep-trumps"] == 300
    assert 90 <= asked <= 240
    assert counts["agree-five"] + counts["refuse-five"] == asked
    assert 0.25 * asked <= counts["agree-five"] <= 0.8 * asked
