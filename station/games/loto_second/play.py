"""Play Loto, Second Method, by a company at a table: game, bot, an example, a report. Pure.

A simulated player agrees to an exchange or declines it, throws up a card when he cannot add to a
short pool, and now and then exchanges a card, takes one or throws one up before a drawing. He
offers exchanges to other simulated players only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from station.base.errors import IllegalAction
from station.base.tongue import key, number_of, tr
from station.games.loto_second import drawing
from station.games.loto_second.drawing import broken, means
from station.games.loto_second.rules import LotoSecondRules, counter_value
from station.games.loto_second.state import (
    TAKES,
    Action,
    Draw,
    Exchange,
    GamePhase,
    Join,
    Setup,
    State,
    TakeBack,
)
from station.games.loto_second.view import (
    again,
    comes,
    counting,
    is_settled,
    opens,
    recital,
    say,
    view,
)
from station.rules.abilities import (
    CanBeBrokenOff,
    CanBeWorkedOut,
    DrawsKnobs,
    LeavesUnpaid,
    Recites,
    TakesBack,
    TakesNewcomers,
)
from station.rules.example import Example, draws, read_cards, step
from station.rules.play import (
    COMPANY,
    Actor,
    Agreed,
    Chance,
    Choose,
    Dealing,
    Expected,
    Luck,
    NameOf,
    Need,
    Played,
    Setting,
    Wish,
    own_moves,
)
from station.rules.seating import SEATS
from station.rules.seen import Move, Slot, SlotKind, Viewer
from station.rules.terms import BOOK

NO_ROW = key("nothing on any row")
# Rows by what lies on them, from one counter on: one such row, and any other number of them.
ROWS = (
    (key("1 abstract"), key("{count} abstracts")),
    (key("1 ambo"), key("{count} ambos")),
    (key("1 terne"), key("{count} ternes")),
    (key("1 quaterne"), key("{count} quaternes")),
    (key("1 quinterne"), key("{count} quinternes")),
)
_SHORT = {
    "agree": key("the exchange is agreed to"),
    "decline": key("the exchange is declined"),
    "finish": key("nobody adds to the pool: the game is finished"),
}


def report(move: Mapping[str, Any], then: Mapping[str, Any], name: NameOf) -> str:
    """Return what a move did, and what followed, as a line of a report."""
    match move["do"]:
        case "exchange":
            return _exchange(move, name)
        case "throw-up":
            who, serial = name(move["seat"]), move["serial"]
            return tr("{name} throws up card {serial}", name=who, serial=serial)
        case "take":
            return tr("{name} takes one card more", name=name(move["seat"]))
        case "put-away":
            return tr("knob {number} is put away", number=move["number"])
        case "replenish":
            more = then.get("settled")
            return _replenished() + (f"; {_paid_now(more)}" if more else "")
        case "resolve":
            return tr("{drawings} more agreed on", drawings=number_of(move["drawings"], "drawing"))
        case "settle":
            return tr("the drawing is settled: {rows}", rows=settled_words(then.get("settled", {})))
        case do:
            return tr(_SHORT.get(do, do))


def _exchange(move: Mapping[str, Any], name: NameOf) -> str:
    told = {"name": name(move["seat"]), "serial": move["serial"], "wanted": move["wanted"]}
    if not move["other"]:
        return tr("{name} exchanges card {serial} for {wanted}, which nobody has", **told)
    other = name(move["other"])
    return tr("{name} offers card {serial} for {wanted}, of {other}", other=other, **told)


def _replenished() -> str:
    return tr("everybody adds {count} counters a card to the pool", count=BOOK.in_pool)


def _paid_now(settled: Mapping[str, Any]) -> str:
    return tr("{paid} of {won} won are paid now", paid=settled["paid"], won=settled["won"])


def settled_words(settled: Mapping[str, Any]) -> str:
    """Return the totals of a settled drawing, in words.

    >>> settled_words({"classes": [50, 19, 1, 1, 1, 0], "laid": 28, "won": 130, "paid": 130})
    '19 abstracts, 1 ambo, 1 terne, 1 quaterne; 28 counters laid, 130 won'
    """
    classes = zip(ROWS, settled.get("classes", ())[1:], strict=False)
    rows = ", ".join(tr(words[count != 1], count=count) for words, count in classes if count)
    won, paid = settled.get("won", 0), settled.get("paid", 0)
    laid = number_of(settled.get("laid", 0), "counter")
    told = {"rows": rows or tr(NO_ROW), "counters": laid, "won": won}
    if paid < won:
        return tr("{rows}; {counters} laid, {won} won, {paid} of them paid", paid=paid, **told)
    return tr("{rows}; {counters} laid, {won} won", **told)


# -- an example: two drawings, and a Bankruptcy ----------------------------------------------------

CARDS = read_cards(
    "1 12 23 46 82 / 14 33 59 66 70 / 36 47 67 74 84",
    "8 15 26 30 77 / 9 18 51 60 79 / 27 34 42 58 87",
    "11 48 63 75 86 / 5 19 21 78 88 / 29 38 54 65 90",
    "28 40 52 71 80 / 4 32 49 53 62 / 7 16 64 76 81",
    "10 20 31 43 68 / 2 45 50 72 83 / 3 24 37 57 85",
    "13 22 55 61 89 / 6 17 35 41 56 / 25 39 44 69 73",
)

EXAMPLE = Example(
    names=("Anna", "Bruno"),
    agreed={"stake": 120, "cards": 6},
    rule="loto-second-stake",
    cards=CARDS,
    takes=1,
    steps=(
        draws("12 90 8", "loto-second-bag"),
        draws("23 51 50 2", "loto-second-draw"),
        draws("46 15 14", "loto-second-names"),
        step("settle", "loto-second-classes"),
        step("put-away", "loto-second-away", number=50),
        step("resolve", "loto-second-last", drawings=1),
        draws("27 3 34 33"),
        draws("58 9 82 4"),
        draws("59 42", "loto-second-end"),
        step("settle", "loto-second-bankruptcy"),
    ),
)


# -- what a simulated player does ------------------------------------------------------------------

AGREES = 0.6
WISHING = 0.2  # the part of the drawings before which a simulated player asks for something
RICH = 4  # takes a card when he has money for this many


def bot(state: State, seat: int, choose: Choose, simulated: frozenset[int]) -> Wish | None:
    """Return what the player of a seat wants now."""
    if state.offer is not None:
        agrees = choose.chance(AGREES)
        return Wish({"do": "agree" if agrees else "decline"}) if state.offer.other == seat else None
    if state.phase is GamePhase.SHORT:
        return None if can_add(state, seat) else _one(choose, _thrown_up(state, seat))
    if state.phase is not GamePhase.BETWEEN or not choose.chance(WISHING / len(simulated)):
        return None
    match choose.one(("exchange", "take", "throw-up"), (6, 3, 1)):
        case "exchange":
            return _one(choose, _exchanges(state, seat, simulated))
        case "take" if state.purses[seat - 1] >= RICH * state.setup.terms.a_card:
            return _one(
                choose, _tried(lambda: drawing.take(state, seat), {"do": "take", "seat": seat})
            )
        case "throw-up" if len(state.taken[seat - 1]) > 1:
            return _one(choose, _thrown_up(state, seat))
    return None


def can_add(state: State, seat: int) -> bool:
    """Return whether a player can add to the pool for all of his cards."""
    return means(state, seat) >= state.setup.terms.in_pool * len(state.taken[seat - 1])


def _one(choose: Choose, some: Iterator[Mapping[str, Any]]) -> Wish | None:
    moves = [*some]
    return Wish(choose.one(moves)) if moves else None


def _tried(change: Callable[[], State], move: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    try:
        change()
    except IllegalAction:
        return
    yield move


def _thrown_up(state: State, seat: int) -> Iterator[Mapping[str, Any]]:
    for serial in state.taken[seat - 1]:
        move = {"do": "throw-up", "seat": seat, "serial": serial}
        yield from _tried(partial(drawing.throw_up, state, seat, serial), move)


def _exchanges(state: State, seat: int, simulated: frozenset[int]) -> Iterator[Mapping[str, Any]]:
    """Yield exchanges for free cards or other simulated players': no person is made to answer."""
    free = [(0, serial) for serial in state.rest]
    others = [(other, one) for other, one in state.held() if other in simulated - {seat}]
    for serial in state.taken[seat - 1]:
        for other, wanted in (*free, *others):
            said = {"seat": seat, "serial": serial, "other": other, "wanted": wanted}
            yield from _tried(
                partial(drawing.exchange, state, Exchange(seat, serial, other, wanted)),
                {"do": "exchange", **said},
            )


