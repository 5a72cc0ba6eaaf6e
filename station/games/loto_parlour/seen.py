"""Show Loto, First Method, at the table: who covers what, who answered, what is still to be won.
Pure.

Everybody sees cards and counters; purses are for the host and their owners.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.games.loto_parlour.state import (
    Answered,
    Answering,
    AnswerVerdict,
    GamePhase,
    Stakes,
    State,
)
from station.rules.seen import (
    Amount,
    Caption,
    Knob,
    KnobName,
    NumberCard,
    Phrase,
    Pile,
    SeatName,
    Seen,
    Viewer,
    Watching,
    Zone,
    phrase,
)

CAVITIES = 10  # of the board: the last knobs, newest first
MOODS = {
    AnswerVerdict.COVERS: "good",
    AnswerVerdict.WRONG: "bad",
    AnswerVerdict.TIED: "faint",
    AnswerVerdict.LATE: "faint",
}


def view(state: State, _: object, viewer: Viewer, telling: int | None) -> Seen:
    """Return what a viewer sees."""
    del telling  # this game tells nothing step by step
    return Seen(
        _text(state),
        (*_answers(state), *_of_seats(state), *_middle(state), *_wins(state, viewer)),
        particulars=_for_host(state) if viewer is Watching.HOST else _for_boards(state),
    )


def _text(state: State) -> Phrase:
    if state.over or state.phase is GamePhase.WON:
        return phrase("table-over")
    if not state.bag:
        return phrase("bag-empty")
    if state.silent and state.calls:
        return phrase("table-who-has", number=KnobName(state.numbers[-1]))
    return phrase("table-cover")


def _shown(units: int, state: State) -> Amount:
    return Amount(units, in_money=state.setup.stakes is not Stakes.COUNTERS)


def _verdict(answer: Answered) -> Phrase:
    said = phrase(f"answer-{answer.verdict}")
    tie = answer.tied and answer.verdict is AnswerVerdict.COVERS
    return phrase("answer-in-tie", said=said, tied=phrase("answer-tied")) if tie else said


def _outcome(state: State, seat: int) -> Phrase:
    gain = state.purses[seat - 1] - state.setup.purses[seat - 1]
    if not gain:
        return phrase("even")
    return phrase("gained" if gain > 0 else "lost", sum=_shown(abs(gain), state))


# -- zones -------------------------------------------------------------------------


def _answers(state: State) -> Iterator[Zone]:
    for answer in state.answered:
        caption = Caption(_verdict(answer), MOODS[answer.verdict])
        yield Zone("answer", (caption,), answer.seat)


def _of_seats(state: State) -> Iterator[Zone]:
    for seat, serials in enumerate(state.taken, 1):
        cards = (
            NumberCard(serial, state.setup.cards[serial].rows, tuple(sorted(state.covered(serial))))
            for serial in serials
        )
        yield Zone("cards", tuple(cards), seat)
        if state.over:
            yield Zone("outcome", (Caption(_outcome(state, seat)),), seat)
        else:
            yield Zone("hand", (Pile(_shown(state.hands[seat - 1], state)),), seat)


def _middle(state: State) -> Iterator[Zone]:
    knobs = [Knob(number) for number in reversed(state.numbers[-CAVITIES:])]
    knobs[:1] = [Knob(knob.number, newest=True) for knob in knobs[:1]]
    yield Zone("board", tuple(knobs))
    yield Zone("pool", (Pile(_shown(state.pool, state)),), label=phrase("pool"))
    notes = [phrase("knobs-in-bag", count=len(state.bag))]
    notes += [phrase("cards-free", count=len(state.rest))] if state.rest else []
    yield Zone("notes", tuple(map(Caption, notes)))


def _wins(state: State, viewer: Viewer) -> Iterator[Zone]:
    """Yield what only the host is told: who has won what."""
    if viewer is not Watching.HOST or not state.wins:
        return
    yield Zone(
        "wins",
        tuple(
            Caption(
                phrase(
                    "win-told",
                    name=SeatName(win.seat),
                    stage=phrase(win.stage),
                    cards=", ".join(win.cards),
                    sum=_shown(win.amount, state),
                ),
                "good",
            )
            for win in state.wins
        ),
    )


# -- what stands in the older fields of a view, and in what the host is told ---------


def _for_boards(state: State) -> Mapping[str, Any]:
    return {
        "phase": str(state.phase),
        "seats": tuple(_seat(state, seat) for seat in range(1, state.setup.seats + 1)),
        "pool": _shown(state.pool, state),
        "in_bag": len(state.bag),
        "free": state.rest,
        "answers": tuple(
            {
                "seat": answer.seat,
                "name": SeatName(answer.seat),
                "micros": answer.micros,
                "tied": answer.tied,
                "verdict": str(answer.verdict),
                "text": _verdict(answer),
            }
            for answer in state.answered
        ),
    }


def _seat(state: State, seat: int) -> Mapping[str, Any]:
    return {
        "cards": tuple(_card(state, serial) for serial in state.taken[seat - 1]),
        "hand": _shown(state.hands[seat - 1], state),
        "text": _outcome(state, seat) if state.over else "",
    }


def _card(state: State, serial: str) -> Mapping[str, Any]:
    rows, covered = state.setup.cards[serial].rows, sorted(state.covered(serial))
    return {"serial": serial, "rows": rows, "covered": tuple(covered)}


def _for_host(state: State) -> Mapping[str, Any]:
    return {
        "phase": str(state.phase),
        "cards": tuple(
            tuple(_card(state, serial) for serial in serials) for serials in state.taken
        ),
        "free": tuple(_card(state, serial) for serial in state.rest),
        "counted": state.setup.stakes is Stakes.COUNTERS,
        "racing": state.setup.answering is Answering.FIRST,
        "answers": tuple(
            {"seat": one.seat, "micros": one.micros, "verdict": str(one.verdict), "tied": one.tied}
            for one in state.answered
        ),
        "wins": tuple(
            {
                "stage": win.stage,
                "seat": win.seat,
                "cards": win.cards,
                "amount": win.amount * state.setup.value,
            }
            for win in state.wins
        ),
    }
