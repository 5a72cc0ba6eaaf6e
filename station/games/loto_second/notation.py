"""Write a game of Loto, Second Method, on one line, and read it back.

First come the sizes and settings: counters a card for table and pool, prizes, knobs in a drawing
and in the bag, counters a card for an empty table. A drawn knob is `number:laid:lent`, a row's due
`seat:card:row:counters`, an offer `seat:card:other:wanted`. What later players came with is written
once somebody has joined.
"""

from __future__ import annotations

import re
from functools import partial
from urllib.parse import unquote

from station.games.loto_second.actions import Exchange
from station.games.loto_second.state import TITLE, Drawn, Due, GamePhase, Setup, State
from station.rules.notations import parsed, row, things, word, words
from station.rules.seating import SEATS

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
