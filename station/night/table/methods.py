"""The ways to play at a table: for each the rules, and what stands between them and the programme. Pure.

The rules count in their own units; a method knows what one of them is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from station.base.errors import IllegalAction
from station.base.nouns import Card
from station.night.table.settlement import Settlement, settled
from station.programme.table import TablePlan
from station.rules.game import Game
from station.rules.loto_parlour import game as loto_parlour
from station.rules.loto_second import game as loto_second
from station.rules.loto_second.drawing import broken
from station.rules.loto_second.state import TAKES
from station.rules.seating import SEATS

COUNTED = loto_parlour.Stakes.COUNTERS.value


class TableState(Protocol):
    """What every game at the table tells of its state, whatever else it knows. Sums are in the game's own units."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The knobs on the board, in the order in which they were drawn."""

    @property
    def bag(self) -> frozenset[int]:
        """The knobs in the bag."""

    @property
    def taken(self) -> tuple[tuple[str, ...], ...]:
        """The cards of each seat."""

    @property
    def purses(self) -> tuple[int, ...]:
        """What each seat has outside the game."""

    @property
    def hands(self) -> tuple[int, ...]:
        """What each seat has won."""

    @property
    def table(self) -> int:
        """Counters for covering that lie free."""

    @property
    def pool(self) -> int:
        """What is still to be won."""

    @property
    def drawer(self) -> int:
        """The seat that has the bag; 0 where nobody does but the dealer."""

    def covered(self, serial: str) -> frozenset[int]:
        """The numbers of a card that have a counter."""


@dataclass(frozen=True)
class Method:
    """A way to play at the table: its rules, and what they want to know.

    Attributes:
        moves: what people ask for between the knobs, by name.
        value: what one of the rules' units is worth, in minor units.
        charge: what a seat pays for so many cards, in the rules' units.
        allowed: how many cards a player may take.
        setup: from the plan, the cards in the order of the deal, how many each seat takes, the purses in the rules' units and a
            digest of the deal.
        step: what comes next, but for the counting of the bag.
        broken: the state when the game is broken off.
        join: from a purse in the rules' units, how somebody joins a game that is on; None where nobody can.
        settled: how the last drawing was settled, from the state before, the action, the state after, and what was known of it
            before; None where there are no drawings to settle.
        notes: what the journal says of an action besides, from the states before and after.
        unpaid: what nobody can be paid, at the end, in the rules' units.
    """

    game: Game[Any, Any, Any]
    moves: Mapping[str, type]
    draw: Callable[[int], Any]
    take_back: Callable[[], Any]
    value: Callable[[TablePlan], int]
    charge: Callable[[TablePlan, int], int]
    allowed: frozenset[int]
    setup: Callable[[TablePlan, Mapping[str, Card], Sequence[int], Sequence[int], str], Any]
    step: Callable[[Any], str]
    broken: Callable[[Any], Any]
    join: Callable[[int], Any] | None = None
    settled: Callable[[Any, object, Any, Settlement | None], Settlement | None] = lambda *_: None
    notes: Callable[[Any, Any], Mapping[str, Any]] = lambda *_: {}
    unpaid: Callable[[Any], int] = lambda _: 0


def _second_setup(
    plan: TablePlan, cards: Mapping[str, Card], counts: Sequence[int], purses: Sequence[int], register: str
) -> loto_second.Setup:
    return loto_second.Setup(
        cards,
        tuple(counts),
        tuple(purses),
        changes=plan.changes,
        confirm=plan.confirm,
        in_money=plan.in_money,
        value=loto_second.counter_value(plan.stake),
        register=register,
    )


def _second_step(state: loto_second.State) -> str:
    if state.offer is not None:
        return "answer"
    if state.phase is loto_second.Phase.SHORT:
        return "add"
    try:
        loto_second.GAME.apply(state, loto_second.Settle())
    except IllegalAction:
        return "draw"
    return "settle"


def _parlour_setup(
    plan: TablePlan, cards: Mapping[str, Card], counts: Sequence[int], purses: Sequence[int], register: str
) -> loto_parlour.Setup:
    counted = plan.stakes == COUNTED
    return loto_parlour.Setup(
        cards,
        tuple(counts),
        tuple(purses),
        stakes=loto_parlour.Stakes(plan.stakes),
        answering=loto_parlour.Answering(plan.answering),
        stake=0 if counted else plan.stake // 2,
        each=plan.counters if counted else 0,
        value=_parlour_value(plan),
        register=register,
    )


def _parlour_value(plan: TablePlan) -> int:
    """With counters each player's stake is worth the counters that he puts in; else the rules count in minor units."""
    return plan.stake // plan.counters if plan.stakes == COUNTED else 1


def _parlour_charge(plan: TablePlan, cards: int) -> int:
    if plan.stakes == COUNTED:
        return plan.counters if cards else 0
    return plan.stake // 2 * cards


def _parlour_step(state: loto_parlour.State) -> str:
    if state.phase is loto_parlour.Phase.WON:
        return "close"
    return "draw" if state.bag else "share"


def _parlour_notes(before: loto_parlour.State, after: loto_parlour.State) -> Mapping[str, Any]:
    """What was answered and won, and what was taken back of it."""
    answers = after.answered if after.answered != before.answered else ()
    changed = {
        "answers": [[one.seat, one.micros, one.verdict.value] for one in answers],
        "won": [[win.stage, win.seat, win.amount] for win in after.wins if win not in before.wins],
        "lost": [[win.stage, win.seat, win.amount] for win in before.wins if win not in after.wins],
    }
    return {key: some for key, some in changed.items() if some}


METHODS: Mapping[str, Method] = {
    loto_second.GAME.name: Method(
        game=loto_second.GAME,
        moves=loto_second.MOVES,
        draw=loto_second.Draw,
        take_back=loto_second.TakeBack,
        value=lambda plan: loto_second.counter_value(plan.stake),
        charge=lambda plan, cards: cards * loto_second.BOOK.a_card,
        allowed=frozenset(TAKES),
        setup=_second_setup,
        step=_second_step,
        broken=broken,
        join=loto_second.Join,
        settled=settled,
        unpaid=lambda state: sum(due.counters for due in state.unpaid),
    ),
    loto_parlour.GAME.name: Method(
        game=loto_parlour.GAME,
        moves=loto_parlour.MOVES,
        draw=loto_parlour.Draw,
        take_back=loto_parlour.TakeBack,
        value=_parlour_value,
        charge=_parlour_charge,
        allowed=frozenset(range(SEATS + 1)),
        setup=_parlour_setup,
        step=_parlour_step,
        broken=lambda state: loto_parlour.GAME.apply(state, loto_parlour.Close()),
        notes=_parlour_notes,
    ),
}
