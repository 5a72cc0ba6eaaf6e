"""Loto, First Method, as its rule book and a careful host play it; and every small game against a
game kept on paper."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from station.base.errors import IllegalAction, Unreadable
from station.base.nouns import Card
from station.games.loto_first.claims import judge
from station.games.loto_first.game import GAME, STAKES, Stakes
from station.rules.patterns import FULL, ROW, in_rows
from station.rules.prizes import (
    ANY_CARD,
    Award,
    CallNumber,
    Check,
    CheckTicket,
    ClaimVerdict,
    DecideLots,
    EndGame,
    PrizeReason,
    PrizeSetup,
    PrizeState,
    Stage,
    Stop,
    TakeBackCall,
    divided,
)
from station.rules.prizes import PrizeAction as Action
from tests.games.samples import SAMPLES, trace
from tests.oracles import FIG_1, Paper

FIG = Card.parse(FIG_1)
# Three cards that share the top row, so that they can tie on it.
TOP = (5, 11, 33, 50, 76)
TWINS = {
    serial: Card(serial, (TOP, second, third))
    for serial, second, third in (
        ("2", (17, 22, 43, 65, 89), (2, 28, 35, 56, 74)),
        ("9", (1, 12, 23, 34, 45), (6, 16, 26, 36, 46)),
        ("10", (3, 13, 24, 37, 47), (7, 18, 27, 38, 48)),
    )
}


def whole(pool: int) -> tuple[Stage, ...]:
    return divided(STAKES["whole"], pool)


def book(cards: dict[str, Card], pool: int, stakes: Stakes = Stakes.QUARTERS, **more) -> PrizeSetup:
    """A game for the rule book's stakes."""
    return PrizeSetup(cards, divided(STAKES[stakes], pool), label=stakes, **more)


def play(setup: PrizeSetup, *actions: Action | int) -> PrizeState:
    """A game from its start; a bare number is a draw."""
    state = GAME.start(setup)
    for action in actions:
        state = GAME.apply(state, CallNumber(action) if isinstance(action, int) else action)
    return state


def won(state: PrizeState) -> list[tuple[str, str, int]]:
    return [(win.stage, win.serial, win.amount) for win in state.wins]


def stage(state: PrizeState) -> str | None:
    return state.stage.key if state.stage is not None else None


def refused(state: PrizeState, action: Action) -> PrizeReason:
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
    """A quarter, a quarter and the remaining half, odd units with the last half; or the whole pool
    to the full card."""
    numbers = [number for row in FIG.rows for number in row]
    state = GAME.start(book({"1": FIG}, pool, stakes))
    got = []
    for number in numbers:
        state = GAME.apply(state, CallNumber(number))
        if judge(state, "1").verdict is ClaimVerdict.VALID:
            got.append(state.share_of(state.stage))
            state = GAME.apply(GAME.apply(state, Check("1")), Award())
    assert got == shares == [win.amount for win in state.wins]
    assert (state.pool, state.share_of(state.stage), state.stage) == (0, 0, None)


def test_fig_1_is_played_through():
    """The book's own card: a row wins when its fifth number is called, two rows with ten, the card
    with fifteen."""
    top, middle, bottom = FIG.rows
    order = [*top[:-1], *bottom[:-1], *middle, top[-1], bottom[-1]]
    setup = book({"1": FIG}, 100)
    state, stages = GAME.start(setup), []
    for calls, number in enumerate(order, 1):
        state = GAME.apply(state, CallNumber(number))
        state = GAME.apply(state, Check("1"))
        if state.claims[0].verdict is ClaimVerdict.VALID:
            stages.append((calls, stage(state)))
        state = GAME.apply(state, Award())
    assert stages == [(13, "row"), (14, "two-rows"), (15, "full")]
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
    """All who complete on the same number are gathered; the share is split evenly, the odd
    remainder goes to the next."""
    state = play(book(TWINS, pool, holders=holders), *TOP, *map(Check, claims), Award())
    assert {win.serial: win.amount for win in state.wins} == shares
    assert (state.pool, stage(state)) == (left, "two-rows")


def test_an_odd_remainder_joins_the_next_share():
    """Quarter of 21 is 5: two players get 2 each, the odd 1 makes the second quarter 6; the last
    half keeps its 11."""
    state = play(book(TWINS, 21), *TOP, Check("2"), Check("9"), Award())
    assert state.share_of(state.stage) == 6
    state = play(
        book(TWINS, 21),
        *TOP,
        Check("2"),
        Check("9"),
        Award(),
        *TWINS["9"].rows[1],
        Check("9"),
        Award(),
    )
    assert won(state)[-1] == ("two-rows", "9", 6)
    assert state.share_of(state.stage) == state.pool == 11


