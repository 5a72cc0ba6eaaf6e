"""Define the abilities that some games have. Pure.

A game class names its abilities as base classes. The house asks for one with `GameRules.ability`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar, runtime_checkable

from station.rules.patterns import Wants
from station.rules.play import Agreed, Exact, Expected, Likely, Played, Race, Saying, ThingWorth
from station.rules.prizes import (
    Division,
    Judgement,
    PrizeAction,
    PrizeSetup,
    PrizeState,
    Stage,
)
from station.rules.seen import Phrase, phrase

State = TypeVar("State")
State_contra = TypeVar("State_contra", contravariant=True)
Action = TypeVar("Action")
Action_co = TypeVar("Action_co", covariant=True)


@runtime_checkable
class SellsCards(Protocol):
    """A game for which the hall sells cards: prizes are played for in stages, and whoever holds a
    card claims. The night handles sales, claims, approvals and payouts.

    Attributes:
        stakes: the ways to divide the pool that a programme may name; the first is the default.
        own_stages: whether a programme may define stages of its own.
        words: the keys of the game's own words, by the house's word that each replaces: "claim",
            "stop" (spoken), "stopped" (shown).
    """

    stakes: Mapping[str, Division]
    own_stages: bool
    words: Mapping[str, str]

    def start(self, setup: PrizeSetup, /) -> PrizeState:
        """Return the state before the first call, as in `GameRules`."""

    def apply(self, state: PrizeState, action: PrizeAction, /) -> PrizeState:
        """Return the state after an action, as in `GameRules`."""

    def notation(self, state: PrizeState, /) -> str:
        """Return the state on one line."""

    def judge(self, state: PrizeState, serial: str, /) -> Judgement:
        """Return whether a card would win an open stage on the last number called."""

    def wants(self, state: PrizeState, serial: str, /) -> tuple[tuple[Stage, Wants], ...]:
        """Return what a card in play, or a ticket that was checked, still needs for each open
        stage."""

    def settled(self, setup: PrizeSetup, won: Sequence[tuple[str, int]], /) -> PrizeState:
        """Return the state after stages were won in this order, each on a call of its own.

        Args:
            won: the key of each stage, and how many players share it.
        """


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
