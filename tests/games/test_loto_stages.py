"""Loto, First Method, for any stages: patterns in turn and at once, second houses, odd units, the
jackpot, things and lots."""

from __future__ import annotations

from itertools import permutations

import pytest

from station.base.errors import IllegalAction, Unreadable
from station.base.nouns import Card
from station.games.loto_first.claims import judge, wants
from station.games.loto_first.game import GAME, STAKES
from station.rules.game import Ending
from station.rules.patterns import FULL, PATTERNS, ROW, TWO_ROWS, drawn
from station.rules.prizes import (
    Award,
    CallNumber,
    Check,
    ClaimVerdict,
    DecideLots,
    EndGame,
    Lots,
    PrizeReason,
    PrizeSetup,
    PrizeState,
    Stage,
    Stop,
    TakeBackCall,
    divided,
)
from station.rules.prizes import PrizeAction as Action
from tests.oracles import FIG_1

FIG = Card.parse(FIG_1)
TOP, MIDDLE, BOTTOM = FIG.rows
ALL = (*TOP, *MIDDLE, *BOTTOM)
CORNERS, EARLY = PATTERNS["corners"], PATTERNS["early-five"]
KITE = drawn("kite", [("..#..", ".###.", "..#.."), (".#.#.", "..#..", ".#.#.")])
# Two cards with the numbers of Fig. 1, and one that has no number of it.
TRIPLETS = {
    "9": Card("9", FIG.rows),
    "10": Card("10", FIG.rows),
    "11": Card("11", ((1, 12, 23, 34, 45), (6, 16, 26, 36, 46), (9, 19, 29, 39, 49))),
}
GOOSE = "a goose"
TWO_HOUSES = (Stage("full", FULL, 9), Stage("full-2", FULL, 6))


def quarters(pool: int) -> tuple[Stage, ...]:
    return divided(STAKES["quarters"], pool)


def whole(pool: int) -> tuple[Stage, ...]:
    return divided(STAKES["whole"], pool)


def play(setup: PrizeSetup, *actions: Action | int) -> PrizeState:
    """A game from its start; a bare number is a draw."""
    state = GAME.start(setup)
    for action in actions:
        state = GAME.apply(state, CallNumber(action) if isinstance(action, int) else action)
    return state


def won(state: PrizeState) -> list[tuple[str, str, int]]:
    return [(win.stage, win.serial, win.amount) for win in state.wins]


def keys(state: PrizeState) -> list[str]:
    return [stage.key for stage in state.open]


def shares(state: PrizeState) -> dict[str, int]:
    return {stage.key: state.share_of(stage) for stage in state.stages}


def refused(state: PrizeState, action: Action, says: str) -> PrizeReason:
    with pytest.raises(IllegalAction, match=says) as caught:
        GAME.apply(state, action)
    return caught.value.reason


def there_and_back(state: PrizeState) -> str:
    """The state's line, when it comes back from it."""
    line = GAME.notation(state)
    assert GAME.parse(state.setup, line) == state
    return line


LAST = {
    # A pattern's numbers on Fig. 1, the completing one last; none of another part is complete.
    "row": MIDDLE,
    "two-rows": (*MIDDLE, *TOP),
    "full": ALL,
    "top-row": TOP,
    "middle-row": MIDDLE,
    "bottom-row": BOTTOM,
    "corners": (5, 74, 2, 76),
    "early-five": (5, 17, 2, 65, 74),
    "ambo": MIDDLE[:2],
    "terno": (TOP[0], BOTTOM[0], *MIDDLE[:3]),
    "quaterna": (TOP[0], *MIDDLE[:4]),
    "kite": (11, 50, 43, 28, 56),
}
every_pattern = pytest.mark.parametrize(
    "pattern", [*PATTERNS.values(), KITE], ids=lambda pattern: pattern.key
)


