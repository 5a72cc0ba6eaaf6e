"""A game of Loto, First Method, at one moment: stakes, stages, claims and wins, and the one line it is written on.

What may happen next is in `station.rules.loto_first`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from station.errors import Unreadable
from station.table import KNOBS, Card

TITLE = "Loto, First Method"


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


_STATE = re.compile(
    r"(?P<stakes>\S+) pool=(?P<pool>\d+) register=(?P<register>\S+) called=(?P<called>\S+) "
    r"(?P<phase>playing|stopped|closed) claims=(?P<claims>\S+) wins=(?P<wins>\S+)"
)


def notation(state: State) -> str:
    """Stakes, pool, register, numbers called, phase, claims of this stop and wins, on one line."""
    called = ",".join(map(str, state.called)) or "-"
    phase = "closed" if state.closed else "stopped" if state.stopped else "playing"
    claims = ",".join(f"{claim.serial}:{claim.verdict}" for claim in state.claims) or "-"
    wins = ",".join(f"{win.stage}:{win.serial}:{win.amount}:{win.calls}" for win in state.wins) or "-"
    setup = state.setup
    head = f"{setup.stakes} pool={setup.pool} register={setup.register or '-'}"
    return f"{head} called={called} {phase} claims={claims} wins={wins}"


def parse(setup: Setup, text: str) -> State:
    """The inverse of `notation`.

    Raises:
        Unreadable: the text is not a state, or not one that a game with this setup can be in.
    """
    match = _STATE.fullmatch(text)
    if match is None:
        raise Unreadable(f"not a state of {TITLE}: {text!r}")
    head = (setup.stakes, str(setup.pool), setup.register or "-")
    if head != (match["stakes"], match["pool"], match["register"]):
        raise Unreadable(f"a state of another game's setup: {text!r}")
    try:
        claims = (claim.split(":") for claim in _listed(match["claims"]))
        wins = (win.split(":") for win in _listed(match["wins"]))
        state = State(
            setup,
            tuple(int(number) for number in _listed(match["called"])),
            match["phase"] == "stopped",
            tuple(Claim(serial, Verdict(verdict)) for serial, verdict in claims),
            tuple(Win(Stage(stage), serial, int(amount), int(calls)) for stage, serial, amount, calls in wins),
            match["phase"] == "closed",
        )
    except ValueError as error:
        raise Unreadable(f"not a state of {TITLE} ({error}): {text!r}") from error
    if notation(state) != text or not _possible(state):
        raise Unreadable(f"no game of {TITLE} can be in this state: {text!r}")
    return state


def _listed(text: str) -> list[str]:
    return [] if text == "-" else text.split(",")


def _possible(state: State) -> bool:
    """Knobs of this bag, each once; wins of this game's stages, paid from its pool; claims only at a stop after a call."""
    called = state.called
    return (
        len(set(called)) == len(called)
        and all(1 <= number <= state.setup.knobs for number in called)
        and all(win.stage in state.stages and 1 <= win.calls <= len(called) for win in state.wins)
        and state.pool >= 0
        and (not state.claims or (state.stopped and bool(called)))
    )
