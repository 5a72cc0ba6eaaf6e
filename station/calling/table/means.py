"""Hold what those share that turn a device's events into acts at the table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from station.calling.outputs import OutputSender
from station.night.acts import Act
from station.people.roles import Person
from station.record.requests import Answer
from station.record.session import Session
from station.wire.wording import Wording


@dataclass(frozen=True, eq=False)
class TableMeans:
    """What a device at the table needs of one night.

    Args:
        ask: asks for an act, as the desk does for any input.
        start: runs a task in the background.
        hurry: whether simulated players act at once.
    """

    session: Session
    sender: OutputSender
    wording: Wording
    ask: Callable[[Act, Person, str], Awaitable[Answer]]
    start: Callable[[Coroutine[Any, Any, None]], object]
    hurry: bool = False
