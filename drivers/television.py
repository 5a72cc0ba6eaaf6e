"""A television that the station switches on and off, over the HDMI cable (CEC).

    HDMI cable from the Pi to the television; in its menu CEC must be on (each maker has another
    name for it)

    tv = Television(device="/dev/cec0")
    tv.open(deliver=print)
    tv.power(on=True)
    tv.close()

Parameters: see `Television`. What speaks to the kernel's CEC is the command `cec-ctl`, in Debian's
package v4l-utils. A television that does not answer is `DeviceLost`, and is asked again by itself.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from drivers import BadOption, Clock, Deliver, DeviceFound, DeviceLost, DriverError
from drivers.sleeper import MakeTurns, Sleeper, Turning, hand_over

Run: TypeAlias = Callable[[Sequence[str]], object]

PROGRAM = "cec-ctl"
TELEVISION = "0"  # its logical address, by the standard
LIMIT_S = 10.0
AGAIN_S = 30.0


def run_program(words: Sequence[str]) -> object:
    """Run a command, and wait for its end.

    Raises:
        OSError: it is not there.
        subprocess.SubprocessError: it failed, or takes too long.
    """
    return subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S, check=True
    )


@dataclass(kw_only=True, eq=False)
class Television(Turning):
    """One television.

    Args:
        device: the HDMI output's CEC device; default "/dev/cec0".
        run: what runs a command.
        clock: monotonic seconds.
        sleeper: what takes its turns; by default a thread.

    Raises:
        BadOption: the device is no path.
    """

    needs = ("cec",)

    device: str = "/dev/cec0"
    run: Run = run_program
    clock: Clock = time.monotonic
    sleeper: MakeTurns = Sleeper

    def __post_init__(self) -> None:
        if not self.device.startswith("/"):
            raise BadOption(f"tv: device={self.device!r} is no path, such as /dev/cec0")
        self._lock = threading.Lock()
        self._wanted: bool | None = None
        self._done: bool | None = None
        self._lost = False

    def open(self, deliver: Deliver) -> None:
        """Begin; nothing is switched yet.

        Raises:
            DriverError: open already.
        """
        with self._lock:
            if self._turns is not None:
                raise DriverError("the tv is open already: close it first")
            self._deliver, self._done, self._lost = deliver, None, False
            self._turns = self.sleeper("tv", self._turn, clock=self.clock)
            self._turns.start()

    def close(self) -> None:
        """End; the television stays as it is. May be called again."""
        with self._lock:
            turns, self._turns = self._turns, None
        if turns is not None:
            turns.stop()

    def power(self, *, on: bool) -> None:
        """Switch it on, or off. Return at once."""
        with self._lock:
            self._wanted, self._done = on, None
            if self._turns is not None:
                self._turns.wake()

    def _turn(self, now: float) -> float | None:
        wanted = self._wanted
        if wanted is None or wanted is self._done:
            return None
        try:
            # The first makes the output a player, as which it may speak.
            self.run((PROGRAM, f"-d{self.device}", "--playback"))
            say = "--image-view-on" if wanted else "--standby"
            self.run((PROGRAM, f"-d{self.device}", "--to", TELEVISION, say))
        except (OSError, subprocess.SubprocessError) as error:
            return self._lose(error, now)
        self._done = wanted
        if self._lost:
            self._lost = False
            hand_over(self._deliver, DeviceFound("tv", now))
        return now  # it may have been asked for something else meanwhile

    def _lose(self, error: Exception, now: float) -> float:
        if not self._lost:
            self._lost = True
            missing = isinstance(error, FileNotFoundError)
            todo = (
                "sudo apt-get install v4l-utils"
                if missing
                else f"is CEC on in its menu, and is it the output of {self.device}?"
            )
            what = f"{PROGRAM} is missing" if missing else "it does not answer over the HDMI cable"
            reason = f"the tv cannot be switched: {what}: {todo}; use its remote control"
            hand_over(self._deliver, DeviceLost("tv", reason, now))
        return now + AGAIN_S
