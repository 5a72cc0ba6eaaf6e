"""Make the programme of a night of practice: one game, one person, simulated players. Pure.

It is a TEST night like any other, with a programme of its own, so all of it is recorded and no
money is taken.
"""

from __future__ import annotations

from station.base.errors import Unreadable
from station.base.tongue import tr
from station.games import PLAYS
from station.programme.programme import GamePlan, Programme
from station.programme.table import TablePlan
from station.rules.play import Need

USUAL_SEATS = 4
ALL_DEALT, CARDS_IN_A_STRIP = 24, 6  # a deal is of whole strips
LEAST_STAKE = 120  # in whole minor units, or a little more where the rules want a multiple


def practised() -> dict[str, tuple[int, int]]:
    """Return the games that may be played alone, by name, with the fewest and the most players.

    >>> practised()["spoil-five"]
    (2, 10)
    """
    return {
        name: (max(2, play.seats[0]), play.seats[1])
        for name, play in PLAYS.items()
        if play.seats is not None
    }


def practice(game: str, title: str, pack: int = ALL_DEALT) -> Programme:
    """Return the programme of a night on which somebody plays this game alone, by its usual rules.

    Args:
        title: what the game is called, in the language of the hall.
        pack: how many cards of Loto there are.

    Raises:
        Unreadable: no company plays a game of this name, or there are too few cards for it.
    """
    if game not in practised():
        told = tr(
            "{game} is not played at a table: {games} are", game=game, games=", ".join(practised())
        )
        raise Unreadable(told)
    play, cards = PLAYS[game], ALL_DEALT
    if Need.CARDS in play.needs:
        cards = min(ALL_DEALT, pack - pack % CARDS_IN_A_STRIP)
        if not cards:
            least = CARDS_IN_A_STRIP
            told = tr(
                "{game} wants {least} cards at least, not {pack}", game=game, least=least, pack=pack
            )
            raise Unreadable(told)
    parts, _ = play.parts(TablePlan().of(play))
    table = TablePlan(stake=-(-LEAST_STAKE // parts) * parts, cards=cards)
    return Programme(name=title, games=(GamePlan(name=title, method=game, table=table),))


def is_practice(programme: Programme) -> bool:
    """Return whether a programme is one of `practice`."""
    plan = programme.games[0]
    if plan.table is None:
        return False
    return programme == practice(plan.method, plan.name, plan.table.cards)
