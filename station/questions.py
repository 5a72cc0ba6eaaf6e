"""Questions that change nothing: what the wire answers to `ask`. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from station.access import ASK, Person
from station.errors import Unreadable
from station.hall import Hall
from station.rules import loto_first
from station.rules.loto_first import ROWS_WANTED


def answer_question(
    hall: Hall, ask: Any, person: Person, of_the_desk: Mapping[str, dict[str, Any]] = MappingProxyType({})
) -> dict[str, Any]:
    """The answer to one question.

    Args:
        of_the_desk: what the desk answers, by what is asked about: the census, the self-test.

    Raises:
        NotAllowed: this person only watches.
        Unreadable: no such question.
    """
    person.require(ASK)
    about = ask.get("about") if isinstance(ask, dict) else None
    match about:
        case "card":
            return _card(hall, str(ask.get("serial")))
        case "register":
            game = hall.opened if hall.playing is not None else hall.coming
            cards = [
                {"serial": serial, "holder": holder, "rows": _rows(hall, serial)} for serial, holder in hall.holders(game).items()
            ]
            return {"game": game, "cards": cards}
        case "range":
            return {"serials": list(hall.pack.between(str(ask.get("first")), str(ask.get("last"))))}
        case "night":
            return {"night": hall.night, "opened": hall.opened, "games": len(hall.programme.games), "pack": hall.pack.digest}
        case "sales":
            return {"ledger": dict(hall.ledger.balances), "sold": len(hall.sales)}
        case "census" | "self-test" if about in of_the_desk:
            return of_the_desk[about]
    raise Unreadable(f"there is no question about {about!r}: ask about card, register, range, night, sales, census or self-test")


def _rows(hall: Hall, serial: str) -> list[list[int]]:
    return [list(row) for row in hall.pack.card(serial).rows]


def _card(hall: Hall, serial: str) -> dict[str, Any]:
    """A card, whose it is, what it has, and what the check would say: without stopping the game."""
    if serial not in hall.pack:
        raise Unreadable(f"card {serial} is not in the pack: look at the serial again")
    game = hall.playing
    sale = hall.sale(serial, hall.opened if game is not None else hall.coming)
    holder = sale.holder if sale is not None else None
    answer: dict[str, Any] = {"serial": serial, "holder": holder, "rows": _rows(hall, serial), "verdict": None}
    if game is None:
        sold = "sold" if sale is not None else "not sold"
        return {**answer, "say": f"no game is open; for the next one this card is {sold}"}
    numbers = hall.pack.card(serial).numbers
    answer |= {"marked": sorted(numbers.intersection(game.called)), "stage": game.stage, "last": list(game.called[-1:])}
    if game.stage is None:
        return {**answer, "missing": [], "say": "all prizes of this game are won"}
    wanting = loto_first.missing(hall.pack.card(serial), game.called, ROWS_WANTED[game.stage])
    return {**answer, "missing": list(wanting), "verdict": loto_first.check(game, serial)}