# -- the game at the table: settings and moves -----------------------------------------------------

SETTINGS = (
    Setting("changes", True),
    Setting("confirm", True),
    Setting("in_money", False),
    Setting("settling", "total", values=("cards", "total")),
)


NUMBERS_IN_A_ROW = 5
NOTHING = ((COMPANY, ""),)  # where no card is there the rules say what is missing


def _asked(state: State) -> Iterator[Move]:
    yield Move(COMPANY, "settle")
    yield Move(COMPANY, "replenish", named={"adds": state.setup.terms.in_pool})
    yield Move(COMPANY, "finish")
    most = state.setup.terms.knobs
    yield Move(COMPANY, "resolve", slots=(Slot(("drawings",), SlotKind.NUMBER, most=most),))
    for number in state.came:
        if number not in state.away:
            yield Move(COMPANY, "put-away", {"number": number})
    asked = state.offer.other if state.offer is not None else COMPANY
    yield Move(asked, "agree")
    yield Move(asked, "decline")
    for seat in range(1, state.seats + 1):
        yield Move(seat, "take", {"seat": seat})
    for seat, serial in state.held():
        cards = Slot(("other", "wanted"), SlotKind.SERIAL, _exchangeable(state, seat) or NOTHING)
        yield Move(seat, "exchange", {"seat": seat, "serial": serial}, (cards,))
        yield Move(seat, "throw-up", {"seat": seat, "serial": serial})