def test_in_the_last_share_the_odd_unit_goes_to_the_lowest_serial():
    """9 is lower than 10, as people count, in whatever order they claimed."""
    cards = {serial: Card(serial, FIG.rows) for serial in ("9", "10")}
    numbers = [number for row in FIG.rows for number in row]
    for claims in permutations(("9", "10")):
        state = play(book(cards, 7, Stakes.WHOLE), *numbers, *map(Check, claims), Award())
        assert won(state) == [("full", "9", 4), ("full", "10", 3)]
        assert state.pool == 0


@pytest.mark.parametrize(
    ("called", "verdict", "any_number"),
    [
        (TOP[:4], ClaimVerdict.NOT_COMPLETE, ClaimVerdict.NOT_COMPLETE),
        (TOP, ClaimVerdict.VALID, ClaimVerdict.VALID),
        ((*TOP[1:], TOP[0]), ClaimVerdict.VALID, ClaimVerdict.VALID),
        # 90 is not on the card: its row was there one call ago.
        ((*TOP, 90), ClaimVerdict.LATE, ClaimVerdict.VALID),
        # 17 is on the card, but completes nothing.
        ((*TOP, 17), ClaimVerdict.LATE, ClaimVerdict.VALID),
        # A player slept over a row; another of his rows is completed on the last number.
        ((*TOP, 17, 22, 43, 65, 89), ClaimVerdict.VALID, ClaimVerdict.VALID),
        ((*TOP, 17, 22, 43, 65, 89, 90), ClaimVerdict.LATE, ClaimVerdict.VALID),
        # Five numbers of the card, but on three rows.
        ((5, 17, 2, 11, 22), ClaimVerdict.NOT_COMPLETE, ClaimVerdict.NOT_COMPLETE),
    ],
)
def test_a_row_must_be_completed_on_the_last_number(called, verdict, any_number):
    """The claim is for the last number called, unless the hall has switched that off."""
    assert judge(play(book({"1": FIG}, 4), *called), "1").verdict is verdict
    assert judge(play(book({"1": FIG}, 4, last_number=False), *called), "1").verdict is any_number


def test_two_rows_and_the_full_card_are_late_too():
    """For two rows the last number must lie on a full row; for the full card it must lie on the
    card."""
    middle, bottom = FIG.rows[1:]
    setup = book({"1": FIG}, 8)
    state = play(setup, *TOP, Check("1"), Award(), *middle)
    assert judge(state, "1").verdict is ClaimVerdict.VALID
    assert judge(GAME.apply(state, CallNumber(bottom[0])), "1").verdict is ClaimVerdict.LATE
    state = play(setup, *TOP, Check("1"), Award(), *middle, Check("1"), Award(), *bottom)
    assert judge(state, "1").verdict is ClaimVerdict.VALID
    assert judge(GAME.apply(state, CallNumber(90)), "1").verdict is ClaimVerdict.LATE


def test_a_stage_that_is_won_is_not_claimed_later():
    """Once the row is awarded, a row alone wins nothing, though completed on the very same
    number."""
    state = play(book(TWINS, 20), *TOP, Check("9"), Award())
    assert judge(state, "2").verdict is ClaimVerdict.NOT_COMPLETE
    state = GAME.apply(GAME.apply(state, Check("2")), Award())
    assert won(state) == [("row", "9", 5)]


def test_wrong_claims_are_kept_and_play_goes_on():
    """Not sold, not complete: each stops the game, is shown until play goes on, and wins
    nothing."""
    state = play(book(TWINS, 20), 5, Check("77"), Check("9"))
    assert [(claim.serial, claim.verdict) for claim in state.claims] == [
        ("77", ClaimVerdict.NOT_SOLD),
        ("9", ClaimVerdict.NOT_COMPLETE),
    ]
    assert state.stopped
    state = GAME.apply(state, Award())
    assert (state.stopped, state.claims, state.wins) == (False, (), ())
    assert GAME.apply(state, CallNumber(11)).called == (5, 11)


_WON = (*TOP, *FIG.rows[1], *FIG.rows[2], Check("1"), Award())


