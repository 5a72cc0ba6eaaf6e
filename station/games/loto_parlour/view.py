"""Show Loto, First Method, at the table, and say what happens in it. Pure.

Everybody sees cards and counters; purses are for the host and their owners.
"""

from __future__ import annotations

from collections.abc import Iterator

from station.games.loto_parlour.state import (
    Action,
    Answer,
    Answered,
    AnswerVerdict,
    GamePhase,
    Share,
    ShareWon,
    Stakes,
    State,
)
from station.rules import seen
from station.rules.play import Played, Saying
from station.rules.seen import SeatName

CAVITIES = 10  # of the board: the last knobs, newest first
MOODS = {
    AnswerVerdict.COVERS: "good",
    AnswerVerdict.WRONG: "bad",
    AnswerVerdict.TIED: "faint",
    AnswerVerdict.LATE: "faint",
}


def view(state: State, viewer: seen.Viewer, telling: int | None = None) -> seen.Seen:
    """Return what a viewer sees."""
    del telling  # this game tells nothing step by step
    return seen.Seen(
        _text(state),
        (*_answers(state), *_of_seats(state), *_middle(state), *_wins(state, viewer)),
        counted=not _in_money(state),
        free=tuple(_card(state, serial) for serial in state.rest),
    )


def _text(state: State) -> seen.Phrase:
    if state.over or state.phase is GamePhase.WON:
        return seen.phrase("table-over")
    if not state.bag:
        return seen.phrase("bag-empty")
    if state.silent and state.calls:
        return seen.phrase("table-who-has", number=seen.KnobName(state.numbers[-1]))
    return seen.phrase("table-cover")


def _in_money(state: State) -> bool:
    return state.setup.stakes is not Stakes.COUNTERS


def _shown(units: int, state: State) -> seen.Amount:
    return seen.Amount(units, in_money=_in_money(state))


def _verdict(answer: Answered) -> seen.Phrase:
    said = seen.phrase(f"answer-{answer.verdict}")
    tie = answer.tied and answer.verdict is AnswerVerdict.COVERS
    return seen.phrase("answer-in-tie", said=said, tied=seen.phrase("answer-tied")) if tie else said


def _outcome(state: State, seat: int) -> seen.Phrase:
    gain = state.purses[seat - 1] - state.setup.purses[seat - 1]
    return seen.outcome(gain, in_money=_in_money(state))


# -- zones -------------------------------------------------------------------------


def _answers(state: State) -> Iterator[seen.Zone]:
    for answer in state.answered:
        caption = seen.Caption(_verdict(answer), MOODS[answer.verdict])
        yield seen.Zone("answer", (caption,), answer.seat)


def _of_seats(state: State) -> Iterator[seen.Zone]:
    for seat, serials in enumerate(state.taken, 1):
        cards = (_card(state, serial, tuple(sorted(state.covered(serial)))) for serial in serials)
        yield seen.Zone("cards", tuple(cards), seat)
        if state.over:
            yield seen.Zone("outcome", (seen.Caption(_outcome(state, seat)),), seat)
        else:
            yield seen.Zone("hand", (seen.Pile(_shown(state.hands[seat - 1], state)),), seat)


def _card(state: State, serial: str, covered: tuple[int, ...] = ()) -> seen.NumberCard:
    card = state.setup.cards[serial]
    return seen.NumberCard(serial, card.rows, covered, tens_last=card.tens_last)


def _middle(state: State) -> Iterator[seen.Zone]:
    knobs = [seen.Knob(number) for number in reversed(state.numbers[-CAVITIES:])]
    knobs[:1] = [seen.Knob(knob.number, newest=True) for knob in knobs[:1]]
    yield seen.Zone("board", tuple(knobs))
    yield seen.Zone("pool", (seen.Pile(_shown(state.pool, state)),), label=seen.phrase("pool"))
    notes = [seen.phrase("knobs-in-bag", count=len(state.bag))]
    notes += [seen.phrase("cards-free", count=len(state.rest))] if state.rest else []
    yield seen.Zone("notes", tuple(map(seen.Caption, notes)))


def _wins(state: State, viewer: seen.Viewer) -> Iterator[seen.Zone]:
    """Yield what only the host is told: who has won what."""
    if viewer is seen.Watching.HOST and state.wins:
        told = (_win_told(state, win) for win in state.wins)
        yield seen.Zone("wins", tuple(seen.Caption(text, "good") for text in told))


def _win_told(state: State, win: ShareWon) -> seen.Phrase:
    name, stage, amount = seen.SeatName(win.seat), seen.phrase(win.stage), _shown(win.amount, state)
    cards = ", ".join(win.cards)
    return seen.phrase("win-told", name=name, stage=stage, cards=cards, sum=amount)


# -- what is said: answers, shares, the end --------------------------------------------------------


def opens(_: State) -> Saying:
    """Return what is said when the cards are dealt."""
    return ("count-knobs",)


def say(done: Played[State, Action]) -> Saying:
    """Return what is said after each action."""
    state = done.after
    match done.action:
        case Answer():
            said = _answered(done.action, state)
        case Share():
            said = (_shared(state),)
        case _:
            said = ()
    return (*said, *_won(done.before, state), *comes(state))


def comes(state: State) -> Saying:
    """Return what is said at the end: of redeeming only where counters were worth money."""
    if not state.over:
        return ()
    return ("redeemed" if state.setup.stakes is Stakes.COUNTERS else "game-closed",)


def _shared(state: State) -> str:
    if not state.wins:
        return "stakes-back"
    return "bag-empty" if state.setup.all_cards else "most-covered"


def _answered(said: Answer, state: State) -> Saying:
    """Return what is said of the newest answers: who covers, whether it was a tie, who was wrong or
    late."""
    # nobody answers a number twice
    new = [answer for answer in state.answered if answer.seat in said.seats]
    told: Saying = ()
    for answer in new:
        if answer.verdict is AnswerVerdict.COVERS:
            tie = ("answer-tie",) if answer.tied else ()
            told = (*told, *tie, SeatName(answer.seat), "answers-first")
    verdicts = {answer.verdict for answer in new}
    wrong = ("answer-wrong",) if AnswerVerdict.WRONG in verdicts else ()
    late = ("answer-late",) if AnswerVerdict.LATE in verdicts else ()
    return (*told, *wrong, *late)


def _won(had: State, state: State) -> Saying:
    new = state.wins[len(had.wins) :]
    told: Saying = ()
    for stage in dict.fromkeys(win.stage for win in new):
        winners = [win.seat for win in new if win.stage == stage]
        named = (said for seat in winners for said in (SeatName(seat), "has-won"))
        told = (*told, "won-prize" if state.takes_all(stage) else f"won-{stage}", *named)
        told = (*told, "prize-shared") if len(winners) > 1 else told
    return told
