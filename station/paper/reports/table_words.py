"""What a company at the table did, as a sentence: for the journal that is read aloud, and for
reports. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from station.rules.loto_second.state import BOOK
from station.rules.patterns import ROW_NAMES

Line = Mapping[str, Any]


def table_sentence(do: Line, then: Line, names: Sequence[str] = ()) -> str | None:
    """What one line tells of the table; None where it tells nothing of it.

    >>> move = {"do": "throw-up", "seat": 2, "serial": "0007"}
    >>> table_sentence({"act": "move", "move": move}, {}, ("Anna", "Bruno"))
    'Bruno throws up card 0007'

    Args:
        do: what was done.
        then: what it led to.
        names: who sits where, from seat 1.
    """
    match do:
        case {"act": "sit", "players": players}:
            return (
                f"{', '.join(map(_player, players))} {'sits' if len(players) == 1 else 'sit'} down"
            )
        case {"act": "join"}:
            return f"{_player(do)} joins the company"
        case {"act": "open"} if "seats" in then.get("opening", {}):
            return _dealt(then["opening"])
        case {"act": "shake", "counted": counted}:
            return f"{counted} knobs counted, the bag shaken"
        case {"act": "move", "move": {"do": str(kind)} as move}:
            said = _move(kind, move, then, names)
            unpaid = then.get("ended", {}).get("unpaid", 0)
            return (
                f"{said}; Bankruptcy: {_counted(unpaid, 'counter')}, never paid" if unpaid else said
            )
    return None


def _player(player: Line) -> str:
    cards = f" with {_counted(player['takes'], 'card')}" if player.get("takes") is not None else ""
    return f"{player['name']}{cards}{' (simulated)' if player.get('simulated') else ''}"


def _dealt(opening: Line) -> str:
    return "dealt: " + "; ".join(
        f"{name} {', '.join(cards) or 'no card'}" for name, _, cards in opening["seats"]
    )


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _name(seat: object, names: Sequence[str]) -> str:
    return names[seat - 1] if isinstance(seat, int) and 1 <= seat <= len(names) else f"seat {seat}"


def _move(kind: str, move: Line, then: Line, names: Sequence[str]) -> str:
    who = _name(move.get("seat"), names)
    match kind:
        case "exchange":
            free = not move["other"]
            whose = "which nobody has" if free else f"of {_name(move['other'], names)}"
            return (
                f"{who} {'exchanges' if free else 'offers'} card {move['serial']} for"
                f" {move['wanted']}, {whose}"
            )
        case "agree":
            return "the exchange is agreed to"
        case "decline":
            return "the exchange is declined"
        case "throw-up":
            return f"{who} throws up card {move['serial']}"
        case "take":
            return f"{who} takes one card more"
        case "put-away":
            return f"knob {move['number']} is put away"
        case "replenish":
            more = then.get("settled")
            now = f"; {more['paid']} of {more['won']} won are paid now" if more else ""
            return f"everybody adds {BOOK.in_pool} counters a card to the pool{now}"
        case "resolve":
            return f"{_counted(move['drawings'], 'drawing')} more agreed on"
        case "finish":
            return "nobody adds to the pool: the game is finished"
        case "settle":
            return f"the drawing is settled: {settled_words(then.get('settled', {}))}"
        case "answer":
            return _answers(move, then, names)
        case "share":
            return "the bag is empty: what is not won is shared out"
    return kind


def covered_alone(do: Line, then: Line, names: Sequence[str]) -> str | None:
    """Who covered the last knob by answering, where nobody else answered on that line; None where
    it tells anything else."""
    match do, then:
        case {"act": "move", "move": {"do": "answer"}}, {"answers": [[seat, _, "covers"]]}:
            return _name(seat, names)
    return None


def settled_words(settled: Line) -> str:
    """What a drawing came to, as a total.

    >>> settled_words({"classes": [50, 19, 1, 1, 1, 0], "laid": 28, "won": 130, "paid": 130})
    '19 abstracts, 1 ambo, 1 terne, 1 quaterne; 28 counters laid, 130 won'
    """
    classes = zip(ROW_NAMES[1:], settled.get("classes", ())[1:], strict=False)
    rows = (
        ", ".join(_counted(count, name) for name, count in classes if count) or "nothing on any row"
    )
    won, paid = settled.get("won", 0), settled.get("paid", 0)
    short = f", {paid} of them paid" if paid < won else ""
    return f"{rows}; {_counted(settled.get('laid', 0), 'counter')} laid, {won} won{short}"


def _answers(move: Line, then: Line, names: Sequence[str]) -> str:
    seats, micros = move["seats"], move.get("micros") or ()
    verdicts = {seat: str(verdict) for seat, _, verdict in then.get("answers", ())}
    said = []
    for place, seat in enumerate(seats):
        after = f" {micros[place]} µs later" if place and place < len(micros) else ""
        said.append(f"{_name(seat, names)} answers{after}: {verdicts.get(seat, 'heard')}")
    return ", ".join(said)
