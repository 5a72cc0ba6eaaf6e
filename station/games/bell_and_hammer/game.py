"""Play Bell and Hammer: five cards are sold by auction into a pool, which eight marked cubes empty.

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

from collections.abc import Iterator, Mapping

from station.base.errors import IllegalAction, Unreadable
from station.games.bell_and_hammer import auction, throwing
from station.games.bell_and_hammer.actions import (
    ANYTHING,
    Action,
    Bid,
    KeepThrow,
    KnockDown,
    OfferThrow,
    PassBid,
    Reason,
    SellThrow,
    TakeBack,
    ThrowCubes,
)
from station.games.bell_and_hammer.notation import notation, parse
from station.games.bell_and_hammer.state import CARDS, TITLE, GamePhase, Setup, State
from station.rules.game import Ending, GameRules, Outcome, unknown
from station.rules.seating import SEATS, by_seat, moves

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
        return auction.of_cards(state)

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
                return auction.bid(state, action)
            case KeepThrow(seat):
                return auction.keep(state, seat)
            case KnockDown():
                return auction.knock_down(state)
            case OfferThrow(seat):
                return auction.of_throw(state, seat)
            case PassBid(seat):
                return auction.passes(state, seat)
            case SellThrow(seat):
                return auction.sell(state, seat)
            case TakeBack():
                return throwing.take_back(state)
            case ThrowCubes(shown):
                return throwing.throw(state, shown)
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
