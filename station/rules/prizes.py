"""Define the contract of the games that cards are sold for: prizes are played for in stages, and
whoever holds a card claims.

What the night, the pages and the papers need of such a game's state is `PrizeState`; its rules are
a `station.rules.abilities.SellsCards`. The night handles sales, claims by serial,
approvals and payouts; a game says who has won what share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, TypeAlias

from station.base.nouns import KNOBS, Card
from station.rules.patterns import JACKPOT, Pattern

LOWEST = "lowest"
PLAYING_OWN = "playing-prize"  # the phrase for a pattern that has none of its own


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a game: what is played for, and what it wins.

    Attributes:
        key: its name in records, different from every other stage's: "row", "full", "full-2" for a
            second house.
        pattern: what must be covered.
        amount: its share of the pool, in whole units; fixed when the game opens.
        thing: a prize other than money; a stage may have both.
    """

    key: str
    pattern: Pattern
    amount: int = 0
    thing: str = ""

    @property
    def playing(self) -> str:
        """Return the phrase that says that this is played for."""
        return f"playing-{self.pattern.key}" if self.pattern.known else PLAYING_OWN


class ClaimVerdict(StrEnum):
    """The result of checking a card or a ticket."""

    VALID = "valid"
    NOT_COMPLETE = "not-complete"
    LATE = "late"
    NOT_SOLD = "not-sold"
    # won an earlier stage with this pattern: the second house is for another card
    ALREADY_WON = "already-won"


@dataclass(frozen=True)
class PrizeSetup:
    """What is frozen when the game opens.

    Attributes:
        cards: the cards in play by serial, a dictionary or a `station.cards.pack.Deck`. Never part
            of a notation: `register` stands for them.
        stages: what is played for, in order.
        holders: the name of each card's holder; a card without one counts as a player of its own.
        last_number: whether a claim must be made on the last number called.
        register: a digest of cards and holders.
        knobs: how many are in the bag; fewer than 90 only in tests that count every case.
        at_once: whether all stages are open from the first call; else they open one after the
            other.
        tickets: how many cards from elsewhere are in play, which claim by their numbers.
        elsewhere: whether such tickets may claim although none is counted in `tickets`.
        odd: who gets the odd units of the last share: with "lowest" the winner with the lowest
            serial; with anything else they stay in the pool.
        jackpot: paid in addition to the winners of the last stage, when it is won with at most
            `within` calls.
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

    @cached_property
    def pool(self) -> int:
        """Return the sum of all stages, in whole units, without the jackpot."""
        return sum(stage.amount for stage in self.stages)

    @property
    def takes_tickets(self) -> bool:
        """Return whether cards that the station does not know may claim."""
        return self.elsewhere or self.tickets > 0

    def player(self, serial: str) -> str:
        """Return who holds the card: a name, or `#` and the serial where nobody by name does."""
        return (self.holders or {}).get(serial) or f"#{serial}"


@dataclass(frozen=True, slots=True)
class Ticket:
    """A card from elsewhere that was checked by its numbers.

    Attributes:
        serial: what the station calls it.
        numbers: the numbers that were keyed in, ascending.
        name: who holds it; empty for a player of its own.
    """

    serial: str
    numbers: tuple[int, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A card or a ticket that was checked at this stop.

    Attributes:
        stages: the keys of the stages it is valid for.
        numbers: a ticket's numbers; empty for a card.
    """

    serial: str
    verdict: ClaimVerdict
    stages: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Win:
    """A share won: at which stage (by key, or "jackpot"), with which card, how much, and after how
    many calls.

    Attributes:
        thing: a prize other than money; several winners each have it in full until lots are drawn.
    """

    stage: str
    serial: str
    amount: int
    calls: int
    thing: str = ""


@dataclass(frozen=True, slots=True)
class Lots:
    """How a thing that several won was decided: a knob for each card; the highest gets it."""

    stage: str
    knobs: tuple[tuple[str, int], ...]

    @property
    def winner(self) -> str:
        """Return the card with the highest knob."""
        return max(self.knobs, key=lambda drawn: drawn[1])[0]


