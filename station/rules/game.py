"""Define the contract of games: what a game says of its rules, and what the house asks of it. Pure.

A game is a class with one instance, `GAME`, in its folder; `station.games.GAMES` lists them. The
house never asks for a game's name or kind. It asks for an ability (`station.rules.abilities`):

    if (racing := rules.ability(HasRace)) is not None:
        race = racing.race(state)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import ClassVar, Generic, TypeVar, cast

from station.base.errors import IllegalAction, Unreadable
from station.base.tongue import number_of, tr
from station.rules.example import Example
from station.rules.play import (
    Actor,
    Agreed,
    Chance,
    Choose,
    Dealing,
    Luck,
    NameOf,
    Need,
    Played,
    Saying,
    Setting,
    Wish,
)
from station.rules.seating import SEATS
from station.rules.seen import Move, Seen, Viewer

Setup = TypeVar("Setup")
State = TypeVar("State")
Action = TypeVar("Action")
Ability = TypeVar("Ability")


class Ending(StrEnum):
    """Why a game is over."""

    WON = "won"
    CLOSED = "closed"  # ended before its last prize was won


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended, and who won its last prize."""

    ending: Ending
    winners: tuple[str, ...]


_BY_CHANCE = {
    Luck.KNOB: "draw",
    Luck.DICE: "throw",
    Luck.CUBES: "throw",
    Luck.SHUFFLE: "shuffle",
    Luck.CARD: "shuffle",
}


@cache
def _has(rules: object, kind: Hashable) -> bool:
    # Whether a class keeps a protocol takes 20 microseconds to find out, and is asked at each move.
    return isinstance(rules, cast("type", kind))


