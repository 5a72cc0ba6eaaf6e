"""Change cards in Loto, Second Method: take, throw up, exchange, join; put knobs away."""

from __future__ import annotations

from dataclasses import replace

from station.base.errors import IllegalAction
from station.base.said import Sentence, row, said
from station.games.loto_second.actions import Exchange, Reason
from station.games.loto_second.drawing import broken_up, contributed, go_on, means, with_a_drawer
from station.games.loto_second.state import GamePhase, State
from station.rules.seating import SEATS, moved

NONE = said("none")


def _seat_there(state: State, seat: int) -> None:
    if not 1 <= seat <= state.seats:
        why = "there is no seat {seat}: the seats are 1 to {seats}"
        raise IllegalAction(Reason.NO_SEAT, why, seat=seat, seats=state.seats)


def _has(state: State, seat: int, serial: str) -> None:
    _seat_there(state, seat)
    if serial not in state.setup.cards:
        why = "there is no card '{serial}' in this pack: look at the card again"
        raise IllegalAction(Reason.NO_CARD, why, serial=serial)
    if serial not in state.taken[seat - 1]:
        has = row(state.taken[seat - 1]) if state.taken[seat - 1] else NONE
        why = "seat {seat} does not have card {serial}: it has {has}; name one of its cards"
        raise IllegalAction(Reason.NOT_HELD, why, seat=seat, serial=serial, has=has)


def _may_change(state: State, what: Sentence) -> None:
    """Check that cards may change hands: not in mid-drawing, after the first only by consent.

    Raises:
        IllegalAction: they may not.
    """
    if state.drawn:
        raise IllegalAction(Reason.DRAWING, "a drawing is on: {what} when it is settled", what=what)
    begun = state.drawings > 0 or state.phase is GamePhase.SHORT
    if begun and not state.setup.changes:
        why = "this company changes cards before the first drawing only: {what} in the next game"
        raise IllegalAction(Reason.NO_CHANGES, why, what=what)


def _with_cards(state: State, seat: int, cards: tuple[str, ...]) -> State:
    return replace(state, taken=(*state.taken[: seat - 1], cards, *state.taken[seat:]))


def _back_in_bag(state: State) -> State:
    """Return the state with those knobs back in the bag that stand on a taken card again."""
    return replace(state, away=tuple(number for number in state.away if not state.bearing(number)))


def join(state: State, purse: int) -> State:
    """Return the state with one more player, seated last; he must be able to pay for a card."""
    _may_change(state, said("players join"))
    if state.seats == SEATS:
        why = "all {seats} seats are taken: who wants to join plays in the next game"
        raise IllegalAction(Reason.NO_SEAT_LEFT, why, seats=SEATS)
    if not state.rest:
        why = "all cards of the pack are taken: join when somebody throws one up"
        raise IllegalAction(Reason.NO_CARDS_LEFT, why)
    if purse < state.setup.terms.a_card:
        why = "who joins has {purse} counters' worth, a card costs {price}: bring more"
        raise IllegalAction(Reason.NOT_PAID, why, purse=purse, price=state.setup.terms.a_card)
    return replace(
        state,
        taken=(*state.taken, ()),
        purses=(*state.purses, purse),
        hands=(*state.hands, 0),
        joined=(*state.joined, purse),
    )


def take(state: State, seat: int) -> State:
    """Return the state with one more card for a seat, the next of the pack."""
    _seat_there(state, seat)
    _may_change(state, said("cards are taken"))
    if not state.rest:
        why = "all cards of the pack are taken: take one when somebody throws it up"
        raise IllegalAction(Reason.NO_CARDS_LEFT, why)
    terms = state.setup.terms
    if means(state, seat) < terms.a_card:
        why = "seat {seat} has {purse} counters' worth, a card costs {price}"
        raise IllegalAction(
            Reason.NOT_PAID, why, seat=seat, purse=means(state, seat), price=terms.a_card
        )
    after = contributed(
        _with_cards(state, seat, (*state.taken[seat - 1], state.rest[0])), seat, terms.a_card
    )
    after = replace(
        after,
        rest=state.rest[1:],
        table=state.table + terms.on_table,
        pool=state.pool + terms.in_pool,
    )
    after = _back_in_bag(after)
    return go_on(after) if state.phase is GamePhase.SHORT else after


