"""Say what happens in Tontine: each card, what it moves, deaths, revivals, the winner. Pure."""

from __future__ import annotations

from station.games.tontine.actions import Action, TakeBack
from station.games.tontine.state import BOX, State, TurnedUp
from station.rules.play import Played, Saying
from station.rules.seen import Amount, CardName, SeatName


def opens(state: State) -> Saying:
    """Return what is said when the game begins."""
    return ("tontine-begins", *_deals(state))


def say(done: Played[State, Action]) -> Saying:
    """Return what is said after an action; of cards dealt at once the first."""
    state = done.after
    if isinstance(done.action, TakeBack):
        return ("tontine-taken-back",)
    if steps := recital(done):
        return steps[0]
    return (*_card(state, len(state.turned) - 1), *(comes(state) if state.dealt else ()))


def recital(done: Played[State, Action]) -> tuple[Saying, ...]:
    """Return what is said of each card that the station dealt."""
    state, last = done.after, len(done.after.turned)
    return tuple(_card(state, place) for place in range(last - state.at_once, last))


def comes(state: State) -> Saying:
    """Return what is said after a deal: who died in it, and who deals now, or who has won; or that
    all is redeemed, where the game was broken off."""
    if state.over and state.winner is None:
        return ("redeemed",)
    dead: Saying = ("tontine-dies", *map(SeatName, state.died)) if state.died else ()
    if state.winner is not None:
        return (*dead, "tontine-won", SeatName(state.winner))
    return (*dead, *_deals(state))


def _deals(state: State) -> Saying:
    return ("tontine-deals", SeatName(state.coming.dealer))


def _card(state: State, place: int) -> Saying:
    """Return what is said of a card: to whom, which, what it moves, and who lives by it again."""
    one = state.turned[place]
    had = state.turned[place - 1].hands if place else state.lay
    revives = one.units and one.taker and not had[one.taker - 1] and one.taker not in state.order
    again = ("tontine-lives",) if revives else ()
    last = ("tontine-last",) if one.empties else ()
    return (SeatName(one.seat), CardName(one.face), *_moved(one), *again, *last)


def _moved(one: TurnedUp) -> Saying:
    if not one.due:
        return ("tontine-nothing",)
    if not one.units:
        return ("tontine-box-empty" if one.giver == BOX else "tontine-none",)
    if one.giver == BOX:
        return ("tontine-from-box", Amount(one.units))
    if one.taker == BOX:
        return ("tontine-into-box", Amount(one.units))
    return ("tontine-gift", SeatName(one.taker), Amount(one.units))
