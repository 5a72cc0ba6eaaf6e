"""Loto, Second Method: ten knobs are drawn, every row of every card pays by the counters on it, and the knobs go back.

Source: the rule book's "Second Method". The players draw their cards and deposit a stake; a counter's value follows from it. Of the
sixty counters that each card gives, fifteen lie on the table for covering, and forty-five are the pool. The eldest hand has the bag
first, then the next on the left. At each knob all players lay a counter from the table on the number, on every card of theirs that
bears it. After the tenth they keep what lies on their cards, and a row with two counters (ambo) wins 5 from the pool, with three
(terne) 25, with four (quaterne) 100, with five (quinterne) 250; one is an abstract, and wins nothing more.

Where the book is silent, this is how a careful host decides (**Decision**):

- More players than cards cannot play. Where there are more than half as many players as cards, the last seats take one card.
- A card thrown up gets back its equal share by card of table and of pool, each rounded down; an additional card pays its sixty.
- A table short of counters takes them from the pool. When neither has enough, the players add as below, and go on covering.
- A pool that cannot pay pays what it has, from the drawer leftwards, card by card, row by row from the top; then every player adds
  forty-five counters a card, as often as needed, and paying goes on. Who will not add throws up his cards first. If nobody adds, the game is
  finished: what is not paid stays unpaid, and all is redeemed.
- The last drawing is over as soon as no counter is left on the table, and never goes past ten knobs. A table that is empty at its
  start takes two counters a card from the pool, as far as that goes. With fewer counters left than squares to cover the eldest hand covers
  first. Nothing is added to the pool: rows are paid from the eldest hand leftwards as far as it goes, and who is reached when it runs short
  takes what is left. The others remain unpaid: a Bankruptcy.
- At the end the counters won are redeemed; what is left in pool and on the table goes back equally by card, odd ones one each from the eldest
  hand.
- A knob may be put away after the drawing in which it was drawn, while its number stands on no card that is taken; it comes back when somebody
  takes a card that bears it.
- Only the last knob can be taken back, and only before the drawing is settled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from station.errors import IllegalAction, Unreadable
from station.rules import loto_second_state
from station.rules.game import Ending, Outcome
from station.rules.loto_second_state import (
    SEATS,
    TAKES,
    TITLE,
    Drawn,
    Due,
    Phase,
    Setup,
    State,
    Terms,
)
from station.table import KNOBS

ROW_NAMES = ("-", "abstract", "ambo", "terne", "quaterne", "quinterne")


class Reason(StrEnum):
    """Why an action is not legal."""

    OVER = "game-over"
    DRAWING = "drawing"
    NOT_DRAWING = "not-drawing"
    DRAWN = "already-drawn"
    AWAY = "put-away"
    NO_KNOB = "no-such-knob"
    FULL_BOARD = "board-full"
    NOT_FULL = "board-not-full"
    NOTHING_DRAWN = "nothing-drawn"
    NO_SEAT = "no-such-seat"
    NO_CARD = "no-such-card"
    NOT_HELD = "not-held"
    NOT_FREE = "not-free"
    NO_CARDS_LEFT = "no-cards-left"
    NO_CHANGES = "no-changes"
    NOT_PAID = "stake-not-paid"
    ON_A_CARD = "on-a-card"
    RESOLVED = "resolved-already"
    NOT_SHORT = "not-short"
    SHORT = "pool-short"
    NOT_AN_ACTION = "not-an-action"


@dataclass(frozen=True, slots=True)
class Draw:
    """The drawer takes a knob out of the bag; counters are laid on its number."""

    number: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A card is exchanged for one that nobody has, or for another player's; both players agree.

    Attributes:
        seat, serial: whose card, and which.
        other: the other player's seat; 0 for a card that nobody has.
        wanted: the card that comes for it.
    """

    seat: int
    serial: str
    other: int
    wanted: str


@dataclass(frozen=True, slots=True)
class Finish:
    """Nobody adds to the pool: the game is finished, and what is not paid stays unpaid."""


