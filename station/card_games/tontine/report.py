"""Tell a line of the record of Tontine as a line of a report. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.card_games.tontine.state import BOX
from station.rules.play import Line, Played
from station.rules.seen import SeatName


def then(done: Played) -> Mapping[str, Any]:
    """Return what the cards moved, as the journal says it, each as seat, card, giver, taker,
    counters; and who died, came to life again, or has won, once the deal is over."""
    before, state = done.before, done.after
    same = before is not None and before.deal == state.deal
    new = state.turned[len(before.cards) if same else 0 :]
    if not new:
        return {}
    told = {
        "turned": [[one.seat, one.face, one.giver, one.taker, one.units] for one in new],
        "died": [*state.died] if state.dealt else [],
        "revived": [*state.revived] if state.dealt else [],
        "outlives": state.winner,
    }
    return {key: some for key, some in told.items() if some}


def report(move: Mapping[str, Any], then: Mapping[str, Any]) -> Line:
    """Return what a move did, and what followed, as a line of a report."""
    if move["do"] == "take-back":
        return ("the last card is taken back",)
    return tuple(_line(then))


def _line(then: Mapping[str, Any]) -> Iterator[str | SeatName]:
    between = ""
    for seat, face, giver, taker, units in then.get("turned", ()):
        yield from ((between,) if between else ())
        yield from (SeatName(seat), f" {face}", *_moved(giver, taker, units))
        between = "; "
    for key, words in (("died", "dead"), ("revived", "back to life")):
        if seats := then.get(key):
            yield f"; {words}: "
            for place, seat in enumerate(seats):
                yield from ((", ",) if place else ())
                yield SeatName(seat)
    if "outlives" in then:
        yield from ("; ", SeatName(then["outlives"]), " outlives all the rest, and takes the box")


def _moved(giver: int, taker: int, units: int) -> Line:
    if not units:
        return (": nothing",)
    if giver == BOX:
        return (f": takes {units}",)
    return (f": pays {units}",) if taker == BOX else (f": gives {units} to ", SeatName(taker))