@pytest.mark.parametrize(
    ("before", "action", "reason", "says"),
    [
        ((), CallNumber(0), PrizeReason.NO_KNOB, "1 to 90"),
        ((), CallNumber(91), PrizeReason.NO_KNOB, "no ball 91"),
        ((7, 8), CallNumber(7), PrizeReason.DRAWN, "call 1 "),
        ((Stop(),), CallNumber(7), PrizeReason.CLAIM_OPEN, "settle it"),
        ((7, Check("1")), CallNumber(8), PrizeReason.CLAIM_OPEN, "settle it"),
        (_WON, CallNumber(8), PrizeReason.WON, "close it"),
        (_WON, Stop(), PrizeReason.WON, "nothing to claim"),
        (_WON, Check("1"), PrizeReason.WON, "cannot be claimed later"),
        (_WON, Award(), PrizeReason.NOT_STOPPED, "not stopped"),
        ((), Check("1"), PrizeReason.NOTHING_CALLED, "nothing has been called"),
        ((), Check(ANY_CARD), PrizeReason.NO_SERIAL, "look at the card"),
        ((7,), Check("1,valid"), PrizeReason.NO_SERIAL, "look at the card"),
        ((7, Check("1")), Check("1"), PrizeReason.ALREADY_CHECKED, "card 1 was checked already"),
        ((7, Check("77")), Check("77"), PrizeReason.ALREADY_CHECKED, "card 77 was checked already"),
        ((Stop(),), Stop(), PrizeReason.ALREADY_STOPPED, "check the card"),
        ((), Award(), PrizeReason.NOT_STOPPED, "not stopped"),
        ((), TakeBackCall(), PrizeReason.NOTHING_CALLED, "nothing to take back"),
        ((Stop(),), EndGame(), PrizeReason.CLAIM_OPEN, "settle it"),
        *(
            ((EndGame(),), action, PrizeReason.OVER, "open the next")
            for action in (CallNumber(1), Stop(), Check("1"), Award(), TakeBackCall(), EndGame())
        ),
    ],
)
def test_refusals(before, action, reason, says):
    """Each refusal has its reason and a sentence that says what to do."""
    state = play(book({"1": FIG}, 4, Stakes.WHOLE), *before)
    assert refused(state, action) is reason
    with pytest.raises(IllegalAction, match=says):
        GAME.apply(state, action)


def test_a_checked_card_may_be_checked_again_at_the_next_stop():
    """ "Already checked" is meant for one stop: at the next the same card may win."""
    state = play(book({"1": FIG}, 4), *TOP[:4], Check("1"), Award(), TOP[4], Check("1"))
    assert state.claims[0].verdict is ClaimVerdict.VALID


def test_taking_back_undoes_all_that_followed():
    """The call, the stop, the claims and the shares won on it go; what was won before stays."""
    setup = book({"1": FIG}, 8)
    row_won = play(setup, *TOP, Check("1"), Award())
    assert won(row_won) == [("row", "1", 2)]
    assert GAME.apply(row_won, TakeBackCall()) == play(setup, *TOP[:4])
    later = GAME.apply(row_won, CallNumber(90))
    assert GAME.apply(later, TakeBackCall()) == row_won
    stopped = GAME.apply(later, Check("1"))
    assert GAME.apply(stopped, TakeBackCall()) == row_won
    one_then_other = play(setup, *TOP[:4], 90, TakeBackCall(), TOP[4], Check("1"))
    assert one_then_other.claims[0].verdict is ClaimVerdict.VALID


def test_taking_back_the_winning_call_gives_the_pool_back():
    """With both quarters won on one number, taking it back undoes both."""
    middle = FIG.rows[1]
    setup = book({"1": FIG}, 8)
    state = play(setup, *TOP, *middle, Check("1"), Award(), Check("1"), Award())
    assert won(state) == [("row", "1", 2), ("two-rows", "1", 2)]
    back = GAME.apply(state, TakeBackCall())
    assert (back.pool, stage(back)) == (8, "row")


def test_an_empty_bag_ends_the_game_unwon():
    """All 90 are out and nobody claimed: nothing more can be drawn, the pool is still there, the
    outcome is `closed`."""
    state = play(book({"1": FIG}, 8), *range(1, 91))
    assert not any(isinstance(action, CallNumber) for action in GAME.legal_actions(state))
    over = GAME.apply(state, EndGame())
    outcome = GAME.outcome(over)
    assert outcome is not None
    assert (outcome.ending.value, outcome.winners, over.pool) == ("closed", (), 8)


def test_a_game_that_is_won_says_by_whom():
    """The outcome names the winners of the last prize, not of the earlier ones."""
    cards = {"1": FIG, "2": TWINS["9"]}
    state = play(
        book(cards, 8),
        *TOP,
        Check("1"),
        Check("2"),
        Award(),
        *FIG.rows[1],
        Check("1"),
        Award(),
        *FIG.rows[2],
    )
    outcome = GAME.outcome(
        play(
            book(cards, 8, last_number=False), *state.called, *[Check("1"), Award()] * 3, EndGame()
        )
    )
    assert outcome is not None
    assert (outcome.ending.value, outcome.winners) == ("won", ("1",))
    assert GAME.outcome(state) is None


