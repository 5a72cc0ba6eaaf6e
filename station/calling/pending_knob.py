"""The number that is drawn and not called: one at most, a knob on a reader, or the virtual bag's
next that is seen first (H8)."""

from __future__ import annotations

from dataclasses import replace

from station.night.hall import Close, Draw, Undo
from station.record.session import Change, Command


class Drawn:
    """What is drawn and not called.

    Attributes:
        number: it, or None.
        reader: the reader it came by; nothing for one from the virtual bag.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        self.reader = ""

    def put(self, number: int, reader: str = "") -> None:
        """This one is drawn, by that reader or from the virtual bag."""
        self.number, self.reader = number, reader

    def drop(self) -> None:
        """None is any more."""
        self.number = None

    @property
    def seen(self) -> bool:
        """Whether there is one, and it is the virtual bag's next, shown before it is called."""
        return self.number is not None and not self.reader

    def meant(self, command: Command) -> Command:
        """A draw without a number means the one that is drawn already."""
        if self.number is None or command.do.get("number") is not None:
            return command
        return replace(
            command, do={**command.do, "number": self.number}, via=self.reader or command.via
        )

    def settle(self, change: Change) -> str:
        """What a change makes of it; gives what the journal must be told of that, or nothing."""
        number, seen, act = self.number, self.seen, change.act
        if number is None:
            return ""
        # After a game it goes back with all the others. A call that is taken back lies before it in
        # the virtual bag again.
        if (
            isinstance(act, Close)
            or (isinstance(act, Undo) and seen)
            or (isinstance(act, Draw) and act.number == number)
        ):
            self.drop()
        if isinstance(act, Close) and seen:
            return f"{number} was shown to the caller and not called: the game was closed"
        return ""
