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

import errno
from collections.abc import Sequence

from station.base.said import Sentence, Value, said
from station.base.tongue import number_of

EXIT_DONE = 0
EXIT_NO = 1
EXIT_USAGE = 2
EXIT_DEVICE = 3
EXIT_DAMAGED = 4

# the reason of a refusal that names what would be lost; the act is done when it comes again with
# `sure` and the same `seen`
SURE_FIRST = "sure?"


class LotoError(Exception):
    """Something the station can name; the message is fit for a person.

    Attributes:
        exit_code: with which the command line ends.
        reason: the word by which a program knows what it is.
    """

    exit_code = EXIT_USAGE
    reason = "fault"


class Unreadable(LotoError, ValueError):
    """Text, a file or a frame that cannot be read; the message has its place."""

    reason = "unreadable"


class NotAllowed(LotoError, ValueError):
    """Understood, but not allowed now.

    Args:
        sentence: why, and what to do: a template that the language files have, or a sentence that
            was made of one.
        values: the template's; a sum of money is a `Sum`.

    Attributes:
        reason: a member of the asker's reason enum; the wire sends its value.
        said: the sentence; `str` is in English, with sums in whole units.
    """

    exit_code = EXIT_NO

    def __init__(self, reason: str, sentence: str | Sentence, /, **values: Value) -> None:
        super().__init__(reason, sentence)
        self.reason = reason
        self.said = sentence if isinstance(sentence, Sentence) else said(sentence, **values)

    def __str__(self) -> str:
        return str(self.said)


class IllegalAction(NotAllowed):
    """A game's rules forbid this action in this state."""


class Overdrawn(LotoError, ValueError):
    """A movement would leave an account below zero that may not be."""


class StoreError(LotoError, OSError):
    """The journal or the state folder cannot be used."""

    exit_code = EXIT_DAMAGED
    reason = "store"


class Halted(StoreError):
    """A write failed. Nothing more is accepted: the hall goes on with paper."""

    reason = "halted"


class Damaged(StoreError):
    """Stored data differs from what was written; the message has file and line."""

    reason = "damaged"


class StateInUse(StoreError):
    """Another station holds this state folder."""

    exit_code = EXIT_USAGE
    reason = "in-use"


class SettingsError(LotoError):
    """The settings have faults.

    Attributes:
        faults: one sentence for each fault, all of them, in the order of the file.
    """

    reason = "settings"

    def __init__(self, source: str, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        lines = "\n".join(f"  - {fault}" for fault in self.faults)
        super().__init__(f"{source}: {number_of(len(self.faults), 'fault')}\n{lines}")


class WireError(LotoError, ConnectionError):
    """The station's socket is not there, or it does not answer."""

    reason = "no-station"


def out_of_memory(error: BaseException | None) -> bool:
    """Return whether an error, or what led to it, is that this machine has no memory left.

    >>> out_of_memory(MemoryError()), out_of_memory(RuntimeError("can't start new thread"))
    (True, True)
    >>> out_of_memory(ImportError("libx.so: failed to map segment from shared object"))
    True
    >>> out_of_memory(ValueError("it is 7"))
    False
    """
    while error is not None:
        if isinstance(error, MemoryError) or getattr(error, "errno", 0) == errno.ENOMEM:
            return True
        if isinstance(error, ImportError | RuntimeError | OSError) and any(
            words in str(error).lower() for words in _NO_MEMORY
        ):
            return True
        error = error.__cause__ or error.__context__
    return False


# as the loader of libraries and Python's threads say it
_NO_MEMORY = ("failed to map segment", "cannot allocate memory", "can't start new thread")