@every_pattern
def test_every_pattern_is_completed_on_the_last_number(pattern):
    """Not before its last number, on it, and no more on the next one, on the card or not; with the
    rule off, still."""
    numbers = LAST[pattern.key]
    stages = (Stage(pattern.key, pattern, 4),)
    other = next(
        (number for number in FIG.numbers if number not in numbers and pattern is not FULL), 90
    )
    for called, verdict, any_number in (
        (numbers[:-1], ClaimVerdict.NOT_COMPLETE, ClaimVerdict.NOT_COMPLETE),
        (numbers, ClaimVerdict.VALID, ClaimVerdict.VALID),
        ((*numbers, 90), ClaimVerdict.LATE, ClaimVerdict.VALID),
        # Of an early five the sixth number is one too many.
        ((*numbers, other), ClaimVerdict.LATE, ClaimVerdict.VALID),
        # A number called in between that is not on the card changes nothing.
        ((*numbers[:-1], 90, numbers[-1]), ClaimVerdict.VALID, ClaimVerdict.VALID),
        (
            (90, 89 if pattern is not FULL else 88, 1),
            ClaimVerdict.NOT_COMPLETE,
            ClaimVerdict.NOT_COMPLETE,
        ),
    ):
        assert judge(play(PrizeSetup({"1": FIG}, stages), *called), "1").verdict is verdict
        assert (
            judge(play(PrizeSetup({"1": FIG}, stages, last_number=False), *called), "1").verdict
            is any_number
        )


def test_stages_in_turn():
    """One is open at a time, in the order of the programme, whatever would be complete besides."""
    stages = (Stage("corners", CORNERS, 3), Stage("row", ROW, 4), Stage("kite", KITE, 5))
    setup = PrizeSetup({"1": FIG}, stages)
    state = play(setup, *TOP)
    assert (keys(state), judge(state, "1")) == (["corners"], (ClaimVerdict.NOT_COMPLETE, ()))
    state = play(setup, *TOP, 2, 74, Check("1"), Award())
    # The row was complete four calls ago: whoever slept over it waits for another row.
    assert (won(state), keys(state), judge(state, "1").verdict) == (
        [("corners", "1", 3)],
        ["row"],
        ClaimVerdict.LATE,
    )
    state = play(setup, *TOP, 2, 74, Check("1"), Award(), 28, 35, 56, Check("1"), Award())
    assert (won(state)[1:], keys(state), state.pool) == ([("row", "1", 4)], ["kite"], 5)


def test_stages_at_once():
    """All are open from the first call, and a card may win several on one number; each is won
    once."""
    stages = (
        Stage("early-five", EARLY, 5),
        Stage("top-row", PATTERNS["top-row"], 7),
        Stage("full", FULL, 8),
    )
    setup = PrizeSetup({"1": FIG}, stages, at_once=True)
    state = play(setup, *TOP)
    assert keys(state) == ["early-five", "top-row", "full"]
    assert judge(state, "1") == (ClaimVerdict.VALID, ("early-five", "top-row"))
    state = play(setup, *TOP, Check("1"))
    assert there_and_back(state).endswith("claims=1:valid:early-five+top-row wins=-")
    state = GAME.apply(state, Award())
    assert won(state) == [("early-five", "1", 5), ("top-row", "1", 7)]
    assert (keys(state), state.stage, shares(state)) == (
        ["full"],
        stages[2],
        {"early-five": 0, "top-row": 0, "full": 8},
    )
    # The order of the calls decides, not that of the stages: the last may be won first.
    state = play(PrizeSetup({"1": FIG}, stages, at_once=True), *MIDDLE, *BOTTOM, *TOP)
    assert judge(state, "1") == (ClaimVerdict.VALID, ("top-row", "full"))
    state = GAME.apply(GAME.apply(state, Check("1")), Award())
    assert (won(state), keys(state)) == ([("top-row", "1", 7), ("full", "1", 8)], ["early-five"])
    assert there_and_back(state).endswith("wins=top-row:1:7:15,full:1:8:15")


