"""Define the actions and the state of Loto, First Method, at the table.

The reasons for which an action is refused are here, too. `station.games.loto_parlour.rules` says
what may happen next, and writes a game on one line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from station.base.nouns import KNOBS, Card
from station.base.tongue import key
from station.games.loto_first.game import STAKES
from station.rules.patterns import ROW, TWO_ROWS
from station.rules.prizes import Stage, divided
from station.rules.seating import added, by_card, deal


class Reason(StrEnum):
    """Why an action is not legal."""

    OVER = "game-over"
    WON = "game-won"
    DRAWN = "already-drawn"
    NO_KNOB = "no-such-knob"
    NOTHING_CALLED = "nothing-called"
    NO_ANSWERS = "no-answers"
    NO_SEAT = "no-such-seat"
    ANSWERED = "already-answered"
    WRONG_TIMES = "wrong-times"
    BAG_EMPTY = "bag-empty"
    BAG_NOT_EMPTY = "bag-not-empty"
    NOT_AN_ACTION = "not-an-action"


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer the number called: one player, or several so close together that they are tied.

    Attributes:
        seats: in the order in which they were heard; as a pattern, `ANYONE` stands for all who have
            not answered yet.
        micros: how long after the first seat each one was heard, in microseconds, from 0 to
            `TIE_US`; the first one's is 0. May be left out.
    """

    seats: tuple[int, ...]
    micros: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Close:
    """End the game: all is redeemed; where the host breaks it off, what is not won goes back."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Take a knob out of the bag and call it, as the dealer."""

    number: int


@dataclass(frozen=True, slots=True)
class Share:
    """Share out what is not won by the numbers covered, since the bag is empty; end the game."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the last knob, which was wrong, with its answers, counters and shares won."""


Action: TypeAlias = Answer | Close | Draw | Share | TakeBack
ANYONE: tuple[int, ...] = ()


# -- the state: stakes, calls, answers, covers, what was won ---------------------------------------

TITLE = key("Loto, First Method, at the table")
# full rows on one card that a stage takes; any other stage takes all
ROWS_FOR = {ROW.key: 1, TWO_ROWS.key: 2}


class Stakes(StrEnum):
    """What is put into the pool, and how it is won."""

    WHOLE = "whole"
    QUARTERS = "quarters"
    COUNTERS = "counters"  # covering takes counters, worth money, from the pool


class Answering(StrEnum):
    """Who covers a number."""

    EVERYONE = "everyone"
    FIRST = "first"


class GamePhase(StrEnum):
    """Where the game stands."""

    PLAYING = "playing"
    WON = "won"  # nothing is left to win; the last knob can still be taken back
    SHARED = "shared"  # over: the bag was empty, and what was not won was shared out
    CLOSED = "closed"  # over: all was won, or the game was broken off


class AnswerVerdict(StrEnum):
    """The result of an answer."""

    COVERS = "covers"
    # he holds the number, but in the same tie another one nearer the dealer's left covers it
    TIED = "tied"
    LATE = "late"  # he holds it, but it was covered before
    WRONG = "wrong"  # he does not hold it


@dataclass(frozen=True)
class Setup:
    """What is frozen when the company sits down.

    Attributes:
        cards: the pack, by serial, in the order in which the shuffled cards are dealt. Never part
            of a notation: `register` stands for it.
        takes: how many cards each seat has; 0 for one who looks on: he pays nothing and holds
            nothing.
        purses: what each seat can pay, in units.
        stakes, answering: how the pool is won, and who covers.
        stake: what each card pays into the pool, in units; for stakes in counters 0.
        each: how many counters each player puts in, for stakes in counters: at least one for every
            square of his cards; else 0.
        all_cards: whether the last share needs every card of a player covered; else any one full
            card wins it.
        value: what a unit is worth, in minor units.
        register: a digest of the cards in their order.
        knobs: how many are in the bag.
    """

    cards: Mapping[str, Card]
    takes: tuple[int, ...]
    purses: tuple[int, ...]
    stakes: Stakes = Stakes.WHOLE
    answering: Answering = Answering.EVERYONE
    stake: int = 0
    each: int = 0
    all_cards: bool = False
    value: int = 1
    register: str = ""
    knobs: int = KNOBS

    @property
    def seats(self) -> int:
        """Return how many seats there are."""
        return len(self.takes)

    @cached_property
    def taken(self) -> tuple[tuple[str, ...], ...]:
        """Return the cards of each seat, in the order in which they were dealt."""
        return deal(tuple(self.cards), self.takes)[0]

    @property
    def rest(self) -> tuple[str, ...]:
        """Return the cards that nobody has."""
        return deal(tuple(self.cards), self.takes)[1]

    @cached_property
    def holder(self) -> Mapping[str, int]:
        """Return the seat that holds each card; cards that nobody has are left out."""
        return {serial: seat for seat, cards in enumerate(self.taken, 1) for serial in cards}

    @property
    def paid(self) -> tuple[int, ...]:
        """Return what each seat puts into the pool."""
        return tuple((self.each if count else 0) + self.stake * count for count in self.takes)

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """Return the stages, in order; with counters covering takes from their sum."""
        return divided(STAKES.get(self.stakes, STAKES[Stakes.WHOLE]), sum(self.paid))


