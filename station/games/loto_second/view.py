"""Show Loto, Second Method, its drawing and its rows, and say what happens in it. Pure.

Everybody sees cards and counters; purses are for the host and their owners.
"""

from __future__ import annotations

from collections.abc import Iterator

from station.base.nouns import KNOBS, Card
from station.games.loto_second.drawing import step, won_rows
from station.games.loto_second.state import (
    Action,
    Agree,
    Decline,
    Draw,
    Exchange,
    GamePhase,
    Payment,
    PutAway,
    Replenish,
    Resolve,
    SettledRow,
    Settlement,
    State,
    Take,
    ThrowUp,
)
from station.rules.box import in_pieces
from station.rules.patterns import ROW_NAMES
from station.rules.play import Played, Saying
from station.rules.seen import (
    Amount,
    Caption,
    Knob,
    Lead,
    NumberCard,
    Phrase,
    Pile,
    Score,
    SeatName,
    Seen,
    Viewer,
    Watching,
    Zone,
    outcome,
    phrase,
)

CLASSES = ROW_NAMES[1:]  # of one counter on a row, of two, …


def view(state: State, viewer: Viewer, telling: int | None = None) -> Seen:
    """Return what a viewer sees.

    Args:
        telling: which of the settlement's winning rows is being told.
    """
    last = state.settlement
    rows = won_rows(last) if telling is not None else ()
    told = next(iter(rows[telling:]), None)
    again = None if telling is None else last
    over = state.phase is GamePhase.OVER
    return Seen(
        _text(state),
        (
            *_of_seats(state, again, told, in_money=viewer is Watching.HOST),
            *_middle(state, last, told),
            *_rows(state, last, viewer),
        ),
        turn=frozenset({state.offer.other}) if state.offer is not None else frozenset(),
        leads=0 if over else state.drawer,
        has=Lead.BAG,
        counted=True,
        free=tuple(_card(state, serial) for serial in state.rest),
    )


def counting(state: State) -> Phrase:
    """Return what is shown while the bag is counted."""
    return phrase("table-count", name=SeatName(state.drawer), count=len(state.bag))


def _text(state: State) -> Phrase:
    if state.phase is GamePhase.OVER:
        unpaid = sum(due.counters for due in state.unpaid)
        return phrase("bankruptcy", sum=_prize(unpaid, state)) if unpaid else phrase("table-over")
    if state.offer is not None:
        return _offer(state)[0]
    match step(state):
        case "draw":
            return phrase("table-draws", name=SeatName(state.drawer))
        case "settle":
            return phrase("table-settle")
    return phrase("table-add", counters=state.setup.terms.in_pool)


def _offer(state: State) -> tuple[Phrase, ...]:
    offer = state.offer
    if offer is None:
        return ()
    name = SeatName(offer.other)
    return (phrase("table-offer", name=name, wanted=offer.wanted, serial=offer.serial),)


def _prize(counters: int, state: State) -> Amount:
    """Return a sum from the pool as the player gets it: in counters, or at once in money."""
    return Amount(counters, in_money=state.setup.in_money)


# -- zones -------------------------------------------------------------------------


def _of_seats(
    state: State, again: Settlement | None, told: SettledRow | None, *, in_money: bool
) -> Iterator[Zone]:
    """Yield the zones of the seats; the host, who pays out, is told of money at the end."""
    for seat, serials in enumerate(state.taken, 1):
        cards = (
            _card(
                state,
                serial,
                _covered(state, again, serial),
                told.row + 1 if told is not None and told.serial == serial else 0,
            )
            for serial in serials
        )
        yield Zone("cards", tuple(cards), seat)
        if state.phase is GamePhase.OVER:
            yield Zone("outcome", (Caption(_outcome(state, seat, in_money=in_money)),), seat)
        else:
            yield Zone("hand", (Pile(Amount(state.hands[seat - 1])),), seat)


def _card(state: State, serial: str, covered: tuple[int, ...] = (), told: int = 0) -> NumberCard:
    card = state.setup.cards[serial]
    return NumberCard(serial, card.rows, covered, told, card.tens_last)


