"""Define `loto play`: a game at the table in this terminal, against simulated players."""

from __future__ import annotations

from random import Random, SystemRandom
from typing import Annotated, Any

from station.base.errors import IllegalAction, Unreadable
from station.base.terminal import out
from station.base.tongue import tr
from station.commands.choosing import choose
from station.commands.options import Commands, argument, option
from station.commands.tools import language
from station.core.simulation.host import NAMES
from station.games import GAMES
from station.night.acts import MakeMove
from station.night.fields import MOST_SEATS
from station.night.table.alone import TableLuck, after, alone, company, decided
from station.night.table.game import GameInPlay, done_by
from station.night.table.luck import awaited
from station.rules.play import Played
from station.screens.watch import draw_table
from station.views.table.lesson import happened
from station.views.table.seat import moves_told
from station.views.table.telling import Telling
from station.views.table.view import table_view, telling_of
from station.wire.board_view import TableView
from station.wire.wording import Wording, load_wording, shipped_for

commands = Commands()
YOU = 1  # the seat of the person at the keyboard


@commands.command()
def play(
    game: Annotated[str, argument("Which game, by its name in a programme.")],
    seats: Annotated[int, option("How many players, with you.", min=2, max=MOST_SEATS)] = 4,
    seed: Annotated[
        str | None, option("Where cards and luck come from: the same seed, the same game.")
    ] = None,
    watch: Annotated[
        bool, option("Only look on: all players are simulated, and nothing is asked.", "--watch")
    ] = False,
) -> None:
    """Play a game at the table alone, against simulated players, in this terminal. No station is
    needed, and nothing is recorded.

    Example: loto play tontine --seats 6
    Example: loto play tontine --seats 6 --seed 7 --watch
    """
    known = [name for name, one in GAMES.items() if alone(one)]
    if game not in known:
        raise Unreadable(tr("{game}: one of {games}", game=game, games=", ".join(known)))
    wording = load_wording(shipped_for(language()))
    source = SystemRandom() if seed is None else Random(seed)  # noqa: S311 - to play it again
    luck = TableLuck(source)
    names = [*NAMES, *map(str, range(len(NAMES) + 1, MOST_SEATS + 1))]
    table = company(GAMES[game], names[:seats])
    if not watch:
        out.print(tr("You are {name}.", name=NAMES[YOU - 1]))
    shown = _show(table, None, wording)
    while not table.over:
        act = decided(table, luck, () if watch else (YOU,))
        if not watch and (act is None or awaited(table) is not None):
            act = _chosen(table, wording, act)
        if act is None:
            return
        before = table
        try:
            table = after(table, act)
        except (IllegalAction, Unreadable) as error:
            out.print(str(error))
            continue
        shown = _show(table, done_by(act, before, table), wording, shown)


def _show(
    table: GameInPlay,
    done: Played[Any, Any] | None,
    wording: Wording,
    before: TableView | None = None,
) -> TableView:
    """Print what is said, and the table; nothing where nothing is said and it looks as before."""
    view = table_view(table, Telling(wording, str), YOU)
    told = "\n".join(happened(table, done, wording))
    if told or before is None or (view.text, view.zones) != (before.text, before.zones):
        out.print(f"\n{told}")
        for line in draw_table(view, wording):
            out.print(line)
    return view


def _chosen(table: GameInPlay, wording: Wording, goes_on: MakeMove | None) -> MakeMove | None:
    """Ask the person for a move; return None to end the game.

    Args:
        goes_on: what is done where the person presses Enter alone; None where a move is due.
    """
    told = telling_of(table, Telling(wording, str))
    seen = table.rules.view(table.state, YOU, None)
    listed = [one for one in moves_told(table, YOU, seen, told) if one["may"]]
    answer = {"seats": [{"seat": n, "name": one.name} for n, one in enumerate(table.seats, 1)]}
    move = choose(listed, answer, goes_on=goes_on is not None)
    return MakeMove(move=move) if move else goes_on if move is not None else None