def test_at_once_a_claim_has_one_verdict():
    """Valid where any stage is; else already won where any was; else late where any was complete
    before; else not complete."""
    stages = (Stage("early-five", EARLY, 5), Stage("corners", CORNERS, 5))
    setup = PrizeSetup({"1": FIG}, stages, at_once=True)
    assert judge(play(setup, 5, 76, 2), "1") == (ClaimVerdict.NOT_COMPLETE, ())
    assert judge(play(setup, 5, 76, 2, 74), "1") == (ClaimVerdict.VALID, ("corners",))
    assert judge(play(setup, 5, 76, 2, 74, 56), "1") == (ClaimVerdict.VALID, ("early-five",))
    assert judge(play(setup, 5, 76, 2, 56, 28), "1") == (ClaimVerdict.VALID, ("early-five",))
    assert judge(play(setup, 5, 76, 2, 56, 28, 90), "1") == (ClaimVerdict.LATE, ())
    assert judge(play(setup, 5, 76, 2, 56, 28, 90), "11") == (ClaimVerdict.NOT_SOLD, ())
    corners_first = sorted(ALL, key=lambda number: number not in (5, 76, 2, 74))
    setup = PrizeSetup({"1": FIG}, (*TWO_HOUSES, stages[1]), at_once=True)
    assert judge(play(setup, *corners_first), "1") == (ClaimVerdict.VALID, ("full",))
    assert judge(play(setup, *corners_first, Check("1"), Award()), "1") == (
        ClaimVerdict.ALREADY_WON,
        (),
    )


@pytest.mark.parametrize("at_once", [False, True], ids=["in turn", "at once"])
def test_a_second_house_is_for_another_card(at_once):
    """It opens when the first is won; whose card has won the first cannot win it, on the same
    number or with the rule off."""
    for last_number in (True, False):
        setup = PrizeSetup(TRIPLETS, TWO_HOUSES, at_once=at_once, last_number=last_number)
        state = play(setup, *ALL)
        assert keys(state) == ["full"]
        state = play(setup, *ALL, Check("9"), Award())
        assert (won(state), keys(state)) == ([("full", "9", 9)], ["full-2"])
        assert judge(state, "9") == (ClaimVerdict.ALREADY_WON, ())
        # 10 was as quick: it has not won yet.
        assert judge(state, "10") == (ClaimVerdict.VALID, ("full-2",))
        # Also when it would be late besides: that it has won says more.
        assert (
            judge(play(setup, *ALL, Check("9"), Award(), 90), "9").verdict
            is ClaimVerdict.ALREADY_WON
        )
        state = play(setup, *ALL, Check("9"), Award(), Check("9"), Check("10"), Award())
        assert won(state) == [("full", "9", 9), ("full-2", "10", 6)]
        assert (
            there_and_back(play(setup, *ALL, Check("9"), Award(), Check("9"))).count(
                "9:already-won"
            )
            == 1
        )


def test_who_won_a_row_may_win_two():
    """Another pattern is another prize."""
    stages = (Stage("row", ROW, 1), Stage("two-rows", TWO_ROWS, 1), Stage("row-2", ROW, 1))
    for at_once in (False, True):
        state = play(
            PrizeSetup({"1": FIG}, stages, at_once=at_once), *TOP, Check("1"), Award(), *MIDDLE
        )
        assert judge(state, "1").stages == ("two-rows",)


def pairs(first: int, second: int, third: int) -> tuple[Stage, ...]:
    return (
        Stage("row", ROW, first),
        Stage("two-rows", TWO_ROWS, second),
        Stage("full", FULL, third),
    )


TIE = (Check("10"), Check("9"), Award())
PAIR = {serial: TRIPLETS[serial] for serial in ("9", "10")}


