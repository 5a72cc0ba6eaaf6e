"""Handing out and taking back: two people for large sums and for corrections, vouchers, refunds,
things, what is due."""

from __future__ import annotations

from typing import Any

import pytest

from station.base.errors import IllegalAction, NotAllowed
from station.games.loto_first import game as loto_first
from station.night.acts import (
    Act,
    Approve,
    Bank,
    Break,
    ClaimCard,
    ClaimTicket,
    CloseGame,
    CloseNight,
    DrawKnob,
    DrawLots,
    Open,
    Pay,
    PlayOn,
    Recover,
    Redeem,
    Sell,
    Undo,
)
from station.night.hall import Hall, HallReason, apply, followed
from station.night.opening import carried_from
from station.programme.programme import GamePlan, JackpotPlan, Programme, Shares, StagePlan
from tests.night.test_hall import PACK, ROWS

A, B, C, D = PACK.serials[:4]
ROW = [DrawKnob(number=number) for number in ROWS[A][0]]
REST = [DrawKnob(number=number) for row in ROWS[A][1:] for number in row]
SOLD = Sell(serials=(A, B, C, D), games=2)


def stages(*stages: dict[str, Any]) -> tuple[StagePlan, ...]:
    return tuple(StagePlan(**stage) for stage in stages)


ROW_AND_HOUSE = stages({"pattern": "row", "share": 50}, {"pattern": "full"})
PLAIN = Programme(
    name="Plain",
    games=(
        GamePlan(name="One", stages=ROW_AND_HOUSE, price=100),
        GamePlan(name="Two", stages=ROW_AND_HOUSE, price=50),
    ),
)
TWO_PEOPLE = PLAIN.model_copy(update={"approve_above": 150})
AT_LIMIT = PLAIN.model_copy(update={"approve_above": 200})
FIXED = Programme(
    name="Fixed", games=(GamePlan(name="One", stages=stages({"pattern": "row", "prize": 500})),) * 2
)
HAM = stages(
    {"pattern": "row", "thing": "a ham"}, {"pattern": "full", "share": 100, "thing": "a bicycle"}
)
THINGS = Programme(
    name="Things",
    games=(GamePlan(name="One", stages=HAM, price=10), GamePlan(name="Two", stages=HAM)) * 2,
)


def night(*acts: Act, programme: Programme = PLAIN, hall: Hall | None = None) -> Hall:
    hall = hall or Hall(PACK, programme)
    for act in acts:
        hall = apply(hall, act)
    return hall


def money(hall: Hall) -> dict[str, int]:
    return dict(hall.ledger.balances)


def refused(hall: Hall, act: Act) -> NotAllowed:
    """The refusal, which changes nothing."""
    before = hall.notation()
    with pytest.raises(NotAllowed) as caught:
        apply(hall, act)
    assert hall.notation() == before
    return caught.value


WON = (SOLD, Open(), *ROW, ClaimCard(serial=A), PlayOn())  # 200 of 400


def test_a_large_sum_takes_two_people():
    """Above the hall's sum: who pays is named, another has approved just this sum before; then the
    approval is used up."""
    hall = night(*WON, programme=TWO_PEOPLE)
    assert refused(hall, Pay(serial=A)).reason is HallReason.SECOND_PERSON
    assert "200 is above 150" in str(refused(hall, Pay(serial=A, who="Ben")))
    agreed = apply(hall, Approve(serial=A, who="Eva"))
    assert "say who pays" in str(refused(agreed, Pay(serial=A)))
    # Written in wide letters, or with a sign that nobody sees, it is the same name.
    for same in ("Eva", "EVA", "eva", "\uff25va", "E\u200bva"):
        assert f"let another than {same} approve" in str(refused(agreed, Pay(serial=A, who=same)))
    paid = apply(agreed, Pay(serial=A, who="Ben"))
    assert paid.ledger.of(f"owed:{A}") == 0
    assert paid.approvals == ()
    assert agreed.digest() != hall.digest()


