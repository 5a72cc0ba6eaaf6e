"""Make a drawing of Loto, Second Method: draw knobs, lay counters, pay rows, replenish a short
pool, and end the game by redeeming all counters."""

from __future__ import annotations

from dataclasses import replace

from station.base.errors import IllegalAction
from station.base.said import listed, said
from station.games.loto_second.actions import Reason
from station.games.loto_second.state import Drawn, Due, GamePhase, State
from station.rules.seating import added, by_card, moved


def draw(state: State, number: int) -> State:
    """Return the state with a knob on the board, and counters on its number."""
    terms = state.setup.terms
    if not 1 <= number <= terms.knobs:
        why = "there is no ball {number}: the bag holds 1 to {knobs}; draw another"
        raise IllegalAction(Reason.NO_KNOB, why, number=number, knobs=terms.knobs)
    if state.phase is GamePhase.SHORT:
        why = "the pool is short: add to it, or finish the game, before another ball is drawn"
        raise IllegalAction(Reason.SHORT, why)
    if number in state.away:
        why = (
            "{number} is put away, for no card taken bears it: lay the ball aside and draw another"
        )
        raise IllegalAction(Reason.AWAY, why, number=number)
    if number in state.numbers:
        place = state.numbers.index(number) + 1
        why = (
            "{number} was drawn already, and lies in cavity {place}: see which of the two is"
            " misread"
        )
        raise IllegalAction(Reason.DRAWN, why, number=number, place=place)
    if len(state.drawn) == terms.cavities:
        why = "all {cavities} balls of this drawing are drawn: put {number} back, and settle"
        raise IllegalAction(Reason.FULL_BOARD, why, cavities=terms.cavities, number=number)
    lent = _lent_to_begin(state)
    if state.last and not state.table + lent:
        why = "no counter is left on the table: put {number} back, and settle the last drawing"
        raise IllegalAction(Reason.FULL_BOARD, why, number=number)
    begun = replace(
        state,
        table=state.table + lent,
        pool=state.pool - lent,
        drawn=(*state.drawn, Drawn(number, 0, lent)),
    )
    return laid(replace(begun, uncovered=state.bearing(number)))


def _lent_to_begin(state: State) -> int:
    """Return how many counters an empty table takes from the pool when the last drawing begins."""
    begins = state.last and state.phase is GamePhase.BETWEEN and not state.table
    return min(state.setup.terms.again * state.in_play, state.pool) if begins else 0


def laid(state: State) -> State:
    """Return the state with counters laid on the last knob's number, as far as the table goes;
    except in the last drawing, a short table takes more from the pool."""
    wanted = len(state.uncovered)
    lent = 0 if state.last else min(max(0, wanted - state.table), state.pool)
    now = min(wanted, state.table + lent)
    *before, newest = state.drawn
    newest = replace(newest, laid=newest.laid + now, lent=newest.lent + lent)
    wanting = state.uncovered[now:]
    return replace(
        state,
        drawn=(*before, newest),
        uncovered=wanting,
        table=state.table + lent - now,
        pool=state.pool - lent,
        phase=GamePhase.SHORT if wanting and not state.last else GamePhase.DRAWING,
    )


def take_back(state: State) -> State:
    """Return the state as if the last knob had not been drawn."""
    if not state.drawn:
        why = "no ball of this drawing is on the board: what was settled stays settled"
        raise IllegalAction(Reason.NOTHING_DRAWN, why)
    *before, newest = state.drawn
    # A card thrown up meanwhile took its counter along, so that fewer may lie there than were lent.
    lent = min(newest.lent, state.table + newest.laid)
    after = replace(
        state,
        drawn=tuple(before),
        uncovered=(),
        table=state.table + newest.laid - lent,
        pool=state.pool + lent,
        phase=GamePhase.DRAWING if before else GamePhase.BETWEEN,
    )
    return after if before else with_a_drawer(after)


def step(state: State) -> str:
    """Return what comes next: "answer" an offer, "add" to a short pool, "settle", or "draw"."""
    if state.offer is not None:
        return "answer"
    if state.phase is GamePhase.SHORT:
        return "add"
    try:
        settle(state)
    except IllegalAction:
        return "draw"
    return "settle"


def settle(state: State) -> State:
    """Return the state after the drawing: counters are kept, rows paid, the bag is passed."""
    terms = state.setup.terms
    if state.phase is GamePhase.SHORT:
        why = "the pool is short: add to it, or finish the game, before the drawing is settled"
        raise IllegalAction(Reason.SHORT, why)
    over = state.last and not state.table + _lent_to_begin(state)
    if not over and len(state.drawn) < terms.cavities:
        why = "{drawn} of {cavities} balls drawn: draw on, then settle"
        raise IllegalAction(Reason.NOT_FULL, why, drawn=len(state.drawn), cavities=terms.cavities)
    return go_on(_kept(state))


def _kept(state: State) -> State:
    """Return the state with counters in hands, what rows won as due, and knobs in the bag."""
    hands = state.hands
    rows = state.rows()
    for row in rows:
        hands = moved(hands, row.seat, row.laid)
    dues = tuple(Due(row.seat, row.serial, row.row, row.won) for row in rows if row.won)
    return replace(state, hands=hands, drawn=(), came=state.numbers, uncovered=(), dues=dues)


