"""Hold the caller's one state, and what the caller knows of the night when an event comes. Frozen.

`station.calling.machine` is the only writer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from station.calling.signals import AwaitedWords, Strangers
from station.night.acts import SelfTest
from station.night.hall import Hall
from station.night.readiness import Counting
from station.night.table.luck import DiceFrom
from station.night.table.race import AnswerRace
from station.people.roles import STATION, Person
from station.record.requests import Command
from station.record.session import Session
from station.settings.readers import Resting
from station.settings.scan import Scanning
from station.settings.tags import TagTable
from station.wire.board_view import AutoView, SignView

BUTTON = "button:"  # before a button's name, as the input of what its press asked for
BY_ITSELF = "auto"  # the input of what the station does unasked
KEYED = "keyed"  # how a number came that a person typed, and no reader read (H14)
# a net under the voice driver, which ends every announcement by itself, a hung one after 4 s (H18)
CALL_LIMIT_S = 15.0
MUTED = "sound"  # the sign of a hall that is muted: the caller's own wish, no fault


class CallProgress(StrEnum):
    """The stages of calling a number."""

    NONE = "none"
    RECORDING = "recording"
    HEARD = "being heard"


@dataclass(frozen=True, slots=True)
class Pending:
    """A number that is drawn and not called.

    Attributes:
        reader: the reader on which its knob was laid; empty for the virtual bag's next number,
            which is shown first.
        private: only whoever asked was told; the hall does not see it.
    """

    number: int
    reader: str = ""
    private: bool = False


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A press that needs a confirmation.

    Attributes:
        at: when the button was pressed first.
        seen: the state that the question was about.
        since: when the spoken question ended, or failed; None before.
    """

    button: str
    command: Command
    at: float
    seen: str
    since: float | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """The notes about a device that comes and goes: each while there is room, then a sum.

    Attributes:
        room: how many notes may still be written at once; `at`: when that was so.
        held: how many are held back until the timer rings; `last`: the last of them.
    """

    at: float
    room: float
    held: int = 0
    last: str = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What was said of devices in trouble.

    Attributes:
        stories: the notes about each device.
        scolded: when each kind of trouble was spoken of.
    """

    stories: Mapping[str, Story] = field(default_factory=dict)
    scolded: Mapping[str, float] = field(default_factory=dict)


class SelfTestStage(StrEnum):
    """The stages of a self-test."""

    NONE = "none"
    RUNNING = "running"
    RECORDING = "recording"


@dataclass(frozen=True, slots=True)
class Preparing:
    """The census and the self-test.

    Attributes:
        counting: the count under way.
        counted: the last count, for people who ask about it.
        last: the last count, if the next one may continue it.
        host: who has the knobs counted.
        repeating: the readers that have confirmed a tag.
        recording: the knobs are counted, and the line is not written yet.
        tried: the result of the last self-test.
    """

    counting: Counting | None = None
    counted: Counting | None = None
    last: Counting | None = None
    host: Person = STATION
    repeating: frozenset[str] = frozenset()
    recording: bool = False
    test: SelfTestStage = SelfTestStage.NONE
    tried: SelfTest | None = None

    @property
    def counts(self) -> bool:
        """Return whether the knobs are being counted, or the count is being recorded."""
        return self.counting is not None or self.recording

    @property
    def busy(self) -> bool:
        """Return whether a census or a self-test is under way."""
        return self.counts or self.test is not SelfTestStage.NONE


@dataclass(frozen=True, slots=True)
class WantedCards:
    """A move that wants cards.

    Attributes:
        field: where the cards are in the move.
        count: how many cards the move wants.
    """

    do: str
    fields: Mapping[str, object]
    field: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Laying:
    """The real playing cards on the readers.

    Attributes:
        read: the tags that wait until the move before them is recorded.
        asked: the game and the pack of the move that is being recorded.
        moment: the state of the game for which `chosen` and `laid` are.
        chosen: the move that the host has asked for without its cards.
        laid: the cards of that move, as far as they are laid.
        pack: the game, and the pack that it is played with.
    """

    read: tuple[int, ...] = ()
    asked: tuple[int, str] | None = None
    moment: object = field(default=None, compare=False)
    chosen: WantedCards | None = None
    laid: tuple[str, ...] = ()
    pack: tuple[int, str] = (0, "")


class DrawWait(StrEnum):
    """The stages of a draw that waits for the answers before it."""

    NONE = "none"
    GRACE = "grace"  # presses may still be on their way
    ANSWERS = "answers"  # they are being recorded


@dataclass(frozen=True, slots=True)
class Answers:
    """The presses of the buzzers (First Method).

    Attributes:
        number: the game and the count of calls of the number that may be answered, or None.
        recording: a tie of answers is being recorded.
        draw: how far a draw is that waits for the answers before it.
        noticed: when a press was last shown under the board.
    """

    race: AnswerRace = field(default_factory=AnswerRace)
    number: tuple[int, int] | None = None
    recording: bool = False
    draw: DrawWait = DrawWait.NONE
    noticed: float = -math.inf


@dataclass(frozen=True, slots=True)
class Recital:
    """The rows of a drawing's result, which are told one after the other.

    Attributes:
        row: the row that is being told, from 0.
        steps: the words of each row.
        then: the words after the last row.
    """

    row: int
    steps: tuple[tuple[str, ...], ...]
    then: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CallerState:
    """The caller at one moment; times are seconds on the loop's clock.

    Attributes:
        laid: the knob whose call is being recorded, if its reader began it.
        began: when the last call began.
        said: the announcement of the last number; None if there was none since the start.
        unheard: the voice failed during that announcement.
        auto: whether the station calls by itself, and how fast; `due`: the time of the next call
            has come.
        down: the pressed buttons that switch off when they are held.
        shows: the button that is held to see a number before it is called.
        looking: that number is being recorded: nobody has seen it yet.
        holder: the person who holds that number over the wire; empty for nobody.
        pressed: when a button was pressed last.
        order: who switched the station off; empty while it stays on. `parting`: the last words
            are being said.
        halted: the hall was told that the record cannot be written.
        resting: where the knobs rest.
        strangers: what was read that is not known.
        recital: a drawing's result that is being told; None if there is none.
    """

    auto: AutoView
    call: CallProgress = CallProgress.NONE
    laid: Pending | None = None
    began: float | None = None
    said: AwaitedWords | None = None
    unheard: bool = False
    pending: Pending | None = None
    due: bool = False
    down: frozenset[str] = frozenset()
    shows: str = ""
    looking: bool = False
    holder: str = ""
    pressed: float = 0.0
    question: PendingQuestion | None = None
    muted: bool = False
    order: str = ""
    parting: bool = False
    halted: bool = False
    resting: Resting = field(default=Resting(), hash=False)
    strangers: Strangers = field(default=Strangers(), hash=False)
    trouble: Trouble = field(default=Trouble(), hash=False)
    preparing: Preparing = field(default=Preparing(), hash=False)
    laying: Laying = field(default=Laying(), hash=False)
    answers: Answers = Answers()
    recital: Recital | None = None

    @property
    def calling(self) -> bool:
        """Return whether a number is being called: no other call may begin."""
        return self.call is not CallProgress.NONE

    @property
    def waiting(self) -> int | None:
        """Return the number that is drawn, not called, and shown to the hall, or None."""
        return None if self.pending is None or self.pending.private else self.pending.number

    @property
    def by_hand(self) -> AutoView:
        """Return the same pace with calls by hand."""
        return AutoView(on=False, pace=self.auto.pace)

    def following(self) -> CallerState:
        """Return the next night's state while the station runs: hands, pace, sound, switch and the
        places of knobs stay."""
        hands = CallerState(self.by_hand, down=self.down, shows=self.shows, resting=self.resting)
        return replace(hands, muted=self.muted, order=self.order, parting=self.parting)


@dataclass(frozen=True, slots=True)
class Manners:
    """The hall's settings for the caller.

    Attributes:
        see_first: a number is shown to the caller, and called when the caller asks for it (H8).
        stop_won: the station stops by itself when a card in play wins (H30).
        dice: where throws at the table may come from.
        off: the kind of button that switches off when it is held.
        screen: the words on the screens, by key.
        tags: the tags of the knobs and playing cards.
        scanning: the scanners, and what reads the codes.
        seats: for each box of buzzers, the seat of a line, if it is not the seat of that number.
    """

    see_first: bool = False
    stop_won: bool = False
    dice: Collection[DiceFrom] = frozenset(DiceFrom)
    off: str = "off"
    screen: Mapping[str, str] = field(default_factory=dict)
    tags: TagTable = field(default_factory=TagTable)
    scanning: Scanning = field(default_factory=Scanning)
    seats: Mapping[str, Mapping[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NightSnapshot:
    """The machine's knowledge of the night when an event comes.

    Attributes:
        adopted: the night as it is recorded. The step only looks: at the hall, at the last line's
            sequence number, whether lines are taken, and what the virtual bag gives.
        now: seconds on the loop's clock.
        signs: the signs that are up, by device.
        won: whether a card in play has won on the last number.
        taught_since: whether knobs were taught since the night began with its tags.
    """

    adopted: Session
    now: float
    manners: Manners
    signs: Mapping[str, SignView] = field(default_factory=dict)
    won: Callable[[], bool] = lambda: False
    taught_since: Callable[[], bool] = lambda: False


def claim_open(hall: Hall) -> bool:
    """Return whether play is stopped for a claim."""
    return (game := hall.sold) is not None and game.stopped


def bag_empty(hall: Hall) -> bool:
    """Return whether every knob of the open game has been called."""
    return (game := hall.sold) is not None and len(game.called) == game.setup.knobs
