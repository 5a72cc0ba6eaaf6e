"""Questions that change nothing: what the wire answers to `ask`. Pure."""

from __future__ import annotations

from typing import Any

from station.access import Person, Reason, Role
from station.errors import NotAllowed, Unreadable
from station.hall import Hall
from station.rules import loto_first
from station.rules.loto_first import ROWS_WANTED

MAY_ASK = frozenset({Role.CALLER, Role.CHECKER, Role.CASHIER, Role.AUDITOR, Role.ADMIN})


def answer_question(hall: Hall, ask: Any, person: Person) -> dict[str, Any]:
    """The answer to one question.

    Raises:
        NotAllowed: this person only watches.
        Unreadable: no such question.
    """
    if person.role not in MAY_ASK:
        raise NotAllowed(Reason.NOT_YOURS, f"you are here as {person.role.value}: watch the board")
    about = ask.get("about") if isinstance(ask, dict) else None
    match about:
        case "card":
            return _card(hall, str(ask.get("serial")))
        case "register":
            game = hall.opened if hall.playing is not None else hall.coming
            holders = hall.holders(game)
            cards = [
                {"serial": s, "holder": h, "rows": [list(row) for row in hall.pack.card(s).rows]} for s, h in holders.items()
            ]
            return {"game": game, "cards": cards}
        case "range":
            return {"serials": list(hall.pack.between(str(ask.get("first")), str(ask.get("last"))))}
        case "night":
            return {"night": hall.night, "opened": hall.opened, "games": len(hall.programme.games), "pack": hall.pack.digest}
        case "sales":
            return {"ledger": dict(hall.ledger.balances), "sold": len(hall.sales)}
    raise Unreadable(f"there is no question about {about!r}: ask about card, register, range, night or sales")


def _card(hall: Hall, serial: str) -> dict[str, Any]:
    """A card, what it has, and what the check would say: without stopping the game."""
    if serial not in hall.pack:
        raise Unreadable(f"card {serial} is not in the pack: look at the serial again")
    card = hall.pack.card(serial)
    holder = next((sale.holder for sale in reversed(hall.sales.get(serial, ()))), None)
    answer: dict[str, Any] = {"serial": serial, "holder": holder, "rows": [list(row) for row in card.rows]}
    game = hall.game
    if game is None:
        return {**answer, "verdict": None, "say": "no game has been opened yet"}
    marked = sorted(card.numbers.intersection(game.called))
    wanting = loto_first.missing(card, game.called, ROWS_WANTED[game.stage]) if game.stage is not None else ()
    verdict = loto_first.check(game, serial) if game.called else loto_first.Verdict.NOT_COMPLETE
    return {
        **answer,
        "verdict": verdict,
        "marked": marked,
        "missing": list(wanting),
        "stage": game.stage,
        "last": list(game.called[-1:]),
    }
