"""Sold, returned, counted: the register of cards beside a plain dictionary; every refusal with its
reason, nothing changed."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from station.base.errors import NotAllowed
from station.cards.pack import make_pack
from station.night.acts import (
    Act,
    ClaimCard,
    CloseGame,
    CountCash,
    DrawKnob,
    Open,
    Pay,
    PlayOn,
    Return,
    Sell,
    act_to_json,
)
from station.night.hall import Hall, HallReason, apply, followed
from station.night.register import NOTHING_DIVIDED, UNNAMED, Seller
from station.programme.programme import GamePlan, Programme
from tests.examples import examples

PACK = make_pack(2, Random(3))
S = PACK.serials
PRICES = (7, 5, 0, 11)
PROGRAMME = Programme(
    name="Sales",
    games=tuple(GamePlan(name=f"Game {n}", price=price) for n, price in enumerate(PRICES, 1)),
)


def night(*acts: Act) -> Hall:
    hall = Hall(PACK, PROGRAMME)
    for act in acts:
        hall = apply(hall, act)
    return hall


def sell(first: int, last: int, **more: Any) -> Sell:
    """A sale of the cards at these places, both among them."""
    return Sell(ranges=((S[first], S[last]),), **more)


def give_back(first: int, last: int, **more: Any) -> Return:
    return Return(ranges=((S[first], S[last]),), **more)


def test_a_card_may_be_named_or_lie_in_a_range():
    """Serials and ranges come to the same cards, at the same price; neighbours are one lot however
    they were named."""
    named = night(Sell(serials=(S[2], S[0], S[1]), to="Anna", by="Ben", games=2))
    ranged = night(sell(0, 2, to="Anna", by="Ben", games=2))
    mixed = night(
        Sell(serials=(S[1],), ranges=((S[2], S[2]), (S[0], S[0])), to="Anna", by="Ben", games=2)
    )
    assert named.sales.coming == ranged.sales.coming == mixed.sales.coming
    assert len(ranged.sales.coming) == 1
    assert named.ledger == ranged.ledger == mixed.ledger
    assert named.ledger.balances == {"purses": -36, "game:1": 21, "game:2": 15}
    assert ranged.register.ranges(1) == [(S[0], S[2], ranged.sales.coming[0])]


def test_a_count_stands_in_the_record():
    """Whose takings, what was expected and what was missed; a count that agrees stands there too,
    and moves no money."""
    sold = night(sell(0, 4, by="Ben"), sell(5, 6, by="Eva"))
    missed = apply(sold, CountCash(by="Eva", amount=13))
    assert followed(sold, missed)["counted"] == {"seller": "Eva", "expected": 14, "difference": -1}
    agreed = apply(missed, CountCash(by="Ben", amount=35))
    assert followed(missed, agreed)["counted"] == {"seller": "Ben", "expected": 35, "difference": 0}
    assert "ledger" not in followed(missed, agreed)


def test_what_a_sale_came_to_stands_in_the_record():
    """By range, by number or with vouchers, and what came back: how many cards, for how much; of
    single cards the act tells."""
    hall = night()
    for act, told in (
        (sell(0, 4, games=2), {"cards": 5, "tickets": 0, "units": 60, "vouchers": 0}),
        (Sell(tickets=3), {"cards": 0, "tickets": 3, "units": 21, "vouchers": 0}),
        (give_back(1, 2), {"cards": -2, "tickets": 0, "units": -24, "vouchers": 0}),
        (Sell(serials=(S[7],)), None),
    ):
        before, hall = hall, apply(hall, act)
        assert followed(before, hall).get("sale") == told


def test_whether_a_game_may_open_is_asked_without_its_cards():
    """The same night, and nobody's cards in games to come; after the last game there is nothing to
    lay out."""
    hall = night(sell(0, 4), Sell(tickets=3))
    without = hall.without_cards()
    assert (without.register.sold(1), without.register.tickets(1), without.ledger) == (
        0,
        0,
        hall.ledger,
    )
    assert apply(without, Open()).last_sold is not None
    assert night(*(Open(), CloseGame()) * len(PRICES)).next_layout == NOTHING_DIVIDED


def test_a_return_gives_back_what_the_games_to_come_cost():
    """Sold for three games, returned after the first has opened: the price of the other two; the
    open game keeps its cards."""
    hall = night(sell(0, 4, games=3, by="Ben"), Open(), give_back(1, 2, by="Ben"))
    assert hall.ledger.balances == {"purses": -50, "game:1": 35, "game:2": 15}
    assert [hall.register.sold(game) for game in (1, 2, 3, 4)] == [5, 3, 3, 0]
    assert hall.last_sold is not None
    assert S[1] in hall.last_sold.setup.cards
    assert hall.sellers == {"Ben": Seller(sold=60, returned=10)}
    again = apply(hall, sell(1, 1, to="Anna"))
    assert again.sale(S[1], 2) is not None


def test_tickets_come_back_in_the_order_that_was_promised():
    """Those that were sold last come back first, each for the games that are still to come."""
    hall = night(
        Sell(tickets=10, by="Ben", games=2),
        Sell(tickets=5, by="Ben"),
        Sell(tickets=9),
        Return(tickets=7, by="Ben"),
    )
    # Five at 7, and two at 7 + 5.
    assert hall.ledger.balances == {
        "purses": -(24 * 7 + 10 * 5 - 5 * 7 - 2 * 12),
        "game:1": 17 * 7,
        "game:2": 8 * 5,
    }
    assert [hall.register.tickets(game) for game in (1, 2, 3)] == [17, 8, 0]
    assert [hall.register.players(game) for game in (1, 2, 3)] == [17, 8, 0]
    opened = apply(hall, Open())
    assert opened.last_sold is not None
    assert opened.last_sold.setup.tickets == 17
    assert [opened.register.tickets(game) for game in (1, 2)] == [17, 8]


def test_a_count_is_compared_with_all_that_was_not_counted_yet():
    """Expected: sold, less returned, less vouchers, less what was counted; the difference is that
    of all counts together, and no money moves."""
    hall = night(sell(0, 4, by="Ben"), CountCash(by="Ben", amount=30))
    assert hall.sellers["Ben"] == Seller(sold=35, counted=30, difference=-5)
    assert hall.sellers["Ben"].expected == 5
    assert hall.ledger == night(sell(0, 4, by="Ben")).ledger
    later = apply(apply(hall, sell(5, 5, by="Ben")), give_back(0, 1, by="Ben"))
    assert later.sellers["Ben"].expected == 5 + 7 - 14
    assert apply(later, CountCash(by="Ben", amount=0)).sellers["Ben"].difference == -5 + 7


def test_takings_may_be_counted_in_portions():
    """After a short count the rest can be handed in: then nothing is missing, and each line
    has the difference of its own count."""
    sold = night(sell(0, 4, by="Ben"))
    first = apply(sold, CountCash(by="Ben", amount=15))
    assert (first.sellers["Ben"].expected, first.sellers["Ben"].difference) == (20, -20)
    second = apply(first, CountCash(by="Ben", amount=20))
    assert second.sellers["Ben"] == Seller(sold=35, counted=35, difference=0)
    assert second.sellers["Ben"].expected == 0
    assert second.ledger == sold.ledger
    lines = [followed(sold, first)["counted"], followed(first, second)["counted"]]
    assert lines == [
        {"seller": "Ben", "expected": 35, "difference": -20},
        {"seller": "Ben", "expected": 0, "difference": 20},
    ]
    more = apply(apply(second, sell(5, 5, by="Ben")), CountCash(by="Ben", amount=9))
    assert (more.sellers["Ben"].expected, more.sellers["Ben"].difference) == (-2, 2)


def test_what_nobody_by_name_sold_is_counted_too():
    """Sold, given back and counted as a seller's, under no name; the night's mark knows only what
    was counted, as it always did."""
    sold = night(sell(0, 4), sell(5, 5, by="Ben"), give_back(0, 1))
    assert sold.sellers[UNNAMED] == Seller(sold=35, returned=14)
    assert (
        sold.digest()
        == replace(sold, sales=replace(sold.sales, sellers={"Ben": sold.sellers["Ben"]})).digest()
    )
    counted = apply(sold, CountCash(amount=20))
    assert (counted.sellers[UNNAMED].expected, counted.sellers[UNNAMED].difference) == (1, -1)
    assert counted.sellers["Ben"] == sold.sellers["Ben"]
    told = {"seller": None, "expected": 21, "difference": -1}
    assert followed(sold, counted)["counted"] == told
    assert counted.digest() != sold.digest()
    assert act_to_json(CountCash(amount=20)) == {"act": "count-cash", "amount": 20}


def test_vouchers_pay_for_cards():
    """They pay for the nearest game first, come from those that are out, and are no cash of the
    seller's."""
    row = [DrawKnob(number=number) for number in PACK.card(S[0]).rows[0]]
    won = night(
        sell(0, 3),
        Open(),
        *row,
        ClaimCard(serial=S[0]),
        PlayOn(),
        Pay(serial=S[0], means="voucher"),
    )
    assert won.ledger.balances == {"purses": -28, "game:1": 21, "vouchers": 7}
    hall = apply(won, Sell(serials=(S[9],), by="Ben", games=3, vouchers=6))
    assert hall.ledger.balances == {
        "purses": -38,
        "game:1": 21,
        "game:2": 5,
        "game:4": 11,
        "vouchers": 1,
    }
    assert hall.sellers["Ben"] == Seller(sold=16, vouchers=6)
    assert hall.sellers["Ben"].expected == 10
    with pytest.raises(
        NotAllowed, match="7 in vouchers, and the cards cost 5: a voucher gives no change"
    ):
        apply(won, Sell(serials=(S[9],), vouchers=7))


