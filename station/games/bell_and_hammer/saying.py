"""Say what happens in Bell and Hammer: sales, throws, payments, winners. Pure."""

from __future__ import annotations

from station.base.nouns import KNOBS
from station.games.bell_and_hammer import actions
from station.games.bell_and_hammer.actions import Action
from station.games.bell_and_hammer.state import POOL, Fall, GamePhase, Payment, State
from station.games.bell_and_hammer.throwing import card_of, number_of
from station.rules.play import Played, Saying
from station.rules.seen import Amount, SeatName


def opens(state: State) -> Saying:
    """Return what is said when the counters are given out."""
    return ("counters-given", *comes(state))


def say(done: Played[State, Action]) -> Saying:
    """Return what is said after each action."""
    before, after = done.before, done.after
    match done.action:
        case actions.Bid(seat, counters):
            return (SeatName(seat), "bid-is", _count(counters))
        case actions.PassBid():
            return comes(after) if after.auction is None else ()
        case actions.KnockDown():
            sold = before.auction is not None and before.auction.bidder
            gone = "sale-gone" if sold else "sale-given"
            return (gone, SeatName(after.owners[-1]), "card-is-yours", *comes(after))
        case actions.OfferThrow(seat):
            return (SeatName(seat), "throw-for-sale")
        case actions.SellThrow():
            return (SeatName(after.thrower), "throw-sold")
        case actions.ThrowCubes() if after.last is not None:
            return (*_fell(before, after.last), *comes(after))
    return comes(after)


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
    return (SeatName(state.thrower), "next-throw")


def _count(counters: int) -> int | Amount:
    """Return a number as it is said: more than the voice can count piece by piece."""
    return counters if counters <= KNOBS else Amount(counters)


def _fell(before: State, fall: Fall) -> Saying:
    """Return what the cubes show, and who pays whom."""
    number, card = number_of(fall.shown), card_of(fall.shown)
    if not number and card is None and not before.inn:
        return ("cubes-all-blank", "all-pay-horse")
    shown: Saying = ("cubes-show", number) if number else ()
    shown = (*shown, f"cubes-show-{card}") if card is not None else shown
    to = "pays-inn" if number or before.inn else "pays-horse"
    paid = (said for one in fall.payments for said in _paid(one, to))
    return (*(shown or ("cubes-all-blank",)), *paid)


def _paid(payment: Payment, to: str) -> Saying:
    if payment.source == POOL:
        return (SeatName(payment.target), "from-pool", payment.counters)
    return (SeatName(payment.source), to, payment.counters)
