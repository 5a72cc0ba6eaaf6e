"""Play Bell and Hammer by its rules: sales, throws, payments, a game on one line. Pure.

On a line first come the settings, then what everybody has. A sale is `bid@bidder:turn:out`. A throw
is `thrower:marks:payments:before`, a payment `source>target=counters`, where source 0 is the pool;
`before` says whether the inn had begun, and whether the throw had been offered.

Each player is given counters by the cashier, the station, and puts twelve into the pool. White
horse, inn, bell, hammer, and bell and hammer are sold, in this order, to the highest bidders. Then
the cubes, each marked on one side only, are thrown in turn, the white horse's holder first. Numbers
alone are paid from the pool to the thrower, with bell or hammer to the holder of that card; blanks
bring the white horse one from everybody. Who throws more than is in the pool pays the overplus to
the inn. The throw that clears the pool ends the game.

Where the book is silent, this is how a careful host decides (**Decision**):

- All have the same number of counters at first: whole dozens, one at least.
- A first bid is one counter at least, and each tops the last. Bids go round from the eldest hand;
  who passes is out for that card; it is knocked down when all others have passed. No bid is above
  all counters with which the game began.
- A card without a bid goes for nothing to the seat after him who got the card before, bought or
  given; the first to the eldest hand.
- The cashier advances what a player lacks, at the auction and in play, so that pool and holders get
  the full price: a hand may be below zero, later receipts fill it first, and it is settled at the
  end. Who then owes more than he has with him owes it to the cashier: his purse is below zero.
- A throw is sold before the cubes fall, once a turn. Bids go round from the seller's left as at the
  auction; without a bid he throws himself, and he may refuse the best one. A bought throw is not
  sold again; the turn goes on from the seller.
- The white horse's holder does not pay himself when all pay him one; who is on both sides of a
  payment pays nothing.
- The inn begins to receive with the first overplus; a payment for blanks does not begin it. An
  overplus leaves the pool as it is.
- Where the receipts are divided, each takes part in proportion to the counters that he holds at the
  end. A hand below zero counts as nothing, and pays its debt into the receipts first, its price
  rounded up to a whole penny; odd pence go to the most counters, among equals to the first from the
  eldest hand on.
- The last throw can be taken back, once, where it was read wrongly: until something follows it,
  or the game is over.
- The winner is who has the most counters at the end; several may.
- A game that is broken off: what is in the pool goes back equally, odd counters one each from the
  eldest hand on; then all is redeemed as at its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from station.base.errors import IllegalAction, Unreadable
from station.games.bell_and_hammer.state import (
    ANYTHING,
    BELL,
    BLANKS,
    CARDS,
    DOZEN,
    HAMMER,
    POOL,
    TITLE,
    Action,
    Auction,
    Bid,
    Fall,
    GamePhase,
    KeepThrow,
    KnockDown,
    OfferThrow,
    PassBid,
    Payment,
    Reason,
    SellThrow,
    Setup,
    SoldCard,
    State,
    TakeBack,
    ThrowCubes,
)
from station.rules.game import Ending, GameRules, Outcome, unknown
from station.rules.notations import parsed, row, things
from station.rules.seating import SEATS, added, by_seat, moved, moves

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


# -- throws, payments, and the counters redeemed at the end ----------------------------------------


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


# -- a game on one line ----------------------------------------------------------------------------

_STATE = re.compile(
    r"(?P<head>start=\d+ stake=\d+ price=\d+(?: nuts=1)? cubes=\S+(?: held=\S+)?)"
    r" (?P<phase>[a-z]+) pool=(?P<pool>\d+)"
    r" receipts=(?P<receipts>\d+) purses=(?P<purses>\S+) hands=(?P<hands>\S+)"
    r" owners=(?P<owners>\S+) sale=(?P<sale>\S+) turn=(?P<turn>\d+) thrower=(?P<thrower>\d+)"
    r" offered=(?P<offered>[01]) inn=(?P<inn>[01]) throws=(?P<throws>\d+) last=(?P<last>\S+)"
    r" final=(?P<final>\S+)"
)


def notation(state: State) -> str:
    """Return the state on one line."""
    return (
        f"{_head(state.setup)} {state.phase} pool={state.pool} receipts={state.receipts}"
        f" purses={row(state.purses)} hands={row(state.hands)} owners={row(state.owners)}"
        f" sale={_sale(state.auction)} turn={state.turn} thrower={state.thrower}"
        f" offered={int(state.offered)} inn={int(state.inn)} throws={state.throws}"
        f" last={_fall(state.last)} final={row(state.final)}"
    )


def _head(setup: Setup) -> str:
    nuts = " nuts=1" if setup.nuts else ""
    held = f" held={row(setup.held)}" if setup.held else ""
    money = f"start={setup.start} stake={setup.stake} price={setup.price}"
    return f"{money}{nuts} cubes={row(setup.cubes)}{held}"


def _sale(sale: Auction | None) -> str:
    return "-" if sale is None else f"{sale.bid}@{sale.bidder}:{sale.turn}:{row(sale.out)}"


def _fall(fall: Fall | None) -> str:
    if fall is None:
        return "-"
    paid = row(f"{one.source}>{one.target}={one.counters}" for one in fall.payments)
    before = f"{int(fall.inn)}{int(fall.offered)}"
    return f"{fall.thrower}:{row(fall.shown)}:{paid}:{before}"


def parse(setup: Setup, text: str) -> State:
    """Return the state that `notation` wrote; raises `Unreadable` as `parsed` does."""
    return parsed(_STATE, text, TITLE, _head(setup), partial(_read, setup), notation, _possible)


def _read(setup: Setup, match: re.Match[str]) -> State:
    return State(
        setup,
        _numbers(match["purses"]),
        _numbers(match["hands"]),
        int(match["pool"]),
        GamePhase(match["phase"]),
        int(match["receipts"]),
        _numbers(match["owners"]),
        _read_sale(match["sale"]),
        int(match["turn"]),
        int(match["thrower"]),
        match["offered"] == "1",
        match["inn"] == "1",
        int(match["throws"]),
        _read_fall(match["last"]),
        _numbers(match["final"]),
    )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, things(text)))


def _read_sale(text: str) -> Auction | None:
    if text == "-":
        return None
    bids, turn, out = text.split(":")
    bid, _, bidder = bids.partition("@")
    return Auction(int(turn), int(bid), int(bidder), _numbers(out))


def _read_fall(text: str) -> Fall | None:
    if text == "-":
        return None
    thrower, shown, paid, before = text.split(":")
    inn, offered = (mark == "1" for mark in before)
    payments = tuple(map(_read_payment, things(paid)))
    return Fall(int(thrower), tuple(things(shown)), payments, inn, offered)


def _read_payment(text: str) -> Payment:
    source, target, counters = re.split("[>=]", text)
    return Payment(int(source), int(target), int(counters))


def _possible(state: State) -> bool:
    """Return whether nobody sits outside the table, and counters and money are all there."""
    setup, seats = state.setup, range(1, state.setup.seats + 1)
    asked = (0,) if state.auction is None else (state.auction.turn, state.auction.bidder)
    inside = {*state.owners, *asked, state.turn, state.thrower} - {0, *seats}
    whole = len(state.purses) == len(state.hands) == setup.seats
    whole = whole and len(state.final) in ((setup.seats,) if state.over else (0,))
    sold = len(state.owners)
    cards = sold < len(CARDS) if state.phase is GamePhase.CARDS else sold <= len(CARDS)
    if inside or not whole or not cards:
        return False
    out, money = sum(state.hands) + state.pool, sum(state.purses) + state.receipts
    if not setup.price:
        return money + out == sum(setup.purses)
    return money == sum(setup.purses) and out == (0 if state.over else setup.seats * setup.start)


# -- legal actions ---------------------------------------------------------------------------------

# What company and seats ask for; a throw is taken back as a knob is.
MOVES = moves(Bid, KeepThrow, KnockDown, OfferThrow, PassBid, SellThrow, ThrowCubes)


class BellAndHammerRules(GameRules[Setup, State, Action]):
    """The rules of Bell and Hammer as a `Game`.."""

    name = "bell-and-hammer"
    title = TITLE
    moves = MOVES

    def start(self, setup: Setup) -> State:
        """Return the state with counters given out, and the stakes in the pool.

        Raises:
            Unreadable: this company cannot play.
        """
        _check(setup)
        state = State(
            setup,
            tuple(purse - setup.paid for purse in setup.purses),
            (setup.start - setup.stake,) * setup.seats,
            setup.stake * setup.seats,
            receipts=setup.paid * setup.seats if setup.price else 0,
            owners=setup.held,
        )
        return of_cards(state)

    def legal_actions(self, state: State) -> Iterator[Action]:
        """Yield the legal actions, in the order of their names; a bid stands for all higher ones
        that are allowed, `ThrowCubes(ANYTHING)` for all that may fall."""
        if state.over:
            return
        sale, throws = state.auction, state.phase is GamePhase.THROWS
        asked = sale.turn if sale is not None else 0
        sold = sale is not None and not asked
        if sale is not None and asked and sale.bid < state.setup.highest:
            yield Bid(asked, sale.bid + 1)
        if sold and throws:
            yield KeepThrow(state.turn)
        if sold and not throws:
            yield KnockDown()
        if throws and not state.offered:
            yield OfferThrow(state.turn)
        if asked:
            yield PassBid(asked)
        if sold and throws:
            yield SellThrow(state.turn)
        if state.can_take_back:
            yield TakeBack()
        if throws and sale is None:
            yield ThrowCubes(ANYTHING)

    def apply(self, state: State, action: Action) -> State:
        """Return the state after an action.

        Raises:
            IllegalAction: the rules refuse the action, with a `Reason`.
        """
        if state.over:
            raise IllegalAction(Reason.OVER, "the game is over and all is redeemed: begin another")
        match action:
            case Bid():
                return bid(state, action)
            case KeepThrow(seat):
                return keep(state, seat)
            case KnockDown():
                return knock_down(state)
            case OfferThrow(seat):
                return of_throw(state, seat)
            case PassBid(seat):
                return passes(state, seat)
            case SellThrow(seat):
                return sell(state, seat)
            case TakeBack():
                return take_back(state)
            case ThrowCubes(shown):
                return throw(state, shown)
        raise unknown(Reason.NOT_AN_ACTION, action, self.title)

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended; the winners have the most counters."""
        if not state.over:
            return None
        most = max(state.final)
        winners = tuple(str(seat) for seat, has in enumerate(state.final, 1) if has == most)
        if state.phase is GamePhase.BROKEN:
            return Outcome(Ending.CLOSED, ())
        return Outcome(Ending.WON, winners)

    def funds(self, state: State) -> Mapping[str, int]:
        """Return purses, hands and pool. Where counters are bought with money that is divided,
        there are two currencies: the receipts are money, and the counters that are out stand
        against those that the cashier has given out."""
        funds = by_seat(purse=state.purses, hand=state.hands)
        funds |= {"pool": state.pool}
        if state.setup.price:
            given = -sum(state.hands) - state.pool
            funds |= {"receipts": state.receipts, "given-out": given}
        return funds

    notation, parse = staticmethod(notation), staticmethod(parse)


def _check(setup: Setup) -> None:
    """Check that this company can play.

    Raises:
        Unreadable: it cannot; the message says why.
    """
    if not 2 <= setup.seats <= SEATS:
        raise Unreadable(f"{setup.seats} seats: from 2 to {SEATS} can play")
    if not 1 <= setup.stake <= setup.start:
        why = f"{setup.start} counters each, and {setup.stake} into the pool: give out enough"
        raise Unreadable(why)
    if setup.price < 0 or setup.start % setup.stake:
        raise Unreadable(f"{setup.start} counters at {setup.price} a dozen: give out whole dozens")
    if len(setup.held) > len(CARDS) or any(not 1 <= one <= setup.seats for one in setup.held):
        raise Unreadable(f"the cards' holders {setup.held}: five seats of the table at most")
    if "1" not in setup.cubes or len(set(setup.cubes)) < len(setup.cubes):
        raise Unreadable(f"cubes {setup.cubes}: each mark once, a 1 among them")
    for seat, purse in enumerate(setup.purses, 1):
        if purse < setup.paid:
            raise Unreadable(f"seat {seat} has {purse}; its counters cost {setup.paid}")
