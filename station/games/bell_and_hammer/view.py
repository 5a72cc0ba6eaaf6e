"""Show Bell and Hammer, its cubes, cards and sales, and say what happens in it. Pure.

Everything lies open; purses are for the host and their owners.
"""

from __future__ import annotations

from collections.abc import Iterator

from station.base.nouns import KNOBS
from station.games.bell_and_hammer.rules import card_of, number_of
from station.games.bell_and_hammer.state import (
    CARDS,
    CUBES,
    POOL,
    Action,
    Auction,
    Bid,
    Fall,
    GamePhase,
    KnockDown,
    OfferThrow,
    PassBid,
    Payment,
    SellThrow,
    SoldCard,
    State,
    ThrowCubes,
)
from station.rules import seen
from station.rules.play import Played, Saying
from station.rules.seen import Amount, Phrase, SeatName, phrase


def view(state: State, viewer: seen.Viewer, telling: int | None = None) -> seen.Seen:
    """Return what a viewer sees."""
    del telling  # this game tells nothing step by step
    return seen.Seen(
        text_of(state),
        (*_of_seats(state), *_middle(state)),
        turn=frozenset(awaited(state)),
        leads=state.turn,
        has=seen.Lead.CUBES,
        counted=_by_value(state),
    )


def awaited(state: State) -> tuple[int, ...]:
    """Return the seats that are awaited: who is asked for a bid, who has a bid for his throw, who
    throws."""
    sale = state.auction
    if sale is not None and sale.turn:
        return (sale.turn,)
    if state.phase is not GamePhase.THROWS:
        return ()
    return (state.turn,) if sale is not None else (state.thrower,)


# -- what comes next ---------------------------------------------------------------


def text_of(state: State) -> Phrase:
    """Return what comes next, after what was paid last; or who has won."""
    if state.over:
        return _ended(state)
    sale = state.auction
    if state.lot is not None and sale is not None:
        return _card_sale(sale, named(state.lot))
    if sale is not None:
        return _throw_sale(sale, seen.SeatName(state.turn))
    next_one = phrase("throws-cubes", name=seen.SeatName(state.thrower))
    if state.last is None:
        return next_one
    return phrase("cubes-then", fell=fell(state.last), then=next_one)


def _ended(state: State) -> Phrase:
    most = max(state.final)
    first = seen.SeatName(state.final.index(most) + 1)
    if state.phase is GamePhase.WON and state.final.count(most) == 1:
        return phrase("cubes-won", name=first, count=most)
    return phrase("table-over")


def _card_sale(sale: Auction, card: Phrase) -> Phrase:
    asked, bidder = seen.SeatName(sale.turn), seen.SeatName(sale.bidder)
    match bool(sale.turn), bool(sale.bidder):
        case True, False:
            return phrase("sale-begins", card=card, name=asked)
        case True, True:
            return phrase("sale-goes-on", card=card, name=asked, bidder=bidder, bid=sale.bid)
        case False, True:
            return phrase("sale-going", card=card, bidder=bidder, bid=sale.bid)
    return phrase("sale-nobody", card=card)


def _throw_sale(sale: Auction, seller: seen.SeatName) -> Phrase:
    asked, bidder = seen.SeatName(sale.turn), seen.SeatName(sale.bidder)
    if not sale.turn:
        return phrase("throw-bid-best", name=seller, bidder=bidder, bid=sale.bid)
    if not sale.bidder:
        return phrase("throw-bid-first", name=asked, seller=seller)
    return phrase("throw-bid", name=asked, seller=seller, bidder=bidder, bid=sale.bid)


def named(card: SoldCard) -> Phrase:
    """Return what a card is called."""
    return phrase(f"emblem-{card}")


def fell(fall: Fall) -> Phrase:
    """Return what a throw showed, and what was paid for it."""
    number, card = number_of(fall.shown), card_of(fall.shown)
    if number and card is not None:
        shown = phrase("cubes-both", number=number, card=named(card))
    elif number:
        shown = phrase("cubes-number", number=number)
    else:
        shown = phrase("cubes-blank")
        if card is not None:
            shown = phrase("cubes-number", number=named(card))
    return phrase(
        "cubes-fell", shown=shown, paid=_payment_phrase(fall, all_pay=not number and card is None)
    )


