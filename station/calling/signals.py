"""What the machine of the caller hears, and what it wants done: plain values, frozen.

`station.calling.machine` turns the ones into the others; `station.calling.desk` hears and does.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from drivers import Held, Pressed, Rank, Released, Turned
from station.record.session import Answer, Change, Command, Refused


class Words(StrEnum):
    """Announcements whose end something waits for."""

    CALL = "call"
    AGAIN = "again"  # the last number, once more
    QUESTION = "question"
    LAST = "last"  # before the machine is switched off


class Timer(StrEnum):
    """What the machine waits for."""

    CALL = "call"
    PACE = "pace"
    ANSWER = "answer"
    OFF = "off"


# -- events ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Laid:
    """A knob was read.

    Attributes:
        drawn: it came from the bag, as far as can be told; not left on the reader by a count.
        tray: the reader is one where called knobs may lie.
    """

    knob: int
    reader: str
    drawn: bool = True
    tray: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """What was to be done was, or was refused; None when it failed by a fault of the program."""

    command: Command
    answer: Answer | None


@dataclass(frozen=True, slots=True)
class Ended:
    """Words are over; `heard` is None when there was no voice to say them."""

    words: Words
    heard: bool | None


@dataclass(frozen=True, slots=True)
class Rang:
    """A timer has run down."""

    timer: Timer


class Signal(StrEnum):
    """What happens and says nothing more."""

    STARTED = "started"
    RESUMED = "resumed"  # started in the middle of a night
    TOOK_OVER = "took over"  # from the night before, while the station runs
    VOICE_BACK = "voice back"
    HALTED = "halted"  # nothing more can be recorded


@dataclass(frozen=True, slots=True)
class Silenced:
    """The sound was switched off, or on again; `who`, for the record."""

    muted: bool
    who: str


Device: TypeAlias = Pressed | Released | Held | Turned
# A command is somebody who asks and waits for the answer; a change is durable and adopted.
Event: TypeAlias = Device | Laid | Command | Change | Answered | Ended | Rang | Silenced | Signal


# -- effects ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Record:
    """Check it, write it, adopt it: a `Change` and `Answered` follow.

    Attributes:
        asked: what was asked for, where the command says it more exactly.
    """

    command: Command
    asked: Command | None = None


@dataclass(frozen=True, slots=True)
class Try:
    """Do what devices, a census or a self-test must answer: `Answered` follows."""

    command: Command


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer without a line in the journal. `keep` it for the command that comes again."""

    command: Command
    answer: Answer
    keep: bool = True


@dataclass(frozen=True, slots=True)
class Refuse:
    """A device asked for what cannot be done now; `aloud` shows the reason in the hall, too."""

    answer: Refused
    aloud: bool


@dataclass(frozen=True, slots=True)
class Tell:
    """Let the hall hear and see a change, and marks, buzzers and counts follow it."""

    change: Change


@dataclass(frozen=True, slots=True)
class Say:
    """Say clips and show their text.

    Attributes:
        words: whose end is waited for.
        adds: the text stands after the one that is shown.
    """

    clips: tuple[str, ...]
    rank: Rank = Rank.CHATTER
    words: Words | None = None
    adds: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """Show a text under the board; or what the voice's phrase `key` says, and say nothing."""

    text: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Hint:
    """A press of this button means nothing now: show what does, or who must decide first."""

    button: str


@dataclass(frozen=True, slots=True)
class Sign:
    """Put up a device's sign that stays; or take it down, where it has no text."""

    device: str
    text: str = ""
    colour: Literal["amber", "red"] = "amber"


@dataclass(frozen=True, slots=True)
class Note:
    """Record something that changes nothing."""

    about: str
    what: str


@dataclass(frozen=True, slots=True)
class Wind:
    """Let a timer ring at this second, once, in place of what it was wound to; None: never."""

    timer: Timer
    at: float | None


class Do(StrEnum):
    """Effects that say nothing more."""

    WELCOME = "welcome"
    SAY_WHERE = "say where"  # the game stands, after a start
    LIGHT = "light"  # the board, anew
    PUBLISH = "publish"  # board, lamps and screens show what is so now
    POWER_OFF = "power off"


Effect: TypeAlias = (
    Record | Try | Reply | Refuse | Tell | Say | Notice | Hint | Sign | Note | Wind | Do
)
