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
  own. The odd remainder stays in the pool for the next share; in the last share it goes to the winner with the lowest serial
  (as people count: 9 before 10).
- The last call may be taken back with all that followed from it: claims and shares won on it.
- When the bag is empty and nobody claims, the game is closed; what nobody won stays in the pool and is carried over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from station.errors import IllegalAction, Unreadable
from station.rules import loto_first_state
from station.rules.game import Ending, Outcome
from station.rules.loto_first_state import ROWS_WANTED, TITLE, Claim, Setup, Stage, Stakes, State, Verdict, Win
from station.table import KNOBS, SERIAL, Card, serial_order, split

__all__ = [
    "ANY_CARD",
    "GAME",
    "ROWS_WANTED",
    "Action",
    "Check",
    "Claim",
    "Close",
    "Draw",
    "LotoFirst",
    "PlayOn",
    "Reason",
    "Setup",
    "Stage",
    "Stakes",
    "State",
    "Stop",
    "TakeBack",
    "Verdict",
    "Win",
    "check",
    "full_rows",
    "missing",
]


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
    NOT_AN_ACTION = "not-an-action"


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
    if not 1 <= number <= knobs:
        raise _refuse(Reason.NO_KNOB, f"there is no knob {number}: the bag holds 1 to {knobs}")
    if state.stopped:
        raise _refuse(Reason.CLAIM_OPEN, "the game is stopped for a claim: settle it, then draw")
    if state.stage is None:
        raise _refuse(Reason.WON, "all prizes of this game are won: close it, then open the next")
    if number in state.called:
        place = state.called.index(number) + 1
        raise _refuse(Reason.DRAWN, f"{number} was called already: it was call {place} of this game; put it aside")
    return replace(state, called=(*state.called, number))


def _check(state: State, serial: str) -> State:
    if state.stage is None:
        raise _refuse(Reason.WON, f"card {serial}: all prizes of this game are won; a prize once won cannot be claimed later")
    if not SERIAL.fullmatch(serial):
        raise _refuse(Reason.NO_SERIAL, f"{serial!r} is no card's serial: 1 to 32 letters, digits and hyphens; look at the card")
    if not state.called:
        raise _refuse(Reason.NOTHING_CALLED, f"card {serial}: nothing has been called yet")
    for claim in state.claims:
        if claim.serial == serial:
            raise _refuse(Reason.ALREADY_CHECKED, f"card {serial} was checked already at this stop: its verdict stands")
    return replace(state, stopped=True, claims=(*state.claims, Claim(serial, check(state, serial))))


def _play_on(state: State) -> State:
    if not state.stopped:
        raise _refuse(Reason.NOT_STOPPED, "the game is not stopped: play goes on, draw the next number")
    return replace(state, stopped=False, claims=(), wins=(*state.wins, *_awards(state)))


def _awards(state: State) -> tuple[Win, ...]:
    stage = state.stage
    valid = sorted((claim.serial for claim in state.claims if claim.verdict is Verdict.VALID), key=serial_order)
    if stage is None or not valid:
        return ()
    first_cards: dict[str, str] = {}
    for serial in valid:
        first_cards.setdefault(state.setup.player(serial), serial)
    each, odd = split(state.share, len(first_cards))
    amounts = dict.fromkeys(first_cards.values(), each)
    if stage is state.stages[-1]:
        amounts[valid[0]] += odd
    return tuple(Win(stage, serial, amount, len(state.called)) for serial, amount in amounts.items())


def _take_back(state: State) -> State:
    if not state.called:
        raise _refuse(Reason.NOTHING_CALLED, "nothing has been called yet: there is nothing to take back")
    kept = tuple(win for win in state.wins if win.calls < len(state.called))
    return replace(state, called=state.called[:-1], stopped=False, claims=(), wins=kept)


class LotoFirst:
    """Loto, First Method, as a `Game`."""

    name = "loto-first"
    title = TITLE

    def start(self, setup: Setup) -> State:
        """Raises `Unreadable` for a pool below zero, and for cards whose numbers are not in the bag."""
        if setup.pool < 0:
            raise Unreadable(f"a pool of {setup.pool} units: it cannot be below zero")
        if not 1 <= setup.knobs <= KNOBS:
            raise Unreadable(f"a bag of {setup.knobs} knobs: it holds 1 to {KNOBS}")
        for serial, card in setup.cards.items():
            if foreign := sorted(number for number in card.numbers if not 1 <= number <= setup.knobs):
                raise Unreadable(f"card {serial} bears {foreign[0]}: the bag holds 1 to {setup.knobs}")
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
        return loto_first_state.notation(state)

    def parse(self, setup: Setup, text: str) -> State:
        """Raises `Unreadable` when the text is not a state, or not one of this setup."""
        return loto_first_state.parse(setup, text)

    def view(self, state: State, seat: str | None) -> Mapping[str, Any]:
        """Everybody sees the calls and the wins; a seat (a serial) sees its own card besides."""
        seen: dict[str, Any] = {"called": state.called, "stage": state.stage, "share": state.share, "wins": state.wins}
        card = state.setup.cards.get(seat) if seat is not None else None
        if card is not None:
            seen["covered"] = tuple(sorted(card.numbers.intersection(state.called)))
        return seen


GAME = LotoFirst()
