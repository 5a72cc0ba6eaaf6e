"""The games: one module each, one contract for all (`station.rules.game`), no clock, no randomness, no files.

A plain tuple lists all games; a new one is a module and a line here, and `tests/rules/test_every_game.py` holds it to the
contract.
"""

from __future__ import annotations

from typing import Any

from station.base.errors import Unreadable
from station.rules.game import Ending, Game, Outcome
from station.rules.loto_first.game import GAME as LOTO_FIRST
from station.rules.loto_parlour.game import GAME as LOTO_PARLOUR
from station.rules.loto_second.game import GAME as LOTO_SECOND

__all__ = ["GAMES", "Ending", "Game", "Outcome", "find_game"]

GAMES: tuple[Game[Any, Any, Any], ...] = (LOTO_FIRST, LOTO_SECOND, LOTO_PARLOUR)


def find_game(name: str) -> Game[Any, Any, Any]:
    """The game of that name.

    Raises:
        Unreadable: there is no such game; names those there are.

    >>> find_game("loto-first").title
    'Loto, First Method'
    """
    for game in GAMES:
        if game.name == name:
            return game
    raise Unreadable(f"no game is called {name!r}: there are {', '.join(game.name for game in GAMES)}")
