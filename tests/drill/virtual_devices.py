"""The devices of a world in virtual time: small halves in memory for the real drivers, and a voice
that only takes its time.

Each keeps its own account of what it was to its driver, `Health`: what the journal says of it must
be the same.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from drivers import Deliver, DeviceFound, DeviceLost, Rank, SoundEnded, SoundStarted
from drivers.simulated.board import RecordingBus
from drivers.simulated.pins import SimulatedPins
from drivers.voice.speech import DEVICE, FIRST_PAUSE_S, LONGEST_PAUSE_S, STEADY_S
from tests.drill.evening import AT_ONCE

WORKER_START_S = 0.6
HANG_S = 4.0
CLIP_S = 0.6


@dataclass
class Health:
    """What a device has been since the station started, as its driver could feel it: "lost" and
    "works again" in turn."""

    turns: list[str] = field(default_factory=list)

    @property
    def ill(self) -> bool:
        """Whether the device does not work."""
        return self.turns[-1:] == ["lost"]

    def fell(self) -> None:
        """It did not do what it was asked."""
        if not self.ill:
            self.turns.append("lost")

    def did(self) -> None:
        """It did what it was asked."""
        if self.ill:
            self.turns.append("works again")


class WatchedPins(SimulatedPins):
    """Pins that keep account of how their lamps did."""

    def __init__(self) -> None:
        super().__init__(hand=AT_ONCE)
        self.health = Health()

    def check_drive(self) -> None:
        """See `SimulatedPins`."""
        try:
            super().check_drive()
        except OSError:
            self.health.fell()
            raise
        self.health.did()


class WatchedBus(RecordingBus):
    """A board that keeps account of how its bus did."""

    def __init__(self, block_orientation: int) -> None:
        super().__init__(block_orientation=block_orientation)
        self.health = Health()

    def data(self, data: Iterable[int]) -> None:
        """See `RecordingBus`."""
        try:
            super().data(data)
        except OSError:
            self.health.fell()
            raise
        self.health.did()


@dataclass
class Announcement:
    """What was said, or was to be.

    Attributes:
        at: when the voice was asked.
        ended: when it was over, None while it is not.
        heard: whether it was played to its end.
    """

    at: float
    clips: tuple[str, ...]
    token: int
    rank: Rank = Rank.CHATTER
    ended: float | None = None
    heard: bool = False


class VirtualVoice:
    """A voice that says every clip in the same time, and fares as `drivers.voice.speech` does when
    its worker is killed or hangs.

    Args:
        away: whether there is no loudspeaker: no worker gets ready then.
        told: hears each announcement when it is asked for.
    """

    def __init__(self, away: Callable[[], bool], told: Callable[[Announcement], None]) -> None:
        self._away = away
        self._told = told
        self._loop = asyncio.get_running_loop()
        self._queue: deque[Announcement] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._ready_at: float | None = None
        self._failures = 0
        self._accepting = True
        self._hung = False
        self.running = False
        self.worker: int | None = None
        self.health = Health()
        self.well_at: list[float] = []  # when it came back

    @property
    def alive(self) -> bool:
        """Whether announcements are taken to be heard."""
        return self.running and not self.health.ill

    def open(self, deliver: Deliver) -> None:
        """Starts the worker."""
        self._deliver = deliver
        self.running = True
        self._start()

    def close(self) -> None:
        """Ends the worker; what was not said ends unheard."""
        self.running = False
        self._after(None)
        self.worker = None
        self._end_all()

    def say(self, clips: Sequence[str], token: int, rank: Rank = Rank.CHATTER) -> None:
        """See `drivers.Voice`."""
        announcement = Announcement(self._loop.time(), tuple(clips), token, rank)
        self._told(announcement)
        if not self._accepting or self.worker is None:
            self._end(announcement, heard=False)
            return
        # After what is being said, which stands first.
        lower = (
            place for place, other in enumerate(self._queue) if place > 0 and other.rank < rank
        )
        self._queue.insert(next(lower, len(self._queue)), announcement)
        if len(self._queue) == 1:
            self._speak()

    def volume(self, level: float) -> None:
        """However loud, it takes its time."""

    def named(self, text: str) -> str | None:
        """It knows no names."""
        return None

    @property
    def speaks(self) -> bool:
        """Whether there is a worker that speaks."""
        return self._ready_at is not None and not self._hung

    def kill(self) -> None:
        """The worker that speaks is killed."""
        self._ended("the voice's process ended (exit code -9) and is started again")

    def hang(self) -> None:
        """The worker says nothing more."""
        self._hung = True
        self._after(
            HANG_S,
            self._ended,
            f"the voice gave no sign of life for {HANG_S:g} s and is started again",
        )

    def _after(self, seconds: float | None, work: Callable[..., None] = print, *args: Any) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self._loop.call_later(seconds, work, *args)

    def _start(self) -> None:
        self.worker = 1
        self._ready_at, self._hung = None, False
        self._after(WORKER_START_S, self._started)

    def _started(self) -> None:
        self._timer = None
        if self._away():
            self._ended("there is no loudspeaker")
            return
        self._ready_at = self._loop.time()
        self._accepting = True
        if self.health.ill:
            self.health.did()
            self.well_at.append(self._ready_at)
            self._deliver(DeviceFound(DEVICE, self._ready_at))
        self._speak()

    def _speak(self) -> None:
        if self._queue and self._ready_at is not None and not self._hung:
            self._deliver(SoundStarted(self._queue[0].token, self._loop.time()))
            self._after(CLIP_S * len(self._queue[0].clips), self._said)

    def _said(self) -> None:
        self._timer = None
        self._end(self._queue.popleft(), heard=True)
        self._speak()

    def _end(self, announcement: Announcement, heard: bool) -> None:
        announcement.ended, announcement.heard = self._loop.time(), heard
        self._deliver(SoundEnded(announcement.token, heard, announcement.ended))

    def _end_all(self) -> None:
        while self._queue:
            self._end(self._queue.popleft(), heard=False)

    def _ended(self, reason: str) -> None:
        now = self._loop.time()
        if self._ready_at is not None and now - self._ready_at >= STEADY_S:
            self._failures = 0
        self._failures += 1
        # one crash is mended at once; nobody waits for later ones
        self._accepting = self._failures == 1
        self.worker, self._ready_at = None, None
        self._end_all()
        if not self.health.ill:
            self.health.fell()
            self._deliver(DeviceLost(DEVICE, f"{reason}; the game goes on, look at the board", now))
        pause = (
            0.0
            if self._failures == 1
            else min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (self._failures - 2))
        )
        self._after(pause, self._start)
