"""Every error the station raises, as one tree.

    LotoError                    what all of them are; `str()` is one sentence for a person
    ├── Unreadable               text, a file or a frame cannot be read        (also ValueError)
    ├── NotAllowed               read well, but not allowed now; has `.reason` (also ValueError)
    │   └── IllegalAction        a game's rules forbid the action
    ├── Overdrawn                money would move that is not there             (also ValueError)
    ├── StoreError               the journal or the state folder               (also OSError)
    │   ├── Halted               a write failed: the game is on paper now
    │   ├── Damaged              stored data is not what was written: file and line
    │   └── StateInUse           a second station on the same state folder
    ├── SettingsError            settings: all faults at once, in `.faults`
    └── WireError                the socket is not there or does not answer  (also ConnectionError)

Device errors are `drivers.DriverError`: the drivers know nothing of the station. A message says
what happened, to what, and what to do. Exit codes of the command line are kept here too, beside the
kinds they belong to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

EXIT_DONE = 0
EXIT_NO = 1
EXIT_USAGE = 2
EXIT_DEVICE = 3
EXIT_DAMAGED = 4

# the reason of a refusal that names what would be lost; the act is done when it comes again with
# `sure` and the same `seen`
SURE_FIRST = "sure?"


class LotoError(Exception):
    """Something the station can name; the message is fit for a person."""

    exit_code = EXIT_USAGE


class Unreadable(LotoError, ValueError):
    """Text, a file or a frame that cannot be read; the message has its place."""


class NotAllowed(LotoError, ValueError):
    """Understood, but not allowed now.

    Args:
        said: the message in pieces; each whole number is a sum of money. `str` writes sums as whole
            units.

    Attributes:
        reason: a member of the asker's reason enum; the wire sends its value.
    """

    exit_code = EXIT_NO

    def __init__(self, reason: StrEnum, *said: str | int) -> None:
        self._said = said or (reason.value,)
        super().__init__(self.told(str))
        self.reason = reason

    def told(self, write: Callable[[int], str]) -> str:
        """Return the message, with its sums written by `write`."""
        return "".join(piece if isinstance(piece, str) else write(piece) for piece in self._said)


class IllegalAction(NotAllowed):
    """A game's rules forbid this action in this state."""


class Overdrawn(LotoError, ValueError):
    """A movement would leave an account below zero that may not be."""


class StoreError(LotoError, OSError):
    """The journal or the state folder cannot be used."""

    exit_code = EXIT_DAMAGED


class Halted(StoreError):
    """A write failed. Nothing more is accepted: the hall goes on with paper."""


class Damaged(StoreError):
    """Stored data differs from what was written; the message has file and line."""


class StateInUse(StoreError):
    """Another station holds this state folder."""

    exit_code = EXIT_USAGE


class SettingsError(LotoError):
    """The settings have faults.

    Attributes:
        faults: one sentence for each fault, all of them, in the order of the file.
    """

    def __init__(self, source: str, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        lines = "\n".join(f"  - {fault}" for fault in self.faults)
        count = len(self.faults)
        super().__init__(f"{source}: {count} {'fault' if count == 1 else 'faults'}\n{lines}")


class WireError(LotoError, ConnectionError):
    """The station's socket is not there, or it does not answer."""
