"""Tell a drawing's result row by row, until its end or the next act. Pure."""

from __future__ import annotations

from dataclasses import replace

from station.calling.caller_state import Recital
from station.calling.signals import AwaitedWords, Ended, Say, Timer, Wind
from station.calling.turn import CallerTurn
from station.record.requests import Change
from station.views.table.announcing import told_by_step, what_comes

SILENT_S = 2.5  # a row stays so long where there is no voice to tell it
LONGEST_S = 15.0  # the voice never said that it had ended


def follow(turn: CallerTurn, change: Change) -> bool:
    """End the recital. Return whether this change begins one: its words include the first row."""
    stop(turn)
    game = change.after.playing
    steps = told_by_step(change.act, change.before.playing, game) if game is not None else ()
    if game is None or not steps:
        return False
    _wait(turn, Recital(0, steps, what_comes(game)))
    return True


def stop(turn: CallerTurn) -> None:
    """End the recital."""
    if turn.state.recital is not None:
        turn.put(recital=None)
        turn.out(Wind(Timer.ROW, None))


def ended(turn: CallerTurn, event: Ended) -> None:
    """Tell the next row after the words of a row; without a voice, after a while."""
    if turn.state.recital is None:
        return
    if event.heard is None:
        turn.out(Wind(Timer.ROW, turn.night.now + SILENT_S))
    else:
        tell_next(turn)


def tell_next(turn: CallerTurn) -> None:
    """Tell the next row; after the last one, what comes next."""
    recital = turn.state.recital
    if recital is None:
        return
    stop(turn)
    row = recital.row + 1
    if row == len(recital.steps):
        turn.out(Say(recital.then))
    else:
        _wait(turn, replace(recital, row=row))
        turn.out(Say(recital.steps[row], words=AwaitedWords.ROW))


def _wait(turn: CallerTurn, recital: Recital) -> None:
    turn.put(recital=recital)
    turn.out(Wind(Timer.ROW, turn.night.now + LONGEST_S))
