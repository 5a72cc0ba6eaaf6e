"""Dice Keno: cards that are equally good, throws, checks, Keno, the count, what is taken back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

import pytest

from docs.make_dice_keno_cards import chosen, images, unlike
from docs.make_dice_keno_cards import lines as lines_of
from station.base.errors import IllegalAction, Unreadable
from station.games.dice_keno.play import GAME
from station.games.dice_keno.state import (
    CARDS,
    Action,
    Close,
    Cover,
    Deal,
    GamePhase,
    Read,
    Reason,
    Setup,
    State,
    TakeBack,
    Throw,
    Variation,
    lines,
)
from station.rules.game import Ending, Outcome
from tests.keno_chances import throws_to_row

NAMES = tuple(CARDS)
ROW, COVER, POINTS = Variation.ROW, Variation.COVER, Variation.POINTS


def begun(players: int = 3, variation: Variation = ROW, **more: object) -> State:
    """The cards dealt, card 1 to seat 1, and seat 1 on the lead."""
    state = GAME.start(Setup((100,) * players, variation, 10, **more))
    state = GAME.apply(state, Deal(NAMES))
    for dice in ((6, 6), *((1, 1),) * (players - 1)):
        state = GAME.apply(state, Throw(dice))
    return state


def played(state: State, *actions: Action) -> State:
    """The state after some actions."""
    for action in actions:
        state = GAME.apply(state, action)
    return state


def covered(state: State, *checked: tuple[int, ...]) -> State:
    """The same with these squares covered, seat by seat."""
    return replace(state, checked=checked)


def reason(state: State, action: Action) -> object:
    """Why an action is refused."""
    with pytest.raises(IllegalAction) as refused:
        GAME.apply(state, action)
    return refused.value.reason


# -- the cards -------------------------------------------------------------------------------------


def test_the_cards_are_those_that_were_chosen():
    """The script gives these eight again, on every machine."""
    assert chosen() == tuple(CARDS.values())


@pytest.mark.parametrize("name", NAMES)
def test_a_card_is_as_the_book_says(name):
    """Four by four squares, three sixes, sixty spots; each line has four different faces."""
    card = CARDS[name]
    often = Counter(face for row in card for face in row)
    assert often == {6: 3, 5: 3, 4: 3, 3: 3, 2: 2, 1: 2}
    assert sum(face * many for face, many in often.items()) == 60
    assert [len(row) for row in card] == [4] * 4
    faces = [face for row in card for face in row]
    assert [len({faces[place] for place in line}) for line in lines(4)] == [4] * 10
    assert sorted(map(sorted, lines_of(card))) == sorted(
        sorted(faces[place] for place in line) for line in lines(4)
    )


def test_no_card_is_better_than_another():
    """Each is made of the first by exchanging faces that come equally often, and by an order of
    rows and columns that keeps all lines; no two are alike, however they are turned."""
    assert set(CARDS.values()) <= images(CARDS["1"])
    assert all(unlike(*two) for two in combinations(CARDS.values(), 2))


@pytest.mark.long
@pytest.mark.parametrize(("best", "mean"), [(True, 8.0875272548), (False, 10.8012736942)])
def test_each_card_takes_equally_many_throws(best, mean):
    """By best play and by choices at random, four in a row take equally long on each card."""
    for card in CARDS.values():
        assert throws_to_row(card, best) == pytest.approx(mean, abs=1e-9)


def test_a_card_of_two_by_two_takes_as_many_throws_as_can_be_seen():
    """Any two squares are a row: with one of each face the first throw of four in six covers, the
    next one of three."""
    card = ((1, 2), (3, 4))
    assert throws_to_row(card, True) == pytest.approx(6 / 4 + 6 / 3)
    assert throws_to_row(((1, 1), (2, 2)), False) == pytest.approx(6 / 2 + 6 / 2)


# -- who leads -------------------------------------------------------------------------------------


def test_the_highest_throw_leads():
    """All throw two dice, the eldest hand first; then the one with the highest sum begins."""
    state = played(GAME.start(Setup((0, 0, 0))), Deal(NAMES))
    for turn, dice in ((1, (2, 3)), (2, (6, 1)), (3, (4, 2))):
        assert (state.turn, state.thrown) == (turn, 2)
        state = GAME.apply(state, Throw(dice))
    assert (state.phase, state.turn, state.thrown) == (GamePhase.THROWING, 2, 1)


def test_those_who_tie_throw_again():
    """Only they do, in their order, as often as they tie."""
    state = played(GAME.start(Setup((0,) * 4)), Deal(NAMES))
    state = played(state, *map(Throw, ((1, 1), (6, 4), (5, 4), (5, 5))))
    assert (state.rivals, state.turn) == ((2, 4), 2)
    state = played(state, Throw((1, 2)), Throw((2, 1)))
    assert (state.rivals, state.turn) == ((2, 4), 2)
    state = played(state, Throw((1, 2)), Throw((2, 2)))
    assert (state.phase, state.turn) == (GamePhase.THROWING, 4)


def test_play_goes_to_the_left():
    """After the last seat comes the first."""
    state = played(begun(3, COVER), Throw((6,)), Throw((6,)), Throw((6,)))
    assert state.turn == 1


# -- a row -----------------------------------------------------------------------------------------


def test_the_thrower_chooses_among_several_squares():
    """Where one is left it is covered at once, where none is he passes."""
    state = played(begun(2), Throw((6,)))
    assert (state.phase, state.turn) == (GamePhase.COVERING, 1)
    assert [one for one in GAME.legal_actions(state) if isinstance(one, Cover)] == [
        Cover(1),
        Cover(6),
        Cover(15),
    ]
    state = played(state, Cover(6))
    assert (state.checked[0], state.turn) == ((6,), 2)
    one = played(covered(begun(2), (1, 6), ()), Throw((6,)))
    assert (one.checked[0], one.laid, one.turn) == ((1, 6, 15), (15,), 2)
    none = played(covered(begun(2), (1, 6, 15), ()), Throw((6,)))
    assert (none.checked[0], none.laid, none.turn) == ((1, 6, 15), (), 2)


@pytest.mark.parametrize("line", lines(4))
def test_any_line_wins(line):
    """Each row, each column and both diagonals: Keno, and the pool is his."""
    *three, last = sorted(line)
    state = covered(begun(3), tuple(three), (), ())
    face = state.faces(1)[last]
    state = played(state, Throw((face,)))
    if state.phase is GamePhase.COVERING:
        state = played(state, Cover(last))
    assert GAME.outcome(state) == Outcome(Ending.WON, ("1",))
    assert (state.purses, state.pool) == ((120, 90, 90), 0)


def test_four_that_are_no_line_do_not_win():
    """The four corners, or four in a block, are none."""
    for four in ((0, 3, 12), (0, 1, 4)):
        state = covered(begun(2), four, ())
        state = played(state, Throw((state.faces(1)[15 if 12 in four else 5],)))
        if state.phase is GamePhase.COVERING:
            state = played(state, Cover(15 if 12 in four else 5))
        assert not state.over


# -- a whole card ----------------------------------------------------------------------------------


def test_in_cover_a_row_wins_nothing_and_the_whole_card_does():
    """Nobody has to choose a square: all of a number are equally good."""
    state = covered(begun(2, COVER), (1, 2, 3), ())
    state = played(state, Throw((2,)))
    assert (state.over, state.checked[0]) == (False, (0, 1, 2, 3))
    state = covered(replace(state, turn=1), tuple(range(15)), ())
    assert GAME.outcome(played(state, Throw((6,)))) == Outcome(Ending.WON, ("1",))


# -- points ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "dice", "laid"),
    [
        ((), (6, 3), (1, 3)),
        ((), (6, 6), (1, 6)),  # a square for each
        ((1, 6, 15), (6, 3), (3,)),  # one is of use
        ((1, 6), (6, 6), (15,)),
        ((1, 6, 15, 3, 4, 13), (6, 3), ()),  # none is
        ((3, 4, 13, 0, 11), (3, 2), ()),  # 3 and 2 are never added: a five stays bare
    ],
)
def test_each_of_two_dice_covers_a_square(before, dice, laid):
    """The book's examples: both are of use, or one, or none; the sum never is."""
    state = played(covered(begun(2, POINTS), before, ()), Throw(dice))
    assert (state.laid, state.turn) == (laid, 2)
    assert state.checked[0] == tuple(sorted((*before, *laid)))