class PrizeReason(StrEnum):
    """Why an action is not legal."""

    OVER = "game-over"
    WON = "game-won"
    CLAIM_OPEN = "claim-open"
    DRAWN = "already-drawn"
    NO_KNOB = "no-such-knob"
    BAG_EMPTY = "bag-empty"
    NOT_STOPPED = "not-stopped"
    ALREADY_STOPPED = "already-stopped"
    NOTHING_CALLED = "nothing-called"
    ALREADY_CHECKED = "already-checked"
    NO_SERIAL = "no-serial"
    NO_TICKETS = "no-tickets"
    NOT_A_TICKET = "not-a-ticket"
    TICKET_LENGTH = "ticket-length"
    WHICH_STAGE = "which-stage"
    NOT_OPEN = "stage-not-open"
    NO_LOTS = "no-lots"
    WRONG_LOTS = "wrong-lots"
    NOT_AN_ACTION = "not-an-action"


class Judgement(NamedTuple):
    """A verdict, and the keys of the stages that the card wins."""

    verdict: ClaimVerdict
    stages: tuple[str, ...] = ()


@dataclass(frozen=True)
class PrizeState:
    """A game that cards are sold for, at one moment. Sums are in whole minor units.

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

    @cached_property
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
    def playing(self) -> str:
        """Return the phrase that says what is played for now, while something can be won."""
        several = self.setup.at_once and len(self.open) > 1
        return "playing-all" if several else self.open[0].playing

    def won(self, stage: str) -> str:
        """Return the phrase that says that a stage, by its key, is won."""
        if stage == JACKPOT:
            return "jackpot-won"
        pattern = next(one.pattern for one in self.stages if one.key == stage)
        return f"won-{pattern.key}" if pattern.known else "won-prize"

    @property
    def pool(self) -> int:
        """Return how much is not won yet, without the jackpot."""
        return self.setup.pool - sum(win.amount for win in self.wins if win.stage != JACKPOT)

    @property
    def jackpot(self) -> int:
        """Return how much of the jackpot is not won."""
        return self.setup.jackpot - sum(win.amount for win in self.wins if win.stage == JACKPOT)

    def share_of(self, stage: Stage) -> int:
        """Return what a stage is worth now, earlier ties' odd units included; 0 when it is won."""
        unwon = self.unwon
        if stage not in unwon:
            return 0
        # What ties left over goes to the first stage with money that is not won yet.
        first = next((other for other in unwon if other.amount), None)
        left_over = self.pool - sum(other.amount for other in unwon)
        return stage.amount + (left_over if stage == first else 0)

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


# What is played for, and how many per cent of the pool it wins; None: the rest of the pool.
Division: TypeAlias = tuple[tuple[Pattern, int | None], ...]


def divided(division: Division, pool: int) -> tuple[Stage, ...]:
    """Return the stages of a divided pool: each share rounded down, the last gets what is left."""
    shares = [pool * share // 100 if share is not None else 0 for _, share in division]
    left = pool - sum(shares)
    return tuple(
        Stage(pattern.key, pattern, left if share is None else amount)
        for (pattern, share), amount in zip(division, shares, strict=True)
    )


# -- what may be done ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CallNumber:
    """Draw a knob out of the bag and call it."""

    number: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop the game, for a claim or because the caller holds it: nothing is drawn meanwhile."""


@dataclass(frozen=True, slots=True)
class Check:
    """Check a card; this stops the game. As a pattern, `ANY_CARD` stands for every serial."""

    serial: str


@dataclass(frozen=True, slots=True)
class CheckTicket:
    """Check by its numbers a card that the station does not know; this stops the game.

    Attributes:
        numbers: exactly the numbers of the pattern, or of the whole ticket; as a pattern,
            `ANY_TICKET` stands for all.
        name: who holds it; empty for a player of its own.
        stage: the key of the stage it claims; may be left out where its numbers fit only one open
            stage.
    """

    numbers: tuple[int, ...]
    name: str = ""
    stage: str = ""


@dataclass(frozen=True, slots=True)
class Award:
    """Award what was won at this stop, and play on."""


@dataclass(frozen=True, slots=True)
class TakeBackCall:
    """Take back the last call, which was wrong, with all that followed from it."""


@dataclass(frozen=True, slots=True)
class DecideLots:
    """Give a thing to one of its winners: each has drawn a knob, and the highest gets it. As a
    pattern, no knobs stand for any."""

    stage: str
    knobs: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class EndGame:
    """End the game."""


PrizeAction: TypeAlias = (
    CallNumber | Stop | Check | CheckTicket | Award | TakeBackCall | DecideLots | EndGame
)
ANY_CARD = "*"
ANY_TICKET: tuple[int, ...] = ()