@pytest.mark.parametrize(
    ("stages", "amounts", "after"),
    [
        # The odd unit of the row makes the two rows even, and the other way round.
        (
            pairs(5, 5, 6),
            [2, 2, 3, 3, 3, 3],
            [{"row": 5, "two-rows": 5, "full": 6}, {"row": 0, "two-rows": 6, "full": 6}],
        ),
        (
            pairs(5, 4, 6),
            [2, 2, 2, 2, 4, 3],
            [{"row": 5, "two-rows": 4, "full": 6}, {"row": 0, "two-rows": 5, "full": 6}],
        ),
        # A stage without money is passed over.
        (
            pairs(5, 0, 6),
            [2, 2, 0, 0, 4, 3],
            [{"row": 5, "two-rows": 0, "full": 6}, {"row": 0, "two-rows": 0, "full": 7}],
        ),
        # The last share with money is the two rows': what is odd there is given away there.
        (
            pairs(5, 4, 0),
            [2, 2, 3, 2, 0, 0],
            [{"row": 5, "two-rows": 4, "full": 0}, {"row": 0, "two-rows": 5, "full": 0}],
        ),
        (
            pairs(5, 0, 0),
            [3, 2, 0, 0, 0, 0],
            [{"row": 5, "two-rows": 0, "full": 0}, {"row": 0, "two-rows": 0, "full": 0}],
        ),
        (pairs(0, 0, 7), [0, 0, 0, 0, 4, 3], []),
        (pairs(0, 0, 0), [0] * 6, []),
    ],
)
def test_odd_units_join_the_first_stage_with_money(stages, amounts, after):
    """In turn: two players win everything; what does not divide goes on, and at last to the lower
    serial."""
    setup = PrizeSetup(PAIR, stages)
    steps = [(), (*TOP, *TIE), (*TOP, *TIE, *MIDDLE, *TIE)]
    for step, wanted in zip(steps, after, strict=False):
        assert shares(play(setup, *step)) == wanted
    state = play(setup, *steps[2], *BOTTOM, *TIE)
    assert [win.amount for win in state.wins] == amounts
    assert [win.serial for win in state.wins] == ["9", "10"] * 3
    assert (state.pool, state.share_of(state.stage), state.stage) == (0, 0, None)


def test_at_once_odd_units_wait_for_the_first_that_is_left():
    """Whichever stage leaves them, they lie on the first in order that has money and is not won."""
    stages = (Stage("corners", CORNERS, 4), Stage("row", ROW, 5), Stage("full", FULL, 5))
    setup = PrizeSetup(PAIR, stages, at_once=True)
    state = play(setup, *MIDDLE, *TIE)
    assert (won(state), shares(state)) == (
        [("row", "9", 2), ("row", "10", 2)],
        {"corners": 5, "row": 0, "full": 5},
    )
    state = play(setup, *MIDDLE, *TIE, 5, 76, 2, 74, *TIE)
    assert (won(state)[2:], shares(state)) == (
        [("corners", "9", 2), ("corners", "10", 2)],
        {"corners": 0, "row": 0, "full": 6},
    )
    assert GAME.apply(state, TakeBackCall()).share_of(stages[0]) == 5
    # Several stages on one number, in their order: the corners' odd unit is in the full card's
    # share already, which is the last.
    stages = (Stage("corners", CORNERS, 5), Stage("full", FULL, 6))
    state = play(
        PrizeSetup(PAIR, stages, at_once=True), *(number for number in ALL if number != 5), 5, *TIE
    )
    assert [win.amount for win in state.wins] == [2, 2, 4, 3]


@pytest.mark.parametrize(
    ("odd", "amounts", "left"),
    [("lowest", [3, 2], 0), ("house", [2, 2], 1), ("charity", [2, 2], 1)],
)
def test_the_last_odd_unit_goes_as_the_hall_says(odd, amounts, left):
    """To the winner with the lowest serial, or it stays in the pool, from where the hall takes
    it."""
    for claims in permutations((Check("9"), Check("10"))):
        state = play(PrizeSetup(PAIR, whole(5), odd=odd), *ALL, *claims, Award())
        assert ([win.amount for win in state.wins], state.pool, state.stage) == (
            amounts,
            left,
            None,
        )
        assert (f"odd={odd}" in there_and_back(state)) == (odd != "lowest")
        over = GAME.outcome(GAME.apply(state, EndGame()))
        assert over is not None
        assert over.ending is Ending.WON
    # An earlier share's goes on to the next, whatever the hall says of the last.
    state = play(PrizeSetup(PAIR, quarters(20), odd=odd), *TOP, *TIE)
    assert (state.share_of(state.stage), state.pool) == (6, 16)