@dataclass(frozen=True, slots=True)
class PutAway:
    """A knob of the last drawing whose number stands on no card taken is put away."""

    number: int


@dataclass(frozen=True, slots=True)
class Replenish:
    """Every player adds to the pool, by the cards he has."""


@dataclass(frozen=True, slots=True)
class Resolve:
    """The players agree to have only so many drawings more."""

    drawings: int


@dataclass(frozen=True, slots=True)
class Settle:
    """The drawing is over: laid counters are kept, rows are paid, the knobs go back."""


@dataclass(frozen=True, slots=True)
class Take:
    """A player takes one card more, the next of those that nobody has, and pays for it."""

    seat: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last knob of this drawing was wrong: it goes back, and so do the counters on its number."""


@dataclass(frozen=True, slots=True)
class ThrowUp:
    """A player throws a card up, and gets its share back."""

    seat: int
    serial: str


Action: TypeAlias = Draw | Exchange | Finish | PutAway | Replenish | Resolve | Settle | Take | TakeBack | ThrowUp


@dataclass(frozen=True, slots=True)
class Row:
    """What one row came to in a drawing.

    Attributes:
        laid: counters on it, which its player keeps.
        won: what it wins from the pool besides.
    """

    seat: int
    serial: str
    row: int
    laid: int
    won: int

    @property
    def name(self) -> str:
        """Abstract, ambo, terne, quaterne, quinterne, or a dash for a row without a counter."""
        return ROW_NAMES[self.laid]


def rows(state: State) -> tuple[Row, ...]:
    """Every row of every card that is taken, in the order of paying: from the drawer leftwards, in the last drawing from the eldest hand.

    The book's example: on its first card the drawing 11 33 17 22 43 65 2 90 1 3 makes an ambo, a quaterne and an abstract.
    """
    prizes = state.setup.terms.prizes
    first = 1 if state.last else state.drawer
    seats = [*range(first, state.setup.seats + 1), *range(1, first)]
    found = []
    for seat in seats:
        for serial in state.taken[seat - 1]:
            for row in range(len(state.setup.cards[serial].rows)):
                laid = state.on_row(serial, row)
                found.append(Row(seat, serial, row, laid, prizes[laid]))
    return tuple(found)


def takes(players: int, cards: int) -> tuple[int, ...]:
    """How many cards each seat takes when everybody plays the agreed stake: two, and the last seats one where there are not enough.

    >>> takes(3, 24), takes(13, 24)[-3:]
    ((2, 2, 2), (2, 1, 1))

    Raises:
        Unreadable: more players than cards, or none.
    """
    if not 1 <= players <= min(cards, SEATS):
        raise Unreadable(f"{players} players with {cards} cards: from 1 to {min(cards, SEATS)} can play")
    double = min(players, cards - players)
    return (2,) * double + (1,) * (players - double)


def counter_value(stake: int) -> int:
    """What one counter is worth, in minor units, for an agreed stake for two cards.

    Raises:
        Unreadable: the stake is no multiple of 120, so that a counter would be worth no whole unit.
    """
    if stake <= 0 or stake % 120:
        raise Unreadable(
            f"a stake of {stake} for two cards: it is a multiple of 120 minor units, so that a counter has a whole value"
        )
    return stake // 120


def _refuse(reason: Reason, message: str) -> IllegalAction:
    return IllegalAction(reason, message)


def _seat(state: State, seat: int) -> None:
    if not 1 <= seat <= state.setup.seats:
        raise _refuse(Reason.NO_SEAT, f"there is no seat {seat}: the seats are 1 to {state.setup.seats}")


def _held(state: State, seat: int, serial: str) -> None:
    _seat(state, seat)
    if serial not in state.setup.cards:
        raise _refuse(Reason.NO_CARD, f"there is no card {serial!r} in this pack: look at the card again")
    if serial not in state.taken[seat - 1]:
        raise _refuse(
            Reason.NOT_HELD, f"seat {seat} does not have card {serial}: it has {', '.join(state.taken[seat - 1]) or 'none'}"
        )


def _changes(state: State, what: str) -> None:
    """Whether cards may change hands now."""
    if state.phase is Phase.DRAWING:
        raise _refuse(Reason.DRAWING, f"a drawing is on: {what} before the next one")
    if not state.setup.changes and state.drawings:
        raise _refuse(Reason.NO_CHANGES, f"this company changes cards before the first drawing only: {what} in the next game")


def _with(values: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return (*values[: seat - 1], values[seat - 1] + more, *values[seat:])


def _with_cards(state: State, seat: int, cards: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return (*state.taken[: seat - 1], cards, *state.taken[seat:])


def _back_in_bag(state: State) -> State:
    """Put-away knobs whose numbers stand on a taken card again come back."""
    if not state.away:
        return state
    borne = {number for _, serial in state.held() for number in state.setup.cards[serial].numbers}
    return replace(state, away=tuple(number for number in state.away if number not in borne))


# -- cards -------------------------------------------------------------------------------------------------------------


def _take(state: State, seat: int) -> State:
    _seat(state, seat)
    _changes(state, "cards are taken")
    if state.phase is Phase.SHORT:
        raise _refuse(Reason.SHORT, "the pool is short: it is replenished first, then cards are taken")
    if not state.rest:
        raise _refuse(Reason.NO_CARDS_LEFT, "all cards of the pack are taken: exchange one with another player")
    terms = state.setup.terms
    if state.purses[seat - 1] < terms.a_card:
        raise _refuse(Reason.NOT_PAID, f"seat {seat} has {state.purses[seat - 1]} counters' worth; a card costs {terms.a_card}")
    cards = (*state.taken[seat - 1], state.rest[0])
    return _back_in_bag(
        replace(
            state,
            taken=_with_cards(state, seat, cards),
            rest=state.rest[1:],
            purses=_with(state.purses, seat, -terms.a_card),
            table=state.table + terms.on_table,
            pool=state.pool + terms.in_pool,
        )
    )


def _throw_up(state: State, seat: int, serial: str) -> State:
    _held(state, seat, serial)
    if state.phase is not Phase.SHORT:
        _changes(state, "cards are thrown up")
    table, pool = state.table // state.in_play, state.pool // state.in_play
    kept = state.on_card(serial) if state.drawn else 0
    cards = tuple(card for card in state.taken[seat - 1] if card != serial)
    drawn = _lifted(state, serial)
    after = replace(
        state,
        taken=_with_cards(state, seat, cards),
        rest=(*state.rest, serial),
        hands=_with(state.hands, seat, table + pool + kept),
        table=state.table - table,
        pool=state.pool - pool,
        drawn=drawn,
        uncovered=tuple(card for card in state.uncovered if card != serial),
    )
    if not after.in_play:
        return _redeemed(after)
    if after.phase is Phase.SHORT:
        return _go_on(after)
    return replace(after, drawer=after.drawer if after.taken[after.drawer - 1] else _next_seat(after))


def _lifted(state: State, serial: str) -> tuple[Drawn, ...]:
    """The knobs of the drawing without the counters on one card."""
    numbers = state.setup.cards[serial].numbers
    bare = state.numbers[-1] if serial in state.uncovered else None
    return tuple(replace(one, laid=one.laid - 1) if one.number in numbers and one.number != bare else one for one in state.drawn)


def _exchange(state: State, action: Exchange) -> State:
    _held(state, action.seat, action.serial)
    _changes(state, "cards are exchanged")
    if state.phase is Phase.SHORT:
        raise _refuse(Reason.SHORT, "the pool is short: it is replenished first, then cards are exchanged")
    mine = tuple(action.wanted if card == action.serial else card for card in state.taken[action.seat - 1])
    if action.other == 0:
        if action.wanted not in state.rest:
            raise _refuse(
                Reason.NOT_FREE, f"card {action.wanted} is not among those that nobody has: {', '.join(state.rest) or 'none'}"
            )
        rest = (*(card for card in state.rest if card != action.wanted), action.serial)
        return _back_in_bag(replace(state, taken=_with_cards(state, action.seat, mine), rest=rest))
    if action.other == action.seat:
        raise _refuse(Reason.NO_SEAT, f"seat {action.seat} cannot exchange cards with itself")
    _held(state, action.other, action.wanted)
    theirs = tuple(action.serial if card == action.wanted else card for card in state.taken[action.other - 1])
    after = replace(state, taken=_with_cards(state, action.seat, mine))
    return replace(after, taken=_with_cards(after, action.other, theirs))


def _put_away(state: State, number: int) -> State:
    if state.phase is not Phase.BETWEEN:
        raise _refuse(Reason.DRAWING, "a drawing is on: knobs are put away when it is settled")
    if number in state.away:
        raise _refuse(Reason.AWAY, f"{number} is put away already")
    if number not in state.bag:
        raise _refuse(Reason.NO_KNOB, f"there is no knob {number}: the bag holds 1 to {state.setup.terms.knobs}")
    for seat, serial in state.held():
        if number in state.setup.cards[serial].numbers:
            raise _refuse(Reason.ON_A_CARD, f"{number} stands on card {serial} of seat {seat}: its knob stays in the bag")
    return replace(state, away=tuple(sorted((*state.away, number))))


# -- a drawing ---------------------------------------------------------------------------------------------------------


def _begun(state: State) -> State:
    """The first knob of a drawing: what is on the table when it begins."""
    terms = state.setup.terms
    lent = min(terms.again * state.in_play, state.pool) if state.last and not state.table else 0
    return replace(state, phase=Phase.DRAWING, table=state.table + lent, pool=state.pool - lent)


def _draw(state: State, number: int) -> State:
    terms = state.setup.terms
    if not 1 <= number <= terms.knobs:
        raise _refuse(Reason.NO_KNOB, f"there is no knob {number}: the bag holds 1 to {terms.knobs}")
    if state.phase is Phase.SHORT:
        raise _refuse(Reason.SHORT, "the pool is short: it is replenished first, or the game is finished")
    if number in state.away:
        raise _refuse(
            Reason.AWAY, f"{number} is put away: it stands on no card that is taken; put the knob aside and draw another"
        )
    if number in state.numbers:
        place = state.numbers.index(number) + 1
        raise _refuse(Reason.DRAWN, f"{number} was drawn already: it lies in cavity {place}; put it aside")
    if len(state.drawn) == terms.cavities:
        raise _refuse(Reason.FULL_BOARD, f"all {terms.cavities} knobs of this drawing are drawn: settle it first")
    if state.phase is Phase.BETWEEN:
        state = _begun(state)
    if state.last and not state.table:
        raise _refuse(Reason.FULL_BOARD, "no counter is left on the table: the last drawing is over; settle it")
    bearing = tuple(serial for _, serial in state.held() if number in state.setup.cards[serial].numbers)
    return _laid(replace(state, drawn=(*state.drawn, Drawn(number, 0, 0)), uncovered=bearing))


def _laid(state: State) -> State:
    """Counters on the last knob's number, as far as the table goes, which takes from the pool; the eldest hand covers first."""
    wanted = len(state.uncovered)
    lent = 0 if state.last else min(max(0, wanted - state.table), state.pool)
    laid = min(wanted, state.table + lent)
    *before, newest = state.drawn
    newest = replace(newest, laid=newest.laid + laid, lent=newest.lent + lent)
    after = replace(
        state,
        drawn=(*before, newest),
        uncovered=state.uncovered[laid:],
        table=state.table + lent - laid,
        pool=state.pool - lent,
        phase=Phase.DRAWING,
    )
    return replace(after, phase=Phase.SHORT) if after.uncovered and not after.last else after


