"""Ask aloud before a button does what cannot be taken back. Pure.

The same button, pressed again, confirms it. The answer counts for five seconds after the question
was heard. A press before that counts for nothing, and so does one so soon after the first that it
may be the same. Any other act, or another button, ends the question, and so do the five seconds.
"""

from __future__ import annotations

from dataclasses import replace

from drivers import Rank
from station.calling.caller_state import BUTTON, CALL_LIMIT_S, PendingQuestion
from station.calling.signals import AwaitedWords, Notice, Say, Timer, Wind
from station.calling.turn import CallerTurn
from station.night.losses import loss_of, mark_of
from station.record.requests import Change, Command, Refused, SessionWish
from station.views.announcing import question

ANSWER_S, HASTY_S = 5.0, 0.5
NOT_DONE = "not-done"


def ask(turn: CallerTurn, command: Command, refused: Refused) -> None:
    """Ask whether a press was meant."""
    if turn.state.question is not None or isinstance(command.act, SessionWish):
        return  # its wish was under way already
    loss = loss_of(turn.hall, command.act)
    clips = question(command.act.act, loss.count if loss is not None else 0)
    button = command.via.removeprefix(BUTTON)
    turn.put(question=PendingQuestion(button, command, turn.state.pressed, refused.seen))
    turn.out(Say(clips, Rank.VERDICT, AwaitedWords.QUESTION))
    turn.out(Wind(Timer.ANSWER, turn.night.now + CALL_LIMIT_S))
    turn.show()


def confirms(turn: CallerTurn, button: str) -> bool:
    """Take a press as the answer; return False if this button was not asked about."""
    asked = turn.state.question
    if asked is None or asked.button != button:
        return False
    if asked.since is not None and turn.night.now - asked.at >= HASTY_S:
        turn.put(question=None)
        turn.out(Wind(Timer.ANSWER, None))
        turn.want(replace(asked.command, id="", seen=asked.seen, sure=True))
    return True


def follow(turn: CallerTurn, change: Change) -> None:
    """Drop the question after a change; a note changes nothing, and leaves it."""
    asked = turn.state.question
    if asked is None:
        return
    if change.after is change.before:
        mark = mark_of(change.after, asked.command.act.act, change.seq)
        turn.put(question=replace(asked, seen=mark))
    else:
        drop(turn)


def drop(turn: CallerTurn) -> None:
    """Drop the question because of another act or press; show that."""
    if turn.state.question is not None:
        turn.put(question=None)
        turn.out(Wind(Timer.ANSWER, None), Notice(key=NOT_DONE))
        turn.show()


def await_answer(turn: CallerTurn) -> None:
    """Accept an answer from now on: the question was heard, or its words have failed."""
    asked = turn.state.question
    if asked is not None and asked.since is None:
        turn.put(question=replace(asked, since=turn.night.now))
        turn.out(Wind(Timer.ANSWER, turn.night.now + ANSWER_S))


def unanswered(turn: CallerTurn) -> None:
    """End the question when its time is over."""
    if turn.state.question is not None and turn.state.question.since is None:
        await_answer(turn)
    elif turn.state.question is not None:
        turn.put(question=None)
        turn.out(Say((NOT_DONE,)))
        turn.show()
