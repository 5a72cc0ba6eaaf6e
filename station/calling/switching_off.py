"""Switch the machine off safely. Pure.

The station begins no further act, waits until its last words were heard, then asks the machine to
end. The night stays open, and the next start continues it. If the machine is still on after a
while, the station shows that and continues.
"""

from __future__ import annotations

from drivers import Rank
from station.calling import pace
from station.calling.caller_state import claim_open
from station.calling.signals import AwaitedWords, Do, Notice, RecordNote, Say, Sign, Timer, Wind
from station.calling.turn import BUSY_OFF, CLAIM_OFF, CallerTurn
from station.record.requests import Refused

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
    pace.unwind(turn)
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
