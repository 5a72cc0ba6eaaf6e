"""Tell a line of the record of Tontine as a line of a report. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.base.tongue import tr
from station.games.tontine.state import BOX, State
from station.rules.play import NameOf


def then(before: State, state: State) -> Mapping[str, object]:
    """Return what the cards moved, as the journal says it, each as seat, card, giver, taker,
    counters; and who died, came to life again, or has won, once the deal is over."""
    same = before.deal == state.deal
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


def report(move: Mapping[str, Any], then: Mapping[str, Any], name: NameOf) -> str:
    """Return what a move did, and what followed, as a line of a report."""
    if move["do"] == "take-back":
        return tr("the last card is taken back")
    return "; ".join(_told(then, name))


def _told(then: Mapping[str, Any], name: NameOf) -> Iterator[str]:
    for seat, face, giver, taker, units in then.get("turned", ()):
        words = {"name": name(seat), "card": face, "count": units}
        if not units:
            yield tr("{name} {card}: nothing", **words)
        elif giver == BOX:
            yield tr("{name} {card}: takes {count}", **words)
        elif taker == BOX:
            yield tr("{name} {card}: pays {count}", **words)
        else:
            yield tr("{name} {card}: gives {count} to {other}", other=name(taker), **words)
    if seats := then.get("died"):
        yield tr("dead: {names}", names=", ".join(map(name, seats)))
    if seats := then.get("revived"):
        yield tr("back to life: {names}", names=", ".join(map(name, seats)))
    if "outlives" in then:
        last = name(then["outlives"])
        yield tr("{name} outlives all the rest, and takes the box", name=last)