@pytest.mark.parametrize(
    ("within", "before", "holders", "jackpot"),
    [
        (15, (), {}, {"9": 4, "10": 3}),
        (16, (), {}, {"9": 4, "10": 3}),
        (14, (), {}, {}),
        (16, (90,), {}, {"9": 4, "10": 3}),
        (15, (90,), {}, {}),
        (15, (), {"9": "Anna", "10": "Anna"}, {"9": 7}),
    ],
)
def test_the_jackpot_is_for_the_last_stage_within_its_calls(within, before, holders, jackpot):
    """Besides the share, split in the same way; the pool is not touched, and after its calls it is
    not won."""
    setup = PrizeSetup(PAIR, quarters(8), holders, jackpot=7, within=within, label="quarters")
    state = play(setup, *before, *TOP, *TIE, *MIDDLE, *TIE)
    assert {win.stage for win in state.wins} == {"row", "two-rows"}
    assert (state.jackpot, GAME.funds(state)["jackpot"]) == (7, 7)
    state = play(setup, *before, *TOP, *TIE, *MIDDLE, *TIE, *BOTTOM, *TIE)
    assert {win.serial: win.amount for win in state.wins if win.stage == "jackpot"} == jackpot
    assert (state.pool, state.jackpot) == (0, 7 - sum(jackpot.values()))
    assert there_and_back(state).startswith(
        f"quarters pool=8 jackpot=7/{within} register=- called="
    )
    back = GAME.apply(state, TakeBackCall())
    assert (back.jackpot, back.pool) == (7, 4)


def test_the_jackpots_odd_unit_stays_where_the_hall_says_so():
    """As with the last share."""
    state = play(PrizeSetup(PAIR, whole(8), jackpot=7, within=90, odd="house"), *ALL, *TIE)
    assert ([win.amount for win in state.wins], state.jackpot) == ([4, 4, 3, 3], 1)


def test_at_once_the_jackpot_waits_for_the_last_stage():
    """Also where another stage is won after it."""
    stages = (Stage("corners", CORNERS, 4), Stage("row", ROW, 4))
    setup = PrizeSetup({"1": FIG}, stages, at_once=True, jackpot=5, within=9)
    state = play(setup, *MIDDLE, Check("1"), Award())
    assert won(state) == [("row", "1", 4), ("jackpot", "1", 5)]
    state = play(setup, *MIDDLE, Check("1"), Award(), 5, 76, 2, 74, Check("1"), Award())
    assert won(state)[2:] == [("corners", "1", 4)]


THING = (Stage("row", ROW, 5, GOOSE), Stage("full", FULL, 8, "a cake, 3:4 =50%"))
HOLDERS = {"9": "Anna"}


def test_a_thing_for_one_is_his():
    """With the money, where there is some; a player with two cards is one."""
    for holders in ({}, {"9": "Anna", "10": "Anna"}):
        cards = PAIR if holders else {"9": PAIR["9"]}
        claims = [Check(serial) for serial in cards]
        state = play(PrizeSetup(cards, THING, holders), *TOP, *claims, Award())
        assert [(win.serial, win.amount, win.thing) for win in state.wins] == [("9", 5, GOOSE)]
        assert state.undecided == ()
        assert there_and_back(state).startswith(
            "stages=row:5:a%20goose,full:8:a%20cake%2C%203%3A4%20%3D50%25 register="
        )


@pytest.mark.parametrize(
    ("one", "other"),
    [("No. 6", "1.4"), ("12/3", "a+b:1"), ("Série 1", "B 0017"), ("A.7", "A.8"), ("#5", "<n. 3>")],
)
def test_a_line_keeps_any_printed_serial(one, other):
    """Claims, wins and lots come back from it, whatever signs the serials have."""
    cards = {serial: Card(serial, FIG.rows) for serial in (one, other)}
    state = play(PrizeSetup(cards, THING, {}), *TOP, Check(one), Check(other), Award())
    there_and_back(state)
    lots = GAME.apply(state, DecideLots("row", ((one, 7), (other, 8))))
    assert " " not in there_and_back(lots).rpartition("lots=")[2]
    there_and_back(play(PrizeSetup(cards, THING, {}), *TOP, Check(one)))


