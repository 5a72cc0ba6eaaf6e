"""Loto, First Method, as its rule book and a careful host play it; and every small game against a game kept on paper."""

from __future__ import annotations

from itertools import permutations

import pytest

from station.errors import IllegalAction, Unreadable
from station.rules.loto_first import (
    ANY_CARD,
    GAME,
    Action,
    Check,
    Close,
    Draw,
    PlayOn,
    Reason,
    Setup,
    Stage,
    Stakes,
    State,
    Stop,
    TakeBack,
    Verdict,
    check,
    full_rows,
    missing,
)
from station.table import Card
from tests.games.samples import SAMPLES, trace
from tests.oracles import FIG_1, Paper

FIG = Card.parse(FIG_1)
# Three cards that share the top row, so that they can tie on it.
ROW = (5, 11, 33, 50, 76)
TWINS = {
    serial: Card(serial, (ROW, second, third))
    for serial, second, third in (
        ("2", (17, 22, 43, 65, 89), (2, 28, 35, 56, 74)),
        ("9", (1, 12, 23, 34, 45), (6, 16, 26, 36, 46)),
        ("10", (3, 13, 24, 37, 47), (7, 18, 27, 38, 48)),
    )
}


def play(setup: Setup, *actions: Action | int) -> State:
    """A game from its start; a bare number is a draw."""
    state = GAME.start(setup)
    for action in actions:
        state = GAME.apply(state, Draw(action) if isinstance(action, int) else action)
    return state


def won(state: State) -> list[tuple[str, str, int]]:
    return [(win.stage.value, win.serial, win.amount) for win in state.wins]


def refused(state: State, action: Action) -> Reason:
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(state, action)
    return caught.value.reason


@pytest.mark.parametrize(
    ("stakes", "pool", "shares"),
    [
        (Stakes.WHOLE, 7, [7]),
        (Stakes.QUARTERS, 8, [2, 2, 4]),
        (Stakes.QUARTERS, 9, [2, 2, 5]),
        (Stakes.QUARTERS, 10, [2, 2, 6]),
        (Stakes.QUARTERS, 11, [2, 2, 7]),
        (Stakes.QUARTERS, 3, [0, 0, 3]),
        (Stakes.QUARTERS, 0, [0, 0, 0]),
        (Stakes.WHOLE, 0, [0]),
    ],
)
def test_the_pool_is_shared_as_the_stakes_say(stakes, pool, shares):
    """A quarter, a quarter and the remaining half, odd units with the last half; or the whole pool to the full card."""
    numbers = [number for row in FIG.rows for number in row]
    state = GAME.start(Setup({"1": FIG}, pool, stakes))
    got = []
    for number in numbers:
        state = GAME.apply(state, Draw(number))
        if check(state, "1") is Verdict.VALID:
            got.append(state.share)
            state = GAME.apply(GAME.apply(state, Check("1")), PlayOn())
    assert got == shares == [win.amount for win in state.wins]
    assert (state.pool, state.share, state.stage) == (0, 0, None)


def test_fig_1_is_played_through():
    """The book's own card: a row wins when its fifth number is called, two rows with ten, the card with fifteen."""
    top, middle, bottom = FIG.rows
    order = [*top[:-1], *bottom[:-1], *middle, top[-1], bottom[-1]]
    setup = Setup({"1": FIG}, 100)
    state, stages = GAME.start(setup), []
    for calls, number in enumerate(order, 1):
        state = GAME.apply(state, Draw(number))
        state = GAME.apply(state, Check("1"))
        if state.claims[0].verdict is Verdict.VALID:
            stages.append((calls, state.stage))
        state = GAME.apply(state, PlayOn())
    assert stages == [(13, Stage.ROW), (14, Stage.TWO_ROWS), (15, Stage.FULL)]
    assert [win.calls for win in state.wins] == [13, 14, 15]


