"""Tickets: cards from elsewhere, which the station does not know and which claim by their numbers
(H27)."""

from __future__ import annotations

import pytest

from station.base.errors import IllegalAction, Unreadable
from station.base.nouns import Card
from station.games.loto_first.claims import wants
from station.games.loto_first.game import GAME, STAKES
from station.rules.patterns import FULL, PATTERNS, ROW, TWO_ROWS
from station.rules.prizes import (
    ANY_TICKET,
    Award,
    CallNumber,
    Check,
    CheckTicket,
    Claim,
    ClaimVerdict,
    EndGame,
    PrizeReason,
    PrizeSetup,
    PrizeState,
    Stage,
    Stop,
    TakeBackCall,
    Ticket,
    divided,
)
from station.rules.prizes import PrizeAction as Action
from tests.oracles import FIG_1

FIG = Card.parse(FIG_1)
TOP, MIDDLE, BOTTOM = FIG.rows
ALL = (*TOP, *MIDDLE, *BOTTOM)
CORNERS, EARLY = PATTERNS["corners"], PATTERNS["early-five"]


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


def stages(*patterns: str) -> tuple[Stage, ...]:
    return tuple(Stage(key, PATTERNS[key], 6) for key in patterns)


def hall(*patterns: str, **more) -> PrizeSetup:
    return PrizeSetup({"1": FIG}, stages(*patterns), tickets=40, **more)


def refused(state: PrizeState, action: Action, says: str) -> PrizeReason:
    with pytest.raises(IllegalAction, match=says) as caught:
        GAME.apply(state, action)
    return caught.value.reason


@pytest.mark.parametrize(
    ("pattern", "called", "keyed", "verdict", "any_number", "lacking"),
    [
        ("row", TOP, TOP, "valid", "valid", (0, ())),
        ("row", (*TOP, 90), TOP, "late", "valid", (0, ())),
        ("row", (*TOP[:4], 90), TOP, "not-complete", "not-complete", (1, (76,))),
        ("row", (90, 5), TOP, "not-complete", "not-complete", (4, (11, 33, 50, 76))),
        ("two-rows", (*TOP, *BOTTOM), (*TOP, *BOTTOM), "valid", "valid", (0, ())),
        ("two-rows", (*TOP, *BOTTOM, 17), (*TOP, *BOTTOM), "late", "valid", (0, ())),
        (
            "two-rows",
            (*TOP, *BOTTOM[:4], 17),
            (*TOP, *BOTTOM),
            "not-complete",
            "not-complete",
            (1, (74,)),
        ),
        ("full", ALL, ALL, "valid", "valid", (0, ())),
        ("full", (*ALL, 90), ALL, "late", "valid", (0, ())),
        ("full", (90, *ALL[:-2]), ALL, "not-complete", "not-complete", (2, (56, 74))),
        # The station counts; that they are the corners, or the top row, the checker sees on the
        # paper.
        ("corners", (5, 76, 2, 74), (5, 76, 2, 74), "valid", "valid", (0, ())),
        ("corners", (5, 76, 2, 74, 90), (5, 76, 2, 74), "late", "valid", (0, ())),
        ("top-row", TOP, TOP, "valid", "valid", (0, ())),
        # Five numbers of an early five are the five; with the whole ticket, or a part of it, the
        # station counts to five.
        ("early-five", (5, 17, 2, 76, 56), (5, 17, 2, 76, 56), "valid", "valid", (0, ())),
        ("early-five", (5, 17, 2, 76, 56), ALL, "valid", "valid", (0, ())),
        ("early-five", (5, 17, 2, 76, 56, 74), ALL, "late", "valid", (0, ())),
        (
            "early-five",
            (5, 17, 2, 76, 90),
            (5, 17, 2, 76, 56, 74),
            "not-complete",
            "not-complete",
            (1, (56, 74)),
        ),
    ],
)
def test_a_ticket_is_checked_by_its_numbers(pattern, called, keyed, verdict, any_number, lacking):
    """Which of its numbers were not called, and whether the last one is among them; in whatever
    order they are keyed."""
    for numbers in (keyed, keyed[::-1]):
        state = play(hall(pattern), *called, CheckTicket(numbers))
        claim = state.claims[0]
        assert (claim.verdict, claim.numbers) == (verdict, tuple(sorted(keyed)))
        assert claim.stages == ((pattern,) if verdict == "valid" else ())
        assert [wanted for _, wanted in wants(state, claim.serial)] == [(lacking[0], lacking[1])]
        assert state.stopped
        assert GAME.parse(state.setup, GAME.notation(state)) == state
    state = play(hall(pattern, last_number=False), *called, CheckTicket(keyed))
    assert state.claims[0].verdict == any_number