def _payment_phrase(fall: Fall, *, all_pay: bool) -> Phrase:
    if not fall.payments:
        return phrase("cubes-nobody-pays")
    first, last = fall.payments[0], fall.payments[-1]
    if all_pay and len(fall.payments) > 1:
        return phrase("cubes-all-pay")
    name, to = seen.SeatName(first.source), seen.SeatName(last.target)
    if first.source == POOL:
        return phrase("cubes-pool-pays", name=to, count=first.counters)
    return phrase("cubes-seat-pays", name=name, to=to, count=first.counters)


# -- zones -------------------------------------------------------------------------


def _by_value(state: State) -> bool:
    """Return whether a counter is worth a sum from the first: no receipts are divided by it."""
    return not state.setup.price


def _counters(state: State, key: str, units: int, seat: int = seen.ALL) -> seen.Zone:
    """Return counters that lie together: piece by piece, or as nuts, or as a number where nobody
    knows yet what one is worth."""
    label = None if seat else phrase("pool")
    if _by_value(state) and not state.setup.nuts:
        return seen.Zone(key, (seen.Pile(seen.Amount(units)),), seat, label)
    unit = phrase("nuts" if state.setup.nuts else "counters-held")
    return seen.Zone(f"{key}-counted", (seen.Score(units, unit if seat else label),), seat)


def _of_seats(state: State) -> Iterator[seen.Zone]:
    for seat in range(1, state.setup.seats + 1):
        held = [card for card, owner in zip(CARDS, state.owners, strict=False) if owner == seat]
        if held:
            yield seen.Zone("cards", tuple(map(_card, held)), seat)
        if state.over:
            yield _counters(state, "held", state.final[seat - 1], seat)
            gain = state.purses[seat - 1] - state.setup.purses[seat - 1]
            said = seen.outcome(gain, in_money=not _by_value(state))
            yield seen.Zone("outcome", (seen.Caption(said),), seat)
        else:
            yield _counters(state, "hand", state.hands[seat - 1], seat)
            if caption := _answer(state, seat):
                yield seen.Zone("answer", (caption,), seat)


def _card(card: SoldCard) -> seen.PictureCard:
    return seen.PictureCard(card.value, named(card))


def _answer(state: State, seat: int) -> seen.Caption | None:
    """Return what a seat has said in the sale that is on."""
    sale = state.auction
    if sale is None:
        return None
    if seat == sale.bidder:
        return seen.Caption(phrase("sale-bids", count=sale.bid), "good")
    if seat in sale.out and seat != state.turn:
        return seen.Caption(phrase("sale-passes"), "faint")
    return None


def _middle(state: State) -> Iterator[seen.Zone]:
    if state.lot is not None:
        yield seen.Zone("for-sale", (_card(state.lot),), label=phrase("sale"))
    if state.last is not None:
        shown = (mark if mark in state.last.shown else "" for mark in state.setup.cubes or CUBES)
        yield seen.Zone("cubes", tuple(map(seen.Cube, shown)), label=phrase("cubes-last"))
    yield _counters(state, "pool", state.pool)
    if state.receipts:
        money = seen.Pile(seen.Amount(state.receipts, in_money=True))
        yield seen.Zone("receipts", (money,), label=phrase("receipts"))
    if state.inn and not state.over:
        yield seen.Zone("notes", (seen.Caption(phrase("inn-receives")),))
    if state.last is not None and (state.over or state.auction is not None):
        yield seen.Zone("fell", (seen.Caption(fell(state.last)),))


# -- what is said: sales, throws, payments, winners ------------------------------------------------


def opens(state: State) -> Saying:
    """Return what is said when the counters are given out."""
    return ("counters-given", *comes(state))


def say(done: Played[State, Action]) -> Saying:
    """Return what is said after each action."""
    before, after = done.before, done.after
    match done.action:
        case Bid(seat, counters):
            return (SeatName(seat), "bid-is", _count(counters))
        case PassBid():
            return comes(after) if after.auction is None else ()
        case KnockDown():
            sold = before.auction is not None and before.auction.bidder
            gone = "sale-gone" if sold else "sale-given"
            return (gone, SeatName(after.owners[-1]), "card-is-yours", *comes(after))
        case OfferThrow(seat):
            return (SeatName(seat), "throw-for-sale")
        case SellThrow():
            return (SeatName(after.thrower), "throw-sold")
        case ThrowCubes() if after.last is not None:
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
    paid = (said for one in fall.payments for said in _said_payment(one, to))
    return (*(shown or ("cubes-all-blank",)), *paid)


def _said_payment(payment: Payment, to: str) -> Saying:
    if payment.source == POOL:
        return (SeatName(payment.target), "from-pool", payment.counters)
    return (SeatName(payment.source), to, payment.counters)
