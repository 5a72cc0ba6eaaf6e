"""The Second Method at the table as it is seen: the drawing, the counters, what each row came to,
the bank's change. Pure."""

from __future__ import annotations

from station.base.nouns import Card
from station.night.table.company import Seat
from station.night.table.game import Parlour
from station.rules.loto_second.box import in_pieces
from station.rules.loto_second.game import ROW_NAMES, Phase, State
from station.rules.loto_second.settlement import Payment, SettledRow, Settlement
from station.views.table.telling import Telling, difference, money_shown, pieces_text, sum_shown
from station.wire.board_view import (
    ClassView,
    RowView,
    SeatView,
    SettlementView,
    SumView,
    TableCardView,
    TableView,
)

CLASSES = ROW_NAMES[1:]  # of one counter on a row, of two, …


def second_view(parlour: Parlour, state: State, step: str, telling: Telling) -> TableView:
    """All that the hall may see of a game of the Second Method."""
    settlement = parlour.derived
    return TableView(
        phase=state.phase,
        step=step,
        text=_text(parlour, state, step, telling),
        seats=tuple(
            _seat(state, seat, number, settlement, telling)
            for number, seat in enumerate(parlour.seats, 1)
        ),
        pool=sum_shown(state.pool, telling),
        table=sum_shown(state.table, telling),
        reserve=sum_shown(state.reserve, telling),
        drawing=state.drawings + (state.phase is not Phase.OVER),
        left=state.left,
        away=state.away,
        came=state.came,
        in_bag=len(state.bag),
        free=state.rest,
        offer=_offer(parlour, state, telling),
        settlement=(
            _settlement(parlour, state, settlement, telling) if settlement is not None else None
        ),
        change=(
            " · ".join(_change(parlour.seats, payment, telling) for payment in settlement.payments)
            if settlement
            else ""
        ),
    )


def _text(parlour: Parlour, state: State, step: str, telling: Telling) -> str:
    words = telling.words
    drawer = parlour.seats[state.drawer - 1].name
    match step:
        case "shake":
            return words["table-count"].format(name=drawer, count=len(state.bag))
        case "draw":
            return words["table-draws"].format(name=drawer)
        case "settle":
            return words["table-settle"]
        case "answer":
            return _offer(parlour, state, telling)
        case "add":
            return words["table-add"].format(counters=state.setup.terms.in_pool)
    if state.unpaid:
        unpaid = sum(due.counters for due in state.unpaid)
        return words["bankruptcy"].format(sum=_prize(unpaid, state, telling).text)
    return words["table-over"]


def _offer(parlour: Parlour, state: State, telling: Telling) -> str:
    offer = state.offer
    if offer is None:
        return ""
    name = parlour.seats[offer.other - 1].name
    return telling.words["table-offer"].format(name=name, wanted=offer.wanted, serial=offer.serial)


def _seat(
    state: State, seat: Seat, number: int, settlement: Settlement | None, telling: Telling
) -> SeatView:
    # While a settlement is told its counters are seen on the cards once more.
    told = settlement if telling.row is not None else None
    cards = state.setup.cards
    text = ""
    if state.phase is Phase.OVER:
        gain = state.purses[number - 1] - state.came_with[number - 1]
        text = difference(_prize(abs(gain), state, telling).text, telling, gain)
    return SeatView(
        seat=number,
        name=seat.name,
        cards=tuple(
            TableCardView(
                serial=serial,
                rows=cards[serial].rows,
                covered=tuple(sorted(state.covered(serial) or _lay(told, cards[serial]))),
            )
            for serial in state.taken[number - 1]
        ),
        hand=sum_shown(state.hands[number - 1], telling),
        drawer=number == state.drawer and state.phase is not Phase.OVER,
        simulated=seat.simulated,
        asked=state.offer is not None and state.offer.other == number,
        text=text,
    )


def _lay(settlement: Settlement | None, card: Card) -> tuple[int, ...]:
    """The numbers of a card that had a counter when the drawing was settled: for the last knob
    there may have been none left."""
    if settlement is None:
        return ()
    counters = sum(row.laid for row in settlement.rows if row.serial == card.serial)
    return tuple(number for number in settlement.numbers if number in card.numbers)[:counters]


def _settlement(
    parlour: Parlour, state: State, settlement: Settlement, telling: Telling
) -> SettlementView:
    words = telling.words
    paid = _prize(settlement.paid, state, telling)
    return SettlementView(
        drawing=settlement.drawing,
        numbers=settlement.numbers,
        classes=tuple(
            ClassView(laid=laid, name=words[f"class-{name}"], rows=settlement.classes[laid])
            for laid, name in enumerate(CLASSES, 1)
        ),
        rows=tuple(_row(parlour, state, row, telling) for row in won_rows(settlement)),
        text=words["settled-total"].format(number=settlement.drawing, sum=paid.text),
        telling=telling.row,
    )


def won_rows(settlement: Settlement) -> tuple[SettledRow, ...]:
    """The rows that won from the pool, in the order of paying: those that are told card by card."""
    return tuple(row for row in settlement.rows if row.won)


def told_by_card(parlour: Parlour) -> bool:
    """Whether the last drawing is told row by row."""
    return (
        parlour.agreed["settling"] == "cards"
        and parlour.derived is not None
        and bool(won_rows(parlour.derived))
    )


def _row(parlour: Parlour, state: State, row: SettledRow, telling: Telling) -> RowView:
    words = telling.words
    name, kind = parlour.seats[row.seat - 1].name, words[f"class-{CLASSES[row.laid - 1]}"]
    won = _prize(row.won, state, telling)
    return RowView(
        seat=row.seat,
        name=name,
        serial=row.serial,
        row=row.row + 1,
        laid=row.laid,
        won=won,
        paid=_prize(row.paid, state, telling),
        text=words["row-told"].format(
            name=name, serial=row.serial, row=row.row + 1, kind=kind, sum=won.text
        ),
    )


def _prize(counters: int, state: State, telling: Telling) -> SumView:
    """What comes from the pool, or would have come, and what a player has of it in the end:
    counters, or money at once."""
    return (
        money_shown(counters, state.setup.value, telling)
        if state.setup.in_money
        else sum_shown(counters, telling)
    )


def _change(seats: tuple[Seat, ...], payment: Payment, telling: Telling) -> str:
    words = telling.words
    due = f"{pieces_text(in_pieces(payment.counters), words)} ({seats[payment.seat - 1].name})"
    if payment.change is None:
        return words["bank-writes"].format(sum=due)
    given, back = pieces_text(payment.change.given, words), pieces_text(payment.change.back, words)
    return words["bank-changes"].format(sum=due, given=given, back=back)
