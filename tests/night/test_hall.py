"""The night in a hall: sales, games, claims, prizes, corrections; every unit of money accounted
for, against a plain model."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from station.base.errors import IllegalAction, NotAllowed
from station.base.nouns import PURSES, Card
from station.cards.pack import Pack, make_pack
from station.games.loto_first import game as loto_first
from station.games.loto_first.game import Stakes
from station.night.acts import (
    Act,
    ClaimCard,
    CloseGame,
    CloseNight,
    DrawKnob,
    Note,
    Open,
    Pay,
    PlayOn,
    Sell,
    StopGame,
    Undo,
    act_to_json,
    parse_act,
)
from station.night.hall import Hall, HallReason, apply, followed
from station.night.hall_state import Approval, Refund
from station.night.register import NOTHING_DIVIDED, Sales, Seller
from station.programme.programme import GamePlan, Programme
from station.rules.prizes import Win
from tests.examples import examples
from tests.oracles import Paper

# Three cards that share their top row and can tie on it, and a strip.
TOP = "5 11 33 50 76"
TWINS = (
    Card.parse(f"8: {TOP} / 17 22 43 65 89 / 2 28 35 56 74"),
    Card.parse(f"9: {TOP} / 1 12 23 34 45 / 6 16 26 36 46"),
    Card.parse(f"10: {TOP} / 3 13 24 37 47 / 7 18 27 38 48"),
)
PACK = Pack([*TWINS, *make_pack(1, Random(1)).cards()])
ROWS = {card.serial: [list(row) for row in card.rows] for card in PACK.cards()}
PROGRAMME = Programme(
    name="A night",
    games=(
        GamePlan(name="First", stakes=Stakes.QUARTERS, price=7),
        GamePlan(name="Second", stakes=Stakes.WHOLE, price=5),
        GamePlan(name="Third", stakes=Stakes.QUARTERS, price=0),
    ),
)
PARTS = {Stakes.QUARTERS: [1, 1, 2], Stakes.WHOLE: [1]}
A, B, C, D = PACK.serials[:4]


def night(*acts: Act, **settings: Any) -> Hall:
    """A night after these acts."""
    hall = Hall(PACK, PROGRAMME, **settings)
    for act in acts:
        hall = apply(hall, act)
    return hall


def calls(*numbers: int) -> list[DrawKnob]:
    return [DrawKnob(number=number) for number in numbers]


def row(serial: str, place: int = 0) -> list[DrawKnob]:
    return calls(*ROWS[serial][place])


def money(hall: Hall) -> dict[str, int]:
    return dict(hall.ledger.balances)


def in_game(hall: Hall, game: int) -> dict[str, str | None]:
    """The cards in a game, and whose they are."""
    cards, holders = hall.register.cards(game)
    return {serial: holders.get(serial) for serial in cards}


HAM = Win("row", A, 0, 5, "a ham")
SOLD = Sell(serials=(A, B, C, D))  # 28 units: quarters of 7
WON = (SOLD, Open(), *row(A), ClaimCard(serial=A), PlayOn())


def test_an_evening_in_figures():
    """Sold, won, paid, closed: where every unit lies after each step."""
    steps: list[tuple[list[Act], dict[str, int]]] = [
        ([SOLD], {PURSES: -28, "game:1": 28}),
        ([Open()], {PURSES: -28, "game:1": 28}),
        ([*row(A), ClaimCard(serial=A), PlayOn()], {PURSES: -28, "game:1": 21, f"owed:{A}": 7}),
        ([Pay(serial=A)], {PURSES: -21, "game:1": 21}),
        ([CloseGame()], {PURSES: -21, "carried": 21}),
        ([Sell(serials=(B,), games=2)], {PURSES: -26, "carried": 21, "game:2": 5}),
        ([Open()], {PURSES: -26, "game:2": 26}),
        (
            [*row(B), *row(B, 1), *row(B, 2), ClaimCard(serial=B), PlayOn(), CloseGame()],
            {PURSES: -26, f"owed:{B}": 26},
        ),
        # What is owed from an earlier game is still paid in a later one.
        ([Open()], {PURSES: -26, f"owed:{B}": 26}),
        ([Pay(serial=B)], {}),
        ([CloseGame(), CloseNight()], {}),
    ]
    hall = night()
    for acts, balances in steps:
        for act in acts:
            hall = apply(hall, act)
        assert money(hall) == balances
    assert hall.closed


@pytest.mark.parametrize(
    ("before", "act", "reason", "says"),
    [
        (
            (CloseNight(),),
            Open(),
            HallReason.NIGHT_CLOSED,
            "press the draw button, and the next night begins",
        ),
        (
            (CloseNight(),),
            Note(about="reader", what="lost"),
            HallReason.NIGHT_CLOSED,
            "night 1 is closed",
        ),
        (
            (),
            Sell(serials=("9999",)),
            HallReason.NOT_IN_PACK,
            "card 9999 is not in the pack: nothing was sold",
        ),
        (
            (SOLD,),
            Sell(serials=(A,)),
            HallReason.SOLD_ALREADY,
            f"card {A} is sold already: nothing",
        ),
        (
            (Sell(serials=(A,), to="Anna"),),
            Sell(serials=(B, A)),
            HallReason.SOLD_ALREADY,
            "sold already to Anna",
        ),
        ((), Sell(serials=(A, A)), HallReason.SOLD_ALREADY, "take another card"),
        (
            (Sell(serials=(A,), games=2), Open(), CloseGame()),
            Sell(serials=(A,)),
            HallReason.SOLD_ALREADY,
            "sold already",
        ),
        ((), Sell(serials=(A,), games=4), HallReason.NO_MORE_GAMES, "only 3 more"),
        (
            (Open(), CloseGame(), Open(), CloseGame()),
            Sell(serials=(A,), games=2),
            HallReason.NO_MORE_GAMES,
            "only 1 more",
        ),
        ((Open(),), Open(), HallReason.GAME_OPEN, "close it first"),
        ((Open(),), CloseNight(), HallReason.GAME_OPEN, "close it, then close the night"),
        ((Open(), CloseGame()) * 3, Open(), HallReason.NO_MORE_GAMES, "all 3 games"),
        *(
            ((), act, HallReason.NO_GAME, "open the next one")
            for act in (
                DrawKnob(number=1),
                StopGame(),
                ClaimCard(serial=A),
                PlayOn(),
                Undo(),
                CloseGame(),
            )
        ),
        ((Open(), CloseGame()), DrawKnob(number=1), HallReason.NO_GAME, "open the next one"),
        (
            (Open(), DrawKnob(number=1), CloseGame()),
            Undo(),
            HallReason.NO_GAME,
            "open the next one",
        ),
        ((Open(),), Undo(), loto_first.PrizeReason.NOTHING_CALLED, "nothing to take back"),
        ((Open(), StopGame()), DrawKnob(number=1), loto_first.PrizeReason.CLAIM_OPEN, "settle it"),
        ((), Pay(serial=A), HallReason.NOTHING_OWED, f"card {A} is owed nothing"),
        (WON, Pay(serial=B), HallReason.NOTHING_OWED, f"card {B} is owed nothing"),
        (
            (*WON, Pay(serial=A)),
            Pay(serial=A),
            HallReason.NOTHING_OWED,
            f"card {A} is owed nothing",
        ),
        (
            (*WON, Pay(serial=A)),
            Undo(),
            HallReason.PAID,
            f"card {A} was paid for the last call, {ROWS[A][0][-1]}",
        ),
    ],
)
def test_refusals(before, act, reason, says):
    """Each refusal has its reason, says what to do, and leaves the night as it was."""
    hall = night(*before)
    digest = hall.digest()
    with pytest.raises(NotAllowed) as caught:
        apply(hall, act)
    assert caught.value.reason is reason
    assert says in str(caught.value)
    assert hall.digest() == digest


def test_cards_are_in_the_games_they_were_sold_for():
    """A card sold for two games plays in both; while a game is open, sales are for the next; sold
    again later is another sale."""
    hall = night(Sell(serials=(A,), to="Anna", games=2), Open(), Sell(serials=(B, C), to="Bruno"))
    assert in_game(hall, 1) == {A: "Anna"}
    assert in_game(hall, 2) == {A: "Anna", B: "Bruno", C: "Bruno"}
    hall = apply(apply(hall, CloseGame()), Open())
    assert hall.last_sold is not None
    assert list(hall.last_sold.setup.cards) == [A, B, C]
    again = apply(hall, Sell(serials=(A,)))
    assert in_game(again, 3) == {A: None}
    assert in_game(again, 2) == in_game(hall, 2) == {A: "Anna", B: "Bruno", C: "Bruno"}
    sale = again.sale(A, 3)
    assert sale is not None
    assert (sale.first, sale.last, sale.holder) == (3, 3, None)
    assert again.sale(D, 3) is None
    assert again.sale("9999", 3) is None


def test_what_is_on_the_table():
    """Before the first game nothing; then the open game and its plan; between games the last one,
    which is not being played."""
    hall = night(SOLD)
    assert (hall.last_sold, hall.sold, hall.plan, hall.coming) == (None, None, None, 1)
    opened = apply(hall, Open())
    assert (opened.open_game, opened.plan, opened.coming) == (opened.playing, PROGRAMME.games[0], 2)
    closed = apply(opened, CloseGame())
    assert (closed.open_game, closed.plan, closed.coming) == (None, PROGRAMME.games[0], 2)
    assert closed.playing is not None


def test_winners_on_one_number_share():
    """Three on one number: Anna with two cards and a player without a name get 3 each of 7, the odd
    1 goes to the next share."""
    sold = (Sell(serials=(A, C), to="Anna"), Sell(serials=(B, D)))
    hall = night(
        *sold,
        Open(),
        *row(A),
        ClaimCard(serial=C),
        ClaimCard(serial=B),
        ClaimCard(serial=A),
        PlayOn(),
    )
    assert money(hall) == {PURSES: -28, "game:1": 22, f"owed:{A}": 3, f"owed:{B}": 3}
    assert hall.last_sold is not None
    assert hall.last_sold.share_of(hall.last_sold.stage) == 8


def test_the_register_is_frozen_when_a_game_opens():
    """Sales during a game change the register, not the game: its cards, pool and register are those
    of its opening."""
    hall = night(SOLD, Open())
    after = apply(hall, Sell(serials=(A,)))
    assert after.sales.digest != hall.sales.digest
    assert after.last_sold == hall.last_sold
    assert hall.last_sold is not None
    assert hall.last_sold.setup.register == hall.sales.digest[:16]
    assert night(Sell(serials=(A, B))).sales.digest != night(Sell(serials=(B, A))).sales.digest
    assert (
        night(Sell(serials=(A,), to="Anna")).sales.digest != night(Sell(serials=(A,))).sales.digest
    )


def test_an_unclaimed_pool_is_carried_into_the_next_game():
    """Nobody claimed: the whole pool is played for again; what an earlier night carried joins the
    first."""
    hall = night(SOLD, Open(), *row(A), CloseGame(), Open())
    assert hall.last_sold is not None
    assert (hall.last_sold.setup.pool, money(hall)) == (28, {PURSES: -28, "game:2": 28})
    carried = night(SOLD, Open(), ledger=night().ledger.move(PURSES, "carried", 5))
    assert carried.last_sold is not None
    assert carried.last_sold.setup.pool == 33


def test_the_pot_of_the_next_game():
    """What was sold for it already, and what nobody won before."""
    assert night().pot == 0
    assert night(SOLD).pot == 28
    assert night(SOLD, Open(), CloseGame(), Sell(serials=(A,))).pot == 28 + 5


def test_taking_back_a_winning_call_takes_the_shares_back():
    """Until it is paid, a share goes back to the stakes with the call it was won on."""
    hall = apply(night(*WON), Undo(why="37, not 73"))
    assert money(hall) == {PURSES: -28, "game:1": 28}
    assert hall.last_sold is not None
    assert hall.last_sold.wins == ()
    later = night(*WON, Pay(serial=A), DrawKnob(number=ROWS[A][1][0]))
    assert money(apply(later, Undo())) == money(later), (
        "a paid share of an earlier call does not hold up a correction"
    )


def test_two_shares_on_one_number_are_paid_each():
    """A row, then two rows, both on one number: paying the first does not pay the second."""
    won = night(
        SOLD,
        Open(),
        *row(A),
        *row(A, 1),
        ClaimCard(serial=A),
        PlayOn(),
        Pay(serial=A),
        ClaimCard(serial=A),
        PlayOn(),
    )
    assert won.last_sold is not None
    assert [win in won.paid for win in won.last_sold.wins] == [True, False]
    assert won.ledger.of(f"owed:{A}") == 7
    paid = apply(won, Pay(serial=A))
    assert paid.ledger.of(f"owed:{A}") == 0
    assert paid.paid == frozenset(won.last_sold.wins)
    with pytest.raises(NotAllowed, match="owed nothing"):
        apply(paid, Pay(serial=A))


def test_a_share_of_nothing_is_handed_over_once():
    """Where the stake was nothing a win is still a win: it is marked as handed over, once."""
    games = (GamePlan(name="For fun", price=0),)
    hall = Hall(PACK, Programme(name="Fun", games=games))
    for act in WON:
        hall = apply(hall, act)
    assert money(hall) == {}
    paid = apply(hall, Pay(serial=A))
    assert len(paid.paid) == 1
    with pytest.raises(NotAllowed, match="owed nothing"):
        apply(paid, Pay(serial=A))


def test_notes_change_nothing():
    """A note is for the journal; the night is the same after it."""
    hall = night(SOLD, Open())
    assert apply(hall, Note(about="reader", what="lost")) is hall


def test_any_number_is_a_setting_of_the_night():
    """With `last_number` off a late claim is valid."""
    acts = (SOLD, Open(), *row(A), DrawKnob(number=ROWS[A][1][0]), ClaimCard(serial=A))
    verdicts = [night(*acts, last_number=on).last_sold.claims[0].verdict for on in (True, False)]
    assert verdicts == ["late", "valid"]


def test_followed_tells_what_an_act_led_to():
    """Stage, calls, verdict, what was won or lost, and the ledger where it changed; always the
    digest."""
    hall = night()
    told = []
    for act in (
        *WON,
        Undo(),
        Note(about="reader", what="lost"),
        CloseGame(),
        Open(),
        CloseGame(),
        CloseNight(),
    ):
        after = apply(hall, act)
        told.append(followed(hall, after))
        assert told[-1].pop("digest") == after.digest()
        hall = after
    assert told[0] == {"ledger": {PURSES: -28, "game:1": 28}}
    assert told[1].pop("opening") == {
        "game": 1,
        "method": "loto-first",
        "stakes": "quarters",
        "price": 7,
        "pool": 28,
        "cards": 4,
        "register": night(SOLD).sales.digest,
        "pack": PACK.digest,
        "last_number": True,
    }
    assert told[1] == {"stage": "row", "calls": 0}
    assert told[12].pop("opening")["pool"] == 28
    assert told[7] == {"stage": "row", "calls": 5, "verdict": "valid"}
    ledger = {PURSES: -28, "game:1": 21, f"owed:{A}": 7}
    assert told[8] == {"stage": "two-rows", "calls": 5, "won": [["row", A, 7]], "ledger": ledger}
    assert told[9] == {
        "stage": "row",
        "calls": 4,
        "lost": [["row", A, 7]],
        "ledger": {PURSES: -28, "game:1": 28},
    }
    assert told[10] == {"stage": "row", "calls": 4}
    assert told[11]["ledger"] == {PURSES: -28, "carried": 28}
    assert told[12] == {"stage": "full", "calls": 0, "ledger": {PURSES: -28, "game:2": 28}}
    assert told[14]["ledger"] == {PURSES: -28, "carried": 28}
    json.dumps(told)


@pytest.mark.parametrize(
    "change",
    [
        {"night": 2},
        {"opened": 2},
        {"closed": True},
        {"sales": Sales(digest="x")},
        {"sales": Sales(sellers={"Ben": Seller(counted=1)})},
        {"sales": Sales(sellers={"Ben": Seller(difference=-1)})},
        {"layout": replace(NOTHING_DIVIDED, house=1)},
        {"kept": (HAM,)},
        {"approvals": (Approval("pay", "Ben", A, 7),)},
        {"refunds": {1: Refund(3, ())}},
        {"refunds": {1: Refund(3, (), "x")}},
        {"bag": "x"},
        {"programme": PROGRAMME.repeated(2)},
        {"pack": make_pack(2, Random(2))},
        {"paid": frozenset({Win("row", A, 7, 5)})},
        {"ledger": night(SOLD).ledger},
        {"playing": None},
    ],
)
def test_the_digest_depends_on(change):
    """Nothing of a night can differ with the digest staying the same; the digest is one line's."""
    hall = night(Open())
    other = replace(hall, **change)
    assert other.digest() != hall.digest()
    assert "\n" not in other.notation()


