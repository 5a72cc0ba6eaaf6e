"""Loto, First Method: knobs are drawn one by one without return until somebody's card is full.

Source: the rule book's "First Method". The station is the dealer: it draws, calls and does not play. All who hold a number
cover it (answering `everyone`), so what lies on a card follows from the numbers called and is not part of the state.

Stakes: `whole`, the pool goes to the first full card; `quarters`, a quarter to the first full row, a quarter to the first two
full rows on one card, the remaining half to the first full card.

Where the book is silent, this is how a careful host decides (**Decision**):

- A quarter is rounded down; the odd units go with the last half.
- Any one full card wins, also where a player has several.
- A player must claim. A claim stops the draw; the card is valid when its pattern is complete and the last number called lies on a
  completed row (with `last_number` off: when its pattern is complete). All who complete on the same number are gathered.
- A share is split evenly, once per player however many of his cards completed. A card sold to nobody by name is a player of its
  own. The odd remainder stays in the pool for the next share; in the last share it goes to the winner with the lowest serial.
- The last call may be taken back with all that followed from it: claims and shares won on it.
- When the bag is empty and nobody claims, the game is closed; what nobody won stays in the pool and is carried over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from station.errors import IllegalAction, Unreadable
from station.rules.game import Ending, Outcome
from station.table import KNOBS, Card, split


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
    NOT_AN_ACTION = "not-an-action"


class Stakes(StrEnum):
    """How the pool is won."""

    WHOLE = "whole"
    QUARTERS = "quarters"


class Stage(StrEnum):
    """What is played for."""

    ROW = "row"
    TWO_ROWS = "two-rows"
    FULL = "full"


ROWS_WANTED = {Stage.ROW: 1, Stage.TWO_ROWS: 2, Stage.FULL: 3}
STAGES = {Stakes.WHOLE: (Stage.FULL,), Stakes.QUARTERS: (Stage.ROW, Stage.TWO_ROWS, Stage.FULL)}


class Verdict(StrEnum):
    """What the check of a card came to."""

    VALID = "valid"
    NOT_COMPLETE = "not-complete"
    LATE = "late"
    NOT_SOLD = "not-sold"


@dataclass(frozen=True)
class Setup:
    """What is frozen when the game opens.

    Attributes:
        cards: the cards in play by serial. Never part of a notation: `register` stands for them.
        holders: whose a card is; a serial without a name is a player of its own.
        pool: what is played for, in whole units.
        register: a digest of cards and holders.
        knobs: how many are in the bag; smaller ones are for counting.
    """

    cards: Mapping[str, Card]
    pool: int
    stakes: Stakes = Stakes.QUARTERS
    holders: Mapping[str, str] | None = None
    last_number: bool = True
    register: str = ""
    knobs: int = KNOBS

    def player(self, serial: str) -> str:
        """Who holds the card: a name, or the card itself."""
        return (self.holders or {}).get(serial) or f"#{serial}"


@dataclass(frozen=True, slots=True)
class Claim:
    """A card that was checked at this stop."""

    serial: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Win:
    """A share won: by whom, with which card, how much, and after how many calls."""

    stage: Stage
    serial: str
    amount: int
    calls: int


@dataclass(frozen=True)
class State:
    """A game at one moment. `called` is in the order of the calls; `claims` are those of the present stop."""

    setup: Setup
    called: tuple[int, ...] = ()
    stopped: bool = False
    claims: tuple[Claim, ...] = ()
    wins: tuple[Win, ...] = ()
    closed: bool = False

    @property
    def stages(self) -> tuple[Stage, ...]:
        """All stages of this game, in order."""
        return STAGES[self.setup.stakes]

    @property
    def stage(self) -> Stage | None:
        """What is played for now; None when all is won."""
        won = {win.stage for win in self.wins}
        return next((stage for stage in self.stages if stage not in won), None)

    @property
    def pool(self) -> int:
        """What is not won yet."""
        return self.setup.pool - sum(win.amount for win in self.wins)

    @property
    def share(self) -> int:
        """What the present stage is worth, odd remainders of earlier ties included; 0 when all is won."""
        stage = self.stage
        if stage is None:
            return 0
        if stage is self.stages[-1]:
            return self.pool
        quarter = self.setup.pool // 4
        rest = self.setup.pool - quarter * (len(self.stages) - 1)
        # What must stay for the later stages; the rest of the pool is this share and what ties left over.
        later = quarter * (len(self.stages) - 2 - self.stages.index(stage)) + rest
        return self.pool - later


@dataclass(frozen=True, slots=True)
class Draw:
    """A knob comes out of the bag and is called."""

    number: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Somebody claims, or the caller holds the game: nothing further begins."""