REFUSALS = [
    (
        (),
        Sell(serials=(S[0], "9999", S[1])),
        HallReason.NOT_IN_PACK,
        "card 9999 is not in the pack: nothing was sold",
    ),
    (
        (),
        Sell(ranges=((S[0], "9999"),)),
        HallReason.NOT_IN_PACK,
        "card 9999 is not in the pack: nothing was sold",
    ),
    ((), sell(3, 1), HallReason.BACKWARDS, f"write {S[1]}-{S[3]}"),
    (
        (),
        Sell(serials=(S[2],), ranges=((S[1], S[3]),)),
        HallReason.SOLD_ALREADY,
        f"card {S[2]} stands there twice",
    ),
    (
        (),
        Sell(ranges=((S[1], S[3]), (S[3], S[5]))),
        HallReason.SOLD_ALREADY,
        f"card {S[3]} stands there twice",
    ),
    (
        (Sell(serials=(S[3],), to="Anna"),),
        sell(0, 9),
        HallReason.SOLD_ALREADY,
        f"card {S[3]} is sold already to Anna: nothing was sold",
    ),
    (
        (sell(0, 3), give_back(1, 1)),
        sell(1, 2),
        HallReason.SOLD_ALREADY,
        f"card {S[2]} is sold already: ",
    ),
    ((), sell(0, 1, games=5), HallReason.NO_MORE_GAMES, "has only 4 more"),
    (
        (Open(), CloseGame(), Open()),
        sell(0, 1, games=3),
        HallReason.NO_MORE_GAMES,
        "has only 2 more",
    ),
    ((), Sell(tickets=5, games=5), HallReason.NO_MORE_GAMES, "has only 4 more"),
    (
        (),
        sell(0, 1, vouchers=1),
        HallReason.VOUCHERS,
        "1 in vouchers, and vouchers for 0 are out; nothing was sold",
    ),
    (
        (),
        sell(0, 1, vouchers=15),
        HallReason.VOUCHERS,
        "the cards cost 14: a voucher gives no change",
    ),
    (
        (),
        give_back(0, 1),
        HallReason.NOT_SOLD,
        f"card {S[0]} is not sold for a game to come: nothing was given back",
    ),
    ((sell(0, 3), sell(5, 9)), give_back(0, 9), HallReason.NOT_SOLD, f"card {S[4]} is not sold"),
    ((sell(0, 3),), give_back(2, 4), HallReason.NOT_SOLD, f"card {S[4]} is not sold"),
    (
        (sell(0, 3), Open()),
        give_back(0, 0),
        HallReason.NOT_SOLD,
        "a game that is open keeps its cards",
    ),
    (
        (sell(0, 3),),
        Return(serials=(S[1], S[1])),
        HallReason.NOT_SOLD,
        f"card {S[1]} stands there twice: nothing was given back",
    ),
    ((sell(0, 3),), Return(serials=("9999",)), HallReason.NOT_IN_PACK, "nothing was given back"),
    ((sell(0, 3),), give_back(2, 1), HallReason.BACKWARDS, "nothing was given back"),
    (
        (sell(0, 3, by="Ben"),),
        give_back(0, 0),
        HallReason.OTHER_SELLER,
        "was sold by Ben: return it in that seller's name",
    ),
    (
        (sell(0, 3),),
        give_back(0, 0, by="Ben"),
        HallReason.OTHER_SELLER,
        "was sold without a seller's name",
    ),
    (
        (sell(0, 1, by="Ben"), sell(2, 3, by="Eva")),
        give_back(0, 3, by="Ben"),
        HallReason.OTHER_SELLER,
        f"card {S[2]} was sold by Eva",
    ),
    (
        (Sell(tickets=5, by="Ben"),),
        Return(tickets=6, by="Ben"),
        HallReason.NOT_SOLD,
        "tickets sold by Ben for games to come: 5, not 6",
    ),
    (
        (Sell(tickets=5, by="Ben"),),
        Return(tickets=1),
        HallReason.NOT_SOLD,
        "tickets sold by no name for games to come: 0, not 1",
    ),
    (
        (Sell(tickets=5), Open()),
        Return(tickets=1),
        HallReason.NOT_SOLD,
        "for games to come: 0, not 1",
    ),
    (
        (),
        CountCash(by="Ben", amount=5),
        HallReason.NO_SELLER,
        "Ben has sold nothing tonight; sellers are: none so far",
    ),
    (
        (sell(0, 3),),
        CountCash(by="Ben", amount=5),
        HallReason.NO_SELLER,
        "Ben has sold nothing tonight; sellers are: no name",
    ),
    (
        (sell(0, 3, by="Ben"),),
        CountCash(amount=5),
        HallReason.NO_SELLER,
        "nothing was sold tonight without a seller's name; sellers are: Ben",
    ),
    (
        (sell(0, 3, by="Ben"),),
        CountCash(by="ben", amount=5),
        HallReason.NO_SELLER,
        "sellers are: Ben",
    ),
]