def test_no_sum_is_handed_out_that_nobody_saw():
    """What a card won since its sum was looked at is not paid, nor agreed to, with what was seen;
    nothing is changed then."""
    hall = night(*WON, *REST, ClaimCard(serial=A), PlayOn(), programme=TWO_PEOPLE)
    for act in (Approve(serial=A, who="Eva", amount=200), Pay(serial=A, who="Ben", amount=200)):
        error = refused(hall, act)
        assert (error.reason, str(error)) == (
            HallReason.OTHER_SUM,
            f"card {A} is owed 400 now, not 200: look at it again",
        )
    paid = night(
        Approve(serial=A, who="Eva", amount=400), Pay(serial=A, who="Ben", amount=400), hall=hall
    )
    assert paid.owed(A) == 0
    thing = night(SOLD, Open(), *ROW, ClaimCard(serial=A), PlayOn(), programme=THINGS)
    assert refused(thing, Pay(serial=A, amount=10)).reason is HallReason.OTHER_SUM
    assert night(Pay(serial=A, amount=0), hall=thing).unpaid(A) == ()


def test_an_approval_is_for_one_sum():
    """What the card won after somebody agreed needs another approval; a sum at the limit needs
    none."""
    hall = night(
        *WON,
        Approve(serial=A, who="Eva"),
        *REST,
        ClaimCard(serial=A),
        PlayOn(),
        programme=TWO_PEOPLE,
    )
    assert hall.owed(A) == 400
    assert refused(hall, Pay(serial=A, who="Ben")).reason is HallReason.SECOND_PERSON
    again = apply(hall, Approve(serial=A, who="Ben"))
    assert [(approval.who, approval.amount) for approval in again.approvals] == [("Ben", 400)]
    assert apply(again, Pay(serial=A, who="Eva")).owed(A) == 0
    limit = PLAIN.model_copy(update={"approve_above": 200})
    assert night(*WON, Pay(serial=A), programme=limit).owed(A) == 0