def _take_back(state: State) -> State:
    if not state.drawn or state.dues:
        raise _refuse(Reason.NOTHING_DRAWN, "no knob of this drawing can be taken back: none is drawn, or it is being paid")
    *before, newest = state.drawn
    after = replace(
        state,
        drawn=tuple(before),
        uncovered=(),
        table=state.table + newest.laid - newest.lent,
        pool=state.pool + newest.lent,
        phase=Phase.DRAWING,
    )
    return after


def _settle(state: State) -> State:
    terms = state.setup.terms
    if state.phase is Phase.SHORT:
        raise _refuse(Reason.SHORT, "the pool is short: it is replenished first, or the game is finished")
    over = state.last and not (_begun(state) if state.phase is Phase.BETWEEN else state).table
    if not over and len(state.drawn) < terms.cavities:
        raise _refuse(Reason.NOT_FULL, f"{len(state.drawn)} knobs of {terms.cavities} are drawn: draw on, then settle")
    return _settled(state)


def _settled(state: State) -> State:
    """Laid counters to the hands, then what rows won, as far as the pool goes."""
    found = rows(state)
    hands = state.hands
    for row in found:
        hands = _with(hands, row.seat, row.laid)
    dues = tuple(Due(row.seat, row.serial, row.row, row.won) for row in found if row.won)
    # The knobs go back into the bag: who has drawn, and what was drawn, is told by the record.
    return _go_on(replace(state, hands=hands, drawn=(), uncovered=(), dues=dues, phase=Phase.DRAWING))


