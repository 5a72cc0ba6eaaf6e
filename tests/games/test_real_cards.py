"""The games of playing cards with real cards: what is read is dealt, what is played has happened,
and the station knows and shows no more than lies on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from station.base.errors import IllegalAction
from station.base.nouns import PACK
from station.games import AnyRules
from station.games.my_bird_sings import state as bird
from station.games.my_bird_sings.play import GAME as BIRD
from station.games.spoil_five import cards as spoil
from station.games.spoil_five.hand import CARDS, HandStage, Result, dealt_next
from station.games.spoil_five.play import GAME as SPOIL
from station.games.tontine.play import GAME as TONTINE
from station.rules.play import REAL, Dealing, DeclareFault, FaultKind, Luck
from station.rules.seen import SlotKind, Watching

BIRDS = [
    {"passing": passing, "short_pack": short, **more}
    for passing, short in product(("throw-out", "draw"), (False, True))
    for more in ({}, {"flushes": True}, {"three_cards": True}, {"tricks": True})
]
SPOILS: list[dict[str, Any]] = [
    {},
    {"natural_order": True, "robbing": "optional"},
    {"deals_again": True, "jinking": True},
    {"wins": "forty-five", "robbing": "off"},
    {"wins": "twenty-five"},
]
CASES: list[tuple[AnyRules, int, dict[str, Any]]] = [
    *((TONTINE, seats, {}) for seats in (2, 5)),
    *((BIRD, seats, agreed) for agreed in BIRDS for seats in (2, 5)),
    *((SPOIL, seats, agreed) for agreed in SPOILS for seats in (2, 5)),
    (SPOIL, 5, {"wins": "two-tricks"}),
    (SPOIL, 2, {"fiving": True, "jinking": True}),
    (SPOIL, 4, {"sides": "two", "fiving": True}),
    (SPOIL, 6, {"sides": "three"}),
    (SPOIL, 10, {}),
]
every_case = pytest.mark.parametrize(
    ("play", "seats", "agreed"),
    [pytest.param(*case, id=f"{case[0].name} {case[1]} {case[2]}") for case in CASES],
)
MOST = 90


def setup_of(play: AnyRules, seats: int, agreed: dict[str, Any]) -> Any:
    """A game with real cards, a counter a unit."""
    said = play.agreed({"stake": 1, **agreed, "playing_cards": REAL})
    said["stake"] = play.parts(said)[0]
    return play.setup(said, Dealing({}, (), (60,) * seats))


def played(play: AnyRules, setup: Any, luck: Random) -> Iterator[tuple[Any, Any, Any]]:
    """A game played at random, without care for the rules: state, action, state after. Faults are
    declared now and then, since they are many; taking back would never end."""
    game, state = play, play.start(setup)
    for _ in range(MOST):
        actions = [one for one in game.legal_actions(state) if type(one).__name__ != "TakeBack"]
        if luck.random() < 0.97:
            fair = [one for one in actions if not isinstance(one, DeclareFault | spoil.Misdeal)]
            actions = fair or actions
        if not actions:
            return
        action = luck.choice(actions)
        after = game.apply(state, action)
        yield state, action, after
        state = after


@pytest.mark.long
@every_case
def test_random_games_keep_the_contract(play, seats, agreed):
    """Funds stay, each card is in one place, notation comes back, the same actions lead to the same
    state, and no card of the deal comes twice."""
    setup = setup_of(play, seats, agreed)
    for seed in range(3):
        total = None
        for state, action, after in played(play, setup, Random(seed)):
            funds = play.funds(after)
            total = total or sum(funds.values())
            assert sum(funds.values()) == total, (state, action)
            assert all(type(units) is int for units in funds.values())
            assert play.parse(setup, play.notation(after)) == after, (action, after)
            assert play.apply(state, action) == after
            law = play.chance(after)
            if law is not None:
                assert law.kind is Luck.CARD
                assert law.count == 1
                read = getattr(action, "card", ())
                assert law.do != "deal-card" or not {*read} & {*law.things} or fresh(after)


def fresh(state: Any) -> bool:
    """Whether a new deal is to come: then the whole pack is."""
    return len(getattr(state, "unread", PACK)) >= 32


@every_case
def test_a_card_is_read_by_whoever_may_have_it_and_no_other(play, seats, agreed):
    """Of any card of the pack, and some that are none, just those are accepted that are listed."""
    setup = setup_of(play, seats, agreed)
    for at, (state, action, _) in enumerate(played(play, setup, Random(1))):
        if at % 5 or not hasattr(action, "card") or play.chance(state) is None:
            continue
        listed = {*play.legal_actions(state)}
        kind = type(action)
        for card in ((), ("1S",), ("AS", "KS"), *((face,) for face in PACK)):
            wanted = kind(card) in listed
            try:
                play.apply(state, kind(card))
            except IllegalAction:
                assert not wanted
            else:
                assert wanted


@every_case
def test_seats_do_nothing_and_what_the_host_may_do_is_his_to_do(play, seats, agreed):
    """With real cards a seat has no move of its own; every kind of action that the rules list but
    chance's can be asked for by the host, whichever cards there are."""
    setup = setup_of(play, seats, agreed)
    for state, _, _ in played(play, setup, Random(7)):
        assert not play.enforced(state)
        assert not [move for seat in range(1, seats + 1) for move in play.actions(state, seat)]
        verbs = {move.do for move in play.actions(state, Watching.HOST)}
        names = {kind: name for name, kind in play.moves.items()}
        listed = {names[type(action)] for action in play.legal_actions(state)}
        assert listed - {"misdeal"} <= verbs
        assert verbs - listed <= {"sing"}, "whether somebody has a song nobody else knows"


