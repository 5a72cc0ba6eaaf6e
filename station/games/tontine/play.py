"""Play Tontine by a company at a table. Pure."""

from __future__ import annotations

from station.games.tontine.game import GAME, MOVES, broken
from station.rules import play

PLAY = play.Play(game=GAME, seats=(2, 24), moves=MOVES, broken=broken)
