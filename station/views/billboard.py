"""Write what the ten-cavity board says in letters when it shows no numbers: between games, and
while a claim is checked. Pure."""

from __future__ import annotations

from station.night.hall import Hall
from station.night.table.game import GameInPlay
from station.rules.patterns import JACKPOT
from station.rules.prizes import PrizeState
from station.rules.seen import ALL, PlayingCard, Watching
from station.views.money_text import Currency
from station.views.table.view import turn
from station.views.views import own_word, stage_name
from station.wire.wording import Wording

PART = " · "


def words(hall: Hall, wording: Wording, hall_name: str, currency: Currency) -> str:
    """Return the board's text, in the hall's language; empty where the cavities are lit.

    Between games: the hall, the next game and what its pot already holds. A claim: that there is
    one, then the result of the last check. When everything is won: what was won last. At the table:
    whose turn it is, until its bag was counted, and the cards that lie open in the middle.
    """
    playing, game = hall.open_game, hall.sold
    if hall.closed:
        return wording.screen["closed"]
    if playing is None:
        return PART.join(part for part in (hall_name, _next_game(hall, wording, currency)) if part)
    if game is None:  # the cavities are the company's board, once its bag was counted
        if hall.out_of_bag or hall.takes_knobs:
            return ""
        return PART.join((turn(playing, wording), *_cards(playing, wording)))
    if game.stage is None and game.wins:
        return _won(hall, game, game.wins[-1].stage, wording)
    return _claim(hall, game, wording) if game.stopped else ""


def _cards(table: GameInPlay, wording: Wording) -> tuple[str, ...]:
    """Return the names of the cards that lie open in the middle: no font of the board has the signs
    of the suits."""
    seen = table.rules.view(table.state, Watching.EVERYBODY, None)
    things = (thing for zone in seen.of(ALL) for thing in zone.things)
    return tuple(
        wording.card(one.face) for one in things if isinstance(one, PlayingCard) and one.face
    )


def _next_game(hall: Hall, wording: Wording, currency: Currency) -> str:
    games = hall.programme.games
    if hall.coming > len(games):
        return wording.phrases["no-more-games"]
    said = f"{wording.screen['next-game']}: {games[hall.coming - 1].name}"
    return f"{said}{PART}{wording.screen['prize']}: {currency.text(hall.pot)}" if hall.pot else said


def _won(hall: Hall, game: PrizeState, stage: str, wording: Wording) -> str:
    """Return the words that a prize is won; a prize of a kin is called by its name."""
    if hall.plan is not None and hall.plan.kin is not None and stage != JACKPOT:
        return wording.screen["say-won"].format(stage=stage_name(hall.plan, stage, wording))
    return wording.phrases[game.won(stage)]


def _claim(hall: Hall, game: PrizeState, wording: Wording) -> str:
    if not game.claims or game.stage is None:
        return (own_word(hall.prizes, "claim", wording) or wording.screen["claim"]).upper()
    claim = game.claims[-1]
    # A claim that wins nothing may be for any prize that can be won: the prize is named only where
    # there is just one.
    stages = claim.stages or ((game.stage.key,) if len(game.open) == 1 else ())
    verdict = wording.screen[claim.verdict]
    names = ", ".join(stage_name(hall.plan, key, wording) for key in stages)
    return f"{names}: {verdict}" if stages else verdict
