"""Write what a company at the table did as a sentence. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from station.base.tongue import number_of, tr
from station.games import GAMES
from station.rules.abilities import DrawsKnobs

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
            names = ", ".join(map(_player, players))
            if len(players) == 1:
                return tr("{name} sits down", name=names)
            return tr("{names} sit down", names=names)
        case {"act": "join"}:
            return tr("{name} joins the company", name=_player(do))
        case {"act": "open"} if "seats" in then.get("opening", {}):
            return _dealt(then["opening"])
        case {"act": "shake", "counted": counted}:
            return tr("{count} knobs counted, the bag shaken", count=counted)
        case {"act": "undo"} if method in GAMES and not GAMES[method].ability(DrawsKnobs):
            why = f" ({do['why']})" if do.get("why") else ""
            return tr("what was done last is taken back") + why
        case {"act": "move", "move": {"do": str()} as move}:
            said = _move(move, then, names, method)
            if unpaid := then.get("ended", {}).get("unpaid", 0):
                counters = number_of(unpaid, "counter")
                said += f"; {tr('Bankruptcy: {counters}, never paid', counters=counters)}"
            return said
    return None


def _player(player: Line) -> str:
    name = str(player["name"])
    if player.get("takes") is not None:
        cards = number_of(player["takes"], "card")
        name = tr("{name} with {cards}", name=name, cards=cards)
    return tr("{name} (simulated)", name=name) if player.get("simulated") else name


def _dealt(opening: Line) -> str:
    none = tr("no card")
    seats = (f"{name} {', '.join(cards) or none}" for name, _, cards in opening["seats"])
    return tr("dealt: {seats}", seats="; ".join(seats))


def _name(seat: object, names: Sequence[str]) -> str:
    if isinstance(seat, int) and 1 <= seat <= len(names):
        return names[seat - 1]
    return tr("seat {number}", number=seat)


def _move(move: Line, then: Line, names: Sequence[str], method: str) -> str:
    having = (rules for rules in GAMES.values() if move["do"] in rules.moves)
    rules = GAMES.get(method) or next(having, None)
    if rules is None:
        return str(move["do"])
    return rules.report(move, then, lambda seat: _name(seat, names))


def covered_alone(do: Line, then: Line, names: Sequence[str]) -> str | None:
    """Return who covered the last knob, if nobody else answered on that line; None if not so."""
    match do, then:
        case {"act": "move", "move": {"do": "answer"}}, {"answers": [[seat, _, "covers"]]}:
            return _name(seat, names)
    return None