@pytest.mark.parametrize(
    ("pool", "holders", "claims", "shares", "left"),
    [
        # Three players on one number.
        (24, {}, ["2", "9", "10"], {"2": 2, "9": 2, "10": 2}, 18),
        # The odd unit stays in the pool for the next share.
        (20, {}, ["9", "2"], {"2": 2, "9": 2}, 16),
        (20, {}, ["10", "9", "2"], {"2": 1, "9": 1, "10": 1}, 17),
        # Once per player, however many cards; his lowest serial stands for him.
        (20, {"10": "Anna", "9": "Anna"}, ["10", "9", "2"], {"2": 2, "9": 2}, 16),
        (20, {"10": "Anna", "9": "Anna", "2": "Anna"}, ["10", "9"], {"9": 5}, 15),
        # Less than a unit each: the stage is won all the same.
        (8, {}, ["2", "9", "10"], {"2": 0, "9": 0, "10": 0}, 8),
        # A card without a name is a player of its own.
        (20, {"2": "Anna"}, ["2", "9"], {"2": 2, "9": 2}, 16),
    ],
)
def test_ties_on_one_number_are_split_once_per_player(pool, holders, claims, shares, left):
    """All who complete on the same number are gathered; the share is split evenly, the odd remainder goes to the next."""
    state = play(Setup(TWINS, pool, holders=holders), *ROW, *map(Check, claims), PlayOn())
    assert {win.serial: win.amount for win in state.wins} == shares
    assert (state.pool, state.stage) == (left, Stage.TWO_ROWS)


def test_an_odd_remainder_joins_the_next_share():
    """Quarter of 21 is 5: two players get 2 each, the odd 1 makes the second quarter 6; the last half keeps its 11."""
    state = play(Setup(TWINS, 21), *ROW, Check("2"), Check("9"), PlayOn())
    assert state.share == 6
    state = play(Setup(TWINS, 21), *ROW, Check("2"), Check("9"), PlayOn(), *TWINS["9"].rows[1], Check("9"), PlayOn())
    assert won(state)[-1] == ("two-rows", "9", 6)
    assert state.share == state.pool == 11


def test_in_the_last_share_the_odd_unit_goes_to_the_lowest_serial():
    """9 is lower than 10, as people count, in whatever order they claimed."""
    cards = {serial: Card(serial, FIG.rows) for serial in ("9", "10")}
    numbers = [number for row in FIG.rows for number in row]
    for claims in permutations(("9", "10")):
        state = play(Setup(cards, 7, Stakes.WHOLE), *numbers, *map(Check, claims), PlayOn())
        assert won(state) == [("full", "9", 4), ("full", "10", 3)]
        assert state.pool == 0


@pytest.mark.parametrize(
    ("called", "verdict", "any_number"),
    [
        (ROW[:4], Verdict.NOT_COMPLETE, Verdict.NOT_COMPLETE),
        (ROW, Verdict.VALID, Verdict.VALID),
        ((*ROW[1:], ROW[0]), Verdict.VALID, Verdict.VALID),
        # 90 is not on the card: its row was there one call ago.
        ((*ROW, 90), Verdict.LATE, Verdict.VALID),
        # 17 is on the card, but completes nothing.
        ((*ROW, 17), Verdict.LATE, Verdict.VALID),
        # A player slept over a row; another of his rows is completed on the last number.
        ((*ROW, 17, 22, 43, 65, 89), Verdict.VALID, Verdict.VALID),
        ((*ROW, 17, 22, 43, 65, 89, 90), Verdict.LATE, Verdict.VALID),
        # Five numbers of the card, but on three rows.
        ((5, 17, 2, 11, 22), Verdict.NOT_COMPLETE, Verdict.NOT_COMPLETE),
    ],
)
def test_a_row_must_be_completed_on_the_last_number(called, verdict, any_number):
    """The claim is for the last number called, unless the hall has switched that off."""
    assert check(play(Setup({"1": FIG}, 4), *called), "1") is verdict
    assert check(play(Setup({"1": FIG}, 4, last_number=False), *called), "1") is any_number


