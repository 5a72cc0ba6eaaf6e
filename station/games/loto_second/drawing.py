"""Apply the actions of Loto, Second Method: drawings, changes of cards, payments. Pure.

A drawing draws knobs, lays counters, pays rows and replenishes a short pool; the end of the game
redeems all counters. Cards are taken, thrown up and exchanged, and knobs put away.

The settlement of a drawing has the result of each row, what it was paid, and where the bank has no
change. It follows from the states before and after, and is worked out again when a night is
replayed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from station.base.errors import IllegalAction
from station.base.said import Sentence, listed, said
from station.base.said import row as in_a_row
from station.games.loto_second.state import (
    Drawn,
    Due,
    Exchange,
    Finish,
    GamePhase,
    Payment,
    Reason,
    Settle,
    SettledRow,
    Settlement,
    State,
    classes,
)
from station.rules.box import BOX, CONTRACT, Pieces, exactly, paid_out
from station.rules.seating import SEATS, added, by_card, moved


def draw(state: State, number: int) -> State:
    """Return the state with a knob on the board, and counters on its number."""
    terms = state.setup.terms
    if not 1 <= number <= terms.knobs:
        why = "there is no ball {number}: the bag holds 1 to {knobs}; draw another"
        raise IllegalAction(Reason.NO_KNOB, why, number=number, knobs=terms.knobs)
    if state.phase is GamePhase.SHORT:
        why = "the pool is short: add to it, or finish the game, before another ball is drawn"
        raise IllegalAction(Reason.SHORT, why)
    if number in state.away:
        why = (
            "{number} is put away, for no card taken bears it: lay the ball aside and draw another"
        )
        raise IllegalAction(Reason.AWAY, why, number=number)
    if number in state.numbers:
        place = state.numbers.index(number) + 1
        why = (
            "{number} was drawn already, and lies in cavity {place}: see which of the two is"
            " misread"
        )
        raise IllegalAction(Reason.DRAWN, why, number=number, place=place)
    if len(state.drawn) == terms.cavities:
        why = "all {cavities} balls of this drawing are drawn: put {number} back, and settle"
        raise IllegalAction(Reason.FULL_BOARD, why, cavities=terms.cavities, number=number)
    lent = _lent_to_begin(state)
    if state.last and not state.table + lent:
        why = "no counter is left on the table: put {number} back, and settle the last drawing"
        raise IllegalAction(Reason.FULL_BOARD, why, number=number)
    begun = replace(
        state,
        table=state.table + lent,
        pool=state.pool - lent,
        drawn=(*state.drawn, Drawn(number, 0, lent)),
    )
    return laid(replace(begun, uncovered=state.bearing(number)))


def _lent_to_begin(state: State) -> int:
    """Return how many counters an empty table takes from the pool when the last drawing begins."""
    begins = state.last and state.phase is GamePhase.BETWEEN and not state.table
    return min(state.setup.terms.again * state.in_play, state.pool) if begins else 0


def laid(state: State) -> State:
    """Return the state with counters laid on the last knob's number, as far as the table goes;
    except in the last drawing, a short table takes more from the pool."""
    wanted = len(state.uncovered)
    lent = 0 if state.last else min(max(0, wanted - state.table), state.pool)
    now = min(wanted, state.table + lent)
    *before, newest = state.drawn
    newest = replace(newest, laid=newest.laid + now, lent=newest.lent + lent)
    wanting = state.uncovered[now:]
    return replace(
        state,
        drawn=(*before, newest),
        uncovered=wanting,
        table=state.table + lent - now,
        pool=state.pool - lent,
        phase=GamePhase.SHORT if wanting and not state.last else GamePhase.DRAWING,
    )


def take_back(state: State) -> State:
    """Return the state as if the last knob had not been drawn."""
    if not state.drawn:
        why = "no ball of this drawing is on the board: what was settled stays settled"
        raise IllegalAction(Reason.NOTHING_DRAWN, why)
    *before, newest = state.drawn
    # A card thrown up meanwhile took its counter along, so that fewer may lie there than were lent.
    lent = min(newest.lent, state.table + newest.laid)
    after = replace(
        state,
        drawn=tuple(before),
        uncovered=(),
        table=state.table + newest.laid - lent,
        pool=state.pool + lent,
        phase=GamePhase.DRAWING if before else GamePhase.BETWEEN,
    )
    return after if before else with_a_drawer(after)


def step(state: State) -> str:
    """Return what comes next: "answer" an offer, "add" to a short pool, "settle", or "draw"."""
    if state.offer is not None:
        return "answer"
    if state.phase is GamePhase.SHORT:
        return "add"
    try:
        settle(state)
    except IllegalAction:
        return "draw"
    return "settle"


def settle(state: State) -> State:
    """Return the state after the drawing: counters are kept, rows paid, the bag is passed."""
    terms = state.setup.terms
    if state.phase is GamePhase.SHORT:
        why = "the pool is short: add to it, or finish the game, before the drawing is settled"
        raise IllegalAction(Reason.SHORT, why)
    over = state.last and not state.table + _lent_to_begin(state)
    if not over and len(state.drawn) < terms.cavities:
        why = "{drawn} of {cavities} balls drawn: draw on, then settle"
        raise IllegalAction(Reason.NOT_FULL, why, drawn=len(state.drawn), cavities=terms.cavities)
    return go_on(_kept(state))


def _kept(state: State) -> State:
    """Return the state with counters in hands, what rows won as due, and knobs in the bag."""
    hands = state.hands
    rows = state.rows()
    for row in rows:
        hands = moved(hands, row.seat, row.laid)
    dues = tuple(Due(row.seat, row.serial, row.row, row.won) for row in rows if row.won)
    return replace(state, hands=hands, drawn=(), came=state.numbers, uncovered=(), dues=dues)


def go_on(state: State) -> State:
    """Return the state after covering or paying goes on as far as it can; the bag is passed."""
    if state.uncovered:
        return laid(state)
    if state.drawn:
        return replace(state, phase=GamePhase.DRAWING)
    state = _paid(state)
    if state.dues and not state.last:
        return replace(state, phase=GamePhase.SHORT)
    state = replace(state, drawings=state.drawings + 1)
    if state.last:
        return redeemed(state)
    return replace(
        state,
        phase=GamePhase.BETWEEN,
        left=None if state.left is None else state.left - 1,
        drawer=next_seat(state),
    )


def _paid(state: State) -> State:
    pool, purses, hands, dues = state.pool, state.purses, state.hands, list(state.dues)
    while dues and pool:
        due = dues.pop(0)
        now = min(due.counters, pool)
        pool -= now
        if state.setup.in_money:
            purses = moved(purses, due.seat, now)
        else:
            hands = moved(hands, due.seat, now)
        if now < due.counters:
            dues.insert(0, replace(due, counters=due.counters - now))
    return replace(state, pool=pool, purses=purses, hands=hands, dues=tuple(dues))


def next_seat(state: State) -> int:
    """Return the seat that has the bag next: the first on the drawer's left that has a card."""
    seats = state.seats
    order = ((state.drawer + step) % seats + 1 for step in range(seats))
    return next((seat for seat in order if state.taken[seat - 1]), state.drawer)