def _covered(state: State, again: Settlement | None, serial: str) -> tuple[int, ...]:
    """Return the numbers with counters; while a settlement is told, those of its drawing."""
    covered = tuple(sorted(state.covered(serial)))
    if covered or again is None:
        return covered
    return tuple(sorted(_lay(again, state.setup.cards[serial])))


def _lay(last: Settlement, card: Card) -> tuple[int, ...]:
    """Return the numbers of a card that had a counter when the drawing was settled; for the last
    knob the table may have had none left."""
    counters = sum(row.laid for row in last.rows if row.serial == card.serial)
    return tuple(number for number in last.numbers if number in card.numbers)[:counters]


def _outcome(state: State, seat: int, *, in_money: bool = False) -> Phrase:
    gain = state.purses[seat - 1] - state.came_with[seat - 1]
    return outcome(gain, in_money=in_money or state.setup.in_money)


def _middle(state: State, last: Settlement | None, told: SettledRow | None) -> Iterator[Zone]:
    numbers = state.numbers
    yield Zone("board", tuple(Knob(number, number == numbers[-1]) for number in numbers))
    for key, units in (("pool", state.pool), ("on-table", state.table), ("reserve", state.reserve)):
        yield Zone(key, (Pile(Amount(units)),), label=phrase(key))
    if last is not None:
        yield _settlement_zone(state, last, told)
    lines = (("notes", _notes(state)), ("offer", _offer(state)), ("change", _changes(last)))
    for key, texts in lines:
        if captions := tuple(map(Caption, texts)):
            yield Zone(key, captions)


def _settlement_zone(state: State, last: Settlement, told: SettledRow | None) -> Zone:
    scores = (
        Score(last.classes[laid], phrase(f"class-{name}"), told is not None and told.laid == laid)
        for laid, name in enumerate(CLASSES, 1)
    )
    text = _total(state, last) if told is None else _row_text(state, told)
    return Zone("settlement", (Caption(text), *scores, *map(Knob, last.numbers)))


def _total(state: State, last: Settlement) -> Phrase:
    return phrase("settled-total", number=last.drawing, sum=_prize(last.paid, state))


def _row_text(state: State, row: SettledRow) -> Phrase:
    return phrase(
        "row-told",
        name=SeatName(row.seat),
        serial=row.serial,
        row=row.row + 1,
        kind=phrase(f"class-{CLASSES[row.laid - 1]}"),
        sum=_prize(row.won, state),
    )


def _rows(state: State, last: Settlement | None, viewer: Viewer) -> Iterator[Zone]:
    """Yield what only the host is told: each row that has won, and what of it is not paid yet."""
    if viewer is Watching.HOST and last is not None:
        yield Zone("rows", tuple(_row_caption(state, row) for row in won_rows(last)))


def _row_caption(state: State, row: SettledRow) -> Caption:
    text = _row_text(state, row)
    if row.paid == row.won:
        return Caption(text)
    return Caption(phrase("row-short", row=text, paid=_prize(row.paid, state)), "bad")


def _notes(state: State) -> Iterator[Phrase]:
    drawing = state.drawings + (state.phase is not GamePhase.OVER)
    if drawing:
        yield phrase("last-drawing") if state.last else phrase("drawing-number", number=drawing)
    if state.left is not None and state.left > 1:
        yield phrase("drawings-left", count=state.left)
    yield phrase("knobs-in-bag", count=len(state.bag))
    if state.away:
        yield phrase("knobs-away", numbers=", ".join(map(str, state.away)))
    if state.rest:
        yield phrase("cards-free", count=len(state.rest))


def _changes(last: Settlement | None) -> tuple[Phrase, ...]:
    return tuple(map(_change, last.payments)) if last is not None else ()


def _change(payment: Payment) -> Phrase:
    pieces = in_pieces(payment.counters)
    due = phrase("bank-due", sum=pieces, name=SeatName(payment.seat))
    if payment.change is None:
        return phrase("bank-writes", sum=due)
    return phrase("bank-changes", sum=due, given=payment.change.given, back=payment.change.back)


