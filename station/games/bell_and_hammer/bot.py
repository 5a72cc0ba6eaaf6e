"""Decide what a simulated player of Bell and Hammer wants. Pure.

He knows what a card and a throw are worth, and bids less, the nearer the price comes to it the less
gladly; now and then he is tempted to go a little over it, or to offer his throw.
"""

from __future__ import annotations

from station.games.bell_and_hammer.seen import awaited
from station.games.bell_and_hammer.state import Auction, GamePhase, State
from station.games.bell_and_hammer.worth import expected, throw_worth
from station.rules.play import Choose, Wish

GLADLY = 0.5  # of the worth, up to which he always bids
ENOUGH = 0.95  # of the worth, from which he never bids a card
GAMBLES = 0.15  # bids one more for a throw than it is worth
OFFERS = 0.12  # of his turns in which he offers the throw
JUMPS = 3  # the part of what is left to the worth by which he tops a bid


def bot(state: State, seat: int, choose: Choose, _: frozenset[int]) -> Wish | None:
    """Return what the player of a seat wants now."""
    sale = state.auction
    if seat not in awaited(state):
        return None
    if sale is not None and sale.turn:
        return _bids(state, sale, seat, choose)
    if sale is not None:
        sells = sale.bid > throw_worth(state.pool)
        return Wish({"do": "sell-throw" if sells else "keep-throw", "seat": seat})
    offers = seat == state.turn and not state.offered and choose.chance(OFFERS)
    return Wish({"do": "offer-throw", "seat": seat}) if offers else None


def _bids(state: State, sale: Auction, seat: int, choose: Choose) -> Wish:
    throw = state.phase is GamePhase.THROWS
    lot = state.lot
    if throw or lot is None:
        most = throw_worth(state.pool) + choose.chance(GAMBLES)
        wants = sale.bid + 1 <= most
    else:
        most = min(ENOUGH * expected(state)[lot], state.setup.highest)
        share = sale.bid / most if most >= 1 else 1.0
        wants = sale.bid + 1 <= most and choose.chance(min(1, (1 - share) / (1 - GLADLY)))
    if not wants:
        return Wish({"do": "pass-bid", "seat": seat})
    step = max(1, int((most - sale.bid) / JUMPS))
    counters = sale.bid + choose.one(range(1, step + 1))
    return Wish({"do": "bid", "seat": seat, "counters": counters})