@pytest.mark.parametrize("knobs", [(7, 8), (8, 7), (90, 1)])
def test_a_tied_thing_goes_by_the_higher_knob(knobs):
    """Both have it until lots are drawn; then the higher knob's card has it, and the money stays as
    it was."""
    state = play(PrizeSetup(PAIR, THING, HOLDERS), *TOP, *TIE)
    assert [(win.serial, win.amount, win.thing) for win in state.wins] == [
        ("9", 2, GOOSE),
        ("10", 2, GOOSE),
    ]
    assert (state.undecided, state.rivals("row"), state.rivals("full")) == (
        ("row",),
        ("9", "10"),
        (),
    )
    assert DecideLots("row") in [*GAME.legal_actions(state)]
    there_and_back(state)
    lots = (("9", knobs[0]), ("10", knobs[1]))
    after = GAME.apply(state, DecideLots("row", lots))
    luckier = "9" if knobs[0] > knobs[1] else "10"
    assert [(win.serial, win.thing) for win in after.wins] == [
        (serial, GOOSE * (serial == luckier)) for serial in ("9", "10")
    ]
    assert [win.amount for win in after.wins] == [2, 2]
    assert (after.undecided, after.rivals("row"), after.lots) == (
        (),
        (luckier,),
        (Lots("row", lots),),
    )
    assert there_and_back(after).endswith(f" lots=row:9.{knobs[0]}+10.{knobs[1]}")
    # Play goes on meanwhile; a later call keeps the lots, taking the winning one back takes them
    # too.
    later = GAME.apply(GAME.apply(after, CallNumber(90)), TakeBackCall())
    assert later == after
    assert GAME.apply(after, TakeBackCall()) == play(PrizeSetup(PAIR, THING, HOLDERS), *TOP[:-1])


@pytest.mark.parametrize(
    ("stage", "knobs", "reason", "says"),
    [
        ("full", (("9", 1), ("10", 2)), PrizeReason.NO_LOTS, "for full: no thing"),
        ("jackpot", (("9", 1), ("10", 2)), PrizeReason.NO_LOTS, "for jackpot: no thing"),
        ("row", (), PrizeReason.WRONG_LOTS, "one ball each for 9 and 10"),
        ("row", (("9", 1),), PrizeReason.WRONG_LOTS, "one ball each for 9 and 10"),
        ("row", (("9", 1), ("9", 2)), PrizeReason.WRONG_LOTS, "one ball each for 9 and 10"),
        (
            "row",
            (("9", 1), ("10", 2), ("11", 3)),
            PrizeReason.WRONG_LOTS,
            "one ball each for 9 and 10",
        ),
        (
            "row",
            (("9", 1), ("10", 2), ("10", 3)),
            PrizeReason.WRONG_LOTS,
            "one ball each for 9 and 10",
        ),
        ("row", (("9", 5), ("10", 5)), PrizeReason.WRONG_LOTS, "draw again"),
        ("row", (("9", 0), ("10", 5)), PrizeReason.NO_KNOB, "no ball 0"),
        ("row", (("9", 5), ("10", 91)), PrizeReason.NO_KNOB, "no ball 91"),
    ],
)
def test_lots_that_are_refused(stage, knobs, reason, says):
    """One knob of the bag for each winner, all different, where a thing was won by several."""
    state = play(PrizeSetup(PAIR, THING), *TOP, *TIE)
    assert refused(state, DecideLots(stage, knobs), says) is reason


def test_lots_are_drawn_once():
    """And not where one has won, nor where money alone was tied."""
    lots = DecideLots("row", (("9", 1), ("10", 2)))
    assert (
        refused(play(PrizeSetup(PAIR, THING), *TOP, *TIE, lots), lots, "no lots")
        is PrizeReason.NO_LOTS
    )
    assert (
        refused(play(PrizeSetup(PAIR, THING), *TOP, Check("9"), Award()), lots, "no lots")
        is PrizeReason.NO_LOTS
    )
    assert (
        refused(play(PrizeSetup(PAIR, quarters(8)), *TOP, *TIE), lots, "no lots")
        is PrizeReason.NO_LOTS
    )
    assert (
        refused(play(PrizeSetup(PAIR, THING), *TOP, Check("9"), Check("10")), lots, "no lots")
        is PrizeReason.NO_LOTS
    )


