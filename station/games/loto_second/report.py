"""Tell a line of the record of Loto, Second Method, as a line of a report. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from station.rules.patterns import ROW_NAMES
from station.rules.play import Line
from station.rules.seen import SeatName
from station.rules.terms import BOOK

NOTHING = "nothing on any row"
_SHORT: Mapping[str, Line] = {
    "agree": ("the exchange is agreed to",),
    "decline": ("the exchange is declined",),
    "finish": ("nobody adds to the pool: the game is finished",),
}


def report(move: Mapping[str, Any], then: Mapping[str, Any]) -> Line:
    """Return what a move did, and what followed, as a line of a report."""
    do = move["do"]
    if do in _SHORT:
        return _SHORT[do]
    match do:
        case "exchange":
            return _exchange(move)
        case "throw-up":
            return (SeatName(move["seat"]), f" throws up card {move['serial']}")
        case "take":
            return (SeatName(move["seat"]), " takes one card more")
        case "put-away":
            return (f"knob {move['number']} is put away",)
        case "replenish":
            more = then.get("settled")
            now = f"; {more['paid']} of {more['won']} won are paid now" if more else ""
            return (f"everybody adds {BOOK.in_pool} counters a card to the pool{now}",)
        case "resolve":
            return (f"{_counted(move['drawings'], 'drawing')} more agreed on",)
        case "settle":
            return (f"the drawing is settled: {settled_words(then.get('settled', {}))}",)
    return (str(do),)


def _exchange(move: Mapping[str, Any]) -> Line:
    who = SeatName(move["seat"])
    if not move["other"]:
        return (who, f" exchanges card {move['serial']} for {move['wanted']}, which nobody has")
    said = f" offers card {move['serial']} for {move['wanted']}, of "
    return (who, said, SeatName(move["other"]))


def settled_words(settled: Mapping[str, Any]) -> str:
    """Return the totals of a settled drawing, in words.

    >>> settled_words({"classes": [50, 19, 1, 1, 1, 0], "laid": 28, "won": 130, "paid": 130})
    '19 abstracts, 1 ambo, 1 terne, 1 quaterne; 28 counters laid, 130 won'
    """
    classes = zip(ROW_NAMES[1:], settled.get("classes", ())[1:], strict=False)
    rows = ", ".join(_counted(count, name) for name, count in classes if count) or NOTHING
    won, paid = settled.get("won", 0), settled.get("paid", 0)
    short = f", {paid} of them paid" if paid < won else ""
    return f"{rows}; {_counted(settled.get('laid', 0), 'counter')} laid, {won} won{short}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
