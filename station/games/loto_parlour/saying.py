"""Say what happens in Loto, First Method, at the table: who answers, who has won, the end. Pure."""

from __future__ import annotations

from station.games.loto_parlour.actions import Action, Answer, Share
from station.games.loto_parlour.state import AnswerVerdict, Stakes, State
from station.rules.play import Played, Saying
from station.rules.seen import SeatName


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