class GameRules(ABC, Generic[Setup, State, Action]):
    """A game. States and setups are frozen, and chance comes in as an action.

    The abstract methods are the rules of the book. The others have defaults that suit a game
    without players at a table, and a game overrides those that it needs.

    Attributes:
        name: the name that programmes use.
        title: the title for people, in `key("…")`, so that it is translated.
        settings: what a company agrees on before the game.
        seats: the fewest and the most players at a table.
        needs: what is laid out for the game.
        card_counts: the numbers of Loto cards that a player may take.
        moves: the actions that are asked for by name, by their verbs.
        example: a short game to its end, for lessons; None if there is no lesson.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    settings: tuple[Setting, ...] = ()
    seats: tuple[int, int] = (1, SEATS)
    needs: frozenset[Need] = frozenset()
    card_counts: frozenset[int] = frozenset({0})
    moves: Mapping[str, type] = {}
    example: Example | None = None

    # -- the rules ---------------------------------------------------------------------------------

    @abstractmethod
    def start(self, setup: Setup, /) -> State:
        """Return the state before anything has happened.

        Raises:
            Unreadable: no game can be played with this setup.
        """

    @abstractmethod
    def legal_actions(self, state: State, /) -> Iterator[Action]:
        """Yield the legal actions in a fixed order, lazily. A pattern stands for a large family of
        actions."""

    @abstractmethod
    def apply(self, state: State, action: Action, /) -> State:
        """Check an action and return the next state.

        Raises:
            IllegalAction: the rules refuse the action; the error has the reason.
        """

    @abstractmethod
    def outcome(self, state: State, /) -> Outcome | None:
        """Return how the game ended; None while it is in play."""

    @abstractmethod
    def funds(self, state: State, /) -> Mapping[str, int]:
        """Return where the money or the counters lie, in the game's units. Only what a newcomer
        brings changes their sum."""

    @abstractmethod
    def notation(self, state: State, /) -> str:
        """Return the state on one line."""

    @abstractmethod
    def parse(self, setup: Setup, text: str, /) -> State:
        """Return the state that `notation` wrote, and read nothing else.

        Raises:
            Unreadable: the text is not a state of a game with this setup.
        """

    # -- before the game ---------------------------------------------------------------------------

    def setup(self, agreed: Agreed, dealing: Dealing, /) -> Setup:
        """Return the setup of a company's game.

        Raises:
            Unreadable: the company cannot play what it agreed on.
        """
        raise NotImplementedError(f"no company plays {self.name}")

    def parts(self, agreed: Agreed, /) -> tuple[int, str]:
        """Return what the stake must be a multiple of, and why."""
        return 1, ""

    def value(self, agreed: Agreed, /) -> int:
        """Return what one unit of the game is worth, in minor units."""
        return 1

    def charge(self, agreed: Agreed, cards: int, /) -> int:
        """Return what a seat with this many cards pays before the game, in units. The game itself
        takes it from the purses, in `start`."""
        return 0

    def terms(self, agreed: Agreed, stake: str, /) -> Iterator[str]:
        """Yield what was agreed on in sentences, for the programme's sheet, in the language that is
        spoken.

        Args:
            stake: the stake as money.
        """
        return iter(())

    # -- in the game -------------------------------------------------------------------------------

    def to_act(self, state: State, /) -> frozenset[int | Actor]:
        """Return who is awaited: seats, the host, chance."""
        return frozenset()

    def chance(self, state: State, /) -> Chance | None:
        """Return what chance decides now; None if nothing."""
        return None

    def step(self, state: State, /) -> str:
        """Return in one word what comes next."""
        law = self.chance(state)
        return "move" if law is None else _BY_CHANCE[law.kind]

    def actions(self, state: State, viewer: Viewer, /) -> Iterable[Move]:
        """Return what a viewer may ask for now: a seat its own moves; the host all that he may ask
        for on behalf of the company and the seats. The rules may still refuse a move."""
        return ()

    def view(self, state: State, viewer: Viewer, told: int | None = None, /) -> Seen:
        """Return what a viewer sees. Two states that differ only in what the viewer cannot see give
        equal views and equal actions.

        Args:
            told: the step of a recital that is announced now.
        """
        raise NotImplementedError(f"{self.name} is not shown at a table")

    def bot(
        self, state: State, seat: int, choose: Choose, simulated: frozenset[int], /
    ) -> Wish | None:
        """Return what the simulated player of a seat wants.

        Args:
            simulated: all simulated seats.
        """
        return None

    def is_over(self, state: State, /) -> bool:
        """Return whether nothing more is played. A game may be over before its outcome is known."""
        return self.outcome(state) is not None

    # -- after an action ---------------------------------------------------------------------------

    def opens(self, state: State, /) -> Saying:
        """Return what the voice says when the game begins."""
        return ()

    def say(self, done: Played[State, Action], /) -> Saying:
        """Return what the voice says of an action; of a knob, what follows its number."""
        return ()

    def comes(self, state: State, /) -> Saying:
        """Return what the voice says next, after all that; at the end, how the game ended."""
        return ()

    def then(self, before: State, after: State, /) -> Mapping[str, object]:
        """Return what else the journal's line says of an action, as JSON."""
        return {}

    def report(
        self, move: Mapping[str, object], then: Mapping[str, object], name: NameOf, /
    ) -> str:
        """Return a move and its results as one line of a report, in the language that is spoken.

        Args:
            move: the move as the journal's line has it.
            then: the results, as `then` returned them.
        """
        return str(move["do"])

    def prize_winners(self, done: Played[State, Action], /) -> tuple[int, ...]:
        """Return the seats that win a prize by an action before the game ends: a pool, a row."""
        return ()

    # -- for the house -----------------------------------------------------------------------------

    def ability(self, kind: type[Ability]) -> Ability | None:
        """Return this game with an ability; None if it does not have it."""
        return cast("Ability", self) if _has(self, cast("Hashable", kind)) else None

    def needed(self, kind: type[Ability]) -> Ability:
        """Return this game with an ability.

        Raises:
            Unreadable: the game does not have it.
        """
        if (found := self.ability(kind)) is None:
            raise Unreadable(tr("this game does not do that: play on"))
        return found

    def begin(self, agreed: Agreed, dealing: Dealing) -> State:
        """Return the state in which a company begins this game. This alone decides who can play
        what: the night asks it when a game opens, a programme's check for every number of players.

        Raises:
            Unreadable: this number of players cannot play what was agreed on, with these cards and
                purses.
        """
        count, (least, most) = len(dealing.purses), self.seats
        if not least <= count <= most:
            raise Unreadable(
                tr(
                    "{players}: {game} is for {least} to {most}",
                    players=number_of(count, "player"),
                    game=tr(self.title),
                    least=least,
                    most=most,
                )
            )
        return self.start(self.setup(agreed, dealing))

    def winners(self, done: Played[State, Action]) -> tuple[int, ...]:
        """Return the seats that win by an action: a prize, or the game."""
        if seats := self.prize_winners(done):
            return seats
        ended = self.outcome(done.after)
        return tuple(sorted(map(int, ended.winners))) if ended is not None else ()

    def agreed(self, said: Mapping[str, bool | int | str]) -> Agreed:
        """Return what was agreed on, with the game's default for each setting that was not."""
        return Agreed({one.name: one.default for one in self.settings} | dict(said))


def unknown(reason: StrEnum, action: object, title: str) -> IllegalAction:
    """Return the refusal of what is no action of a game."""
    why = "{action} is not an action of {title}"
    return IllegalAction(reason, why, action=repr(action), title=title)
