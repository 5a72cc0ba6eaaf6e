"""Define `loto play`: a game at the table in this terminal, against simulated players.

A person chooses one of the moves that the game offers him, by its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random, SystemRandom
from typing import Annotated, Any

from station.base.errors import IllegalAction, Unreadable
from station.base.terminal import ask, out
from station.base.tongue import key, tr
from station.commands.options import Commands, argument, option
from station.commands.tablemoves import Chosen, Move, MoveReading, Told, asked_for, example_of
from station.commands.tools import language
from station.core.simulation.players import NAMES
from station.games import GAMES
from station.night.acts import MakeMove
from station.night.fields import MOST_SEATS
from station.night.table.game import GameInPlay, done_by
from station.night.table.luck import awaited
from station.night.table.practice import TableLuck, after, alone, company, decided
from station.rules.play import Played
from station.screens.watch import draw_table
from station.views.table.lesson import happened
from station.views.table.seat import moves_told
from station.views.table.view import Telling, table_view, telling_of
from station.wire.board_view import TableView
from station.wire.wording import Wording, load_wording, shipped_for

ENDS = key("q ends the game, ? shows help")


def choose(moves: Sequence[Move], told: Told, *, goes_on: bool) -> Chosen | None:
    """Return the move that is typed, with all that it needs; an empty one where Enter goes on;
    None where the game is ended.

    Args:
        told: the company, as the answer about a table has it.
        goes_on: whether Enter alone does what comes by itself, and no move is due.
    """
    lines = [*_lines(moves, told)]
    out.print("\n".join(lines), end="\n" if lines else "")
    usual = next((str(n) for n, one in enumerate(moves, 1) if not one["slots"]), "")
    enters = goes_on or not moves
    question = tr("Which move? {ends}", ends=tr(ENDS))
    if enters:
        question = tr("Enter goes on; {ends}", ends=tr(ENDS))
    while (typed := ask(question, "" if enters else usual).split()) != ["q"]:
        if not typed and goes_on:
            return {}
        number = int(typed[0]) if typed and typed[0].isdecimal() else 0
        if typed == ["?"]:
            out.print("\n".join([*lines, *_help(moves, enters=enters, usual=usual)]))
        elif not 1 <= number <= len(moves):
            out.print(_unknown(typed, len(moves)))
        elif (move := _read(typed, moves[number - 1], told)) is not None:
            return move
    return None


def _lines(moves: Sequence[Move], told: Told) -> Iterator[str]:
    """Yield the moves by their numbers, and a whole answer for one that wants more."""
    for number, one in enumerate(moves, 1):
        yield f"{number:3}  {one['label']} {' '.join(map(asked_for, one['slots']))}".rstrip()
    for number, one in enumerate(moves, 1):
        if one["slots"]:
            yield "     " + tr("for example: {words}", words=f"{number} {example_of(told, one)}")
            return


def _help(moves: Sequence[Move], *, enters: bool, usual: str) -> Iterator[str]:
    if moves:
        yield tr("Type the number of a move, and after it what stands there in capitals.")
    if any(slot["kind"] == "hand" for one in moves for slot in one["slots"]):
        yield tr("A card is its rank and the letter of its suit: 10S, KH, AD, 2C.")
    if enters:
        yield tr("Enter alone goes on with the game.")
    elif usual:
        yield tr("Enter alone means {number}.", number=usual)
    yield tr("q ends the game; nothing of it is kept.")


def _unknown(typed: Sequence[str], many: int) -> str:
    if not many:
        return tr("no move is yours now: press Enter, or type q to end the game")
    if not typed:
        return tr("type the number of a move, from 1 to {many}; ? shows help", many=many)
    return tr(
        "there is no move {word!r}: type a number from 1 to {many}; ? shows help",
        word=typed[0],
        many=many,
    )


def _read(typed: Sequence[str], move: Move, told: Told) -> Chosen | None:
    """Return the move with what was typed for it; None, and say why, if that is not meant."""
    reading = MoveReading(told, move, {}, settled=False)
    for way in reading.ways(typed[1:]):
        return {"do": move["do"], **move["fields"], **way}
    if not move["slots"]:
        out.print(tr("too much: type {number} alone", number=typed[0]))
        return None
    wanted, words = ", ".join(sorted(reading.wanted)), f"{typed[0]} {example_of(told, move)}"
    out.print(tr("wanted: {what}", what=wanted or tr("nothing more")))
    out.print(tr("for example: {words}", words=words))
    return None


# -- the command -----------------------------------------------------------------------------------

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
    moves = table.rules.actions(table.state, YOU)
    listed = [one for one in moves_told(table, moves, told) if one["may"]]
    answer = {"seats": [{"seat": n, "name": one.name} for n, one in enumerate(table.seats, 1)]}
    move = choose(listed, answer, goes_on=goes_on is not None)
    return MakeMove(move=move) if move else goes_on if move is not None else None