def test_the_count():
    """Sixty for the card, and totals of others that end in 0 or 5; the others have their own."""
    state = covered(
        begun(4, POINTS),
        tuple(range(15)),
        (0, 1, 2, 3, 8, 11, 12, 15),  # card 2: 1 5 2 4, 5 6, 3 5: 31
        (0, 1, 2, 3, 5, 8, 12),  # card 3: 1 4 3 5, 6, 6, 2: 27; with the next one 30
        (),
    )
    state = covered(state, *state.checked[:2], (0, 1, 2, 3, 5, 7, 8, 12), ())
    assert [state.spots(seat) for seat in (1, 2, 3, 4)] == [54, 31, 30, 0]
    state = played(state, Throw((6, 2)))
    assert state.counted == state.points == (60 + 30, 31, 0, 0)
    assert (state.phase, state.turn, state.checked) == (GamePhase.THROWING, 1, ((),) * 4)
    assert state.cards == NAMES
    assert played(state, Throw((1, 1))).counted == ()


@pytest.mark.parametrize(
    ("had", "points", "winner"),
    [
        ((439, 0), (499, 31), 0),
        ((440, 0), (500, 31), 1),
        ((440, 480), (500, 511), 2),  # both are there: the higher one
        ((451, 480), (511, 511), 0),  # equal: another card
        ((300, 469), (360, 500), 2),  # the other one gets there by the winner's card
    ],
)
def test_the_first_to_five_hundred_wins(had, points, winner):
    """Of several the highest; if they are equal all play another card. The pool is the match's."""
    state = covered(begun(2, POINTS), tuple(range(15)), (0, 1, 2, 3, 8, 11, 12, 15))
    state = played(replace(state, points=had), Throw((6, 6)))
    assert (state.points, state.winner, state.over) == (points, winner, winner > 0)
    assert state.pool == (0 if winner else 20)


