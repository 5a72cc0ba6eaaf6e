"""Sell cards and throws to the highest bidders. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from station.base.errors import IllegalAction
from station.games.bell_and_hammer.actions import Bid, Reason
from station.games.bell_and_hammer.state import CARDS, Auction, GamePhase, SoldCard, State
from station.rules.seating import moved

ELDEST = 1


def of_cards(state: State) -> State:
    """Return the state with the next card up for sale, or with the first throw to come."""
    if len(state.owners) < len(CARDS):
        return replace(state, auction=Auction(ELDEST))
    return turn_of(replace(state, phase=GamePhase.THROWS), state.holder(SoldCard.HORSE))


def turn_of(state: State, seat: int) -> State:
    """Return the state in which it is this seat's turn to throw."""
    return replace(state, turn=seat, thrower=seat, offered=False, auction=None)


def of_throw(state: State, seat: int) -> State:
    """Return the state in which a seat's throw is for sale; bids go round from its left.

    Raises:
        IllegalAction: it is not this seat's throw, or it was offered before.
    """
    if state.phase is not GamePhase.THROWS or seat != state.turn:
        why = "seat {seat} has no throw to offer: it may on its turn, before the cubes fall"
        raise IllegalAction(Reason.NOT_YOUR_TURN, why, seat=seat)
    if state.offered:
        raise IllegalAction(Reason.OFFERED, "this throw was offered already: once a turn")
    return replace(state, offered=True, auction=Auction(state.left_of(seat), out=(seat,)))


def bid(state: State, action: Bid) -> State:
    """Return the state after a bid.

    Raises:
        IllegalAction: nothing is sold, another is asked, or the bid is too low or too high.
    """
    auction = _asked(state, action.seat)
    if action.counters <= auction.bid:
        why = "{counters} is too low: bid more than {bid}"
        raise IllegalAction(Reason.TOO_LOW, why, counters=action.counters, bid=auction.bid)
    if action.counters > state.setup.highest:
        why = "{counters} is too high: no bid is above {highest}, all counters of the game"
        highest = state.setup.highest
        raise IllegalAction(Reason.TOO_HIGH, why, counters=action.counters, highest=highest)
    after = replace(auction, bid=action.counters, bidder=action.seat)
    return replace(state, auction=_next(state, after))


def passes(state: State, seat: int) -> State:
    """Return the state after a player has bid no more. A throw for which nobody has bid is thrown
    by its seller.

    Raises:
        IllegalAction: nothing is sold, or another is asked.
    """
    auction = _asked(state, seat)
    after = _next(state, replace(auction, out=tuple(sorted((*auction.out, seat)))))
    if state.phase is GamePhase.THROWS and not after.turn and not after.bidder:
        return replace(state, auction=None)
    return replace(state, auction=after)


def _asked(state: State, seat: int) -> Auction:
    """Return the sale in which a seat is asked.

    Raises:
        IllegalAction: nothing is sold, or another is asked.
    """
    auction = state.auction
    if auction is None:
        raise IllegalAction(Reason.NO_SALE, "nothing is being sold: wait for the next sale")
    if not auction.turn or seat != auction.turn:
        why = "seat {seat} is not asked: bids go round, and it is the turn of seat {turn}"
        if not auction.turn:
            why = "seat {seat} is not asked: all others have passed, and it is to be knocked down"
        raise IllegalAction(Reason.NOT_YOUR_TURN, why, seat=seat, turn=auction.turn)
    return auction


def _next(state: State, auction: Auction) -> Auction:
    """Return the sale with the next one who is asked: nobody, once all but the bidder are out."""
    if len(_bidding(state.setup.seats, auction)) <= bool(auction.bidder):
        return replace(auction, turn=0)
    seat = state.left_of(auction.turn)
    while seat in auction.out:
        seat = state.left_of(seat)
    return replace(auction, turn=seat)


def _bidding(seats: int, auction: Auction) -> Sequence[int]:
    return [seat for seat in range(1, seats + 1) if seat not in auction.out]


def knock_down(state: State) -> State:
    """Return the state after the card was knocked down: to the highest bidder, who pays the pool;
    without a bid, for nothing, to the seat after him who got the card before.

    Raises:
        IllegalAction: no card is sold, or somebody may still bid.
    """
    auction = state.auction
    if state.phase is not GamePhase.CARDS or auction is None:
        raise IllegalAction(Reason.NO_SALE, "no card is being sold: all five have their holders")
    if auction.turn:
        why = "seat {turn} may still bid: let it bid or pass first"
        raise IllegalAction(Reason.STILL_BIDDING, why, turn=auction.turn)
    sold = replace(state, pool=state.pool + auction.bid)
    if auction.bidder:
        sold = replace(sold, hands=moved(state.hands, auction.bidder, -auction.bid))
    before = state.owners[-1] if state.owners else state.setup.seats
    owner = auction.bidder or state.left_of(before)
    return of_cards(replace(sold, owners=(*state.owners, owner), auction=None))


def sell(state: State, seat: int) -> State:
    """Return the state after a throw was sold at the best bid.

    Raises:
        IllegalAction: there is no bid for this seat's throw, or somebody may still bid.
    """
    auction = _best(state, seat)
    hands = moved(moved(state.hands, auction.bidder, -auction.bid), seat, auction.bid)
    return replace(state, hands=hands, thrower=auction.bidder, auction=None)


def keep(state: State, seat: int) -> State:
    """Return the state after the best bid for a throw was refused.

    Raises:
        IllegalAction: there is no bid for this seat's throw, or somebody may still bid.
    """
    _best(state, seat)
    return replace(state, auction=None)


def _best(state: State, seat: int) -> Auction:
    auction = state.auction
    if state.phase is not GamePhase.THROWS or auction is None:
        raise IllegalAction(Reason.NO_BID, "no throw is for sale: it is offered first")
    if seat != state.turn:
        why = "seat {seat} does not sell this throw: it is that of seat {turn}"
        raise IllegalAction(Reason.NOT_YOUR_TURN, why, seat=seat, turn=state.turn)
    if auction.turn:
        why = "seat {turn} may still bid: let it bid or pass first"
        raise IllegalAction(Reason.STILL_BIDDING, why, turn=auction.turn)
    return auction
