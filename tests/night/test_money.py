"""Whole nights of any programme: whatever is done, every unit is somewhere, and nobody gets what is
not there."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from station.base.errors import NotAllowed
from station.games.loto_first.claims import judge
from station.night.acts import (
    Act,
    Approve,
    Bank,
    Break,
    ClaimCard,
    ClaimTicket,
    CloseGame,
    CloseNight,
    CountCash,
    DrawKnob,
    DrawLots,
    Open,
    Pay,
    PlayOn,
    Recover,
    Redeem,
    Return,
    Sell,
    Undo,
    act_to_json,
    parse_act,
)
from station.night.hall import Hall, apply, followed
from station.night.opening import carried_from
from station.programme.programme import Programme
from station.rules.prizes import ClaimVerdict
from tests.examples import examples
from tests.night.test_hall import PACK
from tests.programmes import PROGRAMMES
from tests.support import between

SERIALS = PACK.serials
PEOPLE = st.sampled_from(["Ben", "BEN", "Eva", "Zoe"])
SELLERS = st.sampled_from([None, "Ben", "Eva"])
SUMS = st.sampled_from([1, 5, 40, 10**6])
SOMEBODY = st.sampled_from([*SERIALS[:6], "ticket-1-1", "tickets-1"])
RANGES = st.builds(
    lambda start, length: ((SERIALS[start], SERIALS[min(start + length, len(SERIALS) - 1)]),),
    st.integers(0, len(SERIALS) - 1),
    st.integers(0, 3),
)
ACTS = st.one_of(
    st.builds(
        Sell,
        ranges=RANGES,
        to=SELLERS,
        by=SELLERS,
        games=st.integers(1, 3),
        tickets=st.integers(0, 3),
        vouchers=st.sampled_from([0, 10**6]),
    ),
    st.builds(Return, ranges=RANGES, tickets=st.integers(0, 2), by=SELLERS),
    st.builds(CountCash, by=st.none() | PEOPLE, amount=SUMS),
    st.builds(Approve, about=st.sampled_from(["pay", "undo"]), serial=SOMEBODY, who=PEOPLE),
    st.builds(
        Pay, serial=SOMEBODY, means=st.sampled_from(["cash", "voucher"]), who=st.none() | PEOPLE
    ),
    st.builds(Redeem, amount=SUMS),
    st.builds(Recover, serial=SOMEBODY, amount=SUMS),
    st.builds(
        Bank,
        account=st.sampled_from(["house", "charity"]),
        amount=st.sampled_from([-20, 0, 1, 5, 100]),
    ),
    st.builds(DrawKnob, number=st.integers(1, 90)),
    st.builds(ClaimCard, serial=SOMEBODY),
    st.sampled_from([PlayOn(), Undo()]),
)


class Nights:
    """Nights beside a cash box, and a list of who is owed what."""

    def __init__(self, programme: Programme) -> None:
        self.cash = 0
        self.owed: Counter[str] = Counter()
        self.due: Counter[str] = Counter()
        self.vouchers = 0
        self.begin_night(Hall(PACK, programme))
        self.do(Sell(serials=(SERIALS[0], SERIALS[3]), to="Anna", games=len(programme.games)))
        self.do(Sell(serials=(*SERIALS[1:3], *SERIALS[4:6]), by="Ben"))

    def begin_night(self, hall: Hall) -> None:
        self.hall = self.first = hall
        self.history: list[tuple[Act, dict[str, Any]]] = []
        self.agreed: dict[tuple[str, int], set[str]] = {}
        self.to_undo: set[str] = set()
        self.fund = 0

    def do(self, act: Act) -> bool:
        """Does it, if it is allowed; anything else that goes wrong is found."""
        before = self.hall
        try:
            after = apply(before, act)
        except NotAllowed:
            return False
        paid_back = isinstance(act, Undo) and before.paid - after.paid
        event(f"{act.act}{' after a payment' if paid_back else ''}")
        then = followed(before, after)
        self.history.append((act, then))
        self.note(act, before, after, then)
        self.hall = after
        self.every_unit_is_somewhere()
        self.prizes_and_what_is_left_are_the_fund()
        self.refunds_are_there()
        return True

    def note(self, act: Act, before: Hall, after: Hall, then: dict[str, Any]) -> None:  # noqa: C901 - a case for each
        """Enters an act into the cash box and the lists."""
        for stage, serial, units, *_ in then.get("lost", ()):
            paid = any((win.stage, win.serial) == (stage, serial) for win in before.paid)
            (self.due if paid else self.owed)[serial] += units if paid else -units
        for _, serial, units, *_ in then.get("won", ()):
            self.owed[serial] += units
        if isinstance(act, DrawKnob | Undo | Open):
            paid_on_last = before.sold is not None and any(
                win in before.paid and win.calls == len(before.sold.called)
                for win in before.sold.wins
            )
            assert not (isinstance(act, Undo) and paid_on_last) or len(self.to_undo) > 1
            self.to_undo = set()
        match act:
            case Sell():
                self.cash += self.price(before, act) - act.vouchers
                self.vouchers -= act.vouchers
            case Return():
                self.cash -= self.returned(before, after)
            case Pay():
                self.note_payment(act, before)
            case Approve(about="undo"):
                self.to_undo.add(act.who.lower())
            case Approve(serial=serial) if serial is not None:
                self.agreed.setdefault((serial, before.owed(serial)), set()).add(act.who.lower())
            case Redeem(amount=amount):
                self.cash -= amount
                self.vouchers -= amount
            case Recover(serial=serial, amount=amount):
                self.cash += amount
                self.due[serial] -= amount
            case Bank(amount=amount):
                self.cash -= amount
            case Break():
                each = then["broken"]["each"]
                self.owed[f"tickets-{before.opened}"] += each * before.register.tickets(
                    before.opened
                )
            case Open():
                assert after.last_sold is not None
                self.fund = after.last_sold.setup.pool + after.last_sold.setup.jackpot

    def price(self, hall: Hall, act: Sell) -> int:
        cards = (
            len(act.serials) + act.tickets + sum(len(between(PACK, *ends)) for ends in act.ranges)
        )
        return cards * sum(
            game.price for game in hall.programme.games[hall.opened : hall.opened + act.games]
        )

    def returned(self, before: Hall, after: Hall) -> int:
        """What came back of each game to come, at its price."""

        def sold(hall: Hall, number: int) -> int:
            return hall.register.sold(number) + hall.register.tickets(number)

        games = [
            (number, game.price)
            for number, game in enumerate(before.programme.games, 1)
            if number > before.opened
        ]
        return sum(price * (sold(before, number) - sold(after, number)) for number, price in games)

    def note_payment(self, act: Pay, before: Hall) -> None:
        units, limit = before.owed(act.serial), before.programme.approve_above
        if limit is not None and units > limit:
            assert act.who is not None
            assert self.agreed.get((act.serial, units), set()) - {act.who.lower()}
        for key in [key for key in self.agreed if key[0] == act.serial]:
            del self.agreed[key]
        self.owed[act.serial] = 0
        if act.means == "cash":
            self.cash -= units
        else:
            self.vouchers += units

    # -- what is done ------------------------------------------------------------------------------

    def any_act(self, act: Act) -> None:
        if isinstance(act, Sell) and act.vouchers:
            act = act.model_copy(
                update={"vouchers": min(self.vouchers, self.price(self.hall, act))}
            )
        self.do(act)

    def luck(self, place: int, many: int, ticket: bool, go_on: bool, knobs: list[int]) -> None:
        """A card's numbers are called one after another; whoever wins claims, and is gathered; lots
        are drawn."""
        if self.hall.sold is None:
            self.do(Open())
        for number in [number for row in PACK.card(SERIALS[place]).rows for number in row][:many]:
            self.do(DrawKnob(number=number))
        game = self.hall.sold
        if game is None or game.stage is None or not game.called:
            return
        for serial in game.setup.cards:
            if judge(game, serial).verdict is ClaimVerdict.VALID:
                self.do(ClaimCard(serial=serial))
        if ticket:
            numbers = game.called[-game.stage.pattern.length :]
            self.do(
                ClaimTicket(numbers=numbers, name="Anna" if go_on else None, stage=game.stage.key)
            )
        if not go_on:
            return
        self.do(PlayOn())
        game = self.hall.sold
        for stage in game.undecided if game is not None else ():
            assert game is not None
            self.do(
                DrawLots(stage=stage, knobs=tuple(zip(game.rivals(stage), knobs, strict=False)))
            )

    def pay_winners(self, first: str, second: str, means: Any) -> None:
        for serial in sorted(+self.owed):
            self.do(Approve(serial=serial, who=first))
            self.do(Pay(serial=serial, means=means, who=second))

    def correct(self, first: str, second: str) -> None:
        """A call that may have been paid for is taken back by two people, who may be one; something
        is brought back."""
        self.do(Approve(about="undo", who=first))
        self.do(Approve(about="undo", who=second))
        self.do(Undo(why="37, not 73"))
        for serial in sorted(+self.due):
            self.do(Recover(serial=serial, amount=5))

    def end(self, broken: bool) -> None:
        """The game ends, once there was something in it; after the last the night, and the next
        begins with what it left."""
        if self.hall.sold is None or len(self.hall.sold.called) < 10:
            return
        self.do(PlayOn())
        self.do(Break(why="no light") if broken else CloseGame())
        if self.hall.opened == len(self.hall.programme.games) and self.do(CloseNight()):
            self.replay()
            ledger = carried_from(self.hall.ledger, self.hall.night)
            self.owed, self.due = (self.of_before(counted) for counted in (self.owed, self.due))
            self.begin_night(Hall(PACK, self.hall.programme, self.hall.night + 1, ledger=ledger))

    def of_before(self, counted: Counter[str]) -> Counter[str]:
        """Tickets of a night that ended are called by its number besides; cards as before."""
        kinds = {"ticket": 3, "tickets": 2}
        words = {name: name.split("-") for name in counted}
        return Counter(
            {
                (
                    "-".join((word[0], str(self.hall.night), *word[1:]))
                    if kinds.get(word[0]) == len(word)
                    else name
                ): counted[name]
                for name, word in words.items()
            }
        )

    # -- what must be true -------------------------------------------------------------------------

    def every_unit_is_somewhere(self) -> None:
        ledger = self.hall.ledger
        assert ledger.sound, ledger
        assert -ledger.of("purses") == self.cash
        assert ledger.of("vouchers") == self.vouchers
        for prefix, wanted in (
            ("owed:", self.owed),
            ("due:", Counter({name: -units for name, units in self.due.items()})),
        ):
            there = {
                name.removeprefix(prefix): units
                for name, units in ledger.balances.items()
                if name.startswith(prefix)
            }
            assert there == {name: units for name, units in wanted.items() if units}

    def prizes_and_what_is_left_are_the_fund(self) -> None:
        game = self.hall.sold
        if game is not None:
            won = sum(win.amount for win in game.wins)
            assert won + self.hall.ledger.of(f"game:{self.hall.opened}") == self.fund
            assert won <= self.fund

    def refunds_are_there(self) -> None:
        for game, refund in self.hall.refunds.items():
            assert self.hall.ledger.of(f"refund:{game}") == refund.each * sum(map(len, refund.lots))

    def replay(self) -> None:
        """The journal's lines alone lead to the same night again."""
        hall = self.first
        for act, then in self.history:
            after = apply(hall, parse_act(json.loads(json.dumps(act_to_json(act)))))
            assert json.loads(json.dumps(followed(hall, after))) == json.loads(json.dumps(then))
            hall = after
        assert hall == self.hall