@pytest.mark.parametrize(
    ("programme", "before", "act", "reason", "says"),
    [
        (
            TWO_PEOPLE,
            WON,
            Approve(serial=B, who="Eva"),
            HallReason.NOTHING_TO_APPROVE,
            f"card {B} is owed 0, only sums above 150",
        ),
        (TWO_PEOPLE, WON, Approve(who="Eva"), HallReason.NOTHING_TO_APPROVE, "say which card's"),
        (
            TWO_PEOPLE,
            (),
            Approve(serial="9999", who="Eva"),
            HallReason.NOTHING_TO_APPROVE,
            "card 9999 is owed 0",
        ),
        (
            PLAIN,
            WON,
            Approve(serial=A, who="Eva"),
            HallReason.NOTHING_TO_APPROVE,
            "no sum needs it in this programme",
        ),
        (
            AT_LIMIT,
            WON,
            Approve(serial=A, who="Eva"),
            HallReason.NOTHING_TO_APPROVE,
            "is owed 200, only sums above 200 need it",
        ),
        (
            FIXED,
            (SOLD, Open()),
            Bank(account="house", amount=1),
            HallReason.TOO_MUCH,
            "has -500, 1 cannot leave: take 0 at most",
        ),
        (
            TWO_PEOPLE,
            (*WON, Approve(serial=A, who="Eva")),
            Approve(serial=A, who="EVA"),
            HallReason.SECOND_PERSON,
            "another person",
        ),
        (
            PLAIN,
            WON,
            Approve(about="undo", who="Eva"),
            HallReason.NOTHING_TO_APPROVE,
            "nothing was paid for the last call",
        ),
        (
            PLAIN,
            (),
            Approve(about="undo", who="Eva"),
            HallReason.NOTHING_TO_APPROVE,
            "nothing was paid for the last call",
        ),
        (PLAIN, (*WON, Pay(serial=A)), Undo(), HallReason.PAID, "(0 of 2 did)"),
        (
            PLAIN,
            (*WON, Pay(serial=A), Approve(about="undo", who="Eva")),
            Undo(),
            HallReason.PAID,
            "(1 of 2 did)",
        ),
        (
            PLAIN,
            (*WON, Pay(serial=A), Approve(about="undo", who="Eva")),
            Approve(about="undo", who="eva"),
            HallReason.SECOND_PERSON,
            "eva has approved this already",
        ),
        (
            PLAIN,
            (*WON, Pay(serial=A)),
            Pay(serial=A),
            HallReason.NOTHING_OWED,
            f"card {A} is owed nothing",
        ),
        (PLAIN, (), Redeem(amount=1), HallReason.VOUCHERS, "only 0 are out"),
        (
            PLAIN,
            (*WON, Pay(serial=A, means="voucher")),
            Redeem(amount=201),
            HallReason.VOUCHERS,
            "only 200 are out",
        ),
        (
            PLAIN,
            WON,
            Recover(serial=A, amount=1),
            HallReason.NOTHING_DUE,
            f"card {A} has nothing to bring back",
        ),
        (
            PLAIN,
            (),
            Bank(account="charity", amount=1),
            HallReason.TOO_MUCH,
            "charity has 0, 1 cannot leave",
        ),
        (
            PLAIN,
            (),
            Bank(account="house", amount=1),
            HallReason.TOO_MUCH,
            "the house has 0, 1 cannot leave: take 0 at most",
        ),
        (
            PLAIN,
            (),
            Bank(account="charity", amount=-1),
            HallReason.TOO_MUCH,
            "only the house brings money",
        ),
        (PLAIN, (), Bank(account="house", amount=0), HallReason.TOO_MUCH, "say how much leaves"),
        (PLAIN, (SOLD,), Break(why="no light"), HallReason.NO_GAME, "no game is open"),
        (
            PLAIN,
            (SOLD, Open(), CloseGame()),
            Break(why="no light"),
            HallReason.NO_GAME,
            "no game is open",
        ),
        (
            PLAIN,
            (),
            DrawLots(stage="row", knobs=((A, 5), (B, 6))),
            HallReason.NO_GAME,
            "no game is open",
        ),
    ],
)
def test_refusals(programme, before, act, reason, says):
    """Each has its reason, says what to do, and changes nothing."""
    error = refused(night(*before, programme=programme), act)
    assert error.reason is reason
    assert says in str(error)


def test_a_correction_after_a_payment():
    """Two people approve it; then the win is taken back, what was paid is due from the player, and
    is brought back in parts."""
    two = (Approve(about="undo", who="Eva"), Approve(about="undo", who="Ben"))
    hall = night(*WON, Pay(serial=A), *two, Undo(why="37, not 73"))
    assert money(hall) == {"purses": -400, "game:1": 400, "game:2": 200, f"due:{A}": -200}
    assert hall.approvals == ()
    assert hall.paid == frozenset()
    then = followed(night(*WON, Pay(serial=A), *two), hall)
    assert then["lost"] == [["row", A, 200]]
    # The right number comes, somebody else wins, and is paid: nothing moved by itself.
    assert refused(hall, Recover(serial=A, amount=201)).reason is HallReason.TOO_MUCH
    part = apply(hall, Recover(serial=A, amount=150))
    assert part.ledger.of(f"due:{A}") == -50
    back = apply(part, Recover(serial=A, amount=50))
    assert money(back) == {"purses": -600, "game:1": 400, "game:2": 200}
    again = night(ROW[-1], ClaimCard(serial=A), PlayOn(), hall=back)
    assert again.owed(A) == 200