SEVERAL = ("row", "top-row", "early-five", "corners", "full")


@pytest.mark.parametrize(
    ("patterns", "before", "ticket", "reason", "says"),
    [
        (
            ("row",),
            (5,),
            CheckTicket(TOP[:4]),
            PrizeReason.TICKET_LENGTH,
            "4 numbers were keyed: .* for row its 5",
        ),
        (
            ("row",),
            (5,),
            CheckTicket((*TOP, 17)),
            PrizeReason.TICKET_LENGTH,
            "6 numbers were keyed: .* for row its 5",
        ),
        (
            ("row",),
            (5,),
            CheckTicket(ALL),
            PrizeReason.TICKET_LENGTH,
            "15 numbers were keyed: .* for row its 5",
        ),
        (("two-rows",), (5,), CheckTicket(TOP), PrizeReason.TICKET_LENGTH, "for two-rows its 10"),
        (("full",), (5,), CheckTicket(ALL[:14]), PrizeReason.TICKET_LENGTH, "for full its 15"),
        (
            ("early-five",),
            (5,),
            CheckTicket(TOP[:4]),
            PrizeReason.TICKET_LENGTH,
            "for early-five its 5",
        ),
        (
            SEVERAL,
            (5,),
            CheckTicket(TOP[:3]),
            PrizeReason.TICKET_LENGTH,
            "row its 5; .* corners its 4; for full its 15",
        ),
        (
            SEVERAL,
            (5,),
            CheckTicket(TOP),
            PrizeReason.WHICH_STAGE,
            "stand for row, top-row and early-five: say for which",
        ),
        (
            SEVERAL,
            (5,),
            CheckTicket(TOP, "", "corners"),
            PrizeReason.TICKET_LENGTH,
            "5 numbers were keyed: .* for corners its 4",
        ),
        (
            SEVERAL,
            (5,),
            CheckTicket(TOP, "", "kite"),
            PrizeReason.NOT_OPEN,
            "kite cannot be won now: claim for row, top-row, ",
        ),
        (
            ("row",),
            (5,),
            CheckTicket(TOP, "", "full"),
            PrizeReason.NOT_OPEN,
            "full cannot be won now: claim for row",
        ),
        (
            ("row",),
            (5,),
            CheckTicket(ANY_TICKET),
            PrizeReason.NOT_A_TICKET,
            "1 to 15 numbers, each once",
        ),
        (
            ("row",),
            (5,),
            CheckTicket((5, 5, 11, 33, 50)),
            PrizeReason.NOT_A_TICKET,
            "1 to 15 numbers, each once",
        ),
        (
            ("row",),
            (5,),
            CheckTicket(tuple(range(1, 17))),
            PrizeReason.NOT_A_TICKET,
            "1 to 15 numbers, each once",
        ),
        (("row",), (5,), CheckTicket((0, 1, 2, 3, 4)), PrizeReason.NOT_A_TICKET, "from 1 to 90"),
        (("row",), (5,), CheckTicket((1, 2, 3, 4, 91)), PrizeReason.NOT_A_TICKET, "from 1 to 90"),
        (("row",), (), CheckTicket(TOP), PrizeReason.NOTHING_CALLED, "nothing has been called"),
        (
            ("row",),
            (*TOP, Check("1"), Award()),
            CheckTicket(TOP),
            PrizeReason.WON,
            "cannot be claimed later",
        ),
        (
            ("row",),
            (5, CheckTicket(TOP)),
            CheckTicket(TOP[::-1]),
            PrizeReason.ALREADY_CHECKED,
            "as ticket-1: its verdict stands",
        ),
        (
            ("row",),
            (*TOP, CheckTicket(TOP)),
            CheckTicket(TOP, "Zoe"),
            PrizeReason.ALREADY_CHECKED,
            "as ticket-1",
        ),
        (("row",), (5, EndGame()), CheckTicket(TOP), PrizeReason.OVER, "open the next"),
    ],
)
def test_tickets_that_are_refused(patterns, before, ticket, reason, says):
    """Too few or too many numbers, none, twice, not in the bag; a stage that is not open, or that
    must be named."""
    state = play(hall(*patterns, at_once=True), *before)
    assert refused(state, ticket, says) is reason


