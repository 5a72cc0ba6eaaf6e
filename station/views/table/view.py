"""Show a game at the table: zones with all that lies in them, in the hall's words. Pure."""

from __future__ import annotations

from dataclasses import replace

from station.night.table.game import GameInPlay, next_step
from station.rules.abilities import DrawsKnobs
from station.rules.seen import ALL, Die, Seen, Viewer, Watching
from station.views.table.telling import Telling
from station.wire.board_view import SeatView, TableView
from station.wire.wording import Wording


def table_view(
    parlour: GameInPlay, telling: Telling, viewer: Viewer = Watching.EVERYBODY
) -> TableView:
    """Return what a viewer may see of a game at the table."""
    told = telling_of(parlour, telling)
    seen = parlour.rules.view(parlour.state, viewer, telling.row)
    return TableView(
        step=next_step(parlour),
        text=what_is_next(parlour, seen, told),
        seats=tuple(
            SeatView(seat=place, name=one.name, simulated=one.simulated)
            for place, one in enumerate(parlour.seats, 1)
        ),
        zones=tuple(map(told.zone, seen.zones)),
        turn=tuple(sorted(seen.turn)),
        leads=seen.leads,
        won=parlour.won,
        wins=parlour.wins,
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