# -- what is said: the bag, a drawing's result, a short pool ---------------------------------------

_AT_ONCE = {
    Agree: "exchange-made",
    Decline: "exchange-declined",
    ThrowUp: "card-thrown-up",
    Take: "card-taken",
}


def opens(state: State) -> Saying:
    """Return what is said when the cards are dealt."""
    return _bag_passed(state)


def say(done: Played[State, Action]) -> Saying:
    """Return what is said after each action."""
    state = done.after
    if (at_once := _AT_ONCE.get(type(done.action))) is not None:
        return (at_once,)
    match done.action:
        case Draw():
            return _short(state)
        case Exchange():
            return ("exchange-offered" if state.offer is not None else "exchange-made",)
        case PutAway(number):
            return ("put-away", number)
        case Resolve():
            return _drawings_left(state)
        case Replenish():
            return ("pool-added", *comes(state))
    return _settled(done)


def recital(done: Played[State, Action]) -> tuple[Saying, ...]:
    """Return what is said of each row that won in a drawing that is told row by row just now."""
    state = done.after
    if not state.setup.by_card or not is_settled(done):
        return ()
    return tuple(_row_told(state, row) for row in won_rows(state.settlement))


def comes(state: State) -> Saying:
    """Return what is said after a settlement: the pool is short, the bag passes on, or the end."""
    if state.phase is GamePhase.OVER:
        return ("bankruptcy", "redeemed") if state.unpaid else ("redeemed",)
    if state.phase is GamePhase.SHORT:
        return _short(state)
    if state.phase is not GamePhase.BETWEEN:
        return ()
    changes = ("may-exchange",) if state.setup.changes else ()
    return (*changes, *(("last-drawing",) if state.last else ()), *_bag_passed(state))


def again(state: State) -> Saying:
    """Return what is said of the last settlement as a total; empty where there is none."""
    last = state.settlement
    if last is None:
        return ()
    return ("drawing-settled", *_classes(last), *_from_pool(state, last))


def is_settled(done: Played[State, Action]) -> bool:
    """Return whether a drawing was settled by this action."""
    new, had = done.after.settlement, done.before.settlement
    return new is not None and (had is None or had.drawing != new.drawing)


def _settled(done: Played[State, Action]) -> Saying:
    """Return what is said of a settled drawing, or of the end where nobody fills the pool."""
    if not is_settled(done):
        return comes(done.after)
    if rows := recital(done):
        return ("drawing-settled", *rows[0])
    return (*again(done.after), *comes(done.after))


def _bag_passed(state: State) -> Saying:
    return (SeatName(state.drawer), "has-bag", "count-knobs")


def _classes(last: Settlement) -> Saying:
    told = ((name, last.classes[laid]) for laid, name in reversed([*enumerate(CLASSES, 1)]))
    return tuple(said for name, rows in told if rows for said in (f"class-{name}", rows))


def _from_pool(state: State, last: Settlement) -> Saying:
    if not last.won:
        return ("nothing-won",)
    paid = _sum(state, last.paid)
    return ("from-pool", *paid) if paid else ()


def _row_told(state: State, row: SettledRow) -> Saying:
    return (SeatName(row.seat), f"class-{CLASSES[row.laid - 1]}", *_sum(state, row.won))


def _sum(state: State, counters: int) -> Saying:
    """Return a sum as it is said; nothing for money, or more contracts than the voice can count."""
    can_say = counters and in_pieces(counters).contracts <= KNOBS
    return (Amount(counters),) if can_say and not state.setup.in_money else ()


def _short(state: State) -> Saying:
    if state.phase is not GamePhase.SHORT:
        return ()
    return ("pool-short", "each-adds", state.setup.terms.in_pool)


def _drawings_left(state: State) -> Saying:
    if state.last or state.left is None:
        return ("last-drawing",)
    return ("drawings-more", state.left) if state.left <= KNOBS else ()
