"""Turn presses of the table's buzzers into answers (First Method). Pure.

`station.night.table.race` decides their order; this knows the seats and the caller. The event
loop's clock is `time.monotonic`, as the drivers' is.

A draw holds back presses: those until now are recorded before it; later ones count only if it is
refused.
"""

from __future__ import annotations

import math
from typing import Any

from drivers import Buzzed
from station.calling.caller_state import DrawWait
from station.calling.signals import CommandAnswered, Do, Log, Notice, Timer, Wind
from station.calling.turn import CallerTurn, changed
from station.night.acts import MakeMove
from station.night.table.race import GRACE_S, AnswerRace, PressMeaning, open_race
from station.people.roles import DEVICE
from station.record.requests import Command
from station.settings.buzzing import seat_of

NOTICE_PAUSE_S = 1.0  # a child that hammers on a buzzer does not repaint every screen each time
VIA = "buzzers"


def _put(turn: CallerTurn, **changes: Any) -> None:
    turn.put(answers=changed(turn.state.answers, **changes))


def look(turn: CallerTurn) -> None:
    """Follow a change, or a start: find the number that may be answered, and its seats."""
    hall, answers = turn.hall, turn.state.answers
    race = hall.open_game.race if hall.open_game is not None else None
    if race is None or not race.silent:
        _put(turn, race=AnswerRace(), number=None)
        return
    number = hall.opened, hall.calls
    if number == answers.number:
        _put(turn, race=answers.race.allow(race.silent))
        return
    for seat in answers.race.late:
        _show(turn, "buzzed-late", seat)
    _put(turn, race=open_race(turn.night.now, race.silent, race.wrong), number=number)


def buzzed(turn: CallerTurn, event: Buzzed) -> None:
    """Take the press of a buzzer."""
    seat = seat_of(turn.night.manners.seats, event.box, event.line)
    if seat is None:
        nobody = f"line {event.line} of the {event.box} is nobody's: the settings give it no seat"
        turn.out(Log(nobody))
        return
    if not _name(turn, seat):
        _show(turn, "buzzed-empty", seat)
        return
    race, meaning = turn.state.answers.race.hear(seat, event.at)
    _put(turn, race=race)
    match meaning:
        case PressMeaning.ANSWER:
            _wind(turn)
        case PressMeaning.NOTHING:
            _show(turn, "buzzed-nothing", seat)


def holds_draw(turn: CallerTurn) -> bool:
    """Return whether a draw that begins now must wait for answers; count later presses no more."""
    answers = turn.state.answers
    if answers.number is None:
        return False
    _put(turn, race=answers.race.end(turn.night.now), draw=DrawWait.GRACE)
    turn.out(Wind(Timer.GRACE, turn.night.now + GRACE_S))
    return True


def grace_over(turn: CallerTurn) -> None:
    """Record the answers before a draw, then let it be recorded."""
    _put(turn, draw=DrawWait.ANSWERS)
    record_due(turn)


def draw_answered(turn: CallerTurn) -> None:
    """Count the presses during a draw, unless it has brought another number to answer."""
    _put(turn, race=turn.state.answers.race.go_on())
    _wind(turn)


def answered(turn: CallerTurn, event: CommandAnswered) -> None:
    """Record the next answers when these are recorded or refused."""
    if event.command.via == VIA and isinstance(event.command.act, MakeMove):
        _put(turn, recording=False)
        record_due(turn)


def record_due(turn: CallerTurn) -> None:
    """Record the answers that are complete now, one tie after the other."""
    draw = turn.state.answers.draw is DrawWait.ANSWERS
    until = math.inf if draw else turn.night.now
    while not turn.state.answers.recording:
        if (taken := turn.state.answers.race.take(until)) is None:
            break
        race, tie = taken
        _put(turn, race=race, recording=True)
        move = {"do": "answer", "seats": list(tie.seats), "micros": list(tie.micros)}
        if turn.want(Command("", MakeMove(move=move), DEVICE, VIA)) is not None:
            _put(turn, recording=False)  # refused at once
    if turn.state.answers.recording:
        return
    if draw:
        _put(turn, draw=DrawWait.NONE)
        turn.out(Do.DRAW)
    else:
        _wind(turn)


def _wind(turn: CallerTurn) -> None:
    if (due := turn.state.answers.race.due) is not None:
        turn.out(Wind(Timer.TIE, due))


def _show(turn: CallerTurn, what: str, seat: int) -> None:
    """Show a line under the board; of many within a second only the first."""
    now = turn.night.now
    if now - turn.state.answers.noticed >= NOTICE_PAUSE_S:
        _put(turn, noticed=now)
        turn.out(Notice(turn.word(what, name=_name(turn, seat), seat=seat)))


def _name(turn: CallerTurn, seat: int) -> str:
    """Return the player at a seat; empty for an empty seat."""
    table = turn.hall.table
    seats = table.seats if table is not None else ()
    return seats[seat - 1].name if seat <= len(seats) else ""
