"""Show a game at the table: zones with all that lies in them, in the hall's words; and the older
fields of a view, where a game has them. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from station.night.table.game import GameInPlay, next_step
from station.rules.abilities import DrawsKnobs
from station.rules.seen import ALL, Amount, Die, Seen, Viewer, Watching
from station.views.table.telling import Telling
from station.wire.board_view import TableView
from station.wire.wording import Wording


def table_view(
    parlour: GameInPlay, telling: Telling, viewer: Viewer = Watching.EVERYBODY
) -> TableView:
    """Return what a viewer may see of a game at the table."""
    told = telling_of(parlour, telling)
    seen = parlour.rules.view(parlour.state, viewer, telling.row)
    older: dict[str, Any] = told.older(seen.particulars) if viewer is not Watching.HOST else {}
    seats = older.pop("seats", None) or [_seat(parlour, seen, place) for place in _places(parlour)]
    change = older.pop("change", ())
    return TableView(
        **{
            "phase": "",
            "pool": told.sum(Amount(parlour.funds.get("pool", 0))),
            **older,
            "step": next_step(parlour),
            "text": what_is_next(parlour, seen, told),
            "seats": [
                {"seat": place, "name": one.name, "simulated": one.simulated, **seats[place - 1]}
                for place, one in enumerate(parlour.seats, 1)
            ],
            "change": " · ".join(change),
            "zones": tuple(map(told.zone, seen.zones)),
            "turn": tuple(sorted(seen.turn)),
            "leads": seen.leads,
            "won": parlour.won,
            "wins": parlour.wins,
        }
    )


def telling_of(parlour: GameInPlay, telling: Telling) -> Telling:
    """Return how this game is told: with the names at its table, and what its units are worth."""
    names = tuple(seat.name for seat in parlour.seats)
    return replace(telling, names=names, value=parlour.value)


def what_is_next(parlour: GameInPlay, seen: Seen, told: Telling) -> str:
    """Return what comes next, in the hall's words; the night adds the counting of the bag."""
    counts = next_step(parlour) == "shake"
    return told.text(
        parlour.rules.needed(DrawsKnobs).counting(parlour.state) if counts else seen.text
    )


def turn(parlour: GameInPlay, wording: Wording) -> str:
    """Return what comes next at the table, in the hall's language: "Carla counts the balls: 90".
    Before it go the dice that lie there: "6 3 · Carla throws"."""
    told = telling_of(parlour, Telling(wording, str))
    seen = parlour.rules.view(parlour.state, Watching.EVERYBODY, None)
    lie = (thing for zone in seen.of(ALL) for thing in zone.things)
    dice = " ".join(str(thing.spots) for thing in lie if isinstance(thing, Die))
    return " · ".join(filter(None, (dice, what_is_next(parlour, seen, told))))


def _places(parlour: GameInPlay) -> range:
    return range(1, len(parlour.seats) + 1)


def _seat(parlour: GameInPlay, seen: Seen, place: int) -> dict[str, Any]:
    """Return the older fields of a seat, for a game that has none of its own."""
    return {
        "cards": (),
        "hand": {"counters": 0, "contracts": 0, "fish": 0, "singles": 0, "text": ""},
        "drawer": place == seen.leads,
        "asked": place in seen.turn,
    }