def test_an_approved_correction_is_for_the_last_call_only():
    """Another call, or taking back one, ends the approvals of a correction; those of a payment
    stay."""
    one = night(*WON, Pay(serial=A), Approve(about="undo", who="Eva"))
    assert night(DrawKnob(number=90), hall=one).approvals == ()
    assert "(0 of 2 did)" in str(refused(night(DrawKnob(number=90), Undo(), hall=one), Undo()))
    pending = night(
        *WON, Approve(serial=A, who="Eva"), DrawKnob(number=90), Undo(), programme=TWO_PEOPLE
    )
    assert len(pending.approvals) == 1
    assert night(CloseGame(), Open(), hall=one).approvals == ()
    waiting = night(*WON, Approve(serial=A, who="Eva"), CloseGame(), Open(), programme=TWO_PEOPLE)
    assert len(waiting.approvals) == 1


def test_an_approved_payment_is_no_approved_correction():
    """Two people have agreed to pay one winner: that does not take back the call for which the
    other was paid."""
    both = (
        SOLD,
        Open(),
        *ROW,
        ClaimCard(serial=A),
        ClaimCard(serial=B),
        PlayOn(),
        Approve(serial=B, who="Eva"),
        Pay(serial=B, who="Ben"),
    )
    agreed = (Approve(serial=A, who="Eva"), Approve(serial=A, who="Ben"))
    hall = night(*both, *agreed, programme=PLAIN.model_copy(update={"approve_above": 50}))
    assert len(hall.approvals) == 2
    assert "(0 of 2 did)" in str(refused(hall, Undo()))


def test_only_what_was_paid_is_due():
    """Two winners on one call, one was paid: after the correction only that one has something to
    bring back."""
    both = (SOLD, Open(), *ROW, ClaimCard(serial=A), ClaimCard(serial=B), PlayOn(), Pay(serial=B))
    hall = night(*both, Approve(about="undo", who="Eva"), Approve(about="undo", who="Ben"), Undo())
    assert money(hall) == {"purses": -500, "game:1": 400, "game:2": 200, f"due:{B}": -100}


@pytest.mark.parametrize(
    ("odd", "owed", "moved"),
    [("lowest", 201, {}), ("house", 200, {"house": 1}), ("charity", 200, {"charity": 1})],
)
def test_odd_units_of_the_last_share(odd, owed, moved):
    """The lowest serial has them, or the house or charity when the game is closed."""
    plan = GamePlan(name="One", stages=stages({"pattern": "row", "prize": 401}), price=0)
    programme = Programme(name="Odd", games=(plan, plan), odd=odd)
    hall = night(
        SOLD,
        Open(),
        *ROW,
        ClaimCard(serial=B),
        ClaimCard(serial=A),
        PlayOn(),
        CloseGame(),
        programme=programme,
    )
    assert (hall.owed(A), hall.owed(B)) == (owed, 200)
    house = -401 + moved.get("house", 0)
    assert money(hall) == {f"owed:{A}": owed, f"owed:{B}": 200, **moved, "house": house}


def test_what_was_handed_out_is_of_one_game():
    """When the next game opens, nothing of it was handed out yet."""
    assert night(*WON, Pay(serial=A)).paid
    assert night(*WON, Pay(serial=A), CloseGame(), Open()).paid == frozenset()


def test_vouchers_are_paid_out_used_and_changed():
    """A prize as a voucher stays in the hall until it buys cards or is changed into cash."""
    hall = night(*WON, Pay(serial=A, means="voucher"))
    assert money(hall) == {"purses": -600, "game:1": 200, "game:2": 200, "vouchers": 200}
    hall = night(Sell(serials=PACK.serials[4:6], vouchers=100), Redeem(amount=60), hall=hall)
    assert money(hall) == {"purses": -540, "game:1": 200, "game:2": 300, "vouchers": 40}


