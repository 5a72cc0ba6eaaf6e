"""Show one person the next number before the hall hears it (H8). Pure.

A press of the draw button shows the virtual bag's next number as pending, and its release calls it.
A person who may draw does the same over the wire (`Hold`, `Release`): only the answer to that
person has the number until it is called. One person at a time holds it, and for no longer than a
button may be held, since a connection may be lost meanwhile. Then it waits until somebody draws,
as one does that a button has shown; a button that is pressed shows it to the hall.

A number of the virtual bag is recorded before anybody sees it (`SeeNext`), so that a power cut
cannot change it; a knob lies on the reader.
"""

from __future__ import annotations

from station.calling.caller_state import BUTTON, Pending, claim_open
from station.calling.signals import Record, Refuse, Timer, Wind
from station.calling.turn import (
    BUSY,
    CLAIM_FIRST,
    HELD,
    NOT_HELD,
    NOT_SEEN_FIRST,
    NOTHING_NEXT,
    CallerTurn,
)
from station.people.roles import DEVICE
from station.record.requests import Answer, Command, Done, HeldNumber, Refused, SeeNext

HOLD_LIMIT_S = 5.0  # as long as a button may be held before it counts as stuck


def shows(turn: CallerTurn, button: str) -> bool:
    """Show the virtual bag's next number until the button comes up, unless a person holds it.

    Return False if there is nothing to show now.
    """
    state = turn.state
    shown = state.looking or (state.pending is not None and not state.pending.private)
    if not turn.night.adopted.gives or shown or state.calling or state.order:
        return False
    if state.holder:
        turn.out(Refuse(HELD, aloud=True))
        return True
    turn.put(shows=button)
    if (number := _recorded_next(turn)) is None:
        _look(turn, Command("", SeeNext(), DEVICE, f"{BUTTON}{button}"))
    else:
        turn.put(pending=Pending(number))
        turn.show()
    return True


def _recorded_next(turn: CallerTurn) -> int | None:
    """Return the virtual bag's next number, if it may be seen now: a bag's order is on the disk,
    a leaf must have been recorded."""
    fair = turn.hall.fair
    return fair.next_due if fair is not None else turn.night.adopted.upcoming()


def _look(turn: CallerTurn, command: Command, asked: Command | None = None) -> None:
    """Have the next number recorded before it is seen."""
    turn.put(looking=True)
    turn.out(Record(command, asked))


def seen(turn: CallerTurn, number: int) -> None:
    """Show a number, now that it is recorded, to the person or button that still waits for it."""
    state = turn.state
    if state.looking and state.pending is None and (state.shows or state.holder):
        turn.put(pending=Pending(number, private=not state.shows))
    turn.put(looking=False)


def not_recorded(turn: CallerTurn) -> None:
    """Show nothing: the next number could not be recorded."""
    turn.put(looking=False, shows="")
    let_go(turn)


def hold(turn: CallerTurn, command: Command) -> Answer | None:
    """Tell one person the next number, and keep it for that person.

    Return None while the number is being recorded.
    """
    state, pending = turn.state, turn.state.pending
    if (refused := _not_seen(turn, command)) is not None:
        return refused
    number = pending.number if pending is not None else _recorded_next(turn)
    if pending is None and not turn.night.adopted.gives:
        return NOTHING_NEXT
    if pending is None and number is not None:
        pending = Pending(number, private=True)
    if state.holder:
        let_go(turn)
    turn.put(holder=command.by.name, pending=pending)
    turn.out(Wind(Timer.HOLD, turn.night.now + HOLD_LIMIT_S))
    if number is not None:
        return HeldNumber(turn.night.adopted.seq, number)
    _look(turn, Command("", SeeNext(), command.by, command.via), command)
    return None


def _not_seen(turn: CallerTurn, command: Command) -> Refused | None:
    """Return why this person cannot see a number now, whichever it would be."""
    state = turn.state
    button = state.shows and state.pending is not None and not state.pending.reader
    reasons = {
        NOT_SEEN_FIRST: not turn.night.manners.see_first,
        BUSY: state.calling or state.looking,
        HELD: button or state.holder not in ("", command.by.name),
        CLAIM_FIRST: claim_open(turn.hall),
    }
    return next((refused for refused, so in reasons.items() if so), None)


def not_held(turn: CallerTurn, command: Command) -> Refused | None:
    """Return why this person cannot call the held number."""
    if not turn.night.manners.see_first:
        return NOT_SEEN_FIRST
    if turn.state.holder not in ("", command.by.name):
        return HELD
    return NOT_HELD if turn.state.pending is None else None


def waits(turn: CallerTurn, command: Command) -> Answer:
    """Let the number wait that this person holds."""
    if turn.state.holder == command.by.name:
        let_go(turn)
    return Done(turn.night.adopted.seq)


def let_go(turn: CallerTurn) -> None:
    """Let another person hold the next number."""
    if turn.state.holder:
        turn.put(holder="")
        turn.out(Wind(Timer.HOLD, None))