# -- taken back ------------------------------------------------------------------------------------


def test_a_misread_throw_is_taken_back_and_read_again():
    """Its checks go, it is the same player's turn, and the station throws no other dice for it."""
    before = begun(2, POINTS)
    state = played(before, Throw((6, 6)), TakeBack())
    assert replace(state, misread=False) == replace(before, dice=())
    assert reason(state, TakeBack()) is Reason.NO_THROW
    assert reason(state, Throw((6, 6))) is Reason.NO_THROW
    state = played(state, Read(6, 5))
    assert (state.checked[0], state.turn, state.misread) == ((1, 2), 2, False)


def test_a_throw_whose_square_is_to_be_chosen_is_taken_back():
    """So is one whose square was chosen."""
    before = begun(2)
    for some in ([Throw((6,))], [Throw((6,)), Cover(15)]):
        state = played(before, *some, TakeBack())
        assert replace(state, misread=False) == replace(before, dice=())


def test_what_has_decided_something_stays():
    """A throw that decided the lead, a tie or a card cannot be taken back; one in between can."""
    state = played(GAME.start(Setup((0, 0))), Deal(NAMES))
    assert reason(state, TakeBack()) is Reason.NO_THROW
    first = played(state, Throw((4, 4)))
    back = played(first, TakeBack())
    assert (back.turn, back.sums, back.misread) == (1, (), True)
    assert reason(played(first, Throw((4, 4))), TakeBack()) is Reason.NO_THROW
    assert reason(played(first, Throw((4, 3))), TakeBack()) is Reason.NO_THROW
    counted = played(covered(begun(2, POINTS), tuple(range(15)), ()), Throw((6, 6)))
    assert reason(counted, TakeBack()) is Reason.NO_THROW


# -- refused ---------------------------------------------------------------------------------------


def test_what_is_not_to_be_done_now_is_refused():
    """Each refusal has its reason."""
    start = GAME.start(Setup((0, 0)))
    playing = begun(2)
    choosing = played(playing, Throw((6,)))
    assert reason(start, Throw((1, 1))) is Reason.NOT_DEALT
    assert reason(start, Deal(NAMES[1:])) is Reason.WRONG_CARDS
    assert reason(start, Deal((*NAMES[1:], "2"))) is Reason.WRONG_CARDS
    assert reason(playing, Deal(NAMES)) is Reason.DEALT
    assert reason(playing, Throw((1, 2))) is Reason.WRONG_DICE
    assert reason(playing, Throw((7,))) is Reason.WRONG_DICE
    assert reason(playing, Read(0)) is Reason.WRONG_DICE
    assert reason(playing, Read(1, 2)) is Reason.WRONG_DICE
    assert reason(begun(2, POINTS), Read(1)) is Reason.WRONG_DICE
    assert reason(playing, Cover(1)) is Reason.NOT_TO_COVER
    assert reason(choosing, Cover(0)) is Reason.WRONG_PLACE
    assert reason(choosing, Throw((1,))) is Reason.TO_COVER
    assert reason(played(playing, Close()), Throw((1,))) is Reason.OVER


