"""Hold the caller's one state, and what the caller knows of the night when an event comes. Frozen.

`station.calling.machine` is the only writer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from enum import StrEnum

from station.calling.signals import AwaitedWords
from station.night.hall import Hall
from station.night.table.luck import DiceFrom
from station.record.requests import Command, Refused
from station.record.session import Session
from station.wire.board_view import AutoView

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
        """Return the next night's state while the station runs: hands, pace, sound, switch stay."""
        hands = CallerState(self.by_hand, down=self.down, shows=self.shows)
        return replace(hands, muted=self.muted, order=self.order, parting=self.parting)


@dataclass(frozen=True, slots=True)
class Manners:
    """The hall's settings for the caller.

    Attributes:
        see_first: a number is shown to the caller, and called when the caller asks for it (H8).
        stop_won: the station stops by itself when a card in play wins (H30).
        dice: where throws at the table may come from.
        off: the kind of button that switches off when it is held.
        pace: the words on the screens for the pace; `muted`: those for the sound being off;
            `keyed`: those for a number that is being keyed.
    """

    see_first: bool = False
    stop_won: bool = False
    dice: Collection[DiceFrom] = frozenset(DiceFrom)
    off: str = "off"
    pace: str = "{seconds}"
    muted: str = "muted"
    keyed: str = "{number}"


@dataclass(frozen=True, slots=True)
class NightSnapshot:
    """The machine's knowledge of the night when an event comes.

    Attributes:
        adopted: the night as it is recorded. The step only looks: at the hall, at the last line's
            sequence number, whether lines are taken, and what the virtual bag gives.
        now: seconds on the loop's clock.
        won: whether a card in play has won on the last number.
        unready: returns why an act, but a draw, cannot be done now, for reasons outside the hall's
            state; takes its name, its input, and whether a number is being called.
    """

    adopted: Session
    now: float
    manners: Manners
    won: Callable[[], bool] = lambda: False
    unready: Callable[[str, str, bool], Refused | None] = lambda *_: None


def claim_open(hall: Hall) -> bool:
    """Return whether play is stopped for a claim."""
    return (game := hall.sold) is not None and game.stopped


def bag_empty(hall: Hall) -> bool:
    """Return whether every knob of the open game has been called."""
    return (game := hall.sold) is not None and len(game.called) == game.setup.knobs
