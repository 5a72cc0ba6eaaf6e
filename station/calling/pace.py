"""Call numbers at a pace: switch automatic calling on and off, and time the next call. Pure."""

from __future__ import annotations

from drivers import Turned
from station.calling import wishes
from station.calling.caller_state import BY_ITSELF, bag_empty, claim_open
from station.calling.signals import Notice, Say, Timer, Wind
from station.calling.turn import CallerTurn
from station.people.roles import STATION
from station.record.requests import Command, DrawNext
from station.wire.board_view import AutoView


def set_auto(turn: CallerTurn, auto: AutoView, *, adds: bool = False) -> None:
    """Call by itself or by hand, at this pace; announce it.

    Args:
        adds: show the announcement after the present text.
    """
    changed = auto.on != turn.state.auto.on
    turn.put(auto=auto)
    wind(turn)
    if changed and not turn.night.adopted.halted:
        turn.out(Say(("auto-on" if auto.on else "auto-off",), adds=adds))


def turned(turn: CallerTurn, event: Turned) -> None:
    """Call faster or slower, by one second a step, within the limits."""
    pace = min(max(turn.state.auto.pace + event.steps, wishes.LEAST_PACE_S), wishes.MOST_PACE_S)
    turn.put(auto=AutoView(on=turn.state.auto.on, pace=pace))
    wind(turn)
    turn.out(Notice(turn.word("pace", seconds=f"{pace:g}")))
    turn.show()


def wind(turn: CallerTurn) -> None:
    """Set the next call a whole pace from now, or from the end of the present call."""
    if turn.state.calling:
        unwind(turn)
    else:
        wind_from(turn, turn.night.now)


def wind_from(turn: CallerTurn, since: float | None) -> None:
    """Set the next call a pace after this second; by default a pace from now."""
    auto = turn.state.auto
    if not auto.on:
        unwind(turn)
        return
    turn.put(due=True)
    turn.out(Wind(Timer.PACE, (turn.night.now if since is None else since) + auto.pace))


def unwind(turn: CallerTurn) -> None:
    """Set no next call."""
    if turn.state.due:
        turn.put(due=False)
        turn.out(Wind(Timer.PACE, None))


def due(turn: CallerTurn) -> None:
    """Call the next number, if play allows; stop automatic calling when the bag is empty."""
    turn.put(due=False)
    if not turn.hall.takes_knobs or claim_open(turn.hall) or turn.state.calling:
        return  # the change that lets play continue winds it again
    if bag_empty(turn.hall):
        set_auto(turn, turn.state.by_hand)
        turn.out(Say(("bag-empty",)))
        turn.show()
        return
    # Not after a correction that is being recorded just now: it would be the same number again.
    turn.want(Command("", DrawNext(), STATION, BY_ITSELF, expect=turn.hall.calls))