def go_on(state: State) -> State:
    """Return the state after covering or paying goes on as far as it can; the bag is passed."""
    if state.uncovered:
        return laid(state)
    if state.drawn:
        return replace(state, phase=GamePhase.DRAWING)
    state = _paid(state)
    if state.dues and not state.last:
        return replace(state, phase=GamePhase.SHORT)
    state = replace(state, drawings=state.drawings + 1)
    if state.last:
        return redeemed(state)
    return replace(
        state,
        phase=GamePhase.BETWEEN,
        left=None if state.left is None else state.left - 1,
        drawer=next_seat(state),
    )


def _paid(state: State) -> State:
    pool, purses, hands, dues = state.pool, state.purses, state.hands, list(state.dues)
    while dues and pool:
        due = dues.pop(0)
        now = min(due.counters, pool)
        pool -= now
        if state.setup.in_money:
            purses = moved(purses, due.seat, now)
        else:
            hands = moved(hands, due.seat, now)
        if now < due.counters:
            dues.insert(0, replace(due, counters=due.counters - now))
    return replace(state, pool=pool, purses=purses, hands=hands, dues=tuple(dues))


def next_seat(state: State) -> int:
    """Return the seat that has the bag next: the first on the drawer's left that has a card."""
    seats = state.seats
    order = ((state.drawer + step) % seats + 1 for step in range(seats))
    return next((seat for seat in order if state.taken[seat - 1]), state.drawer)


def with_a_drawer(state: State) -> State:
    """Return the state with the bag passed on, if the drawer has thrown up all his cards."""
    return state if state.taken[state.drawer - 1] else replace(state, drawer=next_seat(state))


def contributed(state: State, seat: int, counters: int) -> State:
    """Return the state after a player laid down counters, those he has won first. The caller puts
    them where they go, and checks that he has as many."""
    from_hand = min(state.hands[seat - 1], counters)
    return replace(
        state,
        hands=moved(state.hands, seat, -from_hand),
        purses=moved(state.purses, seat, from_hand - counters),
    )


def means(state: State, seat: int) -> int:
    """Return how many counters a player can lay down."""
    return state.hands[seat - 1] + state.purses[seat - 1]


def replenish(state: State) -> State:
    """Return the state after all added to the pool, by their cards; covering or paying goes on."""
    exhausted = state.phase is GamePhase.BETWEEN and not state.pool and not state.last
    if state.phase is not GamePhase.SHORT and not exhausted:
        why = (
            said("nothing is added for the last drawing")
            if state.last
            else said("it holds {count} counters", count=state.pool)
        )
        raise IllegalAction(Reason.NOT_SHORT, "the pool is not replenished now: {why}", why=why)
    each = state.setup.terms.in_pool
    owed = {seat: each * len(cards) for seat, cards in enumerate(state.taken, 1)}
    if poor := [seat for seat, counters in owed.items() if means(state, seat) < counters]:
        raise IllegalAction(
            Reason.NOT_PAID,
            "seat {seats} cannot add {each} counters for every card: cards are thrown up first",
            seats=listed(poor),
            each=each,
        )
    after = replace(state, pool=state.pool + sum(owed.values()))
    for seat, counters in owed.items():
        after = contributed(after, seat, counters)
    return go_on(after) if state.phase is GamePhase.SHORT else after


def finish(state: State) -> State:
    """Return the state after the end as nobody adds: laid counters are kept, debts stay unpaid."""
    if state.phase is not GamePhase.SHORT:
        why = "the pool is not short: agree on a number of drawings more, and play them"
        raise IllegalAction(Reason.NOT_SHORT, why)
    kept = _kept(state) if state.drawn else state
    return redeemed(replace(kept, drawings=state.drawings + 1))


def resolve(state: State, drawings: int) -> State:
    """Return the state with only this many drawings more."""
    if state.phase is not GamePhase.BETWEEN:
        why = "a drawing is on: agree on the number of the last ones when it is settled"
        raise IllegalAction(Reason.DRAWING, why)
    if state.left is not None:
        why = "it was resolved already: {left} more with the next one; play them"
        raise IllegalAction(Reason.RESOLVED, why, left=state.left)
    if drawings < 1:
        why = "{drawings} drawings more: the last one is still to be played, so say 1 at least"
        raise IllegalAction(Reason.NO_DRAWINGS, why, drawings=drawings)
    return replace(state, left=drawings)


def broken(state: State) -> State:
    """Return the state after the game was broken off: the knobs of a drawing that is on go back as
    if they had not been drawn, then all is redeemed."""
    while state.drawn:
        state = take_back(state)
    return broken_up(replace(state, offer=None))


def broken_up(state: State) -> State:
    """Return the state after an end between drawings, or after a settled drawing whose rows are
    still owed, which counts as finished."""
    return redeemed(replace(state, drawings=state.drawings + bool(state.dues)))


def redeemed(state: State) -> State:
    """Return the state after the end: what is due stays unpaid, counters are redeemed, and what is
    left goes back by card, odd ones from the eldest hand on."""
    return replace(
        state,
        phase=GamePhase.OVER,
        purses=added(state.purses, state.hands, by_card(state.table + state.pool, state.taken)),
        hands=(0,) * state.seats,
        table=0,
        pool=0,
        dues=(),
        unpaid=state.dues,
    )
