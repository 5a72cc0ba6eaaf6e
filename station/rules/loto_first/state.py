"""A game of Loto, First Method, at one moment: what is played for, what was called, claimed and
won.

What may happen next is in `station.rules.loto_first.game`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from station.base.nouns import KNOBS, Card
from station.rules.patterns import FULL, JACKPOT, ROW, TWO_ROWS, Pattern

TITLE = "Loto, First Method"
LOWEST = "lowest"


class Stakes(StrEnum):
    """The rule book's ways to win the pool."""

    WHOLE = "whole"
    QUARTERS = "quarters"


@dataclass(frozen=True, slots=True)
class Stage:
    """What is played for, and what it wins.

    Attributes:
        key: its name in records, different from every other stage's: "row", "full", "full-2" for a
            second house.
        pattern: what must be covered.
        amount: of the pool, in whole units; fixed when the game opens.
        thing: a prize that is no money; may go with money.
    """

    key: str
    pattern: Pattern
    amount: int = 0
    thing: str = ""


def whole(pool: int) -> tuple[Stage, ...]:
    """The pool goes to the first full card."""
    return (Stage(FULL.key, FULL, pool),)


def quarters(pool: int) -> tuple[Stage, ...]:
    """A quarter, rounded down, for a row and for two rows; the rest for the full card.

    >>> [stage.amount for stage in quarters(11)]
    [2, 2, 7]
    """
    quarter = pool // 4
    return (
        Stage(ROW.key, ROW, quarter),
        Stage(TWO_ROWS.key, TWO_ROWS, quarter),
        Stage(FULL.key, FULL, pool - 2 * quarter),
    )


STAKES = {Stakes.WHOLE: whole, Stakes.QUARTERS: quarters}


class Verdict(StrEnum):
    """What the check of a card or a ticket came to."""

    VALID = "valid"
    NOT_COMPLETE = "not-complete"
    LATE = "late"
    NOT_SOLD = "not-sold"
    # with this pattern, at an earlier stage: the second house is for another card
    ALREADY_WON = "already-won"


@dataclass(frozen=True)
class Setup:
    """What is frozen when the game opens.

    Attributes:
        cards: the cards in play by serial, a dictionary or a `station.cards.pack.Deck`. Never part
            of a notation: `register`
        stands
            for them.
        stages: what is played for, in order.
        holders: whose a card is; a serial without a name is a player of its own.
        last_number: a claim must be made on the last number called.
        register: a digest of cards and holders.
        knobs: how many are in the bag; smaller ones are for counting.
        at_once: all stages are open from the first call; else one after the other.
        tickets: how many cards from elsewhere are in play, which claim by their numbers.
        elsewhere: such tickets may claim though none is counted in `tickets`.
        odd: who has the odd units of the last share: "lowest" the winner with the lowest serial,
            anything else: they stay.
        jackpot: paid besides to the winners of the last stage, when it is won with at most `within`
            calls.
        label: "whole" or "quarters" for the rule book's stakes, which the notation then names
            instead of the stages.
        game: its number in the night, for the names of tickets; 0 for none.
    """

    cards: Mapping[str, Card]
    stages: tuple[Stage, ...]
    holders: Mapping[str, str] | None = None
    last_number: bool = True
    register: str = ""
    knobs: int = KNOBS
    at_once: bool = False
    tickets: int = 0
    elsewhere: bool = False
    odd: str = LOWEST
    jackpot: int = 0
    within: int = 0
    label: str = ""
    game: int = 0

    @property
    def pool(self) -> int:
        """What is played for in all, in whole units, the jackpot apart."""
        return sum(stage.amount for stage in self.stages)

    @property
    def takes_tickets(self) -> bool:
        """Whether cards that the station does not know may claim."""
        return self.elsewhere or self.tickets > 0

    def player(self, serial: str) -> str:
        """Who holds the card: a name, or the card itself."""
        return (self.holders or {}).get(serial) or f"#{serial}"