@dataclass(frozen=True, slots=True)
class Check:
    """A card is checked; stops the game if it was not. As a pattern, `ANY_CARD` stands for every serial."""

    serial: str


@dataclass(frozen=True, slots=True)
class PlayOn:
    """The check is over: what was won is awarded, and play goes on."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last call was wrong: it is taken back with all that followed from it."""


@dataclass(frozen=True, slots=True)
class Close:
    """The game ends."""


Action: TypeAlias = Draw | Stop | Check | PlayOn | TakeBack | Close
ANY_CARD = "*"


def full_rows(card: Card, called: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """The rows of a card all of whose numbers were called."""
    covered = frozenset(called)
    return tuple(row for row in card.rows if covered.issuperset(row))


def missing(card: Card, called: Iterable[int], rows: int) -> tuple[int, ...]:
    """What the card still wants for its nearest `rows` rows, ascending; empty when they are complete."""
    covered = frozenset(called)
    wants = sorted((sorted(set(row) - covered) for row in card.rows), key=len)
    return tuple(sorted(number for row in wants[:rows] for number in row))


def check(state: State, serial: str) -> Verdict:
    """Would this card win the present stage on the last number called?"""
    card = state.setup.cards.get(serial)
    if card is None:
        return Verdict.NOT_SOLD
    stage = state.stage
    complete = full_rows(card, state.called)
    if stage is None or len(complete) < ROWS_WANTED[stage]:
        return Verdict.NOT_COMPLETE
    if state.setup.last_number and not any(state.called[-1] in row for row in complete):
        return Verdict.LATE
    return Verdict.VALID


def _refuse(reason: Reason, message: str) -> IllegalAction:
    return IllegalAction(reason, message)


def _draw(state: State, number: int) -> State:
    knobs = state.setup.knobs
    if not isinstance(number, int) or not 1 <= number <= knobs:
        raise _refuse(Reason.NO_KNOB, f"there is no knob {number}: the bag holds 1 to {knobs}")
    if state.stopped:
        raise _refuse(Reason.CLAIM_OPEN, f"{number} is not called: the game is stopped for a claim; settle it, then draw")
    if state.stage is None:
        raise _refuse(Reason.WON, f"{number} is not called: all prizes of this game are won; close it, then open the next")
    if number in state.called:
        place = state.called.index(number) + 1
        raise _refuse(Reason.DRAWN, f"{number} was called already, as the {place}. number of this game; put it aside")
    return replace(state, called=(*state.called, number))


def _check(state: State, serial: str) -> State:
    if state.stage is None:
        raise _refuse(Reason.WON, f"card {serial}: all prizes of this game are won; a prize once won cannot be claimed later")
    if not state.called:
        raise _refuse(Reason.NOTHING_CALLED, f"card {serial}: nothing has been called yet")
    for claim in state.claims:
        if claim.serial == serial:
            raise _refuse(Reason.ALREADY_CHECKED, f"card {serial} was checked at this stop: {claim.verdict}")
    return replace(state, stopped=True, claims=(*state.claims, Claim(serial, check(state, serial))))


def _play_on(state: State) -> State:
    if not state.stopped:
        raise _refuse(Reason.NOT_STOPPED, "the game is not stopped: there is nothing to go on from")
    return replace(state, stopped=False, claims=(), wins=(*state.wins, *_awards(state)))


def _awards(state: State) -> tuple[Win, ...]:
    stage = state.stage
    valid = sorted(claim.serial for claim in state.claims if claim.verdict is Verdict.VALID)
    if stage is None or not valid:
        return ()
    first_cards: dict[str, str] = {}
    for serial in valid:
        first_cards.setdefault(state.setup.player(serial), serial)
    each, odd = split(state.share, len(first_cards))
    amounts = dict.fromkeys(first_cards.values(), each)
    if stage is state.stages[-1]:
        amounts[min(amounts)] += odd
    return tuple(Win(stage, serial, amount, len(state.called)) for serial, amount in sorted(amounts.items()))


def _take_back(state: State) -> State:
    if not state.called:
        raise _refuse(Reason.NOTHING_CALLED, "nothing has been called yet: there is nothing to take back")
    kept = tuple(win for win in state.wins if win.calls < len(state.called))
    return replace(state, called=state.called[:-1], stopped=False, claims=(), wins=kept)


_STATE = re.compile(
    r"(?P<stakes>\S+) pool=(?P<pool>\d+) register=(?P<register>\S+) called=(?P<called>\S+) "
    r"(?P<phase>playing|stopped|closed) claims=(?P<claims>\S+) wins=(?P<wins>\S+)"
)


def _listed(text: str) -> list[str]:
    return [] if text == "-" else text.split(",")


class LotoFirst:
    """Loto, First Method, as a `Game`."""

    name = "loto-first"
    title = "Loto, First Method"

    def start(self, setup: Setup) -> State:
        """Raises `Unreadable` for a pool below zero."""
        if setup.pool < 0:
            raise Unreadable(f"a pool of {setup.pool} units: it cannot be below zero")
        return State(setup)

    def actions(self, state: State) -> Iterator[Action]:
        """`Check(ANY_CARD)` stands for a claim by any serial that was not checked at this stop."""
        if state.closed:
            return
        if not state.stopped and state.stage is not None:
            called = frozenset(state.called)
            yield from (Draw(number) for number in range(1, state.setup.knobs + 1) if number not in called)
            yield Stop()
        if state.stage is not None and state.called:
            yield Check(ANY_CARD)
        if state.stopped:
            yield PlayOn()
        if state.called:
            yield TakeBack()
        if not state.stopped:
            yield Close()

    def apply(self, state: State, action: Action) -> State:
        """Raises `IllegalAction` with a `Reason`."""
        if state.closed:
            raise _refuse(Reason.OVER, "the game is over: open the next one")
        match action:
            case Draw(number):
                return _draw(state, number)
            case Check(serial):
                return _check(state, serial)
            case PlayOn():
                return _play_on(state)
            case TakeBack():
                return _take_back(state)
            case Stop():
                if state.stopped:
                    raise _refuse(Reason.ALREADY_STOPPED, "the game is stopped already: check the card")
                if state.stage is None:
                    raise _refuse(Reason.WON, "all prizes of this game are won: there is nothing to claim")
                return replace(state, stopped=True)
            case Close():
                if state.stopped:
                    raise _refuse(Reason.CLAIM_OPEN, "a claim is open: settle it, then close the game")
                return replace(state, closed=True)
        raise _refuse(Reason.NOT_AN_ACTION, f"{action!r} is not an action of {self.title}")

    def outcome(self, state: State) -> Outcome | None:
        """`WON` when the last stage was won before the game was closed."""
        if not state.closed:
            return None
        winners = tuple(win.serial for win in state.wins if win.stage is state.stages[-1])
        return Outcome(Ending.WON if winners else Ending.CLOSED, winners)

    def funds(self, state: State) -> Mapping[str, int]:
        """The pool, and what each card has won."""
        funds = {"pool": state.pool}
        for win in state.wins:
            account = f"won:{win.serial}"
            funds[account] = funds.get(account, 0) + win.amount
        return funds

    def notation(self, state: State) -> str:
        """Stakes, pool, register, numbers called, phase, claims of this stop and wins, on one line."""
        called = ",".join(map(str, state.called)) or "-"
        phase = "closed" if state.closed else "stopped" if state.stopped else "playing"
        claims = ",".join(f"{claim.serial}:{claim.verdict}" for claim in state.claims) or "-"
        wins = ",".join(f"{win.stage}:{win.serial}:{win.amount}:{win.calls}" for win in state.wins) or "-"
        setup = state.setup
        head = f"{setup.stakes} pool={setup.pool} register={setup.register or '-'}"
        return f"{head} called={called} {phase} claims={claims} wins={wins}"

    def parse(self, setup: Setup, text: str) -> State:
        """Raises `Unreadable` when the text is not a state, or not one of this setup."""
        match = _STATE.fullmatch(text)
        if match is None:
            raise Unreadable(f"not a state of {self.title}: {text!r}")
        head = (setup.stakes, str(setup.pool), setup.register or "-")
        if head != (match["stakes"], match["pool"], match["register"]):
            raise Unreadable(f"a state of another game's setup: {text!r}")
        try:
            claims = (claim.rsplit(":", 1) for claim in _listed(match["claims"]))
            wins = (win.split(":") for win in _listed(match["wins"]))
            return State(
                setup,
                tuple(int(number) for number in _listed(match["called"])),
                match["phase"] == "stopped",
                tuple(Claim(serial, Verdict(verdict)) for serial, verdict in claims),
                tuple(Win(Stage(stage), serial, int(amount), int(calls)) for stage, serial, amount, calls in wins),
                match["phase"] == "closed",
            )
        except ValueError as error:
            raise Unreadable(f"not a state of {self.title} ({error}): {text!r}") from error

    def view(self, state: State, seat: str | None) -> Mapping[str, Any]:
        """Everybody sees the calls and the wins; a seat (a serial) sees its own card besides."""
        seen: dict[str, Any] = {"called": state.called, "stage": state.stage, "share": state.share, "wins": state.wins}
        card = state.setup.cards.get(seat) if seat is not None else None
        if card is not None:
            seen["covered"] = tuple(sorted(card.numbers.intersection(state.called)))
        return seen


GAME = LotoFirst()