STEPS = st.one_of(
    st.builds(partial, st.just(Nights.any_act), act=ACTS),
    *2
    * [
        st.builds(
            partial,
            st.just(Nights.luck),
            place=st.integers(0, 5),
            many=st.sampled_from([5, 10, 15, 15]),
            ticket=st.booleans(),
            go_on=st.sampled_from([True, True, False]),
            knobs=st.permutations(range(1, 10)),
        )
    ],
    st.builds(
        partial,
        st.just(Nights.pay_winners),
        first=PEOPLE,
        second=PEOPLE,
        means=st.sampled_from(["cash", "voucher"]),
    ),
    st.builds(partial, st.just(Nights.correct), first=PEOPLE, second=PEOPLE),
    st.builds(partial, st.just(Nights.end), broken=st.sampled_from([False, False, True])),
)


@pytest.mark.long
@examples(60)
@given(PROGRAMMES, st.lists(STEPS, min_size=14, max_size=40))
def test_every_unit_is_somewhere_and_nobody_gets_what_is_not_there(programme, steps):
    """Whole nights of any programme, several in a row: debits equal credits after every act, the
    prizes are the fund, two people stand behind what needs two, and the lines alone lead to the
    same night again."""
    nights = Nights(programme)
    for step in steps:
        step(nights)
    nights.replay()