def test_lots_of_several_things():
    """Each for itself, listed by their keys; the state says them in the order of the stages."""
    stages = (Stage("two-rows", TWO_ROWS, 0, GOOSE), Stage("row", ROW, 0, "a hen"))
    state = play(PrizeSetup(PAIR, stages, at_once=True), *TOP, *TIE, *MIDDLE, *TIE)
    assert state.undecided == ("two-rows", "row")
    assert [action for action in GAME.legal_actions(state) if isinstance(action, DecideLots)] == [
        DecideLots("row"),
        DecideLots("two-rows"),
    ]
    state = GAME.apply(state, DecideLots("row", (("9", 1), ("10", 2))))
    assert (state.undecided, state.rivals("row"), state.rivals("two-rows")) == (
        ("two-rows",),
        ("10",),
        ("9", "10"),
    )
    state = GAME.apply(state, DecideLots("two-rows", (("9", 2), ("10", 1))))
    assert (state.rivals("row"), state.rivals("two-rows")) == (("10",), ("9",))
    assert there_and_back(state).endswith("lots=row:9.1+10.2,two-rows:9.2+10.1")
    # Only the later call is taken back: the row's lots stay.
    assert [drawn.stage for drawn in GAME.apply(state, TakeBackCall()).lots] == ["row"]


def test_lots_may_be_drawn_after_the_close():
    """The game is over only then; anything else is refused, and after them these too."""
    closed = play(PrizeSetup(PAIR, THING), *TOP, *TIE, EndGame())
    assert GAME.outcome(closed) is None
    assert [*GAME.legal_actions(closed)] == [DecideLots("row")]
    lots = DecideLots("row", (("9", 1), ("10", 2)))
    for action in (CallNumber(1), Stop(), Check("9"), Award(), TakeBackCall(), EndGame()):
        assert refused(closed, action, "over") is PrizeReason.OVER
    over = GAME.apply(closed, lots)
    outcome = GAME.outcome(over)
    assert outcome is not None
    assert (outcome.ending, outcome.winners) == (Ending.CLOSED, ())
    assert refused(over, lots, "over") is PrizeReason.OVER
    assert there_and_back(over).endswith("lots=row:9.1+10.2")


def test_at_once_a_game_is_won_when_all_is():
    """With the last stage won and another left it was closed before its end; the winners are the
    last stage's."""
    stages = (Stage("corners", CORNERS), Stage("row", ROW))
    setup = PrizeSetup({"1": FIG}, stages, at_once=True)
    row = (*MIDDLE, Check("1"), Award())
    for actions, ending in (
        (row, Ending.CLOSED),
        ((*row, 5, 76, 2, 74, Check("1"), Award()), Ending.WON),
    ):
        outcome = GAME.outcome(play(setup, *actions, EndGame()))
        assert outcome is not None
        assert (outcome.ending, outcome.winners) == (ending, ("1",))


def test_what_a_card_wants_for_each_open_stage():
    """Nothing for a card that is not in play."""
    stages = (Stage("corners", CORNERS), Stage("row", ROW))
    state = play(PrizeSetup({"1": FIG}, stages, at_once=True), 5, 11, 33, 2)
    assert [(stage.key, *wanted) for stage, wanted in wants(state, "1")] == [
        ("corners", 2, (74, 76)),
        ("row", 2, (50, 76)),
    ]
    assert wants(state, "2") == ()
    state = play(PrizeSetup({"1": FIG}, stages), 5, 11, 33, 2)
    assert [stage.key for stage, _ in wants(state, "1")] == ["corners"]


