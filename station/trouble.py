"""Devices in trouble: the amber sign, the line in the journal, and what is said aloud, once in a while."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable

from station.boardview import SignView
from station.front import Front
from station.readers import is_reader

SCOLD_PAUSE_S = 3.0  # a reader that sends garbage all the time is scolded once in so long
CABLE_PAUSE_S = 15.0  # and one with a loose cable is lost and found aloud once in so long: the calls come first


class Trouble:
    """What the desk does about devices that come and go.

    Args:
        note: records something about a device: its name, and what happened.
    """

    def __init__(self, front: Front, note: Callable[[str, str], None]) -> None:
        self._front = front
        self._note = note
        self._scolded: dict[str, float] = {}  # for each kind of trouble, when it was spoken of

    def lost(self, device: str, reason: str) -> None:
        """A device does not work: a sign until it does again."""
        self._front.sign(SignView(device=device, colour="amber", text=reason))
        self._note(device, f"lost: {reason}")
        if is_reader(device):
            self.scold("reader-lost", "lost", CABLE_PAUSE_S)

    def found(self, device: str) -> bool:
        """A device works again; gives False when it was not missed."""
        if not self._front.unsign(device):
            return False
        self._note(device, "works again")
        if is_reader(device):
            self.scold("reader-back", "found", CABLE_PAUSE_S)
        return True

    def scold(self, phrase: str, kind: str = "knob", pause_s: float = SCOLD_PAUSE_S) -> None:
        """Says what the caller must see to; of each kind once in a while only, or it would drown the calls."""
        now = asyncio.get_running_loop().time()
        if now - self._scolded.get(kind, -math.inf) >= pause_s:
            self._scolded[kind] = now
            self._front.tell_hall((phrase,))
