"""Take knobs that readers read and people key: call them, keep one pending, or refuse it. Pure.

A knob is drawn, whatever the caller is doing. One that is read during a call, or while a claim is
open, is pending and is called as soon as play allows; a second one meanwhile is refused.

Where the caller sees a number before the hall hears it (H8, a setting), no number is called by
itself: a pending one waits for the caller, even through a claim. A knob on the reader is shown, and
a press calls it.
"""

from __future__ import annotations

from drivers import Keyed, ReadRefused, Refusal, TagConfirmed, TagLeft, TagRead
from station.calling import counter
from station.calling.caller_state import KEYED, Pending, claim_open
from station.calling.signals import Hearing, Log, Notice, RecordNote, Say, Sign, Stranger
from station.calling.table import laying
from station.calling.turn import CLAIM_OFF, CallerTurn
from station.night.acts import DrawKnob, MakeMove
from station.night.hall_state import HallReason
from station.night.table.luck import awaited_throw
from station.people.roles import DEVICE
from station.record.requests import Command
from station.rules.play import Luck
from station.settings.readers import is_reader, misread_by

STILL_THERE = (
    "{} was counted last, and lies on the reader: put it into the bag; if it was drawn, lay it"
    " there once more"
)


def read(turn: CallerTurn, event: TagRead) -> None:
    """Take a tag that was read. A knob that is drawn stays drawn."""
    reader, knob = event.reader, turn.night.manners.tags.knobs.get(event.tag)
    if knob is not None:
        if misread_by(reader) in turn.night.signs:
            turn.out(Sign(misread_by(reader)))
        resting, drawn = turn.state.resting.lay(reader, knob, event.at)
        turn.put(resting=resting)
        if not event.back:  # else it never left
            _lay(turn, Pending(knob, reader), drawn=drawn)
    elif not event.back and not laying.takes(turn, event.tag):
        _unknown(turn, reader, event.tag, event.at)


def confirmed(turn: CallerTurn, event: TagConfirmed) -> None:
    """Take a tag that a reader has read a second time: only an unknown one needs that."""
    tags = turn.night.manners.tags
    if event.tag not in tags.knobs and event.tag not in tags.cards:
        _unknown(turn, event.reader, event.tag, event.at, is_sure=True)


def left(turn: CallerTurn, event: TagLeft) -> None:
    """Take a tag that left a reader."""
    if (knob := turn.night.manners.tags.knobs.get(event.tag)) is not None:
        turn.put(resting=turn.state.resting.leave(event.reader, knob, event.at))
        turn.show()


def refused(turn: CallerTurn, event: ReadRefused) -> None:
    """Take a reading that is no tag and no code."""
    if event.reader in turn.night.manners.scanning.uses:
        counter.refused(turn)
    elif event.why in (Refusal.CHECK, Refusal.TWO):
        laying.scold(turn, two=True)
    elif misread_by(event.reader) in turn.night.signs:
        pass  # the sign says why
    elif is_reader(event.reader):
        _unknown(turn, event.reader, event.why, event.at)
    else:
        laying.scold(turn, two=False)


def _unknown(
    turn: CallerTurn, reader: str, what: Stranger, at: float, *, is_sure: bool = False
) -> None:
    """Announce an unknown reading that was heard twice; before that, note and show it.

    Args:
        is_sure: the reader has heard it twice itself.
    """
    strangers, hearing = turn.state.strangers.hear(reader, what, at, confirmed=is_sure)
    turn.put(strangers=strangers)
    if hearing is Hearing.ANNOUNCED:
        laying.scold(turn, two=False)
        return
    told = f"unknown tag {what}" if isinstance(what, int) else f"bytes that are no tag ({what})"
    turn.out(Log(f"{reader}: {told}"))
    if hearing is Hearing.NOTED:
        turn.out(RecordNote(reader, told))
    laying.show_unknown(turn)


def keyed(turn: CallerTurn, event: Keyed) -> None:
    """Show a number while it is being keyed; take it when it is complete."""
    number = event.number
    if event.done and number is not None:
        _take_keyed(turn, number)
        return
    turn.out(Notice("" if number is None else turn.word("keyed", number=number)))
    turn.show()


def _take_keyed(turn: CallerTurn, number: int) -> None:
    """Take a number for what dice show, digit by digit, where dice are thrown; else for a knob
    that was drawn."""
    law = awaited_throw(turn.hall.open_game)
    if law is not None and law.kind is Luck.DICE:
        act = MakeMove(move={"do": law.do, law.field: [int(digit) for digit in str(number)]})
        turn.want(Command("", act, DEVICE, KEYED))
    else:
        _lay(turn, Pending(number, KEYED), seen=True)


def _lay(turn: CallerTurn, knob: Pending, *, drawn: bool = True, seen: bool = False) -> None:
    """Call a knob, keep it pending, or refuse it.

    Args:
        drawn: it came from the bag, and a count has not left it on the reader.
        seen: the person who drew it has seen its number, and has keyed it.
    """
    pending = turn.state.pending
    if not drawn:
        turn.out(Notice(STILL_THERE.format(knob.number)))
        turn.show()
    elif not turn.hall.takes_knobs:
        _call(turn, knob)  # the hall says why not; a knob that is put back is not drawn
    elif knob.number in turn.hall.out_of_bag:
        if not turn.state.resting.is_tray(knob.reader):
            turn.out(Say(("already-drawn",)))
        turn.show()  # in a tray it may lie in another cavity now
    elif pending is not None and pending.number != knob.number:
        turn.out(Say(("two-knobs",)))
        turn.show()
    elif _unhindered(turn, seen=seen):
        _call(turn, knob)
    else:
        turn.put(pending=knob)
        turn.show()


def _unhindered(turn: CallerTurn, *, seen: bool) -> bool:
    """Return whether a knob of the game is called as soon as it is drawn."""
    state, shown_first = turn.state, turn.night.manners.see_first and not seen
    return not (state.calling or state.order or shown_first or claim_open(turn.hall))


def _call(turn: CallerTurn, knob: Pending) -> None:
    """Ask for the call of a knob, by its reader."""
    turn.want(Command("", DrawKnob(number=knob.number), DEVICE, knob.reader), laid=knob)


def call_waiting(turn: CallerTurn) -> None:
    """Call the pending knob, if there is one and play allows."""
    knob = turn.state.pending
    if knob is not None and _unhindered(turn, seen=False) and turn.hall.takes_knobs:
        turn.put(pending=None)
        _call(turn, knob)


def not_called(turn: CallerTurn, knob: Pending, reason: str) -> None:
    """Decide what becomes of a knob whose call was refused, and announce it."""
    if reason == HallReason.BAG_NOT_COUNTED:
        turn.out(Say(("count-knobs",)))  # in the hall's language, in place of what a host types
    elif reason == CLAIM_OFF.reason:
        # A claim came first. The knob is out of the bag, so keep it pending.
        if turn.state.pending in (None, knob):
            turn.put(pending=knob)
        else:
            turn.out(Say(("two-knobs",)))