def test_two_rows_and_the_full_card_are_late_too():
    """For two rows the last number must lie on a full row; for the full card it must lie on the card."""
    middle, bottom = FIG.rows[1:]
    setup = Setup({"1": FIG}, 8)
    state = play(setup, *ROW, Check("1"), PlayOn(), *middle)
    assert check(state, "1") is Verdict.VALID
    assert check(GAME.apply(state, Draw(bottom[0])), "1") is Verdict.LATE
    state = play(setup, *ROW, Check("1"), PlayOn(), *middle, Check("1"), PlayOn(), *bottom)
    assert check(state, "1") is Verdict.VALID
    assert check(GAME.apply(state, Draw(90)), "1") is Verdict.LATE


def test_a_stage_that_is_won_is_not_claimed_later():
    """Once the row is awarded, a row alone wins nothing, though completed on the very same number."""
    state = play(Setup(TWINS, 20), *ROW, Check("9"), PlayOn())
    assert check(state, "2") is Verdict.NOT_COMPLETE
    state = GAME.apply(GAME.apply(state, Check("2")), PlayOn())
    assert won(state) == [("row", "9", 5)]


def test_wrong_claims_are_kept_and_play_goes_on():
    """Not sold, not complete: each stops the game, is shown until play goes on, and wins nothing."""
    state = play(Setup(TWINS, 20), 5, Check("77"), Check("9"))
    assert [(claim.serial, claim.verdict) for claim in state.claims] == [("77", Verdict.NOT_SOLD), ("9", Verdict.NOT_COMPLETE)]
    assert state.stopped
    state = GAME.apply(state, PlayOn())
    assert (state.stopped, state.claims, state.wins) == (False, (), ())
    assert GAME.apply(state, Draw(11)).called == (5, 11)


_WON = (*ROW, *FIG.rows[1], *FIG.rows[2], Check("1"), PlayOn())


@pytest.mark.parametrize(
    ("before", "action", "reason", "says"),
    [
        ((), Draw(0), Reason.NO_KNOB, "1 to 90"),
        ((), Draw(91), Reason.NO_KNOB, "no knob 91"),
        ((7, 8), Draw(7), Reason.DRAWN, "call 1 "),
        ((Stop(),), Draw(7), Reason.CLAIM_OPEN, "settle it"),
        ((7, Check("1")), Draw(8), Reason.CLAIM_OPEN, "settle it"),
        (_WON, Draw(8), Reason.WON, "close it"),
        (_WON, Stop(), Reason.WON, "nothing to claim"),
        (_WON, Check("1"), Reason.WON, "cannot be claimed later"),
        (_WON, PlayOn(), Reason.NOT_STOPPED, "not stopped"),
        ((), Check("1"), Reason.NOTHING_CALLED, "nothing has been called"),
        ((), Check(ANY_CARD), Reason.NO_SERIAL, "look at the card"),
        ((7,), Check("1:valid"), Reason.NO_SERIAL, "look at the card"),
        ((7, Check("1")), Check("1"), Reason.ALREADY_CHECKED, "card 1 was checked already"),
        ((7, Check("77")), Check("77"), Reason.ALREADY_CHECKED, "card 77 was checked already"),
        ((Stop(),), Stop(), Reason.ALREADY_STOPPED, "check the card"),
        ((), PlayOn(), Reason.NOT_STOPPED, "not stopped"),
        ((), TakeBack(), Reason.NOTHING_CALLED, "nothing to take back"),
        ((Stop(),), Close(), Reason.CLAIM_OPEN, "settle it"),
        *(
            ((Close(),), action, Reason.OVER, "open the next")
            for action in (Draw(1), Stop(), Check("1"), PlayOn(), TakeBack(), Close())
        ),
    ],
)
def test_refusals(before, action, reason, says):
    """Each refusal has its reason and a sentence that says what to do."""
    state = play(Setup({"1": FIG}, 4, Stakes.WHOLE), *before)
    assert refused(state, action) is reason
    with pytest.raises(IllegalAction, match=says):
        GAME.apply(state, action)


def test_a_checked_card_may_be_checked_again_at_the_next_stop():
    """ "Already checked" is meant for one stop: at the next the same card may win."""
    state = play(Setup({"1": FIG}, 4), *ROW[:4], Check("1"), PlayOn(), ROW[4], Check("1"))
    assert state.claims[0].verdict is Verdict.VALID