def _go_on(state: State) -> State:
    """Goes on where the pool was short: covering first, then paying."""
    if state.uncovered:
        return _laid(state)
    if state.drawn:
        return replace(state, phase=Phase.DRAWING)
    state = _paid(state)
    if state.dues and not state.last:
        return replace(state, phase=Phase.SHORT)
    state = replace(state, drawings=state.drawings + 1)
    if state.last:
        return _redeemed(replace(state, unpaid=state.dues, dues=()))
    left = None if state.left is None else state.left - 1
    return replace(state, phase=Phase.BETWEEN, left=left, drawer=_next_seat(state))


def _paid(state: State) -> State:
    pool, purses, hands = state.pool, state.purses, state.hands
    dues = list(state.dues)
    while dues and pool:
        due = dues.pop(0)
        now = min(due.counters, pool)
        pool -= now
        if state.setup.in_money:
            purses = _with(purses, due.seat, now)
        else:
            hands = _with(hands, due.seat, now)
        if now < due.counters:
            dues.insert(0, replace(due, counters=due.counters - now))
    return replace(state, pool=pool, purses=purses, hands=hands, dues=tuple(dues))


def _next_seat(state: State) -> int:
    """Who has the bag next: the next on the left who has a card."""
    seats = state.setup.seats
    order = ((state.drawer + step) % seats + 1 for step in range(seats))
    return next((seat for seat in order if state.taken[seat - 1]), state.drawer)