def test_a_broken_game_is_given_back_by_card():
    """Half the prizes are won: each card of the game gets half its price, once; what the winner has
    won stays won."""
    hall = night(*WON, Break(why="no light"))
    assert money(hall) == {"purses": -600, f"owed:{A}": 200, "refund:1": 200, "game:2": 200}
    assert hall.sold is None
    assert (hall.owed(A), hall.owed(B), hall.owed(PACK.serials[5])) == (250, 50, 0)
    assert followed(night(*WON), hall)["broken"] == {"each": 50, "cards": 4}
    paid = night(Pay(serial=B), Open(), Pay(serial=A), hall=hall)
    assert money(paid) == {"purses": -300, "refund:1": 100, "game:2": 200}
    assert refused(paid, Pay(serial=B)).reason is HallReason.NOTHING_OWED
    assert paid.digest() != night(Pay(serial=C), Open(), Pay(serial=A), hall=hall).digest()
    large = night(
        *WON, Break(why="no light"), programme=PLAIN.model_copy(update={"approve_above": 240})
    )
    assert refused(large, Pay(serial=A)).reason is HallReason.SECOND_PERSON
    # What nobody fetches by the end of the night joins the next night's first fund.
    assert carried_from(paid.ledger, 1).balances == {"purses": -300, "carried": 300}


def test_two_broken_games_are_given_back_together():
    """A card that was in both gets both parts at once, in cash or as a voucher; one that was in the
    first alone gets that."""
    sold = (Sell(serials=(A, B), games=2), Sell(serials=(C,)))
    hall = night(*sold, Open(), *ROW[:1], Break(why="no light"), Open(), Break(why="no light"))
    assert [hall.owed(serial) for serial in (A, C)] == [150, 100]
    paid = night(Pay(serial=A, means="voucher"), Pay(serial=C), hall=hall)
    assert money(paid) == {"purses": -300, "vouchers": 150, "refund:1": 100, "refund:2": 50}


def test_the_house_gives_back_what_a_jackpot_that_was_won_no_longer_holds():
    """Its share of the stakes was won with it: when the game is broken, the house puts that part
    up."""
    plan = GamePlan(
        name="One",
        price=100,
        stages=stages({"pattern": "full", "share": 50}, {"pattern": "row"}),
        at_once=True,
        shares=Shares(jackpot=25),
        jackpot=JackpotPlan(within=10, least=150),
    )
    hall = night(
        Sell(serials=(A, B, C, D)),
        Open(),
        *ROW,
        ClaimCard(serial=A),
        PlayOn(),
        programme=Programme(name="One", games=(plan,)),
    )
    assert money(hall) == {"purses": -400, "house": -50, "game:1": 150, f"owed:{A}": 300}
    # Half the prizes are won: half the jackpot's share of 100 is missing.
    hall = night(Break(why="no light"), hall=hall)
    assert money(hall) == {"purses": -400, "house": -100, "refund:1": 200, f"owed:{A}": 300}


def test_tickets_of_a_broken_game_are_given_back_in_one_sum():
    """Nobody knows whose they are: their part is paid out together, in the name of the game's
    tickets."""
    hall = night(SOLD, Sell(tickets=6), Open(), *ROW[:2], Break(why="no light"))
    assert money(hall) == {"purses": -1200, "refund:1": 400, "owed:tickets-1": 600, "game:2": 200}
    assert night(Pay(serial="tickets-1"), hall=hall).ledger.of("owed:tickets-1") == 0


def test_a_game_is_not_broken_over_an_open_claim():
    """Whoever stopped the game is heard first."""
    error = refused(night(SOLD, Open(), *ROW, ClaimCard(serial=A)), Break(why="no light"))
    assert isinstance(error, IllegalAction)
    assert error.reason is loto_first.PrizeReason.CLAIM_OPEN


TIED = (SOLD, Open(), *ROW, ClaimCard(serial=A), ClaimCard(serial=B), PlayOn())


