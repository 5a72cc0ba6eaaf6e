"""Simulate a dice tower that says its frames over a pseudo-terminal, for `Tower` to read.

    tower = SimulatedTower(folder)                 # Tower(port=tower.port)
    tower.throw("36"); tower.throw("B", cubes=True)
    tower.cock(); tower.drop(); tower.touch()

Hands may be used from any thread.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

from drivers import Clock
from drivers.readers.tower import ASK, COUNTS, STARTS, Lies, TowerState, encode
from drivers.simulated.lines import PseudoTerminal, SerialLine
from drivers.sleeper import MakeTurns, Sleeper

BEAT_S = 0.5
LOOK_S = 0.25  # how often it looks whether it was asked


class TowerHand(SerialLine):
    """The hands on a dice tower, and its frames; a subclass says over which line.

    Args:
        clock: monotonic seconds.
        sleeper: what says a frame every half second, and answers; by default a thread.
    """

    def __init__(self, *, clock: Clock = time.monotonic, sleeper: MakeTurns = Sleeper) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._state = TowerState(0, 0, Lies.NOTHING)
        self._due = 0.0
        self._silent = False
        self._sleeper = sleeper("simulated tower", self._turn, clock=clock)
        self.plug()
        self._sleeper.start()

    @property
    def lies(self) -> TowerState:
        """Return what lies in the tower, as it says it."""
        return self._state

    def throw(self, faces: str, *, cubes: bool = False) -> None:
        """Throw dice, or marked cubes, that show these faces, a character each, as in a frame.

        Raises:
            BadOption: there are none like that.
        """
        self._came(Lies.CUBES if cubes else Lies.DICE, faces)

    def cock(self) -> None:
        """Throw them so that one leans on another."""
        self._came(Lies.ASKEW)

    def drop(self) -> None:
        """Throw them so that one falls off."""
        self._came(Lies.FALLEN)

    def touch(self) -> None:
        """Throw them, and touch them while they are read."""
        self._came(Lies.TOUCHED)

    def garble(self, data: bytes = b"!1C0F02D3\xff\x00garbage\n") -> None:
        """Send any bytes at all over the line, as of a bad cable."""
        self.send(data)

    def lose(self, faces: str) -> None:
        """Throw dice whose frame never arrives; it comes when it is due again, or asked for."""
        with self._lock:
            self._came(Lies.DICE, faces, heard=False)

    def hang(self, silent: bool = True) -> None:
        """Make the tower silent with its cable in; or let it go on."""
        with self._lock:
            self._silent = silent

    def plug(self) -> None:
        """Put the cable back: the tower starts anew, for it has its power from there.

        Raises:
            DriverError: the port cannot be made.
        """
        if not self.plugged:
            self._connect()
            self.restart()
            self._sleeper.wake()

    def restart(self) -> None:
        """Start the tower anew: it knows of no throw."""
        with self._lock:
            self._state = TowerState((self._state.start + 1) % STARTS, 0, Lies.NOTHING)
            self._say()

    def close(self) -> None:
        """Close the tower. May be called again."""
        self._sleeper.stop()
        self.unplug()

    def _came(self, what: Lies, faces: str = "", *, heard: bool = True) -> None:
        with self._lock:
            state = self._state
            after = TowerState(state.start, (state.count + 1) % COUNTS, what, faces)
            encode(after)  # what there cannot be has not been thrown
            self._state = after
            if heard:
                self._say()

    def _say(self) -> None:
        self._due = self._clock() + BEAT_S
        if not self._silent:
            self.send(encode(self._state))

    def _turn(self, now: float) -> float | None:
        with self._lock:
            if now >= self._due or ASK in self.heard():
                self._say()
            return min(self._due, now + LOOK_S)


class SimulatedTower(PseudoTerminal, TowerHand):
    """A tower whose bytes come over a pseudo-terminal.

    Args:
        folder: where the port is made, as `name`; the path stays the same when the cable is pulled
            and put back.
        options: as of `TowerHand`.

    Raises:
        DriverError: the port cannot be made.
    """

    def __init__(self, folder: Path, name: str = "tower", **options: Any) -> None:
        PseudoTerminal.__init__(self, folder / name)
        TowerHand.__init__(self, **options)