def with_a_drawer(state: State) -> State:
    """Return the state with the bag passed on, if the drawer has thrown up all his cards."""
    return state if state.taken[state.drawer - 1] else replace(state, drawer=next_seat(state))


def contributed(state: State, seat: int, counters: int) -> State:
    """Return the state after a player laid down counters, those he has won first. The caller puts
    them where they go, and checks that he has as many."""
    from_hand = min(state.hands[seat - 1], counters)
    return replace(
        state,
        hands=moved(state.hands, seat, -from_hand),
        purses=moved(state.purses, seat, from_hand - counters),
    )


def means(state: State, seat: int) -> int:
    """Return how many counters a player can lay down."""
    return state.hands[seat - 1] + state.purses[seat - 1]


def replenish(state: State) -> State:
    """Return the state after all added to the pool, by their cards; covering or paying goes on."""
    exhausted = state.phase is GamePhase.BETWEEN and not state.pool and not state.last
    if state.phase is not GamePhase.SHORT and not exhausted:
        why = (
            said("nothing is added for the last drawing")
            if state.last
            else said("it holds {count} counters", count=state.pool)
        )
        raise IllegalAction(Reason.NOT_SHORT, "the pool is not replenished now: {why}", why=why)
    each = state.setup.terms.in_pool
    owed = {seat: each * len(cards) for seat, cards in enumerate(state.taken, 1)}
    if poor := [seat for seat, counters in owed.items() if means(state, seat) < counters]:
        raise IllegalAction(
            Reason.NOT_PAID,
            "seat {seats} cannot add {each} counters for every card: cards are thrown up first",
            seats=listed(poor),
            each=each,
        )
    after = replace(state, pool=state.pool + sum(owed.values()))
    for seat, counters in owed.items():
        after = contributed(after, seat, counters)
    return go_on(after) if state.phase is GamePhase.SHORT else after


