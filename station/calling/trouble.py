"""Devices in trouble: the amber sign, the line in the journal, and what is said aloud, once in a
while."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass

from station.calling.machine import MUTED
from station.calling.outputs import Front
from station.settings.readers import is_reader
from station.wire.board_view import SignView

SCOLD_PAUSE_S = 3.0  # a reader that sends garbage all the time is scolded once in so long
# and one with a loose cable is lost and found aloud once in so long: the calls come first
CABLE_PAUSE_S = 15.0
# lines in the journal about one device in a row; then the next one each so many seconds
MOST_NOTES = 200
NOTE_PAUSE_S = 30.0


@dataclass
class _Story:
    """What of a device that comes and goes is written: each time, as long as there is room, then
    the last time and how many."""

    room: float = MOST_NOTES
    at: float = 0.0  # when that was so
    held: int = 0
    last: str = ""
    timer: asyncio.TimerHandle | None = None


class Trouble:
    """What the desk does about devices that come and go.

    Args:
        note: records something about a device: its name, and what happened.
    """

    def __init__(self, front: Front, note: Callable[[str, str], None]) -> None:
        self._front = front
        self._note = note
        self._stories: dict[str, _Story] = {}
        self._scolded: dict[str, float] = {}  # for each kind of trouble, when it was spoken of

    def lost(self, device: str, reason: str) -> None:
        """A device does not work: a sign until it does again."""
        self._front.sign(SignView(device=device, colour="amber", text=reason))
        self._write(device, f"lost: {reason}")
        if is_reader(device):
            self.scold("reader-lost", "lost", CABLE_PAUSE_S)

    def found(self, device: str) -> bool:
        """A device works again; gives False when it was not missed."""
        if not self._front.unsign(device):
            return False
        self._write(device, "works again")
        if is_reader(device):
            self.scold("reader-back", "found", CABLE_PAUSE_S)
        return True

    def carry_on(self) -> None:
        """Notes what was in trouble before this night began: its journal tells of it, too."""
        for device, sign in self._front.signs.items():
            if device != MUTED:
                self._write(device, f"since before this night: {sign.text}")

    def stop(self) -> None:
        """Waits for nothing any more; what waited to be written is."""
        for device, story in self._stories.items():
            if story.timer is not None:
                story.timer.cancel()
                self._write_held(device, story)

    def _write(self, device: str, what: str) -> None:
        """Has the journal keep it; of a loose contact, which is lost and found for hours, once in a
        while only."""
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
        self._note(
            device,
            f"{story.held} times lost or found in the last {NOTE_PAUSE_S:.0f} s; now {story.last}",
        )
        story.held, story.timer = 0, None

    def scold(
        self,
        phrase: str,
        kind: str = "knob",
        pause_s: float = SCOLD_PAUSE_S,
        which: tuple[str, ...] = (),
    ) -> None:
        """Says what the caller must see to, and of which knob; of each kind once in a while only,
        or it would drown the calls."""
        now = asyncio.get_running_loop().time()
        if now - self._scolded.get(kind, -math.inf) >= pause_s:
            self._scolded[kind] = now
            self._front.tell((phrase, *which))