@pytest.mark.parametrize(
    ("setup", "why"),
    [
        (Setup((9,)), "2 to 8 can play"),
        (Setup((9,) * 9), "2 to 8 can play"),
        (Setup((9, 9, 9), cards={name: CARDS[name] for name in "12"}), "each with a card"),
        (Setup((9, 3), stake=5), "seat 2 has 3; its stake is 5"),
        (Setup((9, 9), stake=-1), "not below zero"),
        (Setup((9, 9), value=0), "1 at least"),
        (Setup((9, 9), goal=0), "1 at least"),
        (Setup((9, 9), cards={"1": ((1, 2), (3,)), "2": ((1, 2), (2, 1))}), "no square"),
        (Setup((9, 9), cards={"1": ((1, 7), (3, 1)), "2": ((6, 2), (2, 2))}), "no square"),
        (Setup((9, 9), cards={"1": ((1, 2), (2, 1)), "2": ((1, 2), (2, 2))}), "comes to 7"),
    ],
)
def test_a_company_that_cannot_play_is_refused(setup, why):
    """By what is wrong with it."""
    with pytest.raises(Unreadable, match=why):
        GAME.start(setup)


def test_a_game_broken_off_gives_the_stakes_back():
    """Whatever was thrown."""
    state = played(begun(3), Throw((6,)), Close())
    assert GAME.outcome(state) == Outcome(Ending.CLOSED, ())
    assert (state.purses, state.pool) == ((100, 100, 100), 0)


# -- whole games -----------------------------------------------------------------------------------


def random_game(variation: Variation, seed: int) -> Iterator[State]:
    """The states of a game in which all is chosen at random; now and then a throw is misread."""
    chance = Random(seed)
    players = chance.randint(2, 8)
    state = GAME.start(Setup((9,) * players, variation, chance.randint(0, 9)))
    while not state.over:
        yield state
        if state.phase is GamePhase.DEALING:
            state = GAME.apply(state, Deal(tuple(chance.sample(NAMES, len(NAMES)))))
        elif state.phase is GamePhase.COVERING:
            state = GAME.apply(state, Cover(chance.choice(state.free(state.turn, *state.dice))))
        elif state.fresh and chance.random() < 0.02:
            state = GAME.apply(state, TakeBack())
        else:
            dice = tuple(chance.randint(1, 6) for _ in range(state.thrown))
            state = GAME.apply(state, Read(*dice) if state.misread else Throw(dice))
    yield state


@pytest.mark.long
@pytest.mark.parametrize("variation", Variation)
def test_three_hundred_games_come_to_their_end(variation):
    """None gets stuck; nothing is made or lost; each state comes back from its line; a check stays
    until the card is counted or the throw taken back; one wins, by what is played for."""
    for seed in range(300):
        states = [*random_game(variation, seed)]
        setup = states[0].setup
        for before, state in pairwise(states):
            assert sum(GAME.funds(state).values()) == 9 * setup.seats
            if not state.misread and not state.counted:
                assert sum(map(len, state.checked)) - sum(map(len, before.checked)) <= 2
                assert all(
                    set(had) <= set(has)
                    for had, has in zip(before.checked, state.checked, strict=False)
                )
        for state in (states[1], states[len(states) // 2], states[-2], states[-1]):
            assert GAME.parse(setup, GAME.notation(state)) == state
        last = states[-1]
        assert GAME.outcome(last) == Outcome(Ending.WON, (str(last.winner),))
        if variation is POINTS:
            assert last.points[last.winner - 1] == max(last.points) >= 500
        else:
            assert last.complete(last.winner)
            others = {*range(1, setup.seats + 1)} - {last.winner}
            assert not any(last.complete(seat) for seat in others)