def throw_up(state: State, seat: int, serial: str) -> State:
    """Return the state after a card went back, and its share of table and pool to the player."""
    _has(state, seat, serial)
    # A short pool opens the cards of those who will not add, whatever the company has agreed.
    if state.phase is not GamePhase.SHORT:
        _may_change(state, said("cards are thrown up"))
    table, pool = state.table // state.in_play, state.pool // state.in_play
    covered = state.covered(serial)
    lifted = tuple(replace(one, laid=one.laid - (one.number in covered)) for one in state.drawn)
    after = replace(
        _with_cards(state, seat, tuple(card for card in state.taken[seat - 1] if card != serial)),
        rest=(*state.rest, serial),
        hands=moved(state.hands, seat, table + pool + len(covered)),
        table=state.table - table,
        pool=state.pool - pool,
        drawn=lifted,
        uncovered=tuple(card for card in state.uncovered if card != serial),
    )
    if not after.in_play:
        return broken_up(replace(after, drawn=(), uncovered=()))
    return go_on(after) if after.phase is GamePhase.SHORT else with_a_drawer(after)


def exchange(state: State, action: Exchange) -> State:
    """Return the state after a card was exchanged for another. With another player's it is only
    offered where the company wants each change confirmed."""
    _has(state, action.seat, action.serial)
    _may_change(state, said("cards are exchanged"))
    if action.other == action.seat:
        why = "seat {seat} cannot exchange cards with itself: name another player, or 0"
        raise IllegalAction(Reason.NO_SEAT, why, seat=action.seat)
    if action.other == 0:
        if action.wanted not in state.rest:
            free = row(state.rest) if state.rest else NONE
            why = "card '{wanted}' is not free: those that nobody has are {free}"
            raise IllegalAction(Reason.NOT_FREE, why, wanted=action.wanted, free=free)
        rest = (*(card for card in state.rest if card != action.wanted), action.serial)
        return _back_in_bag(
            replace(_swapped(state, action.seat, action.serial, action.wanted), rest=rest)
        )
    _has(state, action.other, action.wanted)
    if state.setup.confirm:
        return replace(state, offer=action)
    return _exchanged(state, action)


def _swapped(state: State, seat: int, given: str, got: str) -> State:
    return _with_cards(
        state, seat, tuple(got if card == given else card for card in state.taken[seat - 1])
    )


def _exchanged(state: State, action: Exchange) -> State:
    after = _swapped(state, action.seat, action.serial, action.wanted)
    return _swapped(after, action.other, action.wanted, action.serial)


def answer(state: State, agreed: bool) -> State:
    """Return the state after the other player agreed to the exchange offered, or it was dropped."""
    if state.offer is None:
        raise IllegalAction(Reason.NOT_OFFERED, "no exchange waits for an answer: offer one first")
    return replace(_exchanged(state, state.offer) if agreed else state, offer=None)


def put_away(state: State, number: int) -> State:
    """Return the state with a knob of the last drawing put away, since nobody has its number."""
    terms = state.setup.terms
    if state.phase is not GamePhase.BETWEEN:
        why = "a drawing is on: balls are put away when it is settled"
        raise IllegalAction(Reason.DRAWING, why)
    if number in state.away:
        raise IllegalAction(Reason.AWAY, "{number} is put away already", number=number)
    if number not in state.came:
        came = row(state.came) if state.came else NONE
        why = "{number} did not come in the last drawing ({came}): only a drawn ball is put away"
        raise IllegalAction(Reason.NOT_DRAWN, why, number=number, came=came)
    if bearing := state.bearing(number):
        why = "{number} stands on card {serial}, which is taken: its ball stays in the bag"
        raise IllegalAction(Reason.ON_A_CARD, why, number=number, serial=bearing[0])
    if len(state.bag) <= terms.cavities:
        why = "{knobs} balls are in the bag, and {cavities} are drawn: {number} stays in it"
        raise IllegalAction(
            Reason.BAG_LOW, why, knobs=len(state.bag), cavities=terms.cavities, number=number
        )
    return replace(state, away=tuple(sorted((*state.away, number))))