def _exchangeable(state: State, seat: int) -> tuple[tuple[int, str], ...]:
    """Return the cards that a seat's may be exchanged for, with their seats, free ones first."""
    free = tuple((COMPANY, serial) for serial in state.rest)
    return (*free, *((other, serial) for other, serial in state.held() if other != seat))


class LotoSecond(
    LotoSecondRules,
    DrawsKnobs[State, Action],
    TakesBack[Action],
    TakesNewcomers[Action],
    CanBeBrokenOff[State],
    Recites[State, Action],
    LeavesUnpaid[State],
    CanBeWorkedOut[State],
):
    """Loto, Second Method, by a company at a table."""

    example = EXAMPLE
    settings = SETTINGS
    seats = (1, SEATS)
    needs = frozenset({Need.BAG, Need.CARDS})
    card_counts = frozenset(TAKES)

    step = staticmethod(drawing.step)
    broken = staticmethod(broken)
    view = staticmethod(view)
    counting = staticmethod(counting)
    opens = staticmethod(opens)
    say = staticmethod(say)
    comes = staticmethod(comes)
    recital = staticmethod(recital)
    again = staticmethod(again)
    bot = staticmethod(bot)
    report = staticmethod(report)

    def setup(self, agreed: Agreed, dealing: Dealing) -> Setup:
        """Return the setup of a company's game."""
        return Setup(
            dealing.cards,
            dealing.takes,
            dealing.purses,
            changes=agreed.flag("changes"),
            confirm=agreed.flag("confirm"),
            in_money=agreed.flag("in_money"),
            by_card=agreed.word("settling") == "cards",
            value=counter_value(agreed.count("stake")),
            register=dealing.register,
        )

    def parts(self, agreed: Agreed) -> tuple[int, str]:
        """Return what the stake must be a multiple of, and why."""
        return (2 * BOOK.a_card, tr("a counter is worth a sixtieth of a card's part"))

    def value(self, agreed: Agreed) -> int:
        """Return what a unit is worth, in minor units."""
        return counter_value(agreed.count("stake"))

    def charge(self, agreed: Agreed, cards: int) -> int:
        """Return what a seat pays before the game, in units."""
        return cards * BOOK.a_card

    def to_act(self, state: State) -> frozenset[int | Actor]:
        """Return who is awaited."""
        if state.phase is GamePhase.OVER:
            return frozenset()
        if state.offer is not None:
            return frozenset({state.offer.other})
        if state.phase is GamePhase.SHORT:
            poor = (seat for seat in range(1, state.seats + 1) if not can_add(state, seat))
            return frozenset({Actor.HOST, *poor})
        return frozenset({Actor.HOST if drawing.step(state) == "settle" else Actor.CHANCE})

    def actions(self, state: State, viewer: Viewer) -> Iterator[Move]:
        """Yield what a viewer may ask for."""
        return own_moves(_asked(state), viewer)

    def chance(self, state: State) -> Chance | None:
        """Return what chance decides now."""
        drawing = Actor.CHANCE in self.to_act(state)
        return Chance(Luck.KNOB, "draw", "number", numbers=state.bag) if drawing else None

    def draw(self, number: int) -> Draw:
        """Return the draw of a knob."""
        return Draw(number)

    def take_back(self) -> TakeBack:
        """Return the action that takes the last one back."""
        return TakeBack()

    def join(self, purse: int) -> Join:
        """Return the action by which a player joins."""
        return Join(purse)

    def bag(self, state: State) -> frozenset[int]:
        """Return the knobs in the bag."""
        return state.bag

    def board(self, state: State) -> tuple[int, ...]:
        """Return the knobs that have been drawn."""
        return state.numbers

    def taken(self, state: State) -> tuple[tuple[str, ...], ...]:
        """Return the cards of each seat."""
        return state.taken

    def then(self, before: State, after: State) -> Mapping[str, Any]:
        """Return a settled drawing for the journal: its rows by class, and the counters."""
        new = after.settlement
        if new is None or new == before.settlement:
            return {}
        rows = {"classes": list(new.classes), "laid": new.laid, "won": new.won, "paid": new.paid}
        return {"settled": {"drawing": new.drawing, "numbers": list(new.numbers), **rows}}

    def terms(self, agreed: Agreed, stake: str) -> Iterator[str]:
        """Yield what was agreed on, in sentences."""
        yield tr("Stake {stake} for two cards.", stake=stake)
        yield (
            tr("Cards may be exchanged, thrown up and taken before each drawing.")
            if agreed.flag("changes")
            else tr("Cards may be exchanged, thrown up and taken before the first drawing.")
        )
        if agreed.flag("in_money"):
            yield tr("Prizes are paid at once in money.")

    def expected(self, agreed: Agreed) -> Expected:
        """Return what is played for."""
        return Expected(terms=BOOK)

    def prize_winners(self, done: Played[State, Action]) -> tuple[int, ...]:
        """Return whose rows were full in the drawing that was settled just now."""
        new = done.after.settlement
        if new is None or not is_settled(done):
            return ()
        return tuple(sorted({row.seat for row in new.rows if row.laid == NUMBERS_IN_A_ROW}))

    def unpaid(self, state: State) -> int:
        """Return how many counters remain unpaid."""
        return sum(due.counters for due in state.unpaid)


GAME = LotoSecond()