@dataclass(frozen=True, slots=True)
class Ticket:
    """A card from elsewhere that was checked by its numbers.

    Attributes:
        serial: what the station calls it.
        numbers: those that were keyed, ascending.
        name: who holds it; nothing for a player of its own.
    """

    serial: str
    numbers: tuple[int, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A card or a ticket that was checked at this stop.

    Attributes:
        stages: the keys of the stages it is valid for.
        numbers: those of a ticket; nothing for a card.
    """

    serial: str
    verdict: Verdict
    stages: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Win:
    """A share won: at which stage (by key, or "jackpot"), with which card, how much, and after how
    many calls.

    Attributes:
        thing: a prize that is no money; several who won it have it all, until lots are drawn.
    """

    stage: str
    serial: str
    amount: int
    calls: int
    thing: str = ""


@dataclass(frozen=True, slots=True)
class Lots:
    """How a thing that several had won was decided: the knob drawn for each of their cards; the
    highest has it."""

    stage: str
    knobs: tuple[tuple[str, int], ...]

    @property
    def winner(self) -> str:
        """The card with the highest knob."""
        return max(self.knobs, key=lambda drawn: drawn[1])[0]


@dataclass(frozen=True)
class State:
    """A game at one moment.

    Attributes:
        called: in the order of the calls.
        claims: those of the present stop.
        tickets: all that were checked in this game, on calls that were taken back too: no ticket's
            name is given twice.
        lots: those that were drawn.
    """

    setup: Setup
    called: tuple[int, ...] = ()
    stopped: bool = False
    claims: tuple[Claim, ...] = ()
    wins: tuple[Win, ...] = ()
    closed: bool = False
    tickets: tuple[Ticket, ...] = ()
    lots: tuple[Lots, ...] = ()

    @property
    def stages(self) -> tuple[Stage, ...]:
        """All stages of this game, in order."""
        return self.setup.stages

    @property
    def unwon(self) -> tuple[Stage, ...]:
        """The stages that nobody has won yet, in order."""
        won = {win.stage for win in self.wins}
        return tuple(stage for stage in self.stages if stage.key not in won)

    @property
    def open(self) -> tuple[Stage, ...]:
        """The stages that can be won now; at once, a second house is open when the first one is
        won."""
        unwon = self.unwon
        if not self.setup.at_once:
            return unwon[:1]
        first_of = {stage.pattern: stage for stage in reversed(unwon)}
        return tuple(stage for stage in unwon if first_of[stage.pattern] is stage)

    @property
    def stage(self) -> Stage | None:
        """The first stage that can be won now; None when all is won."""
        return next(iter(self.open), None)

    @property
    def pool(self) -> int:
        """What is not won yet, the jackpot apart."""
        return self.setup.pool - sum(win.amount for win in self.wins if win.stage != JACKPOT)

    @property
    def jackpot(self) -> int:
        """What of the jackpot is not won."""
        return self.setup.jackpot - sum(win.amount for win in self.wins if win.stage == JACKPOT)

    def share_of(self, stage: Stage) -> int:
        """What a stage that nobody has won is worth now, odd remainders of earlier ties included; 0
        when it is won."""
        unwon = self.unwon
        if stage not in unwon:
            return 0
        # What ties left over lies on the first stage with money, whichever it is by now.
        first = next((other for other in unwon if other.amount), None)
        left_over = self.pool - sum(other.amount for other in unwon)
        return stage.amount + (left_over if stage == first else 0)

    @property
    def share(self) -> int:
        """What the first open stage is worth; 0 when all is won."""
        return self.share_of(self.stage) if self.stage is not None else 0

    @property
    def undecided(self) -> tuple[str, ...]:
        """The stages, by key, whose thing several have won, and no lots were drawn yet."""
        return tuple(stage.key for stage in self.stages if len(self.rivals(stage.key)) > 1)

    def rivals(self, stage: str) -> tuple[str, ...]:
        """The cards that have a stage's thing: several until lots are drawn."""
        return tuple(win.serial for win in self.wins if win.stage == stage and win.thing)

    def ticket(self, serial: str) -> Ticket | None:
        """The ticket that the station calls so."""
        return next((ticket for ticket in self.tickets if ticket.serial == serial), None)

    def player(self, serial: str) -> str:
        """Who holds a card or a ticket: a name, or the card itself."""
        ticket = self.ticket(serial)
        return (ticket.name if ticket is not None else "") or self.setup.player(serial)
