"""Judge whether a process that starts slowly is still at work. Pure, but for `work_of`.

A Pi with a slow card, or a busy one, may need more than a minute to start Python, load the sound
library and read the clips. To kill it then would only begin the wait again. So a start is waited
for as long as the process does anything: it uses the processor, or it reads. It is hung when it has
done nothing for a while, and no start may take for ever.

    >>> start = Start(still_s=30.0, began=0.0)
    >>> start.look(10.0, (5,)), start.look(20.0, (9,)), start.look(49.0, (9,))
    (10.0, 20.0, 49.0)
    >>> start.hung(49.0), start.hung(50.0)
    (False, True)
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

LONGEST_S = 900.0  # a loop without an end is at work, too

# What a process has done so far, as counters that grow; None if that cannot be known.
Work: TypeAlias = tuple[int, ...] | None


class Start:
    """One start of a process.

    Args:
        still_s: seconds without any work after which it is hung; it is told of three times as
            often.
        began: when it was started.
    """

    def __init__(self, still_s: float, began: float) -> None:
        self._still_s = still_s
        self._began = began
        self._worked_at = began
        self._work: Work = ()
        self._told = 0

    def look(self, now: float, work: Work) -> float | None:
        """Note what the process has done by now; return how long it has been starting, when it is
        time to tell of that."""
        if work is None or work != self._work:
            self._work, self._worked_at = work, now
        due = int((now - self._began) / (self._still_s / 3))
        if due <= self._told:
            return None
        self._told = due
        return now - self._began

    def hung(self, now: float) -> bool:
        """Return whether it is not to be waited for any longer."""
        return now - self._worked_at >= self._still_s or now - self._began >= LONGEST_S


def work_of(pid: int) -> Work:
    """Return what a process has done so far: its page faults and its processor time."""
    try:
        # proc(5): after the name, which may hold spaces, the third field is the state
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return tuple(int(fields[place]) for place in (7, 9, 11, 12))
