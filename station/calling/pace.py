"""Call numbers at a pace, and switch the machine off safely. Pure.

Automatic calling is switched on and off here, and the next call timed. To switch off, the station
begins no further act, waits until its last words were heard, then asks the machine to end. The
night stays open, and the next start continues it. If the machine is still on after a while, the
station shows that and continues.
"""

from __future__ import annotations

from drivers import Rank, Turned
from station.calling import wishes
from station.calling.caller_state import BY_ITSELF, bag_empty, claim_open
from station.calling.signals import AwaitedWords, Do, Notice, RecordNote, Say, Sign, Timer, Wind
from station.calling.turn import BUSY_OFF, CLAIM_OFF, CallerTurn
from station.people.roles import STATION
from station.record.requests import Command, DrawNext, Refused
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


# -- switching off ---------------------------------------------------------------------------------

WORDS_LIMIT_S = 6.0  # a voice that never says that it was heard does not keep the machine on
OFF_LIMIT_S = 30.0
SWITCHING_OFF = "switching-off"
STILL_ON = (
    "this machine was asked to switch off and is still on: the service loto-off is missing or"
    " failed; between games switch it off with: sudo poweroff"
)


def switch_off(turn: CallerTurn, order: str) -> Refused | None:
    """Begin to switch off, unless a number is being called or a claim is open.

    Args:
        order: who switches the station off, for the record.
    """
    if turn.state.calling:
        return BUSY_OFF
    # a claim that cannot be settled any more does not keep the machine on
    if claim_open(turn.hall) and not turn.night.adopted.halted:
        return CLAIM_OFF
    turn.put(order=order, parting=True, auto=turn.state.by_hand)
    unwind(turn)
    turn.out(RecordNote("station", order), Say((SWITCHING_OFF,), Rank.STOP, AwaitedWords.LAST))
    turn.out(Wind(Timer.OFF, turn.night.now + WORDS_LIMIT_S))
    return None


def words_ended(turn: CallerTurn) -> None:
    """Ask for the end of the machine after the last words."""
    if turn.state.parting:
        turn.put(parting=False)
        turn.out(Wind(Timer.OFF, turn.night.now + OFF_LIMIT_S), Do.POWER_OFF)


def rang(turn: CallerTurn) -> None:
    """Wait no longer for the last words; or continue, if the machine is still on."""
    if turn.state.parting:
        words_ended(turn)
    elif turn.state.order:
        turn.put(order="")
        turn.out(RecordNote("station", "was not switched off"))
        turn.out(Sign("station", STILL_ON))
        turn.show()


def take_over(turn: CallerTurn) -> None:
    """Note the order in this night's journal: the closed one could not take it."""
    if turn.state.order:
        limit = WORDS_LIMIT_S if turn.state.parting else OFF_LIMIT_S
        turn.out(RecordNote("station", turn.state.order), Notice(key=SWITCHING_OFF))
        turn.out(Wind(Timer.OFF, turn.night.now + limit))
