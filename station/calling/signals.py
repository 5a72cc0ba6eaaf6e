"""Name what the caller's machine takes and wants done, and judge unknown tags. Pure.

Names are plain values, frozen. When something unknown lies on a reader, the hall hears of it only
once it is certain. One good frame may be noise: readers send tags that nobody laid. So what was
heard once is noted, and shown under the board. It is announced when it was heard twice: the reader
confirms it, or it is laid again within half a minute. A known tag needs no second frame;
`docs/readers.md` says why.

`station.calling.machine` turns events into effects; `station.calling.desk` hears the ones and does
the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto
from types import MappingProxyType
from typing import Literal, TypeAlias

import drivers
from drivers import Rank
from station.base.said import Sentence
from station.night.acts import SelfTest
from station.record.requests import Answer, Change, Command, Refused

WITHIN_S = 30.0
NOTE_PAUSE_S = 60.0  # between two notes in the journal about one reader

# A tag, or why bytes were refused.
Stranger: TypeAlias = int | str


class Hearing(Enum):
    """What becomes of an unknown reading."""

    NOTED = auto()  # for the first time in a while: a line in the journal
    SHOWN = auto()
    ANNOUNCED = auto()


@dataclass(frozen=True, slots=True)
class Strangers:
    """What was heard that is not known, and when, by reader.

    Attributes:
        noted: when the journal had a note about each reader.
    """

    heard: Mapping[tuple[str, Stranger], float] = field(default_factory=lambda: _NOTHING)
    noted: Mapping[str, float] = field(default_factory=lambda: _NEVER)

    def hear(
        self, reader: str, what: Stranger, at: float, *, confirmed: bool = False
    ) -> tuple[Strangers, Hearing]:
        """Return what was heard with this reading, and what becomes of it.

        Args:
            confirmed: the reader has heard it a second time itself.
        """
        lately = {one: when for one, when in self.heard.items() if at - when <= WITHIN_S}
        again = confirmed or (reader, what) in lately
        after = replace(self, heard={**lately, (reader, what): at})
        if again:
            return after, Hearing.ANNOUNCED
        before = self.noted.get(reader)
        if before is not None and at - before < NOTE_PAUSE_S:
            return after, Hearing.SHOWN
        return replace(after, noted={**self.noted, reader: at}), Hearing.NOTED


_NOTHING: Mapping[tuple[str, Stranger], float] = MappingProxyType({})
_NEVER: Mapping[str, float] = MappingProxyType({})


# -- what is awaited -------------------------------------------------------------------------------


class AwaitedWords(StrEnum):
    """Announcements whose end the machine waits for."""

    CALL = "call"
    AGAIN = "again"  # the last number, once more
    QUESTION = "question"
    LAST = "last"  # before the machine is switched off
    ROW = "row"  # of a drawing's result


class Timer(StrEnum):
    """The timers of the machine."""

    CALL = "call"
    PACE = "pace"
    ANSWER = "answer"
    OFF = "off"
    HOLD = "hold"
    ROW = "row"  # of a drawing's result
    NOTES = "notes"  # about one device
    TIE = "tie"  # of answers: it is complete
    GRACE = "grace"  # for answers that were pressed before a draw


# -- events ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CommandAnswered:
    """The answer to a `Record` or `Try`; None if it failed by a fault of the program."""

    command: Command
    answer: Answer | None


@dataclass(frozen=True, slots=True)
class Ended:
    """Words are over; `heard` is None if there was no voice to say them."""

    words: AwaitedWords
    heard: bool | None


@dataclass(frozen=True, slots=True)
class Rang:
    """A timer has run down."""

    timer: Timer
    of: str = ""


class Signal(StrEnum):
    """Events without any data."""

    STARTED = "started"
    RESUMED = "resumed"  # started in the middle of a night
    TOOK_OVER = "took over"  # from the night before, while the station runs
    ENDING = "ending"  # the desk is being closed
    HALTED = "halted"  # nothing more can be recorded


@dataclass(frozen=True, slots=True)
class Silenced:
    """The sound was switched off, or on again; `who` is for the record."""

    muted: bool
    who: str


@dataclass(frozen=True, slots=True)
class SelfTestEnded:
    """The self-test has ended; `result` is None if it failed by a fault of the program."""

    result: SelfTest | None


# A command is somebody who asks and waits for the answer; a change is durable and adopted.
Event: TypeAlias = (
    drivers.Event
    | Command
    | Change
    | CommandAnswered
    | Ended
    | Rang
    | Silenced
    | SelfTestEnded
    | Signal
)


# -- effects ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Record:
    """Check an act, write it, adopt it: a `Change` and `CommandAnswered` follow.

    Attributes:
        asked: what was asked for, if the command says it more exactly.
        waits: wait with a draw until `Do.DRAW`: answers before it are recorded first.
    """

    command: Command
    asked: Command | None = None
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Try:
    """Do what a device must answer: `CommandAnswered` follows."""

    command: Command


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer without a line in the journal. `keep` it for the command that comes again."""

    command: Command
    answer: Answer
    keep: bool = True