def _replenish(state: State) -> State:
    exhausted = state.phase is Phase.BETWEEN and not state.pool
    if state.phase is not Phase.SHORT and not exhausted:
        raise _refuse(Reason.NOT_SHORT, f"the pool holds {state.pool} counters: it is replenished when it is exhausted")
    each = state.setup.terms.in_pool
    purses = state.purses
    for seat, cards in enumerate(state.taken, 1):
        if purses[seat - 1] < each * len(cards):
            raise _refuse(
                Reason.NOT_PAID,
                f"seat {seat} has {purses[seat - 1]} counters' worth, and {each * len(cards)} are to be added: it throws up cards first",
            )
        purses = _with(purses, seat, -each * len(cards))
    after = replace(state, purses=purses, pool=state.pool + each * state.in_play)
    return _go_on(after) if state.phase is Phase.SHORT else after


def _finish(state: State) -> State:
    if state.phase is not Phase.SHORT:
        raise _refuse(Reason.NOT_SHORT, "the pool is not short: agree on a number of drawings more, and play them")
    if state.drawn:
        # Covering could not go on: what lies is kept, and pays nothing, for there is nothing to pay with.
        found = rows(state)
        hands = state.hands
        for row in found:
            hands = _with(hands, row.seat, row.laid)
        dues = tuple(Due(row.seat, row.serial, row.row, row.won) for row in found if row.won)
        state = replace(state, hands=hands, drawn=(), uncovered=(), dues=dues)
    return _redeemed(replace(_paid(state), drawings=state.drawings + 1))