def test_two_deals_look_alike():
    """Two games that differ only in the cards that lie face down give equal views and equal moves
    to the hall, to the host and to the caller, as long as the same is seen of them."""
    for play, agreed, reads in ((BIRD, {}, 20), (SPOIL, {}, 25), (SPOIL, {"fiving": True}, 10)):
        seats = 5 if reads > 10 else 2
        setup = setup_of(play, seats, agreed)
        orders = [Random(seed).sample(PACK, len(PACK)) for seed in (1, 2)]
        twins = [play.start(setup) for _ in orders]
        for at in range(reads):
            twins = [
                play.apply(state, play.moves["deal-card"]((order[at],)))
                for state, order in zip(twins, orders, strict=True)
            ]
            for viewer in Watching:
                seen = [
                    (play.view(state, viewer), [*play.actions(state, viewer)]) for state in twins
                ]
                assert seen[0] == seen[1], (play.name, at, viewer)
            says = [play.opens(state) for state in twins]
            assert says[0] == says[1]


# -- Spoil-Five ------------------------------------------------------------------------------------


def spoil_five(cards: list[str], seats: int = 2, **agreed: Any) -> Any:
    """A game of Spoil-Five with these cards laid on the reader, one after the other."""
    state = SPOIL.start(setup_of(SPOIL, seats, agreed))
    for face in cards:
        state = SPOIL.apply(state, spoil.DealCard((face,)))
    return state


def after(state: Any, *actions: Any) -> Any:
    for action in actions:
        state = SPOIL.apply(state, action)
    return state


# Anna (1) leads: KS QS 2H 3H 4H; Bruno (2), the dealer: 5H AC KH KD QD; spades are trumps by 7S.
TWO = ["KS", "QS", "5H", "AC", "2H", "3H", "4H", "KH", "KD", "QD", "7S"]


def test_the_deal_goes_round_by_two_and_three():
    """Each card goes to the seat whose turn of the deal it is; who has paid is seen from the first
    card on; the last is turned up."""
    state = spoil_five([])
    for at, face in enumerate(TWO):
        assert state.next_card_for == (1, 1, 2, 2, 1, 1, 1, 2, 2, 2, 0)[at]
        state = SPOIL.apply(state, spoil.DealCard((face,)))
        assert state.pool == 7
    assert state.hand.held == (("KS", "QS", "2H", "3H", "4H"), ("5H", "AC", "KH", "KD", "QD"))
    assert (state.hand.trump, state.hand.left, state.hand.turn) == ("7S", 41, 1)
    order = [dealt_next(5, 5, out) for out in range(26)]
    assert Counter(order) == {**dict.fromkeys(range(1, 6), CARDS), 0: 1}


def test_a_renege_has_happened_and_is_declared():
    """Hearts are led, Bruno holds the king and plays a diamond: accepted. Declared, he is barred
    from the pool: the tricks that would win it end the hand and leave it there."""
    state = after(spoil_five(TWO), spoil.PlayCard(1, ("2H",)), spoil.PlayCard(2, ("KD",)))
    assert state.hand.winners == (1,)
    fault = DeclareFault(2, FaultKind.RENEGED)
    assert fault in [*SPOIL.legal_actions(state)]
    with pytest.raises(IllegalAction, match="cannot be declared"):
        after(state, DeclareFault(1, FaultKind.RENEGED))
    barred = after(state, fault)
    assert barred.hand.barred == (2,)
    with pytest.raises(IllegalAction, match="cannot be declared"):
        after(barred, fault)
    won = after(
        barred,
        *(spoil.PlayCard(1, ("3H",)), spoil.PlayCard(2, ("KH",))),
        *(spoil.PlayCard(2, ("5H",)), spoil.PlayCard(1, ("4H",))),
        *(spoil.PlayCard(2, ("AC",)), spoil.PlayCard(1, ("QS",))),
        *(spoil.PlayCard(1, ("KS",)), spoil.PlayCard(2, ("QD",))),
    )
    assert won.hand.winners == (1, 2, 2, 1, 1)
    assert won.winners == (1,), "her own tricks take the pool all the same"
    lost = after(
        after(state, DeclareFault(2, FaultKind.RENEGED)),
        *(spoil.PlayCard(1, ("3H",)), spoil.PlayCard(2, ("5H",))),
        *(spoil.PlayCard(2, ("KH",)), spoil.PlayCard(1, ("4H",))),
        *(spoil.PlayCard(2, ("AC",)), spoil.PlayCard(1, ("KS",))),
    )
    assert lost.hand.result is None
    assert lost.pool == 7


