"""Hold a game of Loto, First Method, at one moment: what is played for, what was called, claimed
and won.

What may happen next is in `station.games.loto_first.game`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from station.rules.patterns import FULL, JACKPOT, ROW, TWO_ROWS
from station.rules.prizes import Claim, Division, Lots, PrizeSetup, Stage, Ticket, Win


class Stakes(StrEnum):
    """The rule book's ways to win the pool."""

    QUARTERS = "quarters"
    WHOLE = "whole"


# The pool goes to the first full card; or a quarter to a row, a quarter to two rows, the rest to
# the full card.
STAKES: Mapping[str, Division] = {
    Stakes.QUARTERS: ((ROW, 25), (TWO_ROWS, 25), (FULL, None)),
    Stakes.WHOLE: ((FULL, None),),
}


@dataclass(frozen=True)
class State:
    """A game at one moment.

    Attributes:
        called: the numbers called, in order.
        claims: the claims of the present stop.
        tickets: all tickets checked in this game, also on calls that were taken back, so that no
            ticket's serial is given twice.
        lots: the lots that were drawn.
    """

    setup: PrizeSetup
    called: tuple[int, ...] = ()
    stopped: bool = False
    claims: tuple[Claim, ...] = ()
    wins: tuple[Win, ...] = ()
    closed: bool = False
    tickets: tuple[Ticket, ...] = ()
    lots: tuple[Lots, ...] = ()

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Return all stages of this game, in order."""
        return self.setup.stages

    @property
    def unwon(self) -> tuple[Stage, ...]:
        """Return the stages that nobody has won yet, in order."""
        won = {win.stage for win in self.wins}
        return tuple(stage for stage in self.stages if stage.key not in won)

    @property
    def open(self) -> tuple[Stage, ...]:
        """Return the stages that can be won now; where all are open at once, a second house opens
        when the first one is won."""
        unwon = self.unwon
        if not self.setup.at_once:
            return unwon[:1]
        first_of = {stage.pattern: stage for stage in reversed(unwon)}
        return tuple(stage for stage in unwon if first_of[stage.pattern] is stage)

    @property
    def stage(self) -> Stage | None:
        """Return the first stage that can be won now; None when all are won."""
        return next(iter(self.open), None)

    @property
    def pool(self) -> int:
        """Return how much is not won yet, without the jackpot."""
        return self.setup.pool - sum(win.amount for win in self.wins if win.stage != JACKPOT)

    @property
    def jackpot(self) -> int:
        """Return how much of the jackpot is not won."""
        return self.setup.jackpot - sum(win.amount for win in self.wins if win.stage == JACKPOT)

    def share_of(self, stage: Stage) -> int:
        """Return what a stage is worth now, odd remainders of earlier ties included; 0 when it is
        won."""
        unwon = self.unwon
        if stage not in unwon:
            return 0
        # What ties left over goes to the first stage with money that is not won yet.
        first = next((other for other in unwon if other.amount), None)
        left_over = self.pool - sum(other.amount for other in unwon)
        return stage.amount + (left_over if stage == first else 0)

    @property
    def share(self) -> int:
        """Return what the first open stage is worth; 0 when all are won."""
        return self.share_of(self.stage) if self.stage is not None else 0

    @property
    def undecided(self) -> tuple[str, ...]:
        """Return the keys of the stages whose thing has several winners and no lots drawn yet."""
        return tuple(stage.key for stage in self.stages if len(self.rivals(stage.key)) > 1)

    def rivals(self, stage: str) -> tuple[str, ...]:
        """Return the cards that have won a stage's thing: several until lots are drawn."""
        return tuple(win.serial for win in self.wins if win.stage == stage and win.thing)

    def ticket(self, serial: str) -> Ticket | None:
        """Return the ticket with this serial; None if there is none."""
        return next((ticket for ticket in self.tickets if ticket.serial == serial), None)

    def player(self, serial: str) -> str:
        """Return who holds a card or a ticket: a name, or `#` and the serial."""
        ticket = self.ticket(serial)
        return (ticket.name if ticket is not None else "") or self.setup.player(serial)