def test_a_tied_thing_goes_by_lots():
    """Nothing is handed out to its winners, no other game and no end of the night comes, before
    lots were drawn for it."""
    hall = night(*TIED, programme=THINGS)
    assert refused(hall, Pay(serial=A)).reason is HallReason.LOTS
    closed = night(CloseGame(), hall=hall)
    assert refused(closed, Open()).reason is HallReason.LOTS
    assert refused(closed, CloseNight()).reason is HallReason.LOTS
    drawn = night(DrawLots(stage="row", knobs=((A, 5), (B, 88))), hall=closed)
    assert (
        [win.thing for win in hall.unpaid(B)] == [win.thing for win in drawn.unpaid(B)] == ["a ham"]
    )
    assert [win.thing for win in drawn.unpaid(A)] == [""]
    assert followed(closed, drawn)["won"] == [["row", A, 0]]
    paid = night(Pay(serial=B), Open(), hall=drawn)
    assert paid.kept == ()


def test_only_those_who_draw_lots_wait_for_them():
    """A thing that one has won alone is handed out, whatever others still have to draw for."""
    plan = GamePlan(
        name="One",
        price=100,
        stages=stages(
            {"pattern": "row", "thing": "a ham"},
            {"pattern": "middle-row", "thing": "a pie"},
            {"pattern": "full"},
        ),
        at_once=True,
        last_number=False,
    )
    tied = night(
        SOLD,
        Open(),
        *ROW,
        ClaimCard(serial=A),
        ClaimCard(serial=B),
        PlayOn(),
        programme=Programme(name="One", games=(plan,) * 2),
    )
    middle = [DrawKnob(number=number) for number in ROWS[D][1]]
    hall = night(*middle, ClaimCard(serial=D), PlayOn(), hall=tied)
    assert hall.last_sold is not None
    assert (hall.last_sold.undecided, hall.last_sold.rivals("middle-row")) == (("row",), (D,))
    assert refused(hall, Pay(serial=A)).reason is HallReason.LOTS
    assert night(Pay(serial=D), hall=hall).unpaid(D) == ()


def test_a_thing_is_handed_out_in_a_later_game_too():
    """It is not forgotten when the next game opens; it is handed out once."""
    won = (
        SOLD,
        Open(),
        *ROW,
        ClaimCard(serial=A),
        PlayOn(),
        CloseGame(),
        Open(),
        CloseGame(),
        Open(),
    )
    hall = night(*won, programme=THINGS)
    assert [win.thing for win in hall.unpaid(A)] == ["a ham"]
    paid = night(Pay(serial=A), hall=hall)
    assert (paid.kept, paid.paid) == ((), frozenset())
    assert paid.digest() != hall.digest()
    assert refused(paid, Pay(serial=A)).reason is HallReason.NOTHING_OWED


def test_an_unregistered_ticket_wins_and_is_paid():
    """It claims by its numbers, and is paid in the name that the station gave it."""
    hall = night(SOLD, Sell(tickets=4), Open(), *ROW)
    claimed = night(
        ClaimTicket(numbers=tuple(ROWS[A][0]), name="Zoe"), ClaimCard(serial=B), hall=hall
    )
    then = followed(hall, night(ClaimTicket(numbers=tuple(ROWS[A][0]), name="Zoe"), hall=hall))
    assert (then["verdict"], then["ticket"]) == ("valid", "ticket-1-1")
    paid = night(PlayOn(), Pay(serial="ticket-1-1"), hall=claimed)
    assert money(paid) == {"purses": -800, f"owed:{B}": 200, "game:1": 400, "game:2": 200}