def test_a_robbery_without_the_ace_has_happened_and_is_declared():
    """Anna has no ace and robs, and Bruno before his turn: each is accepted; only who robbed can
    be declared; the card that was laid out is in no hand."""
    state = spoil_five(TWO)
    for seat, out in ((1, "2H"), (2, "QD")):
        robbed = after(state, spoil.Rob(seat, (out,)))
        assert robbed.hand.robber == seat
        assert "7S" in robbed.hand.held[seat - 1]
        assert out not in robbed.hand.held[seat - 1]
        declared = after(robbed, DeclareFault(seat, FaultKind.ROBBED))
        assert declared.hand.barred == (seat,)
        with pytest.raises(IllegalAction):
            after(robbed, DeclareFault(3 - seat, FaultKind.ROBBED))
        with pytest.raises(IllegalAction):
            after(robbed, spoil.Rob(3 - seat, ("KS",)))


@pytest.mark.parametrize("kind", [FaultKind.MISDEAL, FaultKind.EXPOSED])
@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("dealt", [3, 11])
def test_a_deal_is_lost(kind, again, dealt):
    """In the middle of it, or before the first lead: what was paid stays, the cards are gathered;
    the next dealer, or the same if so agreed, pays the extra alone. Once a card is led, it cannot
    be declared any more."""
    state = spoil_five(TWO[:dealt], deals_again=again)
    lost = after(state, DeclareFault(2, kind))
    assert (lost.pool, lost.dealing, lost.hand) == (7, (), None)
    if again:
        lost = after(lost, spoil.DealAgain(2))
    assert lost.dealer == (2 if again else 1)
    anew = after(lost, *(spoil.DealCard((face,)) for face in TWO))
    assert anew.pool == 8
    led = after(spoil_five(TWO), spoil.PlayCard(1, ("2H",)))
    with pytest.raises(IllegalAction, match="cannot be declared"):
        after(led, DeclareFault(2, kind))


def test_other_trumps_are_turned_up_one_by_one():
    """Fiving: real cards are turned until another suit comes; where none is left, the first counts
    again."""
    state = spoil_five(TWO, fiving=True)
    state = after(state, spoil.AskFive(1), spoil.AgreeFive(2))
    assert state.hand.stage is HandStage.TURNING
    state = after(state, spoil.DealCard(("8S",)))
    assert (state.hand.stage, state.hand.trump) == (HandStage.TURNING, "7S")
    with pytest.raises(IllegalAction, match="is out already"):
        after(state, spoil.DealCard(("8S",)))
    state = after(state, spoil.DealCard(("9D",)))
    assert (state.hand.stage, state.hand.suit) == (HandStage.PLAYING, "D")


def test_who_is_barred_goes_on_for_no_jink():
    """Three tricks running, and then a fault of the winner's: he may not go on, and the pool
    stays."""
    cards = ["KS", "QS", "KH", "KD", "JS", "5S", "2H", "QD", "QC", "KC", "7S"]
    state = spoil_five(cards, jinking=True)
    state = after(
        state,
        *(spoil.PlayCard(1, ("KS",)), spoil.PlayCard(2, ("KH",))),
        *(spoil.PlayCard(1, ("QS",)), spoil.PlayCard(2, ("KD",))),
        *(spoil.PlayCard(1, ("JS",)), spoil.PlayCard(2, ("QD",))),
    )
    assert state.hand.stage is HandStage.JINKING
    ended = after(state, DeclareFault(1, FaultKind.RENEGED))
    assert (ended.hand.result, ended.winners, ended.pool) == (Result.BARRED, (), 7)


# -- My Bird Sings ---------------------------------------------------------------------------------


def birds(cards: list[str], seats: int = 2, **agreed: Any) -> Any:
    state = BIRD.start(setup_of(BIRD, seats, agreed))
    for face in cards:
        state = BIRD.apply(state, bird.DealCard((face,)))
    return state


