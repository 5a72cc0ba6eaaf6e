"""Work out the odds of each game of a programme, and of a game at the table by trial.

At the table a trial shows how long a game lasts, and what each seat wins of it. The game is played
by its own rules through its play, by chance and by simulated players. Where the play can work out
the same figures, they stand beside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from station.games import AnyRules
from station.night.table.game import GameInPlay
from station.night.table.luck import awaited
from station.night.table.practice import TableLuck, company, to_the_end
from station.odds.answers_second import SecondOdds, second_odds
from station.odds.first import FirstOdds, RaceOdds, first_odds, race_odds
from station.odds.second import STRIP_CARDS
from station.odds.trials import TrialFigure
from station.programme.programme import GamePlan, Programme
from station.rules.abilities import CanBeWorkedOut
from station.rules.patterns import Pattern
from station.rules.play import Exact, Expected, Likely, ThingWorth

More = Callable[[int], None]


@dataclass(frozen=True)
class SeatOdds:
    """What a seat has of a game.

    Attributes:
        wins: the part of the games that it wins, alone or with others.
        gain: what it takes home more than it brought, in units of the rules.
    """

    seat: int
    wins: TrialFigure
    gain: TrialFigure


@dataclass(frozen=True)
class Happening:
    """Something that may come of a deal or a throw, and in what part of them it does.

    Attributes:
        key: the key of its words.
    """

    key: str
    often: TrialFigure


@dataclass(frozen=True)
class TableOdds:
    """What is to be expected of a game at the table.

    Attributes:
        games: how many were played.
        length: how often chance decides until the game is over: deals, throws.
        median, longest: of the same.
        exact: what is worked out of it; None where it can only be tried.
        worths: what the things are worth that are bought in it, as it is worked out.
        likely: what is worked out of things that may happen in it.
        happens: what else comes of it, and how often.
    """

    game: str
    games: int
    seed: str
    length: TrialFigure
    median: int
    longest: int
    seats: tuple[SeatOdds, ...]
    exact: Exact | None
    worths: tuple[ThingWorth, ...] = ()
    likely: tuple[Likely, ...] = ()
    happens: tuple[Happening, ...] = ()


def table_odds(
    rules: AnyRules,
    seats: int,
    games: int,
    seed: str,
    settings: Mapping[str, Any] | None = None,
    more: More = lambda _: None,
) -> TableOdds:
    """Play a game so many times by the luck of a seed.

    Args:
        settings: what is agreed on in this game, where it is not the usual.
        more: is told how many games are played besides.

    Raises:
        Unreadable: the game is not for so many, or is played with the hall's knobs or cards.
    """
    begun = company(rules, [str(seat) for seat in range(1, seats + 1)], settings)
    known = rules.ability(CanBeWorkedOut)
    exact = known.exact(begun.agreed, seats) if known is not None else None
    luck = TableLuck(Random(seed))  # noqa: S311 - the same seed, the same figures
    lengths = np.empty(games, dtype=np.int32)
    wins = np.zeros((games, seats), dtype=np.int32)
    gains = np.zeros((games, seats), dtype=np.int32)
    happened: dict[str, list[bool]] = {}
    for number in range(games):
        lengths[number], over = _played(begun, luck, happened)
        outcome = rules.outcome(over.state)
        for place, seat in enumerate(over.seats):
            wins[number, place] = outcome is not None and seat.name in outcome.winners
            gains[number, place] = (over.purses[place] - seat.purse) // over.value
        more(1)
    return TableOdds(
        rules.name,
        games,
        seed,
        _figure(lengths, None if exact is None else exact.length),
        int(np.median(lengths)),
        int(lengths.max()),
        tuple(
            SeatOdds(
                place + 1,
                _figure(wins[:, place], None if exact is None else exact.wins[place]),
                _figure(gains[:, place], None),
            )
            for place in range(seats)
        ),
        exact,
        known.worths(begun.agreed, seats) if known is not None else (),
        known.likely(begun.agreed, seats) if known is not None else (),
        tuple(Happening(key, _figure(np.array(did), None)) for key, did in happened.items()),
    )


def _played(
    table: GameInPlay, luck: TableLuck, happened: dict[str, list[bool]]
) -> tuple[int, GameInPlay]:
    """Return how often chance decided in a game, and the game when it is over.

    Args:
        happened: is told what came of each action.
    """
    length, known = 0, table.rules.ability(CanBeWorkedOut)
    for after in to_the_end(table, luck):
        length += awaited(table) is not None
        decided = known.happens(table.state, after.state) if known is not None else {}
        for key, did in decided.items():
            happened.setdefault(key, []).append(did)
        table = after
    return length, table


def _figure(values: Any, exact: float | None) -> TrialFigure:
    """Return a mean with its error; beside the exact one, where that is known, how far it is
    off."""
    seen = TrialFigure.of(values)
    if exact is None or not seen.error:
        return seen
    return TrialFigure(seen.mean, seen.error, (seen.mean - exact) / seen.error)


# -- the games of a programme ----------------------------------------------------------------------


@dataclass(frozen=True)
class GameOdds:
    """The odds of one game.

    Attributes:
        name: the game's.
        method: how it is played.
        first: the calls to what it is played for; within the jackpot's calls, if it has one.
            None for the Second Method.
        race: the same if only the first to answer covers, with all the table's cards in play, each
            with a player of its own.
        second: a drawing of the Second Method.
    """

    name: str
    method: str
    first: FirstOdds | None = None
    race: RaceOdds | None = None
    second: SecondOdds | None = None


def programme_odds(programme: Programme, sold: int) -> tuple[GameOdds, ...]:
    """Return each game's odds: in the hall with this number of cards sold, at the table with those
    that its programme has dealt.

    Raises:
        Unreadable: no card is sold.
    """
    return tuple(_game_odds(game, sold) for game in programme.games)


def _game_odds(game: GamePlan, sold: int) -> GameOdds:
    if game.plans:
        within = game.jackpot.within if game.jackpot is not None else None
        return GameOdds(game.name, game.method, first=first_odds(patterns_of(game), sold, within))
    rules, cards = game.rules, game.dealt
    known = rules.ability(CanBeWorkedOut)
    expected = known.expected(game.agreed.of(rules)) if known is not None else Expected()
    patterns = {pattern.key: pattern for pattern in expected.patterns}
    if expected.terms is not None:
        return GameOdds(game.name, game.method, second=second_odds(cards))
    if not patterns:
        return GameOdds(game.name, game.method)
    if expected.race:
        return GameOdds(game.name, game.method, race=race_odds(patterns, cards // STRIP_CARDS))
    return GameOdds(game.name, game.method, first=first_odds(patterns, cards))


def patterns_of(game: GamePlan) -> Mapping[str, Pattern]:
    """Return what a hall's game is played for, by key; a pattern that comes twice stands once."""
    found: dict[str, Pattern] = {}
    for key, plan in zip(game.keys, game.plans, strict=True):
        if (pattern := plan.wanted()) not in found.values():
            found[key] = pattern
    return found