@pytest.mark.parametrize(("before", "act", "reason", "says"), REFUSALS)
def test_refusals(before, act, reason, says):
    """Each has its reason, names the card, says what to do, and leaves the night as it was: all of
    a sale, or nothing."""
    hall = night(*before)
    seen = (hall.digest(), hall.sales, hall.ledger)
    with pytest.raises(NotAllowed) as caught:
        apply(hall, act)
    assert caught.value.reason is reason
    assert says in str(caught.value)
    assert (hall.digest(), hall.sales, hall.ledger) == seen


@pytest.mark.parametrize(
    "one",
    [
        Sell(serials=(S[0],)),
        sell(0, 0),
        Sell(tickets=1),
        Sell(tickets=2),
        Sell(tickets=2, by="Ben"),
        sell(0, 0, to="Anna"),
        sell(0, 0, by="Ben"),
        sell(0, 1),
        sell(0, 0, games=2),
    ],
)
def test_the_digest_of_the_register_is_of_all_that_was_sold(one):
    """No two different sales lead to the same digest, nor does a return undo one."""
    others = [Sell(serials=(S[1],)), sell(1, 1), Sell(tickets=3), sell(0, 2)]
    digests = [night(act).sales.digest for act in (one, *others)]
    assert len({*digests, night().sales.digest}) == len(digests) + 1
    back = Return(serials=one.serials, ranges=one.ranges, tickets=one.tickets, by=one.by)
    assert night(one, back).sales.digest not in (*digests, night().sales.digest)


