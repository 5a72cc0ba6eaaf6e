"""Play Loto, Second Method, by its rules: legal actions, and a game on one line.

On a line first come the sizes and settings: counters a card for table and pool, prizes, knobs in a
drawing and in the bag, counters a card for an empty table. A drawn knob is `number:laid:lent`, a
row's due `seat:card:row:counters`, an offer `seat:card:other:wanted`. What later players came with
is written once somebody has joined.

Ten knobs are drawn, every row of every card is paid by the counters on it, and the knobs go back.

The players draw their cards and deposit a stake; a counter's value follows from it. Of the sixty
counters that each card gives, fifteen lie on the table for covering, and forty-five are the pool.
The eldest hand has the bag first, then the next on the left. At each knob all players lay a counter
from the table on the number, on every card of theirs that bears it. After the tenth they keep what
lies on their cards, and each row wins from the pool by the counters on it.

Where the book is silent, this is how a careful host decides (**Decision**). All of it, beside the
book's words, stands in docs/rules.md.

- More players than cards cannot play. Where there are more than half as many players as cards, the
  last seats take one card.
- The census before each drawing is the hall's: the rules know no knob but by its number, and tell
  what must be in the bag (`State.bag`).
- What a player lays down comes from the counters he has won, then from his purse.
- A card thrown up gets back its equal share by card of table and of pool, each rounded down; an
  additional card pays its sixty, also while the pool is short, when paying goes on with it. Rows
  that have won are paid to whoever had the card in the drawing. A card thrown up in mid-drawing,
  where nothing is left to cover with, takes the counters on it along, and its rows win nothing.
- Who joins later has the seat after the last, on the last one's left: the eldest hand stays where
  it is. He joins where cards may change hands, while one is free for him, and can pay for it; he
  takes it then like anybody else, and until then he has neither the bag nor a share.
- Exchange with another player waits until he agrees, where the company wants each change confirmed;
  nothing else is done before.
- A table short of counters takes them from the pool. When neither has enough, the players add as
  below, and go on covering.
- A pool that cannot pay pays what it has, from the drawer leftwards, card by card, row by row from
  the top; then every player adds forty-five counters a card, as often as needed, and paying goes
  on. Who will not add throws up his cards first. If nobody adds, the game is finished: what is not
  paid stays unpaid, and all is redeemed. An exhausted pool may also be replenished before a
  drawing.
- The last drawing is over as soon as no counter is left on the table, and never goes past ten
  knobs. A table that is empty at its start takes two counters a card from the pool, as far as that
  goes. With fewer counters left than squares to cover the eldest hand covers first. Nothing is
  added to the pool: rows are paid from the eldest hand leftwards as far as it goes, and who is
  reached when it runs short takes what is left. The others remain unpaid: a Bankruptcy.
- At the end the counters won are redeemed; what is left in pool and on the table goes back equally
  by card, odd ones one each to the cards from the eldest hand on.
- A knob may be put away after the drawing in which it was drawn, while its number stands on no card
  that is taken and the bag has more knobs than a drawing takes; it comes back when somebody takes a
  card that bears it.
- Only the last knob can be taken back, and only before the drawing is settled.
- A game that is broken off (`station.games.loto_second.drawing.broken`) ends like any other, but
  that a drawing that is on counts for nothing: its knobs and counters go back first. What rows of a
  settled drawing were still owed stays unpaid.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from urllib.parse import unquote

from station.base.errors import IllegalAction, Unreadable
from station.base.nouns import KNOBS
from station.games.loto_second import drawing
from station.games.loto_second.drawing import settled
from station.games.loto_second.state import (
    TAKES,
    TITLE,
    Action,
    Agree,
    Decline,
    Draw,
    Drawn,
    Due,
    Exchange,
    Finish,
    GamePhase,
    Join,
    PutAway,
    Reason,
    Replenish,
    Resolve,
    Settle,
    Setup,
    State,
    Take,
    TakeBack,
    ThrowUp,
)
from station.rules.game import Ending, GameRules, Outcome, unknown
from station.rules.notations import parsed, row, things, word, words
from station.rules.seating import SEATS, by_seat, check_company, check_numbers, deal, moves
from station.rules.terms import BOOK

_STATE = re.compile(
    r"(?P<head>terms=\S+ register=\S+) (?P<phase>[a-z]+) drawer=(?P<drawer>\d+)"
    r" drawings=(?P<drawings>\d+) "
    r"left=(?P<left>-|\d+) table=(?P<table>\d+) pool=(?P<pool>\d+) purses=(?P<purses>\S+)"
    r" hands=(?P<hands>\S+) "
    r"taken=(?P<taken>\S+) rest=(?P<rest>\S+) drawn=(?P<drawn>\S+) came=(?P<came>\S+)"
    r" uncovered=(?P<uncovered>\S+) "
    r"away=(?P<away>\S+) dues=(?P<dues>\S+) unpaid=(?P<unpaid>\S+)(?: joined=(?P<joined>\S+))?(?:"
    r" offer=(?P<offer>\S+))?"
)


def notation(state: State) -> str:
    """Return the state on one line; the register's digest stands for the cards' numbers."""
    taken = "/".join(map(words, state.taken))
    drawn = row(f"{one.number}:{one.laid}:{one.lent}" for one in state.drawn)
    offer = state.offer
    return (
        f"{_head(state.setup)} {state.phase} drawer={state.drawer} drawings={state.drawings}"
        f" left={'-' if state.left is None else state.left} table={state.table} pool={state.pool}"
        f" purses={row(state.purses)} hands={row(state.hands)} taken={taken}"
        f" rest={words(state.rest)} drawn={drawn} came={row(state.came)}"
        f" uncovered={words(state.uncovered)} away={row(state.away)}"
        f" dues={_dues(state.dues)} unpaid={_dues(state.unpaid)}"
        + (f" joined={row(state.joined)}" if state.joined else "")
        + (f" offer={_offer(offer)}" if offer is not None else "")
    )


def _head(setup: Setup) -> str:
    terms = setup.terms
    prizes = "/".join(map(str, terms.prizes))
    drawn = f"{terms.cavities}of{terms.knobs}"
    sizes = f"{terms.on_table}+{terms.in_pool}:{prizes}:{drawn}:{terms.again}"
    changes = "fixed" if not setup.changes else "changes"
    paid = f"{'money' if setup.in_money else 'counters'}*{setup.value}"
    return (
        f"terms={sizes}:{changes}:{'confirmed' if setup.confirm else 'told'}:{paid}"
        f" register={setup.register or '-'}"
    )


def _dues(dues: tuple[Due, ...]) -> str:
    return row(f"{due.seat}:{word(due.serial)}:{due.row}:{due.counters}" for due in dues)


def _offer(offer: Exchange) -> str:
    return f"{offer.seat}:{word(offer.serial)}:{offer.other}:{word(offer.wanted)}"


def parse(setup: Setup, text: str) -> State:
    """Return the state that `notation` wrote; raises `Unreadable` as `parsed` does."""
    return parsed(_STATE, text, TITLE, _head(setup), partial(_read, setup), notation, _possible)


def _read(setup: Setup, match: re.Match[str]) -> State:
    return State(
        setup,
        taken=tuple(_read_words(cards) for cards in match["taken"].split("/")),
        rest=_read_words(match["rest"]),
        purses=_read_numbers(match["purses"]),
        hands=_read_numbers(match["hands"]),
        table=int(match["table"]),
        pool=int(match["pool"]),
        drawer=int(match["drawer"]),
        drawings=int(match["drawings"]),
        left=None if match["left"] == "-" else int(match["left"]),
        phase=GamePhase(match["phase"]),
        drawn=tuple(map(_read_drawn, things(match["drawn"]))),
        came=_read_numbers(match["came"]),
        uncovered=_read_words(match["uncovered"]),
        away=_read_numbers(match["away"]),
        dues=tuple(map(_read_due, things(match["dues"]))),
        unpaid=tuple(map(_read_due, things(match["unpaid"]))),
        joined=_read_numbers(match["joined"]),
        offer=_read_offer(match["offer"]) if match["offer"] else None,
    )


def _read_words(text: str) -> tuple[str, ...]:
    return tuple(map(unquote, things(text)))


def _read_numbers(text: str | None) -> tuple[int, ...]:
    return tuple(map(int, things(text)))


def _read_drawn(text: str) -> Drawn:
    number, laid, lent = map(int, text.split(":"))
    return Drawn(number, laid, lent)


def _read_due(text: str) -> Due:
    seat, serial, row, counters = text.split(":")
    return Due(int(seat), unquote(serial), int(row), int(counters))


def _read_offer(text: str) -> Exchange:
    seat, serial, other, wanted = text.split(":")
    return Exchange(int(seat), unquote(serial), int(other), unquote(wanted))


def _possible(state: State) -> bool:
    """Return whether a state can occur: each card once, each knob once, no counter made or lost,
    and only what its phase may have."""
    setup = state.setup
    cards = sorted([serial for _, serial in state.held()] + list(state.rest))
    return (
        len(state.purses) == len(state.hands) == len(state.came_with) == state.seats <= SEATS
        and 1 <= state.drawer <= state.seats
        and cards == sorted(setup.cards)
        and all(units >= 0 for units in (*state.purses, *state.hands))
        and sum(state.purses) + sum(state.hands) + state.table + state.pool + state.laid
        == sum(state.came_with)
        and all(purse >= setup.terms.a_card for purse in state.joined)
        and _knobs_right(state)
        and _phase_right(state)
        and all(_due_right(state, due) for due in (*state.dues, *state.unpaid))
        and (state.offer is None or _offer_right(state, state.offer))
    )


def _knobs_right(state: State) -> bool:
    terms = state.setup.terms
    knobs = [*state.numbers, *state.away]
    bare = dict.fromkeys(state.uncovered)
    return (
        len(set(knobs)) == len(knobs)
        and len(set(state.came)) == len(state.came) <= terms.cavities
        and all(1 <= knob <= terms.knobs for knob in (*knobs, *state.came))
        and list(state.away) == sorted(state.away)
        and not any(state.bearing(knob) for knob in state.away)
        and len(state.drawn) <= terms.cavities <= terms.knobs - len(state.away)
        and (not bare or bool(state.drawn))
        # Counters are laid from the eldest hand on: the cards without one are the last of those
        # that bear the number.
        and (not bare or state.bearing(state.numbers[-1])[-len(bare) :] == state.uncovered)
        and all(
            one.laid
            == len(state.bearing(one.number)) - (len(bare) if one is state.drawn[-1] else 0)
            for one in state.drawn
        )
    )


def _phase_right(state: State) -> bool:
    short = state.phase is GamePhase.SHORT
    return (
        (bool(state.drawn) if state.phase is GamePhase.DRAWING else short or not state.drawn)
        and (
            not state.uncovered
            or short
            or (state.last and state.phase is GamePhase.DRAWING and not state.table)
        )
        and (
            not short
            or (
                bool(state.dues) != bool(state.uncovered)
                and bool(state.uncovered) == bool(state.drawn)
            )
        )
        and (not short or (not state.pool and not state.last))
        and (short or not state.dues)
        and (state.phase is GamePhase.OVER or (bool(state.in_play) and not state.unpaid))
        and (
            state.phase is not GamePhase.OVER or not (state.table or state.pool or any(state.hands))
        )
        and (state.left is None or state.left > 0)
        and (
            bool(state.drawings)
            or not state.came
            or state.phase in (GamePhase.SHORT, GamePhase.OVER)
        )
    )


def _due_right(state: State, due: Due) -> bool:
    cards = state.setup.cards
    return (
        1 <= due.seat <= state.seats
        and due.serial in cards
        and 0 <= due.row < len(cards[due.serial].rows)
        and due.counters > 0
    )


def _offer_right(state: State, offer: Exchange) -> bool:
    seats = range(1, state.seats + 1)
    return (
        state.setup.confirm
        and state.phase in (GamePhase.BETWEEN, GamePhase.SHORT)
        and not state.drawn
        and offer.seat != offer.other
        and offer.seat in seats
        and offer.other in seats
        and offer.serial in state.taken[offer.seat - 1]
        and offer.wanted in state.taken[offer.other - 1]
    )


# -- legal actions ---------------------------------------------------------------------------------

A_STAKE = 2 * BOOK.a_card  # counters for the agreed stake, which is for two cards
# What players ask for between the knobs. Knobs come and go by `Draw` and `TakeBack`; a player who
# joins also needs a name.
MOVES = moves(Agree, Decline, Exchange, Finish, PutAway, Replenish, Resolve, Settle, Take, ThrowUp)


def counter_value(stake: int) -> int:
    """Return what one counter is worth, in minor units, for an agreed stake for two cards.

    >>> counter_value(240)
    2

    Raises:
        Unreadable: the stake is not a multiple of 120, so that a counter would not be worth a whole
            number of units.
    """
    if stake <= 0 or stake % A_STAKE:
        raise Unreadable(
            f"a stake of {stake} for two cards: make it a multiple of {A_STAKE}, so that each"
            " counter has a whole value"
        )
    return stake // A_STAKE


class LotoSecondRules(GameRules[Setup, State, Action]):
    """The rules of Loto, Second Method."""

    name = "loto-second"
    title = TITLE
    moves = MOVES

    def start(self, setup: Setup) -> State:
        """Return the state with cards drawn and stakes paid.

        Raises:
            Unreadable: this company cannot play.
        """
        _check(setup)
        terms, count = setup.terms, sum(setup.takes)
        taken, rest = deal(tuple(setup.cards), setup.takes)
        return State(
            setup,
            taken,
            rest=rest,
            purses=tuple(
                purse - cards * terms.a_card
                for cards, purse in zip(setup.takes, setup.purses, strict=True)
            ),
            hands=(0,) * len(setup.takes),
            table=terms.on_table * count,
            pool=terms.in_pool * count,
            drawer=next(seat for seat, cards in enumerate(setup.takes, 1) if cards),
        )

    def legal_actions(self, state: State) -> Iterator[Action]:
        """Yield the legal actions, in the order of their names; `Resolve(1)` stands for any number
        of drawings, `Join` with a card's price for any purse."""
        for action in self._tried(state):
            try:
                self.apply(state, action)
            except IllegalAction:
                continue
            yield action

    def _tried(self, state: State) -> Iterator[Action]:
        held = sorted(state.held())
        yield from (Agree(), Decline())
        yield from map(Draw, sorted(state.bag))
        for seat, serial in held:
            yield from (Exchange(seat, serial, 0, wanted) for wanted in sorted(state.rest))
            yield from (
                Exchange(seat, serial, other, wanted) for other, wanted in held if other != seat
            )
        yield Finish()
        yield Join(state.setup.terms.a_card)
        yield from map(PutAway, sorted(state.came))
        yield from (Replenish(), Resolve(1), Settle())
        yield from map(Take, range(1, state.seats + 1))
        yield TakeBack()
        yield from (ThrowUp(seat, serial) for seat, serial in held)

    def apply(self, state: State, action: Action) -> State:
        """Return the state after an action.

        Raises:
            IllegalAction: the rules refuse the action, with a `Reason`.
        """
        return settled(state, action, self._applied(state, action))

    def _applied(self, state: State, action: Action) -> State:  # noqa: C901 - a case for each
        if state.phase is GamePhase.OVER:
            why = "the game is over and all counters are redeemed: begin another"
            raise IllegalAction(Reason.OVER, why)
        if state.offer is not None and not isinstance(action, Agree | Decline):
            offer = state.offer
            why = (
                "seat {seat} is asked for card {wanted}, for card {serial}: let it agree or decline"
            )
            raise IllegalAction(
                Reason.OFFERED, why, seat=offer.other, wanted=offer.wanted, serial=offer.serial
            )
        match action:
            case Agree():
                return drawing.answer(state, True)
            case Decline():
                return drawing.answer(state, False)
            case Draw(number):
                return drawing.draw(state, number)
            case Exchange():
                return drawing.exchange(state, action)
            case Finish():
                return drawing.finish(state)
            case Join(purse):
                return drawing.join(state, purse)
            case PutAway(number):
                return drawing.put_away(state, number)
            case Replenish():
                return drawing.replenish(state)
            case Resolve(drawings):
                return drawing.resolve(state, drawings)
            case Settle():
                return drawing.settle(state)
            case Take(seat):
                return drawing.take(state, seat)
            case TakeBack():
                return drawing.take_back(state)
            case ThrowUp(seat, serial):
                return drawing.throw_up(state, seat, serial)
        raise unknown(Reason.NOT_AN_ACTION, action, self.title)

    def outcome(self, state: State) -> Outcome | None:
        """Return the outcome: `WON` when all was paid, `CLOSED` with a Bankruptcy; the winners are
        the seats that have more than they came with."""
        if state.phase is not GamePhase.OVER:
            return None
        purses = zip(state.came_with, state.purses, strict=True)
        richer = tuple(
            str(seat) for seat, (before, after) in enumerate(purses, 1) if after > before
        )
        return Outcome(Ending.CLOSED if state.unpaid else Ending.WON, richer)

    def funds(self, state: State) -> Mapping[str, int]:
        """Return the purses and hands of all seats, the table, what lies on cards, and the pool: in
        counters, each counted with its money.

        The reserve is the money behind the counters that are out (`State.reserve`), and is not
        counted a second time.
        """
        funds = by_seat(purse=state.purses, hand=state.hands)
        return {**funds, "table": state.table, "cards": state.laid, "pool": state.pool}

    notation, parse = staticmethod(notation), staticmethod(parse)


