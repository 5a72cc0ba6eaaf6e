"""Say what happens in Loto, Second Method: the bag, a drawing's result, a short pool. Pure."""

from __future__ import annotations

from station.base.nouns import KNOBS
from station.games.loto_second import actions
from station.games.loto_second.actions import Action
from station.games.loto_second.seen import CLASSES
from station.games.loto_second.settlement import won_rows
from station.games.loto_second.state import GamePhase, SettledRow, Settlement, State
from station.rules.box import in_pieces
from station.rules.play import Played, Saying
from station.rules.seen import Amount, SeatName

_AT_ONCE = {
    actions.Agree: "exchange-made",
    actions.Decline: "exchange-declined",
    actions.ThrowUp: "card-thrown-up",
    actions.Take: "card-taken",
}


def opens(state: State) -> Saying:
    """Return what is said when the cards are dealt."""
    return _bag_passed(state)


def say(done: Played[State, Action]) -> Saying:
    """Return what is said after each action."""
    state = done.after
    if (at_once := _AT_ONCE.get(type(done.action))) is not None:
        return (at_once,)
    match done.action:
        case actions.Draw():
            return _short(state)
        case actions.Exchange():
            return ("exchange-offered" if state.offer is not None else "exchange-made",)
        case actions.PutAway(number):
            return ("put-away", number)
        case actions.Resolve():
            return _drawings_left(state)
        case actions.Replenish():
            return ("pool-added", *comes(state))
    return _settled(done)


def recital(done: Played[State, Action]) -> tuple[Saying, ...]:
    """Return what is said of each row that won in a drawing that is told row by row just now."""
    state = done.after
    if not state.setup.by_card or not is_settled(done):
        return ()
    return tuple(_row_told(state, row) for row in won_rows(state.settlement))


def comes(state: State) -> Saying:
    """Return what is said after a settlement: the pool is short, the bag passes on, or the end."""
    if state.phase is GamePhase.OVER:
        return ("bankruptcy", "redeemed") if state.unpaid else ("redeemed",)
    if state.phase is GamePhase.SHORT:
        return _short(state)
    if state.phase is not GamePhase.BETWEEN:
        return ()
    changes = ("may-exchange",) if state.setup.changes else ()
    return (*changes, *(("last-drawing",) if state.last else ()), *_bag_passed(state))


def again(state: State) -> Saying:
    """Return what is said of the last settlement as a total; empty where there is none."""
    last = state.settlement
    if last is None:
        return ()
    return ("drawing-settled", *_classes(last), *_from_pool(state, last))


def is_settled(done: Played[State, Action]) -> bool:
    """Return whether a drawing was settled by this action."""
    new, had = done.after.settlement, done.before.settlement
    return new is not None and (had is None or had.drawing != new.drawing)


def _settled(done: Played[State, Action]) -> Saying:
    """Return what is said of a settled drawing, or of the end where nobody fills the pool."""
    if not is_settled(done):
        return comes(done.after)
    if rows := recital(done):
        return ("drawing-settled", *rows[0])
    return (*again(done.after), *comes(done.after))


def _bag_passed(state: State) -> Saying:
    return (SeatName(state.drawer), "has-bag", "count-knobs")


def _classes(last: Settlement) -> Saying:
    told = ((name, last.classes[laid]) for laid, name in reversed([*enumerate(CLASSES, 1)]))
    return tuple(said for name, rows in told if rows for said in (f"class-{name}", rows))


def _from_pool(state: State, last: Settlement) -> Saying:
    if not last.won:
        return ("nothing-won",)
    paid = _sum(state, last.paid)
    return ("from-pool", *paid) if paid else ()


def _row_told(state: State, row: SettledRow) -> Saying:
    return (SeatName(row.seat), f"class-{CLASSES[row.laid - 1]}", *_sum(state, row.won))


def _sum(state: State, counters: int) -> Saying:
    """Return a sum as it is said; nothing for money, or more contracts than the voice can count."""
    can_say = counters and in_pieces(counters).contracts <= KNOBS
    return (Amount(counters),) if can_say and not state.setup.in_money else ()


def _short(state: State) -> Saying:
    if state.phase is not GamePhase.SHORT:
        return ()
    return ("pool-short", "each-adds", state.setup.terms.in_pool)


def _drawings_left(state: State) -> Saying:
    if state.last or state.left is None:
        return ("last-drawing",)
    return ("drawings-more", state.left) if state.left <= KNOBS else ()