def _redeemed(state: State) -> State:
    """The end: what is not paid stays unpaid; counters are redeemed; what is left goes back by card."""
    purses = tuple(purse + hand for purse, hand in zip(state.purses, state.hands, strict=True))
    cards = list(state.held())
    left = state.table + state.pool
    if cards:
        each, odd = divmod(left, len(cards))
        for place, (seat, _) in enumerate(cards):
            purses = _with(purses, seat, each + (place < odd))
        left = 0
    return replace(
        state,
        phase=Phase.OVER,
        purses=purses,
        hands=(0,) * len(purses),
        table=0,
        pool=left,
        drawn=(),
        uncovered=(),
        dues=(),
        unpaid=(*state.unpaid, *state.dues),
    )


def _resolve(state: State, drawings: int) -> State:
    if state.phase is not Phase.BETWEEN:
        raise _refuse(Reason.DRAWING, "a drawing is on: agree when it is settled")
    if state.left is not None:
        raise _refuse(Reason.RESOLVED, f"it was resolved already: {state.left} drawings more")
    if drawings < 1:
        raise _refuse(Reason.NOT_AN_ACTION, f"{drawings} drawings more: the last one is still to be played, so it is 1 at least")
    return replace(state, left=drawings)


class LotoSecond:
    """Loto, Second Method, as a `Game`."""

    name = "loto-second"
    title = TITLE

    def start(self, setup: Setup) -> State:
        """Cards are drawn and stakes paid. Raises `Unreadable` for a company that cannot play."""
        cards = tuple(setup.cards)
        terms = setup.terms
        if not 1 <= setup.seats <= SEATS or len(setup.purses) != setup.seats:
            raise Unreadable(f"{setup.seats} seats and {len(setup.purses)} purses: 1 to {SEATS} can play, each with a purse")
        if sum(setup.takes) > len(cards):
            raise Unreadable(f"{setup.seats} players want {sum(setup.takes)} cards, the pack has {len(cards)}: some take fewer")
        for seat, (count, purse) in enumerate(zip(setup.takes, setup.purses, strict=True), 1):
            if count not in TAKES:
                raise Unreadable(f"seat {seat} takes {count} cards: it is one, two, four or six")
            if purse < count * terms.a_card:
                raise Unreadable(f"seat {seat} has {purse} counters' worth; {count} cards cost {count * terms.a_card}")
        _check_terms(setup)
        taken, first = [], 0
        for count in setup.takes:
            taken.append(cards[first : first + count])
            first += count
        purses = tuple(purse - count * terms.a_card for count, purse in zip(setup.takes, setup.purses, strict=True))
        hands = (0,) * setup.seats
        return State(setup, tuple(taken), cards[first:], purses, hands, terms.on_table * first, terms.in_pool * first)

    def actions(self, state: State) -> Iterator[Action]:
        """In the order of the names of the actions; `Resolve(1)` stands for any number of drawings."""
        for action in self._tried(state):
            try:
                self.apply(state, action)
            except IllegalAction:
                continue
            yield action

    def _tried(self, state: State) -> Iterator[Action]:
        held = list(state.held())
        yield from (Draw(number) for number in range(1, state.setup.terms.knobs + 1))
        for seat, serial in sorted(held):
            yield from (Exchange(seat, serial, 0, wanted) for wanted in sorted(state.rest))
            yield from (Exchange(seat, serial, other, wanted) for other, wanted in sorted(held) if other != seat)
        yield Finish()
        yield from (PutAway(number) for number in range(1, state.setup.terms.knobs + 1))
        yield Replenish()
        yield Resolve(1)
        yield Settle()
        yield from (Take(seat) for seat in range(1, state.setup.seats + 1))
        yield TakeBack()
        yield from (ThrowUp(seat, serial) for seat, serial in sorted(held))

    def apply(self, state: State, action: Action) -> State:
        """Raises `IllegalAction` with a `Reason`."""
        if state.phase is Phase.OVER:
            raise _refuse(Reason.OVER, "the game is over and redeemed: begin another")
        match action:
            case Draw(number):
                return _draw(state, number)
            case Exchange():
                return _exchange(state, action)
            case Finish():
                return _finish(state)
            case PutAway(number):
                return _put_away(state, number)
            case Replenish():
                return _replenish(state)
            case Resolve(drawings):
                return _resolve(state, drawings)
            case Settle():
                return _settle(state)
            case Take(seat):
                return _take(state, seat)
            case TakeBack():
                return _take_back(state)
            case ThrowUp(seat, serial):
                return _throw_up(state, seat, serial)
        raise _refuse(Reason.NOT_AN_ACTION, f"{action!r} is not an action of {self.title}")

    def outcome(self, state: State) -> Outcome | None:
        """`WON` when all was paid; the winners are the seats whose purse grew."""
        if state.phase is not Phase.OVER:
            return None
        purses = zip(state.setup.purses, state.purses, strict=True)
        richer = tuple(str(seat) for seat, (before, after) in enumerate(purses, 1) if after > before)
        return Outcome(Ending.CLOSED if state.unpaid else Ending.WON, richer)

    def funds(self, state: State) -> Mapping[str, int]:
        """Purses and hands of all seats, the table, what lies on cards, the pool."""
        funds = {f"purse:{seat}": purse for seat, purse in enumerate(state.purses, 1)}
        funds |= {f"hand:{seat}": hand for seat, hand in enumerate(state.hands, 1)}
        return {**funds, "table": state.table, "cards": state.laid, "pool": state.pool}

    def notation(self, state: State) -> str:
        """The state on one line."""
        return loto_second_state.notation(state)

    def parse(self, setup: Setup, text: str) -> State:
        """Raises `Unreadable` when the text is not a state, or not one of this setup."""
        return loto_second_state.parse(setup, text)

    def view(self, state: State, seat: str | None) -> Mapping[str, Any]:
        """Everything lies on the table: everybody sees all of it; a seat sees its own cards besides."""
        seen: dict[str, Any] = {
            "drawn": state.numbers,
            "drawer": state.drawer,
            "table": state.table,
            "pool": state.pool,
            "hands": state.hands,
            "phase": state.phase,
            "last": state.last,
            "unpaid": state.unpaid,
        }
        if seat is not None and seat.isdecimal() and 1 <= int(seat) <= state.setup.seats:
            seen["cards"] = state.taken[int(seat) - 1]
        return seen


def _check_terms(setup: Setup) -> None:
    terms: Terms = setup.terms
    if not 1 <= terms.knobs <= KNOBS or not 1 <= terms.cavities <= terms.knobs:
        raise Unreadable(
            f"{terms.cavities} cavities and {terms.knobs} knobs: it is 1 to {KNOBS} knobs, and no more cavities than knobs"
        )
    numbers: Iterable[int]
    for serial, card in setup.cards.items():
        numbers = card.numbers
        if foreign := sorted(number for number in numbers if not 1 <= number <= terms.knobs):
            raise Unreadable(f"card {serial} bears {foreign[0]}: the bag holds 1 to {terms.knobs}")
        if max(map(len, card.rows)) >= len(terms.prizes):
            raise Unreadable(
                f"card {serial} has a row of {max(map(len, card.rows))}: prizes are known for {len(terms.prizes) - 1}"
            )


GAME = LotoSecond()