_ROW = Stage("row", ROW, 1)


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        (book({}, -1), "stage row of -1 units"),
        (PrizeSetup({}, ()), "one at least"),
        (PrizeSetup({}, (_ROW, Stage("full", FULL, -1))), "stage full of -1 units"),
        (PrizeSetup({}, (_ROW, _ROW)), "stage row stands twice"),
        (PrizeSetup({}, (Stage("Row", ROW),)), "'Row' is no key"),
        (PrizeSetup({}, (Stage("row,full", ROW),)), "no key"),
        (PrizeSetup({}, (Stage("jackpot", ROW),)), "'jackpot' is no key"),
        (PrizeSetup({}, (Stage("k" * 41, ROW),)), "no key"),
        (PrizeSetup({}, whole(1), jackpot=-1), "the jackpot of -1 units"),
        (PrizeSetup({}, whole(1), tickets=-1), "-1 tickets"),
        (book({}, 0, knobs=0), "1 to 90"),
        (book({}, 0, knobs=91), "1 to 90"),
        (book({"1": FIG}, 0, knobs=88), "card 1 bears 89"),
        (book({"1": FIG, "2": Card("2", ((0, 1),))}, 0), "card 2 bears 0"),
        (PrizeSetup({}, whole(1), label="quarters"), "'quarters'"),
        (PrizeSetup({}, whole(1), label="halves"), "'halves'"),
        (PrizeSetup({}, (Stage("full", FULL, 1, "a goose"),), label="whole"), "'whole'"),
    ],
)
def test_a_setup_that_is_none_is_refused(setup, says):
    """No stages, two of a key, sums below zero, a bag that is no bag, cards with numbers that are
    not in it."""
    with pytest.raises(Unreadable, match=says):
        GAME.start(setup)


def test_a_million_cards_are_not_looked_at_one_by_one():
    """Cards that know their highest number are not gone through: neither at the start nor when one
    is checked."""

    class Shoal(dict[str, Card]):
        top = 89

        def highest(self) -> int:
            return self.top

        def items(self):
            raise AssertionError("somebody went through a million cards")

        __iter__ = values = keys = items

    cards = Shoal({"1": FIG})
    assert judge(play(book(cards, 4), *TOP), "1").verdict is ClaimVerdict.VALID
    cards.top = 90
    assert GAME.start(book(cards, 4))
    with pytest.raises(Unreadable, match="bears 90: the bag holds 1 to 89"):
        GAME.start(book(cards, 4, knobs=89))


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
    """Cannot be read, of another game, and impossible are three different sentences; all show the
    line."""
    setup = book({"1": FIG}, 8)
    assert GAME.notation(GAME.parse(setup, _LINE)) == _LINE
    with pytest.raises(Unreadable, match=says):
        GAME.parse(setup, text)


_CARDS = {"9": [[1], [2, 3], [4]], "10": [[1], [2, 3], [4]]}
_SMALL = {
    key: in_rows(key, rows, (1, 2, 1)) for key, rows in (("row", 1), ("two-rows", 2), ("full", 3))
}


@pytest.mark.long
@pytest.mark.parametrize(
    "holders", [{}, {"9": "Anna", "10": "Anna"}], ids=["two players", "one player"]
)
@pytest.mark.parametrize("last_number", [True, False], ids=["last number", "any number"])
@pytest.mark.parametrize(
    ("stakes", "parts"),
    [(Stakes.QUARTERS, [1, 1, 2]), (Stakes.WHOLE, [1])],
    ids=["quarters", "whole"],
)
def test_every_small_game_is_as_on_paper(stakes, parts, last_number, holders):
    """All states of a game with four knobs, two cards and a false one: what may be done and what
    comes of it is as on paper."""
    setup = PrizeSetup(
        {serial: Card(serial, tuple(map(tuple, rows))) for serial, rows in _CARDS.items()},
        tuple(replace(stage, pattern=_SMALL[stage.key]) for stage in divided(STAKES[stakes], 7)),
        holders,
        last_number,
        knobs=4,
        label=stakes,
    )
    start = GAME.start(setup)
    # with quarters, 8 would triple the states
    serials = ("9", "10", "8") if stakes is Stakes.WHOLE else ("9", "10")
    attempts = [
        *map(CallNumber, range(1, 5)),
        Stop(),
        *map(Check, serials),
        Award(),
        TakeBackCall(),
        EndGame(),
    ]
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
            assert (
                after.called,
                after.stopped,
                claims,
                wins,
                after.closed,
            ) == paper.looks(), GAME.notation(state)
            if (text := GAME.notation(after)) not in seen:
                seen.add(text)
                waiting.append((after, paper.sheet, tuple(paper.sheets)))
    assert len(seen) > 500


def test_the_readable_games_use_every_action():
    """The traces show every kind of action and every verdict, so that a reader of them has met them
    all."""
    sample = SAMPLES["loto-first"]
    actions = {type(action) for script in sample.scripts.values() for action, _ in script}
    assert actions == {
        CallNumber,
        Stop,
        Check,
        CheckTicket,
        Award,
        TakeBackCall,
        DecideLots,
        EndGame,
    }
    assert all(f":{verdict}" in trace(sample) for verdict in ClaimVerdict)