@dataclass(frozen=True, slots=True)
class Refuse:
    """Refuse what a device asked for; `aloud` shows the reason in the hall, too."""

    answer: Refused
    aloud: bool


@dataclass(frozen=True, slots=True)
class Tell:
    """Let the hall hear and see a change; marks and simulated players follow it.

    Attributes:
        words: set if the machine waits for the end of the announcement.
    """

    change: Change
    words: AwaitedWords | None = None


@dataclass(frozen=True, slots=True)
class Say:
    """Say clips and show their text.

    Attributes:
        words: set if the machine waits for the end.
        adds: the text is shown after the present one.
    """

    clips: tuple[str, ...]
    rank: Rank = Rank.CHATTER
    words: AwaitedWords | None = None
    adds: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """Show a text under the board, or the text of the voice's phrase `key`, without speaking."""

    text: str | Sentence = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Hint:
    """Tell that a press means nothing now: show which one does, or who must decide first."""

    button: str


@dataclass(frozen=True, slots=True)
class Sign:
    """Put up a device's sign, which stays; without a text, take it down."""

    device: str
    text: str | Sentence | None = None
    colour: Literal["amber", "red"] = "amber"


@dataclass(frozen=True, slots=True)
class RecordNote:
    """Record a note, which changes nothing."""

    about: str
    what: str


@dataclass(frozen=True, slots=True)
class Wind:
    """Let a timer ring once, at this second, instead of when it was set to; None: never.

    Attributes:
        of: the device that the timer is for, if there is one for each.
    """

    timer: Timer
    at: float | None
    of: str = ""


@dataclass(frozen=True, slots=True)
class Log:
    """Write a line into the program's log, which only its maintainers read."""

    text: str


@dataclass(frozen=True, slots=True)
class BeginTest:
    """Begin the self-test: `SelfTestEnded` follows.

    Attributes:
        who: the person who asked for it.
        hands: somebody is there to press buttons and lay knobs.
    """

    who: str
    hands: bool


@dataclass(frozen=True, slots=True)
class Examine:
    """Let the self-test examine what a device has sent."""

    event: drivers.Event


class Do(StrEnum):
    """Effects without any data."""

    WELCOME = "welcome"
    SAY_WHERE = "say where"  # the game stands, after a start
    LIGHT = "light"  # the board, anew
    PUBLISH = "publish"  # board, lamps and screens show what is so now
    POWER_OFF = "power off"
    STOP_TEST = "stop test"
    DRAW = "draw"  # record the draw that waits


Effect: TypeAlias = (
    Record
    | Try
    | Reply
    | Refuse
    | Tell
    | Say
    | Notice
    | Hint
    | Sign
    | RecordNote
    | Log
    | Wind
    | BeginTest
    | Examine
    | Do
)
