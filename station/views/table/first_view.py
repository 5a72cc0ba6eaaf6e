"""The First Method at the table as it is seen: who covers what, who answered, what is still to be
won. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from station.night.table.company import Seat
from station.night.table.game import Parlour
from station.rules.loto_parlour.game import Stakes, State, Verdict
from station.views.table.telling import Telling, difference, money_shown, sum_shown
from station.wire.board_view import AnswerView, SeatView, SumView, TableCardView, TableView


def first_view(parlour: Parlour, state: State, step: str, telling: Telling) -> TableView:
    """All that the hall may see of a game of the First Method at the table."""
    counted = state.setup.stakes is Stakes.COUNTERS

    def shown(units: int) -> SumView:
        return (
            sum_shown(units, telling) if counted else money_shown(units, state.setup.value, telling)
        )

    return TableView(
        phase=state.phase,
        step=step,
        text=_text(state, step, telling),
        seats=tuple(
            _seat(state, seat, number, shown, telling)
            for number, seat in enumerate(parlour.seats, 1)
        ),
        pool=shown(state.pool),
        in_bag=len(state.bag),
        free=state.rest,
        answers=tuple(_answers(parlour, state, telling)),
    )


def _text(state: State, step: str, telling: Telling) -> str:
    words = telling.words
    if step == "shake":
        return telling.wording.phrases["count-knobs"]
    if state.over or step == "close":
        return words["table-over"]
    if step == "share":
        return telling.wording.phrases["bag-empty"]
    if state.silent and state.calls:
        return words["table-who-has"].format(number=telling.name(state.numbers[-1]))
    return words["table-cover"]


def _seat(
    state: State, seat: Seat, number: int, shown: Callable[[int], SumView], telling: Telling
) -> SeatView:
    cards = state.setup.cards
    text = ""
    if state.over:
        gain = state.purses[number - 1] - state.setup.purses[number - 1]
        text = difference(shown(abs(gain)).text, telling, gain)
    return SeatView(
        seat=number,
        name=seat.name,
        cards=tuple(
            TableCardView(
                serial=serial, rows=cards[serial].rows, covered=tuple(sorted(state.covered(serial)))
            )
            for serial in state.taken[number - 1]
        ),
        hand=shown(state.hands[number - 1]),
        simulated=seat.simulated,
        text=text,
    )


def _answers(parlour: Parlour, state: State, telling: Telling) -> Iterator[AnswerView]:
    words = telling.words
    for answer in state.answered:
        tie = (
            f" ({words['answer-tied']})" if answer.tied and answer.verdict is Verdict.COVERS else ""
        )
        yield AnswerView(
            seat=answer.seat,
            name=parlour.seats[answer.seat - 1].name,
            micros=answer.micros,
            tied=answer.tied,
            verdict=answer.verdict.value,
            text=words[f"answer-{answer.verdict}"] + tie,
        )
