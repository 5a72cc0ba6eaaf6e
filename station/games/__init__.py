"""Play the games, one folder each: no clock, no randomness, no files. What they share, and the
contract that all keep, is in `station.rules`.

All are played through one door (`station.rules.play`): a new game is a folder and a line in
`PLAYS`. The tests of every game check that it keeps the contract
(`tests/games/test_every_game.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from station.base.errors import Unreadable
from station.games.keno.play import PLAY as KENO
from station.games.loto_first.play import PLAY as LOTO_FIRST
from station.games.loto_parlour.play import PLAY as LOTO_PARLOUR
from station.games.loto_second.play import PLAY as LOTO_SECOND
from station.rules.game import Game
from station.rules.play import Play

# By the name of its rules.
PLAYS: Mapping[str, Play] = {
    play.game.name: play for play in (LOTO_FIRST, LOTO_SECOND, LOTO_PARLOUR, KENO)
}
GAMES: tuple[Game[Any, Any, Any], ...] = tuple(play.game for play in PLAYS.values())
# What is played where a programme names no game: the first one that cards are sold for.
USUAL = next(name for name, play in PLAYS.items() if play.seats is None)


def find_game(name: str) -> Game[Any, Any, Any]:
    """Return the game of that name.

    >>> find_game("loto-first").title
    'Loto, First Method'

    Raises:
        Unreadable: there is no such game; the message names those there are.
    """
    for game in GAMES:
        if game.name == name:
            return game
    why = f"no game is called {name!r}: there are {', '.join(game.name for game in GAMES)}"
    raise Unreadable(why)
