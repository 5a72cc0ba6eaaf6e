"""Play Loto, Second Method, by a company at a table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.base.tongue import tr
from station.games.loto_second.actions import Action, Draw, Join, TakeBack
from station.games.loto_second.bot import bot, can_add
from station.games.loto_second.drawing import broken, step
from station.games.loto_second.example import EXAMPLE
from station.games.loto_second.game import LotoSecondRules, counter_value
from station.games.loto_second.report import report
from station.games.loto_second.saying import again, comes, is_settled, opens, recital, say
from station.games.loto_second.seen import counting, view
from station.games.loto_second.state import TAKES, GamePhase, Setup, State
from station.rules.abilities import (
    CanBeBrokenOff,
    CanBeWorkedOut,
    DrawsKnobs,
    LeavesUnpaid,
    Recites,
    TakesBack,
    TakesNewcomers,
)
from station.rules.play import (
    COMPANY,
    Actor,
    Agreed,
    Chance,
    Dealing,
    Expected,
    Luck,
    Need,
    Played,
    Setting,
    own_moves,
)
from station.rules.seating import SEATS
from station.rules.seen import Move, Slot, SlotKind, Viewer
from station.rules.terms import BOOK

SETTINGS = (
    Setting("changes", True),
    Setting("confirm", True),
    Setting("in_money", False),
    Setting("settling", "total", values=("cards", "total")),
)


NUMBERS_IN_A_ROW = 5
NOTHING = ((COMPANY, ""),)  # where no card is there the rules say what is missing


def _asked(state: State) -> Iterator[Move]:
    for do in ("settle", "replenish", "finish"):
        yield Move(COMPANY, do)
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

    step = staticmethod(step)
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
        return frozenset({Actor.HOST if step(state) == "settle" else Actor.CHANCE})

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