def _check(setup: Setup) -> None:
    """Check that this company can play.

    Raises:
        Unreadable: it cannot; the message says why.
    """
    terms = setup.terms
    check_company(setup.takes, setup.purses, len(setup.cards))
    for seat, (count, purse) in enumerate(zip(setup.takes, setup.purses, strict=True), 1):
        if count not in TAKES:
            raise Unreadable(
                f"seat {seat} wants {count} cards: it is one, two, four or six, or none for who"
                " looks on at first"
            )
        if purse < count * terms.a_card:
            raise Unreadable(
                f"seat {seat} has {purse} counters' worth; {count} cards cost"
                f" {count * terms.a_card}"
            )
    if setup.value < 1:
        raise Unreadable(f"a counter worth {setup.value}: it is worth one minor unit at least")
    if not 1 <= terms.knobs <= KNOBS or not 1 <= terms.cavities <= terms.knobs:
        raise Unreadable(
            f"{terms.cavities} of {terms.knobs} knobs: there are 1 to {KNOBS}, and a drawing takes"
            " no more than there are"
        )
    if min(terms.on_table, terms.in_pool, terms.again, *terms.prizes) < 0:
        raise Unreadable(f"{terms}: no counters are below zero")
    check_numbers(setup.cards, terms.knobs)
    for serial, card in setup.cards.items():
        longest = max(map(len, card.rows))
        if longest >= len(terms.prizes):
            raise Unreadable(
                f"card {serial} has {longest} numbers in a row: prizes are known for up to"
                f" {len(terms.prizes) - 1}"
            )