def test_the_digest_tells_for_which_games():
    """The same sale for the next game, or after that has opened, is another one."""
    early, late = night(sell(0, 0), Open()), night(Open(), sell(0, 0))
    assert early.sales.digest != late.sales.digest


class Selling(RuleBasedStateMachine):
    """Sales and returns beside a dictionary: which card is in which game, for whom, by whom."""

    def __init__(self) -> None:
        super().__init__()
        self.hall = night()
        self.sold: dict[tuple[str, int], tuple[str | None, str | None]] = {}
        self.tickets = dict.fromkeys(range(1, 5), 0)
        self.takings: dict[str | None, int] = {}

    @property
    def opened(self) -> int:
        return self.hall.opened

    def try_it(self, act: Act) -> bool:
        try:
            self.hall = apply(self.hall, act)
        except NotAllowed:
            return False
        return True

    @rule(
        start=st.integers(0, len(S) - 1),
        length=st.integers(1, 5),
        named=st.booleans(),
        to=st.sampled_from([None, "Anna", "Eva"]),
        by=st.sampled_from([None, "Ben"]),
        games=st.integers(1, 4),
    )
    def sell(
        self, start: int, length: int, named: bool, to: str | None, by: str | None, games: int
    ) -> None:
        serials = S[start : start + length]
        span = range(self.opened + 1, self.opened + games + 1)
        free = all((serial, game) not in self.sold for serial in serials for game in span)
        act = Sell(
            serials=serials if named else (),
            ranges=() if named else ((serials[0], serials[-1]),),
            to=to,
            by=by,
            games=games,
        )
        assert self.try_it(act) == (free and self.opened + games <= len(PRICES))
        if free and self.opened + games <= len(PRICES):
            self.sold |= {(serial, game): (to, by) for serial in serials for game in span}
            self.takings[by] = self.takings.get(by, 0) + len(serials) * sum(
                PRICES[game - 1] for game in span
            )

    @rule(
        start=st.integers(0, len(S) - 1),
        length=st.integers(1, 4),
        by=st.sampled_from([None, "Ben"]),
    )
    def give_back(self, start: int, length: int, by: str | None) -> None:
        serials = S[start : start + length]
        mine = all(
            self.sold.get((serial, self.opened + 1), ("", ""))[1] == by for serial in serials
        )
        assert self.try_it(Return(ranges=((serials[0], serials[-1]),), by=by)) == mine
        if mine:
            gone = [key for key in self.sold if key[0] in serials and key[1] > self.opened]
            self.takings[by] -= sum(PRICES[game - 1] for _, game in gone)
            for key in gone:
                del self.sold[key]

    @precondition(lambda self: self.opened < len(PRICES))
    @rule()
    def play(self) -> None:
        assert self.try_it(Open())
        assert self.try_it(CloseGame())

    @invariant()
    def every_card_is_where_the_dictionary_has_it(self) -> None:
        register = self.hall.register
        for game in range(max(self.opened, 1), len(PRICES) + 1):
            wanted = {
                serial: self.sold[serial, game] for serial in S if (serial, game) in self.sold
            }
            cards, holders = register.cards(game)
            assert {serial: holders.get(serial) for serial in cards} == {
                serial: who for serial, (who, _) in wanted.items()
            }
            assert list(holders) == [serial for serial, (who, _) in wanted.items() if who]
            assert len(holders) == len(list(holders))
            for serial in S:
                lot = register.sale(serial, game)
                assert (None if lot is None else (lot.holder, lot.seller)) == wanted.get(serial)
            assert register.sold(game) == len(wanted)
            assert register.players(game) == len(
                {who or serial for serial, (who, _) in wanted.items()}
            )

    @invariant()
    def the_money_is_the_price_of_it(self) -> None:
        assert -self.hall.ledger.of("purses") == sum(self.takings.values())
        ben = self.hall.sellers.get("Ben", Seller())
        assert ben.expected == ben.sold - ben.returned == self.takings.get("Ben", 0)


TestSelling = Selling.TestCase
TestSelling.settings = examples(40, stateful_step_count=25)
