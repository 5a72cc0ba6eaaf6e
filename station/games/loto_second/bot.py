"""Decide what a simulated player of Loto, Second Method, wants. Pure.

He agrees to an exchange or declines it, throws up a card when he cannot add to a short pool, and
now and then exchanges a card, takes one or throws one up before a drawing. He offers exchanges to
other simulated players only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from station.base.errors import IllegalAction
from station.games.loto_second import cards
from station.games.loto_second.actions import Exchange
from station.games.loto_second.drawing import means
from station.games.loto_second.state import GamePhase, State
from station.rules.play import Choose, Wish

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
                choose, _tried(lambda: cards.take(state, seat), {"do": "take", "seat": seat})
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
        yield from _tried(partial(cards.throw_up, state, seat, serial), move)


def _exchanges(state: State, seat: int, simulated: frozenset[int]) -> Iterator[Mapping[str, Any]]:
    """Yield exchanges for free cards or other simulated players': no person is made to answer."""
    free = [(0, serial) for serial in state.rest]
    others = [(other, one) for other, one in state.held() if other in simulated - {seat}]
    for serial in state.taken[seat - 1]:
        for other, wanted in (*free, *others):
            said = {"seat": seat, "serial": serial, "other": other, "wanted": wanted}
            yield from _tried(
                partial(cards.exchange, state, Exchange(seat, serial, other, wanted)),
                {"do": "exchange", **said},
            )