def finish(state: State) -> State:
    """Return the state after the end as nobody adds: laid counters are kept, debts stay unpaid."""
    if state.phase is not GamePhase.SHORT:
        why = "the pool is not short: agree on a number of drawings more, and play them"
        raise IllegalAction(Reason.NOT_SHORT, why)
    kept = _kept(state) if state.drawn else state
    return redeemed(replace(kept, drawings=state.drawings + 1))


def resolve(state: State, drawings: int) -> State:
    """Return the state with only this many drawings more."""
    if state.phase is not GamePhase.BETWEEN:
        why = "a drawing is on: agree on the number of the last ones when it is settled"
        raise IllegalAction(Reason.DRAWING, why)
    if state.left is not None:
        why = "it was resolved already: {left} more with the next one; play them"
        raise IllegalAction(Reason.RESOLVED, why, left=state.left)
    if drawings < 1:
        why = "{drawings} drawings more: the last one is still to be played, so say 1 at least"
        raise IllegalAction(Reason.NO_DRAWINGS, why, drawings=drawings)
    return replace(state, left=drawings)


def broken(state: State) -> State:
    """Return the state after the game was broken off: the knobs of a drawing that is on go back as
    if they had not been drawn, then all is redeemed."""
    while state.drawn:
        state = take_back(state)
    return broken_up(replace(state, offer=None))


def broken_up(state: State) -> State:
    """Return the state after an end between drawings, or after a settled drawing whose rows are
    still owed, which counts as finished."""
    return redeemed(replace(state, drawings=state.drawings + bool(state.dues)))


def redeemed(state: State) -> State:
    """Return the state after the end: what is due stays unpaid, counters are redeemed, and what is
    left goes back by card, odd ones from the eldest hand on."""
    return replace(
        state,
        phase=GamePhase.OVER,
        purses=added(state.purses, state.hands, by_card(state.table + state.pool, state.taken)),
        hands=(0,) * state.seats,
        table=0,
        pool=0,
        dues=(),
        unpaid=state.dues,
    )


# -- cards: taken, thrown up, exchanged; knobs put away --------------------------------------------

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
        has = in_a_row(state.taken[seat - 1]) if state.taken[seat - 1] else NONE
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
            free = in_a_row(state.rest) if state.rest else NONE
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
        came = in_a_row(state.came) if state.came else NONE
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


# -- how a drawing was settled ---------------------------------------------------------------------


def won_rows(settlement: Settlement | None) -> tuple[SettledRow, ...]:
    """Return the rows that won from the pool, which are told one by one, in the order of paying."""
    return tuple(row for row in settlement.rows if row.won) if settlement is not None else ()


def settled(before: State, action: object, after: State) -> State:
    """Return the state after an action with its newest settlement. What the settlement before it
    left unpaid may have been paid by this action, as after a replenishment."""
    new = _newest(before, action, after)
    return after if new is after.settlement else replace(after, settlement=new)


