"""Questions that change nothing: who may ask, and what is answered."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from station.base.errors import NotAllowed, Unreadable
from station.base.nouns import Card, Columns
from station.calling.questions import PAGE, answer_question
from station.cards.pack import Pack, make_pack
from station.cards.serials import Numbering
from station.night.acts import (
    Approve,
    Break,
    ClaimCard,
    ClaimTicket,
    CloseGame,
    CountCash,
    DrawKnob,
    Open,
    Pay,
    PlayOn,
    Sell,
    Undo,
    parse_act,
)
from station.night.hall import Hall, apply
from station.people.roles import Person, Role
from station.programme.programme import GamePlan, Programme, Shares, StagePlan
from tests.night.test_hall import PACK, PROGRAMME, A, B, C, night, row
from tests.report_night import PROGRAMME as EVERYTHING
from tests.report_night import Remembered
from tests.report_night import acts as everything
from tests.report_night import pack as everything_pack

ADMIN = Person("uid:0", Role.ADMIN)
SOLD = Sell(serials=(A, B), to="Anna")
FIG1 = Card.parse("0001: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74")
TOP = FIG1.rows[0]


def answer(
    hall: Hall, about: str, *, numbering: Numbering | None = None, **more: Any
) -> dict[str, Any]:
    """The answer, which must fit on the wire and change nothing."""
    before = hall.digest()
    found = answer_question(hall, {"about": about, **more}, ADMIN, numbering=numbering)
    assert json.loads(json.dumps(found)) == found
    assert hall.digest() == before
    return found


@pytest.mark.parametrize("role", Role)
def test_who_may_ask(role):
    """Who only watches, sits, or is the program itself, is told nothing about cards and names."""
    may = role not in (Role.SEAT, Role.WATCHER, Role.STATION)
    for about in ("card", "register", "lots", "night", "money", "sales"):
        ask = {"about": about, "serial": A}
        if may:
            assert answer_question(night(SOLD), ask, Person("x", role))
        else:
            with pytest.raises(NotAllowed, match="ask: you are here as"):
                answer_question(night(SOLD), ask, Person("x", role))


@pytest.mark.parametrize(
    "ask", [None, 5, [], {}, {"about": None}, {"about": "weather"}, {"about": ["card"]}]
)
def test_what_is_no_question(ask):
    """The refusal lists what may be asked."""
    with pytest.raises(Unreadable, match="ask about card, ticket, claims, owed, cards, register"):
        answer_question(night(), ask, ADMIN)


def test_a_card_between_games():
    """No game, nothing to check; whether the card is sold for the coming game is said."""
    hall = night(SOLD)
    assert answer(hall, "card", serial=A) == {
        "serial": A,
        "holder": "Anna",
        "seller": None,
        "sold": True,
        "game": 1,
        "rows": [list(row) for row in PACK.card(A).rows],
        "verdict": None,
        "owed": 0,
        "won": [],
        "say": "no game is open; for the next one this card is sold",
    }
    assert answer(hall, "card", serial=C)["say"].endswith("is not sold")
    closed = night(SOLD, Open(), *row(A), CloseGame())
    assert (
        answer(closed, "card", serial=A)["verdict"],
        answer(closed, "card", serial=A)["holder"],
    ) == (None, None)


def test_a_card_in_play():
    """What is covered, what is wanted, and what the check would say; the game is not stopped by
    asking."""
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
    assert (
        answer(hall, "card", serial=A)["verdict"],
        answer(hall, "card", serial=A)["missing"],
    ) == ("valid", [])
    assert answer(hall, "card", serial=C)["verdict"] == "not-sold"
    assert answer(apply(hall, DrawKnob(number=90)), "card", serial=A)["verdict"] == "late"
    assert answer(night(SOLD, Open()), "card", serial=A)["verdict"] == "not-complete"


def test_a_card_when_all_is_won():
    """There is nothing left to win, and that is what is said, not that the card is wrong."""
    acts = [
        SOLD,
        Open(),
        CloseGame(),
        Sell(serials=(A,)),
        Open(),
        *row(A),
        *row(A, 1),
        *row(A, 2),
        ClaimCard(serial=A),
        PlayOn(),
    ]
    found = answer(night(*acts), "card", serial=A)
    assert (found["verdict"], found["still"]) == (None, "all prizes of this game are won")
    assert found["say"].startswith("it has won full (")
    assert answer(night(*acts), "card", serial=B)["say"] == "all prizes of this game are won"


def test_a_card_that_has_won_is_told_so():
    """What it has won and whether that is paid, beside what it still wants; at the next stop a
    claim with it is judged as any other."""
    won = (ANNA, Open(), *TOP, ClaimCard(serial="0001"), PlayOn())
    hall = tambola(*won)
    found = answer(hall, "card", serial="0001")
    assert (found["verdict"], found["won"][0]["paid"]) == ("not-complete", False)
    assert found["still"].startswith("wants ")
    assert found["say"] == f"it has won row (9, not paid yet); {found['still']}"
    paid = apply(apply(hall, Approve(serial="0001", who="Carl")), Pay(serial="0001", who="Ben"))
    told = answer(paid, "card", serial="0001")["say"]
    assert told == f"it has won row (9, paid); {found['still']}"
    claimed = answer(apply(hall, ClaimCard(serial="0001")), "card", serial="0001")
    assert claimed["say"].startswith("checked already at this stop: not valid: wants ")
    assert "still" not in claimed
    closed = answer(apply(hall, CloseGame()), "card", serial="0001")
    assert closed["say"].startswith("it has won row (9, not paid yet); no game is open")
    assert "still" not in answer(hall, "card", serial="0002")


def test_the_holder_is_who_plays_it_now():
    """Sold to Anna for this game and to Bruno for the next: while this one is open, it is
    Anna's."""
    hall = night(SOLD, Open(), Sell(serials=(A,), to="Bruno"))
    assert answer(hall, "card", serial=A)["holder"] == "Anna"
    assert answer(apply(hall, CloseGame()), "card", serial=A)["holder"] == "Bruno"