def test_where_no_tickets_are_played_none_may_claim():
    """They may where some were sold, or where the hall says that they may."""
    setup = PrizeSetup({"1": FIG}, quarters(8))
    assert (
        refused(play(setup, *TOP), CheckTicket(TOP), "no tickets from elsewhere")
        is PrizeReason.NO_TICKETS
    )
    for more in ({"tickets": 1}, {"elsewhere": True}, {"tickets": 1, "elsewhere": True}):
        setup = PrizeSetup({"1": FIG}, quarters(8), label="quarters", **more)
        state = play(setup, *TOP)
        assert CheckTicket(ANY_TICKET) in [*GAME.legal_actions(state)]
        state = GAME.apply(state, CheckTicket(TOP))
        assert state.claims == (Claim("ticket-1", ClaimVerdict.VALID, ("row",), TOP),)
        assert f" tickets={setup.tickets} register" in GAME.notation(state)
        assert GAME.parse(setup, GAME.notation(state)) == state
    with pytest.raises(Unreadable, match="another game"):
        GAME.parse(
            PrizeSetup({"1": FIG}, quarters(8), label="quarters"),
            GAME.notation(state),
        )


def test_of_several_open_stages_one_is_named():
    """The whole ticket stands for all that it can be; fewer numbers for the one they fit, or the
    one that is named."""
    setup = hall(*SEVERAL, at_once=True)
    state = play(setup, *ALL[:14], CheckTicket((5, 76, 2, 74)))
    assert state.claims[0].verdict is ClaimVerdict.NOT_COMPLETE
    state = play(setup, *TOP, CheckTicket(TOP, stage="top-row"))
    assert state.claims[0].stages == ("top-row",)
    # The same numbers may win another stage besides: not the same one.
    both = GAME.apply(state, CheckTicket(TOP, stage="early-five"))
    assert [claim.stages for claim in both.claims] == [("top-row",), ("early-five",)]
    assert (
        refused(both, CheckTicket(TOP, stage="top-row"), "as ticket-1")
        is PrizeReason.ALREADY_CHECKED
    )
    assert (
        refused(both, CheckTicket(TOP, stage="early-five"), "as ticket-2")
        is PrizeReason.ALREADY_CHECKED
    )
    state = play(setup, 90, 1, *ALL, CheckTicket(ALL))
    assert state.claims[0].stages == ("full",)
    # Early five and full: on the last number only the full card was completed.
    late = play(hall("early-five", "full", at_once=True, last_number=False), *ALL, CheckTicket(ALL))
    assert late.claims[0].stages == ("early-five", "full")
    assert [(stage.key, *wanted) for stage, wanted in wants(late, "ticket-1")] == [
        ("early-five", 0, ()),
        ("full", 0, ()),
    ]