def test_cards_of_the_stock_are_read_when_they_come():
    """After three rounds the leader puts a spade out: spades of the stock are laid aside until a
    heart comes; meanwhile nobody can do anything else."""
    game = BIRD
    state = birds(["AS", "2H", "5S", "3H", "4D", "4H", "5D", "6S"])
    assert state.hands == (("AS", "5S", "4D", "5D"), ("2H", "3H", "4H", "6S"))
    assert state.left == 44
    for seat in (1, 2):
        state = game.apply(state, bird.Listen(seat))
    for _ in range(3):
        state = game.apply(state, bird.PassOn(1, ("5D",)))
        state = game.apply(state, bird.PassOn(2, ("5D",)))
    state = game.apply(state, bird.PutOut(1, ("AS",)))
    assert (state.owed, state.out, state.left) == ((1,), "AS", 43)
    with pytest.raises(IllegalAction):
        game.apply(state, bird.PassOn(1, ("5D",)))
    state = game.apply(state, bird.DealCard(("KS",)))
    assert (state.aside, state.owed) == (("AS", "KS"), (1,))
    state = game.apply(state, bird.DealCard(("KD",)))
    assert state.hands[0] == ("5S", "4D", "5D", "KD")
    assert (state.owed, state.out, state.since) == ((), "", 3)


def test_his_own_card_comes_back_where_the_stock_ends():
    """With a pack of nine cards the one that is left is of the suit that was put out."""
    from station.games.my_bird_sings.state import Setup

    game = BIRD
    pack = ("AS", "2H", "5S", "3H", "4D", "4H", "5D", "6S", "7S")
    state = game.start(Setup((5, 5), pack=pack, real=True))
    for face in pack[:-1]:
        state = game.apply(state, bird.DealCard((face,)))
    for action in (bird.Listen(1), bird.Listen(2)):
        state = game.apply(state, action)
    for _ in range(3):
        state = game.apply(state, bird.PassOn(1, ("5D",)))
        state = game.apply(state, bird.PassOn(2, ("5D",)))
    state = game.apply(state, bird.PutOut(1, ("AS",)))
    state = game.apply(state, bird.DealCard(("7S",)))
    assert sorted(state.hands[0]) == ["4D", "5D", "5S", "AS"]
    assert (state.aside, state.left, state.may_put_out) == (("7S",), 0, False)


def test_new_cards_for_a_trick_are_owed():
    """At the deal both sing: each is owed four, from the dealer's left on, and sings again only
    when all have come."""
    game = BIRD
    state = birds(["AS", "2H", "5S", "3H", "4S", "4H", "6S", "5H"], tricks=True)
    state = game.apply(state, bird.Sing(1, ("AS", "5S", "4S", "6S")))
    state = game.apply(state, bird.Sing(2, ("2H", "3H", "4H", "5H")))
    assert state.owed == (1, 1, 1, 1, 2, 2, 2, 2)
    assert (state.tricks, state.left) == ((1, 1), 36)
    for face in ("KS", "QS", "JS", "10S", "KH", "QH", "JH"):
        state = game.apply(state, bird.DealCard((face,)))
        with pytest.raises(IllegalAction):
            game.apply(state, bird.Sing(1, ("KS", "QS", "JS", "10S")))
        with pytest.raises(IllegalAction):
            game.apply(state, bird.Listen(1))
    state = game.apply(state, bird.DealCard(("10H",)))
    state = game.apply(state, bird.Sing(1, ("KS", "QS", "JS", "10S")))
    state = game.apply(state, bird.Listen(2))
    assert (state.tricks, state.owed) == ((2, 1), (1, 1, 1, 1))


@pytest.mark.parametrize("kind", [FaultKind.MISDEAL, FaultKind.EXPOSED])
def test_a_deal_of_birds_is_lost(kind):
    """The same player deals anew and nobody pays; once a card has gone on, no deal is lost."""
    game = BIRD
    cards = ["AS", "2H", "5S", "3H", "4D", "4H", "5D", "6S"]
    for dealt in (1, 8):
        state = birds(cards[:dealt])
        lost = game.apply(state, DeclareFault(2, kind))
        assert (lost.hands, lost.pool, lost.dealer, lost.deal) == ((), state.pool, state.dealer, 2)
    state = birds(cards)
    for action in (bird.Listen(1), bird.Listen(2), bird.PassOn(1, ("5D",))):
        state = game.apply(state, action)
    with pytest.raises(IllegalAction, match="cannot be declared"):
        game.apply(state, DeclareFault(2, kind))


def test_a_hand_of_a_song_is_laid_as_one():
    """The host's move for a song has room for as many cards as sing, and none of its values is of
    what anybody holds."""
    state = birds(["AS", "2H", "5S", "3H", "4D", "4H", "5D", "6S"])
    sing = next(one for one in BIRD.actions(state, Watching.HOST) if one.do == "sing")
    (slot,) = sing.slots
    assert (slot.kind, slot.least, slot.most, slot.values) == (SlotKind.HAND, 4, 4, PACK)
