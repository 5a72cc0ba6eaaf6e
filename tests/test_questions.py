"""Questions that change nothing: who may ask, and what is answered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from station.access import Person, Role
from station.errors import NotAllowed, Unreadable
from station.hall import Claim, Close, Draw, Hall, Open, PlayOn, Sell, apply
from station.questions import answer_question
from tests.test_hall import PACK, PROGRAMME, A, B, C, night, row

ADMIN = Person("uid:0", Role.ADMIN)
SOLD = Sell(serials=(A, B), to="Anna")


def answer(hall: Hall, about: str, **more: Any) -> dict[str, Any]:
    """The answer, which must fit on the wire and change nothing."""
    before = hall.digest()
    found = answer_question(hall, {"about": about, **more}, ADMIN)
    assert json.loads(json.dumps(found)) == found
    assert hall.digest() == before
    return found


@pytest.mark.parametrize("role", Role)
def test_who_may_ask(role):
    """Who only watches, sits, or is the program itself, is told nothing about cards and names."""
    may = role in (Role.CALLER, Role.CHECKER, Role.CASHIER, Role.AUDITOR, Role.ADMIN)
    for about in ("card", "register", "night", "sales"):
        ask = {"about": about, "serial": A}
        if may:
            assert answer_question(night(SOLD), ask, Person("x", role))
        else:
            with pytest.raises(NotAllowed, match="ask: you are here as"):
                answer_question(night(SOLD), ask, Person("x", role))


@pytest.mark.parametrize("ask", [None, 5, [], {}, {"about": None}, {"about": "weather"}, {"about": ["card"]}])
def test_what_is_no_question(ask):
    """The refusal lists what may be asked."""
    with pytest.raises(Unreadable, match="ask about card, register, range, night, sales, census or self-test"):
        answer_question(night(), ask, ADMIN)


def test_a_card_between_games():
    """No game, nothing to check; whether the card is sold for the coming game is said."""
    hall = night(SOLD)
    assert answer(hall, "card", serial=A) == {
        "serial": A,
        "holder": "Anna",
        "rows": [list(row) for row in PACK.card(A).rows],
        "verdict": None,
        "say": "no game is open; for the next one this card is sold",
    }
    assert answer(hall, "card", serial=C)["say"].endswith("is not sold")
    closed = night(SOLD, Open(), *row(A), Close())
    assert (answer(closed, "card", serial=A)["verdict"], answer(closed, "card", serial=A)["holder"]) == (None, None)


def test_a_card_in_play():
    """What is covered, what is wanted, and what the check would say; the game is not stopped by asking."""
    calls = row(A)
    hall = night(SOLD, Open(), *calls[:-1])
    found = answer(hall, "card", serial=A)
    last = calls[-1].number
    assert (found["verdict"], found["missing"], found["stage"], found["last"]) == (
        "not-complete",
        [last],
        "row",
        [calls[-2].number],
    )
    assert found["marked"] == sorted(draw.number for draw in calls[:-1])
    hall = apply(hall, calls[-1])
    assert (answer(hall, "card", serial=A)["verdict"], answer(hall, "card", serial=A)["missing"]) == ("valid", [])
    assert answer(hall, "card", serial=C)["verdict"] == "not-sold"
    assert answer(apply(hall, Draw(number=90)), "card", serial=A)["verdict"] == "late"
    assert answer(night(SOLD, Open()), "card", serial=A)["verdict"] == "not-complete"


def test_a_card_when_all_is_won():
    """There is nothing left to win, and that is what is said, not that the card is wrong."""
    acts = [SOLD, Open(), Close(), Sell(serials=(A,)), Open(), *row(A), *row(A, 1), *row(A, 2), Claim(serial=A), PlayOn()]
    found = answer(night(*acts), "card", serial=A)
    assert (found["verdict"], found["say"]) == (None, "all prizes of this game are won")


def test_the_holder_is_who_plays_it_now():
    """Sold to Anna for this game and to Bruno for the next: while this one is open, it is Anna's."""
    hall = night(SOLD, Open(), Sell(serials=(A,), to="Bruno"))
    assert answer(hall, "card", serial=A)["holder"] == "Anna"
    assert answer(apply(hall, Close()), "card", serial=A)["holder"] == "Bruno"


def test_a_card_that_is_in_no_pack():
    """The serial is to be looked at again."""
    with pytest.raises(Unreadable, match="card 77 is not in the pack"):
        answer(night(), "card", serial="77")


def test_the_register():
    """The cards of the open game, or of the coming one, in the pack's order with their holders."""
    for hall, game, cards in ((night(SOLD), 1, [A, B]), (night(SOLD, Open()), 1, [A, B]), (night(SOLD, Open(), Close()), 2, [])):
        found = answer(hall, "register")
        assert (found["game"], [card["serial"] for card in found["cards"]]) == (game, cards)
        assert all(card["holder"] == "Anna" and len(card["rows"]) == 3 for card in found["cards"])


def test_range_night_and_sales():
    """The serials of a range; the night in figures; the ledger and how many cards were sold."""
    hall = night(SOLD)
    assert answer(hall, "range", first=A, last=C)["serials"] == [A, B, C]
    assert answer(hall, "night") == {"night": 1, "opened": 0, "games": len(PROGRAMME.games), "pack": PACK.digest}
    assert answer(hall, "sales") == {"ledger": dict(hall.ledger.balances), "sold": 2}
    with pytest.raises(Unreadable, match="not in this pack"):
        answer(hall, "range", first=A)


def test_what_the_desk_answers():
    """The census and the self-test are the desk's to tell; where there is no desk, that is no question."""
    told = {"census": {"active": True}, "self-test": {"active": False}}
    for about, found in told.items():
        assert answer_question(night(), {"about": about}, ADMIN, told) == found
        with pytest.raises(Unreadable, match="no question"):
            answer(night(), about)