def test_tickets_share_with_cards():
    """A ticket is a player of its own, or whoever it is said to be: also one who holds cards of the
    hall's."""
    cards = {"1": FIG, "2": Card("2", (TOP, (1, 12, 23, 34, 45), (6, 16, 26, 36, 46)))}
    setup = PrizeSetup(
        cards, (Stage("row", ROW, 12), Stage("full", FULL, 5)), {"1": "Anna"}, elsewhere=True
    )
    four = (Check("1"), Check("2"), CheckTicket(TOP), CheckTicket(MIDDLE))
    state = play(setup, *TOP, *four, Award())
    assert [(win.serial, win.amount) for win in state.wins] == [("1", 4), ("2", 4), ("ticket-1", 4)]
    other = (*MIDDLE[:4], TOP[0])
    called = (*TOP[1:], *MIDDLE[:4], TOP[0])
    for names, shares in (
        (("", ""), {"1": 3, "2": 3, "ticket-1": 3, "ticket-2": 3}),
        (("Zoe", "Zoe"), {"1": 4, "2": 4, "ticket-1": 4}),
        (("Anna", ""), {"1": 4, "2": 4, "ticket-2": 4}),
        (("Anna", "Anna"), {"1": 6, "2": 6}),
    ):
        tickets = (CheckTicket(TOP, names[0]), CheckTicket(other, names[1]))
        state = play(setup, *called, Check("1"), Check("2"), *tickets)
        assert state.player("ticket-1") == (names[0] or "#ticket-1")
        assert (state.player("1"), state.player("2")) == ("Anna", "#2")
        state = GAME.apply(state, Award())
        assert {win.serial: win.amount for win in state.wins} == shares
        assert GAME.parse(setup, GAME.notation(state)) == state


def test_no_ticket_is_called_as_another():
    """Counted through the game, over stops and calls taken back; with the game's number where it
    has one."""
    setup = hall("row", "full", game=12)
    state = play(
        setup,
        5,
        CheckTicket(TOP),
        CheckTicket(MIDDLE),
        Award(),
        CheckTicket(TOP, "Anna, 2:1 =50%"),
        TakeBackCall(),
    )
    assert state.tickets == (
        Ticket("ticket-12-1", TOP),
        Ticket("ticket-12-2", MIDDLE),
        Ticket("ticket-12-3", TOP, "Anna, 2:1 =50%"),
    )
    assert (state.called, state.claims, state.stopped) == ((), (), False)
    assert GAME.notation(state).endswith(
        "wins=-"
        " shown=ticket-12-1:5.11.33.50.76,ticket-12-2:17.22.43.65.89,"
        "ticket-12-3:5.11.33.50.76:Anna%2C%202%3A1%20%3D50%25"
    )
    assert GAME.parse(setup, GAME.notation(state)) == state
    state = play(setup, 5, CheckTicket(TOP), TakeBackCall(), *TOP, CheckTicket(TOP), Award())
    assert [win.serial for win in state.wins] == ["ticket-12-2"]
    assert state.ticket("ticket-12-2") == Ticket("ticket-12-2", TOP)
    assert (state.ticket("ticket-12-3"), state.ticket("1")) == (None, None)
    # It is none of the cards: keyed as a serial it is not sold.
    assert (
        play(setup, *TOP, CheckTicket(TOP), Check("ticket-12-9")).claims[1].verdict
        is ClaimVerdict.NOT_SOLD
    )


KEYED_TWICE = pytest.mark.parametrize(
    ("first", "second"), [(TOP, ALL), (ALL, TOP), (TOP, (*TOP, 90)), ((*TOP, 90), TOP)]
)


