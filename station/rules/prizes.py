"""The contract of the games that cards are sold for: prizes are played for in stages, and whoever
holds a card claims.

What the night, the pages and the papers need of such a game's state is `PrizeState`; what they need
of its rules is in the `Prizes` of its play. Sale, claims by serial, approvals and payouts are the
night's; a game says who has won what share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, Protocol, TypeAlias

from station.base.nouns import KNOBS, Card
from station.rules.patterns import Pattern, Wants

LOWEST = "lowest"


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
            of a notation: `register` stands for them.
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


class Reason(StrEnum):
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

    verdict: Verdict
    stages: tuple[str, ...] = ()


class PrizeState(Protocol):
    """A game that cards are sold for, at one moment. Sums are whole minor units."""

    @property
    def setup(self) -> Setup:
        """What was frozen when it opened."""

    @property
    def called(self) -> tuple[int, ...]:
        """The numbers, in the order of the calls."""

    @property
    def stopped(self) -> bool:
        """Whether it is stopped for a claim: nothing is drawn."""

    @property
    def closed(self) -> bool:
        """Whether it has ended; lots may still be drawn."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Those of the present stop."""

    @property
    def wins(self) -> tuple[Win, ...]:
        """The shares that are won, in order."""

    @property
    def lots(self) -> tuple[Lots, ...]:
        """Those that were drawn."""

    @property
    def stages(self) -> tuple[Stage, ...]:
        """All stages of this game, in order."""

    @property
    def unwon(self) -> tuple[Stage, ...]:
        """The stages that nobody has won yet, in order."""

    @property
    def open(self) -> tuple[Stage, ...]:
        """The stages that can be won now."""

    @property
    def stage(self) -> Stage | None:
        """The first stage that can be won now; None when all is won."""

    @property
    def jackpot(self) -> int:
        """What of the jackpot is not won."""

    @property
    def undecided(self) -> tuple[str, ...]:
        """The stages, by key, whose thing several have won, and no lots were drawn yet."""

    def share_of(self, stage: Stage) -> int:
        """What a stage is worth now; 0 when it is won."""

    def rivals(self, stage: str) -> tuple[str, ...]:
        """The cards that have a stage's thing: several until lots are drawn."""

    def ticket(self, serial: str) -> Ticket | None:
        """The ticket that the station calls so."""

    def player(self, serial: str) -> str:
        """Who holds a card or a ticket: a name, or the card itself."""


# What is played for, and how many per cent of the pool it wins; None takes the rest of it.
Division: TypeAlias = tuple[tuple[Pattern, int | None], ...]


def divided(division: Division, pool: int) -> tuple[Stage, ...]:
    """Return the stages of a division of the pool; a share is rounded down, the rest takes what is
    left."""
    shares = [pool * share // 100 if share is not None else 0 for _, share in division]
    left = pool - sum(shares)
    return tuple(
        Stage(pattern.key, pattern, left if share is None else amount)
        for (pattern, share), amount in zip(division, shares, strict=True)
    )


@dataclass(frozen=True)
class Prizes:
    """What the house needs of the rules of a game that cards are sold for.

    Attributes:
        actions: what the rules are asked for by an act of the night: by its name, the action from
            its fields.
        stakes: the ways to divide the pool that a programme may name; the first is taken where it
            names none.
        judge: whether a card would win an open stage on the last number called.
        wants: what a card in play, or a ticket that was checked, still wants for each open stage.
        settled: from a setup, and the keys of stages in the order in which they are won with how
            many share each, the state after that; each is won on a call of its own.
        own_stages: a programme may write out stages of its own.
        words: the keys of the game's own words, by what they stand in place of: "title", "claim",
            "stop" (said), "stopped" (shown).
    """

    actions: Mapping[str, Callable[[Mapping[str, Any]], Any]]
    stakes: Mapping[str, Division]
    judge: Callable[[Any, str], Judgement]
    wants: Callable[[Any, str], tuple[tuple[Stage, Wants], ...]]
    settled: Callable[[Setup, Sequence[tuple[str, int]]], PrizeState]
    own_stages: bool = True
    words: Mapping[str, str] = field(default_factory=dict)
