"""Who sends commands in drills and tests: somebody who has seen what may be lost."""

from __future__ import annotations

from dataclasses import replace

from station.night.losses import ASKED
from station.record.requests import Command
from station.record.session import Session


def certain(session: Session, command: Command) -> Command:
    """The command as somebody sends it who knows what would be lost by it now; what he says that he
    has seen stays."""
    act = command.act.act
    if act not in ASKED:
        return command
    return replace(
        command, seen=session.mark(command) if command.seen is None else command.seen, sure=True
    )