@KEYED_TWICE
def test_a_ticket_wins_a_stage_once_however_it_is_keyed(first, second):
    """At this stop, whole or in part, it is the same paper; where it was not valid it may be keyed
    anew, more of it."""
    state = play(hall("early-five", "full"), *TOP, CheckTicket(first))
    assert state.claims[0].stages == ("early-five",)
    assert (
        refused(state, CheckTicket(second, "Zoe"), "as ticket-1: its verdict stands")
        is PrizeReason.ALREADY_CHECKED
    )
    # A number that is not on the one, and one that is not on the other: these are two.
    other = tuple({*second[:6], 88} - {first[0]})
    assert GAME.apply(state, CheckTicket(other)).claims[1].verdict is ClaimVerdict.NOT_COMPLETE
    wrong = play(hall("early-five", "full"), *TOP[1:], CheckTicket(first))
    assert GAME.apply(wrong, CheckTicket(second)).claims[1].verdict is ClaimVerdict.NOT_COMPLETE


@KEYED_TWICE
def test_who_has_won_does_not_win_again_with_other_numbers(first, second):
    """A second early five is for another ticket, not for more or fewer numbers of the first."""
    setup = PrizeSetup(
        {},
        (Stage("early-five", EARLY, 4), Stage("early-five-2", EARLY, 2)),
        tickets=2,
        last_number=False,
    )
    state = play(setup, *TOP, CheckTicket(first), Award(), CheckTicket(second))
    assert state.claims[0].verdict is ClaimVerdict.ALREADY_WON
    state = play(setup, *TOP, *MIDDLE, CheckTicket(first), Award(), CheckTicket((*MIDDLE, 90)))
    assert state.claims[0].stages == ("early-five-2",)


def test_a_ticket_that_has_won_does_not_win_the_second_house():
    """It is known by its numbers; another ticket may."""
    setup = PrizeSetup(
        {}, (Stage("full", FULL, 4), Stage("full-2", FULL, 2)), tickets=2, last_number=False
    )
    state = play(setup, 90, *ALL, CheckTicket(ALL), Award(), CheckTicket(ALL[::-1]))
    assert state.claims[0].verdict is ClaimVerdict.ALREADY_WON
    state = play(setup, 90, *ALL, CheckTicket(ALL), Award(), CheckTicket((90, *ALL[1:])))
    assert state.claims[0].stages == ("full-2",)


def test_a_stop_is_no_claim():
    """A ticket may be checked when the game was stopped for it, and stops it where it was not."""
    assert play(hall("row"), *TOP, Stop(), CheckTicket(TOP)).claims[0].verdict is ClaimVerdict.VALID
    assert play(hall("row"), *TOP, CheckTicket(TOP)).stopped
    assert play(PrizeSetup({}, whole(3), elsewhere=True), *ALL, CheckTicket(ALL), Award()).pool == 0


_LINE = (
    "stages=row:6,two-rows:6 tickets=40 register=- called=5,11,33,50,76 stopped"
    " claims=ticket-1:valid wins=- shown=ticket-1:5.11.33.50.76:Zoe"
)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("tickets=40", "tickets=41", "another game's setup"),
        (".76:Zoe", ".x:Zoe", "not a state"),
        (":Zoe", ":Zoe:Zoe", "can be in this state"),
        (":Zoe", ":Z%6Fe", "can be in this state"),
        (":Zoe", ":%ff", "not a state"),
        ("wins=-", "wins=jackpot:1:0:5", "can be in this state"),
        (" shown=ticket-1:5.11.33.50.76:Zoe", " shown=-", "can be in this state"),
        ("shown=ticket-1:5.11.33.50.76:Zoe", "shown=ticket-1", "not a state"),
    ],
)
def test_a_line_with_tickets_that_is_no_state_is_refused(old, new, says):
    """The tickets that were shown are read as strictly as the rest."""
    setup = PrizeSetup({}, (Stage("row", ROW, 6), Stage("two-rows", TWO_ROWS, 6)), tickets=40)
    assert GAME.notation(GAME.parse(setup, _LINE)) == _LINE
    assert old in _LINE
    with pytest.raises(Unreadable, match=says):
        GAME.parse(setup, _LINE.replace(old, new))
