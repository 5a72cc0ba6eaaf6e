"""The contract of all games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeVar

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
    """What every game is: frozen states, and chance that comes in as an action."""

    name: str
    title: str

    def start(self, setup: SetupT_contra) -> StateT:
        """The state before anything happened. Raises `Unreadable` for a setup that is not one."""

    def actions(self, state: StateT) -> Iterator[ActionT]:
        """What is legal now, in a fixed order, lazily and without effect; patterns stand for large
        families."""

    def apply(self, state: StateT, action: ActionT) -> StateT:
        """The next state. Always checks; raises `IllegalAction` with a reason."""

    def outcome(self, state: StateT) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def funds(self, state: StateT) -> Mapping[str, int]:
        """Where the money or the counters lie. Their sum never changes."""

    def notation(self, state: StateT) -> str:
        """The state on one line."""

    def parse(self, setup: SetupT_contra, text: str) -> StateT:
        """The inverse of `notation`. Raises `Unreadable`."""

    def view(self, state: StateT, seat: str | None) -> Mapping[str, Any]:
        """What that seat may see (None: what everybody may see)."""
