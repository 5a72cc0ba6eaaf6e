"""Say what happens in Bell and Hammer: sales, throws, payments, winners. Pure."""

from __future__ import annotations

from station.base.nouns import KNOBS
from station.games.bell_and_hammer import actions
from station.games.bell_and_hammer.state import POOL, Fall, GamePhase, Payment, State
from station.games.bell_and_hammer.throwing import card_of, number_of
from station.rules.play import Played, Saying
from station.rules.seen import Amount, SeatName


def say(done: Played) -> Saying:
    """Return what is said when the counters are given out, and after each action."""
    before, after = done.before, done.after
    match done.action:
        case None:
            return ("counters-given", *comes(after))
        case actions.Bid(seat, counters):
            return (SeatName(seat), "bids", _count(counters))
        case actions.PassBid():
            return comes(after) if after.auction is None else ()
        case actions.KnockDown():
            return (*_knocked_down(before, after), *comes(after))
        case actions.OfferThrow(seat):
            return (SeatName(seat), "offers-throw")
        case actions.SellThrow():
            return (SeatName(after.thrower), "buys-throw", _count(before.auction.bid))
        case actions.KeepThrow(seat):
            return (SeatName(seat), "has-cubes")
    return (*_fell(after.last), *comes(after))


def comes(state: State) -> Saying:
    """Return what is said next: which card is for sale, who has the cubes, or who has won."""
    if state.phase is GamePhase.BROKEN:
        return ("redeemed",)
    if state.phase is GamePhase.WON:
        most = max(state.final)
        seats = (seat for seat, has in enumerate(state.final, 1) if has == most)
        named = (said for seat in seats for said in (SeatName(seat), "has-won"))
        return ("pool-cleared", *named, "redeemed")
    if state.lot is not None:
        return (f"sale-of-{state.lot}",)
    return (SeatName(state.thrower), "has-cubes")


def _count(counters: int) -> int | Amount:
    """Return a number as it is said: more than the voice can count piece by piece."""
    return counters if counters <= KNOBS else Amount(counters)


def _knocked_down(before: State, after: State) -> Saying:
    owner, price = SeatName(after.owners[-1]), before.auction.bid if before.auction else 0
    return ("sale-gone", owner, "sale-for", _count(price)) if price else ("sale-given", owner)


def _fell(fall: Fall) -> Saying:
    """Return what the cubes show, and who pays whom."""
    number, card = number_of(fall.shown), card_of(fall.shown)
    if not number and card is None:
        if len(fall.payments) > 1:
            return ("cubes-all-blank", "all-pay-horse")
        return ("cubes-all-blank", *(said for one in fall.payments for said in _paid(one)))
    shown: Saying = (f"cubes-show-{card}",) if card is not None else ()
    shown = ("cubes-show", number, *shown) if number else shown
    return (*shown, *(said for one in fall.payments for said in _paid(one)))


def _paid(payment: Payment) -> Saying:
    if payment.source == POOL:
        return (SeatName(payment.target), "gets-from-pool", payment.counters)
    paid = (SeatName(payment.source), "pays-counters", payment.counters)
    return (*paid, "paid-to", SeatName(payment.target))