class Evening(RuleBasedStateMachine):
    """A night beside a plain model: a cash box, a list of sales, and each game on paper."""

    @initialize(last_number=st.booleans())
    def begin(self, last_number: bool) -> None:
        """The night begins."""
        self.hall = Hall(PACK, PROGRAMME, last_number=last_number)
        self.first = self.hall
        self.history: list[tuple[Act, dict[str, Any]]] = []
        self.sold: dict[tuple[str, int], str | None] = {}
        self.pots = {1: 0, 2: 0, 3: 0}
        self.carried = self.paid_in = self.opened = 0
        self.owed: dict[str, int] = {}
        self.paper: Paper | None = None
        self.open = self.closed = False
        self.wins: list[dict[str, Any]] = []
        self.sell([A, B], "Anna", 3)
        self.sell([C], None, 2)

    def do(self, act: Act, expected: bool) -> bool:
        """Does it, and sees that it was accepted exactly where the model accepts it."""
        expected = expected and not self.closed
        try:
            after, said = apply(self.hall, act), "accepted"
        except NotAllowed as error:
            after, said = None, f"refused: {error}"
        assert (after is not None) == expected, f"{act} was {said}"
        if after is None:
            return False
        self.history.append((act, followed(self.hall, after)))
        self.hall = after
        return True

    def on_paper(self, act: Act, action: loto_first.Action) -> bool:
        accepted = self.do(act, self.open and self.paper is not None and self.paper.may(action))
        if accepted:
            assert self.paper is not None
            self.paper.do(action)
        return accepted

    @rule(
        serials=st.lists(st.sampled_from([*PACK.serials, "9999"]), min_size=1, max_size=4),
        to=st.sampled_from([None, "Anna", "Bruno"]),
        games=st.integers(1, 3),
    )
    def sell(self, serials: list[str], to: str | None, games: int) -> None:
        wanted = [
            (serial, game)
            for serial in serials
            for game in range(self.opened + 1, self.opened + games + 1)
        ]
        free = len(set(wanted)) == len(wanted) and not self.sold.keys() & set(wanted)
        fits = self.opened + games <= 3 and "9999" not in serials
        if self.do(Sell(serials=tuple(serials), to=to, games=games), free and fits):
            for serial, game in wanted:
                self.sold[serial, game] = to
                self.pots[game] += PROGRAMME.games[game - 1].price
                self.paid_in += PROGRAMME.games[game - 1].price

    @rule()
    def open_game(self) -> None:
        if self.do(Open(), not self.open and self.opened < 3):
            self.opened += 1
            self.open = True
            self.pots[self.opened] += self.carried
            self.carried = 0
            self.wins = []
            playing = {
                serial: who for (serial, game), who in self.sold.items() if game == self.opened
            }
            self.paper = Paper(
                {serial: ROWS[serial] for serial in playing},
                {serial: who for serial, who in playing.items() if who},
                self.pots[self.opened],
                PARTS[PROGRAMME.games[self.opened - 1].stakes],
                self.hall.last_number,
            )

    @rule(number=st.integers(1, 90))
    def draw(self, number: int) -> None:
        self.on_paper(DrawKnob(number=number), loto_first.CallNumber(number))

    @precondition(lambda self: self.open)
    @rule(
        serial=st.sampled_from([A, B, C]),
        rows=st.permutations([0, 1, 2]),
        many=st.integers(1, 3),
        go_on=st.booleans(),
    )
    def luck(self, serial: str, rows: list[int], many: int, go_on: bool) -> None:
        """What a random evening hardly has: a card's rows are called one after another, and whoever
        wins claims."""
        assert self.paper is not None
        for number in [number for place in rows[:many] for number in ROWS[serial][place]]:
            self.on_paper(DrawKnob(number=number), loto_first.CallNumber(number))
        for winner in list(self.paper.cards):
            if self.paper.may(loto_first.Check(winner)) and self.paper.judge(winner) == "valid":
                self.on_paper(ClaimCard(serial=winner), loto_first.Check(winner))
        if go_on:
            self.play_on()

    @precondition(lambda self: self.open)
    @rule()
    def stop(self) -> None:
        self.on_paper(StopGame(), loto_first.Stop())

    @rule(serial=st.sampled_from([*PACK.serials, "9999"]))
    def claim(self, serial: str) -> None:
        self.on_paper(ClaimCard(serial=serial), loto_first.Check(serial))

    @precondition(lambda self: self.open)
    @rule()
    def play_on(self) -> None:
        if self.on_paper(PlayOn(), loto_first.Award()):
            assert self.paper is not None
            for _, serial, amount in self.paper.sheet["won"][len(self.wins) :]:
                self.wins.append(
                    {
                        "serial": serial,
                        "amount": amount,
                        "at": len(self.paper.sheet["calls"]),
                        "paid": False,
                    }
                )
                self.pots[self.opened] -= amount
                self.owed[serial] = self.owed.get(serial, 0) + amount

    @precondition(lambda self: self.open)
    @rule()
    def undo(self) -> None:
        at = len(self.paper.sheet["calls"]) if self.paper is not None else 0
        gone = [win for win in self.wins if win["at"] == at]
        possible = (
            self.open and self.paper is not None and self.paper.may(loto_first.TakeBackCall())
        )
        if self.do(Undo(why="wrong"), possible and not any(win["paid"] for win in gone)):
            assert self.paper is not None
            self.paper.do(loto_first.TakeBackCall())
            self.wins = [win for win in self.wins if win["at"] != at]
            for win in gone:
                self.pots[self.opened] += win["amount"]
                self.owed[win["serial"]] -= win["amount"]

    @rule(serial=st.sampled_from(PACK.serials))
    def pay(self, serial: str) -> None:
        mine = [win for win in self.wins if win["serial"] == serial and not win["paid"]]
        owed = self.owed.get(serial, 0)
        if self.do(Pay(serial=serial), owed > 0 or bool(mine)):
            self.paid_in -= owed
            self.owed[serial] = 0
            for win in mine:
                win["paid"] = True

    @precondition(lambda self: any(not win["paid"] for win in self.wins))
    @rule()
    def pay_winners(self) -> None:
        for serial in sorted({win["serial"] for win in self.wins if not win["paid"]}):
            self.pay(serial)

    @precondition(
        lambda self: self.open and self.paper is not None and len(self.paper.sheet["calls"]) > 5
    )
    @rule()
    def close(self) -> None:
        if self.on_paper(CloseGame(), loto_first.EndGame()):
            self.open = False
            self.carried += self.pots[self.opened]
            self.pots[self.opened] = 0

    @precondition(lambda self: self.opened == 3)
    @rule()
    def close_night(self) -> None:
        if self.do(CloseNight(), not self.open):
            self.closed = True

    @rule()
    def note(self) -> None:
        self.do(Note(about="reader", what="lost"), expected=True)

    @invariant()
    def every_unit_is_where_it_should_be(self) -> None:
        if not hasattr(self, "hall"):
            return
        model = {PURSES: -self.paid_in, "carried": self.carried}
        model |= {f"game:{game}": units for game, units in self.pots.items()}
        model |= {f"owed:{serial}": units for serial, units in self.owed.items()}
        assert money(self.hall) == {account: units for account, units in model.items() if units}
        assert self.hall.ledger.total == 0
        assert all(units > 0 for account, units in money(self.hall).items() if account != PURSES)
        assert sum(win["amount"] for win in self.wins) + (
            self.pots[self.opened] if self.open else 0
        ) == (
            self.hall.last_sold.setup.pool - (0 if self.open else self.hall.last_sold.pool)
            if self.hall.last_sold is not None
            else 0
        )

    @invariant()
    def the_game_is_as_on_paper(self) -> None:
        game = self.hall.last_sold if hasattr(self, "hall") else None
        if game is None or self.paper is None:
            return
        rows = {"row": 1, "two-rows": 2, "full": 3}
        claims = tuple((claim.serial, claim.verdict.value) for claim in game.claims)
        wins = tuple((rows[win.stage], win.serial, win.amount) for win in game.wins)
        assert (game.called, game.stopped, claims, wins, game.closed) == self.paper.looks()
        assert [win in self.hall.paid for win in game.wins] == [win["paid"] for win in self.wins]

    def teardown(self) -> None:
        """The journal's lines alone lead to the same night again."""
        hall = getattr(self, "first", None)
        for act, then in getattr(self, "history", []):
            after = apply(hall, parse_act(json.loads(json.dumps(act_to_json(act)))))
            assert followed(hall, after) == then
            hall = after
        assert hall == getattr(self, "hall", None)


TestEvening = pytest.mark.long(Evening.TestCase)
TestEvening.settings = examples(80, stateful_step_count=60)


def test_a_rules_refusal_is_told_as_such():
    """What the game's rules forbid comes through as `IllegalAction`, which is a `NotAllowed`."""
    with pytest.raises(IllegalAction):
        apply(night(Open()), PlayOn())
