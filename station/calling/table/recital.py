"""Tell a drawing's result card by card, until all winning rows are told or somebody goes on."""

from __future__ import annotations

import asyncio

from station.calling.outputs import OutputSender, Spoken
from station.night.table.game import GameInPlay
from station.record.requests import Change
from station.views.table.announcing import told_by_step, what_comes

SILENT_S = 2.5  # a row stays so long where there is no voice to tell it
LONGEST_S = 15.0  # the voice never said that it had ended


class Recital:
    """A recital of the rows, one after the other.

    Attributes:
        row: which of the rows that have won is being told; None if none is.
    """

    def __init__(self, sender: OutputSender) -> None:
        self.row: int | None = None
        self._sender = sender
        self._table: GameInPlay | None = None
        self._steps: tuple[tuple[str, ...], ...] = ()
        self._said: Spoken | None = None
        self._timer: asyncio.TimerHandle | None = None

    def follow(self, change: Change, said: Spoken | None) -> None:
        """End the recital whatever is done; begin one when a drawing is settled card by card.

        Args:
            said: the change's announcement, with the first of the rows in it.
        """
        self.stop()
        table = change.after.table
        steps = told_by_step(change.act, change.before.table, table) if table is not None else ()
        if said is None or not steps:
            return
        self._table, self._steps, self.row = table, steps, 0
        self._wait(said)

    def ended(self, token: int) -> None:
        """Go on when the announcement of a row has ended."""
        if self._said is not None and token == self._said.token:
            self._go_on()

    def stop(self) -> None:
        """Stop the recital."""
        self.row = self._said = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self, said: Spoken) -> None:
        self._said = said
        self._timer = asyncio.get_running_loop().call_later(
            LONGEST_S if said.heard else SILENT_S, self._go_on
        )

    def _go_on(self) -> None:
        row, table = self.row, self._table
        self.stop()
        if row is None or table is None:
            return
        if row + 1 == len(self._steps):
            self._sender.tell(what_comes(table))
            return
        self.row = row + 1
        self._wait(self._sender.tell(self._steps[self.row]))
