"""Play Loto, First Method, as a game that cards are sold for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from station.games.loto_first import actions
from station.games.loto_first.claims import judge, settled, wants
from station.games.loto_first.game import GAME, LotoFirst
from station.rules.play import Play
from station.rules.prizes import Prizes

ACTIONS: Mapping[str, Callable[[Mapping[str, Any]], actions.Action]] = {
    "draw": lambda act: actions.Draw(act["number"]),
    "stop": lambda _: actions.Stop(),
    "claim": lambda act: actions.Check(act["serial"]),
    "claim-ticket": lambda act: actions.CheckTicket(
        act["numbers"], act["name"] or "", act["stage"] or ""
    ),
    "play-on": lambda _: actions.Award(),
    "lots": lambda act: actions.DecideLots(act["stage"], act["knobs"]),
    "undo": lambda _: actions.TakeBack(),
    "close": lambda _: actions.Close(),
    "break": lambda _: actions.Close(),
}


def play_of(game: LotoFirst, words: Mapping[str, str] = MappingProxyType({})) -> Play:
    """Return the play of a game by these rules.

    Args:
        words: as in `Prizes`.
    """
    prizes = Prizes(ACTIONS, game.stakes, judge, wants, settled, game.own_stages, words)
    return Play(game, sold=prizes)


PLAY = play_of(GAME)
