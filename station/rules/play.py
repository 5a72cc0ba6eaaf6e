"""The door through which a game is played: its rules, and what the rest of the house needs to know
of them. Pure.

Each game's folder has one value of it, `PLAY`; `station.rules.PLAYS` lists them. The rules count in
their own units; a play knows what one of them is worth. What a company has agreed on comes as an
object with the names that its game asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from station.rules.game import Game
from station.rules.prizes import Prizes

COMPANY = 0  # in the place of a seat: what all of them agree on


class TableState(Protocol):
    """What every game at the table tells of its state, whatever else it knows. Sums are in the
    game's own units."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The knobs on the board, in the order in which they were drawn."""

    @property
    def bag(self) -> frozenset[int]:
        """The knobs in the bag."""

    @property
    def taken(self) -> tuple[tuple[str, ...], ...]:
        """The cards of each seat."""

    @property
    def purses(self) -> tuple[int, ...]:
        """What each seat has outside the game."""

    @property
    def hands(self) -> tuple[int, ...]:
        """What each seat has won."""

    @property
    def table(self) -> int:
        """Counters for covering that lie free."""

    @property
    def pool(self) -> int:
        """What is still to be won."""

    @property
    def drawer(self) -> int:
        """The seat that has the bag; 0 where nobody does but the dealer."""

    def covered(self, serial: str) -> frozenset[int]:
        """The numbers of a card that have a counter."""


@dataclass(frozen=True, slots=True)
class Slots:
    """What of an action is still to be chosen.

    Attributes:
        names: the fields of the action that are open together.
        values: what may stand in them, one tuple for each way.
    """

    names: tuple[str, ...]
    values: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Play:
    """A game; one that cards are sold for has `sold`, one at a table all the rest.

    Attributes:
        game: its rules.
        sold: what the house needs of a game that cards are sold for; None for a company's game.
        moves: what people ask for between the knobs, by name.
        draw: the action that draws a knob.
        take_back: the action that takes the last one back.
        agreed: the names of what a company agrees on in this game alone.
        parts: from what was agreed on, what the stake must be a multiple of, and why.
        asked: what may be asked for now, each with the seat whose it is (`COMPANY`: everybody's);
            the rules may refuse it.
        slots: what of an action that is asked for is still to be chosen; None where it is whole.
        value: from what was agreed on, what one of the rules' units is worth, in minor units.
        charge: what a seat pays for so many cards, in the rules' units.
        allowed: how many cards a player may take.
        setup: from what was agreed on, the cards in the order of the deal, how many each seat
            takes, the purses in the rules' units and a digest of the deal.
        step: what comes next, but for the counting of the bag.
        broken: the state when the game is broken off.
        join: from a purse in the rules' units, how somebody joins a game that is on; None where
            nobody can.
        advance: what is known beside the state once an action was done, from what was known before,
            the state before, the action, the state after; it follows from them, so a night that is
            played again comes to the same.
        then: what the journal says of an action besides, from the states before and after, and what
            was known beside each.
        unpaid: what nobody can be paid, at the end, in the rules' units.
    """

    game: Game[Any, Any, Any]
    sold: Prizes | None = None
    moves: Mapping[str, type] = field(default_factory=dict)
    draw: Callable[[int], Any] = lambda _: None
    take_back: Callable[[], Any] = lambda: None
    agreed: tuple[str, ...] = ()
    parts: Callable[[Any], tuple[int, str]] = lambda _: (1, "")
    asked: Callable[[Any], Iterator[tuple[int, Any]]] = lambda _: iter(())
    value: Callable[[Any], int] = lambda _: 1
    charge: Callable[[Any, int], int] = lambda *_: 0
    allowed: frozenset[int] = frozenset()
    setup: Callable[..., Any] = lambda *_: None
    step: Callable[[Any], str] = lambda _: ""
    broken: Callable[[Any], Any] = lambda _: None
    slots: Callable[[Any, Any], Slots | None] = lambda *_: None
    join: Callable[[int], Any] | None = None
    advance: Callable[[Any, Any, object, Any], Any] = lambda *_: None
    then: Callable[[Any, Any, Any, Any], Mapping[str, Any]] = lambda *_: {}
    unpaid: Callable[[Any], int] = lambda _: 0

    @property
    def prizes(self) -> Prizes:
        """What the house needs of a game that cards are sold for; an error for a company's."""
        if self.sold is None:
            raise TypeError(f"{self.game.title} is played at a table: no card is sold for it")
        return self.sold
