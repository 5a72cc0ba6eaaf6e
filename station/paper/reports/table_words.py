"""Write what a company at the table did as a sentence. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from station.games import PLAYS
from station.rules.seen import SeatName

Line = Mapping[str, Any]


def table_sentence(do: Line, then: Line, names: Sequence[str] = (), method: str = "") -> str | None:
    """Return what one line tells of the table; None if it tells nothing of it.

    >>> move = {"do": "throw-up", "seat": 2, "serial": "0007"}
    >>> table_sentence({"act": "move", "move": move}, {}, ("Anna", "Bruno"))
    'Bruno throws up card 0007'

    Args:
        do: what was done.
        then: what it led to.
        names: who sits where, from seat 1.
        method: the game's method; by default the first that has such a move.
    """
    match do:
        case {"act": "sit", "players": players}:
            sit = "sits" if len(players) == 1 else "sit"
            return f"{', '.join(map(_player, players))} {sit} down"
        case {"act": "join"}:
            return f"{_player(do)} joins the company"
        case {"act": "open"} if "seats" in then.get("opening", {}):
            return _dealt(then["opening"])
        case {"act": "shake", "counted": counted}:
            return f"{counted} knobs counted, the bag shaken"
        case {"act": "undo"} if method in PLAYS and PLAYS[method].draw is None:
            why = f" ({do['why']})" if do.get("why") else ""
            return f"what was done last is taken back{why}"
        case {"act": "move", "move": {"do": str()} as move}:
            said = _move(move, then, names, method)
            if unpaid := then.get("ended", {}).get("unpaid", 0):
                said += f"; Bankruptcy: {_counted(unpaid, 'counter')}, never paid"
            return said
    return None


def _player(player: Line) -> str:
    cards = f" with {_counted(player['takes'], 'card')}" if player.get("takes") is not None else ""
    return f"{player['name']}{cards}{' (simulated)' if player.get('simulated') else ''}"


def _dealt(opening: Line) -> str:
    seats = (f"{name} {', '.join(cards) or 'no card'}" for name, _, cards in opening["seats"])
    return f"dealt: {'; '.join(seats)}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _name(seat: object, names: Sequence[str]) -> str:
    return names[seat - 1] if isinstance(seat, int) and 1 <= seat <= len(names) else f"seat {seat}"


def _move(move: Line, then: Line, names: Sequence[str], method: str) -> str:
    having = (play for play in PLAYS.values() if move["do"] in play.moves)
    play = PLAYS.get(method) or next(having, None)
    if play is None:
        return str(move["do"])
    parts = play.report(move, then)
    told = (_name(part.seat, names) if isinstance(part, SeatName) else part for part in parts)
    return "".join(told)


def covered_alone(do: Line, then: Line, names: Sequence[str]) -> str | None:
    """Return who covered the last knob, if nobody else answered on that line; None if not so."""
    match do, then:
        case {"act": "move", "move": {"do": "answer"}}, {"answers": [[seat, _, "covers"]]}:
            return _name(seat, names)
    return None
