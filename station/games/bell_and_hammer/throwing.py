"""Pay for what the cubes show, and redeem the counters at the end. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from station.base.errors import IllegalAction
from station.games.bell_and_hammer.actions import BLANKS, Reason
from station.games.bell_and_hammer.auction import turn_of
from station.games.bell_and_hammer.state import (
    BELL,
    DOZEN,
    HAMMER,
    POOL,
    Fall,
    GamePhase,
    Payment,
    Setup,
    SoldCard,
    State,
)
from station.rules.seating import added, moved


def number_of(shown: Sequence[str]) -> int:
    """Return the sum of the numbers that show.

    >>> number_of(("2", "5", "bell"))
    7
    """
    return sum(int(mark) for mark in shown if mark.isdigit())


def card_of(shown: Sequence[str]) -> SoldCard | None:
    """Return the card that shows: bell, hammer, both together, or none."""
    bell, hammer = BELL in shown, HAMMER in shown
    if bell and hammer:
        return SoldCard.BOTH
    return SoldCard.BELL if bell else SoldCard.HAMMER if hammer else None


def throw(state: State, shown: tuple[str, ...]) -> State:
    """Return the state after a throw: all is paid, and the next player has the cubes; a pool that
    is cleared ends the game.

    Raises:
        IllegalAction: nobody is to throw, or the cubes cannot show this.
    """
    if state.phase is not GamePhase.THROWS or state.auction is not None:
        raise IllegalAction(Reason.NO_THROW, "no throw is due: a sale comes first")
    shown = _in_order(state.setup, shown)
    if shown not in state.setup.throws:
        why = "the cubes cannot show {shown}: say each mark once, or {blanks}"
        shows, none = ", ".join(map(str, shown)) or "nothing", BLANKS[0]
        raise IllegalAction(Reason.WRONG_CUBES, why, shown=shows, blanks=none)
    due = tuple(one for one in payments(state, shown) if one.source != one.target)
    hands, pool = state.hands, state.pool
    for one in due:
        hands = moved(hands, one.target, one.counters)
        if one.source == POOL:
            pool -= one.counters
        else:
            hands = moved(hands, one.source, -one.counters)
    after = replace(
        state,
        hands=hands,
        pool=pool,
        inn=state.inn or number_of(shown) > state.pool,
        throws=state.throws + 1,
        last=Fall(state.thrower, shown, due, state.inn, state.offered),
    )
    return turn_of(after, after.left_of(state.turn)) if pool else redeemed(after, GamePhase.WON)


def _in_order(setup: Setup, shown: tuple[str, ...]) -> tuple[str, ...]:
    """Return marks in the order of their cubes; strange ones and those said twice after them."""
    return tuple(sorted(shown, key=(*setup.cubes, *shown).index))


def payments(state: State, shown: tuple[str, ...]) -> Iterator[Payment]:
    """Yield what a throw costs and brings, also what somebody would pay to himself."""
    horse, inn = state.holder(SoldCard.HORSE), state.holder(SoldCard.INN)
    number, card = number_of(shown), card_of(shown)
    if number:
        gets = state.thrower if card is None else state.holder(card)
        if number <= state.pool:
            yield Payment(POOL, gets, number)
        else:
            yield Payment(gets, inn, number - state.pool)
    elif card is not None:
        yield Payment(state.holder(card), inn if state.inn else horse, 1)
    else:
        for seat in () if state.inn else range(1, state.setup.seats + 1):
            yield Payment(seat, horse, 1)
        yield Payment(horse, inn, 1)


def take_back(state: State) -> State:
    """Return the state before the last throw; all that was paid for it goes back.

    Raises:
        IllegalAction: nothing was thrown, or something has followed the throw.
    """
    fall = state.last
    if fall is None or not state.can_take_back:
        why = "there is no throw to take back: only the last one can be, before anything else"
        raise IllegalAction(Reason.NOTHING_THROWN, why)
    hands, pool = state.hands, state.pool
    for one in fall.payments:
        hands = moved(hands, one.target, -one.counters)
        if one.source == POOL:
            pool += one.counters
        else:
            hands = moved(hands, one.source, one.counters)
    seats = state.setup.seats
    return replace(
        state,
        hands=hands,
        pool=pool,
        turn=(state.turn - 2) % seats + 1,
        thrower=fall.thrower,
        offered=fall.offered,
        inn=fall.inn,
        throws=state.throws - 1,
        last=None,
    )


def broken(state: State) -> State:
    """Return the state after the game was broken off: the pool goes back equally, odd counters one
    each from the eldest hand on, and all is redeemed."""
    each, odd = divmod(state.pool, state.setup.seats)
    back = tuple(each + (seat <= odd) for seat in range(1, state.setup.seats + 1))
    return redeemed(replace(state, hands=added(state.hands, back), pool=0), GamePhase.BROKEN)


def redeemed(state: State, phase: GamePhase) -> State:
    """Return the end of a game: debts are paid, and all counters are redeemed."""
    home = settled(state.setup, state.receipts, state.hands)
    return replace(
        state,
        phase=phase,
        purses=added(state.purses, home),
        hands=(0,) * state.setup.seats,
        receipts=0,
        auction=None,
        turn=0,
        thrower=0,
        offered=False,
        final=state.hands,
    )


def settled(setup: Setup, receipts: int, hands: tuple[int, ...]) -> tuple[int, ...]:
    """Return what each seat's counters bring to his purse; below zero what he pays.

    Each is worth its value; or the receipts are divided in proportion to the counters. Then who
    owes counters first pays their price into the receipts, rounded up, and has no part in them; odd
    units go to the most counters, among equals to the first from the eldest hand on.

    >>> settled(Setup((0, 0, 0), price=5), 30, (50, -3, 25))
    (22, -2, 10)
    """
    if not setup.price:
        return hands
    debts = tuple(-(-setup.price * max(0, -hand) // DOZEN) for hand in hands)
    money, counted = receipts + sum(debts), [max(0, hand) for hand in hands]
    parts = tuple(money * hand // sum(counted) for hand in counted)
    most = counted.index(max(counted)) + 1
    parts = moved(parts, most, money - sum(parts))
    return tuple(part - debt for part, debt in zip(parts, debts, strict=True))
