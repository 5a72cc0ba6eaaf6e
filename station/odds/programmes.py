"""Work out the odds of each game of a programme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from station.odds.answers_first import FirstOdds, RaceOdds, first_odds, race_odds
from station.odds.answers_second import SecondOdds, second_odds
from station.odds.second import STRIP_CARDS
from station.programme.programme import GamePlan, Programme
from station.rules.abilities import CanBeWorkedOut
from station.rules.patterns import Pattern
from station.rules.play import Expected


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
