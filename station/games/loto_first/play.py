"""Play Loto, First Method, as a game that cards are sold for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from station.games.loto_first.actions import (
    Action,
    Award,
    Check,
    CheckTicket,
    Close,
    DecideLots,
    Draw,
    Stop,
    TakeBack,
)
from station.games.loto_first.claims import judge, settled, wants
from station.games.loto_first.game import GAME, LotoFirst
from station.rules.play import Play
from station.rules.prizes import Prizes

ACTIONS: Mapping[str, Callable[[Mapping[str, Any]], Action]] = {
    "draw": lambda act: Draw(act["number"]),
    "stop": lambda _: Stop(),
    "claim": lambda act: Check(act["serial"]),
    "claim-ticket": lambda act: CheckTicket(act["numbers"], act["name"] or "", act["stage"] or ""),
    "play-on": lambda _: Award(),
    "lots": lambda act: DecideLots(act["stage"], act["knobs"]),
    "undo": lambda _: TakeBack(),
    "close": lambda _: Close(),
    "break": lambda _: Close(),
}


def play_of(game: LotoFirst, words: Mapping[str, str] = MappingProxyType({})) -> Play:
    """Return the play of a game by these rules.

    Args:
        words: as in `Prizes`.
    """
    prizes = Prizes(ACTIONS, game.stakes, judge, wants, settled, game.own_stages, words)
    return Play(game, sold=prizes)


PLAY = play_of(GAME)
