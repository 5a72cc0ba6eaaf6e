"""What may be asked of the night: each act as JSON and back; and every way in which one is none,
with its place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import Unreadable
from station.base.nouns import SERIAL
from station.night.acts import (
    Approve,
    Bank,
    Break,
    Census,
    ClaimCard,
    ClaimTicket,
    CloseGame,
    CloseNight,
    CountCash,
    DrawKnob,
    DrawLots,
    MakeMove,
    Note,
    Open,
    Pay,
    PlayOn,
    Recover,
    Redeem,
    Return,
    SelfTest,
    Sell,
    Shake,
    Sit,
    StopGame,
    Tried,
    Undo,
    Waive,
    act_to_json,
    parse_act,
)
from station.night.fields import Player, refuse_unseen

SERIALS = st.from_regex(SERIAL, fullmatch=True)
NAMES = st.text("aAé 木-'.", min_size=1, max_size=60).filter(
    lambda text: text == text.strip() != ""
)
UNITS = st.integers(0, 10**10)
RANGES = st.lists(st.tuples(SERIALS, SERIALS), min_size=1, max_size=3).map(tuple)
ACTS = st.one_of(
    st.builds(
        Sell,
        serials=st.lists(SERIALS, min_size=1, max_size=4).map(tuple),
        to=st.none() | NAMES,
        by=st.none() | NAMES,
        games=st.integers(1, 200),
    ),
    st.builds(
        Sell,
        ranges=RANGES,
        tickets=st.integers(0, 10**6),
        to=st.none() | NAMES,
        by=st.none() | NAMES,
        vouchers=UNITS,
    ),
    st.builds(
        Return,
        serials=st.lists(SERIALS, min_size=1, max_size=3).map(tuple),
        ranges=RANGES,
        by=st.none() | NAMES,
    ),
    st.builds(Return, tickets=st.integers(1, 10**6), by=st.none() | NAMES),
    st.builds(CountCash, by=NAMES, amount=UNITS),
    st.builds(
        ClaimTicket,
        numbers=st.lists(st.integers(1, 90), min_size=1, max_size=15, unique=True).map(tuple),
        name=st.none() | NAMES,
        stage=st.none() | st.sampled_from(["row", "full-2"]),
    ),
    st.builds(
        DrawLots,
        stage=st.just("full"),
        knobs=st.lists(st.tuples(SERIALS, st.integers(1, 90)), min_size=2).map(tuple),
    ),
    st.builds(
        Approve, about=st.sampled_from(["pay", "undo"]), serial=st.none() | SERIALS, who=NAMES
    ),
    st.builds(
        Pay, serial=SERIALS, means=st.sampled_from(["cash", "voucher"]), who=st.none() | NAMES
    ),
    st.builds(Redeem, amount=UNITS.filter(bool)),
    st.builds(Recover, serial=SERIALS, amount=UNITS.filter(bool)),
    st.builds(
        Bank, account=st.sampled_from(["house", "charity"]), amount=UNITS | UNITS.map(int.__neg__)
    ),
    st.builds(Break, why=st.text("a 木", min_size=1, max_size=200)),
    st.builds(
        Open, bag=st.text("0123456789abcdef", max_size=64), knobs=st.none() | st.integers(0, 90)
    ),
    st.builds(Open, deal=st.lists(SERIALS, max_size=24, unique=True).map(tuple)),
    st.builds(
        Sit,
        players=st.lists(
            st.builds(
                Player,
                name=NAMES,
                purse=st.none() | UNITS,
                takes=st.none() | st.integers(0, 24),
                simulated=st.booleans(),
            ),
            min_size=1,
            max_size=24,
        ).map(tuple),
    ),
    st.builds(
        Shake,
        counted=st.integers(0, 90),
        found=st.none() | st.sets(st.integers(1, 90)).map(sorted).map(tuple),
    ),
    st.builds(
        MakeMove,
        move=st.dictionaries(
            st.text(max_size=9),
            st.text(max_size=64)
            | st.integers(-9, 10**6)
            | st.lists(st.integers(0, 24), max_size=24),
            max_size=8,
        ),
    ),
    st.builds(DrawKnob, number=st.integers(1, 90)),
    st.builds(StopGame),
    st.builds(ClaimCard, serial=SERIALS),
    st.builds(PlayOn),
    st.builds(Undo, why=st.text("a \n木", max_size=200)),
    st.builds(Pay, serial=SERIALS),
    st.builds(CloseGame),
    st.builds(CloseNight),
    st.builds(Note, about=NAMES, what=st.text("a \n木", max_size=400)),
    st.builds(
        Waive,
        about=st.sampled_from(["census", "faults"]),
        who=NAMES,
        why=st.text("a 木", min_size=1, max_size=200),
    ),
    st.builds(
        Census,
        found=st.sets(st.integers(1, 90)).map(sorted).map(tuple),
        twice=st.sets(st.integers(1, 90)).map(sorted).map(tuple),
        foreign=st.sets(st.integers(0, 2**63 - 1), max_size=9).map(sorted).map(tuple),
        unreadable=st.integers(0, 9),
        who=st.none() | NAMES,
    ),
    st.builds(
        SelfTest,
        parts=st.lists(
            st.builds(
                Tried,
                what=NAMES,
                result=st.sampled_from(["good", "fault", "skipped"]),
                blocks=st.booleans(),
            ),
            min_size=1,
        ).map(tuple),
    ),
)


@given(ACTS)
def test_acts_come_back_from_the_journal(act):
    """Every act, written as JSON and read again, is the same act."""
    assert parse_act(json.loads(json.dumps(act_to_json(act)))) == act


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (5, "the act: "),
        ([], "the act: "),
        ({}, "the act: Unable to extract tag"),
        ({"act": "fly"}, "'open', 'draw'"),
        ({"act": ["draw"]}, "does not match"),
        ({"act": "draw"}, "draw.number: Field required"),
        ({"act": "draw", "number": 0}, "greater than or equal to 1 (it is 0)"),
        ({"act": "draw", "number": 91}, "less than or equal to 90 (it is 91)"),
        ({"act": "draw", "number": "7"}, "(it is '7')"),
        ({"act": "draw", "number": True}, "(it is True)"),
        ({"act": "draw", "number": 7.5}, "(it is 7.5)"),
        ({"act": "draw", "number": 7, "loud": True}, "draw.loud: "),
        ({"act": "sit", "players": []}, "sit.players"),
        ({"act": "join", "purse": 5}, "join.name: Field required"),
        ({"act": "join", "name": "Dora", "purse": -1}, "join.purse"),
        ({"act": "join", "name": "Dora", "takes": 2}, "join.takes: there is no such setting"),
        ({"act": "sit", "players": [{"name": "Anna"}] * 91}, "sit.players"),
        ({"act": "sit", "players": [{"name": "#1"}]}, "sit.players.0.name: a name is"),
        ({"act": "sit", "players": [{"name": "Anna", "purse": -1}]}, "sit.players.0.purse"),
        (
            {"act": "sit", "players": [{"name": "Anna", "hat": 1}]},
            "sit.players.0.hat: there is no such setting",
        ),
        ({"act": "shake"}, "shake.counted: Field required"),
        ({"act": "shake", "counted": 91}, "less than or equal to 90 (it is 91)"),
        ({"act": "shake", "counted": 2, "found": [2, 1]}, "in order"),
        ({"act": "open", "deal": ["0001", "0001"]}, "open.deal: each card is dealt once"),
        ({"act": "move"}, "move.move: Field required"),
        ({"act": "move", "move": []}, "move.move: Input should be a valid dictionary"),
        (
            {"act": "move", "move": {"seat": 1.5}},
            "a move says short words, whole numbers, and lists",
        ),
        ({"act": "move", "move": {"seat": True}}, "a move says short words"),
        ({"act": "move", "move": {"seat": None}}, "a move says short words"),
        ({"act": "move", "move": {"seat": 10**11}}, "a move says short words"),
        ({"act": "move", "move": {"serial": "x" * 65}}, "a move says short words"),
        ({"act": "move", "move": {"x" * 65: 1}}, "a move says short words"),
        ({"act": "move", "move": {"seats": [True]}}, "a move says short words"),
        ({"act": "move", "move": {"seats": [[1]]}}, "a move says short words"),
        ({"act": "move", "move": {"seats": [1] * 121}}, "a move says short words"),
        ({"act": "move", "move": dict.fromkeys("abcdefghi", 1)}, "a move says short words"),
        (
            {"act": "sell", "serials": []},
            "sell: which cards? serials, ranges, or a number of tickets",
        ),
        ({"act": "return"}, "return: which cards?"),
        ({"act": "sell", "tickets": -1}, "sell.tickets"),
        ({"act": "sell", "tickets": 1.0}, "sell.tickets"),
        ({"act": "sell", "tickets": 1_000_001}, "sell.tickets"),
        ({"act": "sell", "serials": ["1"], "vouchers": -1}, "sell.vouchers"),
        ({"act": "sell", "ranges": [["1"]]}, "sell.ranges.0"),
        ({"act": "sell", "ranges": [["1", "a,b"]]}, "sell.ranges.0.1: a serial has"),
        ({"act": "count-cash", "by": "", "amount": 5}, "count-cash.by"),
        ({"act": "count-cash", "by": "Ben", "amount": -1}, "count-cash.amount"),
        ({"act": "count-cash", "by": "Ben", "amount": 12.5}, "count-cash.amount"),
        ({"act": "claim-ticket", "numbers": []}, "claim-ticket.numbers"),
        ({"act": "claim-ticket", "numbers": [*range(1, 17)]}, "claim-ticket.numbers"),
        ({"act": "claim-ticket", "numbers": [5, 5]}, "claim-ticket.numbers: 5 stands there twice"),
        ({"act": "claim-ticket", "numbers": [91]}, "claim-ticket.numbers.0"),
        ({"act": "lots", "stage": "full", "knobs": [["1", 5]]}, "lots.knobs"),
        ({"act": "approve", "who": ""}, "approve.who: a name is"),
        ({"act": "approve", "about": "all", "who": "Ben"}, "approve.about"),
        ({"act": "pay", "serial": "1", "means": "cheque"}, "pay.means"),
        ({"act": "redeem", "amount": 0}, "redeem.amount"),
        ({"act": "recover", "serial": "1", "amount": -5}, "recover.amount"),
        ({"act": "bank", "account": "purses", "amount": 5}, "bank.account"),
        ({"act": "bank", "account": "house", "amount": 10**10 + 1}, "bank.amount"),
        ({"act": "break"}, "break.why"),
        ({"act": "sell", "serials": "0001"}, "sell.serials: Input should be a valid tuple"),
        (
            {"act": "sell", "serials": ["a,b"]},
            "sell.serials.0: a serial has 1 to 64 letters, digits and signs (it is 'a,b')",
        ),
        ({"act": "sell", "serials": ["1\n"]}, "a serial has"),
        ({"act": "sell", "serials": ["1"], "games": 0}, "sell.games"),
        ({"act": "sell", "serials": ["1"], "games": 201}, "sell.games"),
        *(
            (
                {"act": "sell", "serials": ["1"], "to": name},
                "sell.to: a name is one line of 1 to 60 characters",
            )
            for name in ("", "  ", "a\nb", "a\x1b[2J", "a\u2028b", "#0001", "x" * 61)
        ),
        ({"act": "sell", "serials": ["1"], "to": "\ud800"}, "sell.to"),
        ({"act": "undo", "why": "x" * 201}, "undo.why"),
        ({"act": "census", "found": [2, 1]}, "census.found: each number stands once, in order"),
        ({"act": "census", "found": [1, 1]}, "census.found: each number stands once, in order"),
        ({"act": "census", "found": [0]}, "census.found.0"),
        ({"act": "waive", "who": "Anna"}, "waive.why"),
        ({"act": "waive", "who": "", "why": "late"}, "waive.who: a name is"),
        ({"act": "self-test", "parts": []}, "at least 1 item"),
        ({"act": "claim", "serial": None}, "claim.serial"),
    ],
)
def test_bad_acts_are_refused_with_their_faults(data, says):
    """The sentence has the place, what is wrong and what was given."""
    with pytest.raises(Unreadable) as caught:
        parse_act(data)
    assert str(caught.value).startswith("not an act: ")
    assert says in str(caught.value)


def test_a_name_is_kept_without_the_space_around_it():
    """ "Anna" and "Anna " are one player, who gets one share."""
    act = parse_act({"act": "sell", "serials": ["1"], "to": " Anna "})
    assert isinstance(act, Sell)
    assert act.to == "Anna"


@pytest.mark.parametrize(
    ("act", "written"),
    [
        (Sell(serials=("1",)), {"act": "sell", "serials": ["1"], "games": 1}),
        (
            Sell(ranges=(("1", "9"),), vouchers=5),
            {"act": "sell", "ranges": [["1", "9"]], "games": 1, "vouchers": 5},
        ),
        (Pay(serial="1"), {"act": "pay", "serial": "1"}),
        (Pay(serial="1", means="voucher"), {"act": "pay", "serial": "1", "means": "voucher"}),
        (DrawKnob(number=7), {"act": "draw", "number": 7}),
    ],
)
def test_a_field_that_says_nothing_is_not_written(act, written):
    """An act has one form in the journal, by which its id is known again."""
    assert act_to_json(act) == written


def test_what_nobody_would_see_is_refused_at_the_door() -> None:
    """With its place and the character; what everybody sees is let in."""
    refuse_unseen({"act": "undo", "why": "the knob was 9\nnot 6"})
    with pytest.raises(Unreadable, match=r"undo\.why holds U\+202E"):
        refuse_unseen({"act": "undo", "why": "6 ton\u202e"})
