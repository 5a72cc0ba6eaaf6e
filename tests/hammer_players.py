"""Players of Bell and Hammer to measure the station's own against: one at random, one greedy; and
whole games between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from station.games.bell_and_hammer.bot import bot
from station.games.bell_and_hammer.play import GAME
from station.games.bell_and_hammer.rules import MOVES
from station.games.bell_and_hammer.state import (
    Bid,
    KeepThrow,
    KnockDown,
    PassBid,
    SellThrow,
    Setup,
    State,
    ThrowCubes,
)
from station.games.bell_and_hammer.view import awaited
from station.night.table.practice import TableLuck
from station.rules.law import came

# What a player does in a state where he is awaited; None: he lets the cubes fall.
Player = Callable[[State, int, Random], Any]


def the_stations(state: State, seat: int, luck: Random) -> Any:
    """Plays as the station's simulated players do."""
    wish = bot(state, seat, TableLuck(luck), frozenset())
    if wish is None:
        return None
    move = dict(wish.move)
    return MOVES[move.pop("do")](**move)


def at_random(state: State, seat: int, luck: Random) -> Any:
    """Takes any action, each kind as gladly as any other; bids up to half as much again as the best
    bid, or a dozen."""
    action = luck.choice([*GAME.legal_actions(state)])
    if isinstance(action, Bid):
        most = min(state.setup.highest, max(12, action.counters * 3 // 2))
        return Bid(seat, luck.randint(action.counters, max(action.counters, most)))
    return None if isinstance(action, ThrowCubes) else action


def greedy(state: State, seat: int, luck: Random) -> Any:
    """Wants every card and every throw as long as he has the counters in hand, and sells none."""
    sale = state.auction
    if sale is None:
        return None
    if not sale.turn:
        return KeepThrow(seat)
    return Bid(seat, sale.bid + 1) if state.hands[seat - 1] > sale.bid else PassBid(seat)


def generous(state: State, seat: int, luck: Random) -> Any:
    """Bids for nothing, and sells nothing."""
    sale = state.auction
    if sale is None:
        return None
    return PassBid(seat) if sale.turn else SellThrow(seat)


def played(players: Sequence[Player], luck: Random) -> State:
    """A game of these players, from the eldest hand on, to its end."""
    state = GAME.start(Setup((1000,) * len(players)))
    while GAME.outcome(state) is None:
        seats = awaited(state)
        action = players[seats[0] - 1](state, seats[0], luck) if seats else KnockDown()
        if action is None:
            law = GAME.chance(state)
            action = ThrowCubes(tuple(came(law, luck)))
        state = GAME.apply(state, action)
    return state


def share_of_wins(games: int, own: Player, others: Player, players: int, luck: Random) -> float:
    """The part of the games that one player wins among others of another kind, from every seat in
    turn; a game that several win counts in parts."""
    won = 0.0
    for number in range(games):
        mine = number % players
        table = [own if seat == mine else others for seat in range(players)]
        winners = GAME.outcome(played(table, luck)).winners
        won += (str(mine + 1) in winners) / len(winners)
    return won / games