_LINE = (
    "stages=row:5:a%20goose,full-2=full:8 at-once jackpot=7/20 register=r called=5,11,33,50,76,90"
    " stopped claims=9:late,11:not-sold wins=row:9:2:5,row:10:2:5 lots=row:9.4+10.3"
)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("row:5:", "row:6:", "another game's setup"),
        ("row:5:", "row:5:x", "another game's setup"),
        ("full-2=full", "full-2", "another game's setup"),
        (" at-once", "", "another game's setup"),
        ("7/20", "7/21", "another game's setup"),
        ("jackpot=7", "odd=house jackpot=7", "another game's setup"),
        ("row:9:2:5", "corners:9:2:5", "can be in this state"),
        ("row:9:2:5", "row:9:9:5", "can be in this state"),
        ("row:9:2:5", "jackpot:9:8:5,row:9:2:5", "can be in this state"),
        ("row:9:2:5", "row:9:2:7", "can be in this state"),
        ("9:late", "9:late:full-2", "can be in this state"),
        ("9:late", "9:valid:row", "can be in this state"),
        ("9:late", "9:valid:full-2", "can be in this state"),
        ("9.4", "9.3", "can be in this state"),
        ("9.4", "9.0", "can be in this state"),
        ("9.4", "9.91", "can be in this state"),
        ("9.4", "9", "not a state"),
        ("9.4+10.3", "9.4", "can be in this state"),
        ("9.4+10.3", "9.4+10.3+11.2", "can be in this state"),
        ("9.4+10.3", "9.4+11.3", "can be in this state"),
        ("lots=row", "lots=full-2", "can be in this state"),
        (" lots", " shown=ticket-1:4 lots", "can be in this state"),
        ("lots=row:9.4+10.3", "lots=-", "can be in this state"),
        (
            "row:9:2:5,row:10:2:5 lots=row:9.4+10.3",
            "full-2:9:4:6,full-2:10:4:6 lots=full-2:9.4+10.3",
            "can be in this state",
        ),
        (
            "row:9:2:5,row:10:2:5 lots=row:9.4+10.3",
            "row:9:5:5 lots=row:9.4",
            "can be in this state",
        ),
    ],
)
def test_a_line_with_more_in_it_that_is_no_state_is_refused(old, new, says):
    """Stages, jackpot, several open stages, lots: each is read as strictly as the rest."""
    stages = (Stage("row", ROW, 5, GOOSE), Stage("full-2", FULL, 8))
    setup = PrizeSetup(PAIR, stages, register="r", at_once=True, jackpot=7, within=20)
    assert GAME.notation(GAME.parse(setup, _LINE)) == _LINE
    assert old in _LINE
    with pytest.raises(Unreadable, match=says) as caught:
        GAME.parse(setup, _LINE.replace(old, new))
    assert repr(_LINE.replace(old, new)) in str(caught.value)


@pytest.mark.parametrize(
    ("claim", "good"),
    [
        ("9:valid:row", True),
        ("9:valid:row+full-2", True),
        ("9:valid:full-2", True),
        ("9:late", True),
        ("9:valid", False),
        ("9:valid:", False),
        ("9:valid:full-2+row", False),
        ("9:valid:row+row", False),
        ("9:valid:corners", False),
        ("9:late:row", False),
        ("9:valid:row:full-2", False),
    ],
)
def test_a_line_says_for_what_a_claim_is_valid(claim, good):
    """Where several stages are open: each once, in their order, and for a valid claim only."""
    setup = PrizeSetup(PAIR, (Stage("row", ROW, 5, GOOSE), Stage("full-2", FULL, 8)), at_once=True)
    line = (
        "stages=row:5:a%20goose,full-2=full:8 at-once register=- called=5,11 stopped"
        f" claims={claim} wins=-"
    )
    if good:
        assert GAME.notation(GAME.parse(setup, line)) == line
        return
    with pytest.raises(Unreadable):
        GAME.parse(setup, line)


def test_where_all_is_won_no_claim_is_valid():
    """A line that says so is none of a game's."""
    line = "whole pool=5 register=- called=5 stopped claims=9:{} wins=full:9:5:1"
    setup = PrizeSetup(PAIR, whole(5), label="whole")
    assert GAME.parse(setup, line.format("late")).stage is None
    with pytest.raises(Unreadable, match="can be in this state"):
        GAME.parse(setup, line.format("valid"))
