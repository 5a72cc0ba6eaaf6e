"""Report devices in trouble: an amber sign, a note in the journal, now and then a sentence."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass

from station.calling.caller_state import MUTED
from station.calling.outputs import OutputSender
from station.settings.readers import is_reader, misread_by
from station.wire.board_view import SignView
from station.wire.wording import Wording

SCOLD_PAUSE_S = 3.0  # a reader that sends garbage all the time is scolded once in so long
# and one with a loose cable is lost and found aloud once in so long: the calls come first
CABLE_PAUSE_S = 15.0
# lines in the journal about one device in a row; then the next one each so many seconds
MOST_NOTES = 200
NOTE_PAUSE_S = 30.0


@dataclass
class _Story:
    """The notes about a device that comes and goes: each while there is room, then a sum."""

    room: float = MOST_NOTES
    at: float = 0.0  # when that was so
    held: int = 0
    last: str = ""
    timer: asyncio.TimerHandle | None = None


class Trouble:
    """The desk's reaction to devices that come and go.

    Args:
        note: records something about a device: its name, and what happened.
    """

    def __init__(self, sender: OutputSender, note: Callable[[str, str], None]) -> None:
        self._sender = sender
        self._note = note
        self._stories: dict[str, _Story] = {}
        self._scolded: dict[str, float] = {}  # for each kind of trouble, when it was spoken of

    def lost(self, device: str, reason: str) -> None:
        """Put up a sign for a device that does not work, until it does again."""
        self._sender.sign(SignView(device=device, colour="amber", text=reason))
        self._write(device, f"lost: {reason}")
        if is_reader(device):
            self.scold("reader-lost", "lost", CABLE_PAUSE_S)

    def misread(self, reader: str, told: str, note: str) -> None:
        """Put up a sign for a reader that sends what its settings cannot read, until a knob is read
        on it. The hall is not told: no ball is wrong."""
        self._sender.sign(SignView(device=misread_by(reader), colour="amber", text=told))
        self._write(reader, note)

    def starting(self, device: str, wording: Wording, seconds: float) -> None:
        """Put up a sign that a device is slow to start, until it works or is lost."""
        text = wording.screen["voice-starting"].format(seconds=round(seconds))
        if device not in self._sender.signs:
            self._write(device, f"slow to start: {seconds:.0f} s so far")
        self._sender.sign(SignView(device=device, colour="amber", text=text))

    def found(self, device: str) -> bool:
        """Take a device's sign down because it works again; return False if it was not missed."""
        if not self._sender.unsign(device):
            return False
        self._write(device, "works again")
        if is_reader(device):
            self.scold("reader-back", "found", CABLE_PAUSE_S)
        return True

    def carry_on(self) -> None:
        """Note in this night's journal what was in trouble before it began."""
        for device, sign in self._sender.signs.items():
            if device != MUTED:
                self._write(device, f"since before this night: {sign.text}")

    def stop(self) -> None:
        """Stop the timers, and write the notes that waited."""
        for device, story in self._stories.items():
            if story.timer is not None:
                story.timer.cancel()
                self._write_held(device, story)

    def _write(self, device: str, what: str) -> None:
        """Record a note; only once in a while about a loose contact, lost and found for hours."""
        loop = asyncio.get_running_loop()
        story, now = self._stories.setdefault(device, _Story(at=loop.time())), loop.time()
        story.room, story.at = min(MOST_NOTES, story.room + (now - story.at) / NOTE_PAUSE_S), now
        if story.timer is None and story.room >= 1:
            story.room -= 1
            self._note(device, what)
            return
        story.held, story.last = story.held + 1, what
        if story.timer is None:
            story.timer = loop.call_later(NOTE_PAUSE_S, self._write_held, device, story)

    def _write_held(self, device: str, story: _Story) -> None:
        often = f"{story.held} times lost or found in the last {NOTE_PAUSE_S:.0f} s"
        self._note(device, f"{often}; now {story.last}")
        story.held, story.timer = 0, None

    def scold(
        self,
        phrase: str,
        kind: str = "knob",
        pause_s: float = SCOLD_PAUSE_S,
        which: tuple[str, ...] = (),
    ) -> None:
        """Say what the caller must see to, of each kind only now and then: the calls come first."""
        now = asyncio.get_running_loop().time()
        if now - self._scolded.get(kind, -math.inf) >= pause_s:
            self._scolded[kind] = now
            self._sender.tell((phrase, *which))