def test_taking_back_undoes_all_that_followed():
    """The call, the stop, the claims and the shares won on it go; what was won before stays."""
    setup = Setup({"1": FIG}, 8)
    row_won = play(setup, *ROW, Check("1"), PlayOn())
    assert won(row_won) == [("row", "1", 2)]
    assert GAME.apply(row_won, TakeBack()) == play(setup, *ROW[:4])
    later = GAME.apply(row_won, Draw(90))
    assert GAME.apply(later, TakeBack()) == row_won
    stopped = GAME.apply(later, Check("1"))
    assert GAME.apply(stopped, TakeBack()) == row_won
    one_then_other = play(setup, *ROW[:4], 90, TakeBack(), ROW[4], Check("1"))
    assert one_then_other.claims[0].verdict is Verdict.VALID


def test_taking_back_the_winning_call_gives_the_pool_back():
    """With both quarters won on one number, taking it back undoes both."""
    middle = FIG.rows[1]
    setup = Setup({"1": FIG}, 8)
    state = play(setup, *ROW, *middle, Check("1"), PlayOn(), Check("1"), PlayOn())
    assert won(state) == [("row", "1", 2), ("two-rows", "1", 2)]
    assert (GAME.apply(state, TakeBack()).pool, GAME.apply(state, TakeBack()).stage) == (8, Stage.ROW)


def test_an_empty_bag_ends_the_game_unwon():
    """All 90 are out and nobody claimed: nothing more can be drawn, the pool is still there, the outcome is `closed`."""
    state = play(Setup({"1": FIG}, 8), *range(1, 91))
    assert not any(isinstance(action, Draw) for action in GAME.actions(state))
    over = GAME.apply(state, Close())
    outcome = GAME.outcome(over)
    assert outcome is not None
    assert (outcome.ending.value, outcome.winners, over.pool) == ("closed", (), 8)


def test_a_game_that_is_won_says_by_whom():
    """The outcome names the winners of the last prize, not of the earlier ones."""
    cards = {"1": FIG, "2": TWINS["9"]}
    state = play(Setup(cards, 8), *ROW, Check("1"), Check("2"), PlayOn(), *FIG.rows[1], Check("1"), PlayOn(), *FIG.rows[2])
    outcome = GAME.outcome(play(Setup(cards, 8, last_number=False), *state.called, *[Check("1"), PlayOn()] * 3, Close()))
    assert outcome is not None
    assert (outcome.ending.value, outcome.winners) == ("won", ("1",))
    assert GAME.outcome(state) is None


def test_what_a_card_wants():
    """The nearest rows are those that want least; nothing is wanted when they are full."""
    assert missing(FIG, [5, 11, 33, 17], 1) == (50, 76)
    assert missing(FIG, [5, 11, 33, 17, 22], 2) == (43, 50, 65, 76, 89)
    assert missing(FIG, ROW, 1) == ()
    assert missing(FIG, FIG.numbers, 3) == ()
    assert full_rows(FIG, [*ROW, 2]) == (ROW,)


def test_a_seat_sees_its_own_card_only():
    """What is covered on a card is for its seat; everybody sees calls, stage, share and wins."""
    state = play(Setup(TWINS, 20), 5, 17, 90)
    assert GAME.view(state, None) == {"called": (5, 17, 90), "stage": Stage.ROW, "share": 5, "wins": ()}
    assert GAME.view(state, "2")["covered"] == (5, 17)
    assert GAME.view(state, "9")["covered"] == (5,)
    assert "covered" not in GAME.view(state, "77")


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        (Setup({}, -1), "below zero"),
        (Setup({}, 0, knobs=0), "1 to 90"),
        (Setup({}, 0, knobs=91), "1 to 90"),
        (Setup({"1": FIG}, 0, knobs=88), "card 1 bears 89"),
    ],
)
def test_a_setup_that_is_none_is_refused(setup, says):
    """A pool below zero, a bag that is no bag, a card with numbers that are not in it."""
    with pytest.raises(Unreadable, match=says):
        GAME.start(setup)