def test_a_card_that_is_in_no_pack():
    """The serial is to be looked at again."""
    with pytest.raises(Unreadable, match="'77' is no card of this pack"):
        answer(night(), "card", serial="77")


def test_the_register():
    """The cards of the open game, or of the coming one, in the pack's order with their holders."""
    for hall, game, cards in (
        (night(SOLD), 1, [A, B]),
        (night(SOLD, Open()), 1, [A, B]),
        (night(SOLD, Open(), CloseGame()), 2, []),
    ):
        found = answer(hall, "register")
        assert (found["game"], [card["serial"] for card in found["cards"]]) == (game, cards)
        assert all(card["holder"] == "Anna" and len(card["rows"]) == 3 for card in found["cards"])


def test_a_register_comes_in_pages():
    """However many cards there are, an answer has at most a page of them, and says where the next
    begins."""
    pack = make_pack(-(-2 * PAGE // 6) + 1, Random(3))
    hall = apply(
        Hall(pack, PROGRAMME),
        Sell(ranges=((pack.serials[0], pack.serials[-1]),), to="Anna", by="Ben"),
    )
    cards, at = [], 0
    while at is not None:
        found = answer(hall, "register", at=at)
        assert (len(found["cards"]) <= PAGE, found["of"]) == (True, len(pack))
        cards += [card["serial"] for card in found["cards"]]
        at = found["next"]
    assert cards == list(pack.serials)
    lots = answer(hall, "lots")
    assert lots["lots"] == [
        {
            "first": "0001",
            "last": pack.serials[-1],
            "count": len(pack),
            "holder": "Anna",
            "seller": "Ben",
            "until": 1,
        }
    ]
    assert (lots["game"], lots["sold"], lots["next"]) == (1, len(pack), None)
    for at in (-1, "0", 1.5, True, None):
        with pytest.raises(Unreadable, match="passed over"):
            answer(hall, "register", at=at)


def test_night_and_sales():
    """The night in figures; the ledger and how many cards are in the game."""
    hall = night(SOLD)
    assert answer(hall, "night") == {
        "night": 1,
        "opened": 0,
        "games": len(PROGRAMME.games),
        "pack": PACK.digest,
    }
    assert answer(hall, "sales") == {"ledger": dict(hall.ledger.balances), "sold": 2}


def test_which_cards_words_mean():
    """Ranges stay ranges, with how many there are and what one costs for each game to come."""
    hall = night()
    found = answer(hall, "cards", words=[f"{A}-{B}", C])
    assert found == {
        "serials": [C],
        "ranges": [[A, B]],
        "count": 3,
        "prices": [plan.price for plan in PROGRAMME.games],
    }
    over = night(*(act for _ in PROGRAMME.games for act in (Open(), CloseGame())))
    assert answer(over, "cards", words=[A])["prices"] == []
    for words in (None, A, [1], {"0001": 1}):
        with pytest.raises(Unreadable, match="a list of serials and ranges"):
            answer(hall, "cards", words=words)


def test_a_card_is_asked_about_as_people_say_it():
    """Its number without zeros, for a look and for what is owed; where two fit, both are named."""
    hall = night()
    assert answer(hall, "card", serial="1")["serial"] == "0001"
    assert answer(hall, "owed", serial="1")["serial"] == "0001"
    assert answer(hall, "cards", words=["2-3"])["ranges"] == [["0002", "0003"]]
    numbers = make_pack(2, Random(1)).numbers
    two = Hall(Pack.of([f"{one} {n}" for one in "AB" for n in range(1, 7)], numbers), PROGRAMME)
    assert answer(two, "card", serial="b 3")["serial"] == "B 3"
    for about in ("card", "owed"):
        with pytest.raises(Unreadable, match="'3' may be A 3 or B 3"):
            answer(two, about, serial="3")


def test_a_page_is_told_where_the_tens_stand():
    """Of a card whose columns are 1-10 … 81-90, and of no other."""
    rows = ((6, 24, 33, 61, 88), (12, 57, 70, 75, 90), (27, 40, 44, 52, 83))
    hall = Hall(Pack([Card("501", rows, Columns.TENS_LAST)]), PROGRAMME)
    assert answer(hall, "card", serial="501")["tens_last"] is True
    assert "tens_last" not in answer(night(), "card", serial="0001")


def test_a_card_is_asked_about_by_its_code():
    """Where the pack is numbered with a key, the short code of the QR and a misread serial find the
    card."""
    numbering = Numbering(b"a key of the tests' own", "A", 6)
    hall = Hall(Pack.of(numbering.serials(1, 6), make_pack(1, Random(1)).numbers), PROGRAMME)
    for text in (numbering.short(3), numbering.serial(3).lower()):
        assert answer(hall, "card", serial=text, numbering=numbering)["serial"] == numbering.serial(
            3
        )
    with pytest.raises(Unreadable, match="no card of this pack"):
        answer(hall, "card", serial=numbering.short(3))
    # To look at a card its number is enough; a claim looks it up without `short`.
    assert answer(hall, "card", serial="a000003", short=True)["serial"] == numbering.serial(3)
    with pytest.raises(Unreadable, match="type its check characters too"):
        answer(hall, "card", serial="A000003", numbering=numbering)


STAGES = (
    StagePlan(pattern="row", share=20),
    StagePlan(pattern="corners", thing="A ham"),
    StagePlan(pattern="full", name="House"),
)
TAMBOLA = Programme(
    name="t",
    games=(
        GamePlan(name="one", price=10, stages=STAGES, at_once=True, tickets=True),
        GamePlan(name="two", price=5),
    ),
    shares=Shares(house=10),
    approve_above=2,
)
OTHERS = [card for card in make_pack(1, Random(1)).cards() if card.serial != "0001"]


def tambola(*acts: Any) -> Hall:
    """A game of three stages at once on Fig. 1 and five other cards, after these acts; a number is
    a call."""
    hall = Hall(Pack([FIG1, *OTHERS]), TAMBOLA)
    for act in acts:
        hall = apply(hall, DrawKnob(number=act) if isinstance(act, int) else act)
    return hall


ANNA = Sell(serials=("0001",), ranges=(("0002", "0003"),), to="Anna", by="Ben", tickets=2)


def test_every_open_stage_is_told():
    """Where several stages are open each says what the card wants, by its name in the programme; a
    valid card which it wins."""
    found = answer(tambola(ANNA, Open(), 5, 76, 2), "card", serial="0001")
    assert [
        (stage["key"], stage["name"], stage["many"], stage["missing"]) for stage in found["stages"]
    ] == [
        ("row", "row", 3, [11, 33, 50]),
        ("corners", "corners", 1, [74]),
        ("full", "House", 12, [11, 17, 22, 28, 33, 35, 43, 50, 56, 65, 74, 89]),
    ]
    assert found["say"].startswith(
        "not valid: wants 11, 33 and 50 for row; wants 74 for corners; wants 11, 17"
    )
    found = answer(tambola(ANNA, Open(), 5, 76, 2, 11, 33, 50), "card", serial="0001")
    assert (found["verdict"], found["valid_for"], found["say"]) == (
        "valid",
        ["row"],
        "valid for row",
    )


def test_what_is_said_of_a_claim():
    """Late, not sold, checked already, won already: each by its own sentence, and nothing else of
    the card is hidden."""
    row_done = (ANNA, Open(), *TOP)
    for acts, serial, verdict, say in (
        (
            (*row_done, 90),
            "0001",
            "late",
            "not valid: it was complete before the last number, 90, was called",
        ),
        (row_done, "0004", "not-sold", "not valid: this card was not sold for game 1"),
        (
            (*row_done, ClaimCard(serial="0001")),
            "0001",
            "valid",
            "checked already at this stop: valid for row",
        ),
        ((*row_done, ClaimCard(serial="0002")), "0001", "valid", "valid for row"),
    ):
        found = answer(tambola(*acts), "card", serial=serial)
        assert (found["verdict"], found["say"], len(found["rows"])) == (verdict, say, 3)


def test_a_ticket_is_looked_at():
    """By the numbers of its pattern: which were not called, whether the last is among them, what a
    claim would come to."""
    hall = tambola(ANNA, Open(), *TOP)
    found = answer(hall, "ticket", numbers=[76, 5, 11, 33, 50], stage="row")
    assert (found["verdict"], found["say"], found["has_last"], found["not_called"]) == (
        "valid",
        "valid for row",
        True,
        [],
    )
    found = answer(hall, "ticket", numbers=[76, 5, 11, 33, 51], stage="row")
    assert (found["verdict"], found["not_called"], found["marked"]) == (
        "not-complete",
        [51],
        [5, 11, 33, 76],
    )
    assert found["say"] == "not valid: wants 51 for row; not called: 51"
    found = answer(
        tambola(ANNA, Open(), *TOP, 90), "ticket", numbers=[5, 11, 33, 50, 76], stage="row"
    )
    assert (found["verdict"], found["has_last"]) == ("late", False)


@pytest.mark.parametrize(
    "numbers", [None, "5 11", [], [0], [91], [5.0], ["5"], [True], [5, 5], list(range(1, 17))]
)
def test_what_is_no_ticket(numbers):
    """Numbers from 1 to 90, each once, as many as a pattern can have: anything else is refused in
    words."""
    with pytest.raises((Unreadable, NotAllowed), match=r"numbers|ticket"):
        answer(tambola(ANNA, Open(), *TOP), "ticket", numbers=numbers)


def test_a_ticket_where_none_may_be():
    """Between games, and where no tickets are played, there is nothing to check."""
    with pytest.raises(Unreadable, match="no game is open"):
        answer(tambola(), "ticket", numbers=[5])
    with pytest.raises(NotAllowed, match="no tickets from elsewhere"):
        answer(night(SOLD, Open(), DrawKnob(number=5)), "ticket", numbers=[5])


def test_the_money_of_the_night():
    """Whatever was sold, won, paid and counted: every account, by what a treasurer calls it; the
    sum is zero."""
    won = (
        ANNA,
        Open(),
        *TOP,
        ClaimCard(serial="0001"),
        ClaimTicket(numbers=TOP, name="Zoe", stage="row"),
        PlayOn(),
    )
    found = answer(tambola(*won), "money")
    # Five cards and tickets at 10 are 50; the house takes 5, the row a fifth of 45, which two
    # share.
    assert (found["house"], found["cash"], found["game"]) == (
        5,
        50,
        {"number": 1, "open": True, "prizes": 37},
    )
    assert found["owed"] == [
        {
            "serial": "0001",
            "holder": "Anna",
            "amount": 4,
            "things": [],
            "lots": [],
            "needs_approval": True,
            "approved": [],
        },
        {
            "serial": "ticket-1-1",
            "holder": "Zoe",
            "amount": 4,
            "things": [],
            "lots": [],
            "needs_approval": True,
            "approved": [],
        },
    ]
    assert found["sellers"] == [
        {
            "name": "Ben",
            "sold": 50,
            "returned": 0,
            "vouchers": 0,
            "counted": 0,
            "difference": 0,
            "expected": 50,
        }
    ]
    assert (found["next"]["number"], found["next"]["price"], found["total"]) == (2, 5, 0)
    approved = (Approve(serial="0001", who="Carl"), Pay(serial="0001", who="Ben", means="voucher"))
    half = answer(tambola(*won, approved[0]), "money")
    assert half["owed"][0]["approved"] == ["Carl"]
    paid = answer(tambola(*won, *approved, CountCash(by="Ben", amount=48)), "money")
    assert ([one["serial"] for one in paid["owed"]], paid["vouchers"], paid["cash"]) == (
        ["ticket-1-1"],
        4,
        50,
    )
    assert [(one["counted"], one["difference"], one["expected"]) for one in paid["sellers"]] == [
        (48, -2, 2)
    ]
    undo = (Approve(about="undo", who="Ben"), Approve(about="undo", who="Carl"))
    assert answer(tambola(*won, *approved, undo[0]), "money")["correction"] == {
        "paid": ["0001"],
        "approved": ["Ben"],
    }
    back = answer(tambola(*won, *approved, *undo, Undo(why="it was 75")), "money")
    assert (back["due"], back["owed"]) == ([{"serial": "0001", "amount": 4}], [])


def test_a_prize_of_an_earlier_game_waits_with_the_name_of_its_claim():
    """In the next game too, of whoever the card is by then; a card's and a ticket's."""
    won = (
        ANNA,
        Open(),
        *TOP,
        ClaimCard(serial="0001"),
        ClaimTicket(numbers=TOP, name="Zoe", stage="row"),
        PlayOn(),
        CloseGame(),
        Sell(serials=("0001",), to="Bruno"),
        Open(),
    )
    hall = tambola(*won)
    assert hall.sold is not None
    assert hall.sold.player("0001") == "Bruno"
    waiting = answer(hall, "unpaid")["owed"]
    told = [("0001", "Anna", 4), ("ticket-1-1", "Zoe", 4)]
    assert [(one["serial"], one["holder"], one["amount"]) for one in waiting] == told
    assert answer(hall, "money")["owed"] == waiting
    assert answer(hall, "owed", serial="0001") == waiting[0]
    paid = (Approve(serial="0001", who="Carl"), Pay(serial="0001", who="Ben"))
    assert answer(tambola(*won, *paid), "unpaid")["owed"] == waiting[1:]
    assert answer(tambola(ANNA, Open()), "unpaid") == {"owed": []}


def test_what_was_sold_without_a_name_stands_last():
    """With the sellers, as nobody by name."""
    sold = (Sell(serials=(A,)), Sell(serials=(B,), by="Ben"), CountCash(amount=3))
    found = answer(night(*sold), "money")["sellers"]
    price = PROGRAMME.games[0].price
    told = [("Ben", price, 0, price), (None, price, 3, price - 3)]
    assert [(one["name"], one["sold"], one["counted"], one["expected"]) for one in found] == told


def test_what_was_checked_at_this_stop():
    """Cards and tickets in order, each with its verdict and the sentence; nothing before the first
    claim, nothing after."""
    checked = (
        ANNA,
        Open(),
        *TOP,
        ClaimCard(serial="0004"),
        ClaimTicket(numbers=TOP, stage="row"),
        ClaimCard(serial="0001"),
    )
    assert [
        (claim["serial"], claim["say"]) for claim in answer(tambola(*checked), "claims")["claims"]
    ] == [
        ("0004", "not valid: this card was not sold for game 1"),
        ("ticket-1-1", "valid for row"),
        ("0001", "valid for row"),
    ]
    for hall in (tambola(), tambola(ANNA, Open()), tambola(*checked, PlayOn())):
        assert answer(hall, "claims")["claims"] == []


def test_what_is_owed_for_one():
    """A card by its serial however it is typed, a ticket by its name; nothing is a plain 0; what is
    neither is said."""
    hall = tambola(
        ANNA,
        Open(),
        *TOP,
        ClaimCard(serial="0001"),
        ClaimTicket(numbers=TOP, name="Zoe", stage="row"),
        PlayOn(),
    )
    owed = {
        "holder": "Anna",
        "amount": 4,
        "things": [],
        "lots": [],
        "needs_approval": True,
        "approved": [],
    }
    assert answer(hall, "owed", serial=" OOO1 ") == {"serial": "0001", **owed}
    assert answer(hall, "owed", serial="ticket-1-1") == {
        "serial": "ticket-1-1",
        **owed,
        "holder": "Zoe",
    }
    for serial in ("0002", "ticket-1-7"):
        assert (
            answer(hall, "owed", serial=serial)["amount"],
            answer(hall, "owed", serial=serial)["things"],
        ) == (0, [])
    for serial in ("rubbish", None):
        with pytest.raises(Unreadable, match="no card of this pack"):
            answer(hall, "owed", serial=serial)


def test_an_approval_is_of_one_sum():
    """Up to the programme's sum one person pays; what was approved before a card won more is
    approved no longer."""
    won = (ANNA, Open(), *TOP, ClaimCard(serial="0001"), PlayOn())
    for limit, needs in ((8, True), (9, False), (None, False)):
        programme = TAMBOLA.model_copy(update={"approve_above": limit})
        hall = Hall(Pack([FIG1, *OTHERS]), programme)
        for act in won:
            hall = apply(hall, DrawKnob(number=act) if isinstance(act, int) else act)
        assert [
            (one["amount"], one["needs_approval"]) for one in answer(hall, "money")["owed"]
        ] == [(9, needs)]
    approved = (*won, Approve(serial="0001", who="Carl"))
    assert answer(tambola(*approved), "owed", serial="0001")["approved"] == ["Carl"]
    more = (*approved, *FIG1.rows[1], *FIG1.rows[2], ClaimCard(serial="0001"), PlayOn())
    owed = answer(tambola(*more), "owed", serial="0001")
    assert (owed["amount"] > 9, owed["approved"]) == (True, [])


def test_no_account_gains_what_no_other_loses():
    """After each act of a night with something of everything: what a treasurer is shown comes to
    nothing, now and in the next night; both hold the same cash; what is owed is on an account."""
    played = Remembered(EVERYTHING, everything_pack())
    seen = set()
    for act in everything():
        do = {"act": "draw", "number": act} if isinstance(act, int) else act
        played.do(parse_act({"act": do} if isinstance(do, str) else do))
        found = answer(played.hall, "money")
        now, then = found["balances"], found["next_night"]
        assert sum(now.values()) == sum(then.values()) == found["total"] == 0
        assert now.get("purses", 0) == then.get("purses", 0) == -found["cash"]
        assert not any(account.startswith(("game:", "refund:")) for account in then)
        for one in found["owed"]:
            back = one["amount"] - now.get(f"owed:{one['serial']}", 0)  # for a broken game's card
            assert back in {0, *(refund["each"] for refund in found["refunds"])}
        seen |= {account.split(":")[0] for account in now}
    assert seen >= {"purses", "game", "owed", "house", "charity", "jackpot", "carried", "vouchers"}


def test_the_money_of_a_broken_game():
    """What each card gets back is said once for all of them, the tickets in one sum; a card says
    what it is owed."""
    hall = tambola(ANNA, Open(), 5, Break(why="the light went out"))
    found = answer(hall, "money")
    assert found["refunds"] == [{"game": 1, "each": 10, "cards": 3}]
    assert [(one["serial"], one["amount"]) for one in found["owed"]] == [("tickets-1", 20)]
    assert answer(hall, "card", serial="0002")["owed"] == 10
    for act in (Approve(serial="0002", who="Carl"), Pay(serial="0002", who="Ben")):
        hall = apply(hall, act)
    assert answer(hall, "money")["refunds"] == [{"game": 1, "each": 10, "cards": 2}]


def test_sums_go_with_their_currency():
    """How sums are written is the hall's to say, and goes with the accounts."""
    euros = {"sign": "€", "decimals": 2}
    assert (
        answer_question(night(), {"about": "money"}, ADMIN, {"currency": euros})["currency"]
        == euros
    )
    assert answer(night(), "money")["currency"] == {"sign": "", "decimals": 0}


def test_what_the_desk_answers():
    """The census and the self-test are the desk's to tell; where there is no desk, that is no
    question."""
    told = {"census": {"active": True}, "self-test": {"active": False}}
    for about, found in told.items():
        assert answer_question(night(), {"about": about}, ADMIN, told) == found
        with pytest.raises(Unreadable, match="no question"):
            answer(night(), about)
