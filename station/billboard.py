"""What the ten-cavity board says in letters when no numbers stand on it: between games, and while a claim is looked at. Pure."""

from __future__ import annotations

from station.hall import Hall
from station.rules import loto_first
from station.views import WON, Currency
from station.wording import Wording

PART = " · "


def words(hall: Hall, wording: Wording, hall_name: str, currency: Currency) -> str:
    """The text for the board, in the hall's language; nothing while numbers are called: then the cavities are lit.

    Between games: the hall, the next game and what is in its pot already. A claim: that there is one, then what the last check
    came to. When everything is won: what was won last.
    """
    game = hall.playing
    if hall.closed:
        return wording.screen["closed"]
    if game is None:
        return PART.join(part for part in (hall_name, _next_game(hall, wording, currency)) if part)
    if game.stage is None and game.wins:
        return wording.phrases[WON[game.wins[-1].stage]]
    return _claim(game, wording) if game.stopped else ""


def _next_game(hall: Hall, wording: Wording, currency: Currency) -> str:
    games = hall.programme.games
    if hall.coming > len(games):
        return wording.phrases["no-more-games"]
    said = f"{wording.screen['next-game']}: {games[hall.coming - 1].name}"
    return f"{said}{PART}{wording.screen['prize']}: {currency.text(hall.pot)}" if hall.pot else said


def _claim(game: loto_first.State, wording: Wording) -> str:
    if not game.claims or game.stage is None:
        return wording.screen["claim"].upper()
    return f"{wording.screen[game.stage]}: {wording.screen[game.claims[-1].verdict]}"
