"""Collect what one event changes: the next state, effects in order, or a refusal. Pure.

The rules' own reasons for a refusal are in `station.night`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from station.base.said import said
from station.calling.caller_state import CallerState, NightSnapshot, Pending
from station.calling.signals import Effect
from station.night.table.luck import DiceFrom
from station.record.requests import Answer, Command, Refused

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Part = TypeVar("Part", bound=DataclassInstance)

BUSY = Refused("busy", said("a number is being called: wait until it was heard"))
LEAVING = Refused(
    "station-ending", said("the station is being switched off: switch it on again, then do this")
)
NOTHING_CALLED = Refused(
    "nothing-called", said("nothing has been called yet: there is nothing to repeat")
)
BUSY_OFF = Refused(
    "busy", said("a number is being called: wait until it was heard, then switch off")
)
NOT_SEEN_FIRST = Refused(
    "not-seen-first",
    said(
        "no number is seen here before it is called: draw it; see_first in the settings changes"
        " that"
    ),
)
HELD = Refused(
    "held", said("somebody holds the next number, and sees it: wait until it is called, then go on")
)
CLAIM_FIRST = Refused("claim-open", said("the game is stopped for a claim: settle it, then draw"))
NOTHING_NEXT = Refused(
    "nothing-next", said("no number can be drawn now: look what comes next, and do that first")
)
NO_SUCH_DICE = {
    DiceFrom.STATION: Refused(
        "no-such-dice", said("real dice are thrown here: throw them, or key in what they show")
    ),
    DiceFrom.TOWER: Refused(
        "no-such-dice", said("a tower reads no dice here: dice in the settings says who does")
    ),
    DiceFrom.KEYED: Refused(
        "no-such-dice",
        said("nobody keys in here what dice show: dice in the settings says who may"),
    ),
}
NOT_HELD = Refused("not-held", said("no number is held: hold it once more, or draw"))
CLAIM_OFF = Refused("claim-open", said("a claim is open: settle it, then switch off"))


# -- a turn ----------------------------------------------------------------------------------------


class CallerTurn(ABC):
    """One step of the machine while it is being made.

    The modules beside `station.calling.machine` each have one job, and work on a turn.
    """

    def __init__(self, state: CallerState, night: NightSnapshot) -> None:
        self.state = state
        self.night = night
        self.hall = night.adopted.hall
        self.effects: list[Effect] = []
        self.shown = False

    @abstractmethod
    def want(self, command: Command, laid: Pending | None = None) -> Answer | None:
        """Do what a command asks for. Return its answer; None while it is being recorded.

        Args:
            laid: the knob whose reader asks for its call.
        """

    def out(self, *effects: Effect) -> None:
        """Add effects."""
        self.effects.extend(effects)

    def show(self) -> None:
        """Show the result, once, after all other effects."""
        self.shown = True

    def word(self, key: str, **values: object) -> str:
        """Return the hall's words for the screens under this key."""
        return self.night.manners.screen.get(key, key).format(**values)

    def put(self, **changes: Any) -> None:
        """Change the state."""
        self.state = changed(self.state, **changes)


def changed(part: Part, **changes: Any) -> Part:
    """Return a part of the state with these values; the part itself if it already has them.

    Most events change little, and a comparison costs less than a copy.
    """
    if all(getattr(part, name) == value for name, value in changes.items()):
        return part
    return replace(part, **changes)
