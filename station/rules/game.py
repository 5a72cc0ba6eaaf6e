"""Define the contract that every game's rules keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

from station.base.errors import IllegalAction

SetupT_contra = TypeVar("SetupT_contra", contravariant=True)
StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")


class Ending(StrEnum):
    """Why a game is over."""

    WON = "won"
    CLOSED = "closed"  # ended before its last prize was won


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended, and who won its last prize."""

    ending: Ending
    winners: tuple[str, ...]


class Game(Protocol[SetupT_contra, StateT, ActionT]):
    """The rules of a game: states are frozen, and chance comes in as an action."""

    name: str
    title: str

    def start(self, setup: SetupT_contra) -> StateT:
        """Return the state before anything has happened.

        Raises:
            Unreadable: no game can be played with this setup.
        """

    def actions(self, state: StateT) -> Iterator[ActionT]:
        """Yield what is legal now, in a fixed order, lazily and without effect; patterns stand for
        large families of actions."""

    def apply(self, state: StateT, action: ActionT) -> StateT:
        """Return the next state. The action is always checked.

        Raises:
            IllegalAction: the rules refuse the action; the error has the reason.
        """

    def outcome(self, state: StateT) -> Outcome | None:
        """Return how the game ended; None while it goes on."""

    def funds(self, state: StateT) -> Mapping[str, int]:
        """Return where the money or the counters lie. Their sum never changes."""

    def notation(self, state: StateT) -> str:
        """Return the state on one line."""

    def parse(self, setup: SetupT_contra, text: str) -> StateT:
        """Return the state that `notation` wrote.

        Raises:
            Unreadable: the text is not a state of a game with this setup.
        """


def unknown(reason: StrEnum, action: object, title: str) -> IllegalAction:
    """Return the refusal of what is no action of a game."""
    why = "{action} is not an action of {title}"
    return IllegalAction(reason, why, action=repr(action), title=title)