def _newest(before: State, action: object, after: State) -> Settlement | None:
    last = before.settlement
    if isinstance(action, Settle) or (isinstance(action, Finish) and before.drawn):
        counted = before.rows()
        rows = (SettledRow(**asdict(row), paid=row.won) for row in counted if row.laid)
        paid = _as_paid(rows, after)
        laid_down = () if before.setup.in_money else payments(before.hands, paid)
        return Settlement(before.drawings + 1, before.numbers, classes(counted), paid, laid_down)
    if last is None or (after.dues, after.unpaid) == (before.dues, before.unpaid):
        return last
    new = replace(last, rows=_as_paid(last.rows, after))
    if before.setup.in_money or new.paid == last.paid:
        return new
    return replace(new, payments=_paid_since(last, new, after))


def _paid_since(last: Settlement, new: Settlement, after: State) -> tuple[Payment, ...]:
    """Return how the counters owed were paid since then. What players laid down for that, or got
    for cards, has left or reached their hands already."""
    rows = [
        replace(now, laid=0, paid=now.paid - had.paid)
        for had, now in zip(last.rows, new.rows, strict=True)
    ]
    hands = after.hands
    for row in rows:
        hands = moved(hands, row.seat, -row.paid)
    return payments(hands, rows)


def _as_paid(rows: Iterable[SettledRow], state: State) -> tuple[SettledRow, ...]:
    owed = (*state.dues, *state.unpaid)
    wanting = Counter({(due.seat, due.serial, due.row): due.counters for due in owed})
    return tuple(
        replace(row, paid=row.won - wanting[row.seat, row.serial, row.row]) for row in rows
    )


@dataclass(frozen=True, slots=True)
class LaidOut:
    """Where the pieces of the box lie.

    Attributes:
        bank: the pieces that the bank can pay with: those of pool and table.
        players: the pieces before each seat; none where the box cannot make up its sum, which is
            written down instead.
        cards: single counters that lie on cards.
    """

    bank: Pieces
    players: tuple[Pieces, ...]
    cards: int


def laid_out(hands: Sequence[int], laid: int) -> LaidOut:
    """Return how the box's pieces are laid out for what players have won, and on cards.

    Cards have single counters, as many as lie on them. Then everybody has as few pieces as the box
    allows, from the eldest hand on. For sums that are written down instead the bank sets pieces
    aside, so that it never pays with what belongs to somebody.
    """
    cards = min(laid, BOX.counters)
    bank, written = BOX - Pieces(counters=cards), laid - cards
    players = []
    for hand in hands:
        pieces = exactly(bank, hand)
        if pieces is None:
            written += hand
        else:
            bank -= pieces
        players.append(pieces or Pieces())
    return LaidOut(bank - _set_aside(bank, written), tuple(players), cards)


def _set_aside(bank: Pieces, counters: int) -> Pieces:
    """Return the pieces whose worth is nearest to a sum and not below it; all there are where the
    sum is more than they are worth."""
    enough = (exactly(bank, counters + more) for more in range(CONTRACT))
    return next((pieces for pieces in enough if pieces is not None), bank)


def payments(hands: Sequence[int], rows: Sequence[SettledRow]) -> tuple[Payment, ...]:
    """Return the seats for which the bank must change, once for all rows, in order of paying.

    Args:
        hands: what each seat had won before.
        rows: the rows that are paid now; the counters on them are kept in addition.
    """
    out = laid_out(hands, sum(row.laid for row in rows))
    bank, singles = out.bank, out.cards
    found = []
    for seat in dict.fromkeys(row.seat for row in rows):
        counters = sum(row.paid for row in rows if row.seat == seat)
        kept = min(singles, sum(row.laid for row in rows if row.seat == seat))
        singles -= kept
        given = exactly(bank, counters)
        if given is not None:
            bank -= given
            continue
        change = paid_out(bank, out.players[seat - 1] + Pieces(counters=kept), counters)
        found.append(Payment(seat, counters, change))
        bank -= _set_aside(bank, counters) if change is None else change.given
        bank += Pieces() if change is None else change.back
    return tuple(found)