def test_the_jackpot_rolls_until_it_is_won_in_time():
    """Filled by a share of the stakes, made up by the house, played for; back when it was not won
    in time, paid when it was."""
    house = stages({"pattern": "full"})
    plan = GamePlan(
        name="One",
        stages=house,
        price=100,
        jackpot=JackpotPlan(within=15, least=300),
        shares=Shares(jackpot=25),
    )
    programme = Programme(name="Jackpot", games=(plan, plan))
    hall = night(SOLD, Open(), programme=programme)
    assert money(hall) == {"purses": -800, "house": -200, "game:1": 600, "game:2": 400}
    assert hall.last_sold is not None
    assert (
        hall.last_sold.setup.jackpot,
        hall.last_sold.setup.within,
        hall.last_sold.setup.pool,
    ) == (300, 15, 300)
    late = night(
        DrawKnob(number=90), *ROW, *REST, ClaimCard(serial=A), PlayOn(), CloseGame(), hall=hall
    )
    assert money(late) == {
        "purses": -800,
        "house": -200,
        f"owed:{A}": 300,
        "jackpot": 300,
        "game:2": 400,
    }
    before = night(Open(), *ROW, *REST, ClaimCard(serial=A), hall=late)
    after = night(PlayOn(), hall=before)
    assert money(after) == {"purses": -800, "house": -200, f"owed:{A}": 1000}
    assert followed(before, after)["won"] == [["full", A, 300], ["jackpot", A, 400]]
    assert money(night(Undo(), hall=after)) == money(before)


def test_money_is_banked_and_brought():
    """The house and charity take out what is theirs; the house may bring some, and may owe what it
    guarantees."""
    shares = PLAIN.model_copy(update={"shares": Shares(house=20, charity=10)})
    hall = night(SOLD, Open(), programme=shares)
    assert (hall.ledger.of("house"), hall.ledger.of("charity")) == (80, 40)
    hall = night(
        Bank(account="house", amount=80),
        Bank(account="charity", amount=30),
        Bank(account="house", amount=-500),
        hall=hall,
    )
    assert (hall.ledger.of("house"), hall.ledger.of("charity"), hall.ledger.of("purses")) == (
        500,
        10,
        -600 + 110 - 500,
    )


def test_the_opening_tells_all_that_is_frozen():
    """What a later report needs stands in the line that opened the game."""
    own = {"name": "kite", "pictures": [["..#..", ".###.", "..#.."]]}
    plan = GamePlan(
        name="All",
        price=100,
        at_once=True,
        stages=stages(
            {"pattern": own, "name": "The kite", "share": 20},
            {"pattern": "corners", "thing": "a ham"},
            {"pattern": "full"},
        ),
        jackpot=JackpotPlan(within=45, least=50),
        last_number=False,
        tickets=True,
    )
    programme = Programme(
        name="All",
        games=(plan,),
        shares=Shares(house=10, charity=5, jackpot=5),
        odd="house",
        unwon="charity",
    )
    sold = night(Sell(serials=(A, B)), Sell(tickets=3), programme=programme)
    hall = apply(sold, Open())
    told = followed(sold, hall)
    assert told["stage"] == "kite"
    opening = told["opening"]
    assert (opening.pop("register"), opening.pop("pack")) == (hall.sales.digest, PACK.digest)
    assert opening == {
        "game": 1,
        "method": "loto-first",
        "stakes": "stages",
        "price": 100,
        "pool": 400,
        "cards": 2,
        "last_number": False,
        "stages": [
            {"stage": "kite", "pattern": "kite{11c4}", "amount": 80, "name": "The kite"},
            {"stage": "corners", "pattern": "corners", "amount": 0, "thing": "a ham"},
            {"stage": "full", "pattern": "full", "amount": 320},
        ],
        "at_once": True,
        "money": {"paid": 500, "house": 50, "charity": 25, "jackpot": 25, "carried": 0, "added": 0},
        "jackpot": {"amount": 50, "within": 45, "made_up": 25},
        "tickets": 3,
        "elsewhere": True,
        "odd": "house",
        "unwon": "charity",
    }


def test_a_claim_that_is_good_for_several_stages_says_for_which():
    """Where all stages are open at once, the line tells what the card has."""
    plan = GamePlan(
        name="All",
        at_once=True,
        stages=stages({"pattern": "top-row"}, {"pattern": "early-five", "prize": 5}),
    )
    hall = night(SOLD, Open(), *ROW, programme=Programme(name="All", games=(plan, plan)))
    then = followed(hall, night(ClaimCard(serial=A), hall=hall))
    assert (then["verdict"], then["stages"]) == ("valid", ["top-row", "early-five"])