_LINE = "quarters pool=8 register=- called=5,11 stopped claims=1:late wins=row:1:2:2"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a state"),
        ("quarters", "not a state"),
        (_LINE.replace("=8", "=9"), "another game's setup"),
        (_LINE.replace("quarters", "whole"), "another game's setup"),
        (_LINE.replace("register=-", "register=x"), "another game's setup"),
        (_LINE.replace("5,11", "5,5"), "can be in this state"),
        (_LINE.replace("5,11", "5,91"), "can be in this state"),
        (_LINE.replace("5,11", "05,11"), "can be in this state"),
        (_LINE.replace("5,11", "5,,11"), "not a state"),
        (_LINE.replace("late", "lucky"), "lucky"),
        (_LINE.replace("1:late", "1"), "not a state"),
        (_LINE.replace("stopped", "playing"), "can be in this state"),
        (_LINE.replace("row:1:2:2", "row:1:2:3"), "can be in this state"),
        (_LINE.replace("row:1:2:2", "row:1:9:2"), "can be in this state"),
        (_LINE.replace("row:1:2:2", "row:1:2"), "not a state"),
    ],
)
def test_a_line_that_is_no_state_is_refused(text, says):
    """Cannot be read, of another game, and impossible are three different sentences; all show the line."""
    setup = Setup({"1": FIG}, 8)
    assert GAME.notation(GAME.parse(setup, _LINE)) == _LINE
    with pytest.raises(Unreadable, match=says):
        GAME.parse(setup, text)


_CARDS = {"9": [[1], [2, 3], [4]], "10": [[1], [4], [2, 3]]}


@pytest.mark.parametrize("holders", [{}, {"9": "Anna", "10": "Anna"}], ids=["two players", "one player"])
@pytest.mark.parametrize("last_number", [True, False], ids=["last number", "any number"])
@pytest.mark.parametrize(("stakes", "parts"), [(Stakes.QUARTERS, [1, 1, 2]), (Stakes.WHOLE, [1])], ids=["quarters", "whole"])
def test_every_small_game_is_as_on_paper(stakes, parts, last_number, holders):
    """All states of a game with four knobs, two cards and a false one: what may be done and what comes of it is as on paper."""
    setup = Setup(
        {serial: Card(serial, tuple(map(tuple, rows))) for serial, rows in _CARDS.items()},
        7,
        stakes,
        holders,
        last_number,
        knobs=4,
    )
    start = GAME.start(setup)
    serials = ("9", "10", "8") if stakes is Stakes.WHOLE else ("9", "10")  # with quarters, 8 would triple the states
    attempts = [*map(Draw, range(1, 5)), Stop(), *map(Check, serials), PlayOn(), TakeBack(), Close()]
    rows_won = {"row": 1, "two-rows": 2, "full": 3}
    paper = Paper(_CARDS, holders, 7, parts, last_number)
    waiting = [(start, paper.sheet, ())]
    seen = {GAME.notation(start)}
    while waiting:
        state, sheet, pile = waiting.pop()
        for action in attempts:
            paper.sheet, paper.sheets = sheet, list(pile)
            try:
                after = GAME.apply(state, action)
            except IllegalAction:
                assert not paper.may(action), f"{GAME.notation(state)}: {action} was refused"
                continue
            assert paper.may(action), f"{GAME.notation(state)}: {action} was accepted"
            paper.do(action)
            wins = tuple((rows_won[win.stage], win.serial, win.amount) for win in after.wins)
            claims = tuple((claim.serial, claim.verdict.value) for claim in after.claims)
            assert (after.called, after.stopped, claims, wins, after.closed) == paper.looks(), GAME.notation(state)
            if (text := GAME.notation(after)) not in seen:
                seen.add(text)
                waiting.append((after, paper.sheet, tuple(paper.sheets)))
    assert len(seen) > 500


def test_the_readable_game_uses_every_action():
    """The trace shows every kind of action and every verdict, so that a reader of it has met them all."""
    sample = SAMPLES["loto-first"]
    assert {type(action) for action, _ in sample.script} == {Draw, Stop, Check, PlayOn, TakeBack, Close}
    assert all(f":{verdict}" in trace(sample) for verdict in Verdict)
