"""Tell a line of the record of Loto, Second Method, as a line of a report. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from station.base.tongue import key, number_of, tr
from station.rules.play import NameOf
from station.rules.terms import BOOK

NOTHING = key("nothing on any row")
# Rows by what lies on them, from one counter on: one such row, and any other number of them.
ROWS = (
    (key("1 abstract"), key("{count} abstracts")),
    (key("1 ambo"), key("{count} ambos")),
    (key("1 terne"), key("{count} ternes")),
    (key("1 quaterne"), key("{count} quaternes")),
    (key("1 quinterne"), key("{count} quinternes")),
)
_SHORT = {
    "agree": key("the exchange is agreed to"),
    "decline": key("the exchange is declined"),
    "finish": key("nobody adds to the pool: the game is finished"),
}


def report(move: Mapping[str, Any], then: Mapping[str, Any], name: NameOf) -> str:
    """Return what a move did, and what followed, as a line of a report."""
    match move["do"]:
        case "exchange":
            return _exchange(move, name)
        case "throw-up":
            who, serial = name(move["seat"]), move["serial"]
            return tr("{name} throws up card {serial}", name=who, serial=serial)
        case "take":
            return tr("{name} takes one card more", name=name(move["seat"]))
        case "put-away":
            return tr("knob {number} is put away", number=move["number"])
        case "replenish":
            more = then.get("settled")
            return _replenished() + (f"; {_paid_now(more)}" if more else "")
        case "resolve":
            return tr("{drawings} more agreed on", drawings=number_of(move["drawings"], "drawing"))
        case "settle":
            return tr("the drawing is settled: {rows}", rows=settled_words(then.get("settled", {})))
        case do:
            return tr(_SHORT.get(do, do))


def _exchange(move: Mapping[str, Any], name: NameOf) -> str:
    told = {"name": name(move["seat"]), "serial": move["serial"], "wanted": move["wanted"]}
    if not move["other"]:
        return tr("{name} exchanges card {serial} for {wanted}, which nobody has", **told)
    other = name(move["other"])
    return tr("{name} offers card {serial} for {wanted}, of {other}", other=other, **told)


def _replenished() -> str:
    return tr("everybody adds {count} counters a card to the pool", count=BOOK.in_pool)


def _paid_now(settled: Mapping[str, Any]) -> str:
    return tr("{paid} of {won} won are paid now", paid=settled["paid"], won=settled["won"])


def settled_words(settled: Mapping[str, Any]) -> str:
    """Return the totals of a settled drawing, in words.

    >>> settled_words({"classes": [50, 19, 1, 1, 1, 0], "laid": 28, "won": 130, "paid": 130})
    '19 abstracts, 1 ambo, 1 terne, 1 quaterne; 28 counters laid, 130 won'
    """
    classes = zip(ROWS, settled.get("classes", ())[1:], strict=False)
    rows = ", ".join(tr(words[count != 1], count=count) for words, count in classes if count)
    won, paid = settled.get("won", 0), settled.get("paid", 0)
    laid = number_of(settled.get("laid", 0), "counter")
    told = {"rows": rows or tr(NOTHING), "counters": laid, "won": won}
    if paid < won:
        return tr("{rows}; {counters} laid, {won} won, {paid} of them paid", paid=paid, **told)
    return tr("{rows}; {counters} laid, {won} won", **told)
