"""Let somebody at a terminal choose one of the moves that a game offers him, by its number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from station.base.terminal import ask, out
from station.base.tongue import key, tr
from station.commands.movewords import Chosen, Move, MoveReading, Told, asked_for, example_of

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
