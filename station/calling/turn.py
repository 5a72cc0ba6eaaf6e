"""Collect what one event changes: the next state and the effects, in order. Pure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any

from station.calling.caller_state import CallerState, NightSnapshot, Pending
from station.calling.signals import Effect
from station.record.requests import Answer, Command


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
        self.state = replace(self.state, **changes)
