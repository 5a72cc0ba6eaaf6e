"""Report devices in trouble: a sign, a note in the journal, now and then a sentence. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from drivers import DeviceStarting, Misread
from station.calling.caller_state import MUTED, Story
from station.calling.signals import RecordNote, Say, Sign, Timer, Wind
from station.calling.turn import CallerTurn
from station.settings.readers import is_reader, misread_by, misread_told

SCOLD_PAUSE_S = 3.0  # a reader that sends garbage all the time is scolded once in so long
# and one with a loose cable is lost and found aloud once in so long: the calls come first
CABLE_PAUSE_S = 15.0
# lines in the journal about one device in a row; then the next one each so many seconds
MOST_NOTES = 200
NOTE_PAUSE_S = 30.0


def lost(turn: CallerTurn, device: str, reason: str) -> None:
    """Put up a sign for a device that does not work, until it works again."""
    turn.out(Sign(device, reason))
    _write(turn, device, f"lost: {reason}")
    if is_reader(device):
        scold(turn, "reader-lost", "lost", CABLE_PAUSE_S)


def misread(turn: CallerTurn, event: Misread) -> None:
    """Put up a sign for a reader that sends what its settings cannot read, until it reads a knob.

    The hall hears nothing of it: no ball is wrong.
    """
    told = misread_told(event)
    turn.out(Sign(misread_by(event.reader), told))
    _write(turn, event.reader, f"{told}: {event.sample}")


def starting(turn: CallerTurn, event: DeviceStarting) -> None:
    """Put up a sign that a device is slow to start, until it works or is lost."""
    device, seconds = event.device, event.seconds
    if device not in turn.night.signs:
        _write(turn, device, f"slow to start: {seconds:.0f} s so far")
    turn.out(Sign(device, turn.word("voice-starting", seconds=round(seconds))))


def found(turn: CallerTurn, device: str) -> bool:
    """Take down the sign of a device that works again; return False if it had none."""
    if device not in turn.night.signs:
        return False
    turn.out(Sign(device))
    _write(turn, device, "works again")
    if is_reader(device):
        scold(turn, "reader-back", "found", CABLE_PAUSE_S)
    return True


def carry_on(turn: CallerTurn) -> None:
    """Note in this night's journal which devices were in trouble before it began."""
    for device, sign in turn.night.signs.items():
        if device != MUTED:
            _write(turn, device, f"since before this night: {sign.text}")


def write_all(turn: CallerTurn) -> None:
    """Write the notes that are held back."""
    for device in turn.state.trouble.stories:
        write_held(turn, device)


def _write(turn: CallerTurn, device: str, what: str) -> None:
    """Record a note; only once in a while about a loose contact, lost and found for hours."""
    stories, now = turn.state.trouble.stories, turn.night.now
    story = stories.get(device, Story(now, MOST_NOTES))
    room = min(MOST_NOTES, story.room + (now - story.at) / NOTE_PAUSE_S)
    if not story.held and room >= 1:
        story = replace(story, room=room - 1, at=now)
        turn.out(RecordNote(device, what))
    else:
        if not story.held:
            turn.out(Wind(Timer.NOTES, now + NOTE_PAUSE_S, device))
        story = replace(story, room=room, at=now, held=story.held + 1, last=what)
    _put(turn, {**stories, device: story})


def write_held(turn: CallerTurn, device: str) -> None:
    """Write the notes about a device that were held back, as one."""
    stories = turn.state.trouble.stories
    if (story := stories[device]).held:
        often = f"{story.held} times lost or found in the last {NOTE_PAUSE_S:.0f} s"
        turn.out(RecordNote(device, f"{often}; now {story.last}"))
        _put(turn, {**stories, device: replace(story, held=0)})


def _put(turn: CallerTurn, stories: Mapping[str, Story]) -> None:
    turn.put(trouble=replace(turn.state.trouble, stories=stories))


def scold(
    turn: CallerTurn,
    phrase: str,
    kind: str = "knob",
    pause_s: float = SCOLD_PAUSE_S,
    which: tuple[str, ...] = (),
) -> None:
    """Say what the caller must see to, of each kind only now and then: the calls come first."""
    scolded, now = turn.state.trouble.scolded, turn.night.now
    if now - scolded.get(kind, -math.inf) >= pause_s:
        turn.put(trouble=replace(turn.state.trouble, scolded={**scolded, kind: now}))
        turn.out(Say((phrase, *which)))