@dataclass(frozen=True, slots=True)
class Called:
    """A knob that was called.

    Attributes:
        covers: the seats that cover it, on all their cards that bear it, from the eldest hand
            leftwards.
        answers: ties, or single answers, in the order in which they came, always with their
            microseconds.
    """

    number: int
    covers: tuple[int, ...] = ()
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """One player's answer to a number.

    Attributes:
        micros: how long after the first answer of the same tie, in microseconds.
        tied: whether several who hold the number tied, so that the one nearest the dealer's left
            covers.
    """

    seat: int
    micros: int
    verdict: AnswerVerdict
    tied: bool


@dataclass(frozen=True, slots=True)
class ShareWon:
    """A share won.

    Attributes:
        stage: its key: "row", "two-rows" or "full".
        cards: the cards it was won with: complete or, at an empty bag, with the most numbers
            covered.
        amount: in units.
        calls: how many knobs had been called.
    """

    stage: str
    seat: int
    cards: tuple[str, ...]
    amount: int
    calls: int


@dataclass(frozen=True)
class State:
    """A game at one moment. The station is the dealer: it draws and does not play.

    Attributes:
        calls: the knobs called, in order.
        wins: in the order of the stages, and of the seats from the eldest hand leftwards.
    """

    setup: Setup
    calls: tuple[Called, ...] = ()
    wins: tuple[ShareWon, ...] = ()
    phase: GamePhase = GamePhase.PLAYING

    @property
    def over(self) -> bool:
        """Return whether the game has ended and all is redeemed."""
        return self.phase in (GamePhase.SHARED, GamePhase.CLOSED)

    @property
    def taken(self) -> tuple[tuple[str, ...], ...]:
        """Return the cards of each seat."""
        return self.setup.taken

    @property
    def rest(self) -> tuple[str, ...]:
        """Return the cards that nobody has."""
        return self.setup.rest

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the numbers called, in order."""
        return tuple(call.number for call in self.calls)

    @property
    def bag(self) -> frozenset[int]:
        """Return the knobs in the bag, for the census: every knob is called or in the bag."""
        return frozenset(range(1, self.setup.knobs + 1)).difference(self.numbers)

    def bearing(self, seat: int, number: int) -> tuple[str, ...]:
        """Return a seat's cards that bear a number."""
        cards = self.setup.cards
        return tuple(serial for serial in self.taken[seat - 1] if number in cards[serial].numbers)

    def holders(self, number: int) -> tuple[int, ...]:
        """Return the seats that hold a number, from the eldest hand leftwards."""
        return tuple(seat for seat in range(1, self.setup.seats + 1) if self.bearing(seat, number))

    def covered(self, serial: str) -> frozenset[int]:
        """Return the numbers of a card that have a counter."""
        seat = self.setup.holder.get(serial, 0)
        return self.setup.cards[serial].numbers.intersection(
            call.number for call in self.calls if seat in call.covers
        )

    def complete(self, seat: int, stage: str) -> tuple[str, ...]:
        """Return the cards of a seat that have what a stage needs; where the last stage needs all
        his cards, all of them or none."""
        if self.takes_all(stage):
            return self.taken[seat - 1] if not self.uncovered(seat) else ()
        found = []
        for serial in self.taken[seat - 1]:
            rows, covered = self.setup.cards[serial].rows, self.covered(serial)
            if sum(covered.issuperset(row) for row in rows) >= ROWS_FOR.get(stage, len(rows)):
                found.append(serial)
        return tuple(found)

    def takes_all(self, stage: str) -> bool:
        """Return whether a stage is won with all cards of a player together."""
        return self.setup.all_cards and stage not in ROWS_FOR

    def uncovered(self, seat: int) -> int:
        """Return how many squares of a seat's cards have no counter, on all of them together."""
        cards = self.setup.cards
        return sum(
            len(cards[serial].numbers) - len(self.covered(serial))
            for serial in self.taken[seat - 1]
        )

    def verdicts(self, call: Called) -> tuple[Answered, ...]:
        """Return the result of each answer to a number, in the order in which they were heard."""
        holders, found, free = self.holders(call.number), [], True
        for tie in call.answers:
            held = [seat for seat in tie.seats if seat in holders]
            for seat, micros in zip(tie.seats, tie.micros, strict=True):
                if seat not in holders:
                    verdict = AnswerVerdict.WRONG
                elif not free:
                    verdict = AnswerVerdict.LATE
                else:
                    verdict = AnswerVerdict.COVERS if seat in call.covers else AnswerVerdict.TIED
                found.append(
                    Answered(seat, micros, verdict, free and seat in held and len(held) > 1)
                )
            free = free and not held
        return tuple(found)

    @property
    def answered(self) -> tuple[Answered, ...]:
        """Return the result of each answer to the last number."""
        return self.verdicts(self.calls[-1]) if self.calls else ()

    @property
    def silent(self) -> tuple[int, ...]:
        """Return the seats that may answer now; none where all who hold a number cover it."""
        if (
            self.setup.answering is Answering.EVERYONE
            or not self.calls
            or self.phase is not GamePhase.PLAYING
        ):
            return ()
        heard = {answer.seat for answer in self.answered}
        return tuple(seat for seat in range(1, self.setup.seats + 1) if seat not in heard)

    @property
    def unwon(self) -> tuple[Stage, ...]:
        """Return the stages that nobody has won yet, in order."""
        won = {win.stage for win in self.wins}
        return tuple(stage for stage in self.setup.stages if stage.key not in won)

    def share_of(self, stage: Stage) -> int:
        """Return what a stage not won is worth now: the first gets all that the others leave."""
        first, *others = self.unwon
        if stage != first:
            return stage.amount
        return self._in_pool - sum(other.amount for other in others)

    @property
    def won(self) -> tuple[int, ...]:
        """Return what each seat has won of the pool."""
        return tuple(
            sum(win.amount for win in self.wins if win.seat == seat)
            for seat in range(1, self.setup.seats + 1)
        )

    @property
    def _on_cards(self) -> tuple[int, ...]:
        """Return how many counters worth money each seat has laid."""
        if self.setup.stakes is not Stakes.COUNTERS:
            return (0,) * self.setup.seats
        return tuple(sum(len(self.covered(serial)) for serial in cards) for cards in self.taken)

    @property
    def _in_pool(self) -> int:
        return sum(self.setup.paid) - sum(self.won) - sum(self._on_cards)

    @property
    def redeemed(self) -> tuple[int, ...]:
        """Return what each seat would take home now: won, on its cards, or going back to it."""
        if not self.unwon:
            return added(self.won, self._on_cards)
        if self.setup.stakes is Stakes.COUNTERS:
            return self.setup.paid
        return added(self.won, by_card(self._in_pool, self.taken))

    @property
    def pool(self) -> int:
        """Return how much nobody has won yet."""
        return 0 if self.over else self._in_pool

    @property
    def laid(self) -> int:
        """Return how many counters worth money lie on cards."""
        return 0 if self.over else sum(self._on_cards)

    @property
    def hands(self) -> tuple[int, ...]:
        """Return what each seat has won and not taken home yet."""
        return (0,) * self.setup.seats if self.over else self.won

    @property
    def purses(self) -> tuple[int, ...]:
        """Return what each seat has outside the game."""
        left = tuple(
            purse - paid for purse, paid in zip(self.setup.purses, self.setup.paid, strict=True)
        )
        return added(left, self.redeemed) if self.over else left
