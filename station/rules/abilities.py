"""Define the abilities that some games have. Pure.

A game class names its abilities as base classes. The house asks for one with `GameRules.ability`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol, TypeVar, runtime_checkable

from station.rules.game import Ending, GameRules, Outcome
from station.rules.patterns import JACKPOT, Wants
from station.rules.play import (
    Actor,
    Agreed,
    Chance,
    Exact,
    Expected,
    Likely,
    Luck,
    Played,
    Race,
    Saying,
    ThingWorth,
)
from station.rules.prizes import (
    Award,
    CallNumber,
    Check,
    CheckTicket,
    ClaimVerdict,
    DecideLots,
    Division,
    EndGame,
    Judgement,
    PrizeAction,
    PrizeSetup,
    PrizeState,
    Stage,
    Stop,
    TakeBackCall,
)
from station.rules.seen import KnobName, Phrase, phrase

State = TypeVar("State")
State_contra = TypeVar("State_contra", contravariant=True)
Action = TypeVar("Action")
Action_co = TypeVar("Action_co", covariant=True)


@runtime_checkable
class DrawsKnobs(Protocol[State_contra, Action_co]):
    """A game at a table for which knobs are drawn from the bag."""

    def draw(self, number: int, /) -> Action_co:
        """Return the action that draws a knob."""

    def bag(self, state: State_contra, /) -> frozenset[int]:
        """Return the knobs in the bag."""

    def board(self, state: State_contra, /) -> tuple[int, ...]:
        """Return the knobs that have been drawn, in order."""

    def taken(self, state: State_contra, /) -> tuple[tuple[str, ...], ...]:
        """Return the Loto cards of each seat."""

    def counting(self, state: State_contra, /) -> Phrase:
        """Return what is shown while the bag is counted."""
        return phrase("count-knobs")


@runtime_checkable
class TakesBack(Protocol[Action_co]):
    """A game whose rules have an action that takes back the last one."""

    def take_back(self) -> Action_co:
        """Return that action."""


@runtime_checkable
class Reversible(Protocol[State, Action]):
    """A game in which the night may restore the state before the last action."""

    def undoable(self, done: Played[State, Action], /) -> bool:
        """Return whether this action may be undone: no player has learnt anything from it."""


@runtime_checkable
class Auctions(Protocol):
    """A game that sells something by auction.

    Attributes:
        gavel: the verb of the move that a knock of the gavel makes.
    """

    gavel: str


@runtime_checkable
class HasHiddenParts(Protocol[State_contra]):
    """A game with parts that must stay hidden until the hand is over: a deal, a card passed face
    down. The record holds a salted digest in their place.

    Attributes:
        hidden: the hidden fields of each move, by its verb.
    """

    hidden: Mapping[str, frozenset[str]]

    def hand_over(self, state: State_contra, /) -> bool:
        """Return whether the hidden parts may be seen now; when the game ends they always may."""


@runtime_checkable
class PlaysRealCards(Protocol[State_contra]):
    """A game that may be played with real cards. What breaks a rule has happened then: the host
    declares it (`DeclareFault`), and seats only watch."""

    def enforced(self, state: State_contra, /) -> bool:
        """Return whether the station keeps the rules; False with real cards."""


@runtime_checkable
class HasRace(Protocol[State_contra]):
    """A game in which players answer by buzzers."""

    def race(self, state: State_contra, /) -> Race | None:
        """Return who may answer now; None if everyone covers without a race."""


@runtime_checkable
class CanBeBrokenOff(Protocol[State]):
    """A game that may end early."""

    def broken(self, state: State, /) -> State:
        """Return the state after the game was broken off.

        Raises:
            IllegalAction: the game is over.
        """


@runtime_checkable
class TakesNewcomers(Protocol[Action_co]):
    """A game that a player may join while it is in play."""

    def join(self, purse: int, /) -> Action_co:
        """Return the action by which a player with this purse, in units, joins."""


@runtime_checkable
class Recites(Protocol[State, Action]):
    """A game in which some results are announced step by step."""

    def recital(self, done: Played[State, Action], /) -> tuple[Saying, ...]:
        """Return what is announced after an action, one step each; `say` returns the first step,
        too."""

    def again(self, state: State, /) -> Saying:
        """Return what the voice repeats of the last settlement."""
        return ()


@runtime_checkable
class LeavesUnpaid(Protocol[State_contra]):
    """A game that may end before everything is paid."""

    def unpaid(self, state: State_contra, /) -> int:
        """Return how many units remain unpaid."""


@runtime_checkable
class CanBeWorkedOut(Protocol[State_contra]):
    """A game of which something can be worked out before it is played. A game overrides what is
    known of it."""

    def expected(self, agreed: Agreed, /) -> Expected:
        """Return what is played for."""
        return Expected()

    def exact(self, agreed: Agreed, seats: int, /) -> Exact | None:
        """Return the length of a game and each seat's chance to win; None if only trials can
        tell."""
        return None

    def worths(self, agreed: Agreed, seats: int, /) -> tuple[ThingWorth, ...]:
        """Return what each thing that is sold in the game is worth."""
        return ()

    def likely(self, agreed: Agreed, seats: int, /) -> tuple[Likely, ...]:
        """Return how likely some events are."""
        return ()

    def happens(self, before: State_contra, after: State_contra, /) -> Mapping[str, bool]:
        """Return which events an action decided, by the keys of their words, and whether each has
        occurred. Trials count them."""
        return {}


class SellsCards(
    GameRules[PrizeSetup, PrizeState, PrizeAction],
    DrawsKnobs[PrizeState, PrizeAction],
    TakesBack[PrizeAction],
    CanBeBrokenOff[PrizeState],
):
    """A game for which the hall sells cards: prizes are played for in stages, and whoever holds a
    card claims. The night handles sales, claims, approvals and payouts.

    Attributes:
        stakes: the ways to divide the pool that a programme may name; the first is the default.
        own_stages: whether a programme may define stages of its own.
        words: the keys of the game's own words, by the house's word that each replaces: "claim",
            "stop" (spoken), "stopped" (shown).
    """

    stakes: Mapping[str, Division]
    own_stages: bool = False
    words: Mapping[str, str] = MappingProxyType({})

    @abstractmethod
    def judge(self, state: PrizeState, serial: str, /) -> Judgement:
        """Return whether a card would win an open stage on the last number called."""

    @abstractmethod
    def wants(self, state: PrizeState, serial: str, /) -> tuple[tuple[Stage, Wants], ...]:
        """Return what a card in play, or a ticket that was checked, still needs for each open
        stage."""

    @abstractmethod
    def settled(self, setup: PrizeSetup, won: Sequence[tuple[str, int]], /) -> PrizeState:
        """Return the state after stages were won in this order, each on a call of its own.

        Args:
            won: the key of each stage, and how many players share it.
        """

    def outcome(self, state: PrizeState, /) -> Outcome | None:
        """Return the outcome, `WON` if all was won; None also while lots are still to be drawn."""
        if not state.closed or state.undecided:
            return None
        winners = tuple(win.serial for win in state.wins if win.stage == state.stages[-1].key)
        return Outcome(Ending.CLOSED if state.unwon else Ending.WON, winners)

    def is_over(self, state: PrizeState, /) -> bool:
        """Return whether the game is closed; lots may still be to be drawn."""
        return state.closed

    def to_act(self, state: PrizeState, /) -> frozenset[int | Actor]:
        """Return who is awaited: chance, or the host at a stop and when all is won."""
        if state.closed:
            return frozenset()
        return frozenset({Actor.HOST if self.chance(state) is None else Actor.CHANCE})

    def chance(self, state: PrizeState, /) -> Chance | None:
        """Return the draw of the next number; None at a stop, and when all is won."""
        if state.closed or state.stopped or state.stage is None or not (bag := self.bag(state)):
            return None
        return Chance(Luck.KNOB, "draw", "number", numbers=bag)

    def step(self, state: PrizeState, /) -> str:
        """Return what comes next: "draw", "play-on" at a stop, "close" when all is won."""
        if state.stopped:
            return "play-on"
        return "draw" if self.chance(state) is not None else "close"

    def draw(self, number: int, /) -> PrizeAction:
        """Return the call of a number."""
        return CallNumber(number)

    def take_back(self) -> PrizeAction:
        """Return the action that takes the last call back."""
        return TakeBackCall()

    def broken(self, state: PrizeState, /) -> PrizeState:
        """Return the game closed."""
        return self.apply(state, EndGame())

    def bag(self, state: PrizeState, /) -> frozenset[int]:
        """Return the numbers that have not been called."""
        return frozenset(range(1, state.setup.knobs + 1)).difference(state.called)

    def board(self, state: PrizeState, /) -> tuple[int, ...]:
        """Return the numbers that have been called."""
        return state.called

    def taken(self, state: PrizeState, /) -> tuple[tuple[str, ...], ...]:
        """Return nothing: the hall's players hold the cards, and no seat does."""
        return ()

    def funds(self, state: PrizeState, /) -> Mapping[str, int]:
        """Return the pool, the jackpot, and what each card has won."""
        funds = {"pool": state.pool} | ({JACKPOT: state.jackpot} if state.setup.jackpot else {})
        for win in state.wins:
            account = f"won:{win.serial}"
            funds[account] = funds.get(account, 0) + win.amount
        return funds

    def opens(self, state: PrizeState, /) -> Saying:
        """Return what the voice says when the game begins: what is played for."""
        return ("eyes-down", state.playing) if state.open else ()

    def say(self, done: Played[PrizeState, PrizeAction], /) -> Saying:
        """Return what the voice says of a stop, a claim, what was won, and lots."""
        state = done.after
        match done.action:
            case Stop():
                return ("stop",)
            case Check() | CheckTicket():
                return _VERDICT[state.claims[-1].verdict]
            case Award():
                return _awarded(done.before, state)
            case DecideLots(knobs=knobs):
                return ("highest-knob", KnobName(max(knob for _, knob in knobs)))
        return ()

    def comes(self, state: PrizeState, /) -> Saying:
        """Return what the voice says at the end."""
        return ("game-closed",) if state.closed else ()


_VERDICT = {
    ClaimVerdict.VALID: ("valid", "any-more"),
    ClaimVerdict.NOT_COMPLETE: ("not-valid",),
    ClaimVerdict.LATE: ("late",),
    ClaimVerdict.NOT_SOLD: ("not-sold",),
    ClaimVerdict.ALREADY_WON: ("already-won",),
}


def _awarded(before: PrizeState, after: PrizeState) -> Saying:
    won = dict.fromkeys(win.stage for win in after.wins[len(before.wins) :])
    if not won:
        return ("play-on",)
    said = [after.won(stage) for stage in won]
    said += ["draw-lots"] if set(after.undecided) - set(before.undecided) else []
    if after.open:
        # Where several prizes stay open the hall knows them; only the last one is named.
        said.append("play-on" if after.setup.at_once and len(after.open) > 1 else after.playing)
    return tuple(said)
